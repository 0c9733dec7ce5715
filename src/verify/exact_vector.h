/// Vectors of big integers. Doubles become integers by one common power of two, so that every sum,
/// product and comparison below is that of the numbers themselves, without any rounding.
#ifndef GZ_VERIFY_EXACT_VECTOR_H
#define GZ_VERIFY_EXACT_VECTOR_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>

/// Three coordinates.
typedef struct gz_exact_vector {
    mpz_t x[3];
} gz_exact_vector;

/// The exponent e of the lowest set bit of a finite x != 0: x is a multiple of 2^e and of no
/// greater power of two. 0 counts as a multiple of everything: INT_MAX.
int gz_exact_exponent(double x);
/// The least exponent of several numbers; INT_MAX when all are 0.
int gz_exact_common_exponent(const double *x, size_t count);
/// out = x 2^-exponent, an integer when exponent is not above gz_exact_exponent(x).
void gz_exact_set(mpz_t out, double x, int exponent);

void gz_exact_vector_init(gz_exact_vector *v);
void gz_exact_vector_clear(gz_exact_vector *v);
void gz_exact_vector_set(gz_exact_vector *out, const double x[3], int exponent);

// Arguments may be one another, but for the output of gz_exact_cross() and gz_exact_dot().
void gz_exact_subtract(gz_exact_vector *out, const gz_exact_vector *a, const gz_exact_vector *b);
void gz_exact_cross(gz_exact_vector *out, const gz_exact_vector *a, const gz_exact_vector *b);
void gz_exact_dot(mpz_t out, const gz_exact_vector *a, const gz_exact_vector *b);
bool gz_exact_is_zero(const gz_exact_vector *v);
bool gz_exact_equal(const gz_exact_vector *a, const gz_exact_vector *b);

#endif
