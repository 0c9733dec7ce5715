#include "base/heap.h"

#include "base/memory.h"

bool gz_heap_push(gz_heap *h, double key, uint32_t item) {
    if (!gz_array_reserve((void **)&h->entries, &h->capacity, h->count + 1, sizeof *h->entries))
        return false;
    size_t i = h->count++;
    for (; i > 0 && h->entries[(i - 1) / 2].key > key; i = (i - 1) / 2)
        h->entries[i] = h->entries[(i - 1) / 2];
    h->entries[i] = (gz_heap_entry){key, item};
    return true;
}

/// Lets the entry at i sink until no child is less.
static void sink(gz_heap *h, size_t i) {
    const gz_heap_entry moved = h->entries[i];
    for (size_t child = 2 * i + 1; child < h->count; child = 2 * i + 1) {
        if (child + 1 < h->count && h->entries[child + 1].key < h->entries[child].key) child++;
        if (moved.key <= h->entries[child].key) break;
        h->entries[i] = h->entries[child];
        i = child;
    }
    h->entries[i] = moved;
}

gz_heap_entry gz_heap_pop(gz_heap *h) {
    const gz_heap_entry first = h->entries[0];
    h->entries[0] = h->entries[--h->count];
    if (h->count > 0) sink(h, 0);
    return first;
}

void gz_heap_order(gz_heap *h) {
    for (size_t i = h->count / 2; i-- > 0;) sink(h, i);
}
