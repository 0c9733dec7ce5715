/// A component of a scene, or a small mesh, as a few numbers.
#ifndef GZ_MESH_PART_H
#define GZ_MESH_PART_H

#include <stdbool.h>

#include "mesh/mesh.h"

/// Most cores of a part.
#define GZ_PART_CORES 4

/// An ellipsoid along the axes of the mesh, in float.
typedef struct gz_part_core {
    float center[3], half[3];
} gz_part_core;

/// A box and a sphere that hold a component, or a mesh, and cores inside of it.
typedef struct gz_part {
    float center[3], half[3], radius; ///< the box; the sphere has the same centre
    int32_t core_count;
    gz_part_core core[GZ_PART_CORES]; ///< hold nothing of the mesh's surface; the closed components
                                      ///< wind around them, all together
} gz_part;

/// Describes every component of a mesh whose tree is set. False when out of memory. Cost: O(n), and
/// some hundred looks into the tree for each closed component.
bool gz_parts_build(gz_part **out, const graze_mesh *mesh);

/// Describes a mesh, whose tree is set, as one part. Cost: as above.
gz_part gz_part_make(const graze_mesh *mesh);

/// Whether a mesh is one closed component, every triangle of it in a face of its box. Then a core,
/// where the part has one, is the ellipsoid whose box all of which the mesh winds around.
bool gz_part_is_box(const graze_mesh *mesh);

#endif
