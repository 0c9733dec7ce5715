// Fixes of the linter: they stand where they say, keep the robot bit for bit, and are gone when
// they are done. The command's side of it (files, diffs) is in tests/cli/lint_fix.txt.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"
#include "graze/lint.h"
#include "graze/robot.h"
#include "load/file.h"
#include "load/package.h"

static graze_lint_report *lint(const char *text, const graze_lint_options *options) {
    graze_lint_report *report = NULL;
    graze_error error;
    assert_int_equal(
        graze_lint_urdf_memory(&report, text, strlen(text), "test.urdf", NULL, options, &error),
        GRAZE_OK);
    return report;
}

/// The text with every fix made, and their number.
static char *apply_fixes(const char *text, size_t *count) {
    graze_lint_report *report = lint(text, NULL);
    char *out = malloc(2 * strlen(text) + 4096);
    assert_non_null(out);
    size_t from = 0, used = 0;
    *count = 0;
    // Findings are sorted by place, and these tests have one fix an element.
    for (size_t i = 0; i < graze_lint_finding_count(report); i++) {
        const graze_lint_fix *fix = &graze_lint_finding(report, i)->fix;
        if (!fix->text) continue;
        assert_true(fix->offset >= from);
        assert_memory_equal(text + fix->offset, fix->was, strlen(fix->was));
        assert_true(strchr("'\"", text[fix->offset - 1]) != NULL);
        memcpy(out + used, text + from, fix->offset - from);
        used += fix->offset - from;
        used += (size_t)sprintf(out + used, "%s", fix->text);
        from = fix->offset + strlen(fix->was);
        (*count)++;
    }
    strcpy(out + used, text + from);
    graze_lint_report_free(report);
    return out;
}

static size_t count_of(const char *text, const char *id) {
    graze_lint_report *report = lint(text, NULL);
    size_t count = 0;
    for (size_t i = 0; i < graze_lint_finding_count(report); i++)
        count += strcmp(graze_lint_finding(report, i)->rule->id, id) == 0;
    graze_lint_report_free(report);
    return count;
}

static graze_robot *load(const char *text) {
    graze_robot *robot = NULL;
    graze_error error;
    graze_status status = graze_robot_load_urdf_memory(&robot, text, strlen(text), "t", NULL, NULL,
                                                       &error);
    if (status) print_message("%s\n", error.message);
    assert_int_equal(status, GRAZE_OK);
    return robot;
}

enum { JOINTS = 40 };

/// A chain whose axes are of any length that a double can have.
static char *make_chain(gz_random *random) {
    char *text = malloc(400 * (JOINTS + 1)), *p = text;
    assert_non_null(text);
    p += sprintf(p, "<robot name='r'>\n<link name='l0'/>\n");
    for (int i = 1; i <= JOINTS; i++) {
        double v[3], size = exp(gz_random_range(random, -40, 40));
        if (i % 3 == 0) size = gz_random_range(random, 0.9, 1.1);
        for (int k = 0; k < 3; k++) v[k] = size * gz_random_range(random, -1, 1);
        if (i % 5 == 0) v[i % 3] = 0;
        p += sprintf(p,
                     "<link name='l%d'/><joint name='j%d' type='continuous'>"
                     "<parent link='l%d'/><child link='l%d'/>"
                     "<axis xyz=\"%.*g %.17g\t%.17g\"/></joint>\n",
                     i, i, i - 1, i, i % 2 ? 17 : 3, v[0], v[1], v[2]);
    }
    sprintf(p, "</robot>");
    return text;
}

static void test_fixed_axes_give_the_same_poses_bit_for_bit(void **state) {
    (void)state;
    gz_random random = gz_random_make(5, 1);
    size_t fixed = 0, found = 0;
    for (int round = 0; round < 100; round++) {
        char *text = make_chain(&random);
        size_t count, again;
        char *after = apply_fixes(text, &count);
        found += count_of(text, "J002");
        fixed += count;
        graze_robot *a = load(text), *b = load(after);
        double q[JOINTS];
        graze_transform poses[2][JOINTS + 1];
        for (int i = 0; i < JOINTS; i++) q[i] = gz_random_range(&random, -4, 4);
        assert_int_equal(graze_robot_pose(a, q, JOINTS, NULL, poses[0], NULL), GRAZE_OK);
        assert_int_equal(graze_robot_pose(b, q, JOINTS, NULL, poses[1], NULL), GRAZE_OK);
        assert_memory_equal(poses[0], poses[1], sizeof poses[0]);
        for (int i = 0; i < JOINTS; i++) {
            graze_joint_info x, y;
            assert_int_equal(graze_robot_joint(a, i, &x), GRAZE_OK);
            assert_int_equal(graze_robot_joint(b, i, &y), GRAZE_OK);
            assert_memory_equal(&x.axis, &y.axis, sizeof x.axis);
        }
        // Only axes without a certain fix are found once more, and nothing is fixed twice.
        assert_int_equal(count_of(after, "J002"), count_of(text, "J002") - count);
        char *twice = apply_fixes(after, &again);
        assert_int_equal(again, 0);
        assert_string_equal(twice, after);
        graze_robot_free(a);
        graze_robot_free(b);
        free(text);
        free(after);
        free(twice);
    }
    print_message("%zu of %zu axes fixed\n", fixed, found);
    assert_true(found > 3000 && fixed * 1000 >= found * 995);
}

static void test_bytes_around_a_fix_stay(void **state) {
    (void)state;
    // A mark of order, CRLF, other alphabets, entities, a comment that looks like an element,
    // CDATA.
    const char text[] =
        "\xef\xbb\xbf<?xml version='1.0'?>\r\n<robot name='r\xc3\xb6"
        "bot'>\r\n"
        "<!-- <axis xyz='0 0 2'/> --><link name='a'/><link name='b'/>\r\n"
        "<gazebo><![CDATA[<axis xyz='0 0 2'/>]]></gazebo>"
        "<joint name='j&apos;\"&gt;' type='continuous'><parent link='a'/>"
        "<child link='b'/><axis  a='>' xyz  =\r\n'&#48; 0 &#x32;' /></joint></robot>";
    const char wanted[] = "\xef\xbb\xbf<?xml version='1.0'?>\r\n<robot name='r\xc3\xb6"
                          "bot'>\r\n"
                          "<!-- <axis xyz='0 0 2'/> --><link name='a'/><link name='b'/>\r\n"
                          "<gazebo><![CDATA[<axis xyz='0 0 2'/>]]></gazebo>"
                          "<joint name='j&apos;\"&gt;' type='continuous'><parent link='a'/>"
                          "<child link='b'/><axis  a='>' xyz  =\r\n'0 0 1' /></joint></robot>";
    size_t count;
    char *after = apply_fixes(text, &count);
    assert_int_equal(count, 1);
    assert_string_equal(after, wanted);
    free(after);
}

static void test_latin_1_files_are_fixed_where_they_say(void **state) {
    (void)state;
    const char text[] = "<?xml version='1.0' encoding='ISO-8859-1'?><robot name='\xe9\xe8'>"
                        "<link name='\xe9'/><link name='b'/><joint name='\xfc' type='continuous'>"
                        "<parent link='\xe9'/><child link='b'/><axis xyz='0 3 0'/></joint></robot>";
    size_t count;
    char *after = apply_fixes(text, &count);
    assert_int_equal(count, 1);
    assert_non_null(strstr(after, "<axis xyz='0 1 0'/>"));
    assert_int_equal(strlen(after), strlen(text));
    free(after);
}

// ----------------------------------------------------------------------------------- packages

static void write_file(const char *folder, const char *name, const char *text) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void test_a_package_is_named_only_where_the_name_leads_to_the_file(void **state) {
    (void)state;
    char root[] = "/tmp/graze-fix-XXXXXX", path[512], command[600];
    assert_non_null(mkdtemp(root));
    snprintf(command, sizeof command,
             "cd %s && mkdir -p outer/inner/meshes other nameless && ln -s outer linked", root);
    assert_int_equal(system(command), 0);
    write_file(root, "outer/package.xml", "<package><name> outer </name></package>");
    write_file(root, "outer/inner/package.xml", "<package><name>in ner</name></package>");
    write_file(root, "outer/inner/meshes/a.stl", "x");
    write_file(root, "nameless/b.stl", "x");
    graze_load_options options = graze_load_options_default();
    char *name;
    size_t length;
    // A name that is none is passed over, for the package around it.
    snprintf(path, sizeof path, "%s/outer/inner/meshes/a.stl", root);
    assert_int_equal(gz_package_name(&name, &length, path, root, &options), GRAZE_OK);
    assert_string_equal(name, "outer");
    assert_string_equal(path + length, "/inner/meshes/a.stl");
    gz_free(name);
    // By way of a link it is the same file.
    snprintf(path, sizeof path, "%s/linked/inner/meshes/a.stl", root);
    assert_int_equal(gz_package_name(&name, &length, path, root, &options), GRAZE_OK);
    assert_string_equal(name, "outer");
    gz_free(name);
    // From a folder where the search does not find it there is no name.
    assert_int_equal(gz_package_name(&name, &length, path, "/", &options), GRAZE_OK);
    assert_null(name);
    // The options know another name for the inner folder.
    snprintf(command, sizeof command, "%s/outer/inner", root);
    const graze_package package = {"mine", command};
    options.packages = &package;
    options.package_count = 1;
    assert_int_equal(gz_package_name(&name, &length, path, "/", &options), GRAZE_OK);
    assert_string_equal(name, "mine");
    assert_string_equal(path + length, "/meshes/a.stl");
    gz_free(name);
    snprintf(path, sizeof path, "%s/nameless/b.stl", root);
    assert_int_equal(gz_package_name(&name, &length, path, root, &options), GRAZE_OK);
    assert_null(name);
    snprintf(command, sizeof command, "rm -r %s", root);
    assert_int_equal(system(command), 0);
}

// -------------------------------------------------------------------------------- suppressions

static const char doubtful[] = "<robot name='r'><link name='a b'/><link name='c d'/>"
                               "<joint name='j' type='continuous'><parent link='a b'/>"
                               "<child link='c d'/><axis xyz='0 0 2'/></joint></robot>";

static void test_suppressions_hold_rule_link_and_joint(void **state) {
    (void)state;
    graze_lint_options o = graze_lint_options_default();
    const graze_lint_suppression list[] = {{.rule = "T008", .link = "c d"},
                                           {.rule = "axis-not-unit", .joint = "j"},
                                           {.rule = "T008", .link = "elsewhere"},
                                           {.rule = "J002"}};
    o.suppressions = list;
    o.suppression_count = 4;
    graze_lint_report *r = lint(doubtful, &o);
    size_t seen = 0;
    for (size_t i = 0; i < graze_lint_finding_count(r); i++) {
        const graze_finding *f = graze_lint_finding(r, i);
        int32_t wanted = -1;
        if (strcmp(f->rule->id, "J002") == 0) wanted = 1;
        if (strcmp(f->rule->id, "T008") == 0 && strcmp(f->link, "c d") == 0) wanted = 0;
        assert_int_equal(f->suppression, wanted);
        assert_int_equal(f->suppressed, wanted >= 0);
        seen += wanted >= 0;
    }
    assert_int_equal(seen, 2);
    graze_lint_report_free(r);
}

static void test_wrong_suppressions_are_errors(void **state) {
    (void)state;
    graze_lint_report *r;
    graze_error e;
    graze_lint_options o = graze_lint_options_default();
    const graze_lint_suppression wrong[] = {{.rule = "J999"}, {.rule = NULL}};
    for (int i = 0; i < 2; i++) {
        o.suppressions = &wrong[i];
        o.suppression_count = 1;
        assert_int_equal(graze_lint_urdf_memory(&r, doubtful, strlen(doubtful), "x", NULL, &o, &e),
                         GRAZE_ERROR_ARGUMENT);
    }
    o.suppressions = NULL;
    assert_int_equal(graze_lint_urdf_memory(&r, doubtful, strlen(doubtful), "x", NULL, &o, &e),
                     GRAZE_ERROR_ARGUMENT);
    o.suppressions = wrong;
    o.suppression_count = GRAZE_LINT_SUPPRESSION_MAX + 1;
    assert_int_equal(graze_lint_urdf_memory(&r, doubtful, strlen(doubtful), "x", NULL, &o, &e),
                     GRAZE_ERROR_ARGUMENT);
    o = graze_lint_options_default();
    o.audit_samples = GRAZE_LINT_AUDIT_SAMPLE_MAX + 1;
    assert_int_equal(graze_lint_urdf_memory(&r, doubtful, strlen(doubtful), "x", NULL, &o, &e),
                     GRAZE_ERROR_ARGUMENT);
}

static void test_every_allocation_of_a_fix_may_fail(void **state) {
    (void)state;
#ifndef GRAZE_FAULTS
    skip();
#else
    char root[] = "/tmp/graze-fix-XXXXXX", text[2048], srdf[512], command[600];
    assert_non_null(mkdtemp(root));
    write_file(root, "package.xml", "<package><name>p</name></package>");
    write_file(root, "a.stl",
               "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
               "vertex 0 1 0\nendloop\nendfacet\nendsolid a\n");
    write_file(root, "r.srdf",
               "<robot name='r'><disable_collisions link1='a' link2='b' "
               "reason='Never'/></robot>");
    snprintf(srdf, sizeof srdf, "%s/r.srdf", root);
    snprintf(text, sizeof text,
             "<robot name='r'><link name='a'><collision><geometry><mesh filename='%s/a.stl'/>"
             "</geometry></collision></link><link name='b'><collision><geometry><sphere "
             "radius='1'/></geometry></collision></link><joint name='j' type='continuous'>"
             "<parent link='a'/><child link='b'/><axis xyz='0 0 2'/></joint></robot>",
             root);
    graze_lint_options o = graze_lint_options_default();
    const graze_lint_suppression known = {.rule = "T008"};
    graze_load_options load = graze_load_options_default();
    load.srdf = srdf;
    o.load = &load;
    o.suppressions = &known;
    o.suppression_count = 1;
    size_t fixes = 0;
    bool done = false;
    for (long n = 1; !done; n++) {
        graze_lint_report *report = NULL;
        graze_error e;
        gz_memory_fail_after(n, false);
        graze_status status = graze_lint_urdf_memory(&report, text, strlen(text), "x", root, &o,
                                                     &e);
        done = gz_memory_allocation_count() < n;
        gz_memory_fail_after(0, false);
        assert_int_equal(status, done ? GRAZE_OK : GRAZE_ERROR_NO_MEMORY);
        for (size_t i = 0; done && i < graze_lint_finding_count(report); i++)
            fixes += graze_lint_finding(report, i)->fix.text != NULL;
        graze_lint_report_free(report);
    }
    assert_int_equal(fixes, 3);
    snprintf(command, sizeof command, "rm -r %s", root);
    assert_int_equal(system(command), 0);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fixed_axes_give_the_same_poses_bit_for_bit),
        cmocka_unit_test(test_bytes_around_a_fix_stay),
        cmocka_unit_test(test_latin_1_files_are_fixed_where_they_say),
        cmocka_unit_test(test_a_package_is_named_only_where_the_name_leads_to_the_file),
        cmocka_unit_test(test_suppressions_hold_rule_link_and_joint),
        cmocka_unit_test(test_wrong_suppressions_are_errors),
        cmocka_unit_test(test_every_allocation_of_a_fix_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
