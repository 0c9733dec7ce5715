// What is held of a large world near a place: queries that it covers find what the world's tree
// does, versions with moved and added objects included, and no ball near an entry is called apart.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "broad/world_query.h"
#include "unit/mesh/mesh_maker.h"

static graze_world *make_world(gz_random *r, int objects, double scale, double far) {
    graze_world *w;
    assert_int_equal(graze_world_create(&w, "w", NULL), GRAZE_OK);
    for (int i = 0; i < objects; i++) {
        char name[32];
        snprintf(name, sizeof name, "o%d", i);
        graze_transform pose = maker_pose(r, scale);
        pose.m[3] += far;
        double size[3];
        for (int k = 0; k < 3; k++) size[k] = scale * pow(10, gz_random_range(r, -1.5, -0.4));
        assert_int_equal(graze_world_add_box(w, name, size, &pose, NULL), GRAZE_OK);
    }
    assert_int_equal(graze_world_commit(w, NULL), GRAZE_OK);
    return w;
}

/// A version in which some objects have moved, and others are new.
static graze_world *change_world(gz_random *r, const graze_world *w, double scale, double far) {
    enum { MOVED = 6, CHANGES = 10 };
    graze_world_change changes[CHANGES];
    graze_geometry objects[CHANGES];
    graze_transform poses[CHANGES];
    char names[CHANGES][32];
    for (int i = 0; i < CHANGES; i++) {
        assert_int_equal(graze_world_object(w, (size_t)(7 * i), &objects[i]), GRAZE_OK);
        snprintf(names[i], sizeof names[i], i < MOVED ? "o%d" : "new%d", 7 * i);
        poses[i] = maker_pose(r, scale);
        poses[i].m[3] += far;
        changes[i] = (graze_world_change){.struct_size = sizeof(graze_world_change),
                                          .kind = i < MOVED ? GRAZE_CHANGE_MOVE : GRAZE_CHANGE_ADD,
                                          .name = names[i],
                                          .pose = &poses[i],
                                          .geometry = &objects[i]};
    }
    graze_world *out;
    graze_error error;
    if (graze_world_revise(&out, w, changes, CHANGES, &error)) fail_msg("%s", error.message);
    return out;
}

static int compare(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

typedef struct tally {
    size_t covered, found, near, apart;
} tally;

static void check_box(const graze_world *w, const gz_local_tree *v, const double low[3],
                      const double high[3], tally *t) {
    if (!gz_local_tree_covers(v, low, high)) return;
    t->covered++;
    size_t hall = w->object_count + 1;
    int32_t *a = malloc(hall * sizeof *a), *b = malloc(hall * sizeof *b),
            *stack = malloc((w->node_count * 7 + 8) * sizeof *stack);
    assert_true(a && b && stack);
    uint64_t tests = 0;
    size_t n = gz_world_query(w, low, high, a, stack, &tests);
    assert_int_equal(gz_local_tree_query(v, low, high, b, &tests), n);
    qsort(a, n, sizeof *a, compare);
    qsort(b, n, sizeof *b, compare);
    assert_memory_equal(a, b, n * sizeof *a);
    t->found += n;
    free(a);
    free(b);
    free(stack);
}

static void check_ball(const graze_world *w, const gz_local_tree *v, const double center[3],
                       double radius, tally *t) {
    double least = INFINITY;
    for (size_t i = 0; i < w->object_count; i++) {
        const graze_aabb *box = &gz_world_at(w, i)->box;
        double square = 0;
        for (int k = 0; k < 3; k++) {
            double d = fmax(GZ_ARRAY3(box->min)[k] - center[k], center[k] - GZ_ARRAY3(box->max)[k]);
            square += d > 0 ? d * d : 0;
        }
        least = fmin(least, square);
    }
    float at[3] = {(float)center[0], (float)center[1], (float)center[2]};
    float off = 0x1p-23f * (fabsf(at[0]) + fabsf(at[1]) + fabsf(at[2]));
    bool near = gz_local_tree_near(v, at, (float)radius * (1 + 0x1p-20f) + off);
    if (sqrt(least) <= radius) assert_true(near);
    t->near += near;
    t->apart += !near;
}

static void check_world(gz_random *r, const graze_world *w, double scale, double far, tally *t) {
    gz_local_tree *v;
    assert_true(gz_local_tree_create(&v, w) && v);
    for (int place = 0; place < 6; place++) {
        double at[3];
        for (int k = 0; k < 3; k++) at[k] = gz_random_range(r, -scale, scale) + (k ? 0 : far);
        gz_local_tree_aim(v, at, scale * 0.4);
        for (int i = 0; i < 60; i++) {
            double low[3], high[3], center[3];
            for (int k = 0; k < 3; k++) {
                center[k] = at[k] + scale * gz_random_range(r, -0.3, 0.3);
                double half = scale * pow(10, gz_random_range(r, -3, -0.7));
                low[k] = center[k] - half;
                high[k] = center[k] + half;
            }
            check_box(w, v, low, high, t);
            check_ball(w, v, center, high[0] - center[0], t);
        }
    }
    gz_local_tree_free(v);
}

static void what_is_held_is_what_the_world_says(void **state) {
    (void)state;
    gz_random r = gz_random_make(9, 0);
    tally t = {0};
    for (int round = 0; round < 24; round++) {
        double scale = pow(10, gz_random_range(&r, -2, 2)), far = round % 2 ? 0 : 100 * scale;
        graze_world *w = make_world(&r, 300 + 100 * (round % 4), scale, far);
        check_world(&r, w, scale, far, &t);
        graze_world *version = change_world(&r, w, scale, far);
        assert_non_null(version->delta);
        check_world(&r, version, scale, far, &t);
        graze_world_free(version);
        graze_world_free(w);
    }
    print_message("%zu boxes, %zu entries; balls: %zu near, %zu apart\n", t.covered, t.found,
                  t.near, t.apart);
    assert_true(t.covered > 4000 && t.found > 2000 && t.near > 2000 && t.apart > 2000);
}

static void too_much_is_not_held_and_far_away_all_is_near(void **state) {
    (void)state;
    gz_random r = gz_random_make(10, 0);
    graze_world *small = make_world(&r, 64, 1, 0), *w = make_world(&r, 6000, 1, 0);
    gz_local_tree *v;
    assert_true(gz_local_tree_create(&v, small));
    assert_null(v);
    assert_true(gz_local_tree_create(&v, w) && v);
    double at[3] = {0, 0, 0}, low[3] = {-0.1, -0.1, -0.1}, high[3] = {0.1, 0.1, 0.1};
    gz_local_tree_aim(v, at, 2);
    assert_false(gz_local_tree_covers(v, low, high));
    assert_true(gz_local_tree_near(v, (float[3]){50, 0, 0}, 0.1f));
    gz_local_tree_aim(v, at, 0.2);
    assert_true(gz_local_tree_covers(v, low, high));
    gz_local_tree_aim(v, (double[3]){0.01, 0, 0}, 0.2); // nearly the same place: the same box
    assert_true(gz_local_tree_covers(v, low, high));
    gz_local_tree_aim(v, (double[3]){NAN, 0, 0}, 0.2);
    assert_false(gz_local_tree_covers(v, low, high));
    gz_local_tree_aim(v, (double[3]){50, 0, 0}, 0.2); // nothing there
    assert_false(gz_local_tree_near(v, (float[3]){50, 0, 0}, 0.1f));
    gz_local_tree_free(v);
    graze_world_free(small);
    graze_world_free(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_held_is_what_the_world_says),
        cmocka_unit_test(too_much_is_not_held_and_far_away_all_is_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
