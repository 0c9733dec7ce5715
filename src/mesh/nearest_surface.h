/// How far is a point from the surface of a mesh?
#ifndef GZ_MESH_NEAREST_SURFACE_H
#define GZ_MESH_NEAREST_SURFACE_H

#include "mesh/mesh.h"

/// A lower bound of the distance from a point of the mesh's frame to its triangles: below it by
/// some 2^-15 of it and 2^-17 of the sizes involved, near slivers by more; 0 for meshes of less
/// than a millimetre. Where the surface is farther than `most`, some bound above `most`. Cost:
/// O(log n) where most is near the distance.
float gz_surface_distance_below(const graze_mesh *mesh, const float point[3], float most);

#endif
