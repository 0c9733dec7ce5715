// Scenes: sets of convex polygons, from vertices or at random, and which of them overlap.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/random.h"
#include "math/trigonometry.h"
#include "planar/convex/convex_internal.h"

struct graze_planar_scene {
    double size;
    size_t count;
    gz_convex *polygons;
    graze_vec2 *vertices; ///< of all polygons, one after another
};

void graze_planar_scene_free(graze_planar_scene *scene) {
    gz_free(scene);
}

/// Names the polygon in the error; returns the status.
static graze_status locate(graze_error *error, size_t polygon, graze_status status) {
    char element[32];
    snprintf(element, sizeof element, "polygons[%zu]", polygon);
    gz_error_locate(error, (gz_place){.element = element});
    return status;
}

/// The number of all vertices; fails for a polygon that has too few or too many.
static graze_status sum_counts(const int32_t *counts, size_t polygon_count, size_t *sum,
                               graze_error *error) {
    *sum = 0;
    for (size_t i = 0; i < polygon_count; i++) {
        if (counts[i] < 1 || counts[i] > GRAZE_PLANAR_SCENE_VERTEX_MAX)
            return locate(error, i,
                          gz_fail(error, GRAZE_ERROR_LIMIT,
                                  "the polygon has %d vertices; allowed: 1 to %d", (int)counts[i],
                                  GRAZE_PLANAR_SCENE_VERTEX_MAX));
        *sum += (size_t)counts[i];
    }
    return GRAZE_OK;
}

static graze_status fill(graze_planar_scene *scene, const graze_vec2 *vertices, size_t vertex_count,
                         const int32_t *counts, graze_error *error) {
    if (vertex_count > 0) memcpy(scene->vertices, vertices, vertex_count * sizeof *vertices);
    const graze_vec2 *at = scene->vertices;
    for (size_t i = 0; i < scene->count; at += counts[i], i++) {
        graze_status status = gz_convex_make(&scene->polygons[i], at, counts[i], error);
        if (status != GRAZE_OK) return locate(error, i, status);
    }
    return GRAZE_OK;
}

graze_status graze_planar_scene_create(graze_planar_scene **scene, double size,
                                       const graze_vec2 *vertices, const int32_t *counts,
                                       size_t polygon_count, graze_error *error) {
    GZ_ENTER(error);
    if (scene) *scene = NULL;
    if (!scene || (polygon_count > 0 && (!vertices || !counts)))
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "%s is NULL; allowed: a value",
                       !scene      ? "scene"
                       : !vertices ? "vertices"
                                   : "counts");
    GZ_TRY(gz_planar_range_check("size", size, 0x1p-50, 0x1p50, "2^-50 to 2^50", error));
    if (polygon_count > GRAZE_PLANAR_SCENE_POLYGON_MAX)
        return gz_fail(error, GRAZE_ERROR_LIMIT, "the scene has %zu polygons; allowed: at most %d",
                       polygon_count, GRAZE_PLANAR_SCENE_POLYGON_MAX);
    size_t vertex_count = 0;
    GZ_TRY(sum_counts(counts, polygon_count, &vertex_count, error));
    // One block: polygons behind the scene, vertices behind these.
    size_t polygons = polygon_count * sizeof(gz_convex);
    graze_planar_scene *made = gz_calloc(1,
                                         sizeof *made + polygons + vertex_count * sizeof *vertices);
    if (!made) return gz_fail_memory(error);
    made->size = size;
    made->count = polygon_count;
    made->polygons = (gz_convex *)(made + 1);
    made->vertices = (graze_vec2 *)(made->polygons + polygon_count);
    graze_status status = fill(made, vertices, vertex_count, counts, error);
    if (status)
        graze_planar_scene_free(made);
    else
        *scene = made;
    return status;
}

double graze_planar_scene_size(const graze_planar_scene *scene) {
    return scene ? scene->size : 0;
}

size_t graze_planar_scene_count(const graze_planar_scene *scene) {
    return scene ? scene->count : 0;
}

const gz_convex *gz_scene_polygon(const graze_planar_scene *scene, size_t index) {
    return scene && index < scene->count ? &scene->polygons[index] : NULL;
}

const graze_vec2 *graze_planar_scene_polygon(const graze_planar_scene *scene, size_t index,
                                             size_t *count) {
    const gz_convex *polygon = gz_scene_polygon(scene, index);
    if (count) *count = polygon ? (size_t)polygon->count : 0;
    return polygon ? polygon->vertices : NULL;
}

// ------------------------------------------------------------------------------------- random

// From a seed: equal on every machine.

// Points drawn for one polygon before it is given up.
#define DRAW_MAX 20000

static graze_planar_scene_options default_options(void) {
    return (graze_planar_scene_options){.count = 10,
                                        .vertex_min = 4,
                                        .vertex_max = 6,
                                        .radius_min = 0.4,
                                        .radius_max = 0.5,
                                        .size = 2,
                                        .seed = 1};
}

GZ_OPTIONS_INIT(graze_planar_scene_options, default_options)

static graze_status check_options(const graze_planar_scene_options *o, graze_error *error) {
    if (o->count < 1 || o->count > GRAZE_PLANAR_SCENE_POLYGON_MAX)
        return gz_fail(error, GRAZE_ERROR_RANGE, "the number of polygons is %u; allowed: 1 to %d",
                       o->count, GRAZE_PLANAR_SCENE_POLYGON_MAX);
    if (o->vertex_min < 3 || o->vertex_max < o->vertex_min ||
        o->vertex_max > GRAZE_PLANAR_SCENE_VERTEX_MAX)
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "the vertices range from %u to %u; allowed: 3 to %d, the lower number first",
                       o->vertex_min, o->vertex_max, GRAZE_PLANAR_SCENE_VERTEX_MAX);
    GZ_TRY(gz_planar_range_check("size", o->size, 0x1p-50, 0x1p50, "2^-50 to 2^50", error));
    if (!(o->radius_min >= 0x1p-20 * o->size && o->radius_min <= o->radius_max &&
          o->radius_max <= 0.5 * o->size))
        return gz_fail(
            error, GRAZE_ERROR_RANGE,
            "the radii range from %g to %g; allowed: 2^-20 of the size to half the size, "
            "%g, the lower number first",
            o->radius_min, o->radius_max, 0.5 * o->size);
    return GRAZE_OK;
}

/// Whether the point changes the hull: it lies outside, or there is no area yet.
static bool extends_hull(const graze_vec2 *hull, size_t count, graze_vec2 point) {
    for (size_t i = 0; i < count; i++)
        if (gz_planar_turn(hull[i], hull[i + 1 < count ? i + 1 : 0], point) < 0) return true;
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
        double angle = gz_random_range(random, 0, GZ_TWO_PI), sine, cosine;
        double radius = gz_random_range(random, o->radius_min, o->radius_max);
        gz_sine_cosine(angle, &sine, &cosine);
        graze_vec2 point = gz_planar_snap(
            gz_vec2_add_scaled(middle, radius, (graze_vec2){cosine, sine}));
        if (!extends_hull(hull, count, point)) continue;
        memcpy(scratch, hull, count * sizeof *hull);
        scratch[count++] = point;
        gz_planar_sort(scratch, count);
        count = gz_planar_hull_of_sorted(hull, scratch, count);
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
                              sizeof *d->vertices))
            return gz_fail_memory(error);
        GZ_TRY(draw_polygon(o, &random, wanted, d->vertices + d->count, d->scratch, error));
        d->counts[i] = (int32_t)wanted;
        d->count += wanted;
    }
    return GRAZE_OK;
}

graze_status graze_planar_scene_generate(graze_planar_scene **scene,
                                         const graze_planar_scene_options *options,
                                         graze_error *error) {
    GZ_ENTER(error);
    if (!scene) return gz_planar_fail_null(error);
    *scene = NULL;
    graze_planar_scene_options o;
    GZ_TRY(GZ_OPTIONS_READ(graze_planar_scene_options, &o, options, error));
    GZ_TRY(check_options(&o, error));
    drawing d = {0};
    graze_status status = draw_scene(&o, &d, error);
    if (status == GRAZE_OK)
        status = graze_planar_scene_create(scene, o.size, d.vertices, d.counts, o.count, error);
    gz_free(d.vertices);
    gz_free(d.counts);
    gz_free(d.scratch);
    return status;
}

// ------------------------------------------------------------------------------------------ pairs

static int compare_spans(const void *x, const void *y) {
    const gz_planar_span *a = x, *b = y;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

void gz_planar_spans_sort(gz_planar_span *spans, size_t count) {
    if (count > 0) qsort(spans, count, sizeof *spans, compare_spans);
}

static int compare_pairs(const void *x, const void *y) {
    const size_t *a = x, *b = y;
    int k = a[0] == b[0];
    return a[k] < b[k] ? -1 : a[k] > b[k];
}

typedef struct pair_list {
    size_t (*items)[2];
    size_t count, capacity;
} pair_list;

/// Compares a polygon with those whose boxes begin before its own ends.
static bool sweep_from(const graze_planar_scene *scene, const gz_planar_span *spans, size_t at,
                       pair_list *list) {
    const gz_convex *first = &scene->polygons[spans[at].index];
    for (size_t k = at + 1; k < scene->count && spans[k].low <= spans[at].high; k++) {
        const gz_convex *second = &scene->polygons[spans[k].index];
        if (!gz_convex_overlap(first, second)) continue;
        if (!gz_array_reserve((void **)&list->items, &list->capacity, list->count + 1,
                              sizeof *list->items))
            return false;
        size_t a = spans[at].index, b = spans[k].index;
        list->items[list->count][0] = a < b ? a : b;
        list->items[list->count++][1] = a < b ? b : a;
    }
    return true;
}

graze_status graze_planar_scene_pairs(const graze_planar_scene *scene, size_t (*pairs)[2],
                                      size_t capacity, size_t *count, graze_error *error) {
    GZ_ENTER(error);
    if (count) *count = 0;
    if (!scene || !count || (!pairs && capacity > 0)) return gz_planar_fail_null(error);
    pair_list list = {0};
    gz_planar_span *spans = gz_malloc(scene->count + 1, sizeof *spans);
    bool good = spans != NULL;
    for (size_t i = 0; good && i < scene->count; i++)
        spans[i] = (gz_planar_span){scene->polygons[i].bounds.min.x,
                                    scene->polygons[i].bounds.max.x, i};
    if (good) gz_planar_spans_sort(spans, scene->count);
    for (size_t i = 0; good && i < scene->count; i++) good = sweep_from(scene, spans, i, &list);
    if (good && list.count) qsort(list.items, list.count, sizeof *list.items, compare_pairs);
    if (good) *count = list.count;
    size_t copied = list.count < capacity ? list.count : capacity;
    if (good && copied) memcpy(pairs, list.items, copied * sizeof *pairs);
    gz_free(spans);
    gz_free(list.items);
    return good ? GRAZE_OK : gz_fail_memory(error);
}
