/// Reads and lists files, from the file system or the caller's, and checks the options of a load.
#ifndef GZ_LOAD_FILE_H
#define GZ_LOAD_FILE_H

#include "base/platform.h"
#include "graze/robot.h"

/// Reads a file whole as gz_file_read() does, from the caller's files where there are some.
/// @param files NULL for the file system
graze_status gz_load_read(const char *path, const graze_files *files, uint64_t limit_bytes,
                          char **bytes, size_t *size, graze_error *error);
/// Whether a file is there, likewise.
bool gz_load_exists(const char *path, const graze_files *files);

/// The folder of a path, as written; "." when it names none. NULL when out of memory; free with
/// gz_free().
char *gz_path_folder(const char *path);

typedef struct gz_folder_list {
    char **names; ///< sorted by bytes
    size_t count, capacity;
} gz_folder_list;

/// Lists the names of a folder's entries that end in a dot and one of `endings` (blanks between
/// them, "stl dae"), in any case; at most `most` of them are kept, whichever the system gives
/// first. A folder that cannot be read is empty. False when out of memory; free in both cases.
bool gz_folder_list_read(gz_folder_list *out, const char *folder, const char *endings, size_t most);
void gz_folder_list_free(gz_folder_list *list);

/// Puts the defaults, or the caller's options where there are some, into *checked.
/// @return GRAZE_ERROR_ARGUMENT for options that did not come from graze_load_options_default(),
///         unknown enumerators and packages without a name or folder
graze_status gz_load_options_check(const graze_load_options *options, graze_load_options *checked,
                                   graze_error *error);

#endif
