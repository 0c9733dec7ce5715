/// Cutting the polygons of mesh files into triangles.
#ifndef GZ_LOAD_POLYGON_H
#define GZ_LOAD_POLYGON_H

#include "load/mesh/mesh_input.h"

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

/// Makes room for so many corners.
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
