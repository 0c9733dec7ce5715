/// Triangles, segments and points: against rational clipping, and distances against dense samples.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "oracle/rational_clip.h"
#include "verify/exact.h"

static gz_exact *exact;
static rational_clip *clip;

static int set_up(void **state) {
    (void)state;
    exact = gz_exact_create();
    clip = rational_clip_create();
    return exact != NULL ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    gz_exact_free(exact);
    rational_clip_free(clip);
    return 0;
}

static double lattice(gz_random *random, int size) {
    return (double)gz_random_below(random, (uint32_t)(2 * size + 1)) - size;
}

/// One of several kinds of corners: lattices (shared corners, edges and planes, triangles without
/// area), reals, one triangle's corners on the other's plane but for an ulp, far from the origin.
static void make_pair(gz_random *random, int kind, gz_simplex *a, gz_simplex *b) {
    *a = *b = (gz_simplex){.count = 3};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            bool real = kind >= 3;
            a->corners[i][k] = real ? gz_random_unit(random) : lattice(random, 1 + kind);
            b->corners[i][k] = real ? gz_random_unit(random) : lattice(random, 1 + kind);
        }
    }
    for (int i = 0; kind == 4 && i < 3; i++) {
        double u = gz_random_unit(random) * 2 - 0.5, v = gz_random_unit(random) * 2 - 0.5;
        for (int k = 0; k < 3; k++)
            b->corners[i][k] = a->corners[0][k] + u * (a->corners[1][k] - a->corners[0][k]) +
                               v * (a->corners[2][k] - a->corners[0][k]);
    }
    for (int i = 0; kind == 5 && i < 3; i++) {
        a->corners[i][0] += 1048000;
        b->corners[i][0] += 1048000;
        a->corners[i][1] *= 0x1p-60;
        b->corners[i][1] *= 0x1p-60;
    }
}

/// A simplex as a triangle whose corners repeat.
static void spell(const gz_simplex *s, double out[9]) {
    for (int i = 0; i < 3; i++)
        memcpy(out + 3 * i, s->corners[i < s->count ? i : s->count - 1], sizeof s->corners[0]);
}

static void test_meeting_agrees_with_rational_clipping(void **state) {
    (void)state;
    gz_random random = gz_random_make(5, 0);
    int met = 0, apart = 0;
    for (int i = 0; i < 12000; i++) {
        gz_simplex a, b;
        double first[9], second[9];
        make_pair(&random, i % 6, &a, &b);
        a.count = 1 + (int)gz_random_below(&random, 3);
        b.count = 1 + (int)gz_random_below(&random, 3);
        if (i % 2 == 0) a.count = b.count = 3;
        spell(&a, first);
        spell(&b, second);
        bool expected = rational_clip_overlap(clip, first, second);
        assert_int_equal(gz_exact_intersect(exact, &a, &b), expected);
        assert_int_equal(gz_exact_intersect(exact, &b, &a), expected);
        double none[GZ_THRESHOLD_TERMS] = {0, 0, 0, 0};
        assert_int_equal(gz_exact_within(exact, &a, &b, none), expected);
        met += expected;
        apart += !expected;
    }
    assert_true(met > 2000 && apart > 2000);
}

static void point_of(const gz_simplex *s, double u, double v, double out[3]) {
    const double *o = s->corners[0], *p = s->corners[s->count > 1 ? 1 : 0],
                 *q = s->corners[s->count > 2 ? 2 : 0];
    for (int k = 0; k < 3; k++) out[k] = o[k] + u * (p[k] - o[k]) + v * (q[k] - o[k]);
}

static double distance(const double a[3], const double b[3]) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static double size_of(const gz_simplex *s) {
    double most = 0;
    for (int i = 0; i < s->count; i++)
        for (int j = 0; j < i; j++) most = fmax(most, distance(s->corners[i], s->corners[j]));
    return most;
}

#define SAMPLES 24

/// The least distance of samples: not below the real one, and above it by no more than the two
/// sets' longest edges over SAMPLES, each.
static double sampled_distance(const gz_simplex *a, const gz_simplex *b) {
    static double points[2][(SAMPLES + 1) * (SAMPLES + 2)][3];
    const gz_simplex *sides[2] = {a, b};
    int counts[2] = {0, 0};
    for (int side = 0; side < 2; side++) {
        int most_u = sides[side]->count > 1 ? SAMPLES : 0,
            most_v = sides[side]->count > 2 ? SAMPLES : 0;
        for (int u = 0; u <= most_u; u++)
            for (int v = 0; v <= (most_v > 0 ? SAMPLES - u : 0); v++)
                point_of(sides[side], (double)u / SAMPLES, (double)v / SAMPLES,
                         points[side][counts[side]++]);
    }
    double least = INFINITY;
    for (int i = 0; i < counts[0]; i++)
        for (int j = 0; j < counts[1]; j++)
            least = fmin(least, distance(points[0][i], points[1][j]));
    return least;
}

static void test_distances_lie_between_those_of_samples(void **state) {
    (void)state;
    gz_random random = gz_random_make(6, 0);
    int proved = 0;
    for (int i = 0; i < 400; i++) {
        gz_simplex a, b;
        make_pair(&random, i % 5, &a, &b);
        a.count = 1 + (int)gz_random_below(&random, 3);
        b.count = 1 + (int)gz_random_below(&random, 3);
        double above = sampled_distance(&a, &b) * (1 + 1e-12) + 1e-12;
        double threshold[GZ_THRESHOLD_TERMS] = {above / 2, above / 4, above / 8, above / 8};
        assert_true(gz_exact_within(exact, &a, &b, threshold));
        double below = above - (size_of(&a) + size_of(&b)) / SAMPLES - 1e-11;
        if (below <= 0) continue;
        double less[GZ_THRESHOLD_TERMS] = {below, 0, 0, 0};
        assert_false(gz_exact_within(exact, &a, &b, less));
        proved++;
    }
    assert_true(proved > 50);
}

static void test_a_distance_is_reached_to_the_last_bit(void **state) {
    (void)state;
    // 3, 4, 5 from a point to a segment's end, over a face, and between crossing edges.
    gz_simplex point = {{{3, 4, 0}}, 1}, segment = {{{0, 0, 0}, {-1, -1, 0}}, 2};
    gz_simplex face = {{{-9, -9, 5}, {9, -9, 5}, {0, 9, 5}}, 3}, below = {{{0, 0, 0}}, 1};
    gz_simplex along = {{{-1, 0, 0}, {1, 0, 0}}, 2}, across = {{{0, -1, 5}, {0, 1, 5}}, 2};
    gz_simplex *pairs[3][2] = {{&point, &segment}, {&below, &face}, {&along, &across}};
    for (int i = 0; i < 3; i++) {
        double at[GZ_THRESHOLD_TERMS] = {5, 0, 0, 0},
               before[GZ_THRESHOLD_TERMS] = {nextafter(5, 0)};
        assert_true(gz_exact_within(exact, pairs[i][0], pairs[i][1], at));
        assert_false(gz_exact_within(exact, pairs[i][0], pairs[i][1], before));
        // A sum that no double holds.
        double sum[GZ_THRESHOLD_TERMS] = {nextafter(5, 0), 0x1p-300, 0, 0};
        assert_false(gz_exact_within(exact, pairs[i][0], pairs[i][1], sum));
    }
}

static void test_touching_is_decided_to_the_last_bit(void **state) {
    (void)state;
    gz_simplex a = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 3};
    gz_simplex b = {{{0.25, 0.25, 0}, {0.25, 0.25, 1}, {0.5, 0.25, 1}}, 3};
    assert_true(gz_exact_intersect(exact, &a, &b));
    b.corners[0][2] = 0x1p-1000;
    assert_false(gz_exact_intersect(exact, &a, &b));
    b.corners[0][2] = -0x1p-1000;
    assert_true(gz_exact_intersect(exact, &a, &b));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meeting_agrees_with_rational_clipping),
        cmocka_unit_test(test_distances_lie_between_those_of_samples),
        cmocka_unit_test(test_a_distance_is_reached_to_the_last_bit),
        cmocka_unit_test(test_touching_is_decided_to_the_last_bit),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
