/// What lies inside of a mesh?
#ifndef GZ_MESH_REGION_H
#define GZ_MESH_REGION_H

#include "mesh/prefilter/cell_map.h"

/// Whether the closed components of a mesh, all together, wind around a point that is not on the
/// surface: what they enclose twice, the other way round, is a cavity. Exact. `left` becomes less,
/// down to 0, by the nodes and triangles that were looked at.
bool gz_region_is_inside(const graze_mesh *mesh, const double point[3], uint64_t *left);

/// Adds flags to the cells of a lattice that hold a clearance map's values, and sets to 0 the
/// values of cells that no neighbour's ball reaches; and of those that come when no look is left.
/// False when out of memory. Cost: O(cells), and a ray for each set of cells whose balls overlap.
bool gz_region_mark_balls(gz_lattice *lattice, uint64_t looks);

#endif
