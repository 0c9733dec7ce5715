/// @file space.h
/// The configurations of a robot as a space: what each column of q is, its limits, random samples,
/// a metric, straight motions and Jacobians. The planner moves by these very functions.
#ifndef GRAZE_SPACE_H
#define GRAZE_SPACE_H

#include "robot.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What kind of number a column of q is.
typedef enum graze_q_kind {
    GRAZE_Q_LINE = 0,    ///< a number of an interval or of the whole line, m or rad: revolute and
                         ///< prismatic joints, x y z of planar and floating ones
    GRAZE_Q_CIRCLE = 1,  ///< an angle of period 2 pi, rad: continuous joints, the angle of planar
                         ///< ones. A continuous joint that others mimic which a full turn does not
                         ///< bring back (slides, joints with limits, gears of no whole ratio) is
                         ///< GRAZE_Q_LINE
    GRAZE_Q_ROTATION = 2 ///< one of the four numbers of a quaternion x y z w, always four in a row;
                         ///< q and -q are the same rotation, the length does not count
} graze_q_kind;

/// Which way round a motion turns a column of kind GRAZE_Q_CIRCLE.
typedef enum graze_turn {
    GRAZE_TURN_SHORTER = 0, ///< by at most half a turn. A half turn exactly goes up from the
                            ///< smaller number and down from the greater one, where they differ by
                            ///< no more than that: the way back is the same way
    GRAZE_TURN_AS_GIVEN = 1 ///< from the one number to the other, as a line: all turns between them
} graze_turn;

/// Reads the kind of every column.
/// @param kinds [out] graze_robot_q_size() kinds
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL)
/// Any thread. Allocates nothing. Cost: O(columns).
GRAZE_API graze_status graze_robot_q_kinds(const graze_robot *robot, graze_q_kind *kinds);

/// Reads the limits of every column, m or rad: those of its joint, -infinity and infinity where it
/// has none. Limits of mimic joints have no column: graze_robot_limits_violated() heeds them.
/// @param lower,upper [out] graze_robot_q_size() numbers each; either may be NULL
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (robot is NULL)
/// Any thread. Allocates nothing. Cost: O(columns).
GRAZE_API graze_status graze_robot_q_limits(const graze_robot *robot, double *lower, double *upper);

/// Moves every column into its limits, to the nearer one; turns no angle. Mimic joints may still
/// be outside theirs.
/// @param q [in,out] q_count numbers; unchanged on an error
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT, GRAZE_ERROR_RANGE as graze_robot_pose()
/// Any thread. Allocates nothing. Cost: O(columns). Nullable: error.
GRAZE_API graze_status graze_robot_clamp(const graze_robot *robot, double *q, size_t q_count,
                                         graze_error *error);

/// Writes a configuration in its standard form: angles of kind GRAZE_Q_CIRCLE into [-pi, pi],
/// quaternions to length 1. The pose is the same but for rounding (and that of 2 pi).
/// @param q [in,out] q_count numbers; unchanged on an error
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT, GRAZE_ERROR_RANGE as graze_robot_pose()
/// Any thread. Allocates nothing. Cost: O(columns). Nullable: error.
GRAZE_API graze_status graze_robot_wrap(const graze_robot *robot, double *q, size_t q_count,
                                        graze_error *error);

/// Draws configuration number `index` of the random sequence of a seed: independent of all others,
/// so that threads and machines can share a sequence without talking. Lines are uniform between
/// their limits, circles in [-pi, pi], rotations uniform over all rotations (Marsaglia 1972,
/// "Choosing a point from the surface of a sphere"). Mimic joints may be outside their limits.
/// @param lower,upper ranges by column in place of the limits and of [-pi, pi], finite, lower at
///              most upper; of quaternions they are not read. Both NULL: the limits
/// @param q     [out] graze_robot_q_size() numbers
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, one of lower and upper without the other);
///         GRAZE_ERROR_RANGE (a range that is not finite, or empty: the element names the column)
/// The same bits on every machine. Any thread. Allocates nothing. Cost: O(columns).
/// Nullable: lower, upper, error.
GRAZE_API graze_status graze_robot_sample(const graze_robot *robot, uint64_t seed, uint64_t index,
                                          const double *lower, const double *upper, double *q,
                                          graze_error *error);

/// The distance of two configurations: the root of the summed squares of what each column moves by
/// in graze_robot_interpolate(), m and rad alike; of a rotation twice the chord between the unit
/// quaternions, which for small angles is the angle.
/// @param distance [out]
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, wrong length, no such turn); GRAZE_ERROR_RANGE as
///         graze_robot_pose()
/// A metric (of rotations and circles, not of their numbers) but for rounding. Any thread.
/// Allocates nothing. Cost: O(columns). Nullable: error.
GRAZE_API graze_status graze_robot_metric(const graze_robot *robot, const double *from,
                                          const double *to, size_t q_count, graze_turn turn,
                                          double *distance, graze_error *error);

/// The configuration at parameter t of the straight motion between two configurations: lines
/// linear, never beyond either end by rounding; circles by `turn`, the shorter way written in
/// [-pi, pi]; rotations along the great arc, the shorter of the two, with t measured along its
/// chord. At t = 0 and t = 1 it is `from` and `to` bit for bit.
/// @param t 0 to 1
/// @param q [out] q_count numbers; may be `from` or `to`
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, wrong length, no such turn); GRAZE_ERROR_RANGE (t,
///         or as graze_robot_pose())
/// The same bits on every machine. Any thread. Allocates nothing. Cost: O(columns).
/// Nullable: error.
GRAZE_API graze_status graze_robot_interpolate(const graze_robot *robot, const double *from,
                                               const double *to, size_t q_count, graze_turn turn,
                                               double t, double *q, graze_error *error);

/// The geometric Jacobian of a point that moves with a link: how fast it moves, and its link turns,
/// for each column of q; world axes, mimic joints counted to the columns that they follow. For the
/// numbers of a quaternion it is the derivative of the pose, which does not change with the
/// quaternion's length.
/// @param links    graze_robot_link_count() poses that graze_robot_pose() made of this q
/// @param link     the link that carries the point
/// @param point    where it is now, world frame, metres
/// @param jacobian [out] 6 rows of q_count numbers: three of velocity (m per unit of the column),
///                 three of angular velocity (rad per unit); 0 for columns that do not move the
///                 link
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, wrong length, no such link); GRAZE_ERROR_RANGE as
///         graze_robot_pose()
/// Any thread. Allocates nothing. Cost: O(columns + joints above the link). Source: Siciliano,
/// Sciavicco, Villani and Oriolo, Robotics (2009), section 3.1. Nullable: error.
GRAZE_API graze_status graze_robot_jacobian(const graze_robot *robot, const graze_transform *links,
                                            const double *q, size_t q_count, int32_t link,
                                            const graze_vec3 *point, double *jacobian,
                                            graze_error *error);

/// The group of that name, or -1. Any thread. Allocates nothing. Cost: O(groups).
GRAZE_API int32_t graze_robot_find_group(const graze_robot *robot, const char *name);

/// Lists the columns of q that a group's joints have, ascending; fixed and mimic joints have none.
/// @param columns [out] as many as fit, NULL for a capacity of 0
/// @return how many there are; 0 where there is no such group
/// Any thread. Allocates nothing. Cost: O(columns of the group).
GRAZE_API size_t graze_robot_group_columns(const graze_robot *robot, size_t group, int32_t *columns,
                                           size_t capacity);

/// The named state, or -1.
/// @param group NULL or "" for the first group that has a state of that name
/// Any thread. Allocates nothing. Cost: O(states). Nullable: group.
GRAZE_API int32_t graze_robot_find_state(const graze_robot *robot, const char *group,
                                         const char *state);

#ifdef __cplusplus
}
#endif

#endif
