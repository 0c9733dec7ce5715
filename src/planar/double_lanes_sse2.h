/// Two doubles side by side with SSE2; included by double_lanes.h only.
#ifndef GZ_PLANAR_DOUBLE_LANES_SSE2_H
#define GZ_PLANAR_DOUBLE_LANES_SSE2_H

#include <emmintrin.h>

#define GZ_D_LANES 2
typedef __m128d gz_d;
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
static inline gz_d gz_d_add(gz_d a, gz_d b) {
    return _mm_add_pd(a, b);
}
static inline gz_d gz_d_sub(gz_d a, gz_d b) {
    return _mm_sub_pd(a, b);
}
static inline gz_d gz_d_mul(gz_d a, gz_d b) {
    return _mm_mul_pd(a, b);
}
static inline gz_d gz_d_div(gz_d a, gz_d b) {
    return _mm_div_pd(a, b);
}
static inline gz_d gz_d_root(gz_d a) {
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
static inline gz_d gz_d_turn(gz_d a, gz_d b) {
    return _mm_xor_pd(a, _mm_and_pd(b, _mm_set1_pd(-0.0)));
}
static inline gz_d gz_d_negative(gz_d a) {
    return _mm_xor_pd(a, _mm_set1_pd(-0.0));
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

#endif
