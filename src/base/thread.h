/// Running the same work on several threads.
#ifndef GZ_BASE_THREAD_H
#define GZ_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Processors online, at least 1.
uint32_t gz_thread_processors(void);

/// Runs work(user, i) for i = 0 .. count-1, each on a thread of its own (i = 0 on the caller's),
/// and waits for all. Where a thread cannot be started its work runs on the caller's thread, so
/// every i is always run.
void gz_thread_run(uint32_t count, void (*work)(void *user, uint32_t i), void *user);

/// A lock of one thread at a time, for few instructions.
typedef struct gz_lock {
    pthread_mutex_t mutex;
} gz_lock;

/// False when the system has none left.
static inline bool gz_lock_create(gz_lock *lock) {
    return pthread_mutex_init(&lock->mutex, NULL) == 0;
}
static inline void gz_lock_free(gz_lock *lock) {
    pthread_mutex_destroy(&lock->mutex);
}
static inline void gz_lock_take(gz_lock *lock) {
    pthread_mutex_lock(&lock->mutex);
}
static inline void gz_lock_give(gz_lock *lock) {
    pthread_mutex_unlock(&lock->mutex);
}

/// Whether a caller has cancelled, by a flag that another thread may set at any time; NULL: no.
/// What callers have is an int, or an atomic one in C or C++, which are laid out alike.
static inline bool gz_is_cancelled(const volatile int *flag) {
    return flag && __atomic_load_n(flag, __ATOMIC_RELAXED) != 0;
}

#endif
