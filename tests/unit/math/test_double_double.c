// Numbers of two doubles against integers of 128 bits: relative errors below 2^-100.

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "math/double_double.h"

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 bits_of_wide;

static gz_dd from(wide x) {
    double high = (double)x;
    return (gz_dd){high, (double)(x - (wide)high)};
}

static wide to(gz_dd x) {
    return (wide)x.high + (wide)x.low;
}

static wide magnitude(wide x) {
    return x < 0 ? -x : x;
}

/// Within 2^-100 of `size`, and the low part below half a unit of the high one.
static void close_to(gz_dd x, wide exact, wide size) {
    assert_true(magnitude(to(x) - exact) <= (size >> 100) + 1);
    assert_true(x.high + x.low == x.high);
}

/// An integer of up to `bits` bits, at most 126.
static wide draw(gz_random *r, int bits) {
    bits_of_wide all = (bits_of_wide)gz_random_next(r) << 64 | gz_random_next(r);
    wide x = (wide)(all >> (128 - bits + (int)gz_random_below(r, 12)));
    return gz_random_below(r, 2) ? x : -x;
}

static void test_sums_and_products_keep_their_digits(void **state) {
    (void)state;
    gz_random r = gz_random_make(1, 0);
    for (int i = 0; i < 200000; i++) {
        // Parts of a number of 104 bits; and near its negative, where all that is left are low
        // parts.
        wide a = draw(&r, 104), b = i % 3 ? draw(&r, i % 2 ? 104 : 60) : -a + draw(&r, 50);
        gz_dd x = from(a), y = from(b);
        close_to(gz_dd_add(x, y), to(x) + to(y), magnitude(a) + magnitude(b));
        close_to(gz_dd_subtract(x, y), to(x) - to(y), magnitude(a) + magnitude(b));
        assert_true(to(gz_dd_negate(x)) == -to(x));
        assert_int_equal(gz_dd_sign(gz_dd_subtract(x, y)), (to(x) > to(y)) - (to(x) < to(y)));
        wide c = draw(&r, 62), d = draw(&r, 62);
        close_to(gz_dd_multiply(from(c), from(d)), c * d, magnitude(c * d));
        assert_true(gz_dd_round(x) == (double)to(x));
    }
}

/// Where the leading parts cancel, the sum of the others has two parts again: nothing is lost.
static void test_sums_that_cancel_keep_the_error_of_their_low_halves(void **state) {
    (void)state;
    gz_random r = gz_random_make(4, 0);
    for (int i = 0; i < 50000; i++) {
        double high = (double)(draw(&r, 52) | (wide)1 << 52) * 0x1p60;
        gz_dd x = {high, (double)draw(&r, 53) * 0x1p5}, y = {-high, (double)draw(&r, 40)};
        assert_true(to(gz_dd_add(x, y)) == to(x) + to(y));
        assert_true(to(gz_dd_subtract(x, gz_dd_negate(y))) == to(x) + to(y));
    }
}

static double relative(gz_dd x, gz_dd y) {
    return fabs(gz_dd_round(gz_dd_subtract(x, y)) / y.high);
}

static void test_quotients_and_roots_multiply_back(void **state) {
    (void)state;
    gz_random r = gz_random_make(2, 0);
    for (int i = 0; i < 100000; i++) {
        gz_dd a = from(draw(&r, 104)), b = from(draw(&r, 104));
        if (b.high == 0 || a.high == 0) continue;
        assert_true(relative(gz_dd_multiply(gz_dd_divide(a, b), b), a) < 0x1p-98);
        gz_dd square = a.high < 0 ? gz_dd_negate(a) : a, root = gz_dd_sqrt(square);
        assert_true(relative(gz_dd_multiply(root, root), square) < 0x1p-98);
    }
    assert_true(gz_dd_sqrt(gz_dd_of(0)).high == 0);
    assert_true(gz_dd_sqrt(gz_dd_of(-1)).high == 0);
    assert_true(gz_dd_sqrt(gz_dd_of(0x1p-600)).high == 0x1p-300);
}

static void test_dots_and_crosses_are_those_of_integers(void **state) {
    (void)state;
    gz_random r = gz_random_make(3, 0);
    for (int i = 0; i < 50000; i++) {
        wide a[3], b[3], cross[3], dot = 0, size = 0;
        gz_dd x[3], y[3], out[3];
        for (int k = 0; k < 3; k++) {
            x[k] = from(a[k] = draw(&r, 61));
            y[k] = from(b[k] = draw(&r, 61));
            dot += a[k] * b[k];
            size += magnitude(a[k] * b[k]);
        }
        cross[0] = a[1] * b[2] - a[2] * b[1];
        cross[1] = a[2] * b[0] - a[0] * b[2];
        cross[2] = a[0] * b[1] - a[1] * b[0];
        close_to(gz_dd_dot(x, y), dot, size);
        gz_dd_cross(x, y, out);
        for (int k = 0; k < 3; k++) close_to(out[k], cross[k], (wide)1 << 123);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_and_products_keep_their_digits),
        cmocka_unit_test(test_sums_that_cancel_keep_the_error_of_their_low_halves),
        cmocka_unit_test(test_quotients_and_roots_multiply_back),
        cmocka_unit_test(test_dots_and_crosses_are_those_of_integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
