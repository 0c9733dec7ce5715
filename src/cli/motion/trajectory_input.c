#include "cli/motion/trajectory_input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/message.h"
#include "cli/text.h"

#define PI 3.14159265358979323846

// ------------------------------------------------------------------------------------------ rows

/// Rows of a file, as they are read: q and base behind each other, by their orders, and times.
typedef struct rows {
    gz_configuration_file file;
    double *q[GZ_ORDER_COUNT], *base[GZ_ORDER_COUNT], *times;
    size_t count, width, q_capacity[GZ_ORDER_COUNT], base_capacity[GZ_ORDER_COUNT], time_capacity;
    bool timed;
    int orders; ///< that the file has
} rows;

static graze_status reserve(rows *r, const gz_trajectory_input *in, graze_error *error) {
    uint64_t bytes = (uint64_t)(r->count + 1) *
                     ((r->width + GZ_BASE_SIZE) * (size_t)r->orders + 1) * sizeof *r->times;
    if (bytes > in->input->limits.memory_bytes)
        return gz_fail(error, GRAZE_ERROR_LIMIT,
                       "more than %zu rows; allowed: what --max-memory has", r->count);
    size_t needed = r->count + 1;
    bool fine = gz_array_reserve((void **)&r->times, &r->time_capacity, needed, sizeof *r->times);
    for (int i = 0; fine && i < r->orders; i++)
        fine = gz_array_reserve((void **)&r->q[i], &r->q_capacity[i], needed * r->width + 1,
                                sizeof *r->q[i]) &&
               gz_array_reserve((void **)&r->base[i], &r->base_capacity[i], needed * GZ_BASE_SIZE,
                                sizeof *r->base[i]);
    return fine ? GRAZE_OK : gz_fail_memory(error);
}

/// The place of the row that was read last: a line of CSV, else a row by its index.
#define ROW_PLACE(rows) row_place((rows), (char[32]){0})
static gz_place row_place(const rows *r, char element[32]) {
    snprintf(element, 32, "row %zu", r->count);
    return (gz_place){.file = r->file.source.name, .element = element, .line = r->file.line};
}

/// Takes the time of the row that was read last; without a column "time" that is its index.
static graze_status take_time(rows *r, graze_error *error) {
    double time = r->timed ? gz_configuration_file_time(&r->file) : (double)r->count;
    if (!isfinite(time))
        return gz_fail_at(error, GRAZE_ERROR_RANGE, ROW_PLACE(r), "time is %g s; allowed: finite",
                          time);
    if (r->count > 0 && !(time > r->times[r->count - 1]))
        return gz_fail_at(error, GRAZE_ERROR_RANGE, ROW_PLACE(r),
                          "time is %.9g s after %.9g s; allowed: later than the row before", time,
                          r->times[r->count - 1]);
    r->times[r->count] = time;
    return GRAZE_OK;
}

/// Moves an angle by whole turns to within half a turn of the one before; as it is where it is.
static void unwind(double *angle, double before) {
    if (fabs(*angle - before) > PI) *angle = before + remainder(*angle - before, 2 * PI);
}

static void unwind_row(rows *r, const graze_q_kind *kinds) {
    double *q = r->q[0] + r->count * r->width, *base = r->base[0] + r->count * GZ_BASE_SIZE;
    if (r->count == 0) return;
    for (size_t k = 0; k < r->width; k++)
        if (kinds[k] == GRAZE_Q_CIRCLE) unwind(&q[k], *(q + k - r->width));
    for (size_t k = 3; k < GZ_BASE_SIZE; k++) unwind(&base[k], *(base + k - GZ_BASE_SIZE));
}

/// Which columns the file has: derivatives of all that it has, or of none.
static graze_status read_header(rows *r, graze_error *error) {
    const gz_columns *columns = &r->file.columns;
    r->timed = gz_columns_find(columns, GZ_TIME_PLACE) < SIZE_MAX;
    r->orders = 1;
    for (size_t i = 0; i < columns->count; i++) {
        int order = gz_place_order(columns->places[i]);
        if (order >= r->orders) r->orders = order + 1;
    }
    for (size_t i = 0; i < columns->count; i++) {
        int32_t place = columns->places[i];
        if (place == GZ_TIME_PLACE) continue;
        place -= gz_place_order(place) * GZ_ORDER_PLACES;
        for (int32_t k = 0; k < r->orders; k++) {
            if (gz_columns_find(columns, place + k * GZ_ORDER_PLACES) < SIZE_MAX) continue;
            const char *name = gz_place_name(r->file.robot, place);
            return gz_fail_at(error, GRAZE_ERROR_SCHEMA,
                              (gz_place){.file = r->file.source.name, .line = r->file.line},
                              "no column '%s%s'; allowed: all of a column's orders up to the "
                              "highest that any has",
                              name, gz_order_names[k]);
        }
    }
    return GRAZE_OK;
}

static graze_status read_all(rows *r, const gz_trajectory_input *in, const graze_q_kind *kinds,
                             graze_error *error) {
    GZ_TRY(gz_configuration_file_open_timed(&r->file, in->path, in->input->robot,
                                            in->input->posture.joints, in->rest, error));
    GZ_TRY(read_header(r, error));
    for (size_t read = 1;; r->count++) {
        GZ_TRY(reserve(r, in, error));
        GZ_TRY(gz_configuration_file_read(&r->file, 1, r->q[0] + r->count * r->width,
                                          r->base[0] + r->count * GZ_BASE_SIZE, &read, error));
        if (read == 0) break;
        for (int i = 1; i < r->orders; i++)
            gz_configuration_file_derivatives(&r->file, i, r->q[i] + r->count * r->width,
                                              r->base[i] + r->count * GZ_BASE_SIZE);
        GZ_TRY(take_time(r, error));
        if (in->turn == GRAZE_TURN_SHORTER) unwind_row(r, kinds);
    }
    if (r->count >= 2) return GRAZE_OK;
    return gz_fail_at(error, GRAZE_ERROR_PARSE, (gz_place){.file = in->path},
                      "the trajectory has %zu rows; allowed: two at least", r->count);
}

static graze_status read_rows(graze_trajectory **out, const gz_trajectory_input *in,
                              const graze_q_kind *kinds, graze_error *error) {
    rows r = {.width = in->rest->size, .file = {.source = {.fd = -1}}};
    graze_status status = read_all(&r, in, kinds, error);
    if (status == GRAZE_OK) {
        graze_trajectory_knots knots = graze_trajectory_knots_default();
        knots.count = r.count;
        knots.times = r.times;
        knots.q = r.q[0];
        knots.base = r.base[0];
        knots.velocities = r.q[1];
        knots.accelerations = r.q[2];
        if (gz_columns_have_base(&r.file.columns)) {
            knots.base_velocities = r.base[1];
            knots.base_accelerations = r.base[2];
        }
        status = graze_trajectory_from_knots(out, in->input->robot, &knots, error);
    }
    gz_configuration_file_close(&r.file);
    for (int i = 0; i < GZ_ORDER_COUNT; i++) {
        gz_free(r.q[i]);
        gz_free(r.base[i]);
    }
    gz_free(r.times);
    return status;
}

// ---------------------------------------------------------------------------------------- checks

static graze_status check_limits(const graze_trajectory *t, const graze_robot *robot, double *q,
                                 graze_error *error) {
    double time;
    size_t column;
    if (!graze_trajectory_leaves_limits(t, &time, &column)) return GRAZE_OK;
    int32_t joint = graze_robot_find_joint(robot, graze_robot_q_name(robot, column));
    graze_trajectory_at(t, time, q, NULL);
    graze_status status = gz_joint_limit_error(robot, joint, q, error);
    char number[GZ_DECIMAL_SIZE], element[64];
    snprintf(element, sizeof element, "at %s s", gz_decimal_format(number, time));
    gz_error_locate(error, (gz_place){.element = element});
    return status;
}

static graze_status check_turns(const graze_trajectory *t, const graze_robot *robot,
                                const graze_q_kind *kinds, double *q, graze_error *error) {
    size_t n = graze_robot_q_size(robot);
    double *last = q + n;
    for (size_t i = 0; i <= graze_trajectory_piece_count(t); i++) {
        graze_trajectory_at(t, graze_trajectory_time(t, i), q, NULL);
        for (size_t k = 0; i > 0 && k < n; k++) {
            if (kinds[k] != GRAZE_Q_CIRCLE || fabs(q[k] - last[k]) <= PI) continue;
            char element[64];
            snprintf(element, sizeof element, "point %zu", i);
            return gz_fail_at(error, GRAZE_ERROR_RANGE, (gz_place){.element = element},
                              "joint '%s' goes from %.9g to %.9g between two points; allowed: half "
                              "a turn, or --turn as-given",
                              graze_robot_q_name(robot, k), last[k], q[k]);
        }
        memcpy(last, q, n * sizeof *q);
    }
    return GRAZE_OK;
}

// ------------------------------------------------------------------------------------------ files

/// Reads JSON or YAML: a text, or where that is NULL a file.
static graze_status read_document(graze_trajectory **out, const gz_trajectory_input *in,
                                  const char *text, size_t size, graze_error *error) {
    const graze_robot *robot = in->input->robot;
    graze_load_options options = graze_load_options_default();
    options.limits = in->input->limits;
    return text ? graze_trajectory_load_memory(out, robot, text, size, "<stdin>", in->rest->q,
                                               in->rest->base, &options, error)
                : graze_trajectory_load(out, robot, in->path, in->rest->q, in->rest->base, &options,
                                        error);
}

static graze_status read_checked(graze_trajectory **out, const gz_trajectory_input *in,
                                 const char *text, size_t size, graze_error *error) {
    const graze_robot *robot = in->input->robot;
    size_t n = in->rest->size;
    bool as_rows = gz_text_ends_with(in->path, ".csv") || gz_text_ends_with(in->path, ".npy");
    graze_q_kind *kinds = gz_malloc(n + 1, sizeof *kinds);
    double *q = gz_malloc(2 * n + 1, sizeof *q);
    graze_status status = kinds && q ? graze_robot_q_kinds(robot, kinds) : gz_fail_memory(error);
    if (status == GRAZE_OK)
        status = as_rows ? read_rows(out, in, kinds, error)
                         : read_document(out, in, text, size, error);
    if (status == GRAZE_OK && !in->any_limits) status = check_limits(*out, robot, q, error);
    if (status == GRAZE_OK && !as_rows && in->turn != GRAZE_TURN_AS_GIVEN)
        status = check_turns(*out, robot, kinds, q, error);
    gz_free(kinds);
    gz_free(q);
    return status;
}

int gz_trajectory_input_read(graze_trajectory **out, const gz_trajectory_input *in) {
    graze_error error;
    char *text = NULL;
    size_t size = 0;
    bool is_stdin = strcmp(in->path, "-") == 0;
    *out = NULL;
    if (is_stdin) GZ_TRY_EXIT(gz_text_input_read(NULL, in->input->limits.file_bytes, &text, &size));
    graze_status status = read_checked(out, in, text, size, &error);
    gz_free(text);
    if (status == GRAZE_OK) return GZ_EXIT_FINE;
    gz_error_locate(&error, (gz_place){.file = is_stdin ? "<stdin>" : in->path});
    graze_trajectory_free(*out);
    *out = NULL;
    return gz_message_error(in->input->command, &error);
}
