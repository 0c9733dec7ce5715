#include "base/worker.h"

#include <stdatomic.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/thread.h"

/// What one thread works with, and the lowest item that failed there.
typedef struct worker {
    void *workspace;
    size_t failed; ///< SIZE_MAX: none
    graze_error error;
} worker;

typedef struct job_run {
    const gz_batch_job *job;
    worker *workers;
    atomic_size_t next;
    atomic_bool cancelled;
} job_run;

static size_t last_of(const gz_batch_job *job) {
    return job->last ? job->last(job->user) : SIZE_MAX;
}

static void run_item(const gz_batch_job *job, worker *w, size_t i) {
    graze_error error;
    if (job->run(job->user, w->workspace, i, &error) == GRAZE_OK || i >= w->failed) return;
    w->failed = i;
    w->error = error;
}

static void work(void *user, uint32_t index) {
    job_run *run = user;
    const gz_batch_job *job = run->job;
    for (;;) {
        size_t first = atomic_fetch_add(&run->next, job->turn);
        if (first >= job->count || first > last_of(job)) return;
        if (gz_is_cancelled(job->cancel)) {
            atomic_store(&run->cancelled, true);
            return;
        }
        for (size_t i = first; i < job->count && i < first + job->turn; i++)
            run_item(job, &run->workers[index], i);
    }
}

static graze_status lowest_error(const job_run *run, uint32_t threads, graze_error *error) {
    size_t last = last_of(run->job);
    const worker *worst = NULL;
    for (uint32_t i = 0; i < threads; i++) {
        const worker *w = &run->workers[i];
        if (w->failed == SIZE_MAX || w->failed > last) continue;
        if (!worst || w->failed < worst->failed) worst = w;
    }
    if (!worst) return GRAZE_OK;
    if (error) {
        *error = worst->error;
        snprintf(error->element, sizeof error->element, "%s %zu", run->job->item, worst->failed);
    }
    return worst->error.status;
}

static uint32_t make_workers(job_run *run, uint32_t threads, graze_status *status,
                             graze_error *error) {
    uint32_t ready = 0;
    for (; ready < threads; ready++) {
        worker *w = &run->workers[ready];
        w->failed = SIZE_MAX;
        *status = run->job->create(&w->workspace, run->job->user, error);
        if (*status) break;
    }
    if (ready) *status = GRAZE_OK;
    return ready;
}

graze_status gz_batch_job_run(const gz_batch_job *job, graze_error *error) {
    job_run run = {.job = job};
    uint32_t threads = job->threads ? job->threads : gz_thread_processors();
    if (threads > job->count) threads = job->count ? (uint32_t)job->count : 1;
    run.workers = gz_calloc(threads, sizeof *run.workers);
    if (!run.workers) return gz_fail_memory(error);
    graze_status status = GRAZE_OK;
    uint32_t ready = make_workers(&run, threads, &status, error);
    if (status == GRAZE_OK) {
        gz_thread_run(ready, work, &run);
        status = lowest_error(&run, ready, error);
    }
    for (uint32_t i = 0; i < ready; i++) job->destroy(run.workers[i].workspace);
    gz_free(run.workers);
    if (status == GRAZE_OK && atomic_load(&run.cancelled))
        return gz_fail(error, GRAZE_ERROR_CANCELLED, "cancelled");
    return status;
}
