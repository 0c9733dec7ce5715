#include <limits.h>
#include <math.h>
#include <sys/stat.h>

#include "unit/load/mesh_case.h"

static void test_faces_of_every_form_are_read(void **state) {
    mesh_case *m = *state;
    const char *text = "# a comment\n"
                       "mtllib nowhere.mtl\n"
                       "o thing\ng a b c\ns 1\n"
                       "v 0 0 0\nv 1.0 0 0 0.5 0.5 0.5\n  v 1 1 0 1\n"
                       "vt 0 0\nvn 0 0 1\n"
                       "usemtl red # and so on\n"
                       "f 1 2 3\n"
                       "v 0 1e0 0.0\r\n"
                       "f 1/1 3/1 4/1 # comment\n"
                       "f -4//1 -3//1 \\\n -1//1\n"
                       "f 2/1/1 3/1/1 4/1/1";
    static const double corners[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, //
                                     0, 0, 0, 1, 1, 0, 0, 1, 0, //
                                     0, 0, 0, 1, 0, 0, 0, 1, 0, //
                                     1, 0, 0, 1, 1, 0, 0, 1, 0};
    assert_int_equal(mesh_case_text(m, "a.obj", text), GRAZE_OK);
    assert_triangles(m, corners, 4, 0);
    assert_int_equal(m->soup->vertex_count, 4);
    assert_int_equal(m->warnings.count, 0);
}

static void test_polygons_are_cut_and_lines_are_counted(void **state) {
    mesh_case *m = *state;
    const char *text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
                       "f 1 2 3 4\nl 1 2\np 1\nf 1 2\n";
    static const double corners[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0};
    assert_int_equal(mesh_case_text(m, "a.obj", text), GRAZE_OK);
    assert_triangles(m, corners, 2, 0);
    assert_int_equal(m->soup->skipped, 3);
    assert_true(has_warning(m, "mesh-face-without-area"));
}

/// Of FCL's own test data: a line of counts in front of all.
static void test_counts_in_front_are_left_out_and_fo_is_a_face(void **state) {
    mesh_case *m = *state;
    static const double corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    assert_int_equal(
        mesh_case_text(m, "a.obj", "# by hand\n3 1 \\\n 0\nv 0 0 0\nv 1 0 0\nv 0 1 0\nfo 1 2 3\n"),
        GRAZE_OK);
    assert_triangles(m, corners, 1, 0);
    assert_true(has_warning(m, "obj-counts"));
}

static void test_no_material_library_is_opened(void **state) {
    mesh_case *m = *state;
    // Opening a pipe that nobody writes to would hang; the test's time limit would tell.
    assert_int_equal(mkfifo(mesh_case_path(m, "pipe.mtl"), 0600), 0);
    const char *text = "mtllib pipe.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl x\nf 1 2 3\n";
    assert_int_equal(mesh_case_text(m, "a.obj", text), GRAZE_OK);
}

#define THREE "v 0 0 0\nv 1 0 0\nv 0 1 0\n"

static void test_errors_name_the_line(void **state) {
    mesh_case *m = *state;
    static const struct {
        const char *text;
        graze_status status;
        int32_t line;
        const char *message;
    } cases[] = {
        {THREE "f 1 2 4\n", GRAZE_ERROR_MESH, 4, "vertex index 4 in face 1; allowed: 1 to 3"},
        {THREE "f 1 2 0\n", GRAZE_ERROR_MESH, 4, "vertex index 0"},
        {THREE "f 1 2 -4\n", GRAZE_ERROR_MESH, 4, "vertex index -4"},
        {"f 1 2 3\n" THREE, GRAZE_ERROR_MESH, 1, "vertex index 1"},
        {THREE "f 1 2 99999999999999999999\n", GRAZE_ERROR_PARSE, 4, "face corner"},
        {THREE "f 1 2 x\n", GRAZE_ERROR_PARSE, 4, "'x'"},
        {THREE "f 1 2 3/x\n", GRAZE_ERROR_PARSE, 4, "'3/x'"},
        {THREE "f 1 2 3.5\n", GRAZE_ERROR_PARSE, 4, "'3.5'"},
        {THREE "f 1 2 -\n", GRAZE_ERROR_PARSE, 4, "'-'"},
        {"v 0 0 0\n3 1\n", GRAZE_ERROR_PARSE, 2, "statement '3'"},
        {"3 one\n" THREE, GRAZE_ERROR_PARSE, 1, "statement '3'"},
        {"v 0 0\nf 1 1 1\n", GRAZE_ERROR_PARSE, 1, "a vertex of 2 numbers"},
        {"v 0 0 a\n", GRAZE_ERROR_PARSE, 1, "'a'"},
        {"v 0 0 0,5\n", GRAZE_ERROR_PARSE, 1, "'0,5'"},
        {"v 0 0 1\nv nan 0 0\n", GRAZE_ERROR_RANGE, 2, "vertex 2: x is not a number"},
        {"v 0 0 1\nv 0 -inf 0\n", GRAZE_ERROR_RANGE, 2, "vertex 2: y is infinite"},
        {"v 0 0 1e400\n", GRAZE_ERROR_RANGE, 1, "vertex 1: z is infinite"},
        {"v 0 0 1048577\n", GRAZE_ERROR_RANGE, 1, "vertex 1: z is 1.04858e+06 m"},
        {THREE "f 1 2 3\ncurv 0 1 1 2\n", GRAZE_ERROR_UNSUPPORTED, 5, "'curv'"},
        {THREE "f 1 2 3\ncall other.obj\n", GRAZE_ERROR_UNSUPPORTED, 5, "'call'"},
        {THREE "f 1 2 3\nrubbish\n", GRAZE_ERROR_PARSE, 5, "'rubbish'"},
        {THREE, GRAZE_ERROR_MESH, 0, "no triangle"},
        {THREE "l 1 2\n", GRAZE_ERROR_MESH, 0, "no triangle"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(mesh_case_text(m, "a.obj", cases[i].text), cases[i].status);
        assert_message(m, cases[i].message);
        assert_int_equal(m->error.line, cases[i].line);
        assert_null(m->soup);
    }
}

/// Its name ends where the list of names does: a byte behind it is none of the list's.
static void test_a_zero_byte_behind_a_statement_belongs_to_its_name(void **state) {
    mesh_case *m = *state;
    static const char bytes[] = "v 0 0 0\ncsh\0 1\n";
    mesh_case_write(m, "a.obj", bytes, sizeof bytes - 1);
    assert_int_equal(mesh_case_read(m, "a.obj", NULL), GRAZE_ERROR_PARSE);
    assert_int_equal(m->error.line, 2);
}

static void test_lack_of_memory_is_said(void **state) {
    mesh_case *m = *state;
    const char *text = "v 0 0 0\nv 3 0 0\nv 1 1 0\nv 0 3 0\nl 1 2\nf 1 2 3 4\n";
    mesh_case_write(m, "a.obj", text, strlen(text));
    assert_survives_faults(m, "a.obj");
}

/// Once an error: files of exporters that end lines so did not load.
static void test_a_lone_carriage_return_ends_a_line(void **state) {
    mesh_case *m = *state;
    static const char *const cases[] = {
        "v 9 9 9\nv 0 0 0 1\rv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 1 1\nf 2 3 4\n",
        "v 9 9 9\rv 0 0 0\rv 1 0 0\rv 0 1 0\rvn 0 0 1\rf 2 3 4\r",
        "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\rf 2 3 4\n",
        "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\n# made\rf 2 3 4\n",
        "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 2 3 \\\r4\n",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(mesh_case_text(m, "a.obj", cases[i]), GRAZE_OK);
        assert_true(has_warning(m, "obj-returns"));
        static const double corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
        assert_triangles(m, corners, 1, 0);
    }
    assert_int_equal(mesh_case_text(m, "a.obj", "v 0 0 0\rv 1 0 0\rf 1 2 3\r"), GRAZE_ERROR_MESH);
    assert_int_equal(m->error.line, 3);
    assert_int_equal(
        mesh_case_text(m, "a.obj", "v 0 0 0\r\nv 1 0 0\r\r\nv 0 1 0\nf 1 2 3\r\n# end\r"),
        GRAZE_OK);
    assert_int_equal(m->soup->triangle_count, 1);
    assert_false(has_warning(m, "obj-returns"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MESH_TEST(test_faces_of_every_form_are_read),
        MESH_TEST(test_polygons_are_cut_and_lines_are_counted),
        MESH_TEST(test_counts_in_front_are_left_out_and_fo_is_a_face),
        MESH_TEST(test_no_material_library_is_opened),
        MESH_TEST(test_errors_name_the_line),
        MESH_TEST(test_lack_of_memory_is_said),
        MESH_TEST(test_a_zero_byte_behind_a_statement_belongs_to_its_name),
        MESH_TEST(test_a_lone_carriage_return_ends_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
