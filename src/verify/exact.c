#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "verify/exact.h"
#include "verify/verify_memory.h"

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

void *gz_exact_numbers_create(size_t size, size_t count) {
    mpz_t *numbers = gz_verify_calloc(1, size);
    for (size_t i = 0; numbers != NULL && i < count; i++) mpz_init(numbers[i]);
    return numbers;
}

void gz_exact_numbers_free(void *memory, size_t count) {
    mpz_t *numbers = memory;
    for (size_t i = 0; numbers != NULL && i < count; i++) mpz_clear(numbers[i]);
    gz_verify_free(memory);
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

static bool is_zero(const gz_exact_vector *v) {
    return mpz_sgn(v->x[0]) == 0 && mpz_sgn(v->x[1]) == 0 && mpz_sgn(v->x[2]) == 0;
}

bool gz_exact_is_rigid(const double m[12]) {
    // Doubles of magnitude 2^-1074 to 2^60, their products and the sums of these, without rounding.
    enum { BITS = 2400 };
    bool rigid = true;
    mpf_t x, y, sum;
    mpf_init2(x, BITS);
    mpf_init2(y, BITS);
    mpf_init2(sum, BITS);
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            mpf_set_si(sum, i == j ? -1 : 0);
            for (int row = 0; row < 3; row++) {
                mpf_set_d(x, m[4 * row + i]);
                mpf_set_d(y, m[4 * row + j]);
                mpf_mul(x, x, y);
                mpf_add(sum, sum, x);
            }
            mpf_abs(sum, sum);
            rigid = rigid && mpf_cmp_d(sum, 1e-9 + 0x1p-50) <= 0;
        }
    }
    mpf_clears(x, y, sum, NULL);
    // It is 1 or -1 up to some 1e-9 now, which doubles can tell apart.
    double det = m[0] * (m[5] * m[10] - m[6] * m[9]) + m[1] * (m[6] * m[8] - m[4] * m[10]) +
                 m[2] * (m[4] * m[9] - m[5] * m[8]);
    return rigid && det > 0;
}

// -------------------------------------------------------------------------------------- simplices

struct gz_exact {
    gz_exact_vector corners[2][3];    ///< of the two simplices
    gz_exact_vector u, v, w, n, m, t; ///< scratch; each function lists those it uses
    mpz_t i, j, k, l;
    mpz_t threshold, square; ///< the largest distance, and its square
    int count[2];            ///< of corners
};

#define NUMBERS (offsetof(gz_exact, count) / sizeof(mpz_t))

gz_exact *gz_exact_create(void) {
    return gz_exact_numbers_create(sizeof(gz_exact), NUMBERS);
}

void gz_exact_free(gz_exact *x) {
    gz_exact_numbers_free(x, NUMBERS);
}

/// Reads both sides as integers at one scale.
static void load(gz_exact *x, const gz_simplex *a, const gz_simplex *b, const double *threshold) {
    const gz_simplex *sides[2] = {a, b};
    int exponent = threshold != NULL ? gz_exact_common_exponent(threshold, GZ_THRESHOLD_TERMS)
                                     : INT_MAX;
    for (int side = 0; side < 2; side++) {
        int own = gz_exact_common_exponent(sides[side]->corners[0], 3 * (size_t)sides[side]->count);
        if (own < exponent) exponent = own;
        x->count[side] = sides[side]->count;
    }
    if (exponent == INT_MAX) exponent = 0; // nothing but zeros
    for (int side = 0; side < 2; side++)
        for (int c = 0; c < x->count[side]; c++)
            gz_exact_vector_set(&x->corners[side][c], sides[side]->corners[c], exponent);
    mpz_set_ui(x->threshold, 0);
    for (int r = 0; threshold != NULL && r < GZ_THRESHOLD_TERMS; r++) {
        gz_exact_set(x->i, threshold[r], exponent);
        mpz_add(x->threshold, x->threshold, x->i);
    }
    mpz_mul(x->square, x->threshold, x->threshold);
}

/// The edges of a simplex, as pairs of corners: of a point the one from itself to itself.
static int edge_count(int corners) {
    return corners == 3 ? 3 : 1;
}

static const gz_exact_vector *edge_end(const gz_exact *x, int side, int edge, int end) {
    int count = x->count[side];
    return &x->corners[side][(edge + end) % count];
}

/// The sign of u . (v x w).
static int volume_sign(gz_exact *x, const gz_exact_vector *u, const gz_exact_vector *v,
                       const gz_exact_vector *w) {
    gz_exact_cross(&x->t, v, w);
    gz_exact_dot(x->l, u, &x->t);
    return mpz_sgn(x->l);
}

/// Whether p, which may lie anywhere, is in the closed prism over the triangle c with normal m: the
/// points whose perpendicular foot is in the triangle. Uses u, w.
static bool point_over_triangle(gz_exact *x, const gz_exact_vector *p, const gz_exact_vector *c) {
    for (int e = 0; e < 3; e++) {
        gz_exact_subtract(&x->u, &c[(e + 1) % 3], &c[e]);
        gz_exact_subtract(&x->w, p, &c[e]);
        if (volume_sign(x, &x->m, &x->u, &x->w) < 0) return false;
    }
    return true;
}

/// m = the normal of a triangle; whether it has an area. Uses u, v.
static bool make_normal(gz_exact *x, const gz_exact_vector *c) {
    gz_exact_subtract(&x->u, &c[1], &c[0]);
    gz_exact_subtract(&x->v, &c[2], &c[0]);
    gz_exact_cross(&x->m, &x->u, &x->v);
    return !is_zero(&x->m);
}

/// The side of the plane through c[0] with the normal m on which p lies. Uses w.
static int plane_side(gz_exact *x, const gz_exact_vector *p, const gz_exact_vector *c) {
    gz_exact_subtract(&x->w, p, &c[0]);
    gz_exact_dot(x->l, &x->m, &x->w);
    return mpz_sgn(x->l);
}

/// Whether a line through p and q, which crosses the plane of the triangle c once, does so inside
/// of it: when its volumes with the edges do not differ in sign. Uses u, v, n.
static bool pierces(gz_exact *x, const gz_exact_vector *p, const gz_exact_vector *q,
                    const gz_exact_vector *c) {
    bool positive = false, negative = false;
    gz_exact_subtract(&x->n, q, p);
    for (int e = 0; e < 3; e++) {
        gz_exact_subtract(&x->u, &c[e], p);
        gz_exact_subtract(&x->v, &c[(e + 1) % 3], p);
        int sign = volume_sign(x, &x->n, &x->u, &x->v);
        positive = positive || sign > 0;
        negative = negative || sign < 0;
    }
    return !(positive && negative);
}

/// How the edges of one side pass the triangle of the other.
typedef enum passage {
    BESIDE, ///< none goes through
    THROUGH,
    IN_PLANE ///< there is no triangle, or an edge lies in its plane: this says nothing
} passage;

/// *apart: the whole side lies strictly on one side of the triangle's plane.
static passage pass_triangle(gz_exact *x, int side, bool *apart) {
    const gz_exact_vector *c = x->corners[1 - side];
    *apart = false;
    if (x->count[1 - side] != 3 || !make_normal(x, c)) return IN_PLANE;
    int sides[3] = {0, 0, 0}, count = x->count[side];
    bool below = true, above = true, in_plane = false;
    for (int i = 0; i < count; i++) {
        sides[i] = plane_side(x, &x->corners[side][i], c);
        below = below && sides[i] < 0;
        above = above && sides[i] > 0;
    }
    *apart = below || above;
    for (int e = 0; !*apart && e < edge_count(count); e++) {
        int from = sides[e % count], to = sides[(e + 1) % count];
        if (from == 0 && to == 0) in_plane = true;
        if (from * to > 0 || (from == 0 && to == 0)) continue;
        if (pierces(x, edge_end(x, side, e, 0), edge_end(x, side, e, 1), c)) return THROUGH;
    }
    return in_plane ? IN_PLANE : BESIDE;
}

/// Whether |v|^2 <= threshold^2.
static bool is_short(gz_exact *x, const gz_exact_vector *v) {
    gz_exact_dot(x->l, v, v);
    return mpz_cmp(x->l, x->square) <= 0;
}

/// Whether p is within the threshold of the segment a-b: from the nearer end, or from the foot on
/// the line at the fraction j / i of the way. Uses u, w.
static bool point_near_segment(gz_exact *x, const gz_exact_vector *p, const gz_exact_vector *a,
                               const gz_exact_vector *b) {
    gz_exact_subtract(&x->u, b, a);
    gz_exact_subtract(&x->w, p, a);
    gz_exact_dot(x->i, &x->u, &x->u);
    gz_exact_dot(x->j, &x->u, &x->w);
    if (mpz_sgn(x->j) <= 0) return is_short(x, &x->w);
    if (mpz_cmp(x->j, x->i) >= 0) {
        gz_exact_subtract(&x->w, p, b);
        return is_short(x, &x->w);
    }
    // |w|^2 - j^2 / i <= threshold^2, times i > 0.
    gz_exact_dot(x->k, &x->w, &x->w);
    mpz_sub(x->k, x->k, x->square);
    mpz_mul(x->k, x->k, x->i);
    mpz_mul(x->l, x->j, x->j);
    return mpz_cmp(x->k, x->l) <= 0;
}

/// Whether 0 <= a <= b.
static bool is_between(const mpz_t a, const mpz_t b) {
    return mpz_sgn(a) >= 0 && mpz_cmp(a, b) <= 0;
}

/// Whether (n . w)^2 <= threshold^2 n . n, for n . n in x->k: a line or point is that near a plane.
static bool is_near_along(gz_exact *x, const gz_exact_vector *n, const gz_exact_vector *w) {
    gz_exact_dot(x->l, n, w);
    mpz_mul(x->l, x->l, x->l);
    mpz_mul(x->k, x->k, x->square);
    return mpz_cmp(x->l, x->k) <= 0;
}

/// Whether two segments are within the threshold: by an end of one, or where both feet of the
/// common perpendicular are inside. Uses u, v, w, n.
static bool segments_near(gz_exact *x, const gz_exact_vector *p, const gz_exact_vector *q,
                          const gz_exact_vector *a, const gz_exact_vector *b) {
    if (point_near_segment(x, p, a, b) || point_near_segment(x, q, a, b) ||
        point_near_segment(x, a, p, q) || point_near_segment(x, b, p, q))
        return true;
    gz_exact_subtract(&x->u, q, p);
    gz_exact_subtract(&x->v, b, a);
    gz_exact_cross(&x->n, &x->u, &x->v);
    if (is_zero(&x->n)) return false; // parallel: some end is as near as any point
    // p + s u and a + t v, with s = (w x v . n) / (n . n) and t = (w x u . n) / (n . n).
    gz_exact_subtract(&x->w, a, p);
    gz_exact_dot(x->k, &x->n, &x->n);
    gz_exact_cross(&x->t, &x->w, &x->v);
    gz_exact_dot(x->i, &x->t, &x->n);
    gz_exact_cross(&x->t, &x->w, &x->u);
    gz_exact_dot(x->j, &x->t, &x->n);
    if (!is_between(x->i, x->k) || !is_between(x->j, x->k)) return false;
    return is_near_along(x, &x->n, &x->w);
}

/// Whether a corner of one side is within the threshold of the inside of the other's triangle.
static bool corners_near_triangle(gz_exact *x, int side) {
    const gz_exact_vector *c = x->corners[1 - side];
    if (x->count[1 - side] != 3 || !make_normal(x, c)) return false;
    for (int i = 0; i < x->count[side]; i++) {
        const gz_exact_vector *p = &x->corners[side][i];
        if (!point_over_triangle(x, p, c)) continue;
        gz_exact_subtract(&x->w, p, &c[0]);
        gz_exact_dot(x->k, &x->m, &x->m);
        if (is_near_along(x, &x->m, &x->w)) return true;
    }
    return false;
}

/// Whether two edges are within the threshold, or a corner and a face: on these lie the nearest
/// points of two sets that are apart, and those that are common to two that touch.
static bool borders_near(gz_exact *x) {
    for (int i = 0; i < edge_count(x->count[0]); i++)
        for (int j = 0; j < edge_count(x->count[1]); j++)
            if (segments_near(x, edge_end(x, 0, i, 0), edge_end(x, 0, i, 1), edge_end(x, 1, j, 0),
                              edge_end(x, 1, j, 1)))
                return true;
    return corners_near_triangle(x, 0) || corners_near_triangle(x, 1);
}

/// Two triangles intersect when an edge of one intersects the other: the ends of the segment in
/// which they cross lie on edges, and of two in one plane either an edge crosses an edge or one
/// lies in the other. A set without area is covered by its edges.
static bool loaded_within(gz_exact *x) {
    bool apart = false, in_plane = false;
    for (int side = 0; side < 2 && !apart; side++) {
        passage how = pass_triangle(x, side, &apart);
        if (how == THROUGH) return true;
        in_plane = in_plane || how == IN_PLANE;
    }
    if (mpz_sgn(x->threshold) == 0 && (apart || !in_plane)) return false;
    return borders_near(x);
}

bool gz_exact_intersect(gz_exact *x, const gz_simplex *a, const gz_simplex *b) {
    load(x, a, b, NULL);
    return loaded_within(x);
}

bool gz_exact_within(gz_exact *x, const gz_simplex *a, const gz_simplex *b,
                     const double threshold[GZ_THRESHOLD_TERMS]) {
    load(x, a, b, threshold);
    return loaded_within(x);
}

// ---------------------------------------------------------------------------------------- winding

#define DIRECTIONS 64

struct gz_exact_winding {
    gz_exact_vector p, d, r[3], t;
    mpz_t side[3], volume;
    double point[3];
    double direction[3]; ///< whole numbers
    int turns;
    uint64_t random;
    int64_t sum;
    bool on_surface;
};

#define WINDING_NUMBERS (offsetof(gz_exact_winding, point) / sizeof(mpz_t))

gz_exact_winding *gz_exact_winding_create(void) {
    return gz_exact_numbers_create(sizeof(gz_exact_winding), WINDING_NUMBERS);
}

void gz_exact_winding_free(gz_exact_winding *x) {
    gz_exact_numbers_free(x, WINDING_NUMBERS);
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
static void load_winding(gz_exact_winding *x, const gz_winding_triangle *t) {
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
    load_winding(x, t);
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
