#include "math/wide_integer.h"

#include <limits.h>
#include <math.h>

int gz_wide_exponent(double x) {
    if (x == 0) return INT_MAX;
    int exponent;
    // 53 bits before the point: an integer, whose trailing zeros count.
    int64_t digits = (int64_t)ldexp(frexp(x, &exponent), 53);
    return exponent - 53 + __builtin_ctzll((uint64_t)digits);
}

int gz_wide_common_exponent(const double *x, size_t count) {
    int least = INT_MAX;
    for (size_t i = 0; i < count; i++) {
        int exponent = gz_wide_exponent(x[i]);
        least = exponent < least ? exponent : least;
    }
    return least;
}

/// Forgets leading zeros.
static void trim(gz_wide *a) {
    while (a->count > 0 && a->limb[a->count - 1] == 0) a->count--;
    if (a->count == 0) a->sign = 0;
}

void gz_wide_set(gz_wide *out, double x, int exponent) {
    out->sign = 0;
    out->count = 0;
    if (x == 0) return;
    int shift;
    uint64_t digits = (uint64_t)ldexp(frexp(fabs(x), &shift), 53);
    shift = shift - 53 - exponent;
    if (shift < 0) { // what is cut off is zero, as x is a multiple of 2^exponent
        digits >>= -shift;
        shift = 0;
    }
    int low = shift / 32, bits = shift % 32;
    for (int i = 0; i < low; i++) out->limb[i] = 0;
    out->limb[low] = (uint32_t)(digits << bits);
    digits = bits ? digits >> (32 - bits) : digits >> 32;
    out->limb[low + 1] = (uint32_t)digits;
    out->limb[low + 2] = (uint32_t)(digits >> 32);
    out->count = low + 3;
    out->sign = x < 0 ? -1 : 1;
    trim(out);
}

double gz_wide_value(const gz_wide *a, int exponent) {
    if (a->sign == 0) return 0;
    // The 64 bits from the highest one on; what is below them is cut off.
    int top = a->count - 1, zeros = __builtin_clz(a->limb[top]);
    uint64_t bits = (uint64_t)a->limb[top] << 32 | (top > 0 ? a->limb[top - 1] : 0);
    bits <<= zeros;
    if (zeros && top > 1) bits |= a->limb[top - 2] >> (32 - zeros);
    return a->sign * ldexp((double)bits, 32 * (top - 1) - zeros + exponent);
}

/// The sign of |a| - |b|.
static int compare_magnitudes(const gz_wide *a, const gz_wide *b) {
    if (a->count != b->count) return a->count < b->count ? -1 : 1;
    for (int i = a->count - 1; i >= 0; i--)
        if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

/// out = sign (|a| + |b|); the output may be an argument.
static void add_magnitudes(gz_wide *out, const gz_wide *a, const gz_wide *b, int32_t sign) {
    const gz_wide *longer = a->count >= b->count ? a : b, *shorter = longer == a ? b : a;
    int32_t many = longer->count, few = shorter->count;
    uint64_t carry = 0;
    for (int32_t i = 0; i < many; i++) {
        carry += longer->limb[i];
        if (i < few) carry += shorter->limb[i];
        out->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) out->limb[many++] = (uint32_t)carry;
    out->count = many;
    out->sign = sign;
}

/// out = sign (|a| - |b|) for |a| > |b|; the output may be an argument.
static void subtract_magnitudes(gz_wide *out, const gz_wide *a, const gz_wide *b, int32_t sign) {
    int64_t borrow = 0;
    int32_t many = a->count, few = b->count;
    for (int32_t i = 0; i < many; i++) {
        int64_t d = (int64_t)a->limb[i] - (i < few ? (int64_t)b->limb[i] : 0) - borrow;
        borrow = d < 0;
        out->limb[i] = (uint32_t)(d + (borrow << 32));
    }
    out->count = many;
    out->sign = sign;
    trim(out);
}

/// out = a + sign |b|.
static void add_signed(gz_wide *out, const gz_wide *a, const gz_wide *b, int32_t sign) {
    if (sign == 0) {
        if (out != a) *out = *a;
        return;
    }
    if (a->sign == 0 || a->sign == sign) {
        add_magnitudes(out, a, b, sign);
        return;
    }
    int order = compare_magnitudes(a, b);
    if (order == 0)
        out->sign = out->count = 0;
    else if (order > 0)
        subtract_magnitudes(out, a, b, a->sign);
    else
        subtract_magnitudes(out, b, a, sign);
}

void gz_wide_add(gz_wide *out, const gz_wide *a, const gz_wide *b) {
    add_signed(out, a, b, b->sign);
}

void gz_wide_subtract(gz_wide *out, const gz_wide *a, const gz_wide *b) {
    add_signed(out, a, b, -b->sign);
}

void gz_wide_multiply(gz_wide *out, const gz_wide *a, const gz_wide *b) {
    out->sign = a->sign * b->sign;
    out->count = 0;
    if (out->sign == 0) return;
    out->count = a->count + b->count;
    for (int32_t i = 0; i < b->count; i++) out->limb[i] = 0;
    for (int32_t i = 0; i < a->count; i++) {
        uint64_t carry = 0, x = a->limb[i];
        for (int32_t j = 0; j < b->count; j++) {
            // At most (2^32 - 1)^2 + 2 (2^32 - 1) = 2^64 - 1.
            carry += x * b->limb[j] + out->limb[i + j];
            out->limb[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        out->limb[i + b->count] = (uint32_t)carry;
    }
    trim(out);
}

int gz_wide_compare(const gz_wide *a, const gz_wide *b) {
    if (a->sign != b->sign) return a->sign < b->sign ? -1 : 1;
    int order = compare_magnitudes(a, b);
    return a->sign < 0 ? -order : order;
}

void gz_wide_dot(gz_wide *out, const gz_wide a[3], const gz_wide b[3]) {
    gz_wide product;
    gz_wide_multiply(out, &a[0], &b[0]);
    for (int k = 1; k < 3; k++) {
        gz_wide_multiply(&product, &a[k], &b[k]);
        gz_wide_add(out, out, &product);
    }
}

void gz_wide_cross(gz_wide out[3], const gz_wide a[3], const gz_wide b[3]) {
    gz_wide product;
    for (int k = 0; k < 3; k++) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        gz_wide_multiply(&out[k], &a[u], &b[v]);
        gz_wide_multiply(&product, &a[v], &b[u]);
        gz_wide_subtract(&out[k], &out[k], &product);
    }
}
