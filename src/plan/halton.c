// The Halton sequence (Halton, "On the efficiency of certain quasi-random sequences of points in
// evaluating multi-dimensional integrals", 1960): number i of an axis has the digits of i in a
// prime base, behind the point and in reverse order. Between large bases such numbers go together,
// so each digit is permuted as Faure says ("Good permutations for extreme discrepancy", 1992).

#include <math.h>

#include "base/memory.h"
#include "math/trigonometry.h"
#include "plan/plan_internal.h"

// Numbers below COUNTED are counted, so that 2^32 more follow on any first one. Bases are at most
// 2^20: a power of one that is not below COUNTED is then at most 2^53, and exact as a double.
#define COUNTED (UINT64_C(1) << 33)
enum { DIGITS_MAX = 33 };

/// Faure's permutation of the digits 0 .. base - 1. Of an even base 2c it is twice that of c, then
/// the same plus 1; of an odd one 2c + 1 it is that of 2c with c put into the middle. 0 stays 0.
static uint32_t permute(uint32_t base, uint32_t digit) {
    uint32_t half = base / 2;
    if (base < 3) return digit;
    if (base % 2 == 0)
        return digit < half ? 2 * permute(half, digit) : 2 * permute(half, digit - half) + 1;
    if (digit == half) return half;
    uint32_t value = permute(base - 1, digit < half ? digit : digit - 1);
    return value + (value >= half);
}

/// A number that counts on: its digits, the last one first, and the fraction that they make.
typedef struct counter {
    uint32_t base, digits[DIGITS_MAX];
    uint64_t numerator, denominator; ///< of the fraction; the latter a power of the base
    uint64_t first;                  ///< weight of the last digit, which changes most
} counter;

struct gz_halton {
    const gz_plan_space *space;
    counter counters[]; ///< of the numbers, as the axes need them
};

static counter make_counter(uint32_t base, uint32_t index) {
    counter c = {.base = base, .denominator = base};
    while (c.denominator < COUNTED) c.denominator *= base;
    c.first = c.denominator / base;
    uint64_t weight = c.first;
    for (int k = 0; index > 0; k++, index /= base, weight /= base) {
        c.digits[k] = index % base;
        c.numerator += weight * permute(base, c.digits[k]);
    }
    return c;
}

/// The fraction, and one further.
static double count(counter *c) {
    double value = (double)c->numerator / (double)c->denominator;
    uint64_t weight = c->first;
    for (int k = 0; weight > 0; k++, weight /= c->base) {
        uint32_t *digit = &c->digits[k];
        c->numerator -= weight * permute(c->base, *digit);
        if (++*digit < c->base) {
            c->numerator += weight * permute(c->base, *digit);
            break;
        }
        *digit = 0;
    }
    return value;
}

static uint32_t next_prime(uint32_t after) {
    for (uint32_t n = after + 1;; n++) {
        uint32_t factor = 2;
        while (factor * factor <= n && n % factor != 0) factor++;
        if (factor * factor > n) return n;
    }
}

/// How many of the axes of a kind take a number each: three make a rotation.
static size_t number_count(graze_q_kind kind) {
    return kind == GRAZE_Q_ROTATION ? 3 : 1;
}

gz_halton *gz_halton_make(const gz_plan_space *space, uint32_t index) {
    size_t numbers = 0;
    for (size_t i = 0; i < space->dimension; i += gz_column_width(space->axes[i].kind))
        numbers += number_count(space->axes[i].kind);
    gz_halton *h = gz_malloc(1, sizeof *h + numbers * sizeof *h->counters);
    if (!h) return NULL;
    h->space = space;
    uint32_t prime = 1;
    for (size_t i = 0; i < numbers; i++) {
        prime = next_prime(prime);
        h->counters[i] = make_counter(prime, index);
    }
    return h;
}

void gz_halton_free(gz_halton *halton) {
    gz_free(halton);
}

/// A rotation from three numbers that are uniform in [0, 1) (Shoemake, "Uniform random rotations",
/// 1992).
static void set_rotation(const double u[3], double out[4]) {
    double sine, cosine, inner = sqrt(1 - u[0]), outer = sqrt(u[0]);
    gz_sine_cosine(GZ_TWO_PI * u[1], &sine, &cosine);
    out[0] = inner * sine;
    out[1] = inner * cosine;
    gz_sine_cosine(GZ_TWO_PI * u[2], &sine, &cosine);
    out[2] = outer * sine;
    out[3] = outer * cosine;
}

void gz_halton_next(gz_halton *h, double *state) {
    const gz_plan_space *space = h->space;
    counter *c = h->counters;
    for (size_t i = 0; i < space->dimension; i += gz_column_width(space->axes[i].kind)) {
        const gz_axis *axis = &space->axes[i];
        double u[3];
        for (size_t k = 0; k < number_count(axis->kind); k++) u[k] = count(c++);
        if (axis->kind == GRAZE_Q_ROTATION)
            set_rotation(u, &state[i]);
        else // rounding may go past the end
            state[i] = fmin(axis->low + (axis->high - axis->low) * u[0], axis->high);
    }
}
