// Two posed meshes through the public entry point: errors, the lowest pair, where it meets,
// containment.

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graze/geometry.h"
#include "unit/mesh/mesh_maker.h"
#include "unit/trials.h"

static graze_mesh *make_ball(double radius) {
    static const double origin[3] = {0, 0, 0};
    maker m = {0};
    maker_sphere(&m, origin, radius, 8, 10);
    return maker_finish(&m);
}

static graze_status query(const graze_mesh *a, const graze_transform *pa, const graze_mesh *b,
                          const graze_transform *pb, graze_mesh_overlap *out, graze_error *error) {
    return graze_meshes_overlap(a, pa, b, pb, GRAZE_POLICY_SOLID, out, error);
}

static void test_errors_are_never_free(void **state) {
    (void)state;
    graze_mesh *a = make_ball(1);
    graze_transform one = graze_transform_identity(), bad;
    graze_mesh_overlap out;
    graze_error e;
    assert_int_equal(query(NULL, &one, a, &one, &out, &e), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(query(a, &one, NULL, &one, &out, &e), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_meshes_overlap(a, NULL, a, &one, GRAZE_POLICY_SOLID, &out, &e),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_meshes_overlap(a, &one, a, NULL, GRAZE_POLICY_SOLID, &out, &e),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(query(a, &one, a, &one, NULL, &e), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_meshes_overlap(a, &one, a, &one, (graze_policy)9, &out, &e),
                     GRAZE_ERROR_ARGUMENT);
    assert_true(out.overlap);
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 2; k++) {
            bad = one;
            bad.m[i] = k ? NAN : INFINITY;
            out.overlap = false;
            assert_int_equal(query(a, &bad, a, &one, &out, &e), GRAZE_ERROR_RANGE);
            assert_true(out.overlap);
            assert_int_equal(query(a, &one, a, &bad, &out, NULL), GRAZE_ERROR_RANGE);
        }
    bad = one;
    bad.m[0] = -1; // a mirror
    assert_int_equal(query(a, &bad, a, &one, &out, &e), GRAZE_ERROR_ARGUMENT);
    bad.m[0] = 1 + 1e-8;
    assert_int_equal(query(a, &bad, a, &one, &out, &e), GRAZE_ERROR_ARGUMENT);
    bad.m[0] = 1 + 1e-10;
    assert_int_equal(query(a, &bad, a, &one, &out, &e), GRAZE_OK);
    assert_string_equal(e.message, "");
    bad = one;
    bad.m[3] = 0x1p20;
    assert_int_equal(query(a, &bad, a, &one, &out, &e), GRAZE_ERROR_RANGE);
    assert_true(out.overlap);
    graze_mesh_free(a);
}

static void test_meshes_that_end_at_the_limit_exactly_are_in_range(void **state) {
    (void)state;
    // The corner at 2^20 counts, not the length of the diagonal.
    maker m = {0};
    double center[3] = {0x1p20 - 1, 0x1p20 - 1, 0x1p20 - 1}, half[3] = {1, 1, 1};
    maker_box(&m, center, half);
    graze_mesh *a = maker_finish(&m);
    graze_transform one = graze_transform_identity(), moved = one;
    graze_mesh_overlap out;
    assert_int_equal(query(a, &one, a, &one, &out, NULL), GRAZE_OK);
    assert_true(out.overlap);
    moved.m[7] = -2 * 0x1p20 + 2;
    assert_int_equal(query(a, &one, a, &moved, &out, NULL), GRAZE_OK);
    assert_false(out.overlap);
    moved.m[7] = 0x1p-30;
    assert_int_equal(query(a, &one, a, &moved, &out, NULL), GRAZE_ERROR_RANGE);
    graze_mesh_free(a);
}

/// How far a point is from a triangle, in long double: the least over the plane's foot and edges.
static long double distance(const double p[3], double t[3][3]) {
    long double e[3][3], n[3], d[3], best = INFINITY;
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++) e[c][k] = (long double)t[(c + 1) % 3][k] - t[c][k];
    for (int c = 0; c < 3; c++) { // edges
        long double along = 0, length = 0, s = 0;
        for (int k = 0; k < 3; k++) {
            d[k] = (long double)p[k] - t[c][k];
            along += d[k] * e[c][k];
            length += e[c][k] * e[c][k];
        }
        long double f = length > 0 ? fminl(1, fmaxl(0, along / length)) : 0;
        for (int k = 0; k < 3; k++) s += (d[k] - f * e[c][k]) * (d[k] - f * e[c][k]);
        best = fminl(best, sqrtl(s));
    }
    for (int k = 0; k < 3; k++)
        n[k] = e[0][(k + 1) % 3] * e[1][(k + 2) % 3] - e[0][(k + 2) % 3] * e[1][(k + 1) % 3];
    long double size = sqrtl(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), height = 0;
    bool inside = size > 0;
    for (int c = 0; c < 3; c++) {
        long double side = 0;
        for (int k = 0; k < 3; k++) {
            long double x = (long double)p[(k + 1) % 3] - t[c][(k + 1) % 3],
                        y = (long double)p[(k + 2) % 3] - t[c][(k + 2) % 3];
            side += n[k] * (e[c][(k + 1) % 3] * y - e[c][(k + 2) % 3] * x);
            if (c == 0) height += n[k] * ((long double)p[k] - t[0][k]);
        }
        inside = inside && side >= 0;
    }
    return inside ? fminl(best, fabsl(height) / size) : best;
}

static void corners_of(const maker *m, int64_t triangle, const graze_transform *pose,
                       double out[3][3]) {
    for (int c = 0; c < 3; c++) {
        const double *v = m->v + 3 * (size_t)m->t[3 * triangle + c];
        graze_vec3 w = graze_transform_point(pose, (graze_vec3){v[0], v[1], v[2]});
        memcpy(out[c], &w, sizeof w);
    }
}

static void test_segments_lie_on_both_triangles(void **state) {
    (void)state;
    gz_random r = gz_random_make(1, 0);
    int met = 0;
    for (int round = 0; round < TRIALS(900, 150); round++) {
        maker m[2] = {{0}, {0}};
        graze_mesh *mesh[2];
        graze_transform pose[2];
        double far = round % 2 ? 0 : 50;
        for (int i = 0; i < 2; i++) {
            if (round % 3)
                maker_soup(&m[i], &r, 30, 0.5);
            else
                maker_needles(&m[i], &r, 30);
            maker_triangle(&m[i], m[i].t[0], m[i].t[1], m[i].t[2]); // twice the same: ties
            assert_int_equal(graze_mesh_create(&mesh[i], m[i].v, m[i].nv, m[i].t, m[i].nt, NULL),
                             0);
            pose[i] = maker_pose(&r, 0.5);
            pose[i].m[3] += far;
        }
        graze_mesh_overlap out, surface;
        graze_error e;
        assert_int_equal(query(mesh[0], &pose[0], mesh[1], &pose[1], &out, &e), GRAZE_OK);
        assert_int_equal(graze_meshes_overlap(mesh[0], &pose[0], mesh[1], &pose[1],
                                              GRAZE_POLICY_SURFACE, &surface, NULL),
                         GRAZE_OK);
        assert_int_equal(out.overlap && !out.contained, surface.overlap);
        if (surface.overlap) {
            met++;
            assert_int_equal(out.triangle_a, surface.triangle_a);
            assert_int_equal(out.triangle_b, surface.triangle_b);
            assert_true(out.triangle_a < 30 && out.triangle_b < 30); // the lower of two equal ones
            double a[3][3], b[3][3];
            corners_of(&m[0], out.triangle_a, &pose[0], a);
            corners_of(&m[1], out.triangle_b, &pose[1], b);
            for (int end = 0; end < 2; end++) {
                assert_true(distance(out.segment + 3 * end, a) < 1e-9L);
                assert_true(distance(out.segment + 3 * end, b) < 1e-9L);
            }
        }
        for (int i = 0; i < 2; i++) {
            graze_mesh_free(mesh[i]);
            maker_free(&m[i]);
        }
    }
    assert_true(met > TRIALS(200, 30));
}

static void test_contained_meshes_are_named_on_the_side_of_the_inner_one(void **state) {
    (void)state;
    graze_mesh *big = make_ball(1), *small = make_ball(0.25);
    gz_random r = gz_random_make(2, 0);
    for (int round = 0; round < 50; round++) {
        graze_transform outer = maker_pose(&r, 100), turn = maker_pose(&r, 0.3), inner;
        inner = graze_transform_multiply(&outer, &turn);
        graze_mesh_overlap out;
        graze_error e;
        assert_int_equal(query(big, &outer, small, &inner, &out, &e), GRAZE_OK);
        assert_true(out.overlap && out.contained);
        assert_int_equal(out.triangle_a, -1);
        assert_int_equal(out.triangle_b, 0);
        assert_int_equal(query(small, &inner, big, &outer, &out, &e), GRAZE_OK);
        assert_true(out.overlap && out.contained);
        assert_int_equal(out.triangle_a, 0);
        assert_int_equal(out.triangle_b, -1);
        // The place is a vertex of the part.
        graze_vec3 p = {out.segment[0], out.segment[1], out.segment[2]};
        graze_transform back = graze_transform_inverse(&inner);
        p = graze_transform_point(&back, p);
        assert_true(fabs(sqrt(p.x * p.x + p.y * p.y + p.z * p.z) - 0.25) < 1e-12);
        assert_int_equal(
            graze_meshes_overlap(big, &outer, small, &inner, GRAZE_POLICY_SURFACE, &out, &e),
            GRAZE_OK);
        assert_false(out.overlap || out.contained);
    }
    graze_mesh_free(big);
    graze_mesh_free(small);
}

static void test_order_of_the_meshes_does_not_change_the_verdict(void **state) {
    (void)state;
    gz_random r = gz_random_make(3, 0);
    graze_mesh *a = make_ball(1), *b = make_ball(0.7);
    for (int round = 0; round < 500; round++) {
        graze_transform pa = maker_pose(&r, 0.9), pb = maker_pose(&r, 0.9);
        graze_mesh_overlap one, two;
        assert_int_equal(query(a, &pa, b, &pb, &one, NULL), GRAZE_OK);
        assert_int_equal(query(b, &pb, a, &pa, &two, NULL), GRAZE_OK);
        assert_int_equal(one.overlap, two.overlap);
        assert_int_equal(one.contained, two.contained);
    }
    graze_mesh_free(a);
    graze_mesh_free(b);
}

/// A mesh may not be farther out along any of the coordinates, whichever it is.
static void test_every_coordinate_is_held_to_the_limit(void **state) {
    (void)state;
    const double corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 1};
    const uint32_t triangle[3] = {0, 1, 2};
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create(&mesh, corners, 3, triangle, 1, NULL), GRAZE_OK);
    for (int k = 0; k < 3; k++) {
        graze_transform here = graze_transform_identity(), there = here;
        graze_mesh_overlap out;
        there.m[4 * k + 3] = 0x1p21;
        assert_int_not_equal(
            graze_meshes_overlap(mesh, &here, mesh, &there, GRAZE_POLICY_SURFACE, &out, NULL),
            GRAZE_OK);
        // Within the limit but for the rotated corner itself.
        there.m[4 * k + 3] = 0x1p20 - 0.5;
        assert_int_not_equal(
            graze_meshes_overlap(mesh, &here, mesh, &there, GRAZE_POLICY_SURFACE, &out, NULL),
            GRAZE_OK);
    }
    graze_mesh_free(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_coordinate_is_held_to_the_limit),
        cmocka_unit_test(test_errors_are_never_free),
        cmocka_unit_test(test_meshes_that_end_at_the_limit_exactly_are_in_range),
        cmocka_unit_test(test_segments_lie_on_both_triangles),
        cmocka_unit_test(test_contained_meshes_are_named_on_the_side_of_the_inner_one),
        cmocka_unit_test(test_order_of_the_meshes_does_not_change_the_verdict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
