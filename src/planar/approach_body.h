// The batch loops of closest approach, over lanes; included by approach_base.c and its twins with
// APPROACH_NAME and APPROACH_KERNELS defined.
//
// The difference of two such shapes is a zonogon about the origin: a sum of up to four segments,
// [-h g, h g] each for a unit vector g. B's centre runs from P along v. Turned so that each g
// points to the left of a direction, and ordered by their way along it, the segments are, one after
// another, the chain of edges that faces that direction (docs/planar.md). The chain is used twice:
// along v to find the contact, and from the final place towards the centre for the signed distance
// there.

#include <string.h>

#include "planar/approach_kernel.h"
#include "planar/pair_lanes.h"

/// One edge of the chain: unit vector in the world and in the axes of a direction (both scaled by
/// the direction's length), and its whole length.
typedef struct edge {
    gz_d x, y, along, left, length;
} edge;

/// A shape, loaded: centre, radius, and what it extends along.
typedef struct body {
    gz_d x, y, radius;
    gz_d c, s, length; ///< of a segment: the vector and its length, or unit beside a rectangle; of
                       ///< a rectangle: first axis, unit, and side
    gz_d width;        ///< of a rectangle
} body;

/// The arrays of a loop. Where there is one shape for all, its rows are a block of copies, and the
/// mask keeps the index at 0.
typedef struct arrays {
    const double *rows[2][GZ_APPROACH_ROWS];
    size_t mask[2];
    const double *vx, *vy;
    double *times, *distances;
    gz_d sign, horizon;
} arrays;

ALWAYS gz_d row(const arrays *in, int which, int k, size_t i) {
    return gz_d_load(in->rows[which][k] + (i & in->mask[which]));
}

// The segment's direction, made unit; one without length points anywhere.
ALWAYS void body_normalise(body *f) {
    gz_d one = gz_d_all(1), zero = gz_d_all(0), over = gz_d_div(one, f->length);
    gz_d_mask long_enough = gz_d_less(zero, f->length);
    f->c = pick(long_enough, mul(f->c, over), one);
    f->s = pick(long_enough, mul(f->s, over), zero);
}

ALWAYS body body_load(const arrays *in, int which, size_t i, graze_planar_kind kind) {
    gz_d zero = gz_d_all(0), half = gz_d_all(0.5);
    body out = {
        row(in, which, 0, i), row(in, which, 1, i), row(in, which, 2, i), zero, zero, zero, zero};
    if (kind == GRAZE_PLANAR_CAPSULE) {
        gz_d x1 = row(in, which, 2, i), y1 = row(in, which, 3, i);
        out.c = sub(x1, out.x);
        out.s = sub(y1, out.y);
        out.length = gz_d_root(add(mul(out.c, out.c), mul(out.s, out.s)));
        out.x = mul(half, add(out.x, x1));
        out.y = mul(half, add(out.y, y1));
        out.radius = row(in, which, 4, i);
    }
    if (kind == GRAZE_PLANAR_RECTANGLE) {
        gz_d hx = row(in, which, 4, i), hy = row(in, which, 5, i);
        out.c = out.radius;
        out.s = row(in, which, 3, i);
        out.length = add(hx, hx);
        out.width = add(hy, hy);
        out.radius = row(in, which, 6, i);
    }
    return out;
}

// The edge of a segment, turned to the left of (dx, dy).
ALWAYS edge segment_edge(body f, gz_d dx, gz_d dy) {
    gz_d along = add(mul(dx, f.c), mul(dy, f.s)), left = sub(mul(dx, f.s), mul(dy, f.c));
    return (edge){gz_d_turn(f.c, left), gz_d_turn(f.s, left), gz_d_turn(along, left),
                  gz_d_abs(left), f.length};
}

// The two edges of a rectangle: one runs back along the direction, which comes first, one forward.
ALWAYS void rectangle_edges(body f, gz_d dx, gz_d dy, edge out[2]) {
    gz_d p = add(mul(dx, f.c), mul(dy, f.s)), q = sub(mul(dx, f.s), mul(dy, f.c));
    // Along (c, s) the axes are (p, q); along (-s, c) they are (-q, p). Turned to the left these
    // are (p sgn q, |q|) and (-q sgn p, |p|): one goes back, the other forward, by the sign of p q.
    gz_d_mask first_is_x = gz_d_less(gz_d_turn(p, q), gz_d_all(0));
    gz_d ap = gz_d_abs(p), aq = gz_d_abs(q);
    gz_d far = pick(first_is_x, aq, ap), near = pick(first_is_x, ap, aq);
    gz_d gx = gz_d_turn(f.c, q), gy = gz_d_turn(f.s, q);
    gz_d ex = gz_d_negative(gz_d_turn(f.s, p)), ey = gz_d_turn(f.c, p);
    out[0] = (edge){pick(first_is_x, gx, ex), pick(first_is_x, gy, ey), gz_d_negative(near), far,
                    pick(first_is_x, f.length, f.width)};
    out[1] = (edge){pick(first_is_x, ex, gx), pick(first_is_x, ey, gy), far, near,
                    pick(first_is_x, f.width, f.length)};
}

ALWAYS void edges_exchange(gz_d_mask swap, edge *a, edge *b) {
    edge low = {pick(swap, b->x, a->x), pick(swap, b->y, a->y), pick(swap, b->along, a->along),
                pick(swap, b->left, a->left), pick(swap, b->length, a->length)};
    edge high = {pick(swap, a->x, b->x), pick(swap, a->y, b->y), pick(swap, a->along, b->along),
                 pick(swap, a->left, b->left), pick(swap, a->length, b->length)};
    *a = low;
    *b = high;
}

// Unit vectors by their way along the direction; others by the turn from one to the other.
ALWAYS void edges_order(edge *a, edge *b) {
    edges_exchange(gz_d_less(b->along, a->along), a, b);
}
ALWAYS void segments_order(edge *a, edge *b) {
    edges_exchange(gz_d_less(mul(a->left, b->along), mul(a->along, b->left)), a, b);
}

// The chain that faces (dx, dy), from its rightmost vertex on; returns the number of edges.
ALWAYS int chain_edges(const body f[2], graze_planar_kind kind_a, graze_planar_kind kind_b, gz_d dx,
                       gz_d dy, edge out[4]) {
    if (kind_b == GRAZE_PLANAR_RECTANGLE) {
        rectangle_edges(f[1], dx, dy, out);
        if (kind_a == GRAZE_PLANAR_CIRCLE) return 2;
        if (kind_a == GRAZE_PLANAR_CAPSULE) {
            out[2] = out[1];
            out[1] = segment_edge(f[0], dx, dy);
            edges_order(&out[0], &out[1]);
            edges_order(&out[1], &out[2]);
            return 3;
        }
        edge a[2];
        rectangle_edges(f[0], dx, dy, a);
        out[2] = out[1];
        out[1] = a[0];
        out[3] = a[1];
        edges_order(&out[0], &out[1]);
        edges_order(&out[2], &out[3]);
        return 4;
    }
    if (kind_b == GRAZE_PLANAR_CIRCLE) return 0;
    out[0] = segment_edge(f[1], dx, dy);
    out[1] = segment_edge(f[0], dx, dy);
    segments_order(&out[0], &out[1]);
    return 2;
}

/// Where the line meets the chain: lengths times |v|.
typedef struct meeting {
    gz_d along, left;
} meeting;

// The part of an edge before the contact, in [0, 1], from where the line passes it. Of the ends of
// an edge along the line, the one that is met first.
ALWAYS gz_d part_before(gz_d part, const edge *e) {
    gz_d zero = gz_d_all(0), one = gz_d_all(1);
    gz_d first = pick(gz_d_less(e->along, zero), one, zero);
    return pick(gz_d_less(zero, e->left), gz_d_min(gz_d_max(part, zero), one), first);
}

// The point of the chain that the line `left` = w0 meets first once the chain is grown by r: edge
// by edge the part that lies before it (approach_chain.c says why that is a matter of signs).
// `unit`: edges are length times a unit vector; else vectors, and the length stands beside them.
ALWAYS meeting chain_meet(const edge *e, int count, bool unit, gz_d w0, gz_d r) {
    gz_d one = gz_d_all(1), half = gz_d_all(-0.5), eu[4], ew[4];
    gz_d u = gz_d_all(0), w = u;
    for (int i = 0; i < count; i++) {
        eu[i] = unit ? mul(e[i].length, e[i].along) : e[i].along;
        ew[i] = unit ? mul(e[i].length, e[i].left) : e[i].left;
        u = add(u, eu[i]);
        w = add(w, ew[i]);
    }
    u = mul(u, half);
    w = mul(w, half);
    gz_d start = w;
    for (int i = 0; i < count; i++) {
        gz_d k = mul(r, e[i].along), before = sub(w0, start);
        gz_d part = unit ? mul(sub(before, k), gz_d_div(one, ew[i]))
                         : mul(sub(mul(e[i].length, before), k),
                               gz_d_div(one, mul(e[i].length, e[i].left)));
        gz_d s = part_before(part, &e[i]);
        u = add(u, mul(s, eu[i]));
        w = add(w, mul(s, ew[i]));
        start = add(start, ew[i]);
    }
    return (meeting){u, w};
}

/// One block of pairs: place, motion and sum of radii of B relative to A.
typedef struct relative {
    body f[2];
    gz_d x, y, r, vx, vy;
} relative;

ALWAYS relative relative_load(const arrays *in, size_t i, graze_planar_kind kind_a,
                              graze_planar_kind kind_b) {
    relative out = {.f = {body_load(in, 0, i, kind_a), body_load(in, 1, i, kind_b)}};
    if (kind_a == GRAZE_PLANAR_CAPSULE && kind_b == GRAZE_PLANAR_RECTANGLE)
        body_normalise(&out.f[0]);
    out.x = sub(out.f[1].x, out.f[0].x);
    out.y = sub(out.f[1].y, out.f[0].y);
    out.r = add(out.f[0].radius, out.f[1].radius);
    out.vx = mul(in->sign, gz_d_load(in->vx + i));
    out.vy = mul(in->sign, gz_d_load(in->vy + i));
    return out;
}

// In passes over what fits the first-level cache: each would be a chain of dependent divisions and
// roots, and shorter chains leave the processor more blocks to work on at once.
#define PASS 64

/// What one pass leaves for the next. Times and distances hold, after the first, the way to where
/// the line meets the chain, along v, and the square of half the way in the contact's circle there;
/// both as |v| would measure them, the circle's radius being r |v|.
typedef struct pass_tile {
    double speed[PASS]; ///< |v|^2
    double size[PASS];  ///< of the data, for rounding
} pass_tile;

ALWAYS void meeting_store(const arrays *in, pass_tile *out, size_t from, size_t i, lanes2 v,
                          lanes2 place, gz_d r, meeting m) {
    gz_d vv = dot(v, v);
    gz_d_store(in->times + i, m.along);
    gz_d_store(in->distances + i, sub(mul(mul(r, r), vv), mul(m.left, m.left)));
    gz_d_store(out->speed + (i - from), vv);
    gz_d_store(out->size + (i - from), add(add(gz_d_abs(place.x), gz_d_abs(place.y)), r));
}

// First pass: where the line meets the chain.
ALWAYS void lanes_meeting(const arrays *in, pass_tile *out, size_t from, size_t i,
                          graze_planar_kind kind_a, graze_planar_kind kind_b) {
    relative p = relative_load(in, i, kind_a, kind_b);
    lanes2 v = {p.vx, p.vy}, place = {p.x, p.y};
    gz_d u0 = dot(v, place), w0 = cross(v, place);
    edge e[4];
    int count = chain_edges(p.f, kind_a, kind_b, p.vx, p.vy, e);
    meeting m = chain_meet(e, count, kind_b == GRAZE_PLANAR_RECTANGLE, w0, p.r);
    m = (meeting){sub(m.along, u0), sub(w0, m.left)};
    meeting_store(in, out, from, i, v, place, p.r, m);
}

// The same for a disk and a segment, without a chain: with q from the disk's centre to the
// segment's start, e along it, the foot f = q + s e + t v of a contact with its side has f.e = 0,
// |f| = r and f.v < 0, so that v x (q + s e) = v x f = r (v.e) sgn(v x e) / |e|.
ALWAYS void segment_meeting(const arrays *in, pass_tile *out, size_t from, size_t i) {
    size_t ia = i & in->mask[0], ib = i & in->mask[1];
    lanes2 a = load2(in->rows[0], 0, 1, ia), b = load2(in->rows[1], 0, 1, ib);
    lanes2 q = minus(b, a), e = minus(load2(in->rows[1], 2, 3, ib), b);
    lanes2 v = {mul(in->sign, gz_d_load(in->vx + i)), mul(in->sign, gz_d_load(in->vy + i))};
    gz_d r = add(row(in, 0, 2, i), row(in, 1, 4, i)), zero = gz_d_all(0), one = gz_d_all(1);
    gz_d along = dot(v, e), left = cross(v, e), length = gz_d_root(dot(e, e)), off = cross(v, q);
    gz_d side = sub(gz_d_turn(mul(r, along), left), mul(off, length));
    gz_d s = gz_d_min(gz_d_max(gz_d_div(side, mul(length, left)), zero), one);
    // Along the motion the foremost end is met first.
    gz_d_mask turned = gz_d_less(zero, gz_d_abs(left));
    s = pick(turned, s, gz_d_keep(gz_d_less(zero, along), one));
    gz_d way = gz_d_negative(add(dot(v, q), mul(s, along)));
    meeting_store(in, out, from, i, v, q, r, (meeting){way, add(off, mul(s, left))});
}

// Second pass: the times; and for the third, in the distances: -1 for an impact in time (the
// distance is 0), else up to where a gap is none: where the line meets the difference but began in
// it or past it, a gap within the rounding of the data (planar_approach.c).
ALWAYS void lanes_time(const arrays *in, const pass_tile *tile, size_t from, size_t i) {
    gz_d zero = gz_d_all(0), vv = gz_d_load(tile->speed + (i - from));
    gz_d along = gz_d_load(in->times + i), square = gz_d_load(in->distances + i);
    gz_d t = gz_d_div(sub(along, gz_d_root(gz_d_max(square, zero))), vv);
    gz_d_mask meets = gz_d_at_most(zero, square), ahead = gz_d_less(zero, t);
    gz_d slack = mul(gz_d_all(0x1p-49), gz_d_load(tile->size + (i - from)));
    gz_d met = gz_d_keep(gz_d_at_most(t, in->horizon), gz_d_all(-1));
    // No number where nothing moves: then now.
    gz_d_store(in->times + i, gz_d_max(gz_d_min(in->horizon, t), zero));
    gz_d_store(in->distances + i, gz_d_keep(meets, pick(ahead, met, slack)));
}

ALWAYS rooted pair_then(const arrays *in, const row_set *set, size_t i, pair_function *pair) {
    gz_d when = gz_d_load(in->times + i);
    lanes2 moved = {mul(mul(in->sign, gz_d_load(in->vx + i)), when),
                    mul(mul(in->sign, gz_d_load(in->vy + i)), when)};
    return pair(set, i & in->mask[0], i & in->mask[1], &moved);
}

ALWAYS void lanes_distance(const arrays *in, size_t i, rooted pair, bool is_signed) {
    gz_d zero = gz_d_all(0), slack = gz_d_load(in->distances + i);
    gz_d gap = rooted_value(pair, is_signed);
    gap = pick(gz_d_at_most(gap, slack), gz_d_min(gap, zero), gap);
    gz_d_store(in->distances + i, gz_d_keep(gz_d_at_most(zero, slack), gap));
}

// A tile, `from` to `to`; the last pass takes the distances at the times, the root of the pairs
// before while it works on the next (distance_body.h).
ALWAYS void tile_run(const arrays *in, size_t from, size_t to, graze_planar_kind kind_a,
                     graze_planar_kind kind_b, pair_function *pair) {
    bool is_signed = kind_a == GRAZE_PLANAR_CAPSULE && kind_b == GRAZE_PLANAR_CAPSULE;
    pass_tile tile;
    bool one_segment = kind_a == GRAZE_PLANAR_CIRCLE && kind_b == GRAZE_PLANAR_CAPSULE;
    for (size_t i = from; i < to; i += GZ_D_LANES) {
        if (one_segment)
            segment_meeting(in, &tile, from, i);
        else
            lanes_meeting(in, &tile, from, i, kind_a, kind_b);
    }
    for (size_t i = from; i < to; i += GZ_D_LANES) lanes_time(in, &tile, from, i);
    row_set set;
    row_set_fill(&set, in->rows[0], in->rows[1]);
    rooted now = pair_then(in, &set, from, pair);
    for (size_t i = from + GZ_D_LANES; i < to; i += GZ_D_LANES) {
        rooted next = pair_then(in, &set, i, pair);
        lanes_distance(in, i - GZ_D_LANES, now, is_signed);
        now = next;
    }
    lanes_distance(in, to - GZ_D_LANES, now, is_signed);
}

/// A block's worth of everything: what is left at the end, and single shapes.
typedef struct block {
    double rows[2][GZ_APPROACH_ROWS][GZ_D_LANES];
    double vx[GZ_D_LANES], vy[GZ_D_LANES], times[GZ_D_LANES], distances[GZ_D_LANES];
} block;

static inline void arrays_make(const gz_approach_batch *batch, block *ones, arrays *out) {
    out->sign = gz_d_all(batch->sign);
    out->horizon = gz_d_all(batch->horizon);
    out->vx = batch->vx;
    out->vy = batch->vy;
    out->times = batch->times;
    out->distances = batch->distances;
    for (int which = 0; which < 2; which++) {
        out->mask[which] = batch->one[which] ? 0 : SIZE_MAX;
        for (int k = 0; k < GZ_APPROACH_ROWS; k++) {
            const double *p = batch->rows[which][k];
            if (batch->one[which] && p) {
                gz_d_store(ones->rows[which][k], gz_d_all(*p));
                p = ones->rows[which][k];
            }
            out->rows[which][k] = p;
        }
    }
}

static void block_fill(double out[GZ_D_LANES], const double *in, size_t from, size_t count) {
    for (size_t i = 0; i < GZ_D_LANES; i++) out[i] = in && from + i < count ? in[from + i] : 0;
}

// The pairs from `from` on, fewer than a block, copied into one.
static inline void block_make(block *store, const gz_approach_batch *batch, size_t from,
                              arrays *in) {
    for (int which = 0; which < 2; which++)
        for (int k = 0; k < GZ_APPROACH_ROWS && !batch->one[which]; k++) {
            block_fill(store->rows[which][k], batch->rows[which][k], from, batch->count);
            in->rows[which][k] = store->rows[which][k];
        }
    block_fill(store->vx, batch->vx, from, batch->count);
    block_fill(store->vy, batch->vy, from, batch->count);
    in->vx = store->vx;
    in->vy = store->vy;
    in->times = store->times;
    in->distances = store->distances;
}

#define APPROACH_LOOP(name, kind_a, kind_b, pair)                                                  \
    static void name(const gz_approach_batch *batch) {                                             \
        block store;                                                                               \
        arrays all;                                                                                \
        arrays_make(batch, &store, &all);                                                          \
        const arrays in = all; /* whose address goes nowhere, for registers */                     \
        size_t whole = batch->count - batch->count % GZ_D_LANES, left = batch->count - whole;      \
        for (size_t from = 0; from < whole; from += PASS) {                                        \
            size_t to = from + PASS < whole ? from + PASS : whole;                                 \
            tile_run(&in, from, to, kind_a, kind_b, pair);                                         \
        }                                                                                          \
        if (left == 0) return;                                                                     \
        block_make(&store, batch, whole, &all);                                                    \
        tile_run(&all, 0, GZ_D_LANES, kind_a, kind_b, pair);                                       \
        memcpy(batch->times + whole, store.times, left * sizeof(double));                          \
        memcpy(batch->distances + whole, store.distances, left * sizeof(double));                  \
    }

APPROACH_LOOP(circles, GRAZE_PLANAR_CIRCLE, GRAZE_PLANAR_CIRCLE, disks)
APPROACH_LOOP(circle_capsule, GRAZE_PLANAR_CIRCLE, GRAZE_PLANAR_CAPSULE, disk_capsule)
APPROACH_LOOP(circle_rectangle, GRAZE_PLANAR_CIRCLE, GRAZE_PLANAR_RECTANGLE, disk_rectangle)
APPROACH_LOOP(capsules, GRAZE_PLANAR_CAPSULE, GRAZE_PLANAR_CAPSULE, two_capsules)
APPROACH_LOOP(capsule_rectangle, GRAZE_PLANAR_CAPSULE, GRAZE_PLANAR_RECTANGLE,
              capsule_rectangle_pair)
APPROACH_LOOP(rectangles, GRAZE_PLANAR_RECTANGLE, GRAZE_PLANAR_RECTANGLE, two_rectangles)

const gz_approach_kernels APPROACH_KERNELS = {APPROACH_NAME,
                                              {{circles, circle_capsule, circle_rectangle},
                                               {0, capsules, capsule_rectangle},
                                               {0, 0, rectangles}}};
