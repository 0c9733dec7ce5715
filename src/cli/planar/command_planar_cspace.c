// graze planar cspace: configuration space of a polygon that moves, or of an arm.

#include <inttypes.h>
#include <math.h>

#include "cli/message.h"
#include "cli/planar/planar_cspace.h"
#include "cli/text.h"

static const char command[] = "planar cspace";

static const gz_command_line command_line = {
    .command = command,
    .synopsis = "planar cspace --body x,y,... [options]\n"
                "       graze planar cspace --arm L,L,... --obstacle SHAPE [options]",
    .about =
        "The configuration space of a polygon that translates at a heading among the polygons of\n"
        "a scene (exact Minkowski sums), or of an arm over two of its joints: a map and a path.\n"
        "With --certified whole cells are proved free or colliding where that is possible. Exit\n"
        "status 1 where there is no path.",
    .examples =
        "  graze planar cspace --count 12 --radii 0.1,0.2 --body 0.15,0,-0.1,0.06,-0.1,-0.06 \\\n"
        "      --heading 45 --picture map.svg\n"
        "  graze planar cspace --arm 1,0.8 --width 0.1 --obstacle circle:0.9,0.7,0.3 \\\n"
        "      --obstacle rectangle:-1,0.5,0.4,0.8,0.3 --start -1.2,0 --goal 2,0.5 \\\n"
        "      --picture arm.svg\n",
};

static int parse(gz_cspace_options *o, graze_cspace *map, int argc, char **argv) {
    gz_scene_input_start(&o->scene);
    gz_option body[] = {
        {"body", "x,y,x,y,...", .text = &o->body,
         .help = "a polygon about its reference point, also concave;\n"
                 "behind slashes its holes: x,y,...[/x,y,...]"},
        {"heading", "DEGREES", .text = &o->heading,
         .help = "how it is turned (default 0); quarter turns are exact"},
        {"lattice", "N", .count = &o->lattice, .minimum = 2, .maximum = 500,
         .help = "places per edge of the map to plan over (default 40)"},
        {"no-walls", NULL, .flag = &o->no_walls, .help = "the path may leave the map"},
    };
    gz_option arm[] = {
        {"arm", "L,L,...", .text = &o->arm, .help = "lengths of its links, instead of --body"},
        {"base", "x,y", .numbers = &o->base.x, GZ_PLANAR_POINT,
         .help = "where it stands (default 0,0)"},
        {"width", "METRES", .number = &o->width, .above = -1e-300,
         .help = "of its links, round at both ends (default 0)"},
        {"link", "I=SHAPE", .texts = &o->links,
         .help = "a shape of link I, from 0, instead: the link's joint is\n"
                 "0,0, x leads along it (repeatable)"},
        {"obstacle", "SHAPE", .texts = &o->obstacles,
         .help = "repeatable; polygons of a scene are obstacles, too\n" GZ_PLANAR_SHAPE_HELP},
        {"self", NULL, .flag = &o->self, .help = "links that no joint connects must stay apart"},
        {"joints", "I,J", .text = &o->joints, .help = "the two of the map, from 0 (default 0,1)"},
        {"rest", "Q", .text = &o->rest,
         .help = "all angles, radians, for those that stay (default 0)"},
        {"at", "A,B", .texts = &o->at,
         .help = "draw the arm there, too: angles of both joints, radians\n(repeatable)"},
    };
    gz_option path[] = {
        {"start", "POSE", .text = &o->start,
         .help = "plan a path, every motion of it proved free; an arm:\n"
                 "angles of both joints, radians, A,B; a body: x,y,DEGREES,\n"
                 "driving along the heading, turning in place"},
        {"goal", "POSE", .text = &o->goal, .help = "where it leads"},
    };
    gz_option what[] = {
        GZ_CSPACE_MAP_OPTIONS(&o->map, map,
                              "of a side: a joint's number, radians (default -pi to\n"
                              "pi); of a body x or y, metres (repeatable)"),
    };
    gz_option answer[] = {
        GZ_CSPACE_FILE_OPTIONS(&o->map, ".svg: map, path and what moves; .png: map and path",
                               "links (of a body, parts)",
                               "what the numbers mean, and the path: as --format json"),
        {"format", "FORMAT", .choice = &o->format, .choices = gz_planar_formats,
         .help = "text (default), json"},
    };
    gz_option_section sections[] = {{"scene", o->scene.options, GZ_SCENE_OPTION_COUNT},
                                    GZ_SECTION("body", body),
                                    GZ_SECTION("arm", arm),
                                    GZ_SECTION("path", path),
                                    GZ_SECTION("map", what),
                                    GZ_SECTION("answer", answer)};
    int status = gz_command_line_parse(&command_line, NULL, sections, GZ_COUNT(sections), argc,
                                       argv);
    o->arm_only = gz_options_given(arm + 1, GZ_COUNT(arm) - 1);
    return status;
}

static int check_usage(const gz_cspace_options *o) {
    const gz_usage_rule rules[] = {
        {(o->body != NULL) == (o->arm != NULL), "allowed: either --body or --arm"},
        {o->arm == NULL && o->arm_only, "--base, --width, --link, --obstacle, --self, --joints, "
                                        "--rest and --at are for --arm"},
        {o->arm != NULL && (o->no_walls || o->heading != NULL),
         "--heading and --no-walls are for --body"},
        {o->start == NULL && o->goal != NULL, "--start is missing"},
        {o->start != NULL && o->goal == NULL, "--goal is missing"},
    };
    int status = gz_usage_check(command, rules, GZ_COUNT(rules));
    return status == GZ_GO_ON ? gz_cspace_files_check(command, &o->map) : status;
}

// ----------------------------------------------------------------------------------------- answer

/// The pieces of the obstacles.
static void put_pieces(gz_json *json, const gz_cspace_map *map) {
    graze_vec2 corners[GZ_CSPACE_CORNER_MAX];
    gz_json_put(json, "pieces=[");
    gz_json_gap(json, "\n");
    for (size_t i = 0, count; (count = gz_cspace_piece(map, i, corners)) > 0; i++) {
        gz_json_put(json, "{ obstacle=%zu part=%zu vertices=[", i / map->turned.count,
                    i % map->turned.count);
        for (size_t v = 0; v < count; v++) gz_json_numbers(json, NULL, &corners[v].x, 2);
        gz_json_put(json, "] }");
    }
    gz_json_put(json, "]");
}

static void put_path(gz_json *json, const gz_cspace_map *map) {
    static const char *const outcomes[] = {"found", "start-blocked", "goal-blocked", "none"};
    const graze_planar_path *p = &map->path;
    double degrees = json->plain ? 180 / 3.141592653589793 : 1; // as options say headings
    gz_json_put(json, "outcome=%s length=%g", outcomes[p->outcome], p->length);
    if (map->body) gz_json_put(json, "turned=%g", p->turned * degrees);
    gz_json_put(json, map->body ? "poses=[" : "points=[");
    if (json->plain) gz_json_gap(json, "\n  ");
    for (size_t i = 0; i < p->pose_count; i++) {
        const graze_planar_pose *at = &p->poses[i];
        const double values[3] = {at->x, at->y, at->heading * degrees};
        gz_json_numbers(json, NULL, values, map->body ? 3 : 2);
    }
    gz_json_put(json, "]");
}

static void put_answer(gz_json *json, const void *answer) {
    const gz_cspace_map *map = answer;
    if (json->plain) {
        gz_cspace_print(&map->answer, json->stream);
    } else {
        gz_cspace_put_map(json, &map->answer);
        if (map->body) gz_json_put(json, "heading=%g", map->heading);
        if (map->body) put_pieces(json, map);
    }
    if (map->options->start) put_path(json, map);
}

static int answer(const gz_cspace_options *o, const gz_cspace_map *map) {
    static const char format[] = "graze-planar-cspace-1";
    const gz_cspace_input *to = &o->map;
    const gz_planar_report printed = {.format = o->format}, legend = {to->legend, NULL, 1};
    GZ_TRY_EXIT(gz_planar_report_write(&printed, format, put_answer, NULL, map));
    if (to->output) GZ_TRY_EXIT(gz_cspace_write_links(&map->answer, to->output));
    if (to->states) GZ_TRY_EXIT(gz_cspace_write_states(&map->answer, to->states));
    if (to->legend) GZ_TRY_EXIT(gz_planar_report_write(&legend, format, put_answer, NULL, map));
    return to->picture ? gz_cspace_draw(map, to->picture) : GZ_EXIT_FINE;
}

// ---------------------------------------------------------------------------------------- no path

/// Prints why there is no path. Returns the exit status.
static int explain(const gz_cspace_map *map) {
    const graze_planar_path *path = &map->path;
    const graze_planar_arm_pair *p = &path->blocker;
    const char *end = path->outcome == GRAZE_PLANAR_PATH_GOAL_BLOCKED ? "goal" : "start";
    char number[GZ_DECIMAL_SIZE];
    if (path->outcome == GRAZE_PLANAR_PATH_FOUND) return GZ_EXIT_FINE;
    if (path->outcome == GRAZE_PLANAR_PATH_NONE && map->body)
        gz_message("no path over this lattice; --lattice allows a finer one");
    else if (path->outcome == GRAZE_PLANAR_PATH_NONE)
        gz_message("no path: the start reaches %" PRIu64 " proved cells, none of which reaches "
                   "the goal; --size allows finer ones",
                   path->reached);
    else if (map->body && p->other < 0)
        gz_message("no path: the %s is blocked by the map's border", end);
    else if (map->body)
        gz_message("no path: the %s is blocked by polygon %" PRId64, end, gz_cspace_blocker(map));
    else
        gz_message("no path: the %s is blocked: link %d meets %s %d, distance %s m", end,
                   (int)map->shape_links[p->shape], p->self ? "link" : "obstacle",
                   p->self ? (int)map->shape_links[p->other] : (int)gz_cspace_blocker(map),
                   gz_decimal_format_fixed(number, p->distance, 6));
    return GZ_EXIT_FINDING;
}

/// Prints what a budget has left open, with which no path is no verdict. Returns the exit status.
static int finish(const gz_cspace_map *map) {
    int status = explain(map);
    if (map->answer.map.budget == 0 || map->answer.summary.undecided == 0) return status;
    gz_message("%" PRIu64 " cells are undecided: the budget is spent",
               map->answer.summary.undecided);
    bool open = !map->body && map->path.outcome == GRAZE_PLANAR_PATH_NONE;
    return open || status == GZ_EXIT_FINE ? GZ_EXIT_LIMIT : status;
}

int gz_planar_cspace(int argc, char **argv) {
    gz_cspace_options o = {.lattice = 40};
    gz_cspace_map map = {.options = &o, .answer.map = graze_cspace_default()};
    map.answer.map.threads = 0;
    int status = parse(&o, &map.answer.map, argc, argv);
    if (status == GZ_GO_ON) {
        status = check_usage(&o);
        if (status == GZ_GO_ON) status = gz_planar_map_find(&o, &map);
        if (status == GZ_EXIT_FINE) status = answer(&o, &map);
        if (status == GZ_EXIT_FINE) status = finish(&map);
        gz_cspace_map_clear(&map);
    }
    gz_texts_free(&o.links);
    gz_texts_free(&o.obstacles);
    gz_texts_free(&o.map.sides.ranges);
    gz_texts_free(&o.at);
    return status;
}
