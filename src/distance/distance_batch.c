// Distances of many configurations, on several threads.
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/thread.h"
#include "graze/distance.h"

static graze_distance_batch default_batch(void) {
    return (graze_distance_batch){.struct_size = sizeof(graze_distance_batch), .threads = 1};
}

GZ_OPTIONS_INIT(graze_distance_batch, default_batch)

/// What one thread works with, and the lowest row that failed there.
typedef struct worker {
    graze_distance_workspace *workspace;
    size_t failed; ///< SIZE_MAX: none
    graze_error error;
} worker;

typedef struct batch_run {
    const graze_checker *checker;
    const graze_distance_batch *batch;
    size_t q_size;
    worker *workers;
    atomic_size_t next;
    atomic_bool cancelled;
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

static void measure_row(batch_run *run, worker *w, size_t i) {
    const graze_distance_batch *b = run->batch;
    graze_proximity pair = nothing;
    graze_distance_report report = {
        .pairs = &pair, .capacity = 1, .by_q = b->by_q ? b->by_q + i * run->q_size : NULL};
    graze_error error;
    graze_status status = graze_distance(run->checker, w->workspace, b->q + i * run->q_size,
                                         run->q_size, b->base ? b->base + 6 * i : NULL, b->options,
                                         &report, &error);
    if (status) {
        if (i < w->failed) {
            w->failed = i;
            w->error = error;
        }
        return;
    }
    b->bounds[i] = report.least;
    if (b->nearest) b->nearest[i] = pair;
}

static void work(void *user, uint32_t index) {
    enum { ROWS = 16 };
    batch_run *run = user;
    const graze_distance_batch *b = run->batch;
    for (;;) {
        size_t first = atomic_fetch_add(&run->next, ROWS);
        if (first >= b->count) return;
        if (b->cancel && *b->cancel) {
            atomic_store(&run->cancelled, true);
            return;
        }
        for (size_t i = first; i < b->count && i < first + ROWS; i++)
            measure_row(run, &run->workers[index], i);
    }
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

/// The error of the lowest row that failed.
static graze_status lowest_error(const batch_run *run, uint32_t threads, graze_error *error) {
    const worker *worst = NULL;
    for (uint32_t i = 0; i < threads; i++) {
        const worker *w = &run->workers[i];
        if (w->failed != SIZE_MAX && (!worst || w->failed < worst->failed)) worst = w;
    }
    if (!worst) return GRAZE_OK;
    if (error) {
        *error = worst->error;
        snprintf(error->element, sizeof error->element, "row %zu", worst->failed);
    }
    return worst->error.status;
}

/// Makes a workspace for each thread; one is enough, more are a gain.
static uint32_t make_workers(batch_run *run, uint32_t threads, graze_status *status,
                             graze_error *error) {
    uint32_t ready = 0;
    for (; ready < threads; ready++) {
        worker *w = &run->workers[ready];
        w->failed = SIZE_MAX;
        *status = graze_distance_workspace_create(&w->workspace, run->checker, error);
        if (*status) break;
    }
    if (ready) *status = GRAZE_OK;
    return ready;
}

static graze_status run_batch(batch_run *run, uint32_t threads, graze_error *error) {
    graze_status status = GRAZE_OK;
    run->workers = gz_calloc(threads, sizeof *run->workers);
    if (!run->workers) return gz_fail_memory(error);
    uint32_t ready = make_workers(run, threads, &status, error);
    if (status == GRAZE_OK) {
        gz_thread_run(ready, work, run);
        status = lowest_error(run, ready, error);
    }
    for (uint32_t i = 0; i < ready; i++) graze_distance_workspace_free(run->workers[i].workspace);
    gz_free(run->workers);
    if (status == GRAZE_OK && atomic_load(&run->cancelled))
        return gz_fail(error, GRAZE_ERROR_CANCELLED, "cancelled");
    return status;
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
    uint32_t threads = read.threads ? read.threads : gz_thread_processors();
    if (threads > read.count) threads = read.count ? (uint32_t)read.count : 1;
    graze_status status = run_batch(&run, threads, error);
    if (status == GRAZE_OK) gz_error_clear(error);
    return status;
}
