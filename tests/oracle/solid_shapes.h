/// Meshes for the question what is inside: closed, nested, reversed, doubled, open, inconsistent.
#ifndef GRAZE_TESTS_SOLID_SHAPES_H
#define GRAZE_TESTS_SOLID_SHAPES_H

#include "unit/mesh/mesh_maker.h"

typedef struct solid_shape {
    const char *name;
    maker mesh;   ///< about 1 in size
    bool lattice; ///< its coordinates are multiples of 1/8
} solid_shape;

/// Makes them all, with two links of the shipped robot; *count is how many. Free with
/// solid_shapes_free().
solid_shape *solid_shapes_make(size_t *count);
void solid_shapes_free(solid_shape *shapes, size_t count);

#endif
