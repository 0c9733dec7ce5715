/// Files whose change is noticed.
#ifndef GZ_CLI_VIEW_WATCHED_FILES_H
#define GZ_CLI_VIEW_WATCHED_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

typedef struct gz_watched_file {
    char *path;
    bool there;
    struct timespec changed;
    long long size;
} gz_watched_file;

/// Starts as {0}.
typedef struct gz_watched_files {
    gz_watched_file *items;
    size_t count, capacity;
} gz_watched_files;

/// Watches a file from now on; one that is watched already, and NULL, change nothing. False when
/// out of memory.
bool gz_watched_files_add(gz_watched_files *files, const char *path);

/// Whether any is other than it was when it was added, or when this was said last.
bool gz_watched_files_changed(gz_watched_files *files);

void gz_watched_files_free(gz_watched_files *files);

#endif
