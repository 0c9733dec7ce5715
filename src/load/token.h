/// Words, lines and numbers of texts, the same in every locale.
#ifndef GZ_LOAD_TOKEN_H
#define GZ_LOAD_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/spelling.h"

/// Reads one number that fills the whole of text[0..n): decimal, optional sign, point and exponent;
/// correctly rounded; "1.0m", "0,5", "", hexadecimal are false. "nan", "inf" and overflow read as
/// such: callers refuse what is not finite. Locale-free.
bool gz_number_parse(const char *text, size_t n, double *value);

/// Bytes of a number as text, with a NUL.
#define GZ_NUMBER_SIZE 32

/// Writes the fewest of 15 to 17 digits that read back as the same double, with a point in every
/// locale.
void gz_number_format(char out[GZ_NUMBER_SIZE], double value);

/// Reads exactly `count` numbers separated by XML white space. On failure fills the error (status
/// GRAZE_ERROR_SCHEMA, or _RANGE for a value that is not finite) without a place.
/// *odd_space is set when a separator other than single spaces was met (may be NULL).
graze_status gz_numbers_parse(const char *text, double *values, size_t count, bool *odd_space,
                              graze_error *error);

/// Whether a character is XML white space.
static inline bool gz_is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Bytes that a UTF-8 byte order mark at the beginning of a text takes: 3, or 0 without one.
static inline size_t gz_byte_order_mark(const char *bytes, size_t size) {
    return size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

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

/// The word at the cursor; false where none is.
static inline bool gz_cursor_take_word(gz_text_cursor *cursor, gz_word *word) {
    const char *start = cursor->at;
    while (cursor->at < cursor->end && !gz_text_blank(*cursor->at)) cursor->at++;
    *word = (gz_word){start, (size_t)(cursor->at - start)};
    return word->size > 0;
}

/// The next word, on this line or a later one; false at the end of the text.
static inline bool gz_cursor_word(gz_text_cursor *cursor, gz_word *word) {
    gz_cursor_skip_blanks(cursor);
    return gz_cursor_take_word(cursor, word);
}

/// The next word of this line; false, at the line's end, when there is none.
static inline bool gz_cursor_line_word(gz_text_cursor *cursor, gz_word *word) {
    while (cursor->at < cursor->end && *cursor->at != '\n' && gz_text_blank(*cursor->at))
        cursor->at++;
    return gz_cursor_take_word(cursor, word);
}

/// A cursor at the beginning of a text, behind a byte order mark.
static inline gz_text_cursor gz_cursor_begin(const char *bytes, size_t size) {
    return (gz_text_cursor){bytes + gz_byte_order_mark(bytes, size), bytes + size, 1};
}

/// A cursor over a string.
static inline gz_text_cursor gz_cursor_of_string(const char *text) {
    return (gz_text_cursor){text, text + strlen(text), 1};
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

/// Reads a whole number of at most 18 decimal digits; false for anything else, or one above max.
bool gz_whole_parse(gz_word word, uint64_t max, uint64_t *value);

/// The value of a hexadecimal digit, or -1.
int gz_hex_digit(char c);

/// Makes %20 and the like the byte that they stand for; %00 and a % without two digits stay.
void gz_percent_decode(char *text);

/// The index of a word of n bytes in a list, whose words blanks separate; -1: none of them.
int gz_index_in_list(const char *list, const char *word, size_t n);
/// The same whatever the case of the word's ASCII letters, for a list of words below 25 bytes.
int gz_word_index(gz_word word, const char *list);
static inline bool gz_is_listed(const char *list, const char *word, size_t n) {
    return gz_index_in_list(list, word, n) >= 0;
}

#endif
