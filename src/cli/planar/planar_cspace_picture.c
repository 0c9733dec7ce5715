// The map of graze planar cspace as a picture. PNG: the cells and the path. SVG: the configuration
// space with axes, what moves in its workspace, and a legend.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "cli/check/check_output.h"
#include "cli/cspace/cspace_output.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/planar/planar_cspace.h"
#include "cli/text.h"

#define INK   "#22262c"
#define START "#2b5f9e"
#define GOAL  "#3f7d33"
#define OTHER "#7b3fa0"
#define HIT   "#b4451b"

#define GHOST_STYLE    "fill=\"none\" stroke=\"#a9c3e0\""
#define OBSTACLE_STYLE "fill=\"#8a929c\" stroke=\"#555d66\""
#define BLOCKER_STYLE  "fill=\"#e8a58a\" stroke=\"" HIT "\" stroke-width=\"2\""
#define PIECE_STYLE    "fill=\"#f4c7b5\" stroke=\"#d9a58e\""
#define PATH_STYLE     "fill=\"none\" stroke=\"" INK "\" stroke-width=\"2.4\" stroke-linecap=\"round\""

#define PI 3.141592653589793

enum { SIDE = 480, LEFT = 76, TOP = 44, BELOW = 64, LEGEND = 250, SIDE_MAX = 8192 };

typedef struct picture {
    const gz_cspace_map *map;
    gz_svg page, work; ///< work: metres, of the workspace
    gz_plot plot;      ///< of the configuration space
    gz_legend legend;
} picture;

// ------------------------------------------------------------------------------------------ pixels

/// The cells, `scale` pixels each; the lowest row of the map is that of the picture.
static bool make_pixels(const gz_cspace_map *map, int32_t scale, gz_pixels *pixels) {
    const graze_planar_grid *g = &map->grid;
    *pixels = (gz_pixels){NULL, g->columns * scale, g->rows * scale};
    pixels->rgb = gz_malloc(3 * (size_t)pixels->width, (size_t)pixels->height);
    for (int32_t y = 0; pixels->rgb && y < pixels->height; y++) {
        size_t row = (size_t)(g->rows - 1 - y / scale);
        for (int32_t x = 0; x < pixels->width; x++) {
            size_t cell = row * (size_t)g->columns + (size_t)(x / scale);
            gz_cspace_color(map->cells[cell], map->ids[cell], map->certified,
                            pixels->rgb + 3 * ((size_t)y * (size_t)pixels->width + (size_t)x));
        }
    }
    return pixels->rgb != NULL;
}

/// A line on the cells with a white rim.
static void line_on_pixels(const gz_pixels *pixels, const graze_planar_grid *g,
                           const graze_planar_pose *a, const graze_planar_pose *b, double radius,
                           const uint8_t color[3]) {
    static const uint8_t white[3] = {255, 255, 255};
    double from[2] = {(a->x - g->min.x) / (g->max.x - g->min.x) * pixels->width,
                      (g->max.y - a->y) / (g->max.y - g->min.y) * pixels->height};
    double to[2] = {(b->x - g->min.x) / (g->max.x - g->min.x) * pixels->width,
                    (g->max.y - b->y) / (g->max.y - g->min.y) * pixels->height};
    gz_pixels_line(pixels, from, to, radius + 1.2, white);
    gz_pixels_line(pixels, from, to, radius, color);
}

static int draw_png(const gz_cspace_map *map, const char *path) {
    static const uint8_t ink[3] = {16, 16, 20}, ends[2][3] = {{43, 95, 158}, {63, 125, 51}};
    int32_t longer = map->grid.columns > map->grid.rows ? map->grid.columns : map->grid.rows;
    const graze_planar_pose *poses = map->path.poses;
    gz_pixels pixels;
    if (!make_pixels(map, longer < 640 ? (640 + longer - 1) / longer : 1, &pixels))
        return gz_message_no_memory();
    for (size_t i = 0; i + 1 < map->path.pose_count; i++)
        line_on_pixels(&pixels, &map->grid, &poses[i], &poses[i + 1], 1.4, ink);
    for (int goal = 0; map->options->start && goal < 2; goal++)
        line_on_pixels(&pixels, &map->grid, &map->ends[goal], &map->ends[goal], 5, ends[goal]);
    int status = gz_output_write_png(path, &pixels);
    gz_free(pixels.rgb);
    return status;
}

// -------------------------------------------------------------------------- configuration space

static graze_vec2 on_map(const picture *p, const graze_planar_pose *at) {
    return gz_plot_at(&p->plot, at->x, at->y);
}

static void put_path(const picture *p) {
    const graze_planar_path *path = &p->map->path;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i + 1 < path->pose_count; i++)
            gz_svg_line(&p->page, on_map(p, &path->poses[i]), on_map(p, &path->poses[i + 1]),
                        pass == 0 ? "stroke=\"#ffffff\" stroke-width=\"5\"" : PATH_STYLE);
}

/// The cells as pixels. False when out of memory.
static bool put_cells(const picture *p) {
    gz_pixels pixels;
    bool good = make_pixels(p->map, 1, &pixels) && gz_plot_image(&p->page, p->plot.box, &pixels);
    gz_free(pixels.rgb);
    return good;
}

static void add_color(picture *p, uint8_t state, ptrdiff_t id, const char *name) {
    char style[96];
    uint8_t c[3];
    gz_cspace_color(state, id, p->map->certified, c);
    snprintf(style, sizeof style, "fill=\"#%02x%02x%02x\" stroke=\"#969ca4\"", c[0], c[1], c[2]);
    gz_legend_patch(&p->legend, style, name);
}

static void add_cells_legend(picture *p) {
    const graze_cspace_summary *s = &p->map->summary;
    const uint64_t cells[] = {s->free_certified, s->free_cells, s->undecided};
    static const uint8_t states[] = {GRAZE_PLANAR_CELL_FREE_CERTIFIED, GRAZE_PLANAR_CELL_FREE,
                                     GRAZE_PLANAR_CELL_OPEN};
    bool certified = p->map->certified;
    const char *names[] = {"free, proved", certified ? "free in the middle" : "free", "undecided"};
    for (int i = 0; i < 3; i++)
        if (cells[i]) add_color(p, states[i], -1, names[i]);
    for (size_t i = 0; i < GRAZE_PLANAR_LINK_MAX; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s %zu collides", p->map->whose, i);
        if (p->map->id_cells[i] > 0)
            add_color(p, GRAZE_PLANAR_CELL_BLOCKED_CERTIFIED, (ptrdiff_t)i, name);
    }
    if (certified && s->colliding_cells > 0)
        gz_legend_patch(&p->legend, NULL, "lighter: in the middle, not proved");
}

// --------------------------------------------------------------------------------------- workspace

/// No point of the body, or of the arm, is farther from its reference point, or base.
static double radius_of(const gz_cspace_map *map) {
    double links = 0, radius = 0;
    for (int32_t i = 0; i < map->arm.arm.link_count; i++) links += map->lengths[i];
    for (size_t i = 0; i < map->shapes.count; i++) {
        graze_planar_bounds own = graze_planar_shape_bounds(&map->shapes.items[i]);
        double far = hypot(fmax(-own.min.x, own.max.x), fmax(-own.min.y, own.max.y));
        radius = fmax(radius, links - map->lengths[map->shape_links[i]] + far);
    }
    return radius > 0 ? fmax(radius, links) : 1;
}

static void draw_pieces(const picture *p) {
    const gz_cspace_map *map = p->map;
    graze_vec2 corners[GZ_CSPACE_CORNER_MAX];
    for (size_t i = 0; i < graze_planar_scene_count(map->scene); i++) {
        for (size_t k = 0; k < map->turned.count; k++) {
            size_t count = gz_cspace_piece(map, i, k, corners);
            gz_svg_polygon(&p->work, corners, count, PIECE_STYLE);
        }
    }
}

/// The body or the arm at a place of the map.
static void draw_mover(const picture *p, const graze_planar_pose *at, const char *style) {
    const graze_planar_arm_scene *a = &p->map->arm;
    graze_planar_shape placed[GRAZE_PLANAR_ARM_SHAPE_MAX];
    double q[GRAZE_PLANAR_LINK_MAX];
    gz_cspace_configuration(p->map, at, q);
    if (graze_planar_arm_place(a, q, placed, NULL) != GRAZE_OK) return;
    for (size_t i = 0; i < a->shape_count; i++) gz_svg_shape(&p->work, &placed[i], style);
}

/// Bodies along the path, one about every length of theirs; of arms some thirty.
static void draw_ghosts(const picture *p) {
    const graze_planar_path *path = &p->map->path;
    double space = p->map->body ? radius_of(p->map) : fmax(path->length, 1e-9) / 30;
    for (size_t i = 0; i + 1 < path->pose_count; i++) {
        const graze_planar_pose *a = &path->poses[i], *b = &path->poses[i + 1];
        int steps = 1 + (int)fmin(hypot(b->x - a->x, b->y - a->y) / space, 200);
        for (int k = 0; k < steps; k++) {
            double t = (double)k / steps;
            const graze_planar_pose at = {a->x + t * (b->x - a->x), a->y + t * (b->y - a->y),
                                          a->heading};
            draw_mover(p, &at, GHOST_STYLE);
        }
    }
}

/// The joints of an arm, and a name at its tip.
static void draw_joints(const picture *p, const graze_planar_pose *at, const char *color,
                        const char *name) {
    const graze_planar_arm *arm = &p->map->arm.arm;
    graze_vec2 joints[GRAZE_PLANAR_LINK_MAX + 1];
    double q[GRAZE_PLANAR_LINK_MAX];
    char style[128];
    gz_cspace_configuration(p->map, at, q);
    if (graze_planar_arm_points(arm, q, joints, NULL) != GRAZE_OK) return;
    snprintf(style, sizeof style, "fill=\"#ffffff\" stroke=\"%s\" stroke-width=\"1.5\"", color);
    for (int32_t i = 0; i < arm->link_count; i++) gz_svg_dot(&p->work, joints[i], 3, style);
    graze_vec2 tip = joints[arm->link_count];
    const graze_vec2 back = gz_planar_minus(joints[arm->link_count - 1], tip);
    gz_plot_label(&p->work, tip, 14, &back, 1, name, color);
}

/// What a named place of the map looks like: in the workspace, and then on the map.
static void draw_named(const picture *p, bool map, const graze_planar_pose *at, const char *fill,
                       const char *color, const char *name) {
    char style[128];
    if (map) {
        snprintf(style, sizeof style, "fill=\"%s\" stroke=\"#ffffff\" stroke-width=\"1.5\"", color);
        gz_svg_dot(&p->page, on_map(p, at), 5, style);
        gz_plot_label(&p->page, on_map(p, at), 12, NULL, 0, name, color);
        return;
    }
    snprintf(style, sizeof style,
             "fill=\"%s\" fill-opacity=\"0.75\" stroke=\"%s\" stroke-width=\"1.8\" "
             "stroke-linejoin=\"round\"",
             fill, color);
    draw_mover(p, at, style);
    if (!p->map->body) draw_joints(p, at, color, name);
}

/// The places that the picture names: start and goal, red where the search ended there, and those
/// asked for; else an arm's rest.
static void draw_places(const picture *p, bool on_map) {
    static const char *const colors[3] = {START, GOAL, HIT};
    static const char *const fills[3] = {"#cfe0f3", "#d7ead2", "#f4c7b5"};
    const gz_cspace_map *map = p->map;
    char name[32];
    for (size_t i = 0; i < map->at_count; i++) {
        snprintf(name, sizeof name, "%zu", i + 1);
        draw_named(p, on_map, &map->at[i], "#e6d9ee", OTHER, name);
    }
    for (int goal = 0; map->options->start && goal < 2; goal++) {
        bool blocked = map->path.outcome ==
                       (goal ? GRAZE_PLANAR_PATH_GOAL_BLOCKED : GRAZE_PLANAR_PATH_START_BLOCKED);
        int kind = blocked ? 2 : goal;
        draw_named(p, on_map, &map->ends[goal], fills[kind], colors[kind], goal ? "goal" : "start");
    }
    if (map->body || map->at_count > 0 || map->options->start) return;
    const graze_planar_pose rest = {map->rest[map->joints[0]], map->rest[map->joints[1]], 0};
    draw_named(p, on_map, &rest, "#cfe0f3", START, "rest");
}

/// Obstacles with an edge each, then filled again, so that no seam of parts shows.
static void draw_obstacles(const picture *p) {
    static const char *const styles[2][2] = {
        {"fill=\"none\" stroke=\"#555d66\" stroke-width=\"2\"", "fill=\"#8a929c\" stroke=\"none\""},
        {"fill=\"none\" stroke=\"" HIT "\" stroke-width=\"4\"",
         "fill=\"#e8a58a\" stroke=\"none\""}};
    const gz_cspace_map *map = p->map;
    int64_t blocker = gz_cspace_blocker(map);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < map->obstacles.count; i++)
            gz_svg_shape(&p->work, &map->obstacles.items[i],
                         styles[map->owners[i] == blocker][pass]);
}

static void add_ends_legend(picture *p) {
    static const char *const words[] = {NULL, "no path: the start is blocked",
                                        "no path: the goal is blocked", "no path was found"};
    const graze_planar_path *path = &p->map->path;
    if (path->pose_count > 0) gz_legend_line(&p->legend, PATH_STYLE, "path");
    if (path->pose_count > 0) gz_legend_patch(&p->legend, GHOST_STYLE, "along the path");
    gz_legend_dot(&p->legend, "fill=\"" START "\"", "start");
    gz_legend_dot(&p->legend, "fill=\"" GOAL "\"", "goal");
    if (words[path->outcome])
        gz_legend_patch(&p->legend, path->outcome == GRAZE_PLANAR_PATH_NONE ? NULL : BLOCKER_STYLE,
                        words[path->outcome]);
}

/// The body beside the map, with its reference point.
static void draw_key(picture *p) {
    const gz_cspace_map *map = p->map;
    double radius = radius_of(map);
    gz_plot_box box = {p->legend.x, p->legend.y + 26, 110, 110};
    gz_svg svg = gz_plot_panel(&p->page, box, (graze_vec2){-radius, -radius},
                               (graze_vec2){radius, radius});
    char text[64], number[GZ_DECIMAL_SIZE];
    const graze_transform2 here = {1, 0, 0, 0};
    snprintf(text, sizeof text, "the body, heading %s degrees",
             gz_decimal_format(number, map->options->heading));
    gz_legend_patch(&p->legend, NULL, text);
    gz_planar_shapes_draw(&svg, &map->turned, &here, "#cfe0f3", START);
    gz_svg_dot(&svg, (graze_vec2){0, 0}, 3, "fill=\"" INK "\"");
    p->legend.y += 130;
}

/// Places and workspace are one; a path is among the obstacles themselves, a map among those of its
/// heading.
static bool draw_body_map(picture *p) {
    const gz_cspace_map *map = p->map;
    bool driven = map->options->start != NULL, good = true;
    const gz_plot_box *box = &p->plot.box;
    p->work = gz_plot_panel(&p->page, *box, map->grid.min, map->grid.max);
    gz_plot_axes(&p->plot, "Places of the reference point", "x, m", "y, m");
    gz_plot_clip_begin(&p->page, *box, 1);
    if (map->certified && !driven) good = put_cells(p);
    if (!map->certified && !driven) draw_pieces(p);
    draw_obstacles(p);
    if (driven) draw_ghosts(p);
    draw_places(p, false);
    draw_places(p, true);
    put_path(p);
    gz_plot_clip_end(&p->page);
    if (!driven) draw_key(p);
    gz_legend_patch(&p->legend, OBSTACLE_STYLE, "obstacles");
    if (driven) add_ends_legend(p);
    if (map->certified && !driven) add_cells_legend(p);
    if (!map->certified && !driven)
        gz_legend_patch(&p->legend, PIECE_STYLE, "grown by the body: it collides");
    return good;
}

static bool draw_arm_map(picture *p) {
    const gz_cspace_map *map = p->map;
    char names[2][48];
    for (int side = 0; side < 2; side++)
        snprintf(names[side], sizeof names[side], "%s, rad", map->axes[side]);
    bool good = put_cells(p);
    gz_plot_axes(&p->plot, "Configuration space", names[0], names[1]);
    gz_plot_clip_begin(&p->page, p->plot.box, 1);
    put_path(p);
    draw_places(p, true);
    gz_plot_clip_end(&p->page);
    // As far as the arm reaches, and its name.
    double far = 1.16 * radius_of(map);
    graze_vec2 base = map->arm.arm.base;
    gz_plot work = {&p->page,
                    {2 * LEFT + p->plot.box.width, TOP, SIDE, SIDE},
                    {base.x - far, base.y - far},
                    {base.x + far, base.y + far}};
    p->work = gz_plot_panel(&p->page, work.box, work.min, work.max);
    gz_plot_axes(&work, "Workspace", "x, m", "y, m");
    gz_plot_clip_begin(&p->page, work.box, 2);
    draw_obstacles(p);
    draw_ghosts(p);
    draw_places(p, false);
    gz_plot_clip_end(&p->page);
    gz_plot_scale_bar(&p->work, &p->page, work.box);
    add_cells_legend(p);
    if (map->obstacles.count > 0) gz_legend_patch(&p->legend, OBSTACLE_STYLE, "obstacles");
    if (map->options->start) add_ends_legend(p);
    if (map->at_count > 0) gz_legend_dot(&p->legend, "fill=\"" OTHER "\"", "1, 2, ...: --at");
    return good;
}

// ---------------------------------------------------------------------------------------- the file

static int draw_svg(FILE *stream, const void *answer) {
    const gz_cspace_map *map = answer;
    const graze_planar_grid *g = &map->grid;
    double wide = g->max.x - g->min.x, high = g->max.y - g->min.y, longer = fmax(wide, high);
    // Metres along both sides of a body's map are equal; angles fill a square.
    double side = map->body ? 1.25 * SIDE : SIDE;
    gz_plot_box box = {LEFT, TOP, map->body ? side * wide / longer : side,
                       map->body ? side * high / longer : side};
    double width = LEFT + box.width + 26 + LEGEND;
    if (!map->body) width += LEFT + SIDE;
    picture p = {.map = map};
    p.page = gz_plot_page(stream, width, fmax(TOP + box.height + BELOW, TOP + 320));
    p.plot = (gz_plot){&p.page, box, g->min, g->max};
    p.legend = (gz_legend){&p.page, width - LEGEND, TOP};
    bool good = map->body ? draw_body_map(&p) : draw_arm_map(&p);
    gz_svg_end(&p.page);
    return good ? GZ_EXIT_FINE : gz_message_no_memory();
}

int gz_cspace_draw(const gz_cspace_map *map, const char *path) {
    return gz_text_ends_with(path, ".png") ? draw_png(map, path)
                                           : gz_planar_write(path, draw_svg, map);
}
