// Queries of a roadmap: start and goal are joined to nodes that are near, and A* finds the way
// between these.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "plan/roadmap_internal.h"

static graze_roadmap_query default_query(void) {
    return (graze_roadmap_query){
        .struct_size = sizeof(graze_roadmap_query), .max_seconds = INFINITY, .budget = 500};
}

GZ_OPTIONS_INIT(graze_roadmap_query, default_query)

enum { STRAIGHT = 4 }; ///< the budget of the straight motion, which is longer, in others'
enum { CLOSED = -1 };  ///< place of a node that the search has left behind

/// A node that the start or the goal may be joined to.
typedef struct joint_to {
    uint32_t node;
    double length;
    bool tested;
    gz_motion_block found; ///< where it is tested
} joint_to;

/// The start or the goal.
typedef struct query_end {
    double *state;
    joint_to *near; ///< by their distance
    size_t count;
} query_end;

struct graze_roadmap_workspace {
    const graze_roadmap *map;
    gz_roadmap_worker worker;
    query_end ends[2];
    // Of the search: which nodes it has reached (the stamp is the query's), from where, how far,
    // and in which place of the heap they are.
    uint32_t *stamps, stamp, *parents;
    double *costs, *totals;
    int32_t *places;
    uint32_t *heap;
    size_t heap_count;
    uint32_t *path; ///< nodes of the last path
    size_t path_count;
    bool found;
    void *memory;
};

static void lay_out(graze_roadmap_workspace *ws, gz_arena *arena) {
    size_t nodes = ws->map->nodes.count, near = ws->map->settings.neighbours;
    size_t dimension = ws->map->space.dimension;
    for (int i = 0; i < 2; i++) {
        ws->ends[i].state = gz_arena_array(arena, dimension, sizeof(double));
        ws->ends[i].near = gz_arena_array(arena, near, sizeof(joint_to));
    }
    ws->stamps = gz_arena_array(arena, nodes, sizeof *ws->stamps);
    ws->parents = gz_arena_array(arena, nodes, sizeof *ws->parents);
    ws->costs = gz_arena_array(arena, nodes, sizeof *ws->costs);
    ws->totals = gz_arena_array(arena, nodes, sizeof *ws->totals);
    ws->places = gz_arena_array(arena, nodes, sizeof *ws->places);
    ws->heap = gz_arena_array(arena, nodes, sizeof *ws->heap);
    ws->path = gz_arena_array(arena, nodes, sizeof *ws->path);
}

static graze_status fill_workspace(graze_roadmap_workspace *ws, graze_error *error) {
    gz_arena arena = {0};
    lay_out(ws, &arena);
    if (!gz_arena_create(&arena)) return gz_fail_memory(error);
    ws->memory = arena.memory;
    lay_out(ws, &arena);
    memset(ws->stamps, 0, ws->map->nodes.count * sizeof *ws->stamps);
    return gz_roadmap_worker_make(&ws->worker, ws->map, ws->map->checker, error);
}

graze_status graze_roadmap_workspace_create(graze_roadmap_workspace **out,
                                            const graze_roadmap *roadmap, graze_error *error) {
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    if (!roadmap) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "roadmap is NULL");
    graze_roadmap_workspace *ws = gz_calloc(1, sizeof *ws);
    if (!ws) return gz_fail_memory(error);
    ws->map = roadmap;
    graze_status status = fill_workspace(ws, error);
    if (status) {
        graze_roadmap_workspace_free(ws);
        return status;
    }
    *out = ws;
    gz_error_clear(error);
    return GRAZE_OK;
}

void graze_roadmap_workspace_free(graze_roadmap_workspace *ws) {
    if (!ws) return;
    gz_roadmap_worker_free(&ws->worker);
    gz_free(ws->memory);
    gz_free(ws);
}

// -------------------------------------------------------------------------------------- the ends

typedef struct query {
    graze_roadmap_workspace *ws;
    const graze_roadmap_query *options;
    graze_roadmap_result *result;
    graze_error *error;
    gz_budget budget;
} query;

/// Whether the limits end the query; then the outcome says which.
static bool is_over(query *q) {
    if (!gz_budget_spent(&q->budget)) return false;
    q->result->outcome = q->budget.cancelled ? GRAZE_ROADMAP_CANCELLED : GRAZE_ROADMAP_TIME;
    return true;
}

/// What makes a configuration useless as an end, but for collisions.
static bool is_unfit(query *q, int end, const double *values, const double *base) {
    const graze_roadmap *map = q->ws->map;
    const graze_robot *robot = graze_checker_robot(map->checker);
    graze_roadmap_result *result = q->result;
    result->joint = gz_plan_violated_joint(robot, values);
    if (result->joint >= 0)
        result->outcome = end ? GRAZE_ROADMAP_GOAL_LIMITS : GRAZE_ROADMAP_START_LIMITS;
    else if (gz_plan_space_differs(&map->space, robot, values, base, &result->joint))
        result->outcome = GRAZE_ROADMAP_OTHER_JOINT;
    else
        return false;
    return true;
}

static graze_status check_end(query *q, int end) {
    graze_roadmap_workspace *ws = q->ws;
    const gz_plan_space *space = &ws->map->space;
    graze_contact contact = {0};
    graze_report report = {.contacts = &contact, .capacity = 1};
    gz_plan_space_write(space, ws->ends[end].state, ws->worker.q, ws->worker.base);
    GZ_TRY(graze_check(ws->map->checker, ws->worker.check, GRAZE_ANSWER_FIRST, ws->worker.q,
                       space->q_size, ws->worker.base, &report, q->error));
    if (report.verdict == GRAZE_FREE) return GRAZE_OK;
    q->result->outcome = end ? GRAZE_ROADMAP_GOAL_COLLIDES : GRAZE_ROADMAP_START_COLLIDES;
    q->result->contact = contact;
    return GRAZE_OK;
}

static void list_near(query *q, query_end *end) {
    graze_roadmap_workspace *ws = q->ws;
    size_t wanted = q->options->neighbours ? q->options->neighbours : ws->map->settings.neighbours;
    end->count = gz_neighbours_list(ws->map->nearest, end->state, ws->worker.key, wanted,
                                    ws->worker.near);
    for (size_t i = 0; i < end->count; i++) {
        uint32_t node = (uint32_t)ws->worker.near[i].id;
        const double *state = gz_state_list_at(&ws->map->nodes, node);
        end->near[i] = (joint_to){
            .node = node, .length = gz_plan_space_distance(&ws->map->space, end->state, state)};
    }
}

static graze_status test_motion(query *q, const double *from, const double *to,
                                gz_motion_block *found) {
    q->result->motions++;
    return gz_roadmap_test_motion(&q->ws->worker, q->ws->map, from, to, found, q->error);
}

/// Joins an end to a node, in the direction of the path.
static graze_status join(query *q, int end, joint_to *j) {
    if (j->tested) return GRAZE_OK;
    const double *state = q->ws->ends[end].state;
    const double *node = gz_state_list_at(&q->ws->map->nodes, j->node);
    j->tested = true;
    return test_motion(q, end ? node : state, end ? state : node, &j->found);
}

static bool is_usable(const joint_to *j) {
    return !j->tested || j->found.block == GZ_BLOCK_NONE;
}

/// The pair of nodes that are not known to be blocked, have a way between them, and are together
/// nearest to start and goal; false where there is none.
static bool best_pair(const query *q, joint_to *pair[2]) {
    const uint32_t *component = q->ws->map->graph.component;
    query_end *ends = q->ws->ends;
    pair[0] = NULL;
    for (size_t i = 0; i < ends[0].count; i++) {
        joint_to *a = &ends[0].near[i];
        if (!is_usable(a)) continue;
        for (size_t k = 0; k < ends[1].count; k++) {
            joint_to *b = &ends[1].near[k];
            if (!is_usable(b) || component[a->node] != component[b->node]) continue;
            if (pair[0] && !(a->length + b->length < pair[0]->length + pair[1]->length)) continue;
            pair[0] = a;
            pair[1] = b;
        }
    }
    return pair[0] != NULL;
}

/// The pair that blocks most of an end's motions, the lowest of several.
static void name_blocker(query *q, const query_end *end) {
    for (size_t i = 0; i < end->count; i++) {
        uint64_t count = 0;
        const graze_contact *a = &end->near[i].found.contact;
        for (size_t k = 0; k < end->count; k++) {
            const graze_contact *b = &end->near[k].found.contact;
            count += a->kind == b->kind && a->link == b->link && a->other == b->other;
        }
        if (count <= q->result->blocked) continue;
        q->result->blocked = count;
        q->result->contact = *a;
    }
}

/// Why no pair was found: an end that can be joined to no node, or else parts of the roadmap that
/// are apart.
static graze_status explain(query *q) {
    for (int end = 0; end < 2; end++) {
        query_end *e = &q->ws->ends[end];
        bool joined = false;
        for (size_t i = 0; i < e->count && !joined; i++) {
            if (is_over(q)) return GRAZE_OK;
            GZ_TRY(join(q, end, &e->near[i]));
            joined = e->near[i].found.block == GZ_BLOCK_NONE;
        }
        if (joined) continue;
        q->result->outcome = end ? GRAZE_ROADMAP_GOAL_ALONE : GRAZE_ROADMAP_START_ALONE;
        name_blocker(q, e);
        return GRAZE_OK;
    }
    q->result->outcome = GRAZE_ROADMAP_APART;
    return GRAZE_OK;
}

// -------------------------------------------------------------------------------------- the search

/// Whether a node comes before another: by the length of the way through it, then by its number.
static bool before(const graze_roadmap_workspace *ws, uint32_t a, uint32_t b) {
    return ws->totals[a] < ws->totals[b] || (ws->totals[a] == ws->totals[b] && a < b);
}

static void put(graze_roadmap_workspace *ws, size_t place, uint32_t node) {
    ws->heap[place] = node;
    ws->places[node] = (int32_t)place;
}

static void rise(graze_roadmap_workspace *ws, size_t place, uint32_t node) {
    for (; place > 0; place = (place - 1) / 2) {
        uint32_t above = ws->heap[(place - 1) / 2];
        if (!before(ws, node, above)) break;
        put(ws, place, above);
    }
    put(ws, place, node);
}

static uint32_t take_first(graze_roadmap_workspace *ws) {
    uint32_t first = ws->heap[0], last = ws->heap[--ws->heap_count];
    size_t place = 0, count = ws->heap_count;
    ws->places[first] = CLOSED;
    if (count == 0) return first;
    for (;;) {
        size_t below = 2 * place + 1;
        if (below >= count) break;
        if (below + 1 < count && before(ws, ws->heap[below + 1], ws->heap[below])) below++;
        if (!before(ws, ws->heap[below], last)) break;
        put(ws, place, ws->heap[below]);
        place = below;
    }
    put(ws, place, last);
    return first;
}

/// A way of this length to a node was found.
static void relax(graze_roadmap_workspace *ws, uint32_t node, uint32_t parent, double cost,
                  const double *goal) {
    bool known = ws->stamps[node] == ws->stamp;
    if (known && (ws->places[node] == CLOSED || !(cost < ws->costs[node]))) return;
    const gz_plan_space *space = &ws->map->space;
    double left = known ? ws->totals[node] - ws->costs[node]
                        : gz_plan_space_distance(space, gz_state_list_at(&ws->map->nodes, node),
                                                 goal);
    size_t place = known ? (size_t)ws->places[node] : ws->heap_count++;
    ws->stamps[node] = ws->stamp;
    ws->parents[node] = parent;
    ws->costs[node] = cost;
    ws->totals[node] = cost + left;
    rise(ws, place, node);
}

static void trace(graze_roadmap_workspace *ws, uint32_t first, uint32_t last) {
    size_t count = 1;
    for (uint32_t n = last; n != first; n = ws->parents[n]) count++;
    ws->path_count = count;
    for (uint32_t n = last; count > 0; n = ws->parents[n]) ws->path[--count] = n;
}

/// A* from node to node; there is a way.
static void search(query *q, uint32_t first, uint32_t last) {
    graze_roadmap_workspace *ws = q->ws;
    const gz_roadmap_graph *g = &ws->map->graph;
    const double *goal = gz_state_list_at(&ws->map->nodes, last);
    uint64_t most = q->options->max_iterations;
    if (++ws->stamp == 0) { // nodes reached 2^32 queries ago
        memset(ws->stamps, 0, ws->map->nodes.count * sizeof *ws->stamps);
        ws->stamp = 1;
    }
    ws->heap_count = 0;
    relax(ws, first, first, 0, goal);
    while (ws->heap_count) {
        uint32_t node = take_first(ws);
        if (node == last) {
            trace(ws, first, last);
            ws->found = true;
            return;
        }
        if (most && q->result->iterations >= most) {
            q->result->outcome = GRAZE_ROADMAP_ITERATIONS;
            return;
        }
        if (++q->result->iterations % 256 == 0 && is_over(q)) return;
        for (uint32_t k = g->first[node]; k < g->first[node + 1]; k++)
            relax(ws, g->to[k], node, ws->costs[node] + g->lengths[k], goal);
    }
}

/// Joins start and goal to the first pair of nodes whose motions are proved free within the budget;
/// *pair[0] is NULL, or the outcome another, where there is none.
static graze_status join_ends(query *q, joint_to *pair[2]) {
    while (best_pair(q, pair)) {
        if (is_over(q)) return GRAZE_OK;
        for (int i = 0; i < 2; i++) {
            GZ_TRY(join(q, i, pair[i]));
            if (pair[i]->found.block != GZ_BLOCK_NONE) break;
        }
        if (is_usable(pair[0]) && is_usable(pair[1])) return GRAZE_OK;
    }
    return GRAZE_OK;
}

/// Forgets the motions for which the budget was too small, and takes it away.
static bool lift_budget(query *q) {
    size_t again = 0;
    q->ws->worker.budget = 0;
    for (int end = 0; end < 2; end++)
        for (size_t i = 0; i < q->ws->ends[end].count; i++) {
            joint_to *j = &q->ws->ends[end].near[i];
            if (!j->tested || j->found.block != GZ_BLOCK_UNKNOWN) continue;
            j->tested = false;
            again++;
        }
    return again > 0;
}

static graze_status find_path(query *q) {
    graze_roadmap_workspace *ws = q->ws;
    gz_motion_block straight;
    joint_to *pair[2];
    const double *start = ws->ends[0].state, *goal = ws->ends[1].state;
    ws->worker.budget = STRAIGHT * q->options->budget;
    GZ_TRY(test_motion(q, start, goal, &straight));
    ws->worker.budget = q->options->budget;
    if (straight.block == GZ_BLOCK_NONE) {
        ws->found = true;
        q->result->length = gz_plan_space_distance(&ws->map->space, start, goal);
        return GRAZE_OK;
    }
    for (int i = 0; i < 2; i++) list_near(q, &ws->ends[i]);
    GZ_TRY(join_ends(q, pair));
    if (!pair[0] && lift_budget(q)) GZ_TRY(join_ends(q, pair));
    if (q->result->outcome != GRAZE_ROADMAP_FOUND) return GRAZE_OK;
    if (!pair[0]) return explain(q);
    search(q, pair[0]->node, pair[1]->node);
    if (ws->found) q->result->length = pair[0]->length + ws->costs[pair[1]->node] + pair[1]->length;
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------------- the query

GZ_OUT_OF_LINE static graze_status find(query *q, const double *start, const double *start_base,
                                        const double *goal, const double *goal_base) {
    graze_roadmap_workspace *ws = q->ws;
    const graze_roadmap *map = ws->map;
    const graze_robot *robot = graze_checker_robot(map->checker);
    const double *values[2] = {start, goal}, *bases[2] = {start_base, goal_base};
    ws->found = false;
    ws->path_count = 0;
    if (!start || !goal) return gz_fail(q->error, GRAZE_ERROR_ARGUMENT, "start or goal is NULL");
    for (int i = 0; i < 2; i++) {
        if (!bases[i]) bases[i] = map->space.base_fixed;
        GZ_TRY(gz_plan_check_numbers(robot, i ? "goal" : "start", values[i], bases[i], q->error));
    }
    for (int i = 0; i < 2; i++)
        if (is_unfit(q, i, values[i], bases[i])) return GRAZE_OK;
    for (int i = 0; i < 2 && q->result->outcome == GRAZE_ROADMAP_FOUND; i++) {
        gz_plan_space_read(&map->space, values[i], bases[i], ws->ends[i].state);
        GZ_TRY(check_end(q, i));
    }
    if (q->result->outcome != GRAZE_ROADMAP_FOUND || is_over(q)) return GRAZE_OK;
    GZ_TRY(find_path(q));
    if (ws->found) q->result->waypoints = ws->path_count + 2;
    return GRAZE_OK;
}

static graze_status read_query(const graze_roadmap_workspace *ws,
                               const graze_roadmap_query *options, graze_roadmap_query *out,
                               graze_error *error) {
    if (!ws) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "workspace is NULL");
    GZ_TRY(GZ_OPTIONS_READ(graze_roadmap_query, out, options, error));
    uint32_t most = ws->map->settings.neighbours;
    if (out->neighbours > most)
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "neighbours is %u; allowed: those of the roadmap's nodes, %u",
                       (unsigned)out->neighbours, (unsigned)most);
    if (!(out->max_seconds > 0))
        return gz_fail(error, GRAZE_ERROR_RANGE, "max_seconds is %g; allowed: above 0",
                       out->max_seconds);
    return GRAZE_OK;
}

graze_status graze_roadmap_find_sized(graze_roadmap_workspace *workspace, const double *start,
                                      const double *start_base, const double *goal,
                                      const double *goal_base, const graze_roadmap_query *options,
                                      graze_roadmap_result *result, size_t size,
                                      graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    graze_roadmap_query o;
    graze_roadmap_result own = {.joint = -1};
    if (!result || size < offsetof(graze_roadmap_result, motions))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "result is NULL or too short");
    query q = {.ws = workspace, .options = &o, .result = &own, .error = error};
    graze_status status = read_query(workspace, options, &o, error);
    if (status == GRAZE_OK) {
        q.budget = (gz_budget){
            .start = gz_monotonic_seconds(), .max_seconds = o.max_seconds, .cancel = o.cancel};
        status = find(&q, start, start_base, goal, goal_base);
        own.seconds = gz_monotonic_seconds() - q.budget.start;
    }
    if (status != GRAZE_OK)
        own = (graze_roadmap_result){.outcome = GRAZE_ROADMAP_APART, .joint = -1};
    gz_fill(result, size, &own, sizeof own);
    if (status == GRAZE_OK) gz_error_clear(error);
    return status;
}

// ------------------------------------------------------------------------------------ the path

static const double *waypoint(const graze_roadmap_workspace *ws, size_t i) {
    if (i == 0) return ws->ends[0].state;
    if (i > ws->path_count) return ws->ends[1].state;
    return gz_state_list_at(&ws->map->nodes, ws->path[i - 1]);
}

graze_status graze_roadmap_waypoint(const graze_roadmap_workspace *ws, size_t index, double *q,
                                    double base[6]) {
    if (!ws || !q || !base || !ws->found || index >= ws->path_count + 2)
        return GRAZE_ERROR_ARGUMENT;
    gz_plan_space_write(&ws->map->space, waypoint(ws, index), q, base);
    return GRAZE_OK;
}

graze_status graze_roadmap_path(graze_path **out, const graze_roadmap_workspace *ws,
                                graze_error *error) {
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    if (!ws || !ws->found)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "workspace is NULL, or has found no path");
    gz_state_list states = gz_state_list_make(ws->map->space.dimension);
    bool ok = true;
    for (size_t i = 0; ok && i < ws->path_count + 2; i++)
        ok = gz_state_list_add(&states, waypoint(ws, i));
    if (ok) *out = gz_path_make(&ws->map->space, &states);
    gz_state_list_free(&states);
    return *out ? GRAZE_OK : gz_fail_memory(error);
}
