/// The mean of coordinates, the same bits whatever their order.
#ifndef GZ_MESH_CAP_H
#define GZ_MESH_CAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mesh/bvh/box_tree.h"
#include "mesh/component.h"

/// A sum in fixed point: 256 bits in two's complement, least significant limb first, in units of
/// 2^-152. A coordinate of a mesh is 0 or of magnitude 2^-100 (GZ_SNAP_MIN) to 2^20
/// (GZ_COORDINATE_MAX), so it is a whole number of units; 2^32 of them stay below 2^204 units.
/// Zero-initialise.
typedef struct gz_exact_sum {
    uint64_t limb[4];
} gz_exact_sum;

/// Adds a coordinate of a mesh, exactly.
void gz_exact_sum_add(gz_exact_sum *sum, double x);

/// The sum divided by count > 0, rounded three times, each by at most 2^-53 of it. It depends on
/// the value of the sum alone, and the negated sum has the negated mean.
double gz_exact_sum_mean(const gz_exact_sum *sum, size_t count);

/// Lids for open components: the triangles that close them for the question of containment alone.

/// One triangle of a cap: an apex and a boundary edge against its open direction, so that with
/// them every directed edge of the component cancels.
typedef struct gz_cap_triangle {
    uint32_t apex;     ///< into gz_caps.apexes
    uint32_t from, to; ///< vertices of the mesh
    int32_t count;     ///< how often it counts
} gz_cap_triangle;

/// The caps of all open components of a mesh. The boundary of a component is the set of its
/// directed edges that do not cancel; at every vertex as many lead in as out, counted with `net`,
/// and so it is in each of its connected pieces (docs/solids.md). The cap of a piece is the cone
/// from the mean of its edges' starting points over its edges.
struct gz_caps {
    double *apexes; ///< x y z each, mesh frame
    size_t apex_count;
    gz_cap_triangle *triangles; ///< in the order of the tree's leaves
    size_t triangle_count;
    gz_box_tree tree; ///< over the triangles, mesh frame
};

/// Makes the caps from the open edges of the components that are to be capped; sets mesh->caps
/// (NULL where there is no such edge). False when out of memory, then mesh->caps is NULL.
bool gz_caps_build(graze_mesh *mesh, const gz_edge *edges, size_t edge_count);
void gz_caps_free(gz_caps *caps);

/// Winding numbers by a vertical ray, exact.

/// What one triangle adds to the winding number of p: +1 where the ray from p upwards (+z) leaves
/// through its outer side (normal with positive z), -1 where it enters, 0 where it misses. The sum
/// over a closed mesh that is oriented outward is 1 inside and 0 outside.
///
/// The ray is that of p + (e, e^2, e^3) for an infinitely small e > 0, so that edges and vertices
/// that it meets count exactly once; a vertical triangle never counts. On the surface itself the
/// answer is that of the shifted point. Coordinates as for math/predicate.h. Allocates nothing.
int gz_winding_crossing(const double p[3], const double t[3][3]);

#endif
