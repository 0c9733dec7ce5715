/// Motion, distance and samples column by column: for a whole q, and for the columns and base
/// coordinates that a plan varies. graze/space.h states the rules.
#ifndef GZ_KINEMATICS_SPACE_H
#define GZ_KINEMATICS_SPACE_H

#include "base/random.h"
#include "graze/space.h"

#define GZ_PI 3.14159265358979323846

/// An angle to [-pi, pi], exactly but for the rounding of 2 pi itself.
double gz_wrap_angle(double angle);

/// A quaternion divided by its length; unchanged where that is 1 but for rounding, or 0. `out` may
/// be `x`.
void gz_unit_quaternion(const double x[4], double out[4]);

/// How many columns stand together: the four of a quaternion, else one.
static inline size_t gz_column_width(graze_q_kind kind) {
    return kind == GRAZE_Q_ROTATION ? 4 : 1;
}

/// The same as gz_column_square() and gz_column_between(), of what turns.
double gz_turn_square(graze_q_kind kind, const double *a, const double *b);
void gz_turn_between(graze_q_kind kind, const double *a, const double *b, double t, double *out);

/// Whether a column moves along a line: its difference is that of its two numbers.
static inline bool gz_column_is_line(graze_q_kind kind, graze_turn turn) {
    return kind == GRAZE_Q_LINE || (kind == GRAZE_Q_CIRCLE && turn == GRAZE_TURN_AS_GIVEN);
}

/// What one column, or one quaternion, adds to the square of a distance.
static inline double gz_column_square(graze_q_kind kind, graze_turn turn, const double *a,
                                      const double *b) {
    if (!gz_column_is_line(kind, turn)) return gz_turn_square(kind, a, b);
    double d = *b - *a;
    return d * d;
}

/// A number at t in (0, 1) from a to b. Rounding must not carry a joint past the limit that it
/// stands at.
static inline double gz_number_between(double a, double b, double t) {
    double low = a < b ? a : b, high = a < b ? b : a, x = a + t * (b - a);
    x = x < low ? low : x;
    return x > high ? high : x;
}

/// One column, or one quaternion, at t in (0, 1) of the straight motion from a to b; `out` may be
/// either.
static inline void gz_column_between(graze_q_kind kind, graze_turn turn, const double *a,
                                     const double *b, double t, double *out) {
    if (!gz_column_is_line(kind, turn)) {
        gz_turn_between(kind, a, b, t, out);
        return;
    }
    *out = gz_number_between(*a, *b, t);
}

/// graze_robot_interpolate() for arguments that it allows; `q` may be `from` or `to`.
void gz_robot_between(const graze_robot *robot, const double *from, const double *to,
                      graze_turn turn, double t, double *q);

/// Draws one column from [low, high], both ends included, or one quaternion: unit, uniform over all
/// rotations (Marsaglia 1972: four dimensions from two discs, without sine and cosine).
void gz_column_sample(graze_q_kind kind, gz_random *random, double low, double high, double *out);

/// Adds, by column, the velocity of a point of a link along a direction: graze_robot_jacobian() in
/// that direction, for arguments that it allows, from the poses of all bodies. Joints that move
/// `other` (-1: none), too, are left out.
void gz_point_rates(const graze_robot *robot, double (*bodies)[12], const double *q, int32_t link,
                    int32_t other, const double point[3], const double direction[3], double *rates);

#endif
