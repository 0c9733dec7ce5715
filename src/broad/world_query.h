/// Which entries of the world may an axis-aligned box touch?
#ifndef GZ_BROAD_WORLD_QUERY_H
#define GZ_BROAD_WORLD_QUERY_H

#include "world/world.h"

/// Writes the entries whose boxes overlap [low, high] (world frame, closed), in no particular
/// order; returns how many. `out` has room for world->entry_count. Tests boxes rounded outward, so
/// no entry that overlaps is left out. `stack` has room for world->node_count + 8 references.
size_t gz_world_query(const graze_world *world, const double low[3], const double high[3],
                      int32_t *out, int32_t *stack, uint64_t *node_tests);

#endif
