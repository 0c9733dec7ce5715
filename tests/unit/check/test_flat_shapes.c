// Shapes with sizes of 0: points, segments and rectangles. A robot slides one of them to where it
// touches another exactly, and to neighbouring doubles; where it does is known beforehand.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "graze/graze.h"

static graze_robot *slide(const char *geometry, const char *origin) {
    char text[1000];
    int used = snprintf(
        text, sizeof text,
        "<robot name='r'><link name='base'/><link name='tip'><collision><origin xyz='%s'/>"
        "<geometry>%s</geometry></collision></link><joint name='x' type='prismatic'>"
        "<parent link='base'/><child link='tip'/><axis xyz='1 0 0'/>"
        "<limit lower='-9' upper='9' effort='1' velocity='1'/></joint></robot>",
        origin, geometry);
    graze_robot *robot;
    graze_error error;
    if (graze_robot_load_urdf_memory(&robot, text, (size_t)used, "flat", NULL, NULL, &error))
        fail_msg("%s", error.message);
    return robot;
}

static graze_verdict verdict(const graze_checker *c, double x) {
    graze_workspace *ws;
    graze_report report = {0};
    assert_int_equal(graze_workspace_create(&ws, c, NULL), GRAZE_OK);
    assert_int_equal(graze_check(c, ws, GRAZE_ANSWER_ANY, &x, 1, NULL, &report, NULL), GRAZE_OK);
    uint8_t verdicts[9] = {0};
    const double rows[9] = {x, x, x, x, x, x, x, x, x};
    graze_batch batch = graze_batch_default();
    batch.q = rows;
    batch.count = 9;
    batch.verdicts = verdicts;
    assert_int_equal(graze_check_batch(c, &batch, NULL), GRAZE_OK);
    for (int i = 0; i < 9; i++) assert_int_equal(verdicts[i], report.verdict);
    graze_workspace_free(ws);
    return report.verdict;
}

#define POINT   "<sphere radius='0'/>"
#define SEGMENT "<capsule radius='0' length='2'/>"
#define ROD     "<cylinder radius='0' length='2'/>"
#define DOT     "<cylinder radius='0' length='0'/>"
#define BALL    "<capsule radius='0.5' length='0'/>"
#define FLAT    "<box size='0 2 2'/>"
#define EDGE    "<box size='0 0 2'/>"
#define CORNER  "<box size='0 0 0'/>"
#define WHOLE   "<box size='1 1 1'/>"

typedef enum stand { STAND_FLAT, STAND_CORNER, STAND_BOX, STAND_POINT, STAND_SEGMENT } stand;

/// The object stands at x = 2 with its near side, the shape of the link goes `half_width` beyond q.
static const struct {
    const char *geometry, *origin;
    stand object;
    double half_width;
    bool exact; ///< both are made of triangles
} cases[] = {
    {CORNER, "0 0.5 0.25", STAND_FLAT, 0, true},
    {EDGE, "0 0.5 0.25", STAND_FLAT, 0, true},
    {FLAT, "0 1.5 0.25", STAND_FLAT, 0, true},
    {FLAT, "0 2 2", STAND_FLAT, 0, true}, // corner on corner
    {CORNER, "0 1 1", STAND_BOX, 0, true},
    {CORNER, "0 0 0", STAND_CORNER, 0, true},
    {WHOLE, "0 0.5 0.5", STAND_CORNER, 0.5, true},
    {WHOLE, "0 0 0", STAND_FLAT, 0.5, true},
    {POINT, "0 0.5 0.25", STAND_FLAT, 0, false},
    {POINT, "0 1 1", STAND_BOX, 0, false},
    {POINT, "0 0 0", STAND_POINT, 0, false},
    {POINT, "0 0 0.75", STAND_SEGMENT, 0, false},
    {SEGMENT, "0 1 0", STAND_FLAT, 0, false},
    {SEGMENT, "0 0 0.5", STAND_SEGMENT, 0, false},
    {ROD, "0 -1 2", STAND_FLAT, 0, false},
    {ROD, "0 0 1", STAND_POINT, 0, false},
    {DOT, "0 0 0", STAND_CORNER, 0, false},
    {DOT, "0 0.5 0.5", STAND_FLAT, 0, false},
    {BALL, "0 0.25 0", STAND_FLAT, 0.5, false},
    {FLAT, "0 0 0", STAND_POINT, 0, false},
    {EDGE, "0 0 0", STAND_SEGMENT, 0, false},
};

static graze_world *make_world(stand object) {
    graze_world *w;
    graze_transform at = graze_transform_identity();
    at.m[3] = object == STAND_BOX ? 3 : 2;
    assert_int_equal(graze_world_create(&w, "w", NULL), GRAZE_OK);
    const double flat[3] = {0, 2, 2}, corner[3] = {0, 0, 0}, box[3] = {2, 2, 2};
    graze_status status = GRAZE_OK;
    if (object == STAND_FLAT) status = graze_world_add_box(w, "o", flat, &at, NULL);
    if (object == STAND_CORNER) status = graze_world_add_box(w, "o", corner, &at, NULL);
    if (object == STAND_BOX) status = graze_world_add_box(w, "o", box, &at, NULL);
    if (object == STAND_POINT) status = graze_world_add_sphere(w, "o", 0, &at, NULL);
    if (object == STAND_SEGMENT) status = graze_world_add_cylinder(w, "o", 0, 2, &at, NULL);
    assert_int_equal(status, GRAZE_OK);
    assert_int_equal(graze_world_commit(w, NULL), GRAZE_OK);
    return w;
}

static void test_what_has_no_size_touches_where_it_is(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        graze_robot *robot = slide(cases[i].geometry, cases[i].origin);
        graze_world *world = make_world(cases[i].object);
        graze_checker *checker;
        assert_int_equal(graze_checker_create(&checker, robot, world, NULL, NULL), GRAZE_OK);
        double at = 2 - cases[i].half_width, ulp = 0x1p-51;
        bool box = cases[i].object == STAND_BOX;
        print_message("%zu %s\n", i, cases[i].geometry);
        assert_int_equal(verdict(checker, at), GRAZE_COLLISION);
        // Exact where triangles are, else within a nanometre.
        double off = cases[i].exact ? 2 * ulp : 1.1e-9;
        assert_int_equal(verdict(checker, at - off), GRAZE_FREE);
        double beyond = at + 2 * cases[i].half_width + off;
        assert_int_equal(verdict(checker, beyond), box ? GRAZE_COLLISION : GRAZE_FREE);
        assert_int_equal(verdict(checker, at + 1e-3 * cases[i].half_width), GRAZE_COLLISION);
        if (box) assert_int_equal(verdict(checker, 3), GRAZE_COLLISION); // inside
        graze_checker_free(checker);
        graze_world_free(world);
        graze_robot_free(robot);
    }
}

static void test_a_margin_reaches_around_a_point(void **state) {
    (void)state;
    graze_robot *robot = slide(POINT, "0 0 0");
    graze_world *world = make_world(STAND_CORNER);
    graze_checker_options options = graze_checker_options_default();
    options.margin = 0.25;
    graze_checker *checker;
    assert_int_equal(graze_checker_create(&checker, robot, world, &options, NULL), GRAZE_OK);
    assert_int_equal(verdict(checker, 1.75), GRAZE_COLLISION);
    assert_int_equal(verdict(checker, 1.75 - 2.1e-9), GRAZE_FREE);
    assert_int_equal(verdict(checker, 2.25), GRAZE_COLLISION);
    assert_int_equal(verdict(checker, 2.25 + 2.1e-9), GRAZE_FREE);
    graze_checker_free(checker);
    graze_world_free(world);
    graze_robot_free(robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_has_no_size_touches_where_it_is),
        cmocka_unit_test(test_a_margin_reaches_around_a_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
