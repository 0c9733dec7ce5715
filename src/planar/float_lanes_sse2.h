/// What float_lanes.h says, with SSE2; included by it only.
#ifndef GZ_PLANAR_FLOAT_LANES_SSE2_H
#define GZ_PLANAR_FLOAT_LANES_SSE2_H

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

#endif
