/// Suggestions for misspelt names.
#ifndef GZ_BASE_SPELLING_H
#define GZ_BASE_SPELLING_H

#include <stdbool.h>
#include <stdint.h>

/// The search for the name that is nearest to the one wanted.
typedef struct gz_spelling {
    const char *wanted;
    uint32_t distance; ///< of the best so far; anything farther is of no help to a reader
    int32_t index;     ///< its index, or -1
} gz_spelling;

gz_spelling gz_spelling_start(const char *wanted);
/// Compares a name; true when it is the nearest so far. The first of equals stays.
bool gz_spelling_try(gz_spelling *nearest, const char *name, int32_t index);

/// The word of a list, which blanks separate, that is most like the wanted one: written to `word`
/// and returned; NULL when none is near.
const char *gz_spelling_of_list(const char *list, const char *wanted, char word[64]);

/// Insertions, deletions and replacements of bytes that turn a into b; `limit` + 1 when they are
/// more than `limit` or a name is longer than 255 bytes.
uint32_t gz_edit_distance(const char *a, const char *b, uint32_t limit);

#endif
