/// The z-buffer.
#ifndef GZ_PICTURE_RASTER_H
#define GZ_PICTURE_RASTER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

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

/// A finished picture: width * height * 3 bytes, red green blue, top row first.
typedef struct gz_pixels {
    uint8_t *rgb;
    int32_t width, height;
} gz_pixels;

/// Draws a line with round ends, antialiased; a dot where both ends are the same. (0.5, 0.5) is the
/// middle of the first pixel. A line with an end farther than eight pictures away is left out.
void gz_pixels_line(const gz_pixels *pixels, const double a[2], const double b[2], double radius,
                    const uint8_t color[3]);

/// Writes the pixels as PNG. False when the stream fails or out of memory.
bool gz_pixels_write_png(const gz_pixels *pixels, FILE *stream);

#endif
