#include "verify/exact.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>

int gz_exact_exponent(double x) {
    if (x == 0) return INT_MAX;
    int exponent;
    double fraction = frexp(x, &exponent);
    uint64_t bits = (uint64_t)fabs(ldexp(fraction, 53)); // a whole number below 2^53
    int low = 0;
    for (; (bits & 1) == 0; bits >>= 1) low++;
    return exponent - 53 + low;
}

int gz_exact_common_exponent(const double *x, size_t count) {
    int least = INT_MAX;
    for (size_t i = 0; i < count; i++) {
        int exponent = gz_exact_exponent(x[i]);
        if (exponent < least) least = exponent;
    }
    return least;
}

void gz_exact_set(mpz_t out, double x, int exponent) {
    if (x == 0) {
        mpz_set_ui(out, 0);
        return;
    }
    // The bits of x as an integer, then the rest of the power of two: ldexp() could overflow.
    int own;
    double whole = ldexp(frexp(x, &own), 53);
    mpz_set_d(out, whole);
    int shift = own - 53 - exponent;
    if (shift >= 0) {
        mpz_mul_2exp(out, out, (mp_bitcnt_t)shift);
    } else {
        mpz_tdiv_q_2exp(out, out, (mp_bitcnt_t)-shift); // zeros fall off, nothing else
    }
}

void gz_exact_vector_init(gz_exact_vector *v) {
    mpz_inits(v->x[0], v->x[1], v->x[2], NULL);
}

void gz_exact_vector_clear(gz_exact_vector *v) {
    mpz_clears(v->x[0], v->x[1], v->x[2], NULL);
}

void gz_exact_vector_set(gz_exact_vector *out, const double x[3], int exponent) {
    for (int k = 0; k < 3; k++) gz_exact_set(out->x[k], x[k], exponent);
}

void gz_exact_subtract(gz_exact_vector *out, const gz_exact_vector *a, const gz_exact_vector *b) {
    for (int k = 0; k < 3; k++) mpz_sub(out->x[k], a->x[k], b->x[k]);
}

void gz_exact_cross(gz_exact_vector *out, const gz_exact_vector *a, const gz_exact_vector *b) {
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        mpz_mul(out->x[k], a->x[i], b->x[j]);
        mpz_submul(out->x[k], a->x[j], b->x[i]);
    }
}

void gz_exact_dot(mpz_t out, const gz_exact_vector *a, const gz_exact_vector *b) {
    mpz_mul(out, a->x[0], b->x[0]);
    mpz_addmul(out, a->x[1], b->x[1]);
    mpz_addmul(out, a->x[2], b->x[2]);
}

bool gz_exact_is_zero(const gz_exact_vector *v) {
    return mpz_sgn(v->x[0]) == 0 && mpz_sgn(v->x[1]) == 0 && mpz_sgn(v->x[2]) == 0;
}

bool gz_exact_equal(const gz_exact_vector *a, const gz_exact_vector *b) {
    return mpz_cmp(a->x[0], b->x[0]) == 0 && mpz_cmp(a->x[1], b->x[1]) == 0 &&
           mpz_cmp(a->x[2], b->x[2]) == 0;
}
