#include <limits.h>
#include <math.h>

#include "unit/load/mesh_case.h"

/// A file under construction.
typedef struct file {
    unsigned char bytes[4096];
    size_t size;
    bool big;
} file;

static void put_text(file *f, const char *text) {
    memcpy(f->bytes + f->size, text, strlen(text));
    f->size += strlen(text);
}

static void put(file *f, uint64_t value, int size) {
    for (int i = 0; i < size; i++)
        f->bytes[f->size++] = (unsigned char)(value >> 8 * (f->big ? size - 1 - i : i));
}

static void put_float(file *f, float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    put(f, bits, 4);
}

static void put_double(file *f, double value) {
    uint64_t bits;
    memcpy(&bits, &value, 8);
    put(f, bits, 8);
}

static const double expected[] = {0, 0, 0, 1.5, 0,  0,    1,  -2, 0.25, //
                                  0, 0, 0, 1,   -2, 0.25, -1, 2,  3};

static void test_ascii_with_everything_around_it(void **state) {
    mesh_case *m = *state;
    const char *text = "ply\r\nformat ascii 1.0\r\ncomment made by\nobj_info a test\n\n"
                       "element camera 1\nproperty float f\nproperty list uchar float k\n"
                       "element vertex 4\nproperty uchar red\nproperty double x\nproperty float y\n"
                       "property list int int seen\nproperty float32 z\n"
                       "element face 2\nproperty uint8 flags\n"
                       "property list uchar int vertex_index\nproperty list uchar float texcoord\n"
                       "element edge 1\nproperty int vertex1\nproperty int vertex2\n"
                       "end_header\n"
                       "1.5 2 7 8\n"
                       "255 0 0 0 0\n255 1.5 0 3 7 8 9 0\n255 1 -2 0 0.25\n255 -1 2 1 4 3\n"
                       "1 3 0 1 2 6 0 0 1 0 1 1\n0 3 0 2 3 0\n"
                       "0 1\n\n";
    assert_int_equal(mesh_case_text(m, "a.ply", text), GRAZE_OK);
    assert_triangles(m, expected, 2, 0);
    assert_int_equal(m->warnings.count, 0);
}

/// The same mesh in binary, with the types given for coordinates, list counts and indices.
static file binary(bool big, bool doubles, int count_size, int index_size, const char *index_type) {
    file f = {.big = big};
    char text[512];
    static const char *const count_types[] = {"", "uchar", "ushort", "", "int"};
    snprintf(text, sizeof text,
             "ply\nformat binary_%s_endian 1.0\nelement vertex 4\nproperty %s x\n"
             "property short pad\nproperty %s y\nproperty %s z\nelement extra 2\n"
             "property list uchar double junk\nproperty char c\nelement face 2\n"
             "property list %s %s vertex_indices\nend_header\n",
             big ? "big" : "little", doubles ? "double" : "float", doubles ? "float64" : "float32",
             doubles ? "double" : "float", count_types[count_size], index_type);
    put_text(&f, text);
    static const double vertices[4][3] = {{0, 0, 0}, {1.5, 0, 0}, {1, -2, 0.25}, {-1, 2, 3}};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            if (doubles)
                put_double(&f, vertices[i][k]);
            else
                put_float(&f, (float)vertices[i][k]);
            if (k == 0) put(&f, 0x0a0d, 2);
        }
    for (uint64_t i = 0; i < 2; i++) {
        put(&f, i, 1);
        if (i) put_double(&f, NAN);
        put(&f, 99, 1);
    }
    static const uint64_t faces[2][3] = {{0, 1, 2}, {0, 2, 3}};
    for (int i = 0; i < 2; i++) {
        put(&f, 3, count_size);
        for (int k = 0; k < 3; k++) put(&f, faces[i][k], index_size);
    }
    return f;
}

static void test_binary_of_either_order_and_any_type(void **state) {
    mesh_case *m = *state;
    static const struct {
        int size;
        const char *type;
    } types[] = {{1, "uchar"}, {1, "int8"}, {2, "ushort"}, {2, "short"}, {4, "int"}, {4, "uint32"}};
    for (int big = 0; big < 2; big++)
        for (int doubles = 0; doubles < 2; doubles++)
            for (int count = 1; count <= 4; count *= 2)
                for (size_t t = 0; t < 6; t++) {
                    file f = binary(big, doubles, count, types[t].size, types[t].type);
                    mesh_case_write(m, "a.ply", f.bytes, f.size);
                    assert_int_equal(mesh_case_read(m, "a.ply", NULL), GRAZE_OK);
                    assert_triangles(m, expected, 2, 0);
                }
}

static void test_binary_cut_anywhere_or_too_long_is_an_error(void **state) {
    mesh_case *m = *state;
    file f = binary(false, false, 1, 4, "int");
    for (size_t size = 4; size < f.size; size++) {
        mesh_case_write(m, "a.ply", f.bytes, size);
        graze_status status = mesh_case_read(m, "a.ply", NULL);
        if (status != GRAZE_ERROR_MESH && status != GRAZE_ERROR_PARSE)
            fail_msg("%zu of %zu bytes: status %d", size, f.size, (int)status);
        assert_null(m->soup);
    }
    put_text(&f, "x");
    mesh_case_write(m, "a.ply", f.bytes, f.size);
    assert_int_equal(mesh_case_read(m, "a.ply", NULL), GRAZE_ERROR_MESH);
    assert_message(m, "1 bytes behind the last element");
}

static void test_polygons_are_cut_and_short_faces_counted(void **state) {
    mesh_case *m = *state;
    const char *text = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\n"
                       "property float y\nproperty float z\nelement face 4\n"
                       "property list uchar int vertex_indices\nend_header\n"
                       "0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n2 0 1\n0\n1 3\n";
    static const double corners[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0};
    assert_int_equal(mesh_case_text(m, "a.ply", text), GRAZE_OK);
    assert_triangles(m, corners, 2, 0);
    assert_int_equal(m->soup->skipped, 3);
    assert_true(has_warning(m, "mesh-face-without-area"));
}

/// Triangles in a row are read many at a time; what is between them and what is wrong is found all
/// the same, and named by its row.
static void test_binary_faces_of_any_size_follow_each_other(void **state) {
    mesh_case *m = *state;
    static const double corners[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0,
                                     0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0};
    static const uint64_t faces[4][5] = {{3, 0, 1, 2}, {4, 0, 1, 2, 3}, {2, 0, 1}, {3, 2, 3, 0}};
    for (int big = 0; big < 2; big++)
        for (uint64_t bad = 0; bad < 3; bad++) {
            file f = {.big = big};
            put_text(&f, big ? "ply\nformat binary_big_endian 1.0\n"
                             : "ply\nformat binary_little_endian 1.0\n");
            put_text(&f, "element vertex 4\nproperty float x\nproperty float y\n"
                         "property float z\nelement face 4\n"
                         "property list uchar int vertex_indices\nend_header\n");
            for (int i = 0; i < 4; i++) {
                put_float(&f, i == 1 || i == 2 ? 1 : 0);
                put_float(&f, i > 1 ? 1 : 0);
                put_float(&f, 0);
            }
            for (int i = 0; i < 4; i++) {
                put(&f, faces[i][0], 1);
                for (uint64_t k = 1; k <= faces[i][0]; k++)
                    put(&f, i == 3 && k == 2 && bad ? (bad == 1 ? 4 : UINT32_MAX) : faces[i][k], 4);
            }
            mesh_case_write(m, "a.ply", f.bytes, f.size);
            if (bad) {
                assert_int_equal(mesh_case_read(m, "a.ply", NULL), GRAZE_ERROR_MESH);
                assert_message(m, bad == 1 ? "vertex index 4 in face 4; allowed: 0 to 3"
                                           : "vertex index -1 in face 4; allowed: 0 to 3");
                continue;
            }
            assert_int_equal(mesh_case_read(m, "a.ply", NULL), GRAZE_OK);
            assert_triangles(m, corners, 4, 0);
            assert_int_equal(m->soup->skipped, 1);
        }
}

#define XYZ        "property float x\nproperty float y\nproperty float z\n"
#define HEAD       "ply\nformat ascii 1.0\n"
#define LIST       "property list uchar int vertex_indices\n"
#define BODY(face) "end_header\n0 0 0\n1 0 0\n0 1 0\n" face "\n"

static void test_errors_name_row_and_line(void **state) {
    mesh_case *m = *state;
    static const struct {
        const char *text;
        graze_status status;
        int32_t line;
        const char *message;
    } cases[] = {
        {HEAD "element vertex 3\n" XYZ "element face 1\n" LIST BODY("3 0 1 3"), GRAZE_ERROR_MESH,
         13, "vertex index 3 in face 1; allowed: 0 to 2"},
        {HEAD "element vertex 3\n" XYZ "element face 1\n" LIST BODY("3 0 1 -1"), GRAZE_ERROR_MESH,
         13, "vertex index -1"},
        {HEAD "element vertex 3\n" XYZ "element face 1\n" LIST BODY("3 0 1 1.5"), GRAZE_ERROR_MESH,
         13, "vertex index 1.5"},
        {HEAD "element vertex 3\n" XYZ "element face 1\n" LIST BODY("3 0 1 nan"), GRAZE_ERROR_MESH,
         13, "vertex index"},
        {HEAD "element vertex 3\n" XYZ "element face 1\n" LIST BODY("3 0 1"), GRAZE_ERROR_MESH, 14,
         "the file ends in face 1"},
        {HEAD "element vertex 3\n" XYZ "element face 1\n" LIST BODY("3 0 1 2 7"), GRAZE_ERROR_MESH,
         13, "behind the last element"},
        {HEAD "element vertex 3\n" XYZ "element face 1\n" LIST BODY("3 0 1 x"), GRAZE_ERROR_PARSE,
         13, "'x' in face 1"},
        {HEAD "element vertex 3\n" XYZ "element face 1\n" LIST BODY("200 0 1 2"), GRAZE_ERROR_MESH,
         13, "a list of 200 entries"},
        {HEAD "element vertex 3\n" XYZ "element face 1\n" LIST BODY("-3 0 1 2"), GRAZE_ERROR_MESH,
         13, "a list of -3 entries"},
        {HEAD "element vertex 4000000000\n" XYZ "element face 1\n" LIST BODY("3 0 1 2"),
         GRAZE_ERROR_MESH, 10, "4000000000 rows of element vertex"},
        {HEAD "element vertex 3\n" XYZ "element face 999999999999999999\n" LIST BODY("3 0 1 2"),
         GRAZE_ERROR_MESH, 12, "rows of element face"},
        {HEAD "element vertex -3\n" XYZ "element face 1\n" LIST BODY("3 0 1 2"), GRAZE_ERROR_PARSE,
         3, "'-3'"},
        {HEAD "element vertex 3\n" XYZ "element face 0\n" LIST BODY(""), GRAZE_ERROR_MESH, 9,
         "no faces (3 points)"},
        {HEAD "element vertex 3\n" XYZ BODY(""), GRAZE_ERROR_MESH, 7, "no faces"},
        {HEAD "element vertex 3\nproperty float x\nproperty float y\nelement face 1\n" LIST BODY(
             "3 0 1 2"),
         GRAZE_ERROR_PARSE, 8, "x, y and z"},
        {HEAD "element vertex 3\n" XYZ "property float x\nelement face 1\n" LIST BODY("3 0 1 2"),
         GRAZE_ERROR_PARSE, 7, "a second property 'x'"},
        {HEAD "element vertex 3\n" XYZ "element face 1\nproperty int a\n" BODY("3"),
         GRAZE_ERROR_PARSE, 9, "without a list vertex_indices"},
        {HEAD "element face 1\n" LIST "element vertex 3\n" XYZ BODY(""), GRAZE_ERROR_UNSUPPORTED, 9,
         "faces before vertices"},
        {HEAD "element vertex 3\n" XYZ "element vertex 3\n" BODY(""), GRAZE_ERROR_PARSE, 7,
         "a second element"},
        {HEAD "element vertex 3\n" XYZ "element tristrips 1\n" BODY(""), GRAZE_ERROR_UNSUPPORTED, 7,
         "triangle strips"},
        {HEAD "element vertex 3\n" XYZ "element face 1\nproperty list float int vertex_indices\n",
         GRAZE_ERROR_PARSE, 8, "type of a list's count 'float'"},
        {HEAD "element vertex 3\n" XYZ "element face 1\nproperty list uchar float vertex_indices\n",
         GRAZE_ERROR_PARSE, 8, "type of vertex indices"},
        {HEAD "property float x\n", GRAZE_ERROR_PARSE, 3, "an element first"},
        {HEAD "element vertex 3\nproperty quad x\n", GRAZE_ERROR_PARSE, 4, "type 'quad'"},
        {HEAD "element vertex 3\nproperty float\n", GRAZE_ERROR_PARSE, 4, "a name"},
        {HEAD "element vertex 3\nend_header\n", GRAZE_ERROR_PARSE, 4, "no property"},
        {HEAD "rubbish\n", GRAZE_ERROR_PARSE, 3, "'rubbish'"},
        {HEAD "element vertex 3\n" XYZ, GRAZE_ERROR_MESH, 7, "ends in the header"},
        {"ply\nformat ascii 2.0\n", GRAZE_ERROR_PARSE, 2, "version '2.0'"},
        {"ply\nformat text 1.0\n", GRAZE_ERROR_PARSE, 2, "format 'text'"},
        {"ply\nelement vertex 3\n" XYZ "element face 1\n" LIST BODY("3 0 1 2"), GRAZE_ERROR_PARSE,
         8, "no format line"},
        {HEAD "element vertex 3\n" XYZ "element face 1\n" LIST
              "end_header\n0 0 0\n1 inf 0\n0 1 0\n3 0 1 2\n",
         GRAZE_ERROR_RANGE, 11, "vertex 2 of 3: y is infinite"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        graze_status status = mesh_case_text(m, "a.ply", cases[i].text);
        if (status != cases[i].status || m->error.line != cases[i].line)
            fail_msg("case %zu: status %d line %d: %s", i, (int)status, (int)m->error.line,
                     m->error.message);
        assert_message(m, cases[i].message);
        assert_null(m->soup);
    }
}

static void test_headers_without_end_hit_a_limit(void **state) {
    mesh_case *m = *state;
    file f = {.size = 0};
    put_text(&f, HEAD);
    for (int i = 0; i < 33; i++) put_text(&f, "element a 1\nproperty int b\n");
    f.bytes[f.size] = '\0';
    assert_int_equal(mesh_case_text(m, "a.ply", (const char *)f.bytes), GRAZE_ERROR_LIMIT);
    assert_message(m, "too many elements");
    f.size = 0;
    put_text(&f, HEAD "element a 1\n");
    for (int i = 0; i < 129; i++) put_text(&f, "property int b\n");
    f.bytes[f.size] = '\0';
    assert_int_equal(mesh_case_text(m, "a.ply", (const char *)f.bytes), GRAZE_ERROR_LIMIT);
    assert_message(m, "too many properties");
}

static void test_faces_of_another_name_are_not_lost(void **state) {
    mesh_case *m = *state;
#define FACES(name, count)                                                                         \
    HEAD "element vertex 4\n" XYZ "element face 1\n" LIST "element " name " " count "\n" LIST      \
         "end_header\n0 0 0\n4 0 0\n1 1 0\n0 4 0\n3 0 1 2\n"
    assert_int_equal(mesh_case_text(m, "a.ply", FACES("triangle", "1") "3 0 2 3\n"),
                     GRAZE_ERROR_UNSUPPORTED);
    assert_message(m, "element triangle has vertex_ind");
    assert_int_equal(m->error.line, 10);
    assert_int_equal(mesh_case_text(m, "a.ply", FACES("triangle", "0")), GRAZE_OK);
    assert_int_equal(m->soup->triangle_count, 1);
}

static void test_lack_of_memory_is_said(void **state) {
    mesh_case *m = *state;
    file f = binary(true, true, 1, 4, "int");
    mesh_case_write(m, "a.ply", f.bytes, f.size);
    assert_survives_faults(m, "a.ply");
    const char *text = HEAD "element vertex 4\n" XYZ "element face 2\n" LIST
                            "end_header\n0 0 0\n4 0 0\n1 1 0\n0 4 0\n4 0 1 2 3\n2 0 1\n";
    mesh_case_write(m, "b.ply", text, strlen(text));
    assert_survives_faults(m, "b.ply");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MESH_TEST(test_ascii_with_everything_around_it),
        MESH_TEST(test_binary_of_either_order_and_any_type),
        MESH_TEST(test_binary_cut_anywhere_or_too_long_is_an_error),
        MESH_TEST(test_polygons_are_cut_and_short_faces_counted),
        MESH_TEST(test_binary_faces_of_any_size_follow_each_other),
        MESH_TEST(test_errors_name_row_and_line),
        MESH_TEST(test_headers_without_end_hit_a_limit),
        MESH_TEST(test_faces_of_another_name_are_not_lost),
        MESH_TEST(test_lack_of_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
