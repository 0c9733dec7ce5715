/// What the commands of the plane read from their command lines: numbers, shapes, scenes.
#ifndef GZ_CLI_PLANAR_PLANAR_INPUT_H
#define GZ_CLI_PLANAR_PLANAR_INPUT_H

#include "cli/argument.h"
#include "cli/json.h"
#include "graze/planar.h"
#include "graze/planar_scene.h"

/// The commands of the plane; argv[0] is "distance" and so on. Return exit statuses.
int gz_planar_distance(int argc, char **argv);
int gz_planar_approach(int argc, char **argv);
int gz_planar_obstacle(int argc, char **argv);
int gz_planar_constraint(int argc, char **argv);
int gz_planar_scene(int argc, char **argv);
int gz_planar_cspace(int argc, char **argv);
int gz_planar_bench(int argc, char **argv);

#define GZ_PLANAR_NUMBERS_MAX 2048

/// Reads finite numbers separated by commas. Returns how many, or 0 where the text is none, or has
/// more than `most`.
size_t gz_planar_numbers(const char *text, double *values, size_t most);

/// Reads exactly n numbers; a usage error of `command` naming `option` otherwise. Returns an exit
/// status.
int gz_planar_numbers_exactly(const char *command, const char *option, const char *text,
                              double *values, size_t n, const char *allowed);

/// Reads a shape: circle:x,y,r  capsule:x,y,x,y,r  rectangle:x,y,width,height,angle[,r]
/// polygon:x,y,x,y,...[:r]. Returns an exit status, the message printed.
int gz_planar_shape_parse(const char *command, const char *option, const char *text,
                          graze_planar_shape *shape);

/// A scene from a file, or made at random.
typedef struct gz_scene_input {
    const char *path, *vertices, *radii;
    uint64_t count, seed;
    double size;
    gz_option *options; ///< the table, to see which are given
} gz_scene_input;

#define GZ_SCENE_OPTION_COUNT 6
void gz_scene_input_options(gz_scene_input *input, gz_option table[GZ_SCENE_OPTION_COUNT]);

/// Loads or makes the scene. Returns an exit status, the message printed.
int gz_scene_input_make(const gz_scene_input *input, const char *command,
                        graze_planar_scene **scene);

/// A file that ends in one of the names, ".svg" or ".png"; a usage error otherwise.
int gz_planar_picture_check(const char *command, const char *path, bool svg, bool png);
/// Whether the files that are written, the first of them -o, are a file each, and one of them at
/// most standard output; a usage error otherwise.
int gz_planar_outputs_check(const char *command, const char *const *paths, size_t count);
bool gz_planar_ends_with(const char *text, const char *end);

/// Two shapes, and how they move, as read from a command line.

typedef struct gz_planar_pair {
    const char *first, *second, *first_velocity, *second_velocity;
    double horizon;
    graze_planar_shape a, b;
    graze_vec2 velocity_a, velocity_b;
} gz_planar_pair;

#define GZ_PAIR_SHAPE_OPTIONS  2
#define GZ_PAIR_MOTION_OPTIONS 3
void gz_planar_pair_options(gz_planar_pair *pair, gz_option shapes[GZ_PAIR_SHAPE_OPTIONS],
                            gz_option motion[GZ_PAIR_MOTION_OPTIONS]);

/// Reads the shapes and velocities. Returns an exit status, the message printed.
int gz_planar_pair_read(gz_planar_pair *pair, const char *command);

/// Writes a point as an item, never with -0.
void gz_planar_json_point(gz_json *json, const char *key, graze_vec2 point);

/// What the library refuses of a pair. Returns the exit status.
int gz_planar_pair_refused(const char *command);

/// Grows a box until it holds the shape.
void gz_planar_pair_grow_box(const graze_planar_shape *shape, graze_vec2 *min, graze_vec2 *max);

#endif
