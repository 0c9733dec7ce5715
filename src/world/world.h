/// The inside of graze_world: objects with their shapes and poses, and a tree over them.
#ifndef GZ_WORLD_WORLD_H
#define GZ_WORLD_WORLD_H

#include "base/error.h"
#include "graze/world.h"
#include "mesh/shape.h"

/// One named object. Its shape is in its own frame; `pose` places it.
typedef struct gz_object {
    char *name;
    graze_shape kind; ///< as added; GRAZE_SHAPE_POINTS has no shape but points
    gz_shape shape;   ///< all kinds but points
    double *points;   ///< x y z each, in the object's frame
    size_t point_count;
    double size[3], radius, length;
    graze_transform pose;
    graze_aabb box;   ///< world frame, contains the snapped object
    char *file, *uri; ///< may be NULL
    double scale[3];
    size_t file_triangle_count;
    int32_t line;
    uint64_t name_hash;
} gz_object;

/// What a loader knows of where an object comes from; strings are copied and may be NULL.
typedef struct gz_origin {
    const char *file, *uri; ///< resolved path of a mesh or of points, and as written
    const double *scale;    ///< NULL: 1 1 1; already applied to the coordinates
    int32_t line;           ///< of the object in its file; 0: none
} gz_origin;

/// What the tree over the world holds: one object, or one point of an object.
typedef struct gz_entry {
    int32_t object;
    int32_t point;  ///< -1, or the index of the point
    graze_aabb box; ///< world frame, contains the snapped entry
} gz_entry;

struct graze_world {
    char *name;
    gz_object *objects;
    size_t object_count, object_capacity;
    uint32_t *name_slots;   ///< hash table of names: object index + 1, or 0; linear probing
    size_t name_slot_count; ///< a power of two, or 0
    bool has_boundary;
    double boundary_min[3], boundary_max[3];
    gz_warnings warnings;
    bool committed;

    gz_entry *entries; ///< sorted by (object, point)
    size_t entry_count;
    gz_node *nodes; ///< tree over the entries' boxes: children >= 0 are nodes, < 0 are ~entry
    size_t node_count;
    int32_t root; ///< node 0, or ~0 for a single entry; unused when entry_count is 0

    /// Of a compiled world all parts, and this structure, lie in memory that `release` gives back.
    void *image;
    void (*release)(void *image);
};

/// Adds a box, sphere, cylinder or capsule; as the public functions, with an origin (may be NULL).
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

/// Makes the tree over world->entries (world_tree.c). On failure the world has none.
graze_status gz_world_tree_build(graze_world *world, graze_error *error);

#endif
