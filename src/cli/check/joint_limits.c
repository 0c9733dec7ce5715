#include "cli/check/joint_limits.h"

#include <stdio.h>

#include "cli/message.h"
#include "cli/text.h"

/// Follows a mimic chain to the joint that has a number in q.
static bool resolve(const graze_robot *robot, int32_t joint, gz_joint_limit *limit) {
    graze_joint_info info;
    *limit = (gz_joint_limit){.joint = joint, .multiplier = 1};
    if (graze_robot_joint(robot, joint, &info) != GRAZE_OK || !info.limited) return false;
    limit->lower = info.lower;
    limit->upper = info.upper;
    // A chain cannot be longer than there are joints; loading refuses cycles.
    for (int32_t steps = graze_robot_joint_count(robot); info.mimic >= 0 && steps > 0; steps--) {
        limit->offset += limit->multiplier * info.offset;
        limit->multiplier *= info.multiplier;
        if (graze_robot_joint(robot, info.mimic, &info) != GRAZE_OK) return false;
    }
    limit->column = info.q_index;
    return info.q_index >= 0;
}

bool gz_joint_limits_make(gz_joint_limits *limits, const graze_robot *robot) {
    size_t joints = (size_t)graze_robot_joint_count(robot);
    *limits = (gz_joint_limits){.items = gz_storage_resize(NULL, joints, sizeof *limits->items),
                                .violated = gz_storage_resize(NULL, joints, sizeof(int32_t))};
    if (limits->items == NULL || limits->violated == NULL) return false;
    for (size_t i = 0; i < joints; i++) {
        if (resolve(robot, (int32_t)i, &limits->items[limits->count])) limits->count++;
    }
    return true;
}

static double value_of(const gz_joint_limit *limit, const double *q) {
    return limit->multiplier * q[limit->column] + limit->offset;
}

size_t gz_joint_limits_violated(gz_joint_limits *limits, const double *q) {
    size_t count = 0;
    for (size_t i = 0; i < limits->count; i++) {
        const gz_joint_limit *limit = &limits->items[i];
        double value = value_of(limit, q);
        if (value < limit->lower || value > limit->upper) limits->violated[count++] = limit->joint;
    }
    return count;
}

graze_status gz_joint_limits_fail(const gz_joint_limits *limits, const graze_robot *robot,
                                  const double *q, graze_error *error) {
    char value[GZ_DECIMAL_SIZE], lower[GZ_DECIMAL_SIZE], upper[GZ_DECIMAL_SIZE];
    for (size_t i = 0; i < limits->count; i++) {
        const gz_joint_limit *limit = &limits->items[i];
        double number = value_of(limit, q);
        if (number >= limit->lower && number <= limit->upper) continue;
        graze_joint_info info;
        if (graze_robot_joint(robot, limit->joint, &info) != GRAZE_OK) continue;
        return gz_error_set(
            error, GRAZE_ERROR_RANGE, NULL, 0, 0, "joint '%s' is %s; allowed: %s to %s", info.name,
            gz_decimal_format(value, number), gz_decimal_format(lower, limit->lower),
            gz_decimal_format(upper, limit->upper));
    }
    return GRAZE_OK;
}

void gz_joint_limits_free(gz_joint_limits *limits) {
    gz_storage_free(limits->items);
    gz_storage_free(limits->violated);
    *limits = (gz_joint_limits){0};
}
