/// What is measured of a mesh for the rules: closedness and orientation, triangles that are there
/// twice, shells inside others, size, and the simple shape that it may be.
#ifndef GZ_LINT_MESH_MEASURE_H
#define GZ_LINT_MESH_MEASURE_H

#include "graze/geometry.h"
#include "lint/mesh_measure.h"

typedef struct gz_mesh_measure {
    graze_solid_report solids;
    size_t reversed_count;  ///< closed components whose winding is inward and that are no cavities
    size_t duplicate_count; ///< triangles that have the three vertices of an earlier one
    size_t inner_count;     ///< components inside a closed one, surfaces apart; cavities left out
    bool inner_partial;     ///< there may be more: the search was ended
    double area;            ///< of all triangles, m^2
    double volume;          ///< of the closed components, signed, m^3
    gz_mesh_fit fit;
} gz_mesh_measure;

/// Measures a mesh. False when out of memory. Deterministic. Any thread.
/// Cost: O(n log n), and up to 2,000 questions whether a component is inside another.
bool gz_mesh_measure_take(gz_mesh_measure *out, const graze_mesh *mesh);

#endif
