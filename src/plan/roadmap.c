// Roadmaps: nodes by a seed, their neighbours, and the graph of the edges that are free.
#include "graze/roadmap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "plan/roadmap_internal.h"

static graze_roadmap_options default_options(void) {
    return (graze_roadmap_options){.struct_size = sizeof(graze_roadmap_options),
                                   .base_max = {-1, -1},
                                   .nodes = 1000,
                                   .threads = 1,
                                   .seed = 1,
                                   .max_samples = 100000000,
                                   .max_seconds = INFINITY,
                                   .resolution = 1e-3};
}

GZ_OPTIONS_INIT(graze_roadmap_options, default_options)

enum { SAMPLES = 4096 }; ///< that are looked at together, at most

// --------------------------------------------------------------------------------------- options

graze_status gz_roadmap_check_limits(const graze_roadmap_options *o, graze_error *error) {
    if (!(o->max_seconds > 0))
        return gz_fail(error, GRAZE_ERROR_RANGE, "max_seconds is %g; allowed: above 0",
                       o->max_seconds);
    return GRAZE_OK;
}

static graze_status check_options(const graze_roadmap_options *o, graze_error *error) {
    GZ_TRY(gz_roadmap_check_limits(o, error));
    if (o->nodes < 2 || o->nodes > GZ_ROADMAP_NODES)
        return gz_fail(error, GRAZE_ERROR_RANGE, "nodes is %llu; allowed: 2 to %d",
                       (unsigned long long)o->nodes, GZ_ROADMAP_NODES);
    if (o->neighbours >= o->nodes)
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "neighbours is %u; allowed: fewer than the %llu nodes",
                       (unsigned)o->neighbours, (unsigned long long)o->nodes);
    if (!(o->resolution > 0))
        return gz_fail(error, GRAZE_ERROR_RANGE, "resolution is %g m; allowed: above 0",
                       o->resolution);
    if (!o->columns && o->column_count)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "columns is NULL, and column_count %zu",
                       o->column_count);
    return GRAZE_OK;
}

static graze_status make_space(graze_roadmap *map, const double *q, const double *base,
                               const graze_roadmap_options *o, graze_error *error) {
    graze_plan_options plan = graze_plan_options_default();
    plan.planar_base = o->planar_base;
    plan.columns = o->columns;
    plan.column_count = o->column_count;
    memcpy(plan.base_min, o->base_min, sizeof plan.base_min);
    memcpy(plan.base_max, o->base_max, sizeof plan.base_max);
    GZ_TRY(gz_plan_space_make(&map->space, map->checker, q, base, q, base, &plan, error));
    if (map->space.dimension == 0)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "no joint varies; allowed: at least one");
    for (int i = 0; o->planar_base && i < 2; i++) {
        map->settings.base_min[i] = map->space.axes[i].low;
        map->settings.base_max[i] = map->space.axes[i].high;
    }
    return GRAZE_OK;
}

graze_status gz_roadmap_begin(graze_roadmap **out, const graze_checker *checker, const double *q,
                              const double *base, const graze_roadmap_options *options,
                              graze_error *error) {
    graze_roadmap *map = gz_calloc(1, sizeof *map);
    *out = map;
    if (!map) return gz_fail_memory(error);
    map->checker = checker;
    map->settings = *options;
    map->settings.columns = NULL;
    map->settings.cancel = NULL;
    GZ_TRY(make_space(map, q, base, options, error));
    map->nodes = gz_state_list_make(map->space.dimension);
    return GRAZE_OK;
}

void graze_roadmap_free(graze_roadmap *map) {
    if (!map) return;
    gz_plan_space_free(&map->space);
    gz_state_list_free(&map->nodes);
    gz_identity_free(&map->identity);
    gz_neighbours_free(map->nearest);
    gz_free(map->graph.first);
    gz_free(map->graph.to);
    gz_free(map->graph.lengths);
    gz_free(map->graph.component);
    gz_free(map->ends);
    gz_free(map->blocks);
    gz_free(map->hits);
    gz_free(map);
}

// ----------------------------------------------------------------------------------------- nodes

/// Samples of one round.
typedef struct sampling {
    graze_roadmap *map;
    uint64_t first; ///< number of the round's first sample
    double *states;
    bool *usable;
    const graze_checker *checker; ///< without a world
} sampling;

/// A sample depends on the seed and its number alone, and whether it is used on the robot besides.
static graze_status draw(void *user, gz_roadmap_worker *w, size_t i, graze_error *error) {
    sampling *s = user;
    const gz_plan_space *space = &s->map->space;
    double *state = s->states + i * space->dimension;
    gz_random random = gz_random_make(s->map->settings.seed, s->first + i);
    gz_plan_space_sample(space, &random, state);
    gz_plan_space_write(space, state, w->q, w->base);
    s->usable[i] = false;
    if (graze_robot_limits_violated(graze_checker_robot(s->checker), w->q, NULL, 0))
        return GRAZE_OK; // of mimic joints
    graze_report report = {0};
    graze_status status = graze_check(s->checker, w->check, GRAZE_ANSWER_ANY, w->q, space->q_size,
                                      w->base, &report, error);
    if (status == GRAZE_ERROR_RANGE) return GRAZE_OK; // outside of the domain
    s->usable[i] = status == GRAZE_OK && report.verdict == GRAZE_FREE;
    return status;
}

static graze_status too_few(const graze_roadmap *map, graze_error *error) {
    return gz_fail(error, GRAZE_ERROR_LIMIT,
                   "max_samples is used up: %zu of %llu nodes after %llu samples", map->nodes.count,
                   (unsigned long long)map->settings.nodes, (unsigned long long)map->samples);
}

/// Takes the usable samples of a round in their order, until there are enough nodes.
static graze_status take_round(sampling *job, size_t count, graze_error *error) {
    graze_roadmap *map = job->map;
    for (size_t i = 0; i < count && map->nodes.count < map->settings.nodes; i++) {
        map->samples = job->first + i + 1;
        if (job->usable[i] &&
            !gz_state_list_add(&map->nodes, job->states + i * map->space.dimension))
            return gz_fail_memory(error);
    }
    return GRAZE_OK;
}

static graze_status draw_rounds(sampling *s, const graze_roadmap_options *o, double deadline,
                                graze_error *error) {
    graze_roadmap *map = s->map;
    gz_roadmap_job job = {.map = map,
                          .checker = s->checker,
                          .options = o,
                          .deadline = deadline,
                          .item = "sample",
                          .user = s,
                          .run = draw};
    while (map->nodes.count < o->nodes) {
        uint64_t left = o->max_samples - map->samples;
        if (left == 0) return too_few(map, error);
        s->first = map->samples;
        job.count = left < SAMPLES ? (size_t)left : SAMPLES;
        GZ_TRY(gz_roadmap_run(&job, error));
        GZ_TRY(take_round(s, job.count, error));
    }
    return GRAZE_OK;
}

/// The first samples that are free of the robot itself. What the world has in the way is left to
/// the edges, so that nodes and neighbours stay when it changes.
static graze_status draw_nodes(graze_roadmap *map, const graze_roadmap_options *o, double deadline,
                               graze_error *error) {
    sampling job = {.map = map};
    graze_checker *alone = NULL;
    job.states = gz_malloc(SAMPLES * map->space.dimension, sizeof *job.states);
    job.usable = gz_malloc(SAMPLES, sizeof *job.usable);
    graze_status status = job.states && job.usable ? GRAZE_OK : gz_fail_memory(error);
    if (status == GRAZE_OK) status = graze_checker_with_world(&alone, map->checker, NULL, error);
    job.checker = alone;
    if (status == GRAZE_OK) status = draw_rounds(&job, o, deadline, error);
    graze_checker_free(alone);
    gz_free(job.states);
    gz_free(job.usable);
    return status;
}

// ------------------------------------------------------------------------------------ candidates

graze_status gz_roadmap_list_nodes(graze_roadmap *map, graze_error *error) {
    map->nearest = gz_neighbours_make(&map->space);
    bool ok = map->nearest != NULL;
    for (size_t i = 0; ok && i < map->nodes.count; i++)
        ok = gz_neighbours_add(map->nearest, gz_state_list_at(&map->nodes, i));
    return ok ? GRAZE_OK : gz_fail_memory(error);
}

/// PRM* (Karaman and Frazzoli, "Sampling-based algorithms for optimal motion planning", IJRR 2011):
/// e (1 + 1 / d) ln n. It is never near a whole number by less than the rounding of a logarithm.
static uint32_t neighbour_count(const graze_roadmap *map) {
    size_t freedom = map->space.dimension;
    for (size_t i = 0; i < map->space.dimension; i += gz_column_width(map->space.axes[i].kind))
        freedom -= map->space.axes[i].kind == GRAZE_Q_ROTATION;
    double n = (double)map->settings.nodes;
    double k = ceil(2.7182818284590452 * (1 + 1 / (double)freedom) * log(n));
    return (uint32_t)fmin(k, n - 1);
}

static int compare_ends(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
    return (x[1] > y[1]) - (x[1] < y[1]);
}

typedef struct joining {
    const graze_roadmap *map;
    uint32_t *ends; ///< of each node with its neighbours; nobody is left out
} joining;

static graze_status join_node(void *user, gz_roadmap_worker *w, size_t i, graze_error *error) {
    (void)error;
    const joining *j = user;
    size_t k = j->map->settings.neighbours, count = 0;
    // One more: the node itself, which need not be the first where others stand in its place.
    size_t found = gz_neighbours_list(j->map->nearest, gz_state_list_at(&j->map->nodes, i), w->key,
                                      k + 1, w->near);
    uint32_t *ends = j->ends + 2 * i * k, self = (uint32_t)i;
    for (size_t n = 0; n < found && count < k; n++) {
        uint32_t other = (uint32_t)w->near[n].id;
        if (other == self) continue;
        ends[2 * count] = other < self ? other : self;
        ends[2 * count++ + 1] = other < self ? self : other;
    }
    return GRAZE_OK;
}

/// The pairs of neighbours, each once, in ascending order.
static graze_status join_nodes(graze_roadmap *map, const graze_roadmap_options *o, double deadline,
                               graze_error *error) {
    size_t nodes = map->nodes.count, all = nodes * map->settings.neighbours;
    if (all > GZ_ROADMAP_EDGES)
        return gz_fail(error, GRAZE_ERROR_LIMIT, "%zu nodes with %u neighbours; allowed: %d pairs",
                       nodes, (unsigned)map->settings.neighbours, GZ_ROADMAP_EDGES);
    map->ends = gz_malloc(2 * all, sizeof *map->ends);
    if (!map->ends) return gz_fail_memory(error);
    joining joining_all = {map, map->ends};
    const gz_roadmap_job job = {.map = map,
                                .checker = map->checker,
                                .options = o,
                                .deadline = deadline,
                                .count = nodes,
                                .item = "node",
                                .user = &joining_all,
                                .run = join_node};
    GZ_TRY(gz_roadmap_run(&job, error));
    qsort(map->ends, all, 2 * sizeof *map->ends, compare_ends);
    for (size_t i = 0; i < all; i++) {
        const uint32_t *pair = map->ends + 2 * i;
        size_t kept = map->edge_count;
        if (kept && compare_ends(map->ends + 2 * kept - 2, pair) == 0) continue;
        memmove(map->ends + 2 * map->edge_count++, pair, 2 * sizeof *pair);
    }
    uint32_t *shorter = gz_realloc(map->ends, 2 * map->edge_count, sizeof *map->ends);
    if (shorter) map->ends = shorter;
    map->blocks = gz_malloc(map->edge_count, sizeof *map->blocks);
    map->hits = gz_malloc(map->edge_count, sizeof *map->hits);
    return map->blocks && map->hits ? GRAZE_OK : gz_fail_memory(error);
}

// -------------------------------------------------------------------------------------- building

/// About what a roadmap takes, before any of it is allocated.
static graze_status check_bytes(const graze_roadmap *map, graze_error *error) {
    uint64_t limit = map->settings.max_bytes;
    double row = (double)map->space.dimension * (sizeof(double) + 2 * sizeof(float)) + 32;
    double pair = 2 * sizeof(uint32_t) + sizeof(int32_t) + sizeof(float) +
                  2 * (sizeof(uint32_t) + sizeof(double));
    double bytes = (double)map->settings.nodes * (row + map->settings.neighbours * pair);
    if (limit == 0 || bytes <= (double)limit) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_LIMIT,
                   "%llu nodes with %u neighbours may take %.0f bytes; allowed by max_bytes: %llu",
                   (unsigned long long)map->settings.nodes, (unsigned)map->settings.neighbours,
                   bytes, (unsigned long long)limit);
}

static graze_status fill(graze_roadmap *map, const graze_roadmap_options *o, graze_error *error) {
    const double deadline = gz_monotonic_seconds() + o->max_seconds;
    if (map->settings.neighbours == 0) map->settings.neighbours = neighbour_count(map);
    GZ_TRY(check_bytes(map, error));
    GZ_TRY(gz_identity_make(&map->identity, map->checker, error));
    GZ_TRY(draw_nodes(map, o, deadline, error));
    GZ_TRY(gz_roadmap_list_nodes(map, error));
    GZ_TRY(join_nodes(map, o, deadline, error));
    GZ_TRY(gz_roadmap_test_edges(map, o, deadline, error));
    return gz_roadmap_finish(map, error);
}

/// What the caller gives of a configuration, at rest where that is nothing; *made is to be freed.
static graze_status read_place(const graze_robot *robot, const double *q, const double *base,
                               double **made, double place[6], graze_error *error) {
    static const double identity[6] = {0};
    size_t n = graze_robot_q_size(robot);
    memcpy(place, base ? base : identity, sizeof identity);
    *made = gz_malloc(n, sizeof **made);
    if (!*made) return gz_fail_memory(error);
    if (!q)
        graze_robot_rest(robot, *made);
    else if (n)
        memcpy(*made, q, n * sizeof *q);
    return gz_plan_check_numbers(robot, "configuration", *made, place, error);
}

GZ_OUT_OF_LINE static graze_status build(graze_roadmap **out, const graze_checker *checker,
                                         const double *q, const double *base,
                                         const graze_roadmap_options *options, graze_error *error) {
    graze_roadmap_options o;
    double *rest = NULL, place[6];
    if (!checker) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "checker is NULL");
    GZ_TRY(GZ_OPTIONS_READ(graze_roadmap_options, &o, options, error));
    GZ_TRY(check_options(&o, error));
    graze_roadmap *map = NULL;
    graze_status status = read_place(graze_checker_robot(checker), q, base, &rest, place, error);
    if (status == GRAZE_OK) status = gz_roadmap_begin(&map, checker, rest, place, &o, error);
    gz_free(rest);
    if (status == GRAZE_OK) status = fill(map, &o, error);
    if (status == GRAZE_OK) {
        *out = map;
        gz_error_clear(error);
    } else {
        graze_roadmap_free(map);
    }
    return status;
}

graze_status graze_roadmap_build(graze_roadmap **out, const graze_checker *checker, const double *q,
                                 const double *base, const graze_roadmap_options *options,
                                 graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL");
    *out = NULL;
    return build(out, checker, q, base, options, error);
}
