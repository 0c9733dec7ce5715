/// What a search in the plane needs of eight floats beyond math/lanes.h: the way from doubles
/// and back. Element-wise IEEE operations, so that every form gives the same bits.
#ifndef GZ_PLANAR_FLOAT_LANES_H
#define GZ_PLANAR_FLOAT_LANES_H

#include <math.h>
#include <stdint.h>

#include "math/lanes.h"
#include "planar/double_lanes.h"

/// Vectors of doubles that fill the lanes of one of floats.
#define GZ_F8_PARTS (GZ_LANES / GZ_D_LANES)

/// Eight doubles.
typedef struct gz_d8 {
    gz_d part[GZ_F8_PARTS];
} gz_d8;

#if GZ_D_LANES == 4

/// Where the mask (as gz_f8_greater() makes it) holds; 0 elsewhere.
static inline gz_f8 gz_f8_keep(gz_f8 mask, gz_f8 a) {
    return _mm256_and_ps(mask, a);
}
/// Each rounded to the nearest float.
static inline gz_f8 gz_f8_round(gz_d8 a) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(a.part[0])),
                                _mm256_cvtpd_ps(a.part[1]), 1);
}
/// Whole numbers, as such.
static inline void gz_f8_store_whole(int32_t *p, gz_f8 a) {
    _mm256_storeu_si256((__m256i *)(void *)p, _mm256_cvttps_epi32(a));
}
static inline gz_d gz_d_load_whole(const int32_t *p) {
    return _mm256_cvtepi32_pd(_mm_loadu_si128((const __m128i *)(const void *)p));
}
/// As doubles.
static inline void gz_f8_store_wide(double *p, gz_f8 a) {
    gz_d_store(p, _mm256_cvtps_pd(_mm256_castps256_ps128(a)));
    gz_d_store(p + 4, _mm256_cvtps_pd(_mm256_extractf128_ps(a, 1)));
}

#elif GZ_D_LANES == 2

static inline gz_f8 gz_f8_keep(gz_f8 mask, gz_f8 a) {
    return GZ_F8_PAIR(_mm_and_ps, mask, a);
}
static inline gz_f8 gz_f8_round(gz_d8 a) {
    return (gz_f8){_mm_movelh_ps(_mm_cvtpd_ps(a.part[0]), _mm_cvtpd_ps(a.part[1])),
                   _mm_movelh_ps(_mm_cvtpd_ps(a.part[2]), _mm_cvtpd_ps(a.part[3]))};
}
static inline void gz_f8_store_whole(int32_t *p, gz_f8 a) {
    _mm_storeu_si128((__m128i *)(void *)p, _mm_cvttps_epi32(a.low));
    _mm_storeu_si128((__m128i *)(void *)(p + 4), _mm_cvttps_epi32(a.high));
}
static inline gz_d gz_d_load_whole(const int32_t *p) {
    return _mm_cvtepi32_pd(_mm_loadl_epi64((const __m128i *)(const void *)p));
}
static inline void gz_f8_store_wide(double *p, gz_f8 a) {
    gz_d_store(p, _mm_cvtps_pd(a.low));
    gz_d_store(p + 2, _mm_cvtps_pd(_mm_movehl_ps(a.low, a.low)));
    gz_d_store(p + 4, _mm_cvtps_pd(a.high));
    gz_d_store(p + 6, _mm_cvtps_pd(_mm_movehl_ps(a.high, a.high)));
}

#else

GZ_F8_EACH(gz_f8_keep, x < 0 ? y : 0)

static inline gz_f8 gz_f8_round(gz_d8 a) {
    gz_f8 out;
    for (int i = 0; i < GZ_LANES; i++) out.v[i] = (float)a.part[i];
    return out;
}
static inline void gz_f8_store_whole(int32_t *p, gz_f8 a) {
    for (int i = 0; i < GZ_LANES; i++) p[i] = (int32_t)a.v[i];
}
static inline gz_d gz_d_load_whole(const int32_t *p) {
    return *p;
}
static inline void gz_f8_store_wide(double *p, gz_f8 a) {
    for (int i = 0; i < GZ_LANES; i++) p[i] = (double)a.v[i];
}

#endif

#endif
