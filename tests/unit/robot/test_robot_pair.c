// Which pairs are checked: adjacency through links without geometry, and the precedence of the
// SRDF's rules, against a walk along the path between two links.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"
#include "unit/robot/robot_maker.h"

#define MOST 24

typedef struct tree {
    int n, parent[MOST];
    bool full[MOST];  ///< has geometry
    bool fixed[MOST]; ///< the joint to the parent
} tree;

/// The links between two links of the tree, both ends left out; returns how many. *fixed: whether
/// all joints on the way are.
static int path_between(const tree *t, int a, int b, int *between, bool *fixed) {
    bool above_a[MOST] = {false};
    int n = 0, ancestor;
    *fixed = true;
    for (int i = a; i >= 0; i = t->parent[i]) above_a[i] = true;
    for (ancestor = b; !above_a[ancestor]; ancestor = t->parent[ancestor]) {
        if (ancestor != b) between[n++] = ancestor;
        *fixed = *fixed && t->fixed[ancestor];
    }
    for (int i = a; i != ancestor; i = t->parent[i]) {
        if (i != a) between[n++] = i;
        *fixed = *fixed && t->fixed[i];
    }
    if (ancestor != a && ancestor != b) between[n++] = ancestor;
    return n;
}

typedef struct rules {
    bool enabled[MOST][MOST], disabled[MOST][MOST], off[MOST];
} rules;

static graze_pair_state expected(const tree *t, const rules *r, int a, int b) {
    int between[MOST];
    bool fixed, adjacent = true;
    int n = path_between(t, a, b, between, &fixed);
    for (int i = 0; i < n; i++) adjacent = adjacent && !t->full[between[i]];
    bool enabled = r->enabled[a][b] || r->enabled[b][a];
    bool disabled = r->disabled[a][b] || r->disabled[b][a];
    if (disabled) return adjacent ? GRAZE_PAIR_ADJACENT : GRAZE_PAIR_DISABLED;
    if (adjacent && !enabled) return GRAZE_PAIR_ADJACENT;
    if ((r->off[a] || r->off[b]) && !enabled) return GRAZE_PAIR_DEFAULT;
    return fixed ? GRAZE_PAIR_STATIC : GRAZE_PAIR_CHECKED;
}

static gz_builder *make_tree(const tree *t) {
    gz_builder *b = gz_builder_create("r", "r.urdf");
    assert_non_null(b);
    for (int i = 0; i < t->n; i++) {
        char name[16];
        int32_t link;
        snprintf(name, sizeof name, "l%d", i);
        assert_int_equal(gz_builder_add_link(b, name, (gz_line){0}, &link, NULL), GRAZE_OK);
        assert_int_equal(link, i);
        if (t->full[i]) assert_int_equal(robot_box(b, link, 0.1, NULL, NULL), GRAZE_OK);
    }
    for (int i = 1; i < t->n; i++) {
        char parent[16], child[16];
        snprintf(parent, sizeof parent, "l%d", t->parent[i]);
        snprintf(child, sizeof child, "l%d", i);
        assert_int_equal(robot_joint(b, t->fixed[i] ? GRAZE_JOINT_FIXED : GRAZE_JOINT_REVOLUTE,
                                     parent, child, NULL, NULL),
                         GRAZE_OK);
    }
    return b;
}

static graze_robot *finish(gz_builder *b) {
    graze_robot *robot;
    graze_error e;
    if (gz_builder_finish(b, &robot, &e)) fail_msg("%s", e.message);
    return robot;
}

/// Checks every pair; counts states.
static void check(const graze_robot *robot, const tree *t, const rules *r, size_t *seen) {
    size_t at = 0;
    for (int a = 0; a < t->n; a++)
        for (int b = a + 1; b < t->n; b++) {
            if (!t->full[a] || !t->full[b]) continue;
            graze_pair pair;
            assert_int_equal(graze_robot_pair(robot, at++, &pair), GRAZE_OK);
            assert_int_equal(pair.a, a);
            assert_int_equal(pair.b, b);
            assert_int_equal(pair.state, expected(t, r, a, b));
            assert_non_null(pair.reason);
            seen[pair.state]++;
        }
    assert_int_equal(graze_robot_pair_count(robot), at);
}

static void random_tree(tree *t, gz_random *r) {
    *t = (tree){.n = 1 + (int)gz_random_below(r, MOST), .parent = {-1}};
    uint32_t empties = gz_random_below(r, 4);
    for (int i = 0; i < t->n; i++) {
        if (i) t->parent[i] = (int)gz_random_below(r, (uint32_t)i);
        if (i && gz_random_below(r, 2)) t->parent[i] = i - 1;
        t->full[i] = gz_random_below(r, 4) >= empties;
        t->fixed[i] = gz_random_below(r, 2);
    }
}

static void test_pairs_equal_walks_along_the_path(void **state) {
    (void)state;
    gz_random random = gz_random_make(1, 0);
    size_t seen[5] = {0};
    for (int round = 0; round < 400; round++) {
        tree t;
        rules r = {0};
        random_tree(&t, &random);
        gz_builder *b = make_tree(&t);
        // Rules in any order of calls, for any pair, several for some.
        for (uint32_t n = gz_random_below(&random, 30); n > 0; n--) {
            int a = (int)gz_random_below(&random, (uint32_t)t.n);
            int c = (int)gz_random_below(&random, (uint32_t)t.n);
            graze_status status = GRAZE_OK;
            switch (gz_random_below(&random, 3)) {
            case 0:
                status = gz_builder_disable_pair(b, a, c, "why");
                r.disabled[a][c] = a != c;
                break;
            case 1:
                status = gz_builder_enable_pair(b, a, c);
                r.enabled[a][c] = a != c;
                break;
            default:
                if (gz_random_below(&random, 4)) break;
                status = gz_builder_disable_default(b, a);
                r.off[a] = true;
            }
            assert_int_equal(status, GRAZE_OK);
        }
        graze_robot *robot = finish(b);
        check(robot, &t, &r, seen);
        graze_robot_free(robot);
    }
    for (int i = 0; i < 5; i++) assert_true(seen[i] > 200);
}

static graze_pair_state state_of(const graze_robot *robot, const char *a, const char *b) {
    int32_t x = graze_robot_find_link(robot, a), y = graze_robot_find_link(robot, b);
    for (size_t i = 0; i < graze_robot_pair_count(robot); i++) {
        graze_pair pair;
        graze_robot_pair(robot, i, &pair);
        if ((pair.a == x && pair.b == y) || (pair.a == y && pair.b == x)) return pair.state;
    }
    fail_msg("no pair %s, %s", a, b);
    return GRAZE_PAIR_CHECKED;
}

static void test_siblings_around_empty_links_are_adjacent(void **state) {
    (void)state;
    // l0 full - l1 empty - (l2 full, l3 empty - l4 full, l5 full - l6 full)
    tree t = {.n = 7,
              .parent = {-1, 0, 1, 1, 3, 1, 5},
              .full = {true, false, true, false, true, true, true}};
    graze_robot *robot = finish(make_tree(&t));
    assert_int_equal(graze_robot_pair_count(robot), 10);
    assert_int_equal(state_of(robot, "l0", "l2"), GRAZE_PAIR_ADJACENT);
    assert_int_equal(state_of(robot, "l2", "l5"), GRAZE_PAIR_ADJACENT); // siblings
    assert_int_equal(state_of(robot, "l0", "l4"), GRAZE_PAIR_ADJACENT); // through two empty links
    assert_int_equal(state_of(robot, "l2", "l4"), GRAZE_PAIR_ADJACENT);
    assert_int_equal(state_of(robot, "l5", "l6"), GRAZE_PAIR_ADJACENT);
    assert_int_equal(state_of(robot, "l0", "l6"), GRAZE_PAIR_CHECKED);
    assert_int_equal(state_of(robot, "l2", "l6"), GRAZE_PAIR_CHECKED);
    graze_robot_free(robot);
}

static void test_reason_is_that_of_the_first_rule_that_has_one(void **state) {
    (void)state;
    tree t = {.n = 3, .parent = {-1, 0, 1}, .full = {true, true, true}};
    gz_builder *b = make_tree(&t);
    gz_builder_disable_pair(b, 0, 2, NULL);
    gz_builder_disable_pair(b, 2, 0, "Never");
    gz_builder_disable_pair(b, 1, 2, "Adjacent");
    graze_robot *robot = finish(b);
    graze_pair pair;
    graze_robot_pair(robot, 1, &pair); // 0, 2
    assert_string_equal(pair.reason, "Never");
    graze_robot_pair(robot, 0, &pair);
    assert_string_equal(pair.reason, "");
    assert_int_equal(graze_robot_pair(robot, 3, &pair), GRAZE_ERROR_ARGUMENT);
    assert_int_equal(graze_robot_pair(robot, 0, NULL), GRAZE_ERROR_ARGUMENT);
    graze_robot_free(robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs_equal_walks_along_the_path),
        cmocka_unit_test(test_siblings_around_empty_links_are_adjacent),
        cmocka_unit_test(test_reason_is_that_of_the_first_rule_that_has_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
