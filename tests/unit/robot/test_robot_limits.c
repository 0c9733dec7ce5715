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

typedef struct text {
    char *bytes;
    size_t used, room;
} text;

static void add(text *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (t->room - t->used < 400) t->bytes = realloc(t->bytes, t->room = 2 * t->room + 4000);
    assert_non_null(t->bytes);
    t->used += (size_t)vsnprintf(t->bytes + t->used, t->room - t->used, format, args);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_long_mimic_chain_is_followed_once),
        cmocka_unit_test(test_a_mimic_cycle_behind_a_chain_is_found),
        cmocka_unit_test(test_too_many_pairs_are_refused_before_they_are_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
