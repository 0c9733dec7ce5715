/// Between the files of distances: the workspace, which pairs there are and how near they may be at
/// least, and the search over them.
#ifndef GZ_DISTANCE_DISTANCE_INTERNAL_H
#define GZ_DISTANCE_DISTANCE_INTERNAL_H

#include "base/memory.h"
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

/// A search that takes part in the frontier.
typedef struct gz_frontier_search {
    struct gz_near_query *query;
    gz_near_place here;
    gz_shape_search shapes;
} gz_frontier_search;

typedef struct gz_frontier_entry {
    float bound;
    int32_t search;
    gz_near_entry entry;
    int32_t next; ///< in the bucket, or among the unused; -1: the last
} gz_frontier_entry;

#define GZ_FRONTIER_SEARCHES 96
#define GZ_FRONTIER_ENTRIES  4096
#define GZ_FRONTIER_BUCKETS  256

/// Nodes of the trees of many pairs, in buckets by their bounds.
typedef struct gz_frontier {
    gz_frontier_search *searches;
    gz_frontier_entry *entries;
    size_t search_count;
    uint64_t used[GZ_FRONTIER_BUCKETS / 64]; ///< a bit for each bucket that has entries
    int32_t first[GZ_FRONTIER_BUCKETS];
    int32_t unused, fresh; ///< entries that have been used, a list; how many have been
    gz_near_candidates candidates;
} gz_frontier;

/// Most pairs of links that a rough search looks at closely.
#define GZ_ROUGH_PAIRS 32

typedef struct gz_rough_pair gz_rough_pair;

/// What a rough search knows of pairs of links, by the filter's rows and lanes.
typedef struct gz_rough_lists {
    float *keys;   ///< how far apart each pair is, at least or about; INFINITY: it is done
    float *least;  ///< of each row
    int8_t *slots; ///< of each pair, its place in `pairs`; -1: none
    gz_rough_pair *pairs;
} gz_rough_lists;

struct graze_distance_workspace {
    const graze_checker *checker;
    uint64_t revision; ///< of the checker, whose world has moved in place where it differs
    graze_workspace *ws;
    const gz_distance_kernels *kernels;
    gz_near_pair *list;
    size_t capacity;
    gz_fixed_pair *fixed;
    size_t fixed_count;
    gz_frontier frontier;
    gz_rough_lists rough;
    gz_near_place hint; ///< where the nearest was last, in any call
    int64_t hint_triangle[2];
    double *by_q, *by_sum; ///< scratch: rows of all columns
    double by_base[6];
    void *memory;
};

/// Of how many objects each is a pair with each link from the start; of more a tree is asked.
#define GZ_NEAR_OBJECTS 64

/// A soft least distance while pairs are added: sums of exp(-distance / temperature), times
/// exp(reference / temperature). distance_smooth.c
typedef struct gz_smooth_sum {
    double threshold, temperature, reference, sum, least;
    double *by_q, by_base[6]; ///< sums of derivatives, with the weights of the pairs
    size_t count;
    bool differentiable;
    bool base_stands; ///< pairs of the base's own body with the world do not count
} gz_smooth_sum;

/// One call.
typedef struct gz_near_query {
    graze_distance_workspace *d;
    bool links_done; ///< pairs of links have been searched
    bool joins;      ///< pairs of shapes join the frontier, where they can
    const double *q;
    const double *table_q; ///< q where tables of pairs hold: in the domain; else NULL
    const graze_distance_options *options;
    graze_distance_report *report;
    uint64_t left; ///< of the budget
    bool spent;
    gz_smooth_sum *smooth; ///< of GRAZE_DISTANCE_PAIRS: where pairs go, instead of the report
    gz_near_place place;   ///< of `nearest`
    gz_nearest nearest;    ///< of all pairs so far; of GRAZE_DISTANCE_PAIRS and _NEAREST the least
} gz_near_query;

// --------------------------------------------------------------------------- distance_bounds.c

/// The pair of that index, or of a link and an object, with a lower bound of the distance of both
/// by their spheres and boxes, at the pose of the workspace; of two links also by their table at q,
/// which may be NULL.
gz_near_pair gz_near_links(const graze_distance_workspace *d, int32_t pair, const double *q);
gz_near_pair gz_near_object(const graze_distance_workspace *d, int32_t link, int32_t object);

/// Whether x comes before y in the order of checks.
bool gz_near_comes_before(const gz_near_place *x, const gz_near_place *y);
/// Sets the flags of `nearest`, which is at `place`, for what is found of the pair `here`.
void gz_near_begin(const gz_near_place *here, const gz_near_place *place, gz_nearest *nearest);

// ----------------------------------------------------------------------------- distance_pair.c

/// Looks for what is nearer than `nearest` knows in a pair; notes the place.
void gz_near_visit(gz_near_query *query, const gz_near_pair *pair, gz_near_place *place,
                   gz_nearest *nearest);
/// Evaluates the pair of triangles that was nearest in an earlier call.
void gz_near_evaluate_hint(gz_near_query *query);
/// Whether a pair collides at margin 0.
bool gz_near_overlaps(const graze_distance_workspace *d, const gz_near_pair *pair, gz_detail detail,
                      graze_contact *contact);
/// What is known of pairs that no joint moves, once and for all.
void gz_near_prepare_fixed(graze_distance_workspace *d);

/// An element of a link at the pose of the workspace.
gz_placed gz_near_element(const graze_distance_workspace *d, int32_t link, int32_t element);

// ---------------------------------------------------------------------------- distance_rough.c

/// Lays out what a rough search writes to.
void gz_rough_lay_out(graze_distance_workspace *d, gz_arena *arena);
/// Finds a rough least distance of links alone, none of which overlap, as the filter has them posed
/// from that base. False where a search has to go on, from what was found.
bool gz_near_search_roughly(gz_near_query *query, const double base[12]);

// ------------------------------------------------------------------------- distance_gradient.c

/// How much farther apart other points may be that count as nearest, too, metres.
#define GZ_NEAR_TIE 1e-6

/// Fills by_q and by_base of the workspace; `nearest` NULL: with 0.
void gz_near_rates(const gz_near_query *query, const gz_near_pair *pair, const gz_nearest *nearest);
/// Whether pairs of triangles that may be about as near were not noted: they did not fit, or rivals
/// were known, which what was found later is nearer than. Then the search has to be run once more,
/// from what it has found, without the ties.
bool gz_near_is_unsure(const gz_nearest *nearest);
void gz_near_forget_ties(gz_nearest *nearest);
/// Whether one pair of points is the nearest by far enough for that to be a derivative.
bool gz_near_is_smooth(const gz_nearest *nearest);

// ------------------------------------------------------------------------- distance_frontier.c

/// Empties the frontier, for searches for what is nearer than the query knows.
void gz_frontier_start(gz_near_query *query);
/// Takes a pair of shapes in, at the pose of the workspace. False where it has to be looked at by
/// itself: there is no space, or two curved shapes, or no work left.
bool gz_frontier_join(gz_near_query *query, const gz_near_place *here, const gz_placed *a,
                      const gz_placed *b);
/// Looks at everything whose bound is at most `until`, as far as it is near enough.
void gz_frontier_run(gz_near_query *query, double until);
/// Up to which distance pairs are of use.
double gz_frontier_limit(const gz_near_query *query);
/// Evaluates what may be the nearest.
void gz_frontier_finish(gz_near_query *query);

// ------------------------------------------------------------------------------- distance_smooth.c

/// Adds a pair, whose derivatives are in the workspace.
void gz_smooth_add(const gz_near_query *query, const graze_proximity *pair);

// ---------------------------------------------------------------------------------- distance.c

/// graze_distance() into a report of this library's size; `smooth`, where wanted, takes the pairs.
graze_status gz_distance_measure(const graze_checker *checker, graze_distance_workspace *d,
                                 const double *q, size_t q_count, const double *base,
                                 const graze_distance_options *given, gz_smooth_sum *smooth,
                                 graze_distance_report *report, graze_error *error);

// --------------------------------------------------------------------------- distance_search.c

typedef enum gz_near_verdict { GZ_NEAR_FREE, GZ_NEAR_OVERLAP, GZ_NEAR_UNKNOWN } gz_near_verdict;

/// The distance of one pair up to a limit, at the pose of the workspace: false where it is farther.
bool gz_near_measure(gz_near_query *query, const gz_near_pair *pair, double limit,
                     graze_proximity *out);

/// How many objects are looked at.
size_t gz_near_object_count(const gz_near_query *query);
/// Reports the nearest pair that was found, or that none was.
void gz_near_report_least(gz_near_query *query);

/// Fills the report, for a workspace that is posed. `verdict`: what is known of overlaps;
/// `contact`: the first, where one is.
void gz_near_search(gz_near_query *query, gz_near_verdict verdict, const graze_contact *contact);

#endif
