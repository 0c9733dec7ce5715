// Limits of joints from a file, joint_limits.yaml as MoveIt keeps it.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "graze/timing.h"
#include "load/document/joint_name.h"
#include "load/file.h"

/// Where the limits go, as many numbers as q has; any may be NULL.
typedef struct limit_rows {
    double *velocities, *accelerations, *jerks;
} limit_rows;

typedef struct reader {
    gz_document doc;
    const graze_robot *robot;
    limit_rows rows;
} reader;

static void put(double *row, size_t first, size_t count, double value) {
    for (size_t i = 0; row && i < count; i++) row[first + i] = value;
}

/// Writes what the robot's description says.
static void describe(const reader *r) {
    for (size_t k = 0; k < graze_robot_q_size(r->robot); k++) {
        graze_joint_info joint = {0};
        graze_robot_joint(r->robot, graze_robot_q_joint(r->robot, k), &joint);
        put(r->rows.velocities, k, 1, joint.velocity);
        put(r->rows.accelerations, k, 1, joint.acceleration);
        put(r->rows.jerks, k, 1, joint.has_jerk ? joint.jerk : INFINITY);
    }
}

/// A limit, max_NAME, where has_NAME_limits is true; else *out is 0.
static graze_status read_limit(const gz_document *doc, const gz_value *joint, const char *name,
                               double *out) {
    char has[32], most[32];
    const gz_value *v;
    *out = 0;
    snprintf(has, sizeof has, "has_%s_limits", name);
    snprintf(most, sizeof most, "max_%s", name);
    if (!(v = gz_value_member(doc, joint, has))) return GRAZE_OK;
    GZ_TRY(gz_value_expect(doc, v, GZ_VALUE_BOOL, "true or false"));
    if (v->number == 0) return GRAZE_OK;
    GZ_TRY(gz_value_required(doc, joint, most, &v));
    GZ_TRY(gz_value_number(doc, v, out));
    // MoveIt writes decelerations below 0.
    if (strcmp(name, "deceleration") == 0) *out = fabs(*out);
    if (*out > 0) return GRAZE_OK;
    return gz_value_fail(doc, v, GRAZE_ERROR_RANGE, "it is %g; allowed: above 0", *out);
}

/// The columns of a joint; none of one that does not move, or follows another.
static graze_status find_columns(const reader *r, const gz_value *joint, size_t *first,
                                 size_t *count) {
    const char *name = gz_value_key(&r->doc, joint);
    graze_joint_info info;
    int32_t column, index = graze_robot_find_joint(r->robot, name);
    *first = *count = 0;
    if (index >= 0 && graze_robot_joint(r->robot, index, &info) == GRAZE_OK) {
        if (info.q_count == 0) return GRAZE_OK;
        *first = (size_t)info.q_index;
        *count = (size_t)info.q_count;
        return GRAZE_OK;
    }
    GZ_TRY(gz_value_joint_named(&r->doc, joint, name, r->robot, &column));
    *first = (size_t)column;
    *count = 1;
    return GRAZE_OK;
}

static graze_status read_joint(const reader *r, const gz_value *joint) {
    static const char keys[] =
        "has_position_limits min_position max_position has_velocity_limits max_velocity "
        "min_velocity has_acceleration_limits max_acceleration has_deceleration_limits "
        "max_deceleration has_jerk_limits max_jerk has_effort_limits max_effort "
        "has_soft_limits k_position k_velocity soft_lower_limit soft_upper_limit "
        "angle_wraparound";
    const gz_document *doc = &r->doc;
    size_t first, count;
    double velocity, acceleration, deceleration, jerk;
    GZ_TRY(gz_value_expect(doc, joint, GZ_VALUE_MAP, "a map of limits"));
    GZ_TRY(gz_value_refuse_keys(doc, joint, keys));
    GZ_TRY(find_columns(r, joint, &first, &count));
    GZ_TRY(read_limit(doc, joint, "velocity", &velocity));
    GZ_TRY(read_limit(doc, joint, "acceleration", &acceleration));
    GZ_TRY(read_limit(doc, joint, "deceleration", &deceleration));
    GZ_TRY(read_limit(doc, joint, "jerk", &jerk));
    if (deceleration > 0 && (acceleration == 0 || deceleration < acceleration))
        acceleration = deceleration;
    if (velocity > 0) put(r->rows.velocities, first, count, velocity);
    if (acceleration > 0) put(r->rows.accelerations, first, count, acceleration);
    if (jerk > 0) put(r->rows.jerks, first, count, jerk);
    return GRAZE_OK;
}

static graze_status read_text(reader *r, const char *text, size_t size,
                              const graze_limits *limits) {
    const gz_value *root, *joints;
    GZ_TRY(gz_document_read_yaml(&r->doc, text, size, limits));
    root = gz_document_root(&r->doc);
    // As a parameter of the node it stands in robot_description_planning.
    const gz_value *inner = gz_value_member(&r->doc, root, "robot_description_planning");
    GZ_TRY(gz_value_required_kind(&r->doc, inner ? inner : root, "joint_limits", GZ_VALUE_MAP,
                                  "a map of joints", &joints));
    describe(r);
    for (const gz_value *j = gz_value_first(joints); j; j = gz_value_next(j))
        GZ_TRY(read_joint(r, j));
    return GRAZE_OK;
}

graze_status graze_joint_limits_load(const graze_robot *robot, const char *path,
                                     const graze_load_options *options, double *velocities,
                                     double *accelerations, double *jerks, graze_error *error) {
    GZ_FLOAT_ENVIRONMENT;
    graze_load_options checked;
    char *text;
    size_t size;
    if (!robot || !path) return gz_fail(error, GRAZE_ERROR_ARGUMENT, "robot or path is NULL");
    GZ_TRY(gz_load_options_check(options, &checked, error));
    gz_warnings unheard = {0};
    reader r = {.doc = {.file = path, .error = error, .warnings = &unheard},
                .robot = robot,
                .rows = {velocities, accelerations, jerks}};
    gz_memory_budget memory;
    gz_memory_budget_open(&memory, checked.limits.memory_bytes);
    graze_status status = gz_load_read(path, checked.files, checked.limits.file_bytes, &text, &size,
                                       error);
    if (status == GRAZE_OK) {
        status = read_text(&r, text, size, &checked.limits);
        gz_free(text);
    }
    if (status) gz_error_locate(error, (gz_place){.file = path});
    gz_document_clear(&r.doc);
    gz_warnings_free(&unheard);
    gz_memory_budget_close(&memory);
    if (!status) gz_error_clear(error);
    return status;
}
