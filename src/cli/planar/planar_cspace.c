#include "cli/planar/planar_cspace.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/message.h"
#include "cli/text.h"

#define PI 3.141592653589793

void gz_cspace_map_clear(gz_cspace_map *map) {
    graze_planar_scene_free(map->scene);
    graze_planar_path_free(&map->path);
    gz_free(map->shapes.items);
    gz_free(map->turned.items);
    gz_free(map->obstacles.items);
    gz_free(map->at);
    gz_free(map->owners);
    gz_free(map->states);
    gz_free(map->cells.cells);
    gz_free(map->cells.rows);
    gz_cspace_answer_free(&map->answer);
}

static int fail(const graze_error *error) {
    if (error->status == GRAZE_ERROR_RANGE || error->status == GRAZE_ERROR_ARGUMENT)
        return gz_message_usage(gz_cspace_command, "%s", error->message);
    return gz_message_error(gz_cspace_command, error);
}

// ------------------------------------------------------------------------------------------- maps

/// The map as graze cspace has one.
static int fill_answer(gz_cspace_map *map, const int32_t *ids) {
    const graze_planar_grid *g = &map->grid;
    graze_cspace *c = &map->cells;
    uint64_t counts[UINT8_MAX + 1] = {0};
    size_t all = (size_t)g->columns * (size_t)g->rows;
    *c = graze_cspace_default();
    c->width = (uint32_t)g->columns;
    c->height = (uint32_t)g->rows;
    c->certified = map->certified;
    c->cells = gz_malloc(all, sizeof *c->cells);
    c->rows = gz_malloc(c->height, 1);
    if (!c->cells || !c->rows) return gz_message_no_memory();
    memset(c->rows, 1, c->height);
    for (size_t i = 0; i < all; i++) {
        counts[map->states[i]]++;
        c->cells[i] = (graze_cspace_cell){.state = map->states[i], .link = ids[i], .other = -1};
    }
    map->answer = (gz_cspace_answer){.map = c, .whose = map->body ? "part" : "link"};
    map->answer.summary = (graze_cspace_summary){
        .ranges = {{g->min.x, g->max.x}, {g->min.y, g->max.y}},
        .free_cells = counts[GRAZE_PLANAR_CELL_FREE],
        .free_certified = counts[GRAZE_PLANAR_CELL_FREE_CERTIFIED],
        .colliding_cells = counts[GRAZE_PLANAR_CELL_BLOCKED],
        .colliding_certified = counts[GRAZE_PLANAR_CELL_BLOCKED_CERTIFIED],
        .undecided = counts[GRAZE_PLANAR_CELL_OPEN]};
    for (int side = 0; side < 2; side++) {
        map->answer.names[side] = map->axes[side];
        map->answer.units[side] = map->body ? "m" : "rad";
    }
    return gz_cspace_answer_sort(&map->answer) ? GZ_EXIT_FINE : gz_message_no_memory();
}

static int fill_map(gz_cspace_map *map) {
    graze_error error;
    size_t all = (size_t)map->grid.columns * (size_t)map->grid.rows;
    int32_t *ids = gz_malloc(all, sizeof *ids);
    map->states = gz_malloc(all, 1);
    graze_status status = GRAZE_OK;
    if (ids && map->states)
        status = map->body
                     ? graze_planar_cspace_map(map->scene, map->turned.items, map->turned.count,
                                               &map->grid, map->certified, map->states, ids, &error)
                     : graze_planar_arm_map(&map->arm, map->rest, map->joints, &map->grid,
                                            map->certified, map->states, ids, &error);
    int exit = !ids || !map->states ? gz_message_no_memory()
               : status             ? fail(&error)
                                    : fill_answer(map, ids);
    gz_free(ids);
    return exit;
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
    graze_error error;
    graze_transform2 turn = heading_of(o->heading);
    GZ_TRY_EXIT(gz_planar_polygon_parse(gz_cspace_command, "body", o->body, o->body, &map->shapes));
    GZ_TRY_EXIT(gz_planar_shapes_add(&map->turned, map->shapes.items, map->shapes.count));
    for (size_t k = 0; k < map->turned.count; k++)
        if (graze_planar_transform(&map->turned.items[k], &map->turned.items[k], &turn, &error))
            return fail(&error);
    map->arm.arm = (graze_planar_arm){{0, 0}, map->lengths, 1};
    map->arm.drives = true;
    map->arm.walls = o->no_walls ? 0 : graze_planar_scene_size(map->scene);
    map->rest_pose.heading = o->heading * (PI / 180);
    return GZ_EXIT_FINE;
}

static int parse_pose(const char *option, const char *text, graze_planar_pose *pose) {
    GZ_TRY_EXIT(gz_numbers_read(gz_cspace_command, option, text, &pose->x, 3, DBL_MAX,
                                "three numbers, x,y,DEGREES"));
    if (!(fabs(pose->heading) <= 360))
        return gz_message_usage(gz_cspace_command,
                                "--%s is '%s'; allowed: headings of -360 to 360 degrees", option,
                                text);
    pose->heading *= PI / 180;
    return GZ_EXIT_FINE;
}

size_t gz_cspace_piece(const gz_cspace_map *map, size_t obstacle, size_t part,
                       graze_vec2 corners[GZ_CSPACE_CORNER_MAX]) {
    graze_planar_cspace_vertex vertices[GZ_CSPACE_CORNER_MAX];
    size_t count = 0;
    graze_planar_cspace_obstacle(map->scene, obstacle, &map->turned.items[part], vertices, &count,
                                 NULL);
    for (size_t k = 0; k < count; k++) corners[k] = vertices[k].point;
    return count;
}

// ------------------------------------------------------------------------------------------ arms

/// Angles, which may not be degrees by mistake.
static int parse_angles(const char *option, const char *text, double *values, size_t count) {
    char allowed[64];
    snprintf(allowed, sizeof allowed, "%zu angles in radians, -2 pi to 2 pi each", count);
    return gz_numbers_read(gz_cspace_command, option, text, values, count, GZ_PLANAR_TURN_MAX,
                           allowed);
}

static int parse_joints(const gz_cspace_options *o, gz_cspace_map *map) {
    static const char allowed[] = "two different joints, from 0";
    double n[2] = {0, 1}, last = map->arm.arm.link_count - 1;
    GZ_TRY_EXIT(gz_numbers_read(gz_cspace_command, "joints", o->joints, n, 2, last, allowed));
    if (!(n[0] >= 0 && n[1] >= 0 && rint(n[0]) == n[0] && rint(n[1]) == n[1] && n[0] != n[1]))
        return gz_message_usage(gz_cspace_command, "--joints is '%s'; allowed: %s", o->joints,
                                allowed);
    for (int k = 0; k < 2; k++) map->joints[k] = (int32_t)n[k];
    return GZ_EXIT_FINE;
}

/// The shapes of one link: those of --link, else a capsule along it.
static int add_link(const gz_cspace_options *o, gz_cspace_map *map, int32_t link) {
    size_t before = map->shapes.count;
    for (size_t i = 0; i < o->links.count; i++) {
        const char *text = o->links.items[i], *equals = strchr(text, '=');
        char *end;
        long number = equals ? strtol(text, &end, 10) : -1;
        if (!equals || end != equals || end == text || number < 0 ||
            number >= map->arm.arm.link_count)
            return gz_message_usage(gz_cspace_command,
                                    "--link is '%.200s'; allowed: I=SHAPE, I a "
                                    "link from 0 to %d",
                                    text, (int)map->arm.arm.link_count - 1);
        if (number == link)
            GZ_TRY_EXIT(gz_planar_shape_parse(gz_cspace_command, "link", equals + 1, &map->shapes));
    }
    if (map->shapes.count == before) {
        graze_error error;
        graze_planar_shape shape;
        const graze_vec2 end = {map->lengths[link], 0};
        if (graze_planar_capsule(&shape, (graze_vec2){0, 0}, end, 0.5 * o->width, &error))
            return fail(&error);
        GZ_TRY_EXIT(gz_planar_shapes_add(&map->shapes, &shape, 1));
    }
    if (map->shapes.count > GRAZE_PLANAR_ARM_SHAPE_MAX)
        return gz_message_usage(gz_cspace_command, "the arm has more than %d convex parts",
                                GRAZE_PLANAR_ARM_SHAPE_MAX);
    for (; before < map->shapes.count; before++) map->shape_links[before] = link;
    return GZ_EXIT_FINE;
}

/// Marks the parts that were added as those of the next obstacle.
static int own_parts(gz_cspace_map *map, size_t from) {
    int32_t owner = from > 0 ? map->owners[from - 1] + 1 : 0;
    if (!gz_array_reserve((void **)&map->owners, &map->owner_capacity, map->obstacles.count,
                          sizeof *map->owners))
        return gz_message_no_memory();
    for (; from < map->obstacles.count; from++) map->owners[from] = owner;
    return GZ_EXIT_FINE;
}

int64_t gz_cspace_blocker(const gz_cspace_map *map) {
    const graze_planar_arm_pair *p = &map->path.blocker;
    bool blocked = map->path.outcome == GRAZE_PLANAR_PATH_START_BLOCKED ||
                   map->path.outcome == GRAZE_PLANAR_PATH_GOAL_BLOCKED;
    return !blocked || p->self || p->shape < 0 || p->other < 0 ? -1 : map->owners[p->other];
}

/// The polygons of a scene as shapes, in parts where they have too many vertices.
static int add_scene(const gz_cspace_options *o, gz_cspace_map *map) {
    if (!map->body && !gz_options_given(o->scene.options, GZ_SCENE_OPTION_COUNT))
        return GZ_EXIT_FINE;
    GZ_TRY_EXIT(gz_scene_input_make(&o->scene, gz_cspace_command, &map->scene));
    for (size_t i = 0; i < graze_planar_scene_count(map->scene); i++) {
        size_t before = map->obstacles.count, count;
        const graze_vec2 *p = graze_planar_scene_polygon(map->scene, i, &count);
        GZ_TRY_EXIT(
            gz_planar_polygon_add(gz_cspace_command, "scene", &p->x, count, &map->obstacles));
        GZ_TRY_EXIT(own_parts(map, before));
    }
    return GZ_EXIT_FINE;
}

static int parse_at(const gz_cspace_options *o, gz_cspace_map *map) {
    map->at = gz_calloc(o->at.count + 1, sizeof *map->at);
    if (!map->at) return gz_message_no_memory();
    for (size_t i = 0; i < o->at.count; i++)
        GZ_TRY_EXIT(parse_angles("at", o->at.items[i], &map->at[map->at_count++].x, 2));
    return GZ_EXIT_FINE;
}

static int parse_arm(const gz_cspace_options *o, gz_cspace_map *map) {
    size_t links = gz_planar_numbers(o->arm, strlen(o->arm), map->lengths, GRAZE_PLANAR_LINK_MAX);
    if (links < 2)
        return gz_message_usage(gz_cspace_command, "--arm is '%s'; allowed: 2 to %d lengths",
                                o->arm, GRAZE_PLANAR_LINK_MAX);
    for (size_t i = 0; i < links; i++)
        if (map->lengths[i] < 0)
            return gz_message_usage(gz_cspace_command, "--arm is '%s'; allowed: lengths from 0",
                                    o->arm);
    graze_planar_arm *arm = &map->arm.arm;
    *arm = (graze_planar_arm){o->base, map->lengths, (int32_t)links};
    GZ_TRY_EXIT(parse_angles("rest", o->rest, map->rest, links));
    GZ_TRY_EXIT(parse_joints(o, map));
    GZ_TRY_EXIT(parse_angles("start", o->start, &map->ends[0].x, 2));
    GZ_TRY_EXIT(parse_angles("goal", o->goal, &map->ends[1].x, 2));
    GZ_TRY_EXIT(parse_at(o, map));
    for (int32_t i = 0; i < arm->link_count; i++) GZ_TRY_EXIT(add_link(o, map, i));
    for (size_t i = 0; i < o->obstacles.count; i++) {
        size_t before = map->obstacles.count;
        GZ_TRY_EXIT(gz_planar_shape_parse(gz_cspace_command, "obstacle", o->obstacles.items[i],
                                          &map->obstacles));
        GZ_TRY_EXIT(own_parts(map, before));
    }
    map->arm.self = o->self;
    map->rest_pose = (graze_planar_pose){map->rest[map->joints[0]], map->rest[map->joints[1]], 0};
    return GZ_EXIT_FINE;
}

/// What the arm, or the body, refers to, and the sides of its map.
static int set_up(const gz_cspace_options *o, gz_cspace_map *map) {
    graze_planar_arm_scene *arm = &map->arm;
    double size = graze_planar_scene_size(map->scene);
    arm->shapes = map->shapes.items;
    arm->shape_links = map->shape_links;
    arm->shape_count = map->shapes.count;
    arm->obstacles = map->obstacles.items;
    arm->obstacle_count = map->obstacles.count;
    map->certified = o->certified || (!map->body && o->start); // a path goes through proved cells
    gz_cspace_sides sides = o->sides;
    for (int k = 0; k < 2; k++) {
        snprintf(map->axes[k], sizeof map->axes[k], map->body ? k ? "y" : "x" : "joint %d",
                 (int)map->joints[k]);
        sides.names[k] = map->axes[k] + (map->body ? 0 : strlen("joint "));
    }
    sides.most = map->body ? GRAZE_PLANAR_COORDINATE_MAX : GZ_PLANAR_TURN_MAX;
    sides.allowed = map->body ? "x=LOW,HIGH or y=LOW,HIGH, metres, ascending"
                              : "JOINT=LOW,HIGH, radians, -2 pi to 2 pi, ascending";
    map->grid = (graze_planar_grid){{-PI, -PI}, {PI, PI}, 512, 512};
    if (map->body) map->grid = (graze_planar_grid){{0, 0}, {size, size}, 512, 512};
    return gz_planar_sides_read(&sides, gz_cspace_command, &map->grid);
}

static graze_status find_path(const gz_cspace_options *o, gz_cspace_map *map, graze_error *error) {
    if (map->body) {
        graze_planar_drive_options options = graze_planar_drive_options_default();
        options.cells = (uint32_t)o->lattice;
        options.size = graze_planar_scene_size(map->scene);
        return graze_planar_drive_plan(&map->arm, &map->ends[0], &map->ends[1], &options,
                                       &map->path, error);
    }
    const graze_vec2 start = {map->ends[0].x, map->ends[0].y},
                     goal = {map->ends[1].x, map->ends[1].y};
    return graze_planar_arm_plan(&map->arm, map->rest, map->joints, &map->grid, map->states, start,
                                 goal, &map->path, error);
}

/// Draws the path, or at least its ends, over the map.
static int note_path(gz_cspace_map *map) {
    const graze_planar_path *path = &map->path;
    gz_cspace_answer *a = &map->answer;
    a->path = gz_malloc(path->pose_count + 1, 2 * sizeof *a->path);
    if (!a->path) return gz_message_no_memory();
    a->path_count = path->pose_count;
    for (size_t i = 0; i < path->pose_count; i++)
        memcpy(&a->path[2 * i], &path->poses[i].x, 2 * sizeof *a->path);
    for (int k = 0; k < 2; k++) memcpy(a->ends[k], &map->ends[k].x, sizeof a->ends[k]);
    a->has_ends = true;
    return GZ_EXIT_FINE;
}

int gz_cspace_find(const gz_cspace_options *o, gz_cspace_map *map) {
    graze_error error;
    map->body = o->body != NULL;
    map->joints[1] = 1;
    if (!map->body) GZ_TRY_EXIT(parse_arm(o, map));
    GZ_TRY_EXIT(add_scene(o, map));
    if (map->body) GZ_TRY_EXIT(make_body(o, map));
    GZ_TRY_EXIT(set_up(o, map));
    GZ_TRY_EXIT(fill_map(map));
    if (!o->start) return GZ_EXIT_FINE;
    if (map->body) GZ_TRY_EXIT(parse_pose("start", o->start, &map->ends[0]));
    if (map->body) GZ_TRY_EXIT(parse_pose("goal", o->goal, &map->ends[1]));
    return find_path(o, map, &error) ? fail(&error) : note_path(map);
}

void gz_cspace_configuration(const gz_cspace_map *map, const graze_planar_pose *at,
                             double q[GRAZE_PLANAR_LINK_MAX]) {
    memcpy(q, map->rest, sizeof map->rest);
    q[map->joints[0]] = at->x;
    q[map->joints[1]] = at->y;
    if (map->body) q[2] = at->heading;
}
