/// Eight floats side by side as two halves with SSE2; included by lanes.h only.
#ifndef GZ_MATH_LANES_SSE2_H
#define GZ_MATH_LANES_SSE2_H

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
/// p[i][offset] in lane i.
static inline gz_f8 gz_f8_gather(const float *const p[GZ_LANES], size_t offset) {
    return (gz_f8){_mm_setr_ps(p[0][offset], p[1][offset], p[2][offset], p[3][offset]),
                   _mm_setr_ps(p[4][offset], p[5][offset], p[6][offset], p[7][offset])};
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
static inline gz_f8 gz_f8_muladd(gz_f8 a, gz_f8 b, gz_f8 c) {
    return gz_f8_add(gz_f8_mul(a, b), c);
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
static inline float gz_f8_least(gz_f8 a) {
    __m128 m = _mm_min_ps(a.low, a.high);
    m = _mm_min_ps(m, _mm_movehl_ps(m, m));
    return _mm_cvtss_f32(_mm_min_ss(m, _mm_shuffle_ps(m, m, 1)));
}
static inline unsigned gz_f8_mask(gz_f8 a) {
    return (unsigned)_mm_movemask_ps(a.low) | ((unsigned)_mm_movemask_ps(a.high) << 4);
}

#endif
