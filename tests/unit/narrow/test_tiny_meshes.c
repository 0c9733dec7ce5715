// Snapping sets coordinates below 2^-100 to zero: near that size it moves vertices by as much as
// they measure, and no filter may call apart what has met by it.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/random.h"
#include "graze/graze.h"

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
        assert_int_equal(graze_meshes_overlap(mesh[0], pose[0].m, mesh[1], pose[1].m,
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_snapping_brings_together_collides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
