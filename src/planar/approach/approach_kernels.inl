// The batch loops of closest approach, over lanes; included by kernels.inl.
//
// Each loop passes over tiles that fit the first-level cache twice. A pass is a short chain of
// dependent divisions and roots, so that the processor overlaps several blocks: first the segments'
// lengths, then the time of impact, then the distance at that time. For the same reason a step of
// the last pass takes the root of the block before.
//
// Time of impact first, of circles, capsules and rectangles in lanes (docs/planar.md): a point that
// moves from P with velocity v against the Minkowski difference of two shapes, a sum of up to four
// segments about the origin, rounded by r. Coordinates are along v (u) and to its left (w), both
// times |v|. An edge g of half length h spans h g_w to either side of its middle m, and is the one
// that the point hits where
//
//     G = w - (m + r n_w),   w = v x P,
//
// lies within that (n: the edge's unit normal against v). Beyond one end or the other, the contact
// lies before or after the edge along the chain of edges that face the motion. So the place
// of the contact on an edge, from its middle, is G / g_w clamped to [-h, h], for each edge by
// itself.

#include "planar/approach/approach_internal.h"
#include "planar/distance/pair_lanes.h"
#include "planar/kernels.h"

/// The contact on the chain, seen from P: along v and to the left of it, both times |v|.
typedef struct chain_contact {
    gz_d along, left;
} chain_contact;

// The place of the contact on an edge: g / across within [-half, half], where half * across =
// `threshold`. For an edge along the motion (across = 0) -half is the end that comes first: the
// numerator is negative, for minus infinity, or 0, for NaN, and of NaN and a bound gz_d_max()
// returns the bound.
ALWAYS gz_d edge_fraction(gz_d g, gz_d across, gz_d threshold, gz_d half) {
    return gz_d_max(gz_d_min(g, threshold) / across, -half);
}

// Disk against the segment from q to q + e: the foot f = q + s e + t v of a contact with the
// segment's side has f.e = 0, |f| = r and f.v < 0, so that v x (q + s e) = v x f = r (v.e) sgn(v x
// e) / |e|.
ALWAYS chain_contact segment_contact(lanes2 v, lanes2 q, lanes2 e, gz_d length, gz_d r) {
    gz_d zero = gz_d_all(0), one = gz_d_all(1);
    gz_d along = dot(v, e), left = cross(v, e), off = cross(v, q);
    gz_d side = gz_d_mulsign(r * along, left) - off * length;
    gz_d s = gz_d_min(gz_d_max(side / (length * left), zero), one);
    // Along the motion the foremost end is hit first.
    gz_d_mask turned = gz_d_less(zero, gz_d_abs(left));
    s = gz_d_select(turned, s, gz_d_keep(gz_d_less(zero, along), one));
    return (chain_contact){-(dot(v, q) + s * along), off + s * left};
}

/// One of two segments: its length, and v in its axes times that length.
typedef struct ray_segment {
    gz_d length, along, left;
} ray_segment;

ALWAYS ray_segment ray_segment_make(lanes2 e, gz_d length, lanes2 v) {
    return (ray_segment){length, dot(v, e), cross(v, e)};
}

// The place of the contact on a segment, in [-1, 1] of its half; w is twice that of the point, r
// twice the radius. Numerator and denominator are scaled by its length, so that there is one
// division. Of two segments that point to the left the one that points further back comes first,
// and shifts the other by its half extent to the left: `other` is that extent, with the sign of
// this x other.
ALWAYS gz_d ray_segment_fraction(const ray_segment *s, gz_d w, gz_d other, gz_d r) {
    gz_d one = gz_d_all(1), g = w - gz_d_mulsign(other, s->left);
    g = g * s->length - r * gz_d_mulsign(s->along, s->left);
    gz_d fraction = g / (s->length * s->left);
    fraction = gz_d_min(gz_d_max(fraction, -one), one);
    gz_d_mask turned = gz_d_less(gz_d_all(0), gz_d_abs(s->left));
    return gz_d_select(turned, fraction, -gz_d_mulsign(one, s->along));
}

// Twice the contact of two segments: p is twice the offset of their middles, r twice the radius.
ALWAYS chain_contact segments_contact(lanes2 v, lanes2 p, const ray_segment *a,
                                      const ray_segment *b, gz_d x, gz_d r) {
    gz_d w = cross(v, p);
    gz_d fraction_a = ray_segment_fraction(a, w, gz_d_mulsign(b->left, x), r);
    gz_d fraction_b = ray_segment_fraction(b, w, -gz_d_mulsign(a->left, x), r);
    gz_d along = fraction_a * a->along + fraction_b * b->along;
    gz_d left = fraction_a * a->left + fraction_b * b->left;
    return (chain_contact){along - dot(v, p), w - left};
}

// Disk against box, mirrored so that v >= 0: the point can hit the left and the lower side.
ALWAYS chain_contact box_contact(lanes2 v, lanes2 p, lanes2 half, gz_d r) {
    gz_d w = cross(v, p), up = v.x * half.y, right = v.y * half.x;
    gz_d g_left = w - (right + v.y * r);
    gz_d g_below = -(w + (up + v.x * r));
    gz_d y = edge_fraction(g_left, v.x, up, half.y);
    gz_d x = edge_fraction(g_below, v.y, right, half.x);
    gz_d along = v.y * y + v.x * x, left = w - v.x * y + v.y * x;
    return (chain_contact){along - dot(v, p), left};
}

// Two boxes in the axes of the first (half extents a), mirrored so that v >= 0, the second (b)
// rotated by 0 to 90 degrees. The chain consists, from the left, of A's left side, one of B's, A's
// lower side; B's other one, which runs along its first axis, ends or begins the chain, by the sign
// of v along B's second axis. `flat`: a.y is 0.
ALWAYS chain_contact boxes_contact(lanes2 v, lanes2 p, lanes2 axis, lanes2 a, lanes2 b, gz_d r,
                                   bool flat) {
    gz_d w = cross(v, p);
    gz_d forward = dot(axis, v), down = cross(v, axis); // v in B's axes, the second negated
    gz_d sideways = gz_d_abs(down);
    // Half extents across v, and from these the middles.
    gz_d up = a.y * v.x, right = a.x * v.y, side = b.y * forward;
    gz_d last = b.x * down, before = right - last;
    gz_d lower = flat ? side : up + side;
    gz_d g_side = (flat ? before : before - up) - r * down - w;
    gz_d g_below = -(w + last) - (lower + r * v.x);
    gz_d g_last = gz_d_mulsign(w, down) - (lower + right + r * forward);

    gz_d x = edge_fraction(g_below, v.y, right, a.x);
    gz_d bx = edge_fraction(g_last, sideways, b.x * sideways, b.x);
    // Along B's second axis, turned to go with v.
    gz_d by = edge_fraction(gz_d_mulsign(g_side, down), forward, side, b.y);
    gz_d along = v.x * x + forward * bx + sideways * by;
    gz_d left = gz_d_mulsign(forward * by - sideways * bx, down);
    left = w + (v.y * x + left);
    if (!flat) {
        gz_d y = edge_fraction(w - (side + before + r * v.y), v.x, up, a.y);
        along = along + v.y * y;
        left = left - v.x * y;
    }
    return (chain_contact){along - dot(v, p), left};
}

// ------------------------------------------------------------------------------- time of impact

/// Arrays of a loop.
typedef struct arrays {
    row_set rows;
    const double *vx, *vy;
    double *times, *distances;
    double sign;
    gz_d horizon;
    bool one[2];
} arrays;

ALWAYS gz_d row(const arrays *in, int which, int k, size_t i) {
    return gz_d_load((which ? in->rows.b[k] : in->rows.a[k]) + i);
}

ALWAYS lanes2 row2(const arrays *in, int which, int k, size_t i) {
    return (lanes2){row(in, which, k, i), row(in, which, k + 1, i)};
}

ALWAYS gz_d radii(const arrays *in, int ka, int kb, size_t i) {
    return row(in, 0, ka, i) + row(in, 1, kb, i);
}

#define CARRY_MAX 13

/// Where the trajectories of one block of pairs hit: lengths are those along v, times |v|.
typedef union ray_hit {
    struct {
        gz_d along;            ///< to the middle of the circle that is hit or passed; 0 where past
        gz_d square;           ///< of half the chord in that circle, where it is hit
        gz_d inverse;          ///< 1 / |v|^2
        gz_d state;            ///< -1: hit in time; else the gap that counts as contact now
        gz_d carry[CARRY_MAX]; ///< what the second pass needs, depending on the kinds
    };
    gz_d all[4 + CARRY_MAX];
} ray_hit;

// Hits the circle of radius r about the contact. The line hits it where `square` >= 0, at
// (along - root(square)) / |v|^2. Whether that is now or before (along <= root), or beyond the
// horizon (along - h |v|^2 > root), is decided without the root, with the radius grown by `grown`
// for rounding, so that contacts without a radius are found, too. Where the line hits the circle
// but began in it or past it, a gap up to `slack` is contact. All lengths may be `scale` times as
// long.
ALWAYS void ray_hit_find(ray_hit *hit, lanes2 v, chain_contact m, gz_d r, gz_d grown, gz_d slack,
                         gz_d horizon, double scale) {
    gz_d zero = gz_d_all(0), vv = dot(v, v);
    gz_d off = m.left * m.left, square = r * r * vv - off;
    gz_d outer = r + grown, within = outer * outer * vv - off;
    gz_d ahead = gz_d_max(m.along, zero);
    gz_d rest = gz_d_max(m.along - horizon * scale * vv, zero);
    gz_d_mask past = gz_d_at_most(ahead * ahead, within);
    gz_d_mask in_time = gz_d_at_most(rest * rest, within);
    hit->along = gz_d_drop(past, m.along);
    hit->square = gz_d_max(square, zero);
    hit->inverse = 1 / scale / vv;
    hit->state = gz_d_select(past, slack, gz_d_keep(in_time, gz_d_all(-1)));
}

// The time at a length along v; 0 where nothing moves, which gives NaN.
ALWAYS gz_d impact_time(gz_d along, gz_d inverse, gz_d horizon) {
    return gz_d_max(gz_d_min(horizon, along * inverse), gz_d_all(0));
}

ALWAYS lanes2 position_at(lanes2 p, lanes2 v, gz_d time) {
    return (lanes2){p.x + time * v.x, p.y + time * v.y};
}

// A block whose results wait for a root: of pairs that hit in time for the time, else for the
// distance.
typedef struct pending {
    gz_d square, along, inverse, state, rest, sign;
} pending;

ALWAYS pending pending_make(const ray_hit *hit, rooted pair) {
    gz_d square = gz_d_if_negative(hit->state, hit->square, pair.square);
    return (pending){square, hit->along, hit->inverse, hit->state, pair.rest, pair.sign};
}

// Takes the root and stores times and distances.
ALWAYS void pending_store(const arrays *in, size_t i, const pending *u, bool is_signed) {
    gz_d zero = gz_d_all(0), root = gz_d_sqrt(u->square);
    gz_d along = u->along - gz_d_if_negative(u->state, root, zero);
    gz_d_store(in->times + i, impact_time(along, u->inverse, in->horizon));
    gz_d gap = (is_signed ? gz_d_mulsign(root, u->sign) : root) + u->rest;
    gap = gz_d_select(gz_d_at_most(gap, u->state), gz_d_min(gap, zero), gap);
    gz_d_store(in->distances + i, gz_d_if_negative(u->state, zero, gap));
}

ALWAYS void carry_set(ray_hit *hit, int k, lanes2 value) {
    hit->carry[k] = value.x;
    hit->carry[k + 1] = value.y;
}

ALWAYS lanes2 carried(const ray_hit *hit, int k) {
    return (lanes2){hit->carry[k], hit->carry[k + 1]};
}

// A bound of the rounding of places on the chain, for ray_hit_find(): eight units of the data's
// size, two each of v x p, of the products and sums, and of rotating both.
ALWAYS gz_d rounding_of(lanes2 p, gz_d extent) {
    return 0x1p-50 * (gz_d_abs(p.x) + gz_d_abs(p.y) + extent);
}

// ------------------------------------------------------------------------ each pair of kinds

/// For pairs i to i + GZ_D_LANES: roots and divisions of the shapes alone; the first pass, which
/// finds the hit; the second, the distance at a time. Each leaves hit->carry to the next.
typedef void prepare_function(const arrays *in, size_t i, ray_hit *hit);
typedef void hit_function(const arrays *in, size_t i, lanes2 v, ray_hit *hit);
typedef rooted distance_function(const arrays *in, size_t i, lanes2 v, const ray_hit *hit,
                                 gz_d time);

ALWAYS void circles_hit(const arrays *in, size_t i, lanes2 v, ray_hit *hit) {
    lanes2 p = minus(row2(in, 1, 0, i), row2(in, 0, 0, i));
    gz_d r = radii(in, 2, 2, i);
    chain_contact m = {-dot(v, p), cross(v, p)};
    // Contact now: the centres are as far apart as the radii are long.
    ray_hit_find(hit, v, m, r, gz_d_all(0), 0x1p-48 * r, in->horizon, 1);
    carry_set(hit, 0, p);
    hit->carry[2] = r;
}

ALWAYS rooted circles_distance(const arrays *in, size_t i, lanes2 v, const ray_hit *hit,
                               gz_d time) {
    (void)in;
    (void)i;
    lanes2 q = position_at(carried(hit, 0), v, time);
    return (rooted){dot(q, q), -hit->carry[2], q.x};
}

ALWAYS void circle_capsule_prepare(const arrays *in, size_t i, ray_hit *hit) {
    lanes2 e = minus(row2(in, 1, 2, i), row2(in, 1, 0, i));
    gz_d square = dot(e, e);
    carry_set(hit, 0, e);
    hit->carry[2] = 1.0 / square;
    hit->carry[3] = gz_d_sqrt(square);
}

ALWAYS void circle_capsule_hit(const arrays *in, size_t i, lanes2 v, ray_hit *hit) {
    lanes2 q = minus(row2(in, 1, 0, i), row2(in, 0, 0, i));
    gz_d r = radii(in, 2, 4, i), slack = rounding_of(q, r);
    chain_contact m = segment_contact(v, q, carried(hit, 0), hit->carry[3], r);
    ray_hit_find(hit, v, m, r, slack, slack, in->horizon, 1);
    carry_set(hit, 4, q);
    hit->carry[6] = r;
}

ALWAYS rooted circle_capsule_distance(const arrays *in, size_t i, lanes2 v, const ray_hit *hit,
                                      gz_d time) {
    (void)in;
    (void)i;
    lanes2 q = position_at(carried(hit, 4), v, time), e = carried(hit, 0);
    lanes2 back = {-e.x, -e.y};
    gz_d square = square_off(q, back, hit->carry[2]);
    return (rooted){square, -hit->carry[6], square};
}

// In the rectangle's axes, mirrored so that v >= 0.
ALWAYS void circle_rectangle_hit(const arrays *in, size_t i, lanes2 v, ray_hit *hit) {
    lanes2 p = minus(row2(in, 1, 0, i), row2(in, 0, 0, i));
    lanes2 axis = row2(in, 1, 2, i), half = row2(in, 1, 4, i);
    lanes2 local_v = in_axes(axis, v);
    lanes2 q = mulsign2(in_axes(axis, p), local_v);
    local_v = abs2(local_v);
    gz_d r = radii(in, 2, 6, i), slack = rounding_of(q, r + (half.x + half.y));
    chain_contact m = box_contact(local_v, q, half, r);
    ray_hit_find(hit, local_v, m, r, slack, slack, in->horizon, 1);
    carry_set(hit, 0, q);
    carry_set(hit, 2, local_v);
}

ALWAYS rooted circle_rectangle_distance(const arrays *in, size_t i, lanes2 v, const ray_hit *hit,
                                        gz_d time) {
    (void)v;
    lanes2 q = position_at(carried(hit, 0), carried(hit, 2), time);
    return disk_box(q, row2(in, 1, 4, i), -radii(in, 2, 6, i));
}

// All lengths are doubled, which saves halving segments.
ALWAYS void capsules_prepare(const arrays *in, size_t i, ray_hit *hit) {
    segment a = segment_make(row2(in, 0, 0, i), row2(in, 0, 2, i));
    segment b = segment_make(row2(in, 1, 0, i), row2(in, 1, 2, i));
    carry_set(hit, 0, a.e);
    carry_set(hit, 2, b.e);
    hit->carry[4] = a.square;
    hit->carry[5] = b.square;
    hit->carry[6] = 0.25 / hit->carry[4];
    hit->carry[7] = 0.25 / hit->carry[5];
    hit->carry[8] = cross(a.e, b.e);
    hit->carry[9] = gz_d_sqrt(hit->carry[4]);
    hit->carry[10] = gz_d_sqrt(hit->carry[5]);
}

ALWAYS void capsules_hit(const arrays *in, size_t i, lanes2 v, ray_hit *hit) {
    lanes2 p = twice_offset(row2(in, 0, 0, i), row2(in, 0, 2, i), row2(in, 1, 0, i),
                            row2(in, 1, 2, i));
    ray_segment a = ray_segment_make(carried(hit, 0), hit->carry[9], v);
    ray_segment b = ray_segment_make(carried(hit, 2), hit->carry[10], v);
    gz_d r = radii(in, 4, 4, i), twice = r + r;
    gz_d slack = rounding_of(p, r + (a.length + b.length));
    chain_contact m = segments_contact(v, p, &a, &b, hit->carry[8], twice);
    ray_hit_find(hit, v, m, twice, slack, slack, in->horizon, 2);
    carry_set(hit, 11, p);
}

ALWAYS rooted capsules_distance(const arrays *in, size_t i, lanes2 v, const ray_hit *hit,
                                gz_d time) {
    lanes2 q = position_at(carried(hit, 11), v, time + time);
    return parallelogram(q, carried(hit, 0), carried(hit, 2), hit->carry[4], hit->carry[5],
                         hit->carry[6], hit->carry[7], hit->carry[8], -radii(in, 4, 4, i));
}

// In A's axes, mirrored so that v >= 0; B's, mirrored with them, at an angle from 0 to 90 degrees.
ALWAYS void boxes_hit(const arrays *in, lanes2 v, ray_hit *hit, lanes2 p, lanes2 axis_a, lanes2 a,
                      lanes2 axis_b, lanes2 b, gz_d r, bool flat) {
    lanes2 local_v = in_axes(axis_a, v);
    lanes2 q = mulsign2(in_axes(axis_a, p), local_v);
    lanes2 axis = in_axes(axis_a, axis_b);
    gz_d mirror = gz_d_mulsign(gz_d_mulsign(gz_d_mulsign(axis.x, axis.y), local_v.x), local_v.y);
    local_v = abs2(local_v);
    axis = swap_if_negative(mirror, abs2(axis));
    b = swap_if_negative(mirror, b);
    gz_d extent = a.x + (flat ? r : a.y + r) + (b.x + b.y);
    gz_d slack = rounding_of(q, extent);
    chain_contact m = boxes_contact(local_v, q, axis, a, b, r, flat);
    ray_hit_find(hit, local_v, m, r, slack, slack, in->horizon, 1);
    carry_set(hit, 0, q);
    carry_set(hit, 2, local_v);
    carry_set(hit, 4, axis);
    carry_set(hit, 6, b);
}

ALWAYS rooted boxes_distance(const ray_hit *hit, lanes2 a, gz_d r, gz_d time, bool flat) {
    lanes2 q = position_at(carried(hit, 0), carried(hit, 2), time);
    return boxes(q, carried(hit, 4), a, carried(hit, 6), gz_d_mulsign(q.x, q.y), -r, flat);
}

ALWAYS void rectangles_hit(const arrays *in, size_t i, lanes2 v, ray_hit *hit) {
    lanes2 p = minus(row2(in, 1, 0, i), row2(in, 0, 0, i));
    boxes_hit(in, v, hit, p, row2(in, 0, 2, i), row2(in, 0, 4, i), row2(in, 1, 2, i),
              row2(in, 1, 4, i), radii(in, 6, 6, i), false);
}

ALWAYS rooted rectangles_distance(const arrays *in, size_t i, lanes2 v, const ray_hit *hit,
                                  gz_d time) {
    (void)v;
    return boxes_distance(hit, row2(in, 0, 4, i), radii(in, 6, 6, i), time, false);
}

// A segment is a rectangle without width, in any direction where it has no length; the offset of
// the middles, halved, as for capsules.
ALWAYS void capsule_rectangle_hit(const arrays *in, size_t i, lanes2 v, ray_hit *hit) {
    gz_d zero = gz_d_all(0), one = gz_d_all(1);
    lanes2 a0 = row2(in, 0, 0, i), a1 = row2(in, 0, 2, i), e = minus(a1, a0);
    lanes2 b = row2(in, 1, 0, i), p = twice_offset(a0, a1, b, b);
    p = (lanes2){0.5 * p.x, 0.5 * p.y};
    gz_d length = gz_d_sqrt(dot(e, e)), inverse = 1.0 / length;
    gz_d_mask has_length = gz_d_less(zero, length);
    lanes2 axis = {gz_d_select(has_length, e.x * inverse, one),
                   gz_d_keep(has_length, e.y * inverse)};
    lanes2 a = {0.5 * length, zero};
    boxes_hit(in, v, hit, p, axis, a, row2(in, 1, 2, i), row2(in, 1, 4, i), radii(in, 4, 6, i),
              true);
    hit->carry[8] = a.x;
}

ALWAYS rooted capsule_rectangle_distance(const arrays *in, size_t i, lanes2 v, const ray_hit *hit,
                                         gz_d time) {
    (void)v;
    lanes2 a = {hit->carry[8], gz_d_all(0)};
    return boxes_distance(hit, a, radii(in, 4, 6, i), time, true);
}

// ------------------------------------------------------------------------------------------ loops

/// The hits of a tile, and its velocities where their sign is flipped or some count as rest.
typedef struct tile {
    double numbers[4 + CARRY_MAX][GZ_PAIR_TILE], vx[GZ_PAIR_TILE], vy[GZ_PAIR_TILE];
} tile;

#define HIT 4 ///< numbers before those that are carried

// Numbers `from` to `to` of the hits.
ALWAYS void tile_store(tile *t, size_t at, const ray_hit *hit, int from, int to) {
    for (int k = from; k < to; k++) gz_d_store(t->numbers[k] + at, hit->all[k]);
}

ALWAYS void tile_load(const tile *t, size_t at, ray_hit *hit, int from, int to) {
    for (int k = from; k < to; k++) hit->all[k] = gz_d_load(t->numbers[k] + at);
}

/// What a loop consists of; `prepared` and `count` numbers are carried to the first and the second
/// pass.
typedef struct approach_steps {
    prepare_function *prepare; ///< may be NULL
    hit_function *hit;
    distance_function *distance;
    int prepared, count;
    bool is_signed, in_one; ///< in_one: both passes at once, for cheap pairs
} approach_steps;

ALWAYS lanes2 velocity(const arrays *in, size_t i) {
    return (lanes2){gz_d_load(in->vx + i), gz_d_load(in->vy + i)};
}

// Whether a speed of the first `count` pairs counts as rest.
ALWAYS bool some_rest(const arrays *in, size_t count) {
    gz_d found = gz_d_all(0), least = gz_d_all(GZ_APPROACH_REST), one = gz_d_all(1);
    for (size_t i = 0; i < count; i += GZ_D_LANES) {
        lanes2 v = abs2(velocity(in, i));
        found = gz_d_max(gz_d_keep(gz_d_less(v.x + v.y, least), one), found);
    }
    double lanes[GZ_D_LANES], any = 0;
    gz_d_store(lanes, found);
    for (int k = 0; k < GZ_D_LANES; k++) any += lanes[k];
    return any > 0;
}

// Computes the block at i up to its root, and finishes the one before.
ALWAYS void block_step(const arrays *in, size_t i, lanes2 v, const ray_hit *hit,
                       approach_steps steps, pending *waiting) {
    gz_d time = impact_time(hit->along, hit->inverse, in->horizon);
    pending next = pending_make(hit, steps.distance(in, i, v, hit, time));
    if (i > 0) pending_store(in, i - GZ_D_LANES, waiting, steps.is_signed);
    *waiting = next;
}

// The arrays from a pair on.
ALWAYS arrays arrays_from(arrays in, size_t from) {
    for (int k = 0; k < GZ_SIMPLE_ROWS; k++) {
        if (in.rows.a[k] && !in.one[0]) in.rows.a[k] += from;
        if (in.rows.b[k] && !in.one[1]) in.rows.b[k] += from;
    }
    in.vx += from;
    in.vy += from;
    in.times += from;
    in.distances += from;
    return in;
}

// The first `count` pairs, a tile at most.
ALWAYS void tile_run(arrays in, size_t count, approach_steps steps) {
    tile t;
    gz_d zero = gz_d_all(0);
    if (in.sign < 0 || some_rest(&in, count)) {
        for (size_t i = 0; i < count; i++) {
            bool rests = fabs(in.vx[i]) + fabs(in.vy[i]) < GZ_APPROACH_REST;
            t.vx[i] = rests ? 0 : in.sign * in.vx[i];
            t.vy[i] = rests ? 0 : in.sign * in.vy[i];
        }
        in.vx = t.vx;
        in.vy = t.vy;
    }
    for (size_t i = 0; steps.prepare && i < count; i += GZ_D_LANES) {
        ray_hit hit;
        steps.prepare(&in, i, &hit);
        tile_store(&t, i, &hit, HIT, HIT + steps.prepared);
    }
    pending waiting = {zero, zero, zero, zero, zero, zero};
    for (size_t i = 0; i < count; i += GZ_D_LANES) {
        lanes2 v = velocity(&in, i);
        ray_hit hit;
        tile_load(&t, i, &hit, HIT, HIT + steps.prepared);
        steps.hit(&in, i, v, &hit);
        if (steps.in_one) {
            block_step(&in, i, v, &hit, steps, &waiting);
        } else {
            tile_store(&t, i, &hit, 0, HIT);
            tile_store(&t, i, &hit, HIT + steps.prepared, HIT + steps.count);
        }
    }
    for (size_t i = 0; !steps.in_one && i < count; i += GZ_D_LANES) {
        ray_hit hit;
        tile_load(&t, i, &hit, 0, HIT + steps.count);
        block_step(&in, i, velocity(&in, i), &hit, steps, &waiting);
    }
    pending_store(&in, count - GZ_D_LANES, &waiting, steps.is_signed);
}

// All pairs.
ALWAYS void approach_run(gz_pair_block *block, approach_steps steps) {
    arrays in = {.vx = block->vx,
                 .vy = block->vy,
                 .times = block->times,
                 .distances = block->distances,
                 .sign = block->sign,
                 .horizon = gz_d_all(block->horizon),
                 .one = {block->one[0], block->one[1]}};
    row_set_fill(&in.rows, block->a, block->b);
    size_t count = block->count;
    for (size_t from = 0; from < count; from += GZ_PAIR_TILE)
        tile_run(arrays_from(in, from), from + GZ_PAIR_TILE < count ? GZ_PAIR_TILE : count - from,
                 steps);
}

#define APPROACH_LOOP(name, ...)                                                                   \
    static void approach_##name(gz_pair_block *block) {                                            \
        approach_run(                                                                              \
            block, (approach_steps){.hit = name##_hit, .distance = name##_distance, __VA_ARGS__}); \
    }

APPROACH_LOOP(circles, .count = 3, .in_one = true)
APPROACH_LOOP(circle_capsule, .prepare = circle_capsule_prepare, .prepared = 4, .count = 7)
APPROACH_LOOP(circle_rectangle, .count = 4)
APPROACH_LOOP(capsules, .prepare = capsules_prepare, .prepared = 11, .count = 13, .is_signed = true)
APPROACH_LOOP(capsule_rectangle, .count = 9)
APPROACH_LOOP(rectangles, .count = 8)
