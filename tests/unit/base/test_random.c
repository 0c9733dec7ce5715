// Random numbers: the published sequence, the ranges promised, no bias that shows.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"

/// The first outputs of the published SplitMix64 for two seeds (its state is the seed, and each
/// output is the finaliser of the state after adding the golden gamma).
static void test_sequence_is_that_of_splitmix64(void **state) {
    (void)state;
    static const uint64_t zero[] = {UINT64_C(0xe220a8397b1dcdaf), UINT64_C(0x6e789e6aa1b965f4),
                                    UINT64_C(0x06c45d188009454f), UINT64_C(0xf88bb8a8724c81ec),
                                    UINT64_C(0x1b39896a51a8749b)};
    static const uint64_t other[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                     UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
                                     UINT64_C(16408922859458223821)};
    gz_random a = {0}, b = {1234567};
    for (int i = 0; i < 5; i++) {
        assert_true(gz_random_next(&a) == zero[i]);
        assert_true(gz_random_next(&b) == other[i]);
    }
}

/// Undoes z ^ (z >> shift).
static uint64_t unshift(uint64_t z, int shift) {
    uint64_t out = z;
    for (int done = shift; done < 64; done += shift) out = z ^ (out >> shift);
    return out;
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration.
static uint64_t invert(uint64_t odd) {
    uint64_t x = odd;
    for (int i = 0; i < 6; i++) x *= 2 - odd * x;
    return x;
}

static void test_finaliser_is_a_bijection(void **state) {
    (void)state;
    gz_random r = gz_random_make(1, 2);
    for (int i = 0; i < 10000; i++) {
        uint64_t z = i < 64 ? UINT64_C(1) << i : gz_random_next(&r), m = gz_random_mix(z);
        m = unshift(m, 31) * invert(UINT64_C(0x94d049bb133111eb));
        m = unshift(m, 27) * invert(UINT64_C(0xbf58476d1ce4e5b9));
        assert_true(unshift(m, 30) == z);
    }
}

static void test_streams_and_seeds_differ(void **state) {
    (void)state;
    uint64_t first[64];
    for (uint64_t i = 0; i < 64; i++) {
        gz_random r = gz_random_make(i / 8, i % 8);
        first[i] = gz_random_next(&r);
        gz_random again = gz_random_make(i / 8, i % 8);
        assert_true(gz_random_next(&again) == first[i]);
        for (uint64_t k = 0; k < i; k++) assert_true(first[k] != first[i]);
    }
}

static void test_numbers_stay_in_their_ranges(void **state) {
    (void)state;
    gz_random r = gz_random_make(3, 4);
    double sum = 0;
    int bins[10] = {0};
    enum { N = 200000 };
    for (int i = 0; i < N; i++) {
        double u = gz_random_unit(&r);
        assert_true(u >= 0 && u < 1);
        assert_true(ldexp(u, 53) == floor(ldexp(u, 53)));
        sum += u;
        bins[(int)(u * 10)]++;
        double x = gz_random_range(&r, -3, 5);
        assert_true(x >= -3 && x < 5);
        assert_true(gz_random_below(&r, 1) == 0);
        assert_true(gz_random_below(&r, 7) < 7);
        assert_true(gz_random_below(&r, UINT32_MAX) < UINT32_MAX);
    }
    // Six standard deviations.
    assert_true(fabs(sum / N - 0.5) < 6 * sqrt(1.0 / 12 / N));
    for (int i = 0; i < 10; i++) assert_true(fabs(bins[i] - N / 10.0) < 6 * sqrt(N * 0.09));
    int sides[6] = {0};
    for (int i = 0; i < N; i++) sides[gz_random_below(&r, 6)]++;
    for (int i = 0; i < 6; i++) assert_true(fabs(sides[i] - N / 6.0) < 6 * sqrt(N * 5.0 / 36));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sequence_is_that_of_splitmix64),
        cmocka_unit_test(test_finaliser_is_a_bijection),
        cmocka_unit_test(test_streams_and_seeds_differ),
        cmocka_unit_test(test_numbers_stay_in_their_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
