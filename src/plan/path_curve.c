// The curve of a path: straight ways between waypoints, and bends that cut the corners.
//
// A parabola of a corner P that begins at P - c u0 and ends at P + c u1, of unit vectors u0 and u1,
// has the constant second derivative (u1 - u0) / 2c by its parameter, and is |u1 - u0| c / 4 from P
// at its middle. A uniform cubic B-spline with control points P - 2c u0, P - c u0, P, P + c u1,
// P + 2c u1 begins and ends at the same places (the two points in front of each lie on a line at
// equal distances, where the spline runs along it at even speed). Its second derivative is (u1 -
// u0) / c at the middle, 0 at both ends, and linear between: continuous all along the curve. It is
// |u1 - u0| c / 6 from P (de Boor, A Practical Guide to Splines, 2001, chapter IX).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "kinematics/forward_kinematics.h"
#include "kinematics/space.h"
#include "plan/timing_internal.h"

// A bend takes at most this much of a motion, so that straight ways stay.
#define SHARE 0.45
// Where speed changes on straight ways alone, a third of a motion is left to them: of 28 paths of
// the Panda 0.45 takes 6 to 10 % longer, 0.25 1 to 3 %.
#define SHARE_AT_CONSTANT_SPEED 0.33
// What turns back so sharply is not cut: |u1 - u0| of unit vectors, 2 where it turns back wholly.
#define SHARP 1.9

static graze_status fail_row(size_t row, graze_status status, const char *why, graze_error *error) {
    char element[64];
    snprintf(element, sizeof element, "row %zu", row);
    return gz_fail_at(error, status, (gz_place){.element = element}, "%s", why);
}

graze_status gz_timed_path_check(const graze_robot *robot, const double *q, const double *base,
                                 size_t count, graze_error *error) {
    size_t width = graze_robot_q_size(robot);
    if (!q || count < 2 || width == 0)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "there are %zu waypoints of %zu numbers; allowed: two at least",
                       q ? count : 0, width);
    for (size_t i = 0; i < count; i++) {
        graze_error found;
        double pose[12];
        graze_status status = gz_pose_check(robot, q + i * width, width, &found);
        if (!status && base) status = gz_pose_base(base + i * GZ_BASE_NUMBERS, pose, &found);
        if (!status) continue;
        char element[GRAZE_PATH_SIZE];
        snprintf(element, sizeof element, "row %zu%s%.900s", i, found.element[0] ? ", " : "",
                 found.element);
        return gz_fail_at(error, status, (gz_place){.element = element}, "%s", found.message);
    }
    return GRAZE_OK;
}

void gz_timed_path_kinds(const graze_robot *robot, bool has_base, graze_q_kind *kinds) {
    graze_robot_q_kinds(robot, kinds);
    kinds += graze_robot_q_size(robot);
    for (int i = 0; has_base && i < GZ_BASE_NUMBERS; i++)
        kinds[i] = i < 3 ? GRAZE_Q_LINE : GRAZE_Q_CIRCLE;
}

void gz_timed_path_rows(double *rows, const double *q, size_t q_size, const double *base,
                        size_t stride, size_t count) {
    for (size_t i = 0; i < count; i++) {
        memcpy(rows, q + i * q_size, q_size * sizeof *q);
        rows += q_size;
        if (base == NULL) continue;
        memcpy(rows, base + i * stride, GZ_BASE_NUMBERS * sizeof *base);
        rows += GZ_BASE_NUMBERS;
    }
}

graze_status gz_timed_path_take(gz_timed_path *p, const double *rows, const graze_q_kind *kinds,
                                bool *moves, graze_error *error) {
    size_t n = p->width;
    memcpy(p->points, rows, n * sizeof *rows);
    for (size_t i = 1; i < p->count; i++) {
        const double *row = rows + i * n, *last = row - n;
        const double *before = p->points + (i - 1) * n;
        double *point = p->points + i * n, *u = p->directions + (i - 1) * n, square = 0;
        for (size_t k = 0; k < n; k++) {
            double d = row[k] - last[k], turned = d;
            if (kinds[k] == GRAZE_Q_CIRCLE) turned = gz_wrap_angle(d);
            if (d != 0 && kinds[k] == GRAZE_Q_ROTATION)
                return fail_row(i, GRAZE_ERROR_UNSUPPORTED,
                                "a rotation changes; allowed: the same numbers in all rows", error);
            bool as_given = turned == d && before[k] == last[k];
            point[k] = as_given ? row[k] : before[k] + turned;
            u[k] = turned;
            if (moves) moves[k] |= turned != 0;
            square += turned * turned;
        }
        p->lengths[i - 1] = sqrt(square);
        if (!(p->lengths[i - 1] > 1e-9))
            return fail_row(i, GRAZE_ERROR_RANGE, "it is the row before; allowed: another", error);
        for (size_t k = 0; k < n; k++) u[k] /= p->lengths[i - 1];
    }
    return GRAZE_OK;
}

void gz_timed_path_cut(gz_timed_path *p, double corner) {
    p->cuts[0] = p->cuts[p->count - 1] = 0;
    // A bend that is `corner` off: the product of |u1 - u0| and of the length that it takes of a
    // motion.
    double share = p->jerks ? SHARE_AT_CONSTANT_SPEED : SHARE;
    double threshold = (p->spline ? 6 : 4) * corner;
    for (size_t i = 1; i + 1 < p->count; i++) {
        double turn = 0;
        for (size_t k = 0; k < p->width; k++) {
            double d = p->directions[i * p->width + k] - p->directions[(i - 1) * p->width + k];
            turn += d * d;
        }
        turn = sqrt(turn);
        double most = share * fmin(p->lengths[i - 1], p->lengths[i]);
        p->cuts[i] = turn > SHARP ? 0 : turn * most > threshold ? threshold / turn : most;
    }
}

void gz_timed_path_lay(gz_timed_path *p, size_t i) {
    if (i == 0) p->span_count = 0;
    if (p->cuts[i] > 0) p->spans[p->span_count++] = (gz_path_span){true, i, 2 * p->cuts[i]};
    p->spans[p->span_count++] = (gz_path_span){false, i,
                                               p->lengths[i] - p->cuts[i] - p->cuts[i + 1]};
}

void gz_timed_path_slope(const gz_timed_path *p, const gz_path_span *span, double at, size_t column,
                         double *first, double *second) {
    const double *u = p->directions + span->at * p->width + column;
    *first = *u;
    *second = 0;
    if (!span->bends) return;
    double before = *(u - p->width), turn = *u - before, cut = p->cuts[span->at];
    if (p->spline) {
        double rest = span->length - at, t = fmin(at, rest) / cut;
        *second = turn / cut * t;
        *first = at < cut ? before + turn * (0.5 * t * t) : *u - turn * (0.5 * t * t);
        return;
    }
    *second = turn / span->length;
    *first = before + *second * at;
}

double gz_timed_path_position(const gz_timed_path *p, const gz_path_span *span, double at,
                              size_t column) {
    size_t i = span->at * p->width + column;
    double cut = p->cuts[span->at], u = p->directions[i];
    if (!span->bends) return p->points[i] + u * (cut + at);
    double before = p->directions[i - p->width];
    if (p->spline) {
        double t = fmin(at, span->length - at) / cut, off = (u - before) * (cut * (t * t * t) / 6);
        return p->points[i] + (at < cut ? before : u) * (at - cut) + off;
    }
    return p->points[i] - before * cut + (before + (u - before) * (0.5 * at / span->length)) * at;
}
