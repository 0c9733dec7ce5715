#include "load/mesh/mesh_formats.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "load/mesh/mesh_input.h"
#include "load/ply_header.h"
#include "load/token.h"

typedef struct reader {
    const gz_mesh_input *input;
    gz_soup *soup;
    graze_error *error;
    gz_ply_header header;
    gz_text_cursor cursor;
    gz_polygons polygons;
    const gz_ply_element *element; ///< being read
    uint64_t row;                  ///< of the element, from 1
} reader;

bool gz_ply_is(const char *bytes, size_t size) {
    return size >= 4 && memcmp(bytes, "ply", 3) == 0 && (bytes[3] == '\n' || bytes[3] == '\r');
}

static gz_place place_of(const reader *r) {
    return gz_mesh_place(r->input, r->header.format == GZ_PLY_ASCII ? r->cursor.line : 0);
}

static graze_status fail_end(reader *r) {
    return gz_fail_at(r->error, GRAZE_ERROR_MESH, place_of(r),
                      "the file ends in %.*s %" PRIu64 "; allowed: all %" PRIu64,
                      gz_word_shown(r->element->name), r->element->name.text, r->row,
                      r->element->count);
}

// --------------------------------------------------------------------------------------- values

static uint16_t load_u16(const unsigned char *b, bool big) {
    return (uint16_t)(big ? b[0] << 8 | b[1] : b[1] << 8 | b[0]);
}

static uint32_t load_u32(const unsigned char *b, bool big) {
    uint32_t bits = (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
    return big ? __builtin_bswap32(bits) : bits;
}

static double decode(gz_ply_type type, const char *at, bool big) {
    const unsigned char *b = (const unsigned char *)at;
    uint32_t bits;
    uint64_t wide;
    float single;
    double value;
    switch (type) {
    case GZ_PLY_I8:
        return (int8_t)b[0];
    case GZ_PLY_U8:
        return b[0];
    case GZ_PLY_I16:
        return (int16_t)load_u16(b, big);
    case GZ_PLY_U16:
        return load_u16(b, big);
    case GZ_PLY_I32:
        return (int32_t)load_u32(b, big);
    case GZ_PLY_U32:
        return load_u32(b, big);
    case GZ_PLY_F32:
        bits = load_u32(b, big);
        memcpy(&single, &bits, sizeof single);
        return (double)single;
    case GZ_PLY_F64:
        break;
    }
    wide = (uint64_t)load_u32(b + (big ? 0 : 4), big) << 32 | load_u32(b + (big ? 4 : 0), big);
    memcpy(&value, &wide, sizeof value);
    return value;
}

/// The next value of the body, whole numbers included: a double holds every 32-bit one.
static graze_status read_value(reader *r, gz_ply_type type, double *value) {
    if (r->header.format != GZ_PLY_ASCII) {
        size_t size = (size_t)gz_ply_type_size(type);
        if ((size_t)(r->cursor.end - r->cursor.at) < size) return fail_end(r);
        *value = decode(type, r->cursor.at, r->header.format == GZ_PLY_BIG);
        r->cursor.at += size;
        return GRAZE_OK;
    }
    gz_word word;
    if (!gz_cursor_word(&r->cursor, &word)) return fail_end(r);
    if (!gz_number_parse(word.text, word.size, value))
        return gz_fail_at(r->error, GRAZE_ERROR_PARSE, place_of(r),
                          "'%.*s' in %.*s %" PRIu64 "; allowed: a number", gz_word_shown(word),
                          word.text, gz_word_shown(r->element->name), r->element->name.text,
                          r->row);
    return GRAZE_OK;
}

static graze_status read_list_size(reader *r, const gz_ply_property *property, size_t *count) {
    double value;
    graze_status status = read_value(r, property->count_type, &value);
    if (status) return status;
    // Every entry takes at least a byte (two in ASCII), so what is left bounds the list.
    uint64_t left = (uint64_t)(r->cursor.end - r->cursor.at);
    uint64_t size = r->header.format == GZ_PLY_ASCII ? 2
                                                     : (uint64_t)gz_ply_type_size(property->type);
    if (!(value >= 0) || value != floor(value) || value > (double)((left + 1) / size))
        return gz_fail_at(r->error, GRAZE_ERROR_MESH, place_of(r),
                          "a list of %g entries in %.*s %" PRIu64 "; allowed: a whole number, at "
                          "most %" PRIu64 " in the bytes that are left",
                          value, gz_word_shown(r->element->name), r->element->name.text, r->row,
                          (left + 1) / size);
    *count = (size_t)value;
    return GRAZE_OK;
}

// ----------------------------------------------------------------------------------------- rows

static graze_status skip_list(reader *r, const gz_ply_property *property) {
    size_t count;
    graze_status status = read_list_size(r, property, &count);
    double value;
    for (size_t i = 0; !status && i < count; i++) status = read_value(r, property->type, &value);
    return status;
}

static graze_status read_corners(reader *r, const gz_ply_property *property) {
    size_t count;
    graze_status status = read_list_size(r, property, &count);
    if (status) return status;
    if (!gz_polygons_reserve(&r->polygons, count)) return gz_fail_memory(r->error);
    for (size_t i = 0; i < count; i++) {
        double value;
        if ((status = read_value(r, property->type, &value))) return status;
        if (!(value >= 0) || value != floor(value) || value >= (double)r->soup->vertex_count)
            return gz_fail_at(r->error, GRAZE_ERROR_MESH, place_of(r),
                              "vertex index %.17g in face %" PRIu64 "; allowed: 0 to %zu", value,
                              r->row, r->soup->vertex_count - 1);
        r->polygons.corners[i] = (uint32_t)value;
    }
    return gz_polygon_append(&r->polygons, count, r->input, r->soup, r->error);
}

static graze_status append_vertex(reader *r, const double from[3]) {
    gz_soup *soup = r->soup;
    if (!gz_mesh_scale(r->input, from, soup->vertices + 3 * soup->vertex_count)) {
        char what[48];
        snprintf(what, sizeof what, "vertex %" PRIu64 " of %" PRIu64, r->row, r->element->count);
        return gz_mesh_fail_range(r->input, place_of(r).line, what, from, r->error);
    }
    soup->vertex_count++;
    return GRAZE_OK;
}

static graze_status read_row(reader *r) {
    double at[3] = {0, 0, 0};
    for (int32_t i = 0; i < r->element->property_count; i++) {
        const gz_ply_property *property = &r->header.properties[r->element->first + i];
        graze_status status;
        double value;
        if (property->role == GZ_PLY_CORNERS) {
            status = read_corners(r, property);
        } else if (property->list) {
            status = skip_list(r, property);
        } else {
            status = read_value(r, property->type, &value);
            if (!status && property->role != GZ_PLY_OTHER) at[property->role] = value;
        }
        if (status) return status;
    }
    return r->element->kind == GZ_PLY_VERTEX ? append_vertex(r, at) : GRAZE_OK;
}

// ------------------------------------------------------------------------------- many alike rows

/// Reads as many rows of up to `rows` vertices as are fine, from a binary file without lists in
/// them; returns how many these are. What it leaves is for read_row(), which knows all and says
/// what is wrong.
static uint64_t take_vertices(reader *r, uint64_t rows) {
    const gz_ply_property *properties = &r->header.properties[r->element->first];
    size_t offset[3] = {0}, row = 0;
    gz_ply_type type[3] = {GZ_PLY_F32, GZ_PLY_F32, GZ_PLY_F32};
    unsigned found = 0;
    for (int32_t i = 0; i < r->element->property_count; i++) {
        const gz_ply_property *p = &properties[i];
        if (p->list) return 0;
        if (p->role >= GZ_PLY_X && p->role <= GZ_PLY_Z) {
            offset[p->role] = row;
            type[p->role] = p->type;
            found |= 1U << p->role;
        }
        row += (size_t)gz_ply_type_size(p->type);
    }
    if (found != 7) return 0;
    gz_soup *soup = r->soup;
    const bool big = r->header.format == GZ_PLY_BIG;
    uint64_t i = 0;
    for (; i < rows && (size_t)(r->cursor.end - r->cursor.at) >= row; i++) {
        const char *at = r->cursor.at;
        double from[3];
        for (int k = 0; k < 3; k++) from[k] = decode(type[k], at + offset[k], big);
        if (!gz_mesh_scale(r->input, from, soup->vertices + 3 * soup->vertex_count)) break;
        soup->vertex_count++;
        r->cursor.at += row;
    }
    return i;
}

/// The same of faces: triangles that follow each other, as nearly all files have them, where there
/// is room for them already.
static uint64_t take_triangles(reader *r, uint64_t rows) {
    enum { ROW = 1 + 3 * 4 };
    const gz_ply_property *p = &r->header.properties[r->element->first];
    if (r->element->property_count != 1 || p->role != GZ_PLY_CORNERS ||
        gz_ply_type_size(p->count_type) != 1 || (p->type != GZ_PLY_I32 && p->type != GZ_PLY_U32))
        return 0;
    gz_soup *soup = r->soup;
    size_t room = soup->triangle_capacity;
    if (room > r->input->budget->triangles_left) room = (size_t)r->input->budget->triangles_left;
    // Negative numbers are above 2^31.
    const size_t limit = soup->vertex_count < INT32_MAX ? soup->vertex_count : INT32_MAX;
    const bool big = r->header.format == GZ_PLY_BIG;
    uint64_t i = 0;
    for (; i < rows && r->cursor.end - r->cursor.at >= ROW && r->cursor.at[0] == 3; i++) {
        const unsigned char *at = (const unsigned char *)r->cursor.at + 1;
        uint32_t a = load_u32(at, big), b = load_u32(at + 4, big), c = load_u32(at + 8, big);
        if (a >= limit || b >= limit || c >= limit || soup->triangle_count >= room) break;
        uint32_t *triangle = soup->triangles + 3 * soup->triangle_count++;
        triangle[0] = a;
        triangle[1] = b;
        triangle[2] = c;
        r->cursor.at += ROW;
    }
    return i;
}

static uint64_t take_rows(reader *r, uint64_t rows) {
    if (r->header.format == GZ_PLY_ASCII) return 0;
    if (r->element->kind == GZ_PLY_VERTEX) return take_vertices(r, rows);
    return r->element->kind == GZ_PLY_FACE ? take_triangles(r, rows) : 0;
}

/// Rows take at least one byte per value: a count that the file cannot hold is refused before
/// anything is allocated for it.
static graze_status check_count(reader *r) {
    uint64_t row_bytes = 0, left = (uint64_t)(r->cursor.end - r->cursor.at);
    for (int32_t i = 0; i < r->element->property_count; i++) {
        const gz_ply_property *property = &r->header.properties[r->element->first + i];
        if (r->header.format == GZ_PLY_ASCII)
            row_bytes += 2; // a digit and a blank, which the last one may lack
        else
            row_bytes += (uint64_t)gz_ply_type_size(property->list ? property->count_type
                                                                   : property->type);
    }
    if (r->element->count == 0 || r->element->count <= (left + 1) / row_bytes) return GRAZE_OK;
    return gz_fail_at(r->error, GRAZE_ERROR_MESH, place_of(r),
                      "%" PRIu64 " rows of element %.*s in %" PRIu64 " bytes; allowed: at most "
                      "%" PRIu64 " (the file is truncated or the count is wrong)",
                      r->element->count, gz_word_shown(r->element->name), r->element->name.text,
                      left, (left + 1) / row_bytes);
}

static graze_status read_element(reader *r, const gz_ply_element *element) {
    r->element = element;
    r->row = 0;
    graze_status status = check_count(r);
    if (!status && element->kind == GZ_PLY_VERTEX)
        status = gz_mesh_reserve(r->input, r->soup, (size_t)element->count, 0, r->error);
    if (!status && element->kind == GZ_PLY_FACE)
        status = gz_mesh_reserve(r->input, r->soup, 0, (size_t)element->count, r->error);
    for (uint64_t i = 0; !status && i < element->count; i++) {
        i += take_rows(r, element->count - i);
        if (i == element->count) break;
        r->row = i + 1;
        status = read_row(r);
    }
    return status;
}

graze_status gz_ply_read(const gz_mesh_input *input, gz_soup *soup, graze_error *error) {
    reader r = {.input = input,
                .soup = soup,
                .error = error,
                .cursor = {input->bytes, input->bytes + input->size, 1}};
    graze_status status = gz_ply_header_read(&r.header, input, &r.cursor, error);
    for (int32_t i = 0; !status && i < r.header.element_count; i++)
        status = read_element(&r, &r.header.elements[i]);
    if (!status) {
        gz_cursor_skip_blanks(&r.cursor);
        if (r.cursor.at < r.cursor.end)
            status = gz_fail_at(error, GRAZE_ERROR_MESH, place_of(&r),
                                "%zu bytes behind the last element; allowed: none",
                                (size_t)(r.cursor.end - r.cursor.at));
    }
    if (status)
        gz_polygons_free(&r.polygons);
    else
        gz_polygons_end(&r.polygons, input, soup);
    return status;
}
