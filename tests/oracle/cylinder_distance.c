// Every candidate below is the distance of two points, one in each set; the least of them is the
// distance, because the nearest points of two convex sets that are apart lie
// - on an edge of a triangle, at its corners, or inside its face: then the cylinder's point is its
//   farthest one along the face's normal;
// - of two cylinders, on the rim of one, or inside a flat end, where the other's point is its
//   farthest one along the axis, or on both round sides, where the common normal of the axes ends.
#include "cylinder_distance.h"

#include <math.h>
#include <mpfr.h>
#include <stdbool.h>
#include <stdlib.h>

enum { BITS = 192, STEPS = 104, SAMPLES = 96, TEMPORARIES = 10 };

typedef struct vec {
    mpfr_t x[3];
} vec;

/// A cylinder with its unit axis.
typedef struct placed {
    vec a, b, axis;
    mpfr_t length, radius;
} placed;

/// A curve seen from a cylinder: along its axis the height h0 + h1 x + h2 y above end a, and the
/// square of the distance from end a, s0 + s1 x + s2 y + s3 x^2. For a segment x runs from 0 to 1
/// and y is 0; for a circle x and y are cosine and sine, and s3 is 0.
typedef struct curve {
    mpfr_t h[3], s[4];
    bool circle;
} curve;

struct cylinder_distance {
    mpfr_t least; ///< square of the least distance found
    mpfr_t t[TEMPORARIES];
    mpfr_t low, high, left, right, at_left, at_right, golden, x, y;
    vec d, u, v, n, p, q;
    vec corner[3];
    placed one, two;
    curve curve;
};

// --------------------------------------------------------------------------------------- vectors

static void vec_init(vec *v) {
    for (int k = 0; k < 3; k++) mpfr_init2(v->x[k], BITS);
}

static void vec_clear(vec *v) {
    for (int k = 0; k < 3; k++) mpfr_clear(v->x[k]);
}

static void vec_set(vec *out, const double p[3]) {
    for (int k = 0; k < 3; k++) mpfr_set_d(out->x[k], p[k], MPFR_RNDN);
}

static void subtract(vec *out, const vec *a, const vec *b) {
    for (int k = 0; k < 3; k++) mpfr_sub(out->x[k], a->x[k], b->x[k], MPFR_RNDN);
}

/// out = a + s b; out may be a.
static void add_scaled(vec *out, const vec *a, const mpfr_t s, const vec *b) {
    for (int k = 0; k < 3; k++) mpfr_fma(out->x[k], s, b->x[k], a->x[k], MPFR_RNDN);
}

static void scale(vec *v, const mpfr_t s) {
    for (int k = 0; k < 3; k++) mpfr_mul(v->x[k], v->x[k], s, MPFR_RNDN);
}

static void dot(mpfr_t out, const vec *a, const vec *b) {
    mpfr_mul(out, a->x[0], b->x[0], MPFR_RNDN);
    mpfr_fma(out, a->x[1], b->x[1], out, MPFR_RNDN);
    mpfr_fma(out, a->x[2], b->x[2], out, MPFR_RNDN);
}

static void cross(vec *out, const vec *a, const vec *b) {
    for (int k = 0; k < 3; k++)
        mpfr_fmms(out->x[k], a->x[(k + 1) % 3], b->x[(k + 2) % 3], a->x[(k + 2) % 3],
                  b->x[(k + 1) % 3], MPFR_RNDN);
}

/// Scales to length one, writing the length; false for the zero vector.
static bool normalise(vec *v, mpfr_t length) {
    dot(length, v, v);
    mpfr_sqrt(length, length, MPFR_RNDN);
    if (mpfr_zero_p(length)) return false;
    for (int k = 0; k < 3; k++) mpfr_div(v->x[k], v->x[k], length, MPFR_RNDN);
    return true;
}

// ------------------------------------------------------------------------------- all the scratch

/// Calls `each` on every number of the scratch.
static void visit(cylinder_distance *d, void (*each)(mpfr_t), void (*each_vec)(vec *)) {
    each(d->least);
    for (int i = 0; i < TEMPORARIES; i++) each(d->t[i]);
    each(d->low), each(d->high), each(d->left), each(d->right);
    each(d->at_left), each(d->at_right), each(d->golden), each(d->x), each(d->y);
    each_vec(&d->d), each_vec(&d->u), each_vec(&d->v), each_vec(&d->n), each_vec(&d->p);
    each_vec(&d->q);
    for (int i = 0; i < 3; i++) each_vec(&d->corner[i]);
    for (int i = 0; i < 2; i++) {
        placed *c = i ? &d->two : &d->one;
        each_vec(&c->a), each_vec(&c->b), each_vec(&c->axis);
        each(c->length), each(c->radius);
    }
    for (int i = 0; i < 3; i++) each(d->curve.h[i]);
    for (int i = 0; i < 4; i++) each(d->curve.s[i]);
}

static void init_one(mpfr_t x) {
    mpfr_init2(x, BITS);
}

static void clear_one(mpfr_t x) {
    mpfr_clear(x);
}

cylinder_distance *cylinder_distance_create(void) {
    cylinder_distance *d = calloc(1, sizeof *d);
    if (!d) exit(3);
    visit(d, init_one, vec_init);
    mpfr_sqrt_ui(d->golden, 5, MPFR_RNDN);
    mpfr_sub_ui(d->golden, d->golden, 1, MPFR_RNDN);
    mpfr_div_ui(d->golden, d->golden, 2, MPFR_RNDN);
    return d;
}

void cylinder_distance_free(cylinder_distance *d) {
    visit(d, clear_one, vec_clear);
    free(d);
}

static void place(placed *out, const solid_cylinder *c) {
    vec_set(&out->a, c->a);
    vec_set(&out->b, c->b);
    subtract(&out->axis, &out->b, &out->a);
    if (!normalise(&out->axis, out->length)) exit(3);
    mpfr_set_d(out->radius, c->radius, MPFR_RNDN);
}

// ----------------------------------------------------------------------------- points and curves

/// The square of the distance of a point: h is its height over end a, s the square of its distance
/// from there. Writes to t[0] and t[1].
static void square_of(cylinder_distance *d, const placed *c, const mpfr_t h, const mpfr_t s,
                      mpfr_t out) {
    mpfr_t *away = &d->t[0], *beyond = &d->t[1];
    mpfr_sqr(*away, h, MPFR_RNDN);
    mpfr_sub(*away, s, *away, MPFR_RNDN);
    if (mpfr_sgn(*away) < 0) mpfr_set_zero(*away, 1);
    mpfr_sqrt(*away, *away, MPFR_RNDN);
    mpfr_sub(*away, *away, c->radius, MPFR_RNDN);
    if (mpfr_sgn(*away) < 0) mpfr_set_zero(*away, 1);
    mpfr_sqr(out, *away, MPFR_RNDN);
    mpfr_neg(*beyond, h, MPFR_RNDN);
    if (mpfr_sgn(h) >= 0) mpfr_sub(*beyond, h, c->length, MPFR_RNDN);
    if (mpfr_sgn(*beyond) > 0) mpfr_fma(out, *beyond, *beyond, out, MPFR_RNDN);
}

static void keep(cylinder_distance *d, const mpfr_t square) {
    if (mpfr_less_p(square, d->least)) mpfr_set(d->least, square, MPFR_RNDN);
}

static void try_point(cylinder_distance *d, const placed *c, const vec *p) {
    subtract(&d->d, p, &c->a);
    dot(d->t[2], &d->d, &c->axis);
    dot(d->t[3], &d->d, &d->d);
    square_of(d, c, d->t[2], d->t[3], d->t[4]);
    keep(d, d->t[4]);
}

/// The square of the distance of the curve's point at the parameter (a fraction, or an angle).
static void square_at(cylinder_distance *d, const placed *c, const mpfr_t parameter, mpfr_t out) {
    const curve *e = &d->curve;
    if (e->circle)
        mpfr_sin_cos(d->y, d->x, parameter, MPFR_RNDN);
    else
        mpfr_set(d->x, parameter, MPFR_RNDN);
    mpfr_fma(d->t[2], e->h[1], d->x, e->h[0], MPFR_RNDN);
    mpfr_fma(d->t[3], e->s[1], d->x, e->s[0], MPFR_RNDN);
    if (e->circle) {
        mpfr_fma(d->t[2], e->h[2], d->y, d->t[2], MPFR_RNDN);
        mpfr_fma(d->t[3], e->s[2], d->y, d->t[3], MPFR_RNDN);
    } else {
        mpfr_sqr(d->t[4], d->x, MPFR_RNDN);
        mpfr_fma(d->t[3], e->s[3], d->t[4], d->t[3], MPFR_RNDN);
    }
    square_of(d, c, d->t[2], d->t[3], out);
    keep(d, out);
}

/// Golden sections from low to high, where the distance falls and rises. `keep` sees every value.
static void narrow(cylinder_distance *d, const placed *c) {
    for (int step = -2; step < STEPS; step++) {
        bool left = step == -2 || (step >= 0 && mpfr_lessequal_p(d->at_left, d->at_right));
        if (step >= 0 && left) {
            mpfr_set(d->high, d->right, MPFR_RNDN);
            mpfr_swap(d->right, d->left);
            mpfr_swap(d->at_right, d->at_left);
        } else if (step >= 0) {
            mpfr_set(d->low, d->left, MPFR_RNDN);
            mpfr_swap(d->left, d->right);
            mpfr_swap(d->at_left, d->at_right);
        }
        mpfr_sub(d->t[5], d->high, d->low, MPFR_RNDN);
        mpfr_mul(d->t[5], d->t[5], d->golden, MPFR_RNDN);
        if (left) {
            mpfr_sub(d->left, d->high, d->t[5], MPFR_RNDN);
            square_at(d, c, d->left, d->at_left);
        } else {
            mpfr_add(d->right, d->low, d->t[5], MPFR_RNDN);
            square_at(d, c, d->right, d->at_right);
        }
    }
}

/// The distance to a convex set is convex along a segment.
static void try_segment(cylinder_distance *d, const placed *c, const vec *p, const vec *q) {
    curve *e = &d->curve;
    try_point(d, c, p);
    try_point(d, c, q);
    subtract(&d->d, p, &c->a);
    subtract(&d->u, q, p);
    dot(e->h[0], &d->d, &c->axis);
    dot(e->h[1], &d->u, &c->axis);
    dot(e->s[0], &d->d, &d->d);
    dot(e->s[1], &d->d, &d->u);
    mpfr_mul_2ui(e->s[1], e->s[1], 1, MPFR_RNDN);
    dot(e->s[3], &d->u, &d->u);
    e->circle = false;
    mpfr_set_zero(d->low, 1);
    mpfr_set_ui(d->high, 1, MPFR_RNDN);
    narrow(d, c);
}

// --------------------------------------------------------------------------------------- circles

/// The distance at an angle, squared, in long double: to find where it is least.
static long double sample(const cylinder_distance *d, const placed *c, int i) {
    long double angle = 2 * 3.14159265358979323846L * i / SAMPLES, h[3], s[3];
    for (int k = 0; k < 3; k++) {
        h[k] = mpfr_get_ld(d->curve.h[k], MPFR_RNDN);
        s[k] = mpfr_get_ld(d->curve.s[k], MPFR_RNDN);
    }
    long double x = cosl(angle), y = sinl(angle), height = h[0] + h[1] * x + h[2] * y;
    long double square = s[0] + s[1] * x + s[2] * y - height * height;
    long double length = mpfr_get_ld(c->length, MPFR_RNDN);
    long double away = fmaxl(0, sqrtl(fmaxl(0, square)) - mpfr_get_ld(c->radius, MPFR_RNDN));
    long double beyond = fmaxl(0, fmaxl(-height, height - length));
    return away * away + beyond * beyond;
}

/// Two directions across the axis: the rims of `c` are its ends plus radius (u cos + v sin).
static void across(cylinder_distance *d, const placed *c) {
    int least = 0;
    for (int k = 1; k < 3; k++)
        if (mpfr_cmpabs(c->axis.x[k], c->axis.x[least]) < 0) least = k;
    const double start[3] = {least == 0, least == 1, least == 2};
    vec_set(&d->q, start);
    cross(&d->u, &c->axis, &d->q);
    normalise(&d->u, d->t[2]);
    cross(&d->v, &c->axis, &d->u);
    scale(&d->u, c->radius);
    scale(&d->v, c->radius);
}

/// The rim around an end of one cylinder against the other, wherever its samples fall and rise.
static void try_rim(cylinder_distance *d, const placed *rim, const vec *end, const placed *c) {
    curve *e = &d->curve;
    across(d, rim);
    subtract(&d->d, end, &c->a);
    dot(e->h[0], &d->d, &c->axis);
    dot(e->h[1], &d->u, &c->axis);
    dot(e->h[2], &d->v, &c->axis);
    dot(e->s[0], &d->d, &d->d);
    mpfr_fma(e->s[0], rim->radius, rim->radius, e->s[0], MPFR_RNDN);
    dot(e->s[1], &d->d, &d->u);
    dot(e->s[2], &d->d, &d->v);
    mpfr_mul_2ui(e->s[1], e->s[1], 1, MPFR_RNDN);
    mpfr_mul_2ui(e->s[2], e->s[2], 1, MPFR_RNDN);
    e->circle = true;
    long double value[SAMPLES], least = INFINITY, size = mpfr_get_ld(rim->radius, MPFR_RNDN);
    for (int i = 0; i < SAMPLES; i++) least = fminl(least, value[i] = sample(d, c, i));
    // The distance changes by no more than the way along the rim: what is farther from the least
    // sample than twice the way between samples cannot be the least.
    long double limit = sqrtl(least) + 2 * size * 7 / SAMPLES;
    for (int i = 0; i < SAMPLES; i++) {
        if (value[i] > value[(i + 1) % SAMPLES] || value[i] > value[(i + SAMPLES - 1) % SAMPLES] ||
            value[i] > limit * limit)
            continue;
        if (value[i] == value[(i + SAMPLES - 1) % SAMPLES] && i > 0 && value[i] == 0) continue;
        mpfr_const_pi(d->t[6], MPFR_RNDN);
        mpfr_mul_ui(d->t[6], d->t[6], 2, MPFR_RNDN);
        mpfr_div_ui(d->t[6], d->t[6], SAMPLES, MPFR_RNDN);
        mpfr_mul_si(d->low, d->t[6], i - 1, MPFR_RNDN);
        mpfr_mul_si(d->high, d->t[6], i + 1, MPFR_RNDN);
        narrow(d, c);
    }
}

// ---------------------------------------------------------------------------- farthest points

/// The point of the cylinder that is farthest along a unit direction (to d->p; side 1), or against
/// it (side -1). Writes to d->u and t[2], t[3].
static void farthest(cylinder_distance *d, const placed *c, const vec *n, int side) {
    mpfr_t *along = &d->t[2], *length = &d->t[3];
    dot(*along, n, &c->axis);
    bool end_b = mpfr_sgn(*along) * side > 0;
    mpfr_neg(*along, *along, MPFR_RNDN);
    add_scaled(&d->u, n, *along, &c->axis);
    for (int k = 0; k < 3; k++) mpfr_set((d->p).x[k], (end_b ? c->b : c->a).x[k], MPFR_RNDN);
    // Along the axis, but for what is rounded: the whole end is farthest, its middle will do.
    dot(*length, &d->u, &d->u);
    if (mpfr_cmp_d(*length, 0x1p-300) <= 0) return;
    mpfr_sqrt(*length, *length, MPFR_RNDN);
    mpfr_div(*length, c->radius, *length, MPFR_RNDN);
    if (side < 0) mpfr_neg(*length, *length, MPFR_RNDN);
    add_scaled(&d->p, &d->p, *length, &d->u);
}

/// Whether a point of its plane lies in the triangle, whose unit normal is d->n.
static bool in_triangle(cylinder_distance *d, const vec *p) {
    for (int i = 0; i < 3; i++) {
        subtract(&d->u, &d->corner[(i + 1) % 3], &d->corner[i]);
        subtract(&d->v, p, &d->corner[i]);
        cross(&d->d, &d->u, &d->v);
        dot(d->t[2], &d->d, &d->n);
        if (mpfr_sgn(d->t[2]) < 0) return false;
    }
    return true;
}

static void copy(vec *out, const vec *in) {
    for (int k = 0; k < 3; k++) mpfr_set(out->x[k], in->x[k], MPFR_RNDN);
}

/// The inside of a triangle's face.
static void try_face(cylinder_distance *d, const placed *c) {
    subtract(&d->u, &d->corner[1], &d->corner[0]);
    subtract(&d->v, &d->corner[2], &d->corner[0]);
    cross(&d->n, &d->u, &d->v);
    if (!normalise(&d->n, d->t[2])) return;
    mpfr_t *top = &d->t[6], *bottom = &d->t[7], *share = &d->t[8];
    farthest(d, c, &d->n, 1);
    copy(&d->q, &d->p);
    subtract(&d->d, &d->p, &d->corner[0]);
    dot(*top, &d->d, &d->n);
    farthest(d, c, &d->n, -1);
    subtract(&d->d, &d->p, &d->corner[0]);
    dot(*bottom, &d->d, &d->n);
    bool above = mpfr_sgn(*bottom) > 0, below = mpfr_sgn(*top) < 0;
    if (above || below) {
        // The nearer of both farthest points, moved down to the plane.
        mpfr_t *height = above ? bottom : top;
        if (below) copy(&d->p, &d->q);
        mpfr_neg(*share, *height, MPFR_RNDN);
        add_scaled(&d->p, &d->p, *share, &d->n);
        mpfr_sqr(*height, *height, MPFR_RNDN);
        if (in_triangle(d, &d->p)) keep(d, *height);
        return;
    }
    // The plane passes through the cylinder, and between these two points of it.
    mpfr_sub(*share, *top, *bottom, MPFR_RNDN);
    if (mpfr_zero_p(*share)) return;
    mpfr_div(*share, *bottom, *share, MPFR_RNDN);
    mpfr_neg(*share, *share, MPFR_RNDN);
    subtract(&d->d, &d->q, &d->p);
    add_scaled(&d->p, &d->p, *share, &d->d);
    mpfr_set_zero(*share, 1);
    if (in_triangle(d, &d->p)) keep(d, *share);
}

/// The round sides, where the common normal of the axes ends inside both.
static void try_sides(cylinder_distance *d, const placed *c, const placed *e) {
    mpfr_t *square = &d->t[2], *gap = &d->t[3], *at = &d->t[4];
    cross(&d->n, &c->axis, &e->axis);
    dot(*square, &d->n, &d->n);
    if (mpfr_cmp_d(*square, 0x1p-200) <= 0) return; // parallel: the rims see to it
    subtract(&d->d, &e->a, &c->a);
    for (int i = 0; i < 2; i++) {
        cross(&d->u, &d->d, i ? &c->axis : &e->axis);
        dot(*at, &d->u, &d->n);
        mpfr_div(*at, *at, *square, MPFR_RNDN);
        if (mpfr_sgn(*at) < 0 || mpfr_greater_p(*at, i ? e->length : c->length)) return;
    }
    dot(*gap, &d->d, &d->n);
    mpfr_abs(*gap, *gap, MPFR_RNDN);
    mpfr_sqrt(*square, *square, MPFR_RNDN);
    mpfr_div(*gap, *gap, *square, MPFR_RNDN);
    mpfr_sub(*gap, *gap, c->radius, MPFR_RNDN);
    mpfr_sub(*gap, *gap, e->radius, MPFR_RNDN);
    if (mpfr_sgn(*gap) < 0) mpfr_set_zero(*gap, 1);
    mpfr_sqr(*gap, *gap, MPFR_RNDN);
    keep(d, *gap);
}

// ------------------------------------------------------------------------------------ the answers

static double answer(cylinder_distance *d, const double *terms, size_t term_count) {
    mpfr_sqrt(d->least, d->least, MPFR_RNDN);
    for (size_t i = 0; i < term_count; i++) mpfr_sub_d(d->least, d->least, terms[i], MPFR_RNDN);
    return mpfr_get_d(d->least, MPFR_RNDN);
}

double cylinder_hull_excess(cylinder_distance *d, const solid_cylinder *c, const double (*p)[3],
                            int count, const double *terms, size_t term_count) {
    place(&d->one, c);
    mpfr_set_inf(d->least, 1);
    for (int i = 0; i < count; i++) vec_set(&d->corner[i], p[i]);
    if (count == 1) try_point(d, &d->one, &d->corner[0]);
    for (int i = 0; i < count && count > 1; i++)
        try_segment(d, &d->one, &d->corner[i], &d->corner[(i + 1) % count]);
    if (count == 3) try_face(d, &d->one);
    return answer(d, terms, term_count);
}

double cylinder_pair_excess(cylinder_distance *d, const solid_cylinder *c, const solid_cylinder *e,
                            const double *terms, size_t term_count) {
    place(&d->one, c);
    place(&d->two, e);
    mpfr_set_inf(d->least, 1);
    for (int side = 0; side < 2; side++) {
        const placed *x = side ? &d->two : &d->one, *y = side ? &d->one : &d->two;
        try_segment(d, y, &x->a, &x->b);
        try_rim(d, x, &x->a, y);
        try_rim(d, x, &x->b, y);
        for (int sign = -1; sign < 2; sign += 2) {
            farthest(d, x, &y->axis, sign);
            copy(&d->q, &d->p);
            try_point(d, y, &d->q);
        }
    }
    try_sides(d, &d->one, &d->two);
    return answer(d, terms, term_count);
}
