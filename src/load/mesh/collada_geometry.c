#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "load/mesh/collada.h"
#include "load/token.h"

/// More values for an entry than any file has.
enum { STRIDE_MAX = 4096 };

static graze_status fail(gz_collada *c, const gz_xml_element *at, graze_status status,
                         const char *what, const char *allowed) {
    return gz_collada_fail(c, at, status, "<%.40s> %s; allowed: %s", at->tag, what, allowed);
}

static graze_status fail_count(gz_collada *c, const gz_xml_element *at, const char *what,
                               uint64_t found, uint64_t wanted) {
    return gz_collada_fail(c, at, GRAZE_ERROR_MESH,
                           "<%.40s> %s: %" PRIu64 "; allowed: exactly %" PRIu64, at->tag, what,
                           found, wanted);
}

static graze_status read_whole(gz_collada *c, const gz_xml_element *at, const char *attribute,
                               uint64_t missing, uint64_t max, uint64_t *value) {
    const char *text = gz_xml_get(at, attribute);
    *value = missing;
    if (!text || gz_whole_parse((gz_word){text, strlen(text)}, max, value)) return GRAZE_OK;
    return gz_collada_fail(c, at, GRAZE_ERROR_MESH,
                           "<%.40s> %s=\"%.40s\"; allowed: a whole number, at most %" PRIu64,
                           at->tag, attribute, text, max);
}

/// A `count`: each thing counted takes a byte of the file at the least.
static graze_status read_count(gz_collada *c, const gz_xml_element *at, uint64_t *value) {
    return read_whole(c, at, "count", 0, c->reader->size, value);
}

// -------------------------------------------------------------------------------- arrays, sources

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Whether the word is one decimal number, "nan" or an infinity: as
/// gz_number_parse() has it, at a fraction of its cost for the usual word.
static bool is_number(gz_word word) {
    const char *at = word.text, *end = at + word.size;
    if (at < end && (*at == '-' || *at == '+')) at++;
    const char *digits = at;
    while (at < end && is_digit(*at)) at++;
    bool some = at > digits;
    if (at < end && *at == '.') {
        digits = ++at;
        while (at < end && is_digit(*at)) at++;
        some |= at > digits;
    }
    double value;
    return (some && at == end) || gz_number_parse(word.text, word.size, &value);
}

static graze_status check_array(gz_collada *c, const gz_xml_element *array) {
    uint64_t count, words = 0;
    GZ_TRY(read_count(c, array, &count));
    bool numbers = gz_xml_is(array, "float_array");
    gz_text_cursor cursor = gz_collada_text(array);
    for (gz_word word; gz_cursor_word(&cursor, &word); words++)
        if (numbers && !is_number(word))
            return gz_mesh_fail(c->reader, cursor.line, GRAZE_ERROR_PARSE,
                                "'%.*s' in <float_array>; allowed: numbers", gz_word_shown(word),
                                word.text);
    if (words != count) return fail_count(c, array, "values", words, count);
    return gz_collada_add(c, &c->arrays, (gz_collada_id){.element = array, .count = count});
}

static const gz_xml_element *accessor_of(const gz_xml_element *source) {
    const gz_xml_element *technique = gz_xml_child(source, "technique_common");
    return technique ? gz_xml_child(technique, "accessor") : NULL;
}

/// Which values of an entry are x, y and z: a position needs each of them once,
/// within the stride. Params of other names, or of none, pass over a value.
static bool find_axes(const gz_collada_id *source, uint64_t axes[3]) {
    const gz_xml_element *accessor = accessor_of(source->element);
    int found[3] = {0, 0, 0};
    uint64_t at = 0;
    for (const gz_xml_element *p = gz_xml_child(accessor, "param"); p; p = gz_xml_next(p), at++) {
        const char *name = gz_xml_get(p, "name");
        if (!name || name[0] < 'X' || name[0] > 'Z' || name[1]) continue;
        found[name[0] - 'X']++;
        axes[name[0] - 'X'] = at;
        if (at >= source->stride) return false;
    }
    return found[0] == 1 && found[1] == 1 && found[2] == 1;
}

static graze_status check_source(gz_collada *c, const gz_xml_element *source) {
    const gz_xml_element *accessor = accessor_of(source);
    if (!accessor) return GRAZE_OK; // of an effect, or one that nothing can use
    uint64_t count, offset, stride, params = 0;
    GZ_TRY(read_count(c, accessor, &count));
    GZ_TRY(read_whole(c, accessor, "offset", 0, c->reader->size, &offset));
    GZ_TRY(read_whole(c, accessor, "stride", 1, STRIDE_MAX, &stride));
    const char *reference = gz_xml_get(accessor, "source");
    gz_collada_id *array = gz_collada_find(&c->arrays, reference);
    if (!array)
        return gz_collada_fail(c, accessor, GRAZE_ERROR_MESH,
                               "<accessor> source='%.80s' names no array; allowed: '#' and an id",
                               reference ? reference : "");
    for (const gz_xml_element *p = gz_xml_child(accessor, "param"); p; p = gz_xml_next(p)) params++;
    // Each param stands for a value, from the entry's first on.
    uint64_t last = params > stride ? params : stride;
    bool fits = stride && offset + (count - 1) * stride + last <= array->count;
    if (count && !fits && !array->second)
        return gz_collada_fail(c, accessor, GRAZE_ERROR_MESH,
                               "<accessor> reads %" PRIu64 " entries of %" PRIu64
                               " from value %" PRIu64 " on; allowed: within the %" PRIu64
                               " values of the array",
                               count, last, offset, array->count);
    return gz_collada_add(
        c, &c->sources,
        (gz_collada_id){
            .element = source, .count = count, .array = array, .offset = offset, .stride = stride});
}

/// The source of a <vertices>' positions: of its only input with that meaning; NULL for none.
static const gz_collada_id *find_positions(const gz_collada *c, const gz_xml_element *vertices) {
    const gz_collada_id *found = NULL;
    for (const gz_xml_element *i = gz_xml_child(vertices, "input"); i; i = gz_xml_next(i)) {
        const char *semantic = gz_xml_get(i, "semantic");
        if (!semantic || strcmp(semantic, "POSITION") != 0) continue;
        if (found) return NULL;
        found = gz_collada_find(&c->sources, gz_xml_get(i, "source"));
    }
    return found;
}

static graze_status check_vertices(gz_collada *c, const gz_xml_element *vertices) {
    uint64_t axes[3],
        entries = UINT64_MAX; // of the shortest input, which bounds the vertices
    for (const gz_xml_element *i = gz_xml_child(vertices, "input"); i; i = gz_xml_next(i)) {
        const char *source = gz_xml_get(i, "source");
        const gz_collada_id *found = gz_collada_find(&c->sources, source);
        if (!found)
            return gz_collada_fail(c, i, GRAZE_ERROR_MESH,
                                   "<input> source='%.80s' names no source; allowed: '#' and an id",
                                   source ? source : "");
        if (found->count < entries && !found->second) entries = found->count;
    }
    const gz_collada_id *positions = find_positions(c, vertices);
    if (!positions)
        return fail(c, vertices, GRAZE_ERROR_MESH, "without positions, or with several",
                    "one <input> with semantic=\"POSITION\"");
    GZ_TRY(gz_collada_check_once(c, positions));
    GZ_TRY(gz_collada_check_once(c, positions->array));
    if (!gz_xml_is(positions->array->element, "float_array"))
        return fail(c, vertices, GRAZE_ERROR_MESH, "has positions that are no numbers",
                    "a <float_array>");
    if (!find_axes(positions, axes))
        return fail(c, vertices, GRAZE_ERROR_MESH, "has positions without X, Y and Z",
                    "an accessor with one <param> for each, within its stride");
    return gz_collada_add(c, &c->vertices, (gz_collada_id){.element = vertices, .count = entries});
}

/// The numbers of an array, read once.
static graze_status read_values(gz_collada *c, gz_collada_id *array) {
    if (array->values) return GRAZE_OK;
    array->values = gz_malloc((size_t)array->count + 1, sizeof *array->values);
    if (!array->values) return gz_fail_memory(c->reader->error);
    gz_text_cursor cursor = gz_collada_text(array->element);
    gz_word word;
    for (uint64_t i = 0; i < array->count && gz_cursor_word(&cursor, &word); i++)
        gz_number_parse(word.text, word.size, &array->values[i]);
    return GRAZE_OK;
}

graze_status gz_collada_positions_get(gz_collada *c, const gz_xml_element *vertices,
                                      gz_collada_positions *positions) {
    const gz_collada_id *source = find_positions(c, vertices);
    GZ_TRY(read_values(c, source->array));
    // The offset of no entries may lie anywhere.
    const uint64_t offset = source->count ? source->offset : 0;
    *positions = (gz_collada_positions){
        .values = source->array->values + offset, .count = source->count, .stride = source->stride};
    find_axes(source, positions->axes);
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------------- primitives

graze_status gz_collada_layout_read(gz_collada *c, const gz_xml_element *primitive,
                                    gz_collada_layout *l) {
    l->stride = 1;
    for (int i = 0; i <= GZ_COLLADA_OFFSET_MAX; i++) l->bounds[i] = UINT64_MAX;
    int vertices = 0;
    for (const gz_xml_element *i = gz_xml_child(primitive, "input"); i; i = gz_xml_next(i)) {
        const char *semantic = gz_xml_get(i, "semantic"), *source = gz_xml_get(i, "source");
        uint64_t offset;
        GZ_TRY(read_whole(c, i, "offset", 0, GZ_COLLADA_OFFSET_MAX, &offset));
        bool vertex = semantic && strcmp(semantic, "VERTEX") == 0;
        gz_collada_id *found = gz_collada_find(vertex ? &c->vertices : &c->sources, source);
        // Indices count within their own mesh.
        if (!found || (vertex && found->element->parent != primitive->parent))
            return gz_collada_fail(c, i, GRAZE_ERROR_MESH,
                                   "<input> source='%.80s' names no %s; allowed: '#' and an id",
                                   source ? source : "",
                                   vertex ? "<vertices> of the mesh" : "source");
        if (vertex) GZ_TRY(gz_collada_check_once(c, found));
        if (offset + 1 > l->stride) l->stride = offset + 1;
        if (found->count < l->bounds[offset] && !found->second) l->bounds[offset] = found->count;
        if (vertex) l->vertex = offset, l->vertices = found;
        vertices += vertex;
        // Some programs take this one, others the vertex.
        if (semantic && strcmp(semantic, "POSITION") == 0) vertices = 2;
    }
    if (vertices == 1) return GRAZE_OK;
    return fail(c, primitive, GRAZE_ERROR_MESH, "without vertices, or with several",
                "one <input> with semantic=\"VERTEX\", none with \"POSITION\"");
}

static graze_status check_indices(gz_collada *c, const gz_xml_element *p,
                                  const gz_collada_layout *l, gz_collada_primitive *to) {
    gz_text_cursor cursor = gz_collada_text(p);
    gz_word word;
    uint64_t n = 0;
    for (; gz_cursor_word(&cursor, &word); n++) {
        uint64_t index;
        if (!gz_whole_parse(word, INT32_MAX, &index))
            return gz_mesh_fail(c->reader, cursor.line, GRAZE_ERROR_MESH,
                                "index '%.*s' in <p>; allowed: a whole number, 0 to 2147483647",
                                gz_word_shown(word), word.text);
        if (index >= l->bounds[n % l->stride])
            return gz_mesh_fail(c->reader, cursor.line, GRAZE_ERROR_MESH,
                                "index %" PRIu64 " in <p>; allowed here: below %" PRIu64, index,
                                l->bounds[n % l->stride]);
        if (n % l->stride != l->vertex) continue;
        if (!GZ_RESERVE(to->corners, to->corner_capacity, to->corner_count + 1))
            return gz_fail_memory(c->reader->error);
        to->corners[to->corner_count++] = (uint32_t)index;
    }
    const uint64_t whole = n - n % l->stride;
    return n == whole ? GRAZE_OK : fail_count(c, p, "indices", n, whole);
}

static graze_status add_size(gz_collada *c, gz_collada_primitive *to, size_t size) {
    if (!GZ_RESERVE(to->sizes, to->size_capacity, to->size_count + 1))
        return gz_fail_memory(c->reader->error);
    to->sizes[to->size_count++] = size;
    return GRAZE_OK;
}

/// Sums up the corners of a polylist's polygons.
static graze_status read_vcount(gz_collada *c, const gz_xml_element *primitive, uint64_t count,
                                gz_collada_primitive *to, uint64_t *corners) {
    const gz_xml_element *vcount = gz_xml_child(primitive, "vcount");
    *corners = 0;
    if (!vcount) return count ? fail_count(c, primitive, "polygons", 0, count) : GRAZE_OK;
    gz_text_cursor cursor = gz_collada_text(vcount);
    for (gz_word word; gz_cursor_word(&cursor, &word);) {
        uint64_t value;
        if (!gz_whole_parse(word, c->reader->size, &value))
            return gz_mesh_fail(
                c->reader, cursor.line, GRAZE_ERROR_MESH,
                "'%.*s' in <vcount>; allowed: whole numbers, no larger than the file",
                gz_word_shown(word), word.text);
        GZ_TRY(add_size(c, to, (size_t)value));
        *corners += value;
    }
    return to->size_count == count ? GRAZE_OK
                                   : fail_count(c, vcount, "polygons", to->size_count, count);
}

static graze_status check_primitive(gz_collada *c, const gz_xml_element *primitive) {
    uint64_t count, wanted = 0, lists = 0;
    gz_collada_layout l;
    GZ_TRY(read_count(c, primitive, &count));
    const gz_xml_element *p = gz_xml_child(primitive, "p");
    if (!p && count == 0) return GRAZE_OK;
    GZ_TRY(gz_collada_layout_read(c, primitive, &l));
    if (!GZ_RESERVE(c->primitives, c->primitive_capacity, c->primitive_count + 1))
        return gz_fail_memory(c->reader->error);
    if (!l.vertices->primitives++) l.vertices->first = c->primitive_count;
    gz_collada_primitive *to = &c->primitives[c->primitive_count++];
    *to = (gz_collada_primitive){.strips = gz_xml_is(primitive, "tristrips")};
    bool triangles = gz_xml_is(primitive, "triangles"), polylist = gz_xml_is(primitive, "polylist");
    for (; p; p = gz_xml_next(p), lists++) {
        const size_t before = to->corner_count;
        GZ_TRY(check_indices(c, p, &l, to));
        if (to->strips && to->corner_count - before < 3)
            return fail(c, p, GRAZE_ERROR_MESH, "is a strip of fewer than 3 corners", "3 or more");
        if (!triangles && !polylist) GZ_TRY(add_size(c, to, to->corner_count - before));
    }
    if (!triangles && !polylist)
        return lists == count ? GRAZE_OK : fail_count(c, primitive, "lists <p>", lists, count);
    if (triangles) wanted = 3 * count;
    if (polylist) GZ_TRY(read_vcount(c, primitive, count, to, &wanted));
    if (lists > 1) return fail_count(c, primitive, "lists <p>", lists, 1);
    return to->corner_count == wanted
               ? GRAZE_OK
               : fail_count(c, primitive, "corners", to->corner_count, wanted);
}

// --------------------------------------------------------------------------------------- elements

typedef graze_status check(gz_collada *c, const gz_xml_element *element);

/// Checks every element whose tag is in the list.
static graze_status each(gz_collada *c, const char *tags, check *test) {
    for (const gz_xml_element *e = c->root; e; e = gz_collada_next(e, c->root))
        if (gz_is_listed(tags, e->tag, strlen(e->tag))) GZ_TRY(test(c, e));
    return GRAZE_OK;
}

static graze_status refuse(gz_collada *c, const gz_xml_element *element) {
    return fail(c, element, GRAZE_ERROR_UNSUPPORTED, "is not read, so a part would be missing",
                "triangles, polylist, polygons without holes, tristrips");
}

static graze_status count_lines(gz_collada *c, const gz_xml_element *lines) {
    uint64_t count = 1; // a <spline>
    if (!gz_xml_is(lines, "spline")) GZ_TRY(read_count(c, lines, &count));
    c->reader->lines += count;
    return GRAZE_OK;
}

graze_status gz_collada_check_geometry(gz_collada *c) {
    GZ_TRY(each(c, "trifans ph instance_controller", refuse));
    GZ_TRY(each(c, "float_array Name_array IDREF_array", check_array));
    gz_collada_sort(c, &c->arrays);
    GZ_TRY(each(c, "source", check_source));
    gz_collada_sort(c, &c->sources);
    GZ_TRY(each(c, "vertices", check_vertices));
    gz_collada_sort(c, &c->vertices);
    GZ_TRY(each(c, "triangles polylist polygons tristrips", check_primitive));
    return each(c, "lines linestrips spline", count_lines);
}
