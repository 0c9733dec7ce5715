/// What did a world file say? One reader per format; graze_world_add_file() chooses among them, and
/// undoes what a reader added before it failed.
#ifndef GZ_LOAD_WORLD_WORLD_FILE_H
#define GZ_LOAD_WORLD_WORLD_FILE_H

#include "base/error.h"
#include "load/mesh/mesh_file.h"
#include "world/world.h"

/// One load in progress.
typedef struct gz_world_load {
    graze_world *world;
    const char *path;
    char *folder; ///< of path: where relative names start
    char *bytes;  ///< the file; NULL for URDF and meshes, which are read elsewhere
    size_t size;
    const graze_load_options *options;
    gz_mesh_budget budget;
    gz_warnings warnings; ///< moved to the world when all went well
    size_t objects_before;
    graze_error *error;
} gz_world_load;

/// The readers. Objects they added before an error are removed by the caller.
graze_status gz_world_load_json(gz_world_load *load);
graze_status gz_world_load_moveit_scene(gz_world_load *load);
graze_status gz_world_load_yaml(gz_world_load *load);
graze_status gz_world_load_urdf(gz_world_load *load);
graze_status gz_world_load_mesh(gz_world_load *load);

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

/// Reads the mesh that a URI names and adds it as an object; scale NULL: 1 1 1.
graze_status gz_world_load_mesh_object(gz_world_load *load, gz_place place, const char *name,
                                       const char *uri, const double scale[3],
                                       const graze_transform *pose);

/// The name of shape `index` (from 0) of an object that has several: "object", "object#2" ...
/// NULL when out of memory; free with gz_free().
char *gz_world_load_shape_name(const char *object, size_t index);

/// The last part of a path without its ending: "meshes/cup.v2.stl" is "cup.v2".
char *gz_world_load_base_name(const char *path);

#endif
