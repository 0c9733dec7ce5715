// A robot made by calls is the robot of a file that says the same.

#include "base/memory.h"
#include "unit/robot/robot_rebuild.h"

static const double corners[12] = {0, 0, 0, 0.2, 0, 0, 0, 0.2, 0, 0, 0, 0.3};
static const uint32_t sides[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

// -------------------------------------------------------------------------------------- the tests

static graze_robot_builder *start(void) {
    graze_robot_builder *b;
    OK(graze_robot_builder_create(&b, "arm", NULL));
    OK(graze_robot_builder_link(b, "base", NULL));
    OK(graze_robot_builder_link(b, "upper", NULL));
    OK(graze_robot_builder_link(b, "lower", NULL));
    return b;
}

static graze_joint_input joint(const char *name, const char *parent, const char *child) {
    graze_joint_input in = graze_joint_input_default();
    in.type = GRAZE_JOINT_REVOLUTE;
    in.name = name;
    in.parent = parent;
    in.child = child;
    in.lower = -3;
    in.upper = 3;
    in.axis = (graze_vec3){0, 0, 2};
    return in;
}

/// A base of a box, and two links, each with a shape and a tetrahedron.
static graze_robot *make_arm(const graze_mesh *mesh) {
    graze_robot_builder *b = start();
    graze_joint_input shoulder = joint("shoulder", "base", "upper"),
                      elbow = joint("elbow", "upper", "lower");
    shoulder.origin.m[3] = 0.6;
    elbow.origin.m[3] = 0.5;
    elbow.axis = (graze_vec3){0, 1, 0};
    OK(graze_robot_builder_joint(b, &shoulder, NULL));
    OK(graze_robot_builder_joint(b, &elbow, NULL));
    const graze_geometry box = {.shape = GRAZE_SHAPE_BOX, .size = {0.5, 0.4, 0.3}, .name = "foot"},
                         rod = {.shape = GRAZE_SHAPE_CAPSULE, .radius = 0.05, .length = 0.4},
                         shell = {.shape = GRAZE_SHAPE_MESH,
                                  .mesh = mesh,
                                  .vertices = mesh ? NULL : corners,
                                  .vertex_count = mesh ? 0 : 4,
                                  .triangles = mesh ? NULL : sides,
                                  .triangle_count = mesh ? 0 : 4};
    OK(graze_robot_builder_collision(b, "base", NULL, &box, NULL));
    OK(graze_robot_builder_collision(b, "upper", NULL, &shell, NULL));
    OK(graze_robot_builder_collision(b, "lower", NULL, &rod, NULL));
    OK(graze_robot_builder_collision(b, "lower", NULL, &shell, NULL));
    OK(graze_robot_builder_visual(b, "lower", NULL, &shell, NULL));
    const double bent[1] = {0.5};
    OK(graze_robot_builder_state(b, "all", "bent", "elbow", bent, 1, NULL));
    OK(graze_robot_builder_state(b, "all", "bent", "shoulder", bent, 1, NULL));
    OK(graze_robot_builder_group(b, "all", GRAZE_GROUP_CHAIN, "base", "lower", NULL));
    OK(graze_robot_builder_margin(b, "base", "lower", 0.01, NULL));
    graze_robot *robot;
    graze_error e;
    if (graze_robot_builder_finish(b, &robot, &e)) fail_msg("%s", e.message);
    graze_robot_builder_free(b);
    return robot;
}

static void test_calls_make_a_robot(void **state) {
    (void)state;
    graze_robot *r = make_arm(NULL);
    assert_int_equal(graze_robot_q_size(r), 2);
    assert_int_equal(graze_robot_collision_count(r), 4);
    assert_int_equal(graze_robot_visual_count(r), 1);
    assert_int_equal(graze_robot_margin_count(r), 1);
    graze_joint_info j;
    OK(graze_robot_joint(r, 0, &j));
    assert_true(j.axis.z == 1 && j.lower == -3 && j.q_index == 0);
    double q[2] = {0, 0};
    OK(graze_robot_apply_state(r, "all", "bent", q, NULL));
    assert_true(q[0] == 0.5 && q[1] == 0.5);
    graze_group g;
    OK(graze_robot_group(r, 0, &g));
    assert_int_equal(g.joint_count, 2);
    graze_robot_free(r);
}

static void test_a_shared_mesh_is_the_mesh_of_its_arrays(void **state) {
    (void)state;
    graze_mesh *mesh;
    OK(graze_mesh_create(&mesh, corners, 4, sides, 4, NULL));
    graze_robot *a = make_arm(NULL), *b = make_arm(mesh);
    graze_mesh_free(mesh); // the robot holds what it needs
    assert_same(a, b);
    assert_same_answers(a, b, 500);
    assert_same_file(a, b);
    graze_robot *c = rebuild(a, false, NULL), *d = rebuild(a, true, NULL);
    assert_same(a, c);
    assert_same(a, d);
    assert_same_file(c, d);
    graze_robot_free(a);
    graze_robot_free(b);
    graze_robot_free(c);
    graze_robot_free(d);
}

static void test_mistakes_name_what_is_wrong(void **state) {
    (void)state;
    graze_robot_builder *b = start();
    graze_error e;
#define REFUSED(call, status, place, text)                                                         \
    do {                                                                                           \
        assert_int_equal(call, status);                                                            \
        if (!strstr(e.message, text)) fail_msg("'%s' lacks '%s'", e.message, text);                \
        assert_string_equal(e.element, place);                                                     \
    } while (0)
#define JOINT(status, text)                                                                        \
    REFUSED(graze_robot_builder_joint(b, &in, &e), status, "/robot/joint[@name='j']", text);       \
    in = joint("j", "base", "upper")
    REFUSED(graze_robot_builder_link(b, "base", &e), GRAZE_ERROR_SCHEMA,
            "/robot/link[@name='base']", "link name 'base' is in use; allowed");
    REFUSED(graze_robot_builder_link(b, "", &e), GRAZE_ERROR_SCHEMA, "", "empty");
    graze_joint_input in = joint("j", "base", "upper");
    in.axis = (graze_vec3){0, 0, 0};
    JOINT(GRAZE_ERROR_RANGE, "axis is zero");
    in.axis.y = NAN;
    JOINT(GRAZE_ERROR_RANGE, "axis is 0 nan 2");
    in.lower = 4;
    JOINT(GRAZE_ERROR_RANGE, "lower is 4 and upper is 3");
    in.upper = INFINITY;
    JOINT(GRAZE_ERROR_RANGE, "upper is inf");
    in.type = (graze_joint_type)6;
    JOINT(GRAZE_ERROR_ARGUMENT, "type is 6");
    in.origin.m[0] = 2;
    JOINT(GRAZE_ERROR_ARGUMENT, "rigid");
    in.origin.m[3] = 0x1p21;
    JOINT(GRAZE_ERROR_RANGE, "2^20");
    in.parent = NULL;
    JOINT(GRAZE_ERROR_ARGUMENT, "parent link");
    in.type = GRAZE_JOINT_PLANAR;
    in.mimic = "k";
    JOINT(GRAZE_ERROR_UNSUPPORTED, "mimic");
    OK(graze_robot_builder_joint(b, &in, &e));
    JOINT(GRAZE_ERROR_SCHEMA, "joint name 'j' is in use");
    graze_geometry ball = {.shape = GRAZE_SHAPE_SPHERE, .radius = -1},
                   dots = {.shape = GRAZE_SHAPE_POINTS, .radius = 1},
                   none = {.shape = GRAZE_SHAPE_MESH}, odd = {.shape = (graze_shape)9};
    const char *base = "/robot/link[@name='base']";
    REFUSED(graze_robot_builder_collision(b, "base", NULL, &ball, &e), GRAZE_ERROR_RANGE, base,
            "radius of the sphere is -1");
    REFUSED(graze_robot_builder_collision(b, "base", NULL, &dots, &e), GRAZE_ERROR_UNSUPPORTED,
            base, "points");
    REFUSED(graze_robot_builder_collision(b, "base", NULL, &none, &e), GRAZE_ERROR_ARGUMENT, base,
            "NULL");
    REFUSED(graze_robot_builder_collision(b, "base", NULL, &odd, &e), GRAZE_ERROR_ARGUMENT, base,
            "shape");
    REFUSED(graze_robot_builder_collision(b, "bas", NULL, &ball, &e), GRAZE_ERROR_NOT_FOUND,
            "/robot/link[@name='bas']", "no link 'bas'");
    REFUSED(graze_robot_builder_disable_pair(b, "base", "base", "", &e), GRAZE_ERROR_ARGUMENT, "",
            "itself");
    REFUSED(graze_robot_builder_margin(b, "base", "upper", -1, &e), GRAZE_ERROR_RANGE, "",
            "margin is -1");
    REFUSED(graze_robot_builder_group(b, "g", GRAZE_GROUP_JOINT, "x", NULL, &e),
            GRAZE_ERROR_NOT_FOUND, "/robot/group[@name='g']", "no joint 'x'");
    double two[2] = {0, 0};
    REFUSED(graze_robot_builder_state(b, "g", "s", "j", two, 2, &e), GRAZE_ERROR_SCHEMA,
            "/robot/group_state[@name='s']", "allowed: exactly 1");
    graze_robot *robot;
    REFUSED(graze_robot_builder_finish(b, &robot, &e), GRAZE_ERROR_SCHEMA, "/robot",
            "2 root links: 'base', 'lower'");
    assert_null(robot);
    REFUSED(graze_robot_builder_link(b, "new", &e), GRAZE_ERROR_ARGUMENT, "", "finished");
    graze_robot_builder_free(b);
}

static void test_nothing_is_no_robot(void **state) {
    (void)state;
    graze_robot_builder *b;
    graze_robot *robot;
    graze_error e;
    OK(graze_robot_builder_create(&b, "", NULL));
    assert_int_equal(graze_robot_builder_finish(b, &robot, &e), GRAZE_ERROR_SCHEMA);
    assert_non_null(strstr(e.message, "no link"));
    graze_robot_builder_free(b);
    graze_robot_builder_free(NULL);
}

static void test_every_allocation_may_fail(void **state) {
    (void)state;
#ifndef GRAZE_FAULTS
    skip();
#else
    bool done = false;
    for (long n = 1; !done; n++) {
        graze_robot_builder *b = NULL;
        graze_robot *robot = NULL;
        const graze_geometry shell = {.shape = GRAZE_SHAPE_MESH,
                                      .vertices = corners,
                                      .vertex_count = 4,
                                      .triangles = sides,
                                      .triangle_count = 4};
        const double value[1] = {1};
        graze_joint_input in = joint("j", "a", "b");
        gz_memory_fail_after(n, false);
        graze_status status = graze_robot_builder_create(&b, "r", NULL);
        if (!status) status = graze_robot_builder_link(b, "a", NULL);
        if (!status) status = graze_robot_builder_link(b, "b", NULL);
        if (!status) status = graze_robot_builder_joint(b, &in, NULL);
        if (!status) status = graze_robot_builder_collision(b, "a", NULL, &shell, NULL);
        if (!status) status = graze_robot_builder_group(b, "g", GRAZE_GROUP_LINK, "b", NULL, NULL);
        if (!status) status = graze_robot_builder_state(b, "g", "s", "j", value, 1, NULL);
        // A call without memory: none works after it.
        if (status && b)
            assert_int_equal(graze_robot_builder_link(b, "c", NULL), GRAZE_ERROR_NO_MEMORY);
        if (!status) status = graze_robot_builder_finish(b, &robot, NULL);
        done = gz_memory_allocation_count() < n;
        gz_memory_fail_after(0, false);
        assert_int_equal(status, done ? GRAZE_OK : GRAZE_ERROR_NO_MEMORY);
        graze_robot_free(robot);
        graze_robot_builder_free(b);
    }
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls_make_a_robot),
        cmocka_unit_test(test_a_shared_mesh_is_the_mesh_of_its_arrays),
        cmocka_unit_test(test_mistakes_name_what_is_wrong),
        cmocka_unit_test(test_nothing_is_no_robot),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
