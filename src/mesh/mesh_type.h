/// The field tables of meshes and shapes.
#ifndef GZ_MESH_MESH_TYPE_H
#define GZ_MESH_MESH_TYPE_H

#include "base/field_table.h"
#include "mesh/mesh.h"

extern const gz_type gz_type_mesh;

/// The fields of a gz_shape that is the member `f` of s.
#define GZ_SHAPE_FIELDS(s, f)                                                                      \
    GZ_CHOICE(s, f.kind, GRAZE_SHAPE_POINTS), GZ_MAYBE(s, f.mesh, gz_type_mesh),                   \
        GZ_NUMBERS(s, f.a), GZ_NUMBERS(s, f.b), GZ_NUMBERS(s, f.radius), GZ_NUMBERS(s, f.sphere),  \
        GZ_BOX(s, f.aabb), GZ_NUMBERS(s, f.obb)

#endif
