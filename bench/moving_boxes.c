// What a tick costs in a world whose boxes, spheres or meshes all move: by a scene, whose memory is
// used again, and by versions of world and checker that are made anew.
//
//   graze-bench-moving [SHARE [TICKS]]
//
// SHARE holds the shipped robot (urdf/, meshes/). A tick is the new version, a workspace, the first
// check in it, and the end of the old version. Medians over the ticks, with the 10th and the 90th
// of a hundred; microseconds of the thread's processor time.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "graze/graze.h"

enum { MOST = 1000, MANY_TICKS = 100000 };

static graze_error error;

static void require(graze_status status) {
    if (status == GRAZE_OK) return;
    fprintf(stderr, "graze-bench-moving: %s %s\n", error.element, error.message);
    exit(3);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// splitmix64, uniform in [-1, 1).
static double draw(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

/// How objects move: each on its circle, or to anywhere at each tick.
typedef enum motion { CIRCLES, JUMPS } motion;

static graze_transform place(motion how, size_t object, size_t tick) {
    uint64_t state = object + (how == JUMPS ? 1000003 * (uint64_t)tick : 0);
    double x[6];
    for (int k = 0; k < 6; k++) x[k] = draw(&state);
    double angle = how == CIRCLES ? 0.01 * (double)tick * (1 + x[5]) : 0;
    double xyz[3] = {4 * x[0] + cos(angle), 4 * x[1] + sin(angle), 1 + x[2]};
    const double rpy[3] = {0, 0, 3 * x[3] + angle};
    return graze_transform_from_xyz_rpy(xyz, rpy);
}

/// A ring of 12 x 20 cells, 480 triangles.
static graze_world *make_world(const char *kind, size_t count, graze_world_change *changes,
                               graze_transform *poses, char (*names)[16]) {
    static double vertices[240 * 3];
    static uint32_t triangles[480 * 3];
    size_t n = 0;
    for (uint32_t i = 0; i < 20; i++)
        for (uint32_t k = 0; k < 12; k++) {
            double a = 0.05 + 0.02 * cos(k * 0.5235987755982988), u = i * 0.3141592653589793;
            double *v = vertices + 3 * (12 * i + k);
            v[0] = a * cos(u), v[1] = a * sin(u), v[2] = 0.02 * sin(k * 0.5235987755982988);
            uint32_t i1 = (i + 1) % 20, k1 = (k + 1) % 12;
            const uint32_t t[6] = {12 * i + k, 12 * i1 + k,  12 * i1 + k1,
                                   12 * i + k, 12 * i1 + k1, 12 * i + k1};
            for (int j = 0; j < 6; j++) triangles[n++] = t[j];
        }
    graze_world *world;
    require(graze_world_create(&world, "moving", &error));
    for (size_t i = 0; i < count; i++) {
        snprintf(names[i], sizeof names[i], "object%zu", i);
        poses[i] = place(CIRCLES, i, 0);
        const double size[3] = {0.1, 0.08, 0.05};
        if (kind[0] == 'b')
            require(graze_world_add_box(world, names[i], size, &poses[i], &error));
        else if (kind[0] == 's')
            require(graze_world_add_sphere(world, names[i], 0.05, &poses[i], &error));
        else
            require(graze_world_add_mesh(world, names[i], vertices, 240, triangles, 480, &poses[i],
                                         &error));
        changes[i] = graze_world_change_default();
        changes[i].id = i + 1;
        changes[i].pose = &poses[i];
    }
    require(graze_world_commit(world, &error));
    return world;
}

typedef struct subject {
    graze_checker *checker;
    graze_world *world;
    graze_scene *scene;
    graze_world_change *changes;
    size_t count, moving, hits;
    const double *q;
    size_t width;
} subject;

static void check(subject *s, const graze_checker *checker, graze_workspace *workspace) {
    graze_report report = {.contacts = NULL};
    require(
        graze_check(checker, workspace, GRAZE_ANSWER_PAIR, s->q, s->width, NULL, &report, &error));
    s->hits += report.verdict == GRAZE_COLLISION;
}

static void tick_scene(subject *s) {
    graze_view *view;
    require(graze_scene_revise(s->scene, s->changes, s->moving, &error));
    require(graze_view_acquire(&view, s->scene, &error));
    check(s, graze_view_checker(view), graze_view_workspace(view));
    graze_view_release(view);
}

static void tick_versions(subject *s) {
    graze_world *world;
    graze_checker *checker;
    graze_workspace *workspace;
    require(graze_world_revise(&world, s->world, s->changes, s->moving, &error));
    require(graze_checker_with_world(&checker, s->checker, world, &error));
    require(graze_workspace_create(&workspace, checker, &error));
    check(s, checker, workspace);
    graze_workspace_free(workspace);
    graze_checker_free(s->checker);
    graze_world_free(s->world);
    s->checker = checker;
    s->world = world;
}

static void measure(const graze_robot *robot, const char *kind, size_t count, size_t moving,
                    motion how, size_t ticks) {
    static graze_world_change changes[MOST];
    static graze_transform poses[MOST];
    static char names[MOST][16];
    static double times[2][MANY_TICKS];
    double *q = calloc(graze_robot_q_size(robot) + 1, sizeof *q);
    if (!q) exit(4);
    graze_robot_rest(robot, q);
    subject s = {.changes = changes, .count = count, .moving = moving, .q = q};
    s.width = graze_robot_q_size(robot);
    s.world = make_world(kind, count, changes, poses, names);
    require(graze_checker_create(&s.checker, robot, s.world, NULL, &error));
    require(graze_scene_create(&s.scene, s.checker, &error));
    for (size_t t = 0; t < ticks + 5; t++) { // the first ticks are not counted
        for (size_t i = 0; i < moving; i++) poses[i] = place(how, i, t + 1);
        for (int k = 0; k < 2; k++) {
            double start = now();
            if (k == 0) tick_scene(&s);
            if (k == 1) tick_versions(&s);
            if (t >= 5) times[k][t - 5] = now() - start;
        }
    }
    for (int k = 0; k < 2; k++) {
        qsort(times[k], ticks, sizeof **times, compare);
        printf("%5zu of %5zu %-7s %-8s %-9s %8.1f us  (%.1f to %.1f)\n", moving, count, kind,
               how == JUMPS ? "anywhere" : "circles", k ? "versions" : "scene", times[k][ticks / 2],
               times[k][ticks / 10], times[k][ticks * 9 / 10]);
    }
    graze_scene_free(s.scene);
    graze_checker_free(s.checker);
    graze_world_free(s.world);
    free(q);
}

int main(int argc, char **argv) {
    const char *share = argc > 1 ? argv[1] : ".";
    size_t ticks = argc > 2 ? strtoul(argv[2], NULL, 10) : 500;
    if (ticks > MANY_TICKS) ticks = MANY_TICKS;
    char path[4096], srdf[4096];
    graze_robot *robot;
    graze_load_options load = graze_load_options_default();
    snprintf(path, sizeof path, "%s/urdf/heron.urdf", share);
    snprintf(srdf, sizeof srdf, "%s/urdf/heron.srdf", share);
    load.srdf = srdf;
    require(graze_robot_load_urdf(&robot, path, &load, &error));
    measure(robot, "boxes", 50, 50, CIRCLES, ticks);
    measure(robot, "boxes", 200, 200, CIRCLES, ticks);
    measure(robot, "spheres", 200, 200, CIRCLES, ticks);
    measure(robot, "meshes", 200, 200, CIRCLES, ticks);
    measure(robot, "boxes", 1000, 1000, CIRCLES, ticks);
    measure(robot, "boxes", 1000, 1000, JUMPS, ticks);
    measure(robot, "boxes", 1000, 10, CIRCLES, ticks);
    graze_robot_free(robot);
    return 0;
}
