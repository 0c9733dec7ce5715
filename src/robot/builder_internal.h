/// The inside of gz_builder, shared by the files that fill it and the one that finishes it.
#ifndef GZ_ROBOT_BUILDER_INTERNAL_H
#define GZ_ROBOT_BUILDER_INTERNAL_H

#include "robot/builder.h"
#include "robot/name_table.h"
#include "robot/robot.h"

/// A geometry waiting for its link's body to be known.
typedef struct pending_geometry {
    gz_geometry geometry;
    gz_soup *soup;
    graze_mesh *mesh; ///< instead of a soup
    bool visual;
} pending_geometry;

typedef struct pending_member {
    /// A virtual joint is no member of a group (group -1): its child, a, waits for the root.
    enum { MEMBER_JOINT, MEMBER_LINK, MEMBER_CHAIN, MEMBER_SUBGROUP, MEMBER_VIRTUAL } kind;
    int32_t group, a, b;
    const char *name;
    gz_place place; ///< for what is said of a subgroup, a chain or a virtual joint
} pending_member;

typedef struct pending_value {
    int32_t state, joint;
    double value[7];
    size_t count;
    gz_place place;
} pending_value;

/// A margin of the SRDF, for two links; a = b = -1: for all pairs.
typedef struct pending_margin {
    int32_t a, b;
    double margin;
    size_t order; ///< of reading
    gz_place place;
} pending_margin;

struct gz_builder {
    graze_robot *robot;
    gz_name_table link_names, joint_names, group_names;
    pending_geometry *geometries;
    gz_pair_rule *rules;
    pending_member *members;
    pending_value *values;
    pending_margin *margins;
    char **strings; ///< those of the rules and of all that is pending
    size_t string_count, string_capacity, margin_count, margin_capacity;
    size_t geometry_count, geometry_capacity, rule_count, rule_capacity;
    size_t member_count, member_capacity, value_count, value_capacity;
    size_t link_capacity, joint_capacity, group_capacity, state_capacity;
    size_t end_effector_capacity, virtual_joint_capacity;
};

/// builder_srdf.c: warns of virtual joints that do not join the robot's root to the world.
void gz_builder_check_virtual_joints(gz_builder *builder);

/// builder_srdf.c: gives the robot its margins, each pair once; warns of two of one pair.
graze_status gz_builder_resolve_margins(gz_builder *builder, graze_error *error);

/// builder_srdf.c: turns the members that were added into groups' joints and links, and the states'
/// joint values into columns; the robot's tree must be connected.
graze_status gz_builder_resolve_groups(gz_builder *builder, graze_error *error);
graze_status gz_builder_resolve_states(gz_builder *builder, graze_error *error);

#endif
