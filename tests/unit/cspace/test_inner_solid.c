// What is taken to be inside a mesh, by its policy.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "graze/graze.h"

// A closed box of half edge 2 with a cavity of half edge 1, wound inward and lacking a triangle: an
// open part, which `cap` closes, and `solid` leaves out.
static void add_open_cavity(graze_world *world) {
    static const uint32_t box[12][3] = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5},
                                        {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                        {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
    double v[16][3];
    uint32_t t[23][3];
    for (int i = 0; i < 16; i++)
        for (int k = 0; k < 3; k++) v[i][k] = (i < 8 ? 2 : 1) * ((i >> k & 1) ? 1.0 : -1.0);
    for (int i = 0; i < 23; i++) {
        const uint32_t *c = box[i < 12 ? i : i - 11];
        for (int k = 0; k < 3; k++) t[i][k] = i < 12 ? c[k] : 8 + c[(3 - k) % 3];
    }
    assert_int_equal(graze_world_add_mesh(world, "shell", &v[0][0], 16, &t[0][0], 23, NULL, NULL),
                     GRAZE_OK);
}

static void test_a_capped_cavity_is_not_proved_to_be_filled(void **state) {
    (void)state;
    static const char urdf[] =
        "<robot name='r'><link name='base'/><link name='m'/><link name='body'><collision><geometry>"
        "<box size='0.1 0.1 0.1'/></geometry></collision></link>"
        "<joint name='x' type='prismatic'><parent link='base'/><child link='m'/><axis xyz='1 0 0'/>"
        "<limit lower='-0.5' upper='0.5' effort='1' velocity='1'/></joint>"
        "<joint name='y' type='prismatic'><parent link='m'/><child link='body'/>"
        "<axis xyz='0 1 0'/><limit lower='-0.5' upper='0.5' effort='1' velocity='1'/></joint>"
        "</robot>";
    static const struct {
        graze_policy policy;
        bool free;
    } cases[] = {{GRAZE_POLICY_CAP, true}, {GRAZE_POLICY_SOLID, false}};
    for (int i = 0; i < 2; i++) {
        graze_robot *robot;
        graze_world *world;
        graze_checker *checker;
        graze_cspace_cell cells[256];
        assert_int_equal(
            graze_robot_load_urdf_memory(&robot, urdf, strlen(urdf), "robot", NULL, NULL, NULL),
            GRAZE_OK);
        assert_int_equal(graze_world_create(&world, "w", NULL), GRAZE_OK);
        add_open_cavity(world);
        assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
        graze_checker_options rules = graze_checker_options_default();
        rules.policy = cases[i].policy;
        assert_int_equal(graze_checker_create(&checker, robot, world, &rules, NULL), GRAZE_OK);
        graze_cspace map = graze_cspace_default();
        double q[2] = {0, 0};
        map.q = q;
        map.width = map.height = 16;
        map.cells = cells;
        map.certified = 1;
        assert_int_equal(graze_cspace_map(checker, &map, NULL, NULL), GRAZE_OK);
        for (size_t k = 0; k < 256; k++)
            assert_int_equal(cells[k].state, cases[i].free ? GRAZE_CSPACE_FREE_CERTIFIED
                                                           : GRAZE_CSPACE_COLLIDING_CERTIFIED);
        graze_checker_free(checker);
        graze_world_free(world);
        graze_robot_free(robot);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_capped_cavity_is_not_proved_to_be_filled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
