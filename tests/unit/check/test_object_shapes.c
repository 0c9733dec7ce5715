// Objects and bodies of several shapes. The oracle is the world whose shapes are objects of their
// own, at the products of the poses, with each change and each rule said of all of them.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "graze/graze.h"
#include "unit/trials.h"

enum { OBJECTS = 5, SHAPES = 4, CONTACTS = 64 };

/// An object as it stands, under the name "o0", "o1" ...
typedef struct thing {
    bool there;
    graze_geometry geometries[SHAPES];
    graze_placed_shape shapes[SHAPES];
    size_t count;
    graze_transform pose;
} thing;

static graze_error error;

static void must(graze_status status) {
    if (status) fail_msg("%s: %s", error.element, error.message);
}

static graze_transform random_pose(gz_random *r, double far) {
    double xyz[3], rpy[3];
    for (int k = 0; k < 3; k++) {
        xyz[k] = gz_random_range(r, -far, far);
        rpy[k] = gz_random_range(r, -3, 3);
    }
    return graze_transform_from_xyz_rpy(xyz, rpy);
}

static void fill_thing(gz_random *r, thing *t) {
    static const graze_shape kinds[] = {GRAZE_SHAPE_BOX, GRAZE_SHAPE_SPHERE, GRAZE_SHAPE_CYLINDER,
                                        GRAZE_SHAPE_CONE};
    *t = (thing){.there = true, .count = 1 + gz_random_below(r, SHAPES), .pose = random_pose(r, 1)};
    for (size_t i = 0; i < t->count; i++) {
        graze_geometry *g = &t->geometries[i];
        *g = (graze_geometry){.shape = kinds[gz_random_below(r, 4)], .radius = 0.1, .length = 0.3};
        for (int k = 0; k < 3; k++) g->size[k] = gz_random_range(r, 0.1, 0.4);
        t->shapes[i] = (graze_placed_shape){g, random_pose(r, 0.4)};
    }
}

/// Two links that a joint swings, and a hand.
static graze_robot *make_robot(void) {
    graze_robot_builder *b;
    graze_robot *robot;
    const graze_geometry bar = {.shape = GRAZE_SHAPE_BOX, .size = {0.8, 0.1, 0.1}};
    const graze_geometry ball = {.shape = GRAZE_SHAPE_SPHERE, .radius = 0.2};
    graze_transform middle = graze_transform_identity();
    middle.m[3] = 0.4;
    must(graze_robot_builder_create(&b, "r", &error));
    static const char *const links[] = {"base", "arm", "hand"};
    for (int i = 0; i < 3; i++) {
        must(graze_robot_builder_link(b, links[i], &error));
        must(graze_robot_builder_collision(b, links[i], i ? &middle : NULL, i ? &bar : &ball,
                                           &error));
        if (!i) continue;
        graze_joint_input joint = graze_joint_input_default();
        joint.name = links[i];
        joint.parent = links[i - 1];
        joint.child = links[i];
        joint.type = GRAZE_JOINT_CONTINUOUS;
        joint.axis = (graze_vec3){i == 1, i == 2, 1};
        if (i == 2) joint.origin.m[3] = 0.8;
        must(graze_robot_builder_joint(b, &joint, &error));
    }
    must(graze_robot_builder_finish(b, &robot, &error));
    graze_robot_builder_free(b);
    return robot;
}

static void name_of(char *out, size_t object, size_t shape) {
    snprintf(out, 16, "o%zu.%zu", object, shape);
}

static graze_world *make_world(const thing *things, bool apart) {
    graze_world *w;
    must(graze_world_create(&w, "w", &error));
    for (size_t i = 0; i < OBJECTS; i++) {
        const thing *t = &things[i];
        char name[16];
        snprintf(name, sizeof name, "o%zu", i);
        if (!t->there) continue;
        if (!apart) must(graze_world_add_shapes(w, name, t->shapes, t->count, &t->pose, &error));
        for (size_t k = 0; apart && k < t->count; k++) {
            graze_transform pose = graze_transform_multiply(&t->pose, &t->shapes[k].pose);
            name_of(name, i, k);
            must(graze_world_add_geometry(w, name, t->shapes[k].geometry, &pose, &error));
        }
    }
    must(graze_world_commit(w, &error));
    return w;
}

static void compare_worlds(const graze_world *joined, const graze_world *apart) {
    size_t count = graze_world_object_count(joined), first = 0;
    uint64_t last = 0;
    assert_int_equal(count, graze_world_object_count(apart));
    for (size_t i = 0; i < count; i++) {
        graze_geometry a, b;
        must(graze_world_object(joined, i, &a));
        must(graze_world_object(apart, i, &b));
        assert_memory_equal(&a.origin, &b.origin, sizeof a.origin);
        assert_true(a.shape == b.shape && a.owner == b.owner);
        if (a.element == 0) {
            first = i;
            assert_true(a.id > last);
            last = a.id;
        }
        assert_int_equal(a.element, i - first);
        assert_true(a.id == last && strncmp(a.name, b.name, 2) == 0 && strlen(a.name) == 2);
        assert_int_equal(graze_world_find_object(joined, a.name), first);
        assert_int_equal(graze_world_find_id(joined, a.id), first);
    }
}

static bool same_contact(const graze_contact *a, const graze_contact *b) {
    return a->kind == b->kind && a->link == b->link && a->element == b->element &&
           a->other == b->other && a->triangle == b->triangle &&
           a->other_triangle == b->other_triangle && a->contained == b->contained &&
           memcmp(&a->point, &b->point, sizeof a->point) == 0;
}

/// All contacts of some configurations.
static size_t compare_checkers(gz_random *r, const graze_checker *joined,
                               const graze_checker *apart) {
    const graze_checker *checkers[2] = {joined, apart};
    size_t colliding = 0;
    for (int i = 0; i < 6; i++) {
        const double q[2] = {gz_random_range(r, -3, 3), gz_random_range(r, -3, 3)};
        graze_contact contacts[2][CONTACTS];
        graze_report reports[2];
        memset(contacts, 0, sizeof contacts);
        for (int k = 0; k < 2; k++) {
            graze_workspace *ws;
            reports[k] = (graze_report){.contacts = contacts[k], .capacity = CONTACTS};
            must(graze_workspace_create(&ws, checkers[k], &error));
            must(graze_check(checkers[k], ws, GRAZE_ANSWER_ALL, q, 2, NULL, &reports[k], &error));
            graze_workspace_free(ws);
        }
        assert_int_equal(reports[0].verdict, reports[1].verdict);
        assert_int_equal(reports[0].count, reports[1].count);
        for (size_t k = 0; k < reports[0].count && k < CONTACTS; k++)
            assert_true(same_contact(&contacts[0][k], &contacts[1][k]));
        colliding += reports[0].verdict == GRAZE_COLLISION;
    }
    return colliding;
}

static void change_at_random(gz_random *r, thing *things, graze_world_change *change, char *name) {
    size_t i = gz_random_below(r, OBJECTS);
    thing *t = &things[i];
    snprintf(name, 16, "o%zu", i);
    *change = graze_world_change_default();
    change->name = name;
    change->pose = &t->pose;
    if (!t->there) {
        fill_thing(r, t);
        change->kind = GRAZE_CHANGE_ADD;
        change->shapes = t->shapes;
        change->shape_count = t->count;
    } else if (gz_random_below(r, 3) == 0) {
        change->kind = GRAZE_CHANGE_REMOVE;
        t->there = false;
    } else {
        t->pose = random_pose(r, 1);
    }
}

static void test_versions_move_remove_and_add_all_shapes(void **state) {
    (void)state;
    gz_random r = gz_random_make(21, 0);
    graze_robot *robot = make_robot();
    size_t colliding = 0;
    for (int trial = 0; trial < TRIALS(60, 6); trial++) {
        thing things[OBJECTS];
        for (size_t i = 0; i < OBJECTS; i++) fill_thing(&r, &things[i]);
        graze_world *w = make_world(things, false);
        for (int step = 0; step < 8; step++) {
            graze_world_change change;
            char name[16];
            graze_world *next;
            change_at_random(&r, things, &change, name);
            must(graze_world_revise(&next, w, &change, 1, &error));
            graze_world_free(w);
            w = next;
        }
        // What was removed and added stands in another order: all is put back in the first one.
        graze_world_change back[2 * OBJECTS];
        char names[OBJECTS][16];
        size_t count = 0;
        for (size_t i = 0; i < OBJECTS; i++) {
            snprintf(names[i], sizeof names[i], "o%zu", i);
            graze_world_change c = graze_world_change_default();
            c.name = names[i];
            c.kind = GRAZE_CHANGE_REMOVE;
            if (things[i].there) back[count++] = c;
        }
        for (size_t i = 0; i < OBJECTS; i++) {
            graze_world_change c = graze_world_change_default();
            fill_thing(&r, &things[i]);
            c.name = names[i];
            c.kind = GRAZE_CHANGE_ADD;
            c.pose = &things[i].pose;
            c.shapes = things[i].shapes;
            c.shape_count = things[i].count;
            back[count++] = c;
        }
        graze_world *joined, *apart = make_world(things, true);
        must(graze_world_revise(&joined, w, back, count, &error));
        compare_worlds(joined, apart);
        graze_checker *a, *b;
        must(graze_checker_create(&a, robot, joined, NULL, &error));
        must(graze_checker_create(&b, robot, apart, NULL, &error));
        colliding += compare_checkers(&r, a, b);
        graze_checker_free(a);
        graze_checker_free(b);
        graze_world_free(apart);
        graze_world_free(joined);
        graze_world_free(w);
    }
    assert_true(colliding > 0);
    graze_robot_free(robot);
}

/// One change of a list finds what the ones before it have made, with more shapes and with fewer.
static void test_a_name_that_is_removed_and_added_in_one_list(void **state) {
    (void)state;
    gz_random r = gz_random_make(22, 0);
    for (int trial = 0; trial < TRIALS(100, 10); trial++) {
        thing things[OBJECTS], again;
        for (size_t i = 0; i < OBJECTS; i++) fill_thing(&r, &things[i]);
        fill_thing(&r, &again);
        graze_world *w = make_world(things, false), *next;
        graze_world_change c[4];
        for (int i = 0; i < 4; i++) {
            c[i] = graze_world_change_default();
            c[i].name = "o1";
            c[i].pose = &things[1].pose;
        }
        c[0].pose = &again.pose;
        c[1].kind = GRAZE_CHANGE_REMOVE;
        c[2].kind = GRAZE_CHANGE_ADD;
        c[2].shapes = again.shapes;
        c[2].shape_count = again.count;
        again.pose = random_pose(&r, 1);
        c[3].pose = &again.pose;
        must(graze_world_revise(&next, w, c, 4, &error));
        size_t first = (size_t)graze_world_find_object(next, "o1");
        assert_int_equal(first + again.count, graze_world_object_count(next));
        for (size_t k = 0; k < again.count; k++) {
            graze_geometry g;
            graze_transform pose = graze_transform_multiply(&again.pose, &again.shapes[k].pose);
            must(graze_world_object(next, first + k, &g));
            assert_memory_equal(&g.origin, &pose, sizeof pose);
            assert_int_equal(g.element, k);
        }
        assert_int_equal(graze_world_object_count(next),
                         graze_world_object_count(w) - things[1].count + again.count);
        graze_world_free(next);
        graze_world_free(w);
    }
}

static void test_rules_by_name_are_for_all_shapes(void **state) {
    (void)state;
    gz_random r = gz_random_make(23, 0);
    graze_robot *robot = make_robot();
    for (int trial = 0; trial < TRIALS(60, 6); trial++) {
        thing things[OBJECTS];
        char names[SHAPES][16];
        graze_allowed_pair allowed[SHAPES];
        graze_pair_margin margins[2 * SHAPES];
        graze_name_policy policies[SHAPES];
        for (size_t i = 0; i < OBJECTS; i++) fill_thing(&r, &things[i]);
        size_t n = things[3].count;
        for (size_t k = 0; k < n; k++) {
            name_of(names[k], 3, k);
            allowed[k] = (graze_allowed_pair){"arm", names[k]};
            margins[2 * k] = (graze_pair_margin){names[k], NULL, 0.2};
            margins[2 * k + 1] = (graze_pair_margin){"hand", names[k], 0.4};
            policies[k] = (graze_name_policy){names[k], GRAZE_POLICY_SURFACE};
        }
        const graze_allowed_pair one = {"arm", "o3"};
        const graze_pair_margin two[2] = {{"o3", NULL, 0.2}, {"hand", "o3", 0.4}};
        const graze_name_policy policy = {"o3", GRAZE_POLICY_SURFACE};
        graze_checker_options o = graze_checker_options_default();
        o.allowed = allowed, o.allowed_count = n;
        o.margins = margins, o.margin_count = 2 * n;
        o.policies = policies, o.policy_count = n;
        graze_world *joined = make_world(things, false), *apart = make_world(things, true);
        graze_checker *a, *b;
        must(graze_checker_create(&b, robot, apart, &o, &error));
        o.allowed = &one, o.allowed_count = 1;
        o.margins = two, o.margin_count = 2;
        o.policies = &policy, o.policy_count = 1;
        must(graze_checker_create(&a, robot, joined, &o, &error));
        compare_checkers(&r, a, b);
        graze_checker_free(a);
        graze_checker_free(b);
        graze_world_free(joined);
        graze_world_free(apart);
    }
    graze_robot_free(robot);
}

static void test_scenes_and_compiled_files_hold_them(void **state) {
    (void)state;
    gz_random r = gz_random_make(24, 0);
    graze_robot *robot = make_robot();
    thing things[OBJECTS];
    for (size_t i = 0; i < OBJECTS; i++) fill_thing(&r, &things[i]);
    graze_world *w = make_world(things, false);
    graze_checker *checker;
    graze_scene *scene;
    must(graze_checker_create(&checker, robot, w, NULL, &error));
    must(graze_scene_create(&scene, checker, &error));
    for (int tick = 0; tick < TRIALS(40, 8); tick++) {
        char name[16];
        size_t i = gz_random_below(&r, OBJECTS);
        graze_world_change change = graze_world_change_default();
        snprintf(name, sizeof name, "o%zu", i);
        things[i].pose = random_pose(&r, 1);
        change.name = name;
        change.pose = &things[i].pose;
        must(graze_scene_revise(scene, &change, 1, &error));
        graze_view *view;
        graze_checker *plain;
        graze_world *apart = make_world(things, true);
        must(graze_view_acquire(&view, scene, &error));
        must(graze_checker_create(&plain, robot, apart, NULL, &error));
        compare_checkers(&r, graze_view_checker(view), plain);
        graze_checker_free(plain);
        graze_world_free(apart);
        graze_view_release(view);
    }
    graze_scene_free(scene);
    unsigned char *bytes;
    size_t size;
    graze_compiled *file;
    graze_world *opened, *moved, *apart;
    must(graze_compile(&bytes, &size, robot, w, NULL, &error));
    must(graze_compiled_open_memory(&file, bytes, size, "it", &error));
    must(graze_compiled_world(&opened, file, &error));
    graze_world_change change = graze_world_change_default();
    for (size_t i = 0; i < OBJECTS; i++) { // where the objects of the file stand
        graze_geometry g;
        graze_transform back = graze_transform_identity();
        char name[16];
        snprintf(name, sizeof name, "o%zu", i);
        must(graze_world_object(w, (size_t)graze_world_find_object(w, name), &g));
        back = graze_transform_inverse(&g.in_object);
        things[i].pose = graze_transform_multiply(&g.origin, &back);
    }
    for (size_t i = 0; i < 5; i++) {
        change.name = (const char *[]){"o0", "o1", "o2", "o3", "o4"}[i];
        change.pose = &things[i].pose;
        must(graze_world_revise(&moved, opened, &change, 1, &error));
        graze_world_free(opened);
        opened = moved;
    }
    apart = make_world(things, true);
    compare_worlds(opened, apart);
    graze_world_free(apart);
    graze_world_free(opened);
    graze_compiled_close(file);
    graze_compiled_free(bytes);
    graze_checker_free(checker);
    graze_world_free(w);
    graze_robot_free(robot);
}

/// In the hand a body is a link with as many elements, where they were; put down it is the object.
static void test_grasping_and_releasing(void **state) {
    (void)state;
    gz_random r = gz_random_make(25, 0);
    graze_robot *robot = make_robot();
    for (int trial = 0; trial < TRIALS(40, 4); trial++) {
        thing things[OBJECTS];
        for (size_t i = 0; i < OBJECTS; i++) fill_thing(&r, &things[i]);
        graze_world *w = make_world(things, false), *rest, *after;
        graze_robot *carrying, *empty;
        const double q[2] = {0.3, -0.4}, other[2] = {1.3, 0.5};
        graze_grasp grasp = graze_grasp_default();
        grasp.object = "o2";
        grasp.link = "hand";
        grasp.q = q;
        grasp.q_count = 2;
        must(graze_grasp_object(&carrying, &rest, robot, w, &grasp, &error));
        assert_int_equal(graze_world_find_object(rest, "o2"), -1);
        assert_int_equal(graze_world_object_count(rest),
                         graze_world_object_count(w) - things[2].count);
        size_t links = graze_robot_link_count(carrying);
        graze_transform poses[4];
        assert_int_equal(links, 4);
        must(graze_robot_pose(carrying, q, 2, NULL, poses, &error));
        for (size_t k = 0; k < things[2].count; k++) {
            graze_geometry g;
            must(graze_robot_collision(carrying, 3 + k, &g));
            assert_true(g.owner == 3 && (size_t)g.element == k);
            assert_memory_equal(&g.origin, &things[2].shapes[k].pose, sizeof g.origin);
            graze_transform there = graze_transform_multiply(&poses[3], &g.origin);
            graze_transform was = graze_transform_multiply(&things[2].pose, &g.origin);
            for (int i = 0; i < 12; i++) assert_true(fabs(there.m[i] - was.m[i]) < 1e-14);
        }
        must(graze_release_object(&empty, &after, carrying, rest, "o2", other, 2, NULL, &error));
        assert_int_equal(graze_robot_collision_count(empty), graze_robot_collision_count(robot));
        assert_int_equal(graze_world_object_count(after), graze_world_object_count(w));
        must(graze_robot_pose(carrying, other, 2, NULL, poses, &error));
        size_t first = (size_t)graze_world_find_object(after, "o2");
        for (size_t k = 0; k < things[2].count; k++) {
            graze_geometry g;
            graze_transform pose = graze_transform_multiply(&poses[3], &things[2].shapes[k].pose);
            must(graze_world_object(after, first + k, &g));
            assert_memory_equal(&g.in_object, &things[2].shapes[k].pose, sizeof g.in_object);
            assert_memory_equal(&g.origin, &pose, sizeof pose);
        }
        // Where other bodies are carried behind it, their links and elements stay theirs.
        graze_attachment tool = graze_attachment_default();
        graze_robot *both, *one;
        tool.name = "tool";
        tool.link = "o2";
        tool.shapes = things[1].shapes;
        tool.shape_count = things[1].count;
        must(graze_robot_attach(&both, carrying, &tool, &error));
        must(graze_robot_detach(&one, both, "tool", &error));
        assert_int_equal(graze_robot_collision_count(one), graze_robot_collision_count(carrying));
        graze_robot_free(both);
        tool.link = "base";
        must(graze_robot_attach(&both, carrying, &tool, &error));
        graze_robot_free(one);
        must(graze_robot_detach(&one, both, "o2", &error));
        for (size_t k = 0; k < things[1].count; k++) {
            graze_geometry g;
            must(graze_robot_collision(one, 3 + k, &g));
            assert_true(g.owner == 3 && (size_t)g.element == k &&
                        g.shape == things[1].shapes[k].geometry->shape);
        }
        graze_robot_free(both);
        graze_robot_free(one);
        graze_robot_free(carrying);
        graze_robot_free(empty);
        graze_world_free(rest);
        graze_world_free(after);
        graze_world_free(w);
    }
    graze_robot_free(robot);
}

static void test_mistakes_add_nothing(void **state) {
    (void)state;
    gz_random r = gz_random_make(26, 0);
    graze_world *w, *next;
    thing t;
    fill_thing(&r, &t);
    t.count = 2;
    t.geometries[0] = t.geometries[1] = (graze_geometry){.shape = GRAZE_SHAPE_SPHERE, .radius = 1};
    t.shapes[0] = t.shapes[1] = (graze_placed_shape){&t.geometries[0], t.pose};
    must(graze_world_create(&w, "w", &error));
    t.geometries[1].radius = -1;
    t.shapes[1].geometry = &t.geometries[1];
    assert_int_equal(graze_world_add_shapes(w, "o", t.shapes, 2, NULL, &error), GRAZE_ERROR_RANGE);
    t.geometries[1].radius = 1;
    t.shapes[1].pose.m[0] = 2;
    assert_int_equal(graze_world_add_shapes(w, "o", t.shapes, 2, NULL, &error),
                     GRAZE_ERROR_ARGUMENT);
    t.shapes[1].pose = t.pose;
    t.shapes[1].geometry = NULL;
    assert_int_equal(graze_world_add_shapes(w, "o", t.shapes, 2, NULL, &error),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_world_add_shapes(w, "o", t.shapes, 0, NULL, &error),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_world_object_count(w), 0);
    assert_int_equal(graze_world_find_object(w, "o"), -1);
    t.shapes[1].geometry = &t.geometries[1];
    must(graze_world_add_shapes(w, "o", t.shapes, 2, NULL, &error));
    assert_int_equal(graze_world_add_sphere(w, "o", 1, NULL, &error), GRAZE_ERROR_SCHEMA);
    must(graze_world_commit(w, &error));
    graze_world_change change = graze_world_change_default();
    change.kind = GRAZE_CHANGE_ADD;
    change.name = "p";
    change.geometry = &t.geometries[0];
    change.shapes = t.shapes;
    change.shape_count = 2;
    assert_int_equal(graze_world_revise(&next, w, &change, 1, &error), GRAZE_ERROR_ARGUMENT);
    change.geometry = NULL;
    change.shape_count = 0;
    assert_int_equal(graze_world_revise(&next, w, &change, 1, &error), GRAZE_ERROR_ARGUMENT);
    graze_world_free(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_versions_move_remove_and_add_all_shapes),
        cmocka_unit_test(test_a_name_that_is_removed_and_added_in_one_list),
        cmocka_unit_test(test_rules_by_name_are_for_all_shapes),
        cmocka_unit_test(test_scenes_and_compiled_files_hold_them),
        cmocka_unit_test(test_grasping_and_releasing),
        cmocka_unit_test(test_mistakes_add_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
