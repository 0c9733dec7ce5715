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
#include "planar/double_lanes.h"

#define add  gz_d_add
#define sub  gz_d_sub
#define mul  gz_d_mul
#define pick gz_d_select

#define ALWAYS static inline __attribute__((always_inline))

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
    if (kind_a == GRAZE_PLANAR_CIRCLE) return 1;
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

// The signed distance from (x, y) to a rectangle about the origin: in its own axes.
ALWAYS gz_d rectangle_distance(body f, gz_d x, gz_d y) {
    gz_d zero = gz_d_all(0), half = gz_d_all(0.5);
    gz_d p = gz_d_abs(add(mul(x, f.c), mul(y, f.s))), q = gz_d_abs(sub(mul(y, f.c), mul(x, f.s)));
    p = sub(p, mul(half, f.length));
    q = sub(q, mul(half, f.width));
    gz_d inside = gz_d_max(p, q), ox = gz_d_max(p, zero), oy = gz_d_max(q, zero);
    return pick(gz_d_less(inside, zero), inside, gz_d_root(add(mul(ox, ox), mul(oy, oy))));
}

// The same to one segment, or to the parallelogram that two make.
ALWAYS gz_d segments_distance(const edge *e, int count, gz_d x, gz_d y) {
    gz_d zero = gz_d_all(0), one = gz_d_all(1), half = gz_d_all(0.5);
    gz_d qx = add(x, mul(e[0].x, half)), qy = add(y, mul(e[0].y, half));
    if (count == 2) {
        qx = add(qx, mul(e[1].x, half));
        qy = add(qy, mul(e[1].y, half));
    }
    gz_d least = zero, depth = zero;
    gz_d_mask inside = gz_d_less(zero, zero);
    for (int i = 0; i < count; i++) {
        gz_d over = gz_d_div(one, add(mul(e[i].x, e[i].x), mul(e[i].y, e[i].y)));
        gz_d outside = sub(mul(e[i].x, qy), mul(e[i].y, qx)); // times the length
        gz_d along = mul(add(mul(qx, e[i].x), mul(qy, e[i].y)), over);
        // Without a length this is no number, and either end will do.
        gz_d s = gz_d_max(gz_d_min(along, one), zero);
        gz_d nx = sub(qx, mul(s, e[i].x)), ny = sub(qy, mul(s, e[i].y));
        gz_d square = add(mul(nx, nx), mul(ny, ny)), deep = mul(mul(outside, outside), over);
        gz_d_mask behind = gz_d_less(outside, zero);
        least = i == 0 ? square : gz_d_min(square, least);
        depth = i == 0 ? deep : gz_d_min(deep, depth);
        inside = i == 0 ? behind : gz_d_and(behind, inside);
        qx = sub(qx, e[i].x);
        qy = sub(qy, e[i].y);
    }
    if (count == 1) return gz_d_root(least);
    gz_d away = gz_d_root(pick(inside, depth, least));
    return pick(inside, gz_d_negative(away), away);
}

// The signed distance from (x, y) to the difference without its radius.
ALWAYS gz_d chain_distance(const body f[2], graze_planar_kind kind_a, graze_planar_kind kind_b,
                           gz_d x, gz_d y) {
    if (kind_a == GRAZE_PLANAR_CIRCLE && kind_b == GRAZE_PLANAR_RECTANGLE)
        return rectangle_distance(f[1], x, y);
    edge e[4] = {{f[1].c, f[1].s, x, x, x}}; // one segment needs no turning
    if (kind_a == GRAZE_PLANAR_CIRCLE && kind_b == GRAZE_PLANAR_CAPSULE)
        return segments_distance(e, 1, x, y);
    int count = chain_edges(f, kind_a, kind_b, gz_d_negative(x), gz_d_negative(y), e);
    if (count == 0) return gz_d_root(add(mul(x, x), mul(y, y)));
    if (kind_b == GRAZE_PLANAR_CAPSULE) return segments_distance(e, count, x, y);
    gz_d zero = gz_d_all(0), half = gz_d_all(0.5);
    // From the first vertex, - sum of length / 2 each, to (x, y).
    gz_d qx = zero, qy = zero;
    for (int i = 0; i < count; i++) {
        qx = add(qx, mul(e[i].length, e[i].x));
        qy = add(qy, mul(e[i].length, e[i].y));
    }
    qx = add(x, mul(qx, half));
    qy = add(y, mul(qy, half));
    gz_d least = zero, depth = zero;
    for (int i = 0; i < count; i++) {
        gz_d along = add(mul(qx, e[i].x), mul(qy, e[i].y));
        gz_d outside = sub(mul(e[i].x, qy), mul(e[i].y, qx)); // signed, from the edge's line
        gz_d over = sub(along, gz_d_min(gz_d_max(along, zero), e[i].length));
        gz_d square = add(mul(over, over), mul(outside, outside));
        least = i == 0 ? square : gz_d_min(square, least);
        depth = i == 0 ? outside : gz_d_max(outside, depth);
        qx = sub(qx, mul(e[i].length, e[i].x));
        qy = sub(qy, mul(e[i].length, e[i].y));
    }
    return pick(gz_d_less(depth, zero), depth, gz_d_root(least));
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

// What the pass for the times leaves in the distances for the last.
#define IMPACT  0.0 // met in time: the distance is 0
#define STARTED 1.0 // the line meets the difference, but began in it or past it
#define OTHER   2.0

// First pass: where the line meets the chain, into both outputs: the way there along v, and how far
// the line passes its nearest point to the left, both times |v|.
ALWAYS void lanes_meeting(const arrays *in, size_t i, graze_planar_kind kind_a,
                          graze_planar_kind kind_b, gz_d *along, gz_d *off) {
    relative p = relative_load(in, i, kind_a, kind_b);
    gz_d u0 = add(mul(p.vx, p.x), mul(p.vy, p.y)), w0 = sub(mul(p.vx, p.y), mul(p.vy, p.x));
    edge e[4];
    int count = chain_edges(p.f, kind_a, kind_b, p.vx, p.vy, e);
    meeting m = chain_meet(e, count, kind_b == GRAZE_PLANAR_RECTANGLE, w0, p.r);
    *along = sub(m.along, u0);
    *off = sub(w0, m.left);
}

// Second pass: the times. The contact's circle has radius r |v|.
ALWAYS void lanes_time(const arrays *in, size_t i, gz_d along, gz_d off, gz_d r) {
    gz_d zero = gz_d_all(0), horizon = in->horizon;
    gz_d vx = gz_d_load(in->vx + i), vy = gz_d_load(in->vy + i);
    gz_d vv = add(mul(vx, vx), mul(vy, vy));
    gz_d d = sub(mul(mul(r, r), vv), mul(off, off));
    gz_d t = gz_d_div(sub(along, gz_d_root(gz_d_max(d, zero))), vv);
    gz_d_mask meets = gz_d_at_most(zero, d), ahead = gz_d_less(zero, t);
    gz_d state = pick(ahead, pick(gz_d_at_most(t, horizon), gz_d_all(IMPACT), gz_d_all(OTHER)),
                      gz_d_all(STARTED));
    gz_d_store(in->times + i, pick(ahead, gz_d_min(t, horizon), zero));
    gz_d_store(in->distances + i, pick(meets, state, gz_d_all(OTHER)));
}

ALWAYS void block_time(const arrays *in, size_t from, size_t to, graze_planar_kind kind_a,
                       graze_planar_kind kind_b) {
    static const int radius_row[3] = {2, 4, 6};
    gz_d along, off;
    if (kind_b == GRAZE_PLANAR_CIRCLE) {
        for (size_t i = from; i < to; i += GZ_D_LANES) {
            gz_d r = add(row(in, 0, 2, i), row(in, 1, 2, i));
            lanes_meeting(in, i, kind_a, kind_b, &along, &off);
            lanes_time(in, i, along, off, r);
        }
        return;
    }
    for (size_t i = from; i < to; i += GZ_D_LANES) {
        lanes_meeting(in, i, kind_a, kind_b, &along, &off);
        gz_d_store(in->times + i, along);
        gz_d_store(in->distances + i, off);
    }
    for (size_t i = from; i < to; i += GZ_D_LANES) {
        gz_d r = add(row(in, 0, radius_row[kind_a], i), row(in, 1, radius_row[kind_b], i));
        lanes_time(in, i, gz_d_load(in->times + i), gz_d_load(in->distances + i), r);
    }
}

// Last pass: the distances at these times.
ALWAYS void lanes_distance(const arrays *in, size_t i, graze_planar_kind kind_a,
                           graze_planar_kind kind_b) {
    relative p = relative_load(in, i, kind_a, kind_b);
    gz_d when = gz_d_load(in->times + i), state = gz_d_load(in->distances + i);
    gz_d x = add(p.x, mul(p.vx, when)), y = add(p.y, mul(p.vy, when)), zero = gz_d_all(0);
    gz_d gap = sub(chain_distance(p.f, kind_a, kind_b, x, y), p.r);
    // At the start, a gap within the rounding of the data is none (planar_approach.c).
    gz_d size = add(add(gz_d_abs(p.x), gz_d_abs(p.y)), p.r);
    gz_d_mask started = gz_d_less(state, gz_d_all(OTHER));
    gz_d touch = pick(started, mul(gz_d_all(0x1p-49), size), zero);
    gz_d_mask touching = gz_d_and(gz_d_less(zero, gap), gz_d_at_most(gap, touch));
    gap = pick(touching, zero, gap);
    gz_d_store(in->distances + i, pick(gz_d_less(state, gz_d_all(STARTED)), zero, gap));
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

// In passes over what fits the first-level cache: each is a chain of dependent divisions and
// roots, and shorter chains leave the processor more blocks to work on at once.
#define PASS 128

#define APPROACH_LOOP(name, kind_a, kind_b)                                                        \
    static void name(const gz_approach_batch *batch) {                                             \
        block store;                                                                               \
        arrays in;                                                                                 \
        arrays_make(batch, &store, &in);                                                           \
        size_t whole = batch->count - batch->count % GZ_D_LANES, left = batch->count - whole;      \
        for (size_t from = 0; from < whole; from += PASS) {                                        \
            size_t to = from + PASS < whole ? from + PASS : whole;                                 \
            block_time(&in, from, to, kind_a, kind_b);                                             \
            for (size_t i = from; i < to; i += GZ_D_LANES) lanes_distance(&in, i, kind_a, kind_b); \
        }                                                                                          \
        if (left == 0) return;                                                                     \
        block_make(&store, batch, whole, &in);                                                     \
        block_time(&in, 0, GZ_D_LANES, kind_a, kind_b);                                            \
        lanes_distance(&in, 0, kind_a, kind_b);                                                    \
        memcpy(batch->times + whole, store.times, left * sizeof(double));                          \
        memcpy(batch->distances + whole, store.distances, left * sizeof(double));                  \
    }

APPROACH_LOOP(circles, GRAZE_PLANAR_CIRCLE, GRAZE_PLANAR_CIRCLE)
APPROACH_LOOP(circle_capsule, GRAZE_PLANAR_CIRCLE, GRAZE_PLANAR_CAPSULE)
APPROACH_LOOP(circle_rectangle, GRAZE_PLANAR_CIRCLE, GRAZE_PLANAR_RECTANGLE)
APPROACH_LOOP(capsules, GRAZE_PLANAR_CAPSULE, GRAZE_PLANAR_CAPSULE)
APPROACH_LOOP(capsule_rectangle, GRAZE_PLANAR_CAPSULE, GRAZE_PLANAR_RECTANGLE)
APPROACH_LOOP(rectangles, GRAZE_PLANAR_RECTANGLE, GRAZE_PLANAR_RECTANGLE)

const gz_approach_kernels APPROACH_KERNELS = {APPROACH_NAME,
                                              {{circles, circle_capsule, circle_rectangle},
                                               {0, capsules, capsule_rectangle},
                                               {0, 0, rectangles}}};
