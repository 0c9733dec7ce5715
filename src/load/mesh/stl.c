#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "load/mesh/mesh_formats.h"
#include "load/token.h"

enum { HEADER_BYTES = 84, COUNT_AT = 80, FACET_BYTES = 50, NORMAL_BYTES = 12 };

static uint32_t load_u32(const char *p) {
    const unsigned char *b = (const unsigned char *)p;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double load_float(const char *p) {
    uint32_t bits = load_u32(p);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

bool gz_stl_is_binary(const char *bytes, size_t size) {
    return size >= HEADER_BYTES &&
           (uint64_t)size == HEADER_BYTES + (uint64_t)FACET_BYTES * load_u32(bytes + COUNT_AT);
}

/// The cursor behind "solid" when the bytes are text that begins so.
static bool begin_ascii(const char *bytes, size_t size, gz_text_cursor *cursor) {
    *cursor = (gz_text_cursor){bytes, bytes + size, 1};
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) cursor->at += 3;
    gz_word word;
    return gz_cursor_word(cursor, &word) && gz_word_is(word, "solid") && !memchr(bytes, '\0', size);
}

bool gz_stl_is_ascii(const char *bytes, size_t size) {
    gz_text_cursor cursor;
    gz_word word;
    if (!begin_ascii(bytes, size, &cursor)) return false;
    // The first word of a later line decides; the solid's name may be anything.
    gz_cursor_skip_line(&cursor);
    return gz_cursor_word(&cursor, &word) &&
           (gz_word_is(word, "facet") || gz_word_is(word, "endsolid"));
}

// --------------------------------------------------------------------------------------- binary

static graze_status read_binary(const gz_mesh_input *input, gz_soup *soup, graze_error *error) {
    gz_place place = gz_mesh_place(input, 0);
    if (input->size < HEADER_BYTES)
        return gz_fail_at(error, GRAZE_ERROR_MESH, place,
                          "binary STL of %zu bytes; allowed: at least 84, the header", input->size);
    uint32_t count = load_u32(input->bytes + COUNT_AT);
    if (!gz_stl_is_binary(input->bytes, input->size))
        return gz_fail_at(error, GRAZE_ERROR_MESH, place,
                          "binary STL of %zu bytes says %" PRIu32 " triangles; allowed: exactly "
                          "84 + 50 x %" PRIu32 " = %" PRIu64 " bytes",
                          input->size, count, count, HEADER_BYTES + (uint64_t)FACET_BYTES * count);
    graze_status status = gz_mesh_reserve(input, soup, (size_t)count * 3, count, error);
    if (status) return status;

    const char *facet = input->bytes + HEADER_BYTES;
    for (uint32_t i = 0; i < count; i++, facet += FACET_BYTES) {
        for (uint32_t corner = 0; corner < 3; corner++) {
            const char *p = facet + NORMAL_BYTES + 12 * (size_t)corner;
            double from[3] = {load_float(p), load_float(p + 4), load_float(p + 8)};
            double *to = soup->vertices + 3 * soup->vertex_count;
            if (!gz_mesh_scale(input, from, to)) {
                char what[64];
                snprintf(what, sizeof what, "facet %" PRIu32 " of %" PRIu32, i + 1, count);
                return gz_mesh_fail_range(input, 0, what, from, error);
            }
            soup->triangles[3 * soup->triangle_count + corner] = (uint32_t)soup->vertex_count++;
        }
        soup->triangle_count++;
    }
    return GRAZE_OK;
}

// ---------------------------------------------------------------------------------------- ASCII

typedef struct reader {
    const gz_mesh_input *input;
    gz_soup *soup;
    graze_error *error;
    gz_text_cursor cursor;
    size_t facet; ///< the one being read, from 1; 0 before the first
} reader;

static graze_status fail_end(reader *r, const char *wanted) {
    return gz_fail_at(r->error, GRAZE_ERROR_MESH, gz_mesh_place(r->input, r->cursor.line),
                      "the file ends in facet %zu; allowed here: %s", r->facet, wanted);
}

static graze_status fail_word(reader *r, gz_word word, const char *wanted) {
    return gz_fail_at(r->error, GRAZE_ERROR_PARSE, gz_mesh_place(r->input, r->cursor.line),
                      "'%.*s' in facet %zu; allowed here: %s", gz_word_shown(word), word.text,
                      r->facet, wanted);
}

static graze_status expect(reader *r, const char *keyword) {
    gz_word word;
    if (!gz_cursor_word(&r->cursor, &word)) return fail_end(r, keyword);
    return gz_word_is(word, keyword) ? GRAZE_OK : fail_word(r, word, keyword);
}

static graze_status read_vertex(reader *r) {
    graze_status status = expect(r, "vertex");
    if (status) return status;
    double from[3];
    for (int k = 0; k < 3; k++) {
        gz_word word;
        if (!gz_cursor_word(&r->cursor, &word)) return fail_end(r, "a number");
        if (!gz_number_parse(word.text, word.size, &from[k])) return fail_word(r, word, "a number");
    }
    gz_soup *soup = r->soup;
    if (!gz_mesh_scale(r->input, from, soup->vertices + 3 * soup->vertex_count)) {
        char what[40];
        snprintf(what, sizeof what, "facet %zu", r->facet);
        return gz_mesh_fail_range(r->input, r->cursor.line, what, from, r->error);
    }
    soup->vertex_count++;
    return GRAZE_OK;
}

/// Reads on from behind "facet".
static graze_status read_facet(reader *r) {
    gz_word word;
    r->facet++;
    // The normal is not used and often "nan", so its three words may be anything.
    if (!gz_cursor_word(&r->cursor, &word)) return fail_end(r, "normal");
    if (gz_word_is(word, "normal")) {
        for (int k = 0; k < 4; k++)
            if (!gz_cursor_word(&r->cursor, &word)) return fail_end(r, "outer loop");
    }
    if (!gz_word_is(word, "outer")) return fail_word(r, word, "outer loop");
    graze_status status = expect(r, "loop");
    if (status) return status;
    status = gz_mesh_reserve(r->input, r->soup, 3, 1, r->error);
    if (status) return status;

    uint32_t first = (uint32_t)r->soup->vertex_count;
    for (int corner = 0; corner < 3; corner++)
        if ((status = read_vertex(r))) return status;
    if ((status = expect(r, "endloop")) || (status = expect(r, "endfacet"))) return status;
    uint32_t *triangle = r->soup->triangles + 3 * r->soup->triangle_count++;
    for (uint32_t corner = 0; corner < 3; corner++) triangle[corner] = first + corner;
    return GRAZE_OK;
}

/// Skips what stands behind "solid" or "endsolid": a name, which may be of any words but those that
/// a facet cannot do without.
static graze_status skip_name(reader *r) {
    gz_word word;
    while (gz_cursor_line_word(&r->cursor, &word))
        if (gz_word_is(word, "vertex") || gz_word_is(word, "endfacet"))
            return gz_fail_at(r->error, GRAZE_ERROR_PARSE, gz_mesh_place(r->input, r->cursor.line),
                              "'%.*s' in the line of a solid's name; allowed: the name, and facets "
                              "in lines of their own",
                              gz_word_shown(word), word.text);
    gz_cursor_skip_line(&r->cursor);
    return GRAZE_OK;
}

static graze_status read_ascii(const gz_mesh_input *input, gz_soup *soup, graze_error *error) {
    reader r = {input, soup, error, {input->bytes, input->bytes + input->size, 1}, 0};
    if (input->size >= 3 && memcmp(input->bytes, "\xef\xbb\xbf", 3) == 0) r.cursor.at += 3;
    gz_word word;
    graze_status status = gz_text_check_returns(input->bytes, input->size, input->path, error);
    // Several solids in one file are one mesh.
    while (!status && gz_cursor_word(&r.cursor, &word)) {
        if (!gz_word_is(word, "solid")) return fail_word(&r, word, "solid");
        if ((status = skip_name(&r))) return status;
        for (;;) {
            if (!gz_cursor_word(&r.cursor, &word)) return fail_end(&r, "facet or endsolid");
            if (gz_word_is(word, "endsolid")) break;
            if (!gz_word_is(word, "facet")) return fail_word(&r, word, "facet or endsolid");
            if ((status = read_facet(&r))) return status;
        }
        status = skip_name(&r);
    }
    return status;
}

graze_status gz_stl_read(const gz_mesh_input *input, gz_soup *soup, graze_error *error) {
    gz_text_cursor cursor;
    if (!gz_stl_is_binary(input->bytes, input->size) &&
        begin_ascii(input->bytes, input->size, &cursor))
        return read_ascii(input, soup, error);
    return read_binary(input, soup, error);
}
