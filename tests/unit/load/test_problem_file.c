// Files of planning problems: what they say is what is planned, and what a stranger may have
// written is refused with its place.
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

typedef struct problem_fixture {
    temporary_folder folder;
    graze_robot *robot;
    graze_problems *problems;
    graze_error error;
    char path[512];
} problem_fixture;

static int make_all(void **state) {
    static problem_fixture f;
    memset(&f, 0, sizeof f);
    f.folder = temporary_folder_make();
    assert_int_equal(graze_robot_load_urdf_memory(&f.robot, slider_urdf, strlen(slider_urdf),
                                                  "robot", NULL, NULL, NULL),
                     GRAZE_OK);
    *state = &f;
    return 0;
}

static int remove_all(void **state) {
    problem_fixture *f = *state;
    graze_problems_free(f->problems);
    graze_robot_free(f->robot);
    temporary_folder_remove(&f->folder);
    return 0;
}

static graze_status load(problem_fixture *f, const char *name) {
    graze_problems_free(f->problems);
    snprintf(f->path, sizeof f->path, "%s/%s", f->folder.path, name);
    return graze_problems_load(&f->problems, f->robot, f->path, NULL, &f->error);
}

static graze_status load_text(problem_fixture *f, const char *text) {
    temporary_write_text(&f->folder, "p.json", text);
    return load(f, "p.json");
}

static graze_problem get(const problem_fixture *f, size_t i) {
    graze_problem p;
    assert_int_equal(graze_problems_get(f->problems, i, &p), GRAZE_OK);
    return p;
}

#define HEAD "{\"format\": \"mbm-1\", \"joints\": [\"turn\"], \"problems\": "
#define BOX                                                                                        \
    "{\"name\": \"b\", \"type\": \"box\", \"size\": [1, 2, 3], \"position\": [5, 0, 0], "          \
    "\"quaternion\": [0, 0, 0, 1]}"
#define PROBLEM(objects)                                                                           \
    "{\"index\": 7, \"start\": [0.25], \"goals\": [[0.5], [0.75]], \"other_joints\": {\"x\": "     \
    "-1}, \"objects\": [" objects "]}"

static void test_a_file_gives_each_family_its_problems(void **state) {
    problem_fixture *f = *state;
    assert_int_equal(load_text(f, HEAD "{\"a\": [" PROBLEM(BOX) "], \"b c\": [" PROBLEM(
                                      "") ", "
                                          "{\"start\": [1], \"goals\": [[2]], \"objects\": []}]}}"),
                     GRAZE_OK);
    assert_int_equal(graze_problems_count(f->problems), 3);
    graze_problem p = get(f, 0);
    assert_string_equal(p.name, "a/7");
    assert_int_equal(p.family_length, 1);
    assert_int_equal(p.goal_count, 2);
    assert_int_equal(p.column_count, 1);
    assert_int_equal(p.columns[0], 1);
    // x is the first number of q.
    const double rows[6] = {-1, 0.25, -1, 0.5, -1, 0.75};
    for (int i = 0; i < 2; i++) assert_true(p.start[i] == rows[i]);
    for (int i = 0; i < 4; i++) assert_true(p.goals[i] == rows[2 + i]);
    assert_int_equal(graze_world_object_count(p.world), 1);
    p = get(f, 2);
    assert_string_equal(p.name, "b c/2");
    assert_int_equal(p.family_length, 3);
    assert_true(p.start[0] == 0 && p.start[1] == 1 && p.goals[1] == 2);
    assert_int_equal(graze_problems_get(f->problems, 3, &p), GRAZE_ERROR_ARGUMENT);
    assert_null(p.name);
}

static void test_opinions_of_vamp_are_read(void **state) {
    problem_fixture *f = *state;
    static const char *const said[] = {"", ", \"vamp_valid\": null", ", \"vamp_valid\": true",
                                       ", \"vamp_valid\": false"};
    static const int32_t expected[] = {-1, -1, 1, 0};
    for (int i = 0; i < 4; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 HEAD "{\"a\": [{\"start\": [1], \"goals\": [[2]], "
                      "\"objects\": []%s}]}}",
                 said[i]);
        assert_int_equal(load_text(f, text), GRAZE_OK);
        assert_int_equal(get(f, 0).vamp_valid, expected[i]);
    }
}

static void test_what_a_file_says_wrong_is_named(void **state) {
    problem_fixture *f = *state;
    static const struct {
        const char *text;
        graze_status status;
        const char *message;
    } cases[] = {
        {"{\"format\": \"mbm-2\"}", GRAZE_ERROR_UNSUPPORTED, "allowed: mbm-1"},
        {"{\"joints\": []}", GRAZE_ERROR_SCHEMA, "format"},
        {HEAD "{}}", GRAZE_ERROR_SCHEMA, "there is no problem"},
        {HEAD "{\"a\": [{\"start\": [1], \"goals\": [[1]], \"objects\": [], \"vamp_valid\": 1}]}}",
         GRAZE_ERROR_SCHEMA, "true or false"},
        {HEAD "{\"a\": [{\"start\": [1, 2], \"goals\": [[1]], \"objects\": []}]}}",
         GRAZE_ERROR_SCHEMA, "2 numbers; allowed: 1, one for each joint"},
        {HEAD "{\"a\": [{\"start\": [1], \"goals\": [], \"objects\": []}]}}", GRAZE_ERROR_SCHEMA,
         "no goals"},
        {HEAD "{\"a\": [{\"start\": [1], \"goals\": [[1]]}]}}", GRAZE_ERROR_SCHEMA, "objects"},
        {HEAD "{\"a\": [{\"strat\": [1], \"goals\": [[1]], \"objects\": []}]}}", GRAZE_ERROR_SCHEMA,
         "the key \"strat\" is not known here"},
        {HEAD "{\"a\": [{\"start\": [\"1\"], \"goals\": [[1]], \"objects\": []}]}}",
         GRAZE_ERROR_SCHEMA, "number"},
        {HEAD "{\"a\": [" PROBLEM("{\"name\": \"b\", \"type\": \"torus\", \"position\": [0, 0, 0], "
                                  "\"quaternion\": [0, 0, 0, 1]}") "]}}",
         GRAZE_ERROR_UNSUPPORTED, "type is 'torus'; allowed: box, sphere, cylinder"},
        {HEAD "{\"a\": [" PROBLEM("{\"name\": \"b\", \"type\": \"sphere\", \"position\": [0, 0, "
                                  "0], \"quaternion\": [0, 0, 0, 0], \"radius\": 1}") "]}}",
         GRAZE_ERROR_RANGE, "the quaternion's length is 0"},
        {HEAD "{\"a\": [" PROBLEM("{\"name\": \"b\", \"type\": \"sphere\", \"position\": [0, 0, "
                                  "0], \"quaternion\": [0, 0, 0, 1], \"radius\": -1}") "]}}",
         GRAZE_ERROR_RANGE, "radius"},
        {HEAD "{\"a\": [" PROBLEM(BOX ", " BOX) "]}}", GRAZE_ERROR_SCHEMA, "b"},
        {"{\"format\": \"mbm-1\", \"joints\": [\"turm\"], \"problems\": {}}", GRAZE_ERROR_SCHEMA,
         "no joint is called 'turm'; did you mean 'turn'?"},
        {"{\"format\": \"mbm-1\", \"joints\": [\"turn\", \"turn\"], \"problems\": {}}",
         GRAZE_ERROR_SCHEMA, "named twice"},
        {"{\"format\": \"mbm-1\", \"frame\": \"moon\", \"joints\": [\"turn\"], \"problems\": {}}",
         GRAZE_ERROR_UNSUPPORTED, "the frame is 'moon'; allowed: the robot's root"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        graze_status status = load_text(f, cases[i].text);
        if (status != cases[i].status || !strstr(f->error.message, cases[i].message))
            fail_msg("case %zu: status %d, %s", i, (int)status, f->error.message);
        assert_null(f->problems);
        assert_non_null(strstr(f->error.file, "p.json"));
        assert_true(i == 2 || f->error.line > 0);
    }
    assert_int_equal(load(f, "nowhere.json"), GRAZE_ERROR_NOT_FOUND);
}

#define SCENE                                                                                      \
    "name: s\nworld:\n  collision_objects:\n    - id: b\n      header: {frame_id: world}\n"        \
    "      primitives:\n        - type: box\n          dimensions: [1, 2, 3]\n"                    \
    "      primitive_poses:\n        - position: [5, 0, 0]\n          orientation: [0, 0, 0, 1]\n" \
    "      operation: add\n"
#define REQUEST                                                                                    \
    "group_name: arm\nstart_state:\n  joint_state:\n    name: [x, turn]\n    position: [-1, "      \
    "0.25]\ngoal_constraints:\n  - joint_constraints:\n      - joint_name: turn\n        "         \
    "position: 0.5\n        tolerance_above: 0.001\n"

static void test_a_folder_of_messages_is_a_family(void **state) {
    problem_fixture *f = *state;
    char name[512];
    snprintf(name, sizeof name, "%s", strrchr(f->folder.path, '/') + 1);
    temporary_write_text(&f->folder, "request0002.yaml", REQUEST);
    temporary_write_text(&f->folder, "scene0002.yaml", SCENE);
    temporary_write_text(&f->folder, "request0001.yaml", REQUEST);
    temporary_write_text(&f->folder, "scene0001.yaml",
                         "name: s\nworld:\n  collision_objects: []\n");
    temporary_write_text(&f->folder, "config.yaml", "not: [read");
    if (load(f, "") != GRAZE_OK) fail_msg("%s: %s", f->error.file, f->error.message);
    assert_int_equal(graze_problems_count(f->problems), 2);
    graze_problem p = get(f, 0);
    assert_string_equal(p.name + p.family_length, "/0001");
    assert_true(strncmp(p.name, name, p.family_length) == 0 && name[p.family_length] == '\0');
    assert_int_equal(graze_world_object_count(p.world), 0);
    p = get(f, 1);
    assert_int_equal(graze_world_object_count(p.world), 1);
    assert_int_equal(p.column_count, 1);
    assert_int_equal(p.columns[0], 1);
    assert_true(p.start[0] == -1 && p.start[1] == 0.25);
    assert_true(p.goals[0] == -1 && p.goals[1] == 0.5);
    // A goal that is a pose cannot be read, and a request needs its scene.
    temporary_write_text(&f->folder, "request0002.yaml",
                         REQUEST "    position_constraints:\n      - link_name: a\n");
    assert_int_equal(load(f, ""), GRAZE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(f->error.message, "the goal has position_constraints"));
    assert_non_null(strstr(f->error.file, "request0002.yaml"));
    temporary_write_text(&f->folder, "request0003.yaml", REQUEST);
    temporary_write_text(&f->folder, "request0002.yaml", REQUEST);
    assert_int_equal(load(f, ""), GRAZE_ERROR_NOT_FOUND);
    assert_non_null(strstr(f->error.file, "scene0003.yaml"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_file_gives_each_family_its_problems, make_all,
                                        remove_all),
        cmocka_unit_test_setup_teardown(test_opinions_of_vamp_are_read, make_all, remove_all),
        cmocka_unit_test_setup_teardown(test_what_a_file_says_wrong_is_named, make_all, remove_all),
        cmocka_unit_test_setup_teardown(test_a_folder_of_messages_is_a_family, make_all,
                                        remove_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
