/// Meshes: triangles as loaded, and as used: welded, in components, with bounds, trees and a proxy.
#ifndef GZ_MESH_MESH_H
#define GZ_MESH_MESH_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/shared.h"
#include "graze/geometry.h"

/// Unwelded (or partly welded) triangles, in the file's own order. Owned: free with gz_soup_free().
typedef struct gz_soup {
    double *vertices;                     ///< x y z each
    size_t vertex_count, vertex_capacity; ///< capacities in vertices and triangles
    uint32_t *triangles;                  ///< three vertex indices each, all below vertex_count
    size_t triangle_count, triangle_capacity;
    size_t skipped; ///< faces of one or two corners in the file, left out
    double unit;    ///< of a Collada file: metres per unit, as it says; else 0
    char up;        ///< of a Collada file: 'x', 'y' or 'z', as it says
} gz_soup;

/// An empty soup, or NULL when out of memory.
gz_soup *gz_soup_create(void);
/// Frees; NULL is allowed.
void gz_soup_free(gz_soup *soup);
/// Makes room for so many more; 0 when out of memory (nothing changed), else 1.
int gz_soup_reserve(gz_soup *soup, size_t more_vertices, size_t more_triangles);

/// Finds vertices that are equal bit for bit (no -0 allowed in the input): index[i] becomes the new
/// number of vertex i, numbered by first appearance, and vertices[] is compacted in place.
/// Returns the number of distinct vertices, or 0 when out of memory. Cost: O(n) expected, O(n log
/// n) whatever the vertices are. `steps`, of its hash table, are counted; NULL: not wanted.
size_t gz_weld(double *vertices, size_t vertex_count, uint32_t *index, uint64_t *steps);

/// Steps in its hash table, per vertex and at least, after which welding sorts instead. Lattices,
/// grids and models from files need two or three per vertex.
#define GZ_WELD_STEPS       16
#define GZ_WELD_STEPS_LEAST 1024

/// Children of a node, and triangles of a packet: one lane each.
#define GZ_WIDTH 8

/// Largest coordinate that any vertex, given or snapped, may have: 2^20 m.
#define GZ_COORDINATE_MAX 0x1p20

/// Up to eight children in structure-of-arrays. Boxes are float, rounded outward: each contains the
/// exact double vertices of its triangles. Empty lanes hold boxes that overlap nothing.
typedef struct gz_node {
    float center[3][GZ_WIDTH];
    float half[3][GZ_WIDTH]; ///< -1e30 in empty lanes
    int32_t child[GZ_WIDTH]; ///< >= 0: node index; < 0: packet index ~child; empty lanes 0
    int32_t count;           ///< lanes in use, from 0
} gz_node;

/// Up to eight triangles in structure-of-arrays, vertices rounded to float. Empty lanes repeat the
/// first triangle.
typedef struct gz_packet {
    float vertex[3][3][GZ_WIDTH]; ///< [corner][axis][lane]
    uint32_t triangle[GZ_WIDTH];  ///< index into gz_mesh.triangles
    int32_t count;
} gz_packet;

/// An axis-aligned box in the mesh frame, float, containing.
typedef struct gz_box {
    float center[3], half[3];
} gz_box;

/// Triangles connected through shared (welded) vertices.
typedef struct gz_component {
    bool closed;         ///< every directed edge is cancelled by its reverse, counted exactly
    bool capped;         ///< open, and closed by triangles of the mesh's caps
    uint32_t triangle;   ///< its lowest triangle
    uint32_t vertex;     ///< a vertex of it: the one lowest in x, then y, then z
    uint32_t extreme[6]; ///< vertices lowest and highest in x, y, z
    uint32_t triangle_count;
    graze_aabb box;
} gz_component;

/// What closes the open components (mesh/cap.h).
typedef struct gz_caps gz_caps;

/// Precomputed data that decides most pairs (mesh/prefilter/mesh_proxy.h).
typedef struct gz_mesh_proxy gz_mesh_proxy;

/// Immutable once built.
struct graze_mesh {
    size_t vertex_count, triangle_count;
    double *vertices;    ///< x y z each, welded: no two are equal; -0 is stored as +0
    uint32_t *triangles; ///< three indices each, in the order given
    size_t given_vertex_count, degenerate_count;

    uint32_t *component_of; ///< per triangle
    gz_component *components;
    size_t component_count, closed_count;
    graze_aabb closed_box; ///< of the closed components; meaningless when there are none
    gz_caps *caps;         ///< NULL where no component is capped

    graze_sphere sphere; ///< bounds, containing every vertex
    graze_aabb aabb;
    graze_obb obb;
    double max_abs; ///< largest |coordinate| of any vertex

    gz_node *nodes; ///< nodes[0] is the root, when node_count > 0
    gz_packet *packets;
    gz_box *node_boxes, *packet_boxes;
    size_t node_count, packet_count;
    int32_t root; ///< as gz_node.child: 0, or ~0 where one packet holds all

    gz_node *component_nodes; ///< tree over the components' boxes; child < 0 is component ~child
    size_t component_node_count;
    int32_t component_root;

    gz_mesh_proxy *proxy; ///< NULL where the mesh is small

    gz_shared shared;  ///< owners: graze_mesh_free() is for each
    gz_keeper *keeper; ///< of a compiled file: what the mesh lies in; else NULL
};

/// A corner (0 to 2) of a triangle: x y z.
static inline const double *gz_mesh_corner(const graze_mesh *mesh, size_t triangle, size_t corner) {
    return mesh->vertices + 3 * (size_t)mesh->triangles[3 * triangle + corner];
}

/// Adds an owner, which frees the mesh too. Returns the mesh.
graze_mesh *gz_mesh_hold(const graze_mesh *mesh);

/// What a mesh is for, which decides what its proxy contains (mesh/prefilter/mesh_proxy.h).
typedef enum gz_mesh_role {
    GZ_MESH_LINK,  ///< a part of a robot, or what it carries; boxes everywhere
    GZ_MESH_OBJECT ///< a part of a world, which links move in
} gz_mesh_role;

/// Welds, finds components, bounds, builds the tree and the proxy. Vertices are moved by `place`
/// first (NULL: not), each rounded once: fl(R v + t) as graze_transform_point(). When `flip`, the
/// winding is reversed. Errors as graze_mesh_create().
graze_status gz_mesh_build(graze_mesh **out, const gz_soup *soup, const graze_transform *place,
                           bool flip, gz_mesh_role role, graze_error *error);

/// As gz_mesh_build(), from the soup's own arrays, which it has no longer: half the memory.
graze_status gz_mesh_build_of(graze_mesh **out, gz_soup *soup, const graze_transform *place,
                              gz_mesh_role role, graze_error *error);

/// As gz_mesh_hold(), where the mesh's proxy suits this role; else builds such a mesh.
graze_status gz_mesh_share(graze_mesh **out, const graze_mesh *mesh, gz_mesh_role role,
                           graze_error *error);

/// As gz_mesh_share() where `place` is the identity bit for bit; else builds a mesh there.
graze_status gz_mesh_share_at(graze_mesh **out, const graze_mesh *mesh,
                              const graze_transform *place, gz_mesh_role role, graze_error *error);

/// Proves the invariants of a mesh, for debug builds and tests, in exact arithmetic: that every box
/// of a node, packet or component, the sphere, the axis-aligned and the oriented box contain the
/// vertices below them, that packets hold their triangles' vertices rounded to the nearest float,
/// and each triangle is in one packet; that each component is in one leaf of the components' tree;
/// and, by finding them once more, that the components, which of them are closed, their extreme
/// vertices and the caps are the triangles'.
/// @return GRAZE_OK; GRAZE_ERROR_MESH, naming what does not hold; GRAZE_ERROR_NO_MEMORY
/// Cost: about a microsecond a vertex.
graze_status gz_mesh_validate(const graze_mesh *mesh, graze_error *error);

/// gz_mesh_validate(), and the end of the program when an invariant does not hold: what builds with
/// GRAZE_VALIDATE (Debug) do with every mesh.
graze_status gz_mesh_validate_or_abort(const graze_mesh *mesh, graze_error *error);

#endif
