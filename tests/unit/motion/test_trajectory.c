// Timed trajectories: places against formulas of their own in long double, verdicts against dense
// samples, tunnels, and what is refused.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "graze/graze.h"
#include "unit/motion/slider_fixture.h"
#include "unit/trials.h"

static void set_up(fixture *f, const double size[3], double x, double y, double z) {
    set_up_inside(f, size, x, y, z, 4);
}

static graze_trajectory_report check(fixture *f, const graze_trajectory *t) {
    graze_trajectory_report report;
    graze_error error;
    if (graze_check_trajectory(f->checker, f->motion, t, &f->options, &report, &error) != GRAZE_OK)
        fail_msg("%s", error.message);
    return report;
}

static bool collides_at(fixture *f, const graze_trajectory *t, double time) {
    double q[2], base[6];
    graze_report report = {0};
    assert_int_equal(graze_trajectory_at(t, time, q, base), GRAZE_OK);
    assert_int_equal(
        graze_check(f->checker, f->workspace, GRAZE_ANSWER_ANY, q, 2, base, &report, NULL),
        GRAZE_OK);
    return report.verdict == GRAZE_COLLISION;
}

// ------------------------------------------------------------------------------------- places

/// A Hermite piece by its power basis, as textbooks have it: an oracle without control points.
static long double hermite(int order, long double T, long double t, const double q[2],
                           const double v[2], const double a[2]) {
    long double d = q[1] - (long double)q[0], s = t / T;
    if (order == 1) return q[0] + d * s;
    if (order == 3)
        return q[0] + v[0] * t + (3 * d / T - 2 * v[0] - v[1]) / T * t * t +
               (-2 * d / T + v[0] + v[1]) / (T * T) * t * t * t;
    long double c3 = (20 * d - (8 * v[1] + 12 * v[0]) * T - (3 * a[0] - a[1]) * T * T) /
                     (2 * T * T * T);
    long double c4 = (-30 * d + (14 * v[1] + 16 * v[0]) * T + (3 * a[0] - 2 * a[1]) * T * T) /
                     (2 * T * T * T * T);
    long double c5 = (12 * d - 6 * (v[1] + v[0]) * T - (a[0] - a[1]) * T * T) /
                     (2 * T * T * T * T * T);
    return q[0] + v[0] * t + 0.5L * a[0] * t * t + c3 * t * t * t + c4 * t * t * t * t +
           c5 * t * t * t * t * t;
}

/// Random knots; `order` 1, 3 or 5.
typedef struct knots {
    double times[4], q[8], v[8], a[8], base[24], base_v[24];
} knots;

static graze_trajectory *make(const graze_robot *robot, gz_random *random, int order, double spread,
                              bool base_moves, knots *k) {
    double time = gz_random_range(random, -2, 2);
    for (int i = 0; i < 4; i++) {
        k->times[i] = time;
        time += gz_random_range(random, 0.05, 2);
    }
    for (int i = 0; i < 8; i++) {
        k->q[i] = gz_random_range(random, -spread, spread);
        k->v[i] = gz_random_range(random, -2, 2);
        k->a[i] = gz_random_range(random, -2, 2);
    }
    for (int i = 0; i < 24; i++) {
        k->base[i] = gz_random_range(random, -0.3, 0.3);
        k->base_v[i] = gz_random_range(random, -0.3, 0.3);
    }
    graze_trajectory_knots given = graze_trajectory_knots_default();
    given.count = 4;
    given.times = k->times;
    given.q = k->q;
    if (order > 1) given.velocities = k->v;
    if (order > 3) given.accelerations = k->a;
    if (base_moves) given.base = k->base;
    if (base_moves && order > 1) given.base_velocities = k->base_v;
    graze_trajectory *t;
    graze_error error;
    if (graze_trajectory_from_knots(&t, robot, &given, &error) != GRAZE_OK)
        fail_msg("%s", error.message);
    return t;
}

static void test_places_are_those_of_hermite_interpolation(void **state) {
    (void)state;
    fixture f;
    set_up(&f, (const double[]){1, 1, 1}, 0, 3, 0);
    gz_random random = {.state = 7};
    for (int trial = 0; trial < 300; trial++) {
        knots k;
        int order = 1 + 2 * (trial % 3);
        graze_trajectory *t = make(f.robot, &random, order, 1, true, &k);
        assert_int_equal(graze_trajectory_piece_count(t), 3);
        for (int i = 0; i < 40; i++) {
            double q[2], base[6], time = gz_random_range(&random, k.times[0], k.times[3]);
            assert_int_equal(graze_trajectory_at(t, time, q, base), GRAZE_OK);
            int p = time >= k.times[2] ? 2 : time >= k.times[1] ? 1 : 0;
            long double span = (long double)k.times[p + 1] - k.times[p];
            for (int c = 0; c < 2; c++) {
                const double ends[3][2] = {{k.q[2 * p + c], k.q[2 * p + 2 + c]},
                                           {k.v[2 * p + c], k.v[2 * p + 2 + c]},
                                           {k.a[2 * p + c], k.a[2 * p + 2 + c]}};
                long double wanted = hermite(order, span, time - (long double)k.times[p], ends[0],
                                             ends[1], ends[2]);
                assert_true(fabsl(wanted - q[c]) < 1e-12L);
            }
        }
        // Knots are passed; before and behind it stands still.
        for (int i = 0; i < 4; i++) {
            double q[2];
            assert_int_equal(graze_trajectory_at(t, k.times[i], q, NULL), GRAZE_OK);
            assert_true(q[0] == k.q[2 * i] && q[1] == k.q[2 * i + 1]);
        }
        double before[2], behind[2];
        assert_int_equal(graze_trajectory_at(t, k.times[0] - 5, before, NULL), GRAZE_OK);
        assert_int_equal(graze_trajectory_at(t, k.times[3] + 5, behind, NULL), GRAZE_OK);
        assert_true(before[0] == k.q[0] && behind[1] == k.q[7]);
        graze_trajectory_free(t);
    }
    tear_down(&f);
}

/// Against differences of the places, and at knots the velocities that were given.
static void test_velocities_are_derivatives_of_places(void **state) {
    (void)state;
    fixture f;
    set_up(&f, (const double[]){1, 1, 1}, 0, 3, 0);
    gz_random random = {.state = 11};
    for (int trial = 0; trial < 300; trial++) {
        knots k;
        int order = 1 + 2 * (trial % 3);
        graze_trajectory *t = make(f.robot, &random, order, 1, true, &k);
        double v[2], base_v[6];
        for (int i = 0; i < 3 && order > 1; i++) {
            assert_int_equal(graze_trajectory_velocity_at(t, k.times[i], v), GRAZE_OK);
            assert_int_equal(graze_trajectory_base_velocity_at(t, k.times[i], base_v), GRAZE_OK);
            for (int c = 0; c < 2; c++) assert_true(fabs(v[c] - k.v[2 * i + c]) < 1e-12);
            for (int c = 0; c < 6; c++) assert_true(fabs(base_v[c] - k.base_v[6 * i + c]) < 1e-12);
        }
        for (int p = 0; p < 3; p++) {
            double span = k.times[p + 1] - k.times[p], step = 1e-6 * span, q[2][2], base[2][6];
            double time = k.times[p] + gz_random_range(&random, 0.01, 0.99) * span;
            for (int e = 0; e < 2; e++)
                assert_int_equal(graze_trajectory_at(t, time + (e ? step : -step), q[e], base[e]),
                                 GRAZE_OK);
            assert_int_equal(graze_trajectory_velocity_at(t, time, v), GRAZE_OK);
            assert_int_equal(graze_trajectory_base_velocity_at(t, time, base_v), GRAZE_OK);
            for (int c = 0; c < 2; c++)
                assert_true(fabs((q[1][c] - q[0][c]) / (2 * step) - v[c]) < 1e-7 / span);
            for (int c = 0; c < 6; c++)
                assert_true(fabs((base[1][c] - base[0][c]) / (2 * step) - base_v[c]) < 1e-7 / span);
        }
        assert_int_equal(graze_trajectory_base_velocity_at(t, NAN, base_v), GRAZE_ERROR_ARGUMENT);
        assert_int_equal(graze_trajectory_base_velocity_at(t, 0, NULL), GRAZE_ERROR_ARGUMENT);
        graze_trajectory_free(t);
    }
    tear_down(&f);
}

static void test_control_points_make_the_same_trajectory_again(void **state) {
    (void)state;
    fixture f;
    set_up(&f, (const double[]){1, 1, 1}, 0, 3, 0);
    gz_random random = {.state = 11};
    for (int order = 1; order <= 5; order += 2) {
        knots k;
        graze_trajectory *t = make(f.robot, &random, order, 1, true, &k), *again;
        double times[4], rows[3 * 6 * 2], bases[3 * 6 * 6];
        const double *base;
        size_t degree = graze_trajectory_degree(t);
        assert_int_equal(degree, order);
        for (size_t i = 0; i <= 3; i++) times[i] = graze_trajectory_time(t, i);
        for (size_t i = 0; i < 3; i++) {
            const double *q = graze_trajectory_points(t, i, &base);
            assert_non_null(q);
            memcpy(rows + i * (degree + 1) * 2, q, (degree + 1) * 2 * sizeof *q);
            memcpy(bases + i * (degree + 1) * 6, base, (degree + 1) * 6 * sizeof *base);
        }
        assert_null(graze_trajectory_points(t, 3, &base));
        assert_int_equal(graze_trajectory_from_bezier(&again, f.robot, (uint32_t)degree, 3, times,
                                                      rows, bases, NULL),
                         GRAZE_OK);
        for (int i = 0; i < 50; i++) {
            double a[8], b[8], time = gz_random_range(&random, times[0] - 1, times[3] + 1);
            assert_int_equal(graze_trajectory_at(t, time, a, a + 2), GRAZE_OK);
            assert_int_equal(graze_trajectory_at(again, time, b, b + 2), GRAZE_OK);
            assert_memory_equal(a, b, sizeof a);
        }
        graze_trajectory_free(again);
        graze_trajectory_free(t);
    }
    assert_int_equal(graze_trajectory_degree(NULL), 0);
    tear_down(&f);
}

// ------------------------------------------------------------------------------------- verdicts

/// Holds a report to samples of the motion.
static void hold(fixture *f, const graze_trajectory *t, const graze_trajectory_report *r,
                 gz_random *random, int samples) {
    size_t pieces = graze_trajectory_piece_count(t);
    double begin = graze_trajectory_time(t, 0), end = graze_trajectory_time(t, pieces);
    double proved = r->verdict == GRAZE_MOTION_FREE ? end : r->earliest;
    assert_true(r->earliest <= r->latest && r->earliest >= begin && r->latest <= end);
    for (int i = 0; i <= samples; i++) {
        double time = i % 2 ? begin + (end - begin) * i / samples
                            : gz_random_range(random, begin, end);
        if (time < proved || (r->verdict == GRAZE_MOTION_FREE && time <= end))
            assert_false(collides_at(f, t, time));
    }
    if (r->verdict == GRAZE_MOTION_HIT) {
        assert_true(collides_at(f, t, r->latest));
        assert_true(r->piece < pieces && r->latest >= graze_trajectory_time(t, r->piece));
    }
}

static void test_verdicts_are_those_of_dense_samples(void **state) {
    (void)state;
    fixture f;
    int count[3] = {0};
    set_up(&f, (const double[]){0.3, 0.3, 1}, 0.4, 0.45, 0);
    gz_random random = {.state = 11};
    for (int trial = 0; trial < TRIALS(1500, 200); trial++) {
        knots k;
        graze_trajectory *t = make(f.robot, &random, 1 + 2 * (trial % 3), 1.2, trial % 4 == 0, &k);
        f.options.answer = trial % 2 ? GRAZE_MOTION_FIRST : GRAZE_MOTION_ANY;
        graze_trajectory_report r = check(&f, t);
        count[r.verdict]++;
        hold(&f, t, &r, &random, 300);
        graze_trajectory_free(t);
    }
    assert_true(count[GRAZE_MOTION_FREE] > 15 && count[GRAZE_MOTION_HIT] > 100);
    assert_true(count[GRAZE_MOTION_UNDECIDED] < 3);
    tear_down(&f);
}

/// The cube's way there and back as a cubic that turns round at x = 1 exactly, before a plate.
static graze_trajectory_report turn_round(fixture *f, double gap) {
    set_up(f, (const double[]){0.1, 1, 1}, 1.1 + gap + 0.05, 0, -0.6);
    const double q[4] = {0, 2, 1, 2}, v[4] = {2, 0, 0, 0}, times[2] = {0, 1};
    graze_trajectory_knots k = graze_trajectory_knots_default();
    k.count = 2;
    k.times = times;
    k.q = q;
    k.velocities = v;
    graze_trajectory *t;
    assert_int_equal(graze_trajectory_from_knots(&t, f->robot, &k, NULL), GRAZE_OK);
    f->options.answer = GRAZE_MOTION_FIRST;
    graze_trajectory_report r = check(f, t);
    gz_random random = {.state = 5};
    hold(f, t, &r, &random, 2000);
    graze_trajectory_free(t);
    tear_down(f);
    return r;
}

static void test_a_turn_before_a_plate_is_free_by_its_gap(void **state) {
    (void)state;
    fixture f;
    assert_int_equal(turn_round(&f, 1e-3).verdict, GRAZE_MOTION_FREE);
    assert_int_equal(turn_round(&f, 1e-5).verdict, GRAZE_MOTION_FREE);
    assert_int_equal(turn_round(&f, -1e-7).verdict, GRAZE_MOTION_HIT);
    // Between its knots it swings beyond them: from x = 0 to x = 0 at 3 m/s up to 0.75.
    set_up(&f, (const double[]){0.1, 1, 1}, 0.75, 0, -0.6);
    const double q[4] = {0, 2, 0, 2}, v[4] = {3, 0, -3, 0}, times[2] = {10, 11};
    graze_trajectory_knots k = graze_trajectory_knots_default();
    k.count = 2;
    k.times = times;
    k.q = q;
    k.velocities = v;
    graze_trajectory *t;
    assert_int_equal(graze_trajectory_from_knots(&t, f.robot, &k, NULL), GRAZE_OK);
    graze_trajectory_report r = check(&f, t);
    assert_int_equal(r.verdict, GRAZE_MOTION_HIT);
    assert_true(r.latest > 10 && r.latest < 11);
    graze_trajectory_free(t);
    tear_down(&f);
}

// A plate that is crossed for a moment, by a quintic, whatever its thickness.
static void test_no_plate_is_too_thin_for_a_curve(void **state) {
    (void)state;
    for (double thick = 1e-3; thick > 5e-10; thick /= 10) {
        fixture f;
        set_up(&f, (const double[]){thick, 4, 4}, 0.123, 0, 0);
        gz_random random = {.state = 3};
        for (int trial = 0; trial < 20; trial++) {
            const double q[4] = {-2, 1, 2, 1}, times[2] = {0, 1.5};
            double v[4], a[4];
            for (int i = 0; i < 4; i++) {
                v[i] = gz_random_range(&random, -1, 1);
                a[i] = gz_random_range(&random, -3, 3);
            }
            graze_trajectory_knots k = graze_trajectory_knots_default();
            k.count = 2;
            k.times = times;
            k.q = q;
            k.velocities = v;
            k.accelerations = a;
            graze_trajectory *t;
            assert_int_equal(graze_trajectory_from_knots(&t, f.robot, &k, NULL), GRAZE_OK);
            graze_trajectory_report r = check(&f, t);
            assert_int_equal(r.verdict, GRAZE_MOTION_HIT);
            assert_true(collides_at(&f, t, r.latest));
            graze_trajectory_free(t);
        }
        tear_down(&f);
    }
}

// Straight pieces are the motions of graze_check_motion().
static void test_straight_pieces_are_motions(void **state) {
    (void)state;
    fixture f;
    set_up(&f, (const double[]){0.3, 0.3, 1}, 0.5, 0.5, 0);
    gz_random random = {.state = 13};
    for (int trial = 0; trial < 300; trial++) {
        double q[4], times[2] = {0, 1};
        for (int i = 0; i < 4; i++) q[i] = gz_random_range(&random, -1.2, 1.2);
        graze_trajectory_knots k = graze_trajectory_knots_default();
        k.count = 2;
        k.times = times;
        k.q = q;
        graze_trajectory *t;
        assert_int_equal(graze_trajectory_from_knots(&t, f.robot, &k, NULL), GRAZE_OK);
        f.options.turn = GRAZE_TURN_AS_GIVEN;
        graze_trajectory_report r = check(&f, t);
        graze_motion_report m;
        assert_int_equal(
            graze_check_motion(f.checker, f.motion, q, q + 2, 2, NULL, NULL, &f.options, &m, NULL),
            GRAZE_OK);
        assert_int_equal(r.verdict, m.verdict);
        assert_true(fabs(r.latest - m.latest) < 1e-12 && fabs(r.earliest - m.earliest) < 1e-12);
        graze_trajectory_free(t);
    }
    tear_down(&f);
}

// The base leaves the boundary between two knots that are inside, as a curve can.
static void test_a_base_that_swings_out_is_found(void **state) {
    (void)state;
    fixture f;
    set_up(&f, (const double[]){0.1, 0.1, 0.1}, -3, -3, -3);
    const double q[4] = {0}, v[4] = {0}, times[2] = {0, 1};
    double base[12] = {3.5, 0, 0, 0, 0, 0, 3.5, 0, 0, 0, 0, 0}, base_v[12] = {0};
    graze_trajectory_knots k = graze_trajectory_knots_default();
    k.count = 2;
    k.times = times;
    k.q = q;
    k.velocities = v;
    k.base = base;
    k.base_velocities = base_v;
    const double speeds[] = {1, 1.9, 2.1, 4};
    for (size_t i = 0; i < 4; i++) {
        // Up to 3.5 + speed / 4 in the middle; the boundary is at 4.
        base_v[0] = speeds[i];
        base_v[6] = -speeds[i];
        for (int answer = 0; answer < 2; answer++) {
            graze_trajectory *t;
            assert_int_equal(graze_trajectory_from_knots(&t, f.robot, &k, NULL), GRAZE_OK);
            f.options.answer = answer ? GRAZE_MOTION_FIRST : GRAZE_MOTION_ANY;
            graze_trajectory_report r = check(&f, t);
            assert_int_equal(r.verdict, speeds[i] < 2 ? GRAZE_MOTION_FREE : GRAZE_MOTION_HIT);
            gz_random random = {.state = 17};
            hold(&f, t, &r, &random, 1000);
            if (r.verdict == GRAZE_MOTION_HIT)
                assert_int_equal(r.contact.kind, GRAZE_CONTACT_BOUNDARY);
            graze_trajectory_free(t);
        }
    }
    tear_down(&f);
}

// ------------------------------------------------------------------------------------- refused

static void expect(const graze_robot *robot, const graze_trajectory_knots *k, graze_status status,
                   const char *element, const char *message) {
    graze_trajectory *t;
    graze_error error;
    assert_int_equal(graze_trajectory_from_knots(&t, robot, k, &error), status);
    assert_null(t);
    if (strcmp(error.element, element) != 0 || !strstr(error.message, message))
        fail_msg("%s (%s)", error.message, error.element);
}

static void test_what_is_no_trajectory_is_refused(void **state) {
    (void)state;
    fixture f;
    set_up(&f, (const double[]){0.1, 0.1, 0.1}, -3, -3, -3);
    double q[6] = {0, 0, 1, 1, 2, 2}, v[6] = {0}, a[6] = {0}, times[3] = {0, 1, 2}, base[18] = {0};
    graze_trajectory_knots k = graze_trajectory_knots_default();
    k.count = 3;
    k.times = times;
    k.q = q;
    times[2] = 1;
    expect(f.robot, &k, GRAZE_ERROR_RANGE, "row 2", "time is 1 s after 1 s; allowed: later");
    times[2] = NAN;
    expect(f.robot, &k, GRAZE_ERROR_RANGE, "row 2", "allowed: finite");
    times[2] = 2;
    q[3] = NAN;
    expect(f.robot, &k, GRAZE_ERROR_RANGE, "row 1, joint 'turn'", "allowed: finite");
    q[3] = 1;
    k.velocities = v;
    v[4] = INFINITY;
    expect(f.robot, &k, GRAZE_ERROR_RANGE, "row 2, column x", "velocity is inf; allowed: finite");
    v[4] = 0;
    k.accelerations = a;
    a[1] = NAN;
    expect(f.robot, &k, GRAZE_ERROR_RANGE, "row 0, column turn", "acceleration is");
    a[1] = 0;
    k.base = base;
    base[7] = 1e9;
    expect(f.robot, &k, GRAZE_ERROR_RANGE, "row 1, base", "y of the base is 1e+09");
    base[7] = 0;
    k.velocities = NULL;
    expect(f.robot, &k, GRAZE_ERROR_ARGUMENT, "", "accelerations without velocities");
    k.count = 1;
    expect(f.robot, &k, GRAZE_ERROR_ARGUMENT, "", "1 knots; allowed: two at least");

    // Pieces that jump; degrees that are none.
    graze_trajectory *t;
    graze_error error;
    double points[12] = {0, 0, 0.5, 0, 1, 0, 1, 1e-3, 0.5, 0, 0, 0};
    assert_int_equal(graze_trajectory_from_bezier(&t, f.robot, 2, 2, times, points, NULL, &error),
                     GRAZE_ERROR_RANGE);
    assert_string_equal(error.element, "row 3, column turn");
    points[7] = 1e-10; // rounding: the end of the one before counts
    assert_int_equal(graze_trajectory_from_bezier(&t, f.robot, 2, 2, times, points, NULL, &error),
                     GRAZE_OK);
    double at[2];
    assert_int_equal(graze_trajectory_at(t, 1, at, NULL), GRAZE_OK);
    assert_true(at[0] == 1 && at[1] == 0);
    // What is read back: the second piece begins where the first one ends, at (1, 0).
    const double *bases = NULL, *second = graze_trajectory_points(t, 1, &bases);
    assert_int_equal(graze_trajectory_degree(t), 2);
    assert_non_null(second);
    for (int i = 0; i < 6; i++) assert_true(second[i] == (i == 1 ? 0 : points[6 + i]));
    for (int i = 0; i < 18; i++) assert_true(bases[i] == 0);
    assert_true(graze_trajectory_parameter(t, 1, times[1]) == 0);
    assert_true(graze_trajectory_parameter(t, 1, (times[1] + times[2]) / 2) == 0.5);
    assert_true(graze_trajectory_parameter(t, 1, times[2] + 1) == 1);
    assert_null(graze_trajectory_points(t, 2, &bases));
    assert_null(bases);
    assert_true(isnan(graze_trajectory_parameter(t, 2, times[1])));
    assert_true(isnan(graze_trajectory_parameter(t, 0, INFINITY)));
    assert_true(graze_trajectory_degree(NULL) == 0 && !graze_trajectory_points(NULL, 0, NULL));
    double when;
    size_t column;
    assert_false(graze_trajectory_leaves_limits(t, &when, &column));
    graze_trajectory_free(t);
    points[4] = points[6] = 5.5;
    assert_int_equal(graze_trajectory_from_bezier(&t, f.robot, 2, 2, times, points, NULL, &error),
                     GRAZE_OK);
    assert_true(graze_trajectory_leaves_limits(t, &when, &column));
    assert_int_equal(column, 0);
    assert_int_equal(graze_trajectory_at(t, when, at, NULL), GRAZE_OK);
    assert_true(at[0] > 5 && at[0] < 5 + 1e-6 && when < graze_trajectory_time(t, 1));
    assert_int_equal(graze_trajectory_at(t, when - 1e-6, at, NULL), GRAZE_OK);
    assert_true(at[0] <= 5);
    graze_trajectory_free(t);
    assert_int_equal(graze_trajectory_from_bezier(&t, f.robot, 8, 2, times, points, NULL, &error),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_trajectory_from_bezier(&t, f.robot, 0, 2, times, points, NULL, &error),
                     GRAZE_ERROR_ARGUMENT);

    // What may leave the domain, and a trajectory of another robot.
    k = graze_trajectory_knots_default();
    k.count = 2;
    k.times = times;
    k.q = q;
    k.velocities = v;
    v[0] = 1000;
    graze_trajectory_report r;
    assert_int_equal(graze_trajectory_from_knots(&t, f.robot, &k, NULL), GRAZE_OK);
    assert_int_equal(graze_check_trajectory(f.checker, f.motion, t, NULL, &r, &error),
                     GRAZE_ERROR_RANGE);
    assert_string_equal(error.element, "piece 0");
    assert_int_equal(r.verdict, GRAZE_MOTION_UNKNOWN);
    fixture g;
    set_up(&g, (const double[]){0.1, 0.1, 0.1}, -3, -3, -3);
    assert_int_equal(graze_check_trajectory(g.checker, g.motion, t, NULL, &r, &error),
                     GRAZE_ERROR_ARGUMENT);
    graze_trajectory_free(t);
    tear_down(&g);
    tear_down(&f);
}

static void test_a_curve_inside_its_limits_whose_control_points_are_not(void **state) {
    (void)state;
    fixture f;
    const double size[3] = {0.1, 0.1, 0.1};
    set_up(&f, size, 30, 30, 30);
    // x = 4.5 + 3 (1 - s)^2 s v / 3: the control point is at 4.5 + v / 3, the greatest x at s = 1/3
    // 4.5 + 4/27 v. With v = 3.375 that is 5, the limit; the end's slope is 0.
    const double times[2] = {0, 1}, q[4] = {4.5, 0, 4.5, 0};
    for (int i = 0; i < 3; i++) {
        const double rise = i == 0 ? 3.37 : i == 1 ? 3.375 : 3.38;
        const double v[4] = {rise, 0, 0, 0};
        graze_trajectory_knots k = graze_trajectory_knots_default();
        k.count = 2;
        k.times = times;
        k.q = q;
        k.velocities = v;
        graze_trajectory *t;
        double when = -1;
        size_t column = 7;
        assert_int_equal(graze_trajectory_from_knots(&t, f.robot, &k, NULL), GRAZE_OK);
        assert_int_equal(graze_trajectory_leaves_limits(t, &when, &column), i == 2);
        if (i == 2) assert_true(column == 0 && when > 0.25 && when < 1.0 / 3);
        graze_trajectory_free(t);
    }
    tear_down(&f);
}

/// A basis function of a B-spline by its definition (Cox and de Boor), an oracle without blossoms.
static long double basis(const double *at_knots, size_t i, size_t degree, long double t) {
    if (degree == 0) return t >= at_knots[i] && t < at_knots[i + 1];
    long double sum = 0, low = (long double)at_knots[i + degree] - at_knots[i],
                high = (long double)at_knots[i + degree + 1] - at_knots[i + 1];
    if (low > 0) sum += (t - at_knots[i]) / low * basis(at_knots, i, degree - 1, t);
    if (high > 0)
        sum += (at_knots[i + degree + 1] - t) / high * basis(at_knots, i + 1, degree - 1, t);
    return sum;
}

static void test_splines_are_sums_of_their_basis(void **state) {
    (void)state;
    fixture f;
    set_up(&f, (const double[]){1, 1, 1}, 0, 3, 0);
    gz_random random = {.state = 11};
    for (int trial = 0; trial < 60; trial++) {
        enum { POINTS = 10 };
        size_t degree = 1 + (size_t)trial % 7;
        double at_knots[POINTS + 8], q[2 * POINTS], base[6 * POINTS];
        at_knots[0] = -1;
        for (size_t i = 1; i < POINTS + degree + 1; i++) {
            // Uniform, clamped, or with inner at_knots that are there more than once.
            bool same = trial % 3 == 1 ? i <= degree || i > POINTS
                                       : trial % 3 == 2 && degree > 1 && i % 3 == 0;
            at_knots[i] = at_knots[i - 1] + (same ? 0 : gz_random_range(&random, 0.1, 1));
        }
        for (int i = 0; i < 2 * POINTS; i++) q[i] = gz_random_range(&random, -3, 3);
        for (int i = 0; i < 6 * POINTS; i++) base[i] = gz_random_range(&random, -1, 1);
        graze_trajectory *t;
        assert_int_equal(graze_trajectory_from_spline(&t, f.robot, (uint32_t)degree, POINTS,
                                                      at_knots, q, base, NULL),
                         GRAZE_OK);
        for (int i = 0; i < 50; i++) {
            // Times that graze_trajectory_at() rounds by 2^-47 of a piece.
            double time = gz_random_range(&random, at_knots[degree], at_knots[POINTS]), at[2],
                   pose[6];
            long double want[8] = {0};
            assert_int_equal(graze_trajectory_at(t, time, at, pose), GRAZE_OK);
            for (size_t k = 0; k < POINTS; k++) {
                long double b = basis(at_knots, k, degree, time);
                for (size_t c = 0; c < 8; c++)
                    want[c] += b * (c < 2 ? q[2 * k + c] : base[6 * k + c - 2]);
            }
            for (size_t c = 0; c < 8; c++)
                assert_true(fabsl(want[c] - (c < 2 ? at[c] : pose[c - 2])) < 2e-12);
        }
        graze_trajectory_free(t);
    }
    tear_down(&f);
}

static void test_what_is_no_spline_is_refused(void **state) {
    (void)state;
    fixture f;
    set_up(&f, (const double[]){1, 1, 1}, 0, 3, 0);
    double q[8] = {0}, good[7] = {0, 0, 0, 1, 2, 2, 2}, at_knots[7];
    graze_trajectory *t;
    graze_error error;
    static const struct {
        int knot;
        double value;
        const char *element;
    } bad[] = {{3, NAN, "knot 3"}, {3, -1, "knot 3"}, {6, INFINITY, "knot 6"}, {3, 2.5, "knot 4"}};
    for (size_t i = 0; i < 4; i++) {
        memcpy(at_knots, good, sizeof at_knots);
        at_knots[bad[i].knot] = bad[i].value;
        assert_int_equal(graze_trajectory_from_spline(&t, f.robot, 2, 4, at_knots, q, NULL, &error),
                         GRAZE_ERROR_RANGE);
        assert_string_equal(error.element, bad[i].element);
        assert_null(t);
    }
    const double jump[7] = {0, 1, 2, 2, 3, 4, 5}, point[7] = {0, 1, 1, 1, 1, 1, 2};
    assert_int_equal(graze_trajectory_from_spline(&t, f.robot, 1, 5, jump, q, NULL, &error),
                     GRAZE_ERROR_RANGE); // two equal at_knots of a broken line
    assert_string_equal(error.element, "knot 3");
    assert_int_equal(graze_trajectory_from_spline(&t, f.robot, 2, 4, point, q, NULL, &error),
                     GRAZE_ERROR_RANGE);
    assert_int_equal(graze_trajectory_from_spline(&t, f.robot, 4, 4, good, q, NULL, &error),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_trajectory_from_spline(&t, f.robot, 2, 4, NULL, q, NULL, &error),
                     GRAZE_ERROR_ARGUMENT);
    tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_splines_are_sums_of_their_basis),
        cmocka_unit_test(test_what_is_no_spline_is_refused),
        cmocka_unit_test(test_a_curve_inside_its_limits_whose_control_points_are_not),
        cmocka_unit_test(test_places_are_those_of_hermite_interpolation),
        cmocka_unit_test(test_velocities_are_derivatives_of_places),
        cmocka_unit_test(test_control_points_make_the_same_trajectory_again),
        cmocka_unit_test(test_verdicts_are_those_of_dense_samples),
        cmocka_unit_test(test_a_turn_before_a_plate_is_free_by_its_gap),
        cmocka_unit_test(test_no_plate_is_too_thin_for_a_curve),
        cmocka_unit_test(test_straight_pieces_are_motions),
        cmocka_unit_test(test_a_base_that_swings_out_is_found),
        cmocka_unit_test(test_what_is_no_trajectory_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
