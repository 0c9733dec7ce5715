// Allocation: sizes that overflow are refused, growth keeps the contents, faults come where asked.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"

// Values the compiler cannot see through, so that it does not judge the sizes itself.
static volatile size_t huge = SIZE_MAX;

static void test_sizes_that_overflow_are_refused(void **state) {
    (void)state;
    const size_t bad[][2] = {{huge, 1},
                             {huge, 2},
                             {huge / 2 + 1, 2},
                             {huge / 8 + 1, 8},
                             {(size_t)1 << 33, (size_t)1 << 33},
                             {huge / 2 + 1, 1},
                             {1, huge}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_null(gz_malloc(bad[i][0], bad[i][1]));
        assert_null(gz_calloc(bad[i][0], bad[i][1]));
        assert_null(gz_malloc_aligned(bad[i][0], bad[i][1]));
        char *p = gz_malloc(4, 1);
        assert_non_null(p);
        memcpy(p, "abc", 4);
        assert_null(gz_realloc(p, bad[i][0], bad[i][1]));
        assert_string_equal(p, "abc"); // still there
        gz_free(p);
    }
    // Rounding the size up to whole lines must not wrap around either.
    assert_null(gz_malloc_aligned((size_t)PTRDIFF_MAX - 3, 1));
}

static void test_zero_bytes_are_memory_too(void **state) {
    (void)state;
    void *p[4] = {gz_malloc(0, 8), gz_calloc(8, 0), gz_malloc_aligned(0, 0),
                  gz_realloc(NULL, 0, 3)};
    for (int i = 0; i < 4; i++) {
        assert_non_null(p[i]);
        gz_free(p[i]);
    }
    gz_free(NULL);
}

static void test_memory_is_zeroed_and_aligned_as_promised(void **state) {
    (void)state;
    for (size_t n = 1; n < 300; n += 7) {
        unsigned char *z = gz_calloc(n, 3), *a = gz_malloc_aligned(n, 3);
        assert_non_null(z);
        assert_non_null(a);
        for (size_t i = 0; i < 3 * n; i++) assert_int_equal(z[i], 0);
        assert_int_equal((uintptr_t)a % 64, 0);
        memset(a, 0xaa, 3 * n);
        gz_free(z);
        gz_free(a);
    }
}

static void test_strings_are_copied_cut_and_formatted(void **state) {
    (void)state;
    assert_null(gz_string_copy(NULL));
    assert_null(gz_string_copy_n(NULL, 3));
    char *a = gz_string_copy("robot"), *b = gz_string_copy_n("robot", 3), *c = gz_string_copy(""),
         *d = gz_string_format("%s-%d", "link", 42);
    assert_string_equal(a, "robot");
    assert_string_equal(b, "rob");
    assert_string_equal(c, "");
    assert_string_equal(d, "link-42");
    gz_free(a);
    gz_free(b);
    gz_free(c);
    gz_free(d);
}

static void test_growing_arrays_keep_their_contents(void **state) {
    (void)state;
    uint32_t *items = NULL;
    size_t capacity = 0, moves = 0;
    for (uint32_t i = 0; i < 100000; i++) {
        size_t before = capacity;
        assert_true(gz_array_reserve((void **)&items, &capacity, i + 1, sizeof *items));
        assert_true(capacity > i);
        if (capacity != before) {
            moves++;
            assert_true(capacity >= before + before / 2);
        }
        items[i] = i * 7u;
    }
    assert_true(moves < 40); // geometric
    for (uint32_t i = 0; i < 100000; i++) assert_int_equal(items[i], i * 7u);
    size_t before = capacity;
    assert_true(gz_array_reserve((void **)&items, &capacity, 5, sizeof *items));
    assert_int_equal(capacity, before);
    assert_true(gz_array_reserve((void **)&items, &capacity, 300000, sizeof *items));
    assert_int_equal(capacity, 300000);
    gz_free(items);
}

static void test_arrays_that_cannot_grow_stay_as_they_are(void **state) {
    (void)state;
    uint64_t *items = NULL;
    size_t capacity = 0;
    assert_true(gz_array_reserve((void **)&items, &capacity, 3, sizeof *items));
    uint64_t *before = items;
    size_t had = capacity;
    items[2] = 99;
    assert_false(gz_array_reserve((void **)&items, &capacity, huge, sizeof *items));
    assert_false(gz_array_reserve((void **)&items, &capacity, huge / 8 + 1, sizeof *items));
    assert_ptr_equal(items, before);
    assert_int_equal(capacity, had);
    assert_int_equal(items[2], 99);
    gz_free(items);
}

#ifdef GRAZE_FAULTS

static int allocations_that_work(long n, bool persistent) {
    int worked = 0;
    gz_memory_fail_after(n, persistent);
    for (int i = 0; i < 8; i++) {
        void *p = NULL;
        if (i % 4 == 0) p = gz_malloc(1, 1);
        if (i % 4 == 1) p = gz_calloc(1, 1);
        if (i % 4 == 2) p = gz_malloc_aligned(1, 1);
        if (i % 4 == 3) p = gz_string_copy("x");
        worked += p != NULL;
        gz_free(p);
    }
    assert_int_equal(gz_memory_allocation_count(), n ? 8 : 0);
    gz_memory_fail_after(0, false);
    return worked;
}

static void test_faults_come_where_they_are_asked_for(void **state) {
    (void)state;
    for (long n = 1; n <= 8; n++) {
        assert_int_equal(allocations_that_work(n, false), 7);
        assert_int_equal(allocations_that_work(n, true), n - 1);
    }
    assert_int_equal(allocations_that_work(9, true), 8);
    assert_int_equal(allocations_that_work(0, true), 8);
}

static void test_arrays_survive_a_fault(void **state) {
    (void)state;
    int *items = NULL;
    size_t capacity = 0;
    gz_memory_fail_after(1, false);
    assert_false(gz_array_reserve((void **)&items, &capacity, 1, sizeof *items));
    assert_null(items);
    assert_int_equal(capacity, 0);
    assert_true(gz_array_reserve((void **)&items, &capacity, 1, sizeof *items));
    items[0] = 4;
    gz_memory_fail_after(1, false);
    assert_false(gz_array_reserve((void **)&items, &capacity, 1000, sizeof *items));
    assert_int_equal(items[0], 4);
    gz_memory_fail_after(0, false);
    gz_free(items);
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes_that_overflow_are_refused),
        cmocka_unit_test(test_zero_bytes_are_memory_too),
        cmocka_unit_test(test_memory_is_zeroed_and_aligned_as_promised),
        cmocka_unit_test(test_strings_are_copied_cut_and_formatted),
        cmocka_unit_test(test_growing_arrays_keep_their_contents),
        cmocka_unit_test(test_arrays_that_cannot_grow_stay_as_they_are),
#ifdef GRAZE_FAULTS
        cmocka_unit_test(test_faults_come_where_they_are_asked_for),
        cmocka_unit_test(test_arrays_survive_a_fault),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
