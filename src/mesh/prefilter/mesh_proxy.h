/// Mesh proxies: precomputed data that decides most pairs without the triangles: bounds, some of
/// the vertices, and maps of the inside.
#ifndef GZ_MESH_PREFILTER_MESH_PROXY_H
#define GZ_MESH_PREFILTER_MESH_PROXY_H

#include <stdbool.h>

#include "mesh/mesh.h"
#include "mesh/prefilter/cell_map.h"

/// Most inner ellipsoids of a component.
#define GZ_INNER_ELLIPSOIDS 4

/// An ellipsoid along the axes of the mesh, in float.
typedef struct gz_inner_ellipsoid {
    float center[3], half[3];
} gz_inner_ellipsoid;

/// A box and a sphere that contain a component, or a mesh, and ellipsoids inside of it.
typedef struct gz_component_proxy {
    float center[3], half[3], radius; ///< the box; the sphere has the same centre
    int32_t inner_count;
    gz_inner_ellipsoid
        inner[GZ_INNER_ELLIPSOIDS]; ///< hold nothing of the mesh's surface; the closed components
                                    ///< wind around them, all together
} gz_component_proxy;

static inline gz_box gz_component_proxy_box(const gz_component_proxy *proxy) {
    const float *c = proxy->center, *h = proxy->half;
    return (gz_box){{c[0], c[1], c[2]}, {h[0], h[1], h[2]}};
}

/// Describes every component of a mesh whose tree is set. False when out of memory. Cost: O(n), and
/// some hundred searches of the tree for each closed component.
bool gz_component_proxies_build(gz_component_proxy **out, const graze_mesh *mesh);

/// Describes a mesh, whose tree is set, by one proxy. Cost: as above.
gz_component_proxy gz_component_proxy_make(const graze_mesh *mesh);

/// Whether a mesh is one closed component, every triangle of it in a face of its box. Then an
/// inner ellipsoid, where there is one, touches the faces of a box that the mesh winds around.
bool gz_mesh_is_box(const graze_mesh *mesh);

/// Most points of each kind: eight groups of eight.
#define GZ_PROXY_GROUPS 8

/// Points in groups of eight, [axis][lane], rounded to float; the last group repeats its first.
typedef struct gz_point_set {
    float group[GZ_PROXY_GROUPS][3][GZ_WIDTH];
    int32_t count; ///< groups
} gz_point_set;

/// Most spheres of the coarse set.
#define GZ_PROXY_SPHERES 16

/// A sphere in float that contains its triangles, rounding included.
typedef struct gz_bounding_sphere {
    float center[3], radius;
} gz_bounding_sphere;

/// Spheres around small subtrees, in groups of eight; the last group repeats its first.
typedef struct gz_sphere_set {
    float group[GZ_PROXY_GROUPS][4][GZ_WIDTH];     ///< centre and radius, as gz_bounding_sphere
    int32_t reference[GZ_PROXY_GROUPS * GZ_WIDTH]; ///< as gz_node.child
    int32_t count;                                 ///< spheres
} gz_sphere_set;

typedef struct gz_mesh_proxy {
    gz_point_set
        support; ///< support points: vertices that are extreme along evenly spread directions
    float support_radius[GZ_PROXY_GROUPS]
                        [GZ_WIDTH]; ///< of balls around them, whose convex hull holds the mesh
    gz_point_set samples;     ///< vertices of the component with most triangles, spread over it
    float center[3], half[3]; ///< about the mesh's box
    double span;      ///< two vertices of the samples' component are at least this far apart
    double enclosure; ///< nothing as long as this fits into a component that is closed or
                      ///< capped; 0 where there is none
    double shortest;  ///< every component is at least this long
    gz_bounding_sphere spheres[GZ_PROXY_SPHERES]; ///< together they contain every triangle
    int32_t sphere_count;
    gz_sphere_set sphere_set; ///< a finer set
    gz_inside_map inside;
    gz_clearance_map clearance;
    gz_component_proxy *components; ///< of a mesh with a clearance map: one per component
    size_t component_count;
} gz_mesh_proxy;

/// Meshes of fewer triangles have a proxy only for a clearance map: their trees are as quick.
#define GZ_PROXY_TRIANGLES_MIN 16

/// Builds the proxy of a mesh whose components and tree are set: *out is NULL for small ones. Links
/// have an inside map; large objects, and those around links, such as halls and rocky grounds, have
/// a clearance map and component proxies instead. False when out of memory (*out keeps what was
/// made; freeing the mesh is enough). Cost: O(n).
bool gz_mesh_proxy_build(gz_mesh_proxy **out, const graze_mesh *mesh, gz_mesh_role role);
/// Finds the radii of the support points' balls. Cost: O(vertices), some 0.1 us each.
void gz_support_radii_find(gz_mesh_proxy *proxy, const graze_mesh *mesh);
/// Whether the proxy of a mesh is as this role needs it.
bool gz_mesh_proxy_suits(const graze_mesh *mesh, gz_mesh_role role);

#endif
