#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/field_table.h"
#include "base/memory.h"
#include "graze/base.h"

/// Names from hostile files must not break the promise of one line, or a terminal.
static void make_printable(char *text) {
    for (unsigned char *p = (unsigned char *)text; *p; p++)
        if (*p < 0x20 || *p == 0x7f) *p = '?';
}

static void copy_text(char *out, size_t size, const char *text) {
    snprintf(out, size, "%s", text ? text : "");
    make_printable(out);
}

graze_status gz_fail_at(graze_error *error, graze_status status, gz_place place, const char *format,
                        ...) {
    if (!error) return status;
    error->status = status;
    error->line = place.line;
    error->column = place.column;
    copy_text(error->file, sizeof error->file, place.file);
    copy_text(error->element, sizeof error->element, place.element);
    va_list args;
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    make_printable(error->message);
    return status;
}

graze_status gz_fail_memory(graze_error *error) {
    const uint64_t limit = gz_memory_refused_by();
    if (limit)
        return gz_fail(error, GRAZE_ERROR_LIMIT,
                       "more memory than %llu bytes is needed; allowed: what memory_bytes leaves "
                       "to one load",
                       (unsigned long long)limit);
    return gz_fail(error, GRAZE_ERROR_NO_MEMORY, "out of memory");
}

void gz_error_locate(graze_error *error, gz_place place) {
    if (!error) return;
    if (!error->file[0]) copy_text(error->file, sizeof error->file, place.file);
    if (!error->element[0]) copy_text(error->element, sizeof error->element, place.element);
    if (!error->line) {
        error->line = place.line;
        error->column = place.column;
    }
}

void gz_error_clear(graze_error *error) {
    if (!error) return;
    // Not all of its three kilobytes: checks of a microsecond clear their error, too.
    error->status = GRAZE_OK;
    error->line = error->column = 0;
    error->message[0] = error->file[0] = error->element[0] = '\0';
}

static bool same_text(const char *a, const char *b) {
    return strcmp(a ? a : "", b ? b : "") == 0;
}

/// Finding a warning's like among the earlier ones takes time in their number: what a hostile file
/// is warned of must not make that quadratic. Beyond so many, one entry counts what is left out.
enum { MOST_WARNINGS = 500 };

/// Appends a copy.
static void append_warning(gz_warnings *warnings, const graze_warning *w) {
    if (!GZ_RESERVE(warnings->items, warnings->capacity, warnings->count + 1)) {
        warnings->out_of_memory = true;
    } else if (!gz_type_copy(&gz_type_warning, &warnings->items[warnings->count], w)) {
        gz_type_clear(&gz_type_warning, &warnings->items[warnings->count]);
        warnings->out_of_memory = true;
    } else {
        warnings->count++;
    }
}

/// The entry that one more warning counts for; NULL: none yet.
static graze_warning *find_warning(const gz_warnings *warnings, const char *code,
                                   const char *message, const char *file) {
    if (warnings->count >= MOST_WARNINGS) {
        graze_warning *last = &warnings->items[warnings->count - 1];
        return same_text(last->code, code) ? last : NULL;
    }
    for (size_t i = 0; i < warnings->count; i++) {
        graze_warning *w = &warnings->items[i];
        if (same_text(w->code, code) && same_text(w->message, message) && same_text(w->file, file))
            return w;
    }
    return NULL;
}

void gz_warn(gz_warnings *warnings, const char *code, gz_place place, const char *format, ...) {
    char message[GRAZE_MESSAGE_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    make_printable(message);
    if (warnings->count >= MOST_WARNINGS) {
        code = "more-warnings";
        snprintf(message, sizeof message, "further warnings, not listed one by one");
    }
    const graze_warning one = {.code = code,
                               .message = message,
                               .file = place.file ? place.file : "",
                               .element = place.element ? place.element : "",
                               .line = place.line,
                               .column = place.column,
                               .count = 1};
    graze_warning *same = find_warning(warnings, code, message, place.file);
    if (same)
        same->count++;
    else
        append_warning(warnings, &one);
}

void gz_warnings_free(gz_warnings *warnings) {
    for (size_t i = 0; i < warnings->count; i++)
        gz_type_clear(&gz_type_warning, &warnings->items[i]);
    gz_free(warnings->items);
    *warnings = (gz_warnings){0};
}

void gz_warnings_move(gz_warnings *target, gz_warnings *source) {
    target->out_of_memory |= source->out_of_memory;
    if (source->count &&
        !GZ_RESERVE(target->items, target->capacity, target->count + source->count)) {
        target->out_of_memory = true;
        gz_warnings_free(source);
        return;
    }
    for (size_t i = 0; i < source->count; i++) target->items[target->count++] = source->items[i];
    gz_free(source->items);
    *source = (gz_warnings){0};
}

const char *graze_status_name(graze_status status) {
    static const char *const names[] = {
        [GRAZE_OK] = "ok",
        [GRAZE_ERROR_ARGUMENT] = "argument",
        [GRAZE_ERROR_NO_MEMORY] = "no-memory",
        [GRAZE_ERROR_NOT_FOUND] = "not-found",
        [GRAZE_ERROR_IO] = "io",
        [GRAZE_ERROR_PARSE] = "parse",
        [GRAZE_ERROR_SCHEMA] = "schema",
        [GRAZE_ERROR_UNSUPPORTED] = "unsupported",
        [GRAZE_ERROR_MESH] = "mesh",
        [GRAZE_ERROR_RANGE] = "range",
        [GRAZE_ERROR_LIMIT] = "limit",
        [GRAZE_ERROR_CANCELLED] = "cancelled",
        [GRAZE_ERROR_BUDGET] = "budget",
    };
    return (size_t)status < sizeof names / sizeof *names ? names[status] : "unknown";
}

const char *graze_version(void) {
    return GRAZE_VERSION;
}
