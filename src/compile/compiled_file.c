#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/memory.h"
#include "base/processor.h"
#include "compile/compiled_file.h"
#include "load/file.h"

static graze_status map(int descriptor, const char *path, gz_file_mapping *mapping,
                        graze_error *error) {
    struct stat about;
    if (fstat(descriptor, &about) != 0) return gz_file_fail(error, path, errno);
    if (!S_ISREG(about.st_mode))
        return gz_fail_at(error, GRAZE_ERROR_IO, (gz_place){.file = path},
                          "%s is a folder, device, pipe or socket; allowed: a regular file", path);
    if (about.st_size < 1 || (uint64_t)about.st_size > SIZE_MAX / 2)
        return gz_fail_at(error, GRAZE_ERROR_PARSE, (gz_place){.file = path},
                          "%s has %lld bytes; allowed: at least 1", path, (long long)about.st_size);
    size_t size = (size_t)about.st_size;
    // All of it will be looked at: one call maps what is in memory already, instead of a fault for
    // every few pages.
    void *bytes = mmap(NULL, size, PROT_READ, MAP_SHARED | MAP_POPULATE, descriptor, 0);
    if (bytes == MAP_FAILED) return gz_file_fail(error, path, errno);
    mapping->bytes = bytes;
    mapping->size = size;
    mapping->mapped = true;
    return GRAZE_OK;
}

graze_status gz_file_mapping_open(gz_file_mapping **out, const char *path, graze_error *error) {
    *out = NULL;
    gz_file_mapping *mapping = gz_calloc(1, sizeof *mapping);
    if (!mapping) return gz_fail_memory(error);
    // O_NONBLOCK: opening a pipe that nobody writes to must not hang.
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    graze_status status = descriptor < 0 ? gz_file_fail(error, path, errno)
                                         : map(descriptor, path, mapping, error);
    if (descriptor >= 0) close(descriptor);
    if (status == GRAZE_OK)
        *out = mapping;
    else
        gz_free(mapping);
    return status;
}

gz_file_mapping *gz_file_mapping_copy(const void *bytes, size_t size) {
    gz_file_mapping *mapping = gz_calloc(1, sizeof *mapping);
    unsigned char *copy = gz_malloc_aligned(size, 1);
    if (!mapping || !copy) {
        gz_free(mapping);
        gz_free(copy);
        return NULL;
    }
    if (size) memcpy(copy, bytes, size);
    mapping->bytes = copy;
    mapping->size = size;
    return mapping;
}

size_t gz_file_begin(const char *path, char *bytes, size_t size) {
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return 0;
    struct stat about;
    ssize_t n = fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode)
                    ? read(descriptor, bytes, size)
                    : 0;
    close(descriptor);
    return n < 0 ? 0 : (size_t)n;
}

void gz_file_mapping_drop(gz_file_mapping *mapping) {
    if (!mapping || !gz_shared_drop(&mapping->shared)) return;
    // Neither was ever written to; only its giving back asks for a pointer that may.
    void *bytes = (void *)(uintptr_t)mapping->bytes;
    if (mapping->mapped)
        munmap(bytes, mapping->size);
    else
        gz_free(bytes);
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
