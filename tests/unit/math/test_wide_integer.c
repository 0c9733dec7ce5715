// Wide integers: against the compiler's 128-bit numbers, and by the laws of arithmetic.

#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "math/wide_integer.h"

__extension__ typedef __int128 wide128;

static wide128 value_of(const gz_wide *a) {
    wide128 sum = 0;
    for (int32_t i = a->count - 1; i >= 0; i--) sum = (sum << 32) + a->limb[i];
    return a->sign < 0 ? -sum : sum;
}

static void assert_sound(const gz_wide *a) {
    assert_true(a->count >= 0 && a->count <= GZ_WIDE_LIMBS);
    assert_true((a->count == 0) == (a->sign == 0));
    if (a->count) assert_int_not_equal(a->limb[a->count - 1], 0);
}

/// Numbers of every length, with runs of zeros and ones, where carries go wrong.
static double draw(gz_random *random, int bits) {
    double x = ldexp((double)(gz_random_next(random) >> 11), -53);
    uint32_t kind = gz_random_below(random, 6);
    if (kind == 0) x = 0;
    if (kind == 1) x = 1;
    if (kind == 2) x = 1 - 0x1p-53;
    if (kind == 3) x = 0.5 + 0x1p-53;
    int shift = (int)gz_random_below(random, (uint32_t)bits);
    return floor(ldexp(x, shift)) * (gz_random_below(random, 2) ? 1 : -1);
}

static void test_small_numbers_are_those_of_128_bits(void **state) {
    (void)state;
    gz_random random = gz_random_make(1, 1);
    for (int i = 0; i < 200000; i++) {
        double x = draw(&random, 61), y = draw(&random, 61);
        gz_wide a, b, c;
        gz_wide_set(&a, x, 0);
        gz_wide_set(&b, y, 0);
        assert_true(value_of(&a) == (wide128)x && value_of(&b) == (wide128)y);
        gz_wide_add(&c, &a, &b);
        assert_sound(&c);
        assert_true(value_of(&c) == (wide128)x + (wide128)y);
        gz_wide_subtract(&c, &a, &b);
        assert_sound(&c);
        assert_true(value_of(&c) == (wide128)x - (wide128)y);
        gz_wide_multiply(&c, &a, &b);
        assert_sound(&c);
        assert_true(value_of(&c) == (wide128)x * (wide128)y);
        assert_int_equal(gz_wide_compare(&a, &b), (x > y) - (x < y));
    }
}

/// A number of up to 5 pieces, 30 limbs long at most.
static void draw_long(gz_random *random, gz_wide *out) {
    gz_wide piece;
    gz_wide_set(out, draw(random, 53), 0);
    for (uint32_t i = gz_random_below(random, 5); i > 0; i--) {
        gz_wide_set(&piece, ldexp(draw(random, 53), 53), (int)gz_random_below(random, 53));
        gz_wide product;
        gz_wide_multiply(&product, out, &piece);
        gz_wide_set(&piece, draw(random, 53), 0);
        gz_wide_add(out, &product, &piece);
    }
}

static void assert_equal(const gz_wide *a, const gz_wide *b) {
    assert_sound(a);
    assert_sound(b);
    assert_int_equal(gz_wide_compare(a, b), 0);
}

static void test_long_numbers_obey_the_laws_of_arithmetic(void **state) {
    (void)state;
    gz_random random = gz_random_make(2, 1);
    for (int i = 0; i < 50000; i++) {
        gz_wide a, b, c, ab, ac, sum, left, right;
        draw_long(&random, &a);
        draw_long(&random, &b);
        draw_long(&random, &c);
        gz_wide_add(&sum, &a, &b);
        gz_wide_subtract(&left, &sum, &b);
        assert_equal(&left, &a);
        gz_wide_subtract(&left, &sum, &a);
        assert_equal(&left, &b);
        int order = gz_wide_compare(&a, &b);
        gz_wide_subtract(&left, &a, &b);
        assert_int_equal(left.sign, order);
        // (b + c) a = a b + a c, where nothing gets too long.
        if (a.count + b.count + 2 > GZ_WIDE_LIMBS || a.count + c.count + 2 > GZ_WIDE_LIMBS)
            continue;
        gz_wide_multiply(&ab, &a, &b);
        gz_wide_multiply(&ac, &a, &c);
        gz_wide_add(&left, &ab, &ac);
        gz_wide_add(&sum, &b, &c);
        gz_wide_multiply(&right, &sum, &a);
        assert_equal(&left, &right);
    }
}

static void test_outputs_may_be_arguments(void **state) {
    (void)state;
    gz_random random = gz_random_make(3, 1);
    for (int i = 0; i < 20000; i++) {
        gz_wide a, b, sum, difference, x;
        draw_long(&random, &a);
        draw_long(&random, &b);
        gz_wide_add(&sum, &a, &b);
        gz_wide_subtract(&difference, &a, &b);
        x = a;
        gz_wide_add(&x, &x, &b);
        assert_equal(&x, &sum);
        x = b;
        gz_wide_add(&x, &a, &x);
        assert_equal(&x, &sum);
        x = b;
        gz_wide_subtract(&x, &a, &x);
        assert_equal(&x, &difference);
        x = a;
        gz_wide_subtract(&x, &x, &x);
        assert_int_equal(x.sign, 0);
        assert_sound(&x);
    }
}

static void test_doubles_become_integers_of_one_exponent(void **state) {
    (void)state;
    assert_int_equal(gz_wide_exponent(0), INT_MAX);
    assert_int_equal(gz_wide_exponent(1), 0);
    assert_int_equal(gz_wide_exponent(-6), 1);
    assert_int_equal(gz_wide_exponent(1 + 0x1p-52), -52);
    assert_int_equal(gz_wide_exponent(0x1p-100), -100);
    assert_int_equal(gz_wide_exponent(0x1p-1074), -1074);
    const double some[4] = {0, 8, 0x1.8p-100, -1};
    assert_int_equal(gz_wide_common_exponent(some, 4), -101);
    gz_wide a, b;
    gz_wide_set(&a, 0x1p20, -152);
    assert_int_equal(a.count, 172 / 32 + 1);
    assert_int_equal(a.limb[5], 1u << 12);
    gz_wide_set(&b, -0x1p20, -152);
    gz_wide_add(&a, &a, &b);
    assert_int_equal(a.sign, 0);
}

/// Adds a coordinate of a mesh, a multiple of 2^-152.
static void add_coordinate(gz_wide *sum, double x) {
    gz_wide term;
    gz_wide_set(&term, x, -152);
    gz_wide_add(sum, sum, &term);
    assert_sound(sum);
}

static double mean_of(const gz_wide *sum, size_t count) {
    return gz_wide_value(sum, -152) / (double)count;
}

static void test_mean_is_exact_where_doubles_cancel(void **state) {
    (void)state;
    gz_wide sum = {0};
    add_coordinate(&sum, 0x1p20);
    add_coordinate(&sum, 0x1p-100);
    add_coordinate(&sum, -0x1p20);
    assert_true(mean_of(&sum, 1) == 0x1p-100);
    assert_true(mean_of(&sum, 4) == 0x1p-102);
    add_coordinate(&sum, -0x1p-99);
    assert_true(mean_of(&sum, 1) == -0x1p-100);
    add_coordinate(&sum, 0x1p-100);
    assert_true(mean_of(&sum, 7) == 0);
    add_coordinate(&sum, 0x1.fffffffffffffp19);
    assert_true(mean_of(&sum, 1) == 0x1.fffffffffffffp19);
}

static void test_mean_does_not_depend_on_order_and_mirrors(void **state) {
    (void)state;
    gz_random r = gz_random_make(3, 0);
    for (int round = 0; round < 300; round++) {
        double x[40];
        size_t n = 1 + gz_random_below(&r, 40);
        gz_wide sum = {0}, mirrored = {0}, shuffled = {0};
        long double plain = 0;
        for (size_t i = 0; i < n; i++) {
            x[i] = gz_random_range(&r, -1, 1) * pow(2, gz_random_range(&r, -40, 20));
            add_coordinate(&sum, x[i]);
            add_coordinate(&mirrored, -x[i]);
            plain += x[i];
        }
        for (size_t left = n; left > 0; left--) {
            size_t i = gz_random_below(&r, (uint32_t)left);
            add_coordinate(&shuffled, x[i]);
            x[i] = x[left - 1];
        }
        double mean = mean_of(&sum, n);
        assert_true(mean == mean_of(&shuffled, n));
        assert_true(mean == -mean_of(&mirrored, n));
        assert_true(fabsl(mean - plain / (long double)n) <= 0x1p-50L * fabsl(plain) + 0x1p-40L);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_numbers_are_those_of_128_bits),
        cmocka_unit_test(test_long_numbers_obey_the_laws_of_arithmetic),
        cmocka_unit_test(test_outputs_may_be_arguments),
        cmocka_unit_test(test_doubles_become_integers_of_one_exponent),
        cmocka_unit_test(test_mean_is_exact_where_doubles_cancel),
        cmocka_unit_test(test_mean_does_not_depend_on_order_and_mirrors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
