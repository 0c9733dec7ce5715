// A robot made by calls, without a file: an arm of some links that share one mesh, and the pairs of
// its links that meet when all joints turn alike.
//   built_robot [LINKS]
#include <graze/graze.h>
#include <stdio.h>
#include <stdlib.h>

/// A wedge of 0.2 m along x, thin at its end.
static const double corners[18] = {0, -0.04, -0.03, 0,   0.04, -0.03, 0,   0.04, 0.03,
                                   0, -0.04, 0.03,  0.2, 0,    -0.01, 0.2, 0,    0.01};
static const uint32_t faces[24] = {0, 2, 1, 0, 3, 2, 0, 1, 4, 3, 5, 2,
                                   1, 2, 5, 1, 5, 4, 0, 4, 5, 0, 5, 3};

static int failed(const graze_error *error) {
    return fprintf(stderr, "%s: %s\n", error->element, error->message), 3;
}

static graze_status add(graze_robot_builder *b, int index, const graze_mesh *mesh,
                        graze_error *error) {
    char name[3][16];
    snprintf(name[0], sizeof name[0], "link%d", index);
    snprintf(name[1], sizeof name[1], "link%d", index - 1);
    snprintf(name[2], sizeof name[2], "joint%d", index);
    const graze_geometry wedge = {.shape = GRAZE_SHAPE_MESH, .mesh = mesh};
    graze_status status = graze_robot_builder_link(b, name[0], error);
    if (!status) status = graze_robot_builder_collision(b, name[0], NULL, &wedge, error);
    if (status || index == 0) return status;
    graze_joint_input joint = graze_joint_input_default();
    joint.type = GRAZE_JOINT_REVOLUTE;
    joint.name = name[2];
    joint.parent = name[1];
    joint.child = name[0];
    joint.axis = (graze_vec3){0, 0, 1};
    joint.origin.m[3] = 0.22;
    joint.lower = -3;
    joint.upper = 3;
    return graze_robot_builder_joint(b, &joint, error);
}

int main(int argc, char **argv) {
    int links = argc > 1 ? atoi(argv[1]) : 8;
    graze_error error;
    graze_robot_builder *builder;
    graze_robot *robot;
    graze_mesh *mesh;
    if (links < 2 || links > 64) return fprintf(stderr, "2 to 64 links\n"), 2;
    if (graze_mesh_create(&mesh, corners, 6, faces, 8, &error) ||
        graze_robot_builder_create(&builder, "snake", &error))
        return failed(&error);
    for (int i = 0; i < links; i++)
        if (add(builder, i, mesh, &error)) return failed(&error);
    if (graze_robot_builder_finish(builder, &robot, &error)) return failed(&error);
    graze_robot_builder_free(builder);
    graze_mesh_free(mesh); // the robot holds it

    graze_checker *checker;
    graze_workspace *workspace;
    if (graze_checker_create(&checker, robot, NULL, NULL, &error) ||
        graze_workspace_create(&workspace, checker, &error))
        return failed(&error);
    double q[64];
    for (int degrees = 0; degrees <= 90; degrees += 10) {
        graze_contact contacts[64];
        graze_report report = {.contacts = contacts, .capacity = 64};
        for (int i = 0; i + 1 < links; i++) q[i] = degrees * 3.14159265 / 180;
        if (graze_check(checker, workspace, GRAZE_ANSWER_ALL, q, (size_t)links - 1, NULL, &report,
                        &error))
            return failed(&error);
        printf("%2d degrees: pairs that meet: %zu\n", degrees, report.count);
    }
    graze_workspace_free(workspace);
    graze_checker_free(checker);
    graze_robot_free(robot);
    return 0;
}
