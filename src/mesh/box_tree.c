#include "mesh/box_tree.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/float_quad.h"

#define BINS 16

/// Runs of more items than this are cut across their longest axis only: nearly always the best one,
/// and it saves most of the time.
#define MANY 512

/// Bounds of items, or of their doubled centres; the fourth lane says nothing.
typedef struct bounds {
    gz_f4 low, high;
} bounds;

/// A run of items with its bounds. Splitting moves the items from one of two arrays to the other,
/// into the same places.
typedef struct range {
    size_t first, count;
    int where; ///< which of build.arrays holds them
    bounds box;
} range;

typedef struct build {
    gz_box_tree *tree;
    gz_tree_item *arrays[2]; ///< the caller's, and a second one
    uint32_t leaf_size;
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
static float next_below(float x) {
    return -next_above(-x);
}

float gz_float_below(double x) {
    float f = (float)x;
    return (double)f > x ? next_below(f) : f;
}

float gz_float_above(double x) {
    float f = (float)x;
    return (double)f < x ? next_above(f) : f;
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

// -------------------------------------------------------------------------------------- measuring

static bounds bounds_empty(void) {
    return (bounds){gz_f4_set(INFINITY, INFINITY, INFINITY, INFINITY),
                    gz_f4_set(-INFINITY, -INFINITY, -INFINITY, -INFINITY)};
}

static void bounds_join(bounds *b, gz_f4 low, gz_f4 high) {
    b->low = gz_f4_min(low, b->low);
    b->high = gz_f4_max(high, b->high);
}

// Four lanes of an item: the three of a corner, and a number next to it that says nothing.
static gz_f4 item_low(const gz_tree_item *item) {
    return gz_f4_load((const float *)(const void *)item);
}
static gz_f4 item_high(const gz_tree_item *item) {
    return gz_f4_load((const float *)(const void *)((const char *)item + 16));
}

/// Twice the centre of an item's box. The last lane is 0: its bits may be a subnormal number, and
/// sums of these are slow.
static gz_f4 twice_center(gz_f4 low, gz_f4 high) {
    return gz_f4_add(gz_f4_three(low), gz_f4_three(high));
}

static const gz_tree_item *range_items(const build *b, const range *r) {
    return b->arrays[r->where] + r->first;
}

static void measure(const build *b, range *r) {
    const gz_tree_item *items = range_items(b, r);
    r->box = bounds_empty();
    for (size_t i = 0; i < r->count; i++)
        bounds_join(&r->box, item_low(&items[i]), item_high(&items[i]));
}

static bounds measure_centers(const build *b, const range *r) {
    const gz_tree_item *items = range_items(b, r);
    bounds c = bounds_empty();
    for (size_t i = 0; i < r->count; i++) {
        gz_f4 center = twice_center(item_low(&items[i]), item_high(&items[i]));
        bounds_join(&c, center, center);
    }
    return c;
}

static float half_area(const bounds *b) {
    float e[4];
    gz_f4_store(e, gz_f4_sub(b->high, b->low));
    return e[0] * e[1] + e[1] * e[2] + e[2] * e[0];
}

// --------------------------------------------------------------------------- splitting one range

typedef struct bin {
    bounds box;
    uint32_t count;
} bin;

/// A cut of a range in two: across an axis, behind the bin `last`; axis -1 for none.
typedef struct cut {
    int axis;
    uint32_t last;
    float cost;
    bin lower, upper; ///< what is on either side of it
} cut;

static void bin_clear(bin *b) {
    *b = (bin){bounds_empty(), 0};
}

static void bins_clear(bin bins[BINS]) {
    for (int i = 0; i < BINS; i++) bin_clear(&bins[i]);
}

static void bin_join(bin *b, const bin *other) {
    bounds_join(&b->box, other->box.low, other->box.high);
    b->count += other->count;
}

/// What it costs to look into a bin, by the surface-area heuristic (Wald 2007, "On fast
/// construction of SAH-based bounding volume hierarchies"): the area times the leaves that its
/// items fill.
static float bin_cost(const build *b, const bin *x) {
    uint32_t leaves = (x->count + b->leaf_size - 1) / b->leaf_size;
    return half_area(&x->box) * (float)leaves;
}

/// How items are sorted into bins: by (twice the centre - low) / width, for each axis.
typedef struct scale {
    gz_f4 low, width;
} scale;

/// In which bin the item with this box is along each axis, a byte for each. Along an axis without
/// extent all are in one.
static inline uint32_t bins_of(const scale *s, gz_f4 item_low, gz_f4 item_high) {
    const gz_f4 many = gz_f4_set(BINS, BINS, BINS, BINS),
                most = gz_f4_set(BINS - 1, BINS - 1, BINS - 1, BINS - 1);
    gz_f4 along = gz_f4_div(gz_f4_sub(twice_center(item_low, item_high), s->low), s->width);
    return gz_f4_bytes(gz_f4_min(gz_f4_mul(many, along), most));
}

static inline void bin_add(bin *b, gz_f4 low, gz_f4 high) {
    bounds_join(&b->box, low, high);
    b->count++;
}

/// Sorts the items of a range into bins along one axis, and notes in each item which it is.
/// Neighbours are mostly of one bin, and each would wait for what the last one stored there: they
/// take turns at COPIES bins.
static void fill_one(const build *b, const range *r, const scale *s, int axis, bin bins[BINS]) {
    enum { COPIES = 4 };
    gz_tree_item *items = b->arrays[r->where] + r->first;
    bin copies[COPIES][BINS];
    for (int k = 0; k < COPIES; k++) bins_clear(copies[k]);
    for (size_t i = 0; i < r->count; i++) {
        gz_f4 low = item_low(&items[i]), high = item_high(&items[i]);
        uint32_t at = bins_of(s, low, high);
        items[i].bins = at; // after the loads, which would wait for it
        bin_add(&copies[i % COPIES][at >> 8 * axis & 0xff], low, high);
    }
    for (int i = 0; i < BINS; i++) {
        bins[i] = copies[0][i];
        for (int k = 1; k < COPIES; k++) bin_join(&bins[i], &copies[k][i]);
    }
}

/// The same along all three.
static void fill_three(const build *b, const range *r, const scale *s, bin bins[3][BINS]) {
    gz_tree_item *items = b->arrays[r->where] + r->first;
    for (int k = 0; k < 3; k++) bins_clear(bins[k]);
    for (size_t i = 0; i < r->count; i++) {
        gz_f4 low = item_low(&items[i]), high = item_high(&items[i]);
        uint32_t at = bins_of(s, low, high);
        items[i].bins = at; // after the loads, which would wait for it
        bin_add(&bins[0][at & 0xff], low, high);
        bin_add(&bins[1][at >> 8 & 0xff], low, high);
        bin_add(&bins[2][at >> 16 & 0xff], low, high);
    }
}

/// The cheapest cut across one axis, where it is cheaper than *best.
static void improve_cut(const build *b, const bin bins[BINS], int axis, cut *best) {
    // Cuts behind an empty bin are those before it: only bins in use count.
    bin upper[BINS], lower;
    float upper_cost[BINS];
    int used[BINS], n = 0;
    for (int i = 0; i < BINS; i++)
        if (bins[i].count) used[n++] = i;
    for (int i = n - 1; i > 0; i--) {
        upper[i] = bins[used[i]];
        if (i < n - 1) bin_join(&upper[i], &upper[i + 1]);
        upper_cost[i] = bin_cost(b, &upper[i]);
    }
    bin_clear(&lower);
    for (int i = 0; i < n - 1; i++) {
        bin_join(&lower, &bins[used[i]]);
        float cost = bin_cost(b, &lower) + upper_cost[i + 1];
        if (cost < best->cost) *best = (cut){axis, (uint32_t)used[i], cost, lower, upper[i + 1]};
    }
}

/// The axis along which the centres spread most.
static int longest(const float width[4]) {
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (width[k] > width[axis]) axis = k;
    return axis;
}

static cut best_cut(const build *b, const range *r) {
    cut best = {.axis = -1, .cost = INFINITY};
    bounds centers = measure_centers(b, r);
    float width[4], divisor[4];
    gz_f4_store(width, gz_f4_sub(centers.high, centers.low));
    for (int k = 0; k < 4; k++) divisor[k] = k < 3 && width[k] > 0 ? width[k] : 1;
    const scale s = {gz_f4_three(centers.low), gz_f4_load(divisor)};
    bin bins[3][BINS];
    if (r->count > MANY) {
        int axis = longest(width);
        fill_one(b, r, &s, axis, bins[axis]);
        if (width[axis] > 0) improve_cut(b, bins[axis], axis, &best);
        return best;
    }
    fill_three(b, r, &s, bins);
    for (int k = 0; k < 3; k++)
        if (width[k] > 0) improve_cut(b, bins[k], k, &best);
    return best;
}

/// Moves the items to the other array, those of the lower bins first; else in their order.
static void partition(const build *b, const range *r, const cut *c) {
    const gz_tree_item *from = range_items(b, r);
    gz_tree_item *to = b->arrays[!r->where] + r->first;
    size_t lower = 0, upper = c->lower.count;
    for (size_t i = 0; i < r->count; i++) {
        bool above = (from[i].bins >> 8 * c->axis & 0xff) > c->last;
        // No branch: which way an item goes cannot be foreseen.
        to[above ? upper : lower] = from[i];
        upper += above;
        lower += !above;
    }
}

/// Splits a range in two: by the heuristic, or (`even`, or all centres equal) in halves by count.
static void split(const build *b, const range *r, bool even, range *lower, range *upper) {
    cut c = {.axis = -1};
    if (!even) c = best_cut(b, r);
    size_t below = c.axis < 0 ? r->count / 2 : c.lower.count;
    *lower = (range){.first = r->first, .count = below, .where = r->where};
    *upper = (range){.first = r->first + below, .count = r->count - below, .where = r->where};
    if (c.axis < 0) {
        measure(b, lower);
        measure(b, upper);
        return;
    }
    partition(b, r, &c);
    lower->where = upper->where = !r->where;
    lower->box = c.lower.box;
    upper->box = c.upper.box;
}

// ---------------------------------------------------------------------------------- making nodes

/// The part to split next: the one of largest area that does not fit a leaf, or -1.
static int widest(const build *b, const range *parts, int count) {
    int best = -1;
    float area = -1;
    for (int i = 0; i < count; i++) {
        float a = half_area(&parts[i].box);
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

static gz_box box_of(const bounds *b) {
    float low[4], high[4];
    gz_f4_store(low, b->low);
    gz_f4_store(high, b->high);
    return gz_box_make(low, high);
}

static bool make_leaf(build *b, const range *r, int32_t *out) {
    gz_box_tree *t = b->tree;
    size_t n = t->leaf_count + 1;
    if (!gz_array_reserve((void **)&t->leaves, &b->leaf_capacity, n, sizeof *t->leaves) ||
        !gz_array_reserve((void **)&t->leaf_boxes, &b->leaf_box_capacity, n, sizeof *t->leaf_boxes))
        return false;
    *out = ~(int32_t)t->leaf_count;
    t->leaves[t->leaf_count] = (gz_tree_leaf){(uint32_t)r->first, (uint32_t)r->count};
    t->leaf_boxes[t->leaf_count++] = box_of(&r->box);
    // The caller's items are given back as they were, in another order.
    gz_tree_item *items = b->arrays[0] + r->first;
    if (r->where) memcpy(items, range_items(b, r), r->count * sizeof *items);
    for (size_t i = 0; i < r->count; i++) items[i].bins = 0;
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
        gz_node_add(&node, box_of(&parts[i].box), child);
    }
    t->nodes[index] = node;
    t->node_boxes[index] = box_of(&r->box);
    *out = (int32_t)index;
    return true;
}

bool gz_box_tree_build(gz_box_tree *out, gz_tree_item *items, size_t count, size_t leaf_size) {
    *out = (gz_box_tree){0};
    build b = {.tree = out, .arrays = {items}, .leaf_size = (uint32_t)leaf_size};
    b.arrays[1] = count > leaf_size ? gz_malloc_aligned(count, sizeof *items) : NULL;
    range all = {.first = 0, .count = count};
    measure(&b, &all);
    bool ok = (b.arrays[1] || count <= leaf_size) && make_subtree(&b, &all, 0, &out->root);
    gz_free(b.arrays[1]);
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
