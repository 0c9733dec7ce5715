/// Where two convex solids are nearest to each other, as well as long doubles can tell: proposals
/// for exact proofs (verify/exact_cylinder.h), of which nothing is believed.
#ifndef GZ_VERIFY_NEAREST_POINTS_H
#define GZ_VERIFY_NEAREST_POINTS_H

#include "verify/exact_cylinder.h"

typedef struct gz_neighbours {
    double a[3], b[3];   ///< a point of each
    double direction[3]; ///< from a's solid to b's, about unit length; 0 where they overlap
} gz_neighbours;

/// The algorithm of Gilbert, Johnson and Keerthi (1988), a bounded number of steps. The first solid
/// is made smaller on all sides by `inset`, where it is a cylinder.
gz_neighbours gz_closest_points_find(const gz_solid *a, const gz_solid *b, double inset);

#endif
