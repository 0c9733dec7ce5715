// A curved solid against a tree of points, by distances from its axis: a part of point_pair_body.h,
// and file-local as that is.

#include "narrow/points/point_lanes.inl"

/// Lanes of points within reach of the axis, `slack` more for each. A point of the axis that is off
/// by some way is at most that much too far: 8 u of the way to the axis's end, which the pad
/// covers.
static unsigned axis_near(const gz_point_pair *p, const lanes3 *at, gz_f8 slack) {
    lanes3 d = sub_lanes(*at, spread_point(p->axis)), along = spread_point(p->along);
    gz_f8 t = gz_f8_mul(dot_lanes(d, along), gz_f8_all(p->inverse));
    t = gz_f8_min(gz_f8_max(t, gz_f8_all(0)), gz_f8_all(1));
    d = sub_lanes(d, scale_lanes(along, t));
    gz_f8 reach = gz_f8_mul(gz_f8_add(slack, gz_f8_all(p->reach)), gz_f8_all(ROUND_UP));
    return ~gz_f8_mask(gz_f8_greater(dot_lanes(d, d), gz_f8_mul(reach, reach))) & 0xff;
}

/// Children of a node within reach of the axis: by their boxes, and by the balls around these. The
/// sum of the half extents is no less than the radius; empty lanes fail by the boxes.
static unsigned children_near(const gz_point_pair *p, const gz_node *node) {
    unsigned mask = boxes_near(node->center, node->half, &p->axis_box, p->reach);
    if (!mask) return 0;
    lanes3 center = load_lanes3(node->center), half = load_lanes3(node->half);
    gz_f8 slack = gz_f8_add(gz_f8_add(half.x, half.y), half.z);
    return mask & axis_near(p, &center, slack);
}

static void visit_curved_leaf(gz_point_pair *p, const gz_point_leaf *leaf, const gz_box *own) {
    unsigned live = 0;
    for (int run = 0; run < GZ_POINT_LEAF; run += GZ_LANES) {
        lanes3 at = decode_points(leaf, run, own);
        live |= axis_near(p, &at, gz_f8_all(leaf_slack(own))) << run;
    }
    for (live &= leaf_points(p, leaf); live; live &= live - 1) {
        uint32_t point = leaf->point[__builtin_ctz(live)];
        gz_curved ball;
        gz_point_ball_make(p, point, &ball);
        if (!gz_point_ball_counts(p, &ball) || !gz_point_ball_collides(p, &ball)) continue;
        gz_point_pair_record(p, point);
        return; // the lowest of them
    }
}

static void visit_curved(gz_point_pair *p, const gz_node *node) {
    const gz_point_tree *tree = p->query->tree;
    p->stats->node_tests++;
    for (unsigned mask = children_near(p, node); mask && !p->done;) {
        int lane = take_lane(p, node, &mask);
        int32_t child = node->child[lane];
        if (gz_point_tree_lowest(tree, child) >= p->limit) continue;
        if (child >= 0) {
            visit_curved(p, &tree->nodes[child]);
            continue;
        }
        gz_box own = box_of_lane(node->center, node->half, lane);
        visit_curved_leaf(p, &tree->leaves[~child], &own);
    }
}
