// Many configurations, on any number of threads, with the same results as one at a time.

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/thread.h"
#include "check/checker.h"

/// Rows that a thread takes at a time.
#define CHUNK 64

typedef struct worker {
    graze_workspace *ws;
    graze_stats stats;
    size_t failed_row; ///< lowest row of this worker that failed; SIZE_MAX for none
    graze_error error;
} worker;

typedef struct batch_run {
    const graze_checker *checker;
    const graze_batch *batch;
    size_t q_size;
    worker *workers;
    atomic_size_t next;
    atomic_bool cancelled;
} batch_run;

graze_batch graze_batch_default(void) {
    return (graze_batch){.struct_size = sizeof(graze_batch), .threads = 1};
}

static void add_stats(graze_stats *sum, const graze_stats *more) {
    sum->configurations += more->configurations;
    sum->link_pairs += more->link_pairs;
    sum->sphere_rejects += more->sphere_rejects;
    sum->obb_rejects += more->obb_rejects;
    sum->geometry_pairs += more->geometry_pairs;
    sum->node_tests += more->node_tests;
    sum->packet_tests += more->packet_tests;
    sum->triangle_tests += more->triangle_tests;
    sum->exact_tests += more->exact_tests;
    sum->shape_tests += more->shape_tests;
    sum->containment_tests += more->containment_tests;
}

static void check_row(batch_run *run, worker *w, size_t row) {
    const graze_batch *b = run->batch;
    const double *base = b->base ? b->base + 6 * row : b->base_common;
    graze_contact contact;
    graze_report report = {.contacts = &contact, .capacity = 1};
    graze_error error;
    graze_status status = graze_check(run->checker, w->ws, b->answer,
                                      b->q ? b->q + run->q_size * row : NULL, run->q_size, base,
                                      &report, &error);
    b->verdicts[row] = (uint8_t)report.verdict;
    if (b->contacts) b->contacts[row] = report.count ? contact : (graze_contact){0};
    add_stats(&w->stats, &report.stats);
    if (status && row < w->failed_row) {
        w->failed_row = row;
        w->error = error;
        w->error.status = status;
    }
}

static void work(void *user, uint32_t index) {
    batch_run *run = user;
    worker *w = &run->workers[index];
    if (!w->ws) return;
    for (;;) {
        size_t first = atomic_fetch_add(&run->next, CHUNK);
        if (first >= run->batch->count) return;
        if (run->batch->cancel && *run->batch->cancel) {
            atomic_store(&run->cancelled, true);
            return;
        }
        size_t end = first + CHUNK < run->batch->count ? first + CHUNK : run->batch->count;
        for (size_t row = first; row < end; row++) check_row(run, w, row);
    }
}

static graze_status check_batch_arguments(const graze_checker *checker, const graze_batch *b,
                                          graze_error *error) {
    if (!checker || !b) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "checker or batch is NULL");
    if (b->struct_size != sizeof *b)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "batch is not initialised; use graze_batch_default()");
    if (b->count && !b->verdicts) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "verdicts is NULL");
    if (b->answer != GRAZE_ANSWER_ANY && b->answer != GRAZE_ANSWER_FIRST)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "answer of a batch is %d; allowed: any or first", (int)b->answer);
    return GRAZE_OK;
}

/// The error of the lowest row that failed, over all workers.
static graze_status lowest_error(const batch_run *run, uint32_t threads, graze_error *error) {
    const worker *worst = NULL;
    for (uint32_t i = 0; i < threads; i++) {
        const worker *w = &run->workers[i];
        if (w->failed_row != SIZE_MAX && (!worst || w->failed_row < worst->failed_row)) worst = w;
    }
    if (!worst) return GRAZE_OK;
    if (error) {
        *error = worst->error;
        snprintf(error->element, sizeof error->element, "row %zu", worst->failed_row);
    }
    return worst->error.status;
}

graze_status graze_check_batch(const graze_checker *checker, const graze_batch *batch,
                               graze_error *error) {
    graze_status status = check_batch_arguments(checker, batch, error);
    if (status) return status;
    if (batch->verdicts && batch->count) memset(batch->verdicts, GRAZE_UNKNOWN, batch->count);
    uint32_t threads = batch->threads ? batch->threads : gz_thread_processors();
    size_t chunks = (batch->count + CHUNK - 1) / CHUNK;
    if (threads > chunks) threads = chunks ? (uint32_t)chunks : 1;
    batch_run run = {.checker = checker,
                     .batch = batch,
                     .q_size = graze_robot_q_size(graze_checker_robot(checker)),
                     .workers = gz_calloc(threads, sizeof *run.workers)};
    if (!run.workers) return gz_fail_memory(error);
    uint32_t ready = 0; // one workspace is enough; more are a gain
    for (; ready < threads; ready++) {
        run.workers[ready].failed_row = SIZE_MAX;
        if (graze_workspace_create(&run.workers[ready].ws, checker, error)) break;
    }
    if (ready) {
        gz_thread_run(ready, work, &run);
        status = lowest_error(&run, ready, error);
        graze_stats sum = {0};
        for (uint32_t i = 0; i < ready; i++) add_stats(&sum, &run.workers[i].stats);
        if (batch->stats) *batch->stats = sum;
    } else {
        status = gz_fail_memory(error);
    }
    for (uint32_t i = 0; i < threads; i++) graze_workspace_free(run.workers[i].ws);
    gz_free(run.workers);
    if (status == GRAZE_OK && atomic_load(&run.cancelled))
        return gz_fail(error, GRAZE_ERROR_CANCELLED, "cancelled");
    if (status == GRAZE_OK) gz_error_clear(error);
    return status;
}
