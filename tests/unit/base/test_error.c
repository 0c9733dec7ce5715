// Errors and warnings: complete on failure, one line, cut and never overrun, NULL allowed.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/memory.h"

/// An error filled with bytes that must not survive.
static graze_error dirty(void) {
    graze_error e;
    memset(&e, 0x7f, sizeof e);
    return e;
}

static void test_fail_writes_the_error_completely(void **state) {
    (void)state;
    graze_error e = dirty();
    assert_int_equal(gz_fail(&e, GRAZE_ERROR_RANGE, "radius is %g; allowed: above %d", -1.5, 0),
                     GRAZE_ERROR_RANGE);
    assert_int_equal(e.status, GRAZE_ERROR_RANGE);
    assert_string_equal(e.message, "radius is -1.5; allowed: above 0");
    assert_string_equal(e.file, "");
    assert_string_equal(e.element, "");
    assert_int_equal(e.line, 0);
    assert_int_equal(e.column, 0);

    e = dirty();
    gz_place place = {.file = "a.urdf", .element = "/robot", .line = 3, .column = 9};
    assert_int_equal(gz_fail_at(&e, GRAZE_ERROR_SCHEMA, place, "bad %s", "thing"),
                     GRAZE_ERROR_SCHEMA);
    assert_string_equal(e.message, "bad thing");
    assert_string_equal(e.file, "a.urdf");
    assert_string_equal(e.element, "/robot");
    assert_int_equal(e.line, 3);
    assert_int_equal(e.column, 9);

    e = dirty();
    assert_int_equal(gz_fail_memory(&e), GRAZE_ERROR_NO_MEMORY);
    assert_string_equal(e.message, "out of memory");
}

static void test_errors_may_be_null(void **state) {
    (void)state;
    assert_int_equal(gz_fail(NULL, GRAZE_ERROR_IO, "x"), GRAZE_ERROR_IO);
    assert_int_equal(gz_fail_at(NULL, GRAZE_ERROR_MESH, (gz_place){0}, "x"), GRAZE_ERROR_MESH);
    assert_int_equal(gz_fail_memory(NULL), GRAZE_ERROR_NO_MEMORY);
    gz_error_locate(NULL, (gz_place){.file = "f"});
    gz_error_clear(NULL);
}

static void test_long_texts_are_cut_and_ended(void **state) {
    (void)state;
    char text[4 * GRAZE_MESSAGE_SIZE];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    graze_error e = dirty();
    gz_fail_at(&e, GRAZE_ERROR_IO, (gz_place){.file = text, .element = text}, "%s", text);
    assert_int_equal(strlen(e.message), GRAZE_MESSAGE_SIZE - 1);
    assert_int_equal(strlen(e.file), GRAZE_PATH_SIZE - 1);
    assert_int_equal(strlen(e.element), GRAZE_PATH_SIZE - 1);
    // A text that fits exactly stays whole.
    text[GRAZE_PATH_SIZE - 1] = '\0';
    gz_fail_at(&e, GRAZE_ERROR_IO, (gz_place){.file = text}, "m");
    assert_string_equal(e.file, text);
}

static void test_control_characters_cannot_break_the_line(void **state) {
    (void)state;
    graze_error e;
    gz_fail_at(&e, GRAZE_ERROR_PARSE, (gz_place){.file = "a\nb", .element = "\x1b[31m"},
               "name '%s'", "x\r\n\t\x7fy\xc3\xa4");
    assert_string_equal(e.message, "name 'x????y\xc3\xa4'");
    assert_string_equal(e.file, "a?b");
    assert_string_equal(e.element, "?[31m");
    gz_error_clear(&e);
    gz_error_locate(&e, (gz_place){.file = "c\nd"});
    assert_string_equal(e.file, "c?d");
}

static void test_locate_fills_in_only_what_is_unknown(void **state) {
    (void)state;
    graze_error e;
    gz_fail_at(&e, GRAZE_ERROR_RANGE, (gz_place){.element = "inner"}, "m");
    gz_error_locate(&e,
                    (gz_place){.file = "outer.urdf", .element = "outer", .line = 4, .column = 5});
    assert_string_equal(e.element, "inner");
    assert_string_equal(e.file, "outer.urdf");
    assert_int_equal(e.line, 4);
    assert_int_equal(e.column, 5);
    gz_error_locate(&e, (gz_place){.file = "other", .line = 8, .column = 9});
    assert_string_equal(e.file, "outer.urdf");
    assert_int_equal(e.line, 4);
    assert_int_equal(e.column, 5);
}

static void test_clear_leaves_nothing_behind(void **state) {
    (void)state;
    graze_error e = dirty();
    gz_error_clear(&e);
    assert_int_equal(e.status, GRAZE_OK);
    assert_int_equal(e.line, 0);
    assert_int_equal(e.column, 0);
    assert_string_equal(e.message, "");
    assert_string_equal(e.file, "");
    assert_string_equal(e.element, "");
}

static void test_equal_warnings_are_one_with_a_count(void **state) {
    (void)state;
    gz_warnings w = {0};
    gz_place first = {.file = "a", .element = "one", .line = 1, .column = 2};
    gz_place second = {.file = "a", .element = "two", .line = 7, .column = 8};
    gz_place other = {.file = "b", .line = 1};
    gz_warn(&w, "code", first, "text %d", 5);
    gz_warn(&w, "code", second, "text %d", 5);
    gz_warn(&w, "code", other, "text %d", 5);
    gz_warn(&w, "code", first, "text %d", 6);
    gz_warn(&w, "edoc", first, "text %d", 5);
    gz_warn(&w, "bare", (gz_place){0}, "no\nplace");
    gz_warn(&w, "bare", (gz_place){0}, "no\nplace");
    assert_int_equal(w.count, 5);
    assert_int_equal(w.items[0].count, 2);
    assert_string_equal(w.items[0].element, "one"); // the place is that of the first
    assert_int_equal(w.items[0].line, 1);
    assert_int_equal(w.items[1].count, 1);
    assert_string_equal(w.items[4].message, "no?place");
    assert_string_equal(w.items[4].file, "");
    assert_int_equal(w.items[4].count, 2);
    assert_false(w.out_of_memory);
    gz_warnings_free(&w);
    assert_int_equal(w.count, 0);
    assert_null(w.items);
}

static void test_moving_warnings_keeps_all_and_empties_the_source(void **state) {
    (void)state;
    gz_warnings a = {0}, b = {0};
    gz_warn(&a, "a", (gz_place){0}, "first");
    for (int i = 0; i < 40; i++) gz_warn(&b, "b", (gz_place){0}, "number %d", i);
    gz_warnings_move(&a, &b);
    assert_int_equal(b.count, 0);
    assert_null(b.items);
    assert_int_equal(a.count, 41);
    assert_string_equal(a.items[0].message, "first");
    assert_string_equal(a.items[40].message, "number 39");
    gz_warnings_move(&a, &b); // nothing
    assert_int_equal(a.count, 41);
    b.out_of_memory = true;
    gz_warnings_move(&a, &b);
    assert_true(a.out_of_memory);
    gz_warnings_free(&a);
    gz_warnings_free(&b);
}

static void test_warnings_that_find_no_memory_say_so(void **state) {
    (void)state;
#ifdef GRAZE_FAULTS
    for (long n = 1;; n++) {
        gz_warnings a = {0}, b = {0};
        gz_memory_fail_after(n, true);
        gz_warn(&a, "code", (gz_place){.file = "f", .element = "e"}, "text");
        gz_warn(&b, "code", (gz_place){.file = "f", .element = "e"}, "text");
        gz_warnings_move(&a, &b);
        bool finished = gz_memory_allocation_count() < n;
        gz_memory_fail_after(0, false);
        assert_int_equal(b.count, 0);
        assert_int_equal(a.count == 2, finished);
        assert_int_equal(a.out_of_memory, !finished);
        gz_warnings_free(&a);
        gz_warnings_free(&b);
        if (finished) {
            assert_true(n > 6);
            return;
        }
    }
#else
    skip();
#endif
}

static void test_every_status_has_a_name_of_its_own(void **state) {
    (void)state;
    for (int i = 0; i <= GRAZE_ERROR_BUDGET; i++) {
        const char *name = graze_status_name((graze_status)i);
        assert_non_null(name);
        assert_string_not_equal(name, "unknown");
        for (int k = 0; k < i; k++)
            assert_string_not_equal(name, graze_status_name((graze_status)k));
    }
    assert_string_equal(graze_status_name(GRAZE_OK), "ok");
    assert_string_equal(graze_status_name(GRAZE_ERROR_NO_MEMORY), "no-memory");
    assert_string_equal(graze_status_name((graze_status)99), "unknown");
    assert_string_equal(graze_status_name((graze_status)-1), "unknown");
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", GRAZE_VERSION_MAJOR, GRAZE_VERSION_MINOR,
             GRAZE_VERSION_PATCH);
    assert_string_equal(graze_version(), version);
    assert_string_equal(GRAZE_VERSION, version);
}

static void test_more_warnings_than_are_listed_are_counted(void **state) {
    (void)state;
    gz_warnings w = {0};
    for (int i = 0; i < 2000; i++) gz_warn(&w, "code", (gz_place){.file = "f"}, "number %d", i);
    gz_warn(&w, "code", (gz_place){.file = "f"}, "number 1"); // not looked for any more
    assert_int_equal(w.count, 501);
    assert_string_equal(w.items[499].message, "number 499");
    assert_string_equal(w.items[500].code, "more-warnings");
    assert_int_equal(w.items[500].count, 1501);
    assert_int_equal(w.items[1].count, 1);
    gz_warnings_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fail_writes_the_error_completely),
        cmocka_unit_test(test_errors_may_be_null),
        cmocka_unit_test(test_long_texts_are_cut_and_ended),
        cmocka_unit_test(test_control_characters_cannot_break_the_line),
        cmocka_unit_test(test_locate_fills_in_only_what_is_unknown),
        cmocka_unit_test(test_clear_leaves_nothing_behind),
        cmocka_unit_test(test_equal_warnings_are_one_with_a_count),
        cmocka_unit_test(test_moving_warnings_keeps_all_and_empties_the_source),
        cmocka_unit_test(test_warnings_that_find_no_memory_say_so),
        cmocka_unit_test(test_every_status_has_a_name_of_its_own),
        cmocka_unit_test(test_more_warnings_than_are_listed_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
