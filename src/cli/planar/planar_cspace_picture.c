// The map of graze planar cspace as SVG, what moves in its workspace, and a legend.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/message.h"
#include "cli/planar/planar_cspace.h"
#include "cli/text.h"

#define GHOST_STYLE "fill=\"none\" stroke=\"#a9c3e0\""
#define PIECE_STYLE "fill=\"#f4c7b5\" stroke=\"#d9a58e\""
#define PATH_STYLE                                                                                 \
    "fill=\"none\" stroke=\"" GZ_PLANAR_INK "\" stroke-width=\"2.4\" stroke-linecap=\"round\""

enum { SIDE = 480, LEFT = 76, TOP = 44, BELOW = 64, LEGEND = 290, KEY = 180 };

static const graze_transform2 here = {1, 0, 0, 0};

typedef struct picture {
    const gz_cspace_map *map;
    gz_svg page, work; ///< work: metres, of the workspace
    gz_plot plot;      ///< of the configuration space
    gz_legend legend;
} picture;

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

static void draw_obstacles(const gz_cspace_map *map, const gz_svg *svg) {
    int64_t blocker = gz_cspace_blocker(map);
    gz_planar_shapes_draw(svg, &map->obstacles, &here, &gz_planar_paints[GZ_OBSTACLE_PAINT]);
    for (size_t i = 0; i < map->obstacles.count; i++) {
        const gz_planar_shapes one = {&map->obstacles.items[i], 1, 1};
        if (map->owners[i] == blocker)
            gz_planar_shapes_draw(svg, &one, &here, &gz_planar_paints[GZ_HIT_PAINT]);
    }
}

/// The configuration at a place of the map.
static void configure(const gz_cspace_map *map, const double at[3], double *q) {
    memcpy(q, map->rest, sizeof map->rest);
    for (int k = 0; k < 2; k++) q[map->answer.map.columns[k]] = at[k];
    if (map->body) q[2] = at[2];
}

/// The body or the arm at a place of the map; without a paint, its outline.
static void draw_mover(const picture *p, const double at[3], const gz_planar_paint *paint) {
    graze_planar_shape placed[GRAZE_PLANAR_ARM_SHAPE_MAX];
    const gz_planar_shapes shapes = {placed, p->map->arm.shape_count, 0};
    double q[GRAZE_PLANAR_LINK_MAX];
    configure(p->map, at, q);
    if (graze_planar_arm_place(&p->map->arm, q, placed, NULL) != GRAZE_OK) return;
    if (paint != NULL) gz_planar_shapes_draw(&p->work, &shapes, &here, paint);
    for (size_t i = 0; paint == NULL && i < shapes.count; i++)
        gz_svg_shape(&p->work, &placed[i], GHOST_STYLE);
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
            const double at[3] = {a->x + t * (b->x - a->x), a->y + t * (b->y - a->y), a->heading};
            draw_mover(p, at, NULL);
        }
    }
}

/// What moves at a named place: shapes, joints or reference point, and the name.
static void draw_mark(const picture *p, const gz_cspace_mark *mark) {
    const graze_planar_arm *arm = &p->map->arm.arm;
    const graze_vec2 place = {mark->at[0], mark->at[1]};
    graze_vec2 joints[GRAZE_PLANAR_LINK_MAX + 1] = {place, place};
    double q[GRAZE_PLANAR_LINK_MAX];
    char style[128];
    draw_mover(p, mark->at, &gz_planar_paints[mark->kind]);
    configure(p->map, mark->at, q);
    if (!p->map->body && graze_planar_arm_points(arm, q, joints, NULL) != GRAZE_OK) return;
    snprintf(style, sizeof style, "fill=\"#ffffff\" stroke=\"%s\" stroke-width=\"1.5\"",
             mark->color);
    for (int32_t i = 0; i < arm->link_count; i++) gz_svg_dot(&p->work, joints[i], 3, style);
    graze_vec2 tip = joints[arm->link_count];
    const graze_vec2 back = gz_planar_minus(joints[arm->link_count - 1], tip);
    gz_plot_label(&p->work, tip, 14, &back, 1, mark->name, mark->color);
}

/// Cells, or the pieces that obstacles grow to.
static bool draw_configurations(picture *p) {
    const gz_cspace_map *map = p->map;
    const gz_plot_box *box = &p->plot.box;
    const char *title = map->body ? "Places of the reference point" : "Configuration space";
    bool cells = !map->body || map->answer.map.certified;
    bool good = !cells || gz_cspace_draw_map(&map->answer, &p->plot, title);
    if (!cells) gz_plot_axes(&p->plot, title, "x [m]", "y [m]");
    gz_svg svg = gz_plot_panel(&p->page, *box, p->plot.min, p->plot.max);
    gz_plot_clip_begin(&p->page, *box, 1);
    graze_vec2 corners[GZ_CSPACE_CORNER_MAX];
    for (size_t i = 0, count; !cells && (count = gz_cspace_piece(map, i, corners)) > 0; i++)
        gz_svg_polygon(&svg, corners, count, PIECE_STYLE);
    if (map->body) draw_obstacles(map, &svg);
    gz_plot_clip_end(&p->page);
    return good;
}

/// What moves among the obstacles, as far as it gets; of a body without a path, the body alone.
static void draw_workspace(picture *p, gz_plot_box box) {
    const gz_cspace_map *map = p->map;
    bool driven = map->body && map->options->start, key = map->body && !driven;
    double far = 1.16 * radius_of(map);
    graze_vec2 base = map->arm.arm.base;
    gz_plot work = {&p->page, box, {base.x - far, base.y - far}, {base.x + far, base.y + far}};
    if (driven) work = gz_cspace_plot(&map->answer, &p->page, box);
    p->work = gz_plot_panel(&p->page, box, work.min, work.max);
    gz_plot_axes(&work, key ? "The body at its heading" : "Workspace", "x, m", "y, m");
    gz_plot_clip_begin(&p->page, box, 2);
    if (!key) draw_obstacles(map, &p->work);
    draw_ghosts(p);
    for (size_t i = 0; i < map->answer.mark_count; i++) draw_mark(p, &map->answer.marks[i]);
    if (key)
        draw_mark(p,
                  &(gz_cspace_mark){{0, 0, map->rest[2]}, GZ_PLANAR_FIRST, GZ_FIRST_PAINT, "0, 0"});
    for (size_t i = 0; driven && i + 1 < map->path.pose_count; i++)
        gz_svg_line(&p->work, (graze_vec2){map->path.poses[i].x, map->path.poses[i].y},
                    (graze_vec2){map->path.poses[i + 1].x, map->path.poses[i + 1].y}, PATH_STYLE);
    gz_plot_clip_end(&p->page);
    gz_plot_scale_bar(&p->work, &p->page, box);
}

static void draw_legend(picture *p) {
    static const char *const words[] = {NULL, "no path: the start is blocked",
                                        "no path: the goal is blocked", "no path was found"};
    const gz_cspace_map *map = p->map;
    const graze_planar_path *path = &map->path;
    gz_legend *l = &p->legend;
    if (!map->body || (map->answer.map.certified && !map->options->start))
        gz_cspace_draw_legend(&map->answer, l);
    else if (!map->options->start)
        gz_legend_patch(l, PIECE_STYLE, "grown by the body: it collides");
    if (map->obstacles.count > 0) gz_planar_paint_explain(l, GZ_OBSTACLE_PAINT, "obstacles");
    if (path->pose_count > 0 && map->body) gz_legend_line(l, PATH_STYLE, "path");
    if (path->pose_count > 0) gz_legend_patch(l, GHOST_STYLE, "along the path");
    if (map->options->start) {
        gz_planar_paint_explain(l, GZ_FIRST_PAINT, "start");
        gz_planar_paint_explain(l, GZ_SECOND_PAINT, "goal");
    }
    if (words[path->outcome]) gz_planar_paint_explain(l, GZ_HIT_PAINT, words[path->outcome]);
    if (map->options->at.count > 0) gz_planar_paint_explain(l, GZ_OTHER_PAINT, "1, 2, ...: --at");
}

static int draw_svg(FILE *stream, const void *answer) {
    const gz_cspace_map *map = answer;
    const double(*r)[2] = map->answer.summary.ranges;
    bool key = map->body && !map->options->start;
    // Metres along both sides of a body's map are equal; angles fill a square.
    double wide = r[0][1] - r[0][0], high = r[1][1] - r[1][0], scale = 600 / fmax(wide, high);
    gz_plot_box box = {LEFT, TOP, map->body ? scale * wide : SIDE, map->body ? scale * high : SIDE};
    gz_plot_box beside = {2 * LEFT + box.width, TOP, key ? KEY : SIDE, key ? KEY : SIDE};
    double right = LEFT + box.width + (map->body ? 26 : LEFT + SIDE + 26);
    picture p = {.map = map};
    p.page = gz_plot_page(stream, right + LEGEND, fmax(TOP + box.height + BELOW, TOP + 400));
    p.plot = gz_cspace_plot(&map->answer, &p.page, box);
    p.legend = (gz_legend){&p.page, right, key ? TOP + KEY + BELOW : TOP};
    bool good = (map->body && !key) || draw_configurations(&p);
    draw_workspace(&p, map->body && !key ? box : beside);
    draw_legend(&p);
    gz_svg_end(&p.page);
    return good ? GZ_EXIT_FINE : gz_message_no_memory();
}

int gz_cspace_draw(const gz_cspace_map *map, const char *path) {
    return gz_text_ends_with(path, ".png") ? gz_cspace_draw_picture(&map->answer, path)
                                           : gz_output_write(path, draw_svg, map);
}
