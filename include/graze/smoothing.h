/// @file smoothing.h
/// Smooth paths: from waypoints to a curve without corners that is proved free. docs/planning.md
/// has the method.
#ifndef GRAZE_SMOOTHING_H
#define GRAZE_SMOOTHING_H

#include "trajectory.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How a path is smoothed. Obtain from graze_smoothing_options_default(), then set the fields.
typedef struct graze_smoothing_options {
    uint32_t struct_size; ///< set by the default; do not change
    uint32_t reserved;    ///< 0
    double corner; ///< by how much a corner may be cut, in the metric of graze_robot_metric(), base
                   ///< included (rad and m alike), above 0; default 0.1
} graze_smoothing_options;

/// Writes the defaults of graze_smoothing_options into a structure of `size` bytes, the caller's
/// size of it: what graze_smoothing_options_default() calls. Any thread. Allocates nothing. Cost:
/// O(1).
GRAZE_API void graze_smoothing_options_init(graze_smoothing_options *options, size_t size);

/// The defaults. Any thread. Allocates nothing. Cost: O(1).
static inline graze_smoothing_options graze_smoothing_options_default(void) {
    graze_smoothing_options options;
    graze_smoothing_options_init(&options, sizeof options);
    return options;
}

/// What became of a path. The library fills it; it may grow.
typedef struct graze_smoothing_report {
    graze_motion_verdict verdict; ///< GRAZE_MOTION_FREE: there is a curve; else what is known of
                                  ///< the path's straight motion that is not proved free
    size_t motion;                ///< that motion, by its first waypoint
    size_t smooth;                ///< corners that the curve cuts
    size_t sharp;                 ///< corners that stay: it turns back there, or nothing is free
    size_t tightened;             ///< of the smooth ones, those cut less than `corner` allows
    uint32_t rounds;              ///< bends tried
    uint32_t reserved;            ///< 0
    double length;                ///< of the curve by its parameter, at most the path's length
} graze_smoothing_report;

/// graze_smooth_path() for a caller whose graze_smoothing_report has `size` bytes.
/// @param out [out] as there; free with graze_trajectory_free()
/// @return as there. Any thread. Allocates. Cost: as there.
GRAZE_API graze_status graze_smooth_path_sized(graze_trajectory **out, const graze_checker *checker,
                                               const double *q, size_t count, const double *base,
                                               const graze_smoothing_options *options,
                                               graze_smoothing_report *report, size_t size,
                                               graze_error *error);

/// Smooths a path: straight ways between waypoints, and at each corner a uniform cubic B-spline of
/// two pieces that stays within `corner` of it. First and second derivatives are continuous all
/// along the curve, but at corners that stay sharp. Each piece is proved free by
/// graze_check_trajectory(); a bend that is not is cut by half, six times, and then left sharp.
///
/// The curve is a trajectory whose time is its length: straight ways are run through at speed 1,
/// bends at 0.3 to 1, the slower the sharper. Its pieces are cubic: graze_trajectory_points() has
/// their control points, graze_trajectory_at() places. graze_time_path() with `spline` and the same
/// `corner` follows it.
/// @param out     [out] NULL where the path is not proved free, and on failure; free with
///                graze_trajectory_free(), before the checker's robot
/// @param q       count rows of graze_robot_q_size() numbers, two at least, no two of which in a
///                row are the same: the straight motions between them are those of
///                graze_robot_interpolate(), continuous joints take the shorter turn
/// @param base    count rows of x y z roll pitch yaw, m and rad, whose angles take the shorter
///                turn; NULL: the identity
/// @param report  [out] on any error its verdict is GRAZE_MOTION_UNKNOWN
/// @return GRAZE_OK, the report says whether there is a curve; GRAZE_ERROR_ARGUMENT (NULL, fewer
///         than two waypoints, options not initialised); GRAZE_ERROR_RANGE (`corner`, a waypoint as
///         graze_robot_pose(); the element begins with "row N"); GRAZE_ERROR_UNSUPPORTED (a
///         rotation of a floating joint that changes, a robot whose motions cannot be proved);
///         GRAZE_ERROR_NO_MEMORY
/// It begins and ends at the first and the last waypoint, where angles of continuous joints have
/// gone on beyond half a turn up to whole turns; and keeps to the limits that the waypoints keep.
/// The same bits on every machine. Any thread. Allocates. Nullable: base, options, error. Cost:
/// some tens of microseconds for each bend that is tried, and for each straight way. Source: de
/// Boor, A Practical Guide to Splines (2001, chapter IX).
static inline graze_status graze_smooth_path(graze_trajectory **out, const graze_checker *checker,
                                             const double *q, size_t count, const double *base,
                                             const graze_smoothing_options *options,
                                             graze_smoothing_report *report, graze_error *error) {
    return graze_smooth_path_sized(out, checker, q, count, base, options, report, sizeof *report,
                                   error);
}

#ifdef __cplusplus
}
#endif

#endif
