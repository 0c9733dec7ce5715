#include "math/predicate.h"

#include <stdbool.h>

#include "math/double_double.h"

// A difference of two coordinates, exactly.
typedef struct gap {
    double x[2];
    size_t n;
} gap;

// A product of two gaps less another: 2 * (2 * 2 * 2) components.
typedef struct minor {
    double x[16];
    size_t n;
} minor;

_Static_assert(sizeof(((minor *)0)->x) / sizeof(double) <= GZ_EXPANSION_FACTOR,
               "a minor can be multiplied");

static gap gap_of(double a, double b) {
    gap g;
    g.n = gz_expansion_difference(a, b, g.x);
    return g;
}

// p q - r s. Most gaps of neighbouring points are one double, and then all lengths stay short.
static void minor_of(minor *m, const gap *p, const gap *q, const gap *r, const gap *s) {
    double left[8], right[8];
    size_t left_n = gz_expansion_multiply(p->x, p->n, q->x, q->n, left);
    size_t right_n = gz_expansion_multiply(r->x, r->n, s->x, s->n, right);
    gz_expansion_negate(right, right_n);
    m->n = gz_expansion_sum(left, left_n, right, right_n, m->x);
}

double gz_orient3d_value(const double a[3], const double b[3], const double c[3],
                         const double d[3]) {
    gap ax = gap_of(a[0], d[0]), ay = gap_of(a[1], d[1]), az = gap_of(a[2], d[2]);
    gap bx = gap_of(b[0], d[0]), by = gap_of(b[1], d[1]), bz = gap_of(b[2], d[2]);
    gap cx = gap_of(c[0], d[0]), cy = gap_of(c[1], d[1]), cz = gap_of(c[2], d[2]);

    // Expanded along z: az (bx cy - cx by) + bz (cx ay - ax cy) + cz (ax by - bx ay).
    minor bc, ca, ab;
    minor_of(&bc, &bx, &cy, &cx, &by);
    minor_of(&ca, &cx, &ay, &ax, &cy);
    minor_of(&ab, &ax, &by, &bx, &ay);
    double a_term[64], b_term[64], c_term[64], two_terms[128], det[192];
    size_t a_n = gz_expansion_multiply(bc.x, bc.n, az.x, az.n, a_term);
    size_t b_n = gz_expansion_multiply(ca.x, ca.n, bz.x, bz.n, b_term);
    size_t c_n = gz_expansion_multiply(ab.x, ab.n, cz.x, cz.n, c_term);
    size_t two_n = gz_expansion_sum(a_term, a_n, b_term, b_n, two_terms);
    size_t n = gz_expansion_sum(two_terms, two_n, c_term, c_n, det);
    return gz_expansion_estimate(det, n);
}

static inline gz_dd gap_in_two(double a, double b) {
    gz_dd p;
    gz_two_difference(a, b, &p.high, &p.low);
    return p;
}

// Fewer operations than gz_dd_add(), with an error relative to the terms, not to the sum. Rounded:
// the sum of the low parts (u^2 (|a| + |b|)), and its sum with what the high parts' sum rounded off
// (2 u^2): below 4 u^2 (|a| + |b|).
static inline gz_dd add(gz_dd a, gz_dd b) {
    double high, low;
    gz_two_sum(a.high, b.high, &high, &low);
    low += a.low + b.low;
    gz_two_sum(high, low, &high, &low); // after cancellation either may be the larger
    return (gz_dd){high, low};
}

static inline gz_dd subtract(gz_dd a, gz_dd b) {
    return add(a, gz_dd_negate(b));
}

static inline bool same_point(const double p[3], const double q[3]) {
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

// Nothing underflows: coordinates are multiples of 2^-192 (predicate.h), so what is rounded here
// are products of two of at least 2^-384, all multiples of 2^-436, and products of these with a
// third, of at least 2^-628.
//
// The second filter: the determinant in pairs of doubles, 0 where its sign stays unknown.
// Differences are exact; each of the six terms goes through two products (9 u^2 each), a
// subtraction and two additions (4 u^2 each) of numbers whose magnitudes sum to at most P, the sum
// of the terms' magnitudes: |error| < (18 + 12) u^2 P, higher powers included as each figure was
// rounded up. fl(P) is low by less than 8 u P, so 32 u^2 fl(P) will do.
static int pair_sign(const double a[3], const double b[3], const double c[3], const double d[3]) {
    gz_dd ax = gap_in_two(a[0], d[0]), ay = gap_in_two(a[1], d[1]), az = gap_in_two(a[2], d[2]);
    gz_dd bx = gap_in_two(b[0], d[0]), by = gap_in_two(b[1], d[1]), bz = gap_in_two(b[2], d[2]);
    gz_dd cx = gap_in_two(c[0], d[0]), cy = gap_in_two(c[1], d[1]), cz = gap_in_two(c[2], d[2]);
    gz_dd bxcy = gz_dd_multiply(bx, cy), cxby = gz_dd_multiply(cx, by);
    gz_dd cxay = gz_dd_multiply(cx, ay), axcy = gz_dd_multiply(ax, cy);
    gz_dd axby = gz_dd_multiply(ax, by), bxay = gz_dd_multiply(bx, ay);
    gz_dd a_term = gz_dd_multiply(az, subtract(bxcy, cxby));
    gz_dd b_term = gz_dd_multiply(bz, subtract(cxay, axcy));
    gz_dd c_term = gz_dd_multiply(cz, subtract(axby, bxay));
    gz_dd det = add(add(a_term, b_term), c_term);
    double bound = 0x1p-101 * (fabs(az.high) * (fabs(bxcy.high) + fabs(cxby.high)) +
                               fabs(bz.high) * (fabs(cxay.high) + fabs(axcy.high)) +
                               fabs(cz.high) * (fabs(axby.high) + fabs(bxay.high)));
    return (det.high > bound) - (det.high < -bound);
}

int gz_orient3d_exact(const double a[3], const double b[3], const double c[3], const double d[3]) {
    // Corners that triangles share are the usual reason to come here.
    if (same_point(a, b) || same_point(b, c) || same_point(c, a)) return 0;
    int sign = pair_sign(a, b, c, d);
    return sign != 0 ? sign : gz_sign(gz_orient3d_value(a, b, c, d));
}

double gz_orient2d_value(const double a[2], const double b[2], const double c[2]) {
    gap ax = gap_of(a[0], c[0]), ay = gap_of(a[1], c[1]);
    gap bx = gap_of(b[0], c[0]), by = gap_of(b[1], c[1]);
    minor det;
    minor_of(&det, &ax, &by, &ay, &bx);
    return gz_expansion_estimate(det.x, det.n);
}
