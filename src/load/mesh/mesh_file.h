/// Reads mesh files into triangles, and files of points.
#ifndef GZ_LOAD_MESH_MESH_FILE_H
#define GZ_LOAD_MESH_MESH_FILE_H

#include "base/error.h"
#include "graze/robot.h"
#include "mesh/mesh.h"

/// What an importer has read so far (load/importer/import_cache.h).
typedef struct gz_import_cache gz_import_cache;

gz_import_cache *gz_import_cache_create(void); ///< NULL when out of memory
void gz_import_cache_free(gz_import_cache *cache);

/// Budget that the meshes of one load share, beside its memory (gz_memory_budget).
typedef struct gz_mesh_budget {
    uint64_t triangles_left;
    bool named_by_file;      ///< the meshes' paths are from another file, which may be a stranger's
    double import_processor; ///< seconds that importers have taken: of processors
    double import_clock;     ///< and by the clock
    gz_import_cache *imports; ///< NULL: each file is imported anew
} gz_mesh_budget;

/// Reads a mesh file into triangles in the URDF mesh frame: file node transforms and unit applied
/// by the Collada profile, then `scale` (NULL: 1 1 1; a negative determinant flips the winding, so
/// that outward stays outward). The format is decided by content first, ending second.
/// @param path   resolved file; errors and warnings name it
/// @param soup   [out] owned by the caller; NULL on failure
/// @return GRAZE_ERROR_NOT_FOUND, _IO, _PARSE, _MESH (no triangle, truncated, count mismatch,
///         index out of range), _RANGE (NaN, infinity, beyond 2^20 m), _UNSUPPORTED (format),
///         _LIMIT, _NO_MEMORY
graze_status gz_mesh_file_read(gz_soup **soup, const char *path, const double scale[3],
                               const graze_load_options *options, gz_mesh_budget *budget,
                               gz_warnings *warnings, graze_error *error);

/// A soup with copies of these vertices and triangles; NULL when out of memory.
gz_soup *gz_mesh_soup_copy(const double *vertices, size_t vertex_count, const uint32_t *triangles,
                           size_t triangle_count);

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
