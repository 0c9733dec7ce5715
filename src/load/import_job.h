/// What an importer is asked: a file in memory, and how its root is placed.
#ifndef GZ_LOAD_IMPORT_JOB_H
#define GZ_LOAD_IMPORT_JOB_H

#include "load/mesh/mesh_input.h"

/// A file that assimp may open; it is told no other.
typedef struct gz_memory_file {
    char *name;        ///< as the format names it
    const char *bytes; ///< borrowed
    size_t size;
} gz_memory_file;

typedef struct gz_import_job {
    const gz_memory_file *files; ///< the first is the scene; its ending decides the format
    size_t file_count;
    bool replace_root; ///< the root's transform is root_scale instead of the file's
    double root_scale;
    char up; ///< the axis that is turned to z at the end: 'x', 'y' or 'z'
} gz_import_job;

/// An importer in this process: graze_load_options.importer_in_process. The library has none; who
/// links assimp hands it over.
struct graze_importer {
    /// Appends every instance of every mesh, node transforms applied in double.
    graze_status (*read)(const gz_import_job *job, const gz_mesh_input *input, gz_soup *soup,
                         graze_error *error);
};

#endif
