// Closest point of approach in the plane: closed cases by hand, arguments, batches. The campaign in
// tests/oracle/planar_approach.c compares with brute force.

#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "graze/planar_approach.h"

static const graze_vec2 rest = {0, 0};

static graze_planar_shape circle(double x, double y, double r) {
    graze_planar_shape s;
    assert_int_equal(graze_planar_circle(&s, (graze_vec2){x, y}, r, NULL), GRAZE_OK);
    return s;
}

static graze_planar_shape segment(double x0, double y0, double x1, double y1, double r) {
    graze_planar_shape s;
    assert_int_equal(graze_planar_capsule(&s, (graze_vec2){x0, y0}, (graze_vec2){x1, y1}, r, NULL),
                     GRAZE_OK);
    return s;
}

static graze_planar_shape box(double x, double y, double hx, double hy, double angle, double r) {
    graze_planar_shape s;
    graze_transform2 pose = graze_transform2_make(x, y, angle);
    assert_int_equal(graze_planar_rectangle(&s, &pose, (graze_vec2){hx, hy}, r, NULL), GRAZE_OK);
    return s;
}

static graze_planar_approach_result approach(graze_planar_shape a, graze_planar_shape b, double vx,
                                             double vy, double horizon) {
    graze_planar_approach_result out;
    graze_vec2 v = {vx, vy};
    assert_int_equal(graze_planar_approach(&a, rest, &b, v, horizon, &out), GRAZE_OK);
    return out;
}

static void assert_answer(graze_planar_approach_result r, double time, double distance, bool hit) {
    assert_true(fabs(r.time - time) <= 1e-14);
    assert_true(fabs(r.distance - distance) <= 1e-14);
    assert_int_equal(r.hit, hit);
}

static void test_circles_collide_head_on_where_their_radii_say(void **state) {
    (void)state;
    graze_planar_approach_result r = approach(circle(0, 0, 1), circle(10, 0, 2), -2, 0, 100);
    assert_answer(r, 3.5, 0, true);
    assert_true(r.normal.x == 1 && r.normal.y == 0);
    assert_true(fabs(r.point_a.x - 1) <= 1e-14 && fabs(r.point_b.x - 1) <= 1e-14);
}

static void test_a_pass_is_nearest_where_the_line_is(void **state) {
    (void)state;
    graze_planar_approach_result r = approach(circle(0, 0, 1), circle(10, 5, 2), -2, 0, 100);
    assert_answer(r, 5, 2, false);
    assert_true(fabs(r.normal.x) <= 1e-15 && fabs(r.normal.y - 1) <= 1e-15);
}

static void test_the_horizon_ends_the_search(void **state) {
    (void)state;
    assert_answer(approach(circle(0, 0, 1), circle(10, 0, 2), -2, 0, 2), 2, 3, false);
    assert_answer(approach(circle(0, 0, 1), circle(10, 0, 2), -2, 0, 0), 0, 7, false);
    assert_answer(approach(circle(0, 0, 1), circle(10, 0, 2), -2, 0, 3.5), 3.5, 0, true);
    assert_answer(approach(circle(0, 0, 1), circle(10, 0, 2), -2, 0, INFINITY), 3.5, 0, true);
}

static void test_moving_apart_is_nearest_now(void **state) {
    (void)state;
    assert_answer(approach(circle(0, 0, 1), circle(10, 0, 2), 2, 1, INFINITY), 0, 7, false);
}

// Beside parallel sides, at a slope s of the velocity against them: where s is below 0 the nearest
// comes later, however little that is, and where it is above 0 it is now.
static void test_slopes_next_to_none_are_nearest_at_the_right_end(void **state) {
    (void)state;
    for (int k = 2; k < 40; k++) {
        double slope = ldexp(1, -k), gap = 1 + slope;
        graze_planar_shape a = box(0, 0, 2, 0.5, 0, 0.25), b = box(0.5, 1.5 + gap, 1, 0.5, 0, 0.25);
        graze_planar_approach_result in = approach(a, b, 1, -slope, 1);
        graze_planar_approach_result out = approach(a, b, 1, slope, 1);
        assert_true(in.time == 1 && !in.hit && fabs(in.distance - 1) <= 1e-14);
        assert_true(out.time == 0 && !out.hit && fabs(out.distance - gap) <= 1e-14);
    }
}

static void test_overlap_at_the_start_is_a_hit_at_zero_with_its_depth(void **state) {
    (void)state;
    assert_answer(approach(circle(0, 0, 1), circle(1.5, 0, 2), 2, 1, 5), 0, -1.5, true);
    assert_answer(approach(box(0, 0, 1, 1, 0, 0), box(1.5, 0, 1, 1, 0, 0), 1, 0, 5), 0, -0.5, true);
}

static void test_touching_at_the_start_is_a_hit_whichever_way_it_goes(void **state) {
    (void)state;
    for (int k = -1; k <= 1; k++)
        assert_answer(approach(box(0, 0, 1, 1, 0, 0), box(2, 0.5, 1, 1, 0, 0), k, 0, 5), 0, 0,
                      true);
}

static void test_equal_velocities_keep_the_distance_of_now(void **state) {
    (void)state;
    graze_planar_shape a = circle(0, 0, 1), b = circle(4, 3, 1);
    graze_vec2 v = {7, -3};
    graze_planar_approach_result r;
    assert_int_equal(graze_planar_approach(&a, v, &b, v, INFINITY, &r), GRAZE_OK);
    assert_answer(r, 0, 3, false);
}

static void test_parallel_motion_takes_the_earliest_time(void **state) {
    (void)state;
    // A box slides past another, sides along the motion: nearest from 2 s on until 6 s.
    graze_planar_approach_result r = approach(box(0, 0, 1, 1, 0, 0), box(4, 3, 1, 1, 0, 0), -1, 0,
                                              INFINITY);
    assert_answer(r, 2, 1, false);
    r = approach(box(0, 0, 1, 1, 0, 0), box(-4, -3, 1, 1, 0, 0), 1, 0, INFINITY);
    assert_answer(r, 2, 1, false);
    // Sliding exactly along each other's line is touching, from the same moment on.
    r = approach(box(0, 0, 1, 1, 0, 0), box(4, 2, 1, 1, 0, 0), -1, 0, INFINITY);
    assert_answer(r, 2, 0, true);
}

static void test_corners_edges_and_rounding_are_met_where_they_are(void **state) {
    (void)state;
    double root = sqrt(0.5);
    // Edge against corner of a box turned by 45 degrees.
    graze_planar_shape diamond = box(5, 0.3, root, root, 0.78539816339744830962, 0);
    assert_answer(approach(box(0, 0, 1, 1, 0, 0), diamond, -1, 0, 10), 3, 0, true);
    // A rounded corner: the circle about (1, 1) of radius 0.5 at height 1.3.
    assert_answer(approach(box(0, 0, 1, 1, 0, 0.5), circle(5, 1.3, 0), -1, 0, 10), 3.6, 0, true);
    // A capsule's side, met square.
    assert_answer(approach(segment(0, -2, 0, 2, 0.5), circle(5, 0.3, 0.25), -1, 0, 10), 4.25, 0,
                  true);
}

// Found by the campaign: the two ends of a side of 10^-15 m fall together once turned, and the
// chain of edges ended at the wrong one of them.
static void test_sides_shorter_than_rounding_do_not_end_the_chain(void **state) {
    (void)state;
    gz_random random = gz_random_make(11, 0);
    for (int k = 0; k < 20000; k++) {
        double angle = gz_random_range(&random, 0, 6.3), r = k % 3 ? 0 : 0.2;
        double x = gz_random_range(&random, -3, 3), y = gz_random_range(&random, 3, 5);
        double half = 1e-15 * gz_random_range(&random, 0.2, 5);
        graze_planar_shape thin = box(x, y, 1, half, angle, r);
        double ex = cos(angle), ey = sin(angle);
        graze_planar_shape line = segment(x - ex, y - ey, x + ex, y + ey, r);
        graze_planar_shape a = k % 2 ? circle(0, 0, 0.3) : box(0, 0, 1, half, 0, 0);
        double vx = gz_random_range(&random, -1, 1);
        graze_planar_approach_result got = approach(a, thin, vx, -1, 20);
        graze_planar_approach_result want = approach(a, line, vx, -1, 20);
        assert_true(fabs(got.distance - want.distance) <= 1e-12 || got.hit != want.hit);
        if (got.hit != want.hit) assert_true(got.distance + want.distance <= 1e-12);
    }
}

static void test_points_and_segments_without_radius_collide_exactly(void **state) {
    (void)state;
    assert_answer(approach(circle(0, 0, 0), circle(4, 0, 0), -1, 0, 10), 4, 0, true);
    assert_answer(approach(segment(0, -1, 0, 1, 0), circle(4, 0.5, 0), -1, 0, 10), 4, 0, true);
    assert_answer(approach(segment(0, -1, 0, 1, 0), circle(4, 1, 0), -1, 0, 10), 4, 0, true);
    assert_answer(approach(segment(0, 0, 1, 0, 0), segment(3, 0, 4, 0, 0), -1, 0, 10), 2, 0, true);
}

static void test_arguments_are_judged(void **state) {
    (void)state;
    graze_planar_shape a = circle(0, 0, 1), b = circle(4, 0, 1), bad;
    graze_vec2 v = {1, 0}, nan = {NAN, 0}, far = {1e31, 0};
    graze_planar_approach_result r = {.time = 7};
    assert_int_equal(graze_planar_approach(NULL, v, &b, v, 1, &r), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_planar_approach(&a, v, NULL, v, 1, &r), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_planar_approach(&a, v, &b, v, 1, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_planar_approach(&a, nan, &b, v, 1, &r), GRAZE_ERROR_RANGE);
    assert_int_equal(graze_planar_approach(&a, v, &b, far, 1, &r), GRAZE_ERROR_RANGE);
    assert_int_equal(graze_planar_approach(&a, v, &b, v, -1, &r), GRAZE_ERROR_RANGE);
    assert_int_equal(graze_planar_approach(&a, v, &b, v, NAN, &r), GRAZE_ERROR_RANGE);
    for (int k = 0; k < 5; k++) {
        bad = b;
        if (k == 0) bad.vertices[0].x = NAN;
        if (k == 1) bad.vertices[0].y = INFINITY;
        if (k == 2) bad.radius = -1;
        if (k == 3) bad.radius = NAN;
        if (k == 4) bad.vertices[0].x = 2e30;
        assert_int_equal(graze_planar_approach(&a, v, &bad, v, 1, &r), GRAZE_ERROR_RANGE);
    }
    const int32_t counts[3] = {0, -1, GRAZE_PLANAR_VERTEX_MAX + 1};
    for (int k = 0; k < 3; k++) {
        bad = b;
        bad.count = counts[k];
        assert_int_equal(graze_planar_approach(&a, v, &bad, v, 1, &r), GRAZE_ERROR_ARGUMENT);
    }
    assert_true(r.time == 7); // untouched
}

static void test_shapes_that_are_not_convex_do_no_harm(void **state) {
    (void)state;
    gz_random random = gz_random_make(3, 0);
    for (int k = 0; k < 20000; k++) {
        graze_planar_shape s[2];
        for (int i = 0; i < 2; i++) {
            s[i].count = 1 + (int32_t)gz_random_below(&random, GRAZE_PLANAR_VERTEX_MAX);
            s[i].radius = gz_random_below(&random, 2);
            for (int j = 0; j < GRAZE_PLANAR_VERTEX_MAX; j++) {
                s[i].vertices[j].x = gz_random_below(&random, 5);
                s[i].vertices[j].y = gz_random_below(&random, 5);
            }
        }
        graze_vec2 v = {gz_random_below(&random, 3), gz_random_below(&random, 3)};
        graze_planar_approach_result r;
        (void)graze_planar_approach(&s[0], v, &s[1], rest, 10, &r); // ends, within bounds
    }
}

static void test_extreme_speeds_and_scales_stay_exact(void **state) {
    (void)state;
    assert_answer(approach(circle(0, 0, 1), circle(4, 0, 1), -0x1p-300, 0, INFINITY), 0x1p301, 0,
                  true);
    graze_planar_approach_result r = approach(circle(0, 0, 1), circle(4, 0, 1), -0x1p-301, 0,
                                              INFINITY);
    assert_answer(r, 0, 2, false); // at rest
    r = approach(circle(0, 0, 0x1p-60), circle(0x1p-56, 0, 0), -0x1p-57, 0, 10);
    assert_true(r.hit && r.time == 1.875);
}

static void test_a_radius_of_next_to_none_has_a_normal(void **state) {
    (void)state;
    static const double radii[] = {0x1p-1074, 1e-310, 1e-200, 1e-160, 1e-100};
    for (size_t i = 0; i < sizeof radii / sizeof *radii; i++) {
        graze_planar_approach_result r = approach(circle(0, 0, radii[i]), circle(1, 0, 0), -1, 0,
                                                  10);
        assert_answer(r, 1, 0, true);
        assert_true(fabs(r.normal.x - 1) <= 1e-12 && fabs(r.normal.y) <= 1e-12);
    }
}

static void test_the_callers_rounding_does_not_matter(void **state) {
    (void)state;
    graze_planar_shape a = box(0, 0, 1, 0.7, 0.3, 0.1), b = box(5, 0.4, 0.9, 1, 1.1, 0.2);
    graze_planar_approach_result nearest = approach(a, b, -1, 0.1, 100), up;
    fesetround(FE_UPWARD);
    up = approach(a, b, -1, 0.1, 100);
    fesetround(FE_TONEAREST);
    assert_memory_equal(&nearest.time, &up.time, sizeof up.time);
    assert_memory_equal(&nearest.point_a, &up.point_a, sizeof up.point_a);
}

static void test_inline_forms_agree_with_the_general_one(void **state) {
    (void)state;
    gz_random random = gz_random_make(5, 0);
    for (int k = 0; k < 20000; k++) {
        double n[12];
        for (int i = 0; i < 12; i++) n[i] = gz_random_range(&random, -3, 3);
        graze_vec2 a = {n[0], n[1]}, b = {n[2], n[3]}, c = {n[4], n[5]};
        graze_vec2 va = {n[6], n[7]}, vb = {n[8], n[9]};
        if (k % 7 == 0) vb = va;
        double ra = fabs(n[10]) / 2, rb = k % 5 ? fabs(n[11]) / 2 : 0;
        graze_planar_shape sa = circle(a.x, a.y, ra), sb = circle(b.x, b.y, rb);
        graze_planar_shape sc = segment(b.x, b.y, c.x, c.y, rb);
        graze_planar_approach_result want, got;
        for (int form = 0; form < 2; form++) {
            assert_int_equal(graze_planar_approach(&sa, va, form ? &sc : &sb, vb, 2, &want), 0);
            if (form)
                graze_planar_circle_capsule_approach(a, ra, va, b, c, rb, vb, 2, &got);
            else
                graze_planar_circles_approach(a, ra, va, b, rb, vb, 2, &got);
            assert_int_equal(got.hit, want.hit);
            assert_true(fabs(got.time - want.time) <= 1e-9);
            assert_true(fabs(got.distance - want.distance) <= 1e-13);
            if (want.distance < 1e-6 && !want.hit) continue;
            assert_true(hypot(got.point_b.x - want.point_b.x, got.point_b.y - want.point_b.y) <
                        1e-6);
        }
    }
}

// ------------------------------------------------------------------------------------ batches

#define COUNT 11

static void test_batch_answers_each_pair_and_leaves_the_rest_alone(void **state) {
    (void)state;
    double rows_a[3 * COUNT], rows_b[7 * COUNT], vx[COUNT], vy[COUNT];
    double times[COUNT + 1], distances[COUNT + 1];
    graze_planar_shape a[COUNT], b[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        a[i] = circle(0.1 * (double)i, 0, 0.5);
        b[i] = box(5, 0.5 * (double)i, 1, 0.6, 0.3 * (double)i, 0.2);
        assert_int_equal(graze_planar_array_set(rows_a, COUNT, i, GRAZE_PLANAR_CIRCLE, 0, &a[i]),
                         GRAZE_OK);
        assert_int_equal(graze_planar_array_set(rows_b, COUNT, i, GRAZE_PLANAR_RECTANGLE, 0, &b[i]),
                         GRAZE_OK);
        vx[i] = -1;
        vy[i] = i % 3 ? 0 : -0.2;
    }
    graze_planar_array of_a = {GRAZE_PLANAR_CIRCLE, 0, COUNT, COUNT, rows_a};
    graze_planar_array of_b = {GRAZE_PLANAR_RECTANGLE, 0, COUNT, COUNT, rows_b};
    for (size_t count = 1; count <= COUNT; count++)
        for (int exchange = 0; exchange < 2; exchange++) {
            of_a.count = of_b.count = count;
            times[count] = distances[count] = 77;
            for (size_t i = 0; i < count; i++) vx[i] = exchange ? 1 : -1;
            for (size_t i = 0; i < count; i++) vy[i] = fabs(vy[i]) * (exchange ? 1 : -1);
            assert_int_equal(graze_planar_approach_batch(exchange ? &of_b : &of_a,
                                                         exchange ? &of_a : &of_b, vx, vy, 4.5,
                                                         times, distances),
                             GRAZE_OK);
            assert_true(times[count] == 77 && distances[count] == 77);
            for (size_t i = 0; i < count; i++) {
                graze_planar_approach_result r = exchange ? approach(b[i], a[i], vx[i], vy[i], 4.5)
                                                          : approach(a[i], b[i], vx[i], vy[i], 4.5);
                assert_true(fabs(times[i] - r.time) <= 1e-12);
                assert_true(fabs(distances[i] - r.distance) <= 1e-13);
                assert_int_equal(distances[i] <= 0, r.hit);
            }
        }
}

// Segments on a small grid: without length, on one line, parallel, across, along the motion.
static void test_batch_agrees_where_segments_degenerate(void **state) {
    (void)state;
    static const double velocities[4][2] = {{1, 0}, {0, -1}, {-1, 1}, {0, 0}};
    long compared = 0;
    for (int k = 0; k < 5 * 5 * 5 * 5 * 4 * 2; k++) {
        // An end of A, both of B, a velocity, A as a capsule or as a circle.
        int code = k / 8, at[4];
        for (int i = 0; i < 4; i++, code /= 5) at[i] = code % 5 - 2;
        const double *v = velocities[k % 4];
        bool round = k / 4 % 2;
        graze_vec2 a0 = {0, 0}, a1 = {at[0], at[1] % 2};
        graze_vec2 b0 = {at[2] + 4, at[3]}, b1 = {at[2] + 4 + at[1], at[3] + at[0] % 2};
        double row_a[5] = {a0.x, a0.y, a1.x, a1.y, 0.25}, t, d;
        double row_b[5] = {b0.x, b0.y, b1.x, b1.y, 0.25};
        if (round) row_a[2] = 0.25;
        graze_planar_array of_a = {round ? GRAZE_PLANAR_CIRCLE : GRAZE_PLANAR_CAPSULE, 0, 1, 1,
                                   row_a};
        graze_planar_array of_b = {GRAZE_PLANAR_CAPSULE, 0, 1, 1, row_b};
        graze_planar_shape a, b;
        assert_int_equal(graze_planar_capsule(&a, a0, round ? a0 : a1, 0.25, NULL), GRAZE_OK);
        assert_int_equal(graze_planar_capsule(&b, b0, b1, 0.25, NULL), GRAZE_OK);
        assert_int_equal(graze_planar_approach_batch(&of_a, &of_b, &v[0], &v[1], 9, &t, &d),
                         GRAZE_OK);
        graze_planar_approach_result r = approach(a, b, v[0], v[1], 9);
        assert_true(fabs(d - r.distance) <= 1e-13);
        assert_true(fabs(t - r.time) <= 1e-12);
        compared++;
    }
    assert_int_equal(compared, 5000);
}

// Without radii a side is met exactly, and rounding must not make a pass of it.
static void test_batch_hits_sides_of_shapes_without_radius(void **state) {
    (void)state;
    static const graze_planar_kind kinds[5][2] = {{GRAZE_PLANAR_CIRCLE, GRAZE_PLANAR_CAPSULE},
                                                  {GRAZE_PLANAR_CIRCLE, GRAZE_PLANAR_RECTANGLE},
                                                  {GRAZE_PLANAR_CAPSULE, GRAZE_PLANAR_CAPSULE},
                                                  {GRAZE_PLANAR_CAPSULE, GRAZE_PLANAR_RECTANGLE},
                                                  {GRAZE_PLANAR_RECTANGLE, GRAZE_PLANAR_RECTANGLE}};
    gz_random random = gz_random_make(17, 0);
    for (int k = 0; k < 20000; k++) {
        double rows[2][7], t, d;
        graze_planar_shape shapes[2];
        graze_planar_array arrays[2];
        for (int side = 0; side < 2; side++) {
            graze_planar_kind kind = kinds[k % 5][side];
            double x = side ? 30 * cos(k) : 0, y = side ? 30 * sin(k) : 0;
            double angle = gz_random_range(&random, 0, 6.3), long_half = 3, half = 1;
            double ex = long_half * cos(angle), ey = long_half * sin(angle);
            graze_planar_shape *s = &shapes[side];
            *s = kind == GRAZE_PLANAR_CIRCLE    ? circle(x, y, 0)
                 : kind == GRAZE_PLANAR_CAPSULE ? segment(x - ex, y - ey, x + ex, y + ey, 0)
                                                : box(x, y, long_half, half, angle, 0);
            assert_int_equal(graze_planar_array_set(rows[side], 1, 0, kind, 0, s), GRAZE_OK);
            arrays[side] = (graze_planar_array){kind, 0, 1, 1, rows[side]};
        }
        // Within what meets the middle of either.
        double vx = -cos(k + gz_random_range(&random, -0.01, 0.01));
        double vy = -sin(k + gz_random_range(&random, -0.01, 0.01));
        graze_planar_approach_result r = approach(shapes[0], shapes[1], vx, vy, 100);
        assert_int_equal(graze_planar_approach_batch(&arrays[0], &arrays[1], &vx, &vy, 100, &t, &d),
                         GRAZE_OK);
        if (r.hit && fabs(r.time - 15) < 15) {
            assert_true(d == 0);
            assert_true(fabs(t - r.time) <= 1e-9);
        }
    }
}

static double segment_distance(graze_vec2 p, graze_vec2 a, graze_vec2 b) {
    double x = b.x - a.x, y = b.y - a.y, square = x * x + y * y;
    double s = square > 0 ? ((p.x - a.x) * x + (p.y - a.y) * y) / square : 0;
    s = fmin(fmax(s, 0), 1);
    return hypot(a.x + s * x - p.x, a.y + s * y - p.y);
}

// Segments on one line but for rounding, end to end or one within the other: which of the edges of
// their difference faces the other is then chance.
static void test_batch_distances_of_nearly_parallel_segments(void **state) {
    (void)state;
    gz_random random = gz_random_make(23, 0);
    for (int k = 0; k < 50000; k++) {
        double c = cos(k), s = sin(k), n[4];
        for (int i = 0; i < 4; i++) n[i] = gz_random_range(&random, -2, 2);
        double off = k % 3 ? 1e-16 * gz_random_range(&random, -9, 9) : 0, zero = 0, t, d;
        double a[5] = {n[0] * c, n[0] * s, n[1] * c, n[1] * s, 0};
        double b[5] = {n[2] * c - off * s, n[2] * s + off * c, n[3] * c + off, n[3] * s, 0};
        if (k % 11 == 0) b[2] = b[0], b[3] = b[1];
        graze_planar_array of_a = {GRAZE_PLANAR_CAPSULE, 0, 1, 1, a};
        graze_planar_array of_b = {GRAZE_PLANAR_CAPSULE, 0, 1, 1, b};
        graze_vec2 p[4] = {{a[0], a[1]}, {a[2], a[3]}, {b[0], b[1]}, {b[2], b[3]}};
        double want = fmin(
            fmin(segment_distance(p[0], p[2], p[3]), segment_distance(p[1], p[2], p[3])),
            fmin(segment_distance(p[2], p[0], p[1]), segment_distance(p[3], p[0], p[1])));
        assert_int_equal(graze_planar_approach_batch(&of_a, &of_b, &zero, &zero, 9, &t, &d),
                         GRAZE_OK);
        assert_true(t == 0 && fabs(fabs(d) - want) <= 3e-15);
        // The same two as rectangles without width.
        double wide[2][7];
        for (int side = 0; side < 2; side++) {
            const double *e = side ? b : a;
            double x = e[2] - e[0], y = e[3] - e[1], length = hypot(x, y);
            const double row[7] = {(e[0] + e[2]) / 2,
                                   (e[1] + e[3]) / 2,
                                   length > 0 ? x / length : 1,
                                   length > 0 ? y / length : 0,
                                   length / 2,
                                   0,
                                   0};
            memcpy(wide[side], row, sizeof row);
        }
        of_a = (graze_planar_array){GRAZE_PLANAR_RECTANGLE, 0, 1, 1, wide[0]};
        of_b = (graze_planar_array){GRAZE_PLANAR_RECTANGLE, 0, 1, 1, wide[1]};
        assert_int_equal(graze_planar_approach_batch(&of_a, &of_b, &zero, &zero, 9, &t, &d),
                         GRAZE_OK);
        assert_true(t == 0 && fabs(fabs(d) - want) <= 5e-15);
    }
}

static void test_a_nan_in_a_batch_spoils_its_own_pair_alone(void **state) {
    (void)state;
    double rows[3 * COUNT] = {0}, v[COUNT], zero[COUNT] = {0}, t[2][COUNT], d[2][COUNT];
    double one[3] = {0, 0, 1};
    for (size_t i = 0; i < COUNT; i++) rows[i] = 5 + (double)i, v[i] = -1;
    graze_planar_array a = {GRAZE_PLANAR_CIRCLE, 0, 1, 1, one};
    graze_planar_array b = {GRAZE_PLANAR_CIRCLE, 0, COUNT, COUNT, rows};
    assert_int_equal(graze_planar_approach_batch(&a, &b, v, zero, 7, t[0], d[0]), GRAZE_OK);
    rows[2] = NAN, v[9] = INFINITY;
    assert_int_equal(graze_planar_approach_batch(&a, &b, v, zero, 7, t[1], d[1]), GRAZE_OK);
    for (size_t i = 0; i < COUNT; i++)
        if (i != 2 && i != 9) assert_true(t[0][i] == t[1][i] && d[0][i] == d[1][i]);
    assert_true(t[0][0] == 4 && d[0][0] == 0 && t[0][10] == 7 && d[0][10] == 7);
}

static void test_batch_arguments_are_judged(void **state) {
    (void)state;
    double rows[7] = {0}, v = 0, t, d;
    graze_planar_array a = {GRAZE_PLANAR_CIRCLE, 0, 1, 1, rows}, b = a;
    assert_int_equal(graze_planar_approach_batch(&a, &b, &v, &v, 1, &t, &d), GRAZE_OK);
    assert_int_equal(graze_planar_approach_batch(NULL, &b, &v, &v, 1, &t, &d),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_planar_approach_batch(&a, &b, NULL, &v, 1, &t, &d),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_planar_approach_batch(&a, &b, &v, &v, 1, NULL, &d),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_planar_approach_batch(&a, &b, &v, &v, -1, &t, &d), GRAZE_ERROR_RANGE);
    assert_int_equal(graze_planar_approach_batch(&a, &b, &v, &v, NAN, &t, &d), GRAZE_ERROR_RANGE);
    b.kind = GRAZE_PLANAR_POLYGON;
    assert_int_equal(graze_planar_approach_batch(&a, &b, &v, &v, 1, &t, &d),
                     GRAZE_ERROR_UNSUPPORTED);
    b.kind = (graze_planar_kind)9;
    assert_int_equal(graze_planar_approach_batch(&a, &b, &v, &v, 1, &t, &d), GRAZE_ERROR_ARGUMENT);
    b = a;
    b.count = 2;
    assert_int_equal(graze_planar_approach_batch(&a, &b, &v, &v, 1, &t, &d), GRAZE_ERROR_ARGUMENT);
    b.count = 0, a.count = 0;
    assert_int_equal(graze_planar_approach_batch(&a, &b, NULL, NULL, 1, NULL, NULL), GRAZE_OK);
}

static void test_batch_answers_the_slowest_as_one_by_one(void **state) {
    (void)state;
    // Their squares are less than any double. Twice, so that one shape meets all as well.
    static const double speeds[COUNT] = {0x1p-500, 0x1p-520, 0x1p-537, 0x1p-560,
                                         0x1p-700, 0x1p-890, 0x1p-910, 0x1p-1074,
                                         0,        1,        0x1p-300};
    static const double horizons[] = {10, 0x1p600, INFINITY};
    double rows_a[7 * COUNT], rows_b[7 * COUNT], vx[COUNT], vy[COUNT];
    double times[COUNT], distances[COUNT];
    graze_planar_shape a[COUNT], b[COUNT];
    for (int kinds = 0; kinds < 9; kinds++) {
        graze_planar_kind of[2] = {(graze_planar_kind)(kinds / 3), (graze_planar_kind)(kinds % 3)};
        for (size_t i = 0; i < COUNT; i++) {
            for (int side = 0; side < 2; side++) {
                double x = side ? 5 : 0, y = side ? 0.3 * (double)i : 0.25;
                graze_planar_shape *s = side ? &b[i] : &a[i];
                *s = of[side] == GRAZE_PLANAR_CIRCLE    ? circle(x, y, 0.5)
                     : of[side] == GRAZE_PLANAR_CAPSULE ? segment(x, y, x + 0.5, y - 1, 0.5)
                                                        : box(x, y, 1, 0.5, 0.5, 0.25);
                assert_int_equal(
                    graze_planar_array_set(side ? rows_b : rows_a, COUNT, i, of[side], 0, s),
                    GRAZE_OK);
            }
            vx[i] = -speeds[i];
            vy[i] = 0.125 * speeds[i];
        }
        for (int k = 0; k < 6; k++) {
            bool one = k >= 3;
            graze_planar_array of_a = {of[0], 0, one ? 1 : COUNT, COUNT, rows_a};
            graze_planar_array of_b = {of[1], 0, COUNT, COUNT, rows_b};
            assert_int_equal(graze_planar_approach_batch(&of_a, &of_b, vx, vy, horizons[k % 3],
                                                         times, distances),
                             GRAZE_OK);
            for (size_t i = 0; i < COUNT; i++) {
                graze_planar_approach_result r = approach(a[one ? 0 : i], b[i], vx[i], vy[i],
                                                          horizons[k % 3]);
                assert_true(fabs(distances[i] - r.distance) <= 1e-12);
                assert_true(fabs(times[i] - r.time) <= 1e-12 * r.time);
                assert_int_equal(distances[i] <= 0, r.hit);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_circles_collide_head_on_where_their_radii_say),
        cmocka_unit_test(test_a_pass_is_nearest_where_the_line_is),
        cmocka_unit_test(test_the_horizon_ends_the_search),
        cmocka_unit_test(test_moving_apart_is_nearest_now),
        cmocka_unit_test(test_slopes_next_to_none_are_nearest_at_the_right_end),
        cmocka_unit_test(test_overlap_at_the_start_is_a_hit_at_zero_with_its_depth),
        cmocka_unit_test(test_touching_at_the_start_is_a_hit_whichever_way_it_goes),
        cmocka_unit_test(test_equal_velocities_keep_the_distance_of_now),
        cmocka_unit_test(test_parallel_motion_takes_the_earliest_time),
        cmocka_unit_test(test_corners_edges_and_rounding_are_met_where_they_are),
        cmocka_unit_test(test_sides_shorter_than_rounding_do_not_end_the_chain),
        cmocka_unit_test(test_points_and_segments_without_radius_collide_exactly),
        cmocka_unit_test(test_arguments_are_judged),
        cmocka_unit_test(test_shapes_that_are_not_convex_do_no_harm),
        cmocka_unit_test(test_extreme_speeds_and_scales_stay_exact),
        cmocka_unit_test(test_a_radius_of_next_to_none_has_a_normal),
        cmocka_unit_test(test_the_callers_rounding_does_not_matter),
        cmocka_unit_test(test_inline_forms_agree_with_the_general_one),
        cmocka_unit_test(test_batch_answers_each_pair_and_leaves_the_rest_alone),
        cmocka_unit_test(test_batch_agrees_where_segments_degenerate),
        cmocka_unit_test(test_batch_hits_sides_of_shapes_without_radius),
        cmocka_unit_test(test_batch_distances_of_nearly_parallel_segments),
        cmocka_unit_test(test_a_nan_in_a_batch_spoils_its_own_pair_alone),
        cmocka_unit_test(test_batch_arguments_are_judged),
        cmocka_unit_test(test_batch_answers_the_slowest_as_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
