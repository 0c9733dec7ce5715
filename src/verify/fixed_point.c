#include "verify/kinematics.h"

#include <math.h>

#include "verify/exact.h"

// How often an angle is halved before its series: what a unit is off grows by 4 in each doubling.
#define HALVINGS 72
// Terms of the series: angles below 2^-12 leave less than 2^-12*36 of it behind.
#define TERMS 36

void gz_fixed_set(mpz_t out, double x) {
    gz_exact_set(out, x, -GZ_FIXED_BITS);
}

void gz_fixed_multiply(mpz_t out, const mpz_t a, const mpz_t b) {
    mpz_mul(out, a, b);
    mpz_fdiv_q_2exp(out, out, GZ_FIXED_BITS);
}

void gz_fixed_divide(mpz_t out, const mpz_t a, const mpz_t b) {
    mpz_t scaled;
    mpz_init(scaled);
    mpz_mul_2exp(scaled, a, GZ_FIXED_BITS);
    mpz_fdiv_q(out, scaled, b);
    mpz_clear(scaled);
}

void gz_fixed_root(mpz_t out, const mpz_t a) {
    mpz_mul_2exp(out, a, GZ_FIXED_BITS);
    mpz_sqrt(out, out);
}

/// out = 1
static void set_one(mpz_t out) {
    mpz_set_ui(out, 1);
    mpz_mul_2exp(out, out, GZ_FIXED_BITS);
}

/// Taylor's series at an angle below 2^-12, then the formulas for the double angle.
void gz_fixed_sine_cosine(mpz_t sine, mpz_t cosine, const mpz_t angle) {
    mpz_t small, term, one, square;
    mpz_inits(small, term, one, square, NULL);
    set_one(one);
    mpz_fdiv_q_2exp(small, angle, HALVINGS);
    // x^k / k!, added to cosine and sine in turn, with the signs + + - -.
    mpz_set(term, one);
    mpz_set(cosine, one);
    mpz_set_ui(sine, 0);
    for (unsigned long k = 1; k < TERMS; k++) {
        gz_fixed_multiply(term, term, small);
        mpz_fdiv_q_ui(term, term, k);
        mpz_ptr sum = k % 2 == 1 ? sine : cosine;
        if (k % 4 < 2) {
            mpz_add(sum, sum, term);
        } else {
            mpz_sub(sum, sum, term);
        }
    }
    for (int k = 0; k < HALVINGS; k++) {
        gz_fixed_multiply(sine, sine, cosine); // sin 2x = 2 sin x cos x
        mpz_mul_2exp(sine, sine, 1);
        gz_fixed_multiply(square, cosine, cosine); // cos 2x = 2 cos^2 x - 1
        mpz_mul_2exp(square, square, 1);
        mpz_sub(cosine, square, one);
    }
    mpz_clears(small, term, one, square, NULL);
}

// ---------------------------------------------------------------------------------------- poses

void gz_fixed_pose_init(gz_fixed_pose *pose) {
    for (int i = 0; i < 12; i++) mpz_init(pose->m[i]);
}

void gz_fixed_pose_clear(gz_fixed_pose *pose) {
    for (int i = 0; i < 12; i++) mpz_clear(pose->m[i]);
}

void gz_fixed_pose_set(gz_fixed_pose *pose, const double m[12]) {
    for (int i = 0; i < 12; i++) gz_fixed_set(pose->m[i], m[i]);
}

void gz_fixed_pose_identity(gz_fixed_pose *pose) {
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    gz_fixed_pose_set(pose, identity);
}

void gz_fixed_pose_multiply(gz_fixed_pose *out, const gz_fixed_pose *a, const gz_fixed_pose *b) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            mpz_ptr sum = out->m[4 * i + j];
            mpz_set_ui(sum, 0);
            for (int k = 0; k < 3; k++) mpz_addmul(sum, a->m[4 * i + k], b->m[4 * k + j]);
            mpz_fdiv_q_2exp(sum, sum, GZ_FIXED_BITS);
            if (j == 3) mpz_add(sum, sum, a->m[4 * i + 3]);
        }
    }
}

void gz_fixed_pose_apply(mpz_t *out, const gz_fixed_pose *pose, const double p[3]) {
    mpz_t x;
    mpz_init(x);
    for (int i = 0; i < 3; i++) {
        mpz_set_ui(out[i], 0);
        for (int k = 0; k < 3; k++) {
            gz_fixed_set(x, p[k]);
            mpz_addmul(out[i], pose->m[4 * i + k], x);
        }
        mpz_fdiv_q_2exp(out[i], out[i], GZ_FIXED_BITS);
        mpz_add(out[i], out[i], pose->m[4 * i + 3]);
    }
    mpz_clear(x);
}

bool gz_fixed_normalize(mpz_t *v, int count) {
    mpz_t sum;
    mpz_init(sum);
    for (int i = 0; i < count; i++) mpz_addmul(sum, v[i], v[i]);
    mpz_sqrt(sum, sum); // |v|, in units
    bool some = mpz_sgn(sum) > 0;
    for (int i = 0; some && i < count; i++) gz_fixed_divide(v[i], v[i], sum);
    mpz_clear(sum);
    return some;
}

bool gz_fixed_direction(mpz_t *v, const double *x, int count) {
    double largest = 0;
    for (int i = 0; i < count; i++) largest = fmax(largest, fabs(x[i]));
    int exponent = 0;
    frexp(largest, &exponent);
    for (int i = 0; i < count; i++) gz_exact_set(v[i], x[i], exponent - GZ_FIXED_BITS);
    return gz_fixed_normalize(v, count);
}

void gz_fixed_pose_turn(gz_fixed_pose *pose, mpz_t *axis, const mpz_t angle) {
    mpz_t s, c, rest, x;
    mpz_inits(s, c, rest, x, NULL);
    gz_fixed_normalize(axis, 3);
    gz_fixed_sine_cosine(s, c, angle);
    set_one(rest);
    mpz_sub(rest, rest, c);
    // R = cos I + (1 - cos) u u^T + sin [u]x
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            mpz_ptr out = pose->m[4 * i + j];
            gz_fixed_multiply(out, axis[i], axis[j]);
            gz_fixed_multiply(out, out, rest);
            if (i == j) {
                mpz_add(out, out, c);
                continue;
            }
            int k = 3 - i - j;
            gz_fixed_multiply(x, s, axis[k]);
            if ((i + 1) % 3 == j) { // [u]x has -u_k there
                mpz_sub(out, out, x);
            } else {
                mpz_add(out, out, x);
            }
        }
    }
    mpz_clears(s, c, rest, x, NULL);
}
