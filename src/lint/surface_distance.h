/// How far is a point from a mesh, and is it inside? For judging likeness, not for verdicts:
/// rounded, in double.
#ifndef GZ_LINT_SURFACE_DISTANCE_H
#define GZ_LINT_SURFACE_DISTANCE_H

#include "graze/geometry.h"

/// The distance of a point from the nearest point of any triangle; `bound` where it is at least
/// that much. Allocates nothing. Cost: logarithmic in the number of triangles for points nearby.
double gz_surface_distance(const graze_mesh *mesh, const double p[3], double bound);

/// How often the surface winds around a point: the solid angle that it takes up, in whole spheres.
/// 1 inside a closed surface that is wound outward, 0 outside; in between at holes, where 1/2 is
/// the natural border. Allocates nothing. Cost: O(n).
/// Source: Van Oosterom and Strackee, The solid angle of a plane triangle (1983); Jacobson, Kavan
/// and Sorkine-Hornung, Robust inside-outside segmentation using generalized winding numbers
/// (2013).
double gz_surface_winding(const graze_mesh *mesh, const double p[3]);

#endif
