// Comma-separated configurations: a header of joint names (and base_x ... base_yaw), then a row of
// numbers per configuration. Lines end with LF or CRLF; empty lines are skipped; a field may be
// in double quotes, in which two stand for one.
#include <string.h>

#include "cli/input/configuration.h"
#include "cli/message.h"
#include "cli/text.h"

#define LINE_LIMIT ((size_t)1 << 20)

/// Finds the next line, without its end; *length is SIZE_MAX at the end of the file. The line stays
/// in the buffer until the next call.
static graze_status next_line(gz_configuration_file *file, char **line, size_t *length,
                              graze_error *error) {
    gz_byte_source *source = &file->source;
    size_t searched = 0;
    const char *newline = NULL;
    for (;;) {
        size_t available = source->end - source->begin;
        if (available > searched) {
            newline = memchr(source->buffer + source->begin + searched, '\n', available - searched);
        }
        if (newline != NULL || source->at_end) break;
        searched = available;
        if (searched >= LINE_LIMIT) {
            return gz_error_set(error, GRAZE_ERROR_LIMIT, source->name, file->line, 0,
                                "a line of more than %zu bytes", LINE_LIMIT);
        }
        graze_status status = gz_byte_source_fill(source, searched + 1, error);
        if (status != GRAZE_OK) return status;
    }
    *line = source->buffer + source->begin;
    *length = newline != NULL ? (size_t)(newline - *line) : source->end - source->begin;
    if (newline == NULL && *length == 0) {
        *length = SIZE_MAX;
        return GRAZE_OK;
    }
    source->begin += *length + (newline != NULL ? 1 : 0);
    if (*length > 0 && (*line)[*length - 1] == '\r') (*length)--;
    if (memchr(*line, '\0', *length) != NULL) {
        return gz_error_set(error, GRAZE_ERROR_PARSE, source->name, file->line, 0,
                            "a NUL byte; allowed: text");
    }
    return GRAZE_OK;
}

/// Takes the rest of a field in quotes, in which two quotes stand for one: these are made one in
/// place. *at is behind the first quote.
static bool quoted_field(char *line, size_t length, size_t *at, const char **field,
                         size_t *field_length) {
    char *to = line + *at;
    *field = to;
    for (;; (*at)++) {
        if (*at >= length) return false;
        if (line[*at] == '"') {
            (*at)++;
            if (*at >= length || line[*at] != '"') break;
        }
        *to++ = line[*at];
    }
    *field_length = (size_t)(to - *field);
    while (*at < length && (line[*at] == ' ' || line[*at] == '\t')) (*at)++;
    return *at == length || line[*at] == ',';
}

/// Takes the field at *at; false when a quote does not end. *at is left on the comma or the end.
static bool next_field(char *line, size_t length, size_t *at, const char **field,
                       size_t *field_length) {
    size_t start = *at;
    while (start < length && (line[start] == ' ' || line[start] == '\t')) start++;
    if (start < length && line[start] == '"') {
        *at = start + 1;
        return quoted_field(line, length, at, field, field_length);
    }
    const char *comma = memchr(line + *at, ',', length - *at);
    *field = line + *at;
    *field_length = comma != NULL ? (size_t)(comma - *field) : length - *at;
    *at += *field_length;
    return true;
}

static graze_status fail_quote(const gz_configuration_file *file, size_t at, graze_error *error) {
    return gz_error_set(error, GRAZE_ERROR_PARSE, file->source.name, file->line, (int32_t)at + 1,
                        "a field in quotes must end with a quote and then a comma or the line");
}

graze_status gz_csv_open(gz_configuration_file *file, graze_error *error) {
    char *line = NULL;
    size_t length = 0;
    for (;; file->line++) {
        graze_status status = next_line(file, &line, &length, error);
        if (status != GRAZE_OK) return status;
        if (length == SIZE_MAX) {
            return gz_error_set(error, GRAZE_ERROR_PARSE, file->source.name, 0, 0,
                                "empty; allowed: a header of joint names, then numbers");
        }
        if (file->line == 1 && length >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0) {
            line += 3;
            length -= 3;
        }
        if (length > 0) break;
    }
    for (size_t at = 0;; at++) {
        const char *field = NULL;
        size_t field_length = 0, start = at;
        if (!next_field(line, length, &at, &field, &field_length)) {
            return fail_quote(file, start, error);
        }
        graze_status status = gz_columns_add(&file->columns, file->robot, field, field_length,
                                             error);
        if (status != GRAZE_OK) {
            // A wrong header is a wrong file, not wrong usage.
            if (status == GRAZE_ERROR_ARGUMENT) error->status = status = GRAZE_ERROR_SCHEMA;
            double number = 0;
            if (start == 0 && gz_decimal_parse(field, field_length, &number)) {
                return gz_error_set(error, status, file->source.name, file->line, 1,
                                    "numbers in the first line; allowed: a header of joint "
                                    "names, as 'graze info' lists them");
            }
            memcpy(error->file, file->source.name, strnlen(file->source.name, GRAZE_PATH_SIZE - 1));
            error->line = file->line;
            error->column = (int32_t)start + 1;
            return status;
        }
        if (at >= length) break;
    }
    file->line++;
    return GRAZE_OK;
}

static graze_status fail_count(const gz_configuration_file *file, size_t found,
                               graze_error *error) {
    return gz_error_set(error, GRAZE_ERROR_PARSE, file->source.name, file->line, 0,
                        "%s%zu field%s; allowed: %zu, as the header has",
                        found > file->columns.count ? "at least " : "", found,
                        found == 1 ? "" : "s", file->columns.count);
}

static graze_status parse_row(gz_configuration_file *file, char *line, size_t length,
                              graze_error *error) {
    size_t found = 0;
    for (size_t at = 0;; at++) {
        const char *field = NULL;
        size_t field_length = 0, start = at;
        if (!next_field(line, length, &at, &field, &field_length)) {
            return fail_quote(file, start, error);
        }
        if (found == file->columns.count) return fail_count(file, found + 1, error);
        if (!gz_decimal_parse(field, field_length, &file->row[found])) {
            int32_t place = file->columns.places[found];
            const char *name = place >= 0 ? graze_robot_q_name(file->robot, (size_t)place)
                                          : gz_base_name((size_t)(-1 - place));
            return gz_error_set(error, GRAZE_ERROR_PARSE, file->source.name, file->line,
                                (int32_t)start + 1, "'%.*s' is not a number (column %s)",
                                field_length < 80 ? (int)field_length : 80, field, name);
        }
        found++;
        if (at >= length) break;
    }
    return found == file->columns.count ? GRAZE_OK : fail_count(file, found, error);
}

graze_status gz_csv_read_row(gz_configuration_file *file, bool *end, graze_error *error) {
    char *line = NULL;
    size_t length = 0;
    for (;; file->line++) {
        graze_status status = next_line(file, &line, &length, error);
        if (status != GRAZE_OK) return status;
        *end = length == SIZE_MAX;
        if (*end) return GRAZE_OK;
        if (length > 0) break;
    }
    graze_status status = parse_row(file, line, length, error);
    file->line++;
    return status;
}
