// Cylinders far wider than tall, far from the origin: rounding the ends of a short axis turns its
// rims, away from where bounds that were posed with the link, or the object, say that they are.
// What the shapes themselves do at the same poses is the reference.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "graze/graze.h"
#include "narrow/shape_pair.h"

/// A coin, how far from the origin it is, and how far above it the small box hovers at most.
typedef struct coin {
    double radius, length, away, gap;
} coin;

static const coin coins[] = {
    {1, 1e-4, 100, 1e-9}, {0.5, 1e-3, 1000, 2e-10}, {1, 1e-5, 1e4, 2e-7}, {1, 0.02, 1e6, 1e-8}};

static bool shapes_overlap(const gz_shape *a, const graze_transform *pose_a, const gz_shape *b,
                           const graze_transform *pose_b) {
    gz_shape_rule rule = {.kernels = gz_kernels_choose()};
    gz_shape_contact meeting;
    graze_stats stats = {0};
    return gz_shapes_collide(a, pose_a->m, b, pose_b->m, &rule, &meeting, &stats);
}

static gz_shape make_cylinder(const coin *c) {
    gz_shape s;
    graze_transform one = graze_transform_identity();
    assert_int_equal(
        gz_shape_primitive(&s, GRAZE_SHAPE_CYLINDER, NULL, c->radius, c->length, &one, NULL),
        GRAZE_OK);
    return s;
}

/// A box of a hundredth of the coin's radius, on each side.
static gz_shape make_box(const coin *c, const graze_transform *origin) {
    double edge = 0.01 * c->radius, size[3] = {edge, edge, edge};
    gz_shape s;
    assert_int_equal(gz_shape_primitive(&s, GRAZE_SHAPE_BOX, size, 0, 0, origin, NULL), GRAZE_OK);
    return s;
}

/// Two links that turn about one axis, one by one; the coin is on the first, and the box, on the
/// second, slides along the axis. A small ball on a link far off keeps them from being neighbours.
static graze_robot *make_robot(const coin *c, const graze_transform *origin) {
    char text[4000];
    double edge = 0.01 * c->radius;
    int used = snprintf(
        text, sizeof text,
        "<robot name='c'><link name='base'/><link name='disc'><collision><geometry>"
        "<cylinder radius='%.17g' length='%.17g'/></geometry></collision></link>"
        "<link name='g'/><link name='h'><collision><origin xyz='0 0 -50'/><geometry>"
        "<sphere radius='0.01'/></geometry></collision></link><link name='m'/><link name='b'>"
        "<collision><origin xyz='%.17g 0 %.17g'/><geometry><box size='%.17g %.17g %.17g'/>"
        "</geometry></collision></link>"
        "<joint name='j' type='continuous'><origin rpy='0.3 0.4 0.5'/><parent link='base'/>"
        "<child link='g'/><axis xyz='1 0 0'/></joint>"
        "<joint name='jd' type='continuous'><parent link='g'/><child link='disc'/>"
        "<axis xyz='0 0 1'/></joint>"
        "<joint name='jh' type='continuous'><parent link='g'/><child link='h'/>"
        "<axis xyz='0 0 1'/></joint>"
        "<joint name='k' type='continuous'><parent link='h'/><child link='m'/>"
        "<axis xyz='0 0 1'/></joint>"
        "<joint name='s' type='prismatic'><parent link='m'/><child link='b'/><axis xyz='0 0 1'/>"
        "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint></robot>",
        c->radius, c->length, origin->m[3], origin->m[11], edge, edge, edge);
    graze_robot *robot;
    graze_error error;
    assert_true(used > 0 && (size_t)used < sizeof text);
    if (graze_robot_load_urdf_memory(&robot, text, (size_t)used, "c", NULL, NULL, &error))
        fail_msg("%s", error.message);
    return robot;
}

/// A configuration of that robot.
static void draw(const graze_robot *robot, const coin *c, gz_random *r, double q[5],
                 double base[6]) {
    for (size_t i = 0; i < 5; i++) {
        const char *name = graze_robot_q_name(robot, i);
        q[i] = !strcmp(name, "s") ? c->gap * gz_random_unit(r) : gz_random_range(r, -3, 3);
        if (!strcmp(name, "jd") || !strcmp(name, "jh")) q[i] = 0;
    }
    for (int k = 0; k < 6; k++) base[k] = k < 3 ? c->away * gz_random_unit(r) : 0;
}

/// The verdict of one by one and of a batch, which must be one.
static graze_verdict query(const graze_checker *checker, graze_workspace *workspace,
                           const double *q, size_t q_count, const double base[6]) {
    graze_report report = {0};
    uint8_t verdict;
    graze_batch batch = graze_batch_default();
    assert_int_equal(
        graze_check(checker, workspace, GRAZE_ANSWER_ANY, q, q_count, base, &report, NULL),
        GRAZE_OK);
    batch.count = 1;
    batch.q = q;
    batch.base = base;
    batch.verdicts = &verdict;
    assert_int_equal(graze_check_batch(checker, &batch, NULL), GRAZE_OK);
    assert_int_equal(verdict, report.verdict);
    return report.verdict;
}

static void test_a_flat_link_is_free_only_where_its_shape_is(void **state) {
    (void)state;
    gz_random r = gz_random_make(5, 5);
    for (size_t i = 0; i < sizeof coins / sizeof *coins; i++) {
        const coin *c = &coins[i];
        const double at[3] = {0.97 * c->radius, 0, c->length / 2 + 0.005 * c->radius},
                     straight[3] = {0, 0, 0};
        graze_transform origin = graze_transform_from_xyz_rpy(at, straight), links[6];
        graze_robot *robot = make_robot(c, &origin);
        gz_shape disc = make_cylinder(c), box = make_box(c, &origin);
        graze_checker *checker;
        graze_workspace *workspace;
        assert_int_equal(graze_checker_create(&checker, robot, NULL, NULL, NULL), GRAZE_OK);
        assert_int_equal(graze_workspace_create(&workspace, checker, NULL), GRAZE_OK);
        int met = 0;
        for (int n = 0; n < 3000; n++) {
            double q[5], base[6];
            draw(robot, c, &r, q, base);
            assert_int_equal(graze_robot_link_count(robot), 6);
            assert_int_equal(graze_robot_pose(robot, q, 5, base, links, NULL), GRAZE_OK);
            bool overlap = shapes_overlap(&disc, &links[graze_robot_find_link(robot, "disc")], &box,
                                          &links[graze_robot_find_link(robot, "b")]);
            met += overlap;
            if (overlap) assert_int_equal(query(checker, workspace, q, 5, base), GRAZE_COLLISION);
        }
        assert_true(met > 20);
        graze_workspace_free(workspace);
        graze_checker_free(checker);
        graze_robot_free(robot);
        gz_shape_clear(&disc);
        gz_shape_clear(&box);
    }
}

static const coin flat_coins[] = {
    {1, 1e-4, 1e6, 1e-6}, {1, 1e-5, 1e4, 1e-7}, {0.5, 0.01, 1e6, 1e-8}};

static graze_robot *make_box_robot(const coin *c) {
    char text[500];
    double edge = 0.01 * c->radius;
    int used = snprintf(text, sizeof text,
                        "<robot name='c'><link name='b'><collision><geometry>"
                        "<box size='%.17g %.17g %.17g'/></geometry></collision></link></robot>",
                        edge, edge, edge);
    graze_robot *robot;
    assert_int_equal(
        graze_robot_load_urdf_memory(&robot, text, (size_t)used, "c", NULL, NULL, NULL), GRAZE_OK);
    return robot;
}

/// One place of the coin in a world, and the box around its rim. Returns how often they met.
static int check_flat_coin(const coin *c, const graze_robot *robot, const gz_shape *disc,
                           const gz_shape *box, gz_random *r) {
    double xyz[3], rpy[3];
    for (int k = 0; k < 3; k++) {
        xyz[k] = c->away * gz_random_unit(r);
        rpy[k] = gz_random_range(r, -1, 1);
    }
    graze_transform pose = graze_transform_from_xyz_rpy(xyz, rpy);
    graze_world *world;
    graze_checker *checker;
    graze_workspace *workspace;
    assert_int_equal(graze_world_create(&world, "w", NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_cylinder(world, "o", c->radius, c->length, &pose, NULL),
                     GRAZE_OK);
    assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
    assert_int_equal(graze_checker_create(&checker, robot, world, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_workspace_create(&workspace, checker, NULL), GRAZE_OK);
    int met = 0;
    for (int i = 0; i < 20; i++) {
        double angle = gz_random_range(r, -3, 3), rim = 0.97 * c->radius;
        graze_vec3 at = {rim * cos(angle), rim * sin(angle),
                         c->length / 2 + 0.005 * c->radius + c->gap * gz_random_unit(r)};
        graze_vec3 v = graze_transform_point(&pose, at);
        double base[6] = {v.x, v.y, v.z, rpy[0], rpy[1], rpy[2]};
        graze_transform from = graze_transform_from_xyz_rpy(base, rpy);
        bool overlap = shapes_overlap(box, &from, disc, &pose);
        met += overlap;
        if (overlap) assert_int_equal(query(checker, workspace, NULL, 0, base), GRAZE_COLLISION);
    }
    graze_workspace_free(workspace);
    graze_checker_free(checker);
    graze_world_free(world);
    return met;
}

static void test_a_flat_object_is_free_only_where_its_shape_is(void **state) {
    (void)state;
    gz_random r = gz_random_make(6, 5);
    for (size_t i = 0; i < sizeof flat_coins / sizeof *flat_coins; i++) {
        graze_transform one = graze_transform_identity();
        graze_robot *robot = make_box_robot(&flat_coins[i]);
        gz_shape disc = make_cylinder(&flat_coins[i]), box = make_box(&flat_coins[i], &one);
        int met = 0;
        for (int n = 0; n < 150; n++)
            met += check_flat_coin(&flat_coins[i], robot, &disc, &box, &r);
        assert_true(met > 100);
        graze_robot_free(robot);
        gz_shape_clear(&disc);
        gz_shape_clear(&box);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_flat_link_is_free_only_where_its_shape_is),
        cmocka_unit_test(test_a_flat_object_is_free_only_where_its_shape_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
