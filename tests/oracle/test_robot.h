/// The robots that the oracles look at: those that ship with graze, and real ones from the folder
/// that the environment variable GRAZE_TEST_DATA names.
#ifndef GRAZE_TESTS_TEST_ROBOT_H
#define GRAZE_TESTS_TEST_ROBOT_H

#include "base/random.h"
#include "graze/graze.h"

/// A robot with its SRDF: "heron", and with test data "fetch", "panda", "ur5". Ends the program
/// when it cannot be loaded; NULL when it belongs to test data and there are none.
graze_robot *test_robot_load(const char *name);

/// dir/name, in a static buffer.
const char *test_path(const char *dir, const char *name);

/// The first collision mesh of a link. Ends the program where there is none.
graze_geometry test_robot_mesh(const graze_robot *robot, const char *link);

/// Random numbers inside the limits, or in [-3.2, 3.2] without.
void test_robot_draw(const graze_robot *robot, gz_random *random, double *q);

#endif
