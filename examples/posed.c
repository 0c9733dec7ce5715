// A program with kinematics of its own, here of a planar arm of two links: it gives the poses of
// all links in place of joint values.
//   posed TWO_LINK.urdf [STEPS]
#include <graze/graze.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int failed(const graze_error *error) {
    return fprintf(stderr, "%s: %s\n", error->element, error->message), 3;
}

/// A turn about z, then a way.
static graze_transform place(double x, double y, double z, double turn) {
    double c = cos(turn), s = sin(turn);
    return (graze_transform){{c, -s, 0, x, s, c, 0, y, 0, 0, 1, z}};
}

int main(int argc, char **argv) {
    if (argc < 2) return fprintf(stderr, "usage: posed TWO_LINK.urdf [STEPS]\n"), 2;
    graze_error error;
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    graze_workspace *workspace;
    graze_transform pillar = place(0.4, 0.45, 0.1, 0);
    if (graze_robot_load_urdf(&robot, argv[1], NULL, &error) ||
        graze_world_create(&world, "pillar", &error) ||
        graze_world_add_cylinder(world, "pillar", 0.08, 0.6, &pillar, &error) ||
        graze_world_commit(world, &error) ||
        graze_checker_create(&checker, robot, world, NULL, &error) ||
        graze_workspace_create(&workspace, checker, &error))
        return failed(&error);
    int32_t base = graze_robot_find_link(robot, "base_link"),
            upper = graze_robot_find_link(robot, "upper_link"),
            lower = graze_robot_find_link(robot, "lower_link");
    graze_transform links[4] = {0}; // the tip is fixed to the lower link, and no more than a frame
    if (base < 0 || upper < 0 || lower < 0 || graze_robot_link_count(robot) != 4)
        return fprintf(stderr, "%s is not two_link.urdf\n", argv[1]), 3;

    long steps = argc > 2 ? strtol(argv[2], NULL, 10) : 200;
    size_t collisions = 0;
    graze_contact contact = {0};
    for (long i = 0; i < steps; i++) {
        double shoulder = -1.5 + 3.0 * (double)i / (double)steps, elbow = 0.6;
        links[base] = place(0, 0, 0, 0);
        links[upper] = place(0, 0, 0.07, shoulder);
        links[lower] = place(0.5 * cos(shoulder), 0.5 * sin(shoulder), 0.07, shoulder + elbow);
        graze_report report = {.contacts = &contact, .capacity = 1};
        if (graze_check_posed(checker, workspace, GRAZE_ANSWER_PAIR, links, 4, &report, &error))
            return failed(&error);
        if (report.verdict != GRAZE_COLLISION) continue;
        if (collisions++ == 0)
            printf("at %.3f rad %s meets %s\n", shoulder,
                   graze_contact_link_name(checker, &contact),
                   graze_contact_other_name(checker, &contact));
    }
    printf("%zu of %ld poses collide\n", collisions, steps);
    graze_workspace_free(workspace);
    graze_checker_free(checker);
    graze_world_free(world);
    graze_robot_free(robot);
    return 0;
}
