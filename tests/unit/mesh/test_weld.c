// Welding against sorting: vertices are one exactly when all their bits are.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"
#include "mesh/mesh.h"

typedef struct entry {
    double p[3];
    size_t index;
} entry;

static int compare(const void *a, const void *b) {
    const entry *x = a, *y = b;
    int order = memcmp(x->p, y->p, sizeof x->p);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

/// Checks gz_weld on n points against the groups of the sorted list.
static void check(const double *points, size_t n) {
    double *welded = malloc(3 * n * sizeof *welded);
    uint32_t *index = malloc(n * sizeof *index);
    entry *sorted = malloc(n * sizeof *sorted);
    size_t *first = malloc(n * sizeof *first); // lowest index of the same point
    assert_true(welded && index && sorted && first);
    memcpy(welded, points, 3 * n * sizeof *welded);
    for (size_t i = 0; i < n; i++) {
        memcpy(sorted[i].p, points + 3 * i, sizeof sorted[i].p);
        sorted[i].index = i;
    }
    qsort(sorted, n, sizeof *sorted, compare);
    for (size_t i = 0; i < n; i++) {
        bool same = i && memcmp(sorted[i].p, sorted[i - 1].p, sizeof sorted[i].p) == 0;
        first[sorted[i].index] = same ? first[sorted[i - 1].index] : sorted[i].index;
    }
    size_t distinct = gz_weld(welded, n, index, NULL), numbered = 0;
    for (size_t i = 0; i < n; i++) {
        if (first[i] == i)
            assert_int_equal(index[i], numbered++); // by first appearance
        else
            assert_int_equal(index[i], index[first[i]]);
        assert_memory_equal(welded + 3 * (size_t)index[i], points + 3 * i, 3 * sizeof(double));
    }
    assert_int_equal(distinct, numbered);
    free(welded);
    free(index);
    free(sorted);
    free(first);
}

static void test_welding_equals_sorting(void **state) {
    (void)state;
    gz_random r = gz_random_make(1, 0);
    for (int round = 0; round < 400; round++) {
        size_t n = 1 + gz_random_below(&r, 400);
        uint32_t values = 1 + gz_random_below(&r, 12);
        double *p = malloc(3 * n * sizeof *p);
        assert_non_null(p);
        for (size_t i = 0; i < 3 * n; i++) {
            uint32_t k = gz_random_below(&r, values);
            // Neighbouring doubles, small integers and far powers, which strain a hash.
            p[i] = round % 3 == 0   ? 1 + k * 0x1p-52
                   : round % 3 == 1 ? (double)k
                                    : (k ? (k % 2 ? 1 : -1) * ldexp(1, (int)k * 8 - 90) : 0);
        }
        check(p, n);
        free(p);
    }
}

static void test_grids_of_many_points_weld_in_time(void **state) {
    (void)state;
    // Regular coordinates, every point twice: a poor hash would take quadratic time.
    enum { SIDE = 40, N = SIDE * SIDE * SIDE };
    double *p = malloc(2 * N * 3 * sizeof *p);
    assert_non_null(p);
    for (size_t i = 0; i < 2 * N; i++) {
        size_t k = i % N;
        p[3 * i] = (double)(k % SIDE) * 0.25;
        p[3 * i + 1] = (double)(k / SIDE % SIDE) * 0.25;
        p[3 * i + 2] = (double)(k / SIDE / SIDE) * 0.25;
    }
    check(p, 2 * N);
    free(p);
}

/// The factor's inverse modulo 2^64 (Newton).
static uint64_t inverse(uint64_t factor) {
    uint64_t x = factor;
    for (int i = 0; i < 6; i++) x *= 2 - factor * x;
    return x;
}

/// Points (1, 1, z) that the hash of weld.c, as it was first released, puts into one place: it can
/// be turned round, so anybody can make such a file.
static void make_colliding(double *p, size_t n) {
    const double one = 1;
    uint64_t bits, next = 1;
    memcpy(&bits, &one, sizeof bits);
    uint64_t h = bits * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ (h >> 32) ^ bits) * UINT64_C(0xd1b54a32d192ed03);
    const uint64_t key = h ^ (h >> 32), back = inverse(UINT64_C(0x8cb92ba72f3d8dd7));
    for (size_t i = 0; i < n; i++) {
        double z;
        do {
            // x ^ (x >> 32) has no low bit.
            uint64_t x = next << 32 | (uint32_t)next, word = key ^ x * back;
            memcpy(&z, &word, sizeof z);
            next++;
        } while (!(fabs(z) >= 0x1p-100 && fabs(z) <= 0x1p20));
        p[3 * i] = p[3 * i + 1] = 1;
        p[3 * i + 2] = z;
    }
}

static void test_points_made_to_collide_weld_in_time(void **state) {
    (void)state;
    enum { N = 3000 };
    double *p = malloc(2 * N * 3 * sizeof *p), *welded = malloc(2 * N * 3 * sizeof *p);
    uint32_t *index = malloc(2 * N * sizeof *index);
    assert_true(p && welded && index);
    make_colliding(p, N);
    // Each twice, the second time in the other order, so that much is welded before it sorts.
    for (size_t i = 0; i < N; i++) memcpy(p + 3 * (2 * N - 1 - i), p + 3 * i, 3 * sizeof *p);
    check(p, N);
    check(p, 2 * N);
    uint64_t steps;
    memcpy(welded, p, 2 * N * 3 * sizeof *p);
    assert_int_equal(gz_weld(welded, 2 * N, index, &steps), N);
    assert_true(steps >= N && steps <= GZ_WELD_STEPS * 2 * N + GZ_WELD_STEPS_LEAST);
    free(p);
    free(welded);
    free(index);
}

static void test_welding_without_memory_returns_zero(void **state) {
    (void)state;
#ifdef GRAZE_FAULTS
    double p[6] = {1, 2, 3, 1, 2, 3};
    uint32_t index[2];
    gz_memory_fail_after(1, false);
    assert_int_equal(gz_weld(p, 2, index, NULL), 0);
    gz_memory_fail_after(0, false);
    // Nor when it has to sort.
    enum { N = 300 };
    static double many[3 * N];
    static uint32_t many_index[N];
    make_colliding(many, N);
    gz_memory_fail_after(2, false);
    assert_int_equal(gz_weld(many, N, many_index, NULL), 0);
    gz_memory_fail_after(0, false);
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_welding_equals_sorting),
        cmocka_unit_test(test_grids_of_many_points_weld_in_time),
        cmocka_unit_test(test_points_made_to_collide_weld_in_time),
        cmocka_unit_test(test_welding_without_memory_returns_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
