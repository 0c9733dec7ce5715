/// Memory of this module: the one file that calls the allocator. GMP takes its own, some kilobytes
/// in all, and ends the program when it gets none.
#ifndef GZ_VERIFY_MEMORY_H
#define GZ_VERIFY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/// Zeroed memory for count elements; NULL when that overflows or memory is out. Never NULL for
/// zero bytes.
void *gz_verify_calloc(size_t count, size_t size);
/// Makes room for `needed` elements, growing by half; false, the array untouched, without memory.
bool gz_verify_reserve(void **array, size_t *capacity, size_t needed, size_t size);
/// Frees; NULL is allowed.
void gz_verify_free(void *memory);

#endif
