/// What must hold of every robot and world that loaded, whatever the file was.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"

void fuzz_exercise_error(graze_status status, const graze_error *error) {
    FUZZ_CHECK(status != GRAZE_OK && status <= GRAZE_ERROR_CANCELLED);
    FUZZ_CHECK(error->status == status);
    FUZZ_CHECK(error->message[0] != '\0');
    FUZZ_CHECK(strchr(error->message, '\n') == NULL);
    FUZZ_CHECK(strlen(error->file) < GRAZE_PATH_SIZE && strlen(error->element) < GRAZE_PATH_SIZE);
}

static void exercise_warning(graze_warning w) {
    FUZZ_CHECK(w.code && w.code[0] && w.message && w.message[0] && w.file && w.element);
    FUZZ_CHECK(w.count > 0);
}

static void exercise_geometry(const graze_geometry *g, bool loaded) {
    FUZZ_CHECK(g->name != NULL);
    FUZZ_CHECK(g->shape <= GRAZE_SHAPE_PLANE);
    if (!loaded) return;
    for (size_t i = 0; i < 3 * g->vertex_count; i++) FUZZ_CHECK(fabs(g->vertices[i]) <= 1048576.0);
    for (size_t i = 0; i < 3 * g->triangle_count; i++)
        FUZZ_CHECK(g->triangles[i] < g->vertex_count);
    FUZZ_CHECK(g->closed_count <= g->component_count);
    FUZZ_CHECK(g->degenerate_count <= g->triangle_count);
}

// ----------------------------------------------------------------------------------------- robot

static void exercise_tree(const graze_robot *robot) {
    int32_t links = (int32_t)graze_robot_link_count(robot),
            joints = (int32_t)graze_robot_joint_count(robot);
    FUZZ_CHECK(links >= 1 && joints == links - 1); // a tree
    for (int32_t i = 0; i < links; i++) {
        const char *name = graze_robot_link_name(robot, i);
        FUZZ_CHECK(graze_robot_find_link(robot, name) == i);
        graze_link_bounds bounds;
        FUZZ_CHECK(graze_robot_link_bounds(robot, i, &bounds) == GRAZE_OK);
        FUZZ_CHECK(bounds.empty || (bounds.sphere.radius >= 0 && isfinite(bounds.sphere.radius)));
    }
    size_t numbers = 0;
    for (int32_t i = 0; i < joints; i++) {
        graze_joint_info joint;
        FUZZ_CHECK(graze_robot_joint(robot, i, &joint) == GRAZE_OK);
        FUZZ_CHECK(joint.parent >= 0 && joint.parent < links && joint.parent != joint.child);
        FUZZ_CHECK(joint.child >= 0 && joint.child < links);
        FUZZ_CHECK(!joint.limited || joint.lower <= joint.upper);
        numbers += (size_t)joint.q_count;
    }
    FUZZ_CHECK(numbers == graze_robot_q_size(robot));
    for (size_t i = 0; i < numbers; i++)
        FUZZ_CHECK(graze_robot_find_q(robot, graze_robot_q_name(robot, i)) >= 0);
}

static void exercise_geometries(const graze_robot *robot) {
    graze_geometry geometry;
    for (size_t i = 0; i < graze_robot_collision_count(robot); i++) {
        FUZZ_CHECK(graze_robot_collision(robot, i, &geometry) == GRAZE_OK);
        exercise_geometry(&geometry, true);
    }
    for (size_t i = 0; i < graze_robot_visual_count(robot); i++) {
        FUZZ_CHECK(graze_robot_visual(robot, i, &geometry) == GRAZE_OK);
        exercise_geometry(&geometry, false);
    }
    for (size_t i = 0; i < graze_robot_pair_count(robot); i++) {
        graze_pair pair;
        FUZZ_CHECK(graze_robot_pair(robot, i, &pair) == GRAZE_OK);
        FUZZ_CHECK(pair.a < pair.b && pair.b < (int32_t)graze_robot_link_count(robot));
    }
    for (size_t i = 0; i < graze_robot_group_count(robot); i++) {
        graze_group group;
        FUZZ_CHECK(graze_robot_group(robot, i, &group) == GRAZE_OK);
    }
    for (size_t i = 0; i < graze_robot_warning_count(robot); i++)
        exercise_warning(graze_robot_warning(robot, i));
}

/// One configuration: each way of asking must give the same answer.
static void exercise_verdict(const graze_checker *checker, graze_workspace *workspace,
                             const double *q, size_t count) {
    graze_contact contact;
    graze_report any = {.verdict = GRAZE_FREE},
                 first = {.verdict = GRAZE_FREE, .contacts = &contact, .capacity = 1},
                 all = {.verdict = GRAZE_FREE};
    graze_error error;
    graze_status status = graze_check(checker, workspace, GRAZE_ANSWER_ANY, q, count, NULL, &any,
                                      &error);
    if (status) {
        fuzz_exercise_error(status, &error);
        FUZZ_CHECK(any.verdict == GRAZE_UNKNOWN);
        return;
    }
    FUZZ_CHECK(any.verdict == GRAZE_FREE || any.verdict == GRAZE_COLLISION);
    FUZZ_CHECK(!graze_check(checker, workspace, GRAZE_ANSWER_FIRST, q, count, NULL, &first, NULL));
    FUZZ_CHECK(!graze_check(checker, workspace, GRAZE_ANSWER_ALL, q, count, NULL, &all, NULL));
    FUZZ_CHECK(first.verdict == any.verdict && all.verdict == any.verdict);
    FUZZ_CHECK((first.count > 0) == (first.verdict == GRAZE_COLLISION));
    if (first.count) FUZZ_CHECK(graze_contact_link_name(checker, &contact) != NULL);
    uint8_t verdict = 77;
    graze_batch batch = graze_batch_default();
    batch.count = 1;
    batch.q = q;
    batch.verdicts = &verdict;
    FUZZ_CHECK(!graze_check_batch(checker, &batch, NULL));
    FUZZ_CHECK(verdict == any.verdict);
}

static void exercise_configurations(const graze_robot *robot, const graze_checker *checker) {
    size_t count = graze_robot_q_size(robot);
    graze_workspace *workspace;
    FUZZ_CHECK(!graze_workspace_create(&workspace, checker, NULL));
    double *q = calloc(count + 1, sizeof *q);
    graze_transform *poses = calloc(graze_robot_link_count(robot), sizeof *poses);
    if (!q || !poses) abort();
    graze_robot_rest(robot, q);
    graze_error error;
    graze_status status = graze_robot_pose(robot, q, count, NULL, poses, &error);
    if (status) fuzz_exercise_error(status, &error);
    exercise_verdict(checker, workspace, q, count);
    for (size_t i = 0; i < count; i++) q[i] += i % 2 ? 0.4 : -0.3;
    exercise_verdict(checker, workspace, q, count);
    free(q);
    free(poses);
    graze_workspace_free(workspace);
}

void fuzz_exercise_robot(const graze_robot *robot) {
    exercise_tree(robot);
    exercise_geometries(robot);
    if (graze_robot_link_count(robot) > 60) return; // pairs grow with its square
    graze_checker *checker;
    graze_error error;
    graze_status status = graze_checker_create(&checker, robot, NULL, NULL, &error);
    if (status) {
        fuzz_exercise_error(status, &error);
        FUZZ_CHECK(checker == NULL);
        return;
    }
    exercise_configurations(robot, checker);
    graze_checker_free(checker);
}

// ----------------------------------------------------------------------------------------- world

/// A robot that is one ball, to meet a world with.
static const char ball[] = "<robot name='r'><link name='l'><collision><geometry><sphere "
                           "radius='0.3'/></geometry></collision></link></robot>";

void fuzz_exercise_world(graze_world *world) {
    graze_error error;
    graze_status status = graze_world_commit(world, &error);
    if (status) {
        fuzz_exercise_error(status, &error);
        return;
    }
    FUZZ_CHECK(graze_world_name(world) != NULL);
    for (size_t i = 0; i < graze_world_object_count(world); i++) {
        graze_geometry geometry;
        FUZZ_CHECK(graze_world_object(world, i, &geometry) == GRAZE_OK);
        exercise_geometry(&geometry, geometry.shape != GRAZE_SHAPE_POINTS);
        FUZZ_CHECK(graze_world_find_object(world, geometry.name) == (int32_t)i);
    }
    for (size_t i = 0; i < graze_world_warning_count(world); i++)
        exercise_warning(graze_world_warning(world, i));
    graze_robot *robot;
    graze_checker *checker;
    FUZZ_CHECK(
        !graze_robot_load_urdf_memory(&robot, ball, sizeof ball - 1, "ball", NULL, NULL, NULL));
    status = graze_checker_create(&checker, robot, world, NULL, &error);
    if (status) fuzz_exercise_error(status, &error);
    if (!status) exercise_configurations(robot, checker);
    graze_checker_free(checker);
    graze_robot_free(robot);
}

void fuzz_world_file(const char *name, const uint8_t *data, size_t size) {
    const char *path = fuzz_file(name, data, size);
    graze_load_options options = fuzz_options();
    graze_world *world;
    graze_error error;
    if (graze_world_create(&world, "fuzz", &error)) return;
    fuzz_guard_begin();
    graze_status status = graze_world_add_file(world, path, &options, &error);
    if (status) {
        fuzz_exercise_error(status, &error);
        FUZZ_CHECK(graze_world_object_count(world) == 0); // as it was
    }
    fuzz_exercise_world(world);
    fuzz_guard_end();
    graze_world_free(world);
}
