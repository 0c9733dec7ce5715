/// What the constructors of planar shapes share: numbers, corners, hulls.
#ifndef GZ_PLANAR_SHAPES_SHAPE_INTERNAL_H
#define GZ_PLANAR_SHAPES_SHAPE_INTERNAL_H

#include <math.h>

#include "base/error.h"
#include "graze/planar_shape.h"
#include "math/predicate.h"

/// Below this a coordinate counts as 0; with it and GRAZE_PLANAR_COORDINATE_MAX, every sign below
/// is exact (predicate.h) and no square or product of squares leaves the doubles: differences of
/// such coordinates are 0 or of magnitude 2^-152 to 2^102.
#define GZ_PLANAR_COORDINATE_MIN 0x1p-100

static inline bool gz_planar_number_ok(double x) {
    return fabs(x) <= GRAZE_PLANAR_COORDINATE_MAX; // false for NaN
}

static inline bool gz_planar_point_ok(graze_vec2 p) {
    return gz_planar_number_ok(p.x) && gz_planar_number_ok(p.y);
}

static inline graze_vec2 gz_planar_snap(graze_vec2 p) {
    graze_vec2 out = {fabs(p.x) < GZ_PLANAR_COORDINATE_MIN ? 0 : p.x,
                      fabs(p.y) < GZ_PLANAR_COORDINATE_MIN ? 0 : p.y};
    return out;
}

/// A vertex as rounding has left it, for gz_planar_shape_fill_nearly(): what is next to nothing is
/// nothing. No bound notices, and signs in the plane stay exact, as their products of two
/// coordinates of 2^-400 and more are far above the least double.
static inline graze_vec2 gz_planar_settled(graze_vec2 p) {
    graze_vec2 out = {fabs(p.x) < 0x1p-400 ? 0 : p.x, fabs(p.y) < 0x1p-400 ? 0 : p.y};
    return out;
}

static inline bool gz_planar_same(graze_vec2 a, graze_vec2 b) {
    return a.x == b.x && a.y == b.y;
}

/// By x, then by y.
static inline bool gz_planar_before(graze_vec2 a, graze_vec2 b) {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

/// The exact sign of the turn at b on the way from a to c: 1 left, -1 right, 0 on a line.
static inline int gz_planar_turn(graze_vec2 a, graze_vec2 b, graze_vec2 c) {
    const double p[2] = {a.x, a.y}, q[2] = {b.x, b.y}, r[2] = {c.x, c.y};
    return gz_orient2d(p, q, r);
}

static inline graze_vec2 gz_planar_vertex(const graze_planar_shape *shape, int32_t i) {
    graze_vec2 out = {shape->x[i], shape->y[i]};
    return out;
}

/// Whether the transform is finite, in range, and c, s is a unit direction up to 1e-9.
graze_status gz_planar_transform_check(const graze_transform2 *pose, graze_error *error);
graze_status gz_planar_radius_check(double radius, graze_error *error);
/// Names the point where its numbers are out of range.
graze_status gz_planar_point_check(graze_vec2 point, size_t index, graze_error *error);

/// Fills the shape from its corners, 1 to GRAZE_PLANAR_VERTEX_MAX, and pads it.
void gz_planar_shape_fill(graze_planar_shape *out, const graze_vec2 *corners, size_t count,
                          double radius);
/// Whether the corners, at least 3, turn strictly left everywhere and go round once.
bool gz_planar_is_strictly_convex(const graze_vec2 *corners, size_t count);
/// Fills the shape from up to GRAZE_PLANAR_VERTEX_MAX points that are meant to be corners in
/// counter-clockwise order: as they are where they are, else from their hull.
void gz_planar_shape_fill_nearly(graze_planar_shape *out, const graze_vec2 *points, size_t count,
                                 double radius);

/// Sorts by gz_planar_before().
void gz_planar_sort(graze_vec2 *points, size_t count);
/// The corners of the hull of sorted points, counter-clockwise from the first; room for count + 1.
/// Returns their number.
size_t gz_planar_hull_of_sorted(graze_vec2 *corners, const graze_vec2 *points, size_t count);

#endif
