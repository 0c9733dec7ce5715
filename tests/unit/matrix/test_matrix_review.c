// SRDF files with known faults, and the matrix written as SRDF: read back by the loader, and what
// is not a rule about pairs byte for byte as it was.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "graze/matrix.h"

// a and b are neighbours, b and c too; a and c collide for some angles; d always touches a's
// geometry through its neighbour; far is never reached.
static const char urdf[] =
    "<robot name='r'><link name='a'><collision><geometry><box size='0.2 0.2 0.2'/></geometry>"
    "</collision></link><link name='b'><collision><origin xyz='0.3 0 0'/><geometry><box size='0.2 "
    "0.1 0.1'/></geometry></collision></link><link name='c'><collision><origin xyz='0.3 0 0'/>"
    "<geometry><box size='0.4 0.1 0.1'/></geometry></collision></link><link name='far'><collision>"
    "<origin xyz='0 0 5'/><geometry><sphere radius='0.1'/></geometry></collision></link>"
    "<joint name='j' type='revolute'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/>"
    "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint>"
    "<joint name='k' type='revolute'><parent link='b'/><child link='c'/><origin xyz='0.5 0 0'/>"
    "<axis xyz='0 0 1'/><limit lower='-3' upper='3' effort='1' velocity='1'/></joint>"
    "<joint name='m' type='continuous'><parent link='a'/><child link='far'/><axis xyz='0 0 1'/>"
    "</joint></robot>";

static graze_robot *load(void) {
    graze_robot *robot = NULL;
    assert_int_equal(
        graze_robot_load_urdf_memory(&robot, urdf, strlen(urdf), "t", NULL, NULL, NULL), GRAZE_OK);
    return robot;
}

static graze_matrix *compute(const graze_robot *robot) {
    graze_matrix *m = NULL;
    graze_matrix_options o = graze_matrix_options_default();
    o.samples = 1000;
    assert_int_equal(graze_matrix_compute(&m, robot, &o, NULL), GRAZE_OK);
    return m;
}

static graze_matrix_review *review(const graze_matrix *m, const char *text) {
    graze_matrix_review *v = NULL;
    graze_error error;
    graze_status status = graze_matrix_review_srdf(&v, m, text, strlen(text), "s", NULL, &error);
    if (status) print_message("%s\n", error.message);
    assert_int_equal(status, GRAZE_OK);
    return v;
}

static const graze_matrix_finding *find(const graze_matrix_review *v, graze_matrix_fault fault,
                                        const char *one, const char *two) {
    for (size_t i = 0; i < graze_matrix_review_count(v); i++) {
        const graze_matrix_finding *f = graze_matrix_review_at(v, i);
        if (f->fault == fault && !strcmp(f->link1, one) && !strcmp(f->link2, two)) return f;
    }
    return NULL;
}

#define RULE(a, b, reason) "<disable_collisions link1='" a "' link2='" b "' reason='" reason "'/>\n"

static void test_each_fault_is_found_where_it_stands(void **state) {
    (void)state;
    graze_robot *r = load();
    graze_matrix *m = compute(r);
    graze_matrix_review *v = review(
        m, "<robot name='r'>\n" RULE("a", "c", "Never") RULE("a", "faar", "Never")
               RULE("a", "b", "Never") RULE("b", "far", "Always") RULE("far", "b", "Never")
                   RULE("c", "c", "Never") RULE("b", "c", "Adjacent") "</robot>");
    const graze_matrix_finding *f = find(v, GRAZE_MATRIX_HIDES_CONTACT, "a", "c");
    assert_non_null(f);
    assert_true(f->is_error && f->line == 2 && f->column == 1 && f->entry->witness);
    f = find(v, GRAZE_MATRIX_UNKNOWN_LINK, "a", "faar");
    assert_non_null(f);
    assert_null(f->nearest[0]);
    assert_string_equal(f->nearest[1], "far");
    // a and b are apart by 0.1 m along x, so that "Never" is not refuted; they are no neighbours
    // that collide.
    assert_null(find(v, GRAZE_MATRIX_WRONG_REASON, "a", "b"));
    f = find(v, GRAZE_MATRIX_WRONG_REASON, "b", "far");
    assert_non_null(f);
    assert_non_null(strstr(f->message, "right is \"Never\""));
    assert_non_null(find(v, GRAZE_MATRIX_DUPLICATE, "far", "b"));
    assert_non_null(find(v, GRAZE_MATRIX_SAME_LINK, "c", "c"));
    f = find(v, GRAZE_MATRIX_MISSING, "a", "far");
    assert_non_null(f);
    assert_false(f->is_error);
    assert_int_equal(f->entry->kind, GRAZE_MATRIX_ADJACENT);
    assert_non_null(find(v, GRAZE_MATRIX_MISSING, "c", "far"));
    assert_int_equal(graze_matrix_review_rules(v), 7);
    assert_int_equal(graze_matrix_review_disabled(v), 4);
    // By line, what is missing last.
    for (size_t i = 1; i < graze_matrix_review_count(v); i++)
        assert_true(graze_matrix_review_at(v, i)->line == 0 ||
                    graze_matrix_review_at(v, i - 1)->line <= graze_matrix_review_at(v, i)->line);
    graze_matrix_review_free(v);
    graze_matrix_free(m);
    graze_robot_free(r);
}

static void test_a_default_rule_hides_and_an_enabled_pair_does_not(void **state) {
    (void)state;
    graze_robot *r = load();
    graze_matrix *m = compute(r);
    graze_matrix_review *v = review(
        m, "<robot name='r'><disable_default_collisions link='c'/></robot>");
    const graze_matrix_finding *f = find(v, GRAZE_MATRIX_HIDES_CONTACT, "c", "");
    assert_non_null(f);
    assert_int_equal(f->entry->a, graze_robot_find_link(r, "a"));
    graze_matrix_review_free(v);
    v = review(m, "<robot name='r'><disable_default_collisions link='c'/>"
                  "<enable_collisions link1='c' link2='a'/></robot>");
    assert_null(find(v, GRAZE_MATRIX_HIDES_CONTACT, "c", ""));
    graze_matrix_review_free(v);
    graze_matrix_free(m);
    graze_robot_free(r);
}

static void test_what_is_written_is_found_right_and_loads(void **state) {
    (void)state;
    graze_robot *r = load();
    graze_matrix *m = compute(r);
    char *text;
    size_t size;
    assert_int_equal(graze_matrix_write_srdf(&text, &size, m, NULL, 0, NULL, NULL, NULL), GRAZE_OK);
    assert_int_equal(size, strlen(text));
    graze_matrix_review *v = review(m, text);
    assert_int_equal(graze_matrix_review_count(v), 0);
    assert_int_equal(graze_matrix_review_disabled(v), 5);
    assert_non_null(strstr(text, "reason=\"Never\"/> <!-- graze: never, proved: "));
    graze_matrix_review_free(v);
    graze_matrix_text_free(text);
    graze_matrix_free(m);
    graze_robot_free(r);
}

/// Writes into `text`, and again into what came out, which must change nothing more.
static char *rewrite(const graze_matrix *m, const char *text) {
    char *once, *twice;
    size_t size;
    assert_int_equal(graze_matrix_write_srdf(&once, &size, m, text, strlen(text), "s", NULL, NULL),
                     GRAZE_OK);
    assert_int_equal(graze_matrix_write_srdf(&twice, &size, m, once, size, "s", NULL, NULL),
                     GRAZE_OK);
    assert_string_equal(once, twice);
    graze_matrix_text_free(twice);
    return once;
}

static void test_the_rest_of_a_file_stays_byte_for_byte(void **state) {
    (void)state;
    static const char head[] = "<?xml version='1.0'?>\n<!-- <disable_collisions> of old -->\n"
                               "<robot  name = 'r' >\n\t<group name=\"g>h\"><joint name='j'/>"
                               "</group>  \n    <!-- mine -->\n";
    static const char tail[] = "\n  <group_state name='s' group='g>h'>\n<joint name='j' "
                               "value='0.5'/></group_state>\n<enable_collisions link1='a' "
                               "link2='c'/>\n</robot>\n<!-- end -->";
    char before[2048];
    snprintf(before, sizeof before,
             "%s    %s%s  <disable_collisions link1=\"a\" link2='c'>\n"
             "</disable_collisions>\n%s",
             head, RULE("a", "b", "/>"), RULE("x", "y", ""), tail);
    graze_robot *r = load();
    graze_matrix *m = compute(r);
    char *after = rewrite(m, before);
    assert_memory_equal(after, head, sizeof head - 1);
    assert_string_equal(after + strlen(after) - (sizeof tail - 1), tail);
    assert_null(strstr(after, "link1='x'"));
    assert_non_null(strstr(after, "<disable_collisions link1=\"a\" link2=\"b\" "
                                  "reason=\"Adjacent\"/> <!-- graze: adjacent -->\n"));
    graze_matrix_text_free(after);
    graze_matrix_free(m);
    graze_robot_free(r);
}

static void test_an_empty_root_and_odd_line_ends(void **state) {
    (void)state;
    graze_robot *r = load();
    graze_matrix *m = compute(r);
    char *after = rewrite(m, "<robot name='r'/>\r\n");
    assert_memory_equal(after, "<robot name='r'>\r\n", 18);
    assert_non_null(strstr(after, "</robot>\r\n"));
    graze_matrix_review *v = review(m, after);
    assert_int_equal(graze_matrix_review_count(v), 0);
    graze_matrix_review_free(v);
    graze_matrix_text_free(after);
    after = rewrite(m, "<robot name='r'></robot>");
    v = review(m, after);
    assert_int_equal(graze_matrix_review_count(v), 0);
    graze_matrix_review_free(v);
    graze_matrix_text_free(after);
    graze_matrix_free(m);
    graze_robot_free(r);
}

static void test_what_is_no_srdf_is_refused(void **state) {
    (void)state;
    graze_robot *r = load();
    graze_matrix *m = compute(r);
    graze_matrix_review *v = NULL;
    graze_error error;
    char *text;
    size_t size;
    static const struct {
        const char *text;
        graze_status status;
    } cases[] = {{"<robot name='r'>", GRAZE_ERROR_PARSE},
                 {"<group name='r'/>", GRAZE_ERROR_SCHEMA},
                 {"", GRAZE_ERROR_PARSE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *t = cases[i].text;
        assert_int_equal(graze_matrix_review_srdf(&v, m, t, strlen(t), "s", NULL, &error),
                         cases[i].status);
        assert_int_equal(graze_matrix_write_srdf(&text, &size, m, t, strlen(t), "s", NULL, &error),
                         cases[i].status);
        assert_null(text);
    }
    assert_int_equal(graze_matrix_review_srdf(&v, m, urdf, strlen(urdf), "s", NULL, &error),
                     GRAZE_ERROR_SCHEMA);
    static const char latin[] = "<?xml version='1.0' encoding='ISO-8859-1'?><robot name='r'/>";
    assert_int_equal(
        graze_matrix_write_srdf(&text, &size, m, latin, sizeof latin - 1, "s", NULL, &error),
        GRAZE_ERROR_UNSUPPORTED);
    assert_int_equal(graze_matrix_review_srdf(NULL, m, urdf, 1, "s", NULL, &error),
                     GRAZE_ERROR_ARGUMENT);
    graze_matrix_free(m);
    graze_robot_free(r);
}

static void test_a_rule_inside_another_element_is_not_taken_for_one(void **state) {
    (void)state;
    graze_robot *r = load();
    graze_matrix *m = compute(r);
    graze_error error;
    char *text;
    size_t size;
    static const char nested[] = "<robot name='r'>\n<group name='g'>\n" RULE(
        "a", "c", "Never") "</group></robot>";
    assert_int_equal(
        graze_matrix_write_srdf(&text, &size, m, nested, sizeof nested - 1, "s", NULL, &error),
        GRAZE_ERROR_UNSUPPORTED);
    assert_null(text);
    assert_int_equal(error.line, 3);
    graze_matrix_free(m);
    graze_robot_free(r);
}

// A diver in a tank: it collides wherever samples are drawn, and a floating joint goes on.
static void test_a_pair_on_a_floating_joint_is_not_left_out_as_always(void **state) {
    (void)state;
    static const char tank[] =
        "<robot name='r'><link name='a'><collision><geometry><box size='20 20 20'/></geometry>"
        "</collision></link><link name='b'><collision><origin xyz='0 0 50'/><geometry><sphere "
        "radius='0.1'/></geometry></collision></link><link name='c'><collision><geometry><sphere "
        "radius='1'/></geometry></collision></link><joint name='f' type='floating'><parent "
        "link='a'/><child link='b'/></joint><joint name='k' type='fixed'><parent link='b'/><child "
        "link='c'/></joint></robot>";
    graze_robot *r = NULL;
    assert_int_equal(graze_robot_load_urdf_memory(&r, tank, strlen(tank), "t", NULL, NULL, NULL),
                     GRAZE_OK);
    graze_matrix *m = compute(r);
    static const char rules[] =
        "<robot name='r'><disable_collisions link1='a' link2='c' reason='Always'/></robot>";
    graze_matrix_review *v = review(m, rules);
    const graze_matrix_finding *f = find(v, GRAZE_MATRIX_HIDES_CONTACT, "a", "c");
    assert_non_null(f);
    assert_true(f->is_error);
    assert_non_null(strstr(f->message, "at rest, and a joint without limits is between them"));
    char *text = NULL;
    size_t size;
    assert_int_equal(graze_matrix_write_srdf(&text, &size, m, NULL, 0, NULL, NULL, NULL), GRAZE_OK);
    assert_null(strstr(text, "reason=\"Always\""));
    assert_non_null(strstr(text, "<!-- graze: checked: a, c: collide at rest, and a joint"));
    graze_matrix_text_free(text);
    graze_matrix_review_free(v);
    graze_matrix_free(m);
    graze_robot_free(r);
}

#ifdef GRAZE_FAULTS
static void test_every_failing_allocation_is_no_memory(void **state) {
    (void)state;
    graze_robot *r = load();
    graze_matrix *m = compute(r);
    static const char text[] = "<robot name='r'>" RULE("a", "c", "Never")
        RULE("a", "q", "") "</robot>";
    for (int what = 0; what < 2; what++) {
        for (long n = 1;; n++) {
            graze_matrix_review *v = NULL;
            char *out = NULL;
            size_t size;
            graze_error error;
            gz_memory_fail_after(n, true);
            graze_status status = what
                                      ? graze_matrix_review_srdf(&v, m, text, sizeof text - 1, "s",
                                                                 NULL, &error)
                                      : graze_matrix_write_srdf(&out, &size, m, text,
                                                                sizeof text - 1, "s", NULL, &error);
            gz_memory_fail_after(0, false);
            if (status == GRAZE_OK) {
                assert_true(n > 2);
                graze_matrix_review_free(v);
                graze_matrix_text_free(out);
                break;
            }
            assert_int_equal(status, GRAZE_ERROR_NO_MEMORY);
            assert_true(v == NULL && out == NULL);
        }
    }
    graze_matrix_free(m);
    graze_robot_free(r);
}
#endif

static void test_a_rule_of_one_link_is_named_by_that_link(void **state) {
    (void)state;
    graze_robot *r = load();
    graze_matrix *m = compute(r);
    graze_matrix_review *v = review(
        m, "<robot name='r'><disable_default_collisions link1='x' link2='y' link='a'/></robot>");
    const graze_matrix_finding *f = find(v, GRAZE_MATRIX_HIDES_CONTACT, "a", "");
    assert_non_null(f);
    graze_matrix_review_free(v);
    graze_matrix_free(m);
    graze_robot_free(r);
}

/// The findings of 2,000 rules take more than the text's elements, which alone were counted.
static void test_findings_count_within_the_memory_limit(void **state) {
    (void)state;
    graze_robot *r = load();
    graze_matrix *m = compute(r);
    static char text[200000] = "<robot name='r'>";
    size_t size = strlen(text);
    for (int i = 0; i < 2000; i++)
        size += (size_t)snprintf(text + size, sizeof text - size, "%s",
                                 RULE("a", "nobody", "Never"));
    size += (size_t)snprintf(text + size, sizeof text - size, "</robot>");
    graze_limits limits = graze_load_options_default().limits;
    graze_status status = GRAZE_ERROR_LIMIT;
    int whole = 0; // refusals of the load as a whole
    for (double limit = 50000; status == GRAZE_ERROR_LIMIT && limit < 1e8; limit *= 1.05) {
        graze_matrix_review *v = NULL;
        graze_error error = {0};
        limits.memory_bytes = (uint64_t)limit;
        status = graze_matrix_review_srdf(&v, m, text, size, "s", &limits, &error);
        whole += strstr(error.message, "memory_bytes leaves to one load") != NULL;
        graze_matrix_review_free(v);
    }
    assert_int_equal(status, GRAZE_OK);
    assert_true(whole > 0);
    graze_matrix_free(m);
    graze_robot_free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_pair_on_a_floating_joint_is_not_left_out_as_always),
        cmocka_unit_test(test_a_rule_of_one_link_is_named_by_that_link),
        cmocka_unit_test(test_findings_count_within_the_memory_limit),
        cmocka_unit_test(test_each_fault_is_found_where_it_stands),
        cmocka_unit_test(test_a_default_rule_hides_and_an_enabled_pair_does_not),
        cmocka_unit_test(test_what_is_written_is_found_right_and_loads),
        cmocka_unit_test(test_the_rest_of_a_file_stays_byte_for_byte),
        cmocka_unit_test(test_an_empty_root_and_odd_line_ends),
        cmocka_unit_test(test_what_is_no_srdf_is_refused),
        cmocka_unit_test(test_a_rule_inside_another_element_is_not_taken_for_one),
#ifdef GRAZE_FAULTS
        cmocka_unit_test(test_every_failing_allocation_is_no_memory),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
