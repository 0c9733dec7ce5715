// The linter through its API: what it refuses, how findings are silenced and sorted, and that no
// input, however bad or large, gets the better of it. What each rule finds is shown by the pages of
// docs/lint, which tests/lint/examples.py runs.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/memory.h"
#include "graze/lint.h"

static graze_lint_report *lint(const char *text, const graze_lint_options *options) {
    graze_lint_report *report = NULL;
    graze_error error;
    graze_status status = graze_lint_urdf_memory(&report, text, strlen(text), "test.urdf", NULL,
                                                 options, &error);
    assert_int_equal(status, GRAZE_OK);
    assert_non_null(report);
    return report;
}

static size_t count_of(const graze_lint_report *report, const char *id) {
    size_t count = 0;
    for (size_t i = 0; i < graze_lint_finding_count(report); i++)
        count += strcmp(graze_lint_finding(report, i)->rule->id, id) == 0;
    return count;
}

static const char bent[] = "<robot name='r'>\n<link name='a'/>\n<link name='b c'/>\n"
                           "<joint name='j' type='revolute'><parent link='a'/><child link='b c'/>"
                           "<axis xyz='0 0 2'/></joint>\n</robot>";

static void test_rules_are_sorted_and_found_by_id_and_name(void **state) {
    (void)state;
    assert_true(graze_lint_rule_count() > 40);
    for (size_t i = 0; i < graze_lint_rule_count(); i++) {
        const graze_lint_rule *rule = graze_lint_rule_at(i);
        assert_ptr_equal(graze_lint_rule_find(rule->id), rule);
        assert_ptr_equal(graze_lint_rule_find(rule->name), rule);
        assert_true(rule->severity > GRAZE_SEVERITY_OFF);
        if (i) assert_true(strcmp(graze_lint_rule_at(i - 1)->id, rule->id) < 0);
    }
    assert_ptr_equal(graze_lint_rule_find("j003"), graze_lint_rule_find("J003"));
    assert_null(graze_lint_rule_find("J999"));
    assert_null(graze_lint_rule_find(NULL));
    assert_null(graze_lint_rule_at(graze_lint_rule_count()));
}

static void test_wrong_arguments_are_errors(void **state) {
    (void)state;
    graze_lint_report *report = (graze_lint_report *)&state;
    graze_error e;
    assert_int_equal(graze_lint_urdf(NULL, "x", NULL, &e), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_lint_urdf(&report, NULL, NULL, &e), GRAZE_ERROR_ARGUMENT);
    assert_null(report);
    assert_int_equal(graze_lint_urdf_memory(&report, NULL, 0, "x", NULL, NULL, &e),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_lint_urdf(&report, "/no/such/file.urdf", NULL, &e),
                     GRAZE_ERROR_NOT_FOUND);
    graze_lint_options missing = graze_lint_options_default();
    graze_load_options load = graze_load_options_default();
    load.srdf = "/no/such/file.srdf";
    missing.load = &load;
    assert_int_equal(graze_lint_urdf_memory(&report, bent, strlen(bent), "x", NULL, &missing, &e),
                     GRAZE_ERROR_NOT_FOUND);
    graze_lint_options o = {0};
    assert_int_equal(graze_lint_urdf_memory(&report, bent, strlen(bent), "x", NULL, &o, &e),
                     GRAZE_ERROR_ARGUMENT);
    o = graze_lint_options_default();
    graze_rule_setting settings[] = {{"J999", GRAZE_SEVERITY_OFF}};
    o.rules = settings;
    o.rule_count = 1;
    assert_int_equal(graze_lint_urdf_memory(&report, bent, strlen(bent), "x", NULL, &o, &e),
                     GRAZE_ERROR_ARGUMENT);
    assert_non_null(strstr(e.message, "J999"));
    settings[0] = (graze_rule_setting){"J003", (graze_severity)7};
    assert_int_equal(graze_lint_urdf_memory(&report, bent, strlen(bent), "x", NULL, &o, &e),
                     GRAZE_ERROR_ARGUMENT);
    o.rules = NULL;
    assert_int_equal(graze_lint_urdf_memory(&report, bent, strlen(bent), "x", NULL, &o, &e),
                     GRAZE_ERROR_ARGUMENT);
    assert_null(report);
    assert_int_equal(graze_lint_finding_count(NULL), 0);
    assert_null(graze_lint_finding(NULL, 0));
}

static void test_all_findings_come_in_one_pass_sorted_by_place(void **state) {
    (void)state;
    graze_lint_report *r = lint(bent, NULL);
    assert_int_equal(count_of(r, "J002"), 1);
    assert_int_equal(count_of(r, "J003"), 1);
    assert_int_equal(count_of(r, "T008"), 1);
    assert_int_equal(graze_lint_count(r, GRAZE_SEVERITY_ERROR), 1);
    for (size_t i = 1; i < graze_lint_finding_count(r); i++)
        assert_true(graze_lint_finding(r, i - 1)->line <= graze_lint_finding(r, i)->line);
    assert_string_equal(graze_lint_finding(r, 0)->rule->id, "I001");
    const graze_finding *f = graze_lint_finding(r, 1);
    assert_string_equal(f->rule->id, "T008");
    assert_int_equal(f->line, 3);
    assert_int_equal(f->column, 1);
    assert_string_equal(f->file, "test.urdf");
    assert_string_equal(f->link, "b c");
    graze_lint_report_free(r);
}

static void test_severities_and_tiers_are_settings(void **state) {
    (void)state;
    graze_lint_options o = graze_lint_options_default();
    graze_rule_setting settings[] = {{"J003", GRAZE_SEVERITY_OFF},
                                     {"axis-not-unit", GRAZE_SEVERITY_ERROR}};
    o.rules = settings;
    o.rule_count = 2;
    o.tiers_off = 1u << GRAZE_TIER_TOPOLOGY;
    graze_lint_report *r = lint(bent, &o);
    assert_int_equal(count_of(r, "J003"), 0);
    assert_int_equal(count_of(r, "T008"), 0);
    assert_int_equal(graze_lint_count(r, GRAZE_SEVERITY_ERROR), 1);
    graze_lint_report_free(r);
}

static void test_comments_silence_an_element_and_what_it_holds(void **state) {
    (void)state;
    const char text[] = "<robot name='r'>\n<!-- graze-lint: off T008 -->\n<link name='a b'/>\n"
                        "<link name='c d'/>\n<!-- graze-lint: off limit-missing, J002 -->"
                        "<joint name='j' type='revolute'><parent link='a b'/><child link='c d'/>"
                        "<axis xyz='0 0 2'/></joint>\n</robot>";
    graze_lint_report *r = lint(text, NULL);
    assert_int_equal(count_of(r, "T008"), 2); // both are told, one is suppressed
    size_t shown = 0;
    for (size_t i = 0; i < graze_lint_finding_count(r); i++) {
        const graze_finding *f = graze_lint_finding(r, i);
        if (strcmp(f->rule->id, "T008") == 0) shown += !f->suppressed;
        if (f->rule->id[0] == 'J') assert_true(f->suppressed); // the axis is inside the joint
    }
    assert_int_equal(shown, 1);
    assert_int_equal(graze_lint_count(r, GRAZE_SEVERITY_ERROR), 0);
    graze_lint_report_free(r);
    // Other comments, and a note behind the element, silence nothing.
    r = lint("<robot name='r'><!-- graze: off T008 --><link name='a b'/>"
             "<!-- graze-lint: off T008 --></robot>",
             NULL);
    assert_false(graze_lint_finding(r, 0)->suppressed);
    graze_lint_report_free(r);
}

static void test_what_is_no_xml_is_a_finding_at_its_place(void **state) {
    (void)state;
    const char *const texts[] = {"", "not xml", "<robot name='r'>\n<link name='a'>\n</robot>",
                                 "<!DOCTYPE robot><robot name='r'/>"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        graze_lint_report *r = lint(texts[i], NULL);
        assert_int_equal(graze_lint_finding_count(r), 1);
        assert_string_equal(graze_lint_finding(r, 0)->rule->id, "U001");
        assert_true(graze_lint_finding(r, 0)->line > 0);
        graze_lint_report_free(r);
    }
}

/// A chain of `n` links whose joints all name links that are not there, in a file of 100 n bytes.
static char *make_hostile(size_t n) {
    char *text = malloc(200 * n + 64), *p = text;
    assert_non_null(text);
    p += sprintf(p, "<robot name='r'>");
    for (size_t i = 0; i < n; i++)
        p += sprintf(p,
                     "<link name='link%zu'/><joint name='j%zu' type='revolute'>"
                     "<parent link='lnik%zu'/><child link='linkk%zu'/></joint>",
                     i, i, i, i);
    sprintf(p, "</robot>");
    return text;
}

static void test_ten_thousand_unknown_names_end(void **state) {
    (void)state;
    // A nearest name for each of 20,000 among 10,000 would be 2e8 edit distances: the test's limit
    // of time is what would notice.
    enum { COUNT = 10000 };
    char *text = make_hostile(COUNT);
    clock_t start = clock();
    graze_lint_report *r = lint(text, NULL);
    print_message("%d joints without links: %.2f s\n", COUNT,
                  (double)(clock() - start) / CLOCKS_PER_SEC);
    assert_int_equal(count_of(r, "T004"), 2 * COUNT);
    graze_lint_report_free(r);
    free(text);
}

static void test_every_allocation_may_fail(void **state) {
    (void)state;
#ifndef GRAZE_FAULTS
    skip();
#else
    const char text[] = "<robot name='r'><!-- graze-lint: off T008 --><link name='a b'/>"
                        "<link name='c'><collision><geometry><box size='1'/></geometry>"
                        "</collision></link><joint name='j' type='revolute'><parent link='a b'/>"
                        "<child link='d'/></joint></robot>";
    bool done = false;
    for (long n = 1; !done; n++) {
        graze_lint_report *report = (graze_lint_report *)&state;
        graze_error e;
        gz_memory_fail_after(n, false);
        graze_status status = graze_lint_urdf_memory(&report, text, strlen(text), "x", NULL, NULL,
                                                     &e);
        done = gz_memory_allocation_count() < n;
        gz_memory_fail_after(0, false);
        assert_int_equal(status, done ? GRAZE_OK : GRAZE_ERROR_NO_MEMORY);
        if (!done) assert_null(report);
        graze_lint_report_free(report);
        if (done) assert_true(n > 20);
    }
#endif
}

/// Words of the reason are no rules, whatever they are.
static void test_a_reason_behind_the_rules_turns_nothing_off(void **state) {
    (void)state;
    static const struct {
        const char *note;
        bool two, three; // whether J002 and J003 are off
    } cases[] = {{"off J002 since all is simulated", true, false},
                 {"off J002 limit-missing is known", true, false},
                 {"off J002: all", false, false},
                 {"J002, J003 off", false, false},
                 {"off axis-not-unit, limit-missing and so on", true, true},
                 {"off J002 J003 all of it", true, true},
                 {"off j002,\nj003", true, true},
                 {"off J001\noff J003", false, true},
                 {"off all", true, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "<robot name='r'><link name='a'/><link name='b'/><!-- graze-lint: %s -->"
                 "<joint name='j' type='revolute'><parent link='a'/><child link='b'/>"
                 "<axis xyz='0 0 2'/></joint></robot>",
                 cases[i].note);
        graze_lint_report *report = lint(text, NULL);
        for (size_t k = 0; k < graze_lint_finding_count(report); k++) {
            const graze_finding *f = graze_lint_finding(report, k);
            if (strcmp(f->rule->id, "J002") == 0) assert_int_equal(f->suppressed, cases[i].two);
            if (strcmp(f->rule->id, "J003") == 0) assert_int_equal(f->suppressed, cases[i].three);
        }
        assert_int_equal(count_of(report, "J002"), 1);
        assert_int_equal(count_of(report, "J003"), 1);
        graze_lint_report_free(report);
    }
}

/// No other rule can look at it: a run that looked at nothing must not end well.
static void test_a_file_that_is_no_xml_is_an_error_with_its_rule_off(void **state) {
    (void)state;
    graze_rule_setting off = {"U001", GRAZE_SEVERITY_OFF};
    graze_lint_options o = graze_lint_options_default();
    for (int i = 0; i < 2; i++) {
        o.rules = i ? &off : NULL;
        o.rule_count = (size_t)i;
        o.tiers_off = i ? 0 : 1u << GRAZE_TIER_SCHEMA;
        graze_lint_report *report = lint("<robot name='r'><link name='a'>", &o);
        assert_int_equal(graze_lint_count(report, GRAZE_SEVERITY_ERROR), 1);
        graze_lint_report_free(report);
    }
    off.severity = GRAZE_SEVERITY_WARNING; // said, and heeded
    graze_lint_report *report = lint("", &o);
    assert_int_equal(graze_lint_count(report, GRAZE_SEVERITY_ERROR), 0);
    assert_int_equal(graze_lint_count(report, GRAZE_SEVERITY_WARNING), 1);
    graze_lint_report_free(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules_are_sorted_and_found_by_id_and_name),
        cmocka_unit_test(test_wrong_arguments_are_errors),
        cmocka_unit_test(test_all_findings_come_in_one_pass_sorted_by_place),
        cmocka_unit_test(test_severities_and_tiers_are_settings),
        cmocka_unit_test(test_comments_silence_an_element_and_what_it_holds),
        cmocka_unit_test(test_what_is_no_xml_is_a_finding_at_its_place),
        cmocka_unit_test(test_ten_thousand_unknown_names_end),
        cmocka_unit_test(test_a_file_that_is_no_xml_is_an_error_with_its_rule_off),
        cmocka_unit_test(test_a_reason_behind_the_rules_turns_nothing_off),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
