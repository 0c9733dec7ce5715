/// What maps of arms take from the smooth constraints.
#ifndef GZ_PLANAR_SMOOTH_SMOOTH_INTERNAL_H
#define GZ_PLANAR_SMOOTH_SMOOTH_INTERNAL_H

#include "graze/planar_smooth.h"
#include "planar/shapes/shape_internal.h"

/// Largest magnitude of a coordinate, a length, a radius, a width.
#define GZ_SMOOTH_MAX 0x1p100

/// Fails unless the value is finite, at least `least` and of magnitude at most GZ_SMOOTH_MAX.
graze_status gz_smooth_check(const char *name, double value, double least, graze_error *error);
graze_status gz_smooth_check_point(const char *name, graze_vec2 p, graze_error *error);

/// graze_planar_segment_range_find() for checked arguments.
void gz_segment_range(graze_vec2 a, graze_vec2 b, graze_vec2 center,
                      const graze_planar_smoothing *smoothing, graze_planar_segment_range *range);

/// Positions of the joints and of the tip of an arm's first `count` links: count + 1 points.
void gz_arm_points(const graze_planar_arm *arm, const double *q, int32_t count, graze_vec2 *points);

#endif
