/// The readers of mesh formats: each appends the triangles of a file to a soup.
#ifndef GZ_LOAD_MESH_MESH_FORMATS_H
#define GZ_LOAD_MESH_MESH_FORMATS_H

#include "load/mesh/mesh_reader.h"

/// Whether the bytes are a binary STL: the size is exactly what the triangle count asks for,
/// whatever the header says (many begin with "solid").
bool gz_stl_is_binary(const char *bytes, size_t size);

/// Whether the bytes are an ASCII STL: text that begins with "solid" and goes on with "facet".
bool gz_stl_is_ascii(const char *bytes, size_t size);

/// Appends the triangles of an STL file, binary or ASCII, unwelded, facet normals ignored. A file
/// that is neither is an error, by what it looks like more.
graze_status gz_stl_read(gz_mesh_reader *r);

/// Appends the faces of a Wavefront OBJ file; no other file is opened. Groups, materials, normals,
/// texture coordinates, lines and points do not count; curves and surfaces are an error, since they
/// would be left out.
graze_status gz_obj_read(gz_mesh_reader *r);

/// Whether the bytes begin as a PLY file.
bool gz_ply_is(const char *bytes, size_t size);

/// Appends the faces of a PLY file, ASCII or binary; other elements and properties are skipped, of
/// any type.
graze_status gz_ply_read(gz_mesh_reader *r);

/// Appends the meshes of a glTF 2.0 scene (one binary file, or JSON with its buffers), node
/// transforms applied. The axes stay as they are in the file. Images are never opened; a buffer is
/// opened only when its URI is a plain name beside the file.
graze_status gz_gltf_read_glb(gz_mesh_reader *r);
graze_status gz_gltf_read_json(gz_mesh_reader *r);

#endif
