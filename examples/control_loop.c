// Checks as a control loop does: no allocation, a budget of work, the worst case seen.
//   control_loop ROBOT.urdf ROBOT.srdf WORLD CHECKS [BUDGET]
#include <graze/graze.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int failed(const graze_error *error) {
    fprintf(stderr, "%s:%d: %s\n", error->file, (int)error->line, error->message);
    return 3;
}

/// Of the processor, not of the clock on the wall: other programs do not count.
static double microseconds(void) {
    return 1e6 * (double)clock() / CLOCKS_PER_SEC;
}

int main(int argc, char **argv) {
    if (argc < 5)
        return fprintf(stderr, "usage: control_loop URDF SRDF WORLD CHECKS [BUDGET]\n"), 2;
    graze_error error;
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    graze_load_options options = graze_load_options_default();
    options.srdf = argv[2];
    if (graze_robot_load_urdf(&robot, argv[1], &options, &error) ||
        graze_world_create(&world, "world", &error) ||
        graze_world_add_file(world, argv[3], NULL, &error) || graze_world_commit(world, &error) ||
        graze_checker_create(&checker, robot, world, NULL, &error))
        return failed(&error);

    // All memory that checks need, taken before the loop: here from malloc, as well from an array.
    size_t size = graze_workspace_size(checker), columns = graze_robot_q_size(robot);
    size_t block = (size + GRAZE_WORKSPACE_ALIGNMENT - 1) / GRAZE_WORKSPACE_ALIGNMENT;
    void *memory = aligned_alloc(GRAZE_WORKSPACE_ALIGNMENT, block * GRAZE_WORKSPACE_ALIGNMENT);
    double *q = calloc(columns + 1, sizeof *q);
    if (!memory || !q) return fprintf(stderr, "no memory\n"), 3;
    graze_workspace *workspace;
    uint64_t budget = argc > 5 ? strtoull(argv[5], NULL, 10) : 0;
    if (graze_workspace_place(&workspace, checker, memory, size, &error) ||
        graze_workspace_set_budget(workspace, budget, &error))
        return failed(&error);

    unsigned long checks = strtoul(argv[4], NULL, 10), unknown = 0, collisions = 0;
    double worst = 0, per_unit = 0;
    for (unsigned long i = 0; i < checks; i++) {
        if (graze_robot_sample(robot, 1, i, NULL, NULL, q, &error)) return failed(&error);
        graze_report report = {0};
        double start = microseconds();
        graze_status status = graze_check(checker, workspace, GRAZE_ANSWER_ANY, q, columns, NULL,
                                          &report, &error);
        double took = microseconds() - start;
        // Spent: stop the robot, as for a collision.
        if (status && status != GRAZE_ERROR_BUDGET) return failed(&error);
        unknown += report.verdict == GRAZE_UNKNOWN;
        collisions += report.verdict == GRAZE_COLLISION;
        uint64_t work = graze_workspace_work(workspace);
        if (took > worst) worst = took;
        if (work > 500 && took / (double)work > per_unit) per_unit = took / (double)work;
    }
    printf("%lu checks, %lu collide, %lu unknown; workspace %zu bytes\n", checks, collisions,
           unknown, size);
    printf("worst: %llu units of work, %.1f us; a unit took at most %.3f us\n",
           (unsigned long long)graze_workspace_most_work(workspace), worst, per_unit);
    graze_workspace_free(workspace); // frees nothing here
    free(memory);
    free(q);
    graze_checker_free(checker);
    graze_world_free(world);
    graze_robot_free(robot);
    return 0;
}
