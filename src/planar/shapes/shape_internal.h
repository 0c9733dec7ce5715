/// Shared by everything about planar shapes: ranges, vectors, exact signs, corners, hulls.
#ifndef GZ_PLANAR_SHAPES_SHAPE_INTERNAL_H
#define GZ_PLANAR_SHAPES_SHAPE_INTERNAL_H

#include <math.h>

#include "base/error.h"
#include "graze/planar_shape.h"
#include "math/predicate.h"

/// Magnitudes below this count as 0; with it and GRAZE_PLANAR_COORDINATE_MAX, every sign below
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
    return (graze_vec2){fabs(p.x) < GZ_PLANAR_COORDINATE_MIN ? 0 : p.x,
                        fabs(p.y) < GZ_PLANAR_COORDINATE_MIN ? 0 : p.y};
}

/// Flushes coordinates of a computed vertex below 2^-400 to 0, for gz_planar_shape_fill_nearly().
/// That is below every error bound, and keeps signs exact: products of two coordinates of 2^-400
/// and more are far above the least double.
static inline graze_vec2 gz_planar_flushed(graze_vec2 p) {
    return (graze_vec2){fabs(p.x) < 0x1p-400 ? 0 : p.x, fabs(p.y) < 0x1p-400 ? 0 : p.y};
}

static inline graze_vec2 gz_vec2_minus(graze_vec2 a, graze_vec2 b) {
    return (graze_vec2){a.x - b.x, a.y - b.y};
}

static inline double gz_vec2_dot(graze_vec2 a, graze_vec2 b) {
    return a.x * b.x + a.y * b.y;
}

static inline double gz_vec2_cross(graze_vec2 a, graze_vec2 b) {
    return a.x * b.y - a.y * b.x;
}

/// a + k b
static inline graze_vec2 gz_vec2_add_scaled(graze_vec2 a, double k, graze_vec2 b) {
    return (graze_vec2){a.x + k * b.x, a.y + k * b.y};
}

static inline bool gz_planar_same(graze_vec2 a, graze_vec2 b) {
    return a.x == b.x && a.y == b.y;
}

/// By x, then by y.
static inline bool gz_planar_before(graze_vec2 a, graze_vec2 b) {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

/// By y, then by x: whether the direction from a to b is in the half-open upper half circle.
static inline bool gz_planar_lower(graze_vec2 a, graze_vec2 b) {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}

/// Whether b lies strictly between a and c, all on one line.
static inline bool gz_planar_between(graze_vec2 a, graze_vec2 b, graze_vec2 c) {
    return (gz_planar_before(a, b) && gz_planar_before(b, c)) ||
           (gz_planar_before(c, b) && gz_planar_before(b, a));
}

/// Whether p lies in the closed box of which a and b are opposite corners.
static inline bool gz_planar_in_box(graze_vec2 a, graze_vec2 b, graze_vec2 p) {
    return p.x >= fmin(a.x, b.x) && p.x <= fmax(a.x, b.x) && p.y >= fmin(a.y, b.y) &&
           p.y <= fmax(a.y, b.y);
}

/// The exact orientation of a, b, c: 1 a left turn at b, -1 a right one, 0 on a line.
static inline int gz_planar_turn(graze_vec2 a, graze_vec2 b, graze_vec2 c) {
    const double p[2] = {a.x, a.y}, q[2] = {b.x, b.y}, r[2] = {c.x, c.y};
    return gz_orient2d(p, q, r);
}

static inline bool gz_planar_count_ok(const graze_planar_shape *shape) {
    return shape->count >= 1 && shape->count <= GRAZE_PLANAR_VERTEX_MAX;
}

/// Squares up to this are far below the largest in range; for others each number is compared.
#define GZ_PLANAR_SQUARES_FINE 0x1p196

/// The sum of the squares of the numbers of a shape with a count in range.
static inline double gz_planar_squares(const graze_planar_shape *shape) {
    graze_planar_pair sum = {shape->radius * shape->radius, 0};
    for (int32_t i = 0; i < shape->count; i++) {
        graze_planar_pair p = *(const graze_planar_pair_at *)&shape->vertices[i];
        sum += p * p;
    }
    return sum[0] + sum[1];
}

/// Whether the numbers of a shape with a count in range are in range: no distance overflows.
static inline bool gz_planar_shape_in_range(const graze_planar_shape *shape) {
    if (gz_planar_squares(shape) <= GZ_PLANAR_SQUARES_FINE) return true;
    bool fine = gz_planar_number_ok(shape->radius);
    for (int32_t i = 0; i < shape->count; i++) fine &= gz_planar_point_ok(shape->vertices[i]);
    return fine;
}

/// The vertex after i, of count.
static inline int gz_planar_next(int i, int count) {
    return i + 1 < count ? i + 1 : 0;
}

/// GRAZE_ERROR_ARGUMENT, "an argument is NULL; allowed: none".
graze_status gz_planar_fail_null(graze_error *error);
/// Fails unless the transform is finite, in range, and c, s is a unit direction up to 1e-9.
graze_status gz_planar_transform_check(const graze_transform2 *pose, graze_error *error);
/// Fails, with both names, unless least <= value <= most.
graze_status gz_planar_range_check(const char *name, double value, double least, double most,
                                   const char *allowed, graze_error *error);
graze_status gz_planar_radius_check(double radius, graze_error *error);
/// Reads a point of an array and snaps it; fails, naming it, where its numbers are out of range.
graze_status gz_planar_point_read(graze_vec2 *point, const double *xy, size_t index,
                                  graze_error *error);

/// Fills the shape from its corners, 1 to GRAZE_PLANAR_VERTEX_MAX, and pads it.
void gz_planar_shape_fill(graze_planar_shape *out, const graze_vec2 *corners, size_t count,
                          double radius);
/// The first corner that does not turn strictly left (1) or right (-1), or `count`; and how often
/// the corners go round if there is none. Of at least 3.
size_t gz_planar_turns(const graze_vec2 *corners, size_t count, int turn, size_t *rounds);
/// Whether the corners, at least 3, turn strictly left everywhere and go round once.
bool gz_planar_is_strictly_convex(const graze_vec2 *corners, size_t count);
/// Fills the shape from up to GRAZE_PLANAR_VERTEX_MAX points that are meant to be corners in
/// counter-clockwise order: as they are where they are, else from their hull.
void gz_planar_shape_fill_nearly(graze_planar_shape *out, const graze_vec2 *points, size_t count,
                                 double radius);

/// Moves a shape whose numbers are in range: its rounded vertices, relative to `center`, turned by
/// c and s and moved to `to`, or their hull where rounding makes the polygon concave. (The normal
/// of a short edge may rotate by a right angle, and would separate shapes that overlap by metres.)
void gz_planar_place(graze_planar_shape *out, const graze_planar_shape *shape, graze_vec2 center,
                     double c, double s, graze_vec2 to);

/// Sorts by gz_planar_before().
void gz_planar_sort(graze_vec2 *points, size_t count);
/// The corners of the hull of sorted points, counter-clockwise; room for count + 1. Their number.
size_t gz_planar_hull_of_sorted(graze_vec2 *corners, const graze_vec2 *points, size_t count);

#endif
