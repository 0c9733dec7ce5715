// graze-bench-ik: poses of a link that random free configurations of a robot have, and how often,
// how fast and how exactly graze_ik() finds free configurations for them.
//   graze-bench-ik URDF SRDF|- PACKAGES|- LINK JOINT,JOINT,...|- POSES [WORLD.json]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "graze/graze.h"

static void require(graze_status status, const graze_error *error) {
    if (status == GRAZE_OK) return;
    fprintf(stderr, "%s: %s\n", error->file, error->message);
    exit(3);
}

static double thread_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/// The columns of a comma-separated list.
static size_t read_columns(const graze_robot *robot, char *list, int32_t *columns) {
    size_t count = 0;
    for (char *name = strtok(list, ","); name; name = strtok(NULL, ",")) {
        columns[count] = graze_robot_find_q(robot, name);
        if (columns[count++] >= 0) continue;
        fprintf(stderr, "%s: no column of q\n", name);
        exit(2);
    }
    return count;
}

static graze_checker *load(char **argv, graze_robot **robot, graze_world **world) {
    graze_error error;
    graze_checker *checker;
    graze_load_options options = graze_load_options_default();
    options.visuals = GRAZE_VISUALS_SKIP;
    options.srdf = strcmp(argv[2], "-") ? argv[2] : NULL;
    options.package_path = strcmp(argv[3], "-") ? argv[3] : NULL;
    require(graze_robot_load_urdf(robot, argv[1], &options, &error), &error);
    if (argv[7]) {
        require(graze_world_create(world, "world", &error), &error);
        require(graze_world_add_file(*world, argv[7], NULL, &error), &error);
        require(graze_world_commit(*world, &error), &error);
    }
    require(graze_checker_create(&checker, *robot, *world, NULL, &error), &error);
    return checker;
}

/// What the poses gave.
typedef struct tally {
    size_t poses, solved, quick, starts;
    double *milliseconds, position, angle;
} tally;

/// The pose of the next free random configuration, the other columns at rest.
static graze_transform next_pose(const graze_checker *checker, graze_workspace *workspace,
                                 const graze_ik_options *options, int32_t link, double *q,
                                 uint64_t *index) {
    const graze_robot *robot = graze_checker_robot(checker);
    size_t n = graze_robot_q_size(robot);
    graze_error error;
    graze_report report = {0};
    double *sample = malloc(n * sizeof *sample);
    graze_transform *links = malloc(graze_robot_link_count(robot) * sizeof *links), pose;
    do {
        require(graze_robot_sample(robot, 99, ++*index, NULL, NULL, sample, &error), &error);
        graze_robot_rest(robot, q);
        for (size_t i = 0; i < options->column_count; i++)
            q[options->columns[i]] = sample[options->columns[i]];
        require(graze_check(checker, workspace, GRAZE_ANSWER_ANY, q, n, NULL, &report, &error),
                &error);
    } while (report.verdict != GRAZE_FREE);
    require(graze_robot_pose(robot, q, n, NULL, links, &error), &error);
    pose = links[link];
    free(sample);
    free(links);
    return pose;
}

static void run(const graze_checker *checker, int32_t link, const graze_ik_options *options,
                tally *t) {
    const graze_robot *robot = graze_checker_robot(checker);
    size_t n = graze_robot_q_size(robot);
    graze_error error;
    graze_workspace *workspace;
    require(graze_workspace_create(&workspace, checker, &error), &error);
    double *q = malloc(n * sizeof *q), *rest = malloc(n * sizeof *rest),
           *solution = malloc(n * sizeof *solution);
    graze_robot_rest(robot, rest);
    uint64_t index = 0;
    for (size_t i = 0; i < t->poses; i++) {
        graze_transform pose = next_pose(checker, workspace, options, link, q, &index);
        graze_ik_result result;
        double begin = thread_seconds();
        require(graze_ik(checker, link, &pose, rest, NULL, options, solution, 1, &result, &error),
                &error);
        double spent = 1e3 * (thread_seconds() - begin);
        t->milliseconds[i] = result.count ? spent : INFINITY;
        t->solved += result.count;
        t->quick += result.count && spent <= 5;
        t->starts += result.starts;
        if (!result.count) continue;
        t->position = fmax(t->position, result.position_error);
        t->angle = fmax(t->angle, result.angle_error);
    }
    free(q);
    free(rest);
    free(solution);
    graze_workspace_free(workspace);
}

int main(int argc, char **argv) {
    if (argc != 7 && argc != 8)
        return fprintf(stderr, "usage: graze-bench-ik URDF SRDF|- PACKAGES|- LINK JOINTS POSES "
                               "[WORLD]\n"),
               2;
    graze_robot *robot = NULL;
    graze_world *world = NULL;
    graze_checker *checker = load(argv, &robot, &world);
    int32_t link = graze_robot_find_link(robot, argv[4]);
    if (link < 0) return fprintf(stderr, "%s: no link\n", argv[4]), 2;
    int32_t *columns = malloc(graze_robot_q_size(robot) * sizeof *columns);
    graze_ik_options options = graze_ik_options_default();
    options.columns = columns;
    options.column_count = read_columns(robot, argv[5], columns);
    tally t = {.poses = strtoul(argv[6], NULL, 10)};
    t.milliseconds = calloc(t.poses + 1, sizeof *t.milliseconds);
    run(checker, link, &options, &t);
    qsort(t.milliseconds, t.poses, sizeof *t.milliseconds, ascending);
    printf("%zu poses: %zu solved, %zu within 5 ms, median %.3f ms, 99 %% %.3f ms, %.1f starts; "
           "residual at most %.1e m, %.1e rad\n",
           t.poses, t.solved, t.quick, t.milliseconds[t.poses / 2],
           t.milliseconds[t.poses * 99 / 100], (double)t.starts / (double)t.poses, t.position,
           t.angle);
    free(t.milliseconds);
    free(columns);
    graze_checker_free(checker);
    graze_world_free(world);
    graze_robot_free(robot);
    return 0;
}
