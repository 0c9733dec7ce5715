// Many motions, and the motions of a path, on several threads.
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/thread.h"
#include "graze/motion.h"

static graze_motion_batch default_batch(void) {
    return (graze_motion_batch){.struct_size = sizeof(graze_motion_batch), .threads = 1};
}

GZ_OPTIONS_INIT(graze_motion_batch, default_batch)

/// What one thread works with, and the lowest motion that failed there.
typedef struct worker {
    graze_motion_workspace *workspace;
    size_t failed; ///< SIZE_MAX: none
    graze_error error;
} worker;

typedef struct batch_run {
    const graze_checker *checker;
    const graze_motion_batch *batch;
    size_t q_size;
    worker *workers;
    atomic_size_t next;
    atomic_size_t end; ///< with `stop`: the lowest motion known not to be free
    atomic_bool cancelled;
} batch_run;

static void lower_end(batch_run *run, size_t i) {
    size_t end = atomic_load(&run->end);
    while (i < end && !atomic_compare_exchange_weak(&run->end, &end, i)) {
    }
}

static void check_one(batch_run *run, worker *w, size_t i) {
    const graze_motion_batch *b = run->batch;
    size_t from = b->ends ? b->ends[2 * i] : i, to = b->ends ? b->ends[2 * i + 1] : i + 1;
    graze_motion_report report;
    graze_error error;
    graze_status status = graze_check_motion(
        run->checker, w->workspace, b->q + from * run->q_size, b->q + to * run->q_size, run->q_size,
        b->base ? b->base + 6 * from : NULL, b->base ? b->base + 6 * to : NULL, b->options, &report,
        &error);
    if (status && i < w->failed) {
        w->failed = i;
        w->error = error;
    }
    b->verdicts[i] = (uint8_t)report.verdict;
    if (b->earliest) b->earliest[i] = report.earliest;
    if (b->latest) b->latest[i] = report.latest;
    if (report.verdict != GRAZE_MOTION_FREE) lower_end(run, i);
}

static void work(void *user, uint32_t index) {
    batch_run *run = user;
    const graze_motion_batch *b = run->batch;
    for (;;) {
        size_t i = atomic_fetch_add(&run->next, 1);
        if (i >= b->count || (b->stop && i > atomic_load(&run->end))) return;
        if (b->cancel && *b->cancel) {
            atomic_store(&run->cancelled, true);
            return;
        }
        check_one(run, &run->workers[index], i);
    }
}

static void clear_results(const graze_motion_batch *b, size_t first) {
    for (size_t i = first; b->verdicts && i < b->count; i++) {
        b->verdicts[i] = GRAZE_MOTION_UNKNOWN;
        if (b->earliest) b->earliest[i] = 0;
        if (b->latest) b->latest[i] = 0;
    }
}

static graze_status check_arguments(const graze_checker *checker, const graze_motion_batch *b,
                                    graze_error *error) {
    if (!checker || !b) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "checker or batch is NULL");
    if (b->count && (!b->verdicts || !b->q))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "q or verdicts is NULL");
    if (!b->ends && b->count && b->count >= b->rows)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "%zu motions between %zu rows; allowed without `ends`: fewer than rows",
                       b->count, b->rows);
    for (size_t i = 0; b->ends && i < 2 * b->count; i++)
        if (b->ends[i] >= b->rows)
            return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                           "motion %zu has the row %u; allowed: below %zu", i / 2,
                           (unsigned)b->ends[i], b->rows);
    return GRAZE_OK;
}

/// The error of the lowest motion that failed; with `stop`, no later than where the batch ended.
static graze_status lowest_error(const batch_run *run, uint32_t threads, size_t end,
                                 graze_error *error) {
    const worker *worst = NULL;
    for (uint32_t i = 0; i < threads; i++) {
        const worker *w = &run->workers[i];
        if (w->failed <= end && w->failed != SIZE_MAX && (!worst || w->failed < worst->failed))
            worst = w;
    }
    if (!worst) return GRAZE_OK;
    if (error) {
        *error = worst->error;
        snprintf(error->element, sizeof error->element, "motion %zu", worst->failed);
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
        *status = graze_motion_workspace_create(&w->workspace, run->checker, error);
        if (*status) break;
    }
    if (ready) *status = GRAZE_OK;
    return ready;
}

static graze_status run_batch(batch_run *run, uint32_t threads, size_t *first, graze_error *error) {
    const graze_motion_batch *b = run->batch;
    graze_status status = GRAZE_OK;
    run->workers = gz_calloc(threads, sizeof *run->workers);
    if (!run->workers) return gz_fail_memory(error);
    uint32_t ready = make_workers(run, threads, &status, error);
    if (status == GRAZE_OK) {
        gz_thread_run(ready, work, run);
        size_t end = atomic_load(&run->end);
        if (b->stop && end < b->count) clear_results(b, end + 1);
        if (first) *first = end < b->count ? end : b->count;
        status = lowest_error(run, ready, b->stop ? end : SIZE_MAX, error);
    }
    for (uint32_t i = 0; i < ready; i++) graze_motion_workspace_free(run->workers[i].workspace);
    gz_free(run->workers);
    if (status == GRAZE_OK && atomic_load(&run->cancelled))
        return gz_fail(error, GRAZE_ERROR_CANCELLED, "cancelled");
    return status;
}

graze_status graze_check_motion_batch(const graze_checker *checker, const graze_motion_batch *batch,
                                      size_t *first, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    graze_motion_batch read;
    if (first) *first = 0;
    graze_status status = GZ_OPTIONS_READ(graze_motion_batch, &read, batch, error);
    if (status == GRAZE_OK) status = check_arguments(checker, batch ? &read : NULL, error);
    if (status) return status;
    clear_results(&read, 0);
    uint32_t threads = read.threads ? read.threads : gz_thread_processors();
    if (threads > read.count) threads = read.count ? (uint32_t)read.count : 1;
    batch_run run = {.checker = checker,
                     .batch = &read,
                     .q_size = graze_robot_q_size(graze_checker_robot(checker)),
                     .end = SIZE_MAX};
    status = run_batch(&run, threads, first, error);
    if (status == GRAZE_OK) gz_error_clear(error);
    return status;
}
