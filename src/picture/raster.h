/// The z-buffer.
#ifndef GZ_PICTURE_RASTER_H
#define GZ_PICTURE_RASTER_H

#include <stdbool.h>
#include <stdint.h>

#include "graze/base.h"

/// A depth buffer, and the triangle seen at each sample. Nearer is greater.
typedef struct gz_raster {
    int32_t width, height;
    float *depth;
    int32_t *ids; ///< -1: nothing; NULL where only depth is wanted
} gz_raster;

/// A corner in samples; (0.5, 0.5) is the middle of the first one. depth is linear on the screen.
typedef struct gz_corner {
    double x, y, depth;
} gz_corner;

bool gz_raster_make(gz_raster *raster, int32_t width, int32_t height, bool with_ids);
void gz_raster_free(gz_raster *raster);
/// Back to nothing drawn.
void gz_raster_clear(gz_raster *raster);

/// Draws a triangle of either orientation. `sieve`: leave out every other sample, as a
/// chessboard, so that what is behind shows through.
void gz_raster_triangle(gz_raster *raster, const gz_corner corner[3], int32_t id, bool sieve);

/// Pixels to a PNG file.

/// Writes 8-bit RGB pixels, top row first, beside the file and renames it; see gz_picture_write().
graze_status gz_png_file_write(const char *path, const uint8_t *pixels, int32_t width,
                               int32_t height, graze_error *error);

/// Fills the error (NULL is allowed) and returns status; the file may be NULL.
graze_status gz_picture_fail(graze_error *error, graze_status status, const char *file,
                             const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
