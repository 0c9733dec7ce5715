/// What did a file of points say? PLY (the vertices; faces are skipped), or text with a point in
/// each line (.xyz, .csv, .txt).
#ifndef GZ_LOAD_POINTS_FILE_H
#define GZ_LOAD_POINTS_FILE_H

#include "load/mesh/mesh_file.h"

/// Reads points, each times `scale` (NULL: 1 1 1). Text: three numbers at the start of a line, or
/// those of the columns x, y and z that a first line names; separated by white space, commas or
/// semicolons; further columns are ignored; # and // start comments.
/// @param points [out] x y z each, of gz_malloc(); NULL on failure
/// @return GRAZE_ERROR_NOT_FOUND, _IO, _PARSE, _MESH (no point, truncated), _RANGE (NaN, infinity,
///         beyond 2^20 m), _LIMIT, _NO_MEMORY
graze_status gz_points_file_read(double **points, size_t *count, const char *path,
                                 const double scale[3], const graze_load_options *options,
                                 gz_mesh_budget *budget, gz_warnings *warnings, graze_error *error);

#endif
