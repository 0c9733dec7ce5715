// Finished paths, and shortening them.

#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "base/memory.h"
#include "plan/plan_internal.h"

/// The distance between states i - 1 and i of a path.
static double path_step(const gz_plan_space *space, const gz_state_list *path, size_t i) {
    return gz_plan_space_distance(space, gz_state_list_at(path, i - 1), gz_state_list_at(path, i));
}

graze_path *gz_path_make(const gz_plan_space *space, const gz_state_list *states) {
    graze_path *path = gz_calloc(1, sizeof *path);
    if (!path) return NULL;
    path->states = gz_state_list_make(space->dimension);
    path->q = gz_malloc(states->count, (space->q_size + 1) * sizeof(double));
    path->base = gz_malloc(states->count, 6 * sizeof(double));
    if (!path->q || !path->base || !gz_plan_space_copy(&path->space, space) ||
        !gz_state_list_replace(&path->states, 0, 0, states)) {
        graze_path_free(path);
        return NULL;
    }
    for (size_t i = 0; i < states->count; i++)
        gz_plan_space_write(space, gz_state_list_at(states, i), path->q + i * space->q_size,
                            path->base + i * 6);
    return path;
}

void graze_path_free(graze_path *path) {
    if (!path) return;
    gz_plan_space_free(&path->space);
    gz_state_list_free(&path->states);
    gz_free(path->q);
    gz_free(path->base);
    gz_free(path);
}

size_t graze_path_count(const graze_path *path) {
    return path ? path->states.count : 0;
}

const double *graze_path_q(const graze_path *path, size_t i) {
    return i < graze_path_count(path) ? path->q + i * path->space.q_size : NULL;
}

const double *graze_path_base(const graze_path *path, size_t i) {
    return i < graze_path_count(path) ? path->base + i * 6 : NULL;
}

graze_status graze_path_interpolate(const graze_path *path, size_t i, double t, double *q,
                                    double base[6]) {
    GZ_FLOAT_ENVIRONMENT;
    if (!path || !base || (!q && path->space.q_size) || i >= path->states.count - 1)
        return GRAZE_ERROR_ARGUMENT;
    if (!(t >= 0 && t <= 1)) return GRAZE_ERROR_RANGE;
    double *state = gz_malloc(path->space.dimension, sizeof(double));
    if (!state) return GRAZE_ERROR_NO_MEMORY;
    gz_plan_space_interpolate(&path->space, gz_state_list_at(&path->states, i),
                              gz_state_list_at(&path->states, i + 1), t, state);
    gz_plan_space_write(&path->space, state, q, base);
    gz_free(state);
    return GRAZE_OK;
}

uint64_t graze_path_steps(const graze_path *path, size_t i, double resolution) {
    GZ_FLOAT_ENVIRONMENT;
    if (!path || i >= path->states.count - 1 || !(resolution > 0)) return 0;
    return gz_plan_space_steps(&path->space, path_step(&path->space, &path->states, i + 1),
                               resolution);
}

typedef struct shortener {
    gz_edges *edges;
    gz_state_list *path;
    double resolution;
    double *lengths; ///< from the start to each waypoint
    size_t length_capacity;
    gz_state_list ends; ///< the two states of a random shortcut
} shortener;

double gz_path_length(const gz_plan_space *space, const gz_state_list *path) {
    double sum = 0;
    for (size_t i = 1; i < path->count; i++) sum += path_step(space, path, i);
    return sum;
}

static gz_edge_verdict check_between(shortener *s, size_t i, size_t j) {
    return gz_edge_check(s->edges, gz_state_list_at(s->path, i), gz_state_list_at(s->path, j),
                         GZ_EDGE_NO_END, s->resolution);
}

/// Removes waypoints: joins each with the last one, or else the one half as far, a quarter as far
/// ... by the triangle inequality the straight motion is never longer.
static gz_edge_verdict skip_waypoints(shortener *s) {
    const gz_state_list nothing = {0};
    for (size_t i = 0; i + 2 < s->path->count; i++) {
        for (size_t ahead = s->path->count - 1 - i; ahead > 1; ahead /= 2) {
            gz_edge_verdict verdict = check_between(s, i, i + ahead);
            if (verdict == GZ_EDGE_STOPPED || verdict == GZ_EDGE_FAILED) return verdict;
            if (verdict != GZ_EDGE_FREE) continue;
            gz_state_list_replace(s->path, i + 1, i + ahead, &nothing); // shrinks: cannot fail
            break;
        }
    }
    return GZ_EDGE_FREE;
}

static gz_edge_verdict fail_memory(gz_edges *edges) {
    edges->status = gz_fail_memory(edges->error);
    return GZ_EDGE_FAILED;
}

static gz_edge_verdict measure(shortener *s) {
    if (!gz_array_reserve((void **)&s->lengths, &s->length_capacity, s->path->count,
                          sizeof(double)))
        return fail_memory(s->edges);
    s->lengths[0] = 0;
    for (size_t i = 1; i < s->path->count; i++)
        s->lengths[i] = s->lengths[i - 1] + path_step(s->edges->space, s->path, i);
    return GZ_EDGE_FREE;
}

/// The edge i -> i + 1 that contains the point `at` of the path, and the state there.
static size_t point_at(const shortener *s, double at, double *state) {
    size_t i = 0;
    while (i + 2 < s->path->count && s->lengths[i + 1] <= at) i++;
    double length = s->lengths[i + 1] - s->lengths[i];
    gz_plan_space_interpolate(s->edges->space, gz_state_list_at(s->path, i),
                              gz_state_list_at(s->path, i + 1),
                              length > 0 ? (at - s->lengths[i]) / length : 0, state);
    return i;
}

/// Tries one random shortcut. The parts of the edges that remain are checked as well, unless the
/// path is proved later: their configurations are not, bit for bit, those of the whole edges.
static gz_edge_verdict try_shortcut(shortener *s, gz_random *random, bool *changed) {
    const gz_plan_space *space = s->edges->space;
    double total = s->lengths[s->path->count - 1];
    double x = total * gz_random_unit(random), y = total * gz_random_unit(random);
    double *from = gz_state_list_at(&s->ends, 0), *to = gz_state_list_at(&s->ends, 1);
    size_t i = point_at(s, x < y ? x : y, from), j = point_at(s, x < y ? y : x, to);
    if (i == j) return GZ_EDGE_FREE;
    const double *before = gz_state_list_at(s->path, i), *after = gz_state_list_at(s->path, j + 1);
    double old = s->lengths[j + 1] - s->lengths[i];
    double length = gz_plan_space_distance(space, before, from) +
                    gz_plan_space_distance(space, from, to) +
                    gz_plan_space_distance(space, to, after);
    if (!(length < old * (1 - 1e-9))) return GZ_EDGE_FREE;

    gz_edge_verdict verdict = gz_edge_check(s->edges, from, to, GZ_EDGE_FROM | GZ_EDGE_TO,
                                            s->resolution);
    const bool proved_later = s->edges->motions && !s->edges->proves;
    if (verdict == GZ_EDGE_FREE && !proved_later)
        verdict = gz_edge_check(s->edges, before, from, GZ_EDGE_NO_END, s->resolution);
    if (verdict == GZ_EDGE_FREE && !proved_later)
        verdict = gz_edge_check(s->edges, to, after, GZ_EDGE_NO_END, s->resolution);
    if (verdict != GZ_EDGE_FREE) return verdict;
    *changed = true;
    bool ok = gz_state_list_replace(s->path, i + 1, j + 1, &s->ends);
    return ok ? measure(s) : fail_memory(s->edges);
}

static bool ends_it(gz_edge_verdict verdict) {
    return verdict == GZ_EDGE_STOPPED || verdict == GZ_EDGE_FAILED;
}

static gz_edge_verdict shorten(shortener *s, uint32_t rounds, gz_random *random) {
    bool changed = false;
    gz_edge_verdict verdict = skip_waypoints(s);
    if (!ends_it(verdict)) verdict = measure(s);
    for (uint32_t k = 0; k < rounds && s->path->count > 2 && !ends_it(verdict); k++)
        verdict = try_shortcut(s, random, &changed);
    return changed && !ends_it(verdict) ? skip_waypoints(s) : verdict;
}

graze_status gz_path_shorten(gz_edges *edges, gz_state_list *path, uint32_t rounds,
                             double resolution, gz_random *random) {
    if (rounds == 0 || path->count < 3) return GRAZE_OK;
    shortener s = {.edges = edges, .path = path, .resolution = resolution};
    s.ends = (gz_state_list){.dimension = edges->space->dimension, .count = 2};
    s.ends.values = gz_malloc(s.ends.dimension, 2 * sizeof(double));
    gz_edge_verdict verdict = s.ends.values ? shorten(&s, rounds, random) : fail_memory(edges);
    gz_free(s.ends.values);
    gz_free(s.lengths);
    return verdict == GZ_EDGE_FAILED ? edges->status : GRAZE_OK;
}
