/// What does a URDF say? Links, joints, geometries and materials, into a builder.
#ifndef GZ_LOAD_URDF_H
#define GZ_LOAD_URDF_H

#include "robot/builder.h"

/// Reads a URDF and the meshes that it names.
/// @param out      [out] free with gz_builder_free() or gz_builder_finish(); NULL on failure
/// @param file     what errors call it
/// @param base_dir where relative mesh paths and the walk upwards start; NULL for "."
/// @return any status but GRAZE_ERROR_CANCELLED; the tree is checked by gz_builder_finish()
graze_status gz_urdf_read(gz_builder **out, const char *bytes, size_t size, const char *file,
                          const char *base_dir, const graze_load_options *options,
                          graze_error *error);

/// The direction of an axis as a joint has it, and its length as written; 0, nothing written to
/// `axis`, for the zero vector. (urdf_joint.c)
double gz_urdf_axis_normalise(const double v[3], graze_vec3 *axis);

#endif
