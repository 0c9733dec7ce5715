// graze planar obstacle: the velocities with which two shapes touch within a horizon.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/message.h"
#include "cli/output.h"
#include "cli/planar/planar_input.h"
#include "cli/text.h"
#include "graze/planar_approach.h"
#include "picture/svg.h"

static const char *const format_names[] = {"text", "json", NULL};
static const char command[] = "planar obstacle";

typedef struct obstacle_options {
    gz_planar_pair pair;
    const char *output, *picture;
    int format;
} obstacle_options;

static const gz_command_line command_line = {
    .command = command,
    .synopsis = "planar obstacle --first SHAPE --second SHAPE [options]",
    .about =
        "The velocity obstacle: all velocities of the second shape relative to the first with\n"
        "which they touch within the horizon. Prints where the velocity given lies (signed\n"
        "distance to the border, below 0 inside) and the nearest one on the border. Exit\n"
        "status 1 where it is inside.",
    .examples = "  graze planar obstacle --first circle:0,0,1 --second circle:9,1,1 \\\n"
                "      --second-velocity -1,0 --horizon 20\n",
};

static int parse(obstacle_options *o, int argc, char **argv) {
    gz_option shapes[GZ_PAIR_SHAPE_OPTIONS], motion[GZ_PAIR_MOTION_OPTIONS];
    gz_planar_pair_options(&o->pair, shapes, motion);
    gz_option answer[] = {
        {"format", "FORMAT", .choice = &o->format, .choices = format_names,
         .help = "text (default), json"},
        GZ_OPTION_OUTPUT(&o->output),
        {"picture", "FILE.svg", .text = &o->picture, .file = GZ_FILE_WRITTEN,
         .help = "draw the shapes, and the obstacle among the velocities"},
    };
    gz_option_section sections[] = {{"shapes", shapes, GZ_PAIR_SHAPE_OPTIONS},
                                    {"motion", motion, GZ_PAIR_MOTION_OPTIONS},
                                    {"answer", answer, 3}};
    return gz_command_line_parse(&command_line, NULL, sections, GZ_COUNT(sections), argc, argv);
}

static graze_vec2 relative(const gz_planar_pair *p) {
    return (graze_vec2){p->velocity_b.x - p->velocity_a.x, p->velocity_b.y - p->velocity_a.y};
}

static void put_point(FILE *stream, const char *name, graze_vec2 p) {
    char x[GZ_DECIMAL_SIZE], y[GZ_DECIMAL_SIZE];
    fprintf(stream, "%-9s (%s, %s)\n", name, gz_decimal_format_fixed(x, p.x, 6),
            gz_decimal_format_fixed(y, p.y, 6));
}

static void write_text(FILE *stream, const gz_planar_pair *p,
                       const graze_planar_velocity_obstacle_result *r) {
    graze_vec2 v = relative(p);
    char number[GZ_DECIMAL_SIZE];
    if (r->overlapping) {
        fputs("inside: the shapes touch already, whatever the velocity\n", stream);
        put_point(stream, "velocity", v);
        return;
    }
    fputs(r->inside ? "inside\n" : "outside\n", stream);
    put_point(stream, "velocity", v);
    fprintf(stream, "distance  %s\n", gz_decimal_format_fixed(number, r->distance, 6));
    put_point(stream, "normal", r->normal);
    put_point(stream, "border", r->boundary);
    put_point(stream, "change", (graze_vec2){r->boundary.x - v.x, r->boundary.y - v.y});
}

static void write_json(FILE *stream, const gz_planar_pair *p,
                       const graze_planar_velocity_obstacle_result *r) {
    graze_vec2 v = relative(p);
    gz_json json = gz_json_begin(stream, "graze-planar-obstacle-1");
    gz_json_put(&json, "inside=%i touching=%i", r->inside, r->overlapping);
    gz_planar_json_point(&json, "velocity", v);
    if (r->overlapping) {
        gz_json_put(&json, "distance=null normal=null border=null change=null");
    } else {
        gz_json_put(&json, "distance=%g", r->distance + 0.0);
        gz_planar_json_point(&json, "normal", r->normal);
        gz_planar_json_point(&json, "border", r->boundary);
        gz_planar_json_point(&json, "change",
                             (graze_vec2){r->boundary.x - v.x, r->boundary.y - v.y});
    }
    gz_json_finish(&json);
}

// ------------------------------------------------------------------------------------- the picture
//
// Two shapes with their velocities; beside them the velocity obstacle among relative velocities.
//
// With C the difference of the polygons and r the sum of the radii, the obstacle is C / horizon and
// the cone of C grown by r from there on, both grown by r / horizon. It is drawn as the hull of
// C / horizon here and far along either leg of the cone, with a round stroke as wide as the growth.

#define INK    "#222222"
#define FIRST  "#2b5f9e"
#define SECOND "#3f7d33"
#define HIT    "#b4451b"

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
    const graze_planar_shape *a = &p->pair->a, *b = &p->pair->b;
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
    if (graze_planar_distance(&q->a, &q->b, &now) != GRAZE_OK) return false;
    for (int i = 0; i < 2; i++) {
        double turn = i == 0 ? fraction : -fraction;
        graze_vec2 sample_point = {-fraction * now.normal.x + turn * now.normal.y,
                                   -fraction * now.normal.y - turn * now.normal.x};
        graze_planar_velocity_obstacle_result r;
        if (graze_planar_velocity_obstacle(&q->a, (graze_vec2){0, 0}, &q->b, sample_point, INFINITY,
                                           &r) != GRAZE_OK)
            return false;
        legs[i] = i == 0 ? (graze_vec2){r.normal.y, -r.normal.x}
                         : (graze_vec2){-r.normal.y, r.normal.x};
    }
    return true;
}

// ------------------------------------------------------------------------------------------ hull

static int compare(const void *first, const void *second) {
    const graze_vec2 *a = first, *b = second;
    if (a->x != b->x) return a->x < b->x ? -1 : 1;
    return (a->y > b->y) - (a->y < b->y);
}

static bool turns_left(graze_vec2 a, graze_vec2 b, graze_vec2 c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0;
}

/// Andrew's chain, lower side and upper side; points are sorted, hull has room for one more.
static size_t hull_of(graze_vec2 *points, size_t count, graze_vec2 *hull) {
    qsort(points, count, sizeof *points, compare);
    size_t size = 0, least = 2;
    for (size_t i = 0; i < count; i++) {
        while (size >= least && !turns_left(hull[size - 2], hull[size - 1], points[i])) size--;
        hull[size++] = points[i];
    }
    least = size + 1;
    for (size_t i = count - 1; i-- > 0;) {
        while (size >= least && !turns_left(hull[size - 2], hull[size - 1], points[i])) size--;
        hull[size++] = points[i];
    }
    return size > 1 ? size - 1 : size;
}

// ------------------------------------------------------------------------------------- velocities

static void include(picture *p, graze_vec2 v, double extent) {
    p->plot.min = (graze_vec2){fmin(p->plot.min.x, v.x - extent),
                               fmin(p->plot.min.y, v.y - extent)};
    p->plot.max = (graze_vec2){fmax(p->plot.max.x, v.x + extent),
                               fmax(p->plot.max.y, v.y + extent)};
}

/// A square window that shows the origin, the velocity, its way out and the obstacle's front.
static void frame_velocities(picture *p) {
    p->plot.min = p->plot.max = (graze_vec2){0, 0};
    include(p, p->v, 0);
    if (!p->answer->overlapping) {
        include(p, p->answer->boundary, 0);
        for (size_t i = 0; i < p->front_count; i++) include(p, p->front[i], p->grown);
    }
    graze_vec2 low = p->plot.min, high = p->plot.max;
    double half = 0.64 * fmax(high.x - low.x, high.y - low.y);
    if (!(half > 0)) half = 1;
    graze_vec2 middle = {0.5 * (low.x + high.x), 0.5 * (low.y + high.y)};
    p->plot.min = (graze_vec2){middle.x - half, middle.y - half};
    p->plot.max = (graze_vec2){middle.x + half, middle.y + half};
}

static void put_obstacle(const picture *p) {
    static const char style[] = "fill=\"%s\" stroke=\"%s\" stroke-width=\"%.2f\" "
                                "stroke-linejoin=\"round\"";
    graze_vec2 points[3 * DIFFERENCE_MAX], hull[3 * DIFFERENCE_MAX + 1], legs[2];
    if (!find_legs(p, legs)) return;
    double window = p->plot.max.x - p->plot.min.x, far = 6 * window;
    size_t count = 0;
    for (size_t i = 0; i < p->front_count; i++) {
        graze_vec2 f = p->front[i];
        points[count++] = f;
        points[count++] = (graze_vec2){f.x + far * legs[0].x, f.y + far * legs[0].y};
        points[count++] = (graze_vec2){f.x + far * legs[1].x, f.y + far * legs[1].y};
    }
    count = hull_of(points, count, hull);
    for (size_t i = 0; i < count; i++) hull[i] = gz_plot_at(&p->plot, hull[i].x, hull[i].y);
    double wide = 2 * p->grown * p->plot.box.width / window;
    char text[160];
    snprintf(text, sizeof text, style, HIT, HIT, wide + 3.6);
    gz_svg_polygon(p->plot.page, hull, count, text);
    snprintf(text, sizeof text, style, "#f9e1d7", "#f9e1d7", wide);
    gz_svg_polygon(p->plot.page, hull, count, text);
}

static void put_velocity(const picture *p) {
    const gz_svg *page = p->plot.page;
    graze_vec2 origin = gz_plot_at(&p->plot, 0, 0), v = gz_plot_at(&p->plot, p->v.x, p->v.y);
    graze_vec2 border = gz_plot_at(&p->plot, p->answer->boundary.x, p->answer->boundary.y);
    graze_vec2 back = {origin.x - v.x, origin.y - v.y}, out = {border.x - v.x, border.y - v.y};
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

static void put_velocities(picture *p) {
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
        put_obstacle(p);
    }
    gz_plot_clip_end(page);
    gz_plot_axes(&p->plot, "Relative velocities, second less first", "x, m/s", "y, m/s");
    put_velocity(p);
}

// ----------------------------------------------------------------------------------------- shapes

static graze_vec2 middle_of(const graze_planar_shape *shape) {
    graze_vec2 sum = {0, 0};
    for (int i = 0; i < shape->count; i++) {
        sum.x += shape->x[i] / shape->count;
        sum.y += shape->y[i] / shape->count;
    }
    return sum;
}

static void put_mover(const gz_svg *svg, const graze_planar_shape *shape, graze_vec2 velocity,
                      double second, const char *name, const char *color) {
    graze_vec2 from = middle_of(shape);
    graze_vec2 to = {from.x + second * velocity.x, from.y + second * velocity.y};
    gz_plot_arrow(svg, from, to, color);
    gz_svg_dot(svg, from, 3.5, "fill=\"" INK "\"");
    // Above or below the shape, where its arrow does not point.
    graze_planar_bounds box = graze_planar_shape_bounds(shape);
    bool above = velocity.y < 0;
    char style[64];
    snprintf(style, sizeof style, "fill=\"%s\" text-anchor=\"middle\"", color);
    gz_svg_text(svg, (graze_vec2){0.5 * (box.min.x + box.max.x), above ? box.max.y : box.min.y}, 0,
                above ? 8 : -18, name, style);
}

static void put_shapes(const gz_svg *page, const picture *p) {
    const gz_planar_pair *q = p->pair;
    graze_vec2 min = {INFINITY, INFINITY}, max = {-INFINITY, -INFINITY};
    gz_planar_pair_grow_box(&q->a, &min, &max);
    gz_planar_pair_grow_box(&q->b, &min, &max);
    double fastest = fmax(hypot(q->velocity_a.x, q->velocity_a.y),
                          hypot(q->velocity_b.x, q->velocity_b.y));
    // The faster of the two gets an arrow of a fifth of the drawing; it may leave the shapes' box.
    double size = fmax(max.x - min.x, max.y - min.y);
    double second = fastest > 0 ? 0.22 * size / fastest : 0;
    const graze_vec2 ends[2] = {middle_of(&q->a), middle_of(&q->b)},
                     speeds[2] = {q->velocity_a, q->velocity_b};
    for (int i = 0; i < 2; i++) {
        graze_vec2 tip = {ends[i].x + second * speeds[i].x, ends[i].y + second * speeds[i].y};
        min = (graze_vec2){fmin(min.x, tip.x), fmin(min.y, tip.y)};
        max = (graze_vec2){fmax(max.x, tip.x), fmax(max.y, tip.y)};
    }
    gz_svg svg = gz_plot_panel(page, (gz_plot_box){36, 70, 448, 360}, min, max);
    gz_svg_shape(&svg, &q->a, "fill=\"#cfe0f3\" stroke=\"" FIRST "\" stroke-width=\"1.5\"");
    gz_svg_shape(&svg, &q->b, "fill=\"#d7ead2\" stroke=\"" SECOND "\" stroke-width=\"1.5\"");
    put_mover(&svg, &q->a, q->velocity_a, second, "first", FIRST);
    put_mover(&svg, &q->b, q->velocity_b, second, "second", SECOND);
    gz_plot_words(page, 24, 48, "The shapes and their velocities",
                  "fill=\"" INK "\" font-weight=\"bold\"");
}

// ----------------------------------------------------------------------------------------- legend

static void put_legend(const gz_svg *page, const picture *p) {
    const graze_planar_velocity_obstacle_result *r = p->answer;
    char text[128], number[GZ_DECIMAL_SIZE];
    double x = 590, y = 520;
    const graze_vec2 patch[4] = {{x, -y + 8}, {x + 24, -y + 8}, {x + 24, -y - 6}, {x, -y - 6}};
    gz_svg_polygon(page, patch, 4, "fill=\"#f9e1d7\" stroke=\"" HIT "\" stroke-width=\"1.8\"");
    if (isfinite(p->pair->horizon)) {
        snprintf(text, sizeof text, "they touch within %s s",
                 gz_decimal_format(number, p->pair->horizon));
    } else {
        snprintf(text, sizeof text, "they touch some time");
    }
    gz_plot_words(page, x + 32, y + 3.5, text, "fill=\"" INK "\"");
    gz_plot_arrow(page, (graze_vec2){x + 234, -y}, (graze_vec2){x + 268, -y}, INK);
    gz_plot_words(page, x + 276, y + 3.5, "velocity given, v", "fill=\"" INK "\"");
    const char *verdict =
        r->overlapping ? "They touch already: every velocity is inside."
        : r->inside    ? "Inside: they will touch. Dashed: the least change that avoids it."
                       : "Outside: they will not touch. Dashed: the way to the nearest border.";
    gz_plot_words(page, 24, y + 3.5, verdict,
                  r->inside ? "fill=\"" HIT "\"" : "fill=\"" SECOND "\"");
}

static int draw(const gz_planar_pair *pair, const graze_planar_velocity_obstacle_result *answer,
                const char *path) {
    picture p = {.pair = pair, .answer = answer};
    p.v = (graze_vec2){pair->velocity_b.x - pair->velocity_a.x,
                       pair->velocity_b.y - pair->velocity_a.y};
    gz_output output;
    int status = gz_output_open(&output, path);
    if (status != 0) return status;
    gz_svg page = gz_plot_page(output.stream, 1000, 544);
    p.plot = (gz_plot){.page = &page, .box = {590, 60, 390, 390}};
    collect_front(&p);
    put_shapes(&page, &p);
    put_velocities(&p);
    put_legend(&page, &p);
    gz_svg_end(&page);
    return gz_output_finish(&output);
}

// ----------------------------------------------------------------------------------------- command

int gz_planar_obstacle(int argc, char **argv) {
    obstacle_options o = {.pair.horizon = 10};
    const gz_planar_pair *p = &o.pair;
    int status = parse(&o, argc, argv);
    if (status != GZ_GO_ON) return status;
    status = gz_planar_pair_read(&o.pair, command);
    if (status == GZ_EXIT_FINE) status = gz_planar_picture_check(command, o.picture, true, false);
    const char *const outputs[] = {o.output, o.picture};
    if (status == GZ_EXIT_FINE) status = gz_planar_outputs_check(command, outputs, 2);
    if (status != GZ_EXIT_FINE) return status;
    graze_planar_velocity_obstacle_result answer;
    if (graze_planar_velocity_obstacle(&p->a, p->velocity_a, &p->b, p->velocity_b, p->horizon,
                                       &answer) != GRAZE_OK)
        return gz_planar_pair_refused(command);
    gz_output output;
    status = gz_output_open(&output, o.output);
    if (status != GZ_EXIT_FINE) return status;
    if (o.format == 0)
        write_text(output.stream, p, &answer);
    else
        write_json(output.stream, p, &answer);
    status = gz_output_finish(&output);
    if (status == GZ_EXIT_FINE && o.picture != NULL) status = draw(p, &answer, o.picture);
    return status != GZ_EXIT_FINE ? status : answer.inside ? GZ_EXIT_FINDING : GZ_EXIT_FINE;
}
