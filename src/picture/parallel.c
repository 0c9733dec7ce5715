#include "picture/picture.h"

#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

typedef struct job {
    void (*work)(void *user, int32_t i);
    void *user;
    int32_t i;
    pthread_t thread;
    bool started;
} job;

int32_t gz_parallel_count(void) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > GZ_PICTURE_THREADS ? GZ_PICTURE_THREADS : (int32_t)n;
}

static void *run_job(void *argument) {
    job *j = argument;
    j->work(j->user, j->i);
    return NULL;
}

void gz_parallel_run(int32_t count, void (*work)(void *user, int32_t i), void *user) {
    job jobs[GZ_PICTURE_THREADS] = {0};
    for (int32_t i = 1; i < count; i++) {
        jobs[i] = (job){.work = work, .user = user, .i = i};
        jobs[i].started = pthread_create(&jobs[i].thread, NULL, run_job, &jobs[i]) == 0;
    }
    if (count > 0) work(user, 0);
    for (int32_t i = 1; i < count; i++) {
        if (jobs[i].started)
            pthread_join(jobs[i].thread, NULL);
        else
            work(user, i);
    }
}
