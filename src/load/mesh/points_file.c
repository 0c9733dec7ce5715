#include "load/mesh/mesh_file.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "load/file.h"
#include "load/mesh/mesh_reader.h"
#include "load/token.h"

/// Columns beyond this one are counted, and never looked at.
enum { MOST_COLUMNS = 64 };

/// What the first line says, if it names columns.
typedef struct header {
    int column[3]; ///< where x, y and z stand
    int columns;   ///< how many there are; 0 without such a line
} header;

static bool is_blank(char c) {
    return gz_text_blank(c) && c != '\n';
}

static bool is_separator(char c) {
    return c == ',' || c == ';' || is_blank(c);
}

/// The rest of the line without its comment and the blanks around it.
static gz_word take_text(const gz_mesh_reader *r) {
    const char *start = r->cursor.at, *end = start;
    for (; end < r->cursor.end && *end != '\n' && *end != '#'; end++)
        if (r->cursor.end - end >= 2 && end[0] == '/' && end[1] == '/' &&
            (end == start || is_separator(end[-1])))
            break;
    while (end > start && is_blank(end[-1])) end--;
    while (start < end && is_blank(*start)) start++;
    return (gz_word){start, (size_t)(end - start)};
}

/// The fields of the rest of the line: between commas or semicolons, where there are some, and an
/// empty one counts, so that no column moves into the place of another; else between blanks. Both
/// in a line are what a decimal comma makes, and never guessed at.
static graze_status split_line(gz_mesh_reader *r, gz_word fields[MOST_COLUMNS], int *count) {
    gz_word text = take_text(r);
    const char *at = text.text, *end = at + text.size;
    bool comma = memchr(at, ',', text.size), semicolon = memchr(at, ';', text.size);
    *count = 0;
    if (comma && semicolon)
        return gz_mesh_fail(
            r, r->cursor.line, GRAZE_ERROR_PARSE,
            "commas and semicolons in one line; allowed: decimal points, and either "
            "between the numbers");
    char mark = comma ? ',' : ';';
    bool marked = comma || semicolon;
    while (marked ? at <= end : at < end) {
        while (at < end && is_blank(*at)) at++;
        const char *start = at;
        while (at < end && (marked ? *at != mark : !is_blank(*at))) at++;
        const char *stop = at;
        while (stop > start && is_blank(stop[-1])) stop--;
        if (*count < MOST_COLUMNS) fields[*count] = (gz_word){start, (size_t)(stop - start)};
        if (*count < INT32_MAX) ++*count;
        if (marked) at++; // behind the mark, or behind the end
    }
    return GRAZE_OK;
}

/// A first line of names: finds x, y and z among them. False when it is no such line.
static bool take_header(header *h, const gz_word *words, int count) {
    int found[3] = {-1, -1, -1};
    static const char *const names[3] = {"x", "y", "z"};
    for (int i = 0; i < count && i < MOST_COLUMNS; i++) {
        gz_word word = words[i];
        if (word.size >= 2 && word.text[0] == '"' && word.text[word.size - 1] == '"')
            word = (gz_word){word.text + 1, word.size - 2};
        for (int k = 0; k < 3; k++)
            if (found[k] < 0 && gz_word_is(word, names[k])) found[k] = i;
    }
    for (int k = 0; k < 3; k++)
        if (found[k] < 0) return false;
    for (int k = 0; k < 3; k++) h->column[k] = found[k];
    h->columns = count;
    return true;
}

static graze_status read_point(gz_mesh_reader *r, const header *h, const gz_word *words,
                               int count) {
    const int32_t line = r->cursor.line;
    double from[3];
    if (h->columns && count != h->columns)
        return gz_mesh_fail(r, line, GRAZE_ERROR_PARSE,
                            "a line of %d fields; allowed: %d, as the first line names", count,
                            h->columns);
    for (int k = 0; k < 3; k++) {
        if (h->column[k] >= count)
            return gz_mesh_fail(r, line, GRAZE_ERROR_PARSE,
                                "a line of %d numbers; allowed: x, y and z in each", count);
        gz_word word = words[h->column[k]];
        if (!gz_number_parse(word.text, word.size, &from[k]))
            return gz_mesh_fail(r, line, GRAZE_ERROR_PARSE, "'%.*s'; allowed: a number",
                                gz_word_shown(word), word.text);
    }
    GZ_TRY(gz_mesh_reserve(r, 1, 0));
    if (gz_mesh_append_vertex(r, from)) return GRAZE_OK;
    return gz_mesh_fail_vertex(r, line, from, "the point");
}

static graze_status read_text(gz_mesh_reader *r) {
    header h = {.column = {0, 1, 2}};
    bool first = true;
    gz_word words[MOST_COLUMNS];
    r->cursor = (gz_text_cursor){r->bytes, r->bytes + r->size, 1};
    GZ_TRY(gz_mesh_check_returns(r));
    for (; r->cursor.at < r->cursor.end; gz_cursor_skip_line(&r->cursor)) {
        int count;
        GZ_TRY(split_line(r, words, &count));
        if (!count) continue;
        bool is_header = first && take_header(&h, words, count);
        first = false;
        if (!is_header) GZ_TRY(read_point(r, &h, words, count));
    }
    return GRAZE_OK;
}

static graze_status read_points(gz_mesh_reader *r) {
    r->secret &= !gz_ply_is(r->bytes, r->size) && !gz_pcd_is(r->bytes, r->size);
    GZ_TRY(gz_ply_is(r->bytes, r->size)   ? gz_ply_read(r)
           : gz_pcd_is(r->bytes, r->size) ? gz_pcd_read(r)
                                          : read_text(r));
    if (r->soup->vertex_count) return GRAZE_OK;
    return gz_mesh_fail(r, 0, GRAZE_ERROR_MESH, "the file has no point; allowed: at least 1");
}

graze_status gz_points_file_read(double **points, size_t *count, const char *path,
                                 const double scale[3], const graze_load_options *options,
                                 gz_mesh_budget *budget, gz_warnings *warnings,
                                 graze_error *error) {
    *points = NULL;
    *count = 0;
    gz_mesh_reader r = {.path = path,
                        .points_only = true,
                        .options = options,
                        .budget = budget,
                        .warnings = warnings,
                        .error = error};
    for (int k = 0; k < 3; k++) r.scale[k] = scale ? scale[k] : 1;
    GZ_TRY(gz_mesh_read_file(&r, read_points));
    *points = r.soup->vertices;
    *count = r.soup->vertex_count;
    r.soup->vertices = NULL;
    gz_soup_free(r.soup);
    return GRAZE_OK;
}
