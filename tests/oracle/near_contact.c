// graze next to contact: along lines and along joints, bisected down to neighbouring doubles, every
// pose on the way against rational arithmetic at the snapped vertices (posed_mesh.h): the verdict
// and the lowest pair of triangles. FCL's answers at the same poses are counted beside; they never
// fail the test.
//
// usage: near_contact [--poses N] [--seed N] [--only TEXT]

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "near_contact.h"

// A parameter at which FCL was wrong.
typedef struct mistakes {
    double x[128];
    int count;
} mistakes;

enum { STEPS_MAX = 90 }; // a change at exactly 0 would be bisected down to the smallest doubles

static bool test_at(near_family *family, double x, near_tally *tally, mistakes *m) {
    bool fcl_wrong = false;
    bool overlap = family->evaluate(family, x, tally, &fcl_wrong);
    if (fcl_wrong && m->count < 128) m->x[m->count++] = x;
    return overlap;
}

// FCL's mistakes, by how far from the change between one and other they are. A touching pose at the
// end of the search is about to change too. (Where bodies slide along each other they are on the
// brink all the way: mistakes far from the change that was found.)
static void sort_mistakes(const mistakes *m, double one, double other, const double *touching,
                          near_tally *tally) {
    double low = nextafter(fmin(one, other), -INFINITY),
           high = nextafter(fmax(one, other), INFINITY);
    for (int i = 0; i < m->count; i++) {
        double x = m->x[i];
        if ((x >= low && x <= high) || (touching && x == *touching)) {
            tally->fcl_at++;
        } else {
            tally->fcl_beyond++;
            tally->fcl_farthest = fmax(tally->fcl_farthest, x < low ? low - x : x - high);
        }
    }
}

bool near_bisect(near_family *family, double one, double other, near_tally *tally) {
    mistakes m = {.count = 0};
    const double end = other, *touching = family->touching ? &end : NULL;
    bool verdict = test_at(family, one, tally, &m);
    if (test_at(family, other, tally, &m) == verdict) {
        sort_mistakes(&m, one, one, touching, tally);
        return false;
    }
    for (int step = 0; step < STEPS_MAX; step++) {
        double middle = one + 0.5 * (other - one);
        if (middle == one || middle == other) break;
        if (test_at(family, middle, tally, &m) == verdict)
            one = middle;
        else
            other = middle;
    }
    tally->changes += nextafter(one, other) == other;
    static const int ulps[] = {1, 2, 5};
    for (size_t i = 0; i < sizeof ulps / sizeof *ulps; i++) {
        double before = one, after = other;
        for (int k = 0; k < ulps[i]; k++) {
            before = nextafter(before, one < other ? -INFINITY : INFINITY);
            after = nextafter(after, one < other ? INFINITY : -INFINITY);
        }
        test_at(family, before, tally, &m);
        test_at(family, after, tally, &m);
    }
    sort_mistakes(&m, one, other, touching, tally);
    return true;
}

static void print_row(const char *name, const near_tally *t) {
    double share = t->poses ? 100 * (double)t->exact / (double)t->poses : 0;
    printf("%-44s %8" PRIu64 " %8" PRIu64 " %10" PRIu64 " %8.1f %8" PRIu64 " %8" PRIu64 " %8" PRIu64
           " %11.2g\n",
           name, t->poses, t->meeting, t->violations, share, t->changes, t->fcl_at, t->fcl_beyond,
           t->fcl_farthest);
    fflush(stdout);
}

static void add(near_tally *sum, const near_tally *t) {
    sum->poses += t->poses;
    sum->meeting += t->meeting;
    sum->violations += t->violations;
    sum->exact += t->exact;
    sum->fcl_at += t->fcl_at;
    sum->fcl_beyond += t->fcl_beyond;
    sum->fcl_farthest = fmax(sum->fcl_farthest, t->fcl_farthest);
    sum->changes += t->changes;
}

typedef struct table {
    const char *(*name)(size_t row);
    bool (*run)(size_t row, uint64_t poses, uint64_t seed, near_tally *tally);
} table;

static const table tables[] = {{near_lines_name, near_lines_run},
                               {near_joints_name, near_joints_run}};

static size_t count_rows(const char *only) {
    size_t rows = 0;
    for (size_t i = 0; i < 2; i++)
        for (size_t row = 0; tables[i].name(row); row++)
            rows += !only || strstr(tables[i].name(row), only) != NULL;
    return rows;
}

int main(int argc, char **argv) {
    uint64_t poses = 100000, seed = 1;
    const char *only = NULL;
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 < argc && !strcmp(argv[i], "--poses")) {
            poses = strtoull(argv[i + 1], NULL, 10);
        } else if (i + 1 < argc && !strcmp(argv[i], "--seed")) {
            seed = strtoull(argv[i + 1], NULL, 10);
        } else if (i + 1 < argc && !strcmp(argv[i], "--only")) {
            only = argv[i + 1];
        } else {
            fprintf(stderr, "usage: near_contact [--poses N] [--seed N] [--only TEXT]\n");
            return 2;
        }
    }
    size_t rows = count_rows(only);
    if (!rows) give_up(only, "no such row");
    printf("%-44s %8s %8s %10s %8s %8s %8s %8s %11s\n", "pair", "poses", "meeting", "violations",
           "exact %", "changes", "FCL 1ulp", "FCL more", "up to m/rad");
    near_tally sum = {0};
    size_t without_data = 0;
    for (size_t i = 0; i < 2; i++)
        for (size_t row = 0; tables[i].name(row); row++) {
            const char *name = tables[i].name(row);
            if (only && !strstr(name, only)) continue;
            near_tally t = {0};
            if (!tables[i].run(row, poses / rows + 1, seed, &t)) {
                without_data++;
                continue;
            }
            print_row(name, &t);
            add(&sum, &t);
        }
    print_row("all", &sum);
    if (without_data)
        printf("GRAZE_TEST_DATA is not set: %zu rows with real robots are skipped\n", without_data);
    // A search that never finds a change would prove nothing.
    return sum.violations != 0 || sum.changes == 0;
}
