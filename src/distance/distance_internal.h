/// Between the files of distances: the workspace, which pairs there are and how near they may be at
/// least, and the search over them.
#ifndef GZ_DISTANCE_DISTANCE_INTERNAL_H
#define GZ_DISTANCE_DISTANCE_INTERNAL_H

#include "check/check_internal.h"
#include "graze/distance.h"
#include "narrow/distance/shape_distance.h"

/// A pair of links, by its index among the checker's, or (-1) a link and an object.
typedef struct gz_near_pair {
    double bound; ///< no more than the distance of both
    int32_t pair; ///< -1: the world
    int32_t link, other;
    int32_t fixed; ///< of a pair that no joint moves: its place in `fixed`; else -1
} gz_near_pair;

/// Where a pair is nearest.
typedef struct gz_near_place {
    gz_near_pair pair;
    int32_t element, other_element; ///< counted within the links; of points: the point
    bool found;
} gz_near_place;

/// A pair that no joint moves, in the frame of its body: it is nearest where it always was.
typedef struct gz_fixed_pair {
    int32_t pair;
    bool overlaps;
    graze_contact contact;
    gz_near_place place;
    gz_nearest nearest;
} gz_fixed_pair;

struct graze_distance_workspace {
    const graze_checker *checker;
    uint64_t revision; ///< of the checker, whose world has moved in place where it differs
    graze_workspace *ws;
    const gz_distance_kernels *kernels;
    gz_near_pair *list;
    size_t capacity;
    gz_fixed_pair *fixed;
    size_t fixed_count;
    gz_near_place hint; ///< where the nearest was last, in any call
    int64_t hint_triangle[2];
    void *memory;
};

/// Of how many objects each is a pair with each link from the start; of more a tree is asked.
#define GZ_NEAR_OBJECTS 64

/// One call.
typedef struct gz_near_query {
    graze_distance_workspace *d;
    const graze_distance_options *options;
    graze_distance_report *report;
    uint64_t left; ///< of the budget
    bool spent;
    gz_near_place place; ///< of `nearest`
    gz_nearest nearest;  ///< of all pairs so far; of GRAZE_DISTANCE_PAIRS and _NEAREST the least
} gz_near_query;

// --------------------------------------------------------------------------- distance_bounds.c

/// The pair of that index, or of a link and an object, with a lower bound of the distance of both
/// by their spheres and boxes, at the pose of the workspace.
gz_near_pair gz_near_links(const graze_distance_workspace *d, int32_t pair);
gz_near_pair gz_near_object(const graze_distance_workspace *d, int32_t link, int32_t object);

/// Whether x comes before y in the order of checks.
bool gz_near_comes_before(const gz_near_place *x, const gz_near_place *y);

// ----------------------------------------------------------------------------- distance_pair.c

/// Looks for what is nearer than `nearest` knows in a pair; notes the place.
void gz_near_visit(gz_near_query *query, const gz_near_pair *pair, gz_near_place *place,
                   gz_nearest *nearest);
/// Evaluates the pair of triangles that was nearest in an earlier call.
void gz_near_evaluate_hint(gz_near_query *query);
/// Whether a pair collides at margin 0, and where its lowest triangles do.
bool gz_near_overlaps(const graze_distance_workspace *d, const gz_near_pair *pair,
                      graze_contact *contact);
/// What is known of pairs that no joint moves, once and for all.
void gz_near_prepare_fixed(graze_distance_workspace *d);

// --------------------------------------------------------------------------- distance_search.c

/// Fills the report, for a workspace that is posed. `free`: no pair overlaps.
void gz_near_search(gz_near_query *query, bool free);

#endif
