/// Wavefront OBJ: positions and polygons; nothing else is read and no other file is opened.
#ifndef GZ_LOAD_OBJ_H
#define GZ_LOAD_OBJ_H

#include "load/mesh/mesh_input.h"

/// Appends the faces of the file. Groups, materials, normals, texture coordinates, lines and points
/// do not count; curves and surfaces are an error, since they would be left out.
graze_status gz_obj_read(const gz_mesh_input *input, gz_soup *soup, graze_error *error);

#endif
