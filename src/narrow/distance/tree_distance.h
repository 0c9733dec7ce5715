/// The nearest triangles of two meshes, or of a mesh and a curved solid: branch and bound on their
/// trees. Bounds are in float; what they leave is evaluated by the caller, in double.
#ifndef GZ_NARROW_DISTANCE_TREE_DISTANCE_H
#define GZ_NARROW_DISTANCE_TREE_DISTANCE_H

#include "narrow/kernel.h"

/// A search. What is left out of it is farther apart than `limit` as it was then.
typedef struct gz_tree_search gz_tree_search;
struct gz_tree_search {
    gz_tree_pair pair;        ///< two meshes; of a mesh and a solid only `a` is set
    gz_box solid;             ///< box around the solid's axis, in the mesh's frame
    float round;              ///< the solid is within so much of its axis, pads included; else 0
    float limit;              ///< what is farther apart is not wanted; rounded up
    float shrink, slack, tie; ///< once something is found to be no farther than x, what is farther
                              ///< than x * shrink - slack + tie is not
    float direction[2][3]; ///< from a to b, in the frames of a and b, of length at most 1; 0: none
    /// Evaluates a pair of triangles; may lower `limit`. Of a solid `b` is 0.
    void (*evaluate)(gz_tree_search *search, uint32_t a, uint32_t b);
    void *user;
    uint64_t *left; ///< work that may still be done; NULL: no limit
    float unseen;   ///< [out] what was not looked at, as the work was spent, is farther apart than
                    ///< that; INFINITY where everything was
};

/// The functions that are compiled once per instruction set.
typedef struct gz_distance_kernels {
    void (*trees)(gz_tree_search *search, graze_stats *stats);
    void (*solid)(gz_tree_search *search, graze_stats *stats);
} gz_distance_kernels;

extern const gz_distance_kernels gz_distance_kernels_base;
#ifdef GRAZE_HAVE_AVX2
extern const gz_distance_kernels gz_distance_kernels_avx2;
#endif

#endif
