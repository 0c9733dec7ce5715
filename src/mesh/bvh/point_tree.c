#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/float_quad.h"
#include "mesh/bvh/box_tree.h"
#include "mesh/bvh/point_tree.h"

/// Ranges of more points than this are parted by counting, smaller ones by comparing.
#define MANY 128
#define BINS 256

/// A point on its way into the tree, rounded to the nearest float.
typedef struct item {
    float at[3];
    uint32_t index;
} item;
_Static_assert(sizeof(item) == 4 * sizeof(float), "an item is loaded as four lanes");

typedef struct build {
    gz_point_tree *tree;
    item *items, *spare; ///< the spare ones have room for as many
    size_t count;
    size_t next[GZ_TREE_DEPTH]; ///< per level of nodes, the place of the next one
} build;

typedef struct bounds {
    float low[4], high[4]; ///< the fourth says nothing
} bounds;

static bounds measure(const item *items, size_t count) {
    gz_f4 low = gz_f4_load(items[0].at), high = low, other_low = low, other_high = low;
    // By twos: each step of one chain would wait for the step before it.
    for (size_t i = 0; i + 1 < count; i += 2) {
        gz_f4 at = gz_f4_load(items[i].at), next = gz_f4_load(items[i + 1].at);
        low = gz_f4_min(low, at);
        high = gz_f4_max(high, at);
        other_low = gz_f4_min(other_low, next);
        other_high = gz_f4_max(other_high, next);
    }
    gz_f4 last = gz_f4_load(items[count - 1].at);
    bounds out;
    gz_f4_store(out.low, gz_f4_min(last, gz_f4_min(low, other_low)));
    gz_f4_store(out.high, gz_f4_max(last, gz_f4_max(high, other_high)));
    return out;
}

static void bounds_join(bounds *sum, const bounds *more) {
    for (int k = 0; k < 3; k++) {
        sum->low[k] = more->low[k] < sum->low[k] ? more->low[k] : sum->low[k];
        sum->high[k] = more->high[k] > sum->high[k] ? more->high[k] : sum->high[k];
    }
}

/// The box around points that were rounded: each is less than a step of float from where it is.
static gz_box box_of(const bounds *b) {
    float low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = nextafterf(b->low[k], -INFINITY);
        high[k] = nextafterf(b->high[k], INFINITY);
    }
    return gz_box_make(low, high);
}

// ------------------------------------------------------------------------------- parting a range

static void swap_items(item *a, item *b) {
    item t = *a;
    *a = *b;
    *b = t;
}

/// Moves items so that none before `rank` is above, along the axis, one that is not (Hoare 1961,
/// "Algorithm 65: find"). Few items only: the time may grow with their square.
static void select_few(item *items, size_t count, size_t rank, int axis) {
    ptrdiff_t low = 0, high = (ptrdiff_t)count - 1, wanted = (ptrdiff_t)rank;
    while (low < high) {
        float pivot = items[low + (high - low) / 2].at[axis];
        ptrdiff_t i = low, j = high;
        while (i <= j) {
            while (items[i].at[axis] < pivot) i++;
            while (pivot < items[j].at[axis]) j--;
            if (i <= j) swap_items(&items[i++], &items[j--]);
        }
        if (wanted <= j)
            high = j;
        else if (wanted >= i)
            low = i;
        else
            return;
    }
}

/// Counts of the items in each of the bins that [low, high] is cut into. Which bin: the product
/// never falls when the coordinate rises, so bins are in order.
typedef struct scale {
    float low, factor;
    int axis;
} scale;

static inline uint32_t bin_of(const scale *s, const item *x) {
    float along = (x->at[s->axis] - s->low) * s->factor;
    int bin = (int)along;
    return (uint32_t)(bin < BINS ? bin : BINS - 1);
}

/// The bin that holds the item of this rank; *before and *inside count the items below it and in
/// it.
static uint32_t bin_of_rank(const scale *s, const item *items, size_t count, size_t rank,
                            size_t *before, size_t *inside) {
    // Neighbours are mostly of one bin: they take turns, not to wait for each other's stores.
    uint32_t counts[4][BINS] = {{0}};
    for (size_t i = 0; i < count; i++) counts[i & 3][bin_of(s, &items[i])]++;
    *before = 0;
    for (uint32_t bin = 0;; bin++) {
        *inside = (size_t)counts[0][bin] + counts[1][bin] + counts[2][bin] + counts[3][bin];
        if (bin == BINS - 1 || *before + *inside > rank) return bin;
        *before += *inside;
    }
}

/// As select_few(), for any number: counts along the axis, moves the items below, in and above the
/// bin of the rank to their places, and goes on in that bin. [low, high] are the exact bounds, so
/// the first and the last bin hold something and every round leaves fewer. Cost: linear, as the
/// bins in question shrink by 256 with every round, and floats span no more than 2^276.
static void select_item(const build *b, item *items, size_t count, size_t rank, int axis, float low,
                        float high) {
    while (count > MANY && low < high && rank > 0) {
        const scale s = {low, (float)BINS / (high - low), axis};
        if (!isfinite(s.factor)) break;
        size_t before, inside;
        uint32_t bin = bin_of_rank(&s, items, count, rank, &before, &inside);
        size_t lower = 0, middle = before, upper = before + inside;
        for (size_t i = 0; i < count; i++) {
            uint32_t own = bin_of(&s, &items[i]);
            // No branch: which way an item goes cannot be foreseen.
            size_t below = own<bin, above = own> bin;
            size_t to = below ? lower : above ? upper : middle;
            lower += below;
            upper += above;
            middle += 1 - below - above;
            b->spare[to] = items[i];
        }
        memcpy(items, b->spare, count * sizeof *items);
        items += before;
        rank -= before;
        count = inside;
        if (count == 0) return;
        low = high = items[0].at[axis];
        for (size_t i = 1; i < count; i++) {
            float x = items[i].at[axis];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
    }
    // Of what is equal any will do, and ranges too narrow for a factor are as good as that: their
    // boxes are no larger than the smallest floats.
    if (rank > 0 && count <= MANY && low < high) select_few(items, count, rank, axis);
}

/// Cuts a range of leaves into runs of `size` leaves each, the last perhaps of fewer.
static void cut_range(const build *b, size_t first, size_t leaves, size_t size) {
    if (leaves <= size) return;
    size_t runs = (leaves + size - 1) / size, below = (runs + 1) / 2 * size;
    size_t start = first * GZ_POINT_LEAF, end = (first + leaves) * GZ_POINT_LEAF;
    if (end > b->count) end = b->count;
    bounds box = measure(b->items + start, end - start);
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (box.high[k] - box.low[k] > box.high[axis] - box.low[axis]) axis = k;
    select_item(b, b->items + start, end - start, below * GZ_POINT_LEAF, axis, box.low[axis],
                box.high[axis]);
    cut_range(b, first, below, size);
    cut_range(b, first + below, leaves - below, size);
}

// ---------------------------------------------------------------------------------- making nodes

static uint8_t encode(float x, float center, float half) {
    double along = ((double)x - ((double)center - (double)half)) * (127.5 / (double)half) + 0.5;
    return (uint8_t)(along > 0 ? along < 255 ? along : 255 : 0);
}

static bounds make_leaf(const build *b, size_t leaf) {
    size_t start = leaf * GZ_POINT_LEAF, left = b->count - start;
    size_t count = left < GZ_POINT_LEAF ? left : GZ_POINT_LEAF;
    item *items = b->items + start;
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && items[j].index < items[j - 1].index; j--)
            swap_items(&items[j], &items[j - 1]);
    bounds out = measure(items, count);
    gz_box box = box_of(&out);
    gz_point_leaf *l = &b->tree->leaves[leaf];
    for (size_t i = 0; i < GZ_POINT_LEAF; i++) {
        const item *x = &items[i < count ? i : count - 1];
        l->point[i] = x->index;
        for (int k = 0; k < 3; k++) l->at[k][i] = encode(x->at[k], box.center[k], box.half[k]);
    }
    return out;
}

/// How many leaves each child of a node over so many has, but the last, which may have fewer.
static size_t leaves_of_child(size_t leaves) {
    size_t size = 1;
    while (GZ_WIDTH * size < leaves) size *= GZ_WIDTH;
    return size;
}

/// Adds the nodes over so many leaves to the numbers per level, from `depth` on. All children but
/// the last are full trees, so one way down to the last is enough.
static void count_levels(size_t levels[GZ_TREE_DEPTH], size_t leaves, int depth) {
    for (; leaves > 1; depth++) {
        const size_t child = leaves_of_child(leaves);
        size_t size = child, nodes = leaves / child;
        levels[depth]++;
        for (int below = depth + 1; size > 1; below++, nodes *= GZ_WIDTH, size /= GZ_WIDTH)
            levels[below] += nodes;
        leaves %= child;
    }
}

/// Makes what is above a range of leaves; its depth is the logarithm of their number to base 8.
/// Nodes of a level lie side by side: traversals of large trees seldom reach the lower levels, and
/// all that they share is found in few pages.
static bounds make_subtree(build *b, size_t first, size_t leaves, int depth, int32_t *out) {
    gz_point_tree *t = b->tree;
    if (leaves == 1) {
        *out = ~(int32_t)first;
        return make_leaf(b, first);
    }
    size_t index = b->next[depth]++, size = leaves_of_child(leaves);
    cut_range(b, first, leaves, size);
    gz_node node;
    gz_node_clear(&node);
    bounds all = {0};
    uint32_t lowest = UINT32_MAX;
    for (size_t at = 0; at < leaves; at += size) {
        int32_t child;
        size_t below = leaves - at < size ? leaves - at : size;
        bounds own = make_subtree(b, first + at, below, depth + 1, &child);
        gz_node_add(&node, box_of(&own), child);
        uint32_t low = gz_point_tree_lowest(t, child);
        lowest = low < lowest ? low : lowest;
        if (at == 0)
            all = own;
        else
            bounds_join(&all, &own);
    }
    t->nodes[index] = node;
    t->lowest[index] = lowest;
    *out = (int32_t)index;
    return all;
}

static bool allocate(build *b, size_t count) {
    gz_point_tree *t = b->tree;
    size_t levels[GZ_TREE_DEPTH] = {0};
    t->leaf_count = (count + GZ_POINT_LEAF - 1) / GZ_POINT_LEAF;
    count_levels(levels, t->leaf_count, 0);
    for (int depth = 0; depth < GZ_TREE_DEPTH; depth++) {
        b->next[depth] = t->node_count;
        t->node_count += levels[depth];
    }
    t->leaves = gz_malloc_aligned(t->leaf_count, sizeof *t->leaves);
    t->nodes = gz_malloc_aligned(t->node_count, sizeof *t->nodes);
    t->lowest = gz_malloc_aligned(t->node_count, sizeof *t->lowest);
    b->items = gz_malloc_aligned(count, sizeof *b->items);
    b->spare = count > MANY ? gz_malloc_aligned(count, sizeof *b->spare) : NULL;
    return t->leaves && t->nodes && t->lowest && b->items && (b->spare || count <= MANY);
}

gz_point_tree *gz_point_tree_build(const double *points, size_t count) {
    gz_point_tree *t = gz_calloc(1, sizeof *t);
    if (!t) return NULL;
    build b = {.tree = t, .count = count};
    bool ok = allocate(&b, count);
    if (ok) {
        for (size_t i = 0; i < count; i++) {
            b.items[i].index = (uint32_t)i;
            for (size_t k = 0; k < 3; k++) {
                double x = points[3 * i + k];
                t->max_abs = fabs(x) > t->max_abs ? fabs(x) : t->max_abs;
                b.items[i].at[k] = (float)x;
            }
        }
        bounds all = make_subtree(&b, 0, t->leaf_count, 0, &t->root);
        t->box = box_of(&all);
    }
    gz_free(b.items);
    gz_free(b.spare);
    if (ok) return t;
    gz_point_tree_free(t);
    return NULL;
}

void gz_point_tree_free(gz_point_tree *tree) {
    if (!tree) return;
    gz_free(tree->nodes);
    gz_free(tree->lowest);
    gz_free(tree->leaves);
    gz_free(tree);
}
