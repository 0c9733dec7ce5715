/// Shared by the files on rigid bodies and arms in the plane: bodies, grids, motions, poses of
/// arms.
#ifndef GZ_PLANAR_CSPACE_CSPACE_INTERNAL_H
#define GZ_PLANAR_CSPACE_CSPACE_INTERNAL_H

#include "graze/planar_arm.h"
#include "graze/planar_distance.h"
#include "planar/convex/convex_internal.h"

struct graze_planar_body {
    size_t count;
    graze_planar_convex *parts;
    graze_vec2 *vertices; ///< of all parts, one after another
    size_t vertex_count;
    double radius; ///< metres: no vertex is farther from the origin
};

/// Fails unless a grid has cells, its corners are in order and of magnitude at most `most`.
graze_status gz_grid_check(const graze_planar_grid *grid, double most, graze_error *error);

/// The middle of the box of so many cells from column and row on, and half its sides with what
/// rounding adds: places in the grid are off by 4 u of its corners.
graze_vec2 gz_grid_place(const graze_planar_grid *grid, int32_t column, int32_t row,
                         int32_t columns, int32_t rows);
graze_vec2 gz_grid_half(const graze_planar_grid *grid, int32_t columns, int32_t rows);

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

graze_status gz_resolution_check(double resolution, graze_error *error);

gz_surroundings gz_surroundings_make(const graze_planar_scene *scene, const graze_planar_body *body,
                                     bool walls, double resolution);

/// graze_planar_leg_judge() for checked arguments.
graze_planar_leg gz_leg_test(const gz_surroundings *around, const graze_planar_pose *from,
                             const graze_planar_pose *to);

/// The polygon that a body at a pose is nearest to, or overlaps deepest; -1: the map's border.
int64_t gz_leg_nearest(const gz_surroundings *around, const graze_planar_pose *pose);

// ------------------------------------------------------------------------------------------ arms

/// Largest magnitude of an arm's angles.
#define GZ_ARM_ANGLE_MAX 0x1p10

/// A checked arm and its obstacles, with what bounds of rounding need.
typedef struct gz_arm_query {
    const graze_planar_arm_scene *scene;
    const graze_planar_bounds *boxes; ///< of the obstacles; NULL: found anew
    double length, radius; ///< of all links; of the vertex that is farthest from its link's joint
    double size;           ///< largest magnitude of a coordinate plus radius that occurs
} gz_arm_query;

/// Fails unless arm, shapes and obstacles are such as constructors make them.
graze_status gz_arm_query_make(gz_arm_query *query, const graze_planar_arm_scene *scene,
                               graze_error *error);
/// Fails unless link_count angles are numbers of magnitude at most GZ_ARM_ANGLE_MAX.
graze_status gz_arm_angles_check(const gz_arm_query *query, const double *q, graze_error *error);

/// Fails unless the joints are two different ones.
graze_status gz_arm_joints_check(const graze_planar_arm *arm, const int32_t joints[2],
                                 graze_error *error);
/// Finds the boxes of the obstacles, once for many questions; free them with gz_free().
graze_status gz_arm_boxes_make(gz_arm_query *query, graze_planar_bounds **boxes,
                               graze_error *error);

/// What is known of all q that differ from a middle by at most so much.
typedef struct gz_arm_verdict {
    bool all_free;       ///< proved
    bool all_blocked;    ///< proved: one pair meets everywhere
    int32_t sole_link;   ///< all_blocked, and no link before this one meets anything; else -1
    uint8_t middle;      ///< GRAZE_PLANAR_CELL_FREE, _BLOCKED or _OPEN
    int32_t middle_link; ///< the first that meets in the middle; -1
} gz_arm_verdict;

/// Tests the box about q; `half` has link_count half widths, NULL for none.
gz_arm_verdict gz_arm_test(const gz_arm_query *query, const double *q, const double *half);

/// No less than the way of any point of the arm while joint i turns by turns[i], from anywhere.
double gz_arm_way(const gz_arm_query *query, const double *turns);

/// graze_planar_arm_motion() for checked arguments.
graze_planar_leg gz_arm_motion_test(const gz_arm_query *query, const double *from, const double *to,
                                    double resolution);

#endif
