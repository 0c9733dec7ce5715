/// Eight cells of a map one by one; a form of cell_lanes.h.
#ifndef GZ_NARROW_CELL_LANES_BASE_H
#define GZ_NARROW_CELL_LANES_BASE_H

#include "math/lanes.h"
#include "mesh/prefilter/cell_map.h"

static inline bool any_cell_inside(const gz_inside_map *map, gz_f8 index, gz_f8 beyond) {
    float lanes[GZ_WIDTH];
    gz_f8_store(lanes, index);
    for (unsigned mask = ~gz_f8_mask(beyond) & 0xff; mask; mask &= mask - 1)
        if (gz_inside_map_has(map, (uint32_t)lanes[__builtin_ctz(mask)])) return true;
    return false;
}

static inline gz_f8 clearance_values(const gz_clearance_map *map, gz_f8 index, unsigned *inside) {
    float lanes[GZ_WIDTH];
    gz_f8_store(lanes, index);
    *inside = 0;
    for (int i = 0; i < GZ_WIDTH; i++) {
        unsigned value = map->cells[(size_t)lanes[i]];
        *inside |= (value / GZ_CLEARANCE_INSIDE) << i;
        lanes[i] = (float)(value % GZ_CLEARANCE_INSIDE);
    }
    return gz_f8_load(lanes);
}

#endif
