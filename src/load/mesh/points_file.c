#include "load/mesh/mesh_file.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "load/file.h"
#include "load/mesh/mesh_formats.h"
#include "load/mesh/mesh_input.h"
#include "load/token.h"

/// Columns beyond this one are counted, and never looked at.
enum { MOST_COLUMNS = 64 };

typedef struct reader {
    const gz_mesh_input *input;
    gz_soup *soup;
    graze_error *error;
    gz_text_cursor cursor;
    int column[3]; ///< where x, y and z stand
    int columns;   ///< how many the first line names; 0 without such a line
} reader;

static bool is_blank(char c) {
    return gz_text_blank(c) && c != '\n';
}

static bool is_separator(char c) {
    return c == ',' || c == ';' || is_blank(c);
}

/// The rest of the line without its comment and the blanks around it.
static gz_word take_text(const reader *r) {
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
static graze_status split_line(reader *r, gz_word fields[MOST_COLUMNS], int *count) {
    gz_word text = take_text(r);
    const char *at = text.text, *end = at + text.size;
    bool comma = memchr(at, ',', text.size), semicolon = memchr(at, ';', text.size);
    *count = 0;
    if (comma && semicolon)
        return gz_fail_at(r->error, GRAZE_ERROR_PARSE, gz_mesh_place(r->input, r->cursor.line),
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
static bool take_header(reader *r, const gz_word *words, int count) {
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
    for (int k = 0; k < 3; k++) r->column[k] = found[k];
    r->columns = count;
    return true;
}

static graze_status read_point(reader *r, const gz_word *words, int count) {
    gz_place place = gz_mesh_place(r->input, r->cursor.line);
    double from[3];
    if (r->columns && count != r->columns)
        return gz_fail_at(r->error, GRAZE_ERROR_PARSE, place,
                          "a line of %d fields; allowed: %d, as the first line names", count,
                          r->columns);
    for (int k = 0; k < 3; k++) {
        if (r->column[k] >= count)
            return gz_fail_at(r->error, GRAZE_ERROR_PARSE, place,
                              "a line of %d numbers; allowed: x, y and z in each", count);
        gz_word word = words[r->column[k]];
        if (!gz_number_parse(word.text, word.size, &from[k]))
            return gz_fail_at(r->error, GRAZE_ERROR_PARSE, place, "'%.*s'; allowed: a number",
                              gz_word_shown(word), word.text);
    }
    graze_status status = gz_mesh_reserve(r->input, r->soup, 1, 0, r->error);
    if (status) return status;
    if (!gz_mesh_scale(r->input, from, r->soup->vertices + 3 * r->soup->vertex_count))
        return gz_mesh_fail_range(r->input, r->cursor.line, "the point", from, r->error);
    r->soup->vertex_count++;
    return GRAZE_OK;
}

static graze_status read_text(const gz_mesh_input *input, gz_soup *soup, graze_error *error) {
    reader r = {.input = input,
                .soup = soup,
                .error = error,
                .cursor = {input->bytes, input->bytes + input->size, 1},
                .column = {0, 1, 2}};
    bool first = true;
    gz_word words[MOST_COLUMNS];
    graze_status status = gz_text_check_returns(input->bytes, input->size, input->path, error);
    for (; !status && r.cursor.at < r.cursor.end; gz_cursor_skip_line(&r.cursor)) {
        int count;
        status = split_line(&r, words, &count);
        if (status || !count) continue;
        bool header = first && take_header(&r, words, count);
        first = false;
        if (!header) status = read_point(&r, words, count);
    }
    return status;
}

graze_status gz_points_file_read(double **points, size_t *count, const char *path,
                                 const double scale[3], const graze_load_options *options,
                                 gz_mesh_budget *budget, gz_warnings *warnings,
                                 graze_error *error) {
    *points = NULL;
    *count = 0;
    gz_mesh_input input = {.path = path,
                           .points_only = true,
                           .options = options,
                           .budget = budget,
                           .warnings = warnings};
    for (int k = 0; k < 3; k++) input.scale[k] = scale ? scale[k] : 1;
    char *bytes;
    graze_status status = gz_file_read(path, options->limits.file_bytes, &bytes, &input.size,
                                       error);
    if (status) return status;
    input.bytes = bytes;
    gz_soup *soup = gz_soup_create();
    if (!soup)
        status = gz_fail_memory(error);
    else if (gz_ply_is(bytes, input.size))
        status = gz_ply_read(&input, soup, error);
    else
        status = read_text(&input, soup, error);
    gz_free(bytes);
    if (!status && !soup->vertex_count)
        status = gz_fail_at(error, GRAZE_ERROR_MESH, gz_mesh_place(&input, 0),
                            "the file has no point; allowed: at least 1");
    if (!status) {
        budget->memory_left -= gz_mesh_cost(soup->vertex_count, 0);
        *points = soup->vertices;
        *count = soup->vertex_count;
        soup->vertices = NULL;
    } else {
        gz_error_locate(error, gz_mesh_place(&input, 0));
    }
    gz_soup_free(soup);
    return status;
}
