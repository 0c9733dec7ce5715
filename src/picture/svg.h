/// Drawings of the plane as SVG: polygons, disks, lines and words, y upwards.
#ifndef GZ_PICTURE_SVG_H
#define GZ_PICTURE_SVG_H

#include <stdio.h>

#include "graze/planar_shape.h"
#include "picture/raster.h"

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

/// Pages of pixels with drawings side by side: panels of the plane, axes, arrows, words that keep
/// clear of lines.

/// A rectangle of a page, pixels from its upper left corner.
typedef struct gz_plot_box {
    double x, y, width, height;
} gz_plot_box;

/// Axes: values from min to max over a box of a page.
typedef struct gz_plot {
    const gz_svg *page;
    gz_plot_box box;
    graze_vec2 min, max;
} gz_plot;

/// Starts a page. Its coordinates are pixels, x to the right and y up from the upper left corner
/// (so all y are negative); gz_svg_end() ends it.
gz_svg gz_plot_page(FILE *stream, double width, double height);

/// Words on a page, at pixels from its upper left corner.
void gz_plot_words(const gz_svg *page, double x, double y, const char *text, const char *style);

/// The rectangle of the plane from min to max in the middle of a box, as large as fits.
gz_svg gz_plot_panel(const gz_svg *page, gz_plot_box box, graze_vec2 min, graze_vec2 max);

/// An arrow; nothing where it would be shorter than a pixel.
void gz_plot_arrow(const gz_svg *svg, graze_vec2 from, graze_vec2 to, const char *color);
/// A thinner one, of many.
void gz_plot_thin_arrow(const gz_svg *svg, graze_vec2 from, graze_vec2 to, const char *color);

/// The unit vector, of sixteen, whose least angle with the directions is largest; vectors of any
/// length, 0 counts as none.
graze_vec2 gz_plot_free_side(const graze_vec2 *directions, size_t count);

/// Words about `pixels` away from a point, on their free side. A white rim keeps lines off the
/// words.
void gz_plot_label(const gz_svg *svg, graze_vec2 at, double pixels, const graze_vec2 *directions,
                   size_t count, const char *text, const char *color);

/// A bar of a round length, 1, 2 or 5 times a power of ten, above the lower left corner of a box,
/// with its length in metres.
void gz_plot_scale_bar(const gz_svg *panel, const gz_svg *page, gz_plot_box box);

/// A legend: rows of a sample and words, from a place of a page downwards.
typedef struct gz_legend {
    const gz_svg *page;
    double x, y; ///< of the next row's upper left corner, pixels
} gz_legend;

enum { GZ_LEGEND_ROW = 21 }; ///< pixels from row to row

/// Add a row: a patch, a line or a dot of a style, or words alone (style NULL).
void gz_legend_patch(gz_legend *legend, const char *style, const char *text);
void gz_legend_line(gz_legend *legend, const char *style, const char *text);
void gz_legend_dot(gz_legend *legend, const char *style, const char *text);

/// Grid, frame, ticks and titles.
void gz_plot_axes(const gz_plot *plot, const char *title, const char *across, const char *up);

/// The place of a pair of values on the page.
graze_vec2 gz_plot_at(const gz_plot *plot, double x, double y);

/// Pixels over a box of a page, as an embedded PNG. False when out of memory.
bool gz_plot_image(const gz_svg *page, gz_plot_box box, const gz_pixels *pixels);

/// What is drawn in between shows inside the box only. A page's boxes are told apart by number.
void gz_plot_clip_begin(const gz_svg *page, gz_plot_box box, int number);
void gz_plot_clip_end(const gz_svg *page);

#endif
