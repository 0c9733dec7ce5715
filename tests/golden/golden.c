// Golden hashes: poses, verdicts, contacts and paths of the shipped robots in the shipped worlds,
// one line "ROBOT WORLD MODE HASH" each, to be the same for every number of threads, compiler,
// level of optimisation, instruction set and processor. run.py compares them with hashes.txt and
// says what for.
//
// usage: golden [--root DIR | --scenes FILE | --compiled DIR] [--record FILE] [--compile DIR]
//               [--configurations N] [--plans N] [--threads N] [--seed N]
//   --root            the folder with urdf/ and worlds/; these are loaded
//   --scenes          a recording instead, the only way in a library without its loader
//   --compiled        or compiled files, which another machine may have written
//   --compile         write such files
//   --record          write down what the loader makes of --root
//   --configurations  rows per robot, world and mode (80)
//   --plans           per robot and world, and ways to contact (one for 40 rows)
// Exit status: 0; 1 when two ways to ask the same disagree; 2 usage; 3 anything else.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "golden_hash.h"
#include "golden_questions.h"
#include "golden_scenes.h"

typedef struct arguments {
    const char *root, *scenes, *compiled, *record, *compile;
    uint64_t configurations, plans, threads, seed;
} arguments;

static _Noreturn void usage(const char *why) {
    fprintf(
        stderr,
        "golden: %s\nusage: golden [--root DIR | --scenes FILE | --compiled DIR] "
        "[--record FILE] [--compile DIR] [--configurations N] [--plans N] [--threads N] [--seed N]\n",
        why);
    exit(2);
}

static uint64_t number(const char *text) {
    char *end;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || value > 100000000) usage(text);
    return value;
}

static arguments parse(int argc, char **argv) {
    arguments a = {.configurations = 80, .plans = UINT64_MAX, .threads = 1, .seed = 1};
#ifdef GOLDEN_LOADER
    a.root = GRAZE_SOURCE_DIR;
#endif
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc) usage(argv[i]);
        const char *name = argv[i], *value = argv[i + 1];
        if (!strcmp(name, "--root"))
            a.root = value;
        else if (!strcmp(name, "--scenes"))
            a.scenes = value;
        else if (!strcmp(name, "--compiled"))
            a.compiled = value;
        else if (!strcmp(name, "--compile"))
            a.compile = value;
        else if (!strcmp(name, "--record"))
            a.record = value;
        else if (!strcmp(name, "--configurations"))
            a.configurations = number(value);
        else if (!strcmp(name, "--plans"))
            a.plans = number(value);
        else if (!strcmp(name, "--threads"))
            a.threads = number(value);
        else if (!strcmp(name, "--seed"))
            a.seed = number(value);
        else
            usage(name);
    }
    if (a.plans == UINT64_MAX) a.plans = (a.configurations + 39) / 40;
    if ((a.scenes || a.compiled) && a.record) usage("--record needs --root");
    if (!a.configurations) usage("--configurations 0");
    return a;
}

static golden_stream open_stream(const char *path, bool reading) {
    golden_stream stream = {.file = fopen(path, reading ? "rb" : "wb"), .reading = reading};
    if (!stream.file) golden_give_up(path, "cannot be opened");
    return stream;
}

static void read_scenes(golden_scenes *scenes, const arguments *a) {
    if (a->compiled) {
        golden_scenes_open(scenes, a->compiled);
        return;
    }
    if (a->scenes) {
        golden_stream stream = open_stream(a->scenes, true);
        golden_scenes_replay(scenes, &stream);
        golden_stream_close(&stream);
        return;
    }
#ifdef GOLDEN_LOADER
    if (a->record) {
        golden_stream stream = open_stream(a->record, false);
        golden_scenes_load(scenes, a->root, &stream);
        golden_stream_close(&stream);
    } else {
        golden_scenes_load(scenes, a->root, NULL);
    }
#else
    usage("this library has no loader: --scenes FILE");
#endif
}

typedef struct totals {
    uint64_t queries, collisions, violations, plans, found, all;
} totals;

static void print_line(totals *sum, const char *robot, const char *world, const char *mode,
                       uint64_t hash) {
    printf("%s %s %s %016" PRIx64 "\n", robot, world, mode, hash);
    fflush(stdout);
    golden_hash_integer(&sum->all, hash);
}

static void run_modes(const arguments *a, const golden_rows *rows, const graze_world *world,
                      totals *sum) {
    const char *robot_name = graze_robot_name(rows->robot);
    const char *world_name = world ? graze_world_name(world) : "-";
    for (size_t i = 0; i < golden_mode_count; i++) {
        uint64_t hash = golden_verdicts(rows, world, &golden_modes[i], (uint32_t)a->threads,
                                        &sum->collisions, &sum->violations);
        print_line(sum, robot_name, world_name, golden_modes[i].name, hash);
        sum->queries += rows->count;
    }
    uint64_t hash = golden_touches(rows->robot, world, 0, (size_t)a->plans, a->seed, &sum->queries);
    print_line(sum, robot_name, world_name, "touch", hash);
    hash = golden_touches(rows->robot, world, 0.03125, (size_t)a->plans, a->seed, &sum->queries);
    print_line(sum, robot_name, world_name, "near", hash);
    hash = golden_plans(rows->robot, world, (size_t)a->plans, a->seed, (uint32_t)a->threads,
                        &sum->found);
    print_line(sum, robot_name, world_name, "plan", hash);
    sum->plans += a->plans;
}

int main(int argc, char **argv) {
    arguments a = parse(argc, argv);
    golden_scenes scenes;
    read_scenes(&scenes, &a);
    if (a.compile) golden_scenes_compile(&scenes, a.compile);
    totals sum = {.all = GOLDEN_HASH_START};
    for (size_t i = 0; i < scenes.robot_count; i++) {
        golden_rows rows;
        golden_rows_make(&rows, scenes.robots[i], (size_t)a.configurations, a.seed + i);
        print_line(&sum, graze_robot_name(rows.robot), "-", "poses", golden_poses(&rows));
        sum.queries += rows.count;
        for (size_t k = 0; k < scenes.world_count; k++)
            run_modes(&a, &rows, scenes.worlds[k], &sum);
        golden_rows_free(&rows);
    }
    golden_scenes_free(&scenes);
    print_line(&sum, "all", "all", "all", sum.all);
    fprintf(stderr,
            "%" PRIu64 " queries, %" PRIu64 " collisions, %" PRIu64 " of %" PRIu64
            " plans found, %" PRIu64 " violations\n",
            sum.queries, sum.collisions, sum.found, sum.plans, sum.violations);
    return sum.violations ? 1 : 0;
}
