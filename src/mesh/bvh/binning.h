/// Where is a run of boxes best cut in two? The surface-area heuristic over bins of their centres.
#ifndef GZ_MESH_BVH_BINNING_H
#define GZ_MESH_BVH_BINNING_H

#include <math.h>
#include <stdbool.h>

#include "math/float_quad.h"
#include "mesh/bvh/box_tree.h"

/// Bounds of items, or of their doubled centres; the fourth lane says nothing.
typedef struct gz_bounds {
    gz_f4 low, high;
} gz_bounds;

/// Items, one behind the other. Cutting moves them from one of two arrays to the other, into the
/// same places.
typedef struct gz_item_run {
    size_t first, count;
    size_t weight; ///< what its items stand for, in all: count where they stand for themselves
    int where;     ///< which of the arrays holds them
    gz_bounds box;
} gz_item_run;

typedef struct gz_binning {
    gz_tree_item *arrays[2];
    const uint32_t *weights; ///< of the items, by their indices; NULL: 1 each
    uint32_t leaf_size;
    uint64_t per_leaf; ///< 2^32 / leaf_size, rounded up
} gz_binning;

gz_binning gz_binning_make(gz_tree_item *items, gz_tree_item *second, size_t leaf_size);

/// Cuts a run with a box in two, neither empty, and gives each its box; false, and nothing moved,
/// where all centres are (nearly) equal. Which items are on which side does not depend on their
/// order; on each side they stay in it. Cost: O(count).
bool gz_run_cut(const gz_binning *b, const gz_item_run *run, gz_item_run *lower,
                gz_item_run *upper);
/// Sets a run's box from its items.
void gz_run_measure(const gz_binning *b, gz_item_run *run);
/// Bounds of the doubled centres of a run's items.
gz_bounds gz_run_centers(const gz_binning *b, const gz_item_run *run);

static inline gz_tree_item *gz_run_items(const gz_binning *b, const gz_item_run *run) {
    return b->arrays[run->where] + run->first;
}

static inline gz_bounds gz_bounds_empty(void) {
    return (gz_bounds){gz_f4_set(INFINITY, INFINITY, INFINITY, INFINITY),
                       gz_f4_set(-INFINITY, -INFINITY, -INFINITY, -INFINITY)};
}

static inline void gz_bounds_join(gz_bounds *b, gz_f4 low, gz_f4 high) {
    b->low = gz_f4_min(low, b->low);
    b->high = gz_f4_max(high, b->high);
}

/// Half the surface of the box.
static inline float gz_bounds_area(const gz_bounds *b) {
    return gz_f4_pairs(gz_f4_sub(b->high, b->low));
}

// Four lanes of an item: the three of a corner, and a number next to it that says nothing.
static inline gz_f4 gz_item_low(const gz_tree_item *item) {
    return gz_f4_load((const float *)(const void *)item);
}
static inline gz_f4 gz_item_high(const gz_tree_item *item) {
    return gz_f4_load((const float *)(const void *)((const char *)item + 16));
}

/// Twice the centre of an item's box. The last lane is 0: its bits may be a subnormal number, and
/// sums of these are slow.
static inline gz_f4 gz_twice_center(gz_f4 low, gz_f4 high) {
    return gz_f4_add(gz_f4_three(low), gz_f4_three(high));
}

#endif
