/// What every mesh reader is given, and the steps that all formats share: the URDF scale, the range
/// of a coordinate, and the budget.
#ifndef GZ_LOAD_MESH_INPUT_H
#define GZ_LOAD_MESH_INPUT_H

#include <math.h>

#include "base/error.h"
#include "load/mesh/mesh_file.h"
#include "load/mesh/mesh_input.h"
#include "mesh/mesh.h"

typedef struct gz_mesh_input {
    const char *path;  ///< for messages, and for glTF's neighbours
    const char *bytes; ///< the file, NUL-terminated beyond size
    size_t size;
    double scale[3];
    bool points_only; ///< PLY: only vertices are wanted; faces are skipped and need not be there
    const graze_load_options *options;
    const gz_mesh_budget *budget; ///< what is left; the soup under construction is not yet taken
    gz_warnings *warnings;
    gz_mesh_nodes *nodes; ///< glTF: told of every node with geometry; NULL for none
} gz_mesh_input;

/// Where in the file an error is: line 0 for binary files.
static inline gz_place gz_mesh_place(const gz_mesh_input *input, int32_t line) {
    return (gz_place){.file = input->path, .line = line};
}

/// Applies the scale. False when a coordinate is then not a number or too large: the scale turns
/// file units into metres, so only then can the range be judged.
static inline bool gz_mesh_scale(const gz_mesh_input *input, const double from[3], double to[3]) {
    bool fine = true;
    for (int k = 0; k < 3; k++) {
        to[k] = from[k] * input->scale[k];
        fine &= fabs(to[k]) <= GZ_COORDINATE_MAX;
    }
    return fine;
}

/// The error for a vertex that gz_mesh_scale() refused. @param what e.g. "facet 3"
graze_status gz_mesh_fail_range(const gz_mesh_input *input, int32_t line, const char *what,
                                const double from[3], graze_error *error);

/// Makes room in the soup for so many more, when the budget and 32-bit indices allow it.
graze_status gz_mesh_reserve(const gz_mesh_input *input, gz_soup *soup, size_t more_vertices,
                             size_t more_triangles, graze_error *error);

/// Bytes that a soup of this size takes out of the budget.
uint64_t gz_mesh_cost(uint64_t vertices, uint64_t triangles);

/// GRAZE_ERROR_LIMIT unless a temporary of so many bytes fits beside what is left.
graze_status gz_mesh_check_memory(const gz_mesh_input *input, uint64_t bytes, const char *what,
                                  graze_error *error);

#endif
