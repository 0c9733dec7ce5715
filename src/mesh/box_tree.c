#include "mesh/box_tree.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

#define BINS 16

/// Runs of more items than this are cut across their longest axis only: nearly always the best one,
/// and it saves most of the time.
#define MANY 512

/// A run of items with its bounds.
typedef struct range {
    size_t first, count;
    float low[3], high[3];               ///< of the boxes
    float center_low[3], center_high[3]; ///< of the doubled box centres
} range;

typedef struct build {
    gz_box_tree *tree;
    gz_tree_item *items;
    size_t leaf_size, node_capacity, node_box_capacity, leaf_capacity, leaf_box_capacity;
} build;

float gz_float_below(double x) {
    float f = (float)x;
    return (double)f > x ? nextafterf(f, -INFINITY) : f;
}

float gz_float_above(double x) {
    float f = (float)x;
    return (double)f < x ? nextafterf(f, INFINITY) : f;
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
        box.half[k] = nextafterf(gz_float_above(up > down ? up : down), INFINITY);
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

static float twice_center(const gz_tree_item *it, int axis) {
    return it->low[axis] + it->high[axis];
}

static void measure(const build *b, range *r) {
    for (int k = 0; k < 3; k++) {
        r->low[k] = r->center_low[k] = INFINITY;
        r->high[k] = r->center_high[k] = -INFINITY;
    }
    for (size_t i = r->first; i < r->first + r->count; i++) {
        const gz_tree_item *it = &b->items[i];
        for (int k = 0; k < 3; k++) {
            float c = twice_center(it, k);
            if (it->low[k] < r->low[k]) r->low[k] = it->low[k];
            if (it->high[k] > r->high[k]) r->high[k] = it->high[k];
            if (c < r->center_low[k]) r->center_low[k] = c;
            if (c > r->center_high[k]) r->center_high[k] = c;
        }
    }
}

static float half_area(const float low[3], const float high[3]) {
    float x = high[0] - low[0], y = high[1] - low[1], z = high[2] - low[2];
    return x * y + y * z + z * x;
}

// --------------------------------------------------------------------------- splitting one range

typedef struct bin {
    float low[3], high[3];
    size_t count;
} bin;

static void bin_clear(bin *b) {
    *b = (bin){.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
}

static void bin_join(bin *b, const float low[3], const float high[3], size_t count) {
    for (int k = 0; k < 3; k++) {
        if (low[k] < b->low[k]) b->low[k] = low[k];
        if (high[k] > b->high[k]) b->high[k] = high[k];
    }
    b->count += count;
}

/// What it costs to look into a bin, by the surface-area heuristic (Wald 2007, "On fast
/// construction of SAH-based bounding volume hierarchies"): the area times the leaves that its
/// items fill.
static float bin_cost(const build *b, const bin *x) {
    size_t leaves = (x->count + b->leaf_size - 1) / b->leaf_size;
    return x->count ? half_area(x->low, x->high) * (float)leaves : 0;
}

static int bin_of(const range *r, const gz_tree_item *it, int axis) {
    float width = r->center_high[axis] - r->center_low[axis];
    int i = (int)((float)BINS * ((twice_center(it, axis) - r->center_low[axis]) / width));
    return i < BINS ? i : BINS - 1;
}

/// The cheapest cut across one axis: *cut is the last bin of the lower side. INFINITY for none.
static float best_cut(const build *b, const range *r, int axis, int *cut) {
    bin bins[BINS], upper, lower;
    bin_clear(&upper);
    bin_clear(&lower);
    for (int i = 0; i < BINS; i++) bin_clear(&bins[i]);
    for (size_t i = r->first; i < r->first + r->count; i++) {
        const gz_tree_item *it = &b->items[i];
        bin_join(&bins[bin_of(r, it, axis)], it->low, it->high, 1);
    }
    float upper_cost[BINS], best = INFINITY;
    for (int i = BINS - 1; i > 0; i--) {
        bin_join(&upper, bins[i].low, bins[i].high, bins[i].count);
        upper_cost[i] = bin_cost(b, &upper);
    }
    for (int i = 0; i < BINS - 1; i++) {
        bin_join(&lower, bins[i].low, bins[i].high, bins[i].count);
        if (!lower.count || lower.count == r->count) continue;
        float cost = bin_cost(b, &lower) + upper_cost[i + 1];
        if (cost < best) best = cost, *cut = i;
    }
    return best;
}

/// Moves the items of the lower bins to the front; returns their number.
static size_t partition(build *b, const range *r, int axis, int cut) {
    size_t i = r->first, j = r->first + r->count;
    while (i < j) {
        if (bin_of(r, &b->items[i], axis) <= cut) {
            i++;
        } else {
            gz_tree_item swap = b->items[--j];
            b->items[j] = b->items[i];
            b->items[i] = swap;
        }
    }
    return i - r->first;
}

/// The axis along which the centres spread most.
static int longest(const range *r) {
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (r->center_high[k] - r->center_low[k] > r->center_high[axis] - r->center_low[axis])
            axis = k;
    return axis;
}

/// Splits a range in two: by the heuristic, or (`even`, or all centres equal) in halves by count.
static void split(build *b, const range *r, bool even, range *lower, range *upper) {
    int axis = -1, cut = 0, long_axis = longest(r);
    float best = INFINITY;
    for (int k = 0; k < 3 && !even; k++) {
        int at = 0;
        if (!(r->center_high[k] > r->center_low[k])) continue;
        if (r->count > MANY && k != long_axis) continue;
        float cost = best_cut(b, r, k, &at);
        if (cost < best) best = cost, axis = k, cut = at;
    }
    size_t below = axis < 0 ? r->count / 2 : partition(b, r, axis, cut);
    *lower = (range){.first = r->first, .count = below};
    *upper = (range){.first = r->first + below, .count = r->count - below};
    measure(b, lower);
    measure(b, upper);
}

// ---------------------------------------------------------------------------------- making nodes

/// The part to split next: the one of largest area that does not fit a leaf, or -1.
static int widest(const build *b, const range *parts, int count) {
    int best = -1;
    float area = -1;
    for (int i = 0; i < count; i++) {
        float a = half_area(parts[i].low, parts[i].high);
        if (parts[i].count > b->leaf_size && a > area) area = a, best = i;
    }
    return best;
}

/// Levels that a range needs at most when every split from here on halves it.
static int levels(size_t count) {
    int n = 0;
    for (; count > 1; count = (count + 1) / 2) n++;
    return n;
}

static bool make_leaf(build *b, const range *r, int32_t *out) {
    gz_box_tree *t = b->tree;
    size_t n = t->leaf_count + 1;
    if (!gz_array_reserve((void **)&t->leaves, &b->leaf_capacity, n, sizeof *t->leaves) ||
        !gz_array_reserve((void **)&t->leaf_boxes, &b->leaf_box_capacity, n, sizeof *t->leaf_boxes))
        return false;
    *out = ~(int32_t)t->leaf_count;
    t->leaves[t->leaf_count] = (gz_tree_leaf){(uint32_t)r->first, (uint32_t)r->count};
    t->leaf_boxes[t->leaf_count++] = gz_box_make(r->low, r->high);
    return true;
}

static bool make_subtree(build *b, const range *r, int depth, int32_t *out) {
    gz_box_tree *t = b->tree;
    if (r->count <= b->leaf_size) return make_leaf(b, r, out);
    size_t index = t->node_count, n = index + 1;
    if (!gz_array_reserve((void **)&t->nodes, &b->node_capacity, n, sizeof *t->nodes) ||
        !gz_array_reserve((void **)&t->node_boxes, &b->node_box_capacity, n, sizeof *t->node_boxes))
        return false;
    t->node_count++;
    // Once only halving keeps within GZ_TREE_DEPTH, halve: the first split of a node halves all of
    // it, so no child has more than half.
    bool even = depth + levels(r->count) >= GZ_TREE_DEPTH - 1;
    range parts[GZ_WIDTH];
    int count = 1, next;
    parts[0] = *r;
    while (count < GZ_WIDTH && (next = widest(b, parts, count)) >= 0) {
        const range whole = parts[next];
        split(b, &whole, even, &parts[next], &parts[count]);
        count++;
    }
    gz_node node;
    gz_node_clear(&node);
    for (int i = 0; i < count; i++) {
        int32_t child;
        if (!make_subtree(b, &parts[i], depth + 1, &child)) return false;
        gz_node_add(&node, gz_box_make(parts[i].low, parts[i].high), child);
    }
    t->nodes[index] = node;
    t->node_boxes[index] = gz_box_make(r->low, r->high);
    *out = (int32_t)index;
    return true;
}

bool gz_box_tree_build(gz_box_tree *out, gz_tree_item *items, size_t count, size_t leaf_size) {
    *out = (gz_box_tree){0};
    build b = {.tree = out, .items = items, .leaf_size = leaf_size};
    range all = {.first = 0, .count = count};
    measure(&b, &all);
    if (make_subtree(&b, &all, 0, &out->root)) return true;
    gz_box_tree_free(out);
    return false;
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
