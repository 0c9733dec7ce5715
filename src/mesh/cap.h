/// Caps of open components: the triangles that close them for containment tests alone; and winding
/// numbers.
#ifndef GZ_MESH_CAP_H
#define GZ_MESH_CAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/field_table.h"
#include "mesh/bvh/box_tree.h"
#include "mesh/component.h"

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
extern const gz_type gz_type_caps; ///< its field table

/// Makes the caps from the open edges of the components that are to be capped; sets mesh->caps,
/// which is NULL before, where there is such an edge. False when out of memory (the mesh keeps what
/// was made; freeing it is enough).
bool gz_caps_build(graze_mesh *mesh, const gz_edge *edges, size_t edge_count);

/// The contribution of one triangle to the winding number of p, exact: +1 where the ray from p
/// upwards (+z) leaves through its outer side (normal with positive z), -1 where it enters, 0 where
/// it misses. The sum over a closed mesh that is oriented outward is 1 inside and 0 outside.
///
/// The ray is that of p + (e, e^2, e^3) for an infinitely small e > 0, so that edges and vertices
/// that it passes count exactly once; a vertical triangle never counts. On the surface itself the
/// answer is that of the shifted point. Coordinates as for math/predicate.h. Allocates nothing.
int gz_winding_crossing(const double p[3], const double t[3][3]);

#endif
