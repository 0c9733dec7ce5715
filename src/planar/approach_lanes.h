/// Doubles side by side: four with AVX2, two with SSE2, one elsewhere. Every operation is
/// element-wise IEEE double precision without fused operations, so that every form gives each
/// element the same bits.
#ifndef GZ_PLANAR_APPROACH_LANES_H
#define GZ_PLANAR_APPROACH_LANES_H

#if !defined(GRAZE_SCALAR) && defined(__AVX2__)

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

#elif !defined(GRAZE_SCALAR) && defined(__SSE2__)

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

#else

#include <math.h>
#include <stdbool.h>

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
static inline gz_d gz_d_add(gz_d a, gz_d b) {
    return a + b;
}
static inline gz_d gz_d_sub(gz_d a, gz_d b) {
    return a - b;
}
static inline gz_d gz_d_mul(gz_d a, gz_d b) {
    return a * b;
}
static inline gz_d gz_d_div(gz_d a, gz_d b) {
    return a / b;
}
static inline gz_d gz_d_root(gz_d a) {
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
static inline gz_d gz_d_turn(gz_d a, gz_d b) {
    return signbit(b) ? -a : a;
}
static inline gz_d gz_d_negative(gz_d a) {
    return -a;
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

#endif

#endif
