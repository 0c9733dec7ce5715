/// Oriented boxes by separating axes, with an additive error bound.

#include <math.h>

#include "base/float_environment.h"
#include "broad/bound_test.h"
#include "graze/geometry.h"

static double dot(graze_vec3 a, graze_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

double gz_obb_skew(const graze_obb *box) {
    double most = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            double entry = fabs(dot(box->axis[i], box->axis[j]) - (i == j ? 1 : 0));
            // True for a NaN, too, which then stays.
            if (!isnan(most) && !(entry <= most)) most = entry;
        }
    }
    // Each dot product is off by at most 3u |a||b| < 4u, u = 2^-53, and the difference by u.
    return most + 0x1p-50;
}

/// The common frame of the tests: box b seen from box a.
typedef struct relative {
    double r[3][3], absolute[3][3]; ///< r[i][j] = axis i of a . axis j of b
    double t[3];                    ///< centre of b along the axes of a
    double a[3], b[3];              ///< half extents
    double error;                   ///< of any left side less any right side below, pad included
} relative;

// The error bound. Let u = 2^-53, e the skew of a box: |A^T A - I| <= e per entry, so the polar
// decomposition A = Q P has |P - I| <= 3 e in the 2-norm: each axis a_i is within 3e of an axis q_i
// that is exactly orthonormal; likewise p_j for b. The tests use the directions q_i, p_j and
// q_i x p_j, of length at most 1; whatever the direction, a gap along it proves that the sets as
// stored are apart. On it the stored box a projects to at most sum of h_k (|L . q_k| + 3 e_a).
//   r[i][j] = a_i . b_j differs from q_i . p_j by at most 3 (e_a + e_b) (1 + small) + 4u =: k,
//   t[i] from q_i . T by at most (3 e_a + 5u) |T|_1, T being the difference of the centres.
// Left sides are |t_i|, |t . r_j| or |t_i r_jk - t_j r_ik|: off by at most 3 k |T|_1 + 3 * 3u |T|_1
// (a handed-ness of -1 only changes signs inside the absolute values). Right sides are sums of
// h times |r|: off by at most (2 k + 3 e + 8u) (sum of all h). With skew = e_a + e_b <= 2^-9 all is
// below (16 skew + 64u) S, S = |T|_1 + sum of all h; the factors below leave room for the rounding
// of the bound itself. Underflow of products adds less than 2^-1000.
static bool relative_make(relative *out, const graze_obb *a, const graze_obb *b, double skew,
                          double pad) {
    graze_vec3 t = {b->center.x - a->center.x, b->center.y - a->center.y,
                    b->center.z - a->center.z};
    const double sum = fabs(t.x) + fabs(t.y) + fabs(t.z) + (a->half.x + a->half.y + a->half.z) +
                       (b->half.x + b->half.y + b->half.z);
    // False for NaN; and so far from overflow that no product reaches it.
    if (!(sum <= 0x1p500) || !(skew <= 0x1p-9)) return false;
    for (int i = 0; i < 3; i++) {
        out->t[i] = dot(a->axis[i], t);
        for (int j = 0; j < 3; j++) {
            out->r[i][j] = dot(a->axis[i], b->axis[j]);
            out->absolute[i][j] = fabs(out->r[i][j]);
        }
    }
    out->a[0] = a->half.x;
    out->a[1] = a->half.y;
    out->a[2] = a->half.z;
    out->b[0] = b->half.x;
    out->b[1] = b->half.y;
    out->b[2] = b->half.z;
    out->error = (20 * skew + 0x1p-46) * sum + 0x1p-1000 + pad * (1 + 0x1p-50);
    return true;
}

bool gz_obb_apart(const graze_obb *a, const graze_obb *b, double skew, double pad) {
    relative m;
    if (!relative_make(&m, a, b, skew, pad)) return false;
    // The faces of a.
    for (int i = 0; i < 3; i++) {
        const double *r = m.absolute[i];
        if (fabs(m.t[i]) > m.a[i] + (m.b[0] * r[0] + m.b[1] * r[1] + m.b[2] * r[2]) + m.error)
            return true;
    }
    // The faces of b.
    for (int j = 0; j < 3; j++) {
        double left = m.t[0] * m.r[0][j] + m.t[1] * m.r[1][j] + m.t[2] * m.r[2][j];
        double right = m.a[0] * m.absolute[0][j] + m.a[1] * m.absolute[1][j] +
                       m.a[2] * m.absolute[2][j] + m.b[j];
        if (fabs(left) > right + m.error) return true;
    }
    // Edges of a across edges of b: L = a_i x b_j has L . a_i1 = -r[i2][j], L . a_i2 = r[i1][j],
    // and likewise for b with the roles of the indices exchanged.
    for (int i = 0; i < 3; i++) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            double left = m.t[i2] * m.r[i1][j] - m.t[i1] * m.r[i2][j];
            double right = m.a[i1] * m.absolute[i2][j] + m.a[i2] * m.absolute[i1][j] +
                           m.b[j1] * m.absolute[i][j2] + m.b[j2] * m.absolute[i][j1];
            if (fabs(left) > right + m.error) return true;
        }
    }
    return false;
}

// ------------------------------------------------------------------------ public overlap tests

GZ_OUT_OF_LINE static bool sphere_overlaps(const graze_sphere *sphere, const graze_aabb *box) {
    const double center[3] = {sphere->center.x, sphere->center.y, sphere->center.z};
    const double low[3] = {box->min.x, box->min.y, box->min.z};
    const double high[3] = {box->max.x, box->max.y, box->max.z};
    return !gz_sphere_aabb_apart(center, sphere->radius, low, high, 0);
}

bool graze_sphere_aabb_overlap(const graze_sphere *sphere, const graze_aabb *box) {
    GZ_FLOAT_ENVIRONMENT;
    return !sphere || !box || sphere_overlaps(sphere, box);
}

GZ_OUT_OF_LINE static bool boxes_overlap(const graze_obb *a, const graze_obb *b) {
    return !gz_obb_apart(a, b, gz_obb_skew(a) + gz_obb_skew(b), 0);
}

bool graze_obb_overlap(const graze_obb *a, const graze_obb *b) {
    GZ_FLOAT_ENVIRONMENT;
    return !a || !b || boxes_overlap(a, b);
}
