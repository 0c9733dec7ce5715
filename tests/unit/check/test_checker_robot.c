// Checkers carried over to other versions of a robot: they say what checkers made anew say, and
// rules hold by name.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "check/checker.h"
#include "graze/graze.h"
#include "unit/trials.h"

enum { CONTACTS = 256, COLUMNS = 32, PAIRS = 2048 };

static graze_error error;

static void must(graze_status status) {
    if (status) fail_msg("%s: %s", error.element, error.message);
}

static graze_robot *load(void) {
    char urdf[512], srdf[512];
    graze_robot *robot;
    graze_load_options o = graze_load_options_default();
    snprintf(urdf, sizeof urdf, "%s/urdf/heron.urdf", GRAZE_SOURCE_DIR);
    snprintf(srdf, sizeof srdf, "%s/urdf/heron.srdf", GRAZE_SOURCE_DIR);
    o.srdf = srdf;
    must(graze_robot_load_urdf(&robot, urdf, &o, &error));
    return robot;
}

static graze_world *load_world(void) {
    char path[512];
    graze_world *world;
    snprintf(path, sizeof path, "%s/worlds/shelf.json", GRAZE_SOURCE_DIR);
    must(graze_world_create(&world, "shelf", &error));
    must(graze_world_add_file(world, path, NULL, &error));
    must(graze_world_commit(world, &error));
    return world;
}

static graze_robot *attach(const graze_robot *robot, const char *name, const char *link,
                           const char *touch, double x) {
    graze_geometry box = {.shape = GRAZE_SHAPE_BOX, .size = {0.1, 0.2, 0.15}};
    graze_attachment a = {.struct_size = sizeof a,
                          .name = name,
                          .link = link,
                          .pose = graze_transform_identity(),
                          .geometry = &box,
                          .touch_links = &touch,
                          .touch_link_count = touch ? 1 : 0};
    graze_robot *out;
    a.pose.m[3] = x;
    must(graze_robot_attach(&out, robot, &a, &error));
    return out;
}

static graze_robot *detach(const graze_robot *robot, const char *name) {
    graze_robot *out;
    must(graze_robot_detach(&out, robot, name, &error));
    return out;
}

static graze_checker *with_robot(const graze_checker *c, const graze_robot *robot) {
    graze_checker *out;
    must(graze_checker_with_robot(&out, c, robot, &error));
    return out;
}

static bool same_point(graze_vec3 a, graze_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool same_contact(const graze_contact *a, const graze_contact *b) {
    return a->kind == b->kind && a->link == b->link && a->element == b->element &&
           a->other == b->other && a->other_element == b->other_element &&
           a->contained == b->contained && a->triangle == b->triangle &&
           a->other_triangle == b->other_triangle && a->has_segment == b->has_segment &&
           same_point(a->segment[0], b->segment[0]) && same_point(a->segment[1], b->segment[1]) &&
           same_point(a->point, b->point);
}

typedef struct pair_list {
    graze_checked_pair pairs[PAIRS];
    size_t count;
} pair_list;

static bool note(const graze_checked_pair *pair, void *user) {
    pair_list *list = user;
    assert_true(list->count < PAIRS);
    list->pairs[list->count++] = *pair;
    return true;
}

static void compare_pairs(const graze_checker *a, const graze_checker *b) {
    static pair_list lists[2];
    lists[0].count = lists[1].count = 0;
    graze_checker_pairs(a, note, &lists[0]);
    graze_checker_pairs(b, note, &lists[1]);
    assert_int_equal(lists[0].count, lists[1].count);
    for (size_t i = 0; i < lists[0].count; i++) {
        const graze_checked_pair *p = &lists[0].pairs[i], *q = &lists[1].pairs[i];
        assert_true(p->link == q->link && p->other == q->other && p->is_world == q->is_world &&
                    p->margin == q->margin && p->policies[0] == q->policies[0] &&
                    p->policies[1] == q->policies[1] && !p->hidden == !q->hidden);
        if (p->hidden) assert_string_equal(p->hidden, q->hidden);
    }
}

/// Compares a checker that was carried over with one that is made anew by the same options.
static void compare(const graze_checker *own, const graze_checker_options *options) {
    static graze_contact contacts[2][CONTACTS];
    const graze_robot *robot = graze_checker_robot(own);
    graze_checker *anew;
    graze_workspace *ws[2];
    size_t columns = graze_robot_q_size(robot), hits = 0;
    must(graze_checker_create(&anew, robot, graze_checker_world(own), options, &error));
    must(graze_workspace_create(&ws[0], own, &error));
    must(graze_workspace_create(&ws[1], anew, &error));
    assert_true(graze_checker_epsilon(own) == graze_checker_epsilon(anew));
    compare_pairs(own, anew);
    for (uint64_t i = 0; i < TRIALS(150, 15); i++) {
        double q[COLUMNS];
        must(graze_robot_sample(robot, 11, i, NULL, NULL, q, &error));
        for (int k = 0; k < 2; k++) {
            graze_answer answer = k ? GRAZE_ANSWER_ALL : GRAZE_ANSWER_FIRST;
            graze_report a = {.contacts = contacts[0], .capacity = CONTACTS};
            graze_report b = {.contacts = contacts[1], .capacity = CONTACTS};
            must(graze_check(own, ws[0], answer, q, columns, NULL, &a, &error));
            must(graze_check(anew, ws[1], answer, q, columns, NULL, &b, &error));
            assert_int_equal(a.verdict, b.verdict);
            assert_int_equal(a.count, b.count);
            for (size_t n = 0; n < a.count; n++)
                assert_true(same_contact(&contacts[0][n], &contacts[1][n]));
            hits += a.count;
        }
    }
    assert_true(hits > 0);
    graze_workspace_free(ws[0]);
    graze_workspace_free(ws[1]);
    graze_checker_free(anew);
}

static void test_what_is_carried_over_says_what_is_made_anew(void **state) {
    (void)state;
    graze_robot *robot = load(), *one = attach(robot, "parcel", "gripper_link", NULL, 0.2);
    graze_robot *two = attach(one, "crate", "torso_lift_link", "head_pan_link", 0.05);
    graze_robot *crate = detach(two, "parcel"), *none = detach(crate, "crate");
    const graze_robot *versions[] = {one, two, crate, none};
    graze_world *world = load_world();
    for (int margins = 0; margins < 2; margins++) {
        graze_checker_options o = graze_checker_options_default();
        const graze_allowed_pair allowed[] = {{"gripper_link", "torso_lift_link"}};
        if (margins) o.margin = 0.01;
        o.allowed = allowed;
        o.allowed_count = 1;
        o.ignore_srdf = margins ? 1 : 0;
        graze_checker *c;
        must(graze_checker_create(&c, robot, world, &o, &error));
        for (int i = 0; i < 4; i++) {
            // From the first one, and from version to version.
            graze_checker *next = with_robot(c, versions[i]);
            compare(next, &o);
            if (i % 2) {
                graze_checker *back = with_robot(next, robot);
                compare(back, &o);
                graze_checker_free(back);
            }
            graze_checker_free(c);
            c = next;
        }
        graze_checker_free(c);
    }
    graze_world_free(world);
    for (int i = 0; i < 4; i++) graze_robot_free((graze_robot *)(uintptr_t)versions[i]);
    graze_robot_free(robot);
}

/// The same name, another shape: what was decided about the first one says nothing of the second.
static void test_a_body_of_the_same_name_is_tested_again(void **state) {
    (void)state;
    graze_robot *robot = load(), *far = attach(robot, "parcel", "gripper_link", NULL, 5);
    graze_robot *near = attach(robot, "parcel", "gripper_link", NULL, 0.05);
    graze_robot *carried = attach(far, "label", "parcel", NULL, -5); // fixed, near the gripper
    graze_robot *on_near = attach(near, "label", "parcel", NULL, -5);
    graze_checker *c;
    must(graze_checker_create(&c, carried, NULL, NULL, &error));
    graze_checker *other = with_robot(c, on_near);
    assert_int_not_equal(c->fixed_collision, other->fixed_collision);
    compare_pairs(c, c);
    graze_checker *anew;
    must(graze_checker_create(&anew, on_near, NULL, NULL, &error));
    assert_int_equal(other->fixed_collision, anew->fixed_collision);
    graze_checker_free(anew);
    graze_checker_free(other);
    graze_checker_free(c);
    graze_robot *all[] = {on_near, carried, near, far, robot};
    for (int i = 0; i < 5; i++) graze_robot_free(all[i]);
}

static void test_rules_of_a_body_count_while_it_is_carried(void **state) {
    (void)state;
    graze_robot *robot = load(), *carrying = attach(robot, "parcel", "gripper_link", NULL, 0.2);
    const graze_allowed_pair allowed[] = {{"parcel", "torso_lift_link"}};
    const graze_pair_margin margins[] = {{"parcel", NULL, 0.05}};
    const graze_name_policy policies[] = {{"parcel", GRAZE_POLICY_SURFACE}};
    graze_checker_options o = graze_checker_options_default();
    o.allowed = allowed;
    o.margins = margins;
    o.policies = policies;
    o.allowed_count = o.margin_count = o.policy_count = 1;
    graze_checker *c;
    must(graze_checker_create(&c, carrying, NULL, &o, &error));
    graze_checker *bare = with_robot(c, robot), *again = with_robot(bare, carrying);
    assert_int_equal(graze_checker_idle_rules(c), 0);
    assert_int_equal(graze_checker_idle_rules(bare), 3);
    assert_int_equal(graze_checker_idle_rules(again), 0);
    compare(bare, NULL);
    compare(again, &o);
    // And they are read back, idle or not.
    graze_checker_options back = graze_checker_settings(bare);
    assert_int_equal(back.struct_size, sizeof back);
    assert_int_equal(back.allowed_count, 1);
    assert_string_equal(back.allowed[0].b, "torso_lift_link");
    assert_string_equal(back.margins[0].a, "parcel");
    assert_null(back.margins[0].b);
    assert_true(back.margins[0].margin == 0.05);
    assert_int_equal(back.policies[0].policy, GRAZE_POLICY_SURFACE);
    back = graze_checker_settings(again);
    graze_checker *twin;
    must(graze_checker_create(&twin, carrying, NULL, &back, &error));
    compare_pairs(twin, c);
    back = graze_checker_settings(NULL);
    assert_true(isnan(back.margin) && back.allowed_count == 0);
    graze_checker *none = twin;
    assert_int_equal(graze_checker_with_robot(&none, NULL, robot, NULL), GRAZE_ERROR_ARGUMENT);
    assert_null(none);
    assert_int_equal(graze_checker_with_robot(NULL, c, robot, NULL), GRAZE_ERROR_ARGUMENT);
    graze_checker *checkers[] = {twin, again, bare, c};
    for (int i = 0; i < 4; i++) graze_checker_free(checkers[i]);
    graze_robot_free(carrying);
    graze_robot_free(robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_carried_over_says_what_is_made_anew),
        cmocka_unit_test(test_a_body_of_the_same_name_is_tested_again),
        cmocka_unit_test(test_rules_of_a_body_count_while_it_is_carried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
