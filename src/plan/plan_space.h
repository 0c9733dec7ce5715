/// The space a plan moves in: the planned columns of q and of the base as one flat state vector,
/// with their metric, interpolation and sampling. Everything else stays as the start has it.
///
/// Only additions, products, square roots and exact remainders are used, so that a plan has the
/// same bits on every machine.
#ifndef GZ_PLAN_PLAN_SPACE_H
#define GZ_PLAN_PLAN_SPACE_H

#include "base/random.h"
#include "graze/plan.h"

/// How one number of the state behaves.
typedef enum gz_axis_kind {
    GZ_AXIS_LINE = 0,     ///< an interval; interpolated values never leave that of their ends
    GZ_AXIS_CIRCLE = 1,   ///< an angle that comes round: the shorter way
    GZ_AXIS_ROTATION = 2, ///< the first of four: a unit quaternion x y z w
    GZ_AXIS_PART = 3      ///< the other three
} gz_axis_kind;

/// One number of the state and where it lives.
typedef struct gz_axis {
    gz_axis_kind kind;
    int32_t column; ///< of q, or -1 - k for number k of the base pose
    int32_t joint;  ///< -1 for the base
    bool limited;   ///< low and high are limits, not only the range of samples
    double low, high;
} gz_axis;

typedef struct gz_plan_space {
    gz_axis *axes;
    size_t dimension;
    bool has_rotation;
    size_t q_size;
    double *q_fixed; ///< the start's q: values of the columns that are not planned
    double base_fixed[6];
} gz_plan_space;

/// Makes the space for a start and a goal (finite numbers); NULL bases are the identity.
graze_status gz_plan_space_make(gz_plan_space *space, const graze_checker *checker,
                                const double *start, const double *start_base, const double *goal,
                                const double *goal_base, const graze_plan_options *options,
                                graze_error *error);
void gz_plan_space_free(gz_plan_space *space);
/// A copy that outlives the original; false when out of memory.
bool gz_plan_space_copy(gz_plan_space *out, const gz_plan_space *space);

/// Full configuration to state and back. Reading normalises quaternions and nothing else.
void gz_plan_space_read(const gz_plan_space *space, const double *q, const double base[6],
                        double *state);
void gz_plan_space_write(const gz_plan_space *space, const double *state, double *q,
                         double base[6]);

/// Writes the planned numbers only.
void gz_plan_space_place(const gz_plan_space *space, const double *state, double *q,
                         double base[6]);

/// Uniform within the ranges; angles in [-pi, pi); rotations uniform over all rotations.
void gz_plan_space_sample(const gz_plan_space *space, gz_random *random, double *state);

/// The metric: the Euclidean norm of the differences, radians and metres alike; angles the shorter
/// way round; a rotation counts with twice the chord between its quaternions, the nearer sign,
/// which is the angle between them to the first order and never more.
double gz_plan_space_distance(const gz_plan_space *space, const double *a, const double *b);

/// The state at t of the straight motion from a to b; a itself at t <= 0 and b itself at t >= 1.
/// Between the ends angles are normalised into [-pi, pi]; rotations follow the great arc, with t
/// measured along its chord.
void gz_plan_space_interpolate(const gz_plan_space *space, const double *a, const double *b,
                               double t, double *out);

/// Into how many equal steps of t a motion of this length must be cut so that neighbours are at
/// most `resolution` apart.
uint64_t gz_plan_space_steps(const gz_plan_space *space, double distance, double resolution);

/// An angle to [-pi, pi], exactly but for the rounding of 2 pi itself.
double gz_wrap_angle(double angle);

#define GZ_PI 3.14159265358979323846

#endif
