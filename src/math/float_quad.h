/// Four floats side by side: three coordinates and a lane to spare; the half of eight (lanes.h). A
/// vector of the compiler's, on which + - * / < > work as they stand; what those lack is written
/// for SSE2, for NEON, and for neither. All give the same bits; but for gz_f4_muladd(), as
/// gz_f8_muladd().
#ifndef GZ_MATH_FLOAT_QUAD_H
#define GZ_MATH_FLOAT_QUAD_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if !defined(GRAZE_SCALAR) && defined(__SSE2__)
#define GZ_F4_SSE2
#include <immintrin.h>
#elif !defined(GRAZE_SCALAR) && defined(__aarch64__) && defined(__ARM_NEON)
#define GZ_F4_NEON
#include <arm_neon.h>
#endif

typedef float gz_f4 __attribute__((vector_size(16)));
typedef int32_t gz_i4 __attribute__((vector_size(16)));

static inline gz_f4 gz_f4_load(const float *p) {
    gz_f4 out; // callers read what else stands behind a float
    memcpy(&out, p, sizeof out);
    return out;
}
static inline void gz_f4_store(float *p, gz_f4 a) {
    memcpy(p, &a, sizeof a);
}
static inline gz_f4 gz_f4_set(float x, float y, float z, float w) {
    return (gz_f4){x, y, z, w};
}
static inline gz_f4 gz_f4_all(float x) {
    return (gz_f4){x, x, x, x};
}
static inline gz_f4 gz_f4_add(gz_f4 a, gz_f4 b) {
    return a + b;
}
static inline gz_f4 gz_f4_sub(gz_f4 a, gz_f4 b) {
    return a - b;
}
static inline gz_f4 gz_f4_mul(gz_f4 a, gz_f4 b) {
    return a * b;
}
static inline gz_f4 gz_f4_div(gz_f4 a, gz_f4 b) {
    return a / b;
}
/// a b + c.
static inline gz_f4 gz_f4_muladd(gz_f4 a, gz_f4 b, gz_f4 c) {
#if defined(GZ_F4_SSE2) && defined(__FMA__)
    return _mm_fmadd_ps(a, b, c);
#elif defined(GZ_F4_NEON)
    return vfmaq_f32(c, a, b);
#else
    return a * b + c;
#endif
}
static inline gz_f4 gz_f4_sqrt(gz_f4 a) {
#if defined(GZ_F4_SSE2)
    return _mm_sqrt_ps(a);
#elif defined(GZ_F4_NEON)
    return vsqrtq_f32(a);
#else
    return (gz_f4){sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3])};
#endif
}
static inline gz_f4 gz_f4_and(gz_f4 a, gz_f4 b) {
#ifdef GZ_F4_SSE2
    return _mm_and_ps(a, b);
#else
    return (gz_f4)((gz_i4)a & (gz_i4)b);
#endif
}
static inline gz_f4 gz_f4_or(gz_f4 a, gz_f4 b) {
#ifdef GZ_F4_SSE2
    return _mm_or_ps(a, b);
#else
    return (gz_f4)((gz_i4)a | (gz_i4)b);
#endif
}
/// The bits of b that are not set in a.
static inline gz_f4 gz_f4_andnot(gz_f4 a, gz_f4 b) {
#ifdef GZ_F4_SSE2
    return _mm_andnot_ps(a, b);
#else
    return (gz_f4)(~(gz_i4)a & (gz_i4)b);
#endif
}
static inline gz_f4 gz_f4_abs(gz_f4 a) {
    return gz_f4_andnot(gz_f4_all(-0.0f), a);
}
/// All bits set where a > b, else none; false where either is NaN.
static inline gz_f4 gz_f4_greater(gz_f4 a, gz_f4 b) {
#ifdef GZ_F4_SSE2
    return _mm_cmpgt_ps(a, b); // gcc takes the operator for more work, and unrolls fewer loops
#else
    return (gz_f4)(a > b);
#endif
}
/// b where the mask (as gz_f4_greater() makes it) is set, else a.
static inline gz_f4 gz_f4_select(gz_f4 a, gz_f4 b, gz_f4 mask) {
#ifdef GZ_F4_NEON
    return vbslq_f32((uint32x4_t)mask, b, a);
#else
    return gz_f4_or(gz_f4_and(mask, b), gz_f4_andnot(mask, a));
#endif
}
/// a where a < b, else b: b, too, where one is NaN.
static inline gz_f4 gz_f4_min(gz_f4 a, gz_f4 b) {
#ifdef GZ_F4_SSE2
    return _mm_min_ps(a, b);
#else
    return gz_f4_select(b, a, gz_f4_greater(b, a));
#endif
}
/// a where a > b, else b.
static inline gz_f4 gz_f4_max(gz_f4 a, gz_f4 b) {
#ifdef GZ_F4_SSE2
    return _mm_max_ps(a, b);
#else
    return gz_f4_select(b, a, gz_f4_greater(a, b));
#endif
}
/// Lanes 1, 2, 0, 3: each coordinate makes room for the next one.
static inline gz_f4 gz_f4_next(gz_f4 a) {
    return (gz_f4){a[1], a[2], a[0], a[3]};
}
/// The last lane becomes 0.
static inline gz_f4 gz_f4_three(gz_f4 a) {
    return gz_f4_and(a, (gz_f4)(gz_i4){-1, -1, -1, 0});
}
/// Bit i is the sign bit of lane i.
static inline unsigned gz_f4_mask(gz_f4 a) {
#if defined(GZ_F4_SSE2)
    return (unsigned)_mm_movemask_ps(a);
#elif defined(GZ_F4_NEON)
    return vaddvq_u32(vshrq_n_u32((uint32x4_t)a, 31) * (uint32x4_t){1, 2, 4, 8});
#else
    gz_i4 bits = (gz_i4)a & (gz_i4){INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN};
    unsigned mask = 0;
    for (int i = 0; i < 4; i++) mask |= (uint32_t)bits[i] >> (31 - i);
    return mask;
#endif
}
/// Bit i: a > b in lane i; not where one is NaN.
static inline unsigned gz_f4_above(gz_f4 a, gz_f4 b) {
    return gz_f4_mask(gz_f4_greater(a, b));
}
/// Rows become columns.
static inline void gz_f4_transpose(gz_f4 m[4]) {
#ifdef GZ_F4_SSE2
    _MM_TRANSPOSE4_PS(m[0], m[1], m[2], m[3]);
#else
    gz_f4 rows[4] = {m[0], m[1], m[2], m[3]};
    for (int i = 0; i < 4; i++) m[i] = (gz_f4){rows[0][i], rows[1][i], rows[2][i], rows[3][i]};
#endif
}
/// a0 b0 + a1 b1 + a2 b2.
static inline float gz_f4_dot(gz_f4 a, gz_f4 b) {
    gz_f4 p = a * b;
    return (p[0] + p[1]) + p[2];
}
/// a0 a1 + a1 a2 + a2 a0.
static inline float gz_f4_pairs(gz_f4 a) {
    return gz_f4_dot(a, gz_f4_next(a));
}
/// The lanes, each from 0 to 2^30, cut to integers.
static inline void gz_f4_words(int32_t out[4], gz_f4 a) {
    gz_i4 words = __builtin_convertvector(a, gz_i4);
    memcpy(out, &words, sizeof words);
}
/// The lanes, each from 0 to 127, cut to integers: one byte each, the first lowest.
static inline uint32_t gz_f4_bytes(gz_f4 a) {
#ifdef GZ_F4_SSE2
    __m128i words = _mm_packs_epi32(_mm_cvttps_epi32(a), _mm_setzero_si128());
    return (uint32_t)_mm_cvtsi128_si32(_mm_packus_epi16(words, words));
#else
    int32_t words[4];
    gz_f4_words(words, a);
    return (uint32_t)(words[0] | words[1] << 8 | words[2] << 16 | words[3] << 24);
#endif
}

#endif
