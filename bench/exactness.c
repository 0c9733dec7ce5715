// graze-bench-exactness: what exact verdicts cost. Two builds of graze in one process, on the same
// configurations of Fetch, in turn: graze as it is, and one that takes the sign of the double where
// the filter cannot tell (GRAZE_INEXACT_FOR_BENCH). Their ratio, the pairs of triangles that needed
// more than doubles, and the verdicts that differ.
//
// usage: graze-bench-exactness DATA [--rounds N] [--count N] [--only NAME] [--engine exact|double]
//
// --engine runs one of the two, once, without a clock: for instruction counts (docs/benchmarks.md).

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "exactness_engine.h"

enum { ROUNDS_MAX = 1000, EXACT = 0, DOUBLE = 1 };

static const struct row {
    const char *name, *world;
    graze_policy policy;
} rows[] = {{"self, surface", NULL, GRAZE_POLICY_SURFACE},
            {"self, solid", NULL, GRAZE_POLICY_SOLID},
            {"clutter, surface", "clutter.ply", GRAZE_POLICY_SURFACE},
            {"clutter, solid", "clutter.ply", GRAZE_POLICY_SOLID}};

typedef struct options {
    const char *data, *only, *engine;
    size_t count;
    int rounds;
} options;

typedef struct table {
    double *rows;
    size_t count;
} table;

static void fail(const char *what, const char *detail) {
    fprintf(stderr, "graze-bench-exactness: %s: %s\n", what, detail ? detail : "unknown reason");
    exit(3);
}

static void *allocate(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) fail("memory", "none left");
    return memory;
}

static const exactness_engine *engine_of(const char *path) {
    void *build = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!build) fail(path, dlerror());
    const exactness_engine *engine = dlsym(build, EXACTNESS_ENGINE);
    if (!engine) fail(path, dlerror());
    return engine;
}

/// An NPY file of version 1.0 with float64[n][8], as the data folder has it.
static table table_read(const char *data) {
    char path[1024];
    snprintf(path, sizeof path, "%s/verdicts/fetch_configs.npy", data);
    FILE *file = fopen(path, "rb");
    if (!file) fail(path, "cannot be read");
    unsigned char head[10];
    char text[4096] = "";
    if (fread(head, 1, sizeof head, file) != sizeof head) fail(path, "no header");
    size_t size = (size_t)head[8] + 256 * (size_t)head[9];
    if (size >= sizeof text || fread(text, 1, size, file) != size) fail(path, "no header");
    const char *shape = strstr(text, "'shape': (");
    unsigned long count = 0, columns = 0;
    if (!shape || !strstr(text, "'<f8'") ||
        sscanf(shape, "'shape': (%lu, %lu)", &count, &columns) != 2 || columns != EXACTNESS_COLUMNS)
        fail(path, "not float64[n][8]");
    table t = {allocate(count * EXACTNESS_COLUMNS, sizeof(double)), count};
    if (fread(t.rows, EXACTNESS_COLUMNS * sizeof(double), count, file) != count)
        fail(path, "too short");
    fclose(file);
    return t;
}

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// Sorts; the value at a share of 0 to 1.
static double quantile(double *values, int count, double share) {
    qsort(values, (size_t)count, sizeof *values, by_value);
    return values[(int)lround(share * (count - 1))];
}

static void print_row(const struct row *row, const options *o, double times[2][ROUNDS_MAX],
                      const graze_stats *stats, size_t differ) {
    static double ratios[ROUNDS_MAX];
    for (int i = 0; i < o->rounds; i++) ratios[i] = 100 * (times[EXACT][i] / times[DOUBLE][i] - 1);
    double each = 1e6 / (double)o->count;
    double low = quantile(ratios, o->rounds, 0.25), high = quantile(ratios, o->rounds, 0.75);
    printf("%-17s %8.3f %8.3f %+7.2f %% (%+.2f to %+.2f) %10llu %8llu %6.2f %% %7zu\n", row->name,
           each * quantile(times[EXACT], o->rounds, 0.5),
           each * quantile(times[DOUBLE], o->rounds, 0.5), quantile(ratios, o->rounds, 0.5), low,
           high, (unsigned long long)stats->triangle_tests, (unsigned long long)stats->exact_tests,
           100.0 * (double)stats->exact_tests / fmax(1, (double)stats->triangle_tests), differ);
    fflush(stdout);
}

static void measure(const struct row *row, const options *o, const table *t,
                    const exactness_engine *const engines[2]) {
    static double times[2][ROUNDS_MAX];
    exactness_checks *checks[2];
    uint8_t *verdicts[2];
    graze_stats stats[2];
    for (int e = 0; e < 2; e++) {
        checks[e] = engines[e]->open(o->data, row->world, row->policy);
        verdicts[e] = allocate(o->count, 1);
        engines[e]->run(checks[e], t->rows, o->count, verdicts[e], &stats[e]); // to warm up
    }
    for (int round = 0; round < o->rounds; round++) {
        for (int turn = 0; turn < 2; turn++) {
            int e = (round + turn) % 2; // each of the two is first as often
            double start = processor_seconds();
            engines[e]->run(checks[e], t->rows, o->count, verdicts[e], &stats[e]);
            times[e][round] = processor_seconds() - start;
        }
    }
    size_t differ = 0;
    for (size_t i = 0; i < o->count; i++) differ += verdicts[EXACT][i] != verdicts[DOUBLE][i];
    print_row(row, o, times, &stats[EXACT], differ);
    for (int e = 0; e < 2; e++) {
        engines[e]->close(checks[e]);
        free(verdicts[e]);
    }
}

static void run_once(const struct row *row, const options *o, const table *t,
                     const exactness_engine *engine) {
    exactness_checks *checks = engine->open(o->data, row->world, row->policy);
    uint8_t *verdicts = allocate(o->count, 1);
    graze_stats stats;
    engine->run(checks, t->rows, o->count, verdicts, &stats);
    size_t collisions = 0;
    for (size_t i = 0; i < o->count; i++) collisions += verdicts[i] == GRAZE_COLLISION;
    printf("%s, %s: %zu of %zu collide\n", o->engine, row->name, collisions, o->count);
    engine->close(checks);
    free(verdicts);
}

static options parse(int argc, char **argv) {
    options o = {.rounds = 15, .count = 20000};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (argv[i][0] != '-' && !o.data) {
            o.data = argv[i];
            continue;
        }
        if (!value) fail(argv[i], "an option with a value, or the data folder");
        if (strcmp(argv[i], "--rounds") == 0)
            o.rounds = atoi(value);
        else if (strcmp(argv[i], "--count") == 0)
            o.count = strtoul(value, NULL, 10);
        else if (strcmp(argv[i], "--only") == 0)
            o.only = value;
        else if (strcmp(argv[i], "--engine") == 0)
            o.engine = value;
        else
            fail(argv[i], "unknown; allowed: --rounds, --count, --only, --engine");
        i++;
    }
    if (!o.data)
        fail("usage", "graze-bench-exactness DATA [--rounds N] [--count N] [--only NAME] "
                      "[--engine exact|double]");
    if (o.rounds < 1 || o.rounds > ROUNDS_MAX) fail("--rounds", "allowed: 1 to 1000");
    if (o.engine && strcmp(o.engine, "exact") != 0 && strcmp(o.engine, "double") != 0)
        fail("--engine", "allowed: exact, double");
    return o;
}

int main(int argc, char **argv) {
    options o = parse(argc, argv);
    table t = table_read(o.data);
    if (o.count < 1 || o.count > t.count) fail("--count", "more than the table has");
    const exactness_engine *const engines[2] = {engine_of(EXACTNESS_EXACT),
                                                engine_of(EXACTNESS_DOUBLE)};
    if (!o.engine)
        printf(
            "%zu configurations, %d rounds in turn; us per configuration, medians; cost with its "
            "quartiles\n%-17s %8s %8s %9s %20s %10s %8s %8s %7s\n",
            o.count, o.rounds, "", "exact", "double", "cost", "", "triangles", "exact", "",
            "differ");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (o.only && strcmp(o.only, rows[i].name) != 0) continue;
        if (o.engine)
            run_once(&rows[i], &o, &t, engines[strcmp(o.engine, "double") == 0 ? DOUBLE : EXACT]);
        else
            measure(&rows[i], &o, &t, engines);
    }
    free(t.rows);
    return 0;
}
