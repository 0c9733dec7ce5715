/// Trajectories as the user gives them: messages in JSON and YAML, or rows with times.
#ifndef GZ_CLI_MOTION_TRAJECTORY_INPUT_H
#define GZ_CLI_MOTION_TRAJECTORY_INPUT_H

#include "cli/input/robot_input.h"
#include "graze/graze.h"

/// What is read, and how.
typedef struct gz_trajectory_input {
    const gz_robot_input *input; ///< after gz_robot_input_prepare()
    const char *path;            ///< .csv or .npy: rows; else JSON or YAML; "-": standard input
    const gz_posture *rest;      ///< where joints stand that the file does not name, and the base
    graze_turn turn;             ///< of angles of rows; JSON and YAML are always as given
    bool any_limits;             ///< joints may leave their limits
} gz_trajectory_input;

/// Reads and checks a trajectory: that joints keep their limits, and that no joint without limits
/// goes more than half a turn between two points, unless `turn` is GRAZE_TURN_AS_GIVEN.
/// Prints what is wrong and returns an exit status.
/// @param out [out] NULL on failure; free with graze_trajectory_free()
int gz_trajectory_input_read(graze_trajectory **out, const gz_trajectory_input *input);

#endif
