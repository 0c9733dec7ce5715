#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "load/file.h"
#include "load/token.h"
#include "load/urdf/urdf.h"

/// The folder of a path, as written; "." when it names none.
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash) return gz_string_copy(".");
    return slash == path ? gz_string_copy("/") : gz_string_copy_n(path, (size_t)(slash - path));
}

static graze_status load(graze_robot **out, const char *text, size_t size, const char *name,
                         const char *base_dir, const graze_load_options *options,
                         graze_error *error) {
    gz_builder *builder;
    graze_status status = gz_urdf_read(&builder, text, size, name, base_dir, options, error);
    if (status != GRAZE_OK) return status;
    if (options->srdf) status = gz_srdf_read(builder, options->srdf, &options->limits, error);
    if (status == GRAZE_OK && gz_builder_warnings(builder)->out_of_memory)
        status = gz_fail_memory(error);
    if (status != GRAZE_OK) {
        gz_builder_free(builder);
        return status;
    }
    return gz_builder_finish(builder, out, error);
}

graze_status graze_robot_load_urdf_memory(graze_robot **out, const char *text, size_t size,
                                          const char *name, const char *base_dir,
                                          const graze_load_options *options, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (out) *out = NULL;
    if (!out || !text || !name)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "%s is NULL; allowed: out, text and name that are not",
                       !out    ? "out"
                       : !text ? "text"
                               : "name");
    graze_load_options checked;
    graze_status status = gz_load_options_check(options, &checked, error);
    if (status != GRAZE_OK) return status;
    if (size > checked.limits.file_bytes)
        return gz_fail_at(error, GRAZE_ERROR_LIMIT, (gz_place){.file = name},
                          "%.200s has %zu bytes; allowed: at most %llu (limits.file_bytes)", name,
                          size, (unsigned long long)checked.limits.file_bytes);
    status = load(out, text, size, name, base_dir, &checked, error);
    if (status == GRAZE_OK) gz_error_clear(error);
    return status;
}

graze_status graze_robot_load_urdf(graze_robot **out, const char *path,
                                   const graze_load_options *options, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (out) *out = NULL;
    if (!out || !path)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "%s is NULL; allowed: out and path that are not", !out ? "out" : "path");
    graze_load_options checked;
    graze_status status = gz_load_options_check(options, &checked, error);
    if (status != GRAZE_OK) return status;
    char *bytes;
    size_t size;
    status = gz_file_read(path, checked.limits.file_bytes, &bytes, &size, error);
    if (status != GRAZE_OK) return status;
    char *folder = folder_of(path);
    if (folder)
        status = load(out, bytes, size, path, folder, &checked, error);
    else
        status = gz_fail_memory(error);
    gz_free(folder);
    gz_free(bytes);
    if (status == GRAZE_OK) gz_error_clear(error);
    return status;
}
