// Which entries of the world a box overlaps: exactly those that a loop over all boxes finds.

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
        for (int k = 0; k < 3; k++) size[k] = scale * pow(10, gz_random_range(r, -4, -0.5));
        graze_status status;
        if (i % 9 == 8) {
            double points[30];
            for (int k = 0; k < 30; k++) points[k] = gz_random_range(r, -scale, scale);
            status = graze_world_add_points(w, name, points, 10, size[0], &pose, NULL);
        } else if (i % 2) {
            status = graze_world_add_box(w, name, size, &pose, NULL);
        } else {
            status = graze_world_add_sphere(w, name, size[0], &pose, NULL);
        }
        assert_int_equal(status, GRAZE_OK);
    }
    assert_int_equal(graze_world_commit(w, NULL), GRAZE_OK);
    return w;
}

typedef struct space {
    int32_t *out, *stack;
    uint8_t *found;
} space;

static space make_space(const graze_world *w) {
    space s = {malloc((w->object_count + 1) * sizeof(int32_t)),
               malloc((w->node_count * (GZ_WIDTH - 1) + 8) * sizeof(int32_t)),
               malloc(w->object_count + 1)};
    assert_true(s.out && s.stack && s.found);
    return s;
}

static void free_space(space *s) {
    free(s->out);
    free(s->stack);
    free(s->found);
}

static size_t check(const graze_world *w, const double low[3], const double high[3], space *s) {
    uint64_t tests = 0;
    size_t n = gz_world_query(w, low, high, s->out, s->stack, &tests), want = 0;
    assert_true(n <= w->object_count);
    memset(s->found, 0, w->object_count);
    for (size_t i = 0; i < n; i++) {
        assert_true(s->out[i] >= 0 && (size_t)s->out[i] < w->object_count);
        assert_int_equal(s->found[s->out[i]]++, 0); // each once
    }
    for (size_t i = 0; i < w->object_count; i++) {
        const double *a = &w->objects[i]->box.min.x, *b = &w->objects[i]->box.max.x;
        bool overlap = true;
        for (int k = 0; k < 3; k++) overlap = overlap && a[k] <= high[k] && b[k] >= low[k];
        assert_int_equal(s->found[i], overlap);
        want += overlap;
    }
    return want;
}

static void test_queries_equal_a_loop_over_all_boxes(void **state) {
    (void)state;
    gz_random r = gz_random_make(1, 0);
    static const int counts[] = {0, 1, 2, 8, 9, 60, 400};
    size_t found = 0;
    for (int round = 0; round < 21; round++) {
        double scale = pow(10, gz_random_range(&r, -3, 3)), far = round % 2 ? 0 : 1e5;
        graze_world *w = make_world(&r, counts[round % 7], scale, far);
        space s = make_space(w);
        for (int i = 0; i < 60; i++) {
            double low[3], high[3];
            for (int k = 0; k < 3; k++) {
                double c = gz_random_range(&r, -scale, scale) + (k ? 0 : far);
                double half = scale * pow(10, gz_random_range(&r, -3, 0.3));
                low[k] = c - half;
                high[k] = c + half;
            }
            found += check(w, low, high, &s);
        }
        // Boxes that touch an entry's box exactly, or miss it by one unit in the last place.
        for (size_t i = 0; i < w->object_count; i += 1 + w->object_count / 40) {
            const graze_aabb *box = &w->objects[i]->box;
            for (int axis = 0; axis < 3; axis++)
                for (int side = 0; side < 2; side++) {
                    double low[3], high[3];
                    memcpy(low, &box->min, sizeof low);
                    memcpy(high, &box->max, sizeof high);
                    if (side)
                        low[axis] = high[axis], high[axis] += scale;
                    else
                        high[axis] = low[axis], low[axis] -= scale;
                    assert_true(check(w, low, high, &s) >= 1);
                    if (side)
                        low[axis] = nextafter(low[axis], INFINITY);
                    else
                        high[axis] = nextafter(high[axis], -INFINITY);
                    check(w, low, high, &s);
                }
        }
        double all_low[3] = {-0x1p20, -0x1p20, -0x1p20}, all_high[3] = {0x1p20, 0x1p20, 0x1p20};
        assert_int_equal(check(w, all_low, all_high, &s), w->object_count);
        free_space(&s);
        graze_world_free(w);
    }
    assert_true(found > 300);
}

/// A node that is far larger than the query: its centre and its half extents round by far more than
/// the query measures, and the node must still let through what touches its lowest face.
static void test_small_boxes_that_touch_large_nodes_are_found(void **state) {
    (void)state;
    gz_random r = gz_random_make(5, 0);
    for (int round = 0; round < 300; round++) {
        graze_world *w;
        assert_int_equal(graze_world_create(&w, "w", NULL), GRAZE_OK);
        double far = gz_random_range(&r, 100, 3000);
        for (int i = 0; i < 9; i++) { // a node of small boxes, from some place near 0 to far away
            char name[32];
            snprintf(name, sizeof name, "o%d", i);
            graze_transform pose = graze_transform_identity();
            for (int k = 0; k < 3; k++)
                pose.m[4 * k + 3] = (i ? far * i / 9 : 0) + gz_random_range(&r, 0, 0.01);
            double size[3] = {0.01, 0.01, 0.01};
            assert_int_equal(graze_world_add_box(w, name, size, &pose, NULL), GRAZE_OK);
        }
        assert_int_equal(graze_world_commit(w, NULL), GRAZE_OK);
        space s = make_space(w);
        for (size_t i = 0; i < w->object_count; i++) {
            const double *min = &w->objects[i]->box.min.x;
            for (int axis = 0; axis < 3; axis++) {
                double low[3], high[3];
                for (int k = 0; k < 3; k++) low[k] = min[k] + 1e-5, high[k] = min[k] + 2e-5;
                high[axis] = min[axis];
                low[axis] = min[axis] - 1e-7;
                assert_true(check(w, low, high, &s) >= 1);
            }
        }
        free_space(&s);
        graze_world_free(w);
    }
}

/// The other way round: a query whose middle and half extents round by far more than the boxes
/// beside the origin measure, which touch its face.
static void test_large_queries_that_touch_small_boxes_are_found(void **state) {
    (void)state;
    gz_random r = gz_random_make(6, 0);
    graze_world *w = make_world(&r, 9, 1e-4, 0);
    assert_true(w->node_count > 0);
    space s = make_space(w);
    for (int round = 0; round < 3000; round++) {
        const graze_aabb *box = &w->objects[gz_random_below(&r, (uint32_t)w->object_count)]->box;
        for (int side = 0; side < 6; side++) {
            double low[3] = {-1, -1, -1}, high[3] = {1, 1, 1}, length = gz_random_range(&r, 2, 8);
            int axis = side / 2;
            if (side % 2)
                low[axis] = (&box->max.x)[axis], high[axis] = low[axis] + length;
            else
                high[axis] = (&box->min.x)[axis], low[axis] = high[axis] - length;
            assert_true(check(w, low, high, &s) >= 1);
        }
    }
    free_space(&s);
    graze_world_free(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_queries_equal_a_loop_over_all_boxes),
        cmocka_unit_test(test_small_boxes_that_touch_large_nodes_are_found),
        cmocka_unit_test(test_large_queries_that_touch_small_boxes_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
