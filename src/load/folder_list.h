/// Which files are in a folder?
#ifndef GZ_LOAD_FOLDER_LIST_H
#define GZ_LOAD_FOLDER_LIST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct gz_folder_list {
    char **names; ///< sorted by bytes
    size_t count, capacity;
} gz_folder_list;

/// Lists the names of a folder's entries that end in a dot and one of `endings` (blanks between
/// them, "stl dae"), in any case; at most `most` of them are kept, whichever the system gives
/// first. A folder that cannot be read is empty. False when out of memory; free in both cases.
bool gz_folder_list_read(gz_folder_list *out, const char *folder, const char *endings, size_t most);
void gz_folder_list_free(gz_folder_list *list);

#endif
