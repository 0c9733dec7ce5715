// Signed distances of pairs side by side in lanes, up to their root: what the batch loops of
// distance and of closest approach share. Error bounds are derived beside each, with u = 2^-53, M
// the largest magnitude of a coordinate or extent of the pair, and D the largest difference of two
// coordinates, at most 2 sqrt(2) M.
#ifndef GZ_PLANAR_PAIR_LANES_H
#define GZ_PLANAR_PAIR_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "planar/double_lanes.h"

#define add  gz_d_add
#define sub  gz_d_sub
#define mul  gz_d_mul
#define pick gz_d_select

#define ALWAYS static inline __attribute__((always_inline))

typedef struct lanes2 {
    gz_d x, y;
} lanes2;

// The rows of circles, capsules and rectangles: a copy whose address goes nowhere, for registers.
typedef struct row_set {
    const double *a[7], *b[7];
} row_set;

ALWAYS void row_set_fill(row_set *out, const double *const *a, const double *const *b) {
    for (int k = 0; k < 7; k++) {
        out->a[k] = a[k];
        out->b[k] = b[k];
    }
}

ALWAYS lanes2 load2(const double *const *rows, int x, int y, size_t i) {
    return (lanes2){gz_d_load(rows[x] + i), gz_d_load(rows[y] + i)};
}

// Minus the sum of the radii, which are row ka of A and kb of B.
ALWAYS gz_d less_radii(const row_set *in, int ka, int kb, size_t i, size_t j) {
    return gz_d_negative(add(gz_d_load(in->a[ka] + i), gz_d_load(in->b[kb] + j)));
}

ALWAYS lanes2 minus(lanes2 a, lanes2 b) {
    return (lanes2){sub(a.x, b.x), sub(a.y, b.y)};
}

ALWAYS gz_d dot(lanes2 a, lanes2 b) {
    return add(mul(a.x, b.x), mul(a.y, b.y));
}

ALWAYS gz_d cross(lanes2 a, lanes2 b) {
    return sub(mul(a.x, b.y), mul(a.y, b.x));
}

// From a place of A to one of B, with B's displacement where it has one.
ALWAYS lanes2 moved_by(lanes2 t, const lanes2 *moved) {
    return moved ? (lanes2){add(t.x, moved->x), add(t.y, moved->y)} : t;
}

// A pair's distance up to its root: root(square) + rest, the root's sign turned with that of `sign`
// for capsules.
typedef struct rooted {
    gz_d square, rest, sign;
} rooted;

ALWAYS gz_d rooted_value(rooted r, bool is_signed) {
    gz_d root = gz_d_root(r.square);
    return add(is_signed ? gz_d_turn(root, r.sign) : root, r.rest);
}

// Shape i of A and shape j of B, displaced by `moved` unless that is NULL.
typedef rooted pair_function(const row_set *in, size_t i, size_t j, const lanes2 *moved);

// Two differences (u each, relative), squares, sum, root: 4 u of the distance, and the radii.
ALWAYS rooted disks(const row_set *in, size_t i, size_t j, const lanes2 *moved) {
    lanes2 t = moved_by(minus(load2(in->b, 0, 1, j), load2(in->a, 0, 1, i)), moved);
    return (rooted){dot(t, t), less_radii(in, 2, 2, i, j), t.x};
}

// Where on the segment along e the foot of w is, 0 to 1; of `over`, 1 over the square of e,
// infinity for a segment without length: then 0 * infinity is no number and any end will do.
ALWAYS gz_d saturate(gz_d along, gz_d over) {
    gz_d one = gz_d_all(1), zero = gz_d_all(0);
    return gz_d_max(gz_d_min(mul(along, over), one), zero);
}

// The square of w less its part along e. The place is off by at most 7 u |w| / |e| (an inner
// product of differences, 4 u |w| |e|, the square of e 4 u, division, product), which moves the
// point along the segment by 7 u |w|: at most that is the distance's error, plus 3 u D of the
// difference.
ALWAYS gz_d square_off(lanes2 w, lanes2 e, gz_d over) {
    gz_d t = saturate(dot(w, e), over);
    lanes2 r = {sub(w.x, mul(t, e.x)), sub(w.y, mul(t, e.y))};
    return dot(r, r);
}

ALWAYS rooted disk_capsule(const row_set *in, size_t i, size_t j, const lanes2 *moved) {
    lanes2 b0 = load2(in->b, 0, 1, j), e = minus(b0, load2(in->b, 2, 3, j));
    lanes2 w = moved_by(minus(b0, load2(in->a, 0, 1, i)), moved);
    gz_d square = square_off(w, e, gz_d_div(gz_d_all(1), dot(e, e)));
    return (rooted){square, less_radii(in, 2, 4, i, j), square};
}

// In the rectangle's axes: two differences and an inner product with a unit vector (4 u D), the
// extent taken off (u): below 6 u D for each, and so for the distance and the depth.
ALWAYS rooted disk_rectangle(const row_set *in, size_t i, size_t j, const lanes2 *moved) {
    gz_d zero = gz_d_all(0);
    lanes2 t = moved_by(minus(load2(in->b, 0, 1, j), load2(in->a, 0, 1, i)), moved);
    lanes2 axis = load2(in->b, 2, 3, j), half = load2(in->b, 4, 5, j);
    gz_d x = sub(gz_d_abs(dot(axis, t)), half.x), y = sub(gz_d_abs(cross(axis, t)), half.y);
    lanes2 outside = {gz_d_max(x, zero), gz_d_max(y, zero)};
    // Outside the depth is 0, inside the root is: either is added exactly.
    gz_d depth = gz_d_min(gz_d_max(x, y), zero);
    return (rooted){dot(outside, outside), add(depth, less_radii(in, 2, 6, i, j)), x};
}

// The least squared distance of two points from a segment where their feet lie within it, infinity
// where neither does: `in` are their inner products with the segment less half its own square, and
// `off` their squared cross products with it.
ALWAYS gz_d square_within(const gz_d in[2], const gz_d off[2], gz_d half, gz_d over) {
    gz_d none = gz_d_all(INFINITY);
    gz_d first = pick(gz_d_less(gz_d_abs(in[0]), half), off[0], none);
    gz_d second = pick(gz_d_less(gz_d_abs(in[1]), half), off[1], none);
    return mul(gz_d_min(first, second), over);
}

// As graze_planar_capsules(): the closest of each end to the other segment, with the sign of a
// crossing. A foot's cross product is off by 5 u |w| |e| (products of differences), so the distance
// by 6 u |w| with the division and the root; a foot that is wrongly taken or left, within 6 u |w|
// of an end, moves the point by that at most. A crossing is believed where it is not rounding
// alone: the ends are as near the other line as the segments are to each other. A wrong sign then
// costs at most twice the distance of an end from a line whose side is not certain, 5 u D.
ALWAYS rooted two_capsules(const row_set *in, size_t i, size_t j, const lanes2 *moved) {
    gz_d zero = gz_d_all(0), one = gz_d_all(1), half = gz_d_all(0.5), four = gz_d_all(4);
    lanes2 a0 = load2(in->a, 0, 1, i), a1 = load2(in->a, 2, 3, i);
    lanes2 b0 = load2(in->b, 0, 1, j), b1 = load2(in->b, 2, 3, j);
    lanes2 ea = minus(a1, a0), eb = minus(b1, b0);
    lanes2 w00 = moved_by(minus(b0, a0), moved), w01 = moved_by(minus(b1, a0), moved);
    lanes2 w10 = moved_by(minus(b0, a1), moved), w11 = moved_by(minus(b1, a1), moved);
    gz_d square_a = dot(ea, ea), square_b = dot(eb, eb);
    gz_d over_a = gz_d_div(one, square_a), over_b = gz_d_div(one, square_b);
    gz_d half_a = mul(half, square_a), half_b = mul(half, square_b);

    // On which sides of each line the other's ends are, and how far.
    gz_d sa0 = cross(eb, w00), sa1 = cross(eb, w10), sb0 = cross(ea, w00), sb1 = cross(ea, w01);
    gz_d off_a[2] = {mul(sa0, sa0), mul(sa1, sa1)}, off_b[2] = {mul(sb0, sb0), mul(sb1, sb1)};
    gz_d in_a[2] = {add(dot(eb, w00), half_b), add(dot(eb, w10), half_b)};
    gz_d in_b[2] = {sub(dot(ea, w00), half_a), sub(dot(ea, w01), half_a)};
    gz_d ends = gz_d_min(gz_d_min(dot(w00, w00), dot(w01, w01)),
                         gz_d_min(dot(w10, w10), dot(w11, w11)));
    gz_d feet = gz_d_min(square_within(in_a, off_a, half_b, over_b),
                         square_within(in_b, off_b, half_a, over_a));
    gz_d least = gz_d_min(feet, ends);

    gz_d near_a = mul(four, gz_d_min(off_a[0], off_a[1]));
    gz_d near_b = mul(four, gz_d_min(off_b[0], off_b[1]));
    gz_d_mask crossing = gz_d_and(gz_d_less(mul(sa0, sa1), zero), gz_d_less(mul(sb0, sb1), zero));
    gz_d_mask believed = gz_d_and(gz_d_at_most(mul(least, square_b), near_a),
                                  gz_d_at_most(mul(least, square_a), near_b));
    gz_d sign = pick(gz_d_and(crossing, believed), gz_d_all(-1), one);
    return (rooted){least, less_radii(in, 4, 4, i, j), sign};
}

// The least squared distance of the corners t +- p +- q to the box of half extents h about the
// origin.
ALWAYS gz_d corners_to_box(lanes2 t, lanes2 p, lanes2 q, lanes2 h) {
    gz_d zero = gz_d_all(0), least = gz_d_all(0);
    lanes2 sum = {add(p.x, q.x), add(p.y, q.y)}, rest = minus(p, q);
    for (int k = 0; k < 4; k++) {
        lanes2 way = k < 2 ? sum : rest;
        lanes2 corner = k & 1 ? minus(t, way) : (lanes2){add(t.x, way.x), add(t.y, way.y)};
        lanes2 outside = {gz_d_max(sub(gz_d_abs(corner.x), h.x), zero),
                          gz_d_max(sub(gz_d_abs(corner.y), h.y), zero)};
        gz_d square = dot(outside, outside);
        least = k == 0 ? square : gz_d_min(square, least);
    }
    return least;
}

// Gaps along the four axes: where none is positive the rectangles overlap, and the largest is the
// depth; else the closest are a corner and the other rectangle. Each is a difference of centres in
// an axis (4 u D), the product of axes (3 u each) with extents and their sum: below 16 u D.
ALWAYS rooted boxes(lanes2 t, lanes2 axis_a, lanes2 half_a, lanes2 axis_b, lanes2 half_b,
                    gz_d less) {
    gz_d zero = gz_d_all(0);
    lanes2 in_a = {dot(axis_a, t), cross(axis_a, t)}, in_b = {dot(axis_b, t), cross(axis_b, t)};
    gz_d c = dot(axis_a, axis_b), s = cross(axis_a, axis_b);

    // The half axes of each, in the other's axes.
    lanes2 px = {mul(half_b.x, c), mul(half_b.x, s)};
    lanes2 py = {gz_d_negative(mul(half_b.y, s)), mul(half_b.y, c)};
    lanes2 qx = {mul(half_a.x, c), gz_d_negative(mul(half_a.x, s))};
    lanes2 qy = {mul(half_a.y, s), mul(half_a.y, c)};
    gz_d gap_ax = sub(gz_d_abs(in_a.x), add(half_a.x, add(gz_d_abs(px.x), gz_d_abs(py.x))));
    gz_d gap_ay = sub(gz_d_abs(in_a.y), add(half_a.y, add(gz_d_abs(px.y), gz_d_abs(py.y))));
    gz_d gap_bx = sub(gz_d_abs(in_b.x), add(half_b.x, add(gz_d_abs(qx.x), gz_d_abs(qy.x))));
    gz_d gap_by = sub(gz_d_abs(in_b.y), add(half_b.y, add(gz_d_abs(qx.y), gz_d_abs(qy.y))));
    gz_d gap = gz_d_max(gz_d_max(gap_ax, gap_ay), gz_d_max(gap_bx, gap_by));

    // The box about the other's origin sees the corners mirrored, which changes nothing.
    gz_d square = gz_d_min(corners_to_box(in_a, px, py, half_a),
                           corners_to_box(in_b, qx, qy, half_b));
    gz_d_mask overlapping = gz_d_less(gap, zero);
    gz_d depth = add(gz_d_min(gap, zero), less);
    return (rooted){pick(overlapping, zero, square), depth, gap};
}

ALWAYS rooted two_rectangles(const row_set *in, size_t i, size_t j, const lanes2 *moved) {
    lanes2 t = moved_by(minus(load2(in->b, 0, 1, j), load2(in->a, 0, 1, i)), moved);
    return boxes(t, load2(in->a, 2, 3, i), load2(in->a, 4, 5, i), load2(in->b, 2, 3, j),
                 load2(in->b, 4, 5, j), less_radii(in, 6, 6, i, j));
}

// A segment is a rectangle without width. Its axis is off by 3 u more (root, division); along it no
// translation is shorter than across, so that the fourth gap is right, too.
ALWAYS rooted capsule_rectangle_pair(const row_set *in, size_t i, size_t j, const lanes2 *moved) {
    gz_d zero = gz_d_all(0), one = gz_d_all(1), half = gz_d_all(0.5);
    lanes2 a0 = load2(in->a, 0, 1, i), a1 = load2(in->a, 2, 3, i), e = minus(a1, a0);
    gz_d length = gz_d_root(dot(e, e)), over = gz_d_div(one, length);
    gz_d_mask has_length = gz_d_less(zero, length);
    lanes2 axis = {pick(has_length, mul(e.x, over), one), gz_d_keep(has_length, mul(e.y, over))};
    lanes2 middle = {mul(half, add(a0.x, a1.x)), mul(half, add(a0.y, a1.y))};
    lanes2 t = moved_by(minus(load2(in->b, 0, 1, j), middle), moved);
    return boxes(t, axis, (lanes2){mul(half, length), zero}, load2(in->b, 2, 3, j),
                 load2(in->b, 4, 5, j), less_radii(in, 4, 6, i, j));
}

#endif
