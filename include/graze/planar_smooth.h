/// @file planar_smooth.h
/// Smooth constraints in the plane: a segment, or a link of a planar arm, against a disk and
/// against its circle, as numbers g <= 0 with gradients for an optimiser.
///
/// Coordinates, lengths and radii: metres, finite, magnitude at most 2^100; angles: radians,
/// accumulated magnitude at most 2^20. Everything here is a pure function of its arguments: any
/// thread, no allocation. The bounds on what smoothing costs are proved in docs/planar.md.
#ifndef GRAZE_PLANAR_SMOOTH_H
#define GRAZE_PLANAR_SMOOTH_H

#include "planar_shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A function of one number, and its derivative there.
typedef struct graze_planar_slope {
    double value;
    double derivative;
} graze_planar_slope;

/// The smooth step: (1 + t / sqrt(t^2 + width^2)) / 2, increasing from 0 to 1.
/// It differs from the step (0 for t < 0, 1 for t > 0) by at most width^2 / (4 t^2), and by less
/// than 1/2 everywhere but at 0. A width of 0 is the step itself, 1/2 at 0, its derivative given as
/// 0.
/// @param width >= 0, in the unit of t; NaN and negative widths give NaN
/// Any thread. Allocates nothing. Cost: constant.
GRAZE_API graze_planar_slope graze_planar_step(double t, double width);

/// The smooth saturation of t to [0, 1]: the integral of step(t) - step(t - 1). Increasing, inside
/// (0, 1), symmetric about 1/2 (each up to rounding), and within width / 2 of min(max(t, 0), 1).
/// Its derivative is the difference of the two steps. A width of 0 is the saturation itself, with
/// derivative 1/2 at 0 and at 1.
/// @param width >= 0; NaN and negative widths give NaN
/// Source: the smoothing of max(t, 0) by (t + sqrt(t^2 + width^2)) / 2 is that of Chen and Harker
/// (1993), Kanzow (1996) and Smale (1987) for complementarity problems.
/// Any thread. Allocates nothing. Cost: constant.
GRAZE_API graze_planar_slope graze_planar_saturation(double t, double width);

/// How much is smoothed. All 0: nothing, the values are exact up to rounding.
typedef struct graze_planar_smoothing {
    double saturation; ///< width of the saturation along the segment, of its length; >= 0
    double length;     ///< width of norms, and of the least and greatest of two, metres; >= 0
} graze_planar_smoothing;

/// Where a gradient may not be trusted: a point at which the function has none is near, nearer than
/// 2^-16 of the size of what is asked about (the largest difference of its coordinates).
enum {
    GRAZE_PLANAR_FLAG_CENTER = 1,    ///< the centre is on the segment (on an end of it, for the
                                     ///< greatest distance), and norms are not smoothed
    GRAZE_PLANAR_FLAG_TIE = 2,       ///< both ends are equally far, and lengths are not smoothed
    GRAZE_PLANAR_FLAG_BRANCH = 4,    ///< both parts of a constraint are equal, likewise
    GRAZE_PLANAR_FLAG_COINCIDENT = 8 ///< the ends of the segment coincide; nearer than 2^-1000 m,
                                     ///< or than 2^-900 of the size, they count as one point
};

/// A number that depends on a segment a b and a disk, with its gradient.
typedef struct graze_planar_measure {
    double value;
    double error; ///< value - error <= the exact value <= value, up to rounding
    graze_vec2 by_a, by_b, by_center;
    double by_radius;
    uint32_t flags; ///< GRAZE_PLANAR_FLAG_...; the gradient is a limit of gradients there, or a
                    ///< mean of such limits
} graze_planar_measure;

/// The least and the greatest distance from a point to a segment.
typedef struct graze_planar_segment_range {
    graze_planar_measure least, greatest;
    double t;           ///< of the centre's projection on the line, 0 at a and 1 at b
    double s;           ///< t, saturated
    graze_vec2 nearest; ///< a + s (b - a)
} graze_planar_segment_range;

/// @param center    the point from which distances are measured
/// @param smoothing NULL: exact
/// @param range     [out]
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL); GRAZE_ERROR_RANGE (a coordinate or a width).
/// Where the ends coincide, t = 0 and the least distance is that of a. Cost: a few square roots.
/// Source: the distance as that of the saturated projection follows the usual treatment of a
/// segment, e.g. Ericson, Real-Time Collision Detection (2005), section 5.1.2; gradients by the
/// chain rule.
/// Any thread. Allocates nothing.
GRAZE_API graze_status graze_planar_segment_range_find(graze_vec2 a, graze_vec2 b,
                                                       graze_vec2 center,
                                                       const graze_planar_smoothing *smoothing,
                                                       graze_planar_segment_range *range,
                                                       graze_error *error);

/// What a segment is to be to a disk of radius R, or to its circle (the rim alone). d and D are the
/// least and the greatest distance of the segment's points from the centre.
typedef enum graze_planar_relation {
    GRAZE_PLANAR_CLEAR_OF_DISK = 0,   ///< d > R
    GRAZE_PLANAR_MEETS_DISK = 1,      ///< d <= R
    GRAZE_PLANAR_CLEAR_OF_CIRCLE = 2, ///< d > R, wholly outside, or D < R, wholly inside. Only the
                                      ///< first where the segment is longer than the diameter
    GRAZE_PLANAR_MEETS_CIRCLE = 3     ///< d <= R and D >= R
} graze_planar_relation;

/// A relation as inequalities g <= 0.
typedef struct graze_planar_constraint {
    graze_planar_measure whole;   ///< the one number for an optimiser: the parts' greatest, or, for
                                  ///< a choice, their least
    graze_planar_measure part[2]; ///< part[0]: of d; part[1]: of D
    int32_t part_count;           ///< 1 or 2
    bool choice; ///< one part <= 0 is enough (a union); otherwise all are needed (an intersection)
} graze_planar_constraint;

/// The relation of a segment to a disk or circle, as g <= 0, with the gradient of g.
/// @param radius    R >= 0
/// @param margin    added to every part: g <= 0 then means "by at least the margin". Where the
///                  relation is strict (clear), a margin above 0 keeps touching out.
/// @param smoothing NULL: none. Smoothed values are never below the exact ones: g <= 0 implies the
///                  relation whatever the widths are; `error` bounds what that costs.
/// @param out       [out]
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, no such relation); GRAZE_ERROR_RANGE.
/// Any thread. Allocates nothing. Cost: constant.
GRAZE_API graze_status graze_planar_segment_constraint(graze_planar_relation relation, graze_vec2 a,
                                                       graze_vec2 b, graze_vec2 center,
                                                       double radius, double margin,
                                                       const graze_planar_smoothing *smoothing,
                                                       graze_planar_constraint *out,
                                                       graze_error *error);

/// Most links of a planar arm.
#define GRAZE_PLANAR_LINK_MAX 64

/// A chain of straight links with a revolute joint before each. Link i turns by q[0] + ... + q[i]
/// against the x axis.
typedef struct graze_planar_arm {
    graze_vec2 base;
    const double *lengths; ///< link_count numbers >= 0; belongs to the caller
    int32_t link_count;    ///< 1 to GRAZE_PLANAR_LINK_MAX
} graze_planar_arm;

/// The joints and the tip: points[0] is the base, points[i] the end of link i - 1.
/// @param q      link_count angles
/// @param points [out] link_count + 1
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, number of links); GRAZE_ERROR_RANGE.
/// Any thread. Allocates nothing. Cost: O(links).
GRAZE_API graze_status graze_planar_arm_points(const graze_planar_arm *arm, const double *q,
                                               graze_vec2 *points, graze_error *error);

/// graze_planar_segment_constraint() for one link of an arm, and its gradient by the joints.
/// @param link     0 to link_count - 1
/// @param gradient [out] link_count numbers, of out->whole; 0 for the joints behind the link. NULL:
///                 not wanted
/// @return as there. Cost: proportional to link_count.
/// Any thread. Allocates nothing.
GRAZE_API graze_status graze_planar_arm_constraint(const graze_planar_arm *arm, const double *q,
                                                   int32_t link, graze_planar_relation relation,
                                                   graze_vec2 center, double radius, double margin,
                                                   const graze_planar_smoothing *smoothing,
                                                   graze_planar_constraint *out, double *gradient,
                                                   graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
