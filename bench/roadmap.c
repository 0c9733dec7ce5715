// Roadmaps: how long building, queries and updates take, and how many edges an update tests. After
// each change the roadmap built anew in the changed world is compared, edge by edge.
//
//   graze-bench-roadmap [--fetch DATA_DIR] [--nodes N] [--queries N] [--moves N] [--threads N]
//                       [--seed N]
//
// Without a data folder: the shipped robot before its shelf. --moves: so many objects are moved,
// one after the other; default all. Medians, with the 5th and 95th of a hundred; wall time.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "graze/graze.h"

static graze_error error;

static void require(graze_status status, const char *what) {
    if (status == GRAZE_OK) return;
    fprintf(stderr, "graze-bench-roadmap: %s: %s %s %s\n", what, error.file, error.element,
            error.message);
    exit(3);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct bench {
    char urdf[512], srdf[512], packages[512], world_file[512];
    size_t queries, moves;
    graze_roadmap_options options;
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    int32_t columns[64];
    size_t n; ///< numbers of q
} bench;

static void read_options(bench *b, int argc, char **argv) {
    snprintf(b->urdf, sizeof b->urdf, "%s/urdf/heron.urdf", GRAZE_SOURCE_DIR);
    snprintf(b->srdf, sizeof b->srdf, "%s/urdf/heron.srdf", GRAZE_SOURCE_DIR);
    snprintf(b->world_file, sizeof b->world_file, "%s/worlds/shelf.json", GRAZE_SOURCE_DIR);
    b->options = graze_roadmap_options_default();
    b->options.nodes = 5000;
    b->queries = 500;
    b->moves = SIZE_MAX;
    for (int i = 1; i + 1 < argc; i += 2) {
        const char *name = argv[i], *value = argv[i + 1];
        unsigned long long count = strtoull(value, NULL, 10);
        if (strcmp(name, "--nodes") == 0) {
            b->options.nodes = count;
        } else if (strcmp(name, "--queries") == 0) {
            b->queries = (size_t)count;
        } else if (strcmp(name, "--moves") == 0) {
            b->moves = (size_t)count;
        } else if (strcmp(name, "--threads") == 0) {
            b->options.threads = (uint32_t)count;
        } else if (strcmp(name, "--seed") == 0) {
            b->options.seed = count;
        } else if (strcmp(name, "--fetch") == 0) {
            snprintf(b->urdf, sizeof b->urdf, "%s/robots/fetch_description/robots/fetch.urdf",
                     value);
            snprintf(b->srdf, sizeof b->srdf, "%s/robots/fetch_mbm.srdf", value);
            snprintf(b->packages, sizeof b->packages, "%s/robots", value);
            snprintf(b->world_file, sizeof b->world_file, "%s/worlds/shelf.json", value);
        } else {
            fprintf(stderr,
                    "no option %s; allowed: --fetch, --nodes, --queries, --moves, --threads, "
                    "--seed\n",
                    name);
            exit(2);
        }
    }
}

static void load(bench *b) {
    graze_load_options options = graze_load_options_default();
    options.srdf = b->srdf;
    options.visuals = GRAZE_VISUALS_SKIP;
    if (*b->packages) options.package_path = b->packages;
    require(graze_robot_load_urdf(&b->robot, b->urdf, &options, &error), "robot");
    require(graze_world_create(&b->world, "world", &error), "world");
    require(graze_world_add_file(b->world, b->world_file, NULL, &error), "world");
    require(graze_world_commit(b->world, &error), "world");
    graze_checker_options rules = graze_checker_options_default();
    rules.margin = 1e-12; // counts as epsilon, as in `graze roadmap`
    require(graze_checker_create(&b->checker, b->robot, b->world, &rules, &error), "checker");
    b->n = graze_robot_q_size(b->robot);
    int32_t group = graze_robot_find_group(b->robot, "arm_with_torso");
    b->options.column_count = graze_robot_group_columns(b->robot, (size_t)group, b->columns, 64);
    b->options.columns = b->columns;
}

static graze_roadmap *build(const bench *b, const graze_checker *checker, double *seconds) {
    graze_roadmap *map;
    double begin = now();
    require(graze_roadmap_build(&map, checker, NULL, NULL, &b->options, &error), "build");
    *seconds = now() - begin;
    return map;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double at_rank(const double *sorted, size_t count, double share) {
    return count ? sorted[(size_t)(share * (double)(count - 1) + 0.5)] : 0;
}

/// A free configuration of another seed, where what does not vary is at rest.
static void draw_end(const bench *b, graze_workspace *check, const double *base, uint64_t *drawn,
                     double *end) {
    graze_report report = {.verdict = GRAZE_COLLISION};
    double q[64];
    while (report.verdict != GRAZE_FREE) {
        require(graze_robot_sample(b->robot, 77, (*drawn)++, NULL, NULL, q, &error), "sample");
        graze_robot_rest(b->robot, end);
        for (size_t j = 0; j < b->options.column_count; j++)
            end[b->options.columns[j]] = q[b->options.columns[j]];
        require(graze_check(b->checker, check, GRAZE_ANSWER_ANY, end, b->n, base, &report, &error),
                "check");
    }
}

static void print_range(const char *what, double *values, size_t count) {
    qsort(values, count, sizeof *values, compare);
    printf("%s %.3g (%.3g to %.3g)", what, at_rank(values, count, 0.5),
           at_rank(values, count, 0.05), at_rank(values, count, 0.95));
}

/// The planner between the same ends: milliseconds, and the length of its path.
static void plan_too(const bench *b, const double *start, const double *goal, double *ms,
                     double *length) {
    graze_plan_options o = graze_plan_options_default();
    graze_plan_result r;
    o.columns = b->options.columns;
    o.column_count = b->options.column_count;
    double begin = now();
    require(graze_plan(b->checker, start, NULL, goal, NULL, &o, &r, &error), "plan");
    *ms = 1e3 * (now() - begin);
    *length = r.path ? r.length : INFINITY;
    graze_path_free(r.path);
}

/// Queries between random ends that are not joined by one free motion.
static void run_queries(const bench *b, const graze_roadmap *map) {
    graze_roadmap_workspace *ws;
    graze_workspace *check;
    double ends[2][64], q[64], base[6];
    double *times = malloc(b->queries * sizeof *times), *tests = malloc(b->queries * sizeof *tests);
    double *search = malloc(b->queries * sizeof *search);
    double *planned = malloc(b->queries * sizeof *planned);
    double *longer = malloc(b->queries * sizeof *longer);
    double *direct = malloc(b->queries * sizeof *direct);
    size_t found = 0, straight = 0, failed = 0;
    uint64_t drawn = 0;
    require(graze_roadmap_workspace_create(&ws, map, &error), "workspace");
    require(graze_workspace_create(&check, b->checker, &error), "workspace");
    require(graze_roadmap_node(map, 0, q, base), "node");
    while (found + failed < b->queries) {
        for (int k = 0; k < 2; k++) draw_end(b, check, base, &drawn, ends[k]);
        graze_roadmap_result result;
        double begin = now();
        require(graze_roadmap_find(ws, ends[0], NULL, ends[1], NULL, NULL, &result, &error),
                "query");
        double seconds = now() - begin;
        if (result.outcome != GRAZE_ROADMAP_FOUND) {
            failed++;
        } else if (result.waypoints == 2) {
            if (straight < b->queries) direct[straight] = 1e3 * seconds;
            straight++;
        } else {
            times[found] = 1e3 * seconds;
            tests[found] = (double)result.motions;
            plan_too(b, ends[0], ends[1], &planned[found], &longer[found]);
            longer[found] = result.length / longer[found];
            search[found++] = (double)result.iterations;
        }
    }
    printf("queries: %zu with a way through nodes, %zu without a path, %zu besides straight; ",
           found, failed, straight);
    print_range("of the first: ms", times, found);
    print_range(", motions tested", tests, found);
    print_range(", nodes searched", search, found);
    print_range("; straight ms", direct, straight < b->queries ? straight : b->queries);
    print_range("\ngraze_plan() between the same ends: ms", planned, found);
    print_range(", and the query's path is longer by a factor of", longer, found);
    printf("\n");
    graze_roadmap_workspace_free(ws);
    graze_workspace_free(check);
    free(times);
    free(tests);
    free(search);
    free(planned);
    free(direct);
    free(longer);
}

static size_t differing(const graze_roadmap *a, const graze_roadmap *b, size_t edges) {
    size_t count = 0, nodes[2];
    for (size_t i = 0; i < edges; i++)
        count += (graze_roadmap_edge(a, i, nodes, NULL) == GRAZE_ROADMAP_FREE) !=
                 (graze_roadmap_edge(b, i, nodes, NULL) == GRAZE_ROADMAP_FREE);
    return count;
}

/// Moves one object after the other by 10 cm and 5 cm.
static void run_updates(const bench *b, const graze_roadmap *map) {
    for (size_t i = 0; i < graze_world_object_count(b->world) && i < b->moves; i++) {
        graze_geometry object;
        graze_world_object(b->world, i, &object);
        graze_transform pose = object.origin;
        graze_world_change change = graze_world_change_default();
        graze_world *world;
        graze_checker *checker;
        graze_roadmap *revised;
        graze_roadmap_update update;
        double begin, seconds, anew;
        pose.m[3] += 0.1;
        pose.m[7] -= 0.05;
        change.kind = GRAZE_CHANGE_MOVE;
        change.name = object.name;
        change.pose = &pose;
        begin = now();
        require(graze_world_revise(&world, b->world, &change, 1, &error), "change");
        require(graze_checker_with_world(&checker, b->checker, world, &error), "checker");
        require(graze_roadmap_revise(&revised, map, checker, &b->options, &update, &error),
                "update");
        seconds = now() - begin;
        graze_roadmap *second = build(b, checker, &anew);
        printf("%s moved: %llu of %llu edges tested (%.1f %%), %llu opened, %llu closed, %.3f s; "
               "anew %.2f s, %zu edges differ\n",
               object.name, (unsigned long long)update.tested, (unsigned long long)update.edges,
               100.0 * (double)update.tested / (double)update.edges,
               (unsigned long long)update.opened, (unsigned long long)update.closed, seconds, anew,
               differing(revised, second, update.edges));
        graze_roadmap_free(revised);
        graze_roadmap_free(second);
        graze_checker_free(checker);
        graze_world_free(world);
    }
}

static void run_files(const bench *b, const graze_roadmap *map) {
    unsigned char *bytes;
    size_t size;
    graze_roadmap *read;
    double begin = now(), written, loaded;
    require(graze_roadmap_pack(&bytes, &size, map, &error), "pack");
    written = now() - begin;
    begin = now();
    require(graze_roadmap_unpack(&read, bytes, size, b->checker, NULL, NULL, &error), "unpack");
    loaded = now() - begin;
    printf("%.1f MB, packed in %.0f ms, read in %.0f ms\n", 1e-6 * (double)size, 1e3 * written,
           1e3 * loaded);
    graze_roadmap_free(read);
    graze_roadmap_bytes_free(bytes);
}

int main(int argc, char **argv) {
    bench b = {.options = {0}};
    double seconds;
    graze_roadmap_info info;
    read_options(&b, argc, argv);
    load(&b);
    graze_roadmap *map = build(&b, b.checker, &seconds);
    graze_roadmap_describe(map, &info);
    printf("%llu nodes of %llu samples, %u neighbours, %u columns; %llu edges, %llu free, %llu "
           "blocked by the robot, %llu by the world, %llu undecided; %llu components, the largest "
           "of %llu nodes; built in %.2f s\n",
           (unsigned long long)info.nodes, (unsigned long long)info.samples,
           (unsigned)info.neighbours, (unsigned)info.dimension, (unsigned long long)info.edges,
           (unsigned long long)info.free, (unsigned long long)info.self,
           (unsigned long long)info.world, (unsigned long long)info.undecided,
           (unsigned long long)info.components, (unsigned long long)info.largest, seconds);
    run_files(&b, map);
    run_queries(&b, map);
    run_updates(&b, map);
    graze_roadmap_free(map);
    graze_checker_free(b.checker);
    graze_world_free(b.world);
    graze_robot_free(b.robot);
    return 0;
}
