/// What the two forms of the convex distance algorithm share.
#ifndef GZ_NARROW_CONVEX_PARTS_H
#define GZ_NARROW_CONVEX_PARTS_H

#include <math.h>

#include "narrow/curved/curved_internal.h"

/// The width at which lower and upper bound count as met: 1e-10 m, and for large sets 2^-42 of
/// their span.
static inline double gz_convex_tolerance(double span) {
    return fmax(1e-10, 0x1p-42 * span);
}

/// gz_convex_collide() with twice the digits and about thirty times the cost.
gz_convex_answer gz_convex_collide_fine(const gz_convex *a, const gz_convex *b, double margin,
                                        gz_convex_witness *witness);

#endif
