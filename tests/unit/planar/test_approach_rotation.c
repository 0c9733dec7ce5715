// What a hit of two turning shapes promises about their distance.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graze/planar_approach.h"

// Two disks that move alike, so that their gap stays, with every length at 1: the vertices and the
// centre, the reach between them, the way in both axes.
static graze_planar_sweep_result sweep_gap(double gap) {
    graze_planar_shape a, b;
    double radius = 0.25;
    assert_int_equal(graze_planar_circle(&a, (graze_vec2){1, 0}, radius, NULL), GRAZE_OK);
    assert_int_equal(graze_planar_circle(&b, (graze_vec2){1, 2 * radius + gap}, radius, NULL),
                     GRAZE_OK);
    graze_planar_motion m = {.center = {1, 1}, .velocity = {1, 1}};
    graze_planar_sweep_result r;
    assert_int_equal(graze_planar_sweep(&a, &m, &b, &m, 1, 1e-9, 64, &r), GRAZE_OK);
    return r;
}

static void test_a_gap_wider_than_promised_is_no_hit(void **state) {
    (void)state;
    assert_int_equal(sweep_gap(0).verdict, GRAZE_PLANAR_SWEEP_HIT);
    assert_int_equal(sweep_gap(0x1p-48).verdict, GRAZE_PLANAR_SWEEP_HIT);
    assert_int_equal(sweep_gap(1.05 * 0x1p-42).verdict, GRAZE_PLANAR_SWEEP_FREE);
    assert_int_equal(sweep_gap(1.3 * 0x1p-42).verdict, GRAZE_PLANAR_SWEEP_FREE);
}

// A bar of 1 m that turns towards a disk half a radian ahead.
static graze_planar_sweep_result sweep_bar(double unit) {
    graze_planar_shape a, b;
    assert_int_equal(graze_planar_capsule(&a, (graze_vec2){0, 0}, (graze_vec2){1, 0}, 0.01, NULL),
                     GRAZE_OK);
    assert_int_equal(
        graze_planar_circle(&b, (graze_vec2){0.9 * cos(0.5), 0.9 * sin(0.5)}, 0.01, NULL),
        GRAZE_OK);
    graze_planar_motion turning = {.turn = 1 / unit}, at_rest = {0};
    graze_planar_sweep_result r;
    assert_int_equal(graze_planar_sweep(&a, &turning, &b, &at_rest, unit, 1e-6 * unit, 100, &r),
                     GRAZE_OK);
    return r;
}

static void test_a_slow_turn_over_a_long_time_collides_as_a_fast_one_does(void **state) {
    (void)state;
    graze_planar_sweep_result fast = sweep_bar(1);
    assert_int_equal(fast.verdict, GRAZE_PLANAR_SWEEP_HIT);
    assert_true(fast.earliest > 0.47 && fast.latest < 0.48);
    static const int exponents[] = {-10, -2, 300, 560, 600, 1000};
    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
        // A slower turn is the same numbers but for a power of two.
        double unit = ldexp(1, exponents[i]);
        graze_planar_sweep_result slow = sweep_bar(unit);
        assert_int_equal(slow.verdict, GRAZE_PLANAR_SWEEP_HIT);
        assert_true(slow.earliest == fast.earliest * unit && slow.latest == fast.latest * unit);
        assert_true(slow.steps == fast.steps && slow.distance == fast.distance);
    }
}

// A bar of 20 m with a corner cut off by some roundings' width: once the bar has turned, the cut
// may run the other way and its normal through the whole bar.
static void test_a_corner_cut_by_a_rounding_hides_no_crossing(void **state) {
    (void)state;
    static const struct {
        double turn, along, down;
    } cases[] = {
        {0.14846263245231689, 0x1.816877f4d459ap-50, 0x1.87bfaa4cc912fp-50},
        {0.19949310290827305, 0x1.558c4f7f1709cp-50, 0x1.1a7cfc948966ep-50},
        {0.20469573586949436, 0x1.66ad9f5cf39b2p-50, 0x1.106e07509c6acp-52},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double bar[10] = {-10, -1,  10, -1, 10, 1 - cases[i].down, 10 - cases[i].along,
                                1,   -10, 1};
        const double other[8] = {-1, 30, 1, 30, 1, 50, -1, 50};
        graze_planar_shape a, b;
        assert_int_equal(graze_planar_polygon(&a, bar, 5, 0, NULL), GRAZE_OK);
        assert_int_equal(graze_planar_polygon(&b, other, 4, 0, NULL), GRAZE_OK);
        assert_int_equal(a.count, 5);
        // Both turn alike, and the other's centre comes down to the bar's in 4 s.
        graze_planar_motion at_a = {.turn = cases[i].turn};
        graze_planar_motion at_b = {{0, 40}, {0, -10}, cases[i].turn};
        graze_planar_sweep_result r;
        assert_int_equal(graze_planar_sweep(&a, &at_a, &b, &at_b, 8, 1e-6, 1000, &r), GRAZE_OK);
        assert_int_equal(r.verdict, GRAZE_PLANAR_SWEEP_HIT);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_gap_wider_than_promised_is_no_hit),
        cmocka_unit_test(test_a_slow_turn_over_a_long_time_collides_as_a_fast_one_does),
        cmocka_unit_test(test_a_corner_cut_by_a_rounding_hides_no_crossing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
