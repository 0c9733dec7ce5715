// graze bench: the same work for graze and its peers, in one run. The peers are no part of graze,
// so the work is a program of its own, graze-bench-peers, which exists where it was built
// (bench/CMakeLists.txt); this command knows its options, finds it, and becomes it.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/argument.h"
#include "cli/message.h"
#include "cli/program_path.h"

static const char program[] = "graze-bench-peers";

/// An option of the program: here only whether it is well said, its value is read over there.
typedef struct word {
    const char *name;
    gz_option_kind kind;
    const char *argument, *help;
    uint64_t minimum;
    gz_option_file file;
} word;

// What is measured comes first, how it is measured after it: the last four.
static const word words[] = {
    {"srdf", GZ_OPTION_TEXT, "FILE", "pairs that are not checked", 0, GZ_FILE_READ},
    {"package-path", GZ_OPTION_TEXT, "DIR[:DIR]", "where package:// is looked up", 0, GZ_FILE_NONE},
    {"configs", GZ_OPTION_TEXT, "FILE.npy",
     "float64[n,joints] (default: uniform within the limits)", 0, GZ_FILE_READ},
    {"joints", GZ_OPTION_TEXT, "A,B,...", "columns of --configs, or what is varied (default: all)",
     0, GZ_FILE_NONE},
    {"seed", GZ_OPTION_COUNT, "N", "of configurations that are drawn (default 1)", 0, GZ_FILE_NONE},
    {"world", GZ_OPTION_TEXTS, "FILE",
     "repeatable; one with boxes, cylinders ... is measured\ntriangulated too", 0, GZ_FILE_READ},
    {"merge", GZ_OPTION_FLAG, NULL, "measure each world also as one fine triangle mesh", 0,
     GZ_FILE_NONE},
    {"problems", GZ_OPTION_TEXT, "FILE.json",
     "planning problems (mbm-1): measure along the edges of\npaths that solve them", 0,
     GZ_FILE_READ},
    {"paths", GZ_OPTION_COUNT, "N", "problems of each family that are planned (default 2)", 1,
     GZ_FILE_NONE},
    {"fetch", GZ_OPTION_TEXT, "DIR", "Fetch with the worlds, problems and verdicts of a folder", 0,
     GZ_FILE_NONE},
    {"rows", GZ_OPTION_COUNT, "N", "configurations measured (default 5000; slow rows: fewer)", 1,
     GZ_FILE_NONE},
    {"repeat", GZ_OPTION_COUNT, "N", "measurements, of which the median counts (default 5)", 1,
     GZ_FILE_NONE},
    {"only", GZ_OPTION_TEXT, "REGEX", "only rows whose \"environment/library method\" matches", 0,
     GZ_FILE_NONE},
    {"csv", GZ_OPTION_TEXT, "FILE", "write the table there too", 0, GZ_FILE_WRITTEN},
};
#define WORD_COUNT (sizeof words / sizeof *words)
#define WORK_COUNT (WORD_COUNT - 4)

static const gz_option *find(const gz_option *options, const char *name) {
    while (strcmp(options->name, name) != 0) options++;
    return options;
}

/// Whether options that are right by themselves fit each other.
static int check_combination(const gz_option *options, const char *robot) {
    bool fetch = find(options, "fetch")->given;
    if (fetch && robot != NULL) {
        return gz_message_usage("bench", "--fetch and the robot %s; allowed: one of them", robot);
    }
    if (find(options, "configs")->given && !find(options, "joints")->given && !fetch) {
        return gz_message_usage("bench",
                                "--configs without --joints; allowed: both, the columns need "
                                "names");
    }
    return GZ_GO_ON;
}

static int parse(int argc, char **argv) {
    gz_option options[WORD_COUNT];
    uint64_t counts[WORD_COUNT];
    const char *texts[WORD_COUNT];
    gz_texts repeated = {0};
    bool flag;
    for (size_t i = 0; i < WORD_COUNT; i++) {
        void *const targets[] = {[GZ_OPTION_FLAG] = &flag,
                                 [GZ_OPTION_TEXT] = &texts[i],
                                 [GZ_OPTION_TEXTS] = &repeated,
                                 [GZ_OPTION_COUNT] = &counts[i]};
        options[i] = (gz_option){.name = words[i].name,
                                 .kind = words[i].kind,
                                 .file = words[i].file,
                                 .target = targets[words[i].kind],
                                 .argument = words[i].argument,
                                 .help = words[i].help,
                                 .minimum = words[i].minimum,
                                 .maximum = UINT32_MAX};
    }
    gz_option_section sections[] = {{"work", options, WORK_COUNT},
                                    {"measurement", options + WORK_COUNT, WORD_COUNT - WORK_COUNT}};
    gz_command_line line = {
        .command = "bench",
        .synopsis = "bench [ROBOT] [options]",
        .about =
            "Times graze, FCL, Bullet and ODE on the same robot, configurations and run, and\n"
            "compares their verdicts. Without a robot: the shipped heron in the shelf and\n"
            "clutter worlds. The program that does it, graze-bench-peers, is there when graze\n"
            "was built with -DGRAZE_BUILD_BENCH=ON. Exit status 1: verdicts differ.",
        .examples = "  graze bench --repeat 9 --csv table.csv\n"
                    "  graze bench robot.urdf --srdf robot.srdf --world shelf.json\n"
                    "  graze bench --only 'shelf/.*(graze|FCL)'\n",
        .sections = sections,
        .section_count = sizeof sections / sizeof *sections,
        .operand_name = "ROBOT",
        .operand_optional = true};
    int status = gz_command_line_parse(&line, argc, argv);
    gz_texts_free(&repeated);
    return status == GZ_GO_ON ? check_combination(options, line.operand) : status;
}

int gz_command_bench(int argc, char **argv) {
    int status = parse(argc, argv);
    if (status != GZ_GO_ON) return status;
    char path[GRAZE_PATH_SIZE + 32], share[GRAZE_PATH_SIZE];
    if (!gz_program_path_find(program, path, sizeof path)) {
        gz_message(
            "%s is neither beside graze nor in its libexec folder; it comes with a build with "
            "-DGRAZE_BUILD_BENCH=ON, which needs FCL, Bullet and ODE",
            program);
        return GZ_EXIT_INPUT;
    }
    // The robot that ships is where the demo finds it, wherever graze was moved to.
    status = gz_share_find(share, sizeof share);
    if (status != GZ_EXIT_FINE) return status;
    if (setenv("GRAZE_SHARE", share, 1) != 0) return gz_message_no_memory();
    argv[0] = path;
    execv(path, argv);
    gz_message("%s cannot be run: %s", path, strerror(errno));
    return GZ_EXIT_INPUT;
}
