/// A binary heap (Williams 1964) of numbered items, the one with the least key first.
#ifndef GZ_BASE_HEAP_H
#define GZ_BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gz_heap_entry {
    double key; ///< not NaN
    uint32_t item;
} gz_heap_entry;

typedef struct gz_heap {
    gz_heap_entry *entries; ///< free with gz_free()
    size_t count, capacity;
} gz_heap;

/// Adds an item; false when out of memory.
bool gz_heap_push(gz_heap *heap, double key, uint32_t item);

/// Takes the first item of at least one.
gz_heap_entry gz_heap_pop(gz_heap *heap);

/// Restores the order after keys were changed.
void gz_heap_order(gz_heap *heap);

#endif
