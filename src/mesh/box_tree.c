#include "mesh/bvh/box_tree.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/item_grid.h"

/// A run of items on its way into a subtree.
typedef struct part {
    gz_item_run run;
    int32_t cut; ///< of the grid, that says where it is cut; -1: nothing does
} part;

typedef struct build {
    gz_box_tree *tree;
    gz_binning binning;
    gz_item_grid grid;
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

/// A side of a part, cut where the grid says.
static part grid_side(const build *b, const gz_item_run *run, size_t first, int32_t cut) {
    const gz_grid_cut *c = &b->grid.cuts[cut];
    return (part){{first, c->count, c->count, run->where, c->box}, cut};
}

/// Splits a part in two: where the grid says, by the heuristic, or (`even`, or all centres equal)
/// in halves by count.
static void split(const build *b, const part *whole, bool even, part *lower, part *upper) {
    const gz_item_run *run = &whole->run;
    const gz_grid_cut *c = whole->cut < 0 ? NULL : &b->grid.cuts[whole->cut];
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

/// The part to split next: the one of largest area that does not fit a leaf, or -1.
static int widest(const build *b, const part *parts, int count) {
    int best = -1;
    float area = -1;
    for (int i = 0; i < count; i++) {
        float a = gz_bounds_area(&parts[i].run.box);
        if (parts[i].run.count > b->leaf_size && a > area) area = a, best = i;
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

static bool make_subtree(build *b, const part *all, int depth, int32_t *out) {
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
    part parts[GZ_WIDTH];
    int count = 1, next;
    parts[0] = *all;
    while (count < GZ_WIDTH && (next = widest(b, parts, count)) >= 0) {
        const part whole = parts[next];
        split(b, &whole, even, &parts[next], &parts[count]);
        count++;
    }
    gz_node node;
    gz_node_clear(&node);
    for (int i = 0; i < count; i++) {
        int32_t child;
        if (!make_subtree(b, &parts[i], depth + 1, &child)) return false;
        gz_node_add(&node, box_of(&parts[i].run.box), child);
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
    bool ok = (second || count <= leaf_size) && gz_item_grid_build(&b.grid, &b.binning, count);
    if (ok) {
        part all = {{.count = count, .weight = count}, b.grid.count ? 0 : -1};
        gz_run_measure(&b.binning, &all.run);
        ok = make_subtree(&b, &all, 0, &out->root);
    }
    gz_item_grid_free(&b.grid);
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
