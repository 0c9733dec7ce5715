// graze planar distance and graze planar approach: two shapes, standing or moving.

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/planar/planar_input.h"
#include "cli/text.h"
#include "graze/planar_approach.h"
#include "graze/planar_distance.h"
#include "picture/svg.h"

#define WAY_STYLE     "fill=\"none\" stroke=\"#9aa4b0\" stroke-dasharray=\"5 4\""
#define NEAREST_STYLE "stroke=\"" GZ_PLANAR_INK "\" stroke-width=\"2\""

/// Either question, and its answer.
typedef struct pair_answer {
    gz_planar_pair pair;
    bool moving;
    graze_planar_approach_result at;           ///< of standing shapes, at time 0
    graze_planar_feature feature_a, feature_b; ///< of standing shapes; of convex ones only
} pair_answer;

static graze_status evaluate_parts(const pair_answer *a, const graze_planar_shape *first,
                                   const graze_planar_shape *second, pair_answer *out) {
    const gz_planar_pair *p = &a->pair;
    if (a->moving)
        return graze_planar_approach(first, p->velocity_a, second, p->velocity_b, p->horizon,
                                     &out->at);
    graze_planar_result r;
    GZ_TRY(graze_planar_distance(first, second, &r));
    out->at = (graze_planar_approach_result){0,        r.distance, r.distance <= 0,
                                             r.normal, r.point_a,  r.point_b};
    out->feature_a = r.feature_a;
    out->feature_b = r.feature_b;
    return GRAZE_OK;
}

/// Whether one answer comes before another: the earlier contact, else the nearer.
static bool before(const pair_answer *a, const pair_answer *b) {
    const graze_planar_approach_result *x = &a->at, *y = &b->at;
    if (x->hit != y->hit) return x->hit;
    if (x->hit && x->time != y->time) return x->time < y->time;
    return x->distance < y->distance;
}

/// A union of parts meets another where two parts do, and is as near as the nearest two.
static graze_status evaluate(pair_answer *a) {
    const gz_planar_pair *p = &a->pair;
    a->at = (graze_planar_approach_result){.time = p->horizon, .distance = INFINITY};
    for (size_t i = 0; i < p->a.count * p->b.count; i++) {
        pair_answer found = {.moving = a->moving};
        GZ_TRY(evaluate_parts(a, &p->a.items[i / p->b.count], &p->b.items[i % p->b.count], &found));
        if (!before(&found, a)) continue;
        a->at = found.at;
        a->feature_a = found.feature_a;
        a->feature_b = found.feature_b;
    }
    return GRAZE_OK;
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
        if (a->pair.a.count == 1) feature_text(first, &a->feature_a);
        if (a->pair.b.count == 1) feature_text(second, &a->feature_b);
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
    if (!a->moving && a->pair.a.count == 1) write_feature(&json, "first_feature", &a->feature_a);
    if (!a->moving && a->pair.b.count == 1) write_feature(&json, "second_feature", &a->feature_b);
    gz_json_finish(&json);
    return GZ_EXIT_FINE;
}

typedef struct pair_picture {
    const pair_answer *answer;
    double time;
    gz_svg svg;
} pair_picture;

/// Where a moving shape begins, and its way.
static void draw_way(const pair_picture *p, const gz_planar_shapes *shapes, graze_vec2 v) {
    const graze_transform2 begin = {1, 0, 0, 0};
    graze_vec2 from = gz_planar_shapes_middle(shapes);
    gz_planar_shapes_draw(&p->svg, shapes, &begin, "#ffffff", "#9aa4b0");
    gz_svg_line(&p->svg, from, gz_planar_along(from, p->time, v), WAY_STYLE);
}

/// A shape as it is at the answer's time.
static void draw_moved(const pair_picture *p, const gz_planar_shapes *shapes, graze_vec2 v,
                       const char *fill, const char *color) {
    const graze_transform2 pose = {1, 0, p->time * v.x, p->time * v.y};
    gz_planar_shapes_draw(&p->svg, shapes, &pose, fill, color);
}

/// The shapes as they are at the answer's time, and where they began if they move.
static void draw_shapes(const pair_picture *p) {
    const pair_answer *a = p->answer;
    const gz_planar_pair *q = &a->pair;
    if (a->moving) draw_way(p, &q->a, q->velocity_a);
    if (a->moving) draw_way(p, &q->b, q->velocity_b);
    draw_moved(p, &q->a, q->velocity_a, GZ_PLANAR_FIRST_FILL, GZ_PLANAR_FIRST);
    draw_moved(p, &q->b, q->velocity_b, a->at.hit ? GZ_PLANAR_HIT_FILL : GZ_PLANAR_SECOND_FILL,
               a->at.hit ? GZ_PLANAR_HIT : GZ_PLANAR_SECOND);
    gz_svg_line(&p->svg, a->at.point_a, a->at.point_b, NEAREST_STYLE);
    gz_svg_dot(&p->svg, a->at.point_a, 4, "fill=\"" GZ_PLANAR_INK "\"");
    gz_svg_dot(&p->svg, a->at.point_b, 4, "fill=\"" GZ_PLANAR_INK "\"");
}

static void put_legend(const gz_svg *page, const pair_picture *p, double y) {
    const pair_answer *a = p->answer;
    gz_legend left = {page, 24, y}, right = {page, 300, y};
    char text[96], number[GZ_DECIMAL_SIZE], when[GZ_DECIMAL_SIZE];
    gz_decimal_format_fixed(number, a->at.distance, 4);
    snprintf(text, sizeof text, a->moving ? "distance %s m at %s s" : "distance %s m", number,
             gz_decimal_format_fixed(when, a->at.time, 4));
    gz_legend_patch(&left, "fill=\"" GZ_PLANAR_FIRST_FILL "\" stroke=\"" GZ_PLANAR_FIRST "\"",
                    "first");
    if (a->at.hit)
        gz_legend_patch(&left, "fill=\"" GZ_PLANAR_HIT_FILL "\" stroke=\"" GZ_PLANAR_HIT "\"",
                        "second: they touch");
    else
        gz_legend_patch(&left, "fill=\"" GZ_PLANAR_SECOND_FILL "\" stroke=\"" GZ_PLANAR_SECOND "\"",
                        "second");
    gz_legend_line(&right, NEAREST_STYLE, text);
    if (a->moving) gz_legend_line(&right, WAY_STYLE, "from where they begin");
}

static int draw(FILE *stream, const void *answer) {
    const pair_answer *a = answer;
    const gz_planar_pair *pair = &a->pair;
    pair_picture p = {.answer = a, .time = isfinite(a->at.time) ? a->at.time : 0};
    graze_planar_bounds box = GZ_PLANAR_BOX_EMPTY;
    for (int second = 0; second < 2; second++) {
        graze_planar_bounds own = gz_planar_shapes_box(second ? &pair->b : &pair->a);
        graze_vec2 v = second ? pair->velocity_b : pair->velocity_a;
        gz_planar_box_add(&box, own.min);
        gz_planar_box_add(&box, own.max);
        gz_planar_box_add(&box, gz_planar_along(own.min, p.time, v));
        gz_planar_box_add(&box, gz_planar_along(own.max, p.time, v));
    }
    const gz_plot_box place = {24, 24, 592, 480}, inner = {40, 40, 560, 432};
    gz_svg page = gz_plot_page(stream, 640, 572);
    p.svg = gz_plot_panel(&page, inner, box.min, box.max);
    draw_shapes(&p);
    gz_plot_scale_bar(&p.svg, &page, place);
    put_legend(&page, &p, 520);
    gz_svg_end(&page);
    return GZ_EXIT_FINE;
}

static int run(const gz_command_line *line, bool moving, int argc, char **argv) {
    pair_answer a = {.moving = moving};
    int status = gz_planar_pair_parse(&a.pair, line, moving, NULL, "draw the shapes and the answer",
                                      argc, argv);
    if (status != GZ_GO_ON) return status;
    status = evaluate(&a) == GRAZE_OK
                 ? gz_planar_report_write(&a.pair.report, write_text, write_json, draw, &a)
                 : gz_planar_pair_refused(line->command);
    gz_planar_pair_free(&a.pair);
    if (status != GZ_EXIT_FINE) return status;
    return a.at.hit ? GZ_EXIT_FINDING : GZ_EXIT_FINE;
}

int gz_planar_distance(int argc, char **argv) {
    static const gz_command_line line = {
        .command = "planar distance",
        .synopsis = "planar distance --first SHAPE --second SHAPE [options]",
        .about =
            "Signed distance of two shapes: below 0 how far they must be moved apart (of concave\n"
            "ones, the convex parts that overlap most). Prints the normal from the first to the\n"
            "second, the nearest points and, of convex shapes, what they lie on. Exit status 1\n"
            "where they touch or overlap.",
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
