/// Lattices over a mesh, and the point tests that fill their cells: inside, and distance.
#ifndef GZ_MESH_PREFILTER_LATTICE_H
#define GZ_MESH_PREFILTER_LATTICE_H

#include <stdbool.h>

#include "mesh/mesh.h"

/// A lattice of cubes, x fastest, that extends at least a cell and a half beyond the mesh's box.
typedef struct gz_lattice {
    const graze_mesh *mesh;
    double low[3], step; ///< its corner, exactly floats, and the edge of a cell, mesh frame, metres
    double pad;          ///< no triangle comes within twice this of an unmarked cell
    size_t n[3], count;  ///< cells along each axis, and in all: fewer than 2^23
    uint8_t *cells;      ///< 1 where a triangle may pass or come near, else 0
} gz_lattice;

/// Builds a lattice of about `wanted` cells (at most 2^21) and marks the cells that a triangle may
/// pass or come near. cells is NULL, and true returned, where floats could not distinguish the
/// cells. Where thousands of large triangles overlap, all cells are marked. False when out of
/// memory. Cost: O(triangles + cells).
bool gz_lattice_build(gz_lattice *out, const graze_mesh *mesh, size_t wanted);
/// Whether floats can distinguish the cells of such a lattice.
bool gz_lattice_is_possible(const graze_mesh *mesh, size_t wanted);
void gz_lattice_clear(gz_lattice *lattice);
/// The middle of a cell, mesh frame.
void gz_lattice_middle(const gz_lattice *lattice, size_t cell, double middle[3]);

/// Whether the closed components of a mesh, all together, wind around a point that is not on the
/// surface: what they enclose twice, the other way round, is a cavity. Exact. `left` becomes less,
/// down to 0, by the nodes and triangles visited.
bool gz_region_is_inside(const graze_mesh *mesh, const double point[3], uint64_t *left);

/// Adds flags to the cells of a lattice that hold a clearance map's values, and sets to 0 the
/// values of cells that no neighbour's ball overlaps; and of all that come when `visits` are used
/// up. False when out of memory. Cost: O(cells), and a ray for each set of cells whose balls
/// overlap.
bool gz_region_mark_balls(gz_lattice *lattice, uint64_t visits);

/// Flags the unmarked cells of a lattice that are inside: each connected region of these by one
/// ray. All other bits of the cells change. False when out of memory. Cost: O(cells), and the rays.
bool gz_region_mark_free(gz_lattice *lattice, uint64_t visits);

/// Most subtrees of one query for a distance.
#define GZ_SUBTREES_MOST 32

/// A lower bound of the distance from a point of the mesh's frame to the triangles of some
/// subtrees, named as by gz_node.child: below it by some 2^-15 of it and 2^-17 of the sizes
/// involved, near slivers by more; 0 for meshes of less than a millimetre. Where they are farther
/// than `most`, some bound above `most`. With `unit` above 0 the number of whole steps of so many
/// metres in such a bound, which is cheaper. Cost: O(log n) where most is near the distance, O(n)
/// where triangles overlap: `left` is how many nodes and packets may be visited, and is reduced by
/// those that were; 0 where they are too few.
float gz_nearest_surface(const graze_mesh *mesh, const int32_t *subtrees, int count,
                         const float point[3], float most, float unit, uint64_t *left);

// It is compiled per instruction set; the results have the same bits.
float gz_nearest_surface_base(const graze_mesh *mesh, const int32_t *subtrees, int count,
                              const float point[3], float most, float unit, uint64_t *left);
#ifdef GRAZE_HAVE_AVX2
float gz_nearest_surface_avx2(const graze_mesh *mesh, const int32_t *subtrees, int count,
                              const float point[3], float most, float unit, uint64_t *left);
#endif

#endif
