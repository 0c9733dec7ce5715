/// What went wrong, and where: filling the caller's graze_error, and lists of warnings.
#ifndef GZ_BASE_ERROR_H
#define GZ_BASE_ERROR_H

#include <stdarg.h>

#include "graze/base.h"

#if defined(__GNUC__)
#define GZ_PRINTF(at, first) __attribute__((__format__(__printf__, at, first)))
#else
#define GZ_PRINTF(at, first)
#endif

/// A place in an input: any string may be NULL, any number 0.
typedef struct gz_place {
    const char *file;
    const char *element;
    int32_t line, column;
} gz_place;

/// Fills the error (which may be NULL) and returns status, so that a failure is one statement.
/// Control characters in the message become '?', so it stays one line.
graze_status gz_fail_at(graze_error *error, graze_status status, gz_place place, const char *format,
                        ...) GZ_PRINTF(4, 5);

/// The same without a place:
/// `return gz_fail(error, GRAZE_ERROR_RANGE, "radius is %g; allowed: above 0", r);`
#define gz_fail(error, status, ...) gz_fail_at(error, status, (gz_place){0}, __VA_ARGS__)

/// Returns the status of a call that failed, from a function with nothing to undo.
#define GZ_TRY(call)                                                                               \
    do {                                                                                           \
        const graze_status gz_try_status = (call);                                                 \
        if (gz_try_status) return gz_try_status;                                                   \
    } while (0)

/// The usual message for an allocation that failed.
graze_status gz_fail_memory(graze_error *error);

/// Fills in what the error lacks of a place: callers add file or element on the way up. NULL is
/// allowed.
void gz_error_locate(graze_error *error, gz_place place);

/// Clears the error; NULL is allowed.
void gz_error_clear(graze_error *error);

/// A list of warnings; entries with the same code, message and file are one, with a count. After
/// 500 different ones the rest count as one "more-warnings".
typedef struct gz_warnings {
    graze_warning *items; ///< strings owned by the list
    size_t count, capacity;
    bool out_of_memory; ///< sticky: an entry could not be stored; the load must fail
} gz_warnings;

void gz_warn(gz_warnings *warnings, const char *code, gz_place place, const char *format, ...)
    GZ_PRINTF(4, 5);
void gz_warnings_free(gz_warnings *warnings);
/// Appends all of source to target and leaves source empty.
void gz_warnings_move(gz_warnings *target, gz_warnings *source);

#endif
