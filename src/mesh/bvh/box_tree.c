// Trees over boxes: the upper part of a large one is cut by the cells of a grid, the rest by
// binning.

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/platform.h"
#include "math/transform.h"
#include "mesh/bvh/binning.h"
#include "mesh/bvh/box_tree.h"

/// A run of items that is cut in two, or left whole.
typedef struct grid_cut {
    gz_bounds box;
    size_t count;         ///< items
    int32_t lower, upper; ///< the cuts of its two sides; -1: whole
} grid_cut;

typedef struct item_grid {
    grid_cut *cuts; ///< the first is of all items; each comes before its sides
    size_t count, capacity;
} item_grid;

/// Fewer items have no grid: *out is empty.
#define GRID_LEAST 256

// A counting sort by cells (as Lauterbach et al. 2009, "Fast BVH construction on GPUs", sort by
// Morton codes), and the surface-area heuristic over what is in them.

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
    item_grid *out;
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
    item_grid *out = g->out;
    if (!gz_array_reserve((void **)&out->cuts, &out->capacity, out->count + 1, sizeof *out->cuts))
        return false;
    *index = (int32_t)out->count++;
    grid_cut cut = {cells->box, cells->weight, -1, -1};
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

static void free_grid(item_grid *out) {
    gz_free(out->cuts);
    *out = (item_grid){0};
}

/// Sorts the items of arrays[0] so that every side of every cut is one run of them, by cells of a
/// grid that hold some few each; arrays[1] is overwritten. Cells are cut as if they were items, at
/// a fraction of the cost. Which items are in which cut does not depend on their order. False when
/// out of memory. Cost: O(n + c log c) for c cells.
static bool build_grid(item_grid *out, const gz_binning *b, size_t count) {
    *out = (item_grid){0};
    if (count < GRID_LEAST) return true;
    grid g = {.items = *b, .out = out};
    const gz_item_run all = {.count = count};
    const gz_bounds centers = gz_run_centers(b, &all);
    choose_cells(&g, &centers, count);
    g.start = gz_calloc(g.cell_count, sizeof *g.start);
    bool ok = g.start != NULL;
    if (ok) sort_items(&g, count);
    ok = ok && cut_all(&g, count);
    gz_free(g.start);
    if (!ok) free_grid(out);
    return ok;
}

/// A run of items on its way into a subtree.
typedef struct subset {
    gz_item_run run;
    int32_t cut; ///< of the grid, where it is cut; -1: none
} subset;

typedef struct build {
    gz_box_tree *tree;
    gz_binning binning;
    item_grid grid;
    size_t leaf_size;
    size_t node_capacity, node_box_capacity, leaf_capacity, leaf_box_capacity;
} build;

/// nextafterf(x, INFINITY) and nextafterf(x, -INFINITY): for all but zero and what is not finite
/// the next bit pattern, as a call for nearly every coordinate would cost much of the time.
static float next_above(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (x == 0 || !(fabsf(x) < INFINITY)) return nextafterf(x, INFINITY);
    bits = x > 0 ? bits + 1 : bits - 1;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// Whether a coordinate was rounded to the wrong side cannot be foreseen: no branch on it. A rounded
// 0 has the sign of x, and the bits next to those of -0 are those of the least number below.
float gz_float_below(double x) {
    float f = (float)x;
    uint32_t bits, step = (double)f > x;
    memcpy(&bits, &f, sizeof bits);
    bits += bits >> 31 ? step : 0 - step;
    memcpy(&f, &bits, sizeof f);
    return f;
}

float gz_float_above(double x) {
    return -gz_float_below(-x);
}

gz_tree_item gz_tree_item_make(const double low[3], const double high[3], uint32_t index) {
    gz_tree_item item = {.index = index};
    for (int k = 0; k < 3; k++) {
        item.low[k] = gz_float_below(low[k]);
        item.high[k] = gz_float_above(high[k]);
    }
    return item;
}

gz_box gz_box_make(const float low[3], const float high[3]) {
    gz_box box;
    for (int k = 0; k < 3; k++) {
        box.center[k] = (float)(0.5 * ((double)low[k] + (double)high[k]));
        // Differences of floats are exact in double, but for exponents farther apart than 29 bits;
        // then the rounding up to float swallows the double's error.
        double up = (double)high[k] - (double)box.center[k];
        double down = (double)box.center[k] - (double)low[k];
        box.half[k] = next_above(gz_float_above(up > down ? up : down));
    }
    return box;
}

void gz_node_clear(gz_node *node) {
    *node = (gz_node){0};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < GZ_WIDTH; i++) node->half[k][i] = -1e30f;
}

void gz_node_add(gz_node *node, gz_box box, int32_t child) {
    int i = node->count++;
    for (int k = 0; k < 3; k++) {
        node->center[k][i] = box.center[k];
        node->half[k][i] = box.half[k];
    }
    node->child[i] = child;
}

// ------------------------------------------------------------------------------------- splitting

/// A side of a subset, cut as in the grid.
static subset grid_side(const build *b, const gz_item_run *run, size_t first, int32_t cut) {
    const grid_cut *c = &b->grid.cuts[cut];
    return (subset){{first, c->count, c->count, run->where, c->box}, cut};
}

/// Splits a subset in two: as in the grid, by the heuristic, or (`even`, or all centres equal)
/// in halves by count.
static void split(const build *b, const subset *whole, bool even, subset *lower, subset *upper) {
    const gz_item_run *run = &whole->run;
    const grid_cut *c = whole->cut < 0 ? NULL : &b->grid.cuts[whole->cut];
    if (!even && c && c->lower >= 0) {
        *lower = grid_side(b, run, run->first, c->lower);
        *upper = grid_side(b, run, run->first + lower->run.count, c->upper);
        return;
    }
    lower->cut = upper->cut = -1;
    if (!even && gz_run_cut(&b->binning, run, &lower->run, &upper->run)) return;
    size_t below = run->count / 2, above = run->count - below;
    lower->run = (gz_item_run){run->first, below, below, run->where, run->box};
    upper->run = (gz_item_run){run->first + below, above, above, run->where, run->box};
    gz_run_measure(&b->binning, &lower->run);
    gz_run_measure(&b->binning, &upper->run);
}

// ---------------------------------------------------------------------------------- making nodes

/// The subset to split next: the one of largest area that does not fit a leaf, or -1.
static int widest(const build *b, const subset *subsets, int count) {
    int best = -1;
    float area = -1;
    for (int i = 0; i < count; i++) {
        float a = gz_bounds_area(&subsets[i].run.box);
        if (subsets[i].run.count > b->leaf_size && a > area) area = a, best = i;
    }
    return best;
}

/// Levels that a run needs at most when every split from here on halves it.
static int levels(size_t count) {
    int n = 0;
    for (; count > 1; count = (count + 1) / 2) n++;
    return n;
}

static gz_box box_of(const gz_bounds *b) {
    float low[4], high[4];
    gz_f4_store(low, b->low);
    gz_f4_store(high, b->high);
    return gz_box_make(low, high);
}

static bool make_leaf(build *b, const gz_item_run *r, int32_t *out) {
    gz_box_tree *t = b->tree;
    size_t n = t->leaf_count + 1;
    if (!gz_array_reserve((void **)&t->leaves, &b->leaf_capacity, n, sizeof *t->leaves) ||
        !gz_array_reserve((void **)&t->leaf_boxes, &b->leaf_box_capacity, n, sizeof *t->leaf_boxes))
        return false;
    *out = ~(int32_t)t->leaf_count;
    t->leaves[t->leaf_count] = (gz_tree_leaf){(uint32_t)r->first, (uint32_t)r->count};
    t->leaf_boxes[t->leaf_count++] = box_of(&r->box);
    // The caller's items are given back as they were, in another order.
    gz_tree_item *items = b->binning.arrays[0] + r->first;
    if (r->where) memcpy(items, gz_run_items(&b->binning, r), r->count * sizeof *items);
    for (size_t i = 0; i < r->count; i++) items[i].bins = 0;
    return true;
}

static bool make_subtree(build *b, const subset *all, int depth, int32_t *out) {
    gz_box_tree *t = b->tree;
    const gz_item_run *r = &all->run;
    if (r->count <= b->leaf_size) return make_leaf(b, r, out);
    size_t index = t->node_count, n = index + 1;
    if (!gz_array_reserve((void **)&t->nodes, &b->node_capacity, n, sizeof *t->nodes) ||
        !gz_array_reserve((void **)&t->node_boxes, &b->node_box_capacity, n, sizeof *t->node_boxes))
        return false;
    t->node_count++;
    // Once only halving keeps within GZ_TREE_DEPTH, halve: the first split of a node halves all of
    // it, so no child has more than half.
    bool even = depth + levels(r->count) >= GZ_TREE_DEPTH - 1;
    subset subsets[GZ_WIDTH];
    int count = 1, next;
    subsets[0] = *all;
    while (count < GZ_WIDTH && (next = widest(b, subsets, count)) >= 0) {
        const subset whole = subsets[next];
        split(b, &whole, even, &subsets[next], &subsets[count]);
        count++;
    }
    gz_node node;
    gz_node_clear(&node);
    for (int i = 0; i < count; i++) {
        int32_t child;
        if (!make_subtree(b, &subsets[i], depth + 1, &child)) return false;
        gz_node_add(&node, box_of(&subsets[i].run.box), child);
    }
    t->nodes[index] = node;
    t->node_boxes[index] = box_of(&r->box);
    *out = (int32_t)index;
    return true;
}

bool gz_box_tree_build(gz_box_tree *out, gz_tree_item *items, size_t count, size_t leaf_size) {
    *out = (gz_box_tree){0};
    gz_tree_item *second = count > leaf_size ? gz_malloc_aligned(count, sizeof *items) : NULL;
    build b = {
        .tree = out, .binning = gz_binning_make(items, second, leaf_size), .leaf_size = leaf_size};
    bool ok = (second || count <= leaf_size) && build_grid(&b.grid, &b.binning, count);
    if (ok) {
        subset all = {{.count = count, .weight = count}, b.grid.count ? 0 : -1};
        gz_run_measure(&b.binning, &all.run);
        ok = make_subtree(&b, &all, 0, &out->root);
    }
    free_grid(&b.grid);
    gz_free(second);
    if (!ok) gz_box_tree_free(out);
    return ok;
}

void gz_box_tree_name(gz_box_tree *tree, const gz_tree_item *items) {
    for (size_t i = 0; i < tree->node_count; i++) {
        gz_node *node = &tree->nodes[i];
        for (int k = 0; k < node->count; k++)
            if (node->child[k] < 0)
                node->child[k] = ~(int32_t)items[tree->leaves[~node->child[k]].first].index;
    }
}

void gz_box_tree_free(gz_box_tree *tree) {
    gz_free(tree->nodes);
    gz_free(tree->node_boxes);
    gz_free(tree->leaves);
    gz_free(tree->leaf_boxes);
    *tree = (gz_box_tree){0};
}

// Comparisons rather than fmin() and fmax(), which are calls: no vertex is NaN.
static void make_items(const graze_mesh *mesh, gz_tree_item *items) {
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const double *v[3];
        double low[3], high[3];
        for (size_t c = 0; c < 3; c++) v[c] = gz_mesh_corner(mesh, t, c);
        for (int k = 0; k < 3; k++) {
            double a = v[0][k], b = v[1][k], c = v[2][k];
            double least = a < b ? a : b, most = a > b ? a : b;
            low[k] = c < least ? c : least;
            high[k] = c > most ? c : most;
        }
        items[t] = gz_tree_item_make(low, high, (uint32_t)t);
    }
}

static void fill_packet(const graze_mesh *mesh, const gz_tree_item *items, size_t count,
                        gz_packet *packet) {
    packet->count = (int32_t)count;
    for (size_t lane = 0; lane < GZ_WIDTH; lane++) {
        uint32_t t = items[lane < count ? lane : 0].index;
        packet->triangle[lane] = t;
        for (size_t corner = 0; corner < 3; corner++) {
            const double *v = gz_mesh_corner(mesh, t, corner);
            for (int k = 0; k < 3; k++) packet->vertex[corner][k][lane] = (float)v[k];
        }
    }
}

/// A copy of an array in memory that is aligned and no larger than needed.
static void *pack(const void *array, size_t count, size_t size) {
    void *out = gz_malloc_aligned(count, size);
    gz_memory_populate(out, count, size);
    if (out && count) memcpy(out, array, count * size);
    return out;
}

static bool build_triangle_tree(graze_mesh *mesh) {
    size_t n = mesh->triangle_count;
    gz_tree_item *items = gz_malloc(n, sizeof *items);
    gz_box_tree tree = {0};
    bool ok = items != NULL;
    gz_memory_populate(items, n, sizeof *items);
    if (ok) make_items(mesh, items);
    ok = ok && gz_box_tree_build(&tree, items, n, GZ_WIDTH);
    if (ok) {
        mesh->packets = gz_malloc_aligned(tree.leaf_count, sizeof *mesh->packets);
        gz_memory_populate(mesh->packets, tree.leaf_count, sizeof *mesh->packets);
        mesh->packet_boxes = pack(tree.leaf_boxes, tree.leaf_count, sizeof *tree.leaf_boxes);
        mesh->nodes = pack(tree.nodes, tree.node_count, sizeof *tree.nodes);
        mesh->node_boxes = pack(tree.node_boxes, tree.node_count, sizeof *tree.node_boxes);
        ok = mesh->packets && mesh->packet_boxes && mesh->nodes && mesh->node_boxes;
    }
    for (size_t i = 0; ok && i < tree.leaf_count; i++)
        fill_packet(mesh, items + tree.leaves[i].first, tree.leaves[i].count, &mesh->packets[i]);
    mesh->packet_count = ok ? tree.leaf_count : 0;
    mesh->node_count = ok ? tree.node_count : 0;
    mesh->root = tree.root;
    gz_box_tree_free(&tree);
    gz_free(items);
    return ok;
}

static bool build_component_tree(graze_mesh *mesh) {
    size_t n = mesh->component_count;
    gz_tree_item *items = gz_malloc(n, sizeof *items);
    gz_box_tree tree = {0};
    bool ok = items != NULL;
    for (size_t i = 0; ok && i < n; i++) {
        const graze_aabb *box = &mesh->components[i].box;
        items[i] = gz_tree_item_make(GZ_ARRAY3(box->min), GZ_ARRAY3(box->max), (uint32_t)i);
    }
    ok = ok && gz_box_tree_build(&tree, items, n, 1);
    if (ok) {
        gz_box_tree_name(&tree, items);
        mesh->component_nodes = pack(tree.nodes, tree.node_count, sizeof *tree.nodes);
        ok = mesh->component_nodes != NULL;
        mesh->component_node_count = tree.node_count;
        mesh->component_root = tree.root;
    }
    gz_box_tree_free(&tree);
    gz_free(items);
    return ok;
}

bool gz_tree_build(graze_mesh *mesh) {
    return build_triangle_tree(mesh) && build_component_tree(mesh);
}
