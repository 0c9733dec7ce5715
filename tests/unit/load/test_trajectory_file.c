// Files of trajectories: what messages print is read as numbers say, and what a stranger may have
// written is refused with its place.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graze/graze.h"
#include "unit/load/temporary_folder.h"
#include "unit/motion/slider_fixture.h"

static graze_robot *slider(void) {
    graze_robot *robot;
    assert_int_equal(graze_robot_load_urdf_memory(&robot, slider_urdf, strlen(slider_urdf), "robot",
                                                  NULL, NULL, NULL),
                     GRAZE_OK);
    return robot;
}

static graze_trajectory *read_on(const graze_robot *robot, const char *text, const double *rest) {
    graze_trajectory *t;
    graze_error error;
    if (graze_trajectory_load_memory(&t, robot, text, strlen(text), "way.yaml", rest, NULL, NULL,
                                     &error) != GRAZE_OK)
        fail_msg("%s:%d: %s (%s)", error.file, error.line, error.message, error.element);
    return t;
}

static void assert_at(const graze_trajectory *t, double time, double x, double turn) {
    double q[2];
    assert_int_equal(graze_trajectory_at(t, time, q, NULL), GRAZE_OK);
    assert_true(fabs(q[0] - x) < 1e-14 && fabs(q[1] - turn) < 1e-14);
}

static void test_each_form_of_message_is_the_same_motion(void **state) {
    (void)state;
    graze_robot *robot = slider();
    static const char *const forms[] = {
        // ROS 2, as `ros2 topic echo --once` prints it
        "header:\n  stamp:\n    sec: 0\n    nanosec: 0\n  frame_id: ''\njoint_names:\n- turn\n- x\n"
        "points:\n- positions:\n  - 0.25\n  - -1.0\n  velocities: []\n  accelerations: []\n"
        "  effort: []\n  time_from_start:\n    sec: 1\n    nanosec: 500000000\n- positions:\n"
        "  - 0.75\n  - 1.0\n  velocities: []\n  accelerations: []\n  effort: []\n"
        "  time_from_start:\n    sec: 2\n    nanosec: 500000000\n---\n",
        // ROS 1, in a DisplayTrajectory
        "model_id: r\ntrajectory: \n  - \n    joint_trajectory: \n      header: \n        seq: 0\n"
        "        frame_id: ''\n      joint_names: [turn, x]\n      points: \n        - \n"
        "          positions: [0.25, -1.0]\n          velocities: []\n"
        "          time_from_start: \n            secs: 1\n            nsecs: 500000000\n"
        "        - \n          positions: [0.75, 1.0]\n          time_from_start: \n"
        "            secs: 2\n            nsecs: 500000000\n    multi_dof_joint_trajectory: \n"
        "      joint_names: []\n      points: []\ntrajectory_start: {}\n---\n",
        // JSON, times as numbers, in a goal
        " {\"goal\": {\"trajectory\": {\"joint_names\": [\"turn\", \"x\"], \"points\": [{"
        "\"positions\": [0.25, -1], \"time_from_start\": 1.5}, {\"positions\": [0.75, 1], "
        "\"time_from_start\": 2.5}]}}}"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        graze_trajectory *t = read_on(robot, forms[i], NULL);
        assert_int_equal(graze_trajectory_piece_count(t), 1);
        assert_true(graze_trajectory_time(t, 0) == 1.5 && graze_trajectory_time(t, 1) == 2.5);
        assert_at(t, 1.5, -1, 0.25);
        assert_at(t, 1.75, -0.5, 0.375);
        assert_at(t, 2.5, 1, 0.75);
        graze_trajectory_free(t);
    }
    graze_robot_free(robot);
}

#define TWO_POINTS(first, second)                                                                  \
    "joint_names: [x]\npoints:\n- {positions: [0], " first "time_from_start: 0}\n"                 \
    "- {positions: [1], " second "time_from_start: 2}\n"

static void test_derivatives_choose_the_degree(void **state) {
    (void)state;
    graze_robot *robot = slider();
    // At the middle, by the power basis: x = 1/2 + (v0 - v1) T / 8 + (a0 + a1) T^2 / 64, T = 2.
    static const struct {
        const char *text;
        double middle;
    } cases[] = {
        {TWO_POINTS("", ""), 0.5},
        {TWO_POINTS("velocities: [2], ", "velocities: [1], "), 0.75},
        // A quintic with velocities alone weighs them by 5/32 T.
        {TWO_POINTS("velocities: [2], accelerations: [0], ",
                    "velocities: [1], accelerations: [0], "),
         0.5 + 2 * 5.0 / 32},
        {TWO_POINTS("velocities: [0], accelerations: [3], ",
                    "velocities: [0], accelerations: [1], "),
         0.5 + 4 * 4.0 / 64},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        graze_trajectory *t = read_on(robot, cases[i].text, NULL);
        assert_at(t, 1, cases[i].middle, 0);
        graze_trajectory_free(t);
    }
    graze_robot_free(robot);
}

static void test_joints_that_are_not_named_stand_where_the_caller_says(void **state) {
    (void)state;
    graze_robot *robot = slider();
    const double rest[2] = {4, 0.7}, base[6] = {1, 2, 3, 0, 0, 0.5};
    graze_trajectory *t = read_on(robot, TWO_POINTS("", ""), rest);
    assert_at(t, 0, 0, 0.7);
    assert_at(t, 2, 1, 0.7);
    graze_trajectory_free(t);
    double q[2], there[6];
    static const char text[] = TWO_POINTS("", "");
    assert_int_equal(
        graze_trajectory_load_memory(&t, robot, text, sizeof text - 1, "t", NULL, base, NULL, NULL),
        GRAZE_OK);
    assert_int_equal(graze_trajectory_at(t, 1.3, q, there), GRAZE_OK);
    assert_memory_equal(there, base, sizeof base);
    graze_trajectory_free(t);
    graze_robot_free(robot);
}

/// A text that must be refused: the status, the line, and words of element and message.
typedef struct bad {
    const char *text;
    graze_status status;
    int line;
    const char *element, *message;
} bad;

#define AT(time) "time_from_start: " time "}\n"
#define POINTS   "joint_names: [x, turn]\npoints:\n"
#define FIRST    "- {positions: [0, 0], " AT("0")

static const bad refused[] = {
    {"", GRAZE_ERROR_PARSE, 1, "", "no YAML document"},
    {"[1, 2]", GRAZE_ERROR_SCHEMA, 1, "", "found a list"},
    {"points: []\n", GRAZE_ERROR_SCHEMA, 1, "", "joint_names"},
    {"joint_names: [x]\n", GRAZE_ERROR_SCHEMA, 1, "", "points"},
    {"joint_names: [x]\npoints: []\n", GRAZE_ERROR_SCHEMA, 2, "/points", "0 points"},
    {POINTS FIRST, GRAZE_ERROR_SCHEMA, 3, "/points", "1 points"},
    {"joint_names: [x, turns]\npoints:\n" FIRST FIRST, GRAZE_ERROR_SCHEMA, 1, "/joint_names[1]",
     "did you mean 'turn'?"},
    {"joint_names: [x, x]\npoints:\n" FIRST FIRST, GRAZE_ERROR_SCHEMA, 1, "/joint_names[1]",
     "'x' is named twice"},
    {"joint_names: [x, [turn]]\npoints:\n" FIRST FIRST, GRAZE_ERROR_SCHEMA, 1, "/joint_names[1]",
     "found a list"},
    {POINTS FIRST "- {positions: [0], " AT("1"), GRAZE_ERROR_SCHEMA, 4, "/points[1]/positions",
     "1 numbers; allowed: 2"},
    {POINTS FIRST "- {positions: [0, .nan], " AT("1"), GRAZE_ERROR_RANGE, 4,
     "/points[1]/positions[1]", "position of joint 'turn' is nan"},
    {POINTS FIRST "- {positions: [0, east], " AT("1"), GRAZE_ERROR_SCHEMA, 4,
     "/points[1]/positions[1]", "found a string"},
    {POINTS FIRST "- {positions: [0, 1e7], " AT("1"), GRAZE_ERROR_RANGE, 0, "row 1", "2^20"},
    {POINTS FIRST "- {velocities: [0, 0], " AT("1"), GRAZE_ERROR_SCHEMA, 4, "/points[1]",
     "\"positions\" is missing"},
    {POINTS FIRST "- {positions: [0, 0]}\n", GRAZE_ERROR_SCHEMA, 4, "/points[1]",
     "\"time_from_start\" is missing"},
    {POINTS FIRST "- {positions: [0, 0], " AT("{}"), GRAZE_ERROR_SCHEMA, 4, "time_from_start",
     "no seconds"},
    {POINTS FIRST "- {positions: [0, 0], " AT("{sec: 1.5}"), GRAZE_ERROR_RANGE, 4,
     "time_from_start/sec", "whole number"},
    {POINTS FIRST "- {positions: [0, 0], " AT("{sec: 1, nanosec: 1000000000}"), GRAZE_ERROR_RANGE,
     4, "time_from_start/nanosec", "to 999999999"},
    {POINTS FIRST "- {positions: [0, 0], " AT(".inf"), GRAZE_ERROR_RANGE, 4, "time_from_start",
     "finite"},
    {POINTS FIRST FIRST, GRAZE_ERROR_RANGE, 4, "/points[1]", "0 s after 0 s"},
    {POINTS FIRST "- {positions: [0, 0], " AT("{secs: -1, nsecs: 5}"), GRAZE_ERROR_RANGE, 4,
     "/points[1]", "after 0 s"},
    {POINTS FIRST "- {positions: [0, 0], velocities: [1, 1], " AT("1"), GRAZE_ERROR_SCHEMA, 4,
     "/points[1]", "velocities are given here and missing in the first point"},
    {POINTS "- {positions: [0, 0], velocities: [1, 1], " AT("0") FIRST, GRAZE_ERROR_SCHEMA, 4,
     "/points[1]", "velocities are missing here"},
    {POINTS "- {positions: [0, 0], accelerations: [1, 1], " AT("0") FIRST, GRAZE_ERROR_SCHEMA, 3,
     "/points[0]", "accelerations without velocities"},
    {POINTS "- {positions: [0, 0], velocities: [1], " AT("0") FIRST, GRAZE_ERROR_SCHEMA, 3,
     "/points[0]/velocities", "1 numbers"},
    {POINTS "- {positions: [0, 0], velocites: [1, 1], " AT("0") FIRST, GRAZE_ERROR_SCHEMA, 3,
     "/points[0]/velocites", "\"velocites\" is not known"},
    // What `ros2 topic echo` prints of a long message without --full-length.
    {POINTS FIRST "- '...'\n", GRAZE_ERROR_SCHEMA, 4, "/points[1]", "found a string"},
    {"trajectory:\n- {joint_trajectory: {}}\n- {joint_trajectory: {}}\n", GRAZE_ERROR_UNSUPPORTED,
     2, "/trajectory", "2 trajectories"},
    {"trajectory:\n- joint_trajectory: {joint_names: [x], points: []}\n"
     "  multi_dof_joint_trajectory: {points: [{}]}\n",
     GRAZE_ERROR_UNSUPPORTED, 3, "multi_dof_joint_trajectory/points", "several degrees"},
    {"joint_names: [x]\npoints: []\n---\njoint_names: []\n", GRAZE_ERROR_UNSUPPORTED, 3, "",
     "second document"},
};

static void test_what_is_wrong_is_refused_with_its_place(void **state) {
    (void)state;
    graze_robot *robot = slider();
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const bad *b = &refused[i];
        graze_trajectory *t = (graze_trajectory *)robot;
        graze_error e;
        graze_status status = graze_trajectory_load_memory(&t, robot, b->text, strlen(b->text),
                                                           "way.yaml", NULL, NULL, NULL, &e);
        bool fine = status == b->status && !t && strcmp(e.file, "way.yaml") == 0 &&
                    e.line == b->line && strstr(e.element, b->element) &&
                    strstr(e.message, b->message);
        if (!fine)
            fail_msg("%s: status %d, %s:%d: %s (%s)", b->text, (int)status, e.file, e.line,
                     e.message, e.element);
    }
    graze_robot_free(robot);
}

static void test_memory_and_bytes_are_limited(void **state) {
    (void)state;
    graze_robot *robot = slider();
    enum { POINTS_MANY = 20000, SIZE = 64 * POINTS_MANY };
    char *text = malloc(SIZE);
    assert_non_null(text);
    size_t used = (size_t)snprintf(text, SIZE, "{\"joint_names\":[\"x\"],\"points\":[");
    for (int i = 0; i < POINTS_MANY; i++)
        used += (size_t)snprintf(text + used, SIZE - used,
                                 "%s{\"positions\":[0],\"time_from_start\":%d}", i ? "," : "", i);
    used += (size_t)snprintf(text + used, SIZE - used, "]}");
    graze_load_options options = graze_load_options_default();
    graze_trajectory *t;
    graze_error error;
    assert_int_equal(
        graze_trajectory_load_memory(&t, robot, text, used, "t", NULL, NULL, &options, &error),
        GRAZE_OK);
    assert_int_equal(graze_trajectory_piece_count(t), POINTS_MANY - 1);
    graze_trajectory_free(t);
    for (uint64_t bytes = 1 << 16; bytes <= 4 << 20; bytes *= 4) {
        options.limits.memory_bytes = bytes;
        assert_int_equal(
            graze_trajectory_load_memory(&t, robot, text, used, "t", NULL, NULL, &options, &error),
            GRAZE_ERROR_LIMIT);
        assert_null(t);
    }
    options = graze_load_options_default();
    options.limits.file_bytes = used - 1;
    assert_int_equal(
        graze_trajectory_load_memory(&t, robot, text, used, "t", NULL, NULL, &options, &error),
        GRAZE_ERROR_LIMIT);
    free(text);
    graze_robot_free(robot);
}

static void test_files_are_read_from_disk(void **state) {
    (void)state;
    graze_robot *robot = slider();
    temporary_folder folder = temporary_folder_make();
    static const char text[] = TWO_POINTS("", "");
    graze_trajectory *t;
    graze_error error;
    temporary_write(&folder, "way.yaml", text, sizeof text - 1);
    assert_int_equal(graze_trajectory_load(&t, robot, folder.last, NULL, NULL, NULL, &error),
                     GRAZE_OK);
    assert_at(t, 1, 0.5, 0);
    graze_trajectory_free(t);
    assert_int_equal(
        graze_trajectory_load(&t, robot, "/nowhere/way.yaml", NULL, NULL, NULL, &error),
        GRAZE_ERROR_NOT_FOUND);
    assert_null(t);
    assert_int_equal(graze_trajectory_load(&t, robot, NULL, NULL, NULL, NULL, &error),
                     GRAZE_ERROR_ARGUMENT);
    temporary_folder_remove(&folder);
    graze_robot_free(robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_form_of_message_is_the_same_motion),
        cmocka_unit_test(test_derivatives_choose_the_degree),
        cmocka_unit_test(test_joints_that_are_not_named_stand_where_the_caller_says),
        cmocka_unit_test(test_what_is_wrong_is_refused_with_its_place),
        cmocka_unit_test(test_memory_and_bytes_are_limited),
        cmocka_unit_test(test_files_are_read_from_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
