/// Pixels to a PNG file.
#ifndef GZ_PICTURE_PNG_FILE_H
#define GZ_PICTURE_PNG_FILE_H

#include "graze/base.h"

/// Writes 8-bit RGB pixels, top row first, beside the file and renames it; see gz_picture_write().
graze_status gz_png_file_write(const char *path, const uint8_t *pixels, int32_t width,
                               int32_t height, graze_error *error);

/// Fills the error (NULL is allowed) and returns status; the file may be NULL.
graze_status gz_picture_fail(graze_error *error, graze_status status, const char *file,
                             const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
