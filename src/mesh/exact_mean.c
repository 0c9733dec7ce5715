#include "mesh/cap.h"

#include <math.h>

#define LIMBS 4
#define UNIT  (-152)

static void negate(gz_exact_sum *sum) {
    uint64_t carry = 1;
    for (int i = 0; i < LIMBS; i++) {
        sum->limb[i] = ~sum->limb[i] + carry;
        carry = carry && sum->limb[i] == 0;
    }
}

void gz_exact_sum_add(gz_exact_sum *sum, double x) {
    if (x == 0) return;
    // x = mantissa 2^(exponent - 53), the mantissa a whole number below 2^53: shift it into place.
    int exponent;
    uint64_t mantissa = (uint64_t)ldexp(frexp(fabs(x), &exponent), 53);
    unsigned shift = (unsigned)(exponent - 53 - UNIT), low = shift / 64, bits = shift % 64;
    gz_exact_sum term = {{0}};
    term.limb[low] = mantissa << bits;
    if (bits) term.limb[low + 1] = mantissa >> (64 - bits);
    if (x < 0) negate(&term);
    uint64_t carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        uint64_t part = sum->limb[i] + carry;
        carry = part < carry;
        sum->limb[i] = part + term.limb[i];
        carry += sum->limb[i] < part;
    }
}

double gz_exact_sum_mean(const gz_exact_sum *sum, size_t count) {
    gz_exact_sum size = *sum;
    bool negative = sum->limb[LIMBS - 1] >> 63;
    if (negative) negate(&size);
    int top = LIMBS - 1;
    while (top > 0 && size.limb[top] == 0) top--;
    if (size.limb[top] == 0) return 0;
    // The 64 bits from the highest one on; what is below them is cut off.
    int zeros = __builtin_clzll(size.limb[top]);
    uint64_t bits = size.limb[top] << zeros;
    if (zeros && top) bits |= size.limb[top - 1] >> (64 - zeros);
    double mean = ldexp((double)bits, 64 * top - zeros + UNIT) / (double)count;
    return negative ? -mean : mean;
}
