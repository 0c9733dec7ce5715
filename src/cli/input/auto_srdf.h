/// --srdf auto: the robot's own quick matrix, computed once and kept in a cache folder.
#ifndef GZ_CLI_INPUT_AUTO_SRDF_H
#define GZ_CLI_INPUT_AUTO_SRDF_H

#include "cli/input/robot_input.h"

/// Computes a matrix with a progress bar, until it is done or interrupted. Prints what is wrong and
/// returns an exit status.
int gz_matrix_input_compute(const gz_robot_input *input, const graze_robot *robot,
                            graze_matrix_options options, graze_matrix **matrix);

/// Whether --srdf is "auto".
bool gz_auto_srdf_wanted(const gz_robot_input *input);

/// The SRDF of the matrix of a robot that is loaded without one: from the cache, where one of the
/// same robot, meshes and version is there, else computed and put there. Prints what was done in
/// one line and what is wrong, and returns an exit status.
/// @param path [out] the file, lives as long as the input
int gz_auto_srdf_find(gz_robot_input *input, const graze_robot *robot, const char **path);

#endif
