/// Four floats side by side: three coordinates and a lane to spare. As lanes.h, in two forms, SSE2
/// and a scalar twin, which give the same bits; but for gz_f4_muladd(), as gz_f8_muladd(), and for
/// the sign of a zero of gz_f4_abs(), which the sums and comparisons that it is for do not see.
#ifndef GZ_MATH_FLOAT_QUAD_H
#define GZ_MATH_FLOAT_QUAD_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if !defined(GRAZE_SCALAR) && defined(__SSE2__)

#ifdef __FMA__
#include <immintrin.h>
#else
#include <emmintrin.h>
#endif

typedef __m128 gz_f4;

static inline gz_f4 gz_f4_load(const float *p) {
    return _mm_loadu_ps(p);
}
static inline void gz_f4_store(float *p, gz_f4 a) {
    _mm_storeu_ps(p, a);
}
static inline gz_f4 gz_f4_set(float x, float y, float z, float w) {
    return _mm_setr_ps(x, y, z, w);
}
static inline gz_f4 gz_f4_add(gz_f4 a, gz_f4 b) {
    return _mm_add_ps(a, b);
}
static inline gz_f4 gz_f4_sub(gz_f4 a, gz_f4 b) {
    return _mm_sub_ps(a, b);
}
static inline gz_f4 gz_f4_mul(gz_f4 a, gz_f4 b) {
    return _mm_mul_ps(a, b);
}
static inline gz_f4 gz_f4_div(gz_f4 a, gz_f4 b) {
    return _mm_div_ps(a, b);
}
static inline gz_f4 gz_f4_sqrt(gz_f4 a) {
    return _mm_sqrt_ps(a);
}
static inline gz_f4 gz_f4_all(float x) {
    return _mm_set1_ps(x);
}
/// a b + c.
static inline gz_f4 gz_f4_muladd(gz_f4 a, gz_f4 b, gz_f4 c) {
#ifdef __FMA__
    return _mm_fmadd_ps(a, b, c);
#else
    return _mm_add_ps(_mm_mul_ps(a, b), c);
#endif
}
static inline gz_f4 gz_f4_abs(gz_f4 a) {
    return _mm_andnot_ps(_mm_set1_ps(-0.0f), a);
}
/// Lanes 1, 2, 0, 3: each coordinate makes room for the next one.
static inline gz_f4 gz_f4_next(gz_f4 a) {
    return _mm_shuffle_ps(a, a, _MM_SHUFFLE(3, 0, 2, 1));
}
/// Bit i: a > b in lane i; not where one is NaN.
static inline unsigned gz_f4_above(gz_f4 a, gz_f4 b) {
    return (unsigned)_mm_movemask_ps(_mm_cmpgt_ps(a, b));
}
/// Rows become columns.
static inline void gz_f4_transpose(gz_f4 m[4]) {
    _MM_TRANSPOSE4_PS(m[0], m[1], m[2], m[3]);
}
/// a where a < b, else b: b, too, where one is NaN.
static inline gz_f4 gz_f4_min(gz_f4 a, gz_f4 b) {
    return _mm_min_ps(a, b);
}
/// a where a > b, else b.
static inline gz_f4 gz_f4_max(gz_f4 a, gz_f4 b) {
    return _mm_max_ps(a, b);
}
/// The last lane becomes 0.
static inline gz_f4 gz_f4_three(gz_f4 a) {
    return _mm_and_ps(a, _mm_castsi128_ps(_mm_setr_epi32(-1, -1, -1, 0)));
}
/// a0 a1 + a1 a2 + a2 a0.
static inline float gz_f4_pairs(gz_f4 a) {
    __m128 p = _mm_mul_ps(a, _mm_shuffle_ps(a, a, _MM_SHUFFLE(3, 0, 2, 1)));
    __m128 sum = _mm_add_ss(p, _mm_shuffle_ps(p, p, 1));
    return _mm_cvtss_f32(_mm_add_ss(sum, _mm_movehl_ps(p, p)));
}
/// a0 b0 + a1 b1 + a2 b2.
static inline float gz_f4_dot(gz_f4 a, gz_f4 b) {
    __m128 p = _mm_mul_ps(a, b);
    __m128 sum = _mm_add_ss(p, _mm_shuffle_ps(p, p, 1));
    return _mm_cvtss_f32(_mm_add_ss(sum, _mm_movehl_ps(p, p)));
}
/// The lanes, each from 0 to 127, cut to integers: one byte each, the first lowest.
static inline uint32_t gz_f4_bytes(gz_f4 a) {
    __m128i words = _mm_packs_epi32(_mm_cvttps_epi32(a), _mm_setzero_si128());
    return (uint32_t)_mm_cvtsi128_si32(_mm_packus_epi16(words, words));
}
/// The lanes, each from 0 to 2^30, cut to integers.
static inline void gz_f4_words(int32_t out[4], gz_f4 a) {
    _mm_storeu_si128((__m128i *)(void *)out, _mm_cvttps_epi32(a));
}

#else

typedef struct gz_f4 {
    float v[4];
} gz_f4;

#define GZ_F4_EACH(out, value)                                                                     \
    gz_f4 out;                                                                                     \
    for (int i = 0; i < 4; i++) out.v[i] = (value)

static inline gz_f4 gz_f4_load(const float *p) {
    gz_f4 out; // callers read what else stands behind a float
    memcpy(out.v, p, sizeof out.v);
    return out;
}
static inline void gz_f4_store(float *p, gz_f4 a) {
    for (int i = 0; i < 4; i++) p[i] = a.v[i];
}
static inline gz_f4 gz_f4_set(float x, float y, float z, float w) {
    return (gz_f4){{x, y, z, w}};
}
static inline gz_f4 gz_f4_add(gz_f4 a, gz_f4 b) {
    GZ_F4_EACH(out, a.v[i] + b.v[i]);
    return out;
}
static inline gz_f4 gz_f4_sub(gz_f4 a, gz_f4 b) {
    GZ_F4_EACH(out, a.v[i] - b.v[i]);
    return out;
}
static inline gz_f4 gz_f4_mul(gz_f4 a, gz_f4 b) {
    GZ_F4_EACH(out, a.v[i] * b.v[i]);
    return out;
}
static inline gz_f4 gz_f4_div(gz_f4 a, gz_f4 b) {
    GZ_F4_EACH(out, a.v[i] / b.v[i]);
    return out;
}
static inline gz_f4 gz_f4_sqrt(gz_f4 a) {
    GZ_F4_EACH(out, sqrtf(a.v[i]));
    return out;
}
static inline gz_f4 gz_f4_all(float x) {
    return (gz_f4){{x, x, x, x}};
}
static inline gz_f4 gz_f4_muladd(gz_f4 a, gz_f4 b, gz_f4 c) {
    return gz_f4_add(gz_f4_mul(a, b), c);
}
static inline gz_f4 gz_f4_abs(gz_f4 a) {
    GZ_F4_EACH(out, a.v[i] < 0 ? -a.v[i] : a.v[i]);
    return out;
}
static inline gz_f4 gz_f4_next(gz_f4 a) {
    return (gz_f4){{a.v[1], a.v[2], a.v[0], a.v[3]}};
}
static inline unsigned gz_f4_above(gz_f4 a, gz_f4 b) {
    unsigned mask = 0;
    for (int i = 0; i < 4; i++) mask |= (a.v[i] > b.v[i] ? 1u : 0u) << i;
    return mask;
}
static inline void gz_f4_transpose(gz_f4 m[4]) {
    for (int i = 0; i < 4; i++)
        for (int j = i + 1; j < 4; j++) {
            float x = m[i].v[j];
            m[i].v[j] = m[j].v[i];
            m[j].v[i] = x;
        }
}
static inline gz_f4 gz_f4_min(gz_f4 a, gz_f4 b) {
    GZ_F4_EACH(out, a.v[i] < b.v[i] ? a.v[i] : b.v[i]);
    return out;
}
static inline gz_f4 gz_f4_max(gz_f4 a, gz_f4 b) {
    GZ_F4_EACH(out, a.v[i] > b.v[i] ? a.v[i] : b.v[i]);
    return out;
}
static inline gz_f4 gz_f4_three(gz_f4 a) {
    a.v[3] = 0;
    return a;
}
static inline float gz_f4_pairs(gz_f4 a) {
    return a.v[0] * a.v[1] + a.v[1] * a.v[2] + a.v[2] * a.v[0];
}
static inline float gz_f4_dot(gz_f4 a, gz_f4 b) {
    return (a.v[0] * b.v[0] + a.v[1] * b.v[1]) + a.v[2] * b.v[2];
}
static inline uint32_t gz_f4_bytes(gz_f4 a) {
    uint32_t bytes = 0;
    for (int i = 0; i < 4; i++) bytes |= (uint32_t)a.v[i] << 8 * i;
    return bytes;
}

static inline void gz_f4_words(int32_t out[4], gz_f4 a) {
    for (int i = 0; i < 4; i++) out[i] = (int32_t)a.v[i];
}

#endif

#endif
