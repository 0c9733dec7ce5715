#include "base/memory.h"

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

static bool total_size(size_t count, size_t size, size_t *total) {
    if (__builtin_mul_overflow(count, size, total)) return false;
    if (*total == 0) *total = 1;
    return *total <= PTRDIFF_MAX;
}

void *gz_malloc(size_t count, size_t size) {
    size_t total;
    if (!total_size(count, size, &total) || refuse()) return NULL;
    return malloc(total);
}

void *gz_calloc(size_t count, size_t size) {
    size_t total;
    if (!total_size(count, size, &total) || refuse()) return NULL;
    return calloc(1, total);
}

void *gz_realloc(void *memory, size_t count, size_t size) {
    size_t total;
    if (!total_size(count, size, &total) || refuse()) return NULL;
    return realloc(memory, total);
}

void *gz_malloc_aligned(size_t count, size_t size) {
    size_t total;
    if (!total_size(count, size, &total) || total > PTRDIFF_MAX - 63 || refuse()) return NULL;
    return aligned_alloc(64, (total + 63) & ~(size_t)63);
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
    enum { BLOCK_SIZE = 64 * 1024 };
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    struct gz_pool_block *b = pool->blocks;
    if (!b || b->size - b->used < size) {
        size_t space = size > BLOCK_SIZE ? size : BLOCK_SIZE;
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
    free(memory);
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
