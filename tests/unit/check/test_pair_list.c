// Which pairs a checker says it looks at: all of them, in check order, with the rules that count.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "graze/graze.h"

#define LINK(name)                                                                                 \
    " <link name='" name                                                                           \
    "'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
#define JOINT(name, parent, child)                                                                 \
    " <joint name='" name "' type='continuous'><parent link='" parent "'/><child link='" child     \
    "'/></joint>"

/// A chain of four links, the third without geometry.
static const char urdf[] = "<robot name='chain'>" LINK("a") LINK("b") " <link name='c'/>" LINK("d")
    LINK("e") JOINT("ab", "a", "b") JOINT("bc", "b", "c") JOINT("cd", "c", "d")
        JOINT("de", "d", "e") "</robot>";

typedef struct fixture {
    graze_robot *robot;
    graze_world *world;
    char text[1024];
    int left; ///< pairs after which to stop
} fixture;

static int set_up(void **state) {
    static fixture f;
    const double size[3] = {1, 1, 1};
    assert_int_equal(
        graze_robot_load_urdf_memory(&f.robot, urdf, sizeof urdf - 1, "test", NULL, NULL, NULL),
        GRAZE_OK);
    assert_int_equal(graze_world_create(&f.world, "hall", NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_box(f.world, "x", size, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_sphere(f.world, "y", 1, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_world_commit(f.world, NULL), GRAZE_OK);
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    graze_world_free(f->world);
    graze_robot_free(f->robot);
    return 0;
}

/// "0-3 " a pair that is checked, "0w1 " with an object, "(0-1 adjacent) " one that is not; with a
/// margin "=0.5", with policies other than solid "[surface cap]".
static bool note(const graze_checked_pair *pair, void *user) {
    static const char *const policies[] = {"solid", "surface", "cap"};
    fixture *f = user;
    size_t used = strlen(f->text);
    char *end = f->text + used;
    size_t size = sizeof f->text - used;
    int n = snprintf(end, size, "%s%d%c%d", pair->hidden ? "(" : "", (int)pair->link,
                     pair->is_world ? 'w' : '-', (int)pair->other);
    if (pair->margin > 0) n += snprintf(end + n, size - (size_t)n, "=%g", pair->margin);
    if (pair->policies[0] != GRAZE_POLICY_SOLID || pair->policies[1] != GRAZE_POLICY_SOLID)
        n += snprintf(end + n, size - (size_t)n, "[%s %s]", policies[pair->policies[0]],
                      policies[pair->policies[1]]);
    if (pair->hidden) n += snprintf(end + n, size - (size_t)n, " %s)", pair->hidden);
    snprintf(end + n, size - (size_t)n, " ");
    return --f->left > 0;
}

static void expect(fixture *f, const graze_world *world, const graze_checker_options *options,
                   int most, const char *text) {
    graze_checker *checker;
    assert_int_equal(graze_checker_create(&checker, f->robot, world, options, NULL), GRAZE_OK);
    f->text[0] = '\0';
    f->left = most;
    graze_checker_pairs(checker, note, f);
    assert_string_equal(f->text, text);
    graze_checker_free(checker);
}

static void test_every_pair_is_there_in_check_order(void **state) {
    fixture *f = *state;
    expect(f, NULL, NULL, 100, "(0-1 adjacent) 0-3 0-4 (1-3 adjacent) 1-4 (3-4 adjacent) ");
    expect(f, f->world, NULL, 100,
           "(0-1 adjacent) 0-3 0-4 (1-3 adjacent) 1-4 (3-4 adjacent) "
           "0w0 0w1 1w0 1w1 3w0 3w1 4w0 4w1 ");
}

static void test_what_rules_hide_says_why(void **state) {
    fixture *f = *state;
    const graze_allowed_pair allowed[] = {{"a", "e"}, {"y", "d"}};
    graze_checker_options options = graze_checker_options_default();
    options.allowed = allowed;
    options.allowed_count = 2;
    expect(f, f->world, &options, 100,
           "(0-1 adjacent) 0-3 (0-4 allowed) (1-3 adjacent) 1-4 (3-4 adjacent) "
           "0w0 0w1 1w0 1w1 3w0 (3w1 allowed) 4w0 4w1 ");
    options = graze_checker_options_default();
    options.no_world = 1;
    expect(f, f->world, &options, 8,
           "(0-1 adjacent) 0-3 0-4 (1-3 adjacent) 1-4 (3-4 adjacent) "
           "(0w0 the world is not checked) (0w1 the world is not checked) ");
    options = graze_checker_options_default();
    options.no_self = 1;
    expect(f, f->world, &options, 2, "(0-1 adjacent) (0-3 links are not checked against links) ");
}

static void test_margins_and_policies_are_those_that_count(void **state) {
    fixture *f = *state;
    const graze_pair_margin margins[] = {{"a", "d", 0.5}, {"y", NULL, 0.25}, {"e", "y", 0}};
    const graze_name_policy policies[] = {{"b", GRAZE_POLICY_SURFACE}, {"x", GRAZE_POLICY_CAP}};
    graze_checker_options options = graze_checker_options_default();
    options.margins = margins;
    options.margin_count = 3;
    options.policies = policies;
    options.policy_count = 2;
    expect(f, f->world, &options, 100,
           "(0-1[solid surface] adjacent) 0-3=0.5 0-4 (1-3[surface solid] adjacent) "
           "1-4[surface solid] (3-4 adjacent) 0w0[solid cap] 0w1=0.25 1w0[surface cap] "
           "1w1=0.25[surface solid] 3w0[solid cap] 3w1=0.25 4w0[solid cap] 4w1 ");
}

static void test_it_stops_when_told(void **state) {
    fixture *f = *state;
    expect(f, f->world, NULL, 1, "(0-1 adjacent) ");
    expect(f, f->world, NULL, 7, "(0-1 adjacent) 0-3 0-4 (1-3 adjacent) 1-4 (3-4 adjacent) 0w0 ");
    graze_checker_pairs(NULL, note, f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_pair_is_there_in_check_order),
        cmocka_unit_test(test_what_rules_hide_says_why),
        cmocka_unit_test(test_margins_and_policies_are_those_that_count),
        cmocka_unit_test(test_it_stops_when_told),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
