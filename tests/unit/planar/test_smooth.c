// Smooth constraints: known values, the four cases, gradients, refusals. The campaign is
// tests/oracle/planar_smooth.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graze/planar_smooth.h"

static void test_saturation_is_within_half_its_width(void **state) {
    (void)state;
    static const double widths[] = {1e-9, 1e-3, 0.1, 1, 4};
    for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
        double before = 0;
        for (int i = -300; i <= 500; i++) {
            double t = 0.01 * i, exact = t < 0 ? 0 : t > 1 ? 1 : t;
            graze_planar_slope s = graze_planar_saturation(t, widths[k]);
            assert_true(fabs(s.value - exact) <= widths[k] / 2 + 1e-15);
            assert_true(s.value >= 0 && s.value <= 1 && s.value >= before - 1e-15);
            assert_true(s.derivative >= 0 && s.derivative <= 1);
            double mirrored = graze_planar_saturation(1 - t, widths[k]).value;
            assert_true(fabs(s.value + mirrored - 1) <= 1e-14);
            before = s.value;
        }
    }
    // The bound is nearly reached, at the corner of a narrow one: it is no idle one.
    assert_true(graze_planar_saturation(0, 1e-3).value > 0.499 * 1e-3);
}

static void test_width_zero_is_the_saturation_itself(void **state) {
    (void)state;
    assert_true(graze_planar_saturation(-2, 0).value == 0);
    assert_true(graze_planar_saturation(0.25, 0).value == 0.25);
    assert_true(graze_planar_saturation(0.25, 0).derivative == 1);
    assert_true(graze_planar_saturation(7, 0).value == 1);
    assert_true(graze_planar_saturation(7, 0).derivative == 0);
    assert_true(graze_planar_saturation(1, 0).derivative == 0.5);
    assert_true(graze_planar_step(-1, 0).value == 0);
    assert_true(graze_planar_step(0, 0).value == 0.5);
    assert_true(graze_planar_step(1e-300, 0).value == 1);
    assert_true(isnan(graze_planar_step(1, -1).value));
    assert_true(isnan(graze_planar_saturation(NAN, 0).value));
}

static graze_planar_constraint constraint_at(graze_planar_relation relation, double ax, double bx,
                                             double y, double radius) {
    graze_planar_constraint c;
    graze_vec2 a = {ax, y}, b = {bx, y}, origin = {0, 0};
    assert_int_equal(
        graze_planar_segment_constraint(relation, a, b, origin, radius, 0, NULL, &c, NULL),
        GRAZE_OK);
    return c;
}

static void test_four_cases_on_a_level_segment(void **state) {
    (void)state;
    // At height 3, from x = -1 to 4: d = 3 and D = 5.
    assert_true(constraint_at(GRAZE_PLANAR_CLEAR_OF_DISK, -1, 4, 3, 2).whole.value == -1);
    assert_true(constraint_at(GRAZE_PLANAR_CLEAR_OF_DISK, -1, 4, 3, 3.5).whole.value == 0.5);
    assert_true(constraint_at(GRAZE_PLANAR_OVERLAPS_DISK, -1, 4, 3, 2).whole.value == 1);
    assert_true(constraint_at(GRAZE_PLANAR_OVERLAPS_DISK, -1, 4, 3, 3.5).whole.value == -0.5);
    // Clear of the circle: outside by 1; crossing, by at least 0.5 short; inside by 1.
    assert_true(constraint_at(GRAZE_PLANAR_CLEAR_OF_CIRCLE, -1, 4, 3, 2).whole.value == -1);
    assert_true(constraint_at(GRAZE_PLANAR_CLEAR_OF_CIRCLE, -1, 4, 3, 3.5).whole.value == 0.5);
    assert_true(constraint_at(GRAZE_PLANAR_CLEAR_OF_CIRCLE, -1, 4, 3, 6).whole.value == -1);
    // Meets the circle: outside, crossing, inside.
    assert_true(constraint_at(GRAZE_PLANAR_INTERSECTS_CIRCLE, -1, 4, 3, 2).whole.value == 1);
    assert_true(constraint_at(GRAZE_PLANAR_INTERSECTS_CIRCLE, -1, 4, 3, 3.5).whole.value == -0.5);
    assert_true(constraint_at(GRAZE_PLANAR_INTERSECTS_CIRCLE, -1, 4, 3, 6).whole.value == 1);
    graze_planar_constraint c = constraint_at(GRAZE_PLANAR_INTERSECTS_CIRCLE, -1, 4, 3, 3.5);
    assert_true(!c.choice && c.term_count == 2);
    assert_true(c.term[0].value == -0.5 && c.term[1].value == -1.5);
    assert_true(constraint_at(GRAZE_PLANAR_CLEAR_OF_CIRCLE, -1, 4, 3, 6).choice);
}

static void test_a_segment_longer_than_the_diameter_has_one_inequality(void **state) {
    (void)state;
    graze_planar_constraint c = constraint_at(GRAZE_PLANAR_CLEAR_OF_CIRCLE, -1, 4, 3, 2.49);
    assert_true(c.term_count == 1 && !c.choice);
    assert_true(c.whole.value == c.term[0].value);
    assert_int_equal(constraint_at(GRAZE_PLANAR_CLEAR_OF_CIRCLE, -1, 4, 3, 2.51).term_count, 2);
}

static void test_gradient_of_the_nearest_inner_point(void **state) {
    (void)state;
    // Centre at the origin, foot at a fifth of the way: d = 3, straight down from the segment.
    graze_planar_constraint c = constraint_at(GRAZE_PLANAR_OVERLAPS_DISK, -1, 4, 3, 2);
    assert_true(fabs(c.whole.by_a.y - 0.8) < 1e-15 && fabs(c.whole.by_a.x) < 1e-15);
    assert_true(fabs(c.whole.by_b.y - 0.2) < 1e-15 && fabs(c.whole.by_b.x) < 1e-15);
    assert_true(c.whole.by_center.y == -1 && c.whole.by_radius == -1);
    assert_int_equal(c.whole.flags, 0);
}

static void test_what_has_no_gradient_is_flagged(void **state) {
    (void)state;
    graze_planar_segment_range r;
    graze_vec2 a = {-1, 0}, b = {1, 0}, origin = {0, 0};
    assert_int_equal(graze_planar_segment_range_find(a, b, origin, NULL, &r, NULL), GRAZE_OK);
    assert_int_equal(r.least.flags, GRAZE_PLANAR_FLAG_CENTER);
    assert_int_equal(r.greatest.flags, GRAZE_PLANAR_FLAG_TIE);
    assert_true(r.least.value == 0 && r.greatest.value == 1 && r.t == 0.5);
    assert_int_equal(graze_planar_segment_range_find(a, a, origin, NULL, &r, NULL), GRAZE_OK);
    assert_int_equal(r.least.flags, GRAZE_PLANAR_FLAG_COINCIDENT);
    assert_true(r.least.value == 1);
    // With smoothed lengths the same places have gradients.
    const graze_planar_smoothing smooth = {0.1, 0.1};
    assert_int_equal(graze_planar_segment_range_find(a, b, origin, &smooth, &r, NULL), GRAZE_OK);
    assert_int_equal(r.least.flags | r.greatest.flags, 0);
    assert_true(r.least.value >= 0 && r.least.value <= r.least.error);
    // d = D - R = R - d: both parts of the choice are level.
    graze_planar_constraint c = constraint_at(GRAZE_PLANAR_CLEAR_OF_CIRCLE, -1, 4, 3, 4);
    assert_true(c.whole.flags & GRAZE_PLANAR_FLAG_BRANCH);
}

static void test_arm_points_and_gradient(void **state) {
    (void)state;
    const double lengths[3] = {1, 2, 0.5}, q[3] = {0.3, -0.8, 1.1};
    graze_planar_arm arm = {{0.5, -0.25}, lengths, 3};
    graze_vec2 p[4];
    assert_int_equal(graze_planar_arm_points(&arm, q, p, NULL), GRAZE_OK);
    assert_true(p[0].x == 0.5 && p[0].y == -0.25);
    assert_true(fabs(p[3].x - (0.5 + cos(0.3) + 2 * cos(-0.5) + 0.5 * cos(0.6))) < 1e-14);
    graze_planar_constraint c, up, down;
    double gradient[3];
    graze_vec2 center = {1.2, 1.5};
    for (int link = 0; link < 3; link++) {
        assert_int_equal(graze_planar_arm_constraint(&arm, q, link, GRAZE_PLANAR_CLEAR_OF_DISK,
                                                     center, 0.4, 0, NULL, &c, gradient, NULL),
                         GRAZE_OK);
        for (int j = 0; j < 3; j++) {
            double h = 1e-6, moved[3] = {q[0], q[1], q[2]};
            moved[j] = q[j] + h;
            graze_planar_arm_constraint(&arm, moved, link, GRAZE_PLANAR_CLEAR_OF_DISK, center, 0.4,
                                        0, NULL, &up, NULL, NULL);
            moved[j] = q[j] - h;
            graze_planar_arm_constraint(&arm, moved, link, GRAZE_PLANAR_CLEAR_OF_DISK, center, 0.4,
                                        0, NULL, &down, NULL, NULL);
            assert_true(fabs(gradient[j] - (up.whole.value - down.whole.value) / (2 * h)) < 1e-8);
            if (j > link) assert_true(gradient[j] == 0);
        }
    }
}

static void test_bad_arguments_are_refused_with_reasons(void **state) {
    (void)state;
    graze_error e;
    graze_planar_constraint c;
    graze_vec2 a = {0, 0}, b = {1, 0}, far = {NAN, 0};
    const graze_planar_smoothing negative = {-1, 0};
    assert_int_equal(
        graze_planar_segment_constraint(GRAZE_PLANAR_OVERLAPS_DISK, a, far, b, 1, 0, NULL, &c, &e),
        GRAZE_ERROR_RANGE);
    assert_non_null(strstr(e.message, "second end"));
    assert_int_equal(
        graze_planar_segment_constraint((graze_planar_relation)4, a, b, b, 1, 0, NULL, &c, &e),
        GRAZE_ERROR_ARGUMENT);
    assert_int_equal(
        graze_planar_segment_constraint(GRAZE_PLANAR_OVERLAPS_DISK, a, b, b, -1, 0, NULL, &c, &e),
        GRAZE_ERROR_RANGE);
    assert_int_equal(graze_planar_segment_constraint(GRAZE_PLANAR_OVERLAPS_DISK, a, b, b, 1, 0,
                                                     &negative, &c, &e),
                     GRAZE_ERROR_RANGE);
    const double lengths[2] = {1, 1}, q[2] = {0x1p20, 1};
    graze_planar_arm arm = {a, lengths, 2}, none = {a, lengths, 0};
    graze_vec2 points[3];
    assert_int_equal(graze_planar_arm_points(&arm, q, points, &e), GRAZE_ERROR_RANGE);
    assert_non_null(strstr(e.message, "joint 1"));
    assert_int_equal(graze_planar_arm_points(&none, q, points, &e), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_planar_arm_constraint(&arm, lengths, 2, GRAZE_PLANAR_OVERLAPS_DISK, b, 1,
                                                 0, NULL, &c, NULL, &e),
                     GRAZE_ERROR_ARGUMENT);
}

static void assert_finite(const graze_planar_measure *m) {
    assert_true(isfinite(m->value) && isfinite(m->error) && isfinite(m->by_radius));
    assert_true(isfinite(m->by_a.x) && isfinite(m->by_a.y) && isfinite(m->by_b.x));
    assert_true(isfinite(m->by_b.y) && isfinite(m->by_center.x) && isfinite(m->by_center.y));
}

static void test_segments_next_to_no_length_have_gradients_of_numbers(void **state) {
    (void)state;
    static const double lengths[] = {0x1p-1074, 1e-310, 1e-300, 1e-280, 1e-200, 1e-30};
    static const graze_vec2 centers[] = {
        {1, 2}, {1e10, 3e9}, {1e30, -1e30}, {0, 1e-310}, {1e-300, 0}};
    static const graze_planar_smoothing widths[] = {{0.1, 0.01}, {0.1, 0}, {1e30, 1e30}, {0, 0}};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths * 5 * 4; i++) {
        graze_vec2 a = {0, 0}, b = {lengths[i / 20], 0}, center = centers[i / 4 % 5];
        graze_planar_segment_range r;
        assert_int_equal(graze_planar_segment_range_find(a, b, center, &widths[i % 4], &r, NULL),
                         GRAZE_OK);
        assert_finite(&r.least);
        assert_finite(&r.greatest);
        assert_true(isfinite(r.t) && r.s >= 0 && r.s <= 1);
        assert_true(fabs(r.least.by_center.x) <= 1 && fabs(r.least.by_center.y) <= 1);
        for (int relation = 0; relation < 4; relation++) {
            graze_planar_constraint c;
            assert_int_equal(graze_planar_segment_constraint((graze_planar_relation)relation, a, b,
                                                             center, 1, 0, &widths[i % 4], &c,
                                                             NULL),
                             GRAZE_OK);
            assert_finite(&c.whole);
        }
    }
    assert_true(graze_planar_step(INFINITY, 1).value == 1);
    assert_true(graze_planar_step(-INFINITY, 1).value == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_saturation_is_within_half_its_width),
        cmocka_unit_test(test_width_zero_is_the_saturation_itself),
        cmocka_unit_test(test_four_cases_on_a_level_segment),
        cmocka_unit_test(test_a_segment_longer_than_the_diameter_has_one_inequality),
        cmocka_unit_test(test_gradient_of_the_nearest_inner_point),
        cmocka_unit_test(test_what_has_no_gradient_is_flagged),
        cmocka_unit_test(test_arm_points_and_gradient),
        cmocka_unit_test(test_bad_arguments_are_refused_with_reasons),
        cmocka_unit_test(test_segments_next_to_no_length_have_gradients_of_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
