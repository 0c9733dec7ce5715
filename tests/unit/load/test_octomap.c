// OctoMap's binary trees: what is occupied becomes cubes, and nothing else.

#include "mesh_case.h"

#define HEADER(size, res)                                                                          \
    "# Octomap OcTree binary file\n# a comment\n#\nid OcTree\nsize " size "\nres " res "\ndata\n"

/// Writes a header and nodes, and reads the file.
static graze_status read_tree(mesh_case *m, const char *header, const void *nodes, size_t size) {
    char file[4096];
    size_t head = strlen(header);
    assert_true(head + size <= sizeof file);
    memcpy(file, header, head);
    memcpy(file + head, nodes, size);
    mesh_case_write(m, "map.bt", file, head + size);
    return mesh_case_read(m, "map.bt", NULL);
}

/// The lowest and highest corner of cube i.
static void assert_cube(const mesh_case *m, size_t i, double x, double y, double z, double edge) {
    const double low[3] = {x, y, z};
    double volume = 0;
    for (size_t k = 0; k < 3; k++) {
        double least = 1e9, most = -1e9;
        for (size_t t = 36 * i; t < 36 * i + 36; t++) {
            double at = m->soup->vertices[3 * (size_t)m->soup->triangles[t] + k];
            least = at < least ? at : least;
            most = at > most ? at : most;
        }
        assert_true(least == low[k] && most == low[k] + edge);
    }
    // Outward: six times the volume, from the origin.
    for (size_t t = 12 * i; t < 12 * i + 12; t++) {
        const double *p[3];
        for (size_t k = 0; k < 3; k++)
            p[k] = m->soup->vertices + 3 * (size_t)m->soup->triangles[3 * t + k];
        volume += p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
                  p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
                  p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
    }
    assert_true(volume == 6 * edge * edge * edge);
}

/// Children of the root: 0 occupied, 1 free, 7 with children of its own, of which 5 is occupied.
static const unsigned char small[] = {0x06, 0xc0, 0x00, 0x08};

static void test_occupied_leaves_become_cubes(void **state) {
    mesh_case *m = *state;
    assert_int_equal(read_tree(m, HEADER("5", "0.5"), small, sizeof small), GRAZE_OK);
    assert_int_equal(m->soup->triangle_count, 24);
    assert_cube(m, 0, -16384, -16384, -16384, 16384);
    assert_cube(m, 1, 8192, 0, 8192, 8192); // 5 is beyond the middle in x and z
    assert_int_equal(m->warnings.count, 0);
}

/// Children 0 and 1 of the root, and of child 7 those on the side of x low, of which 0 touches no
/// other: 2 faces each are not there.
static void test_faces_between_equal_cubes_are_left_out(void **state) {
    mesh_case *m = *state;
    static const unsigned char pair[] = {0x0a, 0x00}, row[] = {0x0a, 0xc0, 0x22, 0x22};
    assert_int_equal(read_tree(m, HEADER("3", "0.5"), pair, sizeof pair), GRAZE_OK);
    assert_int_equal(m->soup->triangle_count, 20);
    assert_int_equal(read_tree(m, HEADER("8", "0.5"), row, sizeof row), GRAZE_OK);
    assert_int_equal(m->soup->triangle_count, 20 + 4 * 8);
    // Closed: the areas, with their directions, add up to 0, and the volume is that of the cubes.
    double volume = 0, area[3] = {0, 0, 0};
    for (size_t t = 0; t < m->soup->triangle_count; t++) {
        const double *p[3];
        double e[2][3], n[3];
        for (size_t k = 0; k < 3; k++)
            p[k] = m->soup->vertices + 3 * (size_t)m->soup->triangles[3 * t + k];
        for (int k = 0; k < 3; k++) e[0][k] = p[1][k] - p[0][k], e[1][k] = p[2][k] - p[0][k];
        for (int k = 0; k < 3; k++) {
            n[k] = e[0][(k + 1) % 3] * e[1][(k + 2) % 3] - e[0][(k + 2) % 3] * e[1][(k + 1) % 3];
            area[k] += n[k];
            volume += n[k] * p[0][k];
        }
    }
    assert_true(area[0] == 0 && area[1] == 0 && area[2] == 0);
    assert_true(volume == 6 * (2 * 16384.0 * 16384 * 16384 + 4 * 8192.0 * 8192 * 8192));
}

/// Down to a leaf of the last level, always child 0, or always child 7.
static size_t chain(unsigned char out[64], int levels, unsigned child) {
    size_t n = 0;
    for (int i = 0; i < levels; i++) {
        unsigned bits = (i + 1 == levels ? 2U : 3U) << 2 * child;
        out[n++] = (unsigned char)bits;
        out[n++] = (unsigned char)(bits >> 8);
    }
    return n;
}

static void test_the_last_level_has_the_resolution(void **state) {
    mesh_case *m = *state;
    unsigned char nodes[64];
    size_t size = chain(nodes, 16, 7);
    assert_int_equal(read_tree(m, HEADER("17", "0.25"), nodes, size), GRAZE_OK);
    assert_cube(m, 0, 8191.75, 8191.75, 8191.75, 0.25);
    // One level more cannot be: a file that goes on for ever ends there.
    size = chain(nodes, 17, 7);
    assert_int_equal(read_tree(m, HEADER("18", "0.25"), nodes, size), GRAZE_ERROR_MESH);
    assert_message(m, "below level 16");
}

static void test_what_is_not_a_tree_is_refused(void **state) {
    mesh_case *m = *state;
    static const struct {
        const char *header;
        size_t size;
        graze_status status;
        const char *message;
        int32_t line;
    } bad[] = {
        {HEADER("4", "0.5"), 4, GRAZE_ERROR_MESH, "more nodes than the size, 4", 0},
        {HEADER("6", "0.5"), 4, GRAZE_ERROR_MESH, "5 nodes; allowed: the size, 6", 0},
        {HEADER("5", "0.5"), 3, GRAZE_ERROR_MESH, "ends at node 4 of 5 (byte", 0},
        {HEADER("5", "0.5"), 0, GRAZE_ERROR_MESH, "ends at node 1 of 5", 0},
        {HEADER("5", "0.5"), 5, GRAZE_ERROR_MESH, "1 bytes behind", 0},
        {HEADER("-5", "0.5"), 4, GRAZE_ERROR_PARSE, "'-5'", 5},
        {HEADER("5", "0"), 4, GRAZE_ERROR_RANGE, "'0'", 6},
        {HEADER("5", "nan"), 4, GRAZE_ERROR_RANGE, "nan", 6},
        {HEADER("5", "100"), 4, GRAZE_ERROR_RANGE, "cube", 0},
        {HEADER("0", "0.5"), 0, GRAZE_ERROR_MESH, "no triangle", 0},
        {"# Octomap OcTree binary file\nid ShortTree\n", 0, GRAZE_ERROR_UNSUPPORTED, "ShortTree",
         2},
        {"# Octomap OcTree binary file\nid\n", 0, GRAZE_ERROR_PARSE, "without a value", 2},
        {"# Octomap OcTree binary file\ndata\n", 0, GRAZE_ERROR_PARSE, "no size", 3},
        {"# Octomap OcTree binary file\nsize 5\ndata\n", 0, GRAZE_ERROR_PARSE, "no res", 4},
        {"# Octomap OcTree binary file\nsize 5\n", 0, GRAZE_ERROR_PARSE, "'data'", 3},
        {"# Octomap OcTree binary file\ntype 5\n", 0, GRAZE_ERROR_PARSE, "'type'", 2},
        {"# Octomap OcTree file\nid OcTree\n", 0, GRAZE_ERROR_UNSUPPORTED, "first line", 1},
    };
    unsigned char nodes[8] = {0};
    memcpy(nodes, small, sizeof small);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        graze_status status = read_tree(m, bad[i].header, nodes, bad[i].size);
        if (status != bad[i].status) fail_msg("case %zu: %s", i, m->error.message);
        assert_message(m, bad[i].message);
        assert_int_equal(m->error.line, bad[i].line);
        assert_null(m->soup);
    }
    static const unsigned char childless[] = {0x03, 0x00, 0x00, 0x00};
    assert_int_equal(read_tree(m, HEADER("2", "1"), childless, 4), GRAZE_ERROR_MESH);
    assert_message(m, "without a child");
}

static void test_a_limit_of_triangles_ends_the_reading(void **state) {
    mesh_case *m = *state;
    m->budget.triangles_left = 23;
    assert_int_equal(read_tree(m, HEADER("5", "0.5"), small, sizeof small), GRAZE_ERROR_LIMIT);
}

static void test_every_allocation_may_fail(void **state) {
    mesh_case *m = *state;
    assert_int_equal(read_tree(m, HEADER("5", "0.5"), small, sizeof small), GRAZE_OK);
    assert_survives_faults(m, "map.bt");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MESH_TEST(test_occupied_leaves_become_cubes),
        MESH_TEST(test_faces_between_equal_cubes_are_left_out),
        MESH_TEST(test_the_last_level_has_the_resolution),
        MESH_TEST(test_what_is_not_a_tree_is_refused),
        MESH_TEST(test_a_limit_of_triangles_ends_the_reading),
        MESH_TEST(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
