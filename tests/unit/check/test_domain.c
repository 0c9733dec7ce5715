// Epsilon, and what happens outside of the domain in which it holds.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "check/checker.h"
#include "graze/graze.h"
#include "unit/robot/robot_text_maker.h"

/// A slide within half a metre, and a hand that follows it; balls 20 cm apart.
static graze_robot *make_robot(void) {
    text_maker m = {0};
    text_add(&m, "<robot name='slider'>");
    for (int i = 0; i < 3; i++)
        text_add(&m,
                 "<link name='l%d'><collision><geometry><sphere radius='0.1'/></geometry>"
                 "</collision></link>",
                 i);
    text_add(&m, "<joint name='slide' type='prismatic'><parent link='l0'/><child link='l1'/>"
                 "<origin xyz='0 0 1'/><axis xyz='0 0 1'/>"
                 "<limit lower='-0.5' upper='0.5' effort='1' velocity='1'/></joint>"
                 "<joint name='turn' type='continuous'><parent link='l1'/><child link='l2'/>"
                 "<origin xyz='0.5 0 1'/><axis xyz='0 0 1'/></joint></robot>");
    return text_load(&m);
}

typedef struct fixture {
    graze_robot *robot;
    graze_checker *checker;
    graze_workspace *workspace;
} fixture;

static void open_fixture(fixture *f, double margin, double domain) {
    graze_checker_options o = graze_checker_options_default();
    assert_true(o.domain == GRAZE_DOMAIN);
    o.margin = margin;
    o.domain = domain;
    f->robot = make_robot();
    assert_int_equal(graze_checker_create(&f->checker, f->robot, NULL, &o, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&f->workspace, f->checker, NULL), GRAZE_OK);
}

static void close_fixture(fixture *f) {
    graze_workspace_free(f->workspace);
    graze_checker_free(f->checker);
    graze_robot_free(f->robot);
}

static graze_status check(const fixture *f, double slide, double x, graze_error *error) {
    const double q[2] = {slide, 0.3}, base[6] = {x};
    graze_report report = {0};
    graze_status status = graze_check(f->checker, f->workspace, GRAZE_ANSWER_ANY, q, 2, base,
                                      &report, error);
    assert_int_equal(report.verdict, status ? GRAZE_UNKNOWN : GRAZE_FREE);
    return status;
}

static void test_epsilon_is_the_sum_of_two_bounds(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f, NAN, GRAZE_DOMAIN);
    double own = graze_robot_pose_error(f.robot, GRAZE_DOMAIN);
    assert_true(graze_checker_epsilon(f.checker) == 2 * own);
    assert_true(graze_checker_epsilon(f.checker) <= 1e-9);
    assert_true(graze_checker_epsilon(NULL) == INFINITY);
    graze_world *world;
    graze_transform far = graze_transform_identity();
    far.m[3] = 9e5;
    assert_int_equal(graze_world_create(&world, "w", NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_sphere(world, "far", 1, &far, NULL), GRAZE_OK);
    assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
    graze_checker *both;
    assert_int_equal(graze_checker_create(&both, f.robot, world, NULL, NULL), GRAZE_OK);
    assert_true(graze_checker_epsilon(both) == own + graze_world_pose_error(world));
    graze_checker_free(both);
    graze_world_free(world);
    close_fixture(&f);
}

static void test_at_margin_0_the_domain_changes_nothing(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f, NAN, 1);
    assert_int_equal(check(&f, 30, 5000, NULL), GRAZE_OK);
    close_fixture(&f);
}

static void test_with_a_margin_what_is_outside_is_an_error_that_names_it(void **state) {
    (void)state;
    fixture f;
    graze_error e;
    open_fixture(&f, 1e-3, 50);
    assert_int_equal(check(&f, 0, 49.3, &e), GRAZE_OK);
    assert_int_equal(check(&f, 0, 49.45, &e), GRAZE_ERROR_RANGE); // the hand reaches 0.5 + 0.1
    assert_string_equal(e.element, "l2");
    assert_int_equal(check(&f, 0, -50.01, &e), GRAZE_ERROR_RANGE);
    assert_string_equal(e.element, "l0");
    assert_non_null(strstr(e.message, "base"));
    assert_int_equal(check(&f, 1.49, 0, &e), GRAZE_OK); // beyond the limit, within a metre of it
    assert_int_equal(check(&f, -1.51, 0, &e), GRAZE_ERROR_RANGE);
    assert_string_equal(e.element, "slide");
    close_fixture(&f);
}

static void test_a_wider_domain_takes_it_in_with_a_larger_epsilon(void **state) {
    (void)state;
    fixture near, wide;
    open_fixture(&near, 1e-3, 50);
    open_fixture(&wide, 1e-3, 6000);
    assert_int_equal(check(&wide, 0, 5000, NULL), GRAZE_OK);
    assert_true(graze_checker_epsilon(wide.checker) > graze_checker_epsilon(near.checker));
    close_fixture(&near);
    close_fixture(&wide);
}

static void test_a_batch_says_what_single_checks_say(void **state) {
    (void)state;
    enum { ROWS = 40 };
    fixture f;
    open_fixture(&f, 1e-3, 50);
    double q[2 * ROWS], base[6 * ROWS] = {0};
    uint8_t verdicts[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        q[2 * i] = i % 7 == 3 ? 1.6 : 0.1;
        q[2 * i + 1] = (double)i;
        base[6 * i] = i % 5 == 4 ? 49.5 : 49.0 + 0.01 * (double)i;
    }
    graze_batch b = graze_batch_default();
    b.count = ROWS;
    b.q = q;
    b.base = base;
    b.verdicts = verdicts;
    graze_error e;
    assert_int_equal(graze_check_batch(f.checker, &b, &e), GRAZE_ERROR_RANGE);
    assert_string_equal(e.element, "row 3");
    size_t refused = 0;
    for (size_t i = 0; i < ROWS; i++) {
        graze_report report = {0};
        graze_check(f.checker, f.workspace, GRAZE_ANSWER_ANY, q + 2 * i, 2, base + 6 * i, &report,
                    NULL);
        assert_int_equal(verdicts[i], report.verdict);
        refused += report.verdict == GRAZE_UNKNOWN;
    }
    assert_in_range(refused, 10, 20);
    close_fixture(&f);
}

static void test_a_domain_that_is_none_is_refused(void **state) {
    (void)state;
    static const double bad[] = {0, -1, NAN, INFINITY, 0x1p21};
    graze_robot *robot = make_robot();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        graze_checker_options o = graze_checker_options_default();
        graze_checker *checker;
        graze_error e;
        o.domain = bad[i];
        assert_int_equal(graze_checker_create(&checker, robot, NULL, &o, &e), GRAZE_ERROR_RANGE);
        assert_null(checker);
        assert_non_null(strstr(e.message, "domain is"));
    }
    graze_robot_free(robot);
}

static void test_out_of_memory_at_every_allocation_of_a_checker(void **state) {
    (void)state;
#ifdef GRAZE_FAULTS
    graze_robot *robot = make_robot();
    graze_checker_options o = graze_checker_options_default();
    o.margin = 1e-3;
    for (long n = 1;; n++) {
        graze_checker *checker;
        gz_memory_fail_after(n, false);
        graze_status status = graze_checker_create(&checker, robot, NULL, &o, NULL);
        gz_memory_fail_after(0, false);
        if (status == GRAZE_OK) {
            graze_checker_free(checker);
            assert_true(n > 5);
            break;
        }
        assert_int_equal(status, GRAZE_ERROR_NO_MEMORY);
        assert_null(checker);
    }
    graze_robot_free(robot);
#else
    skip();
#endif
}

/// Three links on one that does not move, each in turn reaching 5 m out, and the others 1 m.
static void test_each_link_counts_for_how_far_a_robot_reaches(void **state) {
    (void)state;
    for (int far = 0; far < 3; far++) {
        text_maker m = {0};
        text_add(&m, "<robot name='star'><link name='hub'/>");
        for (int i = 0; i < 3; i++) {
            text_add(
                &m,
                "<link name='l%d'><collision><origin xyz='%g 0 0'/><geometry><sphere radius='0.5'/>"
                "</geometry></collision></link>",
                i, i == far ? 4.5 : 0.5);
            text_add(
                &m,
                "<joint name='j%d' type='fixed'><parent link='hub'/><child link='l%d'/></joint>", i,
                i);
        }
        text_add(&m, "</robot>");
        graze_robot *robot = text_load(&m);
        graze_checker *checker;
        assert_int_equal(graze_checker_create(&checker, robot, NULL, NULL, NULL), GRAZE_OK);
        assert_true(checker->workspace_radius >= 5 && checker->workspace_radius < 5.001);
        graze_checker_free(checker);
        graze_robot_free(robot);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_link_counts_for_how_far_a_robot_reaches),
        cmocka_unit_test(test_epsilon_is_the_sum_of_two_bounds),
        cmocka_unit_test(test_at_margin_0_the_domain_changes_nothing),
        cmocka_unit_test(test_with_a_margin_what_is_outside_is_an_error_that_names_it),
        cmocka_unit_test(test_a_wider_domain_takes_it_in_with_a_larger_epsilon),
        cmocka_unit_test(test_a_batch_says_what_single_checks_say),
        cmocka_unit_test(test_a_domain_that_is_none_is_refused),
        cmocka_unit_test(test_out_of_memory_at_every_allocation_of_a_checker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
