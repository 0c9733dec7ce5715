#include "cli/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
