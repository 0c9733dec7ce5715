#include "cli/planar/planar_cspace.h"

#include <math.h>
#include <string.h>

#include "cli/message.h"
#include "cli/text.h"

#define PI 3.141592653589793

void gz_cspace_map_clear(gz_cspace_map *map) {
    graze_planar_scene_free(map->scene);
    graze_planar_body_free(map->body);
    graze_planar_body_free(map->turned);
    graze_planar_drive_free(&map->drive);
    gz_storage_free(map->disks);
    gz_storage_free(map->cells);
}

size_t gz_cspace_cells_of(const gz_cspace_map *map, uint8_t kind) {
    size_t all = (size_t)map->grid.columns * (size_t)map->grid.rows, count = 0;
    for (size_t i = 0; i < all; i++) count += map->cells[i] == kind;
    return count;
}

static int make_grid(gz_cspace_map *map, graze_vec2 min, graze_vec2 max, uint64_t cells) {
    map->grid = (graze_planar_grid){min, max, (int32_t)cells, (int32_t)cells};
    map->cells = gz_storage_resize(NULL, (size_t)(cells * cells), 1);
    return map->cells != NULL ? GZ_EXIT_FINE : gz_message_no_memory();
}

static int fail(const graze_error *error) {
    if (error->status == GRAZE_ERROR_RANGE || error->status == GRAZE_ERROR_ARGUMENT) {
        return gz_message_usage(gz_cspace_command, "%s", error->message);
    }
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
    double numbers[GZ_PLANAR_NUMBERS_MAX];
    size_t count = gz_planar_numbers(o->body, numbers, GZ_PLANAR_NUMBERS_MAX);
    if (count < 6 || count % 2 != 0) {
        return gz_message_usage(gz_cspace_command,
                                "--body is '%.200s'; allowed: x,y of three vertices or more, up to "
                                "%d numbers",
                                o->body, GZ_PLANAR_NUMBERS_MAX);
    }
    graze_vec2 vertices[GZ_PLANAR_NUMBERS_MAX / 2];
    for (size_t i = 0; i < count / 2; i++) {
        vertices[i] = (graze_vec2){numbers[2 * i], numbers[2 * i + 1]};
    }
    graze_error error;
    graze_transform2 turn = heading_of(o->heading);
    graze_status status = graze_planar_body_create(&map->body, vertices, count / 2, &error);
    if (status == GRAZE_ERROR_NO_MEMORY) return fail(&error);
    if (status) return gz_message_usage(gz_cspace_command, "--body: %s", error.message);
    if (graze_planar_body_turned(&map->turned, map->body, turn.c, turn.s, &error) != GRAZE_OK) {
        return fail(&error);
    }
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
                                &error) != GRAZE_OK) {
        return fail(&error);
    }
    return GZ_EXIT_FINE;
}

int gz_cspace_find_body(const gz_cspace_options *o, gz_cspace_map *map) {
    gz_option none[GZ_SCENE_OPTION_COUNT] = {{0}}; // parse() has looked at what is given
    gz_scene_input input = o->scene;
    input.options = none;
    int status = gz_scene_input_make(&input, gz_cspace_command, &map->scene);
    if (status == GZ_EXIT_FINE) status = make_body(o, map);
    if (status != GZ_EXIT_FINE) return status;
    double size = graze_planar_scene_size(map->scene);
    status = make_grid(map, (graze_vec2){0, 0}, (graze_vec2){size, size}, o->cells);
    if (status != GZ_EXIT_FINE) return status;
    graze_error error;
    if (graze_planar_cspace_map(map->scene, map->turned, &map->grid, map->cells, &error) !=
        GRAZE_OK) {
        return fail(&error);
    }
    return o->start != NULL ? drive(o, map) : GZ_EXIT_FINE;
}

// ------------------------------------------------------------------------------------------ arms

static int parse_disks(const gz_cspace_options *o, gz_cspace_map *map) {
    map->disks = gz_storage_resize(NULL, o->disks.count + 1, sizeof *map->disks);
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
    int status = GZ_EXIT_FINE;
    if (o->joints != NULL) {
        status = gz_planar_numbers_exactly(gz_cspace_command, "joints", o->joints, n, 2, allowed);
    }
    if (status != GZ_EXIT_FINE) return status;
    for (int k = 0; k < 2; k++) {
        if (!(n[k] >= 0 && n[k] < links && rint(n[k]) == n[k]) || n[0] == n[1]) {
            return gz_message_usage(gz_cspace_command, "--joints is '%s'; allowed: %s",
                                    o->joints != NULL ? o->joints : "0,1", allowed);
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
    int status = GZ_EXIT_FINE;
    if (o->base != NULL) {
        status = gz_planar_numbers_exactly(gz_cspace_command, "base", o->base, &map->arm.base.x, 2,
                                           "two numbers, x,y");
    }
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
    if (status == GZ_EXIT_FINE) {
        status = make_grid(map, (graze_vec2){-PI, -PI}, (graze_vec2){PI, PI}, o->cells);
    }
    if (status != GZ_EXIT_FINE) return status;
    graze_error error;
    if (graze_planar_arm_map(&map->arm, map->rest, map->joints, map->disks, map->disk_count,
                             &map->grid, map->cells, NULL, &map->error_bound, &error) != GRAZE_OK) {
        return fail(&error);
    }
    return GZ_EXIT_FINE;
}
