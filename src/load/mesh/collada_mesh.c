#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "load/mesh/collada.h"
#include "load/mesh/mesh_reader.h"
#include "load/token.h"
#include "math/trigonometry.h"

/// A node still to be visited.
typedef struct entry {
    const gz_xml_element *node;
    gz_affine parent;
} entry;

typedef struct walk {
    gz_collada *c;
    entry *stack; ///< the next one last
    size_t count, capacity;
} walk;

// ------------------------------------------------------------------------------------- transforms

/// Makes the length 1, whatever it is; false for 0.
static bool normalize(double v[3]) {
    double norm;
    if (gz_divide_by_largest(v, 3, &norm) == 0) return false;
    for (int k = 0; k < 3; k++) v[k] /= norm;
    return true;
}

static void cross(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = a[i] * b[j] - a[j] * b[i];
    }
}

/// <rotate>: a turn about an axis of any length, in degrees. An axis of 0 will do for no turn.
static bool rotation(double v[4], gz_affine *out) {
    if (!normalize(v)) return v[3] == 0;
    double s, c, x = v[0], y = v[1], z = v[2];
    gz_sine_cosine(fmod(v[3], 360) * (M_PI / 180), &s, &c);
    double d = 1 - c;
    *out = (gz_affine){{{c + x * x * d, x * y * d - z * s, x * z * d + y * s, 0},
                        {y * x * d + z * s, c + y * y * d, y * z * d - x * s, 0},
                        {z * x * d - y * s, z * y * d + x * s, c + z * z * d, 0}}};
    return true;
}

/// <lookat>: stands at a point and looks, along -z, at another, with y as close
/// to "up" as that leaves free.
static bool lookat(const double v[9], gz_affine *out) {
    double back[3], right[3], up[3] = {v[6], v[7], v[8]};
    for (int k = 0; k < 3; k++) back[k] = v[k] - v[3 + k];
    if (!normalize(back) || !normalize(up)) return false;
    cross(up, back, right);
    if (!normalize(right)) return false;
    cross(back, right, up);
    for (int k = 0; k < 3; k++) {
        const double row[4] = {right[k], up[k], back[k], v[k]};
        memcpy(out->m[k], row, sizeof row);
    }
    return true;
}

/// Puts one transform behind those before it: checked to have its numbers.
static bool apply(const gz_xml_element *e, gz_affine *place) {
    double v[16];
    size_t count = gz_collada_transform_size(e);
    if (!count) return true;
    if (gz_numbers_parse(e->text, v, count, NULL, NULL)) return false;
    gz_affine own = gz_affine_scale(1);
    bool fine = true;
    if (gz_xml_is(e, "matrix")) {
        memcpy(own.m, v, sizeof own.m);
        fine = gz_affine_is_last_row(v[12], v[13], v[14], v[15]);
    }
    for (int i = 0; i < 3 && gz_xml_is(e, "translate"); i++) own.m[i][3] = v[i];
    for (int i = 0; i < 3 && gz_xml_is(e, "scale"); i++) own.m[i][i] = v[i];
    if (gz_xml_is(e, "rotate")) fine = rotation(v, &own);
    if (gz_xml_is(e, "lookat")) fine = lookat(v, &own);
    *place = gz_affine_multiply(place, &own);
    return fine && gz_affine_is_finite(place);
}

// ------------------------------------------------------------------------------------------ nodes

/// Pushes the children and instances of a node so that the first comes off first.
static graze_status push_children(walk *w, const gz_xml_element *parent, const gz_affine *place) {
    size_t first = w->count;
    for (const gz_xml_element *e = parent->first_child; e; e = e->next) {
        const gz_xml_element *child = NULL;
        if (gz_xml_is(e, "node")) child = e;
        if (gz_xml_is(e, "instance_node"))
            child = gz_collada_find(&w->c->nodes, gz_xml_get(e, "url"))->element;
        if (!child) continue;
        if (!GZ_RESERVE(w->stack, w->capacity, w->count + 1))
            return gz_fail_memory(w->c->reader->error);
        w->stack[w->count++] = (entry){child, *place};
    }
    for (size_t i = first, k = w->count; i + 1 < k; i++) {
        entry other = w->stack[--k];
        w->stack[k] = w->stack[i];
        w->stack[i] = other;
    }
    return GRAZE_OK;
}

static graze_status enter(walk *w, const entry *at, gz_collada_visit *visit, void *user) {
    gz_affine place = at->parent;
    for (const gz_xml_element *e = at->node->first_child; e; e = e->next)
        if (!apply(e, &place))
            return gz_collada_fail(w->c, e, GRAZE_ERROR_RANGE,
                                   "the transform <%.40s> is not finite or not affine; allowed: a "
                                   "matrix with a last row of 0 0 0 1, axes that have a direction",
                                   e->tag);
    if (gz_xml_child(at->node, "instance_geometry")) GZ_TRY(visit(user, at->node, &place));
    return push_children(w, at->node, &place);
}

graze_status gz_collada_walk(gz_collada *c, const gz_affine *first, gz_collada_visit *visit,
                             void *user) {
    walk w = {.c = c};
    graze_status status = push_children(&w, c->scene, first);
    while (!status && w.count) {
        entry at = w.stack[--w.count];
        status = enter(&w, &at, visit, user);
    }
    gz_free(w.stack);
    return status;
}

// --------------------------------------------------------------------------------------- the list

static graze_status list_node(void *user, const gz_xml_element *node, const gz_affine *place) {
    gz_mesh_reader *r = user;
    const char *name = gz_xml_get(node, "name");
    if (!name) name = gz_xml_get(node, "id");
    return gz_mesh_add_node(r, name, place, gz_xml_child(node, "instance_geometry")->namesakes);
}

graze_status gz_collada_list_nodes(gz_collada *c) {
    gz_affine identity = gz_affine_scale(1);
    return gz_collada_walk(c, &identity, list_node, c->reader);
}

/// The first instance of a geometry in the soup: the others take their triangles from it, so that
/// their cost is that of what they add, however much text a geometry has.
typedef struct original {
    bool made, mirrored;
    gz_collada_positions positions;
    size_t vertex, triangle, triangles, skipped; ///< where it begins; what it has
    uint64_t fans;
} original;

typedef struct reader {
    gz_collada *c;
    gz_mesh_reader *m;
    original *originals; ///< one for each of c->geometries
} reader;

// ------------------------------------------------------------------------------------- primitives

/// Appends a polygon; turned where the instance is mirrored, and then still beginning with its
/// first corner.
static graze_status append_polygon(reader *r, const uint32_t *corners, size_t count,
                                   const original *o) {
    GZ_TRY(gz_polygon_reserve(r->m, count));
    for (size_t i = 0; i < count; i++)
        r->m->polygons.corners[o->mirrored && i ? count - i : i] = (uint32_t)o->vertex + corners[i];
    return gz_polygon_append(r->m, count);
}

static graze_status append_strip(reader *r, const uint32_t *corners, size_t count,
                                 const original *o) {
    const uint32_t base = (uint32_t)o->vertex;
    // Every other triangle of a strip is turned, so that all face the same way.
    bool turned = o->mirrored;
    for (size_t i = 2; i < count; i++, turned = !turned) {
        GZ_TRY(gz_mesh_reserve(r->m, 0, 1));
        uint32_t *triangle = r->m->soup->triangles + 3 * r->m->soup->triangle_count++;
        triangle[0] = base + corners[i - 2];
        triangle[turned ? 2 : 1] = base + corners[i - 1];
        triangle[turned ? 1 : 2] = base + corners[i];
    }
    return GRAZE_OK;
}

static graze_status append_primitive(reader *r, const gz_collada_primitive *primitive,
                                     const original *o) {
    const uint32_t *corners = primitive->corners;
    const size_t *sizes = primitive->sizes;
    const size_t count = sizes ? primitive->size_count : primitive->corner_count / 3;
    for (size_t i = 0; i < count; i++) {
        const size_t size = sizes ? sizes[i] : 3;
        GZ_TRY(primitive->strips ? append_strip(r, corners, size, o)
                                 : append_polygon(r, corners, size, o));
        corners += size;
    }
    return GRAZE_OK;
}

// -------------------------------------------------------------------------------------- instances

static graze_status append_vertices(reader *r, const gz_collada_positions *positions,
                                    const gz_collada_id *geometry, const gz_affine *place) {
    GZ_TRY(gz_mesh_reserve(r->m, positions->count, 0));
    for (uint64_t i = 0; i < positions->count; i++) {
        const double *xyz = positions->values + i * positions->stride;
        double from[3], moved[3];
        for (int k = 0; k < 3; k++) from[k] = xyz[positions->axes[k]];
        gz_affine_apply(place, from, moved);
        if (!gz_mesh_append_vertex(r->m, moved))
            return gz_mesh_fail_vertex(
                r->m, geometry->element->line, gz_affine_bad_point(from, moved),
                "vertex %zu of geometry '%.80s'", (size_t)i + 1, geometry->id);
    }
    return GRAZE_OK;
}

/// Reads the geometry into the soup.
static graze_status append_original(reader *r, const gz_collada_id *geometry, original *o,
                                    const gz_affine *place) {
    const gz_xml_element *mesh = gz_xml_child(geometry->element, "mesh");
    const gz_xml_element *vertices = mesh ? gz_xml_child(mesh, "vertices") : NULL;
    o->made = true;
    if (!vertices) return GRAZE_OK; // nor primitives, then
    const gz_collada_id *known = gz_collada_find_id(&r->c->vertices, gz_xml_get(vertices, "id"));
    GZ_TRY(gz_collada_positions_get(r->c, vertices, &o->positions));
    GZ_TRY(append_vertices(r, &o->positions, geometry, place));
    size_t skipped = r->m->polygons.skipped;
    uint64_t fans = r->m->polygons.fans;
    for (size_t i = 0; known && i < known->primitives; i++)
        GZ_TRY(append_primitive(r, &r->c->primitives[known->first + i], o));
    o->triangles = r->m->soup->triangle_count - o->triangle;
    o->skipped = r->m->polygons.skipped - skipped;
    o->fans = r->m->polygons.fans - fans;
    return GRAZE_OK;
}

static graze_status append_copy(reader *r, const gz_collada_id *geometry, const original *o,
                                const gz_affine *place, bool mirrored) {
    gz_soup *soup = r->m->soup;
    size_t offset = soup->vertex_count - o->vertex;
    GZ_TRY(append_vertices(r, &o->positions, geometry, place));
    GZ_TRY(gz_mesh_reserve(r->m, 0, o->triangles));
    int second = mirrored == o->mirrored ? 1 : 2;
    for (size_t i = 0; i < o->triangles; i++) {
        const uint32_t *from = soup->triangles + 3 * (o->triangle + i);
        uint32_t *to = soup->triangles + 3 * soup->triangle_count++;
        to[0] = (uint32_t)(from[0] + offset);
        to[1] = (uint32_t)(from[second] + offset);
        to[2] = (uint32_t)(from[3 - second] + offset);
    }
    r->m->polygons.skipped += o->skipped;
    r->m->polygons.fans += o->fans;
    return GRAZE_OK;
}

static graze_status append_instance(reader *r, const gz_xml_element *instance,
                                    const gz_affine *place) {
    double det = gz_affine_determinant(place);
    if (!isfinite(det) || det == 0)
        return gz_collada_fail(r->c, instance, GRAZE_ERROR_RANGE,
                               "node transforms flatten the geometry or overflow; allowed: a "
                               "determinant other than 0");
    const gz_collada_id *geometry = gz_collada_find(&r->c->geometries, gz_xml_get(instance, "url"));
    original *o = &r->originals[geometry - r->c->geometries.items];
    if (o->made) return append_copy(r, geometry, o, place, det < 0);
    o->mirrored = det < 0;
    o->vertex = r->m->soup->vertex_count;
    o->triangle = r->m->soup->triangle_count;
    return append_original(r, geometry, o, place);
}

static graze_status visit(void *user, const gz_xml_element *node, const gz_affine *place) {
    for (const gz_xml_element *e = gz_xml_child(node, "instance_geometry"); e; e = gz_xml_next(e))
        GZ_TRY(append_instance(user, e, place));
    return GRAZE_OK;
}

graze_status gz_collada_append_scene(gz_collada *c, const gz_affine *first) {
    reader r = {.c = c, .m = c->reader};
    r.originals = gz_calloc(c->geometries.count + 1, sizeof *r.originals);
    if (!r.originals) return gz_fail_memory(c->reader->error);
    graze_status status = gz_collada_walk(c, first, visit, &r);
    gz_free(r.originals);
    return status;
}
