/// Which edges do a mesh's triangles leave open?
#ifndef GZ_MESH_COMPONENT_H
#define GZ_MESH_COMPONENT_H

#include "mesh/mesh.h"

/// An edge with all triangles that run along it. Triangles that name a vertex twice have no edge
/// that counts: what they add cancels.
typedef struct gz_edge {
    uint32_t low, high; ///< vertices, low < high
    int32_t net;        ///< how many more triangles run from low to high than back
    uint32_t uses;      ///< triangles
    uint32_t component;
} gz_edge;

typedef bool (*gz_edge_visit)(void *user, const gz_edge *edge);

/// Calls `each` with every edge, or with those alone whose directions do not cancel (net not 0),
/// ordered by low and high. Needs triangles and component_of. False when out of memory, or as soon
/// as `each` returns false. Cost: O(n) but for vertices shared by very many edges, O(k log k)
/// there.
bool gz_edges_visit(const graze_mesh *mesh, bool open_only, gz_edge_visit each, void *user);

/// Joins the ends of edges: union-find with path halving, over parent[] with parent[v] = v at
/// first. The lower index always wins, so the result depends on nothing but what was joined.
static inline uint32_t gz_find_root(uint32_t *parent, uint32_t v) {
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

static inline void gz_join(uint32_t *parent, uint32_t a, uint32_t b) {
    a = gz_find_root(parent, a);
    b = gz_find_root(parent, b);
    if (a < b) parent[b] = a;
    if (b < a) parent[a] = b;
}

/// Which triangles hang together, and is each part closed?

/// Fills component_of, components, component_count, closed_count and caps of a mesh whose vertices
/// and triangles are set. Returns false when out of memory (the mesh keeps what was filled; freeing
/// it is enough). Cost: O(n) but for vertices shared by very many edges, O(k log k) there.
bool gz_components_find(graze_mesh *mesh);

#endif
