/// The compiled file: a header, then up to three bodies (image.h). See docs/compiled.md.
#ifndef GZ_COMPILE_COMPILED_FILE_H
#define GZ_COMPILE_COMPILED_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/shared.h"
#include "compile/image.h"
#include "graze/compiled.h"

// For <xxhash.h>, behind this header. It reads by memcpy: its other ways break the rule on aliases,
// and gcc for aarch64 then hashes what a structure held before.
#define XXH_FORCE_MEMORY_ACCESS 0
#define XXH_INLINE_ALL

/// Bytes of a file in memory, shared by all that is made from them.
typedef struct gz_file_mapping {
    gz_shared shared;
    const unsigned char *bytes; ///< aligned to 64
    size_t size;
    bool mapped; ///< by gz_file_map(), else of gz_malloc_aligned()
} gz_file_mapping;

/// Maps a regular file read only. One user.
graze_status gz_file_mapping_open(gz_file_mapping **out, const char *path, graze_error *error);
/// Takes bytes of gz_malloc_aligned() in any case. One user; NULL when out of memory.
gz_file_mapping *gz_file_mapping_take(void *bytes, size_t size);
/// A copy of bytes. One user; NULL when out of memory.
gz_file_mapping *gz_file_mapping_copy(const void *bytes, size_t size);

/// One user less; the last one gives it back. NULL is allowed.
void gz_file_mapping_drop(gz_file_mapping *mapping);

/// Rises with every change of the header, of the order of things or of their meaning; changed
/// structures show in the layout by themselves.
#define GZ_COMPILED_FORMAT 3

/// Not text, not cut by what takes files for text, and like no other format's.
#define GZ_COMPILED_MAGIC "\x89GRAZE\n\x1a"

enum { GZ_SECTION_SOURCES, GZ_SECTION_ROBOT, GZ_SECTION_WORLD, GZ_SECTION_COUNT };

typedef struct gz_file_section {
    uint64_t at, bytes; ///< from the beginning of the file; both multiples of 64
} gz_file_section;

typedef struct gz_file_header {
    unsigned char magic[8];
    uint32_t byte_order; ///< 0x01020304, as the machine that compiled writes it
    uint32_t format;
    uint64_t layout;                            ///< gz_type_fingerprint()
    char version[24];                           ///< of graze, NUL-terminated
    uint64_t file_bytes;                        ///< whole
    gz_file_section sections[GZ_SECTION_COUNT]; ///< without gaps; a missing one has 0 bytes
    uint64_t checksum; ///< gz_file_checksum() of the whole file with this field 0
    unsigned char reserved[16];
} gz_file_header;

_Static_assert(sizeof(gz_file_header) == 128, "bodies begin at a multiple of 64");

struct graze_compiled {
    gz_file_mapping *mapping;
    gz_file_header header;
    gz_pool pool; ///< what the sources lie in
    const gz_source_list *sources;
    char *name; ///< what errors call the file
};

/// graze_compiled_open() of what is in memory. Takes the mapping in any case.
graze_status gz_compiled_open_mapping(graze_compiled **out, gz_file_mapping *mapping,
                                      const char *name, graze_error *error);

#ifdef GRAZE_HAVE_AVX2
/// XXH3 compiled for AVX2, which the processor must have; gives the values of the base form.
uint64_t gz_content_hash_avx2(const void *bytes, size_t size, uint64_t seed);
#endif
/// XXH3 of the header (its checksum taken for 0) and of all behind it.
uint64_t gz_file_checksum(const gz_file_header *header, const unsigned char *behind, size_t size);
/// XXH3 of a source's content, 128 bits.
void gz_source_hash(const void *bytes, size_t size, uint64_t hash[2]);

#endif
