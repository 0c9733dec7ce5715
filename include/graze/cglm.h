/// @file cglm.h
/// Conversions between graze's vectors and transforms and the float vectors and matrices of cglm,
/// for programs that draw with cglm (https://github.com/recp/cglm; libcglm-dev in Debian).
///
/// Optional: no other header includes this one, and the library does not need cglm. Header-only.
/// Units and frames stay: metres, right-handed axes, z upwards in URDF; OpenGL's clip space is the
/// business of the projection. cglm's matrices are column-major: m[column][row]. A mat4 has to be
/// aligned as its type says (16 bytes, 32 where AVX is enabled).
#ifndef GRAZE_CGLM_H
#define GRAZE_CGLM_H

#include <cglm/cglm.h>
#include <stdbool.h>

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Rounds a vector to float: each coordinate to the nearest, off by at most 2^-24 of itself (4e-6 m
/// at 64 m). Any thread.
/// Allocates nothing. Cost: O(1).
static inline void graze_vec3_to_cglm(graze_vec3 v, vec3 out) {
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

/// Widens a vector to double, exactly. Any thread.
/// Allocates nothing. Cost: O(1).
static inline graze_vec3 graze_vec3_from_cglm(const float v[3]) {
    graze_vec3 out = {(double)v[0], (double)v[1], (double)v[2]};
    return out;
}

/// Writes a transform as a 4x4 matrix whose last row is 0 0 0 1; each entry rounded as by
/// graze_vec3_to_cglm(). Any thread.
/// Allocates nothing. Cost: O(1).
static inline void graze_transform_to_cglm(const graze_transform *transform, mat4 out) {
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 3; row++) out[column][row] = (float)transform->m[4 * row + column];
        out[column][3] = column == 3 ? 1.0f : 0.0f;
    }
}

/// Reads a rigid transform from a 4x4 matrix. Columns of floats are orthonormal to about 1e-7 only,
/// and graze asks for 1e-9: so the rotation is made orthonormal in double (Gram and Schmidt, from
/// column 0 on). The translation is exact.
/// @return false, and *out is untouched, where an entry of the rotation would change by more than
///         1e-4 or the last row is not 0 0 0 1: a matrix that scales, mirrors, shears or projects,
///         or holds NaN or infinity. Any thread.
/// Allocates nothing. Cost: O(1).
static inline bool graze_transform_from_cglm(graze_transform *out, mat4 matrix) {
    double in[4][3], x[3], y[3], xx = 0, xy = 0, yy = 0;
    // Volatile: where a double was stored as this float in the same function, gcc 12 at -O3 drops
    // the rounding for some uses of it and keeps it for others.
    for (int k = 0; k < 12; k++)
        in[k / 3][k % 3] = (double)*(const volatile float *)&matrix[k / 3][k % 3];
    for (int i = 0; i < 3; i++) xx += in[0][i] * in[0][i];
    for (int i = 0; i < 3; i++) x[i] = in[0][i] / sqrt(xx);
    for (int i = 0; i < 3; i++) xy += in[1][i] * x[i];
    for (int i = 0; i < 3; i++) y[i] = in[1][i] - xy * x[i];
    for (int i = 0; i < 3; i++) yy += y[i] * y[i];
    for (int i = 0; i < 3; i++) y[i] /= sqrt(yy);
    graze_transform result;
    bool rigid = true;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double *row = result.m + 4 * i;
        row[0] = x[i];
        row[1] = y[i];
        row[2] = x[j] * y[k] - x[k] * y[j];
        row[3] = in[3][i];
        for (int c = 0; c < 4; c++) rigid = rigid && fabs(row[c] - in[c][i]) <= 1e-4;
    }
    for (int column = 0; column < 4; column++)
        rigid = rigid && matrix[column][3] == (column == 3 ? 1.0f : 0.0f);
    if (rigid) *out = result;
    return rigid;
}

#ifdef __cplusplus
}
#endif

#endif
