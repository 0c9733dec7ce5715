#include <inttypes.h>
#include <string.h>

#include "load/mesh/mesh_reader.h"
#include "load/token.h"

static graze_status fail(const gz_mesh_reader *r, graze_status status, const char *what,
                         gz_word word, const char *allowed) {
    return gz_mesh_fail(r, r->cursor.line, status, "%s '%.*s'; allowed: %s", what,
                        gz_word_shown(word), word.text, allowed);
}

/// The next word of the statement: a backslash at the end of a line goes on in the next one.
static bool next_word(gz_mesh_reader *r, gz_word *word) {
    for (;;) {
        if (!gz_cursor_line_word(&r->cursor, word)) return false;
        if (word->text[0] == '#') {
            while (r->cursor.at < r->cursor.end && *r->cursor.at != '\n') r->cursor.at++;
            return false;
        }
        if (!(word->size == 1 && word->text[0] == '\\')) return true;
        gz_cursor_skip_line(&r->cursor);
    }
}

static graze_status read_vertex(gz_mesh_reader *r) {
    double from[3];
    gz_word word;
    for (int k = 0; k < 3; k++) {
        if (!next_word(r, &word))
            return gz_mesh_fail(r, r->cursor.line, GRAZE_ERROR_PARSE,
                                "a vertex of %d numbers; allowed: at least 3", k);
        if (!gz_number_parse(word.text, word.size, &from[k]))
            return fail(r, GRAZE_ERROR_PARSE, "vertex coordinate", word, "a number");
    }
    // A weight or a colour may follow; neither moves the corner of a polygon.
    GZ_TRY(gz_mesh_reserve(r, 1, 0));
    if (gz_mesh_append_vertex(r, from)) return GRAZE_OK;
    return gz_mesh_fail_vertex(r, r->cursor.line, from, "vertex %zu", r->soup->vertex_count + 1);
}

/// Reads the vertex index at the head of "7", "7/1", "7//3" or "-1/2/3": from 1 upwards, or from
/// the latest vertex, -1, downwards. False when it is no such thing.
static bool parse_index(gz_word word, int64_t *index) {
    size_t i = 0;
    bool negative = word.size > 1 && word.text[0] == '-';
    if (negative) i++;
    int64_t value = 0;
    size_t first = i;
    for (; i < word.size && word.text[i] >= '0' && word.text[i] <= '9'; i++) {
        if (i - first >= 18) return false;
        value = 10 * value + (word.text[i] - '0');
    }
    if (i == first || (i < word.size && word.text[i] != '/')) return false;
    *index = negative ? -value : value;
    for (; i < word.size; i++)
        if (!strchr("/-0123456789", word.text[i])) return false;
    return true;
}

static graze_status read_face(gz_mesh_reader *r) {
    size_t count = 0;
    gz_word word;
    r->row++;
    while (next_word(r, &word)) {
        int64_t index, known = (int64_t)r->soup->vertex_count;
        if (!parse_index(word, &index))
            return fail(r, GRAZE_ERROR_PARSE, "face corner", word,
                        "v, v/vt, v//vn or v/vt/vn, whole numbers");
        if (known == 0)
            return gz_mesh_fail(r, r->cursor.line, GRAZE_ERROR_MESH,
                                "vertex index %" PRId64 " in face %" PRIu64
                                ", and no vertex stands above this line; allowed: vertices first",
                                index, r->row);
        if (index == 0 || index > known || index < -known)
            return gz_mesh_fail(r, r->cursor.line, GRAZE_ERROR_MESH,
                                "vertex index %" PRId64 " in face %" PRIu64
                                "; allowed: 1 to %" PRId64 ", or -1 to -%" PRId64
                                ", the vertices above this line",
                                index, r->row, known, known);
        GZ_TRY(gz_polygon_reserve(r, count + 1));
        r->polygons.corners[count++] = (uint32_t)(index > 0 ? index - 1 : known + index);
    }
    return gz_polygon_append(r, count);
}

/// Statements that hold no polygon.
static const char ignored[] = "vt vn g s o mg usemtl mtllib usemap maplib lod bevel c_interp "
                              "d_interp shadow_obj trace_obj";
/// Statements whose geometry would be left out.
static const char refused[] =
    "vp cstype deg bmat step curv curv2 surf parm trim hole scrv sp end con "
    "ctech stech bzp bsp cdc cdp res call csh";

/// Whether a line in front of all vertices holds numbers alone: how many vertices and faces there
/// are, as some exporters write it. It is read to its end.
static bool is_counts(gz_mesh_reader *r, gz_word word) {
    double number;
    if (r->soup->vertex_count || !gz_number_parse(word.text, word.size, &number)) return false;
    gz_text_cursor start = r->cursor;
    while (next_word(r, &word))
        if (!gz_number_parse(word.text, word.size, &number)) {
            r->cursor = start;
            return false;
        }
    return true;
}

static graze_status read_statement(gz_mesh_reader *r) {
    gz_word word;
    if (!next_word(r, &word)) return GRAZE_OK;
    if (word.size == 1) {
        switch (word.text[0]) {
        case 'v':
            return read_vertex(r);
        case 'f':
            return read_face(r);
        case 'l':
        case 'p':
            r->polygons.skipped++;
            return GRAZE_OK;
        }
    }
    if (gz_is_listed(ignored, word.text, word.size)) return GRAZE_OK;
    if (gz_is_listed("fo", word.text, word.size)) return read_face(r); // as f was once written
    if (is_counts(r, word)) {
        gz_warn(r->warnings, "obj-counts", gz_mesh_place(r, r->cursor.line),
                "numbers in front of the first vertex: left out");
        return GRAZE_OK;
    }
    if (gz_is_listed(refused, word.text, word.size))
        return fail(r, GRAZE_ERROR_UNSUPPORTED, "statement", word,
                    "polygons only; curves, surfaces and calls are not read");
    return fail(r, GRAZE_ERROR_PARSE, "statement", word, "v, f and the other words of OBJ");
}

/// Makes room for as many vertices as lines begin with one, and triangles as with a face: arrays
/// that grow step by step leave their old places behind as holes in the heap. Those of small files
/// are not worth a second look at every line.
static graze_status reserve_lines(gz_mesh_reader *r) {
    enum { SMALL = 1 << 17 }; // bytes
    if (r->size < SMALL) return GRAZE_OK;
    size_t vertices = 0, faces = 0;
    const char *at = r->bytes, *end = r->bytes + r->size;
    while (at && end - at > 2) {
        if (at[0] == 'v') vertices += at[1] == ' ';
        if (at[0] == 'f') faces += at[1] == ' ';
        at = memchr(at, '\n', (size_t)(end - at));
        if (at) at++;
    }
    return gz_mesh_reserve(r, vertices, faces);
}

/// A carriage return alone ends a line, as assimp and tinyobjloader have it (trimesh reads it as a
/// blank): as a blank it would hide a vertex and shift the indices of all behind it.
static void end_lines(gz_mesh_reader *r) {
    size_t count = 0;
    for (const char *at = r->bytes; (at = gz_mesh_lone_return(r, at)); at++, count++)
        *(char *)(uintptr_t)at = '\n'; // the bytes are the reader's own
    if (count)
        gz_warn(r->warnings, "obj-returns", gz_mesh_place(r, 0),
                "%zu lines end with a carriage return alone; other programs read these as blanks",
                count);
}

graze_status gz_obj_read(gz_mesh_reader *r) {
    r->cursor = gz_cursor_begin(r->bytes, r->size);
    end_lines(r);
    GZ_TRY(reserve_lines(r));
    while (r->cursor.at < r->cursor.end) {
        GZ_TRY(read_statement(r));
        // What is left of the line, and of the lines that it goes on in, does not count.
        gz_word word;
        while (next_word(r, &word)) {
        }
        gz_cursor_skip_line(&r->cursor);
    }
    return GRAZE_OK;
}
