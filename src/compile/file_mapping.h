/// Bytes of a file in memory, shared by all that is made from them.
#ifndef GZ_COMPILE_FILE_MAPPING_H
#define GZ_COMPILE_FILE_MAPPING_H

#include <stdatomic.h>

#include "base/error.h"

typedef struct gz_file_mapping {
    atomic_size_t users;
    const unsigned char *bytes; ///< aligned to 64
    size_t size;
    bool mapped; ///< by mmap(), else of gz_malloc_aligned()
} gz_file_mapping;

/// Maps a regular file read only. One user.
graze_status gz_file_mapping_open(gz_file_mapping **out, const char *path, graze_error *error);
/// A copy of bytes. One user; NULL when out of memory.
gz_file_mapping *gz_file_mapping_copy(const void *bytes, size_t size);

/// Reads the first bytes of a regular file; returns how many there were, 0 where it cannot be read.
size_t gz_file_begin(const char *path, char *bytes, size_t size);

void gz_file_mapping_share(gz_file_mapping *mapping);
/// One user less; the last one gives it back. NULL is allowed.
void gz_file_mapping_drop(gz_file_mapping *mapping);

#endif
