/// @file planar_shape.h
/// Shapes in the plane: convex polygons of up to 16 vertices with a radius.
#ifndef GRAZE_PLANAR_SHAPE_H
#define GRAZE_PLANAR_SHAPE_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Inline functions that a caller may leave unused without a warning.
#if defined(__GNUC__)
#define GRAZE_PLANAR_INLINE static inline __attribute__((unused))
#else
#define GRAZE_PLANAR_INLINE static inline
#endif

/// Most vertices of one convex shape.
#define GRAZE_PLANAR_VERTEX_MAX 16
/// Largest magnitude of a coordinate or radius: 2^100. Coordinates below 2^-100 count as 0.
#define GRAZE_PLANAR_COORDINATE_MAX 1267650600228229401496703205376.0

/// A point or direction in the plane, metres unless said otherwise.
typedef struct graze_vec2 {
    double x, y;
} graze_vec2;

/// Two numbers side by side, of which compilers make one register where the processor has such.
typedef double graze_planar_pair __attribute__((vector_size(16)));
typedef double graze_planar_pair_at __attribute__((vector_size(16), aligned(8), may_alias));

/// A rigid transform of the plane: p' = (c p.x - s p.y + x, s p.x + c p.y + y), c^2 + s^2 = 1.
typedef struct graze_transform2 {
    double c, s;
    double x, y;
} graze_transform2;

/// The points within `radius` of a convex polygon: a circle is one vertex, a capsule two, a rounded
/// rectangle four. Vertices run counter-clockwise and are the corners of their hull (every three
/// neighbours turn strictly left, decided exactly); those beyond `count` repeat the last one, so
/// that lanes may read them. Make one with the functions below; a plain value, copied
/// freely. Edge i runs from vertex i to vertex i + 1 (the last one back to vertex 0); a capsule has
/// two, there and back.
typedef struct graze_planar_shape {
    double radius;
    int32_t count; ///< beside the first vertices, so that a circle lies in one cache line or two
    graze_vec2 vertices[GRAZE_PLANAR_VERTEX_MAX];
} graze_planar_shape;

/// An axis-aligned box of the plane.
typedef struct graze_planar_bounds {
    graze_vec2 min, max;
} graze_planar_bounds;

// ---------------------------------------------------------------------------------- transforms

/// The identity.
GRAZE_PLANAR_INLINE graze_transform2 graze_transform2_identity(void) {
    graze_transform2 t = {1, 0, 0, 0};
    return t;
}

/// Turns by `angle` (radians, counter-clockwise, |angle| <= 2^20; NaN beyond), then moves by x, y.
/// The same bits on every machine: graze's own sine and cosine. Any thread. Cost: constant.
/// Allocates nothing.
GRAZE_API graze_transform2 graze_transform2_make(double x, double y, double angle);

/// Where a point goes.
GRAZE_PLANAR_INLINE graze_vec2 graze_transform2_point(const graze_transform2 *t, graze_vec2 p) {
    graze_vec2 out = {t->c * p.x - t->s * p.y + t->x, t->s * p.x + t->c * p.y + t->y};
    return out;
}

/// a after b: maps p to a(b(p)).
GRAZE_PLANAR_INLINE graze_transform2 graze_transform2_multiply(const graze_transform2 *a,
                                                               const graze_transform2 *b) {
    graze_transform2 out = {a->c * b->c - a->s * b->s, a->s * b->c + a->c * b->s,
                            a->c * b->x - a->s * b->y + a->x, a->s * b->x + a->c * b->y + a->y};
    return out;
}

/// The inverse of a rigid transform.
GRAZE_PLANAR_INLINE graze_transform2 graze_transform2_inverse(const graze_transform2 *t) {
    graze_transform2 out = {t->c, -t->s, -(t->c * t->x + t->s * t->y), t->s * t->x - t->c * t->y};
    return out;
}

// -------------------------------------------------------------------------------- constructors
//
// Each fills *out completely on success and leaves it untouched on failure. Common to all: metres;
// coordinates and radii are finite and at most GRAZE_PLANAR_COORDINATE_MAX in magnitude, radii at
// least 0, else GRAZE_ERROR_RANGE; NULL where it is not allowed is GRAZE_ERROR_ARGUMENT; error may
// be NULL; any thread; no allocation unless said. Points that coincide and points on a line are
// allowed: the shape is then the segment or point that they span.

/// A disk.
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL); GRAZE_ERROR_RANGE
/// Any thread. Allocates nothing. Cost: constant.
GRAZE_API graze_status graze_planar_circle(graze_planar_shape *out, graze_vec2 center,
                                           double radius, graze_error *error);

/// The points within `radius` of the segment from a to b.
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL); GRAZE_ERROR_RANGE
/// Any thread. Allocates nothing. Cost: constant.
GRAZE_API graze_status graze_planar_capsule(graze_planar_shape *out, graze_vec2 a, graze_vec2 b,
                                            double radius, graze_error *error);

/// A rectangle with rounded corners: the points within `radius` of the rectangle that reaches
/// half.x along the pose's first axis to either side of its origin, and half.y along the second.
/// @param pose rigid up to 1e-9 (its directions are normalised)
/// @param half at least 0 each
/// @return GRAZE_OK, GRAZE_ERROR_ARGUMENT (pose not rigid), GRAZE_ERROR_RANGE. Cost: constant.
/// Any thread. Allocates nothing.
GRAZE_API graze_status graze_planar_rectangle(graze_planar_shape *out, const graze_transform2 *pose,
                                              graze_vec2 half, double radius, graze_error *error);

/// A convex polygon from its vertices in order, clockwise or counter-clockwise, x y per vertex.
/// Vertices that repeat their neighbour or lie on the line between their neighbours are left out.
/// The shape's run counter-clockwise, from the first that is kept where it has an area; features
/// count these (of n vertices given clockwise, i is the caller's (n - i) mod n).
/// @return GRAZE_ERROR_SCHEMA where the polygon is not convex or winds more than once (the message
///         names the vertex); GRAZE_ERROR_LIMIT where more than GRAZE_PLANAR_VERTEX_MAX corners
///         remain. Judged by exact orientation signs. Cost: O(count).
/// Any thread. Allocates nothing.
GRAZE_API graze_status graze_planar_polygon(graze_planar_shape *out, const double *xy, size_t count,
                                            double radius, graze_error *error);

/// The convex hull of any points, x y per point; count at least 1.
/// @return GRAZE_ERROR_LIMIT where the hull has more than GRAZE_PLANAR_VERTEX_MAX corners;
///         GRAZE_ERROR_NO_MEMORY. Allocates working memory above 16 points. Cost: O(n log n).
/// Source: Andrew, "Another efficient algorithm for convex hulls in two dimensions" (1979).
/// Any thread.
GRAZE_API graze_status graze_planar_hull(graze_planar_shape *out, const double *xy, size_t count,
                                         double radius, graze_error *error);

/// The shape moved. Vertices are rounded to double; where rounding bends the polygon inward or
/// makes vertices meet, the hull of the rounded vertices is taken, so that *out may have fewer
/// vertices and edges may be renumbered then. `out` may be `shape`.
/// @return GRAZE_ERROR_ARGUMENT (NULL, not rigid up to 1e-9, a shape that no constructor made),
///         GRAZE_ERROR_RANGE. No allocation. Cost: O(vertices).
/// Any thread.
GRAZE_API graze_status graze_planar_transform(graze_planar_shape *out,
                                              const graze_planar_shape *shape,
                                              const graze_transform2 *pose, graze_error *error);

/// Whether the value obeys what is said at graze_planar_shape, exactly; for shapes from elsewhere.
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, count), GRAZE_ERROR_RANGE (numbers),
///         GRAZE_ERROR_SCHEMA (not strictly convex and counter-clockwise, or padded wrongly).
/// Any thread. Allocates nothing. Cost: O(vertices).
GRAZE_API graze_status graze_planar_shape_check(const graze_planar_shape *shape,
                                                graze_error *error);

/// The least axis-aligned box of a shape, radius included, rounded outward: it holds the exact
/// shape. Any thread. Allocates nothing. Cost: O(vertices).
GRAZE_API graze_planar_bounds graze_planar_shape_bounds(const graze_planar_shape *shape);

// ------------------------------------------------------------------------- polygons of any size

/// A simple polygon split into convex parts.
typedef struct graze_planar_parts {
    graze_planar_shape *items; ///< radius as given; neighbours share edges
    size_t count;
} graze_planar_parts;

/// Splits a simple polygon of any number of vertices, with or without holes, into convex parts of
/// at most GRAZE_PLANAR_VERTEX_MAX vertices: ears are cut (Meisters 1975; holes joined by bridges,
/// Eberly, "Triangulation by ear clipping"), neighbours that are convex together as one. Signs are
/// exact. The parts cover the polygon and share no inner point; their vertices are vertices of the
/// polygon.
/// @param out        [out] empty on failure; free with graze_planar_parts_free()
/// @param xy         x y per vertex, all loops one after another: first the outer one, then holes,
///                   each clockwise or counter-clockwise
/// @param loop_sizes vertices of each loop, at least 3 each
/// @param loop_count at least 1
/// @param radius     given to every part
/// @return GRAZE_ERROR_SCHEMA where a loop crosses or touches itself or another, a hole lies
///         outside or in another hole, or an area is 0 (the message names the vertices);
///         GRAZE_ERROR_LIMIT above 65536 vertices; GRAZE_ERROR_RANGE, _ARGUMENT, _NO_MEMORY.
/// Any thread. Cost: O(n^2) at worst, in practice near n times the number of reflex vertices.
/// Allocates.
GRAZE_API graze_status graze_planar_decompose(graze_planar_parts *out, const double *xy,
                                              const size_t *loop_sizes, size_t loop_count,
                                              double radius, graze_error *error);

/// Frees the parts and empties the list; NULL and an empty list are allowed. Any thread. Allocates
/// nothing. Cost: O(1).
GRAZE_API void graze_planar_parts_free(graze_planar_parts *parts);

#ifdef __cplusplus
}
#endif

#endif
