#include <string.h>

#include "base/memory.h"
#include "load/token.h"
#include "oracle/collada/second_reading.h"

/// The triangles that polygons of the soup became: each has the number of the first of its own.
typedef struct polygons {
    size_t *numbers; ///< of each triangle
    size_t at, count;
} polygons;

/// Triangles are counted as collada_mesh.c makes them: n corners of a polygon give n - 2.
typedef struct search {
    gz_collada *c;
    uint64_t *counts; ///< of each geometry, with 1 more than it has; 0: not yet counted
    size_t *firsts;   ///< of each geometry, where its first instance begins
    polygons polygons;
} search;

static uint64_t words(const gz_xml_element *e) {
    gz_text_cursor cursor = {e->text, e->text + strlen(e->text), e->line};
    uint64_t count = 0;
    for (gz_word word; gz_cursor_word(&cursor, &word);) count++;
    return count;
}

/// The triangles of a polygon.
static uint64_t pass_polygon(polygons *to, uint64_t corners) {
    uint64_t count = corners < 3 ? 0 : corners - 2;
    size_t first = to->at;
    for (uint64_t i = 0; i < count && to->at < to->count; i++) to->numbers[to->at++] = first;
    return count;
}

static uint64_t pass_triangles(polygons *to, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) pass_polygon(to, 3);
    return count;
}

static uint64_t pass_polylist(const gz_xml_element *primitive, polygons *to) {
    const gz_xml_element *vcount = gz_xml_child(primitive, "vcount");
    if (!vcount) return 0;
    gz_text_cursor cursor = {vcount->text, vcount->text + strlen(vcount->text), vcount->line};
    uint64_t count = 0;
    for (gz_word word; gz_cursor_word(&cursor, &word);) {
        uint64_t corners = 0;
        for (size_t i = 0; i < word.size; i++)
            corners = 10 * corners + (uint64_t)(word.text[i] - '0');
        count += pass_polygon(to, corners);
    }
    return count;
}

static uint64_t pass_primitive(gz_collada *c, const gz_xml_element *primitive, polygons *to) {
    gz_collada_layout layout;
    const gz_xml_element *p = gz_xml_child(primitive, "p");
    if (!p || gz_collada_layout_read(c, primitive, &layout)) return 0;
    if (gz_xml_is(primitive, "polylist")) return pass_polylist(primitive, to);
    bool is_polygons = gz_xml_is(primitive, "polygons");
    bool is_strips = gz_xml_is(primitive, "tristrips");
    uint64_t count = 0;
    for (; p; p = gz_xml_next(p)) {
        uint64_t corners = words(p) / layout.stride;
        if (is_polygons)
            count += pass_polygon(to, corners);
        else if (is_strips)
            count += pass_triangles(to, corners < 3 ? 0 : corners - 2);
        else
            count += pass_triangles(to, corners / 3);
    }
    return count;
}

/// Passes over the triangles of a geometry.
static uint64_t pass(search *s, const gz_xml_element *geometry) {
    const gz_xml_element *mesh = gz_xml_child(geometry, "mesh");
    uint64_t sum = 0;
    for (const gz_xml_element *e = mesh ? mesh->first_child : NULL; e; e = e->next)
        if (!gz_collada_is_hidden(e)) sum += pass_primitive(s->c, e, &s->polygons);
    return sum;
}

static size_t geometry_of(const search *s, const gz_xml_element *instance) {
    const char *url = gz_xml_get(instance, "url");
    return (size_t)(gz_collada_find(&s->c->geometries, url) - s->c->geometries.items);
}

/// The polygons of each instance of a geometry are those of the first.
static graze_status visit_polygons(void *user, const gz_xml_element *node, const gz_affine *place) {
    (void)place;
    search *s = user;
    polygons *to = &s->polygons;
    for (const gz_xml_element *e = gz_xml_child(node, "instance_geometry"); e; e = gz_xml_next(e)) {
        size_t geometry = geometry_of(s, e), at = to->at, first = s->firsts[geometry];
        uint64_t *count = &s->counts[geometry];
        if (*count) {
            for (uint64_t i = 0; i < *count - 1 && to->at < to->count; i++)
                to->numbers[to->at++] = to->numbers[first + i] - first + at;
            continue;
        }
        s->firsts[geometry] = at;
        *count = 1 + pass(s, s->c->geometries.items[geometry].element);
    }
    return GRAZE_OK;
}

graze_status gz_second_reading_polygons(gz_collada *c, const gz_soup *soup, size_t *numbers,
                                        graze_error *error) {
    search s = {.c = c, .polygons = {numbers, 0, soup->triangle_count}};
    s.counts = gz_calloc(c->geometries.count + 1, sizeof *s.counts);
    s.firsts = gz_calloc(c->geometries.count + 1, sizeof *s.firsts);
    for (size_t i = 0; i < soup->triangle_count; i++) numbers[i] = i;
    gz_affine identity = gz_affine_scale(1);
    graze_status status = s.counts && s.firsts ? gz_collada_walk(c, &identity, visit_polygons, &s)
                                               : GRAZE_ERROR_NO_MEMORY;
    gz_free(s.counts);
    gz_free(s.firsts);
    return status ? gz_fail_memory(error) : GRAZE_OK;
}
