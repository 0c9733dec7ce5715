#include <math.h>

#include "unit/load/mesh_case.h"

#define STL_TEXT                                                                                   \
    "solid\nfacet normal 0 0 1\nouter loop\nvertex 1 2 3\nvertex 4 5 6\nvertex 7 8 10\nendloop\n"  \
    "endfacet\nendsolid\n"
#define OBJ_TEXT "v 1 2 3\nv 4 5 6\nv 7 8 10\nf 1 2 3\n"
#define PLY_TEXT                                                                                   \
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"                \
    "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"       \
    "1 2 3\n4 5 6\n7 8 10\n3 0 1 2\n"
#define DAE_TEXT                                                                                   \
    "<?xml version=\"1.0\"?>\n<!-- a comment --><COLLADA version=\"1.4.1\">"                       \
    "<asset><up_axis>Z_UP</up_axis></asset><library_geometries><geometry id=\"g\"><mesh>"          \
    "<source id=\"p\"><float_array id=\"a\" count=\"9\">1 2 3 4 5 6 7 8 10</float_array>"          \
    "<technique_common><accessor source=\"#a\" count=\"3\" stride=\"3\"><param name=\"X\" "        \
    "type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/>"         \
    "</accessor></technique_common></source><vertices id=\"v\"><input semantic=\"POSITION\" "      \
    "source=\"#p\"/></vertices><triangles count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" "   \
    "offset=\"0\"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>"                \
    "<library_visual_scenes><visual_scene id=\"s\"><node id=\"n\"><instance_geometry url=\"#g\"/>" \
    "</node></visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/>"     \
    "</scene></COLLADA>\n"
#define GLTF_TEXT                                                                                  \
    "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"      \
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"accessors\":[{"           \
    "\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],\"bufferViews\":[{"   \
    "\"buffer\":0,\"byteLength\":36}],\"buffers\":[{\"byteLength\":36,\"uri\":\"data:application/" \
    "octet-stream;base64,AACAPwAAAEAAAEBAAACAQAAAoEAAAMBAAADgQAAAAEEAACBB\"}]}"

static const double triangle[9] = {1, 2, 3, 4, 5, 6, 7, 8, 10};

static const struct {
    const char *ending, *text;
} formats[] = {
    {"stl", STL_TEXT}, {"obj", OBJ_TEXT}, {"ply", PLY_TEXT}, {"dae", DAE_TEXT}, {"gltf", GLTF_TEXT},
};
enum { FORMATS = sizeof formats / sizeof *formats };

static void test_every_format_gives_the_same_triangle(void **state) {
    mesh_case *m = *state;
    for (size_t i = 0; i < FORMATS; i++) {
        char name[32];
        snprintf(name, sizeof name, "mesh.%s", formats[i].ending);
        assert_int_equal(mesh_case_text(m, name, formats[i].text), GRAZE_OK);
        assert_triangles(m, triangle, 1, 0);
        assert_int_equal(m->warnings.count, 0);
        assert_int_equal(m->error.status, GRAZE_OK);
        snprintf(name, sizeof name, "MESH.%c%c%c%s", formats[i].ending[0] - 32,
                 formats[i].ending[1] - 32, formats[i].ending[2] - 32, formats[i].ending + 3);
        assert_int_equal(mesh_case_text(m, name, formats[i].text), GRAZE_OK);
        assert_int_equal(m->warnings.count, 0);
    }
}

static void test_content_beats_the_ending_with_a_warning(void **state) {
    mesh_case *m = *state;
    for (size_t i = 0; i < FORMATS; i++)
        for (size_t k = 0; k < FORMATS; k++) {
            if (i == k || strcmp(formats[i].ending, "obj") == 0) continue; // OBJ has no mark
            char name[32];
            snprintf(name, sizeof name, "mesh.%s", formats[k].ending);
            assert_int_equal(mesh_case_text(m, name, formats[i].text), GRAZE_OK);
            assert_triangles(m, triangle, 1, 0);
            assert_int_equal(m->warnings.count, 1);
            assert_string_equal(m->warnings.items[0].code, "mesh-ending");
        }
    assert_int_equal(mesh_case_text(m, "no_ending", STL_TEXT), GRAZE_OK);
    assert_int_equal(mesh_case_text(m, "a.unknown", PLY_TEXT), GRAZE_OK);
    assert_int_equal(mesh_case_text(m, "marked.dae", "\xef\xbb\xbf" DAE_TEXT), GRAZE_OK);
}

static void test_content_that_is_none_is_an_error(void **state) {
    mesh_case *m = *state;
    assert_int_equal(mesh_case_text(m, "a.unknown", OBJ_TEXT), GRAZE_ERROR_UNSUPPORTED);
    assert_message(m, "STL (.stl), Collada (.dae)");
    assert_int_equal(mesh_case_text(m, "mesh", OBJ_TEXT), GRAZE_ERROR_UNSUPPORTED);
    assert_int_equal(mesh_case_text(m, "a.fbx", "Kaydara FBX Binary"), GRAZE_ERROR_UNSUPPORTED);
    assert_int_equal(mesh_case_text(m, "a.stl", OBJ_TEXT), GRAZE_ERROR_MESH);
    assert_int_equal(mesh_case_text(m, "a.dae", OBJ_TEXT), GRAZE_ERROR_PARSE);
    assert_int_equal(mesh_case_text(m, "a.ply", OBJ_TEXT), GRAZE_ERROR_PARSE);
    assert_int_equal(mesh_case_text(m, "a.glb", OBJ_TEXT), GRAZE_ERROR_PARSE);
    assert_int_equal(mesh_case_text(m, "a.gltf", OBJ_TEXT), GRAZE_ERROR_PARSE);
    for (size_t i = 0; i < FORMATS; i++) {
        char name[32];
        snprintf(name, sizeof name, "empty.%s", formats[i].ending);
        assert_int_equal(mesh_case_text(m, name, ""), GRAZE_ERROR_MESH);
        assert_message(m, "the file is empty");
        assert_string_equal(m->error.file, mesh_case_path(m, name));
    }
}

static void test_files_that_cannot_be_read(void **state) {
    mesh_case *m = *state;
    assert_int_equal(mesh_case_read(m, "absent.stl", NULL), GRAZE_ERROR_NOT_FOUND);
    assert_null(m->soup);
    assert_int_equal(mesh_case_read(m, ".", NULL), GRAZE_ERROR_IO);
    mesh_case_write(m, "a.obj", OBJ_TEXT, strlen(OBJ_TEXT));
    m->options.limits.file_bytes = strlen(OBJ_TEXT);
    assert_int_equal(mesh_case_read(m, "a.obj", NULL), GRAZE_OK);
    m->options.limits.file_bytes--;
    assert_int_equal(mesh_case_read(m, "a.obj", NULL), GRAZE_ERROR_LIMIT);
}

static void test_scale_multiplies_and_mirrors(void **state) {
    mesh_case *m = *state;
    static const double stretch[3] = {2, 3, 0.5}, one[3] = {-1, 2, 3}, two[3] = {-1, -1, 1},
                        three[3] = {-1, -1, -1};
    static const double stretched[9] = {2, 6, 1.5, 8, 15, 3, 14, 24, 5};
    // A mirror turns the winding: second and third corner change places.
    static const double mirrored[9] = {-1, 4, 9, -7, 16, 30, -4, 10, 18};
    static const double turned[9] = {-1, -2, 3, -4, -5, 6, -7, -8, 10};
    static const double inverted[9] = {-1, -2, -3, -7, -8, -10, -4, -5, -6};
    for (size_t i = 0; i < FORMATS; i++) {
        char name[32];
        snprintf(name, sizeof name, "mesh.%s", formats[i].ending);
        mesh_case_write(m, name, formats[i].text, strlen(formats[i].text));
        assert_int_equal(mesh_case_read(m, name, stretch), GRAZE_OK);
        assert_triangles(m, stretched, 1, 0);
        assert_int_equal(mesh_case_read(m, name, one), GRAZE_OK);
        assert_triangles(m, mirrored, 1, 0);
        assert_int_equal(mesh_case_read(m, name, two), GRAZE_OK);
        assert_triangles(m, turned, 1, 0);
        assert_int_equal(mesh_case_read(m, name, three), GRAZE_OK);
        assert_triangles(m, inverted, 1, 0);
    }
}

static void test_scales_that_are_none(void **state) {
    mesh_case *m = *state;
    mesh_case_write(m, "a.obj", OBJ_TEXT, strlen(OBJ_TEXT));
    static const double bad[][3] = {{0, 1, 1}, {1, NAN, 1}, {1, 1, INFINITY}, {1, -0.0, 1}};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(mesh_case_read(m, "a.obj", bad[i]), GRAZE_ERROR_RANGE);
        assert_message(m, "mesh scale");
    }
}

/// What no triangle uses would widen the bounds of the mesh, and epsilon with them.
static void test_vertices_that_no_triangle_uses_are_dropped(void **state) {
    mesh_case *m = *state;
    static const double corners[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 4, 5, 6, 1, 2, 3, 7, 8, 11};
    static const double kept[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 7, 8, 11};
    assert_int_equal(mesh_case_text(m, "a.obj",
                                    "v 900 900 900\nv 1 2 3\nv 4 5 6\nv -900 0 0\nv 7 8 10\n"
                                    "v 7 8 11\nv 0 0 0\nf 2 3 5\nf 3 2 6\n"),
                     GRAZE_OK);
    assert_triangles(m, corners, 2, 0);
    assert_int_equal(m->soup->vertex_count, 4);
    assert_memory_equal(m->soup->vertices, kept, sizeof kept);
    assert_int_equal(m->warnings.count, 0);
}

static void test_the_budget_is_taken_and_kept(void **state) {
    mesh_case *m = *state;
    for (size_t i = 0; i < FORMATS; i++) {
        char name[32];
        snprintf(name, sizeof name, "mesh.%s", formats[i].ending);
        mesh_case_write(m, name, formats[i].text, strlen(formats[i].text));
        m->budget = (gz_mesh_budget){.triangles_left = 2};
        assert_int_equal(mesh_case_read(m, name, NULL), GRAZE_OK);
        assert_int_equal(m->budget.triangles_left, 1);
        assert_int_equal(mesh_case_read(m, name, NULL), GRAZE_OK);
        assert_int_equal(m->budget.triangles_left, 0);
        gz_mesh_budget before = m->budget;
        assert_int_equal(mesh_case_read(m, name, NULL), GRAZE_ERROR_LIMIT);
        assert_message(m, "triangles of 64000000 for one load");
        assert_memory_equal(&before, &m->budget, sizeof before);
        m->budget = (gz_mesh_budget){.triangles_left = 2};
        const uint64_t memory = m->options.limits.memory_bytes;
        m->options.limits.memory_bytes = 40;
        assert_int_equal(mesh_case_read(m, name, NULL), GRAZE_ERROR_LIMIT);
        assert_message(m, "memory_bytes");
        m->options.limits.memory_bytes = memory;
    }
}

static void test_lack_of_memory_for_a_warning_fails_the_read(void **state) {
    mesh_case *m = *state;
    mesh_case_write(m, "a.obj", STL_TEXT, strlen(STL_TEXT));
    assert_survives_faults(m, "a.obj");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MESH_TEST(test_every_format_gives_the_same_triangle),
        MESH_TEST(test_content_beats_the_ending_with_a_warning),
        MESH_TEST(test_content_that_is_none_is_an_error),
        MESH_TEST(test_files_that_cannot_be_read),
        MESH_TEST(test_scale_multiplies_and_mirrors),
        MESH_TEST(test_scales_that_are_none),
        MESH_TEST(test_vertices_that_no_triangle_uses_are_dropped),
        MESH_TEST(test_the_budget_is_taken_and_kept),
        MESH_TEST(test_lack_of_memory_for_a_warning_fails_the_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
