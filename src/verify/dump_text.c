#include "verify/dump_text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "verify/verify_memory.h"

void gz_dump_text_free(gz_dump_text *text) {
    gz_verify_free(text->line);
    *text = (gz_dump_text){0};
}

graze_status gz_dump_fail(const gz_dump_text *text, graze_status status, const char *format, ...) {
    graze_error *error = text->error;
    *error = (graze_error){.status = status, .line = text->number};
    error->column = text->at < INT32_MAX - 1 ? (int32_t)text->at + 1 : 0;
    snprintf(error->file, sizeof error->file, "%s", text->name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return status;
}

graze_status gz_dump_no_memory(const gz_dump_text *text) {
    *text->error = (graze_error){.status = GRAZE_ERROR_NO_MEMORY};
    snprintf(text->error->message, sizeof text->error->message, "out of memory");
    return GRAZE_ERROR_NO_MEMORY;
}

graze_status gz_dump_grow(const gz_dump_text *text, void **list, size_t *count, size_t *capacity,
                          size_t size) {
    if (!gz_verify_reserve(list, capacity, *count + 1, size)) return gz_dump_no_memory(text);
    memset((char *)*list + *count * size, 0, size);
    ++*count;
    return GRAZE_OK;
}

static size_t word_length(const gz_dump_text *text) {
    size_t end = text->at;
    while (end < text->length && text->line[end] != ' ') end++;
    return end - text->at;
}

/// Fails at the next word: "found 'word'; allowed: ..."
static graze_status fail_word(const gz_dump_text *text, const char *allowed) {
    char word[64];
    size_t length = word_length(text), shown = 0;
    for (; shown < length && shown + 4 < sizeof word; shown++) {
        char c = text->line[text->at + shown];
        word[shown] = c;
        if ((unsigned char)c < 0x20 || (unsigned char)c >= 0x7f) word[shown] = '?';
    }
    if (shown < length) {
        memcpy(word + shown, "...", 3);
        shown += 3;
    }
    word[shown] = '\0';
    if (text->at >= text->length)
        return gz_dump_fail(text, GRAZE_ERROR_PARSE, "the line ends; allowed: %s", allowed);
    return gz_dump_fail(text, GRAZE_ERROR_PARSE, "found '%s'; allowed: %s", word, allowed);
}

// ------------------------------------------------------------------------------------------ lines

static bool is_cancelled(const gz_dump_text *text) {
    return text->cancel != NULL && *text->cancel != 0;
}

/// The next byte, or EOF. A signal that does not cancel is no error: the stream goes on.
static int next_byte(gz_dump_text *text) {
    for (;;) {
        int c = getc_unlocked(text->stream);
        if (c != EOF || ferror(text->stream) == 0) return c;
        if (errno != EINTR || is_cancelled(text)) return EOF;
        clearerr(text->stream);
    }
}

static graze_status fail_read(const gz_dump_text *text) {
    int number = errno;
    if (number == EINTR) return gz_dump_fail(text, GRAZE_ERROR_CANCELLED, "interrupted");
    return gz_dump_fail(text, GRAZE_ERROR_IO, "cannot be read: %s",
                        number != 0 ? strerror(number) : "unknown reason");
}

graze_status gz_dump_at_end(gz_dump_text *text, bool *end) {
    errno = 0;
    int c = next_byte(text);
    *end = c == EOF && ferror(text->stream) == 0;
    if (c != EOF) ungetc(c, text->stream);
    return c != EOF || *end ? GRAZE_OK : fail_read(text);
}

graze_status gz_dump_next(gz_dump_text *text, const char *wanted) {
    text->length = text->at = 0;
    if (text->number < INT32_MAX) text->number++; // a pipe may have more lines than that
    errno = 0;
    if (!gz_verify_reserve((void **)&text->line, &text->capacity, 1, 1))
        return gz_dump_no_memory(text);
    for (;;) {
        int c = next_byte(text);
        if (c == '\n') return GRAZE_OK;
        if (c == EOF) break;
        if (c == '\0') return gz_dump_fail(text, GRAZE_ERROR_PARSE, "a zero byte; allowed: text");
        if (text->length == GZ_DUMP_LINE_MAX)
            return gz_dump_fail(text, GRAZE_ERROR_LIMIT, "a line is longer than %zu bytes",
                                GZ_DUMP_LINE_MAX);
        if (!gz_verify_reserve((void **)&text->line, &text->capacity, text->length + 1, 1))
            return gz_dump_no_memory(text);
        text->line[text->length++] = (char)c;
    }
    if (ferror(text->stream) != 0) return fail_read(text);
    text->at = text->length;
    return gz_dump_fail(text, GRAZE_ERROR_PARSE, "the file ends%s; allowed: %s",
                        text->length > 0 ? " within a line" : "", wanted);
}

graze_status gz_dump_end_line(gz_dump_text *text) {
    if (text->at >= text->length) return GRAZE_OK;
    return fail_word(text, "the end of the line");
}

// ------------------------------------------------------------------------------------------ words

/// Steps over a word and the one blank behind it.
static graze_status step(gz_dump_text *text, size_t length) {
    text->at += length;
    if (text->at == text->length) return GRAZE_OK;
    if (text->at + 1 == text->length)
        return gz_dump_fail(text, GRAZE_ERROR_PARSE,
                            "a blank at the end of the line; allowed: one blank between words");
    text->at++;
    return GRAZE_OK;
}

static bool is_word(const gz_dump_text *text, const char *word) {
    size_t length = strlen(word);
    return word_length(text) == length && memcmp(text->line + text->at, word, length) == 0;
}

bool gz_dump_accept(gz_dump_text *text, const char *word) {
    if (!is_word(text, word)) return false;
    size_t before = text->at;
    if (step(text, strlen(word)) == GRAZE_OK) return true;
    text->at = before; // the next expectation fails there
    return false;
}

graze_status gz_dump_expect(gz_dump_text *text, const char *word) {
    if (!is_word(text, word)) return fail_word(text, word);
    return step(text, strlen(word));
}

graze_status gz_dump_choice(gz_dump_text *text, const char *const *words, int *choice) {
    char allowed[256] = "";
    for (int i = 0; words[i] != NULL; i++) {
        if (is_word(text, words[i])) {
            *choice = i;
            return step(text, strlen(words[i]));
        }
        size_t used = strlen(allowed);
        snprintf(allowed + used, sizeof allowed - used, "%s%s", i > 0 ? ", " : "", words[i]);
    }
    return fail_word(text, allowed);
}

graze_status gz_dump_integer(gz_dump_text *text, int64_t least, int64_t most, int64_t *value) {
    char allowed[96];
    snprintf(allowed, sizeof allowed, "a whole number from %lld to %lld", (long long)least,
             (long long)most);
    size_t length = word_length(text), i = 0;
    const char *word = text->line + text->at;
    bool negative = length > 0 && word[0] == '-';
    if (negative) i++;
    // At most 18 digits: no overflow.
    if (i == length || length - i > 18) return fail_word(text, allowed);
    int64_t sum = 0;
    for (; i < length; i++) {
        if (word[i] < '0' || word[i] > '9') return fail_word(text, allowed);
        sum = 10 * sum + (word[i] - '0');
    }
    if (negative) sum = -sum;
    if (sum < least || sum > most) return fail_word(text, allowed);
    *value = sum;
    return step(text, length);
}

static bool is_hex(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/// Whether a word is [-]0xD[.HHHHHHHHHHHHH]p[+-]D..., with D 0 or 1 in front: no more bits than a
/// double has, so that nothing is rounded when it is read.
static bool is_hex_number(const char *word) {
    word += word[0] == '-';
    if (strncmp(word, "0x0", 3) != 0 && strncmp(word, "0x1", 3) != 0) return false;
    word += 3;
    if (word[0] == '.') {
        size_t digits = strspn(word + 1, "0123456789abcdef");
        if (digits == 0 || digits > 13) return false;
        word += 1 + digits;
    }
    if (word[0] != 'p' || (word[1] != '+' && word[1] != '-')) return false;
    size_t digits = strspn(word + 2, "0123456789");
    return digits >= 1 && digits <= 4 && word[2 + digits] == '\0';
}

graze_status gz_dump_number(gz_dump_text *text, double *value) {
    static const char allowed[] = "a finite number as %a writes it, magnitude at most 2^60";
    size_t length = word_length(text);
    char word[40];
    if (length >= sizeof word) return fail_word(text, allowed);
    memcpy(word, text->line + text->at, length);
    word[length] = '\0';
    if (!is_hex_number(word)) return fail_word(text, allowed);
    // Exponents of four digits may overflow or lose bits below the least double.
    errno = 0;
    *value = strtod(word, NULL);
    bool tiny = errno == ERANGE && fabs(*value) < 1;
    if (!isfinite(*value) || fabs(*value) > 0x1p60 || tiny) return fail_word(text, allowed);
    return step(text, length);
}

graze_status gz_dump_numbers(gz_dump_text *text, double *values, size_t count) {
    graze_status status = GRAZE_OK;
    for (size_t i = 0; status == GRAZE_OK && i < count; i++)
        status = gz_dump_number(text, &values[i]);
    return status;
}

static int hex_digit(char c) {
    return c >= 'a' ? c - 'a' + 10 : c - '0';
}

graze_status gz_dump_name(gz_dump_text *text, char **name) {
    static const char allowed[] = "a name in double quotes, with \\\", \\\\ and \\xHH";
    size_t i = text->at, used = 0;
    if (i >= text->length || text->line[i] != '"') return fail_word(text, allowed);
    char *out = gz_verify_calloc(text->length - i + 1, 1);
    if (out == NULL) return gz_dump_no_memory(text);
    const char *line = text->line;
    bool good = true;
    for (i++; i < text->length && line[i] != '"'; i++) {
        char c = line[i];
        if (c == '\\') {
            size_t left = text->length - i;
            bool byte = left > 3 && line[i + 1] == 'x' && is_hex(line[i + 2]) &&
                        is_hex(line[i + 3]);
            good = byte || (left > 1 && (line[i + 1] == '"' || line[i + 1] == '\\'));
            if (!good) break;
            c = byte ? (char)(16 * hex_digit(line[i + 2]) + hex_digit(line[i + 3])) : line[i + 1];
            i += byte ? 3 : 1;
            good = c != '\0';
            if (!good) break;
        }
        out[used++] = c;
    }
    good = good && i < text->length && (i + 1 == text->length || line[i + 1] == ' ');
    graze_status status = good ? step(text, i + 1 - text->at) : fail_word(text, allowed);
    if (status == GRAZE_OK) {
        *name = out;
    } else {
        gz_verify_free(out);
    }
    return status;
}
