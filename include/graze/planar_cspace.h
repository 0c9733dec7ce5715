/// @file planar_cspace.h
/// Configuration space in the plane: obstacles of a translating polygon as exact Minkowski sums and
/// as a map. Arms, and bodies that drive and turn, are in planar_arm.h.
///
/// Metres, radians, one frame. Coordinates of polygons as in planar_scene.h.
#ifndef GRAZE_PLANAR_CSPACE_H
#define GRAZE_PLANAR_CSPACE_H

#include "planar_scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------- a polygon that moves

/// A vertex of an obstacle in configuration space: vertex `obstacle` minus vertex `robot`, exactly;
/// `point` is that difference, each coordinate rounded once.
typedef struct graze_planar_cspace_vertex {
    graze_vec2 point;
    int32_t obstacle, robot;
} graze_planar_cspace_vertex;

/// The obstacle that a convex part, translating at a fixed heading, makes of a polygon of a scene:
/// the places of its reference point where they meet, polygon + (-part). Convex, counter-clockwise
/// from the lowest vertex; parallel edges are joined, by exact comparison of angles.
/// @param part     about its reference point, the origin; its radius is left out
/// @param vertices [out] room for those of the polygon and of the part
/// @param count    [out]
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT; as graze_planar_shape_check().
/// Any thread; no allocation. Cost: proportional to the vertices of both. Source: de Berg et al.,
/// Computational Geometry (2008), section 13.3.
GRAZE_API graze_status graze_planar_cspace_obstacle(const graze_planar_scene *scene, size_t index,
                                                    const graze_planar_shape *part,
                                                    graze_planar_cspace_vertex *vertices,
                                                    size_t *count, graze_error *error);

/// A grid over a rectangle: cell (column, row) has its middle at
/// min + ((column + 1/2) (max - min).x / columns, (row + 1/2) (max - min).y / rows).
typedef struct graze_planar_grid {
    graze_vec2 min, max;
    int32_t columns, rows; ///< 1 to 65536 each
} graze_planar_grid;

/// The middle of a cell, as maps compute it. Any thread.
/// Allocates nothing. Cost: constant.
GRAZE_API graze_vec2 graze_planar_grid_middle(const graze_planar_grid *grid, int32_t column,
                                              int32_t row);

/// What maps say of a cell: the numbers of graze_cspace_state.
enum {
    GRAZE_PLANAR_CELL_FREE = 0,              ///< its middle is free
    GRAZE_PLANAR_CELL_FREE_CERTIFIED = 1,    ///< proved: all of it is free
    GRAZE_PLANAR_CELL_BLOCKED = 2,           ///< its middle is blocked
    GRAZE_PLANAR_CELL_BLOCKED_CERTIFIED = 3, ///< proved: all of it is blocked
    GRAZE_PLANAR_CELL_OPEN = 255 ///< its middle is nearer to contact than the error bound
};

/// The map of a translating body: whether it meets a polygon of the scene, its reference point in
/// the middle of each cell. Exact: no cell is open.
/// @param parts     part_count convex parts about the reference point, the origin of their frame,
///                  turned as they are to be (graze_planar_decompose(), graze_planar_transform());
///                  their radii 0
/// @param certified prove of whole cells what can be proved: a cell is free where the body grown by
///                  it is, and blocked where one part meets one polygon from all of its corners
/// @param cells     [out] rows * columns of GRAZE_PLANAR_CELL_..., row by row from the lowest y
/// @param ids       [out] per cell the first part of the body that is blocked in its middle, -1 for
///                  none. NULL: not wanted
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT; GRAZE_ERROR_RANGE; GRAZE_ERROR_UNSUPPORTED (a radius);
///         GRAZE_ERROR_NO_MEMORY; as graze_planar_shape_check(). Any thread.
/// Allocates. Cost: cells times the parts and the polygons that may meet in their row.
GRAZE_API graze_status graze_planar_cspace_map(const graze_planar_scene *scene,
                                               const graze_planar_shape *parts, size_t part_count,
                                               const graze_planar_grid *grid, bool certified,
                                               uint8_t *cells, int32_t *ids, graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
