/// The inside of graze_world: objects with their shapes and poses, and a tree over them; and what a
/// version of a world shares with the one that it was made from.
#ifndef GZ_WORLD_WORLD_H
#define GZ_WORLD_WORLD_H

#include "base/error.h"
#include "base/field_table.h"
#include "graze/world.h"
#include "mesh/bvh/box_tree.h"
#include "mesh/bvh/point_tree.h"
#include "mesh/shape.h"

/// One named object. Its shape is in its own frame; `pose` places it. Immutable once stored, and
/// shared by versions of worlds: gz_object_hold(), gz_object_drop().
typedef struct gz_object {
    char *name;
    graze_shape kind; ///< as added; GRAZE_SHAPE_POINTS has no shape but points
    gz_shape shape;   ///< all kinds but points
    double *points;   ///< x y z each, in the object's frame
    size_t point_count;
    gz_point_tree *tree; ///< over the points; NULL for all kinds but points
    double size[3], radius, length;
    graze_transform pose;      ///< of the shape in the world
    graze_transform in_object; ///< of the shape in its object's frame; where it is the identity,
                               ///< `pose` is the object's, bit for bit
    int32_t element;  ///< number among the shapes of its object, which follow each other; all have
                      ///< one name and one id
    graze_aabb box;   ///< world frame, contains the snapped object
    graze_obb posed;  ///< oriented box of it in the world, skew by GZ_OBJECT_SKEW; not of points
    double error;     ///< bound on how far a snapped point is off, world_object.c
    char *file, *uri; ///< may be NULL
    double scale[3];
    size_t file_triangle_count;
    int32_t line;
    uint64_t name_hash;
    uint64_t id; ///< 0 until it is in a world
    void *user;  ///< the caller's

    /// NULL, or the object whose shape, points and strings these are, at another pose; held.
    struct gz_object *source;
    gz_keeper *keeper; ///< of a compiled world: what the object lies in; else NULL
    gz_shared shared;
} gz_object;

/// Skew of the posed box of a world's object, for gz_obb_apart(): its pose is rigid up to 1e-9
/// only, R^T R = I + E with |E_ij| <= 1e-9, so |E| <= 3e-9; with that of the box itself and
/// rounding.
#define GZ_OBJECT_SKEW 4e-9

/// What a loader knows of where an object comes from; strings are copied and may be NULL.
typedef struct gz_origin {
    const char *file, *uri;           ///< resolved path of a mesh or of points, and as written
    const double *scale;              ///< NULL: 1 1 1; already applied to the coordinates
    int32_t line;                     ///< of the object in its file; 0: none
    int32_t element;                  ///< number among the shapes of its object
    const graze_transform *in_object; ///< NULL: the identity
} gz_origin;

/// The greatest error of some objects, their longest diagonal, and how many have these; of those
/// without an end, how many there are, and the farthest of their frames from the world's origin.
typedef struct gz_extent {
    double error, size, frame;
    size_t error_count, size_count, frame_count, unbounded_count;
} gz_extent;

/// An object of a version that its base does not have, or has elsewhere.
typedef struct gz_changed_object {
    int32_t index;     ///< in the version
    gz_object *object; ///< held
} gz_changed_object;

/// What a version of a world changes of its base: objects that stand elsewhere, and objects that
/// are added behind those of the base. All others are the base's, and so is the tree over them.
typedef struct gz_world_delta {
    graze_world *base;          ///< held; has no delta itself
    uint64_t *moved;            ///< a bit per object of the base
    gz_changed_object *objects; ///< by index: the moved ones, then the added ones
    size_t object_count, moved_count;
    gz_node *nodes; ///< tree over these objects, child < 0 is ~(index among them)
    size_t node_count;
    int32_t root;
    gz_extent rest; ///< of the base's objects that have not moved
} gz_world_delta;

/// In a world with a delta, objects, name_slots, nodes and root are unused; the counts are those of
/// the whole. gz_world_at() looks into every world.
struct graze_world {
    char *name;
    gz_object **objects; ///< held
    size_t object_count, object_capacity;
    uint32_t *name_slots;   ///< hash table of names: object index + 1, or 0; linear probing
    size_t name_slot_count; ///< a power of two, or 0
    bool has_boundary;
    double boundary_min[3], boundary_max[3];
    gz_warnings warnings;
    bool committed;
    uint64_t last_id; ///< greatest that an object ever had, here or in the versions before

    gz_node *nodes; ///< tree over the objects' boxes: children >= 0 are nodes, < 0 are ~object
    size_t node_count;
    int32_t root; ///< node 0, or ~0 for a single object; unused when there is none

    gz_extent extent;      ///< of all objects
    gz_world_delta *delta; ///< NULL but in some versions
    gz_shared shared;      ///< owners: graze_world_free() is for each
    gz_keeper *keeper;     ///< of a compiled world: what it and all that it owns lie in; else NULL
};

/// world_delta.c: as below, where there is a delta.
const gz_object *gz_world_delta_object(const gz_world_delta *delta, size_t index);

/// The object of that index, below world->object_count.
static inline const gz_object *gz_world_at(const graze_world *world, size_t index) {
    return world->delta ? gz_world_delta_object(world->delta, index) : world->objects[index];
}

/// Whether an object of the base is another one in the version.
static inline bool gz_world_has_moved(const gz_world_delta *delta, int32_t object) {
    return delta->moved[object / 64] >> (object % 64) & 1;
}

/// One owner more of a committed world. The world.
graze_world *gz_world_hold(const graze_world *world);

// ------------------------------------------------------------------------- world_object.c: objects

/// One owner more, one less. The last one frees what the object owns.
gz_object *gz_object_hold(const gz_object *object);
void gz_object_drop(gz_object *object);

/// Whether a pose is finite and rigid.
graze_status gz_object_check_pose(const graze_transform *pose, graze_error *error);
/// Fills what depends on the pose: box, posed, error. GRAZE_ERROR_RANGE where it is too far out.
graze_status gz_object_place(gz_object *object, graze_error *error);
/// Where a shape stands when its object's frame is at a pose, and where the frame is.
graze_transform gz_object_pose(const gz_object *object, const graze_transform *frame);
graze_transform gz_object_frame(const gz_object *object);
/// The same object at another pose: shape, points and strings are shared. *out is owned.
graze_status gz_object_move(const gz_object *object, const graze_transform *pose, gz_object **out,
                            graze_error *error);
/// Makes one object from its fields, which it takes in any case, and copies name and origin (may be
/// NULL). *out is owned.
graze_status gz_object_make(const gz_object *fields, const char *name, const gz_origin *origin,
                            gz_object **out, graze_error *error);
/// As gz_world_add_primitive(), _add_soup() and _add_points(), of an object that is in no world.
graze_status gz_object_primitive(const char *name, graze_shape kind, const double size[3],
                                 double radius, double length, const graze_transform *pose,
                                 const gz_origin *origin, gz_object **out, graze_error *error);
/// `owned` is the soup where its arrays become the mesh's, or NULL.
graze_status gz_object_triangles(const char *name, const gz_soup *soup, gz_soup *owned,
                                 const graze_transform *pose, const gz_origin *origin,
                                 gz_object **out, graze_error *error);
graze_status gz_object_points(const char *name, double *points, size_t point_count, double radius,
                              const graze_transform *pose, const gz_origin *origin, gz_object **out,
                              graze_error *error);
/// As gz_object_points(), of a copy of the array.
graze_status gz_object_points_copy(const char *name, const double *points, size_t point_count,
                                   double radius, const graze_transform *pose,
                                   const gz_origin *origin, gz_object **out, graze_error *error);

/// The frame of a plane normal . x = offset: its z axis along the normal, its origin where the
/// plane is nearest to the world's. False where there is none: a normal of length 0, or what is not
/// finite.
bool gz_object_plane(const double normal[3], double offset, graze_transform *pose);

/// Makes element `element` of an object of what graze_world_object() has filled, or a caller by
/// hand: a mesh is shared, arrays are copied. `frame` is the object's and must have been checked.
graze_status gz_object_of_shape(const char *name, const graze_placed_shape *shape, size_t element,
                                const graze_transform *frame, gz_object **out, graze_error *error);
/// The same of one shape that stands at `pose`.
graze_status gz_object_of_geometry(const char *name, const graze_geometry *geometry,
                                   const graze_transform *pose, gz_object **out,
                                   graze_error *error);
/// One object more.
void gz_extent_add(gz_extent *extent, const gz_object *object);
/// One object less; false where the extent of what is left has to be found anew.
bool gz_extent_remove(gz_extent *extent, const gz_object *object);
/// FNV-1a of a name, mixed.
uint64_t gz_object_hash(const char *name);

// ------------------------------------------------------------------------------ world.c: the world

/// The object of that name and hash, or -1.
int32_t gz_world_find(const graze_world *world, const char *name, uint64_t hash);
/// How many shapes the object has whose first one has that index.
size_t gz_world_shapes(const graze_world *world, size_t index);
/// Stores an object, which is taken in any case, under its name, which must be new; further shapes
/// of it, by their element, behind the first. It gets an id where it has none.
/// GRAZE_ERROR_LIMIT where the world has too many names of its hash.
graze_status gz_world_store(graze_world *world, gz_object *object, graze_error *error);
/// Makes room for so many more objects: then storing them needs no memory. False when out of it.
bool gz_world_reserve(graze_world *world, size_t more);
/// Makes the tree over the objects, and commits. On failure the world is as it was.
graze_status gz_world_build_tree(graze_world *world, graze_error *error);

/// Adds a shape that is given by its sizes; as the public functions, with an origin (may be NULL).
graze_status gz_world_add_primitive(graze_world *world, const char *name, graze_shape kind,
                                    const double size[3], double radius, double length,
                                    const graze_transform *pose, const gz_origin *origin,
                                    graze_error *error);
/// Adds a mesh object made from a soup (moved: freed in any case).
graze_status gz_world_add_soup(graze_world *world, const char *name, gz_soup *soup,
                               const graze_transform *pose, const gz_origin *origin,
                               graze_error *error);
/// Adds points; the array (x y z each, of gz_malloc) is moved: freed in any case.
graze_status gz_world_add_points(graze_world *world, const char *name, double *points,
                                 size_t point_count, double radius, const graze_transform *pose,
                                 const gz_origin *origin, graze_error *error);
/// Removes the objects from index `count` on: how a loader undoes what it added.
void gz_world_truncate(graze_world *world, size_t count);

/// world_change.c: reads a change of the caller's array, whose elements have the first one's size.
graze_status gz_world_change_read(graze_world_change *out, const void *given, uint32_t stride,
                                  graze_error *error);

/// world_change.c: a version without a delta of its own, with the same objects.
graze_status gz_world_flatten(graze_world **out, const graze_world *world, graze_error *error);

/// A tree over objects (world.c), made of items of their boxes, which it sorts. False when out of
/// memory: then there is none.
typedef struct gz_object_tree {
    gz_node *nodes;
    size_t node_count;
    int32_t root;
} gz_object_tree;
gz_tree_item gz_object_item(const gz_object *object, size_t index);
bool gz_object_tree_build(gz_object_tree *tree, gz_tree_item *items, size_t count);

// ------------------------------------------ world_motion.c: worlds whose objects move in place

/// What refitting a world's tree needs, as long as the world has the same objects.
typedef struct gz_refit_box {
    float low[3], high[3];
} gz_refit_box;
typedef struct gz_refit_node {
    gz_refit_box box;
    double area;
    size_t leaves;  ///< objects below
    int32_t parent; ///< -1 of the root
    bool stale;     ///< objects below have moved since
} gz_refit_node;
/// An object, and where it is on Hilbert's curve.
typedef struct gz_refit_key {
    uint32_t key;
    int32_t object;
} gz_refit_key;
typedef struct gz_refit {
    gz_refit_node *nodes;
    gz_refit_box *boxes;   ///< of all objects
    gz_refit_key *keys[2]; ///< of these, while they are sorted
    int32_t *node_of;      ///< per object: that has it in a lane
    double measure; ///< sum of the nodes' areas, the least since objects were dealt to leaves
} gz_refit;

/// To be called before objects move: the tree as it is becomes the measure of later ones. False
/// when out of memory.
bool gz_refit_create(gz_refit *refit, graze_world *world);
void gz_refit_free(gz_refit *refit);

/// A version without a delta whose objects are its own, so that they can move in place.
graze_status gz_world_own(graze_world **out, const graze_world *world, graze_error *error);
/// Whether the world has one owner only, which may then move its objects.
bool gz_world_may_move(const graze_world *world);
/// Moves an object of such a world. On failure its place is not defined. Allocates only where
/// another version has the object.
graze_status gz_world_place(graze_world *world, size_t index, const graze_transform *pose,
                            graze_error *error);
/// The same, to where another object of the same shape stands.
graze_status gz_world_place_as(graze_world *world, size_t index, const gz_object *from,
                               graze_error *error);
/// Notes that an object has moved.
void gz_refit_note(gz_refit *refit, size_t object);
/// Fits extent and tree to where the objects are by now. Allocates nothing. Cost: O(N), mostly of
/// those that have moved, and O(N log N) where the tree has become too large.
void gz_world_refit(graze_world *world, gz_refit *refit);

/// The field tables of worlds.
extern const gz_type gz_type_world, gz_type_object;

/// What a version of a world changes of its base; world.h has the structure.

/// Makes the delta of `base`, which has none itself, by objects that are sorted by index, each
/// once: those below the base's count have moved, the others follow it without a gap. Holds base
/// and objects. `rest`: of the base's objects that have not moved.
/// NULL when out of memory.
gz_world_delta *gz_world_delta_make(const graze_world *base, const gz_changed_object *objects,
                                    size_t count, const gz_extent *rest);
/// NULL is allowed.
void gz_world_delta_free(gz_world_delta *delta);

/// Where the object of that index stands in delta->objects, or where it would.
size_t gz_world_delta_position(const gz_world_delta *delta, size_t index);
/// The object of that name and hash, in the base or the delta, or -1.
int32_t gz_world_delta_find(const gz_world_delta *delta, const char *name, uint64_t hash);

#endif
