// RRT-Connect: two trees that grow towards each other.

#include "plan/plan_internal.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/// One of the two trees; node 0 is its root.
typedef struct tree {
    gz_state_list nodes;
    int32_t *parents;
    size_t parent_capacity;
    gz_neighbours *nearest;
    bool backward; ///< grows from the goal: motions run from child to parent
} tree;

typedef struct search {
    gz_edges *edges;
    const gz_rrt_options *options;
    gz_random *random;
    tree trees[2];
    double *target, *next; ///< the sample, and the state of an extension
    int32_t joined[2];     ///< the nodes where the trees met
} search;

/// The result of one extension (Kuffner and LaValle's names), or why there was none.
typedef enum extension { TRAPPED, ADVANCED, REACHED, STOPPED, FAILED } extension;

static extension fail_memory(const search *s) {
    s->edges->status = gz_fail_memory(s->edges->error);
    return FAILED;
}

static bool tree_add(tree *t, const double *state, int32_t parent) {
    if (!gz_array_reserve((void **)&t->parents, &t->parent_capacity, t->nodes.count + 1,
                          sizeof *t->parents) ||
        !gz_state_list_add(&t->nodes, state))
        return false;
    t->parents[t->nodes.count - 1] = parent;
    if (gz_neighbours_add(t->nearest, state)) return true;
    t->nodes.count--;
    return false;
}

static bool tree_make(tree *t, const gz_plan_space *space, const double *root, bool backward) {
    *t = (tree){.nodes = gz_state_list_make(space->dimension), .backward = backward};
    t->nearest = gz_neighbours_make(space);
    return t->nearest && tree_add(t, root, -1);
}

static void tree_free(tree *t) {
    gz_state_list_free(&t->nodes);
    gz_free(t->parents);
    gz_neighbours_free(t->nearest);
}

/// One step from a node towards a state, by at most options->step: EXTEND of the paper. On ADVANCED
/// and REACHED the new node is the last. `target_free`: the target is known to be free.
static extension extend(search *s, tree *t, int32_t from, const double *target, bool target_free) {
    const gz_plan_space *space = s->edges->space;
    const double *near = gz_state_list_at(&t->nodes, (size_t)from);
    double distance = gz_plan_space_distance(space, near, target);
    bool whole = distance <= s->options->step;
    // With rotations the metric and t are not proportional, and a step may be a little longer.
    gz_plan_space_interpolate(space, near, target, whole ? 1 : s->options->step / distance,
                              s->next);
    bool known = whole && target_free;
    gz_edge_verdict verdict = t->backward ? gz_edge_check(s->edges, s->next, near,
                                                          known ? GZ_EDGE_NO_END : GZ_EDGE_FROM,
                                                          s->options->resolution)
                                          : gz_edge_check(s->edges, near, s->next,
                                                          known ? GZ_EDGE_NO_END : GZ_EDGE_TO,
                                                          s->options->resolution);
    if (verdict == GZ_EDGE_BLOCKED) return TRAPPED;
    if (verdict == GZ_EDGE_STOPPED) return STOPPED;
    if (verdict == GZ_EDGE_FAILED) return FAILED;
    if (!tree_add(t, s->next, from)) return fail_memory(s);
    return whole ? REACHED : ADVANCED;
}

/// Extends until the target is reached or an extension is blocked: CONNECT of the paper.
static extension connect(search *s, tree *t, const double *target) {
    int32_t from = gz_neighbours_find(t->nearest, target);
    for (;;) {
        extension e = extend(s, t, from, target, true);
        if (e != ADVANCED) return e;
        from = (int32_t)t->nodes.count - 1;
    }
}

/// The states from a tree's root to one of its nodes, in the order from the node to the root.
static bool trace(const tree *t, int32_t node, gz_state_list *out) {
    for (; node >= 0; node = t->parents[node])
        if (!gz_state_list_add(out, gz_state_list_at(&t->nodes, (size_t)node))) return false;
    return true;
}

/// The path through the nodes where the trees met, which hold the same state.
static bool join(const search *s, gz_state_list *path) {
    gz_state_list tail = gz_state_list_make(path->dimension);
    path->count = 0;
    bool ok = trace(&s->trees[0], s->joined[0], path) && trace(&s->trees[1], s->joined[1], &tail);
    if (ok) {
        gz_state_list_reverse(path);
        path->count--; // the meeting state comes with the tail
        ok = gz_state_list_replace(path, path->count, path->count, &tail);
    }
    gz_state_list_free(&tail);
    return ok;
}

/// The tree to extend next: in turns, but none gets more than twice as large as the other while
/// that can be extended.
static int next_tree(const search *s, int current, extension last) {
    size_t own = s->trees[current].nodes.count, other = s->trees[1 - current].nodes.count;
    return last != TRAPPED && own < other / 2 ? current : 1 - current;
}

/// One iteration: a sample, an extension towards it, and an attempt to join the new node.
static extension iterate(search *s, int current, extension *grown) {
    tree *a = &s->trees[current], *b = &s->trees[1 - current];
    gz_plan_space_sample(s->edges->space, s->random, s->target);
    *grown = extend(s, a, gz_neighbours_find(a->nearest, s->target), s->target, false);
    if (*grown != ADVANCED && *grown != REACHED) return *grown;
    memcpy(s->target, gz_state_list_at(&a->nodes, a->nodes.count - 1),
           a->nodes.dimension * sizeof(double));
    return connect(s, b, s->target);
}

static extension grow(search *s, gz_rrt_result *result) {
    // Before anything is sampled: the straight motion.
    extension e = connect(s, &s->trees[1], gz_state_list_at(&s->trees[0].nodes, 0));
    int current = 0;
    while (e == TRAPPED && result->iterations < s->options->max_iterations) {
        if (gz_budget_spent(s->edges->budget)) return STOPPED;
        extension grown;
        result->iterations++;
        e = iterate(s, current, &grown);
        if (e == TRAPPED) current = next_tree(s, current, grown);
    }
    return e;
}

graze_status gz_rrt_connect(gz_edges *edges, const double *start, const double *goal,
                            const gz_rrt_options *options, gz_random *random, gz_state_list *path,
                            gz_rrt_result *result) {
    const gz_plan_space *space = edges->space;
    *result = (gz_rrt_result){.outcome = GRAZE_PLAN_ITERATIONS};
    search s = {.edges = edges, .options = options, .random = random};
    s.target = gz_malloc(space->dimension, 2 * sizeof(double));
    if (s.target) s.next = s.target + space->dimension;
    bool made = tree_make(&s.trees[0], space, start, false);
    made = tree_make(&s.trees[1], space, goal, true) && made && s.target;

    extension e = made ? grow(&s, result) : fail_memory(&s);
    if (e == REACHED) {
        // The last node added anywhere closed the gap; the other tree's last is its counterpart,
        // or its root where the straight motion was free.
        for (int i = 0; i < 2; i++) s.joined[i] = (int32_t)s.trees[i].nodes.count - 1;
        result->outcome = GRAZE_PLAN_FOUND;
        if (!join(&s, path)) fail_memory(&s);
    } else if (e == STOPPED) {
        result->outcome = edges->budget->cancelled ? GRAZE_PLAN_CANCELLED : GRAZE_PLAN_TIME;
    }
    for (int i = 0; i < 2; i++) {
        result->tree_size[i] = s.trees[i].nodes.count;
        tree_free(&s.trees[i]);
    }
    gz_free(s.target);
    return edges->status;
}
