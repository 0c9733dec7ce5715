// The points that a verdict is about, read through the public headers.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graze/graze.h"
#include "unit/robot/robot_text_maker.h"

static const char *const shapes[] = {"<box size='0.3 0.2 0.7'/>", "<sphere radius='0.11'/>",
                                     "<cylinder radius='0.07' length='0.5'/>",
                                     "<capsule radius='0.05' length='0.25'/>"};

/// All shapes on a link that hangs on its body's root by a fixed joint.
static graze_robot *make_robot(void) {
    text_maker m = {0};
    text_add(&m, "<robot name='shapes'><link name='root'/><link name='arm'/><link name='hand'>");
    for (int i = 0; i < 4; i++)
        text_add(&m,
                 "<collision><origin xyz='0.1 -0.2 0.3' rpy='0.4 0 1'/><geometry>%s</geometry>"
                 "</collision>",
                 shapes[i]);
    text_add(&m, "</link>"
                 "<joint name='turn' type='continuous'><parent link='root'/><child link='arm'/>"
                 "<origin xyz='1 2 3' rpy='0.1 0.2 0.3'/><axis xyz='0 0 1'/></joint>"
                 "<joint name='weld' type='fixed'><parent link='arm'/><child link='hand'/>"
                 "<origin xyz='0 0.5 0' rpy='0 1 0'/></joint></robot>");
    return text_load(&m);
}

static void expect_snapped(const graze_geometry *g, const graze_transform *pose) {
    size_t count = graze_geometry_point_count(g);
    double points[24];
    assert_in_range(count, 1, 8);
    graze_geometry_snap(g, pose, points);
    const double *stored = g->vertex_count ? g->vertices : g->ends[0];
    for (size_t i = 0; i < count; i++) {
        const double *v = stored + 3 * i;
        graze_vec3 w = graze_transform_point(pose, (graze_vec3){v[0], v[1], v[2]});
        assert_memory_equal(points + 3 * i, &w, sizeof w);
    }
}

static void test_every_shape_of_a_link_is_snapped_by_the_pose_of_its_frame(void **state) {
    (void)state;
    graze_robot *r = make_robot();
    const double q = 0.7, base[6] = {10, -20, 30, 0.3, 0.2, 0.1};
    graze_transform links[3];
    assert_int_equal(graze_robot_pose(r, &q, 1, base, links, NULL), GRAZE_OK);
    static const size_t counts[] = {8, 2, 2, 2};
    assert_int_equal(graze_robot_collision_count(r), 4);
    for (size_t i = 0; i < 4; i++) {
        graze_geometry g;
        assert_int_equal(graze_robot_collision(r, i, &g), GRAZE_OK);
        assert_int_equal(g.frame, graze_robot_find_link(r, "arm"));
        assert_int_equal(graze_geometry_point_count(&g), counts[i]);
        expect_snapped(&g, &links[g.frame]);
    }
    graze_robot_free(r);
}

static void test_the_ends_of_curved_shapes_are_where_link_and_origin_put_them(void **state) {
    (void)state;
    graze_robot *r = make_robot();
    const double q = -2.1, half[] = {0, 0, 0.25, 0.125};
    graze_transform links[3];
    assert_int_equal(graze_robot_pose(r, &q, 1, NULL, links, NULL), GRAZE_OK);
    for (size_t i = 1; i < 4; i++) {
        graze_geometry g;
        double ends[2][3];
        assert_int_equal(graze_robot_collision(r, i, &g), GRAZE_OK);
        graze_geometry_snap(&g, &links[g.frame], ends[0]);
        graze_transform place = graze_transform_multiply(&links[g.owner], &g.origin);
        for (int e = 0; e < 2; e++) {
            graze_vec3 w = graze_transform_point(&place,
                                                 (graze_vec3){0, 0, e ? half[i] : -half[i]});
            assert_true(fabs(ends[e][0] - w.x) < 1e-14 && fabs(ends[e][1] - w.y) < 1e-14 &&
                        fabs(ends[e][2] - w.z) < 1e-14);
        }
    }
    graze_robot_free(r);
}

static void test_objects_of_a_world_are_snapped_by_their_origin(void **state) {
    (void)state;
    graze_world *world;
    const double xyz[3] = {1, 2, 3}, rpy[3] = {0.5, 0.6, 0.7}, size[3] = {1, 2, 3};
    const double points[6] = {0, 0, 0, 1, 2, 3};
    graze_transform pose = graze_transform_from_xyz_rpy(xyz, rpy);
    assert_int_equal(graze_world_create(&world, "w", NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_box(world, "box", size, &pose, NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_cylinder(world, "rod", 0.1, 2, &pose, NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_points(world, "cloud", points, 2, 0.1, &pose, NULL), GRAZE_OK);
    assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
    for (size_t i = 0; i < 3; i++) {
        graze_geometry g;
        assert_int_equal(graze_world_object(world, i, &g), GRAZE_OK);
        assert_int_equal(graze_geometry_point_count(&g), i == 0 ? 8 : 2);
        expect_snapped(&g, &g.origin);
    }
    graze_world_free(world);
}

static void test_a_world_is_off_by_the_rounding_of_its_farthest_coordinate(void **state) {
    (void)state;
    graze_world *world;
    assert_true(graze_world_pose_error(NULL) == 0);
    assert_int_equal(graze_world_create(&world, "w", NULL), GRAZE_OK);
    assert_true(graze_world_pose_error(world) == 0);
    graze_transform pose = graze_transform_identity();
    pose.m[3] = 70;
    assert_int_equal(graze_world_add_sphere(world, "near", 0.1, &pose, NULL), GRAZE_OK);
    double e = graze_world_pose_error(world);
    assert_true(e >= sqrt(3) * 0x1p-47 && e <= 1.01 * sqrt(3) * 0x1p-47);
    pose.m[3] = 7e5;
    assert_int_equal(graze_world_add_sphere(world, "far", 0.1, &pose, NULL), GRAZE_OK);
    assert_true(graze_world_pose_error(world) >= sqrt(3) * 0x1p-34);
    graze_world_free(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_shape_of_a_link_is_snapped_by_the_pose_of_its_frame),
        cmocka_unit_test(test_the_ends_of_curved_shapes_are_where_link_and_origin_put_them),
        cmocka_unit_test(test_objects_of_a_world_are_snapped_by_their_origin),
        cmocka_unit_test(test_a_world_is_off_by_the_rounding_of_its_farthest_coordinate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
