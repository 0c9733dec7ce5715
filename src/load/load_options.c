#include "load/file.h"

graze_load_options graze_load_options_default(void) {
    return (graze_load_options){
        .struct_size = (uint32_t)sizeof(graze_load_options),
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

graze_status gz_load_options_check(const graze_load_options *options, graze_load_options *checked,
                                   graze_error *error) {
    *checked = graze_load_options_default();
    if (!options) return GRAZE_OK;
    if (options->struct_size != checked->struct_size)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "load options have struct_size %u; allowed: %u, as set by "
                       "graze_load_options_default()",
                       (unsigned)options->struct_size, (unsigned)checked->struct_size);
    if ((unsigned)options->collada > GRAZE_COLLADA_MOVEIT ||
        (unsigned)options->use_visual > GRAZE_USE_VISUAL_ALWAYS ||
        (unsigned)options->visuals > GRAZE_VISUALS_SKIP)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "load options have collada %d, use_visual %d, visuals %d; allowed: the "
                       "enumerators, 0 to 2 each",
                       (int)options->collada, (int)options->use_visual, (int)options->visuals);
    if (options->package_count && !options->packages)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "load options have %zu packages at NULL; allowed: an array",
                       options->package_count);
    for (size_t i = 0; i < options->package_count; i++)
        if (!options->packages[i].name || !options->packages[i].dir)
            return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                           "package %zu of the load options has no name or no dir; allowed: both",
                           i);
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
