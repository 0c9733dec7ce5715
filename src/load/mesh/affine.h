/// Transforms of mesh nodes: affine, in double, possibly scaled, sheared or mirrored.
#ifndef GZ_LOAD_MESH_AFFINE_H
#define GZ_LOAD_MESH_AFFINE_H

#include <math.h>
#include <stdbool.h>

#include "math/transform.h"

/// Rows of [M | t].
typedef struct gz_affine {
    double m[3][4];
} gz_affine;

static inline gz_affine gz_affine_scale(double s) {
    return (gz_affine){{{s, 0, 0, 0}, {0, s, 0, 0}, {0, 0, s, 0}}};
}

/// The transform that applies b first.
static inline gz_affine gz_affine_multiply(const gz_affine *a, const gz_affine *b) {
    gz_affine c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            c.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] +
                        a->m[i][2] * b->m[2][j] + (j == 3 ? a->m[i][3] : 0.0);
    return c;
}

static inline void gz_affine_apply(const gz_affine *p, const double from[3], double to[3]) {
    for (int k = 0; k < 3; k++)
        to[k] = p->m[k][0] * from[0] + p->m[k][1] * from[1] + p->m[k][2] * from[2] + p->m[k][3];
}

/// Of a point and where it was placed, the one to name in an error: what is not a number would make
/// all three coordinates so.
static inline const double *gz_affine_bad_point(const double from[3], const double to[3]) {
    return isfinite(from[0]) && isfinite(from[1]) && isfinite(from[2]) ? to : from;
}

/// Negative for a mirror, 0 where it flattens.
static inline double gz_affine_determinant(const gz_affine *p) {
    const double(*m)[4] = p->m;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

static inline bool gz_affine_is_finite(const gz_affine *p) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            if (!isfinite(p->m[i][j])) return false;
    return true;
}

/// Whether a matrix's last row is 0 0 0 1 but for the rounding dirt that exporters leave there; a
/// perspective would bend the mesh.
static inline bool gz_affine_is_last_row(double x, double y, double z, double w) {
    return fabs(x) + fabs(y) + fabs(z) + fabs(w - 1.0) <= 1e-6;
}

#endif
