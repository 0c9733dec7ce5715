// Inverse kinematics: starting points, solutions and their order. Steps are in ik_step.c.

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/thread.h"
#include "math/transform.h"
#include "math/trigonometry.h"
#include "plan/ik_internal.h"

static graze_ik_options default_options(void) {
    return (graze_ik_options){.struct_size = sizeof(graze_ik_options),
                              .starts = 200,
                              .iterations = 60,
                              .position_tolerance = 1e-8,
                              .angle_tolerance = 1e-8,
                              .distinct = 0.1,
                              .seed = 1};
}

GZ_OPTIONS_INIT(graze_ik_options, default_options)

// ------------------------------------------------------------------------------------- arguments

/// How far poses may be from rigid: they come from programs that compute in float.
#define RIGID_TOLERANCE 1e-6

static graze_status check_options(const graze_ik_options *o, graze_error *error) {
    if (o->starts < 1 || o->iterations < 1)
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "starts and iterations are %u and %u; allowed: 1 and above", o->starts,
                       o->iterations);
    if (!(o->position_tolerance > 0) || !(o->angle_tolerance > 0) || !(o->distinct >= 0))
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "tolerances are %g m and %g rad, distinct is %g; allowed: above 0, above 0, "
                       "0 and above",
                       o->position_tolerance, o->angle_tolerance, o->distinct);
    if (o->frame && !gz_transform_is_rigid(o->frame->m, RIGID_TOLERANCE))
        return gz_fail(error, GRAZE_ERROR_RANGE,
                       "frame is no rotation; allowed: a rigid transform");
    return GRAZE_OK;
}

static graze_status check_arguments(const gz_ik *ik, const graze_transform *pose,
                                    const double *solutions, size_t capacity, graze_error *error) {
    if (!pose || !ik->start || !solutions || !capacity)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT,
                       "pose, start or solutions is NULL, or capacity is 0");
    size_t links = graze_robot_link_count(ik->robot);
    if (ik->link < 0 || (size_t)ik->link >= links)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "link is %d; allowed: 0 to %zu", (int)ik->link,
                       links - 1);
    if (!gz_transform_is_rigid(pose->m, RIGID_TOLERANCE))
        return gz_fail(error, GRAZE_ERROR_RANGE, "pose is no rotation; allowed: a rigid transform");
    return check_options(&ik->options, error);
}

// --------------------------------------------------------------------------------------- columns

/// Marks a column as one that may move.
static graze_status choose(gz_ik *ik, unsigned char *chosen, int32_t column, graze_error *error) {
    if (column < 0 || (size_t)column >= ik->n || chosen[column])
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "column %d; allowed: each of 0 to %zu once",
                       (int)column, ik->n - (ik->n > 0));
    chosen[column] = 1;
    return GRAZE_OK;
}

/// Finds the joint above a link; false for the root.
static bool find_joint_above(const graze_robot *robot, int32_t link, graze_joint_info *info) {
    size_t joints = graze_robot_joint_count(robot);
    for (size_t j = 0; j < joints; j++)
        if (graze_robot_joint(robot, (int32_t)j, info) == GRAZE_OK && info->child == link)
            return true;
    return false;
}

/// Marks the columns that move the link: those of the joints above it, or of what these follow.
static void find_movers(const gz_ik *ik, unsigned char *moves) {
    graze_joint_info info;
    for (int32_t link = ik->link; find_joint_above(ik->robot, link, &info);) {
        link = info.parent;
        while (info.mimic >= 0) graze_robot_joint(ik->robot, info.mimic, &info);
        for (int32_t k = 0; k < info.q_count; k++) moves[info.q_index + k] = 1;
    }
}

static bool is_followed(const graze_robot *robot, int32_t joint) {
    graze_joint_info info;
    for (size_t i = 0; i < graze_robot_joint_count(robot); i++)
        if (graze_robot_joint(robot, (int32_t)i, &info) == GRAZE_OK && info.mimic == joint)
            return true;
    return false;
}

/// What is known of a column that may move. Lines without limits get a range about the start, for
/// starting points alone.
static void describe_column(gz_ik *ik, size_t c) {
    int32_t joint = graze_robot_q_joint(ik->robot, c);
    graze_joint_info info;
    graze_robot_joint(ik->robot, joint, &info);
    gz_ik_column *column = &ik->columns[ik->count++];
    *column = (gz_ik_column){(int32_t)c, ik->kinds[c], ik->low[c], ik->high[c], false};
    column->turns = info.type == GRAZE_JOINT_REVOLUTE && column->kind == GRAZE_Q_LINE &&
                    column->high - column->low >= GZ_TWO_PI && !is_followed(ik->robot, joint);
    if (column->kind == GRAZE_Q_CIRCLE) {
        ik->low[c] = -GZ_PI;
        ik->high[c] = GZ_PI;
    } else if (!isfinite(column->high - column->low)) {
        ik->low[c] = fmax(column->low, ik->start[c] - 1);
        ik->high[c] = fmin(column->high, ik->start[c] + 1);
    }
}

/// The columns that may move, and do move the link; all others stay at the start.
static graze_status find_columns(gz_ik *ik, unsigned char *chosen, unsigned char *moves,
                                 graze_error *error) {
    const graze_ik_options *o = &ik->options;
    for (size_t i = 0; o->columns && i < o->column_count; i++)
        GZ_TRY(choose(ik, chosen, o->columns[i], error));
    for (size_t i = 0; i < ik->n; i++) {
        graze_joint_info info;
        graze_robot_joint(ik->robot, graze_robot_q_joint(ik->robot, i), &info);
        if (!o->columns) chosen[i] = !info.passive;
    }
    find_movers(ik, moves);
    graze_robot_q_kinds(ik->robot, ik->kinds);
    graze_robot_q_limits(ik->robot, ik->low, ik->high);
    for (size_t i = 0; i < ik->n; i++) {
        bool same_joint = i > 0 && ik->kinds[i] == GRAZE_Q_ROTATION &&
                          ik->kinds[i - 1] == GRAZE_Q_ROTATION &&
                          graze_robot_q_joint(ik->robot, i) ==
                              graze_robot_q_joint(ik->robot, i - 1);
        if (same_joint && chosen[i] != chosen[i - 1])
            return gz_fail(error, GRAZE_ERROR_UNSUPPORTED,
                           "column %s moves without the rest of its quaternion; allowed: all four "
                           "columns or none",
                           graze_robot_q_name(ik->robot, i));
        if (chosen[i] && moves[i])
            describe_column(ik, i);
        else
            ik->low[i] = ik->high[i] = 0; // never read, but graze_robot_sample() wants numbers
    }
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------------- solutions

/// The solutions so far, the nearest to the start first.
typedef struct solution_list {
    double *rows, *costs; ///< capacity of each
    size_t count, capacity;
} solution_list;

static double distance_of(const gz_ik *ik, const double *a, const double *b) {
    double distance = INFINITY;
    graze_robot_metric(ik->robot, a, b, ik->n, GRAZE_TURN_SHORTER, &distance, NULL);
    return distance;
}

/// Puts a row into the order; where the list is full the farthest goes.
static void insert(const gz_ik *ik, solution_list *list, const double *q) {
    double cost = distance_of(ik, ik->start, q);
    size_t at = list->count;
    while (at > 0 && list->costs[at - 1] > cost) at--;
    if (at == list->capacity) return;
    if (list->count < list->capacity) list->count++;
    size_t behind = list->count - 1 - at;
    memmove(list->rows + (at + 1) * ik->n, list->rows + at * ik->n, behind * ik->n * sizeof *q);
    memmove(list->costs + at + 1, list->costs + at, behind * sizeof cost);
    memcpy(list->rows + at * ik->n, q, ik->n * sizeof *q);
    list->costs[at] = cost;
}

static bool is_new(const gz_ik *ik, const solution_list *list, const double *q) {
    for (size_t i = 0; i < list->count; i++)
        if (distance_of(ik, list->rows + i * ik->n, q) < ik->options.distinct) return false;
    return true;
}

/// Turns joints by whole turns towards the start, within their limits.
static void turn_to_start(const gz_ik *ik, double *q) {
    for (size_t i = 0; i < ik->count; i++) {
        const gz_ik_column *c = &ik->columns[i];
        if (!c->turns) continue;
        double *v = &q[c->column], wanted = ik->start[c->column];
        while (*v - wanted > GZ_PI && *v - GZ_TWO_PI >= c->low) *v -= GZ_TWO_PI;
        while (wanted - *v > GZ_PI && *v + GZ_TWO_PI <= c->high) *v += GZ_TWO_PI;
    }
}

enum { MOST_TURNS = 4096 }; ///< configurations by whole turns of one solution

/// Adds the configurations of the same pose that whole turns make of a row of the list.
static void add_turns(gz_ik *ik, solution_list *list, const double *of) {
    double *q = ik->trial;
    memcpy(q, of, ik->n * sizeof *q);
    for (size_t i = 0; i < ik->count; i++) { // all at their lowest
        const gz_ik_column *c = &ik->columns[i];
        while (c->turns && q[c->column] - GZ_TWO_PI >= c->low) q[c->column] -= GZ_TWO_PI;
    }
    for (int k = 0; k < MOST_TURNS; k++) {
        if (is_new(ik, list, q)) insert(ik, list, q);
        size_t i = 0;
        for (; i < ik->count; i++) { // the next, as the digits of a counter
            const gz_ik_column *c = &ik->columns[i];
            if (!c->turns) continue;
            q[c->column] += GZ_TWO_PI;
            if (q[c->column] <= c->high) break;
            while (q[c->column] - GZ_TWO_PI >= c->low) q[c->column] -= GZ_TWO_PI;
        }
        if (i == ik->count) return;
    }
}

/// Adds the turns of all solutions, each as it was found.
static graze_status add_all_turns(gz_ik *ik, solution_list *list, graze_error *error) {
    size_t found = list->count;
    bool any = false;
    for (size_t i = 0; i < ik->count; i++) any = any || ik->columns[i].turns;
    if (!any || !found || list->capacity == 1) return GRAZE_OK;
    double *rows = gz_malloc(found * ik->n, sizeof *rows);
    if (!rows) return gz_fail_memory(error);
    memcpy(rows, list->rows, found * ik->n * sizeof *rows);
    for (size_t i = 0; i < found; i++) add_turns(ik, list, rows + i * ik->n);
    gz_free(rows);
    return GRAZE_OK;
}

// ---------------------------------------------------------------------------------------- search

/// The starting point of a number: the start itself, then random ones.
static void set_starting_point(gz_ik *ik, uint32_t number) {
    memcpy(ik->q, ik->start, ik->n * sizeof *ik->q);
    if (number > 0)
        graze_robot_sample(ik->robot, ik->options.seed, number, ik->low, ik->high, ik->trial, NULL);
    for (size_t i = 0; i < ik->count; i++) {
        const gz_ik_column *c = &ik->columns[i];
        double v = number > 0 ? ik->trial[c->column] : ik->start[c->column];
        ik->q[c->column] = c->kind == GRAZE_Q_LINE ? fmin(fmax(v, c->low), c->high) : v;
    }
}

/// Takes a configuration at the pose for a solution, or counts why it is none.
static graze_status evaluate(gz_ik *ik, solution_list *list, graze_ik_result *result,
                             graze_error *error) {
    result->reached++;
    turn_to_start(ik, ik->q);
    graze_robot_wrap(ik->robot, ik->q, ik->n, NULL);
    if (graze_robot_limits_violated(ik->robot, ik->q, NULL, 0) > ik->violated) {
        result->beyond++;
        return GRAZE_OK;
    }
    if (!is_new(ik, list, ik->q)) return GRAZE_OK;
    if (!ik->options.colliding) {
        graze_contact contact = {0};
        graze_report report = {.contacts = &contact, .capacity = 1};
        graze_answer answer = result->collided ? GRAZE_ANSWER_ANY : GRAZE_ANSWER_FIRST;
        GZ_TRY(graze_check(ik->checker, ik->workspace, answer, ik->q, ik->n, ik->base, &report,
                           error));
        if (report.verdict != GRAZE_FREE) {
            if (!result->collided++) result->contact = contact;
            return GRAZE_OK;
        }
    }
    insert(ik, list, ik->q);
    return GRAZE_OK;
}

/// Tries starts until the list is full.
static graze_status search(gz_ik *ik, solution_list *list, graze_ik_result *result,
                           graze_error *error) {
    const graze_ik_options *o = &ik->options;
    gz_ik_residual least = {INFINITY, INFINITY}, worst = {0, 0}, residual;
    graze_status status = GRAZE_OK;
    while (status == GRAZE_OK && result->starts < o->starts && list->count < list->capacity) {
        if (gz_is_cancelled(o->cancel)) {
            status = gz_fail(error, GRAZE_ERROR_CANCELLED, "cancelled");
            break;
        }
        set_starting_point(ik, result->starts++);
        size_t before = list->count;
        GZ_TRY(gz_ik_descend(ik, &residual, &result->iterations, error));
        if (gz_ik_is_reached(ik, &residual)) status = evaluate(ik, list, result, error);
        if (list->count > before) {
            worst.position = fmax(worst.position, residual.position);
            worst.angle = fmax(worst.angle, residual.angle);
        }
        if (residual.position + residual.angle < least.position + least.angle) least = residual;
    }
    const gz_ik_residual *shown = list->count ? &worst : &least;
    result->position_error = shown->position;
    result->angle_error = shown->angle;
    return status;
}

static void lay_out(gz_ik *ik, solution_list *list, unsigned char *flags[2], gz_arena *arena) {
    size_t n = ik->n;
    ik->columns = gz_arena_array(arena, n, sizeof *ik->columns);
    ik->kinds = gz_arena_array(arena, n, sizeof *ik->kinds);
    double **numbers[] = {&ik->low, &ik->high, &ik->q, &ik->best, &ik->trial, &ik->step};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = gz_arena_array(arena, n, sizeof(double));
    ik->jacobian = gz_arena_array(arena, 6 * n, sizeof *ik->jacobian);
    ik->links = gz_arena_array(arena, graze_robot_link_count(ik->robot), sizeof *ik->links);
    list->costs = gz_arena_array(arena, list->capacity, sizeof *list->costs);
    for (int i = 0; i < 2; i++) flags[i] = gz_arena_array(arena, n, 1);
}

/// Everything behind the checks of arguments.
static graze_status solve(gz_ik *ik, double *solutions, size_t capacity, graze_ik_result *result,
                          graze_error *error) {
    solution_list list = {.rows = solutions, .capacity = capacity};
    unsigned char *flags[2];
    gz_arena arena = {0};
    lay_out(ik, &list, flags, &arena);
    if (!gz_arena_create(&arena)) return gz_fail_memory(error);
    void *memory = arena.memory;
    lay_out(ik, &list, flags, &arena);
    for (int i = 0; i < 2; i++) memset(flags[i], 0, ik->n);
    graze_status status = graze_robot_pose(ik->robot, ik->start, ik->n, ik->base, ik->links, error);
    if (status == GRAZE_OK) status = find_columns(ik, flags[0], flags[1], error);
    if (status == GRAZE_OK) {
        set_starting_point(ik, 0);
        ik->violated = graze_robot_limits_violated(ik->robot, ik->q, NULL, 0);
        status = graze_workspace_create(&ik->workspace, ik->checker, error);
    }
    if (status == GRAZE_OK) {
        status = search(ik, &list, result, error);
        graze_status turned = status == GRAZE_OK ? add_all_turns(ik, &list, error) : GRAZE_OK;
        if (turned != GRAZE_OK) status = turned;
        result->count = list.count;
    }
    graze_workspace_free(ik->workspace);
    gz_free(memory);
    return status;
}

graze_status graze_ik_sized(const graze_checker *checker, int32_t link, const graze_transform *pose,
                            const double *start, const double *base,
                            const graze_ik_options *options, double *solutions, size_t capacity,
                            graze_ik_result *result, size_t size, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    graze_ik_result values = {0};
    if (!checker || !result)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "checker or result is NULL");
    gz_fill(result, size, &values, sizeof values);
    gz_ik ik = {.checker = checker,
                .robot = graze_checker_robot(checker),
                .link = link,
                .start = start,
                .base = base};
    ik.n = graze_robot_q_size(ik.robot);
    GZ_TRY(GZ_OPTIONS_READ(graze_ik_options, &ik.options, options, error));
    GZ_TRY(check_arguments(&ik, pose, solutions, capacity, error));
    ik.target = *pose;
    graze_status status = solve(&ik, solutions, capacity, &values, error);
    gz_fill(result, size, &values, sizeof values);
    if (status == GRAZE_OK) gz_error_clear(error);
    return status;
}
