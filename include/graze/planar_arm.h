/// @file planar_arm.h
/// A planar arm with links of any shape among obstacles: its clearance, a map over two of its
/// joints with proofs for whole cells, motions and paths that are proved free.
///
/// Metres, radians, one frame. Links and obstacles are circles, capsules, rounded rectangles and
/// convex polygons; a concave polygon, or one with holes, is as many of them
/// (graze_planar_decompose()).
#ifndef GRAZE_PLANAR_ARM_H
#define GRAZE_PLANAR_ARM_H

#include "planar_cspace.h"
#include "planar_smooth.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Most shapes of an arm.
#define GRAZE_PLANAR_ARM_SHAPE_MAX 128

/// An arm and what it may meet. Everything belongs to the caller.
typedef struct graze_planar_arm_scene {
    graze_planar_arm arm;             ///< where its base is, and how far it is from joint to joint
    const graze_planar_shape *shapes; ///< shape_count, each in the frame of its link: the origin is
                                      ///< the link's joint, x leads along the link
    const int32_t *shape_links;       ///< the link of each shape, never falling
    size_t shape_count;               ///< 1 to GRAZE_PLANAR_ARM_SHAPE_MAX
    const graze_planar_shape *obstacles;
    size_t obstacle_count;
    bool self; ///< links that no joint connects must stay apart, too
} graze_planar_arm_scene;

/// The pair of shapes that is nearest, or overlaps most.
typedef struct graze_planar_arm_pair {
    double distance; ///< signed, as graze_planar_distance(); INFINITY where there is no pair
    double error;    ///< the exact distance is off by at most so much
    int32_t shape;   ///< of the arm; -1 where there is no pair
    int32_t other;   ///< an obstacle, or, with `self`, another shape of the arm
    bool self;
} graze_planar_arm_pair;

/// The arm's shapes where they are at q.
/// @param q      link_count angles, magnitudes at most 2^10
/// @param placed [out] shape_count shapes
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT; GRAZE_ERROR_RANGE. Any thread; no allocation.
/// Cost: proportional to links and vertices.
GRAZE_API graze_status graze_planar_arm_place(const graze_planar_arm_scene *scene, const double *q,
                                              graze_planar_shape *placed, graze_error *error);

/// The least signed distance of the arm from the obstacles (and, with `self`, from itself) at q.
/// @param pair [out]
/// @return as graze_planar_arm_place(). Any thread; no allocation.
/// Cost: boxes of all pairs, graze_planar_distance() of those that are near.
GRAZE_API graze_status graze_planar_arm_clearance(const graze_planar_arm_scene *scene,
                                                  const double *q, graze_planar_arm_pair *pair,
                                                  graze_error *error);

/// The map of an arm over two of its joints.
///
/// How far any point of a shape moves while two joints change is bounded, and a signed distance
/// changes by no more than that: where it is larger in the middle of a box of angles, the whole box
/// is free; where it is below the negative of it, the whole box is blocked. Boxes that are neither
/// are split, down to a sixteenth of a cell (docs/planar.md).
/// @param q         link_count angles; those of the two joints are not read
/// @param joints    two different joints: of the grid's x and of its y
/// @param grid      radians; magnitudes at most 2^10
/// @param certified prove of whole cells what can be proved
/// @param cells     [out] rows * columns of GRAZE_PLANAR_CELL_..., row by row from the lowest
///                  second angle; its middle decides whether a cell is free
/// @param links     [out] per cell the first link that is blocked in its middle, -1 for none, -2
///                  for open cells. NULL: not wanted
/// @return as graze_planar_arm_place(); GRAZE_ERROR_NO_MEMORY. Any thread. Allocates.
/// Cost: with proofs, about that of the cells next to a border; else that of all cells.
GRAZE_API graze_status graze_planar_arm_map(const graze_planar_arm_scene *scene, const double *q,
                                            const int32_t joints[2], const graze_planar_grid *grid,
                                            bool certified, uint8_t *cells, int32_t *links,
                                            graze_error *error);

/// Judges the motion from one configuration to another, all angles changing evenly: proved free,
/// proved blocked, or neither at the resolution.
/// @param from,to    link_count angles each
/// @param resolution longest way of a point of the arm in what is not split any more, metres, > 0
/// @param verdict    [out] OPEN on failure
/// @return as graze_planar_arm_place(). Any thread; no allocation.
/// Cost: graze_planar_arm_clearance() at few places in free space, at worst at the longest way of a
/// point over the resolution.
GRAZE_API graze_status graze_planar_arm_motion(const graze_planar_arm_scene *scene,
                                               const double *from, const double *to,
                                               double resolution, graze_planar_leg *verdict,
                                               graze_error *error);

/// A path of an arm over two of its joints.
typedef struct graze_planar_arm_path {
    graze_planar_drive_outcome outcome;
    graze_vec2 *points; ///< point_count pairs of angles, the start first; NULL unless found
    size_t point_count;
    double length;                 ///< radians, over both joints
    graze_planar_arm_pair blocker; ///< what meets at a blocked start or goal
    uint64_t reached;              ///< cells proved free that the start reaches, unless found
} graze_planar_arm_path;

/// Plans a path of two joints: through cells of the map that are proved free, then shortened. Every
/// motion of the answer is GRAZE_PLANAR_LEG_FREE. Angles are numbers, not directions: the path does
/// not leave the grid, and turns no joint past its ends.
/// @param cells      a map of graze_planar_arm_map(), certified, of the same question
/// @param start,goal angles of the two joints, within the grid
/// @param path       [out] free with graze_planar_arm_path_free()
/// @return GRAZE_OK, also without a path; as graze_planar_arm_map(). Any thread. Allocates.
/// Cost: the cells, and graze_planar_arm_motion() some dozens of times.
GRAZE_API graze_status graze_planar_arm_plan(const graze_planar_arm_scene *scene, const double *q,
                                             const int32_t joints[2], const graze_planar_grid *grid,
                                             const uint8_t *cells, graze_vec2 start,
                                             graze_vec2 goal, graze_planar_arm_path *path,
                                             graze_error *error);

/// Frees what is in a path; NULL is allowed. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_planar_arm_path_free(graze_planar_arm_path *path);

#ifdef __cplusplus
}
#endif

#endif
