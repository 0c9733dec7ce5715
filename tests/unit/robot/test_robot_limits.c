// Files of a few megabytes must not take minutes or the whole memory.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graze/graze.h"
#include "robot/builder.h"

typedef struct text {
    char *bytes;
    size_t used, capacity;
} text;

static void add(text *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (t->capacity - t->used < 400)
        t->bytes = realloc(t->bytes, t->capacity = 2 * t->capacity + 4000);
    assert_non_null(t->bytes);
    t->used += (size_t)vsnprintf(t->bytes + t->used, t->capacity - t->used, format, args);
    va_end(args);
}

/// A star of `count` joints around an empty link, each mimicking the one before where `mimic`.
static text star(int count, const char *inside, bool mimic) {
    text t = {0};
    add(&t, "<robot name='star'><link name='hub'/>");
    for (int i = 0; i < count; i++) {
        add(&t, "<link name='l%d'>%s</link><joint name='j%d' type='continuous'>", i, inside, i);
        add(&t, "<parent link='hub'/><child link='l%d'/>", i);
        if (mimic && i) add(&t, "<mimic joint='j%d' multiplier='-1' offset='0.5'/>", i - 1);
        add(&t, "</joint>");
    }
    add(&t, "</robot>");
    return t;
}

static void test_a_long_mimic_chain_is_followed_once(void **state) {
    (void)state;
    enum { COUNT = 50001 };
    text t = star(COUNT, "", true);
    graze_robot *robot;
    assert_int_equal(
        graze_robot_load_urdf_memory(&robot, t.bytes, t.used, "star", NULL, NULL, NULL), GRAZE_OK);
    free(t.bytes);
    assert_int_equal(graze_robot_q_size(robot), 1);
    graze_transform *links = malloc((COUNT + 1) * sizeof *links);
    assert_non_null(links);
    double q = 0.2;
    assert_int_equal(graze_robot_pose(robot, &q, 1, NULL, links, NULL), GRAZE_OK);
    // value = 0.5 - (value before): 0.2, 0.3, 0.2 ...; the axis is x.
    for (int i = 0; i < COUNT; i++) {
        double expected = sin(i % 2 ? 0.3 : 0.2);
        if (!(fabs(links[i + 1].m[9] - expected) < 1e-9)) fail_msg("joint %d", i);
    }
    free(links);
    graze_robot_free(robot);
}

static void test_a_mimic_cycle_behind_a_chain_is_found(void **state) {
    (void)state;
    static const char cycle[] =
        "<robot name='r'><link name='a'/><link name='b'/><link name='c'/><link name='d'/>"
        "<joint name='x' type='continuous'><parent link='a'/><child link='b'/>"
        "<mimic joint='y'/></joint>"
        "<joint name='y' type='continuous'><parent link='a'/><child link='c'/>"
        "<mimic joint='z'/></joint>"
        "<joint name='z' type='continuous'><parent link='a'/><child link='d'/>"
        "<mimic joint='y'/></joint></robot>";
    graze_robot *robot;
    graze_error error;
    assert_int_equal(
        graze_robot_load_urdf_memory(&robot, cycle, sizeof cycle - 1, "r", NULL, NULL, &error),
        GRAZE_ERROR_SCHEMA);
    assert_string_equal(error.message, "mimic joints form a cycle");
    assert_null(robot);
}

static void test_too_many_pairs_are_refused_before_they_are_made(void **state) {
    (void)state;
    text t = star(8300, "<collision><geometry><sphere radius='1'/></geometry></collision>", false);
    graze_robot *robot;
    graze_error error;
    assert_int_equal(
        graze_robot_load_urdf_memory(&robot, t.bytes, t.used, "star", NULL, NULL, &error),
        GRAZE_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "8300 links with collision geometry"));
    assert_null(robot);
    free(t.bytes);
}

/// Groups that each are the whole of a chain of fixed joints.
static graze_status build_groups(int links, int groups, graze_robot **robot, graze_error *error) {
    gz_builder *b = gz_builder_create("chain", "chain.urdf");
    assert_non_null(b);
    char name[16], parent[16];
    int32_t index;
    for (int i = 0; i < links; i++) {
        snprintf(name, sizeof name, "l%d", i);
        snprintf(parent, sizeof parent, "l%d", i - 1);
        assert_int_equal(gz_builder_add_link(b, name, (gz_line){0}, &index, NULL), GRAZE_OK);
        const gz_joint_input joint = {.name = name,
                                      .type = GRAZE_JOINT_FIXED,
                                      .parent = parent,
                                      .child = name,
                                      .origin = graze_transform_identity(),
                                      .axis = {1, 0, 0}};
        if (i) assert_int_equal(gz_builder_add_joint(b, &joint, NULL), GRAZE_OK);
    }
    for (int i = 0; i < groups; i++) {
        snprintf(name, sizeof name, "g%d", i);
        assert_int_equal(gz_builder_add_group(b, name, &index), GRAZE_OK);
        gz_builder_group_chain(b, index, 0, links - 1, (gz_place){0});
    }
    return gz_builder_finish(b, robot, error);
}

/// A thousand lines of an SRDF made lists of a gigabyte, whatever the limit on memory.
static void test_long_groups_without_end_are_refused(void **state) {
    (void)state;
    enum { LINKS = 20000 };
    graze_robot *robot;
    graze_error error;
    assert_int_equal(build_groups(LINKS, 10, &robot, NULL), GRAZE_OK);
    for (size_t i = 0; i < 10; i++) {
        graze_group group;
        assert_int_equal(graze_robot_group(robot, i, &group), GRAZE_OK);
        assert_int_equal(group.link_count, LINKS);
        assert_int_equal(group.joint_count, LINKS - 1);
    }
    graze_robot_free(robot);
    assert_int_equal(build_groups(LINKS, 500, &robot, &error), GRAZE_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "the groups up to 'g419' have 16799580 "));
    assert_null(robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_long_mimic_chain_is_followed_once),
        cmocka_unit_test(test_a_mimic_cycle_behind_a_chain_is_found),
        cmocka_unit_test(test_too_many_pairs_are_refused_before_they_are_made),
        cmocka_unit_test(test_long_groups_without_end_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
