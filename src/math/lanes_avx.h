/// Eight floats side by side with AVX; included by lanes.h only.
#ifndef GZ_MATH_LANES_AVX_H
#define GZ_MATH_LANES_AVX_H

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
/// p[i][offset] in lane i. Eight loads: the processor's own gathering instruction takes longer.
static inline gz_f8 gz_f8_gather(const float *const p[GZ_LANES], size_t offset) {
    return _mm256_setr_ps(p[0][offset], p[1][offset], p[2][offset], p[3][offset], p[4][offset],
                          p[5][offset], p[6][offset], p[7][offset]);
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
static inline gz_f8 gz_f8_muladd(gz_f8 a, gz_f8 b, gz_f8 c) {
#ifdef __FMA__
    return _mm256_fmadd_ps(a, b, c);
#else
    return _mm256_add_ps(_mm256_mul_ps(a, b), c);
#endif
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
/// The least of the lanes.
static inline float gz_f8_least(gz_f8 a) {
    __m128 m = _mm_min_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    m = _mm_min_ps(m, _mm_movehl_ps(m, m));
    return _mm_cvtss_f32(_mm_min_ss(m, _mm_shuffle_ps(m, m, 1)));
}
/// Bit i is the sign bit of lane i.
static inline unsigned gz_f8_mask(gz_f8 a) {
    return (unsigned)_mm256_movemask_ps(a);
}

#endif
