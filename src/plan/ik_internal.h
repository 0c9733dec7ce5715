/// Shared by the files of inverse kinematics: what is sought, and one descent.
#ifndef GZ_PLAN_IK_INTERNAL_H
#define GZ_PLAN_IK_INTERNAL_H

#include "graze/ik.h"

/// A column that may move.
typedef struct gz_ik_column {
    int32_t column;
    graze_q_kind kind;
    double low, high; ///< limits, infinite where it has none
    bool turns;       ///< whole turns more or less may be within the limits, and are the same pose
} gz_ik_column;

/// One call of graze_ik().
typedef struct gz_ik {
    const graze_checker *checker;
    const graze_robot *robot;
    graze_ik_options options;
    int32_t link;
    graze_transform target;
    const double *start, *base;
    size_t n, violated; ///< numbers of q; joints outside their limits at the first starting point
    gz_ik_column *columns;
    size_t count;
    graze_q_kind *kinds;
    double *low, *high; ///< ranges of starting points, by column of q
    double *q;          ///< where the descent is, and ends
    double *best, *trial, *step;
    double *jacobian; ///< 6 rows of n
    graze_transform *links;
    graze_workspace *workspace;
} gz_ik;

/// How far the frame is from the pose, m and rad.
typedef struct gz_ik_residual {
    double position, angle;
} gz_ik_residual;

bool gz_ik_is_reached(const gz_ik *ik, const gz_ik_residual *residual);

/// Goes down from ik->q until the pose is reached, nothing gets better, or the iterations are
/// spent; ik->q is then the best configuration on the way.
graze_status gz_ik_descend(gz_ik *ik, gz_ik_residual *residual, uint64_t *iterations,
                           graze_error *error);

#endif
