// A world whose boxes move, behind one handle that any thread may view: a tick moves, then checks.
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
    graze_scene *scene;
    graze_load_options options = graze_load_options_default();
    options.srdf = argv[2];
    if (graze_robot_load_urdf(&robot, argv[1], &options, &error) ||
        graze_world_create(&world, "moving", &error))
        return failed(&error);
    for (size_t i = 0; i < boxes; i++) {
        snprintf(names[i], sizeof names[i], "box%zu", i);
        poses[i] = place(i, 0);
        changes[i] = graze_world_change_default();
        changes[i].id = i + 1; // objects are numbered from 1, for all time
        changes[i].pose = &poses[i];
        if (graze_world_add_box(world, names[i], (const double[3]){0.1, 0.1, 0.1}, &poses[i],
                                &error))
            return failed(&error);
    }
    if (graze_world_commit(world, &error) ||
        graze_checker_create(&checker, robot, world, NULL, &error) ||
        graze_scene_create(&scene, checker, &error))
        return failed(&error);
    graze_checker_free(checker); // the scene has what it needs
    graze_world_free(world);
    double *q = calloc(graze_robot_q_size(robot) + 1, sizeof *q);
    if (!q) return fprintf(stderr, "no memory\n"), 3;
    graze_robot_rest(robot, q);

    for (size_t tick = 1; tick <= 200; tick++) {
        for (size_t i = 0; i < boxes; i++) poses[i] = place(i, tick);
        graze_view *view;
        graze_contact contact;
        graze_report report = {.contacts = &contact, .capacity = 1};
        if (graze_scene_revise(scene, changes, boxes, &error) ||
            graze_view_acquire(&view, scene, &error))
            return failed(&error);
        const graze_checker *now = graze_view_checker(view);
        if (graze_check(now, graze_view_workspace(view), GRAZE_ANSWER_PAIR, q,
                        graze_robot_q_size(robot), NULL, &report, &error))
            return failed(&error);
        bool met = report.verdict == GRAZE_COLLISION;
        if (met)
            printf("tick %zu: %s meets %s\n", tick, graze_contact_link_name(now, &contact),
                   graze_contact_other_name(now, &contact));
        graze_view_release(view);
        if (met) break;
    }
    free(q);
    graze_scene_free(scene);
    graze_robot_free(robot);
    return 0;
}
