/// The grid of a map: which configuration belongs to a place in it.
#ifndef GZ_CSPACE_CSPACE_GRID_H
#define GZ_CSPACE_CSPACE_GRID_H

#include "graze/cspace.h"
#include "kinematics/motion_bound.h"

typedef struct gz_cspace_grid {
    const graze_robot *robot;
    const graze_cspace *map;
    double low[2], high[2]; ///< of the two columns
    double step[2];         ///< a cell's edges
    double *q;              ///< the other columns; the two of the map hold the middle of the ranges
    size_t q_size;
} gz_cspace_grid;

/// What a column of q does to the joint that it moves.
typedef enum gz_column_kind {
    GZ_COLUMN_TURNS = 0,
    GZ_COLUMN_SLIDES = 1,
    GZ_COLUMN_QUATERNION = 2
} gz_column_kind;

gz_column_kind gz_column_kind_of(const graze_robot *robot, int32_t column);

/// Whether column `column` of q moves the joint, perhaps as one of several.
bool gz_column_moves(const gz_joint *joint, int32_t column);

/// Reads and judges the map's columns, size, ranges and rest configuration; see graze_cspace_map().
/// Free in any case.
graze_status gz_cspace_grid_make(gz_cspace_grid *grid, const graze_robot *robot,
                                 const graze_cspace *map, graze_error *error);
void gz_cspace_grid_free(gz_cspace_grid *grid);

/// The configuration in the middle of the box of `wide` x `high` cells from (x, y): q_size numbers.
void gz_cspace_grid_place(const gz_cspace_grid *grid, uint32_t x, uint32_t y, uint32_t wide,
                          uint32_t high, double *q);

/// Whether a joint that the map moves, itself or by mimicry, is outside its limits there.
bool gz_cspace_grid_outside(const gz_cspace_grid *grid, const double *q);

/// The motion bounds of the map's range. Free in any case.
graze_status gz_cspace_grid_motion(const gz_cspace_grid *grid, gz_motion_model *motion,
                                   graze_error *error);

#endif
