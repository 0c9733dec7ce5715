/// Signed distance of two convex polygons, their radii left out.
#ifndef GZ_PLANAR_POLYGON_DISTANCE_H
#define GZ_PLANAR_POLYGON_DISTANCE_H

#include "graze/planar_distance.h"

/// Signed distance, normal, witnesses and features of the polygons of a and b, 1 to
/// GRAZE_PLANAR_VERTEX_MAX vertices each. False, and nothing written, where coordinates are not
/// finite or far too large. Error and method: polygon_distance.c.
bool gz_polygon_distance(const graze_planar_shape *a, const graze_planar_shape *b,
                         graze_planar_result *out);

/// The same where it takes no more than the quick way; false, and nothing written, where it does.
/// The forms give the same bits.
bool gz_polygon_quick_base(const graze_planar_shape *a, const graze_planar_shape *b,
                           graze_planar_result *out);
#if !defined(GRAZE_SCALAR) || defined(GRAZE_SCALAR_TWIN)
bool gz_polygon_quick_scalar(const graze_planar_shape *a, const graze_planar_shape *b,
                             graze_planar_result *out);
#endif
#ifdef GRAZE_HAVE_AVX2
bool gz_polygon_quick_avx2(const graze_planar_shape *a, const graze_planar_shape *b,
                           graze_planar_result *out);
#endif

/// The result with the shapes' radii: the witnesses move along the normal.
static inline void gz_planar_result_round(graze_planar_result *result, double radius_a,
                                          double radius_b) {
    graze_vec2 n = result->normal;
    result->distance -= radius_a + radius_b;
    result->point_a.x += radius_a * n.x;
    result->point_a.y += radius_a * n.y;
    result->point_b.x -= radius_b * n.x;
    result->point_b.y -= radius_b * n.y;
}

#endif
