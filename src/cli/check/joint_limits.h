/// Which joints of a configuration are outside their limits. Not a collision.
#ifndef GZ_CLI_CHECK_JOINT_LIMITS_H
#define GZ_CLI_CHECK_JOINT_LIMITS_H

#include "graze/graze.h"

/// One limited joint: its value is multiplier * q[column] + offset.
typedef struct gz_joint_limit {
    int32_t joint, column;
    double multiplier, offset, lower, upper;
} gz_joint_limit;

typedef struct gz_joint_limits {
    gz_joint_limit *items;
    size_t count;
    int32_t *violated; ///< room for all, for gz_joint_limits_violated()
} gz_joint_limits;

/// Collects the limited joints, mimic joints too. False when out of memory.
bool gz_joint_limits_make(gz_joint_limits *limits, const graze_robot *robot);
/// Writes the joints that are outside to limits->violated; returns their number.
size_t gz_joint_limits_violated(gz_joint_limits *limits, const double *q);
/// Fills an error that names the first violated joint, its value and its range.
graze_status gz_joint_limits_fail(const gz_joint_limits *limits, const graze_robot *robot,
                                  const double *q, graze_error *error);
void gz_joint_limits_free(gz_joint_limits *limits);

#endif
