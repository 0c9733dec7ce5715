// The triangle test: cases made by hand, whose answer is plain, each in all 72 orders; classes of
// input that published tests get wrong; the public functions' ranges and failures.

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "graze/geometry.h"
#include "narrow/triangle/triangle.h"

typedef struct triangle_case {
    const char *name;
    double a[9], b[9];
    bool hit;
    int count; // points of the segment, where they meet
    double segment[6];
} triangle_case;

static void reorder(const double t[9], int order, double out[9]) {
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                     {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    for (int i = 0; i < 3; i++) memcpy(out + 3 * i, t + 3 * orders[order][i], 3 * sizeof *t);
}

static bool near(const double a[6], const double b[6], double tolerance) {
    for (int i = 0; i < 6; i++) {
        if (!(fabs(a[i] - b[i]) <= tolerance)) return false;
    }
    return true;
}

// One order of corners, both orders of arguments.
static void check_order(const triangle_case *c, const double a[9], const double b[9]) {
    for (int swap = 0; swap < 2; swap++) {
        const double *p = swap ? b : a, *q = swap ? a : b;
        bool overlap = !c->hit;
        double segment[6] = {NAN, NAN, NAN, NAN, NAN, NAN}, ends[2][3];
        bool right = graze_triangles_overlap(p, q) == c->hit &&
                     graze_triangles_overlap_checked(p, q, &overlap, segment) == GRAZE_OK &&
                     overlap == c->hit;
        if (c->hit) {
            right = right && near(segment, c->segment, 1e-15) &&
                    gz_triangles_segment(GZ_CORNERS(p), GZ_CORNERS(q), ends) == c->count &&
                    memcmp(ends, segment, sizeof ends) == 0;
        } else {
            right = right && isnan(segment[0]) && isnan(segment[5]);
        }
        if (!right) {
            fail_msg("%s: overlap %d, segment %g %g %g, %g %g %g", c->name, overlap, segment[0],
                     segment[1], segment[2], segment[3], segment[4], segment[5]);
        }
    }
}

static void check_cases(const triangle_case *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        for (int order = 0; order < 36; order++) {
            double a[9], b[9];
            reorder(cases[i].a, order / 6, a);
            reorder(cases[i].b, order % 6, b);
            check_order(&cases[i], a, b);
        }
    }
}
#define CHECK_CASES(cases) check_cases(cases, sizeof cases / sizeof *cases)

// ------------------------------------------------------------------------------- cases by hand

static void test_triangles_in_two_planes(void **state) {
    (void)state;
    static const triangle_case cases[] = {
        {"pierced",
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         {1, 1, -1, 1, 1, 1, 1, 5, 1},
         true,
         2,
         {1, 1, 0, 1, 3, 0}},
        {"pierced within",
         {0, 0, 0, 8, 0, 0, 0, 8, 0},
         {1, 1, -1, 1, 1, 1, 1, 3, 1},
         true,
         2,
         {1, 1, 0, 1, 2, 0}},
        {"one interval after the other",
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         {1, 4, -1, 1, 4, 1, 1, 9, 1},
         false,
         0,
         {0}},
        {"intervals touch",
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         {1, 3, -1, 1, 3, 1, 1, 9, 1},
         true,
         1,
         {1, 3, 0, 1, 3, 0}},
        {"parallel planes",
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         {0, 0, 1, 4, 0, 1, 0, 4, 1},
         false,
         0,
         {0}},
        {"corner above the face touches it",
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         {1, 1, 0, 1, 2, 1, 2, 1, 1},
         true,
         1,
         {1, 1, 0, 1, 1, 0}},
        {"corner one ulp above the face",
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         {1, 1, 0x1p-52, 1, 2, 1, 2, 1, 1},
         false,
         0,
         {0}},
        {"corner on the plane, beside the face",
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         {3, 3, 0, 1, 2, 1, 2, 1, 1},
         false,
         0,
         {0}},
        {"corner on the edge of the face",
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         {2, 2, 0, 3, 2, 1, 2, 3, 1},
         true,
         1,
         {2, 2, 0, 2, 2, 0}},
        {"corner on corner",
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         {0, 0, 0, -1, 2, 1, -2, 1, 3},
         true,
         1,
         {0, 0, 0, 0, 0, 0}},
        {"edge lies on the face",
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         {1, 1, 0, 1, 2, 0, 1, 1, 5},
         true,
         2,
         {1, 1, 0, 1, 2, 0}},
        {"edge lies on the face and beyond",
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         {1, -1, 0, 1, 9, 0, 1, 1, 5},
         true,
         2,
         {1, 0, 0, 1, 3, 0}},
        {"edge lies in the plane, past a corner",
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         {-1, 1, 0, 1, -1, 0, 3, 3, 5},
         true,
         1,
         {0, 0, 0, 0, 0, 0}},
        {"edge lies in the plane, beside",
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         {5, 0, 0, 0, 5, 0, 0, 0, 5},
         false,
         0,
         {0}},
        {"shared edge",
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         {0, 0, 0, 4, 0, 0, 1, 1, 3},
         true,
         2,
         {0, 0, 0, 4, 0, 0}},
        {"part of an edge shared",
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         {3, 0, 0, 7, 0, 0, 1, 1, 3},
         true,
         2,
         {3, 0, 0, 4, 0, 0}},
        {"edges cross in a point",
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         {1, 0, -1, 1, 0, 1, 1, -3, 0},
         true,
         1,
         {1, 0, 0, 1, 0, 0}},
        {"edges cross within both",
         {0, 0, 0, 2, 2, 0, 0, 4, -1},
         {2, 0, 0, 0, 2, 0, 2, 0, 4},
         true,
         1,
         {1, 1, 0, 1, 1, 0}},
    };
    CHECK_CASES(cases);
}

static void test_triangles_in_one_plane(void **state) {
    (void)state;
    static const triangle_case cases[] = {
        {"one inside the other",
         {0, 0, 1, 9, 0, 1, 0, 9, 1},
         {1, 1, 1, 4, 1, 1, 1, 2, 1},
         true,
         2,
         {1, 2, 1, 4, 1, 1}},
        {"the same",
         {0, 0, 1, 3, 0, 1, 0, 4, 1},
         {0, 0, 1, 3, 0, 1, 0, 4, 1},
         true,
         2,
         {0, 4, 1, 3, 0, 1}},
        {"a star: no corner in the other",
         {0, 0, 0, 12, 0, 0, 6, 6, 0},
         {0, 4, 0, 12, 4, 0, 6, -2, 0},
         true,
         2,
         {2, 2, 0, 10, 2, 0}},
        {"apart", {0, 0, 1, 3, 0, 1, 0, 4, 1}, {4, 0, 1, 5, 0, 1, 4, 1, 1}, false, 0, {0}},
        {"apart, boxes overlap",
         {0, 0, 1, 4, 0, 1, 0, 4, 1},
         {4, 4, 1, 4, 1, 1, 1, 4, 1},
         false,
         0,
         {0}},
        {"edges touch along a part",
         {0, 0, 1, 4, 0, 1, 0, 4, 1},
         {4, 4, 1, 3, 1, 1, 1, 3, 1},
         true,
         2,
         {1, 3, 1, 3, 1, 1}},
        {"corners touch",
         {0, 0, 1, 3, 0, 1, 0, 4, 1},
         {3, 0, 1, 5, 0, 1, 4, -1, 1},
         true,
         1,
         {3, 0, 1, 3, 0, 1}},
        {"corner touches edge",
         {0, 0, 1, 4, 0, 1, 0, 4, 1},
         {2, 2, 1, 3, 5, 1, 5, 3, 1},
         true,
         1,
         {2, 2, 1, 2, 2, 1}},
        {"slanted plane z = x + y",
         {0, 0, 0, 4, 0, 4, 0, 4, 4},
         {0.5, 0.5, 1, 2, 1, 3, 1, 1.5, 2.5},
         true,
         2,
         {0.5, 0.5, 1, 2, 1, 3}},
        {"slanted plane, apart by an ulp",
         {0, 0, 0, 1, 0, 1, 0, 1, 1},
         {0x1.0000000000001p0, 0, 0x1.0000000000001p0, 2, 0, 2, 2, 1, 3},
         false,
         0,
         {0}},
        {"vertical plane x = 1",
         {1, 0, 0, 1, 4, 0, 1, 0, 4},
         {1, 1, 1, 1, 5, 1, 1, 1, 5},
         true,
         2,
         {1, 1, 3, 1, 3, 1}},
    };
    CHECK_CASES(cases);
}

static void test_triangles_without_area(void **state) {
    (void)state;
    static const triangle_case cases[] = {
        {"segment pierces",
         {1, 1, -1, 1, 1, 3, 1, 1, 0},
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         true,
         1,
         {1, 1, 0, 1, 1, 0}},
        {"segment ends above",
         {1, 1, 1, 1, 1, 3, 1, 1, 2},
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         false,
         0,
         {0}},
        {"segment passes beside",
         {3, 3, -1, 3, 3, 3, 3, 3, 0},
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         false,
         0,
         {0}},
        {"segment crosses an edge",
         {2, 2, -1, 2, 2, 3, 2, 2, 3},
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         true,
         1,
         {2, 2, 0, 2, 2, 0}},
        {"segment through a corner",
         {0, 0, -1, 0, 0, 3, 0, 0, -1},
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         true,
         1,
         {0, 0, 0, 0, 0, 0}},
        {"segment in the plane, through",
         {-1, 1, 0, 9, 1, 0, 4, 1, 0},
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         true,
         2,
         {0, 1, 0, 3, 1, 0}},
        {"segment in the plane, within",
         {1, 1, 0, 2, 1, 0, 1, 1, 0},
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         true,
         2,
         {1, 1, 0, 2, 1, 0}},
        {"segment in the plane, beside",
         {5, 0, 0, 0, 5, 0, 0, 5, 0},
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         false,
         0,
         {0}},
        {"segment on an edge and beyond",
         {3, 0, 0, 7, 0, 0, 5, 0, 0},
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         true,
         2,
         {3, 0, 0, 4, 0, 0}},
        {"point in the face",
         {1, 1, 0, 1, 1, 0, 1, 1, 0},
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         true,
         1,
         {1, 1, 0, 1, 1, 0}},
        {"point in the plane, beside",
         {3, 3, 0, 3, 3, 0, 3, 3, 0},
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         false,
         0,
         {0}},
        {"point one ulp above",
         {1, 1, 0x1p-52, 1, 1, 0x1p-52, 1, 1, 0x1p-52},
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         false,
         0,
         {0}},
        {"point on a corner",
         {4, 0, 0, 4, 0, 0, 4, 0, 0},
         {0, 0, 0, 4, 0, 0, 0, 4, 0},
         true,
         1,
         {4, 0, 0, 4, 0, 0}},
        {"segments cross",
         {0, 0, 0, 2, 2, 2, 1, 1, 1},
         {2, 0, 1, 0, 2, 1, 2, 0, 1},
         true,
         1,
         {1, 1, 1, 1, 1, 1}},
        {"segments pass each other",
         {0, 0, 0, 2, 2, 2, 1, 1, 1},
         {2, 0, 2, 0, 2, 2, 2, 0, 2},
         false,
         0,
         {0}},
        {"segments in a plane, apart",
         {0, 0, 0, 2, 2, 2, 1, 1, 1},
         {4, 0, 1, 3, 1, 1, 4, 0, 1},
         false,
         0,
         {0}},
        {"segments on a line overlap",
         {0, 0, 0, 2, 4, 6, 1, 2, 3},
         {1, 2, 3, 3, 6, 9, 2, 4, 6},
         true,
         2,
         {1, 2, 3, 2, 4, 6}},
        {"segments on a line touch",
         {0, 0, 0, 2, 4, 6, 1, 2, 3},
         {2, 4, 6, 3, 6, 9, 2, 4, 6},
         true,
         1,
         {2, 4, 6, 2, 4, 6}},
        {"segments on a line, apart",
         {0, 0, 0, 1, 2, 3, 1, 2, 3},
         {2, 4, 6, 3, 6, 9, 2, 4, 6},
         false,
         0,
         {0}},
        {"segments parallel",
         {0, 0, 0, 1, 2, 3, 1, 2, 3},
         {0, 0, 1, 1, 2, 4, 1, 2, 4},
         false,
         0,
         {0}},
        {"segments meet in ends",
         {0, 0, 0, 1, 2, 3, 0, 0, 0},
         {1, 2, 3, 5, 5, 5, 3, 3.5, 4},
         true,
         1,
         {1, 2, 3, 1, 2, 3}},
        {"point on a segment",
         {1, 2, 3, 1, 2, 3, 1, 2, 3},
         {0, 0, 0, 2, 4, 6, 0, 0, 0},
         true,
         1,
         {1, 2, 3, 1, 2, 3}},
        {"point beside a segment",
         {1, 2, 4, 1, 2, 4, 1, 2, 4},
         {0, 0, 0, 2, 4, 6, 0, 0, 0},
         false,
         0,
         {0}},
        {"point beyond a segment",
         {3, 6, 9, 3, 6, 9, 3, 6, 9},
         {0, 0, 0, 2, 4, 6, 0, 0, 0},
         false,
         0,
         {0}},
        {"equal points",
         {1, 2, 3, 1, 2, 3, 1, 2, 3},
         {1, 2, 3, 1, 2, 3, 1, 2, 3},
         true,
         1,
         {1, 2, 3, 1, 2, 3}},
        {"two points", {1, 2, 3, 1, 2, 3, 1, 2, 3}, {1, 2, 4, 1, 2, 4, 1, 2, 4}, false, 0, {0}},
        {"zeros of both signs are one point",
         {0, 0, 0, 0, 0, 0, 0, 0, 0},
         {-0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0},
         true,
         1,
         {0, 0, 0, 0, 0, 0}},
    };
    CHECK_CASES(cases);
}

// ------------------------------------------------------------ what published tests get wrong

// Rejecting tolerances that are not relative to the size call everything small a hit.
static void test_small_triangles_a_fraction_apart_are_apart(void **state) {
    (void)state;
    for (double size = 1; size > 1e-30; size /= 10) {
        double a[9] = {0, 0, 0, size, 0, 0, 0, size, 0};
        double b[9] = {0, 0, 0, size, 0, 0, 0, size, size};
        for (int i = 2; i < 9; i += 3) b[i] += 1e-3 * size;
        assert_false(graze_triangles_overlap(a, b));
        for (int i = 2; i < 9; i += 3) b[i] -= 2e-3 * size;
        assert_true(graze_triangles_overlap(a, b));
    }
}

static void test_verdicts_do_not_change_far_from_the_origin(void **state) {
    (void)state;
    const double ulp = 0x1p-43; // at 1000
    for (int step = -3; step <= 3; step++) {
        double a[9] = {1000, 1000, 1000, 1000.5, 1000, 1000, 1000, 1000.5, 1000};
        double b[9] = {1000.125, 1000.125, 1000 + step * ulp, 1000.125, 1000.25,
                       1001,     1000.25,  1000.125,          1001};
        assert_int_equal(graze_triangles_overlap(a, b), step <= 0);
    }
}

static void test_neighbours_in_a_mesh_overlap(void **state) {
    (void)state;
    gz_random r = gz_random_make(7, 0);
    for (int i = 0; i < 20000; i++) {
        double a[9], b[9];
        for (int k = 0; k < 9; k++) {
            a[k] = gz_random_range(&r, -1, 1) * pow(10, gz_random_range(&r, -6, 6));
            b[k] = gz_random_range(&r, -1, 1) * pow(10, gz_random_range(&r, -6, 6));
        }
        memcpy(b + 3, a + 3 * (i % 3), 3 * sizeof *a); // one corner
        assert_true(graze_triangles_overlap(a, b));
        memcpy(b, a + 3 * ((i + 1) % 3), 3 * sizeof *a); // one edge
        assert_true(graze_triangles_overlap(a, b));
        double segment[6];
        bool overlap;
        assert_int_equal(graze_triangles_overlap_checked(a, b, &overlap, segment), GRAZE_OK);
        assert_memory_equal(segment, b[0] < b[3] ? b : b + 3, 3 * sizeof *b);
        assert_memory_equal(segment + 3, b[0] < b[3] ? b + 3 : b, 3 * sizeof *b);
    }
}

// A normal of rounding size is not zero; a normal of zero does not make a hit of a far segment.
static void test_segments_and_slivers_far_away_are_apart(void **state) {
    (void)state;
    const double face[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const double segment[9] = {0.5, 0.5, 0.25, 0.75, 0.75, 0.25, 0.625, 0.625, 0.25};
    const double sliver[9] = {0.5, 0.5, 0.25, 0.75, 0.75, 0.25, 0.625, 0.625, 0x1.0000000000001p-2};
    const double line[9] = {0.1, 0.1, 0.1, 0.2, 0.2, 0.2, 0.4, 0.4, 0.4};
    const double beside[9] = {0.1, 0.1, 0.2, 0.2, 0.2, 0.4, 0.4, 0.4, 0.8};
    assert_false(graze_triangles_overlap(face, segment));
    assert_false(graze_triangles_overlap(face, sliver));
    assert_false(graze_triangles_overlap(line, beside));
}

static void test_needles_cross_where_they_cross(void **state) {
    (void)state;
    // In the plane z = 0: a needle of width 2^-50 along x, one along y through it, one that ends at
    // it.
    const double along_x[9] = {-1, 0, 0, 1, 0, 0, 1, 0x1p-50, 0};
    const double along_y[9] = {0, -1, 0, 0, 1, 0, 0x1p-50, 1, 0};
    const double touches[9] = {0, -1, 0, 0, 0, 0, 0x1p-50, -1, 0};
    const double misses[9] = {0, -1, 0, 0, -0x1p-100, 0, 0x1p-50, -1, 0};
    assert_true(graze_triangles_overlap(along_x, along_y));
    assert_true(graze_triangles_overlap(along_x, touches));
    assert_false(graze_triangles_overlap(along_x, misses));
}

// Two triangles meet just when an edge of one meets the other: judged edge by edge, on a grid where
// every special position is common.
static void test_the_verdict_is_that_of_the_edges(void **state) {
    (void)state;
    gz_random r = gz_random_make(8, 0);
    int meeting = 0;
    gz_triangle_stats stats = {0};
    for (int i = 0; i < 30000; i++) {
        double a[3][3], b[3][3];
        double step = i % 2 ? 1 : 0.1;
        for (int k = 0; k < 9; k++) {
            a[k / 3][k % 3] = gz_random_below(&r, 4) * step;
            b[k / 3][k % 3] = gz_random_below(&r, 4) * step;
        }
        bool expected = false;
        for (int k = 0; k < 3; k++) {
            expected |= gz_segment_intersects_triangle(a[k], a[(k + 1) % 3], GZ_CORNERS(b));
            expected |= gz_segment_intersects_triangle(b[k], b[(k + 1) % 3], GZ_CORNERS(a));
        }
        assert_int_equal(gz_triangles_overlap_exact(GZ_CORNERS(a), GZ_CORNERS(b), &stats),
                         expected);
        meeting += expected;
    }
    assert_true(meeting > 5000 && meeting < 25000);
    assert_int_equal(stats.tests, 30000);
    assert_true(stats.exact_tests > 1000 && stats.exact_tests < stats.tests);
    assert_true(stats.exact_signs >= stats.exact_tests);
}

static void test_the_segment_is_finite_and_inside_both_boxes(void **state) {
    (void)state;
    gz_random r = gz_random_make(9, 0);
    int meeting = 0;
    for (int i = 0; i < 50000; i++) {
        double a[9], b[9], segment[6];
        for (int k = 0; k < 9; k++) {
            double size = pow(2, gz_random_range(&r, -138, 138));
            a[k] = (k + i) % 4 ? gz_random_range(&r, -1, 1) : gz_random_range(&r, 0.5, 1) * size;
            b[k] = (k + i) % 3 ? gz_random_range(&r, -1, 1) : gz_random_range(&r, 0.5, 1) * size;
        }
        bool overlap;
        assert_int_equal(graze_triangles_overlap_checked(a, b, &overlap, segment), GRAZE_OK);
        if (!overlap) continue;
        meeting++;
        for (int k = 0; k < 6; k++) {
            double x = segment[k];
            int c = k % 3;
            assert_true(x >= fmin(fmin(a[c], a[3 + c]), a[6 + c]));
            assert_true(x <= fmax(fmax(a[c], a[3 + c]), a[6 + c]));
            assert_true(x >= fmin(fmin(b[c], b[3 + c]), b[6 + c]));
            assert_true(x <= fmax(fmax(b[c], b[3 + c]), b[6 + c]));
        }
    }
    assert_true(meeting > 1000);
}

// -------------------------------------------------------------------------- public promises

static const double face[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};

static void check_out_of_range(double x) {
    const double far[9] = {50, 50, 50, 51, 50, 50, 50, 51, 50};
    for (int k = 0; k < 9; k++) {
        double t[9], segment[6] = {7, 7, 7, 7, 7, 7};
        memcpy(t, far, sizeof t);
        t[k] = x;
        bool overlap = false;
        assert_true(graze_triangles_overlap(t, face));
        assert_true(graze_triangles_overlap(face, t));
        assert_int_equal(graze_triangles_overlap_checked(t, face, &overlap, segment),
                         GRAZE_ERROR_RANGE);
        assert_true(overlap);
        overlap = false;
        assert_int_equal(graze_triangles_overlap_checked(face, t, &overlap, NULL),
                         GRAZE_ERROR_RANGE);
        assert_true(overlap);
        assert_true(segment[0] == 7);
    }
}

/// Segments and points that share an end only: that end is all that they have in common.
static void test_the_segment_of_ends_that_touch_is_that_end(void **state) {
    (void)state;
    const double p[3] = {0.1, 0.2, 0.3}, q[3] = {0.7, -0.4, 1.1}, r[3] = {2, 3, -1};
    const double *ends[4][2] = {{p, p}, {q, q}, {p, r}, {r, q}};
    for (int i = 0; i < 4; i++) {
        double a[3][3], b[3][3], segment[2][3];
        for (int k = 0; k < 3; k++) {
            memcpy(a[k], k == 1 ? q : p, sizeof a[k]);
            memcpy(b[k], ends[i][k == 1], sizeof b[k]);
        }
        const double *shared = i == 0 || i == 2 ? p : q;
        for (int swap = 0; swap < 2; swap++) {
            gz_triangles_segment(GZ_CORNERS(swap ? b : a), GZ_CORNERS(swap ? a : b), segment);
            assert_memory_equal(segment[0], shared, sizeof segment[0]);
            assert_memory_equal(segment[1], shared, sizeof segment[1]);
        }
    }
}

static void test_coordinates_outside_the_exact_range_count_as_overlap(void **state) {
    (void)state;
    check_out_of_range(NAN);
    check_out_of_range(INFINITY);
    check_out_of_range(-INFINITY);
    check_out_of_range(0x1.0000000000001p140);
    check_out_of_range(-0x1.0000000000001p140);
    check_out_of_range(0x1.fffffffffffffp-141);
    check_out_of_range(-0x1p-1074);
    check_out_of_range(1e300);
}

static void test_the_ends_of_the_exact_range_belong_to_it(void **state) {
    (void)state;
    const double big = 0x1p140, small = 0x1p-140;
    const double plane[9] = {-big, -big, small, big, -big, small, 0, big, small};
    const double above[9] = {0, 0, 0x1.0000000000001p-140, big, 0, big, 0, big, big};
    const double on[9] = {0, 0, small, big, 0, big, 0, big, big};
    const double below[9] = {0, 0, -small, big, 0, big, 0, big, big};
    bool overlap;
    double segment[6];
    assert_int_equal(graze_triangles_overlap_checked(plane, above, &overlap, segment), GRAZE_OK);
    assert_false(overlap);
    assert_int_equal(graze_triangles_overlap_checked(plane, on, &overlap, segment), GRAZE_OK);
    assert_true(overlap);
    assert_true(segment[0] == 0 && segment[1] == 0 && segment[2] == small);
    assert_int_equal(graze_triangles_overlap_checked(plane, below, &overlap, segment), GRAZE_OK);
    assert_true(overlap);
}

static void test_null_arguments(void **state) {
    (void)state;
    bool overlap = false;
    assert_int_equal(graze_triangles_overlap_checked(NULL, face, &overlap, NULL),
                     GRAZE_ERROR_ARGUMENT);
    assert_true(overlap);
    overlap = false;
    assert_int_equal(graze_triangles_overlap_checked(face, NULL, &overlap, NULL),
                     GRAZE_ERROR_ARGUMENT);
    assert_true(overlap);
    assert_int_equal(graze_triangles_overlap_checked(face, face, NULL, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_triangles_overlap_checked(face, face, &overlap, NULL), GRAZE_OK);
    assert_true(overlap);
    assert_true(graze_triangles_overlap(NULL, face) && graze_triangles_overlap(face, NULL));
}

static void test_clear_pairs_need_no_expansions(void **state) {
    (void)state;
    gz_triangle_stats stats = {0};
    const double pierces[9] = {0.25, 0.25, -1, 0.3, 0.3, 1, 0.25, 5, 1};
    const double apart[9] = {0.25, 0.25, 0.5, 0.3, 0.3, 1, 0.25, 5, 1};
    assert_true(gz_triangles_overlap_exact(GZ_CORNERS(face), GZ_CORNERS(pierces), &stats));
    assert_false(gz_triangles_overlap_exact(GZ_CORNERS(face), GZ_CORNERS(apart), &stats));
    // A shared plane of two coordinates needs none either: its zeros are exact.
    const double inside[9] = {0.25, 0.25, 0, 0.5, 0.25, 0, 0.25, 0.5, 0};
    assert_true(gz_triangles_overlap_exact(GZ_CORNERS(face), GZ_CORNERS(inside), &stats));
    assert_int_equal(stats.tests, 3);
    assert_int_equal(stats.exact_tests, 0);
    // Another plane through three tenths does.
    const double on[9] = {0.1, 0.2, 0.3, 0.7, 0.1, 0.8, 0.3, 0.9, 0.2};
    const double corner[9] = {0.1, 0.2, 0.3, 0.1, 0.2, -0.8, 0.3, -0.9, 0.2};
    assert_true(gz_triangles_overlap_exact(GZ_CORNERS(on), GZ_CORNERS(corner), &stats));
    assert_int_equal(stats.exact_tests, 1);
    assert_true(stats.exact_signs >= 1);
    assert_true(gz_triangles_overlap_exact(GZ_CORNERS(face), GZ_CORNERS(face), NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_triangles_in_two_planes),
        cmocka_unit_test(test_triangles_in_one_plane),
        cmocka_unit_test(test_triangles_without_area),
        cmocka_unit_test(test_small_triangles_a_fraction_apart_are_apart),
        cmocka_unit_test(test_verdicts_do_not_change_far_from_the_origin),
        cmocka_unit_test(test_neighbours_in_a_mesh_overlap),
        cmocka_unit_test(test_segments_and_slivers_far_away_are_apart),
        cmocka_unit_test(test_needles_cross_where_they_cross),
        cmocka_unit_test(test_the_verdict_is_that_of_the_edges),
        cmocka_unit_test(test_the_segment_is_finite_and_inside_both_boxes),
        cmocka_unit_test(test_the_segment_of_ends_that_touch_is_that_end),
        cmocka_unit_test(test_coordinates_outside_the_exact_range_count_as_overlap),
        cmocka_unit_test(test_the_ends_of_the_exact_range_belong_to_it),
        cmocka_unit_test(test_null_arguments),
        cmocka_unit_test(test_clear_pairs_need_no_expansions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
