/// Which triangles hang together, and is each part closed?
#ifndef GZ_MESH_COMPONENT_H
#define GZ_MESH_COMPONENT_H

#include "mesh/mesh.h"

/// Fills component_of, components, component_count, closed_count and caps of a mesh whose vertices
/// and triangles are set. Returns false when out of memory (the mesh keeps what was filled; freeing
/// it is enough). Cost: O(n) but for vertices shared by very many edges, O(k log k) there.
bool gz_components_find(graze_mesh *mesh);

#endif
