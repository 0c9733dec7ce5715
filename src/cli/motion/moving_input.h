/// The option --moving: objects of the world that move while the robot does.
#ifndef GZ_CLI_MOTION_MOVING_INPUT_H
#define GZ_CLI_MOTION_MOVING_INPUT_H

#include "cli/argument.h"
#include "graze/graze.h"

/// The option; `per` is what velocities are per, in the help.
#define GZ_OPTION_MOVING(given, per)                                                               \
    {                                                                                              \
        "moving", "NAME=x,y,z",                                                                    \
            .texts = (given),                                                                      \
            .help = "an object of the world that moves straight, so many\nmetres " per             \
                    " (repeatable)"                                                                \
    }

/// Reads what was given, into `options`.
/// @param world  of the checker; may be NULL
/// @param memory [out] free with gz_free(), after the last use of `options`
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT: no such form or object; GRAZE_ERROR_NO_MEMORY
graze_status gz_moving_read(const gz_texts *given, const graze_world *world,
                            graze_motion_options *options, graze_moving_object **memory,
                            graze_error *error);

#endif
