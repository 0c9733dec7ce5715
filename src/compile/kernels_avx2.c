#include "compile/compiled_file.h"

#ifdef GRAZE_HAVE_AVX2

// memcpy: its other ways of reading break the rule on aliases, and gcc for aarch64 then hashes what
// a structure held before.
#define XXH_FORCE_MEMORY_ACCESS 0
#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t gz_content_hash_avx2(const void *bytes, size_t size, uint64_t seed) {
    return XXH3_64bits_withSeed(bytes, size, seed);
}

#else

typedef int gz_no_avx2; // a translation unit is not empty

#endif
