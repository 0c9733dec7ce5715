// <graze/cglm.h>: what goes to cglm and back is the same to the rounding of a float.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "graze/cglm.h"
#include "graze/world.h"

enum { CASES = 2000 };

/// A number in [-1, 1] of a sequence that is the same everywhere.
static double next(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(int64_t)*state / 0x1p63;
}

static graze_transform random_transform(uint64_t *state, double size) {
    const double xyz[3] = {size * next(state), size * next(state), size * next(state)};
    const double xyzw[4] = {next(state), next(state), next(state), next(state)};
    return graze_transform_from_xyz_quat(xyz, xyzw);
}

static void test_vectors_are_rounded_once_and_widened_exactly(void **context) {
    (void)context;
    uint64_t state = 1;
    for (int i = 0; i < CASES; i++) {
        double size = pow(10, 6 * next(&state));
        graze_vec3 v = {size * next(&state), size * next(&state), size * next(&state)};
        vec3 f;
        graze_vec3_to_cglm(v, f);
        graze_vec3 back = graze_vec3_from_cglm(f);
        const double in[3] = {v.x, v.y, v.z}, out[3] = {back.x, back.y, back.z};
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(out[k] - in[k]) <= 0x1p-24 * fabs(in[k]));
            assert_true((float)out[k] == f[k]);
        }
    }
}

/// cglm's product with the matrix, against R p + t summed here in double.
static void test_matrices_map_points_as_the_transforms_do(void **context) {
    (void)context;
    uint64_t state = 2;
    for (int i = 0; i < CASES; i++) {
        double size = pow(10, 2 * next(&state));
        graze_transform t = random_transform(&state, size);
        mat4 m;
        graze_transform_to_cglm(&t, m);
        vec4 p = {(float)next(&state), (float)next(&state), (float)next(&state), 1}, q;
        glm_mat4_mulv(m, p, q);
        for (int row = 0; row < 3; row++) {
            double wanted = t.m[4 * row + 3], sum = fabs(wanted);
            for (int k = 0; k < 3; k++) {
                wanted += t.m[4 * row + k] * (double)p[k];
                sum += fabs(t.m[4 * row + k] * (double)p[k]);
            }
            // Entry, product and three sums round: five times half a unit in the last place.
            assert_true(fabs((double)q[row] - wanted) <= 5.1 * 0x1p-24 * sum);
        }
        assert_true(q[3] == 1);
    }
}

static void test_transforms_come_back_rigid(void **context) {
    (void)context;
    uint64_t state = 3;
    graze_world *world;
    assert_int_equal(graze_world_create(&world, "scene", NULL), GRAZE_OK);
    for (int i = 0; i < CASES; i++) {
        graze_transform t = random_transform(&state, 50), back;
        mat4 m;
        graze_transform_to_cglm(&t, m);
        assert_true(graze_transform_from_cglm(&back, m));
        for (int k = 0; k < 12; k++) {
            double bound = k % 4 == 3 ? 0x1p-24 * fabs(t.m[k]) : 4e-7;
            assert_true(fabs(back.m[k] - t.m[k]) <= bound);
        }
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
                double dot = 0;
                for (int row = 0; row < 3; row++) dot += back.m[4 * row + a] * back.m[4 * row + b];
                assert_true(fabs(dot - (a == b)) <= 1e-14);
            }
        const double size[3] = {1, 1, 1};
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        if (i < 10) assert_int_equal(graze_world_add_box(world, name, size, &back, NULL), GRAZE_OK);
    }
    graze_world_free(world);
}

static void test_the_identity_is_exact(void **context) {
    (void)context;
    graze_transform one = graze_transform_identity(), back;
    mat4 m, wanted = GLM_MAT4_IDENTITY_INIT;
    graze_transform_to_cglm(&one, m);
    assert_memory_equal(m, wanted, sizeof m);
    assert_true(graze_transform_from_cglm(&back, m));
    assert_memory_equal(&back, &one, sizeof back);
}

/// Chains of products in float are orthonormal to some 1e-6: they still are poses.
static void test_products_of_many_matrices_are_taken(void **context) {
    (void)context;
    uint64_t state = 4;
    mat4 product = GLM_MAT4_IDENTITY_INIT;
    for (int i = 0; i < 50; i++) {
        graze_transform t = random_transform(&state, 1), back;
        mat4 m;
        graze_transform_to_cglm(&t, m);
        glm_mat4_mul(product, m, product);
        assert_true(graze_transform_from_cglm(&back, product));
    }
}

static void test_what_is_no_pose_is_refused(void **context) {
    (void)context;
    static const struct {
        int column, row;
        float value;
    } faults[] = {{0, 0, 2},    {1, 1, -1},       {2, 2, -1},       {2, 2, 1.001f},
                  {1, 0, 0.5f}, {2, 0, 0.01f},    {0, 3, 0.1f},     {3, 3, 0},
                  {0, 0, 0},    {1, 1, NAN},      {3, 0, INFINITY}, {3, 1, NAN},
                  {0, 0, NAN},  {2, 1, INFINITY}, {3, 3, 2},        {1, 1, FLT_MAX}};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        mat4 m = GLM_MAT4_IDENTITY_INIT;
        m[faults[i].column][faults[i].row] = faults[i].value;
        graze_transform out = {{7}};
        assert_false(graze_transform_from_cglm(&out, m));
        assert_true(out.m[0] == 7);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors_are_rounded_once_and_widened_exactly),
        cmocka_unit_test(test_matrices_map_points_as_the_transforms_do),
        cmocka_unit_test(test_transforms_come_back_rigid),
        cmocka_unit_test(test_the_identity_is_exact),
        cmocka_unit_test(test_products_of_many_matrices_are_taken),
        cmocka_unit_test(test_what_is_no_pose_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
