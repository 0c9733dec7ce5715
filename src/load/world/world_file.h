/// The readers of world files. graze_world_add_file() chooses one by format, and undoes what it
/// added before it failed.
#ifndef GZ_LOAD_WORLD_WORLD_FILE_H
#define GZ_LOAD_WORLD_WORLD_FILE_H

#include "base/error.h"
#include "load/mesh/mesh_file.h"
#include "load/package.h"
#include "world/world.h"

/// One load in progress.
typedef struct gz_world_load {
    graze_world *world;
    const char *path;
    char *folder; ///< of path: where relative names start
    char *bytes;  ///< the file; NULL for URDF and meshes, which are read elsewhere
    size_t size;
    const graze_load_options *options;
    gz_package_cache packages;
    gz_mesh_budget budget;
    gz_warnings warnings; ///< moved to the world when all went well
    size_t objects_before;
    const graze_transform *in_object; ///< of the shape that is added next, where an object's shapes
                                      ///< are one object; NULL: each is one of its own
    graze_error *error;
} gz_world_load;

/// The readers. Objects they added before an error are removed by the caller.
graze_status gz_world_load_json(gz_world_load *load);
graze_status gz_world_load_moveit_scene(gz_world_load *load);
graze_status gz_world_load_yaml(gz_world_load *load);

// ------------------------------------------------------------------------------ shared by readers

/// Checks that one more object is within options->limits.elements.
graze_status gz_world_load_count(gz_world_load *load, gz_place place);

/// Fills in what load->error does not know of its place, but for errors in another file.
void gz_world_load_locate(gz_world_load *load, gz_place place);

/// A pose from a position and a quaternion x y z w that need not be of unit length. Warns when its
/// length differs from 1 by more than `tolerance`; GRAZE_ERROR_RANGE for zero.
graze_status gz_world_load_pose(gz_world_load *load, gz_place place, const double position[3],
                                const double quaternion[4], double tolerance,
                                graze_transform *pose);

/// A shape that stands in the world file itself.
typedef struct gz_world_shape {
    graze_shape kind;
    double size[3], radius, length;
    gz_soup *soup; ///< of a mesh
    int32_t line;
} gz_world_shape;

/// Adds shape `index` (from 0) of an object, under the name "object", and where load->in_object is
/// NULL the further ones under "object#2" ... Takes the soup.
graze_status gz_world_load_shape(gz_world_load *load, const char *object, size_t index,
                                 gz_world_shape *shape, const graze_transform *pose);

/// Reads the mesh, or with a radius the points, that a URI names and adds them as shape `index` of
/// an object; line: of the object.
graze_status gz_world_load_uri(gz_world_load *load, gz_place place, int32_t line,
                               const char *object, size_t index, const char *uri,
                               const double scale[3], double radius, const graze_transform *pose);

#endif
