/// Robots from text, for tests.
#ifndef GRAZE_TESTS_ROBOT_TEXT_H
#define GRAZE_TESTS_ROBOT_TEXT_H

// cmocka.h must have been included.
#include <stdio.h>
#include <string.h>

#include "graze/robot.h"
#include "unit/load/temporary_folder.h"

/// Loads text that must be a robot.
static inline graze_robot *robot_from(const char *text, const char *base_dir,
                                      const graze_load_options *options) {
    graze_robot *robot;
    graze_error error;
    graze_status status = graze_robot_load_urdf_memory(&robot, text, strlen(text), "test.urdf",
                                                       base_dir, options, &error);
    if (status != GRAZE_OK)
        fail_msg("%s: %s:%d:%d %s: %s", graze_status_name(status), error.file, error.line,
                 error.column, error.element, error.message);
    return robot;
}

/// Loads text that must not be a robot.
static inline graze_error robot_error(const char *text, const char *base_dir,
                                      const graze_load_options *options) {
    graze_robot *robot = NULL;
    graze_error error;
    graze_status status = graze_robot_load_urdf_memory(&robot, text, strlen(text), "test.urdf",
                                                       base_dir, options, &error);
    assert_int_not_equal(status, GRAZE_OK);
    assert_int_equal(error.status, status);
    assert_null(robot);
    return error;
}

/// The first warning of that code; its count is 0 when there is none.
static inline graze_warning robot_warning(const graze_robot *robot, const char *code) {
    for (size_t i = 0; i < graze_robot_warning_count(robot); i++) {
        graze_warning warning = graze_robot_warning(robot, i);
        if (strcmp(warning.code, code) == 0) return warning;
    }
    return (graze_warning){0};
}

/// Warnings of that code, different ones.
static inline size_t robot_warnings(const graze_robot *robot, const char *code) {
    size_t count = 0;
    for (size_t i = 0; i < graze_robot_warning_count(robot); i++)
        count += strcmp(graze_robot_warning(robot, i).code, code) == 0;
    return count;
}

static inline graze_joint_info robot_joint(const graze_robot *robot, const char *name) {
    graze_joint_info info;
    assert_int_equal(graze_robot_joint(robot, graze_robot_find_joint(robot, name), &info),
                     GRAZE_OK);
    return info;
}

/// A tetrahedron with corners at the origin and at 1 on each axis, as a binary STL file.
static inline void temporary_write_tetrahedron(temporary_folder *folder, const char *name) {
    static const unsigned char faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    unsigned char bytes[84 + 4 * 50] = {0};
    bytes[80] = 4;
    for (int f = 0; f < 4; f++)
        for (int c = 0; c < 3; c++) {
            float v[3] = {0, 0, 0};
            if (faces[f][c]) v[faces[f][c] - 1] = 1;
            memcpy(bytes + 84 + 50 * f + 12 + 12 * c, v, sizeof v);
        }
    temporary_write(folder, name, bytes, sizeof bytes);
}

#endif
