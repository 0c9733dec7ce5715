#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "load/mesh/mesh_input.h"

graze_status gz_mesh_fail_range(const gz_mesh_input *input, int32_t line, const char *what,
                                const double from[3], graze_error *error) {
    double to[3];
    gz_mesh_scale(input, from, to);
    int bad = 0;
    while (bad < 2 && fabs(to[bad]) <= GZ_COORDINATE_MAX) bad++;
    gz_place place = gz_mesh_place(input, line);
    if (isnan(from[bad]))
        return gz_fail_at(error, GRAZE_ERROR_RANGE, place,
                          "%s: %c is not a number; allowed: finite coordinates", what, "xyz"[bad]);
    if (isinf(from[bad]))
        return gz_fail_at(error, GRAZE_ERROR_RANGE, place,
                          "%s: %c is infinite; allowed: finite coordinates", what, "xyz"[bad]);
    return gz_fail_at(error, GRAZE_ERROR_RANGE, place,
                      "%s: %c is %g m; allowed: -1048576 to 1048576 m", what, "xyz"[bad], to[bad]);
}

uint64_t gz_mesh_cost(uint64_t vertices, uint64_t triangles) {
    return vertices * 3 * sizeof(double) + triangles * 3 * sizeof(uint32_t);
}

graze_status gz_mesh_check_memory(const gz_mesh_input *input, uint64_t bytes, const char *what,
                                  graze_error *error) {
    if (bytes <= input->budget->memory_left) return GRAZE_OK;
    return gz_fail_at(error, GRAZE_ERROR_LIMIT, gz_mesh_place(input, 0),
                      "%s takes about %" PRIu64 " bytes, %" PRIu64 " are left; allowed: "
                      "memory_bytes of %" PRIu64 " for one load",
                      what, bytes, input->budget->memory_left, input->options->limits.memory_bytes);
}

graze_status gz_mesh_reserve(const gz_mesh_input *input, gz_soup *soup, size_t more_vertices,
                             size_t more_triangles, graze_error *error) {
    if (more_vertices <= soup->vertex_capacity - soup->vertex_count &&
        more_triangles <= soup->triangle_capacity - soup->triangle_count &&
        more_triangles <= input->budget->triangles_left &&
        soup->triangle_count <= input->budget->triangles_left - more_triangles)
        return GRAZE_OK;

    uint64_t vertices, triangles;
    gz_place place = gz_mesh_place(input, 0);
    if (__builtin_add_overflow(soup->vertex_count, more_vertices, &vertices) ||
        vertices > UINT32_MAX)
        return gz_fail_at(error, GRAZE_ERROR_LIMIT, place,
                          "more vertices than 32-bit indices can name; allowed: %" PRIu32,
                          UINT32_MAX);
    if (__builtin_add_overflow(soup->triangle_count, more_triangles, &triangles) ||
        triangles > input->budget->triangles_left)
        return gz_fail_at(error, GRAZE_ERROR_LIMIT, place,
                          "at least %" PRIu64 " triangles, %" PRIu64 " are left; allowed: "
                          "triangles of %" PRIu64 " for one load, instances counted",
                          triangles, input->budget->triangles_left,
                          input->options->limits.triangles);
    graze_status status = gz_mesh_check_memory(input, gz_mesh_cost(vertices, triangles), "the mesh",
                                               error);
    if (status) return status;
    return gz_soup_reserve(soup, more_vertices, more_triangles) ? GRAZE_OK : gz_fail_memory(error);
}

bool gz_mesh_nodes_add(gz_mesh_nodes *nodes, const char *name, const gz_affine *place,
                       size_t geometry_count) {
    char *copy = gz_string_copy(name ? name : "");
    if (!copy || !gz_array_reserve((void **)&nodes->items, &nodes->capacity, nodes->count + 1,
                                   sizeof *nodes->items)) {
        gz_free(copy);
        return false;
    }
    graze_mesh_node *node = &nodes->items[nodes->count++];
    *node = (graze_mesh_node){.name = copy, .known = place, .geometry_count = geometry_count};
    if (place) memcpy(node->transform, place->m, sizeof node->transform);
    return true;
}

void gz_mesh_nodes_free(gz_mesh_nodes *nodes) {
    for (size_t i = 0; i < nodes->count; i++) gz_free((void *)(uintptr_t)nodes->items[i].name);
    gz_free(nodes->items);
    *nodes = (gz_mesh_nodes){0};
}

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
