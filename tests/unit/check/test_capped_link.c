// Links that are open meshes under `cap`, and what reaches into them through the opening without
// touching a wall: it collides as soon as one of its vertices is inside, however it is asked.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../mesh/mesh_maker.h"
#include "graze/graze.h"
#include "unit/trials.h"

/// How high the cup is lifted, from where its opening is at the lower end of what reaches in.
static const double lifts[] = {-0.5, -0.01, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95};
#define LIFTS (sizeof lifts / sizeof *lifts)

static const char urdf[] =
    "<robot name='r'><link name='base'/><link name='cup'><collision><geometry>"
    "<mesh filename='cup.stl'/></geometry></collision></link>"
    "<joint name='z' type='prismatic'><parent link='base'/><child link='cup'/><axis xyz='0 0 1'/>"
    "<limit lower='-9' upper='9' effort='1' velocity='1'/></joint></robot>";

static void write_stl(const char *path, const maker *m) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("solid cup\n", f);
    for (size_t t = 0; t < m->nt; t++) {
        fputs("facet normal 0 0 0\nouter loop\n", f);
        for (int k = 0; k < 3; k++) {
            const double *v = m->v + 3 * (size_t)m->t[3 * t + (size_t)k];
            fprintf(f, "vertex %.17g %.17g %.17g\n", v[0], v[1], v[2]);
        }
        fputs("endloop\nendfacet\n", f);
    }
    fputs("endsolid cup\n", f);
    assert_int_equal(fclose(f), 0);
}

/// A ring of radius 2 and height 1, its upper opening at z = 0, to be lifted, so wide that spheres
/// around pieces of it are clear of what is in the middle; with a closed ball beside it or without.
static graze_robot *load_cup(bool beside) {
    char folder[] = "/tmp/graze-cup-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/cup.stl", folder);
    enum { SEGMENTS = 48 };
    maker cup = {0};
    for (uint32_t i = 0; i < SEGMENTS; i++) {
        double angle = 2 * acos(-1) * i / SEGMENTS;
        for (int low = 0; low < 2; low++) maker_vertex(&cup, 2 * cos(angle), 2 * sin(angle), -low);
        uint32_t p = 2 * i, q = 2 * ((i + 1) % SEGMENTS);
        maker_triangle(&cup, p, p + 1, q + 1);
        maker_triangle(&cup, p, q + 1, q);
    }
    if (beside) maker_sphere(&cup, (double[3]){0, 0, -1.4}, 0.1, 6, 8);
    write_stl(path, &cup);
    maker_free(&cup);
    graze_robot *robot = NULL;
    graze_error error;
    if (graze_robot_load_urdf_memory(&robot, urdf, sizeof urdf - 1, "cup", folder, NULL, &error))
        fail_msg("%s", error.message);
    unlink(path);
    rmdir(folder);
    return robot;
}

static void query(const graze_checker *checker, const double *q, const char *what,
                  const uint8_t *want) {
    graze_workspace *ws;
    assert_int_equal(graze_workspace_create(&ws, checker, NULL), GRAZE_OK);
    static const graze_answer answers[] = {GRAZE_ANSWER_ANY, GRAZE_ANSWER_FIRST};
    for (size_t a = 0; a < 2; a++) {
        uint8_t verdicts[LIFTS];
        graze_batch batch = graze_batch_default();
        batch.count = LIFTS;
        batch.q = q;
        batch.verdicts = verdicts;
        batch.answer = answers[a];
        assert_int_equal(graze_check_batch(checker, &batch, NULL), GRAZE_OK);
        for (size_t i = 0; i < LIFTS; i++) {
            graze_contact contact;
            graze_report one = {.contacts = &contact, .capacity = 1}, all = one;
            assert_int_equal(graze_check(checker, ws, answers[a], q + i, 1, NULL, &one, NULL),
                             GRAZE_OK);
            assert_int_equal(graze_check(checker, ws, GRAZE_ANSWER_ALL, q + i, 1, NULL, &all, NULL),
                             GRAZE_OK);
            if (verdicts[i] != want[i] || one.verdict != want[i] || all.verdict != want[i])
                fail_msg("%s, lifted by %g: %d, in a batch %d, one by one %d, all %d", what,
                         lifts[i], want[i], verdicts[i], one.verdict, all.verdict);
        }
    }
    graze_workspace_free(ws);
}

/// All answers, of an object that begins at z = `end` over the middle of the cup. Lifted so far
/// that the end is in the cup, and not through its bottom, it collides under `cap` alone.
static void lift(const graze_robot *robot, const graze_world *world, double end, const char *what) {
    double q[LIFTS];
    for (size_t i = 0; i < LIFTS; i++) q[i] = end + lifts[i];
    for (int cap = 0; cap < 2; cap++) {
        graze_checker_options options = graze_checker_options_default();
        options.policy = cap ? GRAZE_POLICY_CAP : GRAZE_POLICY_SOLID;
        graze_checker *checker;
        assert_int_equal(graze_checker_create(&checker, robot, world, &options, NULL), GRAZE_OK);
        uint8_t want[LIFTS];
        for (size_t i = 0; i < LIFTS; i++)
            want[i] = cap && lifts[i] > 0 ? GRAZE_COLLISION : GRAZE_FREE;
        query(checker, q, what, want);
        graze_checker_free(checker);
    }
}

static graze_world *open_world(void) {
    graze_world *world;
    assert_int_equal(graze_world_create(&world, "w", NULL), GRAZE_OK);
    return world;
}

static void close_world(graze_world *world, const graze_robot *robot, double end,
                        const char *what) {
    assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
    lift(robot, world, end, what);
    graze_world_free(world);
}

static void add(graze_world *world, maker *m) {
    graze_error error;
    if (graze_world_add_mesh(world, "scene", m->v, m->nv, m->t, m->nt, NULL, &error))
        fail_msg("%s", error.message);
    maker_free(m);
}

/// A rod of half the length `half` that ends at z = 1.
static void make_rod(maker *m, double half) {
    maker_box(m, (double[3]){0, 0, 1 + half}, (double[3]){0.005, 0.005, half});
}

static void an_object_through_the_opening_of_a_capped_link_collides(void **state) {
    (void)state;
    for (int beside = 0; beside < 2; beside++) {
        graze_robot *robot = load_cup(beside);
        for (double half = 0.02; half < 6; half *= 4) {
            graze_world *world = open_world();
            const double size[3] = {0.04, 0.04, 2 * half}, xyz[3] = {0, 0, 1 + half}, rpy[3] = {0};
            graze_transform pose = graze_transform_from_xyz_rpy(xyz, rpy);
            assert_int_equal(graze_world_add_box(world, "rod", size, &pose, NULL), GRAZE_OK);
            close_world(world, robot, 1, "a rod");
        }
        // One component is in the cup, and the other not.
        maker m = {0};
        make_rod(&m, 0.02);
        maker_box(&m, (double[3]){0, 0, 5}, (double[3]){0.2, 0.1, 0.1});
        graze_world *world = open_world();
        add(world, &m);
        close_world(world, robot, 1, "two boxes");
        graze_robot_free(robot);
    }
}

/// Rods of every length, in a hall of few triangles, or beside boxes so many that the scene has a
/// map, fine enough to tell that the cup's wall is clear; shorter than the others, or not.
static void a_component_of_a_scene_through_the_opening_of_a_capped_link_collides(void **state) {
    (void)state;
    graze_robot *robot = load_cup(false);
    for (double half = 0.02; half < 6; half *= TRIALS(4, 64))
        for (int kind = 0; kind < 3; kind++) {
            maker m = {0};
            if (kind == 0) { // inside and outside of its walls
                maker_box(&m, (double[3]){0, 0, 0}, (double[3]){14, 14, 14});
                maker_flip(&m, 0);
                maker_box(&m, (double[3]){0, 0, 0}, (double[3]){15, 15, 15});
            }
            make_rod(&m, half);
            for (int i = 0; kind > 0 && i < 1700; i++)
                maker_box(&m, (double[3]){4 + 0.06 * (i % 40), 0.1 * (double)(i / 40) - 2.1, 1},
                          (double[3]){0.01, 0.01, kind == 1 ? 0.01 : 3});
            graze_world *world = open_world();
            add(world, &m);
            close_world(world, robot, 1, kind ? "a rod in a scene" : "a rod in a hall");
        }
    graze_robot_free(robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_object_through_the_opening_of_a_capped_link_collides),
        cmocka_unit_test(a_component_of_a_scene_through_the_opening_of_a_capped_link_collides),
    };
    return cmocka_run_group_tests_name("capped_link", tests, NULL, NULL);
}
