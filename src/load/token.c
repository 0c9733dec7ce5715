#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "load/token.h"

// ---------------------------------------------------------------------------------------- lines

graze_status gz_text_check_returns(const char *text, size_t size, const char *path,
                                   graze_error *error) {
    const char *end = text + size, *at = text;
    while ((at = memchr(at, '\r', (size_t)(end - at)))) {
        // Several: what a CRLF becomes when it is converted once more.
        while (at < end && *at == '\r') at++;
        if (at == end || *at == '\n') continue;
        int32_t line = 1;
        for (const char *p = text; p < at && line < INT32_MAX; p++) line += *p == '\n';
        return gz_fail_at(error, GRAZE_ERROR_PARSE, (gz_place){.file = path, .line = line},
                          "a carriage return without a line feed behind it; allowed: lines that "
                          "end with LF or CR LF");
    }
    return GRAZE_OK;
}

// -------------------------------------------------------------------------------------- numbers

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool equals_ignoring_case(const char *text, size_t n, const char *lower) {
    if (n != strlen(lower)) return false;
    for (size_t i = 0; i < n; i++) {
        char c = text[i];
        if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
        if (c != lower[i]) return false;
    }
    return true;
}

/// A decimal as an integer of at most MAX_DIGITS digits times a power of ten.
/// Whether a decimal lies above, on or below the midpoint of two doubles shows within its first 767
/// significant digits (the longest midpoint has that many); of the rest it only matters whether
/// any is not zero, which one more digit says.
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
    if (equals_ignoring_case(text + i, n - i, "inf") ||
        equals_ignoring_case(text + i, n - i, "infinity")) {
        *value = negative ? -HUGE_VAL : HUGE_VAL;
        return true;
    }
    if (equals_ignoring_case(text + i, n - i, "nan")) {
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
    // Beyond +-10000 the result is 0 or infinity whatever the (at most 781) digits say.
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

/// Why a token is not a number, in words that fit the usual mistakes.
static graze_status fail_token(graze_error *error, const char *token, size_t n) {
    int shown = n > 40 ? 40 : (int)n;
    const char *cut = n > 40 ? "..." : "";
    for (size_t i = 0; i < n; i++)
        if (token[i] == ',')
            return gz_fail(error, GRAZE_ERROR_SCHEMA,
                           "\"%.*s%s\" is not a number; allowed: a decimal point, and white space "
                           "between numbers, no comma",
                           shown, token, cut);
    return gz_fail(error, GRAZE_ERROR_SCHEMA,
                   "\"%.*s%s\" is not a number; allowed: decimals such as 1, -0.5, 1e-3", shown,
                   token, cut);
}

graze_status gz_numbers_parse(const char *text, double *values, size_t count, bool *odd_space,
                              graze_error *error) {
    if (odd_space) *odd_space = false;
    size_t found = 0;
    const char *p = text;
    for (;;) {
        const char *gap = p;
        while (is_space(*p)) p++;
        // urdfdom splits at blanks alone and skips empty pieces, so only other white space is odd.
        for (const char *s = gap; odd_space && s < p; s++)
            if (*s != ' ') *odd_space = true;
        if (!*p) break;
        const char *token = p;
        while (*p && !is_space(*p)) p++;
        size_t n = (size_t)(p - token);
        double value;
        if (!gz_number_parse(token, n, &value)) return fail_token(error, token, n);
        if (!isfinite(value))
            return gz_fail(error, GRAZE_ERROR_RANGE,
                           "\"%.*s\" is not finite; allowed: finite numbers", n > 40 ? 40 : (int)n,
                           token);
        if (found < count) values[found] = value;
        found++;
    }
    if (found != count)
        return gz_fail(error, GRAZE_ERROR_SCHEMA, "%zu number%s found; allowed: exactly %zu", found,
                       found == 1 ? "" : "s", count);
    return GRAZE_OK;
}

// --------------------------------------------------------------------------------------- spelling

enum { MOST_BYTES = 255 };

uint32_t gz_edit_distance(const char *a, const char *b, uint32_t limit) {
    size_t n = strlen(a), m = strlen(b);
    size_t gap = n > m ? n - m : m - n;
    if (n > MOST_BYTES || m > MOST_BYTES || gap > limit) return limit + 1;
    // Row i of the table of distances between the first i bytes of a and the first j of b
    // (Wagner and Fischer 1974), overwriting row i - 1.
    uint32_t row[MOST_BYTES + 1];
    for (size_t j = 0; j <= m; j++) row[j] = (uint32_t)j;
    for (size_t i = 1; i <= n; i++) {
        uint32_t diagonal = row[0];
        row[0] = (uint32_t)i;
        uint32_t least = row[0];
        for (size_t j = 1; j <= m; j++) {
            uint32_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            uint32_t shorter = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = replaced < shorter ? replaced : shorter;
            if (row[j] < least) least = row[j];
        }
        if (least > limit) return limit + 1; // later rows never get smaller
    }
    return row[m] <= limit ? row[m] : limit + 1;
}

gz_spelling gz_spelling_start(const char *wanted) {
    // One slip, and one more for every six letters: farther off is another name, not a slip.
    uint32_t most = (uint32_t)(strlen(wanted) / 6) + 1;
    return (gz_spelling){wanted, most + 1, -1};
}

bool gz_spelling_try(gz_spelling *nearest, const char *name, int32_t index) {
    if (nearest->distance == 0) return false;
    uint32_t distance = gz_edit_distance(nearest->wanted, name, nearest->distance - 1);
    if (distance >= nearest->distance) return false;
    nearest->distance = distance;
    nearest->index = index;
    return true;
}
