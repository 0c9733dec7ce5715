// Gradients of closest approach, velocity obstacles and turning motions in the plane: closed cases
// by hand and arguments. The campaign in tests/oracle/planar_approach.c compares with brute force.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graze/planar_approach.h"

static const graze_vec2 rest = {0, 0};

static graze_planar_shape circle(double x, double y, double r) {
    graze_planar_shape s;
    assert_int_equal(graze_planar_circle(&s, (graze_vec2){x, y}, r, NULL), GRAZE_OK);
    return s;
}

static graze_planar_shape box(double x, double y, double hx, double hy) {
    graze_planar_shape s;
    graze_transform2 pose = {1, 0, x, y};
    assert_int_equal(graze_planar_rectangle(&s, &pose, (graze_vec2){hx, hy}, 0, NULL), GRAZE_OK);
    return s;
}

static void assert_near(double found, double wanted) {
    if (!(fabs(found - wanted) <= 1e-12)) fail_msg("%.17g, wanted %.17g", found, wanted);
}

static graze_planar_clearance_result clearance(graze_planar_shape a, graze_planar_shape b,
                                               double vx, double vy, double horizon) {
    graze_planar_clearance_result out;
    graze_vec2 v = {vx, vy};
    assert_int_equal(graze_planar_clearance(&a, rest, &b, v, horizon, 1e-6, &out), GRAZE_OK);
    return out;
}

static void test_clearance_of_a_pass_grows_as_b_moves_aside(void **state) {
    (void)state;
    graze_planar_clearance_result r = clearance(circle(0, 0, 1), circle(10, 5, 2), -2, 0, 100);
    assert_near(r.clearance, 2);
    assert_near(r.time, 5);
    assert_near(r.by_position.x, 0);
    assert_near(r.by_position.y, 1);
    assert_near(r.by_velocity.y, 5);
    assert_true(r.differentiable);
}

static void test_clearance_goes_on_below_zero_through_an_impact(void **state) {
    (void)state;
    graze_planar_clearance_result r = clearance(circle(0, 0, 1), circle(10, 1, 2), -2, 0, 100);
    assert_near(r.clearance, -2);
    assert_near(r.by_position.y, 1);
    assert_true(r.differentiable);
    graze_planar_shape a = circle(0, 0, 1), b = circle(10, 1, 2);
    graze_vec2 v = {-2, 0};
    graze_planar_approach_result hit;
    assert_int_equal(graze_planar_approach(&a, rest, &b, v, 100, &hit), GRAZE_OK);
    assert_true(hit.hit);
    assert_near(hit.time, (10 - sqrt(8)) / 2);
    // Farther off by x: later by x over the speed; farther to the side: by the slope of the circle.
    assert_near(-hit.normal.x / (hit.normal.x * v.x), 0.5);
    assert_near(-hit.normal.y / (hit.normal.x * v.x), 0.5 / sqrt(8));
}

static void test_through_polygons_the_deepest_place_counts(void **state) {
    (void)state;
    // Squares of side 2 run through each other with their centres 0.5 off: the difference is a
    // square of side 4, left by the shorter way up: 1.5 deep.
    graze_planar_clearance_result r = clearance(box(0, 0, 1, 1), box(10, 0.5, 1, 1), -1, 0, 100);
    assert_near(r.clearance, -1.5);
    assert_near(r.by_position.x, 0);
    assert_near(r.by_position.y, 1);
    // The depth is reached where the way ahead is as short: from 8.5 on, along an edge.
    assert_near(r.time, 9.5);
    assert_false(r.differentiable);
}

static void test_kinks_are_flagged(void **state) {
    (void)state;
    // Circles through each other's centres; at rest; nearest at the very horizon.
    assert_false(clearance(circle(0, 0, 1), circle(10, 0, 2), -2, 0, 100).differentiable);
    assert_false(clearance(circle(0, 0, 1), circle(10, 3, 2), 0, 0, 100).differentiable);
    assert_false(clearance(circle(0, 0, 1), circle(10, 3.5, 2), -1, 0, 10).differentiable);
}

static void test_at_the_horizon_the_clearance_falls_with_it(void **state) {
    (void)state;
    graze_planar_clearance_result r = clearance(circle(0, 0, 1), circle(10, 0, 2), -2, 0, 2);
    assert_near(r.clearance, 3);
    assert_near(r.by_horizon, -2);
    assert_near(r.by_velocity.x, 2);
    assert_true(r.differentiable);
}

static graze_planar_velocity_obstacle_result obstacle(double vx, double vy, double horizon) {
    graze_planar_shape a = circle(0, 0, 1), b = circle(5, 0, 2);
    graze_planar_velocity_obstacle_result out;
    graze_vec2 v = {vx, vy};
    assert_int_equal(graze_planar_velocity_obstacle(&a, rest, &b, v, horizon, &out), GRAZE_OK);
    return out;
}

static void test_the_cone_of_two_disks_is_the_textbook_one(void **state) {
    (void)state;
    // Half angle asin(3 / 5) about -x.
    graze_planar_velocity_obstacle_result r = obstacle(-2, 0, INFINITY);
    assert_true(r.inside);
    assert_near(r.distance, -2 * 0.6);
    r = obstacle(0, 1, INFINITY);
    assert_false(r.inside);
    assert_near(r.distance, 0.8);
    r = obstacle(1, 0, INFINITY); // behind the tip
    assert_near(r.distance, 1);
    assert_near(r.normal.x, 1);
    assert_near(r.boundary.x, 0);
}

static void test_the_cone_is_cut_off_by_the_disk_over_the_horizon(void **state) {
    (void)state;
    // Over 2 s: the disk about (-2.5, 0) of radius 1.5.
    graze_planar_velocity_obstacle_result r = obstacle(-0.5, 0, 2);
    assert_false(r.inside);
    assert_near(r.distance, 0.5);
    r = obstacle(-1.2, 0, 2);
    assert_true(r.inside);
    assert_near(r.distance, -0.2);
    assert_near(r.boundary.x, -1);
    // Far down the cone the leg is nearest, 5 from the origin along it.
    r = obstacle(-4, -3.2, 2);
    assert_near(r.distance, 3.2 * 0.8 - 4 * 0.6);
}

static void test_overlapping_shapes_leave_no_velocity(void **state) {
    (void)state;
    graze_planar_shape a = circle(0, 0, 1), b = circle(1, 0, 2);
    graze_planar_velocity_obstacle_result r;
    graze_vec2 v = {9, 0};
    assert_int_equal(graze_planar_velocity_obstacle(&a, rest, &b, v, 1, &r), GRAZE_OK);
    assert_true(r.inside && r.overlapping && r.distance == -INFINITY);
}

static void test_arguments_are_judged(void **state) {
    (void)state;
    graze_planar_shape a = circle(0, 0, 1), b = circle(5, 0, 1);
    graze_planar_clearance_result c;
    graze_planar_velocity_obstacle_result o;
    assert_int_equal(graze_planar_clearance(&a, rest, &b, rest, 1, 0, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_planar_clearance(&a, rest, NULL, rest, 1, 0, &c), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_planar_clearance(&a, rest, &b, rest, 1, -1, &c), GRAZE_ERROR_RANGE);
    assert_int_equal(graze_planar_clearance(&a, rest, &b, rest, -1, 0, &c), GRAZE_ERROR_RANGE);
    assert_int_equal(graze_planar_velocity_obstacle(&a, rest, &b, rest, 0, &o), GRAZE_ERROR_RANGE);
    assert_int_equal(graze_planar_velocity_obstacle(&a, rest, &b, rest, 1, NULL),
                     GRAZE_ERROR_ARGUMENT);
}

static void test_the_clearance_at_the_horizon_is_of_a_convex_shape(void **state) {
    (void)state;
    // Far down, rounding turns the short edge at the roof's top: its normal then runs along the
    // roof, and seems to part what lies through it.
    double x = 0x1.af9b873941007p-11, y = 0.19825729326752739, down = -58.419756608833133;
    const double roof[10] = {
        x,      y - 2, x + 10, y - 1, x, y, x - 0x1.4907db04b6c0ap-48, y + 0x1.5004dfb861f35p-52,
        x - 10, y - 1};
    const double post[8] = {4, down - 5, 5, down - 5, 5, down + y - 0.3, 4, down + y - 0.3};
    graze_planar_shape a, b;
    assert_int_equal(graze_planar_polygon(&a, post, 4, 0, NULL), GRAZE_OK);
    assert_int_equal(graze_planar_polygon(&b, roof, 5, 0, NULL), GRAZE_OK);
    assert_int_equal(b.count, 5);
    graze_planar_clearance_result r = clearance(a, b, 0, down, 1);
    assert_true(r.time == 1);
    assert_true(fabs(r.clearance + 1.29363) < 1e-4);
}

static void test_the_clearance_is_the_distance_at_its_time(void **state) {
    (void)state;
    // Polygons as thin as rounding, run into lengthwise; and edges along the motion but for
    // rounding.
    static const struct {
        int n, m;
        double a[10], b[8], v[2];
    } cases[] = {
        {3,
         1,
         {-0x1.6666666666666p+0, 0x1.6666666666666p-1, -0x1.9333333333333p-1, 0x1.6666666666666p-4,
          -0x1.6666666666666p-1, 0},
         {0, -0x1.6666666666666p-1},
         {-0x1.6666666666666p-1, 0x1.6666666666666p-1}},
        {3,
         1,
         {-0x1.6666666666666p+0, 0x1.6666666666666p-1, -0x1.5p+0, 0x1.3999999999999p-1,
          -0x1.6666666666666p-1, 0},
         {0x1.6666666666666p-1, -0x1.6666666666666p+0},
         {-0x1.6666666666666p-1, 0x1.6666666666666p-1}},
        {5,
         4,
         {0x1.6666666666668p-1, 0x1.6666666666667p+0, 0x1.cp-1, 0x1.3999999999999p+0,
          0x1.6666666666666p+0, 0x1.6666666666666p-1, 0x1.6666666666666p+0, 0x1.6666666666667p-1,
          0x1.c000000000002p-1, 0x1.399999999999ap+0},
         {-0x1.4954000c76638p-3, 0x1.f68d6290a5b04p-1, 0x1.3f0468e965332p+0, 0x1.c276b0535207p-1,
          0x1.12605f7de7c2p+0, 0x1.066662264453p+1, 0x1.d77a7d5767094p-2, 0x1.e8d5ba959219cp+0},
         {0x1.6666666666666p-1, -0x1.6666666666666p-1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        graze_planar_shape a, b, then;
        assert_int_equal(graze_planar_polygon(&a, cases[i].a, (size_t)cases[i].n, 0, NULL), 0);
        assert_int_equal(graze_planar_polygon(&b, cases[i].b, (size_t)cases[i].m, 0, NULL), 0);
        double vx = cases[i].v[0], vy = cases[i].v[1];
        graze_planar_clearance_result r = clearance(a, b, vx, vy, 2.375);
        graze_transform2 moved = {1, 0, vx * r.time, vy * r.time};
        assert_int_equal(graze_planar_transform(&then, &b, &moved, NULL), GRAZE_OK);
        graze_planar_result d;
        assert_int_equal(graze_planar_distance(&a, &then, &d), GRAZE_OK);
        assert_near(r.clearance, d.distance);
        assert_true(r.clearance <= 1e-13);
    }
}

static void test_a_velocity_next_to_none_in_one_axis_is_no_fault(void **state) {
    (void)state;
    // Two sides of the square fall and rise by 2^-1074: where they meet is no double. The sanitizer
    // sees what was read for it.
    for (int i = 0; i < 4; i++) {
        static const double corner[8] = {1, 1, -1, 1, -1, -1, 1, -1};
        double xy[8];
        for (int k = 0; k < 8; k++) xy[k] = corner[(2 * i + k) % 8];
        graze_planar_shape a;
        assert_int_equal(graze_planar_polygon(&a, xy, 4, 0, NULL), GRAZE_OK);
        for (int sign = -1; sign <= 1; sign += 2) {
            graze_planar_clearance_result r = clearance(a, circle(10, 0.5 * sign, 0.125), -1,
                                                        sign * 0x1p-1074, 100);
            assert_near(r.clearance, -0.625);
            assert_true(isfinite(r.time) && isfinite(r.by_position.x));
        }
    }
}

static void test_the_normal_of_a_velocity_next_to_none_is_a_unit(void **state) {
    (void)state;
    // Behind the cone's tip.
    static const double speeds[] = {1, 1e-150, 1e-161, 1e-200, 1e-300};
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
        graze_planar_velocity_obstacle_result r = obstacle(4 * speeds[i], 3 * speeds[i], INFINITY);
        assert_false(r.inside);
        assert_true(fabs(r.normal.x - 0.8) < 1e-12 && fabs(r.normal.y - 0.6) < 1e-12);
        assert_true(fabs(r.distance / (5 * speeds[i]) - 1) < 1e-12);
    }
}

static void test_a_horizon_too_short_for_velocities_is_refused(void **state) {
    (void)state;
    // Velocities on the border are lengths over the horizon, and their squares are taken.
    static const double horizons[] = {0x1p-1074, 1e-310, 1e-160, 0x1.fffffp-401};
    graze_planar_shape a = circle(0, 0, 1), b = circle(5, 0, 2);
    graze_planar_velocity_obstacle_result r;
    for (size_t i = 0; i < sizeof horizons / sizeof *horizons; i++) {
        assert_int_equal(graze_planar_velocity_obstacle(&a, rest, &b, rest, horizons[i], &r),
                         GRAZE_ERROR_RANGE);
    }
    r = obstacle(0, 0, 0x1p-400);
    assert_true(!r.inside && fabs(r.distance / 0x1p401 - 1) < 1e-12 && r.normal.x == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clearance_of_a_pass_grows_as_b_moves_aside),
        cmocka_unit_test(test_clearance_goes_on_below_zero_through_an_impact),
        cmocka_unit_test(test_through_polygons_the_deepest_place_counts),
        cmocka_unit_test(test_kinks_are_flagged),
        cmocka_unit_test(test_at_the_horizon_the_clearance_falls_with_it),
        cmocka_unit_test(test_the_cone_of_two_disks_is_the_textbook_one),
        cmocka_unit_test(test_the_cone_is_cut_off_by_the_disk_over_the_horizon),
        cmocka_unit_test(test_overlapping_shapes_leave_no_velocity),
        cmocka_unit_test(test_arguments_are_judged),
        cmocka_unit_test(test_the_clearance_at_the_horizon_is_of_a_convex_shape),
        cmocka_unit_test(test_the_clearance_is_the_distance_at_its_time),
        cmocka_unit_test(test_a_velocity_next_to_none_in_one_axis_is_no_fault),
        cmocka_unit_test(test_the_normal_of_a_velocity_next_to_none_is_a_unit),
        cmocka_unit_test(test_a_horizon_too_short_for_velocities_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
