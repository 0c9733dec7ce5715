/// Is a mesh nothing but a box, a cylinder or a sphere?
#ifndef GZ_LINT_MESH_FIT_H
#define GZ_LINT_MESH_FIT_H

#include <stdbool.h>

#include "graze/robot.h"

typedef struct gz_mesh_fit {
    bool found;
    graze_shape shape;  ///< GRAZE_SHAPE_BOX, _CYLINDER or _SPHERE
    double size[3];     ///< box: edges; cylinder: radius, length; sphere: radius; m
    double deviation;   ///< the farthest that a vertex is from the shape's surface, m
    double limit;       ///< that it may be, m
    graze_vec3 center;  ///< in the mesh's frame
    graze_vec3 axis[3]; ///< of a box; axis[0] of a cylinder
} gz_mesh_fit;

/// The shape whose surface the mesh follows: every vertex within 0.5 % of the diagonal of the
/// mesh's box from it, the middles of edges and triangles within 3 % (so much is a cylinder of ten
/// sides, or a sphere of such triangles, flatter than the round), area and volume within 8 % (a
/// box: 2 %).
/// @param area, volume of the mesh, which is closed; m^2, m^3
/// A box is looked for first, then a cylinder, then a sphere: along the axes of the mesh's boxes,
/// around the centre of its ball. Allocates nothing. Cost: O(n).
gz_mesh_fit gz_mesh_fit_find(const graze_mesh *mesh, double area, double volume);

#endif
