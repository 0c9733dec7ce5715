// Rigid transforms against the same things said differently, in long double.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "graze/types.h"
#include "math/transform.h"
#include "math/trigonometry.h"

typedef long double real;

/// Rotation matrix of an axis and an angle, entry by entry (Rodrigues).
static void rotation(const real axis[3], real angle, real out[9]) {
    real c = cosl(angle), s = sinl(angle), t = 1 - c;
    real x = axis[0], y = axis[1], z = axis[2];
    real m[9] = {t * x * x + c,     t * x * y - s * z, t * x * z + s * y,
                 t * x * y + s * z, t * y * y + c,     t * y * z - s * x,
                 t * x * z - s * y, t * y * z + s * x, t * z * z + c};
    memcpy(out, m, sizeof m);
}

static void multiply(const real a[9], const real b[9], real out[9]) {
    real m[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            m[3 * i + j] = 0;
            for (int k = 0; k < 3; k++) m[3 * i + j] += a[3 * i + k] * b[3 * k + j];
        }
    memcpy(out, m, sizeof m);
}

static real rotation_error(const double m[12], const real want[9]) {
    real worst = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            worst = fmaxl(worst, fabsl((real)m[4 * i + j] - want[3 * i + j]));
    return worst;
}

static graze_transform random_pose(gz_random *r, double far) {
    double xyz[3], q[4];
    for (int i = 0; i < 3; i++) xyz[i] = gz_random_range(r, -far, far);
    for (int i = 0; i < 4; i++) q[i] = gz_random_range(r, -1, 1);
    return graze_transform_from_xyz_quat(xyz, q);
}

static void test_rpy_turns_about_fixed_axes_x_then_y_then_z(void **state) {
    (void)state;
    gz_random r = gz_random_make(1, 0);
    static const real x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
    for (int i = 0; i < 5000; i++) {
        double range = i % 3 ? 4 : 0x1p20, xyz[3], rpy[3];
        for (int k = 0; k < 3; k++) {
            xyz[k] = gz_random_range(&r, -5, 5);
            rpy[k] = gz_random_range(&r, -range, range);
        }
        real rx[9], ry[9], rz[9], want[9];
        rotation(x, rpy[0], rx);
        rotation(y, rpy[1], ry);
        rotation(z, rpy[2], rz);
        multiply(ry, rx, want);
        multiply(rz, want, want);
        graze_transform t = graze_transform_from_xyz_rpy(xyz, rpy);
        assert_true(rotation_error(t.m, want) < 1e-15L);
        for (int k = 0; k < 3; k++) assert_true(t.m[4 * k + 3] == xyz[k]);
        assert_true(gz_transform_is_rigid(t.m, 1e-14));
    }
    // Quarter turns by hand: roll takes y to z, pitch z to x, yaw x to y.
    double zero[3] = {0, 0, 0}, yaw[3] = {0, 0, 1.5707963267948966};
    graze_transform t = graze_transform_from_xyz_rpy(zero, yaw);
    graze_vec3 p = graze_transform_point(&t, (graze_vec3){1, 0, 0});
    assert_true(fabs(p.x) < 1e-15 && fabs(p.y - 1) < 1e-15 && p.z == 0);
}

static void test_quaternions_turn_about_their_vector(void **state) {
    (void)state;
    gz_random r = gz_random_make(2, 0);
    for (int i = 0; i < 5000; i++) {
        double q[4], xyz[3] = {1, 2, 3}, scale = pow(10, gz_random_range(&r, -6, 6));
        for (int k = 0; k < 4; k++) q[k] = scale * gz_random_range(&r, -1, 1);
        real length = sqrtl((real)q[0] * q[0] + (real)q[1] * q[1] + (real)q[2] * q[2]);
        real axis[3] = {q[0] / length, q[1] / length, q[2] / length}, want[9];
        rotation(axis, 2 * atan2l(length, q[3]), want);
        graze_transform t = graze_transform_from_xyz_quat(xyz, q);
        assert_true(rotation_error(t.m, want) < 2e-15L);
        assert_true(t.m[3] == 1 && t.m[7] == 2 && t.m[11] == 3);
    }
    double none[4] = {0, 0, 0, -2}, origin[3] = {0, 0, 0};
    graze_transform one = graze_transform_identity();
    graze_transform t = graze_transform_from_xyz_quat(origin, none);
    assert_true(rotation_error(t.m, (real[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}) == 0);
    assert_true(one.m[0] == 1 && one.m[5] == 1 && one.m[10] == 1);
}

static void test_products_and_inverses_act_on_points(void **state) {
    (void)state;
    gz_random r = gz_random_make(3, 0);
    for (int i = 0; i < 5000; i++) {
        graze_transform a = random_pose(&r, 50), b = random_pose(&r, 50);
        graze_vec3 p = {gz_random_range(&r, -9, 9), gz_random_range(&r, -9, 9),
                        gz_random_range(&r, -9, 9)};
        graze_transform ab = graze_transform_multiply(&a, &b), back = graze_transform_inverse(&a);
        graze_vec3 inner = graze_transform_point(&b, p), two = graze_transform_point(&a, inner);
        graze_vec3 one = graze_transform_point(&ab, p);
        assert_true(fabs(one.x - two.x) + fabs(one.y - two.y) + fabs(one.z - two.z) < 1e-12);
        graze_vec3 home = graze_transform_point(&a, p);
        home = graze_transform_point(&back, home);
        assert_true(fabs(home.x - p.x) + fabs(home.y - p.y) + fabs(home.z - p.z) < 1e-12);
        double rel[12], want[12];
        gz_transform_relative(a.m, b.m, rel);
        graze_transform inverse = graze_transform_inverse(&b);
        gz_transform_compose(inverse.m, a.m, want);
        for (int k = 0; k < 12; k++) assert_true(fabs(rel[k] - want[k]) < 1e-12);
        double v[3] = {p.x, p.y, p.z}, turned[3], undone[3];
        gz_transform_rotate(a.m, v, turned);
        gz_transform_unrotate(a.m, turned, undone);
        for (int k = 0; k < 3; k++) assert_true(fabs(undone[k] - v[k]) < 1e-13);
    }
}

/// The promise of the contract: sums from left to right, each operation rounded, and tiny results
/// set to zero. volatile keeps every step apart.
static void test_points_are_rounded_step_by_step_and_snapped(void **state) {
    (void)state;
    gz_random r = gz_random_make(4, 0);
    for (int i = 0; i < 20000; i++) {
        graze_transform t = random_pose(&r, i % 2 ? 1e5 : 1e-3);
        double p[3] = {gz_random_range(&r, -9, 9), gz_random_range(&r, -9, 9),
                       gz_random_range(&r, -9, 9)};
        graze_vec3 got = graze_transform_point(&t, (graze_vec3){p[0], p[1], p[2]});
        const double all[3] = {got.x, got.y, got.z};
        for (int k = 0; k < 3; k++) {
            volatile double x = t.m[4 * k] * p[0], y = t.m[4 * k + 1] * p[1],
                            z = t.m[4 * k + 2] * p[2];
            volatile double sum = x + y;
            sum = sum + z;
            sum = sum + t.m[4 * k + 3];
            double want = fabs(sum) < 0x1p-100 ? 0 : sum;
            assert_true(memcmp(&want, &all[k], sizeof want) == 0);
        }
    }
    graze_transform one = graze_transform_identity();
    graze_vec3 p = graze_transform_point(&one, (graze_vec3){0x1p-101, -0x1.fp-101, 0x1p-100});
    assert_true(p.x == 0 && p.y == 0 && p.z == 0x1p-100);
    assert_false(signbit(p.x) || signbit(p.y));
}

static void test_rigid_means_orthonormal_finite_and_right_handed(void **state) {
    (void)state;
    gz_random r = gz_random_make(5, 0);
    for (int i = 0; i < 2000; i++) {
        graze_transform t = random_pose(&r, 10), bad = t;
        assert_true(gz_transform_is_rigid(t.m, 1e-9));
        bad.m[gz_random_below(&r, 12)] = i % 2 ? NAN : -INFINITY;
        assert_false(gz_transform_is_rigid(bad.m, 1e-9));
        bad = t;
        for (int k = 0; k < 3; k++) bad.m[4 * k] = -bad.m[4 * k]; // mirrored
        assert_false(gz_transform_is_rigid(bad.m, 1e-9));
        bad = t;
        for (int k = 0; k < 3; k++) bad.m[4 * k + 1] *= 1 + 1e-8; // stretched
        assert_false(gz_transform_is_rigid(bad.m, 1e-9));
        assert_true(gz_transform_is_rigid(bad.m, 1e-7));
        bad = t;
        for (int k = 0; k < 3; k++) bad.m[4 * k] += 1e-8 * bad.m[4 * k + 2]; // sheared
        assert_false(gz_transform_is_rigid(bad.m, 1e-9));
    }
    double zero[12] = {0};
    assert_false(gz_transform_is_rigid(zero, 1e-9));
}

static void test_very_long_and_very_short_quaternions_are_normalised(void **state) {
    (void)state;
    static const double xyz[3] = {1, 2, 3}, scales[] = {0x1p-1000, 0x1p-600, 0x1p500, 0x1p1020};
    const double plain[4] = {0.1, -0.7, 0.3, 0.6};
    graze_transform expected = graze_transform_from_xyz_quat(xyz, plain);
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        double scaled[4];
        for (int k = 0; k < 4; k++) scaled[k] = plain[k] * scales[i];
        graze_transform t = graze_transform_from_xyz_quat(xyz, scaled);
        for (int k = 0; k < 12; k++) assert_true(fabs(t.m[k] - expected.m[k]) <= 1e-15);
    }
}

/// Error bounds grow with it: a coordinate that is left out, or counts with its sign, makes them
/// too small.
static void test_how_far_a_frame_is_counts_every_coordinate_in_both_directions(void **state) {
    (void)state;
    graze_transform t = graze_transform_identity();
    assert_true(gz_transform_far(t.m) == 0);
    for (int k = 0; k < 3; k++)
        for (int sign = -1; sign <= 1; sign += 2) {
            for (int j = 0; j < 3; j++) t.m[4 * j + 3] = j == k ? sign * 7 : 3 - 2 * j;
            assert_true(gz_transform_far(t.m) == 7);
        }
}

/// The nearest rotation to A is the R for which R^T A is symmetric (and positive): the orthogonal
/// factor of its polar decomposition.
static void test_normalised_rotations_are_the_nearest_ones(void **state) {
    (void)state;
    gz_random r = gz_random_make(6, 0);
    for (int i = 0; i < 20000; i++) {
        graze_transform exact = random_pose(&r, 1000), off = exact, out;
        double size = i % 3 == 0 ? 0 : pow(10, gz_random_range(&r, -9, -2.5));
        for (int k = 0; k < 12; k++)
            if (k % 4 < 3) off.m[k] = (float)(off.m[k] + gz_random_range(&r, -size, size));
        assert_int_equal(graze_transform_normalise(&out, &off), GRAZE_OK);
        assert_true(gz_transform_is_rigid(out.m, 2e-15));
        for (int k = 0; k < 3; k++) assert_true(out.m[4 * k + 3] == exact.m[4 * k + 3]);
        for (int row = 0; row < 3; row++) {
            for (int column = 0; column < row; column++) {
                double skew = 0;
                for (int k = 0; k < 3; k++)
                    skew += out.m[4 * k + row] * off.m[4 * k + column] -
                            out.m[4 * k + column] * off.m[4 * k + row];
                assert_true(fabs(skew) < 4e-15);
            }
        }
        for (int k = 0; k < 12; k++) assert_true(fabs(out.m[k] - off.m[k]) <= 4 * size + 3e-7);
        // In place, and again: nothing changes but the last bits.
        graze_transform again = out;
        assert_int_equal(graze_transform_normalise(&again, &again), GRAZE_OK);
        for (int k = 0; k < 12; k++) assert_true(fabs(again.m[k] - out.m[k]) < 1e-15);
    }
    graze_transform t = graze_transform_identity(), kept = t, bad = t;
    assert_int_equal(graze_transform_normalise(NULL, &t), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_transform_normalise(&t, NULL), GRAZE_ERROR_ARGUMENT);
    bad.m[0] = -1; // a mirror image
    assert_int_equal(graze_transform_normalise(&t, &bad), GRAZE_ERROR_RANGE);
    bad.m[0] = 1.1; // a scale
    assert_int_equal(graze_transform_normalise(&t, &bad), GRAZE_ERROR_RANGE);
    bad.m[0] = NAN;
    assert_int_equal(graze_transform_normalise(&t, &bad), GRAZE_ERROR_RANGE);
    assert_memory_equal(&t, &kept, sizeof t);
}

/// Both angles of a turn by +-90 degrees of pitch may be any that fit each other.
static void test_angles_of_a_transform_give_it_back(void **state) {
    (void)state;
    gz_random r = gz_random_make(7, 0);
    for (int i = 0; i < 60000; i++) {
        double place[6], out[6];
        for (int k = 0; k < 6; k++)
            place[k] = gz_random_range(&r, k < 3 ? -9 : -GZ_PI, k < 3 ? 9 : GZ_PI);
        if (i % 4 == 1) // near a pitch where roll and yaw are one, and at it
            place[4] = (i % 8 == 1 ? 1 : -1) * (GZ_PI / 2 - pow(10, gz_random_range(&r, -20, -1)));
        if (i % 4 == 2) // multiples of an eighth of a turn
            for (int k = 3; k < 6; k++) place[k] = GZ_PI / 4 * floor(gz_random_range(&r, -4, 5));
        graze_transform given = graze_transform_from_xyz_rpy(place, place + 3), back;
        if (i % 4 == 3) given = random_pose(&r, 1000);
        assert_int_equal(graze_transform_to_xyz_rpy(out, &given), GRAZE_OK);
        assert_true(fabs(out[4]) <= GZ_PI / 2 && fabs(out[3]) <= GZ_PI && fabs(out[5]) <= GZ_PI);
        back = graze_transform_from_xyz_rpy(out, out + 3);
        for (int k = 0; k < 12; k++) {
            double off = fabs(back.m[k] - given.m[k]);
            if (!(off <= (k % 4 == 3 ? 0 : 4e-15))) fail_msg("entry %d is off by %g", k, off);
        }
    }
    const graze_transform flat = graze_transform_identity();
    double out[6] = {7, 7, 7, 7, 7, 7};
    assert_int_equal(graze_transform_to_xyz_rpy(out, &flat), GRAZE_OK);
    for (int k = 0; k < 6; k++) assert_true(out[k] == 0);
    graze_transform bad = flat;
    bad.m[1] = 1e-8;
    assert_int_equal(graze_transform_to_xyz_rpy(out, &bad), GRAZE_ERROR_RANGE);
    bad.m[1] = NAN;
    assert_int_equal(graze_transform_to_xyz_rpy(out, &bad), GRAZE_ERROR_RANGE);
    assert_int_equal(graze_transform_to_xyz_rpy(NULL, &flat), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_transform_to_xyz_rpy(out, NULL), GRAZE_ERROR_ARGUMENT);
    for (int k = 0; k < 6; k++) assert_true(out[k] == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rpy_turns_about_fixed_axes_x_then_y_then_z),
        cmocka_unit_test(test_quaternions_turn_about_their_vector),
        cmocka_unit_test(test_normalised_rotations_are_the_nearest_ones),
        cmocka_unit_test(test_angles_of_a_transform_give_it_back),
        cmocka_unit_test(test_very_long_and_very_short_quaternions_are_normalised),
        cmocka_unit_test(test_products_and_inverses_act_on_points),
        cmocka_unit_test(test_points_are_rounded_step_by_step_and_snapped),
        cmocka_unit_test(test_how_far_a_frame_is_counts_every_coordinate_in_both_directions),
        cmocka_unit_test(test_rigid_means_orthonormal_finite_and_right_handed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
