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
#include "mesh/weld.h"

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
    size_t distinct = gz_weld(welded, n, index), numbered = 0;
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

static void test_welding_without_memory_returns_zero(void **state) {
    (void)state;
#ifdef GRAZE_FAULTS
    double p[6] = {1, 2, 3, 1, 2, 3};
    uint32_t index[2];
    gz_memory_fail_after(1, false);
    assert_int_equal(gz_weld(p, 2, index), 0);
    gz_memory_fail_after(0, false);
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_welding_equals_sorting),
        cmocka_unit_test(test_grids_of_many_points_weld_in_time),
        cmocka_unit_test(test_welding_without_memory_returns_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
