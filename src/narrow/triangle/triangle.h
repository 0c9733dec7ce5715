/// Triangle against triangle: the exact verdict, and the set where two triangles meet.
///
/// All sets are closed. A triangle without area is the segment or point that its corners span.
/// Corners are doubles that are 0 or of magnitude 2^-140 to 2^140 (predicate.h); for these every
/// verdict is exact, so it cannot depend on the order of corners or arguments. Nothing is
/// allocated.
#ifndef GZ_NARROW_TRIANGLE_TRIANGLE_H
#define GZ_NARROW_TRIANGLE_TRIANGLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Nine doubles, or a double[3][3] that is not const, as the argument that the tests take: C17 does
/// not add that const by itself.
#define GZ_CORNERS(t) ((const double(*)[3])(t))

/// What the tests did; the caller zeroes it once and sums over as many calls as it likes.
typedef struct gz_triangle_stats {
    uint64_t tests;       ///< pairs of triangles
    uint64_t exact_tests; ///< of these, where plain doubles could not tell
    uint64_t exact_signs; ///< determinants computed in more than doubles
} gz_triangle_stats;

/// Whether two triangles share a point. stats may be NULL.
/// Moeller's test (1997, "A fast triangle-triangle intersection test") on exact signs.
bool gz_triangles_overlap_exact(const double a[3][3], const double b[3][3],
                                gz_triangle_stats *stats);

/// For triangles that meet: the two end points of the set where they meet, rounded; of a shared
/// polygon two corners that are farthest apart. Returns the number of distinct points, 1 or 2; both
/// are written, in lexicographic order. Never NaN, and inside both triangles' bounding boxes.
int gz_triangles_segment(const double a[3][3], const double b[3][3], double segment[2][3]);

/// Whether the segment pq (a point, if p = q) and a triangle share a point.
bool gz_segment_intersects_triangle(const double p[3], const double q[3], const double t[3][3]);

/// Triangle against triangle under a margin: is their distance at most that? And where are they
/// nearest?
///
/// All sets are closed, and a triangle without area is the segment or point that its corners span.
/// Coordinates are snapped ones: 0, or of magnitude 2^-100 to 2^20. Nothing is allocated.

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
