// An oriented box against a tree of points: a part of point_pair_body.h, and file-local as that is.

#include "narrow/points/point_lanes.inl"

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

static bool look_for_box(const gz_point_box *b, graze_stats *stats) {
    const gz_point_tree *tree = b->tree;
    if (tree->root < 0) return leaf_near_box(b, &tree->leaves[~tree->root], &tree->box) != 0;
    int32_t stack[GZ_TREE_STACK];
    int top = 0;
    stack[top++] = tree->root;
    while (top) {
        const gz_node *node = &tree->nodes[stack[--top]];
        stats->node_tests++;
        for (unsigned mask = children_near_box(b, node); mask; mask &= mask - 1) {
            int lane = __builtin_ctz(mask);
            int32_t child = node->child[lane];
            if (is_small(b, node, lane)) return true;
            if (child >= 0) {
                prefetch(tree, child);
                stack[top++] = child;
                continue;
            }
            gz_box own = box_of_lane(node->center, node->half, lane);
            if (leaf_near_box(b, &tree->leaves[~child], &own)) return true;
        }
    }
    return false;
}

static void judge_leaf(gz_point_box *b, const gz_point_leaf *leaf, const gz_box *own) {
    for (unsigned near = leaf_near_box(b, leaf, own); near; near &= near - 1) {
        uint32_t point = leaf->point[__builtin_ctz(near)];
        if (point >= b->limit) return; // they ascend
        if (b->judge(b->user, point)) b->limit = point;
    }
}

/// Recursion as deep as the tree, which is GZ_TREE_DEPTH at most.
static void judge_node(gz_point_box *b, const gz_node *node, graze_stats *stats) {
    stats->node_tests++;
    for (unsigned mask = children_near_box(b, node); mask;) {
        int lane = take_lowest(b->tree, node, &mask);
        int32_t child = node->child[lane];
        if (gz_point_tree_lowest(b->tree, child) >= b->limit) return; // the others are higher
        if (child >= 0) {
            judge_node(b, &b->tree->nodes[child], stats);
            continue;
        }
        gz_box own = box_of_lane(node->center, node->half, lane);
        judge_leaf(b, &b->tree->leaves[~child], &own);
    }
}

static void look_for_lowest(gz_point_box *b, graze_stats *stats) {
    const gz_point_tree *tree = b->tree;
    if (tree->root < 0)
        judge_leaf(b, &tree->leaves[~tree->root], &tree->box);
    else
        judge_node(b, tree->nodes, stats);
}
