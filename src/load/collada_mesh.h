/// From a judged Collada document to triangles.
#ifndef GZ_LOAD_COLLADA_MESH_H
#define GZ_LOAD_COLLADA_MESH_H

#include "load/mesh/affine.h"
#include "load/mesh/collada.h"

/// Appends every instance of every mesh in the scene that is shown, `first`
/// applied last.
graze_status gz_collada_append_scene(gz_collada *c, const gz_affine *first, gz_soup *soup);

#endif
