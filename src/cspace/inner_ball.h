/// Balls inside what a mesh encloses: proofs of collision that need no surface.
#ifndef GZ_CSPACE_INNER_BALL_H
#define GZ_CSPACE_INNER_BALL_H

#include "base/error.h"
#include "graze/robot.h"

/// Most balls of one mesh.
#define GZ_INNER_BALLS 24

typedef struct gz_ball {
    double center[3], radius;
} gz_ball;

/// Finds balls inside the closed components of a mesh, the largest first; none where it has no
/// closed component, or only thin ones. Deterministic.
/// @param geometry a mesh, or a box
/// @param balls    [out] room for GZ_INNER_BALLS, in the frame of the vertices
/// @param count    [out]
graze_status gz_inner_balls_find(const graze_geometry *geometry, gz_ball *balls, size_t *count,
                                 graze_error *error);

#endif
