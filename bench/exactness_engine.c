// The part of the exactness bench that is linked twice: with graze as it is, and with the build
// that takes the sign of the double where the filter cannot tell.
#include "exactness_engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/graze.h"

struct exactness_checks {
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    graze_workspace *workspace;
    int32_t columns[EXACTNESS_COLUMNS];
    double *q;
};

static void must(graze_status status, const graze_error *error) {
    if (status == GRAZE_OK) return;
    fprintf(stderr, "graze-bench-exactness: %s: %s\n", graze_status_name(status), error->message);
    exit(3);
}

static void load(exactness_checks *c, const char *data) {
    char urdf[1024], srdf[1024], packages[1024];
    snprintf(urdf, sizeof urdf, "%s/robots/fetch_description/robots/fetch.urdf", data);
    snprintf(srdf, sizeof srdf, "%s/verdicts/fetch_75.srdf", data);
    snprintf(packages, sizeof packages, "%s/robots", data);
    graze_load_options options = graze_load_options_default();
    options.srdf = srdf;
    options.package_path = packages;
    options.visuals = GRAZE_VISUALS_SKIP;
    graze_error error;
    must(graze_robot_load_urdf(&c->robot, urdf, &options, &error), &error);
    // The columns of the table of configurations; every other joint is 0.
    static const char *const joints[EXACTNESS_COLUMNS] = {
        "torso_lift_joint", "shoulder_pan_joint", "shoulder_lift_joint", "upperarm_roll_joint",
        "elbow_flex_joint", "forearm_roll_joint", "wrist_flex_joint",    "wrist_roll_joint"};
    c->q = calloc(graze_robot_q_size(c->robot), sizeof *c->q);
    for (int i = 0; i < EXACTNESS_COLUMNS; i++) {
        c->columns[i] = graze_robot_find_q(c->robot, joints[i]);
        if (!c->q || c->columns[i] < 0) exit((fprintf(stderr, "no %s\n", joints[i]), 3));
    }
}

static exactness_checks *open_checks(const char *data, const char *world, graze_policy policy) {
    exactness_checks *c = calloc(1, sizeof *c);
    if (!c) exit(3);
    graze_error error;
    load(c, data);
    if (world) {
        char path[1024];
        snprintf(path, sizeof path, "%s/worlds/%s", data, world);
        must(graze_world_create(&c->world, world, &error), &error);
        must(graze_world_add_file(c->world, path, NULL, &error), &error);
        must(graze_world_commit(c->world, &error), &error);
    }
    graze_checker_options options = graze_checker_options_default();
    options.policy = policy;
    must(graze_checker_create(&c->checker, c->robot, c->world, &options, &error), &error);
    must(graze_workspace_create(&c->workspace, c->checker, &error), &error);
    return c;
}

static void run_checks(exactness_checks *c, const double *rows, size_t count, uint8_t *verdicts,
                       graze_stats *stats) {
    graze_error error;
    size_t size = graze_robot_q_size(c->robot);
    *stats = (graze_stats){0};
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < EXACTNESS_COLUMNS; k++)
            c->q[c->columns[k]] = rows[i * EXACTNESS_COLUMNS + (size_t)k];
        graze_report report = {0};
        must(graze_check(c->checker, c->workspace, GRAZE_ANSWER_ANY, c->q, size, NULL, &report,
                         &error),
             &error);
        verdicts[i] = (uint8_t)report.verdict;
        graze_stats_add(stats, &report.stats);
    }
}

static void close_checks(exactness_checks *c) {
    graze_workspace_free(c->workspace);
    graze_checker_free(c->checker);
    graze_world_free(c->world);
    graze_robot_free(c->robot);
    free(c->q);
    free(c);
}

extern __attribute__((visibility("default"))) const exactness_engine exactness_engine_table;
const exactness_engine exactness_engine_table = {open_checks, run_checks, close_checks};
