/// The upper part of a large tree: boxes by the cells of a grid, cut cell by cell.
#ifndef GZ_MESH_ITEM_GRID_H
#define GZ_MESH_ITEM_GRID_H

#include "mesh/bvh/binning.h"

/// A run of items that is cut in two, or left whole.
typedef struct gz_grid_cut {
    gz_bounds box;
    size_t count;         ///< items
    int32_t lower, upper; ///< the cuts of its two sides; -1: whole
} gz_grid_cut;

typedef struct gz_item_grid {
    gz_grid_cut *cuts; ///< the first is of all items; each comes before its sides
    size_t count, capacity;
} gz_item_grid;

/// Fewer items have no grid: *out is empty.
#define GZ_GRID_LEAST 256

/// Sorts the items of arrays[0] so that every side of every cut is one run of them, by cells of a
/// grid that hold some few each; arrays[1] is overwritten. Cells are cut as if they were items, at
/// a fraction of the cost. Which items are in which cut does not depend on their order. False when
/// out of memory. Cost: O(n + c log c) for c cells.
bool gz_item_grid_build(gz_item_grid *out, const gz_binning *b, size_t count);
void gz_item_grid_free(gz_item_grid *grid);

#endif
