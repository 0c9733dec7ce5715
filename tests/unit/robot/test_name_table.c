// Names to indices: every name that was added and no other, for many names and odd ones.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/memory.h"
#include "robot/name_table.h"

static void test_thousands_of_names_are_found(void **state) {
    (void)state;
    enum { N = 20000 };
    char(*names)[24] = malloc(N * sizeof *names);
    assert_non_null(names);
    gz_name_table t = {0};
    assert_int_equal(gz_name_table_find(&t, "x"), -1);
    for (int32_t i = 0; i < N; i++) {
        // Similar names, long common prefixes, also the empty one.
        snprintf(names[i], sizeof names[i], "finger_%d_link", i);
        if (i == 0) names[i][0] = '\0';
        if (i % 2 == 0 && i) snprintf(names[i], sizeof names[i], "%dx%d", i % 7, i);
        assert_int_equal(gz_name_table_find(&t, names[i]), -1);
        assert_true(gz_name_table_add(&t, names[i], i * 3));
        assert_int_equal(gz_name_table_find(&t, names[i]), i * 3);
    }
    assert_int_equal(t.count, N);
    for (int32_t i = 0; i < N; i++) {
        char copy[24];
        memcpy(copy, names[i], sizeof copy);
        assert_int_equal(gz_name_table_find(&t, copy), i * 3);
        copy[strlen(copy) + 1] = '\0';
        copy[strlen(copy)] = '~';
        assert_int_equal(gz_name_table_find(&t, copy), -1);
    }
    gz_name_table_free(&t);
    assert_int_equal(gz_name_table_find(&t, "x"), -1);
    free(names);
}

/// Counts on to a name of eight letters whose hash of old, FNV-1a folded once, ends in 14 zeros.
static void next_alike(uint64_t *counter, char name[9]) {
    for (;;) {
        uint64_t hash = UINT64_C(0xcbf29ce484222325), n = (*counter)++;
        for (int k = 0; k < 8; k++, n /= 26) {
            name[k] = (char)('a' + n % 26);
            hash = (hash ^ (unsigned char)name[k]) * UINT64_C(0x100000001b3);
        }
        name[8] = '\0';
        if (((hash ^ hash >> 29) & 0x3fff) == 0) return;
    }
}

/// A file can be made of names that a hash cannot tell apart: 3000 of them took nine million steps.
static void test_names_made_to_collide_cost_no_more(void **state) {
    (void)state;
    enum { N = 3000 };
    char(*names)[9] = malloc(N * sizeof *names);
    char(*others)[9] = malloc(N * sizeof *others);
    assert_non_null(names);
    assert_non_null(others);
    uint64_t counter = 0;
    for (int i = 0; i < N; i++) next_alike(&counter, names[i]);
    for (int i = 0; i < N; i++) snprintf(others[i], sizeof others[i], "link%d", i);
    double seconds[2] = {1e9, 1e9};
    for (int round = 0; round < 10; round++) {
        char(*list)[9] = round % 2 ? names : others;
        gz_name_table t = {0};
        clock_t start = clock();
        for (int32_t i = 0; i < N; i++) assert_true(gz_name_table_add(&t, list[i], i));
        for (int32_t i = 0; i < N; i++) assert_int_equal(gz_name_table_find(&t, list[i]), i);
        double own = (double)(clock() - start) / CLOCKS_PER_SEC;
        if (own < seconds[round % 2]) seconds[round % 2] = own;
        gz_name_table_free(&t);
    }
    assert_true(seconds[1] < 8 * seconds[0] + 0.004);
    free(names);
    free(others);
}

/// Names that begin as others do, at every length, and bytes above 127.
static void test_prefixes_are_names_of_their_own(void **state) {
    (void)state;
    enum { N = 300 };
    char(*names)[N + 1] = calloc(N, sizeof *names);
    assert_non_null(names);
    gz_name_table t = {0};
    for (int32_t i = 0; i < N; i++) {
        int32_t length = i * 7 % N; // every one once, in no order
        for (int32_t k = 0; k < length; k++) names[i][k] = k % 3 ? '\xe9' : 'a';
        assert_int_equal(gz_name_table_find(&t, names[i]), -1);
        assert_true(gz_name_table_add(&t, names[i], i));
        for (int32_t k = 0; k <= i; k++) assert_int_equal(gz_name_table_find(&t, names[k]), k);
    }
    assert_true(gz_name_table_add(&t, names[5], 999));
    assert_int_equal(gz_name_table_find(&t, names[5]), 999);
    assert_int_equal(t.count, N);
    assert_int_equal(gz_name_table_find(&t, "b"), -1);
    assert_int_equal(gz_name_table_find(&t, "a~"), -1);
    gz_name_table_free(&t);
    free(names);
}

static void test_tables_survive_faults(void **state) {
    (void)state;
#ifdef GRAZE_FAULTS
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j",
                                        "k", "l", "m", "n", "o", "p", "q", "r", "s", "t"};
    gz_name_table t = {0};
    for (int32_t i = 0; i < 20; i++) {
        gz_memory_fail_after(1 + i % 2, false);
        if (!gz_name_table_add(&t, names[i], i)) {
            assert_int_equal(gz_name_table_find(&t, names[i]), -1);
            gz_memory_fail_after(0, false);
            assert_true(gz_name_table_add(&t, names[i], i));
        }
        gz_memory_fail_after(0, false);
        for (int32_t k = 0; k <= i; k++) assert_int_equal(gz_name_table_find(&t, names[k]), k);
    }
    gz_name_table_free(&t);
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thousands_of_names_are_found),
        cmocka_unit_test(test_names_made_to_collide_cost_no_more),
        cmocka_unit_test(test_prefixes_are_names_of_their_own),
        cmocka_unit_test(test_tables_survive_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
