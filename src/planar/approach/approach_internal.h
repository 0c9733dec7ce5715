/// The line that B's displacement follows against the Minkowski difference A - B, rounded by both
/// radii: where it enters, or where it passes nearest.
#ifndef GZ_PLANAR_APPROACH_APPROACH_INTERNAL_H
#define GZ_PLANAR_APPROACH_APPROACH_INTERNAL_H

#include "graze/planar_approach.h"

typedef struct gz_approach_line {
    double way; ///< metres along the direction from the present place: of entry, else the first
                ///< of the nearest; any sign
    double gap; ///< metres: 0 where the line meets the rounded difference, else how far it passes
    double margin; ///< metres: how far the answer is from belonging to other features
    bool meets;
    bool edge;                 ///< an edge of the difference is met, not a vertex
    graze_vec2 normal;         ///< unit, outward of the difference: from A to B
    graze_vec2 core_a, core_b; ///< points of the polygons, at present, that meet or come nearest
} gz_approach_line;

/// The difference is rounded by `radius`, usually the sum of both. Shapes with counts in range and
/// finite coordinates; direction unit up to rounding.
void gz_approach_line_find(const graze_planar_shape *a, const graze_planar_shape *b,
                           graze_vec2 direction, double radius, gz_approach_line *line);

/// A speed (the larger component) below this, m/s, is rest: no horizon makes a length worth
/// speaking of it.
#define GZ_APPROACH_REST 0x1p-900

/// A velocity as direction and speed; false at rest.
bool gz_approach_direction(graze_vec2 v, graze_vec2 *direction, double *speed);

/// What every function of planar_approach.h asks of its arguments.
graze_status gz_approach_check(const graze_planar_shape *a, graze_vec2 velocity_a,
                               const graze_planar_shape *b, graze_vec2 velocity_b);

/// The largest magnitude of a coordinate or radius.
double gz_approach_extent(const graze_planar_shape *shape);

/// The shape translated: its rounded vertices, or their hull where rounding bends the polygon. (The
/// normal of a short edge may turn by up to a right angle, and would part what overlaps by metres.)
void gz_approach_move(graze_planar_shape *out, const graze_planar_shape *shape, graze_vec2 by);

#endif
