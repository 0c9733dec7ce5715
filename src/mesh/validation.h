/// Does a mesh hold what everything above it takes for granted? For debug builds and tests.
#ifndef GZ_MESH_VALIDATION_H
#define GZ_MESH_VALIDATION_H

#include "mesh/mesh.h"

/// Proves, in exact arithmetic, that every box of a node, packet or component, the sphere, the
/// axis-aligned and the oriented box contain the vertices below them, that packets hold their
/// triangles' vertices rounded to the nearest float, and each triangle is in one packet; that each
/// component is in one leaf of the components' tree; and, by finding them once more, that the
/// components, which of them are closed, their extreme vertices and the caps are the triangles'.
/// @return GRAZE_OK; GRAZE_ERROR_MESH, naming what does not hold; GRAZE_ERROR_NO_MEMORY
/// Cost: about a microsecond a vertex.
graze_status gz_mesh_validate(const graze_mesh *mesh, graze_error *error);

/// What builds with GRAZE_VALIDATE (Debug does) do with every mesh: the same, and the end of the
/// program when something does not hold, because no verdict would.
graze_status gz_mesh_validate_or_abort(const graze_mesh *mesh, graze_error *error);

#endif
