#include <limits.h>
#include <math.h>
#include <sys/stat.h>

#include "import/import.h"
#include "unit/load/collada_text.h"

// The reader takes whatever assimp reads; OBJ is short to write, and asks for other files.
#define OBJ "v 1 2 3\nv 4 5 6\nv 7 8 10\nf 1 2 3\n"

static graze_status run_text(mesh_case *m, const char *ending, const char *text) {
    mesh_case_clear(m);
    m->soup = gz_soup_create();
    gz_mesh_reader reader = {.path = "the file",
                             .bytes = text,
                             .size = strlen(text),
                             .scale = {1, 1, 1},
                             .options = &m->options,
                             .budget = &m->budget,
                             .warnings = &m->warnings,
                             .error = &m->error,
                             .soup = m->soup};
    gz_import_findings found = {0};
    char said[GRAZE_MESSAGE_SIZE] = "";
    graze_status status = gz_assimp_read(&reader, ending, &found, said);
    gz_polygons_free(&reader.polygons);
    return status;
}

static void test_assimp_opens_nothing_but_what_it_is_given(void **state) {
    mesh_case *m = *state;
    // Opening a pipe that nobody writes to hangs, so a test that ends has not opened it.
    char text[1024];
    const char *pipe = mesh_case_path(m, "pipe.mtl");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    snprintf(text, sizeof text, "mtllib %s\nmtllib ../../../../../../../..%s\n" OBJ, pipe, pipe);
    assert_int_equal(run_text(m, "obj", text), GRAZE_OK);
    assert_int_equal(m->soup->triangle_count, 1);
}

static void test_the_io_knows_names_and_reads_only(void **state) {
    (void)state;
    gz_assimp_io io;
    gz_assimp_io_init(&io, "a.dae", "0123456789", 10);
    static const char *const others[] = {"/etc/passwd", "a.dae/", "", "b.mtl", "./a.dae", "b.dae"};
    for (size_t i = 0; i < 6; i++) {
        assert_null(io.io.OpenProc(&io.io, others[i], "rb"));
        // Of those, only what may hold geometry is remembered, and the first of these alone.
        assert_string_equal(io.other, i < 4 ? "" : "./a.dae");
    }
    assert_null(io.io.OpenProc(&io.io, "a.dae", "wb"));
    assert_null(io.io.OpenProc(&io.io, "a.dae", "r+"));
    assert_null(io.io.OpenProc(&io.io, NULL, "rb"));
    struct aiFile *f = io.io.OpenProc(&io.io, "a.dae", "rb");
    assert_non_null(f);
    char bytes[16] = "";
    assert_int_equal(f->FileSizeProc(f), 10);
    assert_int_equal(f->ReadProc(f, bytes, 4, 5), 2); // whole elements only
    assert_string_equal(bytes, "01234567");
    assert_int_equal(f->TellProc(f), 8);
    assert_int_equal(f->SeekProc(f, 3, aiOrigin_CUR), aiReturn_FAILURE);
    assert_int_equal(f->SeekProc(f, SIZE_MAX, aiOrigin_CUR), aiReturn_FAILURE);
    assert_int_equal(f->SeekProc(f, 11, aiOrigin_SET), aiReturn_FAILURE);
    assert_int_equal(f->SeekProc(f, 1, aiOrigin_CUR), aiReturn_SUCCESS);
    assert_int_equal(f->ReadProc(f, bytes, 1, 16), 1);
    assert_int_equal(bytes[0], '9');
    assert_int_equal(f->ReadProc(f, bytes, 0, 16), 0);
    assert_int_equal(f->SeekProc(f, 0, aiOrigin_END), aiReturn_SUCCESS);
    assert_int_equal(f->TellProc(f), 10);
    assert_int_equal(f->WriteProc(f, "x", 1, 1), 0);
    f->FlushProc(f);
    io.io.CloseProc(&io.io, f);
}

static void test_profiles_place_what_collada_holds(void **state) {
    mesh_case *m = *state;
    static const double wanted[3][3][9] = {[GRAZE_COLLADA_ROS] = {{0, 0, 0, .5, 0, 0, 0, .5, 0},
                                                                  {0, 0, 0, .5, 0, 0, 0, .5, 0},
                                                                  {0, 0, 0, .5, 0, 0, 0, .5, 0}},
                                           [GRAZE_COLLADA_SPEC] = {{0, 0, 0, 0, 0, .5, -.5, 0, 0},
                                                                   {0, 0, 0, .5, 0, 0, 0, 0, .5},
                                                                   {0, 0, 0, .5, 0, 0, 0, .5, 0}},
                                           [GRAZE_COLLADA_MOVEIT] = {{0, 0, 0, 1, 0, 0, 0, 1, 0},
                                                                     {0, 0, 0, 1, 0, 0, 0, 1, 0},
                                                                     {0, 0, 0, 1, 0, 0, 0, 1, 0}}};
    for (int i = 0; i < 9; i++) {
        char text[sizeof COLLADA_TEXT + 8];
        snprintf(text, sizeof text,
                 "<COLLADA version=\"1.4.1\"><asset><unit meter=\"0.5\"/><up_axis>%c_UP</up_axis>"
                 "</asset>%s",
                 "XYZ"[i % 3], strstr(COLLADA_TEXT, "<library_geometries>"));
        m->options.collada = (graze_collada)(i / 3);
        assert_int_equal(run_text(m, "dae", text), GRAZE_OK);
        assert_triangles(m, wanted[i / 3][i % 3], 1, 1e-7);
    }
}

static void test_what_assimp_refuses_is_an_error_with_its_reason(void **state) {
    mesh_case *m = *state;
    assert_int_equal(run_text(m, "dae", "<COLLADA"), GRAZE_ERROR_PARSE);
    assert_message(m, "assimp cannot read the file: ");
    assert_string_equal(m->error.file, "the file");
}

static void test_limits_hold_for_what_assimp_returns(void **state) {
    mesh_case *m = *state;
    m->budget.triangles_left = 0;
    assert_int_equal(run_text(m, "obj", OBJ), GRAZE_ERROR_LIMIT);
    m->budget.triangles_left = 1;
    m->options.limits.elements = 1; // the root and one object
    assert_int_equal(run_text(m, "obj", OBJ), GRAZE_ERROR_LIMIT);
    assert_message(m, "elements of 1");
    m->options.limits.elements = 2;
    assert_int_equal(run_text(m, "obj", OBJ), GRAZE_OK);
    m->options.limits.depth = 0;
    assert_int_equal(run_text(m, "obj", OBJ), GRAZE_ERROR_LIMIT);
    assert_message(m, "depth of 0");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MESH_TEST(test_assimp_opens_nothing_but_what_it_is_given),
        MESH_TEST(test_the_io_knows_names_and_reads_only),
        MESH_TEST(test_profiles_place_what_collada_holds),
        MESH_TEST(test_what_assimp_refuses_is_an_error_with_its_reason),
        MESH_TEST(test_limits_hold_for_what_assimp_returns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
