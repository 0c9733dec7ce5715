/// Index by name, for thousands of names.
#ifndef GZ_ROBOT_NAME_TABLE_H
#define GZ_ROBOT_NAME_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Open addressing; names are borrowed and must outlive the table.
typedef struct gz_name_table {
    const char **names;
    int32_t *indices;
    size_t slots, count;
} gz_name_table;

/// Adds a name that is not in the table; false when out of memory.
bool gz_name_table_add(gz_name_table *table, const char *name, int32_t index);
/// The index of a name, or -1.
int32_t gz_name_table_find(const gz_name_table *table, const char *name);
void gz_name_table_free(gz_name_table *table);

#endif
