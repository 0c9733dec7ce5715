/// Two shapes, and how they move, as read from a command line.
#ifndef GZ_CLI_PLANAR_PAIR_H
#define GZ_CLI_PLANAR_PAIR_H

#include "cli/argument.h"
#include "graze/planar.h"

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

/// What the library refuses of a pair. Returns the exit status.
int gz_planar_pair_refused(const char *command);

/// Grows a box until it holds the shape.
void gz_planar_pair_cover(const graze_planar_shape *shape, graze_vec2 *min, graze_vec2 *max);

#endif
