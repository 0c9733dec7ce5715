// A counting sort by cells (as Lauterbach et al. 2009, "Fast BVH construction on GPUs", sort by
// Morton codes), and the surface-area heuristic over what is in them.
#include "mesh/item_grid.h"

#include <string.h>

#include "base/memory.h"

/// Cells, in all, for each item: of a surface only a part is in use.
#define CELLS_PER_ITEM 1
/// Runs of no more items than this are not cut here: too few cells for a good choice.
#define WHOLE 48
/// Runs of so few cells are not cut here.
#define CELLS 12
/// Nor are those so deep, which only an adversary makes.
#define DEPTH 64

/// Items of one cell, one behind the other.
typedef struct cell_run {
    uint32_t first, count;
} cell_run;

typedef struct grid {
    gz_binning items, cells; ///< the arrays of the items, and the cells in use as if items
    gz_f4 low, factor, most;
    int shift[3];
    uint32_t *start; ///< of each cell's items
    size_t cell_count, used;
    cell_run *runs;
    uint32_t *weights;
    gz_item_grid *out;
} grid;

/// Halves the longest edge of a cell until there are enough.
static void choose_cells(grid *g, const gz_bounds *centers, size_t count) {
    float width[4], edge[4], most[3], factor[3];
    gz_f4_store(width, gz_f4_sub(centers->high, centers->low));
    memcpy(edge, width, sizeof edge);
    int bits[3] = {0}, all = 0;
    while ((size_t)1 << all < count * CELLS_PER_ITEM && all < 24) {
        int axis = 0;
        for (int k = 1; k < 3; k++)
            if (edge[k] > edge[axis]) axis = k;
        bits[axis]++;
        all++;
        edge[axis] *= 0.5f;
    }
    for (int k = 0; k < 3; k++) {
        most[k] = (float)((1 << bits[k]) - 1);
        factor[k] = width[k] > 1e-30f ? (float)(1 << bits[k]) / width[k] : 0;
    }
    g->shift[0] = 0;
    g->shift[1] = bits[0];
    g->shift[2] = bits[0] + bits[1];
    g->cell_count = (size_t)1 << all;
    g->low = gz_f4_three(centers->low);
    g->factor = gz_f4_set(factor[0], factor[1], factor[2], 0);
    g->most = gz_f4_set(most[0], most[1], most[2], 0);
}

static inline uint32_t cell_of(const grid *g, const gz_tree_item *item) {
    gz_f4 center = gz_twice_center(gz_item_low(item), gz_item_high(item));
    int32_t at[4];
    gz_f4_words(at, gz_f4_min(gz_f4_mul(gz_f4_sub(center, g->low), g->factor), g->most));
    return (uint32_t)at[0] << g->shift[0] | (uint32_t)at[1] << g->shift[1] |
           (uint32_t)at[2] << g->shift[2];
}

/// Sorts the items by cell into the second array, and counts the cells in use.
static void sort_items(grid *g, size_t count) {
    gz_tree_item *from = g->items.arrays[0], *to = g->items.arrays[1];
    for (size_t i = 0; i < count; i++) {
        uint32_t cell = cell_of(g, &from[i]);
        from[i].bins = cell;
        g->start[cell]++;
    }
    uint32_t sum = 0;
    for (size_t c = 0; c < g->cell_count; c++) {
        uint32_t here = g->start[c];
        g->used += here > 0;
        g->start[c] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count; i++) to[g->start[from[i].bins]++] = from[i];
}

/// Makes an item of each cell in use: the box of its items.
static void list_cells(grid *g, size_t count) {
    const gz_tree_item *items = g->items.arrays[1];
    size_t n = 0;
    for (size_t i = 0; i < count; n++) {
        size_t first = i;
        gz_bounds box = gz_bounds_empty();
        for (; i < count && items[i].bins == items[first].bins; i++)
            gz_bounds_join(&box, gz_item_low(&items[i]), gz_item_high(&items[i]));
        g->runs[n] = (cell_run){(uint32_t)first, (uint32_t)(i - first)};
        g->weights[n] = (uint32_t)(i - first);
        float low[4], high[4];
        gz_f4_store(low, box.low);
        gz_f4_store(high, box.high);
        g->cells.arrays[0][n] = (gz_tree_item){
            {low[0], low[1], low[2]}, (uint32_t)n, {high[0], high[1], high[2]}, 0};
    }
}

/// Puts the items of a run of cells in their place in the first array.
static void place_items(const grid *g, const gz_item_run *cells, size_t place) {
    const gz_tree_item *items = gz_run_items(&g->cells, cells);
    for (size_t i = 0; i < cells->count; i++) {
        const cell_run *run = &g->runs[items[i].index];
        memcpy(g->items.arrays[0] + place, g->items.arrays[1] + run->first,
               run->count * sizeof *g->items.arrays[0]);
        place += run->count;
    }
}

static bool cut_cells(grid *g, const gz_item_run *cells, size_t place, int depth, int32_t *index) {
    gz_item_grid *out = g->out;
    if (!gz_array_reserve((void **)&out->cuts, &out->capacity, out->count + 1, sizeof *out->cuts))
        return false;
    *index = (int32_t)out->count++;
    gz_grid_cut cut = {cells->box, cells->weight, -1, -1};
    gz_item_run lower, upper;
    if (cells->weight > WHOLE && depth < DEPTH && cells->count > CELLS &&
        gz_run_cut(&g->cells, cells, &lower, &upper)) {
        if (!cut_cells(g, &lower, place, depth + 1, &cut.lower) ||
            !cut_cells(g, &upper, place + lower.weight, depth + 1, &cut.upper))
            return false;
    } else {
        place_items(g, cells, place);
    }
    out->cuts[*index] = cut;
    return true;
}

static bool cut_all(grid *g, size_t count) {
    gz_tree_item *cells = gz_malloc_aligned(2 * g->used, sizeof *cells);
    g->runs = gz_malloc(g->used, sizeof *g->runs);
    g->weights = gz_malloc(g->used, sizeof *g->weights);
    bool ok = cells && g->runs && g->weights;
    if (ok) {
        g->cells = gz_binning_make(cells, cells + g->used, g->items.leaf_size);
        g->cells.weights = g->weights;
        list_cells(g, count);
        gz_item_run all = {.count = g->used, .weight = count};
        gz_run_measure(&g->cells, &all);
        int32_t root;
        ok = cut_cells(g, &all, 0, 0, &root);
    }
    gz_free(cells);
    gz_free(g->runs);
    gz_free(g->weights);
    return ok;
}

bool gz_item_grid_build(gz_item_grid *out, const gz_binning *b, size_t count) {
    *out = (gz_item_grid){0};
    if (count < GZ_GRID_LEAST) return true;
    grid g = {.items = *b, .out = out};
    const gz_item_run all = {.count = count};
    const gz_bounds centers = gz_run_centers(b, &all);
    choose_cells(&g, &centers, count);
    g.start = gz_calloc(g.cell_count, sizeof *g.start);
    bool ok = g.start != NULL;
    if (ok) sort_items(&g, count);
    ok = ok && cut_all(&g, count);
    gz_free(g.start);
    if (!ok) gz_item_grid_free(out);
    return ok;
}

void gz_item_grid_free(gz_item_grid *out) {
    gz_free(out->cuts);
    *out = (gz_item_grid){0};
}
