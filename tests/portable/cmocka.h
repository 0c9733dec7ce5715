/// The part of cmocka's interface that the unit tests use, for systems that have no cmocka. A test
/// that fails ends the program.
#ifndef GRAZE_TESTS_PORTABLE_CMOCKA_H
#define GRAZE_TESTS_PORTABLE_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*portable_fixture)(void **state);

struct CMUnitTest {
    const char *name;
    void (*run)(void **state);
    portable_fixture setup, teardown;
};

#define cmocka_unit_test(test)                                                                     \
    { #test, test, NULL, NULL }
#define cmocka_unit_test_setup_teardown(test, setup, teardown)                                     \
    { #test, test, setup, teardown }

static jmp_buf portable_skipped;

__attribute__((unused)) static void skip(void) {
    longjmp(portable_skipped, 1);
}

/// Returns how many tests failed: 0, or does not return.
static inline int portable_run(const struct CMUnitTest *tests, size_t count, portable_fixture setup,
                               portable_fixture teardown) {
    void *group = NULL;
    if (setup && setup(&group) != 0) return 1;
    for (const struct CMUnitTest *t = tests; t < tests + count; t++) {
        void *state = group;
        if (t->setup && t->setup(&state) != 0) return 1;
        if (setjmp(portable_skipped) == 0)
            t->run(&state);
        else
            fprintf(stderr, "%s: skipped\n", t->name);
        if (t->teardown && t->teardown(&state) != 0) return 1;
    }
    return teardown && teardown(&group) != 0;
}
#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    portable_run(tests, sizeof(tests) / sizeof *(tests), setup, teardown)
#define cmocka_run_group_tests_name(name, tests, setup, teardown)                                  \
    cmocka_run_group_tests(tests, setup, teardown)

#define print_message    printf
#define print_error(...) fprintf(stderr, __VA_ARGS__)
#define fail_msg(...)                                                                              \
    (fprintf(stderr, "%s:%d: ", __FILE__, __LINE__), fprintf(stderr, __VA_ARGS__),                 \
     fputc('\n', stderr), exit(1))
#define fail() fail_msg("failed")

#define assert_true(c)                  ((c) ? (void)0 : fail_msg("%s", #c))
#define assert_false(c)                 assert_true(!(c))
#define assert_non_null(p)              assert_true((p) != NULL)
#define assert_null(p)                  assert_true((p) == NULL)
#define assert_ptr_equal(a, b)          assert_true((const void *)(a) == (const void *)(b))
#define assert_string_equal(a, b)       assert_true(strcmp(a, b) == 0)
#define assert_string_not_equal(a, b)   assert_true(strcmp(a, b) != 0)
#define assert_memory_equal(a, b, size) assert_true(memcmp(a, b, size) == 0)

static inline void portable_compare(uintmax_t a, uintmax_t b, int equal, const char *file,
                                    int line) {
    if ((a == b) == equal) return;
    fprintf(stderr, "%s:%d: %jd and %jd\n", file, line, (intmax_t)a, (intmax_t)b);
    exit(1);
}
#define assert_int_equal(a, b)                                                                     \
    portable_compare((uintmax_t)(a), (uintmax_t)(b), 1, __FILE__, __LINE__)
#define assert_int_not_equal(a, b)                                                                 \
    portable_compare((uintmax_t)(a), (uintmax_t)(b), 0, __FILE__, __LINE__)
#define assert_in_range(v, low, high)                                                              \
    assert_true((uintmax_t)(v) >= (uintmax_t)(low) && (uintmax_t)(v) <= (uintmax_t)(high))

#endif
