// Where the Collada profiles place collision meshes, against loads by each profile; and the profile
// that is chosen by the joints.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "graze/graze.h"
#include "load/file.h"
#include "load/mesh/mesh_file.h"
#include "load/urdf/profile_fit.h"
#include "unit/load/temporary_folder.h"

/// A prism of one triangle with no symmetry, drawn with that axis up, in that unit.
static void write_mesh(temporary_folder *folder, const char *name, const char *up, double unit) {
    char text[2048];
    snprintf(
        text, sizeof text,
        "<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'><asset>"
        "<unit meter='%.17g'/><up_axis>%s</up_axis></asset><library_geometries><geometry "
        "id='g'><mesh><source id='s'><float_array id='a' count='12'>0 0 0 1 0 0 0 2 0 0.5 0.25 "
        "3</float_array><technique_common><accessor source='#a' count='4' stride='3'><param "
        "name='X' type='float'/><param name='Y' type='float'/><param name='Z' type='float'/>"
        "</accessor></technique_common></source><vertices id='v'><input semantic='POSITION' "
        "source='#s'/></vertices><triangles count='4'><input semantic='VERTEX' source='#v' "
        "offset='0'/><p>0 2 1 0 1 3 1 2 3 0 3 2</p></triangles></mesh></geometry>"
        "</library_geometries><library_visual_scenes><visual_scene id='n'><node>"
        "<instance_geometry url='#g'/></node></visual_scene></library_visual_scenes><scene>"
        "<instance_visual_scene url='#n'/></scene></COLLADA>",
        unit, up);
    temporary_write_text(folder, name, text);
}

static graze_robot *load(temporary_folder *folder, graze_collada profile) {
    graze_robot *robot;
    graze_error error;
    graze_load_options options = graze_load_options_default();
    options.collada = profile;
    options.use_environment = 0;
    char path[1200];
    snprintf(path, sizeof path, "%s/r.urdf", folder->path);
    if (graze_robot_load_urdf(&robot, path, &options, &error)) fail_msg("%s", error.message);
    return robot;
}

static graze_aabb bounds(const graze_robot *robot, int32_t link) {
    graze_link_bounds b;
    assert_int_equal(graze_robot_link_bounds(robot, link, &b), GRAZE_OK);
    return b.aabb;
}

static void assert_box(const gz_fit_box *box, graze_aabb wanted) {
    const double a[6] = {box->low[0],  box->low[1],  box->low[2],
                         box->high[0], box->high[1], box->high[2]};
    const double b[6] = {wanted.min.x, wanted.min.y, wanted.min.z,
                         wanted.max.x, wanted.max.y, wanted.max.z};
    for (int i = 0; i < 6; i++)
        if (fabs(a[i] - b[i]) > 1e-9) fail_msg("%d: %.17g, loaded %.17g", i, a[i], b[i]);
}

/// Reads the mesh by one profile, and compares what the others would make with loads by them.
static void compare(temporary_folder *folder, graze_collada profile) {
    gz_profile_fit fit = {.profile = profile};
    graze_load_options options = graze_load_options_default();
    options.collada = profile;
    gz_mesh_budget budget = {.triangles_left = 1000};
    gz_warnings warnings = {0};
    graze_error error;
    char path[1200];
    snprintf(path, sizeof path, "%s/m.dae", folder->path);
    gz_geometry_input input = {.shape = GRAZE_SHAPE_MESH, .scale = {2, -3, 0.5}};
    input.origin = graze_transform_from_xyz_rpy((double[3]){0.1, 0.2, 0.3}, (double[3]){0, 0, 0});
    assert_int_equal(
        gz_mesh_file_read(&input.soup, path, input.scale, &options, &budget, &warnings, &error),
        GRAZE_OK);
    assert_true(gz_profile_fit_add(&fit, &input));
    for (int k = 0; k < GZ_PROFILES; k++) {
        graze_robot *robot = load(folder, (graze_collada)k);
        assert_box(&fit.links[0][k], bounds(robot, 0));
        graze_robot_free(robot);
    }
    assert_int_equal(fit.meshes[profile], 0);
    gz_soup_free(input.soup);
    gz_warnings_free(&warnings);
    gz_profile_fit_free(&fit);
}

static void test_profiles_are_foreseen_as_they_load(void **state) {
    (void)state;
    static const char *const ups[] = {"X_UP", "Y_UP", "Z_UP"};
    static const double units[] = {1, 0.001, 0.0254, 2};
    temporary_folder folder = temporary_folder_make();
    temporary_write_text(&folder, "r.urdf",
                         "<robot name='r'><link name='a'><collision><origin xyz='0.1 0.2 0.3'/>"
                         "<geometry><mesh filename='m.dae' scale='2 -3 0.5'/></geometry>"
                         "</collision></link></robot>");
    for (int u = 0; u < 3; u++)
        for (int i = 0; i < 4; i++) {
            write_mesh(&folder, "m.dae", ups[u], units[i]);
            for (int p = 0; p < GZ_PROFILES; p++) compare(&folder, (graze_collada)p);
        }
    temporary_folder_remove(&folder);
}

/// Three links in a row, each as long as the joint behind it is away, along `axis`.
static void write_arm(temporary_folder *folder, const char *end) {
    char text[2048];
    static const char link[] = "<link name='%c'><collision><geometry><mesh filename='m.dae'/>"
                               "</geometry></collision></link>";
    size_t used = (size_t)snprintf(text, sizeof text, "<robot name='r'>");
    for (int i = 0; i < 3; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, link, 'a' + i);
    for (int i = 0; i < 2; i++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "<joint name='%d' type='continuous'><parent link='%c'/><child "
                                 "link='%c'/><origin xyz='%s'/></joint>",
                                 i, 'a' + i, 'b' + i, end);
    snprintf(text + used, sizeof text - used, "</robot>");
    temporary_write_text(folder, "r.urdf", text);
}

static const graze_warning *find_warning(const graze_robot *robot, graze_warning *kept) {
    for (size_t i = 0; i < graze_robot_warning_count(robot); i++) {
        *kept = graze_robot_warning(robot, i);
        if (strcmp(kept->code, "collada-profile") == 0) return kept;
    }
    return NULL;
}

/// What `auto` makes of the arm, and what the load by `ros` says of the profiles.
static void assert_choice(temporary_folder *folder, graze_collada wanted, const char *said) {
    graze_warning kept;
    graze_robot *chosen = load(folder, GRAZE_COLLADA_AUTO), *same = load(folder, wanted),
                *ros = load(folder, GRAZE_COLLADA_ROS);
    graze_aabb a = bounds(chosen, 0), b = bounds(same, 0);
    assert_memory_equal(&a, &b, sizeof a);
    const graze_warning *warning = find_warning(ros, &kept);
    if (said) assert_non_null(warning);
    if (said && !strstr(warning->message, said)) fail_msg("%s", warning->message);
    if (!said) assert_null(warning);
    graze_robot_free(chosen);
    graze_robot_free(same);
    graze_robot_free(ros);
}

static void test_auto_takes_the_profile_by_which_links_fit_their_joints(void **state) {
    (void)state;
    temporary_folder folder = temporary_folder_make();
    // The mesh is 3 long in z of its file: up by ros; turned towards -y by spec, if drawn Y_UP.
    write_mesh(&folder, "m.dae", "Y_UP", 1);
    write_arm(&folder, "0 0 2.9");
    assert_choice(&folder, GRAZE_COLLADA_ROS, "the links fit their joints by ros");
    write_arm(&folder, "0 -2.9 0");
    assert_choice(&folder, GRAZE_COLLADA_SPEC, "the links fit their joints by spec");
    // Half of the ends are off by that much: less than a millimetre in the mean, and more.
    write_arm(&folder, "0.3 -0.0019 0.01");
    assert_choice(&folder, GRAZE_COLLADA_ROS, "its joints do not tell which of them fits");
    write_arm(&folder, "0.3 -0.0021 0.01");
    assert_choice(&folder, GRAZE_COLLADA_SPEC, "the links fit their joints by spec");
    // Metres that the file calls inches: MoveIt alone leaves the unit out.
    write_mesh(&folder, "m.dae", "Z_UP", 0.0254);
    write_arm(&folder, "0 0 2.9");
    assert_choice(&folder, GRAZE_COLLADA_MOVEIT, "the links fit their joints by moveit");
    // Where all profiles agree nothing is said.
    write_mesh(&folder, "m.dae", "Z_UP", 1);
    assert_choice(&folder, GRAZE_COLLADA_ROS, NULL);
    temporary_folder_remove(&folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_profiles_are_foreseen_as_they_load),
        cmocka_unit_test(test_auto_takes_the_profile_by_which_links_fit_their_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
