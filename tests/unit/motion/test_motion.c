// Certified motion where the truth is known by hand: a slider and a swinging rod, plates as thin as
// a nanometre, gaps as small.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "graze/graze.h"
#include "unit/motion/slider_fixture.h"
#include "unit/trials.h"

static void set_up(fixture *f, const double size[3], double x, double y, double z) {
    set_up_inside(f, size, x, y, z, 0);
}

static graze_motion_report move(fixture *f, double x0, double turn0, double x1, double turn1) {
    const double from[2] = {x0, turn0}, to[2] = {x1, turn1};
    graze_motion_report report;
    assert_int_equal(graze_check_motion(f->checker, f->motion, from, to, 2, NULL, NULL, &f->options,
                                        &report, NULL),
                     GRAZE_OK);
    return report;
}

static bool collides(fixture *f, double x, double turn) {
    const double q[2] = {x, turn};
    graze_report report = {0};
    assert_int_equal(
        graze_check(f->checker, f->workspace, GRAZE_ANSWER_ANY, q, 2, NULL, &report, NULL),
        GRAZE_OK);
    return report.verdict == GRAZE_COLLISION;
}

static void test_a_way_with_space_is_free(void **state) {
    (void)state;
    fixture f;
    set_up(&f, (const double[]){1, 1, 1}, 0, 3, 0);
    graze_motion_report r = move(&f, -1, 0, 1, 2);
    assert_int_equal(r.verdict, GRAZE_MOTION_FREE);
    assert_true(r.earliest == 1 && r.latest == 1);
    tear_down(&f);
}

// Plates across the way: a collision of the cube for a moment of its motion, between free ends.
static void test_no_plate_is_too_thin_to_be_met(void **state) {
    (void)state;
    for (double thick = 1e-3; thick > 5e-10; thick /= 10) {
        fixture f;
        set_up(&f, (const double[]){thick, 4, 4}, 0.123, 0, 0);
        f.options.answer = GRAZE_MOTION_FIRST;
        f.options.width = 1e-6;
        graze_motion_report r = move(&f, -2, 1, 2, 1);
        // The cube's face meets it first: the needle's tip is at 0.8 cos 1 = 0.43 m, and later.
        assert_int_equal(r.verdict, GRAZE_MOTION_HIT);
        assert_true(r.latest - r.earliest <= 1e-6);
        double tip = 0.8 * cos(1) + 0.001 * sin(1);
        double contact = (0.123 - thick / 2 - tip + 2) / 4;
        assert_true(r.earliest <= contact + 1e-12 && r.latest >= contact - 1e-12);
        assert_true(collides(&f, -2 + 4 * r.latest, 1));
        tear_down(&f);
    }
}

// A needle that sweeps across a plate on edge, and past it where the plate is a little farther out.
static void test_no_plate_is_too_thin_for_a_turn(void **state) {
    (void)state;
    for (double thick = 1e-3; thick > 5e-10; thick /= 10) {
        fixture f;
        set_up(&f, (const double[]){1, thick, 1}, 1.29, 0, 0.3);
        // The tip is at hypot(0.8, 0.001); the plate begins at 0.79.
        graze_motion_report r = move(&f, 0, -1, 0, 1);
        assert_int_equal(r.verdict, GRAZE_MOTION_HIT);
        assert_true(collides(&f, 0, -1 + 2 * r.latest));
        // Sliding at once.
        r = move(&f, -0.1, -1, 0.3, 1.05);
        assert_int_equal(r.verdict, GRAZE_MOTION_HIT);
        tear_down(&f);
        set_up(&f, (const double[]){1, thick, 1}, 0.5 + hypot(0.8, 0.001) + 1e-5, 0, 0.3);
        assert_int_equal(move(&f, 0, -1, 0, 1).verdict, GRAZE_MOTION_FREE);
        tear_down(&f);
    }
}

// A cube that slides along a wall: no gap is called free unless it is proved.
static void test_gaps_are_free_down_to_some_nanometres(void **state) {
    (void)state;
    static const double gaps[] = {1e-3, 1e-5, 1e-7, 1e-10, 0, -1e-10};
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        fixture f;
        set_up(&f, (const double[]){1, 1, 0.1}, 0, 0.6 + gaps[i], 0);
        f.options.resolution = 1e-9;
        f.options.budget = 0;
        graze_motion_report r = move(&f, 0, -1.5, 0.0002, -1.5);
        if (gaps[i] > 1e-8)
            assert_int_equal(r.verdict, GRAZE_MOTION_FREE);
        else if (gaps[i] > 0)
            assert_int_equal(r.verdict, GRAZE_MOTION_UNDECIDED);
        else
            assert_int_equal(r.verdict, GRAZE_MOTION_HIT);
        tear_down(&f);
    }
}

static void test_the_ends_belong_to_the_motion(void **state) {
    (void)state;
    fixture f;
    set_up(&f, (const double[]){0.1, 4, 4}, 1, 0, 0);
    graze_motion_report r = move(&f, 1, 1.5, 0, 1.5);
    assert_int_equal(r.verdict, GRAZE_MOTION_HIT);
    assert_true(r.earliest == 0 && r.latest == 0);
    r = move(&f, 0, 1.5, 0.85, 1.5);
    assert_int_equal(r.verdict, GRAZE_MOTION_HIT);
    assert_string_equal(graze_contact_other_name(f.checker, &r.contact), "plate");
    // All of it collides: any place will do, or the begin is the first.
    r = move(&f, 1, 1.5, 1.01, 1.5);
    assert_int_equal(r.verdict, GRAZE_MOTION_HIT);
    assert_true(r.earliest == 0 && collides(&f, 1 + 0.01 * r.latest, 1.5));
    f.options.answer = GRAZE_MOTION_FIRST;
    r = move(&f, 1, 1.5, 1.01, 1.5);
    assert_int_equal(r.verdict, GRAZE_MOTION_HIT);
    assert_true(r.earliest == 0 && r.latest == 0);
    // The end alone.
    r = move(&f, 0, 1.5, 0.85, 1.5);
    assert_int_equal(r.verdict, GRAZE_MOTION_HIT);
    assert_true(r.latest > 0.9 && r.latest - r.earliest <= f.options.width);
    f.options.answer = GRAZE_MOTION_ANY;
    // A motion of no length.
    assert_int_equal(move(&f, 0, 1.5, 0, 1.5).verdict, GRAZE_MOTION_FREE);
    tear_down(&f);
}

static void test_a_circle_turns_as_told(void **state) {
    (void)state;
    fixture f;
    // In the needle's way at the angle pi / 2.
    set_up(&f, (const double[]){0.05, 0.05, 0.05}, 0, 0.5, 0.3);
    assert_int_equal(move(&f, 0, 0.5, 0, -2.7).verdict, GRAZE_MOTION_HIT); // over pi: the other way
    f.options.turn = GRAZE_TURN_AS_GIVEN;
    assert_int_equal(move(&f, 0, 0.5, 0, -2.7).verdict, GRAZE_MOTION_FREE);
    assert_int_equal(move(&f, 0, 1.8, 0, 1.8 - 6.2).verdict, GRAZE_MOTION_HIT);
    tear_down(&f);
}

// The base goes through the plate while q stands still.
static void test_the_base_moves_too(void **state) {
    (void)state;
    fixture f;
    set_up(&f, (const double[]){1e-6, 4, 4}, 1.6, 0, 0);
    const double q[2] = {0, 0}, near[6] = {0, 0, 0, 0, 0, 3}, far[6] = {0.5, 0.2, 0.1, 0, 0, 3.1},
                 through[6] = {4, 0, 0, 0, 0, -3};
    graze_motion_report r;
    assert_int_equal(graze_check_motion(f.checker, f.motion, q, q, 2, near, far, NULL, &r, NULL),
                     GRAZE_OK);
    assert_int_equal(r.verdict, GRAZE_MOTION_FREE);
    assert_int_equal(
        graze_check_motion(f.checker, f.motion, q, q, 2, near, through, NULL, &r, NULL), GRAZE_OK);
    assert_int_equal(r.verdict, GRAZE_MOTION_HIT);
    // A turn alone: the needle sweeps through the plate's edge.
    const double turned[6] = {0.9, 0, 0, 0, 0, 1.2}, back[6] = {0.9, 0, 0, 0, 0, -1.2};
    assert_int_equal(graze_check_motion(f.checker, f.motion, q, q, 2, turned, back, NULL, &r, NULL),
                     GRAZE_OK);
    assert_int_equal(r.verdict, GRAZE_MOTION_HIT);
    tear_down(&f);
}

// A base that leaves the boundary collides from there on, though nothing is near.
static void test_the_first_exit_of_the_boundary_is_found(void **state) {
    (void)state;
    fixture f;
    set_up(&f, (const double[]){1, 1, 1}, 0, 3, 0);
    graze_world *bounded;
    graze_checker *checker;
    graze_motion_workspace *motion;
    assert_int_equal(graze_world_create(&bounded, "b", NULL), GRAZE_OK);
    assert_int_equal(graze_world_set_boundary(bounded, (const double[]){-1, -1, -1},
                                              (const double[]){1, 1, 1}, NULL),
                     GRAZE_OK);
    assert_int_equal(graze_world_commit(bounded, NULL), GRAZE_OK);
    assert_int_equal(graze_checker_create(&checker, f.robot, bounded, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_motion_workspace_create(&motion, checker, NULL), GRAZE_OK);
    const double q[2] = {0, 0}, from[6] = {0}, to[6] = {0.5, 1.5, 0, 0, 0, 0};
    graze_motion_report r;
    f.options.answer = GRAZE_MOTION_FIRST;
    assert_int_equal(graze_check_motion(checker, motion, q, q, 2, from, to, &f.options, &r, NULL),
                     GRAZE_OK);
    assert_int_equal(r.verdict, GRAZE_MOTION_HIT);
    assert_int_equal(r.contact.kind, GRAZE_CONTACT_BOUNDARY);
    assert_true(r.earliest <= 1 / 1.5 && r.latest >= 1 / 1.5 && r.latest - r.earliest <= 1e-3);
    graze_motion_workspace_free(motion);
    graze_checker_free(checker);
    graze_world_free(bounded);
    tear_down(&f);
}

static void test_a_spent_budget_is_never_free(void **state) {
    (void)state;
    fixture f;
    set_up(&f, (const double[]){1, 1, 0.1}, 0, 0.6 + 1e-4, 0);
    for (uint64_t budget = 1; budget < 200; budget += 7) {
        f.options.budget = budget;
        graze_motion_report r = move(&f, 0, -1.5, 0.5, -1.5);
        assert_int_equal(r.verdict, GRAZE_MOTION_UNDECIDED);
        assert_true(r.spent && r.earliest < 1 && r.earliest <= r.latest);
        assert_string_equal(graze_contact_link_name(f.checker, &r.contact), "cube");
    }
    f.options.budget = 0;
    assert_int_equal(move(&f, 0, -1.5, 0.5, -1.5).verdict, GRAZE_MOTION_FREE);
    tear_down(&f);
}

static void test_one_motion_is_cancelled_amid_its_intervals(void **state) {
    (void)state;
    fixture f;
    set_up(&f, (const double[]){1, 1, 0.1}, 0, 0.6 + 1e-4, 0);
    const double q[2][2] = {{0, -1.5}, {0.5, -1.5}};
    const volatile int cancel = 1;
    graze_motion_report r;
    graze_error error;
    f.options.cancel = &cancel;
    assert_int_equal(
        graze_check_motion(f.checker, f.motion, q[0], q[1], 2, NULL, NULL, &f.options, &r, &error),
        GRAZE_ERROR_CANCELLED);
    assert_int_equal(r.verdict, GRAZE_MOTION_UNKNOWN);
    f.options.cancel = NULL;
    assert_int_equal(move(&f, 0, -1.5, 0.5, -1.5).verdict, GRAZE_MOTION_FREE);
    tear_down(&f);
}

// What is said to be free up to `earliest` is, and the first collision is behind it.
static void test_random_motions_against_dense_checks(void **state) {
    (void)state;
    fixture f;
    set_up(&f, (const double[]){0.3, 0.1, 1}, 0.4, 0.5, 0);
    size_t free = 0, hit = 0;
    for (uint64_t i = 0; i < TRIALS(600, 40); i++) {
        gz_random random = gz_random_make(7, i);
        double x0 = gz_random_range(&random, -1, 1), x1 = gz_random_range(&random, -1, 1),
               a0 = gz_random_range(&random, -1, 1.5), a1 = gz_random_range(&random, -1, 1.5);
        f.options.answer = i % 2 ? GRAZE_MOTION_FIRST : GRAZE_MOTION_ANY;
        graze_motion_report r = move(&f, x0, a0, x1, a1);
        double end = r.verdict == GRAZE_MOTION_FREE ? 1 : r.earliest;
        free += r.verdict == GRAZE_MOTION_FREE;
        hit += r.verdict == GRAZE_MOTION_HIT;
        for (int k = 0; k < 100; k++) {
            double t = end * k / 100;
            if (t < end) assert_false(collides(&f, x0 + t * (x1 - x0), a0 + t * (a1 - a0)));
        }
        if (r.verdict == GRAZE_MOTION_HIT)
            assert_true(collides(&f, x0 + r.latest * (x1 - x0), a0 + r.latest * (a1 - a0)) ||
                        r.latest == 1);
        if (r.verdict == GRAZE_MOTION_HIT && i % 2)
            assert_true(r.latest - r.earliest <= f.options.width);
    }
    assert_true(free > TRIALS(100, 5) && hit > TRIALS(100, 5));
    tear_down(&f);
}

// A body that flies, a pair of jaws of which one mimics the other, and a cart in the plane.
static const char flying[] =
    "<robot name='r'><link name='base'/><link name='cart'/>"
    "<link name='body'><collision><geometry><box size='0.3 0.05 0.1'/></geometry></collision>"
    "</link><link name='left'><collision><origin xyz='0.1 0 0'/><geometry>"
    "<box size='0.2 0.01 0.05'/></geometry></collision></link>"
    "<link name='right'><collision><origin xyz='0.1 0 0'/><geometry>"
    "<cylinder radius='0.01' length='0.2'/></geometry></collision></link>"
    "<joint name='ground' type='planar'><parent link='base'/><child link='cart'/>"
    "<axis xyz='0 0 1'/></joint>"
    "<joint name='fly' type='floating'><parent link='cart'/><child link='body'/></joint>"
    "<joint name='jaw' type='revolute'><origin xyz='0.2 0.06 0'/><parent link='body'/>"
    "<child link='left'/><axis xyz='0 0 1'/>"
    "<limit lower='-2' upper='2' effort='1' velocity='1'/></joint>"
    "<joint name='mimic' type='revolute'><origin xyz='0.2 -0.06 0'/><parent link='body'/>"
    "<child link='right'/><axis xyz='0 0.6 0.8'/><mimic joint='jaw' multiplier='-1.5'/>"
    "<limit lower='-4' upper='4' effort='1' velocity='1'/></joint></robot>";

static void draw(gz_random *random, double *q) {
    for (int i = 0; i < 11; i++) q[i] = gz_random_range(random, -0.6, 0.6);
}

// Ten boxes and a cloud around it: nothing on a free way collides.
static void test_every_kind_of_joint_against_dense_checks(void **state) {
    (void)state;
    fixture f;
    double points[30], size[3] = {0.1, 0.2, 0.3};
    gz_random random = gz_random_make(3, 3);
    assert_int_equal(
        graze_robot_load_urdf_memory(&f.robot, flying, strlen(flying), "robot", NULL, NULL, NULL),
        GRAZE_OK);
    assert_int_equal(graze_robot_q_size(f.robot), 11);
    assert_int_equal(graze_world_create(&f.world, "w", NULL), GRAZE_OK);
    for (int i = 0; i < 10; i++) {
        graze_transform pose = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
        char name[8] = {'o', (char)('0' + i)};
        for (int k = 0; k < 3; k++) {
            pose.m[4 * k + 3] = gz_random_range(&random, -1.2, 1.2);
            points[3 * i + k] = gz_random_range(&random, -1.2, 1.2);
        }
        assert_int_equal(graze_world_add_box(f.world, name, size, &pose, NULL), GRAZE_OK);
    }
    assert_int_equal(graze_world_add_points(f.world, "cloud", points, 10, 0.03, NULL, NULL),
                     GRAZE_OK);
    assert_int_equal(graze_world_commit(f.world, NULL), GRAZE_OK);
    assert_int_equal(graze_checker_create(&f.checker, f.robot, f.world, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&f.workspace, f.checker, NULL), GRAZE_OK);
    assert_int_equal(graze_motion_workspace_create(&f.motion, f.checker, NULL), GRAZE_OK);
    size_t free = 0, cloud = 0;
    for (uint64_t i = 0; i < TRIALS(1500, 60); i++) {
        double from[11], to[11], q[11], base[2][6];
        random = gz_random_make(11, i);
        draw(&random, from);
        draw(&random, to);
        for (int k = 0; k < 12; k++) base[k / 6][k % 6] = gz_random_range(&random, -0.4, 0.4);
        f.options = graze_motion_options_default();
        f.options.answer = i % 2 ? GRAZE_MOTION_FIRST : GRAZE_MOTION_ANY;
        graze_motion_report r;
        assert_int_equal(graze_check_motion(f.checker, f.motion, from, to, 11, base[0], base[1],
                                            &f.options, &r, NULL),
                         GRAZE_OK);
        double end = r.verdict == GRAZE_MOTION_FREE ? 1 : r.earliest;
        free += r.verdict == GRAZE_MOTION_FREE;
        if (r.verdict == GRAZE_MOTION_HIT)
            cloud += strcmp(graze_contact_other_name(f.checker, &r.contact), "cloud") == 0;
        for (int k = 0; k < 100; k++) {
            double t = end * k / 100, b[6];
            graze_report report = {0};
            if (!(t < end)) continue;
            graze_robot_interpolate(f.robot, from, to, 11, GRAZE_TURN_SHORTER, t, q, NULL);
            for (int j = 0; j < 6; j++) b[j] = base[0][j] + t * (base[1][j] - base[0][j]);
            assert_int_equal(
                graze_check(f.checker, f.workspace, GRAZE_ANSWER_ANY, q, 11, b, &report, NULL),
                GRAZE_OK);
            assert_int_equal(report.verdict, GRAZE_FREE);
        }
    }
    assert_true(free > TRIALS(100, 2) && cloud > TRIALS(20, 0));
    tear_down(&f);
}

// Eight ways along a row of places, two of which go through the plate.
static void test_batches_and_paths(void **state) {
    (void)state;
    fixture f;
    set_up(&f, (const double[]){0.01, 0.5, 4}, 1.5, 0, 0);
    const double xs[9] = {0, -1, -0.5, -2, 0.2, 0.1, 3, -1, 0};
    double q[18], earliest[9], latest[9];
    uint8_t verdicts[9];
    size_t first;
    for (int i = 0; i < 9; i++) {
        q[2 * i] = xs[i];
        q[2 * i + 1] = 3;
    }
    graze_motion_batch b = graze_motion_batch_default();
    b.rows = 9;
    b.count = 8;
    b.q = q;
    b.verdicts = verdicts;
    b.earliest = earliest;
    b.latest = latest;
    for (uint32_t threads = 1; threads <= 3; threads++) {
        b.threads = threads;
        b.stop = 0;
        assert_int_equal(graze_check_motion_batch(f.checker, &b, &first, NULL), GRAZE_OK);
        assert_int_equal(first, 5);
        for (int i = 0; i < 8; i++) {
            graze_motion_report r = move(&f, xs[i], 3, xs[i + 1], 3);
            assert_int_equal(verdicts[i], i == 5 || i == 6 ? GRAZE_MOTION_HIT : GRAZE_MOTION_FREE);
            assert_int_equal(verdicts[i], r.verdict);
            assert_true(earliest[i] == r.earliest && latest[i] == r.latest);
        }
        b.stop = 1;
        assert_int_equal(graze_check_motion_batch(f.checker, &b, &first, NULL), GRAZE_OK);
        assert_int_equal(first, 5);
        assert_int_equal(verdicts[5], GRAZE_MOTION_HIT);
        assert_int_equal(verdicts[6], GRAZE_MOTION_UNKNOWN);
        assert_int_equal(verdicts[7], GRAZE_MOTION_UNKNOWN);
    }
    // By index, with one that cannot be checked.
    const uint32_t ends[6] = {0, 8, 1, 3, 4, 2};
    graze_error error;
    b.ends = ends;
    b.count = 3;
    b.stop = 0;
    assert_int_equal(graze_check_motion_batch(f.checker, &b, &first, &error), GRAZE_OK);
    assert_int_equal(first, 3);
    q[6] = NAN;
    assert_int_equal(graze_check_motion_batch(f.checker, &b, &first, &error), GRAZE_ERROR_RANGE);
    assert_string_equal(error.element, "motion 1");
    assert_int_equal(first, 1);
    assert_int_equal(verdicts[1], GRAZE_MOTION_UNKNOWN);
    assert_int_equal(verdicts[2], GRAZE_MOTION_FREE);
    b.rows = 8;
    assert_int_equal(graze_check_motion_batch(f.checker, &b, &first, &error), GRAZE_ERROR_ARGUMENT);
    b.ends = NULL;
    b.count = 8;
    assert_int_equal(graze_check_motion_batch(f.checker, &b, &first, &error), GRAZE_ERROR_ARGUMENT);
    b.rows = 9;
    const volatile int cancel = 1;
    b.cancel = &cancel;
    assert_int_equal(graze_check_motion_batch(f.checker, &b, NULL, NULL), GRAZE_ERROR_CANCELLED);
    assert_int_equal(verdicts[0], GRAZE_MOTION_UNKNOWN);
    tear_down(&f);
}

static void test_arguments(void **state) {
    (void)state;
    fixture f;
    set_up(&f, (const double[]){1, 1, 1}, 0, 3, 0);
    const double q[2] = {0, 0}, bad[2] = {NAN, 0}, far[6] = {99.9, 0, 0, 0, 0, 0};
    graze_motion_report r;
    graze_error error;
#define QUERY(c, w, a, b, n, base)                                                                 \
    graze_check_motion(c, w, a, b, n, base, NULL, &f.options, &r, &error)
    assert_int_equal(QUERY(NULL, f.motion, q, q, 2, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(QUERY(f.checker, NULL, q, q, 2, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(QUERY(f.checker, f.motion, NULL, q, 2, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(QUERY(f.checker, f.motion, q, q, 3, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(QUERY(f.checker, f.motion, q, bad, 2, NULL), GRAZE_ERROR_RANGE);
    assert_int_equal(r.verdict, GRAZE_MOTION_UNKNOWN);
    assert_int_equal(QUERY(f.checker, f.motion, q, q, 2, far), GRAZE_ERROR_RANGE);
    f.options.width = 0;
    assert_int_equal(QUERY(f.checker, f.motion, q, q, 2, NULL), GRAZE_ERROR_RANGE);
    f.options.width = 1;
    f.options.resolution = NAN;
    assert_int_equal(QUERY(f.checker, f.motion, q, q, 2, NULL), GRAZE_ERROR_RANGE);
    f.options.resolution = 1;
    f.options.answer = (graze_motion_answer)7;
    assert_int_equal(QUERY(f.checker, f.motion, q, q, 2, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_motion_workspace_create(NULL, f.checker, NULL), GRAZE_ERROR_ARGUMENT);
    graze_checker *bounds;
    graze_motion_workspace *none;
    graze_checker_options rules = graze_checker_options_default();
    rules.level = GRAZE_LEVEL_BOUNDS;
    assert_int_equal(graze_checker_create(&bounds, f.robot, f.world, &rules, NULL), GRAZE_OK);
    assert_int_equal(graze_motion_workspace_create(&none, bounds, NULL), GRAZE_ERROR_UNSUPPORTED);
    assert_null(none);
    graze_checker_free(bounds);
    graze_motion_workspace_free(NULL);
    tear_down(&f);
}

// What a report says of `latest` can be checked where the base moves, too.
static void test_the_base_of_a_motion_is_the_one_that_is_checked(void **state) {
    (void)state;
    fixture f;
    set_up(&f, (const double[]){0.2, 0.2, 2}, 0.9, 0.3, 0);
    gz_random random = {.state = 21};
    int hits = 0;
    for (int trial = 0; trial < 200; trial++) {
        double from[6], to[6], base[6];
        const double q[2] = {0, gz_random_range(&random, -3, 3)};
        for (int k = 0; k < 6; k++) {
            from[k] = gz_random_range(&random, k < 3 ? -1 : -9, k < 3 ? 1 : 9);
            to[k] = k == 1 ? from[k] : gz_random_range(&random, k < 3 ? -1 : -9, k < 3 ? 1 : 9);
        }
        f.options.turn = trial % 2 ? GRAZE_TURN_SHORTER : GRAZE_TURN_AS_GIVEN;
        for (int end = 0; end < 2; end++) {
            assert_int_equal(graze_motion_base(from, to, f.options.turn, end, base, NULL),
                             GRAZE_OK);
            assert_memory_equal(base, end ? to : from, sizeof base);
        }
        graze_motion_report r;
        graze_report report = {0};
        assert_int_equal(
            graze_check_motion(f.checker, f.motion, q, q, 2, from, to, &f.options, &r, NULL),
            GRAZE_OK);
        assert_int_equal(graze_motion_base(from, to, f.options.turn, r.latest, base, NULL),
                         GRAZE_OK);
        assert_true(base[1] == from[1]);
        if (r.verdict != GRAZE_MOTION_HIT) continue;
        assert_int_equal(
            graze_check(f.checker, f.workspace, GRAZE_ANSWER_ANY, q, 2, base, &report, NULL),
            GRAZE_OK);
        assert_int_equal(report.verdict, GRAZE_COLLISION);
        hits++;
    }
    assert_true(hits > 20);
    graze_error error;
    double base[6];
    assert_int_equal(graze_motion_base(NULL, NULL, GRAZE_TURN_SHORTER, 0.5, base, &error),
                     GRAZE_OK);
    assert_true(base[0] == 0 && base[5] == 0);
    assert_int_equal(graze_motion_base(NULL, NULL, GRAZE_TURN_SHORTER, 1.5, base, &error),
                     GRAZE_ERROR_RANGE);
    assert_int_equal(graze_motion_base(NULL, NULL, (graze_turn)7, 0.5, base, &error),
                     GRAZE_ERROR_ARGUMENT);
    base[2] = NAN;
    assert_int_equal(graze_motion_base(base, NULL, GRAZE_TURN_SHORTER, 0.5, base, &error),
                     GRAZE_ERROR_RANGE);
    tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_way_with_space_is_free),
        cmocka_unit_test(test_no_plate_is_too_thin_to_be_met),
        cmocka_unit_test(test_no_plate_is_too_thin_for_a_turn),
        cmocka_unit_test(test_gaps_are_free_down_to_some_nanometres),
        cmocka_unit_test(test_the_ends_belong_to_the_motion),
        cmocka_unit_test(test_a_circle_turns_as_told),
        cmocka_unit_test(test_the_base_moves_too),
        cmocka_unit_test(test_the_first_exit_of_the_boundary_is_found),
        cmocka_unit_test(test_a_spent_budget_is_never_free),
        cmocka_unit_test(test_one_motion_is_cancelled_amid_its_intervals),
        cmocka_unit_test(test_random_motions_against_dense_checks),
        cmocka_unit_test(test_every_kind_of_joint_against_dense_checks),
        cmocka_unit_test(test_batches_and_paths),
        cmocka_unit_test(test_the_base_of_a_motion_is_the_one_that_is_checked),
        cmocka_unit_test(test_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
