// What a batch of a few rows costs, as a ratio to as many single checks; and what each answer costs
// for one configuration, with a place for a contact and without.
//
//   graze-bench-batch [SHARE]
//
// SHARE holds the shipped robot (urdf/, meshes/, worlds/). Each figure is the median of 15 rounds
// of the same rows in the same run, with the least and the greatest; microseconds per
// configuration.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "graze/graze.h"

enum { ROWS = 2048, ROUNDS = 15 };

typedef struct subject {
    graze_checker *checker;
    graze_workspace *workspace;
    size_t width;
    const double *q;
    uint8_t verdicts[ROWS];
} subject;

static void require(graze_status status, const graze_error *error) {
    if (status == GRAZE_OK) return;
    fprintf(stderr, "graze-bench-batch: %s\n", error->message);
    exit(3);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); // other programs take time, too
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

/// splitmix64, uniform in [0, 1).
static double draw(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double print_times(const char *name, double times[ROUNDS]) {
    qsort(times, ROUNDS, sizeof *times, compare);
    printf("  %-34s %7.3f us  (%.3f to %.3f)", name, times[ROUNDS / 2], times[0],
           times[ROUNDS - 1]);
    return times[ROUNDS / 2];
}

static double time_singles(subject *s, graze_answer answer, size_t capacity) {
    graze_contact contact;
    graze_error error;
    double start = now();
    for (size_t i = 0; i < ROWS; i++) {
        graze_report report = {.contacts = capacity ? &contact : NULL, .capacity = capacity};
        require(graze_check(s->checker, s->workspace, answer, s->q + i * s->width, s->width, NULL,
                            &report, &error),
                &error);
    }
    return (now() - start) / ROWS;
}

static double time_batches(subject *s, size_t rows) {
    graze_error error;
    graze_batch batch = graze_batch_default();
    batch.count = rows;
    double start = now();
    for (size_t i = 0; i < ROWS; i += rows) {
        batch.q = s->q + i * s->width;
        batch.verdicts = s->verdicts + i;
        require(graze_check_batch(s->checker, &batch, &error), &error);
    }
    return (now() - start) / ROWS;
}

static void measure(subject *s, const char *world) {
    static const size_t sizes[] = {1, 4, 16, 64};
    double singles[ROUNDS], batches[4][ROUNDS], answers[3][ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        singles[round] = time_singles(s, GRAZE_ANSWER_ANY, 0);
        for (int k = 0; k < 4; k++) batches[k][round] = time_batches(s, sizes[k]);
        answers[0][round] = time_singles(s, GRAZE_ANSWER_ANY, 1);
        answers[1][round] = time_singles(s, GRAZE_ANSWER_PAIR, 1);
        answers[2][round] = time_singles(s, GRAZE_ANSWER_FIRST, 1);
    }
    printf("heron, %s\n", world);
    double base = print_times("single checks", singles);
    printf("\n");
    for (int k = 0; k < 4; k++) {
        char name[64];
        snprintf(name, sizeof name, "batches of %zu", sizes[k]);
        double own = print_times(name, batches[k]);
        printf("  ratio %.2f\n", own / base);
    }
    static const char *const names[] = {"any, with a contact", "first pair by name",
                                        "first pair with its triangles"};
    for (int k = 0; k < 3; k++) {
        print_times(names[k], answers[k]);
        printf("\n");
    }
}

int main(int argc, char **argv) {
    const char *share = argc > 1 ? argv[1] : ".";
    static const char *const worlds[] = {NULL, "shelf", "clutter"};
    char path[4096], srdf[4096];
    graze_error error;
    graze_robot *robot;
    graze_load_options load = graze_load_options_default();
    snprintf(path, sizeof path, "%s/urdf/heron.urdf", share);
    snprintf(srdf, sizeof srdf, "%s/urdf/heron.srdf", share);
    load.srdf = srdf;
    require(graze_robot_load_urdf(&robot, path, &load, &error), &error);
    size_t width = graze_robot_q_size(robot);
    double *q = calloc(ROWS * width, sizeof *q);
    uint64_t state = 1;
    for (size_t i = 0; q && i < ROWS * width; i++) {
        graze_joint_info joint;
        graze_robot_joint(robot, graze_robot_q_joint(robot, i % width), &joint);
        double low = joint.limited ? joint.lower : -3.14, high = joint.limited ? joint.upper : 3.14;
        q[i] = low + draw(&state) * (high - low);
    }
    for (int k = 0; q && k < 3; k++) {
        graze_world *world = NULL;
        static subject s;
        s = (subject){.width = width, .q = q};
        if (worlds[k]) {
            snprintf(path, sizeof path, "%s/worlds/%s.json", share, worlds[k]);
            require(graze_world_create(&world, worlds[k], &error), &error);
            require(graze_world_add_file(world, path, NULL, &error), &error);
            require(graze_world_commit(world, &error), &error);
        }
        require(graze_checker_create(&s.checker, robot, world, NULL, &error), &error);
        require(graze_workspace_create(&s.workspace, s.checker, &error), &error);
        measure(&s, worlds[k] ? worlds[k] : "no world");
        graze_workspace_free(s.workspace);
        graze_checker_free(s.checker);
        graze_world_free(world);
    }
    free(q);
    graze_robot_free(robot);
    return q ? 0 : 4;
}
