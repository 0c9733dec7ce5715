/// Eight floats and four doubles side by side with AVX; included by lanes.h only.
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

#define GZ_D_LANES 4
typedef double gz_d __attribute__((vector_size(32)));
typedef __m256d gz_d_mask;

static inline gz_d gz_d_load(const double *p) {
    return _mm256_loadu_pd(p);
}
static inline void gz_d_store(double *p, gz_d a) {
    _mm256_storeu_pd(p, a);
}
static inline gz_d gz_d_all(double x) {
    return _mm256_set1_pd(x);
}
static inline gz_d gz_d_sqrt(gz_d a) {
    return _mm256_sqrt_pd(a);
}
/// a < b ? a : b, so b where either is NaN; likewise the largest.
static inline gz_d gz_d_min(gz_d a, gz_d b) {
    return _mm256_min_pd(a, b);
}
static inline gz_d gz_d_max(gz_d a, gz_d b) {
    return _mm256_max_pd(a, b);
}
static inline gz_d gz_d_abs(gz_d a) {
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a);
}
/// a with its sign turned where that of b is negative (-0 included).
static inline gz_d gz_d_mulsign(gz_d a, gz_d b) {
    return _mm256_xor_pd(a, _mm256_and_pd(b, _mm256_set1_pd(-0.0)));
}
static inline gz_d_mask gz_d_less(gz_d a, gz_d b) {
    return _mm256_cmp_pd(a, b, _CMP_LT_OQ);
}
static inline gz_d_mask gz_d_at_most(gz_d a, gz_d b) {
    return _mm256_cmp_pd(a, b, _CMP_LE_OQ);
}
static inline gz_d_mask gz_d_and(gz_d_mask a, gz_d_mask b) {
    return _mm256_and_pd(a, b);
}
static inline gz_d gz_d_select(gz_d_mask mask, gz_d yes, gz_d no) {
    return _mm256_blendv_pd(no, yes, mask);
}
/// 0 where the mask holds.
static inline gz_d gz_d_drop(gz_d_mask mask, gz_d no) {
    return _mm256_andnot_pd(mask, no);
}
/// By the sign of `sign`, that of -0 included: `yes` where it is negative.
static inline gz_d gz_d_if_negative(gz_d sign, gz_d yes, gz_d no) {
    return _mm256_blendv_pd(no, yes, sign);
}
/// Where the mask holds; 0 elsewhere.
static inline gz_d gz_d_keep(gz_d_mask mask, gz_d yes) {
    return _mm256_and_pd(mask, yes);
}

/// Eight doubles.
typedef struct gz_d8 {
    gz_d vector[GZ_LANES / GZ_D_LANES];
} gz_d8;

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
