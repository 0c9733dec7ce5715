/// SHA-256 (FIPS 180-4): names for content that nobody can make a second content for.
#ifndef GZ_BASE_SHA256_H
#define GZ_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct gz_sha256 {
    uint32_t state[8];
    uint64_t size; ///< bytes so far
    uint8_t block[64];
} gz_sha256;

gz_sha256 gz_sha256_begin(void);
void gz_sha256_add(gz_sha256 *hash, const void *bytes, size_t size);

#define GZ_SHA256_TEXT 65
/// Writes the digest in hexadecimal digits, NUL-terminated. Nothing may be added after it.
void gz_sha256_finish(gz_sha256 *hash, char text[GZ_SHA256_TEXT]);

#endif
