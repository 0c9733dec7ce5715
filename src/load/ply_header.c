#include "load/ply_header.h"

#include <inttypes.h>
#include <string.h>

int gz_ply_type_size(gz_ply_type type) {
    static const int sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[type];
}

typedef struct reader {
    gz_ply_header *header;
    const gz_mesh_input *input;
    gz_text_cursor *cursor;
    graze_error *error;
    bool has_format;
} reader;

static graze_status fail_word(reader *r, const char *what, gz_word word, const char *allowed) {
    return gz_fail_at(r->error, GRAZE_ERROR_PARSE, gz_mesh_place(r->input, r->cursor->line),
                      "%s '%.*s' in the header; allowed: %s", what, gz_word_shown(word), word.text,
                      allowed);
}

static graze_status fail_limit(reader *r, const char *what, int limit) {
    return gz_fail_at(r->error, GRAZE_ERROR_LIMIT, gz_mesh_place(r->input, r->cursor->line),
                      "too many %s in the header; allowed: %d", what, limit);
}

static bool parse_type(gz_word word, gz_ply_type *type) {
    static const struct {
        const char *name;
        gz_ply_type type;
    } names[] = {{"char", GZ_PLY_I8},    {"int8", GZ_PLY_I8},     {"uchar", GZ_PLY_U8},
                 {"uint8", GZ_PLY_U8},   {"short", GZ_PLY_I16},   {"int16", GZ_PLY_I16},
                 {"ushort", GZ_PLY_U16}, {"uint16", GZ_PLY_U16},  {"int", GZ_PLY_I32},
                 {"int32", GZ_PLY_I32},  {"uint", GZ_PLY_U32},    {"uint32", GZ_PLY_U32},
                 {"float", GZ_PLY_F32},  {"float32", GZ_PLY_F32}, {"double", GZ_PLY_F64},
                 {"float64", GZ_PLY_F64}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!gz_word_is(word, names[i].name)) continue;
        *type = names[i].type;
        return true;
    }
    return false;
}

static bool parse_count(gz_word word, uint64_t *count) {
    if (word.size == 0 || word.size > 18) return false;
    *count = 0;
    for (size_t i = 0; i < word.size; i++) {
        if (word.text[i] < '0' || word.text[i] > '9') return false;
        *count = 10 * *count + (uint64_t)(word.text[i] - '0');
    }
    return true;
}

static graze_status read_format(reader *r) {
    static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    gz_word word, version;
    gz_cursor_line_word(r->cursor, &word);
    gz_cursor_line_word(r->cursor, &version);
    if (!gz_word_is(version, "1.0")) return fail_word(r, "version", version, "1.0");
    for (int i = 0; i < 3; i++) {
        if (!gz_word_is(word, names[i])) continue;
        r->header->format = (gz_ply_format)i;
        r->has_format = true;
        return GRAZE_OK;
    }
    return fail_word(r, "format", word, "ascii, binary_little_endian or binary_big_endian");
}

static graze_status read_element(reader *r) {
    gz_ply_header *header = r->header;
    gz_word name, count;
    gz_cursor_line_word(r->cursor, &name);
    gz_cursor_line_word(r->cursor, &count);
    if (header->element_count == GZ_PLY_ELEMENTS) return fail_limit(r, "elements", GZ_PLY_ELEMENTS);
    gz_ply_element *element = &header->elements[header->element_count++];
    *element = (gz_ply_element){.name = name, .first = header->property_count};
    if (!name.size || !parse_count(count, &element->count))
        return fail_word(r, "element count", count, "a whole number");
    uint64_t *total = NULL;
    if (gz_word_is(name, "vertex")) {
        element->kind = GZ_PLY_VERTEX;
        total = &header->vertex_count;
    } else if (gz_word_is(name, "face") && !r->input->points_only) {
        element->kind = GZ_PLY_FACE;
        total = &header->face_count;
    } else if (gz_word_is(name, "tristrips") && element->count && !r->input->points_only) {
        return gz_fail_at(r->error, GRAZE_ERROR_UNSUPPORTED,
                          gz_mesh_place(r->input, r->cursor->line),
                          "triangle strips; allowed: faces");
    }
    for (int32_t i = 0; i + 1 < header->element_count; i++)
        if (total && header->elements[i].kind == element->kind)
            return fail_word(r, "a second element", name, "each once");
    if (total) *total = element->count;
    return GRAZE_OK;
}

static bool names_corners(gz_word name) {
    return gz_word_is(name, "vertex_indices") || gz_word_is(name, "vertex_index");
}

static gz_ply_role role_of(const gz_ply_element *element, const gz_ply_property *property,
                           gz_word name) {
    if (element->kind == GZ_PLY_VERTEX && !property->list && name.size == 1 &&
        name.text[0] >= 'x' && name.text[0] <= 'z')
        return (gz_ply_role)(name.text[0] - 'x');
    if (element->kind == GZ_PLY_FACE && property->list && names_corners(name))
        return GZ_PLY_CORNERS;
    return GZ_PLY_OTHER;
}

static graze_status read_property(reader *r) {
    static const char *const types =
        "char, uchar, short, ushort, int, uint, float, double, int8 to float64";
    gz_ply_header *header = r->header;
    gz_ply_property property = {0};
    gz_word word, name;
    gz_cursor_line_word(r->cursor, &word);
    if (!header->element_count) return fail_word(r, "property", word, "an element first");
    if (gz_word_is(word, "list")) {
        property.list = true;
        gz_cursor_line_word(r->cursor, &word);
        if (!parse_type(word, &property.count_type) || property.count_type >= GZ_PLY_F32)
            return fail_word(r, "type of a list's count", word, "a type of whole numbers");
        gz_cursor_line_word(r->cursor, &word);
    }
    if (!parse_type(word, &property.type)) return fail_word(r, "type", word, types);
    if (!gz_cursor_line_word(r->cursor, &name)) return fail_word(r, "property", name, "a name");
    if (header->property_count == GZ_PLY_PROPERTIES)
        return fail_limit(r, "properties", GZ_PLY_PROPERTIES);
    gz_ply_element *element = &header->elements[header->element_count - 1];
    property.role = role_of(element, &property, name);
    // Triangles under another name would be left out.
    if (element->kind == GZ_PLY_SKIPPED && element->count && property.list && names_corners(name) &&
        !r->input->points_only)
        return gz_fail_at(
            r->error, GRAZE_ERROR_UNSUPPORTED, gz_mesh_place(r->input, r->cursor->line),
            "element %.*s has %.*s, as faces have; allowed: element face",
            gz_word_shown(element->name), element->name.text, gz_word_shown(name), name.text);
    if (property.role == GZ_PLY_CORNERS && property.type >= GZ_PLY_F32)
        return fail_word(r, "type of vertex indices", word, "a type of whole numbers");
    for (int32_t i = element->first; i < header->property_count; i++)
        if (property.role != GZ_PLY_OTHER && header->properties[i].role == property.role)
            return fail_word(r, "a second property", name, "each once");
    header->properties[header->property_count++] = property;
    element->property_count++;
    return GRAZE_OK;
}

/// What a mesh needs: coordinates, corners, and the vertices before the faces that name them.
static graze_status judge(reader *r) {
    gz_place place = gz_mesh_place(r->input, r->cursor->line);
    const gz_ply_header *header = r->header;
    int32_t roles = 0;
    bool vertices_seen = false;
    for (int32_t i = 0; i < header->element_count; i++) {
        const gz_ply_element *element = &header->elements[i];
        for (int32_t k = 0; k < element->property_count; k++) {
            gz_ply_role role = header->properties[element->first + k].role;
            if (role != GZ_PLY_OTHER) roles |= 1 << role;
        }
        if (element->count && !element->property_count)
            return gz_fail_at(r->error, GRAZE_ERROR_PARSE, place,
                              "element %.*s has no property; allowed: at least 1",
                              gz_word_shown(element->name), element->name.text);
        vertices_seen |= element->kind == GZ_PLY_VERTEX;
        if (element->kind == GZ_PLY_FACE && element->count && !vertices_seen)
            return gz_fail_at(r->error, GRAZE_ERROR_UNSUPPORTED, place,
                              "faces before vertices; allowed: vertices first");
    }
    if (!r->has_format)
        return gz_fail_at(r->error, GRAZE_ERROR_PARSE, place, "no format line; allowed: one");
    if (header->face_count == 0 && !r->input->points_only)
        return gz_fail_at(r->error, GRAZE_ERROR_MESH, place,
                          "no faces (%" PRIu64 " points); allowed: at least 1 triangle",
                          header->vertex_count);
    if ((roles & 7) != 7)
        return gz_fail_at(r->error, GRAZE_ERROR_PARSE, place,
                          "vertices without x, y and z; allowed: all three");
    if (!(roles & 1 << GZ_PLY_CORNERS) && !r->input->points_only)
        return gz_fail_at(r->error, GRAZE_ERROR_PARSE, place,
                          "faces without a list vertex_indices; allowed: one");
    return GRAZE_OK;
}

graze_status gz_ply_header_read(gz_ply_header *header, const gz_mesh_input *input,
                                gz_text_cursor *cursor, graze_error *error) {
    *header = (gz_ply_header){0};
    reader r = {header, input, cursor, error, false};
    gz_cursor_skip_line(cursor); // "ply"
    gz_word word;
    while (cursor->at < cursor->end) {
        graze_status status = GRAZE_OK;
        gz_cursor_line_word(cursor, &word);
        if (gz_word_is(word, "end_header")) {
            if ((status = judge(&r))) return status;
            gz_cursor_skip_line(cursor);
            return GRAZE_OK;
        }
        if (gz_word_is(word, "format"))
            status = read_format(&r);
        else if (gz_word_is(word, "element"))
            status = read_element(&r);
        else if (gz_word_is(word, "property"))
            status = read_property(&r);
        else if (word.size && !gz_word_is(word, "comment") && !gz_word_is(word, "obj_info"))
            status = fail_word(&r, "word", word,
                               "format, element, property, comment, obj_info or end_header");
        if (status) return status;
        gz_cursor_skip_line(cursor);
    }
    return gz_fail_at(error, GRAZE_ERROR_MESH, gz_mesh_place(input, cursor->line),
                      "the file ends in the header; allowed: end_header");
}
