/// @file planar_approach.h
/// When and how near two moving shapes of the plane come to each other: closest point of approach,
/// time of impact, gradients, velocity obstacles, and batches in lanes. Shapes that turn are bodies
/// of planar_arm.h.
///
/// Metres, seconds, radians; one frame for both shapes; angles counter-clockwise. Everything here
/// may be called from any thread and allocates nothing.
///
/// With f(t) the signed distance (planar_distance.h) of A moved by t velocity_a and B moved by
/// t velocity_b: f is convex, so that "comes nearer, then touches or turns away" is the whole
/// story. Let s be the largest of the coordinates, the radii, and the ways |velocity| t up to the
/// answer. Errors, derived in docs/planar.md: f at the returned time differs from the returned
/// distance by at most 256 * 2^-53 s (2.9e-14 s), and a time of impact is the exact one of a
/// distance that differs by as much. A pair nearer than that counts as touching or not, as rounding
/// falls. A relative speed below 2^-300 m/s counts as rest, whatever the horizon.
#ifndef GRAZE_PLANAR_APPROACH_H
#define GRAZE_PLANAR_APPROACH_H

#include "planar_distance.h"

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------ closest point of approach

/// The answer for one pair. The points lie on the borders of the shapes as they are at `time`.
typedef struct graze_planar_approach_result {
    double time;     ///< seconds, in [0, horizon]: of impact if `hit`, else of the least distance;
                     ///< where that lasts (parallel motion, equal velocities), its beginning
    double distance; ///< signed, metres, at `time`: 0 for an impact, at most 0 where the shapes
                     ///< touch or overlap at the start (then time is 0), else above 0
    bool hit;        ///< the shapes touch within [0, horizon]; distance <= 0
    graze_vec2 normal;           ///< unit, from A to B
    graze_vec2 point_a, point_b; ///< witnesses; of an impact: where they touch
} graze_planar_approach_result;

// The gradient of a time of impact above 0, by the implicit function theorem on f(time) = 0: by a
// translation of B g = -normal / (normal . v), v the velocity of B relative to A, and time * g by
// B's velocity; without bound towards grazing contacts.

/// Closest point of approach of two shapes that move without turning.
/// @param velocity_a,velocity_b metres a second
/// @param horizon seconds, at least 0; INFINITY is allowed
/// @param result  [out] written on GRAZE_OK only
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, vertex count out of range); GRAZE_ERROR_RANGE (a
///         NaN, coordinates, radii or velocities beyond GRAZE_PLANAR_COORDINATE_MAX, a negative
///         horizon)
/// Cost: O(n + m) for an impact; one graze_planar_distance() where the answer is at either end of
/// the time. No iteration: the contact is found by signs along the chain of edges that face the
/// motion (docs/planar.md).
/// Source: the Minkowski difference as in van den Bergen, "Ray casting against general convex
/// objects" (2004), and the partial sum of M. Mononen, "Distance, Time-of-Impact, and
/// Closest-Point-of-Approach between Convex 2D Shapes" (2021).
/// Any thread. Allocates nothing.
GRAZE_API graze_status graze_planar_approach(const graze_planar_shape *a, graze_vec2 velocity_a,
                                             const graze_planar_shape *b, graze_vec2 velocity_b,
                                             double horizon, graze_planar_approach_result *result);

// ---------------------------------------------------------------------------------- gradients

/// The clearance of a motion, min f(t) over [0, horizon], with its gradient. The clearance is
/// continuous everywhere and convex in the position of B: above 0 it is the distance of closest
/// approach, below 0 how deep the shapes would run into each other; the yes-or-no velocity obstacle
/// is "clearance <= 0".
typedef struct graze_planar_clearance_result {
    double clearance;       ///< metres, signed
    double time;            ///< the earliest time of it, seconds
    graze_vec2 by_position; ///< its gradient by a translation of B (of A: the negative)
    graze_vec2 by_velocity; ///< its gradient by B's velocity (of A: the negative), seconds
    double by_horizon;      ///< its derivative by the horizon, m/s, at most 0
    bool differentiable;    ///< false near a kink: the gradients are then those of one side
} graze_planar_clearance_result;

/// The clearance of two moving shapes with gradients.
/// The flag is true only where each comparison that chose the smooth piece (of features, of the
/// ends of the time, of grazing) was decided by more than `reach` metres: changes that move nothing
/// by more than that, up to `time`, stay on the piece.
/// @param reach  metres, at least 0; see above
/// @param result [out] written on GRAZE_OK only
/// @return as graze_planar_approach(); GRAZE_ERROR_RANGE for a negative or NaN reach
/// Cost: O(n m). Source: the envelope theorem on min over t (docs/planar.md).
/// Any thread. Allocates nothing.
GRAZE_API graze_status graze_planar_clearance(const graze_planar_shape *a, graze_vec2 velocity_a,
                                              const graze_planar_shape *b, graze_vec2 velocity_b,
                                              double horizon, double reach,
                                              graze_planar_clearance_result *result);

// -------------------------------------------------------------------------- velocity obstacles

/// Where a relative velocity lies with respect to the velocity obstacle: the set of all velocities
/// of B relative to A with which the shapes touch within (0, horizon]. For shapes that are apart it
/// is convex: a cone from the origin, cut off in front by the shapes' difference over the horizon.
typedef struct graze_planar_velocity_obstacle_result {
    bool inside;       ///< the shapes touch within the horizon
    bool overlapping;  ///< they touch already: every velocity is inside, `distance` is -INFINITY
    double distance;   ///< signed, m/s: below 0 inside, by the least change of velocity that leaves
    graze_vec2 normal; ///< unit, outward: the direction of that least change
    graze_vec2 boundary; ///< the relative velocity on the border that is nearest
} graze_planar_velocity_obstacle_result;

/// The velocity obstacle of B for A, at relative velocity velocity_b - velocity_a.
/// @param horizon seconds, at least 2^-400; INFINITY gives the whole cone
/// @param result  [out] written on GRAZE_OK only
/// @return as graze_planar_approach(); GRAZE_ERROR_RANGE for a horizon below 2^-400
/// `inside` is the hit of graze_planar_approach(). `distance` comes from closed forms in double; it
/// loses digits only where the shapes nearly touch, when the cone's legs turn fast. Cost: O(n m).
/// Source: Fiorini and Shiller (1998); cut off: van den Berg, Guy, Lin, Manocha, "Reciprocal n-body
/// collision avoidance" (2011), section 4, there for disks, here for all shapes.
/// Any thread. Allocates nothing.
GRAZE_API graze_status graze_planar_velocity_obstacle(
    const graze_planar_shape *a, graze_vec2 velocity_a, const graze_planar_shape *b,
    graze_vec2 velocity_b, double horizon, graze_planar_velocity_obstacle_result *result);

// --------------------------------------------------------------------------------- batches

/// Time and signed distance of closest approach of shape i of `a` and shape i of `b`, for all i, as
/// graze_planar_approach() gives them within the error of both; a pair hits where its distance is
/// at most 0. Several pairs a step. Either array may hold one shape, which then meets all of the
/// other.
/// @param a,b       circles, capsules and rectangles, in any combination; velocities and times are
///                  one a pair
/// @param vx,vy     B's velocity minus A's, m/s
/// @param horizon   one for all, seconds, at least 0; INFINITY is allowed
/// @param times,distances [out] max(a->count, b->count) numbers each; must not overlap anything
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, kind, stride, counts that differ);
///         GRAZE_ERROR_UNSUPPORTED for polygons; GRAZE_ERROR_RANGE (horizon). The numbers are not
///         checked: what is NaN or infinite spoils its own pair and no other
/// The same bits with every instruction set (GRAZE_ISA chooses: scalar, sse2, avx2), whatever the
/// neighbours of a pair. Any thread; no allocation. Cost: a few nanoseconds a pair.
GRAZE_API graze_status graze_planar_approach_batch(const graze_planar_array *a,
                                                   const graze_planar_array *b, const double *vx,
                                                   const double *vy, double horizon, double *times,
                                                   double *distances);

// ------------------------------------------------------------ inline forms of the smallest pairs
//
// For inner loops of a caller's own: no checks (every number finite, radii at least 0), and the
// caller's floating-point environment counts (rounding to nearest is assumed). Else as
// graze_planar_approach().

/// Fills a result at `time`, when A's nearest inner point (of the shape without its radius) is at
/// inner_a and B's lies `length` from it along n.
GRAZE_PLANAR_INLINE void graze_planar_approach_fill(graze_planar_approach_result *out, double time,
                                                    bool hit, graze_planar_pair inner_a,
                                                    double length, graze_planar_pair n,
                                                    double radius_a, double radius_b) {
    double gap = length - (radius_a + radius_b);
    if (hit && time > 0) {
        gap = 0;
    } else if (gap <= 0) { // where rounding alone says otherwise
        hit = true;
        if (time > 0) gap = 0;
    } else if (hit) {
        gap = 0;
    }
    out->time = time;
    out->hit = hit;
    out->distance = gap;
    graze_planar_pair_store(&out->normal, n);
    graze_planar_pair_store(&out->point_a, inner_a + radius_a * n);
    graze_planar_pair_store(&out->point_b, inner_a + (length - radius_b) * n);
}

/// The same from the vector between the inner points. Where it is 0 the normal is against v, or
/// (1, 0).
GRAZE_PLANAR_INLINE void
graze_planar_approach_fill_between(graze_planar_approach_result *out, double time, bool hit,
                                   graze_planar_pair inner_a, graze_planar_pair between,
                                   graze_planar_pair v, double radius_a, double radius_b) {
    double length = __builtin_sqrt(graze_planar_pair_dot(between, between));
    graze_planar_pair n = {1, 0};
    if (length > 0) {
        n = between * (1 / length);
    } else {
        double speed = __builtin_sqrt(graze_planar_pair_dot(v, v));
        if (speed > 0) n = -v / speed;
    }
    graze_planar_approach_fill(out, time, hit, inner_a, length, n, radius_a, radius_b);
}

/// The same where a point passes another at its nearest: square to v, across / |v| to its right.
GRAZE_PLANAR_INLINE void graze_planar_approach_fill_pass(graze_planar_approach_result *out,
                                                         double time, bool hit,
                                                         graze_planar_pair inner_a, double across,
                                                         graze_planar_pair v, double radius_a,
                                                         double radius_b) {
    double scale = 1 / __builtin_sqrt(graze_planar_pair_dot(v, v));
    graze_planar_pair n = graze_planar_pair_right(v) * (across < 0 ? -scale : scale);
    graze_planar_approach_fill(out, time, hit, inner_a, __builtin_fabs(across) * scale, n, radius_a,
                               radius_b);
}

/// Two disks.
GRAZE_PLANAR_INLINE void graze_planar_circles_approach(graze_vec2 a, double radius_a,
                                                       graze_vec2 velocity_a, graze_vec2 b,
                                                       double radius_b, graze_vec2 velocity_b,
                                                       double horizon,
                                                       graze_planar_approach_result *out) {
    graze_planar_pair at = graze_planar_pair_of(a), va = graze_planar_pair_of(velocity_a);
    graze_planar_pair p = graze_planar_pair_of(b) - at, v = graze_planar_pair_of(velocity_b) - va;
    double r = radius_a + radius_b, pv = graze_planar_pair_dot(p, v);
    double gap = graze_planar_pair_dot(p, p) - r * r;
    if (gap <= 0 || !(pv < 0)) {
        graze_planar_approach_fill_between(out, 0, gap <= 0, at, p, v, radius_a, radius_b);
        return;
    }
    // |p + t v| = r at t = (-pv - sqrt(D)) / vv = gap / (-pv + sqrt(D)), D = r^2 vv - across^2: the
    // second form subtracts nothing. D < 0: the line misses, and is nearest at -pv / vv.
    double vv = graze_planar_pair_dot(v, v), across = graze_planar_pair_cross(p, v);
    double d = r * r * vv - across * across, t;
    bool hit = d >= 0;
    if (hit) {
        t = gap / (__builtin_sqrt(d) - pv);
    } else {
        t = -pv / vv;
        if (t <= horizon) {
            graze_planar_approach_fill_pass(out, t, false, at + t * va, across, v, radius_a,
                                            radius_b);
            return;
        }
    }
    if (t > horizon) {
        t = horizon;
        hit = false;
    }
    graze_planar_approach_fill_between(out, t, hit, at + t * va, p + t * v, v, radius_a, radius_b);
}

/// The square of the radius within which a place of the segment from p to p + e counts as touching
/// the disk of radius r about the origin: grown by 8 roundings (8 * 2^-53) of the places. Without a
/// radius, rounding alone would make a pass of a side that is crossed.
GRAZE_PLANAR_INLINE double graze_planar_approach_reach(graze_planar_pair p, graze_planar_pair e,
                                                       double r) {
    double size = __builtin_fabs(p[0]) + __builtin_fabs(p[1]) + __builtin_fabs(e[0]) +
                  __builtin_fabs(e[1]) + r;
    double outer = r + 8.8817841970012523e-16 * size;
    return outer * outer;
}

/// A disk A and a capsule B, the points within radius_b of the segment from b0 to b1.
GRAZE_PLANAR_INLINE void graze_planar_circle_capsule_approach(graze_vec2 a, double radius_a,
                                                              graze_vec2 velocity_a, graze_vec2 b0,
                                                              graze_vec2 b1, double radius_b,
                                                              graze_vec2 velocity_b, double horizon,
                                                              graze_planar_approach_result *out) {
    graze_planar_pair at = graze_planar_pair_of(a), va = graze_planar_pair_of(velocity_a);
    graze_planar_pair p = graze_planar_pair_of(b0) - at, v = graze_planar_pair_of(velocity_b) - va;
    graze_planar_pair e = graze_planar_pair_of(b1) - graze_planar_pair_of(b0);
    double r = radius_a + radius_b, ee = graze_planar_pair_dot(e, e), t = 0;
    double pv = graze_planar_pair_dot(p, v), ev = graze_planar_pair_dot(e, v);
    double outer2 = graze_planar_approach_reach(p, e, r);
    if (pv < 0 || pv + ev < 0) { // an end comes nearer
        // The point p + s e + t v meets the disk first for the s at which v x (p + s e) = k: where
        // the segment touches the circle with its side; beyond an end, that end touches.
        double pw = graze_planar_pair_cross(v, p), ew = graze_planar_pair_cross(v, e);
        double vv = graze_planar_pair_dot(v, v), k = ev * r / __builtin_sqrt(ee);
        double num = (ew < 0 ? k : -k) + pw, s = ew == 0 ? ev > 0 : 0;
        // num is that of -s; what needs no division is told by signs and sizes.
        if (num * ew < 0) s = __builtin_fabs(num) < __builtin_fabs(ew) ? -num / ew : 1;
        double along = pv + s * ev, across = pw + s * ew, d = r * r * vv - across * across;
        t = (d > 0 ? -along - __builtin_sqrt(d) : -along) / vv;
        bool in_time = t > 0 && t <= horizon;
        if (in_time && d > 0) {
            graze_planar_approach_fill_between(out, t, true, at + t * va, p + t * v + s * e, v,
                                               radius_a, radius_b);
            return;
        }
        if (in_time) {
            bool hit = across * across <= outer2 * vv;
            graze_planar_approach_fill_pass(out, t, hit, at + t * va, -across, v, radius_a,
                                            radius_b);
            return;
        }
        t = t > 0 ? horizon : 0;
    }
    // At an end of the time, or at rest, the distance there decides.
    graze_planar_pair between = p + t * v;
    double foot = -graze_planar_pair_dot(between, e);
    if (foot > 0) between += (foot < ee ? foot / ee : 1) * e;
    bool hit = graze_planar_pair_dot(between, between) <= outer2;
    graze_planar_approach_fill_between(out, t, hit, at + t * va, between, v, radius_a, radius_b);
}

#ifdef __cplusplus
}
#endif

#endif
