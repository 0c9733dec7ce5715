// The cells that no triangle comes near fall into regions that hang together through faces. No
// surface passes a region, so that every component's winding number is the same in all of it: one
// exact ray per region tells.

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/prefilter/cell_map.h"
#include "mesh/prefilter/lattice.h"

#define CELLS_PER_TRIANGLE 2
#define CELLS_LEAST        2048
#define CELLS_MOST         8192

/// Cells of a row, one behind the other, that no triangle comes near.
typedef struct run {
    uint32_t first, end; ///< numbers of cells
    uint32_t region;     ///< a run before this one of the same region, or itself; then the first
} run;

typedef struct region_search {
    const gz_lattice *lattice;
    run *runs;       ///< by their cells
    uint32_t *first; ///< of each row, and one more
    size_t count;
    uint64_t left; ///< looks at nodes and triangles
} region_search;

/// Nodes and triangles that may be looked at for each cell of the lattice, in all. What is not
/// asked is not known to be inside.
#define INSIDE_VISITS_PER_CELL 1024

/// The runs of a row, written behind out[count] where out is not NULL; returns their new count.
static size_t find_runs(const gz_lattice *b, size_t row, run *out, size_t count) {
    size_t at = row * b->n[0], end = at + b->n[0];
    while (at < end) {
        while (at < end && b->cells[at]) at++;
        size_t first = at;
        while (at < end && !b->cells[at]) at++;
        if (at == first) break;
        if (out) out[count] = (run){(uint32_t)first, (uint32_t)at, (uint32_t)count};
        count++;
    }
    return count;
}

static uint32_t first_of_region(run *runs, uint32_t i) {
    while (runs[i].region != i) i = runs[i].region = runs[runs[i].region].region;
    return i;
}

/// Joins the runs of two rows that lie beside each other.
static void join_rows(const region_search *s, size_t row, size_t before) {
    const uint32_t shift = (uint32_t)((row - before) * s->lattice->n[0]);
    uint32_t i = s->first[row], k = s->first[before];
    while (i < s->first[row + 1] && k < s->first[before + 1]) {
        run *a = &s->runs[i], *b = &s->runs[k];
        if (a->first < b->end + shift && b->first + shift < a->end) {
            uint32_t p = first_of_region(s->runs, i), q = first_of_region(s->runs, k);
            s->runs[p > q ? p : q].region = p > q ? q : p;
        }
        if (a->end < b->end + shift)
            i++;
        else
            k++;
    }
}

/// Finds the runs, and which hang together.
static bool find_regions(region_search *s) {
    const gz_lattice *b = s->lattice;
    const size_t ny = b->n[1], rows = ny * b->n[2];
    for (size_t row = 0; row < rows; row++) s->count = find_runs(b, row, NULL, s->count);
    s->runs = gz_malloc(s->count, sizeof *s->runs);
    s->first = gz_malloc(rows + 1, sizeof *s->first);
    if (!s->runs || !s->first) return false;
    size_t count = 0;
    for (size_t row = 0; row < rows; row++) {
        s->first[row] = (uint32_t)count;
        s->first[row + 1] = (uint32_t)(count = find_runs(b, row, s->runs, count));
        if (row % ny) join_rows(s, row, row - 1);
        if (row >= ny) join_rows(s, row, row - ny);
    }
    for (uint32_t i = 0; i < count; i++) s->runs[i].region = first_of_region(s->runs, i);
    return true;
}

/// Whether the region that begins with this run is inside.
static bool is_region_inside(region_search *s, const run *first) {
    const gz_lattice *b = s->lattice;
    size_t at[3] = {first->first % b->n[0], first->first / b->n[0] % b->n[1],
                    first->first / b->n[0] / b->n[1]};
    double p[3];
    for (int k = 0; k < 3; k++) p[k] = b->low[k] + ((double)at[k] + 0.5) * b->step;
    return s->left > 0 && gz_region_is_inside(b->mesh, p, &s->left);
}

static void set_bits(uint32_t *bits, const run *r) {
    for (uint32_t i = r->first; i < r->end; i++) bits[i >> 5] |= 1u << (i & 31);
}

/// Sets the bits of the regions that are inside; returns whether there is one. Regions that are
/// outside become that of run 0: the first run of a region comes before the others, which then see
/// it.
static bool fill_map(gz_inside_map *out, region_search *s) {
    bool any = false;
    // The region of cell 0 is the border: outside.
    for (uint32_t i = 0; i < s->count; i++) {
        run *r = &s->runs[i];
        if (r->region == 0) continue;
        if (r->region == i && !is_region_inside(s, r)) {
            r->region = 0;
            continue;
        }
        if (s->runs[r->region].region == 0) continue;
        set_bits(out->bits, r);
        any = true;
    }
    return any;
}

static void place_map(gz_inside_map *out, const gz_lattice *b) {
    for (int k = 0; k < 3; k++) {
        out->low[k] = (float)b->low[k];
        out->count[k] = (int32_t)b->n[k];
    }
    out->inverse = (float)(1 / b->step);
    out->pad = (float)(0.9 * b->pad);
}

static bool map_regions(gz_inside_map *out, const gz_lattice *b) {
    region_search s = {.lattice = b, .left = INSIDE_VISITS_PER_CELL * (uint64_t)b->count};
    size_t words = b->count / 32 + 1;
    out->bits = gz_calloc(words, sizeof *out->bits);
    bool ok = out->bits && find_regions(&s);
    if (ok && fill_map(out, &s)) {
        out->word_count = words;
        place_map(out, b);
    } else {
        gz_inside_map_clear(out);
    }
    gz_free(s.runs);
    gz_free(s.first);
    return ok;
}

bool gz_inside_map_build(gz_inside_map *out, const graze_mesh *mesh) {
    *out = (gz_inside_map){.bits = NULL};
    if (mesh->closed_count == 0) return true;
    size_t wanted = mesh->triangle_count * CELLS_PER_TRIANGLE;
    wanted = wanted < CELLS_LEAST ? CELLS_LEAST : wanted > CELLS_MOST ? CELLS_MOST : wanted;
    gz_lattice lattice;
    bool ok = gz_lattice_build(&lattice, mesh, wanted);
    if (ok && lattice.cells) ok = map_regions(out, &lattice);
    gz_lattice_clear(&lattice);
    return ok;
}

void gz_inside_map_clear(gz_inside_map *map) {
    gz_free(map->bits);
    map->bits = NULL;
    map->word_count = 0;
}

// Near the surface the distance of a cell's middle is asked of the tree. Farther off it is that of
// the nearest cell that is touched: from the middle of a cell to any point of one that is x, y and
// z cells off it is at least the length of (x - 1/2, y - 1/2, z - 1/2), where none counts for less
// than 0. The least of such sums is found axis by axis (Saito and Toriwaki 1994, "New algorithms
// for Euclidean distance transformation"); in half cells, squared, they are whole numbers.
//
// Balls around the middles of two neighbours, as large as their distances, hold no surface. Where
// they overlap both middles are on the same side: one exact ray tells for all that hang together.

#define FARTHEST     20   // cells: what is farther off is as far as values tell
#define FAR          1600 // the square of what is worth GZ_CLEARANCE_MOST
#define NEAR_SURFACE 11   // cells of at most this square ask the tree: some two cells off

/// Nodes, packets and triangles that may be looked at for each cell, in all, for distances and once
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

static void find_middle(const gz_lattice *b, size_t at, float p[3]) {
    size_t cell[3] = {at % b->n[0], at / b->n[0] % b->n[1], at / b->n[0] / b->n[1]};
    for (int k = 0; k < 3; k++) p[k] = (float)(b->low[k] + ((double)cell[k] + 0.5) * b->step);
}

/// Sets the cells' values. Without looks left the squares tell of those near the surface, too.
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
        float p[3];
        find_middle(b, i, p);
        float most = last < 0 || i % b->n[0] == 0 ? INFINITY
                                                  : 1.001f * (last + unit) + 1.01f * step;
        float near = gz_surface_steps_below(b->mesh, p, most, unit, &left);
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
