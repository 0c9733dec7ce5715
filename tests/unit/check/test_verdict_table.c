// Verdicts of every kind of shape against every other at distances known by hand: touching, a
// micrometre apart, a micrometre in, and one inside the other; link against link and link against
// object, under both policies and both levels.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graze/graze.h"
#include "unit/load/temporary_folder.h"
#include "unit/robot/robot_text_maker.h"

static temporary_folder folder;

/// A cube of edge 1 as a closed mesh.
static const double cube_vertices[24] = {-0.5, -0.5, -0.5, 0.5,  -0.5, -0.5, -0.5, 0.5,
                                         -0.5, 0.5,  0.5,  -0.5, -0.5, -0.5, 0.5,  0.5,
                                         -0.5, 0.5,  -0.5, 0.5,  0.5,  0.5,  0.5,  0.5};
static const uint32_t cube_triangles[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                            2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

static int make_folder(void **state) {
    (void)state;
    folder = temporary_folder_make();
    text_maker t = {0};
    for (int i = 0; i < 8; i++)
        text_add(&t, "v %g %g %g\n", cube_vertices[3 * i], cube_vertices[3 * i + 1],
                 cube_vertices[3 * i + 2]);
    for (int i = 0; i < 12; i++)
        text_add(&t, "f %u %u %u\n", cube_triangles[3 * i] + 1, cube_triangles[3 * i + 1] + 1,
                 cube_triangles[3 * i + 2] + 1);
    temporary_write(&folder, "cube.obj", t.text, t.size);
    text_free(&t);
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    temporary_folder_remove(&folder);
    return 0;
}

/// Every shape reaches to half of `size` along x from its origin.
static const graze_shape kinds[] = {GRAZE_SHAPE_BOX, GRAZE_SHAPE_SPHERE, GRAZE_SHAPE_CYLINDER,
                                    GRAZE_SHAPE_CAPSULE, GRAZE_SHAPE_MESH};

static void add_link(text_maker *t, const char *name, graze_shape kind, double size,
                     const char *at) {
    text_add(t, "<link name='%s'><collision><origin xyz='%s'/><geometry>", name, at);
    if (kind == GRAZE_SHAPE_BOX) text_add(t, "<box size='%.17g %.17g %.17g'/>", size, size, size);
    if (kind == GRAZE_SHAPE_SPHERE) text_add(t, "<sphere radius='%.17g'/>", size / 2);
    if (kind == GRAZE_SHAPE_CYLINDER)
        text_add(t, "<cylinder radius='%.17g' length='%.17g'/>", size / 2, size);
    if (kind == GRAZE_SHAPE_CAPSULE)
        text_add(t, "<capsule radius='%.17g' length='%.17g'/>", size / 2, size);
    if (kind == GRAZE_SHAPE_MESH)
        text_add(t, "<mesh filename='cube.obj' scale='%.17g %.17g %.17g'/>", size, size, size);
    text_add(t, "</geometry></collision></link>");
}

/// Link 'a' at the origin, 'b' moved along x by the only joint value; 'far' keeps them apart in the
/// tree and in space. Without `a`, only b is near.
static graze_robot *make_robot(bool with_a, graze_shape a, double size_a, graze_shape b,
                               double size_b) {
    text_maker t = {0};
    text_add(&t, "<robot name='r' version='1.2'>");
    add_link(&t, "a", with_a ? a : GRAZE_SHAPE_BOX, with_a ? size_a : 0.1,
             with_a ? "0 0 0" : "0 0 70");
    add_link(&t, "far", GRAZE_SHAPE_BOX, 0.1, "0 0 -50");
    add_link(&t, "b", b, size_b, "0 0 0");
    text_add(&t, "<joint name='slide' type='prismatic'><parent link='a'/><child link='far'/>"
                 "<axis xyz='1 0 0'/><limit lower='-9' upper='9' effort='1' velocity='1'/></joint>"
                 "<joint name='fix' type='fixed'><parent link='far'/><child link='b'/></joint>"
                 "</robot>");
    graze_robot *robot;
    graze_error e;
    if (graze_robot_load_urdf_memory(&robot, t.text, t.size, "made", folder.path, NULL, &e))
        fail_msg("%s: %s", e.element, e.message);
    text_free(&t);
    return robot;
}

static graze_world *make_world(graze_shape kind, double size) {
    graze_world *w;
    assert_int_equal(graze_world_create(&w, "w", NULL), GRAZE_OK);
    double edges[3] = {size, size, size}, v[24];
    for (int i = 0; i < 24; i++) v[i] = size * cube_vertices[i];
    const double origin[3] = {0, 0, 0};
    graze_status s = GRAZE_OK;
    if (kind == GRAZE_SHAPE_BOX) s = graze_world_add_box(w, "o", edges, NULL, NULL);
    if (kind == GRAZE_SHAPE_SPHERE) s = graze_world_add_sphere(w, "o", size / 2, NULL, NULL);
    if (kind == GRAZE_SHAPE_CYLINDER)
        s = graze_world_add_cylinder(w, "o", size / 2, size, NULL, NULL);
    if (kind == GRAZE_SHAPE_CAPSULE)
        s = graze_world_add_capsule(w, "o", size / 2, size, NULL, NULL);
    if (kind == GRAZE_SHAPE_MESH)
        s = graze_world_add_mesh(w, "o", v, 8, cube_triangles, 12, NULL, NULL);
    if (kind == GRAZE_SHAPE_POINTS)
        s = graze_world_add_points(w, "o", origin, 1, size / 2, NULL, NULL);
    assert_int_equal(s, GRAZE_OK);
    assert_int_equal(graze_world_commit(w, NULL), GRAZE_OK);
    return w;
}

/// The verdict at one place of the slide, the same for all three answers.
static graze_verdict query(const graze_checker *c, double x, graze_contact *contact) {
    graze_workspace *ws;
    assert_int_equal(graze_workspace_create(&ws, c, NULL), GRAZE_OK);
    graze_verdict verdict = GRAZE_UNKNOWN;
    for (int answer = 0; answer < 3; answer++) {
        graze_contact contacts[4];
        graze_report report = {.contacts = contacts, .capacity = 4};
        graze_error e;
        if (graze_check(c, ws, (graze_answer)answer, &x, 1, NULL, &report, &e))
            fail_msg("%s", e.message);
        if (answer) assert_int_equal(report.verdict, verdict);
        verdict = report.verdict;
        assert_int_equal(report.count, verdict == GRAZE_COLLISION);
        if (report.count) *contact = contacts[0];
    }
    graze_workspace_free(ws);
    return verdict;
}

static graze_checker *make_checker(const graze_robot *robot, const graze_world *world,
                                   graze_policy policy, graze_level level) {
    graze_checker *c;
    graze_checker_options options = graze_checker_options_default();
    options.policy = policy;
    options.level = level;
    assert_int_equal(graze_checker_create(&c, robot, world, &options, NULL), GRAZE_OK);
    return c;
}

/// Shapes of size 1 that meet along x: b's centre at +-(1 + gap).
static void check_distances(const graze_checker *c, graze_contact_kind kind, const char *link,
                            const char *other) {
    graze_contact contact;
    for (int side = -1; side <= 1; side += 2) {
        assert_int_equal(query(c, side * 1.0, &contact), GRAZE_COLLISION); // touching
        assert_int_equal(contact.kind, kind);
        assert_string_equal(graze_contact_link_name(c, &contact), link);
        assert_string_equal(graze_contact_other_name(c, &contact), other);
        assert_false(contact.contained);
        assert_int_equal(query(c, side * (1 - 1e-6), &contact), GRAZE_COLLISION);
        assert_int_equal(query(c, side * (1 + 1e-6), &contact), GRAZE_FREE);
        assert_int_equal(query(c, side * 3.0, &contact), GRAZE_FREE);
    }
}

static void test_links_touch_as_far_as_their_shapes_extend(void **state) {
    (void)state;
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 5; k++) {
            graze_robot *robot = make_robot(true, kinds[i], 1, kinds[k], 1);
            for (int policy = 0; policy < 2; policy++) {
                graze_checker *c = make_checker(robot, NULL, (graze_policy)policy,
                                                GRAZE_LEVEL_MESH);
                check_distances(c, GRAZE_CONTACT_SELF, "a", "b");
                graze_checker_free(c);
            }
            // Bounding volumes do not look at link against link.
            graze_checker *c = make_checker(robot, NULL, GRAZE_POLICY_SOLID, GRAZE_LEVEL_BOUNDS);
            graze_contact contact;
            assert_int_equal(query(c, 0.5, &contact), GRAZE_FREE);
            graze_checker_free(c);
            graze_robot_free(robot);
        }
}

static void test_objects_touch_as_far_as_their_shapes_extend(void **state) {
    (void)state;
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 5; k++) {
            graze_robot *robot = make_robot(false, 0, 0, kinds[k], 1);
            graze_world *world = make_world(i < 5 ? kinds[i] : GRAZE_SHAPE_POINTS, 1);
            for (int rule = 0; rule < 3; rule++) {
                graze_checker *c = make_checker(
                    robot, world, rule == 1 ? GRAZE_POLICY_SURFACE : GRAZE_POLICY_SOLID,
                    rule == 2 ? GRAZE_LEVEL_BOUNDS : GRAZE_LEVEL_MESH);
                check_distances(c, GRAZE_CONTACT_WORLD, "b", "o");
                graze_checker_free(c);
            }
            graze_world_free(world);
            graze_robot_free(robot);
        }
}

/// Whether a part inside a whole collides: all but meshes are solid by nature.
static void check_containment(const graze_robot *robot, const graze_world *world, graze_shape whole,
                              bool surfaces) {
    graze_contact contact;
    for (int policy = 0; policy < 2; policy++) {
        graze_checker *c = make_checker(robot, world, (graze_policy)policy, GRAZE_LEVEL_MESH);
        bool hit = whole != GRAZE_SHAPE_MESH || policy == GRAZE_POLICY_SOLID;
        assert_int_equal(query(c, 0.125, &contact), hit ? GRAZE_COLLISION : GRAZE_FREE);
        if (hit) assert_int_equal(contact.contained, surfaces);
        graze_checker_free(c);
    }
    graze_checker *c = make_checker(robot, world, GRAZE_POLICY_SURFACE, GRAZE_LEVEL_BOUNDS);
    assert_int_equal(query(c, 0.125, &contact), world ? GRAZE_COLLISION : GRAZE_FREE);
    graze_checker_free(c);
}

static void test_meshes_inside_collide_where_the_whole_is_solid(void **state) {
    (void)state;
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 5; k++) {
            bool surfaces = kinds[i] == GRAZE_SHAPE_BOX || kinds[i] == GRAZE_SHAPE_MESH;
            for (int swap = 0; swap < 2; swap++) {
                graze_shape a = swap ? kinds[k] : kinds[i], b = swap ? kinds[i] : kinds[k];
                double size_a = swap ? 0.25 : 2, size_b = swap ? 2 : 0.25;
                graze_robot *robot = make_robot(true, a, size_a, b, size_b);
                check_containment(robot, NULL, kinds[i], surfaces);
                graze_robot_free(robot);
                robot = make_robot(false, 0, 0, b, size_b);
                graze_world *world = make_world(a, size_a);
                check_containment(robot, world, kinds[i], surfaces);
                graze_world_free(world);
                graze_robot_free(robot);
            }
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_links_touch_as_far_as_their_shapes_extend),
        cmocka_unit_test(test_objects_touch_as_far_as_their_shapes_extend),
        cmocka_unit_test(test_meshes_inside_collide_where_the_whole_is_solid),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
