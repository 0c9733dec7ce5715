/// How far the convex hulls of two posed shapes overlap: a direction along which little parts them.
#ifndef GZ_NARROW_PENETRATION_H
#define GZ_NARROW_PENETRATION_H

#include "narrow/curved/curved.h"
#include "narrow/shape_pair.h"

/// The convex hull of a posed shape: snapped vertices, or a curved solid.
typedef struct gz_hull {
    const graze_mesh *mesh; ///< NULL: curved
    const double *pose;     ///< 12 numbers, of a mesh
    gz_curved curved;
    double far;  ///< the largest |coordinate| that its points have, or that they were posed with
    double turn; ///< by how much its points may be off once the pose is rounded anew, besides `far`
} gz_hull;

gz_hull gz_hull_make(const gz_shape *shape, const double pose[12]);

/// The farthest point of the hull along n (but for rounding), world frame.
void gz_hull_support(const gz_hull *hull, const double n[3], double out[3]);

/// The largest n . w of all points w of the hull, as it rounds.
double gz_hull_extent(const gz_hull *hull, const double n[3]);

typedef struct gz_penetration {
    double normal[3]; ///< unit, from a to b
    double overlap;   ///< of the extents along it, rounded; below 0: they are apart
    double least;     ///< no shorter translation parts them, but for rounding
    double point[3];  ///< somewhere in the overlap
} gz_penetration;

/// Looks for the direction along which the extents of two hulls overlap least, by expanding a
/// polytope inside of the set of all differences a - b where it is nearest to 0 (van den Bergen,
/// Collision Detection in Interactive 3D Environments, 2003, section 4.3.8). Unlike there 0 need
/// not be inside: then a direction is found along which the hulls are apart. Allocates nothing.
gz_penetration gz_penetration_find(const gz_hull *a, const gz_hull *b);

#endif
