#include "base/memory.h"

#ifdef __APPLE__
#include <malloc/malloc.h>
#define malloc_usable_size malloc_size
#else
#include <malloc.h>
#endif
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef GRAZE_FAULTS

#include <stdatomic.h>

// Mutable globals, in fault-test builds alone: the library proper has none.
static atomic_long fail_at; // 0: off
static atomic_long allocations;
static atomic_bool fail_persistently;

static bool refuse(void) {
    long at = atomic_load_explicit(&fail_at, memory_order_relaxed);
    if (!at) return false;
    long n = atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed) + 1;
    return atomic_load_explicit(&fail_persistently, memory_order_relaxed) ? n >= at : n == at;
}

void gz_memory_fail_after(long n, bool persistent) {
    atomic_store(&fail_persistently, persistent);
    atomic_store(&allocations, 0);
    atomic_store(&fail_at, n);
}

long gz_memory_allocation_count(void) {
    return atomic_load(&allocations);
}

#else

static bool refuse(void) {
    return false;
}

#endif

// The budget of the load that this thread is in: as long as its call, like the floating-point
// environment. No other thread sees it, and outside of loads there is none.
static _Thread_local gz_memory_budget *budget;

/// What the allocator itself adds to a piece, about.
#define PIECE_HEAD 16

void gz_memory_budget_open(gz_memory_budget *b, uint64_t limit) {
    const uint64_t left = gz_memory_left();
    *b = (gz_memory_budget){.limit = limit < left ? limit : left, .outer = budget};
    budget = b;
}

void gz_memory_budget_close(gz_memory_budget *b) {
    budget = b->outer;
    if (budget) budget->used += b->used; // fits: the limit was at most what was left
}

uint64_t gz_memory_left(void) {
    if (!budget) return UINT64_MAX;
    return budget->used < budget->limit ? budget->limit - budget->used : 0;
}

uint64_t gz_memory_refused_by(void) {
    return budget && budget->refused ? budget->limit : 0;
}

/// Gives freed memory back to the system where, kept by the allocator, it could bring the process
/// beyond the budget: between pieces in use it would stay as it is.
static void trim(size_t size) {
    if (budget->freed <= budget->limit / 8 || size + budget->freed <= gz_memory_left()) return;
#ifdef __GLIBC__
    malloc_trim(0);
#endif
    budget->freed = 0;
}

/// Whether a piece may be allocated where `freed` bytes go at once.
static bool allow(size_t size, size_t freed) {
    if (refuse()) return false;
    if (!budget) return true;
    const size_t more = size > freed ? size - freed : 0;
    if (more <= gz_memory_left()) {
        trim(more);
        return true;
    }
    budget->refused = true;
    return false;
}

static size_t bytes_of(void *memory) {
    return budget && memory ? malloc_usable_size(memory) + PIECE_HEAD : 0;
}

static void credit(size_t bytes) {
    // Less is charged than freed where memory is older than the budget.
    if (!budget) return;
    budget->used -= bytes < budget->used ? bytes : budget->used;
    budget->freed += bytes;
}

static void *charge(void *memory) {
    if (budget) budget->used += bytes_of(memory);
    return memory;
}

static bool total_size(size_t count, size_t size, size_t *total) {
    if (__builtin_mul_overflow(count, size, total)) return false;
    if (*total == 0) *total = 1;
    return *total <= PTRDIFF_MAX;
}

void *gz_malloc(size_t count, size_t size) {
    size_t total;
    if (!total_size(count, size, &total) || !allow(total, 0)) return NULL;
    return charge(malloc(total));
}

void *gz_calloc(size_t count, size_t size) {
    size_t total;
    if (!total_size(count, size, &total) || !allow(total, 0)) return NULL;
    return charge(calloc(1, total));
}

void *gz_realloc(void *memory, size_t count, size_t size) {
    size_t total, before = bytes_of(memory);
    if (!total_size(count, size, &total) || !allow(total, before)) return NULL;
    void *moved = realloc(memory, total);
    if (!moved) return NULL;
    credit(before);
    return charge(moved);
}

void *gz_malloc_aligned(size_t count, size_t size) {
    size_t total;
    if (!total_size(count, size, &total) || total > PTRDIFF_MAX - 63 || !allow(total, 0))
        return NULL;
    return charge(aligned_alloc(64, (total + 63) & ~(size_t)63));
}

void *gz_arena_array(gz_arena *arena, size_t count, size_t size) {
    size_t at = arena->size, total;
    if (!total_size(count, size, &total) || __builtin_add_overflow(at, total, &arena->size) ||
        arena->size > PTRDIFF_MAX - 63) {
        arena->size = PTRDIFF_MAX;
        return NULL;
    }
    arena->size = (arena->size + 63) & ~(size_t)63;
    return arena->memory ? arena->memory + at : NULL;
}

bool gz_arena_create(gz_arena *arena) {
    arena->memory = gz_malloc_aligned(1, arena->size);
    arena->size = 0;
    return arena->memory != NULL;
}

struct gz_pool_block {
    struct gz_pool_block *next;
    size_t used, size;
    _Alignas(max_align_t) char bytes[];
};

void *gz_pool_take(gz_pool *pool, size_t size) {
    enum { SMALLEST_BLOCK = 64 * 1024, LARGEST_BLOCK = 4 * 1024 * 1024 };
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    struct gz_pool_block *b = pool->blocks;
    if (!b || b->size - b->used < size) {
        // A block is an eighth of what the pool has: few blocks, and at most that much is unused.
        size_t space = LARGEST_BLOCK;
        if (pool->bytes / 8 < LARGEST_BLOCK) space = (size_t)(pool->bytes / 8);
        if (space < SMALLEST_BLOCK) space = SMALLEST_BLOCK;
        if (space < size) space = size;
        b = gz_malloc(sizeof *b + space, 1);
        pool->out_of_memory |= !b;
        if (!b) return NULL;
        *b = (struct gz_pool_block){.next = pool->blocks, .size = space};
        pool->blocks = b;
        pool->bytes += sizeof *b + space;
    }
    void *memory = b->bytes + b->used;
    b->used += size;
    return memory;
}

char *gz_pool_copy(gz_pool *pool, const char *text, size_t n) {
    char *copy = gz_pool_take(pool, n + 1);
    if (!copy) return NULL;
    memcpy(copy, text, n);
    copy[n] = '\0';
    return copy;
}

char *gz_pool_format(gz_pool *pool, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = n < 0 ? NULL : gz_pool_take(pool, (size_t)n + 1);
    if (text) vsnprintf(text, (size_t)n + 1, format, again);
    va_end(again);
    return text;
}

void gz_pool_free(gz_pool *pool) {
    for (struct gz_pool_block *b = pool->blocks, *next; b; b = next) {
        next = b->next;
        gz_free(b);
    }
    *pool = (gz_pool){0};
}

void gz_free(void *memory) {
    credit(bytes_of(memory));
    free(memory);
}

uint64_t gz_hash_bytes(const char *bytes, size_t size) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

char *gz_string_copy_n(const char *text, size_t n) {
    if (!text) return NULL;
    char *copy = gz_malloc(n + 1, 1);
    if (!copy) return NULL;
    memcpy(copy, text, n);
    copy[n] = '\0';
    return copy;
}

char *gz_string_copy(const char *text) {
    return text ? gz_string_copy_n(text, strlen(text)) : NULL;
}

char *gz_string_format(const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = n < 0 ? NULL : gz_malloc((size_t)n + 1, 1);
    if (text) vsnprintf(text, (size_t)n + 1, format, again);
    va_end(again);
    return text;
}

bool gz_array_reserve(void **array, size_t *capacity, size_t needed, size_t element_size) {
    if (needed <= *capacity) return true;
    size_t grown = *capacity + *capacity / 2 + 8;
    if (grown < needed) grown = needed;
    void *memory = gz_realloc(*array, grown, element_size);
    if (!memory) return false;
    *array = memory;
    *capacity = grown;
    return true;
}
