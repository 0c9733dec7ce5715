// Takes an object out of the world, carries it to another configuration and puts it down there.
//   grasp ROBOT.urdf LINK
#include <graze/graze.h>
#include <stdio.h>
#include <stdlib.h>

static int failed(const graze_error *error) {
    fprintf(stderr, "%s:%d: %s\n", error->file, (int)error->line, error->message);
    return 3;
}

/// How many pairs collide in a configuration.
static size_t collisions(const graze_robot *robot, const graze_world *world, const double *q) {
    graze_checker *checker = NULL;
    graze_workspace *workspace = NULL;
    graze_report report = {0};
    if (graze_checker_create(&checker, robot, world, NULL, NULL) ||
        graze_workspace_create(&workspace, checker, NULL) ||
        graze_check(checker, workspace, GRAZE_ANSWER_ALL, q, graze_robot_q_size(robot), NULL,
                    &report, NULL))
        exit(3);
    graze_workspace_free(workspace);
    graze_checker_free(checker);
    return report.count;
}

int main(int argc, char **argv) {
    if (argc < 3) return fprintf(stderr, "usage: grasp ROBOT.urdf LINK\n"), 2;
    graze_error error;
    graze_robot *robot, *carrying, *empty;
    graze_world *world, *without, *with;
    if (graze_robot_load_urdf(&robot, argv[1], NULL, &error)) return failed(&error);
    size_t columns = graze_robot_q_size(robot);
    int32_t hand = graze_robot_find_link(robot, argv[2]);
    graze_transform *links = calloc(graze_robot_link_count(robot), sizeof *links);
    double *q = calloc(columns + 1, sizeof *q);
    if (!links || !q || hand < 0) return fprintf(stderr, "no link '%s'\n", argv[2]), 2;
    graze_robot_rest(robot, q);

    // A ball in the hand.
    if (graze_robot_pose(robot, q, columns, NULL, links, &error) ||
        graze_world_create(&world, "table", &error) ||
        graze_world_add_sphere(world, "ball", 0.02, &links[hand], &error) ||
        graze_world_commit(world, &error))
        return failed(&error);
    printf("in the world: %zu pairs collide\n", collisions(robot, world, q));

    // Grasped, it is a link, which may touch the hand.
    graze_grasp grasp = graze_grasp_default();
    grasp.object = "ball";
    grasp.link = argv[2];
    grasp.q = q;
    grasp.q_count = columns;
    if (graze_grasp_object(&carrying, &without, robot, world, &grasp, &error))
        return failed(&error);
    printf("carried: link %d of %d, %zu objects left in the world\n",
           (int)graze_robot_find_link(carrying, "ball"), (int)graze_robot_link_count(carrying),
           graze_world_object_count(without));

    // Elsewhere it becomes an object again.
    for (size_t i = 0; i < columns; i++) q[i] += 0.3;
    if (graze_robot_clamp(robot, q, columns, &error) ||
        graze_release_object(&empty, &with, carrying, without, "ball", q, columns, NULL, &error))
        return failed(&error);
    graze_geometry ball;
    graze_world_object(with, 0, &ball);
    printf("put down at %.3f %.3f %.3f\n", ball.origin.m[3], ball.origin.m[7], ball.origin.m[11]);
    free(links);
    free(q);
    graze_world_free(with);
    graze_world_free(without);
    graze_world_free(world);
    graze_robot_free(empty);
    graze_robot_free(carrying);
    graze_robot_free(robot);
    return 0;
}
