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

bool motion_scene_load(question *k, const scene *s, bool tables) {
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
    k->motion_checker = k->checker;
    if (tables) {
        must(graze_robot_tabulate(&k->tabulated, k->robot, NULL, &error), &error);
        must(graze_checker_create(&k->motion_checker, k->tabulated, k->world, &rules, &error),
             &error);
    }
    must(graze_motion_workspace_create(&k->motion, k->motion_checker, &error), &error);
    k->n = graze_robot_q_size(k->robot);
    k->varies = calloc(k->n, sizeof *k->varies);
    double **all[] = {&k->from, &k->to, &k->q, &k->lower, &k->upper};
    for (size_t i = 0; i < 5; i++) *all[i] = calloc(k->n, sizeof(double));
    choose_columns(k, s->joints);
    return true;
}

void motion_scene_unload(question *k) {
    stop_moving(k);
    graze_motion_workspace_free(k->motion);
    if (k->tabulated) graze_checker_free(k->motion_checker);
    graze_robot_free(k->tabulated);
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

// ---------------------------------------------------------------------------------- moving objects

void draw_moving(question *k, gz_random *random, double speed) {
    size_t count = graze_world_object_count(k->world);
    graze_error error;
    stop_moving(k);
    must(graze_scene_create(&k->moved, k->checker, &error), &error);
    k->rules.moving = k->moving;
    for (size_t i = 0; i < MOTION_MOVING && i < count; i++) {
        graze_moving_object *o = &k->moving[k->rules.moving_count];
        *o = (graze_moving_object){.object = (int32_t)gz_random_below(random, (uint32_t)count)};
        bool again = false;
        for (size_t j = 0; j < k->rules.moving_count; j++)
            again |= k->moving[j].object == o->object;
        if (again) continue;
        for (int c = 0; c < 3; c++) o->velocity[c] = gz_random_range(random, -speed, speed);
        k->rules.moving_count++;
    }
}

void stop_moving(question *k) {
    graze_scene_free(k->moved);
    k->moved = NULL;
    k->rules.moving_count = 0;
}

bool collides_when(question *k, double elapsed, const double *q, const double *base) {
    graze_world_change changes[MOTION_MOVING];
    graze_transform poses[MOTION_MOVING];
    graze_error error;
    if (k->rules.moving_count == 0) return collides(k, q, base);
    for (size_t i = 0; i < k->rules.moving_count; i++) {
        graze_geometry g;
        must(graze_world_object(k->world, (size_t)k->moving[i].object, &g), &error);
        changes[i] = graze_world_change_default();
        changes[i].id = g.id;
        changes[i].pose = &poses[i];
        poses[i] = g.origin;
        for (int c = 0; c < 3; c++) poses[i].m[4 * c + 3] += elapsed * k->moving[i].velocity[c];
    }
    must(graze_scene_revise(k->moved, changes, k->rules.moving_count, &error), &error);
    graze_view *view;
    must(graze_view_acquire(&view, k->moved, &error), &error);
    graze_report report = {0};
    must(graze_check(graze_view_checker(view), graze_view_workspace(view), GRAZE_ANSWER_ANY, q,
                     k->n, base, &report, &error),
         &error);
    graze_view_release(view);
    return report.verdict != GRAZE_FREE;
}
