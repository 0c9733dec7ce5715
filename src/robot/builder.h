/// What the robot is made of, while it is being made: the loader fills a builder, and finishing it
/// gives the immutable robot. Every entry carries its place in the file, so that mistakes that only
/// show in the whole (a cycle, two roots) can be named with a line.
#ifndef GZ_ROBOT_BUILDER_H
#define GZ_ROBOT_BUILDER_H

#include "base/error.h"
#include "graze/robot.h"
#include "mesh/mesh.h"

/// Where an element stands: line and column of its start tag, 1-based.
typedef struct gz_line {
    int32_t line, column;
} gz_line;

typedef struct gz_builder gz_builder;

/// One geometry of a link as read. Strings are copied by the builder; the soup is moved into it.
typedef struct gz_geometry_input {
    bool visual; ///< `<visual>` rather than `<collision>`
    int32_t link;
    const char *name;       ///< may be NULL
    graze_shape shape;      ///< gz_shape_fits_link()
    graze_transform origin; ///< in the link frame
    double size[3];         ///< box
    double radius, length;  ///< sphere, cylinder, capsule, cone
    const char *file;       ///< mesh: resolved path; may be NULL for a visual that was not found
    const char *uri;        ///< mesh: as written
    double scale[3];        ///< mesh: as written, already applied to the soup
    gz_soup *soup;          ///< mesh: in the shape's frame, scaled; NULL for a visual not loaded
    const graze_mesh *mesh; ///< mesh: instead of a soup; the builder holds it until it is finished
    bool has_color;
    double color[4];
    gz_line at;
} gz_geometry_input;

/// One joint as read. Strings are copied.
typedef struct gz_joint_input {
    const char *name;
    graze_joint_type type;
    const char *parent, *child; ///< link names
    graze_transform origin;
    graze_vec3 axis; ///< unit
    bool has_limit;  ///< a `<limit>` element is there
    double lower, upper;
    bool has_effort, has_velocity, has_acceleration, has_deceleration, has_jerk;
    double effort, velocity, acceleration, deceleration, jerk;
    const char *mimic; ///< joint name or NULL
    double multiplier, offset;
    gz_line at, parent_at, child_at, limit_at, mimic_at;
} gz_joint_input;

/// @param file what errors call the URDF
gz_builder *gz_builder_create(const char *name, const char *file);
void gz_builder_free(gz_builder *builder);

/// The warnings of the load; they move to the robot.
gz_warnings *gz_builder_warnings(gz_builder *builder);
/// What is there so far: its name, links and joints may be asked for.
const graze_robot *gz_builder_robot(const gz_builder *builder);

/// Adds a link; GRAZE_ERROR_SCHEMA for a name in use. *link is its index.
graze_status gz_builder_add_link(gz_builder *builder, const char *name, gz_line at, int32_t *link,
                                 graze_error *error);
/// Adds a joint; GRAZE_ERROR_SCHEMA for a name in use.
graze_status gz_builder_add_joint(gz_builder *builder, const gz_joint_input *joint,
                                  graze_error *error);
/// Adds a geometry; takes input->soup in any case (frees it on failure). Checks sizes, as
/// gz_shape_check().
graze_status gz_builder_add_geometry(gz_builder *builder, const gz_geometry_input *input,
                                     graze_error *error);

/// Link index by name, or -1.
int32_t gz_builder_find_link(const gz_builder *builder, const char *name);
/// Joint index by name, or -1.
int32_t gz_builder_find_joint(const gz_builder *builder, const char *name);

/// SRDF facts; indices must be valid, strings are copied. They may be added before or after joints.
/// Rules of collision pairs apply in this order, whatever the order of calls: defaults, then
/// enables, then disables. Each returns GRAZE_OK or GRAZE_ERROR_NO_MEMORY.
graze_status gz_builder_disable_pair(gz_builder *builder, int32_t a, int32_t b, const char *reason);
graze_status gz_builder_enable_pair(gz_builder *builder, int32_t a, int32_t b);
graze_status gz_builder_disable_default(gz_builder *builder, int32_t link);
/// A margin, finite and not negative, for one pair of links, a != b; or for every pair: both -1. Of
/// two for one pair the greater counts, and a warning says so.
graze_status gz_builder_pair_margin(gz_builder *builder, int32_t a, int32_t b, double margin,
                                    gz_place place);
graze_status gz_builder_passive_joint(gz_builder *builder, int32_t joint);
graze_status gz_builder_virtual_joint(gz_builder *builder, const char *name, const char *type,
                                      const char *parent_frame, int32_t child, gz_place place);
graze_status gz_builder_end_effector(gz_builder *builder, const char *name, const char *group,
                                     const char *parent_group, int32_t parent_link);
/// A group: *group is its index; then its members, in any order.
graze_status gz_builder_add_group(gz_builder *builder, const char *name, int32_t *group);
int32_t gz_builder_find_group(const gz_builder *builder, const char *name);
graze_status gz_builder_group_joint(gz_builder *builder, int32_t group, int32_t joint);
graze_status gz_builder_group_link(gz_builder *builder, int32_t group, int32_t link);
graze_status gz_builder_group_chain(gz_builder *builder, int32_t group, int32_t base, int32_t tip,
                                    gz_place place);
graze_status gz_builder_group_subgroup(gz_builder *builder, int32_t group, const char *subgroup,
                                       gz_place place);
/// A state: *state is its index; then the values of its joints (1, 3 or 7 numbers each).
graze_status gz_builder_add_state(gz_builder *builder, const char *name, const char *group,
                                  int32_t *state);
graze_status gz_builder_state_joint(gz_builder *builder, int32_t state, int32_t joint,
                                    const double *values, size_t count, gz_place place);

/// Checks the whole (one root, no cycle, one parent a link, mimic targets, limits), folds fixed
/// joints, rounds each vertex into its body's frame, builds bounds, trees and pairs.
/// Frees the builder in any case.
graze_status gz_builder_finish(gz_builder *builder, graze_robot **out, graze_error *error);

#endif
