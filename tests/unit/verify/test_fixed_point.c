/// Sine, cosine and turns in 400 bits: against digits found elsewhere, and against each other.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "verify/kinematics.h"

/// Asserts that |a - b| < 2^-bits.
static void assert_near(const mpz_t a, const mpz_t b, int bits) {
    mpz_t difference;
    mpz_init(difference);
    mpz_sub(difference, a, b);
    assert_true(mpz_sgn(difference) == 0 ||
                (int)mpz_sizeinbase(difference, 2) <= GZ_FIXED_BITS - bits);
    mpz_clear(difference);
}

/// out = digits / 10^count, in units.
static void set_digits(mpz_t out, const char *digits, unsigned long count) {
    mpz_t power;
    mpz_init(power);
    mpz_ui_pow_ui(power, 10, count);
    assert_int_equal(mpz_set_str(out, digits, 10), 0);
    mpz_mul_2exp(out, out, GZ_FIXED_BITS);
    mpz_fdiv_q(out, out, power);
    mpz_clear(power);
}

static void test_sine_and_cosine_have_the_known_digits(void **state) {
    (void)state;
    // 75 digits behind the point, from Taylor's series in decimal arithmetic.
    const struct {
        double angle;
        const char *sine, *cosine;
    } known[] = {
        {1, "841470984807896506652502321630298999622563060798371065672751709991910404391",
         "540302305868139717400936607442976603732310420617922227670097255381100394774"},
        {-3, "-141120008059867222100744802808110279846933264252265584151882641232422009968",
         "-989992496600445457271572794731261302393679096615588328814085932928329197514"},
        {100, "-506365641109758793656557610459785432065032721290657323443392473594357913420",
         "862318872287683934101938513950842535510084008535510829280162112692721088050"},
    };
    mpz_t angle, sine, cosine, expected;
    mpz_inits(angle, sine, cosine, expected, NULL);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        gz_fixed_set(angle, known[i].angle);
        gz_fixed_sine_cosine(sine, cosine, angle);
        set_digits(expected, known[i].sine, 75);
        assert_near(sine, expected, 245);
        set_digits(expected, known[i].cosine, 75);
        assert_near(cosine, expected, 245);
    }
    mpz_clears(angle, sine, cosine, expected, NULL);
}

static void test_they_keep_the_addition_theorem_for_large_angles(void **state) {
    (void)state;
    gz_random random = gz_random_make(1, 0);
    mpz_t a[3], s[3], c[3], sum, one;
    mpz_inits(a[0], a[1], a[2], s[0], s[1], s[2], c[0], c[1], c[2], sum, one, NULL);
    gz_fixed_set(one, 1);
    for (int i = 0; i < 60; i++) {
        double x = ldexp(gz_random_unit(&random) - 0.5, i), y = gz_random_unit(&random);
        gz_fixed_set(a[0], x);
        gz_fixed_set(a[1], y);
        mpz_add(a[2], a[0], a[1]);
        for (int k = 0; k < 3; k++) gz_fixed_sine_cosine(s[k], c[k], a[k]);
        if (i < 20) { // and they are sine and cosine, as far as the host's know
            gz_fixed_set(sum, (double)sinl(x));
            assert_near(s[0], sum, 50);
            gz_fixed_set(sum, (double)cosl(x));
            assert_near(c[0], sum, 50);
        }
        mpz_mul(sum, s[0], c[1]);
        mpz_addmul(sum, c[0], s[1]);
        mpz_fdiv_q_2exp(sum, sum, GZ_FIXED_BITS);
        assert_near(sum, s[2], 200);
        mpz_mul(sum, s[0], s[0]);
        mpz_addmul(sum, c[0], c[0]);
        mpz_fdiv_q_2exp(sum, sum, GZ_FIXED_BITS);
        assert_near(sum, one, 200);
    }
    mpz_clears(a[0], a[1], a[2], s[0], s[1], s[2], c[0], c[1], c[2], sum, one, NULL);
}

static void test_turns_about_one_axis_add_up(void **state) {
    (void)state;
    gz_fixed_pose one, two, product;
    mpz_t axis[3], angle;
    for (int i = 0; i < 12; i++) mpz_inits(one.m[i], two.m[i], product.m[i], NULL);
    mpz_inits(axis[0], axis[1], axis[2], angle, NULL);
    const double direction[3] = {1, -2, 0.5}, halves[2] = {0.75, 1.5};
    gz_fixed_pose *turns[2] = {&one, &two};
    for (int t = 0; t < 2; t++) {
        for (int k = 0; k < 3; k++) gz_fixed_set(axis[k], direction[k]);
        gz_fixed_pose_identity(turns[t]);
        gz_fixed_set(angle, halves[t]);
        gz_fixed_pose_turn(turns[t], axis, angle);
    }
    gz_fixed_pose_multiply(&product, &one, &one);
    for (int i = 0; i < 12; i++) assert_near(product.m[i], two.m[i], 200);
    // About z the x axis goes to y.
    gz_fixed_set(axis[0], 0);
    gz_fixed_set(axis[1], 0);
    gz_fixed_set(axis[2], 3);
    gz_fixed_set(angle, 0.5);
    gz_fixed_pose_turn(&one, axis, angle);
    gz_fixed_sine_cosine(axis[0], axis[1], angle);
    assert_near(one.m[4], axis[0], 300);
    assert_near(one.m[0], axis[1], 300);
    assert_true(mpz_sgn(one.m[1]) < 0);
    for (int i = 0; i < 12; i++) mpz_clears(one.m[i], two.m[i], product.m[i], NULL);
    mpz_clears(axis[0], axis[1], axis[2], angle, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sine_and_cosine_have_the_known_digits),
        cmocka_unit_test(test_they_keep_the_addition_theorem_for_large_angles),
        cmocka_unit_test(test_turns_about_one_axis_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
