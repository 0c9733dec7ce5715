/// Flat drawings in pixels: rectangles, lines and words.
#ifndef GZ_PICTURE_CHART_H
#define GZ_PICTURE_CHART_H

#include <stdbool.h>
#include <stdint.h>

typedef struct gz_color {
    uint8_t r, g, b;
} gz_color;

/// width * height * 3 bytes, red green blue, top row first; the caller's.
typedef struct gz_chart {
    uint8_t *pixels;
    int32_t width, height;
} gz_chart;

/// Fills what of a rectangle is inside the chart.
void gz_chart_fill(const gz_chart *chart, int32_t x, int32_t y, int32_t width, int32_t height,
                   gz_color color);

/// A line with round ends, `thick` pixels wide; (0.5, 0.5) is the middle of the first pixel. A dot
/// where both ends are the same.
void gz_chart_line(const gz_chart *chart, double x0, double y0, double x1, double y1, double thick,
                   gz_color color);

/// How wide a word is; `size` is the height of a capital letter in pixels.
double gz_chart_text_width(const char *text, double size);

/// Writes a word: (x, y) is the left end of its base line. Characters outside printable ASCII are
/// drawn as boxes. `upward`: it runs from bottom to top.
void gz_chart_text(const gz_chart *chart, double x, double y, const char *text, double size,
                   bool upward, gz_color color);

#endif
