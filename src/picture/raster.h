/// The z-buffer.
#ifndef GZ_PICTURE_RASTER_H
#define GZ_PICTURE_RASTER_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
