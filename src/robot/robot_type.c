#include "robot/robot.h"

#include "mesh/shape.h"

typedef struct text_slot {
    char *text;
} text_slot;

static const gz_field text_fields[] = {GZ_TEXT(text_slot, text)};
static GZ_TYPE_TABLE(type_text, text_slot, text_fields);

static const gz_field geometry_fields[] = {
    GZ_TEXT(gz_geometry, name),          GZ_VALUE(gz_geometry, link),
    GZ_VALUE(gz_geometry, element),      GZ_CHOICE(gz_geometry, kind, GRAZE_SHAPE_PLANE),
    GZ_NUMBERS(gz_geometry, origin),     GZ_NUMBERS(gz_geometry, size),
    GZ_NUMBERS(gz_geometry, radius),     GZ_NUMBERS(gz_geometry, length),
    GZ_NUMBERS(gz_geometry, scale),      GZ_MAYBE_TEXT(gz_geometry, file),
    GZ_MAYBE_TEXT(gz_geometry, uri),     GZ_SIZE(gz_geometry, file_triangle_count),
    GZ_BOOLEAN(gz_geometry, has_color),  GZ_NUMBERS(gz_geometry, color),
    GZ_VALUE(gz_geometry, at),           GZ_BOOLEAN(gz_geometry, has_shape),
    GZ_SHAPE_FIELDS(gz_geometry, shape),
};
GZ_TYPE_TABLE(gz_type_geometry, gz_geometry, geometry_fields);

static const gz_field link_fields[] = {
    GZ_TEXT(gz_link, name),
    GZ_VALUE(gz_link, at),
    GZ_VALUE(gz_link, parent_joint),
    GZ_VALUE(gz_link, body),
    GZ_NUMBERS(gz_link, in_body),
    GZ_SIZE(gz_link, first_collision),
    GZ_SIZE(gz_link, collision_count),
    GZ_SIZE(gz_link, triangle_count),
    GZ_NUMBERS(gz_link, sphere),
    GZ_BOX(gz_link, aabb),
    GZ_NUMBERS(gz_link, obb),
    GZ_VALUE(gz_link, skew),
    GZ_VALUE(gz_link, pad),
    GZ_VALUE(gz_link, tilt),
    GZ_VALUE(gz_link, rim),
    GZ_BOOLEAN(gz_link, local.empty),
    GZ_SIZE(gz_link, local.triangle_count),
    GZ_NUMBERS(gz_link, local.sphere),
    GZ_BOX(gz_link, local.aabb),
    GZ_NUMBERS(gz_link, local.obb),
    GZ_BOOLEAN(gz_link, is_default_disabled),
    GZ_BOOLEAN(gz_link, is_attached),
};
GZ_TYPE_TABLE(gz_type_link, gz_link, link_fields);

static const gz_field joint_fields[] = {
    GZ_TEXT(gz_joint, info.name),
    GZ_CHOICE(gz_joint, info.type, GRAZE_JOINT_FLOATING),
    GZ_VALUE(gz_joint, info.parent),
    GZ_VALUE(gz_joint, info.child),
    GZ_NUMBERS(gz_joint, info.origin),
    GZ_NUMBERS(gz_joint, info.axis),
    GZ_VALUE(gz_joint, info.q_index),
    GZ_VALUE(gz_joint, info.q_count),
    GZ_BOOLEAN(gz_joint, info.limited),
    GZ_VALUE(gz_joint, info.lower),
    GZ_VALUE(gz_joint, info.upper),
    GZ_BOOLEAN(gz_joint, info.has_effort),
    GZ_BOOLEAN(gz_joint, info.has_velocity),
    GZ_BOOLEAN(gz_joint, info.has_acceleration),
    GZ_BOOLEAN(gz_joint, info.has_deceleration),
    GZ_BOOLEAN(gz_joint, info.has_jerk),
    GZ_VALUE(gz_joint, info.effort),
    GZ_VALUE(gz_joint, info.velocity),
    GZ_VALUE(gz_joint, info.acceleration),
    GZ_VALUE(gz_joint, info.deceleration),
    GZ_VALUE(gz_joint, info.jerk),
    GZ_VALUE(gz_joint, info.mimic),
    GZ_VALUE(gz_joint, info.multiplier),
    GZ_VALUE(gz_joint, info.offset),
    GZ_BOOLEAN(gz_joint, info.passive),
    GZ_VALUE(gz_joint, at),
    GZ_VALUE(gz_joint, parent_at),
    GZ_VALUE(gz_joint, child_at),
    GZ_VALUE(gz_joint, limit_at),
    GZ_VALUE(gz_joint, mimic_at),
    GZ_TEXT(gz_joint, parent_name),
    GZ_TEXT(gz_joint, child_name),
    GZ_MAYBE_TEXT(gz_joint, mimic_name),
    GZ_VALUE(gz_joint, column),
    GZ_VALUE(gz_joint, multiplier),
    GZ_VALUE(gz_joint, offset),
};
GZ_TYPE_TABLE(gz_type_joint, gz_joint, joint_fields);

static const gz_field body_fields[] = {
    GZ_VALUE(gz_body, root_link), GZ_VALUE(gz_body, parent),
    GZ_VALUE(gz_body, joint),     GZ_CHOICE(gz_body, type, GRAZE_JOINT_FLOATING),
    GZ_VALUE(gz_body, column),    GZ_VALUE(gz_body, multiplier),
    GZ_VALUE(gz_body, offset),    GZ_NUMBERS(gz_body, origin),
    GZ_NUMBERS(gz_body, axis),    GZ_NUMBERS(gz_body, axis_projection),
    GZ_NUMBERS(gz_body, cosine),  GZ_NUMBERS(gz_body, sine),
    GZ_BOOLEAN(gz_body, moves),   GZ_VALUE(gz_body, error),
    GZ_VALUE(gz_body, value_max),
};
static GZ_TYPE_TABLE(type_body, gz_body, body_fields);

static const gz_field pair_fields[] = {
    GZ_VALUE(gz_pair, a),
    GZ_VALUE(gz_pair, b),
    GZ_CHOICE(gz_pair, state, GRAZE_PAIR_TOUCH),
    GZ_MAYBE_TEXT(gz_pair, reason),
};
GZ_TYPE_TABLE(gz_type_pair, gz_pair, pair_fields);

static const gz_field group_fields[] = {
    GZ_TEXT(gz_group, name),
    GZ_ARRAY(gz_group, joints, joint_count, 1),
    GZ_ARRAY(gz_group, links, link_count, 1),
    GZ_SIZE(gz_group, joint_count),
    GZ_SIZE(gz_group, link_count),
};
GZ_TYPE_TABLE(gz_type_group, gz_group, group_fields);

static const gz_field value_fields[] = {
    GZ_VALUE(gz_state_value, column),
    GZ_NUMBERS(gz_state_value, value),
};
static GZ_TYPE_TABLE(type_value, gz_state_value, value_fields);

static const gz_field state_fields[] = {
    GZ_TEXT(gz_state, name),
    GZ_TEXT(gz_state, group),
    GZ_STRUCTS(gz_state, values, value_count, type_value),
    GZ_SIZE(gz_state, value_count),
};
GZ_TYPE_TABLE(gz_type_state, gz_state, state_fields);

static const gz_field end_effector_fields[] = {
    GZ_TEXT(graze_end_effector, name),
    GZ_TEXT(graze_end_effector, group),
    GZ_TEXT(graze_end_effector, parent_group),
    GZ_VALUE(graze_end_effector, parent_link),
};
GZ_TYPE_TABLE(gz_type_end_effector, graze_end_effector, end_effector_fields);

static const gz_field virtual_joint_fields[] = {
    GZ_TEXT(graze_virtual_joint, name),
    GZ_TEXT(graze_virtual_joint, type),
    GZ_TEXT(graze_virtual_joint, parent_frame),
    GZ_VALUE(graze_virtual_joint, child),
};
GZ_TYPE_TABLE(gz_type_virtual_joint, graze_virtual_joint, virtual_joint_fields);

static const gz_field table_fields[] = {
    GZ_VALUE(gz_pair_table, a),
    GZ_VALUE(gz_pair_table, b),
    GZ_VALUE(gz_pair_table, columns),
    GZ_VALUE(gz_pair_table, counts),
    GZ_BOOLEAN(gz_pair_table, rounds[0]),
    GZ_BOOLEAN(gz_pair_table, rounds[1]),
    GZ_NUMBERS(gz_pair_table, low),
    GZ_NUMBERS(gz_pair_table, high),
    GZ_ARRAY(gz_pair_table, cells, cell_count, 1),
    GZ_SIZE(gz_pair_table, cell_count),
};
GZ_TYPE_TABLE(gz_type_pair_table, gz_pair_table, table_fields);

typedef struct graze_robot robot;

static const gz_field robot_fields[] = {
    GZ_TEXT(robot, name),
    GZ_TEXT(robot, file),
    GZ_STRUCTS(robot, links, link_count, gz_type_link),
    GZ_STRUCTS(robot, joints, joint_count, gz_type_joint),
    GZ_STRUCTS(robot, bodies, body_count, type_body),
    GZ_VALUE(robot, link_count),
    GZ_VALUE(robot, joint_count),
    GZ_VALUE(robot, body_count),
    GZ_VALUE(robot, root),
    GZ_STRUCTS(robot, column_names, column_count, type_text),
    GZ_ARRAY(robot, column_joints, column_count, 1),
    GZ_ARRAY(robot, column_kinds, column_count, 1),
    GZ_SIZE(robot, column_count),
    GZ_STRUCTS(robot, collisions, collision_count, gz_type_geometry),
    GZ_STRUCTS(robot, visuals, visual_count, gz_type_geometry),
    GZ_SIZE(robot, collision_count),
    GZ_SIZE(robot, visual_count),
    GZ_STRUCTS(robot, pairs, pair_count, gz_type_pair),
    GZ_SIZE(robot, pair_count),
    GZ_VALUE(robot, default_margin),
    GZ_ARRAY(robot, margins, margin_count, 1),
    GZ_SIZE(robot, margin_count),
    GZ_STRUCTS(robot, groups, group_count, gz_type_group),
    GZ_STRUCTS(robot, states, state_count, gz_type_state),
    GZ_STRUCTS(robot, end_effectors, end_effector_count, gz_type_end_effector),
    GZ_STRUCTS(robot, virtual_joints, virtual_joint_count, gz_type_virtual_joint),
    GZ_SIZE(robot, group_count),
    GZ_SIZE(robot, state_count),
    GZ_SIZE(robot, end_effector_count),
    GZ_SIZE(robot, virtual_joint_count),
    GZ_STRUCTS(robot, tables, table_count, gz_type_pair_table),
    GZ_SIZE(robot, table_count),
    GZ_STRUCTS(robot, warnings.items, warnings.count, gz_type_warning),
    GZ_SIZE(robot, warnings.count),
};
GZ_TYPE_TABLE(gz_type_robot, graze_robot, robot_fields);
