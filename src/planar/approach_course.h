// The course of a block of pairs, in lanes: what comes before the distance, and the answers of
// both; then for each pair of kinds of shape what its loop is made of (approach_body.h).
#ifndef GZ_PLANAR_APPROACH_COURSE_H
#define GZ_PLANAR_APPROACH_COURSE_H

#include "planar/approach/approach_lanes.inl"
#include "planar/kernels.h"

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
    return add(row(in, 0, ka, i), row(in, 1, kb, i));
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
    gz_d off = mul(m.left, m.left), square = sub(mul(mul(r, r), vv), off);
    gz_d reach = add(r, grown), within = sub(mul(mul(reach, reach), vv), off);
    gz_d ahead = gz_d_max(m.along, zero);
    gz_d rest = gz_d_max(sub(m.along, mul(mul(horizon, gz_d_all(scale)), vv)), zero);
    gz_d_mask past = gz_d_at_most(mul(ahead, ahead), within);
    gz_d_mask in_time = gz_d_at_most(mul(rest, rest), within);
    c->along = gz_d_drop(past, m.along);
    c->square = gz_d_max(square, zero);
    c->over = gz_d_div(gz_d_all(1 / scale), vv);
    c->state = pick(past, slack, gz_d_keep(in_time, gz_d_all(-1)));
}

// The ways' time. No number where nothing moves: then now.
ALWAYS gz_d way_time(gz_d along, gz_d over, gz_d horizon) {
    return gz_d_max(gz_d_min(horizon, mul(along, over)), gz_d_all(0));
}

ALWAYS lanes2 place_at(lanes2 p, lanes2 v, gz_d time) {
    return (lanes2){add(p.x, mul(time, v.x)), add(p.y, mul(time, v.y))};
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
    gz_d along = sub(u->along, gz_d_if_negative(u->state, root, zero));
    gz_d_store(in->times + i, way_time(along, u->over, in->horizon));
    gz_d gap = add(is_signed ? gz_d_turn(root, u->sign) : root, u->rest);
    gap = pick(gz_d_at_most(gap, u->state), gz_d_min(gap, zero), gap);
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
    return mul(gz_d_all(0x1p-50), add(add(gz_d_abs(p.x), gz_d_abs(p.y)), extent));
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
    course_find(c, v, m, r, gz_d_all(0), mul(gz_d_all(0x1p-48), r), in->horizon, 1);
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
    gz_d r = radii(in, 2, 6, i), slack = rounding_of(q, add(r, add(half.x, half.y)));
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
    gz_d r = radii(in, 4, 4, i), twice = add(r, r);
    gz_d slack = rounding_of(p, add(r, add(a.length, b.length)));
    meeting m = segments_meeting(v, p, &a, &b, c->number[8], twice);
    course_find(c, v, m, twice, slack, slack, in->horizon, 2);
    numbers_set(c, 11, p);
}

ALWAYS rooted capsules_then(const arrays *in, size_t i, lanes2 v, const course *c, gz_d time) {
    lanes2 q = place_at(numbers(c, 11), v, add(time, time));
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
    gz_d extent = add(add(a.x, flat ? r : add(a.y, r)), add(b.x, b.y));
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
    p = (lanes2){mul(half, p.x), mul(half, p.y)};
    gz_d length = gz_d_root(dot(e, e)), over = gz_d_div(one, length);
    gz_d_mask has_length = gz_d_less(zero, length);
    lanes2 axis = {pick(has_length, mul(e.x, over), one), gz_d_keep(has_length, mul(e.y, over))};
    lanes2 a = {mul(half, length), zero};
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

#endif
