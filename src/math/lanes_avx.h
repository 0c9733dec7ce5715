/// Eight floats as a vector of AVX; included by lanes.h only.
#ifndef GZ_MATH_LANES_AVX_H
#define GZ_MATH_LANES_AVX_H

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
    return a + b;
}
static inline gz_f8 gz_f8_sub(gz_f8 a, gz_f8 b) {
    return a - b;
}
static inline gz_f8 gz_f8_mul(gz_f8 a, gz_f8 b) {
    return a * b;
}
static inline gz_f8 gz_f8_muladd(gz_f8 a, gz_f8 b, gz_f8 c) {
#ifdef __FMA__
    return _mm256_fmadd_ps(a, b, c);
#else
    return a * b + c;
#endif
}
static inline gz_f8 gz_f8_div(gz_f8 a, gz_f8 b) {
    return a / b;
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

#include "math/double_lanes.h"

/// Where the mask (as gz_f8_greater() makes it) holds; 0 elsewhere.
static inline gz_f8 gz_f8_keep(gz_f8 mask, gz_f8 a) {
    return _mm256_and_ps(mask, a);
}
/// Each rounded to the nearest float.
static inline gz_f8 gz_f8_round(gz_d8 a) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(a.vector[0])),
                                _mm256_cvtpd_ps(a.vector[1]), 1);
}
/// Whole numbers, as such.
static inline void gz_f8_store_whole(int32_t *p, gz_f8 a) {
    _mm256_storeu_si256((__m256i *)(void *)p, _mm256_cvttps_epi32(a));
}
static inline gz_d gz_d_load_whole(const int32_t *p) {
    return _mm256_cvtepi32_pd(_mm_loadu_si128((const __m128i *)(const void *)p));
}
/// As doubles.
static inline void gz_f8_store_wide(double *p, gz_f8 a) {
    gz_d_store(p, _mm256_cvtps_pd(_mm256_castps256_ps128(a)));
    gz_d_store(p + 4, _mm256_cvtps_pd(_mm256_extractf128_ps(a, 1)));
}

#endif
