#include "cli/message.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BAR_WIDTH 40
// Work that ends sooner shows no bar.
#define PATIENCE 0.5
#define INTERVAL 0.1

double gz_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

gz_progress gz_progress_start(bool quiet) {
    double now = gz_clock();
    return (gz_progress){
        .terminal = !quiet && isatty(STDERR_FILENO) == 1, .started = now, .updated = now};
}

void gz_progress_update(gz_progress *progress, uint64_t done, double fraction, const char *units) {
    if (!progress->terminal) return;
    double now = gz_clock();
    if (now - progress->started < PATIENCE || now - progress->updated < INTERVAL) return;
    progress->updated = now;
    progress->shown = true;
    if (fraction < 0 || fraction > 1) {
        fprintf(stderr, "\r\033[K%llu %s", (unsigned long long)done, units);
    } else {
        char bar[BAR_WIDTH + 1];
        size_t filled = (size_t)(fraction * BAR_WIDTH);
        memset(bar, '#', filled);
        memset(bar + filled, '.', BAR_WIDTH - filled);
        bar[BAR_WIDTH] = '\0';
        fprintf(stderr, "\r\033[K[%s] %3.0f %%  %llu %s", bar, 100 * fraction,
                (unsigned long long)done, units);
    }
    fflush(stderr);
}

void gz_progress_clear(gz_progress *progress) {
    if (!progress->shown) return;
    fprintf(stderr, "\r\033[K");
    fflush(stderr);
    progress->shown = false;
}
