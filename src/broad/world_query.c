#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "broad/world_query.h"
#include "mesh/bvh/box_tree.h"

/// One tree of a world. In the tree of a base, what a version has moved is left out; objects of a
/// version's own tree have other numbers.
typedef struct object_tree {
    const gz_node *nodes;
    int32_t root;
    gz_object *const *objects;   ///< of the base; NULL: those of the delta
    const gz_world_delta *delta; ///< NULL but in a version
} object_tree;

/// The trees of a world that are not empty; returns how many.
static int list_trees(const graze_world *world, object_tree out[2]) {
    const gz_world_delta *delta = world->delta;
    const graze_world *base = delta ? delta->base : world;
    int count = 0;
    if (base->object_count)
        out[count++] = (object_tree){base->nodes, base->root, base->objects, delta};
    if (delta && delta->object_count)
        out[count++] = (object_tree){delta->nodes, delta->root, NULL, delta};
    return count;
}

/// Whether an object of a tree counts and overlaps the query; *number becomes that in the world.
static bool tree_object_overlaps(const object_tree *tree, const gz_world_question *q,
                                 int32_t position, int32_t *number) {
    const gz_changed_object *changed = tree->objects ? NULL : &tree->delta->objects[position];
    if (!changed && tree->delta && gz_world_has_moved(tree->delta, position)) return false;
    if (!gz_object_overlaps(changed ? changed->object : tree->objects[position], q)) return false;
    *number = changed ? changed->index : position;
    return true;
}

/// Appends the objects of the tree that overlap the query to out[count...]; returns the new count.
static size_t query_tree(const object_tree *tree, const gz_world_question *q, int32_t *out,
                         size_t count, int32_t *stack, uint64_t *node_tests) {
    size_t top = 0;
    stack[top++] = tree->root;
    while (top) {
        int32_t reference = stack[--top];
        if (reference < 0) {
            count += tree_object_overlaps(tree, q, ~reference, &out[count]);
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
    object_tree trees[2];
    size_t count = 0;
    for (int i = 0, n = list_trees(world, trees); i < n; i++)
        count = query_tree(&trees[i], &q, out, count, stack, node_tests);
    return count;
}

/// The part of a robot's bound that is held: it adds up lengths that are seldom all in line.
/// Queries farther out use the world's tree.
#define USUAL 0.6

void gz_local_tree_place(gz_local_tree **out, const graze_world *world, gz_arena *arena) {
    *out = NULL;
    if (!world || world->object_count < GZ_VICINITY_LEAST) return;
    *out = gz_arena_array(arena, 1, sizeof **out);
    if (!*out) return;
    (*out)->world = world;
    (*out)->aimed = (*out)->holds = false;
}

bool gz_local_tree_create(gz_local_tree **out, const graze_world *world) {
    gz_arena arena = {0};
    gz_local_tree_place(out, world, &arena);
    if (arena.size == 0) return true;
    if (!gz_arena_create(&arena)) return false;
    gz_local_tree_place(out, world, &arena);
    return true;
}

void gz_local_tree_free(gz_local_tree *v) {
    gz_free(v);
}

/// A subtree that is to be copied, the lane of its parent's copy, and its box.
typedef struct copy {
    int32_t reference, parent, lane;
    gz_box box;
} copy;

/// Links the copy of a subtree into its parent, or the roots.
static void link_copy(gz_local_tree *v, const copy *c, int32_t reference) {
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

/// Copies what a query would visit; nodes with one child that is near are left out. False
/// where that is too much.
static bool copy_tree(gz_local_tree *v, const object_tree *s, const gz_world_question *q) {
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
            c.box = gz_node_box(node, lane);
            c.reference = node->child[lane];
        }
        if (c.reference < 0) {
            // A lane without a box overlaps nothing.
            int32_t number;
            if (tree_object_overlaps(s, q, ~c.reference, &number)) link_copy(v, &c, ~number);
            continue;
        }
        if (!near) continue;
        if (v->node_count == GZ_LOCAL_TREE_NODES) return false;
        gz_node *out = &v->nodes[v->node_count];
        gz_node_clear(out);
        for (; near; near &= near - 1) {
            int lane = __builtin_ctz(near);
            stack[top++] = (copy){s->nodes[c.reference].child[lane], v->node_count, out->count++,
                                  gz_node_box(&s->nodes[c.reference], lane)};
        }
        link_copy(v, &c, v->node_count++);
    }
    return true;
}

void gz_local_tree_aim(gz_local_tree *v, const double place[3], double radius) {
    double low[3], high[3], step = 0.25 * radius, half = USUAL * radius + 0.5 * step;
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
    object_tree trees[2];
    v->holds = true;
    for (int i = 0, n = list_trees(v->world, trees); i < n && v->holds; i++)
        v->holds = copy_tree(v, &trees[i], &q);
}

size_t gz_local_tree_query(const gz_local_tree *v, const double low[3], const double high[3],
                           int32_t *out, uint64_t *node_tests) {
    gz_world_question q = gz_world_question_make(low, high);
    int32_t stack[GZ_TREE_STACK + 1];
    size_t top = 0, count = 0;
    for (int i = 0; i < v->root_count; i++) stack[top++] = v->roots[i];
    while (top) {
        int32_t reference = stack[--top];
        if (reference < 0) {
            if (gz_object_overlaps(gz_world_at(v->world, (size_t)~reference), &q))
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

size_t gz_world_query_near(gz_local_tree *v, const double place[3], double radius,
                           const graze_world *world, const double low[3], const double high[3],
                           int32_t *out, int32_t *stack, uint64_t *node_tests) {
    if (v) {
        gz_local_tree_aim(v, place, radius);
        if (gz_local_tree_covers(v, low, high))
            return gz_local_tree_query(v, low, high, out, node_tests);
    }
    return gz_world_query(world, low, high, out, stack, node_tests);
}
