/// Numbers of about 106 bits as unevaluated sums of two doubles (Dekker 1971; Hida, Li and Bailey
/// 2001): relative errors of a few units of 2^-104. For the few cases that doubles cannot decide.
#ifndef GZ_MATH_DOUBLE_DOUBLE_H
#define GZ_MATH_DOUBLE_DOUBLE_H

#include <math.h>

#include "math/expansion.h"

typedef struct gz_dd {
    double high, low;
} gz_dd;

static inline gz_dd gz_dd_of(double x) {
    return (gz_dd){x, 0};
}

static inline gz_dd gz_dd_add(gz_dd a, gz_dd b) {
    double s, e, t, f;
    gz_two_sum(a.high, b.high, &s, &e);
    gz_two_sum(a.low, b.low, &t, &f);
    gz_fast_two_sum(s, e + t, &s, &e);
    gz_fast_two_sum(s, e + f, &s, &e);
    return (gz_dd){s, e};
}

static inline gz_dd gz_dd_negate(gz_dd a) {
    return (gz_dd){-a.high, -a.low};
}

static inline gz_dd gz_dd_subtract(gz_dd a, gz_dd b) {
    return gz_dd_add(a, gz_dd_negate(b));
}

/// Left out, with u = 2^-53: a.low b.low, at most u^2 |a b|. Rounded: the two cross products (u^2
/// each), their sum (2 u^2), its sum with the product's low part (3 u^2). Together below 9 u^2
/// |a b|, higher powers of u included.
static inline gz_dd gz_dd_multiply(gz_dd a, gz_dd b) {
    double p, e;
    gz_two_product(a.high, b.high, &p, &e);
    e += a.high * b.low + a.low * b.high;
    gz_fast_two_sum(p, e, &p, &e);
    return (gz_dd){p, e};
}

/// a / b for b != 0, by long division with two corrections.
static inline gz_dd gz_dd_divide(gz_dd a, gz_dd b) {
    double first = a.high / b.high;
    gz_dd rest = gz_dd_subtract(a, gz_dd_multiply(b, gz_dd_of(first)));
    double second = rest.high / b.high;
    rest = gz_dd_subtract(rest, gz_dd_multiply(b, gz_dd_of(second)));
    double third = rest.high / b.high, s, e;
    gz_fast_two_sum(first, second, &s, &e);
    return gz_dd_add((gz_dd){s, e}, gz_dd_of(third));
}

/// The square root of a >= 0: one step of Newton from that of the leading part.
static inline gz_dd gz_dd_sqrt(gz_dd a) {
    if (!(a.high > 0)) return gz_dd_of(0);
    gz_dd root = gz_dd_of(sqrt(a.high));
    gz_dd rest = gz_dd_subtract(a, gz_dd_multiply(root, root));
    return gz_dd_add(root, gz_dd_divide(rest, gz_dd_add(root, root)));
}

static inline double gz_dd_round(gz_dd a) {
    return a.high + a.low;
}

/// The sign of a: -1, 0 or 1.
static inline int gz_dd_sign(gz_dd a) {
    return (a.high > 0) - (a.high < 0);
}

static inline gz_dd gz_dd_dot(const gz_dd a[3], const gz_dd b[3]) {
    gz_dd sum = gz_dd_multiply(a[0], b[0]);
    sum = gz_dd_add(sum, gz_dd_multiply(a[1], b[1]));
    return gz_dd_add(sum, gz_dd_multiply(a[2], b[2]));
}

static inline void gz_dd_cross(const gz_dd a[3], const gz_dd b[3], gz_dd out[3]) {
    for (int k = 0; k < 3; k++) {
        const int u = (k + 1) % 3, v = (k + 2) % 3;
        out[k] = gz_dd_subtract(gz_dd_multiply(a[u], b[v]), gz_dd_multiply(a[v], b[u]));
    }
}

#endif
