/// A folder for the files of one test, and the files in it.
#ifndef GRAZE_TESTS_TEMPORARY_FOLDER_H
#define GRAZE_TESTS_TEMPORARY_FOLDER_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEMPORARY_PATH_SIZE = 512 };

typedef struct temporary_folder {
    char path[TEMPORARY_PATH_SIZE];
    char last[2 * TEMPORARY_PATH_SIZE]; ///< of temporary_path()
} temporary_folder;

static inline temporary_folder temporary_folder_make(void) {
    temporary_folder folder;
    const char *base = getenv("TMPDIR");
    snprintf(folder.path, sizeof folder.path, "%s/graze-test-XXXXXX", base ? base : "/tmp");
    if (!mkdtemp(folder.path)) abort();
    return folder;
}

/// The path of a file in the folder; overwritten by the next call.
static inline const char *temporary_path(temporary_folder *folder, const char *name) {
    snprintf(folder->last, sizeof folder->last, "%s/%s", folder->path, name);
    return folder->last;
}

/// Writes a file, making the folders above it.
static inline void temporary_write(temporary_folder *folder, const char *name, const void *bytes,
                                   size_t size) {
    temporary_path(folder, name);
    for (char *p = folder->last + strlen(folder->path) + 1; (p = strchr(p, '/')); *p++ = '/') {
        *p = '\0';
        mkdir(folder->last, 0777);
    }
    FILE *file = fopen(folder->last, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) abort();
}

static inline void temporary_write_text(temporary_folder *folder, const char *name,
                                        const char *text) {
    temporary_write(folder, name, text, strlen(text));
}

static inline int temporary_remove_one(const char *path, const struct stat *about, int type,
                                       struct FTW *where) {
    (void)about, (void)type, (void)where;
    return remove(path);
}

static inline void temporary_folder_remove(temporary_folder *folder) {
    nftw(folder->path, temporary_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
