#include "load/file.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/options.h"
#include "load/token.h"

// ---------------------------------------------------------------------------------------- files

graze_status gz_load_read(const char *path, const graze_files *files, uint64_t limit_bytes,
                          char **bytes, size_t *size, graze_error *error) {
    if (!files) return gz_file_read(path, limit_bytes, bytes, size, error);
    const gz_place place = {.file = path};
    const void *given = NULL;
    *bytes = NULL;
    *size = 0;
    size_t n = 0;
    if (!files->get(files->user, path, &given, &n))
        return gz_fail_at(error, GRAZE_ERROR_NOT_FOUND, place, "cannot be read: not given");
    if (n > limit_bytes || n == SIZE_MAX)
        return gz_fail_at(error, GRAZE_ERROR_LIMIT, place,
                          "%zu bytes; allowed: at most %llu (limits.file_bytes)", n,
                          (unsigned long long)limit_bytes);
    if (n && !given)
        return gz_fail_at(error, GRAZE_ERROR_ARGUMENT, place,
                          "the caller gave %zu bytes at NULL for %s", n, path);
    char *memory = gz_malloc(n + 1, 1);
    if (!memory) return gz_fail_memory(error);
    if (n) memcpy(memory, given, n);
    memory[n] = '\0';
    *bytes = memory;
    *size = n;
    return GRAZE_OK;
}

bool gz_load_exists(const char *path, const graze_files *files) {
    const void *bytes;
    size_t size;
    return files ? files->get(files->user, path, &bytes, &size) : gz_file_exists(path);
}

// ---------------------------------------------------------------------------------------- folders

char *gz_path_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash) return gz_string_copy(".");
    return slash == path ? gz_string_copy("/") : gz_string_copy_n(path, (size_t)(slash - path));
}

static bool has_ending(const char *name, const char *endings) {
    const char *dot = strrchr(name, '.');
    return dot && dot[1] && gz_word_index((gz_word){dot + 1, strlen(dot + 1)}, endings) >= 0;
}

static int compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

bool gz_folder_list_read(gz_folder_list *out, const char *folder, const char *endings,
                         size_t most) {
    *out = (gz_folder_list){0};
    DIR *stream = opendir(folder);
    if (!stream) return true;
    bool ok = true;
    for (struct dirent *e; ok && out->count < most && (e = readdir(stream));) {
        if (!has_ending(e->d_name, endings)) continue;
        char *name = gz_string_copy(e->d_name);
        ok = name && GZ_RESERVE(out->names, out->capacity, out->count + 1);
        if (ok)
            out->names[out->count++] = name;
        else
            gz_free(name);
    }
    closedir(stream);
    if (out->count > 1) qsort(out->names, out->count, sizeof *out->names, compare);
    return ok;
}

void gz_folder_list_free(gz_folder_list *list) {
    for (size_t i = 0; i < list->count; i++) gz_free(list->names[i]);
    gz_free(list->names);
}

// ---------------------------------------------------------------------------------------- options

static graze_load_options default_options(void) {
    return (graze_load_options){
        .use_environment = 1,
        .collada = GRAZE_COLLADA_ROS,
        .use_visual = GRAZE_USE_VISUAL_NEVER,
        .visuals = GRAZE_VISUALS_CHECK,
        .limits = {.file_bytes = (uint64_t)256 << 20,
                   .memory_bytes = (uint64_t)4 << 30,
                   .depth = 64,
                   .elements = 100000,
                   .triangles = 64000000},
        .importer_seconds = 60,
    };
}

GZ_OPTIONS_INIT(graze_load_options, default_options)

graze_status gz_load_options_check(const graze_load_options *options, graze_load_options *checked,
                                   graze_error *error) {
    GZ_TRY(GZ_OPTIONS_READ(graze_load_options, checked, options, error));
    options = checked;
    if ((unsigned)options->collada > GRAZE_COLLADA_AUTO ||
        (unsigned)options->use_visual > GRAZE_USE_VISUAL_ALWAYS ||
        (unsigned)options->visuals > GRAZE_VISUALS_SKIP)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "load options have collada %d, use_visual %d, visuals %d; allowed: the "
                       "enumerators, 0 to 2 each",
                       (int)options->collada, (int)options->use_visual, (int)options->visuals);
    if ((unsigned)options->reader > GRAZE_READER_ASSIMP)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "load options have reader %d; allowed: 0 or 1",
                       (int)options->reader);
    if (options->package_count && !options->packages)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "load options have %zu packages at NULL; allowed: an array",
                       options->package_count);
    for (size_t i = 0; i < options->package_count; i++)
        if (!options->packages[i].name || !options->packages[i].dir)
            return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                           "package %zu of the load options has no name or no dir; allowed: both",
                           i);
    if (options->files && !options->files->get)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "files of the load options have get NULL; allowed: a function");
    if (options->importer && !options->importer[0])
        return gz_fail(
            error, GRAZE_ERROR_ARGUMENT,
            "load options have importer \"\"; allowed: the path of graze-import, or NULL");
    if (options->importer_seconds < 1 || options->importer_seconds > 86400)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "load options have importer_seconds %u; allowed: 1 to 86400",
                       (unsigned)options->importer_seconds);
    *checked = *options;
    return GRAZE_OK;
}
