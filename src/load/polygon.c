#include "load/mesh/mesh_input.h"

#include <inttypes.h>

#include "base/memory.h"

/// Corner comparisons that the concave polygons of one file may cost, a second or so: cutting ears
/// takes up to the cube of the corners, and a file must not be able to hang the loader.
#define WORK_MAX UINT64_C(300000000)

bool gz_polygons_reserve(gz_polygons *polygons, size_t count) {
    return gz_array_reserve((void **)&polygons->corners, &polygons->capacity, count,
                            sizeof *polygons->corners);
}

void gz_polygons_free(gz_polygons *polygons) {
    gz_free(polygons->corners);
    gz_free(polygons->rest);
    *polygons = (gz_polygons){0};
}

void gz_polygons_end(gz_polygons *polygons, const gz_mesh_input *input, gz_soup *soup) {
    gz_place place = gz_mesh_place(input, 0);
    soup->skipped += polygons->skipped;
    if (polygons->skipped)
        gz_warn(input->warnings, "mesh-face-without-area", place,
                "%zu faces of one or two corners were left out", polygons->skipped);
    if (polygons->fans)
        gz_warn(input->warnings, "mesh-polygon-fan", place,
                "%" PRIu64 " polygons could not be cut along their shape and were cut as fans",
                polygons->fans);
    gz_polygons_free(polygons);
}

/// A polygon seen along the coordinate axis that its normal is closest to.
typedef struct view {
    const double *vertices;
    int u, v;    ///< axes kept
    double sign; ///< +1 when the polygon runs counterclockwise in (u, v), else -1
} view;

static view look_at(const gz_soup *soup, const uint32_t *corners, size_t count) {
    // Newell's normal: twice the area of the projections onto the coordinate planes. Relative to
    // the first corner, so that a far origin costs no digits.
    const double *origin = soup->vertices + 3 * (size_t)corners[0];
    double normal[3] = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        const double *p = soup->vertices + 3 * (size_t)corners[i];
        const double *q = soup->vertices + 3 * (size_t)corners[i + 1 < count ? i + 1 : 0];
        double a[3], b[3];
        for (int k = 0; k < 3; k++) a[k] = p[k] - origin[k], b[k] = q[k] - origin[k];
        for (int k = 0; k < 3; k++) {
            int u = (k + 1) % 3, v = (k + 2) % 3;
            normal[k] += a[u] * b[v] - a[v] * b[u];
        }
    }
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(normal[k]) > fabs(normal[axis])) axis = k;
    return (view){soup->vertices, (axis + 1) % 3, (axis + 2) % 3, normal[axis] < 0 ? -1 : 1};
}

/// Positive where c lies to the left of a -> b, for a polygon that runs counterclockwise.
static double turn(const view *w, uint32_t a, uint32_t b, uint32_t c) {
    const double *p = w->vertices + 3 * (size_t)a, *q = w->vertices + 3 * (size_t)b,
                 *r = w->vertices + 3 * (size_t)c;
    return w->sign *
           ((q[w->u] - p[w->u]) * (r[w->v] - p[w->v]) - (q[w->v] - p[w->v]) * (r[w->u] - p[w->u]));
}

static bool same_point(const view *w, uint32_t a, uint32_t b) {
    const double *p = w->vertices + 3 * (size_t)a, *q = w->vertices + 3 * (size_t)b;
    return p[w->u] == q[w->u] && p[w->v] == q[w->v];
}

static bool is_convex(const view *w, const uint32_t *corners, size_t count) {
    // From each point to the next one elsewhere: where one stands twice, neither has a turn.
    size_t before = count - 1;
    while (before && same_point(w, corners[before], corners[0])) before--;
    uint32_t a = corners[before], b = corners[0];
    for (size_t i = 1; i <= count; i++) {
        uint32_t c = corners[i < count ? i : 0];
        if (same_point(w, b, c)) continue;
        if (turn(w, a, b, c) < 0) return false;
        a = b;
        b = c;
    }
    return true;
}

static bool same_place(const view *w, uint32_t a, uint32_t b) {
    const double *p = w->vertices + 3 * (size_t)a, *q = w->vertices + 3 * (size_t)b;
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

/// Whether corner i of the rest can be cut off: it stands where a neighbour does, or it is convex
/// and no other corner lies in it.
static bool is_ear(gz_polygons *polygons, const view *w, size_t count, size_t i) {
    const uint32_t *rest = polygons->rest;
    uint32_t a = rest[i ? i - 1 : count - 1], b = rest[i], c = rest[i + 1 < count ? i + 1 : 0];
    if (same_place(w, a, b) || same_place(w, b, c)) return true;
    if (!(turn(w, a, b, c) > 0)) return false;
    for (size_t k = 0; k < count; k++) {
        uint32_t p = rest[k];
        polygons->work++;
        if (p == a || p == b || p == c || same_point(w, p, a) || same_point(w, p, b) ||
            same_point(w, p, c))
            continue;
        if (turn(w, a, b, p) >= 0 && turn(w, b, c, p) >= 0 && turn(w, c, a, p) >= 0) return false;
    }
    return true;
}

static void append(gz_soup *soup, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *triangle = soup->triangles + 3 * soup->triangle_count++;
    triangle[0] = a;
    triangle[1] = b;
    triangle[2] = c;
}

static void append_fan(gz_soup *soup, const uint32_t *corners, size_t count) {
    for (size_t i = 2; i < count; i++) append(soup, corners[0], corners[i - 1], corners[i]);
}

/// Cuts ears until a convex rest, or one without ears, remains; that becomes a fan.
static void append_ears(gz_polygons *polygons, const view *w, size_t count, gz_soup *soup) {
    uint32_t *rest = polygons->rest;
    size_t i = 0, misses = 0;
    while (count > 3 && misses < count && polygons->work < WORK_MAX) {
        if (i >= count) i = 0;
        if (!is_ear(polygons, w, count, i)) {
            i++;
            misses++;
            continue;
        }
        append(soup, rest[i ? i - 1 : count - 1], rest[i], rest[i + 1 < count ? i + 1 : 0]);
        for (size_t k = i + 1; k < count; k++) rest[k - 1] = rest[k];
        polygons->work += count - i;
        count--;
        misses = 0;
    }
    if (count > 3 && !is_convex(w, rest, count)) polygons->fans++;
    append_fan(soup, rest, count);
}

graze_status gz_polygon_append(gz_polygons *polygons, size_t count, const gz_mesh_input *input,
                               gz_soup *soup, graze_error *error) {
    const uint32_t *corners = polygons->corners;
    if (count < 3) {
        polygons->skipped++;
        return GRAZE_OK;
    }
    graze_status status = gz_mesh_reserve(input, soup, 0, count - 2, error);
    if (status) return status;
    if (count == 3) {
        append(soup, corners[0], corners[1], corners[2]);
        return GRAZE_OK;
    }
    view w = look_at(soup, corners, count);
    if (is_convex(&w, corners, count)) {
        append_fan(soup, corners, count);
        return GRAZE_OK;
    }
    if (!gz_array_reserve((void **)&polygons->rest, &polygons->rest_capacity, count,
                          sizeof *polygons->rest))
        return gz_fail_memory(error);
    for (size_t i = 0; i < count; i++) polygons->rest[i] = corners[i];
    append_ears(polygons, &w, count, soup);
    return GRAZE_OK;
}
