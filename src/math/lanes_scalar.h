/// Eight floats, and one double, without vector instructions; included by lanes.h only.
#ifndef GZ_MATH_LANES_SCALAR_H
#define GZ_MATH_LANES_SCALAR_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct gz_f8 {
    float v[GZ_LANES];
} gz_f8;

static inline gz_f8 gz_f8_load(const float *p) {
    gz_f8 a;
    memcpy(a.v, p, sizeof a.v);
    return a;
}
static inline void gz_f8_store(float *p, gz_f8 a) {
    memcpy(p, a.v, sizeof a.v);
}
static inline gz_f8 gz_f8_all(float x) {
    gz_f8 a;
    for (int i = 0; i < GZ_LANES; i++) a.v[i] = x;
    return a;
}
/// p[i][offset] in lane i.
static inline gz_f8 gz_f8_gather(const float *const p[GZ_LANES], size_t offset) {
    gz_f8 a;
    for (int i = 0; i < GZ_LANES; i++) a.v[i] = p[i][offset];
    return a;
}

#define GZ_F8_EACH(name, expression)                                                               \
    static inline gz_f8 name(gz_f8 a, gz_f8 b) {                                                   \
        for (int i = 0; i < GZ_LANES; i++) {                                                       \
            float x = a.v[i], y = b.v[i];                                                          \
            a.v[i] = (expression);                                                                 \
        }                                                                                          \
        return a;                                                                                  \
    }
GZ_F8_EACH(gz_f8_add, x + y)
GZ_F8_EACH(gz_f8_sub, x - y)
GZ_F8_EACH(gz_f8_mul, x *y)
static inline gz_f8 gz_f8_muladd(gz_f8 a, gz_f8 b, gz_f8 c) {
    return gz_f8_add(gz_f8_mul(a, b), c);
}
GZ_F8_EACH(gz_f8_div, x / y)
GZ_F8_EACH(gz_f8_min, x < y ? x : y)
GZ_F8_EACH(gz_f8_max, x > y ? x : y)
/// -1 (sign bit set) where a > b, else +0: enough for gz_f8_or and gz_f8_mask.
GZ_F8_EACH(gz_f8_greater, x > y ? -1.0f : 0.0f)
GZ_F8_EACH(gz_f8_or, x < 0 || y < 0 ? -1.0f : 0.0f)
static inline gz_f8 gz_f8_select(gz_f8 a, gz_f8 b, gz_f8 mask) {
    for (int i = 0; i < GZ_LANES; i++) a.v[i] = mask.v[i] < 0 ? b.v[i] : a.v[i];
    return a;
}
static inline gz_f8 gz_f8_sqrt(gz_f8 a) {
    for (int i = 0; i < GZ_LANES; i++) a.v[i] = sqrtf(a.v[i]);
    return a;
}
static inline gz_f8 gz_f8_abs(gz_f8 a) {
    for (int i = 0; i < GZ_LANES; i++) a.v[i] = fabsf(a.v[i]); // -0 becomes +0, as in the others
    return a;
}
static inline float gz_f8_least(gz_f8 a) {
    float least = a.v[0];
    for (int i = 1; i < GZ_LANES; i++) least = a.v[i] < least ? a.v[i] : least;
    return least;
}
static inline unsigned gz_f8_mask(gz_f8 a) {
    unsigned mask = 0;
    for (int i = 0; i < GZ_LANES; i++) mask |= (a.v[i] < 0 ? 1u : 0u) << i;
    return mask;
}

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
static inline gz_d gz_d_select(gz_d_mask mask, gz_d yes, gz_d no) {
    return mask ? yes : no;
}
/// 0 where the mask holds.
static inline gz_d gz_d_drop(gz_d_mask mask, gz_d no) {
    return mask ? 0 : no;
}
/// By the sign of `sign`, that of -0 included: `yes` where it is negative.
static inline gz_d gz_d_if_negative(gz_d sign, gz_d yes, gz_d no) {
    return signbit(sign) ? yes : no;
}
static inline gz_d gz_d_keep(gz_d_mask mask, gz_d yes) {
    return mask ? yes : 0;
}

/// Eight doubles.
typedef struct gz_d8 {
    gz_d vector[GZ_LANES / GZ_D_LANES];
} gz_d8;

GZ_F8_EACH(gz_f8_keep, x < 0 ? y : 0)

static inline gz_f8 gz_f8_round(gz_d8 a) {
    gz_f8 out;
    for (int i = 0; i < GZ_LANES; i++) out.v[i] = (float)a.vector[i];
    return out;
}
static inline void gz_f8_store_whole(int32_t *p, gz_f8 a) {
    for (int i = 0; i < GZ_LANES; i++) p[i] = (int32_t)a.v[i];
}
static inline gz_d gz_d_load_whole(const int32_t *p) {
    return *p;
}
static inline void gz_f8_store_wide(double *p, gz_f8 a) {
    for (int i = 0; i < GZ_LANES; i++) p[i] = (double)a.v[i];
}

#endif
