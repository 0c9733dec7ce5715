// Batches in large scenes: the same verdicts as one at a time, also for what lies inside of what.

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

#define ROWS TRIALS(400, 100)

/// A ball of radius 0.3 on three sliding joints.
static const char urdf[] =
    "<robot name='r'><link name='base'/>"
    "<link name='x'/><link name='y'/><link name='ball'><collision><geometry>"
    "<mesh filename='ball.stl'/></geometry></collision></link>"
    "<joint name='jx' type='prismatic'><parent link='base'/><child link='x'/><axis xyz='1 0 0'/>"
    "<limit lower='-3' upper='3' effort='1' velocity='1'/></joint>"
    "<joint name='jy' type='prismatic'><parent link='x'/><child link='y'/><axis xyz='0 1 0'/>"
    "<limit lower='-3' upper='3' effort='1' velocity='1'/></joint>"
    "<joint name='jz' type='prismatic'><parent link='y'/><child link='ball'/><axis xyz='0 0 1'/>"
    "<limit lower='-3' upper='3' effort='1' velocity='1'/></joint></robot>";

static void write_stl(const char *path, const maker *m) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("solid ball\n", f);
    for (size_t t = 0; t < m->nt; t++) {
        fputs("facet normal 0 0 0\nouter loop\n", f);
        for (int k = 0; k < 3; k++) {
            const double *v = m->v + 3 * (size_t)m->t[3 * t + (size_t)k];
            fprintf(f, "vertex %.17g %.17g %.17g\n", v[0], v[1], v[2]);
        }
        fputs("endloop\nendfacet\n", f);
    }
    fputs("endsolid ball\n", f);
    assert_int_equal(fclose(f), 0);
}

static graze_robot *load_ball(void) {
    char folder[] = "/tmp/graze-scene-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/ball.stl", folder);
    maker m = {0};
    maker_sphere(&m, (double[3]){0, 0, 0}, 0.3, 12, 16);
    write_stl(path, &m);
    maker_free(&m);
    graze_robot *robot = NULL;
    graze_error error;
    if (graze_robot_load_urdf_memory(&robot, urdf, sizeof urdf - 1, "ball", folder, NULL, &error))
        fail_msg("%s", error.message);
    unlink(path);
    rmdir(folder);
    return robot;
}

static void reverse_from(maker *m, size_t first) {
    for (size_t t = first; t < m->nt; t++) {
        uint32_t *c = m->t + 3 * t, keep = c[1];
        c[1] = c[2];
        c[2] = keep;
    }
}

static void compare_rows(const graze_robot *robot, const graze_world *world, graze_policy policy,
                         const double *q, uint8_t *verdicts) {
    graze_checker_options options = graze_checker_options_default();
    options.policy = policy;
    graze_checker *checker;
    graze_workspace *ws;
    assert_int_equal(graze_checker_create(&checker, robot, world, &options, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&ws, checker, NULL), GRAZE_OK);
    graze_batch batch = graze_batch_default();
    batch.count = ROWS;
    batch.q = q;
    batch.verdicts = verdicts;
    assert_int_equal(graze_check_batch(checker, &batch, NULL), GRAZE_OK);
    for (size_t i = 0; i < ROWS; i++) {
        graze_contact contact;
        graze_report first = {.contacts = &contact, .capacity = 1},
                     any = {.verdict = GRAZE_UNKNOWN};
        assert_int_equal(
            graze_check(checker, ws, GRAZE_ANSWER_FIRST, q + 3 * i, 3, NULL, &first, NULL),
            GRAZE_OK);
        assert_int_equal(graze_check(checker, ws, GRAZE_ANSWER_ANY, q + 3 * i, 3, NULL, &any, NULL),
                         GRAZE_OK);
        assert_int_equal(any.verdict, first.verdict);
        assert_int_equal(verdicts[i], first.verdict);
    }
    graze_workspace_free(ws);
    graze_checker_free(checker);
}

/// Verdicts of random rows in a world of one mesh; row 0 is at the origin.
static void check_rows(maker *m, graze_policy policy, uint8_t *verdicts) {
    graze_robot *robot = load_ball();
    graze_world *world;
    assert_int_equal(graze_world_create(&world, "w", NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_mesh(world, "scene", m->v, m->nv, m->t, m->nt, NULL, NULL),
                     GRAZE_OK);
    assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
    maker_free(m);
    gz_random random = gz_random_make(11, 0);
    static double q[3 * ROWS];
    for (size_t i = 3; i < 3 * ROWS; i++) q[i] = gz_random_range(&random, -2.5, 2.5);
    compare_rows(robot, world, policy, q, verdicts);
    graze_world_free(world);
    graze_robot_free(robot);
}

static void a_link_in_a_large_solid_collides_in_a_batch(void **state) {
    (void)state;
    uint8_t verdicts[ROWS];
    for (int solid = 0; solid < 2; solid++) {
        maker m = {0};
        maker_sphere(&m, (double[3]){0, 0, 0}, 2, 100, 120);
        check_rows(&m, solid ? GRAZE_POLICY_SOLID : GRAZE_POLICY_SURFACE, verdicts);
        assert_int_equal(verdicts[0], solid ? GRAZE_COLLISION : GRAZE_FREE);
    }
}

static void a_link_in_a_cavity_is_free_however_it_is_asked(void **state) {
    (void)state;
    uint8_t verdicts[ROWS];
    for (int fine = 0; fine < 2;
         fine++) { // with a map of clearances, and with one of what is inside
        maker m = {0};
        maker_sphere(&m, (double[3]){0, 0, 0}, 2, fine ? 100 : 20, fine ? 120 : 24);
        size_t first = m.nt;
        maker_sphere(&m, (double[3]){0, 0, 0}, 1.5, 20, 24);
        reverse_from(&m, first);
        check_rows(&m, GRAZE_POLICY_SOLID, verdicts);
        assert_int_equal(verdicts[0], GRAZE_FREE);
    }
}

static void a_mesh_in_a_solid_link_collides_in_a_batch(void **state) {
    (void)state;
    uint8_t verdicts[ROWS];
    for (int solid = 0; solid < 2; solid++) {
        maker m = {0};
        maker_sphere(&m, (double[3]){0, 0, 0}, 0.05, 100, 120);
        maker_sphere(&m, (double[3]){2, 2, 2}, 0.1, 8, 8); // so that the map is coarse
        check_rows(&m, solid ? GRAZE_POLICY_SOLID : GRAZE_POLICY_SURFACE, verdicts);
        assert_int_equal(verdicts[0], solid ? GRAZE_COLLISION : GRAZE_FREE);
    }
}

static void clutter_gives_the_verdicts_of_single_rows(void **state) {
    (void)state;
    uint8_t verdicts[ROWS];
    for (int policy = 0; policy < 3; policy++) {
        static const graze_policy policies[] = {GRAZE_POLICY_SURFACE, GRAZE_POLICY_SOLID,
                                                GRAZE_POLICY_CAP};
        maker m = {0};
        gz_random random = gz_random_make(12, 0);
        for (int i = 0; i < 100; i++) {
            double at[3];
            for (int k = 0; k < 3; k++) at[k] = gz_random_range(&random, -2.5, 2.5);
            maker_sphere(&m, at, gz_random_range(&random, 0.05, 0.4), 12, 16);
            if (i % 5 == 0) m.nt -= 20; // open
        }
        check_rows(&m, policies[policy], verdicts);
        size_t hits = 0;
        for (size_t i = 0; i < ROWS; i++) hits += verdicts[i] == GRAZE_COLLISION;
        assert_true(hits > ROWS / 10 && hits < ROWS);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_link_in_a_large_solid_collides_in_a_batch),
        cmocka_unit_test(a_link_in_a_cavity_is_free_however_it_is_asked),
        cmocka_unit_test(a_mesh_in_a_solid_link_collides_in_a_batch),
        cmocka_unit_test(clutter_gives_the_verdicts_of_single_rows),
    };
    return cmocka_run_group_tests_name("batch_scene", tests, NULL, NULL);
}
