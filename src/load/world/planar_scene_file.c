// Scenes of convex polygons from and to JSON. Strict: a key that is not known is an error, as a
// misspelt one would leave something out.

#include <stdio.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "graze/planar_scene.h"
#include "load/document/document.h"
#include "load/file.h"
#include "load/token.h"

typedef struct reader {
    gz_document doc;
    double size;
    graze_vec2 *vertices;
    size_t vertex_count, vertex_capacity;
    int32_t *counts;
    size_t count;
} reader;

static graze_status read_polygon(reader *r, const gz_value *polygon) {
    const gz_value *list;
    GZ_TRY(gz_value_expect(&r->doc, polygon, GZ_VALUE_MAP, "an object {...}"));
    GZ_TRY(gz_value_refuse_keys(&r->doc, polygon, "vertices"));
    GZ_TRY(gz_value_required_kind(&r->doc, polygon, "vertices", GZ_VALUE_LIST, "a list of [x, y]",
                                  &list));
    if (list->count < 1 || list->count > GRAZE_PLANAR_SCENE_VERTEX_MAX)
        return gz_value_fail(&r->doc, list, GRAZE_ERROR_LIMIT,
                             "the polygon has %u vertices; allowed: 1 to %d", list->count,
                             GRAZE_PLANAR_SCENE_VERTEX_MAX);
    if (!GZ_RESERVE(r->vertices, r->vertex_capacity, r->vertex_count + list->count))
        return gz_fail_memory(r->doc.error);
    graze_vec2 *first = r->vertices + r->vertex_count;
    for (const gz_value *v = gz_value_first(list); v; v = gz_value_next(v)) {
        GZ_TRY(gz_value_numbers(&r->doc, v, &r->vertices[r->vertex_count].x, 2));
        r->vertex_count++;
    }
    // Checked here, where the place is known, and again by the scene.
    graze_planar_scene *one;
    const int32_t count = (int32_t)list->count;
    graze_status status = graze_planar_scene_create(&one, r->size, first, &count, 1, r->doc.error);
    graze_planar_scene_free(one);
    if (status && r->doc.error) r->doc.error->element[0] = '\0'; // that of one polygon alone
    if (status) gz_value_locate(&r->doc, polygon);
    r->counts[r->count++] = (int32_t)list->count;
    return status;
}

static graze_status read_header(reader *r, const gz_value *root) {
    const gz_value *format, *size;
    GZ_TRY(gz_value_expect(&r->doc, root, GZ_VALUE_MAP, "an object {...}"));
    GZ_TRY(gz_value_refuse_keys(&r->doc, root, "format size polygons"));
    GZ_TRY(gz_value_required_kind(&r->doc, root, "format", GZ_VALUE_STRING,
                                  "\"graze-planar-scene-1\"", &format));
    if (strcmp(gz_value_text(&r->doc, format), "graze-planar-scene-1") != 0)
        return gz_value_fail(&r->doc, format, GRAZE_ERROR_SCHEMA,
                             "the format is \"%.80s\"; allowed: \"graze-planar-scene-1\"",
                             gz_value_text(&r->doc, format));
    GZ_TRY(gz_value_required_kind(&r->doc, root, "size", GZ_VALUE_NUMBER, "a number", &size));
    GZ_TRY(gz_value_number(&r->doc, size, &r->size));
    if (!(r->size >= 0x1p-50 && r->size <= 0x1p50))
        return gz_value_fail(&r->doc, size, GRAZE_ERROR_RANGE, "size is %g; allowed: 2^-50 to 2^50",
                             r->size);
    return GRAZE_OK;
}

static graze_status read_scene(reader *r) {
    const gz_value *root = gz_document_root(&r->doc), *list;
    GZ_TRY(read_header(r, root));
    GZ_TRY(gz_value_required_kind(&r->doc, root, "polygons", GZ_VALUE_LIST, "a list [...]", &list));
    if (list->count > GRAZE_PLANAR_SCENE_POLYGON_MAX)
        return gz_value_fail(&r->doc, list, GRAZE_ERROR_LIMIT,
                             "the scene has %u polygons; allowed: at most %d", list->count,
                             GRAZE_PLANAR_SCENE_POLYGON_MAX);
    r->counts = gz_calloc((size_t)list->count + 1, sizeof *r->counts);
    if (!r->counts) return gz_fail_memory(r->doc.error);
    for (const gz_value *v = gz_value_first(list); v; v = gz_value_next(v))
        GZ_TRY(read_polygon(r, v));
    return GRAZE_OK;
}

static graze_status load(graze_planar_scene **scene, const char *text, size_t size,
                         const char *name, graze_error *error) {
    graze_limits limits = graze_load_options_default().limits;
    reader r = {.doc = {.file = name, .error = error}};
    graze_status status = gz_document_read_json(&r.doc, text, size, &limits);
    if (!status) status = read_scene(&r);
    if (!status)
        status = graze_planar_scene_create(scene, r.size, r.vertices, r.counts, r.count, error);
    gz_document_clear(&r.doc);
    gz_free(r.vertices);
    gz_free(r.counts);
    return status;
}

graze_status graze_planar_scene_load_memory(graze_planar_scene **scene, const char *text,
                                            size_t size, const char *name, graze_error *error) {
    GZ_ENTER(error);
    if (scene) *scene = NULL;
    if (!scene || !text || !name)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "%s is NULL; allowed: a value",
                       !scene  ? "scene"
                       : !text ? "text"
                               : "name");
    return load(scene, text, size, name, error);
}

graze_status graze_planar_scene_load(graze_planar_scene **scene, const char *path,
                                     graze_error *error) {
    GZ_ENTER(error);
    if (scene) *scene = NULL;
    if (!scene || !path)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "%s is NULL; allowed: a value",
                       !scene ? "scene" : "path");
    char *bytes = NULL;
    size_t size = 0;
    graze_status status = gz_file_read(path, graze_load_options_default().limits.file_bytes, &bytes,
                                       &size, error);
    if (!status) status = load(scene, bytes, size, path, error);
    gz_free(bytes);
    return status;
}

// ---------------------------------------------------------------------------------------- writing

/// A buffer that is written to like one of snprintf(), piece by piece.
typedef struct sink {
    char *buffer;
    size_t size, used;
} sink;

static void put(sink *s, const char *text) {
    for (; *text; text++, s->used++)
        if (s->used + 1 < s->size) s->buffer[s->used] = *text;
}

static void put_number(sink *s, double value) {
    char text[GZ_NUMBER_SIZE];
    gz_number_format(text, value);
    put(s, text);
}

static void put_polygon(sink *s, const graze_vec2 *vertices, size_t count) {
    put(s, "{\"vertices\": [");
    for (size_t i = 0; i < count; i++) {
        put(s, i > 0 ? ", [" : "[");
        put_number(s, vertices[i].x);
        put(s, ", ");
        put_number(s, vertices[i].y);
        put(s, "]");
    }
    put(s, "]}");
}

size_t graze_planar_scene_text(const graze_planar_scene *scene, char *buffer, size_t size) {
    GZ_FLOAT_ENVIRONMENT;
    sink s = {buffer, buffer ? size : 0, 0};
    if (scene) {
        put(&s, "{\"format\": \"graze-planar-scene-1\", \"size\": ");
        put_number(&s, graze_planar_scene_size(scene));
        put(&s, ", \"polygons\": [");
        for (size_t i = 0; i < graze_planar_scene_count(scene); i++) {
            size_t count;
            const graze_vec2 *vertices = graze_planar_scene_polygon(scene, i, &count);
            put(&s, i > 0 ? ",\n  " : "\n  ");
            put_polygon(&s, vertices, count);
        }
        put(&s, graze_planar_scene_count(scene) > 0 ? "\n]}\n" : "]}\n");
    }
    if (s.size > 0) s.buffer[s.used < s.size ? s.used : s.size - 1] = '\0';
    return s.used;
}
