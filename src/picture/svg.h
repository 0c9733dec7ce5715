/// Drawings of the plane as SVG: polygons, disks, lines and words, y upwards.
#ifndef GZ_PICTURE_SVG_H
#define GZ_PICTURE_SVG_H

#include <stdio.h>

#include "graze/planar_shape.h"

/// A drawing that is being written. Styles are SVG attributes: `fill="none" stroke="#888"`.
typedef struct gz_svg {
    FILE *stream;
    double left, top;     ///< the drawing's upper left corner, metres
    double scale;         ///< pixels a metre
    double width, height; ///< pixels
} gz_svg;

/// Starts a drawing of the rectangle, `pixels` wide or high, whichever is longer, on white.
gz_svg gz_svg_begin(FILE *stream, graze_vec2 min, graze_vec2 max, double pixels);
void gz_svg_end(const gz_svg *svg);

void gz_svg_polygon(const gz_svg *svg, const graze_vec2 *points, size_t count, const char *style);
void gz_svg_polyline(const gz_svg *svg, const graze_vec2 *points, size_t count, const char *style);
void gz_svg_line(const gz_svg *svg, graze_vec2 from, graze_vec2 to, const char *style);
/// A disk of so many metres.
void gz_svg_disk(const gz_svg *svg, graze_vec2 center, double radius, const char *style);
/// A dot of so many pixels.
void gz_svg_dot(const gz_svg *svg, graze_vec2 center, double pixels, const char *style);
/// A polygon with its radius: straight sides and round corners.
void gz_svg_shape(const gz_svg *svg, const graze_planar_shape *shape, const char *style);
/// Words beside a point, `dx`, `dy` pixels to the right and up.
void gz_svg_text(const gz_svg *svg, graze_vec2 at, double dx, double dy, const char *text,
                 const char *style);

#endif
