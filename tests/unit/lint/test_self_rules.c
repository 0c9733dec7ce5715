// The rules about self-collision and the SRDF: adjacency against a search over all paths, contacts
// against boxes whose places are known by hand, witnesses against the checker, and what is known of
// Fetch. What each rule finds is shown by the pages of docs/lint.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"
#include "graze/check.h"
#include "unit/lint/lint_folder.h"

enum { LINKS = 9 };

/// A random tree: parent of each link but the first, and which links have geometry.
typedef struct tree {
    int parent[LINKS];
    bool solid[LINKS];
} tree;

static tree make_tree(gz_random *r) {
    tree t = {.parent = {-1}};
    for (int i = 0; i < LINKS; i++) {
        if (i) t.parent[i] = (int)gz_random_below(r, (uint32_t)i);
        t.solid[i] = gz_random_below(r, 2);
    }
    return t;
}

/// Whether a walk along joints leads from a to b with nothing but empty links in between.
static bool reaches(const tree *t, int a, int b, int from) {
    for (int i = 0; i < LINKS; i++) {
        bool joined = t->parent[i] == a || t->parent[a] == i;
        if (!joined || i == from) continue;
        if (i == b || (!t->solid[i] && reaches(t, i, b, a))) return true;
    }
    return false;
}

/// Links in file order, or the other way around, then the joints.
static void write_tree(const lint_folder *f, const tree *t, bool backward) {
    char text[8000];
    size_t used = 0;
    used += (size_t)snprintf(text, sizeof text, "<robot name='r'>");
    for (int i = 0; i < LINKS; i++) {
        int k = backward ? LINKS - 1 - i : i;
        used += (size_t)snprintf(text + used, sizeof text - used, "<link name='l%d'>%s</link>", k,
                                 t->solid[k] ? "<collision><geometry><sphere radius='0.01'/>"
                                               "</geometry></collision>"
                                             : "");
    }
    for (int i = 1; i < LINKS; i++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "<joint name='j%d' type='fixed'><parent link='l%d'/>"
                                 "<child link='l%d'/><origin xyz='%d 1 0'/></joint>",
                                 i, t->parent[i], i, i);
    snprintf(text + used, sizeof text - used, "</robot>");
    lint_folder_text(f, "robot.urdf", text);
}

static void test_adjacent_links_are_those_that_a_walk_reaches(void **state) {
    (void)state;
    gz_random r = gz_random_make(1, 0);
    lint_folder f = lint_folder_make();
    int found = 0, adjacent = 0;
    for (int round = 0; round < 60; round++) {
        tree t = make_tree(&r);
        write_tree(&f, &t, round % 2);
        char text[8000] = "<robot name='r'>";
        int wanted = 0;
        for (int a = 0; a < LINKS; a++)
            for (int b = 0; b < a; b++) {
                if (!t.solid[a] || !t.solid[b]) continue;
                size_t used = strlen(text);
                bool swap = gz_random_below(&r, 2);
                snprintf(text + used, sizeof text - used,
                         "<disable_collisions link1='l%d' link2='l%d' reason='Adjacent'/>",
                         swap ? b : a, swap ? a : b);
                wanted += !reaches(&t, a, b, -1);
                adjacent += reaches(&t, a, b, -1);
            }
        strcat(text, "</robot>");
        lint_folder_text(&f, "robot.srdf", text);
        graze_lint_report *report = lint_folder_run(&f, true, NULL);
        assert_non_null(report);
        int count = 0;
        while (lint_find(report, "S005", (size_t)count)) count++;
        assert_int_equal(count, wanted);
        found += wanted;
        graze_lint_report_free(report);
    }
    lint_folder_remove(f.path, 1);
    assert_true(found > 100 && adjacent > 100);
}

// -------------------------------------------------------------------------------------- contacts

/// A slider of length `travel` that carries a cube of 0.1 m from x = 0.3 towards one at the origin,
/// with a link of no geometry and one that does not touch in between.
static void write_slider(const lint_folder *f, double lower, double upper) {
    char text[3000];
    snprintf(text, sizeof text,
             "<robot name='r'>"
             "<link name='a'><collision><geometry><box size='0.1 0.1 0.1'/></geometry></collision>"
             "</link><link name='b'><collision><origin xyz='0 0 5'/><geometry>"
             "<box size='0.1 0.1 0.1'/></geometry></collision></link>"
             "<link name='c'><collision><geometry><box size='0.1 0.1 0.1'/></geometry></collision>"
             "</link>"
             "<link name='d'><collision><origin xyz='9 0 0'/><geometry><sphere radius='0.1'/>"
             "</geometry></collision></link>"
             "<joint name='aside' type='continuous'><parent link='a'/><child link='d'/>"
             "<axis xyz='0 0 1'/></joint>"
             "<joint name='turn' type='continuous'><parent link='a'/><child link='b'/>"
             "<axis xyz='0 0 1'/></joint>"
             "<joint name='slide' type='prismatic'><parent link='b'/><child link='c'/>"
             "<origin xyz='0 0 0.3'/><axis xyz='0 0 1'/>"
             "<limit lower='%.17g' upper='%.17g' effort='1' velocity='1'/></joint></robot>",
             lower, upper);
    lint_folder_text(f, "robot.urdf", text);
}

static const char never[] = "<robot name='r'>"
                            "<disable_collisions link1='c' link2='a' reason='Never'/></robot>";

/// The cubes touch where the slider stands at -0.2 or lower, down to -0.4.
static void test_contacts_are_called_by_what_the_range_makes_of_them(void **state) {
    (void)state;
    lint_folder f = lint_folder_make();
    static const struct {
        double lower, upper;
        bool always, hidden;
    } cases[] = {{-0.1, 0.1, false, false},
                 {-0.19, 0, false, false},
                 {-0.3, 0, false, true},
                 {-0.35, -0.25, true, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_slider(&f, cases[i].lower, cases[i].upper);
        lint_folder_text(&f, "robot.srdf", "<robot name='r'/>");
        graze_lint_report *report = lint_folder_run(&f, true, NULL);
        assert_int_equal(lint_find(report, "S001", 0) != NULL, cases[i].always);
        assert_int_equal(lint_find(report, "S002", 0) != NULL, cases[i].upper < -0.2);
        assert_null(lint_find(report, "S003", 0));
        graze_lint_report_free(report);
        lint_folder_text(&f, "robot.srdf", never);
        report = lint_folder_run(&f, true, NULL);
        assert_null(lint_find(report, "S001", 0));
        assert_null(lint_find(report, "S002", 0));
        assert_int_equal(lint_find(report, "S003", 0) != NULL, cases[i].hidden);
        graze_lint_report_free(report);
    }
    lint_folder_remove(f.path, 1);
}

static void test_a_witness_names_the_joints_between_the_links_alone(void **state) {
    (void)state;
    lint_folder f = lint_folder_make();
    write_slider(&f, -0.3, 0);
    lint_folder_text(&f, "robot.srdf", never);
    graze_lint_report *report = lint_folder_run(&f, true, NULL);
    const graze_finding *found = lint_find(report, "S003", 0);
    assert_non_null(found);
    const char *slide = strstr(found->message, "slide ");
    assert_non_null(slide);
    double value = atof(slide + 6);
    assert_true(value <= -0.2 && value >= -0.3);
    assert_null(strstr(found->message, "aside"));
    graze_lint_report_free(report);
    graze_lint_options o = graze_lint_options_default();
    o.pair_samples = 0;
    report = lint_folder_run(&f, true, &o);
    assert_null(lint_find(report, "S003", 0));
    graze_lint_report_free(report);
    lint_folder_remove(f.path, 1);
}

static void test_a_state_answers_for_the_joints_that_it_names(void **state) {
    (void)state;
    lint_folder f = lint_folder_make();
    write_slider(&f, -0.35, -0.25); // touches at rest: what a state of `turn` does to it is nothing
    lint_folder_text(&f, "robot.srdf",
                     "<robot name='r'><group name='g'><joint name='turn'/><joint name='slide'/>"
                     "</group><group_state name='low' group='g'><joint name='slide' value='-0.3'/>"
                     "</group_state></robot>");
    graze_lint_report *report = lint_folder_run(&f, true, NULL);
    assert_non_null(lint_find(report, "S002", 1));
    graze_lint_report_free(report);
    lint_folder_text(&f, "robot.srdf",
                     "<robot name='r'><disable_collisions link1='a' link2='b'/>"
                     "<group name='g'><joint name='turn'/></group><group name='h'>"
                     "<joint name='turn'/></group><group_state name='ahead' group='h'/></robot>");
    report = lint_folder_run(&f, true, NULL);
    assert_non_null(lint_find(report, "S002", 0)); // at rest
    assert_null(lint_find(report, "S002", 1));
    graze_lint_report_free(report);
    lint_folder_remove(f.path, 1);
}

/// Boxes of 1 m: `a`, and `b` 3 m above it. They meet where `near` is below -2.
#define BOX_AT(z)                                                                                  \
    "<collision><origin xyz='0 0 " z "'/><geometry><box size='1 1 1'/></geometry></collision>"
#define SLIDE(name, parent, child, limits, more)                                                   \
    "<joint name='" name "' type='prismatic'><parent link='" parent "'/><child link='" child       \
    "'/><axis xyz='0 0 1'/><limit " limits " effort='1' velocity='1'/>" more "</joint>"

static const char never_collide[] =
    "<robot name='r'>"
    "<disable_collisions link1='a' link2='b' reason='Never'/></robot>";

/// The value of a joint, named with a blank behind it, in the witness of S003.
static double witness_of(const lint_folder *f, graze_lint_options *options, const char *joint) {
    graze_lint_report *report = lint_folder_run(f, true, options);
    const graze_finding *found = lint_find(report, "S003", 0);
    assert_non_null(found);
    const char *at = strstr(found->message, joint);
    assert_non_null(at);
    double value = atof(at + strlen(joint));
    graze_lint_report_free(report);
    return value;
}

/// Some samples cannot be posed: they are out of range.
static void test_a_witness_collides_where_samples_fail(void **state) {
    (void)state;
    lint_folder f = lint_folder_make();
    lint_folder_text(
        &f, "robot.urdf",
        "<robot name='r'><link name='a'>" BOX_AT(
            "0") "</link><link name='c'/>"
                 "<link name='d'>" BOX_AT("9") "</link><link name='b'>" BOX_AT(
                     "3") "</link>"
                          "<link name='m'>" BOX_AT(
                              "20") "</link>"
                                    "<joint name='j' type='fixed'><parent link='a'/><child link='d'/></joint>"
                                    "<joint name='k' type='fixed'><parent link='d'/><child link='c'/></joint>" SLIDE(
                                        "near", "c", "b", "lower='-2.5' upper='1'", "")
                                        SLIDE("far", "a", "m", "lower='0' upper='2e6'",
                                              "") "</robot>");
    lint_folder_text(&f, "robot.srdf", never_collide);
    graze_lint_options o = graze_lint_options_default();
    for (o.seed = 0; o.seed < 8; o.seed++) {
        double value = witness_of(&f, &o, "near ");
        assert_true(value <= -2 && value >= -2.5);
    }
    lint_folder_remove(f.path, 1);
}

/// A joint and one that mimics it, both between the two links.
static void test_a_joint_moves_what_its_follower_carries(void **state) {
    (void)state;
    lint_folder f = lint_folder_make();
    lint_folder_text(&f, "robot.urdf",
                     "<robot name='r'><link name='a'>" BOX_AT("0") "</link><link name='m'>" BOX_AT(
                         "9") "</link>"
                              "<link name='b'>" BOX_AT("3") "</link>" SLIDE(
                                  "one", "a", "m", "lower='-1.5' upper='1'", "")
                                  SLIDE("two", "m", "b", "lower='-1.5' upper='1'",
                                        "<mimic joint='one'/>") "</robot>");
    lint_folder_text(&f, "robot.srdf",
                     "<robot name='r'><group name='g'><joint name='one'/></group>"
                     "<group_state name='low' group='g'><joint name='one' value='-1.2'/>"
                     "</group_state></robot>");
    graze_lint_report *report = lint_folder_run(&f, true, NULL);
    assert_non_null(lint_find(report, "S002", 0));
    graze_lint_report_free(report);
    lint_folder_text(&f, "robot.srdf", never_collide);
    double value = witness_of(&f, NULL, "one ");
    assert_true(value <= -1 && value >= -1.5);
    lint_folder_remove(f.path, 1);
}

static void test_visuals_that_stand_in_are_surveyed_all(void **state) {
    (void)state;
    enum { OTHERS = 6 };
    char text[4000] = "<robot name='r'><link name='o'/>";
    for (int i = 0; i < OTHERS; i++) {
        size_t n = strlen(text);
        snprintf(text + n, sizeof text - n,
                 "<link name='l%d'><visual><geometry><box size='1 1 1'/></geometry></visual></link>"
                 "<link name='e%d'/>"
                 "<joint name='s%d' type='prismatic'><parent link='o'/><child link='l%d'/>"
                 "<limit lower='0' upper='0.1' effort='1' velocity='1'/></joint>"
                 "<joint name='f%d' type='fixed'><parent link='l%d'/><child link='e%d'/></joint>",
                 i, i, i, i, i, i, i);
    }
    strcat(text, "</robot>");
    // All hang on one link; were it empty, they were neighbours.
    char *empty = strstr(text, "<link name='o'/>");
    static const char full[] = "<link name='o'><visual><origin xyz='0 0 9'/><geometry>"
                               "<box size='1 1 1'/></geometry></visual></link>";
    memmove(empty + sizeof full - 1, empty + 16, strlen(empty + 16) + 1);
    memcpy(empty, full, sizeof full - 1);
    lint_folder f = lint_folder_make();
    lint_folder_text(&f, "robot.urdf", text);
    graze_lint_options o = graze_lint_options_default();
    graze_load_options load = graze_load_options_default();
    load.use_visual = GRAZE_USE_VISUAL_MISSING;
    o.load = &load;
    graze_lint_report *report = lint_folder_run(&f, false, &o);
    assert_non_null(lint_find(report, "S001", OTHERS * (OTHERS - 1) / 2 - 1));
    assert_null(lint_find(report, "S001", OTHERS * (OTHERS - 1) / 2));
    graze_lint_report_free(report);
    lint_folder_remove(f.path, 1);
}

/// Four links, six pairs: S010 counts as the robot does.
static void test_pairs_that_are_off_by_default_are_counted(void **state) {
    (void)state;
#define OFF(link)  "<disable_default_collisions link='" link "'/>"
#define NOT(a, b)  "<disable_collisions link1='" a "' link2='" b "'/>"
#define ONCE(a, b) "<enable_collisions link1='" a "' link2='" b "'/>"
    static const struct {
        const char *rules;
        double off;
    } cases[] = {{NOT("a", "b"), 1},
                 {OFF("a"), 3},
                 {OFF("a") OFF("a") OFF("no"), 3},
                 {OFF("a") OFF("b"), 5},
                 {OFF("a") NOT("b", "a") NOT("a", "b"), 3},
                 {OFF("a") NOT("c", "d"), 4},
                 {OFF("a") ONCE("b", "a") ONCE("c", "d"), 2},
                 {OFF("a") ONCE("b", "a") NOT("a", "b"), 3}};
    lint_folder f = lint_folder_make();
    lint_folder_text(&f, "robot.urdf",
                     "<robot name='r'><link name='o'/><link name='a'>" BOX_AT(
                         "0") "</link>"
                              "<link name='b'>" BOX_AT("3") "</link><link name='c'>" BOX_AT(
                                  "6") "</link>"
                                       "<link name='d'>" BOX_AT("9") "</link></robot>");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600];
        snprintf(text, sizeof text, "<robot name='r'>%s</robot>", cases[i].rules);
        lint_folder_text(&f, "robot.srdf", text);
        graze_lint_report *report = lint_folder_run(&f, true, NULL);
        const graze_finding *found = lint_find(report, "S010", 0);
        assert_non_null(found);
        if (fabs(found->value - cases[i].off / 6) > 1e-12)
            print_message("%s: %s\n", cases[i].rules, found->message);
        assert_true(fabs(found->value - cases[i].off / 6) < 1e-12);
        graze_lint_report_free(report);
    }
    lint_folder_remove(f.path, 1);
}

static void test_every_name_of_an_srdf_is_looked_up(void **state) {
    (void)state;
    static const char *const unknown[] = {
        "<collision_margins><pair_margin link1='a' link2='no' margin='0'/></collision_margins>",
        "<end_effector name='e' group='g' parent_link='a' parent_group='no'/>",
        "<joint_property joint_name='no' property_name='p' value='1'/>",
        "<link_sphere_approximation link='no'/>"};
    lint_folder f = lint_folder_make();
    lint_folder_text(&f, "robot.urdf", "<robot name='r'><link name='a'/></robot>");
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "<robot name='r'><group name='g'><link name='a'/></group>\n%s</robot>",
                 unknown[i]);
        lint_folder_text(&f, "robot.srdf", text);
        graze_lint_report *report = lint_folder_run(&f, true, NULL);
        const graze_finding *found = lint_find(report, "S004", 0);
        assert_true(found && found->line == 2 && strstr(found->message, "'no'"));
        assert_null(lint_find(report, "S004", 1));
        graze_lint_report_free(report);
    }
    lint_folder_remove(f.path, 1);
}

// --------------------------------------------------------------------------------------- real ones

/// Reads "joint value, joint value ..." into q.
static void read_witness(const graze_robot *robot, const char *text, double *q) {
    graze_robot_rest(robot, q);
    char copy[600], *rest = copy;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *entry; (entry = strsep(&rest, ","));) {
        char name[200];
        double value;
        if (sscanf(entry, " %199s %lf", name, &value) != 2) continue;
        int32_t at = graze_robot_find_q(robot, name);
        if (at >= 0) q[at] = value;
    }
}

static bool collides(const graze_robot *robot, const double *q, const char *a, const char *b) {
    graze_checker_options o = graze_checker_options_default();
    o.ignore_srdf = 1;
    graze_checker *checker;
    graze_workspace *workspace;
    graze_contact contacts[400];
    graze_report report = {.contacts = contacts, .capacity = 400};
    assert_int_equal(graze_checker_create(&checker, robot, NULL, &o, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&workspace, checker, NULL), GRAZE_OK);
    assert_int_equal(graze_check(checker, workspace, GRAZE_ANSWER_ALL, q, graze_robot_q_size(robot),
                                 NULL, &report, NULL),
                     GRAZE_OK);
    bool found = false;
    for (size_t i = 0; i < report.count; i++) {
        const char *x = graze_robot_link_name(robot, contacts[i].link);
        const char *y = graze_robot_link_name(robot, contacts[i].other);
        found |= (!strcmp(x, a) && !strcmp(y, b)) || (!strcmp(x, b) && !strcmp(y, a));
    }
    graze_workspace_free(workspace);
    graze_checker_free(checker);
    return found;
}

/// MoveIt's matrix calls pairs of Fetch "Never" that collide: each witness is checked.
static void test_fetch_pairs_that_are_hidden_collide_at_their_witness(void **state) {
    (void)state;
    graze_lint_report *report = lint_fetch();
    if (!report) {
        print_message("GRAZE_TEST_DATA is not set: skipped\n");
        skip();
    }
    char urdf[512];
    snprintf(urdf, sizeof urdf, "%s/robots/fetch_description/robots/fetch.urdf",
             getenv("GRAZE_TEST_DATA"));
    graze_load_options load = graze_load_options_default();
    load.visuals = GRAZE_VISUALS_SKIP;
    graze_robot *robot;
    assert_int_equal(graze_robot_load_urdf(&robot, urdf, &load, NULL), GRAZE_OK);
    size_t count = 0;
    for (const graze_finding *f; (f = lint_find(report, "S003", count)); count++) {
        char a[100], b[100];
        double q[64];
        assert_int_equal(sscanf(f->message, "'%99[^']' and '%99[^']'", a, b), 2);
        read_witness(robot, strstr(f->message, "configurations: ") + 16, q);
        if (!collides(robot, q, a, b)) fail_msg("%s", f->message);
    }
    assert_true(count >= 5);
    graze_robot_free(robot);
    graze_lint_report_free(report);
}

static void test_fetch_bellows_touch_at_rest(void **state) {
    (void)state;
    const char *data = getenv("GRAZE_TEST_DATA");
    if (!data) {
        print_message("GRAZE_TEST_DATA is not set: skipped\n");
        skip();
    }
    char urdf[512];
    snprintf(urdf, sizeof urdf, "%s/robots/fetch_description/robots/fetch.urdf", data);
    graze_lint_report *report = NULL;
    assert_int_equal(graze_lint_urdf(&report, urdf, NULL, NULL), GRAZE_OK);
    const graze_finding *rest = lint_find(report, "S002", 0);
    assert_non_null(rest);
    assert_non_null(strstr(rest->message, "bellows_link"));
    assert_non_null(lint_find_link(report, "S001", "bellows_link2"));
    graze_lint_report_free(report);
}

// ---------------------------------------------------------------------------------------- failures

static void test_what_does_not_load_is_left_to_other_rules(void **state) {
    (void)state;
    static const char *const texts[] = {
        "<robot name='r'/>", "<robot name='r'><link name='a'/></robot>",
        "<robot name='r'><link name='a'><collision><geometry><mesh filename='no.stl'/></geometry>"
        "</collision></link><link name='b'><collision><geometry><box size='1 1 1'/></geometry>"
        "</collision></link></robot>"};
    lint_folder f = lint_folder_make();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        lint_folder_text(&f, "robot.urdf", texts[i]);
        lint_folder_text(&f, "robot.srdf",
                         "<robot><disable_collisions/><group/><group_state/><virtual_joint/>"
                         "<passive_joint/><end_effector/><disable_collisions link1='a' link2='a'/>"
                         "<disable_default_collisions/></robot>");
        graze_lint_report *report = lint_folder_run(&f, true, NULL);
        assert_non_null(report);
        assert_non_null(lint_find(report, "S004", 0));
        for (int rule = 1; rule <= 3; rule++) {
            char id[8];
            snprintf(id, sizeof id, "S%03d", rule);
            assert_null(lint_find(report, id, 0));
        }
        graze_lint_report_free(report);
    }
    lint_folder_remove(f.path, 1);
}

static void test_every_allocation_may_fail(void **state) {
    (void)state;
#ifndef GRAZE_FAULTS
    skip();
#else
    lint_folder f = lint_folder_make();
    write_slider(&f, -0.3, 0);
    lint_folder_text(&f, "robot.srdf",
                     "<robot name='r'><disable_collisions link1='c' link2='a' reason='Never'/>"
                     "<disable_collisions link1='a' link2='b' reason='Adjacent'/>"
                     "<disable_collisions link1='b' link2='aa' reason='Adjacent'/>"
                     "<group name='g'><joint name='slide'/></group>"
                     "<group_state name='low' group='g'><joint name='slide' value='-0.5'/>"
                     "</group_state><virtual_joint name='v' type='fixed' parent_frame='w' "
                     "child_link='b'/></robot>");
    bool done = false;
    for (long n = 1; !done; n++) {
        graze_lint_options o = graze_lint_options_default();
        o.pair_samples = 8;
        gz_memory_fail_after(n, false);
        graze_lint_report *report = lint_folder_run(&f, true, &o);
        done = gz_memory_allocation_count() < n;
        gz_memory_fail_after(0, false);
        assert_int_equal(report != NULL, done);
        if (done) {
            static const char *const rules[] = {"S003", "S004", "S008", "S010", "S012"};
            for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
                assert_non_null(lint_find(report, rules[i], 0));
            assert_true(n > 100);
        }
        graze_lint_report_free(report);
    }
    lint_folder_remove(f.path, 1);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adjacent_links_are_those_that_a_walk_reaches),
        cmocka_unit_test(test_contacts_are_called_by_what_the_range_makes_of_them),
        cmocka_unit_test(test_a_witness_names_the_joints_between_the_links_alone),
        cmocka_unit_test(test_a_state_answers_for_the_joints_that_it_names),
        cmocka_unit_test(test_fetch_pairs_that_are_hidden_collide_at_their_witness),
        cmocka_unit_test(test_fetch_bellows_touch_at_rest),
        cmocka_unit_test(test_what_does_not_load_is_left_to_other_rules),
        cmocka_unit_test(test_a_witness_collides_where_samples_fail),
        cmocka_unit_test(test_a_joint_moves_what_its_follower_carries),
        cmocka_unit_test(test_visuals_that_stand_in_are_surveyed_all),
        cmocka_unit_test(test_pairs_that_are_off_by_default_are_counted),
        cmocka_unit_test(test_every_name_of_an_srdf_is_looked_up),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
