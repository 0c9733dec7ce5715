// Where a moving point meets the difference of two shapes, in lanes: circles, capsules and
// rectangles (docs/planar.md). The difference is a sum of up to four segments about the origin,
// grown by r; the point runs from P along v. In axes along v (u) and to its left (w), both times
// |v|, an edge g of half length h reaches h g_w to either side of its middle m, and is what the
// point meets where
//
//     G = w - (m + r n_w),   w = v x P,
//
// lies within that (n: the edge's unit normal against v). Beyond one end or the other, the contact
// lies before or after the edge along the chain. So an edge's part of the contact, from its middle,
// is G / g_w kept within [-h, h], for each edge by itself.

#include "planar/distance/pair_lanes.h"
#include "planar/kernels.h"

/// The place on the chain, from P: its way along v and to the left of it, both times |v|.
typedef struct meeting {
    gz_d along, left;
} meeting;

// An edge's part of the contact: g / across within [-half, half], where half * across = `reach`. Of
// an edge along the motion (across = 0) -half is the end that comes first: what is left of g is
// negative, for minus infinity, or 0, for no number, and of that and a bound gz_d_max() takes the
// bound.
ALWAYS gz_d edge_part(gz_d g, gz_d across, gz_d reach, gz_d half) {
    return gz_d_max(gz_d_div(gz_d_min(g, reach), across), gz_d_negative(half));
}

// A disk and a segment from q to q + e: the foot f = q + s e + t v of a contact with the segment's
// side has f.e = 0, |f| = r and f.v < 0, so that v x (q + s e) = v x f = r (v.e) sgn(v x e) / |e|.
ALWAYS meeting segment_meeting(lanes2 v, lanes2 q, lanes2 e, gz_d length, gz_d r) {
    gz_d zero = gz_d_all(0), one = gz_d_all(1);
    gz_d along = dot(v, e), left = cross(v, e), off = cross(v, q);
    gz_d side = d_sub(gz_d_turn(d_mul(r, along), left), d_mul(off, length));
    gz_d s = gz_d_min(gz_d_max(gz_d_div(side, d_mul(length, left)), zero), one);
    // Along the motion the foremost end is met first.
    gz_d_mask turned = gz_d_less(zero, gz_d_abs(left));
    s = d_select(turned, s, gz_d_keep(gz_d_less(zero, along), one));
    return (meeting){gz_d_negative(d_add(dot(v, q), d_mul(s, along))), d_add(off, d_mul(s, left))};
}

/// One of two segments: its length and v in its axes, times that.
typedef struct segment {
    gz_d length, along, left;
} segment;

ALWAYS segment segment_make(lanes2 e, gz_d length, lanes2 v) {
    return (segment){length, dot(v, e), cross(v, e)};
}

// Its part of the contact, in [-1, 1] of half of it; w is twice that of the point, r twice the
// radius. Numerator and denominator are times its length, so that only the product is divided by.
// Of two segments that point to the left the one that points further back comes first and leaves
// the other its own half way to the left: `other` is the other's way, with the sign of this x
// other.
ALWAYS gz_d segment_part(const segment *s, gz_d w, gz_d other, gz_d r) {
    gz_d one = gz_d_all(1), g = d_sub(w, gz_d_turn(other, s->left));
    g = d_sub(d_mul(g, s->length), d_mul(r, gz_d_turn(s->along, s->left)));
    gz_d part = gz_d_div(g, d_mul(s->length, s->left));
    part = gz_d_min(gz_d_max(part, gz_d_negative(one)), one);
    gz_d_mask turned = gz_d_less(gz_d_all(0), gz_d_abs(s->left));
    return d_select(turned, part, gz_d_negative(gz_d_turn(one, s->along)));
}

// Of p, twice the way between the segments' middles, and r, twice the radius: twice the way.
ALWAYS meeting segments_meeting(lanes2 v, lanes2 p, const segment *a, const segment *b, gz_d x,
                                gz_d r) {
    gz_d w = cross(v, p);
    gz_d part_a = segment_part(a, w, gz_d_turn(b->left, x), r);
    gz_d part_b = segment_part(b, w, gz_d_negative(gz_d_turn(a->left, x)), r);
    gz_d along = d_add(d_mul(part_a, a->along), d_mul(part_b, b->along));
    gz_d left = d_add(d_mul(part_a, a->left), d_mul(part_b, b->left));
    return (meeting){d_sub(along, dot(v, p)), d_sub(w, left)};
}

// A disk and a box, mirrored so that v >= 0: the point can meet the left side and the one below.
ALWAYS meeting box_meeting(lanes2 v, lanes2 p, lanes2 half, gz_d r) {
    gz_d w = cross(v, p), up = d_mul(v.x, half.y), right = d_mul(v.y, half.x);
    gz_d g_left = d_sub(w, d_add(right, d_mul(v.y, r)));
    gz_d g_below = gz_d_negative(d_add(w, d_add(up, d_mul(v.x, r))));
    gz_d y = edge_part(g_left, v.x, up, half.y);
    gz_d x = edge_part(g_below, v.y, right, half.x);
    gz_d along = d_add(d_mul(v.y, y), d_mul(v.x, x)),
         left = d_add(d_sub(w, d_mul(v.x, y)), d_mul(v.y, x));
    return (meeting){d_sub(along, dot(v, p)), left};
}

// Two boxes in the axes of the first (half extents a), mirrored so that v >= 0, where the second
// (b) is turned by an angle from 0 to 90 degrees. Against v stand, in this order along the chain,
// from the left: A's left side, one of B's, A's side below; B's other one, which runs along its
// first axis, ends or begins the chain, by the sign of v along B's second axis. `flat`: a.y is 0.
ALWAYS meeting boxes_meeting(lanes2 v, lanes2 p, lanes2 axis, lanes2 a, lanes2 b, gz_d r,
                             bool flat) {
    gz_d w = cross(v, p);
    gz_d forward = dot(axis, v), down = cross(v, axis); // v in B's axes, the second negated
    gz_d sideways = gz_d_abs(down);
    // Half ways across v, and from these the middles.
    gz_d up = d_mul(a.y, v.x), right = d_mul(a.x, v.y), side = d_mul(b.y, forward);
    gz_d last = d_mul(b.x, down), before = d_sub(right, last);
    gz_d lower = flat ? side : d_add(up, side);
    gz_d g_side = d_sub(d_sub(flat ? before : d_sub(before, up), d_mul(r, down)), w);
    gz_d g_below = d_sub(gz_d_negative(d_add(w, last)), d_add(lower, d_mul(r, v.x)));
    gz_d g_last = d_sub(gz_d_turn(w, down), d_add(d_add(lower, right), d_mul(r, forward)));

    gz_d x = edge_part(g_below, v.y, right, a.x);
    gz_d bx = edge_part(g_last, sideways, d_mul(b.x, sideways), b.x);
    // Along B's second axis, turned to go with v.
    gz_d by = edge_part(gz_d_turn(g_side, down), forward, side, b.y);
    gz_d along = d_add(d_add(d_mul(v.x, x), d_mul(forward, bx)), d_mul(sideways, by));
    gz_d left = gz_d_turn(d_sub(d_mul(forward, by), d_mul(sideways, bx)), down);
    left = d_add(w, d_add(d_mul(v.y, x), left));
    if (!flat) {
        gz_d y = edge_part(d_sub(w, d_add(d_add(side, before), d_mul(r, v.y))), v.x, up, a.y);
        along = d_add(along, d_mul(v.y, y));
        left = d_sub(left, d_mul(v.x, y));
    }
    return (meeting){d_sub(along, dot(v, p)), left};
}

// The course of a block of pairs, in lanes: what comes before the distance, and the answers of
// both; then for each pair of kinds of shape what its loop is made of (approach_body.h).

/// The arrays of a loop, or of one of its tiles. Where there is one shape for all, its rows are
/// copies for a tile, and every tile begins with the first.
typedef struct arrays {
    const double *rows[2][GZ_APPROACH_ROWS];
    bool one[2];
    const double *vx, *vy;
    double *times, *distances, *slowest;
    double sign;
    gz_d horizon;
} arrays;

ALWAYS gz_d row(const arrays *in, int which, int k, size_t i) {
    return gz_d_load(in->rows[which][k] + i);
}

ALWAYS lanes2 row2(const arrays *in, int which, int k, size_t i) {
    return (lanes2){row(in, which, k, i), row(in, which, k + 1, i)};
}

ALWAYS gz_d radii(const arrays *in, int ka, int kb, size_t i) {
    return d_add(row(in, 0, ka, i), row(in, 1, kb, i));
}

#define NUMBERS 13

/// One block of pairs after the first pass: ways are those along v times |v|.
typedef struct course {
    gz_d along;           ///< to the middle of the circle that is met or passed; 0 where past
    gz_d square;          ///< of half the way in that circle, where it is met
    gz_d over;            ///< 1 / |v|^2
    gz_d state;           ///< -1: hit in time; else up to where a gap now is none
    gz_d number[NUMBERS]; ///< what the second pass needs, by kinds
} course;

// The line meets the circle of radius r where `square` >= 0, at (along - root(square)) / |v|^2.
// Signs tell whether that is now or before (along <= root), or beyond the horizon (along - h |v|^2
// > root), without the root. They count the difference as `grown` beyond r by rounding, so that
// what is met without a radius, too, is met. Where the line meets it but began in it or past it, a
// gap up to `slack` is none. All lengths may be `scale` times as long.
ALWAYS void course_find(course *c, lanes2 v, meeting m, gz_d r, gz_d grown, gz_d slack,
                        gz_d horizon, double scale) {
    gz_d zero = gz_d_all(0), vv = dot(v, v);
    gz_d off = d_mul(m.left, m.left), square = d_sub(d_mul(d_mul(r, r), vv), off);
    gz_d reach = d_add(r, grown), within = d_sub(d_mul(d_mul(reach, reach), vv), off);
    gz_d ahead = gz_d_max(m.along, zero);
    gz_d rest = gz_d_max(d_sub(m.along, d_mul(d_mul(horizon, gz_d_all(scale)), vv)), zero);
    gz_d_mask past = gz_d_at_most(d_mul(ahead, ahead), within);
    gz_d_mask in_time = gz_d_at_most(d_mul(rest, rest), within);
    c->along = gz_d_drop(past, m.along);
    c->square = gz_d_max(square, zero);
    c->over = gz_d_div(gz_d_all(1 / scale), vv);
    c->state = d_select(past, slack, gz_d_keep(in_time, gz_d_all(-1)));
}

// The ways' time. No number where nothing moves: then now.
ALWAYS gz_d way_time(gz_d along, gz_d over, gz_d horizon) {
    return gz_d_max(gz_d_min(horizon, d_mul(along, over)), gz_d_all(0));
}

ALWAYS lanes2 place_at(lanes2 p, lanes2 v, gz_d time) {
    return (lanes2){d_add(p.x, d_mul(time, v.x)), d_add(p.y, d_mul(time, v.y))};
}

// A block whose answers wait for a root: what is hit in time needs one for its time, all else one
// for its distance.
typedef struct unrooted {
    gz_d square, along, over, state, rest, sign;
} unrooted;

ALWAYS unrooted course_square(const course *c, rooted pair) {
    gz_d square = gz_d_if_negative(c->state, c->square, pair.square);
    return (unrooted){square, c->along, c->over, c->state, pair.rest, pair.sign};
}

// The answers.
ALWAYS void course_end(const arrays *in, size_t i, const unrooted *u, bool is_signed) {
    gz_d zero = gz_d_all(0), root = gz_d_root(u->square);
    gz_d along = d_sub(u->along, gz_d_if_negative(u->state, root, zero));
    gz_d_store(in->times + i, way_time(along, u->over, in->horizon));
    gz_d gap = d_add(is_signed ? gz_d_turn(root, u->sign) : root, u->rest);
    gap = d_select(gz_d_at_most(gap, u->state), gz_d_min(gap, zero), gap);
    gz_d_store(in->distances + i, gz_d_if_negative(u->state, zero, gap));
}

ALWAYS void numbers_set(course *c, int k, lanes2 value) {
    c->number[k] = value.x;
    c->number[k + 1] = value.y;
}

ALWAYS lanes2 numbers(const course *c, int k) {
    return (lanes2){c->number[k], c->number[k + 1]};
}

// A part of the data's size that rounding of the chain's places stays below (eight units: two each
// of v x p, of the products and sums, and of turning both): see course_find().
ALWAYS gz_d rounding_of(lanes2 p, gz_d extent) {
    return d_mul(gz_d_all(0x1p-50), d_add(d_add(gz_d_abs(p.x), gz_d_abs(p.y)), extent));
}

// ------------------------------------------------------------------------ each pair of kinds

/// For pairs i to i + GZ_D_LANES: what of the shapes alone takes long, before all else; the first
/// pass; the distance at a time, for the second. Each sets numbers of the course for the next.
typedef void prepare_function(const arrays *in, size_t i, course *c);
typedef void first_function(const arrays *in, size_t i, lanes2 v, course *c);
typedef rooted then_function(const arrays *in, size_t i, lanes2 v, const course *c, gz_d time);

#define CIRCLES_NUMBERS 3
ALWAYS void circles_first(const arrays *in, size_t i, lanes2 v, course *c) {
    lanes2 p = minus(row2(in, 1, 0, i), row2(in, 0, 0, i));
    gz_d r = radii(in, 2, 2, i);
    meeting m = {gz_d_negative(dot(v, p)), cross(v, p)};
    // Where now counts the middles are as far apart as the radii are long.
    course_find(c, v, m, r, gz_d_all(0), d_mul(gz_d_all(0x1p-48), r), in->horizon, 1);
    numbers_set(c, 0, p);
    c->number[2] = r;
}

ALWAYS rooted circles_then(const arrays *in, size_t i, lanes2 v, const course *c, gz_d time) {
    (void)in;
    (void)i;
    lanes2 q = place_at(numbers(c, 0), v, time);
    return (rooted){dot(q, q), gz_d_negative(c->number[2]), q.x};
}

#define CIRCLE_CAPSULE_NUMBERS  7
#define CIRCLE_CAPSULE_PREPARED 4
ALWAYS void circle_capsule_prepare(const arrays *in, size_t i, course *c) {
    lanes2 e = minus(row2(in, 1, 2, i), row2(in, 1, 0, i));
    gz_d square = dot(e, e);
    numbers_set(c, 0, e);
    c->number[2] = gz_d_div(gz_d_all(1), square);
    c->number[3] = gz_d_root(square);
}

ALWAYS void circle_capsule_first(const arrays *in, size_t i, lanes2 v, course *c) {
    lanes2 q = minus(row2(in, 1, 0, i), row2(in, 0, 0, i));
    gz_d r = radii(in, 2, 4, i), slack = rounding_of(q, r);
    meeting m = segment_meeting(v, q, numbers(c, 0), c->number[3], r);
    course_find(c, v, m, r, slack, slack, in->horizon, 1);
    numbers_set(c, 4, q);
    c->number[6] = r;
}

ALWAYS rooted circle_capsule_then(const arrays *in, size_t i, lanes2 v, const course *c,
                                  gz_d time) {
    (void)in;
    (void)i;
    lanes2 q = place_at(numbers(c, 4), v, time), e = numbers(c, 0);
    lanes2 back = {gz_d_negative(e.x), gz_d_negative(e.y)};
    gz_d square = square_off(q, back, c->number[2]);
    return (rooted){square, gz_d_negative(c->number[6]), square};
}

// In the rectangle's axes, mirrored so that v >= 0.
#define CIRCLE_RECTANGLE_NUMBERS 4
ALWAYS void circle_rectangle_first(const arrays *in, size_t i, lanes2 v, course *c) {
    lanes2 p = minus(row2(in, 1, 0, i), row2(in, 0, 0, i));
    lanes2 axis = row2(in, 1, 2, i), half = row2(in, 1, 4, i);
    lanes2 way = {dot(axis, v), cross(axis, v)};
    lanes2 q = {gz_d_turn(dot(axis, p), way.x), gz_d_turn(cross(axis, p), way.y)};
    way = (lanes2){gz_d_abs(way.x), gz_d_abs(way.y)};
    gz_d r = radii(in, 2, 6, i), slack = rounding_of(q, d_add(r, d_add(half.x, half.y)));
    meeting m = box_meeting(way, q, half, r);
    course_find(c, way, m, r, slack, slack, in->horizon, 1);
    numbers_set(c, 0, q);
    numbers_set(c, 2, way);
}

ALWAYS rooted circle_rectangle_then(const arrays *in, size_t i, lanes2 v, const course *c,
                                    gz_d time) {
    (void)v;
    lanes2 q = place_at(numbers(c, 0), numbers(c, 2), time);
    return disk_box(q, row2(in, 1, 4, i), gz_d_negative(radii(in, 2, 6, i)));
}

// Twice as long, all of it, which saves halving segments.
#define CAPSULES_NUMBERS  13
#define CAPSULES_PREPARED 11
ALWAYS void capsules_prepare(const arrays *in, size_t i, course *c) {
    stretch a = stretch_make(row2(in, 0, 0, i), row2(in, 0, 2, i));
    stretch b = stretch_make(row2(in, 1, 0, i), row2(in, 1, 2, i));
    gz_d quarter = gz_d_all(0.25);
    numbers_set(c, 0, a.e);
    numbers_set(c, 2, b.e);
    c->number[4] = a.square;
    c->number[5] = b.square;
    c->number[6] = gz_d_div(quarter, c->number[4]);
    c->number[7] = gz_d_div(quarter, c->number[5]);
    c->number[8] = cross(a.e, b.e);
    c->number[9] = gz_d_root(c->number[4]);
    c->number[10] = gz_d_root(c->number[5]);
}

ALWAYS void capsules_first(const arrays *in, size_t i, lanes2 v, course *c) {
    lanes2 p = twice_between(row2(in, 0, 0, i), row2(in, 0, 2, i), row2(in, 1, 0, i),
                             row2(in, 1, 2, i));
    segment a = segment_make(numbers(c, 0), c->number[9], v);
    segment b = segment_make(numbers(c, 2), c->number[10], v);
    gz_d r = radii(in, 4, 4, i), twice = d_add(r, r);
    gz_d slack = rounding_of(p, d_add(r, d_add(a.length, b.length)));
    meeting m = segments_meeting(v, p, &a, &b, c->number[8], twice);
    course_find(c, v, m, twice, slack, slack, in->horizon, 2);
    numbers_set(c, 11, p);
}

ALWAYS rooted capsules_then(const arrays *in, size_t i, lanes2 v, const course *c, gz_d time) {
    lanes2 q = place_at(numbers(c, 11), v, d_add(time, time));
    return parallelogram(q, numbers(c, 0), numbers(c, 2), c->number[4], c->number[5], c->number[6],
                         c->number[7], c->number[8], gz_d_negative(radii(in, 4, 4, i)));
}

// In A's axes, mirrored so that v >= 0; B's, mirrored with them, at an angle from 0 to 90 degrees.
#define RECTANGLES_NUMBERS 8
ALWAYS void boxes_first(const arrays *in, lanes2 v, course *c, lanes2 p, lanes2 axis_a, lanes2 a,
                        lanes2 axis_b, lanes2 b, gz_d r, bool flat) {
    lanes2 way = {dot(axis_a, v), cross(axis_a, v)};
    lanes2 q = {gz_d_turn(dot(axis_a, p), way.x), gz_d_turn(cross(axis_a, p), way.y)};
    gz_d cosine = dot(axis_a, axis_b), sine = cross(axis_a, axis_b);
    gz_d mirror = gz_d_turn(gz_d_turn(gz_d_turn(cosine, sine), way.x), way.y);
    way = (lanes2){gz_d_abs(way.x), gz_d_abs(way.y)};
    cosine = gz_d_abs(cosine);
    sine = gz_d_abs(sine);
    lanes2 axis = {gz_d_if_negative(mirror, sine, cosine), gz_d_if_negative(mirror, cosine, sine)};
    b = (lanes2){gz_d_if_negative(mirror, b.y, b.x), gz_d_if_negative(mirror, b.x, b.y)};
    gz_d extent = d_add(d_add(a.x, flat ? r : d_add(a.y, r)), d_add(b.x, b.y));
    gz_d slack = rounding_of(q, extent);
    meeting m = boxes_meeting(way, q, axis, a, b, r, flat);
    course_find(c, way, m, r, slack, slack, in->horizon, 1);
    numbers_set(c, 0, q);
    numbers_set(c, 2, way);
    numbers_set(c, 4, axis);
    numbers_set(c, 6, b);
}

ALWAYS rooted boxes_then(const course *c, lanes2 a, gz_d r, gz_d time, bool flat) {
    lanes2 q = place_at(numbers(c, 0), numbers(c, 2), time);
    return boxes(q, numbers(c, 4), a, numbers(c, 6), gz_d_turn(q.x, q.y), gz_d_negative(r), flat);
}

ALWAYS void rectangles_first(const arrays *in, size_t i, lanes2 v, course *c) {
    lanes2 p = minus(row2(in, 1, 0, i), row2(in, 0, 0, i));
    boxes_first(in, v, c, p, row2(in, 0, 2, i), row2(in, 0, 4, i), row2(in, 1, 2, i),
                row2(in, 1, 4, i), radii(in, 6, 6, i), false);
}

ALWAYS rooted rectangles_then(const arrays *in, size_t i, lanes2 v, const course *c, gz_d time) {
    (void)v;
    return boxes_then(c, row2(in, 0, 4, i), radii(in, 6, 6, i), time, false);
}

// A segment is a rectangle without width, one without length points anywhere; the way between the
// middles, halved, as for capsules.
#define CAPSULE_RECTANGLE_NUMBERS 9
ALWAYS void capsule_rectangle_first(const arrays *in, size_t i, lanes2 v, course *c) {
    gz_d zero = gz_d_all(0), one = gz_d_all(1), half = gz_d_all(0.5);
    lanes2 a0 = row2(in, 0, 0, i), a1 = row2(in, 0, 2, i), e = minus(a1, a0);
    lanes2 b = row2(in, 1, 0, i), p = twice_between(a0, a1, b, b);
    p = (lanes2){d_mul(half, p.x), d_mul(half, p.y)};
    gz_d length = gz_d_root(dot(e, e)), over = gz_d_div(one, length);
    gz_d_mask has_length = gz_d_less(zero, length);
    lanes2 axis = {d_select(has_length, d_mul(e.x, over), one),
                   gz_d_keep(has_length, d_mul(e.y, over))};
    lanes2 a = {d_mul(half, length), zero};
    boxes_first(in, v, c, p, axis, a, row2(in, 1, 2, i), row2(in, 1, 4, i), radii(in, 4, 6, i),
                true);
    c->number[8] = a.x;
}

ALWAYS rooted capsule_rectangle_then(const arrays *in, size_t i, lanes2 v, const course *c,
                                     gz_d time) {
    (void)v;
    lanes2 a = {c->number[8], gz_d_all(0)};
    return boxes_then(c, a, radii(in, 4, 6, i), time, true);
}
