/// Where memory comes from: the only file that calls malloc, so that tests can make every
/// allocation fail in turn.
#ifndef GZ_BASE_MEMORY_H
#define GZ_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// malloc, calloc and realloc that return NULL on overflow of count * size, and never a NULL that
/// means "zero bytes".
void *gz_malloc(size_t count, size_t size);
void *gz_calloc(size_t count, size_t size);
void *gz_realloc(void *memory, size_t count, size_t size);
/// Aligned to 64 bytes, for packed arrays; free with gz_free().
void *gz_malloc_aligned(size_t count, size_t size);
/// Frees memory of any of the functions above; NULL is allowed.
void gz_free(void *memory);

/// What the allocations of one load take together. The functions of this file hold each against the
/// budget of the thread that calls them, if it has one, and return NULL for what goes beyond it.
typedef struct gz_memory_budget {
    uint64_t limit, used; ///< bytes
    uint64_t freed;       ///< bytes, that the allocator may still hold
    bool refused;         ///< some allocation went beyond it
    struct gz_memory_budget *outer;
} gz_memory_budget;

/// From here to the close all that this thread allocates is charged, and what it frees is given
/// back. Where a budget is open, the new one gets at most what is left of it.
void gz_memory_budget_open(gz_memory_budget *budget, uint64_t limit);
/// Puts back the budget before, which is charged for what this one still holds.
void gz_memory_budget_close(gz_memory_budget *budget);
/// What this thread's budget leaves; UINT64_MAX without one.
uint64_t gz_memory_left(void);
/// The limit of this thread's budget where it refused an allocation, else 0.
uint64_t gz_memory_refused_by(void);

/// Several arrays in one block of memory. They are laid out twice by the same calls: from {0} to
/// learn the size, when every array is NULL, and, after gz_arena_create(), for good.
typedef struct gz_arena {
    char *memory; ///< the owner's, to be freed with gz_free(); not initialised
    size_t size;  ///< of what is laid out; too much for any memory after an overflow
} gz_arena;

/// The next array, aligned to 64 bytes; NULL before gz_arena_create().
void *gz_arena_array(gz_arena *arena, size_t count, size_t size);
/// Allocates what was laid out, for the same calls again; false when out of memory.
bool gz_arena_create(gz_arena *arena);

/// Memory that is taken piece by piece and freed at once.
typedef struct gz_pool {
    struct gz_pool_block *blocks;
    uint64_t bytes;     ///< taken from the system so far
    bool out_of_memory; ///< sticky: a piece could not be had
} gz_pool;

/// A piece, for any type, not initialised; NULL when out of memory.
void *gz_pool_take(gz_pool *pool, size_t size);
/// Such a piece with the first n bytes of a text, NUL-terminated.
char *gz_pool_copy(gz_pool *pool, const char *text, size_t n);
/// printf into such a piece.
char *gz_pool_format(gz_pool *pool, const char *format, ...) __attribute__((format(printf, 2, 3)));
void gz_pool_free(gz_pool *pool);

/// A copy of a string; NULL for NULL or when out of memory.
char *gz_string_copy(const char *text);
/// A copy of the first n bytes, NUL-terminated.
char *gz_string_copy_n(const char *text, size_t n);

/// FNV-1a, 64 bits: distinguishes contents, without defence against collisions that are made.
uint64_t gz_hash_bytes(const char *bytes, size_t size);
/// printf into fresh memory; NULL when out of memory.
char *gz_string_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Makes room for `needed` elements, growing by half; false (array untouched) when out of memory.
bool gz_array_reserve(void **array, size_t *capacity, size_t needed, size_t element_size);
/// The same for an array of any type: `GZ_RESERVE(a->items, a->capacity, a->count + 1)`
#define GZ_RESERVE(array, capacity, needed)                                                        \
    gz_array_reserve((void **)&(array), &(capacity), needed, sizeof *(array))

#ifdef GRAZE_FAULTS
/// Only in builds for fault tests: makes the n-th allocation from now fail (1 = the next), and with
/// `persistent` all after it; 0 ends it. Counts every allocating function above, over all threads.
void gz_memory_fail_after(long n, bool persistent);
/// Allocations since gz_memory_fail_after() was last called with n > 0.
long gz_memory_allocation_count(void);
#endif

#endif
