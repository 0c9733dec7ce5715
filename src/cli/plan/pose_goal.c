#include "cli/plan/pose_goal.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/check/verdict_writer.h"
#include "cli/message.h"
#include "cli/text.h"

graze_status gz_pose_goal_read(gz_pose_goal *goal, const graze_robot *robot, const char *link,
                               size_t link_length, const char *option, const char *pose,
                               graze_error *error) {
    double numbers[GZ_BASE_SIZE];
    char *name = gz_string_copy_n(link, link_length);
    if (name == NULL) return gz_fail_memory(error);
    goal->link = graze_robot_find_link(robot, name);
    graze_status status = GRAZE_OK;
    if (goal->link < 0)
        status = gz_fail(error, GRAZE_ERROR_ARGUMENT,
                         "the robot has no link '%s'; allowed: one that 'graze info' lists", name);
    gz_free(name);
    if (status == GRAZE_OK) status = gz_base_parse(numbers, option, pose, error);
    if (status == GRAZE_OK) goal->pose = graze_transform_from_xyz_rpy(numbers, numbers + 3);
    return status;
}

graze_status gz_pose_goal_parse(gz_pose_goal *goal, const graze_robot *robot, const char *option,
                                const char *text, graze_error *error) {
    const char *equals = strrchr(text, '=');
    if (equals != NULL)
        return gz_pose_goal_read(goal, robot, text, (size_t)(equals - text), option, equals + 1,
                                 error);
    return gz_fail(error, GRAZE_ERROR_ARGUMENT, "%s is '%s'; allowed: LINK=x,y,z,roll,pitch,yaw",
                   option, text);
}

graze_status gz_pose_goal_solve(gz_pose_goal *goal, const graze_checker *checker,
                                const gz_posture *start, size_t capacity, graze_error *error) {
    goal->rows = gz_malloc(capacity * (start->size + 1), sizeof *goal->rows);
    if (goal->rows == NULL) return gz_fail_memory(error);
    goal->capacity = capacity;
    return graze_ik(checker, goal->link, &goal->pose, start->q, start->base, &goal->options,
                    goal->rows, capacity, &goal->result, error);
}

void gz_pose_goal_explain(const gz_pose_goal *goal, const graze_checker *checker) {
    const graze_ik_result *r = &goal->result;
    char contact[1024];
    if (r->collided > 0)
        gz_message(
            "no configuration found: %u of %u starts reach the pose; %u of these collide, the "
            "first: %s; %u have a mimic joint beyond its limits",
            r->reached, r->starts, r->collided,
            gz_contact_describe(contact, sizeof contact, checker, &r->contact), r->beyond);
    else if (r->reached > 0)
        gz_message("no configuration found: %u of %u starts reach the pose, with a mimic joint "
                   "beyond its limits",
                   r->reached, r->starts);
    else
        gz_message("no configuration found: none of %u starts comes nearer to the pose than %.3g m "
                   "and %.3g rad",
                   r->starts, r->position_error, r->angle_error);
}

void gz_pose_goal_free(gz_pose_goal *goal) {
    gz_free(goal->rows);
    goal->rows = NULL;
}
