/// A robot and a world by way of a compiled file.
#ifndef GRAZE_TESTS_COMPILED_TWIN_H
#define GRAZE_TESTS_COMPILED_TWIN_H

#include "graze/graze.h"

/// Both are the caller's to free. Ends the program where anything fails.
void compiled_twin(const graze_robot *robot, const graze_world *world, graze_robot **robot_out,
                   graze_world **world_out);

#endif
