/// Pieces that the tests of curved solids share.
#ifndef GZ_NARROW_CURVED_PARTS_H
#define GZ_NARROW_CURVED_PARTS_H

#include "math/transform.h"
#include "narrow/curved/curved.h"
#include "narrow/curved/curved_internal.h"

/// Error of the closed forms below, relative to the span of what they look at (docs/shapes.md).
#define GZ_CURVED_ERROR 0x1p-47

/// The solid as a convex set, relative to an origin.
gz_convex gz_curved_convex(const gz_curved *s, const double origin[3]);

/// Writes a point between the two witnesses, on the way from one surface to the other.
void gz_curved_point(const gz_convex_witness *witness, const double origin[3], double round_a,
                     double round_b, double point[3]);

/// The point of the segment a-b nearest to p.
void gz_segment_nearest(const double p[3], const double a[3], const double b[3], double out[3]);

/// Points of two segments near to each other: the nearest ones but for rounding.
void gz_segments_nearest(const double a[3], const double b[3], const double c[3], const double d[3],
                         gz_convex_witness *out);

/// Whether some coordinate proves at once that two sets of points, each grown by a part of `reach`,
/// are apart. A difference of coordinates has a relative error of 2^-53, and so has each of the
/// sums that make up the reach: 2^-48 holds them.
static inline bool gz_coordinates_apart(const double (*p)[3], int p_count, const double (*q)[3],
                                        int q_count, double reach) {
    for (int k = 0; k < 3; k++) {
        double p_low = p[0][k], p_high = p[0][k], q_low = q[0][k], q_high = q[0][k];
        for (int i = 1; i < p_count; i++) {
            p_low = p[i][k] < p_low ? p[i][k] : p_low;
            p_high = p[i][k] > p_high ? p[i][k] : p_high;
        }
        for (int i = 1; i < q_count; i++) {
            q_low = q[i][k] < q_low ? q[i][k] : q_low;
            q_high = q[i][k] > q_high ? q[i][k] : q_high;
        }
        double limit = reach * (1 + 0x1p-48);
        if (q_low - p_high > limit || p_low - q_high > limit) return true;
    }
    return false;
}

/// The end of every test: by witness where that settles it, else by the general algorithm. What
/// neither can settle (the tests know no such case) counts as a collision, the safe side.
bool gz_curved_decide(const gz_convex *a, const gz_convex *b, double margin,
                      gz_convex_witness *witness, bool has_witness);

static inline double gz_square_distance(const double a[3], const double b[3]) {
    double d[3];
    gz_subtract(a, b, d);
    return gz_dot(d, d);
}

#endif
