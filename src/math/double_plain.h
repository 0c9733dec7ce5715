/// One double in the place of several; included by double_lanes.h only, where there is no vector.
#ifndef GZ_MATH_DOUBLE_PLAIN_H
#define GZ_MATH_DOUBLE_PLAIN_H

#include <math.h>
#include <stdbool.h>

#define GZ_D_LANES 1
typedef double gz_d;
typedef bool gz_d_mask;

static inline gz_d gz_d_load(const double *p) {
    return *p;
}
static inline void gz_d_store(double *p, gz_d a) {
    *p = a;
}
static inline gz_d gz_d_all(double x) {
    return x;
}
static inline gz_d gz_d_sqrt(gz_d a) {
    return sqrt(a);
}
static inline gz_d gz_d_select(gz_d_mask mask, gz_d yes, gz_d no) {
    return mask ? yes : no;
}
static inline gz_d gz_d_min(gz_d a, gz_d b) {
    return a < b ? a : b;
}
static inline gz_d gz_d_max(gz_d a, gz_d b) {
    return a > b ? a : b;
}
static inline gz_d gz_d_abs(gz_d a) {
    return fabs(a);
}
static inline gz_d gz_d_mulsign(gz_d a, gz_d b) {
    return signbit(b) ? -a : a;
}
static inline gz_d_mask gz_d_less(gz_d a, gz_d b) {
    return a < b;
}
static inline gz_d_mask gz_d_at_most(gz_d a, gz_d b) {
    return a <= b;
}
static inline gz_d_mask gz_d_and(gz_d_mask a, gz_d_mask b) {
    return a && b;
}
static inline gz_d gz_d_keep(gz_d_mask mask, gz_d yes) {
    return mask ? yes : 0;
}
static inline gz_d gz_d_drop(gz_d_mask mask, gz_d no) {
    return mask ? 0 : no;
}
static inline gz_d gz_d_if_negative(gz_d sign, gz_d yes, gz_d no) {
    return signbit(sign) ? yes : no;
}

#endif
