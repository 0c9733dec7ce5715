// Objects that move while the robot does: truths known by hand, plates as thin as a nanometre that
// fly through it, and samples in worlds that are moved as graze_world_revise() moves them.
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

/// What one motion is asked about.
typedef struct way {
    double from[2], to[2], from_base[6], to_base[6];
    graze_moving_object moving[4];
    size_t moving_count;
} way;

static graze_motion_report move(fixture *f, const way *w) {
    graze_motion_report report;
    f->options.moving = w->moving;
    f->options.moving_count = w->moving_count;
    assert_int_equal(graze_check_motion(f->checker, f->motion, w->from, w->to, 2, w->from_base,
                                        w->to_base, &f->options, &report, NULL),
                     GRAZE_OK);
    return report;
}

static way moving_plate(double vx, double vy, double vz) {
    return (way){.moving = {{.object = 0, .velocity = {vx, vy, vz}}}, .moving_count = 1};
}

static void first_to(fixture *f, double width) {
    f->options.answer = GRAZE_MOTION_FIRST;
    f->options.width = width;
}

/// graze_check() at t, in the world as it is then.
static bool collides_at(const fixture *f, const way *w, double t) {
    graze_world_change changes[4];
    graze_transform poses[4];
    graze_geometry g;
    for (size_t i = 0; i < w->moving_count; i++) {
        assert_int_equal(graze_world_object(f->world, (size_t)w->moving[i].object, &g), GRAZE_OK);
        changes[i] = graze_world_change_default();
        changes[i].id = g.id;
        changes[i].pose = &poses[i];
        poses[i] = g.origin;
        for (int k = 0; k < 3; k++) poses[i].m[4 * k + 3] += t * w->moving[i].velocity[k];
    }
    graze_world *world;
    graze_checker *checker;
    graze_workspace *workspace;
    double q[2], base[6];
    graze_report report = {0};
    assert_int_equal(graze_world_revise(&world, f->world, changes, w->moving_count, NULL), 0);
    assert_int_equal(graze_checker_create(&checker, f->robot, world, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&workspace, checker, NULL), GRAZE_OK);
    assert_int_equal(
        graze_robot_interpolate(f->robot, w->from, w->to, 2, f->options.turn, t, q, NULL), 0);
    assert_int_equal(graze_motion_base(w->from_base, w->to_base, f->options.turn, t, base, NULL),
                     GRAZE_OK);
    assert_int_equal(graze_check(checker, workspace, GRAZE_ANSWER_ANY, q, 2, base, &report, NULL),
                     GRAZE_OK);
    graze_workspace_free(workspace);
    graze_checker_free(checker);
    graze_world_free(world);
    return report.verdict == GRAZE_COLLISION;
}

// A plate flies through the cube, which stands: it is met 0.1 m before the middle.
static void test_no_plate_is_too_thin_to_be_seen_flying(void **state) {
    (void)state;
    for (double thick = 1e-3; thick > 5e-10; thick /= 10) {
        fixture f;
        set_up_inside(&f, (const double[]){thick, 0.1, 0.1}, -2, 0, 0, 0);
        first_to(&f, 1e-6);
        const way w = moving_plate(4, 0, 0);
        graze_motion_report r = move(&f, &w);
        double truth = (2 - 0.1 - 0.5 * thick) / 4;
        assert_int_equal(r.verdict, GRAZE_MOTION_HIT);
        assert_true(r.latest - r.earliest <= 1e-6);
        assert_true(r.earliest < truth + 1e-9 && r.latest > truth - 1e-9);
        // Where the object is then.
        assert_int_equal(r.contact.other, 0);
        assert_true(fabs(r.contact.point.x + 0.1) < 1e-5);
        f.options.answer = GRAZE_MOTION_ANY;
        assert_int_equal(move(&f, &w).verdict, GRAZE_MOTION_HIT);
        tear_down(&f);
    }
}

// The plate is 1 cm before the cube, and goes with it; without that the cube would meet it at once.
static void test_what_moves_alike_stays_apart(void **state) {
    (void)state;
    fixture f;
    set_up_inside(&f, (const double[]){0.02, 1, 1}, 0.12, 0, 0, 0);
    way w = moving_plate(3, 0, 0);
    w.from[1] = w.to[1] = 3.14159; // the needle behind the cube
    w.to[0] = 3;
    assert_int_equal(move(&f, &w).verdict, GRAZE_MOTION_FREE);
    w.moving_count = 0;
    assert_int_equal(move(&f, &w).verdict, GRAZE_MOTION_HIT);
    tear_down(&f);
}

// The way of the plate crosses that of the cube, in front of it; later it would be hit.
static void test_swept_spaces_may_overlap(void **state) {
    (void)state;
    fixture f;
    set_up_inside(&f, (const double[]){0.1, 0.1, 0.1}, 0, -1, 0, 0);
    first_to(&f, 1e-4);
    way w = moving_plate(0, 4, 0);
    w.from[0] = -1.5;
    w.to[0] = 1.5;
    w.from[1] = w.to[1] = 3.14159;
    assert_int_equal(move(&f, &w).verdict, GRAZE_MOTION_FREE);
    w.moving[0].velocity[1] = 2;
    graze_motion_report r = move(&f, &w);
    // Their faces meet in x from t = 0.45 on, in y from 0.425.
    assert_int_equal(r.verdict, GRAZE_MOTION_HIT);
    assert_true(r.earliest < 0.45 && r.latest >= 0.45 - 1e-9 && r.latest < 0.4501);
    tear_down(&f);
}

// At its place at the begin the object would stand in the way, and the boundary is for the robot.
static void test_what_has_left_is_not_in_the_way(void **state) {
    (void)state;
    fixture f;
    set_up_inside(&f, (const double[]){0.1, 0.1, 0.1}, 1, 0, 0, 2);
    way w = moving_plate(0, 0, -40);
    w.to_base[0] = 1.5;
    w.from[1] = w.to[1] = 3.14159;
    assert_int_equal(move(&f, &w).verdict, GRAZE_MOTION_FREE);
    w.to_base[0] = 2.5;
    first_to(&f, 1e-6);
    graze_motion_report r = move(&f, &w);
    assert_int_equal(r.contact.kind, GRAZE_CONTACT_BOUNDARY);
    assert_true(r.earliest <= 0.8 && r.latest >= 0.8 && r.latest - r.earliest <= 1e-6);
    tear_down(&f);
}

/// A world of boxes around the slider, one of two shapes.
static void set_up_boxes(fixture *f, gz_random *random) {
    assert_int_equal(graze_robot_load_urdf_memory(&f->robot, slider_urdf, strlen(slider_urdf),
                                                  "robot", NULL, NULL, NULL),
                     GRAZE_OK);
    assert_int_equal(graze_world_create(&f->world, "w", NULL), GRAZE_OK);
    const graze_geometry box = {.shape = GRAZE_SHAPE_BOX, .size = {0.2, 0.3, 0.1}},
                         ball = {.shape = GRAZE_SHAPE_SPHERE, .radius = 0.12};
    const graze_placed_shape two[2] = {
        {.geometry = &box, .pose = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}}},
        {.geometry = &ball, .pose = {{1, 0, 0, 0.1, 0, 1, 0, 0, 0, 0, 1, 0.2}}}};
    static const char *const names[] = {"a", "b", "c"};
    for (int i = 0; i < 3; i++) {
        const graze_transform pose = {{1, 0, 0, gz_random_range(random, -1.5, 1.5), 0, 1, 0,
                                       gz_random_range(random, -1.5, 1.5), 0, 0, 1,
                                       gz_random_range(random, -0.3, 0.5)}};
        assert_int_equal(
            graze_world_add_shapes(f->world, names[i], two, i == 1 ? 2 : 1, &pose, NULL), 0);
    }
    assert_int_equal(graze_world_commit(f->world, NULL), GRAZE_OK);
    assert_int_equal(graze_checker_create(&f->checker, f->robot, f->world, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&f->workspace, f->checker, NULL), GRAZE_OK);
    assert_int_equal(graze_motion_workspace_create(&f->motion, f->checker, NULL), GRAZE_OK);
    f->options = graze_motion_options_default();
}

static way random_way(const fixture *f, gz_random *random) {
    way w = {.moving_count = gz_random_below(random, 4)};
    const int32_t objects[3] = {graze_world_find_object(f->world, "a"),
                                graze_world_find_object(f->world, "b"),
                                graze_world_find_object(f->world, "c")};
    for (int i = 0; i < 2; i++) {
        w.from[i] = gz_random_range(random, -1, 1);
        w.to[i] = gz_random_range(random, -1, 1);
    }
    for (int i = 0; i < 6 && gz_random_below(random, 2); i++)
        w.to_base[i] = gz_random_range(random, -1, 1);
    for (size_t i = 0; i < w.moving_count; i++) {
        w.moving[i].object = objects[i];
        for (int k = 0; k < 3; k++) w.moving[i].velocity[k] = gz_random_range(random, -2, 2);
        // Some move alike.
        if (i && gz_random_below(random, 3) == 0)
            memcpy(w.moving[i].velocity, w.moving[0].velocity, sizeof w.moving[i].velocity);
    }
    return w;
}

static void check_against_samples(const fixture *f, const way *w, const graze_motion_report *r,
                                  gz_random *random) {
    if (r->verdict == GRAZE_MOTION_HIT) assert_true(collides_at(f, w, r->latest));
    for (int i = 0; i < 20; i++) {
        double t = gz_random_unit(random) * r->earliest;
        if (t < r->earliest) assert_false(collides_at(f, w, t));
    }
    if (r->earliest == 1) assert_false(collides_at(f, w, 1));
}

static void test_samples_in_moved_worlds_agree(void **state) {
    (void)state;
    gz_random random = gz_random_make(2026, 0);
    int verdicts[3] = {0};
    for (int scene = 0; scene < TRIALS(60, 8); scene++) {
        fixture f;
        set_up_boxes(&f, &random);
        for (int i = 0; i < 20; i++) {
            const way w = random_way(&f, &random);
            f.options.answer = i % 2 ? GRAZE_MOTION_FIRST : GRAZE_MOTION_ANY;
            const graze_motion_report r = move(&f, &w);
            verdicts[r.verdict]++;
            if (r.verdict != GRAZE_MOTION_HIT || r.latest > 0)
                check_against_samples(&f, &w, &r, &random);
        }
        tear_down(&f);
    }
    const int least = TRIALS(30, 5);
    assert_true(verdicts[GRAZE_MOTION_FREE] > least && verdicts[GRAZE_MOTION_HIT] > least);
    assert_true(verdicts[GRAZE_MOTION_UNDECIDED] < 3);
}

// What moves at one velocity is looked at together, and no more is proved than was looked at.
static void test_the_first_of_several_groups_counts(void **state) {
    (void)state;
    gz_random random = gz_random_make(7, 1);
    fixture f;
    set_up_boxes(&f, &random);
    way w = {.moving_count = 2};
    const char *const names[] = {"a", "c"};
    graze_geometry g;
    for (int i = 0; i < 2; i++) { // both come to the middle of the cube, "c" first
        w.moving[i].object = graze_world_find_object(f.world, names[i]);
        assert_int_equal(graze_world_object(f.world, (size_t)w.moving[i].object, &g), GRAZE_OK);
        for (int k = 0; k < 3; k++)
            w.moving[i].velocity[k] = -g.origin.m[4 * k + 3] * (i ? 1.25 : 1);
    }
    first_to(&f, 1e-5);
    graze_motion_report both = move(&f, &w);
    way alone = w;
    alone.moving[0] = w.moving[1];
    alone.moving_count = 1;
    graze_motion_report c = move(&f, &alone);
    assert_int_equal(both.verdict, GRAZE_MOTION_HIT);
    if (c.verdict == GRAZE_MOTION_HIT && both.contact.other == c.contact.other)
        assert_true(both.earliest == c.earliest && both.latest == c.latest);
    else
        assert_true(both.latest <= c.latest);
    f.options.answer = GRAZE_MOTION_ANY;
    both = move(&f, &w);
    assert_int_equal(both.verdict, GRAZE_MOTION_HIT);
    assert_true(both.earliest < both.latest);
    tear_down(&f);
}

/// The same motion as a trajectory of this degree, in 2 s from 100 s on.
static graze_trajectory *as_trajectory(const fixture *f, const way *w, uint32_t degree) {
    double times[2] = {100, 102}, q[8 * 2], base[8 * 6];
    graze_trajectory *t;
    for (uint32_t i = 0; i <= degree; i++) {
        double s = (double)i / degree;
        for (int k = 0; k < 2; k++) q[2 * i + (uint32_t)k] = (1 - s) * w->from[k] + s * w->to[k];
        for (int k = 0; k < 6; k++)
            base[6 * i + (uint32_t)k] = (1 - s) * w->from_base[k] + s * w->to_base[k];
    }
    assert_int_equal(graze_trajectory_from_bezier(&t, f->robot, degree, 1, times, q, base, NULL),
                     GRAZE_OK);
    return t;
}

static void test_trajectories_say_the_same_in_seconds(void **state) {
    (void)state;
    gz_random random = gz_random_make(5, 5);
    int hits = 0;
    for (int i = 0; i < TRIALS(200, 20); i++) {
        fixture f;
        set_up_boxes(&f, &random);
        way w = random_way(&f, &random);
        w.to[1] = w.from[1]; // a circle's shorter way is a trajectory's business
        for (int k = 3; k < 6; k++) w.to_base[k] = 0;
        first_to(&f, 1e-4);
        const graze_motion_report r = move(&f, &w);
        graze_trajectory *t = as_trajectory(&f, &w, 1 + 2 * (uint32_t)(i % 3));
        for (size_t k = 0; k < w.moving_count; k++)
            for (int j = 0; j < 3; j++) w.moving[k].velocity[j] /= 2;
        graze_trajectory_report in_time;
        assert_int_equal(graze_check_trajectory(f.checker, f.motion, t, &f.options, &in_time, NULL),
                         GRAZE_OK);
        assert_int_equal(in_time.verdict, r.verdict);
        if (r.verdict == GRAZE_MOTION_HIT) {
            hits++;
            assert_true(fabs(in_time.earliest - (100 + 2 * r.earliest)) < 5e-4);
            assert_true(fabs(in_time.latest - (100 + 2 * r.latest)) < 5e-4);
        }
        graze_trajectory_free(t);
        tear_down(&f);
    }
    assert_true(hits > TRIALS(25, 2));
}

// A second piece goes on where the objects are by then.
static void test_objects_go_on_from_piece_to_piece(void **state) {
    (void)state;
    fixture f;
    set_up_inside(&f, (const double[]){0.1, 0.1, 0.1}, -2, 0, 0, 0);
    first_to(&f, 1e-6);
    const way w = moving_plate(0.5, 0, 0); // at the cube's face after 3.7 s
    f.options.moving = w.moving;
    f.options.moving_count = 1;
    const double times[4] = {1, 2, 4, 9}, q[12] = {0};
    graze_trajectory *t;
    graze_trajectory_report r;
    assert_int_equal(graze_trajectory_from_bezier(&t, f.robot, 1, 3, times, q, NULL, NULL), 0);
    assert_int_equal(graze_check_trajectory(f.checker, f.motion, t, &f.options, &r, NULL), 0);
    assert_int_equal(r.verdict, GRAZE_MOTION_HIT);
    assert_int_equal(r.piece, 2);
    assert_true(r.earliest <= 4.7 && r.latest >= 4.7 - 1e-8 && r.latest - r.earliest < 1e-5);
    graze_trajectory_free(t);
    tear_down(&f);
}

static void refuse(fixture *f, const way *w, graze_status status, const char *message) {
    graze_error error;
    graze_motion_report r;
    f->options.moving = w->moving;
    f->options.moving_count = w->moving_count;
    assert_int_equal(graze_check_motion(f->checker, f->motion, w->from, w->to, 2, NULL, NULL,
                                        &f->options, &r, &error),
                     status);
    assert_int_equal(r.verdict, GRAZE_MOTION_UNKNOWN);
    if (!strstr(error.message, message)) fail_msg("%s", error.message);
}

static void test_what_is_wrong_is_refused(void **state) {
    (void)state;
    gz_random random = gz_random_make(1, 1);
    fixture f;
    set_up_boxes(&f, &random);
    way w = moving_plate(0, 0, 0);
    w.moving[0].object = 9;
    refuse(&f, &w, GRAZE_ERROR_ARGUMENT, "moving object 0 is the object 9; allowed");
    w.moving[0].object = -1;
    refuse(&f, &w, GRAZE_ERROR_ARGUMENT, "moving object 0 is the object -1; allowed");
    w.moving[0].object = graze_world_find_object(f.world, "b") + 1; // its second shape
    refuse(&f, &w, GRAZE_ERROR_ARGUMENT, "the first shape of an object");
    w = moving_plate(0, NAN, 0);
    refuse(&f, &w, GRAZE_ERROR_RANGE, "the velocity of \"a\" has the coordinate nan");
    w = moving_plate(1e5, 0, 0);
    refuse(&f, &w, GRAZE_ERROR_RANGE, "the motion may reach");
    w = moving_plate(1e308, -1e308, 0);
    refuse(&f, &w, GRAZE_ERROR_RANGE, "\"a\" moves too far");
    w = moving_plate(1, 0, 0);
    w.moving[w.moving_count++] = w.moving[0];
    refuse(&f, &w, GRAZE_ERROR_ARGUMENT, "the object \"a\" moves twice");
    f.options.moving = NULL;
    const double q[4] = {0};
    graze_motion_report r;
    assert_int_equal(
        graze_check_motion(f.checker, f.motion, q, q, 2, NULL, NULL, &f.options, &r, NULL),
        GRAZE_ERROR_ARGUMENT);
    // Motions of a path would each begin with the objects where they were at first.
    uint8_t verdict;
    graze_motion_batch batch = graze_motion_batch_default();
    w.moving_count = 1;
    f.options.moving = w.moving;
    f.options.moving_count = 1;
    batch.q = q;
    batch.rows = 2;
    batch.count = 1;
    batch.verdicts = &verdict;
    batch.options = &f.options;
    assert_int_equal(graze_check_motion_batch(f.checker, &batch, NULL, NULL), GRAZE_ERROR_ARGUMENT);
    const uint32_t ends[2] = {0, 1};
    batch.ends = ends;
    assert_int_equal(graze_check_motion_batch(f.checker, &batch, NULL, NULL), GRAZE_OK);
    tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_plate_is_too_thin_to_be_seen_flying),
        cmocka_unit_test(test_what_moves_alike_stays_apart),
        cmocka_unit_test(test_swept_spaces_may_overlap),
        cmocka_unit_test(test_what_has_left_is_not_in_the_way),
        cmocka_unit_test(test_samples_in_moved_worlds_agree),
        cmocka_unit_test(test_the_first_of_several_groups_counts),
        cmocka_unit_test(test_trajectories_say_the_same_in_seconds),
        cmocka_unit_test(test_objects_go_on_from_piece_to_piece),
        cmocka_unit_test(test_what_is_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
