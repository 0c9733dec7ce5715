#include <limits.h>
#include <math.h>

#include "unit/load/mesh_case.h"

/// A binary STL in memory, written byte by byte.
typedef struct stl {
    unsigned char bytes[84 + 50 * 8];
    size_t size;
} stl;

static void put_u32(stl *s, uint32_t value) {
    for (int i = 0; i < 4; i++) s->bytes[s->size++] = (unsigned char)(value >> 8 * i);
}

static void put_float(stl *s, float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    put_u32(s, bits);
}

static stl begin(const char *header, uint32_t count) {
    stl s = {.size = 80};
    memcpy(s.bytes, header, strlen(header));
    put_u32(&s, count);
    return s;
}

static void put_facet(stl *s, const float corners[9]) {
    for (int i = 0; i < 3; i++) put_float(s, NAN); // normals are not read
    for (int i = 0; i < 9; i++) put_float(s, corners[i]);
    s->bytes[s->size++] = 0x34; // the attribute
    s->bytes[s->size++] = 0x12;
}

static const float first[9] = {0, 0, 0, 1, 0, 0, 0, 2, 0};
static const float second[9] = {0.5f, -0.25f, 3, 1, 1, 1, -7, 8, 9};
static const double both[18] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0.5, -0.25, 3, 1, 1, 1, -7, 8, 9};

static void test_binary_gives_its_corners_in_order(void **state) {
    mesh_case *m = *state;
    stl s = begin("made by a test", 2);
    put_facet(&s, first);
    put_facet(&s, second);
    mesh_case_write(m, "a.stl", s.bytes, s.size);
    assert_int_equal(mesh_case_read(m, "a.stl", NULL), GRAZE_OK);
    assert_triangles(m, both, 2, 0);
    assert_int_equal(m->warnings.count, 0);
    mesh_case_write(m, "UPPER.STL", s.bytes, s.size);
    assert_int_equal(mesh_case_read(m, "UPPER.STL", NULL), GRAZE_OK);
    assert_int_equal(m->warnings.count, 0);
}

static void test_binary_with_a_solid_header_is_binary(void **state) {
    mesh_case *m = *state;
    stl s = begin("solid exported\nfacet normal", 2);
    put_facet(&s, first);
    put_facet(&s, second);
    mesh_case_write(m, "a.stl", s.bytes, s.size);
    assert_int_equal(mesh_case_read(m, "a.stl", NULL), GRAZE_OK);
    assert_triangles(m, both, 2, 0);
}

static void test_binary_of_the_wrong_size_is_an_error(void **state) {
    mesh_case *m = *state;
    for (int solid = 0; solid < 2; solid++) {
        stl s = begin(solid ? "solid x" : "x", 2);
        put_facet(&s, first);
        put_facet(&s, second);
        static const long off[] = {-1, 1, 2, -50, 50, -51};
        for (size_t i = 0; i < 6; i++) {
            stl t = s;
            t.size = (size_t)((long)s.size + off[i]);
            mesh_case_write(m, "a.stl", t.bytes, t.size);
            assert_int_equal(mesh_case_read(m, "a.stl", NULL), GRAZE_ERROR_MESH);
            assert_message(m, "184 bytes");
            assert_null(m->soup);
        }
    }
    mesh_case_write(m, "a.stl", "x", 1);
    assert_int_equal(mesh_case_read(m, "a.stl", NULL), GRAZE_ERROR_MESH);
    assert_message(m, "at least 84");
}

static void test_huge_counts_allocate_nothing(void **state) {
    mesh_case *m = *state;
    stl s = begin("x", UINT32_MAX);
    put_facet(&s, first);
    mesh_case_write(m, "a.stl", s.bytes, s.size);
    assert_int_equal(mesh_case_read(m, "a.stl", NULL), GRAZE_ERROR_MESH);
}

static void test_no_triangles_is_an_error(void **state) {
    mesh_case *m = *state;
    stl s = begin("x", 0);
    mesh_case_write(m, "a.stl", s.bytes, s.size);
    assert_int_equal(mesh_case_read(m, "a.stl", NULL), GRAZE_ERROR_MESH);
    assert_message(m, "no triangle");
    assert_int_equal(mesh_case_text(m, "b.stl", "solid empty\nendsolid empty\n"), GRAZE_ERROR_MESH);
    assert_message(m, "no triangle");
}

static void test_bad_coordinates_name_the_facet(void **state) {
    mesh_case *m = *state;
    static const float bad[] = {NAN, -NAN, INFINITY, -INFINITY, 1.05e6f, -3e38f};
    static const char *const why[] = {"not a number", "not a number", "infinite",
                                      "infinite",     "1.05e+06",     "-3e+38"};
    for (size_t i = 0; i < 6; i++) {
        float corners[9];
        memcpy(corners, first, sizeof corners);
        corners[(2 * i + 1) % 9] = bad[i];
        stl s = begin("x", 3);
        put_facet(&s, first);
        put_facet(&s, corners);
        put_facet(&s, second);
        mesh_case_write(m, "a.stl", s.bytes, s.size);
        assert_int_equal(mesh_case_read(m, "a.stl", NULL), GRAZE_ERROR_RANGE);
        assert_message(m, "facet 2 of 3");
        assert_message(m, why[i]);
        assert_null(m->soup);
    }
}

static void test_the_range_counts_after_the_scale(void **state) {
    mesh_case *m = *state;
    static const float far[9] = {2e6f, 0, 0, 1, 0, 0, 0, 1, 0};
    static const double millimetres[3] = {0.001, 0.001, 0.001}, edge[3] = {0x1p20, 1, 1},
                        beyond[3] = {0x1.000001p20, 1, 1};
    stl s = begin("x", 1);
    put_facet(&s, far);
    mesh_case_write(m, "a.stl", s.bytes, s.size);
    assert_int_equal(mesh_case_read(m, "a.stl", millimetres), GRAZE_OK);
    s = begin("x", 1);
    put_facet(&s, first);
    mesh_case_write(m, "b.stl", s.bytes, s.size);
    assert_int_equal(mesh_case_read(m, "b.stl", edge), GRAZE_OK);
    assert_int_equal(mesh_case_read(m, "b.stl", beyond), GRAZE_ERROR_RANGE);
}

#define FACET(a, b, c)                                                                             \
    "facet normal nan(ind) 0 1\n outer loop\n  vertex " a "\n  vertex " b "\n  vertex " c          \
    "\n endloop\nendfacet\n"

static void test_ascii_joins_its_solids(void **state) {
    mesh_case *m = *state;
    const char *text = "solid facet of a name\n" FACET(
        "0 0 0", "1 0 0",
        "0 2 0") "endsolid facet of a name\r\n\n  SOLID\n"
                 "FACET NORMAL 0 0 1 OUTER LOOP VERTEX .5 -2.5e-1 3. VERTEX 1 1 1\tVERTEX -7 8 +9 ENDLOOP "
                 "ENDFACET ENDSOLID\n\n";
    assert_int_equal(mesh_case_text(m, "a.stl", text), GRAZE_OK);
    assert_triangles(m, both, 2, 0);
}

static void test_ascii_errors_name_facet_and_line(void **state) {
    mesh_case *m = *state;
    static const struct {
        const char *text;
        graze_status status;
        int32_t line;
        const char *message;
    } cases[] = {
        {"solid a\n" FACET("0 0 0", "1 0 0", "0 1 0"), GRAZE_ERROR_MESH, 9, "facet or endsolid"},
        {"solid a\n" FACET("0 0 0", "1 0 0", "0 nan 0") "endsolid", GRAZE_ERROR_RANGE, 6,
         "facet 1: y is not a number"},
        {"solid a\n" FACET("0 0 0", "inf 0 0", "0 1 0") "endsolid", GRAZE_ERROR_RANGE, 5,
         "x is infinite"},
        {"solid a\n" FACET("0 0 0", "1e9 0 0", "0 1 0") "endsolid", GRAZE_ERROR_RANGE, 5,
         "x is 1e+09"},
        {"solid a\n" FACET("0,5 0 0", "1 0 0", "0 1 0") "endsolid", GRAZE_ERROR_PARSE, 4, "'0,5'"},
        {"solid a\n" FACET("0 0", "1 0 0", "0 1 0") "endsolid", GRAZE_ERROR_PARSE, 5, "'vertex'"},
        {"solid a\n" FACET("0 0 0", "1 0 0", "0 1 0\nvertex 1 1 1") "endsolid", GRAZE_ERROR_PARSE,
         7, "endloop"},
        {"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop",
         GRAZE_ERROR_PARSE, 6, "'endloop' in facet 1; allowed here: vertex"},
        {"solid a\n" FACET("0 0 0", "1 0 0", "0 1 0") "endsolid\nrubbish", GRAZE_ERROR_PARSE, 10,
         "'rubbish'"},
        {"solid a\nfacet normal 0 0 1\nouter", GRAZE_ERROR_MESH, 3, "the file ends in facet 1"},
        {"solid a\nrubbish", GRAZE_ERROR_PARSE, 2, "'rubbish'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(mesh_case_text(m, "a.stl", cases[i].text), cases[i].status);
        assert_message(m, cases[i].message);
        assert_int_equal(m->error.line, cases[i].line);
        assert_string_equal(m->error.file, mesh_case_path(m, "a.stl"));
        assert_null(m->soup);
    }
}

static void test_lack_of_memory_is_said(void **state) {
    mesh_case *m = *state;
    stl s = begin("x", 2);
    put_facet(&s, first);
    put_facet(&s, second);
    mesh_case_write(m, "a.stl", s.bytes, s.size);
    assert_survives_faults(m, "a.stl");
    const char *text = "solid\n" FACET("0 0 0", "1 0 0", "0 2 0") "endsolid";
    mesh_case_write(m, "b.stl", text, strlen(text));
    assert_survives_faults(m, "b.stl");
}

/// One facet, and no second one.
#define ON_A_LINE                                                                                  \
    "facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 2 0 endloop endfacet"

static void test_no_facet_hides_in_the_line_of_a_name(void **state) {
    mesh_case *m = *state;
    static const struct {
        const char *text;
        int32_t line;
        const char *message;
    } cases[] = {
        {"solid a " ON_A_LINE "\n" ON_A_LINE "\nendsolid a\n", 1, "'vertex'"},
        {"solid a\n" ON_A_LINE "\nendsolid a solid b " ON_A_LINE " endsolid b\n", 3, "'vertex'"},
        {"solid a facet normal 0 0 1 endfacet\n" ON_A_LINE "\nendsolid\n", 1, "'endfacet'"},
        {"solid a\n" ON_A_LINE "\nendsolid a\rsolid b\r" ON_A_LINE "\rendsolid b\r", 3,
         "carriage return"},
        {"solid a\r" ON_A_LINE "\rendsolid a\r", 1, "carriage return"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(mesh_case_text(m, "a.stl", cases[i].text), GRAZE_ERROR_PARSE);
        assert_message(m, cases[i].message);
        assert_int_equal(m->error.line, cases[i].line);
        assert_null(m->soup);
    }
    // A line end that was converted twice is still one.
    assert_int_equal(mesh_case_text(m, "a.stl", "solid a\r\r\n" ON_A_LINE "\r\r\nendsolid a\r\r\n"),
                     GRAZE_OK);
    assert_int_equal(m->soup->triangle_count, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MESH_TEST(test_binary_gives_its_corners_in_order),
        MESH_TEST(test_binary_with_a_solid_header_is_binary),
        MESH_TEST(test_binary_of_the_wrong_size_is_an_error),
        MESH_TEST(test_huge_counts_allocate_nothing),
        MESH_TEST(test_no_triangles_is_an_error),
        MESH_TEST(test_bad_coordinates_name_the_facet),
        MESH_TEST(test_the_range_counts_after_the_scale),
        MESH_TEST(test_ascii_joins_its_solids),
        MESH_TEST(test_ascii_errors_name_facet_and_line),
        MESH_TEST(test_lack_of_memory_is_said),
        MESH_TEST(test_no_facet_hides_in_the_line_of_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
