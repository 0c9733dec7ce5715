/// Lines and words of a dump, read strictly: every fault has its file, line and column.
#ifndef GZ_VERIFY_DUMP_TEXT_H
#define GZ_VERIFY_DUMP_TEXT_H

#include <stdio.h>

#include "graze/base.h"

/// The longest line, in bytes.
#define GZ_DUMP_LINE_MAX ((size_t)64 << 20)

typedef struct gz_dump_text {
    FILE *stream;
    const char *name; ///< of the file, for errors
    char *line;       ///< without its end
    size_t length, capacity;
    size_t at;      ///< of the next word
    int32_t number; ///< of the line, from 1
    graze_error *error;
    const volatile int *cancel; ///< a read that a signal interrupts goes on unless it is set; may
                                ///< be NULL
} gz_dump_text;

void gz_dump_text_free(gz_dump_text *text);

/// Gives a list one more element, zeroed. Sizes that a file promises are never trusted: lists grow
/// with the lines that are there.
graze_status gz_dump_grow(const gz_dump_text *text, void **list, size_t *count, size_t *capacity,
                          size_t size);

/// Fills the error with the place of `at`; returns status.
graze_status gz_dump_fail(const gz_dump_text *text, graze_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
graze_status gz_dump_no_memory(const gz_dump_text *text);

/// Reads the next line. A file that ends, also within a line, is GRAZE_ERROR_PARSE; `wanted` is
/// what should have come.
graze_status gz_dump_next(gz_dump_text *text, const char *wanted);
/// Whether the file is at its end; an error where it cannot be read.
graze_status gz_dump_at_end(gz_dump_text *text, bool *end);
/// Whether the line has been read to its end.
graze_status gz_dump_end_line(gz_dump_text *text);

/// Whether the next word is this one; then it has been read.
bool gz_dump_accept(gz_dump_text *text, const char *word);
graze_status gz_dump_expect(gz_dump_text *text, const char *word);
/// One of the words of a list that ends with NULL.
graze_status gz_dump_choice(gz_dump_text *text, const char *const *words, int *choice);
/// A whole number from least to most, in decimal digits.
graze_status gz_dump_integer(gz_dump_text *text, int64_t least, int64_t most, int64_t *value);
/// A number as C's %a writes it: finite, of magnitude at most 2^60, every bit as it stands.
graze_status gz_dump_number(gz_dump_text *text, double *value);
graze_status gz_dump_numbers(gz_dump_text *text, double *values, size_t count);
/// A name in double quotes, in which \" and \\ stand for themselves and \xHH for a byte. The caller
/// frees it with gz_verify_free().
graze_status gz_dump_name(gz_dump_text *text, char **name);

#endif
