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

struct gz_exact {
    gz_exact_vector corners[2][3]; ///< of the two simplices
    int count[2];
    gz_exact_vector u, v, w, n, m, t; ///< scratch; who uses which is said at each function
    mpz_t i, j, k, l;
    mpz_t reach, square; ///< the distance asked for, and its square
};

static void each_number(gz_exact *x, void (*vector)(gz_exact_vector *)) {
    for (int side = 0; side < 2; side++)
        for (int c = 0; c < 3; c++) vector(&x->corners[side][c]);
    gz_exact_vector *scratch[] = {&x->u, &x->v, &x->w, &x->n, &x->m, &x->t};
    for (size_t s = 0; s < sizeof scratch / sizeof *scratch; s++) vector(scratch[s]);
}

gz_exact *gz_exact_create(void) {
    gz_exact *x = gz_verify_calloc(1, sizeof *x);
    if (x == NULL) return NULL;
    each_number(x, gz_exact_vector_init);
    mpz_inits(x->i, x->j, x->k, x->l, x->reach, x->square, NULL);
    return x;
}

void gz_exact_free(gz_exact *x) {
    if (x == NULL) return;
    each_number(x, gz_exact_vector_clear);
    mpz_clears(x->i, x->j, x->k, x->l, x->reach, x->square, NULL);
    gz_verify_free(x);
}

/// Reads both sides as integers at one scale.
static void load(gz_exact *x, const gz_simplex *a, const gz_simplex *b, const double *reach) {
    const gz_simplex *sides[2] = {a, b};
    int exponent = reach != NULL ? gz_exact_common_exponent(reach, GZ_REACH_TERMS) : INT_MAX;
    for (int side = 0; side < 2; side++) {
        int own = gz_exact_common_exponent(sides[side]->corners[0], 3 * (size_t)sides[side]->count);
        if (own < exponent) exponent = own;
        x->count[side] = sides[side]->count;
    }
    if (exponent == INT_MAX) exponent = 0; // nothing but zeros
    for (int side = 0; side < 2; side++)
        for (int c = 0; c < x->count[side]; c++)
            gz_exact_vector_set(&x->corners[side][c], sides[side]->corners[c], exponent);
    mpz_set_ui(x->reach, 0);
    for (int r = 0; reach != NULL && r < GZ_REACH_TERMS; r++) {
        gz_exact_set(x->i, reach[r], exponent);
        mpz_add(x->reach, x->reach, x->i);
    }
    mpz_mul(x->square, x->reach, x->reach);
}

/// The edges of a simplex, as pairs of corners: of a point the one from itself to itself.
static int edge_count(int corners) {
    return corners == 3 ? 3 : 1;
}

static const gz_exact_vector *edge_end(const gz_exact *x, int side, int edge, int end) {
    int count = x->count[side];
    return &x->corners[side][(edge + end) % count];
}

// ----------------------------------------------------------------------------------- do they meet

/// The sign of u . (v x w).
static int volume_sign(gz_exact *x, const gz_exact_vector *u, const gz_exact_vector *v,
                       const gz_exact_vector *w) {
    gz_exact_cross(&x->t, v, w);
    gz_exact_dot(x->l, u, &x->t);
    return mpz_sgn(x->l);
}

/// Whether p lies on the closed segment a-b. Uses u, w.
static bool point_on_segment(gz_exact *x, const gz_exact_vector *p, const gz_exact_vector *a,
                             const gz_exact_vector *b) {
    gz_exact_subtract(&x->u, b, a);
    gz_exact_subtract(&x->w, p, a);
    gz_exact_cross(&x->t, &x->u, &x->w);
    if (!gz_exact_is_zero(&x->t)) return false;
    // On the line (or a = b): between the ends in every coordinate.
    for (int k = 0; k < 3; k++) {
        int low = mpz_cmp(p->x[k], a->x[k]), high = mpz_cmp(p->x[k], b->x[k]);
        if ((low < 0 && high < 0) || (low > 0 && high > 0)) return false;
    }
    return true;
}

/// Whether two closed segments share a point. Uses u, v, w, n.
static bool segments_meet(gz_exact *x, const gz_exact_vector *p, const gz_exact_vector *q,
                          const gz_exact_vector *a, const gz_exact_vector *b) {
    gz_exact_subtract(&x->u, q, p);
    gz_exact_subtract(&x->v, b, a);
    gz_exact_cross(&x->n, &x->u, &x->v);
    if (gz_exact_is_zero(&x->n)) {
        // Parallel, or one of them is a point: they share a point only if an end of one lies on
        // the other.
        return point_on_segment(x, p, a, b) || point_on_segment(x, q, a, b) ||
               point_on_segment(x, a, p, q) || point_on_segment(x, b, p, q);
    }
    gz_exact_subtract(&x->w, a, p);
    gz_exact_dot(x->l, &x->n, &x->w);
    if (mpz_sgn(x->l) != 0) return false; // skew
    // In one plane with the normal n: each segment's ends on different sides of the other's line.
    int sides[4];
    sides[0] = volume_sign(x, &x->n, &x->u, &x->w); // a, seen from p-q
    gz_exact_subtract(&x->w, b, p);
    sides[1] = volume_sign(x, &x->n, &x->u, &x->w);
    gz_exact_subtract(&x->w, p, a);
    sides[2] = volume_sign(x, &x->n, &x->v, &x->w);
    gz_exact_subtract(&x->w, q, a);
    sides[3] = volume_sign(x, &x->n, &x->v, &x->w);
    return sides[0] * sides[1] <= 0 && sides[2] * sides[3] <= 0;
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
    return !gz_exact_is_zero(&x->m);
}

/// The side of the plane through c[0] with the normal m on which p lies. Uses w.
static int plane_side(gz_exact *x, const gz_exact_vector *p, const gz_exact_vector *c) {
    gz_exact_subtract(&x->w, p, &c[0]);
    gz_exact_dot(x->l, &x->m, &x->w);
    return mpz_sgn(x->l);
}

/// Whether the closed segment p-q meets the closed triangle c with area, its normal in m. `sides`
/// are those of p and q. Uses all vectors but m.
static bool segment_meets_triangle(gz_exact *x, const gz_exact_vector *p, const gz_exact_vector *q,
                                   const gz_exact_vector *c, const int sides[2]) {
    if (sides[0] * sides[1] > 0) return false;
    if (sides[0] == 0 && sides[1] == 0) {
        // In the plane: an end inside, or an edge crossed.
        if (point_over_triangle(x, p, c) || point_over_triangle(x, q, c)) return true;
        for (int e = 0; e < 3; e++)
            if (segments_meet(x, p, q, &c[e], &c[(e + 1) % 3])) return true;
        return false;
    }
    // The line crosses the plane once, between p and q: inside the triangle when the volumes of
    // the line with its edges do not differ in sign.
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

/// Whether an edge of one side meets the triangle of the other. *apart: the whole side lies
/// strictly on one side of the triangle's plane.
static bool edges_meet_triangle(gz_exact *x, int side, bool *apart) {
    const gz_exact_vector *c = x->corners[1 - side];
    *apart = false;
    if (x->count[1 - side] != 3 || !make_normal(x, c)) return false;
    int sides[3] = {0, 0, 0}, count = x->count[side];
    bool below = true, above = true;
    for (int i = 0; i < count; i++) {
        sides[i] = plane_side(x, &x->corners[side][i], c);
        below = below && sides[i] < 0;
        above = above && sides[i] > 0;
    }
    *apart = below || above;
    for (int e = 0; !*apart && e < edge_count(count); e++) {
        const gz_exact_vector *p = edge_end(x, side, e, 0), *q = edge_end(x, side, e, 1);
        int ends[2] = {sides[e % count], sides[(e + 1) % count]};
        if (segment_meets_triangle(x, p, q, c, ends)) return true;
    }
    return false;
}

static bool edges_meet_edges(gz_exact *x) {
    for (int i = 0; i < edge_count(x->count[0]); i++)
        for (int j = 0; j < edge_count(x->count[1]); j++)
            if (segments_meet(x, edge_end(x, 0, i, 0), edge_end(x, 0, i, 1), edge_end(x, 1, j, 0),
                              edge_end(x, 1, j, 1)))
                return true;
    return false;
}

/// Two triangles meet when an edge of one meets the other: the ends of the segment in which they
/// cross lie on edges, and of two in one plane either an edge crosses an edge or one lies in the
/// other. A set without area is covered by its edges.
static bool loaded_meet(gz_exact *x) {
    bool apart;
    if (edges_meet_triangle(x, 0, &apart)) return true;
    if (apart) return false;
    if (edges_meet_triangle(x, 1, &apart)) return true;
    if (apart) return false;
    bool flat = x->count[0] != 3 || x->count[1] != 3 || !make_normal(x, x->corners[0]) ||
                !make_normal(x, x->corners[1]);
    return flat && edges_meet_edges(x);
}

bool gz_exact_meet(gz_exact *x, const gz_simplex *a, const gz_simplex *b) {
    load(x, a, b, NULL);
    return loaded_meet(x);
}

// ------------------------------------------------------------------------------ how far apart

/// Whether |v|^2 <= reach^2.
static bool is_short(gz_exact *x, const gz_exact_vector *v) {
    gz_exact_dot(x->l, v, v);
    return mpz_cmp(x->l, x->square) <= 0;
}

/// Whether p is within reach of the segment a-b: from the nearer end, or from the foot on the line
/// at the fraction j / i of the way. Uses u, w.
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
    // |w|^2 - j^2 / i <= reach^2, times i > 0.
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

/// Whether (n . w)^2 <= reach^2 n . n, for n . n in x->k: a line or point is that near a plane.
static bool is_near_along(gz_exact *x, const gz_exact_vector *n, const gz_exact_vector *w) {
    gz_exact_dot(x->l, n, w);
    mpz_mul(x->l, x->l, x->l);
    mpz_mul(x->k, x->k, x->square);
    return mpz_cmp(x->l, x->k) <= 0;
}

/// Whether two segments are within reach: by an end of one, or where both feet of the common
/// perpendicular are inside. Uses u, v, w, n.
static bool segments_near(gz_exact *x, const gz_exact_vector *p, const gz_exact_vector *q,
                          const gz_exact_vector *a, const gz_exact_vector *b) {
    if (point_near_segment(x, p, a, b) || point_near_segment(x, q, a, b) ||
        point_near_segment(x, a, p, q) || point_near_segment(x, b, p, q))
        return true;
    gz_exact_subtract(&x->u, q, p);
    gz_exact_subtract(&x->v, b, a);
    gz_exact_cross(&x->n, &x->u, &x->v);
    if (gz_exact_is_zero(&x->n)) return false; // parallel: some end is as near as any point
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

/// Whether a corner of one side is within reach of the inside of the other's triangle.
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

/// The nearest points of two sets that are apart lie on two edges, or on a corner and a face.
bool gz_exact_within(gz_exact *x, const gz_simplex *a, const gz_simplex *b,
                     const double reach[GZ_REACH_TERMS]) {
    load(x, a, b, reach);
    if (loaded_meet(x)) return true;
    if (mpz_sgn(x->reach) == 0) return false;
    for (int i = 0; i < edge_count(x->count[0]); i++)
        for (int j = 0; j < edge_count(x->count[1]); j++)
            if (segments_near(x, edge_end(x, 0, i, 0), edge_end(x, 0, i, 1), edge_end(x, 1, j, 0),
                              edge_end(x, 1, j, 1)))
                return true;
    return corners_near_triangle(x, 0) || corners_near_triangle(x, 1);
}

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
