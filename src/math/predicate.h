/// Orientation predicates: the exact sign of a determinant of points, by a filter in double and,
/// where that cannot tell, out of line: by pairs of doubles, then by expansions of any length.
///
/// Exact for coordinates that are 0 or of magnitude 2^-140 to 2^140, with rounding to nearest and
/// subnormals kept or not (none occurs). Why nothing overflows or underflows: such a coordinate is
/// a multiple of 2^-192 (its last bit is 52 below its first), so differences and their rounding
/// errors are, products of two are multiples of 2^-384 and of three of 2^-576; whatever is not zero
/// is at least that large, far above 2^-1022. A difference is at most 2^141, a product of three
/// 2^423, a sum of six of these, errors included, below 2^427; splitting multiplies by 2^27 on the
/// way, far below 2^1024.
#ifndef GZ_MATH_PREDICATE_H
#define GZ_MATH_PREDICATE_H

#include <math.h>
#include <stdint.h>

/// The range of magnitudes within which the predicates are exact (and 0).
#define GZ_EXACT_MIN 0x1p-140
#define GZ_EXACT_MAX 0x1p140

/// Out of line: the determinant of the points by expansions, rounded at the end (relative error
/// below 2^-48, the sign exact, 0 only for 0).
double gz_orient3d_value(const double a[3], const double b[3], const double c[3],
                         const double d[3]);
double gz_orient2d_value(const double a[2], const double b[2], const double c[2]);

/// Out of line: the sign of that determinant, without the filter below: in pairs of doubles with a
/// bound, then by expansions.
int gz_orient3d_exact(const double a[3], const double b[3], const double c[3], const double d[3]);

static inline int gz_sign(double x) {
    return (x > 0) - (x < 0);
}

/// What decides where a filter cannot tell: the exact sign; for bench/exactness alone, which
/// measures what that costs, the sign of the double.
#ifdef GRAZE_INEXACT_FOR_BENCH
#define GZ_DECIDE(inexact, exact) gz_sign(inexact)
#else
#define GZ_DECIDE(inexact, exact) (exact)
#endif

/// The sign of det[a - d; b - d; c - d]: 1 where d lies below the plane abc (a, b, c
/// counterclockwise seen from above), -1 above, 0 on it. Adds 1 to *exact when the filter could not
/// tell.
///
/// Filter: with u = 2^-53, each of the six terms x y z of the determinant is reached by at most
/// eight roundings (three differences, the product of two, its subtraction from another, the
/// product with the third, two additions), each a factor (1 + delta), |delta| <= u. So the error is
/// at most ((1 + u)^8 - 1) P, where P is the sum of the |x y z|, and P itself is computed with at
/// most eight roundings: |error| <= (8 u + O(u^2)) fl(P) < 9 u fl(P). P = 0 means that every term
/// is exactly 0.
static inline int gz_orient3d_counted(const double a[3], const double b[3], const double c[3],
                                      const double d[3], uint64_t *exact) {
    double ax = a[0] - d[0], ay = a[1] - d[1], az = a[2] - d[2];
    double bx = b[0] - d[0], by = b[1] - d[1], bz = b[2] - d[2];
    double cx = c[0] - d[0], cy = c[1] - d[1], cz = c[2] - d[2];
    double bxcy = bx * cy, cxby = cx * by;
    double cxay = cx * ay, axcy = ax * cy;
    double axby = ax * by, bxay = bx * ay;
    double det = az * (bxcy - cxby) + bz * (cxay - axcy) + cz * (axby - bxay);
    double bound = 0x9p-53 *
                   (fabs(az) * (fabs(bxcy) + fabs(cxby)) + fabs(bz) * (fabs(cxay) + fabs(axcy)) +
                    fabs(cz) * (fabs(axby) + fabs(bxay)));
    if (fabs(det) > bound) return det > 0 ? 1 : -1;
    if (bound == 0) return 0;
    ++*exact;
    return GZ_DECIDE(det, gz_orient3d_exact(a, b, c, d));
}

/// The sign of det[a - c; b - c]: 1 where a, b, c turn left, -1 right, 0 on a line. Adds 1 to
/// *exact when the filter could not tell.
///
/// Filter: as above with at most four roundings per term (two differences, a product, the
/// subtraction): |error| <= (4 u + O(u^2)) fl(P) < 5 u fl(P).
static inline int gz_orient2d_counted(const double a[2], const double b[2], const double c[2],
                                      uint64_t *exact) {
    double left = (a[0] - c[0]) * (b[1] - c[1]);
    double right = (a[1] - c[1]) * (b[0] - c[0]);
    double det = left - right;
    double bound = 0x5p-53 * (fabs(left) + fabs(right));
    if (fabs(det) > bound) return det > 0 ? 1 : -1;
    if (bound == 0) return 0;
    ++*exact;
    return GZ_DECIDE(det, gz_sign(gz_orient2d_value(a, b, c)));
}

/// The same without a count.
static inline int gz_orient3d(const double a[3], const double b[3], const double c[3],
                              const double d[3]) {
    uint64_t exact = 0;
    return gz_orient3d_counted(a, b, c, d, &exact);
}

static inline int gz_orient2d(const double a[2], const double b[2], const double c[2]) {
    uint64_t exact = 0;
    return gz_orient2d_counted(a, b, c, &exact);
}

#endif
