// The batch loops of closest approach, over lanes; included by kernels.inl.
//
// Each loop passes over tiles that fit the first-level cache twice. A pass is a short chain of
// dependent divisions and roots, so that the processor overlaps several blocks: the segments'
// lengths, the time of impact, the distance then, with the root of the block before.
//
// Time of impact first, of circles, capsules and rectangles in lanes (docs/planar.md): a point that
// moves from P with velocity v against the Minkowski difference of two shapes, a sum of up to four
// segments about the origin, rounded by r. Coordinates are along v (u) and to its left (w), both
// times |v|. An edge g of half length h spans h g_w to either side of its middle m, and is the one
// that the point hits where G = w - (m + r n_w), w = v x P, lies within that (n: the edge's unit
// normal against v). Beyond an end the contact lies before or after the edge along the chain of
// edges that face the motion: its place on each, from the middle, is G / g_w clamped to [-h, h].

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

// Disk against the segment from q to q + e: the foot f = q + s e + t v of a contact with its side
// has f.e = 0, |f| = r and f.v < 0, so v x (q + s e) = v x f = r (v.e) sgn(v x e) / |e|.
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
// twice the radius. Numerator and denominator are scaled by its length. Of two segments that point
// to the left the one that points further back comes first, and shifts the other by its half extent
// to the left: `other` is that extent, with the sign of this x other.
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

/// Where the trajectories of one block of pairs hit: lengths are those along v, times |v|.
typedef struct ray_hit {
    gz_d along;   ///< to the middle of the circle that is hit or passed; 0 where past
    gz_d square;  ///< of half the chord in that circle, where it is hit
    gz_d inverse; ///< 1 / |v|^2
    gz_d state;   ///< -1: hit in time; else the gap that counts as contact now
} ray_hit;

/// One block of pairs between the passes.
typedef struct pass_step {
    lane_pair pair;
    lanes2 v; ///< in the axes of the offset
    ray_hit hit;
} pass_step;

// Hits the circle of radius r about the contact. The line hits it where `square` >= 0, at
// (along - root(square)) / |v|^2. Whether that is now or before (along <= root), or beyond the
// horizon (along - h |v|^2 > root), is decided without the root, with the radius grown by `grown`
// for rounding, so that contacts without a radius are found, too. Where the line hits the circle
// but began in it or past it, a gap up to `slack` is contact. Lengths may be `scale` times as long.
ALWAYS void ray_hit_find(pass_step *s, chain_contact m, gz_d r, gz_d grown, gz_d slack,
                         gz_d horizon, double scale) {
    gz_d zero = gz_d_all(0), vv = dot(s->v, s->v);
    gz_d off = m.left * m.left, square = r * r * vv - off;
    gz_d outer = r + grown, within = outer * outer * vv - off;
    gz_d ahead = gz_d_max(m.along, zero);
    gz_d rest = gz_d_max(m.along - horizon * scale * vv, zero);
    // At rest the pair is past whatever it could hit.
    gz_d_mask moves = gz_d_at_most(gz_d_all(GZ_APPROACH_REST * GZ_APPROACH_REST), vv);
    within = gz_d_select(moves, within, gz_d_all(INFINITY));
    gz_d_mask past = gz_d_at_most(ahead * ahead, within);
    gz_d_mask in_time = gz_d_at_most(rest * rest, within);
    s->hit.along = gz_d_drop(past, m.along);
    s->hit.square = gz_d_max(square, zero);
    s->hit.inverse = 1 / scale / vv;
    s->hit.state = gz_d_select(past, slack, gz_d_keep(in_time, gz_d_all(-1)));
}

// The time at a length along v; 0 where nothing moves, which gives NaN.
ALWAYS gz_d impact_time(gz_d along, gz_d inverse, gz_d horizon) {
    return gz_d_max(gz_d_min(horizon, along * inverse), gz_d_all(0));
}

// A bound of the rounding of places on the chain, for ray_hit_find(): eight units of the data's
// size, two each of v x p, of the products and sums, and of rotating both.
ALWAYS gz_d rounding_of(lanes2 p, gz_d extent) {
    return 0x1p-50 * (gz_d_abs(p.x) + gz_d_abs(p.y) + extent);
}

// ------------------------------------------------------------------------ each pair of kinds

/// From a pair made ready, and v, to the hit; v and the offset may be mirrored.
typedef void hit_function(pass_step *s, gz_d horizon);

ALWAYS void circles_hit(pass_step *s, gz_d horizon) {
    gz_d r = -s->pair.less;
    chain_contact m = {-dot(s->v, s->pair.q), cross(s->v, s->pair.q)};
    // Contact now: the centres are as far apart as the radii are long.
    ray_hit_find(s, m, r, gz_d_all(0), 0x1p-48 * r, horizon, 1);
}

ALWAYS void circle_capsule_hit(pass_step *s, gz_d horizon) {
    lanes2 q = s->pair.q, f = s->pair.f, e = {-f.x, -f.y};
    gz_d r = -s->pair.less, slack = rounding_of(q, r);
    chain_contact m = segment_contact(s->v, q, e, gz_d_sqrt(s->pair.square_b), r);
    ray_hit_find(s, m, r, slack, slack, horizon, 1);
}

// Into axes, mirrored so that v >= 0.
ALWAYS void to_axes(pass_step *s, lanes2 axis) {
    s->v = in_axes(axis, s->v);
    s->pair.q = mulsign2(s->pair.q, s->v);
}

ALWAYS void circle_rectangle_hit(pass_step *s, gz_d horizon) {
    to_axes(s, s->pair.e);
    s->v = abs2(s->v);
    lanes2 half = s->pair.b;
    gz_d r = -s->pair.less, slack = rounding_of(s->pair.q, r + (half.x + half.y));
    ray_hit_find(s, box_contact(s->v, s->pair.q, half, r), r, slack, slack, horizon, 1);
}

// All lengths are doubled, which saves halving segments.
ALWAYS void capsules_hit(pass_step *s, gz_d horizon) {
    lanes2 q = s->pair.q;
    ray_segment a = ray_segment_make(s->pair.e, gz_d_sqrt(s->pair.square_a), s->v);
    ray_segment b = ray_segment_make(s->pair.f, gz_d_sqrt(s->pair.square_b), s->v);
    gz_d r = -s->pair.less, twice = r + r, slack = rounding_of(q, r + (a.length + b.length));
    chain_contact m = segments_contact(s->v, q, &a, &b, s->pair.x, twice);
    ray_hit_find(s, m, twice, slack, slack, horizon, 2);
}

// In A's axes; B's, mirrored with them, at an angle from 0 to 90 degrees.
ALWAYS void boxes_hit(pass_step *s, gz_d horizon, bool flat) {
    lane_pair *pair = &s->pair;
    to_axes(s, pair->e);
    gz_d mirror = gz_d_mulsign(gz_d_mulsign(gz_d_mulsign(pair->f.x, pair->f.y), s->v.x), s->v.y);
    s->v = abs2(s->v);
    pair->f = swap_if_negative(mirror, abs2(pair->f));
    pair->b = swap_if_negative(mirror, pair->b);
    lanes2 a = pair->a, b = pair->b;
    gz_d r = -pair->less, extent = a.x + (flat ? r : a.y + r) + (b.x + b.y);
    gz_d slack = rounding_of(pair->q, extent);
    chain_contact m = boxes_contact(s->v, pair->q, pair->f, a, b, r, flat);
    ray_hit_find(s, m, r, slack, slack, horizon, 1);
}

ALWAYS void rectangles_hit(pass_step *s, gz_d horizon) {
    boxes_hit(s, horizon, false);
}

// A segment is a rectangle without width, in any direction where it has no length; the offset of
// the middles, halved, as for capsules.
ALWAYS void capsule_rectangle_prepare(lane_pair *out, const row_set *in, size_t i, size_t j) {
    gz_d zero = gz_d_all(0), one = gz_d_all(1);
    lanes2 a0 = load2(in->a, 0, 1, i), a1 = load2(in->a, 2, 3, i), e = minus(a1, a0);
    lanes2 b = load2(in->b, 0, 1, j), p = twice_offset(a0, a1, b, b);
    prepare_middles(out, in, i, j, 4, 6);
    gz_d length = gz_d_sqrt(dot(e, e)), inverse = 1.0 / length;
    gz_d_mask has_length = gz_d_less(zero, length);
    out->e.x = gz_d_select(has_length, e.x * inverse, one);
    out->e.y = gz_d_keep(has_length, e.y * inverse);
    out->q = in_axes(out->e, (lanes2){0.5 * p.x, 0.5 * p.y});
    out->f = in_axes(out->e, load2(in->b, 2, 3, j));
    out->a = (lanes2){0.5 * length, zero};
    out->b = load2(in->b, 4, 5, j);
}

ALWAYS void capsule_rectangle_hit(pass_step *s, gz_d horizon) {
    boxes_hit(s, horizon, true);
}

ALWAYS rooted capsule_rectangle_distance(const lane_pair *pair, lanes2 q) {
    return boxes(pair, q, true);
}

// ------------------------------------------------------------------------------------------ loops

/// What a loop consists of.
typedef struct approach_steps {
    prepare_function *prepare;
    hit_function *hit;
    distance_function *distance;
    int passes; ///< 1: all at once, for cheap pairs; 2: the distance by itself; 3: each
    bool is_signed;
    bool doubled; ///< lengths
} approach_steps;

// A block whose results wait for a root: of pairs that hit in time the time, else the distance.
typedef struct pending {
    gz_d square, along, inverse, state, rest, sign;
} pending;

/// What a loop reads of a block: a copy whose address does not escape, for registers.
typedef struct arrays {
    row_set rows;
    const double *vx, *vy;
    double *times, *distances;
    gz_d sign, horizon;
} arrays;

// Takes the root of a block and stores times and distances.
ALWAYS void pending_store(const arrays *in, size_t i, const pending *u, bool is_signed) {
    gz_d zero = gz_d_all(0), root = gz_d_sqrt(u->square);
    gz_d along = u->along - gz_d_if_negative(u->state, root, zero);
    gz_d_store(in->times + i, impact_time(along, u->inverse, in->horizon));
    gz_d gap = (is_signed ? gz_d_mulsign(root, u->sign) : root) + u->rest;
    gap = gz_d_select(gz_d_at_most(gap, u->state), gz_d_min(gap, zero), gap);
    gz_d_store(in->distances + i, gz_d_if_negative(u->state, zero, gap));
}

// Computes the block at i up to its root, and finishes the one before.
ALWAYS void step_finish(const pass_step *s, const arrays *in, size_t i, approach_steps kind,
                        pending *waiting) {
    const ray_hit *hit = &s->hit;
    gz_d time = impact_time(hit->along, hit->inverse, in->horizon);
    if (kind.doubled) time = time + time;
    lanes2 q = {s->pair.q.x + time * s->v.x, s->pair.q.y + time * s->v.y};
    rooted pair = kind.distance(&s->pair, q);
    gz_d square = gz_d_if_negative(hit->state, hit->square, pair.square);
    if (i > 0) pending_store(in, i - GZ_D_LANES, waiting, kind.is_signed);
    *waiting = (pending){square, hit->along, hit->inverse, hit->state, pair.rest, pair.sign};
}

// All pairs, a tile of steps at a time.
ALWAYS void approach_run(const gz_pair_block *block, approach_steps kind, bool one_a, bool one_b) {
    pass_step steps[GZ_PAIR_TILE / GZ_D_LANES];
    arrays in = {.vx = block->vx, .vy = block->vy, .times = block->times};
    row_set_fill(&in.rows, block->a, block->b);
    in.distances = block->distances;
    in.sign = gz_d_all(block->sign);
    in.horizon = gz_d_all(block->horizon);
    gz_d zero = gz_d_all(0);
    pending waiting = {zero, zero, zero, zero, zero, zero};
    size_t count = block->count;
    for (size_t from = 0; from < count; from += GZ_PAIR_TILE) {
        size_t end = from + GZ_PAIR_TILE < count ? from + GZ_PAIR_TILE : count;
        pass_step *s = steps;
        for (size_t i = from; i<end; i += GZ_D_LANES, s += kind.passes> 1) {
            kind.prepare(&s->pair, &in.rows, one_a ? 0 : i, one_b ? 0 : i);
            s->v = (lanes2){gz_d_load(in.vx + i) * in.sign, gz_d_load(in.vy + i) * in.sign};
            if (kind.passes < 3) kind.hit(s, in.horizon);
            if (kind.passes < 2) step_finish(s, &in, i, kind, &waiting);
        }
        for (s = steps; kind.passes == 3 && s < steps + (end - from) / GZ_D_LANES; s++)
            kind.hit(s, in.horizon);
        s = steps;
        for (size_t i = from; kind.passes > 1 && i < end; i += GZ_D_LANES, s++)
            step_finish(s, &in, i, kind, &waiting);
    }
    pending_store(&in, count - GZ_D_LANES, &waiting, kind.is_signed);
}

#define APPROACH_LOOP(name, ...)                                                                   \
    static void approach_##name(gz_pair_block *block) {                                            \
        const approach_steps steps = {name##_prepare, name##_hit, name##_distance, __VA_ARGS__};   \
        RUN_BY_ONES(approach_run, block, steps);                                                   \
    }

APPROACH_LOOP(circles, .passes = 1)
APPROACH_LOOP(circle_capsule, .passes = 3)
APPROACH_LOOP(circle_rectangle, .passes = 2)
APPROACH_LOOP(capsules, .passes = 3, .is_signed = true, .doubled = true)
APPROACH_LOOP(capsule_rectangle, .passes = 3)
APPROACH_LOOP(rectangles, .passes = 2)
