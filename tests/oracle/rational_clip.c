#include "rational_clip.h"

#include <gmp.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// A rational point x / w, w > 0.
typedef struct point {
    mpz_t x[3], w;
} point;

struct rational_clip {
    point polygons[2][RATIONAL_CLIP_MAX]; // corners in cyclic order; clipping goes to and fro
    int current, count;
    int scale; // coordinates are multiples of 2^-scale
    int dimension;
    mpz_t b[3][3];                         // the second triangle, integers
    mpz_t normal[3], edge[3][3], plane[3]; // of it; plane: the normal of a half-space
    mpz_t height[RATIONAL_CLIP_MAX];
    mpz_t offset, product;
    mpq_t quotient;
};

static void point_init(point *p) {
    mpz_inits(p->x[0], p->x[1], p->x[2], p->w, NULL);
}
static void point_clear(point *p) {
    mpz_clears(p->x[0], p->x[1], p->x[2], p->w, NULL);
}

rational_clip *rational_clip_create(void) {
    rational_clip *c = calloc(1, sizeof *c);
    if (c == NULL) abort();
    for (int i = 0; i < RATIONAL_CLIP_MAX; i++) {
        point_init(&c->polygons[0][i]);
        point_init(&c->polygons[1][i]);
        mpz_init(c->height[i]);
    }
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) mpz_inits(c->b[i][k], c->edge[i][k], NULL);
        mpz_inits(c->normal[i], c->plane[i], NULL);
    }
    mpz_inits(c->offset, c->product, NULL);
    mpq_init(c->quotient);
    return c;
}

void rational_clip_free(rational_clip *c) {
    if (c == NULL) return;
    for (int i = 0; i < RATIONAL_CLIP_MAX; i++) {
        point_clear(&c->polygons[0][i]);
        point_clear(&c->polygons[1][i]);
        mpz_clear(c->height[i]);
    }
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) mpz_clears(c->b[i][k], c->edge[i][k], NULL);
        mpz_clears(c->normal[i], c->plane[i], NULL);
    }
    mpz_clears(c->offset, c->product, NULL);
    mpq_clear(c->quotient);
    free(c);
}

// The exponent of the lowest bit that is set.
static int lowest_exponent(double x) {
    int exponent;
    double fraction = frexp(x, &exponent);
    uint64_t bits = (uint64_t)fabs(ldexp(fraction, 53));
    return exponent - 53 + __builtin_ctzll(bits);
}

// Both triangles times the least power of two that makes every coordinate an integer.
static void read_corners(rational_clip *c, const double a[9], const double b[9]) {
    int lowest = INT32_MAX;
    for (int i = 0; i < 9; i++) {
        if (a[i] != 0 && lowest_exponent(a[i]) < lowest) lowest = lowest_exponent(a[i]);
        if (b[i] != 0 && lowest_exponent(b[i]) < lowest) lowest = lowest_exponent(b[i]);
    }
    c->scale = lowest == INT32_MAX ? 0 : -lowest;
    c->current = 0;
    c->count = 3;
    for (int i = 0; i < 9; i++) {
        mpz_set_d(c->polygons[0][i / 3].x[i % 3], ldexp(a[i], c->scale));
        mpz_set_d(c->b[i / 3][i % 3], ldexp(b[i], c->scale));
        mpz_set_ui(c->polygons[0][i / 3].w, 1);
    }
}

static void subtract(mpz_t *difference, mpz_t *p, mpz_t *q) {
    for (int k = 0; k < 3; k++) mpz_sub(difference[k], p[k], q[k]);
}

static void cross(mpz_t *product, mpz_t *u, mpz_t *v) {
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        mpz_mul(product[k], u[i], v[j]);
        mpz_submul(product[k], u[j], v[i]);
    }
}

static void dot(mpz_t product, mpz_t *u, mpz_t *v) {
    mpz_mul(product, u[0], v[0]);
    mpz_addmul(product, u[1], v[1]);
    mpz_addmul(product, u[2], v[2]);
}

// Keeps the part of the polygon where c->plane . x >= c->offset (Sutherland and Hodgman), times
// `side`. A polygon that is a segment or a point, with corners repeated, is cut rightly too: its
// edges still cover it.
static void clip_side(rational_clip *c, int side) {
    point *from = c->polygons[c->current], *to = c->polygons[!c->current];
    for (int i = 0; i < c->count; i++) {
        dot(c->height[i], c->plane, from[i].x);
        mpz_submul(c->height[i], c->offset, from[i].w);
        if (side < 0) mpz_neg(c->height[i], c->height[i]);
    }
    int count = 0;
    for (int i = 0; i < c->count; i++) {
        int j = (i + 1) % c->count;
        int i_sign = mpz_sgn(c->height[i]), j_sign = mpz_sgn(c->height[j]);
        if (i_sign >= 0) {
            for (int k = 0; k < 3; k++) mpz_set(to[count].x[k], from[i].x[k]);
            mpz_set(to[count++].w, from[i].w);
        }
        if (i_sign * j_sign < 0) {
            // (|h_i| p_j + |h_j| p_i) / (|h_i| w_j + |h_j| w_i)
            mpz_abs(c->height[i], c->height[i]);
            mpz_abs(c->product, c->height[j]);
            for (int k = 0; k < 3; k++) {
                mpz_mul(to[count].x[k], c->height[i], from[j].x[k]);
                mpz_addmul(to[count].x[k], c->product, from[i].x[k]);
            }
            mpz_mul(to[count].w, c->height[i], from[j].w);
            mpz_addmul(to[count].w, c->product, from[i].w);
            if (i_sign < 0) mpz_neg(c->height[i], c->height[i]);
            count++;
        }
        if (count + 2 > RATIONAL_CLIP_MAX) abort();
    }
    c->current = !c->current;
    c->count = count;
}

static void clip_plane(rational_clip *c) {
    clip_side(c, 1);
    if (c->count != 0) clip_side(c, -1);
}

static void clip_to_triangle(rational_clip *c) {
    for (int k = 0; k < 3; k++) mpz_set(c->plane[k], c->normal[k]);
    dot(c->offset, c->plane, c->b[0]);
    clip_plane(c);
    for (int i = 0; i < 3 && c->count != 0; i++) {
        cross(c->plane, c->normal, c->edge[i]); // points inwards
        dot(c->offset, c->plane, c->b[i]);
        clip_side(c, 1);
    }
}

// b[i] to b[i + 1] is the longest edge of three corners on a line: the segment itself.
static void clip_to_segment(rational_clip *c, int i) {
    int j = (i + 1) % 3;
    // On the line: each component of v x (x - p) is 0.
    for (int k = 0; k < 3 && c->count != 0; k++) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        mpz_set_ui(c->plane[k], 0);
        mpz_neg(c->plane[u], c->edge[i][v]);
        mpz_set(c->plane[v], c->edge[i][u]);
        dot(c->offset, c->plane, c->b[i]);
        clip_plane(c);
    }
    // Between the ends.
    for (int k = 0; k < 3; k++) mpz_set(c->plane[k], c->edge[i][k]);
    dot(c->offset, c->plane, c->b[i]);
    if (c->count != 0) clip_side(c, 1);
    dot(c->offset, c->plane, c->b[j]);
    if (c->count != 0) clip_side(c, -1);
}

static void clip_to_point(rational_clip *c) {
    for (int k = 0; k < 3 && c->count != 0; k++) {
        for (int i = 0; i < 3; i++) mpz_set_ui(c->plane[i], i == k);
        mpz_set(c->offset, c->b[0][k]);
        clip_plane(c);
    }
}

bool rational_clip_overlap(rational_clip *c, const double a[9], const double b[9]) {
    read_corners(c, a, b);
    for (int i = 0; i < 3; i++) subtract(c->edge[i], c->b[(i + 1) % 3], c->b[i]);
    cross(c->normal, c->edge[0], c->edge[1]);
    if (mpz_sgn(c->normal[0]) != 0 || mpz_sgn(c->normal[1]) != 0 || mpz_sgn(c->normal[2]) != 0) {
        c->dimension = 2;
        clip_to_triangle(c);
        return c->count != 0;
    }
    int longest = 0;
    mpz_set_si(c->offset, -1);
    for (int i = 0; i < 3; i++) {
        dot(c->product, c->edge[i], c->edge[i]);
        if (mpz_cmp(c->product, c->offset) > 0) {
            mpz_set(c->offset, c->product);
            longest = i;
        }
    }
    c->dimension = mpz_sgn(c->offset) > 0;
    if (c->dimension == 1) {
        clip_to_segment(c, longest);
    } else {
        clip_to_point(c);
    }
    return c->count != 0;
}

int rational_clip_shared(rational_clip *c, double points[RATIONAL_CLIP_MAX][3]) {
    for (int i = 0; i < c->count; i++) {
        point *p = &c->polygons[c->current][i];
        for (int k = 0; k < 3; k++) {
            mpz_set(mpq_numref(c->quotient), p->x[k]);
            mpz_set(mpq_denref(c->quotient), p->w);
            mpq_canonicalize(c->quotient);
            points[i][k] = ldexp(mpq_get_d(c->quotient), -c->scale);
        }
    }
    return c->count;
}

bool rational_clip_shared_is_point(rational_clip *c) {
    point *p = c->polygons[c->current];
    for (int i = 1; i < c->count; i++) {
        for (int k = 0; k < 3; k++) {
            mpz_mul(c->product, p[0].x[k], p[i].w);
            mpz_mul(c->offset, p[i].x[k], p[0].w);
            if (mpz_cmp(c->product, c->offset) != 0) return false;
        }
    }
    return true;
}

int rational_clip_dimension(const rational_clip *c) {
    return c->dimension;
}
