// Is the tree over a compiled set of points one that can be asked?

#include <math.h>

#include "base/memory.h"
#include "compile/image.h"

/// Every point is in one leaf, and its points ascend; the last leaf repeats its last point.
static graze_status check_leaves(gz_image_checker *c, const gz_point_tree *tree, size_t count) {
    uint8_t *seen = gz_image_marks(c, count);
    if (!seen) return gz_fail_memory(c->error);
    for (size_t i = 0; i < tree->leaf_count; i++) {
        const uint32_t *point = tree->leaves[i].point;
        size_t left = count - i * GZ_POINT_LEAF;
        for (size_t k = 0; k < GZ_POINT_LEAF; k++) {
            if (k >= left && point[k] == point[k - 1]) continue;
            if (k >= left || point[k] >= count || seen[point[k]] ||
                (k > 0 && point[k] < point[k - 1]))
                return gz_image_fail(c,
                                     "leaf %zu has the point %u at %zu; allowed: each of the %zu "
                                     "points once, ascending",
                                     i, point[k], k, count);
            seen[point[k]] = 1;
        }
    }
    return GRAZE_OK;
}

static graze_status check_lowest(const gz_image_checker *c, const gz_point_tree *tree) {
    for (size_t i = tree->node_count; i-- > 0;) {
        const gz_node *node = &tree->nodes[i];
        uint32_t lowest = UINT32_MAX;
        for (int k = 0; k < node->count; k++) {
            uint32_t own = gz_point_tree_lowest(tree, node->child[k]);
            lowest = own < lowest ? own : lowest;
        }
        if (tree->lowest[i] != lowest)
            return gz_image_fail(c, "node %zu says that its lowest point is %u; it is %u", i,
                                 tree->lowest[i], lowest);
    }
    return GRAZE_OK;
}

graze_status gz_point_tree_image_check(gz_image_checker *c, const gz_point_tree *tree,
                                       size_t count) {
    if (!tree || tree->leaf_count != (count + GZ_POINT_LEAF - 1) / GZ_POINT_LEAF)
        return gz_image_fail(c, "has no tree over its %zu points", count);
    for (int k = 0; k < 3; k++)
        if (!(fabsf(tree->box.center[k]) <= (float)GZ_NUMBER_MAX) ||
            !(fabsf(tree->box.half[k]) <= (float)GZ_NUMBER_MAX))
            return gz_image_fail(c, "the box of its points is out of range; allowed: up to 2^40 m");
    graze_status status = gz_tree_image_check(c, tree->nodes, tree->node_count, tree->root,
                                              tree->leaf_count);
    if (status == GRAZE_OK) status = check_leaves(c, tree, count);
    return status == GRAZE_OK ? check_lowest(c, tree) : status;
}
