#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "unit/load/comma_locale.h"
#include "unit/load/robot_text.h"

static const char urdf[] =
    "<robot name='r'><material name='red'><color rgba='1 0 0 1'/></material>\n"
    "<link name='a'><inertial/><collision><geometry><mesh filename='t.stl' scale='.5 .5 .5'/>"
    "</geometry></collision>\n"
    "<visual><geometry><mesh filename='package://nowhere/v.stl'/></geometry>"
    "<material name='red'/></visual></link>\n"
    "<link name='b'><collision><geometry><box size='0.25 1e-1 1'/></geometry></collision></link>\n"
    "<joint name='j' type='revolute'><origin xyz='1.5 0 0' rpy='0.125 0 0'/><parent link='a'/>"
    "<child link='b'/><axis xyz='0 0 2'/><limit lower='-1.5' upper='2.5'/></joint>\n"
    "<link name='c'/><joint name='k' type='floating'><parent link='a'/><child link='c'/></joint>\n"
    "<gazebo/></robot>";

static const char srdf[] =
    "<robot name='s'><group name='g'><chain base_link='a' tip_link='b'/></group>"
    "<group name='h'><group name='g'/><link name='c'/></group>"
    "<group_state name='x' group='g'><joint name='j' value='0.75'/></group_state>"
    "<virtual_joint name='v' type='fixed' parent_frame='w' child_link='a'/>"
    "<passive_joint name='j'/><end_effector name='e' group='g' parent_link='b'/>"
    "<disable_collisions link1='a' link2='b' reason='Never'/>"
    "<disable_collisions link1='a' link2='nobody'/><disable_default_collisions link='b'/>"
    "<enable_collisions link1='a' link2='b'/></robot>";

static graze_load_options write_robot(temporary_folder *folder) {
    temporary_write_tetrahedron(folder, "t.stl");
    temporary_write_text(folder, "r.urdf", urdf);
    temporary_write_text(folder, "r.srdf", srdf);
    graze_load_options options = graze_load_options_default();
    options.use_environment = 0;
    return options;
}

static void test_file_and_memory_give_the_same_robot(void **state) {
    (void)state;
    temporary_folder folder = temporary_folder_make();
    graze_load_options options = write_robot(&folder);
    graze_robot *robots[2];
    graze_error error;
    memset(&error, 0x55, sizeof error);
    assert_int_equal(
        graze_robot_load_urdf(&robots[0], temporary_path(&folder, "r.urdf"), &options, &error),
        GRAZE_OK);
    assert_int_equal(error.status, GRAZE_OK); // cleared
    assert_string_equal(error.message, "");
    // Not NUL-terminated, as read from standard input.
    char *copy = gz_malloc(sizeof urdf - 1, 1);
    memcpy(copy, urdf, sizeof urdf - 1);
    assert_int_equal(graze_robot_load_urdf_memory(&robots[1], copy, sizeof urdf - 1, "<stdin>",
                                                  folder.path, &options, &error),
                     GRAZE_OK);
    gz_free(copy);
    for (int i = 0; i < 2; i++) {
        assert_string_equal(graze_robot_name(robots[i]), "r");
        assert_int_equal(graze_robot_link_count(robots[i]), 3);
        assert_int_equal(graze_robot_collision_count(robots[i]), 2);
        assert_true(robot_joint(robots[i], "j").upper == 2.5);
        assert_int_equal(robot_warning(robots[i], "visual-not-found").count, 1);
    }
    assert_string_equal(robot_warning(robots[1], "bad-inertial").file, "<stdin>");
    graze_robot_free(robots[0]);
    graze_robot_free(robots[1]);
    temporary_folder_remove(&folder);
}

static void test_callers_mistakes(void **state) {
    (void)state;
    graze_robot *robot;
    graze_error e;
    graze_load_options options = graze_load_options_default();
    assert_int_equal(graze_robot_load_urdf(NULL, "x", NULL, &e), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_load_urdf(&robot, NULL, NULL, &e), GRAZE_ERROR_ARGUMENT);
    assert_null(robot);
    assert_int_equal(graze_robot_load_urdf_memory(NULL, "", 0, "n", NULL, NULL, &e),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_load_urdf_memory(&robot, NULL, 0, "n", NULL, NULL, &e),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_load_urdf_memory(&robot, "", 0, NULL, NULL, NULL, &e),
                     GRAZE_ERROR_ARGUMENT);
    graze_load_options bad[6];
    for (int i = 0; i < 6; i++) bad[i] = options;
    bad[0].struct_size = 0;
    bad[1].collada = (graze_collada)4;
    bad[2].use_visual = (graze_use_visual)-1;
    bad[3].visuals = (graze_visuals)17;
    bad[4].package_count = 1;
    bad[5].package_count = 1;
    bad[5].packages = &(graze_package){"p", NULL};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(graze_robot_load_urdf(&robot, "x.urdf", &bad[i], &e),
                         GRAZE_ERROR_ARGUMENT);
        assert_int_equal(
            graze_robot_load_urdf_memory(&robot, urdf, sizeof urdf - 1, "n", NULL, &bad[i], &e),
            GRAZE_ERROR_ARGUMENT);
        assert_true(e.message[0]);
    }
}

static void test_files_that_cannot_be_read(void **state) {
    (void)state;
    temporary_folder folder = temporary_folder_make();
    graze_robot *robot;
    graze_error e;
    const char *path = temporary_path(&folder, "none.urdf");
    assert_int_equal(graze_robot_load_urdf(&robot, path, NULL, &e), GRAZE_ERROR_NOT_FOUND);
    assert_string_equal(e.file, path);
    assert_non_null(strstr(e.message, "cannot be read"));
    assert_null(robot);
    assert_int_equal(graze_robot_load_urdf(&robot, folder.path, NULL, &e), GRAZE_ERROR_IO);
    assert_string_equal(e.file, folder.path);
    graze_load_options options = write_robot(&folder);
    options.limits.file_bytes = 100;
    path = temporary_path(&folder, "r.urdf");
    assert_int_equal(graze_robot_load_urdf(&robot, path, &options, &e), GRAZE_ERROR_LIMIT);
    assert_string_equal(e.file, path);
    assert_int_equal(
        graze_robot_load_urdf_memory(&robot, urdf, sizeof urdf - 1, "mem", NULL, &options, &e),
        GRAZE_ERROR_LIMIT);
    assert_string_equal(e.file, "mem");
    temporary_folder_remove(&folder);
}

static void test_decimal_comma_locale_changes_nothing(void **state) {
    (void)state;
    temporary_folder folder = temporary_folder_make();
    graze_load_options options = write_robot(&folder);
    char path[TEMPORARY_PATH_SIZE + 8];
    snprintf(path, sizeof path, "%s/r.srdf", folder.path);
    options.srdf = path;
    bool comma = comma_locale_set(&folder);
    if (comma) {
        graze_robot *robot = robot_from(urdf, folder.path, &options);
        graze_joint_info j = robot_joint(robot, "j");
        graze_geometry g;
        assert_true(j.lower == -1.5 && j.upper == 2.5 && j.origin.m[3] == 1.5);
        assert_int_equal(graze_robot_collision(robot, 0, &g), GRAZE_OK);
        assert_true(g.scale[0] == 0.5);
        assert_int_equal(graze_robot_collision(robot, 1, &g), GRAZE_OK);
        assert_true(g.size[0] == 0.25 && g.size[1] == 0.1);
        double q[8] = {0};
        assert_int_equal(graze_robot_apply_state(robot, NULL, "x", q, NULL), GRAZE_OK);
        assert_true(q[0] == 0.75);
        graze_robot_free(robot);
    }
    comma_locale_end();
    temporary_folder_remove(&folder);
    if (!comma) {
        print_message("no locale with a decimal comma\n");
        skip();
    }
}

#ifdef GRAZE_FAULTS
static void fail_every_allocation(const char *path, const graze_load_options *options,
                                  bool persistent) {
    long n = 1, oks = 0;
    for (bool done = false; !done; n++) {
        graze_robot *robot = (graze_robot *)&n; // anything but NULL
        graze_error error;
        memset(&error, 0x55, sizeof error);
        gz_memory_fail_after(n, persistent);
        graze_status status = graze_robot_load_urdf(&robot, path, options, &error);
        done = gz_memory_allocation_count() < n;
        gz_memory_fail_after(0, false);
        if (status == GRAZE_OK) {
            graze_geometry g;
            assert_int_equal(graze_robot_collision(robot, 0, &g), GRAZE_OK);
            assert_true(g.triangle_count == 4 && g.vertex_count == 4);
            graze_robot_free(robot);
            oks++;
            continue;
        }
        assert_null(robot);
        if (status != GRAZE_ERROR_NO_MEMORY)
            fail_msg("allocation %ld: %s: %s", n, graze_status_name(status), error.message);
        assert_int_equal(error.status, GRAZE_ERROR_NO_MEMORY);
        assert_true(error.message[0]);
    }
    assert_true(n > 100);
    // All is well in the last round, where nothing failed, and where what failed was only to give
    // memory back (once a mesh at most).
    assert_in_range(oks, 1, persistent ? 1 : 1 + 3);
}

static void test_out_of_memory_at_any_allocation(void **state) {
    (void)state;
    temporary_folder folder = temporary_folder_make();
    graze_load_options options = write_robot(&folder);
    char path[TEMPORARY_PATH_SIZE + 8], path2[TEMPORARY_PATH_SIZE + 8];
    snprintf(path, sizeof path, "%s/r.srdf", folder.path);
    snprintf(path2, sizeof path2, "%s/r.urdf", folder.path);
    options.srdf = path;
    options.visuals = GRAZE_VISUALS_LOAD;
    // Found by walking upwards. (A file that is not found makes hints, which may do without
    // memory.)
    temporary_write_tetrahedron(&folder, "v.stl");
    for (int persistent = 0; persistent < 2; persistent++)
        fail_every_allocation(path2, &options, persistent);
    temporary_folder_remove(&folder);
}

static void test_out_of_memory_while_visuals_stand_in(void **state) {
    (void)state;
    temporary_folder folder = temporary_folder_make();
    temporary_write_tetrahedron(&folder, "t.stl");
    temporary_write_text(&folder, "r.urdf",
                         "<robot name='r'><link name='a'><visual><geometry>"
                         "<mesh filename='t.stl'/></geometry></visual></link></robot>");
    graze_load_options options = graze_load_options_default();
    options.use_visual = GRAZE_USE_VISUAL_MISSING;
    options.visuals = GRAZE_VISUALS_LOAD;
    char path[TEMPORARY_PATH_SIZE + 8];
    snprintf(path, sizeof path, "%s/r.urdf", folder.path);
    fail_every_allocation(path, &options, true);
    temporary_folder_remove(&folder);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file_and_memory_give_the_same_robot),
        cmocka_unit_test(test_callers_mistakes),
        cmocka_unit_test(test_files_that_cannot_be_read),
        cmocka_unit_test(test_decimal_comma_locale_changes_nothing),
#ifdef GRAZE_FAULTS
        cmocka_unit_test(test_out_of_memory_at_any_allocation),
        cmocka_unit_test(test_out_of_memory_while_visuals_stand_in),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
