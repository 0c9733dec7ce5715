/// What the command prints on stderr: messages, exit statuses, a progress bar.
#ifndef GZ_CLI_MESSAGE_H
#define GZ_CLI_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "graze/graze.h"

typedef enum gz_exit {
    GZ_EXIT_FINE = 0,    ///< fine, free, path found
    GZ_EXIT_FINDING = 1, ///< collision, no path
    GZ_EXIT_USAGE = 2,   ///< wrong usage
    GZ_EXIT_INPUT = 3,   ///< an input could not be read or is invalid; an output not written
    GZ_EXIT_LIMIT = 4    ///< a limit of time, memory or size was hit
} gz_exit;

/// Returns the exit status of a call that failed, from a function with nothing to undo.
#define GZ_TRY_EXIT(call)                                                                          \
    do {                                                                                           \
        const int gz_try_exit = (call);                                                            \
        if (gz_try_exit != GZ_EXIT_FINE) return gz_try_exit;                                       \
    } while (0)

/// The exit status that goes with a status of the library (128 + the signal when interrupted).
int gz_exit_of(graze_status status);

/// The length of the UTF-8 sequence that starts at a byte other than 0, or 0 when it is none
/// (overlong forms, surrogates and what lies beyond U+10FFFF are none).
size_t gz_utf8_length(const char *text);

#define GZ_PLAIN_SIZE 256
/// A name as it may stand in a line: names and files come from outside, and whatever they hold, a
/// line stays one line and cannot steer a terminal. The text itself where it may; else a copy in
/// buffer, cut where that is full, with '?' for control characters (C0, C1 and DEL), what parts
/// lines or turns their direction (U+2028, U+202A ...), and what is no UTF-8.
const char *gz_plain(char buffer[GZ_PLAIN_SIZE], const char *text);
/// gz_plain() with a buffer of its own, for an argument of printf.
#define GZ_PLAIN(text) gz_plain((char[GZ_PLAIN_SIZE]){0}, text)
/// Makes a whole line plain, in place. Returns line.
char *gz_plain_line(char *line);
/// Writes a text of any length so.
void gz_plain_put(FILE *stream, const char *text);

/// Prints "graze: ..." as one line, as gz_plain_line() has it.
void gz_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Prints a usage error with a hint to the command's --help (NULL: graze's own). Returns 2.
int gz_message_usage(const char *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// Prints "graze: FILE:LINE:COLUMN: message (element)", and after wrong usage the hint to the
/// command's --help (NULL: graze's own). Returns the exit status.
int gz_message_error(const char *command, const graze_error *error);

/// The same of values that come from options alone: what is out of range is a usage error.
int gz_message_refusal(const char *command, const graze_error *error);

/// GZ_EXIT_FINE for GRAZE_OK; else gz_message_error().
int gz_message_outcome(const char *command, graze_status status, const graze_error *error);

/// Prints that memory is out. Returns the exit status.
int gz_message_no_memory(void);

/// Prints "warning: FILE:LINE: message [code] (x3)".
void gz_message_warning(graze_warning warning);

// ---------------------------------------------------------------------------------- progress

/// A progress bar on stderr, only where that is a terminal.
typedef struct gz_progress {
    bool terminal, shown;
    double started, updated; ///< seconds of gz_clock()
} gz_progress;

/// Seconds of a clock that only goes forward.
double gz_clock(void);

gz_progress gz_progress_start(bool quiet);
/// Shows `done` units (NULL: of no meaning), and a bar and the time to go when the fraction is
/// known (0 to 1; below 0: unknown); at most ten times a second.
void gz_progress_update(gz_progress *progress, uint64_t done, double fraction, const char *units);
/// Wipes the bar; before any other message.
void gz_progress_clear(gz_progress *progress);

#endif
