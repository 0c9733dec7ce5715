// A shape, or an oriented box, against a tree of points: included by one source file per
// instruction set, which defines POINT_KERNELS (the identifier of the function pointers) first.
// Everything is file-local.

#include <math.h>

#include "math/rounding.h"
#include "narrow/points/point_lanes.inl"

// --------------------------------------------------------- a curved solid, by distances from its
// axis

/// Lanes of points within the threshold of the axis, `slack` more for each. A point of the axis
/// that is off by some way is at most that much too far: 8 u of the way to the axis's end, which
/// the pad covers.
static unsigned axis_near(const gz_point_pair *p, const lanes3 *at, gz_f8 slack) {
    lanes3 d = sub_lanes(*at, spread_point(p->axis)), along = spread_point(p->along);
    gz_f8 t = gz_f8_mul(dot_lanes(d, along), gz_f8_all(p->inverse));
    t = gz_f8_min(gz_f8_max(t, gz_f8_all(0)), gz_f8_all(1));
    d = sub_lanes(d, scale_lanes(along, t));
    gz_f8 threshold = gz_f8_mul(gz_f8_add(slack, gz_f8_all(p->threshold)),
                                gz_f8_all(GZ_ROUND_UP_FEW));
    return ~gz_f8_mask(gz_f8_greater(dot_lanes(d, d), gz_f8_mul(threshold, threshold))) & 0xff;
}

/// Children of a node within the threshold of the axis: by their boxes, and by the balls around
/// these. The sum of the half extents is no less than the radius; empty lanes fail by the boxes.
static unsigned children_near(const gz_point_pair *p, const gz_node *node) {
    unsigned mask = boxes_near(node, &p->axis_box, p->threshold);
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
        int lane = next_lane(p, node, &mask);
        int32_t child = node->child[lane];
        if (gz_point_tree_lowest(tree, child) >= p->limit) continue;
        if (child >= 0) {
            visit_curved(p, &tree->nodes[child]);
            continue;
        }
        gz_box own = gz_node_box(node, lane);
        visit_curved_leaf(p, &tree->leaves[~child], &own);
    }
}

// ------------------------------------------------------------------------------------ a mesh
//
// The tree of points is descended with a list of those subtrees of the mesh that are near. Boxes of
// points are moved into the mesh's frame, so that three axes suffice, by the distance of two
// axis-parallel boxes. Where a list runs empty, no point below is near the surface, and one ray
// decides for all of them.

/// Most subtrees of the mesh in one list. Where a list is too short to refine it, the list keeps
/// the larger subtree.
#define SUBTREES 64

/// Boxes of points with a radius below so many thresholds are tried by one of their points.
#define TRIED_THRESHOLDS 2

/// Room for the subtrees of a list, and for what a descent from one adds.
#define LIST_STACK_SIZE (SUBTREES + GZ_TREE_STACK)

// ---------------------------------------------------------------------- a mesh: leaves of points

/// A leaf of points, seen from the mesh.
typedef struct moved_leaf {
    const gz_point_leaf *leaf;
    gz_box box;                 ///< around the points, moved
    float at[3][GZ_POINT_LEAF]; ///< points, moved
    float threshold;            ///< with what the places are off
    unsigned live;              ///< points that may still collide, a bit each
    unsigned made;              ///< balls that are there
    gz_curved ball[GZ_POINT_LEAF];
} moved_leaf;

static const gz_curved *ball_of(const gz_point_pair *p, moved_leaf *seen, int i) {
    if (!(seen->made >> i & 1)) {
        gz_point_ball_make(p, seen->leaf->point[i], &seen->ball[i]);
        seen->made |= 1u << i;
    }
    return &seen->ball[i];
}

static void move_leaf(const gz_point_pair *p, const gz_point_leaf *leaf, const gz_box *own,
                      const gz_box *moved, moved_leaf *out) {
    out->leaf = leaf;
    out->box = *moved;
    out->threshold = (p->threshold + leaf_slack(own)) * GZ_ROUND_UP_FEW;
    out->live = leaf_points(p, leaf);
    out->made = 0;
    for (int run = 0; run < GZ_POINT_LEAF; run += GZ_LANES) {
        lanes3 x = decode_points(leaf, run, own);
        for (int i = 0; i < 3; i++) {
            gz_f8 sum = dot_lanes(x, spread_point(p->r[i]));
            gz_f8_store(out->at[i] + run, gz_f8_add(sum, gz_f8_all(p->t[i])));
        }
    }
}

/// Points of a leaf that are within the threshold of a box, a bit each.
static unsigned points_near(const float (*at)[GZ_POINT_LEAF], const gz_box *box, float threshold) {
    unsigned bits = 0;
    for (int run = 0; run < GZ_POINT_LEAF; run += GZ_LANES) {
        gz_f8 square = gz_f8_all(0);
        for (int k = 0; k < 3; k++) {
            gz_f8 d = gz_f8_sub(gz_f8_load(at[k] + run), gz_f8_all(box->center[k]));
            square = add_gap(square, gz_f8_sub(gz_f8_abs(d), gz_f8_all(box->half[k])));
        }
        bits |= at_most(square, threshold) << run;
    }
    return bits;
}

/// Whether a ball overlaps some triangle of a packet, in the lanes given.
static bool overlaps_packet(gz_point_pair *p, const gz_curved *ball, const gz_packet *packet,
                            unsigned lanes) {
    for (; lanes; lanes &= lanes - 1)
        if (gz_point_ball_overlaps(p, ball, packet->triangle[__builtin_ctz(lanes)])) return true;
    return false;
}

/// Some points of a leaf, a bit each, against the triangles of a packet that is near them.
static void leaf_packet(gz_point_pair *p, moved_leaf *seen, int32_t index, unsigned near) {
    const gz_packet *packet = &p->mesh->packets[index];
    for (near &= seen->live; near; near &= near - 1) {
        int i = __builtin_ctz(near);
        float at[3] = {seen->at[0][i], seen->at[1][i], seen->at[2][i]};
        p->stats->packet_tests++;
        // The point itself lies somewhere in memory: only what may well collide is fetched.
        unsigned lanes = triangles_near(packet, at, seen->threshold, 0, NULL);
        if (!lanes) continue;
        const gz_curved *ball = ball_of(p, seen, i);
        if (!gz_point_ball_counts(p, ball)) {
            seen->live &= ~(1u << i);
            continue;
        }
        if (!overlaps_packet(p, ball, packet, lanes)) continue;
        gz_point_pair_record(p, seen->leaf->point[i]);
        seen->live &= (1u << i) - 1; // only lower points count from here on
        return;
    }
}

/// Tests the points of a leaf that overlap no triangle one by one, from the lowest on.
static void leaf_inside(gz_point_pair *p, moved_leaf *seen) {
    const float(*at)[GZ_POINT_LEAF] = (const float(*)[GZ_POINT_LEAF])seen->at;
    unsigned live = seen->live & points_near(at, &p->inside, seen->threshold);
    for (; live; live &= live - 1) {
        int i = __builtin_ctz(live);
        if (!gz_point_ball_is_inside(p, ball_of(p, seen, i))) continue;
        gz_point_pair_record(p, seen->leaf->point[i]);
        return; // the lowest of them
    }
}

static bool may_be_inside(const gz_point_pair *p, const gz_box *box) {
    if (!p->solid) return false;
    for (int k = 0; k < 3; k++) {
        float d = box->center[k] - p->inside.center[k];
        if ((d < 0 ? -d : d) > box->half[k] + p->inside.half[k] + p->pad) return false;
    }
    return true;
}

/// Points that no part of the surface is near: all of them are inside, or none is. Their box is a
/// connected set that the snapped surface does not intersect, even where rounding moved both, and
/// on such a set winding numbers do not change. Caps do not count as surface: with them each point
/// is tested by itself.
static void test_far_leaf(gz_point_pair *p, moved_leaf *seen) {
    if (p->cap) {
        leaf_inside(p, seen);
        return;
    }
    int first = __builtin_ctz(seen->live);
    if (gz_point_ball_is_inside(p, ball_of(p, seen, first)))
        gz_point_pair_record(p, seen->leaf->point[first]);
}

/// A part of the mesh, and the points of a leaf that are near its box.
typedef struct near_subtree {
    int32_t reference;
    unsigned points;
} near_subtree;

/// The leaf's points against the mesh below the subtrees near it.
static void descend_list(gz_point_pair *p, moved_leaf *seen, const int32_t *subtrees, int count) {
    const float(*at)[GZ_POINT_LEAF] = (const float(*)[GZ_POINT_LEAF])seen->at;
    near_subtree stack[LIST_STACK_SIZE];
    int top = 0;
    for (int i = 0; i < count; i++) {
        unsigned points = points_near(at, gz_mesh_tree_box(p->mesh, subtrees[i]), seen->threshold);
        if (points & seen->live) stack[top++] = (near_subtree){subtrees[i], points};
    }
    while (top) {
        near_subtree subtree = stack[--top];
        if (!(subtree.points & seen->live)) continue;
        if (subtree.reference < 0) {
            leaf_packet(p, seen, ~subtree.reference, subtree.points);
            if (p->done) return;
            continue;
        }
        const gz_node *node = &p->mesh->nodes[subtree.reference];
        p->stats->node_tests++;
        // The box around the leaf first: it leaves few children for the points by themselves.
        for (unsigned mask = boxes_near(node, &seen->box, p->threshold); mask; mask &= mask - 1) {
            int lane = __builtin_ctz(mask);
            gz_box box = gz_node_box(node, lane);
            unsigned points = points_near(at, &box, seen->threshold) & subtree.points;
            if (points) stack[top++] = (near_subtree){node->child[lane], points};
        }
    }
}

/// One leaf of points against the subtrees of the mesh that are near it.
static void visit_leaf(gz_point_pair *p, const gz_point_leaf *leaf, const gz_box *own,
                       const gz_box *moved, const int32_t *subtrees, int count) {
    moved_leaf seen;
    move_leaf(p, leaf, own, moved, &seen);
    if (!seen.live) return;
    descend_list(p, &seen, subtrees, count);
    if (p->done || !seen.live || !may_be_inside(p, moved)) return;
    if (count) // the surface may pass between the points
        leaf_inside(p, &seen);
    else
        test_far_leaf(p, &seen);
}

// ------------------------------------------------------------------------------------ a node

static float radius_of(const gz_box *box) {
    float square = box->half[0] * box->half[0] + box->half[1] * box->half[1];
    return sqrtf(square + box->half[2] * box->half[2]) * GZ_ROUND_UP_FEW;
}

/// A child of a node of the points, seen from the mesh.
typedef struct moved_child {
    gz_box box;   ///< around its points, moved
    float radius; ///< of the ball around these, with the centre of the box
    int32_t child;
    bool tried; ///< its lowest point has been tested
} moved_child;

/// Tests the lowest point of a child against triangles that its centre may be near. Where the
/// points lie close together that one most likely collides, and nothing below is searched.
static void try_lowest(gz_point_pair *p, moved_child *seen, int32_t packet, unsigned lanes) {
    uint32_t point = gz_point_tree_lowest(p->query->tree, seen->child);
    seen->tried = true;
    if (point >= p->limit) return;
    gz_curved ball;
    gz_point_ball_make(p, point, &ball);
    if (gz_point_ball_counts(p, &ball) &&
        overlaps_packet(p, &ball, &p->mesh->packets[packet], lanes))
        gz_point_pair_record(p, point);
}

/// Whether a child is tested by its centre: where it is not much larger than a ball.
static bool is_tried(const gz_point_pair *p, const moved_child *seen) {
    return !seen->tried && seen->child >= 0 && seen->radius <= TRIED_THRESHOLDS * p->threshold;
}

/// Looks for a triangle near the centre of a child below the subtrees that are smaller than its
/// box; refine() has tested all others.
static void test_center(gz_point_pair *p, moved_child *seen, const int32_t *subtrees, int count) {
    int32_t stack[LIST_STACK_SIZE];
    int top = 0;
    gz_box center = seen->box;
    for (int k = 0; k < 3; k++) center.half[k] = 0;
    for (int i = 0; i < count; i++)
        if (gz_box_size(gz_mesh_tree_box(p->mesh, subtrees[i])) < gz_box_size(&seen->box))
            stack[top++] = subtrees[i];
    while (top) {
        int32_t subtree = stack[--top];
        if (subtree < 0) {
            p->stats->packet_tests++;
            const gz_packet *packet = &p->mesh->packets[~subtree];
            unsigned lanes = triangles_near(packet, center.center, p->threshold, 0, NULL);
            if (!lanes) continue;
            try_lowest(p, seen, ~subtree, lanes);
            return;
        }
        const gz_node *node = &p->mesh->nodes[subtree];
        p->stats->node_tests++;
        for (unsigned mask = boxes_near(node, &center, p->threshold); mask; mask &= mask - 1)
            stack[top++] = node->child[__builtin_ctz(mask)];
    }
}

/// Whether a packet whose box is larger than a box of points, and near it, may hold a triangle that
/// is near: tested for the ball around the points' box. Its centre is off by no more than that of a
/// point, and what its half extents are off is part of the pad (padded_threshold()).
static bool packet_near(gz_point_pair *p, moved_child *seen, int32_t packet) {
    const gz_packet *triangles = &p->mesh->packets[packet];
    p->stats->packet_tests++;
    unsigned close;
    if (!triangles_near(triangles, seen->box.center, p->threshold + seen->radius, p->threshold,
                        &close))
        return false;
    if (close && is_tried(p, seen)) try_lowest(p, seen, packet, close);
    return true;
}

/// Replaces subtrees that are larger than a box of points by those of their children that are near
/// it, while the list is long enough, and leaves out packets without a triangle that is. Boxes of
/// packets alone would not do: of points on a surface that is near some packet's box, but near no
/// triangle, all would have to be tested. Returns how many subtrees are left.
static int refine(gz_point_pair *p, moved_child *seen, int32_t subtrees[SUBTREES], int count) {
    const gz_box *box = &seen->box;
    float size = gz_box_size(box);
    for (int i = 0; i < count && !p->done;) {
        int32_t subtree = subtrees[i];
        if (gz_box_size(gz_mesh_tree_box(p->mesh, subtree)) < size) {
            i++;
            continue;
        }
        if (subtree < 0) {
            if (packet_near(p, seen, ~subtree))
                i++;
            else
                subtrees[i] = subtrees[--count];
            continue;
        }
        const gz_node *node = &p->mesh->nodes[subtree];
        p->stats->node_tests++;
        unsigned mask = boxes_near(node, box, p->threshold);
        if (count - 1 + __builtin_popcount(mask) > SUBTREES) {
            i++;
            continue;
        }
        subtrees[i] = subtrees[--count];
        for (; mask; mask &= mask - 1) subtrees[count++] = node->child[__builtin_ctz(mask)];
    }
    return count;
}

static void move_node(const gz_point_pair *p, const gz_node *node, gz_node *out) {
    gz_f8 c[3], h[3];
    for (int k = 0; k < 3; k++) {
        c[k] = gz_f8_load(node->center[k]);
        h[k] = gz_f8_load(node->half[k]);
    }
    for (int i = 0; i < 3; i++) {
        gz_f8 center = gz_f8_mul(c[0], gz_f8_all(p->r[i][0]));
        gz_f8 half = gz_f8_mul(h[0], gz_f8_all(p->abs_r[i][0]));
        for (int j = 1; j < 3; j++) {
            center = gz_f8_add(center, gz_f8_mul(c[j], gz_f8_all(p->r[i][j])));
            half = gz_f8_add(half, gz_f8_mul(h[j], gz_f8_all(p->abs_r[i][j])));
        }
        gz_f8_store(out->center[i], gz_f8_add(center, gz_f8_all(p->t[i])));
        gz_f8_store(out->half[i], half);
    }
}

/// Lanes that may be inside, as may_be_inside() of one.
static unsigned lanes_inside(const gz_point_pair *p, const gz_node *boxes) {
    gz_f8 apart = gz_f8_all(0);
    for (int k = 0; k < 3; k++) {
        gz_f8 d = gz_f8_sub(gz_f8_load(boxes->center[k]), gz_f8_all(p->inside.center[k]));
        gz_f8 h = gz_f8_add(gz_f8_load(boxes->half[k]), gz_f8_all(p->inside.half[k] + p->pad));
        apart = gz_f8_or(apart, gz_f8_greater(gz_f8_abs(d), h));
    }
    return ~gz_f8_mask(apart) & 0xff;
}

/// Lanes whose boxes are within the threshold of one box, as boxes_near(); least[] becomes no more
/// than how far the two are apart along some axis, below 0 where they overlap along all.
static unsigned boxes_near_subtree(const gz_node *boxes, const gz_box *subtree, float threshold,
                                   gz_f8 *least) {
    gz_f8 square = gz_f8_all(0), most = gz_f8_all(-INFINITY);
    for (int k = 0; k < 3; k++) {
        gz_f8 d = gz_f8_abs(gz_f8_sub(gz_f8_load(boxes->center[k]), gz_f8_all(subtree->center[k])));
        gz_f8 sum = gz_f8_add(gz_f8_load(boxes->half[k]), gz_f8_all(subtree->half[k]));
        gz_f8 gap = gz_f8_sub(d, sum);
        most = gz_f8_max(most, gap);
        square = add_gap(square, gap);
    }
    *least = gz_f8_min(*least, most);
    return at_most(square, threshold);
}

/// Takes one lane of the mask: that which lies deepest in some subtree, so that what collides is
/// found early; where the lowest point is wanted, that which holds the lowest.
static int next_deepest(const gz_point_pair *p, const gz_node *node, const float deep[GZ_LANES],
                        unsigned *mask) {
    if (p->query->lowest) return next_lowest(p->query->tree, node, mask);
    return gz_take_least(deep, mask);
}

/// A child that is to be visited, with the subtrees of the mesh near it.
typedef struct near_child {
    moved_child seen;
    gz_box own; ///< as the tree has it
    int32_t subtrees[SUBTREES];
    int count;
} near_child;

static void visit_node(gz_point_pair *p, const gz_node *node, const int32_t *subtrees, int count);

static void visit_child(gz_point_pair *p, const near_child *c) {
    const gz_point_tree *tree = p->query->tree;
    int32_t child = c->seen.child;
    if (child < 0) {
        visit_leaf(p, &tree->leaves[~child], &c->own, &c->seen.box, c->subtrees, c->count);
    } else if (c->count || p->cap) {
        visit_node(p, &tree->nodes[child], c->subtrees, c->count);
    } else {
        gz_curved ball; // one of all, as in test_far_leaf()
        uint32_t lowest = gz_point_tree_lowest(tree, child);
        gz_point_ball_make(p, lowest, &ball);
        if (gz_point_ball_is_inside(p, &ball)) gz_point_pair_record(p, lowest);
    }
}

/// One node of the points against the subtrees of the mesh that are near it: recursion as deep as
/// that tree, which is GZ_TREE_DEPTH at most. All small nodes are tested before one is entered:
/// where one has a centre near a triangle, nothing below the others matters.
static void visit_node(gz_point_pair *p, const gz_node *node, const int32_t *subtrees, int count) {
    gz_node moved; // boxes alone
    uint8_t near[SUBTREES];
    float deep[GZ_LANES];
    near_child children[GZ_WIDTH];
    unsigned surface = 0;
    int kept = 0;
    move_node(p, node, &moved);
    gz_f8 least = gz_f8_all(INFINITY);
    for (int i = 0; i < count; i++) {
        near[i] = (uint8_t)boxes_near_subtree(&moved, gz_mesh_tree_box(p->mesh, subtrees[i]),
                                              p->threshold, &least);
        surface |= near[i];
    }
    gz_f8_store(deep, least);
    p->stats->node_tests += (uint64_t)count;
    unsigned inside = p->solid ? lanes_inside(p, &moved) : 0;
    unsigned lanes = (surface | inside) & ((1u << node->count) - 1);
    // Boxes that are larger than the mesh grow most when they are moved: these are tested as they
    // are, too.
    if (lanes && count && subtrees[0] == p->mesh->root)
        lanes &= children_near_box(&p->around, node);
    while (lanes && !p->done) {
        int lane = next_deepest(p, node, deep, &lanes);
        near_child *c = &children[kept];
        c->own = gz_node_box(node, lane);
        c->seen.box = gz_node_box(&moved, lane);
        c->seen.radius = radius_of(&c->own);
        c->seen.child = node->child[lane];
        c->seen.tried = false;
        if (!counts(p, c->seen.child)) continue;
        c->count = 0;
        for (int i = 0; i < count; i++)
            if (near[i] >> lane & 1) c->subtrees[c->count++] = subtrees[i];
        c->count = refine(p, &c->seen, c->subtrees, c->count);
        if (!c->count && !(inside >> lane & 1)) continue;
        prefetch(p->query->tree, c->seen.child);
        if (c->seen.child < 0 || c->seen.radius > TRIED_THRESHOLDS * p->threshold) {
            visit_child(p, c);
            continue;
        }
        if (c->count && !c->seen.tried) test_center(p, &c->seen, c->subtrees, c->count);
        kept++;
    }
    for (int i = 0; i < kept && !p->done; i++)
        if (counts(p, children[i].seen.child)) visit_child(p, &children[i]);
}

// ------------------------------------------------------------------------------------ any shape

/// The tree as one child, where it is no more than a leaf.
static gz_node only_leaf(const gz_point_tree *tree) {
    gz_node node;
    gz_node_clear(&node);
    gz_node_add(&node, tree->box, tree->root);
    return node;
}

static void traverse_points(gz_point_pair *p) {
    const gz_point_tree *tree = p->query->tree;
    gz_node single;
    const gz_node *root = tree->nodes;
    if (tree->root < 0) {
        single = only_leaf(tree);
        root = &single;
    }
    if (p->mesh)
        visit_node(p, root, &p->mesh->root, 1);
    else
        visit_curved(p, root);
}

const gz_point_kernels POINT_KERNELS = {traverse_points, find_near_box, find_lowest};
