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
    gz_state_list ends;  ///< the two states of a random shortcut
    gz_state_list piece; ///< them, and what is to lie between
} shortener;

/// A shortcut that saves less of the whole path is not worth its checks.
#define LEAST_GAIN 2e-3

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

/// A stretch of the path: from a place on edge i to one on edge j, both as lengths along the path.
typedef struct stretch {
    size_t i, j;
    double from, to;
} stretch;

/// Writes what could take the place of a stretch into s->piece: its two ends and, where an axis is
/// given (else -1), the waypoints between them with the values of that axis straight along the
/// stretch.
static bool make_piece(shortener *s, const stretch *w, ptrdiff_t axis) {
    const gz_plan_space *space = s->edges->space;
    const double *from = gz_state_list_at(&s->ends, 0), *to = gz_state_list_at(&s->ends, 1);
    s->piece.count = 0;
    if (!gz_state_list_add(&s->piece, from)) return false;
    for (size_t k = w->i + 1; axis >= 0 && k <= w->j; k++) {
        if (!gz_state_list_add(&s->piece, gz_state_list_at(s->path, k))) return false;
        double t = (s->lengths[k] - w->from) / (w->to - w->from);
        double *value = gz_state_list_at(&s->piece, s->piece.count - 1) + axis;
        if (t > 0 && t < 1)
            gz_column_between(space->axes[axis].kind, GRAZE_TURN_SHORTER, from + axis, to + axis, t,
                              value);
    }
    return gz_state_list_add(&s->piece, to);
}

/// Checks a piece, and what remains of the edges that it cuts, unless the path is proved later:
/// their configurations are not, bit for bit, those of the whole edges.
static gz_edge_verdict check_piece(shortener *s, const stretch *w) {
    const double *before = gz_state_list_at(s->path, w->i);
    const double *after = gz_state_list_at(s->path, w->j + 1);
    const bool proved_later = s->edges->motions && !s->edges->proves;
    size_t last = s->piece.count - 1;
    gz_edge_verdict verdict = GZ_EDGE_FREE;
    for (size_t k = 0; k < last && verdict == GZ_EDGE_FREE; k++)
        verdict = gz_edge_check(s->edges, gz_state_list_at(&s->piece, k),
                                gz_state_list_at(&s->piece, k + 1),
                                k ? GZ_EDGE_TO : GZ_EDGE_FROM | GZ_EDGE_TO, s->resolution);
    if (verdict == GZ_EDGE_FREE && !proved_later)
        verdict = gz_edge_check(s->edges, before, gz_state_list_at(&s->piece, 0), GZ_EDGE_NO_END,
                                s->resolution);
    if (verdict == GZ_EDGE_FREE && !proved_later)
        verdict = gz_edge_check(s->edges, gz_state_list_at(&s->piece, last), after, GZ_EDGE_NO_END,
                                s->resolution);
    return verdict;
}

/// Draws an axis, the first of four of a rotation; or -1, in half of all cases.
static ptrdiff_t draw_axis(const gz_plan_space *space, gz_random *random) {
    size_t drawn = (size_t)(2 * gz_random_unit(random) * (double)space->dimension);
    if (drawn >= space->dimension) return -1;
    size_t first = 0, width;
    while (width = gz_column_width(space->axes[first].kind), first + width <= drawn) first += width;
    return (ptrdiff_t)first;
}

/// Tries one random shortcut, of all axes or of one (Geraerts and Overmars, "Creating high-quality
/// paths for motion planning", IJRR 2007: partial shortcuts).
static gz_edge_verdict try_shortcut(shortener *s, gz_random *random, bool *changed) {
    const gz_plan_space *space = s->edges->space;
    double total = s->lengths[s->path->count - 1];
    double x = total * gz_random_unit(random), y = total * gz_random_unit(random);
    stretch w = {.from = x < y ? x : y, .to = x < y ? y : x};
    ptrdiff_t axis = draw_axis(space, random);
    w.i = point_at(s, w.from, gz_state_list_at(&s->ends, 0));
    w.j = point_at(s, w.to, gz_state_list_at(&s->ends, 1));
    if (w.i == w.j) return GZ_EDGE_FREE;
    if (!make_piece(s, &w, axis)) return fail_memory(s->edges);
    double old = s->lengths[w.j + 1] - s->lengths[w.i];
    double length = gz_path_length(space, &s->piece) +
                    gz_plan_space_distance(space, gz_state_list_at(s->path, w.i),
                                           gz_state_list_at(&s->ends, 0)) +
                    gz_plan_space_distance(space, gz_state_list_at(&s->ends, 1),
                                           gz_state_list_at(s->path, w.j + 1));
    if (!(length < old - LEAST_GAIN * total)) return GZ_EDGE_FREE;
    gz_edge_verdict verdict = check_piece(s, &w);
    if (verdict != GZ_EDGE_FREE) return verdict;
    *changed = true;
    bool ok = gz_state_list_replace(s->path, w.i + 1, w.j + 1, &s->piece);
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
    s.piece = gz_state_list_make(s.ends.dimension);
    gz_edge_verdict verdict = s.ends.values ? shorten(&s, rounds, random) : fail_memory(edges);
    gz_free(s.ends.values);
    gz_state_list_free(&s.piece);
    gz_free(s.lengths);
    return verdict == GZ_EDGE_FAILED ? edges->status : GRAZE_OK;
}
