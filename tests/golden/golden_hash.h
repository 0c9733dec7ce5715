/// FNV-1a of 64 bits (Fowler, Noll and Vo), over numbers taken byte by byte from the lowest: the
/// same on every machine, whatever its order of bytes and the padding of its structures.
#ifndef GRAZE_TESTS_GOLDEN_HASH_H
#define GRAZE_TESTS_GOLDEN_HASH_H

#include <stdint.h>
#include <string.h>

#define GOLDEN_HASH_START UINT64_C(0xcbf29ce484222325)

static inline void golden_hash_integer(uint64_t *hash, uint64_t value) {
    for (int i = 0; i < 8; i++, value >>= 8)
        *hash = (*hash ^ (value & 0xff)) * UINT64_C(0x100000001b3);
}

/// The bits of a number: -0 and 0 differ, as do two NaN.
static inline void golden_hash_double(uint64_t *hash, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    golden_hash_integer(hash, bits);
}

#endif
