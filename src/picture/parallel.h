/// Drawing with every processor.
#ifndef GZ_PICTURE_PARALLEL_H
#define GZ_PICTURE_PARALLEL_H

#include <stdint.h>

enum { GZ_PICTURE_THREADS = 8 }; // at most

/// How many threads to use: processors, at most GZ_PICTURE_THREADS.
int32_t gz_parallel_count(void);

/// Runs work(user, i) for i = 0 .. count - 1, each on a thread of its own or, where one cannot be
/// started, on the caller's, and waits for all. count <= GZ_PICTURE_THREADS.
void gz_parallel_run(int32_t count, void (*work)(void *user, int32_t i), void *user);

#endif
