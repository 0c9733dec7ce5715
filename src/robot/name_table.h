/// Index by name, for thousands of names.
#ifndef GZ_ROBOT_NAME_TABLE_H
#define GZ_ROBOT_NAME_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A bit by which the names below differ for the first time.
typedef struct gz_name_branch {
    size_t bit;       ///< counted from the first byte's highest
    int32_t child[2]; ///< a branch, or ~name
    int32_t some;     ///< a name below
} gz_name_branch;

/// A tree over the bits of the names (a crit-bit tree): a name of n bytes is found in 8 (n + 1)
/// steps at most, whatever names a file makes up; those of a hash table can be made to collide.
/// Names are borrowed and must outlive the table.
typedef struct gz_name_table {
    const char **names;
    int32_t *indices;
    gz_name_branch *branches; ///< one less than names
    size_t count, slots;      ///< of `names`, used and in all; those behind are NULL
    int32_t root;
} gz_name_table;

/// Adds a name; of one that is in the table, the index is replaced. False when out of memory, or of
/// numbers.
bool gz_name_table_add(gz_name_table *table, const char *name, int32_t index);
/// The index of a name, or -1.
int32_t gz_name_table_find(const gz_name_table *table, const char *name);
void gz_name_table_free(gz_name_table *table);

#endif
