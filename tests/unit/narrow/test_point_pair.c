// A shape against a cloud of points: whatever a loop over all points finds, ball by ball, for every
// kind of shape, policy and margin, on every instruction set; the lowest point where that is
// wanted; and points that touch, or just do not.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/transform.h"
#include "narrow/containment.h"
#include "narrow/curved/curved.h"
#include "narrow/kernel.h"
#include "narrow/points/point_pair.h"
#include "unit/mesh/mesh_maker.h"
#include "unit/trials.h"

/// A cloud with its tree and pose.
typedef struct cloud {
    double *points;
    size_t count;
    double radius;
    graze_transform pose;
    gz_point_tree *tree;
} cloud;

static void cloud_finish(cloud *c) {
    c->tree = gz_point_tree_build(c->points, c->count);
    assert_non_null(c->tree);
}

static void cloud_free(cloud *c) {
    gz_point_tree_free(c->tree);
    free(c->points);
}

static const double everywhere[2][3] = {{-0x1p30, -0x1p30, -0x1p30}, {0x1p30, 0x1p30, 0x1p30}};

/// What one query says on one instruction set.
static int64_t find(const gz_shape *s, const graze_transform *pose, const cloud *c,
                    graze_policy policy, double margin, bool lowest, uint32_t limit,
                    const char *instructions, graze_stats *stats) {
    setenv("GRAZE_ISA", instructions, 1);
    const gz_shape_rule rule = {
        .kernels = gz_kernels_choose(), .policy_a = policy, .policy_b = policy, .margin = margin};
    const gz_point_query query = {.shape = s,
                                  .pose = pose->m,
                                  .tree = c->tree,
                                  .points = c->points,
                                  .points_pose = c->pose.m,
                                  .radius = c->radius,
                                  .rule = &rule,
                                  .low = everywhere[0],
                                  .high = everywhere[1],
                                  .limit = limit,
                                  .lowest = lowest};
    *stats = (graze_stats){0};
    return gz_point_pair_find(&query, stats);
}

static bool near_box(const cloud *c, const graze_obb *box, double most, graze_stats *stats) {
    const gz_point_box_query query = {.tree = c->tree,
                                      .points_pose = c->pose.m,
                                      .radius = c->radius,
                                      .box = box,
                                      .margin = most,
                                      .kernels = gz_kernels_choose()};
    *stats = (graze_stats){0};
    return gz_points_near_box(&query, stats);
}

/// Whether one ball collides, without any tree over the shape's triangles.
static bool ball_collides(const gz_shape *s, const graze_transform *pose, const cloud *c, size_t i,
                          graze_policy policy, double margin) {
    gz_curved ball = {.kind = GRAZE_SHAPE_SPHERE, .radius = c->radius};
    gz_snap(c->pose.m, c->points + 3 * i, ball.a);
    memcpy(ball.b, ball.a, sizeof ball.b);
    if (!s->mesh) {
        gz_curved own = {.kind = s->kind, .radius = s->radius};
        gz_snap(pose->m, s->a, own.a);
        gz_snap(pose->m, s->b, own.b);
        return gz_curved_pair_collide(&own, &ball, margin, NULL);
    }
    for (uint32_t t = 0; t < s->mesh->triangle_count; t++) {
        double corners[3][3];
        gz_triangle_snap(s->mesh, pose->m, t, corners);
        if (gz_curved_triangle_collide(&ball, (const double(*)[3])corners, margin, NULL))
            return true;
    }
    if (s->kind != GRAZE_SHAPE_BOX && policy == GRAZE_POLICY_SURFACE) return false;
    graze_stats stats = {0};
    return gz_mesh_contains_point(s->mesh, pose->m, policy == GRAZE_POLICY_CAP && s->mesh->caps,
                                  ball.a, NULL, &stats);
}

/// Compares with a loop over all points; returns how many of them collide.
static size_t check(const gz_shape *s, const graze_transform *pose, const cloud *c,
                    graze_policy policy, double margin) {
    size_t hits = 0;
    int64_t lowest = -1, next = -1; // the two lowest that collide
    uint8_t *hit = calloc(c->count, 1);
    assert_non_null(hit);
    for (size_t i = 0; i < c->count; i++) {
        hit[i] = ball_collides(s, pose, c, i, policy, margin);
        hits += hit[i];
        if (!hit[i]) continue;
        if (lowest < 0)
            lowest = (int64_t)i;
        else if (next < 0)
            next = (int64_t)i;
    }
    static const char *const sets[] = {"sse2", "avx2"};
    int64_t any[2];
    graze_stats stats[2][2];
    for (int k = 0; k < 2; k++) {
        any[k] = find(s, pose, c, policy, margin, false, UINT32_MAX, sets[k], &stats[k][0]);
        assert_int_equal(any[k] >= 0, lowest >= 0);
        if (any[k] >= 0) assert_true(hit[any[k]]);
        assert_int_equal(find(s, pose, c, policy, margin, true, UINT32_MAX, sets[k], &stats[k][1]),
                         lowest);
    }
    assert_int_equal(any[0], any[1]);
    assert_memory_equal(stats[0], stats[1], sizeof stats[0]);
    // Points from a limit on do not count.
    if (lowest >= 0) {
        graze_stats more;
        assert_int_equal(find(s, pose, c, policy, margin, true, (uint32_t)lowest, "avx2", &more),
                         -1);
        assert_int_equal(find(s, pose, c, policy, margin, false, (uint32_t)lowest, "avx2", &more),
                         -1);
        if (next >= 0)
            assert_int_equal(find(s, pose, c, policy, margin, false, (uint32_t)next, "avx2", &more),
                             lowest);
    }
    free(hit);
    return hits;
}

// ----------------------------------------------------------------------------------------- scenes

static gz_shape primitive(graze_shape kind, double size) {
    gz_shape s;
    double edges[3] = {size, 1.3 * size, 0.7 * size};
    graze_transform one = graze_transform_identity();
    assert_int_equal(gz_shape_primitive(&s, kind, edges, 0.4 * size, size, &one, NULL), GRAZE_OK);
    return s;
}

enum { SHAPES = 10 };

/// Shapes that reach to about `size` from their origin.
static gz_shape make_shape(gz_random *r, int kind, double size) {
    static const double origin[3] = {0, 0, 0};
    maker m = {0};
    gz_shape s;
    switch (kind) {
    case 0:
        return primitive(GRAZE_SHAPE_SPHERE, size);
    case 1:
        return primitive(GRAZE_SHAPE_CAPSULE, size);
    case 2:
        return primitive(GRAZE_SHAPE_CYLINDER, size);
    case 3:
        return primitive(GRAZE_SHAPE_BOX, size);
    case 4:
        maker_sphere(&m, origin, 1, 12, 16);
        break;
    case 5:
        maker_torus(&m, 0.7, 0.25, 24, 12);
        break;
    case 6: // a shell in a shell, and beside it the lower half of one, open at the top
        maker_sphere(&m, origin, 0.6, 8, 10);
        maker_sphere(&m, (double[]){0.1, 0, 0}, 0.3, 8, 10);
        maker_flip(&m, m.nt / 2);
        {
            maker half = {0};
            maker_sphere(&half, (double[]){0, 0.9, 0}, 0.4, 8, 10);
            uint32_t shift = (uint32_t)m.nv;
            for (size_t i = 0; i < half.nv; i++)
                maker_vertex(&m, half.v[3 * i], half.v[3 * i + 1], half.v[3 * i + 2]);
            for (size_t i = 0; i < half.nt; i++) {
                const uint32_t *t = half.t + 3 * i;
                if (half.v[3 * t[0] + 2] + half.v[3 * t[1] + 2] + half.v[3 * t[2] + 2] < 0.1)
                    maker_triangle(&m, t[0] + shift, t[1] + shift, t[2] + shift);
            }
            maker_free(&half);
        }
        break;
    case 7:
        maker_soup(&m, r, 300, 0.2);
        break;
    case 8:
        maker_needles(&m, r, 60);
        break;
    default: // one triangle
        maker_soup(&m, r, 1, 1);
        break;
    }
    maker_scale(&m, size);
    gz_shape_mesh(&s, maker_finish(&m));
    return s;
}

/// Points around a shape of some size: anywhere, on a sheet, or few places many times.
static cloud make_cloud(gz_random *r, int kind, size_t count, double size) {
    cloud c = {.points = malloc(count * 3 * sizeof *c.points), .count = count};
    assert_non_null(c.points);
    for (size_t i = 0; i < count; i++) {
        double *p = c.points + 3 * i;
        for (int k = 0; k < 3; k++) p[k] = size * gz_random_range(r, -1.6, 1.6);
        if (kind == 1) p[2] = size * 0.3 * sin(3 * p[0] / size);
        if (kind == 2)
            for (int k = 0; k < 3; k++) p[k] = size * floor(4 * p[k] / size) / 4;
    }
    return c;
}

static void test_queries_equal_a_loop_over_all_points(void **state) {
    (void)state;
    static const size_t counts[] = {1, 2, 16, 17, 130, 700};
    size_t hits = 0, free_scenes = 0, scenes = 0;
    for (int kind = 0; kind < SHAPES; kind++)
        for (int round = 0; round < TRIALS(60, 12); round++) {
            gz_random r = gz_random_make(1, (uint64_t)(1000 * kind + round));
            double size = pow(10, gz_random_range(&r, -3, 2));
            gz_shape s = make_shape(&r, kind, size);
            cloud c = make_cloud(&r, round % 3, counts[round % 6], size);
            c.radius = size * pow(10, gz_random_range(&r, -4, -0.5));
            // Frames far from each other, and from what they hold.
            double far = round % 5 == 4 ? 1e3 * size : size;
            graze_transform pose = maker_pose(&r, 0.3 * size);
            c.pose = maker_pose(&r, 0.3 * size);
            for (int k = 0; k < 3; k++) {
                pose.m[4 * k + 3] += far;
                c.pose.m[4 * k + 3] += far;
            }
            cloud_finish(&c);
            double margin = round % 2 ? 0 : size * pow(10, gz_random_range(&r, -5, -1));
            size_t n = check(&s, &pose, &c, (graze_policy)(round % 3), margin);
            hits += n;
            free_scenes += n == 0;
            scenes++;
            cloud_free(&c);
            gz_shape_clear(&s);
        }
    assert_true(hits > TRIALS(3000, 500));
    assert_true(free_scenes > scenes / 6 && free_scenes < scenes - scenes / 3);
}

/// Dense balls that fill a solid: whole subtrees are inside, or outside, and one ray tells.
static void test_clouds_inside_a_solid_are_found_by_few_rays(void **state) {
    (void)state;
    gz_random r = gz_random_make(2, 0);
    maker m = {0};
    maker_sphere(&m, (double[]){0, 0, 0}, 1, 30, 40);
    gz_shape s;
    gz_shape_mesh(&s, maker_finish(&m));
    cloud c = make_cloud(&r, 0, 20000, 0.25);
    c.radius = 1e-3;
    c.pose = maker_pose(&r, 0.1);
    cloud_finish(&c);
    graze_transform pose = maker_pose(&r, 0.1);
    graze_stats stats;
    assert_int_equal(find(&s, &pose, &c, GRAZE_POLICY_SOLID, 0, true, UINT32_MAX, "avx2", &stats),
                     0);
    assert_int_equal(stats.shape_tests, 0);
    assert_true(stats.containment_tests <= 16);
    assert_int_equal(find(&s, &pose, &c, GRAZE_POLICY_SURFACE, 0, true, UINT32_MAX, "avx2", &stats),
                     -1);
    assert_int_equal(stats.containment_tests, 0);
    // Many subtrees inside, in no order: the lowest point of all must come out, below any limit.
    cloud wide = make_cloud(&r, 0, 3000, 0.9);
    wide.radius = 1e-3;
    wide.pose = maker_pose(&r, 0.1);
    cloud_finish(&wide);
    size_t inside = check(&s, &pose, &wide, GRAZE_POLICY_SOLID, 0);
    assert_true(inside > 300 && inside < 2700);
    cloud_free(&wide);
    // A hollow of the torus: inside its box, outside the solid.
    gz_shape_clear(&s);
    maker_torus(&m, 1.2, 0.2, 60, 20);
    gz_shape_mesh(&s, maker_finish(&m));
    assert_int_equal(find(&s, &pose, &c, GRAZE_POLICY_SOLID, 0, true, UINT32_MAX, "avx2", &stats),
                     -1);
    assert_int_equal(stats.shape_tests, 0);
    assert_true(stats.containment_tests <= 16);
    cloud_free(&c);
    gz_shape_clear(&s);
}

/// A cap is no surface: a cloud through it, far from every triangle, is inside in part, and no one
/// point tells for the others.
static void test_clouds_through_a_cap_are_judged_point_by_point(void **state) {
    (void)state;
    maker whole = {0}, m = {0};
    maker_sphere(&whole, (double[]){0, 0, 0}, 1, 16, 24);
    for (size_t i = 0; i < whole.nv; i++)
        maker_vertex(&m, whole.v[3 * i], whole.v[3 * i + 1], whole.v[3 * i + 2]);
    for (size_t i = 0; i < whole.nt; i++) {
        const uint32_t *t = whole.t + 3 * i;
        if (whole.v[3 * t[0] + 2] + whole.v[3 * t[1] + 2] + whole.v[3 * t[2] + 2] < 0.05)
            maker_triangle(&m, t[0], t[1], t[2]);
    }
    maker_free(&whole);
    gz_shape s;
    gz_shape_mesh(&s, maker_finish(&m));
    assert_non_null(s.mesh->caps);
    for (int round = 0; round < 20; round++) {
        gz_random r = gz_random_make(6, (uint64_t)round);
        cloud c = make_cloud(&r, 0, 1500, 0.1);
        c.radius = 1e-3;
        c.pose = maker_pose(&r, 0.05);
        cloud_finish(&c);
        graze_transform pose = maker_pose(&r, 0.05);
        size_t inside = check(&s, &pose, &c, GRAZE_POLICY_CAP, round % 2 ? 0 : 0.01);
        assert_true(inside > 100 && inside < 1400);
        assert_int_equal(check(&s, &pose, &c, GRAZE_POLICY_SOLID, 0), 0);
        cloud_free(&c);
    }
    gz_shape_clear(&s);
}

/// Points whose distance from a triangle is the radius and the margin, but for some steps of double
/// or float: a filter that reaches too short loses the only point that counts.
static void test_points_that_touch_are_never_filtered_out(void **state) {
    (void)state;
    enum { KINDS = 6, POOL = 16 * KINDS }; // making a mesh is the most that a round would cost
    static gz_shape shapes[POOL];
    static double sizes[POOL];
    for (int i = 0; i < POOL; i++) {
        gz_random r = gz_random_make(4, (uint64_t)i);
        sizes[i] = pow(10, gz_random_range(&r, -2, 1));
        shapes[i] = make_shape(&r, 4 + i % KINDS, sizes[i]);
    }
    size_t hits = 0, rounds = 0;
    for (int round = 0; round < TRIALS(4000, 600); round++) {
        gz_random r = gz_random_make(3, (uint64_t)round);
        int shape = round % KINDS + KINDS * (int)gz_random_below(&r, POOL / KINDS);
        const gz_shape s = shapes[shape];
        double size = sizes[shape];
        graze_transform pose = maker_pose(&r, round % 4 ? size : 100 * size);
        double radius = size * pow(10, gz_random_range(&r, -3, -1));
        double margin = round % 2 ? 0 : size * pow(10, gz_random_range(&r, -4, -1));
        // A place on a triangle: in its face, on an edge or a corner; and a way off from it.
        uint32_t t = (uint32_t)gz_random_range(&r, 0, (double)s.mesh->triangle_count);
        double v[3][3], w[3] = {gz_random_range(&r, 0, 1), 0, 0}, n[3], e[3], f[3], at[3];
        gz_triangle_snap(s.mesh, pose.m, t, v);
        w[1] = round % 3 == 1 ? 1 - w[0] : gz_random_range(&r, 0, 1 - w[0]);
        if (round % 3 == 2) w[0] = 1, w[1] = 0;
        w[2] = 1 - w[0] - w[1];
        gz_subtract(v[1], v[0], e);
        gz_subtract(v[2], v[0], f);
        gz_cross(e, f, n);
        for (int k = 0; k < 3 && round % 3; k++) n[k] = gz_random_range(&r, -1, 1);
        double norm = gz_norm(n);
        if (norm > 0) {
            static const double steps[] = {0,       0x1p-52,  -0x1p-52, 0x1p-40, -0x1p-40,
                                           0x1p-24, -0x1p-24, 0x1p-18,  -0x1p-18};
            double way = (radius + margin) * (1 + steps[round % 9]);
            cloud c = make_cloud(&r, 0, 40, 1);
            c.radius = radius;
            c.pose = maker_pose(&r, round % 4 ? size : 100 * size);
            size_t which = (size_t)gz_random_range(&r, 0, 40);
            for (size_t i = 0; i < 40; i++) {
                for (int k = 0; k < 3; k++) {
                    at[k] = w[0] * v[0][k] + w[1] * v[1][k] + w[2] * v[2][k] + way * n[k] / norm -
                            c.pose.m[4 * k + 3];
                    if (i != which) at[k] += size * gz_random_range(&r, 3, 9);
                }
                gz_transform_unrotate(c.pose.m, at, c.points + 3 * i);
            }
            cloud_finish(&c);
            hits += check(&s, &pose, &c, GRAZE_POLICY_SURFACE, margin);
            rounds++;
            cloud_free(&c);
        }
    }
    for (int i = 0; i < POOL; i++) gz_shape_clear(&shapes[i]);
    assert_true(rounds > TRIALS(3500, 500) && hits > rounds / 3 && hits < rounds);
}

/// The same for curved shapes: points at a distance from the axis.
static void test_points_that_touch_curved_shapes_are_never_filtered_out(void **state) {
    (void)state;
    size_t hits = 0;
    const int rounds = 3000;
    for (int round = 0; round < rounds; round++) {
        gz_random r = gz_random_make(4, (uint64_t)round);
        double size = pow(10, gz_random_range(&r, -2, 1));
        gz_shape s = make_shape(&r, round % 3, size);
        graze_transform pose = maker_pose(&r, round % 4 ? size : 100 * size);
        double margin = round % 2 ? 0 : size * pow(10, gz_random_range(&r, -4, -1));
        double radius = size * pow(10, gz_random_range(&r, -3, -1)), a[3], b[3], n[3], e[3], at[3];
        gz_snap(pose.m, s.a, a);
        gz_snap(pose.m, s.b, b);
        gz_subtract(b, a, e);
        for (int k = 0; k < 3; k++) n[k] = gz_random_range(&r, -1, 1);
        double along = gz_dot(e, e) > 0 ? gz_dot(n, e) / gz_dot(e, e) : 0,
               t = gz_random_range(&r, 0, 1);
        for (int k = 0; k < 3; k++) n[k] -= along * e[k];
        static const double steps[] = {0, 0x1p-52, -0x1p-52, 0x1p-40, -0x1p-40, 0x1p-24, -0x1p-24};
        double way = (s.radius + radius + margin) * (1 + steps[round % 7]) / gz_norm(n);
        cloud c = make_cloud(&r, 0, 60, size);
        c.radius = radius;
        c.pose = maker_pose(&r, round % 4 ? size : 100 * size);
        for (size_t i = 0; i < 60; i++) {
            for (int k = 0; k < 3; k++) {
                at[k] = a[k] + t * e[k] + way * n[k] - c.pose.m[4 * k + 3];
                if (i != 37) at[k] += size * gz_random_range(&r, 3, 9);
            }
            gz_transform_unrotate(c.pose.m, at, c.points + 3 * i);
        }
        cloud_finish(&c);
        hits += check(&s, &pose, &c, GRAZE_POLICY_SOLID, margin);
        cloud_free(&c);
        gz_shape_clear(&s);
    }
    assert_true(hits > (size_t)rounds / 4 && hits < (size_t)rounds);
}

/// gz_points_near_box() says that no ball is near only where none is.
static void test_boxes_far_from_all_balls_are_told(void **state) {
    (void)state;
    size_t far_off = 0, near = 0;
    for (int round = 0; round < 3000; round++) {
        gz_random r = gz_random_make(5, (uint64_t)round);
        cloud c = make_cloud(&r, round % 3, 1 + (size_t)(round % 300), 1);
        c.radius = pow(10, gz_random_range(&r, -4, -1));
        c.pose = maker_pose(&r, 1);
        cloud_finish(&c);
        graze_transform pose = maker_pose(&r, 3);
        graze_obb box = {.center = {pose.m[3], pose.m[7], pose.m[11]}};
        for (int j = 0; j < 3; j++) {
            box.axis[j] = (graze_vec3){pose.m[j], pose.m[4 + j], pose.m[8 + j]};
            (&box.half.x)[j] = gz_random_range(&r, 0.01, 0.5);
        }
        double most = round % 2 ? 0 : gz_random_range(&r, 0, 0.2);
        graze_stats stats;
        bool may = near_box(&c, &box, most, &stats), is = false;
        for (size_t i = 0; i < c.count && !is; i++) {
            double p[3], d[3], local[3], square = 0;
            gz_snap(c.pose.m, c.points + 3 * i, p);
            gz_subtract(p, (const double[3]){box.center.x, box.center.y, box.center.z}, d);
            gz_transform_unrotate(pose.m, d, local);
            for (int k = 0; k < 3; k++) {
                double gap = fmax(fabs(local[k]) - (&box.half.x)[k], 0);
                square += gap * gap;
            }
            is = sqrt(square) <= c.radius + most;
        }
        assert_true(may || !is);
        far_off += !may;
        near += is;
        cloud_free(&c);
    }
    assert_true(far_off > 1000 && near > 200);
}

/// Points in a patch far smaller than their balls: any of them says as much as all.
static void test_dense_patches_are_settled_above_their_leaves(void **state) {
    (void)state;
    enum { COUNT = 40000 };
    cloud c = {.points = malloc(COUNT * 3 * sizeof *c.points), .count = COUNT, .radius = 0.05};
    assert_non_null(c.points);
    gz_random r = gz_random_make(9, 0);
    for (size_t i = 0; i < 3 * COUNT; i++) c.points[i] = gz_random_range(&r, -0.005, 0.005);
    c.pose = graze_transform_identity();
    cloud_finish(&c);
    gz_shape s = make_shape(&r, 5, 0.12);
    size_t hits = 0;
    double work = 0, looks = 0; // at most, of one question
    graze_stats stats;
    for (int round = 0; round < 300; round++) {
        graze_transform pose = maker_pose(&r, 0.15);
        int64_t found = find(&s, &pose, &c, GRAZE_POLICY_SURFACE, 0, false, UINT32_MAX,
                             round % 2 ? "avx2" : "sse2", &stats);
        // Each point is at most 0.009 from the middle: where that is nearer by as much, all
        // collide, and one is enough.
        cloud middle = {.points = (double[]){0, 0, 0}, .radius = 0.04, .pose = c.pose};
        if (ball_collides(&s, &pose, &middle, 0, GRAZE_POLICY_SURFACE, 0)) {
            assert_true(found >= 0 && stats.shape_tests <= GZ_WIDTH);
            work = fmax(work, (double)(stats.node_tests + stats.packet_tests));
            hits++;
        }
        graze_obb box = {.center = {pose.m[3], pose.m[7], pose.m[11]},
                         .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                         .half = {0.01, 0.02, 0.03}};
        near_box(&c, &box, 0, &stats);
        looks = fmax(looks, (double)stats.node_tests);
    }
    print_message("%zu hits; nodes and packets: %g, %g at most\n", hits, work, looks);
    assert_true(hits > 30 && work <= 40 && looks <= 2);
    gz_shape_clear(&s);
    cloud_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_queries_equal_a_loop_over_all_points),
        cmocka_unit_test(test_clouds_inside_a_solid_are_found_by_few_rays),
        cmocka_unit_test(test_clouds_through_a_cap_are_judged_point_by_point),
        cmocka_unit_test(test_points_that_touch_are_never_filtered_out),
        cmocka_unit_test(test_points_that_touch_curved_shapes_are_never_filtered_out),
        cmocka_unit_test(test_boxes_far_from_all_balls_are_told),
        cmocka_unit_test(test_dense_patches_are_settled_above_their_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
