// Distances of many configurations, on several threads.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "base/options.h"
#include "base/worker.h"
#include "graze/distance.h"

static graze_distance_batch default_batch(void) {
    return (graze_distance_batch){.struct_size = sizeof(graze_distance_batch), .threads = 1};
}

GZ_OPTIONS_INIT(graze_distance_batch, default_batch)

typedef struct batch_run {
    const graze_checker *checker;
    const graze_distance_batch *batch;
    size_t q_size;
} batch_run;

static const graze_proximity nothing = {.link = -1,
                                        .element = -1,
                                        .other = -1,
                                        .other_element = -1,
                                        .triangle = -1,
                                        .other_triangle = -1,
                                        .distance = {0, INFINITY}};

static void clear_row(const graze_distance_batch *b, size_t i, size_t q_size) {
    b->bounds[i] = nothing.distance;
    if (b->nearest) b->nearest[i] = nothing;
    if (b->by_q && q_size) memset(b->by_q + i * q_size, 0, q_size * sizeof *b->by_q);
}

static graze_status measure_row(void *user, void *workspace, size_t i, graze_error *error) {
    const batch_run *run = user;
    const graze_distance_batch *b = run->batch;
    graze_proximity pair = nothing;
    graze_distance_report report = {.pairs = &pair,
                                    .capacity = b->nearest || b->by_q,
                                    .by_q = b->by_q ? b->by_q + i * run->q_size : NULL};
    GZ_TRY(graze_distance(run->checker, workspace, b->q + i * run->q_size, run->q_size,
                          b->base ? b->base + 6 * i : NULL, b->options, &report, error));
    b->bounds[i] = report.least;
    if (b->nearest) b->nearest[i] = pair;
    return GRAZE_OK;
}

static graze_status make_workspace(void **out, void *user, graze_error *error) {
    const batch_run *run = user;
    graze_distance_workspace *workspace;
    graze_status status = graze_distance_workspace_create(&workspace, run->checker, error);
    *out = workspace;
    return status;
}

static void free_workspace(void *workspace) {
    graze_distance_workspace_free(workspace);
}

static graze_status check_arguments(const graze_checker *checker, const graze_distance_batch *b,
                                    graze_error *error) {
    if (!checker) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "checker is NULL");
    if (b->count && (!b->bounds || (!b->q && graze_robot_q_size(graze_checker_robot(checker)))))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "q or bounds is NULL");
    if (b->options && b->options->answer != GRAZE_DISTANCE_LEAST &&
        b->options->answer != GRAZE_DISTANCE_BOUND)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "answer is %d; allowed in batches: the least, or its rough bounds",
                       (int)b->options->answer);
    return GRAZE_OK;
}

graze_status graze_distance_batch_run(const graze_checker *checker,
                                      const graze_distance_batch *batch, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    graze_distance_batch read;
    GZ_TRY(GZ_OPTIONS_READ(graze_distance_batch, &read, batch, error));
    GZ_TRY(check_arguments(checker, &read, error));
    batch_run run = {.checker = checker,
                     .batch = &read,
                     .q_size = graze_robot_q_size(graze_checker_robot(checker))};
    for (size_t i = 0; i < read.count; i++) clear_row(&read, i, run.q_size);
    const gz_batch_job job = {.count = read.count,
                              .threads = read.threads,
                              .turn = 16,
                              .cancel = read.cancel,
                              .item = "row",
                              .user = &run,
                              .create = make_workspace,
                              .destroy = free_workspace,
                              .run = measure_row};
    graze_status status = gz_batch_job_run(&job, error);
    if (status == GRAZE_OK) gz_error_clear(error);
    return status;
}
