/// What float_lanes.h says, with AVX2; included by it only.
#ifndef GZ_PLANAR_FLOAT_LANES_AVX2_H
#define GZ_PLANAR_FLOAT_LANES_AVX2_H

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

#endif
