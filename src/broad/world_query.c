#include "broad/world_query.h"

#include "math/lanes.h"
#include "math/transform.h"
#include "mesh/box_tree.h"

static bool overlaps(const gz_entry *entry, const double low[3], const double high[3]) {
    const double *min = GZ_ARRAY3(entry->box.min), *max = GZ_ARRAY3(entry->box.max);
    for (int k = 0; k < 3; k++)
        if (min[k] > high[k] || max[k] < low[k]) return false;
    return true;
}

/// Lanes whose boxes the query may overlap. |d| and the sum of halves are off by at most 2^-24 of
/// their sizes each; the query box is rounded outward by the caller's arithmetic and grown by that.
static unsigned overlap_mask(const gz_node *node, const gz_box *box, const float pad[3]) {
    gz_f8 apart = gz_f8_all(0);
    for (int k = 0; k < 3; k++) {
        gz_f8 c = gz_f8_load(node->center[k]), half = gz_f8_load(node->half[k]);
        gz_f8 d = gz_f8_abs(gz_f8_sub(c, gz_f8_all(box->center[k])));
        gz_f8 slack = gz_f8_mul(gz_f8_add(gz_f8_abs(c), half), gz_f8_all(0x1p-21f));
        gz_f8 h = gz_f8_add(gz_f8_add(half, slack), gz_f8_all(box->half[k] + pad[k]));
        apart = gz_f8_or(apart, gz_f8_greater(d, h));
    }
    return ~gz_f8_mask(apart) & 0xff;
}

/// One tree and what it is over. Of a base's tree, what has moved in the version is passed over; of
/// a version's own tree entries have other numbers.
typedef struct entry_tree {
    const gz_node *nodes;
    const gz_entry *entries;
    int32_t root;
    const gz_world_delta *passed, *numbering; ///< NULL but in one of the trees of a version
} entry_tree;

typedef struct question {
    gz_box box;
    float pad[3];
    const double *low, *high;
} question;

/// Appends what the tree says to out[count...]; returns how many there are then.
static size_t query_tree(const entry_tree *tree, const question *q, int32_t *out, size_t count,
                         int32_t *stack, uint64_t *node_tests) {
    size_t top = 0;
    stack[top++] = tree->root;
    while (top) {
        int32_t reference = stack[--top];
        if (reference < 0) {
            const gz_entry *entry = &tree->entries[~reference];
            if (tree->passed && gz_world_has_moved(tree->passed, entry->object)) continue;
            if (!overlaps(entry, q->low, q->high)) continue;
            out[count++] = tree->numbering
                               ? gz_world_delta_number(tree->numbering, (size_t)~reference)
                               : ~reference;
            continue;
        }
        const gz_node *node = &tree->nodes[reference];
        ++*node_tests;
        for (unsigned mask = overlap_mask(node, &q->box, q->pad); mask; mask &= mask - 1)
            stack[top++] = node->child[__builtin_ctz(mask)];
    }
    return count;
}

size_t gz_world_query(const graze_world *world, const double low[3], const double high[3],
                      int32_t *out, int32_t *stack, uint64_t *node_tests) {
    question q = {.low = low, .high = high};
    for (int k = 0; k < 3; k++) {
        double center = 0.5 * low[k] + 0.5 * high[k], half = 0.5 * (high[k] - low[k]);
        double size = center < 0 ? half - center : half + center;
        q.box.center[k] = (float)center;
        q.box.half[k] = (float)half;
        q.pad[k] = (float)(0x1p-21 * size + 1e-30);
    }
    const gz_world_delta *delta = world->delta;
    const graze_world *base = delta ? delta->base : world;
    entry_tree tree = {base->nodes, base->entries, base->root, delta, NULL};
    size_t count = 0;
    if (base->entry_count) count = query_tree(&tree, &q, out, count, stack, node_tests);
    if (!delta || !delta->entry_count) return count;
    tree = (entry_tree){delta->nodes, delta->entries, delta->root, NULL, delta};
    return query_tree(&tree, &q, out, count, stack, node_tests);
}
