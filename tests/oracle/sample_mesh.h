/// Small meshes in awkward shapes, for the oracles.
#ifndef GRAZE_TESTS_SAMPLE_MESH_H
#define GRAZE_TESTS_SAMPLE_MESH_H

#include <stddef.h>
#include <stdint.h>

#include "base/random.h"

typedef struct sample_mesh {
    size_t vertex_count, triangle_count;
    double *vertices;
    uint32_t *triangles;
} sample_mesh;

void sample_mesh_clear(sample_mesh *mesh);
sample_mesh sample_mesh_copy(const double *vertices, size_t vertex_count, const uint32_t *triangles,
                             size_t triangle_count);

/// A closed box from low to high, each face n by n squares of two triangles.
sample_mesh sample_box(const double low[3], const double high[3], uint32_t n);
/// An icosahedron, each face cut into 4^levels, on the unit sphere times radius.
sample_mesh sample_icosphere(double radius, int levels);
/// A mesh, freed, without what lies above a height: triangles with no corner below it, and vertices
/// that no triangle has then.
sample_mesh sample_cut(sample_mesh closed, double height);
/// Triangles that are long and thin down to 1e-12 of their length, in all directions.
sample_mesh sample_needles(gz_random *random, size_t count);
/// Triangles on the points of an 8 x 8 x 8 lattice of step 1/8: many share vertices, edges and
/// planes; every fifth is a segment or a point.
sample_mesh sample_lattice(gz_random *random, size_t count);
/// Every edge halved and each triangle cut into four around the middle one: child 4 t + i is of
/// triangle t. Exact where the sums of two coordinates are.
sample_mesh sample_split(const sample_mesh *mesh);

#endif
