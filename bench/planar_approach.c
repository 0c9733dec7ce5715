// graze-bench-planar-approach: closest point of approach of random pairs in the plane, in batches
// and one at a time, million pairs a second on one thread. After each repeat Box2D's GJK does its
// distances (gjk_yardstick.h): the last column is the median of the ratios of both.
//
// usage: graze-bench-planar-approach [--pairs N] [--repeats N] [--seed N] [--csv]

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gjk_yardstick.h"
#include "graze/planar_approach.h"

#define REPEATS_MAX 1000
#define HORIZON     10.0

typedef struct options {
    size_t pairs;
    int repeats;
    unsigned long long seed;
    bool csv;
} options;

/// Everything one pair of kinds needs, in both layouts.
typedef struct pairs {
    graze_planar_kind kind_a, kind_b;
    size_t count;
    graze_planar_array a, b;
    graze_planar_shape *shape_a, *shape_b;
    double *vx, *vy, *times, *distances;
    graze_planar_approach_result *results;
} pairs;

static void *allocate(size_t count, size_t size) {
    void *p = calloc(count, size);
    if (!p) exit((fprintf(stderr, "graze-bench-planar-approach: no memory\n"), 3));
    return p;
}

static double unit(unsigned long long *state) {
    unsigned long long z = *state += 0x9e3779b97f4a7c15ull; // SplitMix64
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static void must(graze_status status) {
    if (status == GRAZE_OK) return;
    fprintf(stderr, "graze-bench-planar-approach: %s\n", graze_status_name(status));
    exit(3);
}

// One random shape of a kind in a square of 20 m, half a metre to a metre large.
static void shape_make(graze_planar_kind kind, unsigned long long *state, graze_planar_shape *out) {
    double x = 20 * unit(state) - 10, y = 20 * unit(state) - 10, angle = 6.3 * unit(state);
    double hx = 0.3 + 0.7 * unit(state), hy = 0.3 + 0.7 * unit(state), r = 0.1 + 0.4 * unit(state);
    graze_transform2 pose = graze_transform2_make(x, y, angle);
    graze_vec2 at = {x, y}, end = {x + hx * pose.c, y + hx * pose.s}, half = {hx, hy};
    if (kind == GRAZE_PLANAR_CIRCLE)
        must(graze_planar_circle(out, at, r, NULL));
    else if (kind == GRAZE_PLANAR_CAPSULE)
        must(graze_planar_capsule(out, at, end, r, NULL));
    else
        must(graze_planar_rectangle(out, &pose, half, r, NULL));
}

static double *rows_make(graze_planar_array *array, graze_planar_kind kind, size_t count) {
    int32_t rows = graze_planar_row_count(kind, 0);
    double *data = allocate((size_t)rows * count, sizeof(double));
    *array = (graze_planar_array){kind, 0, count, count, data};
    return data;
}

static void pairs_make(pairs *p, const options *o) {
    unsigned long long state = o->seed;
    p->count = o->pairs;
    double *rows_a = rows_make(&p->a, p->kind_a, p->count);
    double *rows_b = rows_make(&p->b, p->kind_b, p->count);
    p->shape_a = allocate(p->count, sizeof *p->shape_a);
    p->shape_b = allocate(p->count, sizeof *p->shape_b);
    p->results = allocate(p->count, sizeof *p->results);
    double **numbers[4] = {&p->vx, &p->vy, &p->times, &p->distances};
    for (int k = 0; k < 4; k++) *numbers[k] = allocate(p->count, sizeof(double));
    for (size_t i = 0; i < p->count; i++) {
        shape_make(p->kind_a, &state, &p->shape_a[i]);
        shape_make(p->kind_b, &state, &p->shape_b[i]);
        must(graze_planar_array_set(rows_a, p->count, i, p->kind_a, 0, &p->shape_a[i]));
        must(graze_planar_array_set(rows_b, p->count, i, p->kind_b, 0, &p->shape_b[i]));
        p->vx[i] = 4 * unit(&state) - 2;
        p->vy[i] = 4 * unit(&state) - 2;
    }
}

static void pairs_free(pairs *p) {
    free((void *)p->a.data), free((void *)p->b.data);
    free(p->shape_a), free(p->shape_b), free(p->results);
    free(p->vx), free(p->vy), free(p->times), free(p->distances);
}

static void run_batch(pairs *p) {
    must(graze_planar_approach_batch(&p->a, &p->b, p->vx, p->vy, HORIZON, p->times, p->distances));
}

static void run_single(pairs *p) {
    for (size_t i = 0; i < p->count; i++)
        must(graze_planar_approach(&p->shape_a[i], (graze_vec2){0, 0}, &p->shape_b[i],
                                   (graze_vec2){p->vx[i], p->vy[i]}, HORIZON, &p->results[i]));
}

static void run_inline_circles(pairs *p) {
    const double *a = p->a.data, *b = p->b.data;
    size_t n = p->count;
    for (size_t i = 0; i < n; i++)
        graze_planar_circles_approach((graze_vec2){a[i], a[n + i]}, a[2 * n + i],
                                      (graze_vec2){0, 0}, (graze_vec2){b[i], b[n + i]},
                                      b[2 * n + i], (graze_vec2){p->vx[i], p->vy[i]}, HORIZON,
                                      &p->results[i]);
}

static void run_inline_circle_capsule(pairs *p) {
    const double *a = p->a.data, *b = p->b.data;
    size_t n = p->count;
    for (size_t i = 0; i < n; i++)
        graze_planar_circle_capsule_approach(
            (graze_vec2){a[i], a[n + i]}, a[2 * n + i], (graze_vec2){0, 0},
            (graze_vec2){b[i], b[n + i]}, (graze_vec2){b[2 * n + i], b[3 * n + i]}, b[4 * n + i],
            (graze_vec2){p->vx[i], p->vy[i]}, HORIZON, &p->results[i]);
}

// Of this thread, so that what else the machine does costs less of the figure.
static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

typedef struct yardstick {
    gjk_yardstick *gjk;
    size_t count, rounds;
    double sum; ///< keeps the compiler from leaving anything out
} yardstick;

static double rate(size_t count, double start) {
    return 1e-6 * (double)count / (seconds() - start);
}

// For about as long as a repeat of a batch.
static double yardstick_rate(yardstick *y) {
    double start = seconds();
    y->sum += gjk_yardstick_run(y->gjk, y->rounds);
    return rate(y->count * y->rounds, start);
}

static void report(const options *o, const char *name, const char *form, double *rates,
                   double *ratios) {
    size_t n = (size_t)o->repeats;
    qsort(rates, n, sizeof *rates, by_value);
    qsort(ratios, n, sizeof *ratios, by_value);
    printf(o->csv ? "%s,%s,%.1f,%.1f,%.1f,%.1f\n" : "%-26s %-8s %8.1f %8.1f %8.1f %8.1f\n", name,
           form, rates[n / 2], rates[0], rates[n - 1], ratios[n / 2]);
    fflush(stdout);
}

// Each repeat runs for some milliseconds, so that the clock does not matter.
static void measure(const options *o, const char *name, const char *form, pairs *p,
                    void (*run)(pairs *), yardstick *y) {
    double rates[REPEATS_MAX], ratios[REPEATS_MAX];
    size_t rounds = 2000000 / p->count + 1;
    run(p);
    for (int k = 0; k < o->repeats; k++) {
        double start = seconds();
        for (size_t i = 0; i < rounds; i++) run(p);
        rates[k] = rate(rounds * p->count, start);
        ratios[k] = rates[k] / yardstick_rate(y);
    }
    report(o, name, form, rates, ratios);
}

// The yardsticks themselves, in units of the first.
static void measure_gjk(const options *o, const char *name, yardstick *y, yardstick *unit_of) {
    double rates[REPEATS_MAX], ratios[REPEATS_MAX];
    for (int k = 0; k < o->repeats; k++) {
        rates[k] = yardstick_rate(y);
        ratios[k] = rates[k] / yardstick_rate(unit_of);
    }
    report(o, name, "GJK", rates, ratios);
}

static yardstick yardstick_make(const options *o, int vertices) {
    size_t count = 512;
    return (yardstick){gjk_yardstick_new(vertices, count, o->seed), count, 128, 0};
}

static void parse(int argc, char **argv, options *o) {
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (!strcmp(argv[i], "--csv"))
            o->csv = true;
        else if (more && !strcmp(argv[i], "--pairs"))
            o->pairs = strtoull(argv[++i], NULL, 10);
        else if (more && !strcmp(argv[i], "--repeats"))
            o->repeats = atoi(argv[++i]);
        else if (more && !strcmp(argv[i], "--seed"))
            o->seed = strtoull(argv[++i], NULL, 10);
        else
            exit((fprintf(stderr, "unknown argument %s\n", argv[i]), 2));
    }
    if (o->pairs >= 1 && o->repeats >= 1 && o->repeats <= REPEATS_MAX) return;
    fprintf(stderr, "allowed: --pairs above 0, --repeats 1 to %d\n", REPEATS_MAX);
    exit(2);
}

int main(int argc, char **argv) {
    options o = {.pairs = 500, .repeats = 15, .seed = 1};
    parse(argc, argv, &o);
    static const struct {
        const char *name;
        graze_planar_kind a, b;
        void (*inlined)(pairs *);
    } kinds[] = {
        {"circle-circle", GRAZE_PLANAR_CIRCLE, GRAZE_PLANAR_CIRCLE, run_inline_circles},
        {"circle-capsule", GRAZE_PLANAR_CIRCLE, GRAZE_PLANAR_CAPSULE, run_inline_circle_capsule},
        {"circle-rounded rectangle", GRAZE_PLANAR_CIRCLE, GRAZE_PLANAR_RECTANGLE, NULL},
        {"capsule-capsule", GRAZE_PLANAR_CAPSULE, GRAZE_PLANAR_CAPSULE, NULL},
        {"capsule-rounded rectangle", GRAZE_PLANAR_CAPSULE, GRAZE_PLANAR_RECTANGLE, NULL},
        {"rounded rectangles", GRAZE_PLANAR_RECTANGLE, GRAZE_PLANAR_RECTANGLE, NULL},
    };
    yardstick squares = yardstick_make(&o, 4), octagons = yardstick_make(&o, 8);
    printf(o.csv ? "%s,%s,%s,%s,%s,%s\n" : "%-26s %-8s %8s %8s %8s %8s\n", "pair", "form",
           "Mpairs/s", "least", "most", "in GJKs");
    measure_gjk(&o, "4-gons, distance", &squares, &squares);
    measure_gjk(&o, "8-gons, distance", &octagons, &squares);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        pairs p = {.kind_a = kinds[k].a, .kind_b = kinds[k].b};
        pairs_make(&p, &o);
        measure(&o, kinds[k].name, "batch", &p, run_batch, &squares);
        if (kinds[k].inlined) measure(&o, kinds[k].name, "inline", &p, kinds[k].inlined, &squares);
        measure(&o, kinds[k].name, "single", &p, run_single, &squares);
        pairs_free(&p);
    }
    bool finite = isfinite(squares.sum + octagons.sum);
    gjk_yardstick_free(squares.gjk);
    gjk_yardstick_free(octagons.gjk);
    return finite ? 0 : 3;
}
