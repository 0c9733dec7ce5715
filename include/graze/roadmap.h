/// @file roadmap.h
/// Roadmaps: configurations, and motions between them that are proved free, kept for many queries
/// and saved; when the world changes, only what the change can reach is tested again.
/// docs/roadmap.md has the rules and figures.
#ifndef GRAZE_ROADMAP_H
#define GRAZE_ROADMAP_H

#include "motion.h"
#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A roadmap of one checker, immutable; share between threads. It does not own the checker.
typedef struct graze_roadmap graze_roadmap;

/// Everything that a query writes to, its path included; one per thread.
typedef struct graze_roadmap_workspace graze_roadmap_workspace;

/// Obtain from graze_roadmap_options_default(), then change fields.
typedef struct graze_roadmap_options {
    uint32_t struct_size;
    uint32_t planar_base;   ///< 1: the base's x, y and yaw vary, too
    const int32_t *columns; ///< columns of q that vary, or NULL: all but passive joints; of a
                            ///< floating joint's quaternion all four or none
    size_t column_count;
    double base_min[2];   ///< planar base: range of x and y, metres; where min > max, the world's
    double base_max[2];   ///< boundary, or a box about the base given; default 0 and -1
    uint64_t nodes;       ///< configurations, free of the robot itself; default 1000, at least 2
    uint32_t neighbours;  ///< of each node; default 0: e (1 + 1 / d) ln(nodes), rounded up, for d
                          ///< degrees of freedom
    uint32_t threads;     ///< default 1; 0 = one per processor; never changes the result
    uint64_t seed;        ///< default 1
    uint64_t max_samples; ///< drawn for the nodes, at most; default 100,000,000
    double max_seconds;   ///< default infinity
    uint64_t max_bytes;   ///< of the roadmap, at most; default 0: no limit
    double resolution;    ///< metres: what comes closer than about this may stay unproved, as in
                          ///< graze_motion_options; default 1e-3
    const volatile int *cancel; ///< as graze_batch::cancel; may be NULL, the default
} graze_roadmap_options;

/// Writes the defaults of graze_roadmap_options into a structure of `size` bytes, the caller's size
/// of it: what graze_roadmap_options_default() calls. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_roadmap_options_init(graze_roadmap_options *options, size_t size);

/// The defaults. Any thread. Allocates nothing. Cost: O(1).
static inline graze_roadmap_options graze_roadmap_options_default(void) {
    graze_roadmap_options options;
    graze_roadmap_options_init(&options, sizeof options);
    return options;
}

/// Builds a probabilistic roadmap (Kavraki, Svestka, Latombe and Overmars 1996; its number of
/// neighbours by Karaman and Frazzoli 2011, PRM*). Nodes are the first samples of the seed that are
/// free of the robot itself, whatever the world; each is joined to its nearest neighbours; of these
/// edges those count that graze_check_motion() proves free.
/// @param out  [out] NULL on failure; free with graze_roadmap_free()
/// @param q    graze_robot_q_size() numbers: the columns that do not vary stay so; NULL: the rest
///             configuration
/// @param base x y z roll pitch yaw, likewise; NULL: the identity
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT, GRAZE_ERROR_RANGE, GRAZE_ERROR_UNSUPPORTED (part of a
///         quaternion; a checker of which graze_motion_workspace_create() can prove nothing);
///         GRAZE_ERROR_LIMIT (time, samples or bytes; the message says which, and how far it came);
///         GRAZE_ERROR_CANCELLED; GRAZE_ERROR_NO_MEMORY
/// The checker, its robot and its world must outlive the roadmap. The same inputs give the same
/// roadmap, for any number of threads and on every machine. Any thread. Allocates. Cost: nodes x
/// neighbours motions, each some 100 us. Nullable: q, base, options, error.
GRAZE_API graze_status graze_roadmap_build(graze_roadmap **out, const graze_checker *checker,
                                           const double *q, const double *base,
                                           const graze_roadmap_options *options,
                                           graze_error *error);

/// Frees a roadmap; NULL is allowed. Its workspaces must be freed before. Any thread. Allocates
/// nothing. Cost: O(1).
GRAZE_API void graze_roadmap_free(graze_roadmap *roadmap);

/// What became of a roadmap when the world changed.
typedef struct graze_roadmap_update {
    uint64_t edges;   ///< free ones and others
    uint64_t checked; ///< whether they collide where they did before, by one configuration each
    uint64_t tested;  ///< proved, or found to be not free, anew
    uint64_t opened;  ///< free now, and not before
    uint64_t closed;  ///< free before, and not now
    uint64_t removed; ///< objects that are no more, moved ones included
    uint64_t added;   ///< objects that are new, moved ones included
    double seconds;
} graze_roadmap_update;

/// graze_roadmap_revise() for a caller whose graze_roadmap_update has `size` bytes.
/// @return as there. Any thread. Allocates. Free the result with graze_roadmap_free(). Cost: as
/// there.
GRAZE_API graze_status graze_roadmap_revise_sized(graze_roadmap **out, const graze_roadmap *roadmap,
                                                  const graze_checker *checker,
                                                  const graze_roadmap_options *options,
                                                  graze_roadmap_update *update, size_t size,
                                                  graze_error *error);

/// Makes the roadmap of another world: it has the edges that graze_roadmap_build() would find
/// there, and so the same answers. Tested are only the free edges that bounding boxes do not keep
/// apart from the objects that are new or moved (graze_motion_reaches()), and those of the others
/// that an object blocked which is gone or moved and that do not collide any more where they did.
/// Objects are the same by name, shape, place and rules, not by where they come from. Where epsilon
/// or the boundary of the world is another, all edges are looked at.
/// @param out     [out] NULL on failure; free with graze_roadmap_free(). `roadmap` stays as it is
/// @param checker of the same robot and rules, mostly of graze_checker_with_world()
/// @param options threads, max_seconds and cancel alone are read
/// @param update  [out] may be NULL
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, another robot or rules); as graze_roadmap_build()
/// `checker` must outlive the new roadmap. Any thread. Allocates. Cost: some microseconds for each
/// free edge, and the motions that are tested. Nullable: options, update, error.
static inline graze_status graze_roadmap_revise(graze_roadmap **out, const graze_roadmap *roadmap,
                                                const graze_checker *checker,
                                                const graze_roadmap_options *options,
                                                graze_roadmap_update *update, graze_error *error) {
    return graze_roadmap_revise_sized(out, roadmap, checker, options, update, sizeof *update,
                                      error);
}

// ---------------------------------------------------------------------------------------- facts

/// What a roadmap is.
typedef struct graze_roadmap_info {
    uint64_t nodes;
    uint64_t samples;    ///< drawn for them
    uint64_t edges;      ///< tried
    uint64_t free;       ///< of these, proved free
    uint64_t self;       ///< blocked by the robot itself
    uint64_t world;      ///< blocked by an object, or by the boundary
    uint64_t undecided;  ///< outside of the checker's domain, or beyond the memory of a proof
    uint64_t components; ///< of nodes that free edges join
    uint64_t largest;    ///< nodes of the largest one
    uint64_t seed;       ///< as built, as are the next two
    uint32_t neighbours;
    uint32_t dimension; ///< numbers that vary
    double resolution;  ///< metres
    uint64_t bytes;     ///< of graze_roadmap_pack()
} graze_roadmap_info;

/// graze_roadmap_describe() for a caller whose graze_roadmap_info has `size` bytes.
/// @return as there. Any thread. Allocates nothing. Cost: as there.
GRAZE_API graze_status graze_roadmap_describe_sized(const graze_roadmap *roadmap,
                                                    graze_roadmap_info *info, size_t size);

/// Reads what a roadmap is.
/// @param info [out]
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL)
/// Any thread. Allocates nothing. Cost: O(edges).
static inline graze_status graze_roadmap_describe(const graze_roadmap *roadmap,
                                                  graze_roadmap_info *info) {
    return graze_roadmap_describe_sized(roadmap, info, sizeof *info);
}

/// Reads a node.
/// @param q    [out] graze_robot_q_size() numbers
/// @param base [out] x y z roll pitch yaw, m and rad
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, no such node)
/// Any thread. Allocates nothing. Cost: O(columns).
GRAZE_API graze_status graze_roadmap_node(const graze_roadmap *roadmap, size_t index, double *q,
                                          double base[6]);

/// Why an edge is not free.
typedef enum graze_roadmap_block {
    GRAZE_ROADMAP_FREE = 0,     ///< it is, and that is proved
    GRAZE_ROADMAP_SELF = 1,     ///< the robot itself, whatever the world
    GRAZE_ROADMAP_WORLD = 2,    ///< an object of the world
    GRAZE_ROADMAP_BOUNDARY = 3, ///< the boundary of the world
    GRAZE_ROADMAP_OUTSIDE = 4,  ///< it may leave the checker's domain
    GRAZE_ROADMAP_UNKNOWN = 5   ///< too many pairs for a workspace
} graze_roadmap_block;

/// Reads an edge; they ascend by their first node, then by their second.
/// @param nodes  [out] its two nodes, the lower first: the motion goes from there
/// @param object [out] of GRAZE_ROADMAP_WORLD: the index of an object of the checker's world that
///               is in the way, one of maybe several; else -1. May be NULL
/// @return the block, or GRAZE_ROADMAP_UNKNOWN where there is no such edge, and nothing is written
/// Any thread. Allocates nothing. Cost: O(1).
GRAZE_API graze_roadmap_block graze_roadmap_edge(const graze_roadmap *roadmap, size_t index,
                                                 size_t nodes[2], int32_t *object);

// -------------------------------------------------------------------------------------- queries

/// Makes what one thread at a time needs for queries of one roadmap.
/// @param out [out] NULL on failure; free with graze_roadmap_workspace_free(), before the roadmap
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL); GRAZE_ERROR_NO_MEMORY
/// Any thread. Allocates all that queries will need. Cost: O(nodes + links + pairs). Nullable:
/// error.
GRAZE_API graze_status graze_roadmap_workspace_create(graze_roadmap_workspace **out,
                                                      const graze_roadmap *roadmap,
                                                      graze_error *error);

/// Frees a workspace; NULL is allowed. Any thread, while no query uses it. Allocates nothing. Cost:
/// O(1).
GRAZE_API void graze_roadmap_workspace_free(graze_roadmap_workspace *workspace);

/// Why a query ended. None says that there is no path: another roadmap may have one.
typedef enum graze_roadmap_outcome {
    GRAZE_ROADMAP_FOUND = 0,
    GRAZE_ROADMAP_START_COLLIDES = 1, ///< result->contact says with what
    GRAZE_ROADMAP_GOAL_COLLIDES = 2,
    GRAZE_ROADMAP_START_LIMITS = 3, ///< result->joint is outside its limits
    GRAZE_ROADMAP_GOAL_LIMITS = 4,
    GRAZE_ROADMAP_OTHER_JOINT = 5, ///< result->joint differs, and does not vary in the roadmap
    GRAZE_ROADMAP_START_ALONE = 6, ///< no motion to one of the nearest nodes is proved free;
                                   ///< result->contact says what blocks most of them
    GRAZE_ROADMAP_GOAL_ALONE = 7,
    GRAZE_ROADMAP_APART = 8, ///< both are joined to nodes, between which this roadmap has no way
    GRAZE_ROADMAP_ITERATIONS = 9, ///< limit of the search
    GRAZE_ROADMAP_TIME = 10,
    GRAZE_ROADMAP_CANCELLED = 11
} graze_roadmap_outcome;

/// Obtain from graze_roadmap_query_default(), then change fields.
typedef struct graze_roadmap_query {
    uint32_t struct_size;
    uint32_t neighbours;     ///< nodes that start and goal are joined to, at most; default 0: as
                             ///< many as nodes to each other
    uint64_t max_iterations; ///< nodes that the search leaves behind; default 0: no limit
    uint64_t budget; ///< tests of a pair on an interval (graze_motion_options) for a motion to a
                     ///< node, after which another node is tried first, and a quarter of those for
                     ///< the straight motion; default 500; 0: no limit
    double max_seconds;         ///< default infinity
    const volatile int *cancel; ///< may be NULL, the default
} graze_roadmap_query;

/// Writes the defaults of graze_roadmap_query into a structure of `size` bytes, the caller's size
/// of it: what graze_roadmap_query_default() calls. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_roadmap_query_init(graze_roadmap_query *options, size_t size);

/// The defaults. Any thread. Allocates nothing. Cost: O(1).
static inline graze_roadmap_query graze_roadmap_query_default(void) {
    graze_roadmap_query options;
    graze_roadmap_query_init(&options, sizeof options);
    return options;
}

/// The answer of a query.
typedef struct graze_roadmap_result {
    graze_roadmap_outcome outcome;
    int32_t joint;         ///< of the LIMITS outcomes and OTHER_JOINT; -1: the base
    size_t waypoints;      ///< of the path, start and goal included; 0 unless found
    double length;         ///< of the path, in the metric of graze_robot_metric()
    uint64_t motions;      ///< tested, to join start and goal
    uint64_t iterations;   ///< nodes that the search left behind
    graze_contact contact; ///< of the COLLIDES and ALONE outcomes: the pair, its place where it
                           ///< collides
    uint64_t blocked;      ///< of the ALONE outcomes: motions that this pair blocks
    double seconds;        ///< wall time; it alone differs between runs
} graze_roadmap_result;

/// graze_roadmap_find() for a caller whose graze_roadmap_result has `size` bytes.
/// @return as there. One thread per workspace. Allocates nothing. Cost: as there.
GRAZE_API graze_status graze_roadmap_find_sized(graze_roadmap_workspace *workspace,
                                                const double *start, const double *start_base,
                                                const double *goal, const double *goal_base,
                                                const graze_roadmap_query *options,
                                                graze_roadmap_result *result, size_t size,
                                                graze_error *error);

/// Finds a path in a roadmap: start and goal are joined to the nearest nodes that have a way
/// between them, by motions that are proved free, and A* (Hart, Nilsson and Raphael 1968) finds the
/// shortest way between these nodes; or straight, where that motion is proved free. All of the path
/// is proved free.
/// @param start,goal           graze_robot_q_size() numbers each
/// @param start_base,goal_base x y z roll pitch yaw; NULL: the roadmap's
/// @param result               [out]; the waypoints are in the workspace until the next query
/// @return GRAZE_OK also when there is no path; GRAZE_ERROR_ARGUMENT, GRAZE_ERROR_RANGE; on an
/// error
///         the outcome means nothing
/// The same on every machine. One thread per workspace. Allocates nothing. Cost: two to four
/// motions where start and goal can be joined, and O(edges log nodes) at most. Nullable:
/// start_base, goal_base, options, error.
static inline graze_status graze_roadmap_find(graze_roadmap_workspace *workspace,
                                              const double *start, const double *start_base,
                                              const double *goal, const double *goal_base,
                                              const graze_roadmap_query *options,
                                              graze_roadmap_result *result, graze_error *error) {
    return graze_roadmap_find_sized(workspace, start, start_base, goal, goal_base, options, result,
                                    sizeof *result, error);
}

/// Reads a waypoint of the last path that was found with a workspace. The first and the last are
/// start and goal bit for bit (quaternions that vary come back normalised).
/// @param q    [out] graze_robot_q_size() numbers
/// @param base [out] x y z roll pitch yaw, m and rad
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, no such waypoint)
/// One thread per workspace. Allocates nothing. Cost: O(columns).
GRAZE_API graze_status graze_roadmap_waypoint(const graze_roadmap_workspace *workspace,
                                              size_t index, double *q, double base[6]);

/// Makes a path (plan.h) of the last one that was found with a workspace, which may be freed then.
/// @param out [out] NULL on failure; free with graze_path_free()
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, no path was found); GRAZE_ERROR_NO_MEMORY
/// One thread per workspace. Allocates. Cost: O(waypoints). Nullable: error.
GRAZE_API graze_status graze_roadmap_path(graze_path **out,
                                          const graze_roadmap_workspace *workspace,
                                          graze_error *error);

// ---------------------------------------------------------------------------------------- files

/// Writes a roadmap into bytes, to be kept in a file: little-endian, the same for the same roadmap,
/// with its sum (SHA-256) and those of the robot with its rules and of each object. The format is
/// in docs/roadmap.md.
/// @param bytes [out] NULL on failure; free with graze_roadmap_bytes_free()
/// @param size  [out] their number
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL); GRAZE_ERROR_NO_MEMORY
/// Any thread. Allocates. Cost: linear in the bytes. Nullable: error.
GRAZE_API graze_status graze_roadmap_pack(unsigned char **bytes, size_t *size,
                                          const graze_roadmap *roadmap, graze_error *error);

/// Frees what graze_roadmap_pack() made; NULL is allowed. Any thread. Allocates nothing. Cost:
/// O(1).
GRAZE_API void graze_roadmap_bytes_free(unsigned char *bytes);

/// graze_roadmap_unpack() for a caller whose graze_roadmap_update has `size` bytes.
/// @return as there. Any thread. Allocates. Free the result with graze_roadmap_free(). Cost: as
/// there.
GRAZE_API graze_status graze_roadmap_unpack_sized(graze_roadmap **out, const void *bytes,
                                                  size_t byte_count, const graze_checker *checker,
                                                  const graze_roadmap_options *options,
                                                  graze_roadmap_update *update, size_t size,
                                                  graze_error *error);

/// Reads a roadmap that graze_roadmap_pack() wrote.
/// @param out     [out] NULL on failure; free with graze_roadmap_free()
/// @param checker of the same robot and rules
/// @param options NULL: the world must be the same, too; else the roadmap is made one of the
///                checker's world, as graze_roadmap_revise() does
/// @param update  [out] may be NULL
/// @return GRAZE_OK; GRAZE_ERROR_PARSE (no roadmap, cut short, damaged); GRAZE_ERROR_UNSUPPORTED
///         (another version of the format); GRAZE_ERROR_SCHEMA (another robot, other rules, another
///         world: the message says which); as graze_roadmap_revise()
/// What a file says of edges is accepted where its sum is right: it can be as wrong as who wrote it
/// wants, but never harms memory. `checker` must outlive the roadmap. Any
/// thread. Allocates. Cost: linear in the bytes, and in what the robot and the world are made of.
/// Nullable: options, update, error.
static inline graze_status graze_roadmap_unpack(graze_roadmap **out, const void *bytes,
                                                size_t byte_count, const graze_checker *checker,
                                                const graze_roadmap_options *options,
                                                graze_roadmap_update *update, graze_error *error) {
    return graze_roadmap_unpack_sized(out, bytes, byte_count, checker, options, update,
                                      sizeof *update, error);
}

#ifdef __cplusplus
}
#endif

#endif
