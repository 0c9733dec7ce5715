/// Shared by the files on rigid bodies and arms in the plane: bodies, grids, motions.
#ifndef GZ_PLANAR_CSPACE_CSPACE_INTERNAL_H
#define GZ_PLANAR_CSPACE_CSPACE_INTERNAL_H

#include "graze/planar_cspace.h"
#include "planar/convex/convex_internal.h"

struct graze_planar_body {
    size_t count;
    graze_planar_convex *parts;
    graze_vec2 *vertices; ///< of all parts, one after another
    size_t vertex_count;
    double reach; ///< metres: no vertex is farther from the origin
};

/// Fails unless a grid has cells, its corners are in order and of magnitude at most `most`.
graze_status gz_grid_check(const graze_planar_grid *grid, double most, graze_error *error);

/// What a motion is tested against.
typedef struct gz_surroundings {
    const graze_planar_scene *scene;
    const graze_planar_body *body;
    bool walls;
    double resolution;
    double size; ///< largest magnitude of a coordinate that occurs, for the bounds on rounding
} gz_surroundings;

/// Largest magnitudes of poses.
#define GZ_POSE_PLACE_MAX   0x1p50
#define GZ_POSE_HEADING_MAX 0x1p10

graze_status gz_planar_pose_check(const char *name, const graze_planar_pose *pose,
                                  graze_error *error);

gz_surroundings gz_surroundings_make(const graze_planar_scene *scene, const graze_planar_body *body,
                                     bool walls, double resolution);

/// graze_planar_leg_test() for checked arguments.
graze_planar_leg gz_leg_test(const gz_surroundings *around, const graze_planar_pose *from,
                             const graze_planar_pose *to);

#endif
