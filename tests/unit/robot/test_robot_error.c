// pose_error: what it says at the edges of what can be said. That it is a bound, and a near one, is
// what tests/oracle/kinematics.c shows against 256-bit arithmetic.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graze/graze.h"
#include "unit/robot/robot_text_maker.h"

static const double half_ulp_of_100 = 0x1p-47; // 64 <= 100 < 128

static void add_link(text_maker *m, int index, const char *shape) {
    text_add(m, "<link name='l%d'><collision><geometry>%s</geometry></collision></link>", index,
             shape);
}

static void add_joint(text_maker *m, int index, const char *type, double offset, const char *more) {
    text_add(m,
             "<joint name='j%d' type='%s'><parent link='l%d'/><child link='l%d'/>"
             "<origin xyz='%g 0.3 0.1' rpy='0.3 -0.7 1.9'/><axis xyz='1 2 -3'/>%s</joint>",
             index, type, index - 1, index, offset, more);
}

static graze_robot *make_chain(int joints, double offset, const char *shape) {
    text_maker m = {0};
    text_add(&m, "<robot name='chain'>");
    add_link(&m, 0, shape);
    for (int i = 1; i <= joints; i++) {
        add_link(&m, i, shape);
        add_joint(&m, i, "continuous", offset, "");
    }
    text_add(&m, "</robot>");
    return text_load(&m);
}

static const char *const ball = "<sphere radius='0.1'/>";

static void test_a_ball_at_the_base_is_off_by_its_last_sum_alone(void **state) {
    (void)state;
    graze_robot *r = make_chain(0, 0, ball);
    double e = graze_robot_pose_error(r, GRAZE_DOMAIN);
    assert_true(e >= sqrt(3) * half_ulp_of_100);
    assert_true(e <= 1.001 * sqrt(3) * half_ulp_of_100);
    graze_robot_free(r);
}

static void test_each_joint_adds_and_links_below_have_more(void **state) {
    (void)state;
    graze_robot *r = make_chain(5, 0.4, ball);
    double before = 0;
    for (int32_t l = 0; l < 6; l++) {
        double e = graze_robot_link_pose_error(r, l, GRAZE_DOMAIN);
        assert_true(e > before + sqrt(3) * half_ulp_of_100);
        before = e;
    }
    assert_true(graze_robot_pose_error(r, GRAZE_DOMAIN) == before);
    graze_robot_free(r);
}

static void test_64_joints_keep_epsilon_below_a_nanometre(void **state) {
    (void)state;
    graze_robot *r = make_chain(64, 1.5, "<cylinder radius='0.3' length='0.1'/>");
    assert_true(2 * graze_robot_pose_error(r, GRAZE_DOMAIN) <= 1e-9);
    graze_robot_free(r);
}

static void test_wider_domains_have_larger_bounds(void **state) {
    (void)state;
    graze_robot *r = make_chain(3, 0.4, ball);
    double before = 0;
    for (double domain = 0.5; domain <= 0x1p20; domain *= 4) {
        double e = graze_robot_pose_error(r, domain);
        assert_true(e > before && e <= 1e-8);
        before = e;
    }
    graze_robot_free(r);
}

static void test_what_has_no_bound_is_infinite(void **state) {
    (void)state;
    graze_robot *r = make_chain(1, 0.4, ball);
    static const double bad[] = {0, -1, NAN, INFINITY, 0x1p21};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_true(graze_robot_pose_error(r, bad[i]) == INFINITY);
        assert_true(graze_robot_link_pose_error(r, 0, bad[i]) == INFINITY);
    }
    assert_true(graze_robot_link_pose_error(r, -1, 1) == INFINITY);
    assert_true(graze_robot_link_pose_error(r, 2, 1) == INFINITY);
    assert_true(graze_robot_pose_error(NULL, 1) == INFINITY);
    graze_robot_free(r);
}

static void test_a_flat_cylinder_feels_the_turn_of_its_axis(void **state) {
    (void)state;
    graze_robot *tall = make_chain(2, 0.4, "<cylinder radius='0.3' length='1'/>");
    graze_robot *flat = make_chain(2, 0.4, "<cylinder radius='0.3' length='0.001'/>");
    double a = graze_robot_pose_error(tall, GRAZE_DOMAIN);
    double b = graze_robot_pose_error(flat, GRAZE_DOMAIN);
    // The ends, each snapped with an error of sqrt 3 h, turn the axis by that over its length.
    double turn = 2 * 0.3 * 2 * sqrt(3) * half_ulp_of_100 / 0.001;
    assert_true(b > a + 0.9 * turn && b < a + 1.5 * turn);
    graze_robot_free(tall);
    graze_robot_free(flat);
}

static graze_robot *make_follower(const char *mimic) {
    text_maker m = {0};
    text_add(&m, "<robot name='follower'>");
    for (int i = 0; i < 3; i++) add_link(&m, i, ball);
    add_joint(&m, 1, "continuous", 0.4, "");
    add_joint(&m, 2, "continuous", 0.4, mimic);
    text_add(&m, "<link name='far'><collision><origin xyz='3 0 0'/><geometry><sphere radius='1'/>"
                 "</geometry></collision></link><joint name='last' type='fixed'><parent link='l2'/>"
                 "<child link='far'/></joint></robot>");
    return text_load(&m);
}

static void test_following_by_powers_of_two_is_exact_and_by_others_is_not(void **state) {
    (void)state;
    graze_robot *own = make_follower(""), *half, *third;
    half = make_follower("<mimic joint='j1' multiplier='-0.5'/>");
    third = make_follower("<mimic joint='j1' multiplier='0.3' offset='0.1'/>");
    double free_error = graze_robot_pose_error(own, GRAZE_DOMAIN);
    assert_true(graze_robot_pose_error(half, GRAZE_DOMAIN) == free_error);
    // A product and a sum of up to 2^20 rad, at 3 m.
    double more = graze_robot_pose_error(third, GRAZE_DOMAIN) - free_error;
    assert_true(more > 3 * 0x1p-33 && more < 12 * 0x1p-33);
    graze_robot_free(own);
    graze_robot_free(half);
    graze_robot_free(third);
}

static void test_a_limited_slide_has_a_smaller_bound_than_a_free_joint(void **state) {
    (void)state;
    double errors[3];
    static const char *const types[] = {"prismatic", "planar", "floating"};
    for (int i = 0; i < 3; i++) {
        text_maker m = {0};
        text_add(&m, "<robot name='slide'>");
        add_link(&m, 0, ball);
        add_link(&m, 1, ball);
        add_joint(&m, 1, types[i], 0.4,
                  i ? "" : "<limit lower='-0.2' upper='0.1' effort='1' velocity='1'/>");
        text_add(&m, "</robot>");
        graze_robot *r = text_load(&m);
        errors[i] = graze_robot_pose_error(r, GRAZE_DOMAIN);
        graze_robot_free(r);
    }
    // Slides up to the domain's diagonal take the base's rotation error along.
    assert_true(errors[0] < 4e-14);
    assert_true(errors[1] > 3 * errors[0] && errors[1] < 1e-11);
    assert_true(errors[2] > 3 * errors[0] && errors[2] < 1e-11);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_ball_at_the_base_is_off_by_its_last_sum_alone),
        cmocka_unit_test(test_each_joint_adds_and_links_below_have_more),
        cmocka_unit_test(test_64_joints_keep_epsilon_below_a_nanometre),
        cmocka_unit_test(test_wider_domains_have_larger_bounds),
        cmocka_unit_test(test_what_has_no_bound_is_infinite),
        cmocka_unit_test(test_a_flat_cylinder_feels_the_turn_of_its_axis),
        cmocka_unit_test(test_following_by_powers_of_two_is_exact_and_by_others_is_not),
        cmocka_unit_test(test_a_limited_slide_has_a_smaller_bound_than_a_free_joint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
