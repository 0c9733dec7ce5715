// RRT-Connect (Kuffner and LaValle 2000) in sixty lines on the configuration space of a robot,
// between two random free configurations.
//   own_planner ROBOT.urdf
#include <graze/graze.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 4000 };
static const double step = 0.3, resolution = 0.02;

typedef struct tree {
    double *q;
    int parent[MOST], count;
} tree;
static graze_robot *robot;
static graze_checker *checker;
static graze_workspace *workspace;
static size_t columns;
static double distance(const double *a, const double *b) {
    double d; // metres and radians alike
    return graze_robot_metric(robot, a, b, columns, GRAZE_TURN_SHORTER, &d, NULL) ? 1e9 : d;
}

static int is_free(const double *q) {
    graze_report report = {0};
    graze_check(checker, workspace, GRAZE_ANSWER_ANY, q, columns, NULL, &report, NULL);
    return report.verdict == GRAZE_FREE;
}

static int edge_is_free(const double *a, const double *b, double *scratch) {
    int steps = (int)(distance(a, b) / resolution) + 1;
    for (int i = 1; i <= steps; i++) {
        graze_robot_interpolate(robot, a, b, columns, GRAZE_TURN_SHORTER, (double)i / steps,
                                scratch, NULL);
        if (!is_free(scratch)) return 0;
    }
    return 1;
}

/// Grows a tree by one step towards a configuration: -1 blocked, 0 grown, 1 arrived.
static int extend(tree *t, const double *to, double *scratch) {
    size_t near = 0, count = (size_t)t->count;
    for (size_t i = 1; i < count; i++)
        if (distance(t->q + i * columns, to) < distance(t->q + near * columns, to)) near = i;
    double *from = t->q + near * columns, *grown = t->q + count * columns;
    double far = distance(from, to), part = far > step ? step / far : 1;
    graze_robot_interpolate(robot, from, to, columns, GRAZE_TURN_SHORTER, part, grown, NULL);
    if (count == MOST - 1 || !edge_is_free(from, grown, scratch)) return -1;
    t->parent[t->count++] = (int)near;
    return far <= step;
}

int main(int argc, char **argv) {
    static tree trees[2];
    static uint64_t drawn;
    if (argc < 2 || graze_robot_load_urdf(&robot, argv[1], NULL, NULL) ||
        graze_checker_create(&checker, robot, NULL, NULL, NULL) ||
        graze_workspace_create(&workspace, checker, NULL))
        return fprintf(stderr, "usage: own_planner ROBOT.urdf\n"), 2;
    columns = graze_robot_q_size(robot);
    double *scratch = calloc(2 * columns + 1, sizeof *scratch), *sample = scratch + columns;
    for (int k = 0; k < 2; k++) {
        trees[k] = (tree){.q = calloc(MOST * columns + 1, sizeof(double)), .count = 1};
        do graze_robot_sample(robot, 1, drawn++, NULL, NULL, trees[k].q, NULL);
        while (!is_free(trees[k].q));
    }
    for (int i = 0, reached = -1; i < MOST; i++, reached = -1) {
        tree *a = &trees[i % 2], *b = &trees[1 - i % 2];
        graze_robot_sample(robot, 1, drawn++, NULL, NULL, sample, NULL);
        if (extend(a, sample, scratch) >= 0) do
                reached = extend(b, a->q + (size_t)(a->count - 1) * columns, scratch);
            while (reached == 0);
        if (reached < 0) continue;
        return printf("found by trees of %d and %d nodes\n", a->count, b->count), 0;
    }
    return printf("no path found\n"), 1;
}
