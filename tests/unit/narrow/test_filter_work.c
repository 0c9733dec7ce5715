// A filter that rejects less than it could is never wrong, so no verdict shows it. The work it
// leaves does: over fixed scenes each counter stays at or below what is written here. Where the
// engine has become better, lower the figures; a rise wants a reason. (Compilers order arguments as
// they like, and so make different soups: each figure is the larger of gcc's and clang's.)

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "mesh/mesh.h"
#include "mesh/shape.h"
#include "narrow/kernel.h"
#include "narrow/shape_pair.h"
#include "unit/mesh/mesh_maker.h"

static const double origin[3] = {0, 0, 0};

/// At most so many in the whole scene.
static void at_most(const char *what, uint64_t found, uint64_t limit) {
    print_message("  %s: %llu of %llu\n", what, (unsigned long long)found,
                  (unsigned long long)limit);
    assert_true(found <= limit);
    assert_true(found > 0); // the scene comes to it at all
}

typedef struct limits {
    uint64_t nodes, packets, triangles, exact, shapes, containments;
} limits;

static void hold(const char *scene, const graze_stats *s, const limits *l) {
    print_message("%s\n", scene);
    if (l->nodes) at_most("node tests", s->node_tests, l->nodes);
    if (l->packets) at_most("packet tests", s->packet_tests, l->packets);
    if (l->triangles) at_most("triangle tests", s->triangle_tests, l->triangles);
    if (l->exact) at_most("exact tests", s->exact_tests, l->exact);
    if (l->shapes) at_most("shape tests", s->shape_tests, l->shapes);
    if (l->containments) at_most("containment tests", s->containment_tests, l->containments);
}

/// A sphere, a torus, a long box and a soup of small triangles.
static void make_meshes(graze_mesh *out[4]) {
    gz_random r = gz_random_make(11, 0);
    const double half[3] = {0.05, 0.4, 1};
    for (int i = 0; i < 4; i++) {
        maker m = {0};
        if (i == 0) maker_sphere(&m, origin, 0.8, 16, 24);
        if (i == 1) maker_torus(&m, 0.8, 0.25, 24, 12);
        if (i == 2) maker_box(&m, origin, half);
        if (i == 3) maker_soup(&m, &r, 300, 0.15);
        out[i] = maker_finish(&m);
    }
}

static void free_meshes(graze_mesh *meshes[4]) {
    for (int i = 0; i < 4; i++) graze_mesh_free(meshes[i]);
}

/// Two poses, the second from overlapping to apart.
static void draw_poses(gz_random *r, double from, double to, graze_transform *a,
                       graze_transform *b) {
    graze_transform move = maker_pose(r, 0);
    double d[3], length = 0, way = gz_random_range(r, from, to);
    *a = maker_pose(r, 5);
    for (int k = 0; k < 3; k++) d[k] = gz_random_range(r, -1, 1);
    for (int k = 0; k < 3; k++) length += d[k] * d[k];
    for (int k = 0; k < 3; k++) move.m[4 * k + 3] = way * d[k] / sqrt(length);
    *b = graze_transform_multiply(a, &move);
}

static graze_stats run_pairs(double margin, bool lowest, double from, double to) {
    graze_mesh *meshes[4];
    graze_stats stats = {0};
    gz_random r = gz_random_make(12, 0);
    make_meshes(meshes);
    for (int i = 0; i < 1600; i++) {
        graze_transform a, b;
        gz_tree_pair pair;
        draw_poses(&r, from, to, &a, &b);
        gz_tree_pair_prepare(&pair, meshes[i % 4], a.m, meshes[i / 4 % 4], b.m, lowest);
        if (margin > 0) {
            gz_tree_pair_grow(&pair, margin);
            gz_kernels_base.tree_pair_near(&pair, &stats);
        } else {
            gz_kernels_base.tree_pair(&pair, &stats);
        }
    }
    free_meshes(meshes);
    return stats;
}

static void test_meshes_apart_and_touching_cost_few_tests(void **state) {
    (void)state;
    graze_stats apart = run_pairs(0, false, 1.2, 2.2), overlap = run_pairs(0, false, 0, 1),
                lowest = run_pairs(0, true, 0.8, 1.6);
    hold("apart", &apart, &(limits){.nodes = 9406, .packets = 9540, .triangles = 780, .exact = 45});
    hold("overlapping", &overlap,
         &(limits){.nodes = 11380, .packets = 13722, .triangles = 1575, .exact = 45});
    hold("the lowest pair", &lowest,
         &(limits){.nodes = 91654, .packets = 46114, .triangles = 6325, .exact = 134});
}

static void test_meshes_near_a_margin_cost_few_tests(void **state) {
    (void)state;
    graze_stats thin = run_pairs(0.01, false, 1.2, 2.2), wide = run_pairs(0.3, true, 1.4, 2.4);
    hold("margin 0.01", &thin,
         &(limits){.nodes = 9081, .packets = 8634, .triangles = 841, .exact = 45});
    hold("margin 0.3, the lowest pair", &wide,
         &(limits){.nodes = 77261, .packets = 41165, .triangles = 22999, .exact = 18});
}

/// Curved shapes against the meshes, and the ways in which one can lie inside the other.
static void test_curved_shapes_cost_few_tests(void **state) {
    (void)state;
    graze_mesh *meshes[4];
    make_meshes(meshes);
    gz_random r = gz_random_make(13, 0);
    graze_stats exact = {0}, near = {0};
    for (int i = 0; i < 1200; i++) {
        gz_shape mesh = {.kind = GRAZE_SHAPE_MESH, .mesh = meshes[i % 4]};
        gz_shape curved = {.kind = i % 3 == 0   ? GRAZE_SHAPE_SPHERE
                                   : i % 3 == 1 ? GRAZE_SHAPE_CAPSULE
                                                : GRAZE_SHAPE_CYLINDER,
                           .radius = 0.1};
        if (i % 3) curved.a[2] = -0.3, curved.b[2] = 0.3;
        graze_transform a, b;
        draw_poses(&r, 0.2, 1.6, &a, &b);
        gz_shape_rule rule = {.kernels = &gz_kernels_base, .policy_a = GRAZE_POLICY_SOLID};
        gz_shape_contact meeting;
        gz_shapes_collide(&mesh, a.m, &curved, b.m, &rule, &meeting, &exact);
        rule.margin = 0.02;
        gz_shapes_collide(&curved, b.m, &mesh, a.m, &rule, &meeting, &near);
    }
    hold("curved", &exact, &(limits){.nodes = 2633, .shapes = 3317, .containments = 155});
    hold("curved, margin 0.02", &near,
         &(limits){.nodes = 2681, .shapes = 3483, .containments = 146});
    free_meshes(meshes);
}

/// Many closed parts in and around a ball: how often is a winding number needed?
static void test_solids_cost_few_winding_numbers(void **state) {
    (void)state;
    gz_random r = gz_random_make(14, 0);
    maker components = {0}, ball = {0};
    for (int i = 0; i < 60; i++) {
        double center[3];
        for (int k = 0; k < 3; k++) center[k] = gz_random_range(&r, -2, 2);
        maker_sphere(&components, center, 0.05, 4, 6);
    }
    maker_sphere(&ball, origin, 0.7, 12, 16);
    graze_mesh *many = maker_finish(&components), *one = maker_finish(&ball);
    graze_stats stats = {0};
    for (int i = 0; i < 400; i++) {
        graze_transform a, b;
        draw_poses(&r, 0, 3, &a, &b);
        gz_shape_rule rule = {.kernels = &gz_kernels_base};
        gz_shape x = {.kind = GRAZE_SHAPE_MESH, .mesh = one},
                 y = {.kind = GRAZE_SHAPE_MESH, .mesh = many};
        gz_shape_contact meeting;
        gz_shapes_collide(&x, a.m, &y, b.m, &rule, &meeting, &stats);
    }
    hold("parts around a ball", &stats,
         &(limits){.nodes = 3305, .packets = 1237, .triangles = 16, .containments = 273});
    graze_mesh_free(many);
    graze_mesh_free(one);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meshes_apart_and_touching_cost_few_tests),
        cmocka_unit_test(test_meshes_near_a_margin_cost_few_tests),
        cmocka_unit_test(test_curved_shapes_cost_few_tests),
        cmocka_unit_test(test_solids_cost_few_winding_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
