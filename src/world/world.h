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
    char *file, *uri; ///< may be NULL
    double scale[3];
    size_t file_triangle_count;
    int32_t line;
} gz_object;

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
    bool has_boundary;
    double boundary_min[3], boundary_max[3];
    gz_warnings warnings;
    bool committed;

    gz_entry *entries; ///< sorted by (object, point)
    size_t entry_count;
    gz_node *nodes; ///< tree over the entries' boxes: children >= 0 are nodes, < 0 are ~entry
    size_t node_count;
    int32_t root; ///< node 0, or ~0 for a single entry; unused when entry_count is 0
};

/// Adds a mesh object made from a soup (moved: freed in any case); file and uri may be NULL.
graze_status gz_world_add_soup(graze_world *world, const char *name, gz_soup *soup,
                               const graze_transform *pose, const char *file, const char *uri,
                               const double scale[3], int32_t line, graze_error *error);

#endif
