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

/// Either question, and its answer.
typedef struct pair_answer {
    gz_planar_pair pair;
    bool moving;
    graze_planar_approach_result at;           ///< of standing shapes, at time 0
    graze_planar_feature feature_a, feature_b; ///< of standing shapes
} pair_answer;

static graze_status evaluate(pair_answer *a) {
    const gz_planar_pair *p = &a->pair;
    if (a->moving) {
        return graze_planar_approach(&p->a, p->velocity_a, &p->b, p->velocity_b, p->horizon,
                                     &a->at);
    }
    graze_planar_result r;
    graze_status status = graze_planar_distance(&p->a, &p->b, &r);
    if (status != GRAZE_OK) return status;
    a->at = (graze_planar_approach_result){.distance = r.distance,
                                           .hit = r.distance <= 0,
                                           .normal = r.normal,
                                           .point_a = r.point_a,
                                           .point_b = r.point_b};
    a->feature_a = r.feature_a;
    a->feature_b = r.feature_b;
    return status;
}

// ---------------------------------------------------------------------------------------- output

static const char *feature_text(char text[48], const graze_planar_feature *feature) {
    snprintf(text, 48, "  %s %d", feature->edge ? "edge" : "vertex", (int)feature->index);
    return text;
}

static int write_text(FILE *stream, const void *answer) {
    const pair_answer *a = answer;
    char number[GZ_DECIMAL_SIZE], first[48] = "", second[48] = "";
    if (a->moving) {
        fprintf(stream, "%s at %s s\n", a->at.hit ? "hit" : "nearest",
                gz_decimal_format_fixed(number, a->at.time, 6));
    } else {
        feature_text(first, &a->feature_a);
        feature_text(second, &a->feature_b);
    }
    fprintf(stream, "distance  %s\n", gz_decimal_format_fixed(number, a->at.distance, 6));
    gz_planar_put_point(stream, "normal", a->at.normal, "");
    gz_planar_put_point(stream, "first", a->at.point_a, first);
    gz_planar_put_point(stream, "second", a->at.point_b, second);
    return GZ_EXIT_FINE;
}

static void write_feature(gz_json *json, const char *key, const graze_planar_feature *feature) {
    gz_json_key(json, key);
    gz_json_put(json, "{");
    gz_json_key(json, feature->edge ? "edge" : "vertex");
    gz_json_put(json, "%d }", feature->index);
}

static int write_json(FILE *stream, const void *answer) {
    const pair_answer *a = answer;
    gz_json json = gz_json_begin(stream,
                                 a->moving ? "graze-planar-approach-1" : "graze-planar-distance-1");
    if (a->moving) gz_json_put(&json, "hit=%i time=%g", a->at.hit, a->at.time);
    gz_json_put(&json, "distance=%g", a->at.distance);
    gz_planar_json_point(&json, "normal", a->at.normal);
    gz_planar_json_point(&json, "first", a->at.point_a);
    gz_planar_json_point(&json, "second", a->at.point_b);
    if (!a->moving) {
        write_feature(&json, "first_feature", &a->feature_a);
        write_feature(&json, "second_feature", &a->feature_b);
    }
    gz_json_finish(&json);
    return GZ_EXIT_FINE;
}

static graze_planar_shape moved(const graze_planar_shape *shape, graze_vec2 velocity, double time) {
    graze_planar_shape out = *shape;
    for (int i = 0; i < GRAZE_PLANAR_VERTEX_MAX; i++) {
        out.x[i] += time * velocity.x;
        out.y[i] += time * velocity.y;
    }
    return out;
}

/// The shapes as they are at the answer's time, and where they began if they move.
static void draw_shapes(const gz_svg *svg, const pair_answer *a, const graze_planar_shape end[2]) {
    static const char ghost[] = "fill=\"none\" stroke=\"#9aa4b0\" stroke-dasharray=\"5 4\"";
    const char *style_b = a->at.hit ? "fill=\"#f4c7b5\" fill-opacity=\"0.8\" stroke=\"#b4451b\""
                                    : "fill=\"#d7ead2\" fill-opacity=\"0.8\" stroke=\"#3f7d33\"";
    const graze_planar_shape *start[2] = {&a->pair.a, &a->pair.b};
    for (int i = 0; i < 2 && a->moving; i++) gz_svg_shape(svg, start[i], ghost);
    for (int i = 0; i < 2 && a->moving; i++) {
        gz_svg_line(svg, (graze_vec2){start[i]->x[0], start[i]->y[0]},
                    (graze_vec2){end[i].x[0], end[i].y[0]}, ghost);
    }
    gz_svg_shape(svg, &end[0], "fill=\"#cfe0f3\" fill-opacity=\"0.8\" stroke=\"#2b5f9e\"");
    gz_svg_shape(svg, &end[1], style_b);
    gz_svg_line(svg, a->at.point_a, a->at.point_b, "stroke=\"#222222\" stroke-width=\"2\"");
    gz_svg_dot(svg, a->at.point_a, 4, "fill=\"#222222\"");
    gz_svg_dot(svg, a->at.point_b, 4, "fill=\"#222222\"");
}

static int draw(FILE *stream, const void *answer) {
    const pair_answer *a = answer;
    const gz_planar_pair *p = &a->pair;
    double time = isfinite(a->at.time) ? a->at.time : 0;
    const graze_planar_shape end[2] = {moved(&p->a, p->velocity_a, time),
                                       moved(&p->b, p->velocity_b, time)};
    graze_planar_bounds box = GZ_PLANAR_BOX_EMPTY;
    gz_planar_box_add_shape(&box, &p->a);
    gz_planar_box_add_shape(&box, &p->b);
    gz_planar_box_add_shape(&box, &end[0]);
    gz_planar_box_add_shape(&box, &end[1]);
    double wide = fmax(box.max.x - box.min.x, box.max.y - box.min.y), rim = 0.08 * fmax(wide, 1e-9);
    gz_svg svg = gz_planar_picture_begin(stream, box, rim);
    draw_shapes(&svg, a, end);
    char text[96], number[GZ_DECIMAL_SIZE], when[GZ_DECIMAL_SIZE];
    snprintf(text, sizeof text, a->moving ? "distance %s at %s s" : "distance %s",
             gz_decimal_format_fixed(number, a->at.distance, 4),
             gz_decimal_format_fixed(when, a->at.time, 4));
    gz_svg_text(&svg, (graze_vec2){box.min.x - rim, box.max.y + rim}, 10, -20, text,
                "fill=\"#222222\"");
    gz_svg_end(&svg);
    return GZ_EXIT_FINE;
}

static int run(const gz_command_line *line, bool moving, int argc, char **argv) {
    pair_answer a = {.moving = moving};
    int status = gz_planar_pair_parse(&a.pair, line, moving, "draw the shapes and the answer", argc,
                                      argv);
    if (status != GZ_GO_ON) return status;
    if (evaluate(&a) != GRAZE_OK) return gz_planar_pair_refused(line->command);
    status = gz_planar_report_write(&a.pair.report, write_text, write_json, draw, &a);
    return status != GZ_EXIT_FINE ? status : a.at.hit ? GZ_EXIT_FINDING : GZ_EXIT_FINE;
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
    return run(&line, false, argc, argv);
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
    return run(&line, true, argc, argv);
}
