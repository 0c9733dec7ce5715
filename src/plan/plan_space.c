// The state space of a plan, and lists of its states.

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "plan/plan_internal.h"

static const char *const base_names[6] = {"base x",    "base y",     "base z",
                                          "base roll", "base pitch", "base yaw"};

/// Sets a sampling range around two values without limits: their interval, wider by half of its
/// length and two metres on either side.
static void range_about(gz_axis *axis, double a, double b) {
    double margin = 0.5 * fabs(a - b) + 2.0;
    axis->low = fmin(a, b) - margin;
    axis->high = fmax(a, b) + margin;
}

/// The axis of one column of q.
static gz_axis joint_axis(const graze_robot *robot, int32_t column, graze_q_kind kind,
                          const double *start, const double *goal) {
    graze_joint_info info;
    gz_axis axis = {.kind = kind, .column = column};
    axis.joint = graze_robot_q_joint(robot, (size_t)column);
    graze_robot_joint(robot, axis.joint, &info);
    if (kind == GRAZE_Q_CIRCLE) {
        axis.low = -GZ_PI;
        axis.high = GZ_PI;
    } else if (kind == GRAZE_Q_ROTATION) {
        axis.low = -1;
        axis.high = 1;
    } else if (info.limited) {
        axis.limited = true;
        axis.low = info.lower;
        axis.high = info.upper;
    } else {
        range_about(&axis, start[column], goal[column]);
    }
    return axis;
}

/// Whether the columns before and behind one that is of the same quaternion are planned, too.
static bool is_whole(const graze_robot *robot, const graze_q_kind *kinds,
                     const unsigned char *chosen, size_t column) {
    if (kinds[column] != GRAZE_Q_ROTATION) return true;
    int32_t joint = graze_robot_q_joint(robot, column);
    for (size_t k = column - 1; k <= column + 1; k += 2)
        if (graze_robot_q_joint(robot, k) == joint && kinds[k] == GRAZE_Q_ROTATION && !chosen[k])
            return false;
    return true;
}

/// The axes of the planned columns, in ascending order of column, whatever the order asked for.
static graze_status add_joints(gz_plan_space *space, const graze_robot *robot,
                               const graze_q_kind *kinds, const double *start, const double *goal,
                               const unsigned char *chosen, graze_error *error) {
    for (size_t i = 0; i < space->q_size; i++) {
        if (!chosen[i]) continue;
        if (!is_whole(robot, kinds, chosen, i))
            return gz_fail(error, GRAZE_ERROR_UNSUPPORTED,
                           "column %s is planned without the rest of its quaternion; allowed: all "
                           "four columns or none",
                           graze_robot_q_name(robot, i));
        space->axes[space->dimension++] = joint_axis(robot, (int32_t)i, kinds[i], start, goal);
        space->has_rotation = space->has_rotation || kinds[i] == GRAZE_Q_ROTATION;
    }
    return GRAZE_OK;
}

/// x, y and yaw of the base, with their ranges: as given, or the world's boundary, or a box about
/// start and goal.
static graze_status add_base(gz_plan_space *space, const graze_checker *checker,
                             const double start[6], const double goal[6],
                             const graze_plan_options *options, graze_error *error) {
    double low[3], high[3];
    const graze_world *world = graze_checker_world(checker);
    bool given = true;
    for (int i = 0; i < 2; i++) {
        low[i] = options->base_min[i];
        high[i] = options->base_max[i];
        if (!isfinite(low[i]) || !isfinite(high[i]))
            return gz_fail(error, GRAZE_ERROR_RANGE,
                           "range of %s is %g to %g; allowed: finite numbers", base_names[i],
                           low[i], high[i]);
        given = given && low[i] <= high[i];
    }
    bool bounded = !given && world && graze_world_boundary(world, low, high);
    for (int i = 0; i < 2; i++) {
        gz_axis *axis = &space->axes[space->dimension++];
        *axis = (gz_axis){.kind = GRAZE_Q_LINE, .column = -1 - i, .joint = -1};
        axis->low = low[i];
        axis->high = high[i];
        if (!given && !bounded) range_about(axis, start[i], goal[i]);
    }
    space->axes[space->dimension++] = (gz_axis){
        .kind = GRAZE_Q_CIRCLE, .column = -1 - 5, .joint = -1, .low = -GZ_PI, .high = GZ_PI};
    return GRAZE_OK;
}

/// Chooses all columns but those of passive joints (SRDF: not actuated), unless start and goal
/// differ there.
static void choose_driven(const graze_robot *robot, const double *start, const double *goal,
                          unsigned char *chosen) {
    for (size_t i = 0; i < graze_robot_q_size(robot); i++) {
        graze_joint_info joint;
        graze_robot_joint(robot, graze_robot_q_joint(robot, i), &joint);
        if (!joint.passive || start[i] != goal[i]) chosen[i] = 1;
    }
}

/// Which columns of q are planned, one byte each.
static graze_status choose_columns(const graze_robot *robot, const double *start,
                                   const double *goal, const graze_plan_options *options,
                                   unsigned char *chosen, graze_error *error) {
    size_t n = graze_robot_q_size(robot);
    if (!options->columns) {
        choose_driven(robot, start, goal, chosen);
        return GRAZE_OK;
    }
    for (size_t i = 0; i < options->column_count; i++) {
        int32_t column = options->columns[i];
        if (column < 0 || (size_t)column >= n)
            return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                           "planned column %zu is %d; allowed: 0 to %zu", i, column, n - (n > 0));
        if (chosen[column])
            return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                           "column %d (%s) is planned twice; allowed: once", column,
                           graze_robot_q_name(robot, (size_t)column));
        chosen[column] = 1;
    }
    return GRAZE_OK;
}

/// One block for so many axes and what stays of q.
static bool allocate(gz_plan_space *space, size_t axes) {
    space->axes = gz_malloc(1, axes * sizeof *space->axes + space->q_size * sizeof(double));
    if (!space->axes) return false;
    space->q_fixed = (double *)(space->axes + axes);
    return true;
}

graze_status gz_plan_space_make(gz_plan_space *space, const graze_checker *checker,
                                const double *start, const double *start_base, const double *goal,
                                const double *goal_base, const graze_plan_options *options,
                                graze_error *error) {
    static const double identity[6] = {0, 0, 0, 0, 0, 0};
    const graze_robot *robot = graze_checker_robot(checker);
    *space = (gz_plan_space){.q_size = graze_robot_q_size(robot)};
    size_t n = space->q_size;
    unsigned char *chosen = gz_calloc(n, 1);
    graze_q_kind *kinds = gz_malloc(n, sizeof *kinds);
    bool ready = chosen && kinds && allocate(space, n + 3);
    graze_status status = ready ? GRAZE_OK : gz_fail_memory(error);
    if (status == GRAZE_OK) {
        graze_robot_q_kinds(robot, kinds);
        if (n) memcpy(space->q_fixed, start, n * sizeof(double));
        memcpy(space->base_fixed, start_base ? start_base : identity, sizeof space->base_fixed);
        if (options->planar_base)
            status = add_base(space, checker, start_base ? start_base : identity,
                              goal_base ? goal_base : identity, options, error);
    }
    if (status == GRAZE_OK) status = choose_columns(robot, start, goal, options, chosen, error);
    if (status == GRAZE_OK) status = add_joints(space, robot, kinds, start, goal, chosen, error);
    space->has_lines = true;
    for (size_t i = 0; i < space->dimension; i++)
        space->has_lines = space->has_lines && space->axes[i].kind == GRAZE_Q_LINE;
    gz_free(chosen);
    gz_free(kinds);
    if (status != GRAZE_OK) gz_plan_space_free(space);
    return status;
}

void gz_plan_space_free(gz_plan_space *space) {
    gz_free(space->axes);
    *space = (gz_plan_space){0};
}

bool gz_plan_space_copy(gz_plan_space *out, const gz_plan_space *space) {
    *out = *space;
    if (!allocate(out, space->dimension)) return false;
    memcpy(out->axes, space->axes, space->dimension * sizeof *out->axes);
    memcpy(out->q_fixed, space->q_fixed, space->q_size * sizeof(double));
    return true;
}

void gz_plan_space_read(const gz_plan_space *space, const double *q, const double base[6],
                        double *state) {
    for (size_t i = 0; i < space->dimension; i++) {
        int32_t column = space->axes[i].column;
        state[i] = column >= 0 ? q[column] : base[-1 - column];
    }
    for (size_t i = 0; i < space->dimension; i += gz_column_width(space->axes[i].kind))
        if (space->axes[i].kind == GRAZE_Q_ROTATION) gz_unit_quaternion(&state[i], &state[i]);
}

void gz_plan_space_write(const gz_plan_space *space, const double *state, double *q,
                         double base[6]) {
    if (space->q_size) memcpy(q, space->q_fixed, space->q_size * sizeof(double));
    memcpy(base, space->base_fixed, sizeof space->base_fixed);
    gz_plan_space_place(space, state, q, base);
}

void gz_plan_space_place(const gz_plan_space *space, const double *state, double *q,
                         double base[6]) {
    for (size_t i = 0; i < space->dimension; i++) {
        int32_t column = space->axes[i].column;
        if (column >= 0)
            q[column] = state[i];
        else
            base[-1 - column] = state[i];
    }
}

void gz_plan_space_sample(const gz_plan_space *space, gz_random *random, double *state) {
    for (size_t i = 0; i < space->dimension; i += gz_column_width(space->axes[i].kind)) {
        const gz_axis *axis = &space->axes[i];
        gz_column_sample(axis->kind, random, axis->low, axis->high, &state[i]);
    }
}

double gz_plan_space_distance(const gz_plan_space *space, const double *a, const double *b) {
    double sum = 0;
    if (space->has_lines) {
        for (size_t i = 0; i < space->dimension; i++) sum += (b[i] - a[i]) * (b[i] - a[i]);
        return sqrt(sum);
    }
    for (size_t i = 0; i < space->dimension; i += gz_column_width(space->axes[i].kind))
        sum += gz_column_square(space->axes[i].kind, GRAZE_TURN_SHORTER, &a[i], &b[i]);
    return sqrt(sum);
}

void gz_plan_space_interpolate(const gz_plan_space *space, const double *a, const double *b,
                               double t, double *out) {
    if (t <= 0 || t >= 1) {
        memmove(out, t <= 0 ? a : b, space->dimension * sizeof(double));
        return;
    }
    if (space->has_lines) { // most of what planners do
        for (size_t i = 0; i < space->dimension; i++) out[i] = gz_number_between(a[i], b[i], t);
        return;
    }
    for (size_t i = 0; i < space->dimension; i += gz_column_width(space->axes[i].kind))
        gz_column_between(space->axes[i].kind, GRAZE_TURN_SHORTER, &a[i], &b[i], t, &out[i]);
}

uint64_t gz_plan_space_steps(const gz_plan_space *space, double distance, double resolution) {
    // Equal steps of t are equal distances but for rotations. There, t runs along a chord whose
    // ends are at most pi/2 apart on the unit sphere of quaternions, so the chord's distance h from
    // the centre is at least cos(pi/4); a point at distance u along it from its middle is at
    // the angle atan(u/h), which grows by at most 1/h <= sqrt(2) per unit of u. The other axes are
    // not scaled, so sqrt(2) bounds the whole.
    double factor = space->has_rotation ? 1.4142135623730952 : 1.0;
    // Product, quotient and the product here round by 3 u in all, u = 2^-53, and the root of a sum
    // of n squares by (n + 5) u / 2: 1e-12 = 9007 u holds them for 17,000 numbers of a state.
    double steps = ceil(factor * distance / resolution * (1 + 1e-12));
    if (!(steps >= 1)) return 1;
    return steps < 0x1p62 ? (uint64_t)steps : UINT64_C(1) << 62;
}

graze_status gz_plan_check_numbers(const graze_robot *robot, const char *name, const double *q,
                                   const double base[6], graze_error *error) {
    for (size_t i = 0; i < graze_robot_q_size(robot); i++)
        if (!isfinite(q[i]))
            return gz_fail(error, GRAZE_ERROR_RANGE, "%s: %s is %g; allowed: finite numbers", name,
                           graze_robot_q_name(robot, i), q[i]);
    for (int i = 0; i < 6; i++)
        if (!isfinite(base[i]))
            return gz_fail(error, GRAZE_ERROR_RANGE, "%s: %s is %g; allowed: finite numbers", name,
                           base_names[i], base[i]);
    return GRAZE_OK;
}

int32_t gz_plan_violated_joint(const graze_robot *robot, const double *q) {
    for (size_t i = 0; i < graze_robot_q_size(robot); i++) {
        int32_t joint = graze_robot_q_joint(robot, i);
        graze_joint_info info;
        if (graze_robot_joint(robot, joint, &info) == GRAZE_OK && info.limited &&
            (q[i] < info.lower || q[i] > info.upper))
            return joint;
    }
    return -1;
}

bool gz_plan_space_differs(const gz_plan_space *space, const graze_robot *robot, const double *q,
                           const double base[6], int32_t *joint) {
    bool q_differs = false, base_differs = false;
    for (size_t i = 0; i < space->q_size && !q_differs; i++) {
        bool planned = false;
        for (size_t k = 0; k < space->dimension; k++)
            planned = planned || space->axes[k].column == (int32_t)i;
        q_differs = !planned && space->q_fixed[i] != q[i];
        if (q_differs) *joint = graze_robot_q_joint(robot, i);
    }
    bool planar = space->dimension > 0 && space->axes[0].column < 0;
    for (int i = 0; i < 6; i++) {
        bool planned = planar && (i < 2 || i == 5);
        base_differs = base_differs || (!planned && space->base_fixed[i] != base[i]);
    }
    if (base_differs && !q_differs) *joint = -1;
    return q_differs || base_differs;
}

void gz_state_list_free(gz_state_list *list) {
    gz_free(list->values);
    *list = (gz_state_list){.dimension = list->dimension};
}

/// One number more than needed, so that a space without dimensions has a place, too.
static bool reserve(gz_state_list *list, size_t count) {
    return gz_array_reserve((void **)&list->values, &list->capacity, count * list->dimension + 1,
                            sizeof(double));
}

bool gz_state_list_add(gz_state_list *list, const double *state) {
    if (!reserve(list, list->count + 1)) return false;
    if (list->dimension)
        memcpy(gz_state_list_at(list, list->count), state, list->dimension * sizeof(double));
    list->count++;
    return true;
}

bool gz_state_list_replace(gz_state_list *list, size_t first, size_t last,
                           const gz_state_list *by) {
    size_t row = list->dimension * sizeof(double);
    size_t count = list->count - (last - first) + by->count;
    if (!reserve(list, count)) return false;
    if (row) {
        memmove(gz_state_list_at(list, first + by->count), gz_state_list_at(list, last),
                (list->count - last) * row);
        if (by->count) memcpy(gz_state_list_at(list, first), by->values, by->count * row);
    }
    list->count = count;
    return true;
}

void gz_state_list_reverse(gz_state_list *list) {
    for (size_t i = 0, j = list->count; i + 1 < j; i++) {
        j--;
        for (size_t k = 0; k < list->dimension; k++) {
            double value = gz_state_list_at(list, i)[k];
            gz_state_list_at(list, i)[k] = gz_state_list_at(list, j)[k];
            gz_state_list_at(list, j)[k] = value;
        }
    }
}
