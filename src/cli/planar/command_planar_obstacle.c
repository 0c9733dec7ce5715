// graze planar obstacle: the velocities with which two shapes touch within a horizon.

#include <math.h>
#include <stdio.h>

#include "cli/message.h"
#include "cli/output.h"
#include "cli/planar/planar_input.h"
#include "cli/text.h"
#include "graze/planar_approach.h"
#include "picture/svg.h"

/// The question and its answer.
typedef struct obstacle {
    gz_planar_pair pair;
    graze_vec2 v; ///< of the second shape relative to the first
    graze_planar_velocity_obstacle_result answer;
} obstacle;

static const gz_command_line command_line = {
    .command = "planar obstacle",
    .synopsis = "planar obstacle --first SHAPE --second SHAPE [options]",
    .about =
        "The velocity obstacle: all velocities of the second shape relative to the first with\n"
        "which they touch within the horizon. Prints where the velocity given lies (signed\n"
        "distance to the border, below 0 inside) and the nearest one on the border. Exit\n"
        "status 1 where it is inside.",
    .examples = "  graze planar obstacle --first circle:0,0,1 --second circle:9,1,1 \\\n"
                "      --second-velocity -1,0 --horizon 20\n",
};

static int write_text(FILE *stream, const void *user) {
    const obstacle *o = user;
    const graze_planar_velocity_obstacle_result *r = &o->answer;
    char number[GZ_DECIMAL_SIZE];
    if (r->overlapping) {
        fputs("inside: the shapes touch already, whatever the velocity\n", stream);
        gz_planar_put_point(stream, "velocity", o->v, "");
        return GZ_EXIT_FINE;
    }
    fputs(r->inside ? "inside\n" : "outside\n", stream);
    gz_planar_put_point(stream, "velocity", o->v, "");
    fprintf(stream, "distance  %s\n", gz_decimal_format_fixed(number, r->distance, 6));
    gz_planar_put_point(stream, "normal", r->normal, "");
    gz_planar_put_point(stream, "border", r->boundary, "");
    gz_planar_put_point(stream, "change", gz_planar_minus(r->boundary, o->v), "");
    return GZ_EXIT_FINE;
}

static int write_json(FILE *stream, const void *user) {
    const obstacle *o = user;
    const graze_planar_velocity_obstacle_result *r = &o->answer;
    gz_json json = gz_json_begin(stream, "graze-planar-obstacle-1");
    gz_json_put(&json, "inside=%i touching=%i", r->inside, r->overlapping);
    gz_planar_json_point(&json, "velocity", o->v);
    if (r->overlapping) {
        gz_json_put(&json, "distance=null normal=null border=null change=null");
    } else {
        gz_json_put(&json, "distance=%g", r->distance + 0.0);
        gz_planar_json_point(&json, "normal", r->normal);
        gz_planar_json_point(&json, "border", r->boundary);
        gz_planar_json_point(&json, "change", gz_planar_minus(r->boundary, o->v));
    }
    gz_json_finish(&json);
    return GZ_EXIT_FINE;
}

// ------------------------------------------------------------------------------------- the picture
//
// Two shapes with their velocities; beside them the velocity obstacle among relative velocities.
//
// With C the difference of the polygons and r the sum of the radii, the obstacle is C / horizon and
// the cone of C grown by r from there on, both grown by r / horizon. It is drawn as the hull of
// C / horizon here and far along either leg of the cone, with a round stroke as wide as the growth.

#define INK    GZ_PLANAR_INK
#define SECOND GZ_PLANAR_SECOND
#define HIT    GZ_PLANAR_HIT

#define DIFFERENCE_MAX (GRAZE_PLANAR_VERTEX_MAX * GRAZE_PLANAR_VERTEX_MAX)

typedef struct picture {
    const gz_planar_pair *pair;
    const graze_planar_velocity_obstacle_result *answer;
    graze_vec2 v;
    graze_vec2 front[DIFFERENCE_MAX]; ///< C / horizon
    size_t front_count;
    double grown; ///< r / horizon
    gz_plot plot;
} picture;

static void collect_front(picture *p) {
    const graze_planar_shape *a = p->pair->a.items, *b = p->pair->b.items;
    double over = 1 / p->pair->horizon;
    p->grown = (a->radius + b->radius) * over;
    for (int i = 0; i < a->count; i++) {
        for (int k = 0; k < b->count; k++) {
            p->front[p->front_count++] = (graze_vec2){(a->x[i] - b->x[k]) * over,
                                                      (a->y[i] - b->y[k]) * over};
        }
    }
}

/// The legs of the cone, unit: the sides of the obstacle without a horizon that are nearest to
/// velocities turned by an eighth from straight at each other.
static bool find_legs(const picture *p, graze_vec2 legs[2]) {
    static const double fraction = 0.70710678118654752;
    const gz_planar_pair *q = p->pair;
    graze_planar_result now;
    if (graze_planar_distance(q->a.items, q->b.items, &now) != GRAZE_OK) return false;
    for (int i = 0; i < 2; i++) {
        double turn = i == 0 ? fraction : -fraction;
        graze_vec2 sample_point = {-fraction * now.normal.x + turn * now.normal.y,
                                   -fraction * now.normal.y - turn * now.normal.x};
        graze_planar_velocity_obstacle_result r;
        if (graze_planar_velocity_obstacle(q->a.items, (graze_vec2){0, 0}, q->b.items, sample_point,
                                           INFINITY, &r) != GRAZE_OK)
            return false;
        legs[i] = i == 0 ? (graze_vec2){r.normal.y, -r.normal.x}
                         : (graze_vec2){-r.normal.y, r.normal.x};
    }
    return true;
}

// ------------------------------------------------------------------------------------- velocities

/// A square window that shows the origin, the velocity, its way out and the obstacle's front.
static void frame_velocities(picture *p) {
    graze_planar_bounds box = {{0, 0}, {0, 0}};
    gz_planar_box_add(&box, p->v);
    if (!p->answer->overlapping) {
        gz_planar_box_add(&box, p->answer->boundary);
        for (size_t i = 0; i < p->front_count; i++) {
            const graze_vec2 f = p->front[i], grown = {p->grown, p->grown};
            gz_planar_box_add(&box, gz_planar_minus(f, grown));
            gz_planar_box_add(&box, gz_planar_along(f, 1, grown));
        }
    }
    graze_vec2 low = box.min, high = box.max;
    double half = 0.64 * fmax(high.x - low.x, high.y - low.y);
    if (!(half > 0)) half = 1;
    graze_vec2 middle = {0.5 * (low.x + high.x), 0.5 * (low.y + high.y)};
    p->plot.min = (graze_vec2){middle.x - half, middle.y - half};
    p->plot.max = (graze_vec2){middle.x + half, middle.y + half};
}

/// Returns an exit status.
static int put_obstacle(const picture *p) {
    static const char style[] = "fill=\"%s\" stroke=\"%s\" stroke-width=\"%.2f\" "
                                "stroke-linejoin=\"round\"";
    graze_vec2 points[3 * DIFFERENCE_MAX], hull[3 * DIFFERENCE_MAX], legs[2];
    if (!find_legs(p, legs)) return GZ_EXIT_FINE;
    double window = p->plot.max.x - p->plot.min.x, far = 6 * window;
    size_t count = 0;
    for (size_t i = 0; i < p->front_count; i++) {
        graze_vec2 f = p->front[i];
        points[count++] = f;
        points[count++] = gz_planar_along(f, far, legs[0]);
        points[count++] = gz_planar_along(f, far, legs[1]);
    }
    if (graze_planar_hull_corners(&hull[0].x, &count, &points[0].x, count, NULL) != GRAZE_OK)
        return gz_message_no_memory();
    for (size_t i = 0; i < count; i++) hull[i] = gz_plot_at(&p->plot, hull[i].x, hull[i].y);
    double wide = 2 * p->grown * p->plot.box.width / window;
    char text[160];
    snprintf(text, sizeof text, style, HIT, HIT, wide + 3.6);
    gz_svg_polygon(p->plot.page, hull, count, text);
    snprintf(text, sizeof text, style, "#f9e1d7", "#f9e1d7", wide);
    gz_svg_polygon(p->plot.page, hull, count, text);
    return GZ_EXIT_FINE;
}

static void put_velocity(const picture *p) {
    const gz_svg *page = p->plot.page;
    graze_vec2 origin = gz_plot_at(&p->plot, 0, 0), v = gz_plot_at(&p->plot, p->v.x, p->v.y);
    graze_vec2 border = gz_plot_at(&p->plot, p->answer->boundary.x, p->answer->boundary.y);
    graze_vec2 back = gz_planar_minus(origin, v), out = gz_planar_minus(border, v);
    gz_plot_arrow(page, origin, v, INK);
    gz_svg_dot(page, origin, 3.5, "fill=\"" INK "\"");
    graze_vec2 taken[2] = {back, out};
    if (!p->answer->overlapping) {
        char text[64], number[GZ_DECIMAL_SIZE];
        gz_svg_line(page, v, border,
                    "stroke=\"#7b3fa0\" stroke-width=\"2\" stroke-dasharray=\"6 4\"");
        gz_svg_dot(page, border, 5, "fill=\"#7b3fa0\" stroke=\"#ffffff\"");
        snprintf(text, sizeof text, "%s m/s",
                 gz_decimal_format_fixed(number, p->answer->distance, 3));
        // Off the way out and off the border, which runs across the normal.
        graze_vec2 n = p->answer->normal;
        const graze_vec2 lines[3] = {{-out.x, -out.y}, {-n.y, n.x}, {n.y, -n.x}};
        gz_plot_label(page, border, 16, lines, 3, text, "#7b3fa0");
    }
    if (hypot(back.x, back.y) >= 1) gz_plot_label(page, v, 12, taken, 2, "v", INK);
}

static int put_velocities(picture *p) {
    int status = GZ_EXIT_FINE;
    frame_velocities(p);
    const gz_svg *page = p->plot.page;
    gz_plot_clip_begin(page, p->plot.box, 1);
    if (p->answer->overlapping) {
        const gz_plot_box *b = &p->plot.box;
        const graze_vec2 all[4] = {{b->x, -b->y},
                                   {b->x + b->width, -b->y},
                                   {b->x + b->width, -(b->y + b->height)},
                                   {b->x, -(b->y + b->height)}};
        gz_svg_polygon(page, all, 4, "fill=\"#f9e1d7\"");
    } else {
        status = put_obstacle(p);
    }
    gz_plot_clip_end(page);
    gz_plot_axes(&p->plot, "Relative velocities, second less first", "x, m/s", "y, m/s");
    put_velocity(p);
    return status;
}

// ----------------------------------------------------------------------------------------- legend

static void put_legend(const gz_svg *page, const picture *p) {
    const graze_planar_velocity_obstacle_result *r = p->answer;
    char text[128], number[GZ_DECIMAL_SIZE];
    const double x = 590, y = 520;
    gz_legend legend = {page, x, y - 8};
    if (isfinite(p->pair->horizon)) {
        snprintf(text, sizeof text, "they touch within %s s",
                 gz_decimal_format(number, p->pair->horizon));
    } else {
        snprintf(text, sizeof text, "they touch some time");
    }
    gz_legend_patch(&legend, "fill=\"#f9e1d7\" stroke=\"" HIT "\" stroke-width=\"1.8\"", text);
    gz_plot_arrow(page, (graze_vec2){x + 234, -y}, (graze_vec2){x + 268, -y}, INK);
    gz_plot_words(page, x + 276, y + 3.5, "velocity given, v", "fill=\"" INK "\"");
    const char *verdict =
        r->overlapping ? "They touch already: every velocity is inside."
        : r->inside    ? "Inside: they will touch. Dashed: the least change that avoids it."
                       : "Outside: they will not touch. Dashed: the way to the nearest border.";
    gz_plot_words(page, 24, y + 3.5, verdict,
                  r->inside ? "fill=\"" HIT "\"" : "fill=\"" SECOND "\"");
}

static int draw(FILE *stream, const void *user) {
    const obstacle *o = user;
    picture p = {.pair = &o->pair, .answer = &o->answer, .v = o->v};
    gz_svg page = gz_plot_page(stream, 1000, 544);
    p.plot = (gz_plot){.page = &page, .box = {590, 60, 390, 390}};
    collect_front(&p);
    gz_planar_movers_draw(&page, p.pair);
    int status = put_velocities(&p);
    put_legend(&page, &p);
    gz_svg_end(&page);
    return status;
}

int gz_planar_obstacle(int argc, char **argv) {
    obstacle o = {.v = {0, 0}};
    const gz_planar_pair *p = &o.pair;
    int status = gz_planar_pair_parse(&o.pair, &command_line, true, NULL,
                                      "draw the shapes, and the obstacle among the velocities",
                                      argc, argv);
    if (status != GZ_GO_ON) return status;
    o.v = gz_planar_minus(p->velocity_b, p->velocity_a);
    if (p->a.count > 1 || p->b.count > 1)
        status = gz_message_usage(command_line.command, "a shape is not convex; allowed: convex "
                                                        "ones, whose obstacle has one border");
    else if (graze_planar_velocity_obstacle(p->a.items, p->velocity_a, p->b.items, p->velocity_b,
                                            p->horizon, &o.answer) != GRAZE_OK)
        status = gz_planar_pair_refused(command_line.command);
    else
        status = gz_planar_report_write(&p->report, write_text, write_json, draw, &o);
    gz_planar_pair_free(&o.pair);
    return status != GZ_EXIT_FINE ? status : o.answer.inside ? GZ_EXIT_FINDING : GZ_EXIT_FINE;
}
