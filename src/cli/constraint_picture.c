// A segment, a disk, distances and gradients; beside them the saturation and the four cases.
#include <math.h>
#include <stdio.h>

#include "cli/output.h"
#include "cli/planar_constraint.h"
#include "cli/text.h"
#include "picture/svg.h"

#define LEAST    "#1b7f79"
#define GREATEST "#7b3fa0"
#define SMOOTH   "#d2691e"
#define INK      "#222222"

static const gz_plot_box panel_box = {20, 50, 540, 420}, chart_box = {640, 60, 330, 250};
static const double arrow_pixels = 70;

static graze_vec2 minus(graze_vec2 a, graze_vec2 b) {
    return (graze_vec2){a.x - b.x, a.y - b.y};
}

static graze_vec2 middle(graze_vec2 a, graze_vec2 b) {
    return (graze_vec2){0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
}

/// An arrow along a gradient from p; its length is that of the gradient.
static graze_vec2 put_gradient(const gz_svg *svg, graze_vec2 p, graze_vec2 gradient,
                               const char *color) {
    double unit = arrow_pixels / svg->scale;
    gz_plot_arrow(svg, p, (graze_vec2){p.x + unit * gradient.x, p.y + unit * gradient.y}, color);
    return gradient;
}

/// The gradients to draw: of the case that is asked for, or of both distances.
static size_t gradients(const gz_constraint_answer *q, const graze_planar_measure *measures[2],
                        const char *colors[2]) {
    if (q->relation >= 0) {
        measures[0] = &q->exact_case[q->relation].whole;
        colors[0] = SMOOTH;
        return 1;
    }
    measures[0] = &q->exact.least;
    measures[1] = &q->exact.greatest;
    colors[0] = LEAST;
    colors[1] = GREATEST;
    return 2;
}

/// The other distance's direction, and what else leaves the end.
static void put_distance(const gz_svg *svg, graze_vec2 from, graze_vec2 to, const char *text,
                         graze_vec2 other, const graze_vec2 *taken, size_t count,
                         const char *color) {
    char style[96];
    snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"6 4\"",
             color);
    gz_svg_line(svg, from, to, style);
    // Along the line where it has room for words, else about its end.
    graze_vec2 way = minus(to, from), back = minus(from, to);
    if (hypot(way.x, way.y) * svg->scale >= 80) {
        const graze_vec2 both[3] = {way, back, other};
        graze_vec2 at = {0.55 * from.x + 0.45 * to.x, 0.55 * from.y + 0.45 * to.y};
        gz_plot_label(svg, at, 12, both, 3, text, color);
    } else {
        gz_plot_label(svg, to, 14, taken, count, text, color);
    }
}

static void put_end(const gz_svg *svg, const gz_constraint_answer *q, bool first) {
    graze_vec2 p = first ? q->a : q->b, other = first ? q->b : q->a;
    const graze_planar_measure *measures[2];
    const char *colors[2];
    graze_vec2 taken[4] = {minus(other, p), minus(q->center, p)};
    size_t count = gradients(q, measures, colors);
    for (size_t i = 0; i < count; i++) {
        taken[2 + i] = put_gradient(svg, p, first ? measures[i]->by_a : measures[i]->by_b,
                                    colors[i]);
    }
    gz_svg_dot(svg, p, 5, "fill=\"" INK "\"");
    bool together = hypot(other.x - p.x, other.y - p.y) * svg->scale < 20;
    if (together && !first) return;
    const char *name = together ? "both ends" : first ? "first end" : "second end";
    gz_plot_label(svg, p, 15, taken, 2 + count, name, INK);
}

/// The disk with its radius, drawn away from the other lines. Returns the radius' direction.
static graze_vec2 put_disk(const gz_svg *svg, const gz_constraint_answer *q,
                           const graze_vec2 *taken, size_t count) {
    graze_vec2 c = q->center, away = gz_plot_free_side(taken, count);
    graze_vec2 rim = {c.x + q->radius * away.x, c.y + q->radius * away.y};
    gz_svg_disk(svg, c, q->radius, "fill=\"#e6edf5\" stroke=\"#2b5f9e\" stroke-width=\"1.8\"");
    gz_svg_line(svg, c, rim, "stroke=\"#2b5f9e\" stroke-width=\"1.2\"");
    char text[64], number[GZ_DECIMAL_SIZE];
    snprintf(text, sizeof text, "R %s", gz_decimal_format_fixed(number, q->radius, 3));
    const graze_vec2 along[3] = {away, {-away.x, -away.y}, taken[0]};
    gz_plot_label(svg, middle(c, rim), 10, along, 3, text, "#2b5f9e");
    return away;
}

static void put_scene(const gz_svg *svg, const gz_constraint_answer *q) {
    graze_vec2 far = gz_constraint_farthest(q), near = q->exact.nearest, c = q->center;
    char least[64], greatest[64], number[GZ_DECIMAL_SIZE];
    snprintf(least, sizeof least, "d %s", gz_decimal_format_fixed(number, q->exact.least.value, 3));
    snprintf(greatest, sizeof greatest, "D %s",
             gz_decimal_format_fixed(number, q->exact.greatest.value, 3));
    // What leaves the centre: both distances, and the segment where it is near.
    const graze_vec2 taken[4] = {minus(far, c), minus(near, c), minus(q->b, q->a),
                                 minus(q->a, q->b)};
    size_t count = hypot(taken[1].x, taken[1].y) * svg->scale < 80 ? 4 : 2;
    graze_vec2 radius = put_disk(svg, q, taken, count);
    gz_svg_line(svg, q->a, q->b, "stroke=\"" INK "\" stroke-width=\"4\" stroke-linecap=\"round\"");
    put_distance(svg, c, far, greatest, taken[1], taken, count, GREATEST);
    // About the nearest point: the segment, the way back, and, where it is the centre, the radius.
    const graze_vec2 about[4] = {minus(c, near), minus(q->b, q->a), minus(q->a, q->b), radius};
    size_t lines = hypot(about[0].x, about[0].y) * svg->scale < 8 ? 4 : 3;
    put_distance(svg, c, near, least, taken[0], about, lines, LEAST);
    put_end(svg, q, true);
    put_end(svg, q, false);
    gz_svg_dot(svg, near, 5, "fill=\"" LEAST "\" stroke=\"#ffffff\"");
    gz_svg_dot(svg, q->smooth.nearest, 6.5,
               "fill=\"none\" stroke=\"" SMOOTH "\" stroke-width=\"2\"");
    gz_svg_dot(svg, c, 4, "fill=\"#2b5f9e\"");
}

static void put_left(const gz_svg *page, const gz_constraint_answer *q) {
    graze_vec2 min = {fmin(fmin(q->a.x, q->b.x), q->center.x - q->radius),
                      fmin(fmin(q->a.y, q->b.y), q->center.y - q->radius)};
    graze_vec2 max = {fmax(fmax(q->a.x, q->b.x), q->center.x + q->radius),
                      fmax(fmax(q->a.y, q->b.y), q->center.y + q->radius)};
    gz_plot_box inner = {panel_box.x + 76, panel_box.y + 76, panel_box.width - 152,
                         panel_box.height - 152};
    gz_svg svg = gz_plot_panel(page, inner, min, max);
    put_scene(&svg, q);
    gz_plot_words(page, 24, 48, "Segment, disk and circle",
                  "fill=\"" INK "\" font-weight=\"bold\"");
}

// ---------------------------------------------------------------------------------------- legend

static void put_key(const gz_svg *page, double x, double y, const char *style, const char *text) {
    gz_svg_line(page, (graze_vec2){x, -y}, (graze_vec2){x + 30, -y}, style);
    gz_plot_words(page, x + 38, y + 4.5, text, "fill=\"" INK "\"");
}

static void put_legend(const gz_svg *page, const gz_constraint_answer *q) {
    put_key(page, 24, 490, "stroke=\"" LEAST "\" stroke-width=\"2\" stroke-dasharray=\"6 4\"",
            "least distance d");
    put_key(page, 24, 514, "stroke=\"" GREATEST "\" stroke-width=\"2\" stroke-dasharray=\"6 4\"",
            "greatest distance D");
    gz_svg_dot(page, (graze_vec2){240, -490}, 5, "fill=\"" LEAST "\"");
    gz_plot_words(page, 256, 494.5, "nearest", "fill=\"" INK "\"");
    gz_svg_dot(page, (graze_vec2){240, -514}, 6.5,
               "fill=\"none\" stroke=\"" SMOOTH "\" stroke-width=\"2\"");
    gz_plot_words(page, 256, 518.5, "nearest, smooth", "fill=\"" INK "\"");
    const graze_planar_measure *measures[2];
    const char *colors[2];
    size_t count = gradients(q, measures, colors);
    for (size_t i = 0; i < count; i++) {
        double y = 490 + 24 * (double)i;
        gz_plot_arrow(page, (graze_vec2){376, -y}, (graze_vec2){376 + arrow_pixels, -y}, colors[i]);
        char text[64];
        snprintf(text, sizeof text, "gradient of %s; length 1",
                 q->relation >= 0 ? "g"
                 : i == 0         ? "d"
                                  : "D");
        gz_plot_words(page, 384 + arrow_pixels, y + 4.5, text, "fill=\"" INK "\"");
    }
}

// ----------------------------------------------------------------------------------------- chart

#define CHART_POINTS 161

static void put_curves(const gz_plot *plot, double width) {
    graze_vec2 exact[CHART_POINTS], smooth[CHART_POINTS], band[2 * CHART_POINTS];
    for (int i = 0; i < CHART_POINTS; i++) {
        double part = (double)i / (CHART_POINTS - 1);
        double t = plot->min.x + part * (plot->max.x - plot->min.x);
        double s = graze_planar_saturation(t, 0).value;
        exact[i] = gz_plot_at(plot, t, s);
        smooth[i] = gz_plot_at(plot, t, graze_planar_saturation(t, width).value);
        band[i] = gz_plot_at(plot, t, s + 0.5 * width);
        band[2 * CHART_POINTS - 1 - i] = gz_plot_at(plot, t, s - 0.5 * width);
    }
    gz_plot_clip_begin(plot->page, plot->box, 1);
    gz_svg_polygon(plot->page, band, 2 * (size_t)CHART_POINTS,
                   "fill=\"" SMOOTH "\" fill-opacity=\"0.12\"");
    gz_svg_polyline(plot->page, exact, CHART_POINTS,
                    "fill=\"none\" stroke=\"" LEAST "\" stroke-width=\"2.2\"");
    gz_svg_polyline(plot->page, smooth, CHART_POINTS,
                    "fill=\"none\" stroke=\"" SMOOTH "\" stroke-width=\"2.2\"");
    gz_plot_clip_end(plot->page);
}

static void put_chart(const gz_svg *page, const gz_constraint_answer *q) {
    double t = q->exact.t;
    gz_plot plot = {.page = page, .box = chart_box, .min = {-0.5, -0.2}, .max = {1.5, 1.2}};
    // The centre's foot is shown where that leaves the rest readable.
    bool shown = t >= -2.5 && t <= 3.5;
    if (shown) {
        plot.min.x = fmin(plot.min.x, t - 0.2);
        plot.max.x = fmax(plot.max.x, t + 0.2);
    }
    gz_plot_axes(&plot, "Saturation along the segment",
                 "t, the foot on the line (0: first end, 1: second end)",
                 "s, the place on the segment");
    put_curves(&plot, q->smoothing.saturation);
    if (shown) {
        gz_svg_line(page, gz_plot_at(&plot, t, plot.min.y), gz_plot_at(&plot, t, plot.max.y),
                    "stroke=\"#6b7580\" stroke-dasharray=\"3 4\"");
        gz_svg_dot(page, gz_plot_at(&plot, t, q->exact.s), 5,
                   "fill=\"" LEAST "\" stroke=\"#ffffff\"");
        gz_svg_dot(page, gz_plot_at(&plot, t, q->smooth.s), 6.5,
                   "fill=\"none\" stroke=\"" SMOOTH "\" stroke-width=\"2\"");
    }
    double y = chart_box.y + chart_box.height + 62;
    put_key(page, chart_box.x, y, "stroke=\"" LEAST "\" stroke-width=\"2.2\"", "exact");
    put_key(page, chart_box.x + 96, y, "stroke=\"" SMOOTH "\" stroke-width=\"2.2\"", "smooth");
    put_key(page, chart_box.x + 206, y,
            "stroke=\"" SMOOTH "\" stroke-width=\"10\" stroke-opacity=\"0.18\"", "its bound");
}

// ----------------------------------------------------------------------------------------- cases

static void put_cases(const gz_svg *page, const gz_constraint_answer *q) {
    static const char *const titles[] = {"g <= 0", "exact", "smooth"};
    const double columns[] = {chart_box.x + 18, chart_box.x + 200, chart_box.x + 280};
    char style[96], number[GZ_DECIMAL_SIZE];
    for (int k = 0; k < 3; k++) {
        snprintf(style, sizeof style, "fill=\"" INK "\" font-weight=\"bold\" text-anchor=\"%s\"",
                 k == 0 ? "start" : "end");
        gz_plot_words(page, columns[k], 414, titles[k], style);
    }
    gz_plot_words(page, chart_box.x + 294, 414, "holds", "fill=\"" INK "\" font-weight=\"bold\"");
    for (int i = 0; i < GZ_RELATION_COUNT; i++) {
        double y = 438 + 23 * i;
        bool asked = i == q->relation;
        const double values[2] = {q->exact_case[i].whole.value, q->smooth_case[i].whole.value};
        gz_svg_dot(page, (graze_vec2){columns[0] - 12, -(y - 4.5)}, 5,
                   values[0] <= 0 ? "fill=\"#3f7d33\"" : "fill=\"#b4451b\"");
        snprintf(style, sizeof style, "fill=\"" INK "\"%s", asked ? " font-weight=\"bold\"" : "");
        gz_plot_words(page, columns[0], y, gz_relation_names[i], style);
        for (int k = 0; k < 2; k++) {
            snprintf(style, sizeof style, "fill=\"%s\" text-anchor=\"end\"%s",
                     values[k] <= 0 ? "#3f7d33" : "#b4451b", asked ? " font-weight=\"bold\"" : "");
            gz_plot_words(page, columns[k + 1], y, gz_decimal_format_fixed(number, values[k], 3),
                          style);
        }
        snprintf(style, sizeof style, "fill=\"%s\"", values[0] <= 0 ? "#3f7d33" : "#b4451b");
        gz_plot_words(page, chart_box.x + 294, y, values[0] <= 0 ? "yes" : "no", style);
    }
}

int gz_constraint_draw(const gz_constraint_answer *q, const char *path) {
    gz_output output;
    int status = gz_output_open(&output, path);
    if (status != 0) return status;
    gz_svg page = gz_plot_page(output.stream, 1000, 536);
    put_left(&page, q);
    put_legend(&page, q);
    put_chart(&page, q);
    put_cases(&page, q);
    gz_svg_end(&page);
    return gz_output_finish(&output);
}
