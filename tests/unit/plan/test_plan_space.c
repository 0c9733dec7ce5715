// The metric, the interpolation and the sampling of plans, against formulas written down here.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "plan/plan_internal.h"
#include "unit/plan/plan_fixture.h"

enum { AXES = 7 };

static gz_axis axes[AXES] = {
    {.kind = GRAZE_Q_LINE, .column = 0, .limited = true, .low = -0.1, .high = 0.3},
    {.kind = GRAZE_Q_CIRCLE, .column = 1, .low = -GZ_PI, .high = GZ_PI},
    {.kind = GRAZE_Q_ROTATION, .column = 2, .low = -1, .high = 1},
    {.kind = GRAZE_Q_ROTATION, .column = 3, .low = -1, .high = 1},
    {.kind = GRAZE_Q_ROTATION, .column = 4, .low = -1, .high = 1},
    {.kind = GRAZE_Q_ROTATION, .column = 5, .low = -1, .high = 1},
    {.kind = GRAZE_Q_CIRCLE, .column = -6, .low = -GZ_PI, .high = GZ_PI},
};
static double fixed[8] = {9, 9, 9, 9, 9, 9, 42, 43};

static gz_plan_space whole(void) {
    return (gz_plan_space){.axes = axes,
                           .dimension = AXES,
                           .has_rotation = true,
                           .q_size = 8,
                           .q_fixed = fixed,
                           .base_fixed = {1, 2, 3, 4, 5, 6}};
}

static double angle_between(double a, double b) {
    return fabs(atan2(sin(b - a), cos(b - a)));
}

static double rotation_angle(const double *a, const double *b) {
    double dot = fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
    return 2 * acos(fmin(dot, 1));
}

static void test_states_and_configurations_are_the_same_thing(void **context) {
    (void)context;
    gz_plan_space space = whole();
    double state[AXES], q[8], base[6], in_q[8] = {0.25, 7, 0, 0, 0, 2, -1, -2};
    double in_base[6] = {-1, -2, -3, -4, -5, 8};
    gz_plan_space_read(&space, in_q, in_base, state);
    gz_plan_space_write(&space, state, q, base);
    double expected_q[8] = {0.25, 7, 0, 0, 0, 1, 42, 43}, expected_base[6] = {1, 2, 3, 4, 5, 8};
    assert_memory_equal(q, expected_q, sizeof q); // the quaternion is normalised, the angle is not
    assert_memory_equal(base, expected_base, sizeof base);
}

static void test_angles_go_the_shorter_way_and_stay_normalised(void **context) {
    (void)context;
    gz_axis axis = {.kind = GRAZE_Q_CIRCLE};
    gz_plan_space space = {.axes = &axis, .dimension = 1};
    static const double ends[][2] = {{3, -3},   {-3, 3},    {0.5, 1},    {-3.1, 3.1},
                                     {10, -10}, {100, 0.1}, {-GZ_PI, 1}, {3.14, -1.57}};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        double a = ends[i][0], b = ends[i][1], x, whole_way = angle_between(a, b);
        assert_true(fabs(gz_plan_space_distance(&space, &a, &b) - whole_way) < 1e-12);
        for (int k = 1; k < 16; k++) {
            gz_plan_space_interpolate(&space, &a, &b, k / 16.0, &x);
            assert_true(x >= -GZ_PI && x <= GZ_PI);
            assert_true(fabs(angle_between(a, x) - whole_way * k / 16) < 1e-12);
            assert_true(fabs(angle_between(x, b) - whole_way * (16 - k) / 16) < 1e-12);
        }
        gz_plan_space_interpolate(&space, &a, &b, 0, &x);
        assert_true(x == a);
        gz_plan_space_interpolate(&space, &a, &b, 1, &x);
        assert_true(x == b);
    }
}

static void test_lines_never_leave_the_interval_of_their_ends(void **context) {
    (void)context;
    gz_axis axis = {.kind = GRAZE_Q_LINE};
    gz_plan_space space = {.axes = &axis, .dimension = 1};
    gz_random random = gz_random_make(1, 0);
    for (int i = 0; i < 100000; i++) {
        // Ends a few bits apart are where a + t (b - a) overshoots.
        double a = gz_random_range(&random, -3, 3), x;
        double b = i % 2 ? a * (1 + 0x1p-50) : gz_random_range(&random, -3, 3);
        gz_plan_space_interpolate(&space, &a, &b, gz_random_unit(&random), &x);
        assert_true(x >= fmin(a, b) && x <= fmax(a, b));
    }
}

static void test_rotations_follow_the_great_arc_of_the_nearer_sign(void **context) {
    (void)context;
    gz_axis rotation[4] = {{.kind = GRAZE_Q_ROTATION},
                           {.kind = GRAZE_Q_ROTATION},
                           {.kind = GRAZE_Q_ROTATION},
                           {.kind = GRAZE_Q_ROTATION}};
    gz_plan_space space = {.axes = rotation, .dimension = 4, .has_rotation = true};
    gz_random random = gz_random_make(5, 0);
    for (int i = 0; i < 2000; i++) {
        double a[4], b[4], x[4];
        gz_plan_space_sample(&space, &random, a);
        gz_plan_space_sample(&space, &random, b);
        double whole_way = rotation_angle(a, b);
        // Twice the chord: 4 sin(angle / 4).
        double metric = gz_plan_space_distance(&space, a, b);
        assert_true(fabs(metric - 4 * sin(whole_way / 4)) < 1e-7);
        gz_plan_space_interpolate(&space, a, b, 0.5, x);
        assert_true(fabs(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3] - 1) < 1e-14);
        assert_true(fabs(rotation_angle(a, x) - whole_way / 2) < 1e-7);
        assert_true(fabs(rotation_angle(x, b) - whole_way / 2) < 1e-7);
        double minus[4] = {-b[0], -b[1], -b[2], -b[3]};
        assert_true(gz_plan_space_distance(&space, a, minus) == metric);
        assert_true(gz_plan_space_distance(&space, b, minus) == 0);
    }
}

static void test_steps_are_never_longer_than_the_resolution(void **context) {
    (void)context;
    gz_plan_space space = whole();
    gz_random random = gz_random_make(11, 0);
    for (int i = 0; i < 500; i++) {
        double a[AXES], b[AXES], last[AXES], x[AXES];
        gz_plan_space_sample(&space, &random, a);
        gz_plan_space_sample(&space, &random, b);
        if (i % 5 == 0) { // half a turn: the worst case for the chord
            double half[4] = {a[5], -a[4], a[3], -a[2]};
            memcpy(&b[2], half, sizeof half);
        }
        double resolution = i % 2 ? 0.02 : 0.3;
        uint64_t steps = gz_plan_space_steps(&space, gz_plan_space_distance(&space, a, b),
                                             resolution);
        memcpy(last, a, sizeof last);
        for (uint64_t k = 1; k <= steps; k++) {
            gz_plan_space_interpolate(&space, a, b, (double)k / (double)steps, x);
            double angles = hypot(angle_between(last[1], x[1]), angle_between(last[6], x[6]));
            double line = hypot(angles, x[0] - last[0]);
            assert_true(hypot(line, rotation_angle(&last[2], &x[2])) <= resolution * (1 + 1e-6));
            memcpy(last, x, sizeof last);
        }
    }
    assert_int_equal(gz_plan_space_steps(&space, 0, 0.02), 1);
}

static void test_the_metric_obeys_the_triangle_inequality(void **context) {
    (void)context;
    gz_plan_space space = whole();
    gz_random random = gz_random_make(12, 0);
    for (int i = 0; i < 20000; i++) {
        double p[3][AXES];
        for (int k = 0; k < 3; k++) gz_plan_space_sample(&space, &random, p[k]);
        double ab = gz_plan_space_distance(&space, p[0], p[1]);
        double bc = gz_plan_space_distance(&space, p[1], p[2]);
        assert_true(gz_plan_space_distance(&space, p[0], p[2]) <= (ab + bc) * (1 + 1e-12));
        assert_true(gz_plan_space_distance(&space, p[1], p[0]) == ab);
    }
}

static void test_samples_fill_their_ranges_evenly(void **context) {
    (void)context;
    gz_plan_space space = whole();
    gz_random random = gz_random_make(13, 0);
    enum { N = 40000 };
    double mean[AXES] = {0}, square[AXES] = {0};
    for (int i = 0; i < N; i++) {
        double x[AXES], norm = 0;
        gz_plan_space_sample(&space, &random, x);
        assert_true(x[0] >= -0.1 && x[0] <= 0.3);
        for (int k = 0; k < AXES; k++) {
            mean[k] += x[k] / N;
            square[k] += x[k] * x[k] / N;
        }
        for (int k = 2; k < 6; k++) norm += x[k] * x[k];
        assert_true(fabs(norm - 1) < 1e-12);
    }
    // Standard deviations of these means are below 0.01.
    assert_true(fabs(mean[0] - 0.1) < 0.005);
    assert_true(fabs(mean[1]) < 0.05 && fabs(square[1] - GZ_PI * GZ_PI / 3) < 0.1);
    for (int k = 2; k < 6; k++) assert_true(fabs(mean[k]) < 0.02 && fabs(square[k] - 0.25) < 0.01);
}

/// Wheels that nothing drives must not be turned on the way.
static void test_passive_joints_rest_unless_start_and_goal_differ(void **context) {
    (void)context;
    fixture f;
    fixture_load(&f, "heron", NULL);
    double start[32], goal[32];
    graze_robot_rest(f.robot, start);
    graze_robot_rest(f.robot, goal);
    int32_t wheel = graze_robot_find_q(f.robot, "r_wheel_joint");
    graze_plan_options options = graze_plan_options_default();
    for (int turn = 0; turn < 2; turn++) {
        goal[wheel] = turn;
        gz_plan_space space;
        assert_int_equal(
            gz_plan_space_make(&space, f.checker, start, NULL, goal, NULL, &options, NULL),
            GRAZE_OK);
        assert_int_equal(space.dimension, f.n - (turn ? 1 : 2));
        gz_plan_space_free(&space);
    }
    fixture_free(&f);
}

// A knob that turns without limits, and a joint of the given kind that follows it.
#define FOLLOWED(kind, multiplier, limits)                                                         \
    "<robot name='r'><link name='a'/><link name='b'/><link name='c'><collision><geometry>"         \
    "<sphere radius='0.1'/></geometry></collision></link><joint name='knob' type='continuous'>"    \
    "<parent link='a'/><child link='b'/></joint><joint name='out' type='" kind                     \
    "'><parent link='a'/><child link='c'/>" limits "<mimic joint='knob' multiplier='" multiplier   \
    "'/></joint></robot>"
#define LIMITS "<limit lower='-1' upper='1' effort='1' velocity='1'/>"

static void test_a_knob_goes_round_only_if_all_that_follows_it_does(void **context) {
    (void)context;
    static const struct {
        const char *urdf;
        graze_q_kind kind;
    } cases[] = {
        {FOLLOWED("continuous", "-2", ""), GRAZE_Q_CIRCLE},
        {FOLLOWED("continuous", "0.5", ""), GRAZE_Q_LINE},
        {FOLLOWED("prismatic", "1", LIMITS), GRAZE_Q_LINE},
        {FOLLOWED("revolute", "1", LIMITS), GRAZE_Q_LINE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f;
        gz_plan_space space;
        graze_plan_options options = graze_plan_options_default();
        double start = -3, goal = 3, middle;
        fixture_begin(&f, cases[i].urdf);
        fixture_finish(&f);
        assert_int_equal(
            gz_plan_space_make(&space, f.checker, &start, NULL, &goal, NULL, &options, NULL),
            GRAZE_OK);
        assert_int_equal(space.axes[0].kind, cases[i].kind);
        // The middle of the way is pi or 0.
        gz_plan_space_interpolate(&space, &start, &goal, 0.5, &middle);
        assert_true(fabs(middle) < 1e-12 || fabs(fabs(middle) - GZ_PI) < 1e-12);
        assert_int_equal(fabs(middle) < 1, cases[i].kind == GRAZE_Q_LINE);
        gz_plan_space_free(&space);
        fixture_free(&f);
    }
}

/// The part of a disc of radius 1 that is farther than c from its middle line.
static double beyond(double c) {
    return 2 / GZ_PI * (acos(c) - c * sqrt(1 - c * c));
}

/// Samples of an ellipse about start and goal fill it evenly: along its axis, and across it, too.
static void test_samples_fill_their_ellipse(void **context) {
    (void)context;
    enum { COUNT = 20000 };
    gz_axis plane[2] = {{.kind = GRAZE_Q_LINE, .column = 0, .limited = true, .low = -2, .high = 2},
                        {.kind = GRAZE_Q_LINE, .column = 1, .limited = true, .low = -2, .high = 2}};
    const gz_plan_space space = {
        .axes = plane, .dimension = 2, .q_size = 2, .q_fixed = fixed, .base_fixed = {0}};
    const double start[2] = {-0.5, 0}, goal[2] = {0.5, 0}, bound = 3;
    const double along = bound / 2, across = sqrt(bound * bound - 1) / 2;
    double memory[4];
    gz_informed_sampler s = gz_informed_sampler_make(&space, start, goal, bound, memory);
    gz_random random = gz_random_make(5, 0);
    int far[2] = {0};
    for (int i = 0; i < COUNT; i++) {
        double q[2];
        assert_true(gz_informed_sample(&s, &random, q));
        assert_true(hypot(q[0] / along, q[1] / across) <= 1 + 1e-12);
        far[0] += fabs(q[0]) > 0.8 * along;
        far[1] += fabs(q[1]) > 0.8 * across;
    }
    for (int k = 0; k < 2; k++) assert_true(fabs((double)far[k] / COUNT - beyond(0.8)) < 0.01);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_fill_their_ellipse),
        cmocka_unit_test(test_states_and_configurations_are_the_same_thing),
        cmocka_unit_test(test_angles_go_the_shorter_way_and_stay_normalised),
        cmocka_unit_test(test_lines_never_leave_the_interval_of_their_ends),
        cmocka_unit_test(test_rotations_follow_the_great_arc_of_the_nearer_sign),
        cmocka_unit_test(test_steps_are_never_longer_than_the_resolution),
        cmocka_unit_test(test_the_metric_obeys_the_triangle_inequality),
        cmocka_unit_test(test_samples_fill_their_ranges_evenly),
        cmocka_unit_test(test_passive_joints_rest_unless_start_and_goal_differ),
        cmocka_unit_test(test_a_knob_goes_round_only_if_all_that_follows_it_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
