// A stranger's robot or world may name any file that its user can read: what such a file holds is
// in no message, unless its first bytes show it to be a mesh.

#include "graze/graze.h"
#include "unit/load/mesh_case.h"

#define SECRET "hunter2Pa55word"

static void write_text(const mesh_case *m, const char *name, const char *text) {
    mesh_case_write(m, name, text, strlen(text));
}

static void assert_unsaid(const graze_error *error, const char *what) {
    if (strstr(error->message, "hunter") || strstr(error->element, "hunter"))
        fail_msg("%s: %s (%s)", what, error->message, error->element);
}

/// What the secret may stand in: passwords, settings, keys; and endings that a link may have.
static const char *const contents[] = {
    SECRET,
    "root:" SECRET ":19000:0:99999:7:::\n",
    "v 1 2 " SECRET "\n",
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 " SECRET "\n",
    "1 2 " SECRET "\n",
    "{\"" SECRET "\": " SECRET "}\n",
    "{\"asset\": \"lamp\", \"key\": " SECRET "}\n",
    "{\"asset\": {\"version\": \"" SECRET "\"}}\n",
    "<" SECRET "><password>" SECRET "</password></" SECRET ">\n",
    "<config " SECRET "='1' " SECRET "='2'/>\n",
    "solid " SECRET "\n" SECRET "\n",
    "OFF\n" SECRET "\n",
    "curv " SECRET "\n",
};
static const char *const endings[] = {"obj", "stl", "dae", "ply", "gltf",
                                      "glb", "bt",  "xyz", "off", ""};

static void load_robot(const mesh_case *m, const char *mesh, graze_visuals visuals,
                       const char *element) {
    char text[512];
    snprintf(text, sizeof text,
             "<robot name='r'><link name='a'><%s><geometry><mesh filename='%s'/></geometry></%s>"
             "</link></robot>",
             element, mesh, element);
    graze_load_options options = graze_load_options_default();
    options.visuals = visuals;
    graze_error error = {0};
    graze_robot *robot;
    graze_status status = graze_robot_load_urdf_memory(&robot, text, strlen(text), "r.urdf",
                                                       m->folder, &options, &error);
    assert_unsaid(&error, mesh);
    if (visuals == GRAZE_VISUALS_CHECK) {
        assert_int_not_equal(status, GRAZE_OK);
        assert_non_null(strstr(error.file, mesh));
    }
    for (size_t i = 0; !status && i < graze_robot_warning_count(robot); i++) {
        graze_warning w = graze_robot_warning(robot, i);
        if (strstr(w.message, SECRET)) fail_msg("%s: %s", mesh, w.message);
    }
    graze_robot_free(robot);
}

static void load_world(const mesh_case *m, const char *file, const char *shape) {
    char text[512];
    snprintf(text, sizeof text,
             "{\"format\":\"graze-world-1\",\"objects\":[{\"name\":\"o\",\"shape\":\"%s\","
             "\"file\":\"%s\"%s}]}",
             shape, file, strcmp(shape, "points") == 0 ? ",\"radius\":0.1" : "");
    write_text(m, "w.json", text);
    graze_load_options options = graze_load_options_default();
    graze_error error = {0};
    graze_world *world;
    assert_int_equal(graze_world_create(&world, "w", &error), GRAZE_OK);
    assert_int_not_equal(graze_world_add_file(world, mesh_case_path(m, "w.json"), &options, &error),
                         GRAZE_OK);
    assert_unsaid(&error, file);
    graze_world_free(world);
}

static void test_no_message_quotes_a_file_that_another_file_names(void **state) {
    mesh_case *m = *state;
    for (size_t c = 0; c < sizeof contents / sizeof *contents; c++)
        for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
            char name[32];
            snprintf(name, sizeof name, "m%zu%s%s", c, *endings[e] ? "." : "", endings[e]);
            write_text(m, name, contents[c]);
            load_robot(m, name, GRAZE_VISUALS_CHECK, "collision");
            load_robot(m, name, GRAZE_VISUALS_LOAD, "visual");
            load_world(m, name, "mesh");
            load_world(m, name, "points");
        }
}

static void test_the_line_is_said_all_the_same(void **state) {
    mesh_case *m = *state;
    write_text(m, "a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 " SECRET "\n");
    const char *text = "<robot name='r'><link name='a'><collision><geometry><mesh "
                       "filename='a.obj'/></geometry></collision></link></robot>";
    graze_error error = {0};
    graze_robot *robot;
    assert_int_equal(
        graze_robot_load_urdf_memory(&robot, text, strlen(text), "r.urdf", m->folder, NULL, &error),
        GRAZE_ERROR_PARSE);
    assert_int_equal(error.line, 3);
    assert_non_null(strstr(error.message, "in line 3; allowed: "));
    assert_non_null(strstr(error.file, "a.obj"));
}

static void test_a_file_that_the_caller_names_is_quoted(void **state) {
    mesh_case *m = *state;
    write_text(m, "a.obj", "v 0 0 " SECRET "\n");
    graze_error error = {0};
    graze_world *world;
    assert_int_equal(graze_world_create(&world, "w", &error), GRAZE_OK);
    assert_int_equal(graze_world_add_file(world, mesh_case_path(m, "a.obj"), NULL, &error),
                     GRAZE_ERROR_PARSE);
    assert_non_null(strstr(error.message, SECRET));
    graze_world_free(world);
}

int main(void) {
#define CASE(f) cmocka_unit_test_setup_teardown(f, mesh_case_setup, mesh_case_teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_no_message_quotes_a_file_that_another_file_names),
        CASE(test_the_line_is_said_all_the_same),
        CASE(test_a_file_that_the_caller_names_is_quoted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
