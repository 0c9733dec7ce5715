/// Asks a robot and a world from a compiled file whatever can be asked. Their numbers may be
/// anybody's: answers may be wrong, but nothing may crash, hang or leave its memory.
#ifndef GRAZE_TESTS_COMPILED_EXERCISE_H
#define GRAZE_TESTS_COMPILED_EXERCISE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compiled_file.h"
#include "graze/graze.h"

/// Gives the bytes of a file a checksum that is true of them, as a forger would.
static inline void compiled_seal(unsigned char *bytes, size_t size) {
    gz_file_header header;
    if (size < sizeof header) return;
    memcpy(&header, bytes, sizeof header);
    header.checksum = gz_file_checksum(&header, bytes + sizeof header, size - sizeof header);
    memcpy(bytes, &header, sizeof header);
}

static inline void exercise_checker(const graze_robot *robot, const graze_world *world,
                                    graze_policy policy, double margin) {
    graze_checker_options options = graze_checker_options_default();
    options.policy = policy;
    options.margin = margin;
    graze_checker *checker;
    graze_workspace *workspace;
    if (graze_checker_create(&checker, robot, world, &options, NULL)) return;
    if (graze_workspace_create(&workspace, checker, NULL)) abort();
    size_t n = graze_robot_q_size(robot);
    double *q = calloc(8 * n + 1, sizeof *q);
    if (!q) abort();
    for (size_t row = 0; row < 8; row++) {
        graze_robot_rest(robot, q + row * n);
        for (size_t i = 0; i < n; i++) q[row * n + i] += (double)row * (i % 2 ? 0.4 : -0.3);
    }
    graze_contact contacts[16];
    for (size_t row = 0; row < 2; row++)
        for (int answer = GRAZE_ANSWER_ANY; answer <= GRAZE_ANSWER_ALL; answer++) {
            graze_report report = {.contacts = contacts, .capacity = 16};
            graze_check(checker, workspace, (graze_answer)answer, q + row * n, n, NULL, &report,
                        NULL);
        }
    uint8_t verdicts[8];
    graze_batch batch = graze_batch_default();
    batch.q = q;
    batch.count = 8;
    batch.verdicts = verdicts;
    for (int answer = GRAZE_ANSWER_ANY; answer <= GRAZE_ANSWER_FIRST; answer++) {
        batch.answer = (graze_answer)answer;
        graze_check_batch(checker, &batch, NULL);
    }
    free(q);
    graze_workspace_free(workspace);
    graze_checker_free(checker);
}

static inline void exercise_meshes(const graze_robot *robot) {
    for (size_t i = 0; i < graze_robot_collision_count(robot); i++) {
        graze_geometry g;
        graze_solid_report report;
        if (graze_robot_collision(robot, i, &g) || !g.mesh) continue;
        graze_mesh_solids(g.mesh, &report, NULL, 0, NULL);
    }
}

/// Attaches a geometry to a link, detaches it again, and asks both.
static inline void exercise_attaching(const graze_robot *robot, int32_t link,
                                      const graze_geometry *geometry) {
    const char *const base = graze_robot_link_name(robot, 0);
    const graze_attachment attachment = {.struct_size = sizeof(graze_attachment),
                                         .name = "exercise",
                                         .link = graze_robot_link_name(robot, link),
                                         .pose = graze_transform_identity(),
                                         .geometry = geometry,
                                         .touch_links = &base,
                                         .touch_link_count = 1};
    graze_robot *with, *without;
    if (graze_robot_attach(&with, robot, &attachment, NULL)) return;
    if (graze_robot_attached_to(with, (int32_t)graze_robot_link_count(with) - 1) != link) abort();
    exercise_checker(with, NULL, GRAZE_POLICY_SURFACE, NAN);
    if (graze_robot_detach(&without, with, "exercise", NULL) == GRAZE_OK)
        exercise_checker(without, NULL, GRAZE_POLICY_SURFACE, NAN);
    graze_robot_free(with);
    graze_robot_free(without);
}

/// Takes off what can be taken off, and puts something on.
static inline void exercise_versions(const graze_robot *robot) {
    graze_geometry g = {.shape = GRAZE_SHAPE_CAPSULE, .radius = .1, .length = .2};
    int32_t last = (int32_t)graze_robot_link_count(robot) - 1;
    for (int32_t i = 0; i <= last; i++) {
        graze_robot_attached_to(robot, i);
        graze_robot *without;
        if (graze_robot_detach(&without, robot, graze_robot_link_name(robot, i), NULL)) continue;
        exercise_checker(without, NULL, GRAZE_POLICY_SURFACE, NAN);
        graze_robot_free(without);
    }
    exercise_attaching(robot, last, &g);
    for (size_t i = 0; i < graze_robot_collision_count(robot); i++)
        if (graze_robot_collision(robot, i, &g) == GRAZE_OK && g.mesh) {
            exercise_attaching(robot, 0, &g);
            break;
        }
}

/// Revises the world: each object moved and gone, and one more.
static inline void exercise_revising(const graze_robot *robot, const graze_world *world) {
    const double place[3] = {.1, .2, .3}, turn[3] = {.1, .2, .3};
    graze_transform pose = graze_transform_from_xyz_rpy(place, turn);
    const graze_geometry ball = {.shape = GRAZE_SHAPE_SPHERE, .radius = .1};
    for (size_t i = 0; i < graze_world_object_count(world); i++) {
        graze_geometry g;
        if (graze_world_object(world, i, &g)) continue;
        const graze_world_change changes[3] = {{.struct_size = sizeof(graze_world_change),
                                                .kind = GRAZE_CHANGE_MOVE,
                                                .name = g.name,
                                                .pose = &pose},
                                               {.struct_size = sizeof(graze_world_change),
                                                .kind = GRAZE_CHANGE_ADD,
                                                .name = "exercise",
                                                .pose = &pose,
                                                .geometry = &ball},
                                               {.struct_size = sizeof(graze_world_change),
                                                .kind = GRAZE_CHANGE_REMOVE,
                                                .name = g.name}};
        graze_world *moved, *less;
        if (graze_world_revise(&moved, world, changes, 2, NULL) == GRAZE_OK) {
            if (robot) exercise_checker(robot, moved, GRAZE_POLICY_SOLID, NAN);
            if (graze_world_revise(&less, moved, changes + 2, 1, NULL) == GRAZE_OK && robot)
                exercise_checker(robot, less, GRAZE_POLICY_SOLID, NAN);
            graze_world_free(less);
        }
        graze_world_free(moved);
    }
}

/// Opens bytes; returns whether that went well, after asking what can be asked.
static inline bool exercise_compiled(const unsigned char *bytes, size_t size) {
    graze_compiled *compiled;
    graze_error error;
    if (graze_compiled_open_memory(&compiled, bytes, size, "exercise", &error)) return false;
    graze_robot *robot = NULL;
    graze_world *world = NULL;
    bool fine = !graze_compiled_has_robot(compiled) ||
                !graze_compiled_robot(&robot, compiled, &error);
    fine = fine &&
           (!graze_compiled_has_world(compiled) || !graze_compiled_world(&world, compiled, &error));
    if (fine) graze_compiled_verify(compiled, &error);
    graze_compiled_close(compiled);
    if (fine && robot) {
        exercise_meshes(robot);
        for (int policy = GRAZE_POLICY_SURFACE; policy <= GRAZE_POLICY_CAP; policy++)
            exercise_checker(robot, world, (graze_policy)policy, NAN);
        exercise_checker(robot, world, GRAZE_POLICY_SOLID, .05);
        exercise_versions(robot);
    }
    if (fine && world) exercise_revising(robot, world);
    graze_robot_free(robot);
    graze_world_free(world);
    return fine;
}

#endif
