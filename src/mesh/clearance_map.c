// Near the surface the distance of a cell's middle is asked of the tree. Farther off, distances
// between cells by the 3-4-5 chamfer (Borgefors 1984, "Distance transformations in arbitrary
// dimensions"): for an offset x >= y >= z >= 0 in cells it is 3 x + y + z, the least number of
// steps of 3 (through a face), 4 (an edge) and 5 (a corner). From the middle of a cell to any point
// of one so far away it is at least (x - 1/2, y - 1/2, z - 1/2), and by Cauchy-Schwarz |(x', y',
// z')| >= (3 x' + y' + z') / sqrt 11: the middle of a cell of value c is at least (c - 5/2) / sqrt
// 11 cells away from all that is touched.
//
// Balls around the middles of two neighbours, as large as their distances, hold no surface. Where
// they overlap both middles are on the same side: one exact ray tells for all that hang together.
#include "mesh/clearance_map.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/nearest_surface.h"
#include "mesh/region.h"

#define CELLS_WANTED ((size_t)1 << 20)
#define FAR          250 // more than any value that is stored: the sums of steps must not wrap
#define ASKED        9   // cells of at most this chamfer value ask the tree

/// Lowers the cells of a row to what the cells of another row, beside it or in the layer before,
/// allow: `step` for the same x, one more for those before and behind.
static void relax_row(uint8_t *restrict row, const uint8_t *restrict other, size_t n,
                      unsigned step) {
    for (size_t x = 0; x < n; x++) {
        uint8_t through = (uint8_t)(other[x] + step);
        row[x] = through < row[x] ? through : row[x];
    }
    for (size_t x = 0; x + 1 < n; x++) {
        uint8_t next = (uint8_t)(other[x + 1] + step + 1);
        row[x] = next < row[x] ? next : row[x];
    }
    for (size_t x = 0; x + 1 < n; x++) {
        uint8_t before = (uint8_t)(other[x] + step + 1);
        row[x + 1] = before < row[x + 1] ? before : row[x + 1];
    }
}

/// The rows that come before one in a pass (`sign` 1: upwards, -1: downwards): that beside it, and
/// three of the layer before.
static void relax_from_rows(const gz_lattice *b, uint8_t *value, size_t y, size_t z, int sign) {
    const size_t nx = b->n[0], ny = b->n[1];
    const bool layer = sign > 0 ? z > 0 : z + 1 < b->n[2];
    uint8_t *row = value + (z * ny + y) * nx;
    const ptrdiff_t beside = -sign * (ptrdiff_t)nx, above = -sign * (ptrdiff_t)(nx * ny);
    if (sign > 0 ? y > 0 : y + 1 < ny) relax_row(row, row + beside, nx, 3);
    if (!layer) return;
    relax_row(row, row + above, nx, 3);
    if (y > 0) relax_row(row, row + above - nx, nx, 4);
    if (y + 1 < ny) relax_row(row, row + above + nx, nx, 4);
}

/// One pass forward over all cells, one backward. Sums stay below 256: see FAR.
static void spread(const gz_lattice *b, uint8_t *value) {
    const size_t nx = b->n[0], ny = b->n[1], nz = b->n[2];
    for (size_t i = 0; i < ny * nz; i++) {
        uint8_t *row = value + i * nx;
        relax_from_rows(b, value, i % ny, i / ny, 1);
        for (size_t x = 1; x < nx; x++) {
            uint8_t through = (uint8_t)(row[x - 1] + 3);
            row[x] = through < row[x] ? through : row[x];
        }
    }
    for (size_t i = ny * nz; i-- > 0;) {
        uint8_t *row = value + i * nx;
        relax_from_rows(b, value, i % ny, i / ny, -1);
        for (size_t x = nx - 1; x-- > 0;) {
            uint8_t through = (uint8_t)(row[x + 1] + 3);
            row[x] = through < row[x] ? through : row[x];
        }
    }
}

/// What the chamfer says of each value, in steps of the map.
static void fill_steps(uint8_t steps[256]) {
    for (int c = 0; c < 256; c++) {
        double cells = (c - 2.5) / 3.3166247903554;
        double value = cells > 0 ? floor(cells * GZ_CLEARANCE_PER_CELL) : 0;
        steps[c] = (uint8_t)fmin(value, GZ_CLEARANCE_MOST);
    }
}

static void find_middle(const gz_lattice *b, size_t at, float p[3]) {
    size_t cell[3] = {at % b->n[0], at / b->n[0] % b->n[1], at / b->n[0] / b->n[1]};
    for (int k = 0; k < 3; k++) p[k] = (float)(b->low[k] + ((double)cell[k] + 0.5) * b->step);
}

/// Replaces the chamfer's values by distances.
static void measure_cells(const gz_lattice *b, float unit, uint8_t *value) {
    uint8_t steps[256];
    float last = -1, step = (float)b->step; // the last cell's, where it is a neighbour
    fill_steps(steps);
    for (size_t i = 0; i < b->count; i++) {
        if (value[i] > ASKED) {
            value[i] = steps[value[i]];
            last = -1;
            continue;
        }
        float p[3];
        find_middle(b, i, p);
        float most = last < 0 || i % b->n[0] == 0 ? INFINITY : 1.001f * last + 1.01f * step;
        last = gz_surface_distance_below(b->mesh, p, most);
        value[i] = last > 0 ? (uint8_t)fminf(floorf(last / unit), GZ_CLEARANCE_MOST) : 0;
    }
}

bool gz_clearance_map_build(gz_clearance_map *out, const graze_mesh *mesh) {
    *out = (gz_clearance_map){.cells = NULL};
    if (mesh->triangle_count < GZ_CLEARANCE_LEAST) return true;
    gz_lattice b;
    if (!gz_lattice_build(&b, mesh, CELLS_WANTED)) return false;
    if (!b.cells) return true;
    out->inverse = (float)(1 / b.step);
    out->unit = (float)(b.step / GZ_CLEARANCE_PER_CELL * (1 - 1e-6));
    out->step = (float)(b.step * (1 + 1e-6));
    for (size_t i = 0; i < b.count; i++) b.cells[i] = b.cells[i] ? 0 : FAR;
    spread(&b, b.cells);
    measure_cells(&b, out->unit, b.cells);
    if (mesh->closed_count && !gz_region_mark_balls(&b)) {
        gz_lattice_clear(&b);
        return false;
    }
    for (int k = 0; k < 3; k++) {
        out->low[k] = (float)b.low[k];
        out->count[k] = (int32_t)b.n[k];
    }
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
