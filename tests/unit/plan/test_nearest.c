// The forest of k-d trees against a loop over all states, in the metric as the documentation states
// it, computed here in double.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/memory.h"
#include "plan/plan_internal.h"

enum { AXES = 11, STATES = 3000 };

static const graze_q_kind kinds[AXES] = {GRAZE_Q_LINE,     GRAZE_Q_CIRCLE,   GRAZE_Q_LINE,
                                         GRAZE_Q_CIRCLE,   GRAZE_Q_ROTATION, GRAZE_Q_ROTATION,
                                         GRAZE_Q_ROTATION, GRAZE_Q_ROTATION, GRAZE_Q_LINE,
                                         GRAZE_Q_CIRCLE,   GRAZE_Q_LINE};

static void make_space(gz_plan_space *space, gz_axis axes[AXES]) {
    for (int i = 0; i < AXES; i++) {
        axes[i] = (gz_axis){.kind = kinds[i], .low = -2, .high = 2};
        if (kinds[i] == GRAZE_Q_CIRCLE) {
            axes[i].low = -GZ_PI;
            axes[i].high = GZ_PI;
        }
    }
    *space = (gz_plan_space){.axes = axes, .dimension = AXES, .has_rotation = true};
}

static double oracle_distance(const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < AXES; i++) {
        double d = fabs(a[i] - b[i]);
        if (kinds[i] == GRAZE_Q_CIRCLE) {
            while (d > M_PI) d = fabs(d - 2 * M_PI);
            sum += d * d;
        } else if (kinds[i] == GRAZE_Q_LINE) {
            sum += d * d;
        } else if (kinds[i] == GRAZE_Q_ROTATION) {
            double plus = 0, minus = 0;
            for (int k = i; k < i + 4; k++) {
                plus += (a[k] - b[k]) * (a[k] - b[k]);
                minus += (a[k] + b[k]) * (a[k] + b[k]);
            }
            sum += 4 * fmin(plus, minus);
            i += 3;
        }
    }
    return sqrt(sum);
}

static void test_nearest_is_that_of_brute_force_at_every_size(void **context) {
    (void)context;
    gz_axis axes[AXES];
    gz_plan_space space;
    make_space(&space, axes);
    gz_neighbours *nearest = gz_neighbours_make(&space);
    assert_non_null(nearest);
    double(*states)[AXES] = malloc(STATES * sizeof *states);
    gz_random random = gz_random_make(7, 0);
    double query[AXES];
    assert_int_equal(gz_neighbours_find(nearest, (double[AXES]){0}), -1);
    for (int n = 0; n < STATES; n++) {
        gz_plan_space_sample(&space, &random, states[n]);
        // Angles need not be normalised, and clusters are what trees of a planner look like.
        if (n % 5 == 0) states[n][1] += 2 * GZ_PI * (n % 3 - 1);
        if (n % 2 == 0 && n > 0) {
            for (int i = 0; i < AXES; i++)
                if (kinds[i] != GRAZE_Q_ROTATION)
                    states[n][i] = states[n - 1][i] + gz_random_range(&random, -0.1, 0.1);
        }
        assert_true(gz_neighbours_add(nearest, states[n]));
        if (n > 200 && n % 7) continue;
        gz_plan_space_sample(&space, &random, query);
        int32_t found = gz_neighbours_find(nearest, query);
        assert_in_range(found, 0, n);
        double best = HUGE_VAL;
        for (int i = 0; i <= n; i++) best = fmin(best, oracle_distance(query, states[i]));
        assert_true(oracle_distance(query, states[found]) <= best + 1e-5);
    }
    free(states);
    gz_neighbours_free(nearest);
}

/// Of the first four axes, which are no rotation, and of all.
static void test_every_instruction_set_finds_the_same_state(void **context) {
    (void)context;
    static const char *const sets[3] = {"base", "avx2", "scalar"};
    gz_axis axes[AXES];
    gz_plan_space space;
    make_space(&space, axes);
    for (space.dimension = 4; space.dimension <= AXES; space.dimension += AXES - 4) {
        space.has_rotation = space.dimension == AXES;
        gz_neighbours *nearest[3];
        for (int k = 0; k < 3; k++) {
            assert_int_equal(setenv("GRAZE_ISA", sets[k], 1), 0);
            nearest[k] = gz_neighbours_make(&space);
            assert_non_null(nearest[k]);
        }
        unsetenv("GRAZE_ISA");
        double(*states)[AXES] = calloc(STATES, sizeof *states), query[AXES] = {0};
        gz_random random = gz_random_make(8, 0);
        for (int n = 0; n < STATES; n++) {
            gz_plan_space_sample(&space, &random, states[n]);
            gz_plan_space_sample(&space, &random, query);
            int32_t found[3];
            for (int k = 0; k < 3; k++) {
                assert_true(gz_neighbours_add(nearest[k], states[n]));
                found[k] = gz_neighbours_find(nearest[k], query);
                assert_int_equal(found[k], found[0]);
            }
            if (n > 200 && n % 7) continue;
            double best = HUGE_VAL;
            for (int i = 0; i <= n; i++)
                best = fmin(best, gz_plan_space_distance(&space, query, states[i]));
            assert_true(gz_plan_space_distance(&space, query, states[found[0]]) <= best + 1e-5);
        }
        for (int k = 0; k < 3; k++) gz_neighbours_free(nearest[k]);
        free(states);
    }
}

static void test_nearest_looks_across_the_seam_of_angles(void **context) {
    (void)context;
    gz_axis axis = {.kind = GRAZE_Q_CIRCLE, .low = -GZ_PI, .high = GZ_PI};
    gz_plan_space space = {.axes = &axis, .dimension = 1};
    gz_neighbours *nearest = gz_neighbours_make(&space);
    // 200 states between -3.1 and 2: enough for trees. From 3.1, the first is the nearest.
    for (int i = 0; i < 200; i++) {
        double angle = -3.1 + 5.1 * i / 199;
        assert_true(gz_neighbours_add(nearest, &angle));
    }
    double query = 3.1;
    assert_int_equal(gz_neighbours_find(nearest, &query), 0);
    query = 2.4;
    assert_int_equal(gz_neighbours_find(nearest, &query), 199);
    gz_neighbours_free(nearest);
}

static void test_nearest_of_equals_is_the_lowest(void **context) {
    (void)context;
    gz_axis axis = {.kind = GRAZE_Q_LINE, .low = 0, .high = 1};
    gz_plan_space space = {.axes = &axis, .dimension = 1};
    gz_neighbours *nearest = gz_neighbours_make(&space);
    for (int i = 0; i < 1000; i++) {
        double value = i % 4;
        assert_true(gz_neighbours_add(nearest, &value));
    }
    for (int i = 0; i < 4; i++) {
        double query = i;
        assert_int_equal(gz_neighbours_find(nearest, &query), i);
    }
    double middle = 1.5; // as far from 1 as from 2
    assert_int_equal(gz_neighbours_find(nearest, &middle), 1);
    gz_neighbours_free(nearest);
}

/// The same states as sorting all of them by their distances gives, of all counts.
static void test_lists_of_the_nearest_are_those_of_brute_force(void **context) {
    (void)context;
    enum { COUNT = 700, MOST = 40 };
    gz_axis axes[AXES];
    gz_plan_space space;
    make_space(&space, axes);
    gz_neighbours *nearest = gz_neighbours_make(&space);
    double(*states)[AXES] = malloc(COUNT * sizeof *states), query[AXES];
    float key[AXES];
    gz_near found[MOST];
    gz_random random = gz_random_make(9, 0);
    assert_int_equal(gz_neighbours_list(nearest, (double[AXES]){0}, key, 3, found), 0);
    for (size_t n = 0; n < COUNT; n++) {
        gz_plan_space_sample(&space, &random, states[n]);
        assert_true(gz_neighbours_add(nearest, states[n]));
        if (n > 80 && n % 13) continue;
        gz_plan_space_sample(&space, &random, query);
        size_t wanted = 1 + n % MOST, all = n + 1 < wanted ? n + 1 : wanted;
        assert_int_equal(gz_neighbours_list(nearest, query, key, wanted, found), all);
        for (size_t i = 0; i < all; i++) {
            double distance = oracle_distance(query, states[found[i].id]);
            size_t nearer = 0, as_near = 0;
            for (size_t k = 0; k <= n; k++) {
                nearer += oracle_distance(query, states[k]) < distance - 1e-5;
                as_near += oracle_distance(query, states[k]) < distance + 1e-5;
            }
            assert_true(nearer <= i && i < as_near);
            assert_true(fabs(sqrt((double)found[i].square) - distance) < 1e-5);
            for (size_t k = 0; k < i; k++) assert_true(found[k].id != found[i].id);
        }
    }
    free(states);
    gz_neighbours_free(nearest);
}

static void test_lists_order_equals_by_their_numbers(void **context) {
    (void)context;
    gz_axis axis = {.kind = GRAZE_Q_LINE, .low = 0, .high = 1};
    gz_plan_space space = {.axes = &axis, .dimension = 1};
    gz_neighbours *nearest = gz_neighbours_make(&space);
    float key;
    gz_near found[10];
    const double query = 2;
    for (int i = 0; i < 1000; i++) {
        double value = i % 4;
        assert_true(gz_neighbours_add(nearest, &value));
    }
    assert_int_equal(gz_neighbours_list(nearest, &query, &key, 10, found), 10);
    for (int i = 0; i < 10; i++) assert_int_equal(found[i].id, 2 + 4 * i);
    gz_neighbours_free(nearest);
}

static void test_nearest_survives_every_failing_allocation(void **context) {
    (void)context;
#ifdef GRAZE_FAULTS
    gz_axis axes[AXES];
    gz_plan_space space;
    make_space(&space, axes);
    for (long n = 1;; n++) {
        gz_random random = gz_random_make(3, 0);
        gz_memory_fail_after(n, false);
        gz_neighbours *nearest = gz_neighbours_make(&space);
        size_t added = 0;
        bool failed = !nearest;
        for (int i = 0; nearest && i < 300; i++) {
            double state[AXES];
            gz_plan_space_sample(&space, &random, state);
            if (gz_neighbours_add(nearest, state)) {
                added++;
            } else {
                failed = true;
                assert_true(gz_neighbours_add(nearest, state)); // only one allocation fails
                added++;
            }
            assert_int_equal(gz_neighbours_find(nearest, state), added - 1);
        }
        gz_memory_fail_after(0, false);
        gz_neighbours_free(nearest);
        if (!failed) break;
    }
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest_is_that_of_brute_force_at_every_size),
        cmocka_unit_test(test_every_instruction_set_finds_the_same_state),
        cmocka_unit_test(test_nearest_looks_across_the_seam_of_angles),
        cmocka_unit_test(test_nearest_of_equals_is_the_lowest),
        cmocka_unit_test(test_lists_of_the_nearest_are_those_of_brute_force),
        cmocka_unit_test(test_lists_order_equals_by_their_numbers),
        cmocka_unit_test(test_nearest_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
