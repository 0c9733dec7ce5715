/// @file planar_arm.h
/// A planar arm with links of any shape, fixed or on a base that drives, or a rigid body (one link
/// of such an arm), among obstacles: its clearance, a map over two of its joints with proofs for
/// whole cells, motions and paths that are proved free.
///
/// Metres, radians, one frame. Links and obstacles are circles, capsules, rounded rectangles and
/// convex polygons; a concave polygon, or one with holes, is as many of them
/// (graze_planar_decompose()).
///
/// A configuration q has an angle a joint; where the base drives, its x and y before them
/// (magnitudes at most 2^50; angles at most 2^10). A rigid body has one link, of length 0: q is its
/// place and heading.
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
    bool self;    ///< links that no joint connects must stay apart, too
    bool drives;  ///< the base is where q says, not where `arm` does
    double walls; ///< edge of a square from (0, 0) that nothing may leave, metres; 0: none
} graze_planar_arm_scene;

/// The pair of shapes that is nearest, or overlaps most.
typedef struct graze_planar_arm_pair {
    double distance; ///< signed, as graze_planar_distance(); INFINITY where there is no pair
    double error;    ///< the exact distance is off by at most so much
    int32_t shape;   ///< of the arm; -1 where there is no pair
    int32_t other;   ///< an obstacle, -1: the walls; or, with `self`, another shape of the arm
    bool self;
} graze_planar_arm_pair;

/// The arm's shapes where they are at q.
/// @param q      a configuration
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

/// The map of an arm over two of its joints, as planar_cspace.h says maps.
///
/// How far any point of a shape moves while two joints change is bounded, and a signed distance
/// changes by no more than that: where it is larger in the middle of a box of angles, the whole box
/// is free; where it is below the negative of it, the whole box collides. Boxes that are neither
/// are split, down to a sixteenth of a cell (docs/planar.md). A cell is undecided where its middle
/// is nearer to contact than the error bound.
/// @param map over two joints, in their units and ranges
/// @return as graze_planar_arm_place(); GRAZE_OK also when the budget is spent;
///         GRAZE_ERROR_CANCELLED: what was not done is undecided; GRAZE_ERROR_NO_MEMORY.
/// The same cells for any number of threads. Any thread. Allocates.
/// Cost: with proofs, about that of the cells next to a border; else that of all cells.
GRAZE_API graze_status graze_planar_arm_map(const graze_planar_arm_scene *scene,
                                            const graze_cspace *map, graze_error *error);

/// What is known of a motion.
typedef enum graze_planar_leg {
    GRAZE_PLANAR_LEG_FREE = 0,    ///< proved: at no time of the motion is there contact
    GRAZE_PLANAR_LEG_BLOCKED = 1, ///< proved: at some time there is
    GRAZE_PLANAR_LEG_OPEN = 2     ///< contact or a gap below what was looked at
} graze_planar_leg;

/// Judges the motion from one configuration to another, all of q changing evenly with time. The
/// middle of a stretch of it is looked at: where every distance there is above what it may change
/// by in half the stretch, plus rounding, the stretch is free; where shapes overlap by more than
/// rounding, it is blocked; otherwise both halves are looked at, down to `resolution`.
/// @param from,to    configurations
/// @param resolution longest way of a point of the arm in what is not split any more, metres, > 0
/// @param verdict    [out] OPEN on failure
/// @return as graze_planar_arm_place(). Any thread; no allocation.
/// Cost: graze_planar_arm_clearance() at few places in free space, at worst at the longest way of a
/// point over the resolution.
/// Source: conservative advancement, after Mirtich (1996) and Schwarzer, Saha and Latombe (2005,
/// "Adaptive dynamic collision checking").
GRAZE_API graze_status graze_planar_arm_motion(const graze_planar_arm_scene *scene,
                                               const double *from, const double *to,
                                               double resolution, graze_planar_leg *verdict,
                                               graze_error *error);

// ------------------------------------------------------------------------------------------ paths

/// Where a body is: its reference point, and its heading; a configuration of a rigid body.
typedef struct graze_planar_pose {
    double x, y, heading;
} graze_planar_pose;

typedef enum graze_planar_path_outcome {
    GRAZE_PLANAR_PATH_FOUND = 0,
    GRAZE_PLANAR_PATH_START_BLOCKED = 1, ///< blocked, or too near to contact to be proved free
    GRAZE_PLANAR_PATH_GOAL_BLOCKED = 2,
    GRAZE_PLANAR_PATH_NONE = 3 ///< none over these cells; which is no proof that there is none
} graze_planar_path_outcome;

/// A path: every motion from a pose to the next is GRAZE_PLANAR_LEG_FREE, or stays in cells of the
/// map that are proved free. The first pose is the start, the last the goal (its heading up to
/// whole turns). Of two joints: x and y are theirs, the heading is 0.
typedef struct graze_planar_path {
    graze_planar_path_outcome outcome;
    graze_planar_pose *poses; ///< pose_count; NULL unless found
    size_t pose_count;
    double length;                 ///< of the ways in x and y, metres, or radians of joints
    double turned;                 ///< radians
    graze_planar_arm_pair blocker; ///< what meets at a blocked start or goal
    uint64_t reached; ///< cells, or states of the lattice, that the search went through
    uint64_t judged;  ///< motions
} graze_planar_path;

/// Plans a path of two joints: A* through cells of the map that are proved free, then shortened.
/// Angles are numbers, not directions: the path does not leave the grid, and turns no joint past
/// its ends.
/// @param map        of graze_planar_arm_map(), certified, of the same question
/// @param start,goal of the two joints, within the map
/// @param path       [out] free with graze_planar_path_free()
/// @return GRAZE_OK, also without a path; as graze_planar_arm_map(). Any thread. Allocates.
/// Cost: the cells, and graze_planar_arm_motion() some dozens of times.
GRAZE_API graze_status graze_planar_arm_plan(const graze_planar_arm_scene *scene,
                                             const graze_cspace *map, graze_vec2 start,
                                             graze_vec2 goal, graze_planar_path *path,
                                             graze_error *error);

/// Obtain from graze_planar_drive_options_default(), then change fields.
typedef struct graze_planar_drive_options {
    uint32_t struct_size;
    uint32_t cells;    ///< lattice points per edge of the map, 2 to 500; default 40
    double size;       ///< edge of the map, a square from (0, 0), metres; default 2
    double turn_cost;  ///< what a radian of turning costs, metres, >= 0; default 0.1
    double resolution; ///< of graze_planar_arm_motion(), metres; default 0: 2^-20 of the map
} graze_planar_drive_options;

/// Writes the defaults of graze_planar_drive_options into a structure of `size` bytes, the caller's
/// size of it: what graze_planar_drive_options_default() calls, so that programs compiled against a
/// shorter one stay right. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_planar_drive_options_init(graze_planar_drive_options *options, size_t size);

/// The default options of a drive. Any thread. Allocates nothing. Cost: constant.
static inline graze_planar_drive_options graze_planar_drive_options_default(void) {
    graze_planar_drive_options options;
    graze_planar_drive_options_init(&options, sizeof options);
    return options;
}

/// Plans a path of a body that drives forward and backward along its heading and turns in place: A*
/// on a lattice of places and eight headings, with start and goal joined by turn, drive, turn; then
/// stretches of it are replaced by a single turn, drive, turn where that is free. Neighbours of the
/// answer differ in place, along the heading (to 2^-40 rad) or against it, or in heading alone.
/// @param scene   one link on a base that drives
/// @param options NULL: the defaults
/// @param path    [out] free with graze_planar_path_free()
/// @return GRAZE_OK, also when there is no path; GRAZE_ERROR_ARGUMENT; GRAZE_ERROR_RANGE;
///         GRAZE_ERROR_NO_MEMORY. Any thread.
/// Allocates. Cost: lattice states times graze_planar_arm_motion().
GRAZE_API graze_status graze_planar_drive_plan(const graze_planar_arm_scene *scene,
                                               const graze_planar_pose *start,
                                               const graze_planar_pose *goal,
                                               const graze_planar_drive_options *options,
                                               graze_planar_path *path, graze_error *error);

/// Frees what is in a path; NULL is allowed. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_planar_path_free(graze_planar_path *path);

#ifdef __cplusplus
}
#endif

#endif
