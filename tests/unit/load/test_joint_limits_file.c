// Limits of joints from files: what they say over what the description says, and what is refused.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graze/timing.h"
#include "unit/load/temporary_folder.h"

static const char *const urdf =
    "<robot name='r'><link name='a'/><link name='b'/><link name='c'/><link name='d'/><link "
    "name='e'/>"
    "<joint name='one' type='revolute'><parent link='a'/><child link='b'/>"
    "<limit lower='-1' upper='1' effort='1' velocity='2' acceleration='3' jerk='4'/></joint>"
    "<joint name='two' type='prismatic'><parent link='b'/><child link='c'/>"
    "<limit lower='-1' upper='1' effort='1' velocity='5'/></joint>"
    "<joint name='flat' type='planar'><parent link='c'/><child link='d'/></joint>"
    "<joint name='fixed' type='fixed'><parent link='d'/><child link='e'/></joint></robot>";

enum { COLUMNS = 5 };

typedef struct limits_fixture {
    temporary_folder folder;
    graze_robot *robot;
    graze_error error;
    double rows[3][COLUMNS];
} limits_fixture;

static int make_all(void **state) {
    static limits_fixture f;
    memset(&f, 0, sizeof f);
    f.folder = temporary_folder_make();
    assert_int_equal(
        graze_robot_load_urdf_memory(&f.robot, urdf, strlen(urdf), "robot", NULL, NULL, NULL),
        GRAZE_OK);
    assert_int_equal(graze_robot_q_size(f.robot), COLUMNS);
    *state = &f;
    return 0;
}

static int remove_all(void **state) {
    limits_fixture *f = *state;
    graze_robot_free(f->robot);
    temporary_folder_remove(&f->folder);
    return 0;
}

static graze_status load(limits_fixture *f, const char *text) {
    char path[512];
    temporary_write_text(&f->folder, "joint_limits.yaml", text);
    snprintf(path, sizeof path, "%s/joint_limits.yaml", f->folder.path);
    return graze_joint_limits_load(f->robot, path, NULL, f->rows[0], f->rows[1], f->rows[2],
                                   &f->error);
}

static void test_files_say_more_than_the_description(void **state) {
    limits_fixture *f = *state;
    static const char *const text = "default_velocity_scaling_factor: 0.1\n"
                                    "joint_limits:\n"
                                    "  one:\n"
                                    "    has_position_limits: false\n"
                                    "    has_velocity_limits: true\n"
                                    "    max_velocity: 1.5\n"
                                    "    has_acceleration_limits: false\n"
                                    "    max_acceleration: 0\n"
                                    "    has_jerk_limits: true\n"
                                    "    max_jerk: 7.5\n"
                                    "  two:\n"
                                    "    has_acceleration_limits: true\n"
                                    "    max_acceleration: 6\n"
                                    "    has_deceleration_limits: true\n"
                                    "    max_deceleration: -2.5\n"
                                    "  flat:\n"
                                    "    has_velocity_limits: true\n"
                                    "    max_velocity: 9\n"
                                    "  fixed:\n"
                                    "    has_velocity_limits: true\n"
                                    "    max_velocity: 8\n";
    const double expected[3][COLUMNS] = {
        {1.5, 5, 9, 9, 9}, {3, 2.5, 0, 0, 0}, {7.5, INFINITY, INFINITY, INFINITY, INFINITY}};
    if (load(f, text) != GRAZE_OK) fail_msg("%s: %s", f->error.element, f->error.message);
    for (int order = 0; order < 3; order++)
        for (int k = 0; k < COLUMNS; k++) assert_true(f->rows[order][k] == expected[order][k]);
    // As a parameter of a node; nothing wanted, nothing written.
    assert_int_equal(load(f, "robot_description_planning:\n  joint_limits:\n    two:\n      "
                             "has_velocity_limits: true\n      max_velocity: 0.25\n"),
                     GRAZE_OK);
    assert_true(f->rows[0][1] == 0.25 && f->rows[0][0] == 2 && f->rows[2][0] == 4);
    char path[512];
    snprintf(path, sizeof path, "%s/joint_limits.yaml", f->folder.path);
    assert_int_equal(graze_joint_limits_load(f->robot, path, NULL, NULL, NULL, NULL, NULL),
                     GRAZE_OK);
}

static void test_what_a_file_says_wrong_is_named(void **state) {
    limits_fixture *f = *state;
    static const struct {
        const char *text;
        graze_status status;
        int line;
        const char *message;
    } cases[] = {
        {"limits:\n  one: {}\n", GRAZE_ERROR_SCHEMA, 1, "joint_limits"},
        {"joint_limits:\n  - one\n", GRAZE_ERROR_SCHEMA, 2, "a map of joints"},
        {"joint_limits:\n  onee: {}\n", GRAZE_ERROR_SCHEMA, 2, "did you mean 'one'"},
        {"joint_limits:\n  one: 3\n", GRAZE_ERROR_SCHEMA, 2, "a map of limits"},
        {"joint_limits:\n  one:\n    max_velocty: 3\n", GRAZE_ERROR_SCHEMA, 3,
         "the key \"max_velocty\" is not known here"},
        {"joint_limits:\n  one:\n    has_jerk_limits: 1\n", GRAZE_ERROR_SCHEMA, 3, "true or false"},
        {"joint_limits:\n  one:\n    has_jerk_limits: true\n", GRAZE_ERROR_SCHEMA, 3, "max_jerk"},
        {"joint_limits:\n  one:\n    has_jerk_limits: true\n    max_jerk: 0\n", GRAZE_ERROR_RANGE,
         4, "it is 0; allowed: above 0"},
        {"joint_limits:\n  one:\n    has_velocity_limits: true\n    max_velocity: -1\n",
         GRAZE_ERROR_RANGE, 4, "it is -1; allowed: above 0"},
        {"joint_limits: [\n", GRAZE_ERROR_PARSE, 2, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        graze_status status = load(f, cases[i].text);
        if (status != cases[i].status || !strstr(f->error.message, cases[i].message) ||
            f->error.line != cases[i].line)
            fail_msg("case %zu: %d, line %d, %s", i, status, f->error.line, f->error.message);
    }
    assert_int_equal(
        graze_joint_limits_load(f->robot, "/no/such/file", NULL, NULL, NULL, NULL, &f->error),
        GRAZE_ERROR_NOT_FOUND);
    assert_int_equal(graze_joint_limits_load(NULL, "a", NULL, NULL, NULL, NULL, NULL),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_joint_limits_load(f->robot, NULL, NULL, NULL, NULL, NULL, NULL),
                     GRAZE_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_files_say_more_than_the_description, make_all,
                                        remove_all),
        cmocka_unit_test_setup_teardown(test_what_a_file_says_wrong_is_named, make_all, remove_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
