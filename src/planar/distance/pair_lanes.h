// Signed distances of pairs side by side in lanes, up to their root: what the batch loops of
// distance and of closest approach share. Error bounds are derived beside each, with u = 2^-53, M
// the largest magnitude of a coordinate or extent of the pair, and D the largest difference of two
// coordinates, at most 2 sqrt(2) M.
#ifndef GZ_PLANAR_DISTANCE_PAIR_LANES_H
#define GZ_PLANAR_DISTANCE_PAIR_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "math/lanes.h"

#define d_add    gz_d_add
#define d_sub    gz_d_sub
#define d_mul    gz_d_mul
#define d_select gz_d_select

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
    return gz_d_negative(d_add(gz_d_load(in->a[ka] + i), gz_d_load(in->b[kb] + j)));
}

ALWAYS lanes2 minus(lanes2 a, lanes2 b) {
    return (lanes2){d_sub(a.x, b.x), d_sub(a.y, b.y)};
}

ALWAYS gz_d dot(lanes2 a, lanes2 b) {
    return d_add(d_mul(a.x, b.x), d_mul(a.y, b.y));
}

ALWAYS gz_d cross(lanes2 a, lanes2 b) {
    return d_sub(d_mul(a.x, b.y), d_mul(a.y, b.x));
}

// A pair's distance up to its root: root(square) + rest, the root's sign turned with that of `sign`
// for capsules.
typedef struct rooted {
    gz_d square, rest, sign;
} rooted;

ALWAYS gz_d rooted_value(rooted r, bool is_signed) {
    gz_d root = gz_d_root(r.square);
    return d_add(is_signed ? gz_d_turn(root, r.sign) : root, r.rest);
}

// Shape i of A and shape j of B.
typedef rooted pair_function(const row_set *in, size_t i, size_t j);

// Two differences (u each, relative), squares, sum, root: 4 u of the distance, and the radii.
ALWAYS rooted disks(const row_set *in, size_t i, size_t j) {
    lanes2 t = minus(load2(in->b, 0, 1, j), load2(in->a, 0, 1, i));
    return (rooted){dot(t, t), less_radii(in, 2, 2, i, j), t.x};
}

// Where on the segment along e the foot of w is, 0 to 1; of `over`, 1 over the square of e,
// infinity for a segment without length: then 0 * infinity is no number and any end will do.
ALWAYS gz_d saturate(gz_d along, gz_d over) {
    gz_d one = gz_d_all(1), zero = gz_d_all(0);
    return gz_d_max(gz_d_min(d_mul(along, over), one), zero);
}

// The square of w less its part along e. The place is off by at most 7 u |w| / |e| (an inner
// product of differences, 4 u |w| |e|, the square of e 4 u, division, product), which moves the
// point along the segment by 7 u |w|: at most that is the distance's error, plus 3 u D of the
// difference.
ALWAYS gz_d square_off(lanes2 w, lanes2 e, gz_d over) {
    gz_d t = saturate(dot(w, e), over);
    lanes2 r = {d_sub(w.x, d_mul(t, e.x)), d_sub(w.y, d_mul(t, e.y))};
    return dot(r, r);
}

ALWAYS rooted disk_capsule(const row_set *in, size_t i, size_t j) {
    lanes2 b0 = load2(in->b, 0, 1, j), e = minus(b0, load2(in->b, 2, 3, j));
    lanes2 w = minus(b0, load2(in->a, 0, 1, i));
    gz_d square = square_off(w, e, gz_d_div(gz_d_all(1), dot(e, e)));
    return (rooted){square, less_radii(in, 2, 4, i, j), square};
}

// A disk about t against a box about the origin, in the box's axes.
ALWAYS rooted disk_box(lanes2 t, lanes2 half, gz_d less) {
    gz_d zero = gz_d_all(0), x = d_sub(gz_d_abs(t.x), half.x), y = d_sub(gz_d_abs(t.y), half.y);
    lanes2 outside = {gz_d_max(x, zero), gz_d_max(y, zero)};
    // Outside the depth is 0, inside the root is: either is added exactly.
    gz_d depth = gz_d_min(gz_d_max(x, y), zero);
    return (rooted){dot(outside, outside), d_add(depth, less), x};
}

// In the rectangle's axes: two differences and an inner product with a unit vector (4 u D), the
// extent taken off (u): below 6 u D for each, and so for the distance and the depth.
ALWAYS rooted disk_rectangle(const row_set *in, size_t i, size_t j) {
    lanes2 t = minus(load2(in->b, 0, 1, j), load2(in->a, 0, 1, i));
    lanes2 axis = load2(in->b, 2, 3, j);
    return disk_box((lanes2){dot(axis, t), cross(axis, t)}, load2(in->b, 4, 5, j),
                    less_radii(in, 2, 6, i, j));
}

// The squared distance of a point from an edge of a sum of shapes: `gap` above its line, `along` it
// from its middle, half its length `half`. Scaled by the edge's length, all of them.
ALWAYS gz_d edge_square(gz_d gap, gz_d along, gz_d half) {
    gz_d over = gz_d_max(d_sub(gz_d_abs(along), half), gz_d_all(0));
    return d_add(d_mul(gap, gap), d_mul(over, over));
}

// Two segments `a` and `b`, whose middles are q / 2 apart: the distance of that place from the
// parallelogram of their halves' sums about the origin; `over_a` and `over_b` are 1/4 over their
// squares. On the side of a on which q lies b's half leads to the edge that runs along a, and
// likewise for b: which ends these are is a matter of signs. Where q lies in the acute angle of the
// two directions, both lead towards q; that is so, too, where rounding alone puts q between nearly
// parallel ones, which then cover the way up to the vertex in any case.
//
// Cross products are off by 5 u |q| |e| (products of differences), so a gap by 6 u D with the
// division and the root; an inner product moves the point along the edge by as little. Inside is
// believed where it is not rounding alone: the nearest is a foot on an edge. A wrong sign then
// costs at most twice the distance from a line whose side is not certain, 5 u D.
ALWAYS rooted parallelogram(lanes2 q, lanes2 a, lanes2 b, gz_d square_a, gz_d square_b, gz_d over_a,
                            gz_d over_b, gz_d x, gz_d less) {
    gz_d zero = gz_d_all(0);
    gz_d along_a = dot(a, q), along_b = dot(b, q), off_a = cross(a, q), off_b = cross(b, q);
    gz_d shift = dot(a, b), to_q = gz_d_abs(shift), sided = gz_d_turn(shift, x);
    gz_d acute = gz_d_turn(gz_d_turn(shift, off_a), off_b);
    gz_d middle_a = gz_d_if_negative(acute, gz_d_turn(to_q, along_a), gz_d_turn(sided, off_a));
    gz_d middle_b = gz_d_if_negative(acute, gz_d_turn(gz_d_negative(to_q), along_b),
                                     gz_d_turn(sided, off_b)); // turned once more
    gz_d gap_a = d_sub(gz_d_abs(off_a), gz_d_abs(x)), gap_b = d_sub(gz_d_abs(off_b), gz_d_abs(x));
    gz_d past_a = gz_d_max(d_sub(gz_d_abs(d_sub(along_a, middle_a)), square_a), zero);
    gz_d past_b = gz_d_max(d_sub(gz_d_abs(d_add(along_b, middle_b)), square_b), zero);

    // From the lines, and from their edges.
    gz_d line_a = d_mul(d_mul(gap_a, gap_a), over_a), line_b = d_mul(d_mul(gap_b, gap_b), over_b);
    gz_d edge_a = d_add(line_a, d_mul(d_mul(past_a, past_a), over_a));
    gz_d edge_b = d_add(line_b, d_mul(d_mul(past_b, past_b), over_b));
    gz_d square = gz_d_min(edge_a, edge_b), depth = gz_d_min(line_a, line_b);
    gz_d_mask inside = gz_d_and(gz_d_less(gz_d_max(gap_a, gap_b), zero),
                                gz_d_at_most(square, d_add(depth, depth)));
    return (rooted){square, less, gz_d_keep(inside, gz_d_all(-1))};
}

// Twice the way between the middles is the sum of the ways between the ends: each right to u, so
// that segments far from the origin lose nothing to their place.
ALWAYS lanes2 twice_between(lanes2 a0, lanes2 a1, lanes2 b0, lanes2 b1) {
    lanes2 first = minus(b0, a0), second = minus(b1, a1);
    return (lanes2){d_add(first.x, second.x), d_add(first.y, second.y)};
}

/// A segment from end to end and its square. One without a length gets one that is far below the
/// least of coordinates, 2^-100, and changes nothing: then nothing divides by 0.
typedef struct stretch {
    lanes2 e;
    gz_d square;
} stretch;

ALWAYS stretch stretch_make(lanes2 from, lanes2 to) {
    lanes2 e = minus(to, from);
    gz_d square = dot(e, e);
    e.x = d_select(gz_d_less(gz_d_all(0), square), e.x, gz_d_all(0x1p-200));
    return (stretch){e, gz_d_max(square, gz_d_all(0x1p-400))};
}

ALWAYS rooted two_capsules(const row_set *in, size_t i, size_t j) {
    lanes2 a0 = load2(in->a, 0, 1, i), a1 = load2(in->a, 2, 3, i);
    lanes2 b0 = load2(in->b, 0, 1, j), b1 = load2(in->b, 2, 3, j);
    stretch a = stretch_make(a0, a1), b = stretch_make(b0, b1);
    lanes2 q = twice_between(a0, a1, b0, b1);
    gz_d quarter = gz_d_all(0.25);
    return parallelogram(q, a.e, b.e, a.square, b.square, gz_d_div(quarter, a.square),
                         gz_d_div(quarter, b.square), cross(a.e, b.e), less_radii(in, 4, 4, i, j));
}

// Two boxes, b's middle at q in the axes of a, its first axis at `axis` there, up to signs: the
// distance of q from the sum of both about the origin. Everything mirrored so that q >= 0; `mirror`
// is negative where that leaves b's axes at an angle from 90 to 180 degrees, which b's other axis
// takes back to one from 0 to 90. Then two sides of A, one of B and, by the side of its second axis
// on which q lies, one more face q, in an order that is known. Along them the largest gap is the
// depth where none is positive; else the nearest point is on one of them.
//
// A difference of centres in A's axes is off by 4 u D, turned again by 6 u more of it (axis 3 u),
// extents by 5 u: below 24 u D. `flat`: a.y is 0, and A's first side none.
ALWAYS rooted boxes(lanes2 q, lanes2 axis, lanes2 a, lanes2 b, gz_d mirror, gz_d less, bool flat) {
    gz_d zero = gz_d_all(0), x = gz_d_abs(q.x), y = gz_d_abs(q.y);
    gz_d cosine = gz_d_abs(axis.x), sine = gz_d_abs(axis.y);
    gz_d c = gz_d_if_negative(mirror, sine, cosine), s = gz_d_if_negative(mirror, cosine, sine);
    gz_d bx = gz_d_if_negative(mirror, b.y, b.x), by = gz_d_if_negative(mirror, b.x, b.y);
    gz_d in_bx = d_add(d_mul(c, x), d_mul(s, y)), in_by = d_sub(d_mul(c, y), d_mul(s, x));

    // The half axes of each, in the other's axes.
    gz_d bxc = d_mul(bx, c), bxs = d_mul(bx, s), byc = d_mul(by, c), bys = d_mul(by, s);
    gz_d axc = d_mul(a.x, c), axs = d_mul(a.x, s), ayc = d_mul(a.y, c), ays = d_mul(a.y, s);
    gz_d gap_y = d_sub(y, d_add(flat ? bxs : d_add(a.y, bxs), byc));
    gz_d gap_bx = d_sub(in_bx, d_add(bx, flat ? axc : d_add(axc, ays)));
    gz_d gap_by = d_sub(gz_d_abs(in_by), d_add(by, flat ? axs : d_add(axs, ayc)));
    gz_d gap = gz_d_max(gap_y, gz_d_max(gap_bx, gap_by));

    gz_d square = edge_square(gap_y, d_sub(x, d_sub(bxc, bys)), a.x);
    gz_d middle_bx = flat ? gz_d_negative(axs) : d_sub(ayc, axs);
    gz_d middle_by = flat ? axc : d_sub(axc, ays);
    square = gz_d_min(square, edge_square(gap_bx, d_sub(in_by, middle_bx), by));
    square = gz_d_min(square, edge_square(gap_by, d_add(in_bx, gz_d_turn(middle_by, in_by)), bx));
    if (!flat) {
        gz_d gap_x = d_sub(x, d_add(d_add(a.x, bxc), bys));
        square = gz_d_min(square, edge_square(gap_x, d_sub(y, d_sub(bxs, byc)), a.y));
        gap = gz_d_max(gap, gap_x);
    }
    gz_d_mask overlapping = gz_d_less(gap, zero);
    gz_d depth = d_add(gz_d_min(gap, zero), less);
    return (rooted){d_select(overlapping, zero, square), depth, gap};
}

ALWAYS rooted boxes_turned(lanes2 t, lanes2 axis_a, lanes2 half_a, lanes2 axis_b, lanes2 half_b,
                           gz_d less, bool flat) {
    lanes2 q = {dot(axis_a, t), cross(axis_a, t)};
    lanes2 axis = {dot(axis_a, axis_b), cross(axis_a, axis_b)};
    gz_d mirror = gz_d_turn(gz_d_turn(axis.x, axis.y), gz_d_turn(q.x, q.y));
    return boxes(q, axis, half_a, half_b, mirror, less, flat);
}

ALWAYS rooted two_rectangles(const row_set *in, size_t i, size_t j) {
    lanes2 t = minus(load2(in->b, 0, 1, j), load2(in->a, 0, 1, i));
    return boxes_turned(t, load2(in->a, 2, 3, i), load2(in->a, 4, 5, i), load2(in->b, 2, 3, j),
                        load2(in->b, 4, 5, j), less_radii(in, 6, 6, i, j), false);
}

#endif
