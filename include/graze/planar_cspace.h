/// @file planar_cspace.h
/// Configuration space in the plane: obstacles of a translating polygon as exact Minkowski sums and
/// as a map. Arms, and bodies that drive and turn, are in planar_arm.h.
///
/// Metres, radians, one frame. Coordinates of polygons as in planar_scene.h.
#ifndef GRAZE_PLANAR_CSPACE_H
#define GRAZE_PLANAR_CSPACE_H

#include "cspace.h"
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

// ------------------------------------------------------------------------------------------- maps
//
// Maps of the plane are those of cspace.h: the same structure says what to map, and cells have the
// same states. Cell (x, y) is cells[y * width + x]; its link is the first one, or part of a body,
// that collides in its middle, -1 for none; kind, other and outside are 0, -1 and 0. Of
// graze_cspace count `threads`, `ranges` (both must be given), `width`, `height`, `certified`,
// `cancel`, `progress`, `cells` and
// - `budget`: most cells that are tested by themselves; of an arm's certified map, most boxes of
//   cells, those of one cell included;
// - `rows`: 1 in the end, as all cells are written;
// - of an arm `columns`, two numbers of a configuration, and `q`, a configuration, NULL for zeros.

/// The middle of a cell, as maps compute it. Any thread.
/// Allocates nothing. Cost: constant.
GRAZE_API graze_vec2 graze_planar_map_middle(const graze_cspace *map, uint32_t x, uint32_t y);

/// The map of a translating body: whether it meets a polygon of the scene, its reference point in
/// the middle of each cell. Exact: only a budget leaves cells undecided. With `certified` a cell is
/// proved free where the body grown by it is, and colliding where one part meets one polygon from
/// all of its corners.
/// @param parts part_count convex parts about the reference point, the origin of their frame,
///              turned as they are to be (graze_planar_decompose(), graze_planar_transform());
///              their radii 0
/// @param map   over the places of the reference point, metres
/// @return GRAZE_OK, also when the budget is spent; GRAZE_ERROR_CANCELLED: what was not done is
///         undecided; GRAZE_ERROR_ARGUMENT; GRAZE_ERROR_RANGE; GRAZE_ERROR_UNSUPPORTED (a radius);
///         GRAZE_ERROR_NO_MEMORY; as graze_planar_shape_check().
/// The same cells for any number of threads. Any thread. Allocates. Cost: cells times the parts and
/// the polygons that may meet near them.
GRAZE_API graze_status graze_planar_cspace_map(const graze_planar_scene *scene,
                                               const graze_planar_shape *parts, size_t part_count,
                                               const graze_cspace *map, graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
