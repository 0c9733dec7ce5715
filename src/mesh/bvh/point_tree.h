/// A tree over points: sixteen a leaf, eight children a node, complete, so that a million points
/// need nine bytes each besides their coordinates. It knows nothing of radii: whoever asks grows
/// its own reach instead, so clouds that differ in radius, pose or world can share one.
#ifndef GZ_MESH_BVH_POINT_TREE_H
#define GZ_MESH_BVH_POINT_TREE_H

#include "mesh/mesh.h"

/// Points of a leaf: two runs of lanes.
#define GZ_POINT_LEAF 16

/// Sixteen points, ascending; the last leaf repeats its last point in lanes that are left over.
/// Each coordinate is rounded to one of 256 places across the leaf's box, which is that of its lane
/// in the node above, or the tree's: center + half (at / 127.5 - 1), off by at most half / 255 and
/// 2^-24 of the coordinate itself. The doubles decide what this leaves open.
typedef struct gz_point_leaf {
    uint8_t at[3][GZ_POINT_LEAF];
    uint32_t point[GZ_POINT_LEAF];
} gz_point_leaf;

typedef struct gz_point_tree {
    gz_node *nodes;   ///< the root, then level by level; child < 0 is leaf ~child
    uint32_t *lowest; ///< per node: the lowest point below it
    size_t node_count;
    gz_point_leaf *leaves; ///< all full but the last
    size_t leaf_count;
    int32_t root;   ///< 0, or ~0 where one leaf holds all
    gz_box box;     ///< contains every point
    double max_abs; ///< largest |coordinate| of any point
} gz_point_tree;

/// Builds the tree over `count` points (x y z each, at most 2^20 in magnitude; 1 to INT32_MAX / 2
/// of them): cut in halves, by count, across the longest side of what is cut, until leaves are
/// left. The same points in the same order give the same bytes. NULL when out of memory.
/// Cost: O(n log n), some 0.1 s for a million; 32 bytes a point while it is built.
gz_point_tree *gz_point_tree_build(const double *points, size_t count);
/// NULL is allowed.
void gz_point_tree_free(gz_point_tree *tree);

/// The lowest point below a reference, as gz_node.child.
static inline uint32_t gz_point_tree_lowest(const gz_point_tree *tree, int32_t reference) {
    return reference >= 0 ? tree->lowest[reference] : tree->leaves[~reference].point[0];
}

#endif
