// The tree over a world: every entry once, every box containing, found whatever a brute-force
// search finds, never deeper than a traversal's stack.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "mesh/bvh/box_tree.h"
#include "world/world.h"

static graze_world *world_of_balls(const double *points, size_t count, double radius) {
    graze_world *world;
    assert_int_equal(graze_world_create(&world, "test", NULL), GRAZE_OK);
    for (size_t i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "ball %zu", i);
        graze_transform pose = graze_transform_identity();
        for (size_t k = 0; k < 3; k++) pose.m[4 * k + 3] = points[3 * i + k];
        assert_int_equal(graze_world_add_sphere(world, name, radius, &pose, NULL), GRAZE_OK);
    }
    assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
    assert_int_equal(world->object_count, count);
    return world;
}

/// Long double holds more digits than the box's own; a rounded difference is never on the wrong
/// side of a double.
static void assert_lane_holds(const gz_node *node, int lane, const graze_aabb *box) {
    for (int k = 0; k < 3; k++) {
        long double c = (long double)node->center[k][lane], h = (long double)node->half[k][lane];
        assert_true(c - h <= (long double)(&box->min.x)[k]);
        assert_true(c + h >= (long double)(&box->max.x)[k]);
    }
}

typedef struct walk {
    const graze_world *world;
    uint8_t *seen;
    int depth;
} walk;

/// Checks everything below a node and returns the box of its entries.
static graze_aabb check_node(walk *w, int32_t index, int depth) {
    assert_true(index >= 0 && (size_t)index < w->world->node_count);
    const gz_node *node = &w->world->nodes[index];
    if (depth > w->depth) w->depth = depth;
    assert_true(node->count >= 2 && node->count <= GZ_WIDTH);
    graze_aabb all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int lane = 0; lane < GZ_WIDTH; lane++) {
        if (lane >= node->count) {
            assert_int_equal(node->child[lane], 0);
            for (int k = 0; k < 3; k++) assert_true((double)node->half[k][lane] <= -1e29);
            continue;
        }
        graze_aabb box;
        if (node->child[lane] < 0) {
            size_t entry = (size_t)~node->child[lane];
            assert_true(entry < w->world->object_count);
            assert_int_equal(w->seen[entry]++, 0);
            box = w->world->objects[entry]->box;
        } else {
            assert_true(node->child[lane] > index);
            box = check_node(w, node->child[lane], depth + 1);
        }
        assert_lane_holds(node, lane, &box);
        for (int k = 0; k < 3; k++) {
            (&all.min.x)[k] = fmin((&all.min.x)[k], (&box.min.x)[k]);
            (&all.max.x)[k] = fmax((&all.max.x)[k], (&box.max.x)[k]);
        }
    }
    return all;
}

/// Returns the depth of the tree.
static int check_tree(const graze_world *world) {
    walk w = {.world = world, .seen = calloc(world->object_count + 1, 1)};
    assert_non_null(w.seen);
    if (world->object_count >= 2) {
        assert_int_equal(world->root, 0);
        check_node(&w, world->root, 1);
        for (size_t i = 0; i < world->object_count; i++) assert_int_equal(w.seen[i], 1);
    } else {
        assert_int_equal(world->node_count, 0);
        assert_int_equal(world->root, ~0);
    }
    free(w.seen);
    assert_true(w.depth < GZ_TREE_DEPTH);
    return w.depth;
}

static void random_points(double *points, size_t count, uint64_t seed, double extent) {
    gz_random random = gz_random_make(seed, 0);
    for (size_t i = 0; i < 3 * count; i++) points[i] = gz_random_range(&random, -extent, extent);
}

static void test_trees_of_every_small_size_hold_each_entry_once(void **state) {
    (void)state;
    static double points[3 * 200];
    for (size_t n = 0; n <= 200; n++) {
        random_points(points, n, n, 3);
        graze_world *world = world_of_balls(points, n, 0.1);
        check_tree(world);
        // Up to eight entries are one node; more never waste lanes without end.
        if (n >= 2 && n <= 8) assert_int_equal(world->node_count, 1);
        assert_true(world->node_count <= n / 2);
        graze_world_free(world);
    }
}

/// All entries whose boxes overlap the query, by the tree; the boxes are checked again exactly.
static size_t query(const graze_world *world, const graze_aabb *q, uint8_t *found) {
    int32_t stack[GZ_TREE_DEPTH * GZ_WIDTH];
    size_t top = 0, count = 0;
    stack[top++] = world->root;
    while (top) {
        const gz_node *node = &world->nodes[stack[--top]];
        for (int lane = 0; lane < node->count; lane++) {
            bool apart = false;
            for (int k = 0; k < 3; k++) {
                double c = (double)node->center[k][lane], h = (double)node->half[k][lane];
                apart |= c - h > (&q->max.x)[k] || c + h < (&q->min.x)[k];
            }
            if (apart) continue;
            if (node->child[lane] >= 0) {
                stack[top++] = node->child[lane];
                continue;
            }
            const graze_aabb *box = &world->objects[~node->child[lane]]->box;
            bool overlap = true;
            for (int k = 0; k < 3; k++)
                overlap &= (&box->min.x)[k] <= (&q->max.x)[k] && (&q->min.x)[k] <= (&box->max.x)[k];
            if (overlap) found[~node->child[lane]] = 1, count++;
        }
    }
    return count;
}

static void test_queries_find_what_brute_force_finds(void **state) {
    (void)state;
    enum { COUNT = 3000 };
    static double points[3 * COUNT];
    random_points(points, COUNT, 11, 2);
    graze_world *world = world_of_balls(points, COUNT, 0.03);
    gz_random random = gz_random_make(12, 0);
    size_t hits = 0;
    for (int round = 0; round < 500; round++) {
        graze_aabb q;
        for (int k = 0; k < 3; k++) {
            (&q.min.x)[k] = gz_random_range(&random, -2.2, 2);
            (&q.max.x)[k] = (&q.min.x)[k] + gz_random_range(&random, 0, 1);
        }
        uint8_t found[COUNT] = {0};
        size_t count = query(world, &q, found), expected = 0;
        for (size_t i = 0; i < COUNT; i++) {
            bool overlap = true;
            for (size_t k = 0; k < 3; k++) // with room for the boxes' one step outward
                overlap &= points[3 * i + k] - 0.03 <= (&q.max.x)[k] &&
                           points[3 * i + k] + 0.03 >= (&q.min.x)[k];
            expected += overlap;
            if (overlap) assert_int_equal(found[i], 1);
        }
        assert_int_equal(count, expected);
        hits += expected;
    }
    assert_true(hits > 2000);
    graze_world_free(world);
}

static void test_hostile_points_make_no_deep_tree(void **state) {
    (void)state;
    enum { COUNT = 20000 };
    static double points[3 * COUNT];
    // All in one place.
    for (size_t i = 0; i < 3 * COUNT; i++) points[i] = 1.25;
    graze_world *world = world_of_balls(points, COUNT, 0.5);
    int depth = check_tree(world);
    assert_true(depth <= 16);
    graze_world_free(world);
    // Each half as far out as the one before: the heuristic cuts off few at a time.
    for (size_t i = 0; i < COUNT; i++) {
        points[3 * i] = ldexp(1, 20 - (int)(i % 60));
        points[3 * i + 1] = points[3 * i + 2] = ldexp((double)i, -60);
    }
    world = world_of_balls(points, COUNT, 0x1p-40);
    check_tree(world);
    graze_world_free(world);
    // Geometric in all axes, each point of its own scale.
    for (size_t i = 0; i < COUNT; i++)
        for (size_t k = 0; k < 3; k++) points[3 * i + k] = 0x1p19 * pow(0.998, (double)i);
    world = world_of_balls(points, COUNT, 0x1p-60);
    check_tree(world);
    graze_world_free(world);
}

static void test_the_same_world_gives_the_same_tree(void **state) {
    (void)state;
    enum { COUNT = 5000 };
    static double points[3 * COUNT];
    random_points(points, COUNT, 5, 4);
    graze_world *a = world_of_balls(points, COUNT, 0.01), *b;
    b = world_of_balls(points, COUNT, 0.01);
    assert_int_equal(a->node_count, b->node_count);
    assert_memory_equal(a->nodes, b->nodes, a->node_count * sizeof *a->nodes);
    graze_world_free(a);
    graze_world_free(b);
}

static void test_objects_far_out_and_of_all_sizes_are_held(void **state) {
    (void)state;
    graze_world *world;
    assert_int_equal(graze_world_create(&world, "test", NULL), GRAZE_OK);
    gz_random random = gz_random_make(3, 0);
    for (int i = 0; i < 400; i++) {
        char name[16];
        snprintf(name, sizeof name, "o%d", i);
        graze_transform pose = graze_transform_identity();
        for (int k = 0; k < 3; k++)
            pose.m[4 * k + 3] = ldexp(gz_random_range(&random, -1, 1), i % 20);
        double radius = ldexp(1, (i * 7) % 50 - 35);
        assert_int_equal(graze_world_add_sphere(world, name, radius, &pose, NULL), GRAZE_OK);
    }
    assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
    check_tree(world);
    graze_world_free(world);
}

static void test_a_large_cloud_is_one_entry(void **state) {
    (void)state;
    enum { COUNT = 100000 };
    static double points[3 * COUNT];
    random_points(points, COUNT, 1, 10);
    graze_world *world;
    assert_int_equal(graze_world_create(&world, "test", NULL), GRAZE_OK);
    assert_int_equal(graze_world_add_points(world, "p", points, COUNT, 0.01, NULL, NULL), GRAZE_OK);
    assert_int_equal(graze_world_commit(world, NULL), GRAZE_OK);
    assert_int_equal(world->object_count, 1);
    check_tree(world);
    graze_world_free(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees_of_every_small_size_hold_each_entry_once),
        cmocka_unit_test(test_queries_find_what_brute_force_finds),
        cmocka_unit_test(test_hostile_points_make_no_deep_tree),
        cmocka_unit_test(test_the_same_world_gives_the_same_tree),
        cmocka_unit_test(test_objects_far_out_and_of_all_sizes_are_held),
        cmocka_unit_test(test_a_large_cloud_is_one_entry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
