// Rules by call, as a host has them that brings an allowed-collision matrix with each request: one
// checker, a workspace from a pool, and rules that change from check to check.
//   rules ROBOT.urdf ROBOT.srdf WORLD.json
#include <graze/graze.h>
#include <stdio.h>
#include <stdlib.h>

enum { SAMPLES = 2000 };

static int failed(const graze_error *error) {
    return fprintf(stderr, "%s: %s\n", error->element, error->message), 3;
}

/// How many of some configurations collide.
static int count(const graze_rules *rules, graze_workspace *workspace, const graze_robot *robot) {
    int collisions = 0;
    size_t columns = graze_robot_q_size(robot);
    double *q = malloc((columns + 1) * sizeof *q);
    for (uint64_t i = 0; q && i < SAMPLES; i++) {
        graze_report report = {0};
        graze_error error;
        if (graze_robot_sample(robot, 1, i, NULL, NULL, q, &error) ||
            graze_check_ruled(rules, workspace, GRAZE_ANSWER_ANY, q, columns, NULL, &report,
                              &error))
            exit(failed(&error));
        collisions += report.verdict == GRAZE_COLLISION;
    }
    free(q);
    return collisions;
}

int main(int argc, char **argv) {
    if (argc < 4) return fprintf(stderr, "usage: rules URDF SRDF WORLD\n"), 2;
    graze_error error;
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    graze_rules *rules;
    graze_workspace_pool *pool;
    graze_workspace *workspace;
    graze_load_options options = graze_load_options_default();
    options.srdf = argv[2];
    if (graze_robot_load_urdf(&robot, argv[1], &options, &error) ||
        graze_world_create(&world, "world", &error) ||
        graze_world_add_file(world, argv[3], NULL, &error) || graze_world_commit(world, &error) ||
        graze_checker_create(&checker, robot, world, NULL, &error) ||
        graze_rules_create(&rules, checker, &error) || graze_workspace_pool_create(&pool, &error) ||
        graze_workspace_pool_borrow(&workspace, pool, checker, &error))
        return failed(&error);
    int32_t gripper = graze_robot_find_link(robot, "gripper_link"),
            upper = graze_robot_find_link(robot, "upperarm_roll_link"),
            elbow = graze_robot_find_link(robot, "elbow_flex_link");
    printf("%d of %d collide\n", count(rules, workspace, robot), SAMPLES);
    // The gripper may touch everything in the world: a row of the matrix that is 0.
    for (int32_t k = 0; k < (int32_t)graze_world_object_count(world); k++)
        if (graze_rules_set(rules, GRAZE_CONTACT_WORLD, gripper, k, false, &error))
            return failed(&error);
    printf("%d where the gripper may touch the world\n", count(rules, workspace, robot));
    graze_rules_reset(rules);
    if (graze_rules_keep_links(rules, &gripper, 1, &error)) return failed(&error);
    printf("%d of the gripper alone\n", count(rules, workspace, robot));
    for (int32_t k = 0; k < (int32_t)graze_world_object_count(world); k++)
        if (graze_rules_set_margin(rules, GRAZE_CONTACT_WORLD, gripper, k, 0.05, &error))
            return failed(&error);
    printf("%d within 5 cm of the world\n", count(rules, workspace, robot));
    // Neighbours in the chain are hidden by the checker: required, they are checked.
    graze_rules_reset(rules);
    if (graze_rules_set(rules, GRAZE_CONTACT_SELF, upper, elbow, true, &error))
        return failed(&error);
    printf("%d with the upper arm against the elbow\n", count(rules, workspace, robot));
    graze_workspace_pool_give_back(pool, workspace);
    graze_workspace_pool_free(pool);
    graze_rules_free(rules);
    graze_checker_free(checker);
    graze_world_free(world);
    graze_robot_free(robot);
}
