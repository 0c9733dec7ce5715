/// The trees of one mesh: over its triangles, in packets, and over its components.
#ifndef GZ_MESH_TREE_H
#define GZ_MESH_TREE_H

#include "mesh/bvh/box_tree.h"
#include "mesh/mesh.h"

/// Builds nodes, packets and the component tree of a mesh whose vertices, triangles and components
/// are set. Returns false when out of memory. Cost: O(n log n).
bool gz_tree_build(graze_mesh *mesh);

#endif
