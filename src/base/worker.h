/// Many items on several threads, each thread with a workspace of its own: what batches, tables,
/// roadmaps and maps of the plane have in common.
#ifndef GZ_BASE_WORKER_H
#define GZ_BASE_WORKER_H

#include "base/error.h"

/// What is done with the items 0 .. count - 1, and by what. All functions get `user`.
typedef struct gz_batch_job {
    size_t count;
    uint32_t threads;           ///< at most; 0: one per processor
    size_t turn;                ///< items that a thread takes at a time
    const volatile int *cancel; ///< looked at before each turn; may be NULL
    const char *item;           ///< "row": what errors call one
    void *user;
    graze_status (*create)(void **workspace, void *user, graze_error *error);
    void (*destroy)(void *workspace);
    /// Does one item, on any thread.
    graze_status (*run)(void *user, void *workspace, size_t item, graze_error *error);
    /// The last item that is wanted, as known so far, while others run and in the end; NULL: all.
    /// Errors of items behind it do not count.
    size_t (*last)(void *user);
} gz_batch_job;

/// Does all items. One workspace is enough, more are a gain.
/// @return the error of the lowest item that failed, whose element is "ITEM N" (the others are
/// still
///         done); GRAZE_ERROR_CANCELLED; of `create`; GRAZE_ERROR_NO_MEMORY
graze_status gz_batch_job_run(const gz_batch_job *job, graze_error *error);

#endif
