/// How far at least is the surface of a mesh? A lattice of lower bounds, for meshes so large that
/// their trees do not fit the caches.
#ifndef GZ_MESH_CLEARANCE_MAP_H
#define GZ_MESH_CLEARANCE_MAP_H

#include "mesh/lattice.h"

typedef struct gz_clearance_map {
    float low[3];  ///< corner of the lattice, mesh frame
    float inverse; ///< cells per metre
    float unit;    ///< metres that one step of the bytes is worth
    int32_t count[3];
    uint8_t *cells;    ///< x fastest: no triangle within unit * (value - GZ_CLEARANCE_NONE) of the
                       ///< cell, where that is positive
    size_t cell_count; ///< 0 for small meshes
} gz_clearance_map;

/// Values that stand for nothing: the distance of cells that touch.
#define GZ_CLEARANCE_NONE 5

/// Meshes of fewer triangles have none.
#define GZ_CLEARANCE_LEAST 20000

/// Builds the map of a large mesh. False when out of memory. Cost: O(triangles + cells).
bool gz_clearance_map_build(gz_clearance_map *out, const graze_mesh *mesh);
void gz_clearance_map_clear(gz_clearance_map *map);
size_t gz_clearance_map_bytes(const gz_clearance_map *map);

#endif
