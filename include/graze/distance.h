/// @file distance.h
/// How far the robot is from itself and from its world: certified bounds of the distance, the pair,
/// and the points where it is nearest. docs/distance.md has the statement and its derivation.
#ifndef GRAZE_DISTANCE_H
#define GRAZE_DISTANCE_H

#include "check.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Everything that a query of distances writes to; one per thread. It changes speed, never results.
typedef struct graze_distance_workspace graze_distance_workspace;

/// Bounds: lower <= x <= upper, in real arithmetic.
typedef struct graze_interval {
    double lower, upper;
} graze_interval;

/// Which distances are wanted.
typedef enum graze_distance_answer {
    GRAZE_DISTANCE_LEAST = 0,   ///< the least of all pairs, and the pair
    GRAZE_DISTANCE_BOUND = 1,   ///< the least, with a lower bound of at least 0.9 of the upper one
                                ///< (or as near as `accuracy`): the cheapest, without room for a
                                ///< pair, whose points need not be known then, most of all
    GRAZE_DISTANCE_PAIRS = 2,   ///< every pair that is no farther apart than `threshold`
    GRAZE_DISTANCE_NEAREST = 3, ///< the report's `capacity` nearest pairs
} graze_distance_answer;

/// How distances are sought. Obtain from graze_distance_options_default(), then change fields.
typedef struct graze_distance_options {
    uint32_t struct_size;         ///< set by the default; do not change
    graze_distance_answer answer; ///< default GRAZE_DISTANCE_LEAST
    double threshold;  ///< metres, at least 0: of what is farther apart nothing more is said;
                       ///< default INFINITY
    double accuracy;   ///< metres, at least 0: bounds may be so far apart; 0, the default: to
                       ///< rounding, 2e-10 m while shapes span less than 400 m
    uint64_t budget;   ///< most nodes and triangles visited; spent: bounds hold, but are wide, and
                       ///< pairs may be missing; 0, the default: no limit
    uint32_t depth;    ///< 1: of pairs that overlap the depth, too; default 0
    uint32_t reserved; ///< 0
} graze_distance_options;

/// Writes the defaults of graze_distance_options into a structure of `size` bytes, the caller's
/// size of it: what graze_distance_options_default() calls. Any thread. Allocates nothing. Cost:
/// O(1).
GRAZE_API void graze_distance_options_init(graze_distance_options *options, size_t size);

/// The defaults. Any thread. Allocates nothing. Cost: O(1).
static inline graze_distance_options graze_distance_options_default(void) {
    graze_distance_options options;
    graze_distance_options_init(&options, sizeof options);
    return options;
}

/// Two links, or a link and an object, and how far apart they are. The library fills it; it may
/// grow.
typedef struct graze_proximity {
    graze_contact_kind kind; ///< GRAZE_CONTACT_SELF or GRAZE_CONTACT_WORLD
    int32_t link;            ///< the earlier link
    int32_t element;         ///< the nearest of its collision elements, 0-based within the link
    int32_t other;           ///< link (self) or object (world) index
    int32_t other_element;   ///< element of the other link; point index for points; else 0
    int64_t triangle;        ///< of the element, index in file order; -1 for sphere, cylinder,
                             ///< capsule, and of an overlap where the least is wanted
    int64_t other_triangle;  ///< likewise; a box has 12
    graze_interval distance; ///< metres; margins are not subtracted; overlap: 0, up to what a
                             ///< verdict on curved shapes leaves open (docs/shapes.md)
    graze_vec3 point[2];     ///< world frame: a point of each, the link's first, as far apart as
                             ///< `upper` but for rounding; overlap: where they meet, twice, or 0 as
                             ///< the answer is GRAZE_DISTANCE_LEAST or _BOUND
    graze_vec3 normal;       ///< unit, from the link to the other; 0 where there is none, as they
                             ///< overlap
    bool overlap;            ///< the pair collides, as graze_check() says at margin 0
    bool contained; ///< the surfaces are apart: one lies inside the other, which is closed; as
                    ///< the answer is GRAZE_DISTANCE_LEAST or _BOUND this is not looked at
    bool smooth; ///< where derivatives are wanted: they are those of the distance; false where they
                 ///< may be one-sided, as more than one pair of points is nearest, but for a
                 ///< micrometre or features that are parallel but for 1e-5
    graze_interval depth; ///< of an overlap, where wanted: metres, of the shortest translation that
                          ///< parts the two elements; 0 else. The lower bound is how deep a point
                          ///< inside both is in them, 0 for curved shapes
    graze_vec3 escape;    ///< moved by that, as long as the upper bound, the other's element is
                          ///< free, as tests prove: world axes; 0 else
} graze_proximity;

/// What was found. Fill the fields that say so.
typedef struct graze_distance_report {
    graze_proximity *pairs; ///< [in] room for `capacity` pairs; may be NULL
    size_t capacity;        ///< [in]
    double *by_q;    ///< [in] room for `capacity` rows of graze_robot_q_size() numbers, or NULL: d
                     ///< distance / d q of each pair, metres per unit of the column; of the numbers
                     ///< of a quaternion as graze_robot_jacobian(); overlap: 0
    double *by_base; ///< [in] likewise rows of 6, or NULL: by the base's velocity, m/m, and angular
                     ///< velocity, m/rad, along and about the world's axes, at the base's origin
    size_t count;    ///< pairs found; written are min(count, capacity): one for
                     ///< GRAZE_DISTANCE_LEAST and _BOUND, all within the threshold in the order of
                     ///< checks (links, then objects), or the nearest, least upper bound first;
                     ///< bounds in one cell of a grid of 2^-34 m count as equal, and the order of
                     ///< checks decides
    bool truncated;  ///< count > capacity
    bool spent;      ///< the budget ran out
    graze_interval least;  ///< of all pairs that are checked; of nothing within the threshold: from
                           ///< `threshold` to INFINITY
    size_t proximity_size; ///< graze_distance() writes it: bytes of one of the pairs
    graze_stats stats;     ///< of this call
} graze_distance_report;

/// Makes what one thread at a time needs for distances under a checker; of a checker of a scene
/// (scene.h) for the version that a view holds.
/// @param out [out] NULL on failure; free with graze_distance_workspace_free(), before the checker
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL); GRAZE_ERROR_UNSUPPORTED (a checker of
///         GRAZE_LEVEL_BOUNDS); GRAZE_ERROR_NO_MEMORY
/// Any thread. Allocates all that queries will need. Cost: O(links + pairs), and the distances of
/// pairs that no joint moves. Nullable: error.
GRAZE_API graze_status graze_distance_workspace_create(graze_distance_workspace **out,
                                                       const graze_checker *checker,
                                                       graze_error *error);

/// Frees a workspace; NULL is allowed. Any thread, while no query uses it. Allocates nothing. Cost:
/// O(1).
GRAZE_API void graze_distance_workspace_free(graze_distance_workspace *workspace);

/// graze_distance() for a caller whose structures have these sizes.
/// @return as there. One thread per workspace. Allocates nothing. Cost: as there.
GRAZE_API graze_status graze_distance_sized(const graze_checker *checker,
                                            graze_distance_workspace *workspace, const double *q,
                                            size_t q_count, const double *base,
                                            const graze_distance_options *options,
                                            graze_distance_report *report, size_t report_size,
                                            size_t proximity_size, graze_error *error);

/// Finds how far apart the pairs are that the checker checks: links with links, links with objects.
/// Bounds hold for the snapped shapes that verdicts are about (docs/contract.md); a real pose is
/// within graze_checker_epsilon() of them. A boundary of the world is no object.
/// @param q       q_count = graze_robot_q_size() numbers, see graze_robot_pose()
/// @param base    x y z roll pitch yaw, m and rad; NULL: the identity
/// @param options NULL: the defaults
/// @param report  [in,out] on any error `least` is 0 to INFINITY, without pairs
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, wrong length, options not initialised, no such
///         answer, the workspace of another checker); GRAZE_ERROR_RANGE (q or base as
///         graze_robot_pose(), threshold or accuracy)
/// The same report on every machine, whatever the workspace did before; but GRAZE_DISTANCE_BOUND
/// may differ between instruction sets, and by whether there is room for a pair; and with an
/// accuracy above 0 or a budget only bounds hold.
/// One thread per workspace. Allocates nothing. Nullable: base, options, error. Cost: some tens of
/// microseconds for robots with meshes. Source: Larsen, Gottschalk, Lin and Manocha (1999), "Fast
/// proximity queries with swept sphere volumes", for branch and bound on two trees; bounds and
/// their order are graze's own.
static inline graze_status graze_distance(const graze_checker *checker,
                                          graze_distance_workspace *workspace, const double *q,
                                          size_t q_count, const double *base,
                                          const graze_distance_options *options,
                                          graze_distance_report *report, graze_error *error) {
    return graze_distance_sized(checker, workspace, q, q_count, base, options, report,
                                sizeof *report, sizeof(graze_proximity), error);
}

/// A clearance that has derivatives where the least distance has none: where another pair becomes
/// the nearest. The library fills it; it may grow.
typedef struct graze_smooth_clearance {
    double value;        ///< metres; above it `least` is by at most temperature ln(count + 1), and
                         ///< below it by at most 0.46 temperature
    double least;        ///< min(threshold, the least distance), to 2e-10 m; overlap: 0
    size_t count;        ///< pairs within the threshold
    bool differentiable; ///< the derivatives are those of `value`: `smooth` of all these pairs
} graze_smooth_clearance;

/// graze_distance_smooth() for a caller whose graze_smooth_clearance has `size` bytes.
/// @return as there. One thread per workspace. Allocates nothing. Cost: as there.
GRAZE_API graze_status
graze_distance_smooth_sized(const graze_checker *checker, graze_distance_workspace *workspace,
                            const double *q, size_t q_count, const double *base, double threshold,
                            double temperature, graze_smooth_clearance *clearance, size_t size,
                            double *by_q, double *by_base, graze_error *error);

/// A soft least distance of all pairs that are checked, for optimisation by gradients: -temperature
/// ln(sum over pairs of exp(-distance / temperature)), cut off at a threshold so that a pair enters
/// and leaves with its derivative (docs/distance.md has the formula and its bounds). Pairs
/// that nothing moves do not count: no joint, and without `by_base` the base neither. Where pairs
/// overlap it is no guide out: their distance is 0, whatever the depth.
/// @param q           q_count = graze_robot_q_size() numbers, see graze_robot_pose()
/// @param base        x y z roll pitch yaw, m and rad; NULL: the identity
/// @param threshold   metres, above 0: pairs that are farther apart do not count
/// @param temperature metres, at least threshold / 600: over what differences of distance pairs are
///                    weighed
/// @param clearance   [out] 0 on any error
/// @param by_q        [out] graze_robot_q_size() derivatives of `value`, metres per unit of the
///                    column; of the numbers of a quaternion as graze_robot_jacobian(); or NULL
/// @param by_base     [out] 6, as graze_distance_report; or NULL
/// @return as graze_distance(); GRAZE_ERROR_RANGE also for threshold and temperature
/// The same but for the rounding of the C library's exp() and log(). One thread per workspace.
/// Allocates nothing. Nullable: base, by_q, by_base, error. Cost: that of GRAZE_DISTANCE_PAIRS
/// within the threshold, with derivatives.
static inline graze_status
graze_distance_smooth(const graze_checker *checker, graze_distance_workspace *workspace,
                      const double *q, size_t q_count, const double *base, double threshold,
                      double temperature, graze_smooth_clearance *clearance, double *by_q,
                      double *by_base, graze_error *error) {
    return graze_distance_smooth_sized(checker, workspace, q, q_count, base, threshold, temperature,
                                       clearance, sizeof *clearance, by_q, by_base, error);
}

/// The least distances of many configurations. Obtain from graze_distance_batch_default(), then set
/// the fields.
typedef struct graze_distance_batch {
    uint32_t struct_size;                  ///< set by the default; do not change
    uint32_t threads;                      ///< default 1; 0 = one per processor
    size_t count;                          ///< configurations
    const double *q;                       ///< rows of graze_robot_q_size() numbers
    const double *base;                    ///< rows of 6, or NULL: the identity for all
    const graze_distance_options *options; ///< of each; NULL: the defaults. The answer is
                                           ///< GRAZE_DISTANCE_LEAST or _BOUND
    graze_interval *bounds;                ///< [out] count bounds of the least distance
    graze_proximity *nearest;   ///< [out] count pairs, link -1 where there is none; may be NULL
    double *by_q;               ///< [out] rows of graze_robot_q_size() derivatives; may be NULL
    const volatile int *cancel; ///< checked before each 16 rows; may be NULL
} graze_distance_batch;

/// Writes the defaults of graze_distance_batch into a structure of `size` bytes, the caller's size
/// of it: what graze_distance_batch_default() calls. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_distance_batch_init(graze_distance_batch *options, size_t size);

/// A batch without configurations: one thread, default options. Any thread. Allocates nothing.
/// Cost: O(1).
static inline graze_distance_batch graze_distance_batch_default(void) {
    graze_distance_batch options;
    graze_distance_batch_init(&options, sizeof options);
    return options;
}

/// Finds the least distance of many configurations; each has the result of graze_distance(), with
/// room for a pair where pairs or derivatives are wanted, whatever the threads.
/// @return GRAZE_OK; the first row (lowest index) that failed decides the error, whose element is
///         "row N" (0-based); the others are still measured. GRAZE_ERROR_ARGUMENT also for another
///         answer; GRAZE_ERROR_CANCELLED. What is not done, or failed, is 0 to INFINITY
/// Any thread. Allocates a workspace for each thread. Cost: rows times that of graze_distance().
/// Nullable: error.
GRAZE_API graze_status graze_distance_batch_run(const graze_checker *checker,
                                                const graze_distance_batch *batch,
                                                graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
