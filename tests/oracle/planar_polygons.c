// Compares gz_convex_overlap(), and gz_cspace_blocked() at the origin, with exact
// arithmetic, in both orders of the arguments.
//
// The oracle: closed convex sets A and B have a common point where an edge of A has one with B, or
// B lies inside A. An edge p + t (q - p) is cut by the half planes of B, each a bound of t that is
// a ratio of two exact integers (Cyrus and Beck 1978); the coordinates are scaled to integers of
// GMP. Points and segments are cut by the half planes through their ends besides.

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "planar/convex/convex_internal.h"
#include "polygon_oracle.h"

#define VERTEX_MAX POLYGON_ORACLE_MAX
#define SHOWN_MAX  10

typedef polygon_oracle_polygon polygon;

// --------------------------------------------------------------------------------------- cases

static double range(gz_random *r, double low, double high) {
    return gz_random_range(r, low, high);
}

static bool hull(polygon *p) {
    graze_vec2 points[VERTEX_MAX + 1];
    for (int32_t i = 0; i < p->count; i++) {
        if (!gz_planar_point_ok(p->v[i])) return false;
        points[i] = gz_planar_snap(p->v[i]);
    }
    gz_planar_sort(points, (size_t)p->count);
    graze_vec2 corners[VERTEX_MAX + 1];
    p->count = (int32_t)gz_planar_hull_of_sorted(corners, points, (size_t)p->count);
    memcpy(p->v, corners, (size_t)p->count * sizeof *corners);
    return true;
}

/// The hull of `points` points in a box about a middle.
static void scatter(gz_random *r, polygon *p, int32_t points, double x, double y, double half) {
    p->count = points;
    for (int32_t i = 0; i < points; i++) {
        p->v[i] = (graze_vec2){x + range(r, -half, half), y + range(r, -half, half)};
    }
}

static void scatter_grid(gz_random *r, polygon *p, int32_t points, uint32_t size) {
    p->count = points;
    for (int32_t i = 0; i < points; i++) {
        p->v[i] = (graze_vec2){(double)gz_random_below(r, size), (double)gz_random_below(r, size)};
    }
}

static int32_t some(gz_random *r, int32_t low, int32_t high) {
    return low + (int32_t)gz_random_below(r, (uint32_t)(high - low + 1));
}

static void make_random(gz_random *r, polygon *a, polygon *b) {
    scatter(r, a, some(r, 3, 12), 0, 0, 1);
    scatter(r, b, some(r, 3, 12), range(r, -2, 2), range(r, -2, 2), range(r, 0.1, 1));
}

static void make_grid(gz_random *r, polygon *a, polygon *b) {
    scatter_grid(r, a, some(r, 1, 8), 9);
    scatter_grid(r, b, some(r, 1, 8), 9);
    for (int32_t i = 0; i < b->count; i++) b->v[i].x += (double)some(r, 0, 1) * 4;
}

/// The same grid far away, where differences are exact and products are not.
static void make_far_grid(gz_random *r, polygon *a, polygon *b) {
    make_grid(r, a, b);
    double scale = ldexp(1, some(r, -20, 20)), far = ldexp(range(r, 1, 2), some(r, 0, 45));
    for (int32_t i = 0; i < a->count; i++) {
        a->v[i] = (graze_vec2){a->v[i].x * scale + far, a->v[i].y * scale - far};
    }
    for (int32_t i = 0; i < b->count; i++) {
        b->v[i] = (graze_vec2){b->v[i].x * scale + far, b->v[i].y * scale - far};
    }
}

/// B has a vertex of A.
static void make_shared_vertex(gz_random *r, polygon *a, polygon *b) {
    scatter(r, a, some(r, 3, 8), 0, 0, 1);
    hull(a);
    graze_vec2 v = a->v[gz_random_below(r, (uint32_t)a->count)];
    scatter(r, b, some(r, 3, 8), 2 * v.x, 2 * v.y, 1);
    b->v[0] = v;
}

/// B has an edge of A, and its other points beyond it.
static void make_shared_edge(gz_random *r, polygon *a, polygon *b) {
    scatter(r, a, some(r, 3, 8), 0, 0, 1);
    hull(a);
    uint32_t i = gz_random_below(r, (uint32_t)a->count);
    graze_vec2 p = a->v[i], q = a->v[(i + 1) % (uint32_t)a->count];
    b->count = some(r, 2, 6);
    b->v[0] = p;
    b->v[1] = q;
    for (int32_t k = 2; k < b->count; k++) {
        double t = range(r, 0, 1), away = range(r, 0, 1);
        b->v[k] = (graze_vec2){p.x + t * (q.x - p.x) + away * (q.y - p.y),
                               p.y + t * (q.y - p.y) - away * (q.x - p.x)};
    }
}

/// A vertex of B on an edge of A, as well as doubles know; some ulps off at times.
static void make_vertex_on_edge(gz_random *r, polygon *a, polygon *b) {
    make_shared_edge(r, a, b);
    graze_vec2 p = b->v[0], q = b->v[1];
    double t = range(r, 0, 1);
    for (int32_t k = 0; k < b->count; k++) {
        double away = k == 0 ? 0 : range(r, 0.1, 1);
        if (k > 0) t = range(r, 0, 1);
        b->v[k] = (graze_vec2){p.x + t * (q.x - p.x) + away * (q.y - p.y),
                               p.y + t * (q.y - p.y) - away * (q.x - p.x)};
    }
    for (int32_t n = some(r, 0, 3); n > 0; n--) {
        double *c = some(r, 0, 1) ? &b->v[0].x : &b->v[0].y;
        *c = nextafter(*c, some(r, 0, 1) ? 10 : -10);
    }
}

static void make_contained(gz_random *r, polygon *a, polygon *b) {
    scatter(r, a, some(r, 3, 10), 0, 0, 1);
    hull(a);
    graze_vec2 m = {0, 0};
    for (int32_t i = 0; i < a->count; i++) {
        m.x += a->v[i].x / a->count;
        m.y += a->v[i].y / a->count;
    }
    double size = range(r, 0.01, 0.999);
    b->count = a->count;
    for (int32_t i = 0; i < a->count; i++) {
        b->v[i] = (graze_vec2){m.x + size * (a->v[i].x - m.x), m.y + size * (a->v[i].y - m.y)};
    }
}

/// Points and segments, many on one line.
static void make_degenerate(gz_random *r, polygon *a, polygon *b) {
    scatter_grid(r, a, some(r, 1, 2), 5);
    scatter_grid(r, b, some(r, 1, 3), 5);
    if (some(r, 0, 1)) {
        graze_vec2 d = {range(r, -1, 1), range(r, -1, 1)};
        double k = ldexp(1, some(r, -3, 3));
        for (int32_t i = 0; i < a->count + b->count; i++) {
            graze_vec2 *v = i < a->count ? &a->v[i] : &b->v[i - a->count];
            double t = k * (double)some(r, 0, 6);
            *v = (graze_vec2){t * d.x, t * d.y};
        }
    }
}

/// Slivers that nearly touch.
static void make_sliver(gz_random *r, polygon *a, polygon *b) {
    double thin = ldexp(1, -some(r, 10, 50)), gap = ldexp((double)some(r, -2, 2), -some(r, 40, 54));
    graze_vec2 d = {range(r, -1, 1), range(r, -1, 1)};
    for (int side = 0; side < 2; side++) {
        polygon *p = side ? b : a;
        p->count = 3;
        for (int i = 0; i < 3; i++) {
            double t = range(r, -1, 1), off = side ? gap - thin * range(r, 0, 1) * (i == 2)
                                                   : thin * range(r, 0, 1) * (i == 2);
            p->v[i] = (graze_vec2){t * d.x - off * d.y, t * d.y + off * d.x};
        }
    }
}

static void make_scales(gz_random *r, polygon *a, polygon *b) {
    int which = some(r, 0, 5);
    if (which == 0) make_grid(r, a, b);
    if (which == 1) make_vertex_on_edge(r, a, b);
    if (which == 2) make_shared_edge(r, a, b);
    if (which == 3) make_sliver(r, a, b);
    if (which == 4) make_degenerate(r, a, b);
    if (which == 5) make_random(r, a, b);
    int e = some(r, -40, 90), spread = some(r, 0, 1) ? 0 : some(r, -40, 5);
    for (int32_t i = 0; i < a->count; i++) {
        a->v[i] = (graze_vec2){ldexp(a->v[i].x, e), ldexp(a->v[i].y, e)};
    }
    for (int32_t i = 0; i < b->count; i++) {
        b->v[i] = (graze_vec2){ldexp(b->v[i].x, e + spread), ldexp(b->v[i].y, e + spread)};
    }
}

static void make_many(gz_random *r, polygon *a, polygon *b) {
    for (int side = 0; side < 2; side++) {
        polygon *p = side ? b : a;
        double x = side ? range(r, -2.2, 2.2) : 0, y = side ? range(r, -2.2, 2.2) : 0;
        p->count = some(r, 15, 40);
        for (int32_t i = 0; i < p->count; i++) {
            double angle = range(r, 0, 6.283);
            p->v[i] = (graze_vec2){x + cos(angle), y + sin(angle)};
        }
    }
}

typedef struct category {
    const char *name;
    void (*make)(gz_random *r, polygon *a, polygon *b);
} category;

static const category categories[] = {
    {"random", make_random},           {"small grid", make_grid},
    {"far grid", make_far_grid},       {"shared vertex", make_shared_vertex},
    {"shared edge", make_shared_edge}, {"vertex on edge", make_vertex_on_edge},
    {"contained", make_contained},     {"points, segments", make_degenerate},
    {"slivers", make_sliver},          {"scales", make_scales},
    {"many vertices", make_many},
};
#define CATEGORY_COUNT (sizeof categories / sizeof *categories)

// ----------------------------------------------------------------------------------------- run

typedef struct tally {
    uint64_t pairs, meeting, wrong[2], refused;
} tally;

static void show(const char *what, const polygon *a, const polygon *b) {
    static int shown;
    if (shown++ >= SHOWN_MAX) return;
    fprintf(stderr, "%s\n", what);
    for (int side = 0; side < 2; side++) {
        const polygon *p = side ? b : a;
        fprintf(stderr, " %c", 'a' + side);
        for (int32_t i = 0; i < p->count; i++) fprintf(stderr, " (%a,%a)", p->v[i].x, p->v[i].y);
        fprintf(stderr, "\n");
    }
}

static void check_pair(polygon_oracle *o, const category *c, const polygon *a, const polygon *b,
                       tally *t) {
    gz_convex ca, cb;
    if (gz_convex_make(&ca, a->v, a->count, NULL) || gz_convex_make(&cb, b->v, b->count, NULL)) {
        t->refused++;
        return;
    }
    const graze_vec2 here = {0, 0};
    bool truth = polygon_oracle_overlap(o, a, b, here);
    t->pairs++;
    t->meeting += truth;
    for (int m = 0; m < 2; m++) {
        bool there = m == 0 ? gz_convex_overlap(&ca, &cb) : gz_cspace_blocked(&ca, &cb, here);
        bool back = m == 0 ? gz_convex_overlap(&cb, &ca) : gz_cspace_blocked(&cb, &ca, here);
        if (there == truth && back == truth) continue;
        t->wrong[m]++;
        show(c->name, a, b);
    }
}

int main(int argc, char **argv) {
    uint64_t pairs = 1000000, seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--pairs") == 0) pairs = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--seed") == 0) seed = strtoull(argv[i + 1], NULL, 10);
    }
    polygon_oracle *o = polygon_oracle_create();
    if (!o) return 1;
    tally all = {0};
    uint64_t wrong = 0;
    printf("%-18s %10s %10s %8s %8s %8s\n", "category", "pairs", "meeting", "axes", "minkowsk",
           "refused");
    for (size_t k = 0; k < CATEGORY_COUNT; k++) {
        gz_random random = gz_random_make(seed, k);
        tally t = {0};
        for (uint64_t i = k; i < pairs; i += CATEGORY_COUNT) {
            polygon a, b;
            categories[k].make(&random, &a, &b);
            if (hull(&a) && hull(&b)) check_pair(o, &categories[k], &a, &b, &t);
        }
        printf("%-18s %10llu %10llu %8llu %8llu %8llu\n", categories[k].name,
               (unsigned long long)t.pairs, (unsigned long long)t.meeting,
               (unsigned long long)t.wrong[0], (unsigned long long)t.wrong[1],
               (unsigned long long)t.refused);
        all.pairs += t.pairs;
        all.meeting += t.meeting;
        wrong += t.wrong[0] + t.wrong[1];
        all.refused += t.refused;
    }
    printf("%llu pairs, %llu meeting, %llu refused: %llu wrong\n", (unsigned long long)all.pairs,
           (unsigned long long)all.meeting, (unsigned long long)all.refused,
           (unsigned long long)wrong);
    polygon_oracle_free(o);
    return wrong > 0 || all.refused > all.pairs / 20;
}
