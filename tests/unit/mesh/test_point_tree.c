// The tree over points: each point in one leaf, every box around what is below it, the places in
// leaves as near as they promise, never deep, whatever the points are.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"
#include "mesh/bvh/point_tree.h"

typedef struct walk {
    const gz_point_tree *tree;
    const double *points;
    size_t count;
    uint8_t *seen; ///< per point
    uint8_t *leaf_seen;
    int depth;
} walk;

typedef struct extent {
    double low[3], high[3];
    uint32_t lowest;
} extent;

static extent extent_none(void) {
    return (extent){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, UINT32_MAX};
}

/// Long double has 64 digits, so sums of a float and a float, 24 digits each at most 40 apart in
/// exponent, are exact; beyond, rounding is monotone and doubles are long doubles.
static void assert_box_holds(const float center[3], const float half[3], const extent *e) {
    for (int k = 0; k < 3; k++) {
        assert_true((long double)center[k] - (long double)half[k] <= (long double)e->low[k]);
        assert_true((long double)center[k] + (long double)half[k] >= (long double)e->high[k]);
    }
}

static void check_leaf(walk *w, size_t index, const float center[3], const float half[3],
                       extent *out) {
    assert_true(index < w->tree->leaf_count);
    assert_int_equal(w->leaf_seen[index]++, 0);
    const gz_point_leaf *leaf = &w->tree->leaves[index];
    size_t left = w->count - index * GZ_POINT_LEAF;
    for (size_t i = 0; i < GZ_POINT_LEAF; i++) {
        uint32_t point = leaf->point[i];
        assert_true(point < w->count);
        if (i < left) {
            assert_int_equal(w->seen[point]++, 0);
            assert_true(i == 0 || point > leaf->point[i - 1]);
        } else {
            assert_int_equal(point, leaf->point[left - 1]);
        }
        out->lowest = point < out->lowest ? point : out->lowest;
        for (int k = 0; k < 3; k++) {
            double x = w->points[3 * (size_t)point + (size_t)k], c = center[k], h = half[k];
            out->low[k] = fmin(out->low[k], x);
            out->high[k] = fmax(out->high[k], x);
            double place = c + h * (leaf->at[k][i] / 127.5 - 1);
            // Half a step, and the rounding of the point to float; 1e-44 where that is subnormal.
            assert_true(fabs(place - x) <= h / 255 * (1 + 1e-9) + fabs(x) * 0x1p-24 + 1e-44);
        }
    }
}

static void check_subtree(walk *w, int32_t reference, int depth, const float center[3],
                          const float half[3], extent *out) {
    *out = extent_none();
    w->depth = depth > w->depth ? depth : w->depth;
    if (reference < 0) {
        check_leaf(w, (size_t)~reference, center, half, out);
        assert_box_holds(center, half, out);
        return;
    }
    assert_true((size_t)reference < w->tree->node_count);
    const gz_node *node = &w->tree->nodes[reference];
    assert_true(node->count >= 2 && node->count <= GZ_WIDTH);
    for (int i = 0; i < GZ_WIDTH; i++) {
        float c[3], h[3];
        for (int k = 0; k < 3; k++) c[k] = node->center[k][i], h[k] = node->half[k][i];
        if (i >= node->count) {
            assert_true((double)h[0] <= -1e29 && node->child[i] == 0);
            continue;
        }
        assert_true(node->child[i] < 0 || node->child[i] > reference);
        extent below;
        check_subtree(w, node->child[i], depth + 1, c, h, &below);
        out->lowest = below.lowest < out->lowest ? below.lowest : out->lowest;
        for (int k = 0; k < 3; k++) {
            out->low[k] = fmin(out->low[k], below.low[k]);
            out->high[k] = fmax(out->high[k], below.high[k]);
        }
    }
    assert_box_holds(center, half, out);
    assert_int_equal(out->lowest, w->tree->lowest[reference]);
}

/// Builds a tree, checks all of it and returns its depth in nodes.
static int check_tree(const double *points, size_t count) {
    gz_point_tree *tree = gz_point_tree_build(points, count);
    assert_non_null(tree);
    assert_int_equal(tree->leaf_count, (count + GZ_POINT_LEAF - 1) / GZ_POINT_LEAF);
    walk w = {.tree = tree,
              .points = points,
              .count = count,
              .seen = calloc(count, 1),
              .leaf_seen = calloc(tree->leaf_count, 1)};
    assert_true(w.seen && w.leaf_seen);
    assert_int_equal(tree->root, tree->leaf_count == 1 ? ~0 : 0);
    extent all;
    check_subtree(&w, tree->root, 0, tree->box.center, tree->box.half, &all);
    double limit = 0;
    for (size_t i = 0; i < count; i++) assert_int_equal(w.seen[i], 1);
    for (size_t i = 0; i < 3 * count; i++) limit = fmax(limit, fabs(points[i]));
    assert_true(tree->max_abs == limit);
    int levels = 0;
    for (size_t n = tree->leaf_count; n > 1; n = (n + 7) / 8) levels++;
    assert_int_equal(w.depth, levels);
    free(w.seen);
    free(w.leaf_seen);
    gz_point_tree_free(tree);
    return w.depth;
}

static void test_trees_of_every_small_size_hold_each_point_once(void **state) {
    (void)state;
    enum { COUNT = 1300 };
    static double points[3 * COUNT];
    gz_random r = gz_random_make(1, 0);
    for (size_t i = 0; i < 3 * COUNT; i++) points[i] = gz_random_range(&r, -3, 3);
    for (size_t n = 1; n <= 300; n++) check_tree(points, n);
    for (size_t n = 1000; n <= COUNT; n += 7) check_tree(points, n);
}

/// The coordinate of a point of some hostile set.
static double hostile(gz_random *r, int kind, size_t i, size_t k) {
    switch (kind) {
    case 0: // all in one place
        return 1.25;
    case 1: // on a line, in order
        return k == 0 ? (double)i * 1e-3 : 0;
    case 2: // in a plane, few different places
        return k == 2 ? 7 : floor(gz_random_range(r, 0, 9));
    case 3: // each of its own scale, down to what no float holds
        return ldexp(1, 20 - (int)(i % 1070)) * (i & 1 ? -1 : 1);
    case 4: // the largest coordinates
        return gz_random_range(r, -1, 1) > 0 ? 0x1p20 : -0x1p20;
    case 5: // subnormal, and zeros of both signs
        return i % 3 ? ldexp(gz_random_range(r, -1, 1), -1040) : i & 1 ? 0.0 : -0.0;
    case 6: // nearly all in one bin of any round
        return i % 200 ? 1 + ldexp((double)(i % 1000), -52) : ldexp(1, (int)(i % 20));
    case 7: // between two floats
        return 1 + 0x1p-25 * (double)(i % 7) + (k == 1 ? 1e3 : 0);
    default: // doubling
        return ldexp(1, -(int)(i % 140)) * gz_random_range(r, 1, 2);
    }
}

static void test_hostile_points_are_held_and_make_no_deep_tree(void **state) {
    (void)state;
    enum { COUNT = 20000 };
    static double points[3 * COUNT];
    for (int kind = 0; kind < 9; kind++) {
        gz_random r = gz_random_make(2, (uint64_t)kind);
        for (size_t i = 0; i < COUNT; i++)
            for (size_t k = 0; k < 3; k++) points[3 * i + k] = hostile(&r, kind, i, k);
        assert_int_equal(check_tree(points, COUNT), 4);
    }
}

/// Cutting in halves across the longest side: the leaves of a plane grid are small.
static void test_leaves_of_a_surface_are_small(void **state) {
    (void)state;
    enum { EDGE = 256 };
    static double points[3 * EDGE * EDGE];
    gz_random r = gz_random_make(3, 0);
    for (size_t i = 0; i < EDGE * EDGE; i++) {
        points[3 * i] = (double)(i % EDGE) + gz_random_range(&r, 0, 0.5);
        points[3 * i + 1] = (double)(i / EDGE) + gz_random_range(&r, 0, 0.5);
        points[3 * i + 2] = 0.01 * gz_random_range(&r, 0, 1);
    }
    gz_point_tree *tree = gz_point_tree_build(points, EDGE * EDGE);
    assert_non_null(tree);
    double area = 0;
    for (size_t i = 0; i < tree->node_count; i++)
        for (int k = 0; k < tree->nodes[i].count; k++)
            if (tree->nodes[i].child[k] < 0)
                area += 4 * (double)tree->nodes[i].half[0][k] * (double)tree->nodes[i].half[1][k];
    assert_true(area < 1.1 * EDGE * EDGE);
    gz_point_tree_free(tree);
}

/// What traversals share, the upper levels, lies in few pages.
static void test_nodes_of_a_level_lie_side_by_side(void **state) {
    (void)state;
    enum { COUNT = 70000 };
    static double points[3 * COUNT];
    gz_random r = gz_random_make(7, 0);
    for (size_t i = 0; i < 3 * COUNT; i++) points[i] = gz_random_range(&r, -3, 3);
    gz_point_tree *tree = gz_point_tree_build(points, COUNT);
    assert_non_null(tree);
    int *level = calloc(tree->node_count, sizeof *level);
    assert_non_null(level);
    for (size_t i = 0; i < tree->node_count; i++) {
        assert_true(i == 0 || level[i] >= level[i - 1]);
        for (int k = 0; k < tree->nodes[i].count; k++) {
            int32_t child = tree->nodes[i].child[k];
            if (child >= 0) level[child] = level[i] + 1;
        }
    }
    assert_int_equal(level[tree->node_count - 1], 4);
    free(level);
    gz_point_tree_free(tree);
}

static void test_the_same_points_give_the_same_bytes(void **state) {
    (void)state;
    enum { COUNT = 30011 };
    static double points[3 * COUNT];
    gz_random r = gz_random_make(4, 0);
    for (size_t i = 0; i < 3 * COUNT; i++) points[i] = floor(gz_random_range(&r, -40, 40)) / 16;
    gz_point_tree *a = gz_point_tree_build(points, COUNT), *b = gz_point_tree_build(points, COUNT);
    assert_true(a && b);
    assert_int_equal(a->node_count, b->node_count);
    assert_memory_equal(a->nodes, b->nodes, a->node_count * sizeof *a->nodes);
    assert_memory_equal(a->lowest, b->lowest, a->node_count * sizeof *a->lowest);
    assert_memory_equal(a->leaves, b->leaves, a->leaf_count * sizeof *a->leaves);
    gz_point_tree_free(a);
    gz_point_tree_free(b);
    gz_point_tree_free(NULL);
}

static void test_a_million_points_are_built_in_time_and_nine_bytes_each(void **state) {
    (void)state;
#ifdef __OPTIMIZE__
    const size_t count = 1000000;
#else
    const size_t count = 100000; // a debugger's build takes ten times as long
#endif
    double *points = malloc(count * 3 * sizeof *points);
    assert_non_null(points);
    gz_random r = gz_random_make(5, 0);
    for (size_t i = 0; i < 3 * count; i++) points[i] = gz_random_range(&r, -10, 10);
    struct timespec start, end;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    gz_point_tree *tree = gz_point_tree_build(points, count);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    assert_non_null(tree);
    double seconds = (double)(end.tv_sec - start.tv_sec) +
                     1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    size_t held = sizeof *tree + tree->node_count * (sizeof *tree->nodes + sizeof *tree->lowest) +
                  tree->leaf_count * sizeof *tree->leaves;
    double bytes = (double)held / (double)count;
    print_message("%zu points: %.2f s, %.2f bytes each\n", count, seconds, bytes);
    // Far above what it takes, for builds with sanitizers on slow machines; n^2 would be hours.
    assert_true(seconds < 30);
    assert_true(bytes < 9.2);
    gz_point_tree_free(tree);
    free(points);
}

#ifdef GRAZE_FAULTS
static void test_every_allocation_may_fail(void **state) {
    (void)state;
    enum { COUNT = 1000 };
    static double points[3 * COUNT];
    gz_random r = gz_random_make(6, 0);
    for (size_t i = 0; i < 3 * COUNT; i++) points[i] = gz_random_range(&r, -3, 3);
    int failures = 0;
    for (long n = 1;; n++) {
        gz_memory_fail_after(n, false);
        gz_point_tree *tree = gz_point_tree_build(points, COUNT);
        bool reached = gz_memory_allocation_count() >= n;
        gz_memory_fail_after(0, false);
        assert_true(reached == !tree);
        gz_point_tree_free(tree);
        if (!reached) break;
        failures++;
    }
    assert_int_equal(failures, 6);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees_of_every_small_size_hold_each_point_once),
        cmocka_unit_test(test_hostile_points_are_held_and_make_no_deep_tree),
        cmocka_unit_test(test_leaves_of_a_surface_are_small),
        cmocka_unit_test(test_nodes_of_a_level_lie_side_by_side),
        cmocka_unit_test(test_the_same_points_give_the_same_bytes),
        cmocka_unit_test(test_a_million_points_are_built_in_time_and_nine_bytes_each),
#ifdef GRAZE_FAULTS
        cmocka_unit_test(test_every_allocation_may_fail),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
