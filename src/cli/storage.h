/// Memory of the command: the one file of this room that calls the allocator.
#ifndef GZ_CLI_STORAGE_H
#define GZ_CLI_STORAGE_H

#include <stdbool.h>
#include <stddef.h>

/// Resizes memory (NULL for fresh) to count elements; NULL, the old memory untouched, when that
/// overflows or memory is out. Never NULL for zero bytes.
void *gz_storage_resize(void *memory, size_t count, size_t size);
/// Makes room for `needed` elements, growing by half; false, the array untouched, without memory.
bool gz_storage_reserve(void **array, size_t *capacity, size_t needed, size_t size);
/// Frees; NULL is allowed.
void gz_storage_free(void *memory);

#endif
