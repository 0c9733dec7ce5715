// Replays the bad robots of tests/bad: each has its status, line and element written down by hand
// in expected_robot.tsv. Those of status ok are read with a warning.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graze/robot.h"

#define BAD_DIR GRAZE_SOURCE_DIR "/tests/bad/"

enum { COLUMNS = 6 };

static bool split(char *line, char *fields[COLUMNS]) {
    line[strcspn(line, "\n")] = '\0';
    if (line[0] == '#' || line[0] == '\0') return false;
    for (int i = 0; i < COLUMNS; i++) {
        fields[i] = line;
        line += strcspn(line, "\t");
        if (*line) *line++ = '\0';
    }
    return true;
}

/// Prints what differs and returns false.
static bool as_expected(char *fields[COLUMNS], graze_status status, const graze_error *error,
                        const char *file) {
    const char *element = strcmp(fields[4], "-") == 0 ? "" : fields[4];
    bool mesh = error->status == GRAZE_ERROR_MESH; // then the mesh is the file at fault
    bool good = strcmp(graze_status_name(status), fields[2]) == 0 && error->status == status &&
                error->line == atoi(fields[3]) && (error->line == 0) == (error->column == 0) &&
                strcmp(error->element, element) == 0 && strstr(error->message, fields[5]) &&
                error->message[0] && !strpbrk(error->message, "\n\r\t") &&
                (mesh ? error->file[0] != '\0' : strcmp(error->file, file) == 0);
    if (!good)
        print_error("%s: expected %s at line %s, %s, \"%s\"\n  got %s at %s:%d:%d, %s: %s\n",
                    fields[0], fields[2], fields[3], fields[4], fields[5],
                    graze_status_name(status), error->file, error->line, error->column,
                    error->element, error->message);
    return good;
}

/// Whether a robot that was read has the warning of the table; frees it.
static bool warned_as_expected(char *fields[COLUMNS], graze_robot *robot, const char *file) {
    bool found = false;
    for (size_t i = 0; i < graze_robot_warning_count(robot); i++) {
        graze_warning w = graze_robot_warning(robot, i);
        found |= w.line == atoi(fields[3]) && strcmp(w.element, fields[4]) == 0 &&
                 strcmp(w.file, file) == 0 && strstr(w.message, fields[5]);
    }
    if (!found) print_error("%s: no warning of \"%s\"\n", fields[0], fields[5]);
    graze_robot_free(robot);
    return found;
}

static void test_every_bad_robot_fails_as_written_down(void **state) {
    (void)state;
    FILE *table = fopen(BAD_DIR "expected_robot.tsv", "r");
    assert_non_null(table);
    char line[2048], path[512], srdf[512];
    int replayed = 0, wrong = 0;
    while (fgets(line, sizeof line, table)) {
        char *fields[COLUMNS];
        if (!split(line, fields)) continue;
        bool is_srdf = strcmp(fields[1], "-") != 0;
        graze_load_options options = graze_load_options_default();
        options.use_environment = 0;
        snprintf(path, sizeof path, BAD_DIR "%s", is_srdf ? fields[1] : fields[0]);
        snprintf(srdf, sizeof srdf, BAD_DIR "%s", fields[0]);
        if (is_srdf) options.srdf = srdf;
        graze_robot *robot = (graze_robot *)&options; // anything but NULL
        graze_error error;
        memset(&error, 0x55, sizeof error);
        graze_status status = graze_robot_load_urdf(&robot, path, &options, &error);
        replayed++;
        bool ok = strcmp(fields[2], "ok") == 0 && status == GRAZE_OK;
        if (ok)
            wrong += !warned_as_expected(fields, robot, is_srdf ? srdf : path);
        else
            wrong += !as_expected(fields, status, &error, is_srdf ? srdf : path);
        assert_true(ok || !robot);
        // A caller who wants no error gets the same status.
        assert_int_equal(graze_robot_load_urdf(&robot, path, &options, NULL), status);
        assert_true(ok || !robot);
        graze_robot_free(robot);
    }
    fclose(table);
    assert_int_equal(wrong, 0);
    assert_true(replayed >= 120);
}

static void test_the_robot_of_the_bad_srdfs_is_good(void **state) {
    (void)state;
    graze_robot *robot;
    graze_error error;
    assert_int_equal(graze_robot_load_urdf(&robot, BAD_DIR "srdf/good.urdf", NULL, &error),
                     GRAZE_OK);
    assert_int_equal(graze_robot_link_count(robot), 3);
    graze_robot_free(robot);
}

/// Every prefix of a good file is an error or a robot, never a crash; and never a robot without
/// the end of its root element.
static void test_files_cut_anywhere_fail(void **state) {
    (void)state;
    static const char text[] =
        "<?xml version=\"1.0\"?><robot name=\"r\"><link name=\"a\"><collision><geometry>"
        "<box size=\"1 1 1\"/></geometry></collision></link><link name=\"b\"/>"
        "<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>"
        "<axis xyz=\"0 0 1\"/><limit lower=\"-1\" upper=\"1\"/></joint></robot>";
    for (size_t n = 0; n < sizeof text - 1; n++) {
        graze_robot *robot;
        graze_error error;
        graze_status status = graze_robot_load_urdf_memory(&robot, text, n, "cut.urdf", NULL, NULL,
                                                           &error);
        assert_int_equal(status, GRAZE_ERROR_PARSE);
        assert_null(robot);
        assert_string_equal(error.file, "cut.urdf");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_bad_robot_fails_as_written_down),
        cmocka_unit_test(test_the_robot_of_the_bad_srdfs_is_good),
        cmocka_unit_test(test_files_cut_anywhere_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
