/// Rigid transforms and vectors in double, inline; the operations of graze/types.h and more.
#ifndef GZ_MATH_TRANSFORM_H
#define GZ_MATH_TRANSFORM_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "graze/types.h"

/// Snapped coordinates below this magnitude count as 0 (the contract's point 3), so that every
/// product in the exact predicates is free of underflow.
#define GZ_SNAP_MIN 0x1p-100

/// A graze_vec3 as an array of its three coordinates.
#define GZ_ARRAY3(v)                                                                               \
    _Generic(&(v), graze_vec3 * : (double *)&(v), const graze_vec3 * : (const double *)&(v))
_Static_assert(sizeof(graze_vec3) == 3 * sizeof(double), "coordinates follow each other");

/// out = R p + t, each row summed from left to right.
static inline void gz_transform_apply(const double m[12], const double p[3], double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = ((m[4 * i] * p[0] + m[4 * i + 1] * p[1]) + m[4 * i + 2] * p[2]) + m[4 * i + 3];
}

/// out = R v, for directions.
static inline void gz_transform_rotate(const double m[12], const double v[3], double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = (m[4 * i] * v[0] + m[4 * i + 1] * v[1]) + m[4 * i + 2] * v[2];
}

/// out = R^T v.
static inline void gz_transform_unrotate(const double m[12], const double v[3], double out[3]) {
    for (int j = 0; j < 3; j++) out[j] = (m[j] * v[0] + m[4 + j] * v[1]) + m[8 + j] * v[2];
}

/// The vertex that counts: fl(R v + t), tiny coordinates set to zero.
static inline void gz_snap(const double m[12], const double p[3], double out[3]) {
    gz_transform_apply(m, p, out);
    for (int i = 0; i < 3; i++)
        if (fabs(out[i]) < GZ_SNAP_MIN) out[i] = 0;
}

/// out = a after b.
static inline void gz_transform_compose(const double a[12], const double b[12], double out[12]) {
    for (int i = 0; i < 3; i++) {
        double x = a[4 * i], y = a[4 * i + 1], z = a[4 * i + 2], t = a[4 * i + 3];
        double row[4]; // of its own, so that compilers put two columns side by side
        for (int j = 0; j < 4; j++) row[j] = (x * b[j] + y * b[4 + j]) + z * b[8 + j];
        row[3] += t;
        for (int j = 0; j < 4; j++) out[4 * i + j] = row[j];
    }
}

/// out = inverse of b, after a: maps a's frame to b's frame, (Rb^T Ra, Rb^T (ta - tb)).
static inline void gz_transform_relative(const double a[12], const double b[12], double out[12]) {
    double d[3] = {a[3] - b[3], a[7] - b[7], a[11] - b[11]};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            out[4 * i + j] = (b[i] * a[j] + b[4 + i] * a[4 + j]) + b[8 + i] * a[8 + j];
        out[4 * i + 3] = (b[i] * d[0] + b[4 + i] * d[1]) + b[8 + i] * d[2];
    }
}

/// The largest magnitude of a coordinate of the translation.
static inline double gz_transform_far(const double m[12]) {
    return fmax(fabs(m[3]), fmax(fabs(m[7]), fabs(m[11])));
}

/// How far each entry of R^T R may be from the identity's in poses that callers give, as the public
/// headers say.
#define GZ_RIGID_TOLERANCE 1e-9

/// Whether every entry is finite, R^T R is the identity up to `tolerance`, and det R > 0.
bool gz_transform_is_rigid(const double m[12], double tolerance);

/// Whether a transform is the identity, bit for bit.
static inline bool gz_transform_is_identity(const graze_transform *t) {
    const graze_transform identity = graze_transform_identity();
    return memcmp(t, &identity, sizeof identity) == 0;
}

static inline double gz_dot(const double a[3], const double b[3]) {
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static inline void gz_cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/// Some direction across a given one, no unit vector.
static inline void gz_across(const double d[3], double out[3]) {
    int k = fabs(d[0]) < fabs(d[1]) ? 0 : 1;
    if (fabs(d[2]) < fabs(d[k])) k = 2;
    double unit[3] = {k == 0, k == 1, k == 2};
    gz_cross(d, unit, out);
}

static inline void gz_subtract(const double a[3], const double b[3], double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = a[i] - b[i];
}

static inline double gz_norm(const double a[3]) {
    return sqrt(gz_dot(a, a));
}

/// Divides n values by the largest magnitude among them, so that no square underflows or overflows,
/// and returns it; 0 where all are 0, which then stay. *norm: of the quotients.
static inline double gz_divide_by_largest(double *values, int n, double *norm) {
    double most = 0, square = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(values[i]));
    if (!(most > 0)) return 0;
    for (int i = 0; i < n; i++) {
        values[i] /= most;
        square += values[i] * values[i];
    }
    *norm = sqrt(square);
    return most;
}

/// Makes a direction a unit vector and returns its length; 0, and nothing is written, for none.
double gz_axis_normalise(const double v[3], graze_vec3 *axis);

#endif
