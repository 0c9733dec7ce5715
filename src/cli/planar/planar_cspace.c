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

static const char command[] = "planar cspace";

void gz_cspace_map_clear(gz_cspace_map *map) {
    graze_planar_scene_free(map->scene);
    graze_planar_path_free(&map->path);
    map->answer.path = NULL; // which was this one
    gz_free(map->shapes.items);
    gz_free(map->turned.items);
    gz_free(map->obstacles.items);
    gz_free(map->owners);
    gz_cspace_answer_free(&map->answer);
}

// ---------------------------------------------------------------------------------------- bodies

/// Cosine and sine of degrees: exact for quarter turns.
static graze_transform2 heading_of(double degrees) {
    static const double sines[5] = {0, 1, 0, -1, 0};
    double quarters = degrees / 90;
    int k = (int)quarters & 3;
    if (rint(quarters) != quarters) return graze_transform2_make(0, 0, degrees * (PI / 180));
    return (graze_transform2){sines[k + 1], sines[k], 0, 0};
}

static int make_body(const gz_cspace_options *o, gz_cspace_map *map) {
    graze_error error;
    GZ_TRY_EXIT(gz_numbers_read(command, "heading", o->heading, &map->heading, 1, 360,
                                "degrees, -360 to 360"));
    graze_transform2 turn = heading_of(map->heading);
    GZ_TRY_EXIT(gz_planar_polygon_parse(command, "body", o->body, o->body, &map->shapes));
    GZ_TRY_EXIT(gz_planar_shapes_add(&map->turned, map->shapes.items, map->shapes.count));
    for (size_t k = 0; k < map->turned.count; k++)
        if (graze_planar_transform(&map->turned.items[k], &map->turned.items[k], &turn, &error))
            return gz_message_refusal(command, &error);
    map->arm.arm = (graze_planar_arm){{0, 0}, map->lengths, 1};
    map->rest[2] = map->heading * (PI / 180);
    return GZ_EXIT_FINE;
}

size_t gz_cspace_piece(const gz_cspace_map *map, size_t index,
                       graze_vec2 corners[GZ_CSPACE_CORNER_MAX]) {
    graze_planar_cspace_vertex vertices[GZ_CSPACE_CORNER_MAX];
    size_t count = 0, parts = map->turned.count;
    graze_planar_cspace_obstacle(map->scene, index / parts, &map->turned.items[index % parts],
                                 vertices, &count, NULL);
    for (size_t k = 0; k < count; k++) corners[k] = vertices[k].point;
    return count;
}

// ------------------------------------------------------------------------------------------ arms

/// Angles, which may not be degrees by mistake.
static int parse_angles(const char *option, const char *text, double *values, size_t count) {
    char allowed[64];
    snprintf(allowed, sizeof allowed, "%zu angles in radians, -2 pi to 2 pi each", count);
    return gz_numbers_read(command, option, text, values, count, GZ_PLANAR_TURN_MAX, allowed);
}

/// An end of a path: two angles, or a place and a heading.
static int parse_pose(const gz_cspace_map *map, const char *option, const char *text,
                      graze_planar_pose *pose) {
    if (!map->body) return parse_angles(option, text, &pose->x, 2);
    GZ_TRY_EXIT(
        gz_numbers_read(command, option, text, &pose->x, 3, DBL_MAX, "three numbers, x,y,DEGREES"));
    if (!(fabs(pose->heading) <= 360))
        return gz_message_usage(command, "--%s is '%s'; allowed: headings of -360 to 360 degrees",
                                option, text);
    pose->heading *= PI / 180;
    return GZ_EXIT_FINE;
}

static int parse_joints(const gz_cspace_options *o, gz_cspace_map *map) {
    static const char allowed[] = "two different joints, from 0";
    double n[2] = {0, 1}, last = map->arm.arm.link_count - 1;
    GZ_TRY_EXIT(gz_numbers_read(command, "joints", o->joints, n, 2, last, allowed));
    if (!(n[0] >= 0 && n[1] >= 0 && rint(n[0]) == n[0] && rint(n[1]) == n[1] && n[0] != n[1]))
        return gz_message_usage(command, "--joints is '%s'; allowed: %s", o->joints, allowed);
    for (int k = 0; k < 2; k++) map->answer.map.columns[k] = (int32_t)n[k];
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
            return gz_message_usage(command,
                                    "--link is '%.200s'; allowed: I=SHAPE, I a "
                                    "link from 0 to %d",
                                    text, (int)map->arm.arm.link_count - 1);
        if (number == link)
            GZ_TRY_EXIT(gz_planar_shape_parse(command, "link", equals + 1, &map->shapes));
    }
    if (map->shapes.count == before) {
        graze_error error;
        graze_planar_shape shape;
        const graze_vec2 end = {map->lengths[link], 0};
        if (graze_planar_capsule(&shape, (graze_vec2){0, 0}, end, 0.5 * o->width, &error))
            return gz_message_refusal(command, &error);
        GZ_TRY_EXIT(gz_planar_shapes_add(&map->shapes, &shape, 1));
    }
    if (map->shapes.count > GRAZE_PLANAR_ARM_SHAPE_MAX)
        return gz_message_usage(command, "the arm has more than %d convex parts",
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
    GZ_TRY_EXIT(gz_scene_input_make(&o->scene, command, &map->scene));
    for (size_t i = 0; i < graze_planar_scene_count(map->scene); i++) {
        size_t before = map->obstacles.count, count;
        const graze_vec2 *p = graze_planar_scene_polygon(map->scene, i, &count);
        GZ_TRY_EXIT(gz_planar_polygon_add(command, "scene", &p->x, count, &map->obstacles));
        GZ_TRY_EXIT(own_parts(map, before));
    }
    return GZ_EXIT_FINE;
}

/// Names a place of the map, for which there is memory.
static gz_cspace_mark *add_mark(gz_cspace_map *map, int kind, const char *name,
                                const graze_planar_pose *at) {
    gz_cspace_mark *mark = &map->answer.marks[map->answer.mark_count++];
    *mark = (gz_cspace_mark){{at->x, at->y, at->heading}, gz_planar_paints[kind].edge, kind, ""};
    snprintf(mark->name, sizeof mark->name, "%s", name);
    return mark;
}

/// The places that pictures name: start and goal, and those of --at; else where an arm rests.
static int add_marks(const gz_cspace_options *o, gz_cspace_map *map) {
    const int32_t *sides = map->answer.map.columns;
    const graze_planar_pose rest = {map->rest[sides[0]], map->rest[sides[1]], 0};
    map->answer.marks = gz_calloc(o->at.count + 2, sizeof *map->answer.marks);
    if (!map->answer.marks) return gz_message_no_memory();
    GZ_TRY_EXIT(parse_pose(map, "start", o->start, &map->ends[0]));
    GZ_TRY_EXIT(parse_pose(map, "goal", o->goal, &map->ends[1]));
    if (o->start) add_mark(map, GZ_FIRST_PAINT, "start", &map->ends[0]);
    if (o->start) add_mark(map, GZ_SECOND_PAINT, "goal", &map->ends[1]);
    for (size_t i = 0; i < o->at.count; i++) {
        gz_cspace_mark *mark = add_mark(map, GZ_OTHER_PAINT, "", &rest);
        snprintf(mark->name, sizeof mark->name, "%zu", i + 1);
        GZ_TRY_EXIT(parse_angles("at", o->at.items[i], mark->at, 2));
    }
    if (!map->body && map->answer.mark_count == 0) add_mark(map, GZ_FIRST_PAINT, "rest", &rest);
    return GZ_EXIT_FINE;
}

static int parse_arm(const gz_cspace_options *o, gz_cspace_map *map) {
    size_t links = gz_decimal_parse_numbers(o->arm, strlen(o->arm), map->lengths,
                                            GRAZE_PLANAR_LINK_MAX);
    bool good = links >= 2;
    for (size_t i = 0; i < links; i++)
        good = good && map->lengths[i] >= 0 && isfinite(map->lengths[i]);
    if (!good)
        return gz_message_usage(command, "--arm is '%s'; allowed: 2 to %d lengths, from 0", o->arm,
                                GRAZE_PLANAR_LINK_MAX);
    graze_planar_arm *arm = &map->arm.arm;
    *arm = (graze_planar_arm){o->base, map->lengths, (int32_t)links};
    GZ_TRY_EXIT(parse_angles("rest", o->rest, map->rest, links));
    GZ_TRY_EXIT(parse_joints(o, map));
    for (int32_t i = 0; i < arm->link_count; i++) GZ_TRY_EXIT(add_link(o, map, i));
    for (size_t i = 0; i < o->obstacles.count; i++) {
        size_t before = map->obstacles.count;
        GZ_TRY_EXIT(
            gz_planar_shape_parse(command, "obstacle", o->obstacles.items[i], &map->obstacles));
        GZ_TRY_EXIT(own_parts(map, before));
    }
    return GZ_EXIT_FINE;
}

/// What the arm, or the body, refers to, and the sides of its map.
static int set_up(const gz_cspace_options *o, gz_cspace_map *map) {
    gz_cspace_answer *a = &map->answer;
    gz_cspace_sides sides = o->map.sides;
    bool body = map->body;
    double size = graze_planar_scene_size(map->scene);
    map->arm = (graze_planar_arm_scene){
        map->arm.arm,          map->shapes.items,    map->shape_links, map->shapes.count,
        map->obstacles.items,  map->obstacles.count, o->self,          body,
        o->no_walls ? 0 : size};
    if (!body) map->arm.walls = 0;
    a->whose = body ? "part" : "link";
    a->link_count = body ? map->shapes.count : (size_t)map->arm.arm.link_count;
    a->map.certified = o->map.certified || (!body && o->start); // for paths through proved cells
    a->map.q = map->rest;
    for (int k = 0; k < 2; k++) {
        snprintf(map->axes[k], sizeof map->axes[k], body ? k ? "y" : "x" : "joint %d",
                 (int)a->map.columns[k]);
        sides.names[k] = map->axes[k] + (body ? 0 : strlen("joint "));
        a->names[k] = map->axes[k];
        a->units[k] = body ? "m" : "rad";
        a->map.ranges[k][0] = body ? 0 : -PI;
        a->map.ranges[k][1] = body ? size : PI;
    }
    sides.most = body ? GRAZE_PLANAR_COORDINATE_MAX : GZ_PLANAR_TURN_MAX;
    sides.allowed = body ? "x=LOW,HIGH or y=LOW,HIGH, metres, ascending"
                         : "JOINT=LOW,HIGH, radians, -2 pi to 2 pi, ascending";
    GZ_TRY_EXIT(gz_cspace_sides_read(&sides, command, &a->map));
    memcpy(a->summary.ranges, a->map.ranges, sizeof a->summary.ranges);
    return GZ_EXIT_FINE;
}

static graze_status fill(const void *subject, gz_cspace_answer *answer, graze_error *error) {
    const gz_cspace_map *map = subject;
    return map->body ? graze_planar_cspace_map(map->scene, map->turned.items, map->turned.count,
                                               &answer->map, error)
                     : graze_planar_arm_map(&map->arm, &answer->map, error);
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
    return graze_planar_arm_plan(&map->arm, &map->answer.map, start, goal, &map->path, error);
}

int gz_planar_map_find(const gz_cspace_options *o, gz_cspace_map *map) {
    graze_error error;
    gz_cspace_answer *a = &map->answer;
    map->body = o->body != NULL;
    if (!map->body) GZ_TRY_EXIT(parse_arm(o, map));
    GZ_TRY_EXIT(add_scene(o, map));
    if (map->body) GZ_TRY_EXIT(make_body(o, map));
    GZ_TRY_EXIT(add_marks(o, map));
    GZ_TRY_EXIT(set_up(o, map));
    GZ_TRY_EXIT(gz_cspace_find(a, command, false, fill, map));
    if (!o->start) return GZ_EXIT_FINE;
    if (find_path(o, map, &error)) return gz_message_refusal(command, &error);
    if (map->path.poses) a->path = &map->path.poses->x;
    a->path_count = map->path.pose_count;
    a->path_stride = sizeof *map->path.poses / sizeof *a->path;
    for (int goal = 0; goal < 2; goal++)
        if (map->path.outcome ==
            (goal ? GRAZE_PLANAR_PATH_GOAL_BLOCKED : GRAZE_PLANAR_PATH_START_BLOCKED)) {
            a->marks[goal].kind = GZ_HIT_PAINT;
            a->marks[goal].color = GZ_PLANAR_HIT;
        }
    return GZ_EXIT_FINE;
}
