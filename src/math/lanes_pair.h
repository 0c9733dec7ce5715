/// Eight floats as two quads (float_quad.h); included by lanes.h only.
#ifndef GZ_MATH_LANES_PAIR_H
#define GZ_MATH_LANES_PAIR_H

typedef struct gz_f8 {
    gz_f4 low, high;
} gz_f8;

static inline gz_f8 gz_f8_load(const float *p) {
    return (gz_f8){gz_f4_load(p), gz_f4_load(p + 4)};
}
static inline void gz_f8_store(float *p, gz_f8 a) {
    gz_f4_store(p, a.low);
    gz_f4_store(p + 4, a.high);
}
static inline gz_f8 gz_f8_all(float x) {
    return (gz_f8){gz_f4_all(x), gz_f4_all(x)};
}
/// p[i][offset] in lane i.
static inline gz_f8 gz_f8_gather(const float *const p[GZ_LANES], size_t offset) {
    return (gz_f8){{p[0][offset], p[1][offset], p[2][offset], p[3][offset]},
                   {p[4][offset], p[5][offset], p[6][offset], p[7][offset]}};
}
static inline gz_f8 gz_f8_add(gz_f8 a, gz_f8 b) {
    return (gz_f8){a.low + b.low, a.high + b.high};
}
static inline gz_f8 gz_f8_sub(gz_f8 a, gz_f8 b) {
    return (gz_f8){a.low - b.low, a.high - b.high};
}
static inline gz_f8 gz_f8_mul(gz_f8 a, gz_f8 b) {
    return (gz_f8){a.low * b.low, a.high * b.high};
}
static inline gz_f8 gz_f8_div(gz_f8 a, gz_f8 b) {
    return (gz_f8){a.low / b.low, a.high / b.high};
}
static inline gz_f8 gz_f8_muladd(gz_f8 a, gz_f8 b, gz_f8 c) {
    return (gz_f8){gz_f4_muladd(a.low, b.low, c.low), gz_f4_muladd(a.high, b.high, c.high)};
}
static inline gz_f8 gz_f8_min(gz_f8 a, gz_f8 b) {
    return (gz_f8){gz_f4_min(a.low, b.low), gz_f4_min(a.high, b.high)};
}
static inline gz_f8 gz_f8_max(gz_f8 a, gz_f8 b) {
    return (gz_f8){gz_f4_max(a.low, b.low), gz_f4_max(a.high, b.high)};
}
static inline gz_f8 gz_f8_sqrt(gz_f8 a) {
    return (gz_f8){gz_f4_sqrt(a.low), gz_f4_sqrt(a.high)};
}
static inline gz_f8 gz_f8_abs(gz_f8 a) {
    return (gz_f8){gz_f4_abs(a.low), gz_f4_abs(a.high)};
}
/// All bits set where a > b, else none; false where either is NaN.
static inline gz_f8 gz_f8_greater(gz_f8 a, gz_f8 b) {
    return (gz_f8){gz_f4_greater(a.low, b.low), gz_f4_greater(a.high, b.high)};
}
static inline gz_f8 gz_f8_or(gz_f8 a, gz_f8 b) {
    return (gz_f8){gz_f4_or(a.low, b.low), gz_f4_or(a.high, b.high)};
}
/// Where the mask (as gz_f8_greater() makes it) holds; 0 elsewhere.
static inline gz_f8 gz_f8_keep(gz_f8 mask, gz_f8 a) {
    return (gz_f8){gz_f4_and(mask.low, a.low), gz_f4_and(mask.high, a.high)};
}
/// b where the mask (as gz_f8_greater() makes it) is set, else a.
static inline gz_f8 gz_f8_select(gz_f8 a, gz_f8 b, gz_f8 mask) {
    return (gz_f8){gz_f4_select(a.low, b.low, mask.low), gz_f4_select(a.high, b.high, mask.high)};
}
/// The least of the lanes.
static inline float gz_f8_least(gz_f8 a) {
    gz_f4 m = gz_f4_min(a.low, a.high);
    m = gz_f4_min(m, (gz_f4){m[2], m[3], m[2], m[3]});
    return gz_f4_min(m, (gz_f4){m[1], m[0], m[0], m[0]})[0];
}
/// Bit i is the sign bit of lane i.
static inline unsigned gz_f8_mask(gz_f8 a) {
    return gz_f4_mask(a.low) | gz_f4_mask(a.high) << 4;
}

#include "math/double_lanes.h"

/// Each rounded to the nearest float.
static inline gz_f8 gz_f8_round(gz_d8 a) {
#if defined(GZ_F4_SSE2)
    return (gz_f8){_mm_movelh_ps(_mm_cvtpd_ps(a.vector[0]), _mm_cvtpd_ps(a.vector[1])),
                   _mm_movelh_ps(_mm_cvtpd_ps(a.vector[2]), _mm_cvtpd_ps(a.vector[3]))};
#elif defined(GZ_F4_NEON)
    return (gz_f8){vcvt_high_f32_f64(vcvt_f32_f64(a.vector[0]), a.vector[1]),
                   vcvt_high_f32_f64(vcvt_f32_f64(a.vector[2]), a.vector[3])};
#else
    float out[GZ_LANES];
    for (int i = 0; i < GZ_LANES; i++) out[i] = (float)a.vector[i];
    return gz_f8_load(out);
#endif
}
/// Whole numbers, as such.
static inline void gz_f8_store_whole(int32_t *p, gz_f8 a) {
    gz_f4_words(p, a.low);
    gz_f4_words(p + 4, a.high);
}
static inline gz_d gz_d_load_whole(const int32_t *p) {
#if defined(GZ_F4_SSE2)
    return _mm_cvtepi32_pd(_mm_loadl_epi64((const __m128i *)(const void *)p));
#elif defined(GZ_F4_NEON)
    return vcvtq_f64_s64(vmovl_s32(vld1_s32(p)));
#else
    return *p;
#endif
}
/// As doubles.
static inline void gz_f8_store_wide(double *p, gz_f8 a) {
    const gz_f4 half[2] = {a.low, a.high};
    for (int i = 0; i < 2; i++, p += 4) {
#if defined(GZ_F4_SSE2)
        gz_d_store(p, _mm_cvtps_pd(half[i]));
        gz_d_store(p + 2, _mm_cvtps_pd(_mm_movehl_ps(half[i], half[i])));
#elif defined(GZ_F4_NEON)
        gz_d_store(p, vcvt_f64_f32(vget_low_f32(half[i])));
        gz_d_store(p + 2, vcvt_high_f64_f32(half[i]));
#else
        for (int k = 0; k < 4; k++) p[k] = (double)half[i][k];
#endif
    }
}

#endif
