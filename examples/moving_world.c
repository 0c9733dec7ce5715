// A world whose boxes move: each tick makes a version of the world and of the checker that share
// what stays, and checks the robot in it.
//   moving_world ROBOT.urdf ROBOT.srdf [BOXES]
#include <graze/graze.h>
#include <stdio.h>
#include <stdlib.h>

static int failed(const graze_error *error) {
    return fprintf(stderr, "%s: %s\n", error->element, error->message), 3;
}

/// Boxes on a line behind the robot that come nearer with time.
static graze_transform place(size_t box, size_t tick) {
    const double xyz[3] = {3 - 0.02 * (double)tick + 0.15 * (double)box,
                           -1 + 0.1 * (double)(box % 20), 0.8};
    return graze_transform_from_xyz_rpy(xyz, NULL);
}

int main(int argc, char **argv) {
    enum { MOST = 1000 };
    static char names[MOST][16];
    static graze_transform poses[MOST];
    static graze_world_change changes[MOST];
    if (argc < 3) return fprintf(stderr, "usage: moving_world URDF SRDF [BOXES]\n"), 2;
    size_t boxes = argc > 3 ? strtoul(argv[3], NULL, 10) : 20;
    boxes = boxes < MOST ? boxes : MOST;
    graze_error error;
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    graze_load_options options = graze_load_options_default();
    options.srdf = argv[2];
    if (graze_robot_load_urdf(&robot, argv[1], &options, &error) ||
        graze_world_create(&world, "moving", &error))
        return failed(&error);
    for (size_t i = 0; i < boxes; i++) {
        snprintf(names[i], sizeof names[i], "box%zu", i);
        poses[i] = place(i, 0);
        changes[i] = (graze_world_change){
            .kind = GRAZE_CHANGE_MOVE, .name = names[i], .pose = &poses[i]};
        if (graze_world_add_box(world, names[i], (const double[3]){0.1, 0.1, 0.1}, &poses[i],
                                &error))
            return failed(&error);
    }
    if (graze_world_commit(world, &error) ||
        graze_checker_create(&checker, robot, world, NULL, &error))
        return failed(&error);
    double *q = calloc(graze_robot_q_size(robot) + 1, sizeof *q);
    if (!q) return fprintf(stderr, "no memory\n"), 3;
    graze_robot_rest(robot, q);

    for (size_t tick = 1; tick <= 200; tick++) {
        for (size_t i = 0; i < boxes; i++) poses[i] = place(i, tick);
        graze_world *next_world;
        graze_checker *next;
        graze_workspace *workspace;
        graze_contact contact;
        graze_report report = {.contacts = &contact, .capacity = 1};
        if (graze_world_revise(&next_world, world, changes, boxes, &error) ||
            graze_checker_with_world(&next, checker, next_world, &error) ||
            graze_workspace_create(&workspace, next, &error) ||
            graze_check(next, workspace, GRAZE_ANSWER_PAIR, q, graze_robot_q_size(robot), NULL,
                        &report, &error))
            return failed(&error);
        graze_workspace_free(workspace);
        graze_checker_free(checker);
        graze_world_free(world);
        checker = next;
        world = next_world;
        if (report.verdict != GRAZE_COLLISION) continue;
        printf("tick %zu: %s meets %s\n", tick, graze_contact_link_name(checker, &contact),
               graze_contact_other_name(checker, &contact));
        break;
    }
    free(q);
    graze_checker_free(checker);
    graze_world_free(world);
    graze_robot_free(robot);
    return 0;
}
