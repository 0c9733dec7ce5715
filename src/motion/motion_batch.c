// Many motions, and the motions of a path, on several threads.
#include <stdatomic.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/options.h"
#include "base/worker.h"
#include "graze/motion.h"

static graze_motion_batch default_batch(void) {
    return (graze_motion_batch){.struct_size = sizeof(graze_motion_batch), .threads = 1};
}

GZ_OPTIONS_INIT(graze_motion_batch, default_batch)

typedef struct batch_run {
    const graze_checker *checker;
    const graze_motion_batch *batch;
    size_t q_size;
    atomic_size_t end; ///< the lowest motion known not to be free
    bool begun;        ///< there is a workspace
} batch_run;

static void lower_end(batch_run *run, size_t i) {
    size_t end = atomic_load(&run->end);
    while (i < end && !atomic_compare_exchange_weak(&run->end, &end, i)) {
    }
}

static graze_status check_one(void *user, void *workspace, size_t i, graze_error *error) {
    batch_run *run = user;
    const graze_motion_batch *b = run->batch;
    size_t from = b->ends ? b->ends[2 * i] : i, to = b->ends ? b->ends[2 * i + 1] : i + 1;
    graze_motion_report report;
    graze_status status = graze_check_motion(
        run->checker, workspace, b->q + from * run->q_size, b->q + to * run->q_size, run->q_size,
        b->base ? b->base + 6 * from : NULL, b->base ? b->base + 6 * to : NULL, b->options, &report,
        error);
    b->verdicts[i] = (uint8_t)report.verdict;
    if (b->earliest) b->earliest[i] = report.earliest;
    if (b->latest) b->latest[i] = report.latest;
    if (report.verdict != GRAZE_MOTION_FREE) lower_end(run, i);
    return status;
}

static graze_status make_workspace(void **out, void *user, graze_error *error) {
    batch_run *run = user;
    graze_motion_workspace *workspace;
    graze_status status = graze_motion_workspace_create(&workspace, run->checker, error);
    *out = workspace;
    run->begun |= status == GRAZE_OK;
    return status;
}

static void free_workspace(void *workspace) {
    graze_motion_workspace_free(workspace);
}

/// With `stop`: the motion at which the batch ends.
static size_t last_wanted(void *user) {
    return atomic_load(&((batch_run *)user)->end);
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
    if (!b->ends && b->options && b->options->struct_size == sizeof *b->options &&
        b->options->moving_count)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "objects move, and begin anew with each motion; allowed: `ends`");
    for (size_t i = 0; b->ends && i < 2 * b->count; i++)
        if (b->ends[i] >= b->rows)
            return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                           "motion %zu has the row %u; allowed: below %zu", i / 2,
                           (unsigned)b->ends[i], b->rows);
    return GRAZE_OK;
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
    batch_run run = {.checker = checker,
                     .batch = &read,
                     .q_size = graze_robot_q_size(graze_checker_robot(checker)),
                     .end = SIZE_MAX};
    const gz_batch_job job = {.count = read.count,
                              .threads = read.threads,
                              .turn = 1,
                              .cancel = read.cancel,
                              .item = "motion",
                              .user = &run,
                              .create = make_workspace,
                              .destroy = free_workspace,
                              .run = check_one,
                              .last = read.stop ? last_wanted : NULL};
    status = gz_batch_job_run(&job, error);
    size_t end = atomic_load(&run.end);
    if (read.stop && end < read.count) clear_results(&read, end + 1);
    if (first && run.begun) *first = end < read.count ? end : read.count;
    if (status == GRAZE_OK) gz_error_clear(error);
    return status;
}
