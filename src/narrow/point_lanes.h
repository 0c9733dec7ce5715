/// Eight boxes, or eight points of a leaf, side by side: what the traversals of a cloud of points
/// are made of. Compiled once per instruction set; everything is file-local.
#ifndef GZ_NARROW_POINT_LANES_H
#define GZ_NARROW_POINT_LANES_H

#include "mesh/bvh/box_tree.h"
#include "mesh/bvh/triangle_lanes.h"
#include "narrow/points/point_pair_internal.h"

/// What squares of reaches are multiplied with, for the rounding of the squares compared.
#define ROUND_UP (1 + 0x1p-20f)

/// Adds the square of a gap along one axis to a sum; a gap below zero is none.
static inline gz_f8 add_gap(gz_f8 sum, gz_f8 gap) {
    gz_f8 positive = gz_f8_max(gap, gz_f8_all(0));
    return gz_f8_add(sum, gz_f8_mul(positive, positive));
}

static inline unsigned at_most(gz_f8 square, float reach) {
    return ~gz_f8_mask(gz_f8_greater(square, gz_f8_all(reach * reach * ROUND_UP))) & 0xff;
}

/// Eight boxes.
typedef struct box_lanes {
    float center[3][GZ_LANES], half[3][GZ_LANES];
} box_lanes;

/// Lanes whose boxes are within reach of one box.
static unsigned boxes_near(const float (*center)[GZ_LANES], const float (*half)[GZ_LANES],
                           const gz_box *box, float reach) {
    gz_f8 square = gz_f8_all(0);
    for (int k = 0; k < 3; k++) {
        gz_f8 d = gz_f8_abs(gz_f8_sub(gz_f8_load(center[k]), gz_f8_all(box->center[k])));
        gz_f8 sum = gz_f8_add(gz_f8_load(half[k]), gz_f8_all(box->half[k]));
        square = add_gap(square, gz_f8_sub(d, sum));
    }
    return at_most(square, reach);
}

static gz_box box_of_lane(const float (*center)[GZ_LANES], const float (*half)[GZ_LANES],
                          int lane) {
    gz_box box;
    for (int k = 0; k < 3; k++) {
        box.center[k] = center[k][lane];
        box.half[k] = half[k][lane];
    }
    return box;
}

/// The place in the leaf's box that eight of its points are rounded to, along one axis.
static inline gz_f8 decode(const uint8_t *at, float center, float half) {
    float steps[GZ_LANES];
    for (int i = 0; i < GZ_LANES; i++) steps[i] = (float)at[i];
    gz_f8 along = gz_f8_sub(gz_f8_mul(gz_f8_load(steps), gz_f8_all(1 / 127.5f)), gz_f8_all(1));
    return gz_f8_add(gz_f8_all(center), gz_f8_mul(along, gz_f8_all(half)));
}

/// Those of eight points of a leaf, from `first` on.
static inline lanes3 decode_points(const gz_point_leaf *leaf, int first, const gz_box *own) {
    return (lanes3){decode(leaf->at[0] + first, own->center[0], own->half[0]),
                    decode(leaf->at[1] + first, own->center[1], own->half[1]),
                    decode(leaf->at[2] + first, own->center[2], own->half[2])};
}

/// A bound on how far that is from the point, but for what the pad covers: the steps are off by
/// half / 255 each, and 1 / 254 holds the rounding of the steps.
static inline float leaf_slack(const gz_box *box) {
    return (box->half[0] + box->half[1] + box->half[2]) * (1 / 254.0f);
}

/// The points of a leaf that still count, a bit each.
static unsigned leaf_points(const gz_point_pair *p, const gz_point_leaf *leaf) {
    unsigned bits = 1;
    for (int i = 1; i < GZ_POINT_LEAF; i++)
        bits |= leaf->point[i] > leaf->point[i - 1] ? 1u << i : 0;
    for (int i = GZ_POINT_LEAF - 1; i >= 0 && leaf->point[i] >= p->limit; i--) bits &= ~(1u << i);
    return bits;
}

/// Whether some point below a reference still counts. Where all do, memory is left alone.
static inline bool counts(const gz_point_pair *p, int32_t reference) {
    return !p->done &&
           (p->limit == UINT32_MAX || gz_point_tree_lowest(p->query->tree, reference) < p->limit);
}

/// Fetches what a reference names while something else is looked at.
static inline void prefetch(const gz_point_tree *tree, int32_t reference) {
    const char *at = reference >= 0 ? (const char *)&tree->nodes[reference]
                                    : (const char *)&tree->leaves[~reference];
    size_t size = reference >= 0 ? sizeof(gz_node) : sizeof(gz_point_leaf);
    for (size_t i = 0; i < size; i += 64) __builtin_prefetch(at + i);
}

/// Takes the lane of the mask that holds the lowest point.
static int take_lowest(const gz_point_tree *tree, const gz_node *node, unsigned *mask) {
    int best = __builtin_ctz(*mask);
    uint32_t least = gz_point_tree_lowest(tree, node->child[best]);
    for (unsigned rest = *mask & (*mask - 1); rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        uint32_t own = gz_point_tree_lowest(tree, node->child[lane]);
        if (own < least) least = own, best = lane;
    }
    *mask &= ~(1u << best);
    return best;
}

/// Takes one lane of the mask: any; where the lowest point is wanted, the one that holds the
/// lowest, so that more of the others need no look.
static int take_lane(const gz_point_pair *p, const gz_node *node, unsigned *mask) {
    if (p->query->lowest) return take_lowest(p->query->tree, node, mask);
    int lane = __builtin_ctz(*mask);
    *mask &= *mask - 1;
    return lane;
}

#endif
