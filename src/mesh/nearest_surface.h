/// How far is a point from the surface of a mesh?
#ifndef GZ_MESH_NEAREST_SURFACE_H
#define GZ_MESH_NEAREST_SURFACE_H

#include "mesh/mesh.h"

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
