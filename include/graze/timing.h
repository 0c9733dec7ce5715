/// @file timing.h
/// Timed paths: from waypoints and the joints' limits of velocity, acceleration and jerk to a
/// trajectory that keeps them and is proved free. docs/planning.md has the method.
#ifndef GRAZE_TIMING_H
#define GRAZE_TIMING_H

#include "trajectory.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How a path is timed. Obtain from graze_timing_options_default(), then set the fields.
typedef struct graze_timing_options {
    uint32_t struct_size; ///< set by the default; do not change
    uint32_t spline;      ///< 1: corners are cut by cubic B-splines, as graze_smooth_path() cuts
                          ///< them; 0, the default: by parabolas, which are shorter
    const double *velocities; ///< graze_robot_q_size() numbers, rad/s and m/s, above 0; NULL, the
                              ///< default: those of the robot's description
    const double
        *accelerations;  ///< likewise, rad/s^2 and m/s^2; needed, as no description has them
    double corner;       ///< by how much a corner of the path may be cut, in the metric of
                         ///< graze_robot_metric(), at least 0; 0: the robot stops at each;
                         ///< default 0.1
    const double *jerks; ///< likewise, rad/s^3 and m/s^3, INFINITY: no limit; NULL, the default:
                         ///< those of the description, where it has them. With any, corners are
                         ///< cut as `spline` says, but take at most a third of a motion
    const double *bases; ///< where the base moves: count rows in place of `base`, whose angles take
                         ///< the shorter turn; NULL, the default: it does not
    const double *base_velocities;    ///< limits of the base's six numbers, m/s and rad/s, above 0;
                                      ///< of those that `bases` changes they are needed
    const double *base_accelerations; ///< likewise, m/s^2 and rad/s^2
    const double *base_jerks; ///< likewise, m/s^3 and rad/s^3, INFINITY: no limit; NULL: none
} graze_timing_options;

/// Writes the defaults of graze_timing_options into a structure of `size` bytes, the caller's size
/// of it: what graze_timing_options_default() calls. Any thread. Allocates nothing. Cost: O(1).
GRAZE_API void graze_timing_options_init(graze_timing_options *options, size_t size);

/// The defaults. Any thread. Allocates nothing. Cost: O(1).
static inline graze_timing_options graze_timing_options_default(void) {
    graze_timing_options options;
    graze_timing_options_init(&options, sizeof options);
    return options;
}

/// Reads limits of joints from a file as MoveIt keeps it, joint_limits.yaml: `joint_limits`, alone
/// or in `robot_description_planning`, with `has_velocity_limits` and `max_velocity` of a joint,
/// and likewise of accelerations, decelerations (the lesser of both counts) and jerks. Positions
/// are not read, nor default scaling factors, which are of requests. What the file does not say the
/// robot's description does.
/// @param path          of the file; relative to the working directory, or one of `options->files`
/// @param options       NULL: the defaults; `limits` and `files` count
/// @param velocities    [out] graze_robot_q_size() numbers, rad/s and m/s, as graze_timing_options
///                      takes them; 0 where there is none; NULL: not wanted
/// @param accelerations [out] likewise, rad/s^2 and m/s^2
/// @param jerks         [out] likewise, rad/s^3 and m/s^3; INFINITY where there is none
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL); GRAZE_ERROR_NOT_FOUND, GRAZE_ERROR_IO,
///         GRAZE_ERROR_PARSE, GRAZE_ERROR_SCHEMA (a joint that is not there, an unknown key, a
///         limit without its number), GRAZE_ERROR_RANGE (one that is not above 0),
///         GRAZE_ERROR_LIMIT, GRAZE_ERROR_NO_MEMORY; with file, line and element; then the rows
///         hold what was read
/// Any thread. Allocates. Cost: O(size + joints). Nullable: options, velocities, accelerations,
/// jerks, error.
GRAZE_API graze_status graze_joint_limits_load(const graze_robot *robot, const char *path,
                                               const graze_load_options *options,
                                               double *velocities, double *accelerations,
                                               double *jerks, graze_error *error);

/// What became of a path. The library fills it; it may grow.
typedef struct graze_timing_report {
    graze_motion_verdict verdict; ///< GRAZE_MOTION_FREE: there is a trajectory; else what is known
                                  ///< of the path's straight motion that is not proved free
    size_t motion;                ///< that motion, by its first waypoint
    double seconds;               ///< how long the trajectory takes
    double velocity;     ///< the greatest fraction of a limit of velocity that it uses, at most 1
    double acceleration; ///< likewise of acceleration
    size_t stops;        ///< corners at which it stops
    uint32_t rounds;     ///< trajectories tried: corners that were not free are cut less
    uint32_t reserved;   ///< 0
    double jerk;         ///< like `acceleration`, of jerk; 0 where there are no limits of it
} graze_timing_report;

/// graze_time_path() for a caller whose graze_timing_report has `size` bytes.
/// @param out [out] as there; free with graze_trajectory_free()
/// @return as there. Any thread. Allocates. Cost: as there.
GRAZE_API graze_status graze_time_path_sized(graze_trajectory **out, const graze_checker *checker,
                                             const double *q, size_t count, const double *base,
                                             const graze_timing_options *options,
                                             graze_timing_report *report, size_t size,
                                             graze_error *error);

/// Times a path: from rest at the first waypoint to rest at the last, about as fast as the limits
/// allow, straight but near corners, which are cut within `corner`. The trajectory consists of
/// cubic pieces between knots, as graze_trajectory_from_knots() makes them, and is proved free by
/// graze_check_trajectory(); a corner whose cut is not proved free is cut by half, and at last not
/// at all.
///
/// Within limits of jerk acceleration is continuous, straight ways are run through by profiles of a
/// double S, and bends at constant speed; no phase takes less than 4 ms.
///
/// That limits are kept is proved, too: the derivatives of cubic pieces are bounded by those at
/// their ends and by control points; their third is constant.
/// @param out     [out] NULL where the path is not proved free, and on failure; free with
///                graze_trajectory_free(), before the checker's robot
/// @param q       count rows of graze_robot_q_size() numbers, two at least, no two of which in a
///                row are the same: the straight motions between them are those of
///                graze_robot_interpolate(), continuous joints take the shorter turn
/// @param base    x y z roll pitch yaw, where the base stands, m and rad; NULL: the identity, or
///                `bases` of the options
/// @param report  [out] on any error its verdict is GRAZE_MOTION_UNKNOWN
/// @return GRAZE_OK, the report says whether there is a trajectory; GRAZE_ERROR_ARGUMENT (NULL,
///         fewer than two waypoints, options not initialised); GRAZE_ERROR_RANGE (a limit that is
///         not finite and above 0, `corner`, a waypoint as graze_robot_pose(); the element is
///         "column NAME" or "row N"); GRAZE_ERROR_UNSUPPORTED (a rotation of a floating joint that
///         changes, a robot whose motions cannot be proved); GRAZE_ERROR_NO_MEMORY
/// Angles of continuous joints go on beyond half a turn. The same bits on every machine. Any
/// thread. Allocates. Nullable: base, error. Cost: some hundreds of knots, and the proof of as many
/// pieces, some milliseconds. Source: reachability analysis for the speeds (Pham and Pham 2018, "A
/// new approach to time-optimal path parameterization based on reachability analysis"), blends of
/// corners after Kunz and Stilman (2012), by parabolas in place of arcs; double S: Biagiotti and
/// Melchiorri, Trajectory Planning for Automatic Machines and Robots (2008, section 3.4).
static inline graze_status graze_time_path(graze_trajectory **out, const graze_checker *checker,
                                           const double *q, size_t count, const double *base,
                                           const graze_timing_options *options,
                                           graze_timing_report *report, graze_error *error) {
    return graze_time_path_sized(out, checker, q, count, base, options, report, sizeof *report,
                                 error);
}

#ifdef __cplusplus
}
#endif

#endif
