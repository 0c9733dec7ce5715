/// @file world.h
/// The world around a robot: named objects and a boundary; built, committed, then immutable.
#ifndef GRAZE_WORLD_H
#define GRAZE_WORLD_H

#include "geometry.h"
#include "robot.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A set of named objects. Mutable until graze_world_commit(), then immutable and free to share
/// between threads.
typedef struct graze_world graze_world;

/// Makes an empty world.
/// @param out [out] NULL on failure; free with graze_world_free()
/// @param name of the world; copied
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL); GRAZE_ERROR_NO_MEMORY
/// Any thread. Allocates. Cost: O(1). Nullable: error.
GRAZE_API graze_status graze_world_create(graze_world **out, const char *name, graze_error *error);
/// Frees a world; NULL is allowed. Checkers made from it must be freed before. Other versions of it
/// (graze_world_revise()) may live on.
/// Any thread. Allocates nothing. Cost: O(objects).
GRAZE_API void graze_world_free(graze_world *world);

/// Adds one object; its name must be new in this world. Lengths in metres. A size of 0 makes the
/// closed set that is left: a rectangle, a segment, a point (docs/shapes.md).
/// @param pose the object's frame in the world, rigid up to 1e-9; NULL for the identity
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, committed already); GRAZE_ERROR_SCHEMA (name in
///         use); GRAZE_ERROR_RANGE (size negative, NaN, infinity, beyond 2^20 m);
///         GRAZE_ERROR_LIMIT (a thousand names made to share a hash); GRAZE_ERROR_NO_MEMORY. On
///         failure the world is as it was. Nullable: pose, error.
/// One thread per world. Allocates. Cost: O(1).
GRAZE_API graze_status graze_world_add_box(graze_world *world, const char *name,
                                           const double size[3], const graze_transform *pose,
                                           graze_error *error);

/// Adds a sphere.
/// @param radius metres, at least 0
/// @return as graze_world_add_box()
/// One thread per world. Allocates. Cost: O(1). Nullable: pose, error.
GRAZE_API graze_status graze_world_add_sphere(graze_world *world, const char *name, double radius,
                                              const graze_transform *pose, graze_error *error);

/// Adds a solid cylinder, axis z, its middle at the object's origin.
/// @param radius metres, at least 0
/// @param length metres, above 0; with a radius of 0 at least 0
/// @return as graze_world_add_box()
/// One thread per world. Allocates. Cost: O(1). Nullable: pose, error.
GRAZE_API graze_status graze_world_add_cylinder(graze_world *world, const char *name, double radius,
                                                double length, const graze_transform *pose,
                                                graze_error *error);

/// Adds a solid capsule, axis z, its middle at the object's origin.
/// @param length metres, of the cylindrical part, at least 0
/// @param radius metres, at least 0
/// @return as graze_world_add_box()
/// One thread per world. Allocates. Cost: O(1). Nullable: pose, error.
GRAZE_API graze_status graze_world_add_capsule(graze_world *world, const char *name, double radius,
                                               double length, const graze_transform *pose,
                                               graze_error *error);

/// Adds a solid cone, axis z, its middle at the object's origin: the centre of the base at
/// -length / 2, the tip at +length / 2, as in FCL, Coal and MoveIt. What counts is a pyramid of 256
/// sides that contains it, up to 7.6e-5 of the radius larger (docs/shapes.md).
/// @param radius metres, of the base, at least 0
/// @param length metres, at least 0
/// @return as graze_world_add_box()
/// One thread per world. Allocates. Cost: O(1). Nullable: pose, error.
GRAZE_API graze_status graze_world_add_cone(graze_world *world, const char *name, double radius,
                                            double length, const graze_transform *pose,
                                            graze_error *error);

/// Adds a half-space: all x with normal . x <= offset, solid and without an end, as FCL's
/// Halfspace. Checks of a world that has one are errors where the robot leaves the domain of the
/// checker (graze_checker_options.domain), at margin 0, too, and that domain is at most 209 m
/// (docs/shapes.md).
/// @param normal world frame, of any length but 0: with it, offset is divided by its length
/// @param offset metres where the normal has length 1. What counts is the frame that is made of
/// both,
///               rounded: z axis along the normal, origin nearest to the world's
/// @return as graze_world_add_box(); GRAZE_ERROR_RANGE (a normal of length 0)
/// One thread per world. Allocates. Cost: O(1). Nullable: error.
GRAZE_API graze_status graze_world_add_halfspace(graze_world *world, const char *name,
                                                 const double normal[3], double offset,
                                                 graze_error *error);

/// Adds a plane: all x with normal . x = offset, a surface without an end, as FCL's Plane and
/// MoveIt's. A link that is wholly on one side of it is free. The rest as
/// graze_world_add_halfspace().
/// @param normal world frame, of any length but 0
/// @param offset metres where the normal has length 1
/// @return as graze_world_add_halfspace()
/// One thread per world. Allocates. Cost: O(1). Nullable: error.
GRAZE_API graze_status graze_world_add_plane(graze_world *world, const char *name,
                                             const double normal[3], double offset,
                                             graze_error *error);

/// Adds a triangle mesh.
/// @param vertices x y z per vertex, metres, in the object's frame; copied
/// @param triangles three vertex indices per triangle; copied
/// @return as graze_world_add_box() and graze_mesh_create()
/// One thread per world. Allocates. Cost: O(n log n). Nullable: pose, error.
GRAZE_API graze_status graze_world_add_mesh(graze_world *world, const char *name,
                                            const double *vertices, size_t vertex_count,
                                            const uint32_t *triangles, size_t triangle_count,
                                            const graze_transform *pose, graze_error *error);

/// Adds points with a common radius, each a closed ball.
/// @param points x y z per point, metres, in the object's frame; copied
/// @param radius metres, above 0
/// @return as graze_world_add_box()
/// One thread per world. Allocates. Cost: O(n log n). Nullable: pose, error.
GRAZE_API graze_status graze_world_add_points(graze_world *world, const char *name,
                                              const double *points, size_t point_count,
                                              double radius, const graze_transform *pose,
                                              graze_error *error);

/// Adds an object of any shape.
/// @param geometry what is read of it is as in graze_world_change: a `mesh` is shared by all
/// objects
///                 that are made of it, in this world and in others, and not copied; the caller may
///                 free it. What graze_world_object() has filled can be given as it is
/// @param pose     the object's frame in the world; geometry->origin is not read
/// @return as graze_world_add_box() and graze_mesh_create(); GRAZE_ERROR_ARGUMENT (a shape that is
///         none, a mesh without mesh and arrays)
/// One thread per world. Allocates. Cost: that of the shape; of a mesh that is shared O(vertices),
/// for its bounds in the world, and the precomputed tests of an object where it has those of a
/// link. Nullable: pose, error.
GRAZE_API graze_status graze_world_add_geometry(graze_world *world, const char *name,
                                                const graze_geometry *geometry,
                                                const graze_transform *pose, graze_error *error);

/// Adds one object of several shapes: one name and one id, moved, removed, grasped and released as
/// one. Its shapes have indices that follow each other, the first one that of the object
/// (graze_world_find_object(), graze_world_find_id()); a contact says which it is (`other`), and
/// graze_geometry.element its number. Rules by name are for all of them, rules by call
/// (graze_rules) for each.
/// @param shapes read; meshes are shared, arrays copied
/// @param count  at least 1; of 1 at the identity the object is as graze_world_add_geometry()
///               makes it
/// @param pose   the object's frame in the world, rigid up to 1e-9; NULL for the identity
/// @return as graze_world_add_geometry(). On failure the world is as it was
/// One thread per world. Allocates. Cost: that of the shapes. Nullable: pose, error.
GRAZE_API graze_status graze_world_add_shapes(graze_world *world, const char *name,
                                              const graze_placed_shape *shapes, size_t count,
                                              const graze_transform *pose, graze_error *error);

/// Sets the boundary: the origin of the base must stay in this closed box (on it is inside),
/// KinEval's rule.
/// @param min,max metres, world frame, finite, min at most max in every coordinate
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, committed already); GRAZE_ERROR_RANGE
/// One thread per world. Allocates nothing. Cost: O(1). Nullable: error.
GRAZE_API graze_status graze_world_set_boundary(graze_world *world, const double min[3],
                                                const double max[3], graze_error *error);

/// Adds what a file holds, by its ending and content: a graze world (.json), a URDF as static
/// scenery at its rest pose (.urdf, .xml), a MoveIt scene (.scene), a MotionBenchMaker planning
/// scene (.yaml, .yml), or a mesh (.stl .dae .obj .ply .glb .gltf .bt, by an importer what assimp
/// reads; the object is named after the file). On failure the world is as it was. Any thread, one
/// per world. Nullable: options, error.
/// @return GRAZE_OK; any status that reading such a file can have, with its place;
///         GRAZE_ERROR_ARGUMENT (NULL, committed already)
/// Allocates. Cost: linear in the file, and that of its meshes.
GRAZE_API graze_status graze_world_add_file(graze_world *world, const char *path,
                                            const graze_load_options *options, graze_error *error);

/// Ends the building of a world: makes the tree over its objects. A second call does nothing.
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL); GRAZE_ERROR_NO_MEMORY
/// One thread per world, before it is shared. Allocates. Cost: O(N log N) for N objects. Nullable:
/// error.
GRAZE_API graze_status graze_world_commit(graze_world *world, graze_error *error);

// ------------------------------------------------------------------------------------- versions

typedef enum graze_change_kind {
    GRAZE_CHANGE_MOVE = 0,   ///< an object to `pose`
    GRAZE_CHANGE_REMOVE = 1, ///< an object is taken away
    GRAZE_CHANGE_ADD = 2     ///< `geometry` is added at `pose`, behind all others
} graze_change_kind;

/// One change of a world. Obtain from graze_world_change_default(), then set the fields. Names are
/// those that the world has by then: of several changes each finds what the ones before it have
/// made.
typedef struct graze_world_change {
    uint32_t struct_size; ///< set by the default; the same in all of an array
    graze_change_kind kind;
    const char *name;            ///< NULL: the object is that of `id`
    const graze_transform *pose; ///< the object's frame in the world, rigid up to 1e-9; when moving
                                 ///< required, when adding NULL for the identity
    /// When adding: shape, and of it size; radius; radius and length; vertices (of points: radius,
    /// too), or of a mesh `mesh`, which is then shared, else vertices and triangles, which are
    /// copied. file, uri and scale tell where it comes from and may be NULL and 0. Nothing else is
    /// read: what graze_world_object() filled can be given as it is.
    const graze_geometry *geometry;
    uint64_t id; ///< when moving or removing by id (graze_geometry.id); with a name 0
    void *user;  ///< when adding: graze_geometry.user of the object
    const graze_placed_shape *shapes; ///< when adding an object of several shapes, in place of
                                      ///< `geometry`, which is NULL then
    size_t shape_count;               ///< of `shapes`; 0: `geometry` is the only one
} graze_world_change;

/// Writes the defaults of graze_world_change into a structure of `size` bytes, the caller's size of
/// it: what graze_world_change_default() calls, so that programs compiled against a shorter one
/// stay right. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_world_change_init(graze_world_change *change, size_t size);

/// A change that moves an object which is still to be named. Any thread. Allocates nothing. Cost:
/// O(1).
static inline graze_world_change graze_world_change_default(void) {
    graze_world_change change;
    graze_world_change_init(&change, sizeof change);
    return change;
}

/// Makes a new version of a committed world, itself committed; `world` stays as it is. What does
/// not change is shared: meshes, points, names, and, while little has changed since, the tree over
/// the objects. Versions keep what they share alive: they can be freed in any order, on any thread.
///
/// Objects keep their order, and so their indices but for those behind a removed one; what is added
/// stands at the end. A version is the world that the same objects, added in that order, make:
/// every query says the same of both, whatever the way to it (only counters of work, as
/// graze_stats.node_tests, may differ).
/// @param out     [out] free with graze_world_free(); NULL on failure
/// @param changes applied in this order; copied. None: a version that shares everything
/// @return GRAZE_OK; GRAZE_ERROR_NOT_FOUND (moves or removes a name or an id that there is not);
///         GRAZE_ERROR_SCHEMA (adds a name in use, or an empty one); GRAZE_ERROR_ARGUMENT (NULL,
///         not committed, a pose that is not rigid); GRAZE_ERROR_RANGE as when adding;
///         GRAZE_ERROR_LIMIT; GRAZE_ERROR_NO_MEMORY. error->element is "changes[I]".
/// Any thread; several at once on one world, too. Nullable: error. Cost: moving or adding one of N
/// objects some microseconds and N / 8 bytes, and a whole tree, O(N log N), once in some sqrt(N)
/// different objects; removing O(N log N), without its meshes. docs/worlds.md has figures.
/// Source: Bentley and Saxe, Decomposable searching problems I (1980), section 2.
/// Allocates.
GRAZE_API graze_status graze_world_revise(graze_world **out, const graze_world *world,
                                          const graze_world_change *changes, size_t count,
                                          graze_error *error);

/// The name of a world, as given or as its file says; lives as long as the world. Any thread.
/// Allocates nothing. Cost: O(1).
GRAZE_API const char *graze_world_name(const graze_world *world);

/// How many objects a world has, one of several shapes counted once for each of them. Any thread.
/// Allocates nothing. Cost: O(1).
GRAZE_API size_t graze_world_object_count(const graze_world *world);

/// graze_world_object() for a caller whose graze_geometry has `size` bytes.
/// @return as there. Any thread once committed. Allocates nothing. Cost: O(1).
GRAZE_API graze_status graze_world_object_sized(const graze_world *world, size_t index,
                                                graze_geometry *geometry, size_t size);

/// Reads an object, or one shape of it where it has several, by its index in the order of adding.
/// Pointers live as long as the world.
/// @param geometry [out]
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, no such object)
/// Any thread once committed. Allocates nothing. Cost: O(1).
static inline graze_status graze_world_object(const graze_world *world, size_t index,
                                              graze_geometry *geometry) {
    return graze_world_object_sized(world, index, geometry, sizeof *geometry);
}

/// The index of the object of that name, of its first shape where it has several, or -1. Any thread
/// once committed. Allocates nothing. Cost:
/// O(1).
GRAZE_API int32_t graze_world_find_object(const graze_world *world, const char *name);
/// The index of the object of that id, of its first shape where it has several, or -1: ids ascend
/// with the indices. Any thread once committed. Allocates nothing. Cost: O(log N).
GRAZE_API int32_t graze_world_find_id(const graze_world *world, uint64_t id);

/// Gives an object, by the index of its first shape, something of the caller's, which the library
/// hands on (graze_geometry.user), to the object in later versions too, and never reads. Compiled
/// files do not hold it.
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, no such object, committed already)
/// One thread per world. Allocates nothing. Cost: O(1). Nullable: user, error.
GRAZE_API graze_status graze_world_set_user(graze_world *world, size_t index, void *user,
                                            graze_error *error);

/// Bound on how far any snapped point of an object (for curved solids: of the solid) is from its
/// place R v + t in real arithmetic, with the pose as given, metres; the objects stand where they
/// stand, so there is no domain. 0 for NULL and for an empty world. Any thread once committed.
/// Cost: constant once committed, else linear in the objects.
/// Allocates nothing.
GRAZE_API double graze_world_pose_error(const graze_world *world);

/// Whether the world has a boundary; reads it.
/// @param min,max [out] metres, world frame; may be NULL
/// Any thread once committed. Allocates nothing. Cost: O(1).
GRAZE_API bool graze_world_boundary(const graze_world *world, double min[3], double max[3]);

/// How many warnings the files gave that were added, each kind and place once. Any thread.
/// Allocates nothing. Cost: O(1).
GRAZE_API size_t graze_world_warning_count(const graze_world *world);

/// Reads a warning; all zero when out of range. Its strings live as long as the world. Any thread.
/// Allocates nothing. Cost: O(1).
GRAZE_API graze_warning graze_world_warning(const graze_world *world, size_t index);

#ifdef __cplusplus
}
#endif

#endif
