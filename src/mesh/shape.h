/// One collision shape in the frame of the rigid body (or world object) that carries it.
#ifndef GZ_MESH_SHAPE_H
#define GZ_MESH_SHAPE_H

#include "base/field_table.h"
#include "graze/robot.h"
#include "mesh/mesh.h"

/// A mesh; a box, cone, half-space or plane (a mesh of graze's own that is always solid); or a
/// curved solid: the points within `radius` of the segment a-b (sphere: a = b; capsule), or the
/// cylinder with the axis a-b.
typedef struct gz_shape {
    graze_shape kind;    ///< not GRAZE_SHAPE_POINTS: each point is a sphere of its own
    graze_mesh *mesh;    ///< all but curved solids; owned
    double a[3], b[3];   ///< curved: ends of the axis
    double radius;       ///< curved
    graze_sphere sphere; ///< bounds in the body frame, each containing the whole shape
    graze_aabb aabb;
    graze_obb obb;
} gz_shape;

/// Whether a kind is kept as a mesh that graze makes of its sizes, and solid under every policy.
static inline bool gz_shape_is_polyhedron(graze_shape kind) {
    return kind == GRAZE_SHAPE_BOX || kind > GRAZE_SHAPE_POINTS;
}
/// Whether a kind has no end; only objects of worlds have such shapes.
static inline bool gz_shape_is_unbounded(graze_shape kind) {
    return kind == GRAZE_SHAPE_HALFSPACE || kind == GRAZE_SHAPE_PLANE;
}
/// Whether a link may have a shape of that kind: all but sets of points and what has no end.
static inline bool gz_shape_fits_link(graze_shape kind) {
    return kind != GRAZE_SHAPE_POINTS && !gz_shape_is_unbounded(kind);
}
/// Which sizes a kind has besides those of a box.
static inline bool gz_shape_has_length(graze_shape kind) {
    return kind == GRAZE_SHAPE_CYLINDER || kind == GRAZE_SHAPE_CAPSULE || kind == GRAZE_SHAPE_CONE;
}
static inline bool gz_shape_has_radius(graze_shape kind) {
    return kind == GRAZE_SHAPE_SPHERE || kind == GRAZE_SHAPE_POINTS || gz_shape_has_length(kind);
}

/// What has no end is held up to here in its frame: a half-space as the box |x|, |y| <= R,
/// -2 R <= z <= 0, a plane as the rectangle |x|, |y| <= R. Within R / sqrt 2 of the frame's origin
/// they are the half-space and the plane to every question. A place p there has h + |z| <= R, h its
/// distance from the z axis. So the point of them that is nearest to p is p's foot on the face,
/// which is in the rectangle; p is in the half-space where it is in the box; and from inside of the
/// box the way out through the face is the shortest, as the sides are at least R - h >= |z| away,
/// and the bottom 2 R - |z| >= |z|. The checker refuses places farther out. R is small enough for
/// the exact verifier, whose bounds hold for coordinates up to 1 km.
#define GZ_UNBOUNDED_EXTENT 512.0

/// Makes a shape from a primitive at `origin` in the body frame. Sizes must have been checked.
/// `size` is for boxes, radius and length for curved shapes.
graze_status gz_shape_primitive(gz_shape *out, graze_shape kind, const double size[3],
                                double radius, double length, const graze_transform *origin,
                                graze_error *error);
/// The same of a curved solid, without sphere and oriented box.
graze_status gz_shape_curved(gz_shape *out, graze_shape kind, double radius, double length,
                             const graze_transform *origin, graze_error *error);
/// Makes a shape from a mesh; takes the mesh.
void gz_shape_mesh(gz_shape *out, graze_mesh *mesh);
/// Frees what the shape owns.
void gz_shape_clear(gz_shape *shape);
/// What a caller sees of a shape: its mesh, or the ends of its axis.
void gz_shape_show(const gz_shape *shape, graze_geometry *out);

/// Checks the sizes of a primitive: 0 to 2^20 m, of points above 0; a cylinder has length unless it
/// has no radius.
graze_status gz_shape_check(graze_shape kind, const double size[3], double radius, double length,
                            graze_error *error);

/// The shapes that a caller gives: the array, or one of `geometry` at the identity, which is
/// written to *own. GRAZE_ERROR_ARGUMENT where there is none, or both are given.
graze_status gz_placed_shapes(const graze_geometry *geometry, const graze_placed_shape **shapes,
                              size_t *count, graze_placed_shape *own, graze_error *error);

/// How far snapping alone puts a point off, w = fl(R v + t), for robots and worlds alike.

/// Rounding of R v for a rotation R, relative to |v|, with u = 2^-53. Each coordinate is (x + y) +
/// z of three products: the products are off by u times the row of |R| by |v|, whose length is at
/// most sqrt 3 |v| (each row of |R| has length 1), the first sum by u |x + y| and the second by u
/// of itself, vectors no longer than |v|: (sqrt 3 + 2) u < 3.74 u.
#define GZ_APPLY_ERROR (3.74 * 0x1p-53)

/// What setting three coordinates below 2^-100 to zero adds.
#define GZ_SNAP_ERROR 0x1p-99

/// The most that rounding changes a number whose rounded value is at most `most` > 0 in magnitude:
/// 2^-53 times the power of two at or below `most`.
double gz_half_ulp(double most);

/// A bound of the distance of the mesh's vertices from its frame's origin, tight up to sqrt 3.
double gz_mesh_span(const graze_mesh *mesh);

/// How far any point of a curved solid may be off when each end of its axis is off by at most
/// `error`, and one end seen from the other by at most `apart` (<= 2 error): for a cylinder the
/// rims turn with the axis. An axis of length L turns by a chord of at most 2 `apart` / L, and a
/// rim of radius r by r times that; and no two cylinders, or balls in place of one that lost its
/// axis, of radius r whose ends are off by `error` are farther from each other than `error` + r.
double gz_curved_error(const gz_shape *shape, double error, double apart);

/// The field tables of meshes and shapes.

extern const gz_type gz_type_mesh;

/// The fields of a gz_shape that is the member `f` of s.
#define GZ_SHAPE_FIELDS(s, f)                                                                      \
    GZ_CHOICE(s, f.kind, GRAZE_SHAPE_PLANE), GZ_MAYBE(s, f.mesh, gz_type_mesh),                    \
        GZ_NUMBERS(s, f.a), GZ_NUMBERS(s, f.b), GZ_NUMBERS(s, f.radius), GZ_NUMBERS(s, f.sphere),  \
        GZ_BOX(s, f.aabb), GZ_NUMBERS(s, f.obb)

#endif
