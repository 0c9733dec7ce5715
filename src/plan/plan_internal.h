/// Shared by the files of the planner: its state space, lists of states, edges, nearest neighbours,
/// trees and paths. Only additions, products, square roots and exact remainders are used, so that a
/// plan has the same bits on every machine.
#ifndef GZ_PLAN_PLAN_INTERNAL_H
#define GZ_PLAN_PLAN_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/random.h"
#include "graze/motion.h"
#include "graze/plan.h"
#include "kinematics/space.h"

/// One number of the state and where it lives.
typedef struct gz_axis {
    graze_q_kind kind;
    int32_t column; ///< of q, or -1 - k for number k of the base pose
    int32_t joint;  ///< -1 for the base
    bool limited;   ///< low and high are limits, not only the range of samples
    double low, high;
} gz_axis;

/// The state space: the planned columns of q and of the base as one flat vector, with their metric,
/// interpolation and sampling. All other columns keep the values of the start.
typedef struct gz_plan_space {
    gz_axis *axes;
    size_t dimension;
    bool has_rotation;
    bool has_lines; ///< known to be lines all of them
    size_t q_size;
    double *q_fixed; ///< the start's q: values of the columns that are not planned
    double base_fixed[6];
} gz_plan_space;

/// Makes the space for a start and a goal (finite numbers); NULL bases are the identity.
graze_status gz_plan_space_make(gz_plan_space *space, const graze_checker *checker,
                                const double *start, const double *start_base, const double *goal,
                                const double *goal_base, const graze_plan_options *options,
                                graze_error *error);
void gz_plan_space_free(gz_plan_space *space);
/// A copy that outlives the original; false when out of memory.
bool gz_plan_space_copy(gz_plan_space *out, const gz_plan_space *space);

/// Full configuration to state and back. Reading normalises quaternions and nothing else.
void gz_plan_space_read(const gz_plan_space *space, const double *q, const double base[6],
                        double *state);
void gz_plan_space_write(const gz_plan_space *space, const double *state, double *q,
                         double base[6]);

/// Writes the planned numbers only.
void gz_plan_space_place(const gz_plan_space *space, const double *state, double *q,
                         double base[6]);

/// Uniform within the ranges; angles in [-pi, pi); rotations uniform over all rotations.
void gz_plan_space_sample(const gz_plan_space *space, gz_random *random, double *state);

/// Samples of a space by the Halton sequence, over the ranges of gz_plan_space_sample(). Each
/// number is in [0, 1) before it is scaled, and the double nearest to its fraction, whose numerator
/// and denominator are exact; a rotation takes three.
typedef struct gz_halton gz_halton;

/// From the sample `index` on. The space must outlive the result; NULL when out of memory.
gz_halton *gz_halton_make(const gz_plan_space *space, uint32_t index);
void gz_halton_free(gz_halton *halton);
void gz_halton_next(gz_halton *halton, double *state);

/// The metric: the Euclidean norm of the differences, radians and metres alike; angles the shorter
/// way round; a rotation counts with twice the chord between its quaternions, the nearer sign,
/// which is the angle between them to the first order and never more.
double gz_plan_space_distance(const gz_plan_space *space, const double *a, const double *b);

/// The state at t of the straight motion from a to b; a itself at t <= 0 and b itself at t >= 1.
/// Between the ends angles are normalised into [-pi, pi]; rotations follow the great arc, with t
/// measured along its chord.
void gz_plan_space_interpolate(const gz_plan_space *space, const double *a, const double *b,
                               double t, double *out);

/// Into how many equal steps of t a motion of this length must be cut so that neighbours are at
/// most `resolution` apart.
uint64_t gz_plan_space_steps(const gz_plan_space *space, double distance, double resolution);

/// Whether what is not planned stands elsewhere in a configuration than the space has it; *joint is
/// the first such, -1 for the base.
bool gz_plan_space_differs(const gz_plan_space *space, const graze_robot *robot, const double *q,
                           const double base[6], int32_t *joint);

/// GRAZE_ERROR_RANGE where a number is not finite; `name` is what errors call the configuration.
graze_status gz_plan_check_numbers(const graze_robot *robot, const char *name, const double *q,
                                   const double base[6], graze_error *error);
/// The first column outside its joint's limits, planned or not, as its joint; -1: none.
int32_t gz_plan_violated_joint(const graze_robot *robot, const double *q);

// ------------------------------------------------------------------------------------------ lists

/// A growing list of states, row after row: waypoints of a path, nodes of a tree.
typedef struct gz_state_list {
    double *values;
    size_t dimension, count, capacity;
} gz_state_list;

static inline gz_state_list gz_state_list_make(size_t dimension) {
    return (gz_state_list){.dimension = dimension};
}
void gz_state_list_free(gz_state_list *list);

/// State i. Valid until the list grows.
static inline double *gz_state_list_at(const gz_state_list *list, size_t i) {
    return list->values + i * list->dimension;
}

/// Appends a copy of a state, which must not lie in the list itself; false (nothing changed) when
/// out of memory.
bool gz_state_list_add(gz_state_list *list, const double *state);

/// Replaces the states first .. last - 1 by those of another list; false when out of memory.
bool gz_state_list_replace(gz_state_list *list, size_t first, size_t last, const gz_state_list *by);

/// Reverses the order.
void gz_state_list_reverse(gz_state_list *list);

// ------------------------------------------------------------------------------------------ edges

/// When to stop. Tested between batches of checks.
typedef struct gz_budget {
    double start, max_seconds; ///< monotonic clock
    const volatile int *cancel;
    bool unlimited; ///< ignore the time, not the cancel flag: to finish a path that was found
    bool spent, cancelled; ///< [out] why to stop
} gz_budget;

double gz_monotonic_seconds(void);
/// Whether to stop now.
bool gz_budget_spent(gz_budget *budget);

typedef enum gz_edge_verdict {
    GZ_EDGE_FREE = 0,
    GZ_EDGE_BLOCKED = 1,
    GZ_EDGE_STOPPED = 2, ///< the budget is spent
    GZ_EDGE_FAILED = 3   ///< an error, which is in edges->status
} gz_edge_verdict;

/// Which end states are not yet known to be free.
typedef enum gz_edge_ends { GZ_EDGE_NO_END = 0, GZ_EDGE_FROM = 1, GZ_EDGE_TO = 2 } gz_edge_ends;

/// Which points of an edge are looked at.
typedef enum gz_edge_points {
    GZ_EDGE_WHOLE = 0,
    GZ_EDGE_FIRST = 1, ///< unknown ends and an eighth of the interior points, at least three
    GZ_EDGE_REST = 2   ///< the interior points that FIRST leaves, and the proof where one is wanted
} gz_edge_points;

enum { GZ_EDGE_BATCH = 64 }; ///< configurations that are checked at a time, at most

/// Checks edges of one plan: buffers and counters.
typedef struct gz_edges {
    const graze_checker *checker;
    const gz_plan_space *space;
    gz_budget *budget;
    uint32_t threads;
    graze_workspace *workspace; ///< for a single thread
    double *q, *state;          ///< one batch; one state, behind it
    double base[GZ_EDGE_BATCH * 6];
    uint8_t verdicts[GZ_EDGE_BATCH];
    graze_motion_workspace *motions;  ///< NULL: nothing is proved
    bool proves;                      ///< edges that are free by samples are proved, too
    uint64_t configurations, checked; ///< counters: configurations, edges
    bool beyond;                      ///< what was last to be proved may leave the domain
    uint64_t proved;                  ///< counter: proofs tried
    graze_status status;
    graze_error *error;
} gz_edges;

/// All arguments must outlive the result; budget and error are written to by every check.
/// @param certify proofs are wanted; there are none for a checker that does not allow them
graze_status gz_edges_make(gz_edges *edges, const graze_checker *checker,
                           const gz_plan_space *space, uint32_t threads, bool certify,
                           gz_budget *budget, graze_error *error);
void gz_edges_free(gz_edges *edges);

/// Decides whether the straight motion from -> to is free, by configurations at most `resolution`
/// apart in the metric. The verdict and the counters do not depend on the number of threads. The
/// configurations are those of gz_plan_space_interpolate() from `from`, so an edge is checked in
/// the direction of the motion.
/// Where edges->proves is set, what samples find free is proved as well.
gz_edge_verdict gz_edge_check(gz_edges *edges, const double *from, const double *to,
                              gz_edge_ends unknown, double resolution);

/// gz_edge_check() for a part of the points. An edge whose FIRST and whose REST are free is free;
/// it counts once, and REST has no unknown ends.
gz_edge_verdict gz_edge_check_points(gz_edges *edges, const double *from, const double *to,
                                     gz_edge_ends unknown, double resolution,
                                     gz_edge_points points);

/// Whether the straight motion from -> to is proved free at every t: blocked where it is not, be it
/// that a collision was found, that something comes too close to tell, or that it may leave the
/// checker's domain (edges->beyond). Needs edges->motions.
gz_edge_verdict gz_edge_prove(gz_edges *edges, const double *from, const double *to);

/// Whether nothing is proved of any motion from -> to, however short: some link is within about a
/// micrometre (the resolution of proofs) of its margin at `from`. Needs edges->motions.
graze_status gz_edge_is_tight(gz_edges *edges, const double *from, const double *to, bool *tight);

/// The nearest neighbours of states in the metric of a plan space: a forest of static k-d trees.
typedef struct gz_neighbours gz_neighbours;

/// The space must outlive the result; NULL when out of memory.
gz_neighbours *gz_neighbours_make(const gz_plan_space *space);
void gz_neighbours_free(gz_neighbours *nearest);

/// Adds a state, which gets the next number, from 0. False when out of memory or full (2^31 - 1);
/// then nothing has changed.
bool gz_neighbours_add(gz_neighbours *nearest, const double *state);

/// The number of the nearest state, the lowest among equals; -1 when there is none. States are
/// compared as rounded to float: good to about 1e-6 of the range, and the same on every machine.
int32_t gz_neighbours_find(gz_neighbours *nearest, const double *state);

/// A state that was found, and the square of how far it is.
typedef struct gz_near {
    float square;
    int32_t id;
} gz_near;

/// Lists the nearest states, by distance, equals by their numbers; returns how many, all where
/// there are fewer than `wanted`. In a space that has an axis. Any thread, while none is added.
/// @param key scratch, as many numbers as the space has axes
size_t gz_neighbours_list(const gz_neighbours *nearest, const double *state, float *key,
                          size_t wanted, gz_near *found);

// ------------------------------------------------------------------------------- trees and paths

typedef struct gz_rrt_options {
    double step;             ///< longest extension
    double resolution;       ///< of edges
    uint64_t max_iterations; ///< samples
    double bound;            ///< only paths that are shorter than this; INFINITY: any
    bool halton;             ///< where there is no bound, samples follow the Halton sequence
    void (*on_node)(void *user, const graze_plan_node *node); ///< NULL: nobody is told
    void *on_node_user;
} gz_rrt_options;

typedef struct gz_rrt_result {
    graze_plan_outcome outcome; ///< FOUND, ITERATIONS, TIME or CANCELLED
    uint64_t iterations;
    size_t tree_size[2];
} gz_rrt_result;

/// RRT-Connect (Kuffner and LaValle, "RRT-Connect: an efficient approach to single-query path
/// planning", ICRA 2000) between two free states; with a bound, among states through which a path
/// below it may lead, with the best of near parents. Writes the states of the path, both ends
/// included. Every edge of the path has been checked in the direction from start to goal; of the
/// edges of the trees only the first points, until they are part of a path (Sanchez and Latombe, "A
/// single-query bi-directional probabilistic roadmap planner with lazy collision checking", 2003).
graze_status gz_rrt_connect(gz_edges *edges, const double *start, const double *goal,
                            const gz_rrt_options *options, gz_random *random, gz_state_list *path,
                            gz_rrt_result *result);

/// Draws states through which a path from start to goal may be shorter than a bound: uniform in the
/// prolate spheroid about the two (Gammell, Srinivasa and Barfoot, "Informed RRT*", 2014) where
/// every number counts in the metric as it is, else, and where that leaves the ranges, in the
/// space.
typedef struct gz_informed_sampler {
    const gz_plan_space *space;
    const double *start, *goal;
    double bound;
    double *way, *scratch; ///< from start to goal, angles the shorter way; dimension numbers each
    double direct;         ///< length of the way
    double across;         ///< half axis of the spheroid across it
} gz_informed_sampler;

/// @param memory twice the dimension of the space; as start and goal, it must outlive the sampler
gz_informed_sampler gz_informed_sampler_make(const gz_plan_space *space, const double *start,
                                             const double *goal, double bound, double *memory);

/// False where none of some hundred draws was such a state.
bool gz_informed_sample(const gz_informed_sampler *sampler, gz_random *random, double *state);

/// The length of a path in the metric.
double gz_path_length(const gz_plan_space *space, const gz_state_list *path);

/// Shortens a path whose edges are free: removes waypoints, then `rounds` times tries a straight
/// motion between two random points of it, then removes waypoints again. The length never grows;
/// ends stay. Stops early, with a valid path, when the budget is spent.
/// @return GRAZE_OK, or the error of a check or allocation
graze_status gz_path_shorten(gz_edges *edges, gz_state_list *path, uint32_t rounds,
                             double resolution, gz_random *random);

struct graze_path {
    gz_plan_space space;
    gz_state_list states;
    double *q;    ///< waypoints in full
    double *base; ///< 6 numbers each
};

/// Makes a path from its states; the space is copied. NULL when out of memory.
graze_path *gz_path_make(const gz_plan_space *space, const gz_state_list *states);

#endif
