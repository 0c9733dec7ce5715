/// Eight floats as two halves and two doubles side by side with SSE2; included by lanes.h only.
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

#define GZ_D_LANES 2
typedef double gz_d __attribute__((vector_size(16)));
typedef __m128d gz_d_mask;

static inline gz_d gz_d_load(const double *p) {
    return _mm_loadu_pd(p);
}
static inline void gz_d_store(double *p, gz_d a) {
    _mm_storeu_pd(p, a);
}
static inline gz_d gz_d_all(double x) {
    return _mm_set1_pd(x);
}
static inline gz_d gz_d_sqrt(gz_d a) {
    return _mm_sqrt_pd(a);
}
static inline gz_d gz_d_min(gz_d a, gz_d b) {
    return _mm_min_pd(a, b);
}
static inline gz_d gz_d_max(gz_d a, gz_d b) {
    return _mm_max_pd(a, b);
}
static inline gz_d gz_d_abs(gz_d a) {
    return _mm_andnot_pd(_mm_set1_pd(-0.0), a);
}
static inline gz_d gz_d_mulsign(gz_d a, gz_d b) {
    return _mm_xor_pd(a, _mm_and_pd(b, _mm_set1_pd(-0.0)));
}
static inline gz_d_mask gz_d_less(gz_d a, gz_d b) {
    return _mm_cmplt_pd(a, b);
}
static inline gz_d_mask gz_d_at_most(gz_d a, gz_d b) {
    return _mm_cmple_pd(a, b);
}
static inline gz_d_mask gz_d_and(gz_d_mask a, gz_d_mask b) {
    return _mm_and_pd(a, b);
}
static inline gz_d gz_d_select(gz_d_mask mask, gz_d yes, gz_d no) {
    return _mm_or_pd(_mm_and_pd(mask, yes), _mm_andnot_pd(mask, no));
}
/// 0 where the mask holds.
static inline gz_d gz_d_drop(gz_d_mask mask, gz_d no) {
    return _mm_andnot_pd(mask, no);
}
/// By the sign of `sign`, that of -0 included: `yes` where it is negative.
static inline gz_d gz_d_if_negative(gz_d sign, gz_d yes, gz_d no) {
    __m128i high = _mm_srai_epi32(_mm_castpd_si128(sign), 31);
    return gz_d_select(_mm_castsi128_pd(_mm_shuffle_epi32(high, 0xf5)), yes, no);
}
static inline gz_d gz_d_keep(gz_d_mask mask, gz_d yes) {
    return _mm_and_pd(mask, yes);
}

/// Eight doubles.
typedef struct gz_d8 {
    gz_d vector[GZ_LANES / GZ_D_LANES];
} gz_d8;

static inline gz_f8 gz_f8_keep(gz_f8 mask, gz_f8 a) {
    return GZ_F8_PAIR(_mm_and_ps, mask, a);
}
static inline gz_f8 gz_f8_round(gz_d8 a) {
    return (gz_f8){_mm_movelh_ps(_mm_cvtpd_ps(a.vector[0]), _mm_cvtpd_ps(a.vector[1])),
                   _mm_movelh_ps(_mm_cvtpd_ps(a.vector[2]), _mm_cvtpd_ps(a.vector[3]))};
}
static inline void gz_f8_store_whole(int32_t *p, gz_f8 a) {
    _mm_storeu_si128((__m128i *)(void *)p, _mm_cvttps_epi32(a.low));
    _mm_storeu_si128((__m128i *)(void *)(p + 4), _mm_cvttps_epi32(a.high));
}
static inline gz_d gz_d_load_whole(const int32_t *p) {
    return _mm_cvtepi32_pd(_mm_loadl_epi64((const __m128i *)(const void *)p));
}
static inline void gz_f8_store_wide(double *p, gz_f8 a) {
    gz_d_store(p, _mm_cvtps_pd(a.low));
    gz_d_store(p + 2, _mm_cvtps_pd(_mm_movehl_ps(a.low, a.low)));
    gz_d_store(p + 4, _mm_cvtps_pd(a.high));
    gz_d_store(p + 6, _mm_cvtps_pd(_mm_movehl_ps(a.high, a.high)));
}

#endif
