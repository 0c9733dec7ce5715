/// The robots of the kinematics campaign: those that ship, those of GRAZE_TEST_DATA, and made ones.
#ifndef GRAZE_TESTS_KINEMATICS_ROBOT_H
#define GRAZE_TESTS_KINEMATICS_ROBOT_H

#include "graze/graze.h"

size_t kinematics_robot_count(void);
const char *kinematics_robot_name(size_t index);
/// The robot; free with graze_robot_free(). Ends the program where it cannot be loaded.
graze_robot *kinematics_robot_load(size_t index);

#endif
