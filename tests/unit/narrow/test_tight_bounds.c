// The bounds of the narrow phase's float tests where they are attained: boxes and packets at
// exactly the margin, the inside of a small object; and the pads, held to what was derived. Built
// so that the numbers are exact, from both sides of each bound: what is on it is kept, what is a
// little beyond is not. Balls in cells of a clearance map: test_cell_lanes.c.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "narrow/kernel.h"
#include "unit/mesh/mesh_maker.h"

static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
static const double origin[3] = {0, 0, 0};

static size_t list_kernels(const gz_kernels *out[2]) {
    size_t count = 0;
    out[count++] = &gz_kernels_base;
    if (gz_kernels_choose() != &gz_kernels_base) out[count++] = gz_kernels_choose();
    return count;
}

// ---------------------------------------------------------------------------------------- margins

/// Runs a traversal under a margin: whether it hits, and how many pairs of triangles its filters
/// left.
static bool hits_near(const gz_kernels *kernels, const graze_mesh *a, const graze_mesh *b,
                      const double pose[12], double margin, uint64_t *left) {
    gz_tree_pair pair;
    graze_stats stats = {0};
    gz_tree_pair_prepare(&pair, a, identity, b, pose, false);
    gz_tree_pair_grow(&pair, margin);
    kernels->tree_pair_near(&pair, &stats);
    *left = stats.triangle_tests;
    return pair.hit;
}

/// Corner to corner, (2, 3, 6) apart along the axes, the least distance is 7: at that margin there
/// is a hit, one ulp below there is none, and from 5e-5 below on no filter leaves a triangle. The
/// boxes' gaps decide together, as none of them is as long as the margin.
static void expect_corners(graze_mesh *a, graze_mesh *b) {
    const gz_kernels *kernels[2];
    const double pose[12] = {1, 0, 0, 4, 0, 1, 0, 5, 0, 0, 1, 8};
    for (size_t k = list_kernels(kernels); k-- > 0;) {
        uint64_t left;
        assert_true(hits_near(kernels[k], a, b, pose, 7, &left));
        assert_false(hits_near(kernels[k], a, b, pose, nextafter(7, 0), &left));
        assert_true(left > 0);
        assert_false(hits_near(kernels[k], a, b, pose, 7 * (1 - 5e-5), &left));
        assert_int_equal(left, 0);
    }
    graze_mesh_free(a);
    graze_mesh_free(b);
}

static graze_mesh *make_box(double x, double y, double z) {
    maker m = {0};
    maker_box(&m, origin, (const double[3]){x, y, z});
    return maker_finish(&m);
}

/// A triangle with its corner at (s, s, s), and the others behind it.
static graze_mesh *make_corner(double s) {
    maker m = {0};
    uint32_t a = maker_vertex(&m, s, s, s), b = maker_vertex(&m, -s, 0, -s),
             c = maker_vertex(&m, 0, -s, -s);
    maker_triangle(&m, a, b, c);
    return maker_finish(&m);
}

static void margins_stand_at_the_distance(void **state) {
    (void)state;
    expect_corners(make_box(1, 1, 1), make_box(1, 1, 1)); // nodes of trees
    expect_corners(make_corner(1), make_corner(-1));      // packets alone
}

// ----------------------------------------------------------------------------------- small objects

/// A ball of many triangles whose lowest vertex is `above` over the middle of a box, seen with an
/// error; whether that proves a hit.
static bool proves_hit(const gz_kernels *kernels, const graze_mesh *ball, const graze_mesh *box,
                       double above, double error, float *grown) {
    gz_component_proxy proxy = gz_component_proxy_make(box);
    assert_int_equal(proxy.inner_count, 1);
    gz_proxy_pair pair = {.a = ball, .b = box, .question = GZ_PROXY_TEST_OVERLAP};
    for (int k = 0; k < 3; k++) pair.r[k][k] = 1;
    pair.t[2] = (float)(above + 0.25);
    pair.solid_a = pair.solid_b = true;
    pair.component = &proxy;
    pair.box = gz_mesh_is_box(box);
    assert_true(pair.box);
    gz_proxy_pair_grow(&pair, error, 0);
    *grown = pair.error;
    return kernels->proxy_pair(&pair) == GZ_PROXY_OVERLAP;
}

static graze_mesh *make_ball(void) {
    maker m = {0};
    maker_sphere(&m, origin, 0.25, 8, 12);
    graze_mesh *ball = maker_finish(&m);
    assert_non_null(ball->proxy);
    return ball;
}

/// A point counts as inside where it is deeper than twice the error and a part of 1.1e-4: the error
/// once for its place, and as much for what points that are not vertices round besides.
static void insides_shrink_by_twice_the_error(void **state) {
    (void)state;
    graze_mesh *ball = make_ball(), *box = make_box(1, 1, 1);
    const gz_kernels *kernels[2];
    for (size_t k = list_kernels(kernels); k-- > 0;)
        // Where the error is a larger part of the box the cells of its inside map reach farther.
        for (double error = 0.001; error < 0.04; error *= 2) {
            float e;
            proves_hit(kernels[k], ball, box, 0, error, &e);
            double rest = 1 - 2 * (double)e;
            assert_false(proves_hit(kernels[k], ball, box, rest * (1 - 0.9e-4), error, &e));
            assert_true(proves_hit(kernels[k], ball, box, rest * (1 - 1.5e-4), error, &e));
        }
    graze_mesh_free(ball);
    graze_mesh_free(box);
}

/// Of a sheet thinner than twice the error nothing is surely inside: a vertex that is seen above
/// it, by less than the error, may be there.
static void a_sheet_within_the_error_has_no_inside(void **state) {
    (void)state;
    graze_mesh *ball = make_ball(), *sheet = make_box(1, 1, 0x1p-10);
    const gz_kernels *kernels[2];
    for (size_t k = list_kernels(kernels); k-- > 0;)
        for (int i = 1; i < 8; i++) {
            float e;
            assert_false(proves_hit(kernels[k], ball, sheet, i * 0x1p-10, 0x1p-8, &e));
        }
    graze_mesh_free(ball);
    graze_mesh_free(sheet);
}

// ------------------------------------------------------------------------------------------- pads

/// The pads of a pair are what kernel.c derives, at least, and at most half more: with u = 2^-24
/// and S = |t| + sqrt 3 (rA + rB) + the margin, 19 u S for triangles, 33 u S for boxes; of proxies
/// 17 u S for a vertex, 60 u S along a direction.
static void pads_are_what_was_derived(void **state) {
    (void)state;
    static const double sizes[] = {0.001, 0.3, 7}, places[] = {0, 0.5, 40}, margins[] = {0, 0.02};
    for (size_t i = 0; i < 3 * 3 * 3 * 2; i++) {
        double ra = sizes[i % 3], rb = sizes[i / 3 % 3], t = places[i / 9 % 3];
        double margin = margins[i / 27];
        graze_mesh *a = make_box(ra, ra / 2, ra), *b = make_box(rb / 2, rb, rb);
        const double pose[12] = {1, 0, 0, t, 0, 1, 0, 2 * t, 0, 0, 1, 2 * t};
        long double u = 0x1p-24L, s = 3 * (long double)t + sqrtl(3) * ((long double)ra + rb);
        gz_tree_pair pair;
        gz_tree_pair_prepare(&pair, a, identity, b, pose, false);
        assert_in_range((uint64_t)(1e6L * pair.triangle_pad / (u * s)), 19250000, 24010000);
        assert_in_range((uint64_t)(1e6L * pair.box_pad / (u * s)), 33250000, 40010000);
        gz_proxy_pair proxies;
        gz_proxy_pair_prepare(&proxies, a, identity, b, pose, margin);
        assert_in_range((uint64_t)(1e6L * proxies.error / (u * s)), 20500000, 25000000);
        long double rest = proxies.pad - (long double)margin;
        assert_in_range((uint64_t)(1e6L * rest / (u * (s + margin))), 60000000, 81000000);
        if (margin > 0) {
            gz_tree_pair_grow(&pair, margin);
            assert_true((double)pair.float_margin >= margin);
            assert_true((double)pair.float_margin <= margin * (1 + 2e-6));
            rest = pair.box_pad - (long double)margin;
            assert_in_range((uint64_t)(1e6L * rest / (u * (s + margin))), 33250000, 60000000);
            assert_true(pair.triangle_pad >= 19.25L * u * (s + margin));
        }
        graze_mesh_free(a);
        graze_mesh_free(b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(margins_stand_at_the_distance),
        cmocka_unit_test(insides_shrink_by_twice_the_error),
        cmocka_unit_test(a_sheet_within_the_error_has_no_inside),
        cmocka_unit_test(pads_are_what_was_derived),
    };
    return cmocka_run_group_tests_name("tight_bounds", tests, NULL, NULL);
}
