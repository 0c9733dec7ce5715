/// The input of every mesh reader, and the steps that all formats share: scale, range, budget,
/// nodes and polygons.
#ifndef GZ_LOAD_MESH_MESH_INPUT_H
#define GZ_LOAD_MESH_MESH_INPUT_H

#include <math.h>

#include "base/error.h"
#include "graze/mesh_report.h"
#include "load/mesh/affine.h"
#include "load/mesh/mesh_file.h"
#include "mesh/mesh.h"

/// The nodes of a mesh file that hold geometry, and where they place it.
typedef struct gz_mesh_nodes {
    graze_mesh_node *items; ///< names owned
    size_t count, capacity;
} gz_mesh_nodes;

typedef struct gz_mesh_input {
    const char *path;  ///< for messages, and for glTF's neighbours
    const char *bytes; ///< the file, NUL-terminated beyond size
    size_t size;
    double scale[3];
    bool points_only; ///< PLY: only vertices are wanted; faces are skipped and need not be there
    const graze_load_options *options;
    const gz_mesh_budget *budget; ///< what is left; the soup under construction is not yet taken
    gz_warnings *warnings;
    gz_mesh_nodes *nodes; ///< glTF: gets every node with geometry; NULL for none
} gz_mesh_input;

/// Where in the file an error is: line 0 for binary files.
static inline gz_place gz_mesh_place(const gz_mesh_input *input, int32_t line) {
    return (gz_place){.file = input->path, .line = line};
}

/// Four bytes as a little-endian number.
static inline uint32_t gz_load_u32(const char *p) {
    const unsigned char *b = (const unsigned char *)p;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/// Applies the scale. False when a coordinate is then not a number or too large: the scale turns
/// file units into metres, so the range is checked after it.
static inline bool gz_mesh_scale(const gz_mesh_input *input, const double from[3], double to[3]) {
    bool fine = true;
    for (int k = 0; k < 3; k++) {
        to[k] = from[k] * input->scale[k];
        fine &= fabs(to[k]) <= GZ_COORDINATE_MAX;
    }
    return fine;
}

/// Appends a vertex, scaled, for which there is space. False where gz_mesh_scale() refuses it.
static inline bool gz_mesh_append_vertex(const gz_mesh_input *input, gz_soup *soup,
                                         const double from[3]) {
    if (!gz_mesh_scale(input, from, soup->vertices + 3 * soup->vertex_count)) return false;
    soup->vertex_count++;
    return true;
}

/// The error for a vertex that gz_mesh_scale() refused. @param what e.g. "facet 3"
graze_status gz_mesh_fail_range(const gz_mesh_input *input, int32_t line, const char *what,
                                const double from[3], graze_error *error);

/// The error of gz_mesh_fail_range(), with a formatted description of the vertex.
graze_status gz_mesh_fail_vertex(const gz_mesh_input *input, int32_t line, const double from[3],
                                 graze_error *error, const char *format, ...) GZ_PRINTF(5, 6);

/// Makes space in the soup for so many more, when the budget and 32-bit indices allow it.
graze_status gz_mesh_reserve(const gz_mesh_input *input, gz_soup *soup, size_t more_vertices,
                             size_t more_triangles, graze_error *error);

/// Bytes that a soup of this size takes out of the budget.
uint64_t gz_mesh_cost(uint64_t vertices, uint64_t triangles);

/// GRAZE_ERROR_LIMIT unless a temporary of so many bytes fits beside what is left.
graze_status gz_mesh_check_memory(const gz_mesh_input *input, uint64_t bytes, const char *what,
                                  graze_error *error);

// ------------------------------------------------------------------------------------------ nodes

/// Adds a node; `place` may be NULL for one whose transform is not known. False when out of memory.
bool gz_mesh_nodes_add(gz_mesh_nodes *nodes, const char *name, const gz_affine *place,
                       size_t geometry_count);
void gz_mesh_nodes_free(gz_mesh_nodes *nodes);

// --------------------------------------------------------------------------------------- polygons

/// Scratch memory for one file; zero-initialise, end with gz_polygons_free().
typedef struct gz_polygons {
    uint32_t *corners; ///< of the polygon at hand; the caller fills them
    size_t capacity;
    uint32_t *rest;
    size_t rest_capacity;
    uint64_t work;  ///< corner comparisons done so far
    uint64_t fans;  ///< polygons that may be concave and were cut as a fan all the same
    size_t skipped; ///< faces of one or two corners
} gz_polygons;

/// Makes space for so many corners.
bool gz_polygons_reserve(gz_polygons *polygons, size_t count);
/// Appends the triangles of the polygon in polygons->corners, vertex indices of the soup already
/// checked. Convex polygons become a fan around their first corner; concave ones are cut ear by
/// ear. Whatever the shape, n corners give n - 2 triangles whose directed edges sum up to the
/// polygon's, so a closed mesh stays closed; faces of fewer than 3 corners are counted and left
/// out.
graze_status gz_polygon_append(gz_polygons *polygons, size_t count, const gz_mesh_input *input,
                               gz_soup *soup, graze_error *error);
/// Warns of what was left out or cut blindly, and frees.
void gz_polygons_end(gz_polygons *polygons, const gz_mesh_input *input, gz_soup *soup);
void gz_polygons_free(gz_polygons *polygons);

#endif
