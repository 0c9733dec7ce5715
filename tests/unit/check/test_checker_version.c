// Checkers carried over to versions of a world: what they share, which rules are idle, and that
// epsilon is that of the new world. That they say what checkers made anew say is held by
// tests/oracle/world_versions.c, on random worlds and rules.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "check/check_internal.h"
#include "graze/graze.h"

static graze_robot *load_robot(void) {
    char path[512];
    graze_robot *robot;
    graze_error error;
    snprintf(path, sizeof path, "%s/tests/cli/data/gantry.urdf", GRAZE_SOURCE_DIR);
    if (graze_robot_load_urdf(&robot, path, NULL, &error)) fail_msg("%s", error.message);
    return robot;
}

static graze_transform shift(double x, double y, double z) {
    graze_transform t = graze_transform_identity();
    t.m[3] = x;
    t.m[7] = y;
    t.m[11] = z;
    return t;
}

/// A post in the way of the crane at travel = 2, and a ball that is in nobody's way.
static graze_world *make_world(void) {
    graze_world *w;
    graze_transform post = shift(2, 0, 1), ball = shift(-20, 0, 9);
    assert_int_equal(graze_world_create(&w, "world", NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_capsule(w, "post", 0.25, 2, &post, NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_sphere(w, "ball", 0.5, &ball, NULL), GRAZE_OK);
    assert_int_equal(graze_world_commit(w, NULL), GRAZE_OK);
    return w;
}

static graze_world *revise(const graze_world *w, graze_world_change change) {
    graze_world *out;
    graze_error error;
    if (graze_world_revise(&out, w, &change, 1, &error)) fail_msg("%s", error.message);
    return out;
}

static graze_checker *with_world(const graze_checker *c, const graze_world *w) {
    graze_checker *out;
    graze_error error;
    if (graze_checker_with_world(&out, c, w, &error)) fail_msg("%s", error.message);
    return out;
}

/// Whether the crane collides at a place.
static bool collides(const graze_checker *c, double travel) {
    graze_workspace *ws;
    graze_report report = {0};
    const double q[3] = {travel, 0.25, 0};
    assert_int_equal(graze_workspace_create(&ws, c, NULL), GRAZE_OK);
    assert_int_equal(graze_check(c, ws, GRAZE_ANSWER_ANY, q, 3, NULL, &report, NULL), GRAZE_OK);
    graze_workspace_free(ws);
    return report.verdict == GRAZE_COLLISION;
}

static void test_rules_hold_by_name_wherever_it_stands(void **state) {
    (void)state;
    graze_robot *robot = load_robot();
    graze_world *w = make_world();
    static const char *const links[] = {"carriage", "hook", "tong", "jaw"};
    graze_allowed_pair allowed[4];
    for (int i = 0; i < 4; i++) allowed[i] = (graze_allowed_pair){links[i], "post"};
    const graze_name_policy policy = {"ball", GRAZE_POLICY_SURFACE};
    const graze_pair_margin margin = {"ball", NULL, 0.5};
    graze_checker_options o = graze_checker_options_default();
    o.allowed = allowed;
    o.allowed_count = 4;
    o.policies = &policy;
    o.policy_count = 1;
    o.margins = &margin;
    o.margin_count = 1;
    graze_checker *c;
    assert_int_equal(graze_checker_create(&c, robot, w, &o, NULL), GRAZE_OK);
    assert_int_equal(graze_checker_idle_rules(c), 0);
    assert_false(collides(c, 2));
    // The post moves and is still allowed; the ball comes within its margin.
    graze_transform there = shift(-3, 0, 1), near = shift(1, 1.1, 1.3);
    graze_world *moved = revise(w, (graze_world_change){.struct_size = sizeof(graze_world_change),
                                                        .kind = GRAZE_CHANGE_MOVE,
                                                        .name = "post",
                                                        .pose = &there});
    graze_world *close = revise(moved,
                                (graze_world_change){.struct_size = sizeof(graze_world_change),
                                                     .kind = GRAZE_CHANGE_MOVE,
                                                     .name = "ball",
                                                     .pose = &near});
    graze_checker *on_moved = with_world(c, moved), *on_close = with_world(on_moved, close);
    assert_false(collides(on_moved, -3));
    assert_false(collides(on_close, -3));
    assert_true(collides(on_close, 1));
    assert_int_equal(gz_object_policy(on_close, 1), GRAZE_POLICY_SURFACE);
    assert_int_equal(gz_object_policy(on_close, 0), GRAZE_POLICY_SOLID);
    // The post is gone: its rules are idle, and count again when the name comes back.
    graze_world *bare = revise(close,
                               (graze_world_change){.struct_size = sizeof(graze_world_change),
                                                    .kind = GRAZE_CHANGE_REMOVE,
                                                    .name = "post"});
    const graze_geometry box = {.shape = GRAZE_SHAPE_BOX, .size = {1, 1, 1}};
    graze_world *back = revise(bare, (graze_world_change){.struct_size = sizeof(graze_world_change),
                                                          .kind = GRAZE_CHANGE_ADD,
                                                          .name = "post",
                                                          .pose = &there,
                                                          .geometry = &box});
    graze_world *other = revise(bare,
                                (graze_world_change){.struct_size = sizeof(graze_world_change),
                                                     .kind = GRAZE_CHANGE_ADD,
                                                     .name = "box",
                                                     .pose = &there,
                                                     .geometry = &box});
    graze_checker *on_bare = with_world(on_close, bare), *on_back = with_world(on_bare, back),
                  *on_other = with_world(on_bare, other), *on_none = with_world(on_bare, NULL);
    assert_int_equal(graze_checker_idle_rules(on_bare), 4);
    assert_int_equal(graze_checker_idle_rules(on_back), 0);
    assert_int_equal(graze_checker_idle_rules(on_other), 4);
    assert_int_equal(graze_checker_idle_rules(on_none), 6);
    assert_int_equal(graze_checker_idle_rules(NULL), 0);
    assert_false(collides(on_back, -3));
    assert_true(collides(on_other, -3));
    assert_false(collides(on_none, -3));
    assert_null(graze_checker_world(on_none));
    graze_checker *checkers[] = {c, on_moved, on_close, on_bare, on_back, on_other, on_none};
    graze_world *worlds[] = {w, moved, close, bare, back, other};
    for (size_t i = 0; i < 7; i++) graze_checker_free(checkers[i]);
    for (size_t i = 0; i < 6; i++) graze_world_free(worlds[i]);
    graze_robot_free(robot);
}

static void test_pairs_of_links_are_judged_once(void **state) {
    (void)state;
    graze_robot *robot = load_robot();
    graze_world *w = make_world();
    graze_transform far = shift(9000, 0, 0), near = shift(3, 0, 1);
    graze_world *there = revise(w, (graze_world_change){.struct_size = sizeof(graze_world_change),
                                                        .kind = GRAZE_CHANGE_MOVE,
                                                        .name = "post",
                                                        .pose = &near}),
                *far_off = revise(w, (graze_world_change){.struct_size = sizeof(graze_world_change),
                                                          .kind = GRAZE_CHANGE_MOVE,
                                                          .name = "ball",
                                                          .pose = &far});
    for (int margins = 0; margins < 2; margins++) {
        graze_checker_options o = graze_checker_options_default();
        if (margins) o.margin = 1e-13; // counts as epsilon
        graze_checker *c, *anew;
        assert_int_equal(graze_checker_create(&c, robot, w, &o, NULL), GRAZE_OK);
        graze_checker *next = with_world(c, there), *last = with_world(next, far_off);
        assert_int_equal(graze_checker_create(&anew, robot, far_off, &o, NULL), GRAZE_OK);
        assert_ptr_equal(next->pairs, c->pairs);
        assert_true(graze_checker_epsilon(last) == graze_checker_epsilon(anew));
        assert_true(graze_checker_epsilon(last) > graze_checker_epsilon(c));
        // An object so far off has a greater error: then margins count anew, if there are any.
        assert_true((last->pairs == c->pairs) == (margins == 0));
        for (size_t i = 0; i < last->pair_count; i++)
            assert_true(last->pairs[i].margin == anew->pairs[i].margin &&
                        last->pairs[i].collides == anew->pairs[i].collides);
        graze_checker *again = with_world(last, w);
        assert_true(graze_checker_epsilon(again) == graze_checker_epsilon(c));
        // Whoever owns the pairs may go first.
        graze_checker_free(c);
        graze_checker_free(last);
        assert_true(collides(next, 3) && !collides(again, 3));
        graze_checker_free(next);
        graze_checker_free(again);
        graze_checker_free(anew);
    }
    graze_world_free(w);
    graze_world_free(there);
    graze_world_free(far_off);
    graze_robot_free(robot);
}

static void test_mistakes_are_told(void **state) {
    (void)state;
    graze_robot *robot = load_robot();
    graze_world *w = make_world(), *open;
    graze_checker *c, *out;
    graze_error e;
    assert_int_equal(graze_world_create(&open, "open", NULL), GRAZE_OK);
    assert_int_equal(graze_checker_create(&c, robot, w, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_checker_with_world(NULL, c, w, &e), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_checker_with_world(&out, NULL, w, &e), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_checker_with_world(&out, c, open, &e), GRAZE_ERROR_ARGUMENT);
    assert_non_null(strstr(e.message, "not committed"));
    assert_null(out);
    graze_checker_free(c);
    graze_world_free(open);
    graze_world_free(w);
    graze_robot_free(robot);
}

static void test_without_memory_nothing_is_left_behind(void **state) {
    (void)state;
#ifdef GRAZE_FAULTS
    graze_robot *robot = load_robot();
    graze_world *w = make_world();
    const graze_allowed_pair allowed = {"hook", "post"};
    const graze_name_policy policy = {"ball", GRAZE_POLICY_SURFACE};
    const graze_pair_margin margin = {"ball", NULL, 0.5};
    graze_checker_options o = graze_checker_options_default();
    o.allowed = &allowed;
    o.policies = &policy;
    o.margins = &margin;
    o.allowed_count = o.policy_count = o.margin_count = 1;
    graze_checker *c;
    assert_int_equal(graze_checker_create(&c, robot, w, &o, NULL), GRAZE_OK);
    graze_transform far = shift(9000, 0, 0);
    graze_world *next = revise(w, (graze_world_change){.struct_size = sizeof(graze_world_change),
                                                       .kind = GRAZE_CHANGE_MOVE,
                                                       .name = "ball",
                                                       .pose = &far});
    for (int same = 0; same < 2; same++) {
        long n = 1;
        for (;; n++) {
            graze_checker *out;
            gz_memory_fail_after(n, false);
            graze_status status = graze_checker_with_world(&out, c, same ? w : next, NULL);
            gz_memory_fail_after(0, false);
            assert_true((out != NULL) == (status == GRAZE_OK));
            graze_checker_free(out);
            if (status == GRAZE_OK) break;
            assert_int_equal(status, GRAZE_ERROR_NO_MEMORY);
        }
        assert_true(n > 10);
    }
    graze_checker_free(c);
    graze_world_free(next);
    graze_world_free(w);
    graze_robot_free(robot);
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules_hold_by_name_wherever_it_stands),
        cmocka_unit_test(test_pairs_of_links_are_judged_once),
        cmocka_unit_test(test_mistakes_are_told),
        cmocka_unit_test(test_without_memory_nothing_is_left_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
