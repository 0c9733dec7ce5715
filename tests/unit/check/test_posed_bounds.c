// Bounds that are moved to where a link is must still hold what the link holds.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graze/graze.h"

#define JOINTS 500

/// Half the diagonal of the cube at the end of the chain, which is centred on all axes.
#define CORNER_RADIUS 0.8660254037844386

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

/// A chain of continuous joints about one axis through the origin, a cube at its end, and a needle
/// (half length 1) on its root, placed by xyz and rpy. A small ball, far off, on a link in the
/// middle keeps cube and needle from being neighbours.
static graze_robot *make_chain(const double xyz[3], const double rpy[3]) {
    used = 0;
    add("<robot name='chain'><link name='root'><collision>"
        "<origin xyz='%.17g %.17g %.17g' rpy='%.17g %.17g %.17g'/>"
        "<geometry><box size='2 1e-8 1e-8'/></geometry></collision></link>",
        xyz[0], xyz[1], xyz[2], rpy[0], rpy[1], rpy[2]);
    for (int i = 1; i <= JOINTS; i++) {
        add("<link name='l%d'>", i);
        if (i == JOINTS / 2)
            add("<collision><origin xyz='0 0 90'/><geometry><sphere radius='0.1'/></geometry>"
                "</collision>");
        if (i == JOINTS) add("<collision><geometry><box size='1 1 1'/></geometry></collision>");
        add("</link><joint name='j%d' type='continuous'><parent link='", i);
        if (i == 1)
            add("root");
        else
            add("l%d", i - 1);
        add("'/><child link='l%d'/><axis xyz='1 2 0.5'/></joint>", i);
    }
    add("</robot>");
    graze_robot *robot;
    graze_error error;
    if (graze_robot_load_urdf_memory(&robot, text, used, "chain", NULL, NULL, &error))
        fail_msg("%s", error.message);
    return robot;
}

/// The cube's corner that is farthest off its distance to the origin: rotations of long
/// chains are not quite rotations any more. Returns by how much.
static double displaced_corner(const graze_robot *robot, double angle, double corner[3]) {
    double q[JOINTS], most = -1;
    for (int i = 0; i < JOINTS; i++) q[i] = angle;
    graze_transform *links = calloc(graze_robot_link_count(robot), sizeof *links);
    assert_non_null(links);
    assert_int_equal(graze_robot_pose(robot, q, JOINTS, NULL, links, NULL), GRAZE_OK);
    const graze_transform *pose = &links[graze_robot_find_link(robot, "l500")];
    for (int i = 0; i < 8; i++) {
        graze_vec3 v = {i & 1 ? .5 : -.5, i & 2 ? .5 : -.5, i & 4 ? .5 : -.5};
        graze_vec3 w = graze_transform_point(pose, v);
        double length = sqrt(w.x * w.x + w.y * w.y + w.z * w.z);
        if (length - CORNER_RADIUS <= most) continue;
        most = length - CORNER_RADIUS;
        corner[0] = w.x;
        corner[1] = w.y;
        corner[2] = w.z;
    }
    free(links);
    return most;
}

/// The bounding spheres of cube and needle touch in one point, where a corner of the cube pierces
/// the needle's end, beyond what the cube's sphere would hold if its pose were a rotation.
static void test_a_long_chain_collides_beyond_its_unpadded_sphere(void **state) {
    (void)state;
    static const double nowhere[3] = {0, 0, 5}, straight[3] = {0, 0, 0};
    graze_robot *robot = make_chain(nowhere, straight);
    double corner[3] = {0, 0, 0}, displacement = 0, angle = 0;
    for (int i = 1; i < 400 && displacement < 3e-14; i++)
        displacement = displaced_corner(robot, angle = 0.37 * i, corner);
    graze_robot_free(robot);
    if (displacement < 3e-14) skip(); // no pose that shows it
    double length = CORNER_RADIUS + displacement, away = CORNER_RADIUS + displacement / 2 + 1;
    double xyz[3], rpy[3] = {0, -asin(corner[2] / length), atan2(corner[1], corner[0])};
    for (int k = 0; k < 3; k++) xyz[k] = corner[k] / length * away;
    robot = make_chain(xyz, rpy);
    double q[JOINTS];
    for (int i = 0; i < JOINTS; i++) q[i] = angle;
    graze_checker *checker;
    graze_workspace *workspace;
    assert_int_equal(graze_checker_create(&checker, robot, NULL, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&workspace, checker, NULL), GRAZE_OK);
    graze_report report = {0};
    assert_int_equal(
        graze_check(checker, workspace, GRAZE_ANSWER_ANY, q, JOINTS, NULL, &report, NULL),
        GRAZE_OK);
    assert_int_equal(report.verdict, GRAZE_COLLISION);
    uint8_t verdict;
    graze_batch batch = graze_batch_default();
    batch.count = 1;
    batch.q = q;
    batch.verdicts = &verdict;
    assert_int_equal(graze_check_batch(checker, &batch, NULL), GRAZE_OK);
    assert_int_equal(verdict, GRAZE_COLLISION);
    graze_workspace_free(workspace);
    graze_checker_free(checker);
    graze_robot_free(robot);
}

static int free_text(void **state) {
    (void)state;
    free(text);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_long_chain_collides_beyond_its_unpadded_sphere),
    };
    return cmocka_run_group_tests(tests, NULL, free_text);
}
