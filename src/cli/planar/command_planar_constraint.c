// graze planar constraint: a segment against a disk and against its circle, exact and smooth.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/message.h"
#include "cli/output.h"
#include "cli/planar/planar_input.h"
#include "cli/text.h"
#include "graze/planar_smooth.h"
#include "picture/svg.h"

#define RELATION_COUNT 4

typedef struct constraint_answer {
    const char *segment, *circle, *widths; ///< as given
    gz_planar_report report;
    graze_vec2 a, b, center;
    double radius, margin;
    graze_planar_smoothing smoothing;
    int relation; ///< graze_planar_relation that is asked for, or -1 for all
    graze_planar_segment_range exact, smooth;
    graze_planar_constraint exact_case[RELATION_COUNT], smooth_case[RELATION_COUNT];
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
        {"segment", "x,y,x,y", .text = &o->segment, .help = "its first and its second end, metres"},
        {"circle", "x,y,R", .text = &o->circle, .help = "centre and radius"},
        {"case", "CASE", .choice = &o->relation, .choices = relation_names,
         .help = "only this one, its verdict as exit status:\n"
                 "clear-of-disk, meets-disk, clear-of-circle, meets-circle"},
        {"margin", "M", .number = &o->margin,
         .help = "each case is to hold by so much, metres (default: 0)"},
        {"smoothing", "W,L", .text = &o->widths,
         .help = "widths: of the saturation, parts of the segment's\n"
                 "length, and of lengths, metres (default 0.1,0.01)"},
    };
    gz_option answer[] = {
        GZ_PLANAR_REPORT_OPTIONS(&o->report, "draw the segment, its distances and gradients")};
    gz_option_section sections[] = {GZ_SECTION("question", question), GZ_SECTION("answer", answer)};
    return gz_command_line_parse(&command_line, NULL, sections, GZ_COUNT(sections), argc, argv);
}

static int read_input(constraint_answer *q) {
    double ends[4], circle[3], widths[2] = {0.1, 0.01};
    if (q->segment == NULL || q->circle == NULL)
        return gz_message_usage(command, "--%s is missing", q->segment ? "circle" : "segment");
    GZ_TRY_EXIT(gz_planar_numbers_exactly(command, "segment", q->segment, ends, 4,
                                          "four numbers, x,y,x,y"));
    GZ_TRY_EXIT(
        gz_planar_numbers_exactly(command, "circle", q->circle, circle, 3, "three numbers, x,y,R"));
    GZ_TRY_EXIT(gz_planar_numbers_exactly(command, "smoothing", q->widths, widths, 2,
                                          "two numbers, of the saturation and of lengths"));
    q->a = (graze_vec2){ends[0], ends[1]};
    q->b = (graze_vec2){ends[2], ends[3]};
    q->center = (graze_vec2){circle[0], circle[1]};
    q->radius = circle[2];
    q->smoothing = (graze_planar_smoothing){widths[0], widths[1]};
    return gz_planar_report_check(&q->report, command, NULL);
}

/// All cases, each exact and smooth.
static int evaluate(constraint_answer *q) {
    graze_error error;
    for (int k = 0; k < 2; k++) {
        const graze_planar_smoothing *smoothing = k == 0 ? &q->smoothing : NULL;
        graze_planar_constraint *cases = k == 0 ? q->smooth_case : q->exact_case;
        for (int i = 0; i < RELATION_COUNT; i++)
            if (graze_planar_segment_constraint((graze_planar_relation)i, q->a, q->b, q->center,
                                                q->radius, q->margin, smoothing, &cases[i],
                                                &error) != GRAZE_OK)
                return gz_message_usage(command, "%s", error.message);
        graze_planar_segment_range_find(q->a, q->b, q->center, smoothing,
                                        k == 0 ? &q->smooth : &q->exact, NULL);
    }
    return GZ_EXIT_FINE;
}

/// The end of the segment that is farther from the centre.
static graze_vec2 farthest_end(const constraint_answer *q) {
    double first = hypot(q->a.x - q->center.x, q->a.y - q->center.y);
    double second = hypot(q->b.x - q->center.x, q->b.y - q->center.y);
    return first >= second ? q->a : q->b;
}

/// Whether a case is to be answered.
static bool wanted(const constraint_answer *q, int relation) {
    return q->relation < 0 || q->relation == relation;
}

/// The names of what makes a gradient doubtful.
static const struct flag_name {
    uint32_t flag;
    const char *name;
} flag_names[] = {{GRAZE_PLANAR_FLAG_CENTER, "center"},
                  {GRAZE_PLANAR_FLAG_TIE, "tie"},
                  {GRAZE_PLANAR_FLAG_BRANCH, "branch"},
                  {GRAZE_PLANAR_FLAG_COINCIDENT, "coincident"}};
#define FLAG_COUNT (sizeof flag_names / sizeof *flag_names)

// ------------------------------------------------------------------------------------------ text

static void put_row(FILE *stream, const char *name, const char *kind,
                    const graze_planar_measure *m) {
    char t[6][GZ_DECIMAL_SIZE];
    const double numbers[6] = {m->value, m->error, m->by_a.x, m->by_a.y, m->by_b.x, m->by_b.y};
    for (int i = 0; i < 6; i++) gz_decimal_format_fixed(t[i], numbers[i], 6);
    fprintf(stream, "%-15s %-6s %10s %10s  (%9s, %9s)  (%9s, %9s)", name, kind, t[0], t[1], t[2],
            t[3], t[4], t[5]);
    for (size_t k = 0; k < FLAG_COUNT; k++)
        if ((m->flags & flag_names[k].flag) != 0) fprintf(stream, "  %s", flag_names[k].name);
    fputc('\n', stream);
}

static void put_measure(FILE *stream, const char *name, const graze_planar_measure *exact,
                        const graze_planar_measure *smooth) {
    put_row(stream, name, "exact", exact);
    put_row(stream, "", "smooth", smooth);
}

static void write_text(gz_planar_items *items, const constraint_answer *q) {
    FILE *stream = items->stream;
    gz_planar_put_number(items, "foot, t", q->exact.t, "");
    gz_planar_put_number(items, "saturation, s", q->exact.s, "");
    gz_planar_put_number(items, "smooth s", q->smooth.s, "");
    gz_planar_put_number(items, "s off by <=", 0.5 * q->smoothing.saturation, "");
    gz_planar_put_point(items, "nearest", q->exact.nearest);
    gz_planar_put_point(items, "smooth nearest", q->smooth.nearest);
    gz_planar_put_point(items, "farthest", farthest_end(q));
    fprintf(stream, "\n%-22s %10s %10s  %-22s  %-22s  doubtful\n", "", "value",
            "off by <=", "by the first end", "by the second end");
    put_measure(stream, "least, d", &q->exact.least, &q->smooth.least);
    put_measure(stream, "greatest, D", &q->exact.greatest, &q->smooth.greatest);
    for (int i = 0; i < RELATION_COUNT; i++)
        if (wanted(q, i))
            put_measure(stream, relation_names[i], &q->exact_case[i].whole,
                        &q->smooth_case[i].whole);
    fputc('\n', stream);
    for (int i = 0; i < RELATION_COUNT; i++)
        if (wanted(q, i))
            gz_planar_put_word(items, relation_names[i],
                               q->exact_case[i].whole.value > 0 ? "no"
                               : q->smooth_case[i].whole.value <= 0
                                   ? "yes"
                                   : "yes, but not by the smooth one");
}

// ------------------------------------------------------------------------------------------ JSON

static void put_json_measure(gz_planar_items *items, const char *key,
                             const graze_planar_measure *m) {
    gz_json *json = &items->json;
    gz_json_key(json, key);
    gz_json_put(json, "{ value=%g error=%g", m->value + 0.0, m->error + 0.0);
    gz_planar_put_point(items, "by_first", m->by_a);
    gz_planar_put_point(items, "by_second", m->by_b);
    gz_planar_put_point(items, "by_center", m->by_center);
    gz_json_put(json, "by_radius=%g doubtful=[", m->by_radius + 0.0);
    for (size_t k = 0; k < FLAG_COUNT; k++)
        if ((m->flags & flag_names[k].flag) != 0) gz_json_put(json, "%s", flag_names[k].name);
    gz_json_put(json, "] }");
}

static void put_json_range(gz_planar_items *items, const char *key,
                           const graze_planar_segment_range *range) {
    gz_json_key(&items->json, key);
    gz_json_put(&items->json, "{ s=%g", range->s + 0.0);
    gz_planar_put_point(items, "nearest", range->nearest);
    put_json_measure(items, "least", &range->least);
    put_json_measure(items, "greatest", &range->greatest);
    gz_json_put(&items->json, "}");
}

static void put_answer(gz_planar_items *items, const void *answer) {
    const constraint_answer *q = answer;
    if (!items->is_json) {
        write_text(items, q);
        return;
    }
    gz_json_put(&items->json, "t=%g s_error=%g", q->exact.t + 0.0, 0.5 * q->smoothing.saturation);
    gz_planar_put_point(items, "farthest", farthest_end(q));
    put_json_range(items, "exact", &q->exact);
    put_json_range(items, "smooth", &q->smooth);
    gz_json_put(&items->json, "cases=[");
    for (int i = 0; i < RELATION_COUNT; i++) {
        if (!wanted(q, i)) continue;
        const graze_planar_measure *exact = &q->exact_case[i].whole,
                                   *smooth = &q->smooth_case[i].whole;
        gz_json_put(&items->json, "{ case=%s satisfied=%i smooth_satisfied=%i", relation_names[i],
                    exact->value <= 0, smooth->value <= 0);
        put_json_measure(items, "exact", exact);
        put_json_measure(items, "smooth", smooth);
        gz_json_put(&items->json, "}");
    }
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

/// What is drawn of a distance, or of the case that is asked for.
typedef struct measure_style {
    const graze_planar_measure *measure; ///< whose gradients
    const char *name, *line, *color;
} measure_style;

static size_t measures(const constraint_answer *q, measure_style out[2]) {
    static const char least[] = "stroke=\"" LEAST "\" stroke-width=\"2\" stroke-dasharray=\"6 4\"",
                      greatest[] = "stroke=\"" GREATEST
                                   "\" stroke-width=\"2\" stroke-dasharray=\"6 4\"";
    out[0] = (measure_style){&q->exact.least, "d", least, LEAST};
    out[1] = (measure_style){&q->exact.greatest, "D", greatest, GREATEST};
    if (q->relation < 0) return 2;
    out[0].measure = &q->exact_case[q->relation].whole;
    return 1;
}

/// A dashed line with its name and length, clear of another that leaves the same point.
static void put_distance(const gz_svg *svg, graze_vec2 from, graze_vec2 to, graze_vec2 other,
                         const measure_style *style, double length) {
    char text[64], number[GZ_DECIMAL_SIZE];
    graze_vec2 way = gz_planar_minus(to, from);
    const graze_vec2 taken[3] = {way, gz_planar_minus(from, to), gz_planar_minus(other, from)};
    snprintf(text, sizeof text, "%s %s", style->name, gz_decimal_format_fixed(number, length, 3));
    gz_svg_line(svg, from, to, style->line);
    gz_plot_label(svg, gz_planar_along(from, 0.45, way), 12, taken, 3, text, style->color);
}

/// An end of the segment with the gradients there, as long as they are.
static void put_end(const gz_svg *svg, const constraint_answer *q, bool first) {
    graze_vec2 p = first ? q->a : q->b, other = first ? q->b : q->a;
    graze_vec2 taken[4] = {gz_planar_minus(other, p), gz_planar_minus(q->center, p)};
    measure_style styles[2];
    size_t count = measures(q, styles);
    for (size_t i = 0; i < count; i++) {
        const graze_planar_measure *m = styles[i].measure;
        taken[2 + i] = first ? m->by_a : m->by_b;
        gz_plot_arrow(svg, p, gz_planar_along(p, arrow_pixels / svg->scale, taken[2 + i]),
                      q->relation < 0 ? styles[i].color : SMOOTH);
    }
    gz_svg_dot(svg, p, 5, "fill=\"" INK "\"");
    gz_plot_label(svg, p, 15, taken, 2 + count, first ? "first end" : "second end", INK);
}

static void put_scene(const gz_svg *page, const constraint_answer *q) {
    graze_vec2 far = farthest_end(q), near = q->exact.nearest, c = q->center;
    const graze_vec2 rim = {q->radius, q->radius};
    graze_planar_bounds box = {q->a, q->a};
    gz_planar_box_add(&box, q->b);
    gz_planar_box_add(&box, gz_planar_minus(c, rim));
    gz_planar_box_add(&box, gz_planar_along(c, 1, rim));
    gz_svg svg = gz_plot_panel(page, (gz_plot_box){96, 126, 388, 268}, box.min, box.max);
    measure_style styles[2];
    measures(q, styles);
    const graze_vec2 taken[2] = {gz_planar_minus(far, c), gz_planar_minus(near, c)};
    graze_vec2 away = gz_plot_free_side(taken, 2);
    char text[64], number[GZ_DECIMAL_SIZE];
    snprintf(text, sizeof text, "R %s", gz_decimal_format_fixed(number, q->radius, 3));
    gz_svg_disk(&svg, c, q->radius, "fill=\"#e6edf5\" stroke=\"" DISK "\" stroke-width=\"1.8\"");
    gz_svg_line(&svg, c, gz_planar_along(c, q->radius, away),
                "stroke=\"" DISK "\" stroke-width=\"1.2\"");
    gz_plot_label(&svg, gz_planar_along(c, 0.5 * q->radius, away), 10, &away, 1, text, DISK);
    gz_svg_line(&svg, q->a, q->b, "stroke=\"" INK "\" stroke-width=\"4\" stroke-linecap=\"round\"");
    put_distance(&svg, c, far, near, &styles[1], q->exact.greatest.value);
    put_distance(&svg, c, near, far, &styles[0], q->exact.least.value);
    put_end(&svg, q, true);
    put_end(&svg, q, false);
    gz_svg_dot(&svg, near, 5, EXACT_DOT);
    gz_svg_dot(&svg, q->smooth.nearest, 6.5, SMOOTH_DOT);
    gz_svg_dot(&svg, c, 4, "fill=\"" DISK "\"");
}

static void put_legend(const gz_svg *page, const constraint_answer *q) {
    gz_legend lines = {page, 24, 483}, dots = {page, 212, 483}, arrows = {page, 356, 483};
    measure_style styles[2];
    size_t count = measures(q, styles);
    gz_legend_line(&lines, styles[0].line, "least distance d");
    gz_legend_line(&lines, styles[1].line, "greatest distance D");
    gz_legend_dot(&dots, EXACT_DOT, "nearest");
    gz_legend_dot(&dots, SMOOTH_DOT, "nearest, smooth");
    for (size_t i = 0; i < count; i++) {
        double y = 490 + GZ_LEGEND_ROW * (double)i;
        char text[64];
        gz_plot_arrow(page, (graze_vec2){376, -y}, (graze_vec2){376 + arrow_pixels, -y},
                      q->relation < 0 ? styles[i].color : SMOOTH);
        snprintf(text, sizeof text, "gradient of %s; length 1",
                 q->relation < 0 ? styles[i].name : "g");
        gz_plot_words(page, arrows.x + 28 + arrow_pixels, y + 5, text, "fill=\"" INK "\"");
    }
}

enum { CHART_POINTS = 161 };

static void put_chart(const gz_svg *page, const constraint_answer *q) {
    graze_vec2 exact[CHART_POINTS], smooth[CHART_POINTS], band[2 * CHART_POINTS];
    const double width = q->smoothing.saturation, t = q->exact.t;
    // The centre's foot is shown where that leaves the rest readable.
    bool shown = t >= -2.5 && t <= 3.5;
    gz_plot plot = {page, {640, 60, 330, 330}, {-0.5, -0.2}, {1.5, 1.2}};
    if (shown) plot.min.x = fmin(plot.min.x, t - 0.2);
    if (shown) plot.max.x = fmax(plot.max.x, t + 0.2);
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
    gz_plot_clip_end(page);
    if (shown) {
        gz_svg_dot(page, gz_plot_at(&plot, t, q->exact.s), 5, EXACT_DOT);
        gz_svg_dot(page, gz_plot_at(&plot, t, q->smooth.s), 6.5, SMOOTH_DOT);
    }
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
    put_legend(&page, answer);
    put_chart(&page, answer);
    gz_svg_end(&page);
    return GZ_EXIT_FINE;
}

int gz_planar_constraint(int argc, char **argv) {
    constraint_answer q = {.relation = -1};
    int status = parse(&q, argc, argv);
    if (status != GZ_GO_ON) return status;
    GZ_TRY_EXIT(read_input(&q));
    GZ_TRY_EXIT(evaluate(&q));
    GZ_TRY_EXIT(
        gz_planar_report_write(&q.report, "graze-planar-constraint-1", put_answer, draw, &q));
    bool holds = q.relation < 0 || q.exact_case[q.relation].whole.value <= 0;
    return holds ? GZ_EXIT_FINE : GZ_EXIT_FINDING;
}
