/// Doubles side by side, and the eight that fill the lanes of floats; included by lanes.h only.
/// Each form is in one place of one file, so that the coverage of several forms can be merged.
#ifndef GZ_MATH_DOUBLE_LANES_H
#define GZ_MATH_DOUBLE_LANES_H

#if defined(GZ_F4_SSE2) || defined(GZ_F4_NEON)

#if defined(GZ_F4_SSE2) && defined(__AVX__)
#define GZ_D_LANES  4
#define GZ_D_OP(op) _mm256_##op##_pd
#else
#define GZ_D_LANES  2
#define GZ_D_OP(op) _mm_##op##_pd
#endif
typedef double gz_d __attribute__((vector_size(8 * GZ_D_LANES)));
typedef gz_d gz_d_mask; // lanes of all bits, or none

static inline gz_d gz_d_load(const double *p) {
    gz_d out;
    memcpy(&out, p, sizeof out);
    return out;
}
static inline void gz_d_store(double *p, gz_d a) {
    memcpy(p, &a, sizeof a);
}

#ifdef GZ_F4_NEON
static inline gz_d gz_d_all(double x) {
    return vdupq_n_f64(x);
}
static inline gz_d gz_d_sqrt(gz_d a) {
    return vsqrtq_f64(a);
}
static inline gz_d gz_d_and(gz_d a, gz_d b) {
    return (gz_d)((uint64x2_t)a & (uint64x2_t)b);
}
static inline gz_d gz_d_xor(gz_d a, gz_d b) {
    return (gz_d)((uint64x2_t)a ^ (uint64x2_t)b);
}
/// 0 where the mask holds.
static inline gz_d gz_d_drop(gz_d_mask mask, gz_d no) {
    return (gz_d)(~(uint64x2_t)mask & (uint64x2_t)no);
}
static inline gz_d_mask gz_d_less(gz_d a, gz_d b) {
    return (gz_d)(a < b);
}
static inline gz_d_mask gz_d_at_most(gz_d a, gz_d b) {
    return (gz_d)(a <= b);
}
static inline gz_d gz_d_select(gz_d_mask mask, gz_d yes, gz_d no) {
    return vbslq_f64((uint64x2_t)mask, yes, no);
}
static inline gz_d gz_d_min(gz_d a, gz_d b) {
    return gz_d_select(gz_d_less(a, b), a, b);
}
static inline gz_d gz_d_max(gz_d a, gz_d b) {
    return gz_d_select(gz_d_less(b, a), a, b);
}
static inline gz_d gz_d_if_negative(gz_d sign, gz_d yes, gz_d no) {
    return gz_d_select((gz_d)vcltzq_s64((int64x2_t)sign), yes, no);
}
#else
static inline gz_d gz_d_all(double x) {
    return GZ_D_OP(set1)(x);
}
static inline gz_d gz_d_sqrt(gz_d a) {
    return GZ_D_OP(sqrt)(a);
}
static inline gz_d gz_d_and(gz_d a, gz_d b) {
    return GZ_D_OP(and)(a, b);
}
static inline gz_d gz_d_xor(gz_d a, gz_d b) {
    return GZ_D_OP(xor)(a, b);
}
/// 0 where the mask holds.
static inline gz_d gz_d_drop(gz_d_mask mask, gz_d no) {
    return GZ_D_OP(andnot)(mask, no);
}
/// a < b ? a : b, so b where either is NaN; likewise the largest.
static inline gz_d gz_d_min(gz_d a, gz_d b) {
    return GZ_D_OP(min)(a, b);
}
static inline gz_d gz_d_max(gz_d a, gz_d b) {
    return GZ_D_OP(max)(a, b);
}
static inline gz_d_mask gz_d_less(gz_d a, gz_d b) {
#if GZ_D_LANES == 4
    return _mm256_cmp_pd(a, b, _CMP_LT_OQ);
#else
    return _mm_cmplt_pd(a, b);
#endif
}
static inline gz_d_mask gz_d_at_most(gz_d a, gz_d b) {
#if GZ_D_LANES == 4
    return _mm256_cmp_pd(a, b, _CMP_LE_OQ);
#else
    return _mm_cmple_pd(a, b);
#endif
}
static inline gz_d gz_d_select(gz_d_mask mask, gz_d yes, gz_d no) {
#if GZ_D_LANES == 4
    return _mm256_blendv_pd(no, yes, mask);
#else
    return _mm_or_pd(_mm_and_pd(mask, yes), _mm_andnot_pd(mask, no));
#endif
}
/// By the sign of `sign`, that of -0 included: `yes` where it is negative.
static inline gz_d gz_d_if_negative(gz_d sign, gz_d yes, gz_d no) {
#if GZ_D_LANES == 4
    return _mm256_blendv_pd(no, yes, sign);
#else
    __m128i high = _mm_srai_epi32((__m128i)sign, 31);
    return gz_d_select((gz_d)_mm_shuffle_epi32(high, 0xf5), yes, no);
#endif
}
#endif

static inline gz_d gz_d_abs(gz_d a) {
    return gz_d_drop(gz_d_all(-0.0), a);
}
/// a with its sign turned where that of b is negative (-0 included).
static inline gz_d gz_d_mulsign(gz_d a, gz_d b) {
    return gz_d_xor(a, gz_d_and(b, gz_d_all(-0.0)));
}
/// Where the mask holds; 0 elsewhere.
static inline gz_d gz_d_keep(gz_d_mask mask, gz_d yes) {
    return gz_d_and(mask, yes);
}

#else
#include "math/double_plain.h"
#endif

/// Eight doubles.
typedef struct gz_d8 {
    gz_d vector[GZ_LANES / GZ_D_LANES];
} gz_d8;

#endif
