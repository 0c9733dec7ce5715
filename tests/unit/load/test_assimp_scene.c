#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <sys/stat.h>

#include "import/assimp_io.h"
#include "import/assimp_scene.h"
#include "unit/load/mesh_case.h"

// The reader takes whatever assimp reads; OBJ is short to write, and asks for other files.
#define OBJ "v 1 2 3\nv 4 5 6\nv 7 8 10\nf 1 2 3\n"

static graze_status run(mesh_case *m, const gz_import_job *job) {
    mesh_case_clear(m);
    m->soup = gz_soup_create();
    gz_mesh_input input = {.path = "the file",
                           .bytes = job->files[0].bytes,
                           .size = job->files[0].size,
                           .scale = {1, 1, 1},
                           .options = &m->options,
                           .budget = &m->budget,
                           .warnings = &m->warnings};
    return gz_assimp_read(job, &input, m->soup, &m->error);
}

static graze_status run_text(mesh_case *m, const char *file_name, const char *text) {
    char name[32];
    strcpy(name, file_name);
    gz_memory_file file = {name, text, strlen(text)};
    gz_import_job job = {.files = &file, .file_count = 1, .up = 'z'};
    return run(m, &job);
}

static void test_assimp_opens_nothing_but_what_it_is_given(void **state) {
    mesh_case *m = *state;
    // Opening a pipe that nobody writes to hangs, so a test that ends has not opened it.
    char text[1024];
    const char *pipe = mesh_case_path(m, "pipe.mtl");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    snprintf(text, sizeof text, "mtllib %s\nmtllib ../../../../../../../..%s\n" OBJ, pipe, pipe);
    assert_int_equal(run_text(m, "mesh.obj", text), GRAZE_OK);
    assert_int_equal(m->soup->triangle_count, 1);
}

static void test_the_io_knows_names_and_reads_only(void **state) {
    (void)state;
    char name[] = "a.dae";
    gz_memory_file file = {name, "0123456789", 10};
    gz_assimp_io io;
    gz_assimp_io_init(&io, &file, 1);
    static const char *const others[] = {"b.dae", "/etc/passwd", "./a.dae", "a.dae/", ""};
    for (size_t i = 0; i < 5; i++) assert_null(io.io.OpenProc(&io.io, others[i], "rb"));
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

static void test_the_root_is_replaced_and_turned(void **state) {
    mesh_case *m = *state;
    char name[] = "mesh.obj";
    gz_memory_file file = {name, OBJ, strlen(OBJ)};
    static const struct {
        char up;
        double wanted[9];
    } cases[] = {{'z', {.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5}},
                 {'y', {.5, -1.5, 1, 2, -3, 2.5, 3.5, -5, 4}},
                 {'x', {-1, -1.5, .5, -2.5, -3, 2, -4, -5, 3.5}}};
    for (size_t i = 0; i < 3; i++) {
        gz_import_job job = {.files = &file,
                             .file_count = 1,
                             .replace_root = true,
                             .root_scale = 0.5,
                             .up = cases[i].up};
        assert_int_equal(run(m, &job), GRAZE_OK);
        assert_triangles(m, cases[i].wanted, 1, 0);
    }
}

/// By that the comparison knows polygons; PLY is a format whose faces share vertices in assimp,
/// too.
static void test_no_two_faces_share_a_vertex(void **state) {
    mesh_case *m = *state;
    static const double corners[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0,
                                     1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    assert_int_equal(run_text(m, "mesh.ply",
                              "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\n"
                              "property float y\nproperty float z\nelement face 3\n"
                              "property list uchar int vertex_index\nend_header\n"
                              "0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n3 1 3 0\n3 1 2 3\n"),
                     GRAZE_OK);
    assert_triangles(m, corners, 4, 0);
    const uint32_t *t = m->soup->triangles;
    for (int i = 0; i < 12; i++)
        for (int k = i + 1; k < 12; k++) // but for those of the polygon, the first two
            assert_true(t[i] != t[k] || k < 6);
    assert_true(t[0] == t[3] && t[2] == t[4]);
}

static void test_what_assimp_refuses_is_an_error_with_its_reason(void **state) {
    mesh_case *m = *state;
    assert_int_equal(run_text(m, "mesh.dae", "<COLLADA"), GRAZE_ERROR_PARSE);
    assert_message(m, "assimp cannot read the file: ");
    assert_string_equal(m->error.file, "the file");
}

static void test_limits_hold_for_what_assimp_returns(void **state) {
    mesh_case *m = *state;
    m->budget.triangles_left = 0;
    assert_int_equal(run_text(m, "mesh.obj", OBJ), GRAZE_ERROR_LIMIT);
    m->budget.triangles_left = 1;
    m->options.limits.elements = 1; // the root and one object
    assert_int_equal(run_text(m, "mesh.obj", OBJ), GRAZE_ERROR_LIMIT);
    assert_message(m, "elements of 1");
    m->options.limits.elements = 2;
    assert_int_equal(run_text(m, "mesh.obj", OBJ), GRAZE_OK);
    m->options.limits.depth = 0;
    assert_int_equal(run_text(m, "mesh.obj", OBJ), GRAZE_ERROR_LIMIT);
    assert_message(m, "depth of 0");
}

/// A thread that reads one good and one bad file in turn; each time the answer must be its own.
static void *read_often(void *user) {
    int *wrong = user;
    mesh_case m = {.options = mesh_case_options(), .budget = {1000, 1 << 20}};
    for (int i = 0; i < 50; i++) {
        *wrong += run_text(&m, "mesh.obj", OBJ) != GRAZE_OK;
        *wrong += run_text(&m, "mesh.dae", "<COLLADA") != GRAZE_ERROR_PARSE;
        *wrong += strstr(m.error.message, "assimp cannot read the file: ") == NULL;
    }
    mesh_case_clear(&m);
    return NULL;
}

static void test_threads_wait_for_each_other(void **state) {
    (void)state;
    pthread_t threads[4];
    int wrong[4] = {0};
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, read_often, &wrong[i]), 0);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(wrong[i], 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MESH_TEST(test_assimp_opens_nothing_but_what_it_is_given),
        MESH_TEST(test_the_io_knows_names_and_reads_only),
        MESH_TEST(test_the_root_is_replaced_and_turned),
        MESH_TEST(test_no_two_faces_share_a_vertex),
        MESH_TEST(test_what_assimp_refuses_is_an_error_with_its_reason),
        MESH_TEST(test_limits_hold_for_what_assimp_returns),
        MESH_TEST(test_threads_wait_for_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
