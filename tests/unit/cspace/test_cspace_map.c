// Collision maps: the verdict and the first pair of every middle, proofs that samples inside the
// cells do not contradict, the same bytes for any threads, an arm against the analytic map of the
// plane, and what is refused.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"
#include "graze/graze.h"
#include "unit/trials.h"

typedef struct setup {
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    graze_workspace *workspace;
    double q[32];
    size_t size;
} setup;

static void finish_setup(setup *s, double margin) {
    graze_error error;
    graze_checker_options rules = graze_checker_options_default();
    if (margin > 0) rules.margin = margin;
    if (s->world) assert_int_equal(graze_world_commit(s->world, NULL), GRAZE_OK);
    if (graze_checker_create(&s->checker, s->robot, s->world, &rules, &error) ||
        graze_workspace_create(&s->workspace, s->checker, &error))
        fail_msg("%s", error.message);
    s->size = graze_robot_q_size(s->robot);
    assert_true(s->size <= 32);
    graze_robot_rest(s->robot, s->q);
}

static void open_file(setup *s, const char *name, const char *world) {
    char urdf[512], srdf[512], path[512];
    snprintf(urdf, sizeof urdf, "%s/urdf/%s.urdf", GRAZE_SOURCE_DIR, name);
    snprintf(srdf, sizeof srdf, "%s/urdf/%s.srdf", GRAZE_SOURCE_DIR, name);
    snprintf(path, sizeof path, "%s/worlds/%s.json", GRAZE_SOURCE_DIR, world ? world : "");
    graze_error error;
    graze_load_options options = graze_load_options_default();
    options.srdf = srdf;
    *s = (setup){0};
    if (graze_robot_load_urdf(&s->robot, urdf, &options, &error)) fail_msg("%s", error.message);
    if (world) {
        assert_int_equal(graze_world_create(&s->world, "w", NULL), GRAZE_OK);
        if (graze_world_add_file(s->world, path, NULL, &error)) fail_msg("%s", error.message);
    }
    finish_setup(s, 0);
}

static void open_text(setup *s, const char *text) {
    graze_error error;
    *s = (setup){0};
    if (graze_robot_load_urdf_memory(&s->robot, text, strlen(text), "robot", NULL, NULL, &error))
        fail_msg("%d: %s", (int)error.line, error.message);
    assert_int_equal(graze_world_create(&s->world, "w", NULL), GRAZE_OK);
}

static void close_setup(setup *s) {
    graze_workspace_free(s->workspace);
    graze_checker_free(s->checker);
    graze_world_free(s->world);
    graze_robot_free(s->robot);
}

static graze_cspace map_of(const setup *s, const char *a, const char *b, uint32_t width,
                           uint32_t height) {
    graze_cspace map = graze_cspace_default();
    map.columns[0] = graze_robot_find_q(s->robot, a);
    map.columns[1] = graze_robot_find_q(s->robot, b);
    map.width = width;
    map.height = height;
    map.q = s->q;
    map.cells = calloc((size_t)width * height, sizeof *map.cells);
    assert_non_null(map.cells);
    return map;
}

static graze_cspace_summary find(const setup *s, const graze_cspace *map) {
    graze_error error;
    graze_cspace_summary summary;
    if (graze_cspace_map(s->checker, map, &summary, &error)) fail_msg("%s", error.message);
    return summary;
}

static graze_verdict query(const setup *s, const graze_cspace *map, double a, double b,
                           graze_contact *contact) {
    double q[32];
    memcpy(q, s->q, sizeof q);
    q[map->columns[0]] = a;
    q[map->columns[1]] = b;
    graze_report report = {.contacts = contact, .capacity = 1};
    assert_int_equal(graze_check(s->checker, s->workspace, GRAZE_ANSWER_FIRST, q, s->size,
                                 map->base, &report, NULL),
                     GRAZE_OK);
    return report.verdict;
}

static double value(const graze_cspace *map, const graze_cspace_summary *sum, int side, double at) {
    double count = side == 0 ? map->width : map->height;
    return sum->ranges[side][0] + at * (sum->ranges[side][1] - sum->ranges[side][0]) / count;
}

static bool colliding(const graze_cspace_cell *cell) {
    return cell->state == GRAZE_CSPACE_COLLIDING || cell->state == GRAZE_CSPACE_COLLIDING_CERTIFIED;
}

/// Every middle against graze_check(), verdict and first pair.
static void check_middles(const setup *s, const graze_cspace *map,
                          const graze_cspace_summary *sum) {
    for (uint32_t y = 0; y < map->height; y++) {
        for (uint32_t x = 0; x < map->width; x++) {
            const graze_cspace_cell *cell = &map->cells[(size_t)y * map->width + x];
            graze_contact contact = {0};
            graze_verdict verdict = query(s, map, value(map, sum, 0, x + 0.5),
                                          value(map, sum, 1, y + 0.5), &contact);
            assert_int_equal(verdict == GRAZE_COLLISION, colliding(cell));
            assert_int_equal(cell->link, colliding(cell) ? contact.link : -1);
            assert_int_equal(cell->other, colliding(cell) ? contact.other : -1);
            if (colliding(cell)) assert_int_equal(cell->kind, contact.kind);
        }
    }
}

/// Places in cells that are proved, their borders and corners more often than not.
static void check_proofs(const setup *s, const graze_cspace *map, const graze_cspace_summary *sum,
                         int samples) {
    gz_random random = gz_random_make(11, 3);
    for (int i = 0; i < samples; i++) {
        uint32_t x = gz_random_below(&random, map->width),
                 y = gz_random_below(&random, map->height);
        const graze_cspace_cell *cell = &map->cells[(size_t)y * map->width + x];
        double u = gz_random_below(&random, 2) ? gz_random_unit(&random)
                                               : gz_random_below(&random, 2);
        double v = gz_random_below(&random, 2) ? gz_random_unit(&random)
                                               : gz_random_below(&random, 2);
        graze_contact contact;
        graze_verdict verdict = query(s, map, value(map, sum, 0, x + u), value(map, sum, 1, y + v),
                                      &contact);
        if (cell->state == GRAZE_CSPACE_FREE_CERTIFIED) assert_int_equal(verdict, GRAZE_FREE);
        if (cell->state == GRAZE_CSPACE_COLLIDING_CERTIFIED)
            assert_int_equal(verdict, GRAZE_COLLISION);
    }
}

// ------------------------------------------------------------------------------------------- maps

static void test_every_middle_has_the_verdict_and_the_first_pair_of_a_check(void **state) {
    (void)state;
    setup s;
    open_file(&s, "heron", "shelf");
    graze_cspace map = map_of(&s, "shoulder_pan_joint", "shoulder_lift_joint", 45, 31);
    graze_cspace_summary sum = find(&s, &map);
    check_middles(&s, &map, &sum);
    assert_true(sum.free_cells > 100 && sum.colliding_cells > 100);
    assert_int_equal(sum.free_cells + sum.colliding_cells, 45 * 31);
    assert_int_equal(sum.checks, 45 * 31);
    assert_int_equal(sum.free_certified + sum.colliding_certified + sum.undecided, 0);
    free(map.cells);
    close_setup(&s);
}

static void test_certified_maps_have_the_same_verdicts_and_proofs_hold(void **state) {
    (void)state;
    setup s;
    open_file(&s, "heron", "shelf");
    graze_cspace map = map_of(&s, "shoulder_pan_joint", "shoulder_lift_joint", 90, 70);
    map.certified = 1;
    graze_cspace_summary sum = find(&s, &map);
    check_middles(&s, &map, &sum);
    check_proofs(&s, &map, &sum, TRIALS(20000, 2000));
    // Most of a map is proved: else the proofs would be no use.
    assert_true(sum.free_certified > 20 * sum.free_cells / 4);
    assert_true(sum.colliding_certified > sum.colliding_cells / 4);
    assert_true(sum.proofs > 0 && sum.proofs < sum.boxes);
    free(map.cells);
    close_setup(&s);
}

static void test_threads_change_nothing(void **state) {
    (void)state;
    setup s;
    open_file(&s, "six_axis", "table");
    for (uint32_t certified = 0; certified < 2; certified++) {
        for (uint64_t budget = 0; budget < 4000; budget += 1500) {
            static const uint32_t threads[] = {1, 8, 3, 2};
            graze_cspace_cell *first = NULL;
            for (int i = 0; i < TRIALS(4, 2); i++) {
                graze_cspace map = map_of(&s, "joint_2", "joint_3", 70, 65);
                map.certified = certified;
                map.budget = budget;
                map.threads = threads[i];
                find(&s, &map);
                if (first)
                    assert_memory_equal(first, map.cells, 70 * 65 * sizeof *first);
                else
                    first = map.cells;
                if (i > 0) free(map.cells);
            }
            free(first);
        }
    }
    close_setup(&s);
}

/// A slide, a turn, two mimics of which one runs backwards, and a joint of the plane.
static const char many_joints[] =
    "<robot name='many'>"
    "<link name='base'><collision><geometry><box size='.3 .3 .1'/></geometry></collision></link>"
    "<link name='cart'><collision><geometry><cylinder radius='.06' length='.2'/></geometry>"
    "</collision></link>"
    "<link name='arm'><collision><origin xyz='.2 0 0'/><geometry><box size='.4 .05 .05'/></geometry>"
    "</collision></link>"
    "<link name='hand'><collision><origin xyz='.1 0 0'/><geometry><sphere radius='.06'/></geometry>"
    "</collision></link>"
    "<link name='other'><collision><origin xyz='.15 0 0' rpy='0 1.2 0'/><geometry><cylinder "
    "radius='.04' length='.3'/></geometry></collision></link>"
    "<joint name='drive' type='planar'><parent link='base'/><child link='cart'/>"
    "<origin xyz='0 0 .3' rpy='.1 .2 0'/><axis xyz='0 0 1'/></joint>"
    "<joint name='turn' type='revolute'><parent link='cart'/><child link='arm'/>"
    "<origin xyz='.1 0 0' rpy='.3 0 0'/><axis xyz='0 .6 .8'/>"
    "<limit lower='-2.5' upper='2' effort='1' velocity='1'/></joint>"
    "<joint name='slide' type='prismatic'><parent link='arm'/><child link='hand'/>"
    "<origin xyz='.4 0 0'/><axis xyz='1 0 0'/>"
    "<limit lower='-.1' upper='.4' effort='1' velocity='1'/><mimic joint='turn' multiplier='-.2' "
    "offset='.05'/></joint>"
    "<joint name='swing' type='continuous'><parent link='base'/><child link='other'/>"
    "<origin xyz='.3 .1 .3'/><axis xyz='0 0 1'/><mimic joint='turn' multiplier='1.5'/></joint>"
    "</robot>";

static void test_slides_mimics_and_planar_joints_are_bounded(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"turn", "drive/x"}, {"drive/angle", "turn"}, {"drive/y", "drive/angle"}};
    for (size_t i = 0; i < 3; i++) {
        setup s;
        open_text(&s, many_joints);
        graze_transform pose = graze_transform_identity();
        pose.m[3] = 0.5;
        pose.m[11] = 0.35;
        const double size[3] = {0.1, 0.5, 0.2};
        assert_int_equal(graze_world_add_box(s.world, "wall", size, &pose, NULL), GRAZE_OK);
        finish_setup(&s, i == 1 ? 0.01 : 0);
        s.q[graze_robot_find_q(s.robot, "drive/x")] = 0.1;
        s.q[graze_robot_find_q(s.robot, "turn")] = -1.2;
        graze_cspace map = map_of(&s, pairs[i][0], pairs[i][1], 60, 50);
        const double base[6] = {0.02, 0.01, 0, 0.1, 0, 0.2};
        map.base = base;
        map.certified = 1;
        graze_cspace_summary sum = find(&s, &map);
        check_middles(&s, &map, &sum);
        check_proofs(&s, &map, &sum, 20000);
        assert_true(sum.free_certified > 200 && sum.colliding_certified > 50);
        free(map.cells);
        close_setup(&s);
    }
}

/// A long paddle past a pin near its axis: seen from the paddle the pin moves little, and that is
/// the bound that counts. Adjacent links are not checked, so the carriage has a geometry of its
/// own.
static const char paddle_text[] =
    "<robot name='paddle'>"
    "<link name='base'><collision><origin xyz='.25 0 0'/><geometry><sphere radius='.03'/></geometry>"
    "</collision></link>"
    "<link name='carriage'><collision><origin xyz='0 0 -1'/><geometry><sphere radius='.01'/>"
    "</geometry></collision></link>"
    "<link name='paddle'><collision><geometry><box size='2 .05 .1'/></geometry></collision></link>"
    "<joint name='slide' type='prismatic'><parent link='base'/><child link='carriage'/>"
    "<axis xyz='0 1 0'/><limit lower='-.2' upper='.2' effort='1' velocity='1'/></joint>"
    "<joint name='turn' type='continuous'><parent link='carriage'/><child link='paddle'/>"
    "<axis xyz='0 0 1'/></joint></robot>";

static void test_the_side_that_moves_less_bounds_the_motion(void **state) {
    (void)state;
    setup s;
    open_text(&s, paddle_text);
    finish_setup(&s, 0);
    graze_cspace map = map_of(&s, "turn", "slide", 120, 60);
    map.certified = 1;
    graze_cspace_summary sum = find(&s, &map);
    check_middles(&s, &map, &sum);
    check_proofs(&s, &map, &sum, 30000);
    // By the paddle's own reach of a metre a cell's motion would be above 0.026 m, half the
    // thickness of the contact, and nothing near it would be proved.
    assert_true(sum.free_cells < 120 * 60 / 12);
    assert_true(sum.colliding_certified > sum.colliding_cells / 2);
    free(map.cells);
    close_setup(&s);
}

/// Two capsules in the plane z = 0 and a ball: the distances of two segments from its centre.
static const char arm_text[] =
    "<robot name='arm'><link name='base'/>"
    "<link name='first'><collision><origin xyz='.35 0 0' rpy='0 1.5707963267948966 0'/><geometry>"
    "<capsule radius='.05' length='.7'/></geometry></collision></link>"
    "<link name='second'><collision><origin xyz='.25 0 0' rpy='0 1.5707963267948966 0'/><geometry>"
    "<capsule radius='.05' length='.5'/></geometry></collision></link>"
    "<joint name='one' type='continuous'><parent link='base'/><child link='first'/>"
    "<axis xyz='0 0 1'/></joint>"
    "<joint name='two' type='continuous'><parent link='first'/><child link='second'/>"
    "<origin xyz='.7 0 0'/><axis xyz='0 0 1'/></joint></robot>";

/// The distance of a point from a segment.
static double segment_distance(double ax, double ay, double bx, double by, double px, double py) {
    double ex = bx - ax, ey = by - ay;
    double s = ((px - ax) * ex + (py - ay) * ey) / (ex * ex + ey * ey);
    s = fmin(fmax(s, 0), 1);
    return hypot(ax + s * ex - px, ay + s * ey - py);
}

static void test_an_arm_has_the_analytic_map_of_the_plane(void **state) {
    (void)state;
    enum { N = 160 };
    const double pi = 3.141592653589793;
    setup s;
    open_text(&s, arm_text);
    graze_transform pose = graze_transform_identity();
    pose.m[3] = 0.6;
    pose.m[7] = 0.5;
    assert_int_equal(graze_world_add_sphere(s.world, "ball", 0.2, &pose, NULL), GRAZE_OK);
    finish_setup(&s, 0);
    static double clearance[N * N];
    for (int i = 0; i < N * N; i++) {
        double q0 = -pi + (i % N + 0.5) * 2 * pi / N, q1 = q0 - pi + (i / N + 0.5) * 2 * pi / N;
        double x = 0.7 * cos(q0), y = 0.7 * sin(q0);
        double first = segment_distance(0, 0, x, y, 0.6, 0.5);
        double second = segment_distance(x, y, x + 0.5 * cos(q1), y + 0.5 * sin(q1), 0.6, 0.5);
        clearance[i] = fmin(first, second) - 0.25;
    }
    for (uint32_t certified = 0; certified < 2; certified++) {
        graze_cspace map = map_of(&s, "one", "two", N, N);
        map.certified = certified;
        graze_cspace_summary sum = find(&s, &map);
        size_t judged = 0;
        for (size_t i = 0; i < N * N; i++) {
            // The curved shapes of the engine are judged to 1e-9 m; the radii are decimal.
            if (fabs(clearance[i]) <= 2e-9) continue;
            judged++;
            assert_int_equal(colliding(&map.cells[i]), clearance[i] < 0);
        }
        assert_true(judged > N * N - 10);
        // What is proved of a cell is so at its corners: nearer than half a cell's motion to
        // contact nothing can be proved, and the bound is not looser than twice that.
        if (certified) {
            for (size_t i = 0; i < N * N; i++) {
                if (map.cells[i].state == GRAZE_CSPACE_FREE && clearance[i] > 0)
                    assert_true(clearance[i] < 2 * (1.25 + 0.55) * pi / N);
            }
            assert_true(sum.colliding_certified > sum.colliding_cells);
        }
        free(map.cells);
    }
    close_setup(&s);
}

static void test_cells_outside_the_limits_say_so_and_are_judged(void **state) {
    (void)state;
    setup s;
    open_file(&s, "two_link", "table");
    graze_cspace map = map_of(&s, "shoulder_joint", "elbow_joint", 40, 40);
    for (int side = 0; side < 2; side++) {
        map.ranges[side][0] = -4;
        map.ranges[side][1] = 4;
    }
    graze_cspace_summary sum = find(&s, &map);
    check_middles(&s, &map, &sum);
    uint64_t outside = 0;
    for (uint32_t i = 0; i < 1600; i++) {
        double a = -4 + (i % 40 + 0.5) * 0.2, b = -4 + (i / 40 + 0.5) * 0.2;
        bool out = fabs(a) > 3.1 || fabs(b) > 3.05;
        // Middles at 3.1 are in the limit or out by rounding.
        if (fabs(fabs(a) - 3.1) > 1e-9) assert_int_equal(map.cells[i].outside, out);
        outside += map.cells[i].outside;
    }
    assert_int_equal(sum.outside, outside);
    free(map.cells);
    close_setup(&s);
}

// ----------------------------------------------------------------------------- what ends a map

static void count_calls(uint64_t done, uint64_t total, void *user) {
    uint64_t *seen = user;
    assert_true(done >= seen[0] && done <= total);
    seen[0] = done;
    seen[1]++;
}

static void test_a_budget_leaves_the_rest_undecided(void **state) {
    (void)state;
    setup s;
    open_file(&s, "six_axis", "table");
    uint64_t seen[2] = {0, 0};
    for (uint32_t certified = 0; certified < 2; certified++) {
        graze_cspace map = map_of(&s, "joint_2", "joint_3", 128, 100);
        map.certified = certified;
        map.budget = 1000;
        map.progress = count_calls;
        map.user = seen;
        seen[0] = 0;
        graze_cspace_summary sum = find(&s, &map);
        assert_int_equal(sum.checks, 1000);
        if (!certified) assert_int_equal(sum.undecided, 128 * 100 - 1000);
        assert_true(sum.undecided > 0 && seen[1] > 0);
        assert_int_equal(seen[0], 128 * 100 - sum.undecided);
        for (size_t i = 0; i < 128 * 100; i++)
            if (colliding(&map.cells[i])) assert_true(map.cells[i].link >= 0);
        free(map.cells);
    }
    close_setup(&s);
}

static void test_a_cancelled_map_says_so(void **state) {
    (void)state;
    setup s;
    open_file(&s, "six_axis", "table");
    volatile int stop = 1;
    for (uint32_t certified = 0; certified < 2; certified++) {
        graze_cspace map = map_of(&s, "joint_2", "joint_3", 64, 64);
        map.certified = certified;
        map.cancel = &stop;
        graze_error error;
        assert_int_equal(graze_cspace_map(s.checker, &map, NULL, &error), GRAZE_ERROR_CANCELLED);
        for (size_t i = 0; i < 64 * 64; i++)
            assert_int_equal(map.cells[i].state, GRAZE_CSPACE_UNDECIDED);
        free(map.cells);
    }
    close_setup(&s);
}

/// A map of 16384 x 16384 cells with a budget of 10 wrote, and paged in, 3.2 GB.
static void test_a_spent_budget_leaves_rows_alone(void **state) {
    (void)state;
    setup s;
    open_file(&s, "six_axis", "table");
    for (uint32_t certified = 0; certified < 2; certified++) {
        graze_cspace whole = map_of(&s, "joint_2", "joint_3", 48, 200);
        whole.certified = certified;
        whole.budget = 60;
        graze_cspace some = map_of(&s, "joint_2", "joint_3", 48, 200);
        some.certified = certified;
        some.budget = 60;
        uint8_t rows[200];
        memset(rows, 7, sizeof rows);
        memset(some.cells, 0x55, 48 * 200 * sizeof *some.cells);
        some.rows = rows;
        graze_cspace_summary a, b;
        assert_int_equal(graze_cspace_map(s.checker, &whole, &a, NULL), GRAZE_OK);
        assert_int_equal(graze_cspace_map(s.checker, &some, &b, NULL), GRAZE_OK);
        assert_memory_equal(&a, &b, sizeof a);
        int written = 0;
        for (size_t i = 0; i < 48 * 200; i++) {
            const graze_cspace_cell *x = &whole.cells[i], *y = &some.cells[i];
            assert_true(rows[i / 48] < 2);
            written += rows[i / 48];
            if (rows[i / 48]) assert_memory_equal(x, y, sizeof *x);
            if (rows[i / 48]) continue;
            assert_int_equal(x->state, GRAZE_CSPACE_UNDECIDED);
            assert_int_equal(y->link, 0x55555555);
        }
        assert_true(written > 0 && written < 48 * 200);
        free(whole.cells);
        free(some.cells);
    }
    close_setup(&s);
}

static void expect(const setup *s, const graze_cspace *map, graze_status wanted, const char *text) {
    graze_error error = {0};
    assert_int_equal(graze_cspace_map(s->checker, map, NULL, &error), wanted);
    if (!strstr(error.message, text)) fail_msg("'%s' lacks '%s'", error.message, text);
}

static void test_what_is_wrong_is_refused(void **state) {
    (void)state;
    setup s;
    open_text(&s, many_joints);
    finish_setup(&s, 0);
    graze_cspace good = map_of(&s, "turn", "drive/x", 8, 8), map;
    expect(&s, NULL, GRAZE_ERROR_ARGUMENT, "NULL");
    map = good, map.struct_size = 0;
    expect(&s, &map, GRAZE_ERROR_ARGUMENT, "struct_size");
    map = good, map.cells = NULL;
    expect(&s, &map, GRAZE_ERROR_ARGUMENT, "cells");
    map = good, map.columns[0] = -1;
    expect(&s, &map, GRAZE_ERROR_ARGUMENT, "columns[0] is -1");
    map = good, map.columns[1] = (int32_t)s.size;
    expect(&s, &map, GRAZE_ERROR_ARGUMENT, "columns[1]");
    map = good, map.columns[1] = map.columns[0];
    expect(&s, &map, GRAZE_ERROR_ARGUMENT, "both columns are 'turn'");
    map = good, map.width = 0;
    expect(&s, &map, GRAZE_ERROR_RANGE, "width is 0");
    map = good, map.height = GRAZE_CSPACE_SIZE_MAX + 1;
    expect(&s, &map, GRAZE_ERROR_RANGE, "height");
    map = good, map.ranges[0][0] = 3;
    expect(&s, &map, GRAZE_ERROR_RANGE, "the range of 'turn'");
    map = good, map.ranges[1][1] = INFINITY;
    expect(&s, &map, GRAZE_ERROR_RANGE, "the range of 'drive/x'");
    double q[32] = {0};
    q[graze_robot_find_q(s.robot, "drive/y")] = NAN;
    map = good, map.q = q;
    expect(&s, &map, GRAZE_ERROR_RANGE, "");
    for (size_t i = 0; i < 64; i++) assert_int_equal(map.cells[i].state, GRAZE_CSPACE_UNDECIDED);
    graze_checker_options rules = graze_checker_options_default();
    rules.level = GRAZE_LEVEL_BOUNDS;
    graze_checker_free(s.checker);
    assert_int_equal(graze_checker_create(&s.checker, s.robot, s.world, &rules, NULL), GRAZE_OK);
    map = good, map.certified = 1;
    expect(&s, &map, GRAZE_ERROR_UNSUPPORTED, "bounding volumes");
    free(good.cells);
    close_setup(&s);
}

static void test_every_allocation_that_fails_is_said(void **state) {
    (void)state;
#ifdef GRAZE_FAULTS
    setup s;
    open_file(&s, "two_link", "table");
    graze_cspace map = map_of(&s, "shoulder_joint", "elbow_joint", 12, 12);
    map.certified = 1;
    long n = 1;
    for (;; n += 1 + n / TRIALS(32, 6)) {
        graze_error error = {0};
        gz_memory_fail_after(n, true);
        graze_status status = graze_cspace_map(s.checker, &map, NULL, &error);
        long used = gz_memory_allocation_count();
        gz_memory_fail_after(0, false);
        if (status == GRAZE_OK && used < n) break;
        // Batches go on without the memory of their filter.
        if (status == GRAZE_OK) continue;
        assert_int_equal(status, GRAZE_ERROR_NO_MEMORY);
        for (size_t i = 0; used > 7 && i < 144; i++)
            assert_int_equal(map.cells[i].state, GRAZE_CSPACE_UNDECIDED);
        if (n > 20000) fail_msg("no end of allocations");
    }
    assert_true(n > 50);
    free(map.cells);
    close_setup(&s);
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_middle_has_the_verdict_and_the_first_pair_of_a_check),
        cmocka_unit_test(test_certified_maps_have_the_same_verdicts_and_proofs_hold),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_slides_mimics_and_planar_joints_are_bounded),
        cmocka_unit_test(test_the_side_that_moves_less_bounds_the_motion),
        cmocka_unit_test(test_an_arm_has_the_analytic_map_of_the_plane),
        cmocka_unit_test(test_cells_outside_the_limits_say_so_and_are_judged),
        cmocka_unit_test(test_a_budget_leaves_the_rest_undecided),
        cmocka_unit_test(test_a_cancelled_map_says_so),
        cmocka_unit_test(test_a_spent_budget_leaves_rows_alone),
        cmocka_unit_test(test_what_is_wrong_is_refused),
        cmocka_unit_test(test_every_allocation_that_fails_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
