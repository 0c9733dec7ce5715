/// Where is each rigid body? Double throughout, in a fixed order: the same bits on every machine.
#ifndef GZ_KINEMATICS_FORWARD_KINEMATICS_H
#define GZ_KINEMATICS_FORWARD_KINEMATICS_H

#include "robot/robot.h"

/// Checks q: its length, and that every joint value is finite and at most 2^20 after mimic chains,
/// and every quaternion can be normalised. The error's element names the joint.
graze_status gz_pose_check(const graze_robot *robot, const double *q, size_t q_count,
                           graze_error *error);

/// The base pose as a transform; NULL is the identity.
graze_status gz_pose_base(const double *base, double out[12], graze_error *error);

/// Pose of a body that a joint moves, from that of its parent.
void gz_pose_body(const gz_body *body, const double *q, const double parent[12], double out[12]);

/// Poses of all bodies for a q that passed gz_pose_check().
void gz_pose_bodies(const graze_robot *robot, const double *q, const double base[12],
                    double (*bodies)[12]);

/// Poses of some bodies only: `list` holds each after its parent, without body 0, whose pose is the
/// base. The same bits as gz_pose_bodies().
void gz_pose_listed(const graze_robot *robot, const double *q, const double base[12],
                    const int32_t *list, size_t count, double (*bodies)[12]);

/// Two directions that span the plane of a planar joint: for the axis z they are x and y, and so on
/// in turn; for others the coordinate direction after the axis's largest component is made
/// perpendicular.
void gz_planar_directions(const double axis[3], double u[3], double v[3]);

/// The value of a joint with one number, mimic chains resolved.
double gz_pose_value(const graze_robot *robot, int32_t joint, const double *q);

#endif
