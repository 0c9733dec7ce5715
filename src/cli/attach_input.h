/// Objects of the world that links carry, as --attach says it.
#ifndef GZ_CLI_ATTACH_INPUT_H
#define GZ_CLI_ATTACH_INPUT_H

#include "cli/input/configuration.h"
#include "cli/input/robot_input.h"

/// Moves every object of --attach from input->world to input->robot, both loaded, at the
/// configuration of --attach-at, else, where the command `is_one` of one configuration, at that: -q
/// (NULL: not given). Where joints and base stay otherwise is `posture`. Before the checker is
/// made. Prints what is wrong and returns an exit status.
int gz_attach_input_apply(gz_robot_input *input, const gz_posture_options *posture, const char *q,
                          bool is_one);

#endif
