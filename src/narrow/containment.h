/// Is a point inside a closed mesh? Exact winding numbers, found through the tree.
#ifndef GZ_NARROW_CONTAINMENT_H
#define GZ_NARROW_CONTAINMENT_H

#include "graze/check.h"
#include "mesh/mesh.h"

/// The winding number of a world point with respect to the closed components of a posed mesh. The
/// point must not lie on their surface.
int gz_winding_number(const double point[3], const graze_mesh *mesh, const double pose[12],
                      graze_stats *stats);

/// Whether some component of `part`, none of whose triangles meets `whole`, lies inside the closed
/// components of `whole` (winding number not 0). *triangle is the lowest triangle of the lowest
/// such component.
bool gz_mesh_contains(const graze_mesh *whole, const double pose_whole[12], const graze_mesh *part,
                      const double pose_part[12], uint32_t *triangle, graze_stats *stats);

/// Whether a world point, not on the surface, lies inside the closed components.
bool gz_mesh_contains_point(const graze_mesh *whole, const double pose_whole[12],
                            const double point[3], graze_stats *stats);

#endif
