/// Eight floats side by side as two halves with Advanced SIMD of AArch64; included by lanes.h only.
#ifndef GZ_MATH_LANES_NEON_H
#define GZ_MATH_LANES_NEON_H

#include <arm_neon.h>

typedef struct gz_f8 {
    float32x4_t low, high;
} gz_f8;

#define GZ_F8_PAIR(op, a, b) ((gz_f8){op((a).low, (b).low), op((a).high, (b).high)})

static inline gz_f8 gz_f8_load(const float *p) {
    return (gz_f8){vld1q_f32(p), vld1q_f32(p + 4)};
}
static inline void gz_f8_store(float *p, gz_f8 a) {
    vst1q_f32(p, a.low);
    vst1q_f32(p + 4, a.high);
}
static inline gz_f8 gz_f8_all(float x) {
    return (gz_f8){vdupq_n_f32(x), vdupq_n_f32(x)};
}
static inline gz_f8 gz_f8_gather(const float *const p[GZ_LANES], size_t offset) {
    float lanes[GZ_LANES];
    for (int i = 0; i < GZ_LANES; i++) lanes[i] = p[i][offset];
    return gz_f8_load(lanes);
}
static inline gz_f8 gz_f8_add(gz_f8 a, gz_f8 b) {
    return GZ_F8_PAIR(vaddq_f32, a, b);
}
static inline gz_f8 gz_f8_sub(gz_f8 a, gz_f8 b) {
    return GZ_F8_PAIR(vsubq_f32, a, b);
}
static inline gz_f8 gz_f8_mul(gz_f8 a, gz_f8 b) {
    return GZ_F8_PAIR(vmulq_f32, a, b);
}
static inline gz_f8 gz_f8_muladd(gz_f8 a, gz_f8 b, gz_f8 c) {
    return (gz_f8){vfmaq_f32(c.low, a.low, b.low), vfmaq_f32(c.high, a.high, b.high)};
}
static inline gz_f8 gz_f8_div(gz_f8 a, gz_f8 b) {
    return GZ_F8_PAIR(vdivq_f32, a, b);
}
// Not vminq_f32 and vmaxq_f32, which give NaN where either is NaN, and tell zeros apart.
static inline float32x4_t gz_f4_less_of(float32x4_t a, float32x4_t b) {
    return vbslq_f32(vcltq_f32(a, b), a, b);
}
static inline float32x4_t gz_f4_greater_of(float32x4_t a, float32x4_t b) {
    return vbslq_f32(vcgtq_f32(a, b), a, b);
}
static inline gz_f8 gz_f8_min(gz_f8 a, gz_f8 b) {
    return GZ_F8_PAIR(gz_f4_less_of, a, b);
}
static inline gz_f8 gz_f8_max(gz_f8 a, gz_f8 b) {
    return GZ_F8_PAIR(gz_f4_greater_of, a, b);
}
static inline gz_f8 gz_f8_sqrt(gz_f8 a) {
    return (gz_f8){vsqrtq_f32(a.low), vsqrtq_f32(a.high)};
}
static inline gz_f8 gz_f8_abs(gz_f8 a) {
    return (gz_f8){vabsq_f32(a.low), vabsq_f32(a.high)};
}
static inline float32x4_t gz_f4_where_greater(float32x4_t a, float32x4_t b) {
    return vreinterpretq_f32_u32(vcgtq_f32(a, b));
}
static inline gz_f8 gz_f8_greater(gz_f8 a, gz_f8 b) {
    return GZ_F8_PAIR(gz_f4_where_greater, a, b);
}
static inline float32x4_t gz_f4_either(float32x4_t a, float32x4_t b) {
    return vreinterpretq_f32_u32(vorrq_u32(vreinterpretq_u32_f32(a), vreinterpretq_u32_f32(b)));
}
static inline gz_f8 gz_f8_or(gz_f8 a, gz_f8 b) {
    return GZ_F8_PAIR(gz_f4_either, a, b);
}
static inline gz_f8 gz_f8_select(gz_f8 a, gz_f8 b, gz_f8 mask) {
    return (gz_f8){vbslq_f32(vreinterpretq_u32_f32(mask.low), b.low, a.low),
                   vbslq_f32(vreinterpretq_u32_f32(mask.high), b.high, a.high)};
}
static inline float gz_f8_least(gz_f8 a) {
    return vminvq_f32(gz_f4_less_of(a.low, a.high));
}
static inline unsigned gz_f8_mask(gz_f8 a) {
    static const uint32_t weights[2][4] = {{1, 2, 4, 8}, {16, 32, 64, 128}};
    uint32x4_t low = vshrq_n_u32(vreinterpretq_u32_f32(a.low), 31);
    uint32x4_t high = vshrq_n_u32(vreinterpretq_u32_f32(a.high), 31);
    uint32x4_t bits = vmulq_u32(low, vld1q_u32(weights[0]));
    return vaddvq_u32(vmlaq_u32(bits, high, vld1q_u32(weights[1])));
}

#endif
