// What the build does with floating point: no fused operations, no excess precision, no flushing,
// rounding to nearest. The exact predicates and equal bits everywhere rest on it.

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "math/expansion.h"
#include "math/transform.h"

/// 1 + 2^-30 squared is 1 + 2^-29 + 2^-60: rounded, the last term is lost; fused, it stays.
static void test_products_and_sums_are_not_fused(void **state) {
    (void)state;
    volatile double va = 1 + 0x1p-30, vb = 1 + 0x1p-30, vc = -(1 + 0x1p-29);
    double a = va, b = vb, c = vc;
    double plain = a * b + c;
    assert_true(plain == 0);
    assert_true(fma(a, b, c) == 0x1p-60); // the values tell the two apart
    assert_true(c + a * b == 0);
    assert_true(a * b - -c == 0);
    volatile float vf = 1 + 0x1p-13f, vg = -(1 + 0x1p-12f);
    float f = vf, g = vg;
    assert_true(f * f + g == 0);
    // The library's own inline functions, compiled here.
    double row[12] = {a, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, p[3] = {b, c, 0}, out[3];
    gz_transform_apply(row, p, out);
    assert_true(out[0] == 0);
    double u[3] = {a, c, 0}, v[3] = {b, 1, 0};
    assert_true(gz_dot(u, v) == 0);
}

/// And those that were compiled into the library.
static void test_library_was_built_without_fused_operations(void **state) {
    (void)state;
    graze_transform t = {{1 + 0x1p-30, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    graze_vec3 p = graze_transform_point(&t, (graze_vec3){1 + 0x1p-30, -(1 + 0x1p-29), 0});
    assert_true(p.x == 0);
    graze_transform m = {{1 + 0x1p-30, 0, 0, -(1 + 0x1p-29), 0, 1, 0, 0, 0, 0, 1, 0}};
    graze_transform n = {{1, 0, 0, 1 + 0x1p-30, 0, 1, 0, 0, 0, 0, 1, 0}};
    assert_true(graze_transform_multiply(&m, &n).m[3] == 0);
    double e[1] = {1 + 0x1p-30}, h[2];
    assert_int_equal(gz_expansion_scale(e, 1, 1 + 0x1p-30, h), 2);
    assert_true(h[0] == 0x1p-60 && h[1] == 1 + 0x1p-29);
}

static void test_doubles_are_rounded_to_nearest_even(void **state) {
    (void)state;
    assert_int_equal(fegetround(), FE_TONEAREST);
    volatile double one = 1, half_ulp = 0x1p-53;
    assert_true(one + half_ulp == 1);
    assert_true((1 + 0x1p-52) + half_ulp == 1 + 0x1p-51);
    assert_true(one + half_ulp * (1 + 0x1p-52) == 1 + 0x1p-52);
    assert_true(-one - half_ulp == -1);
    volatile double third = one / 3;
    assert_true(third == 0x1.5555555555555p-2);
    volatile float f = 1.0f, g = 0x1p-24f;
    assert_true(f + g == 1.0f);
}

static void test_denormals_infinities_and_nan_are_kept(void **state) {
    (void)state;
    volatile double small = DBL_MIN, big = DBL_MAX, nan = NAN;
    assert_true(small / 4 == 0x1p-1024 && small / 4 != 0);
    assert_true(big * 2 == INFINITY);
    assert_true(nan != nan);
    assert_false(nan <= 1 || nan >= 1);
    volatile double zero = -0.0;
    assert_true(signbit(zero) && signbit(zero + -0.0) && !signbit(zero + 0.0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products_and_sums_are_not_fused),
        cmocka_unit_test(test_library_was_built_without_fused_operations),
        cmocka_unit_test(test_doubles_are_rounded_to_nearest_even),
        cmocka_unit_test(test_denormals_infinities_and_nan_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
