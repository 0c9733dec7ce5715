/// The caps of a posed mesh: what they add to winding numbers, what lies on them, and what is near.
#ifndef GZ_NARROW_POSED_CAP_H
#define GZ_NARROW_POSED_CAP_H

#include "mesh/vertical_ray.h"

/// What the caps of a mesh (not NULL) add to the winding number of a world point, whose half line
/// is `ray`.
int gz_caps_crossings(const double point[3], const gz_vertical_ray *ray, const graze_mesh *mesh,
                      const double pose[12]);

/// Whether a world point lies on a cap, exactly.
bool gz_caps_touch(const double point[3], const gz_vertical_ray *ray, const graze_mesh *mesh,
                   const double pose[12]);

/// Calls `each` with the triangles of `part` that may meet a cap of `whole` (not NULL), some of
/// them several times; certainly with all that do.
void gz_caps_visit_near(const graze_mesh *whole, const double pose_whole[12],
                        const graze_mesh *part, const double pose_part[12],
                        void (*each)(void *user, uint32_t triangle), void *user);

#endif
