/// Shared by the smooth constraints: the smooth step, measures, checks of arguments.
#ifndef GZ_PLANAR_SMOOTH_SMOOTH_INTERNAL_H
#define GZ_PLANAR_SMOOTH_SMOOTH_INTERNAL_H

#include "graze/planar_smooth.h"
#include "planar/shapes/shape_internal.h"

/// Largest magnitude of a coordinate, a length, a radius, a width.
#define GZ_SMOOTH_MAX 0x1p100
/// Ends no farther apart than this count as one point: a length without all its digits gives no
/// direction. So do those no farther apart than this share of the size: the place along the line
/// would leave the doubles.
#define GZ_SMOOTH_SHORTEST       0x1p-1000
#define GZ_SMOOTH_SHORTEST_SHARE 0x1p-900

/// graze_planar_step() and graze_planar_saturation(), inside the promised environment.
graze_planar_slope gz_smooth_step(double t, double width);
graze_planar_slope gz_smooth_saturation(double t, double width);

/// Fails unless the value is finite, at least `least` and of magnitude at most GZ_SMOOTH_MAX.
graze_status gz_smooth_check(const char *name, double value, double least, graze_error *error);
graze_status gz_smooth_check_point(const char *name, graze_vec2 p, graze_error *error);
/// NULL is allowed, and stands for no smoothing.
graze_status gz_smooth_check_widths(const graze_planar_smoothing *smoothing, graze_error *error);

/// target += factor * source: values, errors (by the factor's magnitude) and gradients; flags are
/// united.
void gz_measure_add(graze_planar_measure *target, double factor,
                    const graze_planar_measure *source);

/// graze_planar_segment_range_find() for checked arguments.
void gz_segment_range(graze_vec2 a, graze_vec2 b, graze_vec2 center,
                      const graze_planar_smoothing *smoothing, graze_planar_segment_range *range);

/// graze_planar_segment_constraint() for checked arguments.
void gz_segment_constraint(graze_planar_relation relation, graze_vec2 a, graze_vec2 b,
                           graze_vec2 center, double radius, double margin,
                           const graze_planar_smoothing *smoothing, graze_planar_constraint *out);

/// Positions of the joints and of the tip of an arm's first `count` links: count + 1 points.
void gz_arm_points(const graze_planar_arm *arm, const double *q, int32_t count, graze_vec2 *points);

/// Checks what the constraints of segments and of arms have in common.
graze_status gz_constraint_check(graze_planar_relation relation, graze_vec2 center, double radius,
                                 double margin, const graze_planar_smoothing *smoothing,
                                 graze_error *error);

#endif
