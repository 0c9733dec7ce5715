/// Is what a compiled file says derived from what it is given? Whole robots and worlds are made
/// anew from their inputs, as loading makes them, and compared bit for bit.
///
/// Inputs, which are believed: vertices and triangles of meshes; of shapes their kind, sizes and
/// origin; points and their radius; poses of objects; of links and joints all that a URDF says of
/// them; pairs, margins, groups, states, end effectors and virtual joints; the boundary of a world;
/// names, files, colours, places in files and warnings. Whatever else a structure has is made anew.
#ifndef GZ_COMPILE_PROOF_H
#define GZ_COMPILE_PROOF_H

#include "base/error.h"
#include "compile/image.h"
#include "robot/robot.h"
#include "world/world.h"

/// Whether a structure is what was made anew; GRAZE_ERROR_MESH, which calls it "WHAT INDEX".
graze_status gz_proof_compare(const gz_type *type, const void *said, const void *anew,
                              const char *what, size_t index, graze_error *error);

/// What a shape is made of: sizes and an origin, or the vertices and triangles of a mesh.
typedef struct gz_proof_input {
    graze_shape kind;
    const double *size;
    double radius, length;
    const graze_transform *origin;
    const graze_mesh *mesh; ///< the mesh that the file has for it; NULL for curved shapes
    gz_mesh_role role;
} gz_proof_input;

/// Makes a shape anew, free it with gz_shape_clear(), and proves that the boxes of the mesh that
/// the file has hold what is below them.
graze_status gz_proof_shape(gz_shape *out, const gz_proof_input *input, graze_error *error);

/// Of what passed gz_robot_image_check() and gz_world_image_check().
/// @return GRAZE_OK; GRAZE_ERROR_NO_MEMORY; any other: it is not what graze makes
graze_status gz_robot_prove(const graze_robot *robot, graze_error *error);
graze_status gz_world_prove(const graze_world *world, graze_error *error);

#endif
