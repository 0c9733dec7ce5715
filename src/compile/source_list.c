// What was a compiled file made from?

#include <string.h>

#include "base/memory.h"
#include "compile/compiled_file.h"
#include "load/token.h"
#include "robot/name_table.h"
#include "robot/robot.h"
#include "world/world.h"

graze_status gz_source_read(gz_source *source, graze_error *error) {
    char *bytes;
    size_t size;
    source->known = 0;
    source->size = source->hash[0] = source->hash[1] = 0;
    if (!gz_file_exists(source->path)) {
        gz_error_clear(error);
        return GRAZE_OK;
    }
    graze_status status = gz_file_read(source->path, UINT64_MAX, &bytes, &size, error);
    if (status) return status;
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
    return gz_source_read(source, l->error);
}

static graze_status add_robot(listing *l, const graze_robot *r) {
    graze_status status = add(l, r->file, GRAZE_SOURCE_URDF);
    for (size_t i = 0; status == GRAZE_OK && i < r->collision_count; i++)
        status = add(l, r->collisions[i].file, GRAZE_SOURCE_MESH);
    for (size_t i = 0; status == GRAZE_OK && i < r->visual_count; i++)
        if (r->visuals[i].has_shape) status = add(l, r->visuals[i].file, GRAZE_SOURCE_MESH);
    return status;
}

graze_status gz_source_list_make(gz_source_list *list, const graze_robot *robot,
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
