/// Eight cells of a map with AVX2, which gathers the words; a form of cell_lanes.h.
#ifndef GZ_NARROW_CELL_LANES_AVX_H
#define GZ_NARROW_CELL_LANES_AVX_H

#include "math/lanes.h"
#include "mesh/prefilter/cell_map.h"

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

/// A map has at least 27 cells, as a lattice reaches a cell and a half beyond its mesh's box: the
/// words of the last three begin before them.
static inline gz_f8 clearance_values(const gz_clearance_map *map, gz_f8 index, unsigned *inside) {
    _Static_assert(GZ_CLEARANCE_INSIDE == 1 << 7, "the flag is the highest bit of a byte");
    __m256i cell = _mm256_cvttps_epi32(index);
    __m256i from = _mm256_min_epi32(cell, _mm256_set1_epi32((int)map->cell_count - 4));
    __m256i words = _mm256_i32gather_epi32((const int *)(const void *)map->cells, from, 1);
    __m256i shift = _mm256_slli_epi32(_mm256_sub_epi32(cell, from), 3);
    words = _mm256_srlv_epi32(words, shift);
    *inside = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_slli_epi32(words, 24)));
    __m256i value = _mm256_and_si256(words, _mm256_set1_epi32(GZ_CLEARANCE_INSIDE - 1));
    return _mm256_cvtepi32_ps(value);
}

#endif
