// What threads do their work on a roadmap with, and how the work is shared out.
#include "base/memory.h"
#include "base/worker.h"
#include "plan/roadmap_internal.h"

graze_status gz_roadmap_worker_make(gz_roadmap_worker *worker, const graze_roadmap *map,
                                    const graze_checker *checker, graze_error *error) {
    *worker = (gz_roadmap_worker){0};
    worker->q = gz_malloc(2 * map->space.q_size, sizeof *worker->q);
    worker->key = gz_malloc(map->space.dimension, sizeof *worker->key);
    worker->near = gz_malloc(map->settings.neighbours + (size_t)1, sizeof *worker->near);
    if (!worker->q || !worker->key || !worker->near) return gz_fail_memory(error);
    GZ_TRY(graze_workspace_create(&worker->check, checker, error));
    return graze_motion_workspace_create(&worker->motions, checker, error);
}

void gz_roadmap_worker_free(gz_roadmap_worker *worker) {
    graze_motion_workspace_free(worker->motions);
    graze_workspace_free(worker->check);
    gz_free(worker->q);
    gz_free(worker->key);
    gz_free(worker->near);
    *worker = (gz_roadmap_worker){0};
}

static void free_worker(void *workspace) {
    gz_roadmap_worker_free(workspace);
    gz_free(workspace);
}

static graze_status make_worker(void **workspace, void *user, graze_error *error) {
    const gz_roadmap_job *job = user;
    gz_roadmap_worker *worker = gz_malloc(1, sizeof *worker);
    *workspace = worker;
    if (!worker) return gz_fail_memory(error);
    graze_status status = gz_roadmap_worker_make(worker, job->map, job->checker, error);
    if (status == GRAZE_OK) return GRAZE_OK;
    free_worker(worker);
    *workspace = NULL;
    return status;
}

static graze_status run_item(void *user, void *workspace, size_t i, graze_error *error) {
    const gz_roadmap_job *job = user;
    if (gz_monotonic_seconds() < job->deadline) return job->run(job->user, workspace, i, error);
    return gz_fail(error, GRAZE_ERROR_LIMIT, "max_seconds are over at one of %zu %ss", job->count,
                   job->item);
}

graze_status gz_roadmap_run(const gz_roadmap_job *job, graze_error *error) {
    gz_roadmap_job own = *job;
    const gz_batch_job batch = {.count = job->count,
                                .threads = job->options->threads,
                                .turn = 16,
                                .cancel = job->options->cancel,
                                .item = job->item,
                                .user = &own,
                                .create = make_worker,
                                .destroy = free_worker,
                                .run = run_item};
    return gz_batch_job_run(&batch, error);
}
