#include "compile/compiled_file.h"

#include <string.h>
#include <xxhash.h>

#include "base/memory.h"
#include "base/platform.h"
#include "base/processor.h"

graze_status gz_file_mapping_open(gz_file_mapping **out, const char *path, graze_error *error) {
    *out = NULL;
    gz_file_mapping *mapping = gz_calloc(1, sizeof *mapping);
    if (!mapping) return gz_fail_memory(error);
    mapping->mapped = true;
    graze_status status = gz_file_map(path, &mapping->bytes, &mapping->size, error);
    if (status == GRAZE_OK)
        *out = mapping;
    else
        gz_free(mapping);
    return status;
}

gz_file_mapping *gz_file_mapping_take(void *bytes, size_t size) {
    gz_file_mapping *mapping = bytes ? gz_calloc(1, sizeof *mapping) : NULL;
    if (!mapping) {
        gz_free(bytes);
        return NULL;
    }
    mapping->bytes = bytes;
    mapping->size = size;
    return mapping;
}

gz_file_mapping *gz_file_mapping_copy(const void *bytes, size_t size) {
    unsigned char *copy = gz_malloc_aligned(size, 1);
    if (copy && size) memcpy(copy, bytes, size);
    return gz_file_mapping_take(copy, size);
}

void gz_file_mapping_drop(gz_file_mapping *mapping) {
    if (!mapping || !gz_shared_drop(&mapping->shared)) return;
    if (mapping->mapped)
        gz_file_unmap(mapping->bytes, mapping->size);
    else
        gz_free((void *)(uintptr_t)mapping->bytes); // never written to
    gz_free(mapping);
}

// Checksums: XXH3 of the xxHash library. They find accidents, at the speed of memory; they do not
// protect against somebody who wants two contents to have one checksum.

static uint64_t hash(const void *bytes, size_t size, uint64_t seed) {
#ifdef GRAZE_HAVE_AVX2
    if (gz_isa_choose() == GZ_ISA_AVX2) return gz_content_hash_avx2(bytes, size, seed);
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
