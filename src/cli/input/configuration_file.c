#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/input/configuration.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/text.h"

#define BLOCK_SIZE ((size_t)1 << 18)

static graze_status interrupted(graze_error *error) {
    return gz_fail(error, GRAZE_ERROR_CANCELLED, "interrupted");
}

// --------------------------------------------------------------------------------------- bytes

graze_status gz_byte_source_open(gz_byte_source *source, const char *path, graze_error *error) {
    *source = (gz_byte_source){.name = path};
    if (strcmp(path, "-") == 0) {
        source->name = "<stdin>";
        source->fd = STDIN_FILENO;
    } else {
        // A pipe is waited for until its other end is opened.
        do source->fd = open(path, O_RDONLY | O_CLOEXEC);
        while (source->fd < 0 && errno == EINTR && !gz_interrupted());
    }
    if (source->fd < 0 && gz_interrupted()) return interrupted(error);
    struct stat file;
    if (source->fd < 0 || fstat(source->fd, &file) != 0) {
        int problem = errno;
        return gz_fail_at(error, problem == ENOENT ? GRAZE_ERROR_NOT_FOUND : GRAZE_ERROR_IO,
                          (gz_place){.file = source->name}, "cannot be opened: %s",
                          strerror(problem));
    }
    if (S_ISDIR(file.st_mode))
        return gz_fail_at(error, GRAZE_ERROR_IO, (gz_place){.file = source->name},
                          "is a folder; allowed: a file of configurations");
    source->regular = S_ISREG(file.st_mode);
    source->can_wait = !source->regular;
    source->size = source->regular ? (uint64_t)file.st_size : 0;
    return GRAZE_OK;
}

/// Reads one block behind what is there.
static graze_status source_read(gz_byte_source *source, graze_error *error) {
    for (;;) {
        ssize_t got = read(source->fd, source->buffer + source->end,
                           source->capacity - source->end);
        if (got > 0) {
            source->end += (size_t)got;
            source->taken += (uint64_t)got;
            return GRAZE_OK;
        }
        if (got == 0) {
            source->at_end = true;
            return GRAZE_OK;
        }
        if (errno != EINTR)
            return gz_fail_at(error, GRAZE_ERROR_IO, (gz_place){.file = source->name},
                              "cannot be read: %s", strerror(errno));
        if (gz_interrupted()) return interrupted(error);
    }
}

graze_status gz_byte_source_fill(gz_byte_source *source, size_t wanted, graze_error *error) {
    if (source->end - source->begin >= wanted || source->at_end) return GRAZE_OK;
    // What is left moves to the front, so that the buffer need not grow with the file.
    if (source->end > source->begin && source->begin > 0)
        memmove(source->buffer, source->buffer + source->begin, source->end - source->begin);
    source->end -= source->begin;
    source->begin = 0;
    size_t needed = wanted > BLOCK_SIZE ? wanted : BLOCK_SIZE;
    if (!gz_array_reserve((void **)&source->buffer, &source->capacity, needed, 1))
        return gz_fail_memory(error);
    while (source->end < wanted && !source->at_end) GZ_TRY(source_read(source, error));
    return GRAZE_OK;
}

bool gz_byte_source_would_wait(const gz_byte_source *source) {
    if (!source->can_wait || source->at_end) return false;
    struct pollfd request = {.fd = source->fd, .events = POLLIN};
    return poll(&request, 1, 0) == 0;
}

// ---------------------------------------------------------------------------------------- file

static graze_status open_file(gz_configuration_file *file, const char *path, const char *joints,
                              graze_error *error) {
    GZ_TRY(gz_byte_source_open(&file->source, path, error));
    GZ_TRY(gz_byte_source_fill(&file->source, 6, error));
    const gz_byte_source *source = &file->source;
    bool magic = source->end - source->begin >= 6 &&
                 memcmp(source->buffer + source->begin, "\x93NUMPY", 6) == 0;
    file->is_npy = magic || gz_text_ends_with(path, ".npy");
    if (!file->is_npy && joints != NULL)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "--joints is for .npy files; the header of %s names its columns",
                       source->name);
    GZ_TRY(file->is_npy ? gz_npy_open(file, joints, error) : gz_csv_open(file, error));
    file->row = gz_malloc(file->columns.count, sizeof *file->row);
    return file->row != NULL ? GRAZE_OK : gz_fail_memory(error);
}

graze_status gz_configuration_file_open(gz_configuration_file *file, const char *path,
                                        const graze_robot *robot, const char *joints,
                                        const gz_posture *rest, graze_error *error) {
    *file = (gz_configuration_file){.robot = robot, .rest = rest};
    return open_file(file, path, joints, error);
}

graze_status gz_configuration_file_open_timed(gz_configuration_file *file, const char *path,
                                              const graze_robot *robot, const char *joints,
                                              const gz_posture *rest, graze_error *error) {
    *file = (gz_configuration_file){.robot = robot, .rest = rest, .columns.timed = true};
    return open_file(file, path, joints, error);
}

double gz_configuration_file_time(const gz_configuration_file *file) {
    size_t column = gz_columns_find(&file->columns, GZ_TIME_PLACE);
    return column < SIZE_MAX ? file->row[column] : (double)NAN;
}

void gz_configuration_file_derivatives(const gz_configuration_file *file, int order, double *q,
                                       double *base) {
    memset(q, 0, file->rest->size * sizeof *q);
    memset(base, 0, GZ_BASE_SIZE * sizeof *base);
    gz_columns_scatter(&file->columns, file->row, order, q, base);
}

/// Whether the next row must be waited for. Half a row in the buffer says nothing: then it is.
static bool row_would_wait(const gz_configuration_file *file) {
    const gz_byte_source *source = &file->source;
    size_t available = source->end - source->begin;
    if (file->is_npy) {
        if (available >= file->columns.count * file->item_size) return false;
    } else if (available > 0 && memchr(source->buffer + source->begin, '\n', available) != NULL) {
        return false;
    }
    return gz_byte_source_would_wait(source);
}

graze_status gz_configuration_file_read(gz_configuration_file *file, size_t rows, double *q,
                                        double *base, size_t *count, graze_error *error) {
    const gz_posture *rest = file->rest;
    *count = 0;
    while (*count < rows) {
        // Whoever writes the other end of a pipe may be waiting for these answers.
        if (*count > 0 && row_would_wait(file)) return GRAZE_OK;
        bool end = false;
        graze_status status = file->is_npy ? gz_npy_read_row(file, &end, error)
                                           : gz_csv_read_row(file, &end, error);
        if (status != GRAZE_OK || end) return status;
        double *q_row = q + *count * rest->size, *base_row = base + *count * GZ_BASE_SIZE;
        if (rest->size > 0) memcpy(q_row, rest->q, rest->size * sizeof *q_row);
        memcpy(base_row, rest->base, sizeof rest->base);
        gz_columns_scatter(&file->columns, file->row, 0, q_row, base_row);
        file->rows_read++;
        (*count)++;
    }
    return GRAZE_OK;
}

double gz_configuration_file_fraction(const gz_configuration_file *file) {
    const gz_byte_source *source = &file->source;
    if (file->is_npy)
        return file->row_count > 0 ? (double)file->rows_read / (double)file->row_count : 1;
    if (!source->regular || source->size == 0) return -1;
    uint64_t used = source->taken - (uint64_t)(source->end - source->begin);
    return (double)used / (double)source->size;
}

void gz_configuration_file_close(gz_configuration_file *file) {
    if (file->source.fd > STDIN_FILENO) close(file->source.fd);
    gz_free(file->source.buffer);
    gz_columns_free(&file->columns);
    gz_free(file->row);
    *file = (gz_configuration_file){.source = {.fd = -1}};
}

// --------------------------------------------------------------------------------------------- CSV
//
// Comma-separated configurations: a header of joint names (and base_x ... base_yaw), then a row of
// numbers per configuration. Lines end with LF or CRLF; empty lines are skipped; a field may be
// in double quotes, in which two stand for one.

#define LINE_LIMIT ((size_t)1 << 20)

static gz_place place_of(const gz_configuration_file *file, size_t column) {
    return (gz_place){file->source.name, NULL, file->line, (int32_t)column};
}

/// Finds the next line, without its end, the first one also without a byte order mark; *length is
/// SIZE_MAX at the end of the file. The line stays in the buffer until the next call.
static graze_status next_line(gz_configuration_file *file, char **line, size_t *length,
                              graze_error *error) {
    gz_byte_source *source = &file->source;
    size_t searched = 0;
    const char *newline = NULL;
    file->line++;
    for (;;) {
        size_t available = source->end - source->begin;
        if (available > searched)
            newline = memchr(source->buffer + source->begin + searched, '\n', available - searched);
        if (newline != NULL || source->at_end) break;
        searched = available;
        if (searched >= LINE_LIMIT)
            return gz_fail_at(error, GRAZE_ERROR_LIMIT, place_of(file, 0),
                              "a line of more than %zu bytes", LINE_LIMIT);
        GZ_TRY(gz_byte_source_fill(source, searched + 1, error));
    }
    *line = source->buffer + source->begin;
    *length = newline != NULL ? (size_t)(newline - *line) : source->end - source->begin;
    if (newline == NULL && *length == 0) {
        *length = SIZE_MAX;
        return GRAZE_OK;
    }
    source->begin += *length + (newline != NULL ? 1 : 0);
    if (*length > 0 && (*line)[*length - 1] == '\r') (*length)--;
    if (memchr(*line, '\0', *length) != NULL)
        return gz_fail_at(error, GRAZE_ERROR_PARSE, place_of(file, 0), "a NUL byte; allowed: text");
    if (file->line == 1 && *length >= 3 && memcmp(*line, "\xef\xbb\xbf", 3) == 0) {
        *line += 3;
        *length -= 3;
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
    return gz_fail_at(error, GRAZE_ERROR_PARSE, place_of(file, at + 1),
                      "a field in quotes must end with a quote and then a comma or the line");
}

graze_status gz_csv_open(gz_configuration_file *file, graze_error *error) {
    char *line = NULL;
    size_t length = 0;
    while (length == 0) GZ_TRY(next_line(file, &line, &length, error));
    if (length == SIZE_MAX)
        return gz_fail_at(error, GRAZE_ERROR_PARSE, (gz_place){.file = file->source.name},
                          "empty; allowed: a header of joint names, then numbers");
    for (size_t at = 0;; at++) {
        const char *field = NULL;
        size_t field_length = 0, start = at;
        if (!next_field(line, length, &at, &field, &field_length))
            return fail_quote(file, start, error);
        graze_status status = gz_columns_add(&file->columns, file->robot, field, field_length,
                                             error);
        if (status != GRAZE_OK) {
            // A wrong header is a wrong file, not wrong usage.
            if (status == GRAZE_ERROR_ARGUMENT) error->status = status = GRAZE_ERROR_SCHEMA;
            double number = 0;
            if (start == 0 && gz_decimal_parse(field, field_length, &number))
                return gz_fail_at(error, status, place_of(file, 1),
                                  "numbers in the first line; allowed: a header of joint "
                                  "names, as 'graze info' lists them");
            gz_error_locate(error, place_of(file, start + 1));
            return status;
        }
        if (at >= length) return GRAZE_OK;
    }
}

static graze_status fail_count(const gz_configuration_file *file, size_t found,
                               graze_error *error) {
    return gz_fail_at(error, GRAZE_ERROR_PARSE, place_of(file, 0),
                      "%s%zu field%s; allowed: %zu, as the header has",
                      found > file->columns.count ? "at least " : "", found, found == 1 ? "" : "s",
                      file->columns.count);
}

static graze_status parse_row(gz_configuration_file *file, char *line, size_t length,
                              graze_error *error) {
    size_t found = 0;
    for (size_t at = 0;; at++) {
        const char *field = NULL;
        size_t field_length = 0, start = at;
        if (!next_field(line, length, &at, &field, &field_length))
            return fail_quote(file, start, error);
        if (found == file->columns.count) return fail_count(file, found + 1, error);
        if (!gz_decimal_parse(field, field_length, &file->row[found])) {
            int32_t place = file->columns.places[found], order = gz_place_order(place);
            return gz_fail_at(error, GRAZE_ERROR_PARSE, place_of(file, start + 1),
                              "'%.*s' is not a number (column %s%s)",
                              field_length < 80 ? (int)field_length : 80, field,
                              gz_place_name(file->robot, place - order * GZ_ORDER_PLACES),
                              gz_order_names[order]);
        }
        found++;
        if (at >= length) break;
    }
    return found == file->columns.count ? GRAZE_OK : fail_count(file, found, error);
}

graze_status gz_csv_read_row(gz_configuration_file *file, bool *end, graze_error *error) {
    char *line = NULL;
    size_t length = 0;
    while (length == 0) GZ_TRY(next_line(file, &line, &length, error));
    *end = length == SIZE_MAX;
    return *end ? GRAZE_OK : parse_row(file, line, length, error);
}
