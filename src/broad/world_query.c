#include "broad/world_query.h"

#include "mesh/bvh/box_tree.h"

/// One tree and what it is over. Of a base's tree, what has moved in the version is passed over; of
/// a version's own tree entries have other numbers.
typedef struct entry_tree {
    const gz_node *nodes;
    const gz_entry *entries;
    int32_t root;
    const gz_world_delta *passed, *numbering; ///< NULL but in one of the trees of a version
} entry_tree;

/// Appends what the tree says to out[count...]; returns how many there are then.
static size_t query_tree(const entry_tree *tree, const gz_world_question *q, int32_t *out,
                         size_t count, int32_t *stack, uint64_t *node_tests) {
    size_t top = 0;
    stack[top++] = tree->root;
    while (top) {
        int32_t reference = stack[--top];
        if (reference < 0) {
            const gz_entry *entry = &tree->entries[~reference];
            if (tree->passed && gz_world_has_moved(tree->passed, entry->object)) continue;
            if (!gz_entry_overlaps(entry, q)) continue;
            out[count++] = tree->numbering
                               ? gz_world_delta_number(tree->numbering, (size_t)~reference)
                               : ~reference;
            continue;
        }
        const gz_node *node = &tree->nodes[reference];
        ++*node_tests;
        for (unsigned mask = gz_world_node_overlap(node, q); mask; mask &= mask - 1)
            stack[top++] = node->child[__builtin_ctz(mask)];
    }
    return count;
}

size_t gz_world_query(const graze_world *world, const double low[3], const double high[3],
                      int32_t *out, int32_t *stack, uint64_t *node_tests) {
    gz_world_question q = gz_world_question_make(low, high);
    const gz_world_delta *delta = world->delta;
    const graze_world *base = delta ? delta->base : world;
    entry_tree tree = {base->nodes, base->entries, base->root, delta, NULL};
    size_t count = 0;
    if (base->entry_count) count = query_tree(&tree, &q, out, count, stack, node_tests);
    if (!delta || !delta->entry_count) return count;
    tree = (entry_tree){delta->nodes, delta->entries, delta->root, NULL, delta};
    return query_tree(&tree, &q, out, count, stack, node_tests);
}
