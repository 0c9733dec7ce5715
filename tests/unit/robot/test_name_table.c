// Names to indices: every name that was added and no other, for many names and odd ones.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        cmocka_unit_test(test_tables_survive_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
