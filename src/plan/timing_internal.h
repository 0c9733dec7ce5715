/// Between the files that make curves of paths, and time them.
#ifndef GZ_PLAN_TIMING_INTERNAL_H
#define GZ_PLAN_TIMING_INTERNAL_H

#include "base/memory.h"
#include "graze/timing.h"

/// A piece of the geometric path, by its length: a straight way, or the bend that cuts a corner.
typedef struct gz_path_span {
    bool bends;
    size_t at; ///< a straight one: the motion, by its first waypoint; a bend: the corner
    double length;
} gz_path_span;

/// A part of a span, between two knots.
typedef struct gz_path_cell {
    size_t span;
    double from, to; ///< along the span
} gz_path_cell;

/// Waypoints as a curve in the space of configurations, and its knots.
typedef struct gz_timed_path {
    size_t width, count; ///< numbers of q and, where the base moves, 6 of it; waypoints
    bool spline;         ///< bends are cubic B-splines; else parabolas
    double *points;      ///< count rows; continuous joints go on beyond half a turn
    double *directions;  ///< count - 1 rows of unit vectors
    double *lengths;     ///< of the count - 1 motions
    double *cuts;        ///< of each waypoint: how far before and behind it the bend begins
    gz_path_span *spans;
    gz_path_cell *cells;
    size_t span_count, cell_count;
    const double *velocities, *accelerations, *jerks; ///< limits of columns; jerks: NULL: none
    double *speeds;                                   ///< cell_count + 1 squares of ds/dt at knots
    double *times;                                    ///< likewise, s
    double *q;                                        ///< likewise, rows of positions
    double *rates;                                    ///< likewise, of velocities
} gz_timed_path;

/// Numbers of a base pose.
enum { GZ_BASE_NUMBERS = 6 };

/// Refuses waypoints that are fewer than two, or are none of the robot. `base` has a row for each,
/// or is NULL.
graze_status gz_timed_path_check(const graze_robot *robot, const double *q, const double *base,
                                 size_t count, graze_error *error);

/// Writes the kinds of the columns of q, and behind them of a base.
void gz_timed_path_kinds(const graze_robot *robot, bool has_base, graze_q_kind *kinds);

/// Writes rows of q and, where it is not NULL, of a base behind each; `stride`: from one row of the
/// base to the next, 0 where it stands still.
void gz_timed_path_rows(double *rows, const double *q, size_t q_size, const double *base,
                        size_t stride, size_t count);

/// A corner whose bend has been halved so often is not cut.
enum { GZ_CUT_HALVINGS = 6 };

/// Takes rows over, each after the one before, with directions and lengths.
/// @param kinds of the columns
/// @param moves [out] whether a column changes; may be NULL
/// @return GRAZE_ERROR_UNSUPPORTED for a rotation that changes, GRAZE_ERROR_RANGE for a row that is
///         the one before
graze_status gz_timed_path_take(gz_timed_path *path, const double *rows, const graze_q_kind *kinds,
                                bool *moves, graze_error *error);

/// Sets `cuts` so that the curve stays within `corner` of each corner.
void gz_timed_path_cut(gz_timed_path *path, double corner);

/// Lays the span of a motion, and of the bend in front of it, along the waypoints.
void gz_timed_path_lay(gz_timed_path *path, size_t motion);

/// A column at a place on a span.
double gz_timed_path_position(const gz_timed_path *path, const gz_path_span *span, double at,
                              size_t column);

/// Derivatives of the curve by its length at a place on a span: the first and the second of a
/// column.
void gz_timed_path_slope(const gz_timed_path *path, const gz_path_span *span, double at,
                         size_t column, double *first, double *second);

/// Sets `speeds`: as fast as the limits allow at the ends of cells, from rest to rest. `stops` has
/// a flag for each knot at which the speed is 0.
void gz_timed_path_speeds(gz_timed_path *path, const bool *stops);

/// Sets cells, `speeds` and `times`, whole nanoseconds, of laid spans whose bends are splines,
/// within the limits of jerk, too.
/// @param share   of the limits of speed that is used, at most 1; of accelerations its square, of
///                jerks its cube
/// @param scratch 2 numbers for each waypoint
void gz_timed_path_jerk_limited(gz_timed_path *path, double share, double *scratch);

/// The cells of a motion and its bend that gz_timed_path_jerk_limited() makes, at most.
enum { GZ_JERK_CELLS = 9 };

#endif
