// Level `bounds` against clouds of points: the verdict and the point are those of as many spheres,
// each an object of its own.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "graze/graze.h"

static const char urdf[] =
    "<robot name='r'><link name='a'/><link name='b'><collision><origin xyz='0.25 0 0.5'/><geometry>"
    "<box size='1 0.5 0.25'/></geometry></collision></link><joint name='j' type='prismatic'>"
    "<parent link='a'/><child link='b'/><axis xyz='1 0 0'/><limit lower='-9' upper='9' effort='1' "
    "velocity='1'/></joint></robot>";

typedef struct asker {
    graze_world *world;
    graze_checker *checker;
    graze_workspace *workspace;
} asker;

static void open_asker(asker *a, const graze_robot *robot, double margin) {
    graze_checker_options options = graze_checker_options_default();
    options.level = GRAZE_LEVEL_BOUNDS;
    options.margin = margin;
    assert_int_equal(graze_world_commit(a->world, NULL), GRAZE_OK);
    assert_int_equal(graze_checker_create(&a->checker, robot, a->world, &options, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&a->workspace, a->checker, NULL), GRAZE_OK);
}

static void close_asker(asker *a) {
    graze_workspace_free(a->workspace);
    graze_checker_free(a->checker);
    graze_world_free(a->world);
}

static bool query(const asker *a, const double base[6], graze_contact *contact,
                  graze_stats *stats) {
    const double q = 0;
    graze_report report = {.contacts = contact, .capacity = 1};
    assert_int_equal(
        graze_check(a->checker, a->workspace, GRAZE_ANSWER_FIRST, &q, 1, base, &report, NULL),
        GRAZE_OK);
    *stats = report.stats;
    return report.verdict == GRAZE_COLLISION;
}

static graze_world *make_world(void) {
    graze_world *world;
    assert_int_equal(graze_world_create(&world, "w", NULL), GRAZE_OK);
    return world;
}

enum { MOST = 60 };

/// Lattice places let faces and balls touch just so; others lie anywhere.
static size_t draw_points(gz_random *r, bool lattice, double points[3 * MOST]) {
    size_t count = 1 + gz_random_below(r, MOST);
    for (size_t i = 0; i < 3 * count; i++)
        points[i] = lattice ? ((double)gz_random_below(r, 49) - 24) / 16
                            : gz_random_range(r, -1.5, 1.5);
    return count;
}

static void test_points_are_as_many_spheres(void **state) {
    (void)state;
    graze_robot *robot;
    assert_int_equal(
        graze_robot_load_urdf_memory(&robot, urdf, strlen(urdf), "r", NULL, NULL, NULL), GRAZE_OK);
    size_t hits = 0, rounds = 600;
    for (size_t round = 0; round < rounds; round++) {
        gz_random r = gz_random_make(3, round);
        bool lattice = round % 2;
        double points[3 * MOST], base[6] = {0}, radius = lattice ? 0x1p-4 : 0.03;
        size_t count = draw_points(&r, lattice, points);
        asker cloud = {.world = make_world()}, balls = {.world = make_world()};
        assert_int_equal(
            graze_world_add_points(cloud.world, "points", points, count, radius, NULL, NULL),
            GRAZE_OK);
        for (size_t i = 0; i < count; i++) {
            char name[16];
            graze_transform pose = graze_transform_identity();
            snprintf(name, sizeof name, "%zu", i);
            for (size_t k = 0; k < 3; k++) pose.m[4 * k + 3] = points[3 * i + k];
            assert_int_equal(graze_world_add_sphere(balls.world, name, radius, &pose, NULL),
                             GRAZE_OK);
        }
        double margin = round % 3 ? 0 : 0x1p-5;
        open_asker(&cloud, robot, margin);
        open_asker(&balls, robot, margin);
        for (size_t k = 0; k < 6 && !lattice; k++) base[k] = gz_random_range(&r, -1, 1);
        graze_contact one, other;
        graze_stats stats;
        bool hit = query(&cloud, base, &one, &stats);
        assert_int_equal(hit, query(&balls, base, &other, &stats));
        if (hit) assert_int_equal(one.other_element, other.other);
        hits += hit;
        close_asker(&cloud);
        close_asker(&balls);
    }
    graze_robot_free(robot);
    assert_in_range(hits, rounds / 10, 9 * rounds / 10);
}

static void test_large_clouds_are_not_looked_through(void **state) {
    (void)state;
    enum { SIDE = 300 };
    graze_robot *robot;
    assert_int_equal(
        graze_robot_load_urdf_memory(&robot, urdf, strlen(urdf), "r", NULL, NULL, NULL), GRAZE_OK);
    double *points = malloc(SIDE * SIDE * 3 * sizeof *points);
    assert_non_null(points);
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        points[3 * i] = 0.02 * (double)(i % SIDE) - 2.99;
        points[3 * i + 1] = 0.02 * (double)(i / SIDE) - 2.99;
        points[3 * i + 2] = 0.4; // the box begins at 0.375
    }
    asker cloud = {.world = make_world()};
    assert_int_equal(
        graze_world_add_points(cloud.world, "points", points, SIDE * SIDE, 0.01, NULL, NULL),
        GRAZE_OK);
    open_asker(&cloud, robot, 0);
    double base[6] = {0};
    graze_contact contact;
    graze_stats stats;
    assert_true(query(&cloud, base, &contact, &stats));
    // The lowest of those that meet it: the first column of the first row in reach.
    const double *p = points + 3 * (size_t)contact.other_element;
    assert_true(fabs(p[0] + 0.25) < 1e-9 && fabs(p[1] + 0.25) < 1e-9);
    assert_true(stats.node_tests < 200);
    base[2] = 1;
    assert_false(query(&cloud, base, &contact, &stats));
    assert_true(stats.node_tests < 10);
    close_asker(&cloud);
    graze_robot_free(robot);
    free(points);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_are_as_many_spheres),
        cmocka_unit_test(test_large_clouds_are_not_looked_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
