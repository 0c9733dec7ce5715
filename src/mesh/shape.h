/// One collision shape in the frame of the rigid body (or world object) that carries it.
#ifndef GZ_MESH_SHAPE_H
#define GZ_MESH_SHAPE_H

#include "graze/robot.h"
#include "mesh/mesh.h"

/// A mesh, a box (a closed mesh of 12 triangles that is always solid), or a curved solid: the
/// points within `radius` of the segment a-b (sphere: a = b; capsule), or the cylinder with the
/// axis a-b.
typedef struct gz_shape {
    graze_shape kind;    ///< not GRAZE_SHAPE_POINTS: each point is a sphere of its own
    graze_mesh *mesh;    ///< mesh and box; owned
    double a[3], b[3];   ///< curved: ends of the axis
    double radius;       ///< curved
    graze_sphere sphere; ///< bounds in the body frame, each containing the whole shape
    graze_aabb aabb;
    graze_obb obb;
} gz_shape;

/// Makes a shape from a primitive at `origin` in the body frame. Sizes must have been checked.
/// `size` is for boxes, radius and length for curved shapes.
graze_status gz_shape_primitive(gz_shape *out, graze_shape kind, const double size[3],
                                double radius, double length, const graze_transform *origin,
                                graze_error *error);
/// Makes a shape from a mesh; takes the mesh.
void gz_shape_mesh(gz_shape *out, graze_mesh *mesh);
/// Frees what the shape owns.
void gz_shape_clear(gz_shape *shape);

/// Checks the sizes of a primitive: positive, finite, at most 2^20. `what` names the shape.
graze_status gz_shape_check(graze_shape kind, const double size[3], double radius, double length,
                            graze_error *error);

#endif
