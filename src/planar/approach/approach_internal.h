/// Ray casting against the Minkowski difference A - B, rounded by both radii: where the line of B's
/// displacement enters it, or passes nearest.
#ifndef GZ_PLANAR_APPROACH_APPROACH_INTERNAL_H
#define GZ_PLANAR_APPROACH_APPROACH_INTERNAL_H

#include "graze/planar_approach.h"

typedef struct gz_approach_line {
    double entry; ///< metres along the direction from the present position: where the line enters,
                  ///< else the first of its nearest points; any sign
    double gap;   ///< metres: 0 where the line hits the rounded difference, else its distance
    bool hit;
    graze_vec2 normal;           ///< unit, outward of the difference: from A to B
    graze_vec2 inner_a, inner_b; ///< the contact or nearest points on the polygons, at present
} gz_approach_line;

/// The difference is rounded by `radius`, usually the sum of both. Shapes with counts in range and
/// finite coordinates; direction unit up to rounding.
void gz_approach_line_find(const graze_planar_shape *a, const graze_planar_shape *b,
                           graze_vec2 direction, double radius, gz_approach_line *line);

/// An edge of the polygons' difference A - B, counter-clockwise from the corner `from`; the one of
/// two points has no length, and neither direction nor normal.
typedef struct gz_difference_edge {
    graze_vec2 from, direction, normal; ///< unit; the normal outward
    double length;
} gz_difference_edge;

#define GZ_DIFFERENCE_MAX (2 * GRAZE_PLANAR_VERTEX_MAX)

/// Returns the number of edges, at least 1. Their order is exact, parallel ones are joined, and
/// each direction is right to a few roundings however short the edge is.
int gz_difference_edges(const graze_planar_shape *a, const graze_planar_shape *b,
                        gz_difference_edge out[GZ_DIFFERENCE_MAX]);

/// A speed below this, m/s, counts as rest: squares of what is faster, and of lengths times it,
/// stay within the doubles.
#define GZ_APPROACH_REST 0x1p-300

/// A velocity as direction and speed; false at rest.
bool gz_approach_direction(graze_vec2 v, graze_vec2 *direction, double *speed);

/// Checks the arguments that every function of planar_approach.h has.
graze_status gz_approach_check(const graze_planar_shape *a, graze_vec2 velocity_a,
                               const graze_planar_shape *b, graze_vec2 velocity_b);

/// The largest magnitude of a coordinate or radius.
double gz_approach_extent(const graze_planar_shape *shape);

#endif
