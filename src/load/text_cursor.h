/// Walking through a text that holds words and lines: shared by the ASCII mesh formats.
#ifndef GZ_LOAD_TEXT_CURSOR_H
#define GZ_LOAD_TEXT_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
