/// Structures to bytes and back: the body of a compiled file.
///
/// A body is a sequence without offsets: an array of structures, then for each of them, field by
/// field, what its pointers point to, by the same rule. Counts say how long arrays are; a pointer's
/// bytes hold the length of a string with its NUL (0: NULL), or 1 or 0 for a structure that is
/// there or not. So nothing can overlap, lie outside or be read twice. Structures begin at
/// multiples of 16 bytes, arrays of 64.
#ifndef GZ_COMPILE_IMAGE_H
#define GZ_COMPILE_IMAGE_H

#include "base/error.h"
#include "compile/image.h"

#define GZ_IMAGE_ALIGNMENT 64

/// How long a body is, and how much memory its structures take when it is read.
typedef struct gz_image_size {
    size_t bytes, arena_bytes;
} gz_image_size;

/// Measures (out NULL) or writes one structure with all that it points to. Padding is 0: the same
/// structure gives the same bytes.
gz_image_size gz_image_write(const gz_type *type, const void *structure, unsigned char *out);

/// Rebuilds the structures in the arena (from gz_malloc_aligned()); strings and arrays stay in the
/// body, which must be aligned to 64 bytes and outlive them. Checks lengths, strings, bools,
/// enumerators and that numbers are finite; what counts and indices mean is the caller's to check.
/// @param file  named in errors
/// @return GRAZE_OK; GRAZE_ERROR_PARSE
graze_status gz_image_read(const gz_type *type, const unsigned char *body, gz_image_size size,
                           void *arena, const char *file, void **structure, graze_error *error);

/// The name of a field, at any depth, in which two structures of a type differ with all that they
/// point to; NULL where they do in none.
const char *gz_image_difference(const gz_type *type, const void *a, const void *b);

#endif
