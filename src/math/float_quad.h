/// Four floats side by side: three coordinates and a lane to spare. As lanes.h, in two forms, SSE2
/// and a scalar twin, which give the same bits.
#ifndef GZ_MATH_FLOAT_QUAD_H
#define GZ_MATH_FLOAT_QUAD_H

#include <stdint.h>

#if !defined(GRAZE_SCALAR) && defined(__SSE2__)

#include <emmintrin.h>

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
    GZ_F4_EACH(out, p[i]);
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
