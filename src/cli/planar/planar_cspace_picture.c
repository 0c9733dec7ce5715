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

/// The places of the path in the map.
static size_t path_count(const gz_cspace_map *map) {
    return map->body ? map->drive.pose_count : map->path.point_count;
}
static graze_vec2 path_point(const gz_cspace_map *map, size_t i) {
    return map->body ? (graze_vec2){map->drive.poses[i].x, map->drive.poses[i].y}
                     : map->path.points[i];
}

static void line_on_pixels(const gz_pixels *pixels, const graze_planar_grid *g, graze_vec2 a,
                           graze_vec2 b, double radius, const uint8_t color[3]) {
    double from[2] = {(a.x - g->min.x) / (g->max.x - g->min.x) * pixels->width,
                      (g->max.y - a.y) / (g->max.y - g->min.y) * pixels->height};
    double to[2] = {(b.x - g->min.x) / (g->max.x - g->min.x) * pixels->width,
                    (g->max.y - b.y) / (g->max.y - g->min.y) * pixels->height};
    gz_pixels_line(pixels, from, to, radius, color);
}

static int draw_png(const gz_cspace_map *map, const char *path) {
    static const uint8_t white[3] = {255, 255, 255}, ink[3] = {16, 16, 20}, blue[3] = {43, 95, 158},
                         green[3] = {63, 125, 51};
    int32_t longer = map->grid.columns > map->grid.rows ? map->grid.columns : map->grid.rows;
    gz_pixels pixels;
    if (!make_pixels(map, longer < 640 ? (640 + longer - 1) / longer : 1, &pixels))
        return gz_message_no_memory();
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i + 1 < path_count(map); i++)
            line_on_pixels(&pixels, &map->grid, path_point(map, i), path_point(map, i + 1),
                           pass == 0 ? 2.6 : 1.4, pass == 0 ? white : ink);
    for (int goal = 0; map->options->start && goal < 2; goal++)
        for (int pass = 0; pass < 2; pass++)
            line_on_pixels(&pixels, &map->grid, map->ends[goal], map->ends[goal],
                           pass == 0 ? 6.5 : 5,
                           pass == 0 ? white
                           : goal    ? green
                                     : blue);
    int status = gz_output_write_png(path, &pixels);
    gz_free(pixels.rgb);
    return status;
}

// -------------------------------------------------------------------------- configuration space

static graze_vec2 on_map(const picture *p, graze_vec2 at) {
    return gz_plot_at(&p->plot, at.x, at.y);
}

static void put_place(const picture *p, graze_vec2 at, const char *color, const char *name) {
    char style[96];
    snprintf(style, sizeof style, "fill=\"%s\" stroke=\"#ffffff\" stroke-width=\"1.5\"", color);
    graze_vec2 q = on_map(p, at);
    gz_svg_dot(&p->page, q, 5, style);
    if (name) gz_plot_label(&p->page, q, 12, NULL, 0, name, color);
}

static void put_path(const picture *p) {
    const gz_cspace_map *map = p->map;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i + 1 < path_count(map); i++)
            gz_svg_line(&p->page, on_map(p, path_point(map, i)), on_map(p, path_point(map, i + 1)),
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

// ------------------------------------------------------------------------------------------ bodies

static void draw_pieces(const picture *p) {
    const gz_cspace_map *map = p->map;
    graze_vec2 corners[GZ_CSPACE_CORNER_MAX];
    for (size_t i = 0; i < graze_planar_scene_count(map->scene); i++) {
        for (size_t k = 0; k < graze_planar_body_part_count(map->turned); k++) {
            size_t count = gz_cspace_piece(map, i, k, corners);
            gz_svg_polygon(&p->work, corners, count, PIECE_STYLE);
        }
    }
}

/// Bodies along the path, one about every reach.
static void draw_drive(const picture *p) {
    const graze_planar_drive *d = &p->map->drive;
    for (size_t i = 0; i + 1 < d->pose_count; i++) {
        const graze_planar_pose *a = &d->poses[i], *b = &d->poses[i + 1];
        double way = hypot(b->x - a->x, b->y - a->y) / graze_planar_body_reach(p->map->body);
        int steps = way > 200 ? 200 : (int)way;
        for (int k = 0; k <= steps; k++) {
            double t = (double)k / (steps + 1);
            const graze_transform2 pose = graze_transform2_make(
                a->x + t * (b->x - a->x), a->y + t * (b->y - a->y), a->heading);
            gz_planar_shapes_put(&p->work, &p->map->shapes, &pose, GHOST_STYLE);
        }
    }
}

/// The color of an end, and what it is filled with: red where the search ended there.
static const char *end_color(const gz_cspace_map *map, int goal, const char **fill) {
    static const char *const colors[3] = {START, GOAL, HIT};
    static const char *const fills[3] = {"#cfe0f3", "#d7ead2", "#f4c7b5"};
    const graze_planar_drive_outcome blocked[2] = {GRAZE_PLANAR_DRIVE_START_BLOCKED,
                                                   GRAZE_PLANAR_DRIVE_GOAL_BLOCKED};
    int kind = map->outcome == blocked[goal] ? 2 : goal;
    *fill = fills[kind];
    return colors[kind];
}

static void draw_ends(const picture *p) {
    const gz_cspace_map *map = p->map;
    for (int goal = 0; goal < 2; goal++) {
        const graze_planar_pose *at = &map->poses[goal];
        const graze_transform2 pose = graze_transform2_make(at->x, at->y, at->heading);
        const char *fill, *color = end_color(map, goal, &fill);
        gz_planar_shapes_draw(&p->work, &map->shapes, &pose, fill, color);
        put_place(p, map->ends[goal], color, goal ? "goal" : "start");
    }
}

static void draw_obstacles(const picture *p) {
    const gz_cspace_map *map = p->map;
    for (size_t i = 0; i < graze_planar_scene_count(map->scene); i++) {
        const graze_planar_convex *o = graze_planar_scene_polygon(map->scene, i);
        gz_svg_polygon(&p->work, o->vertices, (size_t)o->count,
                       (int64_t)i == gz_cspace_blocker(map) ? BLOCKER_STYLE : OBSTACLE_STYLE);
    }
}

static void add_ends_legend(picture *p) {
    if (path_count(p->map) > 0) gz_legend_line(&p->legend, PATH_STYLE, "path");
    if (path_count(p->map) > 0) gz_legend_patch(&p->legend, GHOST_STYLE, "along the path");
    gz_legend_dot(&p->legend, "fill=\"" START "\"", "start");
    gz_legend_dot(&p->legend, "fill=\"" GOAL "\"", "goal");
    static const char *const words[] = {NULL, "no path: the start is blocked",
                                        "no path: the goal is blocked", "no path was found"};
    if (words[p->map->outcome])
        gz_legend_patch(&p->legend,
                        p->map->outcome == GRAZE_PLANAR_DRIVE_NONE ? NULL : BLOCKER_STYLE,
                        words[p->map->outcome]);
}

/// The body beside the map, with its reference point.
static void draw_key(picture *p) {
    const gz_cspace_map *map = p->map;
    double radius = graze_planar_body_reach(map->turned);
    gz_plot_box box = {p->legend.x, p->legend.y + 26, 110, 110};
    gz_svg svg = gz_plot_panel(&p->page, box, (graze_vec2){-radius, -radius},
                               (graze_vec2){radius, radius});
    char text[64], number[GZ_DECIMAL_SIZE];
    const graze_transform2 pose = graze_transform2_make(0, 0, map->options->heading * (PI / 180));
    snprintf(text, sizeof text, "the body, heading %s degrees",
             gz_decimal_format(number, map->options->heading));
    gz_legend_patch(&p->legend, NULL, text);
    gz_planar_shapes_draw(&svg, &map->shapes, &pose, "#cfe0f3", START);
    gz_svg_dot(&svg, (graze_vec2){0, 0}, 3, "fill=\"" INK "\"");
    p->legend.y += 130;
}

static bool draw_body_map(picture *p) {
    const gz_cspace_map *map = p->map;
    bool driven = map->options->start != NULL, good = true;
    const gz_plot_box *box = &p->plot.box;
    p->work = gz_plot_panel(&p->page, *box, map->grid.min, map->grid.max);
    gz_plot_axes(&p->plot, "Places of the reference point", "x, m", "y, m");
    gz_plot_clip_begin(&p->page, *box, 1);
    if (map->options->certified && !driven) good = put_cells(p);
    // A path is among the obstacles themselves; a map, among those of its heading.
    if (!map->options->certified && !driven) draw_pieces(p);
    draw_obstacles(p);
    if (driven) draw_drive(p);
    if (driven) draw_ends(p);
    put_path(p);
    gz_plot_clip_end(&p->page);
    if (!driven) draw_key(p);
    gz_legend_patch(&p->legend, OBSTACLE_STYLE, "obstacles");
    if (driven) add_ends_legend(p);
    if (map->options->certified && !driven) add_cells_legend(p);
    if (!map->options->certified && !driven)
        gz_legend_patch(&p->legend, PIECE_STYLE, "grown by the body: it collides");
    return good;
}

// -------------------------------------------------------------------------------------------- arms

/// The arm at a place of the map.
static void draw_arm(const picture *p, graze_vec2 at, const char *style) {
    const graze_planar_arm_scene *a = &p->map->arm;
    graze_planar_shape placed[GRAZE_PLANAR_ARM_SHAPE_MAX];
    double q[GRAZE_PLANAR_LINK_MAX];
    gz_cspace_angles(p->map, at, q);
    if (graze_planar_arm_place(a, q, placed, NULL) != GRAZE_OK) return;
    for (size_t i = 0; i < a->shape_count; i++) gz_svg_shape(&p->work, &placed[i], style);
}

/// The same with its joints, and a name at its tip.
static void draw_named_arm(const picture *p, graze_vec2 at, const char *fill, const char *color,
                           const char *name) {
    const graze_planar_arm *arm = &p->map->arm.arm;
    graze_vec2 joints[GRAZE_PLANAR_LINK_MAX + 1];
    double q[GRAZE_PLANAR_LINK_MAX];
    char style[128];
    gz_cspace_angles(p->map, at, q);
    if (graze_planar_arm_points(arm, q, joints, NULL) != GRAZE_OK) return;
    snprintf(style, sizeof style,
             "fill=\"%s\" fill-opacity=\"0.75\" stroke=\"%s\" stroke-width=\"1.8\" "
             "stroke-linejoin=\"round\"",
             fill, color);
    draw_arm(p, at, style);
    snprintf(style, sizeof style, "fill=\"#ffffff\" stroke=\"%s\" stroke-width=\"1.5\"", color);
    for (int32_t i = 0; i < arm->link_count; i++) gz_svg_dot(&p->work, joints[i], 3, style);
    graze_vec2 tip = joints[arm->link_count];
    const graze_vec2 back = gz_planar_minus(joints[arm->link_count - 1], tip);
    gz_plot_label(&p->work, tip, 14, &back, 1, name, color);
}

/// Some thirty arms along the path.
static void draw_sweep(const picture *p) {
    const graze_planar_arm_path *path = &p->map->path;
    for (size_t i = 0; i + 1 < path->point_count; i++) {
        graze_vec2 a = path->points[i], b = path->points[i + 1], d = gz_planar_minus(b, a);
        int steps = (int)ceil(30 * hypot(d.x, d.y) / fmax(path->length, 1e-9));
        for (int k = 0; k < steps && k < 30; k++)
            draw_arm(p, gz_planar_along(a, (double)k / steps, d), GHOST_STYLE);
    }
}

/// Obstacles with an edge each, then filled again, so that no seam of parts shows.
static void draw_arm_obstacles(const picture *p) {
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

/// Draws a place of the map: on the map, or the arm there.
typedef void draw_place(const picture *p, graze_vec2 at, const char *fill, const char *color,
                        const char *name);

static void draw_dot(const picture *p, graze_vec2 at, const char *fill, const char *color,
                     const char *name) {
    (void)fill;
    put_place(p, at, color, name);
}

/// The places that the picture names: start and goal, and those asked for; else the rest.
static void draw_places(const picture *p, draw_place *draw) {
    const gz_cspace_map *map = p->map;
    char name[32];
    for (size_t i = 0; i < map->at_count; i++) {
        snprintf(name, sizeof name, "%zu", i + 1);
        draw(p, map->at[i], "#e6d9ee", OTHER, name);
    }
    for (int goal = 0; map->options->start && goal < 2; goal++) {
        const char *fill, *color = end_color(map, goal, &fill);
        draw(p, map->ends[goal], fill, color, goal ? "goal" : "start");
    }
    if (map->at_count > 0 || map->options->start) return;
    graze_vec2 rest = {map->rest[map->joints[0]], map->rest[map->joints[1]]};
    draw(p, rest, "#cfe0f3", START, "rest");
}

/// As far as the arm reaches.
static gz_plot_box draw_workspace(picture *p, double x) {
    const graze_planar_arm *arm = &p->map->arm.arm;
    graze_planar_bounds box = {arm->base, arm->base};
    double radius = 0;
    for (int32_t i = 0; i < arm->link_count; i++) radius += arm->lengths[i];
    for (size_t i = 0; i < p->map->shapes.count; i++) {
        graze_planar_bounds own = graze_planar_shape_bounds(&p->map->shapes.items[i]);
        double far = fmax(hypot(own.min.x, own.min.y), hypot(own.max.x, own.max.y));
        radius = fmax(radius, radius - arm->lengths[p->map->shape_links[i]] + far);
    }
    if (!(radius > 0)) radius = 1;
    radius *= 1.16; // and its name
    box.min = (graze_vec2){arm->base.x - radius, arm->base.y - radius};
    box.max = (graze_vec2){arm->base.x + radius, arm->base.y + radius};
    gz_plot_box place = {x, TOP, SIDE, SIDE};
    p->work = gz_plot_panel(&p->page, place, box.min, box.max);
    gz_plot plot = {&p->page, place, box.min, box.max};
    gz_plot_axes(&plot, "Workspace", "x, m", "y, m");
    return place;
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
    draw_places(p, draw_dot);
    gz_plot_clip_end(&p->page);
    gz_plot_box place = draw_workspace(p, 2 * LEFT + p->plot.box.width);
    gz_plot_clip_begin(&p->page, place, 2);
    draw_arm_obstacles(p);
    draw_sweep(p);
    draw_places(p, draw_named_arm);
    gz_plot_clip_end(&p->page);
    gz_plot_scale_bar(&p->work, &p->page, place);
    add_cells_legend(p);
    if (map->obstacles.count > 0) gz_legend_patch(&p->legend, OBSTACLE_STYLE, "obstacles");
    if (map->options->start) add_ends_legend(p);
    if (map->at_count > 0) gz_legend_dot(&p->legend, "fill=\"" OTHER "\"", "1, 2, ...: --at");
    return good;
}

// ------------------------------------------------------------------------------------------ the
// file

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
    return gz_planar_ends_with(path, ".png") ? draw_png(map, path)
                                             : gz_planar_write(path, draw_svg, map);
}
