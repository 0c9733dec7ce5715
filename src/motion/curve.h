/// Bezier curves by their control points: places on one, and how far it goes on an interval.
///
/// In real arithmetic the value at s is a convex combination of the control points, and on an
/// interval [s0, s1] one of the points that the curve's polar form (its blossom) has for i times s1
/// and d - i times s0 (Farin, Curves and Surfaces for CAGD, 2002, sections 4.2 to 4.6). Both are
/// computed by d rounds of a + s (b - a) in the form (1 - s) a + s b. Here s has at most 46 bits,
/// so 1 - s is exact; a round is off by at most 2 u M (1 + 2 u), u = 2^-53, M the greatest
/// magnitude of the control points, and passes on what the points before were off by: 2.01 d u M
/// after all. GZ_CURVE_SLACK M is twice what two values of degree 7 are off by.
#ifndef GZ_MOTION_CURVE_H
#define GZ_MOTION_CURVE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "graze/trajectory.h"

#define GZ_CURVE_SLACK (4 * 2.01 * GRAZE_TRAJECTORY_DEGREE_MAX * 0x1p-53)

/// Columns of `width` numbers, degree + 1 rows of control points.
typedef struct gz_curve {
    int32_t degree;
    size_t width;
    const double *points;
} gz_curve;

/// The value of the polar form of a column: s[0], ..., s[degree - 1] in any order; all the same:
/// the curve's value there.
static inline double gz_curve_blossom(const gz_curve *c, size_t column, const double *s) {
    double b[GRAZE_TRAJECTORY_DEGREE_MAX + 1] = {0};
    for (int32_t i = 0; i <= c->degree; i++) b[i] = c->points[(size_t)i * c->width + column];
    for (int32_t round = 0; round < c->degree; round++)
        for (int32_t i = 0; i < c->degree - round; i++)
            b[i] = (1 - s[round]) * b[i] + s[round] * b[i + 1];
    return b[0];
}

/// The least and the greatest of the control points of a column.
static inline void gz_curve_range(const gz_curve *c, size_t column, double *low, double *high) {
    *low = *high = c->points[column];
    for (int32_t i = 1; i <= c->degree; i++) {
        double x = c->points[(size_t)i * c->width + column];
        *low = fmin(*low, x);
        *high = fmax(*high, x);
    }
}

/// A column at s; never beyond the control points by rounding, and theirs where all are the same.
static inline double gz_curve_at(const gz_curve *c, size_t column, double s) {
    double low, high, all[GRAZE_TRAJECTORY_DEGREE_MAX];
    gz_curve_range(c, column, &low, &high);
    if (low == high) return low;
    for (int32_t i = 0; i < c->degree; i++) all[i] = s;
    return fmin(fmax(gz_curve_blossom(c, column, all), low), high);
}

/// All columns at s.
static inline void gz_curve_place(const gz_curve *c, double s, double *out) {
    for (size_t k = 0; k < c->width; k++) out[k] = gz_curve_at(c, k, s);
}

/// The least and the greatest of the control points of a column on [s0, s1]: what it takes there in
/// real arithmetic lies between them, but for half of GZ_CURVE_SLACK.
static inline void gz_curve_interval(const gz_curve *c, size_t column, double s0, double s1,
                                     double *low, double *high) {
    double s[GRAZE_TRAJECTORY_DEGREE_MAX];
    for (int32_t i = 0; i < c->degree; i++) s[i] = s0;
    *low = *high = gz_curve_blossom(c, column, s);
    for (int32_t i = 0; i < c->degree; i++) {
        s[i] = s1;
        double x = gz_curve_blossom(c, column, s);
        *low = fmin(*low, x);
        *high = fmax(*high, x);
    }
}

#endif
