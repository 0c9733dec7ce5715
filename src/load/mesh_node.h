/// The nodes of a mesh file that hold geometry, and where they place it.
#ifndef GZ_LOAD_MESH_NODE_H
#define GZ_LOAD_MESH_NODE_H

#include "graze/mesh_report.h"
#include "load/mesh/affine.h"

typedef struct gz_mesh_nodes {
    graze_mesh_node *items; ///< names owned
    size_t count, capacity;
} gz_mesh_nodes;

/// Adds a node; `place` may be NULL for one whose transform is not known. False when out of memory.
bool gz_mesh_nodes_add(gz_mesh_nodes *nodes, const char *name, const gz_affine *place,
                       size_t geometry_count);
void gz_mesh_nodes_free(gz_mesh_nodes *nodes);

#endif
