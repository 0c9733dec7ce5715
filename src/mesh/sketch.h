/// The little of a mesh that decides most questions about it: where it ends, some of its points,
/// and where its inside is for certain.
#ifndef GZ_MESH_SKETCH_H
#define GZ_MESH_SKETCH_H

#include "mesh/mesh.h"
#include "mesh/prefilter/cell_map.h"
#include "mesh/prefilter/mesh_proxy.h"

/// Most points of each kind: eight groups of eight.
#define GZ_PROXY_GROUPS 8

/// Points in groups of eight, [axis][lane], rounded to float; the last group repeats its first.
typedef struct gz_point_set {
    float group[GZ_PROXY_GROUPS][3][GZ_WIDTH];
    int32_t count; ///< groups
} gz_point_set;

/// Most spheres of a cover.
#define GZ_PROXY_SPHERES 16

/// A sphere in float that holds what it covers, rounding included.
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
    gz_point_set corners;     ///< vertices that are extreme along evenly spread directions
    gz_point_set probes;      ///< vertices of the component with most triangles, spread over it
    float center[3], half[3]; ///< about the mesh's box
    double span;              ///< two vertices of the probes' component are at least this far apart
    double enclosure;         ///< nothing as long as this fits into a component that is closed or
                              ///< capped; 0 where there is none
    double shortest;          ///< every component is at least this long
    gz_bounding_sphere cover[GZ_PROXY_SPHERES]; ///< together they hold every vertex and triangle
    int32_t cover_count;
    gz_sphere_set fine; ///< together they do so, too
    gz_inside_map inside;
    gz_clearance_map clearance;
    gz_component_proxy *parts; ///< of a mesh with a clearance map: one per component
    size_t part_count;
} gz_mesh_proxy;

/// Meshes of fewer triangles have no sketch but for their clearance map: their trees are as quick.
#define GZ_PROXY_TRIANGLES_MIN 16

/// Sketches a mesh whose components and tree are set: *out is NULL for small ones. Links are asked
/// for what is inside of them; large objects, and those around links, such as rooms and rocky
/// grounds, have clearances and parts instead. False when out of memory. Cost: O(n).
bool gz_mesh_proxy_build(gz_mesh_proxy **out, const graze_mesh *mesh, gz_mesh_role role);
/// Whether the sketch of a mesh, whatever it was built for, is that of this role.
bool gz_mesh_proxy_suits(const graze_mesh *mesh, gz_mesh_role role);
void gz_mesh_proxy_free(gz_mesh_proxy *sketch);
size_t gz_mesh_proxy_bytes(const gz_mesh_proxy *sketch);

#endif
