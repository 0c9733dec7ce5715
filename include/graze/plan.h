/// @file plan.h
/// Planning: RRT-Connect over any subset of joints and, if wanted, a planar base. What is returned
/// is proved free on its whole way (motion.h).
#ifndef GRAZE_PLAN_H
#define GRAZE_PLAN_H

#include "check.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A way from start to goal: full configurations with base poses. Free with graze_path_free().
typedef struct graze_path graze_path;

/// Why a plan ended. "No path" is never claimed as proved.
typedef enum graze_plan_outcome {
    GRAZE_PLAN_FOUND = 0,
    GRAZE_PLAN_START_COLLIDES = 1, ///< result->contact says with what
    GRAZE_PLAN_GOAL_COLLIDES = 2,
    GRAZE_PLAN_START_LIMITS = 3, ///< result->joint is outside its limits
    GRAZE_PLAN_GOAL_LIMITS = 4,
    GRAZE_PLAN_ITERATIONS = 5, ///< iteration budget spent
    GRAZE_PLAN_TIME = 6,       ///< time budget spent
    GRAZE_PLAN_CANCELLED = 7,
    GRAZE_PLAN_UNREACHABLE = 8 ///< start and goal differ in result->joint, which is not planned
} graze_plan_outcome;

/// Where the samples of the search for a first path, and of detours, come from.
typedef enum graze_plan_sampler {
    GRAZE_PLAN_SAMPLER_RANDOM = 0, ///< random numbers of the seed, uniform
    GRAZE_PLAN_SAMPLER_HALTON = 1 ///< the Halton sequence (Halton 1960) in the first primes, digits
                                  ///< permuted (Faure 1992), from a place on that the seed chooses:
                                  ///< more even than random numbers are; rotations from three
                                  ///< numbers (Shoemake 1992)
} graze_plan_sampler;

/// A node that a tree of the search has got. The nodes of a tree are numbered as they come, from 0.
typedef struct graze_plan_node {
    int32_t tree;       ///< 0: the start's, 1: the goal's
    int32_t parent;     ///< number of a node of this tree; -1: it is the root
    const double *q;    ///< graze_robot_q_size() numbers; valid during the call
    const double *base; ///< x y z roll pitch yaw; likewise
} graze_plan_node;

/// Obtain from graze_plan_options_default(), then change fields.
typedef struct graze_plan_options {
    uint32_t struct_size;
    uint32_t planar_base;   ///< 1: the base's x, y and yaw are planned too
    const int32_t *columns; ///< columns of q to plan, or NULL: all but passive joints (of the
                            ///< SRDF) where start and goal agree; of a floating joint's
                            ///< quaternion all four or none
    size_t column_count;
    double base_min[2];      ///< planar base: sampling range of x and y, metres; where min > max,
    double base_max[2];      ///< the world's boundary, or a box about start and goal, is used
    double step;             ///< longest extension, in the metric (rad and m alike); default 1.0
    double resolution;       ///< distance between checked configurations on an edge, in the metric;
                             ///< default 0.05
    uint64_t seed;           ///< default 1
    uint64_t max_iterations; ///< samples and detours; default 1,000,000
    double max_seconds;      ///< default 10; infinity allowed
    uint32_t shortcut_rounds; ///< default 800; 0 = the raw path
    uint32_t recheck; ///< a path that is not to be proved free, or cannot be, is looked at once
                      ///< more at resolution / recheck before it is returned, and repaired where
                      ///< needed; default 100; 0 or 1 = not
    uint32_t threads; ///< for edge batches; default 1; never changes the result
    const volatile int *cancel;
    uint32_t
        certify; ///< 1 (default): each motion of the path is proved free (graze_check_motion())
                 ///< before it is returned, and repaired where it is not; 0: not
    uint32_t sampler; ///< a graze_plan_sampler; default GRAZE_PLAN_SAMPLER_RANDOM
    void (*on_node)(
        void *user,
        const graze_plan_node *node); ///< called for each node of the search, not for those of
                                      ///< repairs, by the thread that plans; NULL (default): not
    void *on_node_user;
    uint64_t improve_iterations; ///< samples to draw for shorter paths once there is one; default
                                 ///< 0: the first is kept. UINT64_MAX: until max_seconds are over
    double good_length; ///< a path of this length or less, in the metric, is not improved; default
                        ///< 0: until no straighter one can be
    double smooth; ///< above 0: result->curve is made, which cuts corners by up to this much, as
                   ///< graze_smooth_path() does with it as `corner`; default 0: not
} graze_plan_options;

/// Writes the defaults of graze_plan_options into a structure of `size` bytes, the caller's size of
/// it: what graze_plan_options_default() calls, so that programs compiled against a shorter one
/// stay right. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_plan_options_init(graze_plan_options *options, size_t size);

/// The default planning options. Any thread. Allocates nothing. Cost: O(1).
static inline graze_plan_options graze_plan_options_default(void) {
    graze_plan_options options;
    graze_plan_options_init(&options, sizeof options);
    return options;
}

typedef struct graze_plan_result {
    graze_plan_outcome outcome;
    graze_path *path;    ///< NULL unless found
    int32_t joint;       ///< for the LIMITS outcomes and UNREACHABLE; -1 = the base
    uint64_t iterations; ///< samples drawn and detours begun
    uint64_t configurations_checked;
    uint64_t edges_checked;
    size_t tree_size[2]; ///< nodes of the start's and the goal's tree
    double seconds;    ///< wall time; it, first_seconds and proof_seconds alone differ between runs
    double length_raw; ///< in the metric, before shortcutting
    double length;
    graze_contact contact;   ///< for START_COLLIDES and GOAL_COLLIDES
    uint64_t motions_proved; ///< proofs that were tried
    bool
        certified; ///< each motion of the path is proved free, as GRAZE_MOTION_FREE says. False
                   ///< without a path, where that was not wanted, where the start or the goal is
                   ///< within about a micrometre of its margin, outside of the checker's domain,
                   ///< and for a checker of which graze_motion_workspace_create() can prove nothing
    double first_seconds;        ///< of `seconds`, until there was a path; 0 where none was found
    double proof_seconds;        ///< of `seconds`, for proofs and repairs of the shortened path
    double length_first;         ///< of the first path, shortened and proved; 0 without one
    uint64_t improve_iterations; ///< samples drawn for shorter paths
    uint64_t improvements;       ///< how often a shorter path was found
    struct graze_trajectory *curve; ///< the path smoothed, its time the length, proved free; NULL
                                    ///< where that was not wanted, where the path is not certified,
                                    ///< where the rotation of a floating joint changes, and where
                                    ///< two waypoints in a row are the same. Free with
                                    ///< graze_trajectory_free()
    size_t smooth_corners;          ///< of the path, that the curve cuts
    size_t sharp_corners;           ///< that it has left
} graze_plan_result;

/// graze_plan() for a caller whose graze_plan_result has `size` bytes.
/// @return as there. Any thread. Allocates. Cost: as there.
GRAZE_API graze_status graze_plan_sized(const graze_checker *checker, const double *start,
                                        const double *start_base, const double *goal,
                                        const double *goal_base, const graze_plan_options *options,
                                        graze_plan_result *result, size_t size, graze_error *error);

/// Plans from start to goal with RRT-Connect (Kuffner and LaValle 2000), then shortcuts, then
/// proves each motion of the path free and finds a detour for those that are not. Continuous joints
/// and the base's yaw take the shorter way round; but a joint that others mimic which a full turn
/// does not bring back (slides, joints with limits, gears of no whole ratio) goes straight.
/// With improve_iterations, rounds of RRT-Connect follow in which only what may be part of a
/// shorter path is kept, each edge proved: the length tends to the least, and is never above
/// length_first (as AORRTC: Wilson, Thomason, Kingston and Gammell 2025).
/// @param start,goal           graze_robot_q_size() numbers each
/// @param start_base,goal_base x y z roll pitch yaw, or NULL for the identity
/// @param result               [out] free result->path with graze_path_free(), and result->curve
///                             with graze_trajectory_free(), before the checker's robot
/// @return GRAZE_OK also when no path was found; GRAZE_ERROR_ARGUMENT, _RANGE, _UNSUPPORTED (part
/// of
///         a quaternion), _NO_MEMORY otherwise; then the outcome means nothing
/// The first that applies is reported: the start's limits, the goal's, the start's collision, the
/// goal's, unreachable. Limits are judged for every joint that has columns in q.
/// Waypoints keep to the limits. The first and the last are start and goal bit for bit (but for
/// planned quaternions, which come back normalised); between them, angles of continuous joints and
/// the yaw are in [-pi, pi], so that two waypoints may be neighbours across that seam.
/// The time limit ends the search, the shortening and the improvement; a path that was found is
/// still proved.
/// The same options and inputs give the same path, for any number of threads, unless time runs out.
/// Any thread. Nullable: start_base, goal_base, options, error.
/// Allocates. Cost: that of the checks, within max_seconds and max_iterations.
static inline graze_status graze_plan(const graze_checker *checker, const double *start,
                                      const double *start_base, const double *goal,
                                      const double *goal_base, const graze_plan_options *options,
                                      graze_plan_result *result, graze_error *error) {
    return graze_plan_sized(checker, start, start_base, goal, goal_base, options, result,
                            sizeof *result, error);
}

/// Draws a start for the last exercise of KinEval: planning from a random free configuration, base
/// included, to the rest configuration at the world's origin. Base x, y and yaw are uniform in the
/// world's boundary and [-pi, pi), joints uniform in their limits ([-pi, pi) where they have none),
/// passive ones at rest;
/// drawn again until free and until the base, with the arm at rest, can be driven from there to the
/// origin on a grid of x, y and yaw whose every place is checked. The space of positions is
/// so connected as far as the grid can see; that the arm can unfold there is not tested.
/// @param q    [out] graze_robot_q_size() numbers
/// @param base [out] x y z roll pitch yaw
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, no world, no boundary); GRAZE_ERROR_SCHEMA when
///         the rest configuration at the origin is not free; GRAZE_ERROR_LIMIT when no start was
///         found among 100,000; GRAZE_ERROR_NO_MEMORY
/// The same seed gives the same start. Any thread. Nullable: error.
/// Allocates. Cost: up to 100,000 draws and a search of the floor.
GRAZE_API graze_status graze_plan_kineval_start(const graze_checker *checker, uint64_t seed,
                                                double *q, double base[6], graze_error *error);

/// The number of waypoints of a path, at least 2. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API size_t graze_path_count(const graze_path *path);

/// Waypoint i: graze_robot_q_size() numbers, which live as long as the path. NULL when out of
/// range. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API const double *graze_path_q(const graze_path *path, size_t i);

/// The base pose of waypoint i: x y z roll pitch yaw, metres and radians, which live as long as the
/// path. NULL when out of range. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API const double *graze_path_base(const graze_path *path, size_t i);

/// Frees a path; NULL is allowed. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_path_free(graze_path *path);

/// The configuration at parameter t in [0, 1] of the straight motion from waypoint i to i + 1, by
/// the rule the planner checked: continuous joints and yaw the shorter way, rotations of floating
/// joints along the great arc, with t measured along its chord.
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, no waypoint i + 1); GRAZE_ERROR_RANGE (t);
///         GRAZE_ERROR_NO_MEMORY
/// Any thread. Allocates one state. Cost: O(columns).
GRAZE_API graze_status graze_path_interpolate(const graze_path *path, size_t i, double t, double *q,
                                              double base[6]);

/// Into how many equal steps of t the planner cuts the motion from waypoint i to i + 1 when it
/// looks at configurations at most `resolution` > 0 apart; 0 where there is no such motion.
/// Any thread. Allocates nothing. Cost: O(columns).
GRAZE_API uint64_t graze_path_steps(const graze_path *path, size_t i, double resolution);

#ifdef __cplusplus
}
#endif

#endif
