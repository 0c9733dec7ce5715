/// Asks a robot and a world from a compiled file whatever can be asked. Their numbers may be
/// anybody's: answers may be wrong, but nothing may crash, hang or leave its memory.
#ifndef GRAZE_TESTS_COMPILED_EXERCISE_H
#define GRAZE_TESTS_COMPILED_EXERCISE_H

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
                                    graze_policy policy) {
    graze_checker_options options = graze_checker_options_default();
    options.policy = policy;
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
    graze_check_batch(checker, &batch, NULL);
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

/// Opens bytes; returns whether that went well, after asking what can be asked.
static inline bool exercise_compiled(const unsigned char *bytes, size_t size) {
    graze_compiled *compiled;
    graze_error error;
    if (graze_compiled_open_memory(&compiled, bytes, size, "exercise", &error)) return false;
    graze_robot *robot = NULL;
    graze_world *world = NULL;
    bool fine = !graze_compiled_has_robot(compiled) ||
                !graze_compiled_robot(compiled, &robot, &error);
    fine = fine &&
           (!graze_compiled_has_world(compiled) || !graze_compiled_world(compiled, &world, &error));
    graze_compiled_close(compiled);
    if (fine && robot) {
        exercise_meshes(robot);
        exercise_checker(robot, world, GRAZE_POLICY_SOLID);
        exercise_checker(robot, world, GRAZE_POLICY_CAP);
    }
    graze_robot_free(robot);
    graze_world_free(world);
    return fine;
}

#endif
