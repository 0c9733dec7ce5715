/// Lids for open components: the triangles that close them for the question of containment alone.
#ifndef GZ_MESH_CAP_H
#define GZ_MESH_CAP_H

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

/// Makes the caps from the open edges of the components that are to be capped; sets mesh->caps
/// (NULL where there is no such edge). False when out of memory, then mesh->caps is NULL.
bool gz_caps_build(graze_mesh *mesh, const gz_edge *edges, size_t edge_count);
void gz_caps_free(gz_caps *caps);
/// Bytes that they hold; 0 for NULL.
size_t gz_caps_bytes(const gz_caps *caps);

#endif
