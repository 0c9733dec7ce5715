// The border of the velocity obstacle where edges are parallel: to each other, to a leg, and to the
// way on which the velocity lies. All by hand; tests/oracle/planar_approach.c has the campaign.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graze/planar_approach.h"

static const graze_vec2 rest = {0, 0};

// A quarter turn, so often.
static graze_vec2 turned(double x, double y, int quarters) {
    graze_vec2 p = {x, y};
    for (int i = 0; i < quarters; i++) p = (graze_vec2){-p.y, p.x};
    return p;
}

// A box turned about the origin, its vertices counted from `first`.
static graze_planar_shape box(double x, double y, double hx, double hy, int quarters, int first) {
    const double corner[4][2] = {
        {x - hx, y - hy}, {x + hx, y - hy}, {x + hx, y + hy}, {x - hx, y + hy}};
    graze_planar_shape s;
    graze_transform2 pose = {1, 0, 0, 0};
    assert_int_equal(graze_planar_rectangle(&s, &pose, (graze_vec2){1, 1}, 0, NULL), GRAZE_OK);
    for (int i = 0; i < GRAZE_PLANAR_VERTEX_MAX; i++) {
        const double *c = corner[((i < 4 ? i : 3) + first) % 4];
        graze_vec2 p = turned(c[0], c[1], quarters);
        s.vertices[i].x = p.x, s.vertices[i].y = p.y;
    }
    assert_int_equal(graze_planar_shape_check(&s, NULL), GRAZE_OK);
    return s;
}

// What is nearest to v on the obstacle's border, for a horizon of 1 s.
static void assert_border(const graze_planar_shape *a, const graze_planar_shape *b, graze_vec2 v,
                          double distance, graze_vec2 normal) {
    graze_planar_velocity_obstacle_result r;
    assert_int_equal(graze_planar_velocity_obstacle(a, rest, b, v, 1, &r), GRAZE_OK);
    double x = v.x - distance * normal.x, y = v.y - distance * normal.y;
    if (!(fabs(r.distance - distance) <= 1e-12) ||
        !(hypot(r.normal.x - normal.x, r.normal.y - normal.y) <= 1e-12) ||
        !(hypot(r.boundary.x - x, r.boundary.y - y) <= 1e-12))
        fail_msg("at (%.17g, %.17g): %.17g along (%.17g, %.17g), wanted %.17g along (%g, %g)", v.x,
                 v.y, r.distance, r.normal.x, r.normal.y, distance, normal.x, normal.y);
}

static void test_parallel_edges_of_both_make_one_edge_without_a_gap(void **state) {
    (void)state;
    // The difference is 6 wide and 4 high about (0, -5): its near edge is 3 off, 2 of it from A's
    // edge and 4 from B's.
    for (int k = 0; k < 64; k++)
        for (int i = -29; i <= 29; i++) {
            graze_planar_shape a = box(0, 0, 1, 1, k / 16, k % 4),
                               b = box(0, 5, 2, 1, k / 16, k / 4 % 4);
            assert_border(&a, &b, turned(0.1 * i, -1, k / 16), 2, turned(0, 1, k / 16));
        }
}

static void test_a_leg_along_an_edge_begins_at_its_near_end(void **state) {
    (void)state;
    // The difference is the square from (2, 0) to (3, 1): a leg goes along the axis from (2, 0) on.
    graze_planar_shape b;
    for (int k = 0; k < 16; k++)
        for (int i = 0; i <= 20; i++) {
            graze_planar_shape a = box(0.5, 0.5, 0.5, 0.5, k / 4, k % 4);
            assert_int_equal(graze_planar_circle(&b, turned(-2, 0, k / 4), 0, NULL), GRAZE_OK);
            assert_border(&a, &b, turned(2 + 0.1 * i, -1, k / 4), 1, turned(0, -1, k / 4));
        }
}

static void test_a_rounding_off_an_edge_of_the_inner_polygon_the_normal_is_the_edges(void **state) {
    (void)state;
    // The square from (-1, -6) to (1, -4), grown by 0.5: a velocity on its near edge lies 0.5 deep.
    graze_planar_shape b;
    for (int k = 0; k < 16; k++)
        for (int i = -9; i <= 9; i++) {
            graze_planar_shape a = box(0, 0, 1, 1, k / 4, k % 4);
            assert_int_equal(graze_planar_circle(&b, turned(0, 5, k / 4), 0.5, NULL), GRAZE_OK);
            graze_vec2 n = turned(0, 1, k / 4);
            assert_border(&a, &b, turned(0.1 * i, nextafter(-4, 0), k / 4), -0.5, n);
            assert_border(&a, &b, turned(0.1 * i, -4, k / 4), -0.5, n);
            assert_border(&a, &b, turned(0.1 * i, nextafter(-4, -9), k / 4), -0.5, n);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parallel_edges_of_both_make_one_edge_without_a_gap),
        cmocka_unit_test(test_a_leg_along_an_edge_begins_at_its_near_end),
        cmocka_unit_test(test_a_rounding_off_an_edge_of_the_inner_polygon_the_normal_is_the_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
