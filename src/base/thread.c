#include "base/thread.h"

#include <pthread.h>
#include <unistd.h>

#include "base/memory.h"

uint32_t gz_thread_processors(void) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : (uint32_t)n;
}

typedef struct job {
    void (*work)(void *user, uint32_t i);
    void *user;
    uint32_t i;
    pthread_t thread;
    int started;
} job;

static void *run_job(void *argument) {
    job *j = argument;
    j->work(j->user, j->i);
    return NULL;
}

/// So many threads need no memory to be noted in.
enum { FEW_JOBS = 16 };

void gz_thread_run(uint32_t count, void (*work)(void *user, uint32_t i), void *user) {
    job few[FEW_JOBS];
    job *jobs = count > FEW_JOBS ? gz_calloc(count, sizeof *jobs) : few;
    for (uint32_t i = 1; jobs && i < count; i++) {
        jobs[i] = (job){.work = work, .user = user, .i = i};
        jobs[i].started = pthread_create(&jobs[i].thread, NULL, run_job, &jobs[i]) == 0;
    }
    if (count) work(user, 0);
    for (uint32_t i = 1; i < count; i++) {
        if (jobs && jobs[i].started)
            pthread_join(jobs[i].thread, NULL);
        else
            work(user, i);
    }
    if (jobs != few) gz_free(jobs);
}
