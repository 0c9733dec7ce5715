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

static const gz_command_line command_line = {
    .command = "bench",
    .synopsis = "bench [ROBOT] [options]",
    .about = "Times graze, FCL, Bullet and ODE on the same robot, configurations and run, and\n"
             "compares their verdicts. Without a robot: the shipped heron in the shelf and\n"
             "clutter worlds. The program that does it, graze-bench-peers, is there when graze\n"
             "was built with -DGRAZE_BUILD_BENCH=ON. Exit status 1: verdicts differ.",
    .examples = "  graze bench --repeat 9 --csv table.csv\n"
                "  graze bench robot.urdf --srdf robot.srdf --world shelf.json\n"
                "  graze bench --only 'shelf/.*(graze|FCL)'\n",
    .operand_name = "ROBOT",
    .operand_optional = true,
};

/// Checks the options, whose values are read by the program.
static int parse(int argc, char **argv) {
    const char *robot, *srdf, *configs = NULL, *joints = NULL, *problems, *fetch = NULL, *csv,
                              *text;
    uint64_t count;
    gz_texts worlds = {0};
    bool merge;
    gz_option work[] = {
        {"srdf", "FILE", .text = &srdf, .file = GZ_FILE_READ, .help = "pairs that are not checked"},
        {"package-path", "DIR[:DIR]", .text = &text, .help = "where package:// is looked up"},
        {"configs", "FILE.npy", .text = &configs, .file = GZ_FILE_READ,
         .help = "float64[n,joints] (default: uniform within the limits)"},
        {"joints", "A,B,...", .text = &joints,
         .help = "columns of --configs, or what is varied (default: all)"},
        {"seed", "N", .count = &count, .maximum = UINT32_MAX,
         .help = "of configurations that are drawn (default 1)"},
        {"world", "FILE", .texts = &worlds, .file = GZ_FILE_READ,
         .help = "repeatable; one with boxes, cylinders ... is measured\ntriangulated too"},
        {"merge", NULL, .flag = &merge,
         .help = "measure each world also as one fine triangle mesh"},
        {"problems", "FILE.json", .text = &problems, .file = GZ_FILE_READ,
         .help = "planning problems (mbm-1): measure along the edges of\npaths that solve them"},
        {"paths", "N", .count = &count, .minimum = 1, .maximum = UINT32_MAX,
         .help = "problems of each family that are planned (default 2)"},
        {"fetch", "DIR", .text = &fetch,
         .help = "Fetch with the worlds, problems and verdicts of a folder"},
    };
    gz_option measurement[] = {
        {"rows", "N", .count = &count, .minimum = 1, .maximum = UINT32_MAX,
         .help = "configurations measured (default 5000; slow rows: fewer)"},
        {"repeat", "N", .count = &count, .minimum = 1, .maximum = UINT32_MAX,
         .help = "measurements, of which the median counts (default 5)"},
        {"only", "REGEX", .text = &text,
         .help = "only rows whose \"environment/library method\" matches"},
        {"csv", "FILE", .text = &csv, .file = GZ_FILE_WRITTEN, .help = "write the table there too"},
    };
    gz_option_section sections[] = {GZ_SECTION("work", work),
                                    GZ_SECTION("measurement", measurement)};
    int status = gz_command_line_parse(&command_line, &robot, sections, GZ_COUNT(sections), argc,
                                       argv);
    gz_texts_free(&worlds);
    if (status == GZ_GO_ON && fetch != NULL && robot != NULL)
        return gz_message_usage("bench", "--fetch and the robot %s; allowed: one of them", robot);
    if (status == GZ_GO_ON && configs != NULL && joints == NULL && fetch == NULL)
        return gz_message_usage("bench", "--configs without --joints; allowed: both, the columns "
                                         "need names");
    return status;
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
    GZ_TRY_EXIT(gz_share_find(share, sizeof share));
    if (setenv("GRAZE_SHARE", share, 1) != 0) return gz_message_no_memory();
    argv[0] = path;
    execv(path, argv);
    gz_message("%s cannot be run: %s", path, strerror(errno));
    return GZ_EXIT_INPUT;
}
