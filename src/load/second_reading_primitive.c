#include <string.h>

#include "base/memory.h"
#include "load/collada_placing.h"
#include "load/second_reading.h"
#include "load/text_cursor.h"

/// Triangles are counted as collada_mesh.c makes them: n corners of a polygon give n - 2.
typedef struct search {
    gz_collada *c;
    uint64_t left;    ///< triangles to pass over
    uint64_t *counts; ///< of each geometry, with 1 more than it has; 0: not yet counted
    const gz_xml_element *found;
} search;

static uint64_t words(const gz_xml_element *e) {
    gz_text_cursor cursor = {e->text, e->text + strlen(e->text), e->line};
    uint64_t count = 0;
    for (gz_word word; gz_cursor_word(&cursor, &word);) count++;
    return count;
}

static uint64_t within(uint64_t corners) {
    return corners < 3 ? 0 : corners - 2;
}

static uint64_t count_polylist(const gz_xml_element *primitive) {
    const gz_xml_element *vcount = gz_xml_child(primitive, "vcount");
    if (!vcount) return 0;
    gz_text_cursor cursor = {vcount->text, vcount->text + strlen(vcount->text), vcount->line};
    uint64_t count = 0;
    for (gz_word word; gz_cursor_word(&cursor, &word);) {
        uint64_t corners = 0;
        for (size_t i = 0; i < word.size; i++)
            corners = 10 * corners + (uint64_t)(word.text[i] - '0');
        count += within(corners);
    }
    return count;
}

static uint64_t count_primitive(gz_collada *c, const gz_xml_element *primitive) {
    gz_collada_layout layout;
    const gz_xml_element *p = gz_xml_child(primitive, "p");
    if (!p || gz_collada_layout_read(c, primitive, &layout)) return 0;
    if (gz_xml_is(primitive, "polylist")) return count_polylist(primitive);
    bool is_triangles = gz_xml_is(primitive, "triangles");
    uint64_t count = 0;
    for (; p; p = gz_xml_next(p)) {
        uint64_t corners = words(p) / layout.stride;
        count += is_triangles ? corners / 3 : within(corners);
    }
    return count;
}

/// Passes over the triangles of a geometry, or finds the primitive among its own.
static uint64_t pass(search *s, const gz_xml_element *geometry, bool find) {
    const gz_xml_element *mesh = gz_xml_child(geometry, "mesh");
    uint64_t sum = 0;
    for (const gz_xml_element *e = mesh ? mesh->first_child : NULL; e; e = e->next) {
        uint64_t count = gz_collada_is_hidden(e) ? 0 : count_primitive(s->c, e);
        if (find && !s->found && s->left < sum + count) s->found = e;
        sum += count;
    }
    return sum;
}

static graze_status visit(void *user, const gz_xml_element *node, const gz_placing *place) {
    (void)place;
    search *s = user;
    for (const gz_xml_element *e = gz_xml_child(node, "instance_geometry"); e; e = gz_xml_next(e)) {
        const struct gz_collada_id *geometry = gz_collada_find(&s->c->geometries,
                                                               gz_xml_get(e, "url"));
        uint64_t *count = &s->counts[geometry - s->c->geometries.items];
        if (!*count) *count = 1 + pass(s, geometry->element, false);
        if (s->left < *count - 1) {
            pass(s, geometry->element, true);
            return GRAZE_ERROR_CANCELLED; // found: the walk need not go on
        }
        s->left -= *count - 1;
    }
    return GRAZE_OK;
}

const gz_xml_element *gz_second_reading_primitive(gz_collada *c, size_t triangle) {
    search s = {.c = c, .left = triangle};
    s.counts = gz_calloc(c->geometries.count + 1, sizeof *s.counts);
    if (!s.counts) return NULL;
    gz_placing identity = gz_placing_scale(1);
    gz_collada_walk(c, &identity, visit, &s);
    gz_free(s.counts);
    return s.found;
}
