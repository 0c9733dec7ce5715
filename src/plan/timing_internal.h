/// Between the files that time paths.
#ifndef GZ_PLAN_TIMING_INTERNAL_H
#define GZ_PLAN_TIMING_INTERNAL_H

#include "graze/timing.h"

/// A piece of the geometric path, by its length: a straight way, or the parabola that cuts a
/// corner.
typedef struct gz_path_span {
    bool bends;
    size_t at; ///< a straight one: the motion, by its first waypoint; a parabola: the corner
    double length;
} gz_path_span;

/// A part of a span, between two knots.
typedef struct gz_path_cell {
    size_t span;
    double from, to; ///< along the span
} gz_path_cell;

/// Waypoints as a curve in the space of configurations, and its knots.
typedef struct gz_timed_path {
    size_t width, count; ///< numbers of q, waypoints
    double *points;      ///< count rows; continuous joints go on beyond half a turn
    double *directions;  ///< count - 1 rows of unit vectors
    double *lengths;     ///< of the count - 1 motions
    double *cuts;        ///< of each waypoint: how far before and behind it the parabola begins
    gz_path_span *spans;
    gz_path_cell *cells;
    size_t span_count, cell_count;
    const double *velocities, *accelerations; ///< limits of columns
    double *speeds;                           ///< cell_count + 1 squares of ds/dt at knots
    double *times;                            ///< likewise, s
    double *q, *rates;                        ///< likewise, rows: positions and velocities
} gz_timed_path;

/// Derivatives of the curve by its length at a place on a span: the first and the second of a
/// column.
void gz_timed_path_slope(const gz_timed_path *path, const gz_path_span *span, double at,
                         size_t column, double *first, double *second);

/// Sets `speeds`: as fast as the limits allow at the ends of cells, from rest to rest. `stops` has
/// a flag for each knot at which the speed is 0.
void gz_timed_path_speeds(gz_timed_path *path, const bool *stops);

#endif
