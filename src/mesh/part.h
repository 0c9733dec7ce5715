/// A component of a scene, or a small mesh, as a few numbers.
#ifndef GZ_MESH_PART_H
#define GZ_MESH_PART_H

#include <stdbool.h>

#include "mesh/mesh.h"

/// Most cores of a part.
#define GZ_INNER_ELLIPSOIDS 4

/// An ellipsoid along the axes of the mesh, in float.
typedef struct gz_inner_ellipsoid {
    float center[3], half[3];
} gz_inner_ellipsoid;

/// A box and a sphere that hold a component, or a mesh, and cores inside of it.
typedef struct gz_component_proxy {
    float center[3], half[3], radius; ///< the box; the sphere has the same centre
    int32_t core_count;
    gz_inner_ellipsoid
        core[GZ_INNER_ELLIPSOIDS]; ///< hold nothing of the mesh's surface; the closed components
                                   ///< wind around them, all together
} gz_component_proxy;

/// Describes every component of a mesh whose tree is set. False when out of memory. Cost: O(n), and
/// some hundred looks into the tree for each closed component.
bool gz_component_proxies_build(gz_component_proxy **out, const graze_mesh *mesh);

/// Describes a mesh, whose tree is set, as one part. Cost: as above.
gz_component_proxy gz_component_proxy_make(const graze_mesh *mesh);

/// Whether a mesh is one closed component, every triangle of it in a face of its box. Then a core,
/// where the part has one, is the ellipsoid whose box all of which the mesh winds around.
bool gz_mesh_is_box(const graze_mesh *mesh);

#endif
