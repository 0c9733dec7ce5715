/// A scene as the files of the module share it: what it holds, its error, rows of numbers.
#ifndef GRAZE_WEB_SCENE_H
#define GRAZE_WEB_SCENE_H

#include <stdio.h>
#include <string.h>

#include "graze_web.h"

/// A rule by name, as it came over.
typedef struct rule {
    char *a, *b;
    double value; ///< margin, or policy
} rule;

typedef struct rule_list {
    rule *items;
    size_t count;
} rule_list;

/// A contact that does not count.
typedef struct hidden_contact {
    graze_contact contact;
    const char *reason;
} hidden_contact;

struct graze_web {
    graze_compiled *file; ///< while it is being taken
    graze_robot *robot;
    graze_world *world;
    rule_list allowed, margins, policies;
    graze_checker_options options; ///< without lists
    graze_world *ruled_world;      ///< as it was when the rules were given, which name its objects
    graze_checker *checker;
    graze_checker *plan_checker; ///< NULL until it is needed: need_plan_checker()
    graze_workspace *workspace;
    graze_motion_workspace *motion, *plan_motion; ///< NULL until they are needed
    graze_distance_workspace *distance;           ///< likewise
    graze_path *path;
    graze_trajectory *trajectory;
    graze_transform *links; ///< poses of all links, while a search is watched
    int32_t watched;
    graze_proximity *near; ///< of the last graze_web_nearest()
    size_t near_capacity, near_count;
    graze_contact *contacts; ///< of the last check
    size_t contact_capacity, contact_count;
    hidden_contact *hidden;
    size_t hidden_capacity, hidden_count;
    bool lists_hidden; ///< graze_web_contact() is about `hidden`
    int32_t *violated;
    size_t violated_capacity;
    graze_contact_report found; ///< of the last graze_web_contacts()
    graze_error error;
};

/// Sets the error of a scene; the status.
static inline graze_status fail(graze_web *web, graze_status status, const char *message) {
    web->error = (graze_error){.status = status};
    snprintf(web->error.message, sizeof web->error.message, "%s", message);
    return status;
}

/// Makes the checker of plans, which has the least margin above 0 where none is set.
graze_status need_plan_checker(graze_web *web);

static inline graze_status fail_memory(graze_web *web) {
    return fail(web, GRAZE_ERROR_NO_MEMORY, "out of memory");
}

/// Writes numbers one behind the other.
static inline double *put(double *row, double value) {
    *row = value;
    return row + 1;
}

static inline double *put_all(double *row, const double *values, size_t count) {
    memcpy(row, values, count * sizeof *values);
    return row + count;
}

static inline double *put_vector(double *row, graze_vec3 v) {
    return put(put(put(row, v.x), v.y), v.z);
}

static inline double *put_pointer(double *row, const void *pointer) {
    return put(row, (double)(uintptr_t)pointer);
}

static inline size_t q_size(const graze_web *web) {
    return graze_robot_q_size(web->robot);
}

#endif
