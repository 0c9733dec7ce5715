// graze planar: collision queries in the plane; and graze planar scene.

#include <stdio.h>

#include "base/memory.h"
#include "cli/argument.h"
#include "cli/message.h"
#include "cli/planar/planar_input.h"
#include "picture/svg.h"

static const gz_command commands[] = {
    {"distance", gz_planar_distance, "signed distance of two shapes, with the nearest points"},
    {"approach", gz_planar_approach, "when and how near two moving shapes come to each other"},
    {"obstacle", gz_planar_obstacle, "the velocities with which two shapes touch, and the way out"},
    {"field", gz_planar_field, "how near two moving shapes come, over velocities or places"},
    {"constraint", gz_planar_constraint,
     "a segment against a disk and its circle, exact and smooth"},
    {"scene", gz_planar_scene, "a scene of convex polygons: make, store, draw, which pairs meet"},
    {"cspace", gz_planar_cspace, "configuration space of a polygon or an arm; a path to drive"},
};

int gz_command_planar(int argc, char **argv) {
    static const gz_command_list list = {
        .name = "planar",
        .commands = commands,
        .count = GZ_COUNT(commands),
        .width = 10,
        .about = "usage: graze planar COMMAND ...\n\nThe same questions in the plane.\n",
        .notes = "\n  graze planar COMMAND --help    a command's options\n",
    };
    return gz_command_list_run(&list, argc - 1, argv + 1);
}

// ------------------------------------------------------------------------------ graze planar scene
//
// Convex polygons, made or read, stored, drawn, and which pairs overlap.

static const char command[] = "planar scene";

/// A scene, which of its polygons meet, and where that is written.
typedef struct scene_answer {
    gz_scene_input input;
    gz_planar_report report;
    const char *save;
    bool list; ///< the pairs, in text, too
    graze_planar_scene *scene;
    size_t (*pairs)[2]; ///< that meet, by increasing first and second number
    size_t count;
    uint8_t *overlaps; ///< per polygon
} scene_answer;

static const gz_command_line command_line = {
    .command = command,
    .synopsis = "planar scene [options]",
    .about =
        "Makes a scene of random convex polygons, or reads one, and tells which of them have a\n"
        "point in common; polygons that touch do. Decided exactly.",
    .examples = "  graze planar scene --count 30 --radii 0.1,0.2 --seed 7 --picture scene.svg\n"
                "  graze planar scene --scene scene.json --pairs\n",
};

static int parse(scene_answer *o, int argc, char **argv) {
    gz_scene_input_start(&o->input);
    gz_option answer[] = {
        {"pairs", NULL, .flag = &o->list, .help = "list the pairs that meet (json always does)"},
        {"save", "FILE.json", .text = &o->save, .file = GZ_FILE_WRITTEN, .help = "store the scene"},
        GZ_PLANAR_REPORT_OPTIONS(&o->report, "draw the polygons, those that meet others in red"),
    };
    gz_option_section sections[] = {{"scene", o->input.options, GZ_SCENE_OPTION_COUNT},
                                    GZ_SECTION("answer", answer)};
    return gz_command_line_parse(&command_line, NULL, sections, GZ_COUNT(sections), argc, argv);
}

static int find_meetings(scene_answer *o) {
    size_t polygons = graze_planar_scene_count(o->scene);
    graze_error error;
    if (graze_planar_scene_pairs(o->scene, NULL, 0, &o->count, &error) != GRAZE_OK)
        return gz_message_error(command, &error);
    o->pairs = gz_malloc(o->count + 1, sizeof *o->pairs);
    o->overlaps = gz_calloc(polygons + 1, 1);
    if (o->overlaps == NULL || o->pairs == NULL) return gz_message_no_memory();
    if (graze_planar_scene_pairs(o->scene, o->pairs, o->count, &o->count, &error) != GRAZE_OK)
        return gz_message_error(command, &error);
    for (size_t i = 0; i < o->count; i++)
        o->overlaps[o->pairs[i][0]] = o->overlaps[o->pairs[i][1]] = 1;
    return GZ_EXIT_FINE;
}

static size_t vertex_count(const graze_planar_scene *scene) {
    size_t sum = 0, count;
    for (size_t i = 0; i < graze_planar_scene_count(scene); i++) {
        graze_planar_scene_polygon(scene, i, &count);
        sum += count;
    }
    return sum;
}

static void put_answer(gz_json *json, const void *answer) {
    const scene_answer *o = answer;
    gz_json_put(json, "polygons=%zu vertices=%zu size=%g", graze_planar_scene_count(o->scene),
                vertex_count(o->scene), graze_planar_scene_size(o->scene));
    if (json->plain) gz_json_put(json, "meetings=%zu", o->count);
    if (json->plain && !o->list) return;
    gz_json_put(json, "pairs=[");
    if (json->plain) gz_json_gap(json, "\n  ");
    for (size_t i = 0; i < o->count; i++)
        gz_json_put(json, "[ %zu %zu ]", o->pairs[i][0], o->pairs[i][1]);
}

static int save(const char *path, const graze_planar_scene *scene) {
    size_t size = graze_planar_scene_text(scene, NULL, 0);
    char *text = gz_malloc(size + 1, 1);
    if (text) graze_planar_scene_text(scene, text, size + 1);
    int status = text ? gz_output_write_file(path, text, size) : gz_message_no_memory();
    gz_free(text);
    return status;
}

static int draw(FILE *stream, const void *answer) {
    static const char *const styles[2] = {
        "fill=\"#d7ead2\" fill-opacity=\"0.6\" stroke=\"#3f7d33\"",
        "fill=\"#f4c7b5\" fill-opacity=\"0.6\" stroke=\"#b4451b\""};
    const scene_answer *o = answer;
    double size = graze_planar_scene_size(o->scene);
    const gz_plot_box box = {76, 44, 600, 600};
    gz_svg page = gz_plot_page(stream, 940, 708);
    gz_plot plot = {&page, box, {0, 0}, {size, size}};
    gz_svg svg = gz_plot_panel(&page, box, plot.min, plot.max);
    gz_legend legend = {&page, 700, 44};
    gz_plot_axes(&plot, "Polygons", "x, m", "y, m");
    gz_plot_clip_begin(&page, box, 1);
    for (size_t i = 0; i < graze_planar_scene_count(o->scene); i++) {
        size_t count;
        const graze_vec2 *p = graze_planar_scene_polygon(o->scene, i, &count);
        gz_svg_polygon(&svg, p, count, styles[o->overlaps[i]]);
    }
    gz_plot_clip_end(&page);
    gz_legend_patch(&legend, styles[0], "meet no other");
    gz_legend_patch(&legend, styles[1], "meet another");
    gz_svg_end(&page);
    return GZ_EXIT_FINE;
}

static int answer(scene_answer *o) {
    GZ_TRY_EXIT(gz_planar_report_check(&o->report, command, o->save));
    GZ_TRY_EXIT(gz_scene_input_make(&o->input, command, &o->scene));
    GZ_TRY_EXIT(find_meetings(o));
    GZ_TRY_EXIT(gz_planar_report_write(&o->report, "graze-planar-meetings-1", put_answer, draw, o));
    return o->save != NULL ? save(o->save, o->scene) : GZ_EXIT_FINE;
}

int gz_planar_scene(int argc, char **argv) {
    scene_answer o = {.scene = NULL};
    int status = parse(&o, argc, argv);
    if (status == GZ_GO_ON) status = answer(&o);
    graze_planar_scene_free(o.scene);
    gz_free(o.pairs);
    gz_free(o.overlaps);
    return status;
}
