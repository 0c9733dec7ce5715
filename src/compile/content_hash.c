// What is the content of a file? XXH3, by the xxHash library's header: it tells one content from
// another at the speed of memory; it is no proof against somebody who wants two to look the same.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/processor.h"
#include "compile/compiled_file.h"

static uint64_t hash(const void *bytes, size_t size, uint64_t seed) {
#ifdef GRAZE_HAVE_AVX2
    if (gz_processor_has_avx2()) return gz_content_hash_avx2(bytes, size, seed);
#endif
    return XXH3_64bits_withSeed(bytes, size, seed);
}

uint64_t gz_file_checksum(const gz_file_header *header, const unsigned char *behind, size_t size) {
    gz_file_header h = *header;
    h.checksum = 0;
    return hash(behind, size, XXH3_64bits(&h, sizeof h));
}

void gz_source_hash(const void *bytes, size_t size, uint64_t hash[2]) {
    XXH128_hash_t h = XXH3_128bits(bytes, size);
    hash[0] = h.low64;
    hash[1] = h.high64;
}
