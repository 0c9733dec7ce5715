#include <math.h>

#include "base/memory.h"
#include "mesh/tree.h"
#include "world/world.h"

#define BINS 16

/// Ranges of more items than this are cut across their longest axis, which is nearly always the
/// best one and saves most of the time for clouds of points; smaller ones look at all three.
#define MANY 1024

/// An entry on its way into the tree: its box in float, rounded outward.
typedef struct item {
    float low[3], high[3];
    int32_t entry;
} item;

/// A run of items with its bounds.
typedef struct range {
    size_t first, count;
    float low[3], high[3];               ///< of the boxes
    float center_low[3], center_high[3]; ///< of the doubled box centres
} range;

typedef struct bin {
    float low[3], high[3];
    size_t count;
} bin;

typedef struct build {
    item *items;
    gz_node *nodes;
    size_t node_count, node_capacity;
} build;

static float twice_center(const item *it, int axis) {
    return it->low[axis] + it->high[axis];
}

static void measure(const build *b, range *r) {
    for (int k = 0; k < 3; k++) {
        r->low[k] = r->center_low[k] = INFINITY;
        r->high[k] = r->center_high[k] = -INFINITY;
    }
    for (size_t i = r->first; i < r->first + r->count; i++) {
        const item *it = &b->items[i];
        for (int k = 0; k < 3; k++) {
            float center = twice_center(it, k);
            if (it->low[k] < r->low[k]) r->low[k] = it->low[k];
            if (it->high[k] > r->high[k]) r->high[k] = it->high[k];
            if (center < r->center_low[k]) r->center_low[k] = center;
            if (center > r->center_high[k]) r->center_high[k] = center;
        }
    }
}

static float half_area(const float low[3], const float high[3]) {
    float x = high[0] - low[0], y = high[1] - low[1], z = high[2] - low[2];
    return x * y + y * z + z * x;
}

// --------------------------------------------------------------------------- splitting one range

static int bin_of(const range *r, const item *it, int axis) {
    float width = r->center_high[axis] - r->center_low[axis];
    int i = (int)((float)BINS * ((twice_center(it, axis) - r->center_low[axis]) / width));
    return i < BINS ? i : BINS - 1;
}

static void bin_join(bin *to, const bin *from) {
    for (int k = 0; k < 3; k++) {
        if (from->low[k] < to->low[k]) to->low[k] = from->low[k];
        if (from->high[k] > to->high[k]) to->high[k] = from->high[k];
    }
    to->count += from->count;
}

/// What it costs to look into a bin's entries, by the surface-area heuristic (Wald 2007, "On fast
/// construction of SAH-based bounding volume hierarchies").
static float bin_cost(const bin *b) {
    return b->count ? half_area(b->low, b->high) * (float)b->count : 0;
}

/// The cheapest cut across one axis: *cut is the last bin of the lower side. INFINITY for none.
static float best_cut(const build *b, const range *r, int axis, int *cut) {
    static const bin empty = {.low = {INFINITY, INFINITY, INFINITY},
                              .high = {-INFINITY, -INFINITY, -INFINITY}};
    bin bins[BINS], upper = empty, lower = empty;
    for (int i = 0; i < BINS; i++) bins[i] = empty;
    for (size_t i = r->first; i < r->first + r->count; i++) {
        const item *it = &b->items[i];
        const bin one = {.low = {it->low[0], it->low[1], it->low[2]},
                         .high = {it->high[0], it->high[1], it->high[2]},
                         .count = 1};
        bin_join(&bins[bin_of(r, it, axis)], &one);
    }
    float upper_cost[BINS], best = INFINITY;
    for (int i = BINS - 1; i > 0; i--) {
        bin_join(&upper, &bins[i]);
        upper_cost[i] = bin_cost(&upper);
    }
    for (int i = 0; i < BINS - 1; i++) {
        bin_join(&lower, &bins[i]);
        if (!lower.count || lower.count == r->count) continue;
        float cost = bin_cost(&lower) + upper_cost[i + 1];
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
            item swap = b->items[--j];
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

/// The part to split next: the one of largest area that does not fit a node of its own, or -1.
static int widest(const range *parts, int count) {
    int best = -1;
    float area = -1;
    for (int i = 0; i < count; i++) {
        float a = half_area(parts[i].low, parts[i].high);
        if (parts[i].count > GZ_WIDTH && a > area) area = a, best = i;
    }
    return best;
}

/// Replaces small parts by their single entries while lanes are free, smallest parts first: an
/// entry in a lane here saves the visit of a node there.
static int unfold(const build *b, range *parts, int count) {
    for (;;) {
        int least = -1;
        for (int i = 0; i < count; i++)
            if (parts[i].count > 1 && (least < 0 || parts[i].count < parts[least].count)) least = i;
        if (least < 0 || (size_t)count - 1 + parts[least].count > GZ_WIDTH) return count;
        const range whole = parts[least];
        for (size_t i = 0; i < whole.count; i++) {
            range *single = i ? &parts[count++] : &parts[least];
            *single = (range){.first = whole.first + i, .count = 1};
            measure(b, single);
        }
    }
}

/// Levels that a range needs at most when every split from here on halves it.
static int levels(size_t count) {
    int n = 0;
    for (; count > 1; count = (count + 1) / 2) n++;
    return n;
}

static bool new_node(build *b, size_t *index) {
    if (!gz_array_reserve((void **)&b->nodes, &b->node_capacity, b->node_count + 1,
                          sizeof *b->nodes))
        return false;
    *index = b->node_count++;
    return true;
}

/// Makes the node over a range of at least two items. Parents come before their children.
static bool make_node(build *b, const range *r, int depth, int32_t *out) {
    size_t index;
    if (!new_node(b, &index)) return false;
    // Once only halving keeps within GZ_TREE_DEPTH, halve: the first split of a node halves all of
    // it, so no child has more than half.
    bool even = depth + levels(r->count) >= GZ_TREE_DEPTH - 1;
    range parts[GZ_WIDTH];
    int count = 1, next;
    parts[0] = *r;
    while (count < GZ_WIDTH && (next = widest(parts, count)) >= 0) {
        const range whole = parts[next];
        split(b, &whole, even, &parts[next], &parts[count]);
        count++;
    }
    count = unfold(b, parts, count);
    gz_node node;
    gz_node_clear(&node);
    for (int i = 0; i < count; i++) {
        int32_t child = ~b->items[parts[i].first].entry;
        if (parts[i].count > 1 && !make_node(b, &parts[i], depth + 1, &child)) return false;
        gz_node_add(&node, gz_box_make(parts[i].low, parts[i].high), child);
    }
    b->nodes[index] = node;
    *out = (int32_t)index;
    return true;
}

static bool make_items(build *b, const graze_world *world) {
    b->items = gz_malloc(world->entry_count, sizeof *b->items);
    if (!b->items) return false;
    for (size_t i = 0; i < world->entry_count; i++) {
        const graze_aabb *box = &world->entries[i].box;
        item *it = &b->items[i];
        const double low[3] = {box->min.x, box->min.y, box->min.z};
        const double high[3] = {box->max.x, box->max.y, box->max.z};
        it->entry = (int32_t)i;
        for (int k = 0; k < 3; k++) {
            it->low[k] = gz_float_below(low[k]);
            it->high[k] = gz_float_above(high[k]);
        }
    }
    return true;
}

graze_status gz_world_tree_build(graze_world *world, graze_error *error) {
    world->root = ~0;
    if (world->entry_count < 2) return GRAZE_OK;
    build b = {0};
    bool ok = make_items(&b, world);
    if (ok) {
        range all = {.first = 0, .count = world->entry_count};
        measure(&b, &all);
        ok = make_node(&b, &all, 0, &world->root);
    }
    gz_free(b.items);
    if (!ok) {
        gz_free(b.nodes);
        return gz_fail_memory(error);
    }
    world->nodes = b.nodes;
    world->node_count = b.node_count;
    return GRAZE_OK;
}
