/// @file planar_cspace.h
/// Configuration space in the plane: obstacles of a translating polygon as exact Minkowski sums and
/// as a map; and paths of a rigid body that drives along its axis and turns in place, certified
/// free. Arms are in planar_arm.h.
///
/// Metres, radians, one frame. Coordinates of polygons as in planar_scene.h.
#ifndef GRAZE_PLANAR_CSPACE_H
#define GRAZE_PLANAR_CSPACE_H

#include "planar_scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------- a polygon that moves

/// A rigid body: a simple polygon, with or without holes, as convex parts, about its reference
/// point, the origin of its frame. Immutable: shared freely by threads. Free with
/// graze_planar_body_free().
typedef struct graze_planar_body graze_planar_body;

/// Makes a body of a simple polygon, with or without holes; it is split into convex parts as
/// graze_planar_decompose() does.
/// @param body [out] NULL on failure
/// @param xy,loop_sizes,loop_count as there
/// @return GRAZE_OK; as graze_planar_decompose().
/// Free with graze_planar_body_free(). Any thread. Allocates. Cost: as graze_planar_decompose().
GRAZE_API graze_status graze_planar_body_create(graze_planar_body **body, const double *xy,
                                                const size_t *loop_sizes, size_t loop_count,
                                                graze_error *error);

/// The body turned about its reference point. Vertices are rounded once; where rounding bends a
/// part inward, its hull is taken. Exact for quarter turns given as 0 and +-1.
/// @param c,s cosine and sine of the heading: c^2 + s^2 = 1 up to 1e-9
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT; GRAZE_ERROR_RANGE; GRAZE_ERROR_NO_MEMORY.
/// Free with graze_planar_body_free(). Any thread. Allocates. Cost: O(vertices).
GRAZE_API graze_status graze_planar_body_turned(graze_planar_body **turned,
                                                const graze_planar_body *body, double c, double s,
                                                graze_error *error);

/// Frees a body; NULL is allowed. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_planar_body_free(graze_planar_body *body);

/// The number of convex parts of a body; 0 for NULL. Any thread. Allocates nothing. Cost: constant.
GRAZE_API size_t graze_planar_body_part_count(const graze_planar_body *body);

/// A part of a body, living as long as it; NULL where there is none. Any thread. Allocates nothing.
/// Cost: constant.
GRAZE_API const graze_planar_convex *graze_planar_body_part(const graze_planar_body *body,
                                                            size_t index);
/// The largest distance of a point of the body from its reference point, rounded up; 0 for NULL.
/// Any thread. Allocates nothing. Cost: constant.
GRAZE_API double graze_planar_body_reach(const graze_planar_body *body);

/// A vertex of an obstacle in configuration space: vertex `obstacle` minus vertex `robot`, exactly;
/// `point` is that difference, each coordinate rounded once.
typedef struct graze_planar_cspace_vertex {
    graze_vec2 point;
    int32_t obstacle, robot;
} graze_planar_cspace_vertex;

/// The obstacle that a convex part, translating at a fixed heading, makes of a convex obstacle: the
/// places of its reference point where they meet, obstacle + (-part). Convex, counter-clockwise
/// from the lowest vertex; parallel edges are joined, by exact comparison of angles.
/// @param vertices [out] room for obstacle->count + part->count
/// @param count    [out]
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT.
/// Any thread; no allocation. Cost: proportional to the vertices of both. Source: de Berg et al.,
/// Computational Geometry (2008), section 13.3.
GRAZE_API graze_status graze_planar_cspace_obstacle(const graze_planar_convex *obstacle,
                                                    const graze_planar_convex *part,
                                                    graze_planar_cspace_vertex *vertices,
                                                    size_t *count, graze_error *error);

/// Whether the part, translated by `at`, meets the obstacle. Exact, without rounding the translated
/// vertices: the same as whether `at` lies in the obstacle of the configuration space. True for
/// what cannot be judged (NULL, NaN). Any thread; no allocation.
/// @param at coordinates 0 or of magnitude 2^-100 to 2^100
/// Cost: O(vertices).
GRAZE_API bool graze_planar_cspace_blocked(const graze_planar_convex *obstacle,
                                           const graze_planar_convex *part, graze_vec2 at);

/// A grid over a rectangle: cell (column, row) has its middle at
/// min + ((column + 1/2) (max - min).x / columns, (row + 1/2) (max - min).y / rows).
typedef struct graze_planar_grid {
    graze_vec2 min, max;
    int32_t columns, rows; ///< 1 to 65536 each
} graze_planar_grid;

/// The middle of a cell, as maps compute it. Any thread.
/// Allocates nothing. Cost: constant.
GRAZE_API graze_vec2 graze_planar_grid_middle(const graze_planar_grid *grid, int32_t column,
                                              int32_t row);

/// What maps say of a cell: the numbers of graze_cspace_state.
enum {
    GRAZE_PLANAR_CELL_FREE = 0,              ///< its middle is free
    GRAZE_PLANAR_CELL_FREE_CERTIFIED = 1,    ///< proved: all of it is free
    GRAZE_PLANAR_CELL_BLOCKED = 2,           ///< its middle is blocked
    GRAZE_PLANAR_CELL_BLOCKED_CERTIFIED = 3, ///< proved: all of it is blocked
    GRAZE_PLANAR_CELL_OPEN = 255 ///< its middle is nearer to contact than the error bound
};

/// The map of a translating body: whether it meets a polygon of the scene, its reference point in
/// the middle of each cell. Exact: no cell is open.
/// @param body      at its heading: see graze_planar_body_turned()
/// @param certified prove of whole cells what can be proved: a cell is free where the body grown by
///                  it is, and blocked where one part meets one polygon from all of its corners
/// @param cells     [out] rows * columns of GRAZE_PLANAR_CELL_..., row by row from the lowest y
/// @param parts     [out] per cell the first part of the body that is blocked in its middle, -1 for
///                  none. NULL: not wanted
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT; GRAZE_ERROR_RANGE; GRAZE_ERROR_NO_MEMORY. Any thread.
/// Allocates. Cost: cells times the parts and the polygons that may meet in their row.
GRAZE_API graze_status graze_planar_cspace_map(const graze_planar_scene *scene,
                                               const graze_planar_body *body,
                                               const graze_planar_grid *grid, bool certified,
                                               uint8_t *cells, int32_t *parts, graze_error *error);

// ------------------------------------------------------------------------------------- driving

/// Where a body is: its reference point, and its heading. Coordinates at most 2^50, headings at
/// most 2^10 in magnitude.
typedef struct graze_planar_pose {
    double x, y, heading;
} graze_planar_pose;

typedef enum graze_planar_leg {
    GRAZE_PLANAR_LEG_FREE = 0,    ///< proved: at no time of the motion is there contact
    GRAZE_PLANAR_LEG_BLOCKED = 1, ///< proved: at some time there is
    GRAZE_PLANAR_LEG_OPEN = 2     ///< contact or a gap below what was looked at
} graze_planar_leg;

/// Judges the motion from one pose to another, position and heading changing evenly with time. The
/// middle of a stretch of it is looked at: where the gap there is above half the longest way of a
/// point of the body, plus rounding, the stretch is free; where parts overlap by more than
/// rounding, it is blocked; otherwise both halves are looked at, down to `resolution`.
/// @param scene      the polygons; its map's border is a wall for `walls` other than 0
/// @param resolution longest way of a point of the body in what is not split any more, metres, > 0
/// @param verdict    [out] OPEN on failure
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT; GRAZE_ERROR_RANGE. Any thread; no allocation.
/// Cost: gaps of all polygons near the body, at few poses in free space, and at worst (along
/// a contact) at 4 times the longest way of a point over the resolution.
/// Source: conservative advancement, after Mirtich (1996) and Schwarzer, Saha and Latombe (2005,
/// "Adaptive dynamic collision checking").
GRAZE_API graze_status graze_planar_leg_judge(const graze_planar_scene *scene, int walls,
                                              const graze_planar_body *body,
                                              const graze_planar_pose *from,
                                              const graze_planar_pose *to, double resolution,
                                              graze_planar_leg *verdict, graze_error *error);

/// Obtain from graze_planar_drive_options_default(), then change fields.
typedef struct graze_planar_drive_options {
    uint32_t struct_size;
    uint32_t cells;    ///< lattice points per edge of the map, 2 to 500; default 40
    uint32_t walls;    ///< 1: the map's border is a wall; default 1
    double turn_cost;  ///< what a radian of turning costs, metres, >= 0; default 0.1
    double resolution; ///< of graze_planar_leg_judge(), metres; default 0: 2^-20 of the map
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

typedef enum graze_planar_drive_outcome {
    GRAZE_PLANAR_DRIVE_FOUND = 0,
    GRAZE_PLANAR_DRIVE_START_BLOCKED = 1, ///< blocked, or too near to contact to be proved free
    GRAZE_PLANAR_DRIVE_GOAL_BLOCKED = 2,
    GRAZE_PLANAR_DRIVE_NONE = 3 ///< none on this lattice; which is no proof that there is none
} graze_planar_drive_outcome;

/// A path: poses of which neighbours differ in place, along the heading (to 2^-40 rad) or against
/// it, or in heading alone. The first is the start, the last the goal up to whole turns.
typedef struct graze_planar_drive {
    graze_planar_drive_outcome outcome;
    graze_planar_pose *poses; ///< pose_count; NULL unless found
    size_t pose_count;
    double length;     ///< driven, metres
    double turned;     ///< radians
    uint64_t expanded; ///< lattice states
    uint64_t judged;   ///< motions
    int64_t blocker;   ///< of a blocked start or goal: the polygon that the body is nearest to, or
                       ///< overlaps deepest; -1: the map's border
} graze_planar_drive;

/// Plans a path of a body that drives forward and backward along its heading and turns in place: A*
/// on a lattice of places and eight headings, with start and goal joined by turn, drive, turn; then
/// stretches of it are replaced by a single turn, drive, turn where that is free. Every motion of
/// the answer is GRAZE_PLANAR_LEG_FREE.
/// @param options NULL: the defaults
/// @param drive   [out] free with graze_planar_drive_free()
/// @return GRAZE_OK, also when there is no path; GRAZE_ERROR_ARGUMENT; GRAZE_ERROR_RANGE;
///         GRAZE_ERROR_NO_MEMORY. Any thread.
/// Allocates. Cost: lattice states times graze_planar_leg_judge().
GRAZE_API graze_status graze_planar_drive_plan(const graze_planar_scene *scene,
                                               const graze_planar_body *body,
                                               const graze_planar_pose *start,
                                               const graze_planar_pose *goal,
                                               const graze_planar_drive_options *options,
                                               graze_planar_drive *drive, graze_error *error);

/// Frees what is in a drive; NULL is allowed. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_planar_drive_free(graze_planar_drive *drive);

#ifdef __cplusplus
}
#endif

#endif
