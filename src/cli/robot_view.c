#include "cli/robot_view.h"

#include <string.h>

graze_joint_info gz_joint_at(const graze_robot *robot, int32_t index) {
    graze_joint_info joint = {0};
    graze_robot_joint(robot, index, &joint);
    return joint;
}

graze_geometry gz_collision_at(const graze_robot *robot, size_t index) {
    graze_geometry geometry = {0};
    graze_robot_collision(robot, index, &geometry);
    return geometry;
}

graze_geometry gz_visual_at(const graze_robot *robot, size_t index) {
    graze_geometry geometry = {0};
    graze_robot_visual(robot, index, &geometry);
    return geometry;
}

graze_pair gz_pair_at(const graze_robot *robot, size_t index) {
    graze_pair pair = {0};
    graze_robot_pair(robot, index, &pair);
    return pair;
}

graze_joint_info gz_joint_of_column(const graze_robot *robot, size_t column) {
    return gz_joint_at(robot, graze_robot_q_joint(robot, column));
}

const char *gz_column_unit(const graze_robot *robot, size_t column) {
    graze_joint_info joint = gz_joint_of_column(robot, column);
    int32_t number = (int32_t)column - joint.q_index;
    switch (joint.type) {
    case GRAZE_JOINT_PRISMATIC:
        return "m";
    case GRAZE_JOINT_PLANAR:
        return number < 2 ? "m" : "rad";
    case GRAZE_JOINT_FLOATING:
        return number < 3 ? "m" : "";
    default:
        return "rad";
    }
}

const char *gz_joint_type_name(graze_joint_type type) {
    static const char *const names[] = {"fixed",     "revolute", "continuous",
                                        "prismatic", "planar",   "floating"};
    return names[type];
}

const char *gz_pair_state_name(graze_pair_state state) {
    static const char *const names[] = {"checked",  "static",  "adjacent",
                                        "disabled", "default", "touch"};
    return names[state];
}

const char *gz_shape_name(graze_shape shape) {
    static const char *const names[] = {"box",    "sphere", "cylinder",  "capsule", "mesh",
                                        "points", "cone",   "halfspace", "plane"};
    return names[shape];
}

const char *gz_policy_name(graze_policy policy) {
    static const char *const names[] = {"solid", "surface", "cap"};
    return names[policy];
}

int gz_widest(const graze_robot *robot, size_t count, const char *title,
              const char *(*name)(const graze_robot *robot, size_t i)) {
    size_t width = strlen(title);
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(name(robot, i));
        if (length > width) width = length;
    }
    return (int)width;
}

static const char *link_name(const graze_robot *robot, size_t i) {
    return graze_robot_link_name(robot, (int32_t)i);
}

int gz_widest_link(const graze_robot *robot, const char *title) {
    return gz_widest(robot, graze_robot_link_count(robot), title, link_name);
}
