#include "load/token.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

// ---------------------------------------------------------------------------------------- files

static graze_status fail_errno(graze_error *error, const char *path, int number) {
    graze_status status = number == ENOENT || number == ENOTDIR ? GRAZE_ERROR_NOT_FOUND
                                                                : GRAZE_ERROR_IO;
    if (number == ENOMEM) status = GRAZE_ERROR_NO_MEMORY;
    char reason[128];
    // GNU strerror_r: thread-safe, and returns the text wherever it put it.
    const char *text = strerror_r(number, reason, sizeof reason);
    return gz_fail_at(error, status, (gz_place){.file = path}, "cannot read %s: %s", path, text);
}

static graze_status read_open_file(int descriptor, const char *path, uint64_t limit_bytes,
                                   char **bytes, size_t *size, graze_error *error) {
    gz_place place = {.file = path};
    struct stat about;
    if (fstat(descriptor, &about) != 0) return fail_errno(error, path, errno);
    if (S_ISDIR(about.st_mode))
        return gz_fail_at(error, GRAZE_ERROR_IO, place, "%s is a folder; allowed: a regular file",
                          path);
    if (!S_ISREG(about.st_mode))
        return gz_fail_at(error, GRAZE_ERROR_IO, place,
                          "%s is a device, pipe or socket; allowed: a regular file", path);
    uint64_t length = (uint64_t)about.st_size;
    if (length > limit_bytes || length >= SIZE_MAX)
        return gz_fail_at(error, GRAZE_ERROR_LIMIT, place,
                          "%s has %llu bytes; allowed: at most %llu (limits.file_bytes)", path,
                          (unsigned long long)length, (unsigned long long)limit_bytes);
    char *memory = gz_malloc((size_t)length + 1, 1);
    if (!memory) return gz_fail_memory(error);
    size_t have = 0;
    while (have < length) {
        ssize_t n = read(descriptor, memory + have, (size_t)length - have);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            int number = errno;
            gz_free(memory);
            return fail_errno(error, path, number);
        }
        if (n == 0) break;
        have += (size_t)n;
    }
    if (have < length) {
        gz_free(memory);
        return gz_fail_at(error, GRAZE_ERROR_IO, place,
                          "%s ended after %zu of %llu bytes: it shrank while it was read", path,
                          have, (unsigned long long)length);
    }
    memory[have] = '\0';
    *bytes = memory;
    *size = have;
    return GRAZE_OK;
}

graze_status gz_file_read(const char *path, uint64_t limit_bytes, char **bytes, size_t *size,
                          graze_error *error) {
    *bytes = NULL;
    *size = 0;
    // O_NONBLOCK: opening a pipe that nobody writes to must not hang.
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return fail_errno(error, path, errno);
    graze_status status = read_open_file(descriptor, path, limit_bytes, bytes, size, error);
    close(descriptor);
    return status;
}

bool gz_file_exists(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

bool gz_folder_exists(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

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
