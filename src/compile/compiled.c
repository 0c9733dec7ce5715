// The bytes of a compiled file to a robot and a world.

#include <stdio.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "base/platform.h"
#include "compile/compiled_file.h"
#include "compile/image.h"

/// What a robot or a world lies in, and keeps in memory with every part of it.
typedef struct image {
    gz_keeper keeper; ///< first: it is taken for the image
    gz_pool pool;     ///< of the structures
    gz_file_mapping *mapping;
} image;

static void release(gz_keeper *keeper) {
    image *i = (image *)keeper;
    gz_file_mapping_drop(i->mapping);
    gz_pool_free(&i->pool);
    gz_free(i);
}

// ---------------------------------------------------------------------------------------- opening

bool graze_compiled_recognise(const void *bytes, size_t size) {
    return bytes && size >= 8 && memcmp(bytes, GZ_COMPILED_MAGIC, 8) == 0;
}

bool graze_compiled_recognise_file(const char *path) {
    char bytes[8];
    return path && gz_file_begin(path, bytes, sizeof bytes) == sizeof bytes &&
           graze_compiled_recognise(bytes, sizeof bytes);
}

/// Whether the file is for this version on this machine.
static graze_status check_version(const gz_file_header *h, gz_place place, graze_error *error) {
    if (h->byte_order != 0x01020304)
        return gz_fail_at(error, GRAZE_ERROR_UNSUPPORTED, place,
                          "%s was compiled on a machine of another byte order; allowed: compile "
                          "it on this one",
                          place.file);
    if (!memchr(h->version, '\0', sizeof h->version))
        return gz_fail_at(error, GRAZE_ERROR_PARSE, place, "%s is damaged: its version has no end",
                          place.file);
    if (h->format != GZ_COMPILED_FORMAT || strcmp(h->version, GRAZE_VERSION) != 0)
        return gz_fail_at(error, GRAZE_ERROR_UNSUPPORTED, place,
                          "%s was compiled by graze %s (format %u), this is %s (format %d); "
                          "allowed: compile it anew",
                          place.file, h->version, h->format, GRAZE_VERSION, GZ_COMPILED_FORMAT);
    if (h->layout != gz_type_fingerprint())
        return gz_fail_at(error, GRAZE_ERROR_UNSUPPORTED, place,
                          "%s was compiled by another build of graze %s, whose structures differ; "
                          "allowed: compile it anew",
                          place.file, h->version);
    return GRAZE_OK;
}

/// Whether the sections tile the file and its bytes are those that were written.
static graze_status check_bytes(const graze_compiled *c, gz_place place, graze_error *error) {
    const gz_file_header *h = &c->header;
    size_t size = c->mapping->size;
    if (h->file_bytes != size)
        return gz_fail_at(error, GRAZE_ERROR_PARSE, place,
                          "%s has %zu bytes and says %llu; allowed: all of a compiled file",
                          place.file, size, (unsigned long long)h->file_bytes);
    uint64_t at = sizeof *h;
    bool fits = h->sections[GZ_SECTION_SOURCES].bytes > 0;
    for (int i = 0; i < GZ_SECTION_COUNT && fits; i++) {
        const gz_file_section *s = &h->sections[i];
        fits = s->at == at && s->bytes <= size - at && s->bytes % GZ_IMAGE_ALIGNMENT == 0;
        at += s->bytes;
    }
    for (size_t i = 0; i < sizeof h->reserved; i++) fits = fits && !h->reserved[i];
    if (!fits || at != size)
        return gz_fail_at(error, GRAZE_ERROR_PARSE, place,
                          "%s is damaged: its parts do not fill it", place.file);
    if (gz_file_checksum(h, c->mapping->bytes + sizeof *h, size - sizeof *h) != h->checksum)
        return gz_fail_at(error, GRAZE_ERROR_PARSE, place,
                          "%s is damaged: its checksum is not that of its bytes", place.file);
    return GRAZE_OK;
}

/// Rebuilds a section's structures in a pool.
static graze_status read_section(const graze_compiled *c, int section, const gz_type *type,
                                 gz_pool *pool, void **structure, graze_error *error) {
    const gz_file_section *s = &c->header.sections[section];
    return gz_image_read(type, c->mapping->bytes + s->at, (size_t)s->bytes, pool, c->name,
                         structure, error);
}

static graze_status read_sources(graze_compiled *c, gz_place place, graze_error *error) {
    void *list;
    GZ_TRY(read_section(c, GZ_SECTION_SOURCES, &gz_type_source_list, &c->pool, &list, error));
    c->sources = list;
    for (size_t i = 0; i < c->sources->count; i++) {
        const gz_source *s = &c->sources->items[i];
        if (s->kind < 0 || s->kind > GRAZE_SOURCE_WORLD || s->known < 0 || s->known > 1)
            return gz_fail_at(error, GRAZE_ERROR_PARSE, place, "%s is damaged: source %zu",
                              place.file, i);
    }
    return GRAZE_OK;
}

/// Whether the file is one that graze has made; its header, sources and name.
static graze_status read_file(graze_compiled *c, const char *name, graze_error *error) {
    const gz_file_mapping *mapping = c->mapping;
    const gz_place place = {.file = name};
    c->name = gz_string_copy(name);
    if (!c->name) return gz_fail_memory(error);
    if (!graze_compiled_recognise(mapping->bytes, mapping->size))
        return gz_fail_at(error, GRAZE_ERROR_PARSE, place,
                          "%s is no compiled file; allowed: one that graze compile has made", name);
    if (mapping->size < sizeof c->header)
        return gz_fail_at(error, GRAZE_ERROR_PARSE, place,
                          "%s has %zu bytes; allowed: all of a compiled file", name, mapping->size);
    memcpy(&c->header, mapping->bytes, sizeof c->header);
    GZ_TRY(check_version(&c->header, place, error));
    GZ_TRY(check_bytes(c, place, error));
    return read_sources(c, place, error);
}

graze_status gz_compiled_open_mapping(graze_compiled **out, gz_file_mapping *mapping,
                                      const char *name, graze_error *error) {
    graze_compiled *c = gz_calloc(1, sizeof *c);
    if (!c) {
        gz_file_mapping_drop(mapping);
        return gz_fail_memory(error);
    }
    c->mapping = mapping;
    graze_status status = read_file(c, name, error);
    if (status) {
        graze_compiled_close(c);
        return status;
    }
    *out = c;
    gz_error_clear(error);
    return GRAZE_OK;
}

graze_status graze_compiled_open(graze_compiled **out, const char *path, graze_error *error) {
    if (out) *out = NULL;
    if (!out || !path)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "%s is NULL; allowed: out and path that are not", !out ? "out" : "path");
    gz_file_mapping *mapping;
    GZ_TRY(gz_file_mapping_open(&mapping, path, error));
    return gz_compiled_open_mapping(out, mapping, path, error);
}

graze_status graze_compiled_open_memory(graze_compiled **out, const void *bytes, size_t size,
                                        const char *name, graze_error *error) {
    if (out) *out = NULL;
    if (!out || !name || (!bytes && size))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "%s is NULL; allowed: out, name and bytes that are not",
                       !out    ? "out"
                       : !name ? "name"
                               : "bytes");
    gz_file_mapping *mapping = gz_file_mapping_copy(bytes, size);
    return mapping ? gz_compiled_open_mapping(out, mapping, name, error) : gz_fail_memory(error);
}

void graze_compiled_close(graze_compiled *c) {
    if (!c) return;
    gz_file_mapping_drop(c->mapping);
    gz_pool_free(&c->pool);
    gz_free(c->name);
    gz_free(c);
}

// ------------------------------------------------------------------------------ robots and worlds

bool graze_compiled_has_robot(const graze_compiled *c) {
    return c && c->header.sections[GZ_SECTION_ROBOT].bytes > 0;
}

bool graze_compiled_has_world(const graze_compiled *c) {
    return c && c->header.sections[GZ_SECTION_WORLD].bytes > 0;
}

// Who owns a thing is not in the tables of structures: a file may say anything there.

static void keep_shape(gz_shape *shape, gz_keeper *keeper) {
    if (!shape->mesh) return;
    shape->mesh->keeper = keeper;
    shape->mesh->shared = (gz_shared){0};
}

/// Tells a robot, and what may be held of it, what they lie in.
static void keep_robot(void *made, gz_keeper *keeper) {
    graze_robot *robot = made;
    robot->keeper = keeper;
    for (int32_t i = 0; robot->links && i < robot->link_count; i++) robot->links[i].user = NULL;
    for (size_t i = 0; i < robot->collision_count; i++)
        keep_shape(&robot->collisions[i].shape, keeper);
    for (size_t i = 0; i < robot->visual_count; i++) keep_shape(&robot->visuals[i].shape, keeper);
}

static void keep_world(void *made, gz_keeper *keeper) {
    graze_world *world = made;
    world->keeper = keeper;
    world->shared = (gz_shared){0};
    world->delta = NULL;
    world->last_id = 0;
    for (size_t i = 0; i < world->object_count; i++) {
        gz_object *object = world->objects[i];
        if (!object) continue; // refused by the check
        object->keeper = keeper;
        object->shared = (gz_shared){0};
        object->source = NULL;
        if (!object->element) world->last_id++;
        object->id = world->last_id;
        object->user = NULL;
        keep_shape(&object->shape, keeper);
    }
}

/// What a section of a file holds, and what makes a structure out of it that others may use.
typedef struct content {
    const char *name;
    int section;
    const gz_type *type;
    void (*keep)(void *made, gz_keeper *keeper);
    graze_status (*check)(gz_image_checker *checker, const void *made);
} content;

static const content robot_content = {"robot", GZ_SECTION_ROBOT, &gz_type_robot, keep_robot,
                                      gz_robot_image_check};
static const content world_content = {"world", GZ_SECTION_WORLD, &gz_type_world, keep_world,
                                      gz_world_image_check};

/// Rebuilds a robot or a world, with what it is to be released with. *out is NULL on failure.
static graze_status make(const graze_compiled *c, const content *what, void **out,
                         graze_error *error) {
    if (out) *out = NULL;
    if (!out || !c)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "%s is NULL; allowed: out and an open file",
                       !out ? "out" : "compiled");
    if (c->header.sections[what->section].bytes == 0)
        return gz_fail_at(error, GRAZE_ERROR_NOT_FOUND, (gz_place){.file = c->name},
                          "%s holds no %s; allowed: a file that was compiled with one", c->name,
                          what->name);
    image *i = gz_calloc(1, sizeof *i);
    if (!i) return gz_fail_memory(error);
    void *made;
    graze_status status = read_section(c, what->section, what->type, &i->pool, &made, error);
    if (status) {
        gz_pool_free(&i->pool);
        gz_free(i);
        return status;
    }
    i->keeper.release = release;
    i->mapping = c->mapping;
    gz_shared_hold(&i->mapping->shared);
    what->keep(made, &i->keeper);
    gz_image_checker checker = {.file = c->name, .error = error};
    snprintf(checker.element, sizeof checker.element, "%s", what->name);
    status = what->check(&checker, made);
    gz_free(checker.marks);
    if (status) {
        release(&i->keeper);
        return status;
    }
    *out = made;
    gz_error_clear(error);
    return GRAZE_OK;
}

graze_status graze_compiled_robot(graze_robot **out, const graze_compiled *c, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    return make(c, &robot_content, (void **)out, error);
}

graze_status graze_compiled_world(graze_world **out, const graze_compiled *c, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    return make(c, &world_content, (void **)out, error);
}

graze_status graze_robot_open_compiled(graze_robot **out, const char *path, graze_error *error) {
    if (out) *out = NULL;
    if (!out) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out is NULL; allowed: where it goes");
    graze_compiled *c;
    GZ_TRY(graze_compiled_open(&c, path, error));
    graze_status status = graze_compiled_robot(out, c, error);
    graze_compiled_close(c);
    return status;
}
