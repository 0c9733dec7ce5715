// The traversal of two trees, and what the tests of proxies share with it: included by one source
// file per instruction set, which defines TREE_PAIR_NAME (a string) and TREE_PAIR_KERNELS (the
// table's identifier) first. Everything is file-local.
//
// Every step exists twice: as the exact verdict needs it, and (`near`, a constant) with a margin.
// Lengths below are those of gz_tree_pair: box_pad holds the margin already.

#include "math/lanes.h"
#include "math/rounding.h"
#include "mesh/bvh/box_tree.h"
#include "mesh/bvh/triangle_lanes.h"
#include "narrow/kernel.h"
#include "narrow/triangle/triangle.h"

/// Each step of a descent removes one entry and adds at most eight; the starts come first.
#define PAIR_STACK_SIZE (2 * GZ_TREE_STACK + 64)

#define ALWAYS static inline __attribute__((always_inline))

/// References as in gz_node.child.
typedef struct stack_entry {
    int32_t a, b;
} stack_entry;

/// What the sum of the squares of up to three gaps must exceed: each square and sum is off by at
/// most 2^-24 of itself, and so is this one.
static inline float margin_square(float margin) {
    return margin * margin * GZ_ROUND_UP_FEW;
}

/// The children as node_mask(); without `edges` the cross products are left out, and no
/// keys are given. Fused products round less than the pad allows for.
ALWAYS unsigned axes_mask(const gz_node *node, const gz_box *box, float (*r)[3], float (*abs_r)[3],
                          const float *t, float pad, float margin, float *keys, const bool near,
                          const bool edges) {
    gz_f8 distance[3], half[3], apart = gz_f8_all(0), square = gz_f8_all(0);

    // The node's axes.
    for (int i = 0; i < 3; i++) {
        float c = ((r[i][0] * box->center[0] + r[i][1] * box->center[1]) +
                   r[i][2] * box->center[2]) +
                  t[i];
        float h = ((abs_r[i][0] * box->half[0] + abs_r[i][1] * box->half[1]) +
                   abs_r[i][2] * box->half[2]) +
                  pad;
        distance[i] = gz_f8_sub(gz_f8_load(node->center[i]), gz_f8_all(c));
        half[i] = gz_f8_load(node->half[i]);
        gz_f8 out = gz_f8_greater(gz_f8_abs(distance[i]), gz_f8_add(half[i], gz_f8_all(h)));
        apart = gz_f8_or(apart, out);
        if (near) {
            gz_f8 both = gz_f8_add(half[i], gz_f8_all(h - margin));
            square = add_gap(square, gz_f8_sub(gz_f8_abs(distance[i]), both));
        }
    }
    if (near) apart = gz_f8_or(apart, gz_f8_greater(square, gz_f8_all(margin_square(margin))));
    unsigned apart_mask = gz_f8_mask(apart);
    if (apart_mask == 0xff) return 0;

    // The box's axes.
    for (int j = 0; j < 3; j++) {
        gz_f8 p = gz_f8_mul(distance[0], gz_f8_all(r[0][j]));
        p = gz_f8_muladd(distance[1], gz_f8_all(r[1][j]), p);
        p = gz_f8_muladd(distance[2], gz_f8_all(r[2][j]), p);
        gz_f8 h = gz_f8_muladd(half[0], gz_f8_all(abs_r[0][j]), gz_f8_all(box->half[j] + pad));
        h = gz_f8_muladd(half[1], gz_f8_all(abs_r[1][j]), h);
        h = gz_f8_muladd(half[2], gz_f8_all(abs_r[2][j]), h);
        apart = gz_f8_or(apart, gz_f8_greater(gz_f8_abs(p), h));
    }
    apart_mask = gz_f8_mask(apart);
    if (apart_mask == 0xff || !edges) return ~apart_mask & 0xff;

    // Cross products of the node's axis i and the box's axis j.
    for (int i = 0; i < 3; i++) {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            gz_f8 p = gz_f8_sub(gz_f8_mul(distance[i2], gz_f8_all(r[i1][j])),
                                gz_f8_mul(distance[i1], gz_f8_all(r[i2][j])));
            float own = box->half[j1] * abs_r[i][j2] + box->half[j2] * abs_r[i][j1] + pad;
            gz_f8 h = gz_f8_muladd(half[i2], gz_f8_all(abs_r[i1][j]), gz_f8_all(own));
            h = gz_f8_muladd(half[i1], gz_f8_all(abs_r[i2][j]), h);
            apart = gz_f8_or(apart, gz_f8_greater(gz_f8_abs(p), h));
        }
    }
    gz_f8 key = gz_f8_sub(gz_f8_abs(distance[0]), half[0]);
    key = gz_f8_max(key, gz_f8_sub(gz_f8_abs(distance[1]), half[1]));
    key = gz_f8_max(key, gz_f8_sub(gz_f8_abs(distance[2]), half[2]));
    gz_f8_store(keys, key);
    return ~gz_f8_mask(apart) & 0xff;
}

/// Which children of a node a box of another frame may overlap: bit i for child i. r and t map the
/// box's frame to the node's. The separating axes are the node's three, the box's three, and their
/// nine cross products (Gottschalk, Lin and Manocha 1996, section 5). Under a margin also the
/// distance of the node's box and the box around the other in its frame, by its square.
ALWAYS unsigned node_mask(const gz_node *node, const gz_box *box, float (*r)[3], float (*abs_r)[3],
                          const float *t, float pad, float margin, float *keys, const bool near) {
    return axes_mask(node, box, r, abs_r, t, pad, margin, keys, near, true);
}

/// An upper bound of |n|, above it by less than 16 %, given the sum of the magnitudes: for x >= y
/// >= z >= 0 is |n| <= x + 0.41422 (y + z), since |(x, y)| <= x + (sqrt 2 - 1) y, and likewise with
/// z (convex in it, and true at both ends); by Cauchy and Schwarz that is at most 1.16 |n|. Beyond
/// sqrt 2 - 1 by 6e-6: the rounding here is 2^-22.
static inline gz_f8 length_bound(lanes3 n, gz_f8 sum) {
    gz_f8 most = gz_f8_max(gz_f8_abs(n.x), gz_f8_max(gz_f8_abs(n.y), gz_f8_abs(n.z)));
    return gz_f8_add(gz_f8_mul(most, gz_f8_all(0.58579f)), gz_f8_mul(sum, gz_f8_all(0.41422f)));
}

/// How far two packets' triangles must be apart, for every pair of lanes.
typedef struct packet_pads {
    float pad, margin;
    float flat; ///< flat_slack(), and underflow: terms below 2^-126 times coordinates up to 2^21
} packet_pads;

/// An axis is the cross product of two edges, e and f, and both ends of an edge are as far along
/// it; so one is enough. Computed in float it is off by 2 u |e| |f| per coordinate in products and
/// differences, u = 2^-24, and so its product with an edge g by 4 u |e| |f| |g|. The edges are
/// those of triangles of one packet, or one of each: with H the largest sum of the half extents of
/// their boxes, no edge is longer than 2 H (1 + u), and 40 u H^3 covers either triangle; 96 covers
/// both, what was rounded before (moved vertices, edges: u of each times |n|, which the pad
/// covers), and this.
static float flat_slack(const gz_box *a, const gz_box *b) {
    float ha = a->half[0] + a->half[1] + a->half[2], hb = b->half[0] + b->half[1] + b->half[2];
    float h = ha > hb ? ha : hb;
    return 96 * 0x1p-24f * h * h * h + 1e-30f;
}

/// What a gap along n must exceed.
ALWAYS gz_f8 pad_along(lanes3 n, const packet_pads *pads, const bool near) {
    gz_f8 size = gz_f8_add(gz_f8_add(gz_f8_abs(n.x), gz_f8_abs(n.y)), gz_f8_abs(n.z));
    gz_f8 out = gz_f8_add(gz_f8_mul(size, gz_f8_all(pads->pad)), gz_f8_all(pads->flat));
    if (near) out = gz_f8_add(out, gz_f8_mul(length_bound(n, size), gz_f8_all(pads->margin)));
    return out;
}

/// The planes of eight triangles.
typedef struct plane_lanes {
    lanes3 n;
    gz_f8 offset; ///< of a corner along n
    gz_f8 pad;
} plane_lanes;

ALWAYS plane_lanes make_planes(const lanes3 v[3], const packet_pads *pads, const bool near) {
    plane_lanes out;
    out.n = cross_lanes(sub_lanes(v[1], v[0]), sub_lanes(v[2], v[1]));
    out.offset = dot_lanes(out.n, v[0]);
    out.pad = pad_along(out.n, pads, near);
    return out;
}

/// As dot_lanes(); inlined in any case, as a call would copy both operands to the stack.
ALWAYS gz_f8 dot_normal(const lanes3 *n, const lanes3 *v) {
    gz_f8 xy = gz_f8_add(gz_f8_mul(n->x, v->x), gz_f8_mul(n->y, v->y));
    return gz_f8_add(xy, gz_f8_mul(n->z, v->z));
}

/// Lanes in which a triangle lies on one side of a plane, beyond its pad.
static inline gz_f8 beside_plane(const plane_lanes *plane, const lanes3 v[3]) {
    gz_f8 d0 = dot_normal(&plane->n, &v[0]), d1 = dot_normal(&plane->n, &v[1]),
          d2 = dot_normal(&plane->n, &v[2]);
    gz_f8 low = gz_f8_min(d0, gz_f8_min(d1, d2)), high = gz_f8_max(d0, gz_f8_max(d1, d2));
    gz_f8 gap = gz_f8_max(gz_f8_sub(low, plane->offset), gz_f8_sub(plane->offset, high));
    return gz_f8_greater(gap, plane->pad);
}

/// Lanes in which two triangles are apart along the cross product of their edges ea = a1 - a0 and
/// eb = b1 - b0; a2 and b2 are the other corners.
ALWAYS gz_f8 apart_across(lanes3 ea, lanes3 a0, lanes3 a2, lanes3 eb, lanes3 b0, lanes3 b2,
                          const packet_pads *pads, const bool near) {
    lanes3 n = cross_lanes(ea, eb);
    gz_f8 pa = dot_lanes(n, a0), qa = dot_lanes(n, a2), pb = dot_lanes(n, b0),
          qb = dot_lanes(n, b2);
    gz_f8 gap = gz_f8_max(gz_f8_sub(gz_f8_min(pb, qb), gz_f8_max(pa, qa)),
                          gz_f8_sub(gz_f8_min(pa, qa), gz_f8_max(pb, qb)));
    return gz_f8_greater(gap, pad_along(n, pads, near));
}

/// One lane of eight, in all lanes.
static inline lanes3 spread_corner(const float (*corner)[GZ_WIDTH], int lane) {
    return (lanes3){gz_f8_all(corner[0][lane]), gz_f8_all(corner[1][lane]),
                    gz_f8_all(corner[2][lane])};
}

/// The gap between the extents of two triangles along one axis.
static inline gz_f8 extent_gap(gz_f8 a0, gz_f8 a1, gz_f8 a2, gz_f8 b0, gz_f8 b1, gz_f8 b2) {
    gz_f8 a_low = gz_f8_min(a0, gz_f8_min(a1, a2)), a_high = gz_f8_max(a0, gz_f8_max(a1, a2));
    gz_f8 b_low = gz_f8_min(b0, gz_f8_min(b1, b2)), b_high = gz_f8_max(b0, gz_f8_max(b1, b2));
    return gz_f8_max(gz_f8_sub(b_low, a_high), gz_f8_sub(a_low, b_high));
}

/// Lanes in which the boxes of two triangles, in this frame, are farther apart than the margin.
static inline gz_f8 boxes_far(const lanes3 a[3], const lanes3 b[3], const packet_pads *pads) {
    gz_f8 pad = gz_f8_all(pads->pad), square = gz_f8_all(0);
    gz_f8 x = extent_gap(a[0].x, a[1].x, a[2].x, b[0].x, b[1].x, b[2].x);
    gz_f8 y = extent_gap(a[0].y, a[1].y, a[2].y, b[0].y, b[1].y, b[2].y);
    gz_f8 z = extent_gap(a[0].z, a[1].z, a[2].z, b[0].z, b[1].z, b[2].z);
    square = add_gap(square, gz_f8_sub(x, pad));
    square = add_gap(square, gz_f8_sub(y, pad));
    square = add_gap(square, gz_f8_sub(z, pad));
    return gz_f8_greater(square, gz_f8_all(margin_square(pads->margin)));
}

/// Two packets in the frame of b, and what every pair of their lanes needs.
typedef struct packet_pair {
    float moved[3][3][GZ_WIDTH]; ///< a's corners
    float planes[5][GZ_WIDTH];   ///< a's: n, offset, pad
    lanes3 b[3];
    plane_lanes b_planes;
    packet_pads pads;
    unsigned b_lanes; ///< in use
} packet_pair;

/// Lanes of b that one triangle of a, lane `own`, may overlap.
ALWAYS unsigned packet_mask(const packet_pair *p, int own, const bool near) {
    lanes3 a[3];
    for (int k = 0; k < 3; k++) a[k] = spread_corner((const float(*)[GZ_WIDTH])p->moved[k], own);

    // Both planes (Moeller's rejections): most end here.
    plane_lanes plane = {.n = spread_corner((const float(*)[GZ_WIDTH])p->planes, own),
                         .offset = gz_f8_all(p->planes[3][own]),
                         .pad = gz_f8_all(p->planes[4][own])};
    gz_f8 apart = gz_f8_or(beside_plane(&p->b_planes, a), beside_plane(&plane, p->b));
    if (near) apart = gz_f8_or(apart, boxes_far(a, p->b, &p->pads));
    unsigned left = p->b_lanes & ~gz_f8_mask(apart);
    if (!left) return 0;

    // Cross products of the edges.
    lanes3 eb[3];
    for (int k = 0; k < 3; k++) eb[k] = sub_lanes(p->b[(k + 1) % 3], p->b[k]);
    for (int i = 0; i < 3; i++) {
        lanes3 ea = sub_lanes(a[(i + 1) % 3], a[i]);
        for (int j = 0; j < 3; j++)
            apart = gz_f8_or(apart, apart_across(ea, a[i], a[(i + 2) % 3], eb[j], p->b[j],
                                                 p->b[(j + 2) % 3], &p->pads, near));
        left &= ~gz_f8_mask(apart);
        if (!left) return 0;
    }
    return left;
}

#include "narrow/prefilter/proxy_pair.inl"

/// Moves the triangles of a packet of A into B's frame: [corner][axis][lane]. Returns the lanes
/// whose triangles the box may overlap.
static inline unsigned move_packet(const gz_tree_pair *pair, const gz_packet *packet,
                                   const gz_box *box, float (*out)[3][GZ_WIDTH]) {
    gz_f8 apart = gz_f8_all(0);
    for (int i = 0; i < 3; i++) {
        gz_f8 low = gz_f8_all(0), high = low;
        for (int corner = 0; corner < 3; corner++) {
            gz_f8 p = gz_f8_mul(gz_f8_load(packet->vertex[corner][0]), gz_f8_all(pair->to_b[i][0]));
            for (int j = 1; j < 3; j++)
                p = gz_f8_add(p, gz_f8_mul(gz_f8_load(packet->vertex[corner][j]),
                                           gz_f8_all(pair->to_b[i][j])));
            p = gz_f8_add(p, gz_f8_all(pair->to_b_shift[i]));
            gz_f8_store(out[corner][i], p);
            low = corner ? gz_f8_min(low, p) : p;
            high = corner ? gz_f8_max(high, p) : p;
        }
        float pad = box->half[i] + pair->box_pad;
        gz_f8 gap = gz_f8_max(gz_f8_sub(low, gz_f8_all(box->center[i])),
                              gz_f8_sub(gz_f8_all(box->center[i]), high));
        apart = gz_f8_or(apart, gz_f8_greater(gap, gz_f8_all(pad)));
    }
    return ~gz_f8_mask(apart) & ((1u << packet->count) - 1);
}

/// Fills what lane pairs share; returns the lanes of a that b's box may overlap.
ALWAYS unsigned prepare_packets(const gz_tree_pair *pair, int32_t ia, int32_t ib, packet_pair *p,
                                const bool near) {
    const gz_packet *pb = &pair->b->packets[ib];
    const gz_box *box_b = &pair->b->packet_boxes[ib];
    unsigned lanes = move_packet(pair, &pair->a->packets[ia], box_b, p->moved);
    if (!lanes) return 0;
    p->pads = (packet_pads){pair->triangle_pad, pair->float_margin,
                            flat_slack(&pair->a->packet_boxes[ia], box_b)};
    p->b_lanes = (1u << pb->count) - 1;
    lanes3 a[3];
    for (int k = 0; k < 3; k++) {
        a[k] = load_lanes3((const float(*)[GZ_WIDTH])p->moved[k]);
        p->b[k] = load_lanes3((const float(*)[GZ_WIDTH])pb->vertex[k]);
    }
    p->b_planes = make_planes(p->b, &p->pads, near);
    plane_lanes planes = make_planes(a, &p->pads, near);
    gz_f8_store(p->planes[0], planes.n.x);
    gz_f8_store(p->planes[1], planes.n.y);
    gz_f8_store(p->planes[2], planes.n.z);
    gz_f8_store(p->planes[3], planes.offset);
    gz_f8_store(p->planes[4], planes.pad);
    return lanes;
}

/// The exact verdict on two triangles; returns whether the traversal may end.
ALWAYS bool test_pair_exactly(gz_tree_pair *pair, uint32_t ta, uint32_t tb, graze_stats *stats,
                              const bool near) {
    if (pair->hit && (ta > pair->triangle_a || (ta == pair->triangle_a && tb >= pair->triangle_b)))
        return false;
    double a[3][3], b[3][3];
    gz_triangle_stats counts = {0};
    gz_triangle_snap(pair->a, pair->pose_a, ta, a);
    gz_triangle_snap(pair->b, pair->pose_b, tb, b);
    bool hit = gz_triangles_overlap_exact(GZ_CORNERS(a), GZ_CORNERS(b), &counts);
    if (near && !hit) hit = gz_triangles_near(GZ_CORNERS(a), GZ_CORNERS(b), pair->margin, &counts);
    stats->triangle_tests += counts.tests;
    stats->exact_tests += counts.exact_tests;
    if (!hit) return false;
    pair->hit = true;
    if (pair->sink) { // every pair counts, so none is too high
        pair->sink->each(pair->sink->user, ta, tb);
        ta = tb = UINT32_MAX;
    }
    pair->triangle_a = ta;
    pair->triangle_b = tb;
    return !pair->lowest;
}

ALWAYS bool test_packets(gz_tree_pair *pair, int32_t ia, int32_t ib, graze_stats *stats,
                         const bool near) {
    const gz_packet *pa = &pair->a->packets[ia], *pb = &pair->b->packets[ib];
    packet_pair packets;
    unsigned lanes = prepare_packets(pair, ia, ib, &packets, near);
    for (; lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        // Once something was hit, only lower triangles matter.
        if (pair->hit && pa->triangle[lane] > pair->triangle_a) continue;
        stats->packet_tests++;
        unsigned others = packet_mask(&packets, lane, near);
        for (; others; others &= others - 1) {
            int other = __builtin_ctz(others);
            if (test_pair_exactly(pair, pa->triangle[lane], pb->triangle[other], stats, near))
                return true;
        }
    }
    return false;
}

ALWAYS void descend(gz_tree_pair *pair, graze_stats *stats, const bool near) {
    const graze_mesh *a = pair->a, *b = pair->b;
    stack_entry stack[PAIR_STACK_SIZE];
    float keys[GZ_WIDTH];
    int top = 0;
    for (int i = 0; pair->hint && i < pair->hint->count; i++) {
        int32_t own = pair->hint->starts[i], entry = pair->hint->entry;
        stack[top++] = pair->hint_swapped ? (stack_entry){entry, own} : (stack_entry){own, entry};
    }
    if (top == 0) stack[top++] = (stack_entry){a->root, b->root};
    // Each step takes a unit, so the steps are counted by what is taken: `most` is what would be
    // left without any.
    uint64_t most = pair->left ? *pair->left : UINT64_MAX, left = most;
    while (top) {
        stack_entry e = stack[--top];
        if (e.a < 0 && e.b < 0) {
            if (test_packets(pair, ~e.a, ~e.b, stats, near)) break;
            uint64_t units = left < GZ_WORK_PACKETS ? left : GZ_WORK_PACKETS;
            most -= units;
            left -= units;
            if (left == 0) break;
            continue;
        }
        if (--left == 0) {
            most--; // this step is not taken
            break;
        }
        const gz_box *box_a = gz_mesh_tree_box(a, e.a), *box_b = gz_mesh_tree_box(b, e.b);
        // Descend into the larger box, unless it is a packet.
        if (e.a < 0 || (e.b >= 0 && gz_box_size(box_b) > gz_box_size(box_a))) {
            const gz_node *node = &b->nodes[e.b];
            unsigned mask = node_mask(node, box_a, pair->to_b, pair->abs_to_b, pair->to_b_shift,
                                      pair->box_pad, pair->float_margin, keys, near);
            if (!mask) continue;
            int first = gz_take_least(keys, &mask);
            for (; mask; mask &= mask - 1)
                stack[top++] = (stack_entry){e.a, node->child[__builtin_ctz(mask)]};
            stack[top++] = (stack_entry){e.a, node->child[first]};
        } else {
            const gz_node *node = &a->nodes[e.a];
            unsigned mask = node_mask(node, box_b, pair->to_a, pair->abs_to_a, pair->to_a_shift,
                                      pair->box_pad, pair->float_margin, keys, near);
            if (!mask) continue;
            int first = gz_take_least(keys, &mask);
            for (; mask; mask &= mask - 1)
                stack[top++] = (stack_entry){node->child[__builtin_ctz(mask)], e.b};
            stack[top++] = (stack_entry){node->child[first], e.b};
        }
    }
    stats->node_tests += most - left;
    if (pair->left) *pair->left = left;
}

static void traverse_pair(gz_tree_pair *pair, graze_stats *stats) {
    descend(pair, stats, false);
}

static void traverse_pair_near(gz_tree_pair *pair, graze_stats *stats) {
    descend(pair, stats, true);
}

const gz_kernels TREE_PAIR_KERNELS = {.name = TREE_PAIR_NAME,
                                      .tree_pair = traverse_pair,
                                      .tree_pair_near = traverse_pair_near,
                                      .proxy_pair = test_proxies};
