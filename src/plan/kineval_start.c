// Random starts for the planning exercise of KinEval. Its worlds have enclosed regions from which
// the goal cannot be reached. So the floor is searched from the goal on a grid, with the robot in
// its rest configuration, and only starts connected to the goal are returned.

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "base/heap.h"
#include "base/memory.h"
#include "plan/plan_internal.h"

enum { YAWS = 8, DRAWS = 100000, SIDE = 160 };

// Grid points a fifth of a metre apart: less than the width of any robot base of the exercise, so
// that the search does not pass through walls. Floors beyond SIDE points a side get a coarser grid.
static const double spacing = 0.2;

/// Grid poses of the base on the floor: SIDE x SIDE at most, times YAWS. The goal is at the origin,
/// a grid point.
typedef struct floor_grid {
    double low[2], step;
    int32_t count[2];
    int32_t goal;
    uint8_t *seen; ///< per place: 0 not tested, BLOCKED or REACHED
    gz_heap open;  ///< places reached whose neighbours are not tested, by distance to the target
    int32_t target;
} floor_grid;

enum { BLOCKED = 1, REACHED = 2 };

typedef struct drawer {
    const graze_checker *checker;
    const graze_robot *robot;
    graze_workspace *workspace;
    size_t q_size;
    double *rest;
    floor_grid grid;
    double low[3], high[3]; ///< the boundary
} drawer;

static int32_t place(const floor_grid *g, int32_t x, int32_t y, int32_t yaw) {
    return (y * g->count[0] + x) * YAWS + yaw;
}

static void place_base(const floor_grid *g, int32_t at, double base[6]) {
    int32_t yaw = at % YAWS, x = at / YAWS % g->count[0], y = at / YAWS / g->count[0];
    double pose[6] = {g->low[0] + g->step * x,
                      g->low[1] + g->step * y,
                      0,
                      0,
                      0,
                      gz_wrap_angle(2 * GZ_PI * yaw / YAWS)};
    memcpy(base, pose, sizeof pose);
}

/// The place nearest to a base pose, or -1.
static int32_t nearest_place(const floor_grid *g, const double base[6]) {
    double x = floor((base[0] - g->low[0]) / g->step + 0.5);
    double y = floor((base[1] - g->low[1]) / g->step + 0.5);
    if (!(x >= 0 && x < g->count[0] && y >= 0 && y < g->count[1])) return -1;
    int32_t yaw = (int32_t)floor(base[5] * YAWS / (2 * GZ_PI) + 0.5 + YAWS) % YAWS;
    return place(g, (int32_t)x, (int32_t)y, yaw);
}

static graze_status make_grid(drawer *d, graze_error *error) {
    floor_grid *g = &d->grid;
    g->step = fmax(spacing, fmax(d->high[0] - d->low[0], d->high[1] - d->low[1]) / (SIDE - 2));
    double home[6] = {0, 0, 0, 0, 0, 0};
    for (int i = 0; i < 2; i++) {
        // Whole steps from the origin to the first place inside.
        g->low[i] = ceil(d->low[i] / g->step) * g->step;
        g->count[i] = (int32_t)floor((d->high[i] - g->low[i]) / g->step) + 1;
    }
    g->goal = g->count[0] > 0 && g->count[1] > 0 ? nearest_place(g, home) : -1;
    if (g->goal < 0)
        return gz_fail(error, GRAZE_ERROR_SCHEMA,
                       "the origin, where the goal is, lies outside the world's boundary");
    size_t places = (size_t)g->count[0] * (size_t)g->count[1] * YAWS;
    g->seen = gz_calloc(places, 1);
    return g->seen ? GRAZE_OK : gz_fail_memory(error);
}

static graze_status is_free(drawer *d, const double *q, const double base[6], bool *free,
                            graze_error *error) {
    graze_report report = {0};
    graze_status status = graze_check(d->checker, d->workspace, GRAZE_ANSWER_ANY, q, d->q_size,
                                      base, &report, error);
    *free = status == GRAZE_OK && report.verdict == GRAZE_FREE;
    return status;
}

/// Squared distance of a place from the target, in steps; a yaw step counts as one.
static int64_t distance_to_target(const floor_grid *g, int32_t at) {
    int64_t x = at / YAWS % g->count[0] - g->target / YAWS % g->count[0];
    int64_t y = at / YAWS / g->count[0] - g->target / YAWS / g->count[0];
    int64_t yaw = (at - g->target + YAWS) % YAWS;
    if (yaw > YAWS / 2) yaw = YAWS - yaw;
    return x * x + y * y + yaw * yaw;
}

static bool push(floor_grid *g, int32_t where) {
    return gz_heap_push(&g->open, (double)distance_to_target(g, where), (uint32_t)where);
}

/// Tests the neighbours of a place, one step in x, y or yaw away, and pushes those that are free.
static graze_status expand(drawer *d, int32_t at, graze_error *error) {
    static const int32_t steps[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                        {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    floor_grid *g = &d->grid;
    int32_t yaw = at % YAWS, x = at / YAWS % g->count[0], y = at / YAWS / g->count[0];
    for (int i = 0; i < 6; i++) {
        int32_t nx = x + steps[i][0], ny = y + steps[i][1];
        if (nx < 0 || nx >= g->count[0] || ny < 0 || ny >= g->count[1]) continue;
        int32_t next = place(g, nx, ny, (yaw + steps[i][2] + YAWS) % YAWS);
        if (g->seen[next]) continue;
        double base[6];
        place_base(g, next, base);
        bool free;
        GZ_TRY(is_free(d, d->rest, base, &free, error));
        g->seen[next] = free ? REACHED : BLOCKED;
        if (free && !push(g, next)) return gz_fail_memory(error);
    }
    return GRAZE_OK;
}

/// Whether the robot at rest can move from the goal to a place: greedy best-first search, which
/// continues that for the last candidate.
static graze_status connect(drawer *d, int32_t target, bool *reached, graze_error *error) {
    floor_grid *g = &d->grid;
    *reached = false;
    if (target < 0) return GRAZE_OK;
    g->target = target;
    for (size_t i = 0; i < g->open.count; i++)
        g->open.entries[i].key = (double)distance_to_target(g, (int32_t)g->open.entries[i].item);
    gz_heap_order(&g->open);
    while (!g->seen[target] && g->open.count)
        GZ_TRY(expand(d, (int32_t)gz_heap_pop(&g->open).item, error));
    *reached = g->seen[target] == REACHED;
    return GRAZE_OK;
}

/// Draws configurations until one is free and connected to the goal.
static graze_status draw(drawer *d, uint64_t seed, const gz_plan_space *space, double *q,
                         double base[6], graze_error *error) {
    double *state = gz_malloc(space->dimension, sizeof(double));
    if (!state) return gz_fail_memory(error);
    gz_random random = gz_random_make(seed, 0);
    graze_status status = GRAZE_OK;
    bool found = false;
    for (int i = 0; i < DRAWS && !found && status == GRAZE_OK; i++) {
        gz_plan_space_sample(space, &random, state);
        gz_plan_space_write(space, state, q, base);
        status = is_free(d, q, base, &found, error);
        if (found) status = connect(d, nearest_place(&d->grid, base), &found, error);
    }
    gz_free(state);
    if (status == GRAZE_OK && !found)
        return gz_fail(error, GRAZE_ERROR_LIMIT,
                       "none of %d random configurations is free and connected to the goal", DRAWS);
    return status;
}

static graze_status prepare(drawer *d, graze_error *error) {
    d->rest = gz_malloc(d->q_size, sizeof(double));
    if (!d->rest) return gz_fail_memory(error);
    graze_robot_rest(d->robot, d->rest);
    bool free;
    GZ_TRY(graze_workspace_create(&d->workspace, d->checker, error));
    GZ_TRY(is_free(d, d->rest, NULL, &free, error));
    if (!free)
        return gz_fail(error, GRAZE_ERROR_SCHEMA,
                       "the rest configuration at the origin, which is the goal, is in collision");
    GZ_TRY(make_grid(d, error));
    d->grid.seen[d->grid.goal] = REACHED;
    return push(&d->grid, d->grid.goal) ? GRAZE_OK : gz_fail_memory(error);
}

graze_status graze_plan_kineval_start(const graze_checker *checker, uint64_t seed, double *q,
                                      double base[6], graze_error *error) {
    GZ_ENTER(error);
    if (!checker || !base) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "checker or base is NULL");
    drawer d = {.checker = checker, .robot = graze_checker_robot(checker)};
    d.q_size = graze_robot_q_size(d.robot);
    if (!q && d.q_size) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "q is NULL");
    const graze_world *world = graze_checker_world(checker);
    if (!world || !graze_world_boundary(world, d.low, d.high))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "the checker's world has no boundary; allowed: a world with one");
    graze_plan_options options = graze_plan_options_default();
    options.planar_base = 1;
    gz_plan_space space = {0};
    graze_status status = prepare(&d, error);
    if (status == GRAZE_OK)
        status = gz_plan_space_make(&space, checker, d.rest, NULL, d.rest, NULL, &options, error);
    if (status == GRAZE_OK) status = draw(&d, seed, &space, q, base, error);
    gz_plan_space_free(&space);
    graze_workspace_free(d.workspace);
    gz_free(d.grid.seen);
    gz_free(d.grid.open.entries);
    gz_free(d.rest);
    return status;
}
