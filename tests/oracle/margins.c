// graze next to its margins: pairs moved along lines and by joints, bisected down to neighbouring
// doubles, every pair on the way against rational squared distances: no FREE at or below the
// margin, no COLLISION beyond margin + epsilon (of meshes: beyond the margin). Besides, what
// collides at one margin collides at every greater one, and every way to ask gives one answer.
//
// usage: margins [--pairs N] [--seed N] [--only TEXT]

#include "margins.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "posed_mesh.h"

enum { STEPS_MAX = 72, STEPS_COARSE = 18 };

static bool test_at(margin_family *f, double x, margin_tally *tally) {
    tally->pairs++;
    return f->evaluate(f, x, tally);
}

bool margin_bisect(margin_family *f, double near, double far, margin_tally *tally) {
    if (!test_at(f, near, tally) || test_at(f, far, tally)) return false;
    for (int step = 0; step < STEPS_MAX; step++) {
        double middle = near + 0.5 * (far - near);
        if (middle == near || middle == far) break;
        tally->near += step >= STEPS_COARSE;
        if (test_at(f, middle, tally))
            near = middle;
        else
            far = middle;
    }
    tally->changes += nextafter(near, far) == far;
    static const int ulps[] = {1, 2, 5};
    for (size_t i = 0; i < sizeof ulps / sizeof *ulps; i++) {
        double before = near, after = far;
        for (int k = 0; k < ulps[i]; k++) {
            before = nextafter(before, near < far ? -INFINITY : INFINITY);
            after = nextafter(after, near < far ? INFINITY : -INFINITY);
        }
        test_at(f, before, tally);
        test_at(f, after, tally);
    }
    for (int i = 0; i < 8; i++) test_at(f, near + gz_random_range(f->random, -1e-6, 1e-6), tally);
    tally->near += 14;
    return true;
}

double margin_draw(gz_random *random) {
    static const double round[] = {1e-9, 1e-6, 0x1p-10, 0.01, 0.125, 0.25, 1};
    if (gz_random_below(random, 4) == 0) return round[gz_random_below(random, 7)];
    return pow(10, gz_random_range(random, -9, 0));
}

void margin_draw_direction(gz_random *random, double d[3]) {
    double size = 0;
    while (!(size > 0.1)) {
        bool straight = gz_random_below(random, 3) == 0;
        size = 0;
        for (int k = 0; k < 3; k++) {
            d[k] = straight ? gz_random_below(random, 3) - 1.0 : gz_random_range(random, -1, 1);
            size = fmax(size, fabs(d[k]));
        }
    }
}

static void print_row(const char *name, const margin_tally *t) {
    printf("%-40s %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %8.1f %8" PRIu64 " %8" PRIu64 " %10" PRIu64
           "\n",
           name, t->pairs, t->near, t->collisions,
           t->pairs ? 100 * (double)t->exact / (double)t->pairs : 0, t->excess, t->changes,
           t->violations);
    fflush(stdout);
}

static void add(margin_tally *sum, const margin_tally *t) {
    sum->pairs += t->pairs;
    sum->near += t->near;
    sum->collisions += t->collisions;
    sum->exact += t->exact;
    sum->excess += t->excess;
    sum->changes += t->changes;
    sum->violations += t->violations;
}

/// A table of rows, and its share of the pairs.
static const struct table {
    const char *(*name)(size_t row);
    void (*run)(size_t row, uint64_t pairs, uint64_t seed, margin_tally *tally);
    double share;
} tables[] = {{margin_triangles_name, margin_triangles_run, 0.75},
              {margin_shapes_name, margin_shapes_run, 0.24},
              {margin_robot_name, margin_robot_run, 0.01}};

int main(int argc, char **argv) {
    uint64_t pairs = 100000, seed = 1;
    const char *only = NULL;
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 < argc && !strcmp(argv[i], "--pairs")) {
            pairs = strtoull(argv[i + 1], NULL, 10);
        } else if (i + 1 < argc && !strcmp(argv[i], "--seed")) {
            seed = strtoull(argv[i + 1], NULL, 10);
        } else if (i + 1 < argc && !strcmp(argv[i], "--only")) {
            only = argv[i + 1];
        } else {
            fprintf(stderr, "usage: margins [--pairs N] [--seed N] [--only TEXT]\n");
            return 2;
        }
    }
    printf("%-40s %9s %9s %9s %8s %8s %8s %10s\n", "row", "pairs", "near", "collide", "exact %",
           "excess", "changes", "violations");
    margin_tally sum = {0};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        size_t rows = 0;
        while (tables[i].name(rows)) rows++;
        for (size_t row = 0; row < rows; row++) {
            const char *name = tables[i].name(row);
            if (only && !strstr(name, only)) continue;
            margin_tally t = {0};
            tables[i].run(row, (uint64_t)(tables[i].share * (double)pairs) / rows + 1, seed, &t);
            print_row(name, &t);
            add(&sum, &t);
        }
    }
    if (!sum.pairs) give_up(only, "no such row");
    print_row("all", &sum);
    // A search that never finds a change would prove nothing.
    return sum.violations != 0 || sum.changes == 0;
}
