// graze planar constraint: a segment against a disk and against its circle, exact and smooth.
#include <math.h>
#include <stdio.h>

#include "cli/message.h"
#include "cli/output.h"
#include "cli/planar/planar_input.h"
#include "cli/planar_constraint.h"
#include "cli/text.h"

static const char *const format_names[] = {"text", "json", NULL};
static const char command[] = "planar constraint";

const char *const gz_relation_names[] = {"clear-of-disk", "meets-disk", "clear-of-circle",
                                         "meets-circle", NULL};

typedef struct constraint_options {
    const char *segment, *circle, *smoothing, *output, *picture;
    double margin;
    int relation, format;
} constraint_options;

static int parse(constraint_options *o, int argc, char **argv) {
    gz_option question[] = {
        gz_option_text("segment", &o->segment, "x,y,x,y", "its first and its second end, metres"),
        gz_option_text("circle", &o->circle, "x,y,R", "centre and radius"),
        gz_option_choice("case", &o->relation, "CASE", gz_relation_names,
                         "only this one, its verdict as exit status:\n"
                         "clear-of-disk, meets-disk, clear-of-circle, meets-circle"),
        gz_option_number("margin", &o->margin, "M",
                         "each case is to hold by so much, metres (default: 0)"),
        gz_option_text("smoothing", &o->smoothing, "W,L",
                       "widths: of the saturation, parts of the segment's\n"
                       "length, and of lengths, metres (default 0.1,0.01)"),
    };
    gz_option answer[] = {
        gz_option_choice("format", &o->format, "FORMAT", format_names, "text (default), json"),
        gz_option_output(&o->output),
        gz_option_writes(gz_option_text("picture", &o->picture, "FILE.svg",
                                        "draw the segment, its distances and gradients")),
    };
    gz_option_section sections[] = {{"question", question, 5}, {"answer", answer, 3}};
    gz_command_line line = {
        .command = command,
        .synopsis = "planar constraint --segment x,y,x,y --circle x,y,R [options]",
        .about =
            "Least and greatest distance of a segment's points from a circle's centre, and what that\n"
            "means for the disk and for the circle alone: four cases as numbers g <= 0, each exact\n"
            "and smooth, with the bound on what smoothing adds and gradients by the segment's ends.\n"
            "Exit status 1 where the case asked for does not hold.",
        .examples = "  graze planar constraint --segment -1.2,0.5,1.4,1.3 --circle 0,0,0.7\n",
        .sections = sections,
        .section_count = 2};
    return gz_command_line_parse(&line, argc, argv);
}

static int read_input(const constraint_options *o, gz_constraint_answer *q) {
    double n[4], widths[2] = {0.1, 0.01};
    if (o->segment == NULL || o->circle == NULL) {
        return gz_message_usage(command, "--%s is missing",
                                o->segment == NULL ? "segment" : "circle");
    }
    int status = gz_planar_numbers_exactly(command, "segment", o->segment, n, 4,
                                           "four numbers, x,y,x,y");
    if (status != GZ_EXIT_FINE) return status;
    q->a = (graze_vec2){n[0], n[1]};
    q->b = (graze_vec2){n[2], n[3]};
    status = gz_planar_numbers_exactly(command, "circle", o->circle, n, 3, "three numbers, x,y,R");
    if (status != GZ_EXIT_FINE) return status;
    q->center = (graze_vec2){n[0], n[1]};
    q->radius = n[2];
    if (o->smoothing != NULL) {
        status = gz_planar_numbers_exactly(command, "smoothing", o->smoothing, widths, 2,
                                           "two numbers, of the saturation and of lengths");
        if (status != GZ_EXIT_FINE) return status;
    }
    q->smoothing = (graze_planar_smoothing){widths[0], widths[1]};
    q->margin = o->margin;
    q->relation = o->relation;
    const char *const outputs[] = {o->output, o->picture};
    status = gz_planar_outputs_check(command, outputs, 2);
    if (status != GZ_EXIT_FINE) return status;
    return gz_planar_picture_check(command, o->picture, true, false);
}

/// All cases, each exact and smooth.
static int ask(gz_constraint_answer *q) {
    graze_error error;
    graze_status status = GRAZE_OK;
    for (int i = 0; i < GZ_RELATION_COUNT && status == GRAZE_OK; i++) {
        graze_planar_relation relation = (graze_planar_relation)i;
        status = graze_planar_segment_constraint(relation, q->a, q->b, q->center, q->radius,
                                                 q->margin, &q->smoothing, &q->smooth_case[i],
                                                 &error);
        if (status != GRAZE_OK) break;
        status = graze_planar_segment_constraint(relation, q->a, q->b, q->center, q->radius,
                                                 q->margin, NULL, &q->exact_case[i], &error);
    }
    if (status == GRAZE_OK) {
        status = graze_planar_segment_range_find(q->a, q->b, q->center, NULL, &q->exact, &error);
    }
    if (status == GRAZE_OK) {
        status = graze_planar_segment_range_find(q->a, q->b, q->center, &q->smoothing, &q->smooth,
                                                 &error);
    }
    return status == GRAZE_OK ? GZ_EXIT_FINE : gz_message_usage(command, "%s", error.message);
}

graze_vec2 gz_constraint_farthest(const gz_constraint_answer *q) {
    double first = hypot(q->a.x - q->center.x, q->a.y - q->center.y);
    double second = hypot(q->b.x - q->center.x, q->b.y - q->center.y);
    return first >= second ? q->a : q->b;
}

/// Whether a case is to be answered.
static bool wanted(const gz_constraint_answer *q, int relation) {
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

static void put_row(FILE *stream, const char *name, double exact, double smooth, double bound) {
    char e[GZ_DECIMAL_SIZE], s[GZ_DECIMAL_SIZE], b[GZ_DECIMAL_SIZE];
    fprintf(stream, "%-15s %12s %12s %12s", name, gz_decimal_format_fixed(e, exact, 6),
            gz_decimal_format_fixed(s, smooth, 6), gz_decimal_format_fixed(b, bound, 6));
}

static void put_points(FILE *stream, const char *name, const char *kind, graze_vec2 first,
                       graze_vec2 second) {
    char text[2][2 * GZ_DECIMAL_SIZE + 8], x[GZ_DECIMAL_SIZE], y[GZ_DECIMAL_SIZE];
    const graze_vec2 p[2] = {first, second};
    for (int i = 0; i < 2; i++) {
        snprintf(text[i], sizeof text[i], "(%s, %s)", gz_decimal_format_fixed(x, p[i].x, 6),
                 gz_decimal_format_fixed(y, p[i].y, 6));
    }
    fprintf(stream, "%-15s %-6s  %-24s  %s", name, kind, text[0], text[1]);
}

static void put_gradients(FILE *stream, const char *name, const graze_planar_measure *exact,
                          const graze_planar_measure *smooth) {
    const graze_planar_measure *both[2] = {exact, smooth};
    for (int i = 0; i < 2; i++) {
        put_points(stream, i == 0 ? name : "", i == 0 ? "exact" : "smooth", both[i]->by_a,
                   both[i]->by_b);
        const char *before = "  doubtful: ";
        for (size_t k = 0; k < FLAG_COUNT; k++) {
            if ((both[i]->flags & flag_names[k].flag) == 0) continue;
            fprintf(stream, "%s%s", before, flag_names[k].name);
            before = ", ";
        }
        fputc('\n', stream);
    }
}

static void write_text(FILE *stream, const gz_constraint_answer *q) {
    char t[GZ_DECIMAL_SIZE];
    graze_vec2 far = gz_constraint_farthest(q);
    fprintf(stream, "the centre's foot on the line: t = %s\n\n",
            gz_decimal_format_fixed(t, q->exact.t, 6));
    fprintf(stream, "%-15s %12s %12s %12s\n", "", "exact", "smooth", "off at most");
    put_row(stream, "saturation s", q->exact.s, q->smooth.s, 0.5 * q->smoothing.saturation);
    fputc('\n', stream);
    put_row(stream, "least, d", q->exact.least.value, q->smooth.least.value, q->smooth.least.error);
    fputc('\n', stream);
    put_row(stream, "greatest, D", q->exact.greatest.value, q->smooth.greatest.value,
            q->smooth.greatest.error);
    fprintf(stream, "\n\n%-15s %12s %12s %12s  satisfied\n", "g <= 0", "exact", "smooth",
            "off at most");
    for (int i = 0; i < GZ_RELATION_COUNT; i++) {
        if (!wanted(q, i)) continue;
        const graze_planar_measure *exact = &q->exact_case[i].whole,
                                   *smooth = &q->smooth_case[i].whole;
        put_row(stream, gz_relation_names[i], exact->value, smooth->value, smooth->error);
        fprintf(stream, "  %s\n",
                exact->value > 0     ? "no"
                : smooth->value <= 0 ? "yes"
                                     : "yes, but not by the smooth one");
    }
    fprintf(stream, "\n%-15s %-6s  %-24s  %s\n", "places", "", "nearest", "farthest");
    put_points(stream, "", "exact", q->exact.nearest, far);
    fputc('\n', stream);
    put_points(stream, "", "smooth", q->smooth.nearest, far);
    fprintf(stream, "\n\n%-15s %-6s  %-24s  %s\n", "gradients", "", "by the first end",
            "by the second end");
    put_gradients(stream, "least, d", &q->exact.least, &q->smooth.least);
    put_gradients(stream, "greatest, D", &q->exact.greatest, &q->smooth.greatest);
    for (int i = 0; i < GZ_RELATION_COUNT; i++) {
        if (!wanted(q, i)) continue;
        put_gradients(stream, gz_relation_names[i], &q->exact_case[i].whole,
                      &q->smooth_case[i].whole);
    }
}

// ------------------------------------------------------------------------------------------ JSON

static void put_json_number(FILE *stream, const char *name, double value) {
    fprintf(stream, ",\"%s\":", name);
    gz_json_number(stream, value + 0.0);
}

static void put_json_point(FILE *stream, const char *name, graze_vec2 p) {
    const double xy[2] = {p.x + 0.0, p.y + 0.0}; // never -0
    fprintf(stream, ",\"%s\":", name);
    gz_json_numbers(stream, xy, 2);
}

static void put_json_measure(FILE *stream, const char *name, const graze_planar_measure *m) {
    fprintf(stream, ",\"%s\":{\"value\":", name);
    gz_json_number(stream, m->value + 0.0);
    put_json_number(stream, "error", m->error);
    put_json_point(stream, "by_first", m->by_a);
    put_json_point(stream, "by_second", m->by_b);
    put_json_point(stream, "by_center", m->by_center);
    put_json_number(stream, "by_radius", m->by_radius);
    fputs(",\"doubtful\":[", stream);
    const char *before = "";
    for (size_t k = 0; k < FLAG_COUNT; k++) {
        if ((m->flags & flag_names[k].flag) == 0) continue;
        fprintf(stream, "%s\"%s\"", before, flag_names[k].name);
        before = ",";
    }
    fputs("]}", stream);
}

static void put_json_range(FILE *stream, const char *name,
                           const graze_planar_segment_range *range) {
    fprintf(stream, ",\"%s\":{\"s\":", name);
    gz_json_number(stream, range->s + 0.0);
    put_json_point(stream, "nearest", range->nearest);
    put_json_measure(stream, "least", &range->least);
    put_json_measure(stream, "greatest", &range->greatest);
    fputc('}', stream);
}

static void write_json(FILE *stream, const gz_constraint_answer *q) {
    fputs("{\"format\":\"graze-planar-constraint-1\"", stream);
    put_json_number(stream, "t", q->exact.t);
    put_json_number(stream, "s_error", 0.5 * q->smoothing.saturation);
    put_json_point(stream, "farthest", gz_constraint_farthest(q));
    put_json_range(stream, "exact", &q->exact);
    put_json_range(stream, "smooth", &q->smooth);
    fputs(",\"cases\":[", stream);
    const char *before = "";
    for (int i = 0; i < GZ_RELATION_COUNT; i++) {
        if (!wanted(q, i)) continue;
        const graze_planar_measure *exact = &q->exact_case[i].whole,
                                   *smooth = &q->smooth_case[i].whole;
        fprintf(stream, "%s{\"case\":\"%s\",\"satisfied\":%s,\"smooth_satisfied\":%s", before,
                gz_relation_names[i], exact->value <= 0 ? "true" : "false",
                smooth->value <= 0 ? "true" : "false");
        put_json_measure(stream, "exact", exact);
        put_json_measure(stream, "smooth", smooth);
        fputc('}', stream);
        before = ",";
    }
    fputs("]}\n", stream);
}

int gz_planar_constraint(int argc, char **argv) {
    constraint_options o = {.relation = -1};
    int status = parse(&o, argc, argv);
    if (status != GZ_GO_ON) return status;
    gz_constraint_answer answer = {0};
    status = read_input(&o, &answer);
    if (status == GZ_EXIT_FINE) status = ask(&answer);
    if (status != GZ_EXIT_FINE) return status;
    gz_output output;
    status = gz_output_open(&output, o.output);
    if (status != GZ_EXIT_FINE) return status;
    if (o.format == 0) {
        write_text(output.stream, &answer);
    } else {
        write_json(output.stream, &answer);
    }
    status = gz_output_finish(&output);
    if (status == GZ_EXIT_FINE && o.picture != NULL)
        status = gz_constraint_draw(&answer, o.picture);
    if (status != GZ_EXIT_FINE || o.relation < 0) return status;
    return answer.exact_case[o.relation].whole.value <= 0 ? GZ_EXIT_FINE : GZ_EXIT_FINDING;
}
