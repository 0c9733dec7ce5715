#include "load/mesh/collada.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "load/mesh/mesh_input.h"
#include "load/token.h"

/// The first instance of a geometry in the soup: the others take their
/// triangles from it, so that their cost is that of what they add, however much
/// text a geometry has.
typedef struct original {
    bool made, mirrored;
    gz_collada_positions positions;
    size_t vertex, triangle, triangles, skipped; ///< where it begins; what it has
    uint64_t fans;
} original;

typedef struct reader {
    gz_collada *c;
    gz_soup *soup;
    gz_polygons polygons;
    original *originals; ///< one for each of c->geometries
} reader;

// -----------------------------------------------------------------------------------
// primitives

/// Corners of a <p>, whose indices have been judged.
typedef struct corner_text {
    gz_text_cursor cursor;
    const gz_collada_layout *layout;
} corner_text;

static corner_text corners_of(const gz_xml_element *p, const gz_collada_layout *layout) {
    return (corner_text){{p->text, p->text + strlen(p->text), p->line}, layout};
}

static bool next_whole(gz_text_cursor *cursor, size_t *value) {
    gz_word word;
    if (!gz_cursor_word(cursor, &word)) return false;
    *value = 0;
    for (size_t i = 0; i < word.size; i++) *value = 10 * *value + (size_t)(word.text[i] - '0');
    return true;
}

/// The vertex of the next corner; false at the end.
static bool next_corner(corner_text *t, size_t *vertex) {
    *vertex = 0;
    for (uint64_t i = 0; i < t->layout->stride; i++) {
        size_t index;
        if (!next_whole(&t->cursor, &index)) return false;
        if (i == t->layout->vertex) *vertex = index;
    }
    return true;
}

/// Appends a polygon of the next `count` corners, or of all that are left;
/// turned where the instance is mirrored, and then still beginning with its
/// first corner.
static graze_status append_polygon(reader *r, corner_text *t, size_t count, const original *o) {
    size_t n = 0, vertex;
    for (; n < count && next_corner(t, &vertex); n++) {
        if (!gz_polygons_reserve(&r->polygons, n + 1)) return gz_fail_memory(r->c->error);
        r->polygons.corners[n] = (uint32_t)(o->vertex + vertex);
    }
    uint32_t *corners = r->polygons.corners;
    for (size_t i = 1; o->mirrored && 2 * i < n; i++) {
        uint32_t other = corners[i];
        corners[i] = corners[n - i];
        corners[n - i] = other;
    }
    return gz_polygon_append(&r->polygons, n, r->c->input, r->soup, r->c->error);
}

static graze_status append_strip(reader *r, corner_text *t, const original *o) {
    size_t a, b, next;
    if (!next_corner(t, &a) || !next_corner(t, &b)) return GRAZE_OK;
    graze_status status = GRAZE_OK;
    // Every other triangle of a strip is turned, so that all face the same way.
    for (bool turned = o->mirrored; !status && next_corner(t, &next); turned = !turned) {
        status = gz_mesh_reserve(r->c->input, r->soup, 0, 1, r->c->error);
        if (status) return status;
        uint32_t *triangle = r->soup->triangles + 3 * r->soup->triangle_count++;
        triangle[0] = (uint32_t)(o->vertex + a);
        triangle[turned ? 2 : 1] = (uint32_t)(o->vertex + b);
        triangle[turned ? 1 : 2] = (uint32_t)(o->vertex + next);
        a = b;
        b = next;
    }
    return status;
}

/// The polygons of a <polylist>, each of as many corners as <vcount> says.
static graze_status append_polylist(reader *r, const gz_xml_element *primitive, corner_text *t,
                                    const original *o) {
    const gz_xml_element *vcount = gz_xml_child(primitive, "vcount");
    if (!vcount) return GRAZE_OK; // nor corners, then
    gz_text_cursor cursor = {vcount->text, vcount->text + strlen(vcount->text), vcount->line};
    graze_status status = GRAZE_OK;
    for (size_t n; !status && next_whole(&cursor, &n);) status = append_polygon(r, t, n, o);
    return status;
}

static graze_status append_primitive(reader *r, const gz_xml_element *primitive,
                                     const original *o) {
    gz_collada_layout layout;
    const gz_xml_element *p = gz_xml_child(primitive, "p");
    graze_status status = p ? gz_collada_layout_read(r->c, primitive, &layout) : GRAZE_OK;
    for (; p && !status; p = gz_xml_next(p)) {
        corner_text t = corners_of(p, &layout);
        if (gz_xml_is(primitive, "polylist"))
            status = append_polylist(r, primitive, &t, o);
        else if (gz_xml_is(primitive, "polygons"))
            status = append_polygon(r, &t, SIZE_MAX, o);
        else if (gz_xml_is(primitive, "tristrips"))
            status = append_strip(r, &t, o);
        else
            while (!status && t.cursor.at < t.cursor.end) status = append_polygon(r, &t, 3, o);
    }
    return status;
}

// -------------------------------------------------------------------------------------
// instances

static graze_status append_vertices(reader *r, const gz_collada_positions *positions,
                                    const struct gz_collada_id *geometry, const gz_affine *place) {
    gz_soup *soup = r->soup;
    const gz_mesh_input *input = r->c->input;
    graze_status status = gz_mesh_reserve(input, soup, positions->count, 0, r->c->error);
    if (status) return status;
    for (uint64_t i = 0; i < positions->count; i++) {
        const double *entry = positions->values + i * positions->stride;
        double from[3], moved[3];
        for (int k = 0; k < 3; k++) from[k] = entry[positions->axes[k]];
        gz_affine_apply(place, from, moved);
        if (!gz_mesh_scale(input, moved, soup->vertices + 3 * soup->vertex_count)) {
            char what[160];
            snprintf(what, sizeof what, "vertex %zu of geometry '%.80s'", (size_t)i + 1,
                     geometry->id);
            return gz_mesh_fail_range(input, geometry->element->line, what,
                                      gz_affine_bad_point(from, moved), r->c->error);
        }
        soup->vertex_count++;
    }
    return GRAZE_OK;
}

/// Reads the geometry into the soup.
static graze_status append_original(reader *r, const struct gz_collada_id *geometry, original *o,
                                    const gz_affine *place) {
    const gz_xml_element *mesh = gz_xml_child(geometry->element, "mesh");
    const gz_xml_element *vertices = mesh ? gz_xml_child(mesh, "vertices") : NULL;
    o->made = true;
    if (!vertices) return GRAZE_OK; // nor primitives, then
    graze_status status = gz_collada_positions_get(r->c, vertices, &o->positions);
    if (!status) status = append_vertices(r, &o->positions, geometry, place);
    size_t skipped = r->polygons.skipped;
    uint64_t fans = r->polygons.fans;
    for (const gz_xml_element *e = mesh->first_child; e && !status; e = e->next)
        if (!gz_collada_is_hidden(e)) status = append_primitive(r, e, o);
    o->triangles = r->soup->triangle_count - o->triangle;
    o->skipped = r->polygons.skipped - skipped;
    o->fans = r->polygons.fans - fans;
    return status;
}

static graze_status append_copy(reader *r, const struct gz_collada_id *geometry, const original *o,
                                const gz_affine *place, bool mirrored) {
    gz_soup *soup = r->soup;
    size_t offset = soup->vertex_count - o->vertex;
    graze_status status = append_vertices(r, &o->positions, geometry, place);
    if (!status) status = gz_mesh_reserve(r->c->input, soup, 0, o->triangles, r->c->error);
    if (status) return status;
    int second = mirrored == o->mirrored ? 1 : 2;
    for (size_t i = 0; i < o->triangles; i++) {
        const uint32_t *from = soup->triangles + 3 * (o->triangle + i);
        uint32_t *to = soup->triangles + 3 * soup->triangle_count++;
        to[0] = (uint32_t)(from[0] + offset);
        to[1] = (uint32_t)(from[second] + offset);
        to[2] = (uint32_t)(from[3 - second] + offset);
    }
    r->polygons.skipped += o->skipped;
    r->polygons.fans += o->fans;
    return GRAZE_OK;
}

static graze_status append_instance(reader *r, const gz_xml_element *instance,
                                    const gz_affine *place) {
    double det = gz_affine_determinant(place);
    if (!isfinite(det) || det == 0)
        return gz_fail_at(r->c->error, GRAZE_ERROR_RANGE, gz_collada_place(r->c, instance),
                          "node transforms flatten the geometry or overflow; allowed: a "
                          "determinant other than 0");
    const struct gz_collada_id *geometry = gz_collada_find(&r->c->geometries,
                                                           gz_xml_get(instance, "url"));
    original *o = &r->originals[geometry - r->c->geometries.items];
    if (o->made) return append_copy(r, geometry, o, place, det < 0);
    o->mirrored = det < 0;
    o->vertex = r->soup->vertex_count;
    o->triangle = r->soup->triangle_count;
    return append_original(r, geometry, o, place);
}

static graze_status visit(void *user, const gz_xml_element *node, const gz_affine *place) {
    graze_status status = GRAZE_OK;
    for (const gz_xml_element *e = gz_xml_child(node, "instance_geometry"); e && !status;
         e = gz_xml_next(e))
        status = append_instance(user, e, place);
    return status;
}

graze_status gz_collada_append_scene(gz_collada *c, const gz_affine *first, gz_soup *soup) {
    reader r = {.c = c, .soup = soup};
    r.originals = gz_calloc(c->geometries.count + 1, sizeof *r.originals);
    if (!r.originals) return gz_fail_memory(c->error);
    graze_status status = gz_collada_walk(c, first, visit, &r);
    gz_free(r.originals);
    if (status)
        gz_polygons_free(&r.polygons);
    else
        gz_polygons_end(&r.polygons, c->input, soup);
    return status;
}
