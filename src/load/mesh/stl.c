#include <inttypes.h>
#include <string.h>

#include "load/mesh/mesh_reader.h"
#include "load/token.h"

enum { HEADER_BYTES = 84, COUNT_AT = 80, FACET_BYTES = 50, NORMAL_BYTES = 12 };

bool gz_stl_is_binary(const char *bytes, size_t size) {
    return size >= HEADER_BYTES &&
           (uint64_t)size ==
               HEADER_BYTES + (uint64_t)FACET_BYTES * gz_load_u32(bytes + COUNT_AT, false);
}

/// The cursor behind "solid" when the bytes are text that begins so.
static bool begin_ascii(const char *bytes, size_t size, gz_text_cursor *cursor) {
    *cursor = gz_cursor_begin(bytes, size);
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

static graze_status read_binary(gz_mesh_reader *r) {
    if (r->size < HEADER_BYTES)
        return gz_mesh_fail(r, 0, GRAZE_ERROR_MESH,
                            "binary STL of %zu bytes; allowed: at least 84, the header", r->size);
    uint32_t count = gz_load_u32(r->bytes + COUNT_AT, false);
    if (!gz_stl_is_binary(r->bytes, r->size))
        return gz_mesh_fail(r, 0, GRAZE_ERROR_MESH,
                            "binary STL of %zu bytes says %" PRIu32 " triangles; allowed: exactly "
                            "84 + 50 x %" PRIu32 " = %" PRIu64 " bytes",
                            r->size, count, count, HEADER_BYTES + (uint64_t)FACET_BYTES * count);
    GZ_TRY(gz_mesh_reserve(r, (size_t)count * 3, count));

    gz_soup *soup = r->soup;
    const char *facet = r->bytes + HEADER_BYTES;
    for (uint32_t i = 0; i < count; i++, facet += FACET_BYTES) {
        for (uint32_t corner = 0; corner < 3; corner++) {
            const char *p = facet + NORMAL_BYTES + 12 * (size_t)corner;
            double from[3];
            for (int k = 0; k < 3; k++) from[k] = gz_load_number(GZ_F32, p + 4 * k, false);
            soup->triangles[3 * soup->triangle_count + corner] = (uint32_t)soup->vertex_count;
            if (!gz_mesh_append_vertex(r, from))
                return gz_mesh_fail_vertex(r, 0, from, "facet %" PRIu32 " of %" PRIu32, i + 1,
                                           count);
        }
        soup->triangle_count++;
    }
    return GRAZE_OK;
}

// ---------------------------------------------------------------------------------------- ASCII

static graze_status fail_end(const gz_mesh_reader *r, const char *wanted) {
    return gz_mesh_fail(r, r->cursor.line, GRAZE_ERROR_MESH,
                        "the file ends in facet %" PRIu64 "; allowed here: %s", r->row, wanted);
}

static graze_status fail_word(const gz_mesh_reader *r, gz_word word, const char *wanted) {
    return gz_mesh_fail(r, r->cursor.line, GRAZE_ERROR_PARSE,
                        "'%.*s' in facet %" PRIu64 "; allowed here: %s", gz_word_shown(word),
                        word.text, r->row, wanted);
}

static graze_status expect(gz_mesh_reader *r, const char *keyword) {
    gz_word word;
    if (!gz_cursor_word(&r->cursor, &word)) return fail_end(r, keyword);
    return gz_word_is(word, keyword) ? GRAZE_OK : fail_word(r, word, keyword);
}

static graze_status read_vertex(gz_mesh_reader *r) {
    GZ_TRY(expect(r, "vertex"));
    double from[3];
    for (int k = 0; k < 3; k++) {
        gz_word word;
        if (!gz_cursor_word(&r->cursor, &word)) return fail_end(r, "a number");
        if (!gz_number_parse(word.text, word.size, &from[k])) return fail_word(r, word, "a number");
    }
    if (gz_mesh_append_vertex(r, from)) return GRAZE_OK;
    return gz_mesh_fail_vertex(r, r->cursor.line, from, "facet %" PRIu64, r->row);
}

/// Reads on from behind "facet".
static graze_status read_facet(gz_mesh_reader *r) {
    gz_word word;
    r->row++;
    // The normal is not used and often "nan", so its three words may be anything.
    if (!gz_cursor_word(&r->cursor, &word)) return fail_end(r, "normal");
    if (gz_word_is(word, "normal")) {
        for (int k = 0; k < 4; k++)
            if (!gz_cursor_word(&r->cursor, &word)) return fail_end(r, "outer loop");
    }
    if (!gz_word_is(word, "outer")) return fail_word(r, word, "outer loop");
    GZ_TRY(expect(r, "loop"));
    GZ_TRY(gz_mesh_reserve(r, 3, 1));

    uint32_t first = (uint32_t)r->soup->vertex_count;
    for (int corner = 0; corner < 3; corner++) GZ_TRY(read_vertex(r));
    GZ_TRY(expect(r, "endloop"));
    GZ_TRY(expect(r, "endfacet"));
    uint32_t *triangle = r->soup->triangles + 3 * r->soup->triangle_count++;
    for (uint32_t corner = 0; corner < 3; corner++) triangle[corner] = first + corner;
    return GRAZE_OK;
}

/// Skips what stands behind "solid" or "endsolid": a name, which may be of any words but those that
/// a facet cannot do without.
static graze_status skip_name(gz_mesh_reader *r) {
    gz_word word;
    while (gz_cursor_line_word(&r->cursor, &word))
        if (gz_word_is(word, "vertex") || gz_word_is(word, "endfacet"))
            return gz_mesh_fail(
                r, r->cursor.line, GRAZE_ERROR_PARSE,
                "'%.*s' in the line of a solid's name; allowed: the name, and facets "
                "in lines of their own",
                gz_word_shown(word), word.text);
    gz_cursor_skip_line(&r->cursor);
    return GRAZE_OK;
}

static graze_status read_ascii(gz_mesh_reader *r) {
    gz_word word;
    r->cursor = gz_cursor_begin(r->bytes, r->size);
    GZ_TRY(gz_mesh_check_returns(r));
    // Several solids in one file are one mesh.
    while (gz_cursor_word(&r->cursor, &word)) {
        if (!gz_word_is(word, "solid")) return fail_word(r, word, "solid");
        GZ_TRY(skip_name(r));
        for (;;) {
            if (!gz_cursor_word(&r->cursor, &word)) return fail_end(r, "facet or endsolid");
            if (gz_word_is(word, "endsolid")) break;
            if (!gz_word_is(word, "facet")) return fail_word(r, word, "facet or endsolid");
            GZ_TRY(read_facet(r));
        }
        GZ_TRY(skip_name(r));
    }
    return GRAZE_OK;
}

graze_status gz_stl_read(gz_mesh_reader *r) {
    gz_text_cursor cursor;
    bool ascii = !gz_stl_is_binary(r->bytes, r->size) && begin_ascii(r->bytes, r->size, &cursor);
    return ascii ? read_ascii(r) : read_binary(r);
}
