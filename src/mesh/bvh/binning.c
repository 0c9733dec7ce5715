#include "mesh/bvh/binning.h"

#define BINS 16

/// Runs of no more items than FEW have fewer bins.
#define FEW      64
#define FEW_BINS 8

/// Runs of more items than this are cut across their longest axis only, as Wald proposes: at the
/// top of a tree the heuristic, which takes what is below for unordered, chooses no better among
/// the three (with them 20 % more packets of clutter were tested), and it saves most of the time.
/// Cells, which are few, can afford all three sooner.
#define MANY       512
#define MANY_CELLS 1024

/// Centres that differ by less are taken for one: the bins' width would have no reciprocal.
#define WIDTH_LEAST 1e-30f

typedef struct bin {
    gz_bounds box;
    uint32_t count;
} bin;

/// A cut across an axis, behind the bin `last`; axis -1 for none.
typedef struct cut {
    int axis;
    uint32_t last;
    float cost;
} cut;

/// How items are sorted into bins: by (twice the centre - low) * factor, for each axis.
typedef struct scale {
    gz_f4 low, factor, most;
    int bins;
    bool usable[3]; ///< centres differ along the axis
} scale;

gz_binning gz_binning_make(gz_tree_item *items, gz_tree_item *second, size_t leaf_size) {
    return (gz_binning){.arrays = {items, second},
                        .leaf_size = (uint32_t)leaf_size,
                        .per_leaf = (((uint64_t)1 << 32) + leaf_size - 1) / leaf_size};
}

void gz_run_measure(const gz_binning *b, gz_item_run *run) {
    const gz_tree_item *items = gz_run_items(b, run);
    run->box = gz_bounds_empty();
    for (size_t i = 0; i < run->count; i++)
        gz_bounds_join(&run->box, gz_item_low(&items[i]), gz_item_high(&items[i]));
}

gz_bounds gz_run_centers(const gz_binning *b, const gz_item_run *run) {
    const gz_tree_item *items = gz_run_items(b, run);
    gz_bounds c = gz_bounds_empty();
    for (size_t i = 0; i < run->count; i++) {
        gz_f4 center = gz_twice_center(gz_item_low(&items[i]), gz_item_high(&items[i]));
        gz_bounds_join(&c, center, center);
    }
    return c;
}

// ----------------------------------------------------------------------------------- filling bins

static void clear_bins(bin bins[BINS], int n) {
    for (int i = 0; i < n; i++) bins[i] = (bin){gz_bounds_empty(), 0};
}

static void join_bin(bin *b, const bin *other) {
    gz_bounds_join(&b->box, other->box.low, other->box.high);
    b->count += other->count;
}

/// Bins for a run of so many items, whose doubled centres have these bounds. (The lanes are set one
/// by one: gcc 12 turns a cleared array that is filled in part into MMX code, which leaves the x87
/// unit unusable.)
static scale make_scale(size_t count, const gz_bounds *centers) {
    float width[4], factor[3];
    scale s = {.low = gz_f4_three(centers->low), .bins = count > FEW ? BINS : FEW_BINS};
    gz_f4_store(width, gz_f4_sub(centers->high, centers->low));
    for (int k = 0; k < 3; k++) {
        s.usable[k] = width[k] > WIDTH_LEAST;
        factor[k] = s.usable[k] ? (float)s.bins / width[k] : 0;
    }
    float most = (float)s.bins - 1;
    s.factor = gz_f4_set(factor[0], factor[1], factor[2], 0);
    s.most = gz_f4_set(most, most, most, most);
    return s;
}

/// In which bin the item with this box is along each axis, a byte for each. Along an axis without
/// extent all are in one.
static inline uint32_t bins_of(const scale *s, gz_f4 low, gz_f4 high) {
    gz_f4 along = gz_f4_mul(gz_f4_sub(gz_twice_center(low, high), s->low), s->factor);
    return gz_f4_bytes(gz_f4_min(along, s->most));
}

static inline void add_item(bin *b, gz_f4 low, gz_f4 high, uint32_t weight) {
    gz_bounds_join(&b->box, low, high);
    b->count += weight;
}

static inline uint32_t weight_of(const gz_binning *b, const gz_tree_item *item) {
    return b->weights ? b->weights[item->index] : 1;
}

/// Sorts the items of a run into bins along one axis, and notes in each item which it is.
/// Neighbours are mostly of one bin, and each would wait for what the last one stored there: they
/// take turns at COPIES bins.
static void fill_one(const gz_binning *b, const gz_item_run *run, const scale *s, int axis,
                     bin bins[BINS]) {
    enum { COPIES = 4 };
    gz_tree_item *items = gz_run_items(b, run);
    bin copies[COPIES][BINS];
    for (int k = 0; k < COPIES; k++) clear_bins(copies[k], s->bins);
    for (size_t i = 0; i < run->count; i++) {
        gz_f4 low = gz_item_low(&items[i]), high = gz_item_high(&items[i]);
        uint32_t at = bins_of(s, low, high);
        items[i].bins = at; // after the loads, which would wait for it
        add_item(&copies[i % COPIES][at >> 8 * axis & 0xff], low, high, weight_of(b, &items[i]));
    }
    for (int i = 0; i < s->bins; i++) {
        bins[i] = copies[0][i];
        for (int k = 1; k < COPIES; k++) join_bin(&bins[i], &copies[k][i]);
    }
}

/// The same along all three.
static void fill_three(const gz_binning *b, const gz_item_run *run, const scale *s,
                       bin bins[3][BINS]) {
    gz_tree_item *items = gz_run_items(b, run);
    for (int k = 0; k < 3; k++) clear_bins(bins[k], s->bins);
    for (size_t i = 0; i < run->count; i++) {
        gz_f4 low = gz_item_low(&items[i]), high = gz_item_high(&items[i]);
        uint32_t at = bins_of(s, low, high), weight = weight_of(b, &items[i]);
        items[i].bins = at; // after the loads, which would wait for it
        add_item(&bins[0][at & 0xff], low, high, weight);
        add_item(&bins[1][at >> 8 & 0xff], low, high, weight);
        add_item(&bins[2][at >> 16 & 0xff], low, high, weight);
    }
}

// ------------------------------------------------------------------------------------ cutting

/// What it costs to look into a bin, by the surface-area heuristic (Wald 2007, "On fast
/// construction of SAH-based bounding volume hierarchies"): the area times the leaves that its
/// items fill. These are x / leaf_size for an x below 2^29 + leaf_size, taken as x per_leaf / 2^32:
/// that is too large by less than x leaf_size / (2^32 leaf_size), which is less than the 1 /
/// leaf_size that would make it the next whole number.
static float bin_cost(const gz_binning *b, const bin *x) {
    uint32_t leaves = (uint32_t)((x->count + b->leaf_size - 1) * b->per_leaf >> 32);
    return gz_bounds_area(&x->box) * (float)leaves;
}

/// The cheapest cut across one axis, where it is cheaper than *best. The first bin and the last one
/// hold an item each at least, so that no side is empty.
static void improve_cut(const gz_binning *b, const bin bins[BINS], int n, int axis, cut *best) {
    bin side = bins[n - 1];
    float upper[BINS];
    for (int i = n - 1; i > 0; i--) {
        if (i < n - 1) join_bin(&side, &bins[i]);
        upper[i] = bin_cost(b, &side);
    }
    side = bins[0];
    for (int i = 0; i < n - 1; i++) {
        if (i > 0) join_bin(&side, &bins[i]);
        float cost = bin_cost(b, &side) + upper[i + 1];
        if (cost < best->cost) *best = (cut){axis, (uint32_t)i, cost};
    }
}

/// The axis along which the centres spread most.
static int longest(const gz_bounds *centers) {
    float width[4];
    gz_f4_store(width, gz_f4_sub(centers->high, centers->low));
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (width[k] > width[axis]) axis = k;
    return axis;
}

/// Moves the items to the other array, those of the lower bins first; else in their order. Returns
/// how many these are.
static size_t partition(const gz_binning *b, const gz_item_run *run, const cut *c, size_t below) {
    const gz_tree_item *from = gz_run_items(b, run);
    gz_tree_item *to = b->arrays[!run->where] + run->first;
    size_t lower = 0, upper = below;
    for (size_t i = 0; i < run->count; i++) {
        bool above = (from[i].bins >> 8 * c->axis & 0xff) > c->last;
        // No branch: which way an item goes cannot be foreseen.
        to[above ? upper : lower] = from[i];
        upper += above;
        lower += !above;
    }
    return lower;
}

/// Items, not their weights, below a cut.
static size_t count_below(const gz_binning *b, const gz_item_run *run, const cut *c) {
    const gz_tree_item *items = gz_run_items(b, run);
    size_t below = 0;
    for (size_t i = 0; i < run->count; i++)
        below += (items[i].bins >> 8 * c->axis & 0xff) <= c->last;
    return below;
}

bool gz_run_cut(const gz_binning *b, const gz_item_run *run, gz_item_run *lower,
                gz_item_run *upper) {
    cut best = {.axis = -1, .cost = INFINITY};
    const gz_bounds centers = gz_run_centers(b, run);
    const scale s = make_scale(run->count, &centers);
    bin bins[3][BINS];
    if (run->weight > (b->weights ? MANY_CELLS : MANY)) {
        int axis = longest(&centers);
        if (!s.usable[axis]) return false;
        fill_one(b, run, &s, axis, bins[axis]);
        improve_cut(b, bins[axis], s.bins, axis, &best);
    } else {
        fill_three(b, run, &s, bins);
        for (int k = 0; k < 3; k++)
            if (s.usable[k]) improve_cut(b, bins[k], s.bins, k, &best);
    }
    if (best.axis < 0) return false;
    // What is on either side.
    const bin *along = bins[best.axis];
    bin below = along[0], above = along[s.bins - 1];
    for (uint32_t i = 1; i <= best.last; i++) join_bin(&below, &along[i]);
    for (uint32_t i = best.last + 1; i + 1 < (uint32_t)s.bins; i++) join_bin(&above, &along[i]);
    size_t n = b->weights ? count_below(b, run, &best) : below.count;
    partition(b, run, &best, n);
    *lower = (gz_item_run){run->first, n, below.count, !run->where, below.box};
    *upper = (gz_item_run){run->first + n, run->count - n, above.count, !run->where, above.box};
    return true;
}
