// Nodes and packets of the trees: the functions of the narrow phase's inner loop themselves.
// Included by one source file per instruction set, which defines BOUNDS_FORM (the identifier of the
// table), BOUNDS_FORM_KIND (the first of its tallies) and TREE_PAIR_KERNELS (see
// narrow/tree_pair.inl) first.
#define TREE_PAIR_NAME "oracle"
extern const struct gz_kernels TREE_PAIR_KERNELS;
#include "narrow/tree_pair.inl"

#include <math.h>
#include <string.h>

#include "bounds.h"
#include "math/transform.h"

/// One side: a mesh in its pose and a place in its tree.
typedef struct side {
    const graze_mesh *mesh;
    double pose[12];
    int32_t reference; ///< node or packet, as gz_node.child
    gz_box box;
} side;

static const graze_mesh *draw_mesh(campaign *c) {
    return c->meshes[gz_random_below(&c->random, (uint32_t)c->mesh_count)];
}

/// Triangles below a reference.
static size_t triangles_below(const graze_mesh *mesh, int32_t reference) {
    if (reference < 0) return (size_t)mesh->packets[~reference].count;
    size_t sum = 0;
    for (int i = 0; i < mesh->nodes[reference].count; i++)
        sum += triangles_below(mesh, mesh->nodes[reference].child[i]);
    return sum;
}

static double *snap_below(const side *s, int32_t reference, double *out) {
    if (reference >= 0) {
        for (int i = 0; i < s->mesh->nodes[reference].count; i++)
            out = snap_below(s, s->mesh->nodes[reference].child[i], out);
        return out;
    }
    const gz_packet *p = &s->mesh->packets[~reference];
    for (int lane = 0; lane < p->count; lane++, out += 9)
        gz_triangle_snap(s->mesh, s->pose, p->triangle[lane], (double(*)[3])out);
    return out;
}

/// All snapped corners below a reference, in scratch `which`; returns how many.
static size_t gather(campaign *c, int which, const side *s, int32_t reference) {
    size_t count = 3 * triangles_below(s->mesh, reference);
    snap_below(s, reference, bounds_points(c, which, count));
    return count;
}

/// A place in the tree, mostly low down, where there are most and little is to be proved.
static bool draw_place(campaign *c, side *s, bool node) {
    const graze_mesh *m = s->mesh;
    bool any = gz_random_below(&c->random, 64) == 0;
    for (int i = 0; i < 8; i++) {
        bool packet = !node && (m->node_count == 0 || gz_random_below(&c->random, 2));
        if (packet) {
            uint32_t at = gz_random_below(&c->random, (uint32_t)m->packet_count);
            s->reference = ~(int32_t)at;
            s->box = m->packet_boxes[at];
            return true;
        }
        if (m->node_count == 0) return false;
        uint32_t at = gz_random_below(&c->random, (uint32_t)m->node_count);
        if (!any && triangles_below(m, (int32_t)at) > 64) continue;
        s->reference = (int32_t)at;
        s->box = m->node_boxes[at];
        return true;
    }
    return false;
}

// ------------------------------------------------------------------------------------------- nodes

/// The largest of the 15 gaps of two boxes, in double: errors are 2^-29 of float's. `axis` is the
/// direction of that gap, in the frame of the first. r, t map the second's frame to the first's.
static double box_gap(const double ca[3], const double ha[3], const gz_box *box,
                      const double rel[12], double axis[3]) {
    double cb[3], d[3], r[3][3], best = -INFINITY;
    const double center[3] = {box->center[0], box->center[1], box->center[2]};
    gz_transform_apply(rel, center, cb);
    gz_subtract(ca, cb, d);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r[i][j] = rel[4 * i + j];
    for (int test = 0; test < 15; test++) {
        double n[3] = {0, 0, 0}, along = 0, extent = 0;
        if (test < 3) {
            n[test] = 1;
        } else if (test < 6) {
            for (int k = 0; k < 3; k++) n[k] = r[k][test - 3];
        } else {
            const double e[3] = {(test - 6) / 3 == 0, (test - 6) / 3 == 1, (test - 6) / 3 == 2};
            const double column[3] = {r[0][test % 3], r[1][test % 3], r[2][test % 3]};
            gz_cross(e, column, n);
        }
        for (int k = 0; k < 3; k++) {
            const double column[3] = {r[0][k], r[1][k], r[2][k]};
            along += n[k] * d[k];
            extent += fabs(n[k]) * ha[k] + fabs(gz_dot(n, column)) * (double)box->half[k];
        }
        double gap = fabs(along) - extent;
        if (gap <= best) continue;
        best = gap;
        for (int k = 0; k < 3; k++) axis[k] = along < 0 ? -n[k] : n[k];
    }
    return best;
}

/// What one lane of a node test sees: the child's box in its frame, and the way from the other's.
typedef struct node_case {
    const side *own, *other; ///< own has the node
    double center[3], half[3], rel[12], axis[3], gap;
    int lane;
} node_case;

static void test_node(node_case *n) {
    const gz_node *node = &n->own->mesh->nodes[n->own->reference];
    for (int k = 0; k < 3; k++) {
        n->center[k] = node->center[k][n->lane];
        n->half[k] = node->half[k][n->lane];
    }
    gz_transform_relative(n->other->pose, n->own->pose, n->rel);
    n->gap = box_gap(n->center, n->half, &n->other->box, n->rel, n->axis);
}

static unsigned query(const gz_tree_pair *pair, const side *own, const side *other, bool back,
                      float pad) {
    const gz_node *node = &own->mesh->nodes[own->reference];
    gz_tree_pair p = *pair; // the kernel takes arrays that are not const
    float keys[GZ_WIDTH], (*r)[3] = back ? p.to_a : p.to_b;
    float(*abs_r)[3] = back ? p.abs_to_a : p.abs_to_b, *t = back ? p.to_a_shift : p.to_b_shift;
    return p.margin > 0 ? node_mask(node, &other->box, r, abs_r, t, pad, p.float_margin, keys, true)
                        : node_mask(node, &other->box, r, abs_r, t, pad, 0, keys, false);
}

/// Of these tallies, those of margins come behind the others.
static tally *tally_of(campaign *c, int kind, const gz_tree_pair *pair) {
    return &c->tallies[BOUNDS_FORM_KIND + kind + (pair->margin > 0 ? TREE_KINDS / 2 : 0)];
}

/// Whether two triangles may be no farther apart than the margin.
static bool overlaps(campaign *c, const double a[9], const double b[9], double margin) {
    if (margin > 0)
        return !separation_search(&c->separation, a, 3, b, 3, margin) &&
               rational_distance_within(c->distance, a, b, &margin, 1);
    return !separation_of_triangles(&c->separation, a, b) && rational_clip_overlap(c->clip, a, b);
}

/// The pair in its poses; its margin stays.
static void prepare(gz_tree_pair *pair, const side *a, const side *b) {
    double margin = pair->margin;
    gz_tree_pair_prepare(pair, a->mesh, a->pose, b->mesh, b->pose, false);
    if (margin > 0) gz_tree_pair_grow(pair, margin);
}

/// Half of the pairs have a margin, from next to nothing to the size of both.
static double draw_margin(campaign *c, const side *a, const side *b) {
    double size = a->mesh->max_abs + b->mesh->max_abs;
    return gz_random_below(&c->random, 2) ? size * exp2(gz_random_range(&c->random, -40, 0)) : 0;
}

/// The pad up to which one lane is called apart: the largest gap as float sees it.
static double float_gap(const gz_tree_pair *pair, const node_case *n, bool back, double around,
                        double width) {
    double low = around - width, high = around + width;
    for (int i = 0; i < 40; i++) {
        double middle = 0.5 * (low + high);
        bool apart = !(query(pair, n->own, n->other, back, (float)middle) >> n->lane & 1);
        *(apart ? &low : &high) = middle;
    }
    return low;
}

static void prove_lane(campaign *c, node_case *n, const gz_tree_pair *pair) {
    tally *t = tally_of(c, NODES, pair);
    t->apart++;
    const gz_node *node = &n->own->mesh->nodes[n->own->reference];
    test_node(n);
    size_t own = gather(c, 0, n->own, node->child[n->lane]);
    size_t other = gather(c, 1, n->other, n->other->reference);
    double world[3];
    gz_transform_rotate(n->own->pose, n->axis, world); // from the other towards the node's child
    if (separation_prove_beyond(&c->separation, world, c->points[1], other, c->points[0], own,
                                pair->margin) ||
        separation_search(&c->separation, c->points[0], own, c->points[1], other, pair->margin))
        return;
    // Along no direction that was found: then triangle by triangle.
    for (size_t i = 0; i < own; i += 3)
        for (size_t j = 0; j < other; j += 3)
            if (overlaps(c, c->points[0] + 3 * i, c->points[1] + 3 * j, pair->margin)) {
                t->wrong++;
                return;
            }
}

/// Moves the other side so that the widest gap is within some pads of touching, and measures how
/// far off float sees it. Parallel edges span no direction: then nothing is moved.
static void approach(campaign *c, gz_tree_pair *pair, node_case *n, side *a, side *b, bool back) {
    side *other = back ? b : a;
    for (int pass = 0; pass < 2; pass++) { // the pad shrinks with the distance
        double world[3], pad = (double)(pair->box_pad - pair->float_margin);
        double wanted = pair->margin + gz_random_range(&c->random, -1, 3) * pad;
        test_node(n);
        gz_transform_rotate(n->own->pose, n->axis, world);
        double square = gz_dot(world, world);
        if (!(square > 1e-6)) return;
        for (int k = 0; k < 3; k++) other->pose[4 * k + 3] += (n->gap - wanted) / square * world[k];
        prepare(pair, a, b);
    }
    test_node(n);
    if (pair->margin > 0) return; // the filter has two ways to reject: no gap is seen alone
    double seen = float_gap(pair, n, back, n->gap, 4 * (double)pair->box_pad);
    bounds_measure(tally_of(c, NODES, pair), fabs(seen - n->gap), pair->box_pad);
}

static void try_nodes(campaign *c) {
    side a = {.mesh = draw_mesh(c)}, b = {.mesh = draw_mesh(c)};
    bool back = gz_random_below(&c->random, 2);
    side *own = back ? &a : &b, *other = back ? &b : &a;
    if (!draw_place(c, own, true) || !draw_place(c, other, false)) return;
    double far = exp2(gz_random_range(&c->random, -3, 12));
    bounds_pose(c, far, a.pose);
    bounds_pose(c, far, b.pose);
    gz_tree_pair pair = {.margin = draw_margin(c, &a, &b)};
    prepare(&pair, &a, &b);
    node_case n = {.own = own, .other = other};
    const gz_node *node = &own->mesh->nodes[own->reference];
    n.lane = (int)gz_random_below(&c->random, (uint32_t)node->count);
    if (gz_random_below(&c->random, 2)) approach(c, &pair, &n, &a, &b, back);
    unsigned mask = query(&pair, own, other, back, pair.box_pad);
    for (n.lane = 0; n.lane < node->count; n.lane++) {
        tally_of(c, NODES, &pair)->tested++;
        if (!(mask >> n.lane & 1)) prove_lane(c, &n, &pair);
    }
}

// ----------------------------------------------------------------------------------------- packets

/// A point of a triangle: a corner, on an edge, or inside.
static void point_of(campaign *c, const double t[9], double out[3]) {
    double w[3] = {0, 0, 0};
    uint32_t kind = gz_random_below(&c->random, 3), first = gz_random_below(&c->random, 3);
    for (uint32_t k = 0; k <= kind; k++)
        w[(first + k) % 3] = k == kind ? 1 - w[0] - w[1] - w[2]
                                       : gz_random_unit(&c->random) / (kind + 1);
    for (int k = 0; k < 3; k++) out[k] = w[0] * t[k] + w[1] * t[3 + k] + w[2] * t[6 + k];
}

/// The first or the last corner of a triangle along the normal of another: put on the other, it
/// touches it, with all else on one side.
static void corner_over(campaign *c, const double t[9], const double plane[9], double out[3]) {
    double e[3], f[3], n[3], best = -INFINITY, sign = gz_random_below(&c->random, 2) ? 1 : -1;
    gz_subtract(plane + 3, plane, e);
    gz_subtract(plane + 6, plane, f);
    gz_cross(e, f, n);
    for (int k = 0; k < 9; k += 3) {
        double along = sign * gz_dot(n, t + k);
        if (k && !(along > best)) continue;
        best = along;
        memcpy(out, t + k, 3 * sizeof *out);
    }
}

/// packet_mask() for one triangle of A, whether its box is near or not.
static unsigned query_packets(const gz_tree_pair *pair, const side *a, const side *b, int lane,
                              float pad) {
    gz_tree_pair p = *pair;
    packet_pair packets;
    p.triangle_pad = pad;
    p.box_pad = 1e30f;
    if (p.margin > 0)
        return prepare_packets(&p, ~a->reference, ~b->reference, &packets, true)
                   ? packet_mask(&packets, lane, true)
                   : 0;
    return prepare_packets(&p, ~a->reference, ~b->reference, &packets, false)
               ? packet_mask(&packets, lane, false)
               : 0;
}

/// Claims of move_packet(): a triangle of A is apart from the box of a packet of B, so from all its
/// triangles. Then claims of packet_mask().
static void prove_packets(campaign *c, const side *a, const side *b, const gz_tree_pair *pair,
                          int lane, unsigned near) {
    const gz_packet *pa = &a->mesh->packets[~a->reference], *pb = &b->mesh->packets[~b->reference];
    double own[9], other[9];
    gz_triangle_snap(a->mesh, a->pose, pa->triangle[lane], (double(*)[3])own);
    unsigned others = query_packets(pair, a, b, lane, pair->triangle_pad);
    tally *boxes = tally_of(c, MOVED, pair), *triangles = tally_of(c, PACKETS, pair);
    bool apart = !(near >> lane & 1);
    boxes->tested++;
    boxes->apart += apart;
    for (int k = 0; k < pb->count; k++) {
        bool claimed = !(others >> k & 1);
        triangles->tested++;
        triangles->apart += claimed;
        if (!apart && !claimed) continue;
        gz_triangle_snap(b->mesh, b->pose, pb->triangle[k], (double(*)[3])other);
        if (!overlaps(c, own, other, pair->margin)) continue;
        boxes->wrong += apart;
        triangles->wrong += claimed;
    }
}

/// Of two triangles that meet: up to which pad would they be called apart?
static void measure_packet(campaign *c, const side *a, const side *b, const gz_tree_pair *pair,
                           int lane, int other) {
    const gz_packet *pa = &a->mesh->packets[~a->reference], *pb = &b->mesh->packets[~b->reference];
    double own[9], met[9];
    gz_triangle_snap(a->mesh, a->pose, pa->triangle[lane], (double(*)[3])own);
    gz_triangle_snap(b->mesh, b->pose, pb->triangle[other], (double(*)[3])met);
    if (!overlaps(c, own, met, 0)) return;
    double low = 0, high = 4 * (double)pair->triangle_pad;
    for (int i = 0; i < 24; i++) {
        double middle = 0.5 * (low + high);
        bool apart = !(query_packets(pair, a, b, lane, (float)middle) >> other & 1);
        *(apart ? &low : &high) = middle;
    }
    bounds_measure(tally_of(c, PACKETS, pair), low, pair->triangle_pad);
    float again[3][3][GZ_WIDTH];
    gz_tree_pair p = *pair;
    low = 0, high = 4 * (double)pair->box_pad;
    for (int i = 0; i < 24; i++) {
        double middle = 0.5 * (low + high);
        p.box_pad = (float)middle;
        bool apart = !(move_packet(&p, pa, &b->box, again) >> lane & 1);
        *(apart ? &low : &high) = middle;
    }
    bounds_measure(tally_of(c, MOVED, pair), low, pair->box_pad);
}

static void draw_packet(campaign *c, side *s) {
    s->mesh = draw_mesh(c);
    uint32_t at = gz_random_below(&c->random, (uint32_t)s->mesh->packet_count);
    s->reference = ~(int32_t)at;
    s->box = s->mesh->packet_boxes[at];
}

static void try_packets(campaign *c) {
    side a, b;
    draw_packet(c, &a);
    draw_packet(c, &b);
    double far = exp2(gz_random_range(&c->random, -3, 12)), ta[9], tb[9], p[3], q[3];
    bounds_pose(c, far, a.pose);
    bounds_pose(c, far, b.pose);
    const gz_packet *pa = &a.mesh->packets[~a.reference], *pb = &b.mesh->packets[~b.reference];
    int lane = (int)gz_random_below(&c->random, (uint32_t)pa->count);
    int other = (int)gz_random_below(&c->random, (uint32_t)pb->count);
    gz_triangle_snap(a.mesh, a.pose, pa->triangle[lane], (double(*)[3])ta);
    gz_triangle_snap(b.mesh, b.pose, pb->triangle[other], (double(*)[3])tb);
    // A point of one on a point of the other, within some pads.
    point_of(c, ta, p);
    point_of(c, tb, q);
    uint32_t touching = gz_random_below(&c->random, 4);
    if (touching == 0) corner_over(c, ta, tb, p);
    if (touching == 1) corner_over(c, tb, ta, q);
    gz_tree_pair pair = {.margin = draw_margin(c, &a, &b)};
    double off = gz_random_below(&c->random, 3) ? 1e-6 * (a.mesh->max_abs + b.mesh->max_abs) : 0;
    for (int k = 0; k < 3; k++)
        a.pose[4 * k + 3] += q[k] - p[k] + gz_random_range(&c->random, -off, off) +
                             gz_random_range(&c->random, -1, 1) * pair.margin;
    prepare(&pair, &a, &b);
    float moved[3][3][GZ_WIDTH];
    unsigned near = move_packet(&pair, pa, &b.box, moved);
    for (int i = 0; i < pa->count; i++) prove_packets(c, &a, &b, &pair, i, near);
    if (off == 0 && pair.margin == 0) measure_packet(c, &a, &b, &pair, lane, other);
}

const bounds_form BOUNDS_FORM = {try_nodes, try_packets};
