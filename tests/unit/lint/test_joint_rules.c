// The rules of the tier joints: each test holds what was once passed, or blamed, wrongly.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lint_text.h"

/// A robot with one joint for each type in turn from a common root; `more` is inside the second.
static const char *two_joints(const char *first, const char *second, const char *more) {
    static char text[1024];
    snprintf(text, sizeof text,
             "<robot name='r'><link name='o'/><link name='a'/><link name='b'/>\n"
             "<joint name='j' type='%s'><parent link='o'/><child link='a'/>"
             "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint>\n"
             "<joint name='k' type='%s'><parent link='o'/><child link='b'/>"
             "<limit lower='-1' upper='1' effort='1' velocity='1'/>%s</joint></robot>",
             first, second, more);
    return text;
}

static void test_a_mimic_of_several_values_is_an_error_of_its_own(void **state) {
    (void)state;
    static const char *const types[] = {"fixed",     "revolute", "continuous",
                                        "prismatic", "planar",   "floating"};
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            const char *text = two_joints(types[i], types[j], "<mimic joint='j'/>");
            graze_robot *robot = NULL;
            graze_status loads = graze_robot_load_urdf_memory(&robot, text, strlen(text), "t.urdf",
                                                              NULL, NULL, NULL);
            graze_robot_free(robot);
            // The loader is the oracle: it refuses a mimic of several values, or by them.
            int line;
            assert_int_equal(count_in(text, NULL, "J017", &line), loads != GRAZE_OK);
            assert_int_equal(line, loads != GRAZE_OK ? 3 : 0);
            // No mimic is blamed twice.
            if (loads != GRAZE_OK) assert_int_equal(count_in(text, NULL, "J010", NULL), 0);
        }
    }
}

static size_t range_findings(const char *lower, const char *upper) {
    char text[512];
    snprintf(text, sizeof text,
             "<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='revolute'>"
             "<parent link='a'/><child link='b'/>"
             "<limit lower='%s' upper='%s' effort='1' velocity='1'/></joint></robot>",
             lower, upper);
    return count_in(text, NULL, "J007", NULL);
}

static void test_two_turns_written_in_a_few_digits_are_two_turns(void **state) {
    (void)state;
    // UR5's 6.28318530718 is 4e-13 more than a turn.
    assert_int_equal(range_findings("-6.28318530718", "6.28318530718"), 0);
    assert_int_equal(range_findings("-6.2832", "6.2832"), 0);
    assert_int_equal(range_findings("-6.3", "6.3"), 1);
    assert_int_equal(range_findings("-6.4", "6.4"), 1);
    assert_int_equal(range_findings("0", "6.51"), 1);
    assert_int_equal(range_findings("0", "6.49"), 0);
    assert_int_equal(range_findings("-90", "90"), 1);
}

static size_t side_findings(const char *a, const char *b, const char *first, const char *second) {
    char text[1024];
    snprintf(text, sizeof text,
             "<robot name='r'><link name='o'/><link name='a'/><link name='b'/>"
             "<joint name='%s' type='revolute'><parent link='o'/><child link='a'/><limit %s "
             "effort='1' velocity='1'/></joint><joint name='%s' type='revolute'>"
             "<parent link='o'/><child link='b'/><limit %s effort='1' velocity='1'/></joint>"
             "</robot>",
             a, first, b, second);
    return count_in(text, NULL, "J014", NULL);
}

static void test_sides_are_told_by_their_names_and_may_be_mirrored(void **state) {
    (void)state;
    const char *one = "lower='-1' upper='2'", *mirrored = "lower='-2' upper='1'",
               *other = "lower='-1' upper='1.5'";
    assert_int_equal(side_findings("left_knee", "right_knee", one, other), 1);
    assert_int_equal(side_findings("right_knee", "left_knee", one, other), 1);
    assert_int_equal(side_findings("l_knee", "r_knee", one, other), 1);
    assert_int_equal(side_findings("kneeLeft", "kneeRight", one, other), 1);
    assert_int_equal(side_findings("left_knee", "right_knee", one, one), 0);
    assert_int_equal(side_findings("left_knee", "right_knee", one, mirrored), 0);
    assert_int_equal(side_findings("left_knee", "right_hip", one, other), 0);
    assert_int_equal(side_findings("all_knee", "arl_knee", one, other), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_mimic_of_several_values_is_an_error_of_its_own),
        cmocka_unit_test(test_two_turns_written_in_a_few_digits_are_two_turns),
        cmocka_unit_test(test_sides_are_told_by_their_names_and_may_be_mirrored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
