/// Eight floats as two halves and two doubles side by side with Advanced SIMD of AArch64; included
/// by lanes.h only.
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

#define GZ_D_LANES 2
typedef double gz_d __attribute__((vector_size(16)));
typedef uint64x2_t gz_d_mask;

static inline gz_d gz_d_load(const double *p) {
    return vld1q_f64(p);
}
static inline void gz_d_store(double *p, gz_d a) {
    vst1q_f64(p, a);
}
static inline gz_d gz_d_all(double x) {
    return vdupq_n_f64(x);
}
static inline gz_d gz_d_sqrt(gz_d a) {
    return vsqrtq_f64(a);
}
static inline gz_d_mask gz_d_less(gz_d a, gz_d b) {
    return vcltq_f64(a, b);
}
static inline gz_d_mask gz_d_at_most(gz_d a, gz_d b) {
    return vcleq_f64(a, b);
}
static inline gz_d_mask gz_d_and(gz_d_mask a, gz_d_mask b) {
    return a & b;
}
static inline gz_d gz_d_select(gz_d_mask mask, gz_d yes, gz_d no) {
    return vbslq_f64(mask, yes, no);
}
static inline gz_d gz_d_min(gz_d a, gz_d b) {
    return gz_d_select(gz_d_less(a, b), a, b);
}
static inline gz_d gz_d_max(gz_d a, gz_d b) {
    return gz_d_select(gz_d_less(b, a), a, b);
}
static inline gz_d gz_d_abs(gz_d a) {
    return vabsq_f64(a);
}
static inline gz_d gz_d_mulsign(gz_d a, gz_d b) {
    return (gz_d)((uint64x2_t)a ^ ((uint64x2_t)b & (uint64x2_t)vdupq_n_f64(-0.0)));
}
static inline gz_d gz_d_drop(gz_d_mask mask, gz_d no) {
    return (gz_d)((uint64x2_t)no & ~mask);
}
static inline gz_d gz_d_keep(gz_d_mask mask, gz_d yes) {
    return (gz_d)((uint64x2_t)yes & mask);
}
static inline gz_d gz_d_if_negative(gz_d sign, gz_d yes, gz_d no) {
    return gz_d_select(vcltzq_s64((int64x2_t)sign), yes, no);
}

typedef struct gz_d8 {
    gz_d vector[GZ_LANES / GZ_D_LANES];
} gz_d8;

static inline float32x4_t gz_f4_both(float32x4_t a, float32x4_t b) {
    return vreinterpretq_f32_u32(vandq_u32(vreinterpretq_u32_f32(a), vreinterpretq_u32_f32(b)));
}
static inline gz_f8 gz_f8_keep(gz_f8 mask, gz_f8 a) {
    return GZ_F8_PAIR(gz_f4_both, mask, a);
}
static inline gz_f8 gz_f8_round(gz_d8 a) {
    return (gz_f8){vcvt_high_f32_f64(vcvt_f32_f64(a.vector[0]), a.vector[1]),
                   vcvt_high_f32_f64(vcvt_f32_f64(a.vector[2]), a.vector[3])};
}
static inline void gz_f8_store_whole(int32_t *p, gz_f8 a) {
    vst1q_s32(p, vcvtq_s32_f32(a.low));
    vst1q_s32(p + 4, vcvtq_s32_f32(a.high));
}
static inline gz_d gz_d_load_whole(const int32_t *p) {
    return vcvtq_f64_s64(vmovl_s32(vld1_s32(p)));
}
static inline void gz_f8_store_wide(double *p, gz_f8 a) {
    gz_d_store(p, vcvt_f64_f32(vget_low_f32(a.low)));
    gz_d_store(p + 2, vcvt_high_f64_f32(a.low));
    gz_d_store(p + 4, vcvt_f64_f32(vget_low_f32(a.high)));
    gz_d_store(p + 6, vcvt_high_f64_f32(a.high));
}

#endif
