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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_gap_wider_than_promised_is_no_hit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
