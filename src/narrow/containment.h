/// Points and meshes inside a closed mesh: exact winding numbers, found through the tree.
///
/// Closed components count; with `cap` the open ones, too, closed by their caps (mesh/cap.h).
#ifndef GZ_NARROW_CONTAINMENT_H
#define GZ_NARROW_CONTAINMENT_H

#include "graze/check.h"
#include "mesh/mesh.h"

/// The winding number of a world point with respect to the components of a posed mesh that count.
/// The point must not lie on their surface, nor on a cap.
int gz_winding_number(const double point[3], const graze_mesh *mesh, const double pose[12],
                      bool cap, graze_stats *stats);

/// The winding number of the other closed components of a mesh around the lowest vertex of one, in
/// the mesh's frame; on their surface that of a point next to it.
int gz_winding_number_of_others(uint32_t component, const graze_mesh *mesh);

/// A component that lies inside.
typedef struct gz_contained {
    uint32_t component; ///< the lowest that does
    uint32_t triangle;  ///< its lowest triangle
    uint32_t vertex;    ///< without caps a corner of that triangle, else a vertex that lies inside
} gz_contained;

/// Whether some component of `inner`, none of whose triangles overlaps `whole`, lies inside
/// (winding number not 0): with `cap` whether some of its vertices, off the caps, does. `left`:
/// work that may still be done, NULL for no limit; where it is spent on the way the answer is
/// false.
bool gz_mesh_contains(const graze_mesh *whole, const double pose_whole[12], bool cap,
                      const graze_mesh *inner, const double pose_inner[12], gz_contained *contained,
                      uint64_t *left, graze_stats *stats);

/// Whether a world point, not on the surface, lies inside; a point on a cap does not. `left` as in
/// gz_mesh_contains().
bool gz_mesh_contains_point(const graze_mesh *whole, const double pose_whole[12], bool cap,
                            const double point[3], uint64_t *left, graze_stats *stats);

#endif
