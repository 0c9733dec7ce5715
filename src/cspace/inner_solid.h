/// Balls inside what a mesh encloses: proofs of collision that need no surface.
#ifndef GZ_CSPACE_INNER_SOLID_H
#define GZ_CSPACE_INNER_SOLID_H

#include "base/error.h"
#include "graze/check.h"
#include "graze/robot.h"
#include "math/transform.h"

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

/// What is inside the links and objects, in simple solids.

/// A convex solid: points within `radius` of the segment, cut flat at its ends for `flat`; or a
/// box.
typedef struct gz_inner_solid {
    bool box, flat;
    double ends[2][3], radius;
    double frame[12], half[3]; // of a box, a little smaller where its frame is no rotation
    double skew;               // of that frame
    double depth;              // of its deepest point
} gz_inner_solid;

/// What is inside one link (in the frame of its body), or one object (world).
typedef struct gz_inside {
    gz_inner_solid *solids;
    gz_ball *balls;
    size_t solid_count, solid_capacity, ball_count, ball_capacity;
    double solid_depth, ball_radius; // the greatest
    double center[3], radius;        // of a ball that holds all solids and balls
} gz_inside;

/// Adds what is inside a geometry: solids, and balls of which those without radius are points of
/// its surface. Meshes contain unless the policy is GRAZE_POLICY_SURFACE.
/// @param box_frame of a box's middle, in the frame of `inside`
/// @param frame     moves vertices and ends into that frame; NULL where they are in it
graze_status gz_inside_add(gz_inside *inside, const graze_geometry *geometry, graze_policy policy,
                           const double box_frame[12], const double *frame, graze_error *error);

/// Puts a ball around everything that was added.
void gz_inside_bound(gz_inside *inside);
void gz_inside_free(gz_inside *inside);

/// The signed distance of a point from a solid, negative inside; exact but for rounding, and for
/// boxes in a frame that is no rotation not below that.
double gz_inner_solid_distance(const gz_inner_solid *solid, const double p[3]);

static inline double gz_point_distance(const double a[3], const double b[3]) {
    double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return gz_norm(d);
}

#endif
