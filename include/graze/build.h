/// @file build.h
/// A robot made by calls, without a file: links, joints, geometry, and what an SRDF adds.
///
///     graze_robot_builder *builder;
///     graze_robot_builder_create(&builder, "arm", &error);
///     graze_robot_builder_link(builder, "base", &error);
///     graze_robot_builder_link(builder, "upper", &error);
///     graze_joint_input joint = graze_joint_input_default();
///     joint.name = "shoulder";
///     joint.parent = "base";
///     joint.child = "upper";
///     graze_robot_builder_joint(builder, &joint, &error);
///     ...
///     graze_robot_builder_finish(builder, &robot, &error);
///     graze_robot_builder_free(builder);
///
/// What is checked is what graze_robot_load_urdf() checks, and the robot is the same as that of a
/// file with the same links, joints and geometry, in the order of the calls. Errors name the link
/// or joint in `element`. A call that fails adds nothing, but for one without memory: after that
/// every call of the builder fails. One thread per builder.
#ifndef GRAZE_BUILD_H
#define GRAZE_BUILD_H

#include "robot.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A robot being made.
typedef struct graze_robot_builder graze_robot_builder;

/// Starts a robot.
/// @param out  [out] free with graze_robot_builder_free(); NULL on failure
/// @param name of the robot; copied, as all strings are
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL); GRAZE_ERROR_NO_MEMORY
/// Any thread. Allocates. Cost: O(1). Nullable: error.
GRAZE_API graze_status graze_robot_builder_create(graze_robot_builder **out, const char *name,
                                                  graze_error *error);

/// Frees a builder, finished or not; NULL is allowed. The robot that it made stays. One thread per
/// builder. Allocates nothing. Cost: linear in what was added.
GRAZE_API void graze_robot_builder_free(graze_robot_builder *builder);

/// Adds a link. Links are numbered in the order of calls, from 0.
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, the builder is finished); GRAZE_ERROR_SCHEMA (name
///         in use or empty); GRAZE_ERROR_NO_MEMORY
/// One thread per builder. Allocates. Cost: O(1). Nullable: error.
GRAZE_API graze_status graze_robot_builder_link(graze_robot_builder *builder, const char *name,
                                                graze_error *error);

/// A joint to be added. Obtain from graze_joint_input_default(), then change fields.
typedef struct graze_joint_input {
    uint32_t struct_size; ///< set by the default; do not change
    graze_joint_type type;
    const char *name;
    const char *parent, *child; ///< links; they may be added later
    graze_transform origin;     ///< child's frame in the parent link's frame at value 0, m; rigid
                                ///< up to 1e-9; default: the identity
    graze_vec3 axis;            ///< in the joint's frame, not 0; normalised; default 1 0 0; ignored
                                ///< for fixed and floating joints
    double lower, upper;        ///< rad or m; count for revolute and prismatic joints; default 0
    bool has_effort, has_velocity, has_acceleration, has_deceleration, has_jerk;
    bool passive; ///< as the SRDF's passive_joint
    double effort, velocity, acceleration, deceleration, jerk;
    const char *mimic; ///< the joint to follow, which may be added later; NULL: none. Ignored for
                       ///< fixed joints
    double multiplier, offset; ///< value = multiplier * other + offset; default 1 and 0
} graze_joint_input;

/// Writes the defaults of graze_joint_input into a structure of `size` bytes, the caller's size of
/// it: what graze_joint_input_default() calls, so that programs compiled against a shorter one stay
/// right.
/// Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_joint_input_init(graze_joint_input *options, size_t size);

/// A fixed joint without name and links. Any thread. Allocates nothing. Cost: O(1).
static inline graze_joint_input graze_joint_input_default(void) {
    graze_joint_input options;
    graze_joint_input_init(&options, sizeof options);
    return options;
}

/// Adds a joint. Joints are numbered in the order of calls, from 0; columns of q follow it.
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, not rigid, type unknown, the builder is finished);
///         GRAZE_ERROR_SCHEMA (name in use or empty); GRAZE_ERROR_RANGE (NaN, infinity, beyond
///         2^20, axis 0, lower above upper); GRAZE_ERROR_UNSUPPORTED (mimic on a planar or floating
///         joint); GRAZE_ERROR_NO_MEMORY
/// One thread per builder. Allocates. Cost: O(1). Nullable: error.
GRAZE_API graze_status graze_robot_builder_joint(graze_robot_builder *builder,
                                                 const graze_joint_input *joint,
                                                 graze_error *error);

/// Adds a collision geometry to a link that was added.
/// @param origin   the shape's frame in the link's, rigid up to 1e-9; NULL for the identity
/// @param geometry shape, and of it size; radius; radius and length; of a mesh `mesh`, which is
///                 shared where it can be, or else vertices and triangles, which are copied, both
///                 in the shape's frame. name, file, uri, scale and colour are kept and may be NULL
///                 and 0. Nothing else is read
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, not rigid, the builder is finished);
///         GRAZE_ERROR_NOT_FOUND (no such link so far); GRAZE_ERROR_UNSUPPORTED (points,
///         half-space, plane);
///         GRAZE_ERROR_RANGE (sizes); GRAZE_ERROR_NO_MEMORY. Meshes are judged by
///         graze_robot_builder_finish()
/// One thread per builder. Allocates. Cost: linear in what is copied. Nullable: origin, error.
GRAZE_API graze_status graze_robot_builder_collision(graze_robot_builder *builder, const char *link,
                                                     const graze_transform *origin,
                                                     const graze_geometry *geometry,
                                                     graze_error *error);

/// Adds a visual geometry, for pictures, as graze_robot_builder_collision().
/// @return as there. One thread per builder. Allocates. Cost: as there. Nullable: origin, error.
GRAZE_API graze_status graze_robot_builder_visual(graze_robot_builder *builder, const char *link,
                                                  const graze_transform *origin,
                                                  const graze_geometry *geometry,
                                                  graze_error *error);

// ------------------------------------------------------------------------- what an SRDF says

/// Leaves a pair of links unchecked. Whatever the order of calls, what is left out by default goes
/// first, then what is checked after all, then single pairs.
/// @param reason kept with the pair; NULL for none
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, one link twice, the builder is finished);
///         GRAZE_ERROR_NOT_FOUND (no such link so far); GRAZE_ERROR_NO_MEMORY
/// One thread per builder. Allocates. Cost: O(1). Nullable: reason, error.
GRAZE_API graze_status graze_robot_builder_disable_pair(graze_robot_builder *builder,
                                                        const char *link1, const char *link2,
                                                        const char *reason, graze_error *error);

/// Checks a pair after all, of a link whose pairs are left out by default.
/// @return as graze_robot_builder_disable_pair()
/// One thread per builder. Allocates. Cost: O(1). Nullable: error.
GRAZE_API graze_status graze_robot_builder_enable_pair(graze_robot_builder *builder,
                                                       const char *link1, const char *link2,
                                                       graze_error *error);

/// Leaves all pairs of a link unchecked, by default.
/// @return as graze_robot_builder_disable_pair()
/// One thread per builder. Allocates. Cost: O(1). Nullable: error.
GRAZE_API graze_status graze_robot_builder_disable_default(graze_robot_builder *builder,
                                                           const char *name, graze_error *error);

/// Gives a pair of links a margin, or with both NULL every pair. Of two the greater counts.
/// @param margin metres, finite, at least 0
/// @return as graze_robot_builder_disable_pair(); GRAZE_ERROR_RANGE
/// One thread per builder. Allocates. Cost: O(1). Nullable: link1, link2, error.
GRAZE_API graze_status graze_robot_builder_margin(graze_robot_builder *builder, const char *link1,
                                                  const char *link2, double margin,
                                                  graze_error *error);

/// What a group has.
typedef enum graze_group_member {
    GRAZE_GROUP_JOINT = 0,   ///< a joint
    GRAZE_GROUP_LINK = 1,    ///< a link, with its parent joint
    GRAZE_GROUP_CHAIN = 2,   ///< the links and joints from `name` down to `tip`
    GRAZE_GROUP_SUBGROUP = 3 ///< another group, which may be added later
} graze_group_member;

/// Adds a member to a group of joints and links, which the first call of its name makes.
/// @param name of the joint, link, upper end of the chain, or group; NULL: a group without members
/// @param tip  the lower end of a chain; else not read
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, kind unknown, the builder is finished);
///         GRAZE_ERROR_NOT_FOUND (no such link or joint so far); GRAZE_ERROR_SCHEMA (the group's
///         name is empty); GRAZE_ERROR_NO_MEMORY
/// One thread per builder. Allocates. Cost: O(1). Nullable: name, tip, error.
GRAZE_API graze_status graze_robot_builder_group(graze_robot_builder *builder, const char *name_of,
                                                 graze_group_member kind, const char *name,
                                                 const char *tip, graze_error *error);

/// Adds the values of a joint to a state of a group, which the first call of these names makes.
/// @param values `count` numbers, as many as the joint has columns
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, the builder is finished); GRAZE_ERROR_NOT_FOUND
/// (no
///         such joint so far); GRAZE_ERROR_RANGE (NaN, infinity); GRAZE_ERROR_SCHEMA (a wrong
///         number of values; the name is empty); GRAZE_ERROR_NO_MEMORY
/// One thread per builder. Allocates. Cost: O(states). Nullable: error.
GRAZE_API graze_status graze_robot_builder_state(graze_robot_builder *builder,
                                                 const char *group_name, const char *name,
                                                 const char *joint_name, const double *values,
                                                 size_t count, graze_error *error);

/// Makes the robot: checks the whole (one root, no cycle, one parent a link, mimic joints, meshes)
/// as graze_robot_load_urdf() does. The builder is then finished, whatever the status, and only to
/// be freed.
/// @param out [out] free with graze_robot_free(); NULL on failure
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, finished already); GRAZE_ERROR_SCHEMA,
///         GRAZE_ERROR_RANGE, GRAZE_ERROR_MESH, GRAZE_ERROR_LIMIT, GRAZE_ERROR_NO_MEMORY as there
/// One thread per builder. Allocates. Cost: linear in links, joints and pairs, O(n log n) in
/// triangles. Nullable: error.
GRAZE_API graze_status graze_robot_builder_finish(graze_robot_builder *builder, graze_robot **out,
                                                  graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
