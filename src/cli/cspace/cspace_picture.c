// A collision map as a picture: the cells, axes in round numbers, the joints' limits, the path, and
// what every colour means.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/cspace/cspace_output.h"
#include "cli/message.h"
#include "cli/text.h"
#include "picture/chart.h"
#include "picture/raster.h"

enum {
    LEFT = 96,
    TOP = 44,
    BOTTOM = 74,
    LEGEND = 420, ///< to the right of the map
    COLORS = 16,
    PLOT = 640, ///< pixels that the longer side of the map has at least
    SIDE_MAX = 8192,
    TICKS_MAX = 11 ///< on an axis: nine parts have ten ends, and one for rounding
};

static const gz_color paper = {255, 255, 255}, ink = {34, 38, 44}, pale = {150, 156, 164},
                      free_color = {243, 246, 249}, proved_free = {214, 236, 216},
                      undecided = {188, 188, 188}, path_color = {16, 16, 20},
                      rest_color = {110, 110, 118};

/// Apart in hue and lightness, the first ones the most: neighbours in a map are often neighbours in
/// the list.
static const gz_color colors[COLORS] = {
    {200, 62, 46},  {58, 112, 176},  {226, 160, 48}, {122, 80, 160},
    {70, 150, 96},  {214, 110, 160}, {92, 176, 196}, {140, 92, 52},
    {168, 178, 60}, {44, 66, 110},   {236, 130, 92}, {150, 130, 206},
    {20, 120, 120}, {196, 150, 120}, {120, 30, 70},  {90, 104, 40}};

typedef struct layout {
    const gz_cspace_answer *answer;
    gz_chart chart;
    int32_t wide, high; ///< of the map
} layout;

static gz_color class_color(ptrdiff_t class) {
    return class >= 0 && class < COLORS ? colors[class] : rest_color;
}

/// A colour nearer to white: what was seen in the middle only, in a map of proofs.
static gz_color lighter(gz_color c) {
    return (gz_color){(uint8_t)(c.r + (255 - c.r) * 9 / 20), (uint8_t)(c.g + (255 - c.g) * 9 / 20),
                      (uint8_t)(c.b + (255 - c.b) * 9 / 20)};
}

static gz_color cell_color(const gz_cspace_answer *a, const graze_cspace_cell *cell) {
    switch (cell->state) {
    case GRAZE_CSPACE_FREE:
        return free_color;
    case GRAZE_CSPACE_FREE_CERTIFIED:
        return proved_free;
    case GRAZE_CSPACE_COLLIDING: {
        gz_color color = class_color(gz_cspace_class_of(a, cell));
        return a->map->certified ? lighter(color) : color;
    }
    case GRAZE_CSPACE_COLLIDING_CERTIFIED:
        return class_color(gz_cspace_class_of(a, cell));
    default:
        return undecided;
    }
}

static void draw_cells(const layout *l) {
    const graze_cspace *map = l->answer->map;
    for (int32_t j = 0; j < l->high; j++) {
        // The lowest value is the lowest row of the picture.
        uint32_t y = (uint32_t)((int64_t)(l->high - 1 - j) * map->height / l->high);
        uint32_t last = UINT32_MAX;
        gz_color color = paper;
        for (int32_t i = 0; i < l->wide; i++) {
            uint32_t x = (uint32_t)((int64_t)i * map->width / l->wide);
            const graze_cspace_cell *cell = &map->cells[(size_t)y * map->width + x];
            if (x != last) color = cell_color(l->answer, cell);
            last = x;
            bool hatched = cell->outside && (i + j) % 8 == 0;
            gz_chart_fill(&l->chart, LEFT + i, TOP + j, 1, 1, hatched ? ink : color);
        }
    }
}

// ------------------------------------------------------------------------------------------- axes

/// 1, 2 or 5 times a power of ten that cuts the range into at most nine parts.
static double tick_step(double range) {
    double step = pow(10, floor(log10(range)) - 1);
    if (!(step > 0)) return range; // below what a double holds
    static const double factors[] = {2, 2.5, 2};
    for (int i = 0; range / step > 9; i = (i + 1) % 3) step *= factors[i];
    return step;
}

static double place(const layout *l, int side, double value) {
    const double *range = l->answer->summary.ranges[side];
    double t = (value - range[0]) / (range[1] - range[0]);
    return side == 0 ? LEFT + t * l->wide : TOP + (1 - t) * l->high;
}

static void draw_ticks(const layout *l, int side) {
    const double *range = l->answer->summary.ranges[side];
    double step = tick_step(range[1] - range[0]);
    int decimals = step < 1 ? (int)fmin(ceil(-log10(step) - 1e-9), 9) : 0;
    double first = ceil(range[0] / step - 1e-9);
    // Counted: far from 0, adding 1 to a large number of steps may not change it.
    for (int i = 0; i < TICKS_MAX; i++) {
        double value = (first + i) * step;
        if (!(value <= range[1] + 1e-9 * step)) break;
        char text[GZ_DECIMAL_SIZE];
        gz_decimal_format_fixed(text, value, decimals);
        double at = place(l, side, value), width = gz_chart_text_width(text, 10);
        if (side == 0) {
            double y = TOP + l->high;
            gz_chart_line(&l->chart, at, y + 1, at, y + 7, 1, ink);
            gz_chart_text(&l->chart, at - width / 2, y + 23, text, 10, false, ink);
        } else {
            gz_chart_line(&l->chart, LEFT - 7, at, LEFT - 1, at, 1, ink);
            gz_chart_text(&l->chart, LEFT - 12 - width, at + 5, text, 10, false, ink);
        }
    }
}

/// The joint's limits where the map goes beyond them, as dashed lines.
static void draw_limits(const layout *l, int side) {
    const graze_robot *robot = graze_checker_robot(l->answer->checker);
    int32_t column = l->answer->map->columns[side];
    graze_joint_info info;
    if (graze_robot_joint(robot, graze_robot_q_joint(robot, (size_t)column), &info) != GRAZE_OK ||
        !info.limited)
        return;
    const double *range = l->answer->summary.ranges[side], limits[2] = {info.lower, info.upper};
    for (int k = 0; k < 2; k++) {
        if (!(limits[k] > range[0] && limits[k] < range[1])) continue;
        double at = place(l, side, limits[k]);
        int32_t length = side == 0 ? l->high : l->wide;
        for (int32_t from = 0; from < length; from += 12) {
            double to = from + 7 < length ? from + 7 : length;
            if (side == 0)
                gz_chart_line(&l->chart, at, TOP + from, at, TOP + to, 1.6, ink);
            else
                gz_chart_line(&l->chart, LEFT + from, at, LEFT + to, at, 1.6, ink);
        }
    }
}

static void draw_axes(const layout *l) {
    double x0 = LEFT - 0.5, y0 = TOP - 0.5, x1 = LEFT + l->wide + 0.5, y1 = TOP + l->high + 0.5;
    gz_chart_line(&l->chart, x0, y0, x1, y0, 1, ink);
    gz_chart_line(&l->chart, x0, y1, x1, y1, 1, ink);
    gz_chart_line(&l->chart, x0, y0, x0, y1, 1, ink);
    gz_chart_line(&l->chart, x1, y0, x1, y1, 1, ink);
    const graze_robot *robot = graze_checker_robot(l->answer->checker);
    for (int side = 0; side < 2; side++) {
        draw_ticks(l, side);
        draw_limits(l, side);
        char text[320];
        snprintf(text, sizeof text, "%s [%s]",
                 graze_robot_q_name(robot, (size_t)l->answer->map->columns[side]),
                 gz_cspace_unit(l->answer, side));
        double half = 0.5 * gz_chart_text_width(text, 12);
        if (side == 0)
            gz_chart_text(&l->chart, LEFT + 0.5 * l->wide - half, TOP + l->high + 54, text, 12,
                          false, ink);
        else
            gz_chart_text(&l->chart, 26, TOP + 0.5 * l->high + half, text, 12, true, ink);
    }
}

// ------------------------------------------------------------------------------- legend and path

typedef struct legend {
    const layout *layout;
    int32_t x, y;
} legend;

/// A row of the legend, if there is room and something to say.
static void add_row(legend *g, gz_color color, const char *text, uint64_t cells) {
    const layout *l = g->layout;
    if (cells == 0 || g->y + 14 > l->chart.height) return;
    uint64_t all = (uint64_t)l->answer->map->width * l->answer->map->height;
    gz_chart_fill(&l->chart, g->x, g->y, 16, 14, pale);
    gz_chart_fill(&l->chart, g->x + 1, g->y + 1, 14, 12, color);
    char percent[16], number[GZ_DECIMAL_SIZE];
    snprintf(percent, sizeof percent, "%.8s%%",
             gz_decimal_format_fixed(number, 100 * (double)cells / (double)all, 1));
    gz_chart_text(&l->chart, g->x + 68 - gz_chart_text_width(percent, 9), g->y + 12, percent, 9,
                  false, ink);
    // Long names are cut, not the picture.
    char cut[320];
    snprintf(cut, sizeof cut, "%s", text);
    for (size_t n = strlen(cut); n > 3 && gz_chart_text_width(cut, 9) > LEGEND - 112; n--)
        memcpy(cut + n - 3, "..", 3);
    gz_chart_text(&l->chart, g->x + 80, g->y + 12, cut, 9, false, ink);
    g->y += 21;
}

static void draw_legend(const layout *l) {
    const gz_cspace_answer *a = l->answer;
    const graze_cspace_summary *s = &a->summary;
    legend g = {l, LEFT + l->wide + 26, TOP};
    add_row(&g, proved_free, "free, proved for all of the cell", s->free_certified);
    add_row(&g, free_color, a->map->certified ? "free in the middle of the cell" : "free",
            s->free_cells);
    add_row(&g, undecided, "undecided", s->undecided);
    if (a->map->certified && s->colliding_cells) {
        g.y += 6;
        gz_chart_text(&l->chart, g.x, g.y + 10, "colliding: full colour where proved,", 9, false,
                      ink);
        gz_chart_text(&l->chart, g.x, g.y + 26, "lighter where seen in the middle", 9, false, ink);
        g.y += 38;
    }
    uint64_t others = 0;
    for (size_t i = 0; i < a->class_count; i++) {
        char name[512];
        if (i >= COLORS)
            others += a->classes[i].cells;
        else
            add_row(&g, colors[i], gz_cspace_class_name(a, &a->classes[i], name, sizeof name),
                    a->classes[i].cells);
    }
    add_row(&g, rest_color, "other pairs", others);
    g.y += 6;
    if (s->outside && g.y + 14 < l->chart.height) {
        for (int32_t i = 0; i < 16 * 14; i++)
            gz_chart_fill(&l->chart, g.x + i % 16, g.y + i / 16, 1, 1,
                          (i % 16 + i / 16) % 8 == 0 ? ink : free_color);
        gz_chart_text(&l->chart, g.x + 28, g.y + 12, "outside the limits", 9, false, ink);
        g.y += 21;
    }
    if (a->path_count && g.y + 14 < l->chart.height) {
        gz_chart_line(&l->chart, g.x, g.y + 7, g.x + 16, g.y + 7, 3, path_color);
        gz_chart_text(&l->chart, g.x + 28, g.y + 12, "path", 9, false, ink);
    }
}

/// Keeps what leaves the map out of the axes' room: pixels are put back behind it.
static void draw_path(const layout *l) {
    const gz_cspace_answer *a = l->answer;
    for (int pass = 0; pass < 2; pass++) {
        gz_color color = pass == 0 ? paper : path_color;
        double thick = pass == 0 ? 5 : 2.6;
        for (size_t i = 0; i < a->path_count; i++) {
            double x = place(l, 0, a->path[2 * i]), y = place(l, 1, a->path[2 * i + 1]);
            bool end = i == 0 || i + 1 == a->path_count;
            if (end) gz_chart_line(&l->chart, x, y, x, y, 2.6 * thick, color);
            if (i == 0) continue;
            gz_chart_line(&l->chart, place(l, 0, a->path[2 * i - 2]),
                          place(l, 1, a->path[2 * i - 1]), x, y, thick, color);
        }
    }
}

static void clear_margins(const layout *l) {
    const gz_chart *c = &l->chart;
    gz_chart_fill(c, 0, 0, c->width, TOP, paper);
    gz_chart_fill(c, 0, TOP + l->high, c->width, c->height, paper);
    gz_chart_fill(c, 0, 0, LEFT, c->height, paper);
    gz_chart_fill(c, LEFT + l->wide, 0, c->width, c->height, paper);
}

/// The size of the map in pixels: whole pixels a cell where there are few, one where there are
/// many.
static void size_map(layout *l) {
    const graze_cspace *map = l->answer->map;
    double longer = map->width > map->height ? map->width : map->height;
    double scale = longer < PLOT ? ceil(PLOT / longer) : longer > SIDE_MAX ? SIDE_MAX / longer : 1;
    l->wide = (int32_t)fmax(1, map->width * scale);
    l->high = (int32_t)fmax(1, map->height * scale);
}

int gz_cspace_draw_picture(const gz_cspace_answer *a, const char *path) {
    layout l = {.answer = a};
    size_map(&l);
    int32_t rows = (int32_t)(a->class_count < COLORS ? a->class_count : COLORS) + 7;
    int32_t least = TOP + 21 * rows + 40, high = TOP + l.high + BOTTOM;
    l.chart.width = LEFT + l.wide + LEGEND;
    l.chart.height = high > least ? high : least;
    size_t bytes = 3 * (size_t)l.chart.width * (size_t)l.chart.height;
    l.chart.pixels = gz_storage_resize(NULL, bytes, 1);
    if (l.chart.pixels == NULL) return gz_message_no_memory();
    draw_cells(&l);
    draw_path(&l);
    clear_margins(&l);
    draw_axes(&l);
    draw_legend(&l);
    graze_error error;
    graze_status status = gz_png_file_write(path, l.chart.pixels, l.chart.width, l.chart.height,
                                            &error);
    gz_storage_free(l.chart.pixels);
    return status == GRAZE_OK ? GZ_EXIT_FINE : gz_message_error("cspace", &error);
}
