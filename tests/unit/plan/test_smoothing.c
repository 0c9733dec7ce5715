// Smooth paths: bends are cubic B-splines, the curve is smooth, begins and ends where the path
// does, and is free.
#include "graze/smoothing.h"
#include "graze/timing.h"
#include "plan_fixture.h"
#include "unit/trials.h"

// A sphere of 0.1 m that moves in the plane, and turns.
static const char *const puck =
    "<robot name='puck'><link name='table'/><link name='ball'><collision><geometry>"
    "<sphere radius='0.1'/></geometry></collision></link><joint name='move' type='planar'>"
    "<parent link='table'/><child link='ball'/><axis xyz='0 0 1'/></joint></robot>";

static graze_smoothing_report smooth(const fixture *f, const double *q, size_t count,
                                     const double *base, double corner, graze_trajectory **out) {
    graze_smoothing_options options = graze_smoothing_options_default();
    options.corner = corner;
    graze_smoothing_report report;
    graze_error error;
    if (graze_smooth_path(out, f->checker, q, count, base, &options, &report, &error) != GRAZE_OK)
        fail_msg("%s: %s", error.element, error.message);
    return report;
}

/// A column of a cubic piece at t, or a derivative of it by time, from its control points by
/// Bernstein's polynomials.
static double value(const graze_trajectory *c, size_t piece, size_t n, size_t column, double t,
                    int derivative) {
    const double *b = graze_trajectory_points(c, piece, NULL) + column, s = 1 - t;
    double h = graze_trajectory_time(c, piece + 1) - graze_trajectory_time(c, piece);
    if (derivative == 0)
        return s * s * s * b[0] + 3 * s * s * t * b[n] + 3 * s * t * t * b[2 * n] +
               t * t * t * b[3 * n];
    if (derivative == 1)
        return 3 / h *
               (s * s * (b[n] - b[0]) + 2 * s * t * (b[2 * n] - b[n]) +
                t * t * (b[3 * n] - b[2 * n]));
    return 6 / (h * h) * (s * (b[2 * n] - 2 * b[n] + b[0]) + t * (b[3 * n] - 2 * b[2 * n] + b[n]));
}

/// First and second derivatives are continuous between all pieces but at so many corners.
static void assert_smooth(const graze_trajectory *c, size_t n, size_t sharp) {
    size_t found = 0;
    for (size_t i = 0; i + 1 < graze_trajectory_piece_count(c); i++) {
        double jump[2] = {0, 0};
        for (size_t k = 0; k < n; k++)
            for (int d = 1; d <= 2; d++)
                jump[d - 1] = fmax(jump[d - 1],
                                   fabs(value(c, i, n, k, 1, d) - value(c, i + 1, n, k, 0, d)));
        if (jump[0] > 1e-9)
            found++;
        else
            assert_true(jump[1] < 1e-6);
    }
    assert_int_equal(found, sharp);
}

static void test_bends_are_uniform_cubic_b_splines(void **state) {
    (void)state;
    fixture f;
    fixture_begin(&f, puck);
    fixture_finish(&f);
    const double q[9] = {0, 0, 0, 3, 0, 0, 3, 4, 1};
    const double u[2][3] = {{1, 0, 0}, {0, 4 / sqrt(17), 1 / sqrt(17)}};
    graze_trajectory *c;
    graze_smoothing_report r = smooth(&f, q, 3, NULL, 0.1, &c);
    assert_true(r.verdict == GRAZE_MOTION_FREE && r.smooth == 1 && r.sharp == 0);
    assert_true(r.tightened == 0 && r.rounds == 1);
    assert_int_equal(graze_trajectory_piece_count(c), 4);
    double cut = 3 - graze_trajectory_time(c, 1);
    double p[5][3]; // the spline's control points
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 3; k++) p[i][k] = q[3 + k] + (i - 2) * cut * u[i < 2 ? 0 : 1][k];
    for (int i = 0; i <= 20; i++)
        for (int half = 0; half < 2; half++)
            for (int k = 0; k < 3; k++) {
                double t = i / 20.0, s = 1 - t;
                double basis[4] = {s * s * s, 3 * t * t * t - 6 * t * t + 4,
                                   -3 * t * t * t + 3 * t * t + 3 * t + 1, t * t * t};
                double sum = 0;
                for (int j = 0; j < 4; j++) sum += basis[j] / 6 * p[half + j][k];
                double found = value(c, 1 + (size_t)half, 3, (size_t)k, t, 0);
                assert_true(fabs(found - sum) < 1e-14);
            }
    assert_smooth(c, 3, 0);
    // Nowhere nearer to the corner than at the middle, which is as far as was allowed.
    double off = 0;
    for (int k = 0; k < 3; k++) off += pow(value(c, 1, 3, (size_t)k, 1, 0) - q[3 + k], 2);
    assert_true(fabs(sqrt(off) - 0.1) < 1e-12);
    assert_true(fabs(r.length - (3 + sqrt(17))) < 1e-12);
    graze_trajectory_free(c);
    fixture_free(&f);
}

/// How far a point of the plane is from a rectangle about (x, y) of sides a and b.
static double clearance(const double *at, double x, double y, double a, double b) {
    return hypot(fmax(fabs(at[0] - x) - a / 2, 0), fmax(fabs(at[1] - y) - b / 2, 0));
}

/// Oracle: samples of each piece, and the distance of a point from a rectangle.
static double least_clearance(const graze_trajectory *c, double x, double y) {
    double least = INFINITY;
    for (size_t i = 0; i < graze_trajectory_piece_count(c); i++)
        for (int k = 0; k <= 10000; k++) {
            double at[2] = {value(c, i, 3, 0, k / 1e4, 0), value(c, i, 3, 1, k / 1e4, 0)};
            least = fmin(least, clearance(at, x, y, 0.2, 0.2));
        }
    return least;
}

static void test_a_bend_is_as_wide_as_it_is_free(void **state) {
    (void)state;
    // The post's corner is so far from the path's, along x and y, beyond the ball's radius.
    const double gaps[] = {0.2, 0.05, 0.01, 1e-3, 1e-4};
    double cut[5];
    for (size_t i = 0; i < 5; i++) {
        fixture f;
        fixture_begin(&f, puck);
        double at = 1 - 0.1 - gaps[i] - 0.1;
        fixture_box(&f, "post", 0.2, 0.2, 1, at, 1 - at, 0);
        fixture_finish(&f);
        const double q[9] = {0, 0, 0, 1, 0, 0, 1, 1, 0};
        graze_trajectory *c;
        graze_smoothing_report r = smooth(&f, q, 3, NULL, 0.5, &c);
        assert_int_equal(r.verdict, GRAZE_MOTION_FREE);
        assert_int_equal(r.smooth + r.sharp, 1);
        assert_true(r.tightened <= r.smooth);
        assert_true(least_clearance(c, at, 1 - at) > 0.1);
        assert_smooth(c, 3, r.sharp);
        cut[i] = r.sharp ? 0 : 1 - graze_trajectory_time(c, 1);
        graze_trajectory_free(c);
        fixture_free(&f);
    }
    assert_true(fabs(cut[0] - 0.45) < 1e-12); // as much as may be cut
    for (size_t i = 1; i < 5; i++) assert_true(cut[i] <= cut[i - 1]);
    // A ball that rolls round the post's corner is 0.1 sqrt(2) from the path's, so a bend may come
    // 0.0414 nearer: 0.1757 wide. Halves of 0.45 are tried.
    assert_true(fabs(cut[4] - 0.1125) < 1e-12);
}

static void test_a_corner_pressed_against_an_obstacle_stays_sharp(void **state) {
    (void)state;
    fixture f;
    fixture_begin(&f, puck);
    // The path turns by 0.05; a ball at its corner is 3e-5 farther than 0.1 from a pin that it
    // passes at 0.1 on both ways. The narrowest bend would come 6e-5 nearer.
    const double x = 1 - 0.1 * tan(0.025), y = 0.2 + 5e-6;
    fixture_box(&f, "pin", 2e-6, 0.2, 1, x, y, 0);
    fixture_finish(&f);
    const double q[9] = {0, 0, 0, 1, 0, 0, 2, tan(0.05), 0};
    graze_trajectory *c;
    graze_smoothing_report r = smooth(&f, q, 3, NULL, 0.5, &c);
    assert_true(r.verdict == GRAZE_MOTION_FREE && r.sharp == 1 && r.smooth == 0 && r.rounds == 7);
    assert_int_equal(graze_trajectory_piece_count(c), 2);
    double least = INFINITY;
    for (size_t i = 0; i < 2; i++)
        for (int k = 0; k <= 10000; k++) {
            double at[2] = {value(c, i, 3, 0, k / 1e4, 0), value(c, i, 3, 1, k / 1e4, 0)};
            least = fmin(least, clearance(at, x, y, 2e-6, 0.2));
        }
    assert_true(least > 0.1 && least < 0.1 + 2e-5);
    graze_trajectory_free(c);
    fixture_free(&f);
}

static void test_corners_that_turn_back_stay_sharp(void **state) {
    (void)state;
    fixture f;
    fixture_begin(&f, puck);
    fixture_finish(&f);
    const double q[12] = {0, 0, 0, 1, 0, 0, 0.3, 0.01, 0, 0.3, 1, 0};
    graze_trajectory *c;
    graze_smoothing_report r = smooth(&f, q, 4, NULL, 0.05, &c);
    assert_true(r.verdict == GRAZE_MOTION_FREE && r.smooth == 1 && r.sharp == 1);
    assert_smooth(c, 3, 1);
    const double *corner = graze_trajectory_points(c, 1, NULL); // bits of the waypoint
    assert_memory_equal(corner, q + 3, 3 * sizeof *q);
    graze_trajectory_free(c);
    fixture_free(&f);
}

static void test_the_ends_are_the_paths_and_angles_turn_the_shorter_way(void **state) {
    (void)state;
    fixture f;
    fixture_begin(&f, puck);
    fixture_finish(&f);
    const double q[9] = {0.1, 0.7, 3, 0.4, 0.3, -3, 1.1, 0.9, -2.5};
    const double base[18] = {0, 0, 0, 0, 0, 3.1, 1, 0, 0, 0, 0, -3.1, 1, 1, 0, 0, 0, -2.9};
    graze_trajectory *c, *again;
    graze_smoothing_report r = smooth(&f, q, 3, base, 0.1, &c);
    smooth(&f, q, 3, base, 0.1, &again);
    assert_true(r.verdict == GRAZE_MOTION_FREE && r.smooth == 1);
    size_t pieces = graze_trajectory_piece_count(c);
    const double *bases, *ends, *first = graze_trajectory_points(c, 0, &bases), *last;
    assert_memory_equal(first, q, 3 * sizeof *q);
    assert_memory_equal(bases, base, 6 * sizeof *base);
    last = graze_trajectory_points(c, pieces - 1, &ends);
    assert_memory_equal(last + 9, q + 6, 2 * sizeof *q);
    assert_true(fabs(last[11] - (2 * 3.14159265358979323846 - 2.5)) < 1e-14);
    assert_memory_equal(ends + 18, base + 12, 5 * sizeof *base);
    assert_true(fabs(ends[23] - (2 * 3.14159265358979323846 - 2.9)) < 1e-14);
    // The same bits once more.
    for (size_t i = 0; i < pieces; i++) {
        const double *one, *other;
        const double *a = graze_trajectory_points(c, i, &one);
        assert_memory_equal(a, graze_trajectory_points(again, i, &other), 12 * sizeof *a);
        assert_memory_equal(one, other, 24 * sizeof *one);
    }
    graze_trajectory_free(c);
    graze_trajectory_free(again);
    fixture_free(&f);
}

static void test_a_path_that_is_not_free_is_not_smoothed(void **state) {
    (void)state;
    fixture f;
    fixture_begin(&f, puck);
    fixture_box(&f, "post", 0.2, 0.2, 1, 1, 0.5, 0);
    fixture_finish(&f);
    const double q[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 2, 1, 0};
    graze_trajectory *c;
    graze_smoothing_report r = smooth(&f, q, 4, NULL, 0.01, &c);
    assert_null(c);
    assert_int_equal(r.verdict, GRAZE_MOTION_HIT);
    assert_int_equal(r.motion, 1);
    assert_true(r.length == 0);
    fixture_free(&f);
}

/// Oracle: samples of the curve of a planned path, each checked.
static void assert_free(const fixture *f, const graze_trajectory *c) {
    graze_workspace *workspace;
    assert_int_equal(graze_workspace_create(&workspace, f->checker, NULL), GRAZE_OK);
    for (size_t i = 0; i < graze_trajectory_piece_count(c); i++)
        for (int k = 0; k <= 1000; k++) {
            double q[16];
            graze_report report = {0};
            for (size_t j = 0; j < f->n; j++) q[j] = value(c, i, f->n, j, k / 1e3, 0);
            assert_int_equal(
                graze_check(f->checker, workspace, GRAZE_ANSWER_ANY, q, f->n, NULL, &report, NULL),
                GRAZE_OK);
            assert_int_equal(report.verdict, GRAZE_FREE);
        }
    graze_workspace_free(workspace);
}

static double seconds(const fixture *f, const graze_path *path, double corner, bool spline) {
    double limits[16];
    for (size_t k = 0; k < 16; k++) limits[k] = 1.5;
    graze_timing_options o = graze_timing_options_default();
    o.velocities = o.accelerations = limits;
    o.corner = corner;
    o.spline = spline;
    graze_timing_report r;
    graze_trajectory *t;
    assert_int_equal(graze_time_path(&t, f->checker, graze_path_q(path, 0), graze_path_count(path),
                                     NULL, &o, &r, NULL),
                     GRAZE_OK);
    assert_int_equal(r.verdict, GRAZE_MOTION_FREE);
    graze_trajectory_free(t);
    return r.seconds;
}

static void test_planned_paths_become_smooth_and_faster(void **state) {
    (void)state;
    fixture f;
    fixture_load(&f, "heron", "shelf");
    double stops = 0, parabolas = 0, splines = 0;
    size_t bends = 0;
    for (uint64_t seed = 1; seed <= TRIALS(20, 4); seed++) {
        double ends[2][16];
        graze_plan_options options = graze_plan_options_default();
        graze_plan_result r = {0};
        options.max_seconds = INFINITY;
        options.smooth = 0.1;
        for (uint64_t i = 0, sample = 0; i < 2; sample++) {
            graze_robot_sample(f.robot, seed, sample, NULL, 0, ends[i], NULL);
            i += graze_plan(f.checker, ends[i], NULL, ends[i], NULL, &options, &r, NULL) ==
                     GRAZE_OK &&
                 r.certified;
            graze_trajectory_free(r.curve);
            graze_path_free(r.path);
        }
        assert_int_equal(graze_plan(f.checker, ends[0], NULL, ends[1], NULL, &options, &r, NULL),
                         GRAZE_OK);
        assert_true(r.outcome == GRAZE_PLAN_FOUND && r.certified && r.curve);
        assert_int_equal(r.smooth_corners + r.sharp_corners, graze_path_count(r.path) - 2);
        assert_free(&f, r.curve);
        assert_smooth(r.curve, f.n, r.sharp_corners);
        bends += r.smooth_corners;
        stops += seconds(&f, r.path, 0, false);
        parabolas += seconds(&f, r.path, 0.1, false);
        splines += seconds(&f, r.path, 0.1, true);
        graze_trajectory_free(r.curve);
        graze_path_free(r.path);
    }
    assert_true(bends > 0 && splines < stops);
    printf("%zu bends: parabolas take %.3f, splines %.3f of the time with stops\n", bends,
           parabolas / stops, splines / stops);
    fixture_free(&f);
}

static void refused(const fixture *f, const double *q, size_t count, const double *base,
                    double corner, graze_status status, const char *element, const char *message) {
    graze_trajectory *c = (graze_trajectory *)1;
    graze_smoothing_report report;
    graze_smoothing_options options = graze_smoothing_options_default();
    graze_error error;
    options.corner = corner;
    assert_int_equal(graze_smooth_path(&c, f->checker, q, count, base, &options, &report, &error),
                     status);
    assert_null(c);
    assert_int_equal(report.verdict, GRAZE_MOTION_UNKNOWN);
    assert_string_equal(error.element, element);
    if (!strstr(error.message, message)) fail_msg("'%s' lacks '%s'", error.message, message);
}

static void test_what_is_wrong_is_refused(void **state) {
    (void)state;
    fixture f;
    fixture_begin(&f, puck);
    fixture_finish(&f);
    double q[6] = {0, 0, 0, 1, 0, 0}, base[12] = {0};
    refused(&f, q, 1, NULL, 0.1, GRAZE_ERROR_ARGUMENT, "", "two at least");
    refused(&f, NULL, 2, NULL, 0.1, GRAZE_ERROR_ARGUMENT, "", "two at least");
    refused(&f, q, 2, NULL, 0, GRAZE_ERROR_RANGE, "", "corner is 0");
    refused(&f, q, 2, NULL, NAN, GRAZE_ERROR_RANGE, "", "corner is");
    base[9] = NAN;
    refused(&f, q, 2, base, 0.1, GRAZE_ERROR_RANGE, "row 1, base", "finite");
    q[3] = 0;
    refused(&f, q, 2, NULL, 0.1, GRAZE_ERROR_RANGE, "row 1", "the row before");
    q[3] = NAN;
    refused(&f, q, 2, NULL, 0.1, GRAZE_ERROR_RANGE, "row 1, joint 'move'", "nan");
    graze_trajectory *c;
    graze_smoothing_report r;
    assert_int_equal(graze_smooth_path(NULL, f.checker, q, 2, NULL, NULL, &r, NULL),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_smooth_path(&c, NULL, q, 2, NULL, NULL, &r, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_smooth_path(&c, f.checker, q, 2, NULL, NULL, NULL, NULL),
                     GRAZE_ERROR_ARGUMENT);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bends_are_uniform_cubic_b_splines),
        cmocka_unit_test(test_a_bend_is_as_wide_as_it_is_free),
        cmocka_unit_test(test_a_corner_pressed_against_an_obstacle_stays_sharp),
        cmocka_unit_test(test_corners_that_turn_back_stay_sharp),
        cmocka_unit_test(test_the_ends_are_the_paths_and_angles_turn_the_shorter_way),
        cmocka_unit_test(test_a_path_that_is_not_free_is_not_smoothed),
        cmocka_unit_test(test_planned_paths_become_smooth_and_faster),
        cmocka_unit_test(test_what_is_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
