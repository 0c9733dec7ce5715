// Meshes as a whole: what is refused, what is welded, what contains what, and running out of memory
// at every allocation.

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "mesh/mesh.h"
#include "unit/mesh/mesh_maker.h"

static graze_status create(const double *v, size_t nv, const uint32_t *t, size_t nt,
                           graze_error *error) {
    graze_mesh *mesh = (graze_mesh *)(uintptr_t)1;
    graze_status status = graze_mesh_create(&mesh, v, nv, t, nt, error);
    if (status) assert_null(mesh);
    graze_mesh_free(mesh);
    return status;
}

static void test_bad_input_is_refused(void **state) {
    (void)state;
    double v[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 5, 5};
    uint32_t t[6] = {0, 1, 2, 2, 1, 3};
    graze_error e;
    assert_int_equal(create(v, 4, t, 2, &e), GRAZE_OK);
    assert_int_equal(e.status, GRAZE_OK);
    assert_int_equal(create(v, 3, t, 2, &e), GRAZE_ERROR_ARGUMENT);
    assert_non_null(strstr(e.message, "triangle 1 names vertex 3"));
    assert_int_equal(create(v, 4, t, 0, &e), GRAZE_ERROR_MESH);
    assert_int_equal(create(v, 4, NULL, 0, &e), GRAZE_ERROR_MESH);
    assert_int_equal(create(NULL, 0, NULL, 0, &e), GRAZE_ERROR_MESH);
    assert_int_equal(create(NULL, 4, t, 2, &e), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(create(v, 4, NULL, 2, &e), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_mesh_create(NULL, v, 4, t, 2, &e), GRAZE_ERROR_ARGUMENT);
    const double bad[] = {NAN, INFINITY, -INFINITY, nextafter(0x1p20, INFINITY), -DBL_MAX};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        v[10] = bad[i];
        assert_int_equal(create(v, 4, t, 2, &e), GRAZE_ERROR_RANGE);
        assert_non_null(strstr(e.message, "vertex 3"));
        assert_int_equal(create(v, 4, t, 2, NULL), GRAZE_ERROR_RANGE);
    }
    v[10] = -0x1p20;
    assert_int_equal(create(v, 4, t, 2, &e), GRAZE_OK);
    assert_int_equal(graze_mesh_describe(NULL, NULL), GRAZE_ERROR_ARGUMENT);
}

static void test_mesh_without_vertices_does_not_allow_vertex_minus_one(void **state) {
    (void)state;
    uint32_t t[3] = {0, 0, 0};
    graze_error e;
    assert_int_equal(create(NULL, 0, t, 1, &e), GRAZE_ERROR_MESH);
    assert_string_equal(e.message, "mesh has no vertex");
}

static void test_zeros_of_both_signs_and_tiny_numbers_weld(void **state) {
    (void)state;
    double v[] = {0.0, 1, 0.0, -0.0, 1, 0x1p-101, 0x1p-120, 1, -0.0,
                  1,   0, 0,   0,    0, 1,        0x1p-99,  1, 0};
    uint32_t t[] = {0, 3, 4, 4, 3, 1, 2, 3, 5};
    graze_mesh *m;
    assert_int_equal(graze_mesh_create(&m, v, 6, t, 3, NULL), GRAZE_OK);
    assert_int_equal(m->vertex_count, 4);
    assert_int_equal(m->given_vertex_count, 6);
    for (size_t i = 0; i < 3 * m->vertex_count; i++) assert_false(signbit(m->vertices[i]));
    assert_int_equal(m->triangles[0], m->triangles[5]);
    assert_int_equal(m->triangles[0], m->triangles[6]);
    assert_true(m->triangles[8] != m->triangles[0]);
    graze_mesh_free(m);
}

static void test_place_rounds_once_and_flip_turns_the_winding(void **state) {
    (void)state;
    gz_random r = gz_random_make(1, 0);
    maker m = {0};
    maker_soup(&m, &r, 50, 0.4);
    gz_soup soup = {
        .vertices = m.v, .vertex_count = m.nv, .triangles = m.t, .triangle_count = m.nt};
    graze_transform place = maker_pose(&r, 10);
    graze_mesh *mesh;
    assert_int_equal(gz_mesh_build(&mesh, &soup, &place, true, GZ_MESH_LINK, NULL), GRAZE_OK);
    for (size_t i = 0; i < m.nt; i++) {
        static const size_t order[3] = {0, 2, 1};
        for (size_t k = 0; k < 3; k++) {
            const double *p = m.v + 3 * (size_t)m.t[3 * i + order[k]];
            graze_vec3 want = graze_transform_point(&place, (graze_vec3){p[0], p[1], p[2]});
            assert_memory_equal(mesh->vertices + 3 * (size_t)mesh->triangles[3 * i + k], &want,
                                sizeof want);
        }
    }
    graze_mesh_free(mesh);
    // Out of range only in its place.
    graze_error e;
    place.m[3] = 0x1p20;
    assert_int_equal(gz_mesh_build(&mesh, &soup, &place, false, GZ_MESH_LINK, &e),
                     GRAZE_ERROR_RANGE);
    assert_null(mesh);
    maker_free(&m);
}

static void test_triangles_without_area_are_counted(void **state) {
    (void)state;
    double v[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 1, 0, 1, 1, 1, 1e-170, 0, 0};
    uint32_t t[] = {0, 1, 3, 0, 1, 2, 0, 0, 1, 3, 3, 3, 1, 4, 0, 0, 5, 3};
    graze_mesh *m;
    assert_int_equal(graze_mesh_create(&m, v, 6, t, 6, NULL), GRAZE_OK);
    graze_mesh_info info;
    assert_int_equal(graze_mesh_describe(m, &info), GRAZE_OK);
    assert_int_equal(info.degenerate_count, 5);
    assert_int_equal(info.triangle_count, 6);
    assert_int_equal(info.vertex_count, 4);
    assert_int_equal(info.component_count, 1);
    graze_mesh_free(m);
}

static void assert_bounds_hold(const graze_mesh *m) {
    const double *low = &m->aabb.min.x, *high = &m->aabb.max.x, *c = &m->sphere.center.x,
                 *bc = &m->obb.center.x, *half = &m->obb.half.x;
    for (size_t i = 0; i < m->vertex_count; i++) {
        const double *p = m->vertices + 3 * i;
        long double d2 = 0;
        for (int k = 0; k < 3; k++) {
            assert_true(p[k] >= low[k] && p[k] <= high[k]);
            assert_true(fabs(p[k]) <= m->max_abs);
            long double d = (long double)p[k] - c[k], s = 0;
            d2 += d * d;
            const double *axis = &m->obb.axis[k].x;
            for (int a = 0; a < 3; a++) s += ((long double)p[a] - bc[a]) * axis[a];
            assert_true(fabsl(s) <=
                        half[k] + 0x1p-60L * (fabsl(bc[0]) + fabsl(bc[1]) + fabsl(bc[2])));
        }
        assert_true(d2 <= (long double)m->sphere.radius * m->sphere.radius * (1 + 0x1p-60L));
    }
}

static void test_bounds_contain_every_vertex(void **state) {
    (void)state;
    gz_random r = gz_random_make(2, 0);
    for (int round = 0; round < 60; round++) {
        maker m = {0};
        if (round % 3 == 0) maker_soup(&m, &r, 1 + gz_random_below(&r, 60), 0.5);
        if (round % 3 == 1) maker_needles(&m, &r, 1 + gz_random_below(&r, 40));
        if (round % 3 == 2) maker_torus(&m, 1, 0.3, 7, 5);
        maker_scale(&m, pow(10, gz_random_range(&r, -6, 4)));
        double shift = round % 2 ? 1e5 : 0;
        for (size_t i = 0; i < 3 * m.nv; i++) m.v[i] += shift;
        graze_mesh *mesh = maker_finish(&m);
        assert_bounds_hold(mesh);
        graze_mesh_free(mesh);
    }
}

static void test_out_of_memory_at_every_allocation(void **state) {
    (void)state;
#ifdef GRAZE_FAULTS
    maker m = {0};
    gz_random r = gz_random_make(3, 0);
    double origin[3] = {0, 0, 0};
    maker_sphere(&m, origin, 1, 8, 12);
    maker_soup(&m, &r, 60, 0.1);
    for (long n = 1;; n++) {
        graze_mesh *mesh = (graze_mesh *)(uintptr_t)1;
        graze_error e;
        gz_memory_fail_after(n, false);
        graze_status status = graze_mesh_create(&mesh, m.v, m.nv, m.t, m.nt, &e);
        long used = gz_memory_allocation_count();
        gz_memory_fail_after(0, false);
        if (status == GRAZE_OK) { // a fault may only be survived where memory is given back
            graze_mesh_free(mesh);
            if (used < n) {
                assert_true(n > 15);
                break;
            }
            continue;
        }
        assert_int_equal(status, GRAZE_ERROR_NO_MEMORY);
        assert_int_equal(e.status, GRAZE_ERROR_NO_MEMORY);
        assert_null(mesh);
    }
    maker_free(&m);
#else
    skip();
#endif
}

/// Whether a box contains another, up to the rounding of floats.
static bool box_contains(const graze_aabb *a, const graze_aabb *b, double slack) {
    const double *low = &a->min.x, *high = &a->max.x;
    for (int k = 0; k < 3; k++)
        if ((&b->min.x)[k] < low[k] - slack || (&b->max.x)[k] > high[k] + slack) return false;
    return true;
}

static size_t containing(const graze_aabb *boxes, size_t count, const graze_aabb *box,
                         double slack) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) found += box_contains(&boxes[i], box, slack);
    return found;
}

static void test_each_level_of_the_tree_contains_all_triangles_and_the_next_level(void **state) {
    (void)state;
    enum { TRIANGLES = 900 };
    static double v[9 * TRIANGLES];
    static uint32_t t[3 * TRIANGLES];
    static graze_aabb above[TRIANGLES], boxes[TRIANGLES];
    for (size_t i = 0; i < 3 * TRIANGLES; i++) {
        double turn = (double)(i / 3), bend = (double)(i % 3);
        v[3 * i] = cos(turn) + 0.01 * bend;
        v[3 * i + 1] = sin(1.7 * turn) + 0.02 * bend * bend;
        v[3 * i + 2] = 0.001 * turn;
        t[i] = (uint32_t)i;
    }
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create(&mesh, v, 3 * TRIANGLES, t, TRIANGLES, NULL), GRAZE_OK);
    assert_int_equal(graze_mesh_tree_level(mesh, 0, NULL, 0), 1);
    assert_int_equal(graze_mesh_tree_level(NULL, 0, NULL, 0), 0);
    size_t last = 1;
    for (uint32_t level = 0; level < 6; level++) {
        size_t count = graze_mesh_tree_level(mesh, level, boxes, TRIANGLES);
        assert_true(count >= last && count <= 8 * last && count <= TRIANGLES);
        for (size_t i = 0; i < TRIANGLES; i++) {
            graze_aabb own = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
            for (size_t k = 0; k < 9; k++) {
                (&own.min.x)[k % 3] = fmin((&own.min.x)[k % 3], v[9 * i + k]);
                (&own.max.x)[k % 3] = fmax((&own.max.x)[k % 3], v[9 * i + k]);
            }
            assert_true(containing(boxes, count, &own, 0) > 0);
        }
        for (size_t i = 0; level > 0 && i < count; i++)
            assert_true(containing(above, last, &boxes[i], 1e-6) > 0);
        memcpy(above, boxes, count * sizeof *boxes);
        last = count;
    }
    assert_true(last >= TRIANGLES / 8);
    // No more than there is room for.
    boxes[2].min.x = 77;
    assert_int_equal(graze_mesh_tree_level(mesh, 5, boxes, 2), last);
    assert_true(boxes[2].min.x == 77);
    graze_mesh_free(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_input_is_refused),
        cmocka_unit_test(test_each_level_of_the_tree_contains_all_triangles_and_the_next_level),
        cmocka_unit_test(test_mesh_without_vertices_does_not_allow_vertex_minus_one),
        cmocka_unit_test(test_zeros_of_both_signs_and_tiny_numbers_weld),
        cmocka_unit_test(test_place_rounds_once_and_flip_turns_the_winding),
        cmocka_unit_test(test_triangles_without_area_are_counted),
        cmocka_unit_test(test_bounds_contain_every_vertex),
        cmocka_unit_test(test_out_of_memory_at_every_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
