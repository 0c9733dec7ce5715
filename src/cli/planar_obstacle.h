/// The velocity obstacle of two shapes, and its picture.
#ifndef GZ_CLI_PLANAR_OBSTACLE_H
#define GZ_CLI_PLANAR_OBSTACLE_H

#include "cli/planar/planar_input.h"
#include "graze/planar_approach.h"

/// Draws the shapes, and the obstacle among the relative velocities. Returns an exit status, the
/// message printed.
int gz_obstacle_draw(const gz_planar_pair *pair,
                     const graze_planar_velocity_obstacle_result *answer, const char *path);

#endif
