/// A rigid body of convex parts, for the files that move it.
#ifndef GZ_PLANAR_BODY_H
#define GZ_PLANAR_BODY_H

#include "graze/planar_cspace.h"
#include "planar/convex/convex_internal.h"

struct graze_planar_body {
    size_t count;
    graze_planar_convex *parts;
    graze_vec2 *vertices; ///< of all parts, one behind the other
    size_t vertex_count;
    double reach;
};

/// Fails unless a grid has cells, its corners are in order and of magnitude at most `most`.
graze_status gz_grid_check(const graze_planar_grid *grid, double most, graze_error *error);

#endif
