// graze planar: collision queries in the plane; and graze planar scene.

#include <stdio.h>
#include <string.h>

#include "cli/argument.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/planar/planar_input.h"
#include "cli/text.h"
#include "picture/svg.h"

static const gz_command commands[] = {
    {"distance", gz_planar_distance, "signed distance of two shapes, with the nearest points"},
    {"approach", gz_planar_approach, "when and how near two moving shapes come to each other"},
    {"obstacle", gz_planar_obstacle, "the velocities with which two shapes touch, and the way out"},
    {"constraint", gz_planar_constraint,
     "a segment against a disk and its circle, exact and smooth"},
    {"scene", gz_planar_scene, "a scene of convex polygons: make, store, draw, which pairs meet"},
    {"cspace", gz_planar_cspace, "configuration space of a polygon or an arm; a path to drive"},
    {"bench", gz_planar_bench, "three methods to compare polygons, timed on eight scenes"},
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

static const char *const format_names[] = {"text", "json", NULL};
static const char *const method_names[] = {"edges", "axes", "minkowski", NULL};
static const char command[] = "planar scene";

typedef struct scene_options {
    gz_scene_input input;
    const char *save, *output, *picture;
    int format, method;
    bool pairs;
} scene_options;

static const gz_command_line command_line = {
    .command = command,
    .synopsis = "planar scene [options]",
    .about =
        "Makes a scene of random convex polygons, or reads one, and tells which of them have a\n"
        "point in common; polygons that touch do. Decided exactly, by any of three methods.",
    .examples = "  graze planar scene --count 30 --radii 0.1,0.2 --seed 7 --picture scene.svg\n"
                "  graze planar scene --scene scene.json --pairs\n",
};

static int parse(scene_options *o, int argc, char **argv, gz_option scene[GZ_SCENE_OPTION_COUNT]) {
    gz_scene_input_options(&o->input, scene);
    gz_option answer[] = {
        {"method", "METHOD", .choice = &o->method, .choices = method_names,
         .help = "edges, axes, or minkowski (default); same answer"},
        {"pairs", NULL, .flag = &o->pairs, .help = "list the pairs that meet (json always does)"},
        {"save", "FILE.json", .text = &o->save, .file = GZ_FILE_WRITTEN, .help = "store the scene"},
        {"format", "FORMAT", .choice = &o->format, .choices = format_names,
         .help = "text (default), json"},
        GZ_OPTION_OUTPUT(&o->output),
        {"picture", "FILE.svg", .text = &o->picture, .file = GZ_FILE_WRITTEN,
         .help = "draw the polygons, those that meet others in red"},
    };
    gz_option_section sections[] = {{"scene", scene, GZ_SCENE_OPTION_COUNT},
                                    GZ_SECTION("answer", answer)};
    return gz_command_line_parse(&command_line, NULL, sections, GZ_COUNT(sections), argc, argv);
}

/// The pairs that overlap, by increasing first and second number.
typedef struct meetings {
    size_t (*pairs)[2];
    size_t count, capacity;
    uint8_t *overlaps; ///< per polygon
} meetings;

static int find_meetings(const graze_planar_scene *scene, graze_planar_method method,
                         meetings *found) {
    size_t count = graze_planar_scene_count(scene);
    found->overlaps = gz_storage_resize(NULL, count, 1);
    if (found->overlaps == NULL) return gz_message_no_memory();
    memset(found->overlaps, 0, count);
    for (size_t i = 0; i < count; i++) {
        const graze_planar_convex *first = graze_planar_scene_polygon(scene, i);
        for (size_t k = i + 1; k < count; k++) {
            if (!graze_planar_convex_meet(first, graze_planar_scene_polygon(scene, k), method))
                continue;
            found->overlaps[i] = found->overlaps[k] = 1;
            if (!gz_storage_reserve((void **)&found->pairs, &found->capacity, found->count + 1,
                                    sizeof *found->pairs))
                return gz_message_no_memory();
            found->pairs[found->count][0] = i;
            found->pairs[found->count++][1] = k;
        }
    }
    return GZ_EXIT_FINE;
}

static size_t vertex_count(const graze_planar_scene *scene) {
    size_t sum = 0;
    for (size_t i = 0; i < graze_planar_scene_count(scene); i++)
        sum += (size_t)graze_planar_scene_polygon(scene, i)->count;
    return sum;
}

static void write_text(FILE *stream, const scene_options *o, const graze_planar_scene *scene,
                       const meetings *found) {
    size_t n = graze_planar_scene_count(scene), vertices = vertex_count(scene);
    char size[GZ_DECIMAL_SIZE];
    fprintf(stream, "%zu polygon%s with %zu %s in a map of %s m; %zu of %zu pairs meet\n", n,
            n == 1 ? "" : "s", vertices, vertices == 1 ? "vertex" : "vertices",
            gz_decimal_format(size, graze_planar_scene_size(scene)), found->count,
            n > 0 ? n * (n - 1) / 2 : 0);
    for (size_t i = 0; o->pairs && i < found->count; i++)
        fprintf(stream, "%zu %zu\n", found->pairs[i][0], found->pairs[i][1]);
}

static void write_json(FILE *stream, const graze_planar_scene *scene, const meetings *found) {
    gz_json json = gz_json_begin(stream, "graze-planar-meetings-1");
    gz_json_put(&json, "polygons=%zu vertices=%zu size=%g pairs=[", graze_planar_scene_count(scene),
                vertex_count(scene), graze_planar_scene_size(scene));
    for (size_t i = 0; i < found->count; i++)
        gz_json_put(&json, "[ %zu %zu ]", found->pairs[i][0], found->pairs[i][1]);
    gz_json_finish(&json);
}

static int save(const char *path, const graze_planar_scene *scene) {
    size_t size = graze_planar_scene_text(scene, NULL, 0);
    char *text = gz_storage_resize(NULL, size + 1, 1);
    if (text == NULL) return gz_message_no_memory();
    graze_planar_scene_text(scene, text, size + 1);
    int status = gz_output_write_file(path, text, size);
    gz_storage_free(text);
    return status;
}

static int draw(const char *path, const graze_planar_scene *scene, const meetings *found) {
    gz_output output;
    int status = gz_output_open(&output, path);
    if (status != GZ_EXIT_FINE) return status;
    double size = graze_planar_scene_size(scene), rim = 0.02 * size;
    gz_svg svg = gz_svg_begin(output.stream, (graze_vec2){-rim, -rim},
                              (graze_vec2){size + rim, size + rim}, 640);
    const graze_vec2 map[4] = {{0, 0}, {size, 0}, {size, size}, {0, size}};
    gz_svg_polygon(&svg, map, 4, "fill=\"none\" stroke=\"#9aa4b0\"");
    for (size_t i = 0; i < graze_planar_scene_count(scene); i++) {
        const graze_planar_convex *p = graze_planar_scene_polygon(scene, i);
        gz_svg_polygon(&svg, p->vertices, (size_t)p->count,
                       found->overlaps[i]
                           ? "fill=\"#f4c7b5\" fill-opacity=\"0.6\" stroke=\"#b4451b\""
                           : "fill=\"#d7ead2\" fill-opacity=\"0.6\" stroke=\"#3f7d33\"");
    }
    gz_svg_end(&svg);
    return gz_output_finish(&output);
}

static int answer(const scene_options *o, const graze_planar_scene *scene, const meetings *found) {
    gz_output output;
    int status = gz_output_open(&output, o->output);
    if (status != GZ_EXIT_FINE) return status;
    if (o->format == 0)
        write_text(output.stream, o, scene, found);
    else
        write_json(output.stream, scene, found);
    status = gz_output_finish(&output);
    if (status == GZ_EXIT_FINE && o->save != NULL) status = save(o->save, scene);
    if (status == GZ_EXIT_FINE && o->picture != NULL) status = draw(o->picture, scene, found);
    return status;
}

int gz_planar_scene(int argc, char **argv) {
    scene_options o = {.method = GRAZE_PLANAR_METHOD_MINKOWSKI};
    gz_option table[GZ_SCENE_OPTION_COUNT];
    int status = parse(&o, argc, argv, table);
    if (status != GZ_GO_ON) return status;
    status = gz_planar_picture_check(command, o.picture, true, false);
    const char *const outputs[] = {o.output, o.save, o.picture};
    if (status == GZ_EXIT_FINE) status = gz_planar_outputs_check(command, outputs, 3);
    if (status != GZ_EXIT_FINE) return status;
    graze_planar_scene *scene = NULL;
    meetings found = {0};
    status = gz_scene_input_make(&o.input, command, &scene);
    if (status == GZ_EXIT_FINE)
        status = find_meetings(scene, (graze_planar_method)o.method, &found);
    if (status == GZ_EXIT_FINE) status = answer(&o, scene, &found);
    graze_planar_scene_free(scene);
    gz_storage_free(found.pairs);
    gz_storage_free(found.overlaps);
    return status;
}
