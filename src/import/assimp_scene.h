/// Scenes through assimp, which sees nothing but bytes in memory.
#ifndef GZ_IMPORT_ASSIMP_SCENE_H
#define GZ_IMPORT_ASSIMP_SCENE_H

#include "load/import_job.h"

/// Appends every instance of every mesh, node transforms applied in double. No two faces share a
/// vertex, so that triangles which share some were cut from one polygon. The whole use of assimp is
/// behind this one function.
graze_status gz_assimp_read(const gz_import_job *job, const gz_mesh_input *input, gz_soup *soup,
                            graze_error *error);

#endif
