/// @file base.h
/// Status, error and warning values, version and export macro: what every other header needs.
///
/// graze keeps no global state: an error is a value that the caller owns, and a warning is an entry
/// of a list on the result of a load.
///
/// NULL where a function does not allow it, and an index that there is not, are answered by every
/// function, never with a crash: a status is GRAZE_ERROR_ARGUMENT, a count 0, an index -1, a
/// pointer NULL, a transform counts as the identity, an overlap as true (the safe side).
///
/// Functions graze_NAME_sized() are graze_NAME() with the sizes that the caller's headers give the
/// structures it hands over: a program calls graze_NAME(), which is inline and passes them, and
/// stays right with a library whose structures have grown. Bindings call graze_NAME_sized().
#ifndef GRAZE_BASE_H
#define GRAZE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GRAZE_VERSION_MAJOR 0
#define GRAZE_VERSION_MINOR 1
#define GRAZE_VERSION_PATCH 0
#define GRAZE_VERSION       "0.1.0"
/// For comparisons by the preprocessor: 1,000,000 times major, 1,000 times minor, patch.
#define GRAZE_VERSION_NUMBER                                                                       \
    (GRAZE_VERSION_MAJOR * 1000000 + GRAZE_VERSION_MINOR * 1000 + GRAZE_VERSION_PATCH)

/// Of each exported function. GRAZE_STATIC: for programs that link the static library on Windows;
/// GRAZE_BUILDING: while the library itself is compiled.
#if defined(_WIN32) && !defined(GRAZE_STATIC) && defined(GRAZE_BUILDING)
#define GRAZE_API __declspec(dllexport)
#elif defined(_WIN32) && !defined(GRAZE_STATIC)
#define GRAZE_API __declspec(dllimport)
#elif defined(__GNUC__) && !defined(GRAZE_STATIC)
#define GRAZE_API __attribute__((visibility("default")))
#else
#define GRAZE_API
#endif

/// What went wrong. A collision, or a path that was not found, is a finding and never a status.
/// The numbers are stable once released.
typedef enum graze_status {
    GRAZE_OK = 0,
    GRAZE_ERROR_ARGUMENT = 1,  ///< a caller's mistake: NULL, wrong length, uninitialised options
    GRAZE_ERROR_NO_MEMORY = 2, ///< an allocation failed
    GRAZE_ERROR_NOT_FOUND =
        3,                  ///< a file or package that does not exist; the message lists the tries
    GRAZE_ERROR_IO = 4,     ///< a file that exists and cannot be read or written
    GRAZE_ERROR_PARSE = 5,  ///< bytes that are not the format they claim (XML, JSON, STL ...)
    GRAZE_ERROR_SCHEMA = 6, ///< well formed, but not a valid robot, SRDF or world
    GRAZE_ERROR_UNSUPPORTED = 7, ///< valid elsewhere, not supported here
    GRAZE_ERROR_MESH = 8,        ///< a mesh that is empty, truncated or inconsistent
    GRAZE_ERROR_RANGE = 9,       ///< a number outside its allowed range; NaN and infinity included
    GRAZE_ERROR_LIMIT = 10,      ///< a limit of the options was hit (depth, counts, bytes, memory)
    GRAZE_ERROR_CANCELLED = 11,  ///< the caller's cancel flag was raised
    GRAZE_ERROR_BUDGET = 12      ///< the work that a check may do was spent before it was done
} graze_status;

#define GRAZE_MESSAGE_SIZE 1024
#define GRAZE_PATH_SIZE    1024

/// One error: owned by the caller, fixed size, no heap. Every function that takes a `graze_error *`
/// accepts NULL; it writes the error completely on failure and clears it on success.
typedef struct graze_error {
    graze_status status;
    int32_t line;                     ///< 1-based; 0 when unknown or not a text file
    int32_t column;                   ///< 1-based; 0 when unknown
    char message[GRAZE_MESSAGE_SIZE]; ///< what was found and what is allowed
    char file[GRAZE_PATH_SIZE];       ///< the file as opened; "" when no file is at fault
    char element[GRAZE_PATH_SIZE];    ///< e.g. /robot/link[@name='arm']/collision[2]/geometry/mesh
} graze_error;

/// Something in the input that was repaired or left out, worth a user's eye. The strings belong to
/// the object that the warning was read from and live as long as it.
typedef struct graze_warning {
    const char *code;    ///< stable short name, e.g. "axis-not-unit"
    const char *message; ///< what was found and what was done
    const char *file;
    const char *element;
    int32_t line;
    int32_t column;
    uint32_t count; ///< how often it occurred (the place is that of the first)
} graze_warning;

/// The name of a status without its prefix, in lower case with dashes: "ok", "not-found" ...
/// Static storage; never NULL, "unknown" for other numbers. Any thread.
/// Allocates nothing. Cost: O(1).
GRAZE_API const char *graze_status_name(graze_status status);

/// The version of the library that runs, e.g. "0.1.0". Static storage. Any thread. Allocates
/// nothing. Cost: O(1).
GRAZE_API const char *graze_version(void);

#ifdef __cplusplus
}
#endif

#endif
