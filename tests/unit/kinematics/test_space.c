// The configuration space of a robot, against formulas in long double, differences of poses and
// counts of samples.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "graze/space.h"
#include "unit/robot/robot_text_maker.h"

#include <math.h>

#define PI 3.14159265358979323846264338327950288L

enum { MOST = 40 };

/// A chain: every joint hangs on the child of the one before it.
static graze_robot *make_chain(const char *const *joints, size_t count) {
    text_maker m = {0};
    text_add(&m, "<robot name='r'><link name='l0'/>");
    for (size_t i = 0; i < count; i++) {
        text_add(&m, "<link name='l%zu'/><joint name='j%zu' %s<parent link='l%zu'/>", i + 1, i,
                 joints[i], i);
        text_add(&m,
                 "<child link='l%zu'/><origin xyz='0.3 %g -0.2' rpy='%g 0.4 %g'/><axis xyz='%g "
                 "0.5 %g'/></joint>",
                 i + 1, 0.1 * (double)i, 0.2 * (double)i, 1 - 0.3 * (double)i,
                 0.4 * (double)(i % 3), 1 - 0.7 * (double)i);
    }
    text_add(&m, "</robot>");
    return text_load(&m);
}

static const char *const everything[] = {
    "type='revolute'><limit lower='-1' upper='2.5' effort='1' velocity='1'/>",
    "type='continuous'>",
    "type='prismatic'><limit lower='0.2' upper='0.9' effort='1' velocity='1'/>",
    "type='planar'>",
    "type='floating'>",
    "type='continuous'><mimic joint='j1' multiplier='-2' offset='0.3'/>",
    ("type='prismatic'><limit lower='-9' upper='9' effort='1' velocity='1'/>"
     "<mimic joint='j0' multiplier='0.7'/>"),
    "type='fixed'>",
};
enum { EVERYTHING = sizeof everything / sizeof *everything };

/// A q of any size that graze_robot_pose() takes, quaternions of any length.
static void draw(gz_random *random, const graze_q_kind *kinds, size_t n, double spread, double *q) {
    for (size_t i = 0; i < n; i++)
        q[i] = kinds[i] == GRAZE_Q_ROTATION ? gz_random_range(random, -2, 2)
                                            : gz_random_range(random, -spread, spread);
}

static void test_kinds_say_which_columns_come_round(void **context) {
    (void)context;
    static const struct {
        const char *follower;
        graze_q_kind kind;
    } cases[] = {
        {"type='continuous'><mimic joint='j0' multiplier='-2'/>", GRAZE_Q_CIRCLE},
        {"type='continuous'><mimic joint='j0' multiplier='0.5'/>", GRAZE_Q_LINE},
        {"type='prismatic'><limit lower='0' upper='1' effort='1' velocity='1'/><mimic joint='j0'/>",
         GRAZE_Q_LINE},
        {"type='revolute'><limit lower='0' upper='1' effort='1' velocity='1'/><mimic joint='j0'/>",
         GRAZE_Q_LINE},
        {"type='fixed'>", GRAZE_Q_CIRCLE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const joints[] = {"type='continuous'>", cases[i].follower};
        graze_robot *robot = make_chain(joints, 2);
        graze_q_kind kind[2];
        assert_int_equal(graze_robot_q_kinds(robot, kind), GRAZE_OK);
        assert_int_equal(kind[0], cases[i].kind);
        graze_robot_free(robot);
    }
    graze_robot *robot = make_chain(everything, EVERYTHING);
    static const graze_q_kind expected[] = {
        GRAZE_Q_LINE,     GRAZE_Q_CIRCLE,   GRAZE_Q_LINE,    GRAZE_Q_LINE, GRAZE_Q_LINE,
        GRAZE_Q_CIRCLE,   GRAZE_Q_LINE,     GRAZE_Q_LINE,    GRAZE_Q_LINE, GRAZE_Q_ROTATION,
        GRAZE_Q_ROTATION, GRAZE_Q_ROTATION, GRAZE_Q_ROTATION};
    graze_q_kind kinds[MOST];
    assert_int_equal(graze_robot_q_size(robot), sizeof expected / sizeof *expected);
    assert_int_equal(graze_robot_q_kinds(robot, kinds), GRAZE_OK);
    assert_memory_equal(kinds, expected, sizeof expected);
    graze_robot_free(robot);
}

static void test_limits_are_those_of_the_joints_and_clamping_keeps_to_them(void **context) {
    (void)context;
    graze_robot *robot = make_chain(everything, EVERYTHING);
    size_t n = graze_robot_q_size(robot);
    double lower[MOST], upper[MOST], q[MOST];
    assert_int_equal(graze_robot_q_limits(robot, lower, upper), GRAZE_OK);
    for (size_t i = 0; i < n; i++) {
        double low = i == 0 ? -1 : i == 2 ? 0.2 : -INFINITY;
        double high = i == 0 ? 2.5 : i == 2 ? 0.9 : INFINITY;
        assert_true(lower[i] == low && upper[i] == high);
        q[i] = 7;
    }
    assert_int_equal(graze_robot_clamp(robot, q, n, NULL), GRAZE_OK);
    assert_true(q[0] == 2.5 && q[1] == 7 && q[2] == 0.9 && q[3] == 7);
    q[0] = q[2] = -7;
    assert_int_equal(graze_robot_clamp(robot, q, n, NULL), GRAZE_OK);
    assert_true(q[0] == -1 && q[2] == 0.2);
    graze_robot_free(robot);
}

/// By how much an angle changes on the shorter way, in long double.
static long double shorter(long double from, long double to) {
    long double d = fmodl(to - from, 2 * PI);
    return d > PI ? d - 2 * PI : d < -PI ? d + 2 * PI : d;
}

/// The angle between two rotations, whatever their quaternions' lengths.
static long double angle_between(const double *a, const double *b) {
    long double dot = 0, aa = 0, bb = 0;
    for (int k = 0; k < 4; k++) {
        dot += (long double)a[k] * b[k];
        aa += (long double)a[k] * a[k];
        bb += (long double)b[k] * b[k];
    }
    long double c = fabsl(dot) / sqrtl(aa * bb);
    return 2 * acosl(c > 1 ? 1 : c);
}

/// A great-circle motion goes at no time away from either end: the angles to both add up.
static void assert_on_arc(const double *from, const double *to, const double *q) {
    long double total = angle_between(from, to);
    assert_true(fabsl(angle_between(from, q) + angle_between(q, to) - total) < 1e-7L);
}

static void test_motions_and_distances_follow_the_turn(void **context) {
    (void)context;
    graze_robot *robot = make_chain(everything, EVERYTHING);
    size_t n = graze_robot_q_size(robot);
    graze_q_kind kinds[MOST];
    graze_robot_q_kinds(robot, kinds);
    gz_random random = gz_random_make(18, 1);
    for (int round = 0; round < 4000; round++) {
        double from[MOST], to[MOST], q[MOST], distance;
        draw(&random, kinds, n, round % 2 ? 3 : 40, from);
        draw(&random, kinds, n, round % 2 ? 3 : 40, to);
        graze_turn turn = round % 4 < 2 ? GRAZE_TURN_SHORTER : GRAZE_TURN_AS_GIVEN;
        double t = round % 10 ? gz_random_unit(&random) : round % 20 ? 1 : 0;
        assert_int_equal(graze_robot_interpolate(robot, from, to, n, turn, t, q, NULL), GRAZE_OK);
        assert_int_equal(graze_robot_metric(robot, from, to, n, turn, &distance, NULL), GRAZE_OK);
        if (t == 0 || t == 1) assert_memory_equal(q, t == 0 ? from : to, n * sizeof *q);
        long double sum = 0;
        for (size_t i = 0; i < n; i++) {
            if (kinds[i] == GRAZE_Q_ROTATION) {
                long double chord = 4 * sinl(angle_between(&from[i], &to[i]) / 4);
                sum += chord * chord;
                assert_on_arc(&from[i], &to[i], &q[i]);
                i += 3;
                continue;
            }
            bool comes_round = kinds[i] == GRAZE_Q_CIRCLE && turn == GRAZE_TURN_SHORTER;
            long double d = comes_round ? shorter(from[i], to[i]) : (long double)to[i] - from[i];
            sum += d * d;
            long double expected = from[i] + t * d;
            long double off = comes_round ? shorter(expected, q[i]) : expected - q[i];
            assert_true(fabsl(off) < 1e-13L);
            if (comes_round && t > 0 && t < 1) assert_true(fabs(q[i]) <= (double)PI);
        }
        assert_true(fabsl(sqrtl(sum) - distance) < 1e-7L * (1 + distance));
        // In place, over either end.
        assert_int_equal(graze_robot_interpolate(robot, from, to, n, turn, t, to, NULL), GRAZE_OK);
        assert_memory_equal(q, to, n * sizeof *q);
    }
    graze_robot_free(robot);
}

/// A planner takes an edge from either end: what was checked one way is what is driven the other.
static void test_a_half_turn_goes_back_the_way_it_came(void **context) {
    (void)context;
    const char *const joint[] = {"type='continuous'>"};
    graze_robot *robot = make_chain(joint, 1);
    const double pi = (double)PI, ends[][2] = {{0, pi}, {-pi, 0}, {-pi / 2, pi / 2}, {-1, pi - 1}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const double *low = &ends[i][0], *high = &ends[i][1];
        for (double t = 0.125; t < 1; t += 0.125) {
            double up, down;
            assert_int_equal(
                graze_robot_interpolate(robot, low, high, 1, GRAZE_TURN_SHORTER, t, &up, NULL),
                GRAZE_OK);
            assert_int_equal(graze_robot_interpolate(robot, high, low, 1, GRAZE_TURN_SHORTER, 1 - t,
                                                     &down, NULL),
                             GRAZE_OK);
            assert_true(fabsl(shorter(up, down)) < 1e-15L);
            assert_true(fabsl(*low + t * PI - up) < 1e-15L);
        }
    }
    // From beyond a turn, too: three half turns.
    for (double t = 0.125; t < 1; t += 0.125) {
        const double far = 3 * pi, none = 0;
        double there, back;
        graze_robot_interpolate(robot, &none, &far, 1, GRAZE_TURN_SHORTER, t, &there, NULL);
        graze_robot_interpolate(robot, &far, &none, 1, GRAZE_TURN_SHORTER, 1 - t, &back, NULL);
        assert_true(fabsl(shorter(there, back)) < 1e-14L);
    }
    graze_robot_free(robot);
}

static void test_wrapped_configurations_have_the_same_poses(void **context) {
    (void)context;
    graze_robot *robot = make_chain(everything, EVERYTHING);
    size_t n = graze_robot_q_size(robot);
    graze_q_kind kinds[MOST];
    graze_robot_q_kinds(robot, kinds);
    gz_random random = gz_random_make(18, 2);
    for (int round = 0; round < 500; round++) {
        double q[MOST], wrapped[MOST];
        graze_transform a[EVERYTHING + 1], b[EVERYTHING + 1];
        draw(&random, kinds, n, 50, q);
        memcpy(wrapped, q, sizeof q);
        assert_int_equal(graze_robot_wrap(robot, wrapped, n, NULL), GRAZE_OK);
        assert_int_equal(graze_robot_pose(robot, q, n, NULL, a, NULL), GRAZE_OK);
        assert_int_equal(graze_robot_pose(robot, wrapped, n, NULL, b, NULL), GRAZE_OK);
        for (size_t i = 0; i < EVERYTHING + 1; i++)
            for (int k = 0; k < 12; k++) assert_true(fabs(a[i].m[k] - b[i].m[k]) < 1e-10);
        assert_true(fabs(wrapped[1]) <= (double)PI && fabs(wrapped[5]) <= (double)PI);
        double *x = &wrapped[9];
        assert_true(fabs(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3] - 1) < 1e-14);
        double again[MOST];
        memcpy(again, wrapped, sizeof again);
        graze_robot_wrap(robot, again, n, NULL);
        assert_memory_equal(again, wrapped, n * sizeof *again);
    }
    graze_robot_free(robot);
}

static void test_samples_fill_their_ranges_and_depend_on_seed_and_index_alone(void **context) {
    (void)context;
    enum { SAMPLES = 20000 };
    graze_robot *robot = make_chain(everything, EVERYTHING);
    size_t n = graze_robot_q_size(robot);
    double lower[MOST], upper[MOST], q[MOST], again[MOST], low[MOST], high[MOST], mean[MOST] = {0};
    graze_robot_q_limits(robot, lower, upper);
    for (size_t i = 0; i < n; i++) {
        lower[i] = isfinite(lower[i]) ? lower[i] : -3;
        upper[i] = isfinite(upper[i]) ? upper[i] : 5;
        low[i] = HUGE_VAL;
        high[i] = -HUGE_VAL;
    }
    for (uint64_t s = 0; s < SAMPLES; s++) {
        assert_int_equal(graze_robot_sample(robot, 9, s, lower, upper, q, NULL), GRAZE_OK);
        for (size_t i = 0; i < n; i++) {
            if (i < 9) assert_true(q[i] >= lower[i] && q[i] <= upper[i]);
            low[i] = fmin(low[i], q[i]);
            high[i] = fmax(high[i], q[i]);
            mean[i] += q[i] / SAMPLES;
        }
        assert_true(fabs(q[9] * q[9] + q[10] * q[10] + q[11] * q[11] + q[12] * q[12] - 1) < 1e-14);
    }
    for (size_t i = 0; i < n; i++) {
        double from = i < 9 ? lower[i] : -1, to = i < 9 ? upper[i] : 1;
        assert_true(low[i] < from + 0.05 * (to - from) && high[i] > to - 0.05 * (to - from));
        assert_true(fabs(mean[i] - (from + to) / 2) < 0.02 * (to - from));
    }
    // Number 17 without those before it; another seed gives another sequence.
    graze_robot_sample(robot, 9, 17, lower, upper, q, NULL);
    graze_robot_sample(robot, 9, 17, lower, upper, again, NULL);
    assert_memory_equal(q, again, n * sizeof *q);
    graze_robot_sample(robot, 10, 17, lower, upper, again, NULL);
    assert_true(q[0] != again[0]);
    graze_robot_free(robot);

    // Without ranges the limits count, and what has none cannot be drawn.
    const char *const joints[] = {everything[0], everything[1]};
    robot = make_chain(joints, 2);
    for (uint64_t s = 0; s < 1000; s++) {
        assert_int_equal(graze_robot_sample(robot, 1, s, NULL, NULL, q, NULL), GRAZE_OK);
        assert_true(q[0] >= -1 && q[0] <= 2.5 && fabs(q[1]) <= (double)PI);
    }
    graze_robot_free(robot);
    robot = make_chain(everything, EVERYTHING);
    graze_error error;
    assert_int_equal(graze_robot_sample(robot, 1, 0, NULL, NULL, q, &error), GRAZE_ERROR_RANGE);
    assert_string_equal(error.element, "j3/x");
    graze_robot_free(robot);
}

/// How a link turns from one pose to a near one: the vector part of R' R^T.
static void turn_of(const double *a, const double *b, double w[3]) {
    double r[3][3] = {{0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) r[i][j] += b[4 * i + k] * a[4 * j + k];
    w[0] = (r[2][1] - r[1][2]) / 2;
    w[1] = (r[0][2] - r[2][0]) / 2;
    w[2] = (r[1][0] - r[0][1]) / 2;
}

static void test_jacobians_are_central_differences_of_poses(void **context) {
    (void)context;
    graze_robot *robot = make_chain(everything, EVERYTHING);
    size_t n = graze_robot_q_size(robot);
    graze_q_kind kinds[MOST];
    graze_robot_q_kinds(robot, kinds);
    gz_random random = gz_random_make(18, 3);
    for (int round = 0; round < 300; round++) {
        double q[MOST], jacobian[6 * MOST];
        graze_transform links[EVERYTHING + 1], before[EVERYTHING + 1], behind[EVERYTHING + 1];
        draw(&random, kinds, n, 3, q);
        double base[6] = {1, 2, 3, 0.4, 0.5, q[1]};
        int32_t link = round % (EVERYTHING + 1);
        graze_vec3 local = {0.2, -0.7, q[0]};
        graze_robot_pose(robot, q, n, base, links, NULL);
        graze_vec3 point = graze_transform_point(&links[link], local);
        assert_int_equal(graze_robot_jacobian(robot, links, q, n, link, &point, jacobian, NULL),
                         GRAZE_OK);
        for (size_t i = 0; i < n; i++) {
            const double h = 1e-5, kept = q[i];
            q[i] = kept - h;
            graze_robot_pose(robot, q, n, base, before, NULL);
            q[i] = kept + h;
            graze_robot_pose(robot, q, n, base, behind, NULL);
            q[i] = kept;
            graze_vec3 a = graze_transform_point(&before[link], local);
            graze_vec3 b = graze_transform_point(&behind[link], local);
            double w[3];
            turn_of(before[link].m, behind[link].m, w);
            double expected[6] = {b.x - a.x, b.y - a.y, b.z - a.z, w[0], w[1], w[2]};
            for (size_t k = 0; k < 6; k++)
                assert_true(fabs(expected[k] / (2 * h) - jacobian[k * n + i]) <
                            1e-6 * (1 + fabs(jacobian[k * n + i])));
        }
    }
    graze_robot_free(robot);
}

static void test_bad_arguments_are_refused(void **context) {
    (void)context;
    graze_robot *robot = make_chain(everything, EVERYTHING);
    size_t n = graze_robot_q_size(robot);
    double q[MOST] = {0}, p[MOST] = {0}, jacobian[6 * MOST], d;
    q[12] = p[12] = 1;
    graze_q_kind kinds[MOST];
    graze_transform links[EVERYTHING + 1];
    const graze_vec3 point = {0, 0, 0};
    graze_robot_pose(robot, q, n, NULL, links, NULL);
    const graze_turn turn = GRAZE_TURN_SHORTER, bad = (graze_turn)2;
    assert_int_equal(graze_robot_q_kinds(NULL, kinds), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_q_kinds(robot, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_q_limits(NULL, q, q), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_q_limits(robot, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_robot_clamp(NULL, q, n, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_clamp(robot, q, n - 1, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_wrap(robot, NULL, n, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_sample(NULL, 0, 0, p, p, q, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_sample(robot, 0, 0, p, NULL, q, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_sample(robot, 0, 0, p, p, NULL, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_metric(robot, q, p, n, bad, &d, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_metric(robot, q, p, n, turn, NULL, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_metric(robot, q, NULL, n, turn, &d, NULL), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_interpolate(robot, q, p, n, turn, 1.5, q, NULL),
                     GRAZE_ERROR_RANGE);
    assert_int_equal(graze_robot_interpolate(robot, q, p, n, turn, NAN, q, NULL),
                     GRAZE_ERROR_RANGE);
    assert_int_equal(graze_robot_interpolate(robot, q, p, n, turn, 0.5, NULL, NULL),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_jacobian(robot, NULL, q, n, 0, &point, jacobian, NULL),
                     GRAZE_ERROR_ARGUMENT);
    assert_int_equal(
        graze_robot_jacobian(robot, links, q, n, EVERYTHING + 1, &point, jacobian, NULL),
        GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_jacobian(robot, links, q, n, -1, &point, jacobian, NULL),
                     GRAZE_ERROR_ARGUMENT);
    q[0] = NAN;
    double kept[MOST];
    memcpy(kept, q, sizeof kept);
    graze_error error;
    assert_int_equal(graze_robot_clamp(robot, q, n, &error), GRAZE_ERROR_RANGE);
    assert_string_equal(error.element, "joint 'j0'");
    assert_int_equal(graze_robot_wrap(robot, q, n, &error), GRAZE_ERROR_RANGE);
    assert_memory_equal(q, kept, sizeof kept);
    assert_int_equal(graze_robot_metric(robot, p, q, n, turn, &d, &error), GRAZE_ERROR_RANGE);
    assert_int_equal(graze_robot_find_group(NULL, "arm"), -1);
    assert_int_equal(graze_robot_find_state(NULL, NULL, "zero"), -1);
    assert_int_equal(graze_robot_group_columns(NULL, 0, NULL, 0), 0);
    assert_int_equal(graze_robot_group_columns(robot, 0, NULL, 0), 0);
    graze_robot_free(robot);
}

/// What fails fills the error, what succeeds clears it (base.h).
static void test_success_clears_the_error_of_an_earlier_failure(void **context) {
    (void)context;
    graze_robot *robot = make_chain(everything, EVERYTHING);
    size_t n = graze_robot_q_size(robot);
    double q[MOST] = {0}, range[MOST] = {0}, jacobian[6 * MOST], d;
    q[12] = 1;
    graze_transform links[EVERYTHING + 1];
    const graze_vec3 point = {0, 0, 0};
    const graze_turn turn = GRAZE_TURN_SHORTER;
    graze_robot_pose(robot, q, n, NULL, links, NULL);
    for (int i = 0; i < 6; i++) {
        graze_error error;
        assert_int_equal(graze_robot_wrap(NULL, q, n, &error), GRAZE_ERROR_ARGUMENT);
        assert_true(error.status == GRAZE_ERROR_ARGUMENT && error.message[0]);
        graze_status status = i == 0   ? graze_robot_wrap(robot, q, n, &error)
                              : i == 1 ? graze_robot_metric(robot, q, q, n, turn, &d, &error)
                              : i == 2
                                  ? graze_robot_interpolate(robot, q, q, n, turn, 0.5, q, &error)
                              : i == 3 ? graze_robot_jacobian(robot, links, q, n, 0, &point,
                                                              jacobian, &error)
                              : i == 4 ? graze_robot_clamp(robot, q, n, &error)
                                       : graze_robot_sample(robot, 1, 0, range, range, q, &error);
        assert_int_equal(status, GRAZE_OK);
        assert_true(error.status == GRAZE_OK && !error.message[0]);
    }
    graze_robot_free(robot);
}

static void test_groups_have_the_columns_of_their_joints(void **context) {
    (void)context;
    graze_load_options options = graze_load_options_default();
    options.srdf = GRAZE_SOURCE_DIR "/urdf/heron.srdf";
    graze_robot *robot;
    assert_int_equal(
        graze_robot_load_urdf(&robot, GRAZE_SOURCE_DIR "/urdf/heron.urdf", &options, NULL),
        GRAZE_OK);
    for (size_t g = 0; g < graze_robot_group_count(robot); g++) {
        graze_group group;
        graze_robot_group(robot, g, &group);
        assert_int_equal(graze_robot_find_group(robot, group.name), g);
        int32_t columns[MOST];
        size_t count = graze_robot_group_columns(robot, g, columns, MOST), found = 0;
        for (size_t i = 0; i < graze_robot_q_size(robot); i++) {
            bool own = false;
            for (size_t k = 0; k < group.joint_count; k++)
                own = own || group.joints[k] == graze_robot_q_joint(robot, i);
            if (!own) continue;
            assert_true(found < count && columns[found] == (int32_t)i);
            found++;
        }
        assert_int_equal(found, count);
        assert_int_equal(graze_robot_group_columns(robot, g, NULL, 0), count);
    }
    assert_int_equal(graze_robot_find_group(robot, "no such"), -1);
    for (size_t s = 0; s < graze_robot_state_count(robot); s++) {
        const char *name, *group;
        graze_robot_state(robot, s, &name, &group);
        assert_int_equal(graze_robot_find_state(robot, group, name), s);
    }
    assert_int_equal(graze_robot_find_state(robot, NULL, "zero"),
                     graze_robot_find_state(robot, "arm", "zero"));
    assert_int_equal(graze_robot_find_state(robot, "arm", "no such"), -1);
    graze_robot_free(robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds_say_which_columns_come_round),
        cmocka_unit_test(test_limits_are_those_of_the_joints_and_clamping_keeps_to_them),
        cmocka_unit_test(test_motions_and_distances_follow_the_turn),
        cmocka_unit_test(test_a_half_turn_goes_back_the_way_it_came),
        cmocka_unit_test(test_wrapped_configurations_have_the_same_poses),
        cmocka_unit_test(test_samples_fill_their_ranges_and_depend_on_seed_and_index_alone),
        cmocka_unit_test(test_jacobians_are_central_differences_of_poses),
        cmocka_unit_test(test_success_clears_the_error_of_an_earlier_failure),
        cmocka_unit_test(test_groups_have_the_columns_of_their_joints),
        cmocka_unit_test(test_bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
