/// PLY, ASCII and binary of either byte order.
#ifndef GZ_LOAD_PLY_H
#define GZ_LOAD_PLY_H

#include "load/mesh/mesh_input.h"

/// Whether the bytes begin as a PLY file.
bool gz_ply_is(const char *bytes, size_t size);

/// Appends the faces of the file; other elements and properties are skipped, of any type.
graze_status gz_ply_read(const gz_mesh_input *input, gz_soup *soup, graze_error *error);

#endif
