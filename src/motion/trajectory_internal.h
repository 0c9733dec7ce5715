/// Between the files of trajectories.
#ifndef GZ_MOTION_TRAJECTORY_INTERNAL_H
#define GZ_MOTION_TRAJECTORY_INTERNAL_H

#include "motion/motion_internal.h"

struct graze_trajectory {
    const graze_robot *robot; ///< not owned
    int32_t degree;           ///< of all pieces
    size_t piece_count;
    double *times; ///< piece_count + 1; owns the memory of what follows
    double *q;     ///< degree + 1 rows of control points for each piece
    double *base;
};

/// The curves of a piece.
void gz_trajectory_piece(const graze_trajectory *trajectory, size_t piece, gz_curve *q,
                         gz_curve *base);
/// The parameter, 0 to 1 in steps of 2^-46, of a time on a piece, and a time of a parameter.
double gz_trajectory_parameter(const graze_trajectory *trajectory, size_t piece, double time);
double gz_trajectory_time(const graze_trajectory *trajectory, size_t piece, double s);
/// Sets q and base at a parameter of a piece.
void gz_trajectory_place(const graze_trajectory *trajectory, size_t piece, double s, double *q,
                         double base[6]);

#endif
