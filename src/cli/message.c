#include "cli/message.h"

#include <stdarg.h>
#include <string.h>

#include "cli/interrupt.h"

// An error's message, file and element together, and the words between them.
#define LINE_SIZE (GRAZE_MESSAGE_SIZE + 2 * GRAZE_PATH_SIZE + 64)

int gz_exit_of(graze_status status) {
    switch (status) {
    case GRAZE_OK:
        return GZ_EXIT_FINE;
    case GRAZE_ERROR_ARGUMENT:
        return GZ_EXIT_USAGE;
    case GRAZE_ERROR_NO_MEMORY:
    case GRAZE_ERROR_LIMIT:
        return GZ_EXIT_LIMIT;
    case GRAZE_ERROR_CANCELLED:
        return gz_interrupt_exit();
    default:
        return GZ_EXIT_INPUT;
    }
}

/// Names and files come from outside: whatever they hold, a message stays one line and cannot
/// steer the terminal.
static void print_line(char *line) {
    for (char *c = line; *c != '\0'; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f) *c = '?';
    }
    fprintf(stderr, "%s\n", line);
}

void gz_message(const char *format, ...) {
    char line[LINE_SIZE] = "graze: ";
    size_t start = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + start, sizeof line - start, format, arguments);
    va_end(arguments);
    print_line(line);
}

static void print_hint(const char *command) {
    fprintf(stderr, "Try 'graze %s%s--help'.\n", command != NULL ? command : "",
            command != NULL ? " " : "");
}

int gz_message_usage(const char *command, const char *format, ...) {
    char line[LINE_SIZE] = "graze: ";
    size_t start = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + start, sizeof line - start, format, arguments);
    va_end(arguments);
    print_line(line);
    print_hint(command);
    return GZ_EXIT_USAGE;
}

/// Writes "FILE:LINE:COLUMN: ", as much of it as is known.
static void format_place(char *out, size_t size, const char *file, int32_t line, int32_t column) {
    out[0] = '\0';
    if (file == NULL || file[0] == '\0') return;
    if (line > 0 && column > 0) {
        snprintf(out, size, "%s:%d:%d: ", file, (int)line, (int)column);
    } else if (line > 0) {
        snprintf(out, size, "%s:%d: ", file, (int)line);
    } else {
        snprintf(out, size, "%s: ", file);
    }
}

int gz_message_error(const char *command, const graze_error *error) {
    char place[GRAZE_PATH_SIZE + 64];
    format_place(place, sizeof place, error->file, error->line, error->column);
    if (error->element[0] != '\0') {
        gz_message("%s%s (%s)", place, error->message, error->element);
    } else {
        gz_message("%s%s", place, error->message);
    }
    if (error->status == GRAZE_ERROR_ARGUMENT) print_hint(command);
    return gz_exit_of(error->status);
}

int gz_message_no_memory(void) {
    gz_message("out of memory");
    return GZ_EXIT_LIMIT;
}

void gz_message_warning(const graze_warning *warning) {
    char place[GRAZE_PATH_SIZE + 64], line[LINE_SIZE], times[24] = "";
    format_place(place, sizeof place, warning->file, warning->line, 0);
    if (warning->count > 1) snprintf(times, sizeof times, " (x%u)", warning->count);
    snprintf(line, sizeof line, "warning: %s%s [%s]%s", place, warning->message, warning->code,
             times);
    print_line(line);
}

graze_status gz_error_set(graze_error *error, graze_status status, const char *file, int32_t line,
                          int32_t column, const char *format, ...) {
    memset(error, 0, sizeof *error);
    error->status = status;
    error->line = line;
    error->column = column;
    if (file != NULL) snprintf(error->file, sizeof error->file, "%s", file);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return status;
}
