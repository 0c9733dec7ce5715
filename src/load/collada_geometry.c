#include <inttypes.h>
#include <string.h>

#include "load/collada.h"
#include "load/text_cursor.h"
#include "load/text_file.h"

/// Inputs share out the indices of a corner by their offset; more than this in a file is nonsense.
enum { OFFSET_MAX = 63, STRIDE_MAX = 4096 };

static graze_status fail(gz_collada *c, const gz_xml_element *at, graze_status status,
                         const char *what, const char *allowed) {
    return gz_fail_at(c->error, status, gz_collada_place(c, at), "<%.40s> %s; allowed: %s", at->tag,
                      what, allowed);
}

static graze_status fail_count(gz_collada *c, const gz_xml_element *at, const char *what,
                               uint64_t found, uint64_t wanted) {
    return gz_fail_at(c->error, GRAZE_ERROR_MESH, gz_collada_place(c, at),
                      "<%.40s> %s: %" PRIu64 "; allowed: exactly %" PRIu64, at->tag, what, found,
                      wanted);
}

/// Reads a whole number from text; false when it is something else or above max.
static bool parse_whole(const char *text, size_t size, uint64_t max, uint64_t *value) {
    if (size == 0 || size > 18) return false;
    *value = 0;
    for (size_t i = 0; i < size; i++) {
        if (text[i] < '0' || text[i] > '9') return false;
        *value = 10 * *value + (uint64_t)(text[i] - '0');
    }
    return *value <= max;
}

static graze_status read_whole(gz_collada *c, const gz_xml_element *at, const char *attribute,
                               uint64_t missing, uint64_t max, uint64_t *value) {
    const char *text = gz_xml_get(at, attribute);
    *value = missing;
    if (!text || parse_whole(text, strlen(text), max, value)) return GRAZE_OK;
    return gz_fail_at(c->error, GRAZE_ERROR_MESH, gz_collada_place(c, at),
                      "<%.40s> %s=\"%.40s\"; allowed: a whole number, at most %" PRIu64, at->tag,
                      attribute, text, max);
}

/// A `count`: each thing counted takes a byte of the file at the least.
static graze_status read_count(gz_collada *c, const gz_xml_element *at, uint64_t *value) {
    return read_whole(c, at, "count", 0, c->input->size, value);
}

static gz_text_cursor text_of(const gz_xml_element *element) {
    return (gz_text_cursor){element->text, element->text + strlen(element->text), element->line};
}

// ------------------------------------------------------------------------------ arrays, sources

/// Whether assimp will take the word for one number: it would take "1,5" for one, too, and stop
/// half-way through others.
static bool is_number(gz_word word) {
    bool digit = false, odd = false;
    for (size_t i = 0; i < word.size; i++) {
        char c = word.text[i];
        bool here = c >= '0' && c <= '9';
        digit |= here;
        odd |= !here && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E';
    }
    double value;
    return (digit && !odd) || gz_number_parse(word.text, word.size, &value);
}

static graze_status check_array(gz_collada *c, const gz_xml_element *array) {
    uint64_t count, words = 0;
    graze_status status = read_count(c, array, &count);
    if (status) return status;
    bool numbers = gz_xml_is(array, "float_array");
    gz_text_cursor cursor = text_of(array);
    for (gz_word word; gz_cursor_word(&cursor, &word); words++)
        if (numbers && !is_number(word))
            return gz_fail_at(c->error, GRAZE_ERROR_PARSE,
                              (gz_place){.file = c->input->path, .line = cursor.line},
                              "'%.*s' in <float_array>; allowed: numbers", gz_word_shown(word),
                              word.text);
    if (words != count) return fail_count(c, array, "values", words, count);
    return gz_collada_add(c, &c->arrays, array, count);
}

/// Whether the accessor names x, y and z: a position needs all three.
static bool names_position(const gz_xml_element *accessor) {
    int found = 0;
    for (const gz_xml_element *p = gz_xml_child(accessor, "param"); p; p = gz_xml_next(p)) {
        const char *name = gz_xml_get(p, "name");
        if (name && name[0] >= 'X' && name[0] <= 'Z' && !name[1]) found |= 1 << (name[0] - 'X');
    }
    return found == 7;
}

static const gz_xml_element *accessor_of(const gz_xml_element *source) {
    const gz_xml_element *technique = gz_xml_child(source, "technique_common");
    return technique ? gz_xml_child(technique, "accessor") : NULL;
}

static graze_status check_source(gz_collada *c, const gz_xml_element *source) {
    const gz_xml_element *accessor = accessor_of(source);
    if (!accessor) return GRAZE_OK; // of an effect, or one that nothing can use
    uint64_t count, offset, stride, params = 0;
    graze_status status = read_count(c, accessor, &count);
    if (!status) status = read_whole(c, accessor, "offset", 0, c->input->size, &offset);
    if (!status) status = read_whole(c, accessor, "stride", 1, STRIDE_MAX, &stride);
    if (status) return status;
    const char *reference = gz_xml_get(accessor, "source");
    const struct gz_collada_id *array = gz_collada_find(&c->arrays, reference);
    if (!array)
        return gz_fail_at(c->error, GRAZE_ERROR_MESH, gz_collada_place(c, accessor),
                          "<accessor> source='%.80s' names no array; allowed: '#' and an id",
                          reference ? reference : "");
    for (const gz_xml_element *p = gz_xml_child(accessor, "param"); p; p = gz_xml_next(p)) params++;
    // assimp reads param by param from each entry's first value, also past the stride.
    uint64_t last = params > stride ? params : stride;
    if (count && (stride == 0 || offset + (count - 1) * stride + last > array->count))
        return gz_fail_at(c->error, GRAZE_ERROR_MESH, gz_collada_place(c, accessor),
                          "<accessor> reads %" PRIu64 " entries of %" PRIu64 " from value %" PRIu64
                          " on; allowed: within the %" PRIu64 " values of the array",
                          count, last, offset, array->count);
    return gz_collada_add(c, &c->sources, source, count);
}

static graze_status check_vertices(gz_collada *c, const gz_xml_element *vertices) {
    const struct gz_collada_id *positions = NULL;
    uint64_t entries = UINT64_MAX; // of the shortest input, which bounds the vertices
    for (const gz_xml_element *i = gz_xml_child(vertices, "input"); i; i = gz_xml_next(i)) {
        const char *semantic = gz_xml_get(i, "semantic"), *source = gz_xml_get(i, "source");
        const struct gz_collada_id *found = gz_collada_find(&c->sources, source);
        if (!found)
            return gz_fail_at(c->error, GRAZE_ERROR_MESH, gz_collada_place(c, i),
                              "<input> source='%.80s' names no source; allowed: '#' and an id",
                              source ? source : "");
        if (found->count < entries) entries = found->count;
        if (semantic && strcmp(semantic, "POSITION") == 0) positions = found;
    }
    if (!positions)
        return fail(c, vertices, GRAZE_ERROR_MESH, "without positions",
                    "an <input> with semantic=\"POSITION\"");
    if (!names_position(accessor_of(positions->element)))
        return fail(c, vertices, GRAZE_ERROR_MESH, "has positions without X, Y and Z",
                    "an accessor with a <param> for each");
    return gz_collada_add(c, &c->vertices, vertices, entries);
}

// ----------------------------------------------------------------------------------- primitives

/// How the indices of a primitive's corners lie.
typedef struct layout {
    uint64_t stride;                 ///< indices for each corner
    uint64_t bounds[OFFSET_MAX + 1]; ///< what each of them must be below
} layout;

static graze_status read_layout(gz_collada *c, const gz_xml_element *primitive, layout *l) {
    l->stride = 1;
    for (int i = 0; i <= OFFSET_MAX; i++) l->bounds[i] = UINT64_MAX;
    bool has_vertex = false;
    for (const gz_xml_element *i = gz_xml_child(primitive, "input"); i; i = gz_xml_next(i)) {
        const char *semantic = gz_xml_get(i, "semantic"), *source = gz_xml_get(i, "source");
        uint64_t offset;
        graze_status status = read_whole(c, i, "offset", 0, OFFSET_MAX, &offset);
        if (status) return status;
        bool vertex = semantic && strcmp(semantic, "VERTEX") == 0;
        const struct gz_collada_id *found = gz_collada_find(vertex ? &c->vertices : &c->sources,
                                                            source);
        if (!found)
            return gz_fail_at(c->error, GRAZE_ERROR_MESH, gz_collada_place(c, i),
                              "<input> source='%.80s' names no %s; allowed: '#' and an id",
                              source ? source : "", vertex ? "<vertices>" : "source");
        if (offset + 1 > l->stride) l->stride = offset + 1;
        if (found->count < l->bounds[offset]) l->bounds[offset] = found->count;
        has_vertex |= vertex;
    }
    if (has_vertex) return GRAZE_OK;
    return fail(c, primitive, GRAZE_ERROR_MESH, "without vertices",
                "an <input> with semantic=\"VERTEX\"");
}

static graze_status check_indices(gz_collada *c, const gz_xml_element *p, const layout *l,
                                  uint64_t *corners) {
    gz_text_cursor cursor = text_of(p);
    gz_word word;
    uint64_t n = 0;
    for (; gz_cursor_word(&cursor, &word); n++) {
        uint64_t index;
        gz_place place = {.file = c->input->path, .line = cursor.line};
        if (!parse_whole(word.text, word.size, INT32_MAX, &index))
            return gz_fail_at(c->error, GRAZE_ERROR_MESH, place,
                              "index '%.*s' in <p>; allowed: a whole number, 0 to 2147483647",
                              gz_word_shown(word), word.text);
        if (index >= l->bounds[n % l->stride])
            return gz_fail_at(c->error, GRAZE_ERROR_MESH, place,
                              "index %" PRIu64 " in <p>; allowed here: below %" PRIu64, index,
                              l->bounds[n % l->stride]);
    }
    *corners = n / l->stride;
    return n % l->stride ? fail_count(c, p, "indices", n, *corners * l->stride) : GRAZE_OK;
}

/// Sums up the corners of a polylist's polygons.
static graze_status read_vcount(gz_collada *c, const gz_xml_element *primitive, uint64_t count,
                                uint64_t *corners) {
    const gz_xml_element *vcount = gz_xml_child(primitive, "vcount");
    *corners = 0;
    if (!vcount) return count ? fail_count(c, primitive, "polygons", 0, count) : GRAZE_OK;
    gz_text_cursor cursor = text_of(vcount);
    gz_word word;
    uint64_t n = 0;
    for (; gz_cursor_word(&cursor, &word); n++) {
        uint64_t value;
        if (!parse_whole(word.text, word.size, c->input->size, &value))
            return gz_fail_at(c->error, GRAZE_ERROR_MESH,
                              (gz_place){.file = c->input->path, .line = cursor.line},
                              "'%.*s' in <vcount>; allowed: whole numbers, no larger than the file",
                              gz_word_shown(word), word.text);
        *corners += value;
    }
    return n == count ? GRAZE_OK : fail_count(c, vcount, "polygons", n, count);
}

static graze_status check_primitive(gz_collada *c, const gz_xml_element *primitive) {
    uint64_t count, wanted = 0, corners = 0, lists = 0;
    layout l;
    graze_status status = read_count(c, primitive, &count);
    const gz_xml_element *p = gz_xml_child(primitive, "p");
    if (status || (!p && count == 0)) return status;
    if ((status = read_layout(c, primitive, &l))) return status;
    for (; p; p = gz_xml_next(p)) {
        uint64_t here = 0;
        if ((status = check_indices(c, p, &l, &here))) return status;
        if (gz_xml_is(primitive, "tristrips") && here < 3)
            return fail(c, p, GRAZE_ERROR_MESH, "is a strip of fewer than 3 corners", "3 or more");
        corners += here;
        lists++;
    }
    bool triangles = gz_xml_is(primitive, "triangles"), polylist = gz_xml_is(primitive, "polylist");
    if (!triangles && !polylist)
        return lists == count ? GRAZE_OK : fail_count(c, primitive, "lists <p>", lists, count);
    if (triangles) wanted = 3 * count;
    if (polylist && (status = read_vcount(c, primitive, count, &wanted))) return status;
    if (lists > 1) return fail_count(c, primitive, "lists <p>", lists, 1);
    return corners == wanted ? GRAZE_OK : fail_count(c, primitive, "corners", corners, wanted);
}

// ------------------------------------------------------------------------------------- elements

static bool is_one_of(const gz_xml_element *element, const char *const *tags) {
    for (; *tags; tags++)
        if (gz_xml_is(element, *tags)) return true;
    return false;
}

typedef graze_status check(gz_collada *c, const gz_xml_element *element);

static graze_status each(gz_collada *c, const char *const *tags, check *judge) {
    graze_status status = GRAZE_OK;
    for (const gz_xml_element *e = c->root; e && !status; e = gz_collada_next(e, c->root))
        if (is_one_of(e, tags)) status = judge(c, e);
    return status;
}

static graze_status refuse(gz_collada *c, const gz_xml_element *element) {
    return fail(c, element, GRAZE_ERROR_UNSUPPORTED, "is not read, so a part would be missing",
                "triangles, polylist, polygons without holes, tristrips");
}

static graze_status count_lines(gz_collada *c, const gz_xml_element *lines) {
    uint64_t count;
    graze_status status = read_count(c, lines, &count);
    if (!status) c->facts.lines += count;
    return status;
}

graze_status gz_collada_check_geometry(gz_collada *c) {
    static const char *const arrays[] = {"float_array", "Name_array", "IDREF_array", NULL};
    static const char *const source[] = {"source", NULL};
    static const char *const vertices[] = {"vertices", NULL};
    static const char *const primitives[] = {"triangles", "polylist", "polygons", "tristrips",
                                             NULL};
    static const char *const lines[] = {"lines", "linestrips", NULL};
    static const char *const refused[] = {"trifans", "ph", "instance_controller", NULL};
    graze_status status = each(c, refused, refuse);
    if (!status) status = each(c, arrays, check_array);
    if (!status) status = gz_collada_sort(c, &c->arrays);
    if (!status) status = each(c, source, check_source);
    if (!status) status = gz_collada_sort(c, &c->sources);
    if (!status) status = each(c, vertices, check_vertices);
    if (!status) status = gz_collada_sort(c, &c->vertices);
    if (!status) status = each(c, primitives, check_primitive);
    if (!status) status = each(c, lines, count_lines);
    return status;
}
