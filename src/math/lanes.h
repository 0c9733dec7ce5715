/// Eight floats side by side (gz_f8), and doubles side by side (gz_d): four with AVX, two with SSE2
/// and NEON, else one. One small set of operations: eight floats are a vector of AVX (lanes_avx.h)
/// or two of four (lanes_pair.h), and the scalar build, and every other processor, has the latter
/// without vector instructions. All are element-wise IEEE operations without fusion, so every form
/// gives the same bits; but for gz_f8_muladd(a, b, c) = a b + c, which rounds once where the
/// processor can and twice elsewhere: it is for filters, whose bounds hold either way. gz_d is a
/// double or a vector of them, on which + - * / work as they stand. One header per form, so that a
/// line count belongs to one function in every translation unit.
#ifndef GZ_MATH_LANES_H
#define GZ_MATH_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GZ_LANES 8

#include "math/float_quad.h"

#if defined(GZ_F4_SSE2) && defined(__AVX__)
#include "math/lanes_avx.h"
#else
#include "math/lanes_pair.h"
#endif

/// Vectors of doubles that fill the lanes of one of floats.
#define GZ_F8_VECTORS (GZ_LANES / GZ_D_LANES)

/// The nearest whole number, for magnitudes below 2^22: above 2^23 floats have no room for more.
static inline gz_f8 gz_f8_whole(gz_f8 x) {
    gz_f8 big = gz_f8_all(0x1.8p23f);
    return gz_f8_sub(gz_f8_add(x, big), big);
}

/// The lane of the least value; of equal ones the lowest.
static inline int gz_f8_least_lane(gz_f8 a) {
    return __builtin_ctz(~gz_f8_mask(gz_f8_greater(a, gz_f8_all(gz_f8_least(a)))));
}

/// Takes the lane of the least value out of the mask, which has one; of equal ones the lowest.
static inline int gz_take_least(const float values[GZ_LANES], unsigned *mask) {
    int best = __builtin_ctz(*mask);
    for (unsigned rest = *mask & (*mask - 1); rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        best = values[lane] < values[best] ? lane : best;
    }
    *mask &= ~(1u << best);
    return best;
}

#endif
