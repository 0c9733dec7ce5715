#include <limits.h>
#include <math.h>

#include "load/mesh/mesh_reader.h"
#include "unit/load/mesh_case.h"

/// Cuts one polygon, given in the plane and tilted into space, and returns the triangles' areas in
/// the plane, signed, summed; *absolute sums their magnitudes.
typedef struct plate {
    mesh_case *m;
    gz_polygons polygons;
    const double (*corners)[2];
    size_t count;
} plate;

static void lift(const double flat[2], int axis, double *out) {
    // On planes close to each coordinate plane in turn, tilted a little.
    out[axis] = flat[0];
    out[(axis + 1) % 3] = flat[1];
    out[(axis + 2) % 3] = 0.25 * flat[0] - 0.125 * flat[1] + 3;
}

static void cut(plate *p, int axis, bool backwards) {
    mesh_case *m = p->m;
    mesh_case_clear(m);
    m->soup = gz_soup_create();
    gz_mesh_reader reader = {.path = "test",
                             .scale = {1, 1, 1},
                             .options = &m->options,
                             .budget = &m->budget,
                             .warnings = &m->warnings,
                             .error = &m->error,
                             .soup = m->soup,
                             .polygons = p->polygons};
    assert_int_equal(gz_mesh_reserve(&reader, p->count, 0), GRAZE_OK);
    assert_int_equal(gz_polygon_reserve(&reader, p->count), GRAZE_OK);
    for (size_t i = 0; i < p->count; i++) {
        lift(p->corners[backwards ? p->count - 1 - i : i], axis, m->soup->vertices + 3 * i);
        reader.polygons.corners[i] = (uint32_t)i;
    }
    m->soup->vertex_count = p->count;
    assert_int_equal(gz_polygon_append(&reader, p->count), GRAZE_OK);
    p->polygons = reader.polygons;
}

/// Twice the signed area of a triangle in the plane that lift() started from.
static double area(const mesh_case *m, size_t triangle, int axis) {
    double c[3][2];
    for (size_t k = 0; k < 3; k++) {
        const double *v = m->soup->vertices + 3 * (size_t)m->soup->triangles[3 * triangle + k];
        c[k][0] = v[axis];
        c[k][1] = v[(axis + 1) % 3];
    }
    return (c[1][0] - c[0][0]) * (c[2][1] - c[0][1]) - (c[1][1] - c[0][1]) * (c[2][0] - c[0][0]);
}

/// Every directed edge of the polygon is left over once, all others cancel: then a closed mesh of
/// polygons stays closed.
static void assert_same_boundary(const mesh_case *m, size_t count) {
    int balance[32][32] = {{0}};
    for (size_t t = 0; t < m->soup->triangle_count; t++)
        for (size_t k = 0; k < 3; k++) {
            uint32_t a = m->soup->triangles[3 * t + k], b = m->soup->triangles[3 * t + (k + 1) % 3];
            balance[a][b]++;
            balance[b][a]--;
        }
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < count; b++)
            assert_int_equal(balance[a][b], (b == (a + 1) % count) - (a == (b + 1) % count));
}

static void check(mesh_case *m, const double (*corners)[2], size_t count, double twice_area) {
    for (int axis = 0; axis < 3; axis++)
        for (int backwards = 0; backwards < 2; backwards++) {
            plate p = {.m = m, .corners = corners, .count = count};
            cut(&p, axis, backwards);
            assert_int_equal(m->soup->triangle_count, count - 2);
            assert_same_boundary(m, count);
            double sum = 0;
            for (size_t t = 0; t < count - 2; t++) {
                double one = backwards ? -area(m, t, axis) : area(m, t, axis);
                assert_true(one >= 0); // no triangle sticks out, so the sum covers the polygon
                sum += one;
            }
            assert_true(fabs(sum - twice_area) < 1e-9);
            assert_int_equal(p.polygons.fans, 0);
            gz_polygons_free(&p.polygons);
        }
}

static void test_convex_polygons_are_fans(void **state) {
    mesh_case *m = *state;
    static const double square[][2] = {{0, 0}, {2, 0}, {2, 1}, {0, 1}};
    check(m, square, 4, 4);
    plate p = {.m = m, .corners = square, .count = 4};
    cut(&p, 0, false);
    static const uint32_t fan[] = {0, 1, 2, 0, 2, 3};
    assert_memory_equal(m->soup->triangles, fan, sizeof fan);
    gz_polygons_free(&p.polygons);
}

static void test_concave_polygons_are_cut_inside(void **state) {
    static const double arrowhead[][2] = {{0, 0}, {4, 2}, {0, 4}, {1, 2}};
    static const double arrowhead_from_its_notch[][2] = {{1, 2}, {0, 0}, {4, 2}, {0, 4}};
    static const double letter_l[][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}};
    static const double comb[][2] = {{0, 0}, {7, 0}, {7, 5}, {6, 5}, {6, 1}, {5, 1}, {5, 5},
                                     {4, 5}, {4, 1}, {3, 1}, {3, 5}, {2, 5}, {2, 1}, {0, 1}};
    static const double spiral[][2] = {{0, 0}, {5, 0}, {5, 5}, {1, 5}, {1, 2}, {3, 2},
                                       {3, 3}, {2, 3}, {2, 4}, {4, 4}, {4, 1}, {0, 1}};
    check(*state, arrowhead, 4, 12);
    check(*state, arrowhead_from_its_notch, 4, 12);
    check(*state, letter_l, 6, 10);
    check(*state, comb, 14, 2 * (7 * 1 + 3 * (1 * 4)));
    check(*state, spiral, 12, 2 * (5 * 1 + 1 * 4 + 3 * 1 + 1 * 2 + 1 * 1));
}

/// A notch whose corner stands twice was taken for none: a fan filled it.
static void test_corners_that_stand_twice_hide_no_notch(void **state) {
    static const double letter_l[][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}};
    for (size_t twice = 0; twice < 6; twice++)
        for (size_t times = 2; times <= 4; times += 2)
            for (size_t first = 0; first < 6; first++) {
                double corners[9][2];
                size_t count = 0;
                for (size_t i = 0; i < 6; i++)
                    for (size_t k = 0; k < ((first + i) % 6 == twice ? times : 1); k++, count++)
                        memcpy(corners[count], letter_l[(first + i) % 6], sizeof corners[0]);
                check(*state, (const double(*)[2])corners, count, 10);
            }
    static const double all_twice[][2] = {{3, 0}, {3, 0}, {3, 1}, {3, 1}, {1, 1}, {1, 1},
                                          {1, 3}, {1, 3}, {0, 3}, {0, 3}, {0, 0}, {0, 0}};
    static const double nowhere[][2] = {{1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}};
    check(*state, all_twice, 12, 10);
    check(*state, nowhere, 5, 0);
}

static void test_a_hole_through_a_slit_stays_open(void **state) {
    // A square with a square hole, joined by a slit whose two corners are met twice.
    static const double frame[][2] = {{0, 0}, {6, 0}, {6, 6}, {0, 6}, {0, 0},
                                      {2, 2}, {2, 4}, {4, 4}, {4, 2}, {2, 2}};
    check(*state, frame, 10, 2 * (36 - 4));
}

static void test_polygons_that_cross_themselves_keep_their_boundary(void **state) {
    mesh_case *m = *state;
    static const double bow[][2] = {{0, 0}, {4, 4}, {4, 0}, {0, 4}};
    static const double star[][2] = {{0, 3}, {2, -3}, {-3, 1}, {3, 1}, {-2, -3}};
    static const double line[][2] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {1.5, 0}};
    const double(*shapes[])[2] = {bow, star, line};
    size_t counts[] = {4, 5, 5};
    for (size_t i = 0; i < 3; i++) {
        plate p = {.m = m, .corners = shapes[i], .count = counts[i]};
        cut(&p, 2, false);
        assert_int_equal(m->soup->triangle_count, counts[i] - 2);
        assert_same_boundary(m, counts[i]);
        gz_polygons_free(&p.polygons);
    }
}

static void test_one_and_two_corners_are_counted(void **state) {
    mesh_case *m = *state;
    static const double two[][2] = {{0, 0}, {1, 0}};
    for (size_t n = 1; n <= 2; n++) {
        plate p = {.m = m, .corners = two, .count = n};
        cut(&p, 0, false);
        assert_int_equal(m->soup->triangle_count, 0);
        assert_int_equal(p.polygons.skipped, 1);
        gz_polygons_free(&p.polygons);
    }
}

static void test_spent_work_falls_back_to_a_fan(void **state) {
    mesh_case *m = *state;
    static const double arrowhead[][2] = {{0, 0}, {4, 2}, {0, 4}, {1, 2}};
    plate p = {.m = m, .corners = arrowhead, .count = 4};
    p.polygons.work = UINT64_MAX / 2;
    cut(&p, 0, false);
    assert_int_equal(p.polygons.fans, 1);
    assert_same_boundary(m, 4);
    gz_polygons_free(&p.polygons);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MESH_TEST(test_convex_polygons_are_fans),
        MESH_TEST(test_concave_polygons_are_cut_inside),
        MESH_TEST(test_corners_that_stand_twice_hide_no_notch),
        MESH_TEST(test_a_hole_through_a_slit_stays_open),
        MESH_TEST(test_polygons_that_cross_themselves_keep_their_boundary),
        MESH_TEST(test_one_and_two_corners_are_counted),
        MESH_TEST(test_spent_work_falls_back_to_a_fan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
