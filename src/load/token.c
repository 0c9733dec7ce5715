#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load/token.h"

// -------------------------------------------------------------------------------------- numbers

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// A decimal as an integer of at most MAX_DIGITS digits times a power of ten.
/// Whether a decimal lies above, on or below the midpoint of two doubles shows within its first 767
/// significant digits (the longest midpoint has that many); of the rest it only matters whether
/// any is not zero, for which one more digit suffices.
enum { MAX_DIGITS = 780, BUFFER_SIZE = MAX_DIGITS + 32 };

typedef struct decimal {
    char digits[BUFFER_SIZE];
    size_t count;
    long long exponent;
    bool more; ///< a digit other than 0 did not fit
} decimal;

static void add_digit(decimal *d, char c, bool after_point) {
    if (d->count == 0 && c == '0') { // leading zeros
        d->exponent -= after_point;
        return;
    }
    if (d->count < MAX_DIGITS) {
        d->digits[d->count++] = c;
        d->exponent -= after_point;
    } else {
        d->more |= c != '0';
        d->exponent += !after_point;
    }
}

/// The digits of text[i..n), with or without a point among them; false when there is none.
static bool scan_digits(const char *text, size_t n, size_t *at, decimal *d) {
    bool any = false, point = false;
    size_t i = *at;
    for (; i < n; i++) {
        if (is_digit(text[i])) {
            any = true;
            add_digit(d, text[i], point);
        } else if (text[i] == '.' && !point) {
            point = true;
        } else {
            break;
        }
    }
    *at = i;
    return any;
}

static bool scan_exponent(const char *text, size_t n, size_t *at, decimal *d) {
    size_t i = *at;
    if (i < n && (text[i] == 'e' || text[i] == 'E')) {
        i++;
        bool negative = i < n && text[i] == '-';
        if (i < n && (text[i] == '-' || text[i] == '+')) i++;
        if (i >= n || !is_digit(text[i])) return false;
        long long value = 0;
        for (; i < n && is_digit(text[i]); i++)
            if (value < 1000000000000000) value = value * 10 + (text[i] - '0');
        d->exponent += negative ? -value : value;
    }
    *at = i;
    return true;
}

bool gz_number_parse(const char *text, size_t n, double *value) {
    size_t i = 0;
    bool negative = n > 0 && text[0] == '-';
    if (n > 0 && (text[0] == '-' || text[0] == '+')) i++;
    const gz_word digits = {text + i, n - i};
    if (gz_word_is(digits, "inf") || gz_word_is(digits, "infinity")) {
        *value = negative ? -HUGE_VAL : HUGE_VAL;
        return true;
    }
    if (gz_word_is(digits, "nan")) {
        *value = (double)NAN;
        return true;
    }
    decimal d;
    d.count = 0;
    d.exponent = 0;
    d.more = false;
    if (!scan_digits(text, n, &i, &d) || !scan_exponent(text, n, &i, &d) || i != n) return false;
    if (d.count == 0) {
        *value = negative ? -0.0 : 0.0;
        return true;
    }
    if (d.more) {
        d.digits[d.count++] = '1';
        d.exponent--;
    }
    // Beyond +-10000 the result is 0 or infinity whatever the (at most 781) digits are.
    if (d.exponent > 10000) d.exponent = 10000;
    if (d.exponent < -10000) d.exponent = -10000;
    size_t end = d.count;
    d.digits[end++] = 'e';
    if (d.exponent < 0) d.digits[end++] = '-';
    unsigned magnitude = (unsigned)(d.exponent < 0 ? -d.exponent : d.exponent);
    for (unsigned unit = 10000; unit; unit /= 10)
        d.digits[end++] = (char)('0' + magnitude / unit % 10);
    d.digits[end] = '\0';
    // strtod rounds correctly, and only its decimal point depends on the locale: there is none
    // here.
    double magnitude_value = strtod(d.digits, NULL);
    *value = negative ? -magnitude_value : magnitude_value;
    return true;
}

void gz_number_format(char out[GZ_NUMBER_SIZE], double value) {
    for (int digits = 15; digits <= 17; digits++) {
        char text[64]; // the decimal point of the host's locale may be several bytes
        size_t n = 0;
        double back = 0;
        snprintf(text, sizeof text, "%.*g", digits, value);
        for (const char *at = text; *at; at++) {
            if (strchr("0123456789+-e", *at))
                out[n++] = *at;
            else if (n == 0 || out[n - 1] != '.')
                out[n++] = '.';
        }
        out[n] = '\0';
        if (gz_number_parse(out, n, &back) && back == value) return;
    }
}

/// Why a token is not a number, in words that fit the usual mistakes.
static graze_status fail_token(graze_error *error, gz_word token) {
    const bool comma = memchr(token.text, ',', token.size);
    return gz_fail(error, GRAZE_ERROR_SCHEMA, "\"%.*s%s\" is not a number; allowed: %s",
                   gz_word_shown(token), token.text, token.size > 40 ? "..." : "",
                   comma ? "a decimal point, and white space between numbers, no comma"
                         : "decimals such as 1, -0.5, 1e-3");
}

graze_status gz_numbers_parse(const char *text, double *values, size_t count, bool *odd_space,
                              graze_error *error) {
    // urdfdom splits at blanks alone and skips empty pieces, so only other white space is odd.
    if (odd_space) *odd_space = strpbrk(text, "\t\n\r") != NULL;
    size_t found = 0;
    gz_text_cursor cursor = gz_cursor_of_string(text);
    for (gz_word token; gz_cursor_word(&cursor, &token); found++) {
        double value;
        if (!gz_number_parse(token.text, token.size, &value)) return fail_token(error, token);
        if (!isfinite(value))
            return gz_fail(error, GRAZE_ERROR_RANGE,
                           "\"%.*s\" is not finite; allowed: finite numbers", gz_word_shown(token),
                           token.text);
        if (found < count) values[found] = value;
    }
    if (found == count) return GRAZE_OK;
    return gz_fail(error, GRAZE_ERROR_SCHEMA, "%zu number%s found; allowed: exactly %zu", found,
                   found == 1 ? "" : "s", count);
}

// ------------------------------------------------------------------------------------------ words

bool gz_whole_parse(gz_word word, uint64_t max, uint64_t *value) {
    if (word.size == 0 || word.size > 18) return false;
    *value = 0;
    for (size_t i = 0; i < word.size; i++) {
        if (!is_digit(word.text[i])) return false;
        *value = 10 * *value + (uint64_t)(word.text[i] - '0');
    }
    return *value <= max;
}

int gz_hex_digit(char c) {
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

void gz_percent_decode(char *text) {
    char *out = text;
    for (const char *p = text; *p; p++) {
        int high = *p == '%' ? gz_hex_digit(p[1]) : -1;
        int low = high >= 0 ? gz_hex_digit(p[2]) : -1;
        int byte = low >= 0 ? high * 16 + low : 0;
        if (byte > 0) {
            *out++ = (char)(unsigned char)byte;
            p += 2;
        } else {
            *out++ = *p;
        }
    }
    *out = '\0';
}

int gz_word_index(gz_word word, const char *list) {
    char lower[24];
    if (word.size > sizeof lower) return -1;
    for (size_t i = 0; i < word.size; i++) {
        const char c = word.text[i];
        lower[i] = (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
    }
    return gz_index_in_list(list, lower, word.size);
}

int gz_index_in_list(const char *list, const char *word, size_t n) {
    if (memchr(word, ' ', n) || memchr(word, '\0', n)) return -1;
    int index = 0;
    for (const char *p = list; p; index++) {
        p += index > 0;
        if (strncmp(p, word, n) == 0 && (p[n] == ' ' || p[n] == '\0')) return index;
        p = strchr(p, ' ');
    }
    return -1;
}
