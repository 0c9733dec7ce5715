/// Triangle against triangle under a margin: is their distance at most that? And where are they
/// nearest?
///
/// All sets are closed, and a triangle without area is the segment or point that its corners span.
/// Coordinates are snapped ones: 0, or of magnitude 2^-100 to 2^20. Nothing is allocated.
#ifndef GZ_NARROW_TRIANGLE_DISTANCE_H
#define GZ_NARROW_TRIANGLE_DISTANCE_H

#include <stdbool.h>

#include "narrow/triangle/triangle.h"

/// Margins for which the answer is exact; snapped triangles are never 2^22 m apart.
#define GZ_MARGIN_MIN 0x1p-90
#define GZ_MARGIN_MAX 0x1p22

/// Whether two triangles that do not meet (gz_triangles_overlap_exact() says so) are at most
/// `margin` apart, GZ_MARGIN_MIN to GZ_MARGIN_MAX: exactly, so that the answer depends on no order
/// of corners or arguments, and what is near at one margin is near at every greater one. Adds 1 to
/// stats->exact_tests (may be NULL) where doubles cannot tell.
bool gz_triangles_near(const double a[3][3], const double b[3][3], double margin,
                       gz_triangle_stats *stats);

/// The same without doubles (triangle_distance_exact.c): some 10 us.
bool gz_triangles_near_exact(const double a[3][3], const double b[3][3], double margin);

/// For triangles that do not meet: a point of each, nearest to the other but for rounding. Returns
/// their distance: not less than the real one but by 2^-47 of the triangles' extents.
double gz_triangles_nearest(const double a[3][3], const double b[3][3], double point_a[3],
                            double point_b[3]);

#endif
