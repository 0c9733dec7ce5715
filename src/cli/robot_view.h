/// Items of a robot by value, and the words for its enumerators: for all that is written about one.
#ifndef GZ_CLI_ROBOT_VIEW_H
#define GZ_CLI_ROBOT_VIEW_H

#include "graze/graze.h"

/// The item of an index, which must be within its range.
graze_joint_info gz_joint_at(const graze_robot *robot, int32_t index);
graze_geometry gz_collision_at(const graze_robot *robot, size_t index);
graze_geometry gz_visual_at(const graze_robot *robot, size_t index);
graze_pair gz_pair_at(const graze_robot *robot, size_t index);

/// The joint that a column of q belongs to.
graze_joint_info gz_joint_of_column(const graze_robot *robot, size_t column);
/// "rad", "m" or "" for a column of q.
const char *gz_column_unit(const graze_robot *robot, size_t column);

const char *gz_joint_type_name(graze_joint_type type);
const char *gz_pair_state_name(graze_pair_state state);
const char *gz_shape_name(graze_shape shape);
const char *gz_policy_name(graze_policy policy);

/// The length of the longest of `count` names, at least that of the title.
int gz_widest(const graze_robot *robot, size_t count, const char *title,
              const char *(*name)(const graze_robot *robot, size_t i));
/// The same of the links.
int gz_widest_link(const graze_robot *robot, const char *title);

#endif
