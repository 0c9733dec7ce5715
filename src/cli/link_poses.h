/// Poses of links in the world, as text, JSON or CSV: position in metres, and roll, pitch and yaw
/// in radians, as --base takes them.
#ifndef GZ_CLI_LINK_POSES_H
#define GZ_CLI_LINK_POSES_H

#include <stdio.h>

#include "cli/json.h"
#include "graze/graze.h"

/// A table with a line for each link. `poses` has one of each, as graze_robot_pose() writes them.
void gz_link_poses_print(FILE *stream, const graze_robot *robot, const graze_transform *poses);
/// The item "poses", an array of objects with link, position and rpy.
void gz_link_poses_json(gz_json *json, const graze_robot *robot, const graze_transform *poses);
/// Six column names for each link, a comma in front of each: LINK.x LINK.y LINK.z LINK.roll
/// LINK.pitch LINK.yaw.
void gz_link_poses_csv_head(FILE *stream, const graze_robot *robot);
/// The numbers of these; NULL: empty fields.
void gz_link_poses_csv(FILE *stream, const graze_robot *robot, const graze_transform *poses);

#endif
