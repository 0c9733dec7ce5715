#include "cli/planar/planar_cspace.h"
#include "cli/check/check_output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/message.h"
#include "cli/output.h"
#include "cli/text.h"
#include "picture/raster.h"
#include "picture/svg.h"

#define PI 3.141592653589793

void gz_cspace_map_clear(gz_cspace_map *map) {
    graze_planar_scene_free(map->scene);
    graze_planar_body_free(map->body);
    graze_planar_body_free(map->turned);
    graze_planar_drive_free(&map->drive);
    gz_free(map->disks);
    gz_free(map->cells);
}

size_t gz_cspace_cells_of(const gz_cspace_map *map, uint8_t kind) {
    size_t all = (size_t)map->grid.columns * (size_t)map->grid.rows, count = 0;
    for (size_t i = 0; i < all; i++) count += map->cells[i] == kind;
    return count;
}

static int make_grid(gz_cspace_map *map, graze_vec2 min, graze_vec2 max, uint64_t cells) {
    map->grid = (graze_planar_grid){min, max, (int32_t)cells, (int32_t)cells};
    map->cells = gz_malloc((size_t)(cells * cells), 1);
    return map->cells != NULL ? GZ_EXIT_FINE : gz_message_no_memory();
}

static int fail(const graze_error *error) {
    if (error->status == GRAZE_ERROR_RANGE || error->status == GRAZE_ERROR_ARGUMENT)
        return gz_message_usage(gz_cspace_command, "%s", error->message);
    return gz_message_error(gz_cspace_command, error);
}

// ---------------------------------------------------------------------------------------- bodies

/// Cosine and sine of degrees: exact for quarter turns.
static graze_transform2 heading_of(double degrees) {
    double quarters = degrees / 90;
    if (rint(quarters) == quarters) {
        static const double sines[4] = {0, 1, 0, -1};
        int k = (int)quarters & 3;
        return (graze_transform2){sines[(k + 1) & 3], sines[k], 0, 0};
    }
    return graze_transform2_make(0, 0, degrees * (PI / 180));
}

static int make_body(const gz_cspace_options *o, gz_cspace_map *map) {
    graze_vec2 vertices[GZ_PLANAR_NUMBERS_MAX / 2];
    size_t count = gz_planar_numbers(o->body, &vertices[0].x, GZ_PLANAR_NUMBERS_MAX);
    if (count < 6 || count % 2 != 0) {
        return gz_message_usage(gz_cspace_command,
                                "--body is '%.200s'; allowed: x,y of three vertices or more, up to "
                                "%d numbers",
                                o->body, GZ_PLANAR_NUMBERS_MAX);
    }
    graze_error error;
    graze_transform2 turn = heading_of(o->heading);
    graze_status status = graze_planar_body_create(&map->body, vertices, count / 2, &error);
    if (status == GRAZE_ERROR_NO_MEMORY) return fail(&error);
    if (status) return gz_message_usage(gz_cspace_command, "--body: %s", error.message);
    if (graze_planar_body_turned(&map->turned, map->body, turn.c, turn.s, &error) != GRAZE_OK)
        return fail(&error);
    return GZ_EXIT_FINE;
}

static int parse_pose(const char *option, const char *text, graze_planar_pose *pose) {
    double n[3] = {0};
    int status = gz_planar_numbers_exactly(gz_cspace_command, option, text, n, 3,
                                           "three numbers, x,y,DEGREES");
    *pose = (graze_planar_pose){n[0], n[1], n[2] * (PI / 180)};
    return status;
}

static int drive(const gz_cspace_options *o, gz_cspace_map *map) {
    graze_planar_pose start = {0}, goal = {0};
    int status = parse_pose("start", o->start, &start);
    if (status == GZ_EXIT_FINE) status = parse_pose("goal", o->goal, &goal);
    if (status != GZ_EXIT_FINE) return status;
    graze_planar_drive_options options = graze_planar_drive_options_default();
    options.cells = (uint32_t)o->lattice;
    options.walls = o->no_walls ? 0 : 1;
    graze_error error;
    map->driven = true;
    if (graze_planar_drive_plan(map->scene, map->body, &start, &goal, &options, &map->drive,
                                &error) != GRAZE_OK)
        return fail(&error);
    return GZ_EXIT_FINE;
}

int gz_cspace_find_body(const gz_cspace_options *o, gz_cspace_map *map) {
    int status = gz_scene_input_make(&o->scene, gz_cspace_command, &map->scene);
    if (status == GZ_EXIT_FINE) status = make_body(o, map);
    if (status != GZ_EXIT_FINE) return status;
    double size = graze_planar_scene_size(map->scene);
    status = make_grid(map, (graze_vec2){0, 0}, (graze_vec2){size, size}, o->cells);
    if (status != GZ_EXIT_FINE) return status;
    graze_error error;
    if (graze_planar_cspace_map(map->scene, map->turned, &map->grid, map->cells, &error) !=
        GRAZE_OK)
        return fail(&error);
    return o->start != NULL ? drive(o, map) : GZ_EXIT_FINE;
}

// ------------------------------------------------------------------------------------------ arms

static int parse_disks(const gz_cspace_options *o, gz_cspace_map *map) {
    map->disks = gz_malloc(o->disks.count + 1, sizeof *map->disks);
    if (map->disks == NULL) return gz_message_no_memory();
    for (size_t i = 0; i < o->disks.count; i++) {
        double n[3];
        int status = gz_planar_numbers_exactly(gz_cspace_command, "disk", o->disks.items[i], n, 3,
                                               "three numbers, x,y,r");
        if (status != GZ_EXIT_FINE) return status;
        map->disks[map->disk_count++] = (graze_planar_disk){{n[0], n[1]}, n[2]};
    }
    return GZ_EXIT_FINE;
}

static int parse_joints(const gz_cspace_options *o, gz_cspace_map *map) {
    static const char allowed[] = "two different joints, from 0";
    double n[2] = {0, 1}, links = (double)map->arm.link_count;
    int status = gz_planar_numbers_exactly(gz_cspace_command, "joints", o->joints, n, 2, allowed);
    if (status != GZ_EXIT_FINE) return status;
    for (int k = 0; k < 2; k++) {
        if (!(n[k] >= 0 && n[k] < links && rint(n[k]) == n[k]) || n[0] == n[1]) {
            return gz_message_usage(gz_cspace_command, "--joints is '%s'; allowed: %s", o->joints,
                                    allowed);
        }
        map->joints[k] = (int32_t)n[k];
    }
    return GZ_EXIT_FINE;
}

static int parse_arm(const gz_cspace_options *o, gz_cspace_map *map) {
    size_t links = gz_planar_numbers(o->arm, map->lengths, GRAZE_PLANAR_LINK_MAX);
    if (links < 2) {
        return gz_message_usage(gz_cspace_command, "--arm is '%s'; allowed: 2 to %d lengths",
                                o->arm, GRAZE_PLANAR_LINK_MAX);
    }
    map->arm = (graze_planar_arm){{0, 0}, map->lengths, (int32_t)links};
    int status = gz_planar_numbers_exactly(gz_cspace_command, "base", o->base, &map->arm.base.x, 2,
                                           "two numbers, x,y");
    if (status == GZ_EXIT_FINE && o->rest != NULL &&
        gz_planar_numbers(o->rest, map->rest, GRAZE_PLANAR_LINK_MAX) != links) {
        status = gz_message_usage(gz_cspace_command, "--rest is '%s'; allowed: %zu angles", o->rest,
                                  links);
    }
    if (status == GZ_EXIT_FINE) status = parse_joints(o, map);
    if (status == GZ_EXIT_FINE) status = parse_disks(o, map);
    return status;
}

int gz_cspace_find_arm(const gz_cspace_options *o, gz_cspace_map *map) {
    int status = parse_arm(o, map);
    if (status == GZ_EXIT_FINE)
        status = make_grid(map, (graze_vec2){-PI, -PI}, (graze_vec2){PI, PI}, o->cells);
    if (status != GZ_EXIT_FINE) return status;
    graze_error error;
    if (graze_planar_arm_map(&map->arm, map->rest, map->joints, map->disks, map->disk_count,
                             &map->grid, map->cells, NULL, NULL, &error) != GRAZE_OK)
        return fail(&error);
    return GZ_EXIT_FINE;
}

// ---------------------------------------------------------------------------- files: NPY, PNG, SVG

int gz_cspace_write_npy(FILE *stream, const void *answer) {
    const gz_cspace_map *map = answer;
    size_t columns = (size_t)map->grid.columns, rows = (size_t)map->grid.rows;
    gz_npy_header_write(stream, "|u1", rows, columns);
    fwrite(map->cells, 1, rows * columns, stream);
    return GZ_EXIT_FINE;
}

int gz_cspace_draw_pixels(const gz_cspace_map *map, const char *path) {
    static const uint8_t free_color[3] = {246, 249, 252}, blocked[3] = {180, 69, 27},
                         open[3] = {242, 191, 56};
    size_t columns = (size_t)map->grid.columns, rows = (size_t)map->grid.rows;
    uint8_t *pixels = gz_malloc(3 * rows * columns, 1);
    if (pixels == NULL) return gz_message_no_memory();
    for (size_t row = 0; row < rows; row++) {
        for (size_t column = 0; column < columns; column++) {
            uint8_t cell = map->cells[row * columns + column];
            const uint8_t *color = cell == GRAZE_PLANAR_CELL_FREE      ? free_color
                                   : cell == GRAZE_PLANAR_CELL_BLOCKED ? blocked
                                                                       : open;
            // The lowest y is the lowest row of the picture.
            memcpy(pixels + 3 * ((rows - 1 - row) * columns + column), color, 3);
        }
    }
    int status = gz_output_write_png(path, &(gz_pixels){pixels, map->grid.columns, map->grid.rows});
    gz_free(pixels);
    return status;
}

// ----------------------------------------------------------------------------------- bodies as SVG

size_t gz_cspace_piece(const gz_cspace_map *map, size_t obstacle, size_t part,
                       graze_vec2 corners[GZ_CSPACE_CORNER_MAX]) {
    graze_planar_cspace_vertex vertices[GZ_CSPACE_CORNER_MAX];
    size_t count = 0;
    graze_planar_cspace_obstacle(graze_planar_scene_polygon(map->scene, obstacle),
                                 graze_planar_body_part(map->turned, part), vertices, &count, NULL);
    for (size_t k = 0; k < count; k++) corners[k] = vertices[k].point;
    return count;
}

static void draw_pieces(const gz_svg *svg, const gz_cspace_map *map) {
    graze_vec2 corners[GZ_CSPACE_CORNER_MAX];
    for (size_t i = 0; i < graze_planar_scene_count(map->scene); i++) {
        for (size_t k = 0; k < graze_planar_body_part_count(map->turned); k++) {
            size_t count = gz_cspace_piece(map, i, k, corners);
            gz_svg_polygon(svg, corners, count, "fill=\"#f4c7b5\" stroke=\"#d9a58e\"");
        }
    }
}

static void draw_body(const gz_svg *svg, const gz_cspace_map *map, const graze_planar_pose *pose,
                      const char *style) {
    double c = cos(pose->heading), s = sin(pose->heading);
    for (size_t k = 0; k < graze_planar_body_part_count(map->body); k++) {
        const graze_planar_convex *component = graze_planar_body_part(map->body, k);
        graze_vec2 points[GRAZE_PLANAR_VERTEX_MAX];
        for (int32_t i = 0; i < component->count && i < GRAZE_PLANAR_VERTEX_MAX; i++) {
            graze_vec2 v = component->vertices[i];
            points[i] = (graze_vec2){pose->x + c * v.x - s * v.y, pose->y + s * v.x + c * v.y};
        }
        gz_svg_polygon(svg, points, (size_t)component->count, style);
    }
}

static void draw_path(const gz_svg *svg, const gz_cspace_map *map) {
    const graze_planar_drive *d = &map->drive;
    for (size_t i = 0; i + 1 < d->pose_count; i++) {
        // Ghosts along what is driven, one about every reach of the body.
        const graze_planar_pose *a = &d->poses[i], *b = &d->poses[i + 1];
        double way = hypot(b->x - a->x, b->y - a->y) / graze_planar_body_reach(map->body);
        int steps = way > 200 ? 200 : (int)way;
        for (int k = 1; k <= steps; k++) {
            double t = (double)k / (steps + 1);
            graze_planar_pose pose = {a->x + t * (b->x - a->x), a->y + t * (b->y - a->y),
                                      a->heading};
            draw_body(svg, map, &pose, "fill=\"none\" stroke=\"#8fb2d9\"");
        }
        gz_svg_line(svg, (graze_vec2){a->x, a->y}, (graze_vec2){b->x, b->y},
                    "stroke=\"#2b5f9e\" stroke-width=\"2\"");
    }
    for (size_t i = 0; i < d->pose_count; i++) {
        bool end = i == 0 || i + 1 == d->pose_count;
        draw_body(svg, map, &d->poses[i],
                  end ? "fill=\"#cfe0f3\" fill-opacity=\"0.9\" stroke=\"#2b5f9e\""
                      : "fill=\"none\" stroke=\"#2b5f9e\"");
        gz_svg_dot(svg, (graze_vec2){d->poses[i].x, d->poses[i].y}, 3, "fill=\"#2b5f9e\"");
    }
}

static void draw_body_map(const gz_svg *svg, const gz_cspace_map *map) {
    double size = graze_planar_scene_size(map->scene);
    // A path is among the obstacles themselves; a map, among those of its heading.
    if (!map->driven) draw_pieces(svg, map);
    for (size_t i = 0; i < graze_planar_scene_count(map->scene); i++) {
        const graze_planar_convex *p = graze_planar_scene_polygon(map->scene, i);
        gz_svg_polygon(svg, p->vertices, (size_t)p->count, "fill=\"#8a929c\" stroke=\"#555d66\"");
    }
    const graze_vec2 border[4] = {{0, 0}, {size, 0}, {size, size}, {0, size}};
    gz_svg_polygon(svg, border, 4, "fill=\"none\" stroke=\"#555d66\"");
    if (map->driven) draw_path(svg, map);
}

// ------------------------------------------------------------------------------------- arms as SVG

/// The cells of a row as rectangles, as long as they are of one kind.
static void draw_cells(const gz_svg *svg, const gz_cspace_map *map) {
    const graze_planar_grid *g = &map->grid;
    double wide = (g->max.x - g->min.x) / g->columns, high = (g->max.y - g->min.y) / g->rows;
    for (int32_t row = 0; row < g->rows; row++) {
        const uint8_t *cells = map->cells + (size_t)row * (size_t)g->columns;
        for (int32_t from = 0, to; from < g->columns; from = to) {
            for (to = from + 1; to < g->columns && cells[to] == cells[from];) to++;
            if (cells[from] == GRAZE_PLANAR_CELL_FREE) continue;
            double x0 = g->min.x + from * wide, x1 = g->min.x + to * wide;
            double y0 = g->min.y + row * high, y1 = y0 + high;
            const graze_vec2 box[4] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
            gz_svg_polygon(svg, box, 4,
                           cells[from] == GRAZE_PLANAR_CELL_BLOCKED
                               ? "fill=\"#f4c7b5\" shape-rendering=\"crispEdges\""
                               : "fill=\"#f2bf38\" shape-rendering=\"crispEdges\"");
        }
    }
}

/// A boundary of the analytic obstacle, broken where it leaves the map or ends.
typedef struct curve {
    graze_vec2 points[2048];
    size_t count;
} curve;

static void curve_flush(const gz_svg *svg, curve *c) {
    if (c->count > 1) {
        gz_svg_polyline(svg, c->points, c->count,
                        "fill=\"none\" stroke=\"#222222\" stroke-width=\"1.5\"");
    }
    c->count = 0;
}

static void curve_add(const gz_svg *svg, curve *c, double x, double y) {
    y -= 2 * PI * round(y / (2 * PI));
    if (c->count > 0 && (fabs(y - c->points[c->count - 1].y) > PI || c->count == 2048))
        curve_flush(svg, c);
    c->points[c->count++] = (graze_vec2){x, y};
}

/// The closed form for two links: both sides of the elbow's range over the first angle, where the
/// first link is free, and the ends of the shoulder's.
static void draw_curves(const gz_svg *svg, const gz_cspace_map *map,
                        const graze_planar_disk *disk) {
    static const int steps = 2000;
    curve sides[2] = {{.count = 0}, {.count = 0}};
    graze_planar_angle_range shoulder = {0}, elbow = {0}, before = {.half_most = -1};
    for (int i = 0; i <= steps; i++) {
        double q0 = PI * (2.0 * i / steps - 1), last = q0 - 2 * PI / steps;
        bool good = graze_planar_two_link_column(&map->arm, q0, disk, &shoulder, &elbow, NULL) ==
                        GRAZE_OK &&
                    graze_planar_angle_range_judge(&shoulder, q0) == GRAZE_PLANAR_CELL_FREE &&
                    elbow.half_least < PI;
        bool has = good && elbow.half_most >= 0, had = sides[0].count > 0;
        for (int side = 0; side < 2; side++) {
            // Where the range opens or closes, both sides start or end in its middle.
            double half = side == 0 ? elbow.half_most : -elbow.half_most;
            if (has && !had && i > 0 && before.half_most < 0)
                curve_add(svg, &sides[side], last, elbow.middle);
            if (has) curve_add(svg, &sides[side], q0, elbow.middle + half);
            if (!has && had && good) curve_add(svg, &sides[side], q0, before.middle);
            if (!has) curve_flush(svg, &sides[side]);
        }
        before = elbow;
    }
    for (int side = 0; side < 2; side++) curve_flush(svg, &sides[side]);
    if (shoulder.half_most < 0 || shoulder.half_least >= PI) return;
    for (int side = -1; side <= 1; side += 2) {
        double x = shoulder.middle + side * shoulder.half_most;
        x -= 2 * PI * round(x / (2 * PI));
        gz_svg_line(svg, (graze_vec2){x, -PI}, (graze_vec2){x, PI},
                    "stroke=\"#222222\" stroke-width=\"1.5\"");
    }
}

static void draw_arm_map(const gz_svg *svg, const gz_cspace_map *map) {
    draw_cells(svg, map);
    if (map->arm.link_count == 2 && map->joints[0] == 0)
        for (size_t i = 0; i < map->disk_count; i++) draw_curves(svg, map, &map->disks[i]);
    const graze_vec2 border[4] = {{-PI, -PI}, {PI, -PI}, {PI, PI}, {-PI, PI}};
    gz_svg_polygon(svg, border, 4, "fill=\"none\" stroke=\"#555d66\"");
    char text[32];
    snprintf(text, sizeof text, "q[%d], -pi to pi", (int)map->joints[0]);
    gz_svg_text(svg, (graze_vec2){0, -PI}, -40, -16, text, "fill=\"#222222\"");
    snprintf(text, sizeof text, "q[%d], -pi to pi", (int)map->joints[1]);
    gz_svg_text(svg, (graze_vec2){-PI, PI}, 0, 6, text, "fill=\"#222222\"");
}

int gz_cspace_draw(FILE *stream, const void *answer) {
    const gz_cspace_map *map = answer;
    const graze_planar_grid *grid = &map->grid;
    gz_svg svg = gz_planar_picture_begin(stream, (graze_planar_bounds){grid->min, grid->max},
                                         0.04 * (grid->max.x - grid->min.x));
    if (map->body != NULL)
        draw_body_map(&svg, map);
    else
        draw_arm_map(&svg, map);
    gz_svg_end(&svg);
    return GZ_EXIT_FINE;
}
