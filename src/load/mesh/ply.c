#include <inttypes.h>
#include <string.h>

#include "load/mesh/mesh_reader.h"
#include "load/token.h"

// ---------------------------------------------------------------------------------------- header

enum { PLY_ELEMENTS = 32, PLY_PROPERTIES = 128 };

/// What a property is to a mesh.
typedef enum ply_role { PLY_OTHER = -1, PLY_X = 0, PLY_Y = 1, PLY_Z = 2, PLY_CORNERS = 3 } ply_role;

typedef struct ply_property {
    bool list;
    gz_number_type count_type; ///< of lists
    gz_number_type type;
    ply_role role;
} ply_property;

typedef enum ply_kind { PLY_SKIPPED, PLY_VERTEX, PLY_FACE } ply_kind;

typedef struct ply_element {
    ply_kind kind;
    gz_word name;
    uint64_t count;
    int32_t first, property_count; ///< in ply_header.properties
} ply_element;

typedef enum ply_format { PLY_ASCII, PLY_LITTLE, PLY_BIG } ply_format;

typedef struct ply_header {
    ply_format format;
    ply_element elements[PLY_ELEMENTS];
    ply_property properties[PLY_PROPERTIES];
    int32_t element_count, property_count;
    uint64_t vertex_count, face_count;
} ply_header;

typedef struct reader {
    gz_mesh_reader *m;
    ply_header header;
    bool has_format;
    const ply_element *element; ///< being read; m->row is its row
} reader;

static graze_status fail_word(reader *r, const char *what, gz_word word, const char *allowed) {
    return gz_mesh_fail(r->m, r->m->cursor.line, GRAZE_ERROR_PARSE,
                        "%s '%.*s' in the header; allowed: %s", what, gz_word_shown(word),
                        word.text, allowed);
}

static graze_status fail_limit(reader *r, const char *what, int limit) {
    return gz_mesh_fail(r->m, r->m->cursor.line, GRAZE_ERROR_LIMIT,
                        "too many %s in the header; allowed: %d", what, limit);
}

static bool parse_type(gz_word word, gz_number_type *type) {
    // Two names for each type.
    int index = gz_word_index(word, "char int8 uchar uint8 short int16 ushort uint16 "
                                    "int int32 uint uint32 float float32 double float64");
    *type = (gz_number_type)(index / 2);
    return index >= 0;
}

static graze_status read_format(reader *r) {
    gz_word word, version;
    gz_cursor_line_word(&r->m->cursor, &word);
    gz_cursor_line_word(&r->m->cursor, &version);
    if (!gz_word_is(version, "1.0")) return fail_word(r, "version", version, "1.0");
    int index = gz_word_index(word, "ascii binary_little_endian binary_big_endian");
    r->has_format = index >= 0;
    r->header.format = (ply_format)index;
    if (r->has_format) return GRAZE_OK;
    return fail_word(r, "format", word, "ascii, binary_little_endian or binary_big_endian");
}

static graze_status read_header_element(reader *r) {
    ply_header *header = &r->header;
    gz_word name, count;
    gz_cursor_line_word(&r->m->cursor, &name);
    gz_cursor_line_word(&r->m->cursor, &count);
    if (header->element_count == PLY_ELEMENTS) return fail_limit(r, "elements", PLY_ELEMENTS);
    ply_element *element = &header->elements[header->element_count++];
    *element = (ply_element){.name = name, .first = header->property_count};
    if (!name.size || !gz_whole_parse(count, UINT64_MAX, &element->count))
        return fail_word(r, "element count", count, "a whole number");
    uint64_t *total = NULL;
    if (gz_word_is(name, "vertex")) {
        element->kind = PLY_VERTEX;
        total = &header->vertex_count;
    } else if (gz_word_is(name, "face") && !r->m->points_only) {
        element->kind = PLY_FACE;
        total = &header->face_count;
    } else if (gz_word_is(name, "tristrips") && element->count && !r->m->points_only) {
        return gz_mesh_fail(r->m, r->m->cursor.line, GRAZE_ERROR_UNSUPPORTED,
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

static ply_role role_of(const ply_element *element, const ply_property *property, gz_word name) {
    if (element->kind == PLY_VERTEX && !property->list && name.size == 1 && name.text[0] >= 'x' &&
        name.text[0] <= 'z')
        return (ply_role)(name.text[0] - 'x');
    if (element->kind == PLY_FACE && property->list && names_corners(name)) return PLY_CORNERS;
    return PLY_OTHER;
}

static graze_status read_property(reader *r) {
    static const char *const types =
        "char, uchar, short, ushort, int, uint, float, double, int8 to float64";
    ply_header *header = &r->header;
    ply_property property = {0};
    gz_word word, name;
    gz_cursor_line_word(&r->m->cursor, &word);
    if (!header->element_count) return fail_word(r, "property", word, "an element first");
    if (gz_word_is(word, "list")) {
        property.list = true;
        gz_cursor_line_word(&r->m->cursor, &word);
        if (!parse_type(word, &property.count_type) || property.count_type >= GZ_F32)
            return fail_word(r, "type of a list's count", word, "a type of whole numbers");
        gz_cursor_line_word(&r->m->cursor, &word);
    }
    if (!parse_type(word, &property.type)) return fail_word(r, "type", word, types);
    if (!gz_cursor_line_word(&r->m->cursor, &name)) return fail_word(r, "property", name, "a name");
    if (header->property_count == PLY_PROPERTIES)
        return fail_limit(r, "properties", PLY_PROPERTIES);
    ply_element *element = &header->elements[header->element_count - 1];
    property.role = role_of(element, &property, name);
    // Triangles under another name would be left out.
    if (element->kind == PLY_SKIPPED && element->count && property.list && names_corners(name) &&
        !r->m->points_only)
        return gz_mesh_fail(r->m, r->m->cursor.line, GRAZE_ERROR_UNSUPPORTED,
                            "element %.*s has %.*s, as faces have; allowed: element face",
                            gz_word_shown(element->name), element->name.text, gz_word_shown(name),
                            name.text);
    if (property.role == PLY_CORNERS && property.type >= GZ_F32)
        return fail_word(r, "type of vertex indices", word, "a type of whole numbers");
    for (int32_t i = element->first; i < header->property_count; i++)
        if (property.role != PLY_OTHER && header->properties[i].role == property.role)
            return fail_word(r, "a second property", name, "each once");
    header->properties[header->property_count++] = property;
    element->property_count++;
    return GRAZE_OK;
}

/// What a mesh needs: coordinates, corners, and the vertices before the faces that name them.
static graze_status check_header(reader *r) {
    const int32_t line = r->m->cursor.line;
    const ply_header *header = &r->header;
    int32_t roles = 0;
    bool vertices_seen = false;
    for (int32_t i = 0; i < header->element_count; i++) {
        const ply_element *element = &header->elements[i];
        for (int32_t k = 0; k < element->property_count; k++) {
            ply_role role = header->properties[element->first + k].role;
            if (role != PLY_OTHER) roles |= 1 << role;
        }
        if (element->count && !element->property_count)
            return gz_mesh_fail(r->m, line, GRAZE_ERROR_PARSE,
                                "element %.*s has no property; allowed: at least 1",
                                gz_word_shown(element->name), element->name.text);
        vertices_seen |= element->kind == PLY_VERTEX;
        if (element->kind == PLY_FACE && element->count && !vertices_seen)
            return gz_mesh_fail(r->m, line, GRAZE_ERROR_UNSUPPORTED,
                                "faces before vertices; allowed: vertices first");
    }
    if (!r->has_format)
        return gz_mesh_fail(r->m, line, GRAZE_ERROR_PARSE, "no format line; allowed: one");
    if (header->face_count == 0 && !r->m->points_only)
        return gz_mesh_fail(r->m, line, GRAZE_ERROR_MESH,
                            "no faces (%" PRIu64 " points); allowed: at least 1 triangle",
                            header->vertex_count);
    if ((roles & 7) != 7)
        return gz_mesh_fail(r->m, line, GRAZE_ERROR_PARSE,
                            "vertices without x, y and z; allowed: all three");
    if (!(roles & 1 << PLY_CORNERS) && !r->m->points_only)
        return gz_mesh_fail(r->m, line, GRAZE_ERROR_PARSE,
                            "faces without a list vertex_indices; allowed: one");
    return GRAZE_OK;
}

/// Reads and checks the header; on success the cursor is at the first byte of the body.
static graze_status read_header(reader *r) {
    gz_cursor_skip_line(&r->m->cursor); // "ply"
    while (r->m->cursor.at < r->m->cursor.end) {
        gz_word word;
        gz_cursor_line_word(&r->m->cursor, &word);
        bool end = gz_word_is(word, "end_header");
        if (end)
            GZ_TRY(check_header(r));
        else if (gz_word_is(word, "format"))
            GZ_TRY(read_format(r));
        else if (gz_word_is(word, "element"))
            GZ_TRY(read_header_element(r));
        else if (gz_word_is(word, "property"))
            GZ_TRY(read_property(r));
        else if (word.size && !gz_word_is(word, "comment") && !gz_word_is(word, "obj_info"))
            return fail_word(r, "word", word,
                             "format, element, property, comment, obj_info or end_header");
        gz_cursor_skip_line(&r->m->cursor);
        if (end) return GRAZE_OK;
    }
    return gz_mesh_fail(r->m, r->m->cursor.line, GRAZE_ERROR_MESH,
                        "the file ends in the header; allowed: end_header");
}

// ------------------------------------------------------------------------------------------ body

bool gz_ply_is(const char *bytes, size_t size) {
    return size >= 4 && memcmp(bytes, "ply", 3) == 0 && (bytes[3] == '\n' || bytes[3] == '\r');
}

/// The line for messages: 0 in binary files.
static int32_t line_of(const reader *r) {
    return r->header.format == PLY_ASCII ? r->m->cursor.line : 0;
}

static graze_status fail_end(reader *r) {
    return gz_mesh_fail(r->m, line_of(r), GRAZE_ERROR_MESH,
                        "the file ends in %.*s %" PRIu64 "; allowed: all %" PRIu64,
                        gz_word_shown(r->element->name), r->element->name.text, r->m->row,
                        r->element->count);
}

// --------------------------------------------------------------------------------------- values

/// The next value of the body, whole numbers included: a double holds every 32-bit one.
static graze_status read_value(reader *r, gz_number_type type, double *value) {
    if (r->header.format != PLY_ASCII) {
        size_t size = gz_number_size(type);
        if ((size_t)(r->m->cursor.end - r->m->cursor.at) < size) return fail_end(r);
        *value = gz_load_number(type, r->m->cursor.at, r->header.format == PLY_BIG);
        r->m->cursor.at += size;
        return GRAZE_OK;
    }
    gz_word word;
    if (!gz_cursor_word(&r->m->cursor, &word)) return fail_end(r);
    if (!gz_number_parse(word.text, word.size, value))
        return gz_mesh_fail(r->m, line_of(r), GRAZE_ERROR_PARSE,
                            "'%.*s' in %.*s %" PRIu64 "; allowed: a number", gz_word_shown(word),
                            word.text, gz_word_shown(r->element->name), r->element->name.text,
                            r->m->row);
    return GRAZE_OK;
}

static graze_status read_list_size(reader *r, const ply_property *property, size_t *count) {
    double value;
    GZ_TRY(read_value(r, property->count_type, &value));
    // Every entry takes at least a byte (two in ASCII), so what is left bounds the list.
    uint64_t left = (uint64_t)(r->m->cursor.end - r->m->cursor.at);
    uint64_t size = r->header.format == PLY_ASCII ? 2 : gz_number_size(property->type);
    if (!(value >= 0) || value != floor(value) || value > (double)((left + 1) / size))
        return gz_mesh_fail(r->m, line_of(r), GRAZE_ERROR_MESH,
                            "a list of %g entries in %.*s %" PRIu64 "; allowed: a whole number, at "
                            "most %" PRIu64 " in the bytes that are left",
                            value, gz_word_shown(r->element->name), r->element->name.text,
                            r->m->row, (left + 1) / size);
    *count = (size_t)value;
    return GRAZE_OK;
}

// ----------------------------------------------------------------------------------------- rows

static graze_status skip_list(reader *r, const ply_property *property) {
    size_t count;
    GZ_TRY(read_list_size(r, property, &count));
    double value;
    for (size_t i = 0; i < count; i++) GZ_TRY(read_value(r, property->type, &value));
    return GRAZE_OK;
}

static graze_status read_corners(reader *r, const ply_property *property) {
    size_t count;
    GZ_TRY(read_list_size(r, property, &count));
    GZ_TRY(gz_polygon_reserve(r->m, count));
    for (size_t i = 0; i < count; i++) {
        double value;
        GZ_TRY(read_value(r, property->type, &value));
        if (!(value >= 0) || value != floor(value) || value >= (double)r->m->soup->vertex_count)
            return gz_mesh_fail(r->m, line_of(r), GRAZE_ERROR_MESH,
                                "vertex index %.17g in face %" PRIu64 "; allowed: 0 to %zu", value,
                                r->m->row, r->m->soup->vertex_count - 1);
        r->m->polygons.corners[i] = (uint32_t)value;
    }
    return gz_polygon_append(r->m, count);
}

static graze_status append_vertex(reader *r, const double from[3]) {
    if (gz_mesh_append_vertex(r->m, from)) return GRAZE_OK;
    return gz_mesh_fail_vertex(r->m, line_of(r), from, "vertex %" PRIu64 " of %" PRIu64, r->m->row,
                               r->element->count);
}

static graze_status read_row(reader *r) {
    double at[3] = {0, 0, 0};
    for (int32_t i = 0; i < r->element->property_count; i++) {
        const ply_property *property = &r->header.properties[r->element->first + i];
        double value;
        if (property->role == PLY_CORNERS) {
            GZ_TRY(read_corners(r, property));
        } else if (property->list) {
            GZ_TRY(skip_list(r, property));
        } else {
            GZ_TRY(read_value(r, property->type, &value));
            if (property->role != PLY_OTHER) at[property->role] = value;
        }
    }
    return r->element->kind == PLY_VERTEX ? append_vertex(r, at) : GRAZE_OK;
}

// ------------------------------------------------------------------------------- many alike rows

/// Reads as many rows of up to `rows` vertices as are fine, from a binary file without lists in
/// them; returns how many these are. The rest is for read_row(), which handles all cases and
/// errors.
static uint64_t take_vertices(reader *r, uint64_t rows) {
    const ply_property *properties = &r->header.properties[r->element->first];
    size_t offset[3] = {0}, row = 0;
    gz_number_type type[3] = {GZ_F32, GZ_F32, GZ_F32};
    unsigned found = 0;
    for (int32_t i = 0; i < r->element->property_count; i++) {
        const ply_property *p = &properties[i];
        if (p->list) return 0;
        if (p->role >= PLY_X && p->role <= PLY_Z) {
            offset[p->role] = row;
            type[p->role] = p->type;
            found |= 1U << p->role;
        }
        row += gz_number_size(p->type);
    }
    if (found != 7) return 0;
    const bool big = r->header.format == PLY_BIG;
    uint64_t i = 0;
    for (; i < rows && (size_t)(r->m->cursor.end - r->m->cursor.at) >= row; i++) {
        const char *at = r->m->cursor.at;
        double from[3];
        for (int k = 0; k < 3; k++) from[k] = gz_load_number(type[k], at + offset[k], big);
        if (!gz_mesh_append_vertex(r->m, from)) break;
        r->m->cursor.at += row;
    }
    return i;
}

/// Reads as many rows of up to `rows` triangles as are fine, where there is space for them already;
/// nearly all files have no other faces. Returns how many.
static uint64_t take_triangles(reader *r, uint64_t rows) {
    enum { ROW = 1 + 3 * 4 };
    const ply_property *p = &r->header.properties[r->element->first];
    if (r->element->property_count != 1 || p->role != PLY_CORNERS ||
        gz_number_size(p->count_type) != 1 || (p->type != GZ_I32 && p->type != GZ_U32))
        return 0;
    gz_soup *soup = r->m->soup;
    size_t space = soup->triangle_capacity;
    if (space > r->m->budget->triangles_left) space = (size_t)r->m->budget->triangles_left;
    // Negative numbers are above 2^31.
    const size_t limit = soup->vertex_count < INT32_MAX ? soup->vertex_count : INT32_MAX;
    const bool big = r->header.format == PLY_BIG;
    uint64_t i = 0;
    for (; i < rows && r->m->cursor.end - r->m->cursor.at >= ROW && r->m->cursor.at[0] == 3; i++) {
        const char *at = r->m->cursor.at + 1;
        uint32_t a = gz_load_u32(at, big), b = gz_load_u32(at + 4, big),
                 c = gz_load_u32(at + 8, big);
        if (a >= limit || b >= limit || c >= limit || soup->triangle_count >= space) break;
        uint32_t *triangle = soup->triangles + 3 * soup->triangle_count++;
        triangle[0] = a;
        triangle[1] = b;
        triangle[2] = c;
        r->m->cursor.at += ROW;
    }
    return i;
}

static uint64_t take_rows(reader *r, uint64_t rows) {
    if (r->header.format == PLY_ASCII) return 0;
    if (r->element->kind == PLY_VERTEX) return take_vertices(r, rows);
    return r->element->kind == PLY_FACE ? take_triangles(r, rows) : 0;
}

/// Rows take at least one byte per value: a count that the file cannot hold is refused before
/// anything is allocated for it.
static graze_status check_count(reader *r) {
    uint64_t row_bytes = 0, left = (uint64_t)(r->m->cursor.end - r->m->cursor.at);
    for (int32_t i = 0; i < r->element->property_count; i++) {
        const ply_property *property = &r->header.properties[r->element->first + i];
        if (r->header.format == PLY_ASCII)
            row_bytes += 2; // a digit and a blank, which the last one may lack
        else
            row_bytes += gz_number_size(property->list ? property->count_type : property->type);
    }
    if (r->element->count == 0 || r->element->count <= (left + 1) / row_bytes) return GRAZE_OK;
    return gz_mesh_fail(r->m, line_of(r), GRAZE_ERROR_MESH,
                        "%" PRIu64 " rows of element %.*s in %" PRIu64 " bytes; allowed: at most "
                        "%" PRIu64 " (the file is truncated or the count is wrong)",
                        r->element->count, gz_word_shown(r->element->name), r->element->name.text,
                        left, (left + 1) / row_bytes);
}

static graze_status read_element(reader *r, const ply_element *element) {
    r->element = element;
    r->m->row = 0;
    const size_t count = (size_t)element->count;
    GZ_TRY(check_count(r));
    if (element->kind == PLY_VERTEX) GZ_TRY(gz_mesh_reserve(r->m, count, 0));
    if (element->kind == PLY_FACE) GZ_TRY(gz_mesh_reserve(r->m, 0, count));
    for (uint64_t i = 0; i < element->count; i++) {
        i += take_rows(r, element->count - i);
        if (i == element->count) break;
        r->m->row = i + 1;
        GZ_TRY(read_row(r));
    }
    return GRAZE_OK;
}

graze_status gz_ply_read(gz_mesh_reader *m) {
    reader r = {.m = m};
    m->cursor = (gz_text_cursor){m->bytes, m->bytes + m->size, 1};
    GZ_TRY(read_header(&r));
    for (int32_t i = 0; i < r.header.element_count; i++)
        GZ_TRY(read_element(&r, &r.header.elements[i]));
    gz_cursor_skip_blanks(&m->cursor);
    if (m->cursor.at == m->cursor.end) return GRAZE_OK;
    return gz_mesh_fail(m, line_of(&r), GRAZE_ERROR_MESH,
                        "%zu bytes behind the last element; allowed: none",
                        (size_t)(m->cursor.end - m->cursor.at));
}
