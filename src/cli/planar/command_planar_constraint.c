// graze planar constraint: a segment against a disk and against its circle, exact and smooth.

#include <math.h>
#include <stdio.h>

#include "cli/message.h"
#include "cli/planar/planar_input.h"
#include "cli/text.h"
#include "graze/planar_smooth.h"
#include "picture/svg.h"

#define RELATION_COUNT 4

typedef struct constraint_answer {
    gz_planar_report report;
    graze_vec2 a, b, center; ///< these, and the radius, as the options read them
    double radius, margin;
    graze_planar_smoothing smoothing;
    int relation; ///< graze_planar_relation that is asked for, or -1 for all
    graze_planar_segment_range ranges[2]; ///< exact, and smooth
    graze_planar_constraint cases[2][RELATION_COUNT];
} constraint_answer;

static const char command[] = "planar constraint";

/// In the order of graze_planar_relation.
static const char *const relation_names[RELATION_COUNT + 1] = {
    "clear-of-disk", "meets-disk", "clear-of-circle", "meets-circle", NULL};

static const gz_command_line command_line = {
    .command = command,
    .synopsis = "planar constraint --segment x,y,x,y --circle x,y,R [options]",
    .about =
        "Least and greatest distance of a segment's points from a circle's centre, and what that\n"
        "means for the disk and for the circle alone: four cases as numbers g <= 0, each exact\n"
        "and smooth, with the bound on what smoothing adds and gradients by the segment's ends.\n"
        "Exit status 1 where the case asked for does not hold.",
    .examples = "  graze planar constraint --segment -1.2,0.5,1.4,1.3 --circle 0,0,0.7\n",
};

static int parse(constraint_answer *o, int argc, char **argv) {
    gz_option question[] = {
        {"segment", "x,y,x,y", .numbers = &o->a.x, .number_count = 4, .required = true,
         .allowed = "four numbers, x,y,x,y", .help = "its first and its second end, metres"},
        {"circle", "x,y,R", .numbers = &o->center.x, .number_count = 3, .required = true,
         .allowed = "three numbers, x,y,R", .help = "centre and radius"},
        {"case", "CASE", .choice = &o->relation, .choices = relation_names,
         .help = "only this one, its verdict as exit status:\n"
                 "clear-of-disk, meets-disk, clear-of-circle, meets-circle"},
        {"margin", "M", .number = &o->margin,
         .help = "each case is to hold by so much, metres (default: 0)"},
        {"smoothing", "W,L", .numbers = &o->smoothing.saturation, .number_count = 2,
         .allowed = "two numbers, of the saturation and of lengths",
         .help = "widths: of the saturation, parts of the segment's\n"
                 "length, and of lengths, metres (default 0.1,0.01)"},
    };
    gz_option answer[] = {
        GZ_PLANAR_REPORT_OPTIONS(&o->report, "draw the segment, its distances and gradients")};
    gz_option_section sections[] = {GZ_SECTION("question", question), GZ_SECTION("answer", answer)};
    return gz_command_line_parse(&command_line, NULL, sections, GZ_COUNT(sections), argc, argv);
}

/// All cases, each exact and smooth.
static int evaluate(constraint_answer *q) {
    graze_error error;
    for (int k = 0; k < 2; k++) {
        const graze_planar_smoothing *smoothing = k ? &q->smoothing : NULL;
        for (int i = 0; i < RELATION_COUNT; i++)
            if (graze_planar_segment_constraint((graze_planar_relation)i, q->a, q->b, q->center,
                                                q->radius, q->margin, smoothing, &q->cases[k][i],
                                                &error) != GRAZE_OK)
                return gz_message_usage(command, "%s", error.message);
        graze_planar_segment_range_find(q->a, q->b, q->center, smoothing, &q->ranges[k], NULL);
    }
    return GZ_EXIT_FINE;
}

/// The end of the segment that is farther from the centre.
static graze_vec2 farthest_end(const constraint_answer *q) {
    double first = hypot(q->a.x - q->center.x, q->a.y - q->center.y);
    double second = hypot(q->b.x - q->center.x, q->b.y - q->center.y);
    return first >= second ? q->a : q->b;
}

/// The names of what makes a gradient doubtful.
static const struct flag_name {
    uint32_t flag;
    const char *name;
} flag_names[] = {{GRAZE_PLANAR_FLAG_CENTER, "center"},
                  {GRAZE_PLANAR_FLAG_TIE, "tie"},
                  {GRAZE_PLANAR_FLAG_BRANCH, "branch"},
                  {GRAZE_PLANAR_FLAG_COINCIDENT, "coincident"}};

/// A measure, for people as a row of a table.
static void put_measure(gz_json *json, const char *name, bool smooth,
                        const graze_planar_measure *m) {
    const double row[6] = {m->value, m->error, m->by_a.x, m->by_a.y, m->by_b.x, m->by_b.y};
    char text[GZ_DECIMAL_SIZE];
    if (json->plain) {
        fprintf(json->stream, "\n%-15s %-6s", name, smooth ? "smooth" : "exact");
        for (int i = 0; i < 6; i++)
            fprintf(json->stream, " %10s", gz_decimal_format_fixed(text, row[i], 6));
    } else {
        gz_json_put(json, "{ name=%s smooth=%i value=%g error=%g", name, smooth, m->value + 0.0,
                    m->error + 0.0);
        gz_planar_put_point(json, "by_first", m->by_a);
        gz_planar_put_point(json, "by_second", m->by_b);
        gz_planar_put_point(json, "by_center", m->by_center);
        gz_json_put(json, "by_radius=%g doubtful=[", m->by_radius + 0.0);
    }
    for (size_t k = 0; k < GZ_COUNT(flag_names); k++) {
        if ((m->flags & flag_names[k].flag) == 0) continue;
        if (json->plain)
            fprintf(json->stream, "  %s", flag_names[k].name);
        else
            gz_json_put(json, "%s", flag_names[k].name);
    }
    if (!json->plain) gz_json_put(json, "] }");
}

static void put_answer(gz_json *json, const void *answer) {
    const constraint_answer *q = answer;
    int first = q->relation < 0 ? 0 : q->relation;
    int last = q->relation < 0 ? RELATION_COUNT - 1 : q->relation;
    for (int i = first; i <= last; i++) {
        gz_json_key(json, relation_names[i]);
        gz_json_put(json, "%s",
                    q->cases[0][i].whole.value > 0    ? "no"
                    : q->cases[1][i].whole.value <= 0 ? "yes"
                                                      : "yes, but not by the smooth one");
    }
    gz_json_put(json, "t=%g s=%g smooth_s=%g s_error=%g", q->ranges[0].t + 0.0,
                q->ranges[0].s + 0.0, q->ranges[1].s + 0.0, 0.5 * q->smoothing.saturation);
    gz_planar_put_point(json, "nearest", q->ranges[0].nearest);
    gz_planar_put_point(json, "smooth_nearest", q->ranges[1].nearest);
    gz_planar_put_point(json, "farthest", farthest_end(q));
    if (json->plain)
        fprintf(json->stream, "\n\n%-22s %10s %10s %21s %21s  doubtful", "", "value", "error",
                "by the first end", "by the second end");
    else
        gz_json_put(json, "measures=[");
    for (int k = 0; k < 2; k++) put_measure(json, "least", k, &q->ranges[k].least);
    for (int k = 0; k < 2; k++) put_measure(json, "greatest", k, &q->ranges[k].greatest);
    for (int i = first; i <= last; i++)
        for (int k = 0; k < 2; k++) put_measure(json, relation_names[i], k, &q->cases[k][i].whole);
}

// ------------------------------------------------------------------------------------- the picture
//
// A segment, a disk, distances and gradients; beside them the saturation.

#define LEAST    "#1b7f79"
#define GREATEST "#7b3fa0"
#define SMOOTH   "#d2691e"
#define INK      GZ_PLANAR_INK
#define DISK     GZ_PLANAR_FIRST

#define EXACT_DOT    "fill=\"" LEAST "\" stroke=\"#ffffff\""
#define SMOOTH_DOT   "fill=\"none\" stroke=\"" SMOOTH "\" stroke-width=\"2\""
#define EXACT_CURVE  "fill=\"none\" stroke=\"" LEAST "\" stroke-width=\"2.2\""
#define SMOOTH_CURVE "fill=\"none\" stroke=\"" SMOOTH "\" stroke-width=\"2.2\""
#define BAND         "fill=\"" SMOOTH "\" fill-opacity=\"0.12\""

static const double arrow_pixels = 70;

#define DASHED "\" stroke-width=\"2\" stroke-dasharray=\"6 4\""

/// The two distances.
static const struct distance_style {
    const char *name, *words, *line, *color;
} distances[2] = {{"d", "least distance d", "stroke=\"" LEAST DASHED, LEAST},
                  {"D", "greatest distance D", "stroke=\"" GREATEST DASHED, GREATEST}};

/// An end of the segment with the gradients there, as long as they are.
static void put_end(const gz_svg *svg, const constraint_answer *q, bool first) {
    graze_vec2 p = first ? q->a : q->b, other = first ? q->b : q->a;
    graze_vec2 taken[4] = {gz_planar_minus(other, p), gz_planar_minus(q->center, p)};
    for (int i = 0; i < 2; i++) {
        const graze_planar_measure *m = i ? &q->ranges[0].greatest : &q->ranges[0].least;
        taken[2 + i] = first ? m->by_a : m->by_b;
        gz_plot_arrow(svg, p, gz_planar_along(p, arrow_pixels / svg->scale, taken[2 + i]),
                      distances[i].color);
    }
    gz_svg_dot(svg, p, 5, "fill=\"" INK "\"");
    gz_plot_label(svg, p, 15, taken, 4, first ? "first end" : "second end", INK);
}

static void put_scene(const gz_svg *page, const constraint_answer *q) {
    const graze_vec2 c = q->center, rim = {q->radius, q->radius};
    const graze_vec2 ends[2] = {q->ranges[0].nearest, farthest_end(q)};
    graze_planar_bounds box = {q->a, q->a};
    gz_planar_box_add(&box, q->b);
    gz_planar_box_add(&box, gz_planar_minus(c, rim));
    gz_planar_box_add(&box, gz_planar_along(c, 1, rim));
    gz_svg svg = gz_plot_panel(page, (gz_plot_box){96, 126, 388, 268}, box.min, box.max);
    graze_vec2 taken[3] = {gz_planar_minus(ends[0], c), gz_planar_minus(ends[1], c)};
    graze_vec2 away = gz_plot_free_side(taken, 2);
    char text[64], number[GZ_DECIMAL_SIZE];
    snprintf(text, sizeof text, "R %s", gz_decimal_format_fixed(number, q->radius, 3));
    gz_svg_disk(&svg, c, q->radius, "fill=\"#e6edf5\" stroke=\"" DISK "\" stroke-width=\"1.8\"");
    gz_svg_line(&svg, c, gz_planar_along(c, q->radius, away),
                "stroke=\"" DISK "\" stroke-width=\"1.2\"");
    gz_plot_label(&svg, gz_planar_along(c, 0.5 * q->radius, away), 10, &away, 1, text, DISK);
    gz_svg_line(&svg, q->a, q->b, "stroke=\"" INK "\" stroke-width=\"4\" stroke-linecap=\"round\"");
    for (int i = 0; i < 2; i++) {
        double length = i ? q->ranges[0].greatest.value : q->ranges[0].least.value;
        snprintf(text, sizeof text, "%s %s", distances[i].name,
                 gz_decimal_format_fixed(number, length, 3));
        gz_svg_line(&svg, c, ends[i], distances[i].line);
        taken[2] = gz_planar_minus(c, ends[i]);
        gz_plot_label(&svg, gz_planar_along(c, 0.45, taken[i]), 12, taken, 3, text,
                      distances[i].color);
    }
    put_end(&svg, q, true);
    put_end(&svg, q, false);
    gz_svg_dot(&svg, ends[0], 5, EXACT_DOT);
    gz_svg_dot(&svg, q->ranges[1].nearest, 6.5, SMOOTH_DOT);
    gz_svg_dot(&svg, c, 4, "fill=\"" DISK "\"");
}

static void put_legend(const gz_svg *page) {
    gz_legend lines = {page, 24, 483}, dots = {page, 212, 483};
    gz_legend_dot(&dots, EXACT_DOT, "nearest");
    gz_legend_dot(&dots, SMOOTH_DOT, "nearest, smooth");
    for (int i = 0; i < 2; i++) {
        double y = 490 + GZ_LEGEND_ROW * i;
        gz_legend_line(&lines, distances[i].line, distances[i].words);
        gz_plot_arrow(page, (graze_vec2){376, -y}, (graze_vec2){376 + arrow_pixels, -y},
                      distances[i].color);
        gz_plot_words(page, 384 + arrow_pixels, y + 5,
                      i ? "gradient of D; length 1" : "gradient of d; length 1",
                      "fill=\"" INK "\"");
    }
}

enum { CHART_POINTS = 161 };

static void put_chart(const gz_svg *page, const constraint_answer *q) {
    graze_vec2 exact[CHART_POINTS], smooth[CHART_POINTS], band[2 * CHART_POINTS];
    const double width = q->smoothing.saturation, t = q->ranges[0].t;
    // The centre's foot is shown where that leaves the rest readable.
    gz_plot plot = {page,
                    {640, 60, 330, 330},
                    {fmin(-0.5, fmax(t, -2.5) - 0.2), -0.2},
                    {fmax(1.5, fmin(t, 3.5) + 0.2), 1.2}};
    gz_plot_axes(&plot, "Saturation along the segment",
                 "t, the foot on the line (0: first end, 1: second end)",
                 "s, the place on the segment");
    for (int i = 0; i < CHART_POINTS; i++) {
        double x = plot.min.x + i * (plot.max.x - plot.min.x) / (CHART_POINTS - 1);
        double s = graze_planar_saturation(x, 0).value;
        exact[i] = gz_plot_at(&plot, x, s);
        smooth[i] = gz_plot_at(&plot, x, graze_planar_saturation(x, width).value);
        band[i] = gz_plot_at(&plot, x, s + 0.5 * width);
        band[2 * CHART_POINTS - 1 - i] = gz_plot_at(&plot, x, s - 0.5 * width);
    }
    gz_plot_clip_begin(page, plot.box, 1);
    gz_svg_polygon(page, band, 2 * (size_t)CHART_POINTS, BAND);
    gz_svg_polyline(page, exact, CHART_POINTS, EXACT_CURVE);
    gz_svg_polyline(page, smooth, CHART_POINTS, SMOOTH_CURVE);
    gz_svg_dot(page, gz_plot_at(&plot, t, q->ranges[0].s), 5, EXACT_DOT);
    gz_svg_dot(page, gz_plot_at(&plot, t, q->ranges[1].s), 6.5, SMOOTH_DOT);
    gz_plot_clip_end(page);
    gz_legend lines[3] = {{page, 640, 445}, {page, 736, 445}, {page, 846, 445}};
    gz_legend_line(&lines[0], EXACT_CURVE, "exact");
    gz_legend_line(&lines[1], SMOOTH_CURVE, "smooth");
    gz_legend_patch(&lines[2], BAND, "its bound");
}

static int draw(FILE *stream, const void *answer) {
    gz_svg page = gz_plot_page(stream, 1000, 536);
    gz_plot_words(&page, 24, 48, "Segment, disk and circle",
                  "fill=\"" INK "\" font-weight=\"bold\"");
    put_scene(&page, answer);
    put_legend(&page);
    put_chart(&page, answer);
    gz_svg_end(&page);
    return GZ_EXIT_FINE;
}

int gz_planar_constraint(int argc, char **argv) {
    constraint_answer q = {.relation = -1, .smoothing = {0.1, 0.01}};
    int status = parse(&q, argc, argv);
    if (status != GZ_GO_ON) return status;
    GZ_TRY_EXIT(gz_planar_report_check(&q.report, command, NULL));
    GZ_TRY_EXIT(evaluate(&q));
    GZ_TRY_EXIT(
        gz_planar_report_write(&q.report, "graze-planar-constraint-2", put_answer, draw, &q));
    bool holds = q.relation < 0 || q.cases[0][q.relation].whole.value <= 0;
    return holds ? GZ_EXIT_FINE : GZ_EXIT_FINDING;
}
