// A collision map as a picture. PNG: the cells, the joints' limits and the path. SVG: these, with
// axes and a legend around them.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/check/check_output.h"
#include "cli/cspace/cspace_output.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/robot_view.h"
#include "cli/text.h"
#include "picture/svg.h"

enum {
    LEFT = 76,
    TOP = 44,
    BOTTOM = 64,
    LEGEND = 420, ///< to the right of the map
    PLOT = 640,   ///< pixels that the longer side of the map has at least
    SIDE_MAX = 8192,
    COLORS = 16 ///< classes with a colour of their own
};

typedef uint8_t color[3];

static const color ink = {34, 38, 44}, white = {255, 255, 255}, free_color = {243, 246, 249},
                   proved_free = {214, 236, 216}, undecided = {188, 188, 188},
                   path_color = {16, 16, 20}, rest_color = {110, 110, 118};

/// Apart in hue and lightness, the first ones the most: neighbours in a map are often neighbours in
/// the list.
static const color colors[COLORS] = {
    {200, 62, 46},  {58, 112, 176},  {226, 160, 48}, {122, 80, 160},
    {70, 150, 96},  {214, 110, 160}, {92, 176, 196}, {140, 92, 52},
    {168, 178, 60}, {44, 66, 110},   {236, 130, 92}, {150, 130, 206},
    {20, 120, 120}, {196, 150, 120}, {120, 30, 70},  {90, 104, 40}};

typedef struct layout {
    const gz_cspace_answer *answer;
    gz_pixels map;
    const gz_plot *plot; ///< of the SVG
    bool on_pixels;      ///< lines go into the map itself
} layout;

// ------------------------------------------------------------------------------------------ cells

static const uint8_t *class_color(ptrdiff_t class) {
    return class >= 0 && class < COLORS ? colors[class] : rest_color;
}

static void color_of(uint8_t state, ptrdiff_t class, bool certified, color rgb) {
    const uint8_t *full = undecided;
    if (state == GRAZE_CSPACE_FREE) full = free_color;
    if (state == GRAZE_CSPACE_FREE_CERTIFIED) full = proved_free;
    if (state == GRAZE_CSPACE_COLLIDING || state == GRAZE_CSPACE_COLLIDING_CERTIFIED)
        full = class_color(class);
    // What collides in the middle only, in a map of proofs, is nearer to white.
    bool lighter = state == GRAZE_CSPACE_COLLIDING && certified;
    for (int k = 0; k < 3; k++)
        rgb[k] = (uint8_t)(full[k] + (lighter ? (255 - full[k]) * 9 / 20 : 0));
}

static void draw_cells(const layout *l) {
    const graze_cspace *map = &l->answer->map;
    for (int32_t j = 0; j < l->map.height; j++) {
        // The lowest value is the lowest row of the picture.
        uint32_t y = (uint32_t)((int64_t)(l->map.height - 1 - j) * map->height / l->map.height);
        const graze_cspace_cell *row = gz_cspace_row(l->answer, y);
        uint32_t last = UINT32_MAX;
        uint8_t *pixel = l->map.rgb + 3 * (size_t)j * (size_t)l->map.width;
        color own = {0};
        for (int32_t i = 0; i < l->map.width; i++, pixel += 3) {
            uint32_t x = (uint32_t)((int64_t)i * map->width / l->map.width);
            const graze_cspace_cell *cell = &row[x];
            if (x != last)
                color_of(cell->state, gz_cspace_class_of(l->answer, cell), map->certified, own);
            last = x;
            memcpy(pixel, cell->outside && (i + j) % 8 == 0 ? ink : own, sizeof own);
        }
    }
}

// ------------------------------------------------------------------------------- limits and path

static const char *line_style(char style[128], const color c, double width) {
    snprintf(style, 128,
             "fill=\"none\" stroke=\"#%02x%02x%02x\" stroke-width=\"%.1f\" "
             "stroke-linecap=\"round\"",
             c[0], c[1], c[2], width);
    return style;
}

/// A line between two places of the map, pairs of values; none that an end is far away from.
static void draw_line(const layout *l, const double a[2], const double b[2], double width,
                      const color c) {
    const double(*range)[2] = l->answer->summary.ranges;
    double from[2], to[2], size[2] = {l->map.width, l->map.height};
    for (int k = 0; k < 2; k++) {
        double extent = range[k][1] - range[k][0];
        from[k] = size[k] * (k ? range[k][1] - a[k] : a[k] - range[k][0]) / extent;
        to[k] = size[k] * (k ? range[k][1] - b[k] : b[k] - range[k][0]) / extent;
        if (!(fabs(from[k]) < 8 * size[k] && fabs(to[k]) < 8 * size[k])) return;
    }
    if (l->on_pixels) {
        gz_pixels_line(&l->map, from, to, width / 2, c);
        return;
    }
    char style[128];
    gz_svg_line(l->plot->page, gz_plot_at(l->plot, a[0], a[1]), gz_plot_at(l->plot, b[0], b[1]),
                line_style(style, c, width));
}

/// The joint's limits where the map goes beyond them.
static void draw_limits(const layout *l, int side) {
    const gz_cspace_answer *answer = l->answer;
    if (answer->robot == NULL) return;
    size_t column = (size_t)answer->map.columns[side];
    graze_joint_info info = gz_joint_of_column(answer->robot, column);
    if (!info.limited) return;
    const double(*range)[2] = answer->summary.ranges, limits[2] = {info.lower, info.upper};
    for (int k = 0; k < 2; k++) {
        if (!(limits[k] > range[side][0] && limits[k] < range[side][1])) continue;
        double from[2] = {range[0][0], range[1][0]}, to[2] = {range[0][1], range[1][1]};
        from[side] = to[side] = limits[k];
        draw_line(l, from, to, 1.6, ink);
    }
}

/// The path with a white rim, and dots at its ends.
static void draw_path(const layout *l) {
    const gz_cspace_answer *a = l->answer;
    for (int pass = 0; pass < 2; pass++) {
        const uint8_t *c = pass == 0 ? white : path_color;
        double width = pass == 0 ? 5 : 2.6;
        for (size_t i = 0; i < a->path_count; i++) {
            const double *at = a->path + a->path_stride * i;
            if (i == 0 || i + 1 == a->path_count) draw_line(l, at, at, 2.6 * width, c);
            if (i > 0) draw_line(l, at - a->path_stride, at, width, c);
        }
    }
}

static void draw_mark(const layout *l, const gz_cspace_mark *mark) {
    unsigned long rgb = strtoul(mark->color + 1, NULL, 16);
    const color own = {(uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8), (uint8_t)rgb};
    draw_line(l, mark->at, mark->at, 13, white);
    draw_line(l, mark->at, mark->at, 10, own);
    if (!l->on_pixels)
        gz_plot_label(l->plot->page, gz_plot_at(l->plot, mark->at[0], mark->at[1]), 12, NULL, 0,
                      mark->name, mark->color);
}

static void draw_lines(const layout *l) {
    draw_limits(l, 0);
    draw_limits(l, 1);
    draw_path(l);
    for (size_t i = 0; i < l->answer->mark_count; i++) draw_mark(l, &l->answer->marks[i]);
}

// ---------------------------------------------------------------------------------------- legend

/// A row of words; with cells, how many of the map they are.
static void add_words(const gz_cspace_answer *a, gz_legend *l, double indent, const char *text,
                      uint64_t cells) {
    char percent[16], number[GZ_DECIMAL_SIZE];
    double share = 100 * (double)cells / ((double)a->map.width * a->map.height);
    snprintf(percent, sizeof percent, "%.8s%%", gz_decimal_format_fixed(number, share, 1));
    if (cells > 0)
        gz_plot_words(l->page, l->x + 70, l->y + 12, percent,
                      "fill=\"#22262c\" text-anchor=\"end\"");
    gz_plot_words(l->page, l->x + (cells > 0 ? 80 : indent), l->y + 12, GZ_PLAIN(text),
                  "fill=\"#22262c\"");
    l->y += GZ_LEGEND_ROW;
}

/// A row of the legend with its colour, if any cell has it.
static void add_row(const gz_cspace_answer *a, gz_legend *l, const color c, const char *text,
                    uint64_t cells) {
    if (cells == 0) return;
    double x = l->x, y = l->y;
    const graze_vec2 box[4] = {{x, -y}, {x + 16, -y}, {x + 16, -y - 14}, {x, -y - 14}};
    char style[64];
    snprintf(style, sizeof style, "fill=\"#%02x%02x%02x\" stroke=\"#969ca4\"", c[0], c[1], c[2]);
    gz_svg_polygon(l->page, box, 4, style);
    add_words(a, l, 28, text, cells);
}

void gz_cspace_draw_legend(const gz_cspace_answer *a, gz_legend *l) {
    const graze_cspace_summary *s = &a->summary;
    add_row(a, l, proved_free, "free, proved for all of the cell", s->free_certified);
    add_row(a, l, free_color, a->map.certified ? "free in the middle of the cell" : "free",
            s->free_cells);
    add_row(a, l, undecided, "undecided", s->undecided);
    if (a->map.certified && s->colliding_cells) {
        add_words(a, l, 0, "colliding: full colour where proved,", 0);
        add_words(a, l, 0, "lighter where seen in the middle", 0);
    }
    uint64_t others = 0;
    for (size_t i = 0; i < a->class_count; i++) {
        char name[512];
        if (i >= COLORS)
            others += a->classes[i].cells;
        else
            add_row(a, l, colors[i], gz_cspace_class_name(a, &a->classes[i], name, sizeof name),
                    a->classes[i].cells);
    }
    add_row(a, l, rest_color, "other pairs", others);
    char style[128];
    for (int i = 0; s->outside && i < 2; i++)
        gz_svg_line(l->page, (graze_vec2){l->x + 8 * i, -l->y - 14},
                    (graze_vec2){l->x + 8 * i + 8, -l->y}, line_style(style, ink, 1));
    if (s->outside) add_words(a, l, 28, "outside the limits", 0);
    if (!a->path_count) return;
    gz_svg_line(l->page, (graze_vec2){l->x, -l->y - 7}, (graze_vec2){l->x + 16, -l->y - 7},
                line_style(style, path_color, 2.6));
    add_words(a, l, 28, "path", 0);
}

// --------------------------------------------------------------------------------------- the file

/// The cells in pixels: whole pixels a cell where there are few, one where there are many.
static bool make_cells(layout *l) {
    const graze_cspace *map = &l->answer->map;
    double longer = map->width > map->height ? map->width : map->height;
    double scale = longer < PLOT ? ceil(PLOT / longer) : longer > SIDE_MAX ? SIDE_MAX / longer : 1;
    l->map.width = (int32_t)fmax(1, map->width * scale);
    l->map.height = (int32_t)fmax(1, map->height * scale);
    l->map.rgb = gz_malloc(3 * (size_t)l->map.width, (size_t)l->map.height);
    if (l->map.rgb != NULL) draw_cells(l);
    return l->map.rgb != NULL;
}

gz_plot gz_cspace_plot(const gz_cspace_answer *a, const gz_svg *page, gz_plot_box box) {
    const double(*r)[2] = a->summary.ranges;
    return (gz_plot){page, box, {r[0][0], r[1][0]}, {r[0][1], r[1][1]}};
}

static bool draw_on_plot(const layout *l, const char *title) {
    const gz_cspace_answer *a = l->answer;
    char names[2][320];
    for (int side = 0; side < 2; side++)
        snprintf(names[side], sizeof names[side], "%.300s [%s]", GZ_PLAIN(a->names[side]),
                 a->units[side]);
    gz_plot_axes(l->plot, GZ_PLAIN(title), names[0], names[1]);
    bool good = gz_plot_image(l->plot->page, l->plot->box, &l->map);
    gz_plot_clip_begin(l->plot->page, l->plot->box, 0);
    draw_lines(l);
    gz_plot_clip_end(l->plot->page);
    return good;
}

bool gz_cspace_draw_map(const gz_cspace_answer *a, const gz_plot *plot, const char *title) {
    layout l = {.answer = a, .plot = plot};
    bool good = make_cells(&l) && draw_on_plot(&l, title);
    gz_free(l.map.rgb);
    return good;
}

static int write_svg(layout *l, const char *path) {
    const gz_cspace_answer *a = l->answer;
    gz_output output;
    GZ_TRY_EXIT(gz_output_open(&output, path));
    size_t rows = (a->class_count < COLORS ? a->class_count : COLORS) + 8;
    double width = LEFT + l->map.width + LEGEND, height = TOP + l->map.height + BOTTOM;
    gz_svg page = gz_plot_page(output.stream, width,
                               fmax(height, TOP + GZ_LEGEND_ROW * (double)rows));
    const gz_plot plot = gz_cspace_plot(a, &page,
                                        (gz_plot_box){LEFT, TOP, l->map.width, l->map.height});
    gz_legend legend = {&page, LEFT + l->map.width + 26, TOP};
    l->plot = &plot;
    bool good = draw_on_plot(l, graze_robot_name(a->robot));
    gz_cspace_draw_legend(a, &legend);
    gz_svg_end(&page);
    if (good) return gz_output_finish(&output);
    gz_output_abandon(&output);
    return gz_message_no_memory();
}

int gz_cspace_draw_picture(const gz_cspace_answer *a, const char *path) {
    layout l = {.answer = a, .on_pixels = !gz_text_ends_with(path, ".svg")};
    if (!make_cells(&l)) return gz_message_no_memory();
    if (l.on_pixels) draw_lines(&l);
    int status = l.on_pixels ? gz_output_write_png(path, &l.map) : write_svg(&l, path);
    gz_free(l.map.rgb);
    return status;
}
