#include "verify/exact_cylinder.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "verify/exact.h"
#include "verify/nearest_points.h"
#include "verify/verify_memory.h"

// How much smaller a cylinder is made when a point inside is looked for: far more than doubles may
// be off for coordinates up to 1 km (out to 2^20 m they may be off by 2^-32 m, and contacts there
// stay undecided).
#define DEPTH GZ_CYLINDER_DEPTH
#define INSET (2 * DEPTH)

// Bits behind the point of square roots.
#define ROOT_BITS 96

struct gz_exact_cylinder {
    gz_exact_vector a, d, w, n, t; ///< an end, the axis, a point from the end, a direction
    mpz_t length, height, rest, i, j, radius;
    mpz_t gap, needed;
};

static void each_number(gz_exact_cylinder *x, void (*vector)(gz_exact_vector *)) {
    gz_exact_vector *vectors[] = {&x->a, &x->d, &x->w, &x->n, &x->t};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) vector(vectors[i]);
}

gz_exact_cylinder *gz_exact_cylinder_create(void) {
    gz_exact_cylinder *x = gz_verify_calloc(1, sizeof *x);
    if (x == NULL) return NULL;
    each_number(x, gz_exact_vector_init);
    mpz_inits(x->length, x->height, x->rest, x->i, x->j, x->radius, x->gap, x->needed, NULL);
    return x;
}

void gz_exact_cylinder_free(gz_exact_cylinder *x) {
    if (x == NULL) return;
    each_number(x, gz_exact_vector_clear);
    mpz_clears(x->length, x->height, x->rest, x->i, x->j, x->radius, x->gap, x->needed, NULL);
    gz_verify_free(x);
}

static int least(int a, int b) {
    return a < b ? a : b;
}

/// The exponent that makes integers of a solid's numbers.
static int solid_exponent(const gz_solid *s) {
    return least(gz_exact_common_exponent(s->core.corners[0], 3 * (size_t)s->core.count),
                 gz_exact_common_exponent(&s->radius, 1));
}

/// a, d and length = d . d of a cylinder, at a scale.
static void load_axis(gz_exact_cylinder *x, const gz_solid *s, int exponent) {
    gz_exact_vector_set(&x->a, s->core.corners[0], exponent);
    gz_exact_vector_set(&x->d, s->core.corners[1], exponent);
    gz_exact_subtract(&x->d, &x->d, &x->a);
    gz_exact_dot(x->length, &x->d, &x->d);
}

// ------------------------------------------------------------------------- points and cylinders

/// Loads a point beside an axis: with L = d . d, height h = w . d (h / sqrt L along the axis) and
/// rest = |w|^2 L - h^2 (rest / L is the square of the distance from the axis).
static void load_point(gz_exact_cylinder *x, const gz_solid *s, const double p[3], int exponent) {
    load_axis(x, s, exponent);
    gz_exact_vector_set(&x->w, p, exponent);
    gz_exact_subtract(&x->w, &x->w, &x->a);
    gz_exact_dot(x->height, &x->w, &x->d);
    gz_exact_dot(x->rest, &x->w, &x->w);
    mpz_mul(x->rest, x->rest, x->length);
    mpz_submul(x->rest, x->height, x->height);
}

bool gz_exact_cylinder_is_deep(gz_exact_cylinder *x, const gz_solid *s, const double p[3]) {
    double depth = DEPTH;
    int exponent = least(least(solid_exponent(s), gz_exact_common_exponent(p, 3)),
                         gz_exact_exponent(depth));
    load_point(x, s, p, exponent);
    // From both ends: 0 <= h, h^2 >= depth^2 L, and so for L - h.
    gz_exact_set(x->i, depth, exponent);
    mpz_mul(x->j, x->i, x->i);
    mpz_mul(x->j, x->j, x->length);
    for (int end = 0; end < 2; end++) {
        if (mpz_sgn(x->height) < 0) return false;
        mpz_mul(x->needed, x->height, x->height);
        if (mpz_cmp(x->needed, x->j) < 0) return false;
        mpz_sub(x->height, x->length, x->height);
    }
    // From the side: rest / L <= (radius - depth)^2.
    gz_exact_set(x->radius, s->radius, exponent);
    mpz_sub(x->radius, x->radius, x->i);
    if (mpz_sgn(x->radius) < 0) return false;
    mpz_mul(x->j, x->radius, x->radius);
    mpz_mul(x->j, x->j, x->length);
    return mpz_cmp(x->rest, x->j) <= 0;
}

/// Whether a point is at most `reach` (in x->i, at the scale of what is loaded) from the cylinder:
/// with e = how far h is beyond an end, and the distance s = sqrt(rest / L) from the axis:
/// beside the cylinder e^2 / L <= reach^2 where s <= radius, and e^2 / L + (s - radius)^2 <=
/// reach^2 elsewhere. Times L: e^2 + rest + (radius^2 - reach^2) L <= 2 radius sqrt(rest L),
/// decided by the signs and the squares of both sides.
static bool is_loaded_point_near(gz_exact_cylinder *x) {
    mpz_t *beyond = &x->height;
    if (mpz_sgn(*beyond) >= 0) {
        mpz_sub(*beyond, *beyond, x->length);
        if (mpz_sgn(*beyond) < 0) mpz_set_ui(*beyond, 0);
    }
    mpz_mul(x->needed, *beyond, *beyond); // e^2
    mpz_mul(x->i, x->i, x->i);            // reach^2
    mpz_mul(x->gap, x->i, x->length);
    if (mpz_cmp(x->needed, x->gap) > 0) return false; // too far along the axis alone
    mpz_mul(x->j, x->radius, x->radius);
    mpz_mul(x->gap, x->j, x->length);
    if (mpz_cmp(x->rest, x->gap) <= 0) return true; // beside an end, or inside
    mpz_sub(x->gap, x->j, x->i);
    mpz_mul(x->gap, x->gap, x->length);
    mpz_add(x->gap, x->gap, x->needed);
    mpz_add(x->gap, x->gap, x->rest); // the left side
    if (mpz_sgn(x->gap) <= 0) return true;
    mpz_mul(x->gap, x->gap, x->gap);
    mpz_mul(x->j, x->j, x->rest);
    mpz_mul(x->j, x->j, x->length);
    mpz_mul_2exp(x->j, x->j, 2);
    return mpz_cmp(x->gap, x->j) <= 0;
}

bool gz_exact_cylinder_is_near(gz_exact_cylinder *x, gz_exact *simplices, const double p[3],
                               const gz_solid *s, const double reach[2]) {
    double terms[GZ_REACH_TERMS] = {reach[0], reach[1], DEPTH, s->radius};
    if (!s->flat_ended) {
        gz_simplex point = {.count = 1};
        memcpy(point.corners[0], p, sizeof point.corners[0]);
        return gz_exact_within(simplices, &point, &s->core, terms);
    }
    int exponent = least(least(solid_exponent(s), gz_exact_common_exponent(p, 3)),
                         gz_exact_common_exponent(terms, GZ_REACH_TERMS));
    load_point(x, s, p, exponent);
    mpz_set_ui(x->i, 0);
    for (int k = 0; k < 3; k++) {
        gz_exact_set(x->j, terms[k], exponent);
        mpz_add(x->i, x->i, x->j);
    }
    gz_exact_set(x->radius, s->radius, exponent);
    return is_loaded_point_near(x);
}

// --------------------------------------------------------------------------------- directions

/// out = a whole number not below sqrt(x->i / x->j) 2^ROOT_BITS; uses both.
static void root_above(gz_exact_cylinder *x, mpz_t out) {
    mpz_mul_2exp(x->i, x->i, 2 * ROOT_BITS);
    mpz_cdiv_q(x->i, x->i, x->j);
    mpz_sqrt(out, x->i);
    mpz_add_ui(out, out, 1);
}

/// Adds to x->needed, in units of 2^-ROOT_BITS, how far a solid with a radius reaches beyond its
/// core along n: r |n|, and for a cylinder r |n x d| / |d|.
static void add_round(gz_exact_cylinder *x, const gz_solid *s, int exponent) {
    if (s->radius == 0) return;
    mpz_set_ui(x->j, 1);
    if (s->flat_ended) {
        load_axis(x, s, exponent);
        gz_exact_cross(&x->t, &x->n, &x->d);
        gz_exact_dot(x->i, &x->t, &x->t);
        mpz_set(x->j, x->length);
    } else {
        gz_exact_dot(x->i, &x->n, &x->n);
    }
    root_above(x, x->rest);
    gz_exact_set(x->radius, s->radius, exponent);
    mpz_addmul(x->needed, x->radius, x->rest);
}

/// out = the greatest (side 1) or least (side -1) n . c over the corners of a core.
static void extreme(gz_exact_cylinder *x, const gz_simplex *core, int side, int exponent,
                    mpz_t out) {
    for (int c = 0; c < core->count; c++) {
        gz_exact_vector_set(&x->w, core->corners[c], exponent);
        gz_exact_dot(x->i, &x->n, &x->w);
        if (c == 0 || mpz_cmp(x->i, out) * side > 0) mpz_set(out, x->i);
    }
}

/// Whether a direction from a to b proves that they are more than the reach apart: the least n . x
/// over b's core less the greatest over a's, less what is round, exceeds reach |n|.
static bool is_apart_along(gz_exact_cylinder *x, const gz_solid *a, const gz_solid *b,
                           const double direction[3], const double reach[2]) {
    int own = gz_exact_common_exponent(direction, 3);
    if (own == INT_MAX) return false; // no direction
    int exponent = least(least(solid_exponent(a), solid_exponent(b)),
                         gz_exact_common_exponent(reach, 2));
    gz_exact_vector_set(&x->n, direction, own);
    extreme(x, &b->core, -1, exponent, x->gap);
    extreme(x, &a->core, 1, exponent, x->height);
    mpz_sub(x->gap, x->gap, x->height);
    mpz_set_ui(x->needed, 0);
    add_round(x, a, exponent);
    add_round(x, b, exponent);
    // reach |n|
    mpz_set_ui(x->j, 1);
    gz_exact_dot(x->i, &x->n, &x->n);
    root_above(x, x->rest);
    for (int k = 0; k < 2; k++) {
        gz_exact_set(x->radius, reach[k], exponent);
        mpz_addmul(x->needed, x->radius, x->rest);
    }
    mpz_mul_2exp(x->gap, x->gap, ROOT_BITS);
    return mpz_cmp(x->gap, x->needed) > 0;
}

gz_nearness gz_exact_cylinder_within(gz_exact_cylinder *x, gz_exact *simplices, const gz_solid *a,
                                     const gz_solid *b, const double reach[2]) {
    if (!a->flat_ended) {
        const gz_solid *swap = a;
        a = b;
        b = swap;
    }
    gz_neighbours whole = gz_closest_points_find(a, b, 0);
    if (is_apart_along(x, a, b, whole.direction, reach)) return GZ_APART;
    const double *p = a->core.corners[0], *q = a->core.corners[1];
    double axis[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
    double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    if (length > 2 * INSET && a->radius > INSET) {
        gz_neighbours inner = gz_closest_points_find(a, b, INSET);
        if (gz_exact_cylinder_is_deep(x, a, inner.a) &&
            gz_exact_cylinder_is_near(x, simplices, inner.a, b, reach))
            return GZ_NEAR;
    }
    return GZ_UNDECIDED;
}
