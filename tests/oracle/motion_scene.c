#include "motion_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FETCH_JOINTS                                                                               \
    "torso_lift_joint,shoulder_pan_joint,shoulder_lift_joint,upperarm_roll_joint,"                 \
    "elbow_flex_joint,forearm_roll_joint,wrist_flex_joint,wrist_roll_joint"

// Files that begin with @ are in the folder of test data.
const scene motion_scenes[MOTION_SCENES] = {
    {"heron_shelf", "urdf/heron.urdf", "urdf/heron.srdf", "worlds/shelf.json", FETCH_JOINTS, 0},
    {"heron_all", "urdf/heron.urdf", "urdf/heron.srdf", "worlds/kitchen.json", NULL, 0},
    {"heron_margin", "urdf/heron.urdf", "urdf/heron.srdf", "worlds/clutter.json", FETCH_JOINTS,
     0.001},
    {"six_axis_cage", "urdf/six_axis.urdf", "urdf/six_axis.srdf", "worlds/cage.json", NULL, 0},
    {"two_link_clutter", "urdf/two_link.urdf", "urdf/two_link.srdf", "worlds/clutter.json", NULL,
     0},
    {"fetch_shelf", "@robots/fetch_description/robots/fetch.urdf", "@robots/fetch_mbm.srdf",
     "@worlds/shelf.json", FETCH_JOINTS, 0},
    {"fetch_clutter", "@robots/fetch_description/robots/fetch.urdf", "@robots/fetch_mbm.srdf",
     "@worlds/clutter.ply", FETCH_JOINTS, 0},
    {"panda_cage", "@robots/panda_mbm/panda.urdf", "@robots/panda_mbm/panda.srdf",
     "worlds/cage.json", NULL, 0},
    {"ur5_table", "@robots/example-robot-data/robots/ur_description/urdf/ur5_robot.urdf", NULL,
     "worlds/table.json", NULL, 0},
};

void must(graze_status status, const graze_error *error) {
    if (status == GRAZE_OK) return;
    fprintf(stderr, "%s: %s\n", error->file, error->message);
    exit(3);
}

/// False where the file belongs to test data and there are none.
static bool resolve(const char *path, char *out, size_t size) {
    const char *data = getenv("GRAZE_TEST_DATA");
    if (path && path[0] == '@') {
        if (!data) return false;
        snprintf(out, size, "%s/%s", data, path + 1);
    } else {
        snprintf(out, size, "%s/%s", GRAZE_SOURCE_DIR, path ? path : "");
    }
    return true;
}

static void choose_columns(question *k, const char *joints) {
    for (size_t i = 0; i < k->n; i++) {
        const char *name = graze_robot_q_name(k->robot, i);
        const char *at = joints ? strstr(joints, name) : name;
        k->varies[i] = at != NULL;
    }
    graze_robot_q_limits(k->robot, k->lower, k->upper);
    for (size_t i = 0; i < k->n; i++) {
        if (!isfinite(k->lower[i])) k->lower[i] = -3.1;
        if (!isfinite(k->upper[i])) k->upper[i] = 3.1;
    }
}

bool motion_scene_load(question *k, const scene *s) {
    char urdf[4096], srdf[4096], world[4096], data[4096];
    graze_error error;
    if (!resolve(s->urdf, urdf, sizeof urdf) || !resolve(s->srdf, srdf, sizeof srdf) ||
        !resolve(s->world, world, sizeof world))
        return false;
    graze_load_options load_options = graze_load_options_default();
    if (s->srdf) load_options.srdf = srdf;
    if (resolve("@robots", data, sizeof data)) load_options.package_path = data;
    must(graze_robot_load_urdf(&k->robot, urdf, &load_options, &error), &error);
    must(graze_world_create(&k->world, "world", &error), &error);
    must(graze_world_add_file(k->world, world, NULL, &error), &error);
    must(graze_world_commit(k->world, &error), &error);
    graze_checker_options rules = graze_checker_options_default();
    if (s->margin > 0) rules.margin = s->margin;
    must(graze_checker_create(&k->checker, k->robot, k->world, &rules, &error), &error);
    must(graze_workspace_create(&k->workspace, k->checker, &error), &error);
    must(graze_motion_workspace_create(&k->motion, k->checker, &error), &error);
    k->n = graze_robot_q_size(k->robot);
    k->varies = calloc(k->n, sizeof *k->varies);
    double **all[] = {&k->from, &k->to, &k->q, &k->lower, &k->upper};
    for (size_t i = 0; i < 5; i++) *all[i] = calloc(k->n, sizeof(double));
    choose_columns(k, s->joints);
    return true;
}

void motion_scene_unload(question *k) {
    graze_motion_workspace_free(k->motion);
    graze_workspace_free(k->workspace);
    graze_checker_free(k->checker);
    graze_world_free(k->world);
    graze_robot_free(k->robot);
    free(k->varies);
    free(k->from);
    free(k->to);
    free(k->q);
    free(k->lower);
    free(k->upper);
}

bool collides(question *k, const double *q, const double *base) {
    graze_report report = {0};
    graze_error error;
    must(graze_check(k->checker, k->workspace, GRAZE_ANSWER_ANY, q, k->n, base, &report, &error),
         &error);
    return report.verdict != GRAZE_FREE;
}
