// Two triangles, one of them moved along a line.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "margins.h"
#include "narrow/triangle/triangle.h"
#include "triangle_cases.h"

typedef struct line {
    margin_family family;
    rational_distance *distance;
    const char *name;
    double a[9], b[9], direction[3];
    double margin;
} line;

const char *margin_triangles_name(size_t row) {
    static char name[64];
    if (row >= (size_t)triangle_category_count) return NULL;
    snprintf(name, sizeof name, "triangles: %s", triangle_categories[row].name);
    return name;
}

// As the contract snaps.
static double snap(double x) {
    return fabs(x) < 0x1p-100 ? 0 : x;
}

static bool query(const double a[9], const double b[9], double margin, gz_triangle_stats *stats) {
    double t[2][3][3];
    memcpy(t[0], a, sizeof t[0]);
    memcpy(t[1], b, sizeof t[1]);
    return gz_triangles_overlap_exact(GZ_CORNERS(t[0]), GZ_CORNERS(t[1]), NULL) ||
           gz_triangles_near(GZ_CORNERS(t[0]), GZ_CORNERS(t[1]), margin, stats);
}

// The same with corners and arguments in another order.
static bool query_turned(const double a[9], const double b[9], double margin, gz_random *random) {
    double t[2][9];
    const double *from[2] = {a, b};
    for (int side = 0; side < 2; side++) {
        uint32_t first = gz_random_below(random, 3), step = 1 + gz_random_below(random, 2);
        for (uint32_t i = 0; i < 3; i++)
            memcpy(t[side] + 3 * i, from[side] + 3 * ((first + step * i) % 3), 3 * sizeof(double));
    }
    bool swap = gz_random_below(random, 2) != 0;
    return query(t[swap ? 1 : 0], t[swap ? 0 : 1], margin, NULL);
}

static void report(const line *l, const double b[9], bool mine, bool oracle) {
    printf("violation: %s, margin %a: graze %s, oracle %s\n ", l->name, l->margin,
           mine ? "near" : "far", oracle ? "near" : "far");
    for (int i = 0; i < 9; i++) printf(" %a", l->a[i]);
    for (int i = 0; i < 9; i++) printf(" %a", b[i]);
    printf("\n");
}

static bool evaluate(margin_family *family, double x, margin_tally *tally) {
    line *l = (line *)family;
    double b[9];
    for (int i = 0; i < 9; i++) b[i] = snap(l->b[i] + x * l->direction[i % 3]);
    bool oracle = rational_distance_within(l->distance, l->a, b, &l->margin, 1);
    gz_triangle_stats stats = {0};
    bool mine = query(l->a, b, l->margin, &stats), good = mine == oracle;
    good = good && query_turned(l->a, b, l->margin, family->random) == mine;
    // Greater margins, from one ulp to twice.
    double greater = l->margin * (1 + pow(2, -gz_random_range(family->random, 0, 52)));
    good = good && (!mine || query(l->a, b, greater, NULL));
    if (!good) report(l, b, mine, oracle);
    tally->collisions += mine;
    tally->exact += stats.exact_tests != 0;
    tally->violations += !good;
    return oracle;
}

static bool in_range(const double t[9]) {
    for (int i = 0; i < 9; i++)
        if (!(fabs(t[i]) <= 1e6)) return false;
    return true;
}

void margin_triangles_run(size_t row, uint64_t pairs, uint64_t seed, margin_tally *tally) {
    gz_random random = gz_random_make(seed, 1000 + row);
    line l = {.family = {evaluate, &random},
              .distance = rational_distance_create(),
              .name = triangle_categories[row].name};
    for (int tries = 0; tally->pairs < pairs && tries < 1000000; tries++) {
        triangle_categories[row].make(&random, l.a, l.b);
        if (!in_range(l.a) || !in_range(l.b)) continue;
        double size = 0;
        uint32_t i = gz_random_below(&random, 3), j = gz_random_below(&random, 3);
        for (int k = 0; k < 9; k++) {
            l.a[k] = snap(l.a[k]);
            size = fmax(size, fmax(fabs(l.a[k] - l.a[k % 3]), fabs(l.b[k] - l.b[k % 3])));
        }
        // The parameter 0 is a touching pair.
        double shift[3];
        for (uint32_t k = 0; k < 3; k++) shift[k] = l.a[3 * i + k] - l.b[3 * j + k];
        for (int k = 0; k < 9; k++) l.b[k] = snap(l.b[k] + shift[k % 3]);
        l.margin = margin_draw(&random);
        if (size > 1000) continue; // would leave the range of snapped coordinates
        margin_draw_direction(&random, l.direction);
        margin_bisect(&l.family, 0, 30 * (size + l.margin), tally);
    }
    rational_distance_free(l.distance);
}
