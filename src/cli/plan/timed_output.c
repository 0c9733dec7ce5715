#include "cli/plan/timed_output.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/argument.h"
#include "cli/input/configuration.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/robot_view.h"
#include "cli/text.h"

/// Waypoints, limits, and the knots of what is written.
typedef struct timed_run {
    const gz_timed_output *o;
    const graze_checker *checker;
    const graze_robot *robot;
    size_t size, count; ///< numbers of q, waypoints
    double *q, *limits; ///< count rows; velocities, accelerations and jerks
    double *bases;      ///< count rows
    bool base_moves;
    double base_limits[3][GZ_BASE_SIZE];
    graze_trajectory_knots knots; ///< `times` owns the memory of all its arrays
} timed_run;

static bool has_base_limits(const gz_timed_output *t) {
    for (int order = 0; order < 3; order++)
        if (t->base_limits[order][0] != 0 || t->base_limits[order][1] != 0) return true;
    return false;
}

/// Whether rows are written, which have columns of the base.
static bool writes_rows(const gz_timed_output *t) {
    return gz_text_ends_with(t->file, ".csv");
}

int gz_timed_output_usage(const gz_timed_output *t, const gz_check_files *files) {
    const char *const outputs[] = {files->output, files->dump, files->picture, files->animation,
                                   t->file};
    bool printed = files->output == NULL || strcmp(files->output, "-") == 0;
    const gz_usage_rule rules[] = {
        {t->file == NULL && (t->limits != NULL || t->acceleration != 0 || t->velocity != 0 ||
                             t->jerk != 0 || t->scale != 1),
         "--joint-limits, --acceleration, --velocity, --jerk and --velocity-scale are for --trajectory"},
        {t->file == NULL && has_base_limits(t),
         "--base-velocity, --base-acceleration and --base-jerk are for --trajectory"},
        {!(t->scale > 0 && t->scale <= 1), "--velocity-scale is above 0, and at most 1"},
        {t->file != NULL && strcmp(t->file, "-") == 0 && printed,
         "--trajectory - needs -o FILE for the path"},
        {gz_output_shared(outputs, GZ_COUNT(outputs)) != NULL,
         "two of the files to be written are one; allowed: a file each"},
    };
    return gz_usage_check("plan", rules, GZ_COUNT(rules));
}

/// Joints that a JointTrajectory can name: of one number each.
static bool is_named(const graze_robot *robot, size_t column) {
    return gz_joint_at(robot, graze_robot_q_joint(robot, column)).q_count == 1;
}

/// Takes the waypoints; joints of several numbers stand still.
static graze_status take_path(timed_run *run, const graze_path *path, graze_error *error) {
    for (size_t i = 0; i < run->count; i++) {
        const double *q = graze_path_q(path, i), *base = graze_path_base(path, i);
        memcpy(run->q + i * run->size, q, run->size * sizeof *q);
        memcpy(run->bases + i * GZ_BASE_SIZE, base, GZ_BASE_SIZE * sizeof *base);
        run->base_moves |= memcmp(base, run->bases, GZ_BASE_SIZE * sizeof *base) != 0;
        for (size_t k = 0; k < run->size; k++)
            if (q[k] != run->q[k] && !is_named(run->robot, k))
                return gz_fail(error, GRAZE_ERROR_UNSUPPORTED,
                               "'%s' moves; allowed with --trajectory: joints of one number",
                               graze_robot_q_name(run->robot, k));
    }
    if (run->base_moves && !writes_rows(run->o))
        return gz_fail(error, GRAZE_ERROR_UNSUPPORTED,
                       "the base moves, which a JointTrajectory cannot say; allowed with "
                       "--trajectory: a name that ends in .csv");
    return GRAZE_OK;
}

/// The limits of the base, where it moves.
static graze_status take_base_limits(timed_run *run, graze_error *error) {
    static const char *const names[3] = {"--base-velocity", "--base-acceleration", "--base-jerk"};
    for (int order = 0; order < 3; order++)
        for (int k = 0; k < GZ_BASE_SIZE; k++) {
            double limit = run->o->base_limits[order][k >= 3];
            if (order == 2 && limit == 0) limit = INFINITY;
            if (run->base_moves && !(limit > 0))
                return gz_fail(
                    error, GRAZE_ERROR_ARGUMENT,
                    "the base moves, and its limit is %g; needed: %s, two numbers above 0", limit,
                    names[order]);
            run->base_limits[order][k] = order == 0 ? limit * run->o->scale : limit;
        }
    return GRAZE_OK;
}

/// Fills in the limits of all columns: the description's, those of the file, those of options.
static graze_status take_limits(timed_run *run, graze_error *error) {
    const gz_timed_output *o = run->o;
    double *rows[3] = {run->limits, run->limits + run->size, run->limits + 2 * run->size};
    const double given[3] = {o->velocity, o->acceleration, o->jerk};
    for (size_t k = 0; k < run->size; k++) {
        graze_joint_info joint = gz_joint_at(run->robot, graze_robot_q_joint(run->robot, k));
        rows[0][k] = joint.velocity;
        rows[1][k] = joint.acceleration;
        rows[2][k] = joint.has_jerk ? joint.jerk : INFINITY;
    }
    if (o->limits != NULL)
        GZ_TRY(
            graze_joint_limits_load(run->robot, o->limits, NULL, rows[0], rows[1], rows[2], error));
    for (int order = 0; order < 3; order++)
        for (size_t k = 0; k < run->size && given[order] > 0; k++) rows[order][k] = given[order];
    for (size_t k = 0; k < run->size; k++) rows[0][k] *= o->scale;
    return GRAZE_OK;
}

/// Reads the knots off the trajectory, as they are written.
static graze_status take_knots(timed_run *run, const graze_trajectory *t, graze_error *error) {
    size_t count = graze_trajectory_piece_count(t) + 1, n = run->size;
    double *times = gz_malloc(count * (1 + 2 * n + 2 * GZ_BASE_SIZE), sizeof *times);
    if (times == NULL) return gz_fail_memory(error);
    double *q = times + count, *v = q + count * n, *base = v + count * n;
    double *base_v = base + count * GZ_BASE_SIZE;
    for (size_t i = 0; i < count; i++) {
        times[i] = graze_trajectory_time(t, i);
        graze_trajectory_at(t, times[i], q + i * n, base + i * GZ_BASE_SIZE);
        graze_trajectory_velocity_at(t, times[i], v + i * n);
        graze_trajectory_base_velocity_at(t, times[i], base_v + i * GZ_BASE_SIZE);
    }
    run->knots = graze_trajectory_knots_default();
    run->knots.count = count;
    run->knots.times = times;
    run->knots.q = q;
    run->knots.velocities = v;
    run->knots.base = base;
    if (run->base_moves) run->knots.base_velocities = base_v;
    return GRAZE_OK;
}

/// The knots as a trajectory of their own, which must be free, too.
static graze_status prove_knots(const timed_run *run, graze_trajectory_report *report,
                                graze_error *error) {
    graze_trajectory *t = NULL;
    graze_motion_workspace *workspace = NULL;
    graze_status status = graze_trajectory_from_knots(&t, run->robot, &run->knots, error);
    if (status == GRAZE_OK) status = graze_motion_workspace_create(&workspace, run->checker, error);
    if (status == GRAZE_OK)
        status = graze_check_trajectory(run->checker, workspace, t, NULL, report, error);
    graze_motion_workspace_free(workspace);
    graze_trajectory_free(t);
    return status;
}

static void write_numbers(gz_json *json, const timed_run *run, const double *values) {
    for (size_t k = 0; k < run->size; k++)
        if (is_named(run->robot, k)) gz_json_put(json, "%g", values[k]);
}

/// A knot's time in whole seconds and nanoseconds.
static void split_time(double time, unsigned *seconds, unsigned *nanoseconds) {
    *seconds = (unsigned)floor(time);
    *nanoseconds = (unsigned)nearbyint((time - floor(time)) * 1e9);
}

static void write_json(FILE *stream, const timed_run *run) {
    const graze_trajectory_knots *knots = &run->knots;
    unsigned seconds, nanoseconds;
    gz_json json = {.stream = stream};
    gz_json_put(&json, "{ joint_names=[");
    for (size_t k = 0; k < run->size; k++)
        if (is_named(run->robot, k)) gz_json_put(&json, "%s", graze_robot_q_name(run->robot, k));
    gz_json_put(&json, "] points=[");
    gz_json_gap(&json, "\n  ");
    for (size_t i = 0; i < knots->count; i++) {
        split_time(knots->times[i], &seconds, &nanoseconds);
        gz_json_put(&json, "{ positions=[");
        write_numbers(&json, run, knots->q + i * run->size);
        gz_json_put(&json, "] velocities=[");
        write_numbers(&json, run, knots->velocities + i * run->size);
        gz_json_put(&json, "] time_from_start={ sec=%u nanosec=%u } }", seconds, nanoseconds);
    }
    gz_json_finish(&json);
}

/// Writes the columns of an order: of row i, or (SIZE_MAX) their names. Of the base where it moves.
static void write_columns(FILE *stream, const timed_run *run, int order, size_t i) {
    const graze_trajectory_knots *knots = &run->knots;
    const double *q = order == 0 ? knots->q : knots->velocities,
                 *base = order == 0 ? knots->base : knots->base_velocities;
    int32_t first = run->base_moves ? -GZ_BASE_SIZE : 0;
    for (int32_t place = first; place < (int32_t)run->size; place++) {
        char name[GRAZE_PATH_SIZE];
        size_t k = (size_t)(place < 0 ? place + GZ_BASE_SIZE : place);
        if (place >= 0 && !is_named(run->robot, k)) continue;
        fputc(',', stream);
        if (i < SIZE_MAX) {
            gz_number_write(stream, place < 0 ? base[i * GZ_BASE_SIZE + k] : q[i * run->size + k]);
            continue;
        }
        snprintf(name, sizeof name, "%s%s",
                 gz_place_name(run->robot, place < 0 ? -1 - (int32_t)k : place),
                 gz_order_names[order]);
        gz_csv_field(stream, name);
    }
}

/// Rows of time, positions and velocities: a cubic lies between two.
static void write_csv(FILE *stream, const timed_run *run) {
    const graze_trajectory_knots *knots = &run->knots;
    unsigned seconds, nanoseconds;
    fputs("time", stream);
    for (int order = 0; order < 2; order++) write_columns(stream, run, order, SIZE_MAX);
    fputc('\n', stream);
    for (size_t i = 0; i < knots->count; i++) {
        split_time(knots->times[i], &seconds, &nanoseconds);
        fprintf(stream, "%u.%09u", seconds, nanoseconds);
        for (int order = 0; order < 2; order++) write_columns(stream, run, order, i);
        fputc('\n', stream);
    }
}

static int write_file(const timed_run *run) {
    gz_output output;
    if (gz_output_open(&output, run->o->file) == GZ_EXIT_FINE)
        (writes_rows(run->o) ? write_csv : write_json)(output.stream, run);
    return gz_output_finish(&output);
}

static void print_summary(const timed_run *run, const graze_timing_report *r) {
    if (run->o->quiet) return;
    char jerk[64] = "";
    if (r->jerk > 0) snprintf(jerk, sizeof jerk, " and %.0f %% of the jerks", 100 * r->jerk);
    fprintf(stderr,
            "trajectory: %.3f s, %zu points, %zu stops, up to %.0f %% of the velocities and "
            "%.0f %% of the accelerations%s, proved free\n",
            r->seconds, run->knots.count, r->stops, 100 * r->velocity, 100 * r->acceleration, jerk);
}

static int time_and_write(timed_run *run, const graze_path *path) {
    graze_error error;
    graze_trajectory *t = NULL;
    graze_trajectory_report proof = {.verdict = GRAZE_MOTION_FREE};
    graze_timing_options options = graze_timing_options_default();
    options.velocities = run->limits;
    if (run->o->acceleration > 0 || run->o->limits != NULL)
        options.accelerations = run->limits + run->size;
    options.jerks = run->limits + 2 * run->size;
    options.corner = run->o->corner;
    options.spline = run->o->spline;
    graze_timing_report report = {.verdict = GRAZE_MOTION_UNKNOWN};
    graze_status status = take_limits(run, &error);
    if (status == GRAZE_OK) status = take_path(run, path, &error);
    if (status == GRAZE_OK) status = take_base_limits(run, &error);
    if (run->base_moves) {
        options.bases = run->bases;
        options.base_velocities = run->base_limits[0];
        options.base_accelerations = run->base_limits[1];
        options.base_jerks = run->base_limits[2];
    }
    if (status == GRAZE_OK)
        status = graze_time_path(&t, run->checker, run->q, run->count, run->bases, &options,
                                 &report, &error);
    if (status == GRAZE_OK && t != NULL) status = take_knots(run, t, &error);
    if (status == GRAZE_OK && t != NULL) status = prove_knots(run, &proof, &error);
    int exit = status ? gz_message_error("plan", &error) : GZ_EXIT_FINE;
    if (status == GRAZE_OK && (t == NULL || proof.verdict != GRAZE_MOTION_FREE)) {
        gz_message("no trajectory: motion %zu of the path is not proved free", report.motion);
        exit = GZ_EXIT_FINDING;
    }
    graze_trajectory_free(t);
    if (exit == GZ_EXIT_FINE) exit = write_file(run);
    if (exit == GZ_EXIT_FINE) print_summary(run, &report);
    gz_free((void *)(uintptr_t)run->knots.times);
    return exit;
}

int gz_timed_output_write(const gz_timed_output *o, const graze_checker *checker,
                          const graze_path *path) {
    const graze_robot *robot = graze_checker_robot(checker);
    timed_run run = {.o = o,
                     .checker = checker,
                     .robot = robot,
                     .size = graze_robot_q_size(robot),
                     .count = graze_path_count(path)};
    run.q = gz_malloc((run.count + 3) * run.size + run.count * GZ_BASE_SIZE, sizeof *run.q);
    if (run.q == NULL) return gz_message_no_memory();
    run.limits = run.q + run.count * run.size;
    run.bases = run.limits + 3 * run.size;
    int status = time_and_write(&run, path);
    gz_free(run.q);
    return status;
}
