#include "compile/compiled_file.h"

#ifdef GRAZE_HAVE_AVX2

#include <xxhash.h>

uint64_t gz_content_hash_avx2(const void *bytes, size_t size, uint64_t seed) {
    return XXH3_64bits_withSeed(bytes, size, seed);
}

#else

typedef int gz_no_avx2; // a translation unit is not empty

#endif
