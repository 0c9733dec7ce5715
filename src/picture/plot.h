/// Pages of pixels with drawings side by side: panels of the plane, axes, arrows, words that keep
/// clear of lines.
#ifndef GZ_PICTURE_PLOT_H
#define GZ_PICTURE_PLOT_H

#include "picture/svg.h"

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

/// The unit vector, of sixteen, whose least angle with the directions is largest; vectors of any
/// length, 0 counts as none.
graze_vec2 gz_plot_free_side(const graze_vec2 *directions, size_t count);

/// Words about `pixels` away from a point, on their free side. A white rim keeps lines off the
/// words.
void gz_plot_label(const gz_svg *svg, graze_vec2 at, double pixels, const graze_vec2 *directions,
                   size_t count, const char *text, const char *color);

/// Grid, frame, ticks and titles.
void gz_plot_axes(const gz_plot *plot, const char *title, const char *across, const char *up);

/// The place of a pair of values on the page.
graze_vec2 gz_plot_at(const gz_plot *plot, double x, double y);

/// What is drawn in between shows inside the box only. A page's boxes are told apart by number.
void gz_plot_clip_begin(const gz_svg *page, gz_plot_box box, int number);
void gz_plot_clip_end(const gz_svg *page);

#endif
