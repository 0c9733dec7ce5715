/// Words, lines and numbers of texts, the same in every locale, and suggestions for misspelt names.
#ifndef GZ_LOAD_TOKEN_H
#define GZ_LOAD_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/// For the readers of lines that end at a line feed: a carriage return anywhere but before one, or
/// at the end of the text, would join two lines, and what the second says be skipped with the
/// first.
/// @return GRAZE_ERROR_PARSE at the line of such a one
graze_status gz_text_check_returns(const char *text, size_t size, const char *path,
                                   graze_error *error);

/// Reads one number that fills the whole of text[0..n): decimal, optional sign, point and exponent;
/// correctly rounded; "1.0m", "0,5", "", hexadecimal are false. "nan", "inf" and overflow read as
/// such: callers refuse what is not finite. Locale-free.
bool gz_number_parse(const char *text, size_t n, double *value);

/// Reads exactly `count` numbers separated by XML white space. On failure says why in error (status
/// GRAZE_ERROR_SCHEMA, or _RANGE for a value that is not finite) without a place.
/// *odd_space is set when a separator other than single spaces was met (may be NULL).
graze_status gz_numbers_parse(const char *text, double *values, size_t count, bool *odd_space,
                              graze_error *error);

// ------------------------------------------------------------------------------------------ words

typedef struct gz_text_cursor {
    const char *at, *end;
    int32_t line; ///< 1-based line of `at`
} gz_text_cursor;

/// A piece of the text, not terminated.
typedef struct gz_word {
    const char *text;
    size_t size;
} gz_word;

static inline bool gz_text_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

static inline void gz_cursor_skip_blanks(gz_text_cursor *cursor) {
    for (; cursor->at < cursor->end && gz_text_blank(*cursor->at); cursor->at++)
        if (*cursor->at == '\n' && cursor->line < INT32_MAX) cursor->line++;
}

/// The next word, on this line or a later one; false at the end of the text.
static inline bool gz_cursor_word(gz_text_cursor *cursor, gz_word *word) {
    gz_cursor_skip_blanks(cursor);
    const char *start = cursor->at;
    while (cursor->at < cursor->end && !gz_text_blank(*cursor->at)) cursor->at++;
    *word = (gz_word){start, (size_t)(cursor->at - start)};
    return word->size > 0;
}

/// The next word of this line; false, at the line's end, when there is none.
static inline bool gz_cursor_line_word(gz_text_cursor *cursor, gz_word *word) {
    while (cursor->at < cursor->end && *cursor->at != '\n' && gz_text_blank(*cursor->at))
        cursor->at++;
    const char *start = cursor->at;
    while (cursor->at < cursor->end && !gz_text_blank(*cursor->at)) cursor->at++;
    *word = (gz_word){start, (size_t)(cursor->at - start)};
    return word->size > 0;
}

/// Moves behind the end of this line.
static inline void gz_cursor_skip_line(gz_text_cursor *cursor) {
    while (cursor->at < cursor->end && *cursor->at != '\n') cursor->at++;
    if (cursor->at == cursor->end) return;
    cursor->at++;
    if (cursor->line < INT32_MAX) cursor->line++;
}

/// Whether a word is this keyword, whatever the case of its ASCII letters.
static inline bool gz_word_is(gz_word word, const char *keyword) {
    for (size_t i = 0; i < word.size; i++, keyword++) {
        char c = word.text[i];
        if (c >= 'A' && c <= 'Z') c = (char)(c + ('a' - 'A'));
        if (!*keyword || c != *keyword) return false;
    }
    return !*keyword;
}

/// For messages: how much of a word to print with "%.*s".
static inline int gz_word_shown(gz_word word) {
    return word.size > 40 ? 40 : (int)word.size;
}

// --------------------------------------------------------------------------------------- spelling

typedef struct gz_spelling {
    const char *wanted;
    uint32_t distance; ///< of the best so far; anything farther is of no help to a reader
    int32_t index;     ///< its index, or -1
} gz_spelling;

gz_spelling gz_spelling_start(const char *wanted);
/// Offers a name; true when it is the nearest so far. The first of equals stays.
bool gz_spelling_try(gz_spelling *nearest, const char *name, int32_t index);

/// Insertions, deletions and replacements of bytes that turn a into b; `limit` + 1 when they are
/// more than `limit` or a name is longer than 255 bytes.
uint32_t gz_edit_distance(const char *a, const char *b, uint32_t limit);

#endif
