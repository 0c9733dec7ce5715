/// Eight points of one mesh in the frame of another, the cells of its maps that they are in, and
/// whether balls around them are clear of it.
#ifndef GZ_NARROW_PREFILTER_CELL_LANES_H
#define GZ_NARROW_PREFILTER_CELL_LANES_H

#include "math/lanes.h"
#include "math/rounding.h"
#include "mesh/mesh.h"
#include "mesh/prefilter/cell_map.h"

#if !defined(GRAZE_SCALAR) && defined(__AVX2__)
#define GATHER_CELLS // by instructions of AVX2
#endif

/// Whether one of the cells of the map is set. `index` numbers them, whole; lanes of the mask
/// `beyond` are ignored.
static inline bool any_cell_inside(const gz_inside_map *map, gz_f8 index, gz_f8 beyond) {
#ifdef GATHER_CELLS
    __m256i cell = _mm256_cvttps_epi32(index), all = _mm256_set1_epi32(-1);
    __m256i wanted = _mm256_andnot_si256(_mm256_castps_si256(beyond), all);
    __m256i words = _mm256_mask_i32gather_epi32(_mm256_setzero_si256(),
                                                (const int *)(const void *)map->bits,
                                                _mm256_srli_epi32(cell, 5), wanted, 4);
    // The cell's bit becomes the sign.
    __m256i shift = _mm256_andnot_si256(cell, _mm256_set1_epi32(31));
    return _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_sllv_epi32(words, shift))) != 0;
#else
    float lanes[GZ_WIDTH];
    gz_f8_store(lanes, index);
    for (unsigned mask = ~gz_f8_mask(beyond) & 0xff; mask; mask &= mask - 1)
        if (gz_inside_map_has(map, (uint32_t)lanes[__builtin_ctz(mask)])) return true;
    return false;
#endif
}

/// The values of cells, numbered so, and the mask of those flagged as inside.
static inline gz_f8 clearance_values(const gz_clearance_map *map, gz_f8 index, unsigned *inside) {
#ifdef GATHER_CELLS
    // A map has at least 27 cells, as a lattice extends a cell and a half beyond its mesh's box:
    // the words of the last three begin before them.
    _Static_assert(GZ_CLEARANCE_INSIDE == 1 << 7, "the flag is the highest bit of a byte");
    __m256i cell = _mm256_cvttps_epi32(index);
    __m256i from = _mm256_min_epi32(cell, _mm256_set1_epi32((int)map->cell_count - 4));
    __m256i words = _mm256_i32gather_epi32((const int *)(const void *)map->cells, from, 1);
    __m256i shift = _mm256_slli_epi32(_mm256_sub_epi32(cell, from), 3);
    words = _mm256_srlv_epi32(words, shift);
    *inside = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_slli_epi32(words, 24)));
    __m256i value = _mm256_and_si256(words, _mm256_set1_epi32(GZ_CLEARANCE_INSIDE - 1));
    return _mm256_cvtepi32_ps(value);
#else
    float lanes[GZ_WIDTH];
    gz_f8_store(lanes, index);
    *inside = 0;
    for (int i = 0; i < GZ_WIDTH; i++) {
        unsigned value = map->cells[(size_t)lanes[i]];
        *inside |= (value / GZ_CLEARANCE_INSIDE) << i;
        lanes[i] = (float)(value % GZ_CLEARANCE_INSIDE);
    }
    return gz_f8_load(lanes);
#endif
}

/// Eight points.
typedef struct moved_points {
    gz_f8 x[3];
} moved_points;

static inline gz_f8 madd(gz_f8 sum, gz_f8 a, float b) {
    return gz_f8_muladd(a, gz_f8_all(b), sum);
}

static inline moved_points move_group(const float r[3][3], const float t[3],
                                      const float (*group)[GZ_WIDTH]) {
    moved_points out;
    gz_f8 x = gz_f8_load(group[0]), y = gz_f8_load(group[1]), z = gz_f8_load(group[2]);
    for (int i = 0; i < 3; i++)
        out.x[i] = madd(madd(madd(gz_f8_all(t[i]), x, r[i][0]), y, r[i][1]), z, r[i][2]);
    return out;
}

/// The result of a map for balls around eight points.
typedef struct ball_answer {
    unsigned clear;  ///< lanes whose ball holds nothing of the surface
    unsigned inside; ///< of them those that are inside
    gz_f8 values;    ///< of the cells, where not all points are beyond the lattice
} ball_answer;

/// A ball is clear where the ball of a cell holds it: |p - middle| + radius < value. A point beyond
/// the lattice takes the nearest cell; one that is farther off than its radius is clear at once.
/// Rounding, also of where the point is in its cell, is below 2^-20 of the lattice's length, which
/// the pads of the radius cover.
static inline ball_answer query_balls(const gz_clearance_map *map, const moved_points *p,
                                      gz_f8 radius) {
    gz_f8 cell[3], square = gz_f8_all(0), beyond = gz_f8_all(0);
    gz_f8 inverse = gz_f8_all(map->inverse);
    radius = gz_f8_mul(gz_f8_mul(radius, inverse), gz_f8_all(GZ_ROUND_UP)); // in cells
    for (int k = 0; k < 3; k++) {
        gz_f8 c = gz_f8_mul(gz_f8_sub(p->x[k], gz_f8_all(map->low[k])), inverse);
        c = gz_f8_sub(c, gz_f8_all(0.5f));
        gz_f8 most = gz_f8_all((float)map->count[k] - 1);
        gz_f8 held = gz_f8_min(gz_f8_max(c, gz_f8_all(0)), most);
        beyond = gz_f8_or(beyond, gz_f8_greater(gz_f8_abs(gz_f8_sub(c, held)), radius));
        cell[k] = gz_f8_whole(held);
        gz_f8 d = gz_f8_sub(c, cell[k]);
        square = gz_f8_add(square, gz_f8_mul(d, d));
    }
    unsigned out = gz_f8_mask(beyond), inside;
    if (out == 0xff) return (ball_answer){out, 0, square};
    gz_f8 at = gz_f8_add(gz_f8_mul(cell[2], gz_f8_all((float)map->count[1])), cell[1]);
    at = gz_f8_add(gz_f8_mul(at, gz_f8_all((float)map->count[0])), cell[0]);
    gz_f8 values = clearance_values(map, at, &inside);
    gz_f8 per_cell = gz_f8_all(GZ_ROUND_DOWN / GZ_CLEARANCE_PER_CELL);
    gz_f8 rest = gz_f8_sub(gz_f8_mul(values, per_cell), radius);
    gz_f8 rest2 = gz_f8_mul(rest, gz_f8_max(rest, gz_f8_all(0)));
    unsigned clear = gz_f8_mask(gz_f8_greater(rest2, square)) & ~out;
    return (ball_answer){clear | out, inside & clear, values};
}

#endif
