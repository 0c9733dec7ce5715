/// STL, binary and ASCII.
#ifndef GZ_LOAD_STL_H
#define GZ_LOAD_STL_H

#include "load/mesh/mesh_input.h"

/// Whether the bytes are a binary STL: the size is exactly what the triangle count asks for,
/// whatever the header says (many begin with "solid").
bool gz_stl_is_binary(const char *bytes, size_t size);

/// Whether the bytes are an ASCII STL: text that begins with "solid" and goes on with "facet".
bool gz_stl_is_ascii(const char *bytes, size_t size);

/// Appends the triangles of the file, unwelded, facet normals ignored. A file that is neither is an
/// error, by what it looks like more.
graze_status gz_stl_read(const gz_mesh_input *input, gz_soup *soup, graze_error *error);

#endif
