/// What the commands of the plane read from their command lines: numbers, shapes, scenes.
#ifndef GZ_CLI_PLANAR_PLANAR_INPUT_H
#define GZ_CLI_PLANAR_PLANAR_INPUT_H

#include <stdio.h>

#include "cli/argument.h"
#include "cli/cspace/cspace_output.h"
#include "cli/json.h"
#include "cli/output.h"
#include "graze/planar.h"
#include "picture/svg.h"

/// The commands of the plane; argv[0] is "distance" and so on. Return exit statuses.
int gz_planar_distance(int argc, char **argv);
int gz_planar_approach(int argc, char **argv);
int gz_planar_obstacle(int argc, char **argv);
int gz_planar_field(int argc, char **argv);
int gz_planar_constraint(int argc, char **argv);
int gz_planar_scene(int argc, char **argv);
int gz_planar_cspace(int argc, char **argv);

/// Of an option that is a point.
#define GZ_PLANAR_POINT .number_count = 2, .allowed = "two numbers, x,y"

/// Shapes one after another.
typedef struct gz_planar_shapes {
    graze_planar_shape *items;
    size_t count, capacity;
} gz_planar_shapes;

/// Appends shapes. Returns an exit status, the message printed.
int gz_planar_shapes_add(gz_planar_shapes *shapes, const graze_planar_shape *items, size_t count);

/// Angles of shapes and joints, radians: magnitudes up to 2 pi.
#define GZ_PLANAR_TURN_MAX 6.2832

/// What shapes look like, for help.
#define GZ_PLANAR_SHAPE_HELP                                                                       \
    "circle:x,y,r   capsule:x,y,x,y,r\n"                                                           \
    "rectangle:x,y,width,height,angle[,r]   (angle: radians)\n"                                    \
    "polygon:x,y,x,y,...[/x,y,...][:r]   (also concave; behind\n"                                  \
    "slashes: holes)   metres; r rounds the corners"

/// Reads a shape and appends its convex parts: more than one of a concave polygon. Returns an exit
/// status, the message printed, naming the option.
int gz_planar_shape_parse(const char *command, const char *option, const char *text,
                          gz_planar_shapes *shapes);

/// Reads the rest of a text likewise as a polygon.
int gz_planar_polygon_parse(const char *command, const char *option, const char *text,
                            const char *rest, gz_planar_shapes *shapes);

/// Appends a polygon of a scene likewise.
int gz_planar_polygon_add(const char *command, const char *option, const double *xy, size_t count,
                          gz_planar_shapes *shapes);

#define GZ_SCENE_OPTION_COUNT 6

/// A scene from a file, or made at random.
typedef struct gz_scene_input {
    const char *path, *vertices;
    uint64_t count, seed;
    double size, radii[2];
    gz_option options[GZ_SCENE_OPTION_COUNT]; ///< what reads these; they point to them
} gz_scene_input;

void gz_scene_input_start(gz_scene_input *input);

/// Loads or makes the scene. Returns an exit status, the message printed.
int gz_scene_input_make(const gz_scene_input *input, const char *command,
                        graze_planar_scene **scene);

/// Where an answer goes: as text or JSON to a file or standard output, and as a picture.
typedef struct gz_planar_report {
    const char *output, *picture;
    int format; ///< 0: text; 1: JSON
} gz_planar_report;

extern const char *const gz_planar_formats[];

/// Its options; `drawn` is what help says of the picture.
#define GZ_PLANAR_REPORT_OPTIONS(report, drawn)                                                    \
    {"format", "FORMAT", .choice = &(report)->format, .choices = gz_planar_formats,                \
     .help = "text (default), json"},                                                              \
        GZ_OPTION_OUTPUT(&(report)->output), {                                                     \
        "picture", "FILE.svg", .text = &(report)->picture, .file = GZ_FILE_WRITTEN,                \
                               .endings = ".svg", .help = drawn                                    \
    }

/// A usage error unless these files and another (nullable) are one each, and one at most "-".
int gz_planar_report_check(const gz_planar_report *report, const char *command, const char *other);

/// Writes an answer as JSON, or plain.
typedef void gz_planar_putter(gz_json *json, const void *answer);

/// Writes the answer, JSON of a format, and draws it where wanted. Returns an exit status.
int gz_planar_report_write(const gz_planar_report *report, const char *format,
                           gz_planar_putter *put, gz_output_writer *draw, const void *answer);

/// Writes a point as an item, never with -0.
void gz_planar_put_point(gz_json *json, const char *key, graze_vec2 point);

/// Two shapes, and how they move, as read from a command line.
typedef struct gz_planar_pair {
    const char *first, *second;
    double horizon;
    gz_planar_shapes a, b; ///< the convex parts of each
    graze_vec2 velocity_a, velocity_b;
    gz_planar_report report;
} gz_planar_pair;

/// Reads and checks a command line about two shapes, `moving` or not, with options of the command's
/// own (nullable). Returns GZ_GO_ON, or an exit status with the message printed.
int gz_planar_pair_parse(gz_planar_pair *pair, const gz_command_line *line, bool moving,
                         const gz_option_section *own, const char *drawn, int argc, char **argv);

void gz_planar_pair_free(gz_planar_pair *pair);

/// What the library refuses of a pair. Returns the exit status.
int gz_planar_pair_refused(const char *command);

static inline graze_vec2 gz_planar_minus(graze_vec2 a, graze_vec2 b) {
    return (graze_vec2){a.x - b.x, a.y - b.y};
}
/// a + k b
static inline graze_vec2 gz_planar_along(graze_vec2 a, double k, graze_vec2 b) {
    return (graze_vec2){a.x + k * b.x, a.y + k * b.y};
}

// ---------------------------------------------------------------------------------------- pictures

#define GZ_PLANAR_INK    "#22262c"
#define GZ_PLANAR_FIRST  "#2b5f9e"
#define GZ_PLANAR_SECOND "#3f7d33"
#define GZ_PLANAR_HIT    "#b4451b"

/// How a shape is filled and edged.
typedef struct gz_planar_paint {
    const char *fill, *edge;
} gz_planar_paint;

/// Of the first and the second of two shapes, or where a path starts and ends; of what touches; of
/// where something was; of obstacles; of what else is named.
enum {
    GZ_FIRST_PAINT,
    GZ_SECOND_PAINT,
    GZ_HIT_PAINT,
    GZ_PAST_PAINT,
    GZ_OBSTACLE_PAINT,
    GZ_OTHER_PAINT
};
extern const gz_planar_paint gz_planar_paints[];

/// Adds a row of a legend.
void gz_planar_paint_explain(gz_legend *legend, int paint, const char *text);

/// Grows a box, at first empty, until it holds a point, or another box moved by `by`.
void gz_planar_box_add(graze_planar_bounds *box, graze_vec2 point);
void gz_planar_box_join(graze_planar_bounds *box, const graze_planar_bounds *other, graze_vec2 by);
extern const graze_planar_bounds gz_planar_box_empty;

/// The box of all parts, and its middle.
graze_planar_bounds gz_planar_shapes_box(const gz_planar_shapes *shapes);
graze_vec2 gz_planar_shapes_middle(const gz_planar_shapes *shapes);

/// Draws the parts of a shape at a pose, without seams.
void gz_planar_shapes_draw(const gz_svg *svg, const gz_planar_shapes *shapes,
                           const graze_transform2 *pose, const gz_planar_paint *paint);
/// Draws two shapes with velocities and a scale bar in the left half of a page of 1000 x 544.
void gz_planar_movers_draw(const gz_svg *page, const gz_planar_pair *pair);

#endif
