/// The nearest triangles of two meshes, or of a mesh and a curved solid: branch and bound on their
/// trees. Bounds are in float; what they leave is evaluated by the caller, in double.
#ifndef GZ_NARROW_DISTANCE_TREE_DISTANCE_H
#define GZ_NARROW_DISTANCE_TREE_DISTANCE_H

#include <math.h>

#include "narrow/kernel.h"

typedef struct gz_tree_search gz_tree_search;

/// What is to be looked at: a node or packet of each tree, as gz_node.child; of a solid b is -1.
typedef struct gz_near_entry {
    int32_t a, b;
    float square; ///< of a lower bound of the distance, of a solid's axis
} gz_near_entry;

/// A pair of triangles that may be the nearest.
typedef struct gz_near_candidate {
    gz_tree_search *search;
    uint32_t a, b;
    float square; ///< as above
} gz_near_candidate;

#define GZ_NEAR_CANDIDATES 64

/// What is evaluated in double when the searches are over, or when there is too much of it.
typedef struct gz_near_candidates {
    float limit;              ///< what is farther apart is not wanted; rounded up
    float known;              ///< the same, but where a search has a lower limit for a while
    float most;               ///< what is farther apart has not been found
    float estimate;           ///< the least square that was found in float
    float shrink, slack, tie; ///< once something is found to be no farther than x, what is farther
                              ///< than x * shrink - slack + tie is not wanted
    int count;
    gz_near_candidate list[GZ_NEAR_CANDIDATES];
    gz_near_candidate best; ///< that with the least estimate; search NULL: none, or evaluated
} gz_near_candidates;

/// Something has been found: what is farther apart than that is not wanted. Even where a search has
/// a lower limit for a while, this is not forgotten.
static inline void gz_candidates_lower(gz_near_candidates *c, float limit) {
    if (limit < c->known) c->known = limit;
    if (limit < c->limit) c->limit = limit;
}

/// How far the search between the convex hulls of two meshes is.
typedef enum gz_hull_stage {
    GZ_HULL_NONE,  ///< over, or not worth it
    GZ_HULL_BOXES, ///< the bound is that of boxes: the hulls are next
    GZ_HULL_FOUND  ///< the gap is known: what is near it is next
} gz_hull_stage;

/// How many points a search between hulls remembers; most searches have a third of that.
#define GZ_HULL_POINTS 16

/// A point of a mesh, least along a direction.
typedef struct gz_least_point {
    float least, point[3];
} gz_least_point;

/// A direction in the frames of b and a, and what is least along it of a, and along its opposite of
/// b.
typedef struct gz_hull_step {
    bool known;
    float d[4], da[4], back[4];
    float shift; ///< of a's places along d
    gz_least_point a, b;
} gz_hull_step;

/// A search between the convex hulls of two meshes, in b's frame; it goes on where it has stopped.
typedef struct gz_hull_search {
    const graze_mesh *a, *b;
    float pad; ///< by which a gap along d is off, at most, for each |d|_1
    gz_plane_frames frames;
    gz_simplex simplex;
    gz_f4 way;         ///< from b's nearest point to a's, of any length: the direction of `step`
    gz_hull_step step; ///< not in the simplex yet
    float beyond;      ///< the distance of the hulls is no more than this, but for rounding
    int point_count;   ///< of the simplex so far, and b's points of these
    gz_f4 point[GZ_HULL_POINTS], of_b[GZ_HULL_POINTS];
} gz_hull_search;

/// Begins a search in a direction from b to a, of any length; r and t move a's frame to b's.
static inline void gz_hull_begin(gz_hull_search *out, const graze_mesh *a, const graze_mesh *b,
                                 const float (*r)[3], const float *t, float pad,
                                 const float way[3]) {
    out->a = a;
    out->b = b;
    out->pad = pad;
    out->frames = gz_plane_frames_make(r, t);
    out->simplex.count = out->point_count = 0;
    out->way = gz_f4_set(way[0], way[1], way[2], 0);
    out->step.known = false;
    out->beyond = 1e30f;
}

/// What is known of the convex hulls of two meshes.
typedef struct gz_near_hulls {
    gz_hull_stage stage;
    float gap;      ///< a lower bound of their distance; 0: not known
    float n[3];     ///< along which it is, from a to b, in b's frame
    float plane[2]; ///< a is before the first place along n, b beyond the second
    gz_hull_search search;
} gz_near_hulls;

/// A search of one pair of shapes. What is left out of it is farther apart than the limit.
struct gz_tree_search {
    gz_tree_pair pair;     ///< two meshes; of a mesh and a solid only `a` is set
    gz_box solid;          ///< box around the solid's axis, in the mesh's frame
    float round;           ///< the solid is within so much of its axis, pads included; else 0
    float direction[2][3]; ///< from a to b, in the frames of a and b, of length at most 1; 0: none
    float frame[2][3][3];  ///< axes, in the frames of a and b; the last is the direction
    float shift[3];        ///< of a's places along the axes
    float estimate;        ///< the least square that was found in float in this search
    bool trees_only;       ///< hulls are known to say too little
    gz_near_hulls hull;
    gz_near_candidates *candidates; ///< may be shared
    /// Evaluates a pair of triangles; may lower the limit. Of a solid b is 0.
    void (*evaluate)(gz_tree_search *search, uint32_t a, uint32_t b);
    void *user;
    uint64_t *left; ///< work that may still be done; NULL: no limit
    float unseen;   ///< [out] what was not looked at, as the work was spent, is farther apart than
                    ///< that; INFINITY where everything was
};

/// A lower bound of the distance of what an entry stands for.
static inline float gz_near_bound(const gz_tree_search *search, float square) {
    float below = sqrtf(square) * (1 - 0x1p-20f) - search->round * (1 + 0x1p-20f);
    return below > 0 ? below : 0;
}

/// Where a search begins.
static inline gz_near_entry gz_near_root(const gz_tree_search *search) {
    return (gz_near_entry){search->pair.a->root, search->pair.b ? search->pair.b->root : -1, 0};
}

/// Sets the direction from a to b, n in b's frame, of any length; 0: none.
void gz_near_aim(gz_tree_search *search, const double n[3]);

/// The functions that are compiled once per instruction set.
typedef struct gz_distance_kernels {
    /// Where a search begins, with a lower bound of the distance where it is known.
    gz_near_entry (*begin)(gz_tree_search *search);
    /// Looks at an entry: writes the entries below it that may be near enough, the farthest first,
    /// and returns how many; of two packets there are none.
    int (*step)(gz_tree_search *search, gz_near_entry entry, gz_near_entry out[GZ_WIDTH],
                graze_stats *stats);
    /// Looks at everything below an entry, depth first.
    void (*below)(gz_tree_search *search, gz_near_entry entry, graze_stats *stats);
    /// An upper bound of the distance of two meshes, of points where their hulls are nearest by a
    /// search with at least one point, and the triangles that these are of.
    float (*hull_upper)(const gz_hull_search *search, float enough, uint32_t triangle[2]);
    /// Goes on with a search between the hulls of two meshes with proxies, on their support points,
    /// up to where the gap is known to `share` of itself, or is above `most`. Returns the gap, not
    /// a bound: of support points; 0 where they overlap.
    float (*hull_gap)(gz_hull_search *search, float most, float share);
    /// Whether a plane keeps the two farther apart than that. Goes on with the search.
    bool (*hulls_apart)(gz_hull_search *search, float distance);
    /// Evaluates the candidates that are still near enough.
    void (*finish)(gz_near_candidates *candidates, graze_stats *stats);
} gz_distance_kernels;

extern const gz_distance_kernels gz_distance_kernels_base;
#ifdef GRAZE_HAVE_AVX2
extern const gz_distance_kernels gz_distance_kernels_avx2;
#endif

#endif
