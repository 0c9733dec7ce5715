// graze planar cspace: configuration space of a polygon that moves, or of an arm.

#include <math.h>
#include <stdio.h>

#include "cli/message.h"
#include "cli/output.h"
#include "cli/planar/planar_cspace.h"
#include "cli/text.h"

const char gz_cspace_command[] = "planar cspace";

static const gz_command_line command_line = {
    .command = gz_cspace_command,
    .synopsis = "planar cspace --body x,y,... [options]\n"
                "       graze planar cspace --arm L,L,... --disk x,y,r [options]",
    .about =
        "The configuration space of a polygon that translates at a heading among the polygons of\n"
        "a scene (exact Minkowski sums), or of an arm over two of its joints among disks: the\n"
        "obstacles, a map, and for the polygon a path to drive. Exit status 1 without a path.",
    .examples =
        "  graze planar cspace --count 12 --radii 0.1,0.2 --body 0.15,0,-0.1,0.06,-0.1,-0.06 \\\n"
        "      --heading 45 --picture map.png\n"
        "  graze planar cspace --arm 1,0.8 --disk 0.9,0.7,0.3 --picture arm.svg\n",
};

static int parse(gz_cspace_options *o, int argc, char **argv) {
    gz_scene_input_start(&o->scene);
    gz_option body[] = {
        {"body", "x,y,x,y,...", .text = &o->body,
         .help = "a simple polygon about its reference point"},
        {"heading", "DEGREES", .number = &o->heading, .above = -INFINITY,
         .help = "how it is turned (default 0); quarter turns are exact"},
        {"start", "x,y,DEGREES", .text = &o->start,
         .help =
             "plan a path: driving along the heading, turning in\nplace; every motion is proved free"},
        {"goal", "x,y,DEGREES", .text = &o->goal, .help = "where it leads"},
        {"lattice", "N", .count = &o->lattice, .minimum = 2, .maximum = 500,
         .help = "places per edge of the map to plan over (default 40)"},
        {"no-walls", NULL, .flag = &o->no_walls, .help = "the path may leave the map"},
    };
    gz_option arm[] = {
        {"arm", "L,L,...", .text = &o->arm,
         .help = "lengths of its links, instead of --body and a scene"},
        {"base", "x,y", .text = &o->base, .help = "where it stands (default 0,0)"},
        {"disk", "x,y,r", .texts = &o->disks, .help = "an obstacle (repeatable)"},
        {"joints", "I,J", .text = &o->joints, .help = "the two of the map, from 0 (default 0,1)"},
        {"rest", "Q", .text = &o->rest,
         .help = "all angles, radians, for those that stay (default 0)"},
    };
    gz_option answer[] = {
        {"cells", "N", .count = &o->cells, .minimum = 1, .maximum = 8192,
         .help = "columns and rows of the map (default 256)"},
        {"npy", "FILE.npy", .text = &o->npy, .file = GZ_FILE_WRITTEN,
         .help = "the map as uint8: 0 free, 1 blocked, 255 open"},
        {"picture", "FILE", .text = &o->report.picture, .file = GZ_FILE_WRITTEN,
         .help = ".png: the map, a pixel a cell; .svg: obstacles and path"},
        {"format", "FORMAT", .choice = &o->report.format, .choices = gz_planar_formats,
         .help = "text (default), json"},
        GZ_OPTION_OUTPUT(&o->report.output),
    };
    gz_option_section sections[] = {{"scene", o->scene.options, GZ_SCENE_OPTION_COUNT},
                                    GZ_SECTION("body", body),
                                    GZ_SECTION("arm", arm),
                                    GZ_SECTION("answer", answer)};
    int status = gz_command_line_parse(&command_line, NULL, sections, GZ_COUNT(sections), argc,
                                       argv);
    for (size_t i = 0; status == GZ_GO_ON && o->arm != NULL && i < GZ_SCENE_OPTION_COUNT; i++) {
        if (!o->scene.options[i].given) continue;
        return gz_message_usage(gz_cspace_command, "--%s is for --body; an arm meets --disk",
                                o->scene.options[i].name);
    }
    return status;
}

static int check_usage(const gz_cspace_options *o) {
    if ((o->body != NULL) == (o->arm != NULL))
        return gz_message_usage(gz_cspace_command, "allowed: either --body or --arm");
    if (o->arm == NULL && (o->disks.count > 0 || o->base || o->joints || o->rest)) {
        return gz_message_usage(gz_cspace_command,
                                "--disk, --base, --joints and --rest are for --arm");
    }
    if (o->arm != NULL && (o->start || o->goal || o->no_walls || o->heading != 0)) {
        return gz_message_usage(gz_cspace_command,
                                "--start, --goal, --heading and --no-walls are for --body");
    }
    if ((o->start == NULL) != (o->goal == NULL)) {
        return gz_message_usage(gz_cspace_command, "--%s is missing",
                                o->start == NULL ? "start" : "goal");
    }
    if (fabs(o->heading) > 360) {
        return gz_message_usage(gz_cspace_command, "--heading is %g; allowed: -360 to 360",
                                o->heading);
    }
    const char *const outputs[] = {o->report.output, o->npy, o->report.picture};
    int status = gz_planar_outputs_check(gz_cspace_command, outputs, 3);
    if (status != GZ_EXIT_FINE) return status;
    return gz_planar_picture_check(gz_cspace_command, o->report.picture, true);
}

// ---------------------------------------------------------------------------------------- output

static const double degrees = 180 / 3.141592653589793;

static void write_pose(FILE *stream, const graze_planar_pose *pose) {
    char x[GZ_DECIMAL_SIZE], y[GZ_DECIMAL_SIZE], h[GZ_DECIMAL_SIZE];
    fprintf(stream, "  %s %s  heading %s\n", gz_decimal_format_fixed(x, pose->x, 4),
            gz_decimal_format_fixed(y, pose->y, 4),
            gz_decimal_format_fixed(h, pose->heading * degrees, 2));
}

static int write_text(FILE *stream, const void *answer) {
    const gz_cspace_map *map = answer;
    char number[GZ_DECIMAL_SIZE], turned[GZ_DECIMAL_SIZE];
    if (map->body == NULL) {
        fprintf(stream, "arm of %d links, %zu disk%s, joints %d and %d\n", (int)map->arm.link_count,
                map->disk_count, map->disk_count == 1 ? "" : "s", (int)map->joints[0],
                (int)map->joints[1]);
    } else {
        size_t parts = graze_planar_body_part_count(map->turned);
        size_t obstacles = graze_planar_scene_count(map->scene), pieces = parts * obstacles;
        fprintf(stream, "body of %zu convex part%s at heading %s, %zu obstacle%s of %zu piece%s\n",
                parts, parts == 1 ? "" : "s", gz_decimal_format(number, map->options->heading),
                obstacles, obstacles == 1 ? "" : "s", pieces, pieces == 1 ? "" : "s");
    }
    fprintf(stream, "map of %d x %d cells: %zu free, %zu blocked, %zu open\n",
            (int)map->grid.columns, (int)map->grid.rows,
            gz_cspace_cells_of(map, GRAZE_PLANAR_CELL_FREE),
            gz_cspace_cells_of(map, GRAZE_PLANAR_CELL_BLOCKED),
            gz_cspace_cells_of(map, GRAZE_PLANAR_CELL_OPEN));
    if (!map->driven || map->drive.outcome != GRAZE_PLANAR_DRIVE_FOUND) return GZ_EXIT_FINE;
    fprintf(stream, "path of %zu poses, %s m driven, %s degrees turned\n", map->drive.pose_count,
            gz_decimal_format_fixed(number, map->drive.length, 3),
            gz_decimal_format_fixed(turned, map->drive.turned * degrees, 1));
    for (size_t i = 0; i < map->drive.pose_count; i++) write_pose(stream, &map->drive.poses[i]);
    return GZ_EXIT_FINE;
}

/// The pieces of the obstacles.
static void write_pieces(gz_json *json, const gz_cspace_map *map) {
    graze_vec2 corners[GZ_CSPACE_CORNER_MAX];
    gz_json_put(json, "pieces=[");
    gz_json_gap(json, "\n");
    for (size_t i = 0; i < graze_planar_scene_count(map->scene); i++) {
        for (size_t k = 0; k < graze_planar_body_part_count(map->turned); k++) {
            size_t count = gz_cspace_piece(map, i, k, corners);
            gz_json_put(json, "{ obstacle=%zu part=%zu vertices=[", i, k);
            for (size_t v = 0; v < count; v++) gz_json_numbers(json, NULL, &corners[v].x, 2);
            gz_json_put(json, "] }");
        }
    }
    fputc('\n', json->stream);
    gz_json_put(json, "]");
}

static int write_json(FILE *stream, const void *answer) {
    static const char *const outcomes[] = {"found", "start-blocked", "goal-blocked", "none"};
    const gz_cspace_map *map = answer;
    gz_json json = gz_json_begin(stream, "graze-planar-cspace-1");
    gz_json_put(&json, "columns=%d rows=%d free=%zu blocked=%zu", map->grid.columns, map->grid.rows,
                gz_cspace_cells_of(map, GRAZE_PLANAR_CELL_FREE),
                gz_cspace_cells_of(map, GRAZE_PLANAR_CELL_BLOCKED));
    if (map->body != NULL) {
        gz_json_put(&json, "heading=%g", map->options->heading);
        write_pieces(&json, map);
    }
    if (map->driven) {
        gz_json_put(&json, "outcome=%s length=%g turned=%g poses=[", outcomes[map->drive.outcome],
                    map->drive.length, map->drive.turned);
        for (size_t i = 0; i < map->drive.pose_count; i++)
            gz_json_numbers(&json, NULL, &map->drive.poses[i].x, 3);
        gz_json_put(&json, "]");
    }
    gz_json_finish(&json);
    return GZ_EXIT_FINE;
}

static int answer(const gz_cspace_options *o, const gz_cspace_map *map) {
    const char *picture = o->report.picture;
    int status = gz_planar_write(o->report.output, o->report.format == 0 ? write_text : write_json,
                                 map);
    if (status == GZ_EXIT_FINE && o->npy != NULL)
        status = gz_planar_write(o->npy, gz_cspace_write_npy, map);
    if (status != GZ_EXIT_FINE || picture == NULL) return status;
    return gz_planar_ends_with(picture, ".png") ? gz_cspace_draw_pixels(map, picture)
                                                : gz_planar_write(picture, gz_cspace_draw, map);
}

/// Prints why there is no path. Returns the exit status.
static int explain(const gz_cspace_map *map) {
    static const char *const reasons[] = {
        [GRAZE_PLANAR_DRIVE_START_BLOCKED] = "the start is blocked",
        [GRAZE_PLANAR_DRIVE_GOAL_BLOCKED] = "the goal is blocked",
        [GRAZE_PLANAR_DRIVE_NONE] = "over this lattice; --lattice allows a finer one"};
    graze_planar_drive_outcome outcome = map->drive.outcome;
    if (!map->driven || outcome == GRAZE_PLANAR_DRIVE_FOUND) return GZ_EXIT_FINE;
    gz_message("no path%s %s", outcome == GRAZE_PLANAR_DRIVE_NONE ? "" : ":", reasons[outcome]);
    return GZ_EXIT_FINDING;
}

int gz_planar_cspace(int argc, char **argv) {
    gz_cspace_options o = {.cells = 256, .lattice = 40};
    gz_cspace_map map = {.options = &o};
    int status = parse(&o, argc, argv);
    if (status == GZ_GO_ON) {
        status = check_usage(&o);
        if (status == GZ_EXIT_FINE)
            status = o.arm != NULL ? gz_cspace_find_arm(&o, &map) : gz_cspace_find_body(&o, &map);
        if (status == GZ_EXIT_FINE) status = answer(&o, &map);
        if (status == GZ_EXIT_FINE) status = explain(&map);
        gz_cspace_map_clear(&map);
    }
    gz_texts_free(&o.disks);
    return status;
}
