/// Winding numbers by a vertical ray, exact.
#ifndef GZ_MESH_WINDING_H
#define GZ_MESH_WINDING_H

/// What one triangle adds to the winding number of p: +1 where the ray from p upwards (+z) leaves
/// through its outer side (normal with positive z), -1 where it enters, 0 where it misses. The sum
/// over a closed mesh that is oriented outward is 1 inside and 0 outside.
///
/// The ray is that of p + (e, e^2, e^3) for an infinitely small e > 0, so that edges and vertices
/// that it meets count exactly once; a vertical triangle never counts. On the surface itself the
/// answer is that of the shifted point. Coordinates as for math/predicate.h. Allocates nothing.
int gz_winding_crossing(const double p[3], const double t[3][3]);

#endif
