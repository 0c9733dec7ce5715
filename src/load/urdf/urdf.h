/// Reads URDF (links, joints, geometries, materials) and SRDF (pairs that need no check, groups,
/// states) into a builder.
#ifndef GZ_LOAD_URDF_URDF_H
#define GZ_LOAD_URDF_URDF_H

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
/// `axis`, for the zero vector.
double gz_urdf_axis_normalise(const double v[3], graze_vec3 *axis);

/// Reads an SRDF file into the builder of its robot. Unknown names are warnings.
/// @return GRAZE_ERROR_NOT_FOUND, _IO, _PARSE, _SCHEMA (wrong root, a required attribute is
///         missing), _RANGE, _UNSUPPORTED, _LIMIT, _NO_MEMORY
graze_status gz_srdf_read(gz_builder *builder, const char *path, const graze_limits *limits,
                          graze_error *error);

#endif
