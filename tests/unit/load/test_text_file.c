#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"
#include "load/file.h"
#include "load/token.h"
#include "unit/load/comma_locale.h"
#include "unit/load/temporary_folder.h"

static bool parse(const char *text, double *value) {
    return gz_number_parse(text, strlen(text), value);
}

static void assert_number(const char *text, double expected) {
    double value = 12345;
    if (!parse(text, &value) || memcmp(&value, &expected, sizeof value) != 0)
        fail_msg("\"%s\" is read as %a, expected %a", text, value, expected);
}

// ------------------------------------------------------------------------------------- one number

static void test_number_grammar(void **state) {
    (void)state;
    assert_number("0", 0.0);
    assert_number("-0", -0.0);
    assert_number("+0.0", 0.0);
    assert_number(".5", 0.5);
    assert_number("5.", 5.0);
    assert_number("-.5e1", -5.0);
    assert_number("+1E+2", 100.0);
    assert_number("1e-3", 0x1.0624dd2f1a9fcp-10);
    assert_number("007", 7.0);
    assert_number("0e999999999999999999999999", 0.0);
    static const char *const bad[] = {
        "",      ".",    "+",    "-",   "e5",    "1e",  "1e+",   "1.e", "1..2", "1.2.",  "0x10",
        "1.0m",  "0,5",  " 1",   "1 ",  "1e5.0", "--1", "+-1",   "1f",  "1d0",  "in",    "na",
        "nan()", "infx", "NaNs", "0b1", "1_000", "one", "1e5e5", "\t1", "1\n",  "0x1p3", "1'000"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double value;
        if (parse(bad[i], &value)) fail_msg("\"%s\" is taken for a number", bad[i]);
    }
}

static void test_number_is_correctly_rounded(void **state) {
    (void)state;
    assert_number("0.1", 0x1.999999999999ap-4);
    assert_number("1e23", 0x1.52d02c7e14af6p+76);
    assert_number("9007199254740993", 0x1p53); // halfway: to even
    assert_number("9007199254740995", 0x1.0000000000002p53);
    assert_number("1.7976931348623157e308", DBL_MAX);
    assert_number("1.7976931348623159e308", (double)INFINITY);
    assert_number("2.2250738585072011e-308", 0x0.fffffffffffffp-1022);
    assert_number("2.2250738585072014e-308", 0x1p-1022);
    assert_number("4.9406564584124654e-324", 0x1p-1074);
    assert_number("2.4703282292062327e-324", 0.0); // just below half of the smallest
    assert_number("2.4703282292062328e-324", 0x1p-1074);
    assert_number("1e-400", 0.0);
    assert_number("-1e400", (double)-INFINITY);
    assert_number("1e99999999999999999999", (double)INFINITY);
    assert_number("1e-99999999999999999999", 0.0);
}

static void test_number_of_thousands_of_digits(void **state) {
    (void)state;
    // 1 + 2^-53 is halfway between two doubles; a digit far behind decides.
    static const char half[] = "1.00000000000000011102230246251565404236316680908203125";
    char text[4096];
    size_t n = sizeof half - 1;
    memcpy(text, half, n);
    memset(text + n, '0', 2000);
    assert_true(gz_number_parse(text, n + 2000, &(double){0}));
    double value;
    assert_true(gz_number_parse(text, n + 2000, &value) && value == 1.0);
    text[n + 2000] = '1';
    assert_true(gz_number_parse(text, n + 2001, &value) && value == 0x1.0000000000001p0);
    // 1 followed by 2000 zeros and e-2000; and 0.000...1 with e+2000.
    text[0] = '1';
    memset(text + 1, '0', 2000);
    memcpy(text + 2001, "e-2000", 7);
    assert_number(text, 1.0);
    text[0] = '.';
    memset(text + 1, '0', 1999);
    memcpy(text + 2000, "1e2000", 7);
    assert_number(text, 1.0);
}

static void test_number_printed_with_17_digits_comes_back(void **state) {
    (void)state;
    gz_random random = gz_random_make(7, 1);
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = gz_random_next(&random);
        double value, back;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        char text[64];
        snprintf(text, sizeof text, i % 2 ? "%.17g" : "%.25e", value);
        assert_true(parse(text, &back));
        assert_memory_equal(&value, &back, sizeof value);
    }
}

static void test_number_reads_no_further_than_n(void **state) {
    (void)state;
    char *three = gz_malloc(3, 1); // the sanitizer sees a read of a fourth byte
    memcpy(three, "1.5", 3);
    double value;
    assert_true(gz_number_parse(three, 3, &value) && value == 1.5);
    assert_true(gz_number_parse(three, 1, &value) && value == 1.0);
    assert_false(gz_number_parse(three, 0, &value));
    gz_free(three);
}

static void test_nan_and_infinity_are_read_as_such(void **state) {
    (void)state;
    double value;
    assert_true(parse("nan", &value) && isnan(value));
    assert_true(parse("-NaN", &value) && isnan(value));
    assert_number("inf", (double)INFINITY);
    assert_number("-Infinity", (double)-INFINITY);
}

static void test_numbers_do_not_depend_on_the_locale(void **state) {
    (void)state;
    temporary_folder folder = temporary_folder_make();
    bool comma = comma_locale_set(&folder);
    if (comma) {
        char text[32];
        snprintf(text, sizeof text, "%.1f", 0.5);
        assert_string_equal(text, "0,5"); // the locale is in force
        assert_number("0.5", 0.5);
        double value;
        assert_false(parse("0,5", &value));
    }
    comma_locale_end();
    temporary_folder_remove(&folder);
    if (!comma) {
        print_message("no locale with a decimal comma\n");
        skip();
    }
}

// ----------------------------------------------------------------------------------- rows of them

static void test_numbers_are_split_at_white_space(void **state) {
    (void)state;
    double v[3];
    bool odd;
    graze_error error;
    assert_int_equal(gz_numbers_parse("1 -2.5  3e0", v, 3, &odd, &error), GRAZE_OK);
    assert_true(v[0] == 1 && v[1] == -2.5 && v[2] == 3 && !odd);
    assert_int_equal(gz_numbers_parse("\t1\n2\r\n3 ", v, 3, &odd, &error), GRAZE_OK);
    assert_true(v[0] == 1 && v[1] == 2 && v[2] == 3 && odd);
    assert_int_equal(gz_numbers_parse("4", v, 1, NULL, NULL), GRAZE_OK);
    assert_true(v[0] == 4);
}

static void assert_refused(const char *text, size_t count, graze_status status,
                           const char *message) {
    double v[3];
    graze_error error;
    memset(&error, 0x55, sizeof error);
    assert_int_equal(gz_numbers_parse(text, v, count, NULL, &error), status);
    assert_int_equal(error.status, status);
    if (!strstr(error.message, message)) fail_msg("message is: %s", error.message);
}

static void test_numbers_say_why_they_are_refused(void **state) {
    (void)state;
    assert_refused("1 2", 3, GRAZE_ERROR_SCHEMA, "2 numbers found; allowed: exactly 3");
    assert_refused("1", 3, GRAZE_ERROR_SCHEMA, "1 number found");
    assert_refused("1 2 3 4", 3, GRAZE_ERROR_SCHEMA, "4 numbers found");
    assert_refused(" \t", 3, GRAZE_ERROR_SCHEMA, "0 numbers found");
    assert_refused("1 2 3m", 3, GRAZE_ERROR_SCHEMA, "\"3m\" is not a number");
    assert_refused("0,5 0 0", 3, GRAZE_ERROR_SCHEMA, "decimal point");
    assert_refused("1 inf 0", 3, GRAZE_ERROR_RANGE, "\"inf\" is not finite");
    assert_refused("nan 0 0", 3, GRAZE_ERROR_RANGE, "not finite");
    assert_refused("1 1e400 0", 3, GRAZE_ERROR_RANGE, "not finite");
    char text[500];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_refused(text, 1, GRAZE_ERROR_SCHEMA, "...\" is not a number");
}

// ----------------------------------------------------------------------------------------- files

static void test_file_is_read_whole(void **state) {
    (void)state;
    temporary_folder folder = temporary_folder_make();
    temporary_write(&folder, "a", "ab\0cd", 5);
    char *bytes;
    size_t size;
    graze_error error;
    const char *path = temporary_path(&folder, "a");
    assert_int_equal(gz_file_read(path, 5, &bytes, &size, &error), GRAZE_OK);
    assert_int_equal(size, 5);
    assert_memory_equal(bytes, "ab\0cd", 6); // and a NUL behind
    gz_free(bytes);
    assert_int_equal(gz_file_read(path, 4, &bytes, &size, &error), GRAZE_ERROR_LIMIT);
    assert_null(bytes);
    assert_string_equal(error.file, path);
    assert_non_null(strstr(error.message, "5 bytes; allowed: at most 4"));
    temporary_write(&folder, "empty", "", 0);
    path = temporary_path(&folder, "empty");
    assert_int_equal(gz_file_read(path, 0, &bytes, &size, &error), GRAZE_OK);
    assert_int_equal(size, 0);
    assert_int_equal(bytes[0], 0);
    gz_free(bytes);
    temporary_folder_remove(&folder);
}

static void test_what_is_no_file_is_refused(void **state) {
    (void)state;
    temporary_folder folder = temporary_folder_make();
    temporary_write_text(&folder, "a", "a");
    char *bytes;
    size_t size;
    graze_error error;
    const char *path = temporary_path(&folder, "none");
    assert_int_equal(gz_file_read(path, 10, &bytes, &size, &error), GRAZE_ERROR_NOT_FOUND);
    assert_string_equal(error.file, path);
    assert_null(bytes);
    path = temporary_path(&folder, "a/b");
    assert_int_equal(gz_file_read(path, 10, &bytes, &size, &error), GRAZE_ERROR_NOT_FOUND);
    assert_int_equal(gz_file_read(folder.path, 10, &bytes, &size, &error), GRAZE_ERROR_IO);
    assert_non_null(strstr(error.message, "a folder"));
    // A pipe that nobody writes to must not hang the loader.
    path = temporary_path(&folder, "pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(gz_file_read(path, 10, &bytes, &size, &error), GRAZE_ERROR_IO);
    assert_int_equal(gz_file_read("/dev/zero", 10, &bytes, &size, NULL), GRAZE_ERROR_IO);
    if (geteuid() != 0) {
        path = temporary_path(&folder, "a");
        assert_int_equal(chmod(path, 0), 0);
        assert_int_equal(gz_file_read(path, 10, &bytes, &size, &error), GRAZE_ERROR_IO);
    }
    temporary_folder_remove(&folder);
}

static void test_file_and_folder_are_told_apart(void **state) {
    (void)state;
    temporary_folder folder = temporary_folder_make();
    temporary_write_text(&folder, "a", "a");
    assert_true(gz_file_exists(temporary_path(&folder, "a")));
    assert_false(gz_folder_exists(temporary_path(&folder, "a")));
    assert_false(gz_file_exists(folder.path));
    assert_true(gz_folder_exists(folder.path));
    assert_false(gz_file_exists(temporary_path(&folder, "b")));
    assert_false(gz_folder_exists(temporary_path(&folder, "b")));
    assert_int_equal(symlink("a", temporary_path(&folder, "link")), 0);
    assert_true(gz_file_exists(temporary_path(&folder, "link")));
    temporary_folder_remove(&folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_number_grammar),
        cmocka_unit_test(test_number_is_correctly_rounded),
        cmocka_unit_test(test_number_of_thousands_of_digits),
        cmocka_unit_test(test_number_printed_with_17_digits_comes_back),
        cmocka_unit_test(test_number_reads_no_further_than_n),
        cmocka_unit_test(test_nan_and_infinity_are_read_as_such),
        cmocka_unit_test(test_numbers_do_not_depend_on_the_locale),
        cmocka_unit_test(test_numbers_are_split_at_white_space),
        cmocka_unit_test(test_numbers_say_why_they_are_refused),
        cmocka_unit_test(test_file_is_read_whole),
        cmocka_unit_test(test_what_is_no_file_is_refused),
        cmocka_unit_test(test_file_and_folder_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
