/// @file planar_distance.h
/// Signed distance of two shapes in the plane: one pair with witnesses, or many in lanes.
///
/// The signed distance of A and B is max over unit directions n of
/// min { n.q : q in B } - max { n.p : p in A }: the least distance of two points where the shapes
/// are apart, 0 where they touch, and less than 0 where they overlap, then minus the length of the
/// shortest translation after which they only touch.
///
/// Error, everywhere below: at most 256 * 2^-53 (2.9e-14) times the largest magnitude of a
/// coordinate or radius of the pair; derived in docs/planar.md.
#ifndef GRAZE_PLANAR_DISTANCE_H
#define GRAZE_PLANAR_DISTANCE_H

#include "planar_shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A feature of a shape's polygon.
typedef struct graze_planar_feature {
    int32_t index; ///< vertex, or edge from vertex index to the next
    bool edge;
} graze_planar_feature;

/// The answer for one pair.
typedef struct graze_planar_result {
    double distance;             ///< signed, metres
    graze_vec2 normal;           ///< unit, from A to B: moving B along it parts them
    graze_vec2 point_a, point_b; ///< on the borders: point_b = point_a + distance normal
    graze_planar_feature feature_a, feature_b; ///< of the polygons; two edges only never: of two
                                               ///< parallel edges one counts by its vertex
} graze_planar_result;

/// Signed distance, normal, witness points and features of two shapes in one frame.
/// Where the normal is not determined (polygons that meet in one point without an edge between
/// them, as two circles about one centre), it is (1, 0); where several are equally good, the choice
/// depends on the arguments alone.
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, count out of range); GRAZE_ERROR_RANGE (NaN or
///         infinity met); *result is written on GRAZE_OK only
/// Any thread; no allocation. Cost: O(n m) for n and m vertices, branch-light: some ten
/// nanoseconds for rectangles.
/// Source: separating edge normals with the closest feature on the best one (docs/planar.md), each
/// answer checked against its dual bound.
GRAZE_API graze_status graze_planar_distance(const graze_planar_shape *a,
                                             const graze_planar_shape *b,
                                             graze_planar_result *result);

// ------------------------------------------------------------------------------- inline forms
//
// For inner loops over circles and capsules: the same answers within the same error, compiled into
// the caller. They check nothing, and compute under the caller's rounding and compiler options (a
// caller that allows fused operations gets other last bits). Coordinates are 0 or of magnitude
// 2^-100 to 2^100, radii 0 to 2^100. Any thread.

GRAZE_PLANAR_INLINE graze_planar_pair graze_planar_pair_of(graze_vec2 p) {
    graze_planar_pair out = {p.x, p.y};
    return out;
}

GRAZE_PLANAR_INLINE void graze_planar_pair_store(graze_vec2 *to, graze_planar_pair p) {
#ifdef __cplusplus
    *reinterpret_cast<graze_planar_pair_at *>(to) = p;
#else
    *(graze_planar_pair_at *)to = p;
#endif
}

GRAZE_PLANAR_INLINE double graze_planar_pair_dot(graze_planar_pair a, graze_planar_pair b) {
    graze_planar_pair c = a * b;
    return c[0] + c[1];
}

GRAZE_PLANAR_INLINE double graze_planar_pair_cross(graze_planar_pair a, graze_planar_pair b) {
    graze_planar_pair turned = {b[1], b[0]}, c = a * turned;
    return c[0] - c[1];
}

/// To the right of p, square to it and as long.
GRAZE_PLANAR_INLINE graze_planar_pair graze_planar_pair_right(graze_planar_pair p) {
    graze_planar_pair out = {p[1], -p[0]};
    return out;
}

/// Two disks.
GRAZE_PLANAR_INLINE void graze_planar_circles(graze_vec2 a, double radius_a, graze_vec2 b,
                                              double radius_b, graze_planar_result *out) {
    graze_planar_pair p = graze_planar_pair_of(a), q = graze_planar_pair_of(b), d = q - p;
    graze_planar_pair n = {1, 0}; // of circles about one centre: any is as good
    double length = __builtin_sqrt(graze_planar_pair_dot(d, d));
    if (length > 0) n = d * (1 / length);
    out->distance = length - (radius_a + radius_b);
    graze_planar_pair_store(&out->normal, n);
    graze_planar_pair_store(&out->point_a, p + radius_a * n);
    graze_planar_pair_store(&out->point_b, q - radius_b * n);
    __builtin_memset(&out->feature_a, 0, sizeof out->feature_a);
    __builtin_memset(&out->feature_b, 0, sizeof out->feature_b);
}

/// A disk and a capsule.
GRAZE_PLANAR_INLINE void graze_planar_circle_capsule(graze_vec2 a, double radius_a, graze_vec2 b0,
                                                     graze_vec2 b1, double radius_b,
                                                     graze_planar_result *out) {
    graze_planar_pair p = graze_planar_pair_of(a), q = graze_planar_pair_of(b0);
    graze_planar_pair end = graze_planar_pair_of(b1), e = end - q, n = {1, 0};
    // From the centre to the nearest vertex, or, where an edge is nearest, square to it and of its
    // length: so the direction holds however close the centre is.
    graze_planar_pair offset = q - p, to_end = end - p;
    double cross = 0;
    bool edge = false;
    int32_t vertex = graze_planar_pair_dot(offset, e) < 0;
    if (vertex == 1) {
        edge = graze_planar_pair_dot(to_end, e) > 0;
        offset = to_end;
    }
    if (edge) {
        vertex = 0;
        cross = graze_planar_pair_cross(e, q - p);
        offset = graze_planar_pair_right(e);
        if (!(cross < 0)) offset = -offset;
    }
    double gap = __builtin_sqrt(graze_planar_pair_dot(offset, offset));
    if (gap > 0) {
        double scale = 1 / gap;
        n = offset * scale;
        if (edge) gap = __builtin_fabs(cross) * scale;
    } else if (e[0] != 0 || e[1] != 0) { // the centre on an end of the segment: square to it
        n = graze_planar_pair_right(e);
        n /= __builtin_sqrt(graze_planar_pair_dot(n, n));
    }
    out->distance = gap - (radius_a + radius_b);
    graze_planar_pair_store(&out->normal, n);
    graze_planar_pair_store(&out->point_a, p + radius_a * n);
    graze_planar_pair_store(&out->point_b, p + (gap - radius_b) * n);
    __builtin_memset(&out->feature_a, 0, sizeof out->feature_a);
    out->feature_b.index = vertex;
    out->feature_b.edge = edge;
}

/// The squared distance of point p from the segment from a to b. feature: 0 where a is closest, 1
/// where b is, 2 between; offset: from p to the segment, of length root(square) at a vertex, square
/// to the segment and of the segment's length between (exact differences, so that its direction
/// holds however close p is). cross: cross product of b - a and p - a.
typedef struct graze_planar_segment_foot {
    double square, cross;
    graze_vec2 offset;
    int32_t feature;
} graze_planar_segment_foot;

GRAZE_PLANAR_INLINE graze_planar_segment_foot graze_planar_segment_foot_of(graze_vec2 p,
                                                                           graze_vec2 a,
                                                                           graze_vec2 b) {
    graze_planar_segment_foot out;
    double ex = b.x - a.x, ey = b.y - a.y;
    double wx = p.x - a.x, wy = p.y - a.y, vx = p.x - b.x, vy = p.y - b.y;
    double past = wx * ex + wy * ey, left = vx * ex + vy * ey;
    double cross = ex * wy - ey * wx, length2 = ex * ex + ey * ey;
    bool before = !(past > 0), behind = !(left < 0);
    double at_x = before ? wx : vx, at_y = before ? wy : vy;
    bool between = !(before | behind); // without a branch: either outcome is as likely
    out.cross = cross;
    out.square = between ? cross * cross / length2 : at_x * at_x + at_y * at_y;
    out.offset.x = between ? (cross > 0 ? ey : -ey) : -at_x;
    out.offset.y = between ? (cross > 0 ? -ex : ex) : -at_y;
    out.feature = between ? 2 : before ? 0 : 1;
    return out;
}

/// Of the normals of two segments that meet up to rounding, the one that parts them most: the least
/// projection of B less the largest of A is returned, with the unit normal from A to B. (1, 0) for
/// two points.
GRAZE_PLANAR_INLINE double graze_planar_contact_normal(graze_vec2 a0, graze_vec2 a1, graze_vec2 b0,
                                                       graze_vec2 b1, graze_vec2 *normal) {
    double best = -1;
    bool found = false;
    normal->x = 1;
    normal->y = 0;
    for (int k = 0; k < 4; k++) {
        graze_vec2 from = k < 2 ? a0 : b0, to = k < 2 ? a1 : b1;
        double x = to.y - from.y, y = from.x - to.x, length = __builtin_sqrt(x * x + y * y);
        if (!(length > 0)) continue;
        x = k & 1 ? -x / length : x / length;
        y = k & 1 ? -y / length : y / length;
        double f00 = (b0.x - a0.x) * x + (b0.y - a0.y) * y,
               f01 = (b1.x - a0.x) * x + (b1.y - a0.y) * y;
        double f10 = (b0.x - a1.x) * x + (b0.y - a1.y) * y,
               f11 = (b1.x - a1.x) * x + (b1.y - a1.y) * y;
        double f0 = f00 < f01 ? f00 : f01, f1 = f10 < f11 ? f10 : f11, f = f0 < f1 ? f0 : f1;
        if (found && f <= best) continue;
        found = true;
        best = f;
        normal->x = x;
        normal->y = y;
    }
    return found ? best : 0;
}

/// Two capsules. A segment's edge counts as edge 0.
GRAZE_PLANAR_INLINE void graze_planar_capsules(graze_vec2 a0, graze_vec2 a1, double radius_a,
                                               graze_vec2 b0, graze_vec2 b1, double radius_b,
                                               graze_planar_result *out) {
    // The closest of four: each end to the other segment. That is the distance of the segments
    // where they do not cross, and the depth where they do.
    graze_planar_segment_foot fa0 = graze_planar_segment_foot_of(a0, b0, b1);
    graze_planar_segment_foot fa1 = graze_planar_segment_foot_of(a1, b0, b1);
    graze_planar_segment_foot fb0 = graze_planar_segment_foot_of(b0, a0, a1);
    graze_planar_segment_foot fb1 = graze_planar_segment_foot_of(b1, a0, a1);
    int32_t end_a = fa1.square < fa0.square, end_b = fb1.square < fb0.square;
    graze_planar_segment_foot ea = end_a ? fa1 : fa0, eb = end_b ? fb1 : fb0;
    bool vertex_on_b = eb.square < ea.square;
    graze_planar_segment_foot best = vertex_on_b ? eb : ea;
    graze_vec2 end = vertex_on_b ? (end_b ? b1 : b0) : (end_a ? a1 : a0);

    // Each segment parts the ends of the other: they cross, unless the cross products are rounding
    // errors of segments on one line; then the distances from the lines are far less than `best`.
    bool crossing = fa0.cross * fa1.cross < 0 && fb0.cross * fb1.cross < 0;
    double ax = a1.x - a0.x, ay = a1.y - a0.y, bx = b1.x - b0.x, by = b1.y - b0.y;
    double a2 = ax * ax + ay * ay, b2 = bx * bx + by * by;
    if (crossing) {
        double ca = __builtin_fabs(fa0.cross) < __builtin_fabs(fa1.cross) ? fa0.cross : fa1.cross;
        double cb = __builtin_fabs(fb0.cross) < __builtin_fabs(fb1.cross) ? fb0.cross : fb1.cross;
        crossing = best.square * b2 <= 4 * ca * ca && best.square * a2 <= 4 * cb * cb;
    }
    double x = best.offset.x, y = best.offset.y;
    double length = __builtin_sqrt(x * x + y * y);
    bool edge = best.feature == 2;
    double gap = edge ? __builtin_fabs(best.cross) / length : length;
    double scale = length > 0 ? 1 / length : 0;
    graze_vec2 n = {length > 0 ? x * scale : 1, y * scale}; // from the end to the other segment
    graze_vec2 other = {end.x + gap * n.x, end.y + gap * n.y};
    if (vertex_on_b != crossing) {
        n.x = -n.x;
        n.y = -n.y;
    }
    double signed_gap = crossing ? -gap : gap;
    // In contact up to 2^-48 of the lengths (the square is 2^-96) no sign is certain, and so no
    // direction.
    if (best.square <= (a2 + b2) * 1.262177448353618888658765704468e-29) {
        signed_gap = graze_planar_contact_normal(a0, a1, b0, b1, &n);
        other = end;
    }
    graze_vec2 on_a = vertex_on_b ? other : end, on_b = vertex_on_b ? end : other;
    out->distance = signed_gap - (radius_a + radius_b);
    out->normal = n;
    out->point_a.x = on_a.x + radius_a * n.x;
    out->point_a.y = on_a.y + radius_a * n.y;
    out->point_b.x = on_b.x - radius_b * n.x;
    out->point_b.y = on_b.y - radius_b * n.y;
    out->feature_a.index = vertex_on_b ? best.feature == 1 : end_a;
    out->feature_a.edge = vertex_on_b && edge;
    out->feature_b.index = vertex_on_b ? end_b : best.feature == 1;
    out->feature_b.edge = !vertex_on_b && edge;
}

// ------------------------------------------------------------------------------- many at once

/// What the rows of a graze_planar_array hold.
typedef enum graze_planar_kind {
    GRAZE_PLANAR_CIRCLE = 0,  ///< x, y, radius
    GRAZE_PLANAR_CAPSULE = 1, ///< x0, y0, x1, y1, radius
    GRAZE_PLANAR_RECTANGLE =
        2,                   ///< x, y (centre), c, s (the first axis, unit), half_x, half_y, radius
    GRAZE_PLANAR_POLYGON = 3 ///< x0 ... x(n-1), y0 ... y(n-1), radius; n = vertex_count
} graze_planar_kind;

/// Most rows of any kind.
#define GRAZE_PLANAR_ROW_MAX 33

/// Shapes of one kind, number by number: row k of shape i is data[k * stride + i].
typedef struct graze_planar_array {
    graze_planar_kind kind;
    int32_t vertex_count; ///< of polygons, 1 to GRAZE_PLANAR_VERTEX_MAX; shapes of fewer vertices
                          ///< repeat their last one. Other kinds: not read
    size_t count;         ///< of shapes
    size_t stride;        ///< at least count
    const double *data;
} graze_planar_array;

/// Rows of a kind; 0 for what is no kind or vertex count.
/// Any thread. Allocates nothing. Cost: constant.
GRAZE_API int32_t graze_planar_row_count(graze_planar_kind kind, int32_t vertex_count);

/// Writes a shape into column `index` of rows of a kind (layout: graze_planar_array).
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, index not below stride, no such kind, a circle
///         wanted of a shape with two or more vertices, a capsule of one with three, a polygon of
///         more than vertex_count); GRAZE_ERROR_UNSUPPORTED for GRAZE_PLANAR_RECTANGLE of a shape
///         that is none (opposite edges differ, or neighbours are not square, by more than 1e-9 of
///         the longest: a rectangle within that is stored as its nearest exact one)
/// Any thread. Allocates nothing. Cost: O(vertices).
GRAZE_API graze_status graze_planar_array_set(double *data, size_t stride, size_t index,
                                              graze_planar_kind kind, int32_t vertex_count,
                                              const graze_planar_shape *shape);

/// Signed distance of shape i of `a` and shape i of `b`, for all i: distances only, several pairs a
/// step. Either array may hold one shape, which then meets all of the other.
/// @param distances [out] max(a->count, b->count) numbers, metres; must not overlap the arrays
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, kind, vertex_count, stride, counts that differ).
///         Numbers are not checked: NaN and infinity give any number for their own pair and change
///         no other; a polygon must be convex and counter-clockwise as graze_planar_shape says (one
///         that is bent inward by e, or a rectangle's axis that is off unit by e, adds an error in
///         proportion to e, times the extent over the shortest edge)
/// The same bits on every processor and for any count, stride and alignment; they agree with
/// graze_planar_distance() within the error of both. Any thread; no allocation.
/// Cost: O(n m) a pair; millions of pairs a second are measured in docs/planar.md. Circles with
/// circles, capsules, rectangles, two capsules, two rectangles, and polygons have loops of their
/// own; other pairs are taken as polygons.
GRAZE_API graze_status graze_planar_distance_batch(const graze_planar_array *a,
                                                   const graze_planar_array *b, double *distances);

#ifdef __cplusplus
}
#endif

#endif
