/// Maps over a mesh, by the cells of a lattice: which are inside, and how far the surface is.
#ifndef GZ_MESH_PREFILTER_CELL_MAP_H
#define GZ_MESH_PREFILTER_CELL_MAP_H

#include <stdbool.h>

#include "mesh/mesh.h"

/// One bit a cell, set where no triangle of the mesh comes within 2 `pad` of the cell and the
/// closed components, all together, wind around it: not in a cavity. The lattice extends a cell and
/// more beyond the mesh's box.
typedef struct gz_inside_map {
    float low[3];      ///< corner of the lattice, mesh frame
    float inverse;     ///< cells per metre
    float pad;         ///< metres: a point that is at most so far from a cell is on its side
    int32_t count[3];  ///< cells along x, y, z; fewer than 2^23 in all
    uint32_t *bits;    ///< x fastest
    size_t word_count; ///< 0 where no cell is inside
} gz_inside_map;

/// Builds the map of a mesh whose components and tree are set; word_count is 0 where it would have
/// none. False when out of memory. Cost: O(triangles + cells), some ten cells a triangle.
bool gz_inside_map_build(gz_inside_map *out, const graze_mesh *mesh);

/// Whether a cell is set. `cell` is (z count_y + y) count_x + x.
static inline bool gz_inside_map_has(const gz_inside_map *map, uint32_t cell) {
    return map->bits[cell >> 5] >> (cell & 31) & 1;
}

/// The flag in a cell's value where the closed components wind around its middle, all together, and
/// the largest value without it. A value of 0 proves nothing, flag or not.
#define GZ_CLEARANCE_INSIDE 128
#define GZ_CLEARANCE_MOST   120
/// Units of the values per edge of a cell.
#define GZ_CLEARANCE_PER_CELL 6

/// Lower bounds of the distances of the cells' middles from every triangle, for objects so large
/// that their trees do not fit the caches, or that are around the links.
typedef struct gz_clearance_map {
    float low[3];  ///< corner of the lattice, mesh frame
    float inverse; ///< cells per metre
    float unit;    ///< of the values, metres, rounded down
    float step;    ///< edge of a cell, metres, rounded up
    int32_t count[3];
    uint8_t *cells;    ///< values, x fastest
    size_t cell_count; ///< 0 where a mesh has none
} gz_clearance_map;

/// Most cells of a clearance map.
#define GZ_CLEARANCE_CELLS ((size_t)1 << 20)

/// Builds a map of about `wanted` cells, none for 0, over a mesh whose tree is set. False when out
/// of memory. Cost: O(triangles + cells), and a search of the tree for every cell near the
/// surface, as long as these visit O(cells) nodes and packets in all.
bool gz_clearance_map_build(gz_clearance_map *out, const graze_mesh *mesh, size_t wanted);

#endif
