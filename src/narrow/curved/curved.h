/// Spheres, capsules and cylinders against triangles and each other, with certified answers.
#ifndef GZ_NARROW_CURVED_CURVED_H
#define GZ_NARROW_CURVED_CURVED_H

#include <stdbool.h>

#include "graze/robot.h"

/// A curved solid as snapped, world frame: the points within `radius` of the segment a-b (sphere:
/// a = b; capsule), or the flat-ended cylinder with the axis a-b. A cylinder whose ends coincide
/// has no direction and counts as the ball that holds it in any.
typedef struct gz_curved {
    graze_shape kind; ///< GRAZE_SHAPE_SPHERE, _CYLINDER or _CAPSULE
    double a[3], b[3];
    double radius;
} gz_curved;

/// Whether the closed solid and the closed triangle (a segment or a point where it has no area)
/// are at most `margin` >= 0 apart. False is a proof that their distance exceeds the margin; true
/// means that it is at most margin + 1e-9 while the two together span at most 400 m, and margin +
/// 2.5e-12 times that span beyond (docs/shapes.md derives both). `point` (may be NULL) receives a
/// point near the contact. Deterministic, allocates nothing, bounded iterations.
bool gz_curved_triangle_collide(const gz_curved *s, const double t[3][3], double margin,
                                double point[3]);

/// What proofs by margins leave for that, metres, and for rounding of their own: the middles of
/// boxes of configurations, and what is posed in a frame of its own.
#define GZ_CURVED_TOLERANCE 4e-9

/// gz_curved_triangle_collide() for two curved solids.
bool gz_curved_pair_collide(const gz_curved *s, const gz_curved *t, double margin, double point[3]);

/// Bounds of the distance of a curved solid and a triangle, a function of their snapped places
/// alone.
/// @param point  [out] a point of each surface, the solid's first, as far apart as the upper bound,
///               but for rounding; of sets that overlap any in both
/// @param normal [out] unit, from the solid to the triangle; 0 where nothing is known
/// @param lower  [out] no more than the distance; at most 2e-10 m below it while both together span
///               at most 400 m, and 2^-41 of that beyond
/// @return the upper bound; of sets that overlap what rounding may be, some 1e-14 of their span
double gz_curved_triangle_distance(const gz_curved *s, const double t[3][3], double point[2][3],
                                   double normal[3], double *lower);

/// gz_curved_triangle_distance() for two curved solids.
double gz_curved_pair_distance(const gz_curved *s, const gz_curved *t, double point[2][3],
                               double normal[3], double *lower);

/// A point inside.
void gz_curved_center(const gz_curved *s, double p[3]);

#endif
