/// Random numbers that depend on a seed alone: the same on every machine, and number i of a stream
/// can be had without the ones before it.
#ifndef GZ_BASE_RANDOM_H
#define GZ_BASE_RANDOM_H

#include <stdint.h>

typedef struct gz_random {
    uint64_t state;
} gz_random;

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number
/// generators"), a bijection of 64-bit words.
static inline uint64_t gz_random_mix(uint64_t z) {
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/// A generator for one stream of a seed; different streams do not overlap in practice.
static inline gz_random gz_random_make(uint64_t seed, uint64_t stream) {
    return (gz_random){gz_random_mix(seed ^ gz_random_mix(stream + UINT64_C(0x632be59bd9b4e019)))};
}

static inline uint64_t gz_random_next(gz_random *random) {
    random->state += UINT64_C(0x9e3779b97f4a7c15);
    return gz_random_mix(random->state);
}

/// Uniform in [0, 1), a multiple of 2^-53.
static inline double gz_random_unit(gz_random *random) {
    return (double)(gz_random_next(random) >> 11) * 0x1p-53;
}

/// Uniform in [low, high).
static inline double gz_random_range(gz_random *random, double low, double high) {
    return low + (high - low) * gz_random_unit(random);
}

/// Uniform in 0 .. n-1, n > 0, without modulo bias worth speaking of (n below 2^32).
static inline uint32_t gz_random_below(gz_random *random, uint32_t n) {
    return (uint32_t)(((gz_random_next(random) >> 32) * (uint64_t)n) >> 32);
}

#endif
