// Timed paths: within the limits, as fast as they allow, free, and refused where something is
// wrong.
#include "graze/timing.h"
#include "plan_fixture.h"

// A sphere of 0.1 m that moves in the plane, and turns.
static const char *const puck =
    "<robot name='puck'><link name='table'/><link name='ball'><collision><geometry>"
    "<sphere radius='0.1'/></geometry></collision></link><joint name='move' type='planar'>"
    "<parent link='table'/><child link='ball'/><axis xyz='0 0 1'/></joint></robot>";

static const double velocities[16] = {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1};
static const double accelerations[16] = {2, 1, 4, 2, 1, 4, 2, 1, 4, 2, 1, 4, 2, 1, 4, 2};

static graze_timing_report time_path(fixture *f, const double *q, size_t count, double corner,
                                     graze_trajectory **out) {
    graze_timing_options options = graze_timing_options_default();
    options.velocities = velocities;
    options.accelerations = accelerations;
    options.corner = corner;
    graze_timing_report report;
    graze_error error;
    if (graze_time_path(out, f->checker, q, count, NULL, &options, &report, &error) != GRAZE_OK)
        fail_msg("%s: %s", error.element, error.message);
    return report;
}

/// From rest to rest on a straight way of a length: a trapezoid, or a triangle.
static double exact_time(double length, double speed, double acceleration) {
    if (length * acceleration >= speed * speed) return length / speed + speed / acceleration;
    return 2 * sqrt(length / acceleration);
}

/// The same, of a motion of several columns.
static double exact_motion(const double *from, const double *to, size_t n) {
    double length = 0, speed = INFINITY, acceleration = INFINITY;
    for (size_t k = 0; k < n; k++) length += (to[k] - from[k]) * (to[k] - from[k]);
    length = sqrt(length);
    for (size_t k = 0; k < n; k++) {
        double u = fabs(to[k] - from[k]) / length;
        if (u == 0) continue;
        speed = fmin(speed, velocities[k] / u);
        acceleration = fmin(acceleration, accelerations[k] / u);
    }
    return exact_time(length, speed, acceleration);
}

/// By the mean value theorem no difference quotient of positions is above a limit; the greatest are
/// near one.
static void assert_within_limits(const graze_trajectory *t, size_t n, double seconds) {
    enum { SAMPLES = 20000 };
    double step = seconds / SAMPLES, before[16], now[16], after[16], greatest[2] = {0};
    graze_trajectory_at(t, 0, before, NULL);
    graze_trajectory_at(t, step, now, NULL);
    for (int i = 2; i <= SAMPLES; i++) {
        assert_int_equal(graze_trajectory_at(t, fmin(i * step, seconds), after, NULL), GRAZE_OK);
        for (size_t k = 0; k < n; k++) {
            double v = fabs(after[k] - now[k]) / step / velocities[k];
            double a = fabs(after[k] - 2 * now[k] + before[k]) / (step * step) / accelerations[k];
            greatest[0] = fmax(greatest[0], v);
            greatest[1] = fmax(greatest[1], a);
        }
        memcpy(before, now, sizeof before);
        memcpy(now, after, sizeof now);
    }
    assert_true(greatest[0] <= 1 + 1e-9);
    assert_true(greatest[1] <= 1 + 1e-5);
    assert_true(fmax(greatest[0], greatest[1]) > 0.95);
}

static void begin(fixture *f) {
    fixture_begin(f, puck);
    fixture_finish(f);
}

static void test_straight_ways_take_the_time_of_a_trapezoid(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    const double lengths[] = {1e-3, 0.1, 0.5, 3, 90};
    for (size_t i = 0; i < 5; i++) {
        double q[6] = {0, 0, 0, lengths[i], 0, 0}, at[3];
        graze_trajectory *t;
        graze_timing_report r = time_path(&f, q, 2, 0.1, &t);
        double exact = exact_time(lengths[i], 1, 2);
        assert_int_equal(r.verdict, GRAZE_MOTION_FREE);
        assert_true(r.seconds >= exact * (1 - 1e-9) && r.seconds <= exact * 1.01);
        assert_true(r.velocity <= 1 && r.acceleration <= 1 && r.stops == 0 && r.rounds == 1);
        graze_trajectory_at(t, r.seconds, at, NULL);
        assert_true(at[0] == lengths[i] && at[1] == 0);
        graze_trajectory_free(t);
    }
    fixture_free(&f);
}

static void test_where_corners_are_stops_each_motion_is_a_trapezoid(void **state) {
    (void)state;
    fixture f;
    fixture_load(&f, "six_axis", NULL);
    double worst = 0, saved = 0;
    for (uint64_t i = 0; i < 40; i++) {
        double q[5 * 16], exact = 0;
        for (uint64_t row = 0; row < 5; row++) // near to each other, where the robot is free
            assert_int_equal(
                graze_robot_sample(f.robot, 3, 5 * i + row, NULL, 0, q + row * f.n, NULL),
                GRAZE_OK);
        for (size_t k = 0; k < 5 * f.n; k++) q[k] = 0.1 * q[k];
        for (size_t row = 0; row + 1 < 5; row++)
            exact += exact_motion(q + row * f.n, q + (row + 1) * f.n, f.n);
        graze_trajectory *stops, *cut;
        graze_timing_report a = time_path(&f, q, 5, 0, &stops), b = time_path(&f, q, 5, 0.1, &cut);
        if (a.verdict == GRAZE_MOTION_FREE) {
            assert_int_equal(a.stops, 3);
            assert_true(a.seconds >= exact * (1 - 1e-9) && a.seconds <= exact * 1.01);
            worst = fmax(worst, a.seconds / exact);
        }
        if (a.verdict == GRAZE_MOTION_FREE && b.verdict == GRAZE_MOTION_FREE) {
            assert_within_limits(cut, f.n, b.seconds);
            assert_true(b.seconds < a.seconds);
            saved += b.seconds / a.seconds / 40;
        }
        graze_trajectory_free(stops);
        graze_trajectory_free(cut);
    }
    assert_true(worst > 1 && saved > 0);
    printf("stops: at most %.4f of the exact time; cut corners: %.2f of it in the mean\n", worst,
           saved);
    fixture_free(&f);
}

/// Oracle: samples of the trajectory, each checked.
static void assert_free(const fixture *f, const graze_trajectory *t, double seconds) {
    graze_workspace *workspace;
    assert_int_equal(graze_workspace_create(&workspace, f->checker, NULL), GRAZE_OK);
    for (int i = 0; i <= 10000; i++) {
        double q[16];
        graze_report report = {0};
        assert_int_equal(graze_trajectory_at(t, seconds * i / 10000, q, NULL), GRAZE_OK);
        assert_int_equal(
            graze_check(f->checker, workspace, GRAZE_ANSWER_ANY, q, f->n, NULL, &report, NULL),
            GRAZE_OK);
        assert_int_equal(report.verdict, GRAZE_FREE);
    }
    graze_workspace_free(workspace);
}

static void test_a_corner_is_cut_as_far_as_it_is_free(void **state) {
    (void)state;
    fixture f;
    fixture_begin(&f, puck);
    fixture_box(&f, "post", 0.1, 0.1, 1, 0.8, 0.2, 0);
    fixture_finish(&f);
    // Round the post, whose corner at (0.85, 0.15) is 0.21 from the path's; the ball has 0.1.
    const double q[9] = {0, 0, 0, 1, 0, 0, 1, 1, 0};
    graze_trajectory *wide, *near;
    graze_timing_report a = time_path(&f, q, 3, 0.05, &near), b = time_path(&f, q, 3, 0.3, &wide);
    assert_true(a.verdict == GRAZE_MOTION_FREE && a.rounds == 1 && a.stops == 0);
    assert_true(b.verdict == GRAZE_MOTION_FREE && b.rounds > 1 && b.stops == 0);
    assert_free(&f, near, a.seconds);
    assert_free(&f, wide, b.seconds);
    // The corner itself is off by no more than was allowed.
    double least = INFINITY;
    for (int i = 0; i <= 1000; i++) {
        double at[3];
        graze_trajectory_at(near, a.seconds * i / 1000, at, NULL);
        least = fmin(least, hypot(at[0] - 1, at[1]));
    }
    assert_true(least <= 0.05 + 1e-6 && least > 0.04);
    graze_trajectory_free(near);
    graze_trajectory_free(wide);
    fixture_free(&f);
}

static void test_a_path_that_is_not_free_is_not_timed(void **state) {
    (void)state;
    fixture f;
    fixture_begin(&f, puck);
    fixture_box(&f, "post", 0.1, 0.1, 1, 1, 0.5, 0);
    fixture_finish(&f);
    const double q[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 2, 1, 0};
    graze_trajectory *t;
    graze_timing_report r = time_path(&f, q, 4, 0.1, &t);
    assert_null(t);
    assert_int_equal(r.verdict, GRAZE_MOTION_HIT);
    assert_int_equal(r.motion, 1);
    fixture_free(&f);
}

static void test_angles_go_the_shorter_turn(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    const double q[9] = {0, 0, 3, 0, 0, -3, 0, 0, 2.5};
    graze_trajectory *t;
    graze_timing_report r = time_path(&f, q, 3, 0.1, &t);
    const double way[2][3] = {{0, 0, 0}, {0, 0, 6.283185307179586 - 6}};
    const double back[2][3] = {{0, 0, 0}, {0, 0, 6.283185307179586 - 5.5}};
    assert_int_equal(r.stops, 1); // it turns back
    assert_true(
        fabs(r.seconds / (exact_motion(way[0], way[1], 3) + exact_motion(back[0], back[1], 3)) -
             1) < 0.01);
    graze_trajectory_free(t);
    fixture_free(&f);
}

/// Oracle: derivatives of the base's numbers, by control points, at 100,000 samples.
static void assert_base_within_limits(const graze_trajectory *t, const double *limits[3]) {
    size_t pieces = graze_trajectory_piece_count(t);
    double greatest[3] = {0};
    for (size_t i = 0; i < pieces; i++) {
        const double *base;
        graze_trajectory_points(t, i, &base);
        double h = graze_trajectory_time(t, i + 1) - graze_trajectory_time(t, i);
        for (size_t k = 0; k < 6; k++) {
            double d[3], e[2], s;
            for (size_t j = 0; j < 3; j++) d[j] = 3 * (base[6 * j + 6 + k] - base[6 * j + k]) / h;
            for (size_t j = 0; j < 2; j++) e[j] = 2 * (d[j + 1] - d[j]) / h;
            for (size_t j = 0; j <= 100000 / pieces; j++) {
                s = (double)j / floor(100000.0 / (double)pieces);
                double v = (1 - s) * ((1 - s) * d[0] + 2 * s * d[1]) + s * s * d[2];
                greatest[0] = fmax(greatest[0], fabs(v) / limits[0][k]);
                greatest[1] = fmax(greatest[1], fabs((1 - s) * e[0] + s * e[1]) / limits[1][k]);
            }
            if (limits[2]) greatest[2] = fmax(greatest[2], fabs(e[1] - e[0]) / h / limits[2][k]);
        }
    }
    for (int i = 0; i < 3; i++) assert_true(greatest[i] <= 1 + 1e-6);
    assert_true(fmax(greatest[0], fmax(greatest[1], greatest[2])) > 0.99);
}

static void test_a_moving_base_keeps_its_limits(void **state) {
    (void)state;
    fixture f;
    fixture_begin(&f, puck);
    fixture_box(&f, "post", 0.2, 0.2, 1, 0.7, 0.3, 0);
    fixture_finish(&f);
    const double q[9] = {0, 0, 0, 0, 0, 0.1, 0, 0, 0.1};
    const double bases[18] = {0, 0, 0, 0, 0, 3.1, 1, 0, 0, 0, 0, -3.1, 1, 1, 0, 0, 0, -2.9};
    const double base_limits[3][6] = {{1, 2, 1, 1, 1, 3}, {1, 2, 1, 1, 1, 2}, {5, 8, 1, 1, 1, 20}};
    for (int jerk = 0; jerk < 2; jerk++) {
        graze_timing_options o = graze_timing_options_default();
        o.velocities = velocities;
        o.accelerations = accelerations;
        o.bases = bases;
        o.base_velocities = base_limits[0];
        o.base_accelerations = base_limits[1];
        o.base_jerks = jerk ? base_limits[2] : NULL;
        graze_trajectory *t;
        graze_timing_report r;
        graze_error error;
        if (graze_time_path(&t, f.checker, q, 3, NULL, &o, &r, &error) != GRAZE_OK)
            fail_msg("%s: %s", error.element, error.message);
        assert_int_equal(r.verdict, GRAZE_MOTION_FREE);
        assert_true(r.stops == 0 && (r.jerk > 0) == (jerk == 1));
        const double *limits[3] = {base_limits[0], base_limits[1], jerk ? base_limits[2] : NULL};
        assert_base_within_limits(t, limits);
        double at[3], base[6];
        graze_trajectory_at(t, r.seconds, at, base);
        assert_true(base[0] == 1 && base[1] == 1 && at[2] == 0.1);
        assert_true(fabs(base[5] - (6.283185307179586 - 2.9)) < 1e-12); // the shorter turn
        for (int i = 0; i <= 10000; i++) {
            graze_trajectory_at(t, r.seconds * i / 10000, at, base);
            double x = fmax(fabs(base[0] - 0.7) - 0.1, 0), y = fmax(fabs(base[1] - 0.3) - 0.1, 0);
            assert_true(hypot(x, y) > 0.1 && base[2] == 0 && base[3] == 0 && base[4] == 0);
        }
        graze_trajectory_free(t);
        o.base_accelerations = NULL;
        assert_int_equal(graze_time_path(&t, f.checker, q, 3, NULL, &o, &r, &error),
                         GRAZE_ERROR_RANGE);
        assert_string_equal(error.element, "column base x");
        assert_non_null(strstr(error.message, "limit of acceleration is 0 as none is given"));
    }
    fixture_free(&f);
}

static void refused(fixture *f, const double *q, size_t count, const graze_timing_options *options,
                    graze_status status, const char *element, const char *message) {
    graze_trajectory *t = (graze_trajectory *)1;
    graze_timing_report report;
    graze_error error;
    assert_int_equal(graze_time_path(&t, f->checker, q, count, NULL, options, &report, &error),
                     status);
    assert_null(t);
    assert_int_equal(report.verdict, GRAZE_MOTION_UNKNOWN);
    assert_string_equal(error.element, element);
    if (!strstr(error.message, message)) fail_msg("'%s' lacks '%s'", error.message, message);
}

static void test_what_is_wrong_is_refused(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    double q[6] = {0, 0, 0, 1, 0, 0}, limits[3] = {1, 1, 1};
    graze_timing_options o = graze_timing_options_default();
    refused(&f, q, 2, &o, GRAZE_ERROR_RANGE, "column move/x", "the description has none");
    o.velocities = limits;
    refused(&f, q, 2, &o, GRAZE_ERROR_RANGE, "column move/x", "limit of acceleration is 0");
    o.accelerations = limits;
    refused(&f, q, 1, &o, GRAZE_ERROR_ARGUMENT, "", "two at least");
    refused(&f, NULL, 2, &o, GRAZE_ERROR_ARGUMENT, "", "two at least");
    o.corner = -1;
    refused(&f, q, 2, &o, GRAZE_ERROR_RANGE, "", "corner is -1");
    o.corner = NAN;
    refused(&f, q, 2, &o, GRAZE_ERROR_RANGE, "", "corner is");
    o.corner = 0.1;
    limits[0] = INFINITY;
    refused(&f, q, 2, &o, GRAZE_ERROR_RANGE, "column move/x", "allowed: finite, above 0");
    limits[0] = -1;
    refused(&f, q, 2, &o, GRAZE_ERROR_RANGE, "column move/x", "allowed: finite, above 0");
    limits[0] = 1;
    limits[2] = 0; // of what does not move
    graze_trajectory *t;
    graze_timing_report r;
    assert_int_equal(graze_time_path(&t, f.checker, q, 2, NULL, &o, &r, NULL), GRAZE_OK);
    graze_trajectory_free(t);
    q[3] = 0;
    refused(&f, q, 2, &o, GRAZE_ERROR_RANGE, "row 1", "the row before");
    q[3] = 1e-9; // as near counts as the same; what is farther does not
    refused(&f, q, 2, &o, GRAZE_ERROR_RANGE, "row 1", "the row before");
    q[3] = nextafter(1e-9, 1);
    assert_int_equal(graze_time_path(&t, f.checker, q, 2, NULL, &o, &r, NULL), GRAZE_OK);
    graze_trajectory_free(t);
    q[3] = NAN;
    refused(&f, q, 2, &o, GRAZE_ERROR_RANGE, "row 1, joint 'move'", "nan");
    assert_int_equal(graze_time_path(NULL, f.checker, q, 2, NULL, &o, &r, NULL),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_time_path(&t, NULL, q, 2, NULL, &o, &r, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_time_path(&t, f.checker, q, 2, NULL, &o, NULL, NULL),
                     GRAZE_ERROR_ARGUMENT);
    fixture_free(&f);
}

/// Limits so great that pieces take less than half a nanosecond: times are whole ones, and each
/// comes after the one before.
static void test_times_are_whole_nanoseconds_one_by_one(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    const double q[9] = {0, 0, 0, 1e-3, 0, 0, 1e-3, 1e-3, 0};
    const double fast[3] = {1e6, 1e6, 1e6}, strong[3] = {1e18, 1e18, 1e18};
    for (size_t count = 2; count <= 3; count++) {
        graze_timing_options options = graze_timing_options_default();
        options.velocities = fast;
        options.accelerations = strong;
        graze_timing_report r;
        graze_trajectory *t;
        graze_error error;
        if (graze_time_path(&t, f.checker, q, count, NULL, &options, &r, &error) != GRAZE_OK)
            fail_msg("%s: %s", error.element, error.message);
        double pieces = (double)graze_trajectory_piece_count(t);
        double whole = nearbyint(r.seconds * 1e9);
        assert_true(r.verdict == GRAZE_MOTION_FREE && pieces >= 2);
        assert_true(whole >= pieces && r.seconds == whole / 1e9);
        assert_true(r.velocity <= 1 && r.acceleration <= 1);
        graze_trajectory_free(t);
    }
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times_are_whole_nanoseconds_one_by_one),
        cmocka_unit_test(test_straight_ways_take_the_time_of_a_trapezoid),
        cmocka_unit_test(test_where_corners_are_stops_each_motion_is_a_trapezoid),
        cmocka_unit_test(test_a_corner_is_cut_as_far_as_it_is_free),
        cmocka_unit_test(test_a_path_that_is_not_free_is_not_timed),
        cmocka_unit_test(test_angles_go_the_shorter_turn),
        cmocka_unit_test(test_a_moving_base_keeps_its_limits),
        cmocka_unit_test(test_what_is_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
