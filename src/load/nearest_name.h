/// Which name was meant? The nearest one by edit distance, for messages about misspelt names.
#ifndef GZ_LOAD_NEAREST_NAME_H
#define GZ_LOAD_NEAREST_NAME_H

#include <stdbool.h>
#include <stdint.h>

typedef struct gz_neighbours {
    const char *wanted;
    uint32_t distance; ///< of the best so far; anything farther is of no help to a reader
    int32_t index;     ///< its index, or -1
} gz_neighbours;

gz_neighbours gz_spelling_start(const char *wanted);
/// Offers a name; true when it is the nearest so far. The first of equals stays.
bool gz_spelling_try(gz_neighbours *nearest, const char *name, int32_t index);

/// Insertions, deletions and replacements of bytes that turn a into b; `limit` + 1 when they are
/// more than `limit` or a name is longer than 255 bytes.
uint32_t gz_edit_distance(const char *a, const char *b, uint32_t limit);

#endif
