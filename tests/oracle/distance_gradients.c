// Derivatives of the least distance against central differences of it: robots at a shelf, by every
// column of q, by where the base stands and by its yaw. Where the report says that the derivative
// is one, they agree; how often it does not say so is printed.
//   distance_gradients [--poses N] [--seed S]
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graze/graze.h"
#include "posed_mesh.h"
#include "test_robot.h"

enum { COLUMNS_MOST = 32 };

typedef struct scene {
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    graze_distance_workspace *workspace;
    size_t size;
} scene;

typedef struct tally {
    uint64_t poses, smooth, numbers, violations;
    double worst;
} tally;

static void open_scene(scene *s, const char *name) {
    graze_error error;
    *s = (scene){.robot = test_robot_load(name)};
    if (!s->robot) return;
    s->size = graze_robot_q_size(s->robot);
    if (s->size > COLUMNS_MOST) give_up(name, "too many columns");
    if (graze_world_create(&s->world, "w", &error) ||
        graze_world_add_file(s->world, GRAZE_SOURCE_DIR "/worlds/shelf.json", NULL, &error) ||
        graze_world_commit(s->world, &error) ||
        graze_checker_create(&s->checker, s->robot, s->world, NULL, &error) ||
        graze_distance_workspace_create(&s->workspace, s->checker, &error))
        give_up(name, error.message);
}

static void close_scene(scene *s) {
    graze_distance_workspace_free(s->workspace);
    graze_checker_free(s->checker);
    graze_world_free(s->world);
    graze_robot_free(s->robot);
}

static double distance_at(const scene *s, const double *q, const double *base) {
    graze_distance_report r = {0};
    graze_error error;
    if (graze_distance(s->checker, s->workspace, q, s->size, base, NULL, &r, &error))
        give_up("distance", error.message);
    return r.least.upper;
}

/// Compares a derivative with the change of the distance as one number goes up and down.
static void compare(const scene *s, double *q, double *base, double *moved, double claimed,
                    const char *what, tally *t) {
    const double step = 3e-8, here = *moved;
    *moved = here + step;
    double up = distance_at(s, q, base), high = *moved;
    *moved = here - step;
    double change = (up - distance_at(s, q, base)) / (high - *moved);
    *moved = here;
    double off = fabs(change - claimed) / fmax(1, fabs(claimed));
    t->numbers++;
    t->worst = fmax(t->worst, off);
    if (off <= 1e-6) return;
    if (t->violations++ < 10)
        printf("violation: %s: %.12g, by differences %.12g, at distance %.9g\n", what, claimed,
               change, distance_at(s, q, base));
}

static void test_pose(const scene *s, double *q, double base[6], tally *t) {
    double by_q[COLUMNS_MOST], by_base[6];
    graze_proximity p;
    graze_distance_report r = {.pairs = &p, .capacity = 1, .by_q = by_q, .by_base = by_base};
    graze_error error;
    if (graze_distance(s->checker, s->workspace, q, s->size, base, NULL, &r, &error))
        give_up("distance", error.message);
    if (p.overlap || p.distance.upper < 1e-4) return;
    t->poses++;
    t->smooth += p.smooth;
    if (!p.smooth) return;
    for (size_t i = 0; i < s->size; i++) compare(s, q, base, &q[i], by_q[i], "q", t);
    for (int i = 0; i < 3; i++) compare(s, q, base, &base[i], by_base[i], "base", t);
    compare(s, q, base, &base[5], by_base[5], "yaw", t);
}

int main(int argc, char **argv) {
    uint64_t poses = 200, seed = 1;
    static const char *const robots[] = {"heron", "fetch"};
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--poses")) poses = strtoull(argv[i + 1], NULL, 10);
        if (!strcmp(argv[i], "--seed")) seed = strtoull(argv[i + 1], NULL, 10);
    }
    uint64_t violations = 0;
    for (int i = 0; i < 2; i++) {
        gz_random random = gz_random_make(seed, (uint64_t)i);
        tally t = {0};
        scene s;
        open_scene(&s, robots[i]);
        if (!s.robot) {
            printf("%s: skipped: no test data\n", robots[i]);
            continue;
        }
        while (t.poses < poses) {
            double q[COLUMNS_MOST], base[6] = {0, 0, 0, 0, 0, 0};
            test_robot_draw(s.robot, &random, q);
            base[0] = gz_random_range(&random, -1, 1);
            base[1] = gz_random_range(&random, -1, 1);
            base[5] = gz_random_range(&random, -3, 3);
            test_pose(&s, q, base, &t);
        }
        printf("%s: %llu poses, %llu of them smooth, %llu derivatives, worst off by %.2g, %llu "
               "violations\n",
               robots[i], (unsigned long long)t.poses, (unsigned long long)t.smooth,
               (unsigned long long)t.numbers, t.worst, (unsigned long long)t.violations);
        violations += t.violations;
        close_scene(&s);
    }
    return violations != 0;
}
