#include "plan/plan_internal.h"

#include "base/float_environment.h"
#include "base/memory.h"

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
    if (!path || !base || (!q && path->space.q_size) || i + 1 >= path->states.count)
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
    if (!path || i + 1 >= path->states.count || !(resolution > 0)) return 0;
    double distance = gz_plan_space_distance(&path->space, gz_state_list_at(&path->states, i),
                                             gz_state_list_at(&path->states, i + 1));
    return gz_plan_space_steps(&path->space, distance, resolution);
}
