// Objects that are open meshes under `cap`: a cap's apex is in the box of the mesh's vertices, but
// snapped it may be outside of theirs, and what is there is inside.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "graze/graze.h"

/// A box without its side at x = 0, 144 km from the origin of its frame. Posed, the corners of the
/// opening stand at x = -1.46e-11, and the apex of the cap between them at x = 1.46e-11.
static const double corners[24] = {0x1.c50824f7eb6e0p+16, 0x1.53c61bb9f0928p+16, 0,
                                   0x1.c50824f7eb6e0p+16, 0x1.53c61bb9f0928p+16, 1,
                                   0x1.c5084ff131c77p+16, 0x1.53c63bf4e5559p+16, 0,
                                   0x1.c5084ff131c77p+16, 0x1.53c63bf4e5559p+16, 1,
                                   0x1.c5078b5e51d46p+16, 0x1.53c6e886bd5f5p+16, 0,
                                   0x1.c5078b5e51d46p+16, 0x1.53c6e886bd5f5p+16, 1,
                                   0x1.c507b657982ddp+16, 0x1.53c708c1b2226p+16, 0,
                                   0x1.c507b657982ddp+16, 0x1.53c708c1b2226p+16, 1};
static const uint32_t sides[30] = {4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7,
                                   2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
static const graze_transform pose = {
    {0.6, -0.8, 0, 0, 0.8, 0.6, 0, -0x1.1b25171af324cp+17, 0, 0, 1, 0}};

/// A ball of 1e-13 m next to the middle of the opening.
static graze_robot *load_ball(double x) {
    char text[400];
    graze_robot *robot;
    int size = snprintf(
        text, sizeof text,
        "<robot name='r'><link name='ball'><collision><origin xyz='%.17g %.17g .5'/>"
        "<geometry><sphere radius='1e-13'/></geometry></collision></link></robot>",
        x, 0x1.adbcb3d8p-4);
    assert_int_equal(
        graze_robot_load_urdf_memory(&robot, text, (size_t)size, "ball.urdf", NULL, NULL, NULL), 0);
    return robot;
}

static graze_verdict verdict_at(const graze_world *world, double x) {
    graze_robot *robot = load_ball(x);
    graze_checker_options options = graze_checker_options_default();
    options.policy = GRAZE_POLICY_CAP;
    graze_checker *checker;
    graze_workspace *ws;
    graze_report report = {0};
    assert_int_equal(graze_checker_create(&checker, robot, world, &options, NULL), 0);
    assert_int_equal(graze_workspace_create(&ws, checker, NULL), 0);
    assert_int_equal(graze_check(checker, ws, GRAZE_ANSWER_ANY, NULL, 0, NULL, &report, NULL), 0);
    graze_workspace_free(ws);
    graze_checker_free(checker);
    graze_robot_free(robot);
    return report.verdict;
}

static void test_what_is_behind_the_apex_alone_is_inside(void **state) {
    (void)state;
    graze_world *world;
    assert_int_equal(graze_world_create(&world, "w", NULL), 0);
    assert_int_equal(graze_world_add_mesh(world, "box", corners, 8, sides, 10, &pose, NULL), 0);
    graze_world_commit(world, NULL);
    assert_int_equal(verdict_at(world, -1e-10), GRAZE_COLLISION);
    assert_int_equal(verdict_at(world, 0), GRAZE_COLLISION);
    assert_int_equal(verdict_at(world, 1e-10), GRAZE_FREE);
    graze_world_free(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_behind_the_apex_alone_is_inside)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
