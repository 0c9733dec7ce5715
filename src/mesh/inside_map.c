// The cells that no triangle comes near fall into regions that hang together through faces. No
// surface passes a region, so that every component's winding number is the same in all of it: one
// exact ray per region tells.
#include "mesh/prefilter/cell_map.h"

#include "base/memory.h"
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
#define LOOKS_PER_CELL 1024

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
    region_search s = {.lattice = b, .left = LOOKS_PER_CELL * (uint64_t)b->count};
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

size_t gz_inside_map_bytes(const gz_inside_map *map) {
    return map->word_count * sizeof *map->bits;
}
