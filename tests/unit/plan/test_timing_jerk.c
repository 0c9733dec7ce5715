// Timed paths within limits of jerk: kept at every sample, by derivatives of the pieces; continuous
// acceleration; the time of a double S where that is known; free.
#include "graze/timing.h"
#include "plan_fixture.h"
#include "unit/trials.h"

// A sphere of 0.1 m that moves in the plane, and turns.
static const char *const puck =
    "<robot name='puck'><link name='table'/><link name='ball'><collision><geometry>"
    "<sphere radius='0.1'/></geometry></collision></link><joint name='move' type='planar'>"
    "<parent link='table'/><child link='ball'/><axis xyz='0 0 1'/></joint></robot>";

static const double limits[3][16] = {{1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1},
                                     {2, 1, 4, 2, 1, 4, 2, 1, 4, 2, 1, 4, 2, 1, 4, 2},
                                     {9, 8, 20, 9, 8, 20, 9, 8, 20, 9, 8, 20, 9, 8, 20, 9}};

static graze_timing_report time_path(const fixture *f, const double *q, size_t count, double corner,
                                     const double *jerks, graze_trajectory **out) {
    graze_timing_options options = graze_timing_options_default();
    options.velocities = limits[0];
    options.accelerations = limits[1];
    options.jerks = jerks;
    options.corner = corner;
    options.spline = 1;
    graze_timing_report report;
    graze_error error;
    if (graze_time_path(out, f->checker, q, count, NULL, &options, &report, &error) != GRAZE_OK)
        fail_msg("%s: %s", error.element, error.message);
    return report;
}

/// From rest to rest on a straight way by a double S, by the cases of Biagiotti and Melchiorri
/// (2008, section 3.4.1) for rest at both ends.
static double exact_time(double length, double v, double a, double j) {
    double rise = v * j >= a * a ? v / a + a / j : 2 * sqrt(v / j);
    if (length >= v * rise) return length / v + rise;
    if (length >= 2 * a * a * a / (j * j)) return a / j + sqrt(a * a / (j * j) + 4 * length / a);
    return 4 * cbrt(length / (2 * j));
}

/// A column's derivative of an order, 1 to 3, at t of a cubic piece, by its control points.
static double derivative(const graze_trajectory *c, size_t piece, size_t n, size_t column, double t,
                         int order) {
    const double *b = graze_trajectory_points(c, piece, NULL) + column, s = 1 - t;
    double h = graze_trajectory_time(c, piece + 1) - graze_trajectory_time(c, piece);
    double d[3], e[2];
    for (size_t i = 0; i < 3; i++) d[i] = 3 * (b[(i + 1) * n] - b[i * n]) / h;
    for (size_t i = 0; i < 2; i++) e[i] = 2 * (d[i + 1] - d[i]) / h;
    if (order == 1) return s * s * d[0] + 2 * s * t * d[1] + t * t * d[2];
    return order == 2 ? s * e[0] + t * e[1] : (e[1] - e[0]) / h;
}

/// Oracle: 100,000 samples of the derivatives of the pieces, which rounding of control points makes
/// greater by 1e-15 h^-3 at most, of pieces of 4 ms at least.
static void assert_within_limits(const graze_trajectory *c, size_t n) {
    enum { SAMPLES = 100000 };
    size_t piece = 0, pieces = graze_trajectory_piece_count(c);
    double end = graze_trajectory_time(c, pieces), greatest[3] = {0};
    for (int i = 0; i <= SAMPLES; i++) {
        double time = i < SAMPLES ? end * i / SAMPLES : end;
        while (piece + 1 < pieces && graze_trajectory_time(c, piece + 1) < time) piece++;
        double begin = graze_trajectory_time(c, piece);
        double t = (time - begin) / (graze_trajectory_time(c, piece + 1) - begin);
        for (size_t k = 0; k < n; k++)
            for (int order = 1; order <= 3; order++) {
                double d = fabs(derivative(c, piece, n, k, fmin(fmax(t, 0), 1), order));
                greatest[order - 1] = fmax(greatest[order - 1], d / limits[order - 1][k]);
            }
    }
    for (int order = 0; order < 3; order++)
        if (!(greatest[order] <= 1 + 1e-6))
            fail_msg("derivative %d is %.9f of its limit", order + 1, greatest[order]);
    assert_true(greatest[2] > 0.99);        // as fast as they allow
    for (size_t i = 0; i + 1 < pieces; i++) // without jumps
        for (size_t k = 0; k < n; k++) {
            assert_true(graze_trajectory_time(c, i + 1) - graze_trajectory_time(c, i) > 0.0039);
            for (int order = 1; order <= 2; order++)
                assert_true(fabs(derivative(c, i, n, k, 1, order) -
                                 derivative(c, i + 1, n, k, 0, order)) < 1e-6);
        }
    for (size_t k = 0; k < n; k++) // from rest to rest
        for (int order = 1; order <= 2; order++) {
            assert_true(fabs(derivative(c, 0, n, k, 0, order)) < 1e-6);
            assert_true(fabs(derivative(c, pieces - 1, n, k, 1, order)) < 1e-6);
        }
}

static void test_straight_ways_take_the_time_of_a_double_s(void **state) {
    (void)state;
    fixture f;
    fixture_begin(&f, puck);
    fixture_finish(&f);
    const double lengths[] = {1e-4, 1e-3, 0.1, 0.3, 0.5, 0.9, 3, 90};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        double q[6] = {0, 0, 0, lengths[i], 0, 0}, at[3];
        graze_trajectory *t;
        graze_timing_report r = time_path(&f, q, 2, 0.1, limits[2], &t);
        double exact = exact_time(lengths[i], 1, 2, 9);
        assert_int_equal(r.verdict, GRAZE_MOTION_FREE);
        // Where a phase were shorter than 4 ms it is as long.
        assert_true(r.seconds >= exact * (1 - 1e-8) && r.seconds <= exact * (1 + 1e-6) + 8e-3);
        if (i > 2 && i != 4) assert_true(r.seconds <= exact * (1 + 1e-5) + 4e-3);
        assert_true(r.velocity <= 1 && r.acceleration <= 1 && r.jerk <= 1);
        assert_true(graze_trajectory_piece_count(t) <= 7);
        assert_within_limits(t, 3);
        graze_trajectory_at(t, r.seconds, at, NULL);
        assert_true(at[0] == lengths[i] && at[1] == 0);
        graze_trajectory_free(t);
    }
    fixture_free(&f);
}

static void test_paths_keep_the_limits_and_do_not_stop_at_corners(void **state) {
    (void)state;
    fixture f;
    fixture_load(&f, "six_axis", NULL);
    double longer = 0, sooner = 0;
    size_t timed = 0;
    for (uint64_t i = 0; i < TRIALS(30, 6); i++) {
        double q[6 * 16], scale = i % 2 ? 0.1 : 0.02;
        for (uint64_t row = 0; row < 6; row++) // near to each other, where the robot is free
            assert_int_equal(
                graze_robot_sample(f.robot, 7, 6 * i + row, NULL, 0, q + row * f.n, NULL),
                GRAZE_OK);
        for (size_t k = 0; k < 6 * f.n; k++) q[k] = scale * q[k];
        graze_trajectory *t[3];
        graze_timing_report a = time_path(&f, q, 6, 0.1, NULL, &t[0]);
        graze_timing_report b = time_path(&f, q, 6, 0.1, limits[2], &t[1]);
        graze_timing_report c = time_path(&f, q, 6, 0, limits[2], &t[2]);
        if (t[0] && t[1] && t[2]) {
            assert_true(b.velocity <= 1 && b.acceleration <= 1 && b.jerk <= 1 && a.jerk == 0);
            assert_int_equal(b.stops, a.stops); // where it turns back, or all is near
            assert_int_equal(c.stops, 4);
            assert_within_limits(t[1], f.n);
            assert_within_limits(t[2], f.n);
            // Knots are whole nanoseconds, the sum of seconds and a fraction.
            for (size_t k = 0; k <= graze_trajectory_piece_count(t[1]); k++) {
                double time = graze_trajectory_time(t[1], k), whole = floor(time);
                double nanoseconds = nearbyint((time - whole) * 1e9);
                assert_true(time == whole + nanoseconds / 1e9);
            }
            longer += b.seconds / a.seconds;
            sooner += b.seconds / c.seconds;
            timed++;
        }
        for (int k = 0; k < 3; k++) graze_trajectory_free(t[k]);
    }
    assert_true(timed > 0);
    printf(
        "limits of jerk take %.2f times as long; bends %.2f of the time with stops, in the mean\n",
        longer / (double)timed, sooner / (double)timed);
    assert_true(sooner < (double)timed);
    fixture_free(&f);
}

/// Numbers in [0, 1), the same everywhere (Steele, Lea and Flood 2014: splitmix).
static double draw(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

// A speed that rounding lowers must not make a way too short for its phases: then less and less of
// all limits would be used, and the path take a multiple of its time.
static void test_no_path_takes_far_longer_than_with_stops(void **state) {
    (void)state;
    fixture f;
    fixture_begin(&f, puck);
    fixture_finish(&f);
    uint64_t seed = 5;
    double worst = 0;
    for (int i = 0; i < TRIALS(2000, 200); i++) {
        enum { ROWS = 6 };
        double q[3 * ROWS] = {0}, jerks[3], size = pow(10, -2 + 2.5 * draw(&seed));
        double factor = pow(10, 2 * draw(&seed));
        for (size_t k = 3; k < 3 * ROWS; k++) q[k] = q[k - 3] + size * (draw(&seed) - 0.5);
        for (size_t k = 0; k < 3; k++) jerks[k] = factor * limits[2][k];
        graze_trajectory *bends, *stops;
        graze_timing_report b = time_path(&f, q, ROWS, 0.1, jerks, &bends);
        graze_timing_report s = time_path(&f, q, ROWS, 0, jerks, &stops);
        assert_true(b.verdict == GRAZE_MOTION_FREE && s.verdict == GRAZE_MOTION_FREE);
        assert_true(b.velocity <= 1 && b.acceleration <= 1 && b.jerk <= 1);
        // Something is used wholly, but for what rounding takes and ways of a few phases.
        assert_true(fmax(fmax(b.velocity, b.acceleration), b.jerk) > 0.9 || size < 0.05);
        worst = fmax(worst, b.seconds / s.seconds);
        graze_trajectory_free(bends);
        graze_trajectory_free(stops);
    }
    printf("bends take at most %.2f of the time with stops\n", worst);
    assert_true(worst < 1.5);
    fixture_free(&f);
}

static void test_bends_of_timed_paths_are_free(void **state) {
    (void)state;
    fixture f;
    fixture_begin(&f, puck);
    fixture_box(&f, "post", 0.2, 0.2, 1, 0.795, 0.205, 0);
    fixture_finish(&f);
    const double q[9] = {0, 0, 0, 1, 0, 0, 1, 1, 0};
    graze_trajectory *t;
    graze_timing_report r = time_path(&f, q, 3, 0.5, limits[2], &t);
    assert_true(r.verdict == GRAZE_MOTION_FREE && r.rounds > 1 && r.stops == 0);
    assert_within_limits(t, 3);
    for (int i = 0; i <= 100000; i++) {
        double at[3];
        graze_trajectory_at(t, r.seconds * i / 100000, at, NULL);
        double x = fmax(fabs(at[0] - 0.795) - 0.1, 0), y = fmax(fabs(at[1] - 0.205) - 0.1, 0);
        assert_true(hypot(x, y) > 0.1);
    }
    graze_trajectory_free(t);
    fixture_free(&f);
}

static void test_limits_of_the_description_count(void **state) {
    (void)state;
    fixture f;
    fixture_begin(&f, "<robot name='r'><link name='a'/><link name='b'/><link name='c'/>"
                      "<joint name='one' type='prismatic'><parent link='a'/><child link='b'/>"
                      "<limit lower='0' upper='5' effort='1' velocity='1' acceleration='2' "
                      "jerk='9'/></joint>"
                      "<joint name='two' type='prismatic'><parent link='b'/><child link='c'/>"
                      "<limit lower='0' upper='5' effort='1' velocity='1' acceleration='2'/>"
                      "</joint></robot>");
    fixture_finish(&f);
    const double way[2][4] = {{0, 0, 2, 0}, {0, 0, 0, 2}};
    const double exact[2] = {exact_time(2, 1, 2, 9), 2 / 1.0 + 1 / 2.0};
    for (int i = 0; i < 2; i++) {
        graze_trajectory *t;
        graze_timing_report r;
        assert_int_equal(graze_time_path(&t, f.checker, way[i], 2, NULL, NULL, &r, NULL), GRAZE_OK);
        assert_true(fabs(r.seconds / exact[i] - 1) < 1e-3);
        assert_true((r.jerk > 0) == (i == 0));
        graze_trajectory_free(t);
    }
    fixture_free(&f);
}

static void test_what_is_wrong_is_refused(void **state) {
    (void)state;
    fixture f;
    fixture_begin(&f, puck);
    fixture_finish(&f);
    const double q[6] = {0, 0, 0, 1, 0, 0}, wrong[3] = {0, -1, NAN};
    double jerks[3] = {1, 1, 0}; // the last of what does not move
    for (int i = 0; i < 3; i++) {
        graze_timing_options o = graze_timing_options_default();
        graze_timing_report r;
        graze_error error;
        graze_trajectory *t;
        o.velocities = limits[0];
        o.accelerations = limits[1];
        o.jerks = jerks;
        jerks[0] = 1;
        assert_int_equal(graze_time_path(&t, f.checker, q, 2, NULL, &o, &r, &error), GRAZE_OK);
        graze_trajectory_free(t);
        jerks[0] = wrong[i];
        assert_int_equal(graze_time_path(&t, f.checker, q, 2, NULL, &o, &r, &error),
                         GRAZE_ERROR_RANGE);
        assert_string_equal(error.element, "column move/x");
        assert_non_null(strstr(error.message, "limit of jerk"));
        jerks[0] = INFINITY;
        assert_int_equal(graze_time_path(&t, f.checker, q, 2, NULL, &o, &r, &error), GRAZE_OK);
        assert_true(r.jerk == 0);
        graze_trajectory_free(t);
    }
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight_ways_take_the_time_of_a_double_s),
        cmocka_unit_test(test_paths_keep_the_limits_and_do_not_stop_at_corners),
        cmocka_unit_test(test_no_path_takes_far_longer_than_with_stops),
        cmocka_unit_test(test_bends_of_timed_paths_are_free),
        cmocka_unit_test(test_limits_of_the_description_count),
        cmocka_unit_test(test_what_is_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
