#include "cli/planar/planar_input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/message.h"
#include "cli/output.h"
#include "cli/text.h"

size_t gz_planar_numbers(const char *text, double *values, size_t most) {
    for (size_t n = 0; n < most; n++) {
        size_t length = strcspn(text, ",");
        if (!gz_decimal_parse(text, length, &values[n]) || !isfinite(values[n])) return 0;
        if (text[length] == '\0') return n + 1;
        text += length + 1;
    }
    return 0;
}

int gz_planar_numbers_exactly(const char *command, const char *option, const char *text,
                              double *values, size_t n, const char *allowed) {
    double read[16];
    if (gz_planar_numbers(text, read, 16) != n)
        return gz_message_usage(command, "--%s is '%s'; allowed: %s", option, text, allowed);
    memcpy(values, read, n * sizeof *values);
    return GZ_EXIT_FINE;
}

bool gz_planar_ends_with(const char *text, const char *end) {
    size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

int gz_planar_picture_check(const char *command, const char *path, bool svg, bool png) {
    if (path == NULL || (svg && gz_planar_ends_with(path, ".svg")) ||
        (png && gz_planar_ends_with(path, ".png")))
        return GZ_EXIT_FINE;
    return gz_message_usage(command, "--picture is '%s'; allowed: a name that ends in %s", path,
                            svg && png ? ".svg or .png"
                            : svg      ? ".svg"
                                       : ".png");
}

int gz_planar_outputs_check(const char *command, const char *const *paths, size_t count) {
    bool printed = paths[0] == NULL || strcmp(paths[0], "-") == 0;
    for (size_t i = 1; i < count; i++) {
        if (paths[i] == NULL || strcmp(paths[i], "-") != 0) continue;
        if (printed)
            return gz_message_usage(command, "two outputs are '-', standard output; allowed: one, "
                                             "and -o FILE");
        printed = true;
    }
    const char *shared = gz_output_shared(paths, count);
    if (shared == NULL) return GZ_EXIT_FINE;
    return gz_message_usage(command, "two outputs are '%s'; allowed: a file each", shared);
}

// ---------------------------------------------------------------------------------------- shapes

static const char shape_forms[] =
    "circle:x,y,r, capsule:x,y,x,y,r, rectangle:x,y,width,height,angle[,r], "
    "polygon:x,y,x,y,...[:r]";

static int bad_shape(const char *command, const char *option, const char *text) {
    return gz_message_usage(command, "--%s is '%s'; allowed: %s", option, text, shape_forms);
}

/// polygon:x,y,...[:r]
static graze_status parse_polygon(const char *rest, graze_planar_shape *shape, bool *good,
                                  graze_error *error) {
    static const size_t most = GZ_PLANAR_NUMBERS_MAX;
    double n[GZ_PLANAR_NUMBERS_MAX], radius = 0;
    char list[16384];
    size_t length = strcspn(rest, ":");
    *good = length < sizeof list;
    if (!*good) return GRAZE_OK;
    memcpy(list, rest, length);
    list[length] = '\0';
    if (rest[length] == ':') *good = gz_planar_numbers(rest + length + 1, &radius, 1) == 1;
    size_t count = gz_planar_numbers(list, n, most);
    *good = *good && count > 0 && count % 2 == 0;
    return *good ? graze_planar_polygon(shape, n, count / 2, radius, error) : GRAZE_OK;
}

int gz_planar_shape_parse(const char *command, const char *option, const char *text,
                          graze_planar_shape *shape) {
    static const char *const kinds[] = {"circle:", "capsule:", "rectangle:", "polygon:"};
    double n[6] = {0};
    size_t kind = 0, count = 0;
    while (kind < 4 && strncmp(text, kinds[kind], strlen(kinds[kind])) != 0) kind++;
    if (kind == 4) return bad_shape(command, option, text);
    const char *rest = text + strlen(kinds[kind]);
    graze_error error = {0};
    graze_status status = GRAZE_OK;
    bool good = true;
    if (kind < 3) count = gz_planar_numbers(rest, n, 6);
    if (kind == 0) {
        good = count == 3;
        if (good) status = graze_planar_circle(shape, (graze_vec2){n[0], n[1]}, n[2], &error);
    } else if (kind == 1) {
        good = count == 5;
        graze_vec2 a = {n[0], n[1]}, b = {n[2], n[3]};
        if (good) status = graze_planar_capsule(shape, a, b, n[4], &error);
    } else if (kind == 2) {
        good = (count == 5 || count == 6) && fabs(n[4]) <= 0x1p20;
        graze_transform2 pose = graze_transform2_make(n[0], n[1], good ? n[4] : 0);
        graze_vec2 half = {0.5 * n[2], 0.5 * n[3]};
        if (good) status = graze_planar_rectangle(shape, &pose, half, n[5], &error);
    } else {
        status = parse_polygon(rest, shape, &good, &error);
    }
    if (!good) return bad_shape(command, option, text);
    if (status == GRAZE_OK) return GZ_EXIT_FINE;
    return gz_message_usage(command, "--%s is '%s': %s", option, text, error.message);
}

// ---------------------------------------------------------------------------------------- scenes

void gz_scene_input_options(gz_scene_input *input, gz_option table[GZ_SCENE_OPTION_COUNT]) {
    graze_planar_scene_options d = graze_planar_scene_options_default();
    input->count = d.count;
    input->seed = d.seed;
    input->size = d.size;
    const gz_option options[GZ_SCENE_OPTION_COUNT] = {
        {"scene", "FILE.json", .text = &input->path, .file = GZ_FILE_READ,
         .help = "read it (graze planar scene --save writes such files)"},
        {"count", "N", .count = &input->count, .minimum = 1,
         .maximum = GRAZE_PLANAR_SCENE_POLYGON_MAX,
         .help = "polygons of a random one (default 10)"},
        {"vertices", "MIN,MAX", .text = &input->vertices, .help = "of each polygon (default 4,6)"},
        {"radii", "MIN,MAX", .text = &input->radii,
         .help = "of the vertices about a polygon's middle, metres\n(default 0.4,0.5)"},
        {"size", "METRES", .number = &input->size, .help = "edge of the square map (default 2)"},
        {"seed", "N", .count = &input->seed, .help = "of the random numbers (default 1)"},
    };
    memcpy(table, options, sizeof options);
    input->options = table;
}

int gz_scene_input_make(const gz_scene_input *input, const char *command,
                        graze_planar_scene **scene) {
    graze_error error;
    *scene = NULL;
    if (input->path != NULL) {
        for (size_t i = 1; i < GZ_SCENE_OPTION_COUNT; i++) {
            if (!input->options[i].given) continue;
            return gz_message_usage(command, "--%s is for random scenes; allowed: without --scene",
                                    input->options[i].name);
        }
        graze_status status = graze_planar_scene_load(scene, input->path, &error);
        return status == GRAZE_OK ? GZ_EXIT_FINE : gz_message_error(command, &error);
    }
    graze_planar_scene_options o = graze_planar_scene_options_default();
    o.count = (uint32_t)input->count;
    o.seed = input->seed;
    o.size = input->size;
    double pair[2];
    if (input->vertices != NULL) {
        static const char allowed[] = "two whole numbers from 3 to 1000, the lower one first";
        int status = gz_planar_numbers_exactly(command, "vertices", input->vertices, pair, 2,
                                               allowed);
        if (status != GZ_EXIT_FINE) return status;
        if (!(pair[0] >= 3 && pair[1] <= 1000 && pair[0] <= pair[1]) || rint(pair[0]) != pair[0] ||
            rint(pair[1]) != pair[1]) {
            return gz_message_usage(command, "--vertices is '%s'; allowed: %s", input->vertices,
                                    allowed);
        }
        o.vertex_min = (uint32_t)pair[0];
        o.vertex_max = (uint32_t)pair[1];
    }
    if (input->radii != NULL) {
        int status = gz_planar_numbers_exactly(command, "radii", input->radii, pair, 2,
                                               "two numbers, the lower one first");
        if (status != GZ_EXIT_FINE) return status;
        o.radius_min = pair[0];
        o.radius_max = pair[1];
    }
    graze_status status = graze_planar_scene_generate(scene, &o, &error);
    if (status == GRAZE_OK) return GZ_EXIT_FINE;
    if (status == GRAZE_ERROR_RANGE) return gz_message_usage(command, "%s", error.message);
    return gz_message_error(command, &error);
}

void gz_planar_pair_options(gz_planar_pair *pair, gz_option shapes[GZ_PAIR_SHAPE_OPTIONS],
                            gz_option motion[GZ_PAIR_MOTION_OPTIONS]) {
    shapes[0] = (gz_option){"first", "SHAPE", .text = &pair->first,
                            .help = "circle:x,y,r   capsule:x,y,x,y,r\n"
                                    "rectangle:x,y,width,height,angle[,r]\n"
                                    "polygon:x,y,x,y,...[:r]   (metres, radians; r: rounding)"};
    shapes[1] = (gz_option){"second", "SHAPE", .text = &pair->second, .help = "likewise"};
    motion[0] = (gz_option){"first-velocity", "x,y", .text = &pair->first_velocity,
                            .help = "metres a second (default 0,0)"};
    motion[1] = (gz_option){"second-velocity", "x,y", .text = &pair->second_velocity,
                            .help = "likewise"};
    motion[2] = (gz_option){"horizon", "S", .number = &pair->horizon, .infinite = true,
                            .help = "seconds that are looked at (default 10; inf: all)"};
}

int gz_planar_pair_read(gz_planar_pair *pair, const char *command) {
    static const char two[] = "two numbers, x,y";
    if (pair->first == NULL || pair->second == NULL) {
        return gz_message_usage(command, "--%s is missing",
                                pair->first == NULL ? "first" : "second");
    }
    int status = gz_planar_shape_parse(command, "first", pair->first, &pair->a);
    if (status == GZ_EXIT_FINE)
        status = gz_planar_shape_parse(command, "second", pair->second, &pair->b);
    if (status == GZ_EXIT_FINE && pair->first_velocity != NULL) {
        status = gz_planar_numbers_exactly(command, "first-velocity", pair->first_velocity,
                                           &pair->velocity_a.x, 2, two);
    }
    if (status == GZ_EXIT_FINE && pair->second_velocity != NULL) {
        status = gz_planar_numbers_exactly(command, "second-velocity", pair->second_velocity,
                                           &pair->velocity_b.x, 2, two);
    }
    return status;
}

void gz_planar_json_point(gz_json *json, const char *key, graze_vec2 point) {
    const double xy[2] = {point.x + 0.0, point.y + 0.0};
    gz_json_numbers(json, key, xy, 2);
}

int gz_planar_pair_refused(const char *command) {
    return gz_message_usage(command, "the shapes, velocities or horizon are out of range; "
                                     "allowed: magnitudes up to 2^100, a horizon from 2^-400");
}

void gz_planar_pair_grow_box(const graze_planar_shape *shape, graze_vec2 *min, graze_vec2 *max) {
    graze_planar_bounds box = graze_planar_shape_bounds(shape);
    *min = (graze_vec2){fmin(min->x, box.min.x), fmin(min->y, box.min.y)};
    *max = (graze_vec2){fmax(max->x, box.max.x), fmax(max->y, box.max.y)};
}
