// The exact test of two convex polygons.
//
// Closed convex sets A and B have a common point where an edge of A has one with B, or B lies
// inside A. An edge p + t (q - p) is cut by the half planes of B, each a bound of t that is a ratio
// of two exact integers (Cyrus and Beck 1978); the coordinates are scaled to integers of GMP.
// Points and segments are cut by the half planes through their ends besides.

#include "polygon_oracle.h"

#include <gmp.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define VERTEX_MAX POLYGON_ORACLE_MAX

typedef struct exact_point {
    mpz_t x, y;
} exact_point;

struct polygon_oracle {
    exact_point a[VERTEX_MAX], b[VERTEX_MAX];
    mpz_t h[VERTEX_MAX + 4][VERTEX_MAX]; ///< half plane of B at vertex of A: >= 0 inside
    mpz_t u, v, w, low[2], high[2];      ///< t from low[0] / low[1] to high[0] / high[1]
    exact_point n, foot;
};

static void init(polygon_oracle *o) {
    for (int i = 0; i < VERTEX_MAX; i++) {
        mpz_inits(o->a[i].x, o->a[i].y, o->b[i].x, o->b[i].y, NULL);
    }
    for (int i = 0; i < VERTEX_MAX + 4; i++) {
        for (int k = 0; k < VERTEX_MAX; k++) mpz_init(o->h[i][k]);
    }
    mpz_inits(o->u, o->v, o->w, o->low[0], o->low[1], o->high[0], o->high[1], o->n.x, o->n.y,
              o->foot.x, o->foot.y, NULL);
}

polygon_oracle *polygon_oracle_create(void) {
    polygon_oracle *o = calloc(1, sizeof *o);
    if (o) init(o);
    return o;
}

void polygon_oracle_free(polygon_oracle *o) {
    for (int i = 0; i < VERTEX_MAX; i++) {
        mpz_clears(o->a[i].x, o->a[i].y, o->b[i].x, o->b[i].y, NULL);
    }
    for (int i = 0; i < VERTEX_MAX + 4; i++) {
        for (int k = 0; k < VERTEX_MAX; k++) mpz_clear(o->h[i][k]);
    }
    mpz_clears(o->u, o->v, o->w, o->low[0], o->low[1], o->high[0], o->high[1], o->n.x, o->n.y,
               o->foot.x, o->foot.y, NULL);
    free(o);
}

static int exponent_least(const polygon_oracle_polygon *p, int least) {
    for (int32_t i = 0; i < p->count; i++) {
        for (int k = 0; k < 2; k++) {
            int e;
            double c = k == 0 ? p->v[i].x : p->v[i].y;
            if (c == 0) continue;
            frexp(c, &e);
            if (e - 53 < least) least = e - 53;
        }
    }
    return least;
}

static void scale(mpz_t out, double c, int least) {
    int e;
    double m = frexp(c, &e);
    mpz_set_d(out, ldexp(m, 53));
    if (c != 0) mpz_mul_2exp(out, out, (mp_bitcnt_t)(e - 53 - least));
}

/// out = n.(p - foot)
static void plane_value(polygon_oracle *o, mpz_t out, const exact_point *p) {
    mpz_sub(o->u, p->x, o->foot.x);
    mpz_mul(out, o->u, o->n.x);
    mpz_sub(o->v, p->y, o->foot.y);
    mpz_addmul(out, o->v, o->n.y);
}

static void set_plane(polygon_oracle *o, const mpz_t nx, const mpz_t ny, int sign,
                      const exact_point *foot) {
    mpz_set(o->n.x, nx);
    mpz_set(o->n.y, ny);
    if (sign < 0) {
        mpz_neg(o->n.x, o->n.x);
        mpz_neg(o->n.y, o->n.y);
    }
    mpz_set(o->foot.x, foot->x);
    mpz_set(o->foot.y, foot->y);
}

static int fill_row(polygon_oracle *o, int row, const exact_point *points, int32_t count) {
    for (int32_t k = 0; k < count; k++) plane_value(o, o->h[row][k], &points[k]);
    return row + 1;
}

/// The half planes of `of` at the points; returns their number.
static int fill_planes(polygon_oracle *o, const exact_point *of, int32_t of_count,
                       const exact_point *points, int32_t count) {
    int rows = 0;
    mpz_t dx, dy, zero, one;
    mpz_inits(dx, dy, zero, one, NULL);
    mpz_set_si(one, 1);
    for (int32_t i = 0; of_count > 1 && i < of_count; i++) {
        const exact_point *p = &of[i], *q = &of[(i + 1) % of_count];
        mpz_sub(dx, q->x, p->x);
        mpz_sub(dy, p->y, q->y); // the inner normal of a counter-clockwise edge is (-ey, ex)
        set_plane(o, dy, dx, 1, p);
        rows = fill_row(o, rows, points, count);
        if (of_count > 2) continue;
        mpz_neg(dy, dy); // and of a segment also ahead of its start
        set_plane(o, dx, dy, 1, p);
        rows = fill_row(o, rows, points, count);
    }
    for (int sign = -1; of_count == 1 && sign <= 1; sign += 2) {
        set_plane(o, one, zero, sign, &of[0]);
        rows = fill_row(o, rows, points, count);
        set_plane(o, zero, one, sign, &of[0]);
        rows = fill_row(o, rows, points, count);
    }
    mpz_clears(dx, dy, zero, one, NULL);
    return rows;
}

/// Whether the edge from vertex p to vertex q of A has a point in all rows' half planes.
static bool edge_overlaps(polygon_oracle *o, int rows, int32_t p, int32_t q) {
    mpz_set_si(o->low[0], 0);
    mpz_set_si(o->low[1], 1);
    mpz_set_si(o->high[0], 1);
    mpz_set_si(o->high[1], 1);
    for (int i = 0; i < rows; i++) {
        // h(t) = h_p + t (h_q - h_p) >= 0
        int at_p = mpz_sgn(o->h[i][p]), at_q = mpz_sgn(o->h[i][q]);
        if (at_p < 0 && at_q < 0) return false;
        if (at_p >= 0 && at_q >= 0) continue;
        // t = h_p / (h_p - h_q), both with the sign of h_p
        mpz_sub(o->w, o->h[i][p], o->h[i][q]);
        mpz_abs(o->w, o->w);
        mpz_abs(o->u, o->h[i][p]);
        mpz_t *bound = at_p < 0 ? o->low : o->high;
        mpz_mul(o->v, o->u, bound[1]);
        mpz_submul(o->v, bound[0], o->w); // sign of the new bound less the old
        if (at_p < 0 ? mpz_sgn(o->v) > 0 : mpz_sgn(o->v) < 0) {
            mpz_set(bound[0], o->u);
            mpz_set(bound[1], o->w);
        }
    }
    mpz_mul(o->u, o->low[0], o->high[1]);
    mpz_mul(o->v, o->high[0], o->low[1]);
    return mpz_cmp(o->u, o->v) <= 0;
}

bool polygon_oracle_overlap(polygon_oracle *o, const polygon_oracle_polygon *a,
                            const polygon_oracle_polygon *b, graze_vec2 shift) {
    const polygon_oracle_polygon moved = {.v = {shift}, .count = 1};
    int least = exponent_least(&moved, exponent_least(b, exponent_least(a, 0)));
    scale(o->n.x, shift.x, least);
    scale(o->n.y, shift.y, least);
    for (int32_t i = 0; i < a->count; i++) {
        scale(o->a[i].x, a->v[i].x, least);
        scale(o->a[i].y, a->v[i].y, least);
    }
    for (int32_t i = 0; i < b->count; i++) {
        scale(o->b[i].x, b->v[i].x, least);
        scale(o->b[i].y, b->v[i].y, least);
        mpz_add(o->b[i].x, o->b[i].x, o->n.x);
        mpz_add(o->b[i].y, o->b[i].y, o->n.y);
    }
    int rows = fill_planes(o, o->b, b->count, o->a, a->count);
    for (int32_t i = 0; i < a->count; i++) {
        if (edge_overlaps(o, rows, i, (i + 1) % a->count)) return true;
    }
    // No edge of A has a point in B: B is inside A, or apart from it.
    rows = fill_planes(o, o->a, a->count, o->b, 1);
    for (int i = 0; i < rows; i++) {
        if (mpz_sgn(o->h[i][0]) < 0) return false;
    }
    return true;
}
