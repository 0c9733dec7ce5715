// Signed distances of pairs in lanes, up to their root, for the batch loops of distance and of
// closest approach. Error bounds are derived beside each function; u = 2^-53, M is the largest
// magnitude of a coordinate or extent, D the largest difference of two coordinates, <= 2 sqrt(2) M.
#ifndef GZ_PLANAR_DISTANCE_PAIR_LANES_H
#define GZ_PLANAR_DISTANCE_PAIR_LANES_H

#include <stdbool.h>
#include <stddef.h>

#include "math/lanes.h"
#include "planar/kernels.h"

#define ALWAYS static inline __attribute__((always_inline))

// Runs a loop over a block. Of one shape there are copies for one step. The usual case apart.
#define RUN_BY_ONES(run, block, ...)                                                               \
    (block->one[0] || block->one[1] ? run(block, __VA_ARGS__, block->one[0], block->one[1])        \
                                    : run(block, __VA_ARGS__, false, false))

typedef struct lanes2 {
    gz_d x, y;
} lanes2;

// The rows of circles, capsules and rectangles: a copy that stays in registers.
typedef struct row_set {
    const double *a[GZ_SIMPLE_ROWS], *b[GZ_SIMPLE_ROWS];
} row_set;

ALWAYS void row_set_fill(row_set *out, const double *const *a, const double *const *b) {
    for (int k = 0; k < GZ_SIMPLE_ROWS; k++) {
        out->a[k] = a[k];
        out->b[k] = b[k];
    }
}

ALWAYS lanes2 load2(const double *const *rows, int x, int y, size_t i) {
    return (lanes2){gz_d_load(rows[x] + i), gz_d_load(rows[y] + i)};
}

// The points from p on, one a lane.
ALWAYS lanes2 load_points(const graze_vec2 *p) {
#if GZ_D_LANES == 4
    return (lanes2){{p[0].x, p[1].x, p[2].x, p[3].x}, {p[0].y, p[1].y, p[2].y, p[3].y}};
#elif GZ_D_LANES == 2
    return (lanes2){{p[0].x, p[1].x}, {p[0].y, p[1].y}};
#else
    return (lanes2){p->x, p->y};
#endif
}

ALWAYS lanes2 minus(lanes2 a, lanes2 b) {
    return (lanes2){a.x - b.x, a.y - b.y};
}

ALWAYS gz_d dot(lanes2 a, lanes2 b) {
    return a.x * b.x + a.y * b.y;
}

ALWAYS gz_d cross(lanes2 a, lanes2 b) {
    return a.x * b.y - a.y * b.x;
}

// v in the axes of which the first is `axis`, a unit vector.
ALWAYS lanes2 in_axes(lanes2 axis, lanes2 v) {
    return (lanes2){dot(axis, v), cross(axis, v)};
}

ALWAYS lanes2 abs2(lanes2 a) {
    return (lanes2){gz_d_abs(a.x), gz_d_abs(a.y)};
}

ALWAYS lanes2 mulsign2(lanes2 a, lanes2 b) {
    return (lanes2){gz_d_mulsign(a.x, b.x), gz_d_mulsign(a.y, b.y)};
}

ALWAYS lanes2 swap_if_negative(gz_d sign, lanes2 a) {
    return (lanes2){gz_d_if_negative(sign, a.y, a.x), gz_d_if_negative(sign, a.x, a.y)};
}

// A pair's distance up to its root: root(square) + rest, for capsules with the sign of `sign`.
typedef struct rooted {
    gz_d square, rest, sign;
} rooted;

ALWAYS gz_d rooted_value(rooted r, bool is_signed) {
    gz_d root = gz_d_sqrt(r.square);
    return (is_signed ? gz_d_mulsign(root, r.sign) : root) + r.rest;
}

/// A pair made ready for its distance at any offset of B from A.
typedef struct lane_pair {
    lanes2 q;    ///< the offset: of capsules' middles doubled, else in the axes of a rectangle
    lanes2 e, f; ///< A's and B's segments, or axes: a rectangle's, and B's in these
    lanes2 a, b; ///< half extents, of a disk and a rectangle in b
    gz_d square_a, square_b, inverse_a, inverse_b, x; ///< of segments
    gz_d less;                                        ///< minus the sum of the radii
} lane_pair;

// Reads shape i of A and shape j of B.
typedef void prepare_function(lane_pair *out, const row_set *in, size_t i, size_t j);
// The distance at offset q.
typedef rooted distance_function(const lane_pair *pair, lanes2 q);

// The offset of two middles, and the radii, which are row ka of A and kb of B.
ALWAYS void prepare_middles(lane_pair *out, const row_set *in, size_t i, size_t j, int ka, int kb) {
    out->q = minus(load2(in->b, 0, 1, j), load2(in->a, 0, 1, i));
    out->less = -(gz_d_load(in->a[ka] + i) + gz_d_load(in->b[kb] + j));
}

ALWAYS void circles_prepare(lane_pair *out, const row_set *in, size_t i, size_t j) {
    prepare_middles(out, in, i, j, 2, 2);
}

// Two differences (u each, relative), squares, sum, root: 4 u of the distance, and the radii.
ALWAYS rooted circles_distance(const lane_pair *pair, lanes2 q) {
    return (rooted){dot(q, q), pair->less, q.x};
}

// The square of w less its part along e, at most all of e; `inverse` is 1 / e.e, infinity for a
// segment without length: then 0 * infinity is NaN and either end will do. The place is off by at
// most 7 u |w| / |e| (an inner product of differences, 4 u |w| |e|, the square of e 4 u, division,
// product), which moves the point along the segment by 7 u |w|: at most that is the distance's
// error, plus 3 u D of the difference.
ALWAYS gz_d square_off(lanes2 w, lanes2 e, gz_d inverse) {
    gz_d t = gz_d_max(gz_d_min(dot(w, e) * inverse, gz_d_all(1)), gz_d_all(0));
    lanes2 r = {w.x - t * e.x, w.y - t * e.y};
    return dot(r, r);
}

// A segment without length has an inverse without bound.
ALWAYS void circle_capsule_prepare(lane_pair *out, const row_set *in, size_t i, size_t j) {
    prepare_middles(out, in, i, j, 2, 4);
    out->f = minus(load2(in->b, 0, 1, j), load2(in->b, 2, 3, j));
    out->square_b = dot(out->f, out->f);
    out->inverse_b = 1.0 / out->square_b;
}

ALWAYS rooted circle_capsule_distance(const lane_pair *pair, lanes2 q) {
    gz_d square = square_off(q, pair->f, pair->inverse_b);
    return (rooted){square, pair->less, square};
}

// In the rectangle's axes: two differences and an inner product with a unit vector (4 u D), the
// extent taken off (u): below 6 u D for each, and so for the distance and the depth.
ALWAYS void circle_rectangle_prepare(lane_pair *out, const row_set *in, size_t i, size_t j) {
    prepare_middles(out, in, i, j, 2, 6);
    out->e = load2(in->b, 2, 3, j);
    out->q = in_axes(out->e, out->q);
    out->b = load2(in->b, 4, 5, j);
}

// A disk about q against a box about the origin.
ALWAYS rooted circle_rectangle_distance(const lane_pair *pair, lanes2 q) {
    gz_d zero = gz_d_all(0), x = gz_d_abs(q.x) - pair->b.x, y = gz_d_abs(q.y) - pair->b.y;
    lanes2 outside = {gz_d_max(x, zero), gz_d_max(y, zero)};
    // Outside the depth is 0, inside the root is: either is added exactly.
    gz_d depth = gz_d_min(gz_d_max(x, y), zero);
    return (rooted){dot(outside, outside), depth + pair->less, x};
}

// The squared distance of a point from an edge of a sum of shapes: `gap` above its line, `along` it
// from its middle, half its length `half`. Scaled by the edge's length, all of them.
ALWAYS gz_d edge_square(gz_d gap, gz_d along, gz_d half) {
    gz_d over = gz_d_max(gz_d_abs(along) - half, gz_d_all(0));
    return gap * gap + over * over;
}

// Twice the offset of the middles of two segments, as the sum of the offsets of their ends: each
// exact to u, however far the segments are from the origin.
ALWAYS lanes2 twice_offset(lanes2 a0, lanes2 a1, lanes2 b0, lanes2 b1) {
    lanes2 first = minus(b0, a0), second = minus(b1, a1);
    return (lanes2){first.x + second.x, first.y + second.y};
}

/// The squared length of a segment. One without a length gets one far below the least of
/// coordinates, 2^-100, which changes no result: so nothing divides by 0.
ALWAYS gz_d segment_square(lanes2 *e) {
    gz_d square = dot(*e, *e);
    e->x = gz_d_select(gz_d_less(gz_d_all(0), square), e->x, gz_d_all(0x1p-200));
    return gz_d_max(square, gz_d_all(0x1p-400));
}

ALWAYS void capsules_prepare(lane_pair *out, const row_set *in, size_t i, size_t j) {
    lanes2 a0 = load2(in->a, 0, 1, i), a1 = load2(in->a, 2, 3, i);
    lanes2 b0 = load2(in->b, 0, 1, j), b1 = load2(in->b, 2, 3, j);
    prepare_middles(out, in, i, j, 4, 4);
    out->q = twice_offset(a0, a1, b0, b1);
    out->e = minus(a1, a0);
    out->f = minus(b1, b0);
    out->square_a = segment_square(&out->e);
    out->square_b = segment_square(&out->f);
    out->inverse_a = 0.25 / out->square_a;
    out->inverse_b = 0.25 / out->square_b;
    out->x = cross(out->e, out->f);
}

// Two segments `a` and `b`, whose middles are q / 2 apart: the distance of that point from the
// parallelogram of their halves' sums about the origin; the inverses are 1/4 over their
// squares. On the side of a on which q lies b's half leads to the edge that runs along a, and
// likewise for b: which ends these are is a matter of signs. Where q lies in the acute angle of the
// two directions, both lead towards q; that is so, too, where rounding alone puts q between nearly
// parallel ones, which then cover the way up to the vertex in any case.
//
// Cross products are off by 5 u |q| |e| (products of differences), so a gap by 6 u D with the
// division and the root; an inner product moves the point along the edge by as little. Inside is
// accepted where it is not rounding alone: the nearest is a foot on an edge. A wrong sign then
// costs at most twice the distance from a line whose side is not certain, 5 u D.
ALWAYS rooted capsules_distance(const lane_pair *pair, lanes2 q) {
    lanes2 a = pair->e, b = pair->f;
    gz_d zero = gz_d_all(0), x = pair->x;
    gz_d along_a = dot(a, q), along_b = dot(b, q), off_a = cross(a, q), off_b = cross(b, q);
    gz_d shift = dot(a, b), to_q = gz_d_abs(shift), sided = gz_d_mulsign(shift, x);
    gz_d acute = gz_d_mulsign(gz_d_mulsign(shift, off_a), off_b);
    gz_d middle_a = gz_d_if_negative(acute, gz_d_mulsign(to_q, along_a),
                                     gz_d_mulsign(sided, off_a));
    gz_d middle_b = gz_d_if_negative(acute, gz_d_mulsign(-to_q, along_b),
                                     gz_d_mulsign(sided, off_b)); // turned once more
    gz_d gap_a = gz_d_abs(off_a) - gz_d_abs(x), gap_b = gz_d_abs(off_b) - gz_d_abs(x);
    gz_d past_a = gz_d_max(gz_d_abs(along_a - middle_a) - pair->square_a, zero);
    gz_d past_b = gz_d_max(gz_d_abs(along_b + middle_b) - pair->square_b, zero);

    // From the lines, and from their edges.
    gz_d line_a = gap_a * gap_a * pair->inverse_a, line_b = gap_b * gap_b * pair->inverse_b;
    gz_d edge_a = line_a + past_a * past_a * pair->inverse_a;
    gz_d edge_b = line_b + past_b * past_b * pair->inverse_b;
    gz_d square = gz_d_min(edge_a, edge_b), depth = gz_d_min(line_a, line_b);
    gz_d_mask inside = gz_d_and(gz_d_less(gz_d_max(gap_a, gap_b), zero),
                                gz_d_at_most(square, depth + depth));
    return (rooted){square, pair->less, gz_d_keep(inside, gz_d_all(-1))};
}

// Two boxes, b's middle at q in the axes of a, its first axis at f there, up to signs: the
// distance of q from the sum of both about the origin. Everything mirrored so that q >= 0; `mirror`
// is negative where that leaves b's axes at an angle from 90 to 180 degrees, which b's other axis
// takes back to one from 0 to 90. Then two sides of A, one of B and, by the side of its second axis
// on which q lies, one more face q, in an order that is known. Along them the largest gap is the
// depth where none is positive; else the nearest point is on one of them.
//
// A difference of centres in A's axes is off by 4 u D, turned again by 6 u more of it (axis 3 u),
// extents by 5 u: below 24 u D. `flat`: a.y is 0, and A's first side none.
ALWAYS rooted boxes(const lane_pair *pair, lanes2 q, bool flat) {
    gz_d zero = gz_d_all(0), x = gz_d_abs(q.x), y = gz_d_abs(q.y);
    gz_d mirror = gz_d_mulsign(gz_d_mulsign(pair->f.x, pair->f.y), gz_d_mulsign(q.x, q.y));
    lanes2 a = pair->a, b = swap_if_negative(mirror, pair->b);
    lanes2 axis = swap_if_negative(mirror, abs2(pair->f));
    gz_d c = axis.x, s = axis.y, bx = b.x, by = b.y;
    gz_d in_bx = c * x + s * y, in_by = c * y - s * x;

    // The half axes of each, in the other's axes.
    gz_d bxc = bx * c, bxs = bx * s, byc = by * c, bys = by * s;
    gz_d axc = a.x * c, axs = a.x * s, ayc = a.y * c, ays = a.y * s;
    gz_d gap_y = y - ((flat ? bxs : a.y + bxs) + byc);
    gz_d gap_bx = in_bx - (bx + (flat ? axc : axc + ays));
    gz_d gap_by = gz_d_abs(in_by) - (by + (flat ? axs : axs + ayc));
    gz_d gap = gz_d_max(gap_y, gz_d_max(gap_bx, gap_by));

    gz_d square = edge_square(gap_y, x - (bxc - bys), a.x);
    gz_d middle_bx = flat ? -axs : ayc - axs;
    gz_d middle_by = flat ? axc : axc - ays;
    square = gz_d_min(square, edge_square(gap_bx, in_by - middle_bx, by));
    square = gz_d_min(square, edge_square(gap_by, in_bx + gz_d_mulsign(middle_by, in_by), bx));
    if (!flat) {
        gz_d gap_x = x - (a.x + bxc + bys);
        square = gz_d_min(square, edge_square(gap_x, y - (bxs - byc), a.y));
        gap = gz_d_max(gap, gap_x);
    }
    gz_d_mask overlapping = gz_d_less(gap, zero);
    gz_d depth = gz_d_min(gap, zero) + pair->less;
    return (rooted){gz_d_select(overlapping, zero, square), depth, gap};
}

ALWAYS void rectangles_prepare(lane_pair *out, const row_set *in, size_t i, size_t j) {
    prepare_middles(out, in, i, j, 6, 6);
    out->e = load2(in->a, 2, 3, i);
    out->q = in_axes(out->e, out->q);
    out->f = in_axes(out->e, load2(in->b, 2, 3, j));
    out->a = load2(in->a, 4, 5, i);
    out->b = load2(in->b, 4, 5, j);
}

ALWAYS rooted rectangles_distance(const lane_pair *pair, lanes2 q) {
    return boxes(pair, q, false);
}

#endif
