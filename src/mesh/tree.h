/// The bounding-volume tree over a mesh's triangles: eight children a node, packets of up to eight
/// triangles as leaves.
#ifndef GZ_MESH_TREE_H
#define GZ_MESH_TREE_H

#include "mesh/mesh.h"

/// Levels of nodes never exceed this, so that a traversal's stack has a fixed size.
#define GZ_TREE_DEPTH 40

/// Builds nodes and packets of a mesh whose vertices and triangles are set. Returns false when out
/// of memory. Cost: O(n log n).
bool gz_tree_build(graze_mesh *mesh);

/// The float box that contains [low, high] given in float: half is rounded up so that
/// center - half <= low and high <= center + half hold for the float values as real numbers.
gz_box gz_box_make(const float low[3], const float high[3]);

/// The float nearest to x from below, and from above.
float gz_float_below(double x);
float gz_float_above(double x);

/// Makes a node with no child in use: boxes that overlap nothing.
void gz_node_clear(gz_node *node);
void gz_node_add(gz_node *node, gz_box box, int32_t child);

#endif
