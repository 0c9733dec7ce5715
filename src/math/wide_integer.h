/// Integers of up to GZ_WIDE_BITS bits, without allocation: for questions whose polynomials are too
/// long for expansions (expansion.h), a few thousand times a second at most.
///
/// Doubles become integers by one common power of two (gz_wide_set), so that sums, products and
/// comparisons are those of the numbers themselves. The caller shows that nothing gets longer than
/// GZ_WIDE_BITS.
#ifndef GZ_MATH_WIDE_INTEGER_H
#define GZ_MATH_WIDE_INTEGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GZ_WIDE_LIMBS 36
#define GZ_WIDE_BITS  (32 * GZ_WIDE_LIMBS)

/// sign * (limb[0] + 2^32 limb[1] + ...); the highest limb in use is not 0, and zero has none.
typedef struct gz_wide {
    int32_t sign; ///< -1, 0, 1
    int32_t count;
    uint32_t limb[GZ_WIDE_LIMBS];
} gz_wide;

/// The largest e for which a finite x is a multiple of 2^e; INT_MAX for 0.
int gz_wide_exponent(double x);
/// The least of these over several numbers.
int gz_wide_common_exponent(const double *x, size_t count);

/// out = x 2^-exponent, exactly; exponent at most gz_wide_exponent(x).
void gz_wide_set(gz_wide *out, double x, int exponent);

/// a 2^exponent, rounded twice, each time by at most 2^-53 of it.
double gz_wide_value(const gz_wide *a, int exponent);

// The output may be an argument, but for gz_wide_multiply().
void gz_wide_add(gz_wide *out, const gz_wide *a, const gz_wide *b);
void gz_wide_subtract(gz_wide *out, const gz_wide *a, const gz_wide *b);
void gz_wide_multiply(gz_wide *out, const gz_wide *a, const gz_wide *b);

/// The sign of a - b.
int gz_wide_compare(const gz_wide *a, const gz_wide *b);

/// Vectors of three.
void gz_wide_dot(gz_wide *out, const gz_wide a[3], const gz_wide b[3]);
void gz_wide_cross(gz_wide out[3], const gz_wide a[3], const gz_wide b[3]);

#endif
