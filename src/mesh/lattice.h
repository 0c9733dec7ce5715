/// Which cells of a lattice over a mesh may a triangle pass, or come near?
#ifndef GZ_MESH_LATTICE_H
#define GZ_MESH_LATTICE_H

#include <stdbool.h>

#include "mesh/mesh.h"

/// A lattice of cubes, x fastest, that reaches at least a cell and a half beyond the mesh's box.
typedef struct gz_lattice {
    const graze_mesh *mesh;
    double low[3], step; ///< its corner, exactly floats, and the edge of a cell, mesh frame, metres
    double pad;          ///< no triangle comes within twice this of a cell that is not touched
    size_t n[3], count;  ///< cells along each axis, and in all: fewer than 2^23
    uint8_t *cells;      ///< 1 where a triangle may pass or come near, else 0
} gz_lattice;

/// Lays a lattice of about `wanted` cells (at most 2^21) and touches the cells at triangles. cells
/// is NULL, and true returned, where floats could not tell the cells apart. Where large triangles
/// lie in each other by the thousand, all cells are touched. False when out of memory. Cost:
/// O(triangles + cells).
bool gz_lattice_build(gz_lattice *out, const graze_mesh *mesh, size_t wanted);
/// Whether floats could: what is laid has cells.
bool gz_lattice_is_possible(const graze_mesh *mesh, size_t wanted);
void gz_lattice_clear(gz_lattice *lattice);

#endif
