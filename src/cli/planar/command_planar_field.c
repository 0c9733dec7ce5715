// graze planar field: how near two moving shapes come to each other, over the velocities or the
// places of the second one, with the gradient; graze planar obstacle: how far a velocity is from
// those with which two shapes touch, the same over relative velocities.

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "cli/message.h"
#include "cli/planar/planar_input.h"
#include "cli/text.h"
#include "graze/planar_approach.h"

enum { OVER_VELOCITY, OVER_PLACE, OVER_RELATIVE };

/// A cell: the clearance, or the signed distance from the velocity obstacle, with its gradient.
typedef struct sample {
    double value;
    graze_vec2 gradient;
    double time;
    bool differentiable;
} sample;

typedef struct field {
    gz_planar_pair pair;
    const char *command, *values;
    gz_cspace_sides sides;
    int over;         ///< OVER_RELATIVE: the velocity obstacle
    graze_vec2 given; ///< the second shape's velocity, or its middle, or the relative velocity
    graze_cspace map; ///< its sides
    sample *cells;
    sample here;                                    ///< at the place given
    graze_planar_velocity_obstacle_result obstacle; ///< OVER_RELATIVE: of the velocity given
    double least, greatest;
    size_t touching;
} field;

// ------------------------------------------------------------------------------------- the field

/// The least over all pairs of parts.
static bool find_clearance(const field *f, graze_vec2 at, sample *out) {
    const gz_planar_pair *p = &f->pair;
    bool moves = f->over == OVER_VELOCITY;
    graze_vec2 velocity = moves ? at : p->velocity_b;
    graze_vec2 by = moves ? (graze_vec2){0, 0} : gz_planar_minus(at, f->given);
    *out = (sample){.value = INFINITY};
    for (size_t k = 0; k < p->b.count; k++) {
        const graze_transform2 pose = {1, 0, by.x, by.y};
        graze_planar_shape second;
        if (graze_planar_transform(&second, &p->b.items[k], &pose, NULL) != GRAZE_OK) return false;
        for (size_t i = 0; i < p->a.count; i++) {
            graze_planar_clearance_result r;
            if (graze_planar_clearance(&p->a.items[i], p->velocity_a, &second, velocity, p->horizon,
                                       0, &r) != GRAZE_OK)
                return false;
            if (!(r.clearance < out->value)) continue;
            *out = (sample){r.clearance, moves ? r.by_velocity : r.by_position, r.time,
                            r.differentiable};
        }
    }
    return true;
}

static bool evaluate(const field *f, graze_vec2 at, sample *out) {
    graze_planar_velocity_obstacle_result r;
    if (f->over != OVER_RELATIVE) return find_clearance(f, at, out);
    if (graze_planar_velocity_obstacle(f->pair.a.items, (graze_vec2){0, 0}, f->pair.b.items, at,
                                       f->pair.horizon, &r) != GRAZE_OK)
        return false;
    *out = (sample){.value = r.overlapping ? -1 : r.distance, .gradient = r.normal};
    return true;
}

static int fill(field *f) {
    size_t columns = f->map.width, rows = f->map.height;
    f->cells = gz_malloc(columns * rows, sizeof *f->cells);
    if (!f->cells) return gz_message_no_memory();
    bool good = evaluate(f, f->given, &f->here);
    f->least = INFINITY;
    f->greatest = -INFINITY;
    for (size_t i = 0; good && i < columns * rows; i++) {
        graze_vec2 at = graze_planar_map_middle(&f->map, (uint32_t)(i % columns),
                                                (uint32_t)(i / columns));
        good = evaluate(f, at, &f->cells[i]);
        f->least = fmin(f->least, f->cells[i].value);
        f->greatest = fmax(f->greatest, f->cells[i].value);
        f->touching += f->cells[i].value <= 0;
    }
    return good ? GZ_EXIT_FINE : gz_planar_pair_refused(f->command);
}

/// A square about what matters: all velocities as fast as those given, or with which the shapes
/// meet within the horizon; all places from which they do.
static void choose_range(field *f) {
    const gz_planar_pair *p = &f->pair;
    graze_planar_bounds a = gz_planar_shapes_box(&p->a), b = gz_planar_shapes_box(&p->b);
    graze_vec2 first = gz_planar_shapes_middle(&p->a), second = gz_planar_shapes_middle(&p->b);
    graze_vec2 apart = gz_planar_minus(first, second),
               v = gz_planar_minus(p->velocity_b, p->velocity_a);
    double sizes = hypot(a.max.x - a.min.x, a.max.y - a.min.y) +
                   hypot(b.max.x - b.min.x, b.max.y - b.min.y);
    double horizon = fmin(p->horizon, 10), half;
    graze_vec2 middle;
    if (f->over != OVER_PLACE) {
        middle = f->over == OVER_VELOCITY ? p->velocity_a : (graze_vec2){0, 0};
        half = fmax(hypot(v.x, v.y), (hypot(apart.x, apart.y) + 0.5 * sizes) / fmax(horizon, 1e-9));
    } else {
        // The way that is left goes backwards from the first shape.
        double way = fmin(hypot(v.x, v.y) * horizon, 3 * sizes), speed = hypot(v.x, v.y);
        middle = speed > 0 ? gz_planar_along(first, -0.5 * way / speed, v) : first;
        half = fmax(0.5 * way + 0.7 * sizes, hypot(second.x - middle.x, second.y - middle.y));
    }
    half = 1.25 * (half > 0 ? half : 1);
    for (int side = 0; side < 2; side++) {
        f->map.ranges[0][side] = middle.x + (side ? half : -half);
        f->map.ranges[1][side] = middle.y + (side ? half : -half);
    }
}

// ---------------------------------------------------------------------------------------- output

static const char *unit(const field *f) {
    return f->over == OVER_PLACE ? "m" : "m/s";
}

static void put_field(gz_json *json, const void *answer) {
    const field *f = answer;
    const graze_cspace *m = &f->map;
    gz_json_put(json, "over=%s", f->over == OVER_VELOCITY ? "velocity" : "place");
    gz_cspace_put_axis(json, 0, NULL, unit(f), m->ranges[0], m->width);
    gz_cspace_put_axis(json, 1, NULL, unit(f), m->ranges[1], m->height);
    gz_json_put(json, "touching=%zu least=%g greatest=%g", f->touching, f->least, f->greatest);
    gz_planar_put_point(json, "at", f->given);
    gz_json_put(json, "clearance=%g time=%g differentiable=%i", f->here.value, f->here.time,
                f->here.differentiable);
    gz_planar_put_point(json, "gradient", f->here.gradient);
}

static void put_obstacle(gz_json *json, const void *answer) {
    const field *f = answer;
    const graze_planar_velocity_obstacle_result *r = &f->obstacle;
    gz_json_put(json, "inside=%i touching=%i", r->inside, r->overlapping);
    gz_planar_put_point(json, "velocity", f->given);
    if (r->overlapping) {
        gz_json_put(json, "distance=null normal=null border=null change=null");
        return;
    }
    gz_json_put(json, "distance=%g", r->distance + 0.0);
    gz_planar_put_point(json, "normal", r->normal);
    gz_planar_put_point(json, "border", r->boundary);
    gz_planar_put_point(json, "change", gz_planar_minus(r->boundary, f->given));
}

/// float64 [rows, columns, 3]: clearance, gradient.
static int write_values(FILE *stream, const void *answer) {
    const field *f = answer;
    size_t columns = f->map.width, rows = f->map.height;
    gz_npy_header_write(stream, "<f8", rows, 3 * columns);
    for (size_t i = 0; i < rows * columns; i++) {
        const sample *s = &f->cells[i];
        const double values[3] = {s->value, s->gradient.x, s->gradient.y};
        gz_npy_items_write(stream, values, sizeof *values, 3);
    }
    return GZ_EXIT_FINE;
}

// ------------------------------------------------------------------------------------- the picture

enum { BANDS = 8, ARROWS = 17 };
#define CHANGE_STYLE "stroke=\"#7b3fa0\" stroke-width=\"2\" stroke-dasharray=\"6 4\""

/// Bands of clearance: red below 0, the deeper the stronger; blue above, the farther the stronger.
static void band_color(const field *f, double clearance, uint8_t rgb[3]) {
    static const uint8_t deep[3] = {176, 62, 24}, far[3] = {43, 95, 158};
    const uint8_t *full = clearance <= 0 ? deep : far;
    double most = fmax(fmax(fabs(f->least), fabs(f->greatest)), 1e-300);
    double band = floor(fabs(clearance) / most * BANDS * (1 - 1e-12));
    double share = clearance <= 0 ? 0.35 + 0.5 * band / BANDS : 0.06 + 0.6 * band / BANDS;
    for (int k = 0; k < 3; k++) rgb[k] = (uint8_t)(255 + (full[k] - 255) * share);
}

static bool put_bands(const field *f, const gz_plot *plot) {
    gz_pixels pixels = {NULL, (int32_t)f->map.width, (int32_t)f->map.height};
    size_t columns = (size_t)pixels.width, rows = (size_t)pixels.height;
    pixels.rgb = gz_malloc(3 * columns, rows);
    for (size_t i = 0; pixels.rgb && i < columns * rows; i++)
        band_color(f, f->cells[i].value,
                   pixels.rgb + 3 * ((rows - 1 - i / columns) * columns + i % columns));
    bool good = pixels.rgb && gz_plot_image(plot->page, plot->box, &pixels);
    gz_free(pixels.rgb);
    return good;
}

/// Arrows of the gradient; the longest is as long as they are apart.
static void put_arrows(const field *f, const gz_plot *plot) {
    double most = 0, space = plot->box.width / ARROWS;
    sample s[ARROWS * ARROWS];
    graze_vec2 places[ARROWS * ARROWS];
    graze_cspace coarse = f->map;
    coarse.width = coarse.height = ARROWS;
    for (uint32_t i = 0; i < ARROWS * ARROWS; i++) {
        places[i] = graze_planar_map_middle(&coarse, i % ARROWS, i / ARROWS);
        if (!evaluate(f, places[i], &s[i])) return;
        most = fmax(most, hypot(s[i].gradient.x, s[i].gradient.y));
    }
    for (int i = 0; i < ARROWS * ARROWS; i++) {
        graze_vec2 from = gz_plot_at(plot, places[i].x, places[i].y);
        double scale = most > 0 ? 0.95 * space / most : 0;
        graze_vec2 way = {scale * s[i].gradient.x, scale * s[i].gradient.y};
        gz_svg_dot(plot->page, from, 1.2, "fill=\"" GZ_PLANAR_INK "\"");
        gz_plot_thin_arrow(plot->page, from, gz_planar_along(from, 1, way), GZ_PLANAR_INK);
    }
}

/// The colours of the least and the greatest value, and how far from one band to the next.
static void put_color_legend(const field *f, const gz_svg *page) {
    const char *what = f->over == OVER_RELATIVE ? "m/s" : "m";
    const double values[3] = {f->least, f->greatest,
                              fmax(fabs(f->least), fabs(f->greatest)) / BANDS};
    static const char *const words[3] = {"least: ", "greatest: ", "a band: "};
    gz_legend legend = {page, 40, 474};
    for (int i = 0; i < 3; i++) {
        char text[96], number[GZ_DECIMAL_SIZE], style[64];
        uint8_t c[3];
        band_color(f, values[i], c);
        snprintf(style, sizeof style, "fill=\"#%02x%02x%02x\"", c[0], c[1], c[2]);
        snprintf(text, sizeof text, "%s%s %s", words[i],
                 gz_decimal_format_fixed(number, values[i], i < 2 ? 2 : 4), what);
        gz_legend_patch(&legend, style, text);
    }
}

/// The velocity or place given, and the nearest one on the obstacle's border.
static void put_given(const field *f, const gz_plot *plot) {
    graze_vec2 at = gz_plot_at(plot, f->given.x, f->given.y), border = f->obstacle.boundary;
    if (f->over == OVER_RELATIVE && !f->obstacle.overlapping) {
        border = gz_plot_at(plot, border.x, border.y);
        gz_svg_line(plot->page, at, border, CHANGE_STYLE);
        gz_svg_dot(plot->page, border, 4, "fill=\"#7b3fa0\" stroke=\"#ffffff\"");
    }
    gz_svg_dot(plot->page, at, 5,
               "fill=\"" GZ_PLANAR_SECOND "\" stroke=\"#ffffff\" stroke-width=\"1.5\"");
}

static int draw(FILE *stream, const void *answer) {
    static const char *const titles[] = {
        "Clearance over the second's velocity", "Clearance over the second's place",
        "Velocity obstacle: relative velocities, second less first"};
    const field *f = answer;
    gz_svg page = gz_plot_page(stream, 1000, 544);
    const double(*r)[2] = f->map.ranges;
    double wide = r[0][1] - r[0][0], high = r[1][1] - r[1][0], scale = 410 / fmax(wide, high);
    gz_plot plot = {
        &page, {570, 60, wide * scale, high * scale}, {r[0][0], r[1][0]}, {r[0][1], r[1][1]}};
    gz_planar_movers_draw(&page, &f->pair);
    bool good = put_bands(f, &plot);
    gz_plot_axes(&plot, titles[f->over], f->over == OVER_PLACE ? "x, m" : "x, m/s",
                 f->over == OVER_PLACE ? "y, m" : "y, m/s");
    gz_plot_clip_begin(&page, plot.box, 1);
    put_arrows(f, &plot);
    put_given(f, &plot);
    gz_plot_clip_end(&page);
    put_color_legend(f, &page);
    gz_legend legend = {&page, 350, 474};
    gz_legend_dot(&legend, "fill=\"" GZ_PLANAR_SECOND "\"",
                  f->over == OVER_PLACE ? "as given" : "velocity given");
    gz_legend_line(&legend, "stroke=\"" GZ_PLANAR_INK "\" stroke-width=\"1.2\"",
                   "gradient, to scale");
    gz_legend_patch(&legend, "fill=\"#e2a68c\"", "they touch within the horizon");
    gz_legend change = {&page, 600, 512};
    if (f->over == OVER_RELATIVE)
        gz_legend_line(&change, CHANGE_STYLE,
                       f->obstacle.overlapping ? "none: they touch already"
                       : f->obstacle.inside    ? "the least change that avoids it"
                                               : "the way to the border");
    gz_svg_end(&page);
    return good ? GZ_EXIT_FINE : gz_message_no_memory();
}

// ----------------------------------------------------------------------------------- the commands

static int answer(field *f) {
    const gz_planar_pair *p = &f->pair;
    bool obstacle = f->over == OVER_RELATIVE;
    choose_range(f);
    GZ_TRY_EXIT(gz_cspace_sides_read(&f->sides, f->command, &f->map));
    f->given = f->over == OVER_VELOCITY ? p->velocity_b
               : obstacle               ? gz_planar_minus(p->velocity_b, p->velocity_a)
                                        : gz_planar_shapes_middle(&p->b);
    if (obstacle && (p->a.count > 1 || p->b.count > 1))
        return gz_message_usage(f->command, "a shape is not convex; allowed: convex ones, whose "
                                            "obstacle has one border");
    if (obstacle &&
        graze_planar_velocity_obstacle(p->a.items, p->velocity_a, p->b.items, p->velocity_b,
                                       p->horizon, &f->obstacle) != GRAZE_OK)
        return gz_planar_pair_refused(f->command);
    if (!obstacle || p->report.picture || f->values) GZ_TRY_EXIT(fill(f));
    GZ_TRY_EXIT(gz_planar_report_write(
        &p->report, obstacle ? "graze-planar-obstacle-1" : "graze-planar-field-1",
        obstacle ? put_obstacle : put_field, draw, f));
    if (f->values) GZ_TRY_EXIT(gz_output_write(f->values, write_values, f));
    return f->obstacle.inside ? GZ_EXIT_FINDING : GZ_EXIT_FINE;
}

static int run(const gz_command_line *line, int kind, const char *drawn, int argc, char **argv) {
    static const char *const over[] = {"velocity", "place", NULL};
    field f = {.command = line->command,
               .over = kind,
               .map = {.width = 256, .height = 256},
               .sides = {.names = {"x", "y"},
                         .allowed = "x=LOW,HIGH or y=LOW,HIGH, ascending",
                         .most = GRAZE_PLANAR_COORDINATE_MAX}};
    gz_option own[] = {
        {"size", "WxH", .text = &f.sides.size, .help = "cells, 1 to 16384 (default 256x256)"},
        {"range", "x=LOW,HIGH", .texts = &f.sides.ranges,
         .help = "also y=: metres a second, or metres (repeatable;\ndefault: about what matters)"},
        {"values", "FILE.npy", .text = &f.values, .file = GZ_FILE_WRITTEN,
         .help = "float64 [height, 3 width]: of each cell the value drawn\n"
                 "and its gradient's x and y, the lowest y first"},
        {"over", "WHAT", .choice = &f.over, .choices = over,
         .help = "velocity (default) or place: of the second shape"},
    };
    const gz_option_section section = {"field", own,
                                       GZ_COUNT(own) - (kind == OVER_RELATIVE ? 1 : 0)};
    int status = gz_planar_pair_parse(&f.pair, line, true, &section, drawn, argc, argv);
    if (status == GZ_GO_ON) {
        status = answer(&f);
        gz_planar_pair_free(&f.pair);
        gz_free(f.cells);
    }
    gz_texts_free(&f.sides.ranges);
    return status;
}

int gz_planar_field(int argc, char **argv) {
    static const gz_command_line line = {
        .command = "planar field",
        .synopsis = "planar field --first SHAPE --second SHAPE [options]",
        .about =
            "The clearance of two shapes that move evenly: the least signed distance within the\n"
            "horizon, below 0 where they touch, as deep as they would go. Over the velocities of the\n"
            "second shape, or over its places, with the gradient: the direction in which a change\n"
            "helps most.",
        .examples = "  graze planar field --first circle:0,0,1 --second capsule:5,1,6,3,0.4 \\\n"
                    "      --second-velocity -1,-0.2 --horizon 6 --picture field.svg\n",
    };
    return run(&line, OVER_VELOCITY, "draw the shapes, and the field with gradients", argc, argv);
}

int gz_planar_obstacle(int argc, char **argv) {
    static const gz_command_line line = {
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
    return run(&line, OVER_RELATIVE, "draw the shapes, and the distance over the velocities", argc,
               argv);
}
