// The rules of the tier topology: each test holds what was once passed, or blamed, wrongly.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "base/memory.h"
#include "lint_text.h"

#define FIXED(name, parent, child)                                                                 \
    "<joint name='" name "' type='fixed'><parent link='" parent "'/><child link='" child           \
    "'/></joint>"

static void test_a_link_that_is_there_twice_is_no_second_root(void **state) {
    (void)state;
    const char *twice = "<robot name='r'><link name='a'/><link name='b'/>\n<link name='b'/>" FIXED(
        "j", "a", "b") "</robot>";
    int line;
    assert_int_equal(count_in(twice, NULL, "T005", &line), 1);
    assert_int_equal(line, 2);
    assert_int_equal(count_in(twice, NULL, "T001", NULL), 0);
    assert_int_equal(count_in(twice, NULL, "T006", NULL), 0);
}

static void test_a_link_without_a_name_is_no_second_root(void **state) {
    (void)state;
    const char *text =
        "<robot name='r'><link/><link name='a'/><link name='b'/><link name=''/>" FIXED(
            "j", "a", "b") "</robot>";
    assert_int_equal(count_in(text, NULL, "T005", NULL), 2);
    assert_int_equal(count_in(text, NULL, "T001", NULL), 0);
    assert_int_equal(count_in(text, NULL, "T006", NULL), 0);
}

static void test_the_root_is_known_beside_a_link_that_is_there_twice(void **state) {
    (void)state;
    const char *text = "<robot name='r'>\n<link name='a'>\n<inertial/></link><link name='b'/>"
                       "<link name='b'/>" FIXED("j", "a", "b") "</robot>";
    int line;
    assert_int_equal(count_in(text, NULL, "T009", &line), 1);
    assert_int_equal(line, 3);
}

static void test_two_roots_stay_two(void **state) {
    (void)state;
    const char *text =
        "<robot name='r'>\n<link name='a'/>\n<link name='b'/>\n<link name='c'/>" FIXED(
            "j", "a", "b") "</robot>";
    int line;
    assert_int_equal(count_in(text, NULL, "T001", &line), 1);
    assert_int_equal(line, 4);
    assert_int_equal(count_in(text, NULL, "T006", NULL), 1);
}

#define GROUP(name, held) "<group name='" name "'>\n" held "</group>"
#define HOLD(name)        "<group name='" name "'/>"

static void test_a_group_that_contains_itself_is_an_error(void **state) {
    (void)state;
    static const struct {
        const char *body;
        size_t count;
        int line;
    } cases[] = {
        {GROUP("g", HOLD("g")), 1, 2},
        {GROUP("g", HOLD("h")) GROUP("h", HOLD("g")), 1, 3},
        // The circle is below the first group, and met from two sides.
        {GROUP("a", HOLD("g") HOLD("h")) GROUP("g", HOLD("h")) GROUP("h", HOLD("g")), 1, 4},
        {GROUP("g", HOLD("g") HOLD("g")), 2, 2},
        {GROUP("a", HOLD("b") HOLD("c")) GROUP("b", HOLD("d")) GROUP("c", HOLD("d")) GROUP("d", ""),
         0, 0},
        // Of two groups of one name the first counts; an unknown one leads nowhere.
        {GROUP("g", "") GROUP("g", HOLD("g")) GROUP("h", HOLD("x")), 0, 0},
        {"<group/>" GROUP("g", "<group/>"), 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char srdf[1024];
        int line;
        snprintf(srdf, sizeof srdf, "<robot name='r'>%s</robot>", cases[i].body);
        size_t count = count_in("<robot name='r'><link name='a'/></robot>", srdf, "T010", &line);
        if (count != cases[i].count || line != cases[i].line)
            print_message("case %zu: %zu at line %d\n", i, count, line);
        assert_int_equal(count, cases[i].count);
        assert_int_equal(line, cases[i].line);
    }
}

static void test_groups_nest_as_deep_as_there_are_groups(void **state) {
    (void)state;
    enum { COUNT = 20000 };
    char *srdf = malloc(80 * COUNT + 64), *p = srdf;
    assert_non_null(srdf);
    p += sprintf(p, "<robot name='r'>");
    for (int i = 0; i < COUNT; i++)
        p += sprintf(p, "<group name='g%d'><group name='g%d'/></group>\n", i, (i + 1) % COUNT);
    sprintf(p, "</robot>");
    int line;
    assert_int_equal(count_in("<robot name='r'><link name='a'/></robot>", srdf, "T010", &line), 1);
    assert_int_equal(line, COUNT);
    free(srdf);
}

static void test_every_allocation_about_groups_may_fail(void **state) {
    (void)state;
#ifndef GRAZE_FAULTS
    skip();
#else
    char path[] = "/tmp/graze-lint-XXXXXX";
    const char urdf[] = "<robot name='r'><link name='a'/></robot>";
    const char srdf[] = "<robot name='r'>" GROUP("g", HOLD("h")) GROUP("h", HOLD("g")) "</robot>";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, srdf, sizeof srdf - 1), (ssize_t)sizeof srdf - 1);
    close(file);
    graze_lint_options options = graze_lint_options_default();
    graze_load_options load = graze_load_options_default();
    load.srdf = path;
    options.load = &load;
    bool done = false;
    for (long n = 1; !done; n++) {
        graze_lint_report *report = (graze_lint_report *)&state;
        graze_error error;
        gz_memory_fail_after(n, false);
        graze_status status = graze_lint_urdf_memory(&report, urdf, sizeof urdf - 1, "t.urdf", NULL,
                                                     &options, &error);
        done = gz_memory_allocation_count() < n;
        gz_memory_fail_after(0, false);
        assert_int_equal(status, done ? GRAZE_OK : GRAZE_ERROR_NO_MEMORY);
        if (!done) assert_null(report);
        if (done) assert_non_null(finding_of(report, "T010", NULL));
        graze_lint_report_free(report);
        if (done) assert_true(n > 20);
    }
    unlink(path);
#endif
}

static void test_joints_that_differ_in_case_alone_are_told(void **state) {
    (void)state;
    int line;
    assert_int_equal(
        count_in("<robot name='r'><link name='a'/><link name='b'/><link name='c'/>" FIXED(
                     "Elbow", "a", "b") "\n" FIXED("elbow", "b", "c") "</robot>",
                 NULL, "T008", &line),
        1);
    assert_int_equal(line, 2);
}

/// On processors whose char has a sign and on those where it has none.
static void test_a_name_that_is_not_ascii_is_told(void **state) {
    (void)state;
    assert_int_equal(count_in("<robot name='r'><link name='gr\xc3\xb6\xc3\x9f"
                              "e'/></robot>",
                              NULL, "T008", NULL),
                     1);
    assert_int_equal(
        count_in("<robot name='r'><link name='a+b.c-d~'/></robot>", NULL, "T008", NULL), 0);
}

/// The way up from each link ends where it meets itself.
static void test_many_short_circles_are_climbed_once_each(void **state) {
    (void)state;
    enum { CIRCLES = 40000, MAX_TEXT = 300 };
    char *text = malloc(CIRCLES * MAX_TEXT), *to = text;
    assert_non_null(text);
    to += sprintf(to, "<robot name='r'><link name='o'/>");
    for (int i = 0; i < CIRCLES; i++)
        to += sprintf(
            to,
            "<link name='a%d'/><link name='b%d'/>"
            "<joint name='i%d' type='fixed'><parent link='a%d'/><child link='b%d'/></joint>"
            "<joint name='j%d' type='fixed'><parent link='b%d'/><child link='a%d'/></joint>",
            i, i, i, i, i, i, i, i);
    strcpy(to, "</robot>");
    clock_t start = clock();
    size_t count = count_in(text, NULL, "T006", NULL);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    free(text);
    assert_int_equal(count, 2 * CIRCLES);
    print_message("%d circles: %.2f s\n", CIRCLES, seconds);
    assert_true(seconds < 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_link_that_is_there_twice_is_no_second_root),
        cmocka_unit_test(test_a_link_without_a_name_is_no_second_root),
        cmocka_unit_test(test_the_root_is_known_beside_a_link_that_is_there_twice),
        cmocka_unit_test(test_two_roots_stay_two),
        cmocka_unit_test(test_a_group_that_contains_itself_is_an_error),
        cmocka_unit_test(test_groups_nest_as_deep_as_there_are_groups),
        cmocka_unit_test(test_joints_that_differ_in_case_alone_are_told),
        cmocka_unit_test(test_a_name_that_is_not_ascii_is_told),
        cmocka_unit_test(test_many_short_circles_are_climbed_once_each),
        cmocka_unit_test(test_every_allocation_about_groups_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
