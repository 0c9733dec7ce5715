// A robot and a world to the bytes of a compiled file.

#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "compile/compiled_file.h"
#include "robot/robot.h"
#include "world/world.h"

graze_compile_options graze_compile_options_default(void) {
    return (graze_compile_options){.struct_size = sizeof(graze_compile_options)};
}

void graze_compiled_free(unsigned char *bytes) {
    gz_free(bytes);
}

/// What goes into each section; NULL for nothing.
typedef struct part {
    const gz_type *type;
    const void *structure;
} part;

static graze_status write_file(const part parts[GZ_SECTION_COUNT], unsigned char **bytes,
                               size_t *size, graze_error *error) {
    gz_file_header header = {.magic = GZ_COMPILED_MAGIC,
                             .byte_order = 0x01020304,
                             .format = GZ_COMPILED_FORMAT,
                             .layout = gz_type_fingerprint(),
                             .version = GRAZE_VERSION};
    size_t at = sizeof header;
    for (int i = 0; i < GZ_SECTION_COUNT; i++) {
        gz_image_size section = {0};
        if (parts[i].structure) section = gz_image_write(parts[i].type, parts[i].structure, NULL);
        header.sections[i] = (gz_file_section){at, section.bytes, section.arena_bytes};
        at += section.bytes;
    }
    header.file_bytes = at;
    unsigned char *out = gz_malloc_aligned(at, 1);
    if (!out) return gz_fail_memory(error);
    for (int i = 0; i < GZ_SECTION_COUNT; i++)
        if (parts[i].structure)
            gz_image_write(parts[i].type, parts[i].structure, out + header.sections[i].at);
    header.checksum = gz_file_checksum(&header, out + sizeof header, at - sizeof header);
    memcpy(out, &header, sizeof header);
    *bytes = out;
    *size = at;
    return GRAZE_OK;
}

/// Whether what was written can be read: numbers that no check would let pass (a link 2^40 m away)
/// are an error now rather than when the file is opened.
static graze_status check_structures(const graze_robot *robot, const graze_world *world,
                                     const unsigned char *bytes, size_t size, graze_error *error) {
    graze_compiled *compiled;
    graze_robot *again = NULL;
    graze_world *again_world = NULL;
    graze_status status = graze_compiled_open_memory(&compiled, bytes, size, "what was compiled",
                                                     error);
    if (status == GRAZE_OK && robot) status = graze_compiled_robot(compiled, &again, error);
    if (status == GRAZE_OK && world) status = graze_compiled_world(compiled, &again_world, error);
    graze_robot_free(again);
    graze_world_free(again_world);
    graze_compiled_close(compiled);
    return status;
}

static graze_status compile_parts(unsigned char **bytes, size_t *size, const graze_robot *robot,
                                  const graze_world *world, const graze_compile_options *options,
                                  graze_error *error) {
    gz_source_list sources;
    graze_status status = gz_source_list_make(&sources, robot, world, options, error);
    if (status) return status;
    const part parts[GZ_SECTION_COUNT] = {
        {&gz_type_source_list, &sources}, {&gz_type_robot, robot}, {&gz_type_world, world}};
    status = write_file(parts, bytes, size, error);
    gz_free(sources.items);
    if (status == GRAZE_OK) status = check_structures(robot, world, *bytes, *size, error);
    if (status == GRAZE_OK) return GRAZE_OK;
    gz_free(*bytes);
    *bytes = NULL;
    *size = 0;
    return status;
}

graze_status graze_compile(unsigned char **bytes, size_t *size, const graze_robot *robot,
                           const graze_world *world, const graze_compile_options *options,
                           graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    if (!bytes || !size)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "%s is NULL; allowed: where the result goes",
                       bytes ? "size" : "bytes");
    *bytes = NULL;
    *size = 0;
    graze_compile_options defaults = graze_compile_options_default();
    if (!options) options = &defaults;
    if (options->struct_size != sizeof *options)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "options have struct_size %zu; allowed: %zu, from "
                       "graze_compile_options_default()",
                       options->struct_size, sizeof *options);
    if (!robot && !world)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "robot and world are NULL; allowed: one of them, or neither");
    if (world && !world->committed)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "the world is not committed; allowed: after graze_world_commit()");
    if (options->world_count && !options->worlds)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "worlds is NULL; allowed: %zu paths",
                       options->world_count);
    // A version that leans on another world is written as one that stands for itself.
    graze_world *flat = NULL;
    graze_status status = world && world->delta ? gz_world_flatten(&flat, world, error) : GRAZE_OK;
    if (status == GRAZE_OK)
        status = compile_parts(bytes, size, robot, flat ? flat : world, options, error);
    graze_world_free(flat);
    if (status == GRAZE_OK) gz_error_clear(error);
    return status;
}
