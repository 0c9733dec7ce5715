// What goes through an opening that a cap closes comes near no surface: certified maps must see it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "graze/graze.h"

#define CELLS 64

// A box of edge 0.2 without its top, z from -0.1 to 0.1.
static void add_cup(graze_world *world) {
    static const uint32_t walls[10][3] = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5},
                                          {0, 5, 4}, {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}};
    double v[8][3];
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) v[i][k] = (i >> k & 1) ? 0.1 : -0.1;
    assert_int_equal(graze_world_add_mesh(world, "cup", &v[0][0], 8, &walls[0][0], 10, NULL, NULL),
                     GRAZE_OK);
}

// A rod of half length 0.3 that goes down to z = 0.37 and slides sideways; its lower end reaches
// into the cup where z is below 0.4.
static const char urdf[] =
    "<robot name='r'><link name='base'/><link name='m'/><link name='rod'><collision><geometry>"
    "<box size='0.02 0.02 0.6'/></geometry></collision></link>"
    "<joint name='z' type='prismatic'><parent link='base'/><child link='m'/><axis xyz='0 0 1'/>"
    "<limit lower='0.37' upper='0.6' effort='1' velocity='1'/></joint>"
    "<joint name='x' type='prismatic'><parent link='m'/><child link='rod'/><axis xyz='1 0 0'/>"
    "<limit lower='-0.01' upper='0.01' effort='1' velocity='1'/></joint></robot>";

/// Maps z along x of the picture; returns how many cells are proved free.
static size_t map_rod(const graze_checker *checker, uint32_t width, double low, double high,
                      graze_cspace_cell *cells) {
    graze_cspace map = graze_cspace_default();
    double q[2] = {0.5, 0};
    map.q = q;
    map.ranges[0][0] = low;
    map.ranges[0][1] = high;
    map.width = width;
    map.height = 1;
    map.cells = cells;
    map.certified = 1;
    assert_int_equal(graze_cspace_map(checker, &map, NULL, NULL), GRAZE_OK);
    size_t free = 0;
    for (uint32_t i = 0; i < width; i++) free += cells[i].state == GRAZE_CSPACE_FREE_CERTIFIED;
    return free;
}

static void test_a_rod_that_dips_into_a_capped_cup_is_not_proved_free(void **state) {
    (void)state;
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    graze_cspace_cell cells[CELLS];
    assert_int_equal(
        graze_robot_load_urdf_memory(&robot, urdf, strlen(urdf), "robot", NULL, NULL, NULL),
        GRAZE_OK);
    assert_int_equal(graze_world_create(&world, "w", NULL), GRAZE_OK);
    add_cup(world);
    assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
    graze_checker_options rules = graze_checker_options_default();
    rules.policy = GRAZE_POLICY_CAP;
    assert_int_equal(graze_checker_create(&checker, robot, world, &rules, NULL), GRAZE_OK);
    // One cell, whose middle is free, and whose lower end is in the cup.
    assert_int_equal(map_rod(checker, 1, 0.38, 0.44, cells), 0);
    assert_int_equal(cells[0].state, GRAZE_CSPACE_FREE);
    // Many: those that are above the cup are proved, and none that reaches into it.
    size_t free = map_rod(checker, CELLS, 0.37, 0.6, cells);
    assert_true(free > CELLS * 3 / 4);
    for (size_t i = 0; i < CELLS; i++)
        if (cells[i].state == GRAZE_CSPACE_FREE_CERTIFIED)
            assert_true(0.37 + 0.23 * (double)i / CELLS > 0.4);
    graze_checker_free(checker);
    graze_world_free(world);
    graze_robot_free(robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_rod_that_dips_into_a_capped_cup_is_not_proved_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
