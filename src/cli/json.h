/// JSON, written as it comes: commas and quotes are put by the writer. Or the same items for
/// people.
#ifndef GZ_CLI_JSON_H
#define GZ_CLI_JSON_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "graze/graze.h"

#define GZ_JSON_DEPTH 12

/// A writer; {.stream = stream} starts one.
typedef struct gz_json {
    FILE *stream;
    int depth;  ///< objects and arrays that are open
    bool keyed; ///< the key of the next item is written
    bool plain; ///< for people: see gz_json_begin_plain()
    struct {
        char close;
        bool used;       ///< holds an item
        const char *gap; ///< see gz_json_gap()
    } levels[GZ_JSON_DEPTH + 1];
} gz_json;

/// Writes items, separated by blanks: VALUE, or KEY=VALUE in an object. A value is { or [, which
/// opens an object or an array; a conversion; or a word that is written as it is. } and ] close.
///   %s              a string; NULL becomes null, bytes that are not UTF-8 become U+FFFD
///   %g              a number as gz_number_write() writes it
///   %d PRId64       an index, null below 0
///   %u %zu PRIu64   a count
///   %i              a bool
/// `gz_json_put(json, "{ name=%s size=[ %g %g ] }", name, wide, high)`
void gz_json_put(gz_json *json, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// Write an item in an object, or with a NULL key in an array.
void gz_json_numbers(gz_json *json, const char *key, const double *values, size_t count);
void gz_json_vector(gz_json *json, const char *key, graze_vec3 vector);
/// Writes the key of the next item, whose value is the first of the next gz_json_put().
void gz_json_key(gz_json *json, const char *key);
/// Starts an item whose value the caller writes to json->stream.
void gz_json_item(gz_json *json, const char *key);

/// Sets the white space in front of each further item of the innermost object or array; NULL for
/// none, as at first. The text is not copied.
void gz_json_gap(gz_json *json, const char *gap);

/// Opens the outermost object, with the name of its format as first item.
gz_json gz_json_begin(FILE *stream, const char *format);
/// Opens a plain one: a line for each of its items, its key and its value, without quotes, numbers
/// with six decimals, and yes or no. What items hold stands in the line.
gz_json gz_json_begin_plain(FILE *stream);
/// Closes all that is open, and ends the line.
void gz_json_finish(gz_json *json);

/// Writes a number that reads back as the same double; null for NaN and infinity.
void gz_number_write(FILE *stream, double value);

#endif
