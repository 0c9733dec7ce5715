#include <math.h>
#include <string.h>

#include "base/memory.h"
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

/// What bounds a robot's reach adds up lengths that are seldom all in line: so much of it is seen
/// to. What is asked farther out goes to the world's tree.
#define USUAL 0.6

bool gz_vicinity_create(gz_vicinity **out, const graze_world *world) {
    *out = NULL;
    if (!world || world->entry_count < GZ_VICINITY_LEAST) return true;
    *out = gz_malloc_aligned(1, sizeof **out);
    if (!*out) return false;
    (*out)->world = world;
    (*out)->aimed = (*out)->holds = false;
    return true;
}

void gz_vicinity_free(gz_vicinity *v) {
    gz_free(v);
}

/// One tree of the world; passed over and numbered as by gz_world_query().
typedef struct source {
    const gz_node *nodes;
    const gz_entry *entries;
    int32_t root;
    const gz_world_delta *passed, *numbering;
} source;

/// A subtree that is to be copied, and where it hangs; its box.
typedef struct copy {
    int32_t reference, parent, lane;
    gz_box box;
} copy;

static gz_box lane_box(const gz_node *node, int lane) {
    gz_box box;
    for (int k = 0; k < 3; k++) {
        box.center[k] = node->center[k][lane];
        box.half[k] = node->half[k][lane];
    }
    return box;
}

/// Hangs what a subtree has become where it belongs.
static void hang(gz_vicinity *v, const copy *c, int32_t reference) {
    if (c->parent < 0) {
        v->roots[v->root_count++] = reference;
        return;
    }
    gz_node *parent = &v->nodes[c->parent];
    parent->child[c->lane] = reference;
    for (int k = 0; k < 3; k++) {
        parent->center[k][c->lane] = c->box.center[k];
        parent->half[k][c->lane] = c->box.half[k];
    }
}

/// Hangs an entry, or nothing: a lane without a box overlaps nothing.
static void hang_entry(gz_vicinity *v, const source *s, const gz_world_question *q, const copy *c) {
    size_t position = (size_t)~c->reference;
    const gz_entry *entry = &s->entries[position];
    if ((s->passed && gz_world_has_moved(s->passed, entry->object)) || !gz_entry_overlaps(entry, q))
        return;
    hang(v, c, s->numbering ? ~gz_world_delta_number(s->numbering, position) : c->reference);
}

/// Copies what a query would look into; nodes with one child that is near are left out. False
/// where that is too much.
static bool copy_tree(gz_vicinity *v, const source *s, const gz_world_question *q) {
    copy stack[GZ_TREE_STACK];
    int top = 0;
    stack[top++] = (copy){.reference = s->root, .parent = -1};
    while (top) {
        copy c = stack[--top];
        unsigned near = 0;
        while (c.reference >= 0) {
            const gz_node *node = &s->nodes[c.reference];
            near = gz_world_node_overlap(node, q);
            if (!near || near & (near - 1)) break;
            int lane = __builtin_ctz(near);
            c.box = lane_box(node, lane);
            c.reference = node->child[lane];
        }
        if (c.reference < 0) {
            hang_entry(v, s, q, &c);
            continue;
        }
        if (!near) continue;
        if (v->node_count == GZ_VICINITY_NODES) return false;
        gz_node *out = &v->nodes[v->node_count];
        gz_node_clear(out);
        for (; near; near &= near - 1) {
            int lane = __builtin_ctz(near);
            stack[top++] = (copy){s->nodes[c.reference].child[lane], v->node_count, out->count++,
                                  lane_box(&s->nodes[c.reference], lane)};
        }
        hang(v, &c, v->node_count++);
    }
    return true;
}

void gz_vicinity_aim(gz_vicinity *v, const double place[3], double reach) {
    double low[3], high[3], step = 0.25 * reach, half = USUAL * reach + 0.5 * step;
    for (int k = 0; k < 3; k++) {
        double center = floor(place[k] / step + 0.5) * step;
        low[k] = center - half;
        high[k] = center + half;
        if (!isfinite(low[k]) || !isfinite(high[k])) {
            v->aimed = v->holds = false;
            return;
        }
    }
    if (v->aimed && memcmp(low, v->low, sizeof low) == 0 && memcmp(high, v->high, sizeof high) == 0)
        return;
    memcpy(v->low, low, sizeof low);
    memcpy(v->high, high, sizeof high);
    v->aimed = true;
    v->node_count = v->root_count = 0;
    gz_world_question q = gz_world_question_make(low, high);
    const gz_world_delta *delta = v->world->delta;
    const graze_world *base = delta ? delta->base : v->world;
    source all = {base->nodes, base->entries, base->root, delta, NULL};
    v->holds = !base->entry_count || copy_tree(v, &all, &q);
    if (!v->holds || !delta || !delta->entry_count) return;
    all = (source){delta->nodes, delta->entries, delta->root, NULL, delta};
    v->holds = copy_tree(v, &all, &q);
}

size_t gz_vicinity_query(const gz_vicinity *v, const double low[3], const double high[3],
                         int32_t *out, uint64_t *node_tests) {
    gz_world_question q = gz_world_question_make(low, high);
    int32_t stack[GZ_TREE_STACK + 1];
    size_t top = 0, count = 0;
    for (int i = 0; i < v->root_count; i++) stack[top++] = v->roots[i];
    while (top) {
        int32_t reference = stack[--top];
        if (reference < 0) {
            if (gz_entry_overlaps(gz_world_entry(v->world, (size_t)~reference), &q))
                out[count++] = ~reference;
            continue;
        }
        const gz_node *node = &v->nodes[reference];
        ++*node_tests;
        for (unsigned mask = gz_world_node_overlap(node, &q); mask; mask &= mask - 1)
            stack[top++] = node->child[__builtin_ctz(mask)];
    }
    return count;
}

size_t gz_world_query_near(gz_vicinity *v, const double place[3], double reach,
                           const graze_world *world, const double low[3], const double high[3],
                           int32_t *out, int32_t *stack, uint64_t *node_tests) {
    if (v) {
        gz_vicinity_aim(v, place, reach);
        if (gz_vicinity_covers(v, low, high))
            return gz_vicinity_query(v, low, high, out, node_tests);
    }
    return gz_world_query(world, low, high, out, stack, node_tests);
}
