// A value beyond 2^20 is an error by every way to ask, also where no geometry hangs on its joint:
// the filters in float took for its range what the limits of the joint allow.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graze/graze.h"
#include "unit/robot/robot_text_maker.h"

/// Two boxes, and a frame on a slide of three thousand kilometres; another one follows it.
static graze_robot *make_robot(void) {
    text_maker m = {0};
    text_add(&m, "<robot name='far'><link name='frame'/><link name='follower'/>");
    for (int i = 0; i < 2; i++)
        text_add(
            &m,
            "<link name='l%d'><collision><origin xyz='%d 0 0'/><geometry><box size='.1 .1 .1'/>"
            "</geometry></collision></link>",
            i, i);
    text_add(&m,
             "<joint name='turn' type='revolute'><parent link='l0'/><child link='l1'/>"
             "<axis xyz='0 0 1'/><limit lower='-3' upper='3' effort='1' velocity='1'/></joint>");
    for (int i = 0; i < 2; i++)
        text_add(&m,
                 "<joint name='%s' type='prismatic'><parent link='l0'/><child link='%s'/>"
                 "<axis xyz='1 0 0'/><limit lower='-3e6' upper='3e6' effort='1' velocity='1'/>"
                 "%s</joint>",
                 i ? "copy" : "slide", i ? "follower" : "frame",
                 i ? "<mimic joint='slide' multiplier='2'/>" : "");
    text_add(&m, "</robot>");
    return text_load(&m);
}

static void check(const graze_checker *checker, double slide, graze_status expected) {
    static const graze_answer answers[] = {GRAZE_ANSWER_ANY, GRAZE_ANSWER_FIRST, GRAZE_ANSWER_ALL,
                                           GRAZE_ANSWER_PAIR};
    int verdict = expected == GRAZE_OK ? GRAZE_FREE : GRAZE_UNKNOWN;
    const double q[2] = {0.25, slide};
    graze_workspace *workspace;
    assert_int_equal(graze_workspace_create(&workspace, checker, NULL), GRAZE_OK);
    for (int i = 0; i < 4; i++) {
        graze_report report = {0};
        assert_int_equal(graze_check(checker, workspace, answers[i], q, 2, NULL, &report, NULL),
                         expected);
        assert_int_equal(report.verdict, verdict);
    }
    graze_workspace_free(workspace);
    for (int rows = 1; rows <= 9; rows += 4) {
        double all[18];
        uint8_t verdicts[9];
        for (int i = 0; i < rows; i++) memcpy(all + 2 * i, q, sizeof q);
        graze_batch batch = graze_batch_default();
        batch.q = all;
        batch.count = (size_t)rows;
        batch.verdicts = verdicts;
        assert_int_equal(graze_check_batch(checker, &batch, NULL), expected);
        for (int i = 0; i < rows; i++) assert_int_equal(verdicts[i], verdict);
    }
}

static void test_slides_out_of_range_are_errors_by_every_way(void **state) {
    (void)state;
    graze_robot *robot = make_robot();
    graze_checker *checker;
    assert_int_equal(graze_checker_create(&checker, robot, NULL, NULL, NULL), GRAZE_OK);
    check(checker, 0.1, GRAZE_OK);
    check(checker, 0x1p19, GRAZE_OK);
    check(checker, -0x1p19, GRAZE_OK);
    check(checker, 0x1.0000000000001p19, GRAZE_ERROR_RANGE); // the follower's is twice that
    check(checker, -1.5e6, GRAZE_ERROR_RANGE);
    check(checker, 2e6, GRAZE_ERROR_RANGE);
    graze_checker_free(checker);
    graze_robot_free(robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slides_out_of_range_are_errors_by_every_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
