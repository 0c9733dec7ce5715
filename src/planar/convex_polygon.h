/// Convex polygons with any number of vertices: exact signs, and three tests of whether two meet.
#ifndef GZ_PLANAR_CONVEX_POLYGON_H
#define GZ_PLANAR_CONVEX_POLYGON_H

#include "graze/planar_scene.h"
#include "math/predicate.h"

/// Range of magnitudes of coordinates (and 0): narrower than what the predicates need, and the same
/// as that of the other shapes of the plane.
#define GZ_PLANAR_MIN 0x1p-100
#define GZ_PLANAR_MAX 0x1p100

/// The sign of the turn p, q, r: 1 left, -1 right, 0 straight. Exact.
static inline int gz_turn(graze_vec2 p, graze_vec2 q, graze_vec2 r) {
    const double a[2] = {p.x, p.y}, b[2] = {q.x, q.y}, c[2] = {r.x, r.y};
    return gz_orient2d(a, b, c);
}

/// The sign of (p1 - p0) x (q1 - q0): whether the second direction is to the left of the first (1),
/// to its right (-1), or along it or against it (0). Exact.
int gz_direction_turn(graze_vec2 p0, graze_vec2 p1, graze_vec2 q0, graze_vec2 q1);

static inline bool gz_coordinate_good(double x) {
    double magnitude = fabs(x);
    return magnitude == 0 || (magnitude >= GZ_PLANAR_MIN && magnitude <= GZ_PLANAR_MAX);
}

/// Whether closed boxes have a point in common.
static inline bool gz_planar_boxes_meet(const graze_planar_bounds *a,
                                        const graze_planar_bounds *b) {
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y &&
           b->min.y <= a->max.y;
}

/// The vertex behind i.
static inline int32_t gz_convex_next(const graze_planar_convex *p, int32_t i) {
    return i + 1 < p->count ? i + 1 : 0;
}

/// The number of edges: that of the vertices, there and back for a segment, none for a point.
static inline int32_t gz_convex_edges(const graze_planar_convex *p) {
    return p->count > 1 ? p->count : 0;
}

/// Whether a point lies in the closed polygon.
bool gz_convex_holds(const graze_planar_convex *polygon, graze_vec2 point);

bool gz_convex_meet_edges(const graze_planar_convex *a, const graze_planar_convex *b);
bool gz_convex_meet_axes(const graze_planar_convex *a, const graze_planar_convex *b);
bool gz_convex_meet_minkowski(const graze_planar_convex *a, const graze_planar_convex *b);

#endif
