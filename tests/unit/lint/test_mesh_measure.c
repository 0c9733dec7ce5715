// What is measured of a mesh, against oracles that share no code with it: intervals for nested
// boxes, pairwise comparison for duplicates, dense points of triangles for distances, closed forms
// for areas, volumes and solid angles, and shapes made to fit or not to fit.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "lint/link_geometry.h"
#include "lint/mesh_measure.h"
#include "mesh/mesh.h"
#include "unit/mesh/mesh_maker.h"

static graze_mesh *make(const maker *m) {
    graze_mesh *mesh;
    graze_error e;
    assert_int_equal(graze_mesh_create(&mesh, m->v, m->nv, m->t, m->nt, &e), GRAZE_OK);
    return mesh;
}

static gz_mesh_measure measure(const maker *m) {
    graze_mesh *mesh = make(m);
    gz_mesh_measure out;
    assert_true(gz_mesh_measure_make(&out, mesh));
    graze_mesh_free(mesh);
    return out;
}

/// A box, outward, or inward where `flip`.
static void add_box(maker *m, const double low[3], const double high[3], bool flip) {
    static const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    uint32_t v[8];
    for (int i = 0; i < 8; i++)
        v[i] = maker_vertex(m, i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1],
                            i & 4 ? high[2] : low[2]);
    for (int f = 0; f < 6; f++) {
        const int *c = faces[f];
        maker_triangle(m, v[c[0]], v[c[flip ? 2 : 1]], v[c[flip ? 1 : 2]]);
        maker_triangle(m, v[c[0]], v[c[flip ? 3 : 2]], v[c[flip ? 2 : 3]]);
    }
}

static double uniform(gz_random *r, double low, double high) {
    return low + (high - low) * gz_random_unit(r);
}

static void test_area_and_volume_of_boxes_are_those_of_the_formula(void **state) {
    (void)state;
    gz_random r = gz_random_make(1, 0);
    for (int round = 0; round < 50; round++) {
        maker m = {0};
        double low[3], high[3], e[3];
        for (int k = 0; k < 3; k++) {
            low[k] = uniform(&r, -1, 1);
            e[k] = uniform(&r, 0.01, 1);
            high[k] = low[k] + e[k];
        }
        add_box(&m, low, high, round % 2);
        gz_mesh_measure found = measure(&m);
        double volume = e[0] * e[1] * e[2];
        assert_true(fabs(found.area - 2 * (e[0] * e[1] + e[1] * e[2] + e[2] * e[0])) < 1e-12);
        assert_true(fabs(found.volume - (round % 2 ? -volume : volume)) < 1e-12);
        assert_int_equal(found.reversed_count, round % 2);
        assert_int_equal(found.solids.open_count, 0);
        maker_free(&m);
    }
}

static void test_duplicates_are_those_that_pairwise_comparison_finds(void **state) {
    (void)state;
    gz_random r = gz_random_make(2, 0);
    for (int round = 0; round < 100; round++) {
        maker m = {0};
        for (int i = 0; i < 6; i++)
            maker_vertex(&m, uniform(&r, 0, 1), uniform(&r, 0, 1), uniform(&r, 0, 1));
        for (int i = 0; i < 30; i++) {
            uint32_t a = (uint32_t)(gz_random_next(&r) % 6), b = (uint32_t)(gz_random_next(&r) % 6),
                     c = (uint32_t)(gz_random_next(&r) % 6);
            maker_triangle(&m, a, b, c);
        }
        size_t wanted = 0;
        for (size_t i = 0; i < m.nt; i++) {
            bool again = false;
            for (size_t k = 0; k < i; k++) {
                // As sets with multiplicity: how often each vertex stands in both.
                bool same = true;
                for (uint32_t v = 0; v < 6; v++) {
                    int here = 0, there = 0;
                    for (int n = 0; n < 3; n++) {
                        here += m.t[3 * i + (size_t)n] == v;
                        there += m.t[3 * k + (size_t)n] == v;
                    }
                    same &= here == there;
                }
                again |= same;
            }
            wanted += again;
        }
        assert_int_equal(measure(&m).duplicate_count, wanted);
        maker_free(&m);
    }
}

static void test_inner_components_are_those_whose_intervals_are_nested(void **state) {
    (void)state;
    gz_random r = gz_random_make(3, 0);
    size_t met = 0;
    for (int round = 0; round < 100; round++) {
        enum { COUNT = 7 };
        double low[COUNT][3], high[COUNT][3];
        maker m = {0};
        for (int i = 0; i < COUNT; i++) {
            for (int k = 0; k < 3; k++) {
                low[i][k] = uniform(&r, -1, 0.4);
                high[i][k] = low[i][k] + uniform(&r, 0.02, i < 3 ? 1.6 : 0.4);
            }
            add_box(&m, low[i], high[i], false);
        }
        size_t wanted = 0;
        for (int i = 0; i < COUNT; i++) {
            bool inside = false;
            for (int k = 0; k < COUNT; k++) {
                bool nested = i != k;
                for (int n = 0; n < 3; n++)
                    nested = nested && low[k][n] < low[i][n] && high[i][n] < high[k][n];
                inside |= nested;
            }
            wanted += inside;
        }
        gz_mesh_measure found = measure(&m);
        assert_int_equal(found.inner_count, wanted);
        assert_false(found.inner_partial);
        met += wanted;
        maker_free(&m);
    }
    assert_true(met > 20);
}

static void test_what_is_in_the_box_of_a_component_is_not_in_the_component(void **state) {
    (void)state;
    maker m = {0};
    maker_torus(&m, 1, 0.3, 40, 20);
    maker_box(&m, (double[]){0, 0, 0}, (double[]){0.1, 0.1, 0.1}); // in the hole
    maker_box(&m, (double[]){0.9, 0.9, 0}, (double[]){0.05, 0.05, 0.05});
    assert_int_equal(measure(&m).inner_count, 0);
    maker_box(&m, (double[]){1, 0, 0}, (double[]){0.1, 0.1, 0.1}); // in the tube
    assert_int_equal(measure(&m).inner_count, 1);
    maker_box(&m, (double[]){-1, 0, 0}, (double[]){0.1, 0.1, 0.29}); // through its wall
    assert_int_equal(measure(&m).inner_count, 1);
    maker_free(&m);
}

static void test_a_cavity_is_neither_an_inner_component_nor_reversed(void **state) {
    (void)state;
    maker m = {0};
    add_box(&m, (double[]){0, 0, 0}, (double[]){1, 1, 1}, false);
    add_box(&m, (double[]){0.2, 0.2, 0.2}, (double[]){0.8, 0.8, 0.8}, true);
    gz_mesh_measure found = measure(&m);
    assert_int_equal(found.inner_count, 0);
    assert_int_equal(found.reversed_count, 0);
    assert_int_equal(found.solids.cavity_count, 1);
    assert_true(fabs(found.volume - (1 - 0.216)) < 1e-12);
    maker_free(&m);
    add_box(&m, (double[]){0, 0, 0}, (double[]){1, 1, 1}, true);
    assert_int_equal(measure(&m).reversed_count, 1);
    maker_free(&m);
}

// --------------------------------------------------------------------------------- simple shapes

/// A rotation from three random angles, and a place.
static void move(maker *m, gz_random *r) {
    double a = uniform(r, 0, 6), b = uniform(r, 0, 6), c = uniform(r, 0, 6), t[3];
    for (int k = 0; k < 3; k++) t[k] = uniform(r, -2, 2);
    for (size_t i = 0; i < m->nv; i++) {
        double *p = m->v + 3 * i, x = p[0], y = p[1], z = p[2], u;
        u = cos(a) * x - sin(a) * y, y = sin(a) * x + cos(a) * y, x = u;
        u = cos(b) * y - sin(b) * z, z = sin(b) * y + cos(b) * z, y = u;
        u = cos(c) * z - sin(c) * x, x = sin(c) * z + cos(c) * x, z = u;
        p[0] = x + t[0], p[1] = y + t[1], p[2] = z + t[2];
    }
}

/// A prism or frustum of n sides with its axis along z.
static void add_prism(maker *m, int n, double bottom, double top, double length) {
    uint32_t low = maker_vertex(m, 0, 0, -0.5 * length), high = maker_vertex(m, 0, 0, 0.5 * length);
    uint32_t first = (uint32_t)m->nv;
    for (int i = 0; i < n; i++) {
        double a = 2 * acos(-1) * i / n;
        maker_vertex(m, bottom * cos(a), bottom * sin(a), -0.5 * length);
        maker_vertex(m, top * cos(a), top * sin(a), 0.5 * length);
    }
    for (uint32_t i = 0; i < (uint32_t)n; i++) {
        uint32_t a = first + 2 * i, b = first + 2 * ((i + 1) % (uint32_t)n);
        maker_triangle(m, low, b, a);
        maker_triangle(m, high, a + 1, b + 1);
        maker_triangle(m, a, b, b + 1);
        maker_triangle(m, a, b + 1, a + 1);
    }
}

static int compare_numbers(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void test_boxes_are_found_with_their_edges(void **state) {
    (void)state;
    gz_random r = gz_random_make(4, 0);
    for (int round = 0; round < 60; round++) {
        maker m = {0};
        double edges[3], half[3];
        for (int k = 0; k < 3; k++) {
            edges[k] = uniform(&r, 0.02, 0.5);
            half[k] = 0.5 * edges[k];
        }
        add_box(&m, (double[]){-half[0], -half[1], -half[2]}, half, round % 3 == 0);
        if (round % 2) move(&m, &r);
        gz_mesh_fit fit = measure(&m).fit;
        assert_true(fit.found);
        assert_int_equal(fit.shape, GRAZE_SHAPE_BOX);
        qsort(edges, 3, sizeof *edges, compare_numbers);
        qsort(fit.size, 3, sizeof *fit.size, compare_numbers);
        // The oriented box is the smallest only to about 1e-3 of its size.
        for (int k = 0; k < 3; k++) assert_true(fabs(fit.size[k] - edges[k]) < 0.01 * edges[2]);
        maker_free(&m);
    }
}

static void test_cylinders_are_found_with_radius_and_length(void **state) {
    (void)state;
    gz_random r = gz_random_make(5, 0);
    for (int round = 0; round < 60; round++) {
        maker m = {0};
        double radius = uniform(&r, 0.02, 0.3), length = uniform(&r, 0.02, 0.8);
        add_prism(&m, 10 + round, radius, radius, length);
        gz_mesh_fit fit = measure(&m).fit;
        assert_true(fit.found);
        assert_int_equal(fit.shape, GRAZE_SHAPE_CYLINDER);
        assert_true(fabs(fit.size[0] - radius) < 0.01 * radius);
        assert_true(fabs(fit.size[1] - length) < 1e-9);
        assert_true(fit.deviation <= fit.limit);
        maker_free(&m);
    }
}

static void test_spheres_are_found_with_their_radius(void **state) {
    (void)state;
    gz_random r = gz_random_make(6, 0);
    for (int round = 0; round < 30; round++) {
        maker m = {0};
        double radius = uniform(&r, 0.01, 0.5);
        maker_sphere(&m, (double[]){1, -2, 0.5}, radius, 10 + round, 16 + round);
        gz_mesh_fit fit = measure(&m).fit;
        assert_true(fit.found);
        assert_int_equal(fit.shape, GRAZE_SHAPE_SPHERE);
        assert_true(fabs(fit.size[0] - radius) < 1e-6);
        maker_free(&m);
    }
}

static void expect_no_fit(maker *m) {
    assert_false(measure(m).fit.found);
    maker_free(m);
}

static void test_what_is_no_simple_shape_is_not_called_one(void **state) {
    (void)state;
    maker m = {0};
    double low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
    add_prism(&m, 32, 0.3, 0.2, 1); // a frustum
    expect_no_fit(&m);
    add_prism(&m, 6, 0.3, 0.3, 1); // hexagonal
    expect_no_fit(&m);
    add_prism(&m, 3, 0.3, 0.3, 1);
    expect_no_fit(&m);
    // An ellipsoid.
    maker_sphere(&m, low, 0.5, 20, 30);
    for (size_t i = 0; i < m.nv; i++) m.v[3 * i] *= 1.2;
    expect_no_fit(&m);
    // A corner cut off a box: pulled inward by a tenth.
    add_box(&m, low, high, false);
    for (int k = 0; k < 3; k++) m.v[3 * 7 + (size_t)k] = 0.9;
    expect_no_fit(&m);
    // A box without its top face is open.
    add_box(&m, low, high, false);
    m.nt -= 2;
    expect_no_fit(&m);
    // Two boxes on each other are one in no sense.
    add_box(&m, low, high, false);
    add_box(&m, (double[]){0, 0, 2}, (double[]){1, 1, 3}, false);
    expect_no_fit(&m);
    // A box with a cavity: area and volume are others.
    add_box(&m, low, high, false);
    add_box(&m, (double[]){0.1, 0.1, 0.1}, (double[]){0.9, 0.9, 0.9}, true);
    expect_no_fit(&m);
}

/// A U-profile: all corners of its box are there, all vertices on the box's surface.
static void test_a_groove_is_seen_between_the_vertices(void **state) {
    (void)state;
    static const double outline[8][2] = {{0, 0},       {1, 0},       {1, 1},    {0.51, 1},
                                         {0.51, 0.94}, {0.49, 0.94}, {0.49, 1}, {0, 1}};
    static const uint32_t caps[6][3] = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4},
                                        {0, 4, 5}, {0, 5, 7}, {5, 6, 7}};
    maker m = {0};
    for (int i = 0; i < 8; i++) maker_vertex(&m, outline[i][0], outline[i][1], 0);
    for (int i = 0; i < 8; i++) maker_vertex(&m, outline[i][0], outline[i][1], 1);
    for (int i = 0; i < 6; i++) {
        maker_triangle(&m, caps[i][0], caps[i][2], caps[i][1]);
        maker_triangle(&m, caps[i][0] + 8, caps[i][1] + 8, caps[i][2] + 8);
    }
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t k = (i + 1) % 8;
        maker_triangle(&m, i, k, k + 8);
        maker_triangle(&m, i, k + 8, i + 8);
    }
    gz_mesh_measure found = measure(&m);
    assert_int_equal(found.solids.open_count, 0);
    assert_true(fabs(found.volume - (1 - 0.02 * 0.06)) < 1e-12); // within 2 % of the box's
    assert_false(found.fit.found);
    maker_free(&m);
}

// ------------------------------------------------------------------------------------- distances

static void test_distances_are_those_of_dense_points(void **state) {
    (void)state;
    gz_random r = gz_random_make(7, 0);
    enum { GRID = 60 };
    for (int round = 0; round < 20; round++) {
        maker m = {0};
        for (int i = 0; i < 40; i++) {
            double c[3];
            for (int k = 0; k < 3; k++) c[k] = uniform(&r, -1, 1);
            for (int n = 0; n < 3; n++)
                maker_vertex(&m, c[0] + uniform(&r, -0.2, 0.2), c[1] + uniform(&r, -0.2, 0.2),
                             c[2] + uniform(&r, -0.2, 0.2));
            uint32_t base = (uint32_t)(3 * i);
            maker_triangle(&m, base, base + 1, base + 2);
        }
        graze_mesh *mesh = make(&m);
        for (int q = 0; q < 20; q++) {
            double p[3], least = INFINITY;
            for (int k = 0; k < 3; k++) p[k] = uniform(&r, -1.5, 1.5);
            for (size_t t = 0; t < m.nt; t++)
                for (int i = 0; i <= GRID; i++)
                    for (int k = 0; i + k <= GRID; k++) {
                        double sum = 0;
                        for (int n = 0; n < 3; n++) {
                            const double *v = m.v + 9 * t + n;
                            double x = v[0] + (v[3] - v[0]) * i / GRID + (v[6] - v[0]) * k / GRID;
                            sum += (x - p[n]) * (x - p[n]);
                        }
                        least = fmin(least, sqrt(sum));
                    }
            double found = gz_surface_distance(mesh, p, 100);
            // No point of a triangle is farther from a point of the grid than an edge / GRID.
            assert_true(found <= least + 1e-12);
            assert_true(found >= least - 0.7 / GRID);
            assert_true(gz_surface_distance(mesh, p, 0.5 * found) == 0.5 * found);
        }
        graze_mesh_free(mesh);
        maker_free(&m);
    }
}

static void test_winding_is_the_solid_angle(void **state) {
    (void)state;
    gz_random r = gz_random_make(8, 0);
    maker m = {0};
    double low[3] = {-0.5, -0.5, -0.5}, high[3] = {0.5, 0.5, 0.5};
    add_box(&m, low, high, false);
    graze_mesh *mesh = make(&m);
    for (int i = 0; i < 1000; i++) {
        double p[3], inside = 0.5;
        for (int k = 0; k < 3; k++) {
            p[k] = uniform(&r, -1, 1);
            inside = fmin(inside, 0.5 - fabs(p[k]));
        }
        if (fabs(inside) < 1e-6) continue;
        assert_true(fabs(gz_surface_winding(mesh, p) - (inside > 0)) < 1e-9);
    }
    graze_mesh_free(mesh);
    // Without its last face, seen from the centre: five of six equal parts.
    m.nt -= 2;
    mesh = make(&m);
    double center[3] = {0, 0, 0};
    assert_true(fabs(gz_surface_winding(mesh, center) - 5.0 / 6) < 1e-12);
    graze_mesh_free(mesh);
    maker_free(&m);
}

static void test_samples_lie_on_the_surface_and_follow_area(void **state) {
    (void)state;
    maker m = {0};
    double low[3] = {0, 0, 0}, high[3] = {3, 1, 1};
    add_box(&m, low, high, false);
    gz_soup soup = {
        .vertices = m.v, .vertex_count = m.nv, .triangles = m.t, .triangle_count = m.nt};
    enum { COUNT = 1400 };
    static double points[3 * COUNT];
    assert_int_equal(gz_link_surface_sample(&soup, points, COUNT), COUNT);
    size_t ends = 0;
    for (size_t i = 0; i < COUNT; i++) {
        const double *p = points + 3 * i;
        double off = 1;
        for (int k = 0; k < 3; k++) {
            assert_true(p[k] >= -1e-12 && p[k] <= high[k] + 1e-12);
            off = fmin(off, fmin(fabs(p[k]), fabs(p[k] - high[k])));
        }
        assert_true(off < 1e-12);
        ends += fabs(p[0]) < 1e-12 || fabs(p[0] - 3) < 1e-12;
    }
    // The two ends have 2 of 14 square metres.
    assert_in_range(ends, 196, 204);
    soup.triangle_count = 0;
    assert_int_equal(gz_link_surface_sample(&soup, points, COUNT), 0);
    maker_free(&m);
}

static void test_every_allocation_may_fail(void **state) {
    (void)state;
#ifndef GRAZE_FAULTS
    skip();
#else
    maker m = {0};
    add_box(&m, (double[]){0, 0, 0}, (double[]){1, 1, 1}, false);
    add_box(&m, (double[]){0.2, 0.2, 0.2}, (double[]){0.8, 0.8, 0.8}, false);
    graze_mesh *mesh = make(&m);
    bool done = false;
    int failed = 0;
    for (long n = 1; !done; n++) {
        gz_mesh_measure out;
        gz_memory_fail_after(n, false);
        bool ok = gz_mesh_measure_make(&out, mesh);
        done = gz_memory_allocation_count() < n;
        gz_memory_fail_after(0, false);
        // Giving memory back may fail, and nothing is lost: what is measured is right, or nothing.
        failed += !ok;
        if (ok) assert_int_equal(out.inner_count, 1);
        if (done) assert_true(ok);
    }
    assert_true(failed > 10);
    graze_mesh_free(mesh);
    maker_free(&m);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_area_and_volume_of_boxes_are_those_of_the_formula),
        cmocka_unit_test(test_duplicates_are_those_that_pairwise_comparison_finds),
        cmocka_unit_test(test_inner_components_are_those_whose_intervals_are_nested),
        cmocka_unit_test(test_what_is_in_the_box_of_a_component_is_not_in_the_component),
        cmocka_unit_test(test_a_cavity_is_neither_an_inner_component_nor_reversed),
        cmocka_unit_test(test_boxes_are_found_with_their_edges),
        cmocka_unit_test(test_cylinders_are_found_with_radius_and_length),
        cmocka_unit_test(test_spheres_are_found_with_their_radius),
        cmocka_unit_test(test_what_is_no_simple_shape_is_not_called_one),
        cmocka_unit_test(test_a_groove_is_seen_between_the_vertices),
        cmocka_unit_test(test_distances_are_those_of_dense_points),
        cmocka_unit_test(test_winding_is_the_solid_angle),
        cmocka_unit_test(test_samples_lie_on_the_surface_and_follow_area),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
