// Scenes: polygons that live together.

#include "planar/scene.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "base/memory.h"

void graze_planar_scene_free(graze_planar_scene *scene) {
    if (!scene) return;
    gz_free(scene->polygons);
    gz_free(scene->vertices);
    gz_free(scene);
}

/// The number of all vertices; fails for a polygon that has too few or too many.
static graze_status sum_counts(const int32_t *counts, size_t polygon_count, size_t *sum,
                               graze_error *error) {
    *sum = 0;
    for (size_t i = 0; i < polygon_count; i++) {
        if (counts[i] < 1 || counts[i] > GRAZE_PLANAR_SCENE_VERTEX_MAX) {
            char element[32];
            snprintf(element, sizeof element, "polygons[%zu]", i);
            return gz_fail_at(error, GRAZE_ERROR_LIMIT, (gz_place){.element = element},
                              "the polygon has %d vertices; allowed: 1 to %d", (int)counts[i],
                              GRAZE_PLANAR_SCENE_VERTEX_MAX);
        }
        *sum += (size_t)counts[i];
    }
    return GRAZE_OK;
}

static graze_status fill(graze_planar_scene *scene, const graze_vec2 *vertices, size_t vertex_count,
                         const int32_t *counts, graze_error *error) {
    // One more than needed, so that a scene without polygons is no special case.
    scene->polygons = gz_calloc(scene->count + 1, sizeof *scene->polygons);
    scene->vertices = gz_calloc(vertex_count + 1, sizeof *scene->vertices);
    if (!scene->polygons || !scene->vertices) return gz_fail_memory(error);
    if (vertex_count > 0) memcpy(scene->vertices, vertices, vertex_count * sizeof *vertices);
    const graze_vec2 *at = scene->vertices;
    for (size_t i = 0; i < scene->count; at += counts[i], i++) {
        graze_status status = graze_planar_convex_make(&scene->polygons[i], at, counts[i], error);
        if (status == GRAZE_OK) continue;
        char element[32];
        snprintf(element, sizeof element, "polygons[%zu]", i);
        gz_error_locate(error, (gz_place){.element = element});
        return status;
    }
    return GRAZE_OK;
}

graze_status graze_planar_scene_create(graze_planar_scene **scene, double size,
                                       const graze_vec2 *vertices, const int32_t *counts,
                                       size_t polygon_count, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (scene) *scene = NULL;
    if (!scene || (polygon_count > 0 && (!vertices || !counts))) {
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "%s is NULL; allowed: a value",
                       !scene      ? "scene"
                       : !vertices ? "vertices"
                                   : "counts");
    }
    if (!(size >= GZ_SCENE_SIZE_MIN && size <= GZ_SCENE_SIZE_MAX)) {
        return gz_fail(error, GRAZE_ERROR_RANGE, "size is %g; allowed: 2^-50 to 2^50", size);
    }
    if (polygon_count > GRAZE_PLANAR_SCENE_POLYGON_MAX) {
        return gz_fail(error, GRAZE_ERROR_LIMIT, "the scene has %zu polygons; allowed: at most %d",
                       polygon_count, GRAZE_PLANAR_SCENE_POLYGON_MAX);
    }
    size_t vertex_count = 0;
    graze_status status = sum_counts(counts, polygon_count, &vertex_count, error);
    if (status) return status;
    graze_planar_scene *made = gz_calloc(1, sizeof *made);
    if (!made) return gz_fail_memory(error);
    made->size = size;
    made->count = polygon_count;
    status = fill(made, vertices, vertex_count, counts, error);
    if (status) {
        graze_planar_scene_free(made);
        return status;
    }
    *scene = made;
    return GRAZE_OK;
}

double graze_planar_scene_size(const graze_planar_scene *scene) {
    return scene ? scene->size : 0;
}

size_t graze_planar_scene_count(const graze_planar_scene *scene) {
    return scene ? scene->count : 0;
}

const graze_planar_convex *graze_planar_scene_polygon(const graze_planar_scene *scene,
                                                      size_t index) {
    return scene && index < scene->count ? &scene->polygons[index] : NULL;
}

// ------------------------------------------------------------------------------------------ text

/// What snprintf does, piece by piece.
typedef struct sink {
    char *buffer;
    size_t size, used;
} sink;

static void put(sink *s, const char *text) {
    for (; *text; text++, s->used++) {
        if (s->used + 1 < s->size) s->buffer[s->used] = *text;
    }
}

/// 17 digits read back as the same double. The decimal point is that of the host's locale, which
/// may be several bytes; JSON's is a point.
static void put_number(sink *s, double value) {
    char text[64], clean[64];
    size_t n = 0;
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        n = 0;
        for (const char *at = text; *at; at++) {
            bool plain = strchr("+-0123456789e", *at) != NULL;
            if (plain) clean[n++] = *at;
            if (!plain && (n == 0 || clean[n - 1] != '.')) clean[n++] = '.';
        }
        clean[n] = '\0';
        // 15 or 16 digits are easier to read where they do: judged in the host's own notation.
        double back = 0;
        if (digits == 17 || (sscanf(text, "%lf", &back) == 1 && back == value)) break;
    }
    put(s, clean);
}

static void put_polygon(sink *s, const graze_planar_convex *polygon) {
    put(s, "{\"vertices\": [");
    for (int32_t i = 0; i < polygon->count; i++) {
        put(s, i > 0 ? ", [" : "[");
        put_number(s, polygon->vertices[i].x);
        put(s, ", ");
        put_number(s, polygon->vertices[i].y);
        put(s, "]");
    }
    put(s, "]}");
}

size_t graze_planar_scene_text(const graze_planar_scene *scene, char *buffer, size_t size) {
    GZ_FLOAT_ENVIRONMENT;
    sink s = {buffer, buffer ? size : 0, 0};
    if (scene) {
        put(&s, "{\"format\": \"graze-planar-scene-1\", \"size\": ");
        put_number(&s, scene->size);
        put(&s, ", \"polygons\": [");
        for (size_t i = 0; i < scene->count; i++) {
            put(&s, i > 0 ? ",\n  " : "\n  ");
            put_polygon(&s, &scene->polygons[i]);
        }
        put(&s, scene->count > 0 ? "\n]}\n" : "]}\n");
    }
    if (s.size > 0) s.buffer[s.used < s.size ? s.used : s.size - 1] = '\0';
    return s.used;
}
