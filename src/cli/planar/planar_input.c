#include "cli/planar/planar_input.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "cli/message.h"
#include "cli/text.h"

// --------------------------------------------------------------------------------------- reports

const char *const gz_planar_formats[] = {"text", "json", NULL};

int gz_planar_report_check(const gz_planar_report *report, const char *command, const char *other) {
    const char *const outputs[] = {report->output ? report->output : "-", other, report->picture};
    int status = gz_files_apart(command, "outputs", outputs, GZ_COUNT(outputs));
    return status == GZ_GO_ON ? GZ_EXIT_FINE : status;
}

int gz_planar_report_write(const gz_planar_report *report, const char *format,
                           gz_planar_putter *put, gz_output_writer *draw, const void *answer) {
    gz_output output;
    GZ_TRY_EXIT(gz_output_open(&output, report->output));
    gz_json json = report->format == 1 ? gz_json_begin(output.stream, format)
                                       : gz_json_begin_plain(output.stream);
    put(&json, answer);
    gz_json_finish(&json);
    GZ_TRY_EXIT(gz_output_finish(&output));
    return report->picture ? gz_output_write(report->picture, draw, answer) : GZ_EXIT_FINE;
}

void gz_planar_put_point(gz_json *json, const char *key, graze_vec2 point) {
    const double xy[2] = {point.x + 0.0, point.y + 0.0};
    gz_json_numbers(json, key, xy, 2);
}

// ---------------------------------------------------------------------------------------- scenes

void gz_scene_input_start(gz_scene_input *input) {
    graze_planar_scene_options d = graze_planar_scene_options_default();
    *input = (gz_scene_input){
        .count = d.count, .seed = d.seed, .size = d.size, .radii = {d.radius_min, d.radius_max}};
    const gz_option options[GZ_SCENE_OPTION_COUNT] = {
        {"scene", "FILE.json", .text = &input->path, .file = GZ_FILE_READ,
         .help = "read it (graze planar scene --save writes such files)"},
        {"count", "N", .count = &input->count, .minimum = 1,
         .maximum = GRAZE_PLANAR_SCENE_POLYGON_MAX,
         .help = "polygons of a random one (default 10)"},
        {"vertices", "MIN,MAX", .text = &input->vertices, .help = "of each polygon (default 4,6)"},
        {"radii", "MIN,MAX", .numbers = input->radii, .number_count = 2,
         .allowed = "two numbers, the lower one first",
         .help = "of the vertices about a polygon's middle, metres\n(default 0.4,0.5)"},
        {"edge", "METRES", .number = &input->size, .help = "of the square map (default 2)"},
        {"seed", "N", .count = &input->seed, .help = "of the random numbers (default 1)"},
    };
    memcpy(input->options, options, sizeof options);
}

static int load_scene(const gz_scene_input *input, const char *command,
                      graze_planar_scene **scene) {
    graze_error error;
    for (size_t i = 1; i < GZ_SCENE_OPTION_COUNT; i++) {
        if (!input->options[i].given) continue;
        return gz_message_usage(command, "--%s is for random scenes; allowed: without --scene",
                                input->options[i].name);
    }
    graze_status status = graze_planar_scene_load(scene, input->path, &error);
    return status == GRAZE_OK ? GZ_EXIT_FINE : gz_message_error(command, &error);
}

int gz_scene_input_make(const gz_scene_input *input, const char *command,
                        graze_planar_scene **scene) {
    static const char allowed[] = "two whole numbers from 3 to 1000, the lower one first";
    *scene = NULL;
    if (input->path != NULL) return load_scene(input, command, scene);
    graze_planar_scene_options o = graze_planar_scene_options_default();
    double n[2] = {o.vertex_min, o.vertex_max};
    GZ_TRY_EXIT(gz_numbers_read(command, "vertices", input->vertices, n, 2, 1000, allowed));
    if (!(n[0] >= 3 && n[0] <= n[1]) || rint(n[0]) != n[0] || rint(n[1]) != n[1])
        return gz_message_usage(command, "--vertices is '%s'; allowed: %s", input->vertices,
                                allowed);
    o.radius_min = input->radii[0];
    o.radius_max = input->radii[1];
    o.count = (uint32_t)input->count;
    o.seed = input->seed;
    o.size = input->size;
    o.vertex_min = (uint32_t)n[0];
    o.vertex_max = (uint32_t)n[1];
    graze_error error;
    graze_status status = graze_planar_scene_generate(scene, &o, &error);
    return status == GRAZE_OK ? GZ_EXIT_FINE : gz_message_refusal(command, &error);
}

// ----------------------------------------------------------------------------------------- shapes

enum { CIRCLE, CAPSULE, RECTANGLE, POLYGON, KINDS };

/// How a shape begins, and how many numbers it has.
static const struct shape_form {
    const char *name;
    size_t least, most;
} forms[KINDS] = {{"circle:", 3, 3}, {"capsule:", 5, 5}, {"rectangle:", 5, 6}, {"polygon:", 0, 0}};

static graze_status make_shape(int kind, const double *n, graze_planar_shape *shape,
                               graze_error *error) {
    graze_vec2 first = {n[0], n[1]}, second = {n[2], n[3]}, half = {0.5 * n[2], 0.5 * n[3]};
    if (kind == CIRCLE) return graze_planar_circle(shape, first, n[2], error);
    if (kind == CAPSULE) return graze_planar_capsule(shape, first, second, n[4], error);
    graze_transform2 pose = graze_transform2_make(n[0], n[1], n[4]);
    return graze_planar_rectangle(shape, &pose, half, n[5], error);
}

/// Most numbers and loops of a polygon on a command line.
enum { NUMBERS_MAX = 2048, LOOPS_MAX = 64 };

/// A polygon as it is written: x,y,x,y,... and, behind slashes, its holes.
typedef struct rings {
    double xy[NUMBERS_MAX];
    size_t sizes[LOOPS_MAX]; ///< vertices of each loop
    size_t count;            ///< loops
} rings;

static bool parse_rings(const char *text, size_t length, rings *r) {
    size_t used = 0;
    for (r->count = 0; r->count < LOOPS_MAX;) {
        const char *slash = memchr(text, '/', length);
        size_t size = slash ? (size_t)(slash - text) : length;
        size_t n = gz_decimal_parse_numbers(text, size, r->xy + used, NUMBERS_MAX - used);
        if (n < 2 || n % 2 != 0) return false;
        r->sizes[r->count++] = n / 2;
        used += n;
        if (!slash) return true;
        text += size + 1;
        length -= size + 1;
    }
    return false;
}

int gz_planar_shapes_add(gz_planar_shapes *shapes, const graze_planar_shape *items, size_t count) {
    if (!gz_array_reserve((void **)&shapes->items, &shapes->capacity, shapes->count + count,
                          sizeof *shapes->items))
        return gz_message_no_memory();
    memcpy(shapes->items + shapes->count, items, count * sizeof *items);
    shapes->count += count;
    return GZ_EXIT_FINE;
}

/// A convex polygon is one shape, its vertices as they were given; others are split.
static int add_polygon(const char *command, const char *option, const char *text, const rings *r,
                       double radius, gz_planar_shapes *shapes) {
    graze_error error;
    graze_planar_shape shape;
    graze_planar_parts parts = {0};
    graze_status status = r->count > 1
                              ? GRAZE_ERROR_SCHEMA
                              : graze_planar_polygon(&shape, r->xy, r->sizes[0], radius, &error);
    if (status == GRAZE_OK) return gz_planar_shapes_add(shapes, &shape, 1);
    if (status == GRAZE_ERROR_SCHEMA || status == GRAZE_ERROR_LIMIT)
        status = graze_planar_decompose(&parts, r->xy, r->sizes, r->count, radius, &error);
    if (status == GRAZE_ERROR_NO_MEMORY) return gz_message_error(command, &error);
    if (status != GRAZE_OK)
        return gz_message_usage(command, "--%s is '%.200s': %s", option, text, error.message);
    int exit = gz_planar_shapes_add(shapes, parts.items, parts.count);
    graze_planar_parts_free(&parts);
    return exit;
}

int gz_planar_polygon_add(const char *command, const char *option, const double *xy, size_t count,
                          gz_planar_shapes *shapes) {
    rings r = {.count = 1, .sizes = {count}};
    static_assert(2 * GRAZE_PLANAR_SCENE_VERTEX_MAX <= NUMBERS_MAX, "a polygon fits");
    memcpy(r.xy, xy, 2 * count * sizeof *xy);
    return add_polygon(command, option, "a polygon", &r, 0, shapes);
}

static int refuse_shape(const char *command, const char *option, const char *text) {
    return gz_message_usage(
        command,
        "--%s is '%.200s'; allowed: circle:x,y,r, capsule:x,y,x,y,r, "
        "rectangle:x,y,width,height,angle[,r], polygon:x,y,x,y,...[/x,y,...][:r]",
        option, text);
}

int gz_planar_polygon_parse(const char *command, const char *option, const char *text,
                            const char *rest, gz_planar_shapes *shapes) {
    rings r;
    double radius = 0;
    size_t length = strcspn(rest, ":");
    bool whole = rest == text; // no shape of many kinds, which may be rounded
    if ((rest[length] == ':' && (whole || !gz_decimal_parse_list(rest + length + 1, &radius, 1))) ||
        !parse_rings(rest, length, &r))
        return gz_message_usage(
            command, "--%s is '%.200s'; allowed: %s, up to %d numbers", option, text,
            whole ? "x,y,x,y,...[/x,y,...]" : "polygon:x,y,x,y,...[/x,y,...][:r]", NUMBERS_MAX);
    return add_polygon(command, option, text, &r, radius, shapes);
}

int gz_planar_shape_parse(const char *command, const char *option, const char *text,
                          gz_planar_shapes *shapes) {
    double n[6] = {0};
    int kind = 0;
    while (kind < KINDS && strncmp(text, forms[kind].name, strlen(forms[kind].name)) != 0) kind++;
    if (kind == KINDS) return refuse_shape(command, option, text);
    const char *rest = text + strlen(forms[kind].name);
    if (kind == POLYGON) return gz_planar_polygon_parse(command, option, text, rest, shapes);
    size_t count = gz_decimal_parse_numbers(rest, strlen(rest), n, forms[kind].most);
    if (count < forms[kind].least) return refuse_shape(command, option, text);
    if (kind == RECTANGLE && !(fabs(n[4]) <= GZ_PLANAR_TURN_MAX))
        return gz_message_usage(command,
                                "--%s is '%s': the angle is %g radians; allowed: -2 pi to 2 pi, "
                                "and %g degrees are %.6g radians",
                                option, text, n[4], n[4], n[4] / 57.295779513082323);
    graze_error error = {0};
    graze_planar_shape shape;
    if (make_shape(kind, n, &shape, &error) == GRAZE_OK)
        return gz_planar_shapes_add(shapes, &shape, 1);
    return gz_message_usage(command, "--%s is '%s': %s", option, text, error.message);
}

static int read_pair(gz_planar_pair *pair, const char *command) {
    GZ_TRY_EXIT(gz_planar_shape_parse(command, "first", pair->first, &pair->a));
    GZ_TRY_EXIT(gz_planar_shape_parse(command, "second", pair->second, &pair->b));
    return gz_planar_report_check(&pair->report, command, NULL);
}

int gz_planar_pair_parse(gz_planar_pair *pair, const gz_command_line *line, bool moving,
                         const gz_option_section *own, const char *drawn, int argc, char **argv) {
    gz_option shapes[] = {
        {"first", "SHAPE", .text = &pair->first, .required = true, .help = GZ_PLANAR_SHAPE_HELP},
        {"second", "SHAPE", .text = &pair->second, .required = true, .help = "likewise"}};
    gz_option motion[] = {{"first-velocity", "x,y", .numbers = &pair->velocity_a.x, GZ_PLANAR_POINT,
                           .help = "metres a second (default 0,0)"},
                          {"second-velocity", "x,y", .numbers = &pair->velocity_b.x,
                           GZ_PLANAR_POINT, .help = "likewise"},
                          {"horizon", "S", .number = &pair->horizon, .infinite = true,
                           .help = "seconds that are looked at (default 10; inf: all)"}};
    gz_option answer[] = {GZ_PLANAR_REPORT_OPTIONS(&pair->report, drawn)};
    gz_option_section sections[] = {GZ_SECTION("shapes", shapes),
                                    {"motion", motion, moving ? GZ_COUNT(motion) : 0},
                                    own ? *own : (gz_option_section){"", NULL, 0},
                                    GZ_SECTION("answer", answer)};
    pair->horizon = 10;
    int status = gz_command_line_parse(line, NULL, sections, GZ_COUNT(sections), argc, argv);
    if (status != GZ_GO_ON) return status;
    status = read_pair(pair, line->command);
    if (status == GZ_EXIT_FINE) return GZ_GO_ON;
    gz_planar_pair_free(pair);
    return status;
}

void gz_planar_pair_free(gz_planar_pair *pair) {
    gz_free(pair->a.items);
    gz_free(pair->b.items);
}

int gz_planar_pair_refused(const char *command) {
    return gz_message_usage(command, "the shapes, velocities or horizon are out of range; "
                                     "allowed: magnitudes up to 2^100, a horizon from 2^-400");
}
