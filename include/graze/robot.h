/// @file robot.h
/// The robot: loaded once from a URDF (and an SRDF), immutable afterwards, shared between threads.
#ifndef GRAZE_ROBOT_H
#define GRAZE_ROBOT_H

#include "geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An immutable robot description with its geometry, bounds, trees and pairs.
typedef struct graze_robot graze_robot;

/// Which of a Collada file's transforms count. In every profile all node transforms below the root
/// are applied.
typedef enum graze_collada {
    GRAZE_COLLADA_ROS = 0,    ///< as RViz: `<unit>` counts, `<up_axis>` does not
    GRAZE_COLLADA_SPEC = 1,   ///< as the standard: `<unit>` counts and `<up_axis>` turns to Z up
    GRAZE_COLLADA_MOVEIT = 2, ///< as MoveIt's geometric_shapes: neither counts
    /// Of robots the one by which links fit their joints: `ros`, unless another halves the mean
    /// distance of joint origins from the boxes of the links that they join, and by more than 1 mm;
    /// the warning "collada-profile" gives the distances. The meshes are then read twice. Elsewhere
    /// as ros.
    GRAZE_COLLADA_AUTO = 3
} graze_collada;

/// When a link's `<visual>` geometry stands in for its `<collision>` geometry.
typedef enum graze_use_visual {
    GRAZE_USE_VISUAL_NEVER = 0,
    GRAZE_USE_VISUAL_MISSING = 1, ///< for links that have no `<collision>`
    GRAZE_USE_VISUAL_ALWAYS = 2   ///< for every link; `<collision>` is not used
} graze_use_visual;

/// What to do with `<visual>` meshes that are not needed for collision.
typedef enum graze_visuals {
    GRAZE_VISUALS_CHECK = 0, ///< only look whether the files exist (a missing one is a warning)
    GRAZE_VISUALS_LOAD = 1,  ///< load them too, for pictures and counts
    GRAZE_VISUALS_SKIP = 2   ///< do not touch them
} graze_visuals;

/// Who reads mesh files.
typedef enum graze_mesh_reader {
    GRAZE_READER_GRAZE = 0, ///< graze, in double: STL, OBJ, PLY, glTF, Collada; assimp the rest
    GRAZE_READER_ASSIMP = 1 ///< assimp reads all, as in RViz and MoveIt: to see what they see
} graze_mesh_reader;

/// Where a package lives: package://name/rest is dir/rest.
typedef struct graze_package {
    const char *name;
    const char *dir;
} graze_package;

/// Bounds on what a file may make the loader do. Exceeding one is GRAZE_ERROR_LIMIT.
typedef struct graze_limits {
    uint64_t file_bytes;   ///< size of one file; default 256 MiB
    uint64_t memory_bytes; ///< what one load may allocate, at its peak; default 4 GiB
    uint32_t depth;        ///< nesting of XML, JSON and YAML, and of mesh nodes; default 64
    uint32_t elements;     ///< links, joints, geometries, objects, each; default 100,000
    uint64_t triangles;    ///< over all meshes of one load, instances counted; default 64,000,000
} graze_limits;

/// Files from elsewhere than the file system: from memory, an archive, a browser.
typedef struct graze_files {
    /// Gives the bytes of a file.
    /// @param path  as the loader forms it: the path given to it, or a folder joined with what a
    ///              file names by "/", relative where that folder is
    /// @param bytes [out] stay valid until the load returns; copied, never changed
    /// @param size  [out] bytes
    /// @return 1 where there is such a file, else 0
    /// Called from the thread that loads, several times for a file.
    int (*get)(void *user, const char *path, const void **bytes, size_t *size);
    void *user; ///< passed on
} graze_files;

/// How to find and read files. Obtain from graze_load_options_default(), then change fields.
typedef struct graze_load_options {
    uint32_t struct_size;          ///< set by the default; do not change
    uint32_t use_environment;      ///< 1: GRAZE_PACKAGE_PATH, ROS_PACKAGE_PATH, AMENT_PREFIX_PATH
    const graze_package *packages; ///< tried first, in order; may be NULL
    size_t package_count;
    const char *package_path;    ///< DIR[:DIR...] tried next; may be NULL
    const char *srdf;            ///< SRDF file to apply, or NULL
    graze_collada collada;       ///< default GRAZE_COLLADA_ROS
    graze_use_visual use_visual; ///< default GRAZE_USE_VISUAL_NEVER
    graze_visuals visuals;       ///< default GRAZE_VISUALS_CHECK
    graze_limits limits;
    graze_mesh_reader reader; ///< default GRAZE_READER_GRAZE
    /// Path of the program graze-import, in which assimp reads the meshes that graze has no reader
    /// for (FBX, 3DS, OFF, X3D, LWO, AC3D, ...), and all with GRAZE_READER_ASSIMP: one process for
    /// each distinct file, confined: no files, no network, memory and processor time limited, on
    /// Linux (x86-64, aarch64). What it answers is checked; what it read has the warning
    /// "read-by-assimp". NULL, the default: such files are GRAZE_ERROR_UNSUPPORTED. A load starts
    /// the child with posix_spawn() and waits for that child alone: the host gets a SIGCHLD, and
    /// may have its own children, threads and signal handlers. Cost: some 7 ms a file, and assimp's
    /// time.
    const char *importer;
    uint32_t importer_seconds;    ///< processor time of all such processes of one load, 1 to 86400,
                                  ///< default 60; by the clock four times as long
    uint32_t importer_unconfined; ///< 1: `importer` runs without the filter of system calls, as
                                  ///< kernels without seccomp and other processors need it; the
                                  ///< limits of memory and time hold. For trusted files; default 0
    /// Where all files come from: URDF, SRDF, worlds, meshes, package.xml. NULL, the default: from
    /// the file system, which is not looked at otherwise, but for the importer's program. The walk
    /// upwards from a relative base folder then ends with its first name. A compiled robot's
    /// sources are looked for in the file system nevertheless.
    const graze_files *files;
    uint32_t list_tried; ///< 1: an error of a package's file that is not found lists every path
                         ///< that was tried, as far as the message reaches; default 0
} graze_load_options;

/// Writes the defaults of graze_load_options into a structure of `size` bytes, the caller's size of
/// it: what graze_load_options_default() calls, so that programs compiled against a shorter one
/// stay right. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_load_options_init(graze_load_options *options, size_t size);

/// The default load options. Any thread. Allocates nothing. Cost: O(1).
static inline graze_load_options graze_load_options_default(void) {
    graze_load_options options;
    graze_load_options_init(&options, sizeof options);
    return options;
}

/// Loads a robot from a URDF 1.0 to 1.2 file, its meshes and, by the options, its SRDF.
/// @param out     [out] the robot, NULL on failure; free with graze_robot_free()
/// @param path    the URDF
/// @param options NULL for the defaults
/// @return any status; the error names file, line, column and element
/// Any thread. Allocates. Cost: linear in file sizes.
/// Nullable: options, error.
GRAZE_API graze_status graze_robot_load_urdf(graze_robot **out, const char *path,
                                             const graze_load_options *options, graze_error *error);

/// Loads a robot from the text of a URDF in memory, e.g. xacro's output read from standard input.
/// @param out [out] the robot, NULL on failure; free with graze_robot_free()
/// @param text the URDF's bytes, not necessarily NUL-terminated
/// @param size of the text, bytes
/// @param name what errors call the file, e.g. "<stdin>"
/// @param base_dir where relative mesh paths and the walk upwards start; NULL for "."
/// @param options NULL for the defaults
/// @return as graze_robot_load_urdf()
/// Any thread. Allocates. Cost: linear in file sizes. Nullable: base_dir, options, error.
GRAZE_API graze_status graze_robot_load_urdf_memory(graze_robot **out, const char *text,
                                                    size_t size, const char *name,
                                                    const char *base_dir,
                                                    const graze_load_options *options,
                                                    graze_error *error);

/// Frees a robot; NULL is allowed. Checkers made from it must be freed before. Any thread.
/// Allocates nothing. Cost: O(1), and freeing its memory.
GRAZE_API void graze_robot_free(graze_robot *robot);

/// The robot's name; "unnamed" where the file gives none. Lives as long as the robot, as every
/// string read from it. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API const char *graze_robot_name(const graze_robot *robot);

/// How many warnings the load gave, each kind and place once. Any thread. Allocates nothing. Cost:
/// O(1).
GRAZE_API size_t graze_robot_warning_count(const graze_robot *robot);

/// Reads a warning of the load; all zero when out of range. Its strings live as long as the robot.
/// Any thread. Allocates nothing. Cost: O(1).
GRAZE_API graze_warning graze_robot_warning(const graze_robot *robot, size_t index);

// ---------------------------------------------------------------------------------------- links

/// How many links there are, numbered in file order from 0. Any thread. Allocates nothing. Cost:
/// O(1).
GRAZE_API size_t graze_robot_link_count(const graze_robot *robot);

/// The name of a link; NULL when the index is out of range. Any thread. Allocates nothing. Cost:
/// O(1).
GRAZE_API const char *graze_robot_link_name(const graze_robot *robot, int32_t link);

/// Gives a link something of the caller's, which the library keeps for the link, in later versions
/// of the robot too, and never reads. (A link's index is what it is known by: it stays in versions
/// with attached bodies, but for bodies behind one that is detached.) Compiled files do not hold
/// it.
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, no such link)
/// One thread, before the robot is shared. Allocates nothing. Cost: O(1). Nullable: user, error.
GRAZE_API graze_status graze_robot_set_link_user(graze_robot *robot, int32_t link, void *user,
                                                 graze_error *error);

/// What the caller has given a link, or NULL. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void *graze_robot_link_user(const graze_robot *robot, int32_t link);

/// The link of that name, or -1. Any thread. Allocates nothing. Cost: O(links).
GRAZE_API int32_t graze_robot_find_link(const graze_robot *robot, const char *name);

/// The root link: the one that no joint moves. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API int32_t graze_robot_root(const graze_robot *robot);

/// The rigid body that a link belongs to (links joined by fixed joints share one), or -1 for a bad
/// index. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API int32_t graze_robot_link_body(const graze_robot *robot, int32_t link);

/// How many rigid bodies there are. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API size_t graze_robot_body_count(const graze_robot *robot);

/// Bounds of a link's collision geometry, in the link frame.
typedef struct graze_link_bounds {
    bool empty;            ///< the link has no collision geometry; the rest is zero
    size_t triangle_count; ///< of its meshes and boxes
    graze_sphere sphere;
    graze_aabb aabb;
    graze_obb obb;
} graze_link_bounds;

/// graze_robot_link_bounds() for a caller whose graze_link_bounds has `size` bytes.
/// @return as there. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API graze_status graze_robot_link_bounds_sized(const graze_robot *robot, int32_t link,
                                                     graze_link_bounds *bounds, size_t size);

/// Reads the bounds of a link's collision geometry, in the link frame, metres.
/// @param bounds [out]
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, no such link)
/// Any thread. Allocates nothing. Cost: O(1).
static inline graze_status graze_robot_link_bounds(const graze_robot *robot, int32_t link,
                                                   graze_link_bounds *bounds) {
    return graze_robot_link_bounds_sized(robot, link, bounds, sizeof *bounds);
}

// --------------------------------------------------------------------------------------- joints

typedef enum graze_joint_type {
    GRAZE_JOINT_FIXED = 0,
    GRAZE_JOINT_REVOLUTE = 1,
    GRAZE_JOINT_CONTINUOUS = 2,
    GRAZE_JOINT_PRISMATIC = 3,
    GRAZE_JOINT_PLANAR = 4, ///< 3 numbers: x, y and the angle about the axis, in the joint's frame;
                            ///< x and y are the coordinate directions after the axis's largest
                            ///< component, made perpendicular to it: for the axis z the frame's x
                            ///< and y, for x its y and z, for y its z and x
    GRAZE_JOINT_FLOATING = 5 ///< 7 numbers: x y z and the quaternion x y z w, normalised on use
} graze_joint_type;

/// A joint as the file gives it. Joints are numbered in file order, from 0.
typedef struct graze_joint_info {
    const char *name;
    graze_joint_type type;
    int32_t parent;         ///< link index
    int32_t child;          ///< link index
    graze_transform origin; ///< child's frame in the parent link's frame at value 0
    graze_vec3 axis;        ///< unit, in the joint frame; (1,0,0) where the file gives none
    int32_t q_index;        ///< first number in q; -1 for fixed and mimic joints
    int32_t q_count;        ///< 1, 3 or 7; 0 for fixed and mimic joints
    bool limited;           ///< lower and upper apply (revolute, prismatic; planar, floating never)
    double lower, upper;    ///< rad or m; -inf and +inf where not limited
    bool has_effort, has_velocity, has_acceleration, has_deceleration, has_jerk;
    double effort, velocity;                 ///< as given, 0 where not
    double acceleration, deceleration, jerk; ///< URDF 1.2
    int32_t mimic;                           ///< the joint followed, or -1
    double multiplier; ///< value = multiplier * other + offset; chains are already resolved in
    double offset;     ///< posing, these are the file's own numbers
    bool passive;      ///< named by the SRDF's passive_joint
} graze_joint_info;

/// How many joints there are, numbered in file order from 0. Any thread. Allocates nothing. Cost:
/// O(1).
GRAZE_API size_t graze_robot_joint_count(const graze_robot *robot);

/// graze_robot_joint() for a caller whose graze_joint_info has `size` bytes.
/// @return as there. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API graze_status graze_robot_joint_sized(const graze_robot *robot, int32_t joint,
                                               graze_joint_info *info, size_t size);

/// Reads a joint as the file gives it.
/// @param info [out] its strings live as long as the robot
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, no such joint)
/// Any thread. Allocates nothing. Cost: O(1).
static inline graze_status graze_robot_joint(const graze_robot *robot, int32_t joint,
                                             graze_joint_info *info) {
    return graze_robot_joint_sized(robot, joint, info, sizeof *info);
}

/// The joint of that name, or -1. Any thread. Allocates nothing. Cost: O(joints).
GRAZE_API int32_t graze_robot_find_joint(const graze_robot *robot, const char *name);

/// How many numbers a configuration q has: those of the moving joints, in file order. Any thread.
/// Allocates nothing. Cost: O(1).
GRAZE_API size_t graze_robot_q_size(const graze_robot *robot);

/// The name of column i of q: the joint's name, for planar and floating joints with "/x", "/y",
/// "/angle" or "/x" "/y" "/z" "/qx" "/qy" "/qz" "/qw" behind it. NULL when out of range. Any
/// thread. Allocates nothing. Cost: O(1).
GRAZE_API const char *graze_robot_q_name(const graze_robot *robot, size_t i);

/// The joint that column i of q belongs to, or -1 when out of range. Any thread. Allocates nothing.
/// Cost: O(1).
GRAZE_API int32_t graze_robot_q_joint(const graze_robot *robot, size_t i);

/// The column of that name (graze_robot_q_name()), or -1. Any thread. Allocates nothing. Cost:
/// O(columns).
GRAZE_API int32_t graze_robot_find_q(const graze_robot *robot, const char *name);

/// Writes the rest configuration: 0 clipped into the limits; quaternions of floating joints 0 0 0
/// 1.
/// @param q [out] graze_robot_q_size() numbers
/// Any thread. Allocates nothing. Cost: O(columns).
GRAZE_API void graze_robot_rest(const graze_robot *robot, double *q);

/// Lists the joints outside their limits at q, mimic joints too, in file order.
/// @param q graze_robot_q_size() numbers
/// @param joints [out] as many as fit, NULL for a capacity of 0
/// @return how many there are
/// Any thread. Allocates nothing. Cost: O(joints).
GRAZE_API size_t graze_robot_limits_violated(const graze_robot *robot, const double *q,
                                             int32_t *joints, size_t capacity);

// ------------------------------------------------------------------------------------- geometry

typedef enum graze_shape {
    GRAZE_SHAPE_BOX = 0,
    GRAZE_SHAPE_SPHERE = 1,
    GRAZE_SHAPE_CYLINDER = 2, ///< solid, axis z, centred
    GRAZE_SHAPE_CAPSULE = 3,  ///< solid, axis z, centred; length is that of the cylindrical part
    GRAZE_SHAPE_MESH = 4,
    GRAZE_SHAPE_POINTS = 5, ///< worlds only: points with a radius
    GRAZE_SHAPE_CONE = 6, ///< solid, axis z, centred: the base at -length / 2, the tip at +length /
                          ///< 2; kept as a pyramid of 256 sides around it (docs/shapes.md)
    GRAZE_SHAPE_HALFSPACE = 7, ///< worlds only: z <= 0 in its frame, solid and without an end
    GRAZE_SHAPE_PLANE = 8      ///< worlds only: z = 0 in its frame, a surface without an end
} graze_shape;

/// One geometry: a `<collision>` or `<visual>` element of a link, or an object of a world.
/// Pointers live as long as the robot or world.
typedef struct graze_geometry {
    const char *name; ///< the element's name attribute, or the object's name; "" if none
    int32_t owner;    ///< link index, or object index in a world
    int32_t element;  ///< 0-based index among the link's elements of its kind, or among the shapes
                      ///< of its object
    graze_shape shape;
    graze_transform
        origin;     ///< robot: the shape's frame in the link frame; world: the object's pose
    int32_t frame;  ///< robot: root link of the rigid body that the owner belongs to; its pose
                    ///< places the vertices; world: -1, origin places them
    double size[3]; ///< box: full edge lengths
    double radius, length; ///< sphere, cylinder, capsule, cone, points
    const char *file;      ///< mesh and points: the resolved path; NULL for others
    const char *uri;       ///< as written in the file
    double scale[3];       ///< mesh scale as given
    size_t vertex_count;   ///< of what has a mesh (box: 8, flat ones fewer): after welding; points:
                           ///< their number
    const double
        *vertices;         ///< x y z each, in that frame, rounded there once: the vertex that a
                           ///< verdict is about is graze_transform_point(pose, vertex), bit for bit
    size_t triangle_count; ///< of what has a mesh (box, half-space, plane: 12; cone: 510)
    const uint32_t *triangles; ///< three indices each, outward where the file's winding is
    double ends[2][3]; ///< sphere, cylinder, capsule: ends of the axis (of a sphere: its centre
                       ///< twice) in that frame, rounded there once; they are snapped like vertices
    size_t file_triangle_count; ///< triangles in the file, before anything was dropped
    size_t degenerate_count;    ///< without area
    size_t component_count, closed_count;
    const graze_mesh *mesh; ///< mesh, box, cone, half-space and plane, in that frame: for
                            ///< graze_mesh_solids(); else NULL
    bool has_color;
    double color[4]; ///< r g b a, 0 to 1 (visual material)
    int32_t line;    ///< of the element in its file
    uint64_t id; ///< of an object: above 0, its own in the world, in all later versions too, and
                 ///< never another object's there; of links: 0
    void *user;  ///< of an object: graze_world_set_user(); NULL
    graze_transform in_object; ///< of an object: the shape's frame in the object's; of links: the
                               ///< identity
} graze_geometry;

/// One of several shapes of an object or of an attached body.
typedef struct graze_placed_shape {
    const graze_geometry *geometry; ///< what is read of it is as in graze_world_change
    graze_transform pose; ///< the shape's frame in that of the object or body, rigid up to 1e-9
} graze_placed_shape;

/// How many collision geometries all links have together. Any thread. Allocates nothing. Cost:
/// O(1).
GRAZE_API size_t graze_robot_collision_count(const graze_robot *robot);

/// graze_robot_collision() for a caller whose graze_geometry has `size` bytes.
/// @return as there. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API graze_status graze_robot_collision_sized(const graze_robot *robot, size_t index,
                                                   graze_geometry *geometry, size_t size);

/// Reads a collision geometry; they are in link order, then element order.
/// @param geometry [out] its pointers live as long as the robot
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, no such geometry)
/// Any thread. Allocates nothing. Cost: O(1).
static inline graze_status graze_robot_collision(const graze_robot *robot, size_t index,
                                                 graze_geometry *geometry) {
    return graze_robot_collision_sized(robot, index, geometry, sizeof *geometry);
}

/// How many visual geometries all links have together. Any thread.
/// Allocates nothing. Cost: O(1).
GRAZE_API size_t graze_robot_visual_count(const graze_robot *robot);

/// graze_robot_visual() for a caller whose graze_geometry has `size` bytes.
/// @return as there. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API graze_status graze_robot_visual_sized(const graze_robot *robot, size_t index,
                                                graze_geometry *geometry, size_t size);

/// Reads a visual geometry; they are in link order, then element order. Meshes have vertices only
/// when loaded with GRAZE_VISUALS_LOAD.
/// @param geometry [out] its pointers live as long as the robot
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, no such geometry)
/// Any thread. Allocates nothing. Cost: O(1).
static inline graze_status graze_robot_visual(const graze_robot *robot, size_t index,
                                              graze_geometry *geometry) {
    return graze_robot_visual_sized(robot, index, geometry, sizeof *geometry);
}

/// How many points of a geometry are snapped: the vertices of a mesh (after welding), the 8 corners
/// of a box, the points of a set, the 2 ends of the axis of a sphere, cylinder or capsule. Any
/// thread. Allocates nothing. Cost: O(1).
GRAZE_API size_t graze_geometry_point_count(const graze_geometry *geometry);

/// The points that a verdict is about: w = fl(R v + t) of each, as graze_transform_point(), world
/// frame, metres. A triangle of the geometry is spanned by its three, a curved solid is that of
/// these ends and the radius.
/// @param pose   of the geometry's frame: the pose of link `frame` from graze_robot_pose(); for an
///               object of a world its `origin`
/// @param points [out] x y z of graze_geometry_point_count() points, in the order of `vertices`
/// Any thread. Allocates nothing. Cost: linear.
GRAZE_API void graze_geometry_snap(const graze_geometry *geometry, const graze_transform *pose,
                                   double *points);

// ------------------------------------------------------------------- pairs, groups and the SRDF

/// Why a pair of links is checked or not.
typedef enum graze_pair_state {
    GRAZE_PAIR_CHECKED = 0,  ///< checked for every configuration
    GRAZE_PAIR_STATIC = 1,   ///< no joint moves it: judged once, when a checker is made
    GRAZE_PAIR_ADJACENT = 2, ///< joined by a joint, looking through links without geometry
    GRAZE_PAIR_DISABLED = 3, ///< by the SRDF
    GRAZE_PAIR_DEFAULT = 4,  ///< a link of the SRDF's disable_default_collisions
    GRAZE_PAIR_TOUCH = 5     ///< an attached body and one of its touch links
} graze_pair_state;

/// Two links that both have collision geometry.
typedef struct graze_pair {
    int32_t a, b; ///< link indices, a < b
    graze_pair_state state;
    const char *reason; ///< the SRDF's reason attribute; "touch link of NAME"; "" if none
} graze_pair;

/// How many pairs of links have collision geometry on both sides. Sorted by (a, b), the checked
/// ones are in the check order that "first pair" refers to. Any thread. Allocates nothing. Cost:
/// O(1).
GRAZE_API size_t graze_robot_pair_count(const graze_robot *robot);

/// graze_robot_pair() for a caller whose graze_pair has `size` bytes.
/// @return as there. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API graze_status graze_robot_pair_sized(const graze_robot *robot, size_t index,
                                              graze_pair *pair, size_t size);

/// Reads a pair of links.
/// @param pair [out] its reason lives as long as the robot
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, no such pair)
/// Any thread. Allocates nothing. Cost: O(1).
static inline graze_status graze_robot_pair(const graze_robot *robot, size_t index,
                                            graze_pair *pair) {
    return graze_robot_pair_sized(robot, index, pair, sizeof *pair);
}

/// A margin that the SRDF's collision_margins (Tesseract's extension) give a pair of links.
typedef struct graze_link_margin {
    int32_t a, b;  ///< link indices, a < b
    double margin; ///< metres, finite, not negative
} graze_link_margin;

/// How many pairs the SRDF's collision_margins give a margin; sorted by (a, b), each pair once.
/// Checkers heed them, see graze_checker_options. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API size_t graze_robot_margin_count(const graze_robot *robot);

/// graze_robot_margin() for a caller whose graze_link_margin has `size` bytes.
/// @return as there. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API graze_status graze_robot_margin_sized(const graze_robot *robot, size_t index,
                                                graze_link_margin *margin, size_t size);

/// Reads a margin of the SRDF.
/// @param margin [out]
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, no such margin)
/// Any thread. Allocates nothing. Cost: O(1).
static inline graze_status graze_robot_margin(const graze_robot *robot, size_t index,
                                              graze_link_margin *margin) {
    return graze_robot_margin_sized(robot, index, margin, sizeof *margin);
}

/// The SRDF's default_margin, metres; NAN where it gives none. Any thread. Allocates nothing. Cost:
/// O(1).
GRAZE_API double graze_robot_default_margin(const graze_robot *robot);

/// A group of the SRDF with its joints (chains, links and subgroups resolved).
typedef struct graze_group {
    const char *name;
    const int32_t *joints; ///< joint indices in file order, fixed and mimic joints included
    size_t joint_count;
    const int32_t *links; ///< link indices in file order
    size_t link_count;
} graze_group;

/// How many groups the SRDF has. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API size_t graze_robot_group_count(const graze_robot *robot);

/// graze_robot_group() for a caller whose graze_group has `size` bytes.
/// @return as there. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API graze_status graze_robot_group_sized(const graze_robot *robot, size_t index,
                                               graze_group *group, size_t size);

/// Reads a group, chains, links and subgroups resolved.
/// @param group [out] its pointers live as long as the robot
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, no such group)
/// Any thread. Allocates nothing. Cost: O(1).
static inline graze_status graze_robot_group(const graze_robot *robot, size_t index,
                                             graze_group *group) {
    return graze_robot_group_sized(robot, index, group, sizeof *group);
}

/// Applies a named state of a group: writes the joints it names into q and leaves the others alone.
/// @param group NULL or "" for the first group that has a state of that name
/// @param q [in,out] graze_robot_q_size() numbers
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL); GRAZE_ERROR_NOT_FOUND when there is none (the
///         message lists the names)
/// Any thread. Allocates nothing. Cost: O(states). Nullable: group, error.
GRAZE_API graze_status graze_robot_apply_state(const graze_robot *robot, const char *group,
                                               const char *state, double *q, graze_error *error);

/// How many named states the SRDF has. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API size_t graze_robot_state_count(const graze_robot *robot);

/// Reads the name and the group of a state; they live as long as the robot.
/// @param name,group [out] either may be NULL
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (robot is NULL, no such state)
/// Any thread. Allocates nothing. Cost: O(1).
GRAZE_API graze_status graze_robot_state(const graze_robot *robot, size_t index, const char **name,
                                         const char **group);

/// An end effector of the SRDF.
typedef struct graze_end_effector {
    const char *name, *group, *parent_group; ///< parent_group "" if none
    int32_t parent_link;
} graze_end_effector;

/// How many end effectors the SRDF has. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API size_t graze_robot_end_effector_count(const graze_robot *robot);

/// graze_robot_end_effector() for a caller whose graze_end_effector has `size` bytes.
/// @return as there. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API graze_status graze_robot_end_effector_sized(const graze_robot *robot, size_t index,
                                                      graze_end_effector *end_effector,
                                                      size_t size);

/// Reads an end effector of the SRDF.
/// @param end_effector [out] its strings live as long as the robot
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, no such end effector)
/// Any thread. Allocates nothing. Cost: O(1).
static inline graze_status graze_robot_end_effector(const graze_robot *robot, size_t index,
                                                    graze_end_effector *end_effector) {
    return graze_robot_end_effector_sized(robot, index, end_effector, sizeof *end_effector);
}

/// The SRDF's virtual joint, if any.
typedef struct graze_virtual_joint {
    const char *name, *type, *parent_frame; ///< type: "fixed", "planar" or "floating"
    int32_t child;                          ///< link index
} graze_virtual_joint;

/// How many virtual joints the SRDF has: 0 or 1. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API size_t graze_robot_virtual_joint_count(const graze_robot *robot);

/// graze_robot_virtual_joint() for a caller whose graze_virtual_joint has `size` bytes.
/// @return as there. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API graze_status graze_robot_virtual_joint_sized(const graze_robot *robot, size_t index,
                                                       graze_virtual_joint *virtual_joint,
                                                       size_t size);

/// Reads the SRDF's virtual joint.
/// @param virtual_joint [out] its strings live as long as the robot
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, no such joint)
/// Any thread. Allocates nothing. Cost: O(1).
static inline graze_status graze_robot_virtual_joint(const graze_robot *robot, size_t index,
                                                     graze_virtual_joint *virtual_joint) {
    return graze_robot_virtual_joint_sized(robot, index, virtual_joint, sizeof *virtual_joint);
}

// ------------------------------------------------------------------------------ attached bodies

/// A body that a link carries: a new link, fixed to that link. Obtain from
/// graze_attachment_default(), then set the fields.
typedef struct graze_attachment {
    uint32_t struct_size; ///< set by the default; do not change
    const char *name; ///< of the new link: no link may have it yet; its joint is "NAME (attached)"
    const char *link; ///< what carries it
    graze_transform pose; ///< the geometry's frame in the link's, rigid up to 1e-9
    /// What is read of it is as in graze_world_change, without points: what graze_world_object()
    /// has filled, but for points, can be given as it is.
    const graze_geometry *geometry;
    const char *const *touch_links; ///< links that it may touch besides `link`; may be NULL
    size_t touch_link_count;
    const graze_placed_shape *shapes; ///< the body's, in place of `geometry`, which is NULL then
    size_t shape_count;               ///< of `shapes`; 0: `geometry` is the only one
} graze_attachment;

/// Writes the defaults of graze_attachment into a structure of `size` bytes, the caller's size of
/// it: what graze_attachment_default() calls, so that programs compiled against a shorter one stay
/// right. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_attachment_init(graze_attachment *attachment, size_t size);

/// A body without name, link or geometry, at the origin of its link. Any thread. Allocates nothing.
/// Cost: O(1).
static inline graze_attachment graze_attachment_default(void) {
    graze_attachment attachment;
    graze_attachment_init(&attachment, sizeof attachment);
    return attachment;
}

/// Makes a new version of a robot with one more link, a body that is fixed to a link. Everything
/// else is as before, indices and q, too; the new link is the last. The body is part of the rigid
/// body of its link like any link of a file: its vertices are rounded once into that frame, and
/// every check, plan and map holds it. What a URDF with the same link and fixed joint at its end
/// gives is the same bit for bit.
///
/// Pairs: it may touch `link` (as joined links may, "adjacent"; but links without geometry are not
/// looked through) and the touch links ("touch link of NAME"). It is checked against all others:
/// against links that are rigidly joined to `link` once, when a checker is made.
/// @param out [out] free with graze_robot_free(); NULL on failure. The old robot need not outlive
/// it
/// @return GRAZE_OK; GRAZE_ERROR_NOT_FOUND (no such link); GRAZE_ERROR_SCHEMA (name in use or
/// empty;
///         a touch link is the body itself); GRAZE_ERROR_ARGUMENT (NULL, a pose that is not rigid);
///         GRAZE_ERROR_UNSUPPORTED (points); GRAZE_ERROR_RANGE (sizes, coordinates);
///         GRAZE_ERROR_LIMIT; GRAZE_ERROR_NO_MEMORY
/// Any thread. Nullable: error. Cost: O(links + pairs), and building the body's own mesh; all other
/// meshes are shared.
/// Allocates.
GRAZE_API graze_status graze_robot_attach(graze_robot **out, const graze_robot *robot,
                                          const graze_attachment *attachment, graze_error *error);

/// Makes a version of a robot without an attached body. Links behind it move up by one.
/// @param out  [out] free with graze_robot_free(); NULL on failure
/// @param name of the body's link
/// @return GRAZE_OK; GRAZE_ERROR_NOT_FOUND (no link of that name); GRAZE_ERROR_ARGUMENT (NULL; the
///         link is no attached body, or it carries another one); GRAZE_ERROR_NO_MEMORY
/// Any thread. Allocates. Cost: O(links + pairs). Nullable: error.
GRAZE_API graze_status graze_robot_detach(graze_robot **out, const graze_robot *robot,
                                          const char *name, graze_error *error);

/// The link that carries an attached body, or -1 where the link is none. Any thread. Allocates
/// nothing. Cost: O(1).
GRAZE_API int32_t graze_robot_attached_to(const graze_robot *robot, int32_t link);

// --------------------------------------------------------------------------------------- posing

/// Forward kinematics: the pose of every link.
/// @param q     graze_robot_q_size() numbers: rad, m, in the order of graze_robot_q_name(); not
///              clamped to limits
/// @param base  x y z roll pitch yaw of the root link in the world, m and rad (of a pose:
///              graze_transform_to_xyz_rpy()); NULL for the identity
/// @param links [out] graze_robot_link_count() poses, link frame to world
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, wrong length); GRAZE_ERROR_RANGE (NaN, infinity,
///         |angle| above 2^20, a zero quaternion), naming the joint in error->element
/// Double throughout, in a fixed order, without fused multiply-add, with graze's own sine and
/// cosine: the same bits on every machine. Any thread. Allocates nothing. Cost: O(links).
/// Nullable: base, error.
GRAZE_API graze_status graze_robot_pose(const graze_robot *robot, const double *q, size_t q_count,
                                        const double *base, graze_transform *links,
                                        graze_error *error);

/// Half the edge of the cube around the world's origin in which a pose_error holds by default, m.
#define GRAZE_DOMAIN 100.0

/// pose_error of a link: an upper bound, proved when the robot is loaded, on how far any point of
/// its collision geometry, as snapped, is from its place in real arithmetic, metres. For curved
/// solids: on how far any point of either solid is from the other. Infinite where there is no
/// bound (an origin that is no rotation; an argument out of range).
///
/// The real place is what the numbers of the loaded robot say, without rounding: origins of joints
/// as they stand (graze_joint_info.origin, an affine map), turns about the direction of the axis
/// by the exact sine and cosine, mimic values in real arithmetic, quaternions normalised, the base
/// pose Rz(yaw) Ry(pitch) Rx(roll) and its translation; vertices in the body's frame as stored.
///
/// It holds inside the domain: |q| at most 2^20, every body's frame and every collision geometry
/// within `domain` metres of the world's origin in each coordinate, and the values of prismatic and
/// of mimic joints that have limits no farther than 1 (m or rad) beyond the magnitude of these.
/// @param domain metres, above 0, at most 2^20; GRAZE_DOMAIN unless more is needed
/// Any thread. Allocates nothing. Cost: linear in the link's elements. Source: running error
/// analysis, Higham, Accuracy and Stability of Numerical Algorithms (2002), section 3.3; the
/// derivation is in docs/epsilon.md.
GRAZE_API double graze_robot_link_pose_error(const graze_robot *robot, int32_t link, double domain);

/// The greatest graze_robot_link_pose_error() of all links, metres; 0 for a robot without collision
/// geometry.
/// @param domain as there
/// Any thread. Allocates nothing. Cost: linear in the elements.
GRAZE_API double graze_robot_pose_error(const graze_robot *robot, double domain);

#ifdef __cplusplus
}
#endif

#endif
