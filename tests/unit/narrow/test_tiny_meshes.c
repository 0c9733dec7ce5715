// Snapping sets coordinates below 2^-100 to zero: near that size it moves vertices by as much as
// they measure, and no filter may call apart what has met by it. Far away it rounds to a grid that
// is as coarse as the meshes are.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/random.h"
#include "graze/graze.h"
#include "math/transform.h"
#include "mesh/cap.h"
#include "mesh/mesh.h"
#include "narrow/containment.h"
#include "narrow/kernel.h"
#include "narrow/triangle/triangle.h"
#include "unit/mesh/mesh_maker.h"

static void random_triangle(gz_random *random, double out[9]) {
    for (int k = 0; k < 9; k++) {
        out[k] = gz_random_range(random, -1, 1) * 2e-30;
        if (fabs(out[k]) < 0x1p-100) out[k] = 0; // as a mesh would be made
    }
}

static graze_transform random_pose(gz_random *random) {
    double xyz[3], rpy[3];
    for (int k = 0; k < 3; k++) {
        xyz[k] = gz_random_range(random, -1, 1) * 2e-30;
        rpy[k] = gz_random_range(random, -3, 3);
    }
    return graze_transform_from_xyz_rpy(xyz, rpy);
}

static void snap(const graze_transform *pose, const double t[9], double out[9]) {
    for (int i = 0; i < 3; i++) {
        graze_vec3 w = graze_transform_point(pose,
                                             (graze_vec3){t[3 * i], t[3 * i + 1], t[3 * i + 2]});
        out[3 * i] = w.x;
        out[3 * i + 1] = w.y;
        out[3 * i + 2] = w.z;
    }
}

static void test_what_snapping_brings_together_collides(void **state) {
    (void)state;
    static const uint32_t corners[3] = {0, 1, 2};
    gz_random random = gz_random_make(4, 0);
    size_t hits = 0;
    for (int i = 0; i < 40000; i++) {
        double t[2][9], w[2][9];
        graze_transform pose[2];
        graze_mesh *mesh[2];
        for (int m = 0; m < 2; m++) {
            random_triangle(&random, t[m]);
            pose[m] = random_pose(&random);
            snap(&pose[m], t[m], w[m]);
            assert_int_equal(graze_mesh_create(&mesh[m], t[m], 3, corners, 1, NULL), GRAZE_OK);
        }
        bool expected = graze_triangles_overlap(w[0], w[1]);
        graze_mesh_overlap result;
        assert_int_equal(graze_meshes_overlap(mesh[0], &pose[0], mesh[1], &pose[1],
                                              GRAZE_POLICY_SURFACE, &result, NULL),
                         GRAZE_OK);
        if (result.overlap != expected)
            fail_msg("pair %d: %s", i, expected ? "a hit was missed" : "a hit was made up");
        hits += expected;
        graze_mesh_free(mesh[0]);
        graze_mesh_free(mesh[1]);
    }
    assert_in_range(hits, 500, 39500);
}

/// Triangles of 2^-44 to 2^-34 of their distance from the world's origin.
static void test_what_the_grid_far_away_brings_together_collides(void **state) {
    (void)state;
    static const uint32_t corners[3] = {0, 1, 2};
    gz_random random = gz_random_make(6, 0);
    size_t hits = 0;
    for (int i = 0; i < 40000; i++) {
        double t[2][9], w[2][9], far = exp2(gz_random_range(&random, 0, 19));
        double size = far * exp2(gz_random_range(&random, -48, -34)), at[3];
        graze_transform pose[2];
        graze_mesh *mesh[2];
        for (int k = 0; k < 3; k++) at[k] = gz_random_range(&random, -1, 1) * far;
        for (int m = 0; m < 2; m++) {
            double rpy[3], place[3];
            for (int k = 0; k < 9; k++) t[m][k] = gz_random_range(&random, -1, 1) * size;
            for (int k = 0; k < 3; k++) {
                rpy[k] = gz_random_range(&random, -3, 3);
                place[k] = at[k] + (m ? gz_random_range(&random, -1, 1) * size : 0);
            }
            pose[m] = graze_transform_from_xyz_rpy(place, rpy);
            snap(&pose[m], t[m], w[m]);
            assert_int_equal(graze_mesh_create(&mesh[m], t[m], 3, corners, 1, NULL), GRAZE_OK);
        }
        bool expected = graze_triangles_overlap(w[0], w[1]);
        graze_mesh_overlap result;
        assert_int_equal(graze_meshes_overlap(mesh[0], &pose[0], mesh[1], &pose[1],
                                              GRAZE_POLICY_SURFACE, &result, NULL),
                         GRAZE_OK);
        if (result.overlap != expected)
            fail_msg("pair %d: %s", i, expected ? "a hit was missed" : "a hit was made up");
        hits += expected;
        graze_mesh_free(mesh[0]);
        graze_mesh_free(mesh[1]);
    }
    assert_in_range(hits, 500, 39500);
}

/// The winding number of a world point, triangle by triangle.
static int winding(const graze_mesh *mesh, const double pose[12], const double point[3]) {
    int sum = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        double corners[3][3];
        gz_triangle_snap(mesh, pose, t, corners);
        sum += gz_winding_crossing(point, GZ_CORNERS(corners));
    }
    return sum;
}

/// Points next to the surfaces of balls whose vertices lie on a coarse grid: boxes and rays leave
/// out no triangle that counts.
static void test_points_on_the_grid_far_away_are_inside_as_the_triangles_say(void **state) {
    (void)state;
    static const double origin[3] = {0, 0, 0};
    gz_random random = gz_random_make(8, 0);
    int inside = 0, outside = 0;
    for (int i = 0; i < 400; i++) {
        double far = exp2(gz_random_range(&random, 0, 19));
        double size = far * exp2(gz_random_range(&random, -48, -36)), at[3], rpy[3];
        for (int k = 0; k < 3; k++) {
            at[k] = gz_random_range(&random, -1, 1) * far;
            rpy[k] = i % 4 ? gz_random_range(&random, -3, 3) : 0;
        }
        maker m = {0};
        maker_sphere(&m, origin, size, 5, 6);
        graze_mesh *mesh = maker_finish(&m);
        graze_transform pose = graze_transform_from_xyz_rpy(at, rpy);
        for (int n = 0; n < 300; n++) {
            const double *v = mesh->vertices +
                              3 * (size_t)gz_random_below(&random, (uint32_t)mesh->vertex_count);
            double p[3];
            gz_snap(pose.m, v, p);
            for (int k = 0; k < 3; k++)
                for (uint32_t step = gz_random_below(&random, 4); step; step--)
                    p[k] = nextafter(p[k], n % 2 ? at[k] : INFINITY);
            graze_stats stats = {0};
            int want = winding(mesh, pose.m, p);
            assert_int_equal(gz_winding_number(p, mesh, pose.m, false, &stats), want);
            assert_int_equal(gz_mesh_contains_point(mesh, pose.m, false, p, NULL, &stats),
                             want != 0);
            *(want ? &inside : &outside) += 1;
        }
        graze_mesh_free(mesh);
    }
    assert_true(inside > 5000 && outside > 5000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_snapping_brings_together_collides),
        cmocka_unit_test(test_what_the_grid_far_away_brings_together_collides),
        cmocka_unit_test(test_points_on_the_grid_far_away_are_inside_as_the_triangles_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
