#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "unit/load/robot_text.h"

#define BALL      "<collision><geometry><sphere radius='1'/></geometry></collision>"
#define TWO_LINKS "<link name='a'>" BALL "</link><link name='b'/>"
#define ENDS      "<parent link='a'/><child link='b'/>"
#define LIMIT     "<limit lower='-1' upper='2' effort='3' velocity='4'/>"

static void assert_near(double a, double b) {
    if (!(fabs(a - b) <= 1e-15 * (1 + fabs(b)))) fail_msg("%.17g is not %.17g", a, b);
}

/// A robot of two links and one joint with this inside.
static graze_robot *with_joint(const char *type, const char *inside) {
    char text[2000];
    snprintf(text, sizeof text,
             "<robot name='r'>" TWO_LINKS "<joint name='j' type='%s'>" ENDS "%s</joint></robot>",
             type, inside);
    return robot_from(text, NULL, NULL);
}

/// A robot of one link with this inside.
static graze_robot *with_link(const char *inside, const char *base_dir,
                              const graze_load_options *options) {
    char text[4000];
    snprintf(text, sizeof text, "<robot name='r'><link name='a'>%s</link></robot>", inside);
    return robot_from(text, base_dir, options);
}

static graze_geometry collision(const graze_robot *robot, size_t index) {
    graze_geometry g;
    assert_int_equal(graze_robot_collision(robot, index, &g), GRAZE_OK);
    return g;
}

static graze_geometry visual(const graze_robot *robot, size_t index) {
    graze_geometry g;
    assert_int_equal(graze_robot_visual(robot, index, &g), GRAZE_OK);
    return g;
}

// ----------------------------------------------------------------------------------------- robot

static void test_versions(void **state) {
    (void)state;
    static const struct {
        const char *attribute, *warning;
    } cases[] = {{"", NULL},
                 {"version='1.0'", NULL},
                 {"version='1.1'", NULL},
                 {"version='1.2'", NULL},
                 {"version='1.3'", "unknown-version"},
                 {"version='two'", "unknown-version"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text, "<robot name='r' %s><link name='a'>" BALL "</link></robot>",
                 cases[i].attribute);
        graze_robot *robot = robot_from(text, NULL, NULL);
        assert_int_equal(graze_robot_warning_count(robot), cases[i].warning != NULL);
        if (cases[i].warning) assert_int_equal(robot_warning(robot, cases[i].warning).count, 1);
        graze_robot_free(robot);
    }
}

static void test_elements_newer_than_the_version_are_read_with_a_warning(void **state) {
    (void)state;
    static const char body[] =
        "<robot name='r' version='1.%d'><link name='a'><collision><origin quat_xyzw='0 0 0 1'/>"
        "<geometry><capsule radius='1' length='2'/></geometry></collision></link></robot>";
    for (int version = 0; version <= 2; version++) {
        char text[sizeof body + 20];
        snprintf(text, sizeof text, body, version);
        graze_robot *robot = robot_from(text, NULL, NULL);
        assert_int_equal(robot_warnings(robot, "newer-than-version"), 2 - version);
        assert_int_equal(collision(robot, 0).shape, GRAZE_SHAPE_CAPSULE);
        graze_robot_free(robot);
    }
}

static void test_extensions_are_ignored_and_counted(void **state) {
    (void)state;
    graze_robot *robot = robot_from(
        "<robot name='r' xmlns:xacro='x'><link name='a'/><gazebo reference='a'><x a='${b}'/>"
        "</gazebo>\n<gazebo/><transmission name='t'/><mujoco/><drake:joint/><linq name='b'/>"
        "</robot>",
        NULL, NULL);
    assert_int_equal(robot_warnings(robot, "extension-ignored"), 4);
    graze_warning first = robot_warning(robot, "extension-ignored");
    assert_int_equal(first.count, 2);
    assert_string_equal(first.element, "/robot/gazebo[1]");
    graze_warning unknown = robot_warning(robot, "unknown-element");
    assert_int_equal(unknown.line, 2);
    assert_non_null(strstr(unknown.message, "did you mean link?"));
    graze_robot_free(robot);
}

/// Files that readers of the field accept, each with what graze says to it and to nothing else.
static void test_oddities_of_real_files_are_warnings(void **state) {
    (void)state;
    static const struct {
        const char *text, *code, *name;
        int line;
    } cases[] = {
        {"<robot><link name='a'>" BALL "</link></robot>", "no-name", "unnamed", 1},
        {"<robot name=''><link name='a'>" BALL "</link></robot>", "no-name", "unnamed", 1},
        {"\n \n<?xml version='1.0'?>\n<robot name='r'><link name='a'>" BALL "</link></robot>",
         "blank-before-xml", "r", 4},
        {"<robot name='r'><link name='a'>" BALL "<drake:ellipsoid/></link></robot>",
         "extension-ignored", "r", 1},
        {"<robot name='r'><link name='a'>" BALL "<plane normal='0 0 1'/></link></robot>",
         "unknown-element", "r", 1},
        {"<robot name='r'><cdf/><link name='a'>" BALL "</link></robot>", "unknown-element", "r", 1},
        {"<robot name='r'>\n<link name='a'/></robot>", "nothing-collides", "r", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        graze_robot *robot = robot_from(cases[i].text, NULL, NULL);
        graze_warning w = robot_warning(robot, cases[i].code);
        if (w.count != 1 || w.line != cases[i].line || graze_robot_warning_count(robot) != 1)
            fail_msg("case %zu: %u of %s at line %d, %zu in all", i, (unsigned)w.count,
                     cases[i].code, (int)w.line, graze_robot_warning_count(robot));
        assert_string_equal(graze_robot_name(robot), cases[i].name);
        graze_robot_free(robot);
    }
}

/// What is only shown is no collision geometry, and with visuals in its place there is some.
static void test_a_robot_that_cannot_collide_is_said_once(void **state) {
    (void)state;
    const char *text = "<robot name='r'><link name='a'><visual><geometry><sphere radius='1'/>"
                       "</geometry></visual></link></robot>";
    graze_load_options options = graze_load_options_default();
    graze_robot *robot = robot_from(text, NULL, &options);
    assert_int_equal(robot_warning(robot, "nothing-collides").count, 1);
    assert_non_null(strstr(robot_warning(robot, "nothing-collides").message, "--use-visual"));
    graze_robot_free(robot);
    options.use_visual = GRAZE_USE_VISUAL_MISSING;
    robot = robot_from(text, NULL, &options);
    assert_int_equal(graze_robot_warning_count(robot), 0);
    graze_robot_free(robot);
}

static void test_links_and_joints_keep_the_order_of_the_file(void **state) {
    (void)state;
    graze_robot *robot = robot_from(
        "<robot name='r'><joint name='z' type='fixed'><parent link='m'/><child link='c'/></joint>"
        "<link name='m'/><link name='c'/>"
        "<joint name='y' type='continuous'><parent link='c'/><child link='b'/></joint>"
        "<link name='b'/></robot>",
        NULL, NULL);
    assert_string_equal(graze_robot_link_name(robot, 0), "m");
    assert_string_equal(graze_robot_link_name(robot, 2), "b");
    assert_int_equal(graze_robot_find_joint(robot, "z"), 0);
    assert_int_equal(graze_robot_find_joint(robot, "y"), 1);
    assert_int_equal(graze_robot_root(robot), 0);
    graze_robot_free(robot);
}

static void test_bad_inertial_never_drops_geometry(void **state) {
    (void)state;
    static const char *const bad[] = {
        "<inertial/>",
        "<inertial><mass value='1'/></inertial>",
        "<inertial><mass/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>",
        "<inertial><mass value='-1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>"
        "</inertial>",
        "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' izz='1'/></inertial>",
        "<inertial><mass value='1'/><inertia ixx='nan' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>"
        "</inertial>",
        "<inertial><origin xyz='0'/><mass value='1'/>"
        "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>",
        "<inertial/><inertial/>"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char inside[1000];
        snprintf(inside, sizeof inside,
                 "%s<collision><geometry><sphere radius='1'/></geometry></collision>", bad[i]);
        graze_robot *robot = with_link(inside, NULL, NULL);
        assert_int_equal(graze_robot_collision_count(robot), 1);
        assert_int_equal(robot_warning(robot, "bad-inertial").count, 1);
        graze_robot_free(robot);
    }
    graze_robot *robot = with_link(
        "<inertial><origin xyz='0 0 1'/><mass value='0'/>"
        "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>" BALL,
        NULL, NULL);
    assert_int_equal(graze_robot_warning_count(robot), 0);
    graze_robot_free(robot);
}

// ---------------------------------------------------------------------------------------- joints

static void test_joint_types_and_their_numbers(void **state) {
    (void)state;
    static const struct {
        const char *type, *inside;
        graze_joint_type expected;
        int q;
    } cases[] = {{"fixed", "", GRAZE_JOINT_FIXED, 0},
                 {"revolute", LIMIT, GRAZE_JOINT_REVOLUTE, 1},
                 {"continuous", "", GRAZE_JOINT_CONTINUOUS, 1},
                 {"prismatic", LIMIT, GRAZE_JOINT_PRISMATIC, 1},
                 {"planar", "", GRAZE_JOINT_PLANAR, 3},
                 {"floating", "", GRAZE_JOINT_FLOATING, 7}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        graze_robot *robot = with_joint(cases[i].type, cases[i].inside);
        graze_joint_info j = robot_joint(robot, "j");
        assert_int_equal(j.type, cases[i].expected);
        assert_int_equal(j.q_count, cases[i].q);
        assert_int_equal(graze_robot_q_size(robot), cases[i].q);
        assert_true(j.axis.x == 1 && j.axis.y == 0 && j.axis.z == 0);
        assert_int_equal(j.limited, i == 1 || i == 3);
        assert_int_equal(graze_robot_warning_count(robot), 0);
        graze_robot_free(robot);
    }
}

static void test_origin_is_fixed_axis_roll_pitch_yaw(void **state) {
    (void)state;
    // Rz(90) Ry(0) Rx(90): x to y, y to z, z to x.
    graze_robot *robot = with_joint(
        "fixed", "<origin xyz='1 -2 .5' rpy='1.5707963267948966 0 1.5707963267948966'/>");
    static const double expected[12] = {0, 0, 1, 1, 1, 0, 0, -2, 0, 1, 0, .5};
    graze_joint_info j = robot_joint(robot, "j");
    for (int i = 0; i < 12; i++) assert_near(j.origin.m[i], expected[i]);
    graze_robot_free(robot);
    // The same turn as a quaternion, not normalised.
    robot = with_joint("fixed", "<origin xyz='1 -2 .5' quat_xyzw='3 3 3 3'/>");
    j = robot_joint(robot, "j");
    for (int i = 0; i < 12; i++) assert_near(j.origin.m[i], expected[i]);
    assert_int_equal(robot_warning(robot, "quaternion-not-unit").count, 1);
    graze_robot_free(robot);
    robot = with_joint("fixed", "<origin quat_xyzw='1e-300 1e-300 1e-300 1e-300'/>");
    assert_near(robot_joint(robot, "j").origin.m[2], 1);
    graze_robot_free(robot);
    robot = with_joint("fixed", "<origin rpy='0 0 0'/>");
    assert_true(robot_joint(robot, "j").origin.m[3] == 0);
    graze_robot_free(robot);
}

static void test_axis_is_normalised(void **state) {
    (void)state;
    graze_robot *robot = with_joint("continuous", "<axis xyz='0 3 -4'/>");
    graze_joint_info j = robot_joint(robot, "j");
    assert_near(j.axis.y, 0.6);
    assert_near(j.axis.z, -0.8);
    graze_warning w = robot_warning(robot, "axis-not-unit");
    assert_int_equal(w.count, 1);
    assert_string_equal(w.element, "/robot/joint[@name='j']/axis");
    graze_robot_free(robot);
    robot = with_joint("continuous", "<axis xyz='0.7071 0.7071 0'/>");
    assert_int_equal(graze_robot_warning_count(robot), 0);
    assert_near(robot_joint(robot, "j").axis.x, sqrt(0.5));
    graze_robot_free(robot);
    robot = with_joint("continuous", "<axis xyz='0 0 -1e-200'/>");
    assert_near(robot_joint(robot, "j").axis.z, -1);
    graze_robot_free(robot);
}

static void test_of_two_axes_the_first_counts(void **state) {
    (void)state;
    graze_robot *robot = with_joint("revolute",
                                    "<axis xyz='0 0 1'/><axis xyz='bad'/><axis/>" LIMIT);
    graze_joint_info j = robot_joint(robot, "j");
    assert_true(j.axis.x == 0 && j.axis.y == 0 && j.axis.z == 1);
    graze_warning w = robot_warning(robot, "second-axis");
    assert_int_equal(w.count, 1);
    assert_string_equal(w.element, "/robot/joint[@name='j']/axis[2]");
    assert_int_equal(graze_robot_warning_count(robot), 1);
    graze_robot_free(robot);
}

static void test_axis_and_limit_of_a_fixed_joint_are_ignored_quietly(void **state) {
    (void)state;
    static const char *const types[] = {"fixed", "floating"};
    for (int i = 0; i < 2; i++) {
        graze_robot *robot = with_joint(types[i], "<axis xyz='0 0 0'/>");
        assert_int_equal(graze_robot_warning_count(robot), 0);
        graze_robot_free(robot);
    }
    graze_robot *robot = with_joint("fixed", "<axis/><limit lower='1' upper='0'/>");
    assert_int_equal(graze_robot_warning_count(robot), 0);
    graze_robot_free(robot);
}

static void test_limits(void **state) {
    (void)state;
    graze_robot *robot = with_joint("prismatic",
                                    "<axis xyz='0 0 -1'/><limit lower='-1' upper='2' effort='3' "
                                    "velocity='4'/><safety_controller soft_lower_limit='0'/>");
    graze_joint_info j = robot_joint(robot, "j");
    assert_true(j.lower == -1 && j.upper == 2); // a negative axis does not turn them round
    assert_true(j.has_effort && j.effort == 3 && j.has_velocity && j.velocity == 4);
    assert_false(j.has_acceleration || j.has_deceleration || j.has_jerk);
    assert_int_equal(graze_robot_warning_count(robot), 0);
    graze_robot_free(robot);
    robot = with_joint("revolute", "<limit upper='1' acceleration='5' deceleration='6' jerk='7'/>");
    j = robot_joint(robot, "j");
    assert_true(j.lower == 0 && j.upper == 1);
    assert_true(j.acceleration == 5 && j.deceleration == 6 && j.jerk == 7);
    assert_true(j.has_acceleration && j.has_deceleration && j.has_jerk && !j.has_effort);
    assert_int_equal(robot_warnings(robot, "limit-incomplete"), 2);
    assert_int_equal(robot_warnings(robot, "newer-than-version"), 3);
    graze_robot_free(robot);
    robot = with_joint("revolute", "<limit effort='1' velocity='1'/>");
    assert_int_equal(robot_warning(robot, "limit-zero").count, 1);
    graze_robot_free(robot);
    robot = with_joint("revolute", "<limit lower='1' upper='1' effort='1' velocity='1'/>");
    assert_int_equal(graze_robot_warning_count(robot), 0);
    graze_robot_free(robot);
    robot = with_joint("continuous", "<limit lower='1' upper='0' effort='1' velocity='1'/>");
    j = robot_joint(robot, "j");
    assert_true(!j.limited && j.has_effort && isinf(j.upper));
    assert_int_equal(graze_robot_warning_count(robot), 0);
    graze_robot_free(robot);
}

static void test_mimic(void **state) {
    (void)state;
    graze_robot *robot = robot_from(
        "<robot name='r'>" TWO_LINKS "<link name='c'/><link name='d'/>"
        "<joint name='i' type='revolute'>" ENDS LIMIT "</joint>"
        "<joint name='j' type='revolute'><parent link='b'/><child link='c'/>" LIMIT
        "<mimic joint='i'/></joint>"
        "<joint name='k' type='prismatic'><parent link='c'/><child link='d'/>" LIMIT
        "<mimic joint='j' multiplier='-2' offset='.5'/></joint></robot>",
        NULL, NULL);
    graze_joint_info j = robot_joint(robot, "j"), k = robot_joint(robot, "k");
    assert_int_equal(graze_robot_q_size(robot), 1);
    assert_true(j.mimic == 0 && j.multiplier == 1 && j.offset == 0);
    assert_true(k.mimic == 1 && k.multiplier == -2 && k.offset == .5);
    graze_robot_free(robot);
    robot = with_joint("fixed", "<mimic joint='nobody'/>");
    assert_int_equal(robot_warning(robot, "mimic-on-fixed").count, 1);
    graze_robot_free(robot);
}

static void test_white_space_in_vectors(void **state) {
    (void)state;
    graze_robot *robot = with_joint("fixed", "\n<origin xyz='1\t2\n 3' rpy=' 0  0 0 '/>");
    graze_joint_info j = robot_joint(robot, "j");
    assert_true(j.origin.m[3] == 1 && j.origin.m[7] == 2 && j.origin.m[11] == 3);
    graze_warning w = robot_warning(robot, "odd-space");
    assert_int_equal(w.count, 1);
    assert_int_equal(w.line, 2);
    assert_int_equal(w.column, 1);
    assert_non_null(strstr(w.message, "attribute xyz"));
    graze_robot_free(robot);
}

// -------------------------------------------------------------------------------------- geometry

static void test_every_collision_of_a_link_counts(void **state) {
    (void)state;
    graze_robot *robot = with_link(
        "<collision name='first'><geometry><box size='1 2 3'/></geometry></collision>"
        "<visual><geometry><box size='9 9 9'/></geometry></visual>"
        "<collision><origin xyz='0 0 1'/><geometry><cylinder radius='1' length='2'/></geometry>"
        "</collision>\n"
        "<collision><geometry><capsule radius='.5' length='4'/></geometry></collision>"
        "<collision><geometry><sphere radius='1e-3'/></geometry></collision>",
        NULL, NULL);
    assert_int_equal(graze_robot_collision_count(robot), 4);
    assert_int_equal(graze_robot_visual_count(robot), 1);
    graze_geometry g = collision(robot, 0);
    assert_string_equal(g.name, "first");
    assert_true(g.shape == GRAZE_SHAPE_BOX && g.size[0] == 1 && g.size[1] == 2 && g.size[2] == 3);
    g = collision(robot, 1);
    assert_true(g.shape == GRAZE_SHAPE_CYLINDER && g.radius == 1 && g.length == 2);
    assert_true(g.origin.m[11] == 1 && g.element == 1 && g.owner == 0);
    g = collision(robot, 2);
    assert_true(g.shape == GRAZE_SHAPE_CAPSULE && g.radius == .5 && g.length == 4 && g.line == 2);
    assert_true(collision(robot, 3).radius == 1e-3 && collision(robot, 3).element == 3);
    graze_robot_free(robot);
}

static void test_meshes_are_scaled_and_mirrored(void **state) {
    (void)state;
    temporary_folder folder = temporary_folder_make();
    temporary_write_tetrahedron(&folder, "m/t.stl");
    graze_robot *robot = with_link(
        "<collision><geometry><mesh filename='m/t.stl' scale='2 -3 4'/></geometry></collision>",
        folder.path, NULL);
    graze_geometry g = collision(robot, 0);
    assert_true(g.shape == GRAZE_SHAPE_MESH && g.file_triangle_count == 4 && g.scale[1] == -3);
    assert_string_equal(g.uri, "m/t.stl");
    assert_string_equal(g.file, temporary_path(&folder, "m/t.stl"));
    assert_int_equal(g.closed_count, 1);
    // Outward stays outward: the enclosed volume, |det| / 6, is positive.
    double volume = 0, least[3] = {0, 0, 0}, most[3] = {0, 0, 0};
    for (size_t t = 0; t < g.triangle_count; t++) {
        const double *a = g.vertices + 3 * g.triangles[3 * t];
        const double *b = g.vertices + 3 * g.triangles[3 * t + 1];
        const double *c = g.vertices + 3 * g.triangles[3 * t + 2];
        volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
                   a[2] * (b[0] * c[1] - b[1] * c[0])) /
                  6;
        for (int i = 0; i < 3; i++) {
            least[i] = fmin(least[i], fmin(a[i], fmin(b[i], c[i])));
            most[i] = fmax(most[i], fmax(a[i], fmax(b[i], c[i])));
        }
    }
    assert_near(volume, 4);
    assert_true(least[1] == -3 && most[0] == 2 && most[1] == 0 && most[2] == 4);
    graze_robot_free(robot);
    temporary_folder_remove(&folder);
}

static void test_package_meshes_are_found_from_the_files_folder(void **state) {
    (void)state;
    temporary_folder folder = temporary_folder_make();
    temporary_write_tetrahedron(&folder, "arm/meshes/T 1.STL");
    temporary_write_text(&folder, "arm/urdf/r.urdf",
                         "<robot name='r'><link name='a'><collision><geometry>"
                         "<mesh filename='package://arm/meshes/T%201.STL'/></geometry></collision>"
                         "</link></robot>");
    graze_robot *robot;
    assert_int_equal(
        graze_robot_load_urdf(&robot, temporary_path(&folder, "arm/urdf/r.urdf"), NULL, NULL),
        GRAZE_OK);
    assert_int_equal(collision(robot, 0).triangle_count, 4);
    graze_robot_free(robot);
    temporary_folder_remove(&folder);
}

static void test_colours(void **state) {
    (void)state;
    static const char sphere[] = "<geometry><sphere radius='1'/></geometry>";
    char text[4000];
    snprintf(text, sizeof text,
             "<robot name='r'><link name='a'>"
             "<visual>%s<material name='late'/><material name='own'/></visual>"
             "<visual>%s<material name='own'><color rgba='1 0 0 1'/></material></visual>"
             "<visual>%s<material name='own'/></visual>"
             "<visual>%s<material name='nowhere'/></visual>"
             "<visual>%s<material/></visual>"
             "<visual>%s<material><texture/></material></visual>"
             "<visual>%s<material name='bad'><color rgba='1 0 red 1'/></material></visual>"
             "<visual>%s<material name='over'><color rgba='2 0 0 1'/></material></visual>"
             "<visual>%s</visual></link>"
             "<material name='late'><color rgba='0 .5 1 .25'/></material>"
             "<material name='late'><color rgba='0 0 0 0'/></material><material/></robot>",
             sphere, sphere, sphere, sphere, sphere, sphere, sphere, sphere, sphere);
    graze_robot *robot = robot_from(text, NULL, NULL);
    assert_int_equal(graze_robot_visual_count(robot), 9);
    graze_geometry g = visual(robot, 0);
    assert_true(g.has_color && g.color[0] == 0 && g.color[1] == .5 && g.color[3] == .25);
    g = visual(robot, 2);
    assert_true(g.has_color && g.color[0] == 1 && g.color[1] == 0);
    for (size_t i = 3; i <= 6; i++) assert_false(visual(robot, i).has_color);
    g = visual(robot, 7);
    assert_true(g.has_color && g.color[0] == 1);
    assert_false(visual(robot, 8).has_color);
    assert_int_equal(robot_warning(robot, "duplicate-material").count, 1);
    assert_int_equal(robot_warnings(robot, "undefined-material"), 2);
    assert_int_equal(robot_warnings(robot, "bad-material"), 4);
    graze_robot_free(robot);
}

// --------------------------------------------------------------------------------------- visuals

static const char fallback_text[] =
    "<robot name='r'><link name='both'>"
    "<visual><geometry><mesh filename='t.stl'/></geometry></visual>"
    "<collision><geometry><sphere radius='1'/></geometry></collision></link>"
    "<link name='seen'><visual><geometry><mesh filename='t.stl' scale='2 2 2'/></geometry></visual>"
    "<visual><geometry><box size='1 1 1'/></geometry></visual></link>"
    "<link name='felt'><collision><geometry><box size='2 2 2'/></geometry></collision></link>"
    "<joint name='i' type='fixed'><parent link='both'/><child link='seen'/></joint>"
    "<joint name='j' type='fixed'><parent link='both'/><child link='felt'/></joint></robot>";

static void test_visuals_stand_in_as_asked(void **state) {
    (void)state;
    temporary_folder folder = temporary_folder_make();
    temporary_write_tetrahedron(&folder, "t.stl");
    for (int use = 0; use < 3; use++)
        for (int visuals = 0; visuals < 3; visuals++) {
            graze_load_options options = graze_load_options_default();
            options.use_visual = (graze_use_visual)use;
            options.visuals = (graze_visuals)visuals;
            graze_robot *robot = robot_from(fallback_text, folder.path, &options);
            static const size_t collisions[3] = {2, 4, 3};
            assert_int_equal(graze_robot_collision_count(robot), collisions[use]);
            assert_int_equal(graze_robot_visual_count(robot), 3);
            assert_int_equal(robot_warnings(robot, "no-collision"), use == 0);
            assert_int_equal(robot_warnings(robot, "no-visual"), use == 2);
            if (use) {
                graze_geometry g = collision(robot, 1);
                assert_true(g.shape == GRAZE_SHAPE_MESH && g.triangle_count == 4 && g.owner == 1);
                assert_true(g.scale[0] == 2);
            }
            assert_int_equal(collision(robot, 0).shape,
                             use == 2 ? GRAZE_SHAPE_MESH : GRAZE_SHAPE_SPHERE);
            graze_geometry v = visual(robot, 0);
            assert_int_equal(v.file_triangle_count, visuals == GRAZE_VISUALS_LOAD ? 4 : 0);
            assert_int_equal(v.vertex_count, visuals == GRAZE_VISUALS_LOAD ? 4 : 0);
            assert_string_equal(v.uri, "t.stl");
            graze_robot_free(robot);
        }
    graze_load_options options = graze_load_options_default();
    graze_robot *robot = robot_from(fallback_text, folder.path, &options);
    graze_warning w = robot_warning(robot, "no-collision");
    assert_string_equal(w.element, "/robot/link[@name='seen']");
    assert_non_null(strstr(w.message, "CANNOT COLLIDE"));
    graze_robot_free(robot);
    temporary_folder_remove(&folder);
}

static void test_visual_meshes_missing_or_broken_are_warnings_unless_needed(void **state) {
    (void)state;
    temporary_folder folder = temporary_folder_make();
    graze_load_options options = graze_load_options_default();
    options.use_environment = 0;
    graze_robot *robot = robot_from(fallback_text, folder.path, &options);
    graze_warning w = robot_warning(robot, "visual-not-found");
    assert_int_equal(w.count, 2);
    assert_string_equal(w.element, "/robot/link[@name='both']/visual/geometry/mesh");
    assert_non_null(strstr(w.message, "/t.stl"));
    assert_int_equal(graze_robot_visual_count(robot), 3);
    assert_null(visual(robot, 0).file);
    graze_robot_free(robot);

    options.visuals = GRAZE_VISUALS_SKIP; // not even looked for
    robot = robot_from(fallback_text, folder.path, &options);
    assert_int_equal(robot_warning(robot, "visual-not-found").count, 0);
    graze_robot_free(robot);

    options.use_visual = GRAZE_USE_VISUAL_MISSING;
    graze_error error = robot_error(fallback_text, folder.path, &options);
    assert_int_equal(error.status, GRAZE_ERROR_NOT_FOUND);
    assert_string_equal(error.element, "/robot/link[@name='seen']/visual[1]/geometry/mesh");
    assert_string_equal(error.file, "test.urdf");
    assert_int_equal(error.line, 1);

    temporary_write_text(&folder, "t.stl", "not a mesh");
    options.use_visual = GRAZE_USE_VISUAL_NEVER;
    options.visuals = GRAZE_VISUALS_LOAD;
    robot = robot_from(fallback_text, folder.path, &options);
    assert_true(robot_warning(robot, "visual-unreadable").count > 0);
    graze_robot_free(robot);
    options.use_visual = GRAZE_USE_VISUAL_ALWAYS;
    error = robot_error(fallback_text, folder.path, &options);
    assert_int_equal(error.status, GRAZE_ERROR_MESH);
    assert_string_equal(error.file, temporary_path(&folder, "t.stl"));
    assert_string_equal(error.element, "/robot/link[@name='both']/visual/geometry/mesh");
    assert_non_null(strstr(error.message, "needed by test.urdf:1"));
    temporary_folder_remove(&folder);
}

static void test_visuals_without_a_usable_shape_are_left_out(void **state) {
    (void)state;
#define SEEN(shape) "<visual><geometry>" shape "</geometry></visual>"
    static const struct {
        const char *text;
        graze_status needed; ///< where the visual stands in for collision
    } bad[] = {{"<visual/>", GRAZE_ERROR_SCHEMA},
               {SEEN(""), GRAZE_ERROR_SCHEMA},
               {SEEN("<plane/>"), GRAZE_ERROR_SCHEMA},
               {SEEN("<drake:ellipsoid/>"), GRAZE_ERROR_SCHEMA},
               {SEEN("<box size='1 1 1'/><sphere radius='1'/>"), GRAZE_ERROR_SCHEMA},
               {SEEN("<box size='1 -1e-9 1'/>"), GRAZE_ERROR_RANGE},
               {SEEN("<cylinder radius='1' length='0'/>"), GRAZE_ERROR_RANGE},
               {SEEN("<sphere radius='-1'/>"), GRAZE_ERROR_RANGE},
               {SEEN("<sphere radius='nan'/>"), GRAZE_ERROR_RANGE},
               {SEEN("<sphere radius='one'/>"), GRAZE_ERROR_SCHEMA},
               {SEEN("<cylinder radius='1'/>"), GRAZE_ERROR_SCHEMA},
               {SEEN("<mesh/>"), GRAZE_ERROR_SCHEMA},
               {SEEN("<mesh filename='t.stl' scale='2'/>"), GRAZE_ERROR_SCHEMA},
               {SEEN("<mesh filename='t.stl' scale='1 1 1 1'/>"), GRAZE_ERROR_SCHEMA},
               {SEEN("<mesh filename='t.stl' scale='1 0 1'/>"), GRAZE_ERROR_RANGE},
               {"<visual><origin xyz='1 2'/><geometry><sphere radius='1'/></geometry></visual>",
                GRAZE_ERROR_SCHEMA}};
#undef SEEN
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char inside[400];
        snprintf(inside, sizeof inside, "%s" BALL, bad[i].text);
        graze_robot *robot = with_link(inside, NULL, NULL);
        graze_warning w = robot_warning(robot, "bad-visual");
        assert_int_equal(w.count, 1);
        assert_int_equal(graze_robot_warning_count(robot), 1);
        assert_true(w.line == 1 && strncmp(w.element, "/robot/link[@name='a']/visual", 29) == 0);
        assert_string_equal(w.file, "test.urdf");
        assert_int_equal(graze_robot_collision_count(robot), 1);
        assert_int_equal(graze_robot_visual_count(robot), 0);
        graze_robot_free(robot);
        graze_load_options options = graze_load_options_default();
        options.use_visual = GRAZE_USE_VISUAL_ALWAYS;
        char text[500];
        snprintf(text, sizeof text, "<robot name='r'><link name='a'>%s</link></robot>", inside);
        assert_int_equal(robot_error(text, NULL, &options).status, bad[i].needed);
    }
}

// ---------------------------------------------------------------------------------------- limits

static void test_limits_of_counts(void **state) {
    (void)state;
    graze_load_options options = graze_load_options_default();
    options.limits.elements = 2;
    graze_robot_free(robot_from("<robot name='r'>" TWO_LINKS "<joint name='j' type='fixed'>" ENDS
                                "</joint></robot>",
                                NULL, &options));
    graze_error e = robot_error("<robot name='r'>" TWO_LINKS "\n <link name='c'/></robot>", NULL,
                                &options);
    assert_int_equal(e.status, GRAZE_ERROR_LIMIT);
    assert_string_equal(e.element, "/robot/link[@name='c']");
    assert_int_equal(e.line, 2);
    assert_int_equal(e.column, 2);
    options.limits.elements = 1;
    e = robot_error("<robot name='r'><link name='a'>"
                    "<visual><geometry><sphere radius='1'/></geometry></visual>"
                    "<collision><geometry><sphere radius='1'/></geometry></collision></link>"
                    "</robot>",
                    NULL, &options);
    assert_int_equal(e.status, GRAZE_ERROR_LIMIT);
    assert_non_null(strstr(e.message, "geometries"));
}

static void test_triangle_budget_is_shared_by_all_meshes(void **state) {
    (void)state;
    temporary_folder folder = temporary_folder_make();
    temporary_write_tetrahedron(&folder, "t.stl");
    static const char text[] =
        "<robot name='r'><link name='a'>"
        "<collision><geometry><mesh filename='t.stl'/></geometry></collision>"
        "<collision><geometry><mesh filename='t.stl'/></geometry></collision></link></robot>";
    graze_load_options options = graze_load_options_default();
    options.limits.triangles = 8;
    graze_robot_free(robot_from(text, folder.path, &options));
    options.limits.triangles = 7;
    graze_error e = robot_error(text, folder.path, &options);
    assert_int_equal(e.status, GRAZE_ERROR_LIMIT);
    assert_string_equal(e.element, "/robot/link[@name='a']/collision[2]/geometry/mesh");
    // A budget is a promise: visuals that exceed it are no mere warning.
    options.visuals = GRAZE_VISUALS_LOAD;
    e = robot_error("<robot name='r'><link name='a'>"
                    "<visual><geometry><mesh filename='t.stl'/></geometry></visual>"
                    "<visual><geometry><mesh filename='t.stl'/></geometry></visual></link></robot>",
                    folder.path, &options);
    assert_int_equal(e.status, GRAZE_ERROR_LIMIT);
    assert_string_equal(e.element, "/robot/link[@name='a']/visual[2]/geometry/mesh");
    temporary_folder_remove(&folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_elements_newer_than_the_version_are_read_with_a_warning),
        cmocka_unit_test(test_extensions_are_ignored_and_counted),
        cmocka_unit_test(test_oddities_of_real_files_are_warnings),
        cmocka_unit_test(test_a_robot_that_cannot_collide_is_said_once),
        cmocka_unit_test(test_links_and_joints_keep_the_order_of_the_file),
        cmocka_unit_test(test_bad_inertial_never_drops_geometry),
        cmocka_unit_test(test_joint_types_and_their_numbers),
        cmocka_unit_test(test_origin_is_fixed_axis_roll_pitch_yaw),
        cmocka_unit_test(test_axis_is_normalised),
        cmocka_unit_test(test_of_two_axes_the_first_counts),
        cmocka_unit_test(test_axis_and_limit_of_a_fixed_joint_are_ignored_quietly),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_mimic),
        cmocka_unit_test(test_white_space_in_vectors),
        cmocka_unit_test(test_every_collision_of_a_link_counts),
        cmocka_unit_test(test_meshes_are_scaled_and_mirrored),
        cmocka_unit_test(test_package_meshes_are_found_from_the_files_folder),
        cmocka_unit_test(test_colours),
        cmocka_unit_test(test_visuals_stand_in_as_asked),
        cmocka_unit_test(test_visual_meshes_missing_or_broken_are_warnings_unless_needed),
        cmocka_unit_test(test_visuals_without_a_usable_shape_are_left_out),
        cmocka_unit_test(test_limits_of_counts),
        cmocka_unit_test(test_triangle_budget_is_shared_by_all_meshes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
