#include "cli/message.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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
    case GRAZE_ERROR_BUDGET:
        return GZ_EXIT_LIMIT;
    case GRAZE_ERROR_CANCELLED:
        return gz_interrupt_exit();
    default:
        return GZ_EXIT_INPUT;
    }
}

// ------------------------------------------------------------------------------------- plain text

size_t gz_utf8_length(const char *text) {
    const unsigned char *s = (const unsigned char *)text;
    if (s[0] < 0x80) return 1;
    size_t n = s[0] >= 0xc2 && s[0] <= 0xdf ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 : 0;
    if (s[0] >= 0xf0 && s[0] <= 0xf4) n = 4;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    if (s[0] == 0xe0 && s[1] < 0xa0) return 0;
    if (s[0] == 0xed && s[1] > 0x9f) return 0;
    if (s[0] == 0xf0 && s[1] < 0x90) return 0;
    if (s[0] == 0xf4 && s[1] > 0x8f) return 0;
    return n;
}

/// The length of the character that starts here, 0 where it must not stand in a line.
static size_t plain_length(const char *text) {
    const unsigned char *s = (const unsigned char *)text;
    size_t n = gz_utf8_length(text);
    if (n == 1 && (s[0] < 0x20 || s[0] == 0x7f)) return 0;
    if (n == 2 && s[0] == 0xc2 && s[1] < 0xa0) return 0;  // U+0080 to U+009F
    if (n == 2 && s[0] == 0xd8 && s[1] == 0x9c) return 0; // U+061C
    if (n != 3 || s[0] != 0xe2) return n;
    // U+200E and U+200F, U+2028 to U+202E, U+2066 to U+2069.
    bool turns = (s[1] == 0x80 && (s[2] == 0x8e || s[2] == 0x8f)) ||
                 (s[1] == 0x80 && s[2] >= 0xa8 && s[2] <= 0xae) ||
                 (s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9);
    return turns ? 0 : n;
}

/// Steps over one character. Returns how many of its bytes may stand in a line; 0 for a '?'.
static size_t step(const char **text) {
    size_t n = plain_length(*text), whole = gz_utf8_length(*text);
    *text += whole > 0 ? whole : 1;
    return n;
}

static bool is_plain(const char *text) {
    while (*text != '\0')
        if (step(&text) == 0) return false;
    return true;
}

char *gz_plain_line(char *line) {
    char *to = line;
    for (const char *from = line, *at = line; *at != '\0'; from = at) {
        size_t n = step(&at);
        if (n == 0) *to++ = '?';
        for (; n > 0; n--) *to++ = *from++;
    }
    *to = '\0';
    return line;
}

const char *gz_plain(char buffer[GZ_PLAIN_SIZE], const char *text) {
    if (is_plain(text)) return text;
    snprintf(buffer, GZ_PLAIN_SIZE, "%s", text);
    return gz_plain_line(buffer);
}

void gz_plain_put(FILE *stream, const char *text) {
    for (const char *at = text; *at != '\0'; text = at) {
        size_t n = step(&at);
        fwrite(n > 0 ? text : "?", 1, n > 0 ? n : 1, stream);
    }
}

// --------------------------------------------------------------------------------------- messages

static void print_line(char *line) {
    fprintf(stderr, "%s\n", gz_plain_line(line));
}

__attribute__((format(printf, 1, 0))) static void print_message(const char *format,
                                                                va_list arguments) {
    char line[LINE_SIZE] = "graze: ";
    size_t start = strlen(line);
    vsnprintf(line + start, sizeof line - start, format, arguments);
    print_line(line);
}

void gz_message(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_message(format, arguments);
    va_end(arguments);
}

static void print_hint(const char *command) {
    fprintf(stderr, "Try 'graze %s%s--help'.\n", command != NULL ? command : "",
            command != NULL ? " " : "");
}

int gz_message_usage(const char *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_message(format, arguments);
    va_end(arguments);
    print_hint(command);
    return GZ_EXIT_USAGE;
}

/// Writes "FILE:LINE:COLUMN: ", as much of it as is known.
static void format_place(char *out, size_t size, const char *file, int32_t line, int32_t column) {
    out[0] = '\0';
    if (file == NULL || file[0] == '\0') return;
    if (line > 0 && column > 0)
        snprintf(out, size, "%s:%d:%d: ", file, (int)line, (int)column);
    else if (line > 0)
        snprintf(out, size, "%s:%d: ", file, (int)line);
    else
        snprintf(out, size, "%s: ", file);
}

int gz_message_error(const char *command, const graze_error *error) {
    char place[GRAZE_PATH_SIZE + 64];
    format_place(place, sizeof place, error->file, error->line, error->column);
    bool located = error->element[0] != '\0';
    gz_message("%s%s%s%s%s", place, error->message, located ? " (" : "", error->element,
               located ? ")" : "");
    if (error->status == GRAZE_ERROR_ARGUMENT) print_hint(command);
    return gz_exit_of(error->status);
}

int gz_message_refusal(const char *command, const graze_error *error) {
    if (error->status == GRAZE_ERROR_RANGE || error->status == GRAZE_ERROR_ARGUMENT)
        return gz_message_usage(command, "%s", error->message);
    return gz_message_error(command, error);
}

int gz_message_outcome(const char *command, graze_status status, const graze_error *error) {
    return status == GRAZE_OK ? GZ_EXIT_FINE : gz_message_error(command, error);
}

int gz_message_no_memory(void) {
    gz_message("out of memory");
    return GZ_EXIT_LIMIT;
}

void gz_message_warning(graze_warning warning) {
    char place[GRAZE_PATH_SIZE + 64], line[LINE_SIZE], times[24] = "";
    format_place(place, sizeof place, warning.file, warning.line, 0);
    if (warning.count > 1) snprintf(times, sizeof times, " (x%u)", warning.count);
    snprintf(line, sizeof line, "warning: %s%s [%s]%s", place, warning.message, warning.code,
             times);
    print_line(line);
}

#define BAR_WIDTH 40
// Work that ends sooner shows no bar.
#define PATIENCE   0.5
#define INTERVAL   0.1
#define LEAST_TOLD 0.05

double gz_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

gz_progress gz_progress_start(bool quiet) {
    double now = gz_clock();
    return (gz_progress){
        .terminal = !quiet && isatty(STDERR_FILENO) == 1, .started = now, .updated = now};
}

void gz_progress_update(gz_progress *progress, uint64_t done, double fraction, const char *units) {
    if (!progress->terminal) return;
    double now = gz_clock();
    if (now - progress->started < PATIENCE || now - progress->updated < INTERVAL) return;
    progress->updated = now;
    progress->shown = true;
    if (fraction < 0 || fraction > 1) {
        fprintf(stderr, "\r\033[K%llu %s", (unsigned long long)done, units);
    } else {
        char bar[BAR_WIDTH + 1];
        size_t filled = (size_t)(fraction * BAR_WIDTH);
        memset(bar, '#', filled);
        memset(bar + filled, '.', BAR_WIDTH - filled);
        bar[BAR_WIDTH] = '\0';
        fprintf(stderr, "\r\033[K[%s] %3.0f %%", bar, 100 * fraction);
        if (units != NULL) fprintf(stderr, "  %llu %s", (unsigned long long)done, units);
        // As if the rest went on as what is done; too little is done to tell before.
        if (fraction >= LEAST_TOLD)
            fprintf(stderr, "  %.0f s to go",
                    ceil((now - progress->started) * (1 - fraction) / fraction));
    }
    fflush(stderr);
}

void gz_progress_clear(gz_progress *progress) {
    if (!progress->shown) return;
    fprintf(stderr, "\r\033[K");
    fflush(stderr);
    progress->shown = false;
}
