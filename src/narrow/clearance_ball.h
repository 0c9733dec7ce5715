/// Is a ball clear of a mesh with a clearance map? Eight at a time.
#ifndef GZ_NARROW_CLEARANCE_BALL_H
#define GZ_NARROW_CLEARANCE_BALL_H

#include "narrow/prefilter/cell_lanes.h"

/// What a map says of balls around eight points.
typedef struct ball_answer {
    unsigned clear;  ///< lanes whose ball holds nothing of the surface
    unsigned inside; ///< of them those that are inside
    gz_f8 values;    ///< of the cells, where not all points are beyond the lattice
} ball_answer;

/// A ball is clear where the ball of a cell holds it: |p - middle| + reach < value. A point beyond
/// the lattice takes the nearest cell; one that is farther off than its reach is clear at once.
/// Rounding, also of where the point is in its cell, is below 2^-20 of the lattice's length, which
/// the pads of the reach cover.
static inline ball_answer ask_balls(const gz_clearance_map *map, const moved_points *p,
                                    gz_f8 reach) {
    gz_f8 cell[3], square = gz_f8_all(0), beyond = gz_f8_all(0);
    gz_f8 inverse = gz_f8_all(map->inverse);
    reach = gz_f8_mul(gz_f8_mul(reach, inverse), gz_f8_all(1.00001f)); // in cells
    for (int k = 0; k < 3; k++) {
        gz_f8 c = gz_f8_mul(gz_f8_sub(p->x[k], gz_f8_all(map->low[k])), inverse);
        c = gz_f8_sub(c, gz_f8_all(0.5f));
        gz_f8 most = gz_f8_all((float)map->count[k] - 1);
        gz_f8 held = gz_f8_min(gz_f8_max(c, gz_f8_all(0)), most);
        beyond = gz_f8_or(beyond, gz_f8_greater(gz_f8_abs(gz_f8_sub(c, held)), reach));
        cell[k] = gz_f8_whole(held);
        gz_f8 d = gz_f8_sub(c, cell[k]);
        square = gz_f8_add(square, gz_f8_mul(d, d));
    }
    unsigned out = gz_f8_mask(beyond), inside;
    if (out == 0xff) return (ball_answer){out, 0, square};
    gz_f8 at = gz_f8_add(gz_f8_mul(cell[2], gz_f8_all((float)map->count[1])), cell[1]);
    at = gz_f8_add(gz_f8_mul(at, gz_f8_all((float)map->count[0])), cell[0]);
    gz_f8 values = clearance_values(map, at, &inside);
    gz_f8 per_cell = gz_f8_all((1 - 1e-5f) / GZ_CLEARANCE_PER_CELL);
    gz_f8 room = gz_f8_sub(gz_f8_mul(values, per_cell), reach);
    gz_f8 room2 = gz_f8_mul(room, gz_f8_max(room, gz_f8_all(0)));
    unsigned clear = gz_f8_mask(gz_f8_greater(room2, square)) & ~out;
    return (ball_answer){clear | out, inside & clear, values};
}

#endif
