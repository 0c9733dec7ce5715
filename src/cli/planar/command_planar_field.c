// graze planar field: how near two moving shapes come to each other, over the velocities or the
// places of the second one, with the gradient.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "cli/check/check_output.h"
#include "cli/cspace/cspace_output.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/planar/planar_input.h"
#include "cli/text.h"
#include "graze/planar_approach.h"

static const char command[] = "planar field";

enum { OVER_VELOCITY, OVER_PLACE };

/// The clearance of one cell, and its gradient by what the field is over.
typedef struct sample {
    double clearance, time;
    graze_vec2 gradient;
    bool differentiable;
} sample;

typedef struct field {
    gz_planar_pair pair;
    const char *values;
    gz_planar_sides sides;
    int over;
    graze_vec2 given; ///< the second shape's velocity, or the middle of it, as given
    graze_planar_grid grid;
    sample *cells;
    sample here; ///< at the place given
    double least, greatest;
    size_t touching;
} field;

static const gz_command_line command_line = {
    .command = command,
    .synopsis = "planar field --first SHAPE --second SHAPE [options]",
    .about =
        "The clearance of two shapes that move evenly: the least signed distance within the\n"
        "horizon, below 0 where they touch, as deep as they would go. Over the velocities of the\n"
        "second shape, or over its places, with the gradient: the direction in which a change\n"
        "helps most.",
    .examples = "  graze planar field --first circle:0,0,1 --second capsule:5,1,6,3,0.4 \\\n"
                "      --second-velocity -1,-0.2 --horizon 6 --picture field.svg\n",
};

// ------------------------------------------------------------------------------------- the field

/// The least over all pairs of parts.
static bool evaluate(const field *f, graze_vec2 at, sample *out) {
    const gz_planar_pair *p = &f->pair;
    graze_vec2 by = gz_planar_minus(at, f->given), velocity = p->velocity_b;
    if (f->over == OVER_VELOCITY) {
        velocity = at;
        by = (graze_vec2){0, 0};
    }
    *out = (sample){.clearance = INFINITY};
    for (size_t k = 0; k < p->b.count; k++) {
        const graze_transform2 pose = {1, 0, by.x, by.y};
        graze_planar_shape second;
        if (graze_planar_transform(&second, &p->b.items[k], &pose, NULL) != GRAZE_OK) return false;
        for (size_t i = 0; i < p->a.count; i++) {
            graze_planar_clearance_result r;
            if (graze_planar_clearance(&p->a.items[i], p->velocity_a, &second, velocity, p->horizon,
                                       0, &r) != GRAZE_OK)
                return false;
            if (!(r.clearance < out->clearance)) continue;
            *out = (sample){r.clearance, r.time,
                            f->over == OVER_VELOCITY ? r.by_velocity : r.by_position,
                            r.differentiable};
        }
    }
    return true;
}

static int fill(field *f) {
    size_t columns = (size_t)f->grid.columns, rows = (size_t)f->grid.rows;
    f->cells = gz_malloc(columns * rows, sizeof *f->cells);
    if (!f->cells) return gz_message_no_memory();
    bool good = evaluate(f, f->given, &f->here);
    f->least = INFINITY;
    f->greatest = -INFINITY;
    for (size_t i = 0; good && i < columns * rows; i++) {
        graze_vec2 at = graze_planar_grid_middle(&f->grid, (int32_t)(i % columns),
                                                 (int32_t)(i / columns));
        good = evaluate(f, at, &f->cells[i]);
        f->least = fmin(f->least, f->cells[i].clearance);
        f->greatest = fmax(f->greatest, f->cells[i].clearance);
        f->touching += f->cells[i].clearance <= 0;
    }
    return good ? GZ_EXIT_FINE : gz_planar_pair_refused(command);
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
    if (f->over == OVER_VELOCITY) {
        middle = p->velocity_a;
        half = fmax(hypot(v.x, v.y), (hypot(apart.x, apart.y) + 0.5 * sizes) / fmax(horizon, 1e-9));
    } else {
        // The way that is left goes backwards from the first shape.
        double way = fmin(hypot(v.x, v.y) * horizon, 3 * sizes), speed = hypot(v.x, v.y);
        middle = speed > 0 ? gz_planar_along(first, -0.5 * way / speed, v) : first;
        half = fmax(0.5 * way + 0.7 * sizes, hypot(second.x - middle.x, second.y - middle.y));
    }
    half = 1.25 * (half > 0 ? half : 1);
    f->grid.min = (graze_vec2){middle.x - half, middle.y - half};
    f->grid.max = (graze_vec2){middle.x + half, middle.y + half};
}

// ---------------------------------------------------------------------------------------- output

static const char *unit(const field *f) {
    return f->over == OVER_VELOCITY ? "m/s" : "m";
}

static int write_text(FILE *stream, const void *answer) {
    const field *f = answer;
    const graze_planar_grid *g = &f->grid;
    char a[GZ_DECIMAL_SIZE], b[GZ_DECIMAL_SIZE];
    for (int side = 0; side < 2; side++)
        fprintf(stream, "%c  from %s to %s %s, %d cells\n", side ? 'y' : 'x',
                gz_decimal_format_fixed(a, side ? g->min.y : g->min.x, 4),
                gz_decimal_format_fixed(b, side ? g->max.y : g->max.x, 4), unit(f),
                (int)(side ? g->rows : g->columns));
    gz_cspace_print_row(stream, "touching within the horizon", f->touching,
                        (uint64_t)g->columns * (uint64_t)g->rows);
    fprintf(stream, "clearance from %s to %s m\n", gz_decimal_format_fixed(a, f->least, 4),
            gz_decimal_format_fixed(b, f->greatest, 4));
    gz_planar_put_point(stream, f->over == OVER_VELOCITY ? "velocity" : "place", f->given, "");
    fprintf(stream, "clearance %s at %s s\n", gz_decimal_format_fixed(a, f->here.clearance, 6),
            gz_decimal_format_fixed(b, f->here.time, 6));
    gz_planar_put_point(stream, "gradient", f->here.gradient,
                        f->here.differentiable ? "" : "  of one side");
    return GZ_EXIT_FINE;
}

static int write_json(FILE *stream, const void *answer) {
    const field *f = answer;
    const graze_planar_grid *g = &f->grid;
    gz_json json = gz_json_begin(stream, "graze-planar-field-1");
    gz_json_put(&json, "over=%s x={ unit=%s range=[ %g %g ] cells=%d }",
                f->over == OVER_VELOCITY ? "velocity" : "place", unit(f), g->min.x, g->max.x,
                g->columns);
    gz_json_put(&json, "y={ unit=%s range=[ %g %g ] cells=%d }", unit(f), g->min.y, g->max.y,
                g->rows);
    gz_json_put(&json, "touching=%zu least=%g greatest=%g", f->touching, f->least, f->greatest);
    gz_planar_json_point(&json, "at", f->given);
    gz_json_put(&json, "clearance=%g time=%g differentiable=%i", f->here.clearance, f->here.time,
                f->here.differentiable);
    gz_planar_json_point(&json, "gradient", f->here.gradient);
    gz_json_finish(&json);
    return GZ_EXIT_FINE;
}

/// float64 [rows, columns, 3]: clearance, gradient.
static int write_values(FILE *stream, const void *answer) {
    const field *f = answer;
    size_t columns = (size_t)f->grid.columns, rows = (size_t)f->grid.rows;
    gz_npy_header_write(stream, "<f8", rows, 3 * columns);
    for (size_t i = 0; i < rows * columns; i++) {
        const sample *s = &f->cells[i];
        const double values[3] = {s->clearance, s->gradient.x, s->gradient.y};
        gz_npy_items_write(stream, values, sizeof *values, 3);
    }
    return GZ_EXIT_FINE;
}

// ------------------------------------------------------------------------------------- the picture

enum { BANDS = 8, ARROWS = 17 };

/// Bands of clearance: red below 0, the deeper the stronger; blue above, the farther the stronger.
static void band_color(const field *f, double clearance, uint8_t rgb[3]) {
    static const uint8_t deep[3] = {176, 62, 24}, far[3] = {43, 95, 158};
    const uint8_t *full = clearance <= 0 ? deep : far;
    double most = fmax(fabs(f->least), fabs(f->greatest));
    double band = floor(fabs(clearance) / most * BANDS * (1 - 1e-12));
    double share = clearance <= 0 ? 0.35 + 0.5 * band / BANDS : 0.06 + 0.6 * band / BANDS;
    for (int k = 0; k < 3; k++) rgb[k] = (uint8_t)(255 + (full[k] - 255) * share);
}

static bool put_bands(const field *f, const gz_plot *plot) {
    gz_pixels pixels = {NULL, f->grid.columns, f->grid.rows};
    size_t columns = (size_t)pixels.width, rows = (size_t)pixels.height;
    pixels.rgb = gz_malloc(3 * columns, rows);
    for (size_t i = 0; pixels.rgb && i < columns * rows; i++)
        band_color(f, f->cells[i].clearance,
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
    graze_planar_grid coarse = {f->grid.min, f->grid.max, ARROWS, ARROWS};
    for (int i = 0; i < ARROWS * ARROWS; i++) {
        places[i] = graze_planar_grid_middle(&coarse, i % ARROWS, i / ARROWS);
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

static void put_color_bar(const field *f, const gz_svg *page, double x, double y) {
    double most = fmax(fabs(f->least), fabs(f->greatest));
    char text[64], number[GZ_DECIMAL_SIZE], style[64];
    for (int i = -BANDS; i < BANDS; i++) {
        double clearance = most * (i + 0.5) / BANDS, left = x + 14 * (i + BANDS);
        uint8_t c[3];
        if (clearance < f->least - most / BANDS || clearance > f->greatest + most / BANDS) continue;
        band_color(f, clearance, c);
        snprintf(style, sizeof style, "fill=\"#%02x%02x%02x\" stroke=\"none\"", c[0], c[1], c[2]);
        const graze_vec2 box[4] = {
            {left, -y}, {left + 14, -y}, {left + 14, -y - 14}, {left, -y - 14}};
        gz_svg_polygon(page, box, 4, style);
    }
    const double marks[3] = {f->least, 0, f->greatest};
    for (int i = 0; i < 3; i++) {
        if (i == 1 && (f->least > 0 || f->greatest < 0)) continue;
        snprintf(text, sizeof text, i == 1 ? "0" : "%s m",
                 gz_decimal_format_fixed(number, marks[i], 2));
        double at = most > 0 ? x + 14 * BANDS * (1 + marks[i] / most) : x + 14 * BANDS;
        gz_plot_words(page, at, y + 30, text,
                      i == 0   ? "fill=\"" GZ_PLANAR_INK "\" font-size=\"12\" text-anchor=\"end\""
                      : i == 1 ? "fill=\"" GZ_PLANAR_INK
                                 "\" font-size=\"12\" text-anchor=\"middle\""
                               : "fill=\"" GZ_PLANAR_INK "\" font-size=\"12\"");
    }
}

static int draw(FILE *stream, const void *answer) {
    const field *f = answer;
    bool velocity = f->over == OVER_VELOCITY;
    gz_svg page = gz_plot_page(stream, 1000, 544);
    double wide = f->grid.max.x - f->grid.min.x, high = f->grid.max.y - f->grid.min.y;
    double longer = fmax(wide, high);
    gz_plot plot = {
        &page, {570, 60, 410 * wide / longer, 410 * high / longer}, f->grid.min, f->grid.max};
    gz_planar_movers_draw(&page, &f->pair);
    bool good = put_bands(f, &plot);
    gz_plot_axes(&plot,
                 velocity ? "Clearance over the second's velocity"
                          : "Clearance over the second's place",
                 velocity ? "x, m/s" : "x, m", velocity ? "y, m/s" : "y, m");
    gz_plot_clip_begin(&page, plot.box, 1);
    put_arrows(f, &plot);
    gz_svg_dot(&page, gz_plot_at(&plot, f->given.x, f->given.y), 5,
               "fill=\"" GZ_PLANAR_SECOND "\" stroke=\"#ffffff\" stroke-width=\"1.5\"");
    gz_plot_clip_end(&page);
    put_color_bar(f, &page, 40, 474);
    gz_legend legend = {&page, 350, 474};
    gz_legend_dot(&legend, "fill=\"" GZ_PLANAR_SECOND "\"",
                  velocity ? "velocity given" : "as given");
    gz_legend_line(&legend, "stroke=\"" GZ_PLANAR_INK "\" stroke-width=\"1.2\"",
                   "gradient, to scale");
    gz_legend_patch(&legend, "fill=\"#e2a68c\"", "they touch within the horizon");
    gz_svg_end(&page);
    return good ? GZ_EXIT_FINE : gz_message_no_memory();
}

// ------------------------------------------------------------------------------------ the command

static int run(field *f) {
    const gz_planar_pair *p = &f->pair;
    choose_range(f);
    GZ_TRY_EXIT(gz_planar_sides_read(&f->sides, command, &f->grid));
    f->given = f->over == OVER_VELOCITY ? p->velocity_b : gz_planar_shapes_middle(&p->b);
    GZ_TRY_EXIT(fill(f));
    GZ_TRY_EXIT(gz_planar_report_write(&p->report, write_text, write_json, draw, f));
    return f->values ? gz_planar_write(f->values, write_values, f) : GZ_EXIT_FINE;
}

int gz_planar_field(int argc, char **argv) {
    static const char *const over[] = {"velocity", "place", NULL};
    field f = {.grid = {.columns = 256, .rows = 256},
               .sides = {.names = {"x", "y"},
                         .allowed = "x=LOW,HIGH or y=LOW,HIGH, ascending",
                         .most = GRAZE_PLANAR_COORDINATE_MAX}};
    gz_option own[] = {
        {"over", "WHAT", .choice = &f.over, .choices = over,
         .help = "velocity (default) or place: of the second shape"},
        {"size", "WxH", .text = &f.sides.size, .help = "cells, 1 to 16384 (default 256x256)"},
        {"range", "x=LOW,HIGH", .texts = &f.sides.ranges,
         .help = "also y=: metres a second, or metres (repeatable;\ndefault: about what matters)"},
        {"values", "FILE.npy", .text = &f.values, .file = GZ_FILE_WRITTEN,
         .help = "float64 [height, 3 width]: of each cell the clearance\n"
                 "and its gradient's x and y, the lowest y first"},
    };
    const gz_option_section section = GZ_SECTION("field", own);
    int status = gz_planar_pair_parse(&f.pair, &command_line, true, &section,
                                      "draw the shapes, and the field with gradients", argc, argv);
    if (status == GZ_GO_ON) {
        status = run(&f);
        gz_planar_pair_free(&f.pair);
        gz_free(f.cells);
    }
    gz_texts_free(&f.sides.ranges);
    return status;
}
