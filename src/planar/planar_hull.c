// Convex hulls in the plane by Andrew's chain (1979), with exact signs.
#include <stdlib.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "planar/shapes/shape_internal.h"

// Up to so many points are sorted in place on the stack.
#define SMALL GRAZE_PLANAR_VERTEX_MAX

static int compare_points(const void *a, const void *b) {
    graze_vec2 p, q;
    memcpy(&p, a, sizeof p);
    memcpy(&q, b, sizeof q);
    return gz_planar_before(q, p) - gz_planar_before(p, q);
}

void gz_planar_sort(graze_vec2 *points, size_t count) {
    if (count > SMALL) {
        qsort(points, count, sizeof *points, compare_points);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        graze_vec2 p = points[i];
        size_t j = i;
        for (; j > 0 && gz_planar_before(p, points[j - 1]); j--) points[j] = points[j - 1];
        points[j] = p;
    }
}

size_t gz_planar_hull_of_sorted(graze_vec2 *corners, const graze_vec2 *points, size_t count) {
    // The lower chain from left to right: whatever does not turn left is no corner.
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (n > 0 && gz_planar_same(corners[n - 1], points[i])) continue;
        while (n > 1 && gz_planar_turn(corners[n - 2], corners[n - 1], points[i]) <= 0) n--;
        corners[n++] = points[i];
    }
    // The upper chain back; its last point is the first corner again.
    size_t lower = n;
    for (size_t i = count; i-- > 0 && lower > 1;) {
        if (gz_planar_same(corners[n - 1], points[i])) continue;
        while (n > lower && gz_planar_turn(corners[n - 2], corners[n - 1], points[i]) <= 0) n--;
        corners[n++] = points[i];
    }
    return n > 1 ? n - 1 : n;
}

// Reads, checks, snaps and sorts the points; the hull's corners come after them in memory.
static graze_status hull_in(graze_vec2 *memory, size_t *corner_count, const double *xy,
                            size_t count, graze_error *error) {
    for (size_t i = 0; i < count; i++) {
        graze_vec2 p = {xy[2 * i], xy[2 * i + 1]};
        graze_status status = gz_planar_point_check(p, i, error);
        if (status != GRAZE_OK) return status;
        memory[i] = gz_planar_snap(p);
    }
    gz_planar_sort(memory, count);
    *corner_count = gz_planar_hull_of_sorted(memory + count, memory, count);
    return GRAZE_OK;
}

static graze_vec2 *working_memory(graze_vec2 *small, size_t count) {
    if (count <= SMALL) return small;
    return count < SIZE_MAX / 4 ? gz_malloc(2 * count + 1, sizeof *small) : NULL;
}

static GZ_OUT_OF_LINE graze_status hull_corners(double *corners, size_t *corner_count,
                                                const double *xy, size_t count,
                                                graze_error *error) {
    graze_vec2 small[2 * SMALL + 1];
    graze_vec2 *memory = working_memory(small, count);
    if (memory == NULL) return gz_fail_memory(error);
    size_t n = 0;
    graze_status status = hull_in(memory, &n, xy, count, error);
    if (status == GRAZE_OK) {
        for (size_t i = 0; i < n; i++) {
            corners[2 * i] = memory[count + i].x;
            corners[2 * i + 1] = memory[count + i].y;
        }
        *corner_count = n;
    }
    if (memory != small) gz_free(memory);
    return status;
}

static GZ_OUT_OF_LINE graze_status hull_shape(graze_planar_shape *out, const double *xy,
                                              size_t count, double radius, graze_error *error) {
    graze_vec2 small[2 * SMALL + 1];
    graze_vec2 *memory = working_memory(small, count);
    if (memory == NULL) return gz_fail_memory(error);
    size_t n = 0;
    graze_status status = hull_in(memory, &n, xy, count, error);
    if (status == GRAZE_OK && n > GRAZE_PLANAR_VERTEX_MAX) {
        status = gz_fail(error, GRAZE_ERROR_LIMIT, "the hull has %zu corners; allowed: at most %d",
                         n, GRAZE_PLANAR_VERTEX_MAX);
    }
    if (status == GRAZE_OK) gz_planar_shape_fill(out, memory + count, n, radius);
    if (memory != small) gz_free(memory);
    return status;
}

graze_status graze_planar_hull_corners(double *corners, size_t *corner_count, const double *xy,
                                       size_t count, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (corners == NULL || corner_count == NULL || xy == NULL || count == 0) {
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "NULL or no points; allowed: at least 1 point");
    }
    return hull_corners(corners, corner_count, xy, count, error);
}

graze_status graze_planar_hull(graze_planar_shape *out, const double *xy, size_t count,
                               double radius, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    gz_error_clear(error);
    if (out == NULL || xy == NULL || count == 0) {
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "NULL or no points; allowed: at least 1 point");
    }
    graze_status status = gz_planar_radius_check(radius, error);
    return status == GRAZE_OK ? hull_shape(out, xy, count, radius, error) : status;
}
