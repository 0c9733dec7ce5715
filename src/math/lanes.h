/// Eight floats side by side. One small set of operations in three forms: AVX, two SSE halves, and
/// a scalar twin for every other processor and for the scalar build. All are element-wise IEEE
/// single precision without fused operations, so every form gives the same bits.
#ifndef GZ_MATH_LANES_H
#define GZ_MATH_LANES_H

#include <stdint.h>

#define GZ_LANES 8

#if !defined(GRAZE_SCALAR) && defined(__AVX__)

#include <immintrin.h>

typedef __m256 gz_f8;

static inline gz_f8 gz_f8_load(const float *p) {
    return _mm256_loadu_ps(p);
}
static inline void gz_f8_store(float *p, gz_f8 a) {
    _mm256_storeu_ps(p, a);
}
static inline gz_f8 gz_f8_all(float x) {
    return _mm256_set1_ps(x);
}
static inline gz_f8 gz_f8_add(gz_f8 a, gz_f8 b) {
    return _mm256_add_ps(a, b);
}
static inline gz_f8 gz_f8_sub(gz_f8 a, gz_f8 b) {
    return _mm256_sub_ps(a, b);
}
static inline gz_f8 gz_f8_mul(gz_f8 a, gz_f8 b) {
    return _mm256_mul_ps(a, b);
}
static inline gz_f8 gz_f8_div(gz_f8 a, gz_f8 b) {
    return _mm256_div_ps(a, b);
}
static inline gz_f8 gz_f8_min(gz_f8 a, gz_f8 b) {
    return _mm256_min_ps(a, b);
}
static inline gz_f8 gz_f8_max(gz_f8 a, gz_f8 b) {
    return _mm256_max_ps(a, b);
}
static inline gz_f8 gz_f8_sqrt(gz_f8 a) {
    return _mm256_sqrt_ps(a);
}
static inline gz_f8 gz_f8_abs(gz_f8 a) {
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);
}
/// All bits set where a > b, else none; false where either is NaN.
static inline gz_f8 gz_f8_greater(gz_f8 a, gz_f8 b) {
    return _mm256_cmp_ps(a, b, _CMP_GT_OQ);
}
static inline gz_f8 gz_f8_or(gz_f8 a, gz_f8 b) {
    return _mm256_or_ps(a, b);
}
/// b where the mask (as gz_f8_greater() makes it) is set, else a.
static inline gz_f8 gz_f8_select(gz_f8 a, gz_f8 b, gz_f8 mask) {
    return _mm256_blendv_ps(a, b, mask);
}
/// Bit i is the sign bit of lane i.
static inline unsigned gz_f8_mask(gz_f8 a) {
    return (unsigned)_mm256_movemask_ps(a);
}

#elif !defined(GRAZE_SCALAR) && defined(__SSE2__)

#include <emmintrin.h>

typedef struct gz_f8 {
    __m128 low, high;
} gz_f8;

#define GZ_F8_PAIR(op, a, b) ((gz_f8){op((a).low, (b).low), op((a).high, (b).high)})

static inline gz_f8 gz_f8_load(const float *p) {
    return (gz_f8){_mm_loadu_ps(p), _mm_loadu_ps(p + 4)};
}
static inline void gz_f8_store(float *p, gz_f8 a) {
    _mm_storeu_ps(p, a.low);
    _mm_storeu_ps(p + 4, a.high);
}
static inline gz_f8 gz_f8_all(float x) {
    return (gz_f8){_mm_set1_ps(x), _mm_set1_ps(x)};
}
static inline gz_f8 gz_f8_add(gz_f8 a, gz_f8 b) {
    return GZ_F8_PAIR(_mm_add_ps, a, b);
}
static inline gz_f8 gz_f8_sub(gz_f8 a, gz_f8 b) {
    return GZ_F8_PAIR(_mm_sub_ps, a, b);
}
static inline gz_f8 gz_f8_mul(gz_f8 a, gz_f8 b) {
    return GZ_F8_PAIR(_mm_mul_ps, a, b);
}
static inline gz_f8 gz_f8_div(gz_f8 a, gz_f8 b) {
    return GZ_F8_PAIR(_mm_div_ps, a, b);
}
static inline gz_f8 gz_f8_min(gz_f8 a, gz_f8 b) {
    return GZ_F8_PAIR(_mm_min_ps, a, b);
}
static inline gz_f8 gz_f8_max(gz_f8 a, gz_f8 b) {
    return GZ_F8_PAIR(_mm_max_ps, a, b);
}
static inline gz_f8 gz_f8_sqrt(gz_f8 a) {
    return (gz_f8){_mm_sqrt_ps(a.low), _mm_sqrt_ps(a.high)};
}
static inline gz_f8 gz_f8_abs(gz_f8 a) {
    __m128 sign = _mm_set1_ps(-0.0f);
    return (gz_f8){_mm_andnot_ps(sign, a.low), _mm_andnot_ps(sign, a.high)};
}
static inline gz_f8 gz_f8_greater(gz_f8 a, gz_f8 b) {
    return GZ_F8_PAIR(_mm_cmpgt_ps, a, b);
}
static inline gz_f8 gz_f8_or(gz_f8 a, gz_f8 b) {
    return GZ_F8_PAIR(_mm_or_ps, a, b);
}
static inline gz_f8 gz_f8_select(gz_f8 a, gz_f8 b, gz_f8 mask) {
    return (gz_f8){_mm_or_ps(_mm_and_ps(mask.low, b.low), _mm_andnot_ps(mask.low, a.low)),
                   _mm_or_ps(_mm_and_ps(mask.high, b.high), _mm_andnot_ps(mask.high, a.high))};
}
static inline unsigned gz_f8_mask(gz_f8 a) {
    return (unsigned)_mm_movemask_ps(a.low) | ((unsigned)_mm_movemask_ps(a.high) << 4);
}

#else

#include <math.h>
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
static inline unsigned gz_f8_mask(gz_f8 a) {
    unsigned mask = 0;
    for (int i = 0; i < GZ_LANES; i++) mask |= (a.v[i] < 0 ? 1u : 0u) << i;
    return mask;
}

#endif

/// The nearest whole number, for magnitudes below 2^22: above 2^23 floats have no room for more.
static inline gz_f8 gz_f8_whole(gz_f8 x) {
    gz_f8 big = gz_f8_all(0x1.8p23f);
    return gz_f8_sub(gz_f8_add(x, big), big);
}

#endif
