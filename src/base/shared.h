/// Things with several owners: the last one frees. Owners may be on different threads.
#ifndef GZ_BASE_SHARED_H
#define GZ_BASE_SHARED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How many owners a thing has besides its first: memory that is 0 has one.
typedef struct gz_shared {
    atomic_size_t others;
} gz_shared;

/// One owner more. What is shared is immutable but for this count, so it may be const elsewhere.
static inline void gz_shared_hold(const gz_shared *shared) {
    atomic_fetch_add_explicit(&((gz_shared *)(uintptr_t)shared)->others, 1, memory_order_relaxed);
}

/// One owner less; true when that was the last: then everything that others did with the thing has
/// happened, and the caller frees it.
static inline bool gz_shared_drop(gz_shared *shared) {
    return atomic_fetch_sub_explicit(&shared->others, 1, memory_order_acq_rel) == 0;
}

/// What keeps the memory of a compiled file, in which meshes and objects lie side by side: to hold
/// one of them is to hold all of it.
typedef struct gz_keeper {
    gz_shared shared;
    void (*release)(struct gz_keeper *keeper); ///< frees it
} gz_keeper;

static inline void gz_keeper_drop(gz_keeper *keeper) {
    if (gz_shared_drop(&keeper->shared)) keeper->release(keeper);
}

/// One owner more of what may lie in memory that a keeper keeps, or by itself (keeper NULL).
static inline void gz_kept_hold(const gz_shared *shared, const gz_keeper *keeper) {
    gz_shared_hold(keeper ? &keeper->shared : shared);
}

/// One owner less of it; true when it is the caller's to free.
static inline bool gz_kept_drop(gz_shared *shared, gz_keeper *keeper) {
    if (!keeper) return gz_shared_drop(shared);
    gz_keeper_drop(keeper);
    return false;
}

#endif
