/// Scenes through assimp, which sees nothing but bytes in memory.
#ifndef GZ_LOAD_ASSIMP_SCENE_H
#define GZ_LOAD_ASSIMP_SCENE_H

#include "load/mesh_input.h"

/// A file that assimp may open; it is told no other.
typedef struct gz_memory_file {
    char *name;        ///< as the format names it
    const char *bytes; ///< borrowed
    size_t size;
} gz_memory_file;

typedef struct gz_assimp_job {
    const gz_memory_file *files; ///< the first is the scene; its ending decides the format
    size_t file_count;
    bool replace_root; ///< the root's transform is root_scale instead of the file's
    double root_scale;
    char up; ///< the axis that is turned to z at the end: 'x', 'y' or 'z'
} gz_assimp_job;

/// Appends every instance of every mesh, node transforms applied in double. The whole use of assimp
/// is behind this one function.
graze_status gz_assimp_read(const gz_assimp_job *job, const gz_mesh_input *input, gz_soup *soup,
                            graze_error *error);

#endif
