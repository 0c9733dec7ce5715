// A robot and a world to the bytes of a compiled file.

#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/platform.h"
#include "compile/compiled_file.h"
#include "robot/name_table.h"
#include "robot/robot.h"
#include "world/world.h"

static graze_compile_options default_options(void) {
    return (graze_compile_options){.srdf = NULL};
}

GZ_OPTIONS_INIT(graze_compile_options, default_options)

void graze_compiled_free(unsigned char *bytes) {
    gz_free(bytes);
}

// What was a compiled file made from?

/// Fills in size and hash of the file at source->path, where there is one.
static graze_status read_source(gz_source *source, graze_error *error) {
    char *bytes;
    size_t size;
    source->known = 0;
    source->size = source->hash[0] = source->hash[1] = 0;
    if (!gz_file_exists(source->path)) {
        gz_error_clear(error);
        return GRAZE_OK;
    }
    GZ_TRY(gz_file_read(source->path, UINT64_MAX, &bytes, &size, error));
    source->known = 1;
    source->size = size;
    gz_source_hash(bytes, size, source->hash);
    gz_free(bytes);
    return GRAZE_OK;
}

typedef struct listing {
    gz_source_list *list;
    size_t capacity;
    gz_name_table seen;
    graze_error *error;
} listing;

/// Adds a path that is not in the list; NULL is left out.
static graze_status add(listing *l, const char *path, graze_source_kind kind) {
    if (!path || gz_name_table_find(&l->seen, path) >= 0) return GRAZE_OK;
    gz_source_list *list = l->list;
    if (!gz_array_reserve((void **)&list->items, &l->capacity, list->count + 1,
                          sizeof *list->items) ||
        !gz_name_table_add(&l->seen, path, (int32_t)list->count))
        return gz_fail_memory(l->error);
    gz_source *source = &list->items[list->count++];
    *source = (gz_source){.path = (char *)(uintptr_t)path, .kind = (int32_t)kind};
    return read_source(source, l->error);
}

static graze_status add_robot(listing *l, const graze_robot *r) {
    graze_status status = add(l, r->file, GRAZE_SOURCE_URDF);
    for (size_t i = 0; status == GRAZE_OK && i < r->collision_count; i++)
        status = add(l, r->collisions[i].file, GRAZE_SOURCE_MESH);
    for (size_t i = 0; status == GRAZE_OK && i < r->visual_count; i++)
        if (r->visuals[i].has_shape) status = add(l, r->visuals[i].file, GRAZE_SOURCE_MESH);
    return status;
}

/// Lists what a robot and a world were made from and hashes it. The strings are borrowed; free the
/// list's items with gz_free().
static graze_status list_sources(gz_source_list *list, const graze_robot *robot,
                                 const graze_world *world, const graze_compile_options *options,
                                 graze_error *error) {
    *list = (gz_source_list){0};
    listing l = {.list = list, .error = error};
    graze_status status = robot ? add_robot(&l, robot) : GRAZE_OK;
    if (status == GRAZE_OK) status = add(&l, options->srdf, GRAZE_SOURCE_SRDF);
    for (size_t i = 0; status == GRAZE_OK && i < options->world_count; i++)
        status = add(&l, options->worlds[i], GRAZE_SOURCE_WORLD);
    for (size_t i = 0; world && status == GRAZE_OK && i < world->object_count; i++)
        status = add(&l, gz_world_at(world, i)->file, GRAZE_SOURCE_WORLD);
    gz_name_table_free(&l.seen);
    if (status) {
        gz_free(list->items);
        *list = (gz_source_list){0};
    }
    return status;
}

/// What goes into each section; NULL for nothing.
typedef struct content {
    const gz_type *type;
    const void *structure;
} content;

static graze_status write_file(const content contents[GZ_SECTION_COUNT], unsigned char **bytes,
                               size_t *size, graze_error *error) {
    gz_file_header header = {.magic = GZ_COMPILED_MAGIC,
                             .byte_order = 0x01020304,
                             .format = GZ_COMPILED_FORMAT,
                             .layout = gz_type_fingerprint(),
                             .version = GRAZE_VERSION};
    size_t at = sizeof header;
    for (int i = 0; i < GZ_SECTION_COUNT; i++) {
        const size_t begin = at;
        if (contents[i].structure)
            at += gz_image_write(contents[i].type, contents[i].structure, NULL);
        header.sections[i] = (gz_file_section){begin, at - begin};
    }
    header.file_bytes = at;
    unsigned char *out = gz_malloc_aligned(at, 1);
    if (!out) return gz_fail_memory(error);
    for (int i = 0; i < GZ_SECTION_COUNT; i++)
        if (contents[i].structure)
            gz_image_write(contents[i].type, contents[i].structure, out + header.sections[i].at);
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
    if (status == GRAZE_OK && robot) status = graze_compiled_robot(&again, compiled, error);
    if (status == GRAZE_OK && world) status = graze_compiled_world(&again_world, compiled, error);
    graze_robot_free(again);
    graze_world_free(again_world);
    graze_compiled_close(compiled);
    return status;
}

static graze_status compile_sections(unsigned char **bytes, size_t *size, const graze_robot *robot,
                                     const graze_world *world, const graze_compile_options *options,
                                     graze_error *error) {
    gz_source_list sources;
    GZ_TRY(list_sources(&sources, robot, world, options, error));
    const content contents[GZ_SECTION_COUNT] = {
        {&gz_type_source_list, &sources}, {&gz_type_robot, robot}, {&gz_type_world, world}};
    graze_status status = write_file(contents, bytes, size, error);
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
    graze_compile_options o;
    graze_status status = GZ_OPTIONS_READ(graze_compile_options, &o, options, error);
    if (status) return status;
    if (!robot && !world)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "robot and world are NULL; allowed: one of them, or neither");
    if (world && !world->committed)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "the world is not committed; allowed: after graze_world_commit()");
    if (o.world_count && !o.worlds)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "worlds is NULL; allowed: %zu paths",
                       o.world_count);
    // A version that leans on another world is written as one that stands for itself.
    graze_world *flat = NULL;
    if (world && world->delta) status = gz_world_flatten(&flat, world, error);
    if (status == GRAZE_OK)
        status = compile_sections(bytes, size, robot, flat ? flat : world, &o, error);
    graze_world_free(flat);
    if (status == GRAZE_OK) gz_error_clear(error);
    return status;
}

// What does a compiled file say of itself, and is it still what its sources say?

size_t graze_compiled_source_count(const graze_compiled *c) {
    return c ? c->sources->count : 0;
}

graze_status graze_compiled_source_sized(const graze_compiled *c, size_t index,
                                         graze_source *source, size_t size) {
    if (!c || !source || index >= c->sources->count) return GRAZE_ERROR_ARGUMENT;
    const gz_source *s = &c->sources->items[index];
    graze_source out = {.path = s->path,
                        .kind = (graze_source_kind)s->kind,
                        .known = s->known != 0,
                        .size = s->size,
                        .hash = {s->hash[0], s->hash[1]}};
    gz_fill(source, size, &out, sizeof out);
    return GRAZE_OK;
}

graze_status graze_compiled_source_now(const graze_compiled *c, size_t index,
                                       graze_source_state *state, graze_error *error) {
    if (!c || !state || index >= c->sources->count)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "no source %zu; allowed: an open file, state, and an index below %zu", index,
                       graze_compiled_source_count(c));
    const gz_source *was = &c->sources->items[index];
    gz_error_clear(error);
    *state = GRAZE_SOURCE_UNKNOWN;
    if (!was->known) return GRAZE_OK;
    gz_source now = *was;
    graze_status status = read_source(&now, error);
    if (status == GRAZE_ERROR_NO_MEMORY) return status;
    gz_error_clear(error);
    if (status || !now.known)
        *state = GRAZE_SOURCE_MISSING;
    else if (now.size == was->size && now.hash[0] == was->hash[0] && now.hash[1] == was->hash[1])
        *state = GRAZE_SOURCE_SAME;
    else
        *state = GRAZE_SOURCE_CHANGED;
    return GRAZE_OK;
}

const char *graze_compiled_version(const graze_compiled *c) {
    return c ? c->header.version : NULL;
}

size_t graze_compiled_size(const graze_compiled *c, size_t *robot, size_t *world) {
    if (robot) *robot = c ? (size_t)c->header.sections[GZ_SECTION_ROBOT].bytes : 0;
    if (world) *world = c ? (size_t)c->header.sections[GZ_SECTION_WORLD].bytes : 0;
    return c ? c->mapping->size : 0;
}
