/// Contact points of two shapes that overlap, by their convex hulls.
#ifndef GZ_NARROW_MANIFOLD_H
#define GZ_NARROW_MANIFOLD_H

#include "narrow/shape_pair.h"

/// World frame, metres.
typedef struct gz_manifold {
    double normal[3];    ///< unit, from a to b
    double depth;        ///< moving b by so much along it makes the two free
    double least;        ///< no less does in any direction, but for rounding
    int count;           ///< of points, 1 to 4
    double points[4][3]; ///< corners of the region that both share, seen along the normal
    double depths[4];    ///< the overlap along the normal there
} gz_manifold;

/// Finds them. b moved by `normal` times `depth` is farther than `margin` from a, its vertices
/// rounded anew. Allocates nothing.
void gz_manifold_find(const gz_shape *a, const double pose_a[12], const gz_shape *b,
                      const double pose_b[12], double margin, gz_manifold *out);

#endif
