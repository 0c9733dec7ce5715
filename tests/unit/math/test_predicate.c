// The orientation predicates and the expansions below them, against exact integers.

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "math/expansion.h"
#include "math/predicate.h"

__extension__ typedef __int128 wide;

static int wide_sign(wide x) {
    return (x > 0) - (x < 0);
}

static wide exact_sum(const double *e, size_t n) {
    wide sum = 0;
    for (size_t i = 0; i < n; i++) sum += (wide)e[i];
    return sum;
}

// An integer of up to `bits` bits that a double holds: at most 53 of them, anywhere.
static double random_integer(gz_random *r, uint32_t bits) {
    uint32_t length = 1 + gz_random_below(r, bits < 53 ? bits : 53);
    uint32_t shift = gz_random_below(r, bits - length + 1);
    double x = ldexp((double)(gz_random_next(r) >> (64 - length)), (int)shift);
    return gz_random_below(r, 2) ? x : -x;
}

// ----------------------------------------------------------------------------------- expansions

static void test_two_sum_and_two_product_lose_nothing(void **state) {
    (void)state;
    gz_random r = gz_random_make(1, 0);
    for (int i = 0; i < 100000; i++) {
        double a = random_integer(&r, 100), b = random_integer(&r, 100), high, low;
        gz_two_sum(a, b, &high, &low);
        assert_true((wide)high + (wide)low == (wide)a + (wide)b);
        assert_true(high == a + b);
        gz_two_difference(a, b, &high, &low);
        assert_true((wide)high + (wide)low == (wide)a - (wide)b);
        a = random_integer(&r, 63), b = random_integer(&r, 63);
        gz_two_product(a, b, &high, &low);
        assert_true((wide)high + (wide)low == (wide)a * (wide)b);
        assert_true(high == a * b);
    }
}

static void assert_expansion(const double *e, size_t n, wide value) {
    assert_true(exact_sum(e, n) == value);
    for (size_t i = 0; i < n; i++) assert_true(e[i] != 0);
    for (size_t i = 1; i < n; i++) assert_true(fabs(e[i - 1]) < fabs(e[i]));
    assert_int_equal(n == 0 ? 0 : gz_sign(e[n - 1]), wide_sign(value));
    double estimate = gz_expansion_estimate(e, n);
    assert_int_equal(gz_sign(estimate), wide_sign(value));
    assert_true(fabs(estimate - (double)value) <= 0x1p-48 * fabs((double)value));
}

static void test_expansions_add_scale_and_multiply_exactly(void **state) {
    (void)state;
    gz_random r = gz_random_make(2, 0);
    for (int i = 0; i < 100000; i++) {
        double e[8], f[2], g[2], sum[12], scaled[16], product[32];
        // Differences of wide integers: two components each, most of the time.
        size_t fn = gz_expansion_difference(random_integer(&r, 56), random_integer(&r, 56), f);
        size_t gn = gz_expansion_difference(random_integer(&r, 56), random_integer(&r, 56), g);
        wide f_value = exact_sum(f, fn), g_value = exact_sum(g, gn);
        size_t en = gz_expansion_multiply(f, fn, g, gn, e);
        assert_true(en <= 8);
        assert_expansion(e, en, f_value * g_value);

        size_t n = gz_expansion_sum(e, en, f, fn, sum);
        assert_expansion(sum, n, f_value * g_value + f_value);
        gz_expansion_negate(e, en);
        n = gz_expansion_sum(e, en, f, fn, sum);
        assert_expansion(sum, n, f_value - f_value * g_value);

        double factor = random_integer(&r, 12);
        n = gz_expansion_scale(e, en, factor, scaled);
        assert_expansion(scaled, n, -f_value * g_value * (wide)factor);

        double small[2] = {0, 0};
        size_t sn = gz_expansion_difference(random_integer(&r, 10), 0.5, small);
        for (size_t k = 0; k < sn; k++) small[k] *= 2;
        n = gz_expansion_multiply(e, en, small, sn, product);
        assert_expansion(product, n, -f_value * g_value * exact_sum(small, sn));
    }
}

static void test_expansions_of_zero_are_empty(void **state) {
    (void)state;
    double h[8];
    const double e[1] = {3}, minus[1] = {-3};
    assert_int_equal(gz_expansion_difference(0.1, 0.1, h), 0);
    assert_int_equal(gz_expansion_sum(e, 1, minus, 1, h), 0);
    assert_int_equal(gz_expansion_sum(e, 0, minus, 0, h), 0);
    assert_int_equal(gz_expansion_scale(e, 1, 0, h), 0);
    assert_int_equal(gz_expansion_scale(e, 0, 5, h), 0);
    assert_int_equal(gz_expansion_multiply(e, 1, e, 0, h), 0);
    assert_true(gz_expansion_estimate(h, 0) == 0);
}

// ----------------------------------------------------------------------------------- predicates

// det[a - c; b - c] and det[a - d; b - d; c - d] in integers.
static wide det2(const double a[2], const double b[2], const double c[2]) {
    return ((wide)a[0] - (wide)c[0]) * ((wide)b[1] - (wide)c[1]) -
           ((wide)a[1] - (wide)c[1]) * ((wide)b[0] - (wide)c[0]);
}

static wide det3(const double a[3], const double b[3], const double c[3], const double d[3]) {
    wide m[3][3];
    for (int k = 0; k < 3; k++) {
        m[0][k] = (wide)a[k] - (wide)d[k];
        m[1][k] = (wide)b[k] - (wide)d[k];
        m[2][k] = (wide)c[k] - (wide)d[k];
    }
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

static void test_orient2d_agrees_with_integers(void **state) {
    (void)state;
    gz_random r = gz_random_make(3, 0);
    uint64_t exact = 0;
    int zeros = 0;
    for (int i = 0; i < 200000; i++) {
        // 62 bits: differences of such doubles need two components.
        uint32_t bits = i % 2 ? 61 : 4;
        double p[3][2];
        for (int j = 0; j < 6; j++) p[j / 2][j % 2] = random_integer(&r, bits);
        // Two kinds near a line through the origin.
        if (i % 3 == 0) p[2][0] = p[2][1] = 0, p[1][0] = -2 * p[0][0], p[1][1] = -2 * p[0][1];
        if (i % 6 == 0) p[1][0] = nextafter(p[1][0], 0);
        if (bits == 4) {
            for (int j = 0; j < 6; j++) p[j / 2][j % 2] = rint(p[j / 2][j % 2]);
        }
        wide det = det2(p[0], p[1], p[2]);
        zeros += det == 0;
        assert_int_equal(gz_orient2d_counted(p[0], p[1], p[2], &exact), wide_sign(det));
        assert_int_equal(gz_orient2d(p[1], p[0], p[2]), -wide_sign(det));
        double value = gz_orient2d_value(p[0], p[1], p[2]);
        assert_true(fabs(value - (double)det) <= 0x1p-48 * fabs((double)det));
    }
    assert_true(zeros > 1000 && exact > 10000);
}

// Three points on a line up to rounding, whose differences are rounded, too: there the error of the
// determinant in double is as large as it gets, and its sign often wrong. Whatever the filter lets
// pass must be right, which it is not with half of the bound.
static void test_orient2d_is_right_where_its_error_is_largest(void **state) {
    (void)state;
    gz_random r = gz_random_make(7, 0);
    uint64_t exact = 0;
    double most = 0;
    for (int i = 0; i < 400000; i++) {
        double p[3][2];
        for (int k = 0; k < 2; k++) {
            p[0][k] = ldexp(rint(gz_random_range(&r, 0x1p52, 0x1p53)), 0);
            p[2][k] = -ldexp(rint(gz_random_range(&r, 0x1p52, 0x1p53)),
                             -(int)gz_random_below(&r, 3));
        }
        double t = gz_random_range(&r, 0.3, 3);
        for (int k = 0; k < 2; k++) p[1][k] = rint(p[2][k] + t * (p[0][k] - p[2][k]));
        for (int j = 0; j < 6; j++) p[j / 2][j % 2] = rint(p[j / 2][j % 2]);
        wide det = det2(p[0], p[1], p[2]);
        assert_int_equal(gz_orient2d_counted(p[0], p[1], p[2], &exact), wide_sign(det));
        double left = (p[0][0] - p[2][0]) * (p[1][1] - p[2][1]);
        double right = (p[0][1] - p[2][1]) * (p[1][0] - p[2][0]);
        double error = fabs((left - right) - (double)det) / (fabs(left) + fabs(right));
        // Only errors that hide the sign count.
        if (gz_sign(left - right) != wide_sign(det))
            most = fmax(most, fabs(left - right) / (fabs(left) + fabs(right)));
        assert_true(error <= 0x5p-53);
    }
    print_message("orient2d: wrong signs up to %.2f of the bound\n", most / 0x5p-53);
    assert_true(exact > 10000 && most > 0x5p-53 / 3);
}

// Points near the plane through three others, by up to one unit.
static void near_plane(gz_random *r, double p[4][3]) {
    double i = (double)gz_random_below(r, 5) - 2, j = (double)gz_random_below(r, 5) - 2;
    for (int k = 0; k < 3; k++)
        p[3][k] = p[0][k] + i * (p[1][k] - p[0][k]) + j * (p[2][k] - p[0][k]);
    p[3][gz_random_below(r, 3)] += (double)gz_random_below(r, 3) - 1;
}

static void test_orient3d_agrees_with_integers(void **state) {
    (void)state;
    gz_random r = gz_random_make(4, 0);
    uint64_t exact = 0;
    int zeros = 0;
    for (int i = 0; i < 200000; i++) {
        uint32_t bits = i % 2 ? 37 : 3;
        double p[4][3];
        for (int j = 0; j < 12; j++) p[j / 3][j % 3] = random_integer(&r, bits);
        if (i % 3) near_plane(&r, p);
        wide det = det3(p[0], p[1], p[2], p[3]);
        zeros += det == 0;
        assert_int_equal(gz_orient3d_counted(p[0], p[1], p[2], p[3], &exact), wide_sign(det));
        assert_int_equal(gz_orient3d(p[1], p[0], p[2], p[3]), -wide_sign(det));
        assert_int_equal(gz_orient3d(p[0], p[1], p[3], p[2]), -wide_sign(det));
        double value = gz_orient3d_value(p[0], p[1], p[2], p[3]);
        assert_true(fabs(value - (double)det) <= 0x1p-48 * fabs((double)det));
    }
    assert_true(zeros > 1000 && exact > 10000);
}

/// What doubles make of the determinant, relative to its terms' magnitudes, where they have its
/// sign wrong (0 is wrong by nothing); -1 where they are right. The true sign is that of the
/// expansions.
static double wrong_by(const double p[4][3]) {
    double m[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) m[i][k] = p[i][k] - p[3][k];
    double bc = m[1][0] * m[2][1], cb = m[2][0] * m[1][1], ca = m[2][0] * m[0][1];
    double ac = m[0][0] * m[2][1], ab = m[0][0] * m[1][1], ba = m[1][0] * m[0][1];
    double det = m[0][2] * (bc - cb) + m[1][2] * (ca - ac) + m[2][2] * (ab - ba);
    double size = fabs(m[0][2]) * (fabs(bc) + fabs(cb)) + fabs(m[1][2]) * (fabs(ca) + fabs(ac)) +
                  fabs(m[2][2]) * (fabs(ab) + fabs(ba));
    int sign = gz_sign(gz_orient3d_value(p[0], p[1], p[2], p[3]));
    return gz_sign(det) == sign ? -1 : fabs(det) / size;
}

// The same in space: from points near a plane step by step to where the sign is wrong by most.
static void test_orient3d_is_right_where_its_error_is_largest(void **state) {
    (void)state;
    gz_random r = gz_random_make(8, 0);
    double most = 0;
    for (int start = 0; start < 40; start++) {
        double best[4][3], p[4][3], s = gz_random_range(&r, -2, 2), t = gz_random_range(&r, -2, 2);
        double here = -1;
        for (int j = 0; j < 9; j++) best[j / 3][j % 3] = gz_random_range(&r, -1, 1);
        for (int step = 0; step < 8000; step++) {
            memcpy(p, best, sizeof p);
            int j = (int)gz_random_below(&r, 9);
            int places = (int)gz_random_below(&r, 53); // drawn in an order that compilers agree on
            p[j / 3][j % 3] += ldexp(gz_random_range(&r, -1, 1), -places);
            for (int k = 0; k < 3; k++)
                p[3][k] = p[0][k] + s * (p[1][k] - p[0][k]) + t * (p[2][k] - p[0][k]);
            double wrong = wrong_by((const double(*)[3])p);
            uint64_t exact = 0;
            int sign = gz_sign(gz_orient3d_value(p[0], p[1], p[2], p[3]));
            assert_int_equal(gz_orient3d_counted(p[0], p[1], p[2], p[3], &exact), sign);
            if (wrong < here) continue;
            here = wrong;
            memcpy(best, p, sizeof best);
        }
        most = fmax(most, here);
    }
    print_message("orient3d: wrong signs up to %.2f of the bound\n", most / 0x9p-53);
    assert_true(most > 0x9p-53 / 3);
}

// In the plane z = x every orientation is 0, however long the differences are; one ulp of z in one
// point leaves that ulp times a minor.
static void test_orient3d_is_exact_where_differences_need_two_doubles(void **state) {
    (void)state;
    gz_random r = gz_random_make(5, 0);
    uint64_t exact = 0;
    for (int i = 0; i < 100000; i++) {
        double p[4][3], xy[4][2];
        for (int j = 0; j < 4; j++) {
            xy[j][0] = p[j][0] = p[j][2] = random_integer(&r, 61);
            xy[j][1] = p[j][1] = random_integer(&r, 61);
        }
        assert_int_equal(gz_orient3d_counted(p[0], p[1], p[2], p[3], &exact), 0);
        assert_true(gz_orient3d_value(p[0], p[1], p[2], p[3]) == 0);
        p[0][2] = nextafter(p[0][2], i % 2 ? 1e300 : -1e300);
        // det = (the ulp) * (b - d) x (c - d)
        int expected = (i % 2 ? 1 : -1) * wide_sign(det2(xy[1], xy[2], xy[3]));
        assert_int_equal(gz_orient3d_counted(p[0], p[1], p[2], p[3], &exact), expected);
        assert_int_equal(gz_orient3d_counted(p[3], p[1], p[2], p[0], &exact), -expected);
        assert_int_equal(gz_orient3d_counted(p[1], p[2], p[3], p[0], &exact), -expected);
    }
    assert_true(exact > 100000);
}

// Points in a plane up to rounding: what the second stage decides, the expansions decide alike.
static void test_the_stages_of_orient3d_agree(void **state) {
    (void)state;
    gz_random r = gz_random_make(10, 0);
    uint64_t exact = 0;
    for (int i = 0; i < 200000; i++) {
        double p[4][3];
        for (int j = 0; j < 9; j++) {
            p[j / 3][j % 3] = gz_random_range(&r, -1, 1) * pow(10, gz_random_range(&r, -3, 3));
        }
        double s = gz_random_unit(&r), t = gz_random_unit(&r);
        for (int k = 0; k < 3; k++) {
            p[3][k] = p[0][k] + s * (p[1][k] - p[0][k]) + t * (p[2][k] - p[0][k]);
        }
        int sign = gz_sign(gz_orient3d_value(p[0], p[1], p[2], p[3]));
        assert_int_equal(gz_orient3d_exact(p[0], p[1], p[2], p[3]), sign);
        assert_int_equal(gz_orient3d_counted(p[0], p[1], p[2], p[3], &exact), sign);
    }
    assert_true(exact > 20000);
}

static void test_predicates_are_exact_at_both_ends_of_the_range(void **state) {
    (void)state;
    gz_random r = gz_random_make(6, 0);
    for (int i = 0; i < 50000; i++) {
        double p[4][3];
        for (int j = 0; j < 12; j++) p[j / 3][j % 3] = random_integer(&r, i % 2 ? 3 : 37);
        if (i % 3) near_plane(&r, p);
        int expected = wide_sign(det3(p[0], p[1], p[2], p[3]));
        int expected2 = wide_sign(det2(p[0], p[1], p[2]));
        // Largest: 2^39 * 2^101; smallest: 2^0 * 2^-140.
        for (int end = 0; end < 2; end++) {
            double q[4][3];
            for (int j = 0; j < 12; j++)
                q[j / 3][j % 3] = p[j / 3][j % 3] * (end ? 0x1p101 : 0x1p-140);
            assert_int_equal(gz_orient3d(q[0], q[1], q[2], q[3]), expected);
            assert_int_equal(gz_sign(gz_orient3d_value(q[0], q[1], q[2], q[3])), expected);
            assert_int_equal(gz_orient2d(q[0], q[1], q[2]), expected2);
        }
    }
    // The smallest volume: all bits of the smallest coordinates, one apart.
    const double s = 0x1p-140, t = 0x1.0000000000001p-140;
    const double a[3] = {t, s, s}, b[3] = {s, t, s}, c[3] = {s, s, t}, d[3] = {s, s, s};
    assert_int_equal(gz_orient3d(a, b, c, d), 1);
    assert_true(gz_orient3d_value(a, b, c, d) == 0x1p-576);
    // Both ends in one: differences with a gap of 280 bits.
    const double e[3] = {0x1p140, s, 0}, f[3] = {s, 0x1p140, 0}, g[3] = {0, 0, s},
                 o[3] = {-s, -s, -s};
    assert_int_equal(gz_orient3d(e, f, g, o), 1);
    assert_int_equal(gz_orient3d(f, e, g, o), -1);
}

static void test_clear_signs_need_no_expansions(void **state) {
    (void)state;
    uint64_t exact = 0;
    const double a[3] = {1, 0, 0}, b[3] = {0, 1, 0}, c[3] = {0, 0, 0};
    const double below[3] = {0.3, 0.3, -1e-9}, above[3] = {0.3, 0.3, 1e-9}, on[3] = {0.3, 0.3, 0};
    assert_int_equal(gz_orient3d_counted(a, b, c, below, &exact), 1);
    assert_int_equal(gz_orient3d_counted(a, b, c, above, &exact), -1);
    // A coordinate plane is recognised by its zeros.
    assert_int_equal(gz_orient3d_counted(a, b, c, on, &exact), 0);
    assert_int_equal(gz_orient2d_counted(a, b, c, &exact), 1);
    assert_int_equal(gz_orient2d_counted(b, a, c, &exact), -1);
    assert_int_equal(exact, 0);
    const double p[3] = {0.1, 0.2, 0.3}, q[3] = {0.2, 0.4, 0.6}, s[3] = {0.7, 0.7, 0.7};
    const double origin[3] = {0, 0, 0};
    assert_int_equal(gz_orient3d_counted(p, q, s, origin, &exact), 0);
    assert_int_equal(exact, 1);
    assert_int_equal(gz_orient2d_counted(p, q, origin, &exact), 0);
    assert_int_equal(exact, 2);
}

// Differences from (24, 24) round the last place of 0.5 away: to doubles the points are on a line.
static void test_orient2d_sees_what_rounding_hides(void **state) {
    (void)state;
    const double a[2] = {0.1, 0.1}, b[2] = {0.3, 0.3}, c[2] = {0, 0};
    assert_int_equal(gz_orient2d(a, b, c), 0);
    const double d[2] = {0.5, 0.5}, e[2] = {12, 12}, f[2] = {24, 24};
    const double moved[2] = {nextafter(0.5, 1), 0.5};
    assert_int_equal(gz_orient2d(d, e, f), 0);
    assert_int_equal(gz_orient2d(moved, e, f), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_sum_and_two_product_lose_nothing),
        cmocka_unit_test(test_expansions_add_scale_and_multiply_exactly),
        cmocka_unit_test(test_expansions_of_zero_are_empty),
        cmocka_unit_test(test_orient2d_agrees_with_integers),
        cmocka_unit_test(test_orient2d_is_right_where_its_error_is_largest),
        cmocka_unit_test(test_orient3d_agrees_with_integers),
        cmocka_unit_test(test_orient3d_is_right_where_its_error_is_largest),
        cmocka_unit_test(test_orient3d_is_exact_where_differences_need_two_doubles),
        cmocka_unit_test(test_the_stages_of_orient3d_agree),
        cmocka_unit_test(test_predicates_are_exact_at_both_ends_of_the_range),
        cmocka_unit_test(test_clear_signs_need_no_expansions),
        cmocka_unit_test(test_orient2d_sees_what_rounding_hides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
