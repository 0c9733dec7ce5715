/// Planar shapes: what constructors accept and make, and what shapes answer.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"
#include "graze/planar_shape.h"
#include "planar/shapes/shape_internal.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void assert_valid(const graze_planar_shape *s, int count) {
    graze_error error;
    graze_status status = graze_planar_shape_check(s, &error);
    if (status != GRAZE_OK) print_error("%s\n", error.message);
    assert_int_equal(status, GRAZE_OK);
    assert_int_equal(s->count, count);
}

static void assert_vertex(const graze_planar_shape *s, int i, double x, double y) {
    assert_true(s->vertices[i].x == x && s->vertices[i].y == y);
}

static void circles_and_capsules_keep_their_points(void **state) {
    (void)state;
    graze_planar_shape s;
    assert_int_equal(graze_planar_circle(&s, (graze_vec2){1, 2}, 3, NULL), GRAZE_OK);
    assert_valid(&s, 1);
    assert_vertex(&s, 0, 1, 2);
    assert_vertex(&s, 15, 1, 2);
    assert_true(s.radius == 3);
    graze_vec2 a = {4, 0}, b = {1, 1};
    assert_int_equal(graze_planar_capsule(&s, a, b, 0.5, NULL), GRAZE_OK);
    assert_valid(&s, 2);
    assert_vertex(&s, 0, 4, 0);
    assert_vertex(&s, 1, 1, 1);
    assert_int_equal(graze_planar_capsule(&s, a, a, 0.5, NULL), GRAZE_OK);
    assert_valid(&s, 1);
}

static void rectangles_run_counter_clockwise(void **state) {
    (void)state;
    graze_planar_shape s;
    graze_transform2 pose = {0, 1, 10, 20}; // a quarter turn
    assert_int_equal(graze_planar_rectangle(&s, &pose, (graze_vec2){2, 1}, 0, NULL), GRAZE_OK);
    assert_valid(&s, 4);
    assert_vertex(&s, 0, 11, 18);
    assert_vertex(&s, 1, 11, 22);
    assert_vertex(&s, 2, 9, 22);
    assert_vertex(&s, 3, 9, 18);
    assert_int_equal(graze_planar_rectangle(&s, &pose, (graze_vec2){2, 0}, 0, NULL), GRAZE_OK);
    assert_valid(&s, 2);
    assert_int_equal(graze_planar_rectangle(&s, &pose, (graze_vec2){0, 0}, 1, NULL), GRAZE_OK);
    assert_valid(&s, 1);
    // Any angle: rounding must not bend the polygon.
    gz_random random = gz_random_make(1, 1);
    for (int i = 0; i < 20000; i++) {
        double far = pow(10, gz_random_range(&random, -3, 15));
        pose = graze_transform2_make(far * gz_random_unit(&random), far,
                                     gz_random_range(&random, -9, 9));
        graze_vec2 half = {gz_random_unit(&random), 1e-3 * gz_random_unit(&random)};
        assert_int_equal(graze_planar_rectangle(&s, &pose, half, 0, NULL), GRAZE_OK);
        assert_int_equal(graze_planar_shape_check(&s, NULL), GRAZE_OK);
    }
}

static void polygons_drop_points_on_edges_and_keep_their_first_corner(void **state) {
    (void)state;
    graze_planar_shape s;
    double square[] = {0, 0, 1, 0, 2, 0, 2, 1, 2, 2, 1, 2, 0, 2, 0, 1, 0, 0};
    assert_int_equal(graze_planar_polygon(&s, square, 9, 0, NULL), GRAZE_OK);
    assert_valid(&s, 4);
    assert_vertex(&s, 0, 0, 0);
    assert_vertex(&s, 1, 2, 0);
    double clockwise[] = {0, 0, 0, 2, 2, 2, 2, 0};
    assert_int_equal(graze_planar_polygon(&s, clockwise, 4, 0, NULL), GRAZE_OK);
    assert_valid(&s, 4);
    assert_vertex(&s, 0, 0, 0);
    assert_vertex(&s, 1, 2, 0);
    double line[] = {1, 1, 3, 3, 2, 2, 0, 0};
    assert_int_equal(graze_planar_polygon(&s, line, 4, 0, NULL), GRAZE_OK);
    assert_valid(&s, 2);
    double begins_on_an_edge[] = {1, 0, 2, 0, 2, 2, 0, 2, 0, 0};
    assert_int_equal(graze_planar_polygon(&s, begins_on_an_edge, 5, 0, NULL), GRAZE_OK);
    assert_valid(&s, 4);
    assert_int_equal(graze_planar_polygon(&s, line, 1, 0, NULL), GRAZE_OK);
    assert_valid(&s, 1);
}

static void polygons_that_are_not_convex_are_refused(void **state) {
    (void)state;
    graze_planar_shape s;
    graze_error error;
    double dart[] = {0, 0, 4, 0, 1, 1, 0, 4};
    assert_int_equal(graze_planar_polygon(&s, dart, 4, 0, &error), GRAZE_ERROR_SCHEMA);
    assert_non_null(strstr(error.message, "vertex 2"));
    double bow[] = {0, 0, 1, 1, 1, 0, 0, 1};
    assert_int_equal(graze_planar_polygon(&s, bow, 4, 0, NULL), GRAZE_ERROR_SCHEMA);
    double spike[] = {0, 0, 2, 0, 3, 0, 2, 0, 2, 2};
    assert_int_equal(graze_planar_polygon(&s, spike, 5, 0, NULL), GRAZE_ERROR_SCHEMA);
    // A five-pointed star turns left everywhere, and goes round twice.
    double star[10], ring[2 * 17];
    for (int i = 0; i < 5; i++) {
        star[2 * i] = cos(2.513274122871834 * i);
        star[2 * i + 1] = sin(2.513274122871834 * i);
    }
    assert_int_equal(graze_planar_polygon(&s, star, 5, 0, &error), GRAZE_ERROR_SCHEMA);
    assert_non_null(strstr(error.message, "once"));
    for (int i = 0; i < 17; i++) {
        ring[2 * i] = cos(0.36959913571644626 * i);
        ring[2 * i + 1] = sin(0.36959913571644626 * i);
    }
    assert_int_equal(graze_planar_polygon(&s, ring, 16, 0, NULL), GRAZE_OK);
    assert_int_equal(graze_planar_polygon(&s, ring, 17, 0, NULL), GRAZE_ERROR_LIMIT);
    assert_int_equal(graze_planar_hull(&s, ring, 17, 0, NULL), GRAZE_ERROR_LIMIT);
}

// A way there and back, and then another: what is left of it at the end is two points, and no
// segment.
static void spikes_in_two_directions_are_no_segment(void **state) {
    (void)state;
    graze_planar_shape s = {.count = 77};
    graze_error error;
    const double there_and_back[] = {4, 4, 3, 4, 4, 4, 4, 2};
    assert_int_equal(graze_planar_polygon(&s, there_and_back, 4, 0, &error), GRAZE_ERROR_SCHEMA);
    assert_non_null(strstr(error.message, "vertex 1"));
    const double again[] = {0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0};
    assert_int_equal(graze_planar_polygon(&s, again, 6, 0, NULL), GRAZE_ERROR_SCHEMA);
    const double repeated[] = {1, 1, 0, 0, 1, 1, 1, 1, 0, 1};
    assert_int_equal(graze_planar_polygon(&s, repeated, 5, 0, NULL), GRAZE_ERROR_SCHEMA);
    assert_int_equal(s.count, 77);
    const double line[] = {1, 1, 0, 0, 1, 1, 2, 2, 1, 1};
    assert_int_equal(graze_planar_polygon(&s, line, 5, 0, NULL), GRAZE_OK);
    assert_valid(&s, 2);
}

static void numbers_out_of_range_are_refused(void **state) {
    (void)state;
    graze_planar_shape s = {.count = 77};
    graze_vec2 ok = {0, 0};
    static const double bad[] = {NAN, INFINITY, -INFINITY, 1.3e30, -1.3e30};
    for (size_t i = 0; i < COUNT(bad); i++) {
        graze_vec2 p = {0, bad[i]};
        double xy[] = {0, 0, 1, 0, bad[i], 1, 0, 1};
        graze_transform2 t = {1, 0, bad[i], 0};
        assert_int_equal(graze_planar_circle(&s, p, 1, NULL), GRAZE_ERROR_RANGE);
        assert_int_equal(graze_planar_circle(&s, ok, bad[i], NULL), GRAZE_ERROR_RANGE);
        assert_int_equal(graze_planar_capsule(&s, ok, p, 1, NULL), GRAZE_ERROR_RANGE);
        assert_int_equal(graze_planar_rectangle(&s, &t, (graze_vec2){1, 1}, 0, NULL),
                         GRAZE_ERROR_RANGE);
        t.x = 0;
        assert_int_equal(graze_planar_rectangle(&s, &t, p, 0, NULL), GRAZE_ERROR_RANGE);
        assert_int_equal(graze_planar_polygon(&s, xy, 4, 0, NULL), GRAZE_ERROR_RANGE);
        assert_int_equal(graze_planar_hull(&s, xy, 4, 0, NULL), GRAZE_ERROR_RANGE);
    }
    assert_int_equal(graze_planar_circle(&s, ok, -1e-9, NULL), GRAZE_ERROR_RANGE);
    assert_int_equal(graze_planar_circle(NULL, ok, 1, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_planar_hull(&s, NULL, 1, 1, NULL), GRAZE_ERROR_ARGUMENT);
    graze_transform2 stretched = {1.1, 0, 0, 0};
    assert_int_equal(graze_planar_rectangle(&s, &stretched, (graze_vec2){1, 1}, 0, NULL),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(s.count, 77); // untouched
}

static void hulls_hold_all_points_and_turn_left(void **state) {
    (void)state;
    gz_random random = gz_random_make(2, 1);
    for (int i = 0; i < 3000; i++) {
        double xy[2 * 60];
        graze_vec2 points[60], hull[61];
        size_t n = 1 + gz_random_below(&random, 60), count;
        for (size_t k = 0; k < 2 * n; k++)
            xy[k] = i & 1 ? gz_random_below(&random, 6) : gz_random_range(&random, -1, 1);
        memcpy(points, xy, n * sizeof *points);
        gz_planar_sort(points, n);
        count = gz_planar_hull_of_sorted(hull, points, n);
        assert_true(count >= 1 && count <= n);
        // On small integers and in [-1, 1] long double decides these signs well enough.
        for (size_t a = 0; a < count && count > 1; a++) {
            const double *p = &hull[a].x, *q = &hull[(a + 1) % count].x;
            for (size_t k = 0; k < n; k++) {
                long double side = ((long double)q[0] - p[0]) *
                                       ((long double)xy[2 * k + 1] - p[1]) -
                                   ((long double)q[1] - p[1]) * ((long double)xy[2 * k] - p[0]);
                assert_true(side >= -1e-18L);
            }
        }
        graze_planar_shape s;
        graze_status status = graze_planar_hull(&s, xy, n, 0, NULL);
        assert_int_equal(status, count > GRAZE_PLANAR_VERTEX_MAX ? GRAZE_ERROR_LIMIT : GRAZE_OK);
        if (status == GRAZE_OK) assert_valid(&s, (int)count);
    }
}

static void moved_shapes_stay_convex(void **state) {
    (void)state;
    gz_random random = gz_random_make(3, 1);
    for (int i = 0; i < 20000; i++) {
        double xy[2 * 16], bend = pow(10, gz_random_range(&random, -18, 0));
        for (int k = 0; k < 16; k++) {
            double x = gz_random_range(&random, -1, 1);
            xy[2 * k] = x;
            xy[2 * k + 1] = bend * x * x; // nearly on a line
        }
        graze_planar_shape s;
        assert_int_equal(graze_planar_hull(&s, xy, 16, 0.5, NULL), GRAZE_OK);
        double far = pow(10, gz_random_range(&random, -2, 12));
        graze_transform2 t = graze_transform2_make(far, -far, gz_random_range(&random, -4, 4));
        assert_int_equal(graze_planar_transform(&s, &s, &t, NULL), GRAZE_OK);
        assert_int_equal(graze_planar_shape_check(&s, NULL), GRAZE_OK);
        assert_true(s.radius == 0.5);
    }
    graze_planar_shape bad = {.count = 0}, s;
    graze_transform2 t = graze_transform2_identity();
    assert_int_equal(graze_planar_transform(&s, &bad, &t, NULL), GRAZE_ERROR_ARGUMENT);
    bad.count = 17;
    assert_int_equal(graze_planar_transform(&s, &bad, &t, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_planar_shape_check(&bad, NULL), GRAZE_ERROR_ARGUMENT);
}

static void transforms_compose_and_invert(void **state) {
    (void)state;
    graze_transform2 a = graze_transform2_make(1, 2, 0.5), b = graze_transform2_make(-3, 1, 1.25);
    graze_transform2 ab = graze_transform2_multiply(&a, &b), back = graze_transform2_inverse(&ab);
    graze_vec2 p = {0.25, -4}, q = graze_transform2_point(&b, p);
    q = graze_transform2_point(&a, q);
    graze_vec2 r = graze_transform2_point(&ab, p), s = graze_transform2_point(&back, r);
    assert_true(hypot(q.x - r.x, q.y - r.y) < 1e-14);
    assert_true(hypot(s.x - p.x, s.y - p.y) < 1e-14);
    assert_true(isnan(graze_transform2_make(0, 0, 2e6).c));
}

static void shape_check_finds_what_breaks_the_promise(void **state) {
    (void)state;
    graze_planar_shape s;
    double square[] = {0, 0, 1, 0, 1, 1, 0, 1};
    assert_int_equal(graze_planar_polygon(&s, square, 4, 0, NULL), GRAZE_OK);
    graze_planar_shape t = s;
    t.vertices[2].x = 0.25, t.vertices[2].y = 0.25;
    assert_int_equal(graze_planar_shape_check(&t, NULL), GRAZE_ERROR_SCHEMA);
    t = s, t.vertices[9].x = 5;
    assert_int_equal(graze_planar_shape_check(&t, NULL), GRAZE_ERROR_SCHEMA);
    t = s, t.radius = -1;
    assert_int_equal(graze_planar_shape_check(&t, NULL), GRAZE_ERROR_RANGE);
    t = s, t.vertices[1].y = 1e-40;
    assert_int_equal(graze_planar_shape_check(&t, NULL), GRAZE_ERROR_SCHEMA);
    t = s, t.count = 3;
    assert_int_equal(graze_planar_shape_check(&t, NULL), GRAZE_ERROR_SCHEMA);
}

static void bounds_of_a_rounded_square(void **state) {
    (void)state;
    graze_planar_shape s;
    double square[] = {1, 1, 3, 1, 3, 3, 1, 3};
    assert_int_equal(graze_planar_polygon(&s, square, 4, 0.5, NULL), GRAZE_OK);
    graze_planar_bounds box = graze_planar_shape_bounds(&s);
    assert_true(box.min.x == 0.5 && box.min.y == 0.5 && box.max.x == 3.5 && box.max.y == 3.5);
    // Rounded outward where a sum is no double.
    assert_int_equal(graze_planar_circle(&s, (graze_vec2){1, -1}, 0x1p-60, NULL), GRAZE_OK);
    box = graze_planar_shape_bounds(&s);
    assert_true(box.min.x < 1 && box.max.x > 1 && box.min.y < -1 && box.max.y > -1);
}

#ifdef GRAZE_FAULTS
static void hulls_survive_a_lack_of_memory(void **state) {
    (void)state;
    double xy[2 * 40];
    for (int i = 0; i < 80; i++) xy[i] = i * i % 7;
    graze_planar_shape s;
    gz_memory_fail_after(1, false);
    assert_int_equal(graze_planar_hull(&s, xy, 40, 0, NULL), GRAZE_ERROR_NO_MEMORY);
    gz_memory_fail_after(0, false);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(circles_and_capsules_keep_their_points),
        cmocka_unit_test(rectangles_run_counter_clockwise),
        cmocka_unit_test(polygons_drop_points_on_edges_and_keep_their_first_corner),
        cmocka_unit_test(polygons_that_are_not_convex_are_refused),
        cmocka_unit_test(spikes_in_two_directions_are_no_segment),
        cmocka_unit_test(numbers_out_of_range_are_refused),
        cmocka_unit_test(hulls_hold_all_points_and_turn_left),
        cmocka_unit_test(moved_shapes_stay_convex),
        cmocka_unit_test(transforms_compose_and_invert),
        cmocka_unit_test(shape_check_finds_what_breaks_the_promise),
        cmocka_unit_test(bounds_of_a_rounded_square),
#ifdef GRAZE_FAULTS
        cmocka_unit_test(hulls_survive_a_lack_of_memory),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
