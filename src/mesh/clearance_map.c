// Distances between cells by the 3-4-5 chamfer (Borgefors 1984, "Distance transformations in
// arbitrary dimensions"): for an offset x >= y >= z >= 0 in cells it is 3 x + y + z, the least
// number of steps of 3 (through a face), 4 (an edge) and 5 (a corner). Two cells so far apart leave
// at least (x - 1, y - 1, z - 1) between their points, and by Cauchy-Schwarz |(x', y', z')| >= (3
// x' + y' + z') / sqrt 11: no point of a cell of value c is nearer to a touched cell than (c - 5) /
// sqrt 11 cells.
#include "mesh/clearance_map.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

#define CELLS_WANTED ((size_t)1 << 20)
#define FAR          250 // more than any value that is stored: the sums of steps must not wrap

/// The cells before one in the order x, y, z that it has a face, an edge or a corner in common
/// with.
typedef struct neighbour {
    ptrdiff_t offset;
    uint8_t step;
} neighbour;

static void list_neighbours(const gz_lattice *b, neighbour out[13]) {
    ptrdiff_t nx = (ptrdiff_t)b->n[0], nxy = nx * (ptrdiff_t)b->n[1];
    int n = 0;
    for (int z = -1; z <= 0; z++)
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++) {
                ptrdiff_t offset = z * nxy + y * nx + x;
                if (offset >= 0 || (z == 0 && y == 1)) continue;
                out[n++] = (neighbour){offset, (uint8_t)(2 + (x != 0) + (y != 0) + (z != 0))};
            }
}

/// Lowers a cell to what its neighbours on one side of it allow. Neighbours in memory that are none
/// in space, at the ends of rows, lower it too far at worst.
static inline void relax(uint8_t *value, ptrdiff_t at, ptrdiff_t count, const neighbour *list,
                         ptrdiff_t sign) {
    unsigned least = value[at];
    if (least == 0) return;
    for (int k = 0; k < 13; k++) {
        ptrdiff_t other = at + sign * list[k].offset;
        if (other < 0 || other >= count) continue;
        unsigned through = (unsigned)value[other] + list[k].step;
        least = through < least ? through : least;
    }
    value[at] = (uint8_t)least;
}

/// One pass forward over all cells, one backward.
static void spread(const gz_lattice *b, uint8_t *value) {
    neighbour list[13];
    list_neighbours(b, list);
    ptrdiff_t count = (ptrdiff_t)b->count;
    for (ptrdiff_t i = 0; i < count; i++) relax(value, i, count, list, 1);
    for (ptrdiff_t i = count - 1; i >= 0; i--) relax(value, i, count, list, -1);
}

bool gz_clearance_map_build(gz_clearance_map *out, const graze_mesh *mesh) {
    *out = (gz_clearance_map){.cells = NULL};
    if (mesh->triangle_count < GZ_CLEARANCE_LEAST) return true;
    gz_lattice b;
    if (!gz_lattice_build(&b, mesh, CELLS_WANTED)) return false;
    if (!b.cells) return true;
    for (size_t i = 0; i < b.count; i++) b.cells[i] = b.cells[i] & GZ_CELL_TOUCHED ? 0 : FAR;
    spread(&b, b.cells);
    for (int k = 0; k < 3; k++) {
        out->low[k] = (float)b.low[k];
        out->count[k] = (int32_t)b.n[k];
    }
    out->inverse = (float)(1 / b.step);
    out->unit = (float)(b.step / 3.3166247903554 * (1 - 1e-6));
    out->cells = b.cells;
    out->cell_count = b.count;
    return true;
}

void gz_clearance_map_clear(gz_clearance_map *map) {
    gz_free(map->cells);
    map->cells = NULL;
    map->cell_count = 0;
}

size_t gz_clearance_map_bytes(const gz_clearance_map *map) {
    return map->cell_count;
}
