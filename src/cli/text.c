#include "cli/text.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "cli/message.h"

// Longer tokens are refused; a double needs at most 17 digits, and files write a few more.
#define TOKEN_SIZE 512

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static size_t skip_digits(const char *text, size_t at) {
    while (is_digit(text[at])) at++;
    return at;
}

static bool is_word(const char *text) {
    return strcasecmp(text, "nan") == 0 || strcasecmp(text, "inf") == 0 ||
           strcasecmp(text, "infinity") == 0;
}

/// Whether text is [sign] digits [. digits] [e [sign] digits], with a digit before or behind the
/// point; strtod alone would take hexadecimal and "nan(...)" too.
static bool is_decimal(const char *text) {
    size_t at = text[0] == '+' || text[0] == '-' ? 1 : 0;
    if (is_word(text + at)) return true;
    size_t whole = skip_digits(text, at), digits = whole - at;
    at = whole;
    if (text[at] == '.') {
        size_t end = skip_digits(text, at + 1);
        digits += end - at - 1;
        at = end;
    }
    if (digits == 0) return false;
    if (text[at] == 'e' || text[at] == 'E') {
        at += text[at + 1] == '+' || text[at + 1] == '-' ? 2 : 1;
        size_t end = skip_digits(text, at);
        if (end == at) return false;
        at = end;
    }
    return text[at] == '\0';
}

bool gz_decimal_parse(const char *text, size_t length, double *value) {
    while (length > 0 && (*text == ' ' || *text == '\t')) text++, length--;
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t')) length--;
    char token[TOKEN_SIZE];
    if (length == 0 || length >= sizeof token || memchr(text, '\0', length) != NULL) return false;
    memcpy(token, text, length);
    token[length] = '\0';
    if (!is_decimal(token)) return false;
    *value = strtod(token, NULL);
    return true;
}

size_t gz_decimal_parse_numbers(const char *text, size_t length, double *values, size_t most) {
    for (size_t n = 0; n < most; n++) {
        const char *comma = memchr(text, ',', length);
        size_t size = comma ? (size_t)(comma - text) : length;
        if (!gz_decimal_parse(text, size, &values[n])) return 0;
        if (!comma) return n + 1;
        text += size + 1;
        length -= size + 1;
    }
    return 0;
}

bool gz_decimal_parse_list(const char *text, double *values, size_t count) {
    return gz_decimal_parse_numbers(text, strlen(text), values, count) == count;
}

bool gz_decimal_parse_count(const char *text, uint64_t *value) {
    if (*text == '\0') return false;
    uint64_t sum = 0;
    for (; *text != '\0'; text++) {
        if (!is_digit(*text)) return false;
        uint64_t digit = (uint64_t)(*text - '0');
        if (sum > (UINT64_MAX - digit) / 10) return false;
        sum = sum * 10 + digit;
    }
    *value = sum;
    return true;
}

const char *gz_decimal_format(char buffer[GZ_DECIMAL_SIZE], double value) {
    char text[GZ_DECIMAL_SIZE];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    memcpy(buffer, text, sizeof text);
    return buffer;
}

const char *gz_decimal_format_fixed(char buffer[GZ_DECIMAL_SIZE], double value, int decimals) {
    char text[GZ_DECIMAL_SIZE];
    bool plain = fabs(value) < 1e15;
    snprintf(text, sizeof text, plain ? "%.*f" : "%.*g", decimals, value);
    // A sign in front of nothing but zeros says more than the rounded number knows.
    bool zero = text[0] == '-' && strspn(text + 1, "0.") == strlen(text + 1);
    memcpy(buffer, text, sizeof text);
    if (zero) memmove(buffer, text + 1, sizeof text - 1);
    return buffer;
}

const char *gz_vector_format(char buffer[GZ_VECTOR_SIZE], graze_vec3 v) {
    char x[GZ_DECIMAL_SIZE], y[GZ_DECIMAL_SIZE], z[GZ_DECIMAL_SIZE];
    snprintf(buffer, GZ_VECTOR_SIZE, "(%s, %s, %s)", gz_decimal_format_fixed(x, v.x, 4),
             gz_decimal_format_fixed(y, v.y, 4), gz_decimal_format_fixed(z, v.z, 4));
    return buffer;
}

static int fail(const char *path, const char *why) {
    gz_message("%s: cannot be read: %s", path, why);
    return GZ_EXIT_INPUT;
}

static int read_stream(FILE *stream, const char *path, uint64_t limit, char **text, size_t *size) {
    size_t capacity = 0;
    for (;;) {
        if (*size > limit) {
            gz_message("%s: more than %llu bytes; allowed by --max-bytes: %llu", path,
                       (unsigned long long)limit, (unsigned long long)limit);
            return GZ_EXIT_LIMIT;
        }
        // A byte is kept for the end.
        if (!gz_array_reserve((void **)text, &capacity, *size + 65536, 1))
            return gz_message_no_memory();
        size_t got = fread(*text + *size, 1, capacity - *size - 1, stream);
        *size += got;
        // A signal that interrupts a read, and is not there to end the program, ends no input.
        bool resumes = got == 0 && ferror(stream) != 0 && errno == EINTR && !gz_interrupted();
        if (resumes) clearerr(stream);
        if (got == 0 && !resumes) break;
    }
    (*text)[*size] = '\0';
    return ferror(stream) == 0 ? GZ_EXIT_FINE : fail(path, strerror(errno));
}

static int read_file(const char *path, uint64_t limit, char **text, size_t *size) {
    struct stat file;
    // Not to wait for somebody who opens the other end of a pipe: it is refused.
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    FILE *stream = fd >= 0 ? fdopen(fd, "rb") : NULL;
    if (stream == NULL) {
        int status = fail(path, strerror(errno));
        if (fd >= 0) close(fd);
        return status;
    }
    int status = fstat(fd, &file) != 0    ? fail(path, strerror(errno))
                 : !S_ISREG(file.st_mode) ? fail(path, "no regular file")
                                          : read_stream(stream, path, limit, text, size);
    fclose(stream);
    return status;
}

int gz_text_input_read(const char *path, uint64_t limit, char **text, size_t *size) {
    *text = NULL;
    *size = 0;
    int status = path != NULL ? read_file(path, limit, text, size)
                              : read_stream(stdin, "<stdin>", limit, text, size);
    if (status == GZ_EXIT_FINE) return status;
    gz_free(*text);
    *text = NULL;
    return status;
}

bool gz_text_ends_with(const char *text, const char *ending) {
    size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

char *gz_text_escape_xml(const char *text) {
    enum { LONGEST = 6 }; // of what stands for a character
    char *out = gz_malloc(strlen(text) * LONGEST + 1, 1), *at = out;
    if (out == NULL) return NULL;
    for (; *text != '\0'; text++) {
        const char *entity = *text == '&'   ? "&amp;"
                             : *text == '<' ? "&lt;"
                             : *text == '"' ? "&quot;"
                                            : NULL;
        if (entity == NULL)
            *at++ = *text;
        else
            at += sprintf(at, "%s", entity);
    }
    *at = '\0';
    return out;
}
