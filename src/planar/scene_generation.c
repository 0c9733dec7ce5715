// Scenes at random, from a seed: the same on every machine.

#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "base/memory.h"
#include "base/random.h"
#include "math/trigonometry.h"
#include "planar/scene.h"

// Points drawn for one polygon before it is given up.
#define DRAW_MAX 20000

#define TWO_PI 6.283185307179586

graze_planar_scene_options graze_planar_scene_options_default(void) {
    return (graze_planar_scene_options){.struct_size = sizeof(graze_planar_scene_options),
                                        .count = 10,
                                        .vertex_min = 4,
                                        .vertex_max = 6,
                                        .radius_min = 0.4,
                                        .radius_max = 0.5,
                                        .size = 2,
                                        .seed = 1};
}

static graze_status check_options(const graze_planar_scene_options *o, graze_error *error) {
    if (o->struct_size != sizeof *o) {
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "options.struct_size is %u; allowed: %zu, from "
                       "graze_planar_scene_options_default()",
                       o->struct_size, sizeof *o);
    }
    if (o->count < 1 || o->count > GRAZE_PLANAR_SCENE_POLYGON_MAX) {
        return gz_fail(error, GRAZE_ERROR_RANGE, "the number of polygons is %u; allowed: 1 to %d",
                       o->count, GRAZE_PLANAR_SCENE_POLYGON_MAX);
    }
    if (o->vertex_min < 3 || o->vertex_max < o->vertex_min ||
        o->vertex_max > GRAZE_PLANAR_SCENE_VERTEX_MAX) {
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "the vertices range from %u to %u; allowed: 3 to %d, the lower number first",
                       o->vertex_min, o->vertex_max, GRAZE_PLANAR_SCENE_VERTEX_MAX);
    }
    if (!(o->size >= GZ_SCENE_SIZE_MIN && o->size <= GZ_SCENE_SIZE_MAX)) {
        return gz_fail(error, GRAZE_ERROR_RANGE, "size is %g; allowed: 2^-50 to 2^50", o->size);
    }
    if (!(o->radius_min >= 0x1p-20 * o->size && o->radius_min <= o->radius_max &&
          o->radius_max <= 0.5 * o->size)) {
        return gz_fail(
            error, GRAZE_ERROR_RANGE,
            "the radii range from %g to %g; allowed: 2^-20 of the size to half the size, "
            "%g, the lower number first",
            o->radius_min, o->radius_max, 0.5 * o->size);
    }
    return GRAZE_OK;
}

/// Whether the point changes the hull: it lies outside, or there is no area yet.
static bool is_news(const graze_vec2 *hull, size_t count, graze_vec2 point) {
    for (size_t i = 0; i < count; i++) {
        if (gz_turn(hull[i], hull[i + 1 < count ? i + 1 : 0], point) < 0) return true;
    }
    return count < 3;
}

/// Draws points about a middle until their hull has `wanted` corners. One point adds one corner at
/// most, so that no number is stepped over. Room for wanted + 1 corners in hull and scratch.
static graze_status draw_polygon(const graze_planar_scene_options *o, gz_random *random,
                                 size_t wanted, graze_vec2 *hull, graze_vec2 *scratch,
                                 graze_error *error) {
    double low = o->radius_max, high = o->size - o->radius_max;
    graze_vec2 middle = {gz_random_range(random, low, high), gz_random_range(random, low, high)};
    size_t count = 0, most = 0;
    for (int drawn = 0; drawn < DRAW_MAX && count < wanted; drawn++) {
        double angle = gz_random_range(random, 0, TWO_PI), sine, cosine;
        double radius = gz_random_range(random, o->radius_min, o->radius_max);
        gz_sine_cosine(angle, &sine, &cosine);
        graze_vec2 point = {middle.x + radius * cosine, middle.y + radius * sine};
        // No polygon is refused for a coordinate next to 0.
        if (!gz_coordinate_good(point.x)) point.x = 0;
        if (!gz_coordinate_good(point.y)) point.y = 0;
        if (!is_news(hull, count, point)) continue;
        hull[count] = point;
        graze_status status = graze_planar_hull_corners(&scratch[0].x, &count, &hull[0].x,
                                                        count + 1, error);
        if (status) return status;
        memcpy(hull, scratch, count * sizeof *hull);
        most = count > most ? count : most;
    }
    if (count == wanted) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_LIMIT,
                   "the hull of %d points at radii from %g to %g has %zu corners at most; allowed: "
                   "fewer than %zu vertices, or radii that differ less",
                   DRAW_MAX, o->radius_min, o->radius_max, most, wanted);
}

/// Polygons as they are drawn, one behind the other.
typedef struct drawing {
    graze_vec2 *vertices;
    size_t count, capacity;
    int32_t *counts;
    graze_vec2 *scratch;
} drawing;

static graze_status draw_scene(const graze_planar_scene_options *o, drawing *d,
                               graze_error *error) {
    d->counts = gz_calloc(o->count, sizeof *d->counts);
    d->scratch = gz_calloc(o->vertex_max + 1, sizeof *d->scratch);
    if (!d->counts || !d->scratch) return gz_fail_memory(error);
    for (uint32_t i = 0; i < o->count; i++) {
        // A stream for each polygon: the first ten of a hundred are those of a scene of ten.
        gz_random random = gz_random_make(o->seed, i);
        uint32_t wanted = o->vertex_min +
                          gz_random_below(&random, o->vertex_max - o->vertex_min + 1);
        if (!gz_array_reserve((void **)&d->vertices, &d->capacity, d->count + wanted + 1,
                              sizeof *d->vertices)) {
            return gz_fail_memory(error);
        }
        graze_status status = draw_polygon(o, &random, wanted, d->vertices + d->count, d->scratch,
                                           error);
        if (status) return status;
        d->counts[i] = (int32_t)wanted;
        d->count += wanted;
    }
    return GRAZE_OK;
}

graze_status graze_planar_scene_generate(graze_planar_scene **scene,
                                         const graze_planar_scene_options *options,
                                         graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (!scene) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "scene is NULL; allowed: a place");
    *scene = NULL;
    graze_planar_scene_options o = options ? *options : graze_planar_scene_options_default();
    graze_status status = check_options(&o, error);
    if (status) return status;
    drawing d = {0};
    status = draw_scene(&o, &d, error);
    if (status == GRAZE_OK) {
        status = graze_planar_scene_create(scene, o.size, d.vertices, d.counts, o.count, error);
    }
    gz_free(d.vertices);
    gz_free(d.counts);
    gz_free(d.scratch);
    return status;
}
