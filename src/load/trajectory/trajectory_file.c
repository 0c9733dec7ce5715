// Trajectories in JSON and YAML: trajectory_msgs/JointTrajectory as MoveIt, ROS 1 and ROS 2 print
// it, alone or in the messages that carry one.
#include <math.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "graze/trajectory.h"
#include "load/document/joint_name.h"
#include "load/file.h"
#include "load/token.h"

enum { POSITIONS, VELOCITIES, ACCELERATIONS, LISTS };
static const char *const list_names[LISTS] = {"positions", "velocities", "accelerations"};
static const char *const number_names[LISTS] = {"position", "velocity", "acceleration"};

typedef struct reader {
    gz_document doc;
    const graze_robot *robot;
    const double *rest; ///< one row; NULL: graze_robot_rest()
    const gz_value *names, *points;
    int32_t *columns; ///< per joint of the file
    size_t joint_count, count, width;
    double *memory; ///< owns the rows
    double *times, *rows[LISTS];
    bool has[LISTS];
} reader;

// --------------------------------------------------------------------------------- the message

/// Refuses what moves floating and planar joints, or the base, beside the joints of one number.
static graze_status refuse_multi_dof(const reader *r, const gz_value *map) {
    static const char *const keys[] = {"multi_dof_joint_trajectory", "multi_dof_trajectory"};
    for (int i = 0; i < 2; i++) {
        const gz_value *other = gz_value_member(&r->doc, map, keys[i]);
        const gz_value *points = other ? gz_value_member(&r->doc, other, "points") : NULL;
        if (points && points->count)
            return gz_value_fail(&r->doc, points, GRAZE_ERROR_UNSUPPORTED,
                                 "joints of several degrees of freedom move; allowed: trajectories "
                                 "of joints of one");
    }
    return GRAZE_OK;
}

/// Finds the map that has the points: the root, or what stands below it under the names that
/// messages have for it (RobotTrajectory, DisplayTrajectory, FollowJointTrajectory's goal).
static graze_status find_trajectory(const reader *r, const gz_value **out) {
    static const char *const outer[] = {"goal", "trajectory", "joint_trajectory"};
    const gz_value *at = gz_document_root(&r->doc);
    for (bool deeper = true; deeper && !gz_value_member(&r->doc, at, "points");) {
        deeper = false;
        GZ_TRY(refuse_multi_dof(r, at));
        for (size_t i = 0; i < sizeof outer / sizeof *outer && !deeper; i++) {
            const gz_value *inner = gz_value_member(&r->doc, at, outer[i]);
            if (inner && inner->kind == GZ_VALUE_LIST && inner->count != 1)
                return gz_value_fail(&r->doc, inner, GRAZE_ERROR_UNSUPPORTED,
                                     "there are %u trajectories; allowed: one in a file",
                                     inner->count);
            if (inner && inner->kind == GZ_VALUE_LIST) inner = gz_value_first(inner);
            if (!inner || inner->kind != GZ_VALUE_MAP) continue;
            at = inner;
            deeper = true;
        }
    }
    *out = at;
    return GRAZE_OK;
}

static graze_status find_lists(reader *r) {
    const gz_value *map = NULL;
    GZ_TRY(find_trajectory(r, &map));
    GZ_TRY(gz_value_expect(&r->doc, map, GZ_VALUE_MAP, "a map with joint_names and points"));
    GZ_TRY(gz_value_required_kind(&r->doc, map, "joint_names", GZ_VALUE_LIST,
                                  "a list of joint names", &r->names));
    GZ_TRY(gz_value_required_kind(&r->doc, map, "points", GZ_VALUE_LIST, "a list of points",
                                  &r->points));
    r->joint_count = r->names->count;
    r->count = r->points->count;
    r->width = graze_robot_q_size(r->robot);
    if (r->count < 2)
        return gz_value_fail(&r->doc, r->points, GRAZE_ERROR_SCHEMA,
                             "there are %zu points; allowed: two at least", r->count);
    return GRAZE_OK;
}

static graze_status allocate(reader *r) {
    r->columns = gz_malloc(r->joint_count + 1, sizeof *r->columns);
    r->memory = gz_malloc(r->count, (1 + LISTS * r->width) * sizeof *r->memory);
    if (!r->columns || !r->memory) return gz_fail_memory(r->doc.error);
    r->times = r->memory;
    for (int k = 0; k < LISTS; k++) {
        r->rows[k] = r->times + r->count * (1 + (size_t)k * r->width);
        if (r->width) memset(r->rows[k], 0, r->count * r->width * sizeof *r->rows[k]);
    }
    for (size_t i = 0; i < r->count; i++) {
        double *row = r->rows[POSITIONS] + i * r->width;
        if (r->rest && r->width)
            memcpy(row, r->rest, r->width * sizeof *row);
        else if (r->width)
            graze_robot_rest(r->robot, row);
    }
    return GRAZE_OK;
}

// --------------------------------------------------------------------------------------- joints

static graze_status read_names(reader *r) {
    size_t k = 0;
    for (const gz_value *v = gz_value_first(r->names); v; v = gz_value_next(v), k++) {
        GZ_TRY(gz_value_joint(&r->doc, v, r->robot, &r->columns[k]));
        GZ_TRY(gz_value_joint_new(&r->doc, v, r->columns, k));
    }
    return GRAZE_OK;
}

// --------------------------------------------------------------------------------------- points

/// A whole number of a map of seconds and nanoseconds, 0 where it is not there.
static graze_status read_whole(const reader *r, const gz_value *map, const char *const keys[2],
                               double low, double high, double *out, bool *found) {
    *out = 0;
    for (int i = 0; i < 2; i++) {
        const gz_value *v = gz_value_member(&r->doc, map, keys[i]);
        if (!v) continue;
        GZ_TRY(gz_value_number(&r->doc, v, out));
        if (*out != floor(*out) || *out < low || *out > high)
            return gz_value_fail(&r->doc, v, GRAZE_ERROR_RANGE,
                                 "%s is %.15g; allowed: a whole number from %.0f to %.0f", keys[i],
                                 *out, low, high);
        *found = true;
    }
    return GRAZE_OK;
}

/// Seconds: a number, or seconds and nanoseconds by their names in ROS 1 or 2.
static graze_status read_time(const reader *r, const gz_value *point, double *time) {
    static const char *const seconds[2] = {"sec", "secs"}, *const fractions[2] = {"nanosec",
                                                                                  "nsecs"};
    const gz_value *v;
    double whole, fraction;
    bool found = false;
    GZ_TRY(gz_value_required(&r->doc, point, "time_from_start", &v));
    if (v->kind != GZ_VALUE_MAP) return gz_value_number(&r->doc, v, time);
    GZ_TRY(read_whole(r, v, seconds, -2147483648.0, 2147483647, &whole, &found));
    GZ_TRY(read_whole(r, v, fractions, 0, 999999999, &fraction, &found));
    if (!found)
        return gz_value_fail(&r->doc, v, GRAZE_ERROR_SCHEMA,
                             "there are no seconds; allowed: a number, or sec and nanosec");
    *time = whole + fraction / 1e9;
    return GRAZE_OK;
}

static graze_status read_numbers(reader *r, const gz_value *list, size_t row, int k) {
    GZ_TRY(gz_value_expect(&r->doc, list, GZ_VALUE_LIST, "a list of numbers"));
    if (list->count != r->joint_count)
        return gz_value_fail(&r->doc, list, GRAZE_ERROR_SCHEMA,
                             "%u numbers; allowed: %zu, one for each of joint_names", list->count,
                             r->joint_count);
    size_t i = 0;
    for (const gz_value *v = gz_value_first(list); v; v = gz_value_next(v), i++) {
        size_t column = (size_t)r->columns[i];
        if (v->kind == GZ_VALUE_NUMBER && !isfinite(v->number))
            return gz_value_fail(&r->doc, v, GRAZE_ERROR_RANGE,
                                 "the %s of joint '%.200s' is %g; allowed: finite", number_names[k],
                                 graze_robot_q_name(r->robot, column), v->number);
        GZ_TRY(gz_value_number(&r->doc, v, &r->rows[k][row * r->width + column]));
    }
    return GRAZE_OK;
}

/// Reads a list of a point. Positions must be there; derivatives in all points or in none.
static graze_status read_list(reader *r, const gz_value *point, size_t row, int k) {
    const gz_value *list = gz_value_member(&r->doc, point, list_names[k]);
    bool given = list && list->kind != GZ_VALUE_NULL &&
                 !(list->kind == GZ_VALUE_LIST && list->count == 0 && r->joint_count > 0);
    if (k == POSITIONS) {
        GZ_TRY(gz_value_required(&r->doc, point, list_names[k], &list));
        return read_numbers(r, list, row, k);
    }
    if (row == 0) r->has[k] = given;
    if (given != r->has[k])
        return gz_value_fail(&r->doc, point, GRAZE_ERROR_SCHEMA,
                             "%s are %s here and %s in the first point; allowed: in all points, or "
                             "in none",
                             list_names[k], given ? "given" : "missing",
                             given ? "missing" : "given");
    if (!given) return GRAZE_OK;
    if (k == ACCELERATIONS && !r->has[VELOCITIES])
        return gz_value_fail(&r->doc, point, GRAZE_ERROR_SCHEMA,
                             "accelerations without velocities; allowed: both, velocities, or "
                             "neither");
    return read_numbers(r, list, row, k);
}

static graze_status read_points(reader *r) {
    size_t row = 0;
    for (const gz_value *v = gz_value_first(r->points); v; v = gz_value_next(v), row++) {
        GZ_TRY(gz_value_expect(&r->doc, v, GZ_VALUE_MAP, "a map with positions and a time"));
        // A misspelt "velocities" would be another motion.
        GZ_TRY(gz_value_refuse_keys(&r->doc, v,
                                    "positions velocities accelerations effort time_from_start"));
        GZ_TRY(read_time(r, v, &r->times[row]));
        for (int k = 0; k < LISTS; k++) GZ_TRY(read_list(r, v, row, k));
        if (row > 0 && !(r->times[row] > r->times[row - 1]))
            return gz_value_fail(
                &r->doc, v, GRAZE_ERROR_RANGE,
                "time is %.9g s after %.9g s; allowed: later than the point before", r->times[row],
                r->times[row - 1]);
    }
    return GRAZE_OK;
}

// --------------------------------------------------------------------------------------- reading

static graze_status make(graze_trajectory **out, reader *r, const double *base) {
    graze_trajectory_knots knots = graze_trajectory_knots_default();
    double *bases = gz_calloc(6 * r->count, sizeof *bases);
    if (!bases) return gz_fail_memory(r->doc.error);
    for (size_t i = 0; base && i < r->count; i++) memcpy(bases + 6 * i, base, 6 * sizeof *base);
    knots.count = r->count;
    knots.times = r->times;
    knots.q = r->rows[POSITIONS];
    knots.base = bases;
    if (r->has[VELOCITIES]) knots.velocities = r->rows[VELOCITIES];
    if (r->has[ACCELERATIONS]) knots.accelerations = r->rows[ACCELERATIONS];
    graze_status status = graze_trajectory_from_knots(out, r->robot, &knots, r->doc.error);
    gz_free(bases);
    return status;
}

static graze_status read_document(graze_trajectory **out, reader *r, const char *text, size_t size,
                                  const double *base, const graze_limits *limits) {
    size_t blanks = 0;
    while (blanks < size && memchr(" \t\r\n", text[blanks], 4)) blanks++;
    bool json = blanks < size && text[blanks] == '{';
    GZ_TRY(json ? gz_document_read_json(&r->doc, text, size, limits)
                : gz_document_read_yaml(&r->doc, text, size, limits));
    GZ_TRY(find_lists(r));
    GZ_TRY(allocate(r));
    GZ_TRY(read_names(r));
    GZ_TRY(read_points(r));
    return make(out, r, base);
}

/// Reads a text under the options, which are checked.
static graze_status load_text(graze_trajectory **out, const graze_robot *robot, const char *text,
                              size_t size, const char *name, const double *rest, const double *base,
                              const graze_load_options *options, graze_error *error) {
    gz_warnings warnings = {0};
    reader r = {
        .doc = {.file = name, .error = error, .warnings = &warnings}, .robot = robot, .rest = rest};
    graze_status status = read_document(out, &r, text, size, base, &options->limits);
    if (status) gz_error_locate(error, (gz_place){.file = name});
    gz_document_clear(&r.doc);
    gz_warnings_free(&warnings);
    gz_free(r.columns);
    gz_free(r.memory);
    return status;
}

graze_status graze_trajectory_load_memory(graze_trajectory **out, const graze_robot *robot,
                                          const char *text, size_t size, const char *name,
                                          const double *rest, const double *base,
                                          const graze_load_options *options, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    graze_load_options checked;
    if (out) *out = NULL;
    if (!out || !robot || !text || !name)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out, robot, text or name is NULL");
    GZ_TRY(gz_load_options_check(options, &checked, error));
    if (size > checked.limits.file_bytes)
        return gz_fail_at(error, GRAZE_ERROR_LIMIT, (gz_place){.file = name},
                          "%zu bytes; allowed: at most %llu (limits.file_bytes)", size,
                          (unsigned long long)checked.limits.file_bytes);
    gz_memory_budget memory;
    gz_memory_budget_open(&memory, checked.limits.memory_bytes);
    graze_status status = load_text(out, robot, text, size, name, rest, base, &checked, error);
    gz_memory_budget_close(&memory);
    if (!status) gz_error_clear(error);
    return status;
}

graze_status graze_trajectory_load(graze_trajectory **out, const graze_robot *robot,
                                   const char *path, const double *rest, const double *base,
                                   const graze_load_options *options, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    graze_load_options checked;
    char *text;
    size_t size;
    if (out) *out = NULL;
    if (!out || !robot || !path)
        return gz_fail(error, GRAZE_ERROR_ARGUMENT, "out, robot or path is NULL");
    GZ_TRY(gz_load_options_check(options, &checked, error));
    gz_memory_budget memory;
    gz_memory_budget_open(&memory, checked.limits.memory_bytes);
    graze_status status = gz_load_read(path, checked.files, checked.limits.file_bytes, &text, &size,
                                       error);
    if (status == GRAZE_OK) {
        status = load_text(out, robot, text, size, path, rest, base, &checked, error);
        gz_free(text);
    }
    gz_memory_budget_close(&memory);
    if (!status) gz_error_clear(error);
    return status;
}
