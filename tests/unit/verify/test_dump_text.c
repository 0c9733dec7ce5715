// Lines of a dump from streams whose reads are cut short by signals.
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "verify/dump_text.h"

/// A stream that returns one byte a read, and before each of them fails `failures` times.
typedef struct halting {
    const char *text;
    size_t at;
    int failures, left, number;
} halting;

static ssize_t halting_read(void *user, char *bytes, size_t size) {
    halting *h = user;
    if (size == 0) return 0;
    if (h->left-- > 0) {
        errno = h->number;
        return -1;
    }
    h->left = h->failures;
    if (!h->text[h->at]) return 0;
    *bytes = h->text[h->at++];
    return 1;
}

static FILE *halting_open(halting *h) {
    h->left = h->failures;
    FILE *stream = fopencookie(h, "rb", (cookie_io_functions_t){.read = halting_read});
    assert_non_null(stream);
    return stream;
}

static void test_a_signal_that_does_not_cancel_ends_no_dump(void **state) {
    (void)state;
    halting h = {.text = "two words\nend\n", .failures = 3, .number = EINTR};
    graze_error error;
    FILE *stream = halting_open(&h);
    const volatile int cancel = 0;
    gz_dump_text text = {.stream = stream, .name = "x", .error = &error, .cancel = &cancel};
    assert_int_equal(gz_dump_next(&text, "words"), GRAZE_OK);
    assert_int_equal(text.length, 9);
    assert_memory_equal(text.line, "two words", 9);
    bool end = true;
    assert_int_equal(gz_dump_at_end(&text, &end), GRAZE_OK);
    assert_false(end);
    assert_int_equal(gz_dump_next(&text, "end"), GRAZE_OK);
    assert_memory_equal(text.line, "end", 3);
    assert_int_equal(gz_dump_at_end(&text, &end), GRAZE_OK);
    assert_true(end);
    gz_dump_text_free(&text);
    fclose(stream);
}

static void test_a_signal_that_cancels_is_told_as_such(void **state) {
    (void)state;
    halting h = {.text = "two words\n", .failures = 1, .number = EINTR};
    graze_error error;
    FILE *stream = halting_open(&h);
    const volatile int cancel = 2;
    gz_dump_text text = {.stream = stream, .name = "x", .error = &error, .cancel = &cancel};
    assert_int_equal(gz_dump_next(&text, "words"), GRAZE_ERROR_CANCELLED);
    bool end = true;
    clearerr(stream);
    h.left = 1;
    assert_int_equal(gz_dump_at_end(&text, &end), GRAZE_ERROR_CANCELLED);
    assert_false(end);
    assert_int_equal(error.status, GRAZE_ERROR_CANCELLED);
    gz_dump_text_free(&text);
    fclose(stream);
}

static void test_a_read_that_fails_at_the_end_is_no_text_behind_it(void **state) {
    (void)state;
    halting h = {.text = "", .failures = 1, .number = EIO};
    graze_error error;
    FILE *stream = halting_open(&h);
    gz_dump_text text = {.stream = stream, .name = "x", .error = &error};
    bool end = true;
    assert_int_equal(gz_dump_at_end(&text, &end), GRAZE_ERROR_IO);
    assert_false(end);
    assert_non_null(strstr(error.message, strerror(EIO)));
    gz_dump_text_free(&text);
    fclose(stream);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_signal_that_does_not_cancel_ends_no_dump),
        cmocka_unit_test(test_a_signal_that_cancels_is_told_as_such),
        cmocka_unit_test(test_a_read_that_fails_at_the_end_is_no_text_behind_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
