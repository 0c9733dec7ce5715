/// Shared by the files of roadmaps: the structure, what it is identified by, the tests of its
/// edges.
#ifndef GZ_PLAN_ROADMAP_INTERNAL_H
#define GZ_PLAN_ROADMAP_INTERNAL_H

#include "base/sha256.h"
#include "graze/roadmap.h"
#include "plan/plan_internal.h"

// ------------------------------------------------------------------------- roadmap_identity.c

/// A digest of what something is: 64 digits, not NUL-terminated.
typedef struct gz_digest {
    char digits[GZ_SHA256_TEXT - 1];
} gz_digest;

/// What the verdicts of edges depend on.
typedef struct gz_identity {
    gz_digest robot;    ///< with the rules of its pairs
    gz_digest *objects; ///< by index in the world: each with its name, shape, place and rules
    size_t object_count;
    double epsilon;
    uint32_t bounded;
    double boundary[6]; ///< lowest x y z, highest; 0 without
} gz_identity;

/// Free in any case.
graze_status gz_identity_make(gz_identity *identity, const graze_checker *checker,
                              graze_error *error);
void gz_identity_free(gz_identity *identity);

/// Which objects of one world are in another.
typedef struct gz_identity_change {
    int32_t *kept;  ///< per old object: its index among the new ones, or -1
    uint8_t *added; ///< per new object: 1 where it is new
    size_t kept_count, added_count;
    bool all; ///< epsilon or the boundary is another: what was decided means nothing
} gz_identity_change;

/// Free in any case.
graze_status gz_identity_compare(gz_identity_change *change, const gz_identity *before,
                                 const gz_identity *now, graze_error *error);
void gz_identity_change_free(gz_identity_change *change);

// --------------------------------------------------------------------------------- roadmap.c

/// Why an edge is not free: the index of an object, or one of these.
enum {
    GZ_BLOCK_NONE = -1,
    GZ_BLOCK_SELF = -2,
    GZ_BLOCK_BOUNDARY = -3,
    GZ_BLOCK_OUTSIDE = -4,
    GZ_BLOCK_UNKNOWN = -5
};

#define GZ_NO_HIT (-1.0f)

/// The free edges of each node, both ways.
typedef struct gz_roadmap_graph {
    uint32_t *first;     ///< per node, and one more: of its neighbours
    uint32_t *to;        ///< the neighbours
    double *lengths;     ///< of the edges to them
    uint32_t *component; ///< per node: the lowest node of its component
    uint64_t free, component_count, largest;
} gz_roadmap_graph;

enum { GZ_ROADMAP_NODES = 1 << 24, GZ_ROADMAP_EDGES = 1 << 30 }; ///< at most

struct graze_roadmap {
    const graze_checker *checker;
    gz_plan_space space;
    graze_roadmap_options settings; ///< as built, with the number of neighbours; columns is NULL
    uint64_t samples;
    gz_state_list nodes;
    uint32_t *ends; ///< two nodes for each edge, the lower first; ascending
    int32_t *blocks;
    float *hits; ///< per edge: a t where it collides, or GZ_NO_HIT
    size_t edge_count;
    gz_identity identity;
    gz_roadmap_graph graph;
    gz_neighbours *nearest;
};

/// Makes an empty roadmap that has a space, and no identity; free it in any case.
/// @param q,base where what does not vary stands; not NULL
graze_status gz_roadmap_begin(graze_roadmap **out, const graze_checker *checker, const double *q,
                              const double *base, const graze_roadmap_options *options,
                              graze_error *error);
/// Fills map->nearest.
graze_status gz_roadmap_list_nodes(graze_roadmap *map, graze_error *error);
/// Fills what follows from nodes and edges: the graph, and map->nearest where it is not filled.
graze_status gz_roadmap_finish(graze_roadmap *map, graze_error *error);

/// Checks the options that are read after building, too.
graze_status gz_roadmap_check_limits(const graze_roadmap_options *options, graze_error *error);

// --------------------------------------------------------------------------- roadmap_worker.c

/// What one thread works with on a roadmap.
typedef struct gz_roadmap_worker {
    graze_workspace *check;
    graze_motion_workspace *motions;
    uint64_t budget; ///< as in graze_motion_options; 0: none, as edges are tested
    double *q;       ///< two rows
    double base[12];
    float *key;    ///< of gz_neighbours_list()
    gz_near *near; ///< one more than a node has neighbours
} gz_roadmap_worker;

/// Free in any case.
graze_status gz_roadmap_worker_make(gz_roadmap_worker *worker, const graze_roadmap *map,
                                    const graze_checker *checker, graze_error *error);
void gz_roadmap_worker_free(gz_roadmap_worker *worker);

/// Many items of a roadmap, on several threads.
typedef struct gz_roadmap_job {
    const graze_roadmap *map;
    const graze_checker *checker;         ///< of the workers
    const graze_roadmap_options *options; ///< threads and cancel are read
    double deadline;                      ///< of the monotonic clock
    size_t count;
    const char *item; ///< "edge": what errors call one
    void *user;
    graze_status (*run)(void *user, gz_roadmap_worker *worker, size_t item, graze_error *error);
} gz_roadmap_job;

graze_status gz_roadmap_run(const gz_roadmap_job *job, graze_error *error);

// ---------------------------------------------------------------------------- roadmap_edges.c

/// What blocks a motion.
typedef struct gz_motion_block {
    int32_t block;
    float hit; ///< as of an edge
    graze_contact
        contact; ///< the pair, of a motion that is blocked; link -1: outside of the domain
} gz_motion_block;

/// Tests the motion between two states.
graze_status gz_roadmap_test_motion(gz_roadmap_worker *worker, const graze_roadmap *map,
                                    const double *from, const double *to, gz_motion_block *found,
                                    graze_error *error);

/// Tests all edges, and writes what blocks them.
graze_status gz_roadmap_test_edges(graze_roadmap *map, const graze_roadmap_options *options,
                                   double deadline, graze_error *error);

/// Makes a roadmap that was found in another world one of its checker's, whose identity is `now`,
/// before gz_roadmap_finish(). `now` becomes the roadmap's, also on failure, and empty.
graze_status gz_roadmap_renew(graze_roadmap *map, gz_identity *now,
                              const graze_roadmap_options *options, graze_roadmap_update *update,
                              graze_error *error);

// ----------------------------------------------------------------------------- roadmap_file.c

uint64_t gz_roadmap_file_size(const graze_roadmap *map);

#endif
