/// XXH3 with the processor's wider registers, where it has them; the same numbers.
#ifndef GZ_COMPILE_CONTENT_HASH_H
#define GZ_COMPILE_CONTENT_HASH_H

#include <stddef.h>
#include <stdint.h>

#ifdef GRAZE_HAVE_AVX2
/// Asks for AVX2.
uint64_t gz_content_hash_avx2(const void *bytes, size_t size, uint64_t seed);
#endif

#endif
