#include "cli/motion/clearance_picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "cli/message.h"
#include "cli/text.h"
#include "picture/svg.h"

#define INK   "fill=\"#22262c\""
#define BAND  "fill=\"#8fb4dc\" stroke=\"#2b5f9e\" stroke-width=\"1.4\" stroke-linejoin=\"round\""
#define LEAST "fill=\"#c83e2e\" stroke=\"#ffffff\" stroke-width=\"1.5\""
#define HIT   "fill=\"#c83e2e\" fill-opacity=\"0.25\" stroke=\"#c83e2e\""

static const gz_plot_box box = {76, 44, GZ_CLEARANCE_COLUMNS, 340};
enum { WIDTH = 836, HEIGHT = 524, LEGEND_TOP = 440, NAME_MAX = 40 };

static uint64_t column_count(const gz_clearance_picture *p) {
    return p->samples < GZ_CLEARANCE_COLUMNS ? p->samples : GZ_CLEARANCE_COLUMNS;
}

void gz_clearance_picture_add(gz_clearance_picture *p, uint64_t index, double time,
                              const graze_interval *bounds) {
    uint64_t count = column_count(p), at = index * count / p->samples;
    struct gz_clearance_column *c = &p->columns[at];
    bool first = index == 0 || (index - 1) * count / p->samples != at;
    if (first) *c = (struct gz_clearance_column){time, INFINITY, 0};
    // The last column ends at the last time.
    if (index + 1 == p->samples) c->time = time;
    c->lower = fmin(c->lower, bounds->lower);
    c->upper = fmax(c->upper, bounds->upper);
}

// --------------------------------------------------------------------------------------- drawing

/// Axes: from no distance to the greatest bound. Times far from 0 count from the begin.
static gz_plot plot_of(const gz_clearance_picture *p, const gz_svg *page, double *origin) {
    double most = 0, span = p->end - p->begin;
    for (uint64_t i = 0; i < column_count(p); i++)
        if (isfinite(p->columns[i].upper)) most = fmax(most, p->columns[i].upper);
    *origin = fabs(p->begin) > 1000 * span ? p->begin : 0;
    return (gz_plot){.page = page,
                     .box = box,
                     .min = {p->begin - *origin, 0},
                     .max = {p->end - *origin, most > 0 ? 1.05 * most : 1}};
}

/// The area between both bounds: along the lower one, and back along the upper one.
static void draw_band(const gz_clearance_picture *p, const gz_plot *plot, double origin) {
    graze_vec2 points[2 * GZ_CLEARANCE_COLUMNS];
    size_t count = (size_t)column_count(p);
    for (size_t i = 0; i < count; i++) {
        const struct gz_clearance_column *c = &p->columns[i];
        if (!isfinite(c->upper)) return; // no pair is checked
        points[i] = gz_plot_at(plot, c->time - origin, c->lower);
        points[2 * count - 1 - i] = gz_plot_at(plot, c->time - origin, c->upper);
    }
    gz_svg_polygon(plot->page, points, 2 * count, BAND);
}

/// Where a collision is, or what is undecided: all of the plot's height.
static void draw_verdict(const gz_clearance_picture *p, const gz_plot *plot, double origin,
                         gz_legend *legend) {
    char text[160], numbers[2][GZ_DECIMAL_SIZE];
    if (p->verdict == GRAZE_MOTION_FREE) {
        gz_legend_patch(legend, NULL, "proved free at every time, between these too");
        return;
    }
    const double ends[2] = {p->earliest, p->latest};
    graze_vec2 at[2];
    for (int k = 0; k < 2; k++) at[k] = gz_plot_at(plot, ends[k] - origin, 0);
    const graze_vec2 area[4] = {at[0], at[1], {at[1].x, -box.y}, {at[0].x, -box.y}};
    gz_svg_polygon(plot->page, area, 4, HIT);
    snprintf(text, sizeof text, "%s in [%s, %s] s; proved free before",
             p->verdict == GRAZE_MOTION_HIT ? "collision" : "undecided",
             gz_decimal_format_fixed(numbers[0], ends[0], 6),
             gz_decimal_format_fixed(numbers[1], ends[1], 6));
    gz_legend_patch(legend, HIT, text);
}

static void draw_least(const gz_clearance_picture *p, const gz_plot *plot, double origin,
                       gz_legend *legend) {
    char text[256], names[2][NAME_MAX + 4], numbers[3][GZ_DECIMAL_SIZE];
    if (!p->link) {
        gz_legend_patch(legend, NULL, "no pair is checked");
        return;
    }
    gz_svg_dot(plot->page, gz_plot_at(plot, p->least_time - origin, p->least_upper), 4.5, LEAST);
    const char *given[2] = {p->link, p->other};
    for (int k = 0; k < 2; k++) {
        bool longer = snprintf(names[k], NAME_MAX + 1, "%s", GZ_PLAIN(given[k])) > NAME_MAX;
        if (longer) snprintf(names[k] + NAME_MAX - 3, 4, "...");
    }
    snprintf(text, sizeof text, "least: %s to %s m at %s s, %s and %s",
             gz_decimal_format_fixed(numbers[0], p->least_lower, 9),
             gz_decimal_format_fixed(numbers[1], p->least_upper, 9),
             gz_decimal_format_fixed(numbers[2], p->least_time, 6), names[0], names[1]);
    gz_legend_dot(legend, LEAST, text);
}

void gz_clearance_picture_write(const gz_clearance_picture *p, const char *title, FILE *stream) {
    double origin;
    char text[128], number[GZ_DECIMAL_SIZE];
    gz_svg page = gz_plot_page(stream, WIDTH, HEIGHT);
    gz_plot plot = plot_of(p, &page, &origin);
    gz_legend legend = {&page, box.x, LEGEND_TOP};
    snprintf(text, sizeof text, "time - %s s [s]", gz_decimal_format(number, origin));
    gz_plot_axes(&plot, GZ_PLAIN(title), origin != 0 ? text : "time [s]", "least distance [m]");
    snprintf(text, sizeof text, "lower to upper bound at %" PRIu64 " times, joined by lines",
             p->samples);
    gz_legend_patch(&legend, BAND, text);
    draw_band(p, &plot, origin);
    draw_verdict(p, &plot, origin, &legend);
    draw_least(p, &plot, origin, &legend);
    gz_svg_end(&page);
}
