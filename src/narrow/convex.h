/// Distance of two convex sets against a threshold, certified from both sides.
#ifndef GZ_NARROW_CONVEX_H
#define GZ_NARROW_CONVEX_H

#include <stdbool.h>

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
    GZ_CONVEX_UNDECIDED ///< neither could be shown
} gz_convex_answer;

/// Sum of the extents of both sets from the origin: what rounding errors are relative to.
double gz_convex_span(const gz_convex *a, const gz_convex *b);

/// A certified lower bound of the distance of both sets, rounds included: the gap between them
/// along n (from b to a), which need not be unit; -infinity for n = 0.
double gz_convex_gap(const gz_convex *a, const gz_convex *b, const double n[3], double span);

/// Judges by a witness that was found in some other way: apart where its direction proves it, meet
/// where its length allows it.
gz_convex_answer gz_convex_by_witness(const gz_convex *a, const gz_convex *b, double margin,
                                      const gz_convex_witness *witness);

/// Whether the distance exceeds the margin, by the algorithm of Gilbert, Johnson and Keerthi (1988)
/// with a certified gap in every step, and again with twice the digits where doubles do not settle
/// it. Undecided is possible in principle only; the caller takes it for a collision.
gz_convex_answer gz_convex_collide(const gz_convex *a, const gz_convex *b, double margin,
                                   gz_convex_witness *witness);

#endif
