#include "cli/view/watched_files.h"

#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"

static gz_watched_file state_of(char *path) {
    struct stat now;
    gz_watched_file file = {.path = path, .there = stat(path, &now) == 0};
    if (file.there) {
        file.changed = now.st_mtim;
        file.size = now.st_size;
    }
    return file;
}

bool gz_watched_files_add(gz_watched_files *files, const char *path) {
    if (path == NULL) return true;
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->items[i].path, path) == 0) return true;
    char *copy = gz_string_copy(path);
    if (copy == NULL || !GZ_RESERVE(files->items, files->capacity, files->count + 1)) {
        gz_free(copy);
        return false;
    }
    files->items[files->count++] = state_of(copy);
    return true;
}

bool gz_watched_files_changed(gz_watched_files *files) {
    bool changed = false;
    for (size_t i = 0; i < files->count; i++) {
        gz_watched_file *last = &files->items[i], now = state_of(last->path);
        changed |= now.there != last->there || now.size != last->size ||
                   now.changed.tv_sec != last->changed.tv_sec ||
                   now.changed.tv_nsec != last->changed.tv_nsec;
        *last = now;
    }
    return changed;
}

void gz_watched_files_free(gz_watched_files *files) {
    for (size_t i = 0; i < files->count; i++) gz_free(files->items[i].path);
    gz_free(files->items);
    *files = (gz_watched_files){0};
}
