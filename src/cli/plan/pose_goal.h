/// A pose of a link as a goal, and the configurations that reach it.
#ifndef GZ_CLI_PLAN_POSE_GOAL_H
#define GZ_CLI_PLAN_POSE_GOAL_H

#include "cli/input/robot_input.h"

/// What is sought, and what was found.
typedef struct gz_pose_goal {
    int32_t link;
    graze_transform pose;
    graze_ik_options options;
    double *rows; ///< configurations, the nearest to the start first
    size_t capacity;
    graze_ik_result result;
} gz_pose_goal;

/// Reads the link's name and "x,y,z,r,p,y". `option` is what errors call the pose.
graze_status gz_pose_goal_read(gz_pose_goal *goal, const graze_robot *robot, const char *link,
                               size_t link_length, const char *option, const char *pose,
                               graze_error *error);
/// Reads LINK=x,y,z,r,p,y.
graze_status gz_pose_goal_parse(gz_pose_goal *goal, const graze_robot *robot, const char *option,
                                const char *text, graze_error *error);

/// Seeks up to `capacity` configurations from a start; that and the base are the posture's.
graze_status gz_pose_goal_solve(gz_pose_goal *goal, const graze_checker *checker,
                                const gz_posture *start, size_t capacity, graze_error *error);
/// Prints why no configuration was found.
void gz_pose_goal_explain(const gz_pose_goal *goal, const graze_checker *checker);
void gz_pose_goal_free(gz_pose_goal *goal);

#endif
