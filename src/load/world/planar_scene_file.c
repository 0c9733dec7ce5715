// Scenes of convex polygons from JSON. Strict: a key that is not known is an error, as a misspelt
// one would leave something out.

#include <stdio.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "graze/planar_scene.h"
#include "load/document/document.h"
#include "load/file.h"

typedef struct reader {
    gz_document document;
    double size;
    graze_vec2 *vertices;
    size_t vertex_count, vertex_capacity;
    int32_t *counts;
    size_t count;
    graze_error *error;
} reader;

/// Fails for a key that is none of `keys`, which end in NULL.
static graze_status check_keys(const reader *r, const gz_value *map, const char *const *keys,
                               const char *allowed) {
    for (const gz_value *v = gz_value_first(&r->document, map); v;
         v = gz_value_next(&r->document, v)) {
        const char *key = gz_value_key(&r->document, v);
        size_t i = 0;
        while (keys[i] && strcmp(keys[i], key) != 0) i++;
        if (!keys[i]) {
            return gz_value_fail(&r->document, v, r->error, GRAZE_ERROR_SCHEMA,
                                 "unknown key '%.80s'; allowed: %s", key, allowed);
        }
    }
    return GRAZE_OK;
}

/// A member of a kind that must be there.
static graze_status take(const reader *r, const gz_value *map, const char *key, gz_value_kind kind,
                         const char *allowed, const gz_value **out) {
    graze_status status = GRAZE_OK;
    *out = gz_value_required(&r->document, map, key, &status, r->error);
    if (status) return status;
    return gz_value_expect(&r->document, *out, kind, allowed, r->error);
}

static graze_status read_polygon(reader *r, const gz_value *polygon) {
    static const char *const keys[] = {"vertices", NULL};
    const gz_value *list;
    graze_status status = gz_value_expect(&r->document, polygon, GZ_VALUE_MAP, "an object {...}",
                                          r->error);
    if (!status) status = check_keys(r, polygon, keys, "vertices");
    if (!status) status = take(r, polygon, "vertices", GZ_VALUE_LIST, "a list of [x, y]", &list);
    if (status) return status;
    if (list->count < 1 || list->count > GRAZE_PLANAR_SCENE_VERTEX_MAX) {
        return gz_value_fail(&r->document, list, r->error, GRAZE_ERROR_LIMIT,
                             "the polygon has %u vertices; allowed: 1 to %d", list->count,
                             GRAZE_PLANAR_SCENE_VERTEX_MAX);
    }
    if (!gz_array_reserve((void **)&r->vertices, &r->vertex_capacity, r->vertex_count + list->count,
                          sizeof *r->vertices)) {
        return gz_fail_memory(r->error);
    }
    graze_vec2 *first = r->vertices + r->vertex_count;
    for (const gz_value *v = gz_value_first(&r->document, list); v && !status;
         v = gz_value_next(&r->document, v)) {
        graze_vec2 *point = &r->vertices[r->vertex_count];
        status = gz_value_numbers(&r->document, v, &point->x, 2, r->error);
        if (!status) r->vertex_count++;
    }
    if (status) return status;
    // Judged here, where the place is known; the scene judges again what anybody gives it.
    graze_planar_convex convex;
    status = graze_planar_convex_make(&convex, first, (int32_t)list->count, r->error);
    if (status) gz_value_locate(&r->document, polygon, r->error);
    r->counts[r->count++] = (int32_t)list->count;
    return status;
}

static graze_status read_header(reader *r, const gz_value *root) {
    static const char *const keys[] = {"format", "size", "polygons", NULL};
    const gz_value *format, *size;
    graze_status status = gz_value_expect(&r->document, root, GZ_VALUE_MAP, "an object {...}",
                                          r->error);
    if (!status) status = check_keys(r, root, keys, "format, size, polygons");
    if (!status) {
        status = take(r, root, "format", GZ_VALUE_STRING, "\"graze-planar-scene-1\"", &format);
    }
    if (status) return status;
    if (strcmp(gz_value_text(&r->document, format), "graze-planar-scene-1") != 0) {
        return gz_value_fail(&r->document, format, r->error, GRAZE_ERROR_SCHEMA,
                             "the format is \"%.80s\"; allowed: \"graze-planar-scene-1\"",
                             gz_value_text(&r->document, format));
    }
    status = take(r, root, "size", GZ_VALUE_NUMBER, "a number", &size);
    if (!status) status = gz_value_number(&r->document, size, &r->size, r->error);
    if (!status && !(r->size >= 0x1p-50 && r->size <= 0x1p50)) {
        status = gz_value_fail(&r->document, size, r->error, GRAZE_ERROR_RANGE,
                               "size is %g; allowed: 2^-50 to 2^50", r->size);
    }
    return status;
}

static graze_status read_scene(reader *r) {
    const gz_value *root = gz_document_root(&r->document), *list;
    graze_status status = read_header(r, root);
    if (!status) status = take(r, root, "polygons", GZ_VALUE_LIST, "a list [...]", &list);
    if (status) return status;
    if (list->count > GRAZE_PLANAR_SCENE_POLYGON_MAX) {
        return gz_value_fail(&r->document, list, r->error, GRAZE_ERROR_LIMIT,
                             "the scene has %u polygons; allowed: at most %d", list->count,
                             GRAZE_PLANAR_SCENE_POLYGON_MAX);
    }
    r->counts = gz_calloc((size_t)list->count + 1, sizeof *r->counts);
    if (!r->counts) return gz_fail_memory(r->error);
    for (const gz_value *v = gz_value_first(&r->document, list); v && !status;
         v = gz_value_next(&r->document, v)) {
        status = read_polygon(r, v);
    }
    return status;
}

static graze_status load(graze_planar_scene **scene, const char *text, size_t size,
                         const char *name, graze_error *error) {
    graze_limits limits = graze_load_options_default().limits;
    reader r = {.error = error};
    graze_status status = gz_document_read_json(&r.document, name, text, size, &limits, error);
    if (!status) status = read_scene(&r);
    if (!status) {
        status = graze_planar_scene_create(scene, r.size, r.vertices, r.counts, r.count, error);
    }
    gz_document_clear(&r.document);
    gz_free(r.vertices);
    gz_free(r.counts);
    return status;
}

graze_status graze_planar_scene_load_memory(graze_planar_scene **scene, const char *text,
                                            size_t size, const char *name, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (scene) *scene = NULL;
    if (!scene || !text || !name) {
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "%s is NULL; allowed: a value",
                       !scene  ? "scene"
                       : !text ? "text"
                               : "name");
    }
    return load(scene, text, size, name, error);
}

graze_status graze_planar_scene_load(graze_planar_scene **scene, const char *path,
                                     graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (scene) *scene = NULL;
    if (!scene || !path) {
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "%s is NULL; allowed: a value",
                       !scene ? "scene" : "path");
    }
    char *bytes = NULL;
    size_t size = 0;
    graze_status status = gz_file_read(path, graze_load_options_default().limits.file_bytes, &bytes,
                                       &size, error);
    if (!status) status = load(scene, bytes, size, path, error);
    gz_free(bytes);
    return status;
}
