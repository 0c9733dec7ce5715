/// How fast can two links move towards each other when one number of q changes?
#ifndef GZ_LINT_AUDIT_REACH_H
#define GZ_LINT_AUDIT_REACH_H

#include "base/error.h"
#include "robot/robot.h"

/// Lengths that no configuration of the joints that turn or slide changes.
typedef struct gz_audit_reach {
    const graze_robot *robot;
    double (*before)[3], (*after)[3]; ///< per joint: its frame, and the child's, world, at rest
    double (*axes)[3];                ///< per joint: unit, world, at rest
    double (*centers)[3];             ///< per link: of the bounding sphere, world, at rest
    double *travels;                  ///< per joint: most that before and after are ever apart
} gz_audit_reach;

/// The numbers of q that the audit moves: one each for a joint that turns or slides.
bool gz_audit_moves(const graze_robot *robot, int32_t joint);

/// Poses the robot at `rest`. Free in any case.
graze_status gz_audit_reach_make(gz_audit_reach *reach, const graze_robot *robot,
                                 const double *rest, graze_error *error);
void gz_audit_reach_free(gz_audit_reach *reach);

/// An upper bound, metres per unit of q[column], of how fast the distance of two links changes,
/// whatever the other joints' values within their limits; 0 where the column does not move one
/// against the other; infinite where there is no bound (a slide without limits).
double gz_audit_reach_rate(const gz_audit_reach *reach, int32_t column, int32_t a, int32_t b);

/// A joint that the column drives, on the way between the two links, and that one turn of the
/// column does not bring back to where it was: a slide, or a gear of no whole ratio; -1 where there
/// is none.
int32_t gz_audit_reach_drift(const graze_robot *robot, int32_t column, int32_t a, int32_t b);

#endif
