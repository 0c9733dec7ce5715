/// Which cells of a lattice over a mesh may a triangle pass, or come near?
#ifndef GZ_MESH_PREFILTER_LATTICE_H
#define GZ_MESH_PREFILTER_LATTICE_H

#include <stdbool.h>

#include "mesh/mesh.h"
#include "mesh/prefilter/cell_map.h"

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

/// What lies inside of a mesh?

/// Whether the closed components of a mesh, all together, wind around a point that is not on the
/// surface: what they enclose twice, the other way round, is a cavity. Exact. `left` becomes less,
/// down to 0, by the nodes and triangles that were looked at.
bool gz_region_is_inside(const graze_mesh *mesh, const double point[3], uint64_t *left);

/// Adds flags to the cells of a lattice that hold a clearance map's values, and sets to 0 the
/// values of cells that no neighbour's ball reaches; and of those that come when no look is left.
/// False when out of memory. Cost: O(cells), and a ray for each set of cells whose balls overlap.
bool gz_region_mark_balls(gz_lattice *lattice, uint64_t looks);

/// How far is a point from the surface of a mesh?

/// Most subtrees that can be asked at once.
#define GZ_SUBTREES_MOST 32

/// A lower bound of the distance from a point of the mesh's frame to the triangles of some
/// subtrees, named as by gz_node.child: below it by some 2^-15 of it and 2^-17 of the sizes
/// involved, near slivers by more; 0 for meshes of less than a millimetre. Where they are farther
/// than `most`, some bound above `most`. Cost: O(log n) where most is near the distance, O(n) where
/// triangles overlap: `left` is how many nodes and packets may be looked into, and becomes what is
/// left of these; where they do not do, 0.
float gz_surface_distance_among(const graze_mesh *mesh, const int32_t *subtrees, int count,
                                const float point[3], float most, uint64_t *left);

/// How many whole steps of `unit` metres that bound is at least, of all triangles; sooner known.
/// Where the surface is farther than `most`, at least the steps of that.
float gz_surface_steps_below(const graze_mesh *mesh, const float point[3], float most, float unit,
                             uint64_t *left);

// The same for one set of instructions each, and the same bits.
float gz_surface_distance_among_base(const graze_mesh *mesh, const int32_t *subtrees, int count,
                                     const float point[3], float most, uint64_t *left);
float gz_surface_steps_below_base(const graze_mesh *mesh, const float point[3], float most,
                                  float unit, uint64_t *left);
#ifdef GRAZE_HAVE_AVX2
float gz_surface_distance_among_avx2(const graze_mesh *mesh, const int32_t *subtrees, int count,
                                     const float point[3], float most, uint64_t *left);
float gz_surface_steps_below_avx2(const graze_mesh *mesh, const float point[3], float most,
                                  float unit, uint64_t *left);
#endif

#endif
