/// Whether two bounds are certainly apart. "Apart" is a proof about the sets as stored, in real
/// arithmetic, each grown by a part of `pad` >= 0: the distance by which both together may be off
/// (pose error, snap, margin). Anything that cannot be proved, NaN included, is not apart.
#ifndef GZ_BROAD_BOUND_TEST_H
#define GZ_BROAD_BOUND_TEST_H

#include "graze/types.h"

/// Whether a squared distance d2 from coordinate differences exceeds (distance)^2 for certain. With
/// u = 2^-53, d2 has a relative error below 6u (differences 2u, squares u, sums 2u), and so has the
/// square of a sum of up to three lengths that are not negative; 2^-48 = 32u on each side covers
/// them and the products here. Underflow adds less than 2^-1070; overflow makes the right side
/// infinite first or the left side truly larger.
static inline bool gz_distance_exceeds(double d2, double distance) {
    return d2 * (1 - 0x1p-48) > distance * distance * (1 + 0x1p-48) + 0x1p-1000;
}

/// Balls with centres a and b.
static inline bool gz_spheres_apart(const double a[3], double radius_a, const double b[3],
                                    double radius_b, double pad) {
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return gz_distance_exceeds(x * x + y * y + z * z, radius_a + radius_b + pad);
}

/// A ball and an axis-aligned box (low <= high) in the same frame (Arvo 1990).
static inline bool gz_sphere_aabb_apart(const double center[3], double radius, const double low[3],
                                        const double high[3], double pad) {
    double d2 = 0;
    for (int k = 0; k < 3; k++) {
        double below = low[k] - center[k], above = center[k] - high[k];
        // Rounding is monotone, so this sum is at most 0 for every box; it is NaN if a part is.
        if (!(below + above <= 0)) return false;
        double gap = below > above ? below : above;
        if (gap > 0) d2 += gap * gap;
    }
    return gz_distance_exceeds(d2, radius + pad);
}

/// The largest entry of |A^T A - I| for the axes of the box, rounded up: 0 for exact axes.
double gz_obb_skew(const graze_obb *box);

/// Two oriented boxes in the same frame, whose skews sum to at most `skew`, by the 15 axes of
/// Gottschalk, Lin and Manocha (1996), section 5. Half extents not negative.
bool gz_obb_apart(const graze_obb *a, const graze_obb *b, double skew, double pad);

#endif
