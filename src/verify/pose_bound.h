/// How far rounding can take the points of a link, from the joints and shapes of a dump alone: what
/// its pose_error and its epsilon are held against. docs/verify.md states the derivation.
#ifndef GZ_VERIFY_POSE_BOUND_H
#define GZ_VERIFY_POSE_BOUND_H

#include "verify/dump_reader.h"

typedef struct gz_pose_bounds {
    double *stated;   ///< per link of the scene's bodies: the most that its pose_error may say
    double *possible; ///< the same with slides and turns held to what the domain lets them do
    double epsilon;   ///< the most that the scene's epsilon may say
} gz_pose_bounds;

/// `order` holds the joints, parents' first. False when memory is out; to be freed also then.
bool gz_pose_bounds_make(gz_pose_bounds *bounds, const gz_dump_scene *scene, const int32_t *order);
void gz_pose_bounds_free(gz_pose_bounds *bounds);

#endif
