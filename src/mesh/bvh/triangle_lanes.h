/// Eight points or triangles side by side, and how far they are from a point.
#ifndef GZ_MESH_BVH_TRIANGLE_LANES_H
#define GZ_MESH_BVH_TRIANGLE_LANES_H

#include "math/lanes.h"

typedef struct lanes3 {
    gz_f8 x, y, z;
} lanes3;

static inline lanes3 cross_lanes(lanes3 a, lanes3 b) {
    return (lanes3){gz_f8_sub(gz_f8_mul(a.y, b.z), gz_f8_mul(a.z, b.y)),
                    gz_f8_sub(gz_f8_mul(a.z, b.x), gz_f8_mul(a.x, b.z)),
                    gz_f8_sub(gz_f8_mul(a.x, b.y), gz_f8_mul(a.y, b.x))};
}

static inline gz_f8 dot_lanes(lanes3 a, lanes3 b) {
    return gz_f8_add(gz_f8_add(gz_f8_mul(a.x, b.x), gz_f8_mul(a.y, b.y)), gz_f8_mul(a.z, b.z));
}

static inline lanes3 sub_lanes(lanes3 a, lanes3 b) {
    return (lanes3){gz_f8_sub(a.x, b.x), gz_f8_sub(a.y, b.y), gz_f8_sub(a.z, b.z)};
}

static inline lanes3 scale_lanes(lanes3 a, gz_f8 s) {
    return (lanes3){gz_f8_mul(a.x, s), gz_f8_mul(a.y, s), gz_f8_mul(a.z, s)};
}

static inline lanes3 load_lanes3(const float (*p)[GZ_LANES]) {
    return (lanes3){gz_f8_load(p[0]), gz_f8_load(p[1]), gz_f8_load(p[2])};
}

/// Adds the square of a gap along one axis to a sum; a gap below zero is none.
static inline gz_f8 add_gap(gz_f8 sum, gz_f8 gap) {
    gz_f8 positive = gz_f8_max(gap, gz_f8_all(0));
    return gz_f8_add(sum, gz_f8_mul(positive, positive));
}

/// One point in all lanes.
static inline lanes3 spread_point(const float p[3]) {
    return (lanes3){gz_f8_all(p[0]), gz_f8_all(p[1]), gz_f8_all(p[2])};
}

/// The way from a point to the nearest of some, and its square.
typedef struct way_lanes {
    gz_f8 square;
    lanes3 way;
} way_lanes;

static inline void keep_way(way_lanes *best, lanes3 way) {
    gz_f8 square = dot_lanes(way, way), nearer = gz_f8_greater(best->square, square);
    best->square = gz_f8_min(square, best->square);
    best->way.x = gz_f8_select(best->way.x, way.x, nearer);
    best->way.y = gz_f8_select(best->way.y, way.y, nearer);
    best->way.z = gz_f8_select(best->way.z, way.z, nearer);
}

/// Corners and edges of triangles, the corners seen from a point, and the way from that point to a
/// point of an edge: the nearest but for rounding, and for edges of less than 1e-15 m, of which it
/// may be any.
typedef struct edge_lanes {
    lanes3 d[3], e[3];
    way_lanes best;
} edge_lanes;

static inline edge_lanes edges_seen_from(const lanes3 v[3], const float at[3]) {
    gz_f8 zero = gz_f8_all(0), one = gz_f8_all(1);
    edge_lanes out;
    for (int k = 0; k < 3; k++) out.d[k] = sub_lanes(v[k], spread_point(at));
    for (int k = 0; k < 3; k++) {
        lanes3 d = out.d[k], e = sub_lanes(out.d[(k + 1) % 3], d);
        gz_f8 t = gz_f8_div(gz_f8_sub(zero, dot_lanes(d, e)),
                            gz_f8_max(dot_lanes(e, e), gz_f8_all(1e-30f)));
        t = gz_f8_min(gz_f8_max(t, zero), one);
        lanes3 q = {gz_f8_add(d.x, gz_f8_mul(t, e.x)), gz_f8_add(d.y, gz_f8_mul(t, e.y)),
                    gz_f8_add(d.z, gz_f8_mul(t, e.z))};
        if (k)
            keep_way(&out.best, q);
        else
            out.best = (way_lanes){dot_lanes(q, q), q};
        out.e[k] = e;
    }
    return out;
}

/// Ways from a point to points of eight triangles, mostly the nearest: none is shorter than the
/// distance, but for the rounding of coordinates.
static inline way_lanes nearest_ways(const lanes3 v[3], const float at[3]) {
    gz_f8 zero = gz_f8_all(0), one = gz_f8_all(1), tiny = gz_f8_all(1e-30f);
    edge_lanes seen = edges_seen_from(v, at);
    const lanes3 *d = seen.d, *e = seen.e;
    // The foot of the perpendicular, where it is in the triangle: d0 + s e0 - t e2.
    gz_f8 a = dot_lanes(e[0], e[0]), b = dot_lanes(e[0], e[2]), c = dot_lanes(e[2], e[2]);
    gz_f8 f = dot_lanes(d[0], e[0]), g = dot_lanes(d[0], e[2]);
    gz_f8 det = gz_f8_max(gz_f8_sub(gz_f8_mul(a, c), gz_f8_mul(b, b)), tiny);
    gz_f8 s = gz_f8_div(gz_f8_sub(gz_f8_mul(b, g), gz_f8_mul(c, f)), det);
    gz_f8 t = gz_f8_div(gz_f8_sub(gz_f8_mul(a, g), gz_f8_mul(b, f)), det);
    gz_f8 off = gz_f8_greater(zero, gz_f8_min(s, gz_f8_min(t, gz_f8_sub(gz_f8_sub(one, s), t))));
    lanes3 q = {gz_f8_sub(gz_f8_add(d[0].x, gz_f8_mul(s, e[0].x)), gz_f8_mul(t, e[2].x)),
                gz_f8_sub(gz_f8_add(d[0].y, gz_f8_mul(s, e[0].y)), gz_f8_mul(t, e[2].y)),
                gz_f8_sub(gz_f8_add(d[0].z, gz_f8_mul(s, e[0].z)), gz_f8_mul(t, e[2].z))};
    q.x = gz_f8_select(q.x, gz_f8_all(1e12f), off);
    keep_way(&seen.best, q);
    return seen.best;
}

static inline gz_f8 nearest_squares(const lanes3 v[3], const float at[3]) {
    return nearest_ways(v, at).square;
}

/// The least divisor of a height: see beyond_squares().
#define NORMAL_LEAST 0x1p-30f

/// Squares of distances that a point has at least from eight triangles, but for the rounding of
/// coordinates, of which none is taken for more than 2^-22 of the sizes off, and for underflow,
/// which makes no distance more than 2^-29 m too large: the callers' pads are larger. Three bounds
/// hold for whatever triangle. Its plane is no farther than it is. A foot of the perpendicular in
/// the triangle is within its inradius, r = |n| / perimeter, of an edge, so that d^2 >= edge^2 -
/// r^2. And where the foot is outside, d is the distance from an edge.
///
/// With u = 2^-24 and N = |e0| |e1|: the normal n = e0 x e1 is off by at most 8 u N, a side's inner
/// normal n x e by 12 u N |e|, and its product with d by 16 u N |e| |d|. So the foot is surely
/// outside where that product is above 32 u N |e| |d|; |n|^2 <= 2 |n'|^2 + 2 (8 u N)^2 for the
/// computed n'; and n . d is off by at most 16 u N |d|.
///
/// Products that underflow are off by 2^-150 each, for coordinates below 2^21. That r is below half
/// of every edge, a third of the longest and half the root of N bounds what each may cost:
/// - The distance from an edge: less than 1e-15 m (edges_seen_from()).
/// - `outside` at most r, and no claim here is above |d|. `out` is off by 2^-103, but counts from
///   2^-75 on only, where its square is not 0. So it is wrong only where `off` lost three quarters.
///   The last product lost nothing that out^2 did not lose; the others lose so much only where |d|
///   or an edge is below 2^-63, |e| |d| or N below 2^-62, or N^2 2^-38 became 0: N is below 2^-56.
///   So r or |d| is below 2^-29.
/// - `inner` lacks less than 2^-147 / (2 longest^2) of r^2 (unless an edge, and so r, is below
///   2^-62), and no more than (longest / 3)^2: the root of what it lacks is below 2^-37. Below its
///   floor, longest is below 1e-18 itself.
/// - `size` lacks something of N only where an edge or N is below 2^-62, so N is below 2^-40: n . d
///   is off by 2^-60 |d|, |n| by 2^-61. The least divisor makes that 2^-30 of |d|, and 2^-31 of the
///   height. What has a shorter normal has r below 2^-16: there the edges suffice.
static inline gz_f8 beyond_squares(const lanes3 v[3], const float at[3]) {
    gz_f8 zero = gz_f8_all(0), tiny = gz_f8_all(1e-36f), outside = zero, longest = zero;
    edge_lanes seen = edges_seen_from(v, at);
    lanes3 n = cross_lanes(seen.e[0], seen.e[1]);
    gz_f8 square = gz_f8_mul(dot_lanes(seen.e[0], seen.e[0]), dot_lanes(seen.e[1], seen.e[1]));
    for (int k = 0; k < 3; k++) {
        lanes3 e = seen.e[k], d = seen.d[k];
        gz_f8 e2 = dot_lanes(e, e), out = gz_f8_max(dot_lanes(cross_lanes(n, e), d), zero);
        gz_f8 off = gz_f8_mul(gz_f8_mul(square, gz_f8_all(0x1p-38f)),
                              gz_f8_mul(e2, dot_lanes(d, d)));
        outside = gz_f8_or(outside, gz_f8_greater(gz_f8_mul(out, out), off));
        longest = gz_f8_max(longest, e2);
    }
    gz_f8 n2 = dot_lanes(n, n), size = gz_f8_sqrt(square);
    gz_f8 inner = gz_f8_add(n2, gz_f8_mul(square, gz_f8_all(0x1p-42f)));
    inner = gz_f8_div(inner, gz_f8_max(gz_f8_add(longest, longest), tiny));
    gz_f8 bound = gz_f8_sub(gz_f8_mul(seen.best.square, gz_f8_all(1 - 0x1p-19f)),
                            gz_f8_mul(inner, gz_f8_all(1 + 0x1p-19f)));
    gz_f8 way = gz_f8_sqrt(dot_lanes(seen.d[0], seen.d[0]));
    gz_f8 top = gz_f8_sub(gz_f8_abs(dot_lanes(n, seen.d[0])),
                          gz_f8_mul(gz_f8_mul(size, way), gz_f8_all(0x1p-20f)));
    gz_f8 bottom = gz_f8_add(gz_f8_sqrt(n2), gz_f8_mul(size, gz_f8_all(0x1p-21f)));
    gz_f8 height = gz_f8_div(gz_f8_max(top, zero), gz_f8_max(bottom, gz_f8_all(NORMAL_LEAST)));
    bound = gz_f8_max(bound, gz_f8_mul(gz_f8_mul(height, height), gz_f8_all(1 - 0x1p-19f)));
    return gz_f8_select(gz_f8_max(bound, zero), seen.best.square, outside);
}

#endif
