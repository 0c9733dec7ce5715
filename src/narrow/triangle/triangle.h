/// Triangle against triangle: the exact verdict, and the intersection of two triangles.
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
    uint64_t exact_tests; ///< of these, where plain doubles could not decide
    uint64_t exact_signs; ///< determinants computed in more than doubles
} gz_triangle_stats;

/// Whether two triangles share a point. stats may be NULL.
/// Moeller's test (1997, "A fast triangle-triangle intersection test") on exact signs.
bool gz_triangles_overlap_exact(const double a[3][3], const double b[3][3],
                                gz_triangle_stats *stats);

/// For triangles that overlap: the two end points of their intersection, rounded; of a shared
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

/// Whether two triangles that do not overlap (gz_triangles_overlap_exact()) are at most
/// `margin` apart, GZ_MARGIN_MIN to GZ_MARGIN_MAX: exactly, so that the answer depends on no order
/// of corners or arguments, and what is near at one margin is near at every greater one. Adds 1 to
/// stats->exact_tests (may be NULL) where doubles cannot decide.
bool gz_triangles_near(const double a[3][3], const double b[3][3], double margin,
                       gz_triangle_stats *stats);

/// gz_triangles_near() in integers alone: some 10 us.
bool gz_triangles_near_exact(const double a[3][3], const double b[3][3], double margin);

/// For triangles that do not overlap: a point of each, nearest to the other but for rounding.
/// Returns their distance: not less than the real one but by 2^-47 of the triangles' extents.
double gz_triangles_nearest(const double a[3][3], const double b[3][3], double point_a[3],
                            double point_b[3]);

/// How far bounds of a distance may be from each other, metres: ten times less than what is
/// promised, and more than doubles lose on triangles that span less than 7 km.
#define GZ_DISTANCE_WIDTH 1e-10

/// Bounds of the distance of two triangles, a function of their corners alone.
/// @param point  [out] a point of each, nearest to the other: as far apart as the upper bound, but
///               for rounding
/// @param normal [out] unit, from a to b, along which they are apart; 0 where they share a point,
///               or nothing is known
/// @param lower  [out] no more than the distance, and at most GZ_DISTANCE_WIDTH below it
/// @return the upper bound; 0 exactly where they share a point
double gz_triangles_distance(const double a[3][3], const double b[3][3], double point[2][3],
                             double normal[3], double *lower);

/// No more than the distance of two triangles: how far b is ahead of a along n, of length 1 up to
/// 2^-50; below 0 where it is not.
double gz_triangles_gap(const double a[3][3], const double b[3][3], const double n[3]);

#endif
