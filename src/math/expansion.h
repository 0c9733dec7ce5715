/// Numbers as unevaluated sums of doubles (expansions), on which additions and products are exact.
///
/// An expansion of length n is x[0] + ... + x[n-1]: no component is zero, magnitudes grow with the
/// index and the bits of two components do not overlap, so its sign is that of the last one; zero
/// has length 0. The algorithms are those of Dekker (1971), Knuth and Shewchuk (1997, "Adaptive
/// precision floating-point arithmetic and fast robust geometric predicates"). They need: rounding
/// to nearest even, every operation rounded to double on its own, no overflow and no underflow.
/// The caller shows the last two (predicate.h does for orient2d and orient3d).
#ifndef GZ_MATH_EXPANSION_H
#define GZ_MATH_EXPANSION_H

#include <float.h>
#include <math.h>
#include <stddef.h>

// Excess precision or reassociation would void every proof here. Contraction into fused
// multiply-add leaves no trace in a macro: the build passes -ffp-contract=off, tests look.
#if defined(__FAST_MATH__)
#error "exact predicates need IEEE arithmetic: do not compile with -ffast-math"
#endif
_Static_assert(FLT_EVAL_METHOD == 0, "exact predicates need doubles that are evaluated as doubles");
_Static_assert(DBL_MANT_DIG == 53, "exact predicates need IEEE 754 binary64");

/// a + b = *high + *low exactly, *high = fl(a + b); for any a and b (Knuth).
static inline void gz_two_sum(double a, double b, double *high, double *low) {
    double sum = a + b;
    double b_rounded = sum - a;
    double a_rounded = sum - b_rounded;
    *low = (a - a_rounded) + (b - b_rounded);
    *high = sum;
}

/// The same for |a| >= |b| (Dekker).
static inline void gz_fast_two_sum(double a, double b, double *high, double *low) {
    double sum = a + b;
    *low = b - (sum - a);
    *high = sum;
}

/// a - b = *high + *low exactly.
static inline void gz_two_difference(double a, double b, double *high, double *low) {
    gz_two_sum(a, -b, high, low);
}

/// a = *high + *low with at most 26 bits each (Veltkamp); |a| below 2^996.
static inline void gz_split(double a, double *high, double *low) {
    double scaled = 0x8000001p0 * a;
    *high = scaled - (scaled - a);
    *low = a - *high;
}

/// a b = *high + *low exactly, *high = fl(a b) (Dekker). Deliberately without fma(): the bits are
/// the same on processors that have none.
static inline void gz_two_product(double a, double b, double *high, double *low) {
    double a_high, a_low, b_high, b_low;
    gz_split(a, &a_high, &a_low);
    gz_split(b, &b_high, &b_low);
    double product = a * b;
    double error = product - a_high * b_high;
    error -= a_low * b_high;
    error -= a_high * b_low;
    *low = a_low * b_low - error;
    *high = product;
}

/// a - b as an expansion of length 0 to 2.
static inline size_t gz_expansion_difference(double a, double b, double h[2]) {
    double high, low;
    gz_two_difference(a, b, &high, &low);
    size_t n = 0;
    if (low != 0) h[n++] = low;
    if (high != 0) h[n++] = high;
    return n;
}

/// h = e + f, at most n + m long; h must not overlap e or f. Returns its length.
size_t gz_expansion_sum(const double *e, size_t n, const double *f, size_t m, double *h);

/// h = e b, at most 2 n long; h must not overlap e.
size_t gz_expansion_scale(const double *e, size_t n, double b, double *h);

/// The longest first factor of gz_expansion_multiply().
#define GZ_EXPANSION_FACTOR 16

/// h = e f for n up to GZ_EXPANSION_FACTOR and m up to 2, at most 2 n m long; h must not overlap e.
size_t gz_expansion_multiply(const double *e, size_t n, const double *f, size_t m, double *h);

/// e = -e.
static inline void gz_expansion_negate(double *e, size_t n) {
    for (size_t i = 0; i < n; i++) e[i] = -e[i];
}

/// A double near the value, with its sign, 0 only for 0: relative error below 2^-48.
/// What the functions here return does not overlap; two components touch only where the smaller one
/// is a power of two, and none touches two others. (Shewchuk's theorem 13 has both for powers of
/// two; {2^54 + 4} + {-2^52 - 2, -2^54} is {-2, 4 - 2^52}. tests/oracle/small_format.cpp tries all
/// inputs of small formats.) So with 2^k the lowest bit of the last component
/// x, the others sum to less than 2^(k-1) + 2^(k-2), and the value is at least |x| / 4. Magnitudes
/// at least halve from one to the next, so the partial sums from the small end add up to at most
/// |x| (1 + 2/2 + 3/4 + 4/8 + ...) = 4 |x|, each rounded by at most its 2^-53: 16 * 2^-53 = 2^-49.
static inline double gz_expansion_estimate(const double *e, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += e[i];
    return sum;
}

#endif
