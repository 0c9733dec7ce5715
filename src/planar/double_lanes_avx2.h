/// Four doubles side by side with AVX2; included by double_lanes.h only.
#ifndef GZ_PLANAR_DOUBLE_LANES_AVX2_H
#define GZ_PLANAR_DOUBLE_LANES_AVX2_H

#include <immintrin.h>

#define GZ_D_LANES 4
typedef __m256d gz_d;
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
static inline gz_d gz_d_add(gz_d a, gz_d b) {
    return _mm256_add_pd(a, b);
}
static inline gz_d gz_d_sub(gz_d a, gz_d b) {
    return _mm256_sub_pd(a, b);
}
static inline gz_d gz_d_mul(gz_d a, gz_d b) {
    return _mm256_mul_pd(a, b);
}
static inline gz_d gz_d_div(gz_d a, gz_d b) {
    return _mm256_div_pd(a, b);
}
static inline gz_d gz_d_root(gz_d a) {
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
static inline gz_d gz_d_turn(gz_d a, gz_d b) {
    return _mm256_xor_pd(a, _mm256_and_pd(b, _mm256_set1_pd(-0.0)));
}
static inline gz_d gz_d_negative(gz_d a) {
    return _mm256_xor_pd(a, _mm256_set1_pd(-0.0));
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

#endif
