/// Bounds of point sets: sphere, axis-aligned box, oriented box; each certainly contains every
/// point, in real arithmetic, for the numbers as stored.
#ifndef GZ_MESH_BOUND_H
#define GZ_MESH_BOUND_H

#include "graze/types.h"

/// Coordinates (x y z each) must be finite and of magnitude at most 2^100; n = 0 gives a bound of
/// the origin. All three are deterministic and use + - * / and square roots only.

/// The smallest box; exact.
graze_aabb gz_bound_aabb(const double *v, size_t n);

/// A ball at most about 1e-9 larger than the smallest one (Gaertner's pivoting). Cost: a few
/// passes.
graze_sphere gz_bound_sphere(const double *v, size_t n);

/// A box of small surface: locally the smallest around the points, and never worse than the
/// axis-aligned one. Axes orthonormal to 2^-49 per entry of A^T A - I, right-handed. Cost: about
/// ten passes.
graze_obb gz_bound_obb(const double *v, size_t n);

/// The box with these axes (columns orthonormal to 2^-49, as gz_bound_axes() makes them) around the
/// points, grown by `radius` on all sides where radial[i] is true; for the shapes that have a
/// radius.
graze_obb gz_bound_obb_along(const double *v, size_t n, const double axis[3][3], double radius,
                             const bool radial[3]);

/// Orthonormal right-handed axes, the first along `first`, the second in the plane of both; zero or
/// parallel vectors are replaced by some that are not.
void gz_bound_axes(double axis[3][3], const double first[3], const double second[3]);

#endif
