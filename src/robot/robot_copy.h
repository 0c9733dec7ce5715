/// A copy of a robot that shares its meshes, for versions of it that differ in a link.
#ifndef GZ_ROBOT_ROBOT_COPY_H
#define GZ_ROBOT_ROBOT_COPY_H

#include "robot/robot.h"

/// Copies everything but the bodies and what folding gives links, with room for one more link,
/// joint and collision geometry, and none of the pairs, for which there is room for so many. NULL
/// when out of memory. Cost: linear in links, joints and strings; meshes are held, not copied.
graze_robot *gz_robot_copy(const graze_robot *robot, size_t pair_room);

/// Appends a copy of a pair; there is room. False when out of memory.
bool gz_robot_copy_pair(graze_robot *robot, const gz_pair *pair);

/// Folds and analyses a copy whose links and joints are complete. Bounds stay as they are.
graze_status gz_robot_copy_finish(graze_robot *robot, graze_error *error);

#endif
