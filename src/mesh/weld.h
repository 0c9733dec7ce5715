/// Which vertices are the same point? Exact welding.
#ifndef GZ_MESH_WELD_H
#define GZ_MESH_WELD_H

#include <stddef.h>
#include <stdint.h>

/// Finds vertices that are equal bit for bit (no -0 allowed in the input): index[i] becomes the new
/// number of vertex i, numbered by first appearance, and vertices[] is compacted in place.
/// Returns the number of distinct vertices, or 0 when out of memory. Cost: O(n) expected.
size_t gz_weld(double *vertices, size_t vertex_count, uint32_t *index);

#endif
