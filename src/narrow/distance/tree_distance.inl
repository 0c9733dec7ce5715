// The nearest triangles of two trees, and of a tree and a solid: included by one source file per
// instruction set behind tree_pair.inl, after it has defined DISTANCE_KERNELS, the table's
// identifier.
//
// Every bound is a lower bound of the distance. A gap along an axis is off by less than the pair's
// box_pad (kernel.c), which is a fifth more than what is derived there: that covers 2^-47 of the
// sizes, too, by which a distance that is evaluated in double may be below the real one. Gaps along
// the three axes of one frame make a box around what is between, so the root of the sum of their
// squares is no more than the distance. Frames are rigid up to 1e-9, and squares, sums and roots
// round by less than 16 u: GZ_ROUND_DOWN_FEW.

#include "narrow/distance/tree_distance.h"

/// The square of a limit, or of a limit and a round.
static inline float limit_square(float limit) {
    return limit * limit * GZ_ROUND_UP_FEW;
}

/// Squares of lower bounds of the distances of the children's boxes from a box of another frame; r
/// and t map that frame to the node's. n and m: from the box to the node, in the node's frame and
/// the box's, of length at most 1: a gap along them is off by the pad times |n|_1 <= sqrt 3, and
/// that of m, which is n in the other frame up to rounding that the pad covers. `ahead`: how far
/// the box's content extends from its middle along m. Where all squares are above `most` some are
/// less than they might be.
ALWAYS gz_f8 child_squares(const gz_node *node, const gz_box *box, float (*r)[3], float (*abs_r)[3],
                           const float *t, float pad, const float n[3], float ahead, float most) {
    gz_f8 distance[3], half[3], own = gz_f8_all(0), other = own, along = own, extent = own;
    for (int i = 0; i < 3; i++) {
        float c = ((r[i][0] * box->center[0] + r[i][1] * box->center[1]) +
                   r[i][2] * box->center[2]) +
                  t[i];
        float h = ((abs_r[i][0] * box->half[0] + abs_r[i][1] * box->half[1]) +
                   abs_r[i][2] * box->half[2]) +
                  pad;
        distance[i] = gz_f8_sub(gz_f8_load(node->center[i]), gz_f8_all(c));
        half[i] = gz_f8_load(node->half[i]);
        own = add_gap(own, gz_f8_sub(gz_f8_abs(distance[i]), gz_f8_add(half[i], gz_f8_all(h))));
        along = gz_f8_muladd(distance[i], gz_f8_all(n[i]), along);
        extent = gz_f8_muladd(half[i], gz_f8_all(fabsf(n[i])), extent);
    }
    gz_f8 gap = gz_f8_sub(along, gz_f8_add(extent, gz_f8_all(ahead + 2 * pad)));
    gz_f8 square = gz_f8_max(own, add_gap(gz_f8_all(0), gap)), down = gz_f8_all(GZ_ROUND_DOWN_FEW);
    if (gz_f8_mask(gz_f8_greater(gz_f8_mul(square, down), gz_f8_all(most))) == 0xff)
        return gz_f8_mul(square, down);
    for (int j = 0; j < 3; j++) {
        gz_f8 p = gz_f8_mul(distance[0], gz_f8_all(r[0][j]));
        p = gz_f8_muladd(distance[1], gz_f8_all(r[1][j]), p);
        p = gz_f8_muladd(distance[2], gz_f8_all(r[2][j]), p);
        gz_f8 h = gz_f8_muladd(half[0], gz_f8_all(abs_r[0][j]), gz_f8_all(box->half[j] + pad));
        h = gz_f8_muladd(half[1], gz_f8_all(abs_r[1][j]), h);
        h = gz_f8_muladd(half[2], gz_f8_all(abs_r[2][j]), h);
        other = add_gap(other, gz_f8_sub(gz_f8_abs(p), h));
    }
    return gz_f8_mul(gz_f8_max(square, other), down);
}

/// Lists the children whose squares are at most `most`, the farthest first. Returns how many.
static inline int sort_children(gz_f8 squares, float most, int count, float values[GZ_WIDTH],
                                int order[GZ_WIDTH]) {
    unsigned near = ~gz_f8_mask(gz_f8_greater(squares, gz_f8_all(most))) & ((1u << count) - 1);
    int found = 0;
    gz_f8_store(values, squares);
    for (; near; near &= near - 1) {
        int lane = __builtin_ctz(near), at = found++;
        for (; at > 0 && values[order[at - 1]] < values[lane]; at--) order[at] = order[at - 1];
        order[at] = lane;
    }
    return found;
}

/// Two packets in the search's frame, and which of their pairs of triangles may still be nearer.
typedef struct packet_search {
    float a[3][3][GZ_WIDTH];                   ///< corner, axis
    float low[3][GZ_WIDTH], high[3][GZ_WIDTH]; ///< of a's triangles, by axis
    float square[GZ_WIDTH][GZ_WIDTH];          ///< of lower bounds, by a's lane
    float least[GZ_WIDTH];                     ///< of them, by a's lane
    float estimate[GZ_WIDTH]; ///< of a row: squares of the distances but for rounding
    unsigned open[GZ_WIDTH];  ///< b's lanes, by a's
    gz_f8 b_low[3], b_high[3];
    lanes3 b[3], b_edge[3]; ///< an edge goes from a corner to the next
    gz_f8 b_square[3], b_inverse[3], b_over;
    lanes3 b_normal;
} packet_search;

static inline gz_f8 least_of(gz_f8 x, gz_f8 y, gz_f8 z) {
    return gz_f8_min(x, gz_f8_min(y, z));
}
static inline gz_f8 most_of(gz_f8 x, gz_f8 y, gz_f8 z) {
    return gz_f8_max(x, gz_f8_max(y, z));
}

/// One coordinate of a packet's corners in the search's frame.
static inline void place_corners(const gz_packet *packet, const float row[3], float shift,
                                 gz_f8 out[3]) {
    for (int corner = 0; corner < 3; corner++) {
        out[corner] = gz_f8_all(shift);
        for (int j = 0; j < 3; j++)
            out[corner] = gz_f8_muladd(gz_f8_load(packet->vertex[corner][j]), gz_f8_all(row[j]),
                                       out[corner]);
    }
}

/// Places both packets, first along the direction between the nearest points, where the gap is
/// widest. Returns the lanes of a that may be near enough to all of b.
static inline unsigned place_packets(const gz_tree_search *s, const gz_packet *pa,
                                     const gz_packet *pb, float most, unsigned near,
                                     packet_search *p) {
    gz_f8 square = gz_f8_all(0), pad = gz_f8_all(s->pair.triangle_pad), coordinate[3][3];
    for (int i = 2; i >= 0; i--) {
        gz_f8 x[3], *y = coordinate[i];
        place_corners(pa, s->frame[0][i], s->shift[i], x);
        place_corners(pb, s->frame[1][i], 0, y);
        gz_f8 low = least_of(x[0], x[1], x[2]), high = most_of(x[0], x[1], x[2]);
        p->b_low[i] = least_of(y[0], y[1], y[2]);
        p->b_high[i] = most_of(y[0], y[1], y[2]);
        gz_f8 first = gz_f8_all(gz_f8_least(p->b_low[i])),
              last = gz_f8_all(-gz_f8_least(gz_f8_sub(gz_f8_all(0), p->b_high[i])));
        gz_f8 gap = gz_f8_max(gz_f8_sub(low, last), gz_f8_sub(first, high));
        square = add_gap(square, gz_f8_sub(gap, pad));
        gz_f8 less = gz_f8_mul(square, gz_f8_all(GZ_ROUND_DOWN_FEW));
        near &= ~gz_f8_mask(gz_f8_greater(less, gz_f8_all(most)));
        if (!near) return 0;
        for (int corner = 0; corner < 3; corner++) gz_f8_store(p->a[corner][i], x[corner]);
        gz_f8_store(p->low[i], low);
        gz_f8_store(p->high[i], high);
    }
    for (int k = 0; k < 3; k++)
        p->b[k] = (lanes3){coordinate[0][k], coordinate[1][k], coordinate[2][k]};
    return near;
}

/// Bounds of one triangle of a against all of b, by their boxes.
static inline gz_f8 box_row(const packet_search *p, int lane, float pad) {
    gz_f8 square = gz_f8_all(0);
    for (int i = 0; i < 3; i++) {
        gz_f8 gap = gz_f8_max(gz_f8_sub(p->b_low[i], gz_f8_all(p->high[i][lane])),
                              gz_f8_sub(gz_f8_all(p->low[i][lane]), p->b_high[i]));
        square = add_gap(square, gz_f8_sub(gap, gz_f8_all(pad)));
    }
    return gz_f8_mul(square, gz_f8_all(GZ_ROUND_DOWN_FEW));
}

// The distance of triangles in lanes. The nearest points are found as in triangle_distance.c, in
// float, and nothing rests on them: the bound is the gap of the triangles along the way between
// them.

static inline gz_f8 clamp_lanes(gz_f8 t) {
    return gz_f8_min(gz_f8_max(t, gz_f8_all(0)), gz_f8_all(1));
}

static inline lanes3 go_along(lanes3 p, gz_f8 t, lanes3 e) {
    return (lanes3){gz_f8_muladd(t, e.x, p.x), gz_f8_muladd(t, e.y, p.y),
                    gz_f8_muladd(t, e.z, p.z)};
}

ALWAYS gz_f8 dot_fused(lanes3 a, lanes3 b) {
    return gz_f8_muladd(a.z, b.z, gz_f8_muladd(a.y, b.y, gz_f8_mul(a.x, b.x)));
}

/// One over a square, or over something tiny.
static inline gz_f8 inverse_lanes(gz_f8 square) {
    return gz_f8_div(gz_f8_all(1), gz_f8_max(square, gz_f8_all(1e-30f)));
}

/// Edge e of a from `a` on, against the edges of b.
ALWAYS void edge_ways(const packet_search *p, lanes3 a, lanes3 e, way_lanes *best) {
    gz_f8 ee = dot_fused(e, e), inverse = inverse_lanes(ee), zero = gz_f8_all(0);
    for (int j = 0; j < 3; j++) {
        lanes3 f = p->b_edge[j], r = sub_lanes(a, p->b[j]);
        gz_f8 ff = p->b_square[j], ef = dot_fused(e, f), er = dot_fused(e, r), fr = dot_fused(f, r);
        gz_f8 area = gz_f8_sub(gz_f8_mul(ee, ff), gz_f8_mul(ef, ef));
        gz_f8 s = clamp_lanes(gz_f8_div(gz_f8_sub(gz_f8_mul(ef, fr), gz_f8_mul(er, ff)),
                                        gz_f8_max(area, gz_f8_all(1e-30f))));
        gz_f8 t = clamp_lanes(gz_f8_mul(gz_f8_muladd(ef, s, fr), p->b_inverse[j]));
        s = clamp_lanes(gz_f8_mul(gz_f8_sub(gz_f8_mul(ef, t), er), inverse));
        keep_way(best, go_along(go_along(r, s, e), gz_f8_sub(zero, t), f));
    }
}

/// The way to a corner, d from a face's first, from a point of the face: from its foot, as far as
/// weights between 0 and 1 place it, whatever rounding makes of them.
ALWAYS void face_way(lanes3 d, const lanes3 e[3], lanes3 n, gz_f8 inverse, gz_f8 sign,
                     way_lanes *best) {
    gz_f8 zero = gz_f8_all(0), one = gz_f8_all(1);
    // d = s e0 - t e2 + the way.
    gz_f8 s = gz_f8_mul(dot_fused(n, cross_lanes(e[2], d)), inverse);
    gz_f8 t = gz_f8_mul(dot_fused(n, cross_lanes(e[0], d)), inverse);
    gz_f8 off = gz_f8_greater(zero, gz_f8_min(s, gz_f8_min(t, gz_f8_sub(gz_f8_sub(one, s), t))));
    lanes3 way = go_along(go_along(d, gz_f8_sub(zero, s), e[0]), t, e[2]);
    way = scale_lanes(way, sign);
    way.x = gz_f8_select(way.x, gz_f8_all(1e12f), off);
    keep_way(best, way);
}

/// Bounds and estimates of one triangle of a against all of b.
static void measure_row(const gz_tree_search *s, packet_search *p, int lane,
                        float (*way)[GZ_WIDTH]) {
    lanes3 a[3], e[3];
    way_lanes best = {gz_f8_all(1e30f), {gz_f8_all(0), gz_f8_all(0), gz_f8_all(0)}};
    for (int k = 0; k < 3; k++) a[k] = spread_corner((const float(*)[GZ_WIDTH])p->a[k], lane);
    for (int k = 0; k < 3; k++) e[k] = sub_lanes(a[(k + 1) % 3], a[k]);
    for (int i = 0; i < 3; i++) edge_ways(p, a[i], e[i], &best);
    for (int i = 0; i < 3; i++)
        face_way(sub_lanes(a[i], p->b[0]), p->b_edge, p->b_normal, p->b_over, gz_f8_all(1), &best);
    lanes3 n = cross_lanes(e[0], e[1]);
    gz_f8 over = inverse_lanes(dot_fused(n, n));
    for (int i = 0; i < 3; i++)
        face_way(sub_lanes(p->b[i], a[0]), e, n, over, gz_f8_all(-1), &best);
    // The gap along the way, which is off by the pad for each coordinate of a direction.
    gz_f8 low = least_of(dot_lanes(best.way, a[0]), dot_lanes(best.way, a[1]),
                         dot_lanes(best.way, a[2]));
    gz_f8 high = most_of(dot_lanes(best.way, p->b[0]), dot_lanes(best.way, p->b[1]),
                         dot_lanes(best.way, p->b[2]));
    gz_f8 length = gz_f8_sqrt(gz_f8_max(dot_lanes(best.way, best.way), gz_f8_all(1e-30f)));
    gz_f8 size = gz_f8_add(gz_f8_abs(best.way.x),
                           gz_f8_add(gz_f8_abs(best.way.y), gz_f8_abs(best.way.z)));
    gz_f8 pad = gz_f8_mul(size, gz_f8_all(s->pair.triangle_pad));
    gz_f8 gap = gz_f8_div(gz_f8_sub(gz_f8_sub(low, high), pad), length);
    gz_f8 square = gz_f8_mul(add_gap(gz_f8_all(0), gap), gz_f8_all(GZ_ROUND_DOWN_FEW));
    square = gz_f8_max(square, gz_f8_load(p->square[lane]));
    gz_f8_store(p->square[lane], square);
    gz_f8_store(p->estimate, best.square);
    gz_f8_store(way[0], best.way.x);
    gz_f8_store(way[1], best.way.y);
    gz_f8_store(way[2], best.way.z);
    p->open[lane] &= ~gz_f8_mask(
        gz_f8_greater(square, gz_f8_all(limit_square(s->candidates->limit))));
}

// What may be the nearest is evaluated in double when the search is over, or when there is too much
// of it: until then the limit follows the estimates. The points that an estimate is of are on the
// triangles but for 18 u S a coordinate, of the 24 u S of triangle_pad (proofs/way_points.g): the
// distance is at most 2 triangle_pad above the estimate.

/// Aims the search along the way from b's point to a's, in its frame.
static void aim(gz_tree_search *s, const float way[3]) {
    double n[3];
    for (int k = 0; k < 3; k++)
        n[k] = -((double)s->frame[1][0][k] * (double)way[0] +
                 (double)s->frame[1][1][k] * (double)way[1] +
                 (double)s->frame[1][2][k] * (double)way[2]);
    gz_near_aim(s, n);
}

/// Aims it from one box's middle to the other's, as long as no way is known.
static void aim_between(gz_tree_search *s, const gz_box *a, const gz_box *b) {
    double n[3];
    for (int i = 0; i < 3; i++) {
        n[i] = (double)b->center[i] - (double)s->pair.to_b_shift[i];
        for (int j = 0; j < 3; j++) n[i] -= (double)s->pair.to_b[i][j] * (double)a->center[j];
    }
    gz_near_aim(s, n);
}

static inline void lower_limit(gz_tree_search *s, float square) {
    gz_near_candidates *c = s->candidates;
    float upper = sqrtf(square) * GZ_ROUND_UP_FEW + 2 * s->pair.triangle_pad;
    float limit = (upper * c->shrink + c->tie) * GZ_ROUND_UP_FEW - c->slack;
    if (upper <= c->most) gz_candidates_lower(c, limit > 0 ? limit : 0);
}

static void finish_candidates(gz_near_candidates *c, graze_stats *stats) {
    const gz_near_candidate best = c->best;
    if (best.search) {
        stats->triangle_tests++;
        best.search->evaluate(best.search, best.a, best.b);
    }
    for (int i = 0; i < c->count; i++) {
        const gz_near_candidate *n = &c->list[i];
        if (n->square > limit_square(c->limit)) continue;
        if (best.search == n->search && n->a == best.a && n->b == best.b) continue;
        stats->triangle_tests++;
        n->search->evaluate(n->search, n->a, n->b);
    }
    c->count = 0;
    c->best.search = NULL;
}

static void add_candidate(gz_near_candidates *c, gz_near_candidate n, graze_stats *stats) {
    if (c->count == GZ_NEAR_CANDIDATES) {
        int kept = 0;
        const float most = limit_square(c->limit);
        for (int i = 0; i < c->count; i++)
            if (c->list[i].square <= most) c->list[kept++] = c->list[i];
        c->count = kept;
        if (kept > GZ_NEAR_CANDIDATES / 2) finish_candidates(c, stats);
    }
    c->list[c->count++] = n;
}

/// Places the packets, and bounds their triangles by boxes. Returns the lanes of a that are left.
static unsigned open_packets(const gz_tree_search *s, const gz_packet *pa, const gz_packet *pb,
                             unsigned todo, packet_search *p) {
    const float most = limit_square(s->candidates->limit);
    unsigned lanes = 0;
    for (unsigned left = place_packets(s, pa, pb, most, todo, p); left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        gz_f8 square = box_row(p, lane, s->pair.triangle_pad);
        gz_f8_store(p->square[lane], square);
        p->least[lane] = gz_f8_least(square);
        p->open[lane] = ~gz_f8_mask(gz_f8_greater(square, gz_f8_all(most))) &
                        ((1u << pb->count) - 1);
        if (p->open[lane]) lanes |= 1u << lane;
    }
    return lanes;
}

/// What all rows need of b's triangles.
static inline void prepare_edges(packet_search *p) {
    for (int k = 0; k < 3; k++) {
        p->b_edge[k] = sub_lanes(p->b[(k + 1) % 3], p->b[k]);
        p->b_square[k] = dot_fused(p->b_edge[k], p->b_edge[k]);
        p->b_inverse[k] = inverse_lanes(p->b_square[k]);
    }
    p->b_normal = cross_lanes(p->b_edge[0], p->b_edge[1]);
    p->b_over = inverse_lanes(dot_fused(p->b_normal, p->b_normal));
}

/// Measures a row; notes what may be the nearest, and the way between the nearest of them.
static void search_row(gz_tree_search *s, packet_search *p, const gz_packet *pa,
                       const gz_packet *pb, int own, float nearest[3], graze_stats *stats) {
    gz_near_candidates *c = s->candidates;
    float way[3][GZ_WIDTH];
    unsigned lanes = (1u << GZ_WIDTH) - 1;
    stats->packet_tests++;
    measure_row(s, p, own, way);
    const int best = gz_take_least(p->estimate, &lanes);
    for (int k = 0; k < 3; k++) nearest[k] = way[k][best];
    if (p->estimate[best] < s->estimate) s->estimate = p->estimate[best];
    for (unsigned open = p->open[own]; open; open &= open - 1) {
        int i = __builtin_ctz(open);
        const gz_near_candidate n = {s, pa->triangle[own], pb->triangle[i], p->square[own][i]};
        if (n.square > limit_square(c->limit)) continue;
        if (p->estimate[i] < c->estimate) {
            c->estimate = p->estimate[i];
            c->best = n;
            lower_limit(s, c->estimate);
        }
        add_candidate(c, n, stats);
    }
}

/// Measures the triangles of two packets that may be nearer than the limit, the nearest row first.
/// Then the packets are placed along the way that was found, as long as there is more than one row.
static void search_packets(gz_tree_search *s, int32_t ia, int32_t ib, graze_stats *stats) {
    const gz_packet *pa = &s->pair.a->packets[ia], *pb = &s->pair.b->packets[ib];
    packet_search p;
    if (!(s->estimate < INFINITY))
        aim_between(s, &s->pair.a->packet_boxes[ia], &s->pair.b->packet_boxes[ib]);
    for (unsigned todo = (1u << pa->count) - 1, lanes;
         (lanes = open_packets(s, pa, pb, todo, &p));) {
        float way[3];
        bool found = false;
        prepare_edges(&p);
        do {
            int own = gz_take_least(p.least, &lanes);
            todo &= ~(1u << own);
            p.open[own] &= ~gz_f8_mask(gz_f8_greater(
                gz_f8_load(p.square[own]), gz_f8_all(limit_square(s->candidates->limit))));
            if (!p.open[own]) continue; // the limit has fallen since
            search_row(s, &p, pa, pb, own, way, stats);
            found = true;
        } while (lanes && !(found && (lanes & (lanes - 1))));
        if (found) aim(s, way);
        todo &= lanes;
    }
}

/// How far what a reference stands for extends from the middle of its box along m.
static inline float extent_ahead(const graze_mesh *mesh, int32_t reference, const gz_box *box,
                                 const float m[3]) {
    gz_f8 x[3];
    float middle = 0, ahead = 0;
    for (int i = 0; i < 3; i++) {
        middle += m[i] * box->center[i];
        ahead += fabsf(m[i]) * box->half[i];
    }
    if (reference >= 0) return ahead;
    place_corners(&mesh->packets[~reference], m, -middle, x);
    return -gz_f8_least(gz_f8_sub(gz_f8_all(0), most_of(x[0], x[1], x[2])));
}

/// The node of an entry that is expanded: of the larger box, unless it is a packet.
static inline const gz_node *larger_node(const gz_tree_pair *p, gz_near_entry e, bool *of_b) {
    const gz_box *box_a = gz_mesh_tree_box(p->a, e.a), *box_b = gz_mesh_tree_box(p->b, e.b);
    *of_b = e.a < 0 || (e.b >= 0 && gz_box_size(box_b) > gz_box_size(box_a));
    return *of_b ? &p->b->nodes[e.b] : &p->a->nodes[e.a];
}

/// Squares of lower bounds of the distances of a node's children from what is on the other side.
static gz_f8 entry_squares(gz_tree_search *s, gz_near_entry e, const gz_node *node, bool of_b,
                           float most) {
    gz_tree_pair *p = &s->pair;
    float back[2][3];
    if (of_b) {
        const gz_box *box = gz_mesh_tree_box(p->a, e.a);
        return child_squares(node, box, p->to_b, p->abs_to_b, p->to_b_shift, p->box_pad,
                             s->direction[1], extent_ahead(p->a, e.a, box, s->direction[0]), most);
    }
    for (int k = 0; k < 3; k++) {
        back[0][k] = -s->direction[0][k];
        back[1][k] = -s->direction[1][k];
    }
    const gz_box *box = gz_mesh_tree_box(p->b, e.b);
    return child_squares(node, box, p->to_a, p->abs_to_a, p->to_a_shift, p->box_pad, back[0],
                         extent_ahead(p->b, e.b, box, back[1]), most);
}

/// Expands the larger of two boxes. Returns how many entries it has added.
static int expand_entry(gz_tree_search *s, gz_near_entry e, float most, gz_near_entry *out) {
    float values[GZ_WIDTH];
    int order[GZ_WIDTH], found;
    bool of_b;
    const gz_node *node = larger_node(&s->pair, e, &of_b);
    found = sort_children(entry_squares(s, e, node, of_b, most), most, node->count, values, order);
    for (int i = 0; i < found; i++) {
        const int32_t child = node->child[order[i]];
        out[i] = (gz_near_entry){of_b ? e.a : child, of_b ? child : e.b, values[order[i]]};
    }
    return found;
}

#include "narrow/distance/hull_distance.inl"

/// Squares of lower bounds of distances from the box around the solid's axis.
static inline gz_f8 axis_squares(gz_f8 square, gz_f8 gap_low, gz_f8 gap_high) {
    return add_gap(square, gz_f8_max(gap_low, gap_high));
}

static gz_f8 packet_axis_squares(const gz_packet *packet, const gz_box *axis) {
    gz_f8 square = gz_f8_all(0);
    for (int k = 0; k < 3; k++) {
        gz_f8 v0 = gz_f8_load(packet->vertex[0][k]), v1 = gz_f8_load(packet->vertex[1][k]),
              v2 = gz_f8_load(packet->vertex[2][k]);
        gz_f8 high = gz_f8_all(axis->center[k] + axis->half[k]),
              low = gz_f8_all(axis->center[k] - axis->half[k]);
        square = axis_squares(square, gz_f8_sub(least_of(v0, v1, v2), high),
                              gz_f8_sub(low, most_of(v0, v1, v2)));
    }
    return gz_f8_mul(square, gz_f8_all(GZ_ROUND_DOWN_FEW));
}

static gz_f8 node_axis_squares(const gz_node *node, const gz_box *axis) {
    gz_f8 square = gz_f8_all(0);
    for (int k = 0; k < 3; k++) {
        gz_f8 d = gz_f8_abs(gz_f8_sub(gz_f8_load(node->center[k]), gz_f8_all(axis->center[k])));
        square = add_gap(
            square, gz_f8_sub(d, gz_f8_add(gz_f8_load(node->half[k]), gz_f8_all(axis->half[k]))));
    }
    return gz_f8_mul(square, gz_f8_all(GZ_ROUND_DOWN_FEW));
}

static int step_solid(gz_tree_search *s, gz_near_entry e, gz_near_entry *out, graze_stats *stats) {
    const graze_mesh *mesh = s->pair.a;
    const gz_near_candidates *c = s->candidates;
    const float most = limit_square(c->limit + s->round);
    float values[GZ_WIDTH];
    int order[GZ_WIDTH];
    stats->node_tests++;
    if (e.a >= 0) {
        const gz_node *node = &mesh->nodes[e.a];
        int found = sort_children(node_axis_squares(node, &s->solid), most, node->count, values,
                                  order);
        for (int i = 0; i < found; i++)
            out[i] = (gz_near_entry){node->child[order[i]], -1, values[order[i]]};
        return found;
    }
    const gz_packet *packet = &mesh->packets[~e.a];
    int found = sort_children(packet_axis_squares(packet, &s->solid), most, packet->count, values,
                              order);
    while (found-- > 0) {
        if (values[order[found]] > limit_square(c->limit + s->round)) break;
        stats->shape_tests++;
        s->evaluate(s, packet->triangle[order[found]], 0);
    }
    return 0;
}

static int step_entry(gz_tree_search *s, gz_near_entry e, gz_near_entry *out, graze_stats *stats) {
    if (!s->pair.b) return step_solid(s, e, out, stats);
    if (e.a < 0 && e.b < 0) {
        search_packets(s, ~e.a, ~e.b, stats);
        return 0;
    }
    stats->node_tests++;
    if (s->hull.stage == GZ_HULL_BOXES) {
        const float square = bound_hulls(s);
        out[0] = (gz_near_entry){e.a, e.b, square > e.square ? square : e.square};
        return 1;
    }
    if (s->hull.stage == GZ_HULL_FOUND && search_hulls(s, stats)) return 0;
    return expand_entry(s, e, limit_square(s->candidates->limit), out);
}

static void search_below(gz_tree_search *s, gz_near_entry entry, graze_stats *stats) {
    gz_near_entry stack[PAIR_STACK_SIZE];
    int top = 0;
    stack[top++] = entry;
    s->unseen = INFINITY;
    while (top) {
        const gz_near_entry e = stack[--top];
        if (e.square > limit_square(s->candidates->limit + s->round)) continue;
        if (!gz_work_take(s->left, e.a < 0 && e.b < 0 ? GZ_WORK_PACKETS : 1)) {
            float least = e.square;
            for (int i = 0; i < top; i++) least = stack[i].square < least ? stack[i].square : least;
            s->unseen = gz_near_bound(s, least);
            return;
        }
        top += step_entry(s, e, stack + top, stats);
    }
}

const gz_distance_kernels DISTANCE_KERNELS = {.begin = begin_hulls,
                                              .step = step_entry,
                                              .below = search_below,
                                              .hull_upper = find_hull_upper,
                                              .hull_gap = search_supports,
                                              .hulls_apart = hulls_apart,
                                              .finish = finish_candidates};
