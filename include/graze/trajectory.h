/// @file trajectory.h
/// Timed trajectories: polynomials of time, piece by piece, and the proof that all of one is free.
/// docs/motion.md has the statement that is proved.
#ifndef GRAZE_TRAJECTORY_H
#define GRAZE_TRAJECTORY_H

#include "motion.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An immutable trajectory of one robot: for each column of q, and each of the six numbers of the
/// base pose, a polynomial on each piece of time. Share between threads freely.
typedef struct graze_trajectory graze_trajectory;

/// The greatest degree of a piece.
#define GRAZE_TRAJECTORY_DEGREE_MAX 7

/// Places that are passed at given times. Obtain from graze_trajectory_knots_default(), then set
/// the fields. Between two knots the motion is the polynomial of lowest degree that has what is
/// given: straight without velocities, a cubic with them, a quintic with accelerations, too
/// (Hermite interpolation), as ros2_control's joint_trajectory_controller plays a JointTrajectory.
typedef struct graze_trajectory_knots {
    uint32_t struct_size;             ///< set by the default; do not change
    size_t count;                     ///< rows, at least 2
    const double *times;              ///< s, ascending
    const double *q;                  ///< count rows of graze_robot_q_size() numbers
    const double *velocities;         ///< likewise, per s; or NULL
    const double *accelerations;      ///< likewise, per s^2; or NULL; not without velocities
    const double *base;               ///< count rows of x y z roll pitch yaw; NULL: the identity
    const double *base_velocities;    ///< likewise, per s; NULL: 0 where there are `velocities`
    const double *base_accelerations; ///< likewise, per s^2; NULL: 0
} graze_trajectory_knots;

/// Writes the defaults of graze_trajectory_knots into a structure of `size` bytes, the caller's
/// size of it: what graze_trajectory_knots_default() calls. Any thread. Allocates nothing. Cost:
/// O(1).
GRAZE_API void graze_trajectory_knots_init(graze_trajectory_knots *knots, size_t size);

/// No knots. Any thread. Allocates nothing. Cost: O(1).
static inline graze_trajectory_knots graze_trajectory_knots_default(void) {
    graze_trajectory_knots knots;
    graze_trajectory_knots_init(&knots, sizeof knots);
    return knots;
}

/// Makes a trajectory that passes knots.
/// @param out [out] NULL on failure; free with graze_trajectory_free()
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, fewer than two knots, accelerations without
///         velocities); GRAZE_ERROR_RANGE (a number that is not finite, or too large for
///         graze_robot_pose(); times that do not ascend); GRAZE_ERROR_UNSUPPORTED (the rotation of
///         a floating joint changes where there are velocities; without them it goes along the
///         great arc); GRAZE_ERROR_NO_MEMORY. The error's element is "row N" (0-based), or "row N,
///         column C" with the column's name
/// Numbers of continuous joints are taken as they are given: from 3 to -3 is nearly a whole turn.
/// Any thread. Allocates. Cost: O(rows times columns). Nullable: error.
GRAZE_API graze_status graze_trajectory_from_knots(graze_trajectory **out, const graze_robot *robot,
                                                   const graze_trajectory_knots *knots,
                                                   graze_error *error);

/// Makes a trajectory of Bezier pieces: what B-splines, blends of parabolas and any other
/// polynomials are, written by their control points.
/// @param out    [out] NULL on failure; free with graze_trajectory_free()
/// @param degree of all pieces, 1 to GRAZE_TRAJECTORY_DEGREE_MAX
/// @param count  of pieces, at least 1
/// @param times  count + 1 times at which they begin and end, s, ascending
/// @param q      (degree + 1) rows of graze_robot_q_size() numbers for each piece: its control
///               points, the first and the last where it begins and ends. Each piece begins where
///               the one before it ends, within 1e-9: there the end of the one before counts
/// @param base   likewise, x y z roll pitch yaw; NULL: the identity
/// @return as graze_trajectory_from_knots(); GRAZE_ERROR_RANGE also for a jump between pieces. The
///         error's row counts control points
/// Any thread. Allocates. Cost: O(rows times columns). Nullable: base, error.
GRAZE_API graze_status graze_trajectory_from_bezier(graze_trajectory **out,
                                                    const graze_robot *robot, uint32_t degree,
                                                    size_t count, const double *times,
                                                    const double *q, const double *base,
                                                    graze_error *error);

/// Makes a trajectory of a B-spline: a piece for each span between two different knots.
/// @param out    [out] NULL on failure; free with graze_trajectory_free()
/// @param degree 1 to GRAZE_TRAJECTORY_DEGREE_MAX
/// @param count  of control points, more than the degree
/// @param knots  count + degree + 1 times, s, none before the one in front of it, and of those
///               between the curve's ends at most `degree` equal. It runs from knots[degree] to
///               knots[count]; so it begins at the first control point where the first degree + 1
///               knots are equal
/// @param q      count rows of graze_robot_q_size() numbers
/// @param base   likewise, x y z roll pitch yaw; NULL: the identity
/// @return as graze_trajectory_from_bezier(), with a row for each control point of a piece;
///         GRAZE_ERROR_RANGE also for knots: the error's element is "knot N", 0-based
/// The pieces' control points are computed by de Boor's algorithm in double, off by less than 3
/// degree 2^-53 of the greatest number of their column; the trajectory, and what is certified, is
/// of these. Any thread. Allocates. Cost: O(rows times columns times degree^2). Nullable: base,
/// error. Source: the polar form (Farin, Curves and Surfaces for CAGD, 2002, section 8.4).
GRAZE_API graze_status graze_trajectory_from_spline(graze_trajectory **out,
                                                    const graze_robot *robot, uint32_t degree,
                                                    size_t count, const double *knots,
                                                    const double *q, const double *base,
                                                    graze_error *error);

/// Reads a file of one trajectory, JSON or YAML: trajectory_msgs/JointTrajectory as MoveIt, ROS 1
/// and ROS 2 print it, alone, or in a RobotTrajectory, a DisplayTrajectory of one, or the goal of a
/// FollowJointTrajectory. Read are `joint_names`, and of each of `points` the `positions`, the
/// `velocities` and `accelerations` (each in all points or in none), and `time_from_start`, a
/// number of seconds, or sec and nanosec, or secs and nsecs. Between the points it is as
/// graze_trajectory_from_knots() has it.
/// @param out  [out] NULL on failure; free with graze_trajectory_free()
/// @param path of the file; relative to the working directory, or one of `options->files`
/// @param rest graze_robot_q_size() numbers: where joints stand that the file does not name; NULL:
///             graze_robot_rest()
/// @param base x y z roll pitch yaw, where the base stands; NULL: the identity
/// @param options NULL: the defaults; `limits` and `files` count
/// @return as graze_trajectory_from_knots(), whose rows are points; GRAZE_ERROR_NOT_FOUND,
///         GRAZE_ERROR_IO, GRAZE_ERROR_PARSE, GRAZE_ERROR_SCHEMA (with line and element: a joint
///         that is not there or is named twice, numbers that are missing or too many, derivatives
///         in some points alone, an unknown key in a point), GRAZE_ERROR_RANGE (a number that is
///         not finite, times that do not ascend), GRAZE_ERROR_UNSUPPORTED (several trajectories,
///         joints of several degrees of freedom that move), GRAZE_ERROR_LIMIT
/// Any thread. Allocates. Cost: O(size), and O(joints^2). Nullable: rest, base, options, error.
GRAZE_API graze_status graze_trajectory_load(graze_trajectory **out, const graze_robot *robot,
                                             const char *path, const double *rest,
                                             const double *base, const graze_load_options *options,
                                             graze_error *error);

/// graze_trajectory_load() of a text in memory.
/// @param out  [out] NULL on failure; free with graze_trajectory_free()
/// @param text not necessarily NUL-terminated
/// @param size bytes
/// @param name what errors call it
/// @return as there, but GRAZE_ERROR_NOT_FOUND and GRAZE_ERROR_IO
/// Any thread. Allocates. Cost: as there. Nullable: rest, base, options, error.
GRAZE_API graze_status graze_trajectory_load_memory(graze_trajectory **out,
                                                    const graze_robot *robot, const char *text,
                                                    size_t size, const char *name,
                                                    const double *rest, const double *base,
                                                    const graze_load_options *options,
                                                    graze_error *error);

/// Frees a trajectory; NULL is allowed. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_trajectory_free(graze_trajectory *trajectory);

/// How many pieces there are; 0 for NULL. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API size_t graze_trajectory_piece_count(const graze_trajectory *trajectory);

/// When a piece begins, s; for the number of pieces, when the last one ends; NaN where there is no
/// such piece. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API double graze_trajectory_time(const graze_trajectory *trajectory, size_t piece);

/// The degree of all pieces; 0 for NULL. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API uint32_t graze_trajectory_degree(const graze_trajectory *trajectory);

/// The control points of a piece, as graze_trajectory_from_bezier() takes them: degree + 1 rows of
/// graze_robot_q_size() numbers, which graze_trajectory_free() frees. NULL where there is none.
/// @param base [out] degree + 1 rows of x y z roll pitch yaw, likewise; may be NULL
/// Any thread. Allocates nothing. Cost: O(1).
GRAZE_API const double *graze_trajectory_points(const graze_trajectory *trajectory, size_t piece,
                                                const double **base);

/// Where a time is on a piece: 0 to 1, in steps of 2^-46; NaN where there is no such piece, or the
/// time is not finite. What graze_trajectory_at() gives at a time between the piece's begin and end
/// is the Bezier curve's value there. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API double graze_trajectory_parameter(const graze_trajectory *trajectory, size_t piece,
                                            double time);

/// The configuration and base pose at a time: the very motion that graze_check_trajectory() is
/// about. Before the begin and after the end it is that of the begin and of the end.
/// @param time s, finite
/// @param q    [out] graze_robot_q_size() numbers
/// @param base [out] x y z roll pitch yaw; may be NULL
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, a time that is not finite)
/// The same bits on every machine. Any thread. Allocates nothing. Cost: O(columns). Source: de
/// Casteljau's algorithm (Farin, Curves and Surfaces for CAGD, 2002, section 4.2).
GRAZE_API graze_status graze_trajectory_at(const graze_trajectory *trajectory, double time,
                                           double *q, double *base);

/// The velocities at a time: the derivatives of the numbers of q. Where two pieces meet, those of
/// the later one; before the begin and after the end those at the begin and at the end.
/// @param time s, finite
/// @param q    [out] graze_robot_q_size() numbers, rad/s, m/s
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, a time that is not finite)
/// The same bits on every machine. Any thread. Allocates nothing. Cost: O(columns).
GRAZE_API graze_status graze_trajectory_velocity_at(const graze_trajectory *trajectory, double time,
                                                    double *q);

/// Likewise of the base's six numbers.
/// @param time s, finite
/// @param base [out] derivatives of x y z roll pitch yaw, m/s and rad/s
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, a time that is not finite)
/// The same bits on every machine. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API graze_status graze_trajectory_base_velocity_at(const graze_trajectory *trajectory,
                                                         double time, double base[6]);

/// When is a column first outside of its joint's position limits, by more than 1e-9?
/// @param time   [out] s, to 2^-46 of its piece; may be NULL
/// @param column [out] of q; may be NULL
/// @return whether there is such a time. None is a proof that the limits hold, up to 1e-9, at all
///         times; limits of joints that mimic others are not looked at. Any thread. Allocates
///         nothing. Cost: O(rows times columns), more where a column comes close to a limit.
///         Source: the convex hull property of control points (Farin, section 4.3), by halves.
GRAZE_API bool graze_trajectory_leaves_limits(const graze_trajectory *trajectory, double *time,
                                              size_t *column);

/// What became of a trajectory.
typedef struct graze_trajectory_report {
    graze_motion_verdict verdict;
    size_t piece;    ///< the one that is not free; the number of pieces where all are
    double earliest; ///< s: proved free from the begin to here; the end where all is
    double latest;   ///< s. HIT: graze_check() says COLLISION at graze_trajectory_at() this time.
                     ///< UNDECIDED: the end of the first interval that is not proved. FREE: the end
    graze_contact contact;   ///< as in graze_motion_report
    uint64_t configurations; ///< posed, or checked, on all pieces together
    uint64_t pair_tests;     ///< of a pair on an interval of time, likewise
    bool spent;              ///< the budget, which counts for each piece, ran out
} graze_trajectory_report;

/// graze_check_trajectory() for a caller whose graze_trajectory_report has `size` bytes.
/// @return as there. One thread per workspace. Allocates nothing. Cost: as there.
GRAZE_API graze_status graze_check_trajectory_sized(const graze_checker *checker,
                                                    graze_motion_workspace *workspace,
                                                    const graze_trajectory *trajectory,
                                                    const graze_motion_options *options,
                                                    graze_trajectory_report *report, size_t size,
                                                    graze_error *error);

/// Checks a trajectory, all of it, piece by piece up to the first that is not free.
///
/// FREE is a proof in real arithmetic as in graze_check_motion(): at every real time every pair
/// that is checked is farther apart than its margin, and graze_check() says FREE at every
/// configuration that graze_trajectory_at() gives. HIT: graze_check() says COLLISION at `latest`,
/// free before `earliest`. UNDECIDED is everything else.
/// @param options NULL: the defaults; `turn` is not read; `width` is of a piece's part, 0 to 1
/// @param report  [out] on any error its verdict is GRAZE_MOTION_UNKNOWN
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, options not initialised, the workspace of another
///         checker, a trajectory of another robot); GRAZE_ERROR_RANGE (a piece that may leave the
///         domain of the checker's options, where epsilon holds; the element is "piece N",
///         0-based); GRAZE_ERROR_CANCELLED
/// The same report on every machine. One thread per workspace. Allocates nothing. Nullable:
/// options, error. Cost: some tens of microseconds a piece where there is space. Source: Schwarzer,
/// Saha and Latombe (2005) as for graze_check_motion(); how far a column moves in an interval is
/// bounded by the control points of that interval (Farin, section 4.3, the convex hull property).
static inline graze_status
graze_check_trajectory(const graze_checker *checker, graze_motion_workspace *workspace,
                       const graze_trajectory *trajectory, const graze_motion_options *options,
                       graze_trajectory_report *report, graze_error *error) {
    return graze_check_trajectory_sized(checker, workspace, trajectory, options, report,
                                        sizeof *report, error);
}

#ifdef __cplusplus
}
#endif

#endif
