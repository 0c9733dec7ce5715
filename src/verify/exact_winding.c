#include "verify/exact.h"

#include <limits.h>
#include <string.h>

#include "verify/verify_memory.h"

#define DIRECTIONS 64

struct gz_exact_winding {
    double point[3];
    double direction[3]; ///< whole numbers
    int turns;
    uint64_t random;
    int64_t sum;
    bool on_surface;
    gz_exact_vector p, d, r[3], t;
    mpz_t side[3], volume;
};

gz_exact_winding *gz_exact_winding_create(void) {
    gz_exact_winding *x = gz_verify_calloc(1, sizeof *x);
    if (x == NULL) return NULL;
    gz_exact_vector_init(&x->p);
    gz_exact_vector_init(&x->d);
    gz_exact_vector_init(&x->t);
    for (int k = 0; k < 3; k++) gz_exact_vector_init(&x->r[k]);
    mpz_inits(x->side[0], x->side[1], x->side[2], x->volume, NULL);
    return x;
}

void gz_exact_winding_free(gz_exact_winding *x) {
    if (x == NULL) return;
    gz_exact_vector_clear(&x->p);
    gz_exact_vector_clear(&x->d);
    gz_exact_vector_clear(&x->t);
    for (int k = 0; k < 3; k++) gz_exact_vector_clear(&x->r[k]);
    mpz_clears(x->side[0], x->side[1], x->side[2], x->volume, NULL);
    gz_verify_free(x);
}

static void restart(gz_exact_winding *x) {
    x->sum = 0;
    x->on_surface = false;
    gz_exact_vector_set(&x->d, x->direction, 0);
}

void gz_exact_winding_begin(gz_exact_winding *x, const double point[3]) {
    memcpy(x->point, point, sizeof x->point);
    x->turns = 0;
    x->random = UINT64_C(0x9e3779b97f4a7c15);
    x->direction[0] = 1;
    x->direction[1] = x->direction[2] = 0;
    restart(x);
}

bool gz_exact_winding_turn(gz_exact_winding *x) {
    if (++x->turns == DIRECTIONS) return false;
    for (int k = 0; k < 3; k++) {
        // Marsaglia's xorshift (2003): any sequence would do.
        x->random ^= x->random << 13;
        x->random ^= x->random >> 7;
        x->random ^= x->random << 17;
        x->direction[k] = (double)(x->random >> 44) - 0x1p19;
    }
    restart(x);
    return true;
}

/// Whether the half line along x surely misses: doubles compared as they are, nothing rounds.
static bool misses(const gz_exact_winding *x, const gz_winding_triangle *t) {
    if (x->turns > 0) return false;
    const double *p = x->point, *a = t->corners[0], *b = t->corners[1], *c = t->corners[2];
    if (a[0] < p[0] && b[0] < p[0] && c[0] < p[0]) return true;
    for (int k = 1; k < 3; k++) {
        if (a[k] < p[k] && b[k] < p[k] && c[k] < p[k]) return true;
        if (a[k] > p[k] && b[k] > p[k] && c[k] > p[k]) return true;
    }
    return false;
}

/// r = corners less the point, as integers.
static void load(gz_exact_winding *x, const gz_winding_triangle *t) {
    int exponent = gz_exact_common_exponent(x->point, 3);
    for (int i = 0; i < 3; i++) {
        int own = gz_exact_common_exponent(t->corners[i], 3);
        if (own < exponent) exponent = own;
    }
    if (exponent == INT_MAX) exponent = 0;
    gz_exact_vector_set(&x->p, x->point, exponent);
    for (int i = 0; i < 3; i++) {
        gz_exact_vector_set(&x->r[i], t->corners[i], exponent);
        gz_exact_subtract(&x->r[i], &x->r[i], &x->p);
    }
}

bool gz_exact_winding_add(gz_exact_winding *x, const gz_winding_triangle *t) {
    if (t->weight == 0 || misses(x, t)) return true;
    load(x, t);
    // The sides of the line's three edges: the line passes through the inside when all agree.
    bool positive = true, negative = true, border = false;
    for (int e = 0; e < 3; e++) {
        gz_exact_cross(&x->t, &x->r[e], &x->r[(e + 1) % 3]);
        gz_exact_dot(x->side[e], &x->d, &x->t);
        int sign = mpz_sgn(x->side[e]);
        positive = positive && sign >= 0;
        negative = negative && sign <= 0;
        border = border || sign == 0;
    }
    if (!positive && !negative) return true;
    // The crossing is at p + s d, where s has the sign of volume times the sum of the sides.
    gz_exact_cross(&x->t, &x->r[1], &x->r[2]);
    gz_exact_dot(x->volume, &x->r[0], &x->t);
    if (border) {
        mpz_add(x->side[0], x->side[0], x->side[1]);
        mpz_add(x->side[0], x->side[0], x->side[2]);
        // Behind the point a border does not matter.
        return mpz_sgn(x->volume) * mpz_sgn(x->side[0]) < 0;
    }
    int outward = positive ? 1 : -1;
    if (mpz_sgn(x->volume) == 0) x->on_surface = true;
    if (mpz_sgn(x->volume) * outward > 0) x->sum += outward * (int64_t)t->weight;
    return true;
}

int64_t gz_exact_winding_sum(const gz_exact_winding *x) {
    return x->sum;
}

bool gz_exact_winding_on_surface(const gz_exact_winding *x) {
    return x->on_surface;
}
