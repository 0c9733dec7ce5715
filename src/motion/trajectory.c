// Trajectories: control points of pieces, made of knots or taken as they are.
#include "graze/trajectory.h"

#include <stdio.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/shared.h"
#include "kinematics/forward_kinematics.h"
#include "kinematics/space.h"
#include "motion/trajectory_internal.h"

// Pieces begin where the one before ends, within this.
#define JUMP 1e-9
// By how much limits may be exceeded, so that what ends at one is inside whatever rounding did.
#define LIMIT_SLACK 1e-9

static const char *const base_names[] = {"base x", "base y", "base z", "roll", "pitch", "yaw"};

static graze_trajectory_knots default_knots(void) {
    return (graze_trajectory_knots){.struct_size = sizeof(graze_trajectory_knots)};
}

GZ_OPTIONS_INIT(graze_trajectory_knots, default_knots)

// ------------------------------------------------------------------------------- what is given

static graze_status fail_number(size_t row, const char *column, double value, const char *what,
                                const char *allowed, graze_error *error) {
    char element[GRAZE_PATH_SIZE];
    snprintf(element, sizeof element, "row %zu, column %s", row, column);
    return gz_fail_at(error, GRAZE_ERROR_RANGE, (gz_place){.element = element},
                      "%s is %g; allowed: %s", what, value, allowed);
}

static graze_status check_times(const double *times, size_t count, graze_error *error) {
    for (size_t i = 0; i < count; i++) {
        char element[64];
        snprintf(element, sizeof element, "row %zu", i);
        const gz_place place = {.element = element};
        if (!isfinite(times[i]))
            return gz_fail_at(error, GRAZE_ERROR_RANGE, place, "time is %g s; allowed: finite",
                              times[i]);
        if (i > 0 && !(times[i] > times[i - 1]))
            return gz_fail_at(error, GRAZE_ERROR_RANGE, place,
                              "time is %g s after %g s; allowed: later than the row before",
                              times[i], times[i - 1]);
    }
    return GRAZE_OK;
}

static const char *name_of(const graze_robot *robot, size_t column, bool base) {
    return base ? base_names[column] : graze_robot_q_name(robot, column);
}

/// Derivatives are finite; what they make of the control points is checked there.
static graze_status check_derivatives(const graze_robot *robot, const double *rows, size_t count,
                                      bool base, const char *what, graze_error *error) {
    size_t width = base ? 6 : robot->column_count;
    for (size_t i = 0; rows && i < count * width; i++)
        if (!isfinite(rows[i]))
            return fail_number(i / width, name_of(robot, i % width, base), rows[i], what, "finite",
                               error);
    return GRAZE_OK;
}

/// Quaternions stand still in pieces of a higher degree than 1: no polynomial of their four numbers
/// turns evenly.
static graze_status check_rotations(const graze_trajectory *t, graze_error *error) {
    const graze_robot *robot = t->robot;
    size_t rows = t->piece_count * ((size_t)t->degree + 1), n = robot->column_count;
    for (size_t i = 1; t->degree > 1 && i < rows; i++)
        for (size_t k = 0; k < n; k++) {
            const double *at = t->q + i * n + k;
            if (robot->column_kinds[k] != GRAZE_Q_ROTATION || at[0] == *(at - n)) continue;
            return gz_fail(error, GRAZE_ERROR_UNSUPPORTED,
                           "the rotation of joint '%s' changes in a piece of degree %d; allowed: "
                           "pieces of degree 1, or the same numbers in all rows",
                           graze_robot_q_name(robot, k), (int)t->degree);
        }
    return GRAZE_OK;
}

/// Checks `count` rows; an error's row is divided by `divisor`, and is one of `what`.
static graze_status check_rows(const graze_robot *robot, const double *q, const double *base,
                               size_t count, const char *what, size_t divisor, graze_error *error) {
    graze_error found;
    for (size_t i = 0; i < count; i++) {
        double pose[12];
        graze_status status = gz_pose_check(robot, q ? q + i * robot->column_count : NULL,
                                            robot->column_count, &found);
        if (status == GRAZE_OK && base) status = gz_pose_base(base + 6 * i, pose, &found);
        if (status == GRAZE_OK) continue;
        char element[GRAZE_PATH_SIZE];
        snprintf(element, sizeof element, "%s %zu, %.900s", what, i / divisor, found.element);
        return gz_fail_at(error, status, (gz_place){.element = element}, "%s", found.message);
    }
    return GRAZE_OK;
}

/// Checks that each piece begins where the one before ends.
static graze_status join_pieces(graze_trajectory *t, graze_error *error) {
    size_t n = t->robot->column_count, rows = (size_t)t->degree + 1;
    for (size_t p = 1; p < t->piece_count; p++)
        for (size_t k = 0; k < n + 6; k++) {
            bool base = k >= n;
            size_t width = base ? 6 : n, column = base ? k - n : k;
            double *at = (base ? t->base : t->q) + p * rows * width + column,
                   before = *(at - width);
            if (fabs(*at - before) > JUMP)
                return fail_number(p * rows, name_of(t->robot, column, base), *at,
                                   "the begin of a piece", "the end of the one before", error);
            *at = before;
        }
    return check_rotations(t, error);
}

// --------------------------------------------------------------------------------------- making

static graze_trajectory *allocate(const graze_robot *robot, int32_t degree, size_t pieces) {
    graze_trajectory *t = gz_calloc(1, sizeof *t);
    size_t rows = pieces * ((size_t)degree + 1), n = robot->column_count;
    if (!t) return NULL;
    t->times = gz_malloc(pieces + 1 + rows * (n + 6), sizeof *t->times);
    if (!t->times) {
        gz_free(t);
        return NULL;
    }
    t->q = t->times + pieces + 1;
    t->base = t->q + rows * n;
    t->robot = robot;
    t->degree = degree;
    t->piece_count = pieces;
    return t;
}

/// Checks the control points that have been filled in; what is wrong is freed.
static graze_status finish(graze_trajectory **out, graze_trajectory *t, const char *what,
                           size_t divisor, graze_error *error) {
    graze_status status = check_rows(
        t->robot, t->q, t->base, t->piece_count * ((size_t)t->degree + 1), what, divisor, error);
    if (status == GRAZE_OK) status = join_pieces(t, error);
    if (status) {
        graze_trajectory_free(t);
        return status;
    }
    *out = t;
    gz_error_clear(error);
    return GRAZE_OK;
}

/// Control points of a Hermite piece of a column: positions, velocities and accelerations at both
/// ends, `span` seconds apart.
static void hermite(int32_t degree, double span, const double q[2], const double v[2],
                    const double a[2], double points[6]) {
    points[0] = q[0];
    points[degree] = q[1];
    double side = span / degree, bend = span * span / (degree * (degree - 1.0));
    if (degree == 1) return;
    points[1] = q[0] + side * v[0];
    points[degree - 1] = q[1] - side * v[1];
    if (degree == 3) return;
    points[2] = (q[0] + 2 * side * v[0]) + bend * a[0];
    points[3] = (q[1] - 2 * side * v[1]) + bend * a[1];
}

/// Fills the rows of control points of all columns that are `width` numbers wide.
static void fill_rows(const graze_trajectory *t, size_t width, const double *q, const double *v,
                      const double *a, double *out) {
    size_t rows = (size_t)t->degree + 1;
    for (size_t p = 0; p < t->piece_count; p++)
        for (size_t k = 0; k < width; k++) {
            size_t at[2] = {p * width + k, (p + 1) * width + k};
            double ends[3][2] = {{0}}, points[6] = {0};
            for (int i = 0; i < 2; i++) {
                if (q) ends[0][i] = q[at[i]];
                if (v) ends[1][i] = v[at[i]];
                if (a) ends[2][i] = a[at[i]];
            }
            hermite(t->degree, t->times[p + 1] - t->times[p], ends[0], ends[1], ends[2], points);
            for (size_t i = 0; i < rows; i++) out[(p * rows + i) * width + k] = points[i];
        }
}

static graze_status check_knots(const graze_robot *robot, const graze_trajectory_knots *k,
                                graze_error *error) {
    if (!k->times || (!k->q && robot->column_count))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "times or q is NULL");
    if (k->count < 2)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "there are %zu knots; allowed: two at least",
                       k->count);
    if ((k->accelerations && !k->velocities) || (k->base_accelerations && !k->base_velocities))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "there are accelerations without velocities");
    if (!k->base && (k->base_velocities || k->base_accelerations))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "there are derivatives of the base without it");
    GZ_TRY(check_times(k->times, k->count, error));
    GZ_TRY(check_rows(robot, k->q, k->base, k->count, "row", 1, error));
    GZ_TRY(check_derivatives(robot, k->velocities, k->count, false, "velocity", error));
    GZ_TRY(check_derivatives(robot, k->accelerations, k->count, false, "acceleration", error));
    GZ_TRY(check_derivatives(robot, k->base_velocities, k->count, true, "velocity", error));
    return check_derivatives(robot, k->base_accelerations, k->count, true, "acceleration", error);
}

graze_status graze_trajectory_from_knots(graze_trajectory **out, const graze_robot *robot,
                                         const graze_trajectory_knots *knots, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    graze_trajectory_knots k;
    if (!out || !robot || !knots)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out, robot or knots is NULL");
    *out = NULL;
    GZ_TRY(GZ_OPTIONS_READ(graze_trajectory_knots, &k, knots, error));
    GZ_TRY(check_knots(robot, &k, error));
    int32_t degree = k.accelerations || k.base_accelerations ? 5
                     : k.velocities || k.base_velocities     ? 3
                                                             : 1;
    graze_trajectory *t = allocate(robot, degree, k.count - 1);
    if (!t) return gz_fail_memory(error);
    memcpy(t->times, k.times, k.count * sizeof *t->times);
    fill_rows(t, robot->column_count, k.q, k.velocities, k.accelerations, t->q);
    fill_rows(t, 6, k.base, k.base_velocities, k.base_accelerations, t->base);
    return finish(out, t, "piece", (size_t)degree + 1, error);
}

graze_status graze_trajectory_from_bezier(graze_trajectory **out, const graze_robot *robot,
                                          uint32_t degree, size_t count, const double *times,
                                          const double *q, const double *base, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!out || !robot || !times || (!q && robot->column_count))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out, robot, times or q is NULL");
    *out = NULL;
    if (degree < 1 || degree > GRAZE_TRAJECTORY_DEGREE_MAX || count < 1)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "degree is %u and there are %zu pieces; allowed: 1 to %d, and 1 at least",
                       degree, count, GRAZE_TRAJECTORY_DEGREE_MAX);
    GZ_TRY(check_times(times, count + 1, error));
    graze_trajectory *t = allocate(robot, (int32_t)degree, count);
    if (!t) return gz_fail_memory(error);
    size_t rows = count * (degree + 1);
    memcpy(t->times, times, (count + 1) * sizeof *times);
    if (robot->column_count) memcpy(t->q, q, rows * robot->column_count * sizeof *q);
    if (base)
        memcpy(t->base, base, rows * 6 * sizeof *base);
    else
        memset(t->base, 0, rows * 6 * sizeof *t->base);
    return finish(out, t, "row", 1, error);
}

void graze_trajectory_free(graze_trajectory *t) {
    if (t) gz_free(t->times);
    gz_free(t);
}

// -------------------------------------------------------------------------------------- reading

size_t graze_trajectory_piece_count(const graze_trajectory *t) {
    return t ? t->piece_count : 0;
}

double graze_trajectory_time(const graze_trajectory *t, size_t piece) {
    return t && piece <= t->piece_count ? t->times[piece] : NAN;
}

uint32_t graze_trajectory_degree(const graze_trajectory *t) {
    return t ? (uint32_t)t->degree : 0;
}

const double *graze_trajectory_points(const graze_trajectory *t, size_t piece,
                                      const double **base) {
    gz_curve q = {0}, of_base = {0};
    if (t && piece < t->piece_count) gz_trajectory_piece(t, piece, &q, &of_base);
    if (base) *base = of_base.points;
    return q.points;
}

double graze_trajectory_parameter(const graze_trajectory *t, size_t piece, double time) {
    GZ_FLOAT_ENVIRONMENT;
    if (!t || piece >= t->piece_count || !isfinite(time)) return NAN;
    return gz_trajectory_parameter(t, piece, time);
}

void gz_trajectory_piece(const graze_trajectory *t, size_t piece, gz_curve *q, gz_curve *base) {
    size_t rows = (size_t)t->degree + 1, n = t->robot->column_count;
    *q = (gz_curve){t->degree, n, t->q + piece * rows * n};
    *base = (gz_curve){t->degree, 6, t->base + piece * rows * 6};
}

double gz_trajectory_parameter(const graze_trajectory *t, size_t piece, double time) {
    double s = (time - t->times[piece]) / (t->times[piece + 1] - t->times[piece]);
    s = fmin(fmax(s, 0), 1);
    return nearbyint(s * 0x1p46) * 0x1p-46;
}

double gz_trajectory_time(const graze_trajectory *t, size_t piece, double s) {
    double begin = t->times[piece], end = t->times[piece + 1];
    return s == 1 ? end : fmin(begin + s * (end - begin), end);
}

void gz_trajectory_place(const graze_trajectory *t, size_t piece, double s, double *q,
                         double base[6]) {
    gz_curve of_q, of_base;
    gz_trajectory_piece(t, piece, &of_q, &of_base);
    if (t->degree == 1) {
        gz_robot_between(t->robot, of_q.points, of_q.points + of_q.width, GRAZE_TURN_AS_GIVEN, s,
                         q);
        gz_base_between(of_base.points, of_base.points + 6, GRAZE_TURN_AS_GIVEN, s, base);
        return;
    }
    gz_curve_place(&of_q, s, q);
    gz_curve_place(&of_base, s, base);
}

/// The piece that a time is on; where two meet, the later one.
static size_t piece_at(const graze_trajectory *t, double time) {
    size_t low = 0, high = t->piece_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (t->times[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

graze_status graze_trajectory_at(const graze_trajectory *t, double time, double *q, double *base) {
    GZ_FLOAT_ENVIRONMENT;
    double of_base[6];
    if (!t || !isfinite(time) || (!q && t->robot->column_count)) return GRAZE_ERROR_ARGUMENT;
    size_t piece = piece_at(t, time);
    gz_trajectory_place(t, piece, gz_trajectory_parameter(t, piece, time), q, of_base);
    if (base) memcpy(base, of_base, sizeof of_base);
    return GRAZE_OK;
}

/// The derivatives of the columns of q, or of the base.
static graze_status velocity_at(const graze_trajectory *t, double time, bool of_base, double *out) {
    if (!t || !isfinite(time) || !out) return GRAZE_ERROR_ARGUMENT;
    size_t piece = piece_at(t, time);
    double s = gz_trajectory_parameter(t, piece, time);
    double span = t->times[piece + 1] - t->times[piece];
    gz_curve q, base;
    gz_trajectory_piece(t, piece, &q, &base);
    const gz_curve *c = of_base ? &base : &q;
    for (size_t k = 0; k < c->width; k++) {
        double b[GRAZE_TRAJECTORY_DEGREE_MAX + 1] = {0};
        for (int32_t i = 0; i <= c->degree; i++) b[i] = c->points[(size_t)i * c->width + k];
        for (int32_t last = c->degree; last > 1; last--)
            for (int32_t i = 0; i < last; i++) b[i] = (1 - s) * b[i] + s * b[i + 1];
        out[k] = c->degree * (b[1] - b[0]) / span;
    }
    return GRAZE_OK;
}

graze_status graze_trajectory_velocity_at(const graze_trajectory *t, double time, double *q) {
    GZ_FLOAT_ENVIRONMENT;
    return velocity_at(t, time, false, q);
}

graze_status graze_trajectory_base_velocity_at(const graze_trajectory *t, double time,
                                               double base[6]) {
    GZ_FLOAT_ENVIRONMENT;
    return velocity_at(t, time, true, base);
}

/// The first place where a column of a piece leaves an interval by more than LIMIT_SLACK; 2 where
/// there is none. `ends` is where the halves end that are still to be looked at.
static double first_outside(const gz_curve *c, size_t column, double lower, double upper) {
    enum { DEPTH = 46 }; // the steps of a parameter
    double ends[DEPTH + 1] = {1}, begin = 0;
    lower -= LIMIT_SLACK;
    upper += LIMIT_SLACK;
    for (int last = 0; last >= 0;) {
        double low, high, end = ends[last];
        gz_curve_interval(c, column, begin, end, &low, &high);
        if (low >= lower && high <= upper) {
            begin = end;
            last--;
            continue;
        }
        double x = gz_curve_at(c, column, begin);
        if (x < lower || x > upper || end - begin <= 0x1p-46) return begin;
        ends[++last] = begin + (end - begin) / 2;
    }
    return 2;
}

bool graze_trajectory_leaves_limits(const graze_trajectory *t, double *time, size_t *column) {
    for (size_t p = 0; t && p < t->piece_count; p++) {
        gz_curve q, base;
        double first = 2;
        gz_trajectory_piece(t, p, &q, &base);
        for (size_t k = 0; k < q.width; k++) {
            const graze_joint_info *info = &t->robot->joints[t->robot->column_joints[k]].info;
            double s = info->limited ? first_outside(&q, k, info->lower, info->upper) : 2;
            if (s >= first) continue;
            first = s;
            if (column) *column = k;
        }
        if (first > 1) continue;
        if (time) *time = gz_trajectory_time(t, p, first);
        return true;
    }
    return false;
}
