#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "load/mesh/mesh_reader.h"

graze_status gz_mesh_fail_vertex(const gz_mesh_reader *r, int32_t line, const double from[3],
                                 const char *format, ...) {
    char what[160];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    double to[3];
    gz_mesh_scale(r, from, to);
    int bad = 0;
    while (bad < 2 && fabs(to[bad]) <= GZ_COORDINATE_MAX) bad++;
    if (isfinite(from[bad]))
        return gz_mesh_fail(r, line, GRAZE_ERROR_RANGE,
                            "%s: %c is %g m; allowed: -1048576 to 1048576 m", what, "xyz"[bad],
                            to[bad]);
    return gz_mesh_fail(r, line, GRAZE_ERROR_RANGE, "%s: %c is %s; allowed: finite coordinates",
                        what, "xyz"[bad], isnan(from[bad]) ? "not a number" : "infinite");
}

const char *gz_mesh_lone_return(const gz_mesh_reader *r, const char *from) {
    const char *end = r->bytes + r->size, *at = from;
    while ((at = memchr(at, '\r', (size_t)(end - at)))) {
        // Several: what a CRLF becomes when it is converted once more.
        while (at < end && *at == '\r') at++;
        if (at < end && *at != '\n') return at - 1;
    }
    return NULL;
}

graze_status gz_mesh_check_returns(const gz_mesh_reader *r) {
    const char *at = gz_mesh_lone_return(r, r->bytes);
    if (!at) return GRAZE_OK;
    int32_t line = 1;
    for (const char *p = r->bytes; p < at && line < INT32_MAX; p++) line += *p == '\n';
    return gz_mesh_fail(r, line, GRAZE_ERROR_PARSE,
                        "a carriage return without a line feed behind it; allowed: lines that "
                        "end with LF or CR LF");
}

uint64_t gz_mesh_cost(uint64_t vertices, uint64_t triangles) {
    return vertices * 3 * sizeof(double) + triangles * 3 * sizeof(uint32_t);
}

graze_status gz_mesh_check_memory(const gz_mesh_reader *r, uint64_t bytes, const char *what) {
    const uint64_t left = gz_memory_left();
    if (bytes <= left) return GRAZE_OK;
    return gz_mesh_fail(r, 0, GRAZE_ERROR_LIMIT,
                        "%s takes about %" PRIu64 " bytes, %" PRIu64 " are left; allowed: "
                        "memory_bytes of %" PRIu64 " for one load",
                        what, bytes, left, r->options->limits.memory_bytes);
}

graze_status gz_mesh_reserve(const gz_mesh_reader *r, size_t more_vertices, size_t more_triangles) {
    gz_soup *soup = r->soup;
    const uint64_t triangles_left = r->budget->triangles_left;
    if (more_vertices <= soup->vertex_capacity - soup->vertex_count &&
        more_triangles <= soup->triangle_capacity - soup->triangle_count &&
        more_triangles <= triangles_left && soup->triangle_count <= triangles_left - more_triangles)
        return GRAZE_OK;

    uint64_t vertices, triangles;
    if (__builtin_add_overflow(soup->vertex_count, more_vertices, &vertices) ||
        vertices > UINT32_MAX)
        return gz_mesh_fail(r, 0, GRAZE_ERROR_LIMIT,
                            "more vertices than 32-bit indices can name; allowed: %" PRIu32,
                            UINT32_MAX);
    if (__builtin_add_overflow(soup->triangle_count, more_triangles, &triangles) ||
        triangles > triangles_left)
        return gz_mesh_fail(r, 0, GRAZE_ERROR_LIMIT,
                            "at least %" PRIu64 " triangles, %" PRIu64 " are left; allowed: "
                            "triangles of %" PRIu64 " for one load, instances counted",
                            triangles, triangles_left, r->options->limits.triangles);
    const uint64_t needed = gz_mesh_cost(vertices, triangles);
    const uint64_t held = gz_mesh_cost(soup->vertex_capacity, soup->triangle_capacity);
    GZ_TRY(gz_mesh_check_memory(r, needed > held ? needed - held : 0, "the mesh"));
    bool fine = gz_soup_reserve(soup, more_vertices, more_triangles);
    return fine ? GRAZE_OK : gz_fail_memory(r->error);
}

static void warn_left_out(gz_mesh_reader *r, uint64_t count, const char *what) {
    if (!count) return;
    r->soup->skipped += (size_t)count;
    gz_warn(r->warnings, "mesh-face-without-area", gz_mesh_place(r, 0),
            "%" PRIu64 " %s were left out", count, what);
}

void gz_mesh_warn_skipped(gz_mesh_reader *r) {
    warn_left_out(r, r->polygons.skipped, "faces of one or two corners");
    if (r->polygons.fans)
        gz_warn(r->warnings, "mesh-polygon-fan", gz_mesh_place(r, 0),
                "%" PRIu64 " polygons could not be cut along their shape and were cut as fans",
                r->polygons.fans);
    warn_left_out(r, r->lines, r->lines_name);
}

graze_status gz_mesh_add_node(gz_mesh_reader *r, const char *name, const gz_affine *place,
                              size_t geometry_count) {
    graze_mesh_report *report = r->report;
    if (!report) return GRAZE_OK;
    char *copy = gz_string_copy(name ? name : "");
    if (!copy || !GZ_RESERVE(report->nodes, r->node_capacity, report->node_count + 1)) {
        gz_free(copy);
        return gz_fail_memory(r->error);
    }
    graze_mesh_node node = {.name = copy, .known = true, .geometry_count = geometry_count};
    memcpy(node.transform, place->m, sizeof node.transform);
    ((graze_mesh_node *)(uintptr_t)report->nodes)[report->node_count++] = node;
    return GRAZE_OK;
}

/// Corner comparisons that the concave polygons of one file may cost, a second or so: cutting ears
/// takes up to the cube of the corners, and a file must not be able to hang the loader.
#define WORK_MAX UINT64_C(300000000)

graze_status gz_polygon_reserve(gz_mesh_reader *r, size_t count) {
    gz_polygons *polygons = &r->polygons;
    return GZ_RESERVE(polygons->corners, polygons->capacity, count) ? GRAZE_OK
                                                                    : gz_fail_memory(r->error);
}

void gz_polygons_free(gz_polygons *polygons) {
    gz_free(polygons->corners);
    gz_free(polygons->rest);
    *polygons = (gz_polygons){0};
}

/// A polygon seen along the coordinate axis that its normal is closest to.
typedef struct view {
    const double *vertices;
    int u, v;    ///< axes kept
    double sign; ///< +1 when the polygon runs counterclockwise in (u, v), else -1
} view;

static view project(const gz_soup *soup, const uint32_t *corners, size_t count) {
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

graze_status gz_polygon_append(gz_mesh_reader *r, size_t count) {
    gz_polygons *polygons = &r->polygons;
    const uint32_t *corners = polygons->corners;
    if (count < 3) {
        polygons->skipped++;
        return GRAZE_OK;
    }
    GZ_TRY(gz_mesh_reserve(r, 0, count - 2));
    if (count == 3) {
        append(r->soup, corners[0], corners[1], corners[2]);
        return GRAZE_OK;
    }
    view w = project(r->soup, corners, count);
    if (is_convex(&w, corners, count)) {
        append_fan(r->soup, corners, count);
        return GRAZE_OK;
    }
    if (!GZ_RESERVE(polygons->rest, polygons->rest_capacity, count))
        return gz_fail_memory(r->error);
    memcpy(polygons->rest, corners, count * sizeof *corners);
    append_ears(polygons, &w, count, r->soup);
    return GRAZE_OK;
}
