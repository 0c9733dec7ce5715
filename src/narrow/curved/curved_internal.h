/// Distance of two convex sets against a threshold, certified from both sides.
#ifndef GZ_NARROW_CURVED_CURVED_INTERNAL_H
#define GZ_NARROW_CURVED_CURVED_INTERNAL_H

#include <math.h>
#include <stdbool.h>

#include "math/transform.h"
#include "narrow/curved/curved.h"

/// The hull of up to three points, or a cylinder (two points: its axis ends), grown by `round`.
/// Coordinates are relative to some origin that both sets share.
typedef struct gz_convex {
    int count;
    double p[3][3];
    double disc;    ///< radius of the cylinder; 0 for hulls of points
    double axis[3]; ///< cylinder: p[1] - p[0], from the ends before the origin was subtracted
    double axis_norm;
    double round;
} gz_convex;

/// An upper bound of the distance (without the rounds), and where it is attained.
typedef struct gz_convex_witness {
    double a[3], b[3];
} gz_convex_witness;

typedef enum gz_convex_answer {
    GZ_CONVEX_APART,    ///< proved: farther apart than the threshold
    GZ_CONVEX_COLLIDE,  ///< the witness is at most threshold + tolerance apart
    GZ_CONVEX_UNDECIDED ///< neither could be proved
} gz_convex_answer;

/// Sum of the extents of both sets from the origin: what rounding errors are relative to.
double gz_convex_span(const gz_convex *a, const gz_convex *b);

/// A certified lower bound of the distance of both sets, rounds included: the gap between them
/// along n (from b to a), which need not be unit; -infinity for n = 0.
double gz_convex_gap(const gz_convex *a, const gz_convex *b, const double n[3], double span);

/// Decides by a witness that was found in some other way: apart where its direction proves it,
/// colliding where its length allows it.
gz_convex_answer gz_convex_by_witness(const gz_convex *a, const gz_convex *b, double margin,
                                      const gz_convex_witness *witness);

/// Whether the distance exceeds the margin, by the algorithm of Gilbert, Johnson and Keerthi (1988)
/// with a certified gap in every step, and again with twice the digits where doubles do not decide
/// it. Undecided is possible in principle only; the caller takes it for a collision.
gz_convex_answer gz_convex_collide(const gz_convex *a, const gz_convex *b, double margin,
                                   gz_convex_witness *witness);

/// Bounds of the distance, rounds included: the upper one, by the witness, and *lower, at least 0
/// and at most twice gz_convex_tolerance() below the distance; of sets that overlap any that is
/// at most 0.
double gz_convex_distance(const gz_convex *a, const gz_convex *b, gz_convex_witness *witness,
                          double *lower);

/// Pieces that the tests of curved solids share.

/// Error of the closed forms below, relative to the span of their input (docs/shapes.md).
#define GZ_CURVED_ERROR 0x1p-47

/// The solid as a convex set, relative to an origin.
gz_convex gz_curved_convex(const gz_curved *s, const double origin[3]);

/// Writes a point between the two witnesses, midway between the surfaces.
void gz_curved_point(const gz_convex_witness *witness, const double origin[3], double round_a,
                     double round_b, double point[3]);

/// The point of the segment a-b nearest to p.
void gz_segment_nearest(const double p[3], const double a[3], const double b[3], double out[3]);

/// Points of two segments near to each other: the nearest ones but for rounding.
void gz_segments_nearest(const double a[3], const double b[3], const double c[3], const double d[3],
                         gz_convex_witness *out);

/// Whether some coordinate proves at once that two sets of points, each grown by a part of
/// `distance`, are apart. A difference of coordinates has a relative error of 2^-53, and so has
/// each of the sums that make up the distance: 2^-48 holds them.
static inline bool gz_coordinates_apart(const double (*p)[3], int p_count, const double (*q)[3],
                                        int q_count, double distance) {
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
        double limit = distance * (1 + 0x1p-48);
        if (q_low - p_high > limit || p_low - q_high > limit) return true;
    }
    return false;
}

/// Decides by the witness where it can, else by the general algorithm. What neither can decide (no
/// such case is known) counts as a collision, the safe side.
bool gz_curved_decide(const gz_convex *a, const gz_convex *b, double margin,
                      gz_convex_witness *witness, bool has_witness);

static inline double gz_square_distance(const double a[3], const double b[3]) {
    double d[3];
    gz_subtract(a, b, d);
    return gz_dot(d, d);
}

/// What the two forms of the convex distance algorithm share.

/// The width at which lower and upper bound count as met: 1e-10 m, and for large sets 2^-42 of
/// their span.
static inline double gz_convex_tolerance(double span) {
    return fmax(1e-10, 0x1p-42 * span);
}

/// gz_convex_collide() with twice the digits and about thirty times the cost.
gz_convex_answer gz_convex_collide_fine(const gz_convex *a, const gz_convex *b, double margin,
                                        gz_convex_witness *witness);

#endif
