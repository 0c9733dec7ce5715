// Rough least distances of links from each other: the gaps that prove hulls apart where they are
// tight, points where they are nearest, and bounds against the least distance, of links of all
// kinds, one inside of another too.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "distance/distance_internal.h"
#include "graze/graze.h"
#include "math/transform.h"
#include "unit/mesh/mesh_maker.h"
#include "unit/trials.h"

// ------------------------------------------------------------------------------------------ planes

enum { STACKS = 7, SLICES = 12, ROUND = 2 + (STACKS - 1) * SLICES };

/// A ball, or a plate where `flat` is 0.
static maker make_round(double radius, double flat) {
    maker out = {0};
    maker_sphere(&out, (const double[3]){0, 0, 0}, radius, STACKS, SLICES);
    assert_int_equal(out.nv, ROUND);
    for (size_t i = 0; i < out.nv; i++) out.v[3 * i + 2] *= flat;
    return out;
}

static graze_mesh *finish(maker *m) {
    graze_mesh *mesh = maker_finish(m);
    assert_non_null(mesh->proxy);
    return mesh;
}

/// The greatest distance that a plane proves of two meshes.
static double most_proved(const gz_distance_kernels *kernels, const gz_hull_search *search) {
    double low = 0, high = 10;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        gz_hull_search again = *search;
        if (kernels->hulls_apart(&again, (float)middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/// A ball or a plate whose frame is turned against it, and the pose that turns it back.
static graze_mesh *make_turned(gz_random *random, double flat, const graze_transform *pose,
                               double out[12]) {
    maker m = make_round(0.3, flat);
    const graze_transform turn = maker_pose(random, 0);
    double back[12] = {0};
    for (size_t i = 0; i < m.nv; i++) {
        const double v[3] = {m.v[3 * i], m.v[3 * i + 1], m.v[3 * i + 2]};
        gz_transform_rotate(turn.m, v, m.v + 3 * i);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) back[4 * i + j] = turn.m[4 * j + i];
    gz_transform_compose(pose->m, back, out);
    return finish(&m);
}

/// Two plates, one over the other, or two balls, pole to pole: the gap is known. Across it a plane
/// proves nearly all of it, from where a search from another direction ends no more.
static void plane_holds_up_to_the_gap(const gz_distance_kernels *kernels, gz_random *random) {
    const double gap = 0.2 * pow(10, -4 * gz_random_unit(random)),
                 flat = gz_random_below(random, 2),
                 across = (1 - flat) * gz_random_range(random, -0.2, 0.2);
    graze_transform at[2] = {maker_pose(random, 5)};
    double pose[2][12];
    graze_mesh *mesh[2];
    at[1] = at[0];
    for (int k = 0; k < 3; k++) {
        at[1].m[4 * k + 3] = at[0].m[4 * k + 3] + at[0].m[4 * k] * across -
                             at[0].m[4 * k + 2] * (gap + 0.6 * flat);
    }
    for (int k = 0; k < 2; k++) mesh[k] = make_turned(random, flat, &at[k], pose[k]);
    gz_proxy_pair pair;
    gz_hull_search search;
    float way[3] = {0};
    gz_proxy_pair_prepare(&pair, mesh[0], pose[0], mesh[1], pose[1], 0);
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++) way[k] += (float)(pose[1][4 * j + k] * at[0].m[4 * j + 2]);
    gz_hull_begin(&search, mesh[0], mesh[1], (const float(*)[3])pair.r, pair.t, pair.pad, way);
    double most = most_proved(kernels, &search);
    assert_true(most <= gap && most > gap * (1 - 1e-5) - 5 * (double)pair.pad);
    way[0] += 0.3f;
    gz_hull_begin(&search, mesh[0], mesh[1], (const float(*)[3])pair.r, pair.t, pair.pad, way);
    kernels->hull_gap(&search, 1e30f, 1e-3f);
    most = most_proved(kernels, &search);
    assert_true(most <= gap && (gap < 0.05 || most > 0.99 * gap));
    for (int k = 0; k < 2; k++) graze_mesh_free(mesh[k]);
}

static void test_a_plane_proves_no_more_than_the_gap(void **state) {
    (void)state;
    gz_random random = gz_random_make(5, 0);
    for (int i = 0; i < TRIALS(300, 60); i++) {
        plane_holds_up_to_the_gap(&gz_distance_kernels_base, &random);
        plane_holds_up_to_the_gap(gz_distance_kernels_choose(), &random);
    }
}

/// The distance of two hulls of so many points each, from above: that of two points of them
/// (Gilbert 1966, "An iterative procedure for computing the minimum of a quadratic form on a convex
/// set").
static double distance_above(double (*const p[2])[3], int count) {
    double at[2][3], way[3], least = INFINITY;
    memcpy(at[0], p[0][0], sizeof at[0]);
    memcpy(at[1], p[1][0], sizeof at[1]);
    for (int step = 0; step < 3000; step++) {
        const double *end[2] = {p[0][0], p[1][0]};
        double d[3], dd = 0, wd = 0;
        gz_subtract(at[0], at[1], way);
        least = fmin(least, gz_norm(way));
        for (int i = 1; i < count; i++) {
            if (gz_dot(p[0][i], way) < gz_dot(end[0], way)) end[0] = p[0][i];
            if (gz_dot(p[1][i], way) > gz_dot(end[1], way)) end[1] = p[1][i];
        }
        for (int k = 0; k < 3; k++) {
            d[k] = way[k] - (end[0][k] - end[1][k]);
            dd += d[k] * d[k];
            wd += way[k] * d[k];
        }
        if (!(wd > 0)) break;
        const double t = fmin(wd / dd, 1);
        for (int side = 0; side < 2; side++)
            for (int k = 0; k < 3; k++) at[side][k] += t * (end[side][k] - at[side][k]);
    }
    return least;
}

/// A ball with a rough surface, of which not all corners are support points; and its corners
/// placed.
static graze_mesh *make_rough_ball(gz_random *random, const graze_transform *pose,
                                   double placed[ROUND][3]) {
    maker m = make_round(0.3, 1);
    for (size_t i = 0; i < 3 * m.nv; i++) m.v[i] *= 1 + 0.1 * gz_random_unit(random);
    for (size_t i = 0; i < m.nv; i++) gz_transform_apply(pose->m, m.v + 3 * i, placed[i]);
    return finish(&m);
}

/// No plane proves more than there is, and one proves nearly all, mostly.
static void test_planes_count_vertices_that_are_no_support_points(void **state) {
    (void)state;
    gz_random random = gz_random_make(9, 0);
    const gz_distance_kernels *kernels = gz_distance_kernels_choose();
    int tight = 0, trials = TRIALS(400, 80);
    for (int i = 0; i < trials; i++) {
        graze_transform pose[2] = {maker_pose(&random, 0), maker_pose(&random, 0)};
        graze_mesh *mesh[2];
        double placed[2][ROUND][3], local[3];
        const double back[3] = {-1, 0, 0};
        gz_proxy_pair pair;
        gz_hull_search search;
        pose[1].m[3] = 1;
        for (int k = 0; k < 2; k++) mesh[k] = make_rough_ball(&random, &pose[k], placed[k]);
        gz_proxy_pair_prepare(&pair, mesh[0], pose[0].m, mesh[1], pose[1].m, 0);
        gz_transform_unrotate(pose[1].m, back, local);
        const float way[3] = {(float)local[0], (float)local[1], (float)local[2]};
        gz_hull_begin(&search, mesh[0], mesh[1], (const float(*)[3])pair.r, pair.t, pair.pad, way);
        if (i % 2) kernels->hull_gap(&search, 1e30f, 0.005f);
        double most = most_proved(kernels, &search),
               above = distance_above((double(*const[2])[3]){placed[0], placed[1]}, ROUND);
        assert_true(most <= above);
        tight += most > 0.99 * above;
        for (int k = 0; k < 2; k++) graze_mesh_free(mesh[k]);
    }
    assert_true(tight > trials * 9 / 10);
}

/// Two rough balls beside each other, and the search between their hulls.
typedef struct two_balls {
    graze_transform pose[2];
    graze_mesh *mesh[2];
    gz_hull_search search;
} two_balls;

static void make_two_balls(two_balls *out, gz_random *random) {
    double placed[ROUND][3];
    gz_proxy_pair pair;
    for (int k = 0; k < 2; k++) {
        out->pose[k] = maker_pose(random, 0);
        out->pose[k].m[3] = k * gz_random_range(random, 0.75, 1.5);
        out->mesh[k] = make_rough_ball(random, &out->pose[k], placed);
    }
    gz_proxy_pair_prepare(&pair, out->mesh[0], out->pose[0].m, out->mesh[1], out->pose[1].m, 0);
    gz_hull_begin(&out->search, out->mesh[0], out->mesh[1], (const float(*)[3])pair.r, pair.t,
                  pair.pad, (const float[3]){1, 0, 0});
}

/// The distance of the two triangles, from above.
static double triangles_above(const two_balls *b, const uint32_t triangle[2]) {
    double placed[2][3][3];
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < 3; i++)
            gz_transform_apply(b->pose[k].m, gz_mesh_corner(b->mesh[k], triangle[k], i),
                               placed[k][i]);
    return distance_above((double(*const[2])[3]){placed[0], placed[1]}, 3);
}

/// Points of two triangles are no nearer to each other than the triangles are, and mostly about as
/// near; both instruction sets.
static void test_points_of_hulls_are_no_nearer_than_their_triangles(void **state) {
    (void)state;
    gz_random random = gz_random_make(21, 0);
    const gz_distance_kernels *kernels[] = {&gz_distance_kernels_base,
                                            gz_distance_kernels_choose()};
    int tight = 0, trials = TRIALS(600, 120);
    for (int i = 0; i < trials; i++) {
        two_balls b;
        uint32_t triangle[2];
        make_two_balls(&b, &random);
        const double gap = (double)kernels[i % 2]->hull_gap(&b.search, 1e30f, 0.05f);
        assert_true(gap > 0);
        const double upper = (double)kernels[i % 2]->hull_upper(&b.search, 0, triangle),
                     distance = triangles_above(&b, triangle);
        assert_true(upper >= distance);
        tight += upper < distance + 1e-4;
        for (int k = 0; k < 2; k++) graze_mesh_free(b.mesh[k]);
    }
    print_message("%d of %d are about as near\n", tight, trials);
    assert_true(tight > trials / 2);
}

// ------------------------------------------------------------------------------------------ robots

enum { LINKS = 6 };

/// A ball, one that others fit into, a plate, a box, a capsule: meshes but for the last two.
static void add_shape(graze_robot_builder *b, const char *link, gz_random *random) {
    const uint32_t kind = gz_random_below(random, 5);
    const double size = gz_random_range(random, 0.04, 0.12);
    maker m = make_round(kind == 1 ? 4 * size : size, kind == 2 ? 0 : 1);
    graze_geometry g = {.shape = GRAZE_SHAPE_MESH,
                        .vertices = m.v,
                        .vertex_count = m.nv,
                        .triangles = m.t,
                        .triangle_count = m.nt};
    if (kind == 3)
        g = (graze_geometry){.shape = GRAZE_SHAPE_BOX, .size = {size, 2 * size, 0.5 * size}};
    if (kind == 4)
        g = (graze_geometry){.shape = GRAZE_SHAPE_CAPSULE, .radius = size, .length = 0.2};
    const graze_transform off = {{1, 0, 0, 0.1, 0, 1, 0, 0, 0, 0, 1, 0.05}};
    assert_int_equal(graze_robot_builder_collision(b, link, &off, &g, NULL), GRAZE_OK);
    maker_free(&m);
}

/// Links on joints that follow each other or the root; one hangs fast on another.
static graze_robot *make_robot(gz_random *random) {
    graze_robot_builder *b;
    graze_robot *robot;
    char names[LINKS][8];
    assert_int_equal(graze_robot_builder_create(&b, "r", NULL), GRAZE_OK);
    for (int i = 0; i < LINKS; i++) {
        snprintf(names[i], sizeof names[i], "l%d", i);
        assert_int_equal(graze_robot_builder_link(b, names[i], NULL), GRAZE_OK);
        add_shape(b, names[i], random);
        graze_joint_input j = graze_joint_input_default();
        if (i == 0) continue;
        j.name = names[i];
        j.parent = names[gz_random_below(random, (uint32_t)i)];
        j.child = names[i];
        j.type = i == 3 ? GRAZE_JOINT_FIXED
                        : (i % 2 ? GRAZE_JOINT_REVOLUTE : GRAZE_JOINT_PRISMATIC);
        j.axis = (graze_vec3){gz_random_unit(random), gz_random_unit(random), 0.1};
        j.lower = -1;
        j.upper = 1;
        j.origin = (graze_transform){{1, 0, 0, gz_random_range(random, -0.7, 0.7), 0, 1, 0,
                                      gz_random_range(random, -0.7, 0.7), 0, 0, 1,
                                      gz_random_range(random, -0.7, 0.7)}};
        assert_int_equal(graze_robot_builder_joint(b, &j, NULL), GRAZE_OK);
    }
    for (int i = 0; i < LINKS; i++)
        for (int k = 0; k < i; k++) graze_robot_builder_enable_pair(b, names[i], names[k], NULL);
    assert_int_equal(graze_robot_builder_finish(b, &robot, NULL), GRAZE_OK);
    graze_robot_builder_free(b);
    return robot;
}

/// A few objects around it, or none.
static graze_world *make_world(gz_random *random) {
    graze_world *w;
    assert_int_equal(graze_world_create(&w, "w", NULL), GRAZE_OK);
    for (uint32_t i = gz_random_below(random, 4); i > 0; i--) {
        const double size = gz_random_range(random, 0.05, 0.2);
        const double box[3] = {size, 0.5 * size, 2 * size};
        const graze_transform at = maker_pose(random, 1.2);
        maker m = make_round(size, 1);
        char name[8];
        snprintf(name, sizeof name, "o%u", i);
        assert_int_equal(i % 2 ? graze_world_add_mesh(w, name, m.v, m.nv, m.t, m.nt, &at, NULL)
                               : graze_world_add_box(w, name, box, &at, NULL),
                         GRAZE_OK);
        maker_free(&m);
    }
    assert_int_equal(graze_world_commit(w, NULL), GRAZE_OK);
    return w;
}

static graze_proximity query(const graze_checker *c, graze_distance_workspace *w, const double *q,
                             size_t n, const graze_distance_options *options,
                             graze_distance_report *report) {
    graze_proximity p = {0};
    *report = (graze_distance_report){.pairs = &p, .capacity = 1};
    assert_int_equal(graze_distance(c, w, q, n, NULL, options, report, NULL), GRAZE_OK);
    report->pairs = NULL;
    return p;
}

typedef struct tally {
    int overlaps, contained, apart;
} tally;

/// Without room for a pair the bounds hold, too, and do not depend on what a workspace did before.
static void expect_bounds_alone(const graze_checker *c, graze_distance_workspace *w[2],
                                const double *q, size_t n, const graze_distance_options *options,
                                const graze_interval *least) {
    graze_distance_report alone[2] = {{.pairs = NULL}, {.pairs = NULL}};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(graze_distance(c, w[k], q, n, NULL, options, &alone[k], NULL), GRAZE_OK);
        assert_int_equal(alone[k].count, 1);
        assert_true(alone[k].least.lower <= least->upper && alone[k].least.upper >= least->lower);
        assert_true(alone[k].least.lower >= 0.9 * alone[k].least.upper - GZ_CURVED_TOLERANCE);
    }
    assert_memory_equal(&alone[0].least, &alone[1].least, sizeof alone[0].least);
}

/// What is barely within a threshold is found, and within it, though the first bounds of it are
/// beyond.
static void expect_within_threshold(const graze_checker *c, graze_distance_workspace *w,
                                    const double *q, size_t n,
                                    const graze_distance_options *options,
                                    const graze_interval *least) {
    graze_distance_options within = *options;
    within.threshold = least->upper + 1e-9;
    graze_distance_report alone = {.pairs = NULL};
    assert_int_equal(graze_distance(c, w, q, n, NULL, &within, &alone, NULL), GRAZE_OK);
    assert_int_equal(alone.count, 1);
    assert_true(alone.least.lower <= least->upper && alone.least.upper <= within.threshold);
    within.answer = GRAZE_DISTANCE_PAIRS;
    within.accuracy = 0.2 * least->upper;
    assert_int_equal(graze_distance(c, w, q, n, NULL, &within, &alone, NULL), GRAZE_OK);
    assert_true(alone.count >= 1 && alone.least.lower <= least->upper);
}

/// Bounds hold and are within a tenth, whatever a workspace did before; overlaps are the same.
static void compare(const graze_checker *c, graze_distance_workspace *w[2], const double *q,
                    size_t n, tally *t) {
    graze_distance_options options = graze_distance_options_default();
    graze_distance_report report, rough;
    const graze_proximity least = query(c, w[0], q, n, &options, &report);
    options.answer = GRAZE_DISTANCE_BOUND;
    const graze_proximity bound = query(c, w[0], q, n, &options, &rough),
                          again = query(c, w[1], q, n, &options, &rough);
    assert_memory_equal(&bound, &again, sizeof bound);
    assert_int_equal(rough.count, 1);
    assert_true(bound.overlap == least.overlap);
    if (least.overlap) assert_memory_equal(&bound, &least, sizeof bound);
    assert_true(rough.least.lower <= report.least.upper);
    assert_true(rough.least.upper >= report.least.lower);
    assert_true(rough.least.lower >= 0.9 * rough.least.upper - GZ_CURVED_TOLERANCE);
    expect_bounds_alone(c, w, q, n, &options, &report.least);
    if (!least.overlap) expect_within_threshold(c, w[0], q, n, &options, &report.least);
    t->overlaps += least.overlap;
    t->apart += !least.overlap;
    options.answer = GRAZE_DISTANCE_NEAREST;
    t->contained += query(c, w[1], q, n, &options, &rough).contained;
    options.answer = GRAZE_DISTANCE_BOUND;
    // Nothing within a threshold: that is all that is said.
    options.threshold = 0.8 * report.least.lower;
    if (least.overlap || !(options.threshold > 0)) return;
    query(c, w[1], q, n, &options, &rough);
    assert_true(rough.count == 0 && rough.least.lower == options.threshold &&
                rough.least.upper == (double)INFINITY);
}

static void test_rough_bounds_hold_for_links_of_all_kinds(void **state) {
    (void)state;
    gz_random random = gz_random_make(3, 0);
    tally t = {0};
    for (int i = 0; i < TRIALS(400, 40); i++) {
        graze_robot *robot = make_robot(&random);
        graze_world *world = make_world(&random);
        graze_checker *c;
        graze_distance_workspace *w[2];
        graze_checker_options options = graze_checker_options_default();
        if (i % 2) options.policy = GRAZE_POLICY_SURFACE;
        assert_int_equal(graze_checker_create(&c, robot, world, &options, NULL), GRAZE_OK);
        for (int k = 0; k < 2; k++)
            assert_int_equal(graze_distance_workspace_create(&w[k], c, NULL), GRAZE_OK);
        for (int k = 0; k < 20; k++) {
            double q[LINKS];
            size_t n = graze_robot_q_size(robot);
            assert_int_equal(
                graze_robot_sample(robot, 1, (uint64_t)(20 * i + k), NULL, NULL, q, NULL),
                GRAZE_OK);
            compare(c, w, q, n, &t);
        }
        for (int k = 0; k < 2; k++) graze_distance_workspace_free(w[k]);
        graze_checker_free(c);
        graze_world_free(world);
        graze_robot_free(robot);
    }
    print_message("%d overlaps, %d contained, %d apart\n", t.overlaps, t.contained, t.apart);
    assert_true(t.contained > TRIALS(100, 5) && t.apart > TRIALS(1000, 100));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_plane_proves_no_more_than_the_gap),
        cmocka_unit_test(test_planes_count_vertices_that_are_no_support_points),
        cmocka_unit_test(test_points_of_hulls_are_no_nearer_than_their_triangles),
        cmocka_unit_test(test_rough_bounds_hold_for_links_of_all_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
