#include "cspace/cspace.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

#define RANGE_MAX 1e3

/// Whether a column of q is a length; where it is not, it is an angle or of a quaternion.
static bool is_length(const graze_joint_info *info, int32_t column) {
    int32_t place = column - info->q_index;
    return info->type == GRAZE_JOINT_PRISMATIC || (info->type == GRAZE_JOINT_PLANAR && place < 2) ||
           (info->type == GRAZE_JOINT_FLOATING && place < 3);
}

static graze_status read_column(gz_cspace_grid *grid, int k, graze_error *error) {
    const graze_cspace *map = grid->map;
    int32_t column = map->columns[k];
    if (column < 0 || (size_t)column >= grid->robot->column_count)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "columns[%d] is %d; allowed: 0 to %zu", k,
                       (int)column, grid->robot->column_count - 1);
    const char *name = grid->robot->column_names[column];
    const graze_joint_info *info = &grid->robot->joints[grid->robot->column_joints[column]].info;
    bool length = is_length(info, column);
    if (info->type == GRAZE_JOINT_FLOATING && !length)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "column '%s' is of a quaternion; allowed: an angle or a length", name);
    double half = length ? 1 : M_PI;
    double range[2] = {info->limited ? info->lower : -half, info->limited ? info->upper : half};
    for (int side = 0; side < 2; side++)
        if (!isnan(map->ranges[k][side])) range[side] = map->ranges[k][side];
    if (!(range[0] < range[1]) || fabs(range[0]) > RANGE_MAX || fabs(range[1]) > RANGE_MAX)
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "the range of '%s' is %.17g to %.17g; allowed: ascending, of magnitude at "
                       "most %g",
                       name, range[0], range[1], RANGE_MAX);
    grid->low[k] = range[0];
    grid->high[k] = range[1];
    grid->step[k] = (range[1] - range[0]) / (k == 0 ? map->width : map->height);
    return GRAZE_OK;
}

graze_status gz_cspace_grid_make(gz_cspace_grid *grid, const graze_robot *robot,
                                 const graze_cspace *map, graze_error *error) {
    *grid = (gz_cspace_grid){.robot = robot, .map = map, .q_size = robot->column_count};
    const uint32_t sides[2] = {map->width, map->height};
    for (int k = 0; k < 2; k++)
        if (sides[k] < 1 || sides[k] > GRAZE_CSPACE_SIZE_MAX)
            return gz_fail(error, GRAZE_ERROR_RANGE, "%s is %u; allowed: 1 to %d",
                           k == 0 ? "width" : "height", sides[k], GRAZE_CSPACE_SIZE_MAX);
    if (robot->column_count < 2)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "the robot's q has %zu numbers; allowed: at least 2", robot->column_count);
    for (int k = 0; k < 2; k++) {
        graze_status status = read_column(grid, k, error);
        if (status) return status;
    }
    if (map->columns[0] == map->columns[1])
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "both columns are '%s'; allowed: two",
                       robot->column_names[map->columns[0]]);
    grid->q = gz_malloc(grid->q_size, sizeof *grid->q);
    if (!grid->q) return gz_fail_memory(error);
    if (map->q)
        memcpy(grid->q, map->q, grid->q_size * sizeof *grid->q);
    else
        graze_robot_rest(robot, grid->q);
    for (int k = 0; k < 2; k++)
        grid->q[map->columns[k]] = grid->low[k] + 0.5 * (grid->high[k] - grid->low[k]);
    return GRAZE_OK;
}

void gz_cspace_grid_free(gz_cspace_grid *grid) {
    gz_free(grid->q);
    grid->q = NULL;
}

void gz_cspace_grid_place(const gz_cspace_grid *grid, uint32_t x, uint32_t y, uint32_t wide,
                          uint32_t high, double *q) {
    const graze_cspace *map = grid->map;
    memcpy(q, grid->q, grid->q_size * sizeof *q);
    q[map->columns[0]] = grid->low[0] +
                         (x + 0.5 * wide) * (grid->high[0] - grid->low[0]) / map->width;
    q[map->columns[1]] = grid->low[1] +
                         (y + 0.5 * high) * (grid->high[1] - grid->low[1]) / map->height;
}

bool gz_cspace_grid_outside(const gz_cspace_grid *grid, int side, const double *q) {
    for (int32_t i = 0; i < grid->robot->joint_count; i++) {
        const gz_joint *joint = &grid->robot->joints[i];
        // Joints of several columns have no limits.
        if (!joint->info.limited || joint->column != grid->map->columns[side]) continue;
        double value = joint->multiplier * q[joint->column] + joint->offset;
        if (!(value >= joint->info.lower && value <= joint->info.upper)) return true;
    }
    return false;
}

graze_status gz_cspace_grid_motion(const gz_cspace_grid *grid, gz_motion_model *motion,
                                   graze_error *error) {
    *motion = (gz_motion_model){0};
    double *low = gz_malloc(2 * grid->q_size, sizeof *low);
    if (!low) return gz_fail_memory(error);
    double *high = low + grid->q_size;
    memcpy(low, grid->q, grid->q_size * sizeof *low);
    memcpy(high, grid->q, grid->q_size * sizeof *high);
    for (int k = 0; k < 2; k++) {
        low[grid->map->columns[k]] = grid->low[k];
        high[grid->map->columns[k]] = grid->high[k];
    }
    graze_status status = gz_motion_model_make(motion, grid->robot, low, high, error);
    gz_free(low);
    return status;
}
