// The chain of edges that a moving point meets, at its corners.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graze/planar_approach.h"

static const graze_vec2 a0 = {0x1.de90813cbe736p-1, 0x1.f0ca2c3ae3fe3p-1},
                        a1 = {0x1.8e227ca071ba3p+0, 0x1.534fe234e970cp+0},
                        b0 = {-0x1.8622f74657532p-1, -0x1.5b30a870c2a6cp-3},
                        b1 = {-0x1.0133a0d70f7ffp+0, -0x1.bec1d743921cap-2};
static const graze_vec2 velocity_a = {0.47857128698530804, -1.3032316378282602},
                        velocity_b = {1.6309927265699433, -0.52904302763757749};

// Two segments whose first ends run into each other, and through: the one edge of their difference
// ends a rounding above the line, and the next begins a rounding below it.
static void test_a_line_into_a_corner_between_two_edges_does_not_pass(void **state) {
    (void)state;
    graze_planar_shape a, b;
    assert_int_equal(graze_planar_capsule(&a, a0, a1, 0, NULL), GRAZE_OK);
    assert_int_equal(graze_planar_capsule(&b, b0, b1, 0, NULL), GRAZE_OK);
    graze_planar_approach_result r;
    assert_int_equal(graze_planar_approach(&a, velocity_a, &b, velocity_b, 2, &r), GRAZE_OK);
    assert_true(r.hit && r.distance == 0);
    assert_true(fabs(r.time - 1.4722754149485635) <= 1e-12);
    // The normal is that of an edge, against the motion.
    double x = velocity_b.x - velocity_a.x, y = velocity_b.y - velocity_a.y;
    assert_true(r.normal.x * x + r.normal.y * y < -0.01);
    graze_planar_clearance_result c;
    assert_int_equal(graze_planar_clearance(&a, velocity_a, &b, velocity_b, 2, 0, &c), GRAZE_OK);
    assert_true(c.clearance < -0.01);
    graze_planar_velocity_obstacle_result o;
    assert_int_equal(graze_planar_velocity_obstacle(&a, velocity_a, &b, velocity_b, 2, &o),
                     GRAZE_OK);
    assert_true(o.inside && o.distance < -0.01);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_line_into_a_corner_between_two_edges_does_not_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
