/// Which vertices are the same point? Exact welding.
#ifndef GZ_MESH_WELD_H
#define GZ_MESH_WELD_H

#include <stddef.h>
#include <stdint.h>

/// Finds vertices that are equal bit for bit (no -0 allowed in the input): index[i] becomes the new
/// number of vertex i, numbered by first appearance, and vertices[] is compacted in place.
/// Returns the number of distinct vertices, or 0 when out of memory. Cost: O(n) expected, O(n log
/// n) whatever the vertices are.
size_t gz_weld(double *vertices, size_t vertex_count, uint32_t *index);

/// Places of its hash table that the welding passes, for each vertex and at least, before it sorts
/// instead. Lattices, grids and models from files pass some two or three.
#define GZ_WELD_STEPS       16
#define GZ_WELD_STEPS_LEAST 1024

/// The same; `steps` receives how many places of the table were passed.
size_t gz_weld_counted(double *vertices, size_t vertex_count, uint32_t *index, uint64_t *steps);

#endif
