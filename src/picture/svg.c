#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "picture/svg.h"

gz_svg gz_svg_begin(FILE *stream, graze_vec2 min, graze_vec2 max, double pixels) {
    double wide = max.x - min.x, high = max.y - min.y, longer = wide > high ? wide : high;
    gz_svg svg = {.stream = stream, .left = min.x, .top = max.y, .scale = pixels / longer};
    svg.width = ceil(wide * svg.scale);
    svg.height = ceil(high * svg.scale);
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" font-size=\"13\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
            svg.width, svg.height, svg.width, svg.height);
    return svg;
}

void gz_svg_end(const gz_svg *svg) {
    fputs("</svg>\n", svg->stream);
}

/// Rounded so that no "-0.00" comes out.
static double pixel(double value) {
    return round(value * 100) / 100 + 0.0;
}
static double across(const gz_svg *svg, double x) {
    return pixel((x - svg->left) * svg->scale);
}
static double down(const gz_svg *svg, double y) {
    return pixel((svg->top - y) * svg->scale);
}

static void put_points(const gz_svg *svg, const char *element, const graze_vec2 *points,
                       size_t count, const char *style) {
    fprintf(svg->stream, "<%s points=\"", element);
    for (size_t i = 0; i < count; i++) {
        fprintf(svg->stream, "%s%.2f,%.2f", i > 0 ? " " : "", across(svg, points[i].x),
                down(svg, points[i].y));
    }
    fprintf(svg->stream, "\" %s/>\n", style);
}

void gz_svg_polygon(const gz_svg *svg, const graze_vec2 *points, size_t count, const char *style) {
    put_points(svg, "polygon", points, count, style);
}

void gz_svg_polyline(const gz_svg *svg, const graze_vec2 *points, size_t count, const char *style) {
    put_points(svg, "polyline", points, count, style);
}

void gz_svg_line(const gz_svg *svg, graze_vec2 from, graze_vec2 to, const char *style) {
    const graze_vec2 points[2] = {from, to};
    gz_svg_polyline(svg, points, 2, style);
}

void gz_svg_dot(const gz_svg *svg, graze_vec2 center, double pixels, const char *style) {
    fprintf(svg->stream, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\" %s/>\n", across(svg, center.x),
            down(svg, center.y), pixels, style);
}

void gz_svg_disk(const gz_svg *svg, graze_vec2 center, double radius, const char *style) {
    gz_svg_dot(svg, center, radius * svg->scale, style);
}

void gz_svg_shape(const gz_svg *svg, const graze_planar_shape *shape, const char *style) {
    if (shape->count == 1) {
        gz_svg_disk(svg, shape->vertices[0], shape->radius, style);
        return;
    }
    double r = shape->radius * svg->scale;
    fputs("<path d=\"M", svg->stream);
    // Each side is moved outward by the radius; an arc joins it to the one before, at last the
    // first.
    for (int32_t i = 0; i <= shape->count; i++) {
        graze_vec2 from = shape->vertices[i % shape->count];
        graze_vec2 to = shape->vertices[(i + 1) % shape->count];
        double ex = to.x - from.x, ey = to.y - from.y;
        double length = hypot(ex, ey);
        double ox = shape->radius * ey / length, oy = -shape->radius * ex / length;
        if (i > 0) fprintf(svg->stream, " A%.2f,%.2f 0 0 0 ", r, r);
        fprintf(svg->stream, "%.2f,%.2f", across(svg, from.x + ox), down(svg, from.y + oy));
        if (i < shape->count)
            fprintf(svg->stream, " L%.2f,%.2f", across(svg, to.x + ox), down(svg, to.y + oy));
    }
    fprintf(svg->stream, " Z\" %s/>\n", style);
}

/// Markup in words is taken as words.
static void put_escaped(FILE *stream, const char *text) {
    for (; *text != '\0'; text++) {
        const char *entity = *text == '&'   ? "&amp;"
                             : *text == '<' ? "&lt;"
                             : *text == '>' ? "&gt;"
                                            : NULL;
        if (entity) fputs(entity, stream);
        if (!entity) fputc(*text, stream);
    }
}

void gz_svg_text(const gz_svg *svg, graze_vec2 at, double dx, double dy, const char *text,
                 const char *style) {
    fprintf(svg->stream, "<text x=\"%.2f\" y=\"%.2f\" %s>", across(svg, at.x) + dx,
            down(svg, at.y) - dy, style);
    put_escaped(svg->stream, text);
    fputs("</text>\n", svg->stream);
}

gz_svg gz_plot_page(FILE *stream, double width, double height) {
    double longer = width > height ? width : height;
    return gz_svg_begin(stream, (graze_vec2){0, -height}, (graze_vec2){width, 0}, longer);
}

void gz_plot_words(const gz_svg *page, double x, double y, const char *text, const char *style) {
    gz_svg_text(page, (graze_vec2){x, -y}, 0, 0, text, style);
}

gz_svg gz_plot_panel(const gz_svg *page, gz_plot_box box, graze_vec2 min, graze_vec2 max) {
    gz_svg panel = *page;
    double wide = fmax(max.x - min.x, 1e-9), high = fmax(max.y - min.y, 1e-9);
    panel.scale = fmin(box.width / wide, box.height / high);
    panel.left = 0.5 * (min.x + max.x) - (box.x + 0.5 * box.width) / panel.scale;
    panel.top = 0.5 * (min.y + max.y) + (box.y + 0.5 * box.height) / panel.scale;
    return panel;
}

/// With a line and a head of so many pixels.
static void put_arrow(const gz_svg *svg, graze_vec2 from, graze_vec2 to, const char *color,
                      double wide, double long_head) {
    double x = to.x - from.x, y = to.y - from.y, length = hypot(x, y);
    if (!(length * svg->scale >= 1)) return;
    double head = fmin(long_head / svg->scale, length), ux = x / length, uy = y / length;
    double half = 0.38 * head;
    graze_vec2 neck = {to.x - head * ux, to.y - head * uy};
    const graze_vec2 tip[3] = {
        to, {neck.x - half * uy, neck.y + half * ux}, {neck.x + half * uy, neck.y - half * ux}};
    char style[96];
    snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"%.1f\"", color, wide);
    gz_svg_line(svg, from, neck, style);
    snprintf(style, sizeof style, "fill=\"%s\"", color);
    gz_svg_polygon(svg, tip, 3, style);
}

void gz_plot_arrow(const gz_svg *svg, graze_vec2 from, graze_vec2 to, const char *color) {
    put_arrow(svg, from, to, color, 2.2, 11);
}

void gz_plot_thin_arrow(const gz_svg *svg, graze_vec2 from, graze_vec2 to, const char *color) {
    put_arrow(svg, from, to, color, 1.1, 6);
}

graze_vec2 gz_plot_free_side(const graze_vec2 *directions, size_t count) {
    static const double turn = 0.39269908169872414; // pi / 8
    graze_vec2 best = {0, 1};
    double best_cosine = 2;
    for (int i = 0; i < 16; i++) {
        graze_vec2 side = {cos(turn * (4 + i)), sin(turn * (4 + i))};
        double cosine = -1;
        for (size_t k = 0; k < count; k++) {
            double length = hypot(directions[k].x, directions[k].y);
            if (!(length > 0)) continue;
            double x = directions[k].x / length, y = directions[k].y / length;
            cosine = fmax(cosine, side.x * x + side.y * y);
        }
        if (cosine < best_cosine - 1e-9) {
            best_cosine = cosine;
            best = side;
        }
    }
    return best;
}

void gz_plot_label(const gz_svg *svg, graze_vec2 at, double pixels, const graze_vec2 *directions,
                   size_t count, const char *text, const char *color) {
    graze_vec2 side = gz_plot_free_side(directions, count);
    const char *anchor = side.x > 0.3 ? "start" : side.x < -0.3 ? "end" : "middle";
    char style[192];
    snprintf(
        style, sizeof style,
        "fill=\"%s\" stroke=\"#ffffff\" stroke-width=\"4\" stroke-opacity=\"0.7\" stroke-linejoin=\"round\" "
        "paint-order=\"stroke\" text-anchor=\"%s\"",
        color, anchor);
    gz_svg_text(svg, at, pixels * side.x, pixels * side.y - 4.5, text, style);
}

// ------------------------------------------------------------------------------------------ axes

graze_vec2 gz_plot_at(const gz_plot *plot, double x, double y) {
    const gz_plot_box *b = &plot->box;
    double across = (x - plot->min.x) / (plot->max.x - plot->min.x);
    double up = (y - plot->min.y) / (plot->max.y - plot->min.y);
    return (graze_vec2){b->x + across * b->width, -(b->y + (1 - up) * b->height)};
}

/// 1, 2 or 5 times a power of ten: at most six of them make up the range.
static double tick_step(double range) {
    double least = range / 6, power = pow(10, floor(log10(least)));
    double times = least / power;
    return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

static void put_ticks(const gz_plot *plot, bool vertical) {
    double low = vertical ? plot->min.y : plot->min.x, high = vertical ? plot->max.y : plot->max.x;
    double step = tick_step(high - low), first = ceil(low / step - 1e-9);
    for (int i = 0; i <= 6; i++) {
        double value = (first + i) * step + 0.0;
        if (!(value <= high + 1e-9 * step)) break;
        graze_vec2 from = vertical ? gz_plot_at(plot, plot->min.x, value)
                                   : gz_plot_at(plot, value, plot->min.y);
        graze_vec2 to = vertical ? gz_plot_at(plot, plot->max.x, value)
                                 : gz_plot_at(plot, value, plot->max.y);
        gz_svg_line(plot->page, from, to,
                    first + i == 0 ? "stroke=\"#9aa4b0\"" : "stroke=\"#e3e7eb\"");
        char text[32];
        snprintf(text, sizeof text, "%g", value);
        gz_svg_text(plot->page, from, vertical ? -7 : 0, vertical ? -4 : -17, text,
                    vertical ? "fill=\"#444c55\" font-size=\"12\" text-anchor=\"end\""
                             : "fill=\"#444c55\" font-size=\"12\" text-anchor=\"middle\"");
    }
}

void gz_plot_scale_bar(const gz_svg *panel, const gz_svg *page, gz_plot_box box) {
    double metres = tick_step(box.width / panel->scale), pixels = metres * panel->scale;
    double x = box.x + 12, y = -(box.y + box.height - 12);
    const char *style = "stroke=\"#22262c\" stroke-width=\"2\" fill=\"none\"";
    const graze_vec2 bar[4] = {{x, y + 5}, {x, y}, {x + pixels, y}, {x + pixels, y + 5}};
    gz_svg_polyline(page, bar, 4, style);
    char text[32];
    snprintf(text, sizeof text, "%g m", metres);
    gz_svg_text(page, (graze_vec2){x + 0.5 * pixels, y}, 0, 6, text,
                "fill=\"#22262c\" font-size=\"12\" text-anchor=\"middle\" stroke=\"#ffffff\" "
                "stroke-width=\"3\" paint-order=\"stroke\"");
}

static void legend_words(gz_legend *l, double indent, const char *text) {
    gz_plot_words(l->page, l->x + indent, l->y + 12, text, "fill=\"#22262c\"");
    l->y += GZ_LEGEND_ROW;
}

void gz_legend_patch(gz_legend *l, const char *style, const char *text) {
    double x = l->x, y = -l->y;
    const graze_vec2 box[4] = {{x, y}, {x + 16, y}, {x + 16, y - 14}, {x, y - 14}};
    if (style) gz_svg_polygon(l->page, box, 4, style);
    legend_words(l, style ? 26 : 0, text);
}

void gz_legend_line(gz_legend *l, const char *style, const char *text) {
    gz_svg_line(l->page, (graze_vec2){l->x, -l->y - 7}, (graze_vec2){l->x + 18, -l->y - 7}, style);
    legend_words(l, 26, text);
}

void gz_legend_dot(gz_legend *l, const char *style, const char *text) {
    gz_svg_dot(l->page, (graze_vec2){l->x + 8, -l->y - 7}, 4.5, style);
    legend_words(l, 26, text);
}

void gz_plot_axes(const gz_plot *plot, const char *title, const char *across, const char *up) {
    const gz_plot_box *b = &plot->box;
    put_ticks(plot, false);
    put_ticks(plot, true);
    const graze_vec2 frame[4] = {{b->x, -b->y},
                                 {b->x + b->width, -b->y},
                                 {b->x + b->width, -(b->y + b->height)},
                                 {b->x, -(b->y + b->height)}};
    gz_svg_polygon(plot->page, frame, 4, "fill=\"none\" stroke=\"#6b7580\"");
    gz_plot_words(plot->page, b->x, b->y - 12, title, "fill=\"#222222\" font-weight=\"bold\"");
    gz_plot_words(plot->page, b->x + 0.5 * b->width, b->y + b->height + 38, across,
                  "fill=\"#222222\" text-anchor=\"middle\"");
    double x = b->x - 46, y = b->y + 0.5 * b->height;
    char style[128];
    snprintf(style, sizeof style,
             "fill=\"#222222\" text-anchor=\"middle\" transform=\"rotate(-90 %.2f %.2f)\"", x, y);
    gz_plot_words(plot->page, x, y, up, style);
}

void gz_plot_clip_begin(const gz_svg *page, gz_plot_box box, int number) {
    fprintf(page->stream,
            "<clipPath id=\"box%d\"><rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
            "height=\"%.2f\"/></clipPath>\n<g clip-path=\"url(#box%d)\">\n",
            number, box.x, box.y, box.width, box.height, number);
}

void gz_plot_clip_end(const gz_svg *page) {
    fputs("</g>\n", page->stream);
}

// ---------------------------------------------------------------------------------------- images

/// Base64 (RFC 4648).
static void put_base64(FILE *stream, const uint8_t *bytes, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        size_t n = size - i < 3 ? size - i : 3;
        uint32_t word = 0;
        for (size_t k = 0; k < 3; k++) word = word << 8 | (k < n ? bytes[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            fputc(k <= n ? digits[word >> (18 - 6 * k) & 63] : '=', stream);
    }
}

bool gz_plot_image(const gz_svg *page, gz_plot_box box, const gz_pixels *pixels) {
    char *bytes = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&bytes, &size);
    bool ok = memory && gz_pixels_write_png(pixels, memory);
    if (memory && fclose(memory) != 0) ok = false;
    if (ok) {
        fprintf(page->stream,
                "<image x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
                "image-rendering=\"pixelated\" preserveAspectRatio=\"none\" "
                "href=\"data:image/png;base64,",
                box.x, box.y, box.width, box.height);
        put_base64(page->stream, (const uint8_t *)bytes, size);
        fputs("\"/>\n", page->stream);
    }
    free(bytes);
    return ok;
}
