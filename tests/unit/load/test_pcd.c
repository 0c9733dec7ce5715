// Clouds of the Point Cloud Library: text, rows and compressed fields give the same points.

#include <math.h>

#include "mesh_case.h"

/// A file being written.
typedef struct bytes {
    unsigned char data[8192];
    size_t size;
} bytes;

static void put(bytes *b, const void *data, size_t size) {
    assert_true(b->size + size <= sizeof b->data);
    memcpy(b->data + b->size, data, size);
    b->size += size;
}

static void put_text(bytes *b, const char *text) {
    put(b, text, strlen(text));
}

static void put_u32(bytes *b, uint32_t x) {
    for (int i = 0; i < 4; i++) put(b, &(unsigned char){(unsigned char)(x >> 8 * i)}, 1);
}

static void put_float(bytes *b, float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    put_u32(b, bits);
}

static graze_status read_cloud(mesh_case *m, const bytes *b, double **points, size_t *count) {
    mesh_case_clear(m);
    mesh_case_write(m, "cloud.pcd", b->data, b->size);
    return gz_points_file_read(points, count, mesh_case_path(m, "cloud.pcd"), NULL, &m->options,
                               &m->budget, &m->warnings, &m->error);
}

static graze_status read_text(mesh_case *m, const char *text, double **points, size_t *count) {
    bytes b = {.size = 0};
    put_text(&b, text);
    return read_cloud(m, &b, points, count);
}

#define HEADER(points)                                                                             \
    "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\nFIELDS rgb x normal y z\n"           \
    "SIZE 4 4 2 4 4\nTYPE U F I F F\nCOUNT 1 1 3 1 1\nWIDTH 2\nHEIGHT 2\n"                         \
    "VIEWPOINT 0 0 0 1 0 0 0\nPOINTS " points "\nDATA "

static const float given[4][3] = {{1, 2, 3}, {-0.5F, 0.1F, 1e-3F}, {NAN, 1, 1}, {7, 8, -9}};

static void assert_given(const mesh_case *m, double *points, size_t count) {
    static const int kept[3] = {0, 1, 3};
    assert_int_equal(count, 3);
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++) assert_true(points[3 * i + k] == (double)given[kept[i]][k]);
    gz_free(points);
    assert_int_equal(m->warnings.count, 1);
    assert_string_equal(m->warnings.items[0].code, "points-not-numbers");
    assert_non_null(strstr(m->warnings.items[0].message, "1 of 4 points"));
}

static void test_text_gives_its_points(void **state) {
    mesh_case *m = *state;
    double *points;
    size_t count;
    // The numbers of a float: more digits than it needs.
    assert_int_equal(read_text(m,
                               HEADER("4") "ascii\n0 1 0 0 0 2 3\n1 -0.5 9 9 9 "
                                           "0.100000001490116119384765625 "
                                           "0.001000000047497451305389404296875\n"
                                           "2 nan 1 1 1 1 1\n3 7 0 0 0 8 -9\n",
                               &points, &count),
                     GRAZE_OK);
    assert_given(m, points, count);
}

static void put_rows(bytes *b) {
    put_text(b, HEADER("4") "binary\n");
    for (int i = 0; i < 4; i++) {
        put_u32(b, 0xdeadbeef);
        put_float(b, given[i][0]);
        put(b, "abcdef", 6);
        put_float(b, given[i][1]);
        put_float(b, given[i][2]);
    }
}

static void test_rows_give_their_points(void **state) {
    mesh_case *m = *state;
    bytes b = {.size = 0};
    put_rows(&b);
    double *points;
    size_t count;
    assert_int_equal(read_cloud(m, &b, &points, &count), GRAZE_OK);
    assert_given(m, points, count);
    b.size--;
    assert_int_equal(read_cloud(m, &b, &points, &count), GRAZE_ERROR_MESH);
    assert_message(m, "87 bytes behind the header; allowed: 88 for 4 points");
    b.size++;
    put(&b, "xyz", 3);
    assert_int_equal(read_cloud(m, &b, &points, &count), GRAZE_OK);
    gz_free(points);
    assert_true(has_warning(m, "pcd-bytes-behind"));
}

/// Fields one behind the other, packed into runs of bytes and copies: what is the same 24 times, in
/// the field normal, as a byte and a copy that runs into what it writes.
static void put_packed(bytes *b) {
    bytes packed = {.size = 0};
    const unsigned char rgb[] = {3, 1, 2, 3, 4, 0x20 | 0x80, 3, 0x20, 3};
    put(&packed, rgb, sizeof rgb); // 4 bytes, the last 4 once more and 3 of them again, then 3
    const unsigned char rest[] = {1, 1, 2};
    put(&packed, rest, sizeof rest); // 16 bytes of rgb
    for (int k = 0; k < 3; k++) {
        if (k == 1) {
            const unsigned char same[] = {0, 0x55, 0xe0, 14, 0}; // one byte, and 23 more of it
            put(&packed, same, sizeof same);
        }
        put(&packed, &(unsigned char){15}, 1);
        for (int i = 0; i < 4; i++) put_float(&packed, given[i][k]);
    }
    put_text(b, HEADER("4") "binary_compressed\n");
    put_u32(b, (uint32_t)packed.size);
    put_u32(b, 88);
    put(b, packed.data, packed.size);
}

static void test_packed_fields_give_their_points(void **state) {
    mesh_case *m = *state;
    bytes b = {.size = 0};
    put_packed(&b);
    double *points;
    size_t count;
    assert_int_equal(read_cloud(m, &b, &points, &count), GRAZE_OK);
    assert_given(m, points, count);
    // Whatever byte is lost or changed: an error, or points, and never more than there are.
    for (size_t size = 0; size < b.size; size++) {
        bytes cut = b;
        cut.size = size;
        assert_int_not_equal(read_cloud(m, &cut, &points, &count), GRAZE_OK);
        assert_null(points);
    }
    for (size_t at = 0; at < b.size; at++) {
        bytes other = b;
        for (int way = 0; way < 3; way++) {
            other.data[at] = (unsigned char)(way == 0 ? 0xff : way == 1 ? 0 : b.data[at] ^ 0x20);
            if (read_cloud(m, &other, &points, &count) == GRAZE_OK) assert_true(count <= 4);
            gz_free(points);
        }
    }
}

static void test_doubles_and_whole_numbers_are_read(void **state) {
    mesh_case *m = *state;
    bytes b = {.size = 0};
    put_text(&b, "FIELDS x y z\nSIZE 8 1 2\nTYPE F I U\nWIDTH 1\nHEIGHT 1\nDATA binary\n");
    put(&b, "\0\0\0\0\0\0\xf0\x3f", 8);
    put(&b, "\xfe", 1);
    put(&b, "\x01\x02", 2);
    double *points;
    size_t count;
    assert_int_equal(read_cloud(m, &b, &points, &count), GRAZE_OK);
    assert_int_equal(count, 1);
    assert_true(points[0] == 1 && points[1] == -2 && points[2] == 513);
    gz_free(points);
}

static void test_a_viewpoint_is_warned_of(void **state) {
    mesh_case *m = *state;
    double *points;
    size_t count;
    assert_int_equal(read_text(m,
                               "FIELDS x y z\nVIEWPOINT 1 0 0 1 0 0 0\nPOINTS 1\nDATA ascii\n"
                               "1 2 3\n",
                               &points, &count),
                     GRAZE_OK);
    assert_true(has_warning(m, "pcd-viewpoint"));
    assert_true(points[0] == 1);
    gz_free(points);
}

#define XYZ "FIELDS x y z\n"

static void test_what_is_no_cloud_is_refused(void **state) {
    mesh_case *m = *state;
    static const struct {
        const char *text;
        graze_status status;
        const char *message;
        int32_t line;
    } bad[] = {
        {XYZ "POINTS 2\nDATA ascii\n1 2 3\n", GRAZE_ERROR_MESH, "point 1 of 2 has 0 numbers", 5},
        {XYZ "POINTS 1\nDATA ascii\n1 2\n3\n", GRAZE_ERROR_MESH, "has 2 numbers; allowed: 3", 4},
        {XYZ "POINTS 1\nDATA ascii\n1 2 3 4\n", GRAZE_ERROR_MESH, "more than 3 numbers", 4},
        {XYZ "POINTS 1\nDATA ascii\n1 2 3\n4 5 6\n", GRAZE_ERROR_MESH, "more lines", 5},
        {XYZ "POINTS 1\nDATA ascii\n1 2 x\n", GRAZE_ERROR_PARSE, "'x'", 4},
        {XYZ "POINTS 1\nDATA ascii\n1 2 inf\n", GRAZE_ERROR_RANGE, "point 0", 4},
        {XYZ "POINTS 1\nDATA ascii\n1 2 1e9\n", GRAZE_ERROR_RANGE, "point 0", 4},
        {XYZ "POINTS 1\nDATA ascii\nnan 1 1\n", GRAZE_ERROR_MESH, "no point", 0},
        {XYZ "POINTS 0\nDATA ascii\n", GRAZE_ERROR_MESH, "no point", 0},
        {XYZ "WIDTH 3\nHEIGHT 2\nPOINTS 5\nDATA ascii\n", GRAZE_ERROR_MESH, "5 points in 3 by 2",
         5},
        {XYZ "WIDTH 4000000000\nHEIGHT 4000000000\nDATA ascii\n", GRAZE_ERROR_MESH, "below 2^32",
         4},
        {XYZ "POINTS 4000000000\nSIZE 4 4 4\nTYPE F F F\nDATA binary\n", GRAZE_ERROR_MESH,
         "allowed: 48000000000", 0},
        {XYZ "POINTS 1\nDATA binary\n", GRAZE_ERROR_PARSE, "no SIZE", 3},
        {XYZ "POINTS -1\nDATA ascii\n", GRAZE_ERROR_PARSE, "'-1'", 2},
        {XYZ "DATA ascii\n1 2 3\n", GRAZE_ERROR_PARSE, "neither POINTS nor WIDTH", 2},
        {XYZ "POINTS 1\nDATA lzma\n", GRAZE_ERROR_UNSUPPORTED, "'lzma'", 3},
        {XYZ "POINTS 1\n", GRAZE_ERROR_PARSE, "without DATA", 3},
        {XYZ "POINTS 1\nDATA\n", GRAZE_ERROR_PARSE, "DATA without", 3},
        {XYZ "SIZE 4 4\n", GRAZE_ERROR_PARSE, "SIZE has 2 values; allowed: 3", 2},
        {XYZ "SIZE 4 4 4 4\n", GRAZE_ERROR_PARSE, "more values", 2},
        {XYZ "SIZE 4 4 3\n", GRAZE_ERROR_PARSE, "'3'; allowed: 1, 2, 4, 8", 2},
        {XYZ "TYPE F F Q\n", GRAZE_ERROR_PARSE, "'Q'", 2},
        {XYZ "COUNT 1 1 9999999\n", GRAZE_ERROR_PARSE, "0 to 1048576", 2},
        {XYZ "COUNT 1 1 2\nPOINTS 1\nDATA ascii\n", GRAZE_ERROR_UNSUPPORTED, "count 2", 4},
        {XYZ "SIZE 4 4 8\nTYPE F F U\nPOINTS 1\nDATA binary\n", GRAZE_ERROR_UNSUPPORTED, "z is of",
         5},
        {XYZ "FIELDS x y z\n", GRAZE_ERROR_PARSE, "twice", 2},
        {"FIELDS x y x\n", GRAZE_ERROR_PARSE, "field x stands twice", 1},
        {"FIELDS x y\nPOINTS 1\nDATA ascii\n1 2\n", GRAZE_ERROR_PARSE, "lacks", 3},
        {XYZ "COLOR 1\n", GRAZE_ERROR_PARSE, "'COLOR'", 2},
        {XYZ "VIEWPOINT 1 2\n", GRAZE_ERROR_PARSE, "7 numbers", 2},
        {XYZ "POINTS 1\nSIZE 4 4 4\nTYPE F F F\nDATA binary_compressed\nabc", GRAZE_ERROR_MESH,
         "two sizes", 0},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double *points;
        size_t count;
        graze_status status = read_text(m, bad[i].text, &points, &count);
        if (status != bad[i].status || !strstr(m->error.message, bad[i].message))
            fail_msg("case %zu: %d %s", i, (int)status, m->error.message);
        if (m->error.line != bad[i].line) fail_msg("case %zu: line %d", i, (int)m->error.line);
        assert_null(points);
    }
}

/// A small file that says it is 4 GiB: nothing of that size is made.
static void test_sizes_that_lie_cost_nothing(void **state) {
    mesh_case *m = *state;
    bytes b = {.size = 0};
    put_text(&b, "FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nWIDTH 300000000\nHEIGHT 1\n"
                 "DATA binary_compressed\n");
    put_u32(&b, 3);
    put_u32(&b, 3600000000U);
    put(&b, "\xe0\xff\x00", 3);
    double *points;
    size_t count;
    assert_int_equal(read_cloud(m, &b, &points, &count), GRAZE_ERROR_MESH);
    assert_message(m, "3600000000 bytes, packed 3");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MESH_TEST(test_text_gives_its_points),
        MESH_TEST(test_rows_give_their_points),
        MESH_TEST(test_packed_fields_give_their_points),
        MESH_TEST(test_doubles_and_whole_numbers_are_read),
        MESH_TEST(test_a_viewpoint_is_warned_of),
        MESH_TEST(test_what_is_no_cloud_is_refused),
        MESH_TEST(test_sizes_that_lie_cost_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
