/// How far rounding can take the points of a link, from the joints and shapes of a dump alone: what
/// its pose_error and its epsilon are held against. docs/verify.md states the derivation.
#ifndef GZ_VERIFY_POSE_BOUND_H
#define GZ_VERIFY_POSE_BOUND_H

#include "verify/dump_reader.h"

/// What is known of a link of the tree.
typedef struct gz_link_bound {
    double rotation, translation, stretch;
    double folded; ///< its distance from the last link that a joint moves
} gz_link_bound;

typedef struct gz_pose_bounds {
    double *stated;      ///< per link of the scene's bodies: the most that its pose_error may say
    double *possible;    ///< the same at one q, with the values that joints have there
    gz_link_bound *tree; ///< per link of the tree, as it was computed last
    double epsilon;      ///< the most that the scene's epsilon may say
} gz_pose_bounds;

/// `order` holds the joints, parents' first. False when memory is out; to be freed also then.
bool gz_pose_bounds_make(gz_pose_bounds *bounds, const gz_dump_scene *scene, const int32_t *order);
/// Fills `possible` for a q.
void gz_pose_bounds_follow(gz_pose_bounds *bounds, const gz_dump_scene *scene, const int32_t *order,
                           const double *q);
void gz_pose_bounds_free(gz_pose_bounds *bounds);

#endif
