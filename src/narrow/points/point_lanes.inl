// Eight boxes, or eight points of a leaf, side by side, and the traversal for an oriented box: a
// part of point_pair.inl, and file-local as that is.

#include "math/rounding.h"
#include "mesh/bvh/box_tree.h"
#include "mesh/bvh/triangle_lanes.h"
#include "narrow/points/point_pair_internal.h"

static inline unsigned at_most(gz_f8 square, float reach) {
    return ~gz_f8_mask(gz_f8_greater(square, gz_f8_all(reach * reach * GZ_ROUND_UP_FEW))) & 0xff;
}

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
static int next_lowest(const gz_point_tree *tree, const gz_node *node, unsigned *mask) {
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
static int next_lane(const gz_point_pair *p, const gz_node *node, unsigned *mask) {
    if (p->query->lowest) return next_lowest(p->query->tree, node, mask);
    int lane = __builtin_ctz(*mask);
    *mask &= *mask - 1;
    return lane;
}

// ------------------------------------------------------------ a point, the triangles of a packet

/// How far the origin is from the extent of three places along an axis; within it, below zero.
static inline gz_f8 gap_of(gz_f8 s0, gz_f8 s1, gz_f8 s2) {
    gz_f8 low = gz_f8_min(s0, gz_f8_min(s1, s2)), high = gz_f8_max(s0, gz_f8_max(s1, s2));
    return gz_f8_max(low, gz_f8_sub(gz_f8_all(0), high));
}

/// How far a direction shows a triangle to be from the origin, and the square of its own length.
typedef struct shadow {
    gz_f8 square, length;
} shadow;

/// All corners are that far along the direction. Any may be asked. With u = 2^-24 and |a| the
/// largest corner, a computed product is off by 3.1 u |n| |a|, which 2^-20 |a| in the reach covers
/// with the rounding of the corners, u |a| in each coordinate; squares and products by 8 u, which
/// GZ_ROUND_UP_FEW covers; and 1e-30 what underflows, at most 4e-45 times the square of a reach.
static inline shadow cast(lanes3 n, const lanes3 a[3]) {
    gz_f8 gap = gap_of(dot_lanes(n, a[0]), dot_lanes(n, a[1]), dot_lanes(n, a[2]));
    gap = gz_f8_max(gap, gz_f8_all(0));
    return (shadow){gz_f8_mul(gap, gap), dot_lanes(n, n)};
}

/// Lanes in which that is farther than a reach.
static inline gz_f8 beyond(const shadow *s, gz_f8 threshold_square) {
    gz_f8 limit = gz_f8_add(gz_f8_mul(s->length, threshold_square), gz_f8_all(1e-30f));
    return gz_f8_greater(s->square, limit);
}

/// The square of a reach, as beyond() wants it, for triangles of this size.
static inline gz_f8 threshold_square(float reach, gz_f8 size) {
    gz_f8 far = gz_f8_add(gz_f8_all(reach), gz_f8_mul(size, gz_f8_all(0x1p-20f)));
    return gz_f8_mul(gz_f8_mul(far, far), gz_f8_all(GZ_ROUND_UP_FEW));
}

/// Lanes of a packet whose triangles may be within reach of a point. What separates a point from a
/// triangle best is the way to its nearest place: along the normal of the face, across an edge, or
/// to a corner. All seven are asked, so only what is near in truth passes, but for rounding. Where
/// `close` is wanted, it gets the lanes of them that may be within the inner reach, too.
static unsigned triangles_near(const gz_packet *packet, const float at[3], float reach, float inner,
                               unsigned *close) {
    lanes3 a[3], point = spread_point(at);
    gz_f8 square = gz_f8_all(0), size = gz_f8_all(0);
    for (int c = 0; c < 3; c++) {
        a[c] = sub_lanes(load_lanes3(packet->vertex[c]), point);
        gz_f8 sum = gz_f8_add(gz_f8_abs(a[c].x), gz_f8_abs(a[c].y));
        size = gz_f8_max(size, gz_f8_add(sum, gz_f8_abs(a[c].z)));
    }
    // The boxes around the triangles.
    square = add_gap(square, gap_of(a[0].x, a[1].x, a[2].x));
    square = add_gap(square, gap_of(a[0].y, a[1].y, a[2].y));
    square = add_gap(square, gap_of(a[0].z, a[1].z, a[2].z));
    unsigned lanes = at_most(square, reach) & ((1u << packet->count) - 1);
    if (!lanes) return 0;
    gz_f8 limit = threshold_square(reach, size), inner_limit = threshold_square(inner, size);
    // The face.
    lanes3 edge[3] = {sub_lanes(a[1], a[0]), sub_lanes(a[2], a[1]), sub_lanes(a[0], a[2])};
    shadow face = cast(cross_lanes(edge[0], edge[1]), a);
    gz_f8 apart = beyond(&face, limit), inner_apart = beyond(&face, inner_limit);
    if (!(lanes & ~gz_f8_mask(apart))) return 0;
    for (int i = 0; i < 3; i++) {
        // The edge: what is left of the way to its corner without the subtree along it.
        gz_f8 ee = dot_lanes(edge[i], edge[i]), ea = dot_lanes(edge[i], a[i]);
        lanes3 across = sub_lanes(scale_lanes(a[i], ee), scale_lanes(edge[i], ea));
        // And the corner.
        shadow side = cast(across, a), corner = cast(a[i], a);
        apart = gz_f8_or(apart, gz_f8_or(beyond(&side, limit), beyond(&corner, limit)));
        if (!close) continue;
        inner_apart = gz_f8_or(inner_apart, beyond(&side, inner_limit));
        inner_apart = gz_f8_or(inner_apart, beyond(&corner, inner_limit));
    }
    lanes &= ~gz_f8_mask(apart);
    if (close) *close = lanes & ~gz_f8_mask(inner_apart);
    return lanes;
}

// ------------------------------------------------------------------------------- an oriented box

/// Lanes of places, each with half extents along the coordinates (NULL: none), that may be near the
/// box along its own axes, `slack` more for each.
static unsigned near_along_axes(const gz_point_box *b, const lanes3 *at,
                                const float (*half)[GZ_LANES], float slack) {
    lanes3 d = sub_lanes(*at, spread_point(b->seen.center));
    gz_f8 apart = gz_f8_all(0);
    for (int j = 0; j < 3; j++) {
        gz_f8 along = dot_lanes(d, spread_point(b->axis[j])), most = gz_f8_all(b->half[j] + slack);
        for (int k = 0; half && k < 3; k++)
            most = gz_f8_add(most, gz_f8_mul(gz_f8_load(half[k]), gz_f8_all(b->abs_axis[j][k])));
        apart = gz_f8_or(apart, gz_f8_greater(gz_f8_abs(along), most));
    }
    return ~gz_f8_mask(apart) & 0xff;
}

/// Points of a leaf that may be near, a bit each. Leaves by themselves would not do: one that holds
/// points on both sides of an edge of what was scanned is as long as the way across.
static unsigned leaf_near_box(const gz_point_box *b, const gz_point_leaf *leaf, const gz_box *own) {
    unsigned near = 0;
    for (int run = 0; run < GZ_POINT_LEAF; run += GZ_LANES) {
        lanes3 at = decode_points(leaf, run, own);
        near |= near_along_axes(b, &at, NULL, leaf_slack(own)) << run;
    }
    return near;
}

static unsigned children_near_box(const gz_point_box *b, const gz_node *node) {
    unsigned mask = gz_node_overlap(node, &b->seen, b->pad);
    if (!mask) return 0;
    lanes3 center = load_lanes3(node->center);
    return mask & near_along_axes(b, &center, (const float(*)[GZ_LANES])node->half, 0);
}

/// Whether the box of a lane is small: that it may be near says enough of all its points. To say
/// so claims nothing, so this needs no bound; it keeps those who ask from going down to single
/// points that are far closer together than they are large.
static bool is_small(const gz_point_box *b, const gz_node *node, int lane) {
    return node->half[0][lane] + node->half[1][lane] + node->half[2][lane] <= b->small;
}

static bool find_near_box(const gz_point_box *b, graze_stats *stats) {
    const gz_point_tree *tree = b->tree;
    if (tree->root < 0) return leaf_near_box(b, &tree->leaves[~tree->root], &tree->box) != 0;
    gz_traversal walk;
    gz_traversal_start(&walk, tree->root);
    for (int32_t index; gz_traversal_next(&walk, &index);) {
        const gz_node *node = &tree->nodes[index];
        stats->node_tests++;
        for (unsigned mask = children_near_box(b, node); mask; mask &= mask - 1) {
            int lane = __builtin_ctz(mask);
            int32_t child = node->child[lane];
            if (is_small(b, node, lane)) return true;
            if (child >= 0) {
                prefetch(tree, child);
                gz_traversal_push(&walk, child);
                continue;
            }
            gz_box own = gz_node_box(node, lane);
            if (leaf_near_box(b, &tree->leaves[~child], &own)) return true;
        }
    }
    return false;
}

static void test_leaf(gz_point_box *b, const gz_point_leaf *leaf, const gz_box *own) {
    for (unsigned near = leaf_near_box(b, leaf, own); near; near &= near - 1) {
        uint32_t point = leaf->point[__builtin_ctz(near)];
        if (point >= b->limit) return; // they ascend
        if (b->accepts(b->user, point)) b->limit = point;
    }
}

/// Recursion as deep as the tree, which is GZ_TREE_DEPTH at most.
static void test_node(gz_point_box *b, const gz_node *node, graze_stats *stats) {
    stats->node_tests++;
    for (unsigned mask = children_near_box(b, node); mask;) {
        int lane = next_lowest(b->tree, node, &mask);
        int32_t child = node->child[lane];
        if (gz_point_tree_lowest(b->tree, child) >= b->limit) return; // the others are higher
        if (child >= 0) {
            test_node(b, &b->tree->nodes[child], stats);
            continue;
        }
        gz_box own = gz_node_box(node, lane);
        test_leaf(b, &b->tree->leaves[~child], &own);
    }
}

static void find_lowest(gz_point_box *b, graze_stats *stats) {
    const gz_point_tree *tree = b->tree;
    if (tree->root < 0)
        test_leaf(b, &tree->leaves[~tree->root], &tree->box);
    else
        test_node(b, tree->nodes, stats);
}
