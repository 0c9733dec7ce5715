// The batch loops of signed distance, over lanes of pairs; included by distance_base.c and its
// twins with DISTANCE_NAME and DISTANCE_KERNELS defined. The loop of polygons is in
// polygon_lanes.h; error bounds are derived beside each loop, with u = 2^-53, M the largest
// magnitude of a coordinate or extent of the pair, and D the largest difference of two coordinates,
// at most 2 sqrt(2) M.

#include <math.h>

#include "planar/double_lanes.h"
#include "planar/distance_kernel.h"

#define add  gz_d_add
#define sub  gz_d_sub
#define mul  gz_d_mul
#define pick gz_d_select

#define ALWAYS static inline __attribute__((always_inline))

typedef struct lanes2 {
    gz_d x, y;
} lanes2;

ALWAYS lanes2 load2(const double *const *rows, int x, int y, size_t i) {
    return (lanes2){gz_d_load(rows[x] + i), gz_d_load(rows[y] + i)};
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

#include "planar/polygon_lanes.h"

// Two differences (u each, relative), squares, sum, root: 4 u of the distance, and the radii.
static void circle_circle(const gz_distance_block *block) {
    for (size_t i = 0; i < block->count; i += GZ_D_LANES) {
        lanes2 t = minus(load2(block->b, 0, 1, i), load2(block->a, 0, 1, i));
        gz_d radii = add(gz_d_load(block->a[2] + i), gz_d_load(block->b[2] + i));
        gz_d_store(block->distances + i, sub(gz_d_root(dot(t, t)), radii));
    }
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

static void circle_capsule(const gz_distance_block *block) {
    gz_d one = gz_d_all(1);
    for (size_t i = 0; i < block->count; i += GZ_D_LANES) {
        lanes2 b0 = load2(block->b, 0, 1, i);
        lanes2 w = minus(load2(block->a, 0, 1, i), b0), e = minus(load2(block->b, 2, 3, i), b0);
        gz_d square = square_off(w, e, gz_d_div(one, dot(e, e)));
        gz_d radii = add(gz_d_load(block->a[2] + i), gz_d_load(block->b[4] + i));
        gz_d_store(block->distances + i, sub(gz_d_root(square), radii));
    }
}

// In the rectangle's axes: two differences and an inner product with a unit vector (4 u D), the
// extent taken off (u): below 6 u D for each, and so for the distance and the depth.
static void circle_rectangle(const gz_distance_block *block) {
    gz_d zero = gz_d_all(0);
    for (size_t i = 0; i < block->count; i += GZ_D_LANES) {
        lanes2 t = minus(load2(block->a, 0, 1, i), load2(block->b, 0, 1, i));
        lanes2 axis = load2(block->b, 2, 3, i), half = load2(block->b, 4, 5, i);
        gz_d x = sub(gz_d_abs(dot(axis, t)), half.x), y = sub(gz_d_abs(cross(axis, t)), half.y);
        lanes2 outside = {gz_d_max(x, zero), gz_d_max(y, zero)};
        gz_d depth = gz_d_min(gz_d_max(x, y), zero);
        gz_d radii = add(gz_d_load(block->a[2] + i), gz_d_load(block->b[6] + i));
        gz_d core = add(gz_d_root(dot(outside, outside)), depth);
        gz_d_store(block->distances + i, sub(core, radii));
    }
}

// As graze_planar_capsules(): the closest of each end to the other segment, with the sign of a
// crossing. A crossing is believed where it is not rounding alone: the ends are as near the other
// line as the segments are to each other. A wrong sign then costs at most twice the distance of an
// end from a line whose side is not certain, 4 u D.
static void capsule_capsule(const gz_distance_block *block) {
    gz_d zero = gz_d_all(0), one = gz_d_all(1), four = gz_d_all(4);
    for (size_t i = 0; i < block->count; i += GZ_D_LANES) {
        lanes2 a0 = load2(block->a, 0, 1, i), a1 = load2(block->a, 2, 3, i);
        lanes2 b0 = load2(block->b, 0, 1, i), b1 = load2(block->b, 2, 3, i);
        lanes2 ea = minus(a1, a0), eb = minus(b1, b0);
        lanes2 w00 = minus(b0, a0), w01 = minus(b1, a0), w10 = minus(b0, a1);
        lanes2 back00 = minus(a0, b0), back10 = minus(a1, b0);
        gz_d square_a = dot(ea, ea), square_b = dot(eb, eb);
        gz_d over_a = gz_d_div(one, square_a), over_b = gz_d_div(one, square_b);
        gz_d least = gz_d_min(
            gz_d_min(square_off(w00, ea, over_a), square_off(w01, ea, over_a)),
            gz_d_min(square_off(back00, eb, over_b), square_off(back10, eb, over_b)));

        // On which sides of each line the other's ends are.
        gz_d sa0 = cross(eb, w00), sa1 = cross(eb, w10), sb0 = cross(ea, w00), sb1 = cross(ea, w01);
        gz_d near_a = gz_d_min(gz_d_abs(sa0), gz_d_abs(sa1));
        gz_d near_b = gz_d_min(gz_d_abs(sb0), gz_d_abs(sb1));
        gz_d_mask crossing = gz_d_and(gz_d_less(mul(sa0, sa1), zero),
                                      gz_d_less(mul(sb0, sb1), zero));
        gz_d_mask believed = gz_d_and(
            gz_d_at_most(mul(least, square_b), mul(four, mul(near_a, near_a))),
            gz_d_at_most(mul(least, square_a), mul(four, mul(near_b, near_b))));
        gz_d distance = gz_d_root(least);
        distance = pick(gz_d_and(crossing, believed), gz_d_negative(distance), distance);
        gz_d radii = add(gz_d_load(block->a[4] + i), gz_d_load(block->b[4] + i));
        gz_d_store(block->distances + i, sub(distance, radii));
    }
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
static void rectangle_rectangle(const gz_distance_block *block) {
    gz_d zero = gz_d_all(0);
    for (size_t i = 0; i < block->count; i += GZ_D_LANES) {
        lanes2 t = minus(load2(block->b, 0, 1, i), load2(block->a, 0, 1, i));
        lanes2 axis_a = load2(block->a, 2, 3, i), half_a = load2(block->a, 4, 5, i);
        lanes2 axis_b = load2(block->b, 2, 3, i), half_b = load2(block->b, 4, 5, i);
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
        gz_d core = pick(gz_d_less(gap, zero), gap, gz_d_root(square));
        gz_d radii = add(gz_d_load(block->a[6] + i), gz_d_load(block->b[6] + i));
        gz_d_store(block->distances + i, sub(core, radii));
    }
}

const gz_distance_kernels DISTANCE_KERNELS = {
    .name = DISTANCE_NAME,
    .loops = {[GRAZE_PLANAR_CIRCLE] = {circle_circle, circle_capsule, circle_rectangle, NULL},
              [GRAZE_PLANAR_CAPSULE] = {NULL, capsule_capsule, NULL, NULL},
              [GRAZE_PLANAR_RECTANGLE] = {NULL, NULL, rectangle_rectangle, NULL},
              [GRAZE_PLANAR_POLYGON] = {NULL, NULL, NULL, polygon_polygon}}};
