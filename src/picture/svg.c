#include "picture/svg.h"

#include <math.h>

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
        gz_svg_disk(svg, (graze_vec2){shape->x[0], shape->y[0]}, shape->radius, style);
        return;
    }
    fputs("<path d=\"", svg->stream);
    for (int32_t i = 0; i < shape->count; i++) {
        // Each side is moved outward by the radius; an arc joins it to the one before.
        int32_t next = i + 1 < shape->count ? i + 1 : 0;
        double ex = shape->x[next] - shape->x[i], ey = shape->y[next] - shape->y[i];
        double length = hypot(ex, ey);
        double ox = shape->radius * ey / length, oy = -shape->radius * ex / length;
        double r = shape->radius * svg->scale;
        if (i == 0) {
            fprintf(svg->stream, "M%.2f,%.2f", across(svg, shape->x[i] + ox),
                    down(svg, shape->y[i] + oy));
        } else {
            fprintf(svg->stream, " A%.2f,%.2f 0 0 0 %.2f,%.2f", r, r, across(svg, shape->x[i] + ox),
                    down(svg, shape->y[i] + oy));
        }
        fprintf(svg->stream, " L%.2f,%.2f", across(svg, shape->x[next] + ox),
                down(svg, shape->y[next] + oy));
        if (next == 0) {
            double fx = shape->x[1] - shape->x[0], fy = shape->y[1] - shape->y[0];
            double first = hypot(fx, fy);
            fprintf(svg->stream, " A%.2f,%.2f 0 0 0 %.2f,%.2f Z", r, r,
                    across(svg, shape->x[0] + shape->radius * fy / first),
                    down(svg, shape->y[0] - shape->radius * fx / first));
        }
    }
    fprintf(svg->stream, "\" %s/>\n", style);
}

/// Markup in words is taken as words.
static void put_escaped(FILE *stream, const char *text) {
    for (; *text != '\0'; text++) {
        if (*text == '&') {
            fputs("&amp;", stream);
        } else if (*text == '<') {
            fputs("&lt;", stream);
        } else if (*text == '>') {
            fputs("&gt;", stream);
        } else {
            fputc(*text, stream);
        }
    }
}

void gz_svg_text(const gz_svg *svg, graze_vec2 at, double dx, double dy, const char *text,
                 const char *style) {
    fprintf(svg->stream, "<text x=\"%.2f\" y=\"%.2f\" %s>", across(svg, at.x) + dx,
            down(svg, at.y) - dy, style);
    put_escaped(svg->stream, text);
    fputs("</text>\n", svg->stream);
}
