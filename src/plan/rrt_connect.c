// RRT-Connect: two trees that grow towards each other by edges of which only the first points have
// been looked at. Where the trees meet, the rest of the edges between start and goal follows. An
// edge whose first points are free is free in more than nine of ten cases, and most are part of no
// path.
//
// With a bound on the path's length each node has a cost, its distance from the root along the
// tree. Samples are drawn where a path below the bound may lead; a node is joined to that of its
// nearest from which its cost is least and the edge begins free (RRT*: Karaman and Frazzoli 2011),
// where the straight rest of the way stays below the bound. Rounds of such searches with falling
// bounds are those of AORRTC (Wilson, Thomason, Kingston and Gammell, "AORRTC: almost-surely
// asymptotically optimal planning with RRT-Connect", 2025), which draws costs in place of choosing
// parents.

#include "plan/plan_internal.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/// What is known of the edge from a node to its parent.
typedef enum edge_state {
    EDGE_OPEN = 0, ///< its first points are free
    EDGE_FREE = 1, ///< all of its points are
    EDGE_CUT = 2   ///< it is blocked, or one between it and the root is
} edge_state;

/// One of the two trees; node 0 is its root.
typedef struct tree {
    gz_state_list nodes;
    int32_t *parents;
    unsigned char *states; ///< edge_state of each node
    size_t parent_capacity, state_capacity;
    gz_neighbours *nearest;
    bool backward; ///< grows from the goal: motions run from child to parent
} tree;

/// With a bound each node has its cost behind its state.
typedef struct search {
    gz_edges *edges;
    const gz_rrt_options *options;
    gz_random *random;
    gz_halton *halton; ///< what draws samples in place of `random`, or NULL
    tree trees[2];
    double *target, *next; ///< the sample, and the state of an extension, each with its cost
    gz_informed_sampler sampler;
    float *key;        ///< scratch of neighbours
    double *q;         ///< of a node that is reported
    int32_t joined[2]; ///< the nodes where the trees met
    double steps[2];   ///< longest extension of each tree towards a sample
    unsigned blocked;  ///< extensions of the smaller tree in a row, since its step was shortened
    unsigned patience; ///< blocked extensions of the smaller tree that give the larger a turn
    unsigned left;     ///< of them
    bool larger;       ///< this is such a turn
} search;

enum { PATIENCE = 2048, BLOCKED_MAX = 512 };

static bool is_bounded(const search *s) {
    return s->options->bound < INFINITY;
}

/// The result of one extension (Kuffner and LaValle's names), or why there was none.
typedef enum extension { TRAPPED, ADVANCED, REACHED, STOPPED, FAILED } extension;

static extension fail_memory(const search *s) {
    s->edges->status = gz_fail_memory(s->edges->error);
    return FAILED;
}

static bool tree_add(tree *t, const double *state, int32_t parent, edge_state edge) {
    if (!gz_array_reserve((void **)&t->parents, &t->parent_capacity, t->nodes.count + 1,
                          sizeof *t->parents) ||
        !gz_array_reserve((void **)&t->states, &t->state_capacity, t->nodes.count + 1,
                          sizeof *t->states) ||
        !gz_state_list_add(&t->nodes, state))
        return false;
    t->parents[t->nodes.count - 1] = parent;
    t->states[t->nodes.count - 1] = (unsigned char)edge;
    if (gz_neighbours_add(t->nearest, state)) return true;
    t->nodes.count--;
    return false;
}

/// @param root with a cost of 0 behind it
static bool tree_make(const search *s, tree *t, const double *root, bool backward) {
    const gz_plan_space *space = s->edges->space;
    *t = (tree){.nodes = gz_state_list_make(space->dimension + is_bounded(s)),
                .backward = backward};
    t->nearest = gz_neighbours_make(space);
    return t->nearest && tree_add(t, root, -1, EDGE_FREE);
}

/// Sets the cost of a state that follows a node, where nodes have one.
static void set_cost(const search *s, const double *node, double *state) {
    size_t n = s->edges->space->dimension;
    if (is_bounded(s)) state[n] = node[n] + gz_plan_space_distance(s->edges->space, node, state);
}

/// Reports the last node of a tree, where somebody wants to know.
static void report_node(const search *s, const tree *t) {
    if (!s->options->on_node) return;
    size_t last = t->nodes.count - 1;
    double base[6];
    gz_plan_space_write(s->edges->space, gz_state_list_at(&t->nodes, last), s->q, base);
    const graze_plan_node node = {t->backward, t->parents[last], s->q, base};
    s->options->on_node(s->options->on_node_user, &node);
}

static void tree_free(tree *t) {
    gz_state_list_free(&t->nodes);
    gz_free(t->parents);
    gz_free(t->states);
    gz_neighbours_free(t->nearest);
}

/// Checks points of the edge between a node and its child, in the direction of the path.
static gz_edge_verdict check_edge(search *s, const tree *t, const double *parent,
                                  const double *child, gz_edge_ends unknown,
                                  gz_edge_points points) {
    return gz_edge_check_points(s->edges, t->backward ? child : parent,
                                t->backward ? parent : child, unknown, s->options->resolution,
                                points);
}

/// One step from a node towards a state, by at most the tree's step, or towards a state that is
/// known to be free by at most options->step: EXTEND of the paper. On ADVANCED and REACHED the new
/// node is the last.
static extension extend(search *s, tree *t, int32_t from, const double *target, bool target_free) {
    const gz_plan_space *space = s->edges->space;
    const double *near = gz_state_list_at(&t->nodes, (size_t)from);
    double distance = gz_plan_space_distance(space, near, target);
    double step = target_free ? s->options->step : s->steps[t->backward];
    bool whole = distance <= step || is_bounded(s);
    // With rotations the metric and t are not proportional, and a step may be a little longer.
    gz_plan_space_interpolate(space, near, target, whole ? 1 : step / distance, s->next);
    set_cost(s, near, s->next);
    gz_edge_ends unknown = t->backward ? GZ_EDGE_FROM : GZ_EDGE_TO;
    if (whole && target_free) unknown = GZ_EDGE_NO_END;
    gz_edge_verdict verdict = check_edge(s, t, near, s->next, unknown, GZ_EDGE_FIRST);
    if (verdict == GZ_EDGE_BLOCKED) return TRAPPED;
    if (verdict == GZ_EDGE_STOPPED) return STOPPED;
    if (verdict == GZ_EDGE_FAILED) return FAILED;
    if (!tree_add(t, s->next, from, EDGE_OPEN)) return fail_memory(s);
    report_node(s, t);
    return whole ? REACHED : ADVANCED;
}

/// The node nearest to a state; in place of one that is cut off, the last before that cut.
static int32_t find_nearest(const tree *t, const double *state) {
    int32_t node = gz_neighbours_find(t->nearest, state);
    while (t->states[node] == EDGE_CUT) node = t->parents[node];
    return node;
}

/// Extends until the target is reached or an extension is blocked: CONNECT of the paper.
static extension connect(search *s, tree *t, const double *target) {
    int32_t from = find_nearest(t, target);
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

/// Cuts a tree at the edge above `node`, which is blocked. The nodes between it and the place where
/// the trees met become the other tree's.
static bool cut(search *s, int which, int32_t node) {
    tree *t = &s->trees[which], *other = &s->trees[1 - which];
    int32_t parent = s->joined[1 - which];
    for (int32_t i = s->joined[which]; i != node; i = t->parents[i]) {
        memcpy(s->next, gz_state_list_at(&t->nodes, (size_t)t->parents[i]),
               t->nodes.dimension * sizeof *s->next);
        set_cost(s, gz_state_list_at(&other->nodes, (size_t)parent), s->next);
        if (!tree_add(other, s->next, parent, (edge_state)t->states[i])) return false;
        report_node(s, other);
        parent = (int32_t)other->nodes.count - 1;
    }
    t->states[node] = EDGE_CUT;
    // Parents stand before their children.
    for (size_t i = (size_t)node + 1; i < t->nodes.count; i++)
        if (t->states[t->parents[i]] == EDGE_CUT) t->states[i] = EDGE_CUT;
    return true;
}

/// Checks the rest of a tree's edges from its root to where the trees met; TRAPPED, and cut, where
/// one is blocked.
static extension finish(search *s, int which) {
    tree *t = &s->trees[which];
    for (int32_t node = s->joined[which]; t->parents[node] >= 0; node = t->parents[node]) {
        if (t->states[node] == EDGE_FREE) continue;
        const double *parent = gz_state_list_at(&t->nodes, (size_t)t->parents[node]);
        gz_edge_verdict verdict = check_edge(
            s, t, parent, gz_state_list_at(&t->nodes, (size_t)node), GZ_EDGE_NO_END, GZ_EDGE_REST);
        if (verdict == GZ_EDGE_STOPPED) return STOPPED;
        if (verdict == GZ_EDGE_FAILED) return FAILED;
        if (verdict == GZ_EDGE_BLOCKED) return cut(s, which, node) ? TRAPPED : fail_memory(s);
        t->states[node] = EDGE_FREE;
    }
    return REACHED;
}

/// Where the trees have met: at the last node of either. REACHED where the way through it is free.
static extension check_path(search *s) {
    for (int i = 0; i < 2; i++) s->joined[i] = (int32_t)s->trees[i].nodes.count - 1;
    extension e = finish(s, 0);
    return e == REACHED ? finish(s, 1) : e;
}

/// Shortens a tree's step by three tenths after BLOCKED_MAX extensions in a row that were blocked,
/// down to a tenth, and lengthens it by a tenth whenever the tree grows: the way out of a narrow
/// place may have no straight piece as long as a step.
static void adapt_step(search *s, int current, extension last) {
    double *step = &s->steps[current], longest = s->options->step;
    if (last != TRAPPED) {
        *step = *step * 1.1 < longest ? *step * 1.1 : longest;
        if (!s->larger) s->blocked = 0;
    } else if (!s->larger && ++s->blocked == BLOCKED_MAX) {
        s->blocked = 0;
        if (*step > 0.1 * longest) *step *= 0.7;
    }
}

/// The tree to extend next: the smaller one, so that a tree that stands in a narrow place gets out
/// of it before the other has filled all of its space. Since the smaller one may be enclosed, the
/// other gets a turn after PATIENCE extensions in a row that were blocked, then after half as many,
/// a quarter ... until the smaller one grows again.
static int next_tree(search *s, int current, extension last) {
    size_t own = s->trees[current].nodes.count, other = s->trees[1 - current].nodes.count;
    int smaller = own < other ? current : 1 - current;
    adapt_step(s, current, last);
    if (!s->larger && last != TRAPPED)
        s->patience = s->left = PATIENCE;
    else if (!s->larger && --s->left == 0) {
        s->patience = s->left = (s->patience + 1) / 2;
        s->larger = true;
        return 1 - smaller;
    }
    s->larger = false;
    return smaller;
}

enum { NEAR_MAX = 10, ANCESTORS_MAX = 4, PARENTS_MAX = NEAR_MAX * (1 + ANCESTORS_MAX) };

/// A node that may be a parent.
typedef struct candidate {
    double cost; ///< of the target by way of this node
    int32_t node;
} candidate;

/// Puts a node into its place among candidates, the least cost first, unless it is there, is cut
/// off, or leads to no path below the bound.
static void add_candidate(const search *s, const tree *t, int32_t id, const double *target,
                          double rest, candidate *list, size_t *count) {
    const gz_plan_space *space = s->edges->space;
    const double *node = gz_state_list_at(&t->nodes, (size_t)id);
    candidate c = {node[space->dimension] + gz_plan_space_distance(space, node, target), id};
    if (t->states[id] == EDGE_CUT || !(c.cost + rest < s->options->bound)) return;
    for (size_t i = 0; i < *count; i++)
        if (list[i].node == id) return;
    size_t place = (*count)++;
    for (; place > 0 && list[place - 1].cost > c.cost; place--) list[place] = list[place - 1];
    list[place] = c;
}

/// Lists the nearest nodes and their ancestors from which a path through the target may be below
/// the bound; `rest` is the least way from the target on. Ancestors make paths straight where the
/// tree is dense (Jeong, Lee and Kim, "Quick-RRT*", 2019).
static size_t list_parents(search *s, const tree *t, const double *target, double rest,
                           candidate out[PARENTS_MAX]) {
    gz_near near[NEAR_MAX];
    size_t count = 0, found = gz_neighbours_list(t->nearest, target, s->key, NEAR_MAX, near);
    for (size_t i = 0; i < found; i++) {
        int32_t node = near[i].id;
        for (int k = 0; k <= ANCESTORS_MAX && node >= 0; k++, node = t->parents[node])
            add_candidate(s, t, node, target, rest, out, &count);
    }
    return count;
}

/// Joins a target to the best parent from which the edge begins free; the last node is then the
/// target.
static extension extend_best(search *s, tree *t, const double *target, bool target_free,
                             double rest) {
    candidate parents[PARENTS_MAX];
    size_t count = list_parents(s, t, target, rest, parents);
    for (size_t i = 0; i < count; i++) {
        extension e = extend(s, t, parents[i].node, target, target_free);
        if (e != TRAPPED) return e;
    }
    return TRAPPED;
}

/// Makes the last node of a tree the target.
static void set_target(search *s, const tree *t) {
    memcpy(s->target, gz_state_list_at(&t->nodes, t->nodes.count - 1),
           t->nodes.dimension * sizeof(double));
}

/// One iteration below a bound: a sample that joins a tree, and the other tree, if it can.
static extension iterate_bounded(search *s, int current, extension *grown) {
    tree *a = &s->trees[current], *b = &s->trees[1 - current];
    const gz_plan_space *space = s->edges->space;
    *grown = TRAPPED;
    if (!gz_informed_sample(&s->sampler, s->random, s->target)) return TRAPPED;
    double rest = gz_plan_space_distance(space, s->target, gz_state_list_at(&b->nodes, 0));
    *grown = extend_best(s, a, s->target, false, rest);
    if (*grown != REACHED) return *grown;
    set_target(s, a);
    return extend_best(s, b, s->target, true, s->target[space->dimension]);
}

static void draw_target(search *s) {
    if (s->halton)
        gz_halton_next(s->halton, s->target);
    else
        gz_plan_space_sample(s->edges->space, s->random, s->target);
}

/// The node from which a tree is extended towards the sample: the nearest one. A tree that is
/// enclosed, and whose step has become short, has one way out, which need not be where its
/// outermost nodes are: it grows from any node in a quarter of its turns.
static int32_t choose_node(search *s, int current) {
    const tree *t = &s->trees[current];
    bool enclosed = !s->larger && s->steps[current] < 0.35 * s->options->step;
    if (!enclosed || (gz_random_next(s->random) & 3) != 0) return find_nearest(t, s->target);
    int32_t node = (int32_t)gz_random_below(s->random, (uint32_t)t->nodes.count);
    while (t->states[node] == EDGE_CUT) node = t->parents[node];
    return node;
}

/// One iteration: a sample, an extension towards it, and an attempt to join the new node.
static extension iterate(search *s, int current, extension *grown) {
    tree *a = &s->trees[current], *b = &s->trees[1 - current];
    if (is_bounded(s)) return iterate_bounded(s, current, grown);
    draw_target(s);
    *grown = extend(s, a, choose_node(s, current), s->target, false);
    if (*grown != ADVANCED && *grown != REACHED) return *grown;
    set_target(s, a);
    return connect(s, b, s->target);
}

static extension grow(search *s, gz_rrt_result *result) {
    for (int i = 0; i < 2; i++) report_node(s, &s->trees[i]);
    // Before anything is sampled: the straight motion, which no bound is above.
    extension e = TRAPPED;
    if (!is_bounded(s)) e = connect(s, &s->trees[1], gz_state_list_at(&s->trees[0].nodes, 0));
    if (e == REACHED) e = check_path(s);
    int current = 0;
    while (e == TRAPPED && result->iterations < s->options->max_iterations) {
        if (gz_budget_spent(s->edges->budget)) return STOPPED;
        extension grown;
        result->iterations++;
        e = iterate(s, current, &grown);
        if (e == REACHED) e = check_path(s);
        if (e == TRAPPED) current = next_tree(s, current, grown);
    }
    return e;
}

graze_status gz_rrt_connect(gz_edges *edges, const double *start, const double *goal,
                            const gz_rrt_options *options, gz_random *random, gz_state_list *path,
                            gz_rrt_result *result) {
    const gz_plan_space *space = edges->space;
    *result = (gz_rrt_result){.outcome = GRAZE_PLAN_ITERATIONS};
    search s = {.edges = edges,
                .options = options,
                .random = random,
                .steps = {options->step, options->step},
                .patience = PATIENCE,
                .left = PATIENCE};
    const size_t n = space->dimension;
    s.target = gz_malloc(5 * n + 2 + space->q_size, sizeof(double));
    bool made = s.target != NULL;
    if (made) {
        s.next = s.target + n + 1;
        s.q = s.next + n + 1 + 2 * n;
        s.sampler = gz_informed_sampler_make(space, start, goal, options->bound, s.next + n + 1);
        s.key = (float *)(s.q + space->q_size);
    }
    if (made && options->halton) {
        s.halton = gz_halton_make(space, (uint32_t)(gz_random_next(random) >> 32));
        made = s.halton != NULL;
    }
    for (int i = 0; i < 2 && made; i++) {
        memcpy(s.target, i ? goal : start, n * sizeof *start);
        s.target[n] = 0;
        made = tree_make(&s, &s.trees[i], s.target, i == 1);
    }

    extension e = made ? grow(&s, result) : fail_memory(&s);
    if (e == REACHED) {
        result->outcome = GRAZE_PLAN_FOUND;
        if (!join(&s, path)) fail_memory(&s);
    } else if (e == STOPPED) {
        result->outcome = edges->budget->cancelled ? GRAZE_PLAN_CANCELLED : GRAZE_PLAN_TIME;
    }
    for (int i = 0; i < 2; i++) {
        result->tree_size[i] = s.trees[i].nodes.count;
        tree_free(&s.trees[i]);
    }
    gz_halton_free(s.halton);
    gz_free(s.target);
    return edges->status;
}
