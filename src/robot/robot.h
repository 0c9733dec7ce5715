/// The inside of graze_robot: links, joints, rigid bodies, geometry and pairs; immutable once
/// built.
#ifndef GZ_ROBOT_ROBOT_H
#define GZ_ROBOT_ROBOT_H

#include "base/error.h"
#include "base/field_table.h"
#include "graze/space.h"
#include "mesh/shape.h"
#include "robot/builder.h"
#include "robot/pair_table.h"

/// One `<collision>` or `<visual>` element.
typedef struct gz_geometry {
    char *name; ///< "" if none
    int32_t link, element;
    graze_shape kind;
    graze_transform origin; ///< in the link frame
    double size[3], radius, length, scale[3];
    char *file, *uri; ///< NULL for primitives
    size_t file_triangle_count;
    bool has_color;
    double color[4];
    gz_line at;
    bool has_shape; ///< false for visual meshes that were not loaded
    gz_shape shape; ///< in the frame of the link's rigid body
} gz_geometry;

typedef struct gz_link {
    char *name;
    gz_line at;
    int32_t parent_joint; ///< -1 for the root
    int32_t body;
    graze_transform in_body;                 ///< link frame to body frame
    size_t first_collision, collision_count; ///< into robot->collisions
    size_t triangle_count;
    graze_sphere sphere; ///< bounds of the collision geometry in the body frame
    graze_aabb aabb;
    graze_obb obb;
    double skew; ///< bound of |R^T R - I| (2-norm) of its posed rotation, whatever q and base
    double pad;  ///< how far the posed bounds may be off: skew and rounding times their reach
    double tilt; ///< of its cylinders, the most that a rim turns for each metre that an axis's ends
                 ///< are off: 4 radii / length; see gz_link_pad()
    double rim;  ///< the greatest radius of these: no rim moves farther
    graze_link_bounds local; ///< the same in the link frame
    bool is_default_disabled;
    bool is_attached; ///< by graze_robot_attach(): such links stand behind all others
    void *user;       ///< the caller's; in no file
} gz_link;

typedef struct gz_joint {
    graze_joint_info info; ///< strings owned
    gz_line at, parent_at, child_at, limit_at, mimic_at;
    char *parent_name, *child_name, *mimic_name;
    /// Where the value comes from, mimic chains resolved: value = multiplier * q[column] + offset;
    /// column -1: the value is the offset.
    int32_t column;
    double multiplier, offset;
} gz_joint;

/// How far a body's computed pose may be from the real one, for any q and base of the domain
/// (robot_error.c): the rotation in the Frobenius norm; the translation, metres, by fixed +
/// per_metre D + roundings sqrt 3 h, where D is the domain's half edge and h the rounding of a
/// coordinate in it. `stretch` bounds the lengthening by the real pose, whose origins as stored are
/// not quite rigid.
typedef struct gz_pose_error {
    double rotation, stretch;
    double fixed, per_metre;
    double roundings;
} gz_pose_error;

/// Links joined by fixed joints, moved as one. Bodies are sorted: parents come first.
typedef struct gz_body {
    int32_t root_link;
    int32_t parent; ///< body, or -1 for the first
    int32_t joint;  ///< the joint that moves it, or -1 for the first
    graze_joint_type type;
    int32_t column; ///< as gz_joint, or the first of 3 or 7 numbers
    double multiplier, offset;
    double origin[12]; ///< joint frame in the parent body's frame
    double axis[3];
    /// Rotation about the axis, folded with the origin's rotation: R(v) = axis_projection + cos v *
    /// cosine + sin v * sine, entry by entry (Rodrigues), row-major 3x3.
    double axis_projection[9], cosine[9], sine[9];
    bool moves; ///< some column of q moves it
    gz_pose_error error;
    double value_max; ///< magnitude of the joint's value up to which `error` holds, or INFINITY
} gz_body;

typedef struct gz_group {
    char *name;
    int32_t *joints, *links;
    size_t joint_count, link_count;
} gz_group;

typedef struct gz_state_value {
    int32_t column;
    double value;
} gz_state_value;

typedef struct gz_state {
    char *name, *group;
    gz_state_value *values;
    size_t value_count;
} gz_state;

typedef struct gz_pair {
    int32_t a, b;
    graze_pair_state state;
    char *reason; ///< NULL if none: most pairs have none, and there may be millions
} gz_pair;

struct graze_robot {
    char *name, *file;
    gz_link *links;
    gz_joint *joints;
    gz_body *bodies;
    int32_t link_count, joint_count, body_count, root;
    char **column_names;
    int32_t *column_joints;
    graze_q_kind *column_kinds;
    size_t column_count;
    gz_geometry *collisions, *visuals; ///< sorted by link, then element
    size_t collision_count, visual_count;
    gz_pair *pairs;
    size_t pair_count;
    double default_margin;      ///< of the SRDF; NAN where it gives none
    graze_link_margin *margins; ///< sorted by (a, b), each pair once
    size_t margin_count;
    gz_group *groups;
    gz_state *states;
    graze_end_effector *end_effectors;
    graze_virtual_joint *virtual_joints;
    size_t group_count, state_count, end_effector_count, virtual_joint_count;
    gz_pair_table *tables; ///< sorted by (a, b); of none that was attached
    size_t table_count;
    gz_warnings warnings;
    gz_keeper *keeper; ///< of a compiled robot: what all parts and this structure lie in; else NULL
};

/// robot.c: a robot with everything of its own but meshes, which are shared. NULL when out of
/// memory.
graze_robot *gz_robot_copy(const graze_robot *robot);

/// Place of a line of the robot's file, for errors.
gz_place gz_robot_place(const graze_robot *robot, gz_line at, const char *element);

// Steps of gz_builder_finish(), one file each. All take a robot whose links, joints and geometries
// are filled, and leave it valid for graze_robot_free() on failure.

/// robot_tree.c: parents, root, cycles, mimic chains, columns of q.
graze_status gz_robot_connect(graze_robot *robot, graze_error *error);
/// robot_tree.c: the links that the root reaches, breadth first: parents come before their
/// children, these in the order of joints. *count is how many. NULL when out of memory; free with
/// gz_free().
int32_t *gz_robot_order(const graze_robot *robot, size_t *count);
/// robot_body.c: folds fixed joints into bodies and fills links' bodies.
graze_status gz_robot_fold(graze_robot *robot, graze_error *error);
/// robot_error.c: |R^T R - I| in the Frobenius norm, of a pose's R.
double gz_robot_skew(const double m[12]);
/// robot_error.c: the last step of folding: fills the bodies' errors, for the links in their order.
/// False when out of memory.
bool gz_robot_analyse(graze_robot *robot, const int32_t *order);
/// robot_body.c: counts and bounds each link's collision geometry; false when out of memory.
bool gz_robot_bound(graze_robot *robot);
/// The same for one link behind all others, of which only so many geometries are new, the last
/// ones.
bool gz_robot_bound_last(graze_robot *robot, size_t shapes);
/// robot_pair.c: so many pairs may a robot have.
#define GZ_PAIRS_MAX ((size_t)1 << 25)
/// robot_pair.c: adjacency and the SRDF's rules to pairs.
typedef struct gz_pair_rule {
    int32_t a, b;
    bool enable;
    const char *reason;
} gz_pair_rule;
graze_status gz_robot_pair_up(graze_robot *robot, const gz_pair_rule *rules, size_t rule_count,
                              graze_error *error);

/// The field tables of robots.
extern const gz_type gz_type_robot, gz_type_link, gz_type_joint, gz_type_geometry, gz_type_pair,
    gz_type_group, gz_type_state, gz_type_end_effector, gz_type_virtual_joint, gz_type_pair_table;

#endif
