// At the end of a long chain the axes of a posed box are not quite orthonormal any more, least of
// all in float: what is off counts times the size of the box beside it.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graze/graze.h"

#define ROWS 64

static uint64_t seed = 1;

/// Evenly from -1 to 1 (Knuth's MMIX).
static double number(void) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) * 0x1p-52 - 1;
}

static char *text;
static size_t used, capacity;

static void add(const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (capacity - used < 1000) text = realloc(text, capacity = capacity * 2 + 4000);
    assert_non_null(text);
    used += (size_t)vsnprintf(text + used, capacity - used, format, args);
    va_end(args);
}

/// Where a box of half length `half` along x stands, turned at random, whose end is at the origin.
static graze_transform place_end(double half, double rpy[3]) {
    const double zero[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) rpy[k] = (k == 1 ? 1.5 : 3) * number();
    graze_transform out = graze_transform_from_xyz_rpy(zero, rpy);
    for (int k = 0; k < 3; k++) out.m[4 * k + 3] = -half * out.m[4 * k];
    return out;
}

/// The root, with a long box that ends at the origin where `half` is above 0.
static void add_root(double half) {
    if (!(half > 0)) {
        add("<link name='l0'/>");
        return;
    }
    double rpy[3];
    graze_transform at = place_end(half, rpy);
    add("<link name='l0'><collision><origin xyz='%.17g %.17g %.17g' rpy='%.17g %.17g %.17g'/>"
        "<geometry><box size='%.17g 2 2'/></geometry></collision></link>",
        at.m[3], at.m[7], at.m[11], rpy[0], rpy[1], rpy[2], 2 * half);
}

/// Joints about skew axes that all go through the origin, and a small cube on the last link; a
/// ball far off keeps cube and root from being neighbours. `cube_first`: in the order of links.
static graze_robot *make_chain(int joints, double root_half, double edge, bool cube_first) {
    double axis[3], rpy[3];
    for (int k = 0; k < 3; k++) {
        axis[k] = number();
        rpy[k] = 3 * number();
    }
    used = 0;
    add("<robot name='chain'>");
    if (!cube_first) add_root(root_half);
    add("<link name='l%d'><collision><geometry><box size='%g %g %g'/></geometry></collision>"
        "</link>",
        joints, edge, edge, edge);
    if (cube_first) add_root(root_half);
    for (int i = 1; i <= joints; i++) {
        const char *ball = "<collision><origin xyz='50 50 50'/><geometry><sphere radius='0.01'/>"
                           "</geometry></collision>";
        if (i < joints) add("<link name='l%d'>%s</link>", i, i == 1 ? ball : "");
        add("<joint name='j%d' type='continuous'><parent link='l%d'/><child link='l%d'/>", i, i - 1,
            i);
        add("<origin rpy='%.17g %.17g %.17g'/><axis xyz='%.17g %.17g %.17g'/></joint>", rpy[0],
            rpy[1], rpy[2], axis[0], axis[1], axis[2]);
    }
    add("</robot>");
    graze_robot *robot;
    graze_error error;
    if (graze_robot_load_urdf_memory(&robot, text, used, "chain", NULL, NULL, &error))
        fail_msg("%s", error.message);
    return robot;
}

static int verdict_of(const graze_checker *checker, graze_workspace *ws, graze_answer answer,
                      const double *q, size_t q_size) {
    graze_report report = {0};
    graze_error error;
    if (graze_check(checker, ws, answer, q, q_size, NULL, &report, &error))
        fail_msg("%s", error.message);
    return (int)report.verdict;
}

/// The cube's centre is on the long box's end face at all angles, so every row collides: asked all
/// at once, one by one, and where no filter takes part.
static void check_rows(const graze_robot *robot, const graze_world *world) {
    graze_checker *checker;
    graze_workspace *ws;
    graze_error error;
    assert_int_equal(graze_checker_create(&checker, robot, world, NULL, &error), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&ws, checker, &error), GRAZE_OK);
    size_t q_size = graze_robot_q_size(robot);
    double *q = malloc(ROWS * q_size * sizeof *q);
    assert_non_null(q);
    for (size_t i = 0; i < ROWS; i++) {
        double angle = 3 * number();
        for (size_t j = 0; j < q_size; j++) q[i * q_size + j] = angle;
    }
    uint8_t verdicts[ROWS];
    graze_batch batch = graze_batch_default();
    batch.count = ROWS;
    batch.q = q;
    batch.verdicts = verdicts;
    assert_int_equal(graze_check_batch(checker, &batch, &error), GRAZE_OK);
    for (size_t i = 0; i < ROWS; i++) {
        const double *row = q + i * q_size;
        assert_int_equal(verdict_of(checker, ws, GRAZE_ANSWER_ALL, row, q_size), GRAZE_COLLISION);
        assert_int_equal(verdicts[i], GRAZE_COLLISION);
        assert_int_equal(verdict_of(checker, ws, GRAZE_ANSWER_ANY, row, q_size), GRAZE_COLLISION);
    }
    free(q);
    graze_workspace_free(ws);
    graze_checker_free(checker);
}

/// A box of the world 10 km long, 1000 joints.
static void test_a_long_object_overlaps_the_displaced_end_of_a_chain(void **state) {
    (void)state;
    for (int k = 0; k < 5; k++) {
        graze_robot *robot = make_chain(1000, 0, 0.2, false);
        graze_world *world;
        graze_error error;
        assert_int_equal(graze_world_create(&world, "long", &error), GRAZE_OK);
        const double half = 5e3, size[3] = {2 * half, 2, 2};
        double rpy[3];
        graze_transform at = place_end(half, rpy);
        assert_int_equal(graze_world_add_box(world, "box", size, &at, &error), GRAZE_OK);
        assert_int_equal(graze_world_commit(world, &error), GRAZE_OK);
        check_rows(robot, world);
        graze_world_free(world);
        graze_robot_free(robot);
    }
}

/// A link some 2 km long and a cube of a centimetre, in either order, 4000 joints.
static void test_a_long_link_overlaps_the_displaced_end_of_a_chain(void **state) {
    (void)state;
    for (int k = 0; k < 6; k++) {
        graze_robot *robot = make_chain(4000, 900, 0.01, k % 2 == 0);
        check_rows(robot, NULL);
        graze_robot_free(robot);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_long_object_overlaps_the_displaced_end_of_a_chain),
        cmocka_unit_test(test_a_long_link_overlaps_the_displaced_end_of_a_chain),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(text);
    return failed;
}
