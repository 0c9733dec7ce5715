// Distances where they are known by hand, what is reported of them, and what is refused.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "graze/graze.h"

// A cube of edge 0.2 that slides along x with a ball of radius 0.1 on a stalk 1 m above it, which
// turns about y.
static const char urdf[] =
    "<robot name='r'><link name='base'><collision><origin xyz='0 0 -9'/><geometry>"
    "<sphere radius='0.01'/></geometry></collision></link>"
    "<link name='cube'><collision><geometry><box size='0.2 0.2 0.2'/></geometry></collision></link>"
    "<link name='ball'><collision><origin xyz='0 0 1'/><geometry><sphere radius='0.1'/></geometry>"
    "</collision></link>"
    "<link name='plate'><collision><origin xyz='0 0.5 0'/><geometry><box size='0.2 0.2 0.2'/>"
    "</geometry></collision></link>"
    "<joint name='x' type='prismatic'><parent link='base'/><child link='cube'/><axis xyz='1 0 0'/>"
    "<limit lower='-5' upper='5' effort='1' velocity='1'/></joint>"
    "<joint name='turn' type='continuous'><parent link='base'/><child link='ball'/>"
    "<axis xyz='0 1 0'/></joint>"
    "<joint name='slide' type='prismatic'><parent link='base'/><child link='plate'/>"
    "<axis xyz='0 1 0'/><limit lower='-5' upper='5' effort='1' velocity='1'/></joint></robot>";

enum { CUBE = 1, BALL = 2, PLATE = 3 };

typedef struct fixture {
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    graze_distance_workspace *workspace;
    graze_distance_options options;
    graze_proximity pairs[8];
    graze_distance_report report;
} fixture;

static const graze_transform far_away = {{1, 0, 0, 3, 0, 1, 0, 0, 0, 0, 1, 0}};

static void finish(fixture *f) {
    assert_int_equal(graze_world_commit(f->world, NULL), GRAZE_OK);
    assert_int_equal(graze_checker_create(&f->checker, f->robot, f->world, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_distance_workspace_create(&f->workspace, f->checker, NULL), GRAZE_OK);
    f->options = graze_distance_options_default();
    f->report = (graze_distance_report){.pairs = f->pairs, .capacity = 8};
}

static void begin(fixture *f) {
    *f = (fixture){0};
    assert_int_equal(
        graze_robot_load_urdf_memory(&f->robot, urdf, strlen(urdf), "robot", NULL, NULL, NULL),
        GRAZE_OK);
    assert_int_equal(graze_world_create(&f->world, "w", NULL), GRAZE_OK);
}

static void set_up(fixture *f) {
    begin(f);
    const double size[3] = {1, 1, 1};
    assert_int_equal(graze_world_add_box(f->world, "box", size, &far_away, NULL), GRAZE_OK);
    finish(f);
}

static void tear_down(fixture *f) {
    graze_distance_workspace_free(f->workspace);
    graze_checker_free(f->checker);
    graze_world_free(f->world);
    graze_robot_free(f->robot);
}

static graze_status query(fixture *f, double x, double turn, double slide) {
    const double q[3] = {x, turn, slide};
    return graze_distance(f->checker, f->workspace, q, 3, NULL, &f->options, &f->report, NULL);
}

static void assert_holds(const graze_interval *d, double truth) {
    assert_true(d->lower <= truth + 1e-15 && truth - 1e-15 <= d->upper);
    assert_true(d->upper - d->lower <= 1e-9);
}

static void test_two_boxes_are_as_far_apart_as_their_faces(void **state) {
    (void)state;
    fixture f;
    set_up(&f);
    assert_int_equal(query(&f, 0, 0, 0), GRAZE_OK);
    assert_int_equal(f.report.count, 1);
    const graze_proximity *p = &f.pairs[0];
    assert_holds(&p->distance, 0.3);
    assert_true(p->kind == GRAZE_CONTACT_SELF && p->link == CUBE && p->other == PLATE);
    assert_true(p->triangle >= 0 && p->other_triangle >= 0 && !p->overlap);
    assert_true(fabs(p->normal.y - 1) < 1e-12);
    assert_true(fabs(p->point[0].y - 0.1) < 1e-12 && fabs(p->point[1].y - 0.4) < 1e-12);
    tear_down(&f);
}

static void test_a_ball_is_nearer_to_the_box_by_its_radius(void **state) {
    (void)state;
    fixture f;
    set_up(&f);
    // The ball's middle at (1, 0, 0): the box begins at 2.5. The cube is at -5.
    assert_int_equal(query(&f, -5, 1.5707963267948966, 5), GRAZE_OK);
    const graze_proximity *p = &f.pairs[0];
    assert_holds(&p->distance, 1.4);
    assert_true(p->kind == GRAZE_CONTACT_WORLD && p->link == BALL && p->other == 0);
    assert_true(p->triangle == -1 && p->other_triangle >= 0);
    assert_true(fabs(p->point[0].x - 1.1) < 1e-12 && fabs(p->point[1].x - 2.5) < 1e-12);
    assert_true(fabs(p->normal.x - 1) < 1e-12);
    tear_down(&f);
}

/// A trunk that turns about z, and on it two arms with a box each that turn about x.
static const char branches[] =
    "<robot name='branches'><link name='base'/><link name='trunk'>"
    "<collision><geometry><box size='0.1 0.1 0.1'/></geometry></collision></link>"
    "<link name='left'><collision><origin xyz='0 0 0.7'/><geometry><box size='0.3 0.2 0.6'/>"
    "</geometry></collision></link>"
    "<link name='right'><collision><origin xyz='0.1 0 0.6'/><geometry><box size='0.2 0.3 0.5'/>"
    "</geometry></collision></link>"
    "<joint name='turn' type='continuous'><parent link='base'/><child link='trunk'/>"
    "<axis xyz='0 0 1'/></joint>"
    "<joint name='a' type='continuous'><parent link='trunk'/><child link='left'/>"
    "<origin xyz='0 1 0.3'/><axis xyz='1 0 0.1'/></joint>"
    "<joint name='b' type='continuous'><parent link='trunk'/><child link='right'/>"
    "<origin xyz='0.2 -1 0.3'/><axis xyz='1 0.2 0'/></joint></robot>";

// By a joint behind both links the distance does not change: its derivative is 0, not nearly. By
// the others it is what differences say.
static void test_joints_that_move_both_links_do_not_change_their_distance(void **state) {
    (void)state;
    fixture f = {0};
    graze_distance_report r = {.pairs = f.pairs, .capacity = 1};
    double by_q[3];
    int smooth = 0;
    assert_int_equal(graze_robot_load_urdf_memory(&f.robot, branches, strlen(branches), "robot",
                                                  NULL, NULL, NULL),
                     GRAZE_OK);
    assert_int_equal(graze_checker_create(&f.checker, f.robot, NULL, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_distance_workspace_create(&f.workspace, f.checker, NULL), GRAZE_OK);
    for (int i = 0; i < 50; i++) {
        double q[3] = {0.3 * i - 4, 0.5 * sin(i), 0.6 * cos(3.0 * i)}, ends[2];
        const double h = 1e-6;
        r.by_q = by_q;
        assert_int_equal(graze_distance(f.checker, f.workspace, q, 3, NULL, NULL, &r, NULL),
                         GRAZE_OK);
        assert_true(by_q[0] == 0 && r.least.lower > 0);
        r.by_q = NULL;
        smooth += f.pairs[0].smooth;
        for (int k = 1; k < 3 && f.pairs[0].smooth; k++) {
            for (int end = 0; end < 2; end++) {
                q[k] += end ? 2 * h : -h;
                assert_int_equal(graze_distance(f.checker, f.workspace, q, 3, NULL, NULL, &r, NULL),
                                 GRAZE_OK);
                ends[end] = r.least.upper;
            }
            q[k] -= h;
            assert_true(fabs((ends[1] - ends[0]) / (2 * h) - by_q[k]) < 1e-3);
        }
    }
    assert_true(smooth > 20);
    tear_down(&f);
}

static void test_what_overlaps_is_at_distance_0(void **state) {
    (void)state;
    fixture f;
    set_up(&f);
    assert_int_equal(query(&f, 2.5, 0, 0), GRAZE_OK);
    assert_true(f.report.least.lower == 0 && f.report.least.upper == 0);
    assert_true(f.pairs[0].overlap && !f.pairs[0].contained && f.pairs[0].link == CUBE);
    // All of the cube inside the box.
    f.options.answer = GRAZE_DISTANCE_NEAREST;
    assert_int_equal(query(&f, 3, 0, 0), GRAZE_OK);
    assert_true(f.pairs[0].overlap && f.pairs[0].contained);
    // Faces that share a plane.
    f.options.answer = GRAZE_DISTANCE_LEAST;
    assert_int_equal(query(&f, 2.5 - 0.1, 0, 0), GRAZE_OK);
    assert_true(f.report.least.upper <= 1e-15);
    tear_down(&f);
}

static void test_pairs_within_a_threshold_are_in_the_order_of_checks(void **state) {
    (void)state;
    fixture f;
    set_up(&f);
    f.options.answer = GRAZE_DISTANCE_PAIRS;
    f.options.threshold = 1;
    assert_int_equal(query(&f, 2, 0, 0), GRAZE_OK);
    // The cube and the box, 0.4 apart; the ball, upright over the origin, and the plate, 0.82.
    assert_int_equal(f.report.count, 2);
    assert_true(f.pairs[0].link == BALL && f.pairs[0].other == PLATE);
    assert_true(f.pairs[1].link == CUBE && f.pairs[1].kind == GRAZE_CONTACT_WORLD);
    assert_holds(&f.pairs[0].distance, hypot(0.9, 0.4) - 0.1);
    assert_holds(&f.pairs[1].distance, 0.4);
    assert_holds(&f.report.least, 0.4);
    f.options.threshold = 1e300;
    assert_int_equal(query(&f, 2, 0, 0), GRAZE_OK);
    assert_int_equal(f.report.count, 7);
    // Nothing within the threshold: the least is beyond it.
    f.options.threshold = 0.1;
    assert_int_equal(query(&f, 2, 0, 0), GRAZE_OK);
    assert_true(f.report.count == 0 && f.report.least.lower == 0.1 && isinf(f.report.least.upper));
    tear_down(&f);
}

static void test_the_nearest_pairs_come_nearest_first(void **state) {
    (void)state;
    fixture f;
    set_up(&f);
    f.options.answer = GRAZE_DISTANCE_NEAREST;
    f.report.capacity = 2;
    assert_int_equal(query(&f, 2, 0, 0), GRAZE_OK);
    assert_true(f.report.count == 2 && !f.report.truncated);
    assert_holds(&f.pairs[0].distance, 0.4);
    assert_holds(&f.pairs[1].distance, hypot(0.9, 0.4) - 0.1);
    f.report.capacity = 8;
    assert_int_equal(query(&f, 2, 0, 0), GRAZE_OK);
    assert_int_equal(f.report.count, 7); // three pairs of links, four links with the box
    for (size_t i = 1; i < f.report.count; i++)
        assert_true(f.pairs[i - 1].distance.upper <= f.pairs[i].distance.upper);
    tear_down(&f);
}

static void test_a_rough_bound_is_within_a_tenth(void **state) {
    (void)state;
    fixture f;
    set_up(&f);
    f.options.answer = GRAZE_DISTANCE_BOUND;
    assert_int_equal(query(&f, 2, 0, 0), GRAZE_OK);
    assert_true(f.report.least.lower <= 0.4 && f.report.least.upper >= 0.4 - 1e-15);
    assert_true(f.report.least.lower >= 0.9 * f.report.least.upper - 1e-9);
    tear_down(&f);
}

static void test_a_spent_budget_widens_and_never_lies(void **state) {
    (void)state;
    fixture f;
    set_up(&f);
    bool spent = false;
    for (uint64_t budget = 1; budget < 400; budget += 7) {
        f.options.budget = budget;
        assert_int_equal(query(&f, 2, 0, 0), GRAZE_OK);
        assert_true(f.report.least.lower <= 0.4 && f.report.least.upper >= 0.4 - 1e-15);
        spent = spent || f.report.spent;
    }
    assert_true(spent && !f.report.spent);
    assert_holds(&f.report.least, 0.4);
    tear_down(&f);
}

static void test_the_nearest_point_of_a_cloud_is_found(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    double points[3 * 400];
    for (int i = 0; i < 400; i++) {
        points[3 * i] = 2 + 0.01 * i;
        points[3 * i + 1] = 0.5 * (i % 3);
        points[3 * i + 2] = 0.1 * (i % 7);
    }
    points[3 * 357] = 1.5; // the nearest, and one of many
    points[3 * 357 + 1] = points[3 * 357 + 2] = 0;
    graze_transform here = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    assert_int_equal(graze_world_add_points(f.world, "p", points, 400, 0.05, &here, NULL),
                     GRAZE_OK);
    finish(&f);
    assert_int_equal(query(&f, 1.2, 0, 5), GRAZE_OK);
    assert_holds(&f.report.least, 1.5 - 0.05 - 1.3);
    assert_int_equal(f.pairs[0].other_element, 357);
    tear_down(&f);
}

/// How far a point is from the cube, whose middle is at x.
static double from_cube(const double p[3], double x) {
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double d = fmax(fabs(p[k] - (k == 0 ? x : 0)) - 0.1, 0);
        sum += d * d;
    }
    return sqrt(sum);
}

/// Thousands of balls are about as near below the cube and beside it: the nearest is among them,
/// and all that are nearer than a threshold are none.
static void test_the_nearest_of_a_dense_cloud_is_found(void **state) {
    (void)state;
    enum { POINTS = 20000 };
    static double points[POINTS][3];
    const graze_transform here = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    gz_random random = gz_random_make(41, 0);
    fixture f;
    begin(&f);
    for (int i = 0; i < POINTS; i++) {
        points[i][0] = gz_random_range(&random, -1, 1);
        points[i][1] = gz_random_range(&random, -0.3, 0.3);
        points[i][2] = -0.2 + 0.03 * sin(9 * points[i][0]) + gz_random_range(&random, 0, 0.01);
    }
    assert_int_equal(graze_world_add_points(f.world, "p", points[0], POINTS, 0.005, &here, NULL),
                     GRAZE_OK);
    finish(&f);
    for (int i = 0; i < 60; i++) {
        double x = 0.03 * i - 0.9, least = INFINITY;
        for (int k = 0; k < POINTS; k++) least = fmin(least, from_cube(points[k], x) - 0.005);
        f.options = graze_distance_options_default();
        assert_int_equal(query(&f, x, 0, 5), GRAZE_OK);
        assert_holds(&f.report.least, least);
        double named = from_cube(points[f.pairs[0].other_element], x) - 0.005;
        assert_true(fabs(named - least) < 1e-9);
        f.options.answer = GRAZE_DISTANCE_BOUND;
        assert_int_equal(query(&f, x, 0, 5), GRAZE_OK);
        assert_true(f.report.least.lower <= least && f.report.least.upper >= least - 1e-9 &&
                    f.report.least.lower >= 0.9 * f.report.least.upper - 1e-9);
        f.options.answer = GRAZE_DISTANCE_PAIRS;
        for (int k = 0; k < 2; k++) {
            f.options.threshold = least + (k ? 1e-6 : -1e-6);
            assert_int_equal(query(&f, x, 0, 5), GRAZE_OK);
            assert_int_equal(f.report.count, k);
        }
    }
    tear_down(&f);
}

// More objects than are listed one by one.
static void test_the_nearest_of_many_objects_is_found(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    const double size[3] = {0.1, 0.1, 0.1};
    for (int i = 0; i < 300; i++) {
        char name[16];
        graze_transform at = {
            {1, 0, 0, 1 + 0.5 * (i % 20), 0, 1, 0, 4 + 0.5 * (i / 20), 0, 0, 1, 0}};
        if (i == 211) at.m[7] = 1, at.m[3] = 0.7;
        snprintf(name, sizeof name, "b%d", i);
        assert_int_equal(graze_world_add_box(f.world, name, size, &at, NULL), GRAZE_OK);
    }
    finish(&f);
    assert_int_equal(query(&f, 0.7, 3, -5), GRAZE_OK);
    assert_holds(&f.report.least, 0.85);
    assert_true(f.pairs[0].kind == GRAZE_CONTACT_WORLD && f.pairs[0].other == 211);
    tear_down(&f);
}

#define BUMP 5e-5

/// A square plate of edge 1 across x at x = 2, of small triangles; one corner, counted from its
/// middle, is nearer by BUMP.
static void add_fine_plate(fixture *f, int across, int up) {
    enum { CELLS = 48, LINE = CELLS + 1 };
    static double vertices[LINE * LINE][3];
    static uint32_t triangles[CELLS * CELLS * 2][3];
    uint32_t count = 0;
    for (int i = 0; i < LINE * LINE; i++) {
        int column = i % LINE - CELLS / 2, row = i / LINE - CELLS / 2;
        vertices[i][0] = column == across && row == up ? 2 - BUMP : 2;
        vertices[i][1] = (double)column / CELLS;
        vertices[i][2] = (double)row / CELLS;
    }
    for (uint32_t c = 0; c < LINE * CELLS; c++) {
        if (c % LINE == CELLS) continue;
        memcpy(triangles[count++], (uint32_t[]){c, c + 1, c + LINE + 1}, 12);
        memcpy(triangles[count++], (uint32_t[]){c, c + LINE + 1, c + LINE}, 12);
    }
    assert_int_equal(graze_world_add_mesh(f->world, "plate", vertices[0], LINE * LINE, triangles[0],
                                          count, NULL, NULL),
                     GRAZE_OK);
}

/// The packets of the plate that lie before the cube are more than one list holds.
static void test_the_nearest_corner_is_found_among_many_that_are_about_as_near(void **state) {
    (void)state;
    for (int i = 0; i < 16; i++) {
        fixture f;
        begin(&f);
        add_fine_plate(&f, 2 * (i % 4) - 3, 2 * (i / 4) - 3);
        finish(&f);
        assert_int_equal(query(&f, 1, 3, -5), GRAZE_OK);
        assert_holds(&f.report.least, 0.9 - BUMP);
        assert_true(f.pairs[0].kind == GRAZE_CONTACT_WORLD && f.pairs[0].link == CUBE);
        tear_down(&f);
    }
}

/// Links on both sides of a plane of symmetry are equally far from it, but for rounding: which of
/// them is named does not depend on how many are wanted.
static void test_the_first_of_equally_near_pairs_is_the_least(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    const double size[3] = {1, 1, 1};
    for (int i = 0; i < 6; i++) {
        const graze_transform poses = {
            {1, 0, 0, i % 2 ? 0.8 : -0.8, 0, 1, 0, 0.3 * i, 0, 0, 1, 0.1 * i}};
        assert_int_equal(
            graze_world_add_box(f.world, (char[]){(char)('a' + i), 0}, size, &poses, NULL),
            GRAZE_OK);
    }
    finish(&f);
    graze_proximity least;
    for (int k = 0; k < 40; k++) {
        f.options.answer = GRAZE_DISTANCE_LEAST;
        f.report.capacity = 8;
        assert_int_equal(query(&f, 0x1p-50 * (k - 20), 3, -4), GRAZE_OK);
        least = f.pairs[0];
        f.options.answer = GRAZE_DISTANCE_NEAREST;
        for (f.report.capacity = 1; f.report.capacity <= 8; f.report.capacity++) {
            assert_int_equal(query(&f, 0x1p-50 * (k - 20), 3, -4), GRAZE_OK);
            assert_int_equal(f.pairs[0].link, least.link);
            assert_int_equal(f.pairs[0].other, least.other);
            assert_true(f.pairs[0].distance.upper == least.distance.upper);
        }
    }
    tear_down(&f);
}

static void test_what_was_found_before_changes_no_bit(void **state) {
    (void)state;
    fixture f;
    set_up(&f);
    graze_proximity first[40];
    memset(first, 0, sizeof first);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < 40; i++) {
            int k = pass ? 39 - i : i;
            assert_int_equal(query(&f, 0.1 * k - 2, 0.3 * k, 0.05 * k), GRAZE_OK);
            if (!pass) first[k] = f.pairs[0];
            assert_true(first[k].distance.lower == f.pairs[0].distance.lower);
            assert_true(first[k].distance.upper == f.pairs[0].distance.upper);
            assert_int_equal(first[k].triangle, f.pairs[0].triangle);
            assert_int_equal(first[k].other_triangle, f.pairs[0].other_triangle);
            assert_memory_equal(first[k].point, f.pairs[0].point, sizeof first[k].point);
        }
    tear_down(&f);
}

static void test_pairs_that_no_self_and_no_world_leave_out_have_no_distance(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        fixture f;
        set_up(&f);
        graze_distance_workspace_free(f.workspace);
        graze_checker_free(f.checker);
        graze_checker_options rules = graze_checker_options_default();
        rules.no_self = k != 1;
        rules.no_world = k != 0;
        assert_int_equal(graze_checker_create(&f.checker, f.robot, f.world, &rules, NULL),
                         GRAZE_OK);
        assert_int_equal(graze_distance_workspace_create(&f.workspace, f.checker, NULL), GRAZE_OK);
        f.options.answer = GRAZE_DISTANCE_PAIRS;
        f.options.threshold = 20;
        assert_int_equal(query(&f, 0, 0, 0), GRAZE_OK);
        assert_int_equal(f.report.count > 0, k != 2);
        for (size_t i = 0; i < f.report.count && i < 8; i++)
            assert_int_equal(f.pairs[i].kind, k == 0 ? GRAZE_CONTACT_WORLD : GRAZE_CONTACT_SELF);
        f.options.answer = GRAZE_DISTANCE_LEAST;
        assert_int_equal(query(&f, 0, 0, 0), GRAZE_OK);
        assert_int_equal(f.report.count, k != 2);
        if (k == 2) assert_true(f.report.least.lower == 20 && isinf(f.report.least.upper));
        if (k != 2)
            assert_int_equal(f.pairs[0].kind, k == 0 ? GRAZE_CONTACT_WORLD : GRAZE_CONTACT_SELF);
        tear_down(&f);
    }
}

static void test_bad_input_is_refused(void **state) {
    (void)state;
    fixture f;
    graze_error error;
    set_up(&f);
    const double q[3] = {0, NAN, 0}, good[3] = {0, 0, 0};
    assert_int_equal(graze_distance(f.checker, f.workspace, q, 3, NULL, NULL, &f.report, &error),
                     GRAZE_ERROR_RANGE);
    assert_true(f.report.least.lower == 0 && isinf(f.report.least.upper) && f.report.count == 0);
    assert_int_equal(graze_distance(f.checker, f.workspace, good, 2, NULL, NULL, &f.report, &error),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_distance(f.checker, NULL, good, 3, NULL, NULL, &f.report, &error),
                     GRAZE_ERROR_ARGUMENT);
    f.options.threshold = -1;
    assert_int_equal(query(&f, 0, 0, 0), GRAZE_ERROR_RANGE);
    f.options = graze_distance_options_default();
    f.options.accuracy = NAN;
    assert_int_equal(query(&f, 0, 0, 0), GRAZE_ERROR_RANGE);
    f.options = graze_distance_options_default();
    f.options.answer = (graze_distance_answer)7;
    assert_int_equal(query(&f, 0, 0, 0), GRAZE_ERROR_ARGUMENT);
    f.options.answer = GRAZE_DISTANCE_NEAREST;
    f.report.capacity = 0;
    assert_int_equal(query(&f, 0, 0, 0), GRAZE_ERROR_ARGUMENT);
    tear_down(&f);
}

// The cube is 0.05 m in the box, whose face is 1 m wide.
static void test_a_depth_has_bounds_on_both_sides(void **state) {
    (void)state;
    fixture f;
    set_up(&f);
    f.options.depth = 1;
    assert_int_equal(query(&f, 2.45, 0, 0), GRAZE_OK);
    const graze_proximity *p = &f.pairs[0];
    assert_true(p->overlap && p->depth.lower <= 0.05 && p->depth.upper >= 0.05);
    assert_true(p->depth.lower > 0.0499 && p->depth.upper < 0.0501);
    assert_true(fabs(p->escape.x - p->depth.upper) < 1e-9);
    // Apart: none.
    assert_int_equal(query(&f, 2, 0, 0), GRAZE_OK);
    assert_true(!p->overlap && p->depth.upper == 0 && p->escape.x == 0);
    tear_down(&f);
}

static void test_a_batch_has_the_results_of_single_calls(void **state) {
    (void)state;
    enum { ROWS = 100 };
    fixture f;
    set_up(&f);
    double q[3 * ROWS], by_q[3 * ROWS], own[3];
    graze_interval bounds[ROWS];
    graze_proximity nearest[ROWS];
    for (int i = 0; i < 3 * ROWS; i++) q[i] = 0.013 * (i % 97) - 0.4;
    graze_distance_batch batch = graze_distance_batch_default();
    batch.threads = 3;
    batch.count = ROWS;
    batch.q = q;
    batch.bounds = bounds;
    batch.nearest = nearest;
    batch.by_q = by_q;
    assert_int_equal(graze_distance_batch_run(f.checker, &batch, NULL), GRAZE_OK);
    f.report.by_q = own;
    f.report.capacity = 1;
    for (int i = 0; i < ROWS; i++) {
        assert_int_equal(query(&f, q[3 * i], q[3 * i + 1], q[3 * i + 2]), GRAZE_OK);
        assert_memory_equal(&bounds[i], &f.report.least, sizeof *bounds);
        assert_true(nearest[i].link == f.pairs[0].link && nearest[i].other == f.pairs[0].other);
        assert_memory_equal(by_q + 3 * i, own, sizeof own);
    }
    // A row that is no configuration, and an answer that is none of a row.
    graze_error error;
    q[3 * 41] = NAN;
    assert_int_equal(graze_distance_batch_run(f.checker, &batch, &error), GRAZE_ERROR_RANGE);
    assert_string_equal(error.element, "row 41");
    assert_true(bounds[41].lower == 0 && isinf(bounds[41].upper) && nearest[41].link == -1);
    f.options.answer = GRAZE_DISTANCE_PAIRS;
    batch.options = &f.options;
    assert_int_equal(graze_distance_batch_run(f.checker, &batch, &error), GRAZE_ERROR_ARGUMENT);
    tear_down(&f);
}

// ------------------------------------------------------------------------------------ smooth

/// The formula of docs/distance.md, from the list of pairs.
static double smooth_of(const fixture *f, double threshold, double t) {
    long double sum = expl(-(long double)threshold / t);
    for (size_t i = 0; i < f->report.count; i++) {
        long double d = f->pairs[i].distance.upper, cut = expl(-threshold / (long double)t);
        if (f->pairs[i].overlap) d = 0;
        sum += expl(-d / t) - cut * (1 + (threshold - d) / t);
    }
    return (double)(-t * logl(sum));
}

static graze_smooth_clearance smooth_at(fixture *f, const double q[3], double threshold, double t,
                                        double by_q[3]) {
    graze_smooth_clearance c;
    assert_int_equal(graze_distance_smooth(f->checker, f->workspace, q, 3, NULL, threshold, t, &c,
                                           by_q, NULL, NULL),
                     GRAZE_OK);
    return c;
}

static void test_smooth_clearance_is_its_formula_within_its_bounds(void **state) {
    (void)state;
    fixture f;
    set_up(&f);
    f.options.answer = GRAZE_DISTANCE_PAIRS;
    double far_below = 0, far_above = 0;
    int several = 0;
    for (int i = 0; i < 400; i++) {
        const double q[3] = {-2 + i % 20 * 0.25, i / 20 * 0.3, -1 + i % 7 * 0.3};
        const double threshold = 0.3 + i % 5 * 0.4,
                     t = threshold / (double[]){600, 8, 2, 0.5}[i % 4];
        f.options.threshold = threshold;
        assert_int_equal(query(&f, q[0], q[1], q[2]), GRAZE_OK);
        const graze_smooth_clearance c = smooth_at(&f, q, threshold, t, NULL);
        assert_int_equal(c.count, f.report.count);
        assert_true(fabs(c.value - smooth_of(&f, threshold, t)) < 1e-12);
        const double least = fmin(f.report.least.upper, threshold);
        assert_true(c.least == (f.report.count && f.pairs[0].overlap ? c.least : least) ||
                    c.least == 0);
        far_below = fmax(far_below, (c.least - c.value) / t / log((double)c.count + 1));
        far_above = fmax(far_above, (c.value - c.least) / t);
        several += c.count > 1;
    }
    assert_true(far_below <= 1 + 1e-9 && far_above <= 0.46);
    // The bounds are come near.
    assert_true(far_below > 0.4 && far_above > 0.45 && several > 50);
    tear_down(&f);
}

static void test_smooth_clearance_has_its_derivatives_where_the_nearest_pair_changes(void **state) {
    (void)state;
    fixture f;
    set_up(&f);
    // The plate at 1.5 and the cube, both 2.4 m before the box, and the ball above.
    const double q[3] = {0, 0.4, -0.5}, h = 1e-6;
    double by_q[3], none[3], before = 0;
    for (int i = 0; i < 60; i++) {
        // Pairs enter one by one as the threshold grows: neither value nor derivatives jump.
        const double threshold = 0.2 + 0.05 * i, t = 0.2;
        const graze_smooth_clearance c = smooth_at(&f, q, threshold, t, by_q);
        for (int k = 0; k < 3 && c.differentiable; k++) {
            double low[3] = {q[0], q[1], q[2]}, high[3] = {q[0], q[1], q[2]};
            low[k] -= h;
            high[k] += h;
            double rate = (smooth_at(&f, high, threshold, t, none).value -
                           smooth_at(&f, low, threshold, t, none).value) /
                          (2 * h);
            assert_true(fabs(rate - by_q[k]) < 1e-6);
        }
        assert_true(i == 0 || fabs(c.value - before) < 0.051);
        before = c.value;
    }
    tear_down(&f);
}

static void test_smooth_clearance_refuses_what_it_cannot_take(void **state) {
    (void)state;
    fixture f;
    set_up(&f);
    const double q[3] = {0}, bad[4][2] = {{0, 1}, {INFINITY, 1}, {1, 1e-3}, {1, NAN}};
    graze_error error;
    for (int i = 0; i < 4; i++) {
        graze_smooth_clearance c = {.value = 7};
        assert_int_equal(graze_distance_smooth(f.checker, f.workspace, q, 3, NULL, bad[i][0],
                                               bad[i][1], &c, NULL, NULL, &error),
                         GRAZE_ERROR_RANGE);
        assert_true(c.value == 0);
    }
    graze_smooth_clearance c;
    assert_int_equal(
        graze_distance_smooth(f.checker, NULL, q, 3, NULL, 1, 1, &c, NULL, NULL, &error),
        GRAZE_ERROR_ARGUMENT);
    assert_int_equal(
        graze_distance_smooth(f.checker, f.workspace, q, 2, NULL, 1, 1, &c, NULL, NULL, &error),
        GRAZE_ERROR_ARGUMENT);
    assert_int_equal(
        graze_distance_smooth(f.checker, f.workspace, q, 3, NULL, 1, 1, NULL, NULL, NULL, &error),
        GRAZE_ERROR_ARGUMENT);
    tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smooth_clearance_is_its_formula_within_its_bounds),
        cmocka_unit_test(test_smooth_clearance_has_its_derivatives_where_the_nearest_pair_changes),
        cmocka_unit_test(test_smooth_clearance_refuses_what_it_cannot_take),
        cmocka_unit_test(test_two_boxes_are_as_far_apart_as_their_faces),
        cmocka_unit_test(test_a_ball_is_nearer_to_the_box_by_its_radius),
        cmocka_unit_test(test_what_overlaps_is_at_distance_0),
        cmocka_unit_test(test_joints_that_move_both_links_do_not_change_their_distance),
        cmocka_unit_test(test_pairs_within_a_threshold_are_in_the_order_of_checks),
        cmocka_unit_test(test_the_nearest_pairs_come_nearest_first),
        cmocka_unit_test(test_a_rough_bound_is_within_a_tenth),
        cmocka_unit_test(test_a_spent_budget_widens_and_never_lies),
        cmocka_unit_test(test_the_nearest_point_of_a_cloud_is_found),
        cmocka_unit_test(test_the_nearest_of_a_dense_cloud_is_found),
        cmocka_unit_test(test_the_nearest_of_many_objects_is_found),
        cmocka_unit_test(test_the_nearest_corner_is_found_among_many_that_are_about_as_near),
        cmocka_unit_test(test_the_first_of_equally_near_pairs_is_the_least),
        cmocka_unit_test(test_what_was_found_before_changes_no_bit),
        cmocka_unit_test(test_a_depth_has_bounds_on_both_sides),
        cmocka_unit_test(test_a_batch_has_the_results_of_single_calls),
        cmocka_unit_test(test_pairs_that_no_self_and_no_world_leave_out_have_no_distance),
        cmocka_unit_test(test_bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
