// graze planar distance and graze planar approach: two shapes, standing or moving.

#include <math.h>
#include <stdio.h>

#include "cli/message.h"
#include "cli/output.h"
#include "cli/planar/planar_input.h"
#include "cli/text.h"
#include "graze/planar_approach.h"
#include "graze/planar_distance.h"
#include "picture/svg.h"

static const char *const format_names[] = {"text", "json", NULL};

typedef struct pair_options {
    const char *command;
    const char *output, *picture;
    gz_planar_pair pair;
    int format;
    bool moving;
} pair_options;

/// The answer to either question.
typedef struct pair_answer {
    double time, distance;
    bool hit;
    graze_vec2 normal, point_a, point_b;
    graze_planar_feature feature_a, feature_b; ///< of standing shapes
} pair_answer;

static int parse(pair_options *o, const gz_command_line *line, int argc, char **argv) {
    gz_option shapes[GZ_PAIR_SHAPE_OPTIONS], motion[GZ_PAIR_MOTION_OPTIONS];
    gz_planar_pair_options(&o->pair, shapes, motion);
    gz_option answer[] = {
        {"format", "FORMAT", .choice = &o->format, .choices = format_names,
         .help = "text (default), json"},
        GZ_OPTION_OUTPUT(&o->output),
        {"picture", "FILE.svg", .text = &o->picture, .file = GZ_FILE_WRITTEN,
         .help = "draw the shapes and the answer"},
    };
    gz_option_section sections[] = {{"shapes", shapes, GZ_PAIR_SHAPE_OPTIONS},
                                    {"motion", motion, o->moving ? GZ_PAIR_MOTION_OPTIONS : 0},
                                    {"answer", answer, 3}};
    return gz_command_line_parse(line, NULL, sections, GZ_COUNT(sections), argc, argv);
}

static graze_status evaluate(const pair_options *o, pair_answer *answer) {
    const gz_planar_pair *p = &o->pair;
    graze_status status;
    if (o->moving) {
        graze_planar_approach_result r;
        status = graze_planar_approach(&p->a, p->velocity_a, &p->b, p->velocity_b, p->horizon, &r);
        if (status != GRAZE_OK) return status;
        *answer = (pair_answer){.time = r.time,
                                .distance = r.distance,
                                .hit = r.hit,
                                .normal = r.normal,
                                .point_a = r.point_a,
                                .point_b = r.point_b};
        return status;
    }
    graze_planar_result r;
    status = graze_planar_distance(&p->a, &p->b, &r);
    if (status != GRAZE_OK) return status;
    *answer = (pair_answer){.distance = r.distance,
                            .hit = r.distance <= 0,
                            .normal = r.normal,
                            .point_a = r.point_a,
                            .point_b = r.point_b,
                            .feature_a = r.feature_a,
                            .feature_b = r.feature_b};
    return status;
}

// ---------------------------------------------------------------------------------------- output

static void put_point(FILE *stream, const char *name, graze_vec2 p, const char *more) {
    char x[GZ_DECIMAL_SIZE], y[GZ_DECIMAL_SIZE];
    fprintf(stream, "%-9s (%s, %s)%s\n", name, gz_decimal_format_fixed(x, p.x, 6),
            gz_decimal_format_fixed(y, p.y, 6), more);
}

static const char *feature_text(char text[48], const graze_planar_feature *feature) {
    snprintf(text, 48, "  %s %d", feature->edge ? "edge" : "vertex", (int)feature->index);
    return text;
}

static void write_text(FILE *stream, const pair_options *o, const pair_answer *a) {
    char number[GZ_DECIMAL_SIZE], first[48] = "", second[48] = "";
    if (o->moving) {
        fprintf(stream, "%s at %s s\n", a->hit ? "hit" : "nearest",
                gz_decimal_format_fixed(number, a->time, 6));
    } else {
        feature_text(first, &a->feature_a);
        feature_text(second, &a->feature_b);
    }
    fprintf(stream, "distance  %s\n", gz_decimal_format_fixed(number, a->distance, 6));
    put_point(stream, "normal", a->normal, "");
    put_point(stream, "first", a->point_a, first);
    put_point(stream, "second", a->point_b, second);
}

static void write_feature(gz_json *json, const char *key, const graze_planar_feature *feature) {
    gz_json_key(json, key);
    gz_json_put(json, "{");
    gz_json_key(json, feature->edge ? "edge" : "vertex");
    gz_json_put(json, "%d }", feature->index);
}

static void write_json(FILE *stream, const pair_options *o, const pair_answer *a) {
    gz_json json = gz_json_begin(stream,
                                 o->moving ? "graze-planar-approach-1" : "graze-planar-distance-1");
    if (o->moving) gz_json_put(&json, "hit=%i time=%g", a->hit, a->time);
    gz_json_put(&json, "distance=%g", a->distance);
    gz_planar_json_point(&json, "normal", a->normal);
    gz_planar_json_point(&json, "first", a->point_a);
    gz_planar_json_point(&json, "second", a->point_b);
    if (!o->moving) {
        write_feature(&json, "first_feature", &a->feature_a);
        write_feature(&json, "second_feature", &a->feature_b);
    }
    gz_json_finish(&json);
}

static graze_planar_shape moved(const graze_planar_shape *shape, graze_vec2 velocity, double time) {
    graze_planar_shape out = *shape;
    for (int i = 0; i < GRAZE_PLANAR_VERTEX_MAX; i++) {
        out.x[i] += time * velocity.x;
        out.y[i] += time * velocity.y;
    }
    return out;
}

static void draw_shapes(const gz_svg *svg, const pair_options *o, const graze_planar_shape *end_a,
                        const graze_planar_shape *end_b, const pair_answer *a) {
    static const char ghost[] = "fill=\"none\" stroke=\"#9aa4b0\" stroke-dasharray=\"5 4\"";
    const char *style_b = a->hit ? "fill=\"#f4c7b5\" fill-opacity=\"0.8\" stroke=\"#b4451b\""
                                 : "fill=\"#d7ead2\" fill-opacity=\"0.8\" stroke=\"#3f7d33\"";
    if (o->moving) {
        gz_svg_shape(svg, &o->pair.a, ghost);
        gz_svg_shape(svg, &o->pair.b, ghost);
        gz_svg_line(svg, (graze_vec2){o->pair.a.x[0], o->pair.a.y[0]},
                    (graze_vec2){end_a->x[0], end_a->y[0]}, ghost);
        gz_svg_line(svg, (graze_vec2){o->pair.b.x[0], o->pair.b.y[0]},
                    (graze_vec2){end_b->x[0], end_b->y[0]}, ghost);
    }
    gz_svg_shape(svg, end_a, "fill=\"#cfe0f3\" fill-opacity=\"0.8\" stroke=\"#2b5f9e\"");
    gz_svg_shape(svg, end_b, style_b);
    gz_svg_line(svg, a->point_a, a->point_b, "stroke=\"#222222\" stroke-width=\"2\"");
    gz_svg_dot(svg, a->point_a, 4, "fill=\"#222222\"");
    gz_svg_dot(svg, a->point_b, 4, "fill=\"#222222\"");
}

static int draw(const pair_options *o, const pair_answer *a) {
    double time = isfinite(a->time) ? a->time : 0;
    graze_planar_shape end_a = moved(&o->pair.a, o->pair.velocity_a, time);
    graze_planar_shape end_b = moved(&o->pair.b, o->pair.velocity_b, time);
    graze_vec2 min = {INFINITY, INFINITY}, max = {-INFINITY, -INFINITY};
    gz_planar_pair_grow_box(&o->pair.a, &min, &max);
    gz_planar_pair_grow_box(&o->pair.b, &min, &max);
    gz_planar_pair_grow_box(&end_a, &min, &max);
    gz_planar_pair_grow_box(&end_b, &min, &max);
    double wide = fmax(fmax(max.x - min.x, max.y - min.y), 1e-9), rim = 0.08 * wide;
    gz_output output;
    int status = gz_output_open(&output, o->picture);
    if (status != GZ_EXIT_FINE) return status;
    gz_svg svg = gz_svg_begin(output.stream, (graze_vec2){min.x - rim, min.y - rim},
                              (graze_vec2){max.x + rim, max.y + rim}, 640);
    draw_shapes(&svg, o, &end_a, &end_b, a);
    char text[96], number[GZ_DECIMAL_SIZE], when[GZ_DECIMAL_SIZE];
    snprintf(text, sizeof text, o->moving ? "distance %s at %s s" : "distance %s",
             gz_decimal_format_fixed(number, a->distance, 4),
             gz_decimal_format_fixed(when, a->time, 4));
    gz_svg_text(&svg, (graze_vec2){min.x - rim, max.y + rim}, 10, -20, text, "fill=\"#222222\"");
    gz_svg_end(&svg);
    return gz_output_finish(&output);
}

static int run(pair_options *o, const gz_command_line *line, int argc, char **argv) {
    o->command = line->command;
    int status = parse(o, line, argc, argv);
    if (status != GZ_GO_ON) return status;
    status = gz_planar_pair_read(&o->pair, o->command);
    if (status == GZ_EXIT_FINE)
        status = gz_planar_picture_check(o->command, o->picture, true, false);
    const char *const outputs[] = {o->output, o->picture};
    if (status == GZ_EXIT_FINE) status = gz_planar_outputs_check(o->command, outputs, 2);
    if (status != GZ_EXIT_FINE) return status;
    pair_answer answer = {0};
    graze_status asked = evaluate(o, &answer);
    if (asked != GRAZE_OK) return gz_planar_pair_refused(o->command);
    gz_output output;
    status = gz_output_open(&output, o->output);
    if (status != GZ_EXIT_FINE) return status;
    if (o->format == 0)
        write_text(output.stream, o, &answer);
    else
        write_json(output.stream, o, &answer);
    status = gz_output_finish(&output);
    if (status == GZ_EXIT_FINE && o->picture != NULL) status = draw(o, &answer);
    return status != GZ_EXIT_FINE ? status : answer.hit ? GZ_EXIT_FINDING : GZ_EXIT_FINE;
}

int gz_planar_distance(int argc, char **argv) {
    static const gz_command_line line = {
        .command = "planar distance",
        .synopsis = "planar distance --first SHAPE --second SHAPE [options]",
        .about =
            "Signed distance of two shapes: below 0 how far they must be moved apart. Prints the\n"
            "normal from the first to the second, the nearest points and what they lie on. Exit\n"
            "status 1 where they touch or overlap.",
        .examples = "  graze planar distance --first circle:0,0,1 --second capsule:3,0,5,1,0.5\n",
    };
    pair_options o = {0};
    return run(&o, &line, argc, argv);
}

int gz_planar_approach(int argc, char **argv) {
    static const gz_command_line line = {
        .command = "planar approach",
        .synopsis = "planar approach --first SHAPE --second SHAPE [options]",
        .about =
            "When two shapes that move evenly touch, or else when and how near they come to each\n"
            "other, and where. Exit status 1 where they touch.",
        .examples = "  graze planar approach --first circle:0,0,1 --second circle:9,1,1 \\\n"
                    "      --second-velocity -1,0\n",
    };
    pair_options o = {.moving = true, .pair.horizon = 10};
    return run(&o, &line, argc, argv);
}
