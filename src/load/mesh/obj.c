#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "load/mesh/mesh_formats.h"
#include "load/mesh/mesh_input.h"
#include "load/token.h"

typedef struct reader {
    const gz_mesh_input *input;
    gz_soup *soup;
    graze_error *error;
    gz_text_cursor cursor;
    gz_polygons polygons;
    size_t face; ///< the one being read, from 1
} reader;

static graze_status fail(reader *r, graze_status status, const char *what, gz_word word,
                         const char *allowed) {
    return gz_fail_at(r->error, status, gz_mesh_place(r->input, r->cursor.line),
                      "%s '%.*s'; allowed: %s", what, gz_word_shown(word), word.text, allowed);
}

/// The next word of the statement: a backslash at the end of a line goes on in the next one.
static bool next_word(reader *r, gz_word *word) {
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

static graze_status read_vertex(reader *r) {
    double from[3];
    gz_word word;
    for (int k = 0; k < 3; k++) {
        if (!next_word(r, &word))
            return gz_fail_at(r->error, GRAZE_ERROR_PARSE, gz_mesh_place(r->input, r->cursor.line),
                              "a vertex of %d numbers; allowed: at least 3", k);
        if (!gz_number_parse(word.text, word.size, &from[k]))
            return fail(r, GRAZE_ERROR_PARSE, "vertex coordinate", word, "a number");
    }
    // A weight or a colour may follow; neither moves the corner of a polygon.
    gz_soup *soup = r->soup;
    graze_status status = gz_mesh_reserve(r->input, soup, 1, 0, r->error);
    if (status) return status;
    if (!gz_mesh_scale(r->input, from, soup->vertices + 3 * soup->vertex_count)) {
        char what[48];
        snprintf(what, sizeof what, "vertex %zu", soup->vertex_count + 1);
        return gz_mesh_fail_range(r->input, r->cursor.line, what, from, r->error);
    }
    soup->vertex_count++;
    return GRAZE_OK;
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

static graze_status read_face(reader *r) {
    size_t count = 0;
    gz_word word;
    r->face++;
    while (next_word(r, &word)) {
        int64_t index, known = (int64_t)r->soup->vertex_count;
        if (!parse_index(word, &index))
            return fail(r, GRAZE_ERROR_PARSE, "face corner", word,
                        "v, v/vt, v//vn or v/vt/vn, whole numbers");
        if (index == 0 || index > known || index < -known)
            return gz_fail_at(r->error, GRAZE_ERROR_MESH, gz_mesh_place(r->input, r->cursor.line),
                              "vertex index %" PRId64 " in face %zu; allowed: 1 to %" PRId64
                              ", or -1 to -%" PRId64 ", the vertices above this line",
                              index, r->face, known, known);
        if (!gz_polygons_reserve(&r->polygons, count + 1)) return gz_fail_memory(r->error);
        r->polygons.corners[count++] = (uint32_t)(index > 0 ? index - 1 : known + index);
    }
    return gz_polygon_append(&r->polygons, count, r->input, r->soup, r->error);
}

static bool is_one_of(gz_word word, const char *const *keywords) {
    for (; *keywords; keywords++)
        if (strlen(*keywords) == word.size && !memcmp(*keywords, word.text, word.size)) return true;
    return false;
}

/// Statements that hold no polygon.
static const char *const ignored[] = {
    "vt",     "vn",  "g",     "s",        "o",        "mg",         "usemtl",    "mtllib", "usemap",
    "maplib", "lod", "bevel", "c_interp", "d_interp", "shadow_obj", "trace_obj", NULL};
/// Statements whose geometry would be left out.
static const char *const refused[] = {"vp",   "cstype", "deg",   "bmat", "step", "curv", "curv2",
                                      "surf", "parm",   "trim",  "hole", "scrv", "sp",   "end",
                                      "con",  "ctech",  "stech", "bzp",  "bsp",  "cdc",  "cdp",
                                      "res",  "call",   "csh",   NULL};

static graze_status read_statement(reader *r) {
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
    if (is_one_of(word, ignored)) return GRAZE_OK;
    if (is_one_of(word, refused))
        return fail(r, GRAZE_ERROR_UNSUPPORTED, "statement", word,
                    "polygons only; curves, surfaces and calls are not read");
    return fail(r, GRAZE_ERROR_PARSE, "statement", word, "v, f and the other words of OBJ");
}

graze_status gz_obj_read(const gz_mesh_input *input, gz_soup *soup, graze_error *error) {
    reader r = {.input = input,
                .soup = soup,
                .error = error,
                .cursor = {input->bytes, input->bytes + input->size, 1}};
    if (input->size >= 3 && memcmp(input->bytes, "\xef\xbb\xbf", 3) == 0) r.cursor.at += 3;
    // Read as a blank, it would hide a vertex and shift the indices of all behind it.
    graze_status status = gz_text_check_returns(input->bytes, input->size, input->path, error);
    while (!status && r.cursor.at < r.cursor.end) {
        status = read_statement(&r);
        // What is left of the line, and of the lines that it goes on in, does not count.
        gz_word word;
        while (!status && next_word(&r, &word)) {
        }
        if (!status) gz_cursor_skip_line(&r.cursor);
    }
    if (status)
        gz_polygons_free(&r.polygons);
    else
        gz_polygons_end(&r.polygons, input, soup);
    return status;
}
