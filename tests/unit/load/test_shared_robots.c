// Real robots, which are not part of this repository: GRAZE_TEST_DATA names their folder. The
// expected numbers were counted by other programs than this one.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graze/robot.h"

typedef struct expectation {
    const char *urdf, *srdf;
    int links, joints, moving, mimic; ///< moving: not fixed
    size_t visual_triangles, visual_meshes, visual_primitives;
    size_t collision_triangles, collision_meshes, collision_primitives;
    size_t missing; ///< visual meshes
} expectation;

#define EXAMPLE "example-robot-data/robots/"

static const expectation robots[] = {
    {"fetch_description/robots/fetch.urdf", "fetch_mbm.srdf", 26, 25, 15, 0, 99616, 21, 0, 34960,
     21, 0, 1},
    {"fetch_description/robots/fetch.urdf", "fetch_moveit_config/config/fetch.srdf", 26, 25, 15, 0,
     99616, 21, 0, 34960, 21, 0, 1},
    {"fetch_description/robots/freight.urdf", NULL, 7, 6, 2, 0, 19024, 5, 0, 22316, 5, 0, 1},
    {EXAMPLE "panda_description/urdf/panda.urdf", EXAMPLE "panda_description/srdf/panda.srdf", 13,
     12, 9, 1, 134924, 11, 0, 2300, 9, 8, 0},
    {EXAMPLE "ur_description/urdf/ur5_robot.urdf", EXAMPLE "ur_description/srdf/ur5.srdf", 11, 10,
     6, 0, 95694, 7, 0, 5328, 7, 1, 0},
    {EXAMPLE "anymal_c_simple_description/urdf/anymal.urdf",
     EXAMPLE "anymal_c_simple_description/srdf/anymal.srdf", 78, 77, 12, 0, 58320, 45, 1, 0, 0, 45,
     0},
    {EXAMPLE "simple_humanoid_description/urdf/simple_humanoid.urdf",
     EXAMPLE "simple_humanoid_description/srdf/simple_humanoid.srdf", 31, 30, 29, 0, 0, 0, 0, 12, 1,
     1, 0},
    {EXAMPLE "icub_description/robots/icub.urdf", EXAMPLE "icub_description/srdf/icub.srdf", 56, 55,
     32, 0, 51569, 28, 0, 3407, 28, 0, 0},
    {"moveit_resources_fanuc_description/urdf/fanuc.urdf", NULL, 9, 8, 6, 0, 6934, 7, 0, 6934, 7, 0,
     0},
};

static const char *data_folder(void) {
    const char *folder = getenv("GRAZE_TEST_DATA");
    if (!folder) print_message("GRAZE_TEST_DATA is not set: no real robots to load\n");
    return folder;
}

static graze_robot *load(const char *data, const char *urdf, const char *srdf) {
    char path[1024], srdf_path[1024], packages[1024];
    snprintf(path, sizeof path, "%s/robots/%s", data, urdf);
    snprintf(srdf_path, sizeof srdf_path, "%s/robots/%s", data, srdf ? srdf : "");
    snprintf(packages, sizeof packages, "%s/robots", data);
    graze_load_options options = graze_load_options_default();
    options.package_path = packages;
    options.use_environment = 0;
    options.visuals = GRAZE_VISUALS_LOAD;
    if (srdf) options.srdf = srdf_path;
    graze_robot *robot;
    graze_error error;
    graze_status status = graze_robot_load_urdf(&robot, path, &options, &error);
    if (status != GRAZE_OK)
        fail_msg("%s: %s: %s:%d:%d %s: %s", urdf, graze_status_name(status), error.file, error.line,
                 error.column, error.element, error.message);
    return robot;
}

typedef struct counts {
    size_t triangles, meshes, primitives, missing;
} counts;

static void count(counts *c, const graze_geometry *g) {
    if (g->shape != GRAZE_SHAPE_MESH) {
        c->primitives++;
        return;
    }
    c->triangles += g->file_triangle_count;
    c->meshes++;
    c->missing += g->file == NULL;
}

static counts count_all(const graze_robot *robot, bool visual) {
    counts c = {0};
    size_t n = visual ? graze_robot_visual_count(robot) : graze_robot_collision_count(robot);
    for (size_t i = 0; i < n; i++) {
        graze_geometry g;
        graze_status status = visual ? graze_robot_visual(robot, i, &g)
                                     : graze_robot_collision(robot, i, &g);
        assert_int_equal(status, GRAZE_OK);
        count(&c, &g);
    }
    return c;
}

static void test_every_robot_loads_with_the_counts_of_other_tools(void **state) {
    (void)state;
    const char *data = data_folder();
    if (!data) skip();
    for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
        const expectation *e = &robots[i];
        graze_robot *robot = load(data, e->urdf, e->srdf);
        int moving = 0, mimic = 0;
        for (int32_t j = 0; j < (int32_t)graze_robot_joint_count(robot); j++) {
            graze_joint_info info;
            assert_int_equal(graze_robot_joint(robot, j, &info), GRAZE_OK);
            moving += info.type != GRAZE_JOINT_FIXED;
            mimic += info.mimic >= 0;
        }
        assert_int_equal(graze_robot_link_count(robot), e->links);
        assert_int_equal(graze_robot_joint_count(robot), e->joints);
        assert_int_equal(moving, e->moving);
        assert_int_equal(mimic, e->mimic);
        assert_int_equal(graze_robot_q_size(robot), moving - mimic);
        counts v = count_all(robot, true), c = count_all(robot, false);
        assert_int_equal(v.triangles, e->visual_triangles);
        assert_int_equal(v.meshes, e->visual_meshes);
        assert_int_equal(v.primitives, e->visual_primitives);
        assert_int_equal(v.missing, e->missing);
        assert_int_equal(c.triangles, e->collision_triangles);
        assert_int_equal(c.meshes, e->collision_meshes);
        assert_int_equal(c.primitives, e->collision_primitives);
        assert_int_equal(c.missing, 0);
        graze_robot_free(robot);
    }
}

/// Not in any table: its package is found by walking up, and ten of its visual meshes are missing.
static void test_panda_of_motion_bench_maker_loads(void **state) {
    (void)state;
    const char *data = data_folder();
    if (!data) skip();
    graze_robot *robot = load(data, "panda_mbm/panda.urdf", "panda_mbm/panda.srdf");
    assert_int_equal(graze_robot_link_count(robot), 13);
    assert_int_equal(graze_robot_q_size(robot), 7);
    assert_int_equal(count_all(robot, false).meshes, 11);
    graze_robot_free(robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_robot_loads_with_the_counts_of_other_tools),
        cmocka_unit_test(test_panda_of_motion_bench_maker_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
