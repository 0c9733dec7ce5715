// Trees over boxes: every item in one leaf, every box around what is below it, depth bounded
// whatever the input, the same tree for the same input.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"
#include "mesh/bvh/box_tree.h"

/// Whether the box holds [low, high] as real numbers: differences of floats within 2^40 of each
/// other are exact in long double, others are decided by far more than its rounding.
static bool holds(const gz_box *box, const float low[3], const float high[3]) {
    for (int k = 0; k < 3; k++) {
        long double c = box->center[k], h = box->half[k];
        if (!(c - (long double)low[k] <= h && (long double)high[k] - c <= h)) return false;
    }
    return true;
}

typedef struct walk {
    const gz_box_tree *tree;
    const gz_tree_item *items;
    uint8_t *leaf_seen, *node_seen;
    int depth;
} walk;

/// Checks a subtree and returns the extent of its items in low and high.
static void check_below(walk *w, int32_t reference, gz_box box, int depth, float low[3],
                        float high[3]) {
    const gz_box_tree *t = w->tree;
    for (int k = 0; k < 3; k++) low[k] = INFINITY, high[k] = -INFINITY;
    if (reference < 0) {
        assert_true((size_t)~reference < t->leaf_count);
        assert_int_equal(w->leaf_seen[~reference]++, 0);
        const gz_tree_leaf *leaf = &t->leaves[~reference];
        for (uint32_t i = leaf->first; i < leaf->first + leaf->count; i++)
            for (int k = 0; k < 3; k++) {
                low[k] = fminf(low[k], w->items[i].low[k]);
                high[k] = fmaxf(high[k], w->items[i].high[k]);
            }
        assert_true(holds(&t->leaf_boxes[~reference], low, high));
        assert_true(holds(&box, low, high));
        return;
    }
    assert_true((size_t)reference < t->node_count);
    assert_int_equal(w->node_seen[reference]++, 0);
    if (depth + 1 > w->depth) w->depth = depth + 1;
    const gz_node *node = &t->nodes[reference];
    assert_true(node->count >= 2 && node->count <= GZ_WIDTH);
    for (int i = 0; i < GZ_WIDTH; i++) {
        if (i >= node->count) { // overlaps nothing
            for (int k = 0; k < 3; k++) assert_true(node->half[k][i] == -1e30f);
            continue;
        }
        gz_box child;
        for (int k = 0; k < 3; k++)
            child.center[k] = node->center[k][i], child.half[k] = node->half[k][i];
        assert_true(node->child[i] < 0 || node->child[i] > reference); // parents first
        float l[3], h[3];
        check_below(w, node->child[i], child, depth + 1, l, h);
        for (int k = 0; k < 3; k++) low[k] = fminf(low[k], l[k]), high[k] = fmaxf(high[k], h[k]);
    }
    assert_true(holds(&t->node_boxes[reference], low, high));
    assert_true(holds(&box, low, high));
}

static int check(const gz_tree_item *input, size_t n, size_t leaf_size) {
    gz_tree_item *items = malloc(n * sizeof *items), *again = malloc(n * sizeof *again);
    uint8_t *seen = calloc(n, 1);
    assert_true(items && again && seen);
    memcpy(items, input, n * sizeof *items);
    memcpy(again, input, n * sizeof *again);
    gz_box_tree t, u;
    assert_true(gz_box_tree_build(&t, items, n, leaf_size));
    // Every item is still there, in one leaf of allowed size.
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(seen[items[i].index]++, 0);
        assert_memory_equal(&items[i], &input[items[i].index], sizeof *items);
    }
    size_t covered = 0;
    for (size_t i = 0; i < t.leaf_count; i++) {
        assert_true(t.leaves[i].count >= 1 && t.leaves[i].count <= leaf_size);
        for (uint32_t k = 0; k < t.leaves[i].count; k++)
            assert_int_equal(seen[items[t.leaves[i].first + k].index]++, 1);
        covered += t.leaves[i].count;
    }
    assert_int_equal(covered, n);
    walk w = {.tree = &t,
              .items = items,
              .leaf_seen = calloc(t.leaf_count, 1),
              .node_seen = calloc(t.node_count + 1, 1)};
    float low[3], high[3];
    gz_box all = t.root < 0 ? t.leaf_boxes[~t.root] : t.node_boxes[t.root];
    assert_true(t.root == 0 || (t.root == ~0 && n <= leaf_size));
    check_below(&w, t.root, all, 0, low, high);
    for (size_t i = 0; i < t.leaf_count; i++) assert_int_equal(w.leaf_seen[i], 1);
    for (size_t i = 0; i < t.node_count; i++) assert_int_equal(w.node_seen[i], 1);
    assert_true(w.depth <= GZ_TREE_DEPTH);
    // The same input gives the same bytes.
    assert_true(gz_box_tree_build(&u, again, n, leaf_size));
    assert_int_equal(t.node_count, u.node_count);
    assert_int_equal(t.leaf_count, u.leaf_count);
    if (t.node_count) assert_memory_equal(t.nodes, u.nodes, t.node_count * sizeof *t.nodes);
    assert_memory_equal(t.leaf_boxes, u.leaf_boxes, t.leaf_count * sizeof *t.leaf_boxes);
    assert_memory_equal(items, again, n * sizeof *items);
    gz_box_tree_free(&t);
    gz_box_tree_free(&u);
    free(w.leaf_seen);
    free(w.node_seen);
    free(items);
    free(again);
    free(seen);
    return w.depth;
}

static gz_tree_item item_at(uint32_t i, double x, double y, double z, double half) {
    double low[3] = {x - half, y - half, z - half}, high[3] = {x + half, y + half, z + half};
    return gz_tree_item_make(low, high, i);
}

static void test_random_boxes(void **state) {
    (void)state;
    gz_random r = gz_random_make(1, 0);
    for (size_t n = 1; n < 3000; n = n < 40 ? n + 1 : n * 2 + 1) {
        gz_tree_item *items = malloc(n * sizeof *items);
        assert_non_null(items);
        double far = pow(10, gz_random_range(&r, -6, 6));
        for (uint32_t i = 0; i < n; i++)
            items[i] = item_at(i, gz_random_range(&r, -far, far), gz_random_range(&r, -far, far),
                               gz_random_range(&r, 0.9 * far, far),
                               far * pow(10, gz_random_range(&r, -9, -1)));
        check(items, n, 1);
        check(items, n, 3);
        check(items, n, 8);
        free(items);
    }
}

/// Inputs on which the heuristic cuts badly: item i of n, by kind.
static gz_tree_item adversary(int kind, uint32_t i, uint32_t n) {
    double x = i;
    switch (kind) {
    case 0: // all the same
        return item_at(i, 1, 2, 3, 0.5);
    case 1: // all the same point
        return item_at(i, 1, 2, 3, 0);
    case 2: // a line, without area
        return item_at(i, x, 0, 0, 0);
    case 3: // a line of cubes
        return item_at(i, x, 0, 0, 0.5);
    case 4: // sizes in geometric series, one corner shared
        return item_at(i, ldexp(1, -(int)(i % 120)), 0, 0, ldexp(1, -(int)(i % 120)));
    case 5: // centres in geometric series: each cut takes one away
        return item_at(i, exp(-x * 80 / n), 0, 0, 0);
    case 6: // the same in space
        return item_at(i, exp(-x * 80 / n), exp(-x * 70 / n), exp(-x * 60 / n), exp(-x * 85 / n));
    case 7: // one far away from many
        return item_at(i, i == n / 2 ? 0x1p20 : 1e-6 * x / n, 0, 0, 1e-7);
    case 8: // nested about one centre
        return item_at(i, 0, 0, 0, exp(-x * 80 / n));
    default: // far from the origin, a float apart
        return item_at(i, 0x1p20 - x / 16, 0x1p20, -0x1p20, 0x1p-4);
    }
}

static void test_depth_is_bounded_for_adversarial_boxes(void **state) {
    (void)state;
    static const uint32_t sizes[] = {2, 9, 100, 3000, 100000};
    int deepest = 0;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        uint32_t n = sizes[s];
        gz_tree_item *items = malloc(n * sizeof *items);
        assert_non_null(items);
        for (int kind = 0; kind < 10; kind++) {
            if (n > 5000 && kind != 2 && kind != 6) continue; // the largest of the hardest alone
            for (uint32_t i = 0; i < n; i++) items[i] = adversary(kind, i, n);
            int depth = check(items, n, n > 5000 ? 8 : 1);
            if (depth > deepest) deepest = depth;
        }
        free(items);
    }
    print_message("deepest %d of %d levels\n", deepest, GZ_TREE_DEPTH);
}

/// Some bits of a box and of its place in the tree, summed: equal sums for equal sets.
static uint64_t sum_nodes(const gz_box_tree *t, int32_t reference, uint64_t path) {
    const gz_box *box = reference < 0 ? &t->leaf_boxes[~reference] : &t->node_boxes[reference];
    uint64_t sum = path;
    for (int k = 0; k < 6; k++) {
        uint32_t bits;
        memcpy(&bits, k < 3 ? &box->center[k] : &box->half[k - 3], sizeof bits);
        sum = gz_random_mix(sum ^ bits);
    }
    if (reference < 0) return gz_random_mix(sum ^ t->leaves[~reference].count);
    for (int i = 0; i < t->nodes[reference].count; i++)
        sum += sum_nodes(t, t->nodes[reference].child[i], gz_random_mix(path + (uint64_t)i + 1));
    return sum;
}

/// In any order of the items the tree has the same nodes and leaves: of a few, and of so many that
/// they are sorted by cells first.
static void test_the_order_of_items_does_not_shape_the_tree(void **state) {
    (void)state;
    gz_random r = gz_random_make(5, 0);
    static const uint32_t sizes[] = {100, 255, 256, 1000, 20000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        uint32_t n = sizes[s];
        gz_tree_item *items = malloc(n * sizeof *items);
        assert_non_null(items);
        for (uint32_t i = 0; i < n; i++) // a bent sheet, and dust around it
            items[i] = i % 8 ? item_at(i, gz_random_unit(&r), gz_random_unit(&r), 0.1 * i / n, 0.01)
                             : item_at(i, gz_random_range(&r, -1, 2), gz_random_range(&r, -1, 2),
                                       gz_random_range(&r, -1, 2), 0.001);
        uint64_t sums[3];
        for (int pass = 0; pass < 3; pass++) {
            gz_box_tree t;
            assert_true(gz_box_tree_build(&t, items, n, 8));
            sums[pass] = sum_nodes(&t, t.root, 1);
            gz_box_tree_free(&t);
            for (uint32_t i = n - 1; i > 0; i--) {
                uint32_t k = gz_random_below(&r, i + 1);
                gz_tree_item swap = items[i];
                items[i] = items[k];
                items[k] = swap;
            }
        }
        assert_true(sums[0] == sums[1] && sums[1] == sums[2]);
        free(items);
    }
}

static void test_floats_are_rounded_outward(void **state) {
    (void)state;
    gz_random r = gz_random_make(2, 0);
    for (int i = 0; i < 200000; i++) {
        double x = ldexp(gz_random_range(&r, -1, 1), (int)gz_random_below(&r, 200) - 170);
        if (i % 5 == 0) x = (double)(float)x;
        float below = gz_float_below(x), above = gz_float_above(x);
        assert_true((double)below <= x && (double)above >= x);
        assert_true((double)nextafterf(below, INFINITY) > x); // the nearest such
        assert_true((double)nextafterf(above, -INFINITY) < x);
    }
    assert_true(gz_float_below(0) == 0 && gz_float_above(0) == 0);
    assert_true(gz_float_above(1e-60) > 0 && gz_float_below(-1e-60) < 0);
}

static void test_boxes_hold_what_they_were_made_of(void **state) {
    (void)state;
    gz_random r = gz_random_make(3, 0);
    for (int i = 0; i < 200000; i++) {
        float low[3], high[3];
        for (int k = 0; k < 3; k++) {
            float a = (float)ldexp(gz_random_range(&r, -1, 1), (int)gz_random_below(&r, 80) - 60);
            float b = (float)ldexp(gz_random_range(&r, -1, 1), (int)gz_random_below(&r, 80) - 60);
            if (i % 3 == 0) b = nextafterf(a, INFINITY);
            if (i % 7 == 0) b = a;
            low[k] = fminf(a, b);
            high[k] = fmaxf(a, b);
        }
        gz_box box = gz_box_make(low, high);
        assert_true(holds(&box, low, high));
        for (int k = 0; k < 3; k++) // and hardly more
            assert_true((double)box.half[k] <=
                        0.5 * ((double)high[k] - (double)low[k]) * (1 + 0x1p-21) +
                            0x1p-22 * fabs((double)box.center[k]) + 1e-44);
    }
}

static void test_named_trees_lead_to_items(void **state) {
    (void)state;
    enum { N = 500 };
    gz_tree_item items[N];
    gz_random r = gz_random_make(4, 0);
    for (uint32_t i = 0; i < N; i++)
        items[i] = item_at(i, gz_random_unit(&r), gz_random_unit(&r), gz_random_unit(&r), 0.01);
    gz_tree_item given[N];
    memcpy(given, items, sizeof items);
    gz_box_tree t;
    assert_true(gz_box_tree_build(&t, items, N, 1));
    gz_box_tree_name(&t, items);
    uint8_t seen[N] = {0};
    for (size_t i = 0; i < t.node_count; i++)
        for (int k = 0; k < t.nodes[i].count; k++) {
            int32_t item = ~t.nodes[i].child[k];
            if (item < 0) continue;
            assert_int_equal(seen[item]++, 0);
            gz_box box;
            for (int a = 0; a < 3; a++)
                box.center[a] = t.nodes[i].center[a][k], box.half[a] = t.nodes[i].half[a][k];
            assert_true(holds(&box, given[item].low, given[item].high));
        }
    for (int i = 0; i < N; i++) assert_int_equal(seen[i], 1);
    gz_box_tree_free(&t);
}

static void test_builds_without_memory_fail_and_leave_nothing(void **state) {
    (void)state;
#ifdef GRAZE_FAULTS
    enum { N = 700 };
    gz_tree_item items[N];
    for (long n = 1;; n++) {
        for (uint32_t i = 0; i < N; i++) items[i] = item_at(i, i, i * 0.5, 0, 1);
        gz_box_tree t;
        gz_memory_fail_after(n, false);
        bool ok = gz_box_tree_build(&t, items, N, 8);
        gz_memory_fail_after(0, false);
        if (ok) {
            assert_true(n > 9); // the grid's own memory among them
            gz_box_tree_free(&t);
            return;
        }
        assert_null(t.nodes);
        assert_null(t.leaves);
    }
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_boxes),
        cmocka_unit_test(test_depth_is_bounded_for_adversarial_boxes),
        cmocka_unit_test(test_the_order_of_items_does_not_shape_the_tree),
        cmocka_unit_test(test_floats_are_rounded_outward),
        cmocka_unit_test(test_boxes_hold_what_they_were_made_of),
        cmocka_unit_test(test_named_trees_lead_to_items),
        cmocka_unit_test(test_builds_without_memory_fail_and_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
