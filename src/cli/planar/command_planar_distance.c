// graze planar distance and graze planar approach: two shapes, standing or moving.

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "cli/message.h"
#include "cli/planar/planar_input.h"
#include "cli/text.h"
#include "graze/planar_approach.h"
#include "graze/planar_distance.h"
#include "picture/svg.h"

#define WAY_STYLE     "fill=\"none\" stroke=\"#9aa4b0\" stroke-dasharray=\"5 4\""
#define NEAREST_STYLE "stroke=\"" GZ_PLANAR_INK "\" stroke-width=\"2\""

/// Where two shapes touch, or are nearest.
typedef struct encounter {
    graze_planar_approach_result at;           ///< of standing shapes, at time 0
    graze_planar_feature feature_a, feature_b; ///< of standing shapes; of convex ones only
} encounter;

/// Either question, and its answer.
typedef struct pair_answer {
    gz_planar_pair pair;
    bool moving;
    encounter found;
} pair_answer;

static graze_status find_encounter(const pair_answer *a, const graze_planar_shape *first,
                                   const graze_planar_shape *second, encounter *out) {
    const gz_planar_pair *p = &a->pair;
    if (a->moving)
        return graze_planar_approach(first, p->velocity_a, second, p->velocity_b, p->horizon,
                                     &out->at);
    graze_planar_result r;
    GZ_TRY(graze_planar_distance(first, second, &r));
    *out = (encounter){
        {0, r.distance, r.distance <= 0, r.normal, r.point_a, r.point_b}, r.feature_a, r.feature_b};
    return GRAZE_OK;
}

/// Whether one comes before another: the earlier contact, else the nearer.
static bool before(const graze_planar_approach_result *x, const graze_planar_approach_result *y) {
    if (x->hit != y->hit) return x->hit;
    if (x->hit && x->time != y->time) return x->time < y->time;
    return x->distance < y->distance;
}

/// A union of parts meets another where two parts do, and is as near as the nearest two.
static graze_status evaluate(pair_answer *a) {
    const gz_planar_pair *p = &a->pair;
    a->found.at = (graze_planar_approach_result){.time = p->horizon, .distance = INFINITY};
    for (size_t i = 0; i < p->a.count * p->b.count; i++) {
        encounter found = {.at = {0}};
        GZ_TRY(find_encounter(a, &p->a.items[i / p->b.count], &p->b.items[i % p->b.count], &found));
        if (before(&found.at, &a->found.at)) a->found = found;
    }
    return GRAZE_OK;
}

// ---------------------------------------------------------------------------------------- output

static void put_feature(gz_json *json, const char *key, const graze_planar_feature *feature) {
    gz_json_key(json, key);
    gz_json_put(json, feature->edge ? "{ edge=%d }" : "{ vertex=%d }", feature->index);
}

static void put_answer(gz_json *json, const void *answer) {
    const pair_answer *a = answer;
    const encounter *e = &a->found;
    if (a->moving) gz_json_put(json, "hit=%i time=%g", e->at.hit, e->at.time);
    gz_json_put(json, "distance=%g", e->at.distance);
    gz_planar_put_point(json, "normal", e->at.normal);
    gz_planar_put_point(json, "first", e->at.point_a);
    gz_planar_put_point(json, "second", e->at.point_b);
    if (!a->moving && a->pair.a.count == 1) put_feature(json, "first_feature", &e->feature_a);
    if (!a->moving && a->pair.b.count == 1) put_feature(json, "second_feature", &e->feature_b);
}

/// A shape where it begins, with its way, or as it is after a time.
static void draw_shape(const gz_svg *svg, const pair_answer *a, bool second, bool begin,
                       double time) {
    const gz_planar_shapes *shapes = second ? &a->pair.b : &a->pair.a;
    graze_vec2 v = second ? a->pair.velocity_b : a->pair.velocity_a;
    graze_vec2 from = gz_planar_shapes_middle(shapes);
    const graze_transform2 pose = {1, 0, begin ? 0 : time * v.x, begin ? 0 : time * v.y};
    gz_planar_shapes_draw(svg, shapes, &pose,
                          &gz_planar_paints[begin    ? GZ_PAST_PAINT
                                            : second ? GZ_SECOND_PAINT + a->found.at.hit
                                                     : GZ_FIRST_PAINT]);
    if (begin) gz_svg_line(svg, from, gz_planar_along(from, time, v), WAY_STYLE);
}

static void put_legend(const gz_svg *page, const pair_answer *a) {
    gz_legend left = {page, 24, 520}, right = {page, 300, 520};
    char text[96], number[GZ_DECIMAL_SIZE], when[GZ_DECIMAL_SIZE];
    gz_decimal_format_fixed(number, a->found.at.distance, 4);
    snprintf(text, sizeof text, a->moving ? "distance %s m at %s s" : "distance %s m", number,
             gz_decimal_format_fixed(when, a->found.at.time, 4));
    gz_planar_paint_explain(&left, GZ_FIRST_PAINT, "first");
    gz_planar_paint_explain(&left, GZ_SECOND_PAINT + a->found.at.hit,
                            a->found.at.hit ? "second: they touch" : "second");
    gz_legend_line(&right, NEAREST_STYLE, text);
    if (a->moving) gz_legend_line(&right, WAY_STYLE, "from where they begin");
}

static int draw(FILE *stream, const void *answer) {
    const pair_answer *a = answer;
    const gz_planar_pair *pair = &a->pair;
    double time = isfinite(a->found.at.time) ? a->found.at.time : 0;
    graze_planar_bounds box = gz_planar_box_empty;
    for (int second = 0; second < 2; second++) {
        graze_planar_bounds own = gz_planar_shapes_box(second ? &pair->b : &pair->a);
        graze_vec2 v = second ? pair->velocity_b : pair->velocity_a;
        gz_planar_box_join(&box, &own, (graze_vec2){0, 0});
        gz_planar_box_join(&box, &own, (graze_vec2){time * v.x, time * v.y});
    }
    const gz_plot_box place = {24, 24, 592, 480}, inner = {40, 40, 560, 432};
    gz_svg page = gz_plot_page(stream, 640, 572);
    gz_svg svg = gz_plot_panel(&page, inner, box.min, box.max);
    for (int k = a->moving ? 0 : 2; k < 4; k++) draw_shape(&svg, a, k % 2 == 1, k < 2, time);
    gz_svg_line(&svg, a->found.at.point_a, a->found.at.point_b, NEAREST_STYLE);
    gz_svg_dot(&svg, a->found.at.point_a, 4, "fill=\"" GZ_PLANAR_INK "\"");
    gz_svg_dot(&svg, a->found.at.point_b, 4, "fill=\"" GZ_PLANAR_INK "\"");
    gz_plot_scale_bar(&svg, &page, place);
    put_legend(&page, a);
    gz_svg_end(&page);
    return GZ_EXIT_FINE;
}

static int run(const gz_command_line *line, bool moving, int argc, char **argv) {
    pair_answer a = {.moving = moving};
    int status = gz_planar_pair_parse(&a.pair, line, moving, NULL, "draw the shapes and the answer",
                                      argc, argv);
    if (status != GZ_GO_ON) return status;
    status = evaluate(&a) == GRAZE_OK ? gz_planar_report_write(&a.pair.report,
                                                               moving ? "graze-planar-approach-1"
                                                                      : "graze-planar-distance-1",
                                                               put_answer, draw, &a)
                                      : gz_planar_pair_refused(line->command);
    gz_planar_pair_free(&a.pair);
    if (status != GZ_EXIT_FINE) return status;
    return a.found.at.hit ? GZ_EXIT_FINDING : GZ_EXIT_FINE;
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
