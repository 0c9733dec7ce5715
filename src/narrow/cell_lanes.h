/// Is one of eight cells of an inside map set? In two forms: AVX2 gathers the words.
#ifndef GZ_NARROW_CELL_LANES_H
#define GZ_NARROW_CELL_LANES_H

#include "math/lanes.h"
#include "mesh/inside_map.h"

#if !defined(GRAZE_SCALAR) && defined(__AVX2__)

/// `index` numbers the cells, whole; lanes of the mask `beyond` are not looked at.
static inline bool any_cell_inside(const gz_inside_map *map, gz_f8 index, gz_f8 beyond) {
    __m256i cell = _mm256_cvttps_epi32(index), all = _mm256_set1_epi32(-1);
    __m256i wanted = _mm256_andnot_si256(_mm256_castps_si256(beyond), all);
    __m256i words = _mm256_mask_i32gather_epi32(_mm256_setzero_si256(),
                                                (const int *)(const void *)map->bits,
                                                _mm256_srli_epi32(cell, 5), wanted, 4);
    // The cell's bit becomes the sign.
    __m256i shift = _mm256_andnot_si256(cell, _mm256_set1_epi32(31));
    return _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_sllv_epi32(words, shift))) != 0;
}

#else

static inline bool any_cell_inside(const gz_inside_map *map, gz_f8 index, gz_f8 beyond) {
    float lanes[GZ_WIDTH];
    gz_f8_store(lanes, index);
    for (unsigned mask = ~gz_f8_mask(beyond) & 0xff; mask; mask &= mask - 1)
        if (gz_inside_map_has(map, (uint32_t)lanes[__builtin_ctz(mask)])) return true;
    return false;
}

#endif

#endif
