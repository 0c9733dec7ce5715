// The cells that no triangle comes near fall into regions connected through faces. No
// surface passes a region, so that every component's winding number is the same in all of it: one
// exact ray per region decides.

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/prefilter/cell_map.h"
#include "mesh/prefilter/lattice.h"

#define CELLS_PER_TRIANGLE 2
#define CELLS_LEAST        2048
#define CELLS_MOST         8192

/// Visits of nodes and triangles per cell of the lattice, in all. Regions after that do not count
/// as inside.
#define INSIDE_VISITS_PER_CELL 1024

static void place_map(gz_inside_map *out, const gz_lattice *b) {
    for (int k = 0; k < 3; k++) {
        out->low[k] = (float)b->low[k];
        out->count[k] = (int32_t)b->n[k];
    }
    out->inverse = (float)(1 / b->step);
    out->pad = (float)(0.9 * b->pad);
}

/// Sets the bits of the cells that are inside, where there are any.
static bool set_bits(gz_inside_map *out, const gz_lattice *b) {
    size_t words = b->count / 32 + 1;
    out->bits = gz_calloc(words, sizeof *out->bits);
    if (!out->bits) return false;
    for (size_t i = 0; i < b->count; i++)
        if (b->cells[i] & GZ_CLEARANCE_INSIDE) {
            out->bits[i >> 5] |= 1u << (i & 31);
            out->word_count = words;
        }
    if (out->word_count) {
        place_map(out, b);
    } else {
        gz_free(out->bits);
        out->bits = NULL;
    }
    return true;
}

bool gz_inside_map_build(gz_inside_map *out, const graze_mesh *mesh) {
    *out = (gz_inside_map){.bits = NULL};
    if (mesh->closed_count == 0) return true;
    size_t wanted = mesh->triangle_count * CELLS_PER_TRIANGLE;
    wanted = wanted < CELLS_LEAST ? CELLS_LEAST : wanted > CELLS_MOST ? CELLS_MOST : wanted;
    gz_lattice lattice;
    bool ok = gz_lattice_build(&lattice, mesh, wanted);
    if (ok && lattice.cells)
        ok = gz_region_mark_free(&lattice, INSIDE_VISITS_PER_CELL * (uint64_t)lattice.count) &&
             set_bits(out, &lattice);
    gz_lattice_clear(&lattice);
    return ok;
}

// Near the surface the distance of a cell's middle is computed by the tree. Farther off it is that
// of the nearest cell that is touched: from the middle of a cell to any point of one that is x, y
// and z cells off it is at least the length of (x - 1/2, y - 1/2, z - 1/2), where none counts for
// less than 0. The least of such sums is found axis by axis (Saito and Toriwaki 1994, "New
// algorithms for Euclidean distance transformation"); in half cells, squared, they are whole
// numbers.
//
// Balls around the middles of two neighbours, as large as their distances, hold no surface. Where
// they overlap both middles are on the same side: one exact ray decides for all that are connected.

#define FARTHEST     20   // cells: the largest distance of the values
#define FAR          1600 // the square of what is worth GZ_CLEARANCE_MOST
#define NEAR_SURFACE 11   // squares up to this are computed by the tree: some two cells

/// Visits of nodes, packets and triangles per cell, in all, for distances and once
/// more for sides. Scenes take some few; where large triangles overlap, each cell would take all.
#define CLEARANCE_VISITS_PER_CELL 32

/// The square, in half cells, that an offset of so many cells along an axis adds.
static int16_t offset_square(size_t cells) {
    return (int16_t)(cells ? (2 * cells - 1) * (2 * cells - 1) : 0);
}

/// How far each cell of a row is from those of the row that are touched.
static void measure_row(const uint8_t *touched, int16_t *row, size_t n) {
    size_t since = FARTHEST + 1;
    for (size_t x = 0; x < n; x++) {
        since = touched[x] ? 0 : since + (since <= FARTHEST);
        row[x] = since > FARTHEST ? FAR : offset_square(since);
    }
    since = FARTHEST + 1;
    for (size_t x = n; x-- > 0;) {
        since = touched[x] ? 0 : since + (since <= FARTHEST);
        int16_t square = since > FARTHEST ? FAR : offset_square(since);
        row[x] = square < row[x] ? square : row[x];
    }
}

/// Lowers a row to what another, a known way off, allows.
static void lower_row(int16_t *restrict row, const int16_t *restrict other, size_t n,
                      int16_t square) {
    for (size_t x = 0; x < n; x++) {
        int16_t through = (int16_t)(other[x] + square);
        row[x] = through < row[x] ? through : row[x];
    }
}

static int16_t largest_of(const int16_t *row, size_t n) {
    int16_t most = 0;
    for (size_t x = 0; x < n; x++) most = row[x] > most ? row[x] : most;
    return most;
}

/// Lowers rows, `stride` apart, to what the others of them allow.
static void lower_rows(int16_t *rows, size_t count, size_t stride, size_t n, int16_t *copy) {
    for (size_t i = 0; i < count; i++) memcpy(copy + i * n, rows + i * stride, n * sizeof *copy);
    for (size_t i = 0; i < count; i++) {
        int16_t *row = rows + i * stride, most = largest_of(row, n);
        for (size_t k = 1; k <= FARTHEST && offset_square(k) < most; k++) {
            if (k <= i) lower_row(row, copy + (i - k) * n, n, offset_square(k));
            if (i + k < count) lower_row(row, copy + (i + k) * n, n, offset_square(k));
            if (k % 4 == 0) most = largest_of(row, n);
        }
    }
}

/// The squares of all cells' distances from those that are touched, in half cells. NULL when out of
/// memory.
static int16_t *find_squares(const gz_lattice *b) {
    const size_t nx = b->n[0], ny = b->n[1], nz = b->n[2];
    int16_t *square = gz_malloc(b->count, sizeof *square);
    int16_t *copy = gz_malloc(nx * (ny > nz ? ny : nz), sizeof *copy);
    if (square && copy) {
        for (size_t i = 0; i < ny * nz; i++) measure_row(b->cells + i * nx, square + i * nx, nx);
        for (size_t z = 0; z < nz; z++) lower_rows(square + z * nx * ny, ny, nx, nx, copy);
        for (size_t y = 0; y < ny; y++) lower_rows(square + y * nx, nz, nx * ny, nx, copy);
    } else {
        gz_free(square);
        square = NULL;
    }
    gz_free(copy);
    return square;
}

/// What the squares say, in steps of the map: those are n at least where the square s has
/// GZ_CLEARANCE_PER_CELL^2 s >= 4 n^2. Where the two differ, by 1 or more, their roots differ by
/// more than 1e-3 in what is rounded here.
static void fill_steps(uint8_t steps[FAR + 1]) {
    for (int square = 0; square <= FAR; square++)
        steps[square] = (uint8_t)floor(0.5 * GZ_CLEARANCE_PER_CELL * sqrt(square));
}

/// Sets the cells' values. Without visits left the squares serve near the surface, too.
static bool measure_cells(const gz_lattice *b, float unit) {
    uint8_t steps[FAR + 1];
    float last = -1, step = (float)b->step; // the last cell's, where it is a neighbour
    int16_t *square = find_squares(b);
    if (!square) return false;
    fill_steps(steps);
    uint64_t left = CLEARANCE_VISITS_PER_CELL * (uint64_t)b->count;
    for (size_t i = 0; i < b->count; i++) {
        if (square[i] > NEAR_SURFACE || left == 0) {
            b->cells[i] = steps[square[i]];
            last = -1;
            continue;
        }
        double middle[3];
        gz_lattice_middle(b, i, middle);
        const float p[3] = {(float)middle[0], (float)middle[1], (float)middle[2]};
        float most = last < 0 || i % b->n[0] == 0 ? INFINITY
                                                  : 1.001f * (last + unit) + 1.01f * step;
        float near = gz_nearest_surface(b->mesh, &b->mesh->root, 1, p, most, unit, &left);
        last = near * unit;
        b->cells[i] = (uint8_t)fminf(near, GZ_CLEARANCE_MOST);
    }
    gz_free(square);
    return true;
}

bool gz_clearance_map_build(gz_clearance_map *out, const graze_mesh *mesh, size_t wanted) {
    *out = (gz_clearance_map){.cells = NULL};
    if (wanted == 0) return true;
    gz_lattice b;
    if (!gz_lattice_build(&b, mesh, wanted)) return false;
    if (!b.cells) return true;
    out->inverse = (float)(1 / b.step);
    out->unit = (float)(b.step / GZ_CLEARANCE_PER_CELL * (1 - 1e-6));
    out->step = (float)(b.step * (1 + 1e-6));
    if (!measure_cells(&b, out->unit) ||
        (mesh->closed_count &&
         !gz_region_mark_balls(&b, CLEARANCE_VISITS_PER_CELL * (uint64_t)b.count))) {
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
