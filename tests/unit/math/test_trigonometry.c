// Sine and cosine against the C library's long double: the error stays within the bound that the
// rest of the project builds on, near every kind of argument.

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"
#include "math/trigonometry.h"

static long double worst;

static void check(double x) {
    double s, c;
    gz_sine_cosine(x, &s, &c);
    // x87 long double: 64 bits, so the oracle's own error is below 2^-62.
    long double es = fabsl((long double)s - sinl(x)), ec = fabsl((long double)c - cosl(x));
    worst = fmaxl(worst, fmaxl(es, ec));
    if (!(es <= GZ_TRIGONOMETRY_ERROR && ec <= GZ_TRIGONOMETRY_ERROR))
        fail_msg("x = %a: sine off by %Lg, cosine by %Lg", x, es, ec);
}

static void worst_of_many(void) {
    gz_random r = gz_random_make(2, 0);
    worst = 0;
    for (int i = 0; i < 400000; i++) check(gz_random_range(&r, -40, 40));
}

/// The parts of the reduced argument that doubles round off are carried along: without them the
/// errors would be half as large again, and still within the bound.
static void test_errors_are_those_of_the_last_rounding(void **state) {
    (void)state;
    worst_of_many();
    print_message("worst error %.3Lg of 2^-53\n", worst * 0x1p53L);
    assert_true(worst < 0.9L * 0x1p-53L);
}

static int setup(void **state) {
    (void)state;
    return LDBL_MANT_DIG >= 64 ? 0 : -1;
}

static void test_errors_stay_within_the_bound(void **state) {
    (void)state;
    gz_random r = gz_random_make(1, 0);
    for (int e = -60; e <= 20; e++)
        for (int i = 0; i < 2000; i++) {
            double x = ldexp(gz_random_range(&r, 0.5, 1), e);
            check(x);
            check(-x);
        }
    for (int i = 0; i < 50000; i++) check(gz_random_range(&r, -4, 4));
    print_message("worst error %.3Lg of the bound\n", worst / GZ_TRIGONOMETRY_ERROR);
    assert_true(worst > GZ_TRIGONOMETRY_ERROR / 64); // the oracle sees rounding errors at all
}

static void test_errors_stay_within_the_bound_at_multiples_of_quarter_turns(void **state) {
    (void)state;
    const long double half_pi = 1.57079632679489661923132169163975144L;
    for (long n = 0; n < 667544; n += n < 3000 ? 1 : 331) {
        for (int eighth = 0; eighth < 2; eighth++) { // and where the octants change
            double x = (double)(((long double)n + 0.5L * eighth) * half_pi);
            if (x > GZ_ANGLE_MAX) continue;
            double down = x, up = x;
            for (int k = 0; k < 3; k++) {
                check(down);
                check(-up);
                down = nextafter(down, -INFINITY);
                up = fmin(nextafter(up, INFINITY), GZ_ANGLE_MAX);
            }
        }
    }
    check(GZ_ANGLE_MAX);
    check(-GZ_ANGLE_MAX);
}

static void test_special_arguments_are_exact(void **state) {
    (void)state;
    double s, c;
    gz_sine_cosine(0, &s, &c);
    assert_true(s == 0 && c == 1);
    gz_sine_cosine(-0.0, &s, &c);
    assert_true(s == 0 && c == 1);
    gz_sine_cosine(DBL_MIN, &s, &c);
    assert_true(fabs(s - DBL_MIN) <= DBL_MIN * 0x1p-52 && c == 1);
    gz_random r = gz_random_make(2, 0);
    for (int i = 0; i < 10000; i++) { // odd and even, bit for bit
        double x = gz_random_range(&r, 0, 100), s2, c2;
        gz_sine_cosine(x, &s, &c);
        gz_sine_cosine(-x, &s2, &c2);
        assert_true(s2 == -s && c2 == c);
        assert_true(fabs(s) <= 1 + GZ_TRIGONOMETRY_ERROR && fabs(c) <= 1 + GZ_TRIGONOMETRY_ERROR);
    }
}

static void test_arguments_out_of_range_give_no_number(void **state) {
    (void)state;
    const double bad[] = {NAN, INFINITY, -INFINITY, 1e300, nextafter(GZ_ANGLE_MAX, INFINITY)};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double s = 0, c = 0;
        gz_sine_cosine(bad[i], &s, &c);
        assert_true(isnan(s) && isnan(c));
    }
}

static void test_angles_of_vectors_are_those_of_the_c_library(void **state) {
    (void)state;
    gz_random r = gz_random_make(3, 0);
    long double most = 0;
    for (int i = 0; i < 400000; i++) {
        double x = gz_random_range(&r, -1, 1), y = gz_random_range(&r, -1, 1);
        if (i % 3 == 1) y = ldexp(y, -(i % 80));
        if (i % 3 == 2) x = ldexp(x, -(i % 80));
        most = fmaxl(most, fabsl(gz_vector_angle(y, x) - atan2l(y, x)));
    }
    print_message("worst error %.3Lg of 2^-53\n", most * 0x1p53L);
    assert_true(most < 0x1p-50L && most > 0x1p-54L);
    assert_true(gz_vector_angle(0, 0) == 0 && gz_vector_angle(0, 3) == 0);
    assert_true(gz_vector_angle(0, -2) == GZ_PI && gz_vector_angle(5, 0) == GZ_PI / 2);
    assert_true(gz_vector_angle(-5, 0) == -GZ_PI / 2 && gz_vector_angle(2, 2) == GZ_PI / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors_stay_within_the_bound),
        cmocka_unit_test(test_errors_stay_within_the_bound_at_multiples_of_quarter_turns),
        cmocka_unit_test(test_errors_are_those_of_the_last_rounding),
        cmocka_unit_test(test_special_arguments_are_exact),
        cmocka_unit_test(test_angles_of_vectors_are_those_of_the_c_library),
        cmocka_unit_test(test_arguments_out_of_range_give_no_number),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
