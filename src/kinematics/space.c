// The configuration space of a robot: kinds and limits of columns, samples, metric, motions.

#include "kinematics/space.h"

#include <math.h>
#include <string.h>

#include "base/float_environment.h"
#include "kinematics/forward_kinematics.h"

double gz_wrap_angle(double angle) {
    if (angle >= -GZ_PI && angle <= GZ_PI) return angle;
    // Up to 3 pi the remainder is one difference, which is exact (Sterbenz 1974): half of 2 pi to
    // twice.
    if (fabs(angle) < 9) return angle < 0 ? angle + 2 * GZ_PI : angle - 2 * GZ_PI;
    return remainder(angle, 2 * GZ_PI);
}

void gz_unit_quaternion(const double x[4], double out[4]) {
    double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3];
    bool divide = square > 0 && fabs(square - 1) > 0x1p-49;
    double length = divide ? sqrt(square) : 1;
    for (int k = 0; k < 4; k++) out[k] = x[k] / length;
}

/// Both as unit quaternions, the second of the sign that is nearer to the first.
static void unit_pair(const double *from, const double *to, double a[4], double b[4]) {
    gz_unit_quaternion(from, a);
    gz_unit_quaternion(to, b);
    double cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    for (int k = 0; cosine < 0 && k < 4; k++) b[k] = -b[k];
}

static double rotation_square(const double *from, const double *to) {
    double a[4], b[4], sum = 0;
    unit_pair(from, to, a, b);
    for (int k = 0; k < 4; k++) {
        double d = 2 * (b[k] - a[k]);
        sum += d * d;
    }
    return sum;
}

static void rotation_between(const double *from, const double *to, double t, double out[4]) {
    double a[4], b[4];
    unit_pair(from, to, a, b);
    for (int k = 0; k < 4; k++) out[k] = a[k] + t * (b[k] - a[k]);
    gz_unit_quaternion(out, out);
}

double gz_turn_square(graze_q_kind kind, const double *a, const double *b) {
    if (kind == GRAZE_Q_ROTATION) return rotation_square(a, b);
    double d = gz_wrap_angle(*b - *a);
    return d * d;
}

void gz_turn_between(graze_q_kind kind, const double *a, const double *b, double t, double *out) {
    if (kind == GRAZE_Q_ROTATION)
        rotation_between(a, b, t, out);
    else
        *out = gz_wrap_angle(*a + t * gz_wrap_angle(*b - *a));
}

/// Two numbers uniform in the unit disc, and their squared length.
static double sample_disc(gz_random *random, double out[2]) {
    double square;
    do {
        out[0] = gz_random_range(random, -1, 1);
        out[1] = gz_random_range(random, -1, 1);
        square = out[0] * out[0] + out[1] * out[1];
    } while (square >= 1 || square == 0);
    return square;
}

static void sample_rotation(gz_random *random, double out[4]) {
    double square = sample_disc(random, out);
    double rest = sample_disc(random, out + 2);
    double scale = sqrt((1 - square) / rest);
    out[2] *= scale;
    out[3] *= scale;
}

void gz_column_sample(graze_q_kind kind, gz_random *random, double low, double high, double *out) {
    if (kind == GRAZE_Q_ROTATION) {
        sample_rotation(random, out);
        return;
    }
    double value = gz_random_range(random, low, high);
    *out = value > high ? high : value; // low + (high - low) u may round up past high
}

// ------------------------------------------------------------------------------- of a whole robot

graze_status graze_robot_q_kinds(const graze_robot *r, graze_q_kind *kinds) {
    if (!r || (!kinds && r->column_count)) return GRAZE_ERROR_ARGUMENT;
    for (size_t i = 0; i < r->column_count; i++) kinds[i] = r->column_kinds[i];
    return GRAZE_OK;
}

/// -infinity and infinity where the column's joint has no limits.
static void limits_of(const graze_robot *r, size_t column, double *lower, double *upper) {
    const graze_joint_info *info = &r->joints[r->column_joints[column]].info;
    *lower = info->limited ? info->lower : -HUGE_VAL;
    *upper = info->limited ? info->upper : HUGE_VAL;
}

graze_status graze_robot_q_limits(const graze_robot *r, double *lower, double *upper) {
    if (!r) return GRAZE_ERROR_ARGUMENT;
    for (size_t i = 0; i < r->column_count; i++) {
        double low, high;
        limits_of(r, i, &low, &high);
        if (lower) lower[i] = low;
        if (upper) upper[i] = high;
    }
    return GRAZE_OK;
}

/// Clears the error where q is right: what follows cannot fail, or fills it anew.
static graze_status check_q(const graze_robot *r, const double *q, size_t q_count,
                            graze_error *error) {
    if (!r) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "robot is NULL");
    graze_status status = gz_pose_check(r, q, q_count, error);
    if (status == GRAZE_OK) gz_error_clear(error);
    return status;
}

graze_status graze_robot_clamp(const graze_robot *r, double *q, size_t q_count,
                               graze_error *error) {
    graze_status status = check_q(r, q, q_count, error);
    for (size_t i = 0; status == GRAZE_OK && i < r->column_count; i++) {
        double low, high;
        limits_of(r, i, &low, &high);
        q[i] = q[i] < low ? low : q[i] > high ? high : q[i];
    }
    return status;
}

graze_status graze_robot_wrap(const graze_robot *r, double *q, size_t q_count, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    graze_status status = check_q(r, q, q_count, error);
    for (size_t i = 0; status == GRAZE_OK && i < q_count;
         i += gz_column_width(r->column_kinds[i])) {
        if (r->column_kinds[i] == GRAZE_Q_CIRCLE) q[i] = gz_wrap_angle(q[i]);
        if (r->column_kinds[i] == GRAZE_Q_ROTATION) gz_unit_quaternion(&q[i], &q[i]);
    }
    return status;
}

/// The range that a column is drawn from: the caller's, or the limits, or a full turn.
static graze_status range_of(const graze_robot *r, size_t i, const double *lower,
                             const double *upper, double range[2], graze_error *error) {
    limits_of(r, i, &range[0], &range[1]);
    if (r->column_kinds[i] == GRAZE_Q_ROTATION) {
        range[0] = range[1] = 0;
    } else if (lower) {
        range[0] = lower[i];
        range[1] = upper[i];
    } else if (r->column_kinds[i] == GRAZE_Q_CIRCLE) {
        range[0] = -GZ_PI;
        range[1] = GZ_PI;
    }
    if (isfinite(range[0]) && isfinite(range[1]) && range[0] <= range[1]) return GRAZE_OK;
    return gz_fail_at(error, GRAZE_ERROR_RANGE, (gz_place){.element = r->column_names[i]},
                      "column '%s' is drawn from %g to %g; allowed: finite, the first at most the "
                      "second",
                      r->column_names[i], range[0], range[1]);
}

graze_status graze_robot_sample(const graze_robot *r, uint64_t seed, uint64_t index,
                                const double *lower, const double *upper, double *q,
                                graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!r || (!q && r->column_count) || !lower != !upper)
        return gz_fail(
            error, GRAZE_ERROR_ARGUMENT,
            "robot or q is NULL, or one of lower and upper alone; allowed: both or none");
    gz_random random = gz_random_make(seed, index);
    for (size_t i = 0; i < r->column_count; i += gz_column_width(r->column_kinds[i])) {
        double range[2];
        graze_status status = range_of(r, i, lower, upper, range, error);
        if (status != GRAZE_OK) return status;
        gz_column_sample(r->column_kinds[i], &random, range[0], range[1], &q[i]);
    }
    gz_error_clear(error);
    return GRAZE_OK;
}

/// What metric and motion have in common: two configurations and a turn.
static graze_status check_motion(const graze_robot *r, const double *from, const double *to,
                                 size_t q_count, graze_turn turn, const void *out,
                                 graze_error *error) {
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "the output is NULL");
    if (turn != GRAZE_TURN_SHORTER && turn != GRAZE_TURN_AS_GIVEN)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "turn is %d; allowed: 0 or 1", (int)turn);
    graze_status status = check_q(r, from, q_count, error);
    return status == GRAZE_OK ? check_q(r, to, q_count, error) : status;
}

graze_status graze_robot_metric(const graze_robot *r, const double *from, const double *to,
                                size_t q_count, graze_turn turn, double *distance,
                                graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    graze_status status = check_motion(r, from, to, q_count, turn, distance, error);
    if (status != GRAZE_OK) return status;
    double sum = 0;
    for (size_t i = 0; i < q_count; i += gz_column_width(r->column_kinds[i]))
        sum += gz_column_square(r->column_kinds[i], turn, &from[i], &to[i]);
    *distance = sqrt(sum);
    return GRAZE_OK;
}

void gz_robot_between(const graze_robot *r, const double *from, const double *to, graze_turn turn,
                      double t, double *q) {
    if (t == 0 || t == 1) {
        if (r->column_count) memmove(q, t == 0 ? from : to, r->column_count * sizeof *q);
        return;
    }
    for (size_t i = 0; i < r->column_count; i += gz_column_width(r->column_kinds[i]))
        gz_column_between(r->column_kinds[i], turn, &from[i], &to[i], t, &q[i]);
}

graze_status graze_robot_interpolate(const graze_robot *r, const double *from, const double *to,
                                     size_t q_count, graze_turn turn, double t, double *q,
                                     graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    const void *out = q_count ? (const void *)q : "";
    graze_status status = check_motion(r, from, to, q_count, turn, out, error);
    if (status != GRAZE_OK) return status;
    if (!(t >= 0 && t <= 1))
        return gz_fail(error, GRAZE_ERROR_RANGE, "t is %g; allowed: 0 to 1", t);
    gz_robot_between(r, from, to, turn, t, q);
    return GRAZE_OK;
}
