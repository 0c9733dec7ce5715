#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/field_table.h"
#include "base/memory.h"
#include "graze/base.h"

static void copy_text(char *out, size_t size, const char *text) {
    if (!text) text = "";
    size_t n = strlen(text);
    if (n >= size) n = size - 1;
    memcpy(out, text, n);
    out[n] = '\0';
}

/// Names from hostile files must not break the promise of one line, or a terminal.
static void make_printable(char *text) {
    for (unsigned char *p = (unsigned char *)text; *p; p++)
        if (*p < 0x20 || *p == 0x7f) *p = '?';
}

static graze_status fail_va(graze_error *error, graze_status status, gz_place place,
                            const char *format, va_list args) {
    if (!error) return status;
    error->status = status;
    error->line = place.line;
    error->column = place.column;
    copy_text(error->file, sizeof error->file, place.file);
    copy_text(error->element, sizeof error->element, place.element);
    vsnprintf(error->message, sizeof error->message, format, args);
    make_printable(error->message);
    make_printable(error->file);
    make_printable(error->element);
    return status;
}

graze_status gz_fail(graze_error *error, graze_status status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fail_va(error, status, (gz_place){0}, format, args);
    va_end(args);
    return status;
}

graze_status gz_fail_at(graze_error *error, graze_status status, gz_place place, const char *format,
                        ...) {
    va_list args;
    va_start(args, format);
    fail_va(error, status, place, format, args);
    va_end(args);
    return status;
}

graze_status gz_fail_memory(graze_error *error) {
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
    make_printable(error->file);
    make_printable(error->element);
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

static void append_warning(gz_warnings *warnings, const graze_warning *warning) {
    graze_warning own;
    if (gz_type_copy(&gz_type_warning, &own, warning) &&
        gz_array_reserve((void **)&warnings->items, &warnings->capacity, warnings->count + 1,
                         sizeof *warnings->items)) {
        warnings->items[warnings->count++] = own;
        return;
    }
    gz_type_clear(&gz_type_warning, &own);
    warnings->out_of_memory = true;
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
    if (source->count && !gz_array_reserve((void **)&target->items, &target->capacity,
                                           target->count + source->count, sizeof *target->items)) {
        target->out_of_memory = true;
        gz_warnings_free(source);
        return;
    }
    for (size_t i = 0; i < source->count; i++) target->items[target->count++] = source->items[i];
    gz_free(source->items);
    *source = (gz_warnings){0};
}

const char *graze_status_name(graze_status status) {
    static const char *const names[] = {[GRAZE_OK] = "ok",
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
                                        [GRAZE_ERROR_CANCELLED] = "cancelled"};
    const unsigned index = (unsigned)status;
    return index < sizeof names / sizeof *names ? names[index] : "unknown";
}

const char *graze_version(void) {
    return GRAZE_VERSION;
}
